//! The lists' tables: what each of them shows on paper. A list is exported by having one here.

mod audit;
mod cash;
mod ledger;
mod nomenclators;
mod people;
mod periods;
mod rates;
mod remittances;

pub use audit::AUDIT_EVENTS;
pub use cash::{ASSIGNMENTS, CLOSURES, DEBITS, MOVEMENTS};
pub use ledger::{BALANCES, ENTRIES, EntryLine, entry_lines};
pub use nomenclators::{CURRENCIES, PAYMENT_GROUPS};
pub use people::{AGENCIES, AGENTS, CARDS, DEALER_DIRECTORY, DEALER_LIST_REPORT, DEALERS, RECIPIENTS, SENDERS, USERS};
pub use periods::{
    CLOSURE_PREVIEWS, CashLine, DAILY_CREDIT, DEALER_CLOSINGS, DEALER_SALES, DeliveryLine, HoldingLine, PARTY_BALANCES,
    REAL_BALANCES, SALES, SELLER_REMITTANCES, cash_lines, delivery_lines, holding_lines,
};
pub use rates::{RATE_CHANGES, RateLine, rate_change_lines};
pub use remittances::{DISPATCH, DISPUTES, HISTORY, REMITTANCES};

use super::printing::Printing;
use crate::{
    nomenclator::payment_group::Commission,
    refs::{HistoryActor, Ref},
    scalar::UtilityType,
};
use caudal_export::Cell;

/// One line a row, which is what most lists show.
#[must_use]
pub fn one_line<T>(row: T) -> Vec<T> {
    vec![row]
}

/// Somebody's name, where there is somebody.
fn name(of: Option<&Ref>, printing: &Printing) -> Option<String> {
    of.map(|of| printing.name(of))
}

/// Who did something; nobody where it was the system.
fn actor(actor: &HistoryActor, printing: &Printing) -> Option<String> {
    actor.id.map(|_| printing.name_or_erased(actor.name.as_deref()))
}

/// Names after each other.
fn joined<'a>(parts: impl IntoIterator<Item = Option<&'a str>>, between: &str) -> Option<String> {
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    Some(parts.join(between)).filter(|text| !text.is_empty())
}

/// A commission in short: `2 %`, `2 % (< 100,00: 5,00 USD)`.
fn commission(commission: &Commission, printing: &Printing) -> String {
    let rate = format!("{} %", printing.shown(&Cell::Decimal(commission.rate.0.to_string())));
    let (Some(below), Some(value)) = (commission.minimal_amount, commission.utility_value) else {
        return rate;
    };
    let below = printing.shown(&Cell::Money(below.0.minor()));
    let value = printing.shown(&Cell::Decimal(value.0.to_string()));
    let unit = match commission.utility_type {
        UtilityType::Fixed => "USD",
        UtilityType::Percentage => "%",
    };
    format!("{rate} (< {below}: {value} {unit})")
}
