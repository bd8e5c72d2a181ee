//! Changes of exchange rates, a line each rate.

use super::{
    super::table::{Table, rate, text, time},
    name,
};
use crate::{
    print::{Printing, Words},
    rates::{ChangedRate, RateChange, RateOwner},
};
use std::sync::Arc;

/// One rate of a change.
pub struct RateLine {
    change: Arc<RateChange>,
    rate: ChangedRate,
}

/// A change's rates.
#[must_use]
pub fn rate_change_lines(mut change: RateChange) -> Vec<RateLine> {
    let rates = std::mem::take(&mut change.rates);
    let change = Arc::new(change);
    let line = |rate| RateLine {
        change: Arc::clone(&change),
        rate,
    };
    rates.into_iter().map(line).collect()
}

const REFERENCE: Words = Words::new("Referencia", "Reference");
const CATALOGUE: Words = Words::new("Catálogo", "Catalogue");

fn owner(owner: &RateOwner, printing: &Printing) -> Option<String> {
    match owner.kind {
        "terms" => name(owner.party.as_ref(), printing),
        "catalogue" => Some(printing.say(CATALOGUE).to_owned()),
        _ => Some(printing.say(REFERENCE).to_owned()),
    }
}

fn status(status: &str, printing: &Printing) -> String {
    let words = match status {
        "scheduled" => Words::new("Programado", "Scheduled"),
        "effective" => Words::new("Vigente desde", "Effective since"),
        "canceled" => Words::new("Retirado", "Withdrawn"),
        _ => Words::new("Deshecho", "Undone"),
    };
    printing.say(words).to_owned()
}

/// Changes of exchange rates.
pub const RATE_CHANGES: Table<RateLine> = Table::new(
    Words::new("Cambios de tasas", "Changes of rates"),
    &[
        time("Fecha", "Date", |l| Some(l.change.created)),
        text("Quién", "Who", |l, p| name(l.change.created_by.as_ref(), p)),
        text("Estado", "Status", |l, p| Some(status(&l.change.status, p))),
        time("Programado para", "Scheduled for", |l| l.change.at),
        time("Vigente desde", "Effective since", |l| l.change.effective_at),
        text("De quién", "Whose", |l, p| owner(&l.rate.owner, p)),
        text("Grupo de pago", "Payment group", |l, _| {
            l.rate.owner.payment_group_name.clone()
        }),
        text("Moneda", "Currency", |l, _| {
            l.rate.owner.currency.map(|code| code.0.to_string())
        }),
        rate("Antes", "Before", |l| Some(l.rate.from)),
        rate("Después", "After", |l| Some(l.rate.to)),
    ],
);
