//! Declaration of a table: title, columns and value kinds.

use crate::{ExportError, Language, Sums, notation};
use chrono::{NaiveDate, NaiveDateTime};

/// Maximum columns of a table; bounds memory per row.
pub const MAX_COLUMNS: usize = 64;

/// A table without its rows.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Title, such as "Remesas por agencia".
    pub title: String,
    /// Lines below the title: filters in words, issuer.
    pub subtitle: Vec<String>,
    /// From left to right.
    pub columns: Vec<Column>,
    /// Totals, one per currency, below the rows in XLSX and PDF. Not in CSV, so that a program can sum a column.
    pub totals: Vec<Total>,
    /// Totals to be computed from the rows.
    pub sums: Option<Sums>,
    /// Language of numbers, dates and fixed texts.
    pub language: Language,
    /// Time at which the rows were read, in the reader's time zone.
    pub generated_at: NaiveDateTime,
    /// Facts about the rows for programs, as keys and values: the metadata of a Parquet file.
    pub facts: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub header: String,
    pub kind: Kind,
    /// Stable name for programs.
    pub name: Option<&'static str>,
}

impl Column {
    #[must_use]
    pub fn new(header: impl Into<String>, kind: Kind) -> Self {
        Self {
            header: header.into(),
            kind,
            name: None,
        }
    }

    /// The column with a stable name for programs.
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }
}

/// Kind of a column's values; determines alignment, width and format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text.
    Text,
    /// Counts.
    Integer,
    /// Amounts in minor units; the currency is in another column or in the header.
    Money {
        /// Decimals of the currency.
        decimals: u8,
    },
    /// Exact decimals: rates, percentages.
    Rate,
    /// Calendar days.
    Date,
    /// Date and time in the reader's time zone.
    DateTime,
    /// Yes or no.
    Boolean,
}

/// Alignment of cells.
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

    /// Whether a cell may wrap; a broken number would be misread.
    pub(crate) const fn wraps(self) -> bool {
        matches!(self, Self::Text)
    }

    /// Decimals of a money cell in this column.
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
    /// Any text.
    Text(String),
    Integer(i64),
    /// An amount in minor units; the column's kind has the decimals.
    Money(i64),
    /// An exact decimal as `-?digits[.digits]`; other texts are shown as text.
    Decimal(String),
    Date(NaiveDate),
    /// In the reader's time zone.
    DateTime(NaiveDateTime),
    Bool(bool),
    Empty,
}

impl Cell {
    /// The value formatted for people.
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

    /// The value for programs: plain numbers, ISO dates.
    pub(crate) fn plain(&self, kind: Kind) -> String {
        match self {
            Self::Text(text) | Self::Decimal(text) => text.clone(),
            Self::Integer(value) => value.to_string(),
            Self::Money(minor) => notation::plain_money(*minor, kind.decimals()),
            Self::Date(date) => date.format("%Y-%m-%d").to_string(),
            Self::DateTime(time) => time.format("%Y-%m-%d %H:%M:%S").to_string(),
            Self::Bool(value) => value.to_string(),
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

/// One cell per column.
pub type Row = Vec<Cell>;

/// A row of totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// Label such as "Total USD", placed in the empty leading cells.
    pub label: String,
    /// One cell per column, empty when nothing is summed.
    pub cells: Row,
}

impl Total {
    /// Number of leading empty cells that the label may span.
    pub(crate) fn label_columns(&self) -> usize {
        self.cells.iter().take_while(|cell| **cell == Cell::Empty).count()
    }
}

impl Sheet {
    pub(crate) fn check(&self) -> Result<(), ExportError> {
        check_table(&self.columns, &self.totals)
    }
}

/// Checks the number of columns and of cells per total.
pub(crate) fn check_table(columns: &[Column], totals: &[Total]) -> Result<(), ExportError> {
    if columns.is_empty() || columns.len() > MAX_COLUMNS {
        return Err(ExportError::Columns(columns.len()));
    }
    totals.iter().try_for_each(|total| check_row(columns, &total.cells))
}

/// Checks the number of cells.
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
