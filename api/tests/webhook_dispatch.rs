//! Dispatch of webhooks by several real nodes: each delivery made by one at a time, nothing left out by kills, and a backlog
//! that drains.

use crate::{
    support::{Business, Call, PASSWORD, Process, Received, Receiver, Reply, create_tenant, text, whole_feed},
    webhooks::{add, feed_ids, first_ids, ids, sell, until},
};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use std::{
    collections::BTreeMap,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// Kills of the harness; the full form is `CAUDAL_WEBHOOK_KILLS=200`.
const KILLS: usize = 10;
/// Maximum time of a delivery that waits, on a machine that does other things too.
const EACH: Duration = Duration::from_millis(250);
/// Events that wait in the measurement; the full form is `CAUDAL_WEBHOOK_WAITING=10000`.
const WAITING: usize = 100;

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |number| number.parse().unwrap())
}

/// A database with the tenant `acme`, whose nodes reach loopback.
struct Nodes {
    database: TestDatabase,
    folder: tempfile::TempDir,
}

impl Nodes {
    fn new() -> Self {
        let database = tokio::runtime::Runtime::new().unwrap().block_on(TestDatabase::new());
        let folder = tempfile::tempdir().unwrap();
        create_tenant(database.url(), folder.path(), "acme");
        Self { database, folder }
    }

    fn start(&self) -> Process {
        let arguments = [
            "--webhook-networks",
            "127.0.0.1/32",
            "--operations-listen",
            "127.0.0.1:0",
        ];
        Process::serve_with(self.database.url(), self.folder.path(), "warn", &arguments)
    }
}

/// Accepted deliveries of a node since its start.
fn delivered(node: &Process) -> u64 {
    let metrics = node.operations().send(Call::new("GET", "root:/metrics")).bytes;
    let metrics = String::from_utf8(metrics).unwrap();
    let line = metrics
        .lines()
        .find(|line| line.starts_with("caudal_webhook_deliveries_total{") && line.contains("accepted"));
    let count = line.map_or("0", |line| line.rsplit(' ').next().unwrap());
    count.parse().unwrap()
}

/// Checks that the position never goes back but to repeat the last delivery; the number of repetitions.
fn repetitions(received: &[Received]) -> usize {
    let mut repeated = 0;
    let mut last = 0;
    for one in received {
        let position: i64 = text(&one.json()["sequence"]).parse().unwrap();
        assert!(position >= last, "{position} came after {last}");
        repeated += usize::from(position == last);
        last = position;
    }
    repeated
}

#[test]
fn two_nodes_make_each_delivery_once_and_one_at_a_time() {
    const ENDPOINTS: usize = 12;
    let nodes = Nodes::new();
    let pair = [nodes.start(), nodes.start()];
    let business = Business::set_up(pair[0].client("acme"));
    business.fund("900000");
    let receivers: Vec<_> = (0..ENDPOINTS)
        .map(|number| {
            let receiver = Receiver::start(Reply::AcceptAfter(Duration::from_millis(20)));
            // Ten belong to one party at most.
            let party = if number % 2 == 0 {
                &business.agency
            } else {
                &business.dealer
            };
            let token = if number % 2 == 0 {
                &business.agency_token
            } else {
                &business.manager
            };
            let body = json!({"name": "Shop", "url": receiver.url(), "after": 0, "partyId": party});
            business.client.expect(201, token, "POST", "/webhooks", Some(body));
            receiver
        })
        .collect();
    until("both nodes deliver", || {
        sell(&business);
        let sale = Call::new("POST", "/remittances").token(&business.agency_token);
        let sold = pair[1].client("acme").send(sale.json(&business.sale("1")));
        assert_eq!(sold.status, 201, "{}", sold.body);
        pair.iter().all(|node| delivered(node) > 0)
    });
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let feeds = [&business.agency_token, &dealer].map(|token| feed_ids(&whole_feed(&business.client, token, 500)));
    assert!(feeds.iter().all(|feed| !feed.is_empty()));
    for (number, receiver) in receivers.iter().enumerate() {
        let feed = &feeds[number % 2];
        until("all are delivered", || receiver.received().len() >= feed.len());
        assert_eq!(&ids(&receiver.received()), feed, "each once, in order, with its id");
        assert_eq!(receiver.most_at_once(), 1);
    }
}

#[test]
fn kills_of_nodes_leave_nothing_out_and_repeat_one_delivery_at_most() {
    const ENDPOINTS: usize = 5;
    let kills = number("CAUDAL_WEBHOOK_KILLS", KILLS);
    let nodes = Nodes::new();
    let mut pair = [nodes.start(), nodes.start()];
    let mut business = Business::set_up(pair[0].client("acme"));
    business.fund("9000000");
    let receivers: Vec<_> = (0..ENDPOINTS)
        .map(|_| {
            let receiver = Receiver::start(Reply::AcceptAfter(Duration::from_millis(40)));
            add(&business, &receiver.url(), json!({}));
            receiver
        })
        .collect();
    let begun = Instant::now();
    // Kills while a delivery was under way, from either node.
    let mut during = 0;
    let mut dice: u64 = 88_172_645_463_325_252;
    for kill in 0..kills {
        let (victim, survivor) = (kill % 2, 1 - kill % 2);
        if kill % 20 == 0 {
            // The token of a login lives for a quarter of an hour.
            business.agency_token = pair[survivor].client("acme").login("agency@example.test", PASSWORD);
        }
        for _ in 0..8 {
            let sale = Call::new("POST", "/remittances").token(&business.agency_token);
            // While the tenant's writer moves to this node, a sale may be refused.
            pair[survivor].client("acme").send(sale.json(&business.sale("1")));
        }
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        thread::sleep(Duration::from_millis(dice % 700));
        pair[victim].signal("KILL");
        during += usize::from(receivers.iter().any(|receiver| receiver.under_way() > 0));
        pair[victim] = nodes.start();
    }
    let killing = begun.elapsed();
    let client = pair[0].client("acme");
    let token = client.login("agency@example.test", PASSWORD);
    let feed = feed_ids(&whole_feed(&client, &token, 500));
    assert!(feed.len() > kills, "{} events", feed.len());
    let mut repeated = Vec::new();
    for receiver in &receivers {
        // What a killed node held waits for the end of its hold, and the rest for what waits before it.
        let deadline = Instant::now() + Duration::from_secs(60) + EACH * u32::try_from(feed.len()).unwrap();
        while receiver.last_id().as_deref() != feed.last().map(String::as_str) {
            assert!(Instant::now() < deadline, "{} of {}", receiver.count(), feed.len());
            thread::sleep(Duration::from_millis(50));
        }
        let received = receiver.received();
        assert_eq!(first_ids(&received), feed, "each at least once, in order");
        repeated.push(repetitions(&received));
        assert!(
            repeated.iter().all(|repeated| *repeated <= kills),
            "a kill repeats one delivery at most: {repeated:?}"
        );
    }
    report(&format!(
        "{kills} kills in {killing:.0?}, {during} of them during a delivery, {} events to each of {ENDPOINTS} endpoints, repeated {repeated:?}",
        feed.len()
    ));
}

#[test]
fn waiting_deliveries_drain() {
    let waiting = number("CAUDAL_WEBHOOK_WAITING", WAITING);
    let nodes = Nodes::new();
    let sales = (waiting / 2).max(100).to_string();
    let url = nodes.database.url();
    let made = ["generate", "--tenant", "grown", "--days", "30", "--remittances", &sales];
    let (is_made, said) = crate::support::run(url, nodes.folder.path(), &made);
    assert!(is_made, "{said}");
    let node = nodes.start();
    let client = node.client("grown");
    let manager = client.login("manager@caudal.demo", caudal_generators::demo::PASSWORD);
    let receiver = Receiver::start(Reply::Accept);
    let body = json!({"name": "All", "url": receiver.url(), "after": 0});
    let begun = Instant::now();
    client.expect(201, &manager, "POST", "/webhooks", Some(body));
    let deadline = begun + Duration::from_secs(60) + EACH * u32::try_from(waiting).unwrap();
    while receiver.count() < waiting {
        assert!(Instant::now() < deadline, "{} of {waiting}", receiver.count());
        thread::sleep(Duration::from_millis(20));
    }
    let took = begun.elapsed();
    assert_eq!(repetitions(&receiver.received()), 0, "each once, in order");
    report(&format!("{waiting} waiting deliveries in {took:.1?}"));
}

/// Verifies with the official library of PyPI: the bodies with the secret, and that another secret and a changed body are
/// refused.
const VERIFY: &str = "
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
given = json.load(sys.stdin)
for one in given['received']:
    event = Webhook(given['secret']).verify(one['body'], one['headers'])
    assert event['id'] == one['headers']['webhook-id'], event
    for secret, body in (('whsec_' + 'A' * 43 + '=', one['body']), (given['secret'], one['body'] + ' ')):
        try:
            Webhook(secret).verify(body, one['headers'])
        except WebhookVerificationError:
            continue
        raise SystemExit('a wrong signature was accepted')
print(len(given['received']))
";

#[test]
fn the_official_python_library_verifies_deliveries() {
    let nodes = Nodes::new();
    let node = nodes.start();
    let business = Business::set_up(node.client("acme"));
    business.fund("100000");
    let receiver = Receiver::start(Reply::Accept);
    let (_, secret) = add(&business, &receiver.url(), json!({}));
    for _ in 0..3 {
        sell(&business);
    }
    let count = whole_feed(&business.client, &business.agency_token, 500).len();
    let received: Vec<_> = receiver
        .wait_for(count)
        .iter()
        .map(|one| {
            let headers: BTreeMap<_, _> = one
                .headers
                .iter()
                .filter(|(name, _)| name.starts_with("webhook-"))
                .collect();
            json!({"headers": headers, "body": String::from_utf8(one.body.clone()).unwrap()})
        })
        .collect();
    let given = nodes.folder.path().join("received.json");
    std::fs::write(&given, json!({"secret": secret, "received": received}).to_string()).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let verified = Command::new(root.join("scripts/python-with"))
        .args(["standardwebhooks==1.0.1", "-c", VERIFY])
        .stdin(std::fs::File::open(&given).unwrap())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&verified.stdout).trim(), count.to_string());
}

/// Figures of a full run, for docs/webhooks.md.
#[allow(clippy::print_stderr, reason = "shown by --nocapture")]
fn report(figures: &str) {
    eprintln!("{figures}");
}
