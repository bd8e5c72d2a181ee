//! CSV through the public API.
#![allow(clippy::panic, clippy::unwrap_used)]

mod common;

use caudal_export::{CHUNK_BYTES, Cell, Column, ExportError, Format, Kind, Language, Sheet, export};
use common::{TWO_DECIMALS, bytes, noon, row, rows, sheet, torn};
use futures::{StreamExt, stream};

fn narrow(kind: Kind) -> Sheet {
    Sheet {
        columns: vec![Column::new("A", kind)],
        totals: Vec::new(),
        ..sheet(Language::Spanish)
    }
}

/// A single cell as CSV.
async fn written(kind: Kind, cell: Cell) -> String {
    let rows = stream::iter([Ok::<_, ExportError>(vec![cell])]);
    let export = export(Format::Csv, narrow(kind), rows).await.unwrap();
    let text = String::from_utf8(bytes(export.body).await.unwrap()).unwrap();
    text.strip_prefix("\u{feff}A\r\n")
        .unwrap()
        .strip_suffix("\r\n")
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn rows_are_plain_numbers_and_iso_dates_whatever_the_language() {
    for language in [Language::Spanish, Language::English] {
        let export = export(Format::Csv, sheet(language), rows(2)).await.unwrap();
        assert_eq!(export.file_name, "remesas-ano-en-curso-20261121-1405.csv");
        assert_eq!(
            String::from_utf8(bytes(export.body).await.unwrap()).unwrap(),
            "\u{feff}Código,Fecha,Entrega,Destinatario,Envíos,Tasa,Importe,Cobrada\r\n\
             R-000001,2026-11-02 14:05:09,2026-11-02,María de los Ángeles Pérez Rodríguez,1,0.0350,123.38,false\r\n\
             R-000002,2026-11-03 14:05:09,2026-11-03,\"José \"\"Pepe\"\" Núñez, hijo\",2,0.0350,246.83,true\r\n"
        );
    }
}

#[tokio::test]
async fn a_text_that_a_spreadsheet_would_compute_is_kept_a_text() {
    for (text, expected) in [
        ("=1+1", "'=1+1"),
        ("+53 5 123 4567", "'+53 5 123 4567"),
        ("-2", "'-2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "\"'\t'=1\""),
        ("\r=1", "\"'\r'=1\""),
        (
            "=HYPERLINK(\"http://x\",\"y\")",
            "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"",
        ),
        ("a=b", "a=b"),
        (" spaced ", "\" spaced \""),
        ("two\nlines", "\"two\nlines\""),
    ] {
        assert_eq!(written(Kind::Text, text.into()).await, expected);
    }
}

/// Cells of a line as Excel reads it where the list separator is `;`: quotes count only at the beginning of a cell, and what
/// follows the closing quote is added to the cell.
fn split_at_semicolons(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let (mut begins, mut is_quoted) = (true, false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let cell = cells.last_mut().unwrap();
        match character {
            '"' if begins => is_quoted = true,
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted => is_quoted = false,
            ';' | '\r' | '\n' if !is_quoted => {
                cells.push(String::new());
                begins = true;
                continue;
            }
            other => cell.push(other),
        }
        begins = false;
    }
    cells
}

#[tokio::test]
async fn no_cell_is_a_formula_where_a_spreadsheet_splits_at_semicolons() {
    for (text, expected) in [
        (";=1+1", "\";'=1+1\""),
        ("Ana;=1+1;x", "\"Ana;'=1+1;x\""),
        ("Ana; =1+1", "\"Ana;' =1+1\""),
        ("Ana;\"=1+1", "\"Ana;'\"\"=1+1\""),
        ("Ana,\t@SUM(A1)", "\"Ana,\t'@SUM(A1)\""),
        ("two\r\n-lines", "\"two\r\n'-lines\""),
        ("\u{FF1D}1+1", "'\u{FF1D}1+1"),
        (
            "a;\u{FF0B}1;\u{FF0D}1;\u{FF20}A",
            "\"a;'\u{FF0B}1;'\u{FF0D}1;'\u{FF20}A\"",
        ),
        ("Calle 23; apto. 4", "\"Calle 23; apto. 4\""),
    ] {
        assert_eq!(written(Kind::Text, text.into()).await, expected);
    }
    // In the first column and in a later one, whose quotes do not count.
    for text in [
        ";=1",
        "Ana;=1;x",
        "=1;\u{FF1D}1",
        "Ana;\"=1",
        "Ana;\"\";=1",
        "\";=1",
        "Ana\n=1",
        "Ana\r\n\t+1",
    ] {
        let written = written(Kind::Text, text.into()).await;
        for line in [written.clone(), format!("R-1,{written}")] {
            let cells = split_at_semicolons(&line);
            let is_formula = |cell: &String| cell.trim_start().starts_with(['=', '+', '-', '@', '\u{FF1D}']);
            assert!(!cells.iter().any(is_formula), "{text:?}: {cells:?}");
        }
    }
}

#[tokio::test]
async fn numbers_are_not_touched_and_a_decimal_that_is_none_is_a_text() {
    assert_eq!(written(TWO_DECIMALS, Cell::Money(-123_456)).await, "-1234.56");
    assert_eq!(
        written(TWO_DECIMALS, Cell::Money(i64::MIN)).await,
        "-92233720368547758.08"
    );
    assert_eq!(written(Kind::Integer, Cell::Integer(-3)).await, "-3");
    assert_eq!(written(Kind::Rate, Cell::Decimal("-0.5".to_owned())).await, "-0.5");
    assert_eq!(written(Kind::Rate, Cell::Decimal("-A1".to_owned())).await, "'-A1");
    assert_eq!(
        written(Kind::DateTime, Cell::DateTime(noon(1))).await,
        "2026-11-01 14:05:09"
    );
    assert_eq!(written(Kind::Text, Cell::Empty).await, "");
}

#[tokio::test]
async fn chunks_are_bounded() {
    let export = export(Format::Csv, sheet(Language::Spanish), rows(10_000))
        .await
        .unwrap();
    let chunks: Vec<_> = export.body.map(|chunk| chunk.unwrap().len()).collect().await;
    assert!(chunks.len() > 5);
    assert!(chunks.iter().all(|length| *length < CHUNK_BYTES + 1024), "{chunks:?}");
}

#[tokio::test]
async fn a_source_failing_early_is_an_error_and_failing_late_tears_the_body() {
    let at_once = export(Format::Csv, sheet(Language::Spanish), torn(3)).await;
    assert!(matches!(at_once, Err(ExportError::Rows(_))), "{at_once:?}");

    let later = export(Format::Csv, sheet(Language::Spanish), torn(5_000))
        .await
        .unwrap();
    assert!(matches!(bytes(later.body).await, Err(ExportError::Rows(_))));
}

#[tokio::test]
async fn a_row_of_another_width_is_refused_by_every_format() {
    for format in Format::ALL {
        let mut short = row(1);
        short.pop();
        let rows = stream::iter([Ok::<_, ExportError>(short)]);
        let refused = export(format, sheet(Language::Spanish), rows).await;
        assert!(
            matches!(refused, Err(ExportError::Width { expected: 8, found: 7 })),
            "{format}: {refused:?}"
        );
    }
}
