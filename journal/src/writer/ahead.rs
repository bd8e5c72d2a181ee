//! Deciding ahead: while a batch is being committed, what has come in meanwhile is decided on what that batch will lead
//! to, sealed and chained to its end.
//!
//! Nothing of it leaves before it is itself committed, and that it can be only where the batch before was: otherwise
//! the head is another one, and its commands are decided again. What wants anything that is not in memory, and whatever
//! comes after it, waits until the batch before is settled.

use super::{
    BATCH_LIMIT, CommandJob, Job,
    commit::Round,
    decide::{Draft, Sealed},
    load::{Facts, opens_its_stream},
};
use crate::{clock, error::JournalError, journal::Node, writer::state::State};
use caudal_domain::{StreamId, ids::TenantId};
use std::{collections::VecDeque, time::Duration};
use tokio::time::Instant;

/// How many commands are decided before the commit under way is looked after again: a few hundred microseconds' work.
const STRETCH: usize = 8;

/// For how long a batch takes commands: they are recorded at the time when it was begun, which should not be long before
/// they were given.
const FRESHNESS: Duration = Duration::from_millis(20);

/// The batch after the one that is being committed.
pub(super) struct Ahead {
    pub(super) jobs: Vec<CommandJob>,
    pub(super) round: Round,
    begun: Instant,
    /// Whether the next command has to wait.
    is_stuck: bool,
}

impl Ahead {
    /// An empty batch after another one; none where that one forgets somebody, whose key is still in memory.
    pub(super) fn after(node: &Node, tenant: &TenantId, before: &Round) -> Option<Self> {
        if before.draft.forgets() {
            return None;
        }
        Some(Self {
            jobs: Vec::new(),
            round: following(node, tenant, before),
            begun: Instant::now(),
            is_stuck: false,
        })
    }

    /// Begins at the present moment: nothing was decided yet.
    fn begin(&mut self, node: &Node, tenant: &TenantId, before: &Round) {
        self.round = following(node, tenant, before);
        self.begun = Instant::now();
    }

    /// Whether it would take the next command.
    pub(super) fn takes(&self, waiting: &VecDeque<Job>) -> bool {
        !self.is_stuck
            && self.jobs.len() < BATCH_LIMIT
            && (self.jobs.is_empty() || self.begun.elapsed() < FRESHNESS)
            && matches!(waiting.front(), Some(Job::Command(_)))
    }

    /// Decides some of what waits.
    pub(super) fn take(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        state: &mut State,
        before: &Round,
        waiting: &mut VecDeque<Job>,
    ) -> Result<(), JournalError> {
        if self.jobs.is_empty() {
            self.begin(node, tenant, before);
        }
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
        draft.seal(tenant, facts, sealed)
    }

    /// Whether a command could be decided.
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

    /// Whether a stream is in memory: changed by this batch or the one before, or kept from earlier ones.
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

    /// Finishes it: nothing more is decided.
    pub(super) fn finish(&mut self, node: &Node, tenant: &TenantId) -> Result<(), JournalError> {
        let Round { draft, sealed, .. } = &mut self.round;
        draft.close(node, tenant, sealed)
    }

    /// Puts its commands back where they were.
    pub(super) fn give_back(self, waiting: &mut VecDeque<Job>) {
        for job in self.jobs.into_iter().rev() {
            waiting.push_front(Job::Command(Box::new(job)));
        }
    }
}

/// A batch without commands, after another one.
fn following(node: &Node, tenant: &TenantId, before: &Round) -> Round {
    let end = *before.sealed.append.end();
    let now = clock::recorded_at(node.clock.as_ref(), &end);
    Round {
        draft: Draft::on(before.draft.books.clone(), end.position, now),
        sealed: Sealed::after(node, tenant, end, now),
        facts: Facts::default(),
        presumes: true,
    }
}
