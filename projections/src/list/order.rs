//! Order of a requested list.

use super::{
    MAX_SORTED,
    column::{Served, Sort},
};
use caudal_domain::Refusal;

/// A column's expression, then the tie-breaker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(super) sort: Sort,
    pub(super) tie: &'static str,
    pub(super) is_descending: bool,
}

impl Order {
    /// Expressions of ` ORDER BY `, forward or, turned, backward.
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

    /// Refuses to sort more rows than the column permits.
    pub(super) fn require_bound(&self, total: i64) -> Result<(), Refusal> {
        if self.sort.served == Served::Bounded && total > MAX_SORTED {
            let max = [("max", MAX_SORTED.to_string())];
            return Err(Refusal::invalid_with("sort", "too_many_records_to_sort", max));
        }
        Ok(())
    }

    /// Whether the order is that of the tie-breaker expression.
    pub(super) fn is_by(&self, expression: &str) -> bool {
        self.sort.by == expression && self.tie == expression
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(by: &'static str, served: Served) -> Order {
        Order {
            sort: Sort {
                by,
                served,
                tells_prices: false,
            },
            tie: "r.position",
            is_descending: true,
        }
    }

    #[test]
    fn missing_values_stand_last_both_ways_but_in_the_order_of_an_index() {
        let sorted = order("r.currency", Served::Bounded);
        assert_eq!(sorted.sql(false), "r.currency DESC NULLS LAST, r.position DESC");
        assert_eq!(sorted.sql(true), "r.currency ASC NULLS FIRST, r.position ASC");
        let in_order = order("r.payout", Served::InOrder);
        assert_eq!(in_order.sql(false), "r.payout DESC, r.position DESC");
        assert_eq!(order("r.position", Served::InOrder).sql(true), "r.position ASC");
    }

    #[test]
    fn a_bounded_sort_of_more_rows_is_refused_and_an_index_has_no_bound() {
        let refusal = order("r.currency", Served::Bounded).require_bound(MAX_SORTED + 1);
        assert_eq!(refusal.unwrap_err().errors[0].code, "too_many_records_to_sort");
        assert!(order("r.currency", Served::Bounded).require_bound(MAX_SORTED).is_ok());
        assert!(order("r.payout", Served::InOrder).require_bound(MAX_SORTED + 1).is_ok());
        assert!(order("m.amount", Served::Sorted).require_bound(MAX_SORTED + 1).is_ok());
    }
}
