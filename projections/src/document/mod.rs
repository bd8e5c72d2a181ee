//! Printed documents: receipts of remittances and movements, statements of closures, dossiers. Each has a QR code of its number
//! for lookup.

mod closure;
mod dossier;
mod movement;
mod remittance;

pub use closure::statement;
pub use dossier::{PrintedSignature, dossier};
pub use movement::receipt as movement_receipt;
pub use remittance::receipt as remittance_receipt;

use crate::{
    print::{DECIMALS, MONEY, Printing, Words, word},
    scalar::{CurrencyCode, Money},
};
use caudal_export::{Block, Cell, Column, Document, Field, Kind, Row, Total};
use chrono::{DateTime, Utc};

/// Value of flags, which are printed only when set.
const YES: Words = word::YES;

/// Builder of a document in the reader's language.
struct Composer<'a> {
    printing: &'a Printing,
    title: String,
    blocks: Vec<Block>,
    fields: Vec<Field>,
}

impl<'a> Composer<'a> {
    /// A document about the record with this number.
    fn new(printing: &'a Printing, title: Words, number: &str, about: Vec<String>) -> Self {
        let title = printing.say(title);
        let heading = Block::Heading {
            title: title.to_owned(),
            lines: printing.subtitle(about),
        };
        Self {
            printing,
            title: format!("{title} {number}"),
            blocks: vec![heading],
            fields: Vec::new(),
        }
    }

    /// The main amount.
    fn amount(&mut self, label: Words, amount: Money, currency: CurrencyCode) {
        self.blocks.push(Block::Amount {
            label: self.printing.say(label).to_owned(),
            minor: amount.0.minor(),
            decimals: DECIMALS,
            currency: currency.0.to_string(),
        });
    }

    fn field(&mut self, label: Words, kind: Kind, value: Cell) {
        self.fields.push(Field::new(self.printing.say(label), kind, value));
    }

    /// A labelled text; nothing when absent.
    fn text(&mut self, label: Words, text: Option<impl Into<String>>) {
        if let Some(text) = text {
            self.field(label, Kind::Text, Cell::Text(text.into()));
        }
    }

    /// A flag, printed only when set.
    fn mark(&mut self, label: Words, is_so: bool) {
        self.text(label, Some(self.printing.say(YES)).filter(|_| is_so));
    }

    /// A labelled time; nothing when absent.
    fn time(&mut self, label: Words, time: Option<DateTime<Utc>>) {
        if let Some(time) = time {
            self.field(label, Kind::DateTime, self.printing.time(time));
        }
    }

    /// A labelled amount with its currency in the label.
    fn money(&mut self, label: Words, amount: Money) {
        self.field(label, MONEY, Cell::Money(amount.0.minor()));
    }

    /// Ends the fields so far and starts a section.
    fn section(&mut self, title: Words) {
        self.place_fields();
        self.blocks.push(Block::Section(self.printing.say(title).to_owned()));
    }

    fn place_fields(&mut self) {
        let fields = std::mem::take(&mut self.fields);
        if !fields.is_empty() {
            self.blocks.push(Block::Fields(fields));
        }
    }

    fn table(&mut self, columns: &[(Words, Kind)], rows: Vec<Row>, totals: Vec<Total>) {
        self.place_fields();
        let columns = columns.iter();
        let columns = columns.map(|(header, kind)| Column::new(self.printing.say(*header), *kind));
        self.blocks.push(Block::Table {
            columns: columns.collect(),
            rows,
            totals,
        });
    }

    /// The finished document with the number as QR code.
    fn finish(mut self, number: &str, caption: Words) -> Document {
        self.place_fields();
        self.blocks.push(Block::Code {
            text: number.to_owned(),
            caption: self.printing.say(caption).to_owned(),
        });
        Document {
            title: self.title,
            blocks: self.blocks,
            language: self.printing.language,
            generated_at: self.printing.local(self.printing.at),
        }
    }
}
