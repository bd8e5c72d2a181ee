//! Proposing: the approval that a command needs, and the proposal in place of its decision.

use super::{ApprovalKind, ApprovalRule, CommandProposed, ProposalEvent, ProposedCommand, coverage};
use crate::{
    aggregate::StreamState,
    command::Command,
    decision::{Actor, Answer, Context, Decision},
    event::Event,
    ids::ProposalId,
    money::Amount,
    party::Role,
    personal::Personal,
    refusal::{Refusal, require},
};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

/// Waiting proposals of a tenant. They are in the writer's memory, and nobody reviews more.
pub const MAX_WAITING: usize = 1_000;

/// What a covered command is proposed with.
#[derive(Clone, Copy, Debug)]
pub struct Proposing {
    /// Id of the proposal, if the command is covered.
    pub id: ProposalId,
    /// Position at which the caller read the record, for a command that depends on it.
    pub as_of: Option<i64>,
}

/// Answer of a command that waits for its approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposed {
    pub id: ProposalId,
    pub kind: ApprovalKind,
    pub approvers: Role,
    pub expires_at: DateTime<Utc>,
}

/// The approval that a command needs.
#[derive(Clone, Debug, PartialEq)]
pub struct NeededApproval {
    pub rule: ApprovalRule,
    /// Amount in USD; `None` for commands without one.
    pub amount: Option<Amount>,
    command: ProposedCommand,
}

/// The rule that covers a command's decision, if any. Of several, the one with the highest approvers and then the
/// shortest expiry.
pub(crate) fn needed(
    command: &Command,
    own: &StreamState,
    decision: &Decision<Event>,
    ctx: &Context<'_>,
) -> Option<NeededApproval> {
    if decision.events.is_empty() || ctx.state.approval_rules().next().is_none() {
        return None;
    }
    let Actor::Party(id) = ctx.actor else { return None };
    let role = ctx.state.party(id)?.role;
    let coverage = coverage::of(command, own, decision, ctx)?;
    let covers = |rule: &&ApprovalRule| {
        rule.makers.contains(&role)
            && coverage
                .kinds
                .iter()
                .any(|(kind, amount)| *kind == rule.kind && reaches(*amount, rule.from_amount))
    };
    let rules = ctx.state.approval_rules().filter(covers);
    let rule = rules.min_by_key(|rule| (rule.approvers, rule.expires_after_hours, rule.id))?;
    let amount = coverage.kinds.iter().find(|(kind, _)| *kind == rule.kind)?.1;
    Some(NeededApproval {
        rule: rule.clone(),
        amount,
        command: coverage.command,
    })
}

/// Whether an amount is at least a rule's. One that has no value in USD is covered.
fn reaches(amount: Option<Amount>, from: Option<Amount>) -> bool {
    match (amount, from) {
        (Some(amount), Some(from)) => amount >= from,
        (None, _) | (_, None) => true,
    }
}

/// Replaces a decision by a proposal. The claims stay, to be checked and not taken.
///
/// # Errors
/// Too many proposals, or a command that can't wait.
pub fn propose(
    command: &Command,
    decision: Decision<Event>,
    needed: NeededApproval,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let maker = ctx.caller()?.id;
    let proposing = ctx.proposing.ok_or_else(|| Refusal::conflict("approval_needed"))?;
    require(ctx.state.waiting(ctx.now).count() < MAX_WAITING, || {
        Refusal::conflict("too_many_proposals").with("max", MAX_WAITING)
    })?;
    if let ProposedCommand::ChangeParty { id, change } = &needed.command
        && change.sets_password
    {
        // The password would be set at once.
        let is_active = ctx.state.party(*id).is_some_and(|party| party.is_active);
        let code = if is_active {
            "password_needs_its_owner"
        } else {
            "password_needs_own_request"
        };
        return Err(Refusal::invalid("password", code));
    }
    let person = match &needed.command {
        ProposedCommand::RegisterParty { register } => Some(register.id),
        _ => None,
    };
    // What a decision about a match, and about a card, depends on is read again for its approval: a screening or another card
    // meanwhile outdates nothing.
    let is_read_again = matches!(
        needed.command,
        ProposedCommand::DecidePair { .. } | ProposedCommand::AddCard { .. }
    );
    let as_of = proposing.as_of.filter(|_| !is_read_again);
    let figures = decision.figures();
    let mut parts = decision.events.iter().filter_map(Event::personal);
    let subject = parts.next().map_or(maker.into(), |part| part.subject());
    let entries = decision.events.iter().filter_map(Event::entry);
    let transfers = entries.flat_map(|entry| entry.transfers.iter().copied()).collect();
    let NeededApproval {
        rule,
        amount,
        command: stored,
    } = needed;
    let proposed = CommandProposed {
        id: proposing.id,
        kind: rule.kind,
        rule: rule.id,
        maker,
        approvers: rule.approvers,
        expires_at: ctx.now + Duration::hours(rule.expires_after_hours.into()),
        stream: command.stream(),
        as_of,
        amount,
        figures,
        person,
        transfers,
        personal: Personal::clear(subject, stored),
    };
    let answer = Answer {
        id: proposing.id.0,
        proposal: Some(Proposed {
            id: proposing.id,
            kind: rule.kind,
            approvers: rule.approvers,
            expires_at: proposed.expires_at,
        }),
        ..Answer::default()
    };
    Ok(Decision {
        events: vec![Event::Proposal(ProposalEvent::CommandProposed(Box::new(proposed)))],
        unique_values: decision.unique_values,
        answer,
    })
}
