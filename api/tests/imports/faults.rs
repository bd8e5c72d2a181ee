//! What a file says differently from what is known, what can't be read of it, and what ends its run.

use super::{HEADERS, Nodes, PATIENCE, Person, TENANT, zipped};
use crate::support::{Business, Call, PASSWORD, run, text};
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

fn refused(code: &str) -> (String, Vec<String>) {
    ("refused".to_owned(), vec![code.to_owned()])
}

fn added() -> (String, Vec<String>) {
    ("added".to_owned(), vec![])
}

#[test]
fn a_delivery_to_another_home_than_the_recipients_is_refused_at_its_column() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    // One that the file registers, and one that is known.
    let file = format!(
        "{HEADERS}\nAna;Eva;;Playa;1,50;CUP;A1\nAna;Eva;;Marianao;1,50;CUP;A2\nAna;Eva;;;1,50;CUP;A3\n\
         Ana;Eva;;playa;1,50;CUP;A4\n"
    );
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    assert_eq!(
        preview,
        [added(), refused("import_recipient_elsewhere"), added(), added()]
    );
    assert_eq!(agency.rows(&id, "&result=refused")[0]["errors"][0]["column"], 3);
    agency.run(&id);
    assert_eq!(agency.results(&id, "result"), preview);

    let file = "Remitente;Destinatario;Dirección;Provincia;Municipio;Tarjeta;Importe;Moneda\n\
                Ana;Ana's aunt;CALLE  23.;;;;1,00;CUP\n\
                Ana;Ana's aunt;Calle 25;;;;1,00;CUP\n\
                Ana;Eva;;Matanzas;;;1,00;CUP\n\
                Ana;Eva;;;Marianao;;1,00;CUP\n\
                Ana;Eva;Calle 1;;Playa;;1,00;CUP\n\
                Ana;Eva;Calle 1;;Marianao;9204069990000012;1,00;CUP\n";
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    let elsewhere = || refused("import_recipient_elsewhere");
    let preview = agency.results(&id, "preview");
    assert_eq!(
        preview,
        [added(), elsewhere(), elsewhere(), elsewhere(), elsewhere(), added()],
        "a transfer to a card goes to no home"
    );
    let columns: Vec<_> = agency
        .rows(&id, "&result=refused")
        .iter()
        .map(|row| row["errors"][0]["column"].clone())
        .collect();
    assert_eq!(columns, [2, 3, 4, 2]);
    agency.run(&id);
    assert_eq!(agency.results(&id, "result"), preview);
}

#[test]
fn a_payment_group_and_a_permission_set_are_meant_by_their_exact_names_first() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let manager = Person::manager(&business);
    let group = |name: &str| {
        let body =
            json!({"name": name, "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}});
        text(&business.as_manager(201, "POST", "/nomenclators/payment_group", body)["id"])
    };
    let groups = [business.cup.clone(), group("CUP+"), group("CUP-Home")];
    let branch = json!({"name": "Branch", "email": "branch@example.test", "password": PASSWORD,
                        "paymentGroups": groups.map(|id| json!({"paymentGroupId": id}))});
    business.as_manager(201, "POST", "/agency", branch);
    let file = "Cuenta;Moneda;Saldo\nBranch;cup.home;1,00\nBranch;CUP;1,00\nBranch;cup+ ;600,00\nBranch;Cup Home;300,00\n\
                Branch;EUR;1,00\n";
    let id = text(&manager.upload("openings", file.as_bytes())["id"]);
    manager.preview(&id);
    let ambiguous = || refused("import_group_ambiguous");
    assert_eq!(
        manager.results(&id, "preview"),
        [
            ambiguous(),
            ambiguous(),
            added(),
            added(),
            refused("payment_group_unknown")
        ]
    );

    for name in ["Caja", "Caja+"] {
        let set = json!({"name": name, "reads": [], "writes": ["sales"]});
        business.as_manager(201, "POST", "/permission_sets", set);
    }
    let file = "Tipo;Nombre;Correo;Permisos\noficina;Uno;u1@example.test;Caja+\noficina;Dos;u2@example.test;caja\n\
                oficina;Tres;u3@example.test;caja.\noficina;Cuatro;u4@example.test;Auditor\n";
    let id = text(&manager.upload("users", file.as_bytes())["id"]);
    manager.preview(&id);
    assert_eq!(
        manager.results(&id, "preview"),
        [added(), added(), refused("import_permission_set_ambiguous"), added()]
    );
}

#[test]
fn a_recipients_number_that_lost_its_zeros_is_no_passport() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let file = "Remitente,Nombre,Documento,País del documento,Municipio\nAna,Eva,1010112345,,Playa\n\
                Ana,Olga,K123456,,Playa\nAna,Iris,123456789,Estados Unidos,Playa\n";
    let id = text(&agency.upload("recipients", file.as_bytes())["id"]);
    agency.preview(&id);
    assert_eq!(
        agency.results(&id, "preview"),
        [refused("ci_not_11_digits"), added(), added()]
    );
    assert_eq!(agency.rows(&id, "&result=refused")[0]["errors"][0]["column"], 2);
}

/// An open document of rows of cells.
fn ods(rows: &[&[&str]]) -> Vec<u8> {
    let mut table = String::new();
    for row in rows {
        table.push_str("<table:table-row>");
        for cell in *row {
            match *cell {
                "=" => table.push_str("<table:table-cell table:formula=\"of:=[.A1]\"/>"),
                "#N/A" => table.push_str(
                    "<table:table-cell table:formula=\"of:=NA()\" office:value-type=\"string\" office:string-value=\"\" \
                     calcext:value-type=\"error\"><text:p>#N/A</text:p></table:table-cell>",
                ),
                text => write!(
                    table,
                    "<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
                )
                .unwrap(),
            }
        }
        table.push_str("</table:table-row>");
    }
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table>{table}</table:table>\
         </office:spreadsheet></office:body></office:document-content>"
    );
    zipped(&[("content.xml".to_owned(), content.into_bytes())])
}

#[test]
fn a_formula_without_a_value_is_refused_at_its_cell_also_in_the_file_of_errors() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let file = ods(&[
        &["Remitente", "Destinatario", "Municipio", "Importe", "Moneda", "Tarjeta"],
        &["Ana", "Eva", "Playa", "1.00", "CUP", "="],
        &["Ana", "Iris", "Playa", "1.00", "CUP", "#N/A"],
        &["Ana", "Olga", "Playa", "1.00", "CUP"],
    ]);
    let id = text(&agency.upload("remittances", &file)["id"]);
    agency.preview(&id);
    assert_eq!(
        agency.results(&id, "preview"),
        [
            refused("import_formula_without_value"),
            refused("import_error_value"),
            added()
        ]
    );
    for row in agency.rows(&id, "&result=refused") {
        assert_eq!(row["errors"][0]["column"], 5, "{row}");
    }
    for format in ["csv", "xlsx"] {
        let path = format!("/imports/{id}/file?format={format}");
        let file = agency.client.send(Call::new("GET", &path).token(&agency.token));
        let again = text(&agency.upload("remittances", &file.bytes)["id"]);
        agency.preview(&again);
        let results = agency.results(&again, "preview");
        assert_eq!(
            results,
            [refused("import_error_value"), refused("import_error_value")],
            "{format}"
        );
    }
    // A value that is typed stands for it.
    let typed = json!({"cells": [{"column": 5, "text": ""}]});
    let changed = agency.send("PUT", &format!("/imports/{id}/rows/0"), Some(typed));
    assert_eq!(changed.status, 200, "{}", changed.body);
    agency.preview(&id);
    assert_eq!(agency.results(&id, "preview")[0], added());
}

#[test]
fn texts_like_formulas_are_what_they_were_after_the_file_of_errors() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let file = "Nombre;Teléfono\n=Zoe;12\n'@Eva;13\n+53 Olga;14\n'Iris;15\n-Nora;16\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    let path = format!("/imports/{id}/file?format=csv");
    let file = agency.client.send(Call::new("GET", &path).token(&agency.token));
    let written = String::from_utf8(file.bytes.clone()).unwrap();
    for text in ["'=Zoe", "''@Eva", "'-Nora"] {
        assert!(written.contains(text), "{written}");
    }
    let again = agency.upload("issuers", &file.bytes);
    let expected = json!([
        ["=Zoe", "12"],
        ["'@Eva", "13"],
        ["+53 Olga", "14"],
        ["'Iris", "15"],
        ["-Nora", "16"]
    ]);
    assert_eq!(again["sample"], expected);
}

#[test]
fn a_run_registers_of_a_refused_row_what_its_preview_decided_and_no_more() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let path = format!("/customer/{}", business.sender);
    let active = |active: bool| {
        let body = json!({"name": "Ana", "customerType": 0, "isActive": active});
        business.as_agency(200, "PUT", &path, body);
    };
    active(false);
    // Of an inactive sender no recipient is registered. The second row's sender is registered, and its sale is too large.
    let recipients = "Remitente;Nombre;Municipio\nAna;Zafiro;Playa\n";
    let sales = format!("{HEADERS}\nRubi;Topacio;;Playa;90000,00;CUP;A1\nRubi;Topacio;;Playa;1,00;CUP;A2\n");
    let recipients = text(&agency.upload("recipients", recipients.as_bytes())["id"]);
    let sales = text(&agency.upload("remittances", sales.as_bytes())["id"]);
    agency.preview(&recipients);
    assert_eq!(agency.results(&recipients, "preview"), [refused("sender_inactive")]);
    agency.preview(&sales);
    let preview = agency.results(&sales, "preview");
    assert_eq!((&preview[0].0[..], &preview[1]), ("refused", &added()));
    active(true);
    agency.run(&recipients);
    assert_eq!(
        agency.results(&recipients, "result"),
        [refused("sender_inactive")],
        "nobody confirmed it"
    );
    let found = |name: &str, of: &str| agency.get(&format!("/customer/{of}?query={name}"))["totalRecords"].clone();
    assert_eq!(found("Zafiro", "reciever"), 0);
    agency.run(&sales);
    assert_eq!(agency.results(&sales, "result"), preview);
    assert_eq!(
        (found("Rubi", "sender"), found("Topacio", "reciever")),
        (json!(1), json!(1))
    );
}

#[test]
fn rows_that_a_run_may_have_submitted_are_fixed_before_it_has_noted_any() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let id = text(&agency.upload("issuers", b"Nombre\nUno\nDos\n")["id"]);
    let leave_out = |leaves: bool| {
        let path = format!("/imports/{id}/rows/0");
        let answer = agency.send("PUT", &path, Some(json!({"leftOut": leaves})));
        (answer.status, answer.code().to_owned())
    };
    agency.preview(&id);
    let permitted = (200, String::new());
    assert_eq!((leave_out(true), leave_out(false)), (permitted.clone(), permitted));
    agency.preview(&id);
    agency.run(&id);
    nodes.kill_before_notes();
    assert_eq!(leave_out(true), (409, "import_row_is_fixed".to_owned()));
    agency.act(&id, "resume");
    let done = agency.until(&id, &["done"]);
    assert_eq!(done["runCounts"]["added"], 2);
}

#[test]
fn a_colleague_who_goes_on_with_a_killed_run_finds_its_sales_added() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let new = json!({"name": "Segunda", "email": "segunda@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", new);
    let (first, second) = (
        Person::manager(&business),
        Person::login(&business.client, "segunda@example.test"),
    );
    let file = "Remitente;Destinatario;Municipio;Importe;Moneda\nAna;Eva;Playa;1,50;CUP\nAna;Iris;Playa;2,00;CUP\n";
    let previewed = |person: &Person| {
        let import = person.upload("remittances", file.as_bytes());
        let id = text(&import["id"]);
        let mut mapping = import["mapping"].clone();
        mapping["owner"] = json!(business.agency);
        let set = person.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
        assert_eq!(set.status, 200, "{}", set.body);
        person.preview(&id);
        id
    };
    let id = previewed(&first);
    first.run(&id);
    nodes.kill_before_notes();
    first.act(&id, "cancel");
    assert_eq!(previewed(&second), id);
    assert_eq!(second.results(&id, "preview"), [added(), added()]);
    second.run(&id);
    assert_eq!(second.results(&id, "result"), [added(), added()]);
    assert_eq!(nodes.events("RemittanceCreated"), 2);
}

#[test]
fn an_import_whose_content_can_not_be_read_ends_with_a_reason_until_the_file_is_uploaded_again() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let mut file = "Nombre\n".to_owned();
    for row in 0..300 {
        writeln!(file, "Persona {row}").unwrap();
    }
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_write(TENANT).await.unwrap();
        let damage = "UPDATE journal.import_chunks SET content = '\\x00' WHERE chunk = 1";
        sqlx::query(damage).execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
    });
    agency.act(&id, "preview");
    let ended = agency.until(&id, &["mapping"]);
    assert_eq!(ended["failure"]["code"], "import_unreadable", "{ended}");
    agency.act(&id, "cancel");
    agency.upload("issuers", file.as_bytes());
    let previewed = agency.preview(&id);
    assert_eq!(previewed["previewCounts"]["added"], 300);
}

/// A list of the operator with one person, as every node has it after a moment.
fn load_list(nodes: &Nodes, business: &Business) {
    let list = nodes.folder.path().join("list.csv");
    std::fs::write(&list, "id;name\n7001;ZALDÍVAR QUESADA, Evaristo\n").unwrap();
    let load = ["screening", "load", "--list", "sample", list.to_str().unwrap()];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &load);
    assert!(done, "{said}");
    until_loaded(business, true);
}

fn until_loaded(business: &Business, loaded: bool) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let shown = business
            .client
            .expect(200, &business.manager, "GET", "/screening", None);
        let is_loaded = shown["lists"][0]["loaded"] == true;
        if is_loaded == loaded {
            return;
        }
        assert!(Instant::now() < deadline, "{shown}");
        std::thread::sleep(Duration::from_millis(40));
    }
}

#[test]
fn a_run_screens_by_a_list_that_is_chosen_meanwhile_and_pauses_where_one_is_missing() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    load_list(&nodes, &business);
    let mut file = format!("{HEADERS}\n");
    for row in 0..600 {
        writeln!(file, "Sara {row};Rosa {row};;Playa;1,00;CUP;S{row}").unwrap();
    }
    file.push_str("Ana;Evaristo Zaldivar Quesada;;Playa;1,00;CUP;E1\n");
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.act(&id, "start");
    let deadline = Instant::now() + PATIENCE;
    while agency.get(&format!("/imports/{id}"))["done"] == 0 {
        assert!(Instant::now() < deadline, "nothing is run");
        std::thread::sleep(Duration::from_millis(5));
    }
    let chosen = json!({"lists": {"sample": 86}});
    business.as_manager(200, "PUT", "/screening/lists", chosen);
    let under_way = agency.get(&format!("/imports/{id}"));
    assert_eq!(under_way["state"], "running", "the list was chosen during the run");
    agency.until(&id, &["done"]);
    let rows = agency.rows(&id, "");
    let held = |row: &Value| agency.get(&format!("/remittances/{}", text(&row["record"])))["held"].clone();
    assert_eq!((held(&rows[0]), held(&rows[600])), (json!(false), json!(true)));

    // Nobody is sold to unscreened, and the maker is told why.
    let remove = ["screening", "remove", "--list", "sample"];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &remove);
    assert!(done, "{said}");
    until_loaded(&business, false);
    let file = format!("{HEADERS}\nSara 1;Rosa 1;;Playa;1,00;CUP;Z1\n");
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.act(&id, "start");
    let paused = agency.until(&id, &["paused", "done"]);
    assert_eq!(paused["failure"]["code"], "screening_list_missing", "{paused}");
    load_list(&nodes, &business);
    agency.act(&id, "resume");
    assert_eq!(agency.until(&id, &["done"])["runCounts"]["added"], 1);
}

#[test]
fn imports_of_users_by_others_need_the_area_of_the_office() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let manager = Person::manager(&business);
    let set = json!({"name": "Clerk", "reads": [], "writes": ["parties"]});
    let set = text(&business.as_manager(201, "POST", "/permission_sets", set)["id"]);
    let clerk = json!({"name": "Clerk", "email": "clerk@example.test", "password": PASSWORD, "permissionSet": set});
    business.as_manager(201, "POST", "/users", clerk);
    let clerk = Person::login(&business.client, "clerk@example.test");
    let file = b"Tipo;Nombre;Correo;Permisos\noficina;Olga;olga@example.test;auditor\n";
    let of_manager = text(&manager.upload("users", file)["id"]);
    let own = text(&clerk.upload("users", b"Tipo;Nombre;Correo\nagencia;Sucursal;sucursal@example.test\n")["id"]);
    let listed = || {
        let rows = clerk.get("/imports")["results"].clone();
        let rows = rows.as_array().unwrap();
        rows.iter().map(|row| text(&row["id"])).collect::<Vec<_>>()
    };
    assert_eq!(listed(), [own.as_str()]);
    for (method, more) in [
        ("GET", ""),
        ("GET", "/rows"),
        ("GET", "/file?format=csv"),
        ("POST", "/cancel"),
    ] {
        let answer = clerk.send(method, &format!("/imports/{of_manager}{more}"), None);
        assert_eq!(
            (answer.status, answer.code()),
            (403, "permission_missing"),
            "{method} {more}"
        );
    }
    assert_eq!(clerk.uploading("users", file).code(), "permission_missing");
    clerk.preview(&own);
    let reads = json!({"name": "Clerk", "reads": ["office"], "writes": ["parties"]});
    business.as_manager(200, "PUT", &format!("/permission_sets/{set}"), reads);
    assert_eq!(listed().len(), 2);
    clerk.get(&format!("/imports/{of_manager}/rows"));
}
