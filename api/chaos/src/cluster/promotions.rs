//! When a server of the cluster begins to take writes, and when its first commit is confirmed by a standby, seen from outside
//! of Patroni and of the nodes.

use sqlx::{Connection as _, Executor as _, PgConnection, postgres::PgConnectOptions};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};
use tokio::{
    runtime::Builder,
    time::{sleep, timeout},
};

/// How often a server is asked.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A commit that waits for the synchronous standby and changes nothing.
const COMMIT: &str = "SELECT pg_logical_emit_message(true, 'caudal-chaos', '')";
/// How long it may take: the other standby has to find its new primary first.
const COMMIT_PATIENCE: Duration = Duration::from_secs(30);

/// A standby that became the primary.
#[derive(Clone, Copy, Debug)]
pub struct Promotion {
    /// When it took writes.
    pub at: Instant,
    /// When its first commit was confirmed.
    pub commits: Option<Instant>,
}

/// The promotions that were seen.
#[derive(Clone, Debug, Default)]
pub struct Promotions(Arc<Mutex<Vec<Promotion>>>);

impl Promotions {
    /// Asks all servers of a URL from now on, each from a thread of its own, which ends with the harness.
    pub fn watch(url: &str) -> Self {
        let promotions = Self::default();
        for server in each(url) {
            let promotions = promotions.clone();
            thread::spawn(move || {
                let runtime = Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime starts").block_on(promotions.follow(&server));
            });
        }
        promotions
    }

    /// The last one since a moment.
    pub fn since(&self, moment: Instant) -> Option<Promotion> {
        self.seen().last().copied().filter(|promotion| promotion.at > moment)
    }

    fn seen(&self) -> MutexGuard<'_, Vec<Promotion>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn follow(&self, server: &PgConnectOptions) {
        // A server that was away may have been the primary and be so still: only one that said that it is a standby counts.
        let mut was_standby = false;
        loop {
            sleep(INTERVAL).await;
            let Ok(Ok(mut connection)) = timeout(PATIENCE, PgConnection::connect_with(server)).await else {
                continue;
            };
            loop {
                let asked = sqlx::query_scalar::<_, bool>("SELECT pg_is_in_recovery()").fetch_one(&mut connection);
                let Ok(Ok(is_standby)) = timeout(PATIENCE, asked).await else {
                    break;
                };
                if was_standby && !is_standby {
                    self.promoted(&mut connection).await;
                }
                was_standby = is_standby;
                sleep(INTERVAL).await;
            }
        }
    }

    async fn promoted(&self, connection: &mut PgConnection) {
        let at = Instant::now();
        self.seen().push(Promotion { at, commits: None });
        let committed = timeout(COMMIT_PATIENCE, connection.execute(COMMIT)).await;
        if let Some(promotion) = self.seen().iter_mut().find(|promotion| promotion.at == at) {
            promotion.commits = matches!(committed, Ok(Ok(_))).then(Instant::now);
        }
    }
}

/// One server each of a URL like `postgres://user:password@host:1,host:2/database?…`.
fn each(url: &str) -> Vec<PgConnectOptions> {
    let (login, rest) = url.rsplit_once('@').expect("a login");
    let (hosts, rest) = rest.split_once('/').expect("a database");
    let database = rest.split('?').next().unwrap_or_default();
    let one = |host: &str| format!("{login}@{host}/{database}").parse().expect("a URL");
    hosts.split(',').map(one).collect()
}
