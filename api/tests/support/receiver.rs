//! A receiver of webhooks on loopback, in several manners.

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// Timeout for deliveries.
const PATIENCE: Duration = Duration::from_secs(60);

/// Behaviour of a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// 204.
    Accept,
    /// 204 after this time.
    AcceptAfter(Duration),
    /// This status after this time.
    StatusAfter(u16, Duration),
    /// This status, with a body.
    Status(u16),
    /// 200 after this time, with the data of the event that was sent.
    Echo(Duration),
    /// 302 to this URL.
    Redirect(String),
    /// Reads the request and says nothing more.
    Hang,
    /// 200 with an endless body of a gigabyte.
    Gigabyte,
    /// No HTTP.
    Garbage,
    /// 200 with fewer bytes than announced.
    Short,
}

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Headers by lower-case name.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

#[derive(Debug)]
struct ReceiverState {
    reply: Reply,
    received: Vec<Received>,
    /// Bytes of the gigabyte that were taken.
    poured: usize,
    /// Requests under way, and their maximum.
    under_way: [usize; 2],
}

/// A receiver; its threads end with the process.
pub struct Receiver {
    address: SocketAddr,
    kept: Arc<Mutex<ReceiverState>>,
}

impl Receiver {
    pub fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let kept = Arc::new(Mutex::new(ReceiverState {
            reply,
            received: Vec::new(),
            poured: 0,
            under_way: [0, 0],
        }));
        let shared = kept.clone();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, shared) = (connection.unwrap(), shared.clone());
                thread::spawn(move || answer(connection, &shared));
            }
        });
        Self { address, kept }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn set(&self, reply: Reply) {
        self.kept.lock().unwrap().reply = reply;
    }

    pub fn received(&self) -> Vec<Received> {
        self.kept.lock().unwrap().received.clone()
    }

    pub fn poured(&self) -> usize {
        self.kept.lock().unwrap().poured
    }

    /// Number of requests under way.
    pub fn under_way(&self) -> usize {
        self.kept.lock().unwrap().under_way[0]
    }

    /// Maximum number of requests that were under way at one time.
    pub fn most_at_once(&self) -> usize {
        self.kept.lock().unwrap().under_way[1]
    }

    /// The id of the last delivery.
    pub fn last_id(&self) -> Option<String> {
        let kept = self.kept.lock().unwrap();
        kept.received.last().map(|last| last.header("webhook-id").to_owned())
    }

    pub fn count(&self) -> usize {
        self.kept.lock().unwrap().received.len()
    }

    /// Waits for this number of requests, refused ones included.
    pub fn wait_for(&self, count: usize) -> Vec<Received> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let received = self.received();
            if received.len() >= count {
                return received;
            }
            assert!(Instant::now() < deadline, "{} requests, not {count}", received.len());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn request(connection: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut headers = HashMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers.get("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some(Received { headers, body })
}

fn answer(mut connection: TcpStream, kept: &Mutex<ReceiverState>) {
    let Some(received) = request(&connection) else { return };
    let sent = String::from_utf8_lossy(&received.body).into_owned();
    let reply = {
        let mut kept = kept.lock().unwrap();
        kept.received.push(received);
        kept.under_way[0] += 1;
        kept.under_way[1] = kept.under_way[1].max(kept.under_way[0]);
        kept.reply.clone()
    };
    let head = |status: &str, more: &str| format!("HTTP/1.1 {status}\r\nconnection: close\r\n{more}\r\n");
    let text = match reply {
        Reply::Accept => head("204 No Content", ""),
        Reply::AcceptAfter(time) => {
            thread::sleep(time);
            head("204 No Content", "")
        }
        Reply::StatusAfter(status, time) => {
            thread::sleep(time);
            head(&format!("{status} Said"), "content-length: 0\r\n")
        }
        Reply::Status(status) => head(&format!("{status} Said"), "content-length: 4\r\n") + "said",
        Reply::Echo(time) => {
            thread::sleep(time);
            let (_, data) = sent.split_once("\"data\":").unwrap_or_default();
            head("200 OK", &format!("content-length: {}\r\n", data.len())) + data
        }
        Reply::Redirect(to) => head("302 Found", &format!("location: {to}\r\ncontent-length: 0\r\n")),
        Reply::Hang => {
            thread::sleep(PATIENCE);
            return;
        }
        Reply::Gigabyte => head("200 OK", "content-length: 1073741824\r\n"),
        Reply::Garbage => "SSH-2.0-OpenSSH_9.9\r\n".to_owned(),
        Reply::Short => head("200 OK", "content-length: 100\r\n") + "short",
    };
    // Before the answer, after which the next request may come.
    kept.lock().unwrap().under_way[0] -= 1;
    let is_endless = text.contains("1073741824");
    if connection.write_all(text.as_bytes()).is_err() || !is_endless {
        return;
    }
    let chunk = [b'x'; 65_536];
    for _ in 0..16_384 {
        if connection.write_all(&chunk).is_err() {
            return;
        }
        kept.lock().unwrap().poured += chunk.len();
    }
}
