//! A model of PostgreSQL as a tenant's writers use it: one log in memory, reached by several nodes.
//!
//! Modelled: atomic appends with the constraints of the tables; answers lost before or after the statement took
//! effect; statements carried out long after their caller gave up; failing connections and servers; appends refused
//! because the disk is full; the head's lock; failovers with or without loss. Every call takes time by the
//! simulation's clock; the seed chooses times and faults.

use super::{
    random::Random,
    tables::{Batch, Stored},
};
use crate::{
    beside::authenticity::RowMacs,
    error::JournalError,
    history::StoredReport,
    log::{
        append::{Append, Appended},
        head::Head,
        stored::StoredEvent,
        tenant_log::{AppendError, Fact, Take, TenantLog, Wanted},
    },
    people::subjects::StoredKey,
    writer::snapshot::Snapshot,
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
    time::{Instant, sleep},
};

/// Number of recent commits that a failover may lose.
const REMEMBERED: usize = 6;

/// Poll interval of a statement that waits for the head's lock.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// Outage longer than a writer's timeout for finding the outcome of an append.
const LONG_OUTAGE: Duration = Duration::from_secs(40);

/// Fault rates per 1,000 calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaultRates {
    /// The connection is lost before the statement is sent.
    pub(super) lost_before: u64,
    /// The answer is lost; the statement took effect, takes effect later, or never does.
    pub(super) lost_answers: u64,
    /// The server refuses an append because the disk is full.
    pub(super) refused: u64,
    /// No answer arrives.
    pub(super) silent: u64,
}

pub(super) const NO_FAULTS: FaultRates = FaultRates {
    lost_before: 0,
    lost_answers: 0,
    refused: 0,
    silent: 0,
};

/// The server, as all nodes reach it.
pub(super) struct Server {
    pub(super) stored: Stored,
    pub(super) random: Random,
    pub(super) fault_rates: FaultRates,
    /// Incremented by every failover: connections to an earlier generation are dead.
    generation: u64,
    is_down: bool,
    /// Connection that holds the head's lock.
    lock: Option<u64>,
    locks: u64,
    remembered: Vec<Stored>,
    /// Commit time of each position.
    pub(super) committed_at: BTreeMap<i64, Instant>,
    /// Failovers, with the position that each returned to.
    pub(super) failovers: Vec<(Instant, i64)>,
}

/// The model, shared by all nodes.
#[derive(Clone)]
pub(super) struct Model(Arc<Mutex<Server>>);

/// What a call meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallFault {
    None,
    LostBefore,
    /// The answer is lost, and the statement is carried out after this delay.
    LostAnswer {
        carried_out: Option<Duration>,
    },
    Refused,
    Silent,
}

impl Model {
    pub(super) fn new(stored: Stored, seed: u64) -> Self {
        Self(Arc::new(Mutex::new(Server {
            stored,
            random: Random::new(seed),
            fault_rates: NO_FAULTS,
            generation: 0,
            is_down: false,
            lock: None,
            locks: 0,
            remembered: Vec::new(),
            committed_at: BTreeMap::new(),
            failovers: Vec::new(),
        })))
    }

    pub(super) fn server(&self) -> MutexGuard<'_, Server> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A node's connection to the log.
    pub(super) fn connect(&self, macs: &RowMacs, tenant: &TenantId) -> ModelLog {
        ModelLog {
            model: self.clone(),
            macs: macs.clone(),
            tenant: tenant.clone(),
            lock: None,
        }
    }

    /// Stops all faults from now on.
    pub(super) fn stop_faults(&self) {
        let mut server = self.server();
        server.fault_rates = NO_FAULTS;
        server.is_down = false;
    }

    /// Stops answering for the length of an outage.
    pub(super) async fn go_down(&self, outage: Duration) {
        self.server().is_down = true;
        sleep(outage).await;
        self.server().is_down = false;
    }

    /// Promotes another server, which may lack a random number of the last commits.
    pub(super) fn fail_over(&self, loses: bool) {
        let mut server = self.server();
        server.generation += 1;
        server.lock = None;
        if loses && !server.remembered.is_empty() {
            let last = server.remembered.len() as u64;
            let at = server.random.below(last) as usize;
            let before = server.remembered.swap_remove(at);
            server.remembered.clear();
            let position = before.head.position;
            if position < server.stored.head.position {
                server.failovers.push((Instant::now(), position));
            }
            server.stored = before;
        }
    }
}

impl Server {
    fn pause(&mut self) -> Duration {
        // The network is mostly fast and sometimes slow.
        if self.random.below(20) == 0 {
            Duration::from_millis(1 + self.random.below(300))
        } else {
            Duration::from_micros(100 + self.random.below(4_000))
        }
    }

    fn call_fault(&mut self) -> CallFault {
        if self.is_down {
            return CallFault::LostBefore;
        }
        let FaultRates {
            lost_before,
            lost_answers,
            refused,
            silent,
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

    fn commit(&mut self, batch: &Batch) -> Result<Appended, AppendError> {
        let before = self.stored.clone();
        let appended = self.stored.append(batch)?;
        if matches!(appended, Appended::Durable) {
            if self.remembered.len() == REMEMBERED {
                self.remembered.remove(0);
            }
            self.remembered.push(before);
            for event in &batch.events {
                self.committed_at.insert(event.position, Instant::now());
            }
        }
        Ok(appended)
    }
}

/// A node's connection to the log.
pub(super) struct ModelLog {
    model: Model,
    macs: RowMacs,
    tenant: TenantId,
    lock: Option<u64>,
}

impl Drop for ModelLog {
    fn drop(&mut self) {
        self.unlock();
    }
}

impl ModelLog {
    /// Runs a statement that changes nothing.
    async fn read<T>(&self, read: impl FnOnce(&Stored) -> T + Send) -> Result<T, JournalError> {
        let (call_fault, there, back, generation) = {
            let mut server = self.model.server();
            (server.call_fault(), server.pause(), server.pause(), server.generation)
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
            read(&server.stored)
        };
        sleep(back).await;
        if self.model.server().generation != generation || matches!(call_fault, CallFault::LostAnswer { .. }) {
            return Err(lost());
        }
        Ok(found)
    }

    /// Runs a statement that changes stored rows; the server carries it out even if the caller has given up.
    fn carry_out<T: Send + 'static>(
        &self,
        after: Duration,
        lock: Option<u64>,
        change: impl FnOnce(&mut Server) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let model = self.model.clone();
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
                    if server.lock.is_none() || server.lock == lock {
                        let value = change(&mut server);
                        if lock.is_some() {
                            server.lock = None;
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
            if server.generation == generation && server.lock.is_none() && server.stored.head == head {
                server.locks += 1;
                server.lock = Some(server.locks);
                self.lock = server.lock;
                return Ok(head);
            }
        }
    }

    fn unlock(&mut self) {
        if let Some(lock) = self.lock.take() {
            let mut server = self.model.server();
            if server.lock == Some(lock) {
                server.lock = None;
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
        let stored = self.read(Stored::clone).await?;
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
        let batch = Batch::of(append, &self.macs, &self.tenant);
        let (call_fault, there, back) = {
            let mut server = self.model.server();
            (server.call_fault(), server.pause(), server.pause())
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
                drop(self.carry_out(there, None, move |server| drop(server.commit(&batch))));
                std::future::pending().await
            }
            CallFault::LostAnswer { carried_out } => {
                // A connection to a server that is down is sometimes lost.
                if self.model.server().random.below(10) == 0 {
                    let model = self.model.clone();
                    tokio::spawn(async move { model.go_down(LONG_OUTAGE).await });
                }
                if let Some(delay) = carried_out {
                    drop(self.carry_out(delay, None, move |server| drop(server.commit(&batch))));
                }
                sleep(there).await;
                Err(AppendError::Unknown(lost()))
            }
            CallFault::None => {
                let generation = self.model.server().generation;
                let appended = self.carry_out(there, lock, move |server| server.commit(&batch)).await;
                sleep(back).await;
                match appended {
                    Ok(appended) if self.model.server().generation == generation => appended,
                    _ => Err(AppendError::Unknown(lost())),
                }
            }
        }
    }

    async fn fence(&mut self, epoch: i64) -> Result<Head, JournalError> {
        let (call_fault, there, back) = {
            let mut server = self.model.server();
            (server.call_fault(), server.pause(), server.pause())
        };
        let raise = move |server: &mut Server| {
            server.stored.head.epoch = server.stored.head.epoch.max(epoch) + 1;
            server.stored.head
        };
        match call_fault {
            CallFault::None => {
                let generation = self.model.server().generation;
                let raised = self.carry_out(there, None, raise).await;
                sleep(back).await;
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

    async fn reports(&mut self) -> Result<Vec<StoredReport>, JournalError> {
        Ok(Vec::new())
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
