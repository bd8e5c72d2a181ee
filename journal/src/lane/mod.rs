//! Lanes: one task a tenant and node runs the tenant's commands, a batch at a time.
//!
//! While one batch is being committed the next one gathers, and is decided [ahead]. A batch is [loaded](load),
//! [decided](decide), appended in one call, and [resolved](resolve). Round trips of a batch: one to append; one before
//! it where a stream is needed that was not used lately; one more where a command is refused or answered without an
//! event, takes a unique value or names people not seen lately; without anything to append, one to confirm the head.
//!
//! No answer leaves before the head is known to be where the batch was decided: appending is what confirms it, and a
//! batch without events reads it. The lane owns its batch: a request that is dropped cancels nothing.

mod ahead;
mod decide;
mod gather;
mod load;
mod resolve;

use crate::{
    error::{JournalError, RETRY_AFTER, SubmitError},
    head::Head,
    history::{Acknowledgement, Divergence, DivergenceKind, LogPoint},
    journal::Shared,
    receipts::ReceiptKey,
    snapshot::{self, EVENTS_BETWEEN_SNAPSHOTS, EVENTS_WORTH_A_SNAPSHOT},
    state::State,
    submission::{Committed, Submission},
};
use caudal_domain::{Books, ids::TenantId};
use sqlx::{Postgres, pool::PoolConnection};
use std::{collections::VecDeque, sync::Arc};
use tokio::sync::{mpsc, oneshot};

/// How many commands may wait in a lane: a few seconds' worth, after which callers are better told to come again.
pub(crate) const QUEUE_LIMIT: usize = 1_024;

/// The most commands of one batch. Past some dozens the commit's share of a command is small already, and a batch
/// that has to be decided again should not have been long.
pub(crate) const BATCH_LIMIT: usize = 128;

/// How often a batch is decided before its callers are told to come again. From the third time on nobody else can
/// append meanwhile, so that more than a few times means that something is wrong.
const ATTEMPT_LIMIT: u32 = 10;

/// For how many batches nothing is presumed after a presumption was wrong: who repeats one command repeats others too.
const CAUTIOUS_BATCHES: u32 = 16;

/// How many lost connections a batch outlives, while nothing of it was sent to be written.
const LOSS_LIMIT: u32 = 3;

/// A command in a lane's queue.
pub(crate) struct CommandJob {
    pub(crate) submission: Submission,
    pub(crate) receipt: Option<(ReceiptKey, [u8; 32])>,
    pub(crate) reply: oneshot::Sender<Result<Committed, SubmitError>>,
}

/// What a lane is asked.
pub(crate) enum Job {
    /// Run a command.
    Command(Box<CommandJob>),
    /// Tell the books as they stand now.
    Books(oneshot::Sender<Result<(Books, Head), SubmitError>>),
}

/// One tenant's lane.
pub(crate) struct Lane {
    shared: Arc<Shared>,
    tenant: TenantId,
    queue: mpsc::Receiver<Job>,
    /// The sending end, by which the lane knows itself in the map of lanes.
    sender: mpsc::WeakSender<Job>,
    state: Option<State>,
    /// The generation of the tenant's history that the state was read in.
    generation: u64,
    /// Whether another node is known to have appended since.
    behind: bool,
    contention: Contention,
    /// For how many batches more nothing is presumed.
    caution: u32,
    /// What was received, and is in no batch yet: at most two batches.
    waiting: VecDeque<Job>,
    /// The next batch, decided.
    ahead: Option<ahead::Ahead>,
    /// Kept from one batch to the next while there is always one.
    connection: Option<PoolConnection<Postgres>>,
}

impl Lane {
    pub(crate) fn new(
        shared: Arc<Shared>,
        tenant: TenantId,
        queue: mpsc::Receiver<Job>,
        sender: mpsc::WeakSender<Job>,
    ) -> Self {
        let contention = Contention::default();
        let generation = shared.histories.generation(&tenant);
        Self {
            shared,
            tenant,
            queue,
            sender,
            state: None,
            generation,
            behind: false,
            contention,
            caution: 0,
            waiting: VecDeque::new(),
            ahead: None,
            connection: None,
        }
    }

    /// Works until the queue is closed and empty.
    pub(crate) async fn run(mut self) {
        loop {
            if let Some(ahead) = self.ahead.take() {
                self.run_batch(ahead.jobs, Some(ahead.round)).await;
                continue;
            }
            let Some(jobs) = self.gather().await else { break };
            let mut commands = Vec::with_capacity(jobs.len());
            for job in jobs {
                match job {
                    Job::Command(job) => commands.push(*job),
                    Job::Books(reply) => {
                        let books = self.books().await;
                        // Whoever asked may have gone.
                        let _ = reply.send(books);
                    }
                }
            }
            if !commands.is_empty() {
                self.run_batch(commands, None).await;
            }
        }
        if let Some(writing) = self.snapshot_after(EVENTS_WORTH_A_SNAPSHOT) {
            writing.await;
        }
    }

    /// Runs a batch, which may have been decided already, to its end: every job is answered.
    async fn run_batch(&mut self, jobs: Vec<CommandJob>, mut round: Option<resolve::Round>) {
        metrics::histogram!("caudal_lane_batch_commands").record(jobs.len() as f64);
        let mut losses = 0;
        for _ in 0..ATTEMPT_LIMIT {
            if self.shared.histories.refuses_writes(&self.tenant) {
                let results = vec![Err(SubmitError::Quarantined); jobs.len()];
                answer(jobs, results);
                return;
            }
            match self.attempt(&jobs, round.take()).await {
                Ok(resolve::Attempt::Settled(results)) => {
                    self.note(&jobs, &results);
                    self.contention.settled();
                    self.caution = self.caution.saturating_sub(1);
                    answer(jobs, results);
                    if let Some(writing) = self.snapshot_after(EVENTS_BETWEEN_SNAPSHOTS) {
                        tokio::spawn(writing);
                    }
                    return;
                }
                Ok(resolve::Attempt::Presumed) => {
                    metrics::counter!("caudal_lane_presumed_wrongly").increment(1);
                    self.caution = CAUTIOUS_BATCHES;
                }
                Ok(resolve::Attempt::Moved) => {
                    metrics::counter!("caudal_lane_head_moved").increment(1);
                    self.behind = true;
                    self.contention.moved();
                }
                Err(resolve::Trouble::Poisoned(error)) if jobs.len() > 1 => {
                    tracing::error!(tenant = %self.tenant, error = %Chain(&error), "a batch broke a constraint or needs a row that is not authentic; deciding singly");
                    self.reset();
                    for job in jobs {
                        Box::pin(self.run_batch(vec![job], None)).await;
                    }
                    return;
                }
                // Nothing was written: a connection that died in the pool, or a server that has just been restarted.
                Err(resolve::Trouble::Unavailable(error)) if losses < LOSS_LIMIT && error.is_lost_connection() => {
                    tracing::warn!(tenant = %self.tenant, error = %Chain(&error), "a connection was lost; trying again");
                    losses += 1;
                    self.connection = None;
                }
                Err(trouble) => {
                    self.fail(jobs, trouble);
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

    fn fail(&mut self, jobs: Vec<CommandJob>, trouble: resolve::Trouble) {
        let error = self.explain(trouble);
        self.reset();
        let results = vec![Err(error); jobs.len()];
        answer(jobs, results);
    }

    /// What callers are told of trouble; the operator is told all of it.
    fn explain(&self, trouble: resolve::Trouble) -> SubmitError {
        match trouble {
            resolve::Trouble::NoTenant => {
                self.shared.retire(&self.tenant, &self.sender);
                SubmitError::UnknownTenant
            }
            resolve::Trouble::Quarantined => SubmitError::Quarantined,
            resolve::Trouble::OutcomeUnknown => SubmitError::OutcomeUnknown,
            resolve::Trouble::Unavailable(error) => {
                tracing::warn!(tenant = %self.tenant, error = %Chain(&error), "the journal is not available");
                SubmitError::Unavailable {
                    retry_after: RETRY_AFTER,
                    source: Some(Arc::new(error)),
                }
            }
            resolve::Trouble::Broken(JournalError::Diverged { divergence, .. }) => self.diverged(divergence),
            resolve::Trouble::Poisoned(JournalError::Changed { position, .. })
            | resolve::Trouble::Broken(JournalError::Changed { position, .. }) => {
                tracing::error!(tenant = %self.tenant, position, "an event that a decision needs was changed");
                let known = self
                    .state
                    .as_ref()
                    .map_or_else(|| LogPoint::genesis(self.tenant.as_str()), |state| state.head.point());
                let divergence = Divergence {
                    kind: DivergenceKind::Broken,
                    known,
                    found: None,
                };
                self.diverged(divergence)
            }
            resolve::Trouble::Poisoned(error) | resolve::Trouble::Broken(error) => {
                tracing::error!(tenant = %self.tenant, error = %Chain(&error), "the journal failed");
                SubmitError::Failed(Arc::new(error))
            }
        }
    }

    /// Puts the tenant into quarantine, unless an operator has decided since the state was read: then it is read anew.
    fn diverged(&self, divergence: Divergence) -> SubmitError {
        self.shared.diverged(&self.tenant, divergence, Some(self.generation));
        if self.shared.histories.refuses_writes(&self.tenant) {
            return SubmitError::Quarantined;
        }
        SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        }
    }

    /// Notes where the log is now, and the answers that are about to leave: a database that loses them later is found out by
    /// that.
    fn note(&self, jobs: &[CommandJob], results: &[Result<Committed, SubmitError>]) {
        let Some(state) = &self.state else { return };
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
        let (histories, head) = (&self.shared.histories, &state.head);
        histories.saw(
            &self.tenant,
            head.point(),
            Some(state.books.numbers()),
            head.recorded_at,
            acknowledged,
        );
        histories.repeated(&self.tenant, head.point(), head.recorded_at, repeated);
    }

    /// Forgets what is in memory: it is read again from the log.
    fn reset(&mut self) {
        self.state = None;
        self.behind = false;
        self.connection = None;
    }

    async fn books(&mut self) -> Result<(Books, Head), SubmitError> {
        match self.current().await {
            Ok(state) => Ok((state.books.clone(), state.head)),
            Err(trouble) => {
                let error = self.explain(trouble);
                self.reset();
                if matches!(error, SubmitError::Quarantined) {
                    // What was just found out: the log is read as it stands from now on.
                    return match self.current().await {
                        Ok(state) => Ok((state.books.clone(), state.head)),
                        Err(trouble) => Err(self.explain(trouble)),
                    };
                }
                Err(error)
            }
        }
    }

    /// Writes the books down, if there are so many events since they last were.
    fn snapshot_after(&mut self, events: i64) -> Option<impl Future<Output = ()> + use<>> {
        let state = self
            .state
            .as_mut()
            .filter(|state| state.head.position - state.snapshot >= events)?;
        state.snapshot = state.head.position;
        let (head, books) = (state.head, state.books.clone());
        let (shared, tenant) = (self.shared.clone(), self.tenant.clone());
        Some(async move {
            let (macs, place, now) = (&shared.macs, (head.position, head.hash), shared.clock.now());
            if let Err(error) = snapshot::write(&shared.database, macs, &tenant, place, books, now).await {
                tracing::warn!(%tenant, error = %Chain(&error), "no snapshot of the books could be written");
            }
        })
    }
}

fn answer(jobs: Vec<CommandJob>, results: Vec<Result<Committed, SubmitError>>) {
    for (job, result) in jobs.into_iter().zip(results) {
        // Whoever asked may have gone; what was committed stays committed.
        let _ = job.reply.send(result);
    }
}

/// Whether to lock the head before deciding. Deciding first is cheaper where this node alone writes the tenant;
/// where others do too, it would be in vain again and again.
#[derive(Debug, Default)]
struct Contention {
    moved_in_a_row: u32,
    locked_rounds: u32,
}

impl Contention {
    /// After how many moved heads in a row the lock comes first.
    const PATIENCE: u32 = 2;
    /// For how many batches it does.
    const LOCKED_ROUNDS: u32 = 16;

    fn moved(&mut self) {
        self.moved_in_a_row += 1;
        if self.moved_in_a_row >= Self::PATIENCE {
            self.locked_rounds = Self::LOCKED_ROUNDS;
        }
    }

    fn settled(&mut self) {
        self.moved_in_a_row = 0;
        self.locked_rounds = self.locked_rounds.saturating_sub(1);
    }

    const fn locks_first(&self) -> bool {
        self.locked_rounds > 0
    }
}

/// An error with its causes, for the log.
pub(crate) struct Chain<'a>(pub(crate) &'a JournalError);

impl std::fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = std::error::Error::source(self.0);
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}
