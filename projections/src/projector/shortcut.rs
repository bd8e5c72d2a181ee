//! Optimistic path: while only this node writes and projects a tenant, a batch is one statement.
//!
//! The events are in memory, and so is what most of them change. The statement is sent on one of a few connections that
//! are kept for it, the tenant's last one where nobody else needed it since. It commits by itself, and writes on the condition
//! that the tables are as they were left and nobody holds the checkpoint. Where it wrote nothing, or anything went wrong,
//! the long way is taken, which locks the checkpoint and reads the log.
//!
//! **Invariant**: what a batch leaves in the read models is the same by both ways: the short cut applies the same events by the
//! same `apply`, to rows that are those of the tables, or writes nothing. It is one call, `Projector::short_cut`.

use super::{Projector, RowCache, Tenant, Writing, apply};
use crate::table::TableState;
use caudal_domain::ids::TenantId;
use caudal_journal::Recorded;
use caudal_postgres::Database;
use sqlx::{Postgres, pool::PoolConnection};
use std::{
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Maximum dedicated connections: a fifth of the pool.
const MAX_LINES: usize = 4;

/// Wait for a dedicated connection; each is busy for a millisecond or two. Beyond that the regular path is cheaper.
const PATIENCE: Duration = Duration::from_millis(20);

/// Batches on the regular path after a conflict: when several nodes project a tenant in turn, each finds the tables
/// changed.
const CAUTIOUS_BATCHES: u32 = 16;

/// Idle timeout of a dedicated connection.
const LINGER: Duration = Duration::from_secs(1);

/// A dedicated connection and its current tenant.
#[derive(Debug)]
struct Line {
    tenant: TenantId,
    connection: PoolConnection<Postgres>,
    /// Time of connecting.
    connected_at: tokio::time::Instant,
    _place: OwnedSemaphorePermit,
}

/// Pool of dedicated connections.
#[derive(Debug)]
pub(super) struct Lines {
    /// Permits of connections in use.
    turns: Arc<Semaphore>,
    /// Permits of existing connections.
    places: Arc<Semaphore>,
    /// Idle connections with the start of idleness, oldest first. `None` when nothing maintains them.
    kept: Mutex<Option<Vec<(Line, Instant)>>>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(MAX_LINES)),
            places: Arc::new(Semaphore::new(MAX_LINES)),
            kept: Mutex::new(None),
        }
    }
}

impl Lines {
    fn is_open(&self) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The tenant's connection, if idle.
    fn take(&self, tenant: &TenantId) -> Option<Line> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_mut()?;
        let own = kept.iter().position(|(line, _)| line.tenant == *tenant)?;
        Some(kept.remove(own).0)
    }

    /// The longest idle connection.
    fn take_any(&self) -> Option<Line> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_mut().filter(|kept| !kept.is_empty())?;
        Some(kept.remove(0).0)
    }

    /// Returns a connection for the next batch.
    fn keep(&self, line: Line) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.push((line, Instant::now()));
        }
    }

    /// Closes connections to a previous primary: it may still accept writes that nobody reads.
    fn hang_up_outlived(&self, database: &Database) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.retain(|(line, _)| !database.failed_over_since(line.connected_at));
        }
    }

    /// Closes connections after the idle timeout.
    pub(super) fn hang_up_idle(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.retain(|(_, since)| since.elapsed() < LINGER);
        }
    }
}

/// Guard: connections are handed out while it exists.
pub(super) struct LinesOpen(Projector);

impl Drop for LinesOpen {
    fn drop(&mut self) {
        let kept = &self.0.shared.lines.kept;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Projector {
    /// Hands out connections until the returned guard is dropped.
    pub(super) fn open_lines(&self) -> LinesOpen {
        let kept = &self.shared.lines.kept;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
        LinesOpen(self.clone())
    }

    /// Projects events in one statement. Returns the position reached, or else what is still known of the tables.
    pub(super) async fn short_cut(
        &self,
        tenant: &TenantId,
        known: &Tenant,
        table_state: TableState,
        kept: RowCache,
        events: &[Recorded],
    ) -> Result<i64, Option<(TableState, RowCache)>> {
        if !self.shared.lines.is_open() || known.is_cautious() {
            return Err(Some((table_state, kept)));
        }
        let turns = self.shared.lines.turns.clone();
        let Ok(Ok(_turn)) = timeout(PATIENCE, turns.acquire_owned()).await else {
            return Err(Some((table_state, kept)));
        };
        let Some(mut line) = self.line(tenant).await else {
            return Err(Some((table_state, kept)));
        };
        match written(&mut line, tenant, table_state, kept, events).await {
            Some((table_state, kept)) => {
                *known.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((table_state, kept));
                self.shared.lines.keep(line);
                Ok(table_state.at.position)
            }
            None => {
                known.caution.store(CAUTIOUS_BATCHES, Ordering::Relaxed);
                Err(None)
            }
        }
    }

    /// The tenant's connection, a new one while permits remain, or an idle one of another tenant.
    async fn line(&self, tenant: &TenantId) -> Option<Line> {
        let (lines, database) = (&self.shared.lines, &self.shared.database);
        lines.hang_up_outlived(database);
        if let Some(own) = lines.take(tenant) {
            return Some(own);
        }
        if let Ok(place) = lines.places.clone().try_acquire_owned() {
            // Before connecting, so that no failover in between is missed.
            let connected_at = tokio::time::Instant::now();
            return Some(Line {
                tenant: tenant.clone(),
                connected_at,
                connection: database.dedicated(tenant.as_str()).await.ok()?,
                _place: place,
            });
        }
        let mut other = lines.take_any()?;
        database.rededicate(&mut other.connection, tenant.as_str()).await.ok()?;
        other.tenant = tenant.clone();
        Some(other)
    }
}

impl Tenant {
    /// Whether this batch uses the regular path because of a recent conflict.
    fn is_cautious(&self) -> bool {
        let fewer = |left: u32| left.checked_sub(1);
        let left = self.caution.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
        left.is_ok()
    }
}

/// Writes events if the tables have the expected state; `None` when they do not, or the outcome is unknown.
async fn written(
    line: &mut Line,
    tenant: &TenantId,
    table_state: TableState,
    kept: RowCache,
    events: &[Recorded],
) -> Option<(TableState, RowCache)> {
    let at = events.last()?.point();
    let how = Writing {
        held: None,
        only_at: Some(table_state),
    };
    let kept = apply(&mut line.connection, tenant, events, kept, how).await;
    let kept = kept
        .inspect_err(|error| tracing::debug!(%tenant, %error, "taking the long way to project"))
        .ok()??;
    Some((TableState { at, ..table_state }, kept))
}
