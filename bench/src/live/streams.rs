//! Readers of live streams: opening, and what the streams bring.

use super::{OPENING, Party};
use crate::node::Login;
use std::{net::SocketAddr, sync::Arc, time::Instant};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinHandle,
};

/// A bigger read is taken in parts.
const READ_AT_ONCE: usize = 2_048;
/// Beginning of the answer to a stream.
const OPEN: &[u8] = b"HTTP/1.1 200";
/// End of a stream's first message.
const GREETING: &[u8] = b": hello\n\n";

/// What a stream brought.
pub(super) struct Heard {
    pub(super) tenant: usize,
    pub(super) changes: Vec<(i64, Instant)>,
    pub(super) ended: Instant,
}

/// Opens all streams, and returns their readers.
pub(super) async fn open(address: SocketAddr, parties: &[Party], logins: &[Login]) -> Vec<JoinHandle<Heard>> {
    let streams = parties.iter().zip(logins).flat_map(|(party, login)| {
        let stream = (party.tenant, login.clone());
        std::iter::repeat_n(stream, party.streams)
    });
    let streams: Arc<[(usize, Login)]> = streams.collect();
    let tasks = (0..OPENING).map(|task| {
        let streams = streams.clone();
        tokio::spawn(async move {
            let mut readers = Vec::new();
            for (tenant, login) in streams.iter().skip(task).step_by(OPENING) {
                let stream = open_one(address, login).await;
                readers.push(tokio::spawn(listen(*tenant, stream)));
            }
            readers
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut readers = Vec::with_capacity(streams.len());
    for task in tasks {
        readers.extend(task.await.expect("all streams open"));
    }
    readers
}

/// Opens a stream and waits for its greeting.
async fn open_one(address: SocketAddr, login: &Login) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("the node takes connections");
    let request = format!("GET /api/events/stream HTTP/1.1\r\n{}\r\n", login.headers());
    stream.write_all(request.as_bytes()).await.expect("a node listens");
    let mut begin = Vec::new();
    while !begin.windows(GREETING.len()).any(|bytes| bytes == GREETING) {
        let read = stream.read_buf(&mut begin).await.expect("a node answers");
        let is_open = begin.len() < OPEN.len() || begin.starts_with(OPEN);
        assert!(read > 0 && is_open, "{}", String::from_utf8_lossy(&begin));
    }
    stream
}

/// Reads a stream until it ends.
async fn listen(tenant: usize, mut stream: TcpStream) -> Heard {
    let (mut parser, mut changes) = (Parser::default(), Vec::new());
    let mut buffer = [0; READ_AT_ONCE];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        let at = Instant::now();
        parser.take(&buffer[..length], |position| changes.push((position, at)));
    }
    Heard {
        tenant,
        changes,
        ended: Instant::now(),
    }
}

/// Finds changes in a stream of server-sent events. Of the chunks that carry them it knows nothing: their sizes stand on lines
/// of their own, and no chunk ends within a message.
#[derive(Debug, Default)]
struct Parser {
    line: Vec<u8>,
    is_change: bool,
    id: i64,
    last: i64,
}

impl Parser {
    /// Takes what has come, and tells the positions of the changes that are complete with it.
    fn take(&mut self, bytes: &[u8], mut tell: impl FnMut(i64)) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                if let Some(position) = self.read_line() {
                    assert!(position > self.last, "{position} after {}", self.last);
                    self.last = position;
                    tell(position);
                }
                self.line.clear();
            }
        }
    }

    fn read_line(&mut self) -> Option<i64> {
        let line = self.line.trim_ascii_end();
        if let Some(event) = line.strip_prefix(b"event: ") {
            assert_eq!(event, b"change", "a reader was told to load everything again");
            self.is_change = true;
        } else if let Some(id) = line.strip_prefix(b"id: ") {
            let id = std::str::from_utf8(id).expect("an id is text");
            self.id = id.parse().expect("an id is a position");
        } else if line.starts_with(b"data: ") && std::mem::take(&mut self.is_change) {
            return Some(self.id);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &[u8] =
        b"\r\n51\r\nevent: change\nid: 8\ndata: {\"position\":8}\n\nevent: change\nid: 12\ndata: {}\n\n\r\n\
                            10\r\n: still here\n\n\r\n";

    #[test]
    fn changes_are_found_wherever_the_stream_is_cut() {
        for cut in 0..=STREAM.len() {
            let (mut parser, mut positions) = (Parser::default(), Vec::new());
            for part in [&STREAM[..cut], &STREAM[cut..]] {
                parser.take(part, |position| positions.push(position));
            }
            assert_eq!(positions, [8, 12], "cut at {cut}");
        }
    }
}
