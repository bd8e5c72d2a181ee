//! Status of a remittance.

use serde::{Deserialize, Serialize};

/// Status of a remittance; the numbers are part of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Sold, not assigned.
    Pending,
    /// Sale reversed.
    Canceled,
    /// With a dealer.
    Shipping,
    /// Delivered to the recipient.
    Completed,
    /// Could not be delivered; waits for an edit or a cancellation.
    Error,
}

impl Status {
    /// By number.
    pub const ALL: &'static [Self] = &[
        Self::Pending,
        Self::Canceled,
        Self::Shipping,
        Self::Completed,
        Self::Error,
    ];

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

    /// Stable name in the log.
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

    /// Whether the payout is still to be delivered or returned.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Shipping | Self::Error)
    }
}
