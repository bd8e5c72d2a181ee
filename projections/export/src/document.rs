//! What a document is: blocks from top to bottom. Receipts, statements, dispatch sheets and tables are all made of
//! these.

use crate::{Cell, Column, Kind, Language, Row, Sheet, Total};
use chrono::NaiveDateTime;

/// A document to print.
#[derive(Clone, Debug)]
pub struct Document {
    /// What it is; names the file, and stands at the foot of every page.
    pub title: String,
    /// What is in it, from top to bottom.
    pub blocks: Vec<Block>,
    /// The language of numbers, dates and the few words that this crate adds.
    pub language: Language,
    /// When its figures were read, in the reader's time zone.
    pub generated_at: NaiveDateTime,
}

/// A part of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// A large title with lines under it: who issues it, for whom, which filters.
    Heading { title: String, lines: Vec<String> },
    /// A small title.
    Section(String),
    /// A paragraph; its line ends are kept.
    Text(String),
    /// Labelled values, several beside each other.
    Fields(Vec<Field>),
    /// The amount that it is all about, large.
    Amount {
        label: String,
        /// Minor units.
        minor: i64,
        /// Decimals of the currency.
        decimals: u8,
        /// The currency's code.
        currency: String,
    },
    /// A table; its header stands on every page that it reaches.
    Table {
        /// The columns, from left to right.
        columns: Vec<Column>,
        rows: Vec<Row>,
        /// Totals, under the rows.
        totals: Vec<Total>,
    },
    /// A text as a QR code, with the text in letters and a caption beside it.
    Code {
        /// What the code says.
        text: String,
        /// What to do with it.
        caption: String,
    },
    /// What follows stands on a new page.
    PageBreak,
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub label: String,
    /// How it is written.
    pub kind: Kind,
    pub value: Cell,
}

impl Field {
    /// A labelled text.
    #[must_use]
    pub fn text(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(label, Kind::Text, Cell::Text(value.into()))
    }

    /// A labelled value of that kind.
    #[must_use]
    pub fn new(label: impl Into<String>, kind: Kind, value: Cell) -> Self {
        Self {
            label: label.into(),
            kind,
            value,
        }
    }
}

impl Document {
    /// The document that is this table and nothing else.
    pub(crate) fn of_sheet(sheet: Sheet, rows: Vec<Row>) -> Self {
        Self {
            title: sheet.title.clone(),
            blocks: vec![
                Block::Heading {
                    title: sheet.title,
                    lines: sheet.subtitle,
                },
                Block::Table {
                    columns: sheet.columns,
                    rows,
                    totals: sheet.totals,
                },
            ],
            language: sheet.language,
            generated_at: sheet.generated_at,
        }
    }
}
