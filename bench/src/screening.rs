//! Screening on a node of its own, over HTTP: a tenant with customers, a list that the operator loads, sales before and after
//! the tenant chose it, and a new version of it while the tenant sells.
//!
//! The names of list and customers are those of `docs/screening.md`: customers from the same population as the list's
//! Spanish names, without dates of birth, which is the hardest case.

#[allow(dead_code, reason = "the measurement of the library alone uses the rest")]
#[path = "../../domain/screening/tests/set/mod.rs"]
mod set;

use crate::{
    Common,
    latency::{Latencies, milliseconds},
    load::{self, Client, Load},
    node::{self, Connection},
    office::{AGENCY, MANAGER, Office},
    process::Serving,
    report::{Report, whole},
    scratch::{Scratch, connect},
};
use caudal_api::auth::passwords::hash_now;
use caudal_domain::customer::CustomerDetails;
use caudal_journal::{Journal, Keyring, SystemClock};
use caudal_projections::Projector;
use caudal_screening::{Entry, ListedName};
use clap::Args;
use serde_json::{Value, json};
use set::{Population, Random};
use std::{
    fs,
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;

const PASSWORD: &str = "Caudal#2026";
/// Name of the list.
const LIST: &str = "bench";
const THRESHOLD: u8 = 86;
/// Clients that sell at a time.
const CLIENTS: [usize; 2] = [1, 8];
/// Of the list's entries, one in this many comes with the new version.
const NEW_ENTRIES: usize = 100;
/// Between two sales of a client while everybody is screened: a business at work, not one that fills the node.
const PAUSE: Duration = Duration::from_millis(100);
/// Clients that sell meanwhile.
const SELLING: usize = 2;
/// Between two looks at the progress.
const LOOK: Duration = Duration::from_millis(250);
/// The node looks for new lists every few seconds.
const UNTIL_KNOWN: Duration = Duration::from_secs(60);
/// After which the measurement gives up.
const PATIENCE: Duration = Duration::from_secs(1_800);

/// How screening is measured.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    /// Customers of the tenant
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1_000..=1_000_000))]
    customers: u32,
    /// Names of the list
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u32).range(1_000..=900_000))]
    names: u32,
    /// Of a thousand entries of the list, how many are Spanish names
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    spanish: u32,
    /// Another seed draws other names
    #[arg(long, default_value_t = 20_261_124)]
    seed: u64,
}

/// Measures it.
pub fn run(runtime: &Runtime, arguments: &Arguments, report: &mut Report) {
    let scratch = Scratch::start();
    runtime.block_on(measure(&scratch, arguments, report));
}

/// Somebody who sells one remittance after the other, each to other people.
struct Seller {
    connection: Connection,
    office: Office,
    number: usize,
}

impl Client for Seller {
    async fn once(&mut self) -> Duration {
        self.number += 1;
        self.connection.sell(&self.office, self.number).await;
        Duration::ZERO
    }
}

/// A node with a tenant that has many customers.
struct Business {
    url: String,
    folder: tempfile::TempDir,
    node: Serving,
    office: Office,
    /// The pair of customers that the next sales begin with.
    next: usize,
}

async fn measure(scratch: &Scratch, arguments: &Arguments, report: &mut Report) {
    let [customers, names, spanish] =
        [arguments.customers, arguments.names, arguments.spanish].map(|number| number as usize);
    let version = scratch.version().await;
    scratch.season().await;
    report.heading(&format!(
        "Screening: {} customers, a list of {} names",
        whole(f64::from(arguments.customers)),
        whole(f64::from(arguments.names))
    ));
    report.paragraph(&format!(
        "PostgreSQL {version}, durability at its defaults; seed {}, {spanish} of a thousand entries are Spanish names; sales for \
         {} s each time.",
        arguments.seed, arguments.common.seconds
    ));
    let mut business = Business::open(scratch, arguments.seed, customers).await;
    let entries = set::list(arguments.seed, names, spanish).entries;
    let duration = arguments.common.duration();

    let mut memory = vec![business.memory("customers, no list")];
    let mut sales = business.sales("no list is chosen", duration).await;

    let before = entries.len() - entries.len() / NEW_ENTRIES;
    let mut runs = Vec::new();
    let loaded = business.load(&entries[..before]);
    let begun = Instant::now();
    business.choose(json!({ LIST: THRESHOLD })).await;
    let run = business.screened(None, begun).await;
    runs.push(run.line("the list is chosen", loaded));
    memory.push(business.memory("everybody is screened"));
    sales.extend(business.sales("the list is chosen", duration).await);

    // A new version, while the tenant sells.
    let selling = business.selling().await;
    let loaded = business.load(&entries);
    let again = business.screened(Some(&run.started), Instant::now()).await;
    let meanwhile = selling.stop().await;
    runs.push(again.line("a new version, while sales go on", loaded));
    memory.push(business.memory("everybody is screened again"));
    sales.push(line(
        "everybody is screened by a new version",
        &format!("{SELLING}, paced"),
        &meanwhile,
    ));
    sales.extend(business.sales("the new version is chosen", duration).await);

    // What was found is cleared before the sales that are measured.
    let begun = Instant::now();
    business.choose(json!({})).await;
    business.screened(Some(&again.started), begun).await;
    sales.extend(business.sales("no list is chosen any more", duration).await);
    report.table(
        &[
            "Sales over HTTP while",
            "Clients",
            "Sales",
            "p50, ms",
            "p95, ms",
            "p99, ms",
            "Longest, ms",
        ],
        &sales,
    );
    report.table(
        &[
            "All customers are screened when",
            "Load of the file, s",
            "From then until all are screened, s",
            "Of it the screening, s",
            "Customers",
            "Found",
        ],
        &runs,
    );
    report.table(&["The node when", "Resident, MiB", "Resident at most, MiB"], &memory);
}

impl Business {
    async fn open(scratch: &Scratch, seed: u64, customers: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let url = scratch.migrated().await;
        let database = connect(&url).await;
        let keyring = Keyring::open_or_create(&Keyring::path(folder.path())).expect("a key file is made");
        let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
            .await
            .expect("the journal opens on a new database");
        let hash = hash_now(PASSWORD).expect("the system has randomness");
        let mut office = Office::open(&journal, "screened", &hash).await;
        // The seed of the customers of docs/screening.md.
        let (population, mut random) = (Population::new(), Random::new(seed + 2));
        let people = (0..customers).map(|_| person(&population, &mut random)).collect();
        let last = office.populate(&journal, people).await;
        // A node logs nobody in before it can show who that is.
        let projector = Projector::new(database.clone(), journal.clone());
        let caught_up = projector.catch_up(&office.tenant).await;
        caught_up.expect("the customers can be projected");
        journal.close().await;
        database.close().await;
        let business = Self {
            node: node::start(&url, folder.path()),
            url,
            folder,
            office,
            next: 0,
        };
        let begun = Instant::now();
        let mut agency = business.login(AGENCY).await;
        while agency.read("/api/customer/sender?recordsPerPage=1", last).await.status != 200 {
            assert!(begun.elapsed() < PATIENCE, "the customers can be read in the end");
            tokio::time::sleep(LOOK).await;
        }
        business
    }

    /// A login for each part: a token ends after a quarter of an hour.
    async fn login(&self, email: &str) -> Connection {
        Connection::open(self.node.address, self.office.tenant.as_str(), email, PASSWORD).await
    }

    /// Clients that sell as soon as they are answered, to customers that no other sale was to.
    async fn sales(&mut self, during: &str, duration: Duration) -> Vec<Vec<String>> {
        let mut lines = Vec::new();
        for clients in CLIENTS {
            let login = self.login(AGENCY).await;
            let share = self.office.customers.len() / clients;
            let mut sellers = Vec::new();
            for client in 0..clients {
                sellers.push(Seller {
                    connection: login.another(self.node.address).await,
                    office: self.office.clone(),
                    number: self.next + client * share,
                });
            }
            let Load { rate, latencies } = load::closed(sellers, duration).await;
            let sold = rate * duration.as_secs_f64();
            self.next += (sold / clients as f64) as usize * 2;
            lines.push(line(during, &clients.to_string(), &latencies));
        }
        lines
    }

    /// Sells until it is told to stop.
    async fn selling(&self) -> Selling {
        let stop = Arc::new(AtomicBool::new(false));
        let login = self.login(AGENCY).await;
        let mut clients = Vec::new();
        for client in 0..SELLING {
            let mut seller = Seller {
                connection: login.another(self.node.address).await,
                office: self.office.clone(),
                number: self.next + client * self.office.customers.len() / SELLING,
            };
            let stop = stop.clone();
            clients.push(tokio::spawn(async move {
                let mut times = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    let asked = Instant::now();
                    seller.once().await;
                    times.push(asked.elapsed());
                    tokio::time::sleep(PAUSE).await;
                }
                times
            }));
        }
        Selling { stop, clients }
    }

    /// Loads the list as an operator does; how long that takes.
    fn load(&self, entries: &[Entry]) -> Duration {
        let file = self.folder.path().join("list.csv");
        write(&file, entries);
        let begun = Instant::now();
        let status = node::caudal(&self.url, self.folder.path())
            .args(["screening", "load", "--list", LIST])
            .arg(&file)
            .stdout(Stdio::null())
            .status();
        assert!(
            status.expect("this program starts as caudal").success(),
            "the list is loaded"
        );
        begun.elapsed()
    }

    async fn choose(&self, lists: Value) {
        let begun = Instant::now();
        let body = json!({ "lists": lists });
        loop {
            let answer = self.login(MANAGER).await.put("/api/screening/lists", &body).await;
            if answer.status == 200 {
                return;
            }
            // The node has not seen the list yet.
            assert!(begun.elapsed() < UNTIL_KNOWN, "{}", answer.json());
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until everybody is screened, by another run than the one that began at this time.
    async fn screened(&self, before: Option<&str>, begun: Instant) -> Run {
        let mut manager = self.login(MANAGER).await;
        loop {
            let answer = manager.read("/api/screening", 0).await;
            // A quarter of an hour is over.
            if answer.status == 401 {
                manager = self.login(MANAGER).await;
                continue;
            }
            assert_eq!(answer.status, 200, "{}", answer.json());
            let run = answer.json()["run"].clone();
            let time = |field: &str| run[field].as_str().map(str::to_owned);
            if let (Some(started), Some(finished)) = (time("startedAt"), time("finishedAt"))
                && before != Some(started.as_str())
            {
                return Run {
                    waited: begun.elapsed(),
                    screening: seconds_between(&started, &finished),
                    customers: run["screened"].as_f64().unwrap_or_default(),
                    found: run["changed"].as_f64().unwrap_or_default(),
                    started,
                };
            }
            assert!(begun.elapsed() < PATIENCE, "still {run}");
            tokio::time::sleep(LOOK).await;
        }
    }

    fn memory(&self, when: &str) -> Vec<String> {
        vec![
            when.to_owned(),
            whole(self.node.resident_mib()),
            whole(self.node.most_resident_mib()),
        ]
    }
}

/// Sales that go on meanwhile.
struct Selling {
    stop: Arc<AtomicBool>,
    clients: Vec<tokio::task::JoinHandle<Vec<Duration>>>,
}

impl Selling {
    async fn stop(self) -> Latencies {
        self.stop.store(true, Ordering::Relaxed);
        let mut times = Vec::new();
        for client in self.clients {
            times.extend(client.await.expect("a client sells"));
        }
        Latencies::of(times)
    }
}

/// A screening of everybody.
struct Run {
    started: String,
    waited: Duration,
    screening: f64,
    customers: f64,
    found: f64,
}

impl Run {
    fn line(&self, when: &str, loaded: Duration) -> Vec<String> {
        vec![
            when.to_owned(),
            format!("{:.1}", loaded.as_secs_f64()),
            format!("{:.1}", self.waited.as_secs_f64()),
            format!("{:.1}", self.screening),
            whole(self.customers),
            whole(self.found),
        ]
    }
}

fn line(during: &str, clients: &str, times: &Latencies) -> Vec<String> {
    let at = |percent: f64| times.percentile(percent).map_or_else(|| "–".to_owned(), milliseconds);
    let mut cells = vec![during.to_owned(), clients.to_owned(), whole(times.count() as f64)];
    cells.extend([50.0, 95.0, 99.0, 100.0].map(at));
    cells
}

fn person(population: &Population, random: &mut Random) -> CustomerDetails {
    let person = population.person(random);
    CustomerDetails {
        name: person.given.join(" "),
        last_name: person.surnames.first().cloned(),
        second_surname: person.surnames.get(1).cloned(),
        address_line: Some("Calle 23 No. 101".to_owned()),
        ..CustomerDetails::default()
    }
}

/// Writes the list as a plain CSV.
fn write(file: &Path, entries: &[Entry]) {
    let mut text = String::from("id;name;aliases;born\n");
    for entry in entries {
        let mut names = entry.names.iter().map(|ListedName { text, .. }| text.as_str());
        let name = names.next().unwrap_or_default();
        let aliases: Vec<&str> = names.collect();
        let day = |date: caudal_screening::Date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day);
        let born = entry.born.first().map(|born| day(born.from)).unwrap_or_default();
        text += &format!("{};{name};{};{born}\n", entry.id, aliases.join("|"));
    }
    fs::write(file, text).expect("the folder can be written");
}

/// Seconds between two times of the API.
fn seconds_between(from: &str, to: &str) -> f64 {
    let read = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().expect("a time");
    (read(to) - read(from)).as_seconds_f64()
}
