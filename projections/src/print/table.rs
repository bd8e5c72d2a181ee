//! A list as a table: which columns a row of it has on paper. It is all that a list says to be exported.

use super::{
    printing::{MONEY, Printing},
    words::Words,
};
use crate::scalar::{CurrencyCode, Decimal, Money};
use caudal_export::{Cell, Kind, Row};
use chrono::{DateTime, Utc};

/// A list's table; `L` is what one line shows.
#[derive(Debug)]
pub struct Table<L: 'static> {
    /// What it is.
    pub title: Words,
    /// Its columns, from left to right.
    pub columns: &'static [Column<L>],
    /// What filters' values are called where this list means something of its own by them: name, value, words.
    pub values: &'static [(&'static str, &'static str, Words)],
}

impl<L> Table<L> {
    /// A table of these columns.
    pub(crate) const fn new(title: Words, columns: &'static [Column<L>]) -> Self {
        Self {
            title,
            columns,
            values: &[],
        }
    }

    /// One line as cells.
    pub(crate) fn row(&self, line: &L, printing: &Printing) -> Row {
        self.columns
            .iter()
            .map(|column| column.take.cell(line, printing))
            .collect()
    }
}

/// A column of a table.
#[derive(Debug)]
pub struct Column<L> {
    pub(crate) header: Words,
    pub(crate) is_summed: bool,
    take: Take<L>,
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
    const fn new(header: Words, is_summed: bool, take: Take<L>) -> Self {
        Self {
            header,
            is_summed,
            take,
        }
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.take.kind()
    }

    /// Whether sums are told apart by it.
    pub(crate) const fn is_currency(&self) -> bool {
        matches!(self.take, Take::Currency(_))
    }
}

/// Words.
pub(crate) const fn text<L>(
    es: &'static str,
    en: &'static str,
    take: fn(&L, &Printing) -> Option<String>,
) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Text(take))
}

/// The currency by which sums are told apart: the first such column.
pub(crate) const fn currency<L>(es: &'static str, en: &'static str, take: fn(&L) -> Option<CurrencyCode>) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Currency(take))
}

/// A count, summed.
pub(crate) const fn count<L>(es: &'static str, en: &'static str, take: fn(&L) -> i64) -> Column<L> {
    Column::new(Words::new(es, en), true, Take::Count(take))
}

/// A whole number that sums to nothing.
pub(crate) const fn number<L>(es: &'static str, en: &'static str, take: fn(&L) -> i64) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Count(take))
}

/// An amount, summed.
pub(crate) const fn sum<L>(es: &'static str, en: &'static str, take: fn(&L) -> Option<Money>) -> Column<L> {
    Column::new(Words::new(es, en), true, Take::Money(take))
}

/// An amount that sums to nothing.
pub(crate) const fn money<L>(es: &'static str, en: &'static str, take: fn(&L) -> Option<Money>) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Money(take))
}

/// An exact decimal.
pub(crate) const fn rate<L>(es: &'static str, en: &'static str, take: fn(&L) -> Option<Decimal>) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Rate(take))
}

/// A time.
pub(crate) const fn time<L>(es: &'static str, en: &'static str, take: fn(&L) -> Option<DateTime<Utc>>) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Time(take))
}

/// Yes or no.
pub(crate) const fn flag<L>(es: &'static str, en: &'static str, take: fn(&L) -> bool) -> Column<L> {
    Column::new(Words::new(es, en), false, Take::Flag(take))
}
