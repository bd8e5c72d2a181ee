//! The file of rows in error: the columns as they were uploaded, and a last one with the errors. Corrected, it can be uploaded
//! again: it has the rows that were not added, and no others.

use super::{
    import::ShownRow,
    reader::{DIGITS_LOST, NO_VALUE, NUMBER, Table, shown},
    values::{Decimal, is_in_mark},
};
use crate::{catalogue, language::Language};
use caudal_domain::refusal::Params;
use rust_xlsxwriter::{Format, Workbook, XlsxError};

/// Header of the column of errors, by which it is left out when the file is uploaded again.
const ERRORS: [&str; 2] = ["Errores", "Errors"];

const fn header(language: Language) -> &'static str {
    let [es, en] = ERRORS;
    match language {
        Language::Spanish => es,
        Language::English => en,
    }
}

/// Parameters of a text as stored.
pub fn params_of(stored: &std::collections::BTreeMap<String, String>) -> Params {
    let params = stored.iter();
    params
        .filter_map(|(name, value)| Some((catalogue::placeholder(name)?, value.clone())))
        .collect()
}

/// The errors of a row in words.
pub fn errors_of(row: &ShownRow, headers: &[String], language: Language) -> String {
    let outcome = row.result.as_ref().or(row.preview.as_ref());
    let errors = outcome.map(|outcome| outcome.errors.as_slice()).unwrap_or_default();
    let told = errors.iter().map(|error| {
        let text = catalogue::text(&error.code, language, &params_of(&error.params));
        let column = error.column.and_then(|column| headers.get(column));
        match column.filter(|header| !header.is_empty()) {
            Some(header) => format!("{header}: {text}"),
            None => text,
        }
    });
    told.collect::<Vec<_>>().join(" ")
}

/// Characters after which a spreadsheet program of another locale begins a cell, also within quotes.
const SEPARATORS: [char; 5] = [';', ',', '\t', '\r', '\n'];

/// Whether a spreadsheet program takes a part of a text for a formula, also behind apostrophes: these are taken off again.
fn is_guarded(part: &str) -> bool {
    let text = part.trim_start_matches(|c: char| matches!(c, '\'' | '"') || c.is_whitespace());
    let mut characters = text.chars();
    match characters.next() {
        Some('=' | '@' | '\u{FF1D}' | '\u{FF0B}' | '\u{FF0D}' | '\u{FF20}') => true,
        // Amounts and telephones begin so.
        Some('+' | '-') => {
            let rest = characters.as_str();
            let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
            !rest.starts_with(is_digit) || rest.contains(|c: char| !is_digit(c) && c != ';' && !c.is_whitespace())
        }
        _ => false,
    }
}

/// A text of which no spreadsheet program takes a part for a formula, wherever it splits it.
fn harmless(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for part in cell.split_inclusive(SEPARATORS) {
        if is_guarded(part) {
            text.push('\'');
        }
        text.push_str(part);
    }
    text
}

/// The text of which [`harmless`] made this one.
fn unguarded(cell: &str) -> String {
    let parts = cell.split_inclusive(SEPARATORS);
    parts
        .map(|part| part.strip_prefix('\'').filter(|text| is_guarded(text)).unwrap_or(part))
        .collect()
}

/// Text of a cell in the file. What can't be told, a formula's value or digits that are lost, is the error that says so: an empty
/// cell, or the digits that are left, would be read as the value.
fn written(cell: &str) -> &str {
    if cell.starts_with(DIGITS_LOST) || (cell.starts_with(NO_VALUE) && shown(cell).is_empty()) {
        return "#N/A";
    }
    shown(cell)
}

/// Makes of a file of errors that is uploaded again what it was made of: without the column of errors, and in a text file without
/// the apostrophes.
pub fn take_back(table: &mut Table) {
    if !table.leave_out_errors(&ERRORS) || !table.is_text {
        return;
    }
    let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
    for cell in table.headers.iter_mut().chain(cells) {
        *cell = unguarded(cell);
    }
}

/// The rows as CSV, by semicolons where amounts have a decimal comma, with a byte order mark, by which Excel reads UTF-8.
///
/// # Errors
/// When memory does not take the text.
pub fn csv(headers: &[String], rows: &[ShownRow], decimal: Decimal, language: Language) -> Result<Vec<u8>, csv::Error> {
    let (by_semicolon, point) = match decimal {
        Decimal::Comma => (true, ","),
        Decimal::Point => (false, "."),
    };
    let mut writer = csv::WriterBuilder::new()
        .delimiter(if by_semicolon { b';' } else { b',' })
        .terminator(csv::Terminator::CRLF)
        .from_writer("\u{feff}".as_bytes().to_vec());
    let first = headers.iter().map(|header| harmless(header));
    writer.write_record(first.chain([header(language).to_owned()]))?;
    for row in rows {
        let cells = row.cells.as_deref().unwrap_or_default();
        let text = |cell: &String| match cell.strip_prefix(NUMBER) {
            Some(number) => number.replace('.', point),
            None => harmless(written(cell)),
        };
        let cells = (0..headers.len()).map(|column| cells.get(column).map_or_else(String::new, text));
        writer.write_record(cells.chain([harmless(&errors_of(row, headers, language))]))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The rows as a workbook of texts, so that no digit of a card is lost; numbers stay numbers.
///
/// # Errors
/// When the workbook can't be written.
pub fn workbook(headers: &[String], rows: &[ShownRow], language: Language) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let bold = Format::new().set_bold();
    let text = Format::new().set_num_format("@");
    let sheet = book.add_worksheet();
    let last = u16::try_from(headers.len()).unwrap_or(u16::MAX);
    for (column, header) in (0_u16..).zip(headers) {
        sheet.write_string_with_format(0, column, header, &bold)?;
    }
    sheet.write_string_with_format(0, last, header(language), &bold)?;
    sheet.set_column_width(last, 60)?;
    for (line, row) in (1_u32..).zip(rows) {
        let cells = row.cells.as_deref().unwrap_or_default();
        for (column, cell) in (0_u16..).zip(cells) {
            let typed = cell.strip_prefix(NUMBER).unwrap_or_default();
            let (digits, beside) = typed.split_once(' ').unwrap_or((typed, ""));
            // As the workbook had it: nothing is computed with it.
            match digits.parse::<f64>() {
                Ok(number) if beside.is_empty() => sheet.write_number(line, column, number)?,
                Ok(number) if beside.chars().all(|c| c == ' ' || is_in_mark(c)) => {
                    let words = beside.split(' ').map(|word| match word {
                        // Without a locale it would say nothing.
                        "$" => "[$$-409]".to_owned(),
                        _ => format!("\"{word}\""),
                    });
                    let words = words.collect::<Vec<_>>().join(" ");
                    let format = Format::new().set_num_format(format!("General {words}"));
                    sheet.write_number_with_format(line, column, number, &format)?
                }
                _ => sheet.write_string_with_format(line, column, written(cell), &text)?,
            };
        }
        sheet.write_string(line, last, errors_of(row, headers, language))?;
    }
    sheet.set_freeze_panes(1, 0)?;
    book.save_to_buffer()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imports::{
        import::{Outcome, RowError, RowResult},
        reader,
    };

    #[test]
    fn no_part_of_a_text_is_a_formula_wherever_it_is_split_and_the_upload_takes_the_apostrophes_off() {
        for (text, expected) in [
            ("=1", "'=1"),
            ("Ana;=1;x", "Ana;'=1;x"),
            ("Ana,@SUM(A1)", "Ana,'@SUM(A1)"),
            ("Ana;\"=1", "Ana;'\"=1"),
            ("Ana\n\u{FF1D}1", "Ana\n'\u{FF1D}1"),
            ("''@Eva;'=Zoe", "'''@Eva;''=Zoe"),
            ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
            ("-1,50", "-1,50"),
            ("+53 5 123 4567; +53 5 765 4321", "+53 5 123 4567; +53 5 765 4321"),
            ("'Iris", "'Iris"),
        ] {
            assert_eq!(harmless(text), expected);
            assert_eq!(unguarded(expected), text);
        }
    }

    #[test]
    fn the_errors_of_a_row_are_no_formula_by_the_header_that_they_name() {
        let headers = ["=1+1".to_owned()];
        let outcome = Outcome {
            errors: vec![RowError {
                column: Some(0),
                field: "name".to_owned(),
                code: "required".to_owned(),
                params: std::collections::BTreeMap::new(),
            }],
            ..Outcome::of(RowResult::Refused)
        };
        let rows = [ShownRow {
            row: 0,
            line: 2,
            cells: Some(vec!["Ana".to_owned()]),
            preview: Some(outcome),
            result: None,
            left_out: false,
        }];
        let text = csv(&headers, &rows, Decimal::Point, Language::Spanish).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\r\nAna,'=1+1: "), "{text}");
    }

    #[test]
    fn a_number_keeps_the_currency_of_its_format_in_the_workbook_of_errors() {
        let amounts = ["\u{1}1.234 CUP", "\u{1}20 €", "\u{1}5 $ USD", "\u{1}7"].map(str::to_owned);
        let row = |(row, amount): (i32, &String)| ShownRow {
            row,
            line: row + 2,
            cells: Some(vec![amount.clone()]),
            preview: Some(Outcome::of(RowResult::Refused)),
            result: None,
            left_out: false,
        };
        let rows: Vec<_> = (0..).zip(&amounts).map(row).collect();
        let book = workbook(&["Importe".to_owned()], &rows, Language::Spanish).unwrap();
        let mut table = reader::read(&book).unwrap();
        take_back(&mut table);
        let read: Vec<_> = table.rows.into_iter().flat_map(|row| row.cells).collect();
        assert_eq!(read, amounts);
    }

    #[test]
    fn digits_that_a_workbook_lost_are_no_number_in_the_file_of_errors() {
        let headers = ["Tarjeta".to_owned(), "Importe".to_owned()];
        let rows = [ShownRow {
            row: 0,
            line: 2,
            cells: Some(vec![format!("{DIGITS_LOST}9225069999999990"), format!("{NUMBER}1.5")]),
            preview: Some(Outcome::of(RowResult::Refused)),
            result: None,
            left_out: false,
        }];
        let text = csv(&headers, &rows, Decimal::Comma, Language::Spanish).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\r\n#N/A;1,5;"), "{text}");
        let book = workbook(&headers, &rows, Language::Spanish).unwrap();
        let table = reader::read(&book).unwrap();
        assert_eq!(shown(&table.rows[0].cells[0]), "#N/A");
    }
}
