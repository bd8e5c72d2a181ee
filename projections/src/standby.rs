//! Reads from a standby, to relieve the primary of lists, reports and exports.
//!
//! A query uses a snapshot of the standby if all conditions hold, otherwise the primary:
//!
//! | Condition | Reason |
//! |---|---|
//! | it contains the requested position, and every event that this node has committed or knows to be projected | a query shows no less than the primary would; the standby gets [`CATCH_UP`] to get there |
//! | its last event is in the primary's log, checked at most [`CHECKED_FOR`] ago | after a failover that lost events, a standby may still follow the previous primary |
//! | the tenant is not in quarantine | a diverged log is read from the primary |
//! | it did not fail within [`RETRY_AFTER`] | queries do not wait for an absent machine |

use crate::{
    error::ReadError,
    read_transaction::{Planned, ReadTransaction},
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

/// Maximum wait for replication; a few milliseconds within a data centre.
const CATCH_UP: Duration = Duration::from_millis(200);
/// Poll interval of the standby's position.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Timeout of a connection and its first query.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);
/// Back-off after a failure.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Cache TTL of the check that a standby follows the primary's history.
const CHECKED_FOR: Duration = Duration::from_secs(1);

/// A standby of the primary. Clones share its state.
#[derive(Clone)]
pub(crate) struct Standby {
    database: Database,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    failed: Option<Instant>,
    /// Time of the last history check per tenant.
    compared: HashMap<TenantId, Instant>,
}

/// Why the standby is not used.
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

    /// A snapshot at `position` or later; `None` when the primary must be used.
    pub(crate) async fn begin(
        &self,
        primary: &Database,
        tenant: &TenantId,
        position: i64,
        planned: Planned,
    ) -> Option<ReadTransaction> {
        if self.known().failed.is_some_and(|at| at.elapsed() < RETRY_AFTER) {
            return None;
        }
        let read_transaction = self.caught_up(primary, tenant, position, planned).await;
        let outcome = read_transaction.as_ref().map_or_else(Passed::outcome, |_| "read");
        metrics::counter!("caudal_standby_reads", "outcome" => outcome).increment(1);
        match read_transaction {
            Ok(read_transaction) => Some(read_transaction),
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
    ) -> Result<ReadTransaction, Passed> {
        let deadline = Instant::now() + CATCH_UP;
        loop {
            let begun = timeout(ANSWER_TIMEOUT, ReadTransaction::begin(&self.database, tenant, planned)).await;
            let mut read_transaction = match begun.map_err(|_| sqlx::Error::PoolTimedOut)? {
                // The swap of a rebuild is not replicated yet.
                Err(ReadError::OtherVersion { .. }) => return Err(Passed::Behind),
                begun => begun?,
            };
            if read_transaction.position() >= position {
                self.compare(primary, &mut read_transaction).await?;
                return Ok(read_transaction);
            }
            drop(read_transaction);
            if Instant::now() >= deadline {
                return Err(Passed::Behind);
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Requires the standby's last projected event to be in the primary's log.
    async fn compare(&self, primary: &Database, read_transaction: &mut ReadTransaction) -> Result<(), Passed> {
        const HASH: &str = "SELECT hash FROM journal.events WHERE tenant = $1 AND position = $2";
        let (tenant, position) = (read_transaction.tenant().clone(), read_transaction.position());
        let compared = self.known().compared.get(&tenant).copied();
        if position == 0 || compared.is_some_and(|at| at.elapsed() < CHECKED_FOR) {
            return Ok(());
        }
        let asked = sqlx::query(HASH).bind(tenant.as_str()).bind(position);
        let here = asked.fetch_optional(read_transaction.connection()).await?;
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
