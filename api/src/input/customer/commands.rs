//! Commands that a customer's body asks for, and the body that a customer stands as.

use super::{
    super::{
        field::{Faults, Field},
        merge::standing,
    },
    CustomerInput, is_same_number,
};
use crate::world;
use caudal_domain::{
    Refusal,
    customer::{AddCard, ChangeCustomer, CustomerDetails, CustomerKind, Place, RegisterCustomer},
    ids::{CustomerId, PartyId},
};

/// A new customer, with the cards to add afterwards.
#[derive(Debug)]
pub struct NewCustomer {
    /// Registration command.
    pub command: RegisterCustomer,
    /// Commands that add its cards, with the places of these in the body.
    pub cards: Vec<(usize, AddCard)>,
}

/// A changed customer, with the cards to add afterwards.
#[derive(Debug)]
pub struct CustomerChange {
    /// The command that changes it.
    pub command: ChangeCustomer,
    /// Commands that add its new cards, with the places of these in the body.
    pub cards: Vec<(usize, AddCard)>,
}

/// Parts common to both.
struct Parts {
    kind: Option<CustomerKind>,
    details: Option<CustomerDetails>,
    place: Option<Place>,
    sender: Option<CustomerId>,
    owner: Option<PartyId>,
    is_active: Option<bool>,
    cards: Vec<(usize, AddCard)>,
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
        let cards: Vec<(usize, AddCard)> = faults
            .optional("card", self.card)
            .unwrap_or_default()
            .into_iter()
            .enumerate()
            .filter_map(|(place, card)| Some((place, card.0?)))
            .collect();
        for (index, (place, card)) in cards.iter().enumerate() {
            let mut earlier = cards.iter().take(index);
            if earlier.any(|(_, other)| is_same_number(&other.number, &card.number)) {
                faults.add(format!("card[{place}].cardNumber"), "duplicate");
            }
        }
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
