//! Streams: where an aggregate's events stand.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! stream_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The sort of aggregate that a stream is of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum StreamKind {
            $($(#[$doc])* $name,)*
        }

        impl StreamKind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name in the log.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

stream_kinds! {
    /// The tenant itself: its name and time zone.
    Tenant = "tenant",
    /// A currency nomenclator.
    Currency = "currency",
    /// A province or municipality.
    Place = "place",
    /// A payment group of the catalogue.
    PaymentGroup = "payment_group",
    /// A party: manager, agency, agent, dealer, delivery man.
    Party = "party",
    /// An issuer or a recipient.
    Customer = "customer",
    /// A remittance.
    Remittance = "remittance",
    /// A movement of money outside remittances.
    Movement = "movement",
    /// A closed period.
    Closure = "closure",
    /// A change of exchange rates.
    Rates = "rates",
}

/// A name that is no stream kind's.
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

/// One stream of a tenant's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StreamId {
    /// The sort of aggregate.
    pub kind: StreamKind,
    /// The aggregate's id.
    pub id: Uuid,
}

impl StreamId {
    /// The tenant's own stream: there is one.
    pub const TENANT: Self = Self {
        kind: StreamKind::Tenant,
        id: Uuid::nil(),
    };

    /// A stream by its kind and id.
    #[must_use]
    pub fn new(kind: StreamKind, id: impl Into<Uuid>) -> Self {
        Self { kind, id: id.into() }
    }
}
