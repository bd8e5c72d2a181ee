//! A tenant's head: the end of its log.

use crate::{history::LogPoint, log::chain::Hash};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

/// The end of a tenant's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The position of the last event; 0 where there is none.
    pub position: i64,
    /// The hash of the last event, or the genesis.
    pub hash: Hash,
    /// Goes up when a node has to make sure that a statement it lost can no longer take effect.
    pub epoch: i64,
    /// When the last event was recorded.
    pub recorded_at: DateTime<Utc>,
}

impl Head {
    /// Its place in the log.
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
            recorded_at: row.try_get("head_recorded_at")?,
        })
    }
}

/// The head, or none where there is no such tenant. One round trip.
pub(crate) async fn read(connection: &mut PgConnection, tenant: &TenantId) -> Result<Option<Head>, sqlx::Error> {
    let row = sqlx::query("SELECT * FROM journal.head($1)")
        .bind(tenant.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(Head::from_row).transpose()
}

/// The head, locked until the transaction ends: nobody else appends to the tenant's log meanwhile.
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

/// Waits until every append under way has ended, and makes sure that one that was decided in `epoch` and has not yet arrived
/// has no effect.
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
