//! Random forms, query strings, JSON bodies and files to import, passed directly to their parsers: more cases than over HTTP.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it must")]

#[path = "../../../domain/tests/fuzz/harness.rs"]
mod harness;
mod properties;

use actix_web::http::header::HeaderValue;
use harness::fuzz;
use properties::{BODIES, Fields, filters, read_form};

const KIND: &str = "multipart/form-data; boundary=x";

const FORM: &[u8] =
    b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\
                      \r\n\x89PNG\r\n--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nabc\r\n--x--\r\n";

const PIECES: &[&str] = &[
    "--x",
    "--x--",
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "--",
    "name=\"\"",
    "name=file",
    "filename*=UTF-8''%00",
    "Content-Length: -1\r\n",
    "Content-Transfer-Encoding: base64\r\n",
    "Content-Type: multipart/mixed; boundary=x\r\n",
    "\u{0}",
    ";",
    "\"",
];

const KINDS: &[&str] = &[
    "boundary=",
    "\"",
    "=",
    ";",
    "x",
    "-",
    " ",
    "charset=utf-8",
    "multipart/",
    "\u{e9}",
];

#[test]
fn a_form_reads_equal_for_every_chunking() {
    let whole = read_form(&HeaderValue::from_static(KIND), FORM, FORM.len()).unwrap();
    assert_eq!(whole.parts["note"], "abc");
    fuzz("forms", |chance| {
        let kind = if chance.once_in(10) {
            chance.mutated(KIND.as_bytes(), KINDS)
        } else {
            KIND.into()
        };
        let body = chance.mutated(FORM, PIECES);
        properties::form(&kind, &body, 1 + chance.below(30));
    });
}

#[test]
fn a_query_string_reads_back_equal_or_is_refused() {
    const TEXT: &str = "provinceId=0196a000-0000-7000-8000-000000000008&amount=%31.00&page=3&isActive=true";
    const CALLS: &str = include_str!("queries.txt");
    const PIECES: &[&str] = &[
        "&",
        "=",
        "%",
        "%00",
        "%FF",
        "%C3%28",
        "+",
        "amount",
        "page=",
        "-1",
        "4294967296",
        "null",
        "[]",
        ";",
        "%26",
        "%3D",
        "Sort",
        "format=",
        "RECORDSPERPAGE=0",
        "%C2%A0",
    ];
    assert_eq!(filters::<Fields>(TEXT).unwrap().amount.as_deref(), Some("1.00"));
    let texts: Vec<&str> = [TEXT].into_iter().chain(CALLS.lines()).collect();
    fuzz("queries", |chance| {
        let text = chance.one_of(&texts);
        let text = chance.mutated(text.as_bytes(), PIECES);
        if let Ok(text) = std::str::from_utf8(&text) {
            properties::query(text);
        }
    });
}

#[test]
fn a_body_is_a_command_or_its_refusal_names_the_field() {
    const PIECES: &[&str] = &[
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "null",
        "true",
        "{}",
        "[]",
        "\"\"",
        "-1",
        "1e308",
        "0.005",
        "99999999999999999999",
        "1.",
        "\\ud800",
        "\\u0000",
        "\"unexpected\":1,",
        "\"amount\":\"1\",",
        "\"currency\":\"cup\"",
        "\u{202e}",
        "\u{0}",
    ];
    let refused = BODIES.iter().filter(|(_, read, text)| !read(text.as_bytes()));
    let refused: Vec<_> = refused.map(|(name, ..)| name).collect();
    assert!(refused.is_empty(), "{refused:?}");
    fuzz("bodies", |chance| {
        let kind = chance.below(BODIES.len());
        // Occasionally the text of another body.
        let text = if chance.once_in(8) {
            chance.below(BODIES.len())
        } else {
            kind
        };
        let text = chance.mutated(BODIES[text].2.as_bytes(), PIECES);
        properties::json(BODIES[kind].0, &text);
    });
}

const TABLE: &str = "Remitente;Destinatario;Teléfono;Monto;Fecha;Moneda\nAna;Eva;+5352000000;1.234,50;31/12/2026;CUP\n\
                     \"Ana; \"\"B\"\"\";Iris;52000001;-1;2026-12-31;USD\n";

const CELLS: &[&str] = &[
    ";",
    ",",
    "\t",
    "|",
    "\"",
    "\"\"",
    "\n",
    "\r\n",
    "\r",
    "sep=;\n",
    "\u{feff}",
    "\u{0}",
    "\u{1}",
    "\u{2}",
    "=1+1",
    "1.234,50",
    "1,234.50",
    "1.234",
    "45000",
    "31/12/2026",
    "12/31/26",
    "Saldo",
    "Municipio",
    "Remesa",
    "ñ",
    "\u{202e}",
    " ",
];

const XML: &[&str] = &[
    "<",
    ">",
    "/>",
    "\"",
    "&amp;",
    "&#0;",
    "&x;",
    "&#x110000;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE a [",
    "<?xml",
    "<c r=\"",
    "<c r=\"XFD1048576\"><v>1</v></c>",
    "r=\"A0\"",
    "r=\"ZZZZZZ99999999999\"",
    "t=\"s\"><v>4294967295</v>",
    "t=\"e\"><v>#N/A</v>",
    "t=\"b\"><v>1</v>",
    "t=\"d\"><v>2026-13-45</v>",
    "<v>1e400</v>",
    "<v>NaN</v>",
    "<v>-1</v>",
    "<v>2958466</v>",
    "s=\"99\"",
    "<row r=\"0\">",
    "<f t=\"shared\" si=\"0\" ref=\"A1:A9\">A1</f>",
    "<f>",
    "<is><t>",
    "hidden=\"1\"",
    "state=\"hidden\"",
    "<table:table-row>",
    "</table:table-row>",
    "<table:covered-table-cell/>",
    "table:number-columns-repeated=\"1000000\"",
    "table:number-rows-repeated=\"18446744073709551615\"",
    "office:value=\"1e9\"",
    "<text:s text:c=\"999999999\"/>",
    "<text:p>",
    "numFmtId=\"4294967296\"",
    "count=\"18446744073709551615\"",
    "uniqueCount=\"99999999999999\"",
    "Target=\"/xl/x.xml\"",
    "Target=\"../../x\"",
    "<si>",
    "</sst>",
];

#[test]
fn a_file_to_import_is_a_table_within_limits_or_its_fault_has_a_text() {
    assert_eq!(properties::import(TABLE.as_bytes()).unwrap().rows.len(), 2);
    assert_eq!(
        properties::workbook(properties::SHEET.as_bytes(), None)
            .unwrap()
            .rows
            .len(),
        1
    );
    assert_eq!(
        properties::document(properties::DOCUMENT.as_bytes())
            .unwrap()
            .rows
            .len(),
        2
    );
    fuzz("imports", |chance| match chance.below(5) {
        0 => {
            let text = chance.mutated(TABLE.as_bytes(), CELLS);
            properties::import(&text);
        }
        1 => {
            let wide: Vec<u8> = TABLE.encode_utf16().flat_map(u16::to_le_bytes).collect();
            properties::import(&chance.mutated(&wide, CELLS));
        }
        2 => drop(properties::workbook(
            &chance.mutated(properties::SHEET.as_bytes(), XML),
            None,
        )),
        3 => {
            let at = chance.below(9);
            let part = chance.mutated(properties::part_of_workbook(at).as_bytes(), XML);
            properties::workbook(properties::SHEET.as_bytes(), Some((at, &part)));
        }
        _ => drop(properties::document(
            &chance.mutated(properties::DOCUMENT.as_bytes(), XML),
        )),
    });
}

#[test]
fn a_zip_of_proofs_is_entries_with_names_of_their_own_or_its_fault_has_a_text() {
    const NAMES: &[&str] = &[
        "R-000001",
        ".jpg",
        "-firma.png",
        "/",
        "\\",
        "..",
        ".",
        "C:",
        "__MACOSX/",
        "Thumbs.db",
        "a",
        "A",
        "\u{0}",
        "é",
        ".zip",
        " ",
    ];
    let whole = ["R-000001.jpg", "fotos/R-000002.png"].map(str::to_owned);
    let whole = properties::named_proofs(&whole).unwrap();
    assert_eq!(properties::proofs(&whole), 2);
    fuzz("proofs", |chance| {
        let zip = if chance.once_in(2) {
            chance.mutated(
                &whole,
                &[
                    "PK\u{1}\u{2}",
                    "PK\u{3}\u{4}",
                    "PK\u{5}\u{6}",
                    "\u{0}\u{0}",
                    "\u{7f}",
                    "R-000001.jpg",
                ],
            )
        } else {
            let names: Vec<String> = (0..chance.below(4)).map(|_| chance.text(NAMES, 4)).collect();
            properties::named_proofs(&names).unwrap_or_default()
        };
        properties::proofs(&zip);
    });
}
