//! One resource after the other is taken away under load: connections, answers, time, room on the disk. Meanwhile clients
//! are told 503 with Retry-After in bounded time, `/readyz` tells the truth, and afterwards all is well unaided, with
//! nothing half done.

use crate::{
    audit::{self, Tenant},
    business::Office,
    client::{Attempt, Client},
    dice::Dice,
    fleet::{Fleet, RECOVERY},
    tally::{Report, Tally},
    worker::{Probe, Worker},
};
use caudal_postgres::{DataDir, embedded::Server};
use nix::{sys::signal::Signal, unistd::geteuid};
use sqlx::{Connection as _, PgConnection};
use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const TENANT: &str = "starved";

/// How many workers there are besides the one who probes.
const WORKERS: usize = 3;

/// How long a try of the prober may take: longer than any answer should.
const PATIENCE: Duration = Duration::from_secs(90);

/// The longest that a command may wait for its answer while the database says nothing: one statement, and finding out
/// what became of it.
const ANSWERED_WITHIN: Duration = Duration::from_secs(75);

/// The longest that it may take to say that there is no connection to be had.
const REFUSED_WITHIN: Duration = Duration::from_secs(12);

/// How long `/readyz` may take to see what is wrong.
const SEEN_WITHIN: Duration = Duration::from_secs(8);

/// How long a fault lasts that everybody must notice.
const LASTS: Duration = Duration::from_secs(60);

/// How big the disk is that is filled: a new cluster, its log, and some room.
const DISK_MEGABYTES: u32 = 320;

/// What is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// All of them.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::Refused,
    Scenario::Crowded,
    Scenario::Held,
    Scenario::Silent,
    Scenario::Frozen,
    Scenario::DiskFull,
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
    let disk = match scenario {
        Scenario::DiskFull => Some(Disk::mount()?),
        _ => None,
    };
    let fleet = match &disk {
        Some(disk) => disk.fleet(program, tally.clone()),
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
        play(scenario, &fleet, disk.as_ref(), prober);
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
    drop(disk);
    Some(report)
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
fn play(scenario: Scenario, fleet: &Fleet, disk: Option<&Disk>, prober: &mut Worker) {
    let node = |number: usize| {
        let address = fleet.addresses().swap_remove(number);
        Client::with_patience(vec![address], TENANT, fleet.tally.clone(), PATIENCE)
    };
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
        Scenario::DiskFull => {
            let disk = disk.expect("a disk was made for it");
            disk.fill();
            told(fleet, prober, &node(0));
            disk.empty();
        }
    }
    fleet.heal();
    until_done(fleet, prober, &node(0), RECOVERY);
    until_ready(fleet, &node(0));
}

/// While nothing can be had, every try is told so in time, and so is whoever asks `/readyz`.
fn unavailable(fleet: &Fleet, prober: &mut Worker, node: &Client, lasts: Duration, within: Duration) {
    let started = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| watch(fleet, node, started, lasts));
        while started.elapsed() < lasts {
            let began = started.elapsed();
            let probe = prober.probe(node);
            judge(fleet, &probe, within);
            // What began before the fault, or ended after it, may have been done.
            let inside = began > Duration::from_secs(1) && started.elapsed() < lasts;
            if inside && probe.is_done() {
                fleet.tally.find(format!("done without a database: {probe:?}"));
            }
            thread::sleep(Duration::from_millis(200));
        }
    });
}

/// Asks `/readyz` all along.
fn watch(fleet: &Fleet, node: &Client, started: Instant, lasts: Duration) {
    while started.elapsed() < lasts {
        let asked = started.elapsed();
        let state = node.readiness();
        if asked > SEEN_WITHIN && started.elapsed() < lasts {
            fleet.tally.count("looks at /readyz during the fault");
            if !matches!(&state, Some((false, body)) if body["database"] != "ok") {
                fleet.tally.find(format!("/readyz says {state:?} without a database"));
            }
        }
        thread::sleep(Duration::from_millis(500));
    }
}

/// While there is little left of something, tries are done or told 503 in time; at least one is told so.
fn told(fleet: &Fleet, prober: &mut Worker, node: &Client) {
    let started = Instant::now();
    let mut told = 0;
    // A database that has room in its own files, or a connection yet, goes on for a while.
    while started.elapsed() < LASTS || (told == 0 && started.elapsed() < LASTS * 4) {
        let probe = prober.probe(node);
        judge(fleet, &probe, ANSWERED_WITHIN);
        if !probe.is_done() {
            told += 1;
        }
        thread::sleep(Duration::from_millis(50));
    }
    fleet.tally.add("probes that were told to come again", told);
    if told == 0 {
        fleet.tally.find("nobody was told of it");
    }
}

/// An answer, or a 503 that says when to come again, in time.
fn judge(fleet: &Fleet, probe: &Probe, within: Duration) {
    fleet.tally.count("probes");
    if probe.took > within {
        fleet
            .tally
            .find(format!("an answer after {:?}: {:?}", probe.took, probe.attempt));
    }
    if matches!(probe.attempt, Attempt::Unknown) {
        fleet.tally.find(format!("no answer at all, after {:?}", probe.took));
    }
}

/// Tries until something is done.
fn until_done(fleet: &Fleet, prober: &mut Worker, node: &Client, within: Duration) {
    let started = Instant::now();
    loop {
        let probe = prober.probe(node);
        if probe.is_done() {
            let took = started.elapsed();
            fleet
                .tally
                .add("milliseconds until something was done again", took.as_millis() as u64);
            if took > within {
                fleet.tally.find(format!("nothing was done for {took:?}"));
            }
            return;
        }
        if started.elapsed() > within * 2 {
            fleet.tally.find(format!("nothing is done: {probe:?}"));
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
}

fn until_ready(fleet: &Fleet, node: &Client) {
    let started = Instant::now();
    loop {
        let state = node.readiness();
        if matches!(state, Some((true, _))) {
            return;
        }
        if started.elapsed() > RECOVERY {
            fleet.tally.find(format!("not ready: {state:?}"));
            return;
        }
        thread::sleep(Duration::from_millis(100));
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

/// A small disk in memory.
struct Disk {
    mount: PathBuf,
}

impl Disk {
    /// Only root may mount.
    fn mount() -> Option<Self> {
        if !geteuid().is_root() {
            return None;
        }
        let mount = tempfile::Builder::new().prefix("caudal-disk-").tempdir().ok()?.keep();
        let status = Command::new("mount")
            .args([
                "-t",
                "tmpfs",
                "-o",
                &format!("size={DISK_MEGABYTES}m,mode=755"),
                "tmpfs",
            ])
            .arg(&mount)
            .status();
        if status.is_ok_and(|status| status.success()) {
            Some(Self { mount })
        } else {
            let _ = fs::remove_dir(&mount);
            None
        }
    }

    fn fleet(&self, program: &Path, tally: Arc<Tally>) -> Fleet {
        let data_dir = DataDir::at(&self.mount.join("database")).expect("there is room yet");
        let server = Server::start_or_join(&data_dir).expect("the database starts");
        let folder = tempfile::tempdir_in(&self.mount).expect("there is room yet");
        Fleet::over(server, folder, program, 1, &[TENANT], tally)
    }

    fn ballast(&self) -> PathBuf {
        self.mount.join("ballast")
    }

    /// Fills it to the last byte.
    fn fill(&self) {
        let mut ballast = File::create(self.ballast()).expect("there is room yet");
        let (large, small) = (vec![0; 1 << 20], vec![0; 512]);
        while ballast.write_all(&large).is_ok() {}
        while ballast.write_all(&small).is_ok() {}
    }

    fn empty(&self) {
        fs::remove_file(self.ballast()).expect("the ballast is ours");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // In use for another moment, perhaps: it goes when that ends.
        let _ = Command::new("umount").arg("-l").arg(&self.mount).status();
        let _ = fs::remove_dir(&self.mount);
    }
}
