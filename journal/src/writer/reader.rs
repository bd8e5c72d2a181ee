//! Reading the state: authentication and other reads do not queue behind commands.
//!
//! The writer publishes each state that the log has confirmed. Reads are gathered; one look at the head answers all
//! reads of a gather:
//!
//! | The head is | Answer |
//! |---|---|
//! | that of the published state | the published state |
//! | ahead of it | the state that the writer publishes next or the writer's own answer, whichever comes first |
//! | inconsistent with it or unavailable; nothing is published; the history has changed | the writer's own answer |
//!
//! A read sees every event that any node acknowledged before the read. Only the writer detects and reports a log that
//! contradicts itself.

use super::{
    Job, QUEUE_LIMIT,
    gather::{IDLE, LINGER},
    recover::{ANSWER_PATIENCE, answered},
};
use crate::{
    error::{RETRY_AFTER, SubmitError},
    journal::Node,
    log::{head::Head, tenant_log::TenantLog},
    writer::faults::{Fault, is_planted},
};
use caudal_domain::{TenantState, ids::TenantId};
use std::sync::Arc;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, timeout},
};

/// Receives the state, or the error that prevented reading it.
pub(crate) type ReadReply = oneshot::Sender<Result<(TenantState, Head), SubmitError>>;

#[derive(Clone)]
pub(crate) struct Published {
    pub(crate) state: TenantState,
    pub(crate) head: Head,
    /// Generation of the tenant's history in which the state was read.
    pub(crate) generation: u64,
}

/// The read loop of one tenant on this node, beside the tenant's writer. Ends when the queue of reads is closed, or
/// the writer has ended.
pub(crate) struct StateReader<L> {
    node: Arc<Node>,
    tenant: TenantId,
    log: L,
    reads: mpsc::Receiver<ReadReply>,
    published: watch::Receiver<Option<Published>>,
    writer: mpsc::Sender<Job>,
    /// Time of the last request to the writer: the writer frees its memory after [`super::gather`]'s idle time.
    asked: Instant,
}

impl<L: TenantLog> StateReader<L> {
    pub(crate) fn new(
        node: Arc<Node>,
        tenant: TenantId,
        log: L,
        reads: mpsc::Receiver<ReadReply>,
        published: watch::Receiver<Option<Published>>,
        writer: mpsc::Sender<Job>,
    ) -> Self {
        Self {
            node,
            tenant,
            log,
            reads,
            published,
            writer,
            asked: Instant::now(),
        }
    }

    /// Runs until the queue is closed or the writer has ended.
    pub(crate) async fn run(mut self) {
        let mut lingers = false;
        loop {
            let mut replies = Vec::new();
            let patience = if lingers { LINGER } else { IDLE };
            tokio::select! {
                biased;
                () = self.writer.closed() => return,
                gathered = timeout(patience, self.reads.recv_many(&mut replies, QUEUE_LIMIT)) => match gathered {
                    Ok(0) => return,
                    Ok(_) => {
                        let answer = self.read().await;
                        for reply in replies {
                            // The caller may have disconnected.
                            let _ = reply.send(answer.clone());
                        }
                        lingers = true;
                    }
                    Err(_) => {
                        self.log.release();
                        lingers = false;
                    }
                },
            }
        }
    }

    async fn read(&mut self) -> Result<(TenantState, Head), SubmitError> {
        let known = self.published.borrow_and_update().clone();
        let is_asked_enough = self.asked.elapsed() < IDLE / 2;
        let Some(known) = known.filter(|known| is_asked_enough && self.is_current(known)) else {
            return self.ask_writer(None).await;
        };
        let found = answered(ANSWER_PATIENCE, self.log.head()).await;
        // Without its MAC: the same head is known already, and the writer reads another one again.
        match found.map(|found| found.head) {
            Ok(head) if (head == known.head && self.is_current(&known)) || is_planted(Fault::ReadNotConfirmed) => {
                Ok((known.state, known.head))
            }
            Ok(head) if head.position > known.head.position => self.ask_writer(Some(head)).await,
            Ok(_) => self.ask_writer(None).await,
            Err(_) => {
                self.log.release();
                self.ask_writer(None).await
            }
        }
    }

    /// Whether the tenant's history is still of the generation of a state.
    fn is_current(&self, known: &Published) -> bool {
        known.generation == self.node.histories.generation(&self.tenant)
    }

    /// The state from the writer, or a published state at or after a head.
    async fn ask_writer(&mut self, head: Option<Head>) -> Result<(TenantState, Head), SubmitError> {
        let unavailable = SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        };
        self.asked = Instant::now();
        let (reply, answer) = oneshot::channel();
        if let Err(error) = self.writer.try_send(Job::TenantState(reply)) {
            return Err(match error {
                mpsc::error::TrySendError::Full(_) => SubmitError::Busy {
                    retry_after: RETRY_AFTER,
                },
                mpsc::error::TrySendError::Closed(_) => unavailable,
            });
        }
        let (node, tenant) = (&self.node, &self.tenant);
        let reaches = |published: &Published, head: Head| {
            let extends = published.head.position > head.position || published.head.point() == head.point();
            extends && published.generation == node.histories.generation(tenant)
        };
        let published = async {
            let Some(head) = head else {
                return std::future::pending().await;
            };
            let published = self
                .published
                .wait_for(|published| published.as_ref().is_some_and(|published| reaches(published, head)));
            match published.await.map(|published| published.clone()) {
                Ok(Some(published)) => published,
                // The writer has ended and answers no more.
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            answer = answer => answer.unwrap_or(Err(unavailable)),
            published = published => Ok((published.state, published.head)),
        }
    }
}
