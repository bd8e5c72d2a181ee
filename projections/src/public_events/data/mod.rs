//! Payloads of the public events: the contract of the feed, one struct per type and version.
//!
//! A type never loses or retypes a field: that is a new version, a new struct beside the old one (docs/feed.md). The
//! payloads name other records by id. Amounts that a delivery man may not see are null for him.
//!
//! | File | Payloads about |
//! |---|---|
//! | [`remittance`] | remittances |
//! | [`customer`] | customers |
//! | [`party`] | parties |
//! | [`money`] | movements and closures |
//! | [`catalogue`] | currencies, places, payment groups and changes of rates |

mod catalogue;
mod customer;
mod money;
mod party;
mod remittance;

pub use catalogue::*;
pub use customer::*;
pub use money::*;
pub use party::*;
pub use remittance::*;

use serde::Serialize;
use utoipa::ToSchema;

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
