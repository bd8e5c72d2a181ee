//! An OpenTelemetry collector that keeps what it gets (OTLP over HTTP with JSON).

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A request: path, head and body.
#[derive(Clone)]
struct Received {
    path: String,
    head: String,
    body: String,
}

/// A running collector.
pub struct Collector {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Collector {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = received.clone();
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let kept = kept.clone();
                thread::spawn(move || converse(&socket, &kept));
            }
        });
        Self { address, received }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Heads of the requests.
    pub fn headers(&self) -> Vec<String> {
        self.all().into_iter().map(|received| received.head).collect()
    }

    /// Bodies of the requests.
    pub fn bodies(&self) -> Vec<String> {
        self.all().into_iter().map(|received| received.body).collect()
    }

    /// All spans.
    pub fn spans(&self) -> Vec<Value> {
        self.inner("/v1/traces", "resourceSpans", "scopeSpans", "spans")
    }

    /// All metrics, the latest last.
    pub fn metrics(&self) -> Vec<Value> {
        self.inner("/v1/metrics", "resourceMetrics", "scopeMetrics", "metrics")
    }

    /// What sent each request.
    pub fn resources(&self) -> Vec<Value> {
        let bodies = self.all().into_iter().map(|received| json(&received.body));
        bodies
            .flat_map(|body| {
                let of = |name: &str| body[name][0].get("resource").cloned();
                of("resourceSpans").or_else(|| of("resourceMetrics"))
            })
            .collect()
    }

    fn all(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    fn inner(&self, path: &str, resources: &str, scopes: &str, items: &str) -> Vec<Value> {
        let mut found = Vec::new();
        for received in self.all().into_iter().filter(|received| received.path == path) {
            let body = json(&received.body);
            let scope = &body[resources][0][scopes][0];
            found.extend(scope[items].as_array().unwrap().iter().cloned());
        }
        found
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Answers the requests of one connection.
fn converse(mut socket: &TcpStream, kept: &Mutex<Vec<Received>>) {
    let mut reader = BufReader::new(socket);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or_default() == 0 {
                return;
            }
        }
        let lower = head.to_ascii_lowercase();
        let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        let path = head.split(' ').nth(1).unwrap().to_owned();
        let body = String::from_utf8(body).unwrap();
        kept.lock().unwrap().push(Received { path, head, body });
        if socket
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
            .is_err()
        {
            return;
        }
    }
}
