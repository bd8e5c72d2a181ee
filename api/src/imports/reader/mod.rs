//! Files into rows of cells. Every size is bounded before memory is used for it.

mod formats;
mod ods;
mod text;
mod workbook;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum file in bytes: 50,000 rows of 400 characters.
pub const MAX_FILE_BYTES: usize = 20 * 1024 * 1024;
/// Maximum rows under the header: a preview and its screen stay usable.
pub const MAX_ROWS: usize = 50_000;
/// Maximum columns; no kind has more than 40 fields.
pub const MAX_COLUMNS: usize = 100;
/// Maximum characters of a cell; no field may be longer.
pub const MAX_CELL_CHARS: usize = 1_000;
/// Maximum size of all cells together, which are held in memory while a file is read.
pub const MAX_CELLS_BYTES: usize = 40 * 1024 * 1024;
/// Maximum unpacked size of a workbook: a compressed file may unpack to a thousand times its size.
pub const MAX_UNPACKED_BYTES: u64 = 200 * 1024 * 1024;
/// Maximum files in a workbook; a usual one has ten.
pub const MAX_PARTS: usize = 500;

/// Marks a cell that the workbook holds as a number: its decimal separator is the point, whatever the column's is. Codes and signs of
/// currencies, and other words that its format writes beside it, follow after blanks.
pub const NUMBER: char = '\u{1}';
/// Marks a number of which a spreadsheet program keeps no digit beyond the fifteenth.
pub const DIGITS_LOST: char = '\u{2}';
/// Marks a cell without a value: a formula whose result is not saved, or an error such as `#N/A`, which follows the mark. Such a
/// cell is neither empty nor a text.
pub const NO_VALUE: char = '\u{3}';
/// The marks, which no text of a file can have.
pub(crate) const MARKS: [char; 3] = [NUMBER, DIGITS_LOST, NO_VALUE];

/// Errors of formulas as spreadsheet programs write them, in English and in Spanish.
const ERROR_VALUES: &[&str] = &[
    "#N/A",
    "#VALUE!",
    "#REF!",
    "#DIV/0!",
    "#NAME?",
    "#NUM!",
    "#NULL!",
    "#SPILL!",
    "#CALC!",
    "#N/D",
    "#¡VALOR!",
    "#¡REF!",
    "#¡DIV/0!",
    "#¿NOMBRE?",
    "#¡NUM!",
    "#¡NULO!",
];

/// Whether a text is an error of a formula.
pub(crate) fn is_error_value(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('#') && ERROR_VALUES.contains(&text)
}

/// Why a file can't be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFault {
    pub code: &'static str,
    pub params: BTreeMap<&'static str, String>,
}

pub(crate) fn fault(code: &'static str) -> ReadFault {
    fault_with(code, [])
}

pub(crate) fn fault_with<const N: usize>(code: &'static str, params: [(&'static str, String); N]) -> ReadFault {
    ReadFault {
        code,
        params: params.into(),
    }
}

/// What a reader tells the person beside the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportNotice)]
pub enum Notice {
    /// Formulas: the values saved with them are read.
    Formulas,
    /// Hidden sheets, which are not read.
    HiddenSheets,
    /// Other sheets than the first one with rows, which are not read.
    OtherSheets,
    /// Merged cells: the first of them has the value, the others are empty.
    MergedCells,
    /// Hidden rows or columns are read like the others.
    HiddenRows,
    /// Cells of a text file with line breaks: a quotation mark too many makes one row of several.
    LineBreaks,
}

/// A row with its number in the file, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawRow {
    pub number: u32,
    pub cells: Vec<String>,
}

/// A table as read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub headers: Vec<String>,
    pub rows: Vec<RawRow>,
    pub notices: Vec<Notice>,
    /// Whether semicolons separate the columns.
    pub by_semicolon: bool,
    /// Whether it is of a text file, and not of a workbook.
    pub is_text: bool,
}

impl Table {
    /// Leaves out the last column, if it is the errors that were written beside the rows. Returns whether it was.
    pub fn leave_out_errors(&mut self, names: &[&str]) -> bool {
        let last = self.headers.len().saturating_sub(1);
        if last == 0
            || !self
                .headers
                .last()
                .is_some_and(|header| names.contains(&header.as_str()))
        {
            return false;
        }
        self.headers.truncate(last);
        for row in &mut self.rows {
            row.cells.truncate(last);
        }
        true
    }
}

/// A text that a person typed into a cell.
#[must_use]
pub fn typed(text: &str) -> String {
    workbook::marked_free(text)
}

/// Reads a file by its content, whatever it is called.
///
/// # Errors
/// Why it can't be imported.
pub fn read(content: &[u8]) -> Result<Table, ReadFault> {
    if content.is_empty() {
        return Err(fault("import_empty"));
    }
    if content.len() > MAX_FILE_BYTES {
        return Err(fault_with("import_too_large", [("max", MAX_FILE_BYTES.to_string())]));
    }
    if content.starts_with(b"PK\x03\x04") {
        return workbook::read(content);
    }
    // Workbooks older than 2007, and those with a password.
    if content.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Err(fault("import_workbook_old_or_locked"));
    }
    text::read(content)
}

/// Collects rows within the limits.
#[derive(Default)]
pub(crate) struct Collector {
    rows: Vec<RawRow>,
    bytes: usize,
}

impl Collector {
    /// Adds a row. Empty ones are left out, and empty cells at its end.
    ///
    /// # Errors
    /// When a limit is exceeded.
    pub(crate) fn add(&mut self, number: usize, mut cells: Vec<String>) -> Result<(), ReadFault> {
        while cells.last().is_some_and(|cell| cell.trim().is_empty()) {
            cells.pop();
        }
        if cells.is_empty() {
            return Ok(());
        }
        // One more for the header.
        if self.rows.len() > MAX_ROWS {
            return Err(fault_with("import_rows_too_many", [("max", MAX_ROWS.to_string())]));
        }
        check_columns(cells.len())?;
        for (index, cell) in cells.iter().enumerate() {
            check_cell(cell, number, index)?;
            self.bytes += cell.len() + size_of::<String>();
        }
        if self.bytes > MAX_CELLS_BYTES {
            return Err(fault_with("import_too_large", [("max", MAX_CELLS_BYTES.to_string())]));
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        cells.shrink_to_fit();
        self.rows.push(RawRow { number, cells });
        Ok(())
    }

    /// The table: the first row is its header.
    ///
    /// # Errors
    /// When nothing stands below a header.
    pub(crate) fn finish(self, notices: Vec<Notice>, by_semicolon: bool) -> Result<Table, ReadFault> {
        let mut rows = self.rows;
        if rows.len() < 2 {
            return Err(fault(if rows.is_empty() {
                "import_empty"
            } else {
                "import_without_rows"
            }));
        }
        let headers = rows.remove(0).cells;
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        let mut headers: Vec<String> = headers.iter().map(|text| shown(text).trim().to_owned()).collect();
        headers.resize(headers.len().max(width), String::new());
        Ok(Table {
            headers,
            rows,
            notices,
            by_semicolon,
            is_text: false,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// # Errors
/// Above the maximum.
pub(crate) fn check_columns(columns: usize) -> Result<(), ReadFault> {
    if columns > MAX_COLUMNS {
        return Err(fault_with(
            "import_columns_too_many",
            [("max", MAX_COLUMNS.to_string())],
        ));
    }
    Ok(())
}

fn check_cell(cell: &str, row: usize, column: usize) -> Result<(), ReadFault> {
    if cell.len() > MAX_CELL_CHARS && cell.chars().count() > MAX_CELL_CHARS {
        return Err(fault_with(
            "import_cell_too_long",
            [
                ("max", MAX_CELL_CHARS.to_string()),
                ("row", row.to_string()),
                ("column", (column + 1).to_string()),
            ],
        ));
    }
    Ok(())
}

/// Text of a cell for people: without the mark of its type.
#[must_use]
pub fn shown(cell: &str) -> &str {
    cell.trim_start_matches(MARKS)
}

#[cfg(test)]
mod tests;
