//! Contents of files: what is refused, and what is stored.

use super::{Nodes, Person, TENANT};
use crate::support::{Business, run, text};
use serde_json::json;
use sqlx::Row as _;

#[test]
fn files_that_are_none_and_bombs_are_refused_with_their_reason() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let zipped = |parts: &[(&str, Vec<u8>)]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in parts {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            std::io::Write::write_all(&mut writer, content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let bomb: Vec<(String, Vec<u8>)> = (0..210)
        .map(|part| (format!("xl/{part}.xml"), vec![b' '; 1024 * 1024]))
        .collect();
    let bomb: Vec<(&str, Vec<u8>)> = bomb
        .iter()
        .map(|(name, content)| (name.as_str(), content.clone()))
        .collect();
    let wide = "x;".repeat(1_000_000);
    // It announces 10^14 texts, for which a reader may reserve memory.
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
    let relationships =
        format!("<Relationships><Relationship Type=\"{office}\" Target=\"xl/workbook.xml\"/></Relationships>");
    let liar = zipped(&[
        ("_rels/.rels", relationships.into_bytes()),
        ("xl/workbook.xml", b"<workbook/>".to_vec()),
        (
            "xl/sharedStrings.xml",
            b"<sst uniqueCount=\"99999999999999\"></sst>".to_vec(),
        ),
    ]);
    let files: [(&str, Vec<u8>, &str); 8] = [
        ("bomb", zipped(&bomb), "import_unpacks_too_large"),
        ("liar", liar, "import_damaged"),
        (
            "columns",
            format!("{wide}\n1\n").into_bytes(),
            "import_columns_too_many",
        ),
        ("rows", "a\n".repeat(50_002).into_bytes(), "import_rows_too_many"),
        ("old", vec![0xD0, 0xCF, 0x11, 0xE0, 0], "import_workbook_old_or_locked"),
        ("program", b"\x7fELF\0\0\0\0\x01\x02".to_vec(), "import_not_a_table"),
        ("damaged", b"PK\x03\x04 cut off".to_vec(), "import_damaged"),
        ("large", vec![b'a'; 20 * 1024 * 1024 + 1], "import_too_large"),
    ];
    node.forget_peak();
    for (name, content, code) in &files {
        let answer = agency.uploading("issuers", content);
        assert_eq!(answer.status, 422, "{name}: {}", answer.body);
        assert_eq!(answer.body["errors"][0]["code"], *code, "{name}");
    }
    let peak = node.peak_memory() / 1024;
    assert!(peak < 300, "{peak} MB");
    // Old encodings are read, and formulas told.
    let (latin, ..) = encoding_rs::WINDOWS_1252.encode("Nombre;Apellidos\nÁngel;Muñoz\n");
    assert_eq!(agency.upload("issuers", &latin)["sample"][0], json!(["Ángel", "Muñoz"]));
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, ["Nombre", "Apellidos"]).unwrap();
    sheet
        .write_formula(1, 0, rust_xlsxwriter::Formula::new("=\"A\"&\"na\"").set_result("Ana"))
        .unwrap();
    let read = agency.upload("issuers", &book.save_to_buffer().unwrap());
    assert_eq!(
        (&read["sample"][0][0], &read["notices"]),
        (&json!("Ana"), &json!(["formulas"]))
    );
}

#[test]
fn what_is_stored_of_a_file_shows_nobodys_name_and_is_erased_with_a_person() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let file = "Nombre;Ciudad\nAnastasia;Playa\nEvangelina;Playa\n";
    let import = agency.upload("issuers", file.as_bytes());
    let id = text(&import["id"]);
    // A mapping with a value for all rows is kept for other files, without what says who somebody is.
    let mut mapping = import["mapping"].clone();
    mapping["constants"] = json!({"lastName": "Zubizarreta", "phoneNumber": "+13055550100", "country": "US"});
    let path = format!("/imports/{id}/mapping");
    assert_eq!(agency.send("PUT", &path, Some(mapping)).status, 200);
    let next = agency.upload("issuers", "Nombre;Ciudad\nOtra;Playa\n".as_bytes());
    assert_eq!(
        (&next["mapping"]["columns"], &next["mapping"]["constants"]),
        (&import["mapping"]["columns"], &json!({"country": "US"}))
    );
    let kept = || {
        nodes.runtime.block_on(async {
            let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
            let query = "SELECT count(*) FROM journal.import_profiles";
            sqlx::query_scalar::<_, i64>(query)
                .fetch_one(&mut *transaction)
                .await
                .unwrap()
        })
    };
    assert_eq!(kept(), 1);
    let sealed = || -> Option<Vec<u8>> {
        nodes.runtime.block_on(async {
            let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
            let query = "SELECT c.content || i.details AS sealed FROM journal.import_chunks AS c
                           JOIN journal.imports AS i ON i.id = c.import";
            let row = sqlx::query(query).fetch_optional(&mut *transaction).await.unwrap();
            row.map(|row| row.get("sealed"))
        })
    };
    let stored = sealed().unwrap();
    assert!(
        !stored
            .windows(6)
            .any(|window| window == b"Anasta" || window == b"ventas")
    );
    let arguments = ["forget", TENANT, &business.sender, "--retention-days", "0"];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &arguments);
    assert!(done, "{said}");
    assert_eq!(sealed(), None);
    assert_eq!(kept(), 0, "earlier mappings have values of people too");
    let now = agency.get(&format!("/imports/{id}"));
    assert_eq!(
        (&now["state"], &now["name"], &now["headers"]),
        (&json!("canceled"), &json!(null), &json!([]))
    );
    assert_eq!(
        agency.send("POST", &format!("/imports/{id}/preview"), None).code(),
        "import_erased"
    );
}

#[test]
fn a_hundred_imports_may_be_open_and_a_file_that_is_there_is_no_further_one() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let file = |number: usize| format!("Nombre\nPersona {number}\n").into_bytes();
    let first = text(&agency.upload("issuers", &file(0))["id"]);
    for number in 1..100 {
        agency.upload("issuers", &file(number));
    }
    let refused = agency.uploading("issuers", &file(100));
    assert_eq!((refused.status, refused.code()), (409, "import_too_many_open"));
    let again = agency.uploading("issuers", &file(0));
    assert_eq!((again.status, text(&again.body["id"])), (200, first.clone()));
    // One that is done is not counted any more, and neither is one that is canceled.
    agency.preview(&first);
    agency.run(&first);
    let added = agency.upload("issuers", &file(100));
    assert_eq!(agency.uploading("issuers", &file(101)).code(), "import_too_many_open");
    agency.act(&text(&added["id"]), "cancel");
    agency.upload("issuers", &file(101));
}

#[test]
fn users_whose_addresses_differ_in_their_punctuation_are_different_users() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let manager = Person::manager(&business);
    let file = "Tipo;Nombre;Correo\nagencia;Uno;ana.perez@example.test\n";
    let id = text(&manager.upload("users", file.as_bytes())["id"]);
    manager.preview(&id);
    manager.run(&id);
    let file = "Tipo;Nombre;Correo\nagencia;Dos;ana-perez@example.test\nagencia;Uno;Ana.Perez@example.test\n";
    let id = text(&manager.upload("users", file.as_bytes())["id"]);
    manager.preview(&id);
    let results = manager.results(&id, "preview");
    assert_eq!(results, [("added".to_owned(), vec![]), ("there".to_owned(), vec![])]);
}
