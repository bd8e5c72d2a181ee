//! A database that loses events under two real nodes, over HTTP and at the operator's shell.

use crate::{
    support::{
        Answer, Business, Call, Client, Process, Receiver, Reply, create_tenant, feed_answer, run, text, whole_feed,
    },
    webhooks::{feed_ids, first_ids, until as until_so},
};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

const TENANT: &str = "shared";

/// Time within which a node reports a quarantine or its end. Nodes poll three times a second; the rest is slack for a
/// busy machine.
const NOTICED_WITHIN: Duration = Duration::from_secs(5);

fn deposit(node: &Client, business: &Business, amount: &str) -> Answer {
    let body = json!({"currency": "CUP", "amount": amount});
    node.send(
        Call::new("POST", "/sources/deposit/manager")
            .token(&business.manager)
            .json(&body),
    )
}

fn is_marked(node: &Client, business: &Business) -> bool {
    let answer = node.send(Call::new("GET", "/sources/movements").token(&business.manager));
    assert_eq!(answer.status, 200, "reads go on: {}", answer.body);
    answer.header("X-Log-State") == "diverged"
}

fn until(node: &Client, business: &Business, marked: bool) {
    let deadline = Instant::now() + NOTICED_WITHIN;
    while is_marked(node, business) != marked {
        assert!(Instant::now() < deadline, "marked = {marked} in time");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Removes the last events, as after the promotion of a lagging standby.
fn take_back(url: &str, events: i64) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut owner = PgConnection::connect(url).await.unwrap();
        let statements = format!(
            "SELECT set_config('caudal.tenant', '{TENANT}', false);
             BEGIN;
             LOCK TABLE journal.heads IN ACCESS EXCLUSIVE MODE;
             LOCK TABLE read.checkpoints IN ACCESS EXCLUSIVE MODE;
             DELETE FROM journal.events AS e USING journal.heads AS h WHERE e.position > h.position - {events};
             DELETE FROM journal.receipts AS r USING journal.heads AS h WHERE r.position > h.position - {events};
             UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
               FROM journal.events AS e WHERE e.position = h.position - {events};
             COMMIT"
        );
        owner.execute(statements.as_str()).await.unwrap();
    });
}

/// A new data folder with the same keys.
fn folder_like(original: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let status = std::process::Command::new("cp")
        .arg("-a")
        .arg(original.join("keys"))
        .arg(folder.path())
        .status();
    assert!(status.unwrap().success());
    folder
}

#[test]
fn a_log_that_lost_events_is_refused_and_reported_until_the_operator_decides() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let url = database.url();
    let folder = tempfile::tempdir().unwrap();
    create_tenant(url, folder.path(), TENANT);
    let other_folder = folder_like(folder.path());
    let folders = [folder.path(), other_folder.path()];
    let mut nodes = folders.map(|folder| Process::serve(url, folder));
    let clients = [nodes[0].client(TENANT), nodes[1].client(TENANT)];
    let business = Business::set_up(nodes[0].client(TENANT));
    let mut numbers = Vec::new();
    for node in [&clients[0], &clients[1], &clients[0]] {
        let answer = deposit(node, &business, "1000.00");
        assert_eq!(answer.status, 201, "{}", answer.body);
        numbers.push(text(&answer.body["number"]));
    }
    for client in &clients {
        assert!(!is_marked(client, &business));
    }
    take_back(url, 2);
    for client in &clients {
        until(client, &business, true);
        let refused = deposit(client, &business, "1.00");
        assert_eq!(
            (refused.status, refused.code()),
            (503, "log_diverged"),
            "{}",
            refused.body
        );
        // A missing record may be one of the lost ones: the answer is 503, not 404.
        let body = json!({"currency": "CUP", "amount": "1.00"});
        let nobody = Call::new("POST", "/sources/deposit/00000000-0000-4000-8000-000000000001");
        let refused = client.send(nobody.token(&business.manager).json(&body));
        assert_eq!(
            (refused.status, refused.code()),
            (503, "log_diverged"),
            "{}",
            refused.body
        );
        // A lost position is not waited for.
        let seen = Call::new("GET", "/sources/movements").header("X-Min-Ledger-Position", "1000000");
        let read = client.send(seen.token(&business.manager));
        assert_eq!(
            (read.status, read.header("X-Log-State")),
            (200, "diverged"),
            "{}",
            read.body
        );
        let feed = feed_answer(client, &business.manager, "?limit=500");
        assert_eq!(
            (feed.status, feed.header("X-Log-State")),
            (200, "diverged"),
            "{}",
            feed.body
        );
        let end: i64 = feed.header("X-Feed-Next").parse().unwrap();
        let beyond = feed_answer(client, &business.manager, &format!("?after={}", end + 1));
        assert_eq!((beyond.status, beyond.code()), (409, "feed_position_unknown"));
        let ready = client.send(Call::new("GET", "root:/readyz"));
        assert_eq!(ready.status, 200, "the node reads: {}", ready.body);
        assert_eq!(ready.body["quarantined"], json!([TENANT]));
        let told = client.expect(200, &business.manager, "GET", "/audit/quarantine", None);
        assert_eq!(told["active"], true);
        let from = told["losses"]["lostFrom"].as_i64().unwrap();
        assert_eq!(told["losses"]["lostTo"].as_i64().unwrap(), from + 1, "{told}");
    }
    // The quarantine survives restarts of the nodes.
    nodes = folders.map(|folder| {
        let node = Process::serve(url, folder);
        assert_eq!(deposit(&node.client(TENANT), &business, "1.00").code(), "log_diverged");
        node
    });

    let (shown, said) = run(url, folder.path(), &["quarantine", "show", TENANT]);
    assert!(shown, "{said}");
    for number in &numbers[1..] {
        assert!(said.contains(number.as_str()), "{number} had been given out: {said}");
    }
    let end = ["quarantine", "end", TENANT, "--reason", "the standby lagged"];
    let (ended, said) = run(url, folder.path(), &end);
    assert!(!ended && said.contains("--accept-loss"), "{said}");
    let accepted = [&end[..], &["--accept-loss"]].concat();
    let (ended, said) = run(url, folder.path(), &accepted);
    assert!(ended, "{said}");

    for node in &nodes {
        let client = node.client(TENANT);
        until(&client, &business, false);
        let answer = deposit(&client, &business, "1.00");
        assert_eq!(answer.status, 201, "{}", answer.body);
        let number = text(&answer.body["number"]);
        assert!(!numbers.contains(&number), "{number} was given out twice");
        numbers.push(number);
        let told = client.expect(200, &business.manager, "GET", "/audit/quarantine", None);
        assert_eq!(
            (&told["active"], &told["ended"][0]["reason"]),
            (&json!(false), &json!("the standby lagged"))
        );
    }
    let (whole, said) = run(url, folder.path(), &["verify", TENANT]);
    assert!(whole, "{said}");
}

#[test]
fn nothing_is_sent_again_to_an_endpoint_while_the_log_is_in_question() {
    let database = tokio::runtime::Runtime::new().unwrap().block_on(TestDatabase::new());
    let (url, folder) = (database.url(), tempfile::tempdir().unwrap());
    create_tenant(url, folder.path(), TENANT);
    let node = Process::serve_with(url, folder.path(), "warn", &["--webhook-networks", "127.0.0.1/32"]);
    let client = node.client(TENANT);
    let business = Business::set_up(client.clone());
    let receiver = Receiver::start(Reply::Accept);
    let hook = json!({"name": "Shop", "url": receiver.url(), "types": ["caudal.movement.posted.v1"], "after": 0});
    let id = text(&business.as_manager(201, "POST", "/webhooks", hook)["webhook"]["id"]);
    assert_eq!(deposit(&client, &business, "1.00").status, 201);
    assert_eq!(deposit(&client, &business, "2.00").status, 201);
    receiver.wait_for(2);
    let deadline = Instant::now() + NOTICED_WITHIN;
    let first = loop {
        let path = format!("/webhooks/{id}/deliveries");
        let told = client.expect(200, &business.manager, "GET", &path, None)["results"].clone();
        if let [_, first] = told.as_array().unwrap().as_slice() {
            break first["position"].clone();
        }
        assert!(Instant::now() < deadline, "{told}");
        thread::sleep(Duration::from_millis(20));
    };
    let send = || {
        let call = Call::new("POST", &format!("/webhooks/{id}/deliveries/{first}/send")).token(&business.manager);
        client.send(call.json(&json!({})))
    };
    assert_eq!(send().status, 200);
    take_back(url, 1);
    until(&client, &business, true);
    let refused = send();
    assert_eq!(
        (refused.status, refused.code()),
        (503, "log_diverged"),
        "{}",
        refused.body
    );
    assert_eq!(receiver.count(), 3);
}

/// Nothing of the database but the log is taken back: the endpoint's position is beyond the log's end.
#[test]
fn deliveries_go_on_where_both_histories_agree_and_tell_of_the_decision_and_the_feed_refuses_the_lost_position() {
    let database = tokio::runtime::Runtime::new().unwrap().block_on(TestDatabase::new());
    let (url, folder) = (database.url(), tempfile::tempdir().unwrap());
    create_tenant(url, folder.path(), TENANT);
    let node = Process::serve_with(url, folder.path(), "warn", &["--webhook-networks", "127.0.0.1/32"]);
    let client = node.client(TENANT);
    let business = Business::set_up(client.clone());
    let receiver = Receiver::start(Reply::Accept);
    let hook = json!({"name": "Shop", "url": receiver.url(), "after": 0});
    let id = text(&business.as_manager(201, "POST", "/webhooks", hook)["webhook"]["id"]);
    for amount in ["1.00", "2.00", "3.00"] {
        assert_eq!(deposit(&client, &business, amount).status, 201);
    }
    let before = feed_ids(&whole_feed(&client, &business.manager, 500));
    until_so("all is delivered", || first_ids(&receiver.received()) == before);
    let read = feed_answer(&client, &business.manager, "?limit=500");
    let place = format!(
        "?after={}&hash={}",
        read.header("X-Feed-Next"),
        read.header("X-Feed-Hash")
    );

    take_back(url, 2);
    until(&client, &business, true);
    let end = ["quarantine", "end", TENANT, "--accept-loss", "--reason", "cut"];
    let (ended, said) = run(url, folder.path(), &end);
    assert!(ended, "{said}");
    until(&client, &business, false);
    for amount in ["4.00", "5.00"] {
        assert_eq!(deposit(&client, &business, amount).status, 201);
    }
    let after = whole_feed(&client, &business.manager, 500);
    let decided = after
        .iter()
        .position(|event| event["type"] == "caudal.log.history_accepted.v1")
        .unwrap();
    let after = feed_ids(&after);
    until_so("the new history is delivered", || {
        receiver.last_id().as_ref() == after.last()
    });
    let told = first_ids(&receiver.received());
    let new: Vec<_> = after.iter().filter(|id| !before.contains(id)).collect();
    assert_eq!(new[0], &after[decided]);
    assert_eq!(told[before.len()..].iter().collect::<Vec<_>>(), new, "each, in order");
    let path = format!("/webhooks/{id}/deliveries");
    let shown = client.expect(200, &business.manager, "GET", &path, None)["results"].clone();
    for delivery in shown.as_array().unwrap() {
        assert!(after.contains(&text(&delivery["eventId"])), "{delivery}");
    }
    let refused = feed_answer(&client, &business.manager, &place);
    assert_eq!((refused.status, refused.code()), (409, "feed_history_changed"));
}

#[test]
fn no_dossier_is_signed_while_the_log_is_in_quarantine() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let url = database.url();
    let folder = tempfile::tempdir().unwrap();
    create_tenant(url, folder.path(), TENANT);
    let node = Process::serve(url, folder.path());
    let client = node.client(TENANT);
    let business = Business::set_up(node.client(TENANT));
    let path = format!("/customer/{}/dossiers", business.sender);
    let exported = client.expect(201, &business.manager, "POST", &path, None);
    let path = format!("{path}/{}", exported["position"]);
    client.expect(200, &business.manager, "GET", &path, None);
    for _ in 0..2 {
        assert_eq!(deposit(&client, &business, "1000.00").status, 201);
    }
    take_back(url, 1);
    until(&client, &business, true);
    let refused = client.send(Call::new("GET", &path).token(&business.manager));
    assert_eq!(
        (refused.status, refused.code()),
        (503, "log_diverged"),
        "{}",
        refused.body
    );
    drop(node);
}
