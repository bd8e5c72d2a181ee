//! Holds of the customer's remittances: what put each in review, who reviewed it and who approved that, and how it ended.

use super::{
    DossierAct, DossierApproval, Remittances,
    names::Names,
    screening::{self, DossierEntry},
    settings::{DossierLimitRule, Settings},
};
use crate::{
    refs::{HistoryActor, Ref},
    remittance::PublicHoldReason,
};
use caudal_domain::{
    Event, StreamKind, StreamState,
    ids::CustomerId,
    remittance::{HoldReason, HoldReviewed, Remittance, RemittanceEvent, RemittanceHeld, Status},
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

/// A hold of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierHold {
    /// The remittance, by its number.
    pub remittance: Ref,
    /// The seller's own reference of the remittance.
    pub reference: Option<String>,
    /// Number of the hold within the remittance, from 1.
    pub number: u32,
    /// Why it was put in review.
    pub reason: PublicHoldReason,
    /// Who put it in review, or whose command met a rule or a match; all fields of the actor null for the system.
    pub held: DossierAct,
    /// Note of who put it in review; null for other holds, and after erasure.
    pub note: Option<String>,
    /// The limit rule that it is beyond; null for other reasons.
    pub limit_rule: Option<DossierLimitRule>,
    /// Who is like a listed person; null for other reasons.
    pub likeness: Option<DossierLikeness>,
    /// Reviews, oldest first.
    pub reviews: Vec<DossierReview>,
    /// How it ended.
    pub outcome: DossierHoldOutcome,
}

/// The customer of a remittance who is like a listed person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierLikeness {
    /// The customer: the one of the dossier, or the other one of the remittance.
    pub customer: Ref,
    /// Entries of lists that kept the customer in review then, confirmed ones first; empty after erasure. Null for the other
    /// customer of the remittance, in whose dossier they are.
    pub entries: Option<Vec<DossierEntry>>,
}

/// A review of a hold.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierReview {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who reviewed it; of a review that waited for an approval, who proposed it.
    pub by: HistoryActor,
    /// Who approved it; null where it took effect at once.
    pub approval: Option<DossierApproval>,
    /// Whether it was released; otherwise it was kept in review.
    pub is_released: bool,
    /// Reason given; null after erasure.
    pub reason: Option<String>,
    /// Hashes of the attached files.
    pub files: Vec<String>,
}

/// How a hold ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DossierHoldOutcome {
    /// It is open.
    Open,
    /// A reviewer released it.
    Released,
    /// The remittance was canceled while it was open.
    Canceled,
    /// The remittance was delivered while it was open.
    Delivered,
}

/// What holds are explained by.
pub(super) struct Causes<'a> {
    pub(super) id: CustomerId,
    pub(super) customer: &'a [Recorded],
    pub(super) settings: &'a Settings,
    pub(super) names: &'a Names,
}

impl Causes<'_> {
    /// Holds of all remittances, in the order in which they began.
    pub(super) fn holds(&self, remittances: &Remittances) -> Vec<DossierHold> {
        let mut holds: Vec<DossierHold> = remittances.iter().flat_map(|events| self.of_one(events)).collect();
        holds.sort_by_key(|hold| hold.held.position);
        holds
    }

    fn of_one(&self, events: &[Recorded]) -> Vec<DossierHold> {
        let mut state = StreamState::new(StreamKind::Remittance);
        events.iter().for_each(|recorded| state.apply(&recorded.event));
        let Some(after) = state.remittance() else {
            return Vec::new();
        };
        let mut holds: Vec<DossierHold> = Vec::new();
        for recorded in events {
            let Event::Remittance(event) = &recorded.event else {
                continue;
            };
            let (reviewed, is_released) = match event {
                RemittanceEvent::RemittanceHeld(held) => {
                    holds.push(self.begun(recorded, held, after));
                    continue;
                }
                RemittanceEvent::HoldReleased(reviewed) => (reviewed, true),
                RemittanceEvent::HoldKept(reviewed) => (reviewed, false),
                _ => continue,
            };
            if let Some(hold) = holds.iter_mut().find(|hold| hold.number == reviewed.number) {
                hold.reviews.push(self.review(recorded, reviewed, is_released));
                if is_released {
                    hold.outcome = DossierHoldOutcome::Released;
                }
            }
        }
        holds
    }

    fn begun(&self, recorded: &Recorded, held: &RemittanceHeld, after: &Remittance) -> DossierHold {
        let (names, position) = (self.names, recorded.position);
        let likeness = |customer: uuid::Uuid| DossierLikeness {
            customer: names.of(customer),
            entries: (customer == self.id.0).then(|| screening::entries_at(self.customer, position)),
        };
        let (limit_rule, likeness) = match (held.reason, held.reference) {
            (HoldReason::LimitRule, Some(rule)) => (self.settings.limit_rule(rule, position, names), None),
            (HoldReason::Screening, Some(customer)) => (None, Some(likeness(customer))),
            _ => (None, None),
        };
        let note = held.personal.get().filter(|note| !note.reason.is_empty());
        DossierHold {
            remittance: Ref {
                id: after.id.0,
                name: Some(after.sale.code.clone()),
            },
            reference: after.sale.reference.clone(),
            number: held.number,
            reason: held.reason.into(),
            held: names.act(recorded),
            note: note.map(|note| note.reason.clone()),
            limit_rule,
            likeness,
            reviews: Vec::new(),
            outcome: match after.status {
                Status::Canceled => DossierHoldOutcome::Canceled,
                Status::Completed => DossierHoldOutcome::Delivered,
                Status::Pending | Status::Shipping | Status::Error => DossierHoldOutcome::Open,
            },
        }
    }

    fn review(&self, recorded: &Recorded, reviewed: &HoldReviewed, is_released: bool) -> DossierReview {
        DossierReview {
            position: recorded.position,
            at: recorded.recorded_at,
            by: self.names.actor(recorded),
            approval: self.names.approval(recorded),
            is_released,
            reason: reviewed.personal.get().map(|note| note.reason.clone()),
            files: reviewed.files.clone(),
        }
    }
}
