//! Readers of list files, as their publishers write them.
//!
//! Files are read as a stream, one entry at a time. [`Limits`] bound what a hostile file can cost; a file that is no list,
//! is cut off, is not UTF-8, or declares entities of its own is refused, and the error names the line and the element.
//! An entry that says nothing to screen by is left out with a warning.

mod bounded;
mod eu;
mod ofac;
mod plain;
mod un;
mod xml;

use std::fmt;
use std::io::{BufRead, Read};
use std::str::FromStr;

use crate::list::Entry;

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `SDN.XML` of OFAC, and its `CONSOLIDATED.XML`.
    OfacSdn,
    /// `SDN.CSV` of OFAC. Aliases come in `ALT.CSV`: see [`read_ofac_csv`].
    OfacCsv,
    /// The consolidated list of the EU, `xmlFullSanctionsList_1_1`.
    Eu,
    /// The consolidated list of the UN Security Council, `consolidated.xml`.
    Un,
    /// A CSV with a header: `name`, and any of `aliases`, `document`, `born`, `countries`, `id`. An entry without an id has
    /// one that is derived from its content.
    Csv,
}

impl Format {
    pub const ALL: [Self; 5] = [Self::OfacSdn, Self::OfacCsv, Self::Eu, Self::Un, Self::Csv];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OfacSdn => "ofac-sdn",
            Self::OfacCsv => "ofac-csv",
            Self::Eu => "eu",
            Self::Un => "un",
            Self::Csv => "csv",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| format!("unknown format {text:?}: ofac-sdn, ofac-csv, eu, un or csv"))
    }
}

/// What a file may cost. The defaults are several times what the published lists have.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the file.
    pub file: u64,
    /// Bytes of one entry.
    pub entry: u64,
    /// Entries of the list.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: 512 << 20,
            entry: 4 << 20,
            entries: 2_000_000,
        }
    }
}

/// What a file had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub entries: usize,
    pub names: usize,
    /// Date of publication, as the file has it.
    pub published: Option<String>,
    /// Entries and dates that were left out, with their lines: the first [`MAXIMUM_WARNINGS`].
    pub warnings: Vec<Warning>,
    pub warned: usize,
}

/// What was left out of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub line: u64,
    pub kind: WarningKind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// An entry with neither a name nor a document.
    Empty,
    /// A date of birth that is not understood.
    Born,
    Other,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

pub const MAXIMUM_WARNINGS: usize = 20;

impl Summary {
    fn warn(&mut self, line: u64, text: impl fmt::Display) {
        self.warn_of(line, WarningKind::Other, text);
    }

    fn warn_of(&mut self, line: u64, kind: WarningKind, text: impl fmt::Display) {
        self.warned += 1;
        if self.warnings.len() < MAXIMUM_WARNINGS {
            let text = text.to_string();
            self.warnings.push(Warning { line, kind, text });
        }
    }
}

/// Why a file was refused.
#[derive(Debug, thiserror::Error)]
#[error("line {line}{}{element}: {problem}", if element.is_empty() { "" } else { ", " })]
pub struct ReadError {
    /// Line of the file, from 1.
    pub line: u64,
    /// The open elements (`sdnList/sdnEntry`) or the column; empty outside of any.
    pub element: String,
    pub problem: Problem,
}

#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("can't be read: {0}")]
    Input(std::io::Error),
    #[error("the file has more than {0} bytes")]
    FileTooLarge(u64),
    #[error("an entry has more than {0} bytes")]
    EntryTooLarge(u64),
    #[error("more than {0} entries")]
    TooManyEntries(usize),
    #[error("elements are nested deeper than {0}")]
    TooDeep(usize),
    #[error("the encoding is not UTF-8{0}: convert the file")]
    Encoding(String),
    #[error("a document type declaration is not accepted: lists have none, and entities in it can be a bomb")]
    DocumentType,
    #[error("unknown entity &{0};")]
    Entity(String),
    #[error("not well-formed: {0}")]
    Malformed(String),
    #[error("the file begins with <{found}>; this format begins with <{expected}>")]
    Root { expected: &'static str, found: String },
    #[error("the file ends here, within an element: it is cut off")]
    CutOff,
    #[error("the header lacks the column {0:?}")]
    Column(&'static str),
    #[error("unknown column {0:?}")]
    UnknownColumn(String),
    #[error("{found} fields instead of {expected}")]
    Fields { expected: String, found: usize },
    #[error("the id {id:?} stands in line {first} for another entry: an id names one entry")]
    IdRepeated { id: String, first: u64 },
    #[error("the list has no entries")]
    Empty,
}

/// Where a reader hands its entries.
struct Sink<'s> {
    limits: Limits,
    summary: Summary,
    take: &'s mut dyn FnMut(Entry),
}

impl Sink<'_> {
    fn entry(&mut self, line: u64, mut entry: Entry) -> Result<(), Problem> {
        entry.names.retain(|name| !name.text.trim().is_empty());
        entry.documents.retain(|document| !document.number.trim().is_empty());
        if entry.names.is_empty() && entry.documents.is_empty() {
            self.summary.warn_of(
                line,
                WarningKind::Empty,
                format_args!("entry {:?} has neither a name nor a document", entry.id),
            );
            return Ok(());
        }
        if self.summary.entries == self.limits.entries {
            return Err(Problem::TooManyEntries(self.limits.entries));
        }
        self.summary.entries += 1;
        self.summary.names += entry.names.len();
        (self.take)(entry);
        Ok(())
    }
}

/// Reads a list and hands each entry to `take`.
///
/// # Errors
/// When the file is refused. Entries handed out before are then of no use.
pub fn read(
    format: Format,
    input: impl BufRead,
    limits: Limits,
    take: &mut dyn FnMut(Entry),
) -> Result<Summary, ReadError> {
    let sink = Sink {
        limits,
        summary: Summary::default(),
        take,
    };
    let summary = match format {
        Format::OfacSdn => xml::read(input, sink, &ofac::LAYOUT),
        Format::Eu => xml::read(input, sink, &eu::LAYOUT),
        Format::Un => xml::read(input, sink, &un::LAYOUT),
        Format::OfacCsv => ofac::read_csv(input, None::<&[u8]>, sink),
        Format::Csv => plain::read(input, sink),
    }?;
    not_empty(summary)
}

/// Reads OFAC's `SDN.CSV` with the aliases of its `ALT.CSV`.
///
/// # Errors
/// As [`read`]; an error in `ALT.CSV` names that file.
pub fn read_ofac_csv(
    sdn: impl Read,
    alt: impl Read,
    limits: Limits,
    take: &mut dyn FnMut(Entry),
) -> Result<Summary, ReadError> {
    let sink = Sink {
        limits,
        summary: Summary::default(),
        take,
    };
    not_empty(ofac::read_csv(sdn, Some(alt), sink)?)
}

/// A list without entries is a mistake: it would clear everybody.
fn not_empty(summary: Summary) -> Result<Summary, ReadError> {
    if summary.entries == 0 {
        return Err(ReadError {
            line: 1,
            element: String::new(),
            problem: Problem::Empty,
        });
    }
    Ok(summary)
}
