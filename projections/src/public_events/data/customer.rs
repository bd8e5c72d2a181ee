//! Payloads about customers.

use crate::{names::names, scalar::CardBrand};
use caudal_domain::customer::CustomerKind;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

names! {
    /// Kind of a customer.
    PublicCustomerKind(CustomerKind) {
        /// Sends money.
        Issuer,
        /// Is paid.
        Recipient,
    }
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
