//! Rows that wait for approvals: what became of their proposals.
//!
//! A row keeps the proposal that it waits for, also one that was refused because its card waits. Once the proposal is decided
//! or has expired, the row shows that. After an end without effect the row may be run again, as a new try with keys and ids of
//! its own: those of the ended one are used up. It needs a new preview, which was made of another try.

use super::{Imports, StoreError};
use caudal_domain::ids::TenantId;
use caudal_projections::proposal::ProposalEnd;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Time after its expiry in which a proposal still counts as waiting: clocks of nodes differ by less, and the node that approves
/// it judges by its own.
pub const EXPIRY_MARGIN: TimeDelta = TimeDelta::minutes(5);

impl Imports {
    /// Proposals that rows of an import wait for and that have ended by the read models. Whether they have is told by the log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ended_proposals(
        &self,
        tenant: &TenantId,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Vec<Uuid>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let found = sqlx::query_scalar(
            "SELECT DISTINCT p.id FROM journal.import_rows AS r
               JOIN read.proposals AS p ON p.tenant = r.tenant AND p.id = r.proposal
              WHERE r.tenant = $1 AND r.import = $2 AND r.proposal IS NOT NULL
                AND (p.status <> 'waiting' OR p.expires_at <= $3)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(now - EXPIRY_MARGIN)
        .fetch_all(&mut *transaction)
        .await?;
        Ok(found)
    }

    /// Notes at rows how their proposals ended: added, or refused and to be run again.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle_proposals(
        &self,
        tenant: &TenantId,
        id: Uuid,
        ends: &[(Uuid, ProposalEnd)],
    ) -> Result<(), StoreError> {
        let (mut proposals, mut ways, mut records, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (proposal, end) in ends {
            let (way, record, number) = match end {
                ProposalEnd::Approved { record, number } => ("approved", Some(*record), number.clone()),
                ProposalEnd::Rejected => ("rejected", None, None),
                ProposalEnd::Withdrawn => ("withdrawn", None, None),
                ProposalEnd::Expired => ("expired", None, None),
            };
            proposals.push(*proposal);
            ways.push(way.to_owned());
            records.push(record);
            numbers.push(number);
        }
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.import_rows AS r
                SET result = CASE WHEN r.result IS DISTINCT FROM 'waiting' THEN r.result
                                  WHEN p.way = 'approved' THEN 'added' ELSE 'refused' END,
                    record = CASE WHEN r.result = 'waiting' AND p.way = 'approved' THEN p.record ELSE r.record END,
                    code = CASE WHEN r.result = 'waiting' AND p.way = 'approved' THEN p.number ELSE r.code END,
                    errors = CASE WHEN p.way = 'approved' OR r.result IS NULL THEN r.errors
                                  ELSE jsonb_build_array(jsonb_build_object(
                                       'column', NULL, 'field', '', 'params', '{}'::jsonb, 'code',
                                       CASE p.way WHEN 'rejected' THEN 'import_approval_rejected'
                                                  WHEN 'withdrawn' THEN 'import_approval_withdrawn'
                                                  ELSE 'import_approval_expired' END)) END,
                    ended_approvals = r.ended_approvals + CASE p.way WHEN 'approved' THEN 0 ELSE 1 END,
                    mac = CASE p.way WHEN 'approved' THEN r.mac END,
                    proposal = NULL
               FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[]) AS p (id, way, record, number)
              WHERE r.tenant = $1 AND r.import = $2 AND r.proposal = p.id",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(proposals)
        .bind(ways)
        .bind(records)
        .bind(numbers)
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
