//! Entry point of queries: where a snapshot comes from, and what it waits for.

use crate::{
    error::ReadError,
    projector::{Lag, Projector},
    snapshot::{Planned, Snapshot},
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

    /// A snapshot with everything that was committed of some records before this call; what is shown of others may be older.
    /// Decisions about a record read it without waiting for others' business to be projected.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] when the records' last change is not projected within a short wait.
    pub async fn snapshot_of(
        &self,
        tenant: &TenantId,
        kind: StreamKind,
        records: &[Uuid],
    ) -> Result<Snapshot, ReadError> {
        let mut snapshot = Snapshot::begin(&self.database, tenant, Planned::Once).await?;
        let changed = snapshot.last_change(kind, records).await?;
        if snapshot.position() >= changed || self.projector.stands_still(tenant) {
            return Ok(snapshot);
        }
        drop(snapshot);
        self.wait_for(tenant, changed, Instant::now() + PATIENCE).await?;
        Snapshot::begin(&self.database, tenant, Planned::Once).await
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
            head: snapshot.head(),
            projected: snapshot.position(),
        };
        let is_fresh = lag.events() <= 0 || lag == known;
        if snapshot.position() >= min_position && is_fresh || self.projector.stands_still(tenant) {
            return Ok(snapshot);
        }
        drop(snapshot);
        if lag.projected < min_position {
            self.wait_for(tenant, min_position, Instant::now() + PATIENCE).await?;
        }
        self.projector.approach(tenant, lag, freshness).await;
        let snapshot = Snapshot::begin(&self.database, tenant, planned).await?;
        if snapshot.position() >= min_position {
            return Ok(snapshot);
        }
        Err(ReadError::NotYet {
            tenant: tenant.clone(),
            wanted: min_position,
            projected: snapshot.position(),
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
