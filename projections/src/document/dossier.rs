//! Dossier of a customer for an authority, with the signature of its JSON.

use super::Composer;
use crate::{
    dossier::{
        Dossier, DossierCandidate, DossierFile, DossierFileKind, DossierListedPerson, DossierPairDecision,
        DossierPerson, DossierRemittance, DossierVersion,
    },
    list::values,
    print::{MONEY, Printing, Words, actor, brand, method, name, status, word, words},
    scalar::{CustomerSide, CustomerType, IdentificationType},
    screening::PublicPairOutcome,
    table::name_in_log,
};
use caudal_export::{Cell, Document, Kind};

/// Signature of a dossier's JSON, as printed.
#[derive(Clone, Debug)]
pub struct PrintedSignature {
    /// SHA-256 of the canonical bytes, in hexadecimal.
    pub digest: String,
    /// Name of the key.
    pub key: String,
    /// Public key, in Base64.
    pub public_key: String,
    /// Signature, in Base64.
    pub signature: String,
}

/// The dossier as a document. The signature covers the JSON of the same export, which has the same content.
#[must_use]
pub fn dossier(dossier: &Dossier, signature: &PrintedSignature, printing: &Printing) -> Document {
    let title = Words::new("Expediente para una autoridad", "Dossier for an authority");
    let last = dossier.versions.last().and_then(|version| version.person.as_ref());
    let name_of = last.map(DossierPerson::full_name);
    let about = vec![printing.name_or_erased(name_of.as_deref())];
    let mut composer = Composer::new(printing, title, &dossier.position.to_string(), about);
    let kind = match dossier.customer_type {
        CustomerType::Sender => word::SENDER,
        CustomerType::Recipient => word::RECIPIENT,
    };
    composer.text(word::TYPE, Some(printing.say(kind)));
    composer.text(word::BELONGS_TO, Some(printing.name(&dossier.owner)));
    composer.text(word::SENDER, name(dossier.sender.as_ref(), printing));
    composer.text(Words::new("Id", "Id"), Some(dossier.customer_id.to_string()));
    composer.time(Words::new("Eliminado el", "Deleted on"), dossier.deleted);
    composer.time(Words::new("Exportado el", "Exported on"), Some(dossier.exported));
    composer.text(
        Words::new("Exportado por", "Exported by"),
        actor(&dossier.exported_by, printing),
    );
    composer.text(word::POSITION, Some(dossier.position.to_string()));
    composer.text(
        Words::new("Hash de esta posición", "Hash of this position"),
        Some(dossier.hash.as_str()),
    );
    for (index, version) in dossier.versions.iter().enumerate().rev() {
        identity(&mut composer, version, index + 1);
    }
    cards(&mut composer, dossier);
    document_pictures(&mut composer, dossier);
    recipients(&mut composer, dossier);
    sums(&mut composer, dossier);
    totals(&mut composer, dossier);
    for remittance in &dossier.remittances {
        one(&mut composer, remittance);
    }
    screenings(&mut composer, dossier);
    pair_decisions(&mut composer, dossier);
    review_files(&mut composer, dossier);
    exports(&mut composer, dossier);
    composer.section(Words::new("Firma del expediente", "Signature of the dossier"));
    let digest = Words::new("SHA-256 del JSON", "SHA-256 of the JSON");
    composer.text(digest, Some(signature.digest.as_str()));
    composer.text(
        Words::new("Clave que firma", "Signing key"),
        Some(signature.key.as_str()),
    );
    composer.text(
        Words::new("Clave pública (Ed25519)", "Public key (Ed25519)"),
        Some(signature.public_key.as_str()),
    );
    composer.text(
        Words::new("Firma en Base64", "Signature in Base64"),
        Some(signature.signature.as_str()),
    );
    composer.finish(
        &signature.digest,
        Words::new(
            "SHA-256 del JSON de este expediente, que la firma cubre. El JSON se verifica sin Caudal.",
            "SHA-256 of this dossier's JSON, which the signature covers. The JSON is verified without Caudal.",
        ),
    )
}

fn document_type(kind: IdentificationType) -> Words {
    match kind {
        IdentificationType::Ci => word::IDENTITY_CARD,
        IdentificationType::Passport => word::PASSPORT,
        IdentificationType::SocialSecurity => word::SOCIAL_SECURITY,
        IdentificationType::AlienCard => word::ALIEN_CARD,
        IdentificationType::PassportCardUs => word::PASSPORT_CARD_US,
        IdentificationType::DriverLicense => word::DRIVER_LICENSE,
        IdentificationType::IdOfficial => word::ID_OFFICIAL,
    }
}

/// One version of the identity; the last one comes first.
fn identity(composer: &mut Composer<'_>, version: &DossierVersion, number: usize) {
    let printing = composer.printing;
    composer.section(Words::new("Identidad", "Identity"));
    composer.text(Words::new("Versión", "Version"), Some(number.to_string()));
    composer.time(word::SINCE, Some(version.at));
    composer.text(word::WHO, actor(&version.by, printing));
    let Some(person) = &version.person else {
        composer.text(word::NAME, Some(printing.say(word::ERASED)));
        return;
    };
    composer.text(word::NAME, Some(person.full_name()));
    composer.text(Words::new("Conocido como", "Known as"), person.alias.as_deref());
    let document = person.document_type.map(|kind| printing.say(document_type(kind)));
    composer.text(word::DOCUMENT, document);
    composer.text(word::NUMBER, person.document_number.as_deref());
    composer.text(word::DOCUMENT_COUNTRY, person.document_country.as_deref());
    composer.text(Words::new("Emitido el", "Issued on"), person.document_issued.as_deref());
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
}

fn cards(composer: &mut Composer<'_>, dossier: &Dossier) {
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
            text(actor(&card.by, printing)),
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

fn recipients(composer: &mut Composer<'_>, dossier: &Dossier) {
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
fn sums(composer: &mut Composer<'_>, dossier: &Dossier) {
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

/// One line per remittance.
fn totals(composer: &mut Composer<'_>, dossier: &Dossier) {
    let printing = composer.printing;
    composer.section(word::REMITTANCES);
    let rows = dossier.remittances.iter().map(|remittance| {
        let state = status(remittance.status, Some(remittance.delivery_method));
        vec![
            text(Some(remittance.code.clone())),
            printing.time(remittance.sold),
            printing.say(state).into(),
            text(Some(printing.name(&remittance.sender))),
            text(Some(printing.name(&remittance.recipient))),
            Cell::Money(remittance.amount.0.minor()),
            Cell::Money(remittance.payout.0.minor()),
            text(Some(remittance.currency.0.to_string())),
        ]
    });
    composer.table(
        &[
            (word::CODE, Kind::Text),
            (word::DATE, Kind::DateTime),
            (word::STATUS, Kind::Text),
            (word::SENDER, Kind::Text),
            (word::RECIPIENT, Kind::Text),
            (word::SENT_USD, MONEY),
            (word::PAYOUT, MONEY),
            (word::CURRENCY, Kind::Text),
        ],
        rows.collect(),
        Vec::new(),
    );
}

fn one(composer: &mut Composer<'_>, remittance: &DossierRemittance) {
    let printing = composer.printing;
    composer.section(word::REMITTANCE);
    composer.text(word::CODE, Some(remittance.code.as_str()));
    composer.text(word::REFERENCE, remittance.reference.as_deref());
    composer.text(word::SELLER, Some(printing.name(&remittance.seller)));
    composer.text(word::AGENCY, name(remittance.agency.as_ref(), printing));
    composer.text(word::AGENT, name(remittance.agent.as_ref(), printing));
    composer.text(word::PAYMENT_GROUP, Some(printing.name(&remittance.payment_group)));
    let rate = Cell::Decimal(remittance.exchange_rate.0.to_string());
    composer.text(word::EXCHANGE_RATE, Some(printing.shown(&rate)));
    composer.money(Words::new("Comisiones USD", "Fees USD"), remittance.total_fee);
    composer.money(
        Words::new("Total a pagar USD", "Total to pay USD"),
        remittance.total_to_pay,
    );
    composer.text(word::DELIVERY, Some(printing.say(method(remittance.delivery_method))));
    composer.text(word::PROVINCE, remittance.province.as_deref());
    composer.text(word::MUNICIPALITY, remittance.municipality.as_deref());
    composer.text(word::ADDRESS, remittance.address.as_deref());
    composer.text(word::NOTES, remittance.notes.as_deref());
    composer.time(word::DELIVERED, remittance.delivered);
    composer.text(word::DELIVERED_BY, name(remittance.delivered_by.as_ref(), printing));
    composer.mark(word::TAKEN_BY_THE_REPRESENTATIVE, remittance.to_representative);
    let rows = remittance.history.iter().map(|step| {
        let attempt = step.attempt.map(words::attempt);
        let held = step.hold.as_ref().map(name_in_log);
        let held = held.and_then(|held| values::HOLD_REASON.words(&held));
        let said = attempt.or(held).map(|said| printing.say(said).to_owned());
        let parts: Vec<String> = said.into_iter().chain(step.reason.clone()).collect();
        let reason = Some(parts.join(": ")).filter(|reason| !reason.is_empty());
        let by = name(step.delivery_man.as_ref().or(step.dealer.as_ref()), printing);
        vec![
            printing.time(step.at),
            printing.say(words::change(step.change)).into(),
            text(actor(&step.by, printing)),
            text(by),
            Cell::Money(step.amount.0.minor()),
            Cell::Money(step.payout.0.minor()),
            text(reason),
            Cell::Integer(step.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::CHANGE, Kind::Text),
            (word::WHO, Kind::Text),
            (word::DEALER, Kind::Text),
            (word::SENT_USD, MONEY),
            (word::PAYOUT, MONEY),
            (word::REASON, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
    files(composer, &remittance.files);
}

/// Comparisons with lists: one line per candidate, or one without any.
fn screenings(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.screenings.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new("Comparación con listas", "Comparison with lists"));
    let rows = dossier.screenings.iter().flat_map(|of| {
        let lists: Vec<&str> = of.lists.keys().map(String::as_str).collect();
        let line = move |list: String, name: Cell, score: Cell| {
            vec![
                printing.time(of.at),
                text(Some(list)),
                name,
                score,
                printing.say(yes_or_no(of.in_review)).into(),
                Cell::Integer(of.position),
            ]
        };
        match &of.candidates {
            None => vec![line(
                lists.join(", "),
                text(Some(printing.say(word::ERASED).to_owned())),
                Cell::Empty,
            )],
            Some(none) if none.is_empty() => vec![line(lists.join(", "), Cell::Empty, Cell::Empty)],
            Some(candidates) => {
                let told = |own: &DossierCandidate| {
                    let list = format!("{} · {}", own.list, own.entry);
                    line(list, text(Some(own.name.clone())), Cell::Integer(own.score.into()))
                };
                candidates.iter().map(told).collect()
            }
        }
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::LIST, Kind::Text),
            (word::NAME, Kind::Text),
            (word::LIKENESS, Kind::Integer),
            (word::IN_REVIEW, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

/// What reviewers decided of listed persons.
fn pair_decisions(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.pair_decisions.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new(
        "Decisiones sobre coincidencias",
        "Decisions about likenesses",
    ));
    let rows = dossier.pair_decisions.iter().map(|of| {
        let same = matches!(of.outcome, PublicPairOutcome::Same);
        let pair = of.list.as_ref().zip(of.entry.as_ref());
        vec![
            printing.time(of.at),
            text(actor(&of.by, printing)),
            text(pair.map(|(list, entry)| format!("{list} · {entry}"))),
            printing.say(yes_or_no(same)).into(),
            text(of.reason.clone()),
            Cell::Integer(of.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::LIST, Kind::Text),
            (Words::new("Es la misma persona", "Is the same person"), Kind::Text),
            (word::REASON, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
    for of in &dossier.pair_decisions {
        if let Some(listed) = &of.listed {
            listed_person(composer, of, listed);
        }
    }
}

/// The listed person of a decision, as it was then.
fn listed_person(composer: &mut Composer<'_>, of: &DossierPairDecision, listed: &DossierListedPerson) {
    composer.section(Words::new(
        "Persona de la lista al decidir",
        "Listed person when decided",
    ));
    composer.text(word::POSITION, Some(of.position.to_string()));
    composer.text(word::LIST, of.list.as_deref());
    for (label, texts) in [
        (word::NAME, &listed.names),
        (word::DOCUMENT, &listed.documents),
        (word::BORN, &listed.born),
        (word::COUNTRIES, &listed.countries),
        (word::PROGRAMS, &listed.programs),
    ] {
        composer.text(label, (!texts.is_empty()).then(|| texts.join(" · ")));
    }
}

const fn yes_or_no(is: bool) -> Words {
    if is { word::YES } else { word::NO }
}

/// Pictures of the customer's documents.
fn document_pictures(composer: &mut Composer<'_>, dossier: &Dossier) {
    if !dossier.document_pictures.is_empty() {
        composer.section(word::PICTURES_OF_THE_DOCUMENT);
        files(composer, &dossier.document_pictures);
    }
}

/// Files of reviews of the customer, not of a remittance.
fn review_files(composer: &mut Composer<'_>, dossier: &Dossier) {
    if !dossier.review_files.is_empty() {
        composer.section(Words::new("Archivos de revisiones", "Files of reviews"));
        files(composer, &dossier.review_files);
    }
}

fn files(composer: &mut Composer<'_>, files: &[DossierFile]) {
    if files.is_empty() {
        return;
    }
    let printing = composer.printing;
    let rows = files.iter().map(|file| {
        let kind = match file.kind {
            DossierFileKind::Identification => Words::new("Identificación o comprobante", "Identification or proof"),
            DossierFileKind::Signature => Words::new("Firma de quien recibió", "Signature of who received"),
            DossierFileKind::Document => word::DOCUMENT,
            DossierFileKind::Review => Words::new("Archivo de una revisión", "File of a review"),
        };
        vec![
            printing.say(kind).into(),
            text(Some(file.hash.clone())),
            Cell::Integer(file.position),
        ]
    });
    composer.table(
        &[
            (word::FILE, Kind::Text),
            (Words::new("SHA-256", "SHA-256"), Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

fn exports(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.exports.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new("Exportado antes", "Exported before"));
    let rows = dossier.exports.iter().map(|export| {
        vec![
            printing.time(export.at),
            text(actor(&export.by, printing)),
            Cell::Integer(export.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

fn text(value: Option<String>) -> Cell {
    value.map_or(Cell::Empty, Cell::Text)
}
