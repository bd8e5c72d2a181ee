//! An import goes round no rule: scopes, permissions, approvals, limits and screening.

use super::{Nodes, PATIENCE, Person, TENANT};
use crate::support::{Business, Call, MANAGER, PASSWORD, run, text};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    time::{Duration, Instant},
};

#[test]
fn nobody_sees_anothers_imports_and_an_import_does_what_its_maker_may_do() {
    let nodes = Nodes::new(&[TENANT, "other"]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let (client, manager) = (&business.client, Person::manager(&business));
    let import = agency.upload("issuers", b"Nombre\nZafiro\n");
    let id = text(&import["id"]);
    let path = format!("/imports/{id}");

    business.as_manager(
        201,
        "POST",
        "/agency",
        json!({"name": "Second", "email": "second@example.test", "password": PASSWORD,
               "paymentGroups": [{"paymentGroupId": business.cup}]}),
    );
    business.as_manager(
        201,
        "POST",
        "/agent",
        json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1,
               "agencyId": business.agency}),
    );
    let strangers = [
        Person::login(client, "second@example.test"),
        Person::login(client, "agent@example.test"),
        Person::login(&node.client("other"), MANAGER),
        Person::manager(&business),
    ];
    for stranger in &strangers {
        assert_eq!(stranger.get("/imports")["results"], json!([]));
        for (method, more, body) in [
            ("GET", "", None),
            ("GET", "/rows", None),
            ("GET", "/file?format=csv", None),
            ("PUT", "/mapping", Some(import["mapping"].clone())),
            ("PUT", "/rows/0", Some(json!({"leftOut": true}))),
            ("POST", "/preview", None),
            ("POST", "/start", None),
            ("POST", "/pause", None),
            ("POST", "/resume", None),
            ("POST", "/cancel", None),
        ] {
            let answer = stranger.send(method, &format!("{path}{more}"), body);
            assert_eq!(
                (answer.status, answer.code()),
                (404, "import_not_found"),
                "{method} {more}"
            );
        }
    }
    let dealer = Person::login(client, "dealer@example.test");
    assert_eq!(dealer.get("/imports")["results"], json!([]));
    assert_eq!(dealer.uploading("issuers", b"Nombre\nAna\n").code(), "role_not_allowed");
    // The same file of another is another import.
    let others = strangers[1].upload("issuers", b"Nombre\nZafiro\n");
    assert_ne!(others["id"], import["id"]);

    // A member of the office sees the office's imports of what he may read, changes only the own, and imports what he may.
    let set = json!({"name": "Clerk", "reads": [], "writes": ["customers"]});
    let set = business.as_manager(201, "POST", "/permission_sets", set);
    let clerk = json!({"name": "Clerk", "email": "clerk@example.test", "password": PASSWORD,
                       "permissionSet": set["id"]});
    business.as_manager(201, "POST", "/users", clerk);
    let office = Person::login(client, "clerk@example.test");
    assert_eq!(
        office.uploading("remittances", b"a;b\n1;2\n").code(),
        "permission_missing"
    );
    let kinds = office.get("/imports/kinds")["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| text(&kind["kind"]))
        .collect::<Vec<_>>();
    assert_eq!(kinds, ["issuers", "recipients"]);
    let own = manager.upload("issuers", b"Nombre\nDe la oficina\n");
    let own = text(&own["id"]);
    assert_eq!(office.get(&format!("/imports/{own}"))["own"], false);
    for act in ["preview", "start", "resume"] {
        let taken = office.send("POST", &format!("/imports/{own}/{act}"), None);
        assert_eq!(taken.code(), "import_of_another", "{act}");
    }
    // A colleague may stop it, and goes on with it by uploading the file.
    assert_eq!(office.get(&format!("/imports/{own}"))["stoppable"], true);
    office.act(&own, "cancel");
    let taken = office.upload("issuers", b"Nombre\nDe la oficina\n");
    assert_eq!((&taken["id"], &taken["own"]), (&json!(own), &json!(true)));

    // What the maker may not do any more stops the run; the rows are not refused.
    let mut file = "Nombre\n".to_owned();
    for row in 0..600 {
        writeln!(file, "Persona {row}").unwrap();
    }
    let import = office.upload("issuers", file.as_bytes());
    let id = text(&import["id"]);
    let mut mapping = import["mapping"].clone();
    mapping["owner"] = json!(business.agency);
    client.expect(
        200,
        &office.token,
        "PUT",
        &format!("/imports/{id}/mapping"),
        Some(mapping),
    );
    office.preview(&id);
    office.act(&id, "start");
    let reads = json!({"name": "Clerk", "reads": ["customers"], "writes": []});
    let path = format!("/permission_sets/{}", text(&set["id"]));
    business.as_manager(200, "PUT", &path, reads);
    let stopped = office.until(&id, &["paused"]);
    assert_eq!(
        (&stopped["failure"]["code"], &stopped["runCounts"]["refused"]),
        (&json!("permission_missing"), &json!(0))
    );
    assert_eq!(
        office.send("POST", &format!("/imports/{id}/resume"), None).code(),
        "permission_missing"
    );
    business.as_manager(
        200,
        "PUT",
        &path,
        json!({"name": "Clerk", "reads": [], "writes": ["customers"]}),
    );
    office.act(&id, "resume");
    let done = office.until(&id, &["done"]);
    assert_eq!(done["runCounts"]["added"], 600);

    // Nor are they when the maker is deactivated.
    let import = office.upload("issuers", file.replace("Persona", "Otra").as_bytes());
    let id = text(&import["id"]);
    let mut mapping = import["mapping"].clone();
    mapping["owner"] = json!(business.agency);
    let mapped = office.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
    assert_eq!(mapped.status, 200, "{}", mapped.body);
    office.preview(&id);
    office.act(&id, "start");
    let clerk = manager.get("/users")["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|user| user["email"] == "clerk@example.test")
        .map(|user| text(&user["id"]))
        .unwrap();
    business.as_manager(204, "DELETE", &format!("/users/{clerk}"), Value::Null);
    let stopped = manager.until(&id, &["paused", "done"]);
    assert_eq!(stopped["runCounts"]["refused"], 0, "{stopped}");
}

#[test]
fn an_import_goes_round_no_approval() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    business.as_manager(
        201,
        "POST",
        "/users",
        json!({"name": "Second", "email": "second@example.test", "password": PASSWORD}),
    );
    let rule = json!({"kind": "card_number", "makers": ["agency"], "approvers": "manager", "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let file = "Remitente,Nombre,Tarjeta,Municipio\nAna,Eva,9225069990000004,Playa\n";
    let id = text(&agency.upload("recipients", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    assert_eq!(agency.results(&id, "result"), [("waiting".to_owned(), vec![])]);
    let proposals = business
        .client
        .expect(200, &business.manager, "GET", "/proposals", None);
    assert_eq!(proposals["totalRecords"], 1, "{proposals}");

    // A sale to a card that waits is not made; after the approval it is.
    let file = "Remitente;Destinatario;Tarjeta;Municipio;Importe;Moneda\nAna;Iris;9204069990000012;Playa;1,00;CUP\n";
    let before = nodes.events("RemittanceCreated");
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    assert_eq!(
        preview,
        [("refused".to_owned(), vec!["import_approval_first".to_owned()])]
    );
    agency.run(&id);
    assert_eq!(agency.results(&id, "result"), preview);
    assert_eq!(nodes.events("RemittanceCreated"), before);
    let second = Person::login(&business.client, "second@example.test");
    for proposal in second.get("/proposals?waiting=true")["data"].as_array().unwrap() {
        let path = format!("/proposals/{}/approve", text(&proposal["id"]));
        let answer = second.send("POST", &path, Some(json!({})));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    agency.preview(&id);
    agency.run(&id);
    let results = agency.results(&id, "result");
    assert_eq!(results[0].0, "added", "{results:?}");
    assert_eq!(nodes.events("RemittanceCreated"), before + 1);
}

#[test]
fn rows_follow_their_approvals_and_one_that_ended_without_effect_is_asked_for_anew() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    business.as_manager(
        201,
        "POST",
        "/users",
        json!({"name": "Second", "email": "second@example.test", "password": PASSWORD}),
    );
    for (kind, makers) in [
        ("assignment_on_cash", "manager"),
        ("user", "manager"),
        ("card_number", "agency"),
    ] {
        let rule = json!({"kind": kind, "makers": [makers], "approvers": "manager", "expiresAfterHours": 24});
        business.as_manager(201, "POST", "/approval-rules", rule);
    }
    let second = Person::login(&business.client, "second@example.test");
    // The rule for users came first: what it covers from then on waits.
    for proposal in second.get("/proposals?waiting=true")["data"].as_array().unwrap() {
        let path = format!("/proposals/{}/approve", text(&proposal["id"]));
        assert_eq!(second.send("POST", &path, Some(json!({}))).status, 200);
    }
    let (manager, agency) = (Person::manager(&business), Person::agency(&business));
    let ended = |code: &str| ("refused".to_owned(), vec![code.to_owned()]);
    let (waits, added) = (("waiting".to_owned(), vec![]), ("added".to_owned(), vec![]));
    let cases = [
        (
            &manager,
            "openings",
            "Cuenta;Moneda;Saldo\nCaja;CUP;2000,00\nDealer;CUP;800,00\nDealer;USD;700,00\nAgency;CUP;600,00\n",
        ),
        (
            &manager,
            "users",
            "Nombre;Correo;Tipo\nUno;u1@example.test;dealer\nDos;u2@example.test;dealer\n\
             Tres;u3@example.test;dealer\nCuatro;u4@example.test;dealer\n",
        ),
        (
            &agency,
            "recipients",
            "Remitente,Nombre,Tarjeta,Municipio\nAna,Eva,9225069990000004,Playa\nAna,Iris,9204069990000012,Playa\n\
             Ana,Olga,9225959990000003,Playa\n",
        ),
    ];
    for (person, kind, file) in cases {
        let import = person.upload(kind, file.as_bytes());
        let id = text(&import["id"]);
        let mut mapping = import["mapping"].clone();
        if kind == "openings" {
            mapping["expected"] = json!({"CUP": "3400.00", "USD": "700.00"});
            let path = format!("/imports/{id}/mapping");
            assert_eq!(person.send("PUT", &path, Some(mapping.clone())).status, 200);
        }
        person.preview(&id);
        let done = person.run(&id);
        let results = person.results(&id, "result");
        let of_rows: Vec<usize> = (0..results.len()).filter(|row| results[*row] == waits).collect();
        assert!(of_rows.len() >= 3, "{kind}: {results:?}");
        let [first, other, third] = [of_rows[0], of_rows[1], of_rows[2]];
        assert_eq!(done["runCounts"]["waiting"], of_rows.len());

        // In the order of the rows.
        let found = second.get("/proposals?waiting=true&RecordsPerPage=100");
        let mut waiting: Vec<String> = found["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| text(&row["id"]))
            .collect();
        waiting.reverse();
        assert_eq!(waiting.len(), of_rows.len(), "{found}");
        let act = |by: &Person, proposal: &str, act: &str, body: Value| {
            let answer = by.send("POST", &format!("/proposals/{proposal}/{act}"), Some(body));
            assert_eq!(answer.status, 200, "{kind}: {}", answer.body);
        };
        act(&second, &waiting[0], "approve", json!({}));
        act(&second, &waiting[1], "reject", json!({"reason": "Not this one."}));
        act(person, &waiting[2], "withdraw", json!({}));
        let results = person.results(&id, "result");
        assert_eq!(results[first], added, "{kind}");
        assert_eq!(results[other], ended("import_approval_rejected"), "{kind}");
        assert_eq!(results[third], ended("import_approval_withdrawn"), "{kind}");
        let settled = person.get(&format!("/imports/{id}"));
        assert_eq!(settled["runCounts"]["waiting"], of_rows.len() - 3, "{settled}");
        let listed = person.get("/imports");
        assert_eq!(listed["results"][0]["imported"], settled["runCounts"], "{kind}");

        // Again: the ones without effect, and no others.
        if kind == "openings" {
            mapping["expected"] = json!({"CUP": "600.00", "USD": "700.00"});
            let path = format!("/imports/{id}/mapping");
            assert_eq!(person.send("PUT", &path, Some(mapping.clone())).status, 200);
        }
        let previewed = person.preview(&id);
        assert_eq!(person.results(&id, "preview")[other], waits, "{kind}");
        for total in previewed["expected"].as_array().unwrap() {
            assert_eq!(total["difference"], "0.00", "{kind}: {previewed}");
        }
        person.run(&id);
        let results = person.results(&id, "result");
        assert_eq!(
            (&results[first], &results[other], &results[third]),
            (&added, &waits, &waits),
            "{kind}"
        );
        for proposal in second.get("/proposals?waiting=true&RecordsPerPage=100")["data"]
            .as_array()
            .unwrap()
        {
            act(&second, &text(&proposal["id"]), "approve", json!({}));
        }
        let rows = person.rows(&id, "");
        assert!(
            rows.iter()
                .all(|row| row["result"] == "added" && row["record"].is_string()),
            "{kind}: {rows:?}"
        );
    }
    assert_eq!(nodes.events("OpeningBalancePosted"), 4);
    assert_eq!(business.balance("field_cash", "CUP"), "800.00");
}

/// A sale, as a row and as a person types it.
struct Sale {
    sender: &'static str,
    recipient: [&'static str; 2],
    amount: &'static str,
    /// Purpose and source of the funds are told.
    declares: bool,
    card: &'static str,
}

const fn sale_of(sender: &'static str, recipient: [&'static str; 2], amount: &'static str) -> Sale {
    Sale {
        sender,
        recipient,
        amount,
        declares: false,
        card: "",
    }
}

impl Sale {
    fn row(&self, home: &str) -> String {
        let [name, last] = self.recipient;
        let (purpose, source) = if self.declares { ("Ayuda", "Salario") } else { ("", "") };
        let Self {
            sender, amount, card, ..
        } = self;
        format!("{sender};{name};{last};{home};{amount},00;CUP;{purpose};{source};{card}\n")
    }
}

/// What becomes of a sale: as a row says it, and whether it is held.
type Sold = (String, Vec<String>, bool);

/// Ids of customers by the id of their sender, empty for senders, and their names.
type Registered = BTreeMap<String, String>;

/// Id of a customer, who is registered when first needed.
fn customer(business: &Business, known: &mut Registered, within: &str, names: [&str; 2], document: &Value) -> String {
    let add = || {
        let [name, last] = names;
        let mut body = json!({"name": name, "lastName": last, "customerType": i32::from(!within.is_empty())});
        if !within.is_empty() {
            body["senderId"] = json!(within);
            body["provinceId"] = json!(business.province);
            body["municipalityId"] = json!(business.municipality);
        }
        if let (Some(body), Some(document)) = (body.as_object_mut(), document.as_object()) {
            body.extend(document.clone());
        }
        text(&business.as_agency(201, "POST", "/customer", body)["id"])
    };
    let key = format!("{within}/{}", names.join(" "));
    known.entry(key).or_insert_with(add).clone()
}

/// Sells one by one, each customer registered when first needed.
fn sold_singly(business: &Business, mut known: Registered, sales: &[Sale]) -> Vec<Sold> {
    let mut customer = |within: &str, names: [&str; 2]| customer(business, &mut known, within, names, &Value::Null);
    let sell = |sale: &Sale| {
        let sender = customer("", [sale.sender, ""]);
        let recipient = customer(&sender, sale.recipient);
        let mut body = business.sale(sale.amount);
        body["senderId"] = json!(sender);
        body["recipientId"] = json!(recipient);
        if sale.declares {
            body["purpose"] = json!("Ayuda");
            body["sourceOfFunds"] = json!("Salario");
        }
        if !sale.card.is_empty() {
            let card = json!({"customerId": recipient, "cardNumber": sale.card, "brand": "bandec_cup"});
            let proposed = business.as_agency(202, "POST", "/customer/add_card", card);
            assert_eq!(proposed["status"], "waiting", "{proposed}");
            return ("refused".to_owned(), vec!["import_approval_first".to_owned()], false);
        }
        let call = Call::new("POST", "/remittances").token(&business.agency_token);
        let sold = business.client.send(call.json(&body));
        if sold.status == 201 {
            return ("added".to_owned(), vec![], is_held(business, &text(&sold.body["id"])));
        }
        let errors = sold.body["errors"].as_array().cloned().unwrap_or_default();
        let mut codes: Vec<String> = errors.iter().map(|error| text(&error["code"])).collect();
        if codes.is_empty() {
            codes.push(sold.code().to_owned());
        }
        ("refused".to_owned(), codes, false)
    };
    sales.iter().map(sell).collect()
}

/// Previews and runs the sales as a file, and tells what became of each row; the preview said the same.
fn sold_by_file(business: &Business, sales: &[Sale]) -> Vec<Sold> {
    let agency = Person::agency(business);
    let name_of = |places: &str| text(&agency.get(places)["results"][0]["name"]);
    let cities = format!("/nomenclators/cuban_cities?provinceId={}", business.province);
    let home = [name_of("/nomenclators/cuban_states"), name_of(&cities)].join(";");
    let mut file = "Remitente;Destinatario;Apellidos del destinatario;Provincia;Municipio;Importe;Moneda;Propósito;\
                    Origen de los fondos;Tarjeta\n"
        .to_owned();
    for sale in sales {
        file.push_str(&sale.row(&home));
    }
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    let previewed = agency.preview(&id);
    let preview = agency.results(&id, "preview");
    let done = agency.run(&id);
    assert_eq!(agency.results(&id, "result"), preview, "run and preview");
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    agency
        .rows(&id, "")
        .iter()
        .zip(preview)
        .map(|(row, (result, codes))| {
            let held = row["record"].as_str().is_some_and(|id| is_held(business, id));
            (result, codes, held)
        })
        .collect()
}

fn is_held(business: &Business, id: &str) -> bool {
    let path = format!("/remittances/{id}");
    let seen = business.client.expect(200, &business.agency_token, "GET", &path, None);
    seen["held"] == true
}

#[test]
fn rows_under_screening_limits_and_approval_rules_are_held_refused_and_proposed_as_single_sales_are() {
    let nodes = Nodes::new(&[TENANT, "singly"]);
    let node = nodes.start();
    let list = nodes.folder.path().join("list.csv");
    std::fs::write(&list, "id;name\n7001;ZALDÍVAR QUESADA, Evaristo\n").unwrap();
    let load = ["screening", "load", "--list", "sample", list.to_str().unwrap()];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &load);
    assert!(done, "{said}");
    let set_up = |tenant: &str| {
        let business = Business::set_up(node.client(tenant));
        business.fund("900000");
        let deadline = Instant::now() + PATIENCE;
        let screening = || {
            business
                .client
                .expect(200, &business.manager, "GET", "/screening", None)
        };
        while screening()["lists"][0]["loaded"] != true {
            assert!(Instant::now() < deadline, "{}", screening());
            std::thread::sleep(Duration::from_millis(40));
        }
        business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"sample": 86}}));
        for rule in [
            json!({"side": "sender", "window": "days30", "amount": "100", "outcome": "refuse"}),
            json!({"side": "sender", "window": "sale", "amount": "50", "outcome": "needs",
                   "needs": ["purpose", "source_of_funds"]}),
            json!({"side": "recipient", "window": "day", "count": 2, "outcome": "hold"}),
        ] {
            business.as_manager(201, "POST", "/limit-rules", rule);
        }
        let rule =
            json!({"kind": "card_number", "makers": ["agency"], "approvers": "manager", "expiresAfterHours": 24});
        business.as_manager(201, "POST", "/approval-rules", rule);
        business
    };
    let listed = ["Evaristo", "Zaldivar Quesada"];
    let declared = |sale: Sale| Sale { declares: true, ..sale };
    let sales = [
        sale_of("Alba", ["Rosa", "Uno"], "10"),
        sale_of("Alba", listed, "10"),
        sale_of("Beto", ["Rosa", "Dos"], "60"),
        declared(sale_of("Beto", ["Rosa", "Dos"], "60")),
        declared(sale_of("Beto", ["Rosa", "Dos"], "60")),
        sale_of("Carla", ["Iris", "Tres"], "5"),
        sale_of("Carla", ["Iris", "Tres"], "5"),
        sale_of("Carla", ["Iris", "Tres"], "5"),
        Sale {
            card: "9204069990000012",
            ..sale_of("Dora", ["Nora", "Cuatro"], "5")
        },
        sale_of("Evaristo Zaldivar Quesada", ["Olga", "Cinco"], "5"),
    ];
    let singly = sold_singly(&set_up("singly"), Registered::new(), &sales);

    let business = set_up(TENANT);
    let imported = sold_by_file(&business, &sales);
    assert_eq!(imported, singly);
    let told: Vec<_> = imported
        .iter()
        .map(|(result, codes, held)| format!("{result} {} {held}", codes.join(" ")))
        .collect();
    let held = "added  true".to_owned();
    assert_eq!(
        (&told[1], &told[7], &told[9]),
        (&held, &held, &held),
        "by the list, by the count, by the list: {told:?}"
    );
    assert_eq!(told[2], "refused needs_purpose needs_source_of_funds false");
    assert_eq!(told[4], "refused sale_beyond_limits false");
    let waiting = |business: &Business| {
        let path = "/proposals?waiting=true";
        business.client.expect(200, &business.manager, "GET", path, None)["totalRecords"].clone()
    };
    assert_eq!(waiting(&business), 1, "the card waits for its approval");
}

#[test]
fn rows_under_limit_rules_are_sold_by_the_documents_of_their_customers_as_single_sales_are() {
    let nodes = Nodes::new(&[TENANT, "singly"]);
    let node = nodes.start();
    let document = |number: &str, until: Option<&str>| {
        json!({"personalIdentificationNumber": number, "personalIdentificationType": 0,
               "personalIdentificationExpirationDate": until})
    };
    let rosa = ["Rosa", "Uno"];
    // Every sender has the recipient before the first rule; neither Carla nor a recipient has a document.
    let set_up = |tenant: &str| {
        let business = Business::set_up(node.client(tenant));
        business.fund("900000");
        let mut known = Registered::new();
        let mut add = |name, document| {
            let sender = customer(&business, &mut known, "", [name, ""], &document);
            customer(&business, &mut known, &sender, rosa, &Value::Null);
        };
        add("Alba", document("80010112345", Some("2999-12-31")));
        add("Beto", document("80010112346", Some("2020-01-31")));
        add("Carla", Value::Null);
        add("Dora", document("80010112347", None));
        business.as_manager(
            201,
            "POST",
            "/limit-rules",
            json!({"side": "sender", "window": "sale", "amount": "50", "outcome": "needs", "needs": ["document"]}),
        );
        business.as_manager(
            201,
            "POST",
            "/limit-rules",
            json!({"side": "recipient", "window": "day", "count": 2, "outcome": "hold"}),
        );
        let late = document("80010112348", Some("2999-12-31"));
        let late = customer(&business, &mut known, "", ["Elsa", ""], &late);
        customer(&business, &mut known, &late, rosa, &Value::Null);
        (business, known)
    };
    let sales = [
        sale_of("Carla", rosa, "10"),
        sale_of("Alba", rosa, "60"),
        sale_of("Beto", rosa, "60"),
        sale_of("Beto", rosa, "10"),
        sale_of("Carla", rosa, "60"),
        sale_of("Dora", rosa, "60"),
        sale_of("Elsa", rosa, "60"),
        sale_of("Flora", ["Nora", "Dos"], "10"),
        sale_of("Flora", ["Nora", "Dos"], "60"),
        sale_of("Alba", rosa, "60"),
        sale_of("Alba", rosa, "60"),
    ];
    let (business, known) = set_up("singly");
    let singly = sold_singly(&business, known, &sales);
    let (business, _) = set_up(TENANT);
    assert_eq!(sold_by_file(&business, &sales), singly);
    let told: Vec<_> = singly
        .iter()
        .map(|(result, codes, held)| format!("{result} {} {held}", codes.join(" ")))
        .collect();
    let (sold, held, needs) = ("added  false", "added  true", "refused needs_document false");
    assert_eq!(
        told,
        [sold, sold, needs, sold, needs, sold, sold, sold, needs, sold, held],
        "by the sender's document, and the third one to a recipient"
    );
}
