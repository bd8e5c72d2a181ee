//! A local mail server that keeps received mails.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

/// Timeout for a mail.
const PATIENCE: Duration = Duration::from_secs(30);

/// Behaviour of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Accepts every mail.
    Takes,
    /// Refuses this number of mails and accepts later ones.
    TakesAfter(usize),
    /// Accepts connections and sends nothing.
    Silent,
}

/// A received mail.
#[derive(Clone, Debug, Default)]
pub struct Delivered {
    pub from: String,
    pub to: Vec<String>,
    /// Headers and text, with dot-stuffing removed.
    pub data: String,
    /// The client's credentials, encoded.
    pub auth: Option<String>,
}

#[derive(Debug, Default)]
struct Received {
    mails: Vec<Delivered>,
    refused: usize,
    connections: usize,
}

/// A mail server; its threads end with the process.
pub struct SmtpSink {
    address: SocketAddr,
    kept: Arc<(Mutex<Received>, Condvar)>,
}

impl SmtpSink {
    pub fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let kept: Arc<(Mutex<Received>, Condvar)> = Arc::default();
        let shared = kept.clone();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, shared) = (connection.unwrap(), shared.clone());
                thread::spawn(move || converse(connection, manner, &shared));
            }
        });
        Self { address, kept }
    }

    /// The URL for a node's mail settings.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn url_with(&self, user: &str, password: &str) -> String {
        format!("smtp://{user}:{password}@{}", self.address)
    }

    /// Waits for this number of mails.
    pub fn mails(&self, count: usize) -> Vec<Delivered> {
        self.wait_until(|kept| kept.mails.len() >= count)
    }

    /// Number of refused mails.
    pub fn refused(&self) -> usize {
        self.kept.0.lock().unwrap().refused
    }

    /// Waits for this number of connections.
    pub fn called(&self, times: usize) {
        self.wait_until(|kept| kept.connections >= times);
    }

    fn wait_until(&self, enough: impl Fn(&Received) -> bool) -> Vec<Delivered> {
        let deadline = Instant::now() + PATIENCE;
        let (kept, changed) = &*self.kept;
        let mut kept = kept.lock().unwrap();
        while !enough(&kept) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "it did not come: {kept:?}");
            kept = changed.wait_timeout(kept, left).unwrap().0;
        }
        kept.mails.clone()
    }
}

fn converse(connection: TcpStream, manner: Manner, shared: &(Mutex<Received>, Condvar)) {
    let note = |change: &dyn Fn(&mut Received)| {
        change(&mut shared.0.lock().unwrap());
        shared.1.notify_all();
    };
    note(&|kept| kept.connections += 1);
    let mut answers = connection.try_clone().unwrap();
    let mut lines = BufReader::new(connection).lines().map_while(Result::ok);
    if manner == Manner::Silent {
        // Until the client closes the connection.
        lines.for_each(drop);
        return;
    }
    let mut say = move |line: &str| answers.write_all(format!("{line}\r\n").as_bytes()).is_ok();
    let mut mail = Delivered::default();
    say("220 sink.test ESMTP");
    while let Some(line) = lines.next() {
        let word = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let argument = line.split_once(['<', ' ']).map_or("", |(_, rest)| rest);
        let address = || line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
        let goes_on = match word.as_str() {
            "EHLO" => say("250-sink.test") && say("250-8BITMIME") && say("250 AUTH PLAIN"),
            "AUTH" => {
                mail.auth = argument.rsplit(' ').next().map(str::to_owned);
                say("235 welcome")
            }
            "MAIL" => {
                mail.from = address();
                say("250 ok")
            }
            "RCPT" => {
                mail.to.push(address());
                say("250 ok")
            }
            "DATA" => {
                let mut talks = say("354 go on");
                for line in lines.by_ref().take_while(|line| line != ".") {
                    mail.data.push_str(line.strip_prefix('.').unwrap_or(&line));
                    mail.data.push('\n');
                }
                let mut kept = shared.0.lock().unwrap();
                let full = matches!(manner, Manner::TakesAfter(count) if kept.refused < count);
                if full {
                    kept.refused += 1;
                } else {
                    kept.mails.push(std::mem::take(&mut mail));
                }
                drop(kept);
                shared.1.notify_all();
                talks &= say(if full { "452 no room" } else { "250 kept" });
                talks
            }
            "QUIT" => {
                say("221 bye");
                false
            }
            _ => say("250 ok"),
        };
        if !goes_on {
            return;
        }
    }
}
