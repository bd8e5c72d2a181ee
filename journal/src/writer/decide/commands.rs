//! A command's place in the batch: its events, its rows beside them and its answer are staged.

use super::{Draft, Drafted, Written, answers::Outcome};
use crate::{
    beside::{idempotency_records::NewIdempotencyRecord, unique_values::UniqueValueChange},
    error::{JournalError, SubmitError},
    journal::Node,
    log::read::Metadata,
    submission::Committed,
    writer::{CommandJob, load::LoadedFacts},
};
use caudal_domain::{Actor, Command, Decision, Event, StreamKind, approval::ProposalCommand, ids::TenantId};
use std::sync::Arc;

impl Draft {
    /// Decides one more command. Facts not in memory are noted: once they are loaded, the batch must be decided
    /// again.
    pub(in crate::writer) fn add(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        job: &CommandJob,
    ) -> Result<(), JournalError> {
        let outcome = self.run(node, tenant, facts, job)?;
        self.outcomes.push(outcome);
        Ok(())
    }

    /// Decides one more command. Returns `false`, and leaves the command out, where it needs a fact not in memory.
    pub(in crate::writer) fn add_if_known(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        job: &CommandJob,
    ) -> Result<bool, JournalError> {
        self.leaves_out = true;
        let outcome = self.run(node, tenant, facts, job)?;
        self.leaves_out = false;
        let is_known = std::mem::take(&mut self.wanted).is_empty();
        if is_known {
            self.outcomes.push(outcome);
        }
        Ok(is_known)
    }

    fn run(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        job: &CommandJob,
    ) -> Result<Outcome, JournalError> {
        if let Some(outcome) = self.of_used_key(facts, job)? {
            return Ok(outcome);
        }
        let (decision, unique_values) = match self.decided(node, tenant, facts, &job.submission) {
            Ok(decided) => decided,
            Err(error) => {
                self.want_certainty(facts, job);
                return Ok(Outcome::ends(Err(error)));
            }
        };
        // The constraint on sequences checks only streams that are written; a proposal writes another stream.
        if decision.events.is_empty() || decision.answer.proposal.is_some() {
            self.want_certainty(facts, job);
        }
        if self.leaves_out && !self.wanted.is_empty() {
            return Ok(Outcome::ends(Err(SubmitError::OutcomeUnknown)));
        }
        self.stage(facts, job, decision, &unique_values)
            .map(|committed| Outcome::ends(Ok(committed)))
    }

    /// Requires the facts that were presumed about a command: that its key is new and its stream empty. For a command
    /// that writes, the log's constraints check both; a refusal, or an answer that writes nothing, must look them up.
    fn want_certainty(&mut self, facts: &LoadedFacts, job: &CommandJob) {
        if let Some((key, _)) = &job.idempotency_record
            && !facts.idempotency_records.contains_key(key)
        {
            self.wanted.idempotency_records.push(key.clone());
        }
        let own = job.submission.command.stream();
        if !self.streams.contains_key(&own) && !facts.knows_stream(&own) {
            self.wanted.streams.insert(own);
        }
    }

    fn stage(
        &mut self,
        facts: &LoadedFacts,
        job: &CommandJob,
        decision: Decision<Event>,
        unique_values: &[UniqueValueChange],
    ) -> Result<Committed, JournalError> {
        let metadata = Written::new(self.metadata(job))?;
        let by_maker = self.metadata_of_maker(job).map(Written::new).transpose()?;
        let command = &job.submission.command;
        let mut id = command.stream();
        let mut stream = self.stream(facts, id);
        for event in decision.events {
            let of_event = command.stream_of(&event);
            if of_event != id {
                let done = std::mem::replace(&mut stream, self.stream(facts, of_event));
                self.streams.insert(id, done);
                id = of_event;
            }
            let changed = Arc::make_mut(&mut stream);
            self.tenant_state.apply(&event, self.now);
            self.position += 1;
            changed.apply(&event, self.position);
            self.forgotten.extend(event.erases());
            self.events.push(Drafted {
                stream: id,
                sequence: changed.sequence,
                metadata: match &by_maker {
                    Some(by_maker) if id.kind != StreamKind::Proposal => by_maker.clone(),
                    _ => metadata.clone(),
                },
                event,
            });
        }
        self.streams.insert(id, stream);
        for unique_value in unique_values {
            self.unique_values.apply(unique_value);
        }
        if let Some(credential) = &job.submission.credential {
            self.credentials.insert(credential.party, credential.hash.clone());
        }
        if let Some((key, digest)) = &job.idempotency_record {
            let answer = serde_json::to_string(&decision.answer)?;
            self.record_places.insert(key.clone(), (self.outcomes.len(), *digest));
            self.idempotency_records.push(NewIdempotencyRecord {
                key: key.clone(),
                digest: *digest,
                answer,
                position: self.position,
            });
        }
        Ok(Committed {
            answer: decision.answer,
            position: self.position,
            replayed: false,
        })
    }

    fn metadata(&self, job: &CommandJob) -> Metadata {
        let role = match job.submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.tenant_state.party(id).map(|party| party.role),
        };
        let submission = &job.submission;
        Metadata::new(submission.actor, role, submission.request_id, submission.api_key)
    }

    /// Metadata of an approved command's effect: by its maker, with the proposal and its approver.
    fn metadata_of_maker(&self, job: &CommandJob) -> Option<Metadata> {
        let submission = &job.submission;
        let Command::Proposal(id, ProposalCommand::Approve(_)) = &submission.command else {
            return None;
        };
        let maker = self.tenant_state.proposal(*id)?.maker;
        let role = self.tenant_state.party(maker).map(|party| party.role);
        let metadata = Metadata::new(Actor::Party(maker), role, submission.request_id, submission.api_key);
        Some(metadata.approved(*id, submission.actor))
    }
}
