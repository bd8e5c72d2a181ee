//! Remittances sent by the customer or to be paid to them: how each stands, and all of its events with what they changed.

use super::{
    DossierApproval, Remittances,
    edits::{self, DossierEdit, FieldValue},
    files::{self, DossierFile},
    names::Names,
    person::{municipality_name, province_name},
};
use crate::{
    refs::{HistoryActor, Ref},
    remittance::PublicHoldReason,
    scalar::{AttemptReason, CurrencyCode, Decimal, DeliveryMethod, Money, RemittanceChange, RemittanceStatus},
};
use caudal_domain::{
    Event, StreamKind, StreamState,
    customer::Place,
    remittance::{Delivery, Remittance, RemittanceDetails, RemittanceEvent},
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A remittance of the dossier, as it stood.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierRemittance {
    /// Id of the remittance.
    pub id: Uuid,
    /// Human number.
    #[schema(examples("R-000001"))]
    pub code: String,
    /// When it was sold.
    pub sold: DateTime<Utc>,
    /// State.
    pub status: RemittanceStatus,
    /// Who sent it.
    pub sender: Ref,
    /// Who is paid.
    pub recipient: Ref,
    /// The party whose balance it draws on.
    pub seller: Ref,
    /// The agency of the sale.
    pub agency: Option<Ref>,
    /// The agent who sold it.
    pub agent: Option<Ref>,
    /// Payment group.
    pub payment_group: Ref,
    /// Amount sent, in USD.
    pub amount: Money,
    /// Amount paid out.
    pub payout: Money,
    /// Currency of the payout.
    pub currency: CurrencyCode,
    /// Units of the currency per USD.
    pub exchange_rate: Decimal,
    /// Fees, in USD.
    pub total_fee: Money,
    /// Amount and fees, in USD.
    pub total_to_pay: Money,
    /// The seller's own reference.
    pub reference: Option<String>,
    /// How it is paid out.
    pub delivery_method: DeliveryMethod,
    /// Province of the delivery.
    pub province: Option<String>,
    /// Municipality of the delivery.
    pub municipality: Option<String>,
    /// Id of the card that is paid to.
    pub card_id: Option<Uuid>,
    /// Number of this card, masked except for the last four digits; absent without one, after erasure, and in exports of the
    /// first content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Delivery address, when another than the recipient's.
    pub address: Option<String>,
    /// The seller's notes.
    pub notes: Option<String>,
    /// Present or last dealer.
    pub dealer: Option<Ref>,
    /// Present or last delivery man.
    pub delivery_man: Option<Ref>,
    /// Who delivered it; null before.
    pub delivered_by: Option<Ref>,
    /// When it was delivered; null before.
    pub delivered: Option<DateTime<Utc>>,
    /// Whether the recipient's authorised representative took it.
    pub to_representative: bool,
    /// Files that prove the delivery, those of disputed deliveries, and those of reviews of its holds.
    pub files: Vec<DossierFile>,
    /// All events, oldest first.
    pub history: Vec<DossierStep>,
}

/// An event of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierStep {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who did it; of what waited for an approval, who proposed it.
    pub by: HistoryActor,
    /// What was done.
    pub change: RemittanceChange,
    /// State after it.
    pub status: RemittanceStatus,
    /// Amount sent after it, in USD.
    pub amount: Money,
    /// Amount paid out after it.
    pub payout: Money,
    /// Recipient after it.
    pub recipient: Ref,
    /// Dealer after it.
    pub dealer: Option<Ref>,
    /// Delivery man after it.
    pub delivery_man: Option<Ref>,
    /// Reason of an error, a cancellation, a settlement or a review; null without one, and after erasure.
    pub reason: Option<String>,
    /// Why it was put in review; absent for other changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<PublicHoldReason>,
    /// Number within the remittance of the hold that began, was released or was kept; absent for other changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_number: Option<u32>,
    /// Who says that they delivered it; absent for other changes than disputed deliveries and deliveries of what was in review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported_by: Option<Ref>,
    /// Code of the refusal of a disputed delivery; absent for other changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Who approved it; absent where it took effect at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<DossierApproval>,
    /// What differs from before; absent where nothing does, and for the sale.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<DossierEdit>,
    /// Reason of a failed attempt.
    pub attempt: Option<AttemptReason>,
    /// Time of an attempt or a delivery without a network; null when recorded at once.
    pub happened: Option<DateTime<Utc>>,
}

pub(super) fn remittances(remittances: &Remittances, names: &Names) -> Vec<DossierRemittance> {
    remittances
        .iter()
        .filter_map(|events| remittance(events, names))
        .collect()
}

/// A remittance as it stands after its events.
fn remittance(events: &[Recorded], names: &Names) -> Option<DossierRemittance> {
    let mut state = StreamState::new(StreamKind::Remittance);
    let mut history = Vec::with_capacity(events.len());
    let mut files = Vec::new();
    // Address and notes, while they are not erased.
    let mut details: Option<RemittanceDetails> = None;
    let mut before: Option<Vec<FieldValue>> = None;
    let (mut delivered, mut delivered_by, mut to_representative) = (None, None, false);
    for recorded in events {
        state.apply(&recorded.event);
        let (Event::Remittance(event), Some(after)) = (&recorded.event, state.remittance()) else {
            continue;
        };
        match event {
            RemittanceEvent::RemittanceCreated(created) => details = created.personal.get().cloned(),
            RemittanceEvent::RemittanceDetailsEdited(edited) => details = edited.personal.get().cloned(),
            RemittanceEvent::RemittanceCompleted(completed) => {
                delivered = Some(completed.delivered_at.unwrap_or(recorded.recorded_at));
                delivered_by = Some(completed.delivered_by);
                to_representative = completed.to_representative;
            }
            _ => {}
        }
        files.extend(files::of_remittance(recorded, event));
        let told = edits::of_remittance(after, details.as_ref(), names);
        let edits = before.map_or_else(Vec::new, |before| edits::between(&before, &told));
        before = Some(told);
        history.push(DossierStep {
            edits,
            ..step(recorded, event, after, names)
        });
    }
    let sold = events.first()?.recorded_at;
    let after = state.remittance()?;
    let (sale, quote) = (&after.sale, &after.sale.quote);
    let (delivery_method, place, card_id) = match after.delivery {
        Delivery::Home { province, municipality } => {
            let place = Place {
                province: Some(province),
                municipality: Some(municipality),
            };
            (DeliveryMethod::Home, place, None)
        }
        Delivery::Card { card, .. } => (DeliveryMethod::Card, Place::default(), Some(card.0)),
    };
    Some(DossierRemittance {
        id: after.id.0,
        code: sale.code.clone(),
        sold,
        status: after.status.into(),
        sender: names.of(sale.sender.0),
        recipient: names.of(sale.recipient.0),
        seller: names.of(sale.seller.0),
        agency: names.maybe(sale.agency),
        agent: names.maybe(sale.agent),
        payment_group: names.of(sale.group.0),
        amount: quote.amount.into(),
        payout: quote.payout.into(),
        currency: quote.currency_to.into(),
        exchange_rate: Decimal(quote.exchange_rate),
        total_fee: quote.total_fee.into(),
        total_to_pay: quote.total_to_pay.into(),
        reference: sale.reference.clone(),
        delivery_method,
        province: province_name(place),
        municipality: municipality_name(place),
        card_id,
        card: card_id.and_then(|card| names.card(card)),
        address: details.as_ref().and_then(|details| details.address.clone()),
        notes: details.and_then(|details| details.notes),
        dealer: names.maybe(after.dealer),
        delivery_man: names.maybe(after.delivery_man),
        delivered_by: names.maybe(delivered_by),
        delivered,
        to_representative,
        files,
        history,
    })
}

fn step(recorded: &Recorded, event: &RemittanceEvent, after: &Remittance, names: &Names) -> DossierStep {
    let (mut reason, mut attempt, mut happened, mut declared) = (None, None, None, None);
    let (mut hold, mut hold_number, mut reported_by, mut refused) = (None, None, None, None);
    let change = match event {
        RemittanceEvent::RemittanceCreated(_) => RemittanceChange::Created,
        RemittanceEvent::RemittanceAmountEdited(_) => RemittanceChange::AmountEdited,
        RemittanceEvent::RemittanceDetailsEdited(_) => RemittanceChange::DetailsEdited,
        RemittanceEvent::RemittanceAssigned(_) => RemittanceChange::Assigned,
        RemittanceEvent::RemittanceFailed(failed) => {
            reason = failed.personal.get();
            RemittanceChange::Error
        }
        RemittanceEvent::RemittanceCanceled(canceled) => {
            reason = canceled.personal.get();
            RemittanceChange::Canceled
        }
        RemittanceEvent::RemittanceCompleted(completed) => {
            happened = completed.delivered_at;
            RemittanceChange::Completed
        }
        RemittanceEvent::DeliveryAttempted(attempted) => {
            attempt = Some(AttemptReason(attempted.reason));
            happened = attempted.attempted_at;
            RemittanceChange::Attempted
        }
        RemittanceEvent::DeliveryDisputed(disputed) => {
            happened = disputed.delivered_at;
            reported_by = Some(disputed.reported_by);
            refused = Some(disputed.refused.clone());
            RemittanceChange::Disputed
        }
        RemittanceEvent::DeliveryDisputeSettled(settled) => {
            reason = settled.personal.get();
            RemittanceChange::DisputeSettled
        }
        RemittanceEvent::RemittanceHeld(held) => {
            reason = held.personal.get().filter(|note| !note.reason.is_empty());
            hold = Some(held.reason.into());
            hold_number = Some(held.number);
            RemittanceChange::Held
        }
        RemittanceEvent::HoldReleased(reviewed) => {
            reason = reviewed.personal.get();
            hold_number = Some(reviewed.number);
            RemittanceChange::HoldReleased
        }
        RemittanceEvent::HoldKept(reviewed) => {
            reason = reviewed.personal.get();
            hold_number = Some(reviewed.number);
            RemittanceChange::HoldKept
        }
        RemittanceEvent::HeldRemittanceDelivered(delivered) => {
            happened = delivered.delivered_at;
            reported_by = Some(delivered.reported_by);
            RemittanceChange::DeliveredWhileHeld
        }
        RemittanceEvent::HoldBreachSettled(settled) => {
            reason = settled.personal.get();
            RemittanceChange::HoldBreachSettled
        }
        RemittanceEvent::SaleDeclared(declaration) => {
            declared = crate::remittance::declared(declaration);
            RemittanceChange::Declared
        }
    };
    DossierStep {
        position: recorded.position,
        at: recorded.recorded_at,
        by: names.actor(recorded),
        change,
        status: after.status.into(),
        amount: after.sale.quote.amount.into(),
        payout: after.sale.quote.payout.into(),
        recipient: names.of(after.sale.recipient.0),
        dealer: names.maybe(after.dealer),
        delivery_man: names.maybe(after.delivery_man),
        reason: reason.map(|reason| reason.reason.clone()).or(declared),
        hold,
        hold_number,
        reported_by: names.maybe(reported_by),
        refused,
        approval: names.approval(recorded),
        edits: Vec::new(),
        attempt,
        happened,
    }
}
