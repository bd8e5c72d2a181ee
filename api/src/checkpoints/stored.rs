//! Checkpoints stored in the database. The database's owner also controls these rows: the proof is the copy elsewhere.
//! A stored checkpoint that contradicts the log is evidence all the same.

use super::{CheckpointFailure, Checkpoints, Evidence, Flaw};
use caudal_domain::ids::TenantId;
use caudal_journal::{Cosignature, PublicKeys, SignedCheckpoint};
use serde::Serialize;
use sqlx::Row as _;
use utoipa::ToSchema;

/// Retention per tenant of checkpoints that agree with the log: four a day for four months. Contradicting ones are
/// never deleted, and prevent signing.
const MAX_KEPT: i64 = 500;
/// Maximum rows per read; more than the retention leaves.
const MAX_ROWS: i64 = 10_000;

/// Result of comparing a stored checkpoint with the current log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointStatus {
    /// The log has this hash at this position.
    Holds,
    /// The log has another hash at this position: it was rewritten.
    Changed,
    /// The log ends before this position: it was shortened.
    Missing,
    /// The signature is invalid or its key unknown: the row was tampered with.
    Unsigned,
}

/// A stored checkpoint.
#[derive(Clone, Debug)]
pub struct StoredCheckpoint {
    pub checkpoint: SignedCheckpoint,
    /// Comparison with the current log.
    pub standing: CheckpointStatus,
    /// Cosignatures of witnesses.
    pub cosignatures: Vec<Cosignature>,
}

impl StoredCheckpoint {
    /// A checkpoint that was just signed.
    #[must_use]
    pub const fn new(checkpoint: SignedCheckpoint) -> Self {
        Self {
            checkpoint,
            standing: CheckpointStatus::Holds,
            cosignatures: Vec::new(),
        }
    }

    /// Whether the log agrees with it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.standing == CheckpointStatus::Holds
    }
}

impl Checkpoints {
    /// Stores a checkpoint if its predecessor is still the last one; returns whether it was stored.
    pub(super) async fn insert_after(
        &self,
        checkpoint: &SignedCheckpoint,
        last: Option<&str>,
    ) -> Result<bool, CheckpointFailure> {
        let tenant = checkpoint.tenant.as_str();
        let mut transaction = self.database.begin_write(tenant).await?;
        sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('caudal.checkpoint.' || $1, 0))")
            .bind(tenant)
            .execute(&mut *transaction)
            .await?;
        let present: Option<String> = sqlx::query_scalar(LAST)
            .bind(tenant)
            .fetch_optional(&mut *transaction)
            .await?;
        if present.as_deref() != last {
            transaction.rollback().await?;
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO journal.checkpoints (tenant, position, hash, key, format, signed_at, content)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant, position, hash, key, format) DO NOTHING",
        )
        .bind(tenant)
        .bind(checkpoint.position)
        .bind(checkpoint.hash.as_slice())
        .bind(&checkpoint.key)
        .bind(i32::try_from(checkpoint.format()).unwrap_or_default())
        .bind(checkpoint.signed_at)
        .bind(checkpoint.to_json()?)
        .execute(&mut *transaction)
        .await?;
        // Deletes only checkpoints that agree with the log; contradictions are kept, whatever their age.
        sqlx::query(
            "DELETE FROM journal.checkpoints AS c USING journal.events AS e
              WHERE c.tenant = $1 AND e.tenant = c.tenant AND e.position = c.position AND e.hash = c.hash
                AND (c.position, c.hash, c.key, c.format) IN (
                    SELECT position, hash, key, format FROM journal.checkpoints WHERE tenant = $1
                     ORDER BY position DESC, format DESC, signed_at DESC OFFSET $2)",
        )
        .bind(tenant)
        .bind(MAX_KEPT)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Stored checkpoints with valid signatures, and the last row's text.
    pub(super) async fn signed(
        &self,
        tenant: &TenantId,
        keys: &PublicKeys,
    ) -> Result<(Vec<SignedCheckpoint>, Option<String>), CheckpointFailure> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let last: Option<String> = sqlx::query_scalar(LAST)
            .bind(tenant.as_str())
            .fetch_optional(&mut *transaction)
            .await?;
        drop(transaction);
        let evidence = self.rows(tenant, keys).await?;
        for flaw in &evidence.flaws {
            tracing::error!(%tenant, %flaw, "a kept checkpoint is no evidence");
        }
        Ok((evidence.checkpoints, last))
    }

    /// Whether the database has any checkpoint of a tenant.
    pub(super) async fn has_rows(&self, tenant: &TenantId) -> Result<bool, CheckpointFailure> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM journal.checkpoints WHERE tenant = $1)")
            .bind(tenant.as_str())
            .fetch_one(&mut *transaction)
            .await?;
        Ok(found)
    }

    /// Stored checkpoints with valid signatures, and flaws of the others.
    pub(super) async fn rows(&self, tenant: &TenantId, keys: &PublicKeys) -> Result<Evidence, CheckpointFailure> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT position, content FROM journal.checkpoints WHERE tenant = $1
              ORDER BY position DESC, format DESC, signed_at DESC LIMIT $2",
        )
        .bind(tenant.as_str())
        .bind(MAX_ROWS)
        .fetch_all(&mut *transaction)
        .await?;
        let mut evidence = Evidence::default();
        for row in rows {
            let (position, content): (i64, String) = (row.try_get("position")?, row.try_get("content")?);
            let checked = SignedCheckpoint::from_json(&content).and_then(|checkpoint| {
                checkpoint.check(tenant, keys)?;
                Ok(checkpoint)
            });
            match checked {
                Ok(checkpoint) => evidence.checkpoints.push(checkpoint),
                Err(error) => evidence.flaws.push(Flaw::Invalid {
                    place: "the database".to_owned(),
                    position,
                    reason: error.to_string(),
                }),
            }
        }
        Ok(evidence)
    }

    /// Stored checkpoints, last signed first, compared with the current log. Malformed rows are omitted and logged.
    ///
    /// # Errors
    /// When the database or the keys fail.
    pub async fn kept(&self, tenant: &TenantId) -> Result<Vec<StoredCheckpoint>, CheckpointFailure> {
        let keys = self.public_keys().await?;
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT c.content, c.cosignatures::text AS cosignatures, e.hash FROM journal.checkpoints AS c
               LEFT JOIN journal.events AS e ON e.tenant = c.tenant AND e.position = c.position
              WHERE c.tenant = $1 ORDER BY c.signed_at DESC, c.position DESC LIMIT $2",
        )
        .bind(tenant.as_str())
        .bind(MAX_ROWS)
        .fetch_all(&mut *transaction)
        .await?;
        let mut kept = Vec::with_capacity(rows.len());
        for row in rows {
            let content: String = row.try_get("content")?;
            let stored: Option<Vec<u8>> = row.try_get("hash")?;
            let Ok(checkpoint) = SignedCheckpoint::from_json(&content) else {
                tracing::error!(%tenant, "a kept checkpoint can't be read");
                continue;
            };
            let standing = standing(&checkpoint, tenant, &keys, stored.as_deref());
            kept.push(StoredCheckpoint {
                cosignatures: cosignatures(row.try_get("cosignatures")?, &checkpoint),
                checkpoint,
                standing,
            });
        }
        Ok(kept)
    }

    /// Stores a cosignature, one per witness key.
    pub(super) async fn keep_cosignature(
        &self,
        checkpoint: &SignedCheckpoint,
        cosignature: &Cosignature,
    ) -> Result<(), CheckpointFailure> {
        let tenant = checkpoint.tenant.as_str();
        let mut transaction = self.database.begin_write(tenant).await?;
        let content = checkpoint.to_json()?;
        let row: Option<String> = sqlx::query_scalar(
            "SELECT cosignatures::text FROM journal.checkpoints
              WHERE tenant = $1 AND position = $2 AND content = $3 FOR NO KEY UPDATE",
        )
        .bind(tenant)
        .bind(checkpoint.position)
        .bind(&content)
        .fetch_optional(&mut *transaction)
        .await?;
        let mut all = cosignatures(&row.unwrap_or_default(), checkpoint);
        all.retain(|known| known.witness != cosignature.witness);
        all.push(cosignature.clone());
        sqlx::query(
            "UPDATE journal.checkpoints SET cosignatures = $4::json WHERE tenant = $1 AND position = $2 AND content = $3",
        )
        .bind(tenant)
        .bind(checkpoint.position)
        .bind(&content)
        .bind(serde_json::to_string(&all)?)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// The row that the next checkpoint references as its predecessor.
const LAST: &str = "SELECT content FROM journal.checkpoints WHERE tenant = $1
                     ORDER BY position DESC, format DESC, signed_at DESC LIMIT 1";

/// Stored cosignatures that are valid for a checkpoint.
fn cosignatures(text: &str, checkpoint: &SignedCheckpoint) -> Vec<Cosignature> {
    let mut all: Vec<Cosignature> = serde_json::from_str(text).unwrap_or_default();
    all.retain(|cosignature| cosignature.check(checkpoint).is_ok());
    all
}

fn standing(
    checkpoint: &SignedCheckpoint,
    tenant: &TenantId,
    keys: &PublicKeys,
    stored: Option<&[u8]>,
) -> CheckpointStatus {
    match stored {
        _ if checkpoint.check(tenant, keys).is_err() => CheckpointStatus::Unsigned,
        // An empty log's end is the genesis, which no event changes.
        None if checkpoint.position == 0 => CheckpointStatus::Holds,
        None => CheckpointStatus::Missing,
        Some(hash) if hash == checkpoint.hash => CheckpointStatus::Holds,
        Some(_) => CheckpointStatus::Changed,
    }
}
