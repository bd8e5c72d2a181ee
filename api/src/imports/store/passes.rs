//! Previews and runs: which node works on an import, how far it is, and what it found. And the end of old contents.

use super::{
    super::import::{Due, Earlier, Import, ImportState, Outcome, Summary},
    CHUNK, Imports, RETENTION, StoreError,
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::Row as _;
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};
use uuid::Uuid;

/// Time that a node holds an import after its last sign of life.
const HOLD: Duration = Duration::from_secs(10);
/// Time that a mapping is kept after its last use.
const PROFILE_RETENTION: TimeDelta = TimeDelta::days(400);

/// Rows of a piece that a pass leaves, or works on in part.
#[derive(Debug, Default)]
pub struct Settled {
    /// A run has ended them.
    pub ended: HashSet<i32>,
    /// A person left them out.
    pub left_out: HashSet<i32>,
    /// The preview refused them, so that nobody confirmed them: what it said. A run registers those of their customers and cards
    /// that the preview had for the rows after them, and no more.
    pub refused: HashMap<i32, Outcome>,
}

impl Imports {
    /// Rows of a piece that a preview or a run leaves. A preview judges anew what a run refused; a run adds what its preview would
    /// add, and no more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settled(
        &self,
        tenant: &TenantId,
        id: Uuid,
        chunk: i32,
        pass: ImportState,
    ) -> Result<Settled, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, left_out, result, preview FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 AND row >= $3 AND row < $4
                AND (left_out OR result IN ('added', 'there', 'waiting')
                     OR ($5 AND (result IS NOT NULL OR preview->>'result' = 'refused')))",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(chunk * CHUNK)
        .bind((chunk + 1) * CHUNK)
        .bind(pass == ImportState::Running)
        .fetch_all(&mut *transaction)
        .await?;
        let mut settled = Settled::default();
        for row in &rows {
            let number = row.try_get("row")?;
            if row.try_get("left_out")? {
                settled.left_out.insert(number);
            } else if row.try_get::<Option<&str>, _>("result")?.is_some() {
                settled.ended.insert(number);
            } else if let Some(preview) = row.try_get::<Option<serde_json::Value>, _>("preview")? {
                settled.refused.insert(number, serde_json::from_value(preview)?);
            }
        }
        Ok(settled)
    }

    /// What earlier passes left of the rows of a piece.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn earlier(&self, tenant: &TenantId, id: Uuid, chunk: i32) -> Result<Earlier, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, preview->'figures' AS figures, ended_approvals FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 AND row >= $3 AND row < $4
                AND (preview->'figures' IS NOT NULL OR ended_approvals > 0)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(chunk * CHUNK)
        .bind((chunk + 1) * CHUNK)
        .fetch_all(&mut *transaction)
        .await?;
        let mut earlier = Earlier::default();
        for row in &rows {
            let number = row.try_get("row")?;
            if let Some(figures) = row.try_get::<Option<serde_json::Value>, _>("figures")? {
                earlier.previewed.insert(number, serde_json::from_value(figures)?);
            }
            let ended = u32::try_from(row.try_get::<i32, _>("ended_approvals")?).unwrap_or_default();
            if ended > 0 {
                earlier.ended_approvals.insert(number, ended);
            }
        }
        Ok(earlier)
    }

    /// Imports that wait for a node, of all tenants: the first one of each owner, then the others, those that wait the longest
    /// first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn due(&self, limit: i64) -> Result<Vec<Due>, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let rows = sqlx::query(
            "SELECT tenant, owner, id FROM journal.imports WHERE state IN ('previewing', 'running')
                AND (held_until IS NULL OR held_until <= now())
              ORDER BY row_number() OVER (PARTITION BY tenant, owner ORDER BY changed_at), changed_at LIMIT $1",
        )
        .bind(limit)
        .fetch_all(&mut *transaction)
        .await?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let name: String = row.try_get("tenant")?;
            let Ok(tenant) = name.parse() else { continue };
            due.push(Due {
                tenant,
                owner: row.try_get("owner")?,
                id: row.try_get("id")?,
            });
        }
        Ok(due)
    }

    /// Whether imports of other owners wait for a node.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn others_wait(&self, due: &Due) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let waits = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM journal.imports WHERE state IN ('previewing', 'running')
                AND (held_until IS NULL OR held_until <= now()) AND (tenant, owner) <> ($1, $2))",
        )
        .bind(due.tenant.as_str())
        .bind(due.owner)
        .fetch_one(&mut *transaction)
        .await?;
        Ok(waits)
    }

    /// Takes an import for this node. `None` while another node has it, or it does not wait any more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold(&self, due: &Due) -> Result<Option<Import>, StoreError> {
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        // A preview begins anew: what it has decided so far was in the memory of the node that is gone.
        let row = sqlx::query(
            "UPDATE journal.imports
                SET holder = $3, held_until = now() + make_interval(secs => $4),
                    next_row = CASE WHEN state = 'previewing' THEN 0 ELSE next_row END
              WHERE tenant = $1 AND id = $2 AND state IN ('previewing', 'running')
                AND (held_until IS NULL OR held_until <= now())
             RETURNING *",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(HOLD.as_secs_f64())
        .fetch_optional(&mut *transaction)
        .await?;
        transaction.commit().await?;
        row.map(|row| self.import(&due.tenant, &row)).transpose()
    }

    /// Notes outcomes of rows, and prolongs the hold. `false` when the import is no longer held here in this state.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note(
        &self,
        due: &Due,
        state: ImportState,
        next_row: i32,
        outcomes: &[(i32, u32, Outcome)],
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        let is_run = state == ImportState::Running;
        // What a run has committed is noted even if it was paused meanwhile.
        let stopped = if is_run { ImportState::Paused } else { state };
        let goes_on: Option<bool> = sqlx::query_scalar(
            "UPDATE journal.imports SET next_row = $5, held_until = now() + make_interval(secs => $6)
              WHERE tenant = $1 AND id = $2 AND holder = $3 AND state IN ($4, $7) RETURNING state = $4",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(state.as_str())
        .bind(next_row)
        .bind(HOLD.as_secs_f64())
        .bind(stopped.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
        if goes_on.is_some() || is_run {
            let rows: Vec<i32> = outcomes.iter().map(|(row, ..)| *row).collect();
            let lines: Vec<i32> = outcomes
                .iter()
                .map(|(_, line, _)| i32::try_from(*line).unwrap_or(i32::MAX))
                .collect();
            let mut values = Vec::with_capacity(outcomes.len());
            for (.., outcome) in outcomes {
                values.push(serde_json::to_value(outcome)?);
            }
            // A preview judges anew what a run refused: no run has submitted it since.
            let statement = if is_run {
                "INSERT INTO journal.import_rows AS r (tenant, import, row, line, result, errors, record, code, proposal)
                 SELECT $1, $2, o.row, o.line, o.value->>'result', o.value->'errors', (o.value->>'record')::uuid,
                        o.value->>'code', (o.value->>'proposal')::uuid
                   FROM unnest($3::int[], $4::int[], $5::jsonb[]) AS o (row, line, value)
                 ON CONFLICT (tenant, import, row) DO UPDATE
                    SET result = EXCLUDED.result, errors = EXCLUDED.errors, record = EXCLUDED.record,
                        code = EXCLUDED.code, proposal = EXCLUDED.proposal"
            } else {
                "INSERT INTO journal.import_rows AS r (tenant, import, row, line, preview)
                 SELECT $1, $2, o.row, o.line, o.value
                   FROM unnest($3::int[], $4::int[], $5::jsonb[]) AS o (row, line, value)
                 ON CONFLICT (tenant, import, row) DO UPDATE
                    SET preview = EXCLUDED.preview,
                        result = CASE WHEN r.result = 'refused' THEN NULL ELSE r.result END,
                        errors = CASE WHEN r.result = 'refused' THEN '[]' ELSE r.errors END"
            };
            sqlx::query(statement)
                .bind(due.tenant.as_str())
                .bind(due.id)
                .bind(rows)
                .bind(lines)
                .bind(values)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(goes_on == Some(true))
    }

    /// Ends a pass, or interrupts it with a reason.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release(
        &self,
        due: &Due,
        from: ImportState,
        to: ImportState,
        failure: Option<&str>,
        summary: Option<Summary>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let counts = serde_json::to_value(self.counts(&due.tenant, due.id).await?)?;
        let summary = summary.map(serde_json::to_value).transpose()?;
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.imports
                SET state = CASE WHEN state = $4 THEN $5 ELSE state END, failure = $6,
                    summary = coalesce($7, summary), changed_at = $8, holder = NULL, held_until = NULL, counts = $9
              WHERE tenant = $1 AND id = $2 AND holder = $3",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(from.as_str())
        .bind(to.as_str())
        .bind(failure)
        .bind(summary)
        .bind(now)
        .bind(counts)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Interrupts an import that this node holds, whatever it does, with a reason.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn give_up(&self, due: &Due, failure: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.imports
                SET state = CASE state WHEN 'previewing' THEN 'mapping' WHEN 'running' THEN 'paused' ELSE state END,
                    failure = $4, changed_at = $5, holder = NULL, held_until = NULL
              WHERE tenant = $1 AND id = $2 AND holder = $3",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(failure)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Erases the content of all files of a tenant, whatever their state, and the mappings that are kept for others: a person who
    /// is forgotten may be in any of them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_all(&self, tenant: &TenantId, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.erase_old(tenant, now + RETENTION + TimeDelta::days(1)).await?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.import_profiles WHERE tenant = $1")
            .bind(tenant.as_str())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Erases the content of a tenant's files whose retention has ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_old(&self, tenant: &TenantId, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "WITH old AS (
                UPDATE journal.imports SET details = NULL, proofs = NULL, summary = NULL,
                       state = CASE WHEN state = 'done' THEN state ELSE 'canceled' END
                 WHERE tenant = $1 AND erase_at <= $2 AND details IS NOT NULL RETURNING id),
             rows AS (UPDATE journal.import_rows SET preview = NULL, errors = NULL
                       WHERE tenant = $1 AND import IN (SELECT id FROM old)),
             proofs AS (DELETE FROM journal.import_proofs
                         WHERE tenant = $1 AND import IN (SELECT id FROM old)),
             profiles AS (DELETE FROM journal.import_profiles WHERE tenant = $1 AND used_at <= $3)
             DELETE FROM journal.import_chunks WHERE tenant = $1 AND import IN (SELECT id FROM old)",
        )
        .bind(tenant.as_str())
        .bind(now)
        .bind(now - PROFILE_RETENTION)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
