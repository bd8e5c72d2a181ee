//! A column of a list: its key, its header and cell in a file, and what the list is sorted by when the column is asked for.

use crate::{
    print::{MONEY, Printing, Words},
    scalar::{CurrencyCode, Decimal, Money},
};
use caudal_export::{Cell, Kind, Row};
use chrono::{DateTime, Utc};

/// A column of a list; `L` is what one line of a file shows.
#[derive(Debug)]
pub struct Column<L: 'static> {
    /// Its name in the API: the sort value.
    pub(crate) key: &'static str,
    /// Its header in files.
    pub(crate) header: Words,
    /// Whether files add it up.
    pub(crate) is_summed: bool,
    /// Its cell; absent where it is sorted by alone.
    take: Option<Take<L>>,
    /// What it is sorted by; absent where it says the same as another column.
    pub(super) sort: Option<Sort>,
}

/// What a column is sorted by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sort {
    /// The SQL expression.
    pub(super) by: &'static str,
    pub(super) served: Served,
    /// Whether the order tells of prices, which delivery men don't see.
    pub(super) tells_prices: bool,
}

/// How an order is served (docs/decisions/sorts-of-lists.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    /// Read in the order of an index. What is missing stands where it does there: behind all others ascending, before them
    /// descending.
    InOrder,
    /// All rows that the filters leave are sorted, however many.
    Sorted,
    /// All rows are sorted, at most [`MAX_SORTED`](super::MAX_SORTED) of them.
    Bounded,
}

/// How a line's cell is found, by what it holds.
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

    /// Sorted by an expression of any number of rows.
    pub(crate) const fn sort(self, by: &'static str) -> Self {
        self.sorted(by, Served::Sorted)
    }

    /// Sorted by an expression whose order an index has, or which is the list's tie.
    pub(crate) const fn in_order(self, by: &'static str) -> Self {
        self.sorted(by, Served::InOrder)
    }

    /// Sorted by an expression where the filters leave at most [`MAX_SORTED`](super::MAX_SORTED) rows.
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

    /// Its order tells of prices or senders, which delivery men don't see.
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

    /// Whether sums are told apart by it.
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
            es: &'static str,
            en: &'static str,
            take: $found,
        ) -> Column<L> {
            Column::new(key, Words::new(es, en), $is_summed, Some(Take::$take(take)))
        }
    )*};
}

columns! {
    /// Words.
    text(Text: fn(&L, &Printing) -> Option<String>, false);
    /// The currency by which sums are told apart: the first such column.
    currency(Currency: fn(&L) -> Option<CurrencyCode>, false);
    /// A count, summed.
    count(Count: fn(&L) -> i64, true);
    /// A whole number that sums to nothing.
    number(Count: fn(&L) -> i64, false);
    /// An amount, summed.
    sum(Money: fn(&L) -> Option<Money>, true);
    /// An amount that sums to nothing.
    money(Money: fn(&L) -> Option<Money>, false);
    /// An exact decimal.
    rate(Rate: fn(&L) -> Option<Decimal>, false);
    time(Time: fn(&L) -> Option<DateTime<Utc>>, false);
    /// Yes or no.
    flag(Flag: fn(&L) -> bool, false);
}

/// A column that is sorted by and not in files.
pub(crate) const fn unprinted<L>(key: &'static str) -> Column<L> {
    Column::new(key, Words::new(key, key), false, None)
}
