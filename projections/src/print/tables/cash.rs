//! Movements, debits and closures.

use super::{
    super::table::{Column, Table, count, currency, flag, money, sum, text, time},
    actor, name,
};
use crate::{
    closure::Closure,
    debit::Debit,
    movement::{Movement, MovementAmount},
    print::{Printing, TREASURY, Words, movement, words},
    refs::Ref,
};

fn side(of: Option<&Ref>, printing: &Printing) -> Option<String> {
    name(of, printing).or_else(|| Some(printing.say(TREASURY).to_owned()))
}

fn given(movement: &Movement) -> Option<&MovementAmount> {
    movement.amounts.first()
}

fn counter(movement: &Movement) -> Option<&MovementAmount> {
    movement.amounts.get(1)
}

const MOVEMENT_COLUMNS: &[Column<Movement>] = &[
    text("Número", "Number", |m, _| Some(m.number.clone())),
    time("Fecha", "Date", |m| Some(m.created)),
    text("Tipo", "Kind", |m, p| Some(p.say(movement(m.kind)).to_owned())),
    text("De", "From", |m, p| side(m.from.as_ref(), p)),
    text("A", "To", |m, p| side(m.to.as_ref(), p)),
    sum("Importe", "Amount", |m| given(m).map(|given| given.amount)),
    currency("Moneda", "Currency", |m| given(m).map(|given| given.currency)),
    money("Contravalor", "Counter amount", |m| {
        counter(m).map(|counter| counter.amount)
    }),
    text("Moneda del contravalor", "Counter currency", |m, _| {
        counter(m).map(|counter| counter.currency.0.to_string())
    }),
    flag("A crédito", "On credit", |m| m.on_credit),
    flag("Revertido", "Reversed", |m| m.reversed),
    text("Quién", "Who", |m, p| actor(&m.actor, p)),
    text("Nota", "Note", |m, _| m.note.clone()),
];

/// Movements.
pub const MOVEMENTS: Table<Movement> = Table::new(Words::new("Movimientos", "Movements"), MOVEMENT_COLUMNS);

/// What was assigned to agencies, agents or dealers.
pub const ASSIGNMENTS: Table<Movement> =
    Table::new(Words::new("Saldos asignados", "Assigned balances"), MOVEMENT_COLUMNS);

/// Debits.
pub const DEBITS: Table<Debit> = Table::new(
    Words::new("Deudas", "Debits"),
    &[
        time("Fecha", "Date", |d| Some(d.created)),
        text("Deudor", "Debtor", |d, p| name(Some(&d.debtor), p)),
        text("Acreedor", "Creditor", |d, p| side(d.creditor.as_ref(), p)),
        text("Origen", "Origin", |d, p| {
            Some(p.say(words::origin(d.origin)).to_owned())
        }),
        text("Estado", "Status", |d, p| {
            Some(p.say(words::debit(d.status)).to_owned())
        }),
        sum("Importe USD", "Amount USD", |d| Some(d.amount)),
        sum("Pagado USD", "Paid USD", |d| Some(d.paid)),
        sum("Pendiente USD", "Outstanding USD", |d| Some(d.outstanding)),
        time("Saldada", "Settled", |d| d.settled),
    ],
);

/// Closures, with what is in USD of their figures; the statement has all.
pub const CLOSURES: Table<Closure> = Table::new(
    Words::new("Cierres", "Closures"),
    &[
        text("Número", "Number", |c, _| Some(c.number.clone())),
        text("Vendedor", "Seller", |c, p| name(Some(&c.party), p)),
        time("Desde", "From", |c| c.from),
        time("Corte", "Cut", |c| Some(c.to)),
        count("Remesas", "Remittances", |c| c.figures.remittances),
        sum("Enviado USD", "Sent USD", |c| Some(c.figures.amount)),
        sum("Comisión del gerente USD", "Manager commission USD", |c| {
            Some(c.figures.manager_commission)
        }),
        sum("Comisión de la agencia USD", "Agency commission USD", |c| {
            Some(c.figures.agency_commission)
        }),
        sum("Comisión del agente USD", "Agent commission USD", |c| {
            Some(c.figures.agent_commission)
        }),
        sum("Comisión acumulada USD", "Commission accrued USD", |c| {
            Some(c.figures.commission_accrued)
        }),
        sum("Deudas abiertas USD", "Debits opened USD", |c| {
            Some(c.figures.debits_opened)
        }),
        sum("Deudas pagadas USD", "Debits paid USD", |c| Some(c.figures.debits_paid)),
        money("Deuda pendiente USD", "Debits outstanding USD", |c| {
            Some(c.figures.debits_outstanding)
        }),
    ],
);
