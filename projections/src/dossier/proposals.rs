//! Commands about the customer or the customer's remittances that waited for an approval, and what became of them.

use super::{DossierAct, names::Names};
use crate::{
    customer::masked,
    proposal::PublicApprovalKind,
    refs::{HistoryActor, Ref},
    scalar::{CardBrand, Money},
};
use caudal_domain::{
    Event, StreamKind,
    approval::{CommandProposed, ProposalEvent, ProposedCommand},
    remittance::HoldOutcome,
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A command that waited for an approval.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierProposal {
    /// Id of the proposal.
    pub id: Uuid,
    /// Position of the event in the log.
    pub position: i64,
    /// When it was proposed.
    pub at: DateTime<Utc>,
    /// Who proposed it.
    pub by: HistoryActor,
    /// Kind of commands that the approval rule covers.
    pub kind: PublicApprovalKind,
    /// Id of the rule.
    pub rule: Uuid,
    /// The remittance that it is about, by its number; null for one about the customer.
    pub remittance: Option<Ref>,
    /// Amount in USD; null for commands without one.
    pub amount: Option<Money>,
    /// From when on it could not be approved.
    pub expires: DateTime<Utc>,
    /// The command as it was given; null after erasure.
    pub command: Option<DossierCommand>,
    /// Outcome of the proposal.
    pub outcome: DossierProposalOutcome,
    /// Who approved, rejected or withdrew it, and when; null before, and for one that expired.
    pub decided: Option<DossierAct>,
    /// Reason of the rejection; null otherwise, and after erasure.
    pub rejection: Option<String>,
}

/// A command as it was given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCommand {
    /// The proposed command.
    pub name: DossierCommandName,
    /// The maker's reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of the hold within the remittance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<u32>,
    /// Name of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Identifier within the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Bank and currency of the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand: Option<CardBrand>,
    /// Number of the card, masked except for the last four digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Amount sent that the remittance was to have, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// Hashes of the attached files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// The proposed command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DossierCommandName {
    /// Release of a hold.
    ReleaseHold,
    /// Another review of a hold.
    KeepHold,
    /// The decision that the customer is not a listed person.
    ClearPair,
    /// Another card of the customer.
    AddCard,
    /// Cancel of a remittance.
    Cancel,
    /// Another amount of a remittance.
    EditAmount,
    /// Anything else.
    #[default]
    Other,
}

/// Outcome of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DossierProposalOutcome {
    /// It waited at the export.
    Waiting,
    /// Nobody decided it in time.
    Expired,
    /// It was approved, and took effect.
    Approved,
    /// It was rejected.
    Rejected,
    /// Its maker withdrew it.
    Withdrawn,
}

impl From<&ProposedCommand> for DossierCommand {
    fn from(command: &ProposedCommand) -> Self {
        use DossierCommandName as Name;
        match command.clone() {
            ProposedCommand::ReviewHold { review, .. } => Self {
                name: match review.outcome {
                    HoldOutcome::Release => Name::ReleaseHold,
                    HoldOutcome::Keep => Name::KeepHold,
                },
                reason: Some(review.reason),
                hold: Some(review.number),
                files: review.files,
                ..Self::default()
            },
            ProposedCommand::DecidePair { pair, .. } => Self {
                name: Name::ClearPair,
                reason: Some(pair.reason),
                list: Some(pair.list),
                entry: Some(pair.entry),
                files: pair.files,
                ..Self::default()
            },
            ProposedCommand::AddCard { card, .. } => Self {
                name: Name::AddCard,
                brand: Some(card.brand.into()),
                card: Some(masked(&card.number)),
                ..Self::default()
            },
            ProposedCommand::Cancel { reason, .. } => Self {
                name: Name::Cancel,
                reason: Some(reason),
                ..Self::default()
            },
            ProposedCommand::EditAmount { edit, .. } => Self {
                name: Name::EditAmount,
                amount: Some(edit.amount.into()),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

/// Proposals by their streams, as of the time of the export; `codes` are those of the remittances.
pub(super) fn proposals(
    streams: &[Vec<Recorded>],
    codes: &BTreeMap<Uuid, String>,
    exported: DateTime<Utc>,
    names: &Names,
) -> Vec<DossierProposal> {
    let told = streams.iter().filter_map(|events| {
        let first = events.first()?;
        match &first.event {
            Event::Proposal(ProposalEvent::CommandProposed(proposed)) => {
                Some(told(first, proposed, events, codes, exported, names))
            }
            _ => None,
        }
    });
    told.collect()
}

fn told(
    first: &Recorded,
    proposed: &CommandProposed,
    events: &[Recorded],
    codes: &BTreeMap<Uuid, String>,
    exported: DateTime<Utc>,
    names: &Names,
) -> DossierProposal {
    let mut outcome = if proposed.expires_at <= exported {
        DossierProposalOutcome::Expired
    } else {
        DossierProposalOutcome::Waiting
    };
    let (mut decided, mut rejection) = (None, None);
    for recorded in events {
        let Event::Proposal(event) = &recorded.event else {
            continue;
        };
        outcome = match event {
            ProposalEvent::ProposalApproved(_) => DossierProposalOutcome::Approved,
            ProposalEvent::ProposalRejected(rejected) => {
                rejection = rejected.personal.get().map(|reason| reason.reason.clone());
                DossierProposalOutcome::Rejected
            }
            ProposalEvent::ProposalWithdrawn { .. } => DossierProposalOutcome::Withdrawn,
            // The latter is of a party that a proposal would have registered.
            ProposalEvent::CommandProposed(_) | ProposalEvent::ProposedPersonForgotten { .. } => continue,
        };
        decided = Some(names.act(recorded));
    }
    let remittance = (proposed.stream.kind == StreamKind::Remittance).then(|| Ref {
        id: proposed.stream.id,
        name: codes.get(&proposed.stream.id).cloned(),
    });
    DossierProposal {
        id: proposed.id.0,
        position: first.position,
        at: first.recorded_at,
        by: names.actor(first),
        kind: proposed.kind.into(),
        rule: proposed.rule.0,
        remittance,
        amount: proposed.amount.map(Money::from),
        expires: proposed.expires_at,
        command: proposed.personal.get().map(DossierCommand::from),
        outcome,
        decided,
        rejection,
    }
}
