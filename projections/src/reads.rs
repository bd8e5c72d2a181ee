//! Entry point of queries: where a snapshot comes from, and what it waits for.

use crate::{
    error::ReadError,
    projector::{Lag, Projector},
    read_transaction::{Planned, ReadTransaction},
    standby::Standby,
};
use caudal_domain::{StreamKind, ids::TenantId};
use caudal_postgres::Database;
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
    pub async fn begin_for_query(&self, tenant: &TenantId, min_position: i64) -> Result<ReadTransaction, ReadError> {
        if let Some(standby) = &self.standby
            && !self.projector.stands_still(tenant)
        {
            let known = self.projector.known_lag(tenant);
            let position = min_position.max(known.projected).max(known.head);
            let transaction = standby.begin(&self.database, tenant, position, Planned::Anew);
            if let Some(transaction) = transaction.await {
                return Ok(transaction);
            }
        }
        self.begin(tenant, min_position).await
    }

    /// A snapshot at `min_position` or later, with everything that was committed before it where the read models get
    /// there in time. A quarantined tenant is not projected; its snapshot shows the existing rows.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] when the position is not reached within a short wait.
    pub async fn begin(&self, tenant: &TenantId, min_position: i64) -> Result<ReadTransaction, ReadError> {
        self.begin_planned(tenant, min_position, Planned::Anew).await
    }

    /// [`Self::begin`] with generic plans, for a record and its references: one round trip fewer.
    pub async fn begin_for_record(&self, tenant: &TenantId, min_position: i64) -> Result<ReadTransaction, ReadError> {
        self.begin_planned(tenant, min_position, Planned::Once).await
    }

    /// A snapshot with everything that was committed of some records before this call; what is shown of others may be older.
    /// Decisions about a record read it without waiting for others' business to be projected.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] when the records' last change is not projected within a short wait.
    pub async fn begin_with_changes_of(
        &self,
        tenant: &TenantId,
        kind: StreamKind,
        records: &[Uuid],
    ) -> Result<ReadTransaction, ReadError> {
        let mut transaction = ReadTransaction::begin(&self.database, tenant, Planned::Once).await?;
        let changed = transaction.last_change(kind, records).await?;
        if transaction.position() >= changed || self.projector.stands_still(tenant) {
            return Ok(transaction);
        }
        drop(transaction);
        self.wait_for(tenant, changed, Instant::now() + PATIENCE).await?;
        ReadTransaction::begin(&self.database, tenant, Planned::Once).await
    }

    async fn begin_planned(
        &self,
        tenant: &TenantId,
        min_position: i64,
        planned: Planned,
    ) -> Result<ReadTransaction, ReadError> {
        let freshness = Instant::now() + FRESHNESS;
        // What this node has committed is waited for before a transaction begins; what other nodes have is in its snapshot.
        let known = self.projector.known_lag(tenant);
        self.projector.approach(tenant, known, freshness).await;
        let transaction = ReadTransaction::begin(&self.database, tenant, planned).await?;
        let lag = Lag {
            head: transaction.head(),
            projected: transaction.position(),
        };
        let is_fresh = lag.events() <= 0 || lag == known;
        if transaction.position() >= min_position && is_fresh || self.projector.stands_still(tenant) {
            return Ok(transaction);
        }
        drop(transaction);
        if lag.projected < min_position {
            self.wait_for(tenant, min_position, Instant::now() + PATIENCE).await?;
        }
        self.projector.approach(tenant, lag, freshness).await;
        let transaction = ReadTransaction::begin(&self.database, tenant, planned).await?;
        if transaction.position() >= min_position {
            return Ok(transaction);
        }
        Err(ReadError::NotYet {
            tenant: tenant.clone(),
            wanted: min_position,
            projected: transaction.position(),
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
