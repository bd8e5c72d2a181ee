//! A node at shutdown completes its requests, accepts none, and ends.

use crate::support::{Call, MANAGER, PASSWORD, Process, create_tenant};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

/// Timeout on a busy machine; a node drains for at most 20 seconds.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_request_in_flight_at_shutdown_is_completed() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), "drained");
    let mut node = Process::serve(database.url(), folder.path());
    let token = node.client("drained").login(MANAGER, PASSWORD);

    let body = json!({"currency": "USD", "amount": "12.34"}).to_string();
    let (first, rest) = body.split_at(10);
    let head = format!(
        "POST /api/sources/deposit/manager HTTP/1.1\r\nHost: node\r\nX-Tenant: drained\r\nAuthorization: Bearer {token}\r\n\
         Idempotency-Key: drained-1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{first}",
        body.len()
    );
    let mut begun = TcpStream::connect(node.address()).unwrap();
    begun.set_read_timeout(Some(PATIENCE)).unwrap();
    begun.write_all(head.as_bytes()).unwrap();
    // This request is answered after the first one has reached its handler.
    node.client("drained").send(Call::new("GET", "root:/healthz"));

    node.terminate();
    let told = Instant::now();
    while takes_work(node.address()) {
        assert!(told.elapsed() < PATIENCE, "it goes on taking work");
        std::thread::sleep(Duration::from_millis(20));
    }
    begun.write_all(rest.as_bytes()).unwrap();
    let mut answer = Vec::new();
    begun.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert!(
        node.ended_well_within(PATIENCE),
        "a drained node ends by itself, with success"
    );

    let node = Process::serve(database.url(), folder.path());
    let client = node.client("drained");
    let token = client.login(MANAGER, PASSWORD);
    let again = Call::new("POST", "/sources/deposit/manager")
        .token(&token)
        .key("drained-1");
    let again = client.send(again.raw("application/json", body));
    assert_eq!((again.status, again.replayed), (201, true), "{}", again.body);
}

/// Whether the node accepts a connection and reports ready.
fn takes_work(address: &str) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n")?;
        let mut status = [0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut status)?;
        std::io::Result::Ok(status)
    };
    ask().is_ok_and(|status| status.ends_with(b"200"))
}
