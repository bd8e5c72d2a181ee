//! A tenant in the writer: its state, folded from all events, and the cached streams.

use crate::{
    beside::authenticity::RowMacs,
    cache::Cache,
    error::JournalError,
    history::{Divergence, DivergenceKind, LogPoint},
    log::{
        chain,
        head::{Head, StoredHead},
        read::{self, MAX_EVENTS, Recorded},
        stored::StoredEvent,
        tenant_log::TenantLog,
    },
    writer::faults::{Fault, is_planted},
};
use caudal_domain::{
    Command, Event, StreamId, StreamState, TenantRecord, TenantState,
    ids::{SubjectId, TenantId},
};
use chrono::DateTime;
use std::{collections::HashMap, sync::Arc};

/// Size of the stream cache: the remittances and customers of a busy day, some kilobytes each.
const CACHED_STREAMS: usize = 4_096;

/// A stream's state with the place of its last event.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) state: StreamState,
    /// 0 where there is no event yet.
    pub(crate) sequence: i64,
    /// Position of its last event in the log; 0 where there is no event yet.
    position: i64,
    /// Of the tenant's own stream: position of the last event of each of its records. Empty for others.
    records: HashMap<TenantRecord, i64>,
}

impl Stream {
    pub(crate) fn empty(id: StreamId) -> Self {
        Self {
            state: StreamState::new(id.kind),
            sequence: 0,
            position: 0,
            records: HashMap::new(),
        }
    }

    /// Applies the next event.
    pub(crate) fn apply(&mut self, event: &Event, position: i64) {
        self.state.apply(event);
        self.sequence += 1;
        self.position = position;
        if let Event::Tenant(event) = event {
            self.records.insert(event.record(), position);
        }
    }

    /// Position of the last change of the record that a command of this stream changes; 0 where there is none.
    pub(crate) fn changed_at(&self, command: &Command) -> i64 {
        match command.tenant_record() {
            Some(record) => self.records.get(&record).copied().unwrap_or_default(),
            None => self.position,
        }
    }
}

/// A tenant's state at a head.
pub(crate) struct State {
    pub(crate) head: Head,
    pub(crate) reading: Reading,
    pub(crate) tenant_state: TenantState,
    pub(crate) streams: Cache<StreamId, Arc<Stream>>,
    /// Position of the last snapshot that was written or read.
    pub(crate) snapshot: i64,
    /// People forgotten by applied events, until the writer drops their keys.
    pub(crate) forgotten: Vec<SubjectId>,
}

/// How a log is read into the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every event must chain to the one before it, and the log must extend this place. Decisions require this mode.
    Checked { extends: Option<LogPoint> },
    /// Without checks of the chain, while the tenant is in quarantine: nothing is decided on such a state.
    AsFound,
}

impl State {
    /// Folds a tenant's state from the last snapshot, or from event 1 without one.
    pub(crate) async fn open(
        log: &mut impl TenantLog,
        macs: &RowMacs,
        tenant: &TenantId,
        reading: Reading,
    ) -> Result<Self, JournalError> {
        let mut state = Self::of_snapshot(log, tenant, reading).await?;
        let target = log.head().await?;
        log.release();
        state.reach(log, macs, tenant, target).await?;
        Ok(state)
    }

    /// The state of the last snapshot, or of an empty log without one. [`Self::reach`] makes it one that can be relied on; the
    /// head is read in between, since a snapshot may be newer than a head that was read before.
    pub(crate) async fn of_snapshot(
        log: &mut impl TenantLog,
        tenant: &TenantId,
        reading: Reading,
    ) -> Result<Self, JournalError> {
        Ok(match log.snapshot().await? {
            Some(found) => {
                let head = Head {
                    position: found.position,
                    hash: found.hash,
                    epoch: 0,
                    recorded_at: found.recorded_at,
                };
                Self::at(head, found.tenant_state, reading)
            }
            None => Self::genesis(tenant, reading),
        })
    }

    /// Checks what the state comes from, and applies the events up to a head.
    pub(crate) async fn reach(
        &mut self,
        log: &mut impl TenantLog,
        macs: &RowMacs,
        tenant: &TenantId,
        target: StoredHead,
    ) -> Result<(), JournalError> {
        if let Reading::Checked { extends } = self.reading {
            self.require_own_event(log, tenant).await?;
            if let Some(known) = extends {
                require_extends(log, tenant, &target.head, known).await?;
            }
        }
        self.catch_up(log, macs, tenant, target).await
    }

    /// Requires the event at this state's position to fit its hash. The state comes from a snapshot, and the event's
    /// time is the lower bound for the next event.
    async fn require_own_event(&self, log: &mut impl TenantLog, tenant: &TenantId) -> Result<(), JournalError> {
        let place = self.head.point();
        if place.position == 0 {
            return Ok(());
        }
        let mut events = log.events((place.position - 2).max(0), 2).await?.into_iter();
        let before = if place.position == 1 {
            Some(chain::genesis(tenant.as_str()))
        } else {
            events.next().and_then(|event| event.hash)
        };
        let is_own = |event: &StoredEvent| {
            event.position == place.position
                && before.and_then(|before| event.expected_hash(tenant, &before)) == Some(place.hash)
        };
        if events.next().as_ref().is_some_and(is_own) {
            return Ok(());
        }
        Err(diverged(tenant, DivergenceKind::Broken, place, None))
    }

    /// The state of an empty log.
    pub(crate) fn genesis(tenant: &TenantId, reading: Reading) -> Self {
        let hash = chain::genesis(tenant.as_str());
        Self::at(
            Head {
                position: 0,
                hash,
                epoch: 0,
                recorded_at: DateTime::UNIX_EPOCH,
            },
            TenantState::default(),
            reading,
        )
    }

    fn at(head: Head, tenant_state: TenantState, reading: Reading) -> Self {
        Self {
            head,
            reading,
            tenant_state,
            streams: Cache::new(CACHED_STREAMS),
            snapshot: head.position,
            forgotten: Vec::new(),
        }
    }

    /// Applies the events up to a head. All of them chain to it, and its MAC vouches for them: without it the database's owner
    /// could add some.
    pub(crate) async fn catch_up(
        &mut self,
        log: &mut impl TenantLog,
        macs: &RowMacs,
        tenant: &TenantId,
        target: StoredHead,
    ) -> Result<(), JournalError> {
        let known = self.head.point();
        while self.head.position < target.head.position {
            let before = self.head.position;
            self.advance(log, tenant, &target.head).await?;
            if self.head.position == before {
                break;
            }
        }
        self.arrive(tenant, target.head)?;
        if self.reading != Reading::AsFound && !target.is_vouched_for(macs, tenant) {
            let found = target.head.point();
            return Err(diverged(tenant, DivergenceKind::HeadUnsigned, known, Some(found)));
        }
        Ok(())
    }

    /// Adopts a head once all events up to it are applied. The head's time must equal the last event's, which is
    /// hashed: a different time was changed in the database.
    fn arrive(&mut self, tenant: &TenantId, target: Head) -> Result<(), JournalError> {
        let (known, found) = (self.head.point(), target.point());
        if self.reading != Reading::AsFound {
            if found.position < known.position {
                return Err(diverged(tenant, DivergenceKind::Shortened, known, Some(found)));
            }
            if found != known {
                return Err(diverged(tenant, DivergenceKind::HeadChanged, known, Some(found)));
            }
            if found.position > 0 && target.recorded_at != self.head.recorded_at {
                return Err(diverged(tenant, DivergenceKind::HeadChanged, known, Some(found)));
            }
        }
        self.head.epoch = target.epoch;
        if found.position == 0 {
            self.head.recorded_at = target.recorded_at;
        }
        Ok(())
    }

    /// Reads and applies the next page of events: at least one, except at the end of a log that is read without
    /// checks.
    async fn advance(
        &mut self,
        log: &mut impl TenantLog,
        tenant: &TenantId,
        target: &Head,
    ) -> Result<(), JournalError> {
        let limit = (target.position - self.head.position).min(MAX_EVENTS);
        let after = self.head.point();
        let stored = log.events(after.position, limit).await?;
        if self.reading == Reading::AsFound {
            self.apply_as_found(tenant, &stored);
            return Ok(());
        }
        if stored.is_empty() {
            return Err(diverged(
                tenant,
                DivergenceKind::HeadChanged,
                after,
                Some(target.point()),
            ));
        }
        for recorded in read::following(tenant, after, &stored)? {
            self.apply(&recorded);
        }
        Ok(())
    }

    /// Applies a page of a log in quarantine, without checks of its chain. Undecodable events are left out: the
    /// others are shown, and nothing is decided on them.
    fn apply_as_found(&mut self, tenant: &TenantId, page: &[StoredEvent]) {
        let mut unreadable = Vec::new();
        for event in page {
            match read::decoded(tenant, &event.row()) {
                Ok(recorded) => self.apply(&recorded),
                Err(error) => {
                    unreadable.push(error);
                    self.head.position = event.position;
                }
            }
        }
        if let Some(first) = unreadable.first() {
            let events = unreadable.len();
            tracing::error!(%tenant, events, %first, "events can't be read and are left out");
        }
    }

    fn apply(&mut self, recorded: &Recorded) {
        self.tenant_state.apply(&recorded.event, recorded.recorded_at);
        self.forgotten.extend(recorded.event.erases());
        if let Some(mut stream) = self.streams.get(&recorded.stream)
            && !is_planted(Fault::StreamsLeftStale)
        {
            let changed = Arc::make_mut(&mut stream);
            changed.apply(&recorded.event, recorded.position);
            changed.sequence = recorded.sequence;
            self.streams.insert(recorded.stream, stream);
        }
        self.head.position = recorded.position;
        self.head.hash = recorded.hash;
        self.head.recorded_at = recorded.recorded_at;
    }
}

fn diverged(tenant: &TenantId, kind: DivergenceKind, known: LogPoint, found: Option<LogPoint>) -> JournalError {
    JournalError::Diverged {
        tenant: tenant.clone(),
        divergence: Divergence { kind, known, found },
    }
}

/// Requires a log to extend a place that the node has seen.
async fn require_extends(
    log: &mut impl TenantLog,
    tenant: &TenantId,
    head: &Head,
    known: LogPoint,
) -> Result<(), JournalError> {
    if head.position < known.position {
        return Err(diverged(tenant, DivergenceKind::Shortened, known, Some(head.point())));
    }
    if known.position == 0 {
        return Ok(());
    }
    let event = log.events(known.position - 1, 1).await?.into_iter().next();
    let found = event.and_then(|event| {
        Some(LogPoint {
            position: event.position,
            hash: event.hash?,
        })
    });
    if found == Some(known) {
        Ok(())
    } else {
        Err(diverged(tenant, DivergenceKind::Rewritten, known, found))
    }
}
