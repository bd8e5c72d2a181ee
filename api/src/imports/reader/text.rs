//! Text files: their encoding, their separator, their cells.

use super::{Collector, DIGITS_LOST, MAX_COLUMNS, NUMBER, ReadFault, Table, check_columns, fault};
use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

const SEPARATORS: [u8; 4] = [b';', b',', b'\t', b'|'];
/// Records from which the separator is guessed.
const SAMPLE: usize = 50;

pub fn read(content: &[u8]) -> Result<Table, ReadFault> {
    let text = decoded(content)?;
    // A first line `sep=;` is how spreadsheet programs are told the separator.
    let (separator, text, lines_before) = match declared(&text) {
        Some((separator, rest)) => (separator, rest, 1),
        None => (guessed(&text), &*text, 0),
    };
    let mut reader = records(text, separator);
    let mut record = csv::StringRecord::new();
    let mut collector = Collector::default();
    let (mut line, mut counted) = (1 + lines_before, 0);
    while reader.read_record(&mut record).map_err(|_| fault("import_damaged"))? {
        // The reader's position is before what is left of the last line's end, and before empty lines.
        let position = record.position().map_or(0, csv::Position::byte);
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        let rest = text.as_bytes().get(position..).unwrap_or_default();
        let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let begin = position.saturating_add(skipped);
        let before = text.as_bytes().get(counted..begin).unwrap_or_default();
        line += before.iter().filter(|byte| **byte == b'\n').count();
        counted = begin;
        if record.len() > MAX_COLUMNS {
            let last = record
                .iter()
                .enumerate()
                .filter(|(_, cell)| !cell.trim().is_empty())
                .last();
            check_columns(last.map_or(0, |(last, _)| last + 1))?;
        }
        let cells = record.iter().take(MAX_COLUMNS).map(clean).collect();
        collector.add(line, cells)?;
    }
    collector.finish(Vec::new(), separator == b';')
}

fn records(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes())
}

/// A cell without the marks, which only workbooks set.
fn clean(cell: &str) -> String {
    let mut cell = cell.to_owned();
    if cell.contains([NUMBER, DIGITS_LOST]) {
        cell.retain(|c| c != NUMBER && c != DIGITS_LOST);
    }
    cell
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
    let score = |separator: u8| {
        let mut widths = records(text, separator)
            .into_records()
            .take(SAMPLE)
            .filter_map(|record| Some(record.ok()?.len()));
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
