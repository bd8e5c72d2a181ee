//! Failovers of a real cluster: Patroni, etcd and three PostgreSQL servers from Debian's packages, as `scripts/try-cluster`
//! starts them, under nodes that know all three servers.
//!
//! Workers give mixed commands to two tenants all along. At each node a prober sends one small command after the other: the
//! pause of a failover is the longest time without one that was done. At the end what was acknowledged is compared with what
//! is stored, as after crashes.

mod failover;
mod machines;
mod promotions;

pub use failover::{Failover, Kind};

use crate::{
    audit,
    crash::open,
    dice::Dice,
    engine::Engine,
    fleet::{Fleet, Place, Sharing},
    tally::{Report, Tally},
    worker::Worker,
};
use failover::{KINDS, Prober};
use machines::Machines;
use promotions::Promotions;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Two tenants, so that what one writer goes through touches the other's.
const TENANTS: [&str; 2] = ["cluster-one", "cluster-two"];
/// The nodes over the cluster.
const NODES: usize = 2;
/// How long business goes on between two failovers, in milliseconds.
const BETWEEN: (u64, u64) = (1_000, 3_000);

/// How big a run is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Decides the failovers and commands.
    pub seed: u64,
    /// Number of failovers in the run.
    pub failovers: u64,
    /// Restricts the faults to one kind; all kinds at random otherwise.
    pub kind: Option<Kind>,
    /// How many workers give commands to each of the two tenants.
    pub workers: usize,
}

/// Fails a cluster over `size.failovers` times while nodes and workers run on it. Calls `progress` after each failover.
///
/// # Panics
/// Where the cluster's packages are missing, or it does not become well.
pub fn run(program: &Path, size: &Size, mut progress: impl FnMut(u64, &Failover)) -> Report {
    let tally = Arc::new(Tally::default());
    let machines = Machines::start();
    machines.migrate(program);
    let folder = tempfile::Builder::new().prefix("caudal-chaos-").tempdir();
    let place = Place {
        server: Engine::Cluster {
            url: machines.url().to_owned(),
            logs: machines.logs(),
        },
        second: None,
        folder: folder.expect("a folder can be made"),
        wrapper: Vec::new(),
        sharing: Sharing::Cluster,
    };
    let fleet = Fleet::at(place, program, NODES, &TENANTS, tally.clone());
    let mut dice = Dice::new(size.seed, 0);
    // One more worker for each node, who probes it.
    let workers = size.workers + NODES;
    let mut tenants: Vec<_> = TENANTS
        .iter()
        .map(|name| open(&fleet, name, workers, size.seed, &mut dice))
        .collect();
    let crew: Vec<Worker> = tenants[0].workers.split_off(size.workers);
    let probers = crew.into_iter().zip(fleet.addresses());
    let probers: Vec<_> = probers
        .map(|(worker, address)| Prober::new(worker, &address, &fleet))
        .collect();
    let promotions = Promotions::watch(machines.url());
    let stop = AtomicBool::new(false);
    let mut failovers = Vec::new();
    let started = Instant::now();
    let crew: Vec<Worker> = thread::scope(|scope| {
        let works: Vec<_> = tenants
            .iter_mut()
            .flat_map(|tenant| tenant.workers.iter_mut())
            .map(|worker| scope.spawn(|| worker.work(&stop)))
            .collect();
        let probings: Vec<_> = probers
            .iter()
            .map(|prober| scope.spawn(|| prober.probe(&stop)))
            .collect();
        while (failovers.len() as u64) < size.failovers && tally.report("", 0).is_clean() {
            thread::sleep(dice.millis(BETWEEN.0, BETWEEN.1));
            let kind = size.kind.unwrap_or_else(|| KINDS[dice.index(KINDS.len())]);
            let failover = Failover::of(kind, &machines, &probers, &promotions);
            tally.count(&format!("failovers: {kind}"));
            progress(failovers.len() as u64 + 1, &failover);
            failovers.push(failover);
            machines.order("heal");
        }
        stop.store(true, Ordering::Release);
        for work in works {
            if work.join().is_err() {
                tally.find("a worker gave up");
            }
        }
        probings
            .into_iter()
            .map(|probing| probing.join().expect("a prober ends"))
            .collect()
    });
    tally.add("seconds of load and failovers", started.elapsed().as_secs());
    for kind in KINDS {
        failover::summarise(&tally, kind, &failovers);
    }
    tenants[0].workers.extend(crew);
    audit::run(&fleet, &tenants);
    let title = format!("Failovers of a cluster, {NODES} nodes, {} failovers", failovers.len());
    tally.report(&title, size.seed)
}

/// Between two looks at what the probers did.
const LOOK: Duration = Duration::from_millis(20);
