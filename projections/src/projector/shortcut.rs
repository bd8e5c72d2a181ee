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
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many tenants have a connection of their own at a time: a fifth of the pool's.
const MAX_LINES: usize = 4;

/// How many batches go the long way after one that was written in vain: where several nodes project a tenant in turn, each
/// finds the tables changed by another.
const CAUTIOUS_BATCHES: u32 = 16;

/// How long a tenant keeps it without anything to do.
pub(super) const LINGER: Duration = Duration::from_secs(1);

/// A tenant's own connection.
#[derive(Debug)]
pub(super) struct Line {
    connection: PoolConnection<Postgres>,
    _place: OwnedSemaphorePermit,
}

/// Who may have one.
#[derive(Debug)]
pub(super) struct Lines {
    places: Arc<Semaphore>,
    /// Only while somebody is there to take them back.
    is_open: AtomicBool,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(MAX_LINES)),
            is_open: AtomicBool::new(false),
        }
    }
}

/// Lines are given out while this is there.
pub(super) struct LinesOpen(Projector);

impl Drop for LinesOpen {
    fn drop(&mut self) {
        let shared = &self.0.shared;
        shared.lines.is_open.store(false, Ordering::SeqCst);
        let tenants = shared.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        for tenant in tenants.values() {
            tenant.hang_up();
        }
    }
}

impl Projector {
    /// Gives lines out until what is returned is dropped.
    pub(super) fn open_lines(&self) -> LinesOpen {
        self.shared.lines.is_open.store(true, Ordering::SeqCst);
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
        if !self.shared.lines.is_open.load(Ordering::SeqCst) || known.is_cautious() {
            return Err(Some((stand, kept)));
        }
        let Some(mut line) = self.line(tenant, known).await else {
            return Err(Some((stand, kept)));
        };
        match written(&mut line, tenant, stand, kept, events).await {
            Some((stand, kept)) => {
                *known.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((stand, kept));
                known.keep(self, line);
                Ok(stand.position)
            }
            None => {
                known.caution.store(CAUTIOUS_BATCHES, Ordering::Relaxed);
                Err(None)
            }
        }
    }

    /// The tenant's connection, or a new one while there are places.
    async fn line(&self, tenant: &TenantId, known: &Tenant) -> Option<Line> {
        let kept = known.line.lock().unwrap_or_else(PoisonError::into_inner).take();
        if kept.is_some() {
            return kept;
        }
        let place = self.shared.lines.places.clone().try_acquire_owned().ok()?;
        let connection = self.shared.database.dedicated(tenant.as_str()).await.ok()?;
        Some(Line {
            connection,
            _place: place,
        })
    }
}

impl Tenant {
    /// Keeps a connection for the next batch.
    fn keep(&self, projector: &Projector, line: Line) {
        let mut kept = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if projector.shared.lines.is_open.load(Ordering::SeqCst) {
            *kept = Some(line);
        }
    }

    /// Whether this batch goes the long way because one was written in vain not long ago.
    fn is_cautious(&self) -> bool {
        let fewer = |left: u32| left.checked_sub(1);
        let left = self.caution.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
        left.is_ok()
    }

    /// Gives the connection up.
    pub(super) fn hang_up(&self) {
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether there is one.
    pub(super) fn has_line(&self) -> bool {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).is_some()
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
