//! What happened to a remittance. People are named by id; what is said of them is personal.

use super::{AttemptReason, Delivery};
use crate::{
    books::entry::Entry,
    ids::{CustomerId, PartyId, PaymentGroupId, RemittanceId},
    money::Amount,
    personal::Personal,
    quote::{FrozenTerms, Quote},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Who sold a remittance, for whom, and at which terms; frozen when sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sale {
    /// Its human number, `R-000001`.
    pub code: String,
    /// Whose balance it drew on.
    pub seller: PartyId,
    /// The agency that takes part, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency: Option<PartyId>,
    /// The agent who sold it, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<PartyId>,
    /// The issuer.
    pub sender: CustomerId,
    /// The recipient.
    pub recipient: CustomerId,
    /// The payment group.
    pub group: PaymentGroupId,
    /// The terms of that moment.
    pub terms: FrozenTerms,
    /// What it cost and pays.
    pub quote: Quote,
    /// The seller's own reference, unique per seller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl Sale {
    /// The fee that an external agent's sale owes its agency; 0 where no agent under an agency sold it.
    #[must_use]
    pub fn agency_share(&self) -> Option<(PartyId, Amount)> {
        self.agency
            .filter(|agency| *agency != self.seller)
            .map(|agency| (agency, self.quote.agency_fee))
    }
}

/// What happened to a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum RemittanceEvent {
    /// It was sold.
    RemittanceCreated(RemittanceCreated),
    /// Its amount or group was edited.
    RemittanceAmountEdited(RemittanceAmountEdited),
    /// Its details were edited.
    RemittanceDetailsEdited(RemittanceDetailsEdited),
    /// It was given to a dealer.
    RemittanceAssigned(RemittanceAssigned),
    /// It was marked as in error.
    RemittanceFailed(RemittanceFailed),
    /// It was canceled.
    RemittanceCanceled(RemittanceCanceled),
    /// It was delivered.
    RemittanceCompleted(RemittanceCompleted),
    /// Somebody tried to deliver it and could not.
    DeliveryAttempted(DeliveryAttempted),
    /// A delivery of it, made without a network, was refused when it was sent.
    DeliveryDisputed(DeliveryDisputed),
    /// A disputed delivery was settled.
    DeliveryDisputeSettled(DeliveryDisputeSettled),
}

impl RemittanceEvent {
    /// What the event does to the books; `None` where its type never does anything to them.
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
            Self::DeliveryAttempted(_) | Self::DeliveryDisputed(_) | Self::DeliveryDisputeSettled(_) => None,
        }
    }
}

/// What is personal about a remittance.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RemittanceDetails {
    /// The address to deliver at; the recipient's own where `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The seller's notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

crate::personal::personal_data!(RemittanceDetails);

/// Why something was done to a remittance.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RemittanceReason {
    /// In the caller's words.
    pub reason: String,
}

crate::personal::personal_data!(RemittanceReason);

/// It was sold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceCreated {
    /// The remittance.
    pub id: RemittanceId,
    /// Who, for whom, at which terms.
    pub sale: Sale,
    /// How it is to be paid.
    pub delivery: Delivery,
    /// The postings.
    pub entry: Entry,
    /// Address and notes.
    pub personal: Personal<RemittanceDetails>,
}

/// Its amount or group was edited: it was quoted anew, and is pending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceAmountEdited {
    /// The remittance.
    pub id: RemittanceId,
    /// The sale from now on.
    pub sale: Sale,
    /// The group before.
    pub previous_group: PaymentGroupId,
    /// The quote before.
    pub previous_quote: Quote,
    /// The postings: the old ones undone, the new ones done.
    pub entry: Entry,
}

/// Its details were edited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceDetailsEdited {
    /// The remittance.
    pub id: RemittanceId,
    /// The recipient from now on.
    pub recipient: CustomerId,
    /// How it is to be paid from now on.
    pub delivery: Delivery,
    /// Whether it came back from error to pending.
    #[serde(default)]
    pub reopened: bool,
    /// The postings, where it came back.
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
    pub(crate) fn unique(seller: PartyId, reference: &str) -> String {
        format!("{seller}/{reference}")
    }
}

/// It was given to a dealer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceAssigned {
    /// The remittance.
    pub id: RemittanceId,
    /// The dealer.
    pub dealer: PartyId,
    /// One of the dealer's delivery men.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_man: Option<PartyId>,
    /// The dealer who had it until then, who may be the same; `None` where it was pending or in error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_dealer: Option<PartyId>,
    /// The postings; none where the dealer stays.
    pub entry: Entry,
}

/// It was marked as in error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceFailed {
    /// The remittance.
    pub id: RemittanceId,
    /// The postings.
    pub entry: Entry,
    /// Why.
    pub personal: Personal<RemittanceReason>,
}

/// It was canceled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceCanceled {
    /// The remittance.
    pub id: RemittanceId,
    /// The seller whose balance got the payout back.
    pub seller: PartyId,
    /// The group.
    pub group: PaymentGroupId,
    /// What it would have cost and paid.
    pub quote: Quote,
    /// The postings.
    pub entry: Entry,
    /// Why.
    pub personal: Personal<RemittanceReason>,
}

/// It was delivered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceCompleted {
    /// The remittance.
    pub id: RemittanceId,
    /// Who delivered it, from whose cash.
    pub delivered_by: PartyId,
    /// The fee for the delivery, in the payout's currency.
    pub distribution_fee: Amount,
    /// The photograph of the identification, or the transfer's proof: a stored file's content hash.
    pub identification: String,
    /// The signature: a stored file's content hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Whether the recipient's authorised representative took it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_representative: bool,
    /// When it was delivered, where that is not when it was recorded: sent later, by a telephone that had no network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
    /// The postings.
    pub entry: Entry,
}

/// Somebody tried to deliver it and could not. It stays in shipping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryAttempted {
    /// The remittance.
    pub id: RemittanceId,
    /// Why it could not be delivered.
    pub reason: AttemptReason,
    /// When it was tried, where that is not when it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempted_at: Option<DateTime<Utc>>,
}

/// A delivery of it, made without a network, was refused when it was sent. The remittance stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryDisputed {
    /// The remittance.
    pub id: RemittanceId,
    /// The dispute's number within the remittance, from 1.
    pub number: u32,
    /// Who says that he delivered.
    pub reported_by: PartyId,
    /// The code of the refusal.
    pub refused: String,
    /// The photograph of the identification, or the transfer's proof: a stored file's content hash.
    pub identification: String,
    /// The signature: a stored file's content hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Whether the recipient's authorised representative took it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_representative: bool,
    /// When it was delivered, as the telephone says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
}

/// A disputed delivery was settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryDisputeSettled {
    /// The remittance.
    pub id: RemittanceId,
    /// The dispute's number.
    pub number: u32,
    /// What was found and done.
    pub personal: Personal<RemittanceReason>,
}
