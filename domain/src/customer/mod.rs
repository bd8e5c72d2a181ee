//! Customers: issuers, who send, and recipients, who are paid. A recipient belongs to an issuer.

mod add_card;
pub mod card;
mod change;
mod forget;
mod permission;
mod register;

pub use add_card::AddCard;
pub use permission::{Action, Facts, judge};
pub use register::RegisterCustomer;

use crate::{
    aggregate::StreamState,
    contact::Numbers,
    decision::{Context, Decision},
    forgetting::Forget,
    ids::{CardId, CustomerId, MunicipalityId, PartyId, ProvinceId},
    nomenclator::place,
    party::{Party, Role},
    personal::Personal,
    phone,
    refusal::{Refusal, require},
    stream::{StreamId, StreamKind},
    text,
};
use card::{Brand, CardNumber};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sender or receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CustomerKind {
    /// Sends money.
    Issuer,
    /// Is paid.
    Recipient,
}

/// A customer as decisions know it. What is personal is not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Customer {
    /// Its id.
    pub id: CustomerId,
    /// Issuer or recipient.
    pub kind: CustomerKind,
    /// The agency, or the agent with no agency, whose customer it is.
    pub owner: PartyId,
    /// A recipient's issuer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<CustomerId>,
    /// Whether it may be used in new remittances.
    pub is_active: bool,
    /// Whether it was deleted: hidden, and refused for new use.
    #[serde(default)]
    pub deleted: bool,
    /// Whether the person was forgotten; such a customer is deleted too. Its registration never says so.
    #[serde(skip)]
    pub forgotten: bool,
    /// Where a recipient lives, by Cuba's catalogue.
    #[serde(default)]
    pub place: Place,
    /// A recipient's cards.
    #[serde(default)]
    pub cards: BTreeMap<CardId, Brand>,
}

/// A place in Cuba.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The province.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub province: Option<ProvinceId>,
    /// The municipality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub municipality: Option<MunicipalityId>,
}

impl Place {
    /// Checks that both are of the catalogue and belong together.
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

/// The identity documents that a customer may have; numbers are the API's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentificationType {
    /// Cuban identity card.
    Ci,
    /// Passport.
    Passport,
    /// Social security number.
    SocialSecurity,
    /// Alien card.
    AlienCard,
    /// United States passport card.
    PassportCardUs,
    /// Driving licence.
    DriverLicense,
    /// Another official document.
    IdOfficial,
}

/// What is personal about a customer.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CustomerDetails {
    /// First name.
    pub name: String,
    /// Surname.
    pub last_name: Option<String>,
    /// Second surname.
    pub second_surname: Option<String>,
    /// Identity document's number.
    pub personal_identification_number: Option<String>,
    /// Identity document's sort.
    pub personal_identification_type: Option<IdentificationType>,
    /// When the document expires, `YYYY-MM-DD`.
    pub personal_identification_expiration_date: Option<String>,
    /// When the document was issued, `YYYY-MM-DD`.
    pub personal_identification_issue_date: Option<String>,
    /// Telephone.
    pub phone_number: Option<String>,
    /// Address.
    pub address_line: Option<String>,
    /// Neighbourhood.
    pub repart: Option<String>,
    /// City of an issuer, outside the catalogue.
    pub municipality: Option<String>,
    /// State or province of an issuer, outside the catalogue.
    pub province: Option<String>,
    /// ISO 3166-1 country of an issuer.
    pub country: Option<String>,
    /// Postal code.
    pub zip_code: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Another name that it goes by.
    pub alias: Option<String>,
    /// Name of its authorised representative.
    pub alternative_name: Option<String>,
    /// Surname of its authorised representative.
    pub alternative_last_name: Option<String>,
    /// Identity document of its authorised representative.
    pub alternative_personal_identification_number: Option<String>,
    /// Telephone of its authorised representative.
    pub alternative_phone_number: Option<String>,
}

crate::personal::personal_data!(CustomerDetails);

/// The longest name, in characters.
pub const MAX_NAME_LENGTH: usize = 80;
/// The longest address, in characters.
pub const MAX_ADDRESS_LENGTH: usize = 300;
/// The longest number, phone or other short text, in characters.
pub const MAX_SHORT_LENGTH: usize = 60;
/// The most cards of a recipient: one of each brand several times over.
pub const MAX_CARDS: usize = 30;

impl CustomerDetails {
    /// Brings telephones and documents to the form that they are kept in, but for those that are as they were `before`.
    fn check_numbers(
        &mut self,
        kind: CustomerKind,
        before: Option<&Self>,
        today: chrono::NaiveDate,
    ) -> Result<(), Refusal> {
        self.read_numbers(kind, before, today).finish()
    }

    /// The fields of telephones and documents that today's rules refuse: kept before these rules, or taken over from
    /// elsewhere. `today` is the last day that anybody can be born.
    #[must_use]
    pub fn to_correct(&self, kind: CustomerKind, today: chrono::NaiveDate) -> Vec<String> {
        self.clone().read_numbers(kind, None, today).fields()
    }

    fn read_numbers(&mut self, kind: CustomerKind, before: Option<&Self>, today: chrono::NaiveDate) -> Numbers {
        let mut numbers = Numbers::of(today);
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
        // A recipient and its representative live in Cuba; an issuer in the country that it names.
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

    fn validate(&self) -> Result<(), Refusal> {
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
        if let Some(email) = self.email.as_deref().filter(|email| !email.is_empty()) {
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
        Ok(())
    }
}

/// New details of a customer.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeCustomer {
    /// Its details, all of them, since decisions don't hold the old ones.
    pub details: CustomerDetails,
    /// Its details as they stand, where the caller has read them and the command holds only while the customer is
    /// unchanged since (`as_of`): a change that leaves everything as it stands then writes no event.
    pub known: Option<Box<CustomerDetails>>,
    /// Whether it may be used; stays where `None`.
    pub is_active: Option<bool>,
    /// A recipient's place; stays where `None`.
    pub place: Option<Place>,
}

/// What may be asked of a customer.
#[derive(Clone, Debug, PartialEq)]
pub enum CustomerCommand {
    /// Makes a customer.
    Register(RegisterCustomer),
    /// Changes its details.
    Change(ChangeCustomer),
    /// Adds a card to a recipient.
    AddCard(AddCard),
    /// Deletes it: hidden, and refused for new use; history stays.
    Delete,
    /// Forgets the person; what the books say stays.
    Forget(Forget),
}

/// What happened to a customer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum CustomerEvent {
    /// It was made.
    CustomerRegistered(CustomerRegistered),
    /// It was changed.
    CustomerChanged(CustomerChanged),
    /// A card was added.
    CardAdded(CardAdded),
    /// It was deleted.
    CustomerDeleted {
        /// The customer.
        id: CustomerId,
    },
    /// The person was forgotten.
    #[serde(rename_all = "camelCase")]
    PersonForgotten {
        /// The customer.
        id: CustomerId,
        /// How many days a person was kept after their last business.
        retention_days: u32,
    },
}

/// A customer was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomerRegistered {
    /// As decisions know it.
    pub customer: Customer,
    /// What is personal about it.
    pub personal: Personal<CustomerDetails>,
}

/// A customer was changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomerChanged {
    /// The customer.
    pub id: CustomerId,
    /// Whether it may be used from now on.
    pub is_active: bool,
    /// Where it lives from now on.
    pub place: Place,
    /// What is personal about it.
    pub personal: Personal<CustomerDetails>,
}

/// A card was added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardAdded {
    /// The recipient.
    pub customer: CustomerId,
    /// The card.
    pub card: CardId,
    /// Its brand, as chosen.
    pub brand: Brand,
    /// Its number.
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
            CustomerEvent::CustomerRegistered(_) => {}
            CustomerEvent::CustomerChanged(changed) => {
                customer.is_active = changed.is_active;
                customer.place = changed.place;
            }
            CustomerEvent::CardAdded(added) => {
                customer.cards.insert(added.card, added.brand);
            }
            CustomerEvent::CustomerDeleted { .. } => customer.deleted = true,
            CustomerEvent::PersonForgotten { .. } => {
                customer.is_active = false;
                customer.deleted = true;
                customer.forgotten = true;
            }
        }
        Some(customer)
    }

    /// Whether new remittances may use it.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        self.is_active && !self.deleted
    }

    /// Whether a party works with this customer.
    #[must_use]
    pub fn is_of(&self, party: &Party) -> bool {
        party.role == Role::Manager || (party.role.sells() && party.customer_owner() == self.owner)
    }
}

impl<'a> Context<'a> {
    /// A customer that the command refers to.
    #[must_use]
    pub fn customer(&self, id: CustomerId) -> Option<&'a Customer> {
        match self.streams.get(&StreamId::new(StreamKind::Customer, id)) {
            Some(StreamState::Customer(stream)) => stream.0.as_ref(),
            _ => None,
        }
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
        return forget::decide(own, order, ctx);
    }
    let action = match command {
        CustomerCommand::AddCard(_) => Action::AddCard,
        CustomerCommand::Delete => Action::Delete,
        CustomerCommand::Register(_) | CustomerCommand::Change(_) | CustomerCommand::Forget(_) => Action::Edit,
    };
    let own = permission::permitted(ctx, own, action)?;
    match command {
        CustomerCommand::Register(registration) => register::decide(registration, ctx),
        CustomerCommand::Change(change) => change::decide(own, change, ctx),
        CustomerCommand::AddCard(add) => add_card::decide(own, add),
        CustomerCommand::Delete => Ok(change::delete(own)),
        CustomerCommand::Forget(order) => forget::decide(Some(own), order, ctx),
    }
}
