//! Deciding ahead: while a batch is being committed, the commands that arrive are decided on the state after that
//! batch; their events are sealed and chained to its last event.
//!
//! No answer of the batch ahead leaves before that batch is committed. Its commit requires the batch before it to be
//! committed: otherwise the head differs, and the commands are decided again. A command that needs a fact that is not
//! in memory waits, with all commands after it, until the batch before is settled.
//!
//! A batch ahead takes no more than half of the commands that are being committed, decided ahead or waiting, so that the next
//! one is decided while it is committed. Otherwise batches of all commands and of one alternate, and node and database wait
//! for each other.
//!
//! Nothing is decided ahead while appends of other tenants are under way: these keep the database at work, and one batch of all
//! that waits costs less than two.

use super::{
    BATCH_LIMIT, CommandJob, Job,
    commit::Round,
    decide::{Draft, PreparedBatch},
    load::{LoadedFacts, opens_its_stream},
};
use crate::{clock, error::JournalError, journal::Node, writer::state::State};
use caudal_domain::{StreamId, ids::TenantId};
use std::{
    collections::VecDeque,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use tokio::time::Instant;

/// Number of commands decided between two polls of the commit under way: a few hundred microseconds of work.
const STRETCH: usize = 8;

/// How long a batch accepts commands. Events are recorded at the time when the batch was begun, which must be close
/// to the time of the command.
const FRESHNESS: Duration = Duration::from_millis(20);

/// Appends of all tenants that this node waits for.
#[derive(Debug, Default)]
pub(crate) struct AppendsUnderWay(AtomicUsize);

impl AppendsUnderWay {
    /// Counts an append until the guard is dropped.
    pub(super) fn begin(&self) -> UnderWay<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        UnderWay(&self.0)
    }

    /// Whether there is no more than one: nothing else keeps the database at work.
    pub(super) fn is_single(&self) -> bool {
        self.0.load(Ordering::Relaxed) <= 1
    }
}

/// An append that is counted.
pub(super) struct UnderWay<'a>(&'a AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The batch after the one that is being committed.
pub(super) struct NextBatch {
    pub(super) jobs: Vec<CommandJob>,
    pub(super) round: Round,
    begun: Instant,
    /// Number of commands that are being committed.
    committing: usize,
    /// Whether the next command needs a fact that is not in memory.
    is_stuck: bool,
}

impl NextBatch {
    /// Whether a batch may be decided on another one before that is committed: the key of a person whom it forgets is still in
    /// memory.
    pub(super) fn may_follow(before: &Round) -> bool {
        !before.draft.erases()
    }

    /// An empty batch after another one, begun now.
    pub(super) fn after(node: &Node, tenant: &TenantId, before: &Round) -> Self {
        let end = *before.sealed.append.end();
        let now = clock::recorded_at(node.clock.as_ref(), &end);
        Self {
            jobs: Vec::new(),
            round: Round {
                draft: Draft::on(before.draft.tenant_state.clone(), end.position, now),
                sealed: PreparedBatch::after(node, tenant, end, now),
                facts: LoadedFacts::default(),
                presumes: true,
            },
            begun: Instant::now(),
            committing: before.draft.outcomes.len(),
            is_stuck: false,
        }
    }

    /// Whether the batch accepts the next waiting command.
    pub(super) fn takes(&self, waiting: &VecDeque<Job>) -> bool {
        !self.is_stuck
            && self.jobs.len() < self.share(waiting.len()).min(BATCH_LIMIT)
            && (self.jobs.is_empty() || self.begun.elapsed() < FRESHNESS)
            && matches!(waiting.front(), Some(Job::Command(_)))
    }

    /// Maximum size of this batch: half of the commands that are being committed, decided ahead or waiting.
    const fn share(&self, waiting: usize) -> usize {
        (self.committing + self.jobs.len() + waiting).div_ceil(2)
    }

    /// Decides up to [`STRETCH`] waiting commands.
    pub(super) fn take(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        state: &mut State,
        before: &Round,
        waiting: &mut VecDeque<Job>,
    ) -> Result<(), JournalError> {
        for _ in 0..STRETCH {
            if !self.takes(waiting) {
                break;
            }
            let Some(Job::Command(job)) = waiting.front() else {
                break;
            };
            if self.decide(node, tenant, state, before, job)? {
                if let Some(Job::Command(job)) = waiting.pop_front() {
                    self.jobs.push(*job);
                }
            } else {
                self.is_stuck = true;
            }
        }
        let Round {
            draft, sealed, facts, ..
        } = &mut self.round;
        draft.encrypt(tenant, facts, sealed)
    }

    /// Decides a command; `false` where it needs a fact that is not in memory.
    fn decide(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        state: &mut State,
        before: &Round,
        job: &CommandJob,
    ) -> Result<bool, JournalError> {
        let command = &job.submission.command;
        let own = command.stream();
        let is_known = self.knows(state, before, own) || opens_its_stream(command);
        if !is_known || !command.reads().into_iter().all(|id| self.knows(state, before, id)) {
            return Ok(false);
        }
        self.round.draft.add_if_known(node, tenant, &mut self.round.facts, job)
    }

    /// Whether a stream is in memory: changed by this batch or the one before, or cached.
    fn knows(&mut self, state: &mut State, before: &Round, id: StreamId) -> bool {
        let Round { draft, facts, .. } = &mut self.round;
        if draft.streams.contains_key(&id) || facts.knows_stream(&id) {
            return true;
        }
        let stream = before
            .draft
            .streams
            .get(&id)
            .cloned()
            .or_else(|| state.streams.get(&id));
        match stream {
            Some(stream) => {
                facts.streams.insert(id, stream);
                true
            }
            None => false,
        }
    }

    /// Closes the batch: no more commands are decided.
    pub(super) fn finish(&mut self, node: &Node, tenant: &TenantId) -> Result<(), JournalError> {
        let Round { draft, sealed, .. } = &mut self.round;
        draft.close(node, tenant, sealed)
    }

    /// Returns the batch's commands to the front of the queue.
    pub(super) fn give_back(self, waiting: &mut VecDeque<Job>) {
        for job in self.jobs.into_iter().rev() {
            waiting.push_front(Job::Command(Box::new(job)));
        }
    }
}
