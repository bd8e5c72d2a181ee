//! The screening of all customers of a tenant: how far it is, and which node has it.

use super::{Store, StoreError};
use caudal_domain::ids::TenantId;
use caudal_postgres::Timestamp;
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

/// Seconds without progress after which another node takes a run over.
const HELD_SECONDS: f64 = 60.0;

/// How far the screening of all customers of a tenant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub after: Option<Uuid>,
    pub screened: i32,
    pub total: i32,
    pub found: i32,
    pub started_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
}

impl Run {
    fn read(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            after: row.try_get("after")?,
            screened: row.try_get("screened")?,
            total: row.try_get("total")?,
            found: row.try_get("found")?,
            // Displayed only.
            started_at: Timestamp::of(row, "started_at")?.unwrap_or(DateTime::UNIX_EPOCH),
            finished_at: Timestamp::of(row, "finished_at")?,
        })
    }
}

impl Store {
    /// The latest run of a tenant.
    pub async fn run(&self, tenant: &TenantId) -> Result<Option<Run>, StoreError> {
        let mut transaction = self.database.begin_read_by_keys(tenant.as_str()).await?;
        let row = sqlx::query("SELECT * FROM journal.screening_runs WHERE tenant = $1")
            .bind(tenant.as_str())
            .fetch_optional(&mut *transaction)
            .await?;
        Ok(row.as_ref().map(Run::read).transpose()?)
    }

    /// Begins the run against these lists, or takes it over from a silent node. `None` when it is done, or another node has
    /// it.
    pub async fn hold(
        &self,
        tenant: &TenantId,
        lists: &[u8],
        node: Uuid,
        total: i32,
    ) -> Result<Option<Run>, StoreError> {
        let mut transaction = self.database.begin_write_by_keys(tenant.as_str()).await?;
        let row = sqlx::query(
            "INSERT INTO journal.screening_runs AS r
                    (tenant, lists, after, screened, total, found, started_at, finished_at, holder, held_until)
             VALUES ($1, $2, NULL, 0, $4, 0, now(), NULL, $3, now() + make_interval(secs => $5))
             ON CONFLICT (tenant) DO UPDATE SET
                    lists = $2,
                    after = CASE WHEN r.lists = $2 THEN r.after END,
                    screened = CASE WHEN r.lists = $2 THEN r.screened ELSE 0 END,
                    found = CASE WHEN r.lists = $2 THEN r.found ELSE 0 END,
                    started_at = CASE WHEN r.lists = $2 THEN r.started_at ELSE now() END,
                    total = $4,
                    finished_at = NULL,
                    holder = $3,
                    held_until = now() + make_interval(secs => $5)
              WHERE (r.lists <> $2 OR r.finished_at IS NULL) AND (r.holder = $3 OR r.held_until < now())
             RETURNING *",
        )
        .bind(tenant.as_str())
        .bind(lists)
        .bind(node)
        .bind(total)
        .bind(HELD_SECONDS)
        .fetch_optional(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(row.as_ref().map(Run::read).transpose()?)
    }

    /// Moves a run on, and ends it where `is_over`. Returns whether this node still had it.
    pub async fn advance(
        &self,
        tenant: &TenantId,
        lists: &[u8],
        node: Uuid,
        run: &Run,
        is_over: bool,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_write_by_keys(tenant.as_str()).await?;
        let moved = sqlx::query(
            "UPDATE journal.screening_runs
                SET after = $4, screened = $5, found = $6, finished_at = CASE WHEN $7 THEN now() END,
                    held_until = CASE WHEN $7 THEN now() ELSE now() + make_interval(secs => $8) END
              WHERE tenant = $1 AND lists = $2 AND holder = $3",
        )
        .bind(tenant.as_str())
        .bind(lists)
        .bind(node)
        .bind(run.after)
        .bind(run.screened)
        .bind(run.found)
        .bind(is_over)
        .bind(HELD_SECONDS)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(moved.rows_affected() == 1)
    }
}
