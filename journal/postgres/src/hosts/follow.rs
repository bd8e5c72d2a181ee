//! A pool follows the host that takes writes.
//!
//! One connection beside the pool watches the host that the pool is on. When it fails, or the host says that it is a standby,
//! all hosts are asked until one takes writes; the pool's new connections go there, and the pool drops those from before. All
//! hosts are asked now and then as well: a primary whose Patroni stands still goes on, and another one is promoted beside it.
//!
//! Sessions on such a primary are left as they are. A commit there waits for a standby that has gone; ending its session would
//! show the commit to others, who would build on what the new primary does not have.

use super::{Host, Hosts, RETRY_INTERVAL};
use sqlx::postgres::PgConnection;
use sqlx::{Executor as _, PgPool, Row as _};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

/// How often the host is asked whether it still takes writes: a fraction of the two seconds a failover may take.
const WATCH_INTERVAL: Duration = Duration::from_millis(250);
/// How long the host may take to answer. A busy primary takes some milliseconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// How often the other hosts are asked as well: one of them may have been promoted beside a primary that nobody stopped.
const OTHERS_INTERVAL: Duration = Duration::from_millis(750);
/// Keeps a pool on the host that takes writes, until the pool is closed. `moved` is told the moment of each failover, so that
/// connections from before it are not used again.
pub(crate) async fn follow(hosts: Hosts, pool: PgPool, moved: watch::Sender<Option<Instant>>) {
    let closed = pool.close_event();
    let following = async {
        let mut watched: Option<PgConnection> = None;
        let mut current: Option<String> = None;
        let mut asked = Instant::now();
        loop {
            let mut takes_writes = false;
            if let Some(connection) = &mut watched {
                takes_writes = still_takes_writes(connection).await;
            }
            if takes_writes && asked.elapsed() < OTHERS_INTERVAL {
                sleep(WATCH_INTERVAL).await;
                continue;
            }
            match hosts.probe().await {
                Ok((host, connection)) => {
                    let found = name(&host);
                    watched = Some(connection);
                    // The options first: what connects from now on is not of before the failover.
                    pool.set_connect_options(host);
                    if current.as_ref().is_some_and(|known| *known != found) {
                        tracing::warn!(host = found, "the database failed over");
                        moved.send_replace(Some(Instant::now()));
                    }
                    current = Some(found);
                    asked = Instant::now();
                }
                Err(error) => {
                    tracing::debug!(%error, "no host of the database takes writes");
                    sleep(RETRY_INTERVAL).await;
                }
            }
        }
    };
    tokio::select! {
        () = closed => {}
        () = following => {}
    }
}

async fn still_takes_writes(connection: &mut PgConnection) -> bool {
    let asked = timeout(ANSWER_TIMEOUT, connection.fetch_one("SELECT pg_is_in_recovery()")).await;
    matches!(asked, Ok(Ok(row)) if row.try_get(0).is_ok_and(|in_recovery: bool| !in_recovery))
}

fn name(host: &Host) -> String {
    match host.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", host.get_host(), host.get_port()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failover_is_noticed_and_probed_within_two_seconds() {
        assert!(WATCH_INTERVAL + ANSWER_TIMEOUT + super::super::OTHERS_TIMEOUT < Duration::from_secs(2));
        assert!(OTHERS_INTERVAL + WATCH_INTERVAL + super::super::OTHERS_TIMEOUT < Duration::from_secs(2));
    }
}
