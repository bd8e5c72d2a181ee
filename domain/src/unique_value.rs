//! Unique values of a tenant. Taking and releasing one is derived from the event alone, so that the index of unique
//! values can be rebuilt from the log.

use crate::{
    customer::CustomerEvent,
    event::Event,
    party::{PartyDetails, PartyEvent},
    reference_data::{currency::CurrencyEvent, payment_group::PaymentGroupEvent},
    refusal::Refusal,
    remittance::{RemittanceEvent, SellerReference},
};
use uuid::Uuid;

/// Kind of a unique value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UniqueValueKind {
    /// A login's e-mail address.
    Email,
    CurrencyCode,
    PaymentGroupName,
    /// A seller's own reference of a remittance; unique per seller.
    SellerReference,
    /// An identity document; its owner is the person whom every customer with the document is.
    PersonDocument,
}

impl UniqueValueKind {
    pub const ALL: &'static [Self] = &[
        Self::Email,
        Self::CurrencyCode,
        Self::PaymentGroupName,
        Self::SellerReference,
        Self::PersonDocument,
    ];

    /// Stored in the index of unique values: a stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::CurrencyCode => "currency_code",
            Self::PaymentGroupName => "payment_group_name",
            Self::SellerReference => "seller_reference",
            Self::PersonDocument => "person_document",
        }
    }

    /// The refusal returned when another owner holds the value.
    #[must_use]
    pub fn taken(self) -> Refusal {
        match self {
            Self::Email => Refusal::conflict("email_taken").at("email"),
            Self::CurrencyCode => Refusal::conflict("currency_code_taken").at("code"),
            Self::PaymentGroupName => Refusal::conflict("payment_group_name_taken").at("name"),
            Self::SellerReference => Refusal::conflict("reference_taken").at("reference"),
            // Who has a document is read before the decision, so only a defect of that reading leads here.
            Self::PersonDocument => Refusal::conflict("customer_not_identified"),
        }
    }
}

/// A change of the unique value that an owner holds; a value has at most one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueValue {
    pub kind: UniqueValueKind,
    pub owner: Uuid,
    /// In normal form; `None` releases the value held before.
    pub value: Option<String>,
}

impl UniqueValue {
    /// Takes a value and releases the one of the same kind held before.
    #[must_use]
    pub fn take(kind: UniqueValueKind, owner: impl Into<Uuid>, value: String) -> Self {
        Self {
            kind,
            owner: owner.into(),
            value: Some(value),
        }
    }

    /// Releases the value held.
    #[must_use]
    pub fn release(kind: UniqueValueKind, owner: impl Into<Uuid>) -> Self {
        Self {
            kind,
            owner: owner.into(),
            value: None,
        }
    }
}

impl Event {
    /// Unique value that the event takes or releases; `None` too when the value is personal and encrypted.
    #[must_use]
    pub fn unique_value(&self) -> Option<UniqueValue> {
        match self {
            Self::Currency(CurrencyEvent::CurrencyAdded(currency)) => Some(UniqueValue::take(
                UniqueValueKind::CurrencyCode,
                currency.id,
                currency.code.to_string(),
            )),
            Self::Currency(CurrencyEvent::CurrencyRemoved { id, .. }) => {
                Some(UniqueValue::release(UniqueValueKind::CurrencyCode, *id))
            }
            Self::PaymentGroup(
                PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group),
            ) => Some(UniqueValue::take(
                UniqueValueKind::PaymentGroupName,
                group.id,
                group.name.trim().to_lowercase(),
            )),
            Self::PaymentGroup(PaymentGroupEvent::PaymentGroupRemoved { id }) => {
                Some(UniqueValue::release(UniqueValueKind::PaymentGroupName, *id))
            }
            Self::Party(PartyEvent::PartyRegistered(registered)) => {
                email(registered.party.id.0, registered.personal.get())
            }
            Self::Party(PartyEvent::PersonForgotten { id, .. }) => {
                Some(UniqueValue::release(UniqueValueKind::Email, *id))
            }
            Self::Party(PartyEvent::PartyChanged(changed)) => email(changed.id.0, changed.personal.get()),
            Self::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
                let reference = created.sale.reference.as_deref()?;
                Some(UniqueValue::take(
                    UniqueValueKind::SellerReference,
                    created.id,
                    SellerReference::unique(created.sale.seller, reference),
                ))
            }
            Self::Remittance(RemittanceEvent::RemittanceDetailsEdited(edited)) => {
                let SellerReference { seller, reference } = edited.reference.as_ref()?;
                let value = reference
                    .as_deref()
                    .map(|reference| SellerReference::unique(*seller, reference));
                Some(UniqueValue {
                    kind: UniqueValueKind::SellerReference,
                    owner: edited.id.into(),
                    value,
                })
            }
            Self::Customer(CustomerEvent::PersonIdentified(identified)) => {
                let document = identified.personal.get().filter(|_| identified.has_document)?;
                Some(UniqueValue::take(
                    UniqueValueKind::PersonDocument,
                    identified.person,
                    document.unique(),
                ))
            }
            Self::Customer(CustomerEvent::PersonDocumentReleased(released)) => {
                Some(UniqueValue::release(UniqueValueKind::PersonDocument, released.person))
            }
            _ => None,
        }
    }
}

fn email(party: Uuid, details: Option<&PartyDetails>) -> Option<UniqueValue> {
    let email = PartyDetails::normal_email(&details?.email);
    Some(UniqueValue::take(UniqueValueKind::Email, party, email))
}
