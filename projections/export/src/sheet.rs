//! What a table is: its title, its columns and the kinds of what stands in them.

use crate::{ExportError, Language, Sums, notation};
use chrono::{NaiveDate, NaiveDateTime};

/// The most columns of a table: more are not readable, and each costs memory for every row in flight.
pub const MAX_COLUMNS: usize = 64;

/// A table to export: everything about it except its rows.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What it is: "Remesas por agencia".
    pub title: String,
    /// Lines under the title: the filters in words, whose it is.
    pub subtitle: Vec<String>,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// Totals, one a currency: under the rows in XLSX and PDF. Not in CSV, which has rows and nothing else, so that a
    /// program that sums a column gets the sum.
    pub totals: Vec<Total>,
    /// Further totals, added up from the rows.
    pub sums: Option<Sums>,
    /// The language of numbers, dates and the few words that this crate adds.
    pub language: Language,
    /// When the rows were read, in the reader's time zone.
    pub generated_at: NaiveDateTime,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub header: String,
    /// What stands in it.
    pub kind: Kind,
}

impl Column {
    /// A column of that kind.
    #[must_use]
    pub fn new(header: impl Into<String>, kind: Kind) -> Self {
        Self {
            header: header.into(),
            kind,
        }
    }
}

/// What stands in a column: its alignment, width and formats follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Words.
    Text,
    /// Counts.
    Integer,
    /// Amounts in minor units; the currency stands in another column or in the header.
    Money {
        /// Decimals of the currency.
        decimals: u8,
    },
    /// Exact decimals: rates, percentages.
    Rate,
    /// Calendar days.
    Date,
    /// Days with their time, in the reader's time zone.
    DateTime,
    /// Yes or no.
    Boolean,
}

/// How a cell stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alignment {
    Left,
    Centre,
    Right,
}

impl Kind {
    pub(crate) const fn alignment(self) -> Alignment {
        match self {
            Self::Text | Self::Date | Self::DateTime => Alignment::Left,
            Self::Boolean => Alignment::Centre,
            Self::Integer | Self::Money { .. } | Self::Rate => Alignment::Right,
        }
    }

    /// Whether a cell may be broken into lines: a broken number is read wrong.
    pub(crate) const fn wraps(self) -> bool {
        matches!(self, Self::Text)
    }

    /// Decimals of a money cell that stands in such a column.
    pub(crate) const fn decimals(self) -> u8 {
        match self {
            Self::Money { decimals } => decimals,
            _ => 2,
        }
    }
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Words, of whatever length and content.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// An amount in minor units; its column's kind has the decimals.
    Money(i64),
    /// An exact decimal as `-?digits[.digits]`; any other text is shown as text.
    Decimal(String),
    /// A calendar day.
    Date(NaiveDate),
    /// A time, in the reader's time zone.
    DateTime(NaiveDateTime),
    /// Yes or no.
    Bool(bool),
    /// Nothing.
    Empty,
}

impl Cell {
    /// The cell as a person reads it.
    #[must_use]
    pub fn shown(&self, kind: Kind, language: Language) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(value) => notation::integer(*value, language),
            Self::Money(minor) => notation::money(*minor, kind.decimals(), language),
            Self::Decimal(text) => notation::decimal(text, language).unwrap_or_else(|| text.clone()),
            Self::Date(date) => language.date(*date),
            Self::DateTime(time) => language.date_time(*time),
            Self::Bool(value) => language.boolean(*value).to_owned(),
            Self::Empty => String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// One cell a column.
pub type Row = Vec<Cell>;

/// A row of totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// What is summed: "Total USD". It stands where the first cells are empty.
    pub label: String,
    /// One cell a column, empty where there is no sum.
    pub cells: Row,
}

impl Total {
    /// How many columns the label may cover: the empty ones in front.
    pub(crate) fn label_columns(&self) -> usize {
        self.cells.iter().take_while(|cell| **cell == Cell::Empty).count()
    }
}

impl Sheet {
    pub(crate) fn check(&self) -> Result<(), ExportError> {
        check_table(&self.columns, &self.totals)
    }
}

/// Whether a table has a sensible number of columns and its totals one cell for each.
pub(crate) fn check_table(columns: &[Column], totals: &[Total]) -> Result<(), ExportError> {
    if columns.is_empty() || columns.len() > MAX_COLUMNS {
        return Err(ExportError::Columns(columns.len()));
    }
    totals.iter().try_for_each(|total| check_row(columns, &total.cells))
}

/// Whether a row has one cell for each column.
pub(crate) fn check_row(columns: &[Column], row: &[Cell]) -> Result<(), ExportError> {
    if row.len() == columns.len() {
        Ok(())
    } else {
        Err(ExportError::Width {
            expected: columns.len(),
            found: row.len(),
        })
    }
}
