//! A tenant's log as used by its writer: the single interface between deciding and storing.
//!
//! PostgreSQL ([`super::postgres::PostgresLog`]) implements it in production, an in-memory model in the writer's
//! simulation. Rows are passed as stored: the writer checks hashes and MACs, so that both implementations are checked
//! alike.
//!
//! | Call | Changes the log | After a lost answer |
//! |---|---|---|
//! | [`head`](TenantLog::head), [`events`](TenantLog::events), [`load`](TenantLog::load) | no | repeat |
//! | [`append`](TenantLog::append) | all of it or nothing, if the head is the batch's base | fence before repeating |
//! | [`fence`](TenantLog::fence) | the head's epoch | repeat |
//!
//! Dropping a call before its answer is equivalent to losing the answer.

use crate::{
    beside::{
        idempotency_records::{IdempotencyRecord, IdempotencyRecordKey},
        unique_values::UniqueValueKey,
    },
    error::JournalError,
    history::Reports,
    log::{
        append::{Append, Appended},
        head::{Head, StoredHead},
        stored::StoredEvent,
    },
    people::subjects::StoredKey,
    proof::verify::Row,
    writer::snapshot::StateSnapshot,
};
use caudal_domain::{StreamId, ids::SubjectId};
use chrono::{DateTime, Utc};
use std::{collections::BTreeSet, time::Duration};
use uuid::Uuid;

/// One tenant's log, with at most one connection of its own.
///
/// Every call but [`Self::append`] returns [`JournalError::UnknownTenant`] for a missing tenant.
pub(crate) trait TenantLog: Send + 'static {
    /// The current head. One round trip.
    fn head(&mut self) -> impl Future<Output = Result<StoredHead, JournalError>> + Send;

    /// Locks and returns the head: no other append until the next [`Self::append`] has ended, or [`Self::unlock`].
    fn lock(&mut self) -> impl Future<Output = Result<StoredHead, JournalError>> + Send;

    /// Releases the lock without writing.
    fn unlock(&mut self);

    /// Events after a position in order, at most `limit`.
    fn events(&mut self, after: i64, limit: i64)
    -> impl Future<Output = Result<Vec<StoredEvent>, JournalError>> + Send;

    /// Passes each wanted fact that is stored to `take`, a stream's events in order. One round trip. May include facts
    /// appended since the writer's last read.
    fn load(
        &mut self,
        wanted: &WantedFacts,
        take: &mut Take<'_>,
    ) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Appends a batch if the head's position, epoch, hash and time equal those of its base. One round trip, one
    /// commit.
    fn append(&mut self, append: &Append) -> impl Future<Output = Result<Appended, AppendError>> + Send;

    /// Raises the head's epoch past `epoch`, that of the append whose answer was lost, and returns the head. Pending appends
    /// have ended then; the lost one, if it arrives later, finds another epoch and writes nothing.
    ///
    /// The head's own epoch may be lower than `epoch`: a failover can lose an earlier fence.
    fn fence(&mut self, epoch: i64) -> impl Future<Output = Result<Head, JournalError>> + Send;

    /// The last state snapshot that belongs to the current log.
    fn snapshot(&mut self) -> impl Future<Output = Result<Option<StateSnapshot>, JournalError>> + Send;

    /// Replaces the state snapshot in the background.
    fn write_snapshot(
        &self,
        snapshot: StateSnapshot,
        now: DateTime<Utc>,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<Self>;

    /// Quarantine reports about the tenant by all nodes, current and ended.
    fn reports(&mut self) -> impl Future<Output = Result<Reports, JournalError>> + Send;

    /// Time since the database server started.
    fn server_uptime(&mut self) -> impl Future<Output = Result<Duration, JournalError>> + Send;

    /// Publishes this node's quarantines in the background.
    fn publish(&mut self);

    /// Returns the connection to the pool.
    fn release(&mut self);
}

/// Receives facts as they are read.
pub(crate) type Take<'a> = dyn FnMut(Fact<'_>) -> Result<(), JournalError> + Send + 'a;

/// Keys of the rows that a batch's decisions need.
#[derive(Debug, Default)]
pub(crate) struct WantedFacts {
    pub(crate) idempotency_records: Vec<IdempotencyRecordKey>,
    pub(crate) streams: BTreeSet<StreamId>,
    pub(crate) unique_values: BTreeSet<UniqueValueKey>,
    pub(crate) subjects: BTreeSet<SubjectId>,
}

impl WantedFacts {
    pub(crate) fn is_empty(&self) -> bool {
        self.idempotency_records.is_empty()
            && self.streams.is_empty()
            && self.unique_values.is_empty()
            && self.subjects.is_empty()
    }
}

/// A stored row that a decision needs, with its authentication.
#[derive(Debug)]
pub(crate) enum Fact<'r> {
    IdempotencyRecord {
        key: IdempotencyRecordKey,
        idempotency_record: IdempotencyRecord,
        recorded_at: DateTime<Utc>,
        mac: Option<&'r [u8]>,
    },
    /// An event of a wanted stream.
    Event {
        event: Row<'r>,
        /// Hash of the preceding event; `None` for the first event or after a gap.
        before: Option<[u8; 32]>,
    },
    /// A unique value with its holder.
    UniqueValue {
        kind: &'r str,
        digest: [u8; 32],
        owner: Uuid,
        mac: Option<&'r [u8]>,
    },
    /// A person's data key or tombstone.
    Key(StoredKey<'r>),
}

/// Outcomes of an append that did not succeed for certain.
#[derive(Debug)]
pub(crate) enum AppendError {
    /// The log was unreachable, or refused for a reason outside the batch (a full disk, a canceled statement). Nothing
    /// was written.
    Unavailable(JournalError),
    /// A key of the batch that must be new already exists. Nothing was written.
    Exists(JournalError),
    /// The log refused the batch's content. Nothing was written.
    Refused(JournalError),
    /// The answer was lost: the batch was written, was not, or will be, unless a fence comes first.
    Unknown(JournalError),
}
