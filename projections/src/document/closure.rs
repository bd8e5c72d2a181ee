//! Statement of a closure: its frozen figures.

use super::Composer;
use crate::{
    closure::{Closure, ClosureGroup},
    print::{MONEY, Printing, Words, word},
};
use caudal_export::{Cell, Document, Kind};

const CURRENCY: Words = word::CURRENCY;
const GROUP: Words = Words::new("Grupo", "Group");
const REMITTANCES: Words = word::REMITTANCES;
const SENT: Words = word::SENT_USD;

/// A figure of a group with its label.
type Figure = (Words, fn(&ClosureGroup) -> i64);

/// Figures of a group from opening to closing.
const FIGURES: [Figure; 6] = [
    (word::OPENING, |g| g.opening.0.minor()),
    (word::ASSIGNED, |g| g.assigned.0.minor()),
    (word::GIVEN_TO_AGENTS, |g| g.given.0.minor()),
    (word::SOLD, |g| g.sold.0.minor()),
    (word::RETURNED, |g| g.returned.0.minor()),
    (word::CLOSING, |g| g.closing.0.minor()),
];

#[must_use]
pub fn statement(closure: &Closure, printing: &Printing) -> Document {
    let title = Words::new("Estado de cierre", "Closure statement");
    let about = vec![printing.name(&closure.party)];
    let mut composer = Composer::new(printing, title, &closure.number, about);
    composer.text(word::NUMBER, Some(closure.number.as_str()));
    let from = word::FROM_DAY;
    let beginning = Words::new("El principio", "The beginning");
    composer.time(from, closure.from);
    composer.text(from, Some(printing.say(beginning)).filter(|_| closure.from.is_none()));
    composer.time(word::CUT, Some(closure.to));
    composer.time(Words::new("Cerrado", "Closed"), Some(closure.created));
    composer.section(Words::new("Saldos por grupo de pago", "Balances by payment group"));
    let names = [(GROUP, Kind::Text), (CURRENCY, Kind::Text)].into_iter();
    let figures = FIGURES.iter().map(|(words, _)| (*words, MONEY));
    let sold = [(REMITTANCES, Kind::Integer), (SENT, MONEY)];
    let columns: Vec<_> = names.chain(figures).chain(sold).collect();
    let rows = closure.figures.groups.iter().map(row).collect();
    composer.table(&columns, rows, Vec::new());
    composer.section(Words::new(
        "Comisiones y deudas en USD",
        "Commissions and debits in USD",
    ));
    let figures = &closure.figures;
    let count = Cell::Integer(figures.remittances);
    composer.field(REMITTANCES, Kind::Integer, count);
    for (label, amount) in [
        (SENT, figures.amount),
        (word::MANAGER_COMMISSION, figures.manager_commission),
        (word::AGENCY_COMMISSION, figures.agency_commission),
        (word::AGENT_COMMISSION, figures.agent_commission),
        (
            Words::new("Comisión acumulada al corte", "Commission accrued at the cut"),
            figures.commission_accrued,
        ),
        (word::DEBITS_OPENED, figures.debits_opened),
        (word::DEBITS_PAID, figures.debits_paid),
        (
            Words::new("Deuda pendiente", "Debits outstanding"),
            figures.debits_outstanding,
        ),
    ] {
        composer.money(label, amount);
    }
    let caption = Words::new(
        "Con este número se consulta el cierre.",
        "The closure is found by this number.",
    );
    composer.finish(&closure.number, caption)
}

fn row(group: &ClosureGroup) -> Vec<Cell> {
    let names = [group.group_name.clone().into(), group.currency.0.to_string().into()];
    let figures = FIGURES.iter().map(|(_, figure)| Cell::Money(figure(group)));
    let sold = [Cell::Integer(group.remittances), Cell::Money(group.amount.0.minor())];
    names.into_iter().chain(figures).chain(sold).collect()
}
