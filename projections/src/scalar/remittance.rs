//! Values of remittances.

use crate::table::name_in_log;
use caudal_domain::remittance::AttemptReason as Reason;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};

/// Delivery method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryMethod {
    /// Cash at the recipient's address.
    Home,
    /// Transfer to one of the recipient's cards.
    Card,
}

/// Kind of a change to a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceChange {
    /// Sold.
    Created,
    /// Recipient, address, delivery method or notes edited.
    DetailsEdited,
    /// Amount or payment group edited.
    AmountEdited,
    /// Assigned to a dealer or delivery man.
    Assigned,
    /// Marked as in error.
    Error,
    /// Canceled.
    Canceled,
    /// Delivered.
    Completed,
    /// A failed delivery attempt.
    Attempted,
    /// An offline delivery that was refused when synchronised.
    Disputed,
    /// A disputed delivery was settled.
    DisputeSettled,
    /// Held for a review.
    Held,
    /// A hold was reviewed and released.
    HoldReleased,
    /// A hold was reviewed and kept.
    HoldKept,
    /// An offline delivery was booked although it was held.
    DeliveredWhileHeld,
    /// A delivery of a held remittance was settled by a manager.
    HoldBreachSettled,
    /// Purpose or source of funds were declared with the sale.
    Declared,
}

/// Reason of a failed attempt, by API name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptReason(pub Reason);

impl AttemptReason {
    /// API name: the log's name in camel case.
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        for (index, word) in name_in_log(&self.0).split('_').enumerate() {
            let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
            match index {
                0 => name.push_str(word),
                _ => name.extend([first.to_uppercase().as_str(), rest]),
            }
        }
        name
    }

    /// By API name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Reason::ALL
            .iter()
            .copied()
            .map(Self)
            .find(|reason| reason.name() == name)
    }
}

impl Serialize for AttemptReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl PartialSchema for AttemptReason {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Why a delivery could not be made."))
            .enum_values(Some(Reason::ALL.iter().map(|reason| Self(*reason).name())))
            .into()
    }
}

impl ToSchema for AttemptReason {}

/// Status of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DisputeStatus {
    /// Not settled.
    Open,
    /// Settled by a person.
    Settled,
}
