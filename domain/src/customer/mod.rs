//! Customers: issuers, who send, and recipients, who are paid. A recipient belongs to an issuer.

mod add_card;
pub mod card;
mod change;
mod dossier;
mod erase;
mod permission;
mod pictures;
mod register;
pub mod screening;

pub use add_card::AddCard;
pub use dossier::{DOSSIER_CONTENT, MAX_SAME_PERSON};
pub use permission::{Action, Facts, ROLES, judge};
pub use pictures::DocumentPicturesRecorded;
pub use register::RegisterCustomer;
pub use screening::{
    ClearedPair, CustomerScreened, DecidePair, ListedPerson, OwnList, PairOutcome, RecordScreening, ScreeningCandidate,
    ScreeningFindings, ScreeningPair, ScreeningPairDecided, ScreeningRule,
};

use crate::{
    contact::Numbers,
    decision::{Context, Decision},
    erasure::Forget,
    ids::{CardId, CustomerId, MunicipalityId, PartyId, ProvinceId},
    limits::{self, IdentityDocument, PersonDocumentReleased, PersonIdentified},
    party::{Party, Role},
    personal::Personal,
    phone,
    reference_data::place,
    refusal::{Refusal, require},
    text,
};
use card::{Brand, CardNumber};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CustomerKind {
    Issuer,
    Recipient,
}

/// A customer without personal data: what decisions may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Customer {
    pub id: CustomerId,
    pub kind: CustomerKind,
    /// The owning agency, or the agent when it has no agency.
    pub owner: PartyId,
    /// Issuer of a recipient; `None` for an issuer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<CustomerId>,
    /// Whether new remittances may name the customer.
    pub is_active: bool,
    /// Hidden and refused for new use; history stays.
    #[serde(default)]
    pub deleted: bool,
    /// Whether the personal data was erased; implies `deleted`. Never set in the registration.
    #[serde(skip)]
    pub forgotten: bool,
    /// Whether a screening found a candidate that was not decided to be somebody else. Never set in the registration.
    #[serde(skip)]
    pub in_review: bool,
    /// Hashes of the pictures of the present document. Never set in the registration.
    #[serde(skip)]
    pub document_pictures: Vec<String>,
    /// Residence of a recipient, by Cuba's catalogue; empty for an issuer.
    #[serde(default)]
    pub place: Place,
    /// Empty for an issuer.
    #[serde(default)]
    pub cards: BTreeMap<CardId, Brand>,
}

/// A place of Cuba's catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub province: Option<ProvinceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub municipality: Option<MunicipalityId>,
}

impl Place {
    /// Checks that province and municipality exist and belong together.
    ///
    /// # Errors
    /// Names the field and the rule.
    pub fn validate(&self) -> Result<(), Refusal> {
        if let Some(id) = self.province {
            require(place::province(id).is_some(), || {
                Refusal::invalid("provinceId", "province_unknown")
            })?;
        }
        if let Some(id) = self.municipality {
            let known =
                place::municipality(id).ok_or_else(|| Refusal::invalid("municipalityId", "municipality_unknown"))?;
            require(self.province.is_none_or(|province| province == known.province), || {
                Refusal::invalid("municipalityId", "municipality_of_another_province")
            })?;
        }
        Ok(())
    }
}

/// Types of identity document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentificationType {
    /// Cuban identity card (carné de identidad).
    Ci,
    Passport,
    /// Social security number.
    SocialSecurity,
    AlienCard,
    /// United States passport card.
    PassportCardUs,
    /// Driving licence.
    DriverLicense,
    /// Another official document.
    IdOfficial,
}

impl IdentificationType {
    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ci => "ci",
            Self::Passport => "passport",
            Self::SocialSecurity => "social_security",
            Self::AlienCard => "alien_card",
            Self::PassportCardUs => "passport_card_us",
            Self::DriverLicense => "driver_license",
            Self::IdOfficial => "id_official",
        }
    }

    /// ISO 3166-1 country of the types that only one country issues.
    #[must_use]
    pub const fn country(self) -> Option<&'static str> {
        match self {
            Self::Ci => Some("CU"),
            Self::SocialSecurity | Self::PassportCardUs => Some("US"),
            Self::Passport | Self::AlienCard | Self::DriverLicense | Self::IdOfficial => None,
        }
    }
}

/// Personal data of a customer: encrypted under the customer's own key.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CustomerDetails {
    pub name: String,
    pub last_name: Option<String>,
    pub second_surname: Option<String>,
    pub personal_identification_number: Option<String>,
    pub personal_identification_type: Option<IdentificationType>,
    /// When the document expires, `YYYY-MM-DD`.
    pub personal_identification_expiration_date: Option<String>,
    /// When the document was issued, `YYYY-MM-DD`.
    pub personal_identification_issue_date: Option<String>,
    /// ISO 3166-1 country that issued the document; none where its type implies it, and where nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub personal_identification_country: Option<String>,
    pub phone_number: Option<String>,
    pub address_line: Option<String>,
    /// Neighbourhood.
    pub repart: Option<String>,
    /// City of an issuer, outside the catalogue.
    pub municipality: Option<String>,
    /// State or province of an issuer, outside the catalogue.
    pub province: Option<String>,
    /// ISO 3166-1 country of an issuer.
    pub country: Option<String>,
    pub zip_code: Option<String>,
    pub email: Option<String>,
    /// Name by which the customer is commonly known.
    pub alias: Option<String>,
    /// First name of the authorised representative, who may receive a delivery.
    pub alternative_name: Option<String>,
    /// Surname of the authorised representative.
    pub alternative_last_name: Option<String>,
    /// Identity document of the authorised representative.
    pub alternative_personal_identification_number: Option<String>,
    /// Telephone of the authorised representative.
    pub alternative_phone_number: Option<String>,
}

crate::personal::personal_data!(CustomerDetails);

/// In characters.
pub const MAX_NAME_LENGTH: usize = 80;
/// In characters.
pub const MAX_ADDRESS_LENGTH: usize = 300;
/// For numbers, telephones and other short texts, in characters.
pub const MAX_SHORT_LENGTH: usize = 60;
/// Of an ISO 3166-1 alpha-2 code.
pub const COUNTRY_LENGTH: usize = 2;
/// Per recipient: several cards of each brand.
pub const MAX_CARDS: usize = 30;

impl CustomerDetails {
    /// Normalises telephones and documents that differ from `before`.
    fn check_numbers(
        &mut self,
        kind: CustomerKind,
        before: Option<&Self>,
        today: chrono::NaiveDate,
    ) -> Result<(), Refusal> {
        self.read_numbers(kind, before, today).finish()
    }

    /// Fields whose stored telephone or document today's rules refuse: recorded before these rules or imported. `today`
    /// is the latest possible date of birth.
    #[must_use]
    pub fn to_correct(&self, kind: CustomerKind, today: chrono::NaiveDate) -> Vec<String> {
        self.clone().read_numbers(kind, None, today).fields()
    }

    fn read_numbers(&mut self, kind: CustomerKind, before: Option<&Self>, today: chrono::NaiveDate) -> Numbers {
        let mut numbers = Numbers::of(today);
        if let Some(country) = &mut self.personal_identification_country {
            *country = country.trim().to_ascii_uppercase();
        }
        numbers.document(
            "personalIdentificationNumber",
            self.personal_identification_type,
            &mut self.personal_identification_number,
            before.map(|before| {
                let number = &before.personal_identification_number;
                (before.personal_identification_type, number)
            }),
        );
        numbers.document(
            "alternativePersonalIdentificationNumber",
            None,
            &mut self.alternative_personal_identification_number,
            before.map(|before| (None, &before.alternative_personal_identification_number)),
        );
        // A recipient and its representative live in Cuba, an issuer in the country of its address.
        let country = match kind {
            CustomerKind::Recipient => Some(phone::CUBA),
            CustomerKind::Issuer => self.country.as_deref(),
        };
        numbers.phone(
            "phoneNumber",
            &mut self.phone_number,
            before.map(|before| &before.phone_number),
            country,
        );
        numbers.phone(
            "alternativePhoneNumber",
            &mut self.alternative_phone_number,
            before.map(|before| &before.alternative_phone_number),
            country,
        );
        numbers
    }

    fn check_country(&self) -> Result<(), Refusal> {
        const FIELD: &str = "personalIdentificationCountry";
        let Some(country) = self.personal_identification_country.as_deref().map(str::trim) else {
            return Ok(());
        };
        let is_code = country.len() == COUNTRY_LENGTH && country.bytes().all(|byte| byte.is_ascii_alphabetic());
        require(is_code, || Refusal::invalid(FIELD, "country_unknown"))?;
        let implied = self.personal_identification_type.and_then(IdentificationType::country);
        let is_other = implied.filter(|implied| !country.eq_ignore_ascii_case(implied));
        match is_other {
            Some(implied) => Err(Refusal::invalid_with(
                FIELD,
                "document_of_another_country",
                [("country", implied.to_owned())],
            )),
            None => Ok(()),
        }
    }

    /// Checks the details. An address that stays as it was `before` is not judged: earlier rules permitted others.
    fn validate(&self, before: Option<&Self>) -> Result<(), Refusal> {
        text::required("name", &self.name, MAX_NAME_LENGTH)?;
        for (field, value, max) in [
            ("lastName", &self.last_name, MAX_NAME_LENGTH),
            ("secondSurname", &self.second_surname, MAX_NAME_LENGTH),
            (
                "personalIdentificationNumber",
                &self.personal_identification_number,
                MAX_SHORT_LENGTH,
            ),
            ("phoneNumber", &self.phone_number, MAX_SHORT_LENGTH),
            ("addressLine", &self.address_line, MAX_ADDRESS_LENGTH),
            ("repart", &self.repart, MAX_NAME_LENGTH),
            ("municipality", &self.municipality, MAX_NAME_LENGTH),
            ("province", &self.province, MAX_NAME_LENGTH),
            ("country", &self.country, MAX_SHORT_LENGTH),
            ("zipCode", &self.zip_code, MAX_SHORT_LENGTH),
            ("alias", &self.alias, MAX_NAME_LENGTH),
            ("alternativeName", &self.alternative_name, MAX_NAME_LENGTH),
            ("alternativeLastName", &self.alternative_last_name, MAX_NAME_LENGTH),
            (
                "alternativePersonalIdentificationNumber",
                &self.alternative_personal_identification_number,
                MAX_SHORT_LENGTH,
            ),
            (
                "alternativePhoneNumber",
                &self.alternative_phone_number,
                MAX_SHORT_LENGTH,
            ),
        ] {
            text::optional(field, value.as_deref().unwrap_or_default(), max)?;
        }
        let is_kept = before.is_some_and(|before| before.email == self.email);
        if let Some(email) = self.email.as_deref().filter(|email| !email.is_empty() && !is_kept) {
            text::email("email", email)?;
        }
        for (field, date) in [
            (
                "personalIdentificationExpirationDate",
                &self.personal_identification_expiration_date,
            ),
            (
                "personalIdentificationIssueDate",
                &self.personal_identification_issue_date,
            ),
        ] {
            let valid = date
                .as_deref()
                .is_none_or(|text| chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok());
            require(valid, || Refusal::invalid(field, "date_invalid"))?;
        }
        self.check_country()
    }
}

/// A replacement of a customer's details.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeCustomer {
    /// Complete details: decisions do not hold the old ones.
    pub details: CustomerDetails,
    /// Current details, present when the command is conditional on the record being unchanged (`as_of`); a change to
    /// identical details then writes no event.
    pub known: Option<Box<CustomerDetails>>,
    /// `None` leaves it unchanged.
    pub is_active: Option<bool>,
    /// A recipient's place; `None` leaves it unchanged.
    pub place: Option<Place>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CustomerCommand {
    Register(RegisterCustomer),
    Change(ChangeCustomer),
    AddCard(AddCard),
    /// Replaces the pictures of the present document, by the hashes of their files.
    RecordDocumentPictures(Vec<String>),
    /// Hides the customer and refuses new use; history stays.
    Delete,
    /// Erases the personal data; postings stay.
    Forget(Forget),
    /// Records that everything known of the customer is handed to an authority, and which other customers have the same
    /// document.
    ExportDossier(Vec<CustomerId>),
    /// Records what a screening found. System only.
    RecordScreening(RecordScreening),
    /// Decides whether the customer is a listed person.
    DecidePair(DecidePair),
    /// Identifies a customer of before the first rule of limits, with the document if there is one. System only.
    Identify(Option<IdentityDocument>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum CustomerEvent {
    CustomerRegistered(CustomerRegistered),
    CustomerChanged(CustomerChanged),
    CardAdded(CardAdded),
    CustomerDeleted {
        id: CustomerId,
    },
    #[serde(rename_all = "camelCase")]
    PersonForgotten {
        id: CustomerId,
        /// Retention after the last business that the operator applied, in days.
        retention_days: u32,
    },
    /// A dossier was made: everything known of the customer as of this event.
    #[serde(rename_all = "camelCase")]
    DossierExported {
        id: CustomerId,
        /// Other customers with the same document at the export, whose remittances are in the sums. `None` in events of
        /// version 1: these dossiers have no sums.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        same_person: Option<Vec<CustomerId>>,
        /// What the dossier has: [`DOSSIER_CONTENT`] of that time. `None` in events of versions 1 and 2, whose dossiers have the
        /// first content.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<u16>,
    },
    /// A screening found other candidates than before.
    CustomerScreened(CustomerScreened),
    /// A reviewer decided whether the customer is a listed person.
    ScreeningPairDecided(ScreeningPairDecided),
    /// The customer is a person: everybody with the document.
    PersonIdentified(PersonIdentified),
    /// Nobody has a person's document any more.
    PersonDocumentReleased(PersonDocumentReleased),
    /// These pictures show the present document.
    DocumentPicturesRecorded(DocumentPicturesRecorded),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomerRegistered {
    pub customer: Customer,
    pub personal: Personal<CustomerDetails>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomerChanged {
    pub id: CustomerId,
    /// State after the change.
    pub is_active: bool,
    /// State after the change.
    pub place: Place,
    pub personal: Personal<CustomerDetails>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardAdded {
    pub customer: CustomerId,
    pub card: CardId,
    /// As chosen, not derived from the number.
    pub brand: Brand,
    pub personal: Personal<CardNumber>,
}

impl Customer {
    pub(crate) fn fold(state: Option<Self>, event: &CustomerEvent) -> Option<Self> {
        let mut customer = match (state, event) {
            (_, CustomerEvent::CustomerRegistered(registered)) => return Some(registered.customer.clone()),
            (None, _) => return None,
            (Some(customer), _) => customer,
        };
        match event {
            CustomerEvent::CustomerRegistered(_)
            | CustomerEvent::DossierExported { .. }
            | CustomerEvent::PersonIdentified(_)
            | CustomerEvent::PersonDocumentReleased(_) => {}
            CustomerEvent::CustomerChanged(changed) => {
                customer.is_active = changed.is_active;
                customer.place = changed.place;
            }
            CustomerEvent::CardAdded(added) => {
                customer.cards.insert(added.card, added.brand);
            }
            CustomerEvent::CustomerDeleted { .. } => customer.deleted = true,
            CustomerEvent::CustomerScreened(screened) => customer.in_review = screened.in_review,
            CustomerEvent::ScreeningPairDecided(decided) => customer.in_review = decided.in_review,
            CustomerEvent::DocumentPicturesRecorded(recorded) => customer.document_pictures.clone_from(&recorded.files),
            CustomerEvent::PersonForgotten { .. } => {
                customer.is_active = false;
                customer.deleted = true;
                customer.forgotten = true;
                customer.in_review = false;
                customer.document_pictures.clear();
            }
        }
        Some(customer)
    }

    /// Whether new remittances may name the customer.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        self.is_active && !self.deleted
    }

    /// Whether the party works with this customer.
    #[must_use]
    pub fn is_of(&self, party: &Party) -> bool {
        party.role == Role::Manager || (party.role.sells() && party.customer_owner() == self.owner)
    }
}

pub(crate) fn decide(
    own: Option<&Customer>,
    command: &CustomerCommand,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    if let CustomerCommand::Register(registration) = command {
        return Decision::of_new(register::decide(registration, ctx), own.is_some());
    }
    if let CustomerCommand::Forget(order) = command {
        return erase::decide(own, order, ctx);
    }
    if let CustomerCommand::ExportDossier(others) = command {
        return dossier::decide(own, others, ctx);
    }
    if let CustomerCommand::RecordScreening(screening) = command {
        return screening::record(own, screening, ctx);
    }
    if let CustomerCommand::Identify(document) = command {
        return limits::record(own, document.as_ref(), ctx);
    }
    if let CustomerCommand::DecidePair(pair) = command {
        return screening::decide_pair(own, pair, ctx);
    }
    let action = match command {
        CustomerCommand::AddCard(_) => Action::AddCard,
        CustomerCommand::Delete => Action::Delete,
        CustomerCommand::Register(_)
        | CustomerCommand::Change(_)
        | CustomerCommand::RecordDocumentPictures(_)
        | CustomerCommand::Forget(_)
        | CustomerCommand::ExportDossier(_)
        | CustomerCommand::RecordScreening(_)
        | CustomerCommand::DecidePair(_)
        | CustomerCommand::Identify(_) => Action::Edit,
    };
    let own = permission::permitted(ctx, own, action)?;
    match command {
        CustomerCommand::Register(registration) => register::decide(registration, ctx),
        CustomerCommand::Change(change) => change::decide(own, change, ctx),
        CustomerCommand::AddCard(add) => add_card::decide(own, add),
        CustomerCommand::RecordDocumentPictures(files) => pictures::decide(own, files),
        CustomerCommand::Delete => Ok(change::delete(own)),
        CustomerCommand::Forget(order) => erase::decide(Some(own), order, ctx),
        CustomerCommand::ExportDossier(others) => dossier::decide(Some(own), others, ctx),
        CustomerCommand::RecordScreening(screening) => screening::record(Some(own), screening, ctx),
        CustomerCommand::DecidePair(pair) => screening::decide_pair(Some(own), pair, ctx),
        CustomerCommand::Identify(document) => limits::record(Some(own), document.as_ref(), ctx),
    }
}
