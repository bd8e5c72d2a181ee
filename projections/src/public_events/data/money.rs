//! Payloads about movements and closures.

use crate::scalar::{CurrencyCode, Money};
use caudal_domain::movement::MovementKind;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Kind of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicMovementKind {
    /// Cash contributed by the manager.
    Deposit,
    /// Prepaid balance for a seller.
    Assignment,
    /// Cash for a dealer or delivery man.
    CashAssignment,
    /// Cash between field parties, in one currency.
    Transfer,
    /// Cash converted from one currency to another.
    Exchange,
    /// Cash returned to the manager.
    Return,
    /// An expense paid from field cash.
    Expense,
    /// A payment on obligations.
    Payment,
}

impl PublicMovementKind {
    /// `None` for an opening balance, which has a type of its own: the published enumeration gets no value.
    pub(in crate::public_events) const fn of(kind: MovementKind) -> Option<Self> {
        Some(match kind {
            MovementKind::Deposit => Self::Deposit,
            MovementKind::Assignment => Self::Assignment,
            MovementKind::CashAssignment => Self::CashAssignment,
            MovementKind::Transfer => Self::Transfer,
            MovementKind::Exchange => Self::Exchange,
            MovementKind::Return => Self::Return,
            MovementKind::Expense => Self::Expense,
            MovementKind::Payment => Self::Payment,
            MovementKind::Opening => return None,
        })
    }
}

/// Money was moved outside remittances.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementPostedV1 {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `M-000001`.
    pub number: String,
    /// Kind of the movement.
    pub kind: PublicMovementKind,
    /// Giver; null for the business.
    pub from_id: Option<Uuid>,
    /// Receiver; null for the business.
    pub to_id: Option<Uuid>,
    /// Payment group of a balance; null for cash.
    pub payment_group_id: Option<Uuid>,
    /// Amount, in `currency`.
    pub amount: Money,
    /// Currency of `amount`.
    pub currency: CurrencyCode,
    /// Converted amount of an exchange, or the price of an assignment; null for others.
    pub counter_amount: Option<Money>,
    /// Currency of `counterAmount`.
    pub counter_currency: Option<CurrencyCode>,
    /// Whether the value is owed instead of paid.
    pub on_credit: bool,
    /// Obligation that the movement opened.
    pub debit_id: Option<Uuid>,
    /// Note, or concept of an expense; null when none, and after erasure.
    pub note: Option<String>,
}

/// An account began with a balance of another system, against the capital of the business.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementOpeningPostedV1 {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `M-000001`.
    pub number: String,
    /// Whose account; null for the treasury.
    pub party_id: Option<Uuid>,
    /// Payment group of a seller's balance; null for cash.
    pub payment_group_id: Option<Uuid>,
    /// Amount, in `currency`.
    pub amount: Money,
    /// Currency of `amount`.
    pub currency: CurrencyCode,
}

/// A movement was reversed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementReversedV1 {
    /// Movement.
    pub id: Uuid,
    /// Reason; null after erasure.
    pub reason: Option<String>,
}

/// A seller's period was closed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosurePeriodClosedV1 {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `C-000001`.
    pub number: String,
    /// Seller.
    pub party_id: Uuid,
    /// Start of the period; null for a seller's first.
    pub from: Option<DateTime<Utc>>,
    /// End of the period, exclusive.
    pub to: DateTime<Utc>,
    /// Last day of the period, in the tenant's time zone.
    pub through: NaiveDate,
    /// Obligation to the manager that the closure opened.
    pub debit_id: Option<Uuid>,
    /// Obligation to the agency that the closure opened.
    pub agency_debit_id: Option<Uuid>,
}
