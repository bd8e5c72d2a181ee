//! The customer: versions of the identity with what each changed, cards, recipients, sums, pictures of documents.

use super::{edits, files, text, who};
use crate::{
    document::Composer,
    dossier::{Dossier, DossierVersion},
    print::{MONEY, Words, brand, word},
    scalar::{CustomerSide, CustomerType},
};
use caudal_export::{Cell, Kind};

/// One version of the identity; the last one comes first.
pub(super) fn identity(composer: &mut Composer<'_>, version: &DossierVersion, number: usize) {
    let printing = composer.printing;
    composer.section(Words::new("Identidad", "Identity"));
    composer.text(Words::new("Versión", "Version"), Some(number.to_string()));
    composer.time(word::SINCE, Some(version.at));
    composer.text(word::WHO, who(&version.by, version.approval.as_ref(), printing));
    let Some(person) = &version.person else {
        composer.text(word::NAME, Some(printing.say(word::ERASED)));
        edits::table(composer, &version.edits);
        return;
    };
    composer.text(word::NAME, Some(person.full_name()));
    composer.text(edits::KNOWN_AS, person.alias.as_deref());
    let document = person
        .document_type
        .map(|kind| printing.say(edits::document_type(kind)));
    composer.text(word::DOCUMENT, document);
    composer.text(word::NUMBER, person.document_number.as_deref());
    composer.text(word::DOCUMENT_COUNTRY, person.document_country.as_deref());
    composer.text(edits::ISSUED, person.document_issued.as_deref());
    composer.text(word::EXPIRES, person.document_expires.as_deref());
    composer.text(word::PHONE, person.phone_number.as_deref());
    composer.text(word::EMAIL, person.email.as_deref());
    composer.text(word::ADDRESS, person.address_line.as_deref());
    composer.text(word::NEIGHBOURHOOD, person.repart.as_deref());
    composer.text(word::MUNICIPALITY, version.municipality.as_deref());
    composer.text(word::CITY, person.city.as_deref());
    let province = version.province.as_deref().or(person.state_or_province.as_deref());
    composer.text(word::PROVINCE, province);
    composer.text(word::ZIP_CODE, person.zip_code.as_deref());
    composer.text(word::COUNTRY, person.country.as_deref());
    let names = [&person.representative_name, &person.representative_last_name];
    let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
    composer.text(
        word::REPRESENTATIVE,
        Some(names.join(" ")).filter(|name| !name.is_empty()),
    );
    composer.text(
        word::REPRESENTATIVE_ID,
        person.representative_document_number.as_deref(),
    );
    composer.text(
        word::REPRESENTATIVE_PHONE,
        person.representative_phone_number.as_deref(),
    );
    edits::table(composer, &version.edits);
}

pub(super) fn cards(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.cards.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(word::CARDS);
    let rows = dossier.cards.iter().map(|card| {
        vec![
            printing.say(brand(card.brand.0)).into(),
            text(card.number.clone()),
            printing.time(card.at),
            text(who(&card.by, card.approval.as_ref(), printing)),
        ]
    });
    composer.table(
        &[
            (word::BANK, Kind::Text),
            (word::CARD, Kind::Text),
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
        ],
        rows.collect(),
        Vec::new(),
    );
}

/// When the customer was found to be one person with others.
pub(super) fn identifications(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.identifications.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new(
        "Desde cuándo suma con quien tiene el mismo documento",
        "Since when sums are shared with who has the same document",
    ));
    let rows = dossier.identifications.iter().map(|of| {
        let document = of.document.as_ref();
        let kind = document.and_then(|document| document.kind).map(edits::document_type);
        vec![
            printing.time(of.at),
            text(who(&of.by, None, printing)),
            text(kind.map(|kind| printing.say(kind).to_owned())),
            text(document.map(|document| document.number.clone())),
            text(document.and_then(|document| document.country.clone())),
            text(Some(of.person.to_string())),
            Cell::Integer(of.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::DOCUMENT, Kind::Text),
            (word::NUMBER, Kind::Text),
            (word::COUNTRY, Kind::Text),
            (Words::new("Id de la persona", "Id of the person"), Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

pub(super) fn recipients(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.recipients.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(word::RECIPIENTS);
    let rows = dossier
        .recipients
        .iter()
        .map(|of| vec![text(Some(printing.name(of))), text(Some(of.id.to_string()))]);
    composer.table(
        &[(word::NAME, Kind::Text), (Words::new("Id", "Id"), Kind::Text)],
        rows.collect(),
        Vec::new(),
    );
}

/// What the person sent and received, as every customer with the document.
pub(super) fn sums(composer: &mut Composer<'_>, dossier: &Dossier) {
    let Some(sums) = &dossier.sums else { return };
    let printing = composer.printing;
    composer.section(Words::new("Sumas de la persona", "Sums of the person"));
    let rows = sums.customers.iter().map(|of| {
        let kind = match of.customer_type {
            CustomerType::Sender => word::SENDER,
            CustomerType::Recipient => word::RECIPIENT,
        };
        vec![
            text(Some(printing.name(&of.customer))),
            printing.say(kind).into(),
            text(Some(printing.name(&of.owner))),
        ]
    });
    composer.table(
        &[
            (word::NAME, Kind::Text),
            (word::TYPE, Kind::Text),
            (word::BELONGS_TO, Kind::Text),
        ],
        rows.collect(),
        Vec::new(),
    );
    let side = |side| match side {
        CustomerSide::Sender => printing.say(word::AMOUNT_SENT),
        CustomerSide::Recipient => printing.say(word::RECEIVED),
    };
    let rows = sums.months.iter().map(|of| {
        vec![
            text(Some(of.month.clone())),
            side(of.side).into(),
            Cell::Integer(of.remittances),
            Cell::Money(of.amount.0.minor()),
        ]
    });
    composer.table(
        &[
            (word::MONTH, Kind::Text),
            (word::TYPE, Kind::Text),
            (word::REMITTANCES, Kind::Integer),
            (word::SENT_USD, MONEY),
        ],
        rows.collect(),
        Vec::new(),
    );
    let rows = sums.windows.iter().map(|of| {
        vec![
            Cell::Integer(of.days.into()),
            side(of.side).into(),
            Cell::Integer(of.remittances),
            Cell::Money(of.amount.0.minor()),
        ]
    });
    composer.table(
        &[
            (word::CONSECUTIVE_DAYS, Kind::Integer),
            (word::TYPE, Kind::Text),
            (word::MOST_REMITTANCES, Kind::Integer),
            (word::LARGEST_SUM_USD, MONEY),
        ],
        rows.collect(),
        Vec::new(),
    );
}

/// Pictures of the customer's documents, and who recorded them.
pub(super) fn document_pictures(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.document_pictures.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(word::PICTURES_OF_THE_DOCUMENT);
    files(composer, &dossier.document_pictures);
    if dossier.picture_changes.is_empty() {
        return;
    }
    let rows = dossier.picture_changes.iter().map(|of| {
        vec![
            printing.time(of.at),
            text(who(&of.by, None, printing)),
            Cell::Integer(i64::try_from(of.files.len()).unwrap_or(i64::MAX)),
            Cell::Integer(of.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (
                Words::new("Imágenes desde entonces", "Pictures from then on"),
                Kind::Integer,
            ),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}
