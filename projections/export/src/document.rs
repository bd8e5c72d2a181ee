//! Print model of a document: blocks from top to bottom. Used for receipts, statements, dispatch sheets and tables.

use crate::{Cell, Column, Kind, Language, Row, Sheet, Total};
use chrono::NaiveDateTime;

#[derive(Clone, Debug)]
pub struct Document {
    /// Title; names the file and appears in the footer of every page.
    pub title: String,
    pub blocks: Vec<Block>,
    /// Language of numbers, dates and fixed texts.
    pub language: Language,
    /// Time at which the figures were read, in the reader's time zone.
    pub generated_at: NaiveDateTime,
}

/// One block of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// Large title with lines below it: issuer, addressee, filters.
    Heading { title: String, lines: Vec<String> },
    /// Small title.
    Section(String),
    /// Paragraph; line breaks are kept.
    Text(String),
    /// Labelled values, several per line.
    Fields(Vec<Field>),
    /// The document's main amount, in large type.
    Amount {
        label: String,
        /// In minor units.
        minor: i64,
        decimals: u8,
        currency: String,
    },
    /// Table; its header is repeated on every page.
    Table {
        /// From left to right.
        columns: Vec<Column>,
        rows: Vec<Row>,
        /// Totals below the rows.
        totals: Vec<Total>,
    },
    /// A QR code with its text and a caption.
    Code {
        text: String,
        /// Instruction beside the code.
        caption: String,
    },
    /// What follows stands on a new page.
    PageBreak,
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub label: String,
    /// Format of the value.
    pub kind: Kind,
    pub value: Cell,
}

impl Field {
    #[must_use]
    pub fn text(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(label, Kind::Text, Cell::Text(value.into()))
    }

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
    /// A document that consists of one table.
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
