//! What a request orders a list by.

use super::column::{Served, Sort};

/// What a request orders a list by: a column's expression, then the tie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(super) sort: Sort,
    pub(super) tie: &'static str,
    pub(super) is_descending: bool,
}

impl Order {
    /// The expressions of ` ORDER BY `, from the list's beginning or, turned, from its end.
    pub(super) fn sql(&self, is_turned: bool) -> String {
        let Sort { by, served, .. } = self.sort;
        let direction = if self.is_descending == is_turned { "ASC" } else { "DESC" };
        if by == self.tie {
            return format!("{by} {direction}");
        }
        let missing = match (served, is_turned) {
            (Served::InOrder, _) => "",
            (_, true) => " NULLS FIRST",
            (_, false) => " NULLS LAST",
        };
        format!("{by} {direction}{missing}, {} {direction}", self.tie)
    }

    /// Whether the list is in the order of an expression that is its tie.
    pub(super) fn is_by(&self, expression: &str) -> bool {
        self.sort.by == expression && self.tie == expression
    }
}
