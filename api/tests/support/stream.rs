//! A client of the live stream.

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpStream, ToSocketAddrs},
    time::Duration,
};

/// Timeout of a message.
const PATIENCE: Duration = Duration::from_secs(25);

pub struct Stream(BufReader<TcpStream>);

#[derive(Clone, Debug, Default)]
pub struct Message {
    pub event: String,
    pub id: Option<i64>,
    pub data: Value,
}

impl Stream {
    /// Opens a stream; an error has the status of the refusal.
    pub fn open(address: impl ToSocketAddrs, tenant: &str, token: &str, last: Option<i64>) -> Result<Self, u16> {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let resume = last.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "GET /api/events/stream HTTP/1.1\r\nHost: caudal\r\nX-Tenant: {tenant}\r\nAccept-Encoding: gzip\r\n\
             Authorization: Bearer {token}\r\n{resume}\r\n"
        );
        socket.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(socket);
        let mut status = String::new();
        reader.read_line(&mut status).unwrap();
        let status: u16 = status.split(' ').nth(1).unwrap().parse().unwrap();
        let mut header = String::new();
        while reader.read_line(&mut header).unwrap() > 2 {
            let compressed = header.to_lowercase().starts_with("content-encoding: gzip");
            assert!(status != 200 || !compressed, "it would be held back");
            header.clear();
        }
        if status == 200 { Ok(Self(reader)) } else { Err(status) }
    }

    /// The next message that is an event.
    pub fn next(&mut self) -> Message {
        loop {
            let message = self.message();
            if !message.event.is_empty() {
                return message;
            }
        }
    }

    /// The next events, which may arrive in one chunk.
    pub fn events(&mut self, count: usize) -> Vec<Message> {
        let mut events = Vec::new();
        while events.len() < count {
            let chunk = self.chunk();
            let messages = chunk.split("\n\n").map(read);
            events.extend(messages.filter(|message| !message.event.is_empty()));
        }
        events
    }

    /// The next message of any type.
    pub fn message(&mut self) -> Message {
        read(&self.chunk())
    }

    /// Fails if the server does not end the stream.
    pub fn read_to_its_end(&mut self) {
        while !self.chunk().trim().is_empty() {}
    }

    /// One chunk: the server sends one message per change.
    fn chunk(&mut self) -> String {
        let mut size = String::new();
        self.0.read_line(&mut size).expect("a message in time");
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let mut chunk = vec![0; size + 2];
        self.0.read_exact(&mut chunk).unwrap();
        String::from_utf8(chunk).unwrap()
    }
}

fn read(text: &str) -> Message {
    let mut message = Message::default();
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("event", event)) => message.event = event.to_owned(),
            Some(("id", id)) => message.id = id.parse().ok(),
            Some(("data", data)) => message.data = serde_json::from_str(data).unwrap(),
            _ => {}
        }
    }
    message
}
