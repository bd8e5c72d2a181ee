//! A tenant's head: the end of its log.

use crate::{
    beside::authenticity::{Mac, RowMacs},
    history::LogPoint,
    log::chain::Hash,
};
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
            // A hash of another length reads as one that no event has.
            hash: row.try_get::<&[u8], _>("head_hash")?.try_into().unwrap_or_default(),
            epoch: row.try_get("head_epoch")?,
            // 'infinity' reads as a time that no event has, so that the head contradicts its last event.
            recorded_at: Timestamp::of(row, "head_recorded_at")?.unwrap_or(DateTime::<Utc>::MIN_UTC),
        })
    }
}

/// A head as it is stored. What it says of the log is believed once it [is vouched for](Self::is_vouched_for), unless it is the
/// end of what this node appended itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredHead {
    pub(crate) head: Head,
    /// `None` in an empty log, or where a node of an earlier version appended last.
    pub(crate) mac: Option<Mac>,
}

impl StoredHead {
    /// Whether the head was written under this installation's keys.
    pub(crate) fn is_vouched_for(&self, macs: &RowMacs, tenant: &TenantId) -> bool {
        macs.vouches(tenant, self.head.point(), self.head.recorded_at, self.mac.as_ref())
    }

    pub(crate) fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            head: Head::from_row(row)?,
            mac: stored_mac(row)?,
        })
    }
}

/// The column `head_mac`. A MAC of another length fits nothing.
pub(crate) fn stored_mac(row: &PgRow) -> Result<Option<Mac>, sqlx::Error> {
    let stored: Option<&[u8]> = row.try_get("head_mac")?;
    Ok(stored.map(|stored| stored.try_into().unwrap_or_default()))
}

/// Reads the head; `None` for an unknown tenant. One round trip.
pub(crate) async fn read(connection: &mut PgConnection, tenant: &TenantId) -> Result<Option<StoredHead>, sqlx::Error> {
    let row = sqlx::query("SELECT * FROM journal.signed_head($1)")
        .bind(tenant.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(StoredHead::from_row).transpose()
}

/// Reads the head on a connection whose transaction has set the tenant, wherever the tenant lives.
pub(crate) async fn read_on(
    connection: &mut PgConnection,
    tenant: &TenantId,
) -> Result<Option<StoredHead>, sqlx::Error> {
    stored(connection, tenant, "").await
}

/// Reads and locks the head until the transaction ends, which blocks appends to the tenant's log.
pub(crate) async fn lock(transaction: &mut PgConnection, tenant: &TenantId) -> Result<Option<StoredHead>, sqlx::Error> {
    stored(transaction, tenant, "FOR UPDATE").await
}

async fn stored(
    connection: &mut PgConnection,
    tenant: &TenantId,
    locking: &str,
) -> Result<Option<StoredHead>, sqlx::Error> {
    let row = sqlx::query(&format!(
        "SELECT position AS head_position, hash AS head_hash, epoch AS head_epoch, recorded_at AS head_recorded_at,
                mac AS head_mac
           FROM journal.heads WHERE tenant = $1 {locking}"
    ))
    .bind(tenant.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(StoredHead::from_row).transpose()
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
