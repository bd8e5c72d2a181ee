//! Gathering: what has come in while the last batch was committed is the next batch. There is no timer that a lone
//! command would have to wait for.

use super::{BATCH_LIMIT, Job, TenantWriter};
use crate::log::tenant_log::TenantLog;
use std::time::Duration;
use tokio::time::timeout;

/// How long a writer stays in memory without work: a tenant that works at all comes back within this, and one that
/// does not frees its memory.
pub(super) const IDLE: Duration = Duration::from_secs(600);

/// How long a writer without work keeps its connection: long enough for the callers just answered to come again.
pub(super) const LINGER: Duration = Duration::from_millis(5);

impl<L: TenantLog> TenantWriter<L> {
    /// The next batch, or none when the queue is closed and empty.
    pub(super) async fn gather(&mut self) -> Option<Vec<Job>> {
        let mut jobs: Vec<Job> = self.waiting.drain(..self.waiting.len().min(BATCH_LIMIT)).collect();
        while jobs.len() < BATCH_LIMIT
            && let Ok(job) = self.queue.try_recv()
        {
            jobs.push(job);
        }
        if !jobs.is_empty() {
            return Some(jobs);
        }
        loop {
            let patience = if self.lingers { LINGER } else { IDLE };
            match timeout(patience, self.queue.recv_many(&mut jobs, BATCH_LIMIT)).await {
                Ok(0) => return None,
                Ok(_) => return Some(jobs),
                Err(_) if self.lingers => {
                    self.log.release();
                    self.lingers = false;
                }
                // What was sent before the writer left the map still arrives, and then the queue ends.
                Err(_) => self.node.retire(&self.tenant, &self.sender),
            }
        }
    }
}
