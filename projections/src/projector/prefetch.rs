//! Prefetch: the next batch is read, decrypted and decoded while the current one is written, so that node and
//! PostgreSQL work in parallel.
//!
//! Events are immutable, so a prefetched batch stays valid whichever node projects in between.

use caudal_domain::ids::TenantId;
use caudal_journal::{Journal, JournalError, LogPoint, Recorded};
use tokio::task::JoinHandle;

/// The prefetched batch of a tenant; dropped when another one is requested.
#[derive(Debug, Default)]
pub(crate) struct Prefetch(Option<Reading>);

#[derive(Debug)]
struct Reading {
    after: LogPoint,
    limit: i64,
    events: JoinHandle<Result<Vec<Recorded>, JournalError>>,
}

impl Prefetch {
    /// Starts prefetching at most `limit` events after a point.
    pub(crate) fn read(&mut self, journal: &Journal, tenant: &TenantId, after: LogPoint, limit: i64) {
        let (journal, tenant) = (journal.clone(), tenant.clone());
        let events = tokio::spawn(async move { journal.events_following(&tenant, after, limit).await });
        self.0 = Some(Reading { after, limit, events });
    }

    /// The prefetched events after a point; `None` when there are none or reading failed.
    pub(crate) async fn take(&mut self, after: LogPoint, limit: i64) -> Option<Vec<Recorded>> {
        let mut reading = self.0.take()?;
        if (reading.after, reading.limit) != (after, limit) {
            return None;
        }
        (&mut reading.events).await.ok()?.ok()
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.events.abort();
    }
}
