//! The crash test: kills at random points under load, and then the books.

use crate::{
    audit,
    business::Office,
    client::Client,
    dice::Dice,
    faults::{KILLS, OTHERS},
    fleet::Fleet,
    tally::{Report, Tally},
    worker::Worker,
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Two tenants, so that what one lane goes through touches the other's.
const TENANTS: [&str; 2] = ["chaos-one", "chaos-two"];

/// How many faults of a hundred are kills.
const KILL_PERCENT: u64 = 55;

/// How many kills of a hundred strike again before all is well.
const AT_ONCE_PERCENT: u64 = 25;

/// How long a fleet may need to be well again between kills before the next one comes anyway.
const BREATH: Duration = Duration::from_secs(15);

/// How big a run is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Decides the faults and commands.
    pub seed: u64,
    /// How many nodes serve.
    pub nodes: usize,
    /// How many processes are killed.
    pub kills: u64,
    /// How many workers give commands to each of the two tenants.
    pub workers: usize,
    /// Whether there are faults that last longer than clients wait.
    pub is_patient: bool,
}

/// Runs the crash test on a program. `progress` is told now and then how many kills there were.
pub fn run(program: &Path, size: Size, mut progress: impl FnMut(u64)) -> Report {
    let tally = Arc::new(Tally::default());
    let started = Instant::now();
    let fleet = Fleet::start(program, size.nodes, &TENANTS, tally.clone());
    let mut dice = Dice::new(size.seed, 0);
    let mut tenants: Vec<audit::Tenant> = TENANTS
        .iter()
        .map(|name| open(&fleet, name, size.workers, size.seed, &mut dice))
        .collect();
    let stop = AtomicBool::new(false);
    let kills = thread::scope(|scope| {
        let works: Vec<_> = tenants
            .iter_mut()
            .flat_map(|tenant| tenant.workers.iter_mut())
            .map(|worker| scope.spawn(|| worker.work(&stop)))
            .collect();
        let mut kills = 0;
        while kills < size.kills && tally.report("", 0).is_clean() {
            thread::sleep(dice.millis(30, 900));
            let is_kill = dice.percent(KILL_PERCENT);
            let faults = if is_kill { KILLS } else { OTHERS };
            let happened = faults[dice.index(faults.len())].inject(&fleet, &mut dice, size.is_patient);
            if is_kill && happened {
                kills += 1;
                progress(kills);
                if !dice.percent(AT_ONCE_PERCENT) {
                    take_breath(&fleet);
                }
            }
        }
        fleet.heal();
        stop.store(true, Ordering::Release);
        for work in works {
            if work.join().is_err() {
                tally.find("a worker gave up");
            }
        }
        kills
    });
    tally.add("kills in all", kills);
    tally.add("seconds of load and faults", started.elapsed().as_secs());
    for post in &fleet.posts {
        tally.add(
            "requests or answers lost by the proxies",
            post.front.losses() + post.back.losses(),
        );
    }
    audit::run(&fleet, &tenants);
    let nodes = if size.nodes == 1 { "one node" } else { "several nodes" };
    let title = format!("Crash test, {nodes} ({}), {kills} kills", size.nodes);
    tally.report(&title, size.seed)
}

/// Opens the business of a tenant, with some workers.
pub(crate) fn open(fleet: &Fleet, name: &str, workers: usize, seed: u64, dice: &mut Dice) -> audit::Tenant {
    let client = Client::new(fleet.addresses(), name, fleet.tally.clone());
    let office = Office::open(&client, dice);
    let workers = (0..workers)
        .map(|number| Worker::new(client.clone(), &office, number, seed ^ name.len() as u64))
        .collect();
    audit::Tenant::begin(fleet, name, client, workers)
}

/// Waits until commands are acknowledged again.
pub(crate) fn take_breath(fleet: &Fleet) {
    let deadline = Instant::now() + BREATH;
    let before = fleet.tally.counted("commands acknowledged");
    while fleet.tally.counted("commands acknowledged") < before + 5 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
}
