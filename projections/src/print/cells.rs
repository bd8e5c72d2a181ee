//! Cell values of lists.

use super::printing::Printing;
use crate::refs::{HistoryActor, Ref};

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

pub(crate) fn address(lines: [&Option<String>; 3]) -> Option<String> {
    joined(lines.map(|line| line.as_deref()), ", ")
}
