//! Two `caudal serve` processes behind a balancer that does not route by tenant: one node writes for the tenant, the
//! other forwards.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::Connection as _;
use std::time::{Duration, Instant};
use support::{Answer, Business, Call, Client, Process, create_tenant};

const TENANT: &str = "shared";

/// Maximum interruption of a tenant's writes by the loss of a node.
const PAUSE: Duration = Duration::from_secs(2);

/// Two nodes; the first one holds the tenant's lease.
struct Pair {
    writer: Process,
    other: Process,
    business: Business,
    database: TestDatabase,
    runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl Pair {
    fn start() -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let database = runtime.block_on(TestDatabase::new());
        let folder = tempfile::tempdir().unwrap();
        create_tenant(database.url(), folder.path(), TENANT);
        let node = || {
            let arguments = ["--node-address", "http://127.0.0.1:0"];
            Process::serve_with(database.url(), folder.path(), "warn", &arguments)
        };
        let writer = node();
        let business = Business::set_up(writer.client(TENANT));
        business.fund("100000.00");
        // The set-up sends no idempotency keys: the first command that could be forwarded takes the lease.
        let taken = deposit(&writer.client(TENANT), &business.manager, "first");
        assert_eq!(taken.status, 201, "{}", taken.body);
        Self {
            writer,
            other: node(),
            business,
            database,
            runtime,
            _folder: folder,
        }
    }

    fn deposit(&self, key: &str) -> Answer {
        deposit(&self.other.client(TENANT), &self.business.manager, key)
    }

    /// Commands that the other node forwarded, with and without an answer.
    fn forwarded(&self) -> (u64, u64) {
        let metrics = ureq::get(format!("http://{}/metrics", self.other.address()));
        let text = metrics.call().unwrap().body_mut().read_to_string().unwrap();
        let count = |outcome: &str| {
            let name = format!("caudal_commands_forwarded{{outcome=\"{outcome}\"}} ");
            let line = text.lines().find_map(|line| line.strip_prefix(name.as_str()));
            line.map_or(0, |count| count.parse().unwrap())
        };
        (count("answered"), count("unanswered"))
    }

    /// Number of deposits of one CUP in the log.
    fn deposits(&self) -> i64 {
        self.runtime.block_on(async {
            let mut owner = self.owner(TENANT).await;
            sqlx::query_scalar("SELECT count(*) FROM read.movements WHERE tenant = $1 AND amount = 100")
                .bind(TENANT)
                .fetch_one(&mut owner)
                .await
                .unwrap()
        })
    }

    /// Number of valid leases.
    fn leases(&self) -> i64 {
        self.runtime.block_on(async {
            let leases = "SELECT count(*) FROM journal.writer_leases WHERE until > clock_timestamp()";
            let mut owner = self.owner("*").await;
            sqlx::query_scalar(leases).fetch_one(&mut owner).await.unwrap()
        })
    }

    fn execute(&self, statement: &str) {
        self.runtime.block_on(async {
            let done = sqlx::query(statement).execute(&mut self.owner("*").await).await;
            assert!(done.unwrap().rows_affected() > 0, "{statement}");
        });
    }

    /// A connection of the database's owner that sees the rows of a tenant.
    async fn owner(&self, tenant: &str) -> sqlx::PgConnection {
        let mut owner = sqlx::PgConnection::connect(self.database.url()).await.unwrap();
        sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
            .bind(tenant)
            .execute(&mut owner)
            .await
            .unwrap();
        owner
    }
}

fn deposit(node: &Client, token: &str, key: &str) -> Answer {
    let call = Call::new("POST", "/sources/deposit/manager").token(token).key(key);
    node.send(call.json(&json!({"currency": "CUP", "amount": "1.00"})))
}

#[test]
fn a_command_is_forwarded_to_the_tenants_writer_and_gets_its_answer() {
    let pair = Pair::start();
    let (business, other) = (&pair.business, pair.other.client(TENANT));
    let sale = |key: &str, amount: &str| {
        let call = Call::new("POST", "/remittances").token(&business.agency_token).key(key);
        other.send(call.header("Accept-Language", "es").json(&business.sale(amount)))
    };
    let sold = sale("sale", "100");
    assert_eq!(sold.status, 201, "{}", sold.body);
    assert_eq!(pair.forwarded(), (1, 0));
    assert!(!sold.header("X-Ledger-Position").is_empty());
    assert!(
        sold.header("X-Caudal-Node").is_empty(),
        "clients are told nothing of nodes"
    );

    let again = sale("sale", "100");
    assert_eq!((again.status, &again.body), (201, &sold.body));
    assert_eq!(again.header("Idempotency-Replayed"), "true");

    let refused = sale("too-much", "9000000");
    assert_eq!((refused.status, refused.code()), (409, "balance_insufficient"));
    assert_eq!(refused.header("Content-Type"), "application/problem+json");
    assert_eq!(refused.header("Content-Language"), "es");

    let not_allowed = Call::new("POST", "/sources/deposit/manager").token(&business.agency_token);
    let not_allowed = other.send(
        not_allowed
            .key("role")
            .json(&json!({"currency": "CUP", "amount": "1.00"})),
    );
    assert_eq!((not_allowed.status, not_allowed.code()), (403, "role_not_allowed"));
    assert_eq!(pair.forwarded(), (4, 0));
}

#[test]
fn previews_and_commands_without_a_key_run_where_they_arrive() {
    let pair = Pair::start();
    let other = pair.other.client(TENANT);
    let body = json!({"currency": "CUP", "amount": "1.00"});
    let call = |path: &str| Call::new("POST", path).token(&pair.business.manager);
    let preview = other.send(call("/sources/deposit/manager?preview=true").key("p").json(&body));
    assert_eq!(preview.status, 200, "{}", preview.body);
    let without_key = other.send(call("/sources/deposit/manager").json(&body));
    assert_eq!(without_key.status, 201, "{}", without_key.body);
    assert_eq!(pair.forwarded(), (0, 0));
}

#[test]
fn a_killed_node_interrupts_writes_for_at_most_two_seconds() {
    let pair = Pair::start();
    assert_eq!(pair.deposit("before").status, 201);
    pair.writer.signal("KILL");
    for number in 0..20 {
        let asked = Instant::now();
        let done = pair.deposit(&format!("after-{number}"));
        assert_eq!(done.status, 201, "{}", done.body);
        assert!(asked.elapsed() < PAUSE, "{:?}", asked.elapsed());
    }
    assert_eq!(pair.forwarded().0, 1);
    assert_eq!(pair.deposits(), 22, "those of before and after, once each");
}

#[test]
fn a_suspended_node_loses_its_lease_and_its_forwarded_commands_take_effect_once() {
    let pair = Pair::start();
    pair.writer.signal("STOP");
    let asked = Instant::now();
    let done = pair.deposit("while-it-stands-still");
    let took = asked.elapsed();
    assert_eq!(done.status, 201, "{}", done.body);
    assert!(took < PAUSE + Duration::from_secs(1), "{took:?}");
    assert!(pair.forwarded().1 > 0, "the node was asked first");
    pair.writer.signal("CONT");
    // The resumed node reads the forwarded command from its socket, with the same key.
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(pair.deposits(), 2, "the first one and this one");
    let again = pair.deposit("while-it-stands-still");
    assert_eq!((again.status, again.header("Idempotency-Replayed")), (201, "true"));
    assert_eq!(again.body, done.body);
}

#[test]
fn commands_are_not_forwarded_to_an_injected_address() {
    let pair = Pair::start();
    let thief = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = thief.local_addr().unwrap();
    pair.execute(&format!(
        "UPDATE journal.writer_leases SET address = 'http://{address}'"
    ));
    // The other node has read the row after this time.
    std::thread::sleep(PAUSE);
    let done = pair.deposit("to-nobody");
    assert_eq!(done.status, 201, "{}", done.body);
    assert_eq!(pair.forwarded(), (0, 0));
    thief.set_nonblocking(true).unwrap();
    assert!(thief.accept().is_err(), "nobody connected");
}

#[test]
fn a_node_releases_its_leases_at_shutdown() {
    let mut pair = Pair::start();
    assert_eq!(pair.deposit("before").status, 201);
    assert_eq!(pair.leases(), 1);
    pair.writer.terminate();
    assert!(pair.writer.ended_well_within(Duration::from_secs(30)));
    assert_eq!(pair.leases(), 0);
    // The other node reads the leases twice a second, so it may still forward.
    let asked = Instant::now();
    let done = pair.deposit("after");
    assert_eq!(done.status, 201, "{}", done.body);
    assert!(asked.elapsed() < PAUSE, "{:?}", asked.elapsed());
    assert_eq!(pair.deposits(), 3);
}
