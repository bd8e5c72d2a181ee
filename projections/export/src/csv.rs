//! CSV for programs and spreadsheets: RFC 4180, UTF-8 with a byte order mark (Excel assumes Latin-1 without it), plain
//! numbers, ISO dates. Streamed row by row in bounded chunks.

use crate::{Cell, Column, ExportError, Row, Sheet, notation::is_decimal, sheet::check_row};
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};

/// Chunk size threshold; a chunk exceeds it by at most one row.
pub const CHUNK_BYTES: usize = 64 * 1024;

const BYTE_ORDER_MARK: char = '\u{feff}';
const END_OF_ROW: &str = "\r\n";

/// Characters with which a spreadsheet begins a formula (OWASP, "CSV injection"), and their full-width forms.
const FORMULA_STARTS: [char; 8] = ['=', '+', '-', '@', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}'];

/// Characters after which a spreadsheet of another locale begins a cell: Spanish Excel splits at `;`, and takes no notice of
/// quotes within what it takes for a cell.
const SEPARATORS: [char; 5] = [';', ',', '\t', '\r', '\n'];

/// Streams the rows as CSV. An error ends the stream; the file is then incomplete.
pub(crate) fn render<S, E>(sheet: Sheet, rows: S) -> impl Stream<Item = Result<Bytes, ExportError>> + Send
where
    S: Stream<Item = Result<Row, E>> + Send,
    E: Into<Box<dyn std::error::Error + Send + Sync>> + Send,
{
    let mut head = String::from(BYTE_ORDER_MARK);
    let headers: Vec<_> = sheet
        .columns
        .iter()
        .map(|column| Cell::Text(column.header.clone()))
        .collect();
    write_row(&mut head, &sheet.columns, &headers);
    let state = Some((Box::pin(rows), sheet.columns, head));
    stream::unfold(state, |state| async move {
        let (mut rows, columns, mut chunk) = state?;
        while chunk.len() < CHUNK_BYTES {
            let row = match rows.next().await {
                Some(row) => row.map_err(|error| ExportError::Rows(error.into())),
                None if chunk.is_empty() => return None,
                None => return Some((Ok(Bytes::from(chunk)), None)),
            };
            match row.and_then(|row| check_row(&columns, &row).map(|()| row)) {
                Ok(row) => write_row(&mut chunk, &columns, &row),
                Err(error) => return Some((Err(error), None)),
            }
        }
        Some((Ok(Bytes::from(chunk)), Some((rows, columns, String::new()))))
    })
}

fn write_row(out: &mut String, columns: &[Column], row: &[Cell]) {
    for (place, (cell, column)) in row.iter().zip(columns).enumerate() {
        if place > 0 {
            out.push(',');
        }
        match cell {
            Cell::Text(text) => write_text(out, text),
            Cell::Decimal(text) if !is_decimal(text) => write_text(out, text),
            plain => out.push_str(&plain.plain(column.kind)),
        }
    }
    out.push_str(END_OF_ROW);
}

/// Writes a text of which no part is a formula, wherever a spreadsheet splits it.
fn write_text(out: &mut String, text: &str) {
    let is_quoted = text.contains([',', ';', '\t', '"', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ');
    if is_quoted {
        out.push('"');
    }
    if text.starts_with(['\t', '\r', '\n']) {
        out.push('\'');
    }
    for part in text.split_inclusive(SEPARATORS) {
        if begins_formula(part) {
            out.push('\'');
        }
        if part.contains('"') {
            out.push_str(&part.replace('"', "\"\""));
        } else {
            out.push_str(part);
        }
    }
    if is_quoted {
        out.push('"');
    }
}

/// Whether a part is a formula once a spreadsheet has taken off blanks and quotes before it.
fn begins_formula(part: &str) -> bool {
    part.trim_start_matches(|c: char| c == '"' || c.is_whitespace())
        .starts_with(FORMULA_STARTS)
}
