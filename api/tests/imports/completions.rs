//! Completions with their proofs from a ZIP.

use super::{Nodes, PATIENCE, Person, TENANT, pictures, sold, zipped};
use crate::support::{Call, picture, run, text};
use serde_json::json;
use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

#[test]
fn a_list_of_completions_with_a_zip_of_proofs_completes_each_remittance_once_as_singly() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let dealer = Person::login(&business.client, "dealer@example.test");
    let sold = sold(&business, 7);
    let code = |row: usize| sold[row].1.as_str();
    let mut file = "Remesa;Prueba;Firma\n".to_owned();
    for (row, proof, signature) in [
        (0, "", ""),
        (1, "", ""),
        (2, "foto dos.png", "Carpeta/FIRMA DOS"),
        (3, "", ""),
        (4, "", ""),
        (6, "", ""),
        (0, "", ""),
        (5, "otra.png", ""),
    ] {
        writeln!(file, "{};{proof};{signature}", code(row).to_lowercase()).unwrap();
    }
    let import = dealer.upload("completions", file.as_bytes());
    let id = text(&import["id"]);
    assert_eq!(import["proofs"], json!(null));
    assert_eq!(
        import["mapping"]["columns"],
        json!({"remittance": 0, "identificationDocument": 1, "firmPicture": 2})
    );
    let mut files: Vec<_> = [
        format!("{}.png", code(0)),
        format!("fotos/{}-firma.png", code(0)),
        "foto dos.png".to_owned(),
        "firma dos.png".to_owned(),
        format!("{}.png", code(3)),
        "de nadie.png".to_owned(),
    ]
    .map(|name| (name.clone(), picture(&name)))
    .into();
    files.push((format!("{}.jpg", code(4)), b"no picture".to_vec()));
    let proved = dealer.prove(&id, &zipped(&files));
    assert_eq!(
        proved["proofs"],
        json!({"name": "pruebas.zip", "entries": 7, "unused": null})
    );

    let previewed = dealer.preview(&id);
    assert_eq!(previewed["proofs"]["unused"], json!(["de nadie.png"]));
    let preview = dealer.results(&id, "preview");
    let told: Vec<_> = preview.iter().map(|(_, codes)| codes.join(" ")).collect();
    let expected = [
        "",
        "import_proof_missing",
        "",
        "import_signature_missing",
        "file_not_image",
        "remittance_not_found",
        "duplicate",
        "import_proof_not_found",
    ];
    assert_eq!(told, expected);
    assert_eq!(
        previewed["sums"][0],
        json!({"currency": "CUP", "charged": "0.00", "paidOut": "640.00", "opened": "0.00"})
    );
    assert_eq!(previewed["balances"][0]["begins"], "0.00", "{previewed}");
    assert_eq!(nodes.events("RemittanceCompleted"), 0);
    let done = dealer.run(&id);
    assert_eq!(dealer.results(&id, "result"), preview, "run and preview");
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    assert_eq!(nodes.events("RemittanceCompleted"), 2);
    let seen = business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/remittances/{}", sold[2].0),
        None,
    );
    let url = text(&seen["proof"]["identificationDocument"]);
    let path = url.trim_start_matches("/api").to_owned();
    let read = business
        .client
        .send(Call::new("GET", &path).token(&business.agency_token));
    assert_eq!(
        (read.status, read.bytes),
        (200, picture("foto dos.png")),
        "the ordinary file of the remittance"
    );

    // With the other proofs, the rows in error are run, and no others.
    let more = [format!("{}.png", code(1)), format!("{} firma.png", code(1))];
    dealer.prove(&id, &pictures(&more));
    dealer.preview(&id);
    dealer.run(&id);
    assert_eq!(dealer.results(&id, "result")[1].0, "added");
    assert_eq!(nodes.events("RemittanceCompleted"), 3);
    let again = dealer.uploading("completions", file.as_bytes());
    assert_eq!((again.status, text(&again.body["id"])), (200, id.clone()));
    dealer.preview(&id);
    dealer.run(&id);
    assert_eq!(
        nodes.events("RemittanceCompleted"),
        3,
        "the same file completes nothing twice"
    );
    // Another list with a completed remittance is refused as a single completion is.
    let other = dealer.upload("completions", format!("Remesa\n{}\n", code(0)).as_bytes());
    let other = text(&other["id"]);
    dealer.prove(&other, &pictures(&[format!("{}.png", code(0))]));
    dealer.preview(&other);
    assert_eq!(
        dealer.results(&other, "preview"),
        [("refused".to_owned(), vec!["remittance_is_completed".to_owned()])]
    );

    // The command says the same of the list, and keeps nothing.
    let folder = tempfile::tempdir().unwrap();
    let (list, zip) = (folder.path().join("lista.csv"), folder.path().join("pruebas.zip"));
    std::fs::write(&list, format!("Remesa\n{}\n{}\n", code(3), code(1))).unwrap();
    std::fs::write(
        &zip,
        pictures(&[format!("{}.png", code(3)), format!("{}-firma.png", code(3))]),
    )
    .unwrap();
    let rehearse = |more: &[&str]| {
        let (list, zip) = (list.to_str().unwrap(), zip.to_str().unwrap());
        let login = [
            "--tenant",
            TENANT,
            "--kind",
            "completions",
            "--as",
            "dealer@example.test",
        ];
        let arguments = [&["rehearse", list, "--proofs", zip], login.as_slice(), more].concat();
        run(nodes.test_database.url(), nodes.folder.path(), &arguments)
    };
    let (done, said) = rehearse(&["--expect", "CUP=320.00"]);
    assert!(!done, "a row is refused: {said}");
    assert!(said.contains("CUP paid out: 320.00, as expected"), "{said}");
    assert!(said.contains("line 3: "), "{said}");
    std::fs::write(&list, format!("Remesa\n{}\n", code(3))).unwrap();
    let (done, said) = rehearse(&["--expect", "CUP=320.00", "--expect-rows", "1"]);
    assert!(done, "{said}");
    let (done, said) = rehearse(&["--expect", "CUP=300.00"]);
    assert!(
        !done && said.contains("CUP paid out: 320.00, not 300.00, 20.00 off"),
        "{said}"
    );
    assert_eq!(nodes.events("RemittanceCompleted"), 3, "nothing is kept");

    // Who may not complete may not import completions; other kinds have no proofs.
    let agency = Person::agency(&business);
    assert_eq!(
        agency.uploading("completions", file.as_bytes()).code(),
        "role_not_allowed"
    );
    assert_eq!(agency.proving(&id, &pictures(&more)).code(), "import_not_found");
    let issuers = text(&agency.upload("issuers", b"Nombre\nAna\n")["id"]);
    assert_eq!(
        agency.proving(&issuers, &pictures(&more)).code(),
        "import_without_proofs"
    );
    for (zip, code) in [
        (b"no zip".to_vec(), "import_proofs_not_zip"),
        (zipped(&[("../a.png".to_owned(), picture("a"))]), "import_proofs_path"),
        (zipped(&[("a.zip".to_owned(), pictures(&more))]), "import_proofs_nested"),
    ] {
        let answer = dealer.proving(&id, &zip);
        assert_eq!((answer.status, &answer.body["errors"][0]["code"]), (422, &json!(code)));
    }
    // They are erased with the list.
    let arguments = [
        "forget",
        TENANT,
        &business.issuer_with_recipient("Zoe").0,
        "--retention-days",
        "0",
    ];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &arguments);
    assert!(done, "{said}");
    let left: i64 = nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
        let query = "SELECT (SELECT count(*) FROM journal.import_proofs) + (SELECT count(proofs) FROM journal.imports)";
        let count = sqlx::query_scalar(query).fetch_one(&mut *transaction).await;
        count.unwrap()
    });
    assert_eq!(left, 0);
}

#[test]
fn a_completion_has_the_time_of_its_cell_in_a_workbook_an_open_document_and_a_serial_number() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let manager = Person::manager(&business);
    let sold = sold(&business, 4);
    // Between the assignment and now.
    std::thread::sleep(Duration::from_millis(2_100));
    let at = chrono::Utc::now().with_timezone(&caudal_domain::DEFAULT_ZONE);
    let local = at.naive_local();
    let [book, open, plain] = [0, 1, 2].map(|row: usize| sold[row].1.as_str());
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_row(0, 0, ["Remesa", "Entregada"]).unwrap();
    sheet.write(1, 0, book).unwrap();
    let format = rust_xlsxwriter::Format::new().set_num_format("dd/mm/yyyy hh:mm");
    sheet.write_with_format(1, 1, &local, &format).unwrap();
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table><table:table-row>{}{}</table:table-row>\
         <table:table-row>{}<table:table-cell office:value-type=\"date\" office:date-value=\"{}\"><text:p>hoy</text:p>\
         </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>",
        cell("Remesa"),
        cell("Entregada"),
        cell(open),
        local.format("%Y-%m-%dT%H:%M:%S")
    );
    let day = chrono::NaiveDate::from_ymd_opt(1899, 12, 30).unwrap();
    let serial = (local - day.and_time(chrono::NaiveTime::MIN)).num_seconds() as f64 / 86_400.0;
    let serial = serial.to_string().replace('.', ",");
    let files = [
        (0, workbook.save_to_buffer().unwrap()),
        (1, zipped(&[("content.xml".to_owned(), content.into_bytes())])),
        (2, format!("Remesa;Entregada\n{plain};{serial}\n").into_bytes()),
    ];
    for (row, file) in files {
        let (remittance, code) = &sold[row];
        let id = text(&manager.upload("completions", &file)["id"]);
        manager.prove(&id, &pictures(&[format!("{code}.png"), format!("{code}-firma.png")]));
        manager.preview(&id);
        manager.run(&id);
        assert_eq!(manager.results(&id, "result"), [("added".to_owned(), vec![])], "{row}");
        let delivered = text(&manager.get(&format!("/remittances/{remittance}"))["delivered"]);
        let delivered: chrono::DateTime<chrono::Utc> = delivered.parse().unwrap();
        // Truncated where a second is written, and rounded where a fraction of a day is.
        assert!(
            (delivered - at.to_utc()).num_milliseconds().abs() <= 1_000,
            "{row}: {delivered} is not {at}"
        );
        assert_eq!(delivered.timestamp_subsec_millis(), 0, "{row}: {delivered}");
    }
}

#[test]
fn completions_by_a_node_that_is_killed_twice_complete_each_remittance_once() {
    let nodes = Nodes::new(&[TENANT]);
    let mut node = nodes.start();
    let business = nodes.business(&node);
    let sold = sold(&business, 41);
    let mut manager = Person::manager(&business);
    let mut file = "Remesa\n".to_owned();
    let mut names = Vec::new();
    for (_, code) in &sold[..40] {
        writeln!(file, "{code}").unwrap();
        names.extend([format!("{code}.png"), format!("{code}-firma.png")]);
    }
    let id = text(&manager.upload("completions", file.as_bytes())["id"]);
    manager.prove(&id, &pictures(&names));
    let previewed = manager.preview(&id);
    assert_eq!(
        previewed["previewCounts"]["added"],
        40,
        "{:?}",
        manager.results(&id, "preview")
    );
    manager.act(&id, "start");
    for events in [1, 20] {
        let deadline = Instant::now() + PATIENCE;
        while nodes.events("RemittanceCompleted") < events {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(node);
        node = nodes.start();
        manager.client = node.client(TENANT);
    }
    let done = manager.until(&id, &["done"]);
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    assert_eq!(nodes.events("RemittanceCompleted"), 40);
}
