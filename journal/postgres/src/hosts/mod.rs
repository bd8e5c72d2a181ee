//! The hosts of a database URL, and which of them takes writes.
//!
//! A URL may name several hosts, in both of libpq's forms. Every connection goes to the host that takes writes; where two say
//! that they do, to the one with the newer timeline: the other is an old primary that nobody has stopped yet. [`follow`] keeps
//! a pool on that host after a failover.

mod conninfo;
mod follow;

pub(crate) use follow::follow;

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, Row as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// Hosts of one URL at most: a cluster has three or five.
pub(crate) const MAX_HOSTS: usize = 16;
/// How long one host may take to connect and to say whether it takes writes.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the other hosts may still answer once one has said that it takes writes.
const OTHERS_TIMEOUT: Duration = Duration::from_millis(200);
/// How long a connection that is made once, for a command, waits for a host that takes writes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// Between two rounds of probes.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// A server's host and port, and how to log in there.
pub(crate) type Host = PgConnectOptions;

/// The hosts of one database URL, in the URL's order.
#[derive(Debug, Clone)]
pub(crate) struct Hosts(Vec<Host>);

/// Connects to the server of a database URL; of several hosts, to the one that takes writes.
///
/// # Errors
/// Where the URL cannot be read, or no host takes writes within 30 seconds.
pub async fn connect(url: &str) -> Result<PgConnection, sqlx::Error> {
    let host = url.parse::<Hosts>()?.writable().await?;
    PgConnection::connect_with(&host).await
}

impl FromStr for Hosts {
    type Err = sqlx::Error;

    fn from_str(url: &str) -> Result<Self, sqlx::Error> {
        conninfo::parse(url)
            .map(Self)
            .map_err(|error| sqlx::Error::Configuration(Box::new(error)))
    }
}

impl Hosts {
    /// Whether there is anything to choose from.
    pub(crate) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    /// Names every host's sessions for `pg_stat_activity`.
    pub(crate) fn application_name(self, name: &str) -> Self {
        Self(self.0.into_iter().map(|host| host.application_name(name)).collect())
    }

    /// The host of a URL that may name one alone.
    pub(crate) fn only(self) -> Result<Host, sqlx::Error> {
        match <[Host; 1]>::try_from(self.0) {
            Ok([host]) => Ok(host),
            Err(_) => Err(sqlx::Error::Configuration("it names more than one host".into())),
        }
    }

    /// The host that takes writes, once there is one. A single host is not asked.
    pub(crate) async fn writable(&self) -> Result<Host, sqlx::Error> {
        let deadline = Instant::now() + CONNECT_TIMEOUT;
        if let [only] = self.0.as_slice() {
            return Ok(only.clone());
        }
        loop {
            match self.probe().await {
                Ok((host, _)) => return Ok(host),
                Err(error) if Instant::now() >= deadline => return Err(error),
                Err(_) => tokio::time::sleep(RETRY_INTERVAL).await,
            }
        }
    }

    /// Asks all hosts at once; returns the one that takes writes, with the connection that it was asked by.
    async fn probe(&self) -> Result<(Host, PgConnection), sqlx::Error> {
        let mut probes = JoinSet::new();
        for host in self.0.clone() {
            probes.spawn(async move {
                let role = timeout(PROBE_TIMEOUT, role(&host)).await;
                role.unwrap_or_else(|_| Err(timed_out()))
                    .map(|(timeline, connection)| (timeline, host, connection))
            });
        }
        let mut newest: Option<(i64, Host, PgConnection)> = None;
        let mut failure = None;
        let mut deadline = Instant::now() + PROBE_TIMEOUT * 2;
        while let Ok(Some(probed)) = timeout_at(deadline, probes.join_next()).await {
            match probed.map_err(|_| timed_out()).and_then(|probed| probed) {
                Ok((Some(timeline), host, connection)) => {
                    if newest.as_ref().is_none_or(|(known, ..)| *known < timeline) {
                        newest = Some((timeline, host, connection));
                    }
                    deadline = deadline.min(Instant::now() + OTHERS_TIMEOUT);
                }
                Ok((None, ..)) => {}
                Err(error) => failure = Some(error),
            }
        }
        newest
            .map(|(_, host, connection)| (host, connection))
            .ok_or_else(|| failure.unwrap_or_else(standbys_only))
    }
}

/// Connects to a host and asks for its timeline; none where the host is a standby or takes no writes.
async fn role(host: &Host) -> Result<(Option<i64>, PgConnection), sqlx::Error> {
    let mut connection = PgConnection::connect_with(host).await?;
    let row = sqlx::query(
        "SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'
                     THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint
                 END AS timeline",
    )
    .fetch_one(&mut connection)
    .await?;
    Ok((row.try_get("timeline")?, connection))
}

fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())
}

fn standbys_only() -> sqlx::Error {
    crate::ServerError::Standby.into()
}
