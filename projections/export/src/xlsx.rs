//! XLSX: typed cells below a frozen header with a filter, bold totals below the rows, and a second worksheet that
//! describes the first, which contains nothing but the table. Rows are written to temporary files as they arrive.

use crate::{
    Cell, Column, ExportError, Format as Target, Kind, Language, Row, Sheet, Total,
    export::rewound,
    notation::is_decimal,
    sheet::{Alignment, check_row},
    sums::Adder,
};
use chrono::{Datelike, NaiveDate};
use rust_xlsxwriter::{
    DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder, Workbook, Worksheet, XlsxError,
};
use std::{fs::File, io::BufWriter};
use tokio::sync::mpsc::Receiver;

/// Maximum rows: Excel has 1,048,576 including header and totals.
pub const XLSX_ROWS: usize = 1_048_000;

/// Excel's text limit in UTF-16 units.
const TEXT_UNITS: usize = 32_767;
/// Excel's limit of a worksheet name in UTF-16 units.
const NAME_UNITS: usize = 31;
/// Limit for the printed title: Excel allows 255 including control codes and doubled `&`.
const PRINTED_TITLE_UNITS: usize = 120;
/// Largest integer exactly representable as a binary float; larger ones are written as text.
const EXACT: u64 = 1 << 53;
/// Significant decimal digits of a spreadsheet number; longer ones are written as text.
const DIGITS: usize = 15;
/// Maximum column width in characters.
const WIDEST: usize = 60;
const A4: u8 = 9;

/// Message to the writer thread: rows, then the end mark. Without the end mark the file is discarded, so a failing
/// source leaves no file that looks complete.
pub(crate) enum Part {
    Rows(Vec<Row>),
    End,
}

/// Writes the table to an unnamed temporary file and rewinds it. Blocks.
pub(crate) fn write(sheet: &Sheet, mut parts: Receiver<Part>) -> Result<File, ExportError> {
    let mut workbook = Workbook::new();
    let mut table = TableWriter::new(sheet, workbook.new_worksheet_with_constant_memory()?)?;
    loop {
        match parts.blocking_recv() {
            Some(Part::Rows(rows)) => rows.iter().try_for_each(|row| table.row(row))?,
            Some(Part::End) => break,
            None => return Err(ExportError::GivenUp),
        }
    }
    workbook.push_worksheet(table.finish()?);
    about(sheet, workbook.add_worksheet())?;
    let mut properties = DocProperties::new().set_title(&sheet.title);
    if let Ok(time) = excel_time(sheet.generated_at) {
        properties = properties.set_creation_datetime(&time);
    }
    workbook.set_properties(&properties);

    let mut file = BufWriter::new(tempfile::tempfile()?);
    workbook.save_to_writer(&mut file)?;
    rewound(file)
}

struct TableWriter<'a> {
    sheet: &'a Sheet,
    adder: Option<Adder<'a>>,
    worksheet: Worksheet,
    plain: Vec<Formats>,
    bold: Vec<Formats>,
    /// Widest text of each column so far, in characters.
    widths: Vec<usize>,
    next: u32,
}

impl<'a> TableWriter<'a> {
    fn new(sheet: &'a Sheet, mut worksheet: Worksheet) -> Result<Self, ExportError> {
        worksheet.set_name(worksheet_name(&sheet.title, sheet.language))?;
        let formats = |base: &Format| -> Vec<_> {
            sheet
                .columns
                .iter()
                .map(|column| Formats::new(base, column.kind, sheet.language))
                .collect()
        };
        let plain = formats(&Format::new());
        let bold = formats(&Format::new().set_bold());
        let mut writer = Self {
            sheet,
            adder: sheet.sums.as_ref().map(|sums| Adder::new(sums, sheet.columns.len())),
            worksheet,
            plain,
            bold,
            widths: vec![0; sheet.columns.len()],
            next: 0,
        };
        writer.header()?;
        Ok(writer)
    }

    fn header(&mut self) -> Result<(), ExportError> {
        let base = Format::new()
            .set_bold()
            .set_background_color(0x00E9_EDF2)
            .set_border_bottom(FormatBorder::Thin);
        for (index, column) in (0_u16..).zip(&self.sheet.columns) {
            let align = match column.kind.alignment() {
                Alignment::Left => FormatAlign::Left,
                Alignment::Centre => FormatAlign::Center,
                Alignment::Right => FormatAlign::Right,
            };
            let format = base.clone().set_align(align);
            self.worksheet
                .write_string_with_format(0, index, clip(&column.header, TEXT_UNITS), &format)?;
            if let Some(width) = self.widths.get_mut(usize::from(index)) {
                // Space for the filter's button.
                *width = column.header.chars().count() + 3;
            }
        }
        self.next = 1;
        Ok(())
    }

    fn row(&mut self, row: &[Cell]) -> Result<(), ExportError> {
        check_row(&self.sheet.columns, row)?;
        self.cells(row, false)?;
        if let Some(adder) = &mut self.adder {
            adder.add(row)?;
        }
        self.next += 1;
        Ok(())
    }

    fn cells(&mut self, row: &[Cell], bold: bool) -> Result<(), ExportError> {
        let formats = if bold { &self.bold } else { &self.plain };
        let columns = self.sheet.columns.iter().zip(formats).zip(&mut self.widths);
        for (index, (cell, ((column, formats), widest))) in (0_u16..).zip(row.iter().zip(columns)) {
            write_cell(
                &mut self.worksheet,
                (self.next, index),
                cell,
                column,
                formats,
                self.sheet.language,
            )?;
            *widest = (*widest).max(width(cell, column, self.sheet.language));
        }
        Ok(())
    }

    /// Separated from the rows, so that sorting and filtering do not move totals.
    fn total(&mut self, total: &Total) -> Result<(), ExportError> {
        self.cells(&total.cells, true)?;
        if !total.label.is_empty() {
            // A label without an empty leading cell has its own line.
            if total.label_columns() == 0 {
                self.next += 1;
            }
            let label = clip(&total.label, TEXT_UNITS);
            self.worksheet
                .write_string_with_format(self.next, 0, label, &Format::new().set_bold())?;
        }
        self.next += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Worksheet, ExportError> {
        let last_column = u16::try_from(self.sheet.columns.len().saturating_sub(1)).unwrap_or(u16::MAX);
        let last_row = self.next.saturating_sub(1);
        self.worksheet.autofilter(0, 0, last_row, last_column)?;
        let mut totals = self.sheet.totals.clone();
        totals.extend(self.adder.take().map(Adder::totals).unwrap_or_default());
        if !totals.is_empty() {
            self.next += 1;
            totals.iter().try_for_each(|total| self.total(total))?;
        }
        for (index, width) in (0_u16..).zip(&self.widths) {
            let characters = u16::try_from((width + 2).min(WIDEST)).unwrap_or(u16::MAX);
            self.worksheet.set_column_width(index, f64::from(characters))?;
        }
        let title = clip(&self.sheet.title, PRINTED_TITLE_UNITS).replace('&', "&&");
        self.worksheet
            .set_freeze_panes(1, 0)?
            .set_repeat_rows(0, 0)?
            .set_landscape()
            .set_paper_size(A4)
            .set_print_fit_to_pages(1, 0)
            .set_header(format!("&C{title}"))
            .set_footer("&R&P / &N");
        Ok(self.worksheet)
    }
}

fn about(sheet: &Sheet, worksheet: &mut Worksheet) -> Result<(), XlsxError> {
    let name = worksheet_name(&sheet.title, sheet.language);
    let about = sheet.language.about();
    worksheet.set_name(if name.to_lowercase() == about.to_lowercase() {
        "Caudal"
    } else {
        about
    })?;
    worksheet.set_column_width(0, 80)?;
    worksheet.write_string_with_format(0, 0, clip(&sheet.title, TEXT_UNITS), &Format::new().set_bold())?;
    let generated = sheet.language.generated(sheet.generated_at);
    for (row, line) in (1..).zip(sheet.subtitle.iter().chain([&generated])) {
        worksheet.write_string(row, 0, clip(line, TEXT_UNITS))?;
    }
    Ok(())
}

/// Cell formats of one column.
struct Formats {
    base: Format,
    integer: Format,
    money: Format,
    date: Format,
    date_time: Format,
}

impl Formats {
    fn new(base: &Format, kind: Kind, language: Language) -> Self {
        let money = match kind.decimals() {
            0 => "#,##0".to_owned(),
            decimals => format!("#,##0.{}", "0".repeat(usize::from(decimals))),
        };
        Self {
            base: base.clone(),
            integer: base.clone().set_num_format("#,##0"),
            money: base.clone().set_num_format(money),
            date: base
                .clone()
                .set_num_format(language.sheet_date())
                .set_align(FormatAlign::Left),
            date_time: base
                .clone()
                .set_num_format(language.sheet_date_time())
                .set_align(FormatAlign::Left),
        }
    }
}

fn write_cell(
    worksheet: &mut Worksheet,
    (row, index): (u32, u16),
    cell: &Cell,
    column: &Column,
    formats: &Formats,
    language: Language,
) -> Result<(), XlsxError> {
    let text = |worksheet: &mut Worksheet, text: &str| {
        worksheet
            .write_string_with_format(row, index, clip(text, TEXT_UNITS), &formats.base)
            .map(drop)
    };
    match cell {
        Cell::Empty => Ok(()),
        Cell::Text(value) => text(worksheet, value),
        Cell::Integer(value) => match exact(*value) {
            Some(number) => worksheet
                .write_number_with_format(row, index, number, &formats.integer)
                .map(drop),
            None => text(worksheet, &cell.shown(column.kind, language)),
        },
        Cell::Money(minor) => match exact(*minor) {
            // Both operands are exact, so the quotient is the float nearest to the amount and reads back as the amount.
            Some(minor) => {
                let number = minor / 10_f64.powi(i32::from(column.kind.decimals()));
                worksheet
                    .write_number_with_format(row, index, number, &formats.money)
                    .map(drop)
            }
            None => text(worksheet, &cell.shown(column.kind, language)),
        },
        Cell::Decimal(value) => match spreadsheet_decimal(value) {
            Some(number) => worksheet
                .write_number_with_format(row, index, number, &formats.base)
                .map(drop),
            None => text(worksheet, value),
        },
        Cell::Date(date) => match excel_date(*date) {
            Ok(date) => worksheet
                .write_datetime_with_format(row, index, &date, &formats.date)
                .map(drop),
            Err(_) => text(worksheet, &cell.shown(column.kind, language)),
        },
        Cell::DateTime(time) => match excel_time(*time) {
            Ok(time) => worksheet
                .write_datetime_with_format(row, index, &time, &formats.date_time)
                .map(drop),
            Err(_) => text(worksheet, &cell.shown(column.kind, language)),
        },
        Cell::Bool(value) => worksheet
            .write_boolean_with_format(row, index, *value, &formats.base)
            .map(drop),
    }
}

/// The integer as a float, if exact.
fn exact(value: i64) -> Option<f64> {
    (value.unsigned_abs() <= EXACT).then_some(value as f64)
}

fn spreadsheet_decimal(text: &str) -> Option<f64> {
    let digits = text
        .trim_start_matches(['-', '+', '0', '.'])
        .bytes()
        .filter(u8::is_ascii_digit)
        .count();
    (is_decimal(text) && digits <= DIGITS)
        .then(|| text.parse().ok())
        .flatten()
}

/// Fails before 1900 and after 9999, which spreadsheets do not support.
fn excel_date(date: NaiveDate) -> Result<ExcelDateTime, XlsxError> {
    let year = u16::try_from(date.year()).unwrap_or(0);
    ExcelDateTime::from_ymd(year, date.month() as u8, date.day() as u8)
}

fn excel_time(time: chrono::NaiveDateTime) -> Result<ExcelDateTime, XlsxError> {
    use chrono::Timelike;
    excel_date(time.date())?.and_hms(time.hour() as u16, time.minute() as u8, time.second())
}

fn width(cell: &Cell, column: &Column, language: Language) -> usize {
    match cell {
        Cell::Text(text) | Cell::Decimal(text) => text.chars().take(WIDEST).count(),
        Cell::Date(_) => 10,
        Cell::DateTime(_) => 19,
        Cell::Bool(_) => 5,
        Cell::Empty => 0,
        Cell::Integer(_) | Cell::Money(_) => cell.shown(column.kind, language).len(),
    }
}

/// Truncates to `units` UTF-16 units with an ellipsis.
fn clip(text: &str, units: usize) -> String {
    if text.encode_utf16().count() <= units {
        return text.to_owned();
    }
    let mut used = 1;
    let mut clipped: String = text
        .chars()
        .take_while(|character| {
            used += character.len_utf16();
            used <= units
        })
        .collect();
    clipped.push('…');
    clipped
}

/// Worksheet name from the title: no `[]:*?/\`, no apostrophe at the ends, not "History".
fn worksheet_name(title: &str, language: Language) -> String {
    let name = title.replace(['[', ']', ':', '*', '?', '/', '\\'], " ");
    let name = clip(name.trim_matches(['\'', ' ']), NAME_UNITS);
    if name.is_empty() || name.eq_ignore_ascii_case("history") || name.chars().any(char::is_control) {
        language.data().to_owned()
    } else {
        name
    }
}

/// Error for a table with too many rows.
pub(crate) const fn too_many_rows() -> ExportError {
    ExportError::TooManyRows {
        format: Target::Xlsx,
        limit: XLSX_ROWS,
        instead: "CSV",
    }
}
