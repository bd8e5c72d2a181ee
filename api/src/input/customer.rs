//! Issuers, recipients and their cards as requests give them.

use super::{
    field::{Faults, Field, FromObject},
    merge::{mergeable, standing},
};
use caudal_domain::{
    Refusal,
    customer::{
        AddCard, ChangeCustomer, CustomerDetails, CustomerKind, IdentificationType, Place, RegisterCustomer,
        card::{Brand, CardNumber},
    },
    ids::{CardId, CustomerId, MunicipalityId, PartyId, ProvinceId},
    money::CurrencyCode,
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A sender (with agencyId, which an agency and its agents may omit) or a recipient (with senderId).
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerInput {
    /// First name.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    name: Field<String>,
    /// Sender 0, recipient 1.
    #[serde(default)]
    #[schema(value_type = scalar::CustomerType, required)]
    customer_type: Field<CustomerKind>,
    /// Surname.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    last_name: Field<String>,
    /// Second surname.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    second_surname: Field<String>,
    /// Number of the identity document.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_number: Field<String>,
    /// CI 0, passport 1, social security 2, alien card 3, US passport card 4, driver licence 5, official id 6.
    #[serde(default)]
    #[schema(value_type = Option<scalar::IdentificationType>)]
    personal_identification_type: Field<IdentificationType>,
    /// When the document expires.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "date")]
    personal_identification_expiration_date: Field<String>,
    /// When the document was issued.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "date")]
    personal_identification_issue_date: Field<String>,
    /// Telephone.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone_number: Field<String>,
    /// Address.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    address_line: Field<String>,
    /// Neighbourhood.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    repart: Field<String>,
    /// ISO 3166-1 country of a sender.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    country: Field<String>,
    /// State or province of a sender.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    province: Field<String>,
    /// City of a sender.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    municipality: Field<String>,
    /// Cuban province of a recipient.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    province_id: Field<ProvinceId>,
    /// Cuban municipality of a recipient.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    municipality_id: Field<MunicipalityId>,
    /// Another name; a sender's is set from the name.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alias: Field<String>,
    /// Name of the authorised representative; a sender's is set from the name.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_name: Field<String>,
    /// Surname of the authorised representative.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_last_name: Field<String>,
    /// Identity document of the authorised representative.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_personal_identification_number: Field<String>,
    /// Telephone of the authorised representative.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    alternative_phone_number: Field<String>,
    /// E-mail address.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    email: Field<String>,
    /// Postal code.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    zip_code: Field<String>,
    /// A recipient's sender.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    sender_id: Field<CustomerId>,
    /// The agency, or the agent with no agency, whose sender it is.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// Whether it may be used in new remittances; true for a new one where absent.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Cards to keep for a recipient; one that bears an id is kept already.
    #[serde(default)]
    #[schema(value_type = Vec<CardInput>)]
    card: Field<Vec<NewCard>>,
    /// For a change: the values of the fields that are sent, as they were read. With it what is absent stays, and what
    /// another changed since is refused (409 `changed_since_read`).
    #[serde(default)]
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

/// A card to keep for a recipient.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardInput {
    /// The id of a card that is kept already.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    id: Field<CardId>,
    /// Sixteen digits, blanks and hyphens allowed.
    #[serde(default)]
    #[schema(value_type = String, required)]
    card_number: Field<String>,
    /// Bank and currency, by the number's first six digits.
    #[serde(default)]
    #[schema(value_type = scalar::CardBrand, required)]
    brand: Field<Brand>,
    /// As clients send it; every card is kept as MLC.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// As clients send it; no card is kept as the default.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_default: Field<bool>,
}

/// A card of a list: one to be kept, or one that is.
#[derive(Clone, Debug, PartialEq)]
struct NewCard(Option<AddCard>);

impl FromObject for NewCard {
    type Input = CardInput;

    fn from_object(input: CardInput, faults: &mut Faults) -> Option<Self> {
        // The specification stores every card as MLC and none as the default.
        faults.optional("currency", input.currency);
        faults.optional("isDefault", input.is_default);
        if faults.optional("id", input.id).is_some() {
            return Some(Self(None));
        }
        card(input.card_number, input.brand, faults).map(|card| Self(Some(card)))
    }
}

/// Reads a card, and checks its number here so that its place in a list is told.
fn card(number: Field<String>, brand: Field<Brand>, faults: &mut Faults) -> Option<AddCard> {
    let number = faults.required_text("cardNumber", number);
    let brand = faults.required("brand", brand);
    let (number, brand) = (number?, brand?);
    if let Err(refusal) = CardNumber::parse(&number, brand) {
        faults.absorb(refusal);
        return None;
    }
    Some(AddCard {
        card: CardId::generate(),
        brand,
        number,
    })
}

/// A customer to be made, with the cards to be added next.
#[derive(Debug)]
pub struct NewCustomer {
    /// The command that makes it.
    pub command: RegisterCustomer,
    /// The commands that add its cards.
    pub cards: Vec<AddCard>,
}

/// A customer to be changed, with the cards to be added next.
#[derive(Debug)]
pub struct CustomerChange {
    /// The command that changes it.
    pub command: ChangeCustomer,
    /// The commands that add its new cards.
    pub cards: Vec<AddCard>,
}

/// What both have in common.
struct Parts {
    kind: Option<CustomerKind>,
    details: Option<CustomerDetails>,
    place: Option<Place>,
    sender: Option<CustomerId>,
    owner: Option<PartyId>,
    is_active: Option<bool>,
    cards: Vec<AddCard>,
}

impl CustomerInput {
    /// A customer as it stands, as a request would say it.
    pub(crate) fn standing(kind: CustomerKind, details: CustomerDetails, place: Place, is_active: bool) -> Self {
        let CustomerDetails {
            name,
            last_name,
            second_surname,
            personal_identification_number,
            personal_identification_type,
            personal_identification_expiration_date,
            personal_identification_issue_date,
            phone_number,
            address_line,
            repart,
            municipality,
            province,
            country,
            zip_code,
            email,
            alias,
            alternative_name,
            alternative_last_name,
            alternative_personal_identification_number,
            alternative_phone_number,
        } = details;
        Self {
            name: Field::Given(name),
            customer_type: Field::Given(kind),
            last_name: standing(last_name),
            second_surname: standing(second_surname),
            personal_identification_number: standing(personal_identification_number),
            personal_identification_type: standing(personal_identification_type),
            personal_identification_expiration_date: standing(personal_identification_expiration_date),
            personal_identification_issue_date: standing(personal_identification_issue_date),
            phone_number: standing(phone_number),
            address_line: standing(address_line),
            repart: standing(repart),
            country: standing(country),
            province: standing(province),
            municipality: standing(municipality),
            province_id: standing(place.province),
            municipality_id: standing(place.municipality),
            alias: standing(alias),
            alternative_name: standing(alternative_name),
            alternative_last_name: standing(alternative_last_name),
            alternative_personal_identification_number: standing(alternative_personal_identification_number),
            alternative_phone_number: standing(alternative_phone_number),
            email: standing(email),
            zip_code: standing(zip_code),
            is_active: Field::Given(is_active),
            ..Self::default()
        }
    }

    fn parts(self, faults: &mut Faults) -> Parts {
        let name = faults.required_text("name", self.name);
        let kind = faults.required("customerType", self.customer_type);
        let details = CustomerDetails {
            name: String::new(),
            last_name: faults.text("lastName", self.last_name),
            second_surname: faults.text("secondSurname", self.second_surname),
            personal_identification_number: faults
                .text("personalIdentificationNumber", self.personal_identification_number),
            personal_identification_type: faults
                .optional("personalIdentificationType", self.personal_identification_type),
            personal_identification_expiration_date: faults.text(
                "personalIdentificationExpirationDate",
                self.personal_identification_expiration_date,
            ),
            personal_identification_issue_date: faults.text(
                "personalIdentificationIssueDate",
                self.personal_identification_issue_date,
            ),
            phone_number: faults.text("phoneNumber", self.phone_number),
            address_line: faults.text("addressLine", self.address_line),
            repart: faults.text("repart", self.repart),
            municipality: faults.text("municipality", self.municipality),
            province: faults.text("province", self.province),
            country: faults.text("country", self.country),
            zip_code: faults.text("zipCode", self.zip_code),
            email: faults.text("email", self.email),
            alias: faults.text("alias", self.alias),
            alternative_name: faults.text("alternativeName", self.alternative_name),
            alternative_last_name: faults.text("alternativeLastName", self.alternative_last_name),
            alternative_personal_identification_number: faults.text(
                "alternativePersonalIdentificationNumber",
                self.alternative_personal_identification_number,
            ),
            alternative_phone_number: faults.text("alternativePhoneNumber", self.alternative_phone_number),
        };
        let named = self.province_id.is_present() || self.municipality_id.is_present();
        let place = Place {
            province: faults.optional("provinceId", self.province_id),
            municipality: faults.optional("municipalityId", self.municipality_id),
        };
        let sender = faults.optional("senderId", self.sender_id);
        let owner = faults.optional("agencyId", self.agency_id);
        let is_active = faults.optional("isActive", self.is_active);
        let cards: Vec<AddCard> = faults
            .optional("card", self.card)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|card| card.0)
            .collect();
        if kind == Some(CustomerKind::Issuer) && !cards.is_empty() {
            faults.add("card", "cards_are_for_recipients");
        }
        Parts {
            kind,
            details: name.map(|name| CustomerDetails { name, ..details }),
            place: named.then_some(place),
            sender,
            owner,
            is_active,
            cards,
        }
    }

    /// The customer that it describes.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn new_customer(self, id: CustomerId) -> Result<NewCustomer, Refusal> {
        let mut faults = Faults::default();
        let parts = self.parts(&mut faults);
        faults.finish(|| {
            let command = RegisterCustomer {
                id,
                kind: parts.kind?,
                details: parts.details?,
                is_active: parts.is_active.unwrap_or(true),
                owner: parts.owner,
                sender: parts.sender,
                place: parts.place.unwrap_or_default(),
            };
            let cards = parts.cards;
            Some(NewCustomer { command, cards })
        })
    }

    /// The change that it describes of a customer of a kind, which stays.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn change(self, kind: CustomerKind) -> Result<CustomerChange, Refusal> {
        let mut faults = Faults::default();
        let parts = self.parts(&mut faults);
        if parts.kind.is_some_and(|given| given != kind) {
            faults.add("customerType", "customer_type_is_fixed");
        }
        faults.finish(|| {
            let command = ChangeCustomer {
                details: parts.details?,
                is_active: parts.is_active,
                place: parts.place,
                known: None,
            };
            let cards = parts.cards;
            Some(CustomerChange { command, cards })
        })
    }
}

/// A card and whose it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddCardInput {
    /// The recipient.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    customer_id: Field<CustomerId>,
    /// Sixteen digits, blanks and hyphens allowed.
    #[serde(default)]
    #[schema(value_type = String, required)]
    card_number: Field<String>,
    /// Bank and currency, by the number's first six digits.
    #[serde(default)]
    #[schema(value_type = scalar::CardBrand, required)]
    brand: Field<Brand>,
}

impl AddCardInput {
    /// The recipient and the command.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self) -> Result<(CustomerId, AddCard), Refusal> {
        let mut faults = Faults::default();
        let customer = faults.required("customerId", self.customer_id);
        let card = card(self.card_number, self.brand, &mut faults);
        faults.finish(|| Some((customer?, card?)))
    }
}
