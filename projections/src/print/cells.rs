//! Cell values of lists.

use super::printing::Printing;
use crate::{
    nomenclator::payment_group::Commission,
    party::ProfilePaymentGroup,
    refs::{HistoryActor, Ref},
    scalar::UtilityType,
};
use caudal_export::Cell;

/// One line per row, as in most lists.
#[must_use]
pub fn one_line<T>(row: T) -> Vec<T> {
    vec![row]
}

/// Name of an optional reference.
pub(crate) fn name(of: Option<&Ref>, printing: &Printing) -> Option<String> {
    of.map(|of| printing.name(of))
}

/// Name of an actor; `None` for the system.
pub(crate) fn actor(actor: &HistoryActor, printing: &Printing) -> Option<String> {
    actor.id.map(|_| printing.name_or_erased(actor.name.as_deref()))
}

/// Joins the present names.
pub(crate) fn joined<'a>(parts: impl IntoIterator<Item = Option<&'a str>>, between: &str) -> Option<String> {
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    Some(parts.join(between)).filter(|text| !text.is_empty())
}

/// A commission in short: `2 %`, `2 % (< 100,00: 5,00 USD)`.
pub(crate) fn commission(commission: &Commission, printing: &Printing) -> String {
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

/// A seller's balances in short: `CUP a domicilio 1.234,50 CUP; MLC 20,00 MLC`.
pub(crate) fn balances(groups: &[ProfilePaymentGroup], printing: &Printing) -> Option<String> {
    let groups: Vec<String> = groups
        .iter()
        .map(|group| {
            let amount = printing.shown(&Cell::Money(group.amount.0.minor()));
            format!("{} {amount} {}", group.group_name, group.currency_to.0)
        })
        .collect();
    Some(groups.join("; ")).filter(|text| !text.is_empty())
}

pub(crate) fn address(lines: [&Option<String>; 3]) -> Option<String> {
    joined(lines.map(|line| line.as_deref()), ", ")
}
