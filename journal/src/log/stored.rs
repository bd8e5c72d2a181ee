//! Stored events: texts and numbers as covered by the chain, not decrypted.

use crate::{
    error::JournalError,
    journal::Journal,
    log::chain::{self, Hash},
    proof::verify::Row,
};
use caudal_domain::ids::TenantId;
use caudal_postgres::Timestamp;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

/// A stored event. Values outside Caudal's format read as `None` and match no hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Position in the tenant's log, from 1.
    pub position: i64,
    pub aggregate_type: String,
    pub aggregate_id: String,
    /// Sequence number in the stream, from 1.
    pub sequence: i64,
    pub event_type: String,
    pub event_version: String,
    /// Whole microseconds.
    pub recorded_at: Option<DateTime<Utc>>,
    /// Actor, role and request as JSON.
    pub metadata: String,
    /// As JSON, with encrypted parts as ciphertext.
    pub payload: String,
    pub hash: Option<Hash>,
}

impl StoredEvent {
    /// Hash expected after the hash `previous`; `None` for an event without a valid time.
    #[must_use]
    pub fn expected_hash(&self, tenant: &TenantId, previous: &Hash) -> Option<Hash> {
        self.row().expected_hash(tenant, previous)
    }

    pub(crate) fn row(&self) -> Row<'_> {
        Row {
            position: self.position,
            aggregate_type: &self.aggregate_type,
            aggregate_id: &self.aggregate_id,
            sequence: self.sequence,
            event_type: &self.event_type,
            event_version: &self.event_version,
            recorded_at: self.recorded_at,
            metadata: &self.metadata,
            payload: &self.payload,
            hash: self.hash,
        }
    }

    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            position: row.try_get("position")?,
            aggregate_type: row.try_get("aggregate_type")?,
            aggregate_id: row.try_get("aggregate_id")?,
            sequence: row.try_get("sequence")?,
            event_type: row.try_get("event_type")?,
            event_version: row.try_get("event_version")?,
            recorded_at: Timestamp::of(row, "recorded_at")?,
            metadata: row.try_get("metadata")?,
            payload: row.try_get("payload")?,
            hash: row.try_get::<&[u8], _>("hash")?.try_into().ok(),
        })
    }
}

impl Journal {
    /// A stored event with its predecessor's hash; `None` for a missing event or predecessor.
    pub async fn stored(&self, tenant: &TenantId, position: i64) -> Result<Option<(Hash, StoredEvent)>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let mut events = page(&mut transaction, tenant, position.saturating_sub(2).max(0), 2)
            .await?
            .into_iter();
        if position == 1 {
            let first = events.next().filter(|event| event.position == 1);
            return Ok(first.map(|event| (chain::genesis(tenant.as_str()), event)));
        }
        let (Some(before), Some(event)) = (events.next(), events.next()) else {
            return Ok(None);
        };
        let follows = event.position == position && before.position == position - 1;
        Ok(before.hash.filter(|_| follows).map(|hash| (hash, event)))
    }
}

/// A tenant's events after a position in order, on a connection whose transaction has set the tenant.
pub(crate) async fn page(
    connection: &mut PgConnection,
    tenant: &TenantId,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredEvent>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT position, aggregate_type, aggregate_id, sequence, event_type, event_version,
                payload::text AS payload, metadata::text AS metadata, recorded_at, hash
           FROM journal.events WHERE tenant = $1 AND position > $2 ORDER BY position LIMIT $3",
    )
    .bind(tenant.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(StoredEvent::from_row).collect()
}
