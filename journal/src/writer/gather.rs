//! Gathering: the commands that arrive while a batch is being committed form the next batch. No timer delays a single
//! command.

use super::{BATCH_LIMIT, Job, TenantWriter};
use crate::log::tenant_log::TenantLog;
use std::time::Duration;
use tokio::time::timeout;

/// Time without work after which a writer ends and frees its memory.
pub(super) const IDLE: Duration = Duration::from_secs(600);

/// Time for which an idle writer keeps its connection: callers that were just answered often send the next command
/// within it.
pub(super) const LINGER: Duration = Duration::from_millis(5);

impl<L: TenantLog> TenantWriter<L> {
    /// The next batch; `None` when the queue is closed and empty.
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
                // Jobs sent before the writer left the map still arrive; then the queue ends.
                Err(_) => self.node.retire(&self.tenant, &self.sender),
            }
        }
    }
}
