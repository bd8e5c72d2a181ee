//! A tenant's state as a lane keeps it: the books, folded from all events, and the streams used lately.

use crate::{
    authenticity::RowMacs,
    cache::Cache,
    chain,
    error::JournalError,
    head::{self, Head},
    history::{Divergence, DivergenceKind, LogPoint},
    read::{self, MAX_EVENTS, Range, Recorded},
    snapshot, stored,
};
use caudal_domain::{
    Books, StreamId, StreamState,
    ids::{SubjectId, TenantId},
};
use caudal_postgres::Database;
use chrono::DateTime;
use sqlx::PgConnection;
use std::sync::Arc;

/// How many streams a lane keeps in memory: the remittances and customers of a busy day, some kilobytes each.
const CACHED_STREAMS: usize = 4_096;

/// A stream's state with the place of its last event.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) state: StreamState,
    /// 0 where there is no event yet.
    pub(crate) sequence: i64,
    /// Where its last event stands in the log; 0 where there is none yet.
    pub(crate) position: i64,
}

impl Stream {
    pub(crate) fn empty(id: StreamId) -> Self {
        Self {
            state: StreamState::new(id.kind),
            sequence: 0,
            position: 0,
        }
    }
}

/// A tenant's state at a head.
pub(crate) struct State {
    pub(crate) head: Head,
    pub(crate) reading: Reading,
    pub(crate) books: Books,
    pub(crate) streams: Cache<StreamId, Arc<Stream>>,
    /// The position of the last snapshot written or read.
    pub(crate) snapshot: i64,
    /// Whom the events applied since it was last looked at have forgotten.
    pub(crate) forgotten: Vec<SubjectId>,
}

/// How a log is read into the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every event has to chain to the one before it, and the log to extend this place: decisions are made on it.
    Checked { extends: Option<LogPoint> },
    /// As it stands, while the tenant is in quarantine: nothing is decided on it.
    AsFound,
}

impl State {
    /// Folds a tenant's state: from the last snapshot where there is one, else from event 1.
    pub(crate) async fn open(
        database: &Database,
        macs: &RowMacs,
        tenant: &TenantId,
        reading: Reading,
    ) -> Result<Self, JournalError> {
        let mut state = match snapshot::read(database, macs, tenant).await? {
            Some(found) => {
                let head = Head {
                    position: found.position,
                    hash: found.hash,
                    epoch: 0,
                    recorded_at: found.recorded_at,
                };
                Self::at(head, found.books, reading)
            }
            None => Self::genesis(tenant, reading),
        };
        let mut connection = database.pool().acquire().await?;
        let target = head::read(&mut connection, tenant).await?;
        drop(connection);
        let target = target.ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))?;
        if let Reading::Checked { extends } = reading {
            let mut transaction = database.begin_read(tenant.as_str()).await?;
            state.require_own_event(&mut transaction, tenant).await?;
            if let Some(known) = extends {
                require_extends(&mut transaction, tenant, &target, known).await?;
            }
        }
        while state.head.position < target.position {
            let mut transaction = database.begin_read(tenant.as_str()).await?;
            let before = state.head.position;
            state.advance(&mut transaction, tenant, &target).await?;
            if state.head.position == before {
                break;
            }
        }
        state.arrive(tenant, target)?;
        Ok(state)
    }

    /// Requires the event at this state's place, where the state was not folded from, to be what was hashed: its time is
    /// what the next event's may not be before.
    async fn require_own_event(&self, transaction: &mut PgConnection, tenant: &TenantId) -> Result<(), JournalError> {
        let place = self.head.point();
        if place.position == 0 {
            return Ok(());
        }
        let mut events = stored::page(transaction, tenant, (place.position - 2).max(0), 2)
            .await?
            .into_iter();
        let before = if place.position == 1 {
            Some(chain::genesis(tenant.as_str()))
        } else {
            events.next().and_then(|event| event.hash)
        };
        let is_own = |event: &stored::StoredEvent| {
            event.position == place.position
                && before.and_then(|before| event.expected_hash(tenant, &before)) == Some(place.hash)
        };
        if events.next().as_ref().is_some_and(is_own) {
            return Ok(());
        }
        Err(diverged(tenant, DivergenceKind::Broken, place, None))
    }

    /// The state before any event.
    pub(crate) fn genesis(tenant: &TenantId, reading: Reading) -> Self {
        let hash = chain::genesis(tenant.as_str());
        Self::at(
            Head {
                position: 0,
                hash,
                epoch: 0,
                recorded_at: DateTime::UNIX_EPOCH,
            },
            Books::default(),
            reading,
        )
    }

    fn at(head: Head, books: Books, reading: Reading) -> Self {
        Self {
            head,
            reading,
            books,
            streams: Cache::new(CACHED_STREAMS),
            snapshot: head.position,
            forgotten: Vec::new(),
        }
    }

    /// Applies what other nodes have appended, on a connection whose transaction has set the tenant, up to a head.
    pub(crate) async fn catch_up(
        &mut self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        target: Head,
    ) -> Result<(), JournalError> {
        while self.head.position < target.position {
            let before = self.head.position;
            self.advance(transaction, tenant, &target).await?;
            if self.head.position == before {
                break;
            }
        }
        self.arrive(tenant, target)
    }

    /// Takes a head for this state's, once all events up to it are applied. Its time is the last event's, which is hashed;
    /// a head that says another one was changed.
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

    /// Reads and applies the next events: at least one, unless the log is read as it stands and there are no more.
    async fn advance(
        &mut self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        target: &Head,
    ) -> Result<(), JournalError> {
        let limit = (target.position - self.head.position).min(MAX_EVENTS);
        let after = self.head.point();
        let range = match self.reading {
            Reading::Checked { .. } => Range::Following { after, limit },
            Reading::AsFound => Range::Loose {
                position: after.position,
                limit,
            },
        };
        let events = match read::sealed(transaction, tenant, range).await {
            Err(error) if self.reading == Reading::AsFound && !error.is_of_the_database() => {
                return self.advance_by_one(transaction, tenant, &error).await;
            }
            read => read?,
        };
        if events.is_empty() && self.reading != Reading::AsFound {
            return Err(diverged(
                tenant,
                DivergenceKind::HeadChanged,
                after,
                Some(target.point()),
            ));
        }
        for recorded in &events {
            self.apply(recorded);
        }
        Ok(())
    }

    /// Applies the next event of a log that is read as it stands, and passes over one that can't be read: the others are
    /// shown, and nothing is decided on them.
    async fn advance_by_one(
        &mut self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        error: &JournalError,
    ) -> Result<(), JournalError> {
        let position = self.head.position;
        let next = Range::Loose { position, limit: 1 };
        match read::sealed(transaction, tenant, next).await {
            Ok(events) => events.iter().for_each(|recorded| self.apply(recorded)),
            Err(unreadable) if unreadable.is_of_the_database() => return Err(unreadable),
            Err(_) => {
                tracing::error!(%tenant, position = position + 1, %error, "an event can't be read and is left out");
                self.head.position = position + 1;
            }
        }
        Ok(())
    }

    fn apply(&mut self, recorded: &Recorded) {
        self.books.apply(&recorded.event, recorded.recorded_at);
        self.forgotten.extend(recorded.event.forgets());
        if let Some(mut stream) = self.streams.get(&recorded.stream) {
            let changed = Arc::make_mut(&mut stream);
            changed.state.apply(&recorded.event);
            changed.sequence = recorded.sequence;
            changed.position = recorded.position;
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

/// Requires a log to extend a place that was seen.
async fn require_extends(
    transaction: &mut PgConnection,
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
    let event = stored::page(transaction, tenant, known.position - 1, 1)
        .await?
        .into_iter()
        .next();
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
