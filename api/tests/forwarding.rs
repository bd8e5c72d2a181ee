//! Two `caudal serve` processes behind a balancer that does not route by tenant: one node writes for the tenant, the
//! other forwards.

use crate::support::{Answer, Business, Call, Client, Process, create_tenant};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::Connection as _;
use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

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
    folder: tempfile::TempDir,
}

/// What becomes of a connection between nodes.
#[derive(Clone, Copy)]
enum Way {
    To(SocketAddr),
    /// Requests are kept back, and have no answer.
    KeptBack,
    /// The connection is closed once the request was read.
    Cut,
}

/// The address by which other nodes reach the writer.
#[derive(Clone)]
struct Relay {
    address: SocketAddr,
    way: Arc<Mutex<Way>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    kept: Arc<Mutex<Vec<u8>>>,
}

impl Relay {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Self {
            address: listener.local_addr().unwrap(),
            way: Arc::new(Mutex::new(Way::Cut)),
            open: Arc::default(),
            kept: Arc::default(),
        };
        let accepting = relay.clone();
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let relay = accepting.clone();
                thread::spawn(move || relay.pass(socket));
            }
        });
        relay
    }

    /// Chooses the way of new connections, and closes the others.
    fn lead(&self, way: Way) {
        *self.way.lock().unwrap() = way;
        for socket in self.open.lock().unwrap().drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    fn pass(&self, mut socket: TcpStream) {
        let way = *self.way.lock().unwrap();
        self.open.lock().unwrap().push(socket.try_clone().unwrap());
        match way {
            Way::To(node) => {
                let Ok(node) = TcpStream::connect(node) else { return };
                self.open.lock().unwrap().push(node.try_clone().unwrap());
                let (mut from, mut to) = (socket.try_clone().unwrap(), node.try_clone().unwrap());
                let there = thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Both);
                });
                let _ = std::io::copy(&mut &node, &mut socket);
                let _ = socket.shutdown(Shutdown::Both);
                let _ = there.join();
            }
            Way::KeptBack => {
                let mut bytes = [0; 4_096];
                while let Ok(count @ 1..) = socket.read(&mut bytes) {
                    self.kept.lock().unwrap().extend_from_slice(&bytes[..count]);
                }
            }
            Way::Cut => {
                let _ = socket.read(&mut [0; 65_536]);
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Pair {
    fn start() -> Self {
        Self::reached_by("http://127.0.0.1:0")
    }

    /// Two nodes, the first of which others reach by a relay.
    fn relayed() -> (Self, Relay) {
        let relay = Relay::start();
        let pair = Self::reached_by(&format!("http://{}", relay.address));
        relay.lead(Way::To(pair.writer.address().parse().unwrap()));
        (pair, relay)
    }

    fn reached_by(address: &str) -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let database = runtime.block_on(TestDatabase::new());
        let folder = tempfile::tempdir().unwrap();
        create_tenant(database.url(), folder.path(), TENANT);
        let node = |address: &str| {
            let arguments = ["--node-address", address];
            Process::serve_with(database.url(), folder.path(), "warn", &arguments)
        };
        let writer = node(address);
        let business = Business::set_up(writer.client(TENANT));
        business.fund("100000.00");
        // The set-up sends no idempotency keys: the first command that could be forwarded takes the lease.
        let taken = deposit(&writer.client(TENANT), &business.manager, "first");
        assert_eq!(taken.status, 201, "{}", taken.body);
        Self {
            writer,
            other: node("http://127.0.0.1:0"),
            business,
            database,
            runtime,
            folder,
        }
    }

    /// One more node.
    fn third(&self) -> Process {
        let arguments = ["--node-address", "http://127.0.0.1:0"];
        Process::serve_with(self.database.url(), self.folder.path(), "warn", &arguments)
    }

    /// Sells at the other node what the agency's balance does not allow, until it is funded.
    fn sale_beyond_the_balance(&self, key: &str) -> Answer {
        let token = &self.business.agency_token;
        let call = Call::new("POST", "/remittances").token(token).key(key);
        let sale = self.business.sale("9000");
        self.other.client(TENANT).send(call.json(&sale))
    }

    /// Allows the [sale](Self::sale_beyond_the_balance), at the other node.
    fn fund_the_sale(&self) {
        let path = format!("/sources/deposit/agency/{}", self.business.agency);
        let body = json!({"paymentGroupId": self.business.cup, "amount": "9000000.00"});
        let call = Call::new("POST", &path).token(&self.business.manager).json(&body);
        let funded = self.other.client(TENANT).send(call);
        assert_eq!(funded.status, 201, "{}", funded.body);
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
    assert_eq!(pair.deposits(), 22, "those before and after, once each");
}

#[test]
fn a_node_that_is_killed_under_load_is_replaced_within_two_seconds() {
    let pair = Pair::start();
    let (ended, killed) = (AtomicBool::new(false), Mutex::new(None));
    let answers = thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|client| {
                let (pair, ended) = (&pair, &ended);
                scope.spawn(move || {
                    let mut answers = Vec::new();
                    while !ended.load(Ordering::Relaxed) {
                        let asked = Instant::now();
                        let done = pair.deposit(&format!("{client}-{}", answers.len()));
                        assert_eq!(done.status, 201, "{}", done.body);
                        answers.push((asked, Instant::now()));
                    }
                    answers
                })
            })
            .collect();
        thread::sleep(Duration::from_secs(2));
        pair.writer.signal("KILL");
        *killed.lock().unwrap() = Some(Instant::now());
        thread::sleep(Duration::from_secs(4));
        ended.store(true, Ordering::Relaxed);
        let answers = clients.into_iter().flat_map(|client| client.join().unwrap());
        answers.collect::<Vec<_>>()
    });
    let killed = killed.lock().unwrap().unwrap();
    let longest = |is_counted: &dyn Fn(&(Instant, Instant)) -> bool| {
        let waits = answers.iter().filter(|answer| is_counted(answer));
        waits
            .map(|(asked, answered)| *answered - *asked)
            .max()
            .unwrap_or_default()
    };
    // A machine with other work makes every command slow.
    let before = longest(&|(_, answered)| *answered < killed);
    let pause = longest(&|(_, answered)| *answered >= killed);
    println!(
        "longest command before the kill {before:?}, after it {pause:?}; {} commands",
        answers.len()
    );
    assert!(pause < PAUSE + before, "{pause:?}");
    assert!(pair.forwarded().0 > 0, "commands were forwarded before");
    assert_eq!(pair.deposits(), i64::try_from(answers.len()).unwrap() + 1, "each once");
}

#[test]
fn a_refusal_after_an_unanswered_forward_is_answered_as_an_unknown_outcome() {
    let (pair, relay) = Pair::relayed();
    relay.lead(Way::Cut);
    let open = pair.sale_beyond_the_balance("sale");
    assert_eq!((open.status, open.code()), (503, "outcome_unknown"), "{}", open.body);
    assert!(!open.header("Retry-After").is_empty());
    assert_eq!(pair.forwarded(), (0, 1));
    let repeated = pair.sale_beyond_the_balance("sale");
    assert_eq!((repeated.status, repeated.code()), (409, "balance_insufficient"));
    let done = pair.deposit("allowed");
    assert_eq!(done.status, 201, "what is done is done, and its outcome is known");
}

#[test]
fn a_silent_network_between_nodes_delays_a_command_by_no_more_than_the_timeout() {
    let (pair, relay) = Pair::relayed();
    relay.lead(Way::KeptBack);
    let asked = Instant::now();
    let done = pair.deposit("kept-back");
    let took = asked.elapsed();
    assert_eq!(done.status, 201, "{}", done.body);
    println!("a command over a silent network was done after {took:?}");
    // Five seconds; without a timeout the node would wait for as long as the other one has the lease.
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert_eq!(pair.deposits(), 2);
}

#[test]
fn a_node_that_has_lost_the_lease_answers_421_to_a_forwarded_command_and_runs_nothing() {
    let (pair, relay) = Pair::relayed();
    relay.lead(Way::KeptBack);
    pair.writer.signal("STOP");
    let open = pair.sale_beyond_the_balance("sale");
    assert_eq!((open.status, open.code()), (503, "outcome_unknown"), "{}", open.body);
    pair.writer.signal("CONT");
    pair.fund_the_sale();

    let mut late = TcpStream::connect(pair.writer.address()).unwrap();
    late.write_all(&relay.kept.lock().unwrap()).unwrap();
    late.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    late.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 421 "), "{answer}");

    let sold = pair.sale_beyond_the_balance("sale");
    assert_eq!(sold.status, 201, "{}", sold.body);
    assert_eq!(sold.header("Idempotency-Replayed"), "", "it was not sold before");
}

#[test]
fn a_command_forwarded_to_a_node_without_the_lease_is_decided_where_it_arrived() {
    let (pair, relay) = Pair::relayed();
    let third = pair.third();
    relay.lead(Way::To(third.address().parse().unwrap()));
    let refused = pair.sale_beyond_the_balance("sale");
    assert_eq!(
        (refused.status, refused.code()),
        (409, "balance_insufficient"),
        "the refusal is final"
    );
    assert_eq!(pair.forwarded(), (0, 1));
    assert_eq!(pair.deposit("here").status, 201);
    assert_eq!(pair.deposits(), 2);
}

#[test]
fn a_node_that_stands_still_loses_its_lease_and_what_it_got_is_done_once() {
    let pair = Pair::start();
    pair.writer.signal("STOP");
    let asked = Instant::now();
    let done = pair.deposit("while-it-stands-still");
    let took = asked.elapsed();
    assert_eq!(done.status, 201, "{}", done.body);
    println!("a command to a node that stands still was done elsewhere after {took:?}");
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
