//! Reading ahead: the events of the next batch are read, opened and decoded while this one is written, so that the node's
//! processor works while PostgreSQL's does.
//!
//! Events never change, so that what was read stays true, whoever projects in between.

use caudal_domain::ids::TenantId;
use caudal_journal::{Journal, JournalError, LogPoint, Recorded};
use tokio::task::JoinHandle;

/// The next events of a tenant, being read. One batch at most, which is dropped where another one is asked for.
#[derive(Debug, Default)]
pub(crate) struct Ahead(Option<Reading>);

#[derive(Debug)]
struct Reading {
    after: LogPoint,
    limit: i64,
    events: JoinHandle<Result<Vec<Recorded>, JournalError>>,
}

impl Ahead {
    /// Begins to read the events after a place, at most `limit`.
    pub(crate) fn read(&mut self, journal: &Journal, tenant: &TenantId, after: LogPoint, limit: i64) {
        let (journal, tenant) = (journal.clone(), tenant.clone());
        let events = tokio::spawn(async move { journal.events_following(&tenant, after, limit).await });
        self.0 = Some(Reading { after, limit, events });
    }

    /// What was read after a place; none where nothing was, or it did not come to its end.
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
