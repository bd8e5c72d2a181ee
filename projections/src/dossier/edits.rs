//! Before and after of edits: the fields of a version of the customer, or of a remittance, that differ from the one before.

use super::{
    names::Names,
    person::{DossierPerson, DossierVersion},
};
use crate::scalar::IdentificationType;
use caudal_domain::{
    customer::Place,
    remittance::{Delivery, Remittance, RemittanceDetails},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A field of a customer or of a remittance that an edit changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub enum DossierField {
            $($(#[$doc])* $name,)*
        }

        #[cfg(test)]
        impl DossierField {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

fields! {
    /// Whether new remittances may name the customer: `true` or `false`.
    IsActive,
    /// Province of a recipient, or of a delivery.
    Province,
    /// Municipality of a recipient, or of a delivery.
    Municipality,
    /// First name.
    Name,
    /// First surname.
    LastName,
    /// Second surname.
    SecondSurname,
    /// Name by which the customer is known.
    Alias,
    /// Number of the identity document.
    DocumentNumber,
    /// Type of the identity document, such as `passport`.
    DocumentType,
    /// ISO 3166-1 country that issued the document.
    DocumentCountry,
    /// When the document was issued.
    DocumentIssued,
    /// When the document expires.
    DocumentExpires,
    /// Telephone.
    PhoneNumber,
    /// E-mail address.
    Email,
    /// Street and number.
    AddressLine,
    /// Neighbourhood.
    Repart,
    /// City of a sender.
    City,
    /// State or province of a sender.
    StateOrProvince,
    /// Postal code.
    ZipCode,
    /// ISO 3166-1 country of a sender.
    Country,
    /// First name of the authorised representative.
    RepresentativeName,
    /// Surname of the authorised representative.
    RepresentativeLastName,
    /// Identity document of the authorised representative.
    RepresentativeDocumentNumber,
    /// Telephone of the authorised representative.
    RepresentativePhoneNumber,
    /// Name of the recipient of a remittance.
    Recipient,
    /// Name of the payment group.
    PaymentGroup,
    /// Amount sent, in USD.
    Amount,
    /// Amount paid out.
    Payout,
    /// Currency of the payout.
    Currency,
    /// Units of the currency per USD.
    ExchangeRate,
    /// Fees, in USD.
    TotalFee,
    /// Amount and fees, in USD.
    TotalToPay,
    /// The seller's own reference.
    Reference,
    /// `home` or `card`.
    DeliveryMethod,
    /// The card that is paid to: its number, masked except for the last four digits.
    Card,
    /// Delivery address, when another than the recipient's.
    Address,
    /// The seller's notes.
    Notes,
    /// Name of the dealer.
    Dealer,
    /// Name of the delivery man.
    DeliveryMan,
}

/// A field that an edit changed. Values are null where there is none, and after erasure.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierEdit {
    /// The field.
    pub field: DossierField,
    /// Value before the edit.
    pub before: Option<String>,
    /// Value after it.
    pub after: Option<String>,
}

/// A field's value: what is compared, and what is told of it.
pub(super) struct FieldValue {
    field: DossierField,
    compared: Option<String>,
    told: Option<String>,
}

fn said(field: DossierField, value: Option<String>) -> FieldValue {
    FieldValue {
        field,
        compared: value.clone(),
        told: value,
    }
}

/// A record by its id, told by its name.
fn named(field: DossierField, id: Option<Uuid>, names: &Names) -> FieldValue {
    FieldValue {
        field,
        compared: id.map(|id| id.to_string()),
        told: id.and_then(|id| names.of(id).name),
    }
}

/// Fields that differ. The lists begin with the same fields; personal ones end a list, and are left out where they are erased.
pub(super) fn between(before: &[FieldValue], after: &[FieldValue]) -> Vec<DossierEdit> {
    let pairs = before.iter().zip(after);
    let changed = pairs.filter(|(before, after)| before.compared != after.compared);
    let edits = changed.map(|(before, after)| DossierEdit {
        field: after.field,
        before: before.told.clone(),
        after: after.told.clone(),
    });
    edits.collect()
}

/// Stable name of a type of document, as in the log.
pub(crate) const fn document_type(kind: IdentificationType) -> &'static str {
    match kind {
        IdentificationType::Ci => "ci",
        IdentificationType::Passport => "passport",
        IdentificationType::SocialSecurity => "social_security",
        IdentificationType::AlienCard => "alien_card",
        IdentificationType::PassportCardUs => "passport_card_us",
        IdentificationType::DriverLicense => "driver_license",
        IdentificationType::IdOfficial => "id_official",
    }
}

/// Fields of a version of the customer.
pub(super) fn of_version(version: &DossierVersion) -> Vec<FieldValue> {
    use DossierField as Field;
    let DossierVersion {
        position: _,
        at: _,
        by: _,
        is_active,
        province,
        municipality,
        person,
        approval: _,
        edits: _,
    } = version;
    let mut told = vec![
        said(Field::IsActive, Some(is_active.to_string())),
        said(Field::Province, province.clone()),
        said(Field::Municipality, municipality.clone()),
    ];
    let Some(person) = person.clone() else { return told };
    // Named one by one, so that a new field is compared too.
    let DossierPerson {
        name,
        last_name,
        second_surname,
        alias,
        document_number,
        document_type: kind,
        document_country,
        document_issued,
        document_expires,
        phone_number,
        email,
        address_line,
        repart,
        city,
        state_or_province,
        zip_code,
        country,
        representative_name,
        representative_last_name,
        representative_document_number,
        representative_phone_number,
    } = person;
    let kind = kind.map(|kind| document_type(kind).to_owned());
    told.extend([
        said(Field::Name, Some(name)),
        said(Field::LastName, last_name),
        said(Field::SecondSurname, second_surname),
        said(Field::Alias, alias),
        said(Field::DocumentNumber, document_number),
        said(Field::DocumentType, kind),
        said(Field::DocumentCountry, document_country),
        said(Field::DocumentIssued, document_issued),
        said(Field::DocumentExpires, document_expires),
        said(Field::PhoneNumber, phone_number),
        said(Field::Email, email),
        said(Field::AddressLine, address_line),
        said(Field::Repart, repart),
        said(Field::City, city),
        said(Field::StateOrProvince, state_or_province),
        said(Field::ZipCode, zip_code),
        said(Field::Country, country),
        said(Field::RepresentativeName, representative_name),
        said(Field::RepresentativeLastName, representative_last_name),
        said(Field::RepresentativeDocumentNumber, representative_document_number),
        said(Field::RepresentativePhoneNumber, representative_phone_number),
    ]);
    told
}

/// Fields of a remittance as it stands after an event; address and notes only where they are known.
pub(super) fn of_remittance(
    remittance: &Remittance,
    details: Option<&RemittanceDetails>,
    names: &Names,
) -> Vec<FieldValue> {
    use DossierField as Field;
    let (sale, quote) = (&remittance.sale, &remittance.sale.quote);
    let (method, place, card) = match remittance.delivery {
        Delivery::Home { province, municipality } => {
            let place = Place {
                province: Some(province),
                municipality: Some(municipality),
            };
            ("home", place, None)
        }
        Delivery::Card { card, .. } => ("card", Place::default(), Some(card.0)),
    };
    let mut told = vec![
        named(Field::Recipient, Some(sale.recipient.0), names),
        named(Field::PaymentGroup, Some(sale.group.0), names),
        said(Field::Amount, Some(quote.amount.to_string())),
        said(Field::Payout, Some(quote.payout.to_string())),
        said(Field::Currency, Some(quote.currency_to.to_string())),
        said(Field::ExchangeRate, Some(quote.exchange_rate.to_string())),
        said(Field::TotalFee, Some(quote.total_fee.to_string())),
        said(Field::TotalToPay, Some(quote.total_to_pay.to_string())),
        said(Field::Reference, sale.reference.clone()),
        said(Field::DeliveryMethod, Some(method.to_owned())),
        said(Field::Province, super::person::province_name(place)),
        said(Field::Municipality, super::person::municipality_name(place)),
        FieldValue {
            field: Field::Card,
            compared: card.map(|card| card.to_string()),
            told: card.and_then(|card| names.card(card)),
        },
        named(Field::Dealer, remittance.dealer.map(Uuid::from), names),
        named(Field::DeliveryMan, remittance.delivery_man.map(Uuid::from), names),
    ];
    if let Some(RemittanceDetails { address, notes }) = details.cloned() {
        told.extend([said(Field::Address, address), said(Field::Notes, notes)]);
    }
    told
}
