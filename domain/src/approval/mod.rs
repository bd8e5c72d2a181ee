//! Approvals: commands that take effect when a second person approves them.
//!
//! A tenant's rules say which commands need an approval ([`coverage`]). Such a command is decided, and the decision is
//! replaced by a [`CommandProposed`]. An approval decides the command again as its maker. The command is personal data of
//! the person that its own event would be about, and is erased with that person.
//!
//! | File | Content |
//! |---|---|
//! | [`kind`] | what a rule may cover |
//! | [`rule`] | rules of a tenant |
//! | [`coverage`] | which kinds a command is of, and its amount |
//! | [`proposing`] | the approval that a command needs, and its proposal |
//! | [`proposed`] | the stored form of a command |
//! | [`events`] | events of a proposal |
//! | [`deciding`] | approval, rejection, withdrawal, expiry |
//! | [`past`] | what a rule would have covered |

mod coverage;
mod deciding;
mod events;
mod kind;
mod past;
mod proposed;
mod proposing;
mod rule;

pub(crate) use coverage::{posted, value};
pub use deciding::may_decide;
pub(crate) use deciding::{approve, decide};
pub use events::{CommandProposed, ProposalApproved, ProposalEvent, ProposalRejected, RejectionReason};
pub use kind::ApprovalKind;
pub use past::{Caught, Past, PastEvent};
pub use proposed::ProposedCommand;
pub(crate) use proposing::needed;
pub use proposing::{MAX_WAITING, NeededApproval, Proposed, Proposing, propose};
pub(crate) use rule::check_rule;
pub use rule::{ApprovalRule, MAX_EXPIRY_HOURS, MAX_RULES};

use crate::{
    command::Command,
    figures::Figures,
    ids::{PartyId, ProposalId, SubjectId},
    party::Role,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A proposal that is not decided, without personal data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proposal {
    pub id: ProposalId,
    pub kind: ApprovalKind,
    pub maker: PartyId,
    /// Role that approves; managers always may.
    pub approvers: Role,
    pub expires_at: DateTime<Utc>,
    /// The person that the command is about: an erasure ends the proposal.
    pub subject: SubjectId,
    /// The person that the command would register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PartyId>,
    /// Position at which the maker read the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<i64>,
    /// Figures that the maker confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
}

impl Proposal {
    pub(crate) fn fold(state: Option<Self>, event: &ProposalEvent) -> Option<Self> {
        match event {
            ProposalEvent::CommandProposed(proposed) => Some(Self::of(proposed)),
            ProposalEvent::ProposalApproved(_)
            | ProposalEvent::ProposalRejected(_)
            | ProposalEvent::ProposalWithdrawn { .. }
            | ProposalEvent::ProposedPersonForgotten { .. } => state,
        }
    }

    pub(crate) fn of(proposed: &CommandProposed) -> Self {
        Self {
            id: proposed.id,
            kind: proposed.kind,
            maker: proposed.maker,
            approvers: proposed.approvers,
            expires_at: proposed.expires_at,
            subject: proposed.personal.subject(),
            person: proposed.person,
            as_of: proposed.as_of,
            figures: proposed.figures,
        }
    }
}

/// Commands of a proposal.
#[derive(Clone, PartialEq)]
pub enum ProposalCommand {
    /// Decides the proposed command again, as its maker. The caller reads the command from the proposal's event.
    Approve(Box<Command>),
    Reject {
        reason: String,
    },
    /// By the maker.
    Withdraw,
    /// Forgets the person that an expired proposal would have registered. System only.
    Expire,
}

/// Omits the reason.
impl std::fmt::Debug for ProposalCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Approve(command) => f.debug_tuple("Approve").field(command).finish(),
            Self::Reject { .. } => f.write_str("Reject { .. }"),
            Self::Withdraw => f.write_str("Withdraw"),
            Self::Expire => f.write_str("Expire"),
        }
    }
}

#[cfg(test)]
mod tests;
