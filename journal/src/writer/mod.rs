//! The tenant's writer: one task per tenant and node, which runs the tenant's commands in batches.
//!
//! | Phase | File | Does |
//! |---|---|---|
//! | gather | [`gather`] | takes the commands that arrived while the last batch was committed |
//! | load | [`load`] | brings the state to the head; fetches the facts that decisions need |
//! | decide | [`decide`], [`next_batch`] | decides each command over the changes staged before it; seals and chains the events |
//! | commit | [`commit`] | appends, or confirms the head where there is nothing to append; then answers |
//! | recover | [`recover`] | finds the outcome of an append whose answer was lost; turns errors into answers |
//!
//! [`preview`] decides a command and writes nothing, [`rehearsal`] many in order. [`state`] is the state in memory, [`snapshot`] its stored form.
//! [`reader`] answers reads of the state from what the writer publishes. The log is reached through one interface,
//! [`TenantLog`].
//!
//! # States of a batch
//!
//! | State | Leads to | Callers are answered |
//! |---|---|---|
//! | gathered | refused, where the tenant is in quarantine; loaded | `Quarantined` |
//! | loaded: the state is at a head, facts are in memory | decided; gathered again (connection lost, up to [`LOSS_LIMIT`] times); failed | – |
//! | decided: events are sealed and chained to that head | loaded, where a decision wants another fact; appending; confirming, where nothing is to be written | – |
//! | appending: the append was sent. The next batch is decided ahead meanwhile | settled; moved; presumed wrongly; split; unknown; failed | – |
//! | confirming: the head is read | settled, where it is the one decided on; moved; failed | – |
//! | unknown: the answer was lost | fenced | – |
//! | fenced: the append can't take effect any more | settled, where its last event is in the log; moved, where it is not; open, where the log does not answer within the timeout | – |
//! | moved: another head was found | loaded: the batch is decided again, at most [`ATTEMPT_LIMIT`] times | `Busy` after that |
//! | presumed wrongly: a key or a stream was not new | loaded, with everything looked up | – |
//! | split: the log refused what is in the batch | gathered, each command by itself | – |
//! | settled | end; where the next batch was decided ahead, once its append is sent | `Ok`, or the refusal of the business rules |
//! | failed | end; the state is read again | `Unavailable`, `Failed`, `UnknownTenant`, or `Quarantined`: nothing was written |
//! | open | end; the state is read again | `OutcomeUnknown` |
//!
//! No answer leaves before the head is confirmed to be where the batch was decided: appending confirms it, and a
//! batch without events reads it. The writer owns its batch: a dropped request cancels nothing.
//!
//! Round trips of a batch: one to append; one before it if a stream is not cached; one more if a command is refused
//! or answered without an event, takes a unique value, or names people whose keys are not cached. A batch with
//! nothing to append needs one to confirm the head.

mod commit;
mod decide;
pub(crate) mod faults;
mod gather;
mod load;
mod next_batch;
mod preview;
mod reader;
mod recover;
pub(crate) mod rehearsal;
#[cfg(test)]
mod simulation;
pub(crate) mod snapshot;
pub(crate) mod state;

pub(crate) use next_batch::AppendsUnderWay;
pub(crate) use reader::ReadReply;

use crate::{
    TRACED,
    beside::idempotency_records::IdempotencyRecordKey,
    error::{RETRY_AFTER, SubmitError, WithCauses},
    history::Acknowledgement,
    journal::Node,
    log::{head::Head, tenant_log::TenantLog},
    submission::{Committed, Previewed, Submission},
};
use caudal_domain::{TenantState, ids::TenantId};
use commit::{Attempt, Round};
use faults::{Fault, is_planted};
use reader::{Published, StateReader};
use recover::{BatchError, Contention};
use snapshot::{EVENTS_WORTH_A_SNAPSHOT, StateSnapshot, events_between};
use state::State;
use std::{collections::VecDeque, sync::Arc};
use tokio::sync::{
    mpsc::{self, error::TrySendError},
    oneshot, watch,
};
use tracing::{Instrument as _, Span, field};

/// Maximum queued commands: a few seconds of work. Callers beyond it are refused and retry.
pub(crate) const QUEUE_LIMIT: usize = 1_024;

/// Maximum commands of one batch. Beyond some dozens the commit's share per command is small, and a longer batch
/// costs more when it must be decided again.
pub(crate) const BATCH_LIMIT: usize = 128;

/// Maximum attempts to decide a batch before its callers are answered `Busy`. From the third attempt on the head is
/// locked, so a batch that reaches the limit indicates a fault.
const ATTEMPT_LIMIT: u32 = 10;

/// Number of batches decided without presumptions after one was wrong: a client that repeats one command repeats
/// others.
const CAUTIOUS_BATCHES: u32 = 16;

/// Maximum lost connections for one batch, while its append was not sent.
const LOSS_LIMIT: u32 = 3;

/// A command in a writer's queue.
pub(crate) struct CommandJob {
    pub(crate) submission: Submission,
    pub(crate) idempotency_record: Option<(IdempotencyRecordKey, [u8; 32])>,
    pub(crate) reply: oneshot::Sender<Result<Committed, SubmitError>>,
    /// Span of the request, for traces.
    pub(crate) span: Span,
}

/// A command to preview.
pub(crate) struct PreviewJob {
    pub(crate) submission: Submission,
    pub(crate) reply: oneshot::Sender<Result<Previewed, SubmitError>>,
}

/// A request to a writer.
pub(crate) enum Job {
    /// Run a command.
    Command(Box<CommandJob>),
    /// Tell what a command would do now.
    Preview(Box<PreviewJob>),
    /// Read the state at the head.
    TenantState(ReadReply),
}

/// Handle of a tenant's writer and of its reader. Both end once the handle is dropped and every request is answered.
pub(crate) struct Inbox {
    queue: mpsc::Sender<Job>,
    reads: mpsc::Sender<ReadReply>,
    published: watch::Receiver<Option<Published>>,
}

impl Inbox {
    /// A writer and a reader, not [running](TenantWriter::run) yet, each with a log of its own.
    pub(crate) fn open<L: TenantLog>(
        node: &Arc<Node>,
        tenant: &TenantId,
        connect: impl Fn() -> L,
    ) -> (Self, TenantWriter<L>, StateReader<L>) {
        let ((queue, jobs), (reads, asked)) = (mpsc::channel(QUEUE_LIMIT), mpsc::channel(QUEUE_LIMIT));
        let (publisher, published) = watch::channel(None);
        let writer = TenantWriter::new(
            node.clone(),
            tenant.clone(),
            connect(),
            jobs,
            queue.downgrade(),
            publisher,
        );
        let inbox = Self {
            queue,
            reads,
            published,
        };
        let (published, queue) = (inbox.published.clone(), inbox.queue.clone());
        let reader = StateReader::new(node.clone(), tenant.clone(), connect(), asked, published, queue);
        (inbox, writer, reader)
    }

    pub(crate) fn send(&self, job: Job) -> Result<(), TrySendError<Job>> {
        match job {
            Job::TenantState(reply) => self.reads.try_send(reply).map_err(|error| match error {
                TrySendError::Full(reply) => TrySendError::Full(Job::TenantState(reply)),
                TrySendError::Closed(reply) => TrySendError::Closed(Job::TenantState(reply)),
            }),
            job => self.queue.try_send(job),
        }
    }

    /// What the writer published last, as of a generation of the tenant's history; other nodes may have written since.
    pub(crate) fn published<T>(&self, generation: u64, read: impl FnOnce(&TenantState) -> T) -> Option<T> {
        let published = self.published.borrow();
        let known = published.as_ref().filter(|known| known.generation == generation)?;
        Some(read(&known.state))
    }

    /// Whether this handle belongs to the writer of a queue.
    pub(crate) fn leads_to(&self, queue: &mpsc::Sender<Job>) -> bool {
        self.queue.same_channel(queue)
    }
}

/// The command loop of one tenant on this node, over the log `L`.
pub(crate) struct TenantWriter<L> {
    node: Arc<Node>,
    tenant: TenantId,
    log: L,
    queue: mpsc::Receiver<Job>,
    /// The sending end; identifies the writer in the map of writers.
    sender: mpsc::WeakSender<Job>,
    state: Option<State>,
    /// Publishes each state that the log has confirmed; `None` until there is one.
    publisher: watch::Sender<Option<Published>>,
    /// Generation of the tenant's history in which the state was read.
    generation: u64,
    /// Whether another node is known to have appended since the state was read.
    behind: bool,
    contention: Contention,
    /// Number of batches still to decide without presumptions.
    caution: u32,
    /// Received jobs that are in no batch yet: at most two batches.
    waiting: VecDeque<Job>,
    /// The next batch, decided ahead.
    next_batch: Option<next_batch::NextBatch>,
    /// The last batch, committed and not answered: its callers are answered while the next append is under way.
    settled: Option<Settled>,
    /// Whether the log's connection is kept for the next batch.
    lingers: bool,
}

impl<L: TenantLog> TenantWriter<L> {
    fn new(
        node: Arc<Node>,
        tenant: TenantId,
        log: L,
        queue: mpsc::Receiver<Job>,
        sender: mpsc::WeakSender<Job>,
        publisher: watch::Sender<Option<Published>>,
    ) -> Self {
        let contention = Contention::default();
        let generation = node.histories.generation(&tenant);
        Self {
            node,
            tenant,
            log,
            queue,
            sender,
            state: None,
            publisher,
            generation,
            behind: false,
            contention,
            caution: 0,
            waiting: VecDeque::new(),
            next_batch: None,
            settled: None,
            lingers: false,
        }
    }

    /// Runs until the queue is closed and empty.
    pub(crate) async fn run(mut self) {
        loop {
            if let Some(next_batch) = self.next_batch.take() {
                self.run_batch(next_batch.jobs, Some(next_batch.round)).await;
                continue;
            }
            let Some(jobs) = self.gather().await else { break };
            self.lingers = true;
            let (mut commands, mut reads) = (Vec::with_capacity(jobs.len()), Vec::new());
            for job in jobs {
                match job {
                    Job::Command(job) => commands.push(*job),
                    Job::Preview(job) => {
                        let previewed = self.preview(&job.submission).await;
                        // The caller may have disconnected.
                        let _ = job.reply.send(previewed);
                    }
                    Job::TenantState(reply) if reply.is_closed() => {}
                    Job::TenantState(reply) => reads.push(reply),
                }
            }
            if !reads.is_empty() {
                let tenant_state = self.state().await;
                for reply in reads {
                    // The caller may have disconnected.
                    let _ = reply.send(tenant_state.clone());
                }
            }
            if !commands.is_empty() {
                self.run_batch(commands, None).await;
            }
        }
        if let Some(writing) = self.snapshot_after(|_| EVENTS_WORTH_A_SNAPSHOT) {
            writing.await;
        }
    }

    /// Runs a batch, possibly decided ahead, until every job is answered.
    async fn run_batch(&mut self, jobs: Vec<CommandJob>, round: Option<Round>) {
        let span = batch_span(&self.tenant, &jobs);
        self.run_in_span(jobs, round).instrument(span).await;
    }

    async fn run_in_span(&mut self, jobs: Vec<CommandJob>, mut round: Option<Round>) {
        metrics::histogram!("caudal_lane_batch_commands").record(jobs.len() as f64);
        let mut losses = 0;
        for _ in 0..ATTEMPT_LIMIT {
            if self.node.histories.refuses_writes(&self.tenant) {
                self.answer_settled();
                let results = vec![Err(SubmitError::Quarantined); jobs.len()];
                answer(jobs, results);
                return;
            }
            let attempt = self.attempt(&jobs, round.take()).await;
            self.answer_settled();
            match attempt {
                Ok(Attempt::Settled(results)) => {
                    // At once, on the state that the batch led to: what is read next is held against it.
                    self.note(&jobs, &results);
                    self.contention.settled();
                    self.caution = self.caution.saturating_sub(1);
                    self.log.unlock();
                    self.settled = Some(Settled { jobs, results });
                    if !self.appends_next() {
                        self.answer_settled();
                    }
                    if let Some(writing) = self.snapshot_after(events_between) {
                        tokio::spawn(writing);
                    }
                    return;
                }
                Ok(Attempt::Presumed) => {
                    metrics::counter!("caudal_lane_presumed_wrongly").increment(1);
                    self.caution = CAUTIOUS_BATCHES;
                }
                Ok(Attempt::Moved) => {
                    metrics::counter!("caudal_lane_head_moved").increment(1);
                    self.behind = true;
                    self.contention.moved();
                }
                Err(BatchError::Poisoned(error)) if jobs.len() > 1 => {
                    tracing::error!(tenant = %self.tenant, error = %WithCauses(&error), "a batch broke a constraint or needs a row that is not authentic; deciding singly");
                    self.reset();
                    for job in jobs {
                        Box::pin(self.run_in_span(vec![job], None)).await;
                    }
                    return;
                }
                // Nothing was written: the pool returned a dead connection, or the server has just restarted.
                Err(BatchError::Unavailable(error)) if losses < LOSS_LIMIT && error.is_lost_connection() => {
                    tracing::warn!(tenant = %self.tenant, error = %WithCauses(&error), "a connection was lost; trying again");
                    losses += 1;
                    self.log.release();
                }
                Err(error) => {
                    self.fail(jobs, error);
                    return;
                }
            }
        }
        tracing::error!(tenant = %self.tenant, "the head moved at every attempt");
        let busy = SubmitError::Busy {
            retry_after: RETRY_AFTER,
        };
        let results = vec![Err(busy); jobs.len()];
        answer(jobs, results);
    }

    /// Whether the next batch is sent at once: it is decided, on the present state.
    fn appends_next(&self) -> bool {
        let (Some(next_batch), Some(state)) = (&self.next_batch, &self.state) else {
            return false;
        };
        *next_batch.round.sealed.append.base() == state.head && !self.contention.locks_first()
    }

    /// Answers the callers of the last batch, unless they have been answered.
    fn answer_settled(&mut self) {
        if let Some(Settled { jobs, results }) = self.settled.take() {
            answer(jobs, results);
        }
    }

    /// Records the head and the answers that are about to leave as evidence: a database that loses them later
    /// contradicts it.
    fn note(&self, jobs: &[CommandJob], results: &[Result<Committed, SubmitError>]) {
        let Some(state) = &self.state else { return };
        if is_planted(Fault::AcknowledgementsNotNoted) {
            return;
        }
        let (mut acknowledged, mut repeated) = (Vec::new(), Vec::new());
        for (job, result) in jobs.iter().zip(results) {
            let Ok(committed) = result else { continue };
            let answer = Acknowledgement {
                position: committed.position,
                actor: job.submission.actor.to_string(),
                request: job.submission.request_id,
                id: committed.answer.id,
                number: committed.answer.number.clone(),
            };
            if committed.replayed {
                repeated.push(answer);
            } else {
                acknowledged.push(answer);
            }
        }
        let (histories, head) = (&self.node.histories, &state.head);
        histories.saw(
            &self.tenant,
            head.point(),
            Some(state.tenant_state.numbers()),
            head.recorded_at,
            acknowledged,
        );
        histories.repeated(&self.tenant, head.point(), head.recorded_at, repeated);
    }

    /// The state at the present head.
    async fn state(&mut self) -> Result<(TenantState, Head), SubmitError> {
        match self.current().await {
            Ok(tenant_state) => Ok(tenant_state),
            Err(error) => {
                let error = self.explain(error);
                self.reset();
                if matches!(error, SubmitError::Quarantined) {
                    // The quarantine has just begun: the log is read without checks of its chain.
                    return self.current().await.map_err(|error| self.explain(error));
                }
                Err(error)
            }
        }
    }

    async fn current(&mut self) -> Result<(TenantState, Head), BatchError> {
        self.behind = true;
        self.bring_up().await?;
        self.log.unlock();
        let state = self.state.as_ref().ok_or(BatchError::NoTenant)?;
        Ok((state.tenant_state.clone(), state.head))
    }

    /// Publishes the confirmed state to readers.
    fn publish(&self) {
        self.publisher.send_if_modified(|published| {
            let at = |published: &Published| (published.head, published.generation);
            let now = self.state.as_ref().map(|state| (state.head, self.generation));
            if published.as_ref().map(at) == now {
                return false;
            }
            *published = self.state.as_ref().map(|state| Published {
                state: state.tenant_state.clone(),
                head: state.head,
                generation: self.generation,
            });
            true
        });
    }

    /// Writes a snapshot if enough events were appended since the last one.
    fn snapshot_after(&mut self, events: fn(&TenantState) -> i64) -> Option<impl Future<Output = ()> + use<L>> {
        let state = self
            .state
            .as_mut()
            .filter(|state| state.head.position - state.snapshot >= events(&state.tenant_state))?;
        state.snapshot = state.head.position;
        let snapshot = StateSnapshot::from(&*state);
        let tenant = self.tenant.clone();
        let writing = self.log.write_snapshot(snapshot, self.node.clock.now());
        Some(async move {
            if let Err(error) = writing.await {
                tracing::warn!(%tenant, error = %WithCauses(&error), "no snapshot of the books could be written");
            }
        })
    }
}

/// A committed batch with its results.
struct Settled {
    jobs: Vec<CommandJob>,
    results: Vec<Result<Committed, SubmitError>>,
}

/// The span of a batch: below the first command's request, and linked with the others' in both directions.
fn batch_span(tenant: &TenantId, jobs: &[CommandJob]) -> Span {
    let first = jobs.first().map_or_else(Span::none, |job| job.span.clone());
    let span = tracing::info_span!(
        target: TRACED,
        parent: &first,
        "write",
        caudal.tenant = %tenant,
        caudal.commands = jobs.len(),
        caudal.ledger_position = field::Empty,
    );
    for job in jobs.iter().skip(1) {
        span.follows_from(&job.span);
        job.span.follows_from(&span);
    }
    span
}

fn answer(jobs: Vec<CommandJob>, results: Vec<Result<Committed, SubmitError>>) {
    for (job, result) in jobs.into_iter().zip(results) {
        // The client may have disconnected; the commit stands.
        let _ = job.reply.send(result);
    }
}
