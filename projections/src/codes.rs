//! Numeric codes in read model columns, by name, as SQL literals.
//!
//! `domain` and [`crate::scalar`] define the numbers; compile-time assertions below keep the literals equal.

use crate::scalar::CustomerType;
use caudal_domain::remittance::Status;

/// A remittance's status: `status!(pending)` is its number, `status!("r.status" is pending)` and `status!("r.status" in
/// pending, shipping)` are conditions, and `status!(each "r.status")` yields a filter's case per status.
macro_rules! status {
    (pending) => { "0" };
    (canceled) => { "1" };
    (shipping) => { "2" };
    (completed) => { "3" };
    (error) => { "4" };
    ($column:literal is $status:ident) => {
        concat!($column, " = ", $crate::codes::status!($status))
    };
    ($column:literal is not $status:ident) => {
        concat!($column, " <> ", $crate::codes::status!($status))
    };
    ($column:literal in $first:ident $(, $next:ident)*) => {
        concat!($column, " IN (", $crate::codes::status!($first), $(", ", $crate::codes::status!($next),)* ")")
    };
    (each $column:literal) => {
        &[
            ($crate::codes::status!(pending), $crate::codes::status!($column is pending)),
            ($crate::codes::status!(canceled), $crate::codes::status!($column is canceled)),
            ($crate::codes::status!(shipping), $crate::codes::status!($column is shipping)),
            ($crate::codes::status!(completed), $crate::codes::status!($column is completed)),
            ($crate::codes::status!(error), $crate::codes::status!($column is error)),
        ]
    };
}

/// A customer's kind: `customer_kind!(sender)` is its number, `customer_kind!("c.kind" is sender)` a condition.
macro_rules! customer_kind {
    (sender) => {
        "0"
    };
    (recipient) => {
        "1"
    };
    ($column:literal is $kind:ident) => {
        concat!($column, " = ", $crate::codes::customer_kind!($kind))
    };
}

pub(crate) use {customer_kind, status};

/// Whether two texts are equal.
pub(crate) const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

const fn is(literal: &str, number: u8) -> bool {
    matches!(literal.as_bytes(), [digit] if *digit == b'0' + number)
}

const _: () = {
    assert!(is(status!(pending), Status::Pending.number()));
    assert!(is(status!(canceled), Status::Canceled.number()));
    assert!(is(status!(shipping), Status::Shipping.number()));
    assert!(is(status!(completed), Status::Completed.number()));
    assert!(is(status!(error), Status::Error.number()));
    assert!(is(customer_kind!(sender), CustomerType::Sender.number()));
    assert!(is(customer_kind!(recipient), CustomerType::Recipient.number()));
};
