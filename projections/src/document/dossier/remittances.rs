//! Remittances: one line each, and then each with its events and what they changed.

use super::{edits, files, text, who};
use crate::{
    document::Composer,
    dossier::{Dossier, DossierField, DossierRemittance, DossierStep},
    list::values,
    print::{MONEY, Printing, method, name, status, word, words},
    table::name_in_log,
};
use caudal_export::{Cell, Kind};

/// One line per remittance.
pub(super) fn totals(composer: &mut Composer<'_>, dossier: &Dossier) {
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

/// One remittance.
pub(super) fn one(composer: &mut Composer<'_>, remittance: &DossierRemittance) {
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
    composer.money(edits::FEES, remittance.total_fee);
    composer.money(edits::TOTAL_TO_PAY, remittance.total_to_pay);
    composer.text(word::DELIVERY, Some(printing.say(method(remittance.delivery_method))));
    composer.text(word::PROVINCE, remittance.province.as_deref());
    composer.text(word::MUNICIPALITY, remittance.municipality.as_deref());
    composer.text(word::CARD, remittance.card.as_deref());
    composer.text(word::ADDRESS, remittance.address.as_deref());
    composer.text(word::NOTES, remittance.notes.as_deref());
    composer.time(word::DELIVERED, remittance.delivered);
    composer.text(word::DELIVERED_BY, name(remittance.delivered_by.as_ref(), printing));
    composer.mark(word::TAKEN_BY_THE_REPRESENTATIVE, remittance.to_representative);
    let rows = remittance.history.iter().map(|step| {
        let by = name(step.delivery_man.as_ref().or(step.dealer.as_ref()), printing);
        vec![
            printing.time(step.at),
            printing.say(words::change(step.change)).into(),
            text(who(&step.by, step.approval.as_ref(), printing)),
            text(by),
            Cell::Money(step.amount.0.minor()),
            Cell::Money(step.payout.0.minor()),
            text(reason(step, printing)),
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
    changes(composer, remittance);
    files(composer, &remittance.files);
}

/// Why something was done, in words: of a hold its number and reason, of a disputed delivery who reports it and why it was refused.
fn reason(step: &DossierStep, printing: &Printing) -> Option<String> {
    let held = step.hold.as_ref().map(name_in_log);
    let said = [
        step.attempt.map(words::attempt),
        held.and_then(|held| values::HOLD_REASON.words(&held)),
        step.refused.as_deref().map(words::refused),
    ];
    let said = said.into_iter().flatten().map(|said| printing.say(said).to_owned());
    let number = step
        .hold_number
        .map(|number| format!("{} {number}", printing.say(word::REVIEW)));
    let reported = step.reported_by.as_ref();
    let reported = reported.map(|by| format!("{}: {}", printing.say(word::SAYS_THAT_HE_DELIVERED), printing.name(by)));
    let parts: Vec<String> = number
        .into_iter()
        .chain(reported)
        .chain(said)
        .chain(step.reason.clone())
        .collect();
    Some(parts.join(": ")).filter(|reason| !reason.is_empty())
}

/// What edits changed, from what to what. Who first carries a remittance stands with the event.
fn changes(composer: &mut Composer<'_>, remittance: &DossierRemittance) {
    let printing = composer.printing;
    let rows = remittance.history.iter().flat_map(|step| {
        let edits = step.edits.iter().filter(|edit| {
            let carrier = matches!(edit.field, DossierField::Dealer | DossierField::DeliveryMan);
            !carrier || edit.before.is_some()
        });
        edits.map(|edit| {
            let mut row = vec![
                printing.time(step.at),
                text(who(&step.by, step.approval.as_ref(), printing)),
            ];
            row.extend(edits::row(edit, printing));
            row.push(Cell::Integer(step.position));
            row
        })
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return;
    }
    let mut columns = vec![(word::DATE, Kind::DateTime), (word::WHO, Kind::Text)];
    columns.extend(edits::COLUMNS);
    columns.push((word::POSITION, Kind::Integer));
    composer.table(&columns, rows, Vec::new());
}
