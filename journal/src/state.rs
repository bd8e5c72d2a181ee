//! A tenant's state as a lane keeps it: the books, folded from all events, and the streams used lately.

use crate::{
    authenticity::RowMacs,
    cache::Cache,
    chain,
    error::JournalError,
    head::{self, Head},
    read::{self, MAX_EVENTS, Range, Recorded},
    snapshot,
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
    pub(crate) books: Books,
    pub(crate) streams: Cache<StreamId, Arc<Stream>>,
    /// The position of the last snapshot written or read.
    pub(crate) snapshot: i64,
    /// Whom the events applied since it was last looked at have forgotten.
    pub(crate) forgotten: Vec<SubjectId>,
}

impl State {
    /// Folds a tenant's state: from the last snapshot where there is one, else from event 1.
    pub(crate) async fn open(database: &Database, macs: &RowMacs, tenant: &TenantId) -> Result<Self, JournalError> {
        let mut state = match snapshot::read(database, macs, tenant).await? {
            Some(found) => {
                let head = Head {
                    position: found.position,
                    hash: found.hash,
                    epoch: 0,
                    recorded_at: found.recorded_at,
                };
                Self::at(head, found.books)
            }
            None => Self::genesis(tenant),
        };
        let mut connection = database.pool().acquire().await?;
        let target = head::read(&mut connection, tenant).await?;
        drop(connection);
        let target = target.ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))?;
        while state.head.position < target.position {
            let mut transaction = database.begin_read(tenant.as_str()).await?;
            state.advance(&mut transaction, tenant, &target).await?;
        }
        state.arrive(tenant, target)?;
        Ok(state)
    }

    /// The state before any event.
    pub(crate) fn genesis(tenant: &TenantId) -> Self {
        let hash = chain::genesis(tenant.as_str());
        Self::at(
            Head {
                position: 0,
                hash,
                epoch: 0,
                recorded_at: DateTime::UNIX_EPOCH,
            },
            Books::default(),
        )
    }

    fn at(head: Head, books: Books) -> Self {
        Self {
            head,
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
            self.advance(transaction, tenant, &target).await?;
        }
        self.arrive(tenant, target)
    }

    /// Takes a head for this state's, once all events up to it are applied.
    fn arrive(&mut self, tenant: &TenantId, target: Head) -> Result<(), JournalError> {
        if (self.head.position, self.head.hash) != (target.position, target.hash) {
            // The head was tampered with, or a backup was restored behind this node's back.
            let (known, found) = (self.head.position, target.position);
            return Err(JournalError::Unexpected(format!(
                "the head of {tenant} at position {found} is not the end of the log known to position {known}"
            )));
        }
        self.head = target;
        Ok(())
    }

    /// Reads and applies the next events, at least one.
    async fn advance(
        &mut self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        target: &Head,
    ) -> Result<(), JournalError> {
        let limit = (target.position - self.head.position).min(MAX_EVENTS);
        let events = read::sealed(
            transaction,
            tenant,
            Range::After {
                position: self.head.position,
                limit,
            },
        )
        .await?;
        if events.is_empty() {
            let (expected, found) = (self.head.position + 1, target.position);
            return Err(JournalError::Gap {
                tenant: tenant.clone(),
                expected,
                found,
            });
        }
        for recorded in &events {
            self.apply(recorded);
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
