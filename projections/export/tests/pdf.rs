//! PDF as another program reads it. `scripts/check-exports` asks pdftotext too.
#![allow(clippy::panic, clippy::unwrap_used)]

mod common;

use caudal_export::{
    Block, Cell, Column, Document, ExportError, Field, Format, Kind, Language, PDF_ROWS, PDF_TEXT_BYTES, QR_BYTES,
    Sheet, Total, document, export,
};
use common::{TWO_DECIMALS, bytes, noon, row, rows, sheet};
use futures::{Stream, stream};
use lopdf::Object;
use std::collections::BTreeSet;

/// Text of every page without spaces and line breaks, whose places readers guess.
async fn pages<S>(sheet: Sheet, rows: S) -> Vec<String>
where
    S: Stream<Item = Result<caudal_export::Row, ExportError>> + Send + 'static,
{
    let export = export(Format::Pdf, sheet, rows).await.unwrap();
    read(&bytes(export.body).await.unwrap())
}

fn read(pdf: &[u8]) -> Vec<String> {
    let pdf = lopdf::Document::load_mem(pdf).unwrap();
    pdf.get_pages()
        .keys()
        .map(|page| bare(&pdf.extract_text(&[*page]).unwrap()))
        .collect()
}

fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

async fn printed(blocks: Vec<Block>) -> Result<Vec<String>, ExportError> {
    let title = "Recibo".to_owned();
    let export = document(Document {
        title,
        blocks,
        language: Language::Spanish,
        generated_at: noon(21),
    })
    .await?;
    Ok(read(&bytes(export.body).await?))
}

#[tokio::test]
async fn every_row_and_accent_stands_on_its_page_under_a_header() {
    let pages = pages(sheet(Language::Spanish), rows(300)).await;
    assert!(pages.len() > 3);
    for (place, page) in pages.iter().enumerate() {
        assert!(
            page.contains("CódigoFechaEntregaDestinatarioEnvíosTasaImporteCobrada"),
            "{page}"
        );
        assert!(
            page.contains(&bare(&format!("Página {} de {}", place + 1, pages.len()))),
            "{page}"
        );
        assert!(page.contains("Generadoel21/11/202614:05"), "{page}");
    }
    let all = pages.concat();
    assert!(all.starts_with("Remesas:añoencurso"), "{all}");
    assert!(all.contains("Agencia«ElPeñón»"));
    for number in 1..=300_i64 {
        let Cell::Text(name) = &row(number)[3] else {
            panic!("the fourth column is text")
        };
        let found = all.split_once(&format!("R-{number:06}")).unwrap().1;
        let cells = found.split(",").next().unwrap();
        assert!(bare(found).contains(&bare(name)), "{name} in {cells}");
    }
    assert!(all.contains("TotalUSD1.234.567,89"));
    assert!(all.contains("TotalEUR-0,05"));
}

#[tokio::test]
async fn numbers_and_dates_are_written_in_the_language() {
    let spanish = pages(sheet(Language::Spanish), rows(100)).await.concat();
    assert!(spanish.contains("R-00010017/11/202614:05"));
    assert!(spanish.contains("0,035012.344,93"), "{spanish}");
    assert!(spanish.contains("Sí"));
    let english = pages(sheet(Language::English), rows(100)).await.concat();
    assert!(english.contains("R-00010011/17/20262:05PM"));
    assert!(english.contains("0.035012,344.93"));
    assert!(english.contains("Page1of"));
    assert!(english.contains("Yes"));
}

#[tokio::test]
async fn long_texts_wrap_and_rows_taller_than_a_page_go_on_over_the_next() {
    let words: Vec<_> = (0..6_000).map(|number| format!("palabra{number}")).collect();
    let mut tall = row(1);
    tall[3] = Cell::Text(words.join(" "));
    let unbroken = "Ñ".repeat(500);
    let mut wide = row(2);
    wide[3] = Cell::Text(unbroken.clone());
    let pages = pages(sheet(Language::Spanish), stream::iter([Ok(tall), Ok(wide), Ok(row(3))])).await;
    assert!(pages.len() > 3);
    let all = pages.concat();
    for word in words {
        assert!(all.contains(&word), "{word}");
    }
    assert_eq!(all.matches('Ñ').count(), 500);
    assert!(all.contains("R-000003"));
}

#[tokio::test]
async fn whatever_a_text_holds_the_page_is_made() {
    for text in [
        "",
        "\u{0}\u{7}\t",
        "日本語",
        "🙂👩‍👩‍👧",
        "שלום",
        "e\u{301}\u{301}",
        "\n\n",
        "\u{202e}abc",
        "a\u{a0}b",
    ] {
        let mut odd = row(1);
        odd[3] = text.into();
        let pages = pages(sheet(Language::Spanish), stream::iter([Ok(odd)])).await;
        assert!(pages.concat().contains("R-000001"), "{text:?}");
    }
}

/// Names in an object, which reveal actions of a reader.
fn names(object: &Object, found: &mut BTreeSet<String>) {
    match object {
        Object::Name(name) => {
            found.insert(String::from_utf8_lossy(name).into_owned());
        }
        Object::Array(objects) => objects.iter().for_each(|object| names(object, found)),
        Object::Dictionary(dictionary) => {
            for (key, object) in dictionary {
                found.insert(String::from_utf8_lossy(key).into_owned());
                names(object, found);
            }
        }
        Object::Stream(stream) => names(&Object::Dictionary(stream.dict.clone()), found),
        _ => {}
    }
}

#[tokio::test]
async fn no_text_becomes_an_action_a_link_or_an_operator() {
    const TEXTS: [&str; 5] = [
        ") Tj ET 0 0 m 9 9 l S BT (x",
        "<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>",
        "endstream endobj 1 0 obj << /Type /Catalog /AA 2 0 R >> endobj",
        "javascript:alert(1) https://evil.example/ <script>alert(1)</script>",
        "\\) /URI (https://evil.example/) /Launch %% ]]>",
    ];
    for text in TEXTS {
        let mut odd = row(1);
        odd[3] = text.into();
        let mut sheet = sheet(Language::Spanish);
        sheet.title = text.to_owned();
        sheet.subtitle.push(text.to_owned());
        sheet.columns[3].header = text.to_owned();
        let rows = stream::iter([Ok::<_, ExportError>(odd)]);
        let export = export(Format::Pdf, sheet, rows).await.unwrap();
        let file = bytes(export.body).await.unwrap();
        let shown = read(&file).concat();
        assert!(shown.contains(&bare(text)), "{text}: {shown}");
        let pdf = lopdf::Document::load_mem(&file).unwrap();
        let mut found = BTreeSet::new();
        for object in pdf.objects.values() {
            names(object, &mut found);
            if let Object::Stream(stream) = object {
                let content = stream.decompressed_content().unwrap_or_else(|_| stream.content.clone());
                let content = String::from_utf8_lossy(&content);
                // The title is also in the XML metadata.
                let is_plain = stream.dict.has_type(b"Metadata") && !text.contains('<');
                assert!(
                    is_plain || !content.contains(text),
                    "it stands as it is in {:?}",
                    stream.dict
                );
            }
        }
        assert!(found.contains("Catalog") && found.contains("Font"), "{found:?}");
        for name in [
            "AA",
            "AcroForm",
            "Annots",
            "EmbeddedFiles",
            "JS",
            "JavaScript",
            "Launch",
            "OpenAction",
            "URI",
        ] {
            assert!(!found.contains(name), "{text}: {name}");
        }
    }
}

#[tokio::test]
async fn a_table_of_many_columns_still_shows_every_number_whole() {
    let columns: Vec<_> = (0..24)
        .map(|number| Column::new(format!("Columna {number}"), TWO_DECIMALS))
        .collect();
    let cells: Vec<_> = (0..24).map(|number| Cell::Money(123_456_700 + number)).collect();
    let totals = vec![Total {
        label: "Total CUP".to_owned(),
        cells: cells.clone(),
    }];
    let sheet = Sheet {
        columns,
        totals,
        ..sheet(Language::Spanish)
    };
    let all = pages(sheet, stream::iter([Ok(cells)])).await.concat();
    for number in 0..24 {
        assert_eq!(all.matches(&format!("1.234.567,{number:02}")).count(), 2);
    }
    assert!(all.contains("TotalCUP"));
}

#[tokio::test]
async fn a_table_without_rows_says_so() {
    let all = pages(
        Sheet {
            totals: Vec::new(),
            ..sheet(Language::Spanish)
        },
        rows(0),
    )
    .await
    .concat();
    assert!(all.contains("Nohayfilas."), "{all}");
}

#[tokio::test]
async fn more_than_the_limit_is_refused_with_the_way_out() {
    let over = i64::try_from(PDF_ROWS).unwrap() + 1;
    let refused = export(Format::Pdf, sheet(Language::Spanish), rows(over))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "export_too_large");
    assert_eq!(
        refused.to_string(),
        format!("more than {PDF_ROWS} rows do not go into PDF: use CSV or XLSX")
    );

    let mut heavy = row(1);
    heavy[3] = Cell::Text("a".repeat(PDF_TEXT_BYTES));
    let refused = export(
        Format::Pdf,
        sheet(Language::Spanish),
        stream::iter([Ok::<_, ExportError>(heavy)]),
    )
    .await;
    assert!(matches!(refused, Err(ExportError::TooMuchText { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_receipt_shows_all_its_blocks() {
    let pages = printed(vec![
        Block::Heading {
            title: "Recibo de remesa".to_owned(),
            lines: vec!["Caudal · La Habana".to_owned()],
        },
        Block::Amount {
            label: "Importe".to_owned(),
            minor: 1_234_550,
            decimals: 2,
            currency: "USD".to_owned(),
        },
        Block::Fields(vec![
            Field::text("Remitente", "Ñico Güímez"),
            Field::new("Fecha", Kind::DateTime, Cell::DateTime(noon(21))),
            Field::new("Comisión", TWO_DECIMALS, Cell::Money(12_345)),
            Field::text("Dirección", "Calle 23 ".repeat(30)),
        ]),
        Block::Section("Movimientos".to_owned()),
        Block::Table {
            columns: vec![
                Column::new("Concepto", Kind::Text),
                Column::new("Importe", TWO_DECIMALS),
            ],
            rows: vec![vec!["Envío".into(), Cell::Money(100)]],
            totals: vec![Total {
                label: "Total".to_owned(),
                cells: vec![Cell::Empty, Cell::Money(100)],
            }],
        },
        Block::Code {
            text: "R-000001".to_owned(),
            caption: "Preséntelo al cobrar.".to_owned(),
        },
        Block::PageBreak,
        Block::Text("Segunda\nhoja".to_owned()),
    ])
    .await
    .unwrap();
    assert_eq!(pages.len(), 2);
    for text in [
        "Recibo de remesa",
        "12.345,50 USD",
        "Remitente",
        "Ñico Güímez",
        "21/11/2026 14:05",
        "123,45",
        "Envío",
    ] {
        assert!(pages[0].contains(&bare(text)), "{text} in {}", pages[0]);
    }
    assert!(pages[0].contains("Preséntelo"));
    assert!(pages[1].starts_with("Segundahoja"), "{}", pages[1]);
    assert!(pages[1].contains("Página2de2"));
}

#[tokio::test]
async fn a_text_too_long_for_a_qr_code_is_refused() {
    let code = |length| {
        vec![Block::Code {
            text: "ñ".repeat(length / 2),
            caption: String::new(),
        }]
    };
    assert!(printed(code(QR_BYTES)).await.is_ok());
    let refused = printed(code(QR_BYTES + 2)).await.unwrap_err();
    assert_eq!(refused.code(), "export_qr_too_long");
}
