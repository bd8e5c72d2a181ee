//! Claims: values that are unique in a tenant. Which one an event takes or gives up is read off the event, so that
//! claims can be made anew where only the log is there.

use crate::{
    event::Event,
    nomenclator::{currency::CurrencyEvent, payment_group::PaymentGroupEvent},
    party::{PartyDetails, PartyEvent},
    refusal::Refusal,
    remittance::{RemittanceEvent, SellerReference},
};
use uuid::Uuid;

/// A kind of value that is unique in its tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClaimKind {
    /// A login's e-mail address.
    Email,
    /// A currency's code.
    CurrencyCode,
    /// A payment group's name.
    PaymentGroupName,
    /// A seller's own reference of a remittance.
    SellerReference,
}

impl ClaimKind {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Email,
        Self::CurrencyCode,
        Self::PaymentGroupName,
        Self::SellerReference,
    ];

    /// Its name in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::CurrencyCode => "currency_code",
            Self::PaymentGroupName => "payment_group_name",
            Self::SellerReference => "seller_reference",
        }
    }

    /// The refusal where another owner holds the value.
    #[must_use]
    pub fn taken(self) -> Refusal {
        match self {
            Self::Email => Refusal::conflict("email_taken").at("email"),
            Self::CurrencyCode => Refusal::conflict("currency_code_taken").at("code"),
            Self::PaymentGroupName => Refusal::conflict("payment_group_name_taken").at("name"),
            Self::SellerReference => Refusal::conflict("reference_taken").at("reference"),
        }
    }
}

/// What an owner holds of a kind from now on; held by one owner at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The kind of value.
    pub kind: ClaimKind,
    /// Who holds it.
    pub owner: Uuid,
    /// The value, in its normal form; `None` gives up what the owner held.
    pub value: Option<String>,
}

impl Claim {
    /// Takes a value, giving up the one of that kind held before.
    #[must_use]
    pub fn take(kind: ClaimKind, owner: impl Into<Uuid>, value: String) -> Self {
        Self {
            kind,
            owner: owner.into(),
            value: Some(value),
        }
    }

    /// Gives up the value held.
    #[must_use]
    pub fn release(kind: ClaimKind, owner: impl Into<Uuid>) -> Self {
        Self {
            kind,
            owner: owner.into(),
            value: None,
        }
    }
}

impl Event {
    /// The unique value that it takes or gives up; none too where the value is personal and not in clear.
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        match self {
            Self::Currency(CurrencyEvent::CurrencyAdded(currency)) => Some(Claim::take(
                ClaimKind::CurrencyCode,
                currency.id,
                currency.code.to_string(),
            )),
            Self::Currency(CurrencyEvent::CurrencyRemoved { id, .. }) => {
                Some(Claim::release(ClaimKind::CurrencyCode, *id))
            }
            Self::PaymentGroup(
                PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group),
            ) => Some(Claim::take(
                ClaimKind::PaymentGroupName,
                group.id,
                group.name.trim().to_lowercase(),
            )),
            Self::PaymentGroup(PaymentGroupEvent::PaymentGroupRemoved { id }) => {
                Some(Claim::release(ClaimKind::PaymentGroupName, *id))
            }
            Self::Party(PartyEvent::PartyRegistered(registered)) => {
                email(registered.party.id.0, registered.personal.get())
            }
            Self::Party(PartyEvent::PersonForgotten { id, .. }) => Some(Claim::release(ClaimKind::Email, *id)),
            Self::Party(PartyEvent::PartyChanged(changed)) => email(changed.id.0, changed.personal.get()),
            Self::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
                let reference = created.sale.reference.as_deref()?;
                Some(Claim::take(
                    ClaimKind::SellerReference,
                    created.id,
                    SellerReference::unique(created.sale.seller, reference),
                ))
            }
            Self::Remittance(RemittanceEvent::RemittanceDetailsEdited(edited)) => {
                let SellerReference { seller, reference } = edited.reference.as_ref()?;
                let value = reference
                    .as_deref()
                    .map(|reference| SellerReference::unique(*seller, reference));
                Some(Claim {
                    kind: ClaimKind::SellerReference,
                    owner: edited.id.into(),
                    value,
                })
            }
            _ => None,
        }
    }
}

fn email(party: Uuid, details: Option<&PartyDetails>) -> Option<Claim> {
    let email = PartyDetails::normal_email(&details?.email);
    Some(Claim::take(ClaimKind::Email, party, email))
}
