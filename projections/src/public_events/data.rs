//! Payloads of the public events: the contract of the feed, one struct per type and version.
//!
//! A type never loses or retypes a field: that is a new version, a new struct beside the old one (docs/feed.md). The
//! payloads name other records by id. Amounts that a delivery man may not see are null for him.

use crate::{
    names::names,
    scalar::{AttemptReason, CardBrand, CurrencyCode, Decimal, DeliveryMethod, Money},
};
use caudal_domain::{customer::CustomerKind, movement::MovementKind, party::Role, remittance::Status};
use chrono::{DateTime, NaiveDate, Utc};
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
    /// Role of a party.
    PublicRole(Role) {
        /// Runs the business.
        Manager,
        /// Sells remittances.
        Agency,
        /// Sells on its own terms and balances.
        ExternalAgent,
        /// Sells on its agency's terms and balances.
        InternalAgent,
        /// Distributes payouts.
        Dealer,
        /// Delivers for one dealer.
        DeliveryMan,
    }
    /// Kind of a customer.
    PublicCustomerKind(CustomerKind) {
        /// Sends money.
        Issuer,
        /// Is paid.
        Recipient,
    }
}

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
    pub(super) const fn of(kind: MovementKind) -> Option<Self> {
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

/// Personal data of a customer.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicPerson {
    /// First name.
    pub name: String,
    /// First surname.
    pub last_name: Option<String>,
    /// Second surname.
    pub second_surname: Option<String>,
    /// Telephone in E.164.
    pub phone_number: Option<String>,
    /// Number of the identity document.
    pub identification_number: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Street and number.
    pub address_line: Option<String>,
}

/// A customer was registered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerRegisteredV1 {
    /// UUID.
    pub id: Uuid,
    /// Kind of the customer.
    pub kind: PublicCustomerKind,
    /// Owning agency, or the agent without agency.
    pub owner_id: Uuid,
    /// Issuer of a recipient; null for an issuer.
    pub sender_id: Option<Uuid>,
    /// Whether new remittances may name the customer.
    pub is_active: bool,
    /// Province of residence of a recipient.
    pub province_id: Option<Uuid>,
    /// Municipality of residence of a recipient.
    pub municipality_id: Option<Uuid>,
    /// Personal data; null after erasure.
    pub person: Option<PublicPerson>,
}

/// Details of a customer were changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerChangedV1 {
    /// Customer.
    pub id: Uuid,
    /// Whether new remittances may name the customer.
    pub is_active: bool,
    /// Province of residence of a recipient.
    pub province_id: Option<Uuid>,
    /// Municipality of residence of a recipient.
    pub municipality_id: Option<Uuid>,
    /// Personal data after the change; null after erasure.
    pub person: Option<PublicPerson>,
}

/// A card was added to a recipient.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerCardAddedV1 {
    /// Customer.
    pub id: Uuid,
    /// Card.
    pub card_id: Uuid,
    /// Bank and currency of the card.
    pub brand: CardBrand,
    /// Number with only the last four digits readable; null after erasure.
    #[schema(example = "************1234")]
    pub card_number: Option<String>,
}

/// A customer was deleted: hidden, and refused for new remittances.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerDeletedV1 {
    /// Customer.
    pub id: Uuid,
}

/// A customer's personal data was erased. Erase it in every copy.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerErasedV1 {
    /// Customer.
    pub id: Uuid,
}

/// A party was registered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyRegisteredV1 {
    /// UUID.
    pub id: Uuid,
    /// Role of the party.
    pub role: PublicRole,
    /// An agent's agency.
    pub agency_id: Option<Uuid>,
    /// A delivery man's dealer.
    pub dealer_id: Option<Uuid>,
    /// Whether the party may log in and be named by new commands.
    pub is_active: bool,
    /// Name; null after erasure.
    pub name: Option<String>,
}

/// A party was changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyChangedV1 {
    /// Party.
    pub id: Uuid,
    /// Whether the party may log in and be named by new commands.
    pub is_active: bool,
    /// Name after the change; null after erasure.
    pub name: Option<String>,
}

/// A party's terms for a payment group were set.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyTermsSetV1 {
    /// Party.
    pub id: Uuid,
    /// Payment group.
    pub payment_group_id: Uuid,
}

/// A party was deactivated.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyDeactivatedV1 {
    /// Party.
    pub id: Uuid,
}

/// A party's personal data was erased. Erase it in every copy.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyErasedV1 {
    /// Party.
    pub id: Uuid,
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

/// A currency of the reference data was added or changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencySetV1 {
    /// UUID.
    pub id: Uuid,
    /// Currency code.
    pub code: CurrencyCode,
    /// Symbol, such as `$`.
    pub symbol: String,
    /// Reference rate: units per USD.
    pub exchange_rate: Decimal,
    /// Whether it may be used.
    pub enabled: bool,
}

/// A currency was removed while nothing used it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyRemovedV1 {
    /// Currency.
    pub id: Uuid,
    /// Currency code.
    pub code: CurrencyCode,
}

/// A province was opened or closed for deliveries.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceProvinceChangedV1 {
    /// Province.
    pub id: Uuid,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
}

/// Settings of a municipality were changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceMunicipalityChangedV1 {
    /// Municipality.
    pub id: Uuid,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
    /// Delivery fee; null for the currency's own.
    pub distribution_fee: Option<Money>,
    /// Currency of `distributionFee`.
    pub distribution_fee_currency: Option<CurrencyCode>,
}

/// A payment group was created or changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroupSetV1 {
    /// UUID.
    pub id: Uuid,
    /// Name of the group.
    pub name: String,
    /// Currency paid out.
    pub currency_to: CurrencyCode,
    /// Units of `currencyTo` per USD.
    pub exchange_rate: Decimal,
    /// Whether it is sold.
    pub is_active: bool,
}

/// A payment group was withdrawn from sale permanently.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroupRemovedV1 {
    /// Payment group.
    pub id: Uuid,
}

/// A change of exchange rates was scheduled, took effect, was canceled or was undone.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RatesV1 {
    /// Change of rates, as in `GET /api/rates/changes/{id}`.
    pub id: Uuid,
}

/// An operator accepted a log that had lost events, as after the restore of a backup. Discard what you have of the
/// lost positions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogHistoryAcceptedV1 {
    /// Position at which the log was accepted.
    pub position: i64,
    /// First lost position; null when nothing was lost.
    pub lost_from: Option<i64>,
    /// Last lost position; null when nothing was lost.
    pub lost_to: Option<i64>,
}

/// A type of public events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicType {
    /// Versioned name, such as `caudal.remittance.created.v1`.
    pub name: &'static str,
    /// Schema of the payload among the OpenAPI document's components.
    pub schema: &'static str,
}

macro_rules! public_types {
    ($($variant:ident($data:ident) = $name:literal;)*) => {
        /// Payload of a public event.
        #[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
        #[serde(untagged)]
        pub enum PublicData {$(
            #[doc = concat!("Payload of `", $name, "`.")]
            $variant($data),
        )*}

        impl PublicData {
            /// All types.
            pub const TYPES: &'static [PublicType] =
                &[$(PublicType { name: $name, schema: stringify!($data) }),*];

            /// Type of the event.
            #[must_use]
            pub const fn event_type(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name),* }
            }
        }
    };
}

public_types! {
    RemittanceCreated(RemittanceCreatedV1) = "caudal.remittance.created.v1";
    RemittanceAmountEdited(RemittanceAmountEditedV1) = "caudal.remittance.amount_edited.v1";
    RemittanceDetailsEdited(RemittanceDetailsEditedV1) = "caudal.remittance.details_edited.v1";
    RemittanceAssigned(RemittanceAssignedV1) = "caudal.remittance.assigned.v1";
    RemittanceFailed(RemittanceFailedV1) = "caudal.remittance.failed.v1";
    RemittanceCanceled(RemittanceCanceledV1) = "caudal.remittance.canceled.v1";
    RemittanceCompleted(RemittanceCompletedV1) = "caudal.remittance.completed.v1";
    RemittanceDeliveryAttempted(RemittanceDeliveryAttemptedV1) = "caudal.remittance.delivery_attempted.v1";
    RemittanceDeliveryDisputed(RemittanceDeliveryDisputedV1) = "caudal.remittance.delivery_disputed.v1";
    RemittanceDeliveryDisputeSettled(RemittanceDeliveryDisputeSettledV1) =
        "caudal.remittance.delivery_dispute_settled.v1";
    RemittanceWithdrawn(RemittanceWithdrawnV1) = "caudal.remittance.withdrawn.v1";
    CustomerRegistered(CustomerRegisteredV1) = "caudal.customer.registered.v1";
    CustomerChanged(CustomerChangedV1) = "caudal.customer.changed.v1";
    CustomerCardAdded(CustomerCardAddedV1) = "caudal.customer.card_added.v1";
    CustomerDeleted(CustomerDeletedV1) = "caudal.customer.deleted.v1";
    CustomerErased(CustomerErasedV1) = "caudal.customer.erased.v1";
    PartyRegistered(PartyRegisteredV1) = "caudal.party.registered.v1";
    PartyChanged(PartyChangedV1) = "caudal.party.changed.v1";
    PartyTermsSet(PartyTermsSetV1) = "caudal.party.terms_set.v1";
    PartyDeactivated(PartyDeactivatedV1) = "caudal.party.deactivated.v1";
    PartyErased(PartyErasedV1) = "caudal.party.erased.v1";
    MovementPosted(MovementPostedV1) = "caudal.movement.posted.v1";
    MovementOpeningPosted(MovementOpeningPostedV1) = "caudal.movement.opening_posted.v1";
    MovementReversed(MovementReversedV1) = "caudal.movement.reversed.v1";
    ClosurePeriodClosed(ClosurePeriodClosedV1) = "caudal.closure.period_closed.v1";
    CurrencyAdded(CurrencySetV1) = "caudal.currency.added.v1";
    CurrencyChanged(CurrencySetV1) = "caudal.currency.changed.v1";
    CurrencyRemoved(CurrencyRemovedV1) = "caudal.currency.removed.v1";
    PlaceProvinceChanged(PlaceProvinceChangedV1) = "caudal.place.province_changed.v1";
    PlaceMunicipalityChanged(PlaceMunicipalityChangedV1) = "caudal.place.municipality_changed.v1";
    PaymentGroupCreated(PaymentGroupSetV1) = "caudal.payment_group.created.v1";
    PaymentGroupChanged(PaymentGroupSetV1) = "caudal.payment_group.changed.v1";
    PaymentGroupRemoved(PaymentGroupRemovedV1) = "caudal.payment_group.removed.v1";
    RatesScheduled(RatesV1) = "caudal.rates.scheduled.v1";
    RatesChanged(RatesV1) = "caudal.rates.changed.v1";
    RatesCanceled(RatesV1) = "caudal.rates.canceled.v1";
    RatesUndone(RatesV1) = "caudal.rates.undone.v1";
    LogHistoryAccepted(LogHistoryAcceptedV1) = "caudal.log.history_accepted.v1";
}
