//! Request bodies of issuers, recipients and cards.

use super::{
    field::{Faults, Field, FromObject},
    merge::{Merge, mergeable, standing},
};
use crate::{problem::ApiError, world};
use caudal_domain::{
    Refusal,
    attachment::MAX_DOCUMENT_PICTURES,
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

/// A card to add to a recipient.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardInput {
    /// Id of an existing card.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    id: Field<CardId>,
    /// Number: sixteen digits, blanks and hyphens allowed.
    #[serde(default)]
    #[schema(value_type = String, required)]
    card_number: Field<String>,
    /// Brand (bank and currency), which must match the number's first six digits.
    #[serde(default)]
    #[schema(value_type = scalar::CardBrand, required)]
    brand: Field<Brand>,
    /// Accepted for compatibility; every card is stored as MLC.
    #[serde(default)]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$")]
    currency: Field<CurrencyCode>,
    /// Accepted for compatibility; no card is the default.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_default: Field<bool>,
}

/// A card of a list: new or existing.
#[derive(Clone, Debug, PartialEq)]
struct NewCard(Option<AddCard>);

impl FromObject for NewCard {
    type Input = CardInput;

    fn from_object(input: CardInput, faults: &mut Faults) -> Option<Self> {
        // By specification every card is MLC and none is the default.
        faults.optional("currency", input.currency);
        faults.optional("isDefault", input.is_default);
        if faults.optional("id", input.id).is_some() {
            return Some(Self(None));
        }
        card(input.card_number, input.brand, faults).map(|card| Self(Some(card)))
    }
}

/// The code of a country that there is.
fn country_of_document(faults: &mut Faults, country: Field<String>) -> Option<String> {
    const FIELD: &str = "personalIdentificationCountry";
    let country = faults.text(FIELD, country).map(|code| code.trim().to_ascii_uppercase());
    let country = country.filter(|code| !code.is_empty())?;
    if world::country(&country).is_none() {
        faults.add(FIELD, "country_unknown");
    }
    Some(country)
}

/// Validates a card here, so that a fault names its index in a list.
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

/// A new customer, with the cards to add afterwards.
#[derive(Debug)]
pub struct NewCustomer {
    /// Registration command.
    pub command: RegisterCustomer,
    /// Commands that add its cards.
    pub cards: Vec<AddCard>,
}

/// A changed customer, with the cards to add afterwards.
#[derive(Debug)]
pub struct CustomerChange {
    /// The command that changes it.
    pub command: ChangeCustomer,
    /// Commands that add its new cards.
    pub cards: Vec<AddCard>,
}

/// Parts common to both.
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
    /// Current details in the shape of a request.
    pub(crate) fn standing(kind: CustomerKind, details: CustomerDetails, place: Place, is_active: bool) -> Self {
        let CustomerDetails {
            name,
            last_name,
            second_surname,
            personal_identification_number,
            personal_identification_type,
            personal_identification_expiration_date,
            personal_identification_issue_date,
            personal_identification_country,
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
            personal_identification_country: standing(personal_identification_country),
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
            personal_identification_country: country_of_document(faults, self.personal_identification_country),
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

    /// Converts to commands.
    ///
    /// # Errors
    /// All field errors.
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

    /// Converts to a change of an existing customer, whose kind is immutable.
    ///
    /// # Errors
    /// All field errors.
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

/// Pictures of a customer's present document.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DocumentPicturesInput {
    /// Ids of all pictures, in their order: files that were uploaded for this customer's document. Empty for none.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required, max_items = 6)]
    files: Field<Vec<String>>,
    /// The document that the pictures show, and the pictures that the client read. Where the customer has another document or
    /// other pictures by now, nothing is recorded: 409 `changed_since_read`. Absent, neither is compared.
    #[serde(default)]
    was: Option<PicturedDocument>,
}

/// A customer's document with its pictures, as a client read them. Absent fields are not compared.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PicturedDocument {
    /// Ids of the recorded pictures, in their order.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 6)]
    files: Field<Vec<String>>,
    /// Type of the document, as the customer's row has it.
    #[serde(default)]
    #[schema(value_type = Option<scalar::IdentificationType>)]
    personal_identification_type: Field<IdentificationType>,
    /// Number of the document, as the customer's row has it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_number: Field<String>,
    /// Country of the document, as the customer's row has it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_country: Field<String>,
}

impl PicturedDocument {
    fn require_present(&self, details: &CustomerDetails, files: &[String]) -> Result<(), ApiError> {
        let number = details.personal_identification_number.clone();
        let country = details.personal_identification_country.clone();
        let mut merge = Merge::default();
        merge.same(
            "personalIdentificationType",
            &self.personal_identification_type,
            details.personal_identification_type,
        );
        merge.same(
            "personalIdentificationNumber",
            &self.personal_identification_number,
            number,
        );
        merge.same(
            "personalIdentificationCountry",
            &self.personal_identification_country,
            country,
        );
        merge.same("files", &self.files, Some(files.to_vec()));
        merge.finish()
    }
}

impl DocumentPicturesInput {
    /// Requires the customer's document and its recorded pictures to be those that the client read, if it says which.
    ///
    /// # Errors
    /// 409 with the fields that are others.
    pub fn require_present(&self, details: &CustomerDetails, files: &[String]) -> Result<(), ApiError> {
        let was = self.was.as_ref();
        was.map_or(Ok(()), |was| was.require_present(details, files))
    }

    /// # Errors
    /// A field error.
    pub fn files(&self) -> Result<Vec<String>, Refusal> {
        const _: () = assert!(MAX_DOCUMENT_PICTURES == 6, "the contract says so");
        let mut faults = Faults::default();
        let files = faults.required("files", self.files.clone());
        faults.finish(|| files)
    }
}

/// A card with its recipient.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddCardInput {
    /// Id of the recipient.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    customer_id: Field<CustomerId>,
    /// Number: sixteen digits, blanks and hyphens allowed.
    #[serde(default)]
    #[schema(value_type = String, required)]
    card_number: Field<String>,
    /// Brand (bank and currency), which must match the number's first six digits.
    #[serde(default)]
    #[schema(value_type = scalar::CardBrand, required)]
    brand: Field<Brand>,
}

impl AddCardInput {
    /// Converts to the recipient and the command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self) -> Result<(CustomerId, AddCard), Refusal> {
        let mut faults = Faults::default();
        let customer = faults.required("customerId", self.customer_id);
        let card = card(self.card_number, self.brand, &mut faults);
        faults.finish(|| Some((customer?, card?)))
    }
}
