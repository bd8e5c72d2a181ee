//! Live streams on a node of its own: thousands of them open, in a dozen tenants, while agencies sell at a fixed rate over
//! HTTP. Each sale is told to the streams of the agency that made it and to those of the tenant's manager.
//!
//! ```sh
//! cargo build --locked --release -p caudal-bench
//! target/release/caudal-bench live --streams 5000 --rate 500 --seconds 60
//! ```
//!
//! Node and readers each need some more open files than there are streams (`ulimit -n`).
//!
//! The time of a delivery is that from the answer to the sale until a stream brings it, and 0 where the stream was first.
//! Readers, sellers, node and PostgreSQL share the machine: a time includes what a reader waits for its turn.

mod streams;

use crate::{
    latency::{Latencies, milliseconds},
    load::{self, Client},
    node::{self, Connection, Login},
    office::{AGENCY, MANAGER, Office},
    process::Serving,
    report::{Report, whole},
    scratch::{Scratch, connect},
};
use caudal_api::{
    auth::passwords::hash_now,
    live::{MAX_STREAMS, MAX_STREAMS_OF_A_PARTY},
};
use caudal_journal::{Journal, Keyring, SystemClock};
use caudal_projections::Projector;
use clap::Args;
use sqlx::PgConnection;
use std::{
    collections::HashMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use streams::{Heard, open};
use tokio::runtime::Runtime;

const PASSWORD: &str = "Caudal#2026";
/// Logins and streams that are opened at a time.
const OPENING: usize = 8;
/// Connections that sell, each for one agency after the other.
const SELLERS: usize = 64;
/// Sales before the ones that are measured.
const WARM_UP: Duration = Duration::from_secs(5);
/// Between two looks at the node.
const LOOK: Duration = Duration::from_millis(250);
/// In which the last sales reach their readers.
const LAST: Duration = Duration::from_secs(3);

/// How live streams are measured.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Streams that are open
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(20..=MAX_STREAMS as i64))]
    streams: u32,
    /// Sales a second, over all tenants
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=5_000))]
    rate: u32,
    /// Tenants that the streams are of
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=200))]
    tenants: u32,
    /// How many seconds sales go on; the server ends streams after some minutes
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=300))]
    seconds: u64,
    /// A file that the table is written to as well
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Measures it.
pub fn run(runtime: &Runtime, arguments: &Arguments, report: &mut Report) {
    let scratch = Scratch::start();
    runtime.block_on(measure(&scratch, arguments, report));
}

/// Somebody with streams.
struct Party {
    tenant: usize,
    email: String,
    streams: usize,
    /// What an agency sells; a manager sells nothing.
    office: Option<Office>,
}

/// An agency that sells.
struct Stall {
    login: Login,
    office: Office,
    tenant: usize,
    /// Streams that are told of its sales: its own and its manager's.
    readers: usize,
}

struct Sale {
    tenant: usize,
    position: i64,
    readers: usize,
    answered: Instant,
}

/// Somebody who sells for one agency after the other.
struct Seller {
    connection: Connection,
    stalls: Arc<[Stall]>,
    number: usize,
    sales: Arc<Mutex<Vec<Sale>>>,
}

impl Client for Seller {
    async fn once(&mut self) -> Duration {
        self.number += SELLERS;
        let stall = &self.stalls[self.number % self.stalls.len()];
        self.connection.act_as(&stall.login);
        let answer = self.connection.sell(&stall.office, self.number).await;
        let sale = Sale {
            tenant: stall.tenant,
            position: answer.position.expect("a sale has a position"),
            readers: stall.readers,
            answered: Instant::now(),
        };
        self.sales.lock().expect("no seller panics").push(sale);
        Duration::ZERO
    }
}

/// What the node held at most.
#[derive(Default)]
struct Most {
    resident: f64,
    connections: i64,
}

async fn measure(scratch: &Scratch, arguments: &Arguments, report: &mut Report) {
    let version = scratch.version().await;
    scratch.season().await;
    let folder = tempfile::tempdir().expect("a folder can be made");
    let url = scratch.migrated().await;
    let parties = parties(&url, folder.path(), arguments).await;
    let mut owner = scratch.owner(&url).await;
    let node = node::start(&url, folder.path());
    let logins = logins(node.address, &parties).await;
    let stalls = stalls(&parties, &logins);
    let before = node.resident_mib();

    let begun = Instant::now();
    let readers = open(node.address, &parties, &logins).await;
    let opening = begun.elapsed();
    let opened = node.resident_mib();

    let sales = Arc::new(Mutex::new(Vec::new()));
    let rate = f64::from(arguments.rate);
    load::paced(sellers(node.address, &stalls, &sales).await, rate, WARM_UP).await;
    tokio::time::sleep(LAST).await;
    sales.lock().expect("no seller panics").clear();
    let sellers = sellers(node.address, &stalls, &sales).await;
    let (begun, busy, mut most) = (Instant::now(), node.busy_seconds(), Most::default());
    let load = tokio::select! {
        load = load::paced(sellers, rate, Duration::from_secs(arguments.seconds)) => load,
        () = watch(&node, &mut owner, &mut most) => unreachable!("it looks for as long as sales go on"),
    };
    let cores = (node.busy_seconds() - busy) / begun.elapsed().as_secs_f64();
    tokio::time::sleep(LAST).await;

    let most_ever = node.most_resident_mib();
    let closed = Instant::now();
    // It ends the streams, and with them their readers.
    drop(node);
    let mut heard = Vec::new();
    for reader in readers {
        heard.push(reader.await.expect("a reader understands its stream"));
    }
    let ended_early = heard.iter().filter(|heard| heard.ended < closed).count();
    let sales = std::mem::take(&mut *sales.lock().expect("no seller panics"));
    let told = Deliveries::of(&sales, &heard);

    report.heading(&format!(
        "Live streams: {} of {} tenants, {} sales a second",
        whole(f64::from(arguments.streams)),
        parties.iter().filter(|party| party.office.is_none()).count(),
        whole(rate)
    ));
    report.paragraph(&format!(
        "PostgreSQL {version}, durability at its defaults; sales for {} s.",
        arguments.seconds
    ));
    let [median, p99] = load.latencies.median_and_p99();
    let row = |what: &str, figure: String| vec![what.to_owned(), figure];
    report.table(
        &["", ""],
        &[
            row("Streams opened", whole(heard.len() as f64)),
            row("Time to open them, s", format!("{:.1}", opening.as_secs_f64())),
            row(
                "Streams that ended before the measurement did",
                whole(ended_early as f64),
            ),
            row("Sales a second", whole(load.rate)),
            row("Answer to a sale, median / p99, ms", format!("{median} / {p99}")),
            row("Deliveries a second", whole(told.rate)),
            row("Deliveries that never came", whole(told.missing as f64)),
            row(
                "From the answer to each reader, median / p99 / longest, ms",
                times(&told.each),
            ),
            row(
                "From the answer to the last reader of a sale, median / p99 / longest, ms",
                times(&told.last),
            ),
            row("The node before the streams, MiB", whole(before)),
            row("… with all streams open, MiB", whole(opened)),
            row(
                "… for each stream, KiB",
                format!("{:.1}", (opened - before) * 1_024.0 / heard.len() as f64),
            ),
            row("… at most while sales go on, MiB", whole(most.resident)),
            row("… at most since its start, MiB", whole(most_ever)),
            row("Cores that the node keeps busy", format!("{cores:.2}")),
            row("Connections to PostgreSQL at most", most.connections.to_string()),
        ],
    );
}

/// Makes tenants with enough parties for all streams, since a party has at most ten: in each tenant its manager, the agency of
/// its office, and more agencies. They stand in turn, one of each tenant.
async fn parties(url: &str, folder: &Path, arguments: &Arguments) -> Vec<Party> {
    let streams = arguments.streams as usize;
    let count = streams.div_ceil(MAX_STREAMS_OF_A_PARTY);
    // Each has a manager and an agency.
    let tenants = (arguments.tenants as usize).min(count / 2);
    let database = connect(url).await;
    let keyring = Keyring::open_or_create(&Keyring::path(folder)).expect("a key file is made");
    let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
        .await
        .expect("the journal opens on a new database");
    let hash = hash_now(PASSWORD).expect("the system has randomness");
    let mut offices = Vec::new();
    for tenant in 0..tenants {
        offices.push(Office::open(&journal, &format!("live-{tenant}"), &hash).await);
    }
    let mut parties = Vec::with_capacity(count);
    for number in 0..count {
        let (tenant, place) = (number % tenants, number / tenants);
        let office = &offices[tenant];
        let (email, office) = match place {
            0 => (MANAGER.to_owned(), None),
            1 => (AGENCY.to_owned(), Some(office.clone())),
            _ => {
                let email = format!("agency{place}@example.test");
                let branch = office.branch(&journal, &email, &hash, 1).await;
                (email, Some(branch))
            }
        };
        parties.push(Party {
            tenant,
            email,
            streams: MAX_STREAMS_OF_A_PARTY.min(streams - number * MAX_STREAMS_OF_A_PARTY),
            office,
        });
    }
    // A node logs nobody in before it can show who that is.
    let projector = Projector::new(database.clone(), journal.clone());
    for office in &offices {
        let caught_up = projector.catch_up(&office.tenant).await;
        caught_up.expect("what was registered can be projected");
    }
    journal.close().await;
    database.close().await;
    parties
}

/// One login for each party, in their order.
async fn logins(address: SocketAddr, parties: &[Party]) -> Vec<Login> {
    let who = parties
        .iter()
        .map(|party| (format!("live-{}", party.tenant), party.email.clone()));
    let who: Arc<[(String, String)]> = who.collect();
    let tasks = (0..OPENING).map(|task| {
        let who = who.clone();
        tokio::spawn(async move {
            let mut logins = Vec::new();
            for number in (task..who.len()).step_by(OPENING) {
                let (tenant, email) = &who[number];
                let connection = Connection::open(address, tenant, email, PASSWORD).await;
                logins.push((number, connection.login().clone()));
            }
            logins
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut logins = Vec::new();
    for task in tasks {
        logins.extend(task.await.expect("everybody signs in"));
    }
    logins.sort_unstable_by_key(|(number, _)| *number);
    logins.into_iter().map(|(_, login)| login).collect()
}

fn stalls(parties: &[Party], logins: &[Login]) -> Arc<[Stall]> {
    let managers: HashMap<usize, usize> = parties
        .iter()
        .filter(|party| party.office.is_none())
        .map(|manager| (manager.tenant, manager.streams))
        .collect();
    let stalls = parties.iter().zip(logins).filter_map(|(party, login)| {
        Some(Stall {
            login: login.clone(),
            office: party.office.clone()?,
            tenant: party.tenant,
            readers: party.streams + managers[&party.tenant],
        })
    });
    stalls.collect()
}

async fn sellers(address: SocketAddr, stalls: &Arc<[Stall]>, sales: &Arc<Mutex<Vec<Sale>>>) -> Vec<Seller> {
    let mut sellers = Vec::with_capacity(SELLERS);
    for number in 0..SELLERS {
        sellers.push(Seller {
            connection: Connection::of(stalls[0].login.clone(), address).await,
            stalls: stalls.clone(),
            number,
            sales: sales.clone(),
        });
    }
    sellers
}

/// Looks at the node until this is dropped.
async fn watch(node: &Serving, owner: &mut PgConnection, most: &mut Most) {
    loop {
        let connections = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity
              WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
        );
        let connections: i64 = connections.fetch_one(&mut *owner).await.expect("the server answers");
        most.connections = most.connections.max(connections);
        most.resident = most.resident.max(node.resident_mib());
        tokio::time::sleep(LOOK).await;
    }
}

/// When sales reached their readers.
struct Deliveries {
    /// Deliveries a second.
    rate: f64,
    missing: usize,
    each: Latencies,
    last: Latencies,
}

impl Deliveries {
    fn of(sales: &[Sale], heard: &[Heard]) -> Self {
        let numbers: HashMap<(usize, i64), usize> = sales
            .iter()
            .enumerate()
            .map(|(number, sale)| ((sale.tenant, sale.position), number))
            .collect();
        let mut each = Vec::new();
        let mut last = vec![Duration::ZERO; sales.len()];
        for reader in heard {
            for (position, at) in &reader.changes {
                let Some(&number) = numbers.get(&(reader.tenant, *position)) else {
                    continue;
                };
                let time = at.saturating_duration_since(sales[number].answered);
                last[number] = last[number].max(time);
                each.push(time);
            }
        }
        let expected: usize = sales.iter().map(|sale| sale.readers).sum();
        let answered = || sales.iter().map(|sale| sale.answered);
        let lasted = answered().max().zip(answered().min()).map(|(last, first)| last - first);
        Self {
            rate: each.len() as f64 / lasted.unwrap_or_default().as_secs_f64(),
            missing: expected.saturating_sub(each.len()),
            each: Latencies::of(each),
            last: Latencies::of(last),
        }
    }
}

/// The middle, the 99th percentile and the longest, in milliseconds.
fn times(latencies: &Latencies) -> String {
    let at = |percent: f64| {
        let time = latencies.percentile(percent);
        time.map_or_else(|| "–".to_owned(), milliseconds)
    };
    [50.0, 99.0, 100.0].map(at).join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_counts_from_the_answer_of_its_sale() {
        let answered = Instant::now();
        let after = |milliseconds| answered + Duration::from_millis(milliseconds);
        let sale = Sale {
            tenant: 0,
            position: 5,
            readers: 3,
            answered,
        };
        let heard = [(0, 5, 40), (0, 5, 90), (1, 5, 200)].map(|(tenant, position, milliseconds)| Heard {
            tenant,
            changes: vec![(position, after(milliseconds))],
            ended: answered,
        });
        let told = Deliveries::of(&[sale], &heard);
        assert_eq!(told.missing, 1, "the reader of another tenant is none of its readers");
        assert_eq!(told.each.percentile(0.0), Some(Duration::from_millis(40)));
        assert_eq!(told.last.percentile(0.0), Some(Duration::from_millis(90)));
    }
}
