//! Where a remittance stands.

use serde::{Deserialize, Serialize};

/// A remittance's status; numbers are the API's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Sold, with nobody.
    Pending,
    /// Taken back.
    Canceled,
    /// With a dealer.
    Shipping,
    /// In the recipient's hands.
    Completed,
    /// Could not be delivered.
    Error,
}

impl Status {
    /// All of them, by number.
    pub const ALL: &'static [Self] = &[
        Self::Pending,
        Self::Canceled,
        Self::Shipping,
        Self::Completed,
        Self::Error,
    ];

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Pending => 0,
            Self::Canceled => 1,
            Self::Shipping => 2,
            Self::Completed => 3,
            Self::Error => 4,
        }
    }

    /// Its name in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Canceled => "canceled",
            Self::Shipping => "shipping",
            Self::Completed => "completed",
            Self::Error => "error",
        }
    }

    /// Whether money is still under way.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Shipping | Self::Error)
    }
}
