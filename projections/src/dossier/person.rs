//! The customer: versions of the identity, cards, when it became one person with others, and its deletion.

use super::{
    DossierAct, DossierApproval,
    edits::{self, DossierEdit},
    names::Names,
};
use crate::{
    customer::masked,
    refs::HistoryActor,
    scalar::{CardBrand, IdentificationType},
};
use caudal_domain::{
    Event,
    customer::{CustomerDetails, CustomerEvent, Place},
    limits::IdentityDocument,
    reference_data::place,
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A version of a customer's identity.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierVersion {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who recorded it.
    pub by: HistoryActor,
    /// Whether new remittances could name the customer.
    pub is_active: bool,
    /// Province of a recipient.
    pub province: Option<String>,
    /// Municipality of a recipient.
    pub municipality: Option<String>,
    /// Personal data; null after erasure.
    pub person: Option<DossierPerson>,
    /// Who approved it; absent where it took effect at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<DossierApproval>,
    /// What differs from the version before; absent where nothing does, and of the first version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<DossierEdit>,
}

/// Personal data of a customer, as recorded.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierPerson {
    /// First name.
    pub name: String,
    /// First surname.
    pub last_name: Option<String>,
    /// Second surname.
    pub second_surname: Option<String>,
    /// Name by which the customer is known.
    pub alias: Option<String>,
    /// Number of the identity document.
    pub document_number: Option<String>,
    /// Type of the identity document.
    pub document_type: Option<IdentificationType>,
    /// ISO 3166-1 country that issued the document; absent where its type implies it, and where nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_country: Option<String>,
    /// When the document was issued, `YYYY-MM-DD`.
    pub document_issued: Option<String>,
    /// When the document expires, `YYYY-MM-DD`.
    pub document_expires: Option<String>,
    /// Telephone.
    pub phone_number: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Street and number.
    pub address_line: Option<String>,
    /// Neighbourhood.
    pub repart: Option<String>,
    /// City of a sender.
    pub city: Option<String>,
    /// State or province of a sender.
    pub state_or_province: Option<String>,
    /// Postal code.
    pub zip_code: Option<String>,
    /// ISO 3166-1 country of a sender.
    pub country: Option<String>,
    /// First name of the authorised representative.
    pub representative_name: Option<String>,
    /// Surname of the authorised representative.
    pub representative_last_name: Option<String>,
    /// Identity document of the authorised representative.
    pub representative_document_number: Option<String>,
    /// Telephone of the authorised representative.
    pub representative_phone_number: Option<String>,
}

impl From<&CustomerDetails> for DossierPerson {
    fn from(details: &CustomerDetails) -> Self {
        let of = details.clone();
        Self {
            name: of.name,
            last_name: of.last_name,
            second_surname: of.second_surname,
            alias: of.alias,
            document_number: of.personal_identification_number,
            document_type: of.personal_identification_type.map(IdentificationType::from),
            document_country: of.personal_identification_country,
            document_issued: of.personal_identification_issue_date,
            document_expires: of.personal_identification_expiration_date,
            phone_number: of.phone_number,
            email: of.email,
            address_line: of.address_line,
            repart: of.repart,
            city: of.municipality,
            state_or_province: of.province,
            zip_code: of.zip_code,
            country: of.country,
            representative_name: of.alternative_name,
            representative_last_name: of.alternative_last_name,
            representative_document_number: of.alternative_personal_identification_number,
            representative_phone_number: of.alternative_phone_number,
        }
    }
}

impl DossierPerson {
    /// Name, surname and second surname.
    #[must_use]
    pub fn full_name(&self) -> String {
        let parts = [Some(&self.name), self.last_name.as_ref(), self.second_surname.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(|part| part.trim()).collect();
        parts.join(" ").trim().to_owned()
    }
}

/// A card of a recipient.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCard {
    /// Id of the card.
    pub id: Uuid,
    /// Bank and currency.
    pub brand: CardBrand,
    /// Number, masked except for the last four digits; null after erasure.
    pub number: Option<String>,
    /// When it was added.
    pub at: DateTime<Utc>,
    /// Who added it.
    pub by: HistoryActor,
    /// Position of the event in the log; absent in exports of the first content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// Who approved it; absent where it took effect at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<DossierApproval>,
}

/// When the customer was found to be one person with every customer who has the same document.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierIdentification {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Whose command it followed from; all fields null for the system.
    pub by: HistoryActor,
    /// Id of the person, for whom limit rules add up.
    pub person: Uuid,
    /// The document; null for a customer without one, and after erasure.
    pub document: Option<DossierDocument>,
}

/// An identity document, by which customers are one person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierDocument {
    /// Type, where it is known.
    pub kind: Option<IdentificationType>,
    /// ISO 3166-1 country of issue, where it is known.
    pub country: Option<String>,
    /// Number.
    pub number: String,
}

impl From<&IdentityDocument> for DossierDocument {
    fn from(of: &IdentityDocument) -> Self {
        Self {
            kind: of.kind.map(IdentificationType::from),
            country: of.country.clone(),
            number: of.number.clone(),
        }
    }
}

pub(super) fn province_name(place: Place) -> Option<String> {
    place
        .province
        .and_then(place::province)
        .map(|province| province.name.clone())
}

pub(super) fn municipality_name(place: Place) -> Option<String> {
    let municipality = place.municipality.and_then(place::municipality);
    municipality.map(|municipality| municipality.name.clone())
}

/// All versions, each with what differs from the one before.
pub(super) fn versions(customer: &[Recorded], names: &Names) -> Vec<DossierVersion> {
    let mut versions: Vec<DossierVersion> = Vec::new();
    for mut version in customer.iter().filter_map(|recorded| version(recorded, names)) {
        if let Some(before) = versions.last() {
            version.edits = edits::between(&edits::of_version(before), &edits::of_version(&version));
        }
        versions.push(version);
    }
    versions
}

fn version(recorded: &Recorded, names: &Names) -> Option<DossierVersion> {
    let (is_active, place, personal) = match &recorded.event {
        Event::Customer(CustomerEvent::CustomerRegistered(registered)) => {
            let customer = &registered.customer;
            (customer.is_active, customer.place, &registered.personal)
        }
        Event::Customer(CustomerEvent::CustomerChanged(changed)) => {
            (changed.is_active, changed.place, &changed.personal)
        }
        _ => return None,
    };
    Some(DossierVersion {
        position: recorded.position,
        at: recorded.recorded_at,
        by: names.actor(recorded),
        is_active,
        province: province_name(place),
        municipality: municipality_name(place),
        person: personal.get().map(DossierPerson::from),
        approval: names.approval(recorded),
        edits: Vec::new(),
    })
}

pub(super) fn cards(customer: &[Recorded], names: &Names) -> Vec<DossierCard> {
    let cards = customer.iter().filter_map(|recorded| {
        let Event::Customer(CustomerEvent::CardAdded(added)) = &recorded.event else {
            return None;
        };
        Some(DossierCard {
            id: added.card.0,
            brand: added.brand.into(),
            number: added.personal.get().map(|number| masked(&number.card_number)),
            at: recorded.recorded_at,
            by: names.actor(recorded),
            position: Some(recorded.position),
            approval: names.approval(recorded),
        })
    });
    cards.collect()
}

pub(super) fn identifications(customer: &[Recorded], names: &Names) -> Vec<DossierIdentification> {
    let found = customer.iter().filter_map(|recorded| {
        let Event::Customer(CustomerEvent::PersonIdentified(identified)) = &recorded.event else {
            return None;
        };
        let document = identified.personal.get().filter(|_| identified.has_document);
        Some(DossierIdentification {
            position: recorded.position,
            at: recorded.recorded_at,
            by: names.actor(recorded),
            person: identified.person.0,
            document: document.map(DossierDocument::from),
        })
    });
    found.collect()
}

/// Who deleted the customer, and when.
pub(super) fn deletion(customer: &[Recorded], names: &Names) -> Option<DossierAct> {
    let deleted = customer
        .iter()
        .find(|recorded| matches!(recorded.event, Event::Customer(CustomerEvent::CustomerDeleted { .. })));
    deleted.map(|recorded| names.act(recorded))
}
