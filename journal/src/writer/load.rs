//! Loading: the state at the head, and the facts that a batch needs besides it.
//!
//! | What | When | Round trips |
//! |---|---|---|
//! | the whole state | none in memory: the first batch, after an error, in another generation of the history | snapshot, head, pages of events |
//! | events appended by other nodes | the last append found another head, or a read asks for the state | head, pages of events |
//! | the lock of the head | heads moved twice in a row | one |
//! | facts: streams, idempotency records, unique values, keys | a command needs one that is not in memory | one for all commands of the batch |
//!
//! Events must chain to the last known hash, and the head and rows beside the log must fit their MAC, before they are used.

use super::{
    CommandJob, TenantWriter,
    commit::Round,
    decide::{Draft, PreparedBatch},
    recover::{ANSWER_PATIENCE, BatchError, answered},
};
use crate::{
    beside::{
        idempotency_records::{self, IdempotencyRecord, IdempotencyRecordKey},
        unique_values::{self, UniqueValueKey},
    },
    clock,
    error::JournalError,
    journal::Node,
    log::{
        chain::{self, Hash},
        read,
        tenant_log::{Fact, TenantLog, WantedFacts},
    },
    people::subjects::SubjectKey,
    proof::verify::Row,
    writer::{
        faults::{Fault, is_planted},
        state::{Reading, State, Stream},
    },
};
use caudal_domain::{
    Command, StreamId, UniqueValueKind,
    customer::CustomerCommand,
    ids::{SubjectId, TenantId},
    movement::MovementCommand,
    remittance::RemittanceCommand,
};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
    time::Duration,
};
use uuid::Uuid;

/// Timeout for folding a log without a snapshot: some millions of events.
const OPEN_PATIENCE: Duration = Duration::from_secs(600);

/// Wait after the start of the database server for a node that has seen nothing of a log. The server may hold an older
/// copy of the database; nodes that have seen more report that within a second.
const OBJECTION_WAIT: Duration = Duration::from_secs(1);

/// Maximum rounds of loading and deciding for one batch: each round loads at least one more fact.
pub(super) const LOAD_LIMIT: u32 = 16;

/// Whether the head may move while a batch is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Footing {
    /// The head may move: the append compares it.
    Open,
    /// The head is locked: no other node appends until the batch has ended.
    Locked,
}

/// Facts that a batch is decided with, besides the state. They may be newer than the head that the batch is decided
/// on: the append or the confirmation then fails.
#[derive(Debug, Default)]
pub(super) struct LoadedFacts {
    /// Idempotency keys that were looked up, with their records.
    pub(super) idempotency_records: HashMap<IdempotencyRecordKey, Option<IdempotencyRecord>>,
    pub(super) streams: HashMap<StreamId, Arc<Stream>>,
    /// Unique values that were looked up, with their holders.
    pub(super) unique_values: HashMap<UniqueValueKey, Option<Uuid>>,
    /// People that were looked up, with their keys; `None` where a person never had a key.
    pub(super) keys: HashMap<SubjectId, Option<SubjectKey>>,
}

/// Whether a command writes the first event of its stream. Such a stream is presumed empty: where it is not, the
/// log's constraint on sequences refuses the append.
pub(super) const fn opens_its_stream(command: &Command) -> bool {
    match command {
        Command::Remittance(_, command) => matches!(command, RemittanceCommand::Create(_)),
        Command::Customer(_, command) => matches!(command, CustomerCommand::Register(_)),
        Command::Movement(_, command) => match command {
            MovementCommand::Deposit(_)
            | MovementCommand::Transfer(_)
            | MovementCommand::Expense(_)
            | MovementCommand::PayDebits(_)
            | MovementCommand::Open(_) => true,
            MovementCommand::Reverse { .. } => false,
        },
        // Rare commands: their streams are read, also where they begin one.
        Command::Tenant(_)
        | Command::Currency(..)
        | Command::Place(_)
        | Command::PaymentGroup(..)
        | Command::Party(..)
        | Command::Closure(_)
        | Command::Rates(..)
        | Command::ApiKey(..)
        | Command::Webhook(..)
        | Command::Proposal(..) => false,
    }
}

impl LoadedFacts {
    /// Takes a stream from the cache, or notes that it must be loaded.
    pub(super) fn want_stream(&mut self, wanted: &mut WantedFacts, state: &mut State, id: StreamId) {
        if self.streams.contains_key(&id) {
            return;
        }
        match state.streams.get(&id) {
            Some(stream) => {
                self.streams.insert(id, stream);
            }
            None => {
                wanted.streams.insert(id);
            }
        }
    }

    /// Whether a stream's state is known rather than presumed empty.
    pub(super) fn knows_stream(&self, id: &StreamId) -> bool {
        self.streams.contains_key(id)
    }

    /// A person's key, if it was loaded or is cached.
    pub(super) fn key(&mut self, node: &Node, tenant: &TenantId, subject: SubjectId) -> Option<&Option<SubjectKey>> {
        match self.keys.entry(subject) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(unknown) => {
                let key = node.subjects.get(tenant, subject)?;
                Some(unknown.insert(Some(key)))
            }
        }
    }

    /// A stream's state; empty where the stream has no events.
    pub(super) fn stream(&self, id: StreamId) -> Arc<Stream> {
        self.streams
            .get(&id)
            .cloned()
            .unwrap_or_else(|| Arc::new(Stream::empty(id)))
    }

    /// Loads the wanted facts in one round trip.
    pub(super) async fn load(
        &mut self,
        log: &mut impl TenantLog,
        node: &Node,
        tenant: &TenantId,
        wanted: WantedFacts,
    ) -> Result<(), JournalError> {
        if wanted.is_empty() {
            return Ok(());
        }
        // No row comes back for a fact that is not stored.
        self.idempotency_records
            .extend(wanted.idempotency_records.iter().map(|key| (key.clone(), None)));
        self.streams
            .extend(wanted.streams.iter().map(|id| (*id, Arc::new(Stream::empty(*id)))));
        self.unique_values
            .extend(wanted.unique_values.iter().map(|unique_value| (*unique_value, None)));
        self.keys.extend(wanted.subjects.iter().map(|subject| (*subject, None)));
        log.load(&wanted, &mut |fact| self.take(node, tenant, fact)).await
    }

    /// Takes a stored row after its MAC was verified.
    fn take(&mut self, node: &Node, tenant: &TenantId, fact: Fact<'_>) -> Result<(), JournalError> {
        match fact {
            Fact::IdempotencyRecord {
                key,
                idempotency_record,
                recorded_at,
                mac,
            } => {
                let IdempotencyRecord {
                    digest,
                    answer,
                    position,
                } = &idempotency_record;
                idempotency_records::row_mac(&node.macs, tenant, &key, digest, answer, *position, recorded_at)
                    .check(mac)?;
                self.idempotency_records.insert(key, Some(idempotency_record));
            }
            Fact::Event { event, before } => self.take_event(tenant, &event, before)?,
            Fact::UniqueValue {
                kind: name,
                digest,
                owner,
                mac,
            } => {
                let kind = UniqueValueKind::ALL.iter().copied().find(|kind| kind.as_str() == name);
                let kind = kind.ok_or_else(|| JournalError::Unexpected(format!("a claim of the kind {name:?}")))?;
                unique_values::mac(&node.macs, tenant, name, &digest, owner).check(mac)?;
                self.unique_values.insert((kind, digest), Some(owner));
            }
            Fact::Key(stored) => {
                let subject = stored.subject;
                let key = stored.authentic(&node.macs, tenant)?.unwrapped(&node.keyring, tenant);
                node.subjects.keep(tenant, subject, key.clone());
                self.keys.insert(subject, Some(key));
            }
        }
        Ok(())
    }

    fn take_event(&mut self, tenant: &TenantId, event: &Row<'_>, before: Option<Hash>) -> Result<(), JournalError> {
        let position = event.position;
        let unreadable = |source| JournalError::Unreadable {
            tenant: tenant.clone(),
            position,
            source,
        };
        let before = match position {
            1 => Some(chain::genesis(tenant.as_str())),
            _ => before,
        };
        // The hash is checked before decoding: a changed event may not decode.
        let expected = before.and_then(|before| event.expected_hash(tenant, &before));
        if expected.is_none() || expected != event.hash {
            return Err(JournalError::Changed {
                tenant: tenant.clone(),
                position,
            });
        }
        let id = read::stream_id(event.aggregate_type, event.aggregate_id).map_err(unreadable)?;
        let decoded = read::stored_event(id.kind, event).map_err(unreadable)?;
        let stream = self.streams.entry(id).or_insert_with(|| Arc::new(Stream::empty(id)));
        let stream = Arc::make_mut(stream);
        // An event that was deleted or moved to another stream leaves a gap.
        if event.sequence != stream.sequence + 1 {
            return Err(JournalError::Changed {
                tenant: tenant.clone(),
                position,
            });
        }
        stream.apply(&decoded, position);
        Ok(())
    }
}

impl<L: TenantLog> TenantWriter<L> {
    /// Brings the state to the head that the next batch is decided on: reads the log where there is no state, and the
    /// events of other nodes where those are known to have appended. Locks the head after repeated conflicts.
    pub(super) async fn bring_up(&mut self) -> Result<Footing, BatchError> {
        let patience = if self.state.is_some() {
            ANSWER_PATIENCE
        } else {
            OPEN_PATIENCE
        };
        answered(patience, self.bring_up_in_any_time()).await
    }

    async fn bring_up_in_any_time(&mut self) -> Result<Footing, BatchError> {
        self.log.unlock();
        let generation = self.node.histories.generation(&self.tenant);
        if generation != self.generation {
            self.answer_settled();
            self.reset();
            self.node.wakes.drop_newest(&self.tenant);
            self.generation = generation;
        }
        if self.state.is_none() {
            self.log.release();
            self.state = Some(self.open().await?);
            self.behind = false;
        }
        let Some(state) = &mut self.state else {
            return Err(BatchError::NoTenant);
        };
        let footing = if self.contention.locks_first() {
            let head = self.log.lock().await?;
            state
                .catch_up(&mut self.log, &self.node.macs, &self.tenant, head)
                .await?;
            Footing::Locked
        } else {
            if self.behind {
                let head = self.log.head().await?;
                if is_planted(Fault::EventsNotRead) {
                    state.head = head.head;
                }
                state
                    .catch_up(&mut self.log, &self.node.macs, &self.tenant, head)
                    .await?;
            }
            Footing::Open
        };
        self.behind = false;
        self.evict_forgotten();
        self.publish();
        Ok(footing)
    }

    /// Reads the state. Another node may have put the tenant into quarantine in the meantime.
    async fn open(&mut self) -> Result<State, JournalError> {
        let (histories, tenant) = (&self.node.histories, &self.tenant);
        if histories.quarantine(tenant).is_none() {
            if histories.expected(tenant).is_none() {
                let uptime = self.log.server_uptime().await?;
                tokio::time::sleep(OBJECTION_WAIT.saturating_sub(uptime)).await;
            }
            let reports = self.log.reports().await?;
            for other in reports.stored.iter().filter(|other| other.decision.is_none()) {
                histories.adopt(&other.report, self.node.clock.now());
            }
            if reports.changed.contains(tenant) {
                histories.reports_changed(tenant, self.node.clock.now());
            } else {
                histories.reports_are_authentic(tenant);
            }
        }
        self.generation = histories.generation(tenant);
        let reading = if histories.quarantine(tenant).is_some() && !histories.is_ending(tenant) {
            Reading::AsFound
        } else {
            let extends = histories.expected(tenant);
            Reading::Checked { extends }
        };
        let state = State::open(&mut self.log, &self.node.macs, tenant, reading).await?;
        if reading != Reading::AsFound {
            let at = state.head.recorded_at;
            let (point, numbers) = (state.head.point(), state.tenant_state.numbers());
            histories.saw(tenant, point, Some(numbers), at, Vec::new());
        }
        Ok(state)
    }

    /// Drops the keys of people whom other nodes have forgotten.
    fn evict_forgotten(&mut self) {
        let forgotten = self.state.as_mut().map(|state| std::mem::take(&mut state.forgotten));
        for subject in forgotten.into_iter().flatten() {
            self.evict(subject);
        }
    }

    /// Drops a forgotten person's key, and events in subscribers' queues that may be about the person.
    pub(super) fn evict(&self, subject: SubjectId) {
        self.node.subjects.evict(&self.tenant, subject);
        self.node.wakes.drop_newest(&self.tenant);
    }

    /// Alternates loading and deciding until no decision needs another fact; then seals and chains the events.
    pub(super) async fn prepare(&mut self, jobs: &[CommandJob], presumes: bool) -> Result<Round, BatchError> {
        let Self {
            node,
            tenant,
            log,
            state: Some(state),
            ..
        } = self
        else {
            return Err(BatchError::NoTenant);
        };
        let mut facts = LoadedFacts::default();
        let mut wanted = WantedFacts::default();
        for job in jobs {
            let command = &job.submission.command;
            if !presumes {
                wanted
                    .idempotency_records
                    .extend(job.idempotency_record.as_ref().map(|(key, _)| key.clone()));
            }
            if !presumes || !opens_its_stream(command) {
                facts.want_stream(&mut wanted, state, command.stream());
            }
            for id in command.reads() {
                facts.want_stream(&mut wanted, state, id);
            }
        }
        let now = clock::recorded_at(node.clock.as_ref(), &state.head);
        for _ in 0..LOAD_LIMIT {
            facts.load(log, node, tenant, wanted).await?;
            let mut draft = Draft::on(state.tenant_state.clone(), state.head.position, now);
            for job in jobs {
                draft.add(node, tenant, &mut facts, job)?;
            }
            wanted = std::mem::take(&mut draft.wanted);
            if wanted.is_empty() {
                let mut sealed = PreparedBatch::after(node, tenant, state.head, now);
                draft.encrypt(tenant, &facts, &mut sealed)?;
                draft.close(node, tenant, &mut sealed)?;
                return Ok(Round {
                    draft,
                    sealed,
                    facts,
                    presumes,
                });
            }
        }
        Err(BatchError::Broken(JournalError::Unexpected(
            "decisions that want ever more facts".to_owned(),
        )))
    }
}
