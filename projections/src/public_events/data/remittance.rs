//! Payloads about remittances.

use crate::{
    names::names,
    scalar::{AttemptReason, CurrencyCode, Decimal, DeliveryMethod, Money},
};
use caudal_domain::remittance::Status;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

names! {
    /// Status of a remittance.
    PublicStatus(Status) {
        /// Sold, and assigned to nobody.
        Pending,
        /// Canceled; the seller's balance was restored.
        Canceled,
        /// With a dealer.
        Shipping,
        /// Delivered.
        Completed,
        /// Could not be delivered.
        Error,
    }
}

/// A remittance after an event.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicRemittance {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `R-000001`.
    pub code: String,
    /// Status after the event.
    pub status: PublicStatus,
    /// Party whose balance the sale draws on.
    pub seller_id: Uuid,
    /// Participating agency; null for an agent without agency.
    pub agency_id: Option<Uuid>,
    /// Selling agent; null for an agency's own sale.
    pub agent_id: Option<Uuid>,
    /// Customer who sends.
    pub sender_id: Uuid,
    /// Customer who is paid.
    pub recipient_id: Uuid,
    /// Payment group.
    pub payment_group_id: Uuid,
    /// Amount sent, in USD; null for delivery men.
    pub amount: Option<Money>,
    /// Amount paid out, in `currencyTo`.
    pub payout: Money,
    /// Currency paid out.
    pub currency_to: CurrencyCode,
    /// Units of `currencyTo` per USD; null for delivery men.
    pub exchange_rate: Option<Decimal>,
    /// The manager's commission, in USD; null for delivery men.
    pub manager_fee: Option<Money>,
    /// The agency's commission, in USD; null for delivery men.
    pub agency_fee: Option<Money>,
    /// The agent's commission, in USD; null for delivery men.
    pub agent_fee: Option<Money>,
    /// Sum of the commissions, in USD; null for delivery men.
    pub total_fee: Option<Money>,
    /// Amount plus commissions, in USD; null for delivery men.
    pub total_to_pay: Option<Money>,
    /// Delivery method.
    pub delivery_method: DeliveryMethod,
    /// Province of the delivery; null for a card transfer.
    pub province_id: Option<Uuid>,
    /// Municipality of the delivery; null for a card transfer.
    pub municipality_id: Option<Uuid>,
    /// Card of a card transfer; null for home delivery.
    pub card_id: Option<Uuid>,
    /// Current or last dealer.
    pub dealer_id: Option<Uuid>,
    /// Current or last delivery man.
    pub delivery_man_id: Option<Uuid>,
    /// The seller's own reference; unique per seller.
    pub reference: Option<String>,
}

/// A remittance was sold.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceCreatedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Delivery address of this remittance; null for the recipient's own, and after erasure.
    pub address: Option<String>,
    /// The seller's notes; null when none, and after erasure.
    pub notes: Option<String>,
}

/// Amount or payment group of a remittance were edited. It is pending again.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAmountEditedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
}

/// Recipient, place, delivery method, notes or reference of a remittance were edited.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceDetailsEditedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Delivery address of this remittance; null for the recipient's own, and after erasure.
    pub address: Option<String>,
    /// The seller's notes; null when none, and after erasure.
    pub notes: Option<String>,
}

/// A remittance was assigned to a dealer or delivery man.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAssignedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
}

/// A remittance was marked as in error.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceFailedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Reason; null after erasure.
    pub reason: Option<String>,
}

/// A remittance was canceled.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceCanceledV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Reason; null after erasure.
    pub reason: Option<String>,
}

/// A remittance was delivered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceCompletedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Party that delivered.
    pub delivered_by_id: Uuid,
    /// Delivery fee, in `currencyTo`.
    pub distribution_fee: Money,
    /// Whether the recipient's authorised representative received it.
    pub to_representative: bool,
    /// Time of delivery; before the event's time for an offline delivery.
    pub delivered_at: DateTime<Utc>,
}

/// A delivery could not be made. The remittance is unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceDeliveryAttemptedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Why it could not be made.
    pub reason: AttemptReason,
    /// Time of the attempt; before the event's time for one recorded offline.
    pub attempted_at: DateTime<Utc>,
}

/// A delivery recorded offline was refused when synchronised. The remittance is unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceDeliveryDisputedV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Number of the dispute within the remittance, from 1.
    pub number: u32,
    /// Dealer or delivery man who reports the delivery.
    pub reported_by_id: Uuid,
    /// Code of the refusal, as in the catalogue of problems.
    pub refused: String,
}

/// A disputed delivery was settled.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceDeliveryDisputeSettledV1 {
    /// The remittance after the event.
    pub remittance: PublicRemittance,
    /// Number of the dispute within the remittance.
    pub number: u32,
    /// Findings and actions taken; null after erasure.
    pub reason: Option<String>,
}

/// A remittance left the caller's scope, as one that a dealer hands over. Nothing more about it is told.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceWithdrawnV1 {
    /// Remittance.
    pub id: Uuid,
}
