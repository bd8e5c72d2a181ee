//! A typical exported table, with texts that exports often get wrong.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use caudal_export::{Body, Cell, Column, ExportError, Kind, Language, Row, Sheet, Total};
use chrono::{NaiveDate, NaiveDateTime};
use futures::{Stream, TryStreamExt, stream};

pub const TWO_DECIMALS: Kind = Kind::Money { decimals: 2 };

pub fn noon(day: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 11, day)
        .and_then(|date| date.and_hms_opt(14, 5, 9))
        .unwrap()
}

pub fn sheet(language: Language) -> Sheet {
    Sheet {
        title: "Remesas: año en curso".to_owned(),
        subtitle: vec![
            "Del 01/11/2026 al 30/11/2026 · Estado: entregada".to_owned(),
            "Agencia «El Peñón»".to_owned(),
        ],
        columns: vec![
            Column::new("Código", Kind::Text),
            Column::new("Fecha", Kind::DateTime),
            Column::new("Entrega", Kind::Date),
            Column::new("Destinatario", Kind::Text),
            Column::new("Envíos", Kind::Integer),
            Column::new("Tasa", Kind::Rate),
            Column::new("Importe", TWO_DECIMALS),
            Column::new("Cobrada", Kind::Boolean),
        ],
        totals: vec![total("Total USD", 123_456_789), total("Total EUR", -5)],
        sums: None,
        language,
        generated_at: noon(21),
        facts: Vec::new(),
    }
}

fn total(label: &str, minor: i64) -> Total {
    let mut cells = vec![Cell::Empty; 8];
    cells[6] = Cell::Money(minor);
    Total {
        label: label.to_owned(),
        cells,
    }
}

pub fn row(number: i64) -> Row {
    let names = [
        "Ñico Güímez Áñez",
        "María de los Ángeles Pérez Rodríguez",
        "José \"Pepe\" Núñez, hijo",
        "Zoë Ibáñez",
    ];
    let name = names[usize::try_from(number).unwrap() % names.len()];
    vec![
        Cell::Text(format!("R-{number:06}")),
        Cell::DateTime(noon(1 + u32::try_from(number % 28).unwrap())),
        Cell::Date(noon(1 + u32::try_from(number % 28).unwrap()).date()),
        Cell::Text(name.to_owned()),
        Cell::Integer(number),
        Cell::Decimal("0.0350".to_owned()),
        Cell::Money(number * 12_345 - 7),
        if number % 5 == 0 {
            Cell::Empty
        } else {
            Cell::Bool(number % 2 == 0)
        },
    ]
}

pub fn rows(count: i64) -> impl Stream<Item = Result<Row, ExportError>> + Send {
    stream::iter((1..=count).map(|number| Ok(row(number))))
}

/// Yields `count` rows, then an error.
pub fn torn(count: i64) -> impl Stream<Item = Result<Row, std::io::Error>> + Send {
    stream::iter((1..=count + 1).map(move |number| {
        if number > count {
            Err(std::io::Error::other("the database went away"))
        } else {
            Ok(row(number))
        }
    }))
}

pub async fn bytes(body: Body) -> Result<Vec<u8>, ExportError> {
    body.try_fold(Vec::new(), |mut all, chunk| async move {
        all.extend_from_slice(&chunk);
        Ok(all)
    })
    .await
}
