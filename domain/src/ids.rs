//! Typed identifiers: a remittance's id cannot be passed where a party's is meant.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new time-ordered UUID (v7). Decisions never generate ids: the caller passes them in.
            #[must_use]
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Uuid {
                id.0
            }
        }
    )*};
}

typed_ids! {
    /// A login and its party: manager, agency, agent, dealer or delivery man.
    PartyId,
    /// An issuer or a recipient.
    CustomerId,
    CardId,
    RemittanceId,
    /// A deposit, assignment, transfer, expense or payment.
    MovementId,
    /// An obligation of a seller to the manager or its agency.
    ObligationId,
    /// A closed period of a seller.
    ClosureId,
    /// A currency of the reference data.
    CurrencyId,
    /// A payment group of the catalogue.
    PaymentGroupId,
    /// An API key.
    ApiKeyId,
    /// An endpoint of webhooks.
    WebhookId,
    /// A tenant's own permission set.
    PermissionSetId,
    /// A provider of single sign-on: another issuer has another id.
    SignOnId,
    /// A client secret of a provider of single sign-on.
    SignOnSecretId,
    /// An enrolment of a second factor: another one has another id.
    SecondFactorId,
    /// A change of exchange rates.
    RateChangeId,
    /// A rule of approvals.
    ApprovalRuleId,
    /// A rule of limits.
    LimitRuleId,
    /// Everybody with one identity document. Names nobody by itself.
    PersonId,
    /// A command that waits for its approval.
    ProposalId,
    /// A Cuban province.
    ProvinceId,
    /// A Cuban municipality.
    MunicipalityId,
    /// The person that personal data is about: a party or a customer.
    SubjectId,
}

impl From<PartyId> for SubjectId {
    fn from(id: PartyId) -> Self {
        Self(id.0)
    }
}

impl From<CustomerId> for SubjectId {
    fn from(id: CustomerId) -> Self {
        Self(id.0)
    }
}

/// A tenant's id in URLs, headers and keys: 1 to 40 lower-case letters, digits and inner hyphens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TenantId(String);

/// Returned for a text that is no valid tenant id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a tenant id has 1 to 40 lower-case letters, digits and inner hyphens")]
pub struct InvalidTenantId;

impl TenantId {
    /// Kept short because the id is part of every key.
    pub const MAX_LENGTH: usize = 40;

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TenantId {
    type Err = InvalidTenantId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = (1..=Self::MAX_LENGTH).contains(&text.len());
        let spelled = text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let trimmed = !text.starts_with('-') && !text.ends_with('-');
        if fits && spelled && trimmed {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidTenantId)
        }
    }
}

impl TryFrom<String> for TenantId {
    type Error = InvalidTenantId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TenantId> for String {
    fn from(id: TenantId) -> Self {
        id.0
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
