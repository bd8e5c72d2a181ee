//! Rows: what became of them, and their corrections.

use super::{CHUNK, Imports, StoreError, place};
use crate::imports::{
    import::{Import, ImportState, Outcome, PassCounts, RowChange, RowResult, ShownRow},
    reader::RawRow,
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

impl Imports {
    /// Rows by result for who looks on: while a pass is under way, as they were at most [`COUNTS_REPEATED`] ago.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counts_of(&self, tenant: &TenantId, import: &Import) -> Result<PassCounts, StoreError> {
        if !matches!(import.state, ImportState::Previewing | ImportState::Running) {
            return self.counts(tenant, import.id).await;
        }
        let key = (tenant.clone(), import.id);
        if let Some(counts) = self.counted.get(&key) {
            return Ok(counts);
        }
        let counts = self.counts(tenant, import.id).await?;
        self.counted.insert(key, counts);
        Ok(counts)
    }

    /// Rows by result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counts(&self, tenant: &TenantId, id: Uuid) -> Result<PassCounts, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT preview->>'result' AS preview, result, left_out, count(*) AS rows FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 GROUP BY 1, 2, 3",
        )
        .bind(tenant.as_str())
        .bind(id)
        .fetch_all(&mut *transaction)
        .await?;
        let mut counts = PassCounts::default();
        for row in &rows {
            let number: i64 = row.try_get("rows")?;
            let named = |name| row.try_get::<Option<&str>, _>(name);
            let preview = named("preview")?.map(result_named).transpose()?;
            let result = named("result")?.map(result_named).transpose()?;
            let left_out = row.try_get::<bool, _>("left_out")?.then_some(RowResult::LeftOut);
            for (of, shown) in [
                (&mut counts.preview, preview),
                (&mut counts.run, result),
                (&mut counts.shown, left_out.or(result).or(preview)),
            ] {
                if let Some(shown) = shown {
                    of.add(shown, number);
                }
            }
        }
        Ok(counts)
    }

    /// Rows by number from an offset, with their outcomes; those that show one result if asked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rows(
        &self,
        tenant: &TenantId,
        import: &Import,
        offset: i64,
        limit: i64,
        result: Option<RowResult>,
    ) -> Result<Vec<ShownRow>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, line, preview, result, errors, record, code, left_out FROM journal.import_rows
              WHERE tenant = $1 AND import = $2
                AND ($5::text IS NULL
                     OR CASE WHEN left_out THEN 'leftOut' ELSE coalesce(result, preview->>'result') END = $5)
              ORDER BY row OFFSET $3 LIMIT $4",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(offset)
        .bind(limit)
        .bind(result.map(RowResult::as_str))
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.shown(tenant, import, &rows).await
    }

    /// A row with its outcomes.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn row(&self, tenant: &TenantId, import: &Import, row: i32) -> Result<Option<ShownRow>, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(
            "SELECT row, line, preview, result, errors, record, code, left_out FROM journal.import_rows
              WHERE tenant = $1 AND import = $2 AND row = $3",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(row)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(self.shown(tenant, import, &rows).await?.pop())
    }

    /// Rows that a preview or a person noted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn noted(&self, tenant: &TenantId, id: Uuid) -> Result<i64, StoreError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let noted = sqlx::query_scalar("SELECT count(*) FROM journal.import_rows WHERE tenant = $1 AND import = $2")
            .bind(tenant.as_str())
            .bind(id)
            .fetch_one(&mut *transaction)
            .await?;
        Ok(noted)
    }

    async fn shown(&self, tenant: &TenantId, import: &Import, rows: &[PgRow]) -> Result<Vec<ShownRow>, StoreError> {
        let mut shown = Vec::with_capacity(rows.len());
        let mut chunk: Option<(i32, Vec<RawRow>)> = None;
        for row in rows {
            let at: i32 = row.try_get("row")?;
            let number = at / CHUNK;
            if import.details.is_some() && chunk.as_ref().is_none_or(|(loaded, _)| *loaded != number) {
                chunk = Some((number, self.chunk(tenant, import.id, number).await?));
            }
            let place = usize::try_from(at % CHUNK).unwrap_or_default();
            let cells = chunk
                .as_ref()
                .and_then(|(_, rows)| rows.get(place))
                .map(|row| row.cells.clone());
            let preview: Option<serde_json::Value> = row.try_get("preview")?;
            shown.push(ShownRow {
                row: at,
                line: row.try_get("line")?,
                cells,
                preview: preview.map(serde_json::from_value).transpose()?,
                result: result_of(row)?,
                left_out: row.try_get("left_out")?,
            });
        }
        Ok(shown)
    }

    /// Changes a row; the import needs a new preview. Returns whether it may be changed: an import at work stays as it is, and so
    /// does a row that was added, or that may have been added by a run that was interrupted. A row without a result that a person
    /// has changed since the last run began is marked by empty errors: no run has submitted it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change_row(
        &self,
        tenant: &TenantId,
        import: &Import,
        row: i32,
        change: RowChange,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let may = sqlx::query(
            "UPDATE journal.imports AS i SET state = 'mapping', changed_at = $4, next_row = 0, summary = NULL
              WHERE i.tenant = $1 AND i.id = $2 AND i.details IS NOT NULL
                AND i.state IN ('mapping', 'previewed', 'paused', 'done')
                AND (i.state = 'done' OR i.started_at IS NULL
                     OR EXISTS (SELECT 1 FROM journal.import_rows AS r
                                 WHERE r.tenant = $1 AND r.import = $2 AND r.row = $3
                                   AND (r.result IN ('refused', 'leftOut') OR (r.result IS NULL AND r.errors IS NOT NULL))))
                AND NOT EXISTS (SELECT 1 FROM journal.import_rows AS r
                                 WHERE r.tenant = $1 AND r.import = $2 AND r.row = $3
                                   AND r.result IN ('added', 'there', 'waiting'))",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(row)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        let chunk = row / CHUNK;
        let sealed: Option<Vec<u8>> = sqlx::query_scalar(
            "SELECT content FROM journal.import_chunks WHERE tenant = $1 AND import = $2 AND chunk = $3",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(chunk)
        .fetch_optional(&mut *transaction)
        .await?;
        let (1, Some(sealed)) = (may.rows_affected(), sealed) else {
            return Ok(false);
        };
        let mut rows: Vec<RawRow> = self.open(&format!("{}/{chunk}", place(tenant, import.id)), &sealed)?;
        let Some(place) = usize::try_from(row % CHUNK).ok().and_then(|place| rows.get_mut(place)) else {
            return Ok(false);
        };
        let line = i32::try_from(place.number).unwrap_or(i32::MAX);
        let leaves_out = match change {
            RowChange::Cells(cells) => {
                for (column, text) in cells {
                    if place.cells.len() <= column {
                        place.cells.resize(column + 1, String::new());
                    }
                    if let Some(cell) = place.cells.get_mut(column) {
                        *cell = text;
                    }
                }
                self.put_chunk(&mut transaction, tenant, import.id, chunk, &rows)
                    .await?;
                false
            }
            RowChange::LeaveOut(leaves_out) => leaves_out,
        };
        sqlx::query(
            "INSERT INTO journal.import_rows (tenant, import, row, line, left_out, errors)
             VALUES ($1, $2, $3, $4, $5, '[]')
             ON CONFLICT (tenant, import, row) DO UPDATE
                SET left_out = EXCLUDED.left_out, preview = NULL, result = NULL, errors = EXCLUDED.errors,
                    pass = 0, mac = NULL",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(row)
        .bind(line)
        .bind(leaves_out)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }
}

fn result_of(row: &PgRow) -> Result<Option<Outcome>, StoreError> {
    let Some(result) = row.try_get::<Option<&str>, _>("result")? else {
        return Ok(None);
    };
    let errors: Option<serde_json::Value> = row.try_get("errors")?;
    Ok(Some(Outcome {
        errors: errors.map(serde_json::from_value).transpose()?.unwrap_or_default(),
        record: row.try_get("record")?,
        code: row.try_get("code")?,
        ..Outcome::of(result_named(result)?)
    }))
}

pub(super) fn result_named(name: &str) -> Result<RowResult, StoreError> {
    RowResult::of(name).ok_or(StoreError::Changed)
}
