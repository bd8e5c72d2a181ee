//! The short cut: while a node projects what it has itself committed, and nobody else does, a batch is one statement.
//!
//! The events are in memory, and so is what most of them change. The statement is sent on a connection that stays the
//! tenant's while there is always something to do, commits by itself, and writes on the condition that the tables are
//! as they were left and nobody holds the checkpoint. Where it wrote nothing, or anything went wrong, the long way is
//! taken, which locks the checkpoint and reads the log.

use super::{Kept, Projector, Stand, Tenant, Writing, apply};
use caudal_domain::ids::TenantId;
use caudal_journal::Recorded;
use sqlx::{Postgres, pool::PoolConnection};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many tenants have a connection of their own at a time: a fifth of the pool's.
const MAX_LINES: usize = 4;

/// How many batches go the long way after one that was written in vain: where several nodes project a tenant in turn, each
/// finds the tables changed by another.
const CAUTIOUS_BATCHES: u32 = 16;

/// How long a tenant keeps it without anything to do.
const LINGER: Duration = Duration::from_secs(1);

/// A tenant's own connection.
#[derive(Debug)]
struct Line {
    connection: PoolConnection<Postgres>,
    _place: OwnedSemaphorePermit,
}

/// The connections that tenants have of their own.
#[derive(Debug)]
pub(super) struct Lines {
    places: Arc<Semaphore>,
    /// Those not in use, and since when. None while nobody is there to give them up.
    kept: Mutex<Option<HashMap<TenantId, (Line, Instant)>>>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(MAX_LINES)),
            kept: Mutex::new(None),
        }
    }
}

impl Lines {
    fn is_open(&self) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn take(&self, tenant: &TenantId) -> Option<Line> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_mut()?.remove(tenant).map(|(line, _)| line)
    }

    /// Keeps a connection for the tenant's next batch.
    fn keep(&self, tenant: &TenantId, line: Line) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.insert(tenant.clone(), (line, Instant::now()));
        }
    }

    /// Gives up those that had nothing to do for a while.
    pub(super) fn hang_up_idle(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.retain(|_, (_, since)| since.elapsed() < LINGER);
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
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(HashMap::new());
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
        let Some(mut line) = self.line(tenant).await else {
            return Err(Some((stand, kept)));
        };
        match written(&mut line, tenant, stand, kept, events).await {
            Some((stand, kept)) => {
                *known.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((stand, kept));
                self.shared.lines.keep(tenant, line);
                Ok(stand.position)
            }
            None => {
                known.caution.store(CAUTIOUS_BATCHES, Ordering::Relaxed);
                Err(None)
            }
        }
    }

    /// The tenant's connection, or a new one while there are places.
    async fn line(&self, tenant: &TenantId) -> Option<Line> {
        let lines = &self.shared.lines;
        if let Some(kept) = lines.take(tenant) {
            return Some(kept);
        }
        let place = lines.places.clone().try_acquire_owned().ok()?;
        let connection = self.shared.database.dedicated(tenant.as_str()).await.ok()?;
        Some(Line {
            connection,
            _place: place,
        })
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
    let position = events.last()?.position;
    let how = Writing {
        held: None,
        only_at: Some(stand),
    };
    let kept = apply(&mut line.connection, tenant, events, kept, how).await;
    let kept = kept
        .inspect_err(|error| tracing::debug!(%tenant, %error, "taking the long way to project"))
        .ok()??;
    Some((Stand { position, ..stand }, kept))
}
