//! Text files: their encoding, their separator, their cells.

use super::{
    Collector, MAX_COLUMNS, Notice, ReadFault, Table, check_columns, fault, fault_with, workbook::marked_free,
};
use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

const SEPARATORS: [u8; 4] = [b';', b',', b'\t', b'|'];
/// Records from which the separator is guessed.
const SAMPLE: usize = 50;
/// Bytes that these have at most.
const SAMPLE_BYTES: usize = 256 * 1024;
/// Maximum cells of a line, also empty ones: the columns that a spreadsheet has.
const MAX_SEPARATED: usize = 16_384;
/// Bytes of a record's cells to begin with.
const FIRST_OUTPUT: usize = 4 * 1024;

pub fn read(content: &[u8]) -> Result<Table, ReadFault> {
    let text = decoded(content)?;
    // A first line `sep=;` is how spreadsheet programs are told the separator.
    let (separator, text, lines_before) = match declared(&text) {
        Some((separator, rest)) => (separator, rest, 1),
        None => (guessed(&text), &*text, 0),
    };
    let mut records = Records::new(text, separator);
    let mut collector = Collector::default();
    let (mut line, mut counted, mut has_breaks) = (1 + lines_before, 0, false);
    while let Some(position) = records.read()? {
        // The position is before what is left of the last line's end, and before empty lines.
        let rest = text.as_bytes().get(position..).unwrap_or_default();
        let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let begin = position.saturating_add(skipped);
        let before = text.as_bytes().get(counted..begin).unwrap_or_default();
        line += before.iter().filter(|byte| **byte == b'\n').count();
        counted = begin;
        let record = text.as_bytes().get(begin..records.at).unwrap_or_default();
        match quoted(record, separator) {
            Quoted::Plain => {}
            Quoted::Breaks => has_breaks = true,
            Quoted::Unclosed(lines) => {
                return Err(fault_with(
                    "import_quote_unclosed",
                    [("row", (line + lines).to_string())],
                ));
            }
        }
        if records.width > MAX_COLUMNS {
            let cells = records.cells().enumerate();
            let last = cells.filter(|(_, cell)| !cell.trim_ascii().is_empty()).last();
            check_columns(last.map_or(0, |(last, _)| last + 1))?;
        }
        let cells = records.cells().take(MAX_COLUMNS);
        let cells = cells.map(|cell| std::str::from_utf8(cell).map(marked_free));
        collector.add(
            line,
            cells.collect::<Result<_, _>>().map_err(|_| fault("import_damaged"))?,
        )?;
    }
    let notices = has_breaks.then_some(Notice::LineBreaks).into_iter().collect();
    let table = collector.finish(notices, separator == b';')?;
    Ok(Table { is_text: true, ..table })
}

/// Records of a text, one at a time: its cells and their ends are in buffers that do not grow with the number of its separators.
struct Records<'t> {
    reader: csv_core::Reader,
    rest: &'t [u8],
    /// Bytes that were read.
    at: usize,
    output: Vec<u8>,
    /// Ends of the cells of the record.
    ends: Vec<usize>,
    /// Number of its cells.
    width: usize,
}

impl<'t> Records<'t> {
    fn new(text: &'t str, separator: u8) -> Self {
        Self {
            reader: csv_core::ReaderBuilder::new().delimiter(separator).build(),
            rest: text.as_bytes(),
            at: 0,
            output: vec![0; FIRST_OUTPUT],
            ends: vec![0; MAX_SEPARATED],
            width: 0,
        }
    }

    /// Reads the next record, and tells where it begins.
    fn read(&mut self) -> Result<Option<usize>, ReadFault> {
        use csv_core::ReadRecordResult as Read;
        let begin = self.at;
        let mut written = 0;
        self.width = 0;
        loop {
            let output = self.output.get_mut(written..).unwrap_or_default();
            let ends = self.ends.get_mut(self.width..).unwrap_or_default();
            let (result, taken, put, ended) = self.reader.read_record(self.rest, output, ends);
            self.rest = self.rest.get(taken..).unwrap_or_default();
            self.at += taken;
            written += put;
            self.width += ended;
            match result {
                Read::InputEmpty => {}
                // At most the file, which is bounded.
                Read::OutputFull => self.output.resize(2 * self.output.len(), 0),
                Read::OutputEndsFull => check_columns(MAX_SEPARATED)?,
                Read::Record => return Ok(Some(begin)),
                Read::End => return Ok(None),
            }
        }
    }

    fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let mut begin = 0;
        let ends = self.ends.iter().take(self.width);
        ends.map(move |end| {
            let cell = self.output.get(begin..*end).unwrap_or_default();
            begin = *end;
            cell
        })
    }
}

/// What quotation marks make of a record's line breaks.
enum Quoted {
    /// No cell has one.
    Plain,
    Breaks,
    /// A cell with line breaks does not end with its closing mark: the mark that opens it, so many lines below the record's begin,
    /// is one too many, and what follows was no part of the cell.
    Unclosed(usize),
}

/// Reads a record's quotation marks as the reader of its cells does, which takes the end of the file, or what follows a closing
/// mark, as a part of the cell.
fn quoted(record: &[u8], separator: u8) -> Quoted {
    enum At {
        Begin,
        Unquoted,
        Quoted,
        /// Behind a mark that closes the cell, or is the first of two.
        Mark,
        Behind,
    }
    if !record.contains(&b'"') {
        return Quoted::Plain;
    }
    let (mut at, mut line, mut found) = (At::Begin, 0, Quoted::Plain);
    let (mut opened, mut is_broken) = (0, false);
    for byte in record {
        at = match (at, *byte) {
            (At::Begin, b'"') => {
                (opened, is_broken) = (line, false);
                At::Quoted
            }
            (At::Quoted, b'"') => At::Mark,
            (At::Quoted, other) => {
                is_broken |= matches!(other, b'\r' | b'\n');
                At::Quoted
            }
            (At::Mark, b'"') => At::Quoted,
            (before, other) if other == separator || matches!(other, b'\r' | b'\n') => {
                if is_broken && matches!(before, At::Mark | At::Behind) {
                    found = Quoted::Breaks;
                }
                At::Begin
            }
            (At::Mark | At::Behind, b' ') => At::Behind,
            (At::Mark | At::Behind, _) if is_broken => return Quoted::Unclosed(opened),
            _ => At::Unquoted,
        };
        line += usize::from(*byte == b'\n');
    }
    match at {
        At::Quoted => Quoted::Unclosed(opened),
        At::Mark | At::Behind if is_broken => Quoted::Breaks,
        _ => found,
    }
}

/// Text of a file: by its byte order mark, else UTF-16 by its zero bytes, else UTF-8, else windows-1252.
fn decoded(content: &[u8]) -> Result<Cow<'_, str>, ReadFault> {
    let text = match content {
        [0xEF, 0xBB, 0xBF, rest @ ..] => std::str::from_utf8(rest).map(Cow::Borrowed).ok(),
        [0xFF, 0xFE, rest @ ..] => UTF_16LE.decode_without_bom_handling_and_without_replacement(rest),
        [0xFE, 0xFF, rest @ ..] => UTF_16BE.decode_without_bom_handling_and_without_replacement(rest),
        _ => match zeros(content) {
            (0, 0) => std::str::from_utf8(content).map(Cow::Borrowed).ok().or_else(|| {
                let (text, _) = WINDOWS_1252.decode_without_bom_handling(content);
                Some(text)
            }),
            // Zero bytes at odd places: the low byte comes first.
            (even, odd) if odd > even => UTF_16LE.decode_without_bom_handling_and_without_replacement(content),
            _ => UTF_16BE.decode_without_bom_handling_and_without_replacement(content),
        },
    };
    // A program or an image has control characters; a table has none but line ends and tabs.
    text.filter(|text| !text.contains('\0'))
        .ok_or_else(|| fault("import_not_a_table"))
}

/// Zero bytes at even and at odd places of the beginning.
fn zeros(content: &[u8]) -> (usize, usize) {
    let start = content.get(..content.len().min(4096)).unwrap_or_default();
    let at = |parity| {
        let places = start.iter().skip(parity).step_by(2);
        places.filter(|byte| **byte == 0).count()
    };
    (at(0), at(1))
}

fn declared(text: &str) -> Option<(u8, &str)> {
    let rest = text.strip_prefix("sep=")?;
    let separator = *rest.as_bytes().first().filter(|byte| SEPARATORS.contains(byte))?;
    let rest = rest.get(1..)?;
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    Some((separator, rest))
}

/// The separator with which most records have as many columns as the first one, and that more than one.
fn guessed(text: &str) -> u8 {
    let sample = text.get(..text.floor_char_boundary(SAMPLE_BYTES)).unwrap_or(text);
    let score = |separator: u8| {
        let mut records = Records::new(sample, separator);
        // A line beyond the limit has more columns than others.
        let widths = std::iter::from_fn(|| match records.read() {
            Ok(record) => record.map(|_| records.width),
            Err(_) => Some(MAX_SEPARATED),
        });
        let mut widths = widths.take(SAMPLE);
        let first = widths.next().unwrap_or_default();
        if first < 2 {
            return (0, 0);
        }
        // A decimal comma or a comma in an address makes widths differ; a header does not.
        (1 + widths.filter(|width| *width == first).count(), first)
    };
    let mut best = (b',', (0, 0));
    for separator in SEPARATORS {
        let found = score(separator);
        if found > best.1 {
            best = (separator, found);
        }
    }
    best.0
}
