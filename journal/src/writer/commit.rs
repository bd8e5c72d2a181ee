//! Committing: appends a batch, or confirms the head, before any caller is answered.

use super::{
    BATCH_LIMIT, CommandJob, Job, Settled, TenantWriter, answer,
    decide::{Draft, PreparedBatch},
    load::{Footing, LoadedFacts},
    next_batch::NextBatch,
    recover::{ANSWER_PATIENCE, BatchError, answered},
};
use crate::{
    error::SubmitError,
    log::{
        append::Appended,
        head::Head,
        tenant_log::{AppendError, TenantLog},
    },
    people::subjects::SubjectKey,
    submission::Committed,
    writer::{
        faults::{Fault, is_planted},
        state::Reading,
    },
};
use std::{pin::pin, time::Instant};
use tracing::Span;

/// Outcome of one attempt to commit a batch.
pub(super) enum Attempt {
    /// Every job has its result.
    Settled(Vec<Result<Committed, SubmitError>>),
    /// Nothing was written: another node had appended.
    Moved,
    /// Nothing was written: a key presumed new, or a stream presumed empty, may be stored already.
    Presumed,
}

/// A batch whose events are decided, sealed and chained, and not committed.
pub(super) struct Round {
    pub(super) draft: Draft,
    pub(super) sealed: PreparedBatch,
    pub(super) facts: LoadedFacts,
    /// Whether idempotency keys may have been presumed new and streams empty.
    pub(super) presumes: bool,
}

impl<L: TenantLog> TenantWriter<L> {
    /// Decides a batch, unless it was decided ahead, and commits it.
    pub(super) async fn attempt(
        &mut self,
        jobs: &[CommandJob],
        next_batch: Option<Round>,
    ) -> Result<Attempt, BatchError> {
        let footing = self.bring_up().await?;
        let presumes = self.caution == 0 && footing == Footing::Open;
        let Some(state) = &self.state else {
            return Err(BatchError::NoTenant);
        };
        // The quarantine may have begun after the batch did.
        if state.reading == Reading::AsFound {
            return Err(BatchError::Quarantined);
        }
        let round = match next_batch.filter(|round| presumes && *round.sealed.append.base() == state.head) {
            Some(round) => round,
            None => {
                self.answer_settled();
                answered(ANSWER_PATIENCE, self.prepare(jobs, presumes)).await?
            }
        };
        if round.sealed.append.is_empty() {
            self.answer_settled();
            self.confirm(round, footing).await
        } else {
            self.write(round, footing).await
        }
    }

    /// Confirms the head of a batch that writes nothing.
    async fn confirm(&mut self, round: Round, footing: Footing) -> Result<Attempt, BatchError> {
        if footing == Footing::Open {
            // Without its MAC: the same head is known already, and another one is read again.
            let head = answered(ANSWER_PATIENCE, self.log.head()).await?.head;
            let base = round.sealed.append.base();
            if head.point() != base.point() && !is_planted(Fault::RefusalNotConfirmed) {
                return Ok(Attempt::Moved);
            }
        }
        Ok(Attempt::Settled(self.merge(round, None)))
    }

    /// Appends a batch.
    async fn write(&mut self, round: Round, footing: Footing) -> Result<Attempt, BatchError> {
        let started = Instant::now();
        let (appended, next_batch) = self.append(&round, footing).await;
        // An append that ended at its first poll left the callers of the batch before without an answer.
        self.answer_settled();
        if let Some(next_batch) = next_batch {
            self.keep_ahead(next_batch, matches!(appended, Ok(Appended::Durable)));
        }
        if !matches!(appended, Ok(Appended::Moved | Appended::NoTenant)) {
            metrics::histogram!("caudal_lane_append_seconds").record(started.elapsed().as_secs_f64());
        }
        let append = &round.sealed.append;
        let end = match appended {
            Ok(Appended::Moved) => {
                let decided_on = append.base().position;
                tracing::debug!(tenant = %self.tenant, decided_on, "the head is another one");
                return Ok(Attempt::Moved);
            }
            Ok(Appended::NoTenant) => return Err(BatchError::NoTenant),
            Err(AppendError::Exists(_)) if round.presumes => return Ok(Attempt::Presumed),
            Ok(Appended::Durable) => Some(*append.end()),
            Err(AppendError::Unknown(_) | AppendError::Unavailable(_))
                if is_planted(Fault::AnsweredBeforeTheCommit) =>
            {
                Some(*append.end())
            }
            Err(AppendError::Unknown(_)) if is_planted(Fault::LostAnswerNotLookedUp) => None,
            Err(AppendError::Exists(error) | AppendError::Refused(error)) => return Err(BatchError::Poisoned(error)),
            Err(AppendError::Unavailable(error)) => return Err(BatchError::Unavailable(error)),
            Err(AppendError::Unknown(error)) => {
                tracing::warn!(tenant = %self.tenant, %error, "the answer to a commit was lost");
                self.find_out(append).await?
            }
        };
        let Some(end) = end else { return Ok(Attempt::Moved) };
        metrics::histogram!("caudal_lane_append_events").record(append.event_count() as f64);
        Span::current().record("caudal.ledger_position", end.position);
        Ok(Attempt::Settled(self.merge(round, Some(end))))
    }

    /// Appends a batch and decides the next one ahead meanwhile.
    async fn append(&mut self, round: &Round, footing: Footing) -> (Result<Appended, AppendError>, Option<NextBatch>) {
        let mut goes_ahead =
            self.next_batch.is_none() && self.caution == 0 && footing == Footing::Open && NextBatch::may_follow(round);
        let Self {
            node,
            tenant,
            log,
            state,
            waiting,
            queue,
            settled,
            ..
        } = self;
        let _under_way = node.appends.begin();
        let mut next_batch: Option<NextBatch> = None;
        let mut is_open = true;
        let mut appending = pin!(answered(ANSWER_PATIENCE, log.append(&round.sealed.append)));
        loop {
            if goes_ahead
                && next_batch.is_none()
                && matches!(waiting.front(), Some(Job::Command(_)))
                && node.appends.is_single()
            {
                next_batch = Some(NextBatch::after(node, tenant, round));
            }
            let takes = next_batch.as_ref().is_some_and(|next_batch| next_batch.takes(waiting));
            let has_room = is_open && goes_ahead && waiting.len() < BATCH_LIMIT;
            let mut received = Vec::new();
            tokio::select! {
                biased;
                appended = &mut appending => return (appended, next_batch),
                // The append is sent: the callers of the batch before are answered while it runs.
                () = std::future::ready(()), if settled.is_some() => {
                    if let Some(Settled { jobs, results }) = settled.take() {
                        answer(jobs, results);
                    }
                }
                () = std::future::ready(()), if takes => {
                    let taken = match (&mut next_batch, &mut *state) {
                        (Some(next), Some(state)) => next.take(node, tenant, state, round, waiting),
                        _ => Ok(()),
                    };
                    // The error occurs again, and is reported, when the batch is decided in its turn.
                    if taken.is_err() && let Some(next_batch) = next_batch.take() {
                        next_batch.give_back(waiting);
                        goes_ahead = false;
                    }
                }
                count = queue.recv_many(&mut received, BATCH_LIMIT), if has_room => {
                    is_open = count > 0;
                    waiting.extend(received);
                }
            }
        }
    }

    /// Keeps a batch that was decided ahead if the batch before it was committed.
    fn keep_ahead(&mut self, mut next_batch: NextBatch, is_valid: bool) {
        let finished = is_valid && next_batch.finish(&self.node, &self.tenant).is_ok();
        if finished && !next_batch.jobs.is_empty() {
            self.next_batch = Some(next_batch);
        } else {
            next_batch.give_back(&mut self.waiting);
        }
    }

    /// Applies the batch to the writer's state and wakes the log's subscribers.
    fn merge(&mut self, round: Round, end: Option<Head>) -> Vec<Result<Committed, SubmitError>> {
        let Round {
            draft, sealed, facts, ..
        } = round;
        if let Some(state) = &mut self.state {
            // The head confirmed the streams that were loaded, so they may be cached.
            for (id, stream) in facts.streams {
                if stream.sequence > 0 {
                    state.streams.insert(id, stream);
                }
            }
            for (id, stream) in draft.streams {
                state.streams.insert(id, stream);
            }
            if let Some(end) = end {
                state.head = end;
                state.tenant_state = draft.tenant_state;
            }
        }
        if let Some(end) = end {
            self.publish();
            for (subject, key) in sealed.keys {
                self.node.subjects.keep(&self.tenant, subject, SubjectKey::Known(key));
            }
            for subject in sealed.append.forgotten {
                self.evict(subject);
            }
            let newest = sealed.newest.unwrap_or_default();
            self.node.committed(&self.tenant, end.position, newest);
        }
        Draft::into_results(draft.outcomes)
    }
}
