//! The live stream: what a caller hears of, and how it resumes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use caudal_api::live::MAX_STREAMS_OF_A_PARTY;
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};
use support::{Business, Server, text};

/// How long a test waits for a message before it fails.
const PATIENCE: Duration = Duration::from_secs(15);

/// An open stream.
struct Stream(BufReader<TcpStream>);

/// A message of a stream.
#[derive(Debug, Default)]
struct Message {
    event: String,
    id: Option<i64>,
    data: Value,
}

impl Stream {
    /// Opens a stream, and gives the status where it is refused.
    fn open(server: &Server, token: &str, last: Option<i64>) -> Result<Self, u16> {
        let mut socket = TcpStream::connect(server.address()).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let resume = last.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        write!(
            socket,
            "GET /api/events/stream HTTP/1.1\r\nHost: caudal\r\nX-Tenant: acme\r\nAccept-Encoding: gzip\r\n\
             Authorization: Bearer {token}\r\n{resume}\r\n"
        )
        .unwrap();
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
    fn next(&mut self) -> Message {
        loop {
            let message = self.message();
            if !message.event.is_empty() {
                return message;
            }
        }
    }

    fn message(&mut self) -> Message {
        let mut message = Message::default();
        for line in self.chunk().lines() {
            match line.split_once(": ") {
                Some(("event", event)) => message.event = event.to_owned(),
                Some(("id", id)) => message.id = id.parse().ok(),
                Some(("data", data)) => message.data = serde_json::from_str(data).unwrap(),
                _ => {}
            }
        }
        message
    }

    /// Fails where the server does not end the stream.
    fn read_to_its_end(&mut self) {
        while !self.chunk().trim().is_empty() {}
    }

    /// One chunk; the server sends a message at a time here, since one thing changes at a time.
    fn chunk(&mut self) -> String {
        let mut size = String::new();
        self.0.read_line(&mut size).expect("a message in time");
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let mut chunk = vec![0; size + 2];
        self.0.read_exact(&mut chunk).unwrap();
        String::from_utf8(chunk).unwrap()
    }
}

fn sell(business: &Business) -> String {
    text(&business.as_agency(201, "POST", "/remittances", business.sale("10"))["id"])
}

#[test]
fn a_seller_hears_of_its_sale_and_a_dealer_only_once_it_is_his() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let dealer = business.client.login("dealer@example.test", support::PASSWORD);
    let mut of_agency = Stream::open(&server, &business.agency_token, None).unwrap();
    let mut of_dealer = Stream::open(&server, &dealer, None).unwrap();
    let id = sell(&business);
    let heard = of_agency.next();
    assert_eq!(
        (heard.event.as_str(), heard.data["kind"].as_str()),
        ("change", Some("remittance"))
    );
    assert_eq!(heard.data["id"], id);
    assert_eq!(heard.data["position"].as_i64(), heard.id);
    assert_eq!(heard.data.as_object().unwrap().len(), 3, "nothing else is told");

    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
    let first = of_dealer.next();
    assert_eq!(first.data["id"], id);
    assert!(first.id > heard.id, "the sale was none of his: {first:?}");
}

#[test]
fn a_stream_resumes_after_the_last_event_that_was_seen() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let mut stream = Stream::open(&server, &business.manager, None).unwrap();
    let first = sell(&business);
    let seen = stream.next();
    assert_eq!(seen.data["id"], first);
    drop(stream);
    let missed = sell(&business);
    let mut resumed = Stream::open(&server, &business.manager, seen.id).unwrap();
    assert_eq!(resumed.next().data["id"], missed);
}

#[test]
fn a_position_that_cannot_be_resumed_from_is_answered_with_a_reset() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let mut ahead = Stream::open(&server, &business.manager, Some(1_000_000)).unwrap();
    let reset = ahead.next();
    assert_eq!((reset.event.as_str(), reset.id), ("reset", Some(server.head("acme"))));
}

#[test]
fn of_a_partys_streams_one_too_many_ends_the_oldest() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let mut other = Stream::open(&server, &business.agency_token, None).unwrap();
    let mut open: Vec<_> = (0..=MAX_STREAMS_OF_A_PARTY)
        .map(|_| Stream::open(&server, &business.manager, None).unwrap())
        .collect();
    open.remove(0).read_to_its_end();
    let id = sell(&business);
    for stream in open.iter_mut().chain([&mut other]) {
        assert_eq!(stream.next().data["id"], id.as_str());
    }
    assert_eq!(Stream::open(&server, "rubbish", None).err(), Some(401));
}
