use super::*;
use crate::imports::kinds::{CellValue, Shape};
use proptest::prelude::*;
use rust_xlsxwriter::{Formula, Workbook};
use std::io::{Cursor, Write as _};
use zip::{ZipWriter, write::SimpleFileOptions};

fn cells(table: &Table) -> Vec<Vec<String>> {
    table.rows.iter().map(|row| row.cells.clone()).collect()
}

fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet>{rows}</office:spreadsheet></office:body></office:document-content>"
    );
    zipped(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
    ])
}

fn code(content: &[u8]) -> &'static str {
    read(content).unwrap_err().code
}

proptest! {
    #[test]
    fn a_table_is_read_alike_in_every_encoding_and_with_every_separator(
        rows in proptest::collection::vec(proptest::collection::vec("[A-Za-zñáéü\"0-9][A-Za-z ñáéü;,\"0-9\n]{0,11}[a-zé]", 3), 2..20),
        separator in 0_usize..3,
    ) {
        let separator = [b';', b',', b'\t'][separator];
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
        writer.write_record(["uno", "dos", "tres"]).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let little = [&[0xFF, 0xFE], utf16(u16::to_le_bytes).as_slice()].concat();
        let big = [&[0xFE, 0xFF], utf16(u16::to_be_bytes).as_slice()].concat();
        let marked = [&[0xEF, 0xBB, 0xBF], text.as_bytes()].concat();
        let (latin, _, lossy) = encoding_rs::WINDOWS_1252.encode(&text);
        prop_assert!(!lossy);
        for content in [text.as_bytes(), &marked, &little, &big, &utf16(u16::to_le_bytes), &latin] {
            let table = read(content).unwrap();
            prop_assert_eq!(cells(&table), rows.clone());
            prop_assert_eq!(&table.headers, &["uno", "dos", "tres"]);
        }
    }
}

#[test]
fn a_workbook_is_read_with_its_types_and_tells_of_formulas_merged_cells_and_hidden_sheets() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, ["Nombre", "Importe", "Tarjeta"]).unwrap();
    sheet.write(1, 0, "Ana").unwrap();
    sheet.write(1, 1, 1234.5).unwrap();
    sheet.write(1, 2, 9_225_060_000_000_012.0).unwrap();
    sheet.write(2, 0, "Eva").unwrap();
    sheet.write_formula(2, 1, Formula::new("=1+1").set_result("2")).unwrap();
    sheet
        .merge_range(4, 0, 4, 1, "Total", &rust_xlsxwriter::Format::new())
        .unwrap();
    book.add_worksheet().set_hidden(true).write(0, 0, "x").unwrap();
    let table = read(&book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(table.rows[0].cells[1], format!("{NUMBER}1234.5"));
    assert!(table.rows[0].cells[2].starts_with(DIGITS_LOST));
    assert_eq!(shown(&table.rows[1].cells[1]), "2");
    let numbers: Vec<_> = table.rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [2, 3, 5]);
    assert_eq!(
        table.notices,
        [Notice::Formulas, Notice::MergedCells, Notice::HiddenSheets]
    );
}

#[test]
fn an_open_document_is_read_with_its_types_and_repetitions() {
    let header = "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>Nombre</text:p></table:table-cell><table:table-cell office:value-type=\"string\"><text:p>Día</text:p></table:table-cell></table:table-row>";
    let row = "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell office:value-type=\"string\"><office:annotation><text:p>nota</text:p></office:annotation><text:p>Ana &amp; Eva</text:p></table:table-cell><table:table-cell office:value-type=\"date\" office:date-value=\"2026-12-31T10:00:00\"><text:p>31/12</text:p></table:table-cell><table:table-cell table:number-columns-repeated=\"16382\"/></table:table-row>";
    let empty = "<table:table-row table:number-rows-repeated=\"1048573\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>";
    let table = read(&ods(&format!("<table:table>{header}{row}{empty}</table:table>"))).unwrap();
    let expected = vec!["Ana & Eva".to_owned(), "2026-12-31T10:00".to_owned()];
    assert_eq!(cells(&table), [expected.clone(), expected]);
    assert_eq!(table.headers, ["Nombre", "Día"]);
}

#[test]
fn a_date_of_a_workbook_keeps_its_time_and_a_day_stays_a_day() {
    let days = [
        (45_987.0, "2025-11-26", "2025-11-26"),
        (45_987.75, "2025-11-26T18:00:00", "2025-11-26T18:00"),
        (
            45_987.753_576_388_89,
            "2025-11-26T18:05:09.000000002",
            "2025-11-26T18:05:09",
        ),
    ];
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "Entregada").unwrap();
    let format = rust_xlsxwriter::Format::new().set_num_format("dd/mm/yyyy hh:mm");
    let mut open =
        "<table:table-row><table:table-cell><text:p>Entregada</text:p></table:table-cell></table:table-row>".to_owned();
    for (line, (serial, iso, _)) in (1_u32..).zip(days) {
        sheet.write_with_format(line, 0, serial, &format).unwrap();
        open.push_str(&format!("<table:table-row><table:table-cell office:value-type=\"date\" office:date-value=\"{iso}\"><text:p>26/11</text:p></table:table-cell></table:table-row>"));
    }
    let expected = days.map(|(.., text)| vec![text.to_owned()]);
    assert_eq!(cells(&read(&book.save_to_buffer().unwrap()).unwrap()), expected);
    assert_eq!(
        cells(&read(&ods(&format!("<table:table>{open}</table:table>"))).unwrap()),
        expected
    );
    // What a column of dates and one of times make of them.
    let read = |text: &str| {
        let mapping = crate::imports::mapping::Mapping::default();
        [Shape::Date, Shape::Moment].map(|shape| shape.read(text, &mapping).unwrap())
    };
    let both = |texts: [&str; 2]| texts.map(|text| CellValue::Text(text.to_owned()));
    assert_eq!(read("2025-11-26"), both(["2025-11-26", "2025-11-26"]));
    assert_eq!(read("2025-11-26T18:00"), both(["2025-11-26", "2025-11-26T18:00:00"]));
}

#[test]
fn a_number_has_the_fifteen_digits_that_spreadsheet_programs_keep() {
    for (value, expected) in [
        (110.000_000_000_000_01, "\u{1}110"),
        (1.1 * 1.1, "\u{1}1.21"),
        (0.1 + 0.2, "\u{1}0.3"),
        (-0.7 - 0.1, "\u{1}-0.8"),
        (0.0, "\u{1}0"),
        (-0.0, "\u{1}0"),
        (1e-7, "\u{1}0.0000001"),
        (1.5e-3, "\u{1}0.0015"),
        (1_234_567.89, "\u{1}1234567.89"),
        (120.0, "\u{1}120"),
        (53_520_000_000.0, "\u{1}53520000000"),
        (999_999_999_999_999.0, "\u{1}999999999999999"),
        (999_999_999_999_999.9, "\u{2}999999999999999.9"),
        (9_225_060_000_000_000.0, "\u{2}9225060000000000"),
    ] {
        assert_eq!(workbook::number(value), expected, "{value:?}");
    }
    // What a formula computed, in both formats.
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "Importe").unwrap();
    sheet.write(1, 0, 110.000_000_000_000_01).unwrap();
    let row = |cell: &str| format!("<table:table-row><table:table-cell {cell}</table:table-cell></table:table-row>");
    let open = format!(
        "<table:table>{}{}</table:table>",
        row("><text:p>Importe</text:p>"),
        row("office:value-type=\"float\" office:value=\"110.00000000000001\"><text:p>110</text:p>")
    );
    for content in [book.save_to_buffer().unwrap(), ods(&open)] {
        assert_eq!(cells(&read(&content).unwrap()), [["\u{1}110"]]);
    }
}

#[test]
fn a_file_beyond_a_limit_is_refused_before_memory_is_used_for_it() {
    let bomb = vec![b' '; 1024 * 1024];
    let parts: Vec<(String, &[u8])> = (0..201)
        .map(|part| (format!("xl/part{part}"), bomb.as_slice()))
        .collect();
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, content)| (name.as_str(), *content)).collect();
    let packed = zipped(&parts);
    assert!(packed.len() < 2 * 1024 * 1024);
    assert_eq!(code(&packed), "import_unpacks_too_large");
    let wide = "<table:table-row><table:table-cell office:value-type=\"float\" office:value=\"1\" table:number-columns-repeated=\"1000000\"/></table:table-row>";
    assert_eq!(
        code(&ods(&format!("<table:table>{wide}</table:table>"))),
        "import_columns_too_many"
    );
    assert_eq!(code(";".repeat(10).as_bytes()), "import_empty");
    let separators = ",".repeat(super::MAX_FILE_BYTES);
    assert_eq!(code(separators.as_bytes()), "import_columns_too_many");
    assert_eq!(
        code(format!("{}\n", "x;".repeat(MAX_COLUMNS + 1)).as_bytes()),
        "import_columns_too_many"
    );
    assert_eq!(
        code(format!("a;b\n{};1\n", "x".repeat(MAX_CELL_CHARS + 1)).as_bytes()),
        "import_cell_too_long"
    );
    assert_eq!(code("a\n".repeat(MAX_ROWS + 2).as_bytes()), "import_rows_too_many");
    assert_eq!(code(&[0xD0, 0xCF, 0x11, 0xE0, 0]), "import_workbook_old_or_locked");
    assert_eq!(code(b"\x7fELF\0\0\0\0\x01\x02\x03"), "import_not_a_table");
    assert_eq!(code(b"PK\x03\x04 cut off"), "import_damaged");
    assert_eq!(code(b"a;b\n"), "import_without_rows");
}

#[test]
fn lines_are_those_of_the_file_whatever_ends_them() {
    let numbers = |text: &str| -> Vec<u32> {
        read(text.as_bytes())
            .unwrap()
            .rows
            .iter()
            .map(|row| row.number)
            .collect()
    };
    assert_eq!(numbers("a;b\n1;2\n\n\"x\ny\";2\n3;4"), [2, 4, 6]);
    assert_eq!(numbers("a;b\r\n1;2\r\n\r\n\"x\r\ny\";2\r\n3;4\r\n"), [2, 4, 6]);
    assert_eq!(numbers("sep=;\r\na;b\r\n1;2\r\n"), [3]);
}

#[test]
fn a_quotation_mark_that_is_not_closed_in_its_cell_refuses_the_file_with_its_line() {
    let header = "Nombre;Notas\nZoe;x\n";
    for (rows, line) in [
        // The rest of the file would be a note.
        ("Ana;\"Llamar antes\nEva;no\nIris;\n", "3"),
        ("Ana;\"Llamar antes", "3"),
        ("Ana;\"Llamar antes\r\nEva;no\r\n", "3"),
        ("Ana;\"uno \"\"dos\n", "3"),
        ("\"Ana\nRuiz\";\"Llamar\nEva;no\n", "4"),
        // It would be closed by the mark that opens another cell.
        ("Ana;\"Llamar\nEva;no\nIris;\"Tocar; dos veces\"\n", "3"),
        ("Ana;\"Llamar\n\"Eva\";\"no\"\n", "3"),
    ] {
        let refused = read(format!("{header}{rows}").as_bytes()).unwrap_err();
        assert_eq!(refused.code, "import_quote_unclosed", "{rows}");
        assert_eq!(refused.params["row"], line, "{rows}");
    }
    for (rows, cell, notices) in [
        ("Ana;\"uno\ndos\"", "uno\ndos", vec![Notice::LineBreaks]),
        ("Ana;\"uno\r\ndos\"\r\n", "uno\r\ndos", vec![Notice::LineBreaks]),
        ("Ana;\"uno\n\"\"dos\"\"\" \n", "uno\n\"dos\" ", vec![Notice::LineBreaks]),
        ("Ana;\"uno \"\"dos\"\"\"\n", "uno \"dos\"", vec![]),
        ("Ana;La \"Nena\"\n", "La \"Nena\"", vec![]),
        ("Ana;\"La Nena\" Ruiz\n", "La Nena Ruiz", vec![]),
    ] {
        let table = read(format!("{header}{rows}").as_bytes()).unwrap();
        assert_eq!(table.rows[1].cells, ["Ana", cell], "{rows}");
        assert_eq!(table.notices, notices, "{rows}");
    }
}

#[test]
fn a_currency_of_an_open_documents_cell_follows_its_number() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let row = |cells: [String; 2]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let rows = [
        row([cell("", "Nombre"), cell("", "Importe")]),
        row([
            cell("", "Ana"),
            cell(
                "office:value-type=\"currency\" office:currency=\"EUR\" office:value=\"1234.5\"",
                "1.234,50 €",
            ),
        ]),
        row([
            cell("", "Eva"),
            cell("office:value-type=\"currency\" office:value=\"5\"", "5,00"),
        ]),
    ];
    let table = read(&ods(&format!("<table:table>{}</table:table>", rows.concat()))).unwrap();
    assert_eq!(cells(&table), [["Ana", "\u{1}1234.5 EUR"], ["Eva", "\u{1}5"]]);
}

#[test]
fn a_currency_of_a_workbooks_format_follows_its_number_and_no_other_cell() {
    let format = |code: &str| rust_xlsxwriter::Format::new().set_num_format(code);
    let cup = format("[$CUP] #,##0.00");
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, ["Nombre", "Importe", "Nota"]).unwrap();
    for (line, code) in [(1, "[$CUP] #,##0.00"), (2, "\"€\"#,##0.00"), (3, "#,##0.00")] {
        sheet.write_with_format(line, 0, "Ana", &cup).unwrap();
        sheet.write_with_format(line, 1, 20, &format(code)).unwrap();
        sheet.write_blank(line, 2, &cup).unwrap();
    }
    let formula = Formula::new("=1+1").set_result("2");
    sheet.write_formula_with_format(4, 1, formula, &cup).unwrap();
    sheet.write_with_format(5, 1, 9_225_060_000_000_012.0, &cup).unwrap();
    sheet.write_with_format(5, 2, 45_987, &format("dd/mm/yyyy")).unwrap();
    let table = read(&book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(
        cells(&table),
        [
            vec!["Ana", "\u{1}20 CUP"],
            vec!["Ana", "\u{1}20 €"],
            vec!["Ana", "\u{1}20"],
            vec!["", "\u{1}2 CUP"],
            vec!["", "\u{2}9225060000000012", "2025-11-26"],
        ]
    );
    // A number that is no amount has no currency.
    let mapping = crate::imports::mapping::Mapping::default();
    for shape in [Shape::Text, Shape::Digits] {
        let read = shape.read(&table.rows[0].cells[1], &mapping);
        assert_eq!(read, Ok(CellValue::Text("20".to_owned())));
    }
}

#[test]
fn formats_that_the_reader_would_copy_into_too_many_cells_are_refused() {
    let long = format!("<numFmt numFmtId=\"164\" formatCode=\"{}\"/>", "0".repeat(100_000));
    for (format, cells, is_counted) in [(&*long, 10, true), (&long, 1_000, false), ("", 200_000, false)] {
        let used = "<xf numFmtId=\"164\"/>".repeat(cells);
        let styles = format!("<styleSheet><numFmts>{format}</numFmts><cellXfs>{used}</cellXfs></styleSheet>");
        let refused = read(&zipped(&[("xl/styles.xml", styles.as_bytes())])).unwrap_err();
        let expected = if is_counted {
            "import_not_a_table"
        } else {
            "import_unpacks_too_large"
        };
        assert_eq!(refused.code, expected, "{cells}");
    }
}

#[test]
fn entities_of_a_document_type_are_not_read() {
    let content = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><x><table:table><table:table-row><table:table-cell><text:p>&a;</text:p></table:table-cell></table:table-row></table:table></x>";
    assert_eq!(code(&zipped(&[("content.xml", content.as_bytes())])), "import_damaged");
}

/// A workbook with these shared texts and this sheet.
fn workbook(texts: &[u8], sheet: &str) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let related = |kind: &str, target: &str| {
        format!("<Relationships><Relationship Id=\"a\" Type=\"{office}/{kind}\" Target=\"{target}\"/></Relationships>")
    };
    let book = format!(
        "<workbook xmlns:r=\"{office}\"><sheets><sheet name=\"Uno\" sheetId=\"1\" r:id=\"a\"/></sheets></workbook>"
    );
    zipped(&[
        ("_rels/.rels", related("officeDocument", "xl/workbook.xml").as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        (
            "xl/_rels/workbook.xml.rels",
            related("worksheet", "worksheets/sheet1.xml").as_bytes(),
        ),
        ("xl/sharedStrings.xml", texts),
        (
            "xl/worksheets/sheet1.xml",
            format!("<worksheet>{sheet}</worksheet>").as_bytes(),
        ),
    ])
}

#[test]
fn a_workbook_that_announces_or_has_too_much_is_refused_and_no_position_ends_the_program() {
    const SHEET: &str = "<sheetData><row><c t=\"s\"><v>0</v></c></row><row><c><v>1</v></c></row></sheetData>";
    let told = |texts: &str, sheet: &str| read(&workbook(texts.as_bytes(), sheet)).map(|table| table.headers);
    let one = "<sst uniqueCount=\"1\"><si><t>Nombre</t></si></sst>";
    assert_eq!(told(one, SHEET), Ok(vec!["Nombre".to_owned()]));
    // Memory is reserved for as many texts as the file announces.
    let many = one.replace("\"1\"", "\"99999999999999\"");
    assert_eq!(told(&many, SHEET).unwrap_err().code, "import_damaged");
    let texts = vec![b' '; 65 * 1024 * 1024];
    assert_eq!(code(&workbook(&texts, SHEET)), "import_damaged", "no text is that long");
    let texts = "<a/>".repeat(17 * 1024 * 1024);
    assert_eq!(code(&workbook(texts.as_bytes(), SHEET)), "import_unpacks_too_large");
    // A build without checks of overflows reads on.
    for sheet in [
        format!("<dimension ref=\"B9:A1\"/>{SHEET}"),
        SHEET.replace("<c t", "<c r=\"ZZZZZZZZZ1\" t"),
        SHEET.replace("<c t", "<c r=\"A99999999999\" t"),
    ] {
        let _ = told(one, &sheet);
    }
}

#[test]
fn a_formula_without_a_saved_value_and_an_error_are_no_value_and_a_formula_of_an_empty_text_is_empty() {
    let texts = "<sst uniqueCount=\"0\"></sst>";
    let header = "<row><c t=\"inlineStr\"><is><t>Tarjeta</t></is></c><c t=\"inlineStr\"><is><t>Nota</t></is></c></row>";
    let note = "<c t=\"inlineStr\"><is><t>x</t></is></c>";
    for (cell, expected) in [
        ("<c><f>A1</f></c>", "\u{3}"),
        ("<c><f>A1</f><v></v></c>", "\u{3}"),
        ("<c><f t=\"shared\" si=\"99999999999\"/><v/></c>", "\u{3}"),
        ("<c t=\"e\"><f>NA()</f><v>#N/A</v></c>", "\u{3}#N/A"),
        ("<c t=\"inlineStr\"><is><t> #REF! </t></is></c>", "\u{3}#REF!"),
        ("<c t=\"str\"><f>\"\"</f><v></v></c>", ""),
        ("<c t=\"str\"><f>\"a\"</f><v>a</v></c>", "a"),
        ("<c><f>1+1</f><v>2</v></c>", "\u{1}2"),
        ("<c/>", ""),
    ] {
        let sheet = format!("<sheetData>{header}<row>{cell}{note}</row></sheetData>");
        let table = read(&workbook(texts.as_bytes(), &sheet)).unwrap();
        assert_eq!(cells(&table), [[expected, "x"]], "{cell}");
    }
    let header = "<table:table-row><table:table-cell><text:p>Tarjeta</text:p></table:table-cell><table:table-cell><text:p>Nota</text:p></table:table-cell></table:table-row>";
    let note = "<table:table-cell><text:p>x</text:p></table:table-cell>";
    for (cell, expected) in [
        ("<table:table-cell table:formula=\"of:=[.A1]\"/>", "\u{3}"),
        (
            "<table:table-cell table:formula=\"of:=1/0\" office:value-type=\"string\" office:string-value=\"\" calcext:value-type=\"error\"><text:p>#DIV/0!</text:p></table:table-cell>",
            "\u{3}#DIV/0!",
        ),
        (
            "<table:table-cell table:formula=\"of:=X\" calcext:value-type=\"error\" office:value-type=\"float\" office:value=\"0\"><text:p>Err:508</text:p></table:table-cell>",
            "\u{3}Err:508",
        ),
        (
            "<table:table-cell table:formula=\"of:=&quot;&quot;\" office:value-type=\"string\" office:string-value=\"\"><text:p/></table:table-cell>",
            "",
        ),
        (
            "<table:table-cell table:formula=\"of:=1+1\" office:value-type=\"float\" office:value=\"2\"><text:p>2</text:p></table:table-cell>",
            "\u{1}2",
        ),
        ("<table:table-cell/>", ""),
    ] {
        let rows = format!("<table:table>{header}<table:table-row>{cell}{note}</table:table-row></table:table>");
        assert_eq!(cells(&read(&ods(&rows)).unwrap()), [[expected, "x"]], "{cell}");
    }
    // What a spreadsheet program wrote into a text file.
    let table = read("Tarjeta;Nota\n#N/D;x\n#1;x\n".as_bytes()).unwrap();
    assert_eq!(cells(&table), [["\u{3}#N/D", "x"], ["#1", "x"]]);
    assert!(table.is_text);
    assert_eq!(typed("#N/A"), "\u{3}#N/A");
}
