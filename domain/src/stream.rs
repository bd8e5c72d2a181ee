//! Streams: the events of one aggregate.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! stream_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// Kind of the aggregate that a stream belongs to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum StreamKind {
            $($(#[$doc])* $name,)*
        }

        impl StreamKind {
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Stable name in the log.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

stream_kinds! {
    /// Tenant: name, time zone, accepted histories.
    Tenant = "tenant",
    /// A currency of the reference data.
    Currency = "currency",
    Place = "place",
    /// A product of the catalogue.
    PaymentGroup = "payment_group",
    /// Manager, agency, agent, dealer or delivery man.
    Party = "party",
    Customer = "customer",
    Remittance = "remittance",
    /// Money moved outside remittances.
    Movement = "movement",
    Closure = "closure",
    Rates = "rates",
    ApiKey = "api_key",
    /// An endpoint of webhooks.
    Webhook = "webhook",
    /// A command that waits, or waited, for its approval.
    Proposal = "proposal",
}

/// Returned for a name that is no stream kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown stream kind {0:?}")]
pub struct UnknownStreamKind(pub String);

impl FromStr for StreamKind {
    type Err = UnknownStreamKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| UnknownStreamKind(text.to_owned()))
    }
}

impl fmt::Display for StreamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Key of a stream within its tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamId {
    pub kind: StreamKind,
    pub id: Uuid,
}

impl StreamId {
    /// The tenant's own stream; its only one of this kind.
    pub const TENANT: Self = Self {
        kind: StreamKind::Tenant,
        id: Uuid::nil(),
    };

    #[must_use]
    pub fn new(kind: StreamKind, id: impl Into<Uuid>) -> Self {
        Self { kind, id: id.into() }
    }
}
