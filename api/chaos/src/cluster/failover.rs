//! One failover: what is done to the primary, and how long nothing was done at each node.

use super::{LOOK, machines::Machines, promotions::Promotions};
use crate::{
    client::{Attempt, Client},
    fleet::Fleet,
    tally::Tally,
    worker::Worker,
};
use clap::ValueEnum;
use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Between two probes of a node.
const PACE: Duration = Duration::from_millis(20);
/// How long a prober waits for an answer before it sends the next command.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(12);
/// How long a failover may take: a machine is given up after 20 s, and 40 more for a machine with too much to do.
const PATIENCE: Duration = Duration::from_secs(60);
/// Probes that have to be done after a promotion before the failover is over.
const DONE_AFTERWARDS: usize = 3;

/// What is done to the primary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Patroni hands over to the synchronous standby.
    Switchover,
    /// PostgreSQL is killed.
    Killed,
    /// PostgreSQL, Patroni and etcd of the machine are killed.
    Lost,
    /// Patroni stands still, and its PostgreSQL goes on taking writes.
    Frozen,
}

/// All of them.
pub const KINDS: [Kind; 4] = [Kind::Switchover, Kind::Killed, Kind::Lost, Kind::Frozen];

/// How a failover went.
#[derive(Clone, Debug)]
pub struct Failover {
    kind: Kind,
    /// From what was done to the primary until a standby took writes.
    promoted_after: Option<Duration>,
    /// From the promotion until the new primary's first commit was confirmed by a standby.
    commits_after: Option<Duration>,
    /// At each node: the longest time without a command that was done.
    pauses: Vec<Duration>,
    /// At each node: from the promotion to the first command that was done.
    back_after: Vec<Duration>,
}

/// Somebody who sends one command after the other to one node.
#[derive(Debug)]
pub struct Prober {
    worker: Mutex<Option<Worker>>,
    node: Client,
    /// When commands that were done were answered.
    done: Mutex<Vec<Instant>>,
}

impl Kind {
    const fn command(self) -> &'static str {
        match self {
            Self::Switchover => "switchover",
            Self::Killed => "kill-primary",
            Self::Lost => "lose-primary",
            Self::Frozen => "freeze-primary",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Switchover => "switchover",
            Self::Killed => "PostgreSQL killed",
            Self::Lost => "machine lost",
            Self::Frozen => "Patroni frozen",
        })
    }
}

impl Prober {
    /// A prober of one node.
    pub fn new(worker: Worker, address: &str, fleet: &Fleet) -> Self {
        let node = Client::with_patience(
            vec![address.to_owned()],
            super::TENANTS[0],
            fleet.tally.clone(),
            ANSWER_TIMEOUT,
        );
        Self {
            worker: Mutex::new(Some(worker)),
            node,
            done: Mutex::default(),
        }
    }

    /// Probes until it is told to stop; then every probe is brought to its answer.
    pub fn probe(&self, stop: &AtomicBool) -> Worker {
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut worker = worker.expect("a prober probes once");
        while !stop.load(Ordering::Acquire) {
            let probe = worker.probe(&self.node);
            if matches!(&probe.attempt, Attempt::Definite(answer) if answer.is_done()) {
                self.done
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(Instant::now());
            }
            thread::sleep(PACE);
        }
        worker.settle();
        worker
    }

    /// When commands were done since a moment, with the last one before it.
    fn done_around(&self, moment: Instant) -> Vec<Instant> {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let first = done.partition_point(|one| *one <= moment);
        done[first.saturating_sub(1)..].to_vec()
    }
}

impl Failover {
    /// Does one, and waits until commands are done at every node again.
    pub fn of(kind: Kind, machines: &Machines, probers: &[Prober], promotions: &Promotions) -> Self {
        let asked = Instant::now();
        machines.order(kind.command());
        // Killing is the last thing that the script does. A switchover goes on for longer, and begins with it.
        let began = if kind == Kind::Switchover {
            asked
        } else {
            Instant::now()
        };
        let deadline = began + PATIENCE;
        let promoted = loop {
            let promoted = promotions.since(asked);
            let is_over = promoted.is_some_and(|promoted| {
                let back = |prober: &Prober| prober.done_around(promoted.at).len() > DONE_AFTERWARDS;
                promoted.commits.is_some() && probers.iter().all(back)
            });
            if is_over || Instant::now() > deadline {
                break promoted;
            }
            thread::sleep(LOOK);
        };
        let ended = Instant::now();
        let pause = |prober: &Prober| {
            let mut done = prober.done_around(asked);
            // A node that does nothing any more.
            done.push(ended);
            let gaps = done.windows(2).map(|pair| pair[1] - pair[0]);
            gaps.max().unwrap_or(PATIENCE)
        };
        let back = |prober: &Prober| {
            promoted.map_or(PATIENCE, |promoted| {
                let done = prober.done_around(promoted.at);
                done.iter()
                    .find(|one| **one > promoted.at)
                    .map_or(PATIENCE, |one| *one - promoted.at)
            })
        };
        Self {
            kind,
            promoted_after: promoted.map(|promoted| promoted.at.saturating_duration_since(began)),
            commits_after: promoted.and_then(|promoted| Some(promoted.commits? - promoted.at)),
            pauses: probers.iter().map(pause).collect(),
            back_after: probers.iter().map(back).collect(),
        }
    }
}

impl fmt::Display for Failover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            promoted_after,
            commits_after,
            pauses,
            back_after,
        } = self;
        match promoted_after {
            Some(after) => write!(f, "{kind}: promoted after {after:.1?}")?,
            None => write!(f, "{kind}: nobody was promoted")?,
        }
        if let Some(after) = commits_after {
            write!(f, ", PostgreSQL commits {after:.1?} later")?;
        }
        write!(f, ", pauses {pauses:.1?}, back after the promotion {back_after:.1?}")
    }
}

/// Adds up the failovers of a kind, and notes those that never ended.
pub fn summarise(tally: &Tally, kind: Kind, failovers: &[Failover]) {
    let of_kind: Vec<_> = failovers.iter().filter(|failover| failover.kind == kind).collect();
    for failover in &of_kind {
        if failover.promoted_after.is_none() || failover.pauses.iter().any(|pause| *pause >= PATIENCE) {
            tally.find(failover);
        }
    }
    let figures = |what: &str, of: fn(&Failover) -> Vec<Duration>| {
        let all = of_kind.iter().flat_map(|failover| of(failover));
        tally.times(&format!("{kind}: {what}"), all.collect());
    };
    figures("until a standby was promoted", |failover| {
        failover.promoted_after.into_iter().collect()
    });
    figures("from the promotion until PostgreSQL committed", |failover| {
        failover.commits_after.into_iter().collect()
    });
    figures("pause at a node", |failover| failover.pauses.clone());
    figures("from the promotion until something was done", |failover| {
        failover.back_after.clone()
    });
}
