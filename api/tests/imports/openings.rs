//! Opening balances, and the commands of the page on coming from another system.

use super::{Nodes, Person, TENANT};
use crate::support::{Business, MANAGER, PASSWORD, run, text, whole_feed};
use serde_json::{Value, json};

#[test]
fn opening_balances_are_posted_once_against_capital_and_prove_the_totals_of_the_old_system() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let manager = Person::manager(&business);
    let file = "Cuenta;Moneda;Saldo\nCaja;CUP;200000,00\nDealer;CUP;80000,50\nagency@example.test;CUP home;120000,00\n\
                Caja;CUP;1,00\nNadie;CUP;1,00\nDealer;XXY;5,00\n";
    let import = manager.upload("openings", file.as_bytes());
    let id = text(&import["id"]);
    let mapping = |expected: Value| {
        let mut mapping = import["mapping"].clone();
        mapping["expected"] = expected;
        manager.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping))
    };
    assert_eq!(
        mapping(json!({"CUP": "many"})).body["errors"][0]["code"],
        "number_invalid"
    );
    manager.preview(&id);
    let start = manager.send("POST", &format!("/imports/{id}/start"), None);
    assert_eq!(
        (
            start.status,
            &start.body["errors"][0]["field"],
            &start.body["errors"][0]["code"]
        ),
        (422, &json!("expected"), &json!("import_totals_required")),
        "nothing proves them: {}",
        start.body
    );
    assert_eq!(manager.get(&format!("/imports/{id}"))["state"], "previewed");
    assert_eq!(mapping(json!({"CUP": "400000.00"})).status, 200);
    let previewed = manager.preview(&id);
    let preview = manager.results(&id, "preview");
    let told: Vec<_> = preview.iter().map(|(_, codes)| codes.join(" ")).collect();
    let refused = ["", "", "", "duplicate", "party_not_found", "currency_unknown"];
    assert_eq!(told, refused);
    assert_eq!(
        previewed["expected"],
        json!([{"currency": "CUP", "expected": "400000.00", "found": "400000.50", "difference": "0.50"}])
    );
    assert_eq!(previewed["sums"][0]["opened"], "400000.50");
    let start = manager.send("POST", &format!("/imports/{id}/start"), None);
    assert_eq!((start.status, start.code()), (409, "import_totals_differ"));
    assert_eq!(mapping(json!({"CUP": "400000.50"})).status, 200);
    manager.preview(&id);
    assert_eq!(
        nodes
            .changing_meanwhile(
                "UPDATE journal.imports SET summary = jsonb_set(summary, '{expected,0,found}', '\"1.00\"')",
                || manager.send("POST", &format!("/imports/{id}/start"), None)
            )
            .code(),
        "import_not_as_previewed",
        "the totals that count are those of the moment at which the run begins"
    );
    assert_eq!(manager.get(&format!("/imports/{id}"))["state"], "previewed");
    assert_eq!(mapping(json!({"CUP": "400000.50"})).status, 200);
    manager.preview(&id);
    manager.run(&id);
    assert_eq!(manager.results(&id, "result"), preview, "run and preview");
    assert_eq!(nodes.events("OpeningBalancePosted"), 3);
    for (kind, balance) in [
        ("treasury", "200000.00"),
        ("field_cash", "80000.50"),
        ("balance", "120000.00"),
    ] {
        assert!(
            business.balance(kind, "CUP").ends_with(balance),
            "{kind}: {}",
            business.balance(kind, "CUP")
        );
    }
    let moved = manager.get("/sources/movements?kind=openingBalance");
    assert_eq!(moved["totalRecords"], 3, "{moved}");
    // Nothing was received on this day: neither the dealer's cash nor the seller's closure counts it.
    let cash = &manager.get("/dashboard/dealer/closing")["data"][0]["parties"][0]["currencies"][0];
    assert_eq!(
        (&cash["opening"], &cash["received"], &cash["closing"]),
        (&json!("80000.50"), &json!("0.00"), &json!("80000.50"))
    );
    let closing = business.as_manager(200, "POST", "/dashboard/agency/report", json!({}));
    let group = &closing["data"][0]["figures"]["groups"][0];
    assert_eq!(
        (&group["opening"], &group["assigned"], &group["closing"]),
        (&json!("120000.00"), &json!("0.00"), &json!("120000.00"))
    );
    let closure = business.as_manager(201, "POST", "/accounting/closures", json!({"partyId": business.agency}));
    let closure = manager.get(&format!("/accounting/closures/{}", text(&closure["id"])));
    let closed = &closure["figures"]["groups"][0];
    assert_eq!(
        (&closed["opening"], &closed["assigned"]),
        (&group["opening"], &group["assigned"]),
        "{closure}"
    );
    let feed = whole_feed(&business.client, &business.manager, 500);
    let opened = feed
        .iter()
        .filter(|event| event["type"] == "caudal.movement.opening_posted.v1");
    assert_eq!(opened.count(), 3);
    // The same file, and another with an account that has an entry by now, open nothing.
    assert_eq!(manager.uploading("openings", file.as_bytes()).status, 200);
    let again = text(&manager.upload("openings", b"Cuenta;Moneda;Saldo\nDealer;CUP;5,00\n")["id"]);
    manager.preview(&again);
    assert_eq!(manager.results(&again, "preview")[0].1, ["import_opening_differs"]);
    assert_eq!(
        Person::agency(&business).uploading("openings", file.as_bytes()).code(),
        "role_not_allowed"
    );
    // A rehearsal says that they are there, whichever file opened them, and whether they are equal.
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("saldos.csv");
    let rehearse = |rows: &str, expected: &str| {
        std::fs::write(&list, format!("Cuenta;Moneda;Saldo\n{rows}")).unwrap();
        let list = list.to_str().unwrap();
        let arguments = [
            "rehearse", list, "--tenant", TENANT, "--kind", "openings", "--as", MANAGER, "--expect", expected,
        ];
        run(nodes.test_database.url(), nodes.folder.path(), &arguments)
    };
    let equal = "Caja;CUP;200000,00\nDealer;CUP;80000,50\nagency@example.test;CUP home;120000,00\n";
    let (done, said) = rehearse(equal, "CUP=400000.50");
    assert!(done, "{said}");
    for told in [
        "3 rows: 0 would be added, 3 are there already, 0 would wait for an approval, 0 are refused",
        "CUP opened before: 400000.50",
        "CUP opened: 400000.50, as expected",
    ] {
        assert!(said.contains(told), "{said}");
    }
    let (done, said) = rehearse("Caja;CUP;200000,00\nDealer;CUP;80000,00\n", "CUP=280000.00");
    assert!(!done, "{said}");
    for told in [
        "2 rows: 0 would be added, 1 are there already, 0 would wait for an approval, 1 are refused",
        "line 3: Saldo: This account was opened already with 80000.50 CUP, and the file says another balance.",
        "CUP opened: 200000.00, not 280000.00, -80000.00 off",
    ] {
        assert!(said.contains(told), "{said}");
    }
    std::fs::write(&list, file).unwrap();
    let own = [
        "rehearse",
        list.to_str().unwrap(),
        "--tenant",
        TENANT,
        "--kind",
        "openings",
        "--as",
        MANAGER,
    ];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &own);
    assert!(
        !done && said.contains("--expect: Write the totals of the other system"),
        "{said}"
    );
    let own = [own.as_slice(), &["--expect", "CUP=400000.50"]].concat();
    let (_, said) = run(nodes.test_database.url(), nodes.folder.path(), &own);
    assert!(said.contains("0 would be added, 3 are there already"), "{said}");
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &["verify", TENANT]);
    assert!(done, "{said}");
}

#[test]
fn the_commands_of_the_migration_page_say_what_it_tells() {
    let page = include_str!("../../../docs/migrate.md");
    let lines: Vec<&str> = page.lines().map(str::trim).collect();
    let commands: Vec<&&str> = lines
        .iter()
        .filter(|line| line.starts_with("caudal rehearse "))
        .collect();
    let [fees, issuers, openings, remittances] = commands[..] else {
        panic!("commands of the page: {commands:?}");
    };
    // Blocks without a language: outputs, and the list of balances.
    let text_of_page = lines.join("\n");
    let blocks = text_of_page.split("```").skip(1).step_by(2);
    let blocks: Vec<&str> = blocks.filter_map(|block| block.strip_prefix('\n')).collect();
    let [issuers_said, balances, opened, differs, again, sold, too_early] = blocks[..] else {
        panic!("blocks of the page: {blocks:?}");
    };

    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let client = node.client(TENANT);
    let manager = client.login(MANAGER, PASSWORD);
    let post = |path: &str, body: Value| client.expect(201, &manager, "POST", path, Some(body));
    post(
        "/users",
        json!({"name": "Jefa", "email": "jefa@acme.example", "password": PASSWORD}),
    );
    let group =
        json!({"name": "CUP", "currencyTo": "CUP", "exchangeRate": "318.5", "managerCommission": {"rate": "2"}});
    let group = post("/nomenclators/payment_group", group);
    post(
        "/agency",
        json!({"name": "Agencia Miami", "email": "miami@acme.example", "password": PASSWORD,
               "paymentGroups": [{"paymentGroupId": group["id"], "agencyCommission": {"rate": "5"}}]}),
    );
    let provinces = client.expect(200, &manager, "GET", "/nomenclators/cuban_states", None);
    post(
        "/dealer",
        json!({"name": "Habana Express", "email": "habana@acme.example", "password": PASSWORD, "handleMLC": true,
               "provinceId": provinces["results"][0]["id"], "zones": []}),
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("tarifas.csv", "Municipio;Tarifa;Moneda\nPlaya;150,00;CUP\n"),
        ("emisores.csv", "Nombre;Teléfono\nAna;+13055550101\nEva;+13055550102\n"),
        ("saldos.csv", balances),
        (
            "abiertas.csv",
            "Remitente;Destinatario;Municipio;Importe;Moneda;Referencia\nAna;Iris;Playa;100,00;CUP;V-1\n\
             Eva;Rosa;Playa;50,00;CUP;V-2\n",
        ),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let rehearse = |command: &str| {
        let words = command
            .split_whitespace()
            .skip(1)
            .map(|word| match word.ends_with(".csv") {
                true => folder.path().join(word).to_str().unwrap().to_owned(),
                false => word.to_owned(),
            });
        let words: Vec<String> = words.collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run(nodes.test_database.url(), nodes.folder.path(), &words)
    };
    let says = |command: &str, is_right: bool, expected: &str| {
        let (done, said) = rehearse(command);
        assert!(
            done == is_right && said.contains(expected),
            "{command}\n{said}\nnot\n{expected}"
        );
    };
    says(fees, true, "1 rows: 1 would be added");
    says(issuers, true, issuers_said);
    says(remittances, false, too_early);
    says(openings, true, opened);
    says(&openings.replace("CUP=400000.00", "CUP=400500.00"), false, differs);
    let boss = Person::login(&client, "jefa@acme.example");
    let import = boss.upload("openings", balances.as_bytes());
    let mut mapping = import["mapping"].clone();
    mapping["expected"] = json!({"CUP": "400000.00", "USD": "1500.00"});
    let id = text(&import["id"]);
    assert_eq!(
        boss.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping))
            .status,
        200
    );
    boss.preview(&id);
    boss.run(&id);
    says(openings, true, again);
    says(remittances, true, sold);
}

#[test]
fn opening_balances_wait_where_assignments_need_an_approval_and_their_totals_are_proven() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let rule = json!({"kind": "assignment_on_cash", "makers": ["manager"], "approvers": "manager",
                      "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let manager = Person::manager(&business);
    let file = "Cuenta;Moneda;Saldo\nCaja;CUP;200000,00\nDealer;CUP;80000,00\nAgency;CUP;120000,00\n";
    let import = manager.upload("openings", file.as_bytes());
    let id = text(&import["id"]);
    let mut mapping = import["mapping"].clone();
    mapping["expected"] = json!({"CUP": "400000.00"});
    let saved = manager.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
    assert_eq!(saved.status, 200, "{}", saved.body);
    let previewed = manager.preview(&id);
    assert_eq!(previewed["expected"][0]["difference"], "0.00", "{previewed}");
    let results = |of: &str| {
        manager
            .results(&id, of)
            .into_iter()
            .map(|(result, _)| result)
            .collect::<Vec<_>>()
    };
    assert_eq!(results("preview"), ["added", "waiting", "waiting"]);
    manager.run(&id);
    assert_eq!(results("result"), ["added", "waiting", "waiting"]);
    assert_eq!(nodes.events("OpeningBalancePosted"), 1);
    assert_eq!(business.balance("field_cash", "CUP"), "0.00");
    let second = Person::login(&business.client, "second@example.test");
    for proposal in second.get("/proposals?waiting=true")["data"].as_array().unwrap() {
        let path = format!("/proposals/{}/approve", text(&proposal["id"]));
        let answer = second.send("POST", &path, Some(json!({})));
        assert!(answer.status < 300, "{}", answer.body);
    }
    assert_eq!(nodes.events("OpeningBalancePosted"), 3);
    assert_eq!(business.balance("field_cash", "CUP"), "80000.00");
}
