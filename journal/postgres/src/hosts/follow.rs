//! Failover: keeps a pool on the host that accepts writes.
//!
//! A connection beside the pool monitors its host. When that connection fails, or the host becomes a standby, all hosts
//! are probed until one accepts writes; new connections go there, and the pool drops the earlier ones. All hosts are
//! also probed periodically: a primary whose Patroni hangs keeps running while another host is promoted.
//!
//! Sessions on such an old primary are left open. A commit there waits for a standby that is gone; ending its session
//! would expose that commit to readers, who would build on data that the new primary lacks.

use super::{Host, Hosts, RETRY_INTERVAL};
use sqlx::postgres::PgConnection;
use sqlx::{Executor as _, PgPool, Row as _};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

/// Probe interval of the current host; a fraction of the two seconds that a failover may take.
const WATCH_INTERVAL: Duration = Duration::from_millis(250);
/// Probe timeout. A busy primary answers within milliseconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// Probe interval of the other hosts: one may have been promoted beside an old primary.
const OTHERS_INTERVAL: Duration = Duration::from_millis(750);
/// Keeps a pool on the host that accepts writes until the pool closes. `moved` publishes the time of each failover, so
/// that earlier connections are not reused.
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
                    // Options first: every connection made after this line belongs to the new primary.
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
