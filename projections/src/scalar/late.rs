//! Kinds of late changes.

use serde::Serialize;
use utoipa::ToSchema;

/// Kind of a late change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LateKind {
    /// Amount or payment group of a sale were edited.
    AmountEdited,
    /// Recipient, address, delivery method, notes or reference of a sale were edited.
    DetailsEdited,
    /// A sale was canceled.
    Canceled,
    /// A delivery made without a network was recorded.
    Delivered,
    /// A failed attempt made without a network was recorded.
    Attempted,
    /// A delivery made without a network was refused.
    Disputed,
    /// A movement was taken back.
    Reversed,
    /// A change of exchange rates was undone.
    RatesUndone,
}

impl LateKind {
    pub const ALL: [Self; 8] = [
        Self::AmountEdited,
        Self::DetailsEdited,
        Self::Canceled,
        Self::Delivered,
        Self::Attempted,
        Self::Disputed,
        Self::Reversed,
        Self::RatesUndone,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AmountEdited => "amount_edited",
            Self::DetailsEdited => "details_edited",
            Self::Canceled => "canceled",
            Self::Delivered => "delivered",
            Self::Attempted => "attempted",
            Self::Disputed => "disputed",
            Self::Reversed => "reversed",
            Self::RatesUndone => "rates_undone",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
