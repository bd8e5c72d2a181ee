//! One resource after the other is taken away under load: connections, answers, time, room on the disk. Meanwhile clients
//! are told 503 with Retry-After in bounded time, `/readyz` tells the truth, and afterwards all is well unaided, with
//! nothing half done.

use crate::{
    audit::{self, Tenant},
    business::Office,
    client::{Attempt, Client},
    dice::Dice,
    fleet::{Fleet, MANAGER, Place, RECOVERY},
    surroundings::{Clock, Group, device_of},
    tally::{Report, Tally},
    worker::{Probe, Worker},
};
use caudal_postgres::{DataDir, embedded::Server};
use chrono::{DateTime, Utc};
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
use tempfile::TempDir;

const TENANT: &str = "starved";

/// How many workers there are besides the one who probes.
const WORKERS: usize = 3;

/// How long a try of the prober may take: longer than any answer should.
const PATIENCE: Duration = Duration::from_secs(90);

/// The longest that a command may wait for its answer while the database says nothing: one statement, and finding out
/// what became of it.
const ANSWERED_WITHIN: Duration = Duration::from_secs(75);

/// The longest that it may take to say that there is no connection to be had. A write that was on its way when they went
/// is looked after for 30 s before it is told that its outcome is not known; all others hear it at once.
const REFUSED_WITHIN: Duration = Duration::from_secs(35);

/// How long `/readyz` may take to see what is wrong.
const SEEN_WITHIN: Duration = Duration::from_secs(8);

/// How long a fault lasts that everybody must notice.
const LASTS: Duration = Duration::from_secs(60);

/// How big the disk is that is filled: a new cluster, its log, and some room.
const DISK_MEGABYTES: u32 = 320;

/// How often PostgreSQL may write to a slow disk: a commit takes some tenths of a second, with others before it longer.
const WRITES_PER_SECOND: u32 = 10;

/// How much more memory a node may have than it has, in percent: less than a busy hour makes it grow by.
const MEMORY_TO_SPARE_PERCENT: u64 = 10;

/// How much memory a node may have of what it had under load, in percent: enough to start and to serve for a while.
const TOO_LITTLE_MEMORY_PERCENT: u64 = 80;

/// How many log in at once, now and then, while there is too little memory: each hashing of a password takes 19 MB.
const LOGINS_AT_ONCE: usize = 8;

/// How long they wait between: for as long others work.
const BETWEEN_LOGINS: Duration = Duration::from_secs(3);

/// How long the kernel may take until it has back what a killed node had.
const FREED_WITHIN: Duration = Duration::from_secs(10);

/// When the zone of the tenants changes to summer time next: 2 o'clock is 3 o'clock there.
const SUMMER_TIME_BEGINS: &str = "2027-03-14T07:00:00Z";

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
            server: Server::start_or_join(&data_dir).expect("the database starts"),
            folder: folder.expect("there is room yet"),
            wrapper,
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
            slow_down(fleet, group, folder.path());
            judged(fleet, prober, &node(0), LASTS);
            group.release();
        }
        Around::Memory(group) => {
            judged(fleet, prober, &node(0), LASTS / 2);
            let used = tighten(fleet, group);
            judged(fleet, prober, &node(0), LASTS / 2);
            exhaust(fleet, group, used, prober, &node(0));
        }
        Around::Clock(clock) => move_clock(fleet, clock, prober, &node(0)),
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

/// Lets PostgreSQL write only so often to its disk.
fn slow_down(fleet: &Fleet, group: &Group, folder: &Path) {
    let device = device_of(folder).expect("the folder is on a disk");
    let limit = format!("{device} {WRITES_PER_SECOND}");
    group
        .set("blkio.throttle.write_iops_device", &limit)
        .expect("the kernel limits disks");
    for pid in fleet.postmaster().into_iter().chain(fleet.database_processes()) {
        // A connection that ended meanwhile writes no more.
        let _ = group.take(pid);
    }
}

/// Gives a node's group little more memory than it has. What it has.
fn tighten(fleet: &Fleet, group: &Group) -> u64 {
    let used = group
        .figure("memory.stat", "total_rss ")
        .expect("the kernel counts memory");
    let limit = used + used / 100 * MEMORY_TO_SPARE_PERCENT;
    fleet.tally.add("megabytes of memory under load", used >> 20);
    fleet.tally.add("megabytes that it may have at first", limit >> 20);
    limit_memory(group, &limit.to_string()).expect("the kernel limits memory");
    used
}

/// Gives a node less memory than it needs for a minute: the kernel kills it whenever it has come to the limit, and it
/// is started again, as where a container's limit is too small. In the end it may have what it needs.
fn exhaust(fleet: &Fleet, group: &Group, used: u64, prober: &mut Worker, node: &Client) {
    let tally = &fleet.tally;
    let post = &fleet.posts[0];
    let limit = used / 100 * TOO_LITTLE_MEMORY_PERCENT;
    tally.add("megabytes that it may have then", limit >> 20);
    let killed = || {
        group
            .figure("memory.oom_control", "oom_kill ")
            .expect("the kernel counts kills")
    };
    let before = killed();
    if before > 0 {
        tally.find("the kernel killed a node that had memory to spare");
    }
    // No limit may be less than what is in use, so that the node begins anew under this one.
    post.node.may_be_killed(true);
    post.node.signal(Signal::SIGKILL);
    let asked = Instant::now();
    while let Err(error) = limit_memory(group, &limit.to_string()) {
        assert!(asked.elapsed() < FREED_WITHIN, "the kernel limits memory: {error}");
        thread::sleep(Duration::from_millis(5));
    }
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for number in 0..LOGINS_AT_ONCE {
            let (stop, address) = (&stop, fleet.addresses());
            scope.spawn(move || {
                let client = Client::new(address, TENANT, tally.clone());
                let mut dice = Dice::new(number as u64, 2_000);
                while !stop.load(Ordering::Acquire) {
                    thread::sleep(BETWEEN_LOGINS);
                    client.log_in(&mut dice, MANAGER);
                }
            });
        }
        let started = Instant::now();
        while started.elapsed() < LASTS {
            // A node that was killed answers nobody; one that lives answers in time.
            let probe = prober.probe(node);
            tally.count("probes under the kernel's kills");
            if probe.is_done() {
                tally.count("probes under the kernel's kills that were done");
            }
            if probe.took > ANSWERED_WITHIN {
                tally.find(format!("an answer after {:?}: {:?}", probe.took, probe.attempt));
            }
            thread::sleep(Duration::from_millis(50));
        }
        stop.store(true, Ordering::Release);
    });
    limit_memory(group, "-1").expect("the kernel lifts limits");
    // Whoever was killed last is seen to have ended.
    thread::sleep(Duration::from_secs(1));
    post.node.may_be_killed(false);
    let (kills, ends) = (killed() - before, post.node.killed());
    tally.add("times that the kernel killed the node for its memory", kills);
    if kills == 0 || kills != ends {
        tally.find(format!(
            "the kernel killed {kills} times, and a node ended so {ends} times"
        ));
    }
    if tally.counted("probes under the kernel's kills that were done") == 0 {
        tally.find("nothing was done between the kernel's kills");
    }
}

/// Bytes of memory for a group, or `-1` for no limit. No swap either, which would only put the end off.
fn limit_memory(group: &Group, limit: &str) -> std::io::Result<()> {
    group.set("memory.swappiness", "0")?;
    group.set("memory.limit_in_bytes", limit)
}

/// Moves a node's clock by an hour, both ways, and over a change to summer time. Meanwhile `/readyz` says that it is
/// wrong, and whoever asks all the same is served; events never go back in time.
fn move_clock(fleet: &Fleet, clock: &Clock, prober: &mut Worker, node: &Client) {
    let summer: DateTime<Utc> = SUMMER_TIME_BEGINS.parse().expect("a time");
    let before_summer = (summer - Utc::now()).num_seconds() - LASTS.as_secs().cast_signed() / 2;
    for seconds in [3_600, -3_600, before_summer] {
        clock.show(seconds);
        let moved = Instant::now();
        thread::sleep(SEEN_WITHIN);
        judged(fleet, prober, node, LASTS / 3);
        let state = node.readiness();
        if !matches!(&state, Some((false, body)) if body["clock"] == "wrong") {
            fleet
                .tally
                .find(format!("/readyz says {state:?} with a clock that is off"));
        }
        fleet.tally.count("times that the clock was moved");
        thread::sleep((LASTS / 2).saturating_sub(moved.elapsed()));
    }
    judged(fleet, prober, node, LASTS / 3);
    clock.show(0);
    thread::sleep(SEEN_WITHIN);
}

/// Tries are done or told 503 in time.
fn judged(fleet: &Fleet, prober: &mut Worker, node: &Client, lasts: Duration) {
    let started = Instant::now();
    let mut slowest = Duration::ZERO;
    while started.elapsed() < lasts {
        let probe = prober.probe(node);
        judge(fleet, &probe, ANSWERED_WITHIN);
        slowest = slowest.max(probe.took);
        if probe.is_done() {
            fleet.tally.count("probes that were done");
        }
        thread::sleep(Duration::from_millis(50));
    }
    fleet.tally.add(
        "milliseconds of the slowest answers, added up",
        slowest.as_millis() as u64,
    );
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
#[derive(Debug)]
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
