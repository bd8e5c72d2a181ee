//! What a command does, or why it is refused. Stages nothing.

use super::Draft;
use crate::{
    beside::unique_values::{self, UniqueValueChange},
    error::SubmitError,
    journal::Node,
    people::subjects::SubjectKey,
    submission::Submission,
    writer::{
        faults::{Fault, is_planted},
        load::LoadedFacts,
    },
};
use caudal_domain::{
    Command, Context, Customers, Decision, Event, Holders, Refusal, UniqueValueKind,
    approval::{self, NeededApproval, ProposalCommand, Proposing},
    ids::{ProposalId, SubjectId, TenantId},
};
use uuid::Uuid;

/// A command's effect, the unique values that it takes, and the approval that it needs first.
type Judged = (Decision<Event>, Vec<UniqueValueChange>, Option<NeededApproval>);

impl Draft {
    /// Decides a command; one that a rule covers becomes a proposal. Stages nothing.
    pub(super) fn decided(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        submission: &Submission,
    ) -> Result<(Decision<Event>, Vec<UniqueValueChange>), SubmitError> {
        let (decision, unique_values, needed) = self.judged(node, tenant, facts, submission)?;
        let Some(needed) = needed else {
            return Ok((decision, unique_values));
        };
        let proposal = self
            .in_context(facts, submission, &Holders::default(), |ctx| {
                let proposing = Proposing {
                    id: ProposalId::generate(),
                    as_of: submission.as_of,
                };
                let ctx = Context {
                    proposing: Some(proposing),
                    ..*ctx
                };
                approval::propose(&submission.command, decision, needed, &ctx)
            })
            .map_err(SubmitError::Refused)?;
        self.permit(node, tenant, facts, &proposal.events, &[])
            .map_err(SubmitError::Refused)?;
        // The unique values are taken with the approval.
        Ok((proposal, Vec::new()))
    }

    /// Refuses a command whose record changed since its maker read it, or that was made without a rule that there is.
    fn require_unchanged(&self, facts: &LoadedFacts, submission: &Submission) -> Result<(), SubmitError> {
        if submission.presumes_no_checks && self.tenant_state.checks_customers() {
            return Err(SubmitError::Changed);
        }
        let command = &submission.command;
        let changed = |read| self.stream(facts, command.stream()).changed_at(command) > read;
        if submission.as_of.is_some_and(changed) {
            return Err(SubmitError::Changed);
        }
        if let Command::Proposal(id, ProposalCommand::Approve(_)) = command
            && let Some(proposal) = self.tenant_state.proposal(*id)
            && proposal.as_of.is_some_and(changed)
        {
            return Err(SubmitError::Refused(Refusal::conflict("proposal_outdated")));
        }
        Ok(())
    }

    /// Decides a command's effect, and checks the unique values and people that its events name.
    pub(super) fn judged(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        submission: &Submission,
    ) -> Result<Judged, SubmitError> {
        self.require_unchanged(facts, submission)?;
        let holders = self.holders(node, tenant, facts, &submission.command);
        let (decision, needed) = self
            .in_context(facts, submission, &holders, |ctx| {
                let own = self.stream(facts, submission.command.stream());
                caudal_domain::judged(&submission.command, &own.state, ctx)
            })
            .map_err(SubmitError::Refused)?;
        let unique_values: Vec<_> = decision
            .unique_values
            .iter()
            .map(|unique_value| UniqueValueChange::new(&node.keyring, tenant, unique_value))
            .collect();
        self.permit(node, tenant, facts, &decision.events, &unique_values)
            .map_err(SubmitError::Refused)?;
        Ok((decision, unique_values, needed))
    }

    /// Who holds the unique values that a command looks up. Those not in memory are noted, and presumed free.
    fn holders(&mut self, node: &Node, tenant: &TenantId, facts: &LoadedFacts, command: &Command) -> Holders {
        let mut holders: Vec<((UniqueValueKind, String), Uuid)> = Vec::new();
        for (kind, value) in command.looks_up(&self.tenant_state) {
            let key = (kind, unique_values::digest(&node.keyring, tenant, kind, &value));
            let known = facts.unique_values.get(&key);
            if known.is_none() {
                self.wanted.unique_values.insert(key);
            }
            if let Some(holder) = self.unique_values.holder(key, known.copied().flatten()) {
                holders.push(((kind, value), holder));
            }
        }
        holders.into_iter().collect()
    }

    fn in_context<T>(
        &self,
        facts: &LoadedFacts,
        submission: &Submission,
        holders: &Holders,
        decide: impl FnOnce(&Context<'_>) -> T,
    ) -> T {
        let command = &submission.command;
        let reads = command.reads().into_iter();
        let customers: Customers = reads
            .filter_map(|id| self.stream(facts, id).state.customer().cloned())
            .collect();
        let context = Context {
            state: &self.tenant_state,
            actor: submission.actor,
            now: self.now,
            customers: &customers,
            holders,
            expected: submission.expected,
            proposing: None,
            lacks_code: submission.lacks_code,
        };
        decide(&context)
    }

    /// Refuses an event that takes a unique value of somebody else, or that names a forgotten person.
    fn permit(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        events: &[Event],
        unique_values: &[UniqueValueChange],
    ) -> Result<(), Refusal> {
        for unique_value in unique_values {
            let stored = unique_value.digest.and_then(|digest| {
                let value = (unique_value.kind, digest);
                let known = facts.unique_values.get(&value);
                if known.is_none() {
                    self.wanted.unique_values.insert(value);
                }
                known.copied().flatten()
            });
            if self.unique_values.is_taken(unique_value, stored) && !is_planted(Fault::UniqueValueIgnored) {
                return Err(unique_value.kind.taken());
            }
        }
        for subject in events.iter().filter_map(subject_in_clear) {
            if self.forgotten.contains(&subject) {
                return Err(Refusal::conflict("person_forgotten"));
            }
            match facts.key(node, tenant, subject) {
                None => {
                    self.wanted.subjects.insert(subject);
                }
                Some(Some(SubjectKey::Forgotten)) => return Err(Refusal::conflict("person_forgotten")),
                Some(_) => {}
            }
        }
        Ok(())
    }
}

fn subject_in_clear(event: &Event) -> Option<SubjectId> {
    event
        .personal()
        .filter(|part| part.sealed().is_none())
        .map(|part| part.subject())
}
