//! A model of PostgreSQL as the writers of several tenants use it: logs in memory, reached by several nodes.
//!
//! Modelled: atomic appends with the constraints of the tables; answers that are lost before or after the statement took
//! effect; statements that are carried out long after their caller gave up; connections and servers that fail; statements
//! that are refused for want of space; the head's lock; a failover with or without loss. All of it takes time by the
//! simulation's clock, and is chosen by its seed.
//!
//! | File | Content |
//! |---|---|
//! | this one | the server, its commits and failovers |
//! | [`statements`] | a statement on its way: carried out late, or lost |
//! | [`log`] | the log as a writer reaches it |

mod log;
mod statements;

use super::{
    mishaps::{FaultRates, Gate, NO_FAULTS},
    random::Random,
    stored::{Batch, Stored},
    table::LeaseRows,
    world::World,
};
use crate::{
    beside::authenticity::RowMacs,
    log::{append::Appended, tenant_log::AppendError},
};
use caudal_domain::ids::TenantId;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// States that a failover may go back to: commits of the last moments.
const REMEMBERED: usize = 6;

/// One tenant's log at the server.
pub(super) struct ServerLog {
    pub(super) stored: Stored,
    /// Who holds the head's lock.
    lock: Option<u64>,
    /// When each position was committed.
    pub(super) committed_at: BTreeMap<i64, Instant>,
    /// Failovers that lost commits, and the positions that each went back to.
    pub(super) failovers: Vec<(Instant, i64)>,
}

/// The server, as all nodes reach it.
pub(super) struct Server {
    pub(super) logs: Vec<ServerLog>,
    pub(super) leases: LeaseRows,
    pub(super) random: Random,
    pub(super) fault_rates: FaultRates,
    /// Goes up with every failover: connections to an earlier one are dead.
    pub(super) generation: u64,
    pub(super) is_down: bool,
    locks: u64,
    /// What was stored before each of the last commits, by tenant.
    remembered: Vec<Vec<Stored>>,
    /// What went wrong, as far as it is seen when it happens.
    pub(super) violations: Vec<String>,
    tenants: Vec<TenantId>,
}

/// The model, shared by all nodes.
#[derive(Clone)]
pub(super) struct Model(Arc<Mutex<Server>>);

/// The log as one node reaches it.
pub(super) struct ModelLog {
    model: Model,
    macs: RowMacs,
    tenant: TenantId,
    at: usize,
    gate: Gate,
    lock: Option<u64>,
}

impl Model {
    pub(super) fn new(world: &World, seed: u64, began: Instant) -> Self {
        let logs = world.start.iter().map(|stored| ServerLog {
            stored: stored.clone(),
            lock: None,
            committed_at: BTreeMap::new(),
            failovers: Vec::new(),
        });
        Self(Arc::new(Mutex::new(Server {
            logs: logs.collect(),
            leases: LeaseRows::new(began),
            random: Random::new(seed),
            fault_rates: NO_FAULTS,
            generation: 0,
            is_down: false,
            locks: 0,
            remembered: Vec::new(),
            violations: Vec::new(),
            tenants: world.tenants.clone(),
        })))
    }

    pub(super) fn server(&self) -> MutexGuard<'_, Server> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The log as one node reaches it.
    pub(super) fn connect(&self, macs: &RowMacs, tenant: &TenantId, at: usize, gate: &Gate) -> ModelLog {
        ModelLog {
            model: self.clone(),
            macs: macs.clone(),
            tenant: tenant.clone(),
            at,
            gate: gate.clone(),
            lock: None,
        }
    }

    /// From now on nothing goes wrong any more.
    pub(super) fn stop_faults(&self) {
        let mut server = self.server();
        server.fault_rates = NO_FAULTS;
        server.is_down = false;
    }

    /// The server answers nothing for a while.
    pub(super) async fn go_down(&self, outage: Duration) {
        self.server().is_down = true;
        sleep(outage).await;
        self.server().is_down = false;
    }

    /// The clock of the server jumps.
    pub(super) fn jump(&self, millis: i64) {
        let leases = &mut self.server().leases;
        if !leases.is_reliable {
            leases.jumped += millis * 1_000;
        }
    }

    /// Another server takes over, which lacks the last commits, as many as it happens.
    pub(super) fn fail_over(&self, loses: bool) {
        let mut server = self.server();
        server.generation += 1;
        server.leases.lose();
        for log in &mut server.logs {
            log.lock = None;
        }
        if loses && !server.remembered.is_empty() {
            let last = server.remembered.len() as u64;
            let at = server.random.below(last) as usize;
            let before = server.remembered.swap_remove(at);
            server.remembered.clear();
            for (log, before) in server.logs.iter_mut().zip(before) {
                let position = before.head.position;
                if position < log.stored.head.position {
                    log.failovers.push((Instant::now(), position));
                }
                log.stored = before;
            }
        }
    }
}

impl Server {
    /// A node begins a command that was forwarded to it.
    pub(super) fn begins_forwarded(&mut self, tenant: usize, node: usize, sent: Instant) {
        if self.leases.is_wrongly_believed(&self.tenants[tenant], node, sent) {
            let violation = format!("node {node} runs what was forwarded to it, and has no lease, or another one");
            self.violations.push(violation);
        }
    }

    fn commit(&mut self, at: usize, batch: &Batch) -> Result<Appended, AppendError> {
        let before = self.logs.iter().map(|log| log.stored.clone()).collect();
        let log = &mut self.logs[at];
        let appended = log.stored.append(batch)?;
        if matches!(appended, Appended::Durable) {
            for event in &batch.events {
                log.committed_at.insert(event.position, Instant::now());
            }
            if self.remembered.len() == REMEMBERED {
                self.remembered.remove(0);
            }
            self.remembered.push(before);
        }
        Ok(appended)
    }
}
