//! Request bodies of issuers, recipients and cards.
//!
//! | Module | Responsibility |
//! |---|---|
//! | here | the body of a sender or recipient |
//! | `commands` | its conversion to commands |
//! | `card` | cards |
//! | `pictures` | pictures of a document |

mod card;
mod commands;
mod pictures;

pub use card::{AddCardInput, CardInput, is_same_number};
pub use commands::{CustomerChange, NewCustomer};
pub use pictures::{DocumentPicturesInput, PicturedDocument};

use super::{field::Field, merge::mergeable};
use card::NewCard;
use caudal_domain::{
    customer::{CustomerKind, IdentificationType},
    ids::{CustomerId, MunicipalityId, PartyId, ProvinceId},
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A sender (with `agencyId`, optional for an agency and its agents) or a recipient (with `senderId`).
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerInput {
    /// First name, at most 80 characters.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    name: Field<String>,
    /// Kind: sender 0, recipient 1.
    #[serde(default)]
    #[schema(value_type = scalar::CustomerType, required)]
    customer_type: Field<CustomerKind>,
    /// First surname, at most 80 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    last_name: Field<String>,
    /// Second surname, as usual in Spanish names.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    second_surname: Field<String>,
    /// Number of the identity document.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_number: Field<String>,
    /// Type of the document: CI 0, passport 1, social security 2, alien card 3, US passport card 4, driver licence 5,
    /// official id 6.
    #[serde(default)]
    #[schema(value_type = Option<scalar::IdentificationType>)]
    personal_identification_type: Field<IdentificationType>,
    /// Expiry date of the document, `YYYY-MM-DD`.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "date")]
    personal_identification_expiration_date: Field<String>,
    /// Issue date of the document, `YYYY-MM-DD`.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "date")]
    personal_identification_issue_date: Field<String>,
    /// Country that issued the document as an ISO 3166-1 alpha-2 code, such as `ES`. Two passports with one number from two
    /// countries are two people.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_country: Field<String>,
    /// Telephone number in E.164, such as `+5352345678`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone_number: Field<String>,
    /// Street and number, at most 300 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    address_line: Field<String>,
    /// Neighbourhood (reparto), of a recipient.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    repart: Field<String>,
    /// Country of a sender as an ISO 3166-1 alpha-2 code, such as `US`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    country: Field<String>,
    /// State or province of a sender, as text.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    province: Field<String>,
    /// City of a sender, as text.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    municipality: Field<String>,
    /// Province of a recipient, from Cuba's catalogue.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    province_id: Field<ProvinceId>,
    /// Municipality of a recipient, from Cuba's catalogue.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    municipality_id: Field<MunicipalityId>,
    /// Name by which the customer is commonly known; a sender's is derived from the name.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alias: Field<String>,
    /// First name of the authorised representative; a sender's is derived from the name.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_name: Field<String>,
    /// Surname of the authorised representative.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_last_name: Field<String>,
    /// Document number of the authorised representative.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_personal_identification_number: Field<String>,
    /// Telephone of the authorised representative in E.164.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_phone_number: Field<String>,
    /// E-mail address of the customer.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    email: Field<String>,
    /// Postal code, as text.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    zip_code: Field<String>,
    /// Sender of a recipient.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    sender_id: Field<CustomerId>,
    /// Owner of a sender: an agency, or an agent without agency.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// Whether new remittances may name the customer; a new one defaults to true.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Cards of a recipient; a card with an id exists already and is ignored.
    #[serde(default)]
    #[schema(value_type = Vec<CardInput>)]
    card: Field<Vec<NewCard>>,
    /// For a change: previous values of the sent fields, as the client read them. With `was`, absent fields stay
    /// unchanged, and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
    /// whole record is replaced.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(CustomerInput {
    name: "name",
    customer_type: "customerType",
    last_name: "lastName",
    second_surname: "secondSurname",
    personal_identification_number: "personalIdentificationNumber",
    personal_identification_type: "personalIdentificationType",
    personal_identification_expiration_date: "personalIdentificationExpirationDate",
    personal_identification_issue_date: "personalIdentificationIssueDate",
    personal_identification_country: "personalIdentificationCountry",
    phone_number: "phoneNumber",
    address_line: "addressLine",
    repart: "repart",
    country: "country",
    province: "province",
    municipality: "municipality",
    province_id: "provinceId",
    municipality_id: "municipalityId",
    alias: "alias",
    alternative_name: "alternativeName",
    alternative_last_name: "alternativeLastName",
    alternative_personal_identification_number: "alternativePersonalIdentificationNumber",
    alternative_phone_number: "alternativePhoneNumber",
    email: "email",
    zip_code: "zipCode",
    is_active: "isActive",
});
