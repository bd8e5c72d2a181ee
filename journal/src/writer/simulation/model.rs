//! A model of PostgreSQL as the writers of several tenants use it: logs in memory, reached by several nodes.
//!
//! Modelled: atomic appends with the constraints of the tables; answers that are lost before or after the statement took
//! effect; statements that are carried out long after their caller gave up; connections and servers that fail; statements
//! that are refused for want of space; the head's lock; a failover with or without loss. All of it takes time by the
//! simulation's clock, and is chosen by its seed.

use super::{
    random::Random,
    stored::{Batch, Stored},
    table::LeaseRows,
    world::World,
};
use crate::{
    beside::authenticity::RowMacs,
    error::JournalError,
    history::Reports,
    log::{
        append::{Append, Appended},
        head::Head,
        stored::StoredEvent,
        tenant_log::{AppendError, Fact, Take, TenantLog, Wanted},
    },
    people::subjects::StoredKey,
    writer::{
        faults::{Fault, is_planted},
        snapshot::Snapshot,
    },
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep, sleep_until},
};

/// States that a failover may go back to: commits of the last moments.
const REMEMBERED: usize = 6;

/// How often a statement that waits for the head's lock looks for it.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// Longer than a writer tries to find out what became of an append.
const LONG_OUTAGE: Duration = Duration::from_secs(40);

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

/// The model, shared by all nodes.
#[derive(Clone)]
pub(super) struct Model(Arc<Mutex<Server>>);

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

/// The log as one node reaches it.
pub(super) struct ModelLog {
    model: Model,
    macs: RowMacs,
    tenant: TenantId,
    at: usize,
    gate: Gate,
    lock: Option<u64>,
}

impl Drop for ModelLog {
    fn drop(&mut self) {
        self.unlock();
    }
}

impl ModelLog {
    /// A statement that changes nothing.
    async fn read<T>(&self, read: impl FnOnce(&Stored) -> T + Send) -> Result<T, JournalError> {
        self.read_of(self.at, read).await
    }

    /// A statement that changes nothing, on the rows of a tenant.
    async fn read_of<T>(&self, at: usize, read: impl FnOnce(&Stored) -> T + Send) -> Result<T, JournalError> {
        self.gate.pass().await;
        let (call_fault, there, back, generation) = {
            let mut server = self.model.server();
            (
                self.gate.call_fault(&mut server),
                server.pause(),
                server.pause(),
                server.generation,
            )
        };
        match call_fault {
            CallFault::Silent => return std::future::pending().await,
            CallFault::LostBefore => {
                sleep(there).await;
                return Err(lost());
            }
            _ => {}
        }
        sleep(there).await;
        let found = {
            let server = self.model.server();
            if server.generation != generation || server.is_down {
                return Err(lost());
            }
            read(&server.logs[at].stored)
        };
        sleep(back).await;
        self.gate.pass().await;
        if self.model.server().generation != generation || matches!(call_fault, CallFault::LostAnswer { .. }) {
            return Err(lost());
        }
        Ok(found)
    }

    /// A statement that changes what is stored: carried out by the server, whether or not its caller still waits.
    fn carry_out<T: Send + 'static>(
        &self,
        after: Duration,
        lock: Option<u64>,
        change: impl FnOnce(&mut Server) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (model, at) = (self.model.clone(), self.at);
        let generation = model.server().generation;
        let (done, changed) = oneshot::channel();
        tokio::spawn(async move {
            sleep(after).await;
            loop {
                {
                    let mut server = model.server();
                    if server.generation != generation {
                        return;
                    }
                    let held = server.logs[at].lock;
                    if held.is_none() || held == lock {
                        let value = change(&mut server);
                        if lock.is_some() {
                            server.logs[at].lock = None;
                        }
                        // The caller may have given up.
                        let _ = done.send(value);
                        return;
                    }
                }
                sleep(LOCK_POLL).await;
            }
        });
        changed
    }
}

impl TenantLog for ModelLog {
    async fn head(&mut self) -> Result<Head, JournalError> {
        self.read(|stored| stored.head).await
    }

    async fn lock(&mut self) -> Result<Head, JournalError> {
        self.unlock();
        loop {
            let generation = self.model.server().generation;
            let head = self.read(|stored| stored.head).await?;
            let mut server = self.model.server();
            let log = &server.logs[self.at];
            if server.generation == generation && log.lock.is_none() && log.stored.head == head {
                server.locks += 1;
                self.lock = Some(server.locks);
                server.logs[self.at].lock = self.lock;
                return Ok(head);
            }
        }
    }

    fn unlock(&mut self) {
        if let Some(lock) = self.lock.take() {
            let mut server = self.model.server();
            let log = &mut server.logs[self.at];
            if log.lock == Some(lock) {
                log.lock = None;
            }
        }
    }

    async fn events(&mut self, after: i64, limit: i64) -> Result<Vec<StoredEvent>, JournalError> {
        let limit = usize::try_from(limit).unwrap_or_default();
        self.read(move |stored| {
            let found = stored.events.iter().filter(|event| event.position > after);
            found.take(limit).map(|event| StoredEvent::clone(event)).collect()
        })
        .await
    }

    async fn load(&mut self, wanted: &Wanted, take: &mut Take<'_>) -> Result<(), JournalError> {
        let of = if is_planted(Fault::RowsOfAnotherTenant) {
            1 - self.at
        } else {
            self.at
        };
        let stored = self.read_of(of, Stored::clone).await?;
        for key in &wanted.receipts {
            if let Some((receipt, recorded_at, mac)) = stored.receipts.get(key) {
                take(Fact::Receipt {
                    key: key.clone(),
                    receipt: receipt.clone(),
                    recorded_at: *recorded_at,
                    mac: Some(mac.as_slice()),
                })?;
            }
        }
        for stream in &wanted.streams {
            let id = stream.id.to_string();
            let mut before = None;
            for event in &stored.events {
                if event.aggregate_type == stream.kind.as_str() && event.aggregate_id == id {
                    let event = event.row();
                    take(Fact::Event { event, before })?;
                }
                before = event.hash;
            }
        }
        for (kind, digest) in &wanted.claims {
            if let Some((owner, mac)) = stored.claims.get(&(*kind, *digest)) {
                take(Fact::Claim {
                    kind: kind.as_str(),
                    digest: *digest,
                    owner: *owner,
                    mac: Some(mac.as_slice()),
                })?;
            }
        }
        for subject in &wanted.subjects {
            if let Some((master, wrapped, mac)) = stored.keys.get(subject) {
                take(Fact::Key(StoredKey {
                    subject: *subject,
                    master: Some(master.as_str()),
                    wrapped: Some(wrapped.as_slice()),
                    forgotten_at: None,
                    mac: Some(mac.as_slice()),
                }))?;
            }
        }
        Ok(())
    }

    async fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        self.gate.pass().await;
        let (batch, at) = (Batch::of(append, &self.macs, &self.tenant), self.at);
        let (call_fault, there, back) = {
            let mut server = self.model.server();
            (self.gate.call_fault(&mut server), server.pause(), server.pause())
        };
        let lock = self.lock.take();
        if lock.is_some() && !matches!(call_fault, CallFault::None) {
            // The transaction that holds the lock ends with its connection.
            self.lock = lock;
            self.unlock();
            sleep(there).await;
            return Err(AppendError::Unknown(lost()));
        }
        match call_fault {
            CallFault::LostBefore => {
                sleep(there).await;
                Err(AppendError::Unavailable(lost()))
            }
            CallFault::Refused => {
                sleep(there).await;
                let full = sqlx::Error::Io(io::ErrorKind::StorageFull.into());
                Err(AppendError::Unavailable(JournalError::Unexpected(full.to_string())))
            }
            CallFault::Silent => {
                drop(self.carry_out(there, None, move |server| drop(server.commit(at, &batch))));
                std::future::pending().await
            }
            CallFault::LostAnswer { carried_out } => {
                // At times the connection was lost since the server is gone for long.
                if self.model.server().random.below(10) == 0 {
                    let model = self.model.clone();
                    tokio::spawn(async move { model.go_down(LONG_OUTAGE).await });
                }
                if let Some(delay) = carried_out {
                    drop(self.carry_out(delay, None, move |server| drop(server.commit(at, &batch))));
                }
                sleep(there).await;
                Err(AppendError::Unknown(lost()))
            }
            CallFault::None => {
                let generation = self.model.server().generation;
                let appended = self
                    .carry_out(there, lock, move |server| server.commit(at, &batch))
                    .await;
                sleep(back).await;
                self.gate.pass().await;
                match appended {
                    Ok(appended) if self.model.server().generation == generation => appended,
                    _ => Err(AppendError::Unknown(lost())),
                }
            }
        }
    }

    async fn fence(&mut self, epoch: i64) -> Result<Head, JournalError> {
        self.gate.pass().await;
        let at = self.at;
        let (call_fault, there, back) = {
            let mut server = self.model.server();
            (self.gate.call_fault(&mut server), server.pause(), server.pause())
        };
        let raise = move |server: &mut Server| {
            let head = &mut server.logs[at].stored.head;
            head.epoch = head.epoch.max(epoch) + 1;
            *head
        };
        match call_fault {
            CallFault::None => {
                let generation = self.model.server().generation;
                let raised = self.carry_out(there, None, raise).await;
                sleep(back).await;
                self.gate.pass().await;
                match raised {
                    Ok(head) if self.model.server().generation == generation => Ok(head),
                    _ => Err(lost()),
                }
            }
            CallFault::LostAnswer {
                carried_out: Some(delay),
            } => {
                drop(self.carry_out(delay, None, raise));
                sleep(there).await;
                Err(lost())
            }
            CallFault::Silent => std::future::pending().await,
            _ => {
                sleep(there).await;
                Err(lost())
            }
        }
    }

    async fn snapshot(&mut self) -> Result<Option<Snapshot>, JournalError> {
        Ok(None)
    }

    fn write_snapshot(
        &self,
        _: Snapshot,
        _: DateTime<Utc>,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        std::future::ready(Ok(()))
    }

    async fn reports(&mut self) -> Result<Reports, JournalError> {
        Ok(Reports::default())
    }

    async fn server_uptime(&mut self) -> Result<Duration, JournalError> {
        Ok(Duration::MAX)
    }

    fn publish(&mut self) {}

    fn release(&mut self) {
        self.unlock();
    }
}

fn lost() -> JournalError {
    sqlx::Error::Io(io::ErrorKind::ConnectionReset.into()).into()
}
