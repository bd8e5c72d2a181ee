//! One resource after the other is taken away under load: connections, answers, time, room on the disk. Meanwhile clients
//! are told 503 with Retry-After in bounded time, `/readyz` tells the truth, and afterwards all is well unaided, with
//! nothing half done.

mod clock;
mod disk;
mod memory;
mod probing;

use crate::{
    audit::{self, Tenant},
    business::Office,
    client::Client,
    dice::Dice,
    engine::Engine,
    fleet::{Fleet, Place, RECOVERY, Sharing},
    surroundings::{Clock, Group},
    tally::{Report, Tally},
    worker::Worker,
};
use caudal_postgres::{DataDir, embedded::Server};
use disk::Disk;
use nix::sys::signal::Signal;
use probing::{ANSWERED_WITHIN, judged, told, unavailable, until_done, until_ready};
use sqlx::{Connection as _, PgConnection};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use tempfile::TempDir;

const TENANT: &str = "starved";

/// How many workers there are besides the one who probes.
const WORKERS: usize = 3;

/// How long a try of the prober may take: longer than any answer should.
const PATIENCE: Duration = Duration::from_secs(90);

/// The longest that it may take to say that there is no connection to be had. A write that was on its way when they went
/// is looked after for 30 s before it is told that its outcome is not known; all others hear it at once.
const REFUSED_WITHIN: Duration = Duration::from_secs(35);

/// How long a fault lasts that everybody must notice.
const LASTS: Duration = Duration::from_secs(60);

/// What is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Scenario {
    /// PostgreSQL refuses connections for a minute.
    Refused,
    /// Others take all of PostgreSQL's connections for a minute.
    Crowded,
    /// PostgreSQL says nothing for a minute.
    Held,
    /// The connections that there are say nothing any more, for good.
    Silent,
    /// One of two nodes stands still for a minute, perhaps with the tenant's head locked.
    Frozen,
    /// The disk of PostgreSQL, keys and files is full for a minute.
    DiskFull,
    /// The disk of PostgreSQL takes a few writes a second for a minute.
    DiskSlow,
    /// A node may have little more memory than it has under load, and then less than it needs: the kernel kills it.
    MemoryLimit,
    /// The clock of a node is an hour off, both ways, and goes over a change to summer time.
    ClockMoved,
}

/// All of them.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::Refused,
    Scenario::Crowded,
    Scenario::Held,
    Scenario::Silent,
    Scenario::Frozen,
    Scenario::DiskFull,
    Scenario::DiskSlow,
    Scenario::MemoryLimit,
    Scenario::ClockMoved,
];

impl Scenario {
    const fn title(self) -> &'static str {
        match self {
            Self::Refused => "PostgreSQL refuses connections for a minute",
            Self::Crowded => "Others take all connections of PostgreSQL for a minute",
            Self::Held => "PostgreSQL says nothing for a minute",
            Self::Silent => "The connections to PostgreSQL fall silent for good",
            Self::Frozen => "One of two nodes stands still for a minute",
            Self::DiskFull => "The disk is full for a minute",
            Self::DiskSlow => "The disk takes a few writes a second for a minute",
            Self::MemoryLimit => "Little memory to spare, and then so little that the kernel kills the node",
            Self::ClockMoved => "The clock is an hour off, and goes over a change to summer time",
        }
    }

    const fn nodes(self) -> usize {
        match self {
            Self::Frozen => 2,
            _ => 1,
        }
    }
}

/// Takes something away from a program. `None` where the machine does not let us.
pub fn run(program: &Path, scenario: Scenario, seed: u64) -> Option<Report> {
    let tally = Arc::new(Tally::default());
    let around = Around::of(scenario)?;
    let fleet = match around.place() {
        Some(place) => Fleet::at(place, program, 1, &[TENANT], tally.clone()),
        None => Fleet::start(program, scenario.nodes(), &[TENANT], tally.clone()),
    };
    let mut stage = Stage::set(&fleet, seed);
    let stop = AtomicBool::new(false);
    let (workers, prober) = stage.cast();
    thread::scope(|scope| {
        let works: Vec<_> = workers
            .iter_mut()
            .map(|worker| scope.spawn(|| worker.work(&stop)))
            .collect();
        thread::sleep(Duration::from_secs(2));
        play(scenario, &fleet, &around, prober);
        stop.store(true, Ordering::Release);
        prober.settle();
        for work in works {
            if work.join().is_err() {
                tally.find("a worker gave up");
            }
        }
    });
    audit::run(&fleet, &[stage.tenant]);
    let report = tally.report(scenario.title(), seed);
    // The database and its nodes, before their disk.
    drop(fleet);
    drop(around);
    Some(report)
}

/// What is there for a scenario besides the fleet.
#[derive(Debug)]
enum Around {
    Nothing,
    Disk(Disk),
    /// For PostgreSQL, with its folder.
    Slow(Group, TempDir),
    /// For the node.
    Memory(Group),
    Clock(Clock),
}

impl Around {
    /// `None` where the machine does not let us.
    fn of(scenario: Scenario) -> Option<Self> {
        let folder = || tempfile::Builder::new().prefix("caudal-chaos-").tempdir().ok();
        Some(match scenario {
            Scenario::DiskFull => Self::Disk(Disk::mount()?),
            Scenario::DiskSlow => Self::Slow(Group::make("blkio")?, folder()?),
            Scenario::MemoryLimit => Self::Memory(Group::make("memory")?),
            Scenario::ClockMoved => Self::Clock(Clock::right(folder()?)?),
            _ => Self::Nothing,
        })
    }

    /// Where the fleet lives, if it matters.
    fn place(&self) -> Option<Place> {
        let (database, folder, wrapper) = match self {
            Self::Nothing => return None,
            Self::Disk(disk) => (disk.mount.as_path(), tempfile::tempdir_in(&disk.mount), Vec::new()),
            Self::Slow(_, folder) => (folder.path(), tempfile::tempdir(), Vec::new()),
            Self::Memory(group) => return Some(Place::temporary(group.wrapper())),
            Self::Clock(clock) => return Some(Place::temporary(clock.wrapper())),
        };
        let data_dir = DataDir::at(&database.join("database")).expect("there is room yet");
        Some(Place {
            server: Engine::Own(Server::start_or_join(&data_dir).expect("the database starts")),
            second: None,
            folder: folder.expect("there is room yet"),
            wrapper,
            sharing: Sharing::Folder,
        })
    }
}

/// The tenant with its workers; the last of them probes.
struct Stage {
    tenant: Tenant,
}

impl Stage {
    fn set(fleet: &Fleet, seed: u64) -> Self {
        let client = Client::new(fleet.addresses(), TENANT, fleet.tally.clone());
        let office = Office::open(&client, &mut Dice::new(seed, 1));
        let workers = (0..=WORKERS)
            .map(|number| Worker::new(client.clone(), &office, number, seed))
            .collect();
        Self {
            tenant: Tenant::begin(fleet, TENANT, client, workers),
        }
    }

    fn cast(&mut self) -> (&mut [Worker], &mut Worker) {
        let (prober, workers) = self.tenant.workers.split_last_mut().expect("there are workers");
        (workers, prober)
    }
}

/// Takes the thing away, looks, gives it back, and looks again.
fn play(scenario: Scenario, fleet: &Fleet, around: &Around, prober: &mut Worker) {
    let node = |number: usize| {
        let address = fleet.addresses().swap_remove(number);
        Client::with_patience(vec![address], TENANT, fleet.tally.clone(), PATIENCE)
    };
    match around {
        Around::Nothing => starve(scenario, fleet, prober, &node),
        Around::Disk(disk) => {
            disk.fill();
            told(fleet, prober, &node(0));
            disk.empty();
        }
        Around::Slow(group, folder) => {
            disk::slow_down(fleet, group, folder.path());
            judged(fleet, prober, &node(0), LASTS);
            group.release();
        }
        Around::Memory(group) => memory::limit(fleet, group, prober, &node(0)),
        Around::Clock(clock) => clock::move_around(fleet, clock, prober, &node(0)),
    }
    fleet.heal();
    until_done(fleet, prober, &node(0), RECOVERY);
    until_ready(fleet, &node(0));
}

/// Takes away what the fleet itself has.
fn starve(scenario: Scenario, fleet: &Fleet, prober: &mut Worker, node: &dyn Fn(usize) -> Client) {
    let post = &fleet.posts[0];
    match scenario {
        Scenario::Refused => {
            post.back.refuse(LASTS);
            unavailable(fleet, prober, &node(0), LASTS, REFUSED_WITHIN);
        }
        Scenario::Crowded => {
            let stop = Arc::new(AtomicBool::new(false));
            let crowd = fleet.runtime.spawn(crowd(fleet.server.url().to_owned(), stop.clone()));
            thread::sleep(Duration::from_secs(2));
            post.back.cut();
            told(fleet, prober, &node(0));
            stop.store(true, Ordering::Release);
            let crowd = fleet.runtime.block_on(crowd).expect("the crowd comes and goes");
            fleet.tally.add("connections taken", crowd.len() as u64);
            // Ended by the connections' ends, not with a word to PostgreSQL.
            drop(crowd);
        }
        Scenario::Held => {
            post.back.hold(LASTS);
            unavailable(fleet, prober, &node(0), LASTS, ANSWERED_WITHIN);
        }
        Scenario::Silent => {
            post.back.silence();
            // Whoever was being answered waits for the end of its patience; new ones are served.
            until_done(fleet, prober, &node(0), ANSWERED_WITHIN);
        }
        Scenario::Frozen => {
            post.node.signal(Signal::SIGSTOP);
            until_done(fleet, prober, &node(1), Duration::from_secs(40));
            thread::sleep(LASTS / 2);
            until_done(fleet, prober, &node(1), Duration::from_secs(15));
            post.node.signal(Signal::SIGCONT);
        }
        // They are surroundings.
        Scenario::DiskFull | Scenario::DiskSlow | Scenario::MemoryLimit | Scenario::ClockMoved => {}
    }
}

/// Takes every connection that PostgreSQL has to give, until it is told to stop.
async fn crowd(url: String, stop: Arc<AtomicBool>) -> Vec<PgConnection> {
    let mut crowd = Vec::new();
    while !stop.load(Ordering::Acquire) {
        match PgConnection::connect(&url).await {
            Ok(connection) => crowd.push(connection),
            Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    }
    crowd
}
