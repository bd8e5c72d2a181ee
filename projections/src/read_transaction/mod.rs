//! Read transactions: each request is answered from one consistent snapshot of a tenant's read models, at a known
//! position.

mod walk;

use crate::{error::ReadError, sql::Sql, table::READ_MODELS_VERSION};
use caudal_domain::{DEFAULT_ZONE, Refusal, StreamKind, ids::TenantId};
use caudal_postgres::{Database, PLAN_ANEW, PLAN_ONCE, Transaction};
use chrono_tz::Tz;
use sqlx::{Executor as _, PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;
use walk::Walk;

/// Read transaction over one tenant's read models at one position.
#[derive(Debug)]
pub struct ReadTransaction {
    transaction: Transaction,
    tenant: TenantId,
    position: i64,
    /// Last position of the log when the transaction began.
    head: i64,
    zone: Tz,
    /// Set while a list is walked completely instead of paged.
    pub(crate) walk: Option<Walk>,
    /// Plan mode of the next statement.
    planned: Planned,
}

/// Plan mode of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planned {
    /// Generic plan, cached per connection.
    Once,
    /// Custom plan for the values.
    Anew,
}

impl ReadTransaction {
    /// Whether a list is walked completely, for a file.
    #[must_use]
    pub const fn walks(&self) -> bool {
        self.walk.is_some()
    }

    /// # Errors
    /// [`ReadError::OtherVersion`] where the tables are another version's.
    pub(crate) async fn begin(database: &Database, tenant: &TenantId, planned: Planned) -> Result<Self, ReadError> {
        let mut transaction = match planned {
            Planned::Once => database.begin_read_by_keys(tenant.as_str()).await?,
            Planned::Anew => database.begin_read(tenant.as_str()).await?,
        };
        let row = sqlx::query(
            "SELECT c.position, c.version, t.time_zone,
                    coalesce((SELECT position FROM journal.heads WHERE tenant = $1), 0) AS head
               FROM checkpoints AS c LEFT JOIN tenants AS t ON t.tenant = c.tenant
              WHERE c.tenant = $1",
        )
        .bind(tenant.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
        let (position, head, zone) = match &row {
            None => (0, 0, None),
            Some(row) => {
                let found = row.try_get("version")?;
                if found != READ_MODELS_VERSION {
                    let tenant = tenant.clone();
                    return Err(ReadError::OtherVersion { tenant, found });
                }
                (
                    row.try_get("position")?,
                    row.try_get("head")?,
                    row.try_get::<Option<String>, _>("time_zone")?,
                )
            }
        };
        let zone = zone.and_then(|zone| zone.parse().ok()).unwrap_or(DEFAULT_ZONE);
        Ok(Self {
            transaction,
            tenant: tenant.clone(),
            position,
            head,
            zone,
            walk: None,
            planned,
        })
    }

    /// Position of the rows.
    #[must_use]
    pub const fn position(&self) -> i64 {
        self.position
    }

    /// Last position of the log when the transaction began.
    pub(crate) const fn head(&self) -> i64 {
        self.head
    }

    /// The tenant's time zone, which separates days.
    #[must_use]
    pub const fn zone(&self) -> Tz {
        self.zone
    }

    #[must_use]
    pub const fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    /// Position of the last event of some streams that this transaction sees, whether projected or not; 0 without events.
    pub(crate) async fn last_change(&mut self, kind: StreamKind, records: &[Uuid]) -> Result<i64, ReadError> {
        let ids: Vec<String> = records.iter().map(Uuid::to_string).collect();
        let last: Option<i64> = sqlx::query_scalar(
            "SELECT max(last.position)
               FROM unnest($3::text[]) AS record (id)
              CROSS JOIN LATERAL (SELECT e.position FROM journal.events AS e
                                   WHERE e.tenant = $1 AND e.aggregate_type = $2 AND e.aggregate_id = record.id
                                   ORDER BY e.sequence DESC LIMIT 1) AS last",
        )
        .bind(self.tenant.as_str())
        .bind(kind.as_str())
        .bind(ids)
        .fetch_one(&mut *self.transaction)
        .await?;
        Ok(last.unwrap_or(0))
    }

    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }

    /// Runs a composed statement.
    pub(crate) async fn fetch(&mut self, sql: &Sql) -> Result<Vec<PgRow>, ReadError> {
        self.plan(Planned::Anew).await?;
        Ok(sql.fetch_all(&mut self.transaction).await?)
    }

    /// Runs a statement that finds rows by key with a cached generic plan; planning it for each call would take twenty
    /// times as long as executing it.
    pub(crate) async fn fetch_by_keys(&mut self, sql: &Sql) -> Result<Vec<PgRow>, ReadError> {
        self.plan(Planned::Once).await?;
        Ok(sql.fetch_all(&mut self.transaction).await?)
    }

    /// The column `id` of [`Self::fetch_by_keys`].
    pub(crate) async fn fetch_ids(&mut self, sql: &Sql) -> Result<Vec<Uuid>, ReadError> {
        let rows = self.fetch_by_keys(sql).await?;
        let ids = rows.iter().map(|row| row.try_get("id"));
        Ok(ids.collect::<Result<_, sqlx::Error>>()?)
    }

    async fn plan(&mut self, planned: Planned) -> Result<(), sqlx::Error> {
        if self.planned != planned {
            let settings = match planned {
                Planned::Once => PLAN_ONCE,
                Planned::Anew => PLAN_ANEW,
            };
            self.transaction.execute(settings).await?;
            self.planned = planned;
        }
        Ok(())
    }

    /// `FROM table AS alias WHERE alias.tenant = …`.
    pub(crate) fn rows(&self, table: &str, alias: &str) -> Sql {
        self.joined(&format!("{table} AS {alias}"), alias)
    }

    /// `FROM tables WHERE alias.tenant = …`.
    pub(crate) fn joined(&self, tables: &str, alias: &str) -> Sql {
        let mut sql = Sql::new(format!("FROM {tables} WHERE {alias}.tenant = "));
        sql.bind(&self.tenant);
        sql
    }

    /// Whether the currency exists.
    pub(crate) async fn has_currency(&mut self, code: &str) -> Result<bool, ReadError> {
        let mut sql = Sql::new("SELECT 1 FROM currencies WHERE tenant = ");
        sql.bind(&self.tenant).push(" AND NOT removed AND code = ").bind(code);
        Ok(!self.fetch(&sql).await?.is_empty())
    }
}

/// The single row of a result.
///
/// # Errors
/// Not found, with the code, when empty.
pub(crate) fn only<T>(rows: Vec<T>, code: &'static str) -> Result<T, ReadError> {
    rows.into_iter().next().ok_or_else(|| Refusal::not_found(code).into())
}
