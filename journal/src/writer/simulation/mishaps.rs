//! What goes wrong with single calls: statements to the server, commands on their way to another node, and nodes that
//! stand still or are cut off.

use super::model::Server;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, sleep_until};

/// How often things go wrong, of 1,000 calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaultRates {
    /// The connection is lost before the statement is sent.
    pub(super) lost_before: u64,
    /// The answer is lost; the statement took effect, or will later, or never does.
    pub(super) lost_answers: u64,
    /// The server refuses an append for want of space.
    pub(super) refused: u64,
    /// No answer ever comes.
    pub(super) silent: u64,
    /// A command that one node forwards to another does not arrive, arrives late, or its answer is lost.
    pub(super) network: u64,
    /// Number of ways through the network of which one is slow.
    pub(super) fast: u64,
}

/// No fault at all.
pub(super) const NO_FAULTS: FaultRates = FaultRates {
    lost_before: 0,
    lost_answers: 0,
    refused: 0,
    silent: 0,
    network: 0,
    fast: 20,
};

/// What a call meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallFault {
    None,
    LostBefore,
    /// The answer is lost, and the statement carried out after this.
    LostAnswer {
        carried_out: Option<Duration>,
    },
    Refused,
    Silent,
}

/// What a command meets on its way to another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NetworkFault {
    None,
    NotReached,
    /// It arrives after this.
    Late(Duration),
    /// The connection is cut; the command arrives after this nevertheless.
    AnswerLost(Duration),
    Silent,
}

impl Server {
    pub(super) fn pause(&mut self) -> Duration {
        // Mostly a fast network, at times a slow one.
        if self.random.below(self.fault_rates.fast) == 0 {
            Duration::from_millis(1 + self.random.below(300))
        } else {
            Duration::from_micros(100 + self.random.below(4_000))
        }
    }

    pub(super) fn call_fault(&mut self) -> CallFault {
        if self.is_down {
            return CallFault::LostBefore;
        }
        let FaultRates {
            lost_before,
            lost_answers,
            refused,
            silent,
            ..
        } = self.fault_rates;
        let mut roll = self.random.below(1_000);
        let mut is = |share: u64| {
            let hit = roll < share;
            roll = roll.saturating_sub(share);
            hit
        };
        if is(lost_before) {
            CallFault::LostBefore
        } else if is(lost_answers) {
            let carried_out = match self.random.below(4) {
                0 => None,
                1 => Some(Duration::ZERO),
                2 => Some(Duration::from_millis(self.random.below(50))),
                _ => Some(Duration::from_millis(self.random.below(2_000))),
            };
            CallFault::LostAnswer { carried_out }
        } else if is(refused) {
            CallFault::Refused
        } else if is(silent) {
            CallFault::Silent
        } else {
            CallFault::None
        }
    }

    pub(super) fn network_fault(&mut self) -> NetworkFault {
        if self.random.below(1_000) >= self.fault_rates.network {
            return NetworkFault::None;
        }
        match self.random.below(4) {
            0 => NetworkFault::NotReached,
            1 => NetworkFault::AnswerLost(Duration::from_millis(self.random.below(1_500))),
            2 => NetworkFault::Silent,
            _ => NetworkFault::Late(Duration::from_millis(self.random.below(5_000))),
        }
    }
}

/// What holds a node up.
#[derive(Clone)]
pub(super) struct Gate(Arc<Mutex<Held>>);

#[derive(Clone, Copy)]
struct Held {
    /// The node stands still.
    still_until: Instant,
    /// The node does not reach the server.
    cut_off_until: Instant,
}

impl Gate {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self(Arc::new(Mutex::new(Held {
            still_until: now,
            cut_off_until: now,
        })))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn close(&self, time: Duration) {
        self.held().still_until = Instant::now() + time;
    }

    pub(super) fn open(&self) {
        self.held().still_until = Instant::now();
    }

    pub(super) fn cut_off(&self, time: Duration) {
        self.held().cut_off_until = Instant::now() + time;
    }

    /// What a statement of the node meets.
    pub(super) fn call_fault(&self, server: &mut Server) -> CallFault {
        let fault = server.call_fault();
        if self.held().cut_off_until > Instant::now() {
            CallFault::LostBefore
        } else {
            fault
        }
    }

    /// Waits while the node stands still.
    pub(super) async fn pass(&self) {
        loop {
            let until = self.held().still_until;
            if until <= Instant::now() {
                return;
            }
            sleep_until(until).await;
        }
    }
}
