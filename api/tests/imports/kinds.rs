//! What each kind of file adds, and what it says of rows in error.

use super::{HEADERS, Nodes, Person, TENANT};
use crate::support::{Business, Call, PASSWORD, secret_of, text};
use caudal_api::auth::totp;
use chrono::Utc;
use serde_json::{Value, json};

#[test]
fn each_kind_adds_what_its_file_says_and_tells_its_errors_at_their_cells() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let (agency, manager) = (Person::agency(&business), Person::manager(&business));

    // Issuers, by an agency. One is known, one is twice in the file, one has no name.
    let file = "Nombre;Apellidos;Teléfono;Correo\nAna;;;\nBea;Ruiz;+13055550101;bea@example.org\nBea;Ruiz;+13055550101;\n;Sin;;\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    let names: Vec<_> = preview
        .iter()
        .map(|(result, codes)| (result.as_str(), codes.join(" ")))
        .collect();
    let expected = [("there", ""), ("added", ""), ("there", ""), ("refused", "required")];
    assert_eq!(names, expected.map(|(result, code)| (result, code.to_owned())));
    let refused = &agency.rows(&id, "&result=refused")[0];
    assert_eq!(
        (&refused["line"], &refused["errors"][0]["column"]),
        (&json!(5), &json!(0))
    );
    assert_eq!(refused["errors"][0]["field"], "name");

    // It is corrected in place, another row is left out, and there is another preview.
    let change = |row: i64, body: Value| agency.send("PUT", &format!("/imports/{id}/rows/{row}"), Some(body));
    assert_eq!(
        change(3, json!({"cells": [{"column": 0, "text": "Carla"}]})).status,
        200
    );
    assert_eq!(change(1, json!({"leftOut": true})).body["leftOut"], true);
    assert_eq!(
        agency.send("POST", &format!("/imports/{id}/start"), None).code(),
        "import_not_in_state"
    );
    let previewed = agency.preview(&id);
    assert_eq!(
        previewed["previewCounts"],
        json!({"added": 2, "there": 1, "waiting": 0, "refused": 0, "leftOut": 1})
    );
    let done = agency.run(&id);
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    let found = agency.get("/customer/sender?query=Carla");
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(change(3, json!({"leftOut": true})).code(), "import_row_is_fixed");

    // One passport number of two countries is of two people; a country is named or coded, and is one that there is.
    let file = "Nombre;Documento;Tipo de documento;País del documento\nIria;X123456;pasaporte;España\nItalo;X123456;pasaporte;it\nIria;x123456;pasaporte;es\nNadie;X999999;pasaporte;Narnia\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    let expected = [
        ("added", ""),
        ("added", ""),
        ("there", ""),
        ("refused", "country_unknown"),
    ];
    let expected = expected.map(|(result, code)| (result.to_owned(), code.to_owned()));
    let found: Vec<_> = preview
        .iter()
        .map(|(result, codes)| (result.clone(), codes.join(" ")))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(agency.rows(&id, "&result=refused")[0]["errors"][0]["column"], 3);
    agency.run(&id);
    let countries: Vec<_> = agency
        .rows(&id, "&result=added")
        .iter()
        .map(|row| {
            agency.get(&format!("/customer/{}/details", text(&row["record"])))["personalIdentificationCountry"].clone()
        })
        .collect();
    assert_eq!(countries, ["ES", "IT"]);

    // Recipients with cards, for the agency by the office; the errors go to a file, which is corrected and uploaded.
    let file = "Remitente,Nombre,Tarjeta,Municipio\nAna,Eva,9225069990000004,Playa\nAna,Eva,9225069990000012,Playa\nAna,Iris,123,Playa\n";
    let import = manager.upload("recipients", file.as_bytes());
    let id = text(&import["id"]);
    let wrong = manager.send("POST", &format!("/imports/{id}/preview"), None);
    assert_eq!(wrong.body["errors"][0]["code"], "import_owner_required");
    assert_eq!(import["seller"], json!(null));
    let mut mapping = import["mapping"].clone();
    mapping["owner"] = json!(business.agency);
    let mapped = manager.client.expect(
        200,
        &manager.token,
        "PUT",
        &format!("/imports/{id}/mapping"),
        Some(mapping),
    );
    assert_eq!(mapped["seller"], json!({"id": business.agency, "name": "Agency"}));
    manager.preview(&id);
    let done = manager.run(&id);
    assert_eq!(done["runCounts"]["added"], 2, "{:?}", manager.results(&id, "result"));
    assert_eq!(done["runCounts"]["refused"], 1);
    for format in ["csv", "xlsx"] {
        let path = format!("/imports/{id}/file?format={format}");
        let file = manager.client.send(Call::new("GET", &path).token(&manager.token));
        assert_eq!(file.status, 200);
        let again = manager.upload("recipients", &file.bytes);
        assert_eq!(
            (&again["rows"], &again["headers"]),
            (&json!(1), &import["headers"]),
            "{format}"
        );
        assert_eq!(
            (&again["mapping"]["columns"], &again["mapping"]["owner"]),
            (&import["mapping"]["columns"], &json!(null)),
            "columns are saved for such files, and the seller is each file's own"
        );
    }

    // Remittances, with an amount that is too large for the balance, told with the place of the amount.
    let rows = "Ana;Eva;+5352000000;Playa;1,50;CUP;A1\nAna;Eva;+5352000000;Playa;9000,00;CUP;A2\n";
    let id = text(&agency.upload("remittances", format!("{HEADERS}\n{rows}").as_bytes())["id"]);
    let previewed = agency.preview(&id);
    assert_eq!(previewed["previewCounts"]["added"], 1);
    assert_eq!(
        agency.rows(&id, "&result=refused")[0]["errors"][0]["code"],
        "balance_insufficient"
    );
    agency.run(&id);
    let sold = agency.rows(&id, "&result=added");
    let found = agency.get(&format!("/remittances/{}", text(&sold[0]["record"])));
    assert_eq!(found["code"], sold[0]["code"]);

    // Delivery fees, by the office.
    let file = "Municipio;Tarifa;Moneda\nPlaya;150,00;CUP\nPlaya;2,00;CUP\nNo hay;1,00;CUP\n";
    let id = text(&manager.upload("fees", file.as_bytes())["id"]);
    manager.preview(&id);
    let preview = manager.results(&id, "preview");
    let codes: Vec<_> = preview.iter().map(|(_, codes)| codes.join(" ")).collect();
    assert_eq!(codes, ["", "duplicate", "municipality_unknown"]);
    manager.run(&id);
    assert_eq!(manager.results(&id, "result"), preview);
    // Without a currency: told at the fee's column, unless the place has a fee whose currency stays.
    let id = text(&manager.upload("fees", "Municipio;Tarifa\nPlaya;160,00\nMarianao;90,00\n".as_bytes())["id"]);
    manager.preview(&id);
    let errors = &manager.rows(&id, "&result=refused")[0]["errors"];
    assert_eq!(
        (&errors[0]["code"], &errors[0]["column"]),
        (&json!("import_fee_currency_missing"), &json!(1))
    );
    assert_eq!(manager.results(&id, "preview")[0].0, "added");
    assert_eq!(
        agency.uploading("fees", b"Municipio;Tarifa\nPlaya;1\n").code(),
        "role_not_allowed"
    );
}

#[test]
fn a_row_that_means_the_customer_of_a_refused_row_is_decided_after_it() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    // The second row means the first by its telephone, which is refused; the third has the second's document.
    let file = "Nombre;Teléfono;Documento\nZoe Uno;12;\nZoe Dos;12;A123456\nZoe Dos;+5352000000;A123456\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    let refused = || ("refused".to_owned(), vec!["phone_too_short".to_owned()]);
    let results = agency.results(&id, "result");
    assert_eq!(results, [refused(), refused(), ("added".to_owned(), vec![])]);
    assert_eq!(agency.results(&id, "preview"), results);
}

#[test]
fn a_run_of_delivery_fees_needs_a_fresh_code_as_the_change_of_one_does() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let manager = Person::manager(&business);
    let begun = business.as_manager(201, "POST", "/second_factor/enrolments", json!({"password": PASSWORD}));
    let secret = secret_of(&text(&begun["secret"]));
    let code = totp::code(&secret, totp::step_of(Utc::now())).to_string();
    let path = format!("/second_factor/enrolments/{}/confirm", text(&begun["id"]));
    business.as_manager(200, "POST", &path, json!({"code": code}));
    let id = text(&manager.upload("fees", "Municipio;Tarifa;Moneda\nPlaya;160,00;CUP\n".as_bytes())["id"]);
    manager.preview(&id);
    let refused = manager.send("POST", &format!("/imports/{id}/start"), None);
    assert_eq!((refused.status, refused.code()), (403, "second_factor_code_required"));
}

#[test]
fn an_amount_of_another_currency_or_of_blanks_that_group_nothing_is_refused_at_its_cell() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let (agency, manager) = (Person::agency(&business), Person::manager(&business));
    let preview = |person: &Person, kind: &str, file: &str| -> Vec<String> {
        let id = text(&person.upload(kind, file.as_bytes())["id"]);
        person.preview(&id);
        for row in person.rows(&id, "&result=refused") {
            let amount = json!(if kind == "remittances" { 4 } else { 1 });
            assert_eq!(row["errors"][0]["column"], amount, "{row}");
        }
        let results = person.results(&id, "preview").into_iter();
        results.map(|(_, codes)| codes.join(" ")).collect()
    };
    let amounts = [
        ("20 CUP", "import_currency_differs"),
        ("5 EUR", "import_currency_differs"),
        ("€5", "import_currency_differs"),
        ("MLC 5", "import_currency_differs"),
        ("1 5", "import_number_grouped"),
        ("1'2", "import_number_grouped"),
        ("1 2.5", "import_number_grouped"),
        ("6 usd", ""),
        ("$7", ""),
        ("US$ 8", ""),
        ("1 009", ""),
    ];
    let rows: String = amounts
        .iter()
        .map(|(amount, _)| format!("Ana;Eva;;Playa;{amount};CUP;\n"))
        .collect();
    assert_eq!(
        preview(&agency, "remittances", &format!("{HEADERS}\n{rows}")),
        amounts.map(|(_, code)| code.to_owned())
    );
    // Of fees and balances the row's currency is that of the amount.
    let fees = "Municipio;Tarifa;Moneda\nPlaya;7 USD;CUP\nMarianao;$7;USD\nCerro;7 cup;CUP\nRegla;7 CUP;USD\n";
    let differs = "import_currency_differs";
    assert_eq!(preview(&manager, "fees", fees), [differs, "", "", differs]);
    let openings = "Cuenta;Saldo;Moneda\nCaja;5 USD;CUP\nDealer;$5;USD\nDealer;€5;CUP\nDealer;5 CUP;cup\n";
    assert_eq!(preview(&manager, "openings", openings), [differs, "", differs, ""]);
}

#[test]
fn a_currency_of_a_workbooks_format_refuses_an_amount_in_another_one() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    let headers = ["Remitente", "Destinatario", "Municipio", "Importe", "Moneda"];
    sheet.write_row(0, 0, headers).unwrap();
    let formats = [
        ("[$CUP] #,##0.00", "import_currency_differs"),
        ("\"€\"#,##0.00", "import_currency_differs"),
        ("[$$-5C0A]#,##0.00", "import_currency_differs"),
        ("[$$-409]#,##0.00", ""),
        ("#,##0.00\" USD\"", ""),
        ("#,##0.00", ""),
    ];
    for (line, (code, _)) in (1_u32..).zip(formats) {
        sheet.write_row(line, 0, ["Ana", "Eva", "Playa"]).unwrap();
        let format = rust_xlsxwriter::Format::new().set_num_format(code);
        // Not two equal sales.
        sheet.write_with_format(line, 3, 20 + line, &format).unwrap();
        sheet.write(line, 4, "CUP").unwrap();
    }
    let file = book.save_to_buffer().unwrap();
    let id = text(&agency.upload("remittances", &file)["id"]);
    agency.preview(&id);
    let results = agency.results(&id, "preview");
    let codes: Vec<_> = results.iter().map(|(_, codes)| codes.join(" ")).collect();
    assert_eq!(codes, formats.map(|(_, code)| code));
    let refused = &agency.rows(&id, "&result=refused")[0];
    assert_eq!(
        (&refused["errors"][0]["column"], &refused["cells"][3]),
        (&json!(3), &json!("21 CUP"))
    );
}

#[test]
fn an_amount_of_two_meanings_is_sold_once_a_person_says_how_numbers_are_written() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    // Neither separator of columns says which separator decimals have.
    for separator in [",", ";"] {
        let file = format!("{HEADERS}\nAna;Eva;;Playa;1.500;CUP;\n").replace(';', separator);
        let import = agency.upload("remittances", file.as_bytes());
        let id = text(&import["id"]);
        assert_eq!(import["mapping"].get("decimal"), None, "{import}");
        agency.preview(&id);
        let refused = &agency.rows(&id, "&result=refused")[0]["errors"][0];
        assert_eq!(
            (&refused["code"], &refused["column"]),
            (&json!("import_decimal_unknown"), &json!(4))
        );
        let mut mapping = import["mapping"].clone();
        mapping["decimal"] = json!(if separator == ";" { "comma" } else { "point" });
        let path = format!("/imports/{id}/mapping");
        assert_eq!(agency.send("PUT", &path, Some(mapping)).status, 200);
        agency.preview(&id);
        agency.run(&id);
        let sold = agency.rows(&id, "&result=added");
        let found = agency.get(&format!("/remittances/{}", text(&sold[0]["record"])));
        let expected = if separator == ";" { "1500.00" } else { "1.50" };
        assert_eq!(found["amount"], expected, "{found}");
    }
    // Other amounts of the column show it, also where another file with these headers was written in another way.
    let file = format!("{HEADERS}\nAna;Eva;;Playa;1.000;CUP;\nAna;Eva;;Playa;2.50;CUP;\n");
    let import = agency.upload("remittances", file.as_bytes());
    assert_eq!(import["mapping"]["decimal"], "point");
}

#[test]
fn a_date_of_two_meanings_is_read_once_the_file_shows_or_a_person_says_whether_the_day_is_first() {
    const HEADER: &str = "Nombre;Documento;Tipo de documento;País del documento;Expedido";
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let file =
        format!("{HEADER}\nIria;X111111;pasaporte;España;03/04/2020\nItalo;X222222;pasaporte;España;05/05/2020\n");
    let import = agency.upload("issuers", file.as_bytes());
    let id = text(&import["id"]);
    assert_eq!(import["mapping"].get("dates"), None, "{import}");
    assert_eq!(agency.preview(&id)["previewCounts"]["added"], 1, "one has one meaning");
    let refused = &agency.rows(&id, "&result=refused")[0]["errors"][0];
    assert_eq!(
        (&refused["code"], &refused["column"]),
        (&json!("import_date_order_unknown"), &json!(4))
    );
    let detail = text(&refused["detail"]);
    assert!(
        detail.contains("2020-04-03") && detail.contains("2020-03-04"),
        "{detail}"
    );
    let mut mapping = import["mapping"].clone();
    mapping["dates"] = json!("monthFirst");
    let map = |id: &str, mapping: Value| {
        let mapped = agency.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
        assert_eq!(mapped.status, 200, "{}", mapped.body);
        mapped.body
    };
    map(&id, mapping);
    agency.preview(&id);
    agency.run(&id);
    let issued = |id: &str| {
        let added = agency.rows(id, "&result=added");
        let path = format!("/customer/{}/details", text(&added[0]["record"]));
        agency.get(&path)["personalIdentificationIssueDate"].clone()
    };
    assert_eq!(issued(&id), "2020-03-04");

    // Another row shows it, also where another file with these headers was written in the other order.
    let file =
        format!("{HEADER}\nInés;X333333;pasaporte;España;03/04/2020\nIsaac;X444444;pasaporte;España;25/12/2019\n");
    let import = agency.upload("issuers", file.as_bytes());
    assert_eq!(import["mapping"]["dates"], "dayFirst");
    let id = text(&import["id"]);
    agency.preview(&id);
    agency.run(&id);
    assert_eq!(issued(&id), "2020-04-03");

    // A column that was not guessed shows it once it is said.
    let file = "Nombre;F\nIsabel;03/04/2020\nIsidro;25/12/2019\n";
    let import = agency.upload("issuers", file.as_bytes());
    let mut mapping = import["mapping"].clone();
    assert_eq!(mapping.get("dates"), None, "{import}");
    mapping["columns"]["personalIdentificationIssueDate"] = json!(1);
    let mapped = map(&text(&import["id"]), mapping);
    assert_eq!(mapped["mapping"]["dates"], "dayFirst");
}

#[test]
fn a_quotation_mark_that_is_not_closed_refuses_the_file_and_line_breaks_are_told() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let refused = agency.uploading("issuers", b"Nombre;Ciudad\nAna;\"La Habana\nEva;Playa\nIris;Playa\n");
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(refused.body["errors"][0]["code"], "import_quote_unclosed");
    let read = agency.upload("issuers", b"Nombre;Ciudad\nAna;\"La\nHabana\"\nEva;Playa\n");
    assert_eq!((&read["rows"], &read["notices"]), (&json!(2), &json!(["lineBreaks"])));
}
