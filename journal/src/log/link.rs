//! Link between nodes: commit notifications, so that followers need not wait for their slow poll. A hint that may be
//! lost.
//!
//! It uses connections of its own, because NOTIFY inside the append would serialise commits, and combines the commits
//! of [`GATHER`] into one statement.

use crate::log::wake::Wakes;
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use sqlx::postgres::PgListener;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::Notify, task::AbortHandle, time::sleep};
use uuid::Uuid;

const CHANNEL: &str = "caudal_committed";

/// Period combined into one notification.
const GATHER: Duration = Duration::from_millis(10);

/// Pause before reconnecting to a database that does not answer.
const PAUSE: Duration = Duration::from_secs(1);

/// A node's end of the link; ends on drop.
#[derive(Debug)]
pub(crate) struct Link {
    outbox: Arc<Outbox>,
    tasks: [AbortHandle; 2],
}

/// Pending notifications.
#[derive(Debug, Default)]
struct Outbox {
    positions: Mutex<BTreeMap<TenantId, i64>>,
    filled: Notify,
}

impl Link {
    /// Joins the other nodes.
    pub(crate) fn join(database: Database, wakes: Arc<Wakes>) -> Self {
        let node = Uuid::now_v7();
        let outbox = Arc::new(Outbox::default());
        let telling = tokio::spawn(tell(node, database.clone(), outbox.clone()));
        let hearing = tokio::spawn(hear(node, database, wakes));
        Self {
            outbox,
            tasks: [telling.abort_handle(), hearing.abort_handle()],
        }
    }

    /// Queues a notification to the other nodes.
    pub(crate) fn committed(&self, tenant: &TenantId, position: i64) {
        let mut positions = self.outbox.positions.lock().unwrap_or_else(PoisonError::into_inner);
        positions.insert(tenant.clone(), position);
        drop(positions);
        self.outbox.filled.notify_one();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn tell(node: Uuid, database: Database, outbox: Arc<Outbox>) {
    loop {
        outbox.filled.notified().await;
        sleep(GATHER).await;
        let positions = std::mem::take(&mut *outbox.positions.lock().unwrap_or_else(PoisonError::into_inner));
        let messages: Vec<_> = positions
            .iter()
            .map(|(tenant, position)| format!("{node} {position} {tenant}"))
            .collect();
        let told = sqlx::query("SELECT pg_notify($1, message) FROM unnest($2) AS message")
            .bind(CHANNEL)
            .bind(messages)
            .execute(database.pool())
            .await;
        if let Err(error) = told {
            tracing::warn!(%error, "the other nodes could not be told of a commit");
            sleep(PAUSE).await;
        }
    }
}

async fn hear(node: Uuid, database: Database, wakes: Arc<Wakes>) {
    loop {
        if let Err(error) = listen(node, &database, &wakes).await {
            tracing::warn!(%error, "the other nodes can't be heard");
        }
        sleep(PAUSE).await;
    }
}

async fn listen(node: Uuid, database: &Database, wakes: &Wakes) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(database.pool()).await?;
    listener.listen(CHANNEL).await?;
    loop {
        let notification = listener.recv().await?;
        let mut words = notification.payload().splitn(3, ' ');
        let (sender, position, tenant) = (words.next(), words.next(), words.next());
        let (sender, position) = (sender.map(Uuid::parse_str), position.map(str::parse::<i64>));
        match (sender, position, tenant.map(str::parse::<TenantId>)) {
            (Some(Ok(sender)), Some(Ok(position)), Some(Ok(tenant))) => {
                if sender != node {
                    wakes.committed_elsewhere(&tenant, position);
                }
            }
            _ => tracing::warn!(payload = notification.payload(), "not a node's message"),
        }
    }
}
