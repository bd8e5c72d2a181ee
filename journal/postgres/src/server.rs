//! Identity and durability of the server behind a connection.
//!
//! A promoted standby starts a new timeline, a recreated cluster has another system identifier, and a restarted server
//! may run on an earlier copy of its files: in each case the node's memory of the log may not match the server's log. A
//! server with `fsync` off may lose acknowledged commits. Identity and settings are read with the session settings of
//! every new connection, in one round trip.

use std::fmt;
use std::str::FromStr;

use sqlx::postgres::PgRow;
use sqlx::{PgExecutor, Row as _};
use thiserror::Error;
use tokio::sync::watch;

use crate::Options;

/// Minimum version, as in `server_version_num`.
const OLDEST_VERSION: i32 = 150_000;

/// Environment variable with the accepted non-durable settings.
pub const ACCEPT_VOLATILE_VARIABLE: &str = "CAUDAL_ACCEPT_VOLATILE";

/// Identity of one running history of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerIdentity {
    /// Set by initdb; shared by physical copies, such as standbys and restored backups.
    pub system_identifier: i64,
    /// Starts at 1; increased by a promotion and by a point-in-time recovery.
    pub timeline: i64,
    /// Start time of the server, in microseconds since 1970.
    pub started_at: i64,
}

/// A PostgreSQL setting that decides whether an acknowledged commit survives a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Off: a power failure loses commits and may destroy the cluster.
    Fsync,
    /// Off: a power failure in the middle of writing a page may destroy the page.
    FullPageWrites,
    /// Off: a crash of the server loses the last commits.
    SynchronousCommit,
}

impl Durability {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fsync, Self::FullPageWrites, Self::SynchronousCommit];

    /// Name in PostgreSQL's configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fsync => "fsync",
            Self::FullPageWrites => "full_page_writes",
            Self::SynchronousCommit => "synchronous_commit",
        }
    }
}

impl fmt::Display for Durability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Durability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|setting| setting.name() == text.trim());
        found.ok_or_else(|| format!("{text:?} is none of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// Reasons for refusing a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ServerError {
    /// The server is in recovery. Connections survive a promotion and would then use a timeline unknown to the node.
    #[error(
        "the PostgreSQL server is a standby, or still in recovery, and takes no writes: name the primary in DATABASE_URL, \
         or promote this server"
    )]
    Standby,
    #[error("the PostgreSQL server has version {0}, and 15 or later is needed: upgrade it")]
    Version(String),
    #[error(
        "the PostgreSQL server has {setting} = {value} and may lose acknowledged commits when it crashes: set {setting} = on \
         in postgresql.conf and reload it, or accept the loss by name with {ACCEPT_VOLATILE_VARIABLE}={setting}"
    )]
    Volatile {
        /// The setting at fault.
        setting: Durability,
        /// Effective value in the session.
        value: String,
    },
    #[error(
        "the PostgreSQL server has {setting} = {value:?} and acknowledges commits that no standby has, while \
         --require-synchronous-standby is set: name the standbys in synchronous_standby_names and leave synchronous_commit \
         on, then reload the server"
    )]
    NoSynchronousStandby {
        /// `synchronous_standby_names` or `synchronous_commit`.
        setting: &'static str,
        /// Effective value in the session.
        value: String,
    },
}

impl ServerError {
    /// Whether the error may end without an operator: a standby may be promoted at any moment.
    pub(crate) fn is_passing(&self) -> bool {
        *self == Self::Standby
    }
}

impl From<ServerError> for sqlx::Error {
    fn from(error: ServerError) -> Self {
        Self::Configuration(Box::new(error))
    }
}

/// Statement that sets `synchronous_commit` for the session and reads the [`Server`]; any role may run it.
///
/// The control file has the timeline of the last checkpoint, which lags behind a promotion, so the current WAL file is
/// read instead: its first eight hexadecimal digits are the timeline. A standby has none.
///
/// `off` and `local`, set for server, database or role, become `on` in the session. When the operator accepts the loss,
/// the configured value stays.
pub(crate) fn inspection(options: &Options) -> String {
    let effective = if options.accept_volatile.contains(&Durability::SynchronousCommit) {
        "current_setting('synchronous_commit')"
    } else {
        "CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
              ELSE current_setting('synchronous_commit') END"
    };
    format!(
        "SELECT (pg_control_system()).system_identifier AS system_identifier,
                CASE WHEN NOT pg_is_in_recovery()
                     THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint
                 END AS timeline,
                (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started_at,
                current_setting('server_version_num')::int AS version_number,
                current_setting('server_version') AS version,
                current_setting('fsync') AS fsync,
                current_setting('full_page_writes') AS full_page_writes,
                current_setting('synchronous_standby_names') AS standbys,
                set_config('synchronous_commit', {effective}, false) AS synchronous_commit"
    )
}

/// The inspected properties of a new connection's server.
#[derive(Debug)]
pub(crate) struct Server {
    timeline: Option<i64>,
    system_identifier: i64,
    started_at: i64,
    version_number: i32,
    version: String,
    fsync: String,
    full_page_writes: String,
    synchronous_commit: String,
    standbys: String,
}

impl Server {
    /// Reads the row of [`inspection`].
    pub(crate) fn of(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            timeline: row.try_get("timeline")?,
            system_identifier: row.try_get("system_identifier")?,
            started_at: row.try_get("started_at")?,
            version_number: row.try_get("version_number")?,
            version: row.try_get("version")?,
            fsync: row.try_get("fsync")?,
            full_page_writes: row.try_get("full_page_writes")?,
            synchronous_commit: row.try_get("synchronous_commit")?,
            standbys: row.try_get("standbys")?,
        })
    }

    /// The server's identity, or the reason to refuse it.
    pub(crate) fn accepted(self, options: &Options) -> Result<ServerIdentity, ServerError> {
        let timeline = self.timeline.ok_or(ServerError::Standby)?;
        if self.version_number < OLDEST_VERSION {
            return Err(ServerError::Version(self.version));
        }
        for (setting, value) in [
            (Durability::Fsync, &self.fsync),
            (Durability::FullPageWrites, &self.full_page_writes),
            (Durability::SynchronousCommit, &self.synchronous_commit),
        ] {
            if value == "off" && !options.accept_volatile.contains(&setting) {
                let value = value.clone();
                return Err(ServerError::Volatile { setting, value });
            }
        }
        if options.require_synchronous_standby {
            let missing = |setting, value| Err(ServerError::NoSynchronousStandby { setting, value });
            if self.standbys.trim().is_empty() {
                return missing("synchronous_standby_names", self.standbys);
            }
            if ["off", "local"].contains(&self.synchronous_commit.as_str()) {
                return missing("synchronous_commit", self.synchronous_commit);
            }
        }
        Ok(ServerIdentity {
            system_identifier: self.system_identifier,
            timeline,
            started_at: self.started_at,
        })
    }
}

/// Publishes the identity; wakes subscribers only on a change.
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

/// Whether standbys stream from the server without it waiting for any: a failover to one may lose acknowledged commits.
///
/// # Errors
/// When the database fails.
pub async fn has_asynchronous_standbys_only<'e>(through: impl PgExecutor<'e>) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication)",
    )
    .fetch_one(through)
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn durable() -> Server {
        Server {
            timeline: Some(1),
            system_identifier: 7,
            started_at: 0,
            version_number: OLDEST_VERSION,
            version: "15.0".to_owned(),
            fsync: "on".to_owned(),
            full_page_writes: "on".to_owned(),
            synchronous_commit: "on".to_owned(),
            standbys: String::new(),
        }
    }

    #[test]
    fn version_14_is_refused_and_15_is_taken() {
        assert!(durable().accepted(&Options::default()).is_ok());
        let old = Server {
            version_number: 140_011,
            version: "14.11".to_owned(),
            ..durable()
        };
        let refused = old.accepted(&Options::default()).unwrap_err();
        assert_eq!(refused, ServerError::Version("14.11".to_owned()));
        assert!(refused.to_string().contains("14.11"), "{refused}");
    }

    #[test]
    fn a_required_standby_must_be_named_and_waited_for() {
        let required = Options {
            require_synchronous_standby: true,
            ..Options::default()
        };
        let refused = durable().accepted(&required).unwrap_err();
        assert!(refused.to_string().contains("synchronous_standby_names"), "{refused}");
        let named = |synchronous_commit: &str| Server {
            standbys: "FIRST 1 (standby)".to_owned(),
            synchronous_commit: synchronous_commit.to_owned(),
            ..durable()
        };
        assert!(named("on").accepted(&required).is_ok());
        assert!(named("remote_apply").accepted(&required).is_ok());
        assert!(matches!(
            named("local").accepted(&required),
            Err(ServerError::NoSynchronousStandby {
                setting: "synchronous_commit",
                ..
            })
        ));
    }

    #[test]
    fn only_settings_that_are_named_are_accepted() {
        assert_eq!("fsync".parse(), Ok(Durability::Fsync));
        assert!("all".parse::<Durability>().is_err());
        let accepting = Options {
            accept_volatile: vec![Durability::Fsync],
            ..Options::default()
        };
        let off = |setting: &str| Server {
            fsync: if setting == "fsync" { "off" } else { "on" }.to_owned(),
            full_page_writes: if setting == "full_page_writes" { "off" } else { "on" }.to_owned(),
            ..durable()
        };
        assert!(off("fsync").accepted(&accepting).is_ok());
        assert!(off("fsync").accepted(&Options::default()).is_err());
        assert!(off("full_page_writes").accepted(&accepting).is_err());
    }
}
