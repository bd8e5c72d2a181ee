//! Hosts of a database URL, and discovery of the primary.
//!
//! A URL may name several hosts, in both of libpq's forms. Connections go to the host that accepts writes. When two
//! claim to, the newer timeline wins: the other one is an old primary that is not stopped yet. [`follow`] keeps a pool
//! on the primary after a failover.

mod conninfo;
mod follow;

pub(crate) use follow::follow;

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, Row as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// Maximum hosts in a URL; clusters have three or five.
pub(crate) const MAX_HOSTS: usize = 16;
/// Timeout for one host to connect and report its role.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// Grace period for other hosts after the first has reported that it accepts writes.
const OTHERS_TIMEOUT: Duration = Duration::from_millis(200);
/// Timeout of a single connection, made for a command, to find the primary.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// Pause between rounds of probes.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Connection options of one host.
pub(crate) type Host = PgConnectOptions;

/// Hosts of a URL, in its order.
#[derive(Debug, Clone)]
pub(crate) struct Hosts(Vec<Host>);

/// Connects to the server of a URL; with several hosts, to the one that accepts writes.
///
/// # Errors
/// When the URL is invalid, or no host accepts writes within 30 seconds.
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
    pub(crate) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    /// Sets `application_name` for all hosts.
    pub(crate) fn application_name(self, name: &str) -> Self {
        Self(self.0.into_iter().map(|host| host.application_name(name)).collect())
    }

    /// The single host of a URL; an error if it names several.
    pub(crate) fn only(self) -> Result<Host, sqlx::Error> {
        match <[Host; 1]>::try_from(self.0) {
            Ok([host]) => Ok(host),
            Err(_) => Err(sqlx::Error::Configuration("it names more than one host".into())),
        }
    }

    /// Waits for the host that accepts writes. A single host is not probed.
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

    /// Probes all hosts concurrently; returns the primary with the probing connection.
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

/// Connects to a host and reads its timeline; `None` for a standby or a read-only host.
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
