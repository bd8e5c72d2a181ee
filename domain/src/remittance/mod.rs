//! Remittances: from the sale to the delivery. One file per command; `permission.rs` holds the permissions.

mod assign;
mod attempt;
mod cancel;
mod complete;
mod create;
mod dispute;
mod earlier;
mod edit_amount;
mod edit_details;
mod error;
mod events;
pub mod hold;
mod moment;
mod permission;
mod posting;
mod status;

pub use assign::AssignDealer;
pub use attempt::{AttemptReason, RecordAttempt};
pub use complete::{CarriedTerms, CompleteRemittance};
pub use create::{CreateRemittance, DeliveryChoice, NamedAgent, QuoteBasis, quote, remaining_balance};
pub use dispute::{Dispute, SettleDispute, judge_settlement};
pub(crate) use earlier::tell_previous_dealer;
pub use edit_amount::EditAmount;
pub use edit_details::EditDetails;
pub use events::{
    DeliveryAttempted, DeliveryDisputeSettled, DeliveryDisputed, RemittanceAmountEdited, RemittanceAssigned,
    RemittanceCanceled, RemittanceCompleted, RemittanceCreated, RemittanceDetails, RemittanceDetailsEdited,
    RemittanceEvent, RemittanceFailed, RemittanceReason, Sale, SellerReference,
};
pub use hold::{
    HeldRemittanceDelivered, Hold, HoldBreach, HoldBreachSettled, HoldOutcome, HoldReason, HoldRemittance,
    HoldReviewed, MAX_HOLDS, RemittanceHeld, ReviewHold,
};
pub use permission::{Action, Facts, is_owner, is_visible, judge, permits, sees};
pub(crate) use posting::payable;
pub use status::Status;

use crate::{
    customer::card::Brand,
    decision::{Context, Decision},
    ids::{CardId, CustomerId, MunicipalityId, PartyId, PaymentGroupId, ProvinceId, RemittanceId},
    refusal::{Refusal, require},
    tenant_state::TenantState,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// For notes, in characters.
pub const MAX_NOTE_LENGTH: usize = 500;
/// For the seller's reference, in characters.
pub const MAX_REFERENCE_LENGTH: usize = 60;

/// Delivery method of a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
pub enum Delivery {
    /// Cash at the recipient's door. The address is personal data and kept elsewhere.
    Home {
        province: ProvinceId,
        /// Its distribution fee applies.
        municipality: MunicipalityId,
    },
    /// A transfer to one of the recipient's cards.
    Card { card: CardId, brand: Brand },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remittance {
    pub id: RemittanceId,
    /// Seller, customers and terms, frozen at the sale.
    pub sale: Sale,
    pub delivery: Delivery,
    pub status: Status,
    /// Current or last dealer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<PartyId>,
    /// Current or last delivery man.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_man: Option<PartyId>,
    /// All dealers and delivery men who ever carried it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub carriers: BTreeSet<PartyId>,
    /// Offline deliveries that were refused when synchronised, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// All holds, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<Hold>,
    /// Delivered although it was held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breach: Option<HoldBreach>,
}

#[derive(Clone, PartialEq)]
pub enum RemittanceCommand {
    /// Sells a remittance.
    Create(CreateRemittance),
    /// Requotes it for another amount or payment group.
    EditAmount(EditAmount),
    /// Changes recipient, place, delivery method, card or notes.
    EditDetails(EditDetails),
    /// Assigns it to a dealer, or to one of his delivery men.
    Assign(AssignDealer),
    MarkError {
        reason: String,
    },
    Cancel {
        reason: String,
    },
    Complete(CompleteRemittance),
    /// Records a failed delivery attempt.
    Attempt(RecordAttempt),
    /// Settles a disputed delivery.
    SettleDispute(SettleDispute),
    /// Holds it. System, or managers with a note.
    Hold(HoldRemittance),
    /// Releases or keeps a hold. Managers only.
    ReviewHold(ReviewHold),
    /// Settles a delivery that was booked although it was held. Managers only.
    SettleHoldBreach {
        reason: String,
    },
}

/// Omits the texts that people typed.
impl std::fmt::Debug for RemittanceCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Create(create) => create.fmt(f),
            Self::EditAmount(edit) => edit.fmt(f),
            Self::EditDetails(edit) => edit.fmt(f),
            Self::Assign(assign) => assign.fmt(f),
            Self::MarkError { .. } => f.write_str("MarkError { .. }"),
            Self::Cancel { .. } => f.write_str("Cancel { .. }"),
            Self::Complete(complete) => complete.fmt(f),
            Self::Attempt(attempt) => attempt.fmt(f),
            Self::SettleDispute(_) => f.write_str("SettleDispute { .. }"),
            Self::Hold(hold) => write!(f, "Hold {{ reason: {:?}, .. }}", hold.reason),
            Self::ReviewHold(review) => write!(f, "ReviewHold {{ number: {}, .. }}", review.number),
            Self::SettleHoldBreach { .. } => f.write_str("SettleHoldBreach { .. }"),
        }
    }
}

impl RemittanceCommand {
    /// Customers whose streams the decision reads.
    #[must_use]
    pub fn customers(&self) -> Vec<CustomerId> {
        match self {
            Self::Create(create) => vec![create.sender, create.recipient],
            Self::EditDetails(edit) => vec![edit.recipient],
            Self::EditAmount(edit) => edit.customers.clone(),
            _ => Vec::new(),
        }
    }
}

impl Remittance {
    pub(crate) fn fold(state: Option<Self>, event: &RemittanceEvent) -> Option<Self> {
        let mut remittance = match (state, event) {
            (_, RemittanceEvent::RemittanceCreated(created)) => {
                return Some(Self {
                    id: created.id,
                    sale: created.sale.clone(),
                    delivery: created.delivery,
                    status: Status::Pending,
                    dealer: None,
                    delivery_man: None,
                    carriers: BTreeSet::new(),
                    disputes: Vec::new(),
                    holds: Vec::new(),
                    breach: None,
                });
            }
            (None, _) => return None,
            (Some(remittance), _) => remittance,
        };
        match event {
            RemittanceEvent::RemittanceCreated(_) => {}
            RemittanceEvent::RemittanceAmountEdited(edited) => {
                remittance.sale = edited.sale.clone();
                remittance.back_to_pending();
            }
            RemittanceEvent::RemittanceDetailsEdited(edited) => {
                remittance.sale.recipient = edited.recipient;
                remittance.delivery = edited.delivery;
                if let Some(changed) = &edited.reference {
                    remittance.sale.reference.clone_from(&changed.reference);
                }
                if edited.reopened {
                    remittance.back_to_pending();
                }
            }
            RemittanceEvent::RemittanceAssigned(assigned) => {
                remittance.status = Status::Shipping;
                remittance.dealer = Some(assigned.dealer);
                remittance.delivery_man = assigned.delivery_man;
                remittance.carriers.insert(assigned.dealer);
                remittance.carriers.extend(assigned.delivery_man);
            }
            RemittanceEvent::RemittanceFailed(_) => remittance.status = Status::Error,
            RemittanceEvent::RemittanceCanceled(_) => remittance.status = Status::Canceled,
            RemittanceEvent::RemittanceCompleted(_) => remittance.status = Status::Completed,
            RemittanceEvent::DeliveryAttempted(_) => {}
            RemittanceEvent::DeliveryDisputed(disputed) => remittance.disputes.push(Dispute {
                number: disputed.number,
                reported_by: disputed.reported_by,
                identification: disputed.identification.clone(),
                settled: false,
            }),
            RemittanceEvent::DeliveryDisputeSettled(settled) => {
                let mut disputes = remittance.disputes.iter_mut();
                if let Some(dispute) = disputes.find(|dispute| dispute.number == settled.number) {
                    dispute.settled = true;
                }
            }
            RemittanceEvent::RemittanceHeld(held) => remittance.hold(held),
            RemittanceEvent::HoldReleased(released) => remittance.release(released.number),
            RemittanceEvent::HoldKept(_) | RemittanceEvent::SaleDeclared(_) => {}
            RemittanceEvent::HeldRemittanceDelivered(_) => remittance.breach = Some(HoldBreach { settled: false }),
            RemittanceEvent::HoldBreachSettled(_) => remittance.breach = Some(HoldBreach { settled: true }),
        }
        Some(remittance)
    }

    fn back_to_pending(&mut self) {
        self.status = Status::Pending;
        self.dealer = None;
        self.delivery_man = None;
    }

    /// The carrier: the delivery man, else the dealer.
    #[must_use]
    pub fn deliverer(&self) -> Option<PartyId> {
        self.delivery_man.or(self.dealer)
    }
}

pub(crate) fn decide(
    own: Option<&Remittance>,
    command: &RemittanceCommand,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let action = match command {
        RemittanceCommand::Create(create) => {
            return Decision::of_new(create::decide(create, ctx), own.is_some());
        }
        RemittanceCommand::EditAmount(_) => Action::EditAmount,
        RemittanceCommand::EditDetails(_) => Action::EditDetails,
        RemittanceCommand::Assign(_) => Action::Assign,
        RemittanceCommand::MarkError { .. } => Action::MarkError,
        RemittanceCommand::Cancel { .. } => Action::Cancel,
        RemittanceCommand::Complete(complete) if complete.or_dispute => {
            return dispute::complete_or_dispute(own, complete, ctx);
        }
        RemittanceCommand::SettleDispute(settlement) => return dispute::settle(own, settlement, ctx),
        RemittanceCommand::Hold(hold) => return hold::decide(own, hold, ctx),
        RemittanceCommand::ReviewHold(review) => return hold::review(own, review, ctx),
        RemittanceCommand::SettleHoldBreach { reason } => return hold::settle_breach(own, reason, ctx),
        // A failed attempt has the permissions of a delivery, also where a hold forbids the delivery.
        RemittanceCommand::Attempt(_) => Action::Attempt,
        RemittanceCommand::Complete(_) => Action::Complete,
    };
    let caller = ctx.caller()?;
    let own = own
        .filter(|remittance| sees(caller, remittance))
        .ok_or_else(|| Refusal::not_found("remittance_not_found"))?;
    permits(caller, own, action)?;
    match command {
        RemittanceCommand::Create(create) => create::decide(create, ctx),
        RemittanceCommand::EditAmount(edit) => edit_amount::decide(own, edit, ctx),
        RemittanceCommand::EditDetails(edit) => edit_details::decide(own, edit, ctx),
        RemittanceCommand::Assign(assign) => assign::decide(own, assign, ctx),
        RemittanceCommand::MarkError { reason } => error::decide(own, reason, ctx),
        RemittanceCommand::Cancel { reason } => cancel::decide(own, reason, ctx),
        RemittanceCommand::Complete(complete) => complete::decide(own, complete, ctx),
        RemittanceCommand::Attempt(attempt) => attempt::decide(own, *attempt, ctx),
        RemittanceCommand::SettleDispute(settlement) => dispute::settle(Some(own), settlement, ctx),
        RemittanceCommand::Hold(hold) => hold::decide(Some(own), hold, ctx),
        RemittanceCommand::ReviewHold(review) => hold::review(Some(own), review, ctx),
        RemittanceCommand::SettleHoldBreach { reason } => hold::settle_breach(Some(own), reason, ctx),
    }
}

/// Refuses a card whose brand does not pay out the currency.
fn require_card_pays(brand: Brand, currency: crate::money::CurrencyCode) -> Result<(), Refusal> {
    require(brand.currency() == currency, || {
        Refusal::invalid_with(
            "cardId",
            "card_of_another_currency",
            [("currency", currency.to_string())],
        )
    })
}

/// The payment group of a sale; refuses an inactive one.
fn require_group(
    id: PaymentGroupId,
    tenant_state: &TenantState,
) -> Result<&crate::reference_data::payment_group::PaymentGroup, Refusal> {
    let group = tenant_state
        .group(id)
        .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
    require(group.is_active, || {
        Refusal::invalid("paymentGroupId", "payment_group_closed")
    })?;
    let enabled = tenant_state
        .currency(group.currency_to)
        .is_some_and(|currency| currency.enabled);
    require(enabled, || Refusal::invalid("paymentGroupId", "currency_disabled"))?;
    Ok(group)
}
