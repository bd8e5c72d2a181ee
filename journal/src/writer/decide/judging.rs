//! What a command does, or why it is refused. Stages nothing.

use super::Draft;
use crate::{
    beside::claims::{self, ClaimChange},
    error::SubmitError,
    journal::Node,
    people::subjects::SubjectKey,
    submission::Submission,
    writer::{
        faults::{Fault, is_planted},
        load::Facts,
    },
};
use caudal_domain::{
    ClaimKind, Command, Context, Customers, Decision, Event, Holders, Refusal,
    approval::{self, NeededApproval, ProposalCommand, Proposing},
    ids::{ProposalId, SubjectId, TenantId},
};
use uuid::Uuid;

/// A command's effect, the unique values that it takes, and the approval that it needs first.
type Judged = (Decision<Event>, Vec<ClaimChange>, Option<NeededApproval>);

impl Draft {
    /// Decides a command; one that a rule covers becomes a proposal. Stages nothing.
    pub(super) fn decided(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<(Decision<Event>, Vec<ClaimChange>), SubmitError> {
        let (decision, claims, needed) = self.judged(node, tenant, facts, submission)?;
        let Some(needed) = needed else {
            return Ok((decision, claims));
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
    fn require_unchanged(&self, facts: &Facts, submission: &Submission) -> Result<(), SubmitError> {
        if submission.presumes_no_checks && self.books.checks_customers() {
            return Err(SubmitError::Changed);
        }
        let command = &submission.command;
        let changed = |read| self.stream(facts, command.stream()).changed_at(command) > read;
        if submission.as_of.is_some_and(changed) {
            return Err(SubmitError::Changed);
        }
        if let Command::Proposal(id, ProposalCommand::Approve(_)) = command
            && let Some(proposal) = self.books.proposal(*id)
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
        facts: &mut Facts,
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
        let claims: Vec<_> = decision
            .claims
            .iter()
            .map(|claim| ClaimChange::new(&node.keyring, tenant, claim))
            .collect();
        self.permit(node, tenant, facts, &decision.events, &claims)
            .map_err(SubmitError::Refused)?;
        Ok((decision, claims, needed))
    }

    /// Who holds the unique values that a command looks up. Those not in memory are noted, and presumed free.
    fn holders(&mut self, node: &Node, tenant: &TenantId, facts: &Facts, command: &Command) -> Holders {
        let mut holders: Vec<((ClaimKind, String), Uuid)> = Vec::new();
        for (kind, value) in command.looks_up(&self.books) {
            let key = (kind, claims::digest(&node.keyring, tenant, kind, &value));
            let known = facts.claims.get(&key);
            if known.is_none() {
                self.wanted.claims.insert(key);
            }
            if let Some(holder) = self.claims.holder(key, known.copied().flatten()) {
                holders.push(((kind, value), holder));
            }
        }
        holders.into_iter().collect()
    }

    fn in_context<T>(
        &self,
        facts: &Facts,
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
            books: &self.books,
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
        facts: &mut Facts,
        events: &[Event],
        claims: &[ClaimChange],
    ) -> Result<(), Refusal> {
        for claim in claims {
            let stored = claim.digest.and_then(|digest| {
                let value = (claim.kind, digest);
                let known = facts.claims.get(&value);
                if known.is_none() {
                    self.wanted.claims.insert(value);
                }
                known.copied().flatten()
            });
            if self.claims.is_taken(claim, stored) && !is_planted(Fault::UniqueValueIgnored) {
                return Err(claim.kind.taken());
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
