//! XLSX as another program reads it. `scripts/check-exports` asks openpyxl too.
#![allow(clippy::panic, clippy::unwrap_used)]

mod common;

use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use caudal_export::{Cell, ExportError, Format, Language, Sheet, export};
use common::{bytes, noon, row, rows, sheet, torn};
use futures::{Stream, stream};
use std::io::Cursor;

async fn workbook<S>(sheet: Sheet, rows: S) -> Xlsx<Cursor<Vec<u8>>>
where
    S: Stream<Item = Result<caudal_export::Row, ExportError>> + Send + 'static,
{
    let export = export(Format::Xlsx, sheet, rows).await.unwrap();
    let length = export.length.unwrap();
    let bytes = bytes(export.body).await.unwrap();
    assert_eq!(length, bytes.len() as u64);
    open_workbook_from_rs(Cursor::new(bytes)).unwrap()
}

#[tokio::test]
async fn every_cell_has_its_type_and_its_value() {
    let mut workbook = workbook(sheet(Language::Spanish), rows(600)).await;
    assert_eq!(workbook.sheet_names(), ["Remesas  año en curso", "Acerca de"]);
    let table = workbook.worksheet_range_at(0).unwrap().unwrap();
    for number in 1..=600_i64 {
        let read: Vec<_> = (0..8)
            .map(|column| table.get_value((number as u32, column)).cloned())
            .collect();
        let expected = row(number);
        let Cell::Money(minor) = expected[6] else {
            panic!("the seventh column is money")
        };
        let Cell::Text(name) = &expected[3] else {
            panic!("the fourth column is text")
        };
        assert_eq!(read[0], Some(Data::String(format!("R-{number:06}"))));
        assert_eq!(read[3], Some(Data::String(name.clone())));
        assert_eq!(read[4], Some(Data::Float(number as f64)));
        assert_eq!(read[5], Some(Data::Float(0.035)));
        assert_eq!(
            read[6],
            Some(Data::Float(
                format!("{}.{:02}", minor / 100, minor % 100).parse().unwrap()
            ))
        );
        let day = noon(1 + (number % 28) as u32);
        let Some(Data::DateTime(time)) = &read[1] else {
            panic!("{:?} is no time", read[1])
        };
        assert_eq!(time.as_datetime(), Some(day));
        let Some(Data::DateTime(date)) = &read[2] else {
            panic!("{:?} is no date", read[2])
        };
        assert_eq!(date.as_datetime().map(|time| time.date()), Some(day.date()));
        let paid = if number % 5 == 0 {
            Data::Empty
        } else {
            Data::Bool(number % 2 == 0)
        };
        assert_eq!(read[7].clone().unwrap_or_default(), paid);
    }
    // Separated from the rows, below them.
    assert_eq!(table.get_value((601, 0)).cloned().unwrap_or_default(), Data::Empty);
    assert_eq!(table.get_value((602, 0)), Some(&Data::String("Total USD".to_owned())));
    assert_eq!(table.get_value((602, 6)), Some(&Data::Float(1_234_567.89)));
    assert_eq!(table.get_value((603, 6)), Some(&Data::Float(-0.05)));
    let about = workbook.worksheet_range_at(1).unwrap().unwrap();
    let lines: Vec<_> = about.rows().map(|row| row[0].to_string()).collect();
    assert_eq!(lines[0], "Remesas: año en curso");
    assert_eq!(lines[1], "Del 01/11/2026 al 30/11/2026 · Estado: entregada");
    assert_eq!(lines[3], "Generado el 21/11/2026 14:05");
}

#[tokio::test]
async fn no_text_is_a_formula_and_no_cent_is_lost_beyond_the_floats() {
    let mut odd = row(1);
    odd[0] = "=1+1".into();
    odd[3] = Cell::Text("ñ".repeat(40_000));
    odd[4] = Cell::Integer(i64::MAX);
    odd[5] = Cell::Decimal("0.12345678901234567890".to_owned());
    odd[6] = Cell::Money(9_007_199_254_740_993);
    let mut workbook = workbook(sheet(Language::Spanish), stream::iter([Ok(odd)])).await;
    let table = workbook.worksheet_range_at(0).unwrap().unwrap();
    let read: Vec<_> = (0..8)
        .map(|column| table.get_value((1, column)).unwrap().to_string())
        .collect();
    assert_eq!(read[0], "=1+1");
    assert_eq!(read[3].chars().count(), 32_767);
    assert!(read[3].ends_with('…'));
    assert_eq!(read[4], "9.223.372.036.854.775.807");
    assert_eq!(read[5], "0.12345678901234567890");
    assert_eq!(read[6], "90.071.992.547.409,93");
    assert!(
        workbook
            .worksheet_formula(&workbook.sheet_names()[0].clone())
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn titles_that_excel_refuses_for_worksheets_are_replaced() {
    let long = "Remesas por agencia, distribuidor y provincia";
    for (title, name) in [
        ("History", "Data"),
        ("'[]'", "Data"),
        ("", "Data"),
        ("a/b:c", "a b c"),
        ("about", "about"),
        (long, "Remesas por agencia, distribui…"),
    ] {
        let sheet = Sheet {
            title: title.to_owned(),
            ..sheet(Language::English)
        };
        assert_eq!(workbook(sheet, rows(1)).await.sheet_names()[0], name);
    }
}

#[tokio::test]
async fn a_table_without_rows_and_a_title_of_a_thousand_letters_open_too() {
    let sheet = Sheet {
        title: "&ñ".repeat(500),
        totals: Vec::new(),
        ..sheet(Language::English)
    };
    let mut workbook = workbook(sheet, rows(0)).await;
    assert_eq!(workbook.worksheet_range_at(0).unwrap().unwrap().height(), 1);
}

#[tokio::test]
async fn a_source_that_fails_leaves_no_spreadsheet() {
    let failed = export(Format::Xlsx, sheet(Language::Spanish), torn(2_000)).await;
    assert!(matches!(failed, Err(ExportError::Rows(_))), "{failed:?}");
}
