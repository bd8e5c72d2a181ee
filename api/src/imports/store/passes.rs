//! Previews and runs: which node works on an import, how far it is, and what it found. And the end of old contents.

use super::{
    super::{
        import::{Due, Earlier, Import, ImportState, Outcome, PieceRows, RowResult, Summary},
        reader::RawRow,
    },
    CHUNK, Imports, RETENTION, StoreError,
    believed::{Believed, Word},
    rows::result_named,
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::Row as _;
use std::time::Duration;

/// Time that a node holds an import after its last sign of life.
const HOLD: Duration = Duration::from_secs(10);
/// Time that a mapping is kept after its last use.
const PROFILE_RETENTION: TimeDelta = TimeDelta::days(400);

impl Imports {
    /// What earlier passes, and persons, left of the rows of a piece. A preview judges anew what a run refused; a run adds what its
    /// preview would add, and no more.
    ///
    /// # Errors
    /// When the database fails, or rows of a run are not as their preview left them.
    pub async fn earlier(
        &self,
        tenant: &TenantId,
        import: &Import,
        chunk: i32,
        cells: &[RawRow],
    ) -> Result<Earlier, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, left_out, result, preview, ended_approvals, pass, mac FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 AND row >= $3 AND row < $4",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(chunk * CHUNK)
        .bind((chunk + 1) * CHUNK)
        .fetch_all(&mut *transaction)
        .await?;
        let is_run = import.state == ImportState::Running;
        let mut earlier = Earlier {
            noted: rows.len(),
            ..Earlier::default()
        };
        for row in &rows {
            let number: i32 = row.try_get("row")?;
            let left_out = row.try_get("left_out")?;
            let preview: Option<serde_json::Value> = row.try_get("preview")?;
            // What is no outcome does not fit its MAC either.
            let preview: Option<Outcome> = preview.and_then(|value| serde_json::from_value(value).ok());
            let result = row
                .try_get::<Option<&str>, _>("result")?
                .map(result_named)
                .transpose()?;
            let is_ended = match result {
                Some(RowResult::Added | RowResult::There | RowResult::Waiting) => true,
                Some(_) => is_run,
                None => false,
            };
            let ended_approvals = u32::try_from(row.try_get::<i32, _>("ended_approvals")?).unwrap_or_default();
            // A preview shows what it finds, and is confirmed by a person.
            if is_run && !is_ended {
                let cells = usize::try_from(number % CHUNK).ok().and_then(|place| cells.get(place));
                let (Some(preview), Some(cells)) = (&preview, cells) else {
                    return Err(StoreError::NotAsPreviewed);
                };
                let believed = Believed {
                    pass: import.pass,
                    left_out,
                    ended_approvals,
                    cells,
                    preview,
                };
                // One of an earlier preview is none of this one.
                let mac: Option<&[u8]> = row.try_get("mac")?;
                let is_of_this = row.try_get::<i32, _>("pass")? == import.pass;
                let mac = mac.filter(|_| is_of_this);
                if !self.checks_row(tenant, import.id, number, &believed, mac)? {
                    return Err(StoreError::NotAsPreviewed);
                }
            }
            if ended_approvals > 0 {
                earlier.ended_approvals.insert(number, ended_approvals);
            }
            if let Some(figures) = preview.as_ref().and_then(|preview| preview.figures) {
                earlier.previewed.insert(number, figures);
            }
            if left_out {
                earlier.left_out.insert(number);
            } else if is_ended {
                earlier.ended.insert(number);
            } else if let Some(preview) = preview.filter(|preview| is_run && preview.result == RowResult::Refused) {
                earlier.refused.insert(number, preview);
            }
        }
        Ok(earlier)
    }

    /// Whether a run would find the rows as the preview left them: asked before it begins.
    pub(super) async fn rows_are_as_previewed(&self, tenant: &TenantId, import: &Import) -> Result<bool, StoreError> {
        let to_run = Import {
            state: ImportState::Running,
            ..import.clone()
        };
        let mut noted = 0;
        for chunk in 0..(import.rows + CHUNK - 1) / CHUNK {
            let cells = self.chunk(tenant, import.id, chunk).await?;
            match self.earlier(tenant, &to_run, chunk, &cells).await {
                Ok(earlier) => noted += earlier.noted,
                Err(StoreError::NotAsPreviewed) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(i32::try_from(noted) == Ok(import.rows))
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

    /// Takes an import for this node, and tells whether a person ordered its pass. `None` while another node has it, or it does not
    /// wait any more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold(&self, due: &Due) -> Result<Option<(Import, bool)>, StoreError> {
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        // A preview begins anew: what it has decided so far was in the memory of the node that is gone.
        let row = sqlx::query(
            "UPDATE journal.imports
                SET holder = $3, held_until = now() + make_interval(secs => $4),
                    next_row = CASE WHEN state = 'previewing' THEN 0 ELSE next_row END,
                    pass = CASE WHEN state = 'previewing' THEN pass + 1 ELSE pass END
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
        let Some(row) = row else { return Ok(None) };
        let import = self.import(&due.tenant, &row)?;
        let is_ordered = import.state != ImportState::Running
            || self.checks_import(&due.tenant, &import, &Word::Ordered, row.try_get("ordered")?)?;
        Ok(Some((import, is_ordered)))
    }

    /// Notes outcomes of rows, those of a preview with what it was made of, and prolongs the hold. `false` when the import is no longer held here in this state.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note(
        &self,
        due: &Due,
        import: &Import,
        next_row: i32,
        outcomes: &[(i32, u32, Outcome)],
        planned: &PieceRows,
    ) -> Result<bool, StoreError> {
        let state = import.state;
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
            let mut macs = Vec::with_capacity(outcomes.len());
            for (row, _, outcome) in outcomes {
                values.push(serde_json::to_value(outcome)?);
                if is_run {
                    continue;
                }
                let believed = Believed {
                    pass: import.pass,
                    left_out: outcome.result == RowResult::LeftOut,
                    ended_approvals: planned.ended_approvals.get(row).copied().unwrap_or_default(),
                    cells: planned.cells_of(*row).ok_or(StoreError::Changed)?,
                    preview: outcome,
                };
                macs.push(self.row_mac(&due.tenant, due.id, *row, &believed)?);
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
                "INSERT INTO journal.import_rows AS r (tenant, import, row, line, preview, pass, mac)
                 SELECT $1, $2, o.row, o.line, o.value, $6, o.mac
                   FROM unnest($3::int[], $4::int[], $5::jsonb[], $7::bytea[]) AS o (row, line, value, mac)
                 ON CONFLICT (tenant, import, row) DO UPDATE
                    SET preview = EXCLUDED.preview, pass = EXCLUDED.pass, mac = EXCLUDED.mac,
                        result = CASE WHEN r.result = 'refused' THEN NULL ELSE r.result END,
                        errors = CASE WHEN r.result = 'refused' THEN '[]' ELSE r.errors END"
            };
            let query = sqlx::query(statement)
                .bind(due.tenant.as_str())
                .bind(due.id)
                .bind(rows)
                .bind(lines)
                .bind(values);
            let query = if is_run {
                query
            } else {
                query.bind(import.pass).bind(macs)
            };
            query.execute(&mut *transaction).await?;
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
        import: &Import,
        to: ImportState,
        failure: Option<&str>,
        summary: Option<Summary>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let counts = serde_json::to_value(self.counts(&due.tenant, due.id).await?)?;
        let mac = summary
            .as_ref()
            .map(|summary| self.import_mac(&due.tenant, import, &Word::Previewed(summary)));
        let mac = mac.transpose()?;
        let summary = summary.map(serde_json::to_value).transpose()?;
        let mut transaction = self.database.begin_write(due.tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.imports
                SET state = CASE WHEN state = $4 THEN $5 ELSE state END, failure = $6,
                    ordered = CASE WHEN state = $4 AND $5 = 'running' THEN ordered END,
                    previewed = CASE WHEN $7 IS NULL THEN previewed ELSE $10 END,
                    summary = coalesce($7, summary), changed_at = $8, holder = NULL, held_until = NULL, counts = $9
              WHERE tenant = $1 AND id = $2 AND holder = $3",
        )
        .bind(due.tenant.as_str())
        .bind(due.id)
        .bind(self.node)
        .bind(import.state.as_str())
        .bind(to.as_str())
        .bind(failure)
        .bind(summary)
        .bind(now)
        .bind(counts)
        .bind(mac)
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
                    failure = $4, changed_at = $5, holder = NULL, held_until = NULL, ordered = NULL
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
             rows AS (UPDATE journal.import_rows SET preview = NULL, errors = NULL, pass = 0, mac = NULL
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
