//! Statement of a closure: its frozen figures.

use super::Composer;
use crate::{
    closure::{Closure, ClosureGroup},
    print::{MONEY, Printing, Words},
};
use caudal_export::{Cell, Document, Kind};

const CURRENCY: Words = Words::new("Moneda", "Currency");
const GROUP: Words = Words::new("Grupo", "Group");
const REMITTANCES: Words = Words::new("Remesas", "Remittances");
const SENT: Words = Words::new("Enviado USD", "Sent USD");

/// A figure of a group with its label.
type Figure = (Words, fn(&ClosureGroup) -> i64);

/// Figures of a group from opening to closing.
const FIGURES: [Figure; 6] = [
    (Words::new("Apertura", "Opening"), |g| g.opening.0.minor()),
    (Words::new("Asignado", "Assigned"), |g| g.assigned.0.minor()),
    (Words::new("Cedido a agentes", "Given"), |g| g.given.0.minor()),
    (Words::new("Vendido", "Sold"), |g| g.sold.0.minor()),
    (Words::new("Devuelto", "Returned"), |g| g.returned.0.minor()),
    (Words::new("Cierre", "Closing"), |g| g.closing.0.minor()),
];

#[must_use]
pub fn statement(closure: &Closure, printing: &Printing) -> Document {
    let title = Words::new("Estado de cierre", "Closure statement");
    let about = vec![printing.name(&closure.party)];
    let mut composer = Composer::new(printing, title, &closure.number, about);
    composer.text(Words::new("Número", "Number"), Some(closure.number.as_str()));
    let from = Words::new("Desde", "From");
    let beginning = Words::new("El principio", "The beginning");
    composer.time(from, closure.from);
    composer.text(from, Some(printing.say(beginning)).filter(|_| closure.from.is_none()));
    composer.time(Words::new("Corte", "Cut"), Some(closure.to));
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
        (
            Words::new("Comisión del gerente", "Manager commission"),
            figures.manager_commission,
        ),
        (
            Words::new("Comisión de la agencia", "Agency commission"),
            figures.agency_commission,
        ),
        (
            Words::new("Comisión del agente", "Agent commission"),
            figures.agent_commission,
        ),
        (
            Words::new("Comisión acumulada al corte", "Commission accrued at the cut"),
            figures.commission_accrued,
        ),
        (Words::new("Deudas abiertas", "Debits opened"), figures.debits_opened),
        (Words::new("Deudas pagadas", "Debits paid"), figures.debits_paid),
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
