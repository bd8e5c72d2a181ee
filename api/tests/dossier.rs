//! Dossiers of customers for an authority: recorded, repeatable, and checked by `scripts/verify_receipt.py`, which shares no
//! code with Caudal.

mod everything;

use crate::support::{Answer, Business, Call, PASSWORD, Server, picture, text, whole_feed};
use caudal_domain::{Command as Order, customer::CustomerCommand, erasure::Forget, ids::CustomerId};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};

/// Records an export and returns its position.
fn export(business: &Business, customer: &str) -> i64 {
    let path = format!("/customer/{customer}/dossiers");
    let recorded = business.client.expect(201, &business.manager, "POST", &path, None);
    assert_eq!(recorded["id"], customer);
    recorded["position"].as_i64().unwrap()
}

fn read(business: &Business, customer: &str, position: i64, query: &str) -> Answer {
    let path = format!("/customer/{customer}/dossiers/{position}{query}");
    business.client.send(Call::new("GET", &path).token(&business.manager))
}

/// Runs the verifier. Returns whether it accepts the file, and its output.
fn checked(folder: &Path, file: &Value) -> (bool, String) {
    let path = folder.join("dossier.json");
    fs::write(&path, file.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/verify_receipt.py");
    let ran = Command::new("python3")
        .args([script.as_path(), &path, &folder.join("keys.json")])
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
    (ran.status.success(), said)
}

/// A folder with the public keys of the server.
fn with_keys(business: &Business) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let keys = business.client.send(Call::new("GET", "/audit/keys")).body;
    fs::write(folder.path().join("keys.json"), keys.to_string()).unwrap();
    folder
}

/// Sells to the recipient, who gets a card and another name, and delivers.
fn deliver(business: &Business) -> String {
    business.fund("90000.00");
    let card = json!({"customerId": business.recipient, "cardNumber": "9225061234567890", "brand": "bandec_mlc"});
    business.as_agency(201, "POST", "/customer/add_card", card);
    let renamed = json!({"name": "Berta", "lastName": "Nueva", "was": {"name": "Ana's aunt", "lastName": null}});
    business.as_agency(200, "PUT", &format!("/customer/{}", business.recipient), renamed);
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("25.00"));
    let id = text(&sold["id"]);
    let path = format!("/remittances/{id}");
    let to = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("{path}/assign/dealer"), to);
    let (id_picture, signature) = (picture("id"), picture("signature"));
    let files = [
        ("identificationDocument", "id.png", id_picture.as_slice()),
        ("firmPicture", "signature.png", signature.as_slice()),
    ];
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let call = Call::new("POST", &format!("{path}/complete")).token(&dealer);
    let done = business.client.send(call.multipart(files));
    assert_eq!(done.status, 200, "{}", done.body);
    id
}

#[test]
fn a_dossier_has_everything_known_and_done_and_its_signature_covers_every_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let id = deliver(&business);
    let position = export(&business, &business.recipient);
    let answer = read(&business, &business.recipient, position, "");
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(
        answer
            .header("content-disposition")
            .contains(&format!("dossier-acme-{position}.json"))
    );
    let dossier = &answer.body["dossier"];
    assert_eq!(
        (&dossier["tenant"], &dossier["position"]),
        (&json!("acme"), &json!(position))
    );
    let event = format!("/audit/events/{position}");
    let event = business.client.expect(200, &business.manager, "GET", &event, None);
    assert_eq!(event["event"]["eventType"], "DossierExported");
    assert_eq!(
        (&event["event"]["hash"], event["hashHolds"].as_bool()),
        (&dossier["hash"], Some(true))
    );
    assert_eq!(event["event"]["actor"]["id"], dossier["exportedBy"]["id"]);

    let names: Vec<_> = dossier["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|version| &version["person"]["name"])
        .collect();
    assert_eq!(names, ["Ana's aunt", "Berta"]);
    assert_eq!(dossier["versions"][1]["person"]["addressLine"], "Calle 23");
    assert!(dossier["versions"][0]["municipality"].is_string());
    assert_eq!(dossier["cards"][0]["number"], "************7890");
    assert_eq!(dossier["sender"]["name"], "Ana");
    let remittance = &dossier["remittances"][0];
    assert_eq!(
        (text(&remittance["id"]), &remittance["status"]),
        (id.clone(), &json!(3))
    );
    assert_eq!(
        (&remittance["amount"], &remittance["payout"]),
        (&json!("25.00"), &json!("8000.00"))
    );
    assert_eq!(
        (&remittance["seller"]["name"], &remittance["deliveredBy"]["name"]),
        (&json!("Agency"), &json!("Dealer"))
    );
    let steps: Vec<_> = remittance["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| &step["change"])
        .collect();
    assert_eq!(steps, ["created", "assigned", "completed"]);
    let row = business
        .client
        .expect(200, &business.manager, "GET", &format!("/remittances/{id}"), None);
    let files = remittance["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    for file in files {
        let hash = text(&file["hash"]);
        assert!(hash.len() == 64 && row.to_string().contains(&hash), "{row}");
    }
    // The sender's has the remittance too, and the recipient.
    let sent = export(&business, &business.sender);
    let sent = read(&business, &business.sender, sent, "").body;
    assert_eq!(sent["dossier"]["remittances"][0]["code"], remittance["code"]);
    assert_eq!(sent["dossier"]["recipients"][0]["name"], "Berta Nueva");

    let folder = with_keys(&business);
    let (holds, said) = checked(folder.path(), &answer.body);
    assert!(holds && said.contains("dossier"), "{said}");
    for (path, other) in [
        ("/dossier/remittances/0/amount", json!("24.00")),
        ("/dossier/versions/0/person/name", json!("Eva")),
        ("/dossier/position", json!(position + 1)),
        ("/dossier/cards", json!([])),
        ("/digest", json!("0".repeat(64))),
        ("/key", json!("0".repeat(16))),
    ] {
        let mut changed = answer.body.clone();
        *changed.pointer_mut(path).unwrap() = other;
        let (holds, said) = checked(folder.path(), &changed);
        assert!(!holds && said.contains("refused"), "{path}: {said}");
    }
    let pdf = read(&business, &business.recipient, position, "?format=pdf");
    assert_eq!((pdf.status, pdf.header("content-type")), (200, "application/pdf"));
    assert!(pdf.bytes.starts_with(b"%PDF"));
    assert_eq!(
        read(&business, &business.recipient, position, "?format=csv").status,
        422
    );
}

#[test]
fn an_export_is_recorded_once_and_reads_alike_whatever_comes_after() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    deliver(&business);
    let path = format!("/customer/{}/dossiers", business.recipient);
    let call = || Call::new("POST", &path).token(&business.manager).key("asked-1");
    let (first, again) = (business.client.send(call()), business.client.send(call()));
    assert_eq!((first.status, again.status, &again.body), (201, 201, &first.body));
    let position = first.body["position"].as_i64().unwrap();
    assert_eq!(server.head("acme"), position, "one event for one key");
    let before = read(&business, &business.recipient, position, "");

    let renamed = json!({"name": "Carla", "was": {"name": "Berta"}});
    business.as_agency(200, "PUT", &format!("/customer/{}", business.recipient), renamed);
    let agency = json!({"id": business.agency, "name": "Another agency", "was": {"name": "Agency"}});
    business.as_manager(200, "PUT", "/agency", agency);
    business.as_agency(201, "POST", "/remittances", business.sale("5.00"));
    let after = read(&business, &business.recipient, position, "");
    assert_eq!(after.bytes, before.bytes);
    let next = export(&business, &business.recipient);
    let next = read(&business, &business.recipient, next, "").body;
    assert_eq!(next["dossier"]["exports"][0]["position"], position);
    assert_eq!(next["dossier"]["remittances"].as_array().unwrap().len(), 2);
    assert_eq!(next["dossier"]["versions"][2]["person"]["name"], "Carla");

    // Nothing is there but under the position of its record.
    for elsewhere in [position - 1, position + 1, 0] {
        let answer = read(&business, &business.recipient, elsewhere, "");
        assert_eq!((answer.status, answer.code()), (404, "dossier_not_found"));
    }
    assert_eq!(read(&business, &business.sender, position, "").status, 404);
}

#[test]
fn a_recipient_who_was_replaced_in_a_remittance_has_it_in_the_dossier() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("90000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("25.00"));
    let uncle = json!({"name": "Uncle", "customerType": 1, "senderId": business.sender, "addressLine": "Calle 1",
                       "provinceId": business.province, "municipalityId": business.municipality});
    let uncle = text(&business.as_agency(201, "POST", "/customer", uncle)["id"]);
    let edit = format!("/remittances/details/{}", text(&sold["id"]));
    business.as_agency(200, "PUT", &edit, json!({"recipientId": uncle}));
    for customer in [&business.recipient, &uncle] {
        let position = export(&business, customer);
        let dossier = read(&business, customer, position, "").body;
        let remittances = dossier["dossier"]["remittances"].as_array().unwrap().clone();
        assert_eq!(remittances.len(), 1, "{customer}");
        assert_eq!(remittances[0]["recipient"]["name"], "Uncle");
        assert_eq!(remittances[0]["history"][0]["recipient"]["name"], "Ana's aunt");
    }
}

/// A sender of a seller and a recipient, both with documents.
fn pair(business: &Business, token: &str, document: &str) -> (String, String) {
    let add = |body: Value| text(&business.client.expect(201, token, "POST", "/customer", Some(body))["id"]);
    let sender = add(json!({"name": "Ana", "lastName": "Ruiz", "customerType": 0,
        "personalIdentificationNumber": document, "personalIdentificationType": 1}));
    let recipient = add(
        json!({"name": "Berta", "customerType": 1, "senderId": sender, "addressLine": "Calle 23",
            "personalIdentificationNumber": "80010112345", "personalIdentificationType": 0,
            "provinceId": business.province, "municipalityId": business.municipality}),
    );
    (sender, recipient)
}

#[test]
fn the_sums_are_of_every_customer_with_the_document_and_equal_those_of_the_remittances() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("90000.00");
    let other = json!({"name": "Other", "email": "other@example.test", "password": PASSWORD,
        "paymentGroups": [{"paymentGroupId": business.cup, "agencyCommission": {"rate": "1"}}]});
    let other = text(&business.as_manager(201, "POST", "/agency", other)["id"]);
    let deposit = json!({"paymentGroupId": business.cup, "amount": "90000"});
    business.as_manager(201, "POST", &format!("/sources/deposit/agency/{other}"), deposit);
    let other_token = business.client.login("other@example.test", PASSWORD);
    let here = pair(&business, &business.agency_token, "K12345");
    let there = pair(&business, &other_token, "k12345");
    let stranger = pair(&business, &other_token, "K99999");
    let sell = |token: &str, (sender, recipient): &(String, String), amount: &str| {
        let mut sale = business.sale(amount);
        sale["senderId"] = json!(sender);
        sale["recipientId"] = json!(recipient);
        text(&business.client.expect(201, token, "POST", "/remittances", Some(sale))["id"])
    };
    sell(&business.agency_token, &here, "25.00");
    sell(&other_token, &there, "10.50");
    sell(&other_token, &there, "4.50");
    sell(&other_token, &stranger, "70.00");
    let canceled = sell(&other_token, &there, "100.00");
    business.as_manager(
        200,
        "POST",
        &format!("/remittances/{canceled}/cancel"),
        json!({"reason": "equivocada"}),
    );
    let position = export(&business, &here.0);
    let dossier = read(&business, &here.0, position, "").body["dossier"].clone();
    let sums = &dossier["sums"];
    let customers: Vec<_> = sums["customers"].as_array().unwrap().iter().collect();
    assert_eq!(customers.len(), 2, "{sums}");
    assert_eq!(
        (&customers[0]["customer"]["id"], &customers[1]["customer"]["id"]),
        (&json!(here.0), &json!(there.0))
    );
    assert_eq!(customers[1]["owner"]["name"], "Other");
    assert_eq!(
        dossier["remittances"].as_array().unwrap().len(),
        1,
        "the customer's own"
    );
    let months = sums["months"].as_array().unwrap();
    assert_eq!(months.len(), 1, "{months:?}");
    assert_eq!(
        (&months[0]["side"], &months[0]["remittances"], &months[0]["amount"]),
        (&json!("sender"), &json!(3), &json!("40.00"))
    );
    // The report says the same of each window, and its lines of a year add up to all remittances.
    let report = |query: &str| {
        let path = format!("/reports/large_sums?{query}");
        let report = business.client.expect(200, &business.manager, "GET", &path, None);
        report["data"].as_array().unwrap().clone()
    };
    for window in sums["windows"].as_array().unwrap() {
        let lines = report(&format!("side=sender&days={}&amountFrom=1", window["days"]));
        let line = lines.iter().find(|line| line["amount"] == window["amount"]).unwrap();
        assert_eq!(line["remittances"], window["remittances"]);
    }
    let minor = |amount: &Value| text(amount).replace('.', "").parse::<i64>().unwrap();
    let all = business
        .client
        .expect(200, &business.manager, "GET", "/remittances?recordsPerPage=100", None);
    let sold: i64 = all["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| text(&row["id"]) != canceled)
        .map(|row| minor(&row["amount"]))
        .sum();
    for side in ["sender", "recipient"] {
        let lines = report(&format!("side={side}&days=365"));
        let sum: i64 = lines.iter().map(|line| minor(&line["amount"])).sum();
        assert_eq!(sum, sold, "{side}: {lines:?}");
    }
    // A recipient with one document everywhere received what all of them sent.
    let received = export(&business, &there.1);
    let received = read(&business, &there.1, received, "").body["dossier"]["sums"].clone();
    assert_eq!(received["customers"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&received["months"][0]["side"], &received["months"][0]["amount"]),
        (&json!("recipient"), &json!("110.00"))
    );
    // Another document afterwards changes nothing in it.
    let changed = json!({"name": "Ana", "lastName": "Ruiz", "customerType": 0,
        "personalIdentificationNumber": "K77777", "personalIdentificationType": 1});
    let path = format!("/customer/{}", there.0);
    business.client.expect(200, &other_token, "PUT", &path, Some(changed));
    sell(&other_token, &there, "9.00");
    assert_eq!(read(&business, &here.0, position, "").body["dossier"], dossier);
    let pdf = read(&business, &here.0, position, "?format=pdf");
    assert_eq!(pdf.status, 200);
}

#[test]
fn only_managers_export_or_learn_of_it_and_an_erased_person_has_no_name_in_it() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let position = export(&business, &business.recipient);
    let path = format!("/customer/{}/dossiers", business.recipient);
    for (method, path) in [("POST", path.clone()), ("GET", format!("{path}/{position}"))] {
        let refused = business.client.expect(403, &business.agency_token, method, &path, None);
        assert_eq!(refused["code"], "role_not_allowed");
    }
    assert_eq!(server.head("acme"), position);
    // Neither the feed nor the live changes tell the seller what an authority asks for.
    for token in [&business.manager, &business.agency_token] {
        let feed = whole_feed(&business.client, token, 500);
        assert!(
            feed.iter()
                .all(|event| !event.to_string().to_lowercase().contains("dossier"))
        );
    }
    let news = format!("/events/news?positions={position}");
    let news = business.client.expect(200, &business.agency_token, "GET", &news, None);
    assert!(!news.to_string().contains("Dossier"), "{news}");

    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    let id = CustomerId(business.recipient.parse().unwrap());
    server.submit("acme", Order::Customer(id, CustomerCommand::Forget(order)));
    let answer = read(&business, &business.recipient, position, "");
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["dossier"]["versions"][0]["person"], Value::Null);
    assert!(!answer.body.to_string().contains("aunt"));
    let refused = business.client.expect(404, &business.manager, "POST", &path, None);
    assert_eq!(refused["code"], "customer_not_found");
}
