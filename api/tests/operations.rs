//! Interfaces for operators: the separate address, the log, and write readiness.

use crate::support::{self, Business, Call, Process, Server, create_tenant};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

/// The paths of the metrics and of the API's pages.
const APART: [&str; 4] = ["/metrics", "/api/openapi.json", "/api/docs", "/api/docs/index.html"];

#[test]
fn metrics_and_api_pages_are_on_the_operators_address_only_and_health_checks_on_both() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), "default");
    let apart = ["--operations-listen", "127.0.0.1:0"];
    let mut node = Process::serve_with(database.url(), folder.path(), "warn", &apart);
    let (public, operations) = (node.client("default"), node.operations());
    let get = |client: &support::Client, path: &str| client.send(Call::new("GET", &format!("root:{path}")));
    for path in APART {
        let answer = get(&public, path);
        assert_eq!((answer.status, answer.code()), (404, "route_unknown"), "{path}");
        assert_eq!(get(&operations, path).status, 200, "{path}");
    }
    for client in [&public, &operations] {
        assert_eq!(get(client, "/healthz").status, 200);
        assert_eq!(get(client, "/readyz").status, 200);
    }
    let metrics = String::from_utf8(get(&operations, "/metrics").bytes).unwrap();
    assert!(
        metrics.contains("caudal_http_seconds"),
        "the requests of the public address are counted"
    );
    public.login(support::MANAGER, support::PASSWORD);
    let there = Call::new("POST", "/auth0/login").json(&json!({}));
    assert_eq!(operations.send(there).status, 404);
    assert_eq!(get(&operations, "/").status, 404);
    node.terminate();
    assert!(node.ended_well_within(Duration::from_secs(30)));
}

#[test]
fn without_an_operators_address_all_paths_are_on_the_main_address() {
    let server = Server::start(&["default"]);
    let client = server.client("default");
    for path in APART {
        let status = client.send(Call::new("GET", &format!("root:{path}"))).status;
        assert_eq!(status, 200, "{path}");
    }
}

/// Sends raw bytes and reads until the connection closes.
fn throw(address: &str, bytes: &[u8]) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read_to_end(&mut Vec::new());
}

#[test]
fn garbage_connections_are_counted_and_not_logged() {
    const ROUNDS: usize = 20;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), "default");
    // Connecting as the owner would add a warning to the log.
    let node = Process::serve_with(database.node_url(), folder.path(), "info", &[]);
    let long = [b"GET /".as_slice(), &[b'a'; 200_000]].concat();
    let garbage: [&[u8]; 12] = [
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /api/auth0/login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/auth0/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        b"POST /api/auth0/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\
          Connection: close\r\n\r\n{\"email\":",
        b"POST /api/auth0/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        b"GET /api/users HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a.b.c\r\nConnection: close\r\n\r\n",
        b"POST /api/auth0/token HTTP/1.1\r\nHost: a\r\nCookie: caudal_session=x\r\nContent-Length: 0\r\n\
          Connection: close\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        &long,
    ];
    for _ in 0..ROUNDS {
        for bytes in garbage {
            throw(node.address(), bytes);
        }
    }
    let client = node.client("default");
    client.login(support::MANAGER, support::PASSWORD);
    let loud: Vec<String> = node
        .log()
        .into_iter()
        .filter(|line| line.contains("\"ERROR\"") || line.contains("\"WARN\""))
        .collect();
    assert!(
        loud.is_empty(),
        "{} lines, such as {:#?}",
        loud.len(),
        &loud[..loud.len().min(5)]
    );
    let metrics = client.send(Call::new("GET", "root:/metrics"));
    let metrics = String::from_utf8(metrics.bytes).unwrap();
    let counted = metrics
        .lines()
        .find_map(|line| line.strip_prefix("caudal_http_connections_given_up "));
    assert!(
        counted.is_some_and(|count| count.parse::<usize>().unwrap() >= ROUNDS),
        "{counted:?}"
    );
}

#[test]
fn the_log_says_who_asked_logged_in_and_was_refused_by_ids_alone() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), "default");
    let node = Process::serve_with(database.node_url(), folder.path(), "info", &[]);
    let client = node.client("default");
    let business = Business::set_up(client.clone());
    let guess = json!({"email": support::MANAGER, "password": "Wrong#2026"});
    assert_eq!(client.send(Call::new("POST", "/auth0/login").json(&guess)).status, 401);
    let refused = client.send(Call::new("GET", "/users").token(&business.agency_token));
    assert_eq!(refused.status, 403);
    let id = business.agency.as_str();
    let told: [&[&str]; 3] = [
        &["logged in", id, "password", "default"],
        &["a login was refused", "password", "default"],
        &["answered", "/api/users", "403", id, "default"],
    ];
    let patience = Instant::now() + Duration::from_secs(10);
    for parts in told {
        while !node
            .log()
            .iter()
            .any(|line| parts.iter().all(|part| line.contains(part)))
        {
            assert!(Instant::now() < patience, "no line with {parts:?} in {:#?}", node.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let named: Vec<String> = node
        .log()
        .into_iter()
        .filter(|line| line.contains("@example"))
        .collect();
    assert_eq!(named, Vec::<String>::new());
}

/// At least the size of the pool of a test's node.
const POOLED_CONNECTIONS: usize = 20;

/// Runs statements as the owner of the database, then ends the nodes' connections.
fn as_owner(url: &str, statements: &[&str]) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut owner = PgConnection::connect(url).await.unwrap();
        let name: String = sqlx::query_scalar("SELECT current_database()")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        // Sent separately: one multi-statement query would be one transaction.
        for statement in statements {
            let statement = statement.replace("THIS", &format!("\"{name}\""));
            owner.execute(statement.as_str()).await.unwrap();
        }
        owner
            .execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND backend_type = 'client backend'",
            )
            .await
            .unwrap();
    });
}

#[test]
fn a_node_with_a_read_only_database_is_not_ready_until_writes_succeed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let ready = || client.send(Call::new("GET", "root:/readyz"));
    let states = |status: u16, writes: &str| {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let answer = ready();
            if answer.status == status && answer.body["writes"] == writes {
                return;
            }
            assert!(Instant::now() < deadline, "{} {}", answer.status, answer.body);
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    states(200, "ok");
    as_owner(
        server.database_url(),
        &["ALTER DATABASE THIS SET default_transaction_read_only TO on"],
    );
    states(503, "read only");
    let deposit = json!({"currency": "CUP", "amount": "1"});
    // The first writes may each get a pooled connection that was just ended, before anything is written.
    for _ in 0..POOLED_CONNECTIONS {
        let call = Call::new("POST", "/sources/deposit/manager").token(&business.manager);
        assert_eq!(client.send(call.json(&deposit)).status, 503);
    }
    as_owner(
        server.database_url(),
        &[
            "SET default_transaction_read_only TO off",
            "ALTER DATABASE THIS RESET default_transaction_read_only",
        ],
    );
    // A failure counts until a write succeeds.
    states(503, "failed");
    business.as_manager(201, "POST", "/sources/deposit/manager", deposit);
    states(200, "ok");
}

#[test]
fn a_node_whose_writes_fail_is_not_ready_until_a_trial_write_succeeds() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let ready = || business.client.send(Call::new("GET", "root:/readyz"));
    let owner = |statements: &str| {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let mut owner = PgConnection::connect(server.database_url()).await.unwrap();
            owner.execute(statements).await.unwrap();
        });
    };
    // Reads and small questions succeed, as on a full disk.
    owner(
        "CREATE FUNCTION public.no_space() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER no_space BEFORE INSERT ON journal.events EXECUTE FUNCTION public.no_space();
         CREATE TRIGGER no_space BEFORE INSERT ON journal.attempts EXECUTE FUNCTION public.no_space()",
    );
    let call = Call::new("POST", "/sources/deposit/manager").token(&business.manager);
    let refused = business
        .client
        .send(call.json(&json!({"currency": "CUP", "amount": "1"})));
    assert_eq!(refused.status, 503, "{}", refused.body);
    // Longer than the interval of trials, without traffic.
    let until = Instant::now() + Duration::from_secs(17);
    while Instant::now() < until {
        let answer = ready();
        assert_eq!(
            (answer.status, &answer.body["writes"]),
            (503, &json!("failed")),
            "{}",
            answer.body
        );
        std::thread::sleep(Duration::from_millis(500));
    }
    owner("DROP FUNCTION public.no_space CASCADE");
    let deadline = Instant::now() + Duration::from_secs(30);
    while ready().status != 200 {
        assert!(Instant::now() < deadline, "{}", ready().body);
        std::thread::sleep(Duration::from_millis(500));
    }
    owner("DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM journal.attempts WHERE cardinality(under_way) > 9); END $$");
}
