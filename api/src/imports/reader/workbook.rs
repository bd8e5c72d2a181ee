//! Workbooks: XLSX and ODS, both ZIP files.

use super::{
    Collector, DIGITS_LOST, MARKS, MAX_CELLS_BYTES, MAX_PARTS, MAX_UNPACKED_BYTES, NO_VALUE, NUMBER, Notice, ReadFault,
    Table, check_columns, fault, fault_with, formats, is_error_value, ods,
};
use calamine::{DataRef, Reader as _, SheetVisible, Style, Xlsx};
use chrono::{NaiveDateTime, TimeDelta, Timelike as _};
use quick_xml::events::Event;
use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Cursor, Read as _},
    rc::Rc,
};
use zip::ZipArchive;

/// Size of one read while parts are measured.
const WINDOW: usize = 64 * 1024;

/// Maximum unpacked size of a workbook's shared texts: they are held in memory at once.
const MAX_SHARED_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum tags of the shared texts; one text has four.
const MAX_SHARED_TAGS: usize = 8_000_000;
/// Maximum number of shared texts that a workbook announces: the reader reserves memory for them. Forty columns of all rows.
const MAX_SHARED_TEXTS: u64 = 2_000_000;
/// Maximum unpacked size of the list of sheets, of the formats, and of the relationships, which are held in memory too.
const MAX_DESCRIPTION_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum tags of the formats: a spreadsheet program keeps some 65,000 formats of cells, with two tags each.
const MAX_STYLE_TAGS: usize = 150_000;
/// Maximum product of the formats' tags and their longest one: the reader copies what a format names into each format of a cell.
const MAX_STYLES_COPIED: usize = 64 * 1024 * 1024;
/// Maximum bytes from one tag of an XML part to the next: a text is held in memory as a whole.
const MAX_GAP: usize = 4 * 1024 * 1024;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// What is measured of a part, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Sheet,
    SharedTexts,
    /// Formats of cells.
    Styles,
    /// Sheets, relationships.
    Description,
    Other,
}

impl PartKind {
    fn of(name: &str) -> Self {
        let name = name.to_lowercase();
        match name.rsplit('/').next().unwrap_or_default() {
            "sharedstrings.xml" => Self::SharedTexts,
            "styles.xml" => Self::Styles,
            "workbook.xml" => Self::Description,
            file if file.ends_with(".rels") => Self::Description,
            _ if name.starts_with("xl/worksheets/") => Self::Sheet,
            _ => Self::Other,
        }
    }

    const fn max_bytes(self) -> u64 {
        match self {
            Self::SharedTexts => MAX_SHARED_BYTES,
            Self::Styles | Self::Description => MAX_DESCRIPTION_BYTES,
            Self::Sheet | Self::Other => MAX_UNPACKED_BYTES,
        }
    }
}

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
    // The reader computes with positions that the file says, and panics where they overflow.
    std::panic::catch_unwind(|| xlsx(content, seen)).unwrap_or_else(|_| Err(fault("import_damaged")))
}

/// What the parts of a workbook mention.
#[derive(Clone, Copy, Default)]
struct Seen {
    formulas: bool,
    merged: bool,
    hidden: bool,
}

/// Unpacks every part once to nowhere: sizes and counts written in the archive may be false.
fn measured(archive: &mut Archive<'_>) -> Result<Seen, ReadFault> {
    if archive.len() > MAX_PARTS {
        return Err(fault_with("import_parts_too_many", [("max", MAX_PARTS.to_string())]));
    }
    let damaged = || fault("import_damaged");
    let too_large = |max: u64| fault_with("import_unpacks_too_large", [("max", max.to_string())]);
    let (mut total, mut seen) = (0_u64, Seen::default());
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(|_| damaged())?;
        let name = part.name().map_err(|_| damaged())?.into_owned();
        let (kind, is_xml) = (PartKind::of(&name), name.to_lowercase().ends_with(".xml"));
        let (mut own, mut tags, mut gap) = (0_u64, 0, 0);
        let mut styles = Styles::default();
        // A mark may lie across two windows: the end of one is kept before the next.
        let (mut window, mut kept) = (vec![0; WINDOW], 0);
        loop {
            let space = window.get_mut(kept..).unwrap_or_default();
            let read = part.read(space).map_err(|_| damaged())?;
            if read == 0 {
                break;
            }
            own += read as u64;
            total += read as u64;
            if total > MAX_UNPACKED_BYTES {
                return Err(too_large(MAX_UNPACKED_BYTES));
            }
            if own > kind.max_bytes() {
                return Err(too_large(kind.max_bytes()));
            }
            let filled = window.get(..kept + read).unwrap_or_default();
            if is_xml {
                let fresh = filled.get(kept..).unwrap_or_default();
                let opens = |byte: &u8| *byte == b'<';
                gap += fresh.iter().position(opens).unwrap_or(read);
                if gap > MAX_GAP {
                    return Err(damaged());
                }
                if let Some(last) = fresh.iter().rposition(opens) {
                    gap = read - last;
                }
                if kind == PartKind::SharedTexts {
                    tags += fresh.iter().filter(|byte| opens(byte)).count();
                }
                if tags > MAX_SHARED_TAGS {
                    return Err(too_large(MAX_SHARED_BYTES));
                }
            }
            if kind == PartKind::Styles && !styles.take(filled) {
                return Err(too_large(MAX_DESCRIPTION_BYTES));
            }
            if kind == PartKind::Sheet {
                seen.formulas = seen.formulas || has(filled, b"<f>") || has(filled, b"<f ");
                seen.merged = seen.merged || has(filled, b"<mergeCell ");
                seen.hidden = seen.hidden || has(filled, b" hidden=\"1\"") || has(filled, b" hidden=\"true\"");
                let end = filled.len();
                let start = end.saturating_sub(16);
                window.copy_within(start..end, 0);
                kept = end - start;
            }
        }
        drop(part);
        if kind == PartKind::SharedTexts {
            let part = archive.by_index(index).map_err(|_| damaged())?;
            if announced(BufReader::new(part))? > MAX_SHARED_TEXTS {
                return Err(damaged());
            }
        }
    }
    Ok(seen)
}

/// What is counted of the formats of cells.
#[derive(Default)]
struct Styles {
    tags: usize,
    /// Bytes since the last tag began.
    length: usize,
    longest: usize,
}

impl Styles {
    /// Counts a window, and says whether the limits hold.
    fn take(&mut self, window: &[u8]) -> bool {
        for byte in window {
            if *byte == b'<' {
                self.tags += 1;
                self.length = 0;
            }
            self.length += 1;
            self.longest = self.longest.max(self.length);
        }
        self.tags <= MAX_STYLE_TAGS && self.tags.saturating_mul(self.longest) <= MAX_STYLES_COPIED
    }
}

/// The number of texts that a part of shared texts announces.
fn announced(part: impl BufRead) -> Result<u64, ReadFault> {
    let mut reader = quick_xml::Reader::from_reader(part);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().check_end_names = false;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader
            .read_event_into(&mut buffer)
            .map_err(|_| fault("import_damaged"))?
        {
            Event::Start(start) if start.local_name().into_inner() == "sst" => {
                let count = ods::attribute(&start, "uniqueCount")?;
                return Ok(count.map_or(0, |count| count.parse().unwrap_or(u64::MAX)));
            }
            Event::Eof => return Ok(0),
            _ => {}
        }
    }
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
        let mut marked = marked_numbers(&mut book, &sheet.name)?;
        let mut cells = book.worksheet_cells_reader(&sheet.name).map_err(damaged)?;
        let (mut at, mut row) = (0, Vec::new());
        while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(damaged)? {
            let (line, column) = cell.pos;
            let mut text = match &cell.value {
                // A formula of an empty text has that text as its value.
                DataRef::Empty if cell.formula.is_some() => NO_VALUE.to_string(),
                value => text_of(value),
            };
            let is_marked = marked.front().is_some_and(|(place, _)| *place == cell.pos);
            if let Some((_, beside)) = is_marked.then(|| marked.pop_front()).flatten()
                && text.starts_with(NUMBER)
            {
                text.push(' ');
                text.push_str(&beside);
            }
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

/// A cell's place, and what its format writes beside its number.
type Marked = ((u32, u32), Rc<str>);

/// Cells with a number whose format writes a currency or another word beside it, in the order of the sheet. Most workbooks have
/// none, and no cell is read then: formats and formulas are not told together.
fn marked_numbers(book: &mut Xlsx<Cursor<&[u8]>>, sheet: &str) -> Result<VecDeque<Marked>, ReadFault> {
    let damaged = |_| fault("import_damaged");
    let mut cells = book.worksheet_cells_reader(sheet).map_err(damaged)?;
    let beside = |style: &Style| -> Option<Rc<str>> {
        let beside = formats::beside_number(&style.number_format.as_ref()?.format_code);
        (!beside.is_empty()).then(|| beside.into())
    };
    let styles: Vec<Option<Rc<str>>> = cells.styles().iter().map(beside).collect();
    let mut found = VecDeque::new();
    if styles.iter().all(Option::is_none) {
        return Ok(found);
    }
    while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(damaged)? {
        let Some(Some(beside)) = styles.get(style) else {
            continue;
        };
        if !matches!(cell.get_value(), DataRef::Int(_) | DataRef::Float(_)) {
            continue;
        }
        // More cells than a table may have.
        if found.len() >= MAX_CELLS_BYTES / size_of::<String>() {
            return Err(fault_with("import_too_large", [("max", MAX_CELLS_BYTES.to_string())]));
        }
        found.push_back((cell.get_position(), Rc::clone(beside)));
    }
    Ok(found)
}

/// Digits that a spreadsheet program keeps of a number.
const EXACT: f64 = 1e15;

/// A number without the digits that binary fractions add: rounded to the digits that a spreadsheet program keeps and shows.
pub(super) fn number(value: f64) -> String {
    // As text, so that no further fraction is added by computing.
    let scientific = format!("{value:.14e}");
    let parts = scientific.split_once('e');
    let parts = parts.and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?)));
    match parts {
        Some((digits, power)) if value.abs() < EXACT && power < 15 => format!("{NUMBER}{}", plain(digits, power)),
        _ => format!("{DIGITS_LOST}{value}"),
    }
}

/// A number of scientific notation in plain digits, without zeros at the end of its decimals.
fn plain(digits: &str, power: i32) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return "0".to_owned();
    }
    let Ok(whole) = usize::try_from(power + 1) else {
        let zeros = "0".repeat(usize::try_from(-power - 1).unwrap_or_default());
        return format!("{sign}0.{zeros}{digits}");
    };
    match digits.split_at_checked(whole) {
        Some(("", decimals)) => format!("{sign}0.{decimals}"),
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, decimals)) => format!("{sign}{whole}.{decimals}"),
        None => format!("{sign}{digits:0<whole$}"),
    }
}

fn text_of(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) | DataRef::DurationIso(text) => marked_free(text),
        DataRef::DateTimeIso(text) => moment(text),
        DataRef::SharedString(text) => marked_free(text),
        DataRef::Int(value) => format!("{NUMBER}{value}"),
        DataRef::Float(value) => number(*value),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(value) => match value.as_datetime().filter(|_| value.is_datetime()) {
            Some(at) => moment_text(at),
            None => number(value.as_f64()),
        },
        DataRef::Error(error) => format!("{NO_VALUE}{error}"),
    }
}

/// A cell's date, with its time unless that is midnight: a workbook does not tell a day from its midnight. Binary fractions of
/// a day are rounded to the second.
fn moment_text(at: NaiveDateTime) -> String {
    let at = at.checked_add_signed(TimeDelta::milliseconds(500)).unwrap_or(at);
    let way = match (at.num_seconds_from_midnight(), at.second()) {
        (0, _) => "%Y-%m-%d",
        (_, 0) => "%Y-%m-%dT%H:%M",
        _ => "%Y-%m-%dT%H:%M:%S",
    };
    at.format(way).to_string()
}

/// A date of ISO 8601 as [`moment_text`] writes it. Another text is returned as it is, so that the field's own rule refuses it.
pub(super) fn moment(text: &str) -> String {
    let ways = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"];
    let at = ways
        .iter()
        .find_map(|way| NaiveDateTime::parse_from_str(text, way).ok());
    at.map_or_else(|| marked_free(text), moment_text)
}

/// A text of the file, which can't have the marks. One that is an error of a formula is no value.
pub(super) fn marked_free(text: &str) -> String {
    if is_error_value(text) {
        return format!("{NO_VALUE}{}", text.trim());
    }
    let mut text = text.to_owned();
    if text.contains(MARKS) {
        text.retain(|c| !MARKS.contains(&c));
    }
    text
}
