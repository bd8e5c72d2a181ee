//! Approval, rejection, withdrawal and expiry of a proposal.

use super::{Proposal, ProposalApproved, ProposalCommand, ProposalEvent, ProposalRejected, RejectionReason};
use crate::{
    aggregate::StreamState,
    command::{self, Command},
    decision::{Actor, Context, Decision},
    event::Event,
    figures::Expected,
    ids::ProposalId,
    office,
    party::{Party, Role},
    personal::Personal,
    refusal::{Refusal, RefusalKind, require},
    text,
};

/// Whether a party may approve and reject a maker's proposals. Its maker may not.
#[must_use]
pub fn may_decide(caller: &Party, maker: &Party, approvers: Role) -> bool {
    caller.id != maker.id && (caller.role == Role::Manager || (caller.role == approvers && caller.oversees(maker)))
}

/// The waiting proposal, for somebody who may decide about it.
fn waiting_for<'a>(id: ProposalId, caller: &Party, ctx: &Context<'a>) -> Result<&'a Proposal, Refusal> {
    let waiting = ctx.state.proposal(id);
    let waiting = waiting.ok_or_else(|| Refusal::conflict("proposal_not_waiting"))?;
    require(waiting.maker != caller.id, || Refusal::forbidden("own_proposal"))?;
    let maker = ctx.state.party(waiting.maker);
    require(
        maker.is_some_and(|maker| may_decide(caller, maker, waiting.approvers)),
        || Refusal::not_found("proposal_not_found"),
    )?;
    Ok(waiting)
}

/// Decides the proposed command as its maker; `own` is the state of the command's stream.
pub(crate) fn approve(
    id: ProposalId,
    command: &Command,
    own: &StreamState,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let by = ctx.caller()?;
    let proposal = waiting_for(id, by, ctx)?;
    require(ctx.now < proposal.expires_at, || Refusal::conflict("proposal_expired"))?;
    let as_maker = Context {
        actor: Actor::Party(proposal.maker),
        proposing: None,
        ..*ctx
    };
    let decided = office::permit(command, &as_maker).and_then(|()| command::effect(command, own, &as_maker));
    let mut decision = decided.map_err(|refusal| match refusal.kind {
        RefusalKind::Forbidden | RefusalKind::NotFound => Refusal::conflict("proposal_not_permitted"),
        RefusalKind::Invalid | RefusalKind::Conflict => refusal,
    })?;
    // A figure that the approver does not confirm is that of the proposal.
    let confirmed = ctx.expected.unwrap_or_default();
    let expected = Expected {
        payout: confirmed.payout.or(proposal.figures.map(|figures| figures.payout)),
        total_to_pay: confirmed
            .total_to_pay
            .or(proposal.figures.map(|figures| figures.total_to_pay)),
    };
    expected.confirm(&decision).map_err(|refusal| Refusal {
        proposed: proposal.figures.map(Box::new),
        ..refusal
    })?;
    let approved = ProposalApproved {
        id,
        by: by.id,
        record: decision.answer.id,
        number: decision.answer.number.clone(),
    };
    let approved = ProposalEvent::ProposalApproved(approved);
    decision.events.push(Event::Proposal(approved));
    Ok(decision)
}

/// Rejection, withdrawal and expiry.
pub(crate) fn decide(
    id: ProposalId,
    command: &ProposalCommand,
    ctx: &Context<'_>,
) -> Result<Decision<ProposalEvent>, Refusal> {
    if *command == ProposalCommand::Expire {
        return expire(id, ctx);
    }
    let caller = ctx.caller()?;
    let (event, ended) = match command {
        // An approval writes the command's stream too: see `approve`.
        ProposalCommand::Approve(_) | ProposalCommand::Expire => {
            return Err(Refusal::conflict("stream_of_another_kind"));
        }
        ProposalCommand::Reject { reason } => {
            let proposal = waiting_for(id, caller, ctx)?;
            text::required_note("reason", reason, text::MAX_REASON_LENGTH)?;
            let reason = reason.trim().to_owned();
            let rejected = ProposalRejected {
                id,
                by: caller.id,
                // Said to the maker. The proposed person's key ends with this commit.
                personal: Personal::clear(proposal.maker, RejectionReason { reason }),
            };
            (ProposalEvent::ProposalRejected(rejected), proposal)
        }
        ProposalCommand::Withdraw => {
            let waiting = ctx.state.proposal(id);
            let waiting = waiting.ok_or_else(|| Refusal::conflict("proposal_not_waiting"))?;
            require(waiting.maker == caller.id, || Refusal::not_found("proposal_not_found"))?;
            (ProposalEvent::ProposalWithdrawn { id }, waiting)
        }
    };
    let mut decision = Decision::of(event, id);
    decision.events.extend(erasure(ended, ctx));
    Ok(decision)
}

/// Ends an expired proposal of a person; nothing for others, whose expiry needs no event.
fn expire(id: ProposalId, ctx: &Context<'_>) -> Result<Decision<ProposalEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    let ended = ctx.state.proposal(id).filter(|proposal| proposal.expires_at <= ctx.now);
    let mut decision = Decision::nothing(id);
    decision.events.extend(ended.and_then(|ended| erasure(ended, ctx)));
    Ok(decision)
}

/// Forgets the person that a proposal without effect would have registered. A person who was registered is a party, whom
/// an erasure can name.
fn erasure(proposal: &Proposal, ctx: &Context<'_>) -> Option<ProposalEvent> {
    let person = proposal.person.filter(|person| ctx.state.party(*person).is_none())?;
    Some(ProposalEvent::ProposedPersonForgotten {
        id: person,
        proposal: proposal.id,
    })
}
