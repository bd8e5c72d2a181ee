//! A model of `journal.writer_leases`, with a clock of its own that runs fast or slow and may jump.

use super::{
    mishaps::{CallFault, Gate},
    model::{Model, Server},
};
use crate::{
    leases::{CurrentLeases, LEASE, Lease, LeaseTable, Leases},
    writer::faults::{Fault, is_planted},
};
use caudal_domain::ids::TenantId;
use std::{collections::BTreeMap, sync::Weak, time::Duration};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};
use uuid::Uuid;

/// How much faster or slower the table's clock may run than the nodes' timers, of a million.
const DRIFT: u64 = 20_000;

#[derive(Clone, Copy)]
struct Row {
    node: Uuid,
    address: usize,
    /// Expiry in microseconds of the table's clock.
    until: i64,
    /// When it was renewed after it had expired; `None` once it was taken again.
    revived: Option<Instant>,
}

/// The rows, as the server has them.
pub(super) struct LeaseRows {
    rows: BTreeMap<TenantId, Row>,
    began: Instant,
    /// Microseconds that the table's clock gains in a second.
    drift: i64,
    /// By how much the table's clock has jumped.
    pub(super) jumped: i64,
    /// Whether rows stay, and the clock never jumps: then a lease is believed by one node at a time.
    pub(super) is_reliable: bool,
    /// Whether nodes have an address, and so take leases.
    pub(super) are_used: bool,
    /// The leases as the running nodes know them.
    nodes: Vec<Weak<Leases<ModelTable>>>,
}

impl LeaseRows {
    pub(super) fn new(began: Instant) -> Self {
        Self {
            rows: BTreeMap::new(),
            began,
            drift: 0,
            jumped: 0,
            is_reliable: true,
            are_used: true,
            nodes: Vec::new(),
        }
    }

    /// Chooses how the table's clock runs, and whether it jumps and rows are lost.
    pub(super) fn choose(&mut self, roll: u64) {
        self.is_reliable = roll.is_multiple_of(2);
        self.drift =
            i64::try_from(roll / 2 % (2 * DRIFT)).unwrap_or_default() - i64::try_from(DRIFT).unwrap_or_default();
    }

    /// A failover loses what was not written down yet: leases are committed asynchronously.
    pub(super) fn lose(&mut self) {
        if !self.is_reliable {
            self.rows.clear();
        }
    }

    pub(super) fn joined(&mut self, index: usize, leases: Weak<Leases<ModelTable>>) {
        if self.nodes.len() <= index {
            self.nodes.resize(index + 1, Weak::new());
        }
        self.nodes[index] = leases;
    }

    /// For how long two nodes may believe in one lease, in microseconds: their timers run at another rate than the
    /// table's clock.
    fn overlap(&self) -> i64 {
        let lease = i64::try_from(LEASE.as_micros()).unwrap_or_default();
        lease * self.drift.abs() / 1_000_000 + 1_000
    }

    fn now(&self) -> i64 {
        let elapsed = i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX);
        elapsed + elapsed * self.drift / 1_000_000 + self.jumped
    }

    /// The node that holds a tenant's lease.
    pub(super) fn holder(&self, tenant: &TenantId) -> Option<usize> {
        let row = self.rows.get(tenant)?;
        (row.until > self.now()).then_some(row.address)
    }

    /// Whether a node does not hold the lease under which a command was forwarded to it, although it can know that.
    pub(super) fn is_wrongly_believed(&self, tenant: &TenantId, node: usize, sent: Instant) -> bool {
        let holds = |row: &Row| {
            let is_same = row.revived.is_none_or(|revived| sent >= revived);
            row.address == node && row.until + self.overlap() > self.now() && is_same
        };
        self.is_reliable && !self.rows.get(tenant).is_some_and(holds)
    }

    /// `journal.take_writer_lease`.
    fn take(&mut self, tenant: &TenantId, node: Uuid, address: usize) -> (Lease<usize>, Option<String>) {
        let now = self.now();
        let until = now + i64::try_from(LEASE.as_micros()).unwrap_or_default();
        let mut row = self.rows.get(tenant).copied();
        let mut violation = None;
        if row.is_none_or(|row| row.until <= now || row.node == node || is_planted(Fault::LeaseTakenBeforeItsEnd)) {
            let taken = Row {
                node,
                address,
                until,
                revived: None,
            };
            self.rows.insert(tenant.clone(), taken);
            row = Some(taken);
            violation = self.believed_elsewhere(tenant, address);
        }
        let lease = row.map_or(
            Lease {
                node,
                address,
                left: LEASE,
            },
            |row| row.lease(now),
        );
        (lease, violation)
    }

    fn believed_elsewhere(&self, tenant: &TenantId, taken_by: usize) -> Option<String> {
        if !self.is_reliable {
            return None;
        }
        let overlap = Duration::from_micros(self.overlap().unsigned_abs());
        let believers = self.nodes.iter().enumerate().filter(|(index, _)| *index != taken_by);
        believers
            .filter_map(|(index, leases)| Some((index, leases.upgrade()?.believed_until(tenant)?)))
            .find(|(_, until)| *until > Instant::now() + overlap)
            .map(|(index, _)| format!("node {taken_by} has a lease that node {index} believes in"))
    }

    /// `journal.renew_writer_leases`.
    fn renew(&mut self, node: Uuid, busy: &[TenantId]) -> (CurrentLeases<usize>, Option<String>) {
        let (now, overlap) = (self.now(), self.overlap());
        let until = now + i64::try_from(LEASE.as_micros()).unwrap_or_default();
        for (tenant, row) in &mut self.rows {
            if row.node == node && busy.contains(tenant) {
                if row.until + overlap < now {
                    row.revived = Some(Instant::now());
                }
                row.until = until;
            }
        }
        let current = || self.rows.iter().filter(move |(_, row)| row.until > now);
        let violation = current().find_map(|(tenant, row)| self.believed_elsewhere(tenant, row.address));
        let leases = current().map(|(tenant, row)| (tenant.clone(), row.lease(now)));
        (leases.collect(), violation)
    }
}

impl Row {
    fn lease(self, now: i64) -> Lease<usize> {
        Lease {
            node: self.node,
            address: self.address,
            left: Duration::from_micros(u64::try_from(self.until - now).unwrap_or_default()),
        }
    }
}

/// The table as one node reaches it.
pub(super) struct ModelTable {
    model: Model,
    gate: Gate,
}

impl ModelTable {
    pub(super) fn new(model: &Model, gate: &Gate) -> Self {
        Self {
            model: model.clone(),
            gate: gate.clone(),
        }
    }

    /// Has the server carry out a statement, whether or not its caller still waits.
    async fn carry_out<T: Send + 'static>(
        &self,
        statement: impl FnOnce(&mut Server) -> T + Send + 'static,
    ) -> Result<T, &'static str> {
        self.gate.pass().await;
        let (fault, there, back, generation) = {
            let mut server = self.model.server();
            (
                self.gate.call_fault(&mut server),
                server.pause(),
                server.pause(),
                server.generation,
            )
        };
        let delay = match fault {
            CallFault::Silent => return std::future::pending().await,
            CallFault::LostBefore | CallFault::Refused | CallFault::LostAnswer { carried_out: None } => {
                sleep(there).await;
                return Err("lost");
            }
            CallFault::LostAnswer {
                carried_out: Some(delay),
            } => delay,
            CallFault::None => Duration::ZERO,
        };
        let (done, answer) = oneshot::channel();
        let model = self.model.clone();
        tokio::spawn(async move {
            sleep(there + delay).await;
            let mut server = model.server();
            if server.generation == generation && !server.is_down {
                // The caller may have given up.
                let _ = done.send(statement(&mut server));
            }
        });
        if fault != CallFault::None {
            sleep(there).await;
            return Err("lost");
        }
        let answer = answer.await;
        sleep(back).await;
        self.gate.pass().await;
        if self.model.server().generation != generation {
            return Err("lost");
        }
        answer.map_err(|_| "lost")
    }
}

impl LeaseTable for ModelTable {
    type Address = usize;
    type Error = &'static str;

    async fn take(&self, tenant: &TenantId, node: Uuid, address: &usize) -> Result<Option<Lease<usize>>, &'static str> {
        let (tenant, address) = (tenant.clone(), *address);
        self.carry_out(move |server| {
            let (lease, violation) = server.leases.take(&tenant, node, address);
            server.violations.extend(violation);
            Some(lease)
        })
        .await
    }

    async fn renew(&self, node: Uuid, busy: Vec<TenantId>) -> Result<CurrentLeases<usize>, &'static str> {
        self.carry_out(move |server| {
            let (leases, violation) = server.leases.renew(node, &busy);
            server.violations.extend(violation);
            leases
        })
        .await
    }

    async fn release(&self, node: Uuid) -> Result<(), &'static str> {
        self.carry_out(move |server| server.leases.rows.retain(|_, row| row.node != node))
            .await
    }
}
