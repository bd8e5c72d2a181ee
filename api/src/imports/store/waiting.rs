//! Rows that wait for approvals: what became of their proposals.
//!
//! A row keeps the proposal that it waits for, also one that was refused because its card waits. Once the proposal is decided
//! or has expired, the row shows that. After an end without effect the row may be run again, as a new try with keys and ids of
//! its own: those of the ended one are used up. It needs a new preview, which was made of another try.

use super::{Imports, StoreError};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Time after its expiry in which a proposal still counts as waiting: clocks of nodes differ by less, and the node that approves
/// it judges by its own.
const EXPIRY_MARGIN: TimeDelta = TimeDelta::minutes(5);

impl Imports {
    /// Whether a proposal that rows of an import wait for has ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_ended_proposals(
        &self,
        tenant: &TenantId,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let found = sqlx::query_scalar(
            "SELECT EXISTS (
                SELECT 1 FROM journal.import_rows AS r
                  JOIN read.proposals AS p ON p.tenant = r.tenant AND p.id = r.proposal
                 WHERE r.tenant = $1 AND r.import = $2 AND r.proposal IS NOT NULL
                   AND (p.status <> 'waiting' OR p.expires_at <= $3))",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(now - EXPIRY_MARGIN)
        .fetch_one(&mut *transaction)
        .await?;
        Ok(found)
    }

    /// Notes at rows what became of their proposals: added, or refused and to be run again. The read models must show
    /// the log of `now`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle_proposals(&self, tenant: &TenantId, id: Uuid, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.import_rows AS r
                SET result = CASE WHEN r.result IS DISTINCT FROM 'waiting' THEN r.result
                                  WHEN p.status = 'approved' THEN 'added' ELSE 'refused' END,
                    record = CASE WHEN r.result = 'waiting' AND p.status = 'approved' THEN p.record ELSE r.record END,
                    code = CASE WHEN r.result = 'waiting' AND p.status = 'approved' THEN p.number ELSE r.code END,
                    errors = CASE WHEN p.status = 'approved' OR r.result IS NULL THEN r.errors
                                  ELSE jsonb_build_array(jsonb_build_object(
                                       'column', NULL, 'field', '', 'params', '{}'::jsonb, 'code',
                                       CASE p.status WHEN 'rejected' THEN 'import_approval_rejected'
                                                     WHEN 'withdrawn' THEN 'import_approval_withdrawn'
                                                     ELSE 'import_approval_expired' END)) END,
                    ended_approvals = r.ended_approvals + CASE p.status WHEN 'approved' THEN 0 ELSE 1 END,
                    mac = CASE p.status WHEN 'approved' THEN r.mac END,
                    proposal = NULL
               FROM read.proposals AS p
              WHERE r.tenant = $1 AND r.import = $2 AND r.proposal IS NOT NULL
                AND p.tenant = r.tenant AND p.id = r.proposal
                AND (p.status <> 'waiting' OR p.expires_at <= $3)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(now - EXPIRY_MARGIN)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        let counts = serde_json::to_value(self.counts(tenant, id).await?)?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // A pass notes its own counts when it ends.
        sqlx::query("UPDATE journal.imports SET counts = $3 WHERE tenant = $1 AND id = $2 AND holder IS NULL")
            .bind(tenant.as_str())
            .bind(id)
            .bind(counts)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}
