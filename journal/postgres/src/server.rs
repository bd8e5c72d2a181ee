//! Which server a connection was made to.
//!
//! A standby that is promoted starts a new timeline, and a cluster that was made anew has another system identifier. A
//! server that was started again may stand on other files, a copy from before among them. What a node remembers of the log
//! may in each case not be the server's log.

use sqlx::Row as _;
use sqlx::postgres::PgRow;
use thiserror::Error;
use tokio::sync::watch;

/// Reads the [`ServerIdentity`]; any role may. The control file has the timeline of the last checkpoint, which lags behind
/// a promotion, so that the server is asked for the WAL file it writes to: the timeline is the first eight hexadecimal
/// digits of that name. A standby writes to none.
pub(crate) const IDENTITY: &str = "SELECT (pg_control_system()).system_identifier AS system_identifier,
    CASE WHEN NOT pg_is_in_recovery()
         THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint
     END AS timeline,
    (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started_at";

/// Tells one history of a PostgreSQL cluster from every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerIdentity {
    /// Given by initdb; physical copies of the cluster, such as standbys and restored backups, share it.
    pub system_identifier: i64,
    /// Begins at 1; a promotion and a point-in-time recovery begin a new one.
    pub timeline: i64,
    /// When the server was started, in microseconds since 1970.
    pub started_at: i64,
}

/// Why a connection is not used.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The server is in recovery. Connections survive its promotion, and would then be on a timeline that nobody was told
    /// of.
    #[error(
        "the PostgreSQL server is a standby, or still in recovery, and takes no writes: name the primary in DATABASE_URL, \
         or promote this server"
    )]
    Standby,
}

impl From<ServerError> for sqlx::Error {
    fn from(error: ServerError) -> Self {
        Self::Configuration(Box::new(error))
    }
}

impl ServerIdentity {
    /// Of the row of [`IDENTITY`].
    pub(crate) fn of(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            system_identifier: row.try_get("system_identifier")?,
            timeline: row.try_get::<Option<i64>, _>("timeline")?.ok_or(ServerError::Standby)?,
            started_at: row.try_get("started_at")?,
        })
    }
}

/// Wakes those who watch only where the identity is another one.
pub(crate) fn publish(seen: &watch::Sender<Option<ServerIdentity>>, found: ServerIdentity) {
    seen.send_if_modified(|known| {
        let changed = *known != Some(found);
        if changed && let Some(before) = *known {
            tracing::warn!(?before, now = ?found, "the database server was started again, or is another one");
        }
        *known = Some(found);
        changed
    });
}
