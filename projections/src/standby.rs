//! Reading from a standby, so that lists, reports and exports spare the primary.
//!
//! A snapshot of the standby is taken for a query where all of this holds; otherwise the query reads the primary:
//!
//! | What | Why |
//! |---|---|
//! | it shows the position that the caller asked for, and every event that this node knows to be projected | a query shows no less than the primary would; the standby gets [`CATCH_UP`] to get there |
//! | the last event that it contains is in the primary's log, checked at most [`CHECKED_FOR`] ago | after a failover that lost events, a standby may still follow the server of before |
//! | the log is not in quarantine | what is in dispute is read where the log is |
//! | it did not fail within [`RETRY_AFTER`] | queries do not wait for a machine that is away |

use crate::{
    error::ReadError,
    snapshot::{Planned, Snapshot},
};
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use sqlx::Row as _;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::time::{sleep, timeout};

/// How long a query waits for the standby to catch up: replication within a data centre takes some milliseconds.
const CATCH_UP: Duration = Duration::from_millis(200);
/// Between two looks at how far the standby is.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How long a connection to the standby, and what it does first, may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a standby that failed is left alone.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// For how long a standby that contains the primary's history is taken to follow it.
const CHECKED_FOR: Duration = Duration::from_secs(1);

/// A standby of the primary. Clones share what is known of it.
#[derive(Clone)]
pub(crate) struct Standby {
    database: Database,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    failed: Option<Instant>,
    /// When a tenant's history was last compared with the primary's.
    compared: HashMap<TenantId, Instant>,
}

/// Why a standby is not read.
enum Passed {
    Behind,
    Unavailable(ReadError),
    OtherHistory,
}

impl Passed {
    const fn outcome(&self) -> &'static str {
        match self {
            Self::Behind => "behind",
            Self::Unavailable(_) => "unavailable",
            Self::OtherHistory => "other_history",
        }
    }
}

impl<E: Into<ReadError>> From<E> for Passed {
    fn from(error: E) -> Self {
        Self::Unavailable(error.into())
    }
}

impl Standby {
    pub(crate) fn new(database: Database) -> Self {
        Self {
            database,
            known: Arc::default(),
        }
    }

    /// A snapshot at `position` or later; none where the primary has to be read.
    pub(crate) async fn snapshot(
        &self,
        primary: &Database,
        tenant: &TenantId,
        position: i64,
        planned: Planned,
    ) -> Option<Snapshot> {
        if self.known().failed.is_some_and(|at| at.elapsed() < RETRY_AFTER) {
            return None;
        }
        let snapshot = self.caught_up(primary, tenant, position, planned).await;
        let outcome = snapshot.as_ref().map_or_else(Passed::outcome, |_| "read");
        metrics::counter!("caudal_standby_reads", "outcome" => outcome).increment(1);
        match snapshot {
            Ok(snapshot) => Some(snapshot),
            Err(Passed::Unavailable(error)) => {
                tracing::warn!(%error, "the standby does not answer; the primary is read");
                self.known().failed = Some(Instant::now());
                None
            }
            Err(Passed::OtherHistory) => {
                tracing::warn!(%tenant, "the standby has events that the primary does not have; the primary is read");
                self.known().failed = Some(Instant::now());
                None
            }
            Err(Passed::Behind) => None,
        }
    }

    async fn caught_up(
        &self,
        primary: &Database,
        tenant: &TenantId,
        position: i64,
        planned: Planned,
    ) -> Result<Snapshot, Passed> {
        let deadline = Instant::now() + CATCH_UP;
        loop {
            let begun = timeout(ANSWER_TIMEOUT, Snapshot::begin(&self.database, tenant, planned)).await;
            let mut snapshot = begun.map_err(|_| sqlx::Error::PoolTimedOut)??;
            if snapshot.position() >= position {
                self.compare(primary, &mut snapshot).await?;
                return Ok(snapshot);
            }
            drop(snapshot);
            if Instant::now() >= deadline {
                return Err(Passed::Behind);
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Requires the primary's log to have the last event that the standby's read models contain.
    async fn compare(&self, primary: &Database, snapshot: &mut Snapshot) -> Result<(), Passed> {
        const HASH: &str = "SELECT hash FROM journal.events WHERE tenant = $1 AND position = $2";
        let (tenant, position) = (snapshot.tenant().clone(), snapshot.position());
        let compared = self.known().compared.get(&tenant).copied();
        if position == 0 || compared.is_some_and(|at| at.elapsed() < CHECKED_FOR) {
            return Ok(());
        }
        let asked = sqlx::query(HASH).bind(tenant.as_str()).bind(position);
        let here = asked.fetch_optional(snapshot.connection()).await?;
        let mut transaction = primary.begin_read(tenant.as_str()).await?;
        let asked = sqlx::query(HASH).bind(tenant.as_str()).bind(position);
        let there = asked.fetch_optional(&mut *transaction).await?;
        let hash = |row: Option<sqlx::postgres::PgRow>| row.map(|row| row.try_get::<Vec<u8>, _>(0)).transpose();
        if hash(here)? != hash(there)? {
            return Err(Passed::OtherHistory);
        }
        self.known().compared.insert(tenant, Instant::now());
        Ok(())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
