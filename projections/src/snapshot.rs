//! Read transactions: each request is answered from one consistent snapshot of a tenant's read models, at a known
//! position.

use crate::{
    error::ReadError,
    projector::{Lag, Projector},
    sql::Sql,
    standby::Standby,
    walk::Walk,
};
use caudal_domain::{DEFAULT_ZONE, Refusal, ids::TenantId};
use caudal_postgres::{Database, PLAN_ANEW, PLAN_ONCE, Transaction};
use chrono_tz::Tz;
use sqlx::{Executor as _, PgConnection, Row as _, postgres::PgRow};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Maximum wait for the requested position before "not yet".
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum wait of a query for what was committed before it. Projecting it takes some milliseconds; a query of a tenant
/// whose read models lag for longer shows what there is.
const FRESHNESS: Duration = Duration::from_millis(250);

/// Entry point of queries. Clones share it.
#[derive(Clone)]
pub struct Reads {
    database: Database,
    projector: Projector,
    standby: Option<Standby>,
}

/// Read transaction over one tenant's read models at one position.
#[derive(Debug)]
pub struct Snapshot {
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

impl Reads {
    /// Reads from the projector's database.
    #[must_use]
    pub const fn new(database: Database, projector: Projector) -> Self {
        Self {
            database,
            projector,
            standby: None,
        }
    }

    /// Adds a standby for queries, used when it has caught up with the primary.
    #[must_use]
    pub fn with_standby(self, standby: Database) -> Self {
        Self {
            standby: Some(Standby::new(standby)),
            ..self
        }
    }

    /// A snapshot for a query that precedes no command; from the standby if possible.
    pub async fn query_snapshot(&self, tenant: &TenantId, min_position: i64) -> Result<Snapshot, ReadError> {
        if let Some(standby) = &self.standby
            && !self.projector.stands_still(tenant)
        {
            let known = self.projector.known_lag(tenant);
            let position = min_position.max(known.projected).max(known.head);
            let snapshot = standby.snapshot(&self.database, tenant, position, Planned::Anew);
            if let Some(snapshot) = snapshot.await {
                return Ok(snapshot);
            }
        }
        self.snapshot(tenant, min_position).await
    }

    /// A snapshot at `min_position` or later, with everything that was committed before it where the read models get
    /// there in time. A quarantined tenant is not projected; its snapshot shows the existing rows.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] when the position is not reached within a short wait.
    pub async fn snapshot(&self, tenant: &TenantId, min_position: i64) -> Result<Snapshot, ReadError> {
        self.snapshot_for(tenant, min_position, Planned::Anew).await
    }

    /// [`Self::snapshot`] with generic plans, for a record and its references: one round trip fewer.
    pub async fn record_snapshot(&self, tenant: &TenantId, min_position: i64) -> Result<Snapshot, ReadError> {
        self.snapshot_for(tenant, min_position, Planned::Once).await
    }

    async fn snapshot_for(
        &self,
        tenant: &TenantId,
        min_position: i64,
        planned: Planned,
    ) -> Result<Snapshot, ReadError> {
        let freshness = Instant::now() + FRESHNESS;
        // What this node has committed is waited for before a transaction begins; what other nodes have is in its snapshot.
        let known = self.projector.known_lag(tenant);
        self.projector.approach(tenant, known, freshness).await;
        let snapshot = Snapshot::begin(&self.database, tenant, planned).await?;
        let lag = Lag {
            head: snapshot.head,
            projected: snapshot.position,
        };
        let is_fresh = lag.events() <= 0 || lag == known;
        if snapshot.position >= min_position && is_fresh || self.projector.stands_still(tenant) {
            return Ok(snapshot);
        }
        drop(snapshot);
        if lag.projected < min_position {
            self.wait_for(tenant, min_position, Instant::now() + PATIENCE).await?;
        }
        self.projector.approach(tenant, lag, freshness).await;
        let snapshot = Snapshot::begin(&self.database, tenant, planned).await?;
        if snapshot.position >= min_position {
            return Ok(snapshot);
        }
        Err(ReadError::NotYet {
            tenant: tenant.clone(),
            wanted: min_position,
            projected: snapshot.position,
        })
    }

    /// Waits until a tenant's read models reach a position.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] at the deadline.
    pub async fn wait_for(&self, tenant: &TenantId, position: i64, deadline: Instant) -> Result<(), ReadError> {
        self.projector.wait_for(tenant, position, deadline).await
    }

    #[must_use]
    pub const fn projector(&self) -> &Projector {
        &self.projector
    }
}

impl Snapshot {
    /// Whether a list is walked completely, for a file.
    #[must_use]
    pub const fn walks(&self) -> bool {
        self.walk.is_some()
    }

    pub(crate) async fn begin(database: &Database, tenant: &TenantId, planned: Planned) -> Result<Self, ReadError> {
        let mut transaction = match planned {
            Planned::Once => database.begin_read_by_keys(tenant.as_str()).await?,
            Planned::Anew => database.begin_read(tenant.as_str()).await?,
        };
        let row = sqlx::query(
            "SELECT c.position, t.time_zone,
                    coalesce((SELECT position FROM journal.heads WHERE tenant = $1), 0) AS head
               FROM checkpoints AS c LEFT JOIN tenants AS t ON t.tenant = c.tenant
              WHERE c.tenant = $1",
        )
        .bind(tenant.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
        let (position, head, zone) = match &row {
            None => (0, 0, None),
            Some(row) => (
                row.try_get("position")?,
                row.try_get("head")?,
                row.try_get::<Option<String>, _>("time_zone")?,
            ),
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

    /// The tenant's time zone, which separates days.
    #[must_use]
    pub const fn zone(&self) -> Tz {
        self.zone
    }

    #[must_use]
    pub const fn tenant(&self) -> &TenantId {
        &self.tenant
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
