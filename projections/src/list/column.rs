//! Column of a list: key, header and cell in a file, and sort expression.

use crate::{
    print::{MONEY, Printing, Words},
    scalar::{CurrencyCode, Decimal, Money},
};
use caudal_export::{Cell, Kind, Row};
use chrono::{DateTime, Utc};

/// A column of a list; `L` is one line of a file.
#[derive(Debug)]
pub struct Column<L: 'static> {
    /// API name: the sort value.
    pub(crate) key: &'static str,
    /// Header in files.
    pub(crate) header: Words,
    /// Whether files sum it.
    pub(crate) is_summed: bool,
    /// Cell value; `None` for a sort-only column.
    take: Option<Take<L>>,
    /// Sort expression; `None` when it equals another column's.
    pub(super) sort: Option<Sort>,
}

/// Sort of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sort {
    /// SQL expression.
    pub(super) by: &'static str,
    pub(super) served: Served,
    /// Whether the order reveals prices, which delivery men must not see.
    pub(super) tells_prices: bool,
}

/// How a sort is executed (docs/decisions/sorts-of-lists.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    /// Read in index order. Nulls are placed as in the index: last ascending, first descending.
    InOrder,
    /// All filtered rows are sorted, without limit.
    Sorted,
    /// All filtered rows are sorted, at most [`MAX_SORTED`](super::MAX_SORTED).
    Bounded,
}

/// Cell accessor by value kind.
enum Take<L> {
    Text(fn(&L, &Printing) -> Option<String>),
    Currency(fn(&L) -> Option<CurrencyCode>),
    Count(fn(&L) -> i64),
    Money(fn(&L) -> Option<Money>),
    Rate(fn(&L) -> Option<Decimal>),
    Time(fn(&L) -> Option<DateTime<Utc>>),
    Flag(fn(&L) -> bool),
}

impl<L> std::fmt::Debug for Take<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.kind())
    }
}

impl<L> Take<L> {
    const fn kind(&self) -> Kind {
        match self {
            Self::Text(_) | Self::Currency(_) => Kind::Text,
            Self::Count(_) => Kind::Integer,
            Self::Money(_) => MONEY,
            Self::Rate(_) => Kind::Rate,
            Self::Time(_) => Kind::DateTime,
            Self::Flag(_) => Kind::Boolean,
        }
    }

    fn cell(&self, line: &L, printing: &Printing) -> Cell {
        match self {
            Self::Text(take) => take(line, printing).into(),
            Self::Currency(take) => take(line).map(|code| code.0.to_string()).into(),
            Self::Count(take) => Cell::Integer(take(line)),
            Self::Money(take) => take(line).map_or(Cell::Empty, |money| Cell::Money(money.0.minor())),
            Self::Rate(take) => take(line).map_or(Cell::Empty, |rate| Cell::Decimal(rate.0.to_string())),
            Self::Time(take) => take(line).map_or(Cell::Empty, |time| printing.time(time)),
            Self::Flag(take) => Cell::Bool(take(line)),
        }
    }
}

impl<L> Column<L> {
    const fn new(key: &'static str, header: Words, is_summed: bool, take: Option<Take<L>>) -> Self {
        Self {
            key,
            header,
            is_summed,
            take,
            sort: None,
        }
    }

    /// Sorted by an expression, any number of rows.
    pub(crate) const fn sort(self, by: &'static str) -> Self {
        self.sorted(by, Served::Sorted)
    }

    /// Sorted by an expression with an index in its order, or by the list's tie-breaker.
    pub(crate) const fn in_order(self, by: &'static str) -> Self {
        self.sorted(by, Served::InOrder)
    }

    /// Sorted by an expression, if the filters leave at most [`MAX_SORTED`](super::MAX_SORTED) rows.
    pub(crate) const fn bounded(self, by: &'static str) -> Self {
        self.sorted(by, Served::Bounded)
    }

    const fn sorted(self, by: &'static str, served: Served) -> Self {
        Self {
            sort: Some(Sort {
                by,
                served,
                tells_prices: false,
            }),
            ..self
        }
    }

    /// Its order reveals prices or senders, which delivery men must not see.
    pub(crate) const fn of_prices(self) -> Self {
        let sort = match self.sort {
            Some(sort) => Some(Sort {
                tells_prices: true,
                ..sort
            }),
            None => None,
        };
        Self { sort, ..self }
    }

    pub(crate) fn is_printed(&self) -> bool {
        self.take.is_some()
    }

    pub(crate) fn kind(&self) -> Kind {
        self.take.as_ref().map_or(Kind::Text, Take::kind)
    }

    /// Whether sums are grouped by it.
    pub(crate) const fn is_currency(&self) -> bool {
        matches!(self.take, Some(Take::Currency(_)))
    }
}

pub(crate) fn cells<L>(columns: &[Column<L>], line: &L, printing: &Printing) -> Row {
    let takes = columns.iter().filter_map(|column| column.take.as_ref());
    takes.map(|take| take.cell(line, printing)).collect()
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident($take:ident: $found:ty, $is_summed:literal);)*) => {$(
        $(#[$doc])*
        pub(crate) const fn $name<L>(
            key: &'static str,
            header: Words,
            take: $found,
        ) -> Column<L> {
            Column::new(key, header, $is_summed, Some(Take::$take(take)))
        }
    )*};
}

columns! {
    /// Text.
    text(Text: fn(&L, &Printing) -> Option<String>, false);
    /// Currency; sums are grouped by the first such column.
    currency(Currency: fn(&L) -> Option<CurrencyCode>, false);
    /// A count, summed.
    count(Count: fn(&L) -> i64, true);
    /// A whole number, not summed.
    number(Count: fn(&L) -> i64, false);
    /// An amount, summed.
    sum(Money: fn(&L) -> Option<Money>, true);
    /// An amount, not summed.
    money(Money: fn(&L) -> Option<Money>, false);
    /// An exact decimal.
    rate(Rate: fn(&L) -> Option<Decimal>, false);
    time(Time: fn(&L) -> Option<DateTime<Utc>>, false);
    /// Yes or no.
    flag(Flag: fn(&L) -> bool, false);
}

/// A sort-only column, absent from files.
pub(crate) const fn unprinted<L>(key: &'static str) -> Column<L> {
    Column::new(key, Words::new(key, key), false, None)
}
