//! Customers: issuers and recipients, and recipients' cards.

mod card;
pub mod city;
mod list;
mod view;

pub(crate) use card::Digits;
pub use card::{CARDS, Card, cards, masked};
pub use list::{EXPIRING_DOCUMENTS, RECIPIENTS, SENDERS, expiring, list};
pub(crate) use list::{RECIPIENTS_SAMPLE, SENDERS_SAMPLE, and_visible, in_scope};
pub(crate) use view::kinds;
pub use view::{Customer, CustomerAddress, IdentityDocument, document_pictures, facts, get, ids_of_owner};

use crate::{
    batch::{Batch, existing},
    error::ProjectError,
    rows::{CardRow, CustomerRow},
    scalar::CustomerType,
    screening, search,
    table::{Json, PersonalJson},
    tally::{Change, Counted, Tallies},
};
use caudal_domain::{
    Personal,
    customer::{CustomerDetails, CustomerEvent, Place},
    limits,
};
use caudal_journal::Recorded;
use uuid::Uuid;

impl CustomerRow {
    fn set_place(&mut self, place: Place) {
        self.province = place.province.map(Uuid::from);
        self.municipality = place.municipality.map(Uuid::from);
    }

    fn erase(&mut self) {
        (self.name, self.phone, self.identification) = (None, None, None);
        self.document = None;
        (self.search, self.details) = (None, None);
        self.document_pictures = None;
    }

    fn set_personal(&mut self, personal: &Personal<CustomerDetails>) {
        let details = personal.get();
        self.name = details.map(full_name);
        self.phone = details.and_then(|details| details.phone_number.clone());
        self.identification = details.and_then(|details| details.personal_identification_number.clone());
        self.document = details
            .and_then(limits::IdentityDocument::of)
            .map(|document| document.unique());
        self.search = details.map(|details| {
            search::folded([
                Some(full_name(details).as_str()),
                details.phone_number.as_deref(),
                details.personal_identification_number.as_deref(),
                details.email.as_deref(),
            ])
        });
        self.details = details.cloned().map(PersonalJson);
    }
}

/// Name, surname and second surname, joined.
#[must_use]
pub fn full_name(details: &CustomerDetails) -> String {
    let parts = [
        Some(&details.name),
        details.last_name.as_ref(),
        details.second_surname.as_ref(),
    ];
    let present: Vec<&str> = parts
        .into_iter()
        .flatten()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    present.join(" ")
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &CustomerEvent) -> Result<(), ProjectError> {
    match event {
        CustomerEvent::CustomerRegistered(registered) => {
            let customer = &registered.customer;
            let mut row = CustomerRow {
                id: customer.id.0,
                kind: CustomerType::from(customer.kind).number().into(),
                owner: customer.owner.0,
                sender: customer.sender.map(Uuid::from),
                is_active: customer.is_active,
                deleted: customer.deleted,
                province: None,
                municipality: None,
                name: None,
                phone: None,
                identification: None,
                details: None,
                created_at: recorded.recorded_at,
                updated_at: recorded.recorded_at,
                search: None,
                position: recorded.position,
                document_pictures: None,
                document: None,
            };
            row.set_place(customer.place);
            row.set_personal(&registered.personal);
            batch.customers.put(row);
        }
        CustomerEvent::CustomerChanged(changed) => {
            let row = existing(&mut batch.customers, recorded, changed.id)?;
            row.is_active = changed.is_active;
            row.set_place(changed.place);
            row.set_personal(&changed.personal);
            row.updated_at = recorded.recorded_at;
        }
        CustomerEvent::CardAdded(added) => {
            existing(&mut batch.customers, recorded, added.customer)?.updated_at = recorded.recorded_at;
            batch.cards.push(CardRow {
                id: added.card.0,
                customer: added.customer.0,
                brand: added.brand,
                number: added.personal.get().map(|number| number.card_number.clone()),
                added_at: recorded.recorded_at,
            });
        }
        CustomerEvent::DocumentPicturesRecorded(pictures) => {
            let row = existing(&mut batch.customers, recorded, pictures.id)?;
            row.document_pictures = (!pictures.files.is_empty()).then(|| Json(pictures.files.clone()));
            row.updated_at = recorded.recorded_at;
        }
        CustomerEvent::CustomerDeleted { id } => {
            let row = existing(&mut batch.customers, recorded, *id)?;
            row.deleted = true;
            row.updated_at = recorded.recorded_at;
        }
        CustomerEvent::PersonForgotten { id, .. } => {
            let row = existing(&mut batch.customers, recorded, *id)?;
            row.is_active = false;
            row.deleted = true;
            row.erase();
            row.updated_at = recorded.recorded_at;
            batch.forgotten_customers.push(id.0);
            screening::erased(batch, id.0);
        }
        CustomerEvent::DossierExported { .. }
        | CustomerEvent::PersonIdentified(_)
        | CustomerEvent::PersonDocumentReleased(_) => {}
        CustomerEvent::CustomerScreened(screened) => screening::found(batch, recorded, screened),
        CustomerEvent::ScreeningPairDecided(decided) => screening::decided(batch, recorded, decided)?,
    }
    Ok(())
}

/// Names of the two lists in the tallies.
const fn counted_as(kind: i16) -> &'static str {
    if kind == CustomerType::Recipient.number() as i16 {
        "recipients"
    } else {
        "senders"
    }
}

/// Counts a row.
pub(crate) fn tally(tallies: &mut Tallies, change: Change, row: &CustomerRow) {
    if row.deleted {
        return;
    }
    let counted = Counted {
        list: counted_as(row.kind),
        position: row.position,
        part: row.is_active.into(),
        currency: "",
        amount: 0,
        values: vec![("owner", row.owner.to_string())],
    };
    tallies.count(change, counted);
}
