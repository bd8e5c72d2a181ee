//! Workbooks: XLSX and ODS, both ZIP files.

use super::{
    Collector, DIGITS_LOST, MAX_PARTS, MAX_UNPACKED_BYTES, NUMBER, Notice, ReadFault, Table, check_columns, fault,
    fault_with, ods,
};
use calamine::{DataRef, Reader as _, SheetVisible, Xlsx};
use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// Size of one read while parts are measured.
const WINDOW: usize = 64 * 1024;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

pub fn read(content: &[u8]) -> Result<Table, ReadFault> {
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|_| fault("import_damaged"))?;
    let seen = measured(&mut archive)?;
    if archive.index_for_name("content.xml").is_some() {
        let part = archive.by_name("content.xml").map_err(|_| fault("import_damaged"))?;
        return ods::read(std::io::BufReader::new(part));
    }
    if archive.index_for_name("xl/workbook.xml").is_none() {
        return Err(fault("import_not_a_table"));
    }
    drop(archive);
    xlsx(content, seen)
}

/// What the parts of a workbook mention.
#[derive(Clone, Copy, Default)]
struct Seen {
    formulas: bool,
    merged: bool,
    hidden: bool,
}

/// Unpacks every part once to nowhere: sizes written in the archive may be false.
fn measured(archive: &mut Archive<'_>) -> Result<Seen, ReadFault> {
    if archive.len() > MAX_PARTS {
        return Err(fault_with("import_parts_too_many", [("max", MAX_PARTS.to_string())]));
    }
    let (mut total, mut seen) = (0_u64, Seen::default());
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(|_| fault("import_damaged"))?;
        let is_sheet = part.name().is_ok_and(|name| name.starts_with("xl/worksheets/"));
        // A mark may lie across two windows: the end of one is kept before the next.
        let (mut window, mut kept) = (vec![0; WINDOW], 0);
        loop {
            let space = window.get_mut(kept..).unwrap_or_default();
            let read = part.read(space).map_err(|_| fault("import_damaged"))?;
            if read == 0 {
                break;
            }
            total += read as u64;
            if total > MAX_UNPACKED_BYTES {
                return Err(fault_with(
                    "import_unpacks_too_large",
                    [("max", MAX_UNPACKED_BYTES.to_string())],
                ));
            }
            if is_sheet {
                let filled = window.get(..kept + read).unwrap_or_default();
                seen.formulas = seen.formulas || has(filled, b"<f>") || has(filled, b"<f ");
                seen.merged = seen.merged || has(filled, b"<mergeCell ");
                seen.hidden = seen.hidden || has(filled, b" hidden=\"1\"") || has(filled, b" hidden=\"true\"");
                let end = filled.len();
                let start = end.saturating_sub(16);
                window.copy_within(start..end, 0);
                kept = end - start;
            }
        }
    }
    Ok(seen)
}

fn has(text: &[u8], mark: &[u8]) -> bool {
    text.windows(mark.len()).any(|window| window == mark)
}

fn xlsx(content: &[u8], seen: Seen) -> Result<Table, ReadFault> {
    let damaged = |_| fault("import_damaged");
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(content)).map_err(damaged)?;
    let sheets: Vec<_> = book.sheets_metadata().to_vec();
    let mut notices = Vec::new();
    let mut note = |notice: Notice, is_so: bool| {
        if is_so {
            notices.push(notice);
        }
    };
    note(Notice::Formulas, seen.formulas);
    note(Notice::MergedCells, seen.merged);
    note(Notice::HiddenRows, seen.hidden);
    let visible: Vec<_> = sheets
        .iter()
        .filter(|sheet| sheet.visible == SheetVisible::Visible)
        .collect();
    note(Notice::HiddenSheets, visible.len() < sheets.len());
    note(Notice::OtherSheets, visible.len() > 1);
    for sheet in visible {
        let mut collector = Collector::default();
        let mut cells = book.worksheet_cells_reader(&sheet.name).map_err(damaged)?;
        let (mut at, mut row) = (0, Vec::new());
        while let Some(cell) = cells.next_cell().map_err(damaged)? {
            let (line, column) = cell.get_position();
            let text = text_of(cell.get_value());
            if text.is_empty() {
                continue;
            }
            let column = usize::try_from(column).unwrap_or(usize::MAX);
            check_columns(column.saturating_add(1))?;
            if line != at && !row.is_empty() {
                collector.add(at as usize + 1, std::mem::take(&mut row))?;
            }
            at = line;
            if row.len() <= column {
                row.resize(column + 1, String::new());
            }
            if let Some(place) = row.get_mut(column) {
                *place = text;
            }
        }
        collector.add(at as usize + 1, row)?;
        if !collector.is_empty() {
            return collector.finish(notices, false);
        }
    }
    Err(fault("import_empty"))
}

/// Digits that a spreadsheet program keeps of a number.
const EXACT: f64 = 1e15;

/// A number without the digits that binary fractions add: the shortest text that reads back as the same number.
pub(super) fn number(value: f64) -> String {
    let mark = if value.abs() >= EXACT { DIGITS_LOST } else { NUMBER };
    format!("{mark}{value}")
}

fn text_of(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => marked_free(text),
        DataRef::SharedString(text) => marked_free(text),
        DataRef::Int(value) => format!("{NUMBER}{value}"),
        DataRef::Float(value) => number(*value),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(value) if value.is_datetime() => {
            let (year, month, day, ..) = value.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        DataRef::DateTime(value) => number(value.as_f64()),
        // A formula's error, such as #N/A: the field's own rule refuses it.
        DataRef::Error(error) => error.to_string(),
    }
}

/// A text of the file can't have the marks.
pub(super) fn marked_free(text: &str) -> String {
    text.replace([NUMBER, DIGITS_LOST], "")
}
