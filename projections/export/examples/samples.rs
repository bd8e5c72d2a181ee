//! Writes a table in every format, and a receipt, into the folder named as argument: to look at, and for
//! `scripts/check-exports`.

#[path = "../tests/common/mod.rs"]
mod common;

use caudal_export::{
    Block, Cell, Column, Document, Export, ExportError, Field, Format, Kind, Language, Row, Sheet, Total, document,
    export,
};
use common::{TWO_DECIMALS, bytes, noon, row, rows, sheet};
use futures::stream;
use std::{error::Error, fs, path::PathBuf, time::Instant};

const ROWS: i64 = 5_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: samples FOLDER")?);
    fs::create_dir_all(&folder)?;
    for format in Format::ALL {
        let started = Instant::now();
        let made = export(format, sheet(Language::Spanish), rows(ROWS)).await?;
        let name = format!("table.{}", format.extension());
        write(&folder, &name, made).await?;
        println!("{name}: {ROWS} rows in {:?}", started.elapsed());
    }
    write(
        &folder,
        "wide.pdf",
        export(Format::Pdf, wide(), stream::iter((1..=60).map(wide_row))).await?,
    )
    .await?;
    write(&folder, "receipt.pdf", document(receipt()).await?).await?;
    Ok(())
}

async fn write(folder: &std::path::Path, name: &str, export: Export) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(folder.join(name), bytes(export.body).await?)?)
}

/// More than a portrait page takes, with texts that wrap.
fn wide() -> Sheet {
    let usual = sheet(Language::English);
    let money = ["Sent", "Assigned", "Commission", "To pay", "Outstanding"].map(|name| Column::new(name, TWO_DECIMALS));
    let mut columns = usual.columns;
    columns.push(Column::new("Delivery address", Kind::Text));
    columns.push(Column::new("Notes of the dealer", Kind::Text));
    columns.extend(money);
    let mut cells = vec![Cell::Empty; columns.len()];
    cells[6] = Cell::Money(18_111_000);
    cells[10] = Cell::Money(7_407_407_340);
    let totals = vec![Total {
        label: "Total USD, all agencies".to_owned(),
        cells,
    }];
    Sheet {
        title: "Distribution".to_owned(),
        columns,
        totals,
        ..usual
    }
}

fn wide_row(number: i64) -> Result<Row, ExportError> {
    let mut row = row(number);
    row.push("Calle Línea n.º 1052 entre 12 y 14, apartamento 7, Vedado, Plaza de la Revolución, La Habana".into());
    row.push(if number % 3 == 0 {
        "Llamar antes de ir; el timbre no funciona".into()
    } else {
        Cell::Empty
    });
    row.extend((0..5).map(|place| Cell::Money(123_456_789 * (number - place))));
    Ok(row)
}

fn receipt() -> Document {
    Document {
        title: "Recibo de remesa R-000123".to_owned(),
        blocks: vec![
            Block::Heading {
                title: "Recibo de remesa".to_owned(),
                lines: vec!["Agencia «El Peñón» · Calle 23 n.º 456, La Habana".to_owned()],
            },
            Block::Amount {
                label: "Importe a entregar".to_owned(),
                minor: 1_234_550,
                decimals: 2,
                currency: "USD".to_owned(),
            },
            Block::Fields(vec![
                Field::text("Código", "R-000123"),
                Field::new("Fecha", Kind::DateTime, Cell::DateTime(noon(21))),
                Field::text("Estado", "Pendiente"),
                Field::text("Remitente", "Ñico Güímez Áñez"),
                Field::text("Destinatario", "María de los Ángeles Pérez Rodríguez"),
                Field::text("Teléfono", "+53 5 123 4567"),
                Field::text(
                    "Dirección",
                    "Calle Línea n.º 1052 entre 12 y 14, apartamento 7, Vedado, Plaza, La Habana",
                ),
            ]),
            Block::Section("Desglose".to_owned()),
            Block::Table {
                columns: vec![
                    Column::new("Concepto", Kind::Text),
                    Column::new("Tasa", Kind::Rate),
                    Column::new("Importe", TWO_DECIMALS),
                ],
                rows: vec![
                    vec!["Importe enviado".into(), Cell::Empty, Cell::Money(1_234_550)],
                    vec![
                        "Comisión de la agencia".into(),
                        Cell::Decimal("0.0350".to_owned()),
                        Cell::Money(43_209),
                    ],
                ],
                totals: vec![Total {
                    label: "Total cobrado USD".to_owned(),
                    cells: vec![Cell::Empty, Cell::Empty, Cell::Money(1_277_759)],
                }],
            },
            Block::Code {
                text: "R-000123".to_owned(),
                caption: "Presente este código al recibir la remesa.".to_owned(),
            },
            Block::Text("Conserve este recibo hasta la entrega.".to_owned()),
        ],
        language: Language::Spanish,
        generated_at: noon(21),
    }
}
