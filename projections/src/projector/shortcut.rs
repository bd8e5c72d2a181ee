//! The short cut: while a node projects what it has itself committed, and nobody else does, a batch is one statement.
//!
//! The events are in memory, and so is what most of them change. The statement is sent on one of a few connections that
//! are kept for it, the tenant's last one where nobody else needed it since. It commits by itself, and writes on the condition
//! that the tables are as they were left and nobody holds the checkpoint. Where it wrote nothing, or anything went wrong,
//! the long way is taken, which locks the checkpoint and reads the log.
//!
//! **Invariant**: what a batch leaves in the read models is the same by both ways: the short cut applies the same events by the
//! same `apply`, to rows that are those of the tables, or writes nothing. It is one call, `Projector::short_cut`.

use super::{Kept, Projector, Stand, Tenant, Writing, apply};
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

/// How many such connections there are at most: a fifth of the pool's.
const MAX_LINES: usize = 4;

/// How long a batch waits for one while all are in use, which is for a millisecond or two each. The long way takes more work
/// of the database than the wait is worth.
const PATIENCE: Duration = Duration::from_millis(20);

/// How many batches go the long way after one that was written in vain: where several nodes project a tenant in turn, each
/// finds the tables changed by another.
const CAUTIOUS_BATCHES: u32 = 16;

/// How long a connection is kept without anything to do.
const LINGER: Duration = Duration::from_secs(1);

/// A connection, as one tenant's.
#[derive(Debug)]
struct Line {
    tenant: TenantId,
    connection: PoolConnection<Postgres>,
    /// From when on the connection is.
    connected_at: tokio::time::Instant,
    _place: OwnedSemaphorePermit,
}

/// The connections that are kept for short cuts.
#[derive(Debug)]
pub(super) struct Lines {
    /// One for each that may be in use.
    turns: Arc<Semaphore>,
    /// One for each that there may be.
    places: Arc<Semaphore>,
    /// Those not in use, and since when, the longest first. None while nobody is there to give them up.
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

    /// The tenant's, where it is still there.
    fn take(&self, tenant: &TenantId) -> Option<Line> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_mut()?;
        let own = kept.iter().position(|(line, _)| line.tenant == *tenant)?;
        Some(kept.remove(own).0)
    }

    /// Whichever was not in use for the longest.
    fn take_any(&self) -> Option<Line> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_mut().filter(|kept| !kept.is_empty())?;
        Some(kept.remove(0).0)
    }

    /// Keeps a connection for the next batch.
    fn keep(&self, line: Line) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.push((line, Instant::now()));
        }
    }

    /// Gives up those to a server that the database has failed over from: it may still take writes, which nobody would read.
    fn hang_up_outlived(&self, database: &Database) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.retain(|(line, _)| !database.failed_over_since(line.connected_at));
        }
    }

    /// Gives up those that had nothing to do for a while.
    pub(super) fn hang_up_idle(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.retain(|(_, since)| since.elapsed() < LINGER);
        }
    }
}

/// Lines are given out while this is there.
pub(super) struct LinesOpen(Projector);

impl Drop for LinesOpen {
    fn drop(&mut self) {
        let kept = &self.0.shared.lines.kept;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Projector {
    /// Gives lines out until what is returned is dropped.
    pub(super) fn open_lines(&self) -> LinesOpen {
        let kept = &self.shared.lines.kept;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
        LinesOpen(self.clone())
    }

    /// Projects events in one statement. Returns the position reached; where it could not be done, what is
    /// still known to be true of the tables.
    pub(super) async fn short_cut(
        &self,
        tenant: &TenantId,
        known: &Tenant,
        stand: Stand,
        kept: Kept,
        events: &[Recorded],
    ) -> Result<i64, Option<(Stand, Kept)>> {
        if !self.shared.lines.is_open() || known.is_cautious() {
            return Err(Some((stand, kept)));
        }
        let turns = self.shared.lines.turns.clone();
        let Ok(Ok(_turn)) = timeout(PATIENCE, turns.acquire_owned()).await else {
            return Err(Some((stand, kept)));
        };
        let Some(mut line) = self.line(tenant).await else {
            return Err(Some((stand, kept)));
        };
        match written(&mut line, tenant, stand, kept, events).await {
            Some((stand, kept)) => {
                *known.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((stand, kept));
                self.shared.lines.keep(line);
                Ok(stand.at.position)
            }
            None => {
                known.caution.store(CAUTIOUS_BATCHES, Ordering::Relaxed);
                Err(None)
            }
        }
    }

    /// The tenant's connection, a new one while there are places, or one that another tenant does not use.
    async fn line(&self, tenant: &TenantId) -> Option<Line> {
        let (lines, database) = (&self.shared.lines, &self.shared.database);
        lines.hang_up_outlived(database);
        if let Some(own) = lines.take(tenant) {
            return Some(own);
        }
        if let Ok(place) = lines.places.clone().try_acquire_owned() {
            // Before the connection is made, so that no failover comes between unseen.
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
    /// Whether this batch goes the long way because one was written in vain not long ago.
    fn is_cautious(&self) -> bool {
        let fewer = |left: u32| left.checked_sub(1);
        let left = self.caution.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
        left.is_ok()
    }
}

/// Writes events on the condition that the tables stand where they did. None where it did not, or could not tell.
async fn written(
    line: &mut Line,
    tenant: &TenantId,
    stand: Stand,
    kept: Kept,
    events: &[Recorded],
) -> Option<(Stand, Kept)> {
    let at = events.last()?.point();
    let how = Writing {
        held: None,
        only_at: Some(stand),
    };
    let kept = apply(&mut line.connection, tenant, events, kept, how).await;
    let kept = kept
        .inspect_err(|error| tracing::debug!(%tenant, %error, "taking the long way to project"))
        .ok()??;
    Some((Stand { at, ..stand }, kept))
}
