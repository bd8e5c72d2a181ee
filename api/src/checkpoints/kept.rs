//! The checkpoints that were taken, kept to be listed and fetched again. Who owns the database owns these rows as well:
//! the proof is the copy that stands elsewhere.

use super::{CheckpointFailure, Checkpoints};
use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, PublicKeys};
use serde::Serialize;
use sqlx::Row as _;
use utoipa::ToSchema;

/// So many of a tenant's checkpoints are kept, and listed at once: four a day for four months.
const MAX_KEPT: i64 = 500;

/// How a kept checkpoint stands against the log as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The log has that hash at that position.
    Holds,
    /// The log has another hash there: it was rewritten.
    Changed,
    /// The log does not get that far: it was shortened.
    Missing,
    /// The signature does not hold, or its key is unknown: the row was tampered with.
    Unsigned,
}

impl Checkpoints {
    /// Keeps a checkpoint. A log's same end, signed with the same key, is kept once: the first is returned.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn keep(&self, checkpoint: Checkpoint) -> Result<Checkpoint, CheckpointFailure> {
        let tenant = checkpoint.tenant.as_str();
        let mut transaction = self.database.begin_write(tenant).await?;
        sqlx::query(
            "INSERT INTO journal.checkpoints (tenant, position, hash, key, signed_at, content)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, position, hash, key) DO NOTHING",
        )
        .bind(tenant)
        .bind(checkpoint.position)
        .bind(checkpoint.hash.as_slice())
        .bind(&checkpoint.key)
        .bind(checkpoint.signed_at)
        .bind(checkpoint.to_json()?)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "DELETE FROM journal.checkpoints WHERE tenant = $1 AND (position, hash, key) IN (
                 SELECT position, hash, key FROM journal.checkpoints WHERE tenant = $1
                  ORDER BY signed_at DESC, position DESC OFFSET $2)",
        )
        .bind(tenant)
        .bind(MAX_KEPT)
        .execute(&mut *transaction)
        .await?;
        let kept: Option<String> = sqlx::query_scalar(
            "SELECT content FROM journal.checkpoints WHERE tenant = $1 AND position = $2 AND hash = $3 AND key = $4",
        )
        .bind(tenant)
        .bind(checkpoint.position)
        .bind(checkpoint.hash.as_slice())
        .bind(&checkpoint.key)
        .fetch_optional(&mut *transaction)
        .await?;
        transaction.commit().await?;
        // A row that was tampered with is not given away in place of what was just signed.
        let keys = self.public_keys().await?;
        let is_good = |kept: &Checkpoint| {
            kept.position == checkpoint.position
                && kept.hash == checkpoint.hash
                && kept.check(&checkpoint.tenant, &keys).is_ok()
        };
        let kept = kept.and_then(|content| Checkpoint::from_json(&content).ok());
        Ok(kept.filter(is_good).unwrap_or(checkpoint))
    }

    /// The checkpoints that were kept, the last one first, and how each stands against the log. Of a row that is no
    /// checkpoint any more nothing is left to show.
    ///
    /// # Errors
    /// Where the database or the keys fail.
    pub async fn kept(&self, tenant: &TenantId) -> Result<Vec<(Checkpoint, Standing)>, CheckpointFailure> {
        let keys = self.public_keys().await?;
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT c.content, e.hash FROM journal.checkpoints AS c
               LEFT JOIN journal.events AS e ON e.tenant = c.tenant AND e.position = c.position
              WHERE c.tenant = $1 ORDER BY c.signed_at DESC, c.position DESC LIMIT $2",
        )
        .bind(tenant.as_str())
        .bind(MAX_KEPT)
        .fetch_all(&mut *transaction)
        .await?;
        let mut kept = Vec::with_capacity(rows.len());
        for row in rows {
            let content: String = row.try_get("content")?;
            let stored: Option<Vec<u8>> = row.try_get("hash")?;
            let Ok(checkpoint) = Checkpoint::from_json(&content) else {
                tracing::error!(%tenant, "a kept checkpoint can't be read");
                continue;
            };
            let standing = standing(&checkpoint, tenant, &keys, stored.as_deref());
            kept.push((checkpoint, standing));
        }
        Ok(kept)
    }
}

fn standing(checkpoint: &Checkpoint, tenant: &TenantId, keys: &PublicKeys, stored: Option<&[u8]>) -> Standing {
    match stored {
        _ if checkpoint.check(tenant, keys).is_err() => Standing::Unsigned,
        // An empty log's end is what stands before its first event, which no event can change.
        None if checkpoint.position == 0 => Standing::Holds,
        None => Standing::Missing,
        Some(hash) if hash == checkpoint.hash => Standing::Holds,
        Some(_) => Standing::Changed,
    }
}
