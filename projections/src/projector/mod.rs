//! Projector: applies every event of a tenant to all read models, and moves their position in the same transaction.
//!
//! Any node may run it: the position's row is locked with SKIP LOCKED, so there is no leader. A query that waits for a
//! position projects itself, so a lost wake-up does no harm. `synchronous_commit` is off: a crash loses rows together
//! with their position.

pub(crate) mod fold;
mod follow;
pub(crate) mod prefetch;
mod shortcut;

pub use crate::table::READ_MODELS_VERSION;
pub use follow::{Lag, MAX_LAG, ProjectorState, TenantStatus};

use crate::batch::{Batch, RowCache};
use crate::{
    error::{ProjectError, ReadError},
    table::TableState,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Divergence, DivergenceKind, Hash, Journal, JournalError, LogPoint, Recorded, WithCauses};
use caudal_postgres::Database;
use fold::Writing;
use prefetch::Prefetch;
use shortcut::Lines;
use sqlx::{PgConnection, Row as _};
use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// Events per transaction: amortises the statements' cost and takes some 100 ms.
const MAX_BATCH: i64 = 1_000;
/// Poll interval of a waiter for another node's progress.
const POLL: Duration = Duration::from_millis(5);
/// Back-off of a waiter after a failed projection.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(100);
/// Timeout of a batch; a thousand times its usual duration.
const BATCH_PATIENCE: Duration = Duration::from_secs(60);

/// Maintains the read models of all tenants. Clones share it.
#[derive(Clone)]
pub struct Projector {
    shared: Arc<Shared>,
}

struct Shared {
    database: Database,
    journal: Journal,
    batch: i64,
    lines: Lines,
    tenants: Mutex<HashMap<TenantId, Arc<Tenant>>>,
}

/// This node's state of a tenant's projection.
#[derive(Debug)]
struct Tenant {
    /// Held while projecting; spares other tasks of this process a connection.
    turn: tokio::sync::Mutex<()>,
    /// Known position of the read models.
    projected: watch::Sender<i64>,
    /// Position committed by this node's journal.
    committed: watch::Receiver<i64>,
    /// Error that stopped the projection.
    halted: Mutex<Option<String>>,
    /// Cached rows with the state of the tables that they belong to.
    kept: Mutex<Option<(TableState, RowCache)>>,
    /// Prefetched events, when the log is far ahead.
    prefetch: tokio::sync::Mutex<Prefetch>,
    /// Number of batches still to be projected without the optimistic path after a conflict.
    caution: AtomicU32,
    /// Generation of the tenant's history that the cached values belong to.
    generation: AtomicU64,
    /// Last position committed in an earlier generation: the log may end before it. 0 without one.
    outlived: AtomicI64,
}

/// Result of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Position reached; there may be more events.
    Advanced(i64),
    /// Position reached; no more events.
    CaughtUp(i64),
    /// The tenant is quarantined: its read models stay at this position.
    StandsAside(i64),
    /// The tables are of this version, not of this program's; left to nodes of that version until a rebuild.
    OtherVersion(i32),
    /// Another task or node is projecting the tenant.
    Busy,
}

/// A tenant's position, locked.
enum ProjectionPosition {
    Mine(TableState),
    OfAnotherVersion(i32),
}

impl Projector {
    /// Projects the logs of `journal` into `database`, which must be the journal's.
    #[must_use]
    pub fn new(database: Database, journal: Journal) -> Self {
        Self::with_batch(database, journal, MAX_BATCH)
    }

    /// With another batch size.
    #[must_use]
    pub fn with_batch(database: Database, journal: Journal, batch: i64) -> Self {
        let shared = Shared {
            database,
            journal,
            batch: batch.clamp(1, MAX_BATCH),
            lines: Lines::default(),
            tenants: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    fn tenant(&self, id: &TenantId) -> Arc<Tenant> {
        let mut tenants = self.shared.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let tenant = tenants.entry(id.clone()).or_insert_with(|| {
            Arc::new(Tenant {
                turn: tokio::sync::Mutex::default(),
                projected: watch::Sender::new(0),
                committed: self.shared.journal.subscribe(id),
                halted: Mutex::default(),
                kept: Mutex::default(),
                prefetch: tokio::sync::Mutex::default(),
                caution: AtomicU32::new(0),
                generation: AtomicU64::new(self.shared.journal.history_generation(id)),
                outlived: AtomicI64::new(0),
            })
        });
        tenant.clone()
    }

    /// Projects one batch of a tenant's events, unless another projector is active.
    ///
    /// # Errors
    /// When the log can't be read or applied, which is logged as an error, or the database fails.
    pub async fn project(&self, tenant: &TenantId) -> Result<Progress, ProjectError> {
        let known = self.tenant(tenant);
        let Ok(_turn) = known.turn.try_lock() else {
            return Ok(Progress::Busy);
        };
        let generation = self.shared.journal.history_generation(tenant);
        known.keep_to(generation);
        // A quarantined log is not projected: queries read the existing rows.
        if self.shared.journal.quarantined(tenant).is_some() {
            known.invalidate();
            // An error met before this node learned of the quarantine is part of it, and stops nothing.
            *known.halted.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return Ok(Progress::StandsAside(*known.projected.borrow()));
        }
        // A silent database must not keep the tenant's turn forever.
        let progress = tokio::time::timeout(BATCH_PATIENCE, self.project_batch(tenant, &known))
            .await
            .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()));
        if let Err(ProjectError::Journal(JournalError::Diverged { divergence, .. })) = &progress {
            // Quarantined, which is reported elsewhere, unless the batch began before an operator's decision.
            known.invalidate();
            self.shared
                .journal
                .quarantine_in_generation(tenant, *divergence, generation);
        } else if self.shared.journal.history_generation(tenant) == generation {
            known.note(tenant, &progress);
        } else {
            // What the batch has left in memory may be of the history that was given up.
            known.invalidate();
        }
        progress
    }

    /// Whether a tenant is quarantined, so that it is not projected.
    pub(crate) fn stands_still(&self, tenant: &TenantId) -> bool {
        self.shared.journal.quarantined(tenant).is_some()
    }

    async fn project_batch(&self, tenant: &TenantId, known: &Tenant) -> Result<Progress, ProjectError> {
        let started = Instant::now();
        // Removed until known to be valid again.
        let kept = known.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (journal, limit) = (&self.shared.journal, self.shared.batch);
        let newest = kept
            .as_ref()
            .and_then(|(table_state, _)| journal.take_newest(tenant, table_state.at.position, limit));
        let kept = match (kept, &newest) {
            (Some((table_state, kept)), Some(events)) => {
                match self.short_cut(tenant, known, table_state, kept, events).await {
                    Ok(reached) => return Ok(self.progress(started, table_state.at.position, reached)),
                    Err(kept) => kept,
                }
            }
            (kept, _) => kept,
        };
        let mut transaction = self.shared.database.begin_write_by_keys(tenant.as_str()).await?;
        let table_state = match lock_checkpoint(&mut transaction, tenant).await? {
            None => return Ok(Progress::Busy),
            Some(ProjectionPosition::OfAnotherVersion(version)) => return Ok(Progress::OtherVersion(version)),
            Some(ProjectionPosition::Mine(table_state)) => table_state,
        };
        let position = table_state.at.position;
        let kept = kept.filter(|(of, _)| *of == table_state).map(|(_, kept)| kept);
        let mut prefetch = known.prefetch.lock().await;
        let newest = newest.filter(|events| events.first().is_some_and(|first| first.position == position + 1));
        let ready = match newest.or_else(|| journal.take_newest(tenant, position, limit)) {
            Some(events) => Some(events),
            None => prefetch.take(table_state.at, limit).await,
        };
        let events = match ready {
            Some(events) => events,
            None => {
                journal
                    .events_following_on(&mut transaction, tenant, table_state.at, limit)
                    .await?
            }
        };
        let (reached, kept) = match events.last().map(Recorded::point) {
            None => {
                require_logged(&mut transaction, tenant, table_state.at).await?;
                (table_state.at, kept.unwrap_or_default())
            }
            Some(last) => {
                // Only a full batch has more events behind it.
                if last.position - position == limit {
                    prefetch.read(journal, tenant, last, limit);
                }
                let how = Writing::default();
                let kept = apply(&mut transaction, tenant, &events, kept.unwrap_or_default(), how).await?;
                (last, kept.unwrap_or_default())
            }
        };
        drop(prefetch);
        transaction.commit().await?;
        let table_state = TableState {
            at: reached,
            ..table_state
        };
        *known.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((table_state, kept));
        Ok(self.progress(started, position, reached.position))
    }

    /// Result of a batch.
    fn progress(&self, started: Instant, from: i64, reached: i64) -> Progress {
        if reached == from {
            return Progress::CaughtUp(from);
        }
        metrics::counter!("caudal_projected_events_total").increment((reached - from).unsigned_abs());
        metrics::histogram!("caudal_projection_batch_seconds").record(started.elapsed().as_secs_f64());
        if reached - from < self.shared.batch {
            Progress::CaughtUp(reached)
        } else {
            Progress::Advanced(reached)
        }
    }

    /// Projects until nothing is left for this node. Returns the position reached; 0 where the tables are another version's.
    pub async fn catch_up(&self, tenant: &TenantId) -> Result<i64, ProjectError> {
        loop {
            match self.project(tenant).await? {
                Progress::CaughtUp(position) | Progress::StandsAside(position) => return Ok(position),
                Progress::OtherVersion(_) => return Ok(0),
                Progress::Advanced(_) => {}
                Progress::Busy => tokio::time::sleep(POLL).await,
            }
        }
    }

    /// Waits until a tenant's read models have caught up with a lag, at most until the deadline. Does not wait for read models
    /// that are far behind, or halted: what is read then is old for longer than anybody waits.
    pub(crate) async fn approach(&self, tenant: &TenantId, lag: Lag, deadline: Instant) {
        if (1..=self.shared.batch).contains(&lag.events()) && !self.tenant(tenant).is_halted() {
            // Not reached: the query shows what there is.
            let _ = self.wait_for(tenant, lag.head, deadline).await;
        }
    }

    /// Waits until a tenant's read models reach a position; projects itself when nobody else does.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] at the deadline; [`ReadError::OtherVersion`] where nobody of this version projects.
    pub(crate) async fn wait_for(&self, tenant: &TenantId, position: i64, deadline: Instant) -> Result<(), ReadError> {
        let known = self.tenant(tenant);
        let mut projected = known.projected.subscribe();
        loop {
            known.keep_to(self.shared.journal.history_generation(tenant));
            if *projected.borrow_and_update() >= position {
                return Ok(());
            }
            let now = Instant::now();
            let not_yet = ReadError::NotYet {
                tenant: tenant.clone(),
                wanted: position,
                projected: *projected.borrow(),
            };
            if now >= deadline {
                return Err(not_yet);
            }
            let progress = tokio::time::timeout(deadline - now, self.project(tenant))
                .await
                .map_err(|_| not_yet)?;
            // Failures are logged where they occur; here the position is merely not reached.
            let pause = match progress {
                Ok(Progress::Advanced(_)) => continue,
                Ok(Progress::OtherVersion(found)) => {
                    let tenant = tenant.clone();
                    return Err(ReadError::OtherVersion { tenant, found });
                }
                Ok(Progress::CaughtUp(_) | Progress::StandsAside(_) | Progress::Busy) => POLL,
                Err(_) => PAUSE_AFTER_ERROR,
            };
            // A projector of this process notifies; another node's progress shows at the next attempt.
            let _ = tokio::time::timeout(pause.min(deadline - now), projected.changed()).await;
        }
    }
}

impl Tenant {
    /// Drops caches of an earlier generation: the log may end before projected positions.
    fn keep_to(&self, generation: u64) {
        if self.generation.swap(generation, Ordering::AcqRel) != generation {
            self.outlived.store(*self.committed.borrow(), Ordering::Release);
            self.invalidate();
        }
    }

    fn is_halted(&self) -> bool {
        self.halted.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Drops caches of a quarantined history.
    fn invalidate(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.projected.send_replace(0);
    }

    /// Records a position of the read models.
    fn reached(&self, position: i64) {
        self.projected.send_if_modified(|last| {
            let newer = position > *last;
            *last = position.max(*last);
            newer
        });
    }

    /// Records the result of an attempt and logs errors.
    fn note(&self, tenant: &TenantId, progress: &Result<Progress, ProjectError>) {
        let mut halted = self.halted.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Ok(Progress::Advanced(position) | Progress::CaughtUp(position) | Progress::StandsAside(position)) => {
                *halted = None;
                self.reached(*position);
            }
            Ok(Progress::Busy | Progress::OtherVersion(_)) => {}
            Err(error) if error.is_halt() => {
                let reason = WithCauses(error).to_string();
                if halted.as_ref() != Some(&reason) {
                    tracing::error!(%tenant, reason, "the read models halt: somebody has to look");
                    metrics::counter!("caudal_projector_halts_total").increment(1);
                }
                *halted = Some(reason);
            }
            Err(error) => tracing::warn!(%tenant, reason = %WithCauses(error), "could not project; trying again"),
        }
    }
}

/// Locks a tenant's checkpoint; none where somebody else holds it.
async fn lock_checkpoint(
    connection: &mut PgConnection,
    tenant: &TenantId,
) -> Result<Option<ProjectionPosition>, ProjectError> {
    // A crash loses rows together with their position.
    const LOCK: &str = "SELECT position, version, to_regclass('accounts')::oid::bigint AS tables,
                               CASE WHEN hash_at = position THEN hash END AS hash,
                               set_config('synchronous_commit', 'off', true)
                          FROM checkpoints WHERE tenant = $1 FOR UPDATE SKIP LOCKED";
    let mut row = sqlx::query(LOCK)
        .bind(tenant.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    if row.is_none() {
        // Locked by another, or missing.
        let made = sqlx::query(
            "INSERT INTO checkpoints (tenant, position, version)
             SELECT $1, 0, $2
              WHERE EXISTS (SELECT 1 FROM journal.heads WHERE tenant = $1)
                AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE tenant = $1)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(READ_MODELS_VERSION)
        .execute(&mut *connection)
        .await?;
        if made.rows_affected() > 0 {
            row = sqlx::query(LOCK)
                .bind(tenant.as_str())
                .fetch_optional(&mut *connection)
                .await?;
        }
    }
    let Some(row) = row else { return Ok(None) };
    let (position, version): (i64, i32) = (row.try_get("position")?, row.try_get("version")?);
    if version != READ_MODELS_VERSION {
        return Ok(Some(ProjectionPosition::OfAnotherVersion(version)));
    }
    let (tables, hash) = (row.try_get("tables")?, row.try_get("hash")?);
    let at = match hash {
        Some(hash) => LogPoint { position, hash },
        // Nothing was projected, or only by a version without hashes: trust the log.
        None if position == 0 => LogPoint::genesis(tenant.as_str()),
        None => match logged(connection, tenant, position).await? {
            Some(hash) => LogPoint { position, hash },
            None => {
                let genesis = LogPoint::genesis(tenant.as_str());
                return Err(contradiction(tenant, LogPoint { position, ..genesis }, None));
            }
        },
    };
    Ok(Some(ProjectionPosition::Mine(TableState { at, tables })))
}

/// Hash of an event in the log. A separate statement, so that it sees everything committed before the position's lock.
async fn logged(connection: &mut PgConnection, tenant: &TenantId, position: i64) -> Result<Option<Hash>, sqlx::Error> {
    let row = sqlx::query("SELECT hash FROM journal.events WHERE tenant = $1 AND position = $2")
        .bind(tenant.as_str())
        .bind(position)
        .fetch_optional(connection)
        .await?;
    row.map(|row| row.try_get("hash")).transpose()
}

/// Requires the last projected event to be in the log. When events follow, their chaining proves it.
async fn require_logged(connection: &mut PgConnection, tenant: &TenantId, at: LogPoint) -> Result<(), ProjectError> {
    if at.position == 0 {
        return Ok(());
    }
    let found = logged(connection, tenant, at.position).await?;
    if found == Some(at.hash) {
        return Ok(());
    }
    let found = found.map(|hash| LogPoint { hash, ..at });
    Err(contradiction(tenant, at, found))
}

fn contradiction(tenant: &TenantId, known: LogPoint, found: Option<LogPoint>) -> ProjectError {
    let divergence = Divergence {
        kind: DivergenceKind::ReadModels,
        known,
        found,
    };
    JournalError::Diverged {
        tenant: tenant.clone(),
        divergence,
    }
    .into()
}

/// Version of read models that are not of this program's version, of the tenants that live in this database; `None` without such. They
/// are neither projected nor read here until a rebuild. The connection sees all tenants.
///
/// # Errors
/// The database fails.
pub async fn other_version(connection: &mut PgConnection) -> Result<Option<i32>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT max(c.version) FROM read.checkpoints AS c
          WHERE c.version <> $1
            AND NOT EXISTS (SELECT FROM journal.placements AS p
                             WHERE p.tenant = c.tenant AND p.state IN ('left', 'arriving'))",
    )
    .bind(READ_MODELS_VERSION)
    .fetch_one(connection)
    .await
}

impl Projector {
    /// [`other_version`] of a database.
    ///
    /// # Errors
    /// The database fails.
    pub async fn other_version(database: &Database) -> Result<Option<i32>, ProjectError> {
        let mut transaction = database.begin_directory().await?;
        let version = other_version(&mut transaction).await?;
        transaction.commit().await?;
        Ok(version)
    }

    /// Whether a tenant's read models contain events that its log lacks, which requires a rebuild.
    pub async fn contradicts_log(database: &Database, tenant: &TenantId) -> Result<bool, ProjectError> {
        let mut transaction = database.begin_write(tenant.as_str()).await?;
        let checked = match lock_checkpoint(&mut transaction, tenant).await {
            Ok(Some(ProjectionPosition::Mine(table_state))) => {
                require_logged(&mut transaction, tenant, table_state.at).await
            }
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        transaction.rollback().await?;
        match checked {
            Ok(()) => Ok(false),
            Err(ProjectError::Journal(JournalError::Diverged { .. })) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

/// Applies events to the tables on the connection's search path, over cached rows, and moves the position. Returns the
/// cache for the next batch; `None` when the tables were not in the expected state and nothing was written.
pub(crate) async fn apply(
    connection: &mut PgConnection,
    tenant: &TenantId,
    events: &[Recorded],
    kept: RowCache,
    how: Writing<'_>,
) -> Result<Option<RowCache>, ProjectError> {
    let Some(last) = events.last() else {
        return Ok(Some(kept));
    };
    let batch = Batch {
        kept,
        ..Batch::default()
    };
    let mut batch = batch.fold(connection, tenant, events).await?;
    if how.only_at.is_some() && batch.erases() {
        return Ok(None);
    }
    let prepared = batch.prepare(tenant, last.point(), how)?;
    let is_written = prepared.run(connection, tenant).await?;
    Ok(is_written.then(|| batch.kept.settled()))
}
