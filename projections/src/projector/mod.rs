//! The projector: it applies every event of a tenant to all read models, in one transaction with its checkpoint.
//!
//! Any node may run it: the checkpoint's row is locked with SKIP LOCKED, so there is no leader. Whoever waits for a
//! position tries to project itself, so that no wake-up can be lost. `synchronous_commit` is off, since what a crash
//! loses is lost together with its checkpoint.

pub(crate) mod ahead;
pub(crate) mod batch;
mod follow;
mod shortcut;

pub use follow::{Lag, MAX_LAG, ProjectorState, TenantStatus};

use crate::error::{ProjectError, ReadError};
use ahead::Ahead;
use batch::{Batch, Kept, Writing};
use caudal_domain::ids::TenantId;
use caudal_journal::{Divergence, DivergenceKind, Hash, Journal, JournalError, LogPoint, Recorded, WithCauses};
use caudal_postgres::Database;
use shortcut::Lines;
use sqlx::{PgConnection, Row as _};
use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// The version of the read models' tables and of what events do to them: it changes with either of them.
pub const READ_MODELS_VERSION: i32 = 6;

/// Events a transaction: enough to make the statements' cost small, few enough to be done in some 100 ms.
const MAX_BATCH: i64 = 1_000;
/// How often a waiter looks whether another node has projected what it waits for.
const POLL: Duration = Duration::from_millis(5);
/// How long a waiter leaves a tenant alone whose projection just failed.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(100);
/// How long a batch may take: a thousand times what it does, and some seconds more than a statement of it may.
const BATCH_PATIENCE: Duration = Duration::from_secs(60);

/// Keeps the read models of every tenant. Clones share it.
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

/// What this node knows of a tenant's projection.
#[derive(Debug)]
struct Tenant {
    /// Held by who projects; others in this process need no connection to find out that they can't.
    turn: tokio::sync::Mutex<()>,
    /// How far the read models are known to have got.
    projected: watch::Sender<i64>,
    /// How far this node's journal has committed.
    committed: watch::Receiver<i64>,
    /// Why they don't move on.
    halted: Mutex<Option<String>>,
    /// The rows that the next batch will change too, and what they are as of.
    kept: Mutex<Option<(Stand, Kept)>>,
    /// The events of the next batch, while there are many.
    ahead: tokio::sync::Mutex<Ahead>,
    /// For how many batches more the short cut is not taken.
    caution: AtomicU32,
    /// The generation of the tenant's history that all of it is of.
    generation: AtomicU64,
}

/// What one attempt came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The read models stand at this position; there may be more to do.
    Advanced(i64),
    /// They stand at this position, and there was nothing more to do.
    CaughtUp(i64),
    /// They stand at this position and are of another version, so this node leaves them to a node of that version.
    StandsAside(i64),
    /// Somebody else is projecting the tenant.
    Busy,
}

/// What the tables hold: the rows as of a place in the log, until somebody projects or a rebuild puts others in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    /// The last event that they contain.
    pub(crate) at: LogPoint,
    /// PostgreSQL's number of one of the tables, which changes with all of them.
    pub(crate) tables: i64,
}

/// A tenant's checkpoint, locked.
enum Checkpoint {
    Mine(Stand),
    OfAnotherVersion(i64),
}

impl Projector {
    /// Projects what `journal` holds into `database`, which is the journal's.
    #[must_use]
    pub fn new(database: Database, journal: Journal) -> Self {
        Self::with_batch(database, journal, MAX_BATCH)
    }

    /// With so many events a transaction.
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
                ahead: tokio::sync::Mutex::default(),
                caution: AtomicU32::new(0),
                generation: AtomicU64::new(self.shared.journal.history_generation(id)),
            })
        });
        tenant.clone()
    }

    /// Projects one batch of a tenant's events, unless somebody else does.
    ///
    /// # Errors
    /// Where the log can't be read or applied, which is logged loudly, or the database fails.
    pub async fn project(&self, tenant: &TenantId) -> Result<Progress, ProjectError> {
        let known = self.tenant(tenant);
        let Ok(_turn) = known.turn.try_lock() else {
            return Ok(Progress::Busy);
        };
        let generation = self.shared.journal.history_generation(tenant);
        known.keep_to(generation);
        // What is in dispute is not projected: reads answer from what there was.
        if self.shared.journal.quarantined(tenant).is_some() {
            known.forget();
            // What the projector met before it heard of the quarantine is part of it, and halts nothing.
            *known.halted.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return Ok(Progress::StandsAside(*known.projected.borrow()));
        }
        // A database that says nothing must not keep the tenant's turn for ever.
        let progress = tokio::time::timeout(BATCH_PATIENCE, self.project_batch(tenant, &known))
            .await
            .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()));
        if let Err(ProjectError::Journal(JournalError::Diverged { divergence, .. })) = &progress {
            // It is in quarantine, which is told elsewhere.
            known.forget();
            self.shared.journal.quarantine(tenant, *divergence);
        } else if self.shared.journal.history_generation(tenant) == generation {
            known.note(tenant, &progress);
        }
        progress
    }

    /// Whether a tenant's log is in dispute, so that nothing of it is projected.
    pub(crate) fn stands_still(&self, tenant: &TenantId) -> bool {
        self.shared.journal.quarantined(tenant).is_some()
    }

    async fn project_batch(&self, tenant: &TenantId, known: &Tenant) -> Result<Progress, ProjectError> {
        let started = Instant::now();
        // Taken out until it is known to be true again.
        let kept = known.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (journal, limit) = (&self.shared.journal, self.shared.batch);
        let newest = kept
            .as_ref()
            .and_then(|(stand, _)| journal.take_newest(tenant, stand.at.position, limit));
        let kept = match (kept, &newest) {
            (Some((stand, kept)), Some(events)) => match self.short_cut(tenant, known, stand, kept, events).await {
                Ok(reached) => return Ok(self.progress(started, stand.at.position, reached)),
                Err(kept) => kept,
            },
            (kept, _) => kept,
        };
        let mut transaction = self.shared.database.begin_write_by_keys(tenant.as_str()).await?;
        let stand = match lock_checkpoint(&mut transaction, tenant).await? {
            None => return Ok(Progress::Busy),
            Some(Checkpoint::OfAnotherVersion(position)) => return Ok(Progress::StandsAside(position)),
            Some(Checkpoint::Mine(stand)) => stand,
        };
        let position = stand.at.position;
        let kept = kept.filter(|(of, _)| *of == stand).map(|(_, kept)| kept);
        let mut ahead = known.ahead.lock().await;
        let newest = newest.filter(|events| events.first().is_some_and(|first| first.position == position + 1));
        let ready = match newest.or_else(|| journal.take_newest(tenant, position, limit)) {
            Some(events) => Some(events),
            None => ahead.take(stand.at, limit).await,
        };
        let events = match ready {
            Some(events) => events,
            None => {
                journal
                    .events_following_on(&mut transaction, tenant, stand.at, limit)
                    .await?
            }
        };
        let (reached, kept) = match events.last().map(Recorded::point) {
            None => {
                require_logged(&mut transaction, tenant, stand.at).await?;
                (stand.at, kept.unwrap_or_default())
            }
            Some(last) => {
                // Most batches end where the log does; only one that is full has more behind it.
                if last.position - position == limit {
                    ahead.read(journal, tenant, last, limit);
                }
                let how = Writing::default();
                let kept = apply(&mut transaction, tenant, &events, kept.unwrap_or_default(), how).await?;
                (last, kept.unwrap_or_default())
            }
        };
        drop(ahead);
        transaction.commit().await?;
        let stand = Stand { at: reached, ..stand };
        *known.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((stand, kept));
        Ok(self.progress(started, position, reached.position))
    }

    /// What a batch came to.
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

    /// Projects until there is nothing more to do for this node. Returns the position reached.
    ///
    /// # Errors
    /// As [`Self::project`].
    pub async fn catch_up(&self, tenant: &TenantId) -> Result<i64, ProjectError> {
        loop {
            match self.project(tenant).await? {
                Progress::CaughtUp(position) | Progress::StandsAside(position) => return Ok(position),
                Progress::Advanced(_) => {}
                Progress::Busy => tokio::time::sleep(POLL).await,
            }
        }
    }

    /// Waits until a tenant's read models have got to a position; projects them itself where nobody else does.
    ///
    /// # Errors
    /// [`ReadError::NotYet`] at the deadline.
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
            // A failure is logged where it happens; here the position is only not there yet.
            let pause = match progress {
                Ok(Progress::Advanced(_)) => continue,
                Ok(Progress::CaughtUp(_) | Progress::StandsAside(_) | Progress::Busy) => POLL,
                Err(_) => PAUSE_AFTER_ERROR,
            };
            // Whoever projects in this process says so; another node's work shows at the next try.
            let _ = tokio::time::timeout(pause.min(deadline - now), projected.changed()).await;
        }
    }
}

impl Tenant {
    /// Lets go of what was kept of an earlier generation of the history: the log may end before positions that were
    /// projected.
    fn keep_to(&self, generation: u64) {
        if self.generation.swap(generation, Ordering::AcqRel) != generation {
            self.forget();
        }
    }

    /// Lets go of what was kept of a history that is in dispute.
    fn forget(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.projected.send_replace(0);
    }

    /// Keeps, and where it matters says, what an attempt came to.
    fn note(&self, tenant: &TenantId, progress: &Result<Progress, ProjectError>) {
        let mut halted = self.halted.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Ok(Progress::Advanced(position) | Progress::CaughtUp(position) | Progress::StandsAside(position)) => {
                *halted = None;
                self.projected.send_if_modified(|last| {
                    let newer = *position > *last;
                    *last = *position.max(last);
                    newer
                });
            }
            Ok(Progress::Busy) => {}
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
async fn lock_checkpoint(connection: &mut PgConnection, tenant: &TenantId) -> Result<Option<Checkpoint>, ProjectError> {
    // What a crash loses is lost together with its checkpoint.
    const LOCK: &str = "SELECT position, version, to_regclass('accounts')::oid::bigint AS tables,
                               CASE WHEN hash_at = position THEN hash END AS hash,
                               set_config('synchronous_commit', 'off', true)
                          FROM checkpoints WHERE tenant = $1 FOR UPDATE SKIP LOCKED";
    let mut row = sqlx::query(LOCK)
        .bind(tenant.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    if row.is_none() {
        // Locked by another, or not there yet.
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
        return Ok(Some(Checkpoint::OfAnotherVersion(position)));
    }
    let (tables, hash) = (row.try_get("tables")?, row.try_get("hash")?);
    let at = match hash {
        Some(hash) => LogPoint { position, hash },
        // Nothing was projected, or by a program of before hashes: the log's counts.
        None if position == 0 => LogPoint::genesis(tenant.as_str()),
        None => match logged(connection, tenant, position).await? {
            Some(hash) => LogPoint { position, hash },
            None => {
                let genesis = LogPoint::genesis(tenant.as_str());
                return Err(contradiction(tenant, LogPoint { position, ..genesis }, None));
            }
        },
    };
    Ok(Some(Checkpoint::Mine(Stand { at, tables })))
}

/// The hash of an event as the log has it. A statement of its own, so that it sees what was committed before the
/// checkpoint's lock was had.
async fn logged(connection: &mut PgConnection, tenant: &TenantId, position: i64) -> Result<Option<Hash>, sqlx::Error> {
    let row = sqlx::query("SELECT hash FROM journal.events WHERE tenant = $1 AND position = $2")
        .bind(tenant.as_str())
        .bind(position)
        .fetch_optional(connection)
        .await?;
    row.map(|row| row.try_get("hash")).transpose()
}

/// Requires the log to contain the last event that the read models contain. Where events follow, that they chain to it
/// says so.
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

impl Projector {
    /// Whether a tenant's read models contain events that its log does not have, so that they have to be rebuilt.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn contradicts_log(database: &Database, tenant: &TenantId) -> Result<bool, ProjectError> {
        let mut transaction = database.begin_write(tenant.as_str()).await?;
        let checked = match lock_checkpoint(&mut transaction, tenant).await {
            Ok(Some(Checkpoint::Mine(stand))) => require_logged(&mut transaction, tenant, stand.at).await,
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

/// Applies events to the tables on the connection's search path, over rows kept since the batch before, and moves the
/// checkpoint. Returns the rows to be kept for the next batch; none where nothing was written, since the tables are not as
/// the caller said.
pub(crate) async fn apply(
    connection: &mut PgConnection,
    tenant: &TenantId,
    events: &[Recorded],
    kept: Kept,
    how: Writing<'_>,
) -> Result<Option<Kept>, ProjectError> {
    let Some(last) = events.last() else {
        return Ok(Some(kept));
    };
    let mut batch = Batch::load(connection, tenant, events, kept).await?;
    for recorded in events {
        batch.apply(recorded)?;
    }
    Ok(batch.write(connection, tenant, last.point(), how).await?)
}
