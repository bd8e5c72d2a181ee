//! Remittance events. People are referenced by id; their data is in the personal part.

use super::{
    AttemptReason, Delivery,
    hold::{HeldRemittanceDelivered, HoldBreachSettled, HoldReviewed, RemittanceHeld},
};
use crate::{
    ids::{CustomerId, PartyId, PaymentGroupId, RemittanceId},
    limits::SaleDeclared,
    money::Amount,
    personal::Personal,
    quote::{FrozenTerms, Quote},
    tenant_state::entry::Entry,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Seller, customers and terms of a remittance; frozen at the sale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sale {
    /// Human number, `R-000001`.
    pub code: String,
    /// The party whose balance the sale draws on.
    pub seller: PartyId,
    /// The agency of an agent's sale, or the selling agency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency: Option<PartyId>,
    /// The selling agent; `None` for an agency's own sale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<PartyId>,
    pub sender: CustomerId,
    pub recipient: CustomerId,
    pub group: PaymentGroupId,
    /// Terms at the time of the sale.
    pub terms: FrozenTerms,
    pub quote: Quote,
    /// Unique per seller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl Sale {
    /// The agency and its fee on an external agent's sale; `None` for other sales.
    #[must_use]
    pub fn agency_share(&self) -> Option<(PartyId, Amount)> {
        self.agency
            .filter(|agency| *agency != self.seller)
            .map(|agency| (agency, self.quote.agency_fee))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum RemittanceEvent {
    RemittanceCreated(RemittanceCreated),
    /// Amount or payment group edited.
    RemittanceAmountEdited(RemittanceAmountEdited),
    RemittanceDetailsEdited(RemittanceDetailsEdited),
    RemittanceAssigned(RemittanceAssigned),
    /// Marked as in error.
    RemittanceFailed(RemittanceFailed),
    RemittanceCanceled(RemittanceCanceled),
    /// Delivered.
    RemittanceCompleted(RemittanceCompleted),
    DeliveryAttempted(DeliveryAttempted),
    /// An offline delivery was refused when synchronised.
    DeliveryDisputed(DeliveryDisputed),
    DeliveryDisputeSettled(DeliveryDisputeSettled),
    RemittanceHeld(RemittanceHeld),
    HoldReleased(HoldReviewed),
    /// Reviewed, and still held.
    HoldKept(HoldReviewed),
    HeldRemittanceDelivered(HeldRemittanceDelivered),
    HoldBreachSettled(HoldBreachSettled),
    /// Purpose or source of funds of the sale were declared.
    SaleDeclared(SaleDeclared),
}

impl RemittanceEvent {
    /// Postings of the event; `None` for types without postings.
    #[must_use]
    pub const fn entry(&self) -> Option<&Entry> {
        match self {
            Self::RemittanceCreated(event) => Some(&event.entry),
            Self::RemittanceAmountEdited(event) => Some(&event.entry),
            Self::RemittanceDetailsEdited(event) => Some(&event.entry),
            Self::RemittanceAssigned(event) => Some(&event.entry),
            Self::RemittanceFailed(event) => Some(&event.entry),
            Self::RemittanceCanceled(event) => Some(&event.entry),
            Self::RemittanceCompleted(event) => Some(&event.entry),
            Self::DeliveryAttempted(_)
            | Self::DeliveryDisputed(_)
            | Self::DeliveryDisputeSettled(_)
            | Self::RemittanceHeld(_)
            | Self::HoldReleased(_)
            | Self::HoldKept(_)
            | Self::HeldRemittanceDelivered(_)
            | Self::HoldBreachSettled(_)
            | Self::SaleDeclared(_) => None,
        }
    }
}

/// Personal data of a remittance.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RemittanceDetails {
    /// Delivery address; `None` for the recipient's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The seller's notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

crate::personal::personal_data!(RemittanceDetails);

/// Reason of a cancellation, an error or a settlement.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RemittanceReason {
    /// Free text.
    pub reason: String,
}

crate::personal::personal_data!(RemittanceReason);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceCreated {
    pub id: RemittanceId,
    /// Seller, customers and terms.
    pub sale: Sale,
    /// Delivery method.
    pub delivery: Delivery,
    pub entry: Entry,
    /// Address and notes.
    pub personal: Personal<RemittanceDetails>,
}

/// Amount or payment group edited: requoted, and pending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceAmountEdited {
    pub id: RemittanceId,
    /// Sale after the edit.
    pub sale: Sale,
    /// Payment group before the edit.
    pub previous_group: PaymentGroupId,
    /// Quote before the edit.
    pub previous_quote: Quote,
    pub entry: Entry,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceDetailsEdited {
    pub id: RemittanceId,
    /// Recipient after the edit.
    pub recipient: CustomerId,
    /// Delivery method after the edit.
    pub delivery: Delivery,
    /// Whether it returned from error to pending.
    #[serde(default)]
    pub reopened: bool,
    #[serde(default)]
    pub entry: Entry,
    /// The seller's own reference from now on, where the edit changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<SellerReference>,
    /// Address and notes from now on.
    pub personal: Personal<RemittanceDetails>,
}

/// What a seller calls a remittance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SellerReference {
    /// The seller, among whose references it is unique.
    pub seller: PartyId,
    /// The reference; none where it was taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl SellerReference {
    /// As a value that nobody else may have.
    pub fn unique(seller: PartyId, reference: &str) -> String {
        format!("{seller}/{reference}")
    }
}

/// It was given to a dealer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceAssigned {
    pub id: RemittanceId,
    pub dealer: PartyId,
    /// One of the dealer's delivery men; `None` leaves it with the dealer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_man: Option<PartyId>,
    /// Dealer before the assignment, possibly the same; `None` when it was pending or in error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_dealer: Option<PartyId>,
    pub entry: Entry,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceFailed {
    pub id: RemittanceId,
    pub entry: Entry,
    pub personal: Personal<RemittanceReason>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceCanceled {
    pub id: RemittanceId,
    /// Seller whose balance the payout returned to.
    pub seller: PartyId,
    pub group: PaymentGroupId,
    /// Quote of the canceled sale.
    pub quote: Quote,
    pub entry: Entry,
    pub personal: Personal<RemittanceReason>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceCompleted {
    pub id: RemittanceId,
    /// The party that delivered, from its own cash.
    pub delivered_by: PartyId,
    /// Delivery fee, in the payout's currency.
    pub distribution_fee: Amount,
    /// Content hash of the photograph of the identification, or of the proof of the transfer.
    pub identification: String,
    /// Content hash of the signature; `None` for a card transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Whether the recipient's authorised representative received it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_representative: bool,
    /// Time of an offline delivery; `None` when recorded at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
    pub entry: Entry,
}

/// A failed delivery attempt. The remittance stays in shipping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryAttempted {
    pub id: RemittanceId,
    pub reason: AttemptReason,
    /// Time of an attempt recorded offline; `None` when recorded at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempted_at: Option<DateTime<Utc>>,
}

/// An offline delivery, refused when synchronised. The remittance is unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryDisputed {
    pub id: RemittanceId,
    /// Number of the dispute within the remittance, from 1.
    pub number: u32,
    /// The dealer or delivery man who reports the delivery.
    pub reported_by: PartyId,
    /// Refusal code.
    pub refused: String,
    /// Content hash of the photograph of the identification, or of the proof of the transfer.
    pub identification: String,
    /// Content hash of the signature; `None` for a card transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Whether the recipient's authorised representative received it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_representative: bool,
    /// Time of delivery, by the telephone's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryDisputeSettled {
    pub id: RemittanceId,
    /// Number of the dispute within the remittance.
    pub number: u32,
    /// Findings and actions taken.
    pub personal: Personal<RemittanceReason>,
}
