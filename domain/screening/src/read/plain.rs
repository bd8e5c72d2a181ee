//! CSV files: the plain one, and the table that OFAC's files are read with.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};

use csv::{ReaderBuilder, Terminator, Trim};

use super::bounded::{Bounded, Counters, Exceeded, exceeded};
use super::{Limits, Problem, ReadError, Sink, Summary, WarningKind};
use crate::countries;
use crate::list::{Born, Document, Entry, ListedName};

/// Columns of a plain CSV. Only the first is required.
const COLUMNS: [&str; 6] = ["name", "aliases", "document", "born", "countries", "id"];

/// A CSV file whose rows are bounded.
pub struct Table<R> {
    reader: csv::Reader<Bounded<BufReader<R>>>,
    counters: Counters,
    limits: Limits,
    record: csv::ByteRecord,
    file: &'static str,
    /// Lines end with CR LF: the reader counts the LF as the first byte of the next row.
    crlf: bool,
    first: bool,
}

/// An entry that the file had before.
struct Known {
    line: u64,
    content: String,
}

pub fn fields(expected: &str, found: usize) -> Problem {
    Problem::Fields {
        expected: expected.to_owned(),
        found,
    }
}

impl<R: Read> Table<R> {
    pub fn new(input: R, limits: Limits, delimiter: u8) -> Self {
        // The reader reads ahead by its buffer, which is no part of the row.
        let ahead = 16 << 10;
        let mut input = BufReader::new(input);
        let crlf = input
            .fill_buf()
            .unwrap_or_default()
            .windows(2)
            .any(|pair| pair == b"\r\n");
        let (bounded, counters) = Bounded::new(input, limits.file, limits.entry + ahead);
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .trim(Trim::All)
            .terminator(Terminator::CRLF)
            .from_reader(bounded);
        Self {
            reader,
            counters,
            limits,
            record: csv::ByteRecord::new(),
            file: "",
            crlf,
            first: true,
        }
    }

    /// Errors name the file: a list can consist of two.
    pub const fn in_file(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }

    pub fn fail(&self, line: u64, problem: Problem) -> ReadError {
        ReadError {
            line,
            element: self.file.to_owned(),
            problem,
        }
    }

    /// The next row with its line.
    pub fn row(&mut self) -> Result<Option<(u64, Vec<String>)>, ReadError> {
        self.counters.entry_begins();
        let late = u64::from(self.crlf && !std::mem::take(&mut self.first));
        let line = self.reader.position().line() + late;
        let read = self.reader.read_byte_record(&mut self.record);
        match read.map_err(csv::Error::into_kind) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(csv::ErrorKind::Io(error)) => {
                let problem = match exceeded(&error) {
                    Some(Exceeded::File) => Problem::FileTooLarge(self.limits.file),
                    Some(Exceeded::Entry) => Problem::EntryTooLarge(self.limits.entry),
                    None => Problem::Input(error),
                };
                return Err(self.fail(line, problem));
            }
            Err(error) => return Err(self.fail(line, Problem::Malformed(format!("{error:?}")))),
        }
        let line = self.record.position().map_or(line, |position| position.line() + late);
        let mut row = Vec::with_capacity(self.record.len());
        for field in &self.record {
            let field = std::str::from_utf8(field).map_err(|_| self.fail(line, Problem::Encoding(String::new())))?;
            row.push(field.to_owned());
        }
        Ok(Some((line, row)))
    }
}

/// Reads a plain CSV: a header with names of [`COLUMNS`] in any order, comma or semicolon between fields. Several aliases
/// are separated by `|` or, in a file with commas, by `;`; so are documents, dates of birth and countries.
///
/// A row without an id has [`Entry::content_id`]: a line number would be another person's in the next version of the file.
/// Equal rows are one entry; an id that stands for two contents refuses the file.
pub fn read(mut input: impl BufRead, mut sink: Sink<'_>) -> Result<Summary, ReadError> {
    let start = input.fill_buf().unwrap_or_default();
    let header = start
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .next()
        .unwrap_or_default();
    let count = |wanted: u8| header.iter().filter(|byte| **byte == wanted).count();
    let delimiter = if count(b';') > count(b',') { b';' } else { b',' };
    let mark = start.starts_with(&[0xEF, 0xBB, 0xBF]);
    if mark {
        input.consume(3);
    }
    let mut table = Table::new(input, sink.limits, delimiter);
    let Some((line, header)) = table.row()? else {
        return Err(table.fail(1, Problem::Empty));
    };
    let mut at = [None; COLUMNS.len()];
    for (place, column) in header.iter().enumerate() {
        let known = COLUMNS.iter().position(|known| column.eq_ignore_ascii_case(known));
        let Some(known) = known else {
            let column: String = column.chars().take(40).collect();
            return Err(table.fail(line, Problem::UnknownColumn(column)));
        };
        at[known] = Some(place);
    }
    if at[0].is_none() {
        return Err(table.fail(line, Problem::Column(COLUMNS[0])));
    }
    let mut known: HashMap<String, Known> = HashMap::new();
    while let Some((line, row)) = table.row()? {
        if row.iter().all(String::is_empty) {
            continue;
        }
        if row.len() != header.len() {
            return Err(table.fail(line, fields(&header.len().to_string(), row.len())));
        }
        let field = |column: usize| at[column].map_or("", |place: usize| row[place].as_str());
        let several = |column: usize| {
            field(column)
                .split(['|', ';'])
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        let mut names = vec![ListedName::strong(field(0))];
        names.extend(several(1).map(ListedName::strong));
        let mut born = Vec::new();
        for text in several(3) {
            match Born::read(text) {
                Some(range) => born.push(range),
                None => sink.summary.warn_of(
                    line,
                    WarningKind::Born,
                    format_args!("date of birth {text:?} is not understood"),
                ),
            }
        }
        let mut entry = Entry {
            names,
            documents: several(2)
                .map(|number| Document {
                    number: number.to_owned(),
                    ..Document::default()
                })
                .collect(),
            born,
            countries: several(4).map(countries::code).collect(),
            ..Entry::default()
        };
        let content = entry.content_id();
        let id = Some(field(5)).filter(|id| !id.is_empty());
        entry.id = id.map_or_else(|| content.clone(), str::to_owned);
        // Rows without a name and a document are no entries: each is warned about.
        let is_entry = entry.names.iter().any(|name| !name.text.is_empty()) || !entry.documents.is_empty();
        match known.get(&entry.id).filter(|_| is_entry) {
            Some(other) if other.content == content => continue,
            Some(other) => {
                let problem = Problem::IdRepeated {
                    first: other.line,
                    id: entry.id,
                };
                return Err(table.fail(line, problem));
            }
            None if is_entry => {
                known.insert(entry.id.clone(), Known { line, content });
            }
            None => {}
        }
        sink.entry(line, entry).map_err(|problem| table.fail(line, problem))?;
    }
    Ok(sink.summary)
}
