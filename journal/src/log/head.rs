//! A tenant's head: the end of its log.

use crate::{history::LogPoint, log::chain::Hash};
use caudal_domain::ids::TenantId;
use caudal_postgres::Timestamp;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Position of the last event; 0 for an empty log.
    pub position: i64,
    /// Hash of the last event, or the genesis.
    pub hash: Hash,
    /// Fencing token: raised when a node must rule out that a lost statement still takes effect.
    pub epoch: i64,
    /// Time of the last event.
    pub recorded_at: DateTime<Utc>,
}

impl Head {
    /// Position and hash.
    #[must_use]
    pub const fn point(&self) -> LogPoint {
        LogPoint {
            position: self.position,
            hash: self.hash,
        }
    }

    pub(crate) fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            position: row.try_get("head_position")?,
            hash: row.try_get("head_hash")?,
            epoch: row.try_get("head_epoch")?,
            // 'infinity' reads as a time that no event has, so that the head contradicts its last event.
            recorded_at: Timestamp::of(row, "head_recorded_at")?.unwrap_or(DateTime::<Utc>::MIN_UTC),
        })
    }
}

/// Reads the head; `None` for an unknown tenant. One round trip.
pub(crate) async fn read(connection: &mut PgConnection, tenant: &TenantId) -> Result<Option<Head>, sqlx::Error> {
    let row = sqlx::query("SELECT * FROM journal.head($1)")
        .bind(tenant.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(Head::from_row).transpose()
}

/// Reads and locks the head until the transaction ends, which blocks appends to the tenant's log.
pub(crate) async fn lock(transaction: &mut PgConnection, tenant: &TenantId) -> Result<Option<Head>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT position AS head_position, hash AS head_hash, epoch AS head_epoch, recorded_at AS head_recorded_at
           FROM journal.heads WHERE tenant = $1 FOR UPDATE",
    )
    .bind(tenant.as_str())
    .fetch_optional(transaction)
    .await?;
    row.as_ref().map(Head::from_row).transpose()
}

/// Waits for pending appends and raises the epoch past `epoch`, so that an append of that epoch still in transit has no
/// effect.
pub(crate) async fn fence(
    connection: &mut PgConnection,
    tenant: &TenantId,
    epoch: i64,
) -> Result<Option<Head>, sqlx::Error> {
    let row = sqlx::query("SELECT * FROM journal.fence_past($1, $2)")
        .bind(tenant.as_str())
        .bind(epoch)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(Head::from_row).transpose()
}
