//! One tenant's log as the tenant's writer uses it: the one interface between deciding and storing.
//!
//! PostgreSQL ([`super::postgres::PostgresLog`]) is the implementation in production. A model in memory stands in for
//! PostgreSQL in the writer's simulation. The interface hands over rows as they are stored: hashes and MACs are checked by
//! the writer, so that both implementations are checked alike.
//!
//! | Call | Changes the log | Its answer may be lost and the call |
//! |---|---|---|
//! | [`head`](TenantLog::head), [`events`](TenantLog::events), [`load`](TenantLog::load) | no | be repeated |
//! | [`append`](TenantLog::append) | yes, all of it or nothing, where the head is the batch's base | not be repeated before a fence |
//! | [`fence`](TenantLog::fence) | the head's epoch | be repeated |
//!
//! A call that is dropped before it has answered is one whose answer was lost.

use crate::{
    beside::{
        claims::ClaimKey,
        receipts::{Receipt, ReceiptKey},
    },
    error::JournalError,
    history::StoredReport,
    log::{
        append::{Append, Appended},
        head::Head,
        stored::StoredEvent,
    },
    people::subjects::StoredKey,
    proof::verify::Row,
    writer::snapshot::Snapshot,
};
use caudal_domain::{StreamId, ids::SubjectId};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;
use uuid::Uuid;

/// One tenant's log, with at most one connection of its own.
///
/// Every call answers [`JournalError::UnknownTenant`] where there is no such tenant, but for [`Self::append`].
pub(crate) trait TenantLog: Send + 'static {
    /// The head as it is now. One round trip.
    fn head(&mut self) -> impl Future<Output = Result<Head, JournalError>> + Send;

    /// The head, locked: nobody else appends until the next [`Self::append`] has ended, or [`Self::unlock`].
    fn lock(&mut self) -> impl Future<Output = Result<Head, JournalError>> + Send;

    /// Ends a lock; nothing of it was written.
    fn unlock(&mut self);

    /// The events after a position, in order, at most `limit`.
    fn events(&mut self, after: i64, limit: i64)
    -> impl Future<Output = Result<Vec<StoredEvent>, JournalError>> + Send;

    /// Hands over each fact that is wanted and stored, a stream's events in order. One round trip. What was appended since
    /// the writer last looked may be among them.
    fn load(&mut self, wanted: &Wanted, take: &mut Take<'_>) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Appends a batch, if the head's position, epoch, hash and time are those of its base. One round trip, one commit.
    fn append(&mut self, append: &Append) -> impl Future<Output = Result<Appended, AppendError>> + Send;

    /// Raises the head's epoch past `epoch`, in which the append was decided whose answer was lost. Appends under way have
    /// ended then; that append, if it arrives later, finds another epoch and writes nothing. Answers the head after that.
    ///
    /// The head's own epoch may be lower than `epoch`, where a failover lost an earlier fence.
    fn fence(&mut self, epoch: i64) -> impl Future<Output = Result<Head, JournalError>> + Send;

    /// The last snapshot of the state that belongs to the log as it is.
    fn snapshot(&mut self) -> impl Future<Output = Result<Option<Snapshot>, JournalError>> + Send;

    /// Writes a snapshot in place of an older one, aside from the writer's own calls.
    fn write_snapshot(
        &self,
        snapshot: Snapshot,
        now: DateTime<Utc>,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<Self>;

    /// The reports of the tenant's quarantines by all nodes, in force and ended.
    fn reports(&mut self) -> impl Future<Output = Result<Vec<StoredReport>, JournalError>> + Send;

    /// Has the other nodes told of this node's quarantines. Returns before that is done.
    fn publish(&mut self);

    /// Gives the connection back.
    fn release(&mut self);
}

/// Takes facts as they are read.
pub(crate) type Take<'a> = dyn FnMut(Fact<'_>) -> Result<(), JournalError> + Send + 'a;

/// The rows that the decisions of a batch need, by their keys.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) receipts: Vec<ReceiptKey>,
    pub(crate) streams: BTreeSet<StreamId>,
    pub(crate) claims: BTreeSet<ClaimKey>,
    pub(crate) subjects: BTreeSet<SubjectId>,
}

impl Wanted {
    pub(crate) fn is_empty(&self) -> bool {
        self.receipts.is_empty() && self.streams.is_empty() && self.claims.is_empty() && self.subjects.is_empty()
    }
}

/// A stored row that a decision needs, with what authenticates it.
#[derive(Debug)]
pub(crate) enum Fact<'r> {
    /// An idempotency record.
    Receipt {
        key: ReceiptKey,
        receipt: Receipt,
        recorded_at: DateTime<Utc>,
        mac: Option<&'r [u8]>,
    },
    /// An event of a stream.
    Event {
        event: Row<'r>,
        /// The hash of the event before it in the log; none for the first, or where there is a hole.
        before: Option<[u8; 32]>,
    },
    /// A unique value with its holder.
    Claim {
        kind: &'r str,
        digest: [u8; 32],
        owner: Uuid,
        mac: Option<&'r [u8]>,
    },
    /// A person's data key, or tombstone.
    Key(StoredKey<'r>),
}

/// Why an append was not carried out, or may not have been.
#[derive(Debug)]
pub(crate) enum AppendError {
    /// The log could not be asked, or refused for a cause outside the batch (a full disk, a cancelled statement). Nothing
    /// was written.
    Unavailable(JournalError),
    /// Something of the batch that has to be new is stored already. Nothing was written.
    Exists(JournalError),
    /// The log refused the batch for what is in it. Nothing was written.
    Refused(JournalError),
    /// The answer was lost: the batch was written, or was not, or will be later, unless a fence comes first.
    Unknown(JournalError),
}
