//! Events of a proposal.

use super::{ApprovalKind, ProposedCommand};
use crate::{
    figures::Figures,
    ids::{ApprovalRuleId, PartyId, ProposalId},
    money::Amount,
    party::Role,
    personal::Personal,
    stream::StreamId,
    tenant_state::entry::Transfer,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A command that waits for its approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommandProposed {
    pub id: ProposalId,
    pub kind: ApprovalKind,
    /// The rule that covered it.
    pub rule: ApprovalRuleId,
    pub maker: PartyId,
    /// Role that approves; managers always may.
    pub approvers: Role,
    pub expires_at: DateTime<Utc>,
    /// The stream that the command writes.
    pub stream: StreamId,
    /// Position at which the maker read the record; an approval is refused if the record changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<i64>,
    /// Amount in USD; `None` for commands without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// Figures that the maker confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// The person that the command would register. Forgotten where the proposal ends without effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PartyId>,
    /// Postings that the command would have made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transfers: Vec<Transfer>,
    pub personal: Personal<ProposedCommand>,
}

/// The effect of the approved command is in the events beside this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalApproved {
    pub id: ProposalId,
    pub by: PartyId,
    /// The created or changed record.
    pub record: uuid::Uuid,
    /// Its number, for records that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalRejected {
    pub id: ProposalId,
    pub by: PartyId,
    pub personal: Personal<RejectionReason>,
}

/// Why a proposal was rejected.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct RejectionReason {
    pub reason: String,
}

crate::personal::personal_data!(RejectionReason);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum ProposalEvent {
    CommandProposed(Box<CommandProposed>),
    ProposalApproved(ProposalApproved),
    ProposalRejected(ProposalRejected),
    /// Withdrawn by its maker.
    ProposalWithdrawn {
        id: ProposalId,
    },
    /// The proposal ended without effect: the person that it would have registered is forgotten.
    ProposedPersonForgotten {
        id: PartyId,
        proposal: ProposalId,
    },
}

impl ProposalEvent {
    /// The proposal.
    #[must_use]
    pub fn id(&self) -> ProposalId {
        match self {
            Self::CommandProposed(proposed) => proposed.id,
            Self::ProposalApproved(approved) => approved.id,
            Self::ProposalRejected(rejected) => rejected.id,
            Self::ProposalWithdrawn { id } => *id,
            Self::ProposedPersonForgotten { proposal, .. } => *proposal,
        }
    }
}
