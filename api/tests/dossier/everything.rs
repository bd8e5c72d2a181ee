//! What the log knows of a customer, and who has it in the dossier: each event type once, at a recipient who is like a listed
//! person and whose remittances are beyond a limit.

use super::{export, read};
use crate::support::{Business, Call, PASSWORD, Server, pdf::pages, picture, text};
use caudal_domain::StreamKind;
use caudal_projections::dossier::coverage::{COVERED, Coverage, told};
use chrono::Utc;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Invented people.
const LIST: &str = "id;name;document;born\n7001;ZALDÍVAR QUESADA, Evaristo;84021312345;1984-02-13\n";
const CARDS: [&str; 2] = ["9225061234567890", "9225061234561111"];

/// A business with two managers and a delivery man, and the recipient.
struct Case {
    business: Business,
    second: String,
    man: String,
    man_id: String,
    recipient: String,
    rule: String,
}

impl Case {
    fn open(server: &Server) -> Self {
        let business = Business::new(server, "acme");
        business.fund("9000000");
        let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
        business.as_manager(201, "POST", "/users", second);
        let man = json!({"name": "Yoel", "email": "yoel@example.test", "password": PASSWORD,
            "dealerId": business.dealer, "paymentGroups": []});
        let man_id = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
        let limit = json!({"side": "recipient", "window": "sale", "amount": "40.00", "outcome": "hold"});
        let rule = text(&business.as_manager(201, "POST", "/limit-rules", limit)["id"]);
        server.load_list("sample", LIST);
        let own = [
            ("name", "name", b"blocked".as_slice()),
            ("file", "own.csv", b"name\nPedro PAEZ\n".as_slice()),
        ];
        let loaded = Call::new("POST", "/screening/own-lists")
            .token(&business.manager)
            .multipart(own);
        assert_eq!(business.client.send(loaded).status, 201);
        business.as_manager(
            200,
            "PUT",
            "/screening/lists",
            json!({"lists": {"sample": 86, "blocked": 95}}),
        );
        let recipient = json!({"name": "Evaristo", "lastName": "Zaldivar", "secondSurname": "Quesada", "customerType": 1,
            "senderId": business.sender, "addressLine": "Calle 23", "phoneNumber": "+5351111111",
            "personalIdentificationNumber": "84021312345", "personalIdentificationType": 0,
            "provinceId": business.province, "municipalityId": business.municipality});
        let recipient = text(&business.as_agency(201, "POST", "/customer", recipient)["id"]);
        let case = Self {
            second: business.client.login("second@example.test", PASSWORD),
            man: business.client.login("yoel@example.test", PASSWORD),
            man_id,
            recipient,
            rule,
            business,
        };
        for (kind, maker) in [
            ("hold_release", "manager"),
            ("cancel_shipping", "manager"),
            ("card_number", "agency"),
        ] {
            let rule = json!({"kind": kind, "makers": [maker], "approvers": "manager", "expiresAfterHours": 24});
            case.business.as_manager(201, "POST", "/approval-rules", rule);
        }
        case
    }

    fn sell(&self, amount: &str, more: &Value) -> String {
        let mut sale = self.business.sale(amount);
        sale["recipientId"] = json!(self.recipient);
        sale.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        text(&self.business.as_agency(201, "POST", "/remittances", sale)["id"])
    }

    fn manager(&self, status: u16, method: &str, path: &str, body: Value) -> Value {
        self.business.as_manager(status, method, path, body)
    }

    /// Proposes as the manager and approves as the second one.
    fn approved(&self, method: &str, path: &str, body: Value) {
        let id = text(&self.manager(202, method, path, body)["id"]);
        self.by_second(&format!("/proposals/{id}/approve"), json!({}));
    }

    fn by_second(&self, path: &str, body: Value) {
        self.business.client.expect(200, &self.second, "POST", path, Some(body));
    }

    fn assign(&self, id: &str) {
        let to = json!({"dealerId": self.business.dealer, "deliveryManId": self.man_id});
        self.manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), to);
    }

    fn complete(&self, id: &str) -> u16 {
        let (proof, at) = (picture("proof"), Utc::now().to_rfc3339());
        let form = [
            ("identificationDocument", "id.png", proof.as_slice()),
            ("firmPicture", "s.png", proof.as_slice()),
            ("deliveredAt", "", at.as_bytes()),
            ("orDispute", "", b"true".as_slice()),
        ];
        let call = Call::new("POST", &format!("/remittances/{id}/complete"))
            .token(&self.man)
            .key(id);
        self.business.client.send(call.multipart(form)).status
    }

    fn decide_pair(&self) -> Value {
        json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "Otra fecha de nacimiento"})
    }

    /// Does everything that can be done with a recipient. Answers the remittances: held by the match, beyond the limit, edited and
    /// canceled, delivered while held, disputed.
    fn run(&self) -> [String; 5] {
        let business = &self.business;
        let customer = format!("/customer/{}", self.recipient);
        let was = json!({"phoneNumber": "+5351111111", "addressLine": "Calle 23"});
        let moved = json!({"phoneNumber": "+5352222222", "addressLine": "Calle 100", "was": was});
        business.as_agency(200, "PUT", &customer, moved);
        let card = |number: &str| json!({"customerId": self.recipient, "cardNumber": number, "brand": "bandec_mlc"});
        let first = business.as_agency(202, "POST", "/customer/add_card", card(CARDS[0]));
        self.by_second(&format!("/proposals/{}/approve", text(&first["id"])), json!({}));
        let next = business.as_agency(202, "POST", "/customer/add_card", card(CARDS[1]));
        self.by_second(
            &format!("/proposals/{}/reject", text(&next["id"])),
            json!({"reason": "No es suya"}),
        );
        let content = picture("document");
        let call = Call::new("POST", &format!("{customer}/document/files")).token(&business.agency_token);
        let file = business
            .client
            .send(call.multipart([("file", "document", content.as_slice())]));
        let files = json!({"files": [file.body["id"]]});
        business.as_agency(200, "PUT", &format!("{customer}/document/pictures"), files);

        // Held by the match, and cleared by two.
        let matched = self.sell("30", &json!({"purpose": "Ayuda familiar", "reference": "PEDIDO-1"}));
        let decisions = format!("/screening/cases/{}/decisions", self.recipient);
        let id = text(&self.manager(202, "POST", &decisions, self.decide_pair())["id"]);
        self.by_second(&format!("/proposals/{id}/reject"), json!({"reason": "Falta su carné"}));
        let id = text(&self.manager(202, "POST", &decisions, self.decide_pair())["id"]);
        self.manager(200, "POST", &format!("/proposals/{id}/withdraw"), json!({}));
        self.approved("POST", &decisions, self.decide_pair());

        // Beyond the limit, and released by two.
        let beyond = self.sell("50", &json!({"reference": "PEDIDO-2"}));
        let review = format!("/remittances/{beyond}/holds/1/review");
        self.manager(
            200,
            "POST",
            &review,
            json!({"outcome": "keep", "reason": "Falta el contrato"}),
        );
        self.approved(
            "POST",
            &review,
            json!({"outcome": "release", "reason": "Contrato visto"}),
        );

        // Edited, tried, and canceled by two.
        let edited = self.sell("20", &json!({"notes": "Tocar fuerte"}));
        let amount = json!({"amount": "25.00", "paymentGroupId": business.cup});
        business.as_agency(200, "PUT", &format!("/remittances/{edited}"), amount);
        let details = json!({"address": "Calle 2", "notes": "Tocar el timbre", "reference": "PEDIDO-3"});
        business.as_agency(200, "PUT", &format!("/remittances/details/{edited}"), details);
        self.assign(&edited);
        let attempt = Call::new("POST", &format!("/remittances/{edited}/attempts")).token(&self.man);
        assert_eq!(
            business
                .client
                .send(attempt.json(&json!({"reason": "nobodyHome"})))
                .status,
            200
        );
        self.manager(
            200,
            "PUT",
            &format!("/remittances/{edited}/error"),
            json!({"reason": "Se mudó"}),
        );
        self.approved(
            "POST",
            &format!("/remittances/{edited}/cancel"),
            json!({"reason": "Lo pide el emisor"}),
        );

        // Delivered while held.
        let breached = self.sell("20", &json!({}));
        self.assign(&breached);
        self.manager(
            201,
            "POST",
            &format!("/remittances/{breached}/holds"),
            json!({"reason": "Llamar antes"}),
        );
        assert_eq!(self.complete(&breached), 200);
        self.manager(
            200,
            "PUT",
            &format!("/remittances/{breached}/breach"),
            json!({"reason": "No lo sabía"}),
        );

        // Canceled by two while the courier delivered.
        let disputed = self.sell("20", &json!({}));
        self.assign(&disputed);
        self.approved(
            "POST",
            &format!("/remittances/{disputed}/cancel"),
            json!({"reason": "Lo pide el emisor"}),
        );
        assert_eq!(self.complete(&disputed), 202);
        self.manager(
            200,
            "PUT",
            &format!("/remittances/{disputed}/disputes/1"),
            json!({"reason": "Devolvió el dinero"}),
        );
        for open in [&matched, &beyond] {
            self.assign(open);
            assert_eq!(self.complete(open), 200);
        }
        [matched, beyond, edited, breached, disputed]
    }

    fn dossier(&self, customer: &str) -> Value {
        let position = export(&self.business, customer);
        read(&self.business, customer, position, "").body["dossier"].clone()
    }
}

/// All positions of events in a part of the dossier.
fn positions(part: &Value) -> BTreeSet<i64> {
    match part {
        Value::Array(items) => items.iter().flat_map(positions).collect(),
        Value::Object(fields) => {
            let own = fields.get("position").and_then(Value::as_i64);
            fields.values().flat_map(positions).chain(own).collect()
        }
        _ => BTreeSet::new(),
    }
}

fn of<'a>(list: &'a Value, field: &str, value: &str) -> &'a Value {
    let found = list.as_array().unwrap().iter().find(|item| item[field] == value);
    found.unwrap_or_else(|| panic!("no {field} {value} in {list}"))
}

fn edits(of: &Value) -> Vec<(String, Value, Value)> {
    let edits = of["edits"].as_array().into_iter().flatten();
    let edits = edits.map(|edit| (text(&edit["field"]), edit["before"].clone(), edit["after"].clone()));
    edits.collect()
}

#[test]
fn every_event_that_names_the_customer_is_in_the_dossier_or_left_out_with_a_reason() {
    let server = Server::start(&["acme"]);
    let case = Case::open(&server);
    let business = &case.business;
    let remittances = case.run();
    export(business, &case.recipient);
    let deleted = Call::new("DELETE", &format!("/users/{}", case.recipient)).token(&business.agency_token);
    let deleted = business.client.send(deleted);
    assert!(deleted.status < 300, "{}", deleted.body);
    let dossier = case.dossier(&case.recipient);
    let (mut printed, mut proposals) = (BTreeSet::new(), BTreeSet::new());
    let is_own = |id: &str| id == case.recipient || remittances.iter().any(|own| own == id);
    for position in 1..=server.head("acme") {
        let event = format!("/audit/events/{position}");
        let event = business.client.expect(200, &business.manager, "GET", &event, None);
        let (payload, event) = (&event["payload"], &event["event"]);
        let (name, record) = (text(&event["eventType"]), text(&event["recordId"]));
        if payload["stream"]["id"].as_str().is_some_and(is_own) {
            proposals.insert(record.clone());
        }
        if !is_own(&record) && !proposals.contains(&record) {
            continue;
        }
        let kind: StreamKind = text(&event["recordType"]).parse().unwrap();
        match told(&name, kind) {
            Some(Coverage::Printed(part)) => {
                let is_there = positions(&dossier[part]).contains(&position);
                let is_export = name == "DossierExported" && dossier["position"] == json!(position);
                assert!(is_there || is_export, "{name} at {position}: {dossier:#}");
                printed.insert(name);
            }
            Some(Coverage::LeftOut(_)) => {}
            None => panic!("{name} names the customer"),
        }
    }
    let all = COVERED
        .iter()
        .filter(|(_, _, told)| matches!(told, Coverage::Printed(_)));
    let all: BTreeSet<String> = all.map(|(_, name, _)| (*name).to_owned()).collect();
    assert_eq!(printed, all, "the day has every type");
}

#[test]
fn the_dossier_tells_who_approved_what_caused_a_review_and_before_and_after_of_edits() {
    let server = Server::start(&["acme"]);
    let case = Case::open(&server);
    let [matched, beyond, edited, breached, _] = case.run();
    let dossier = case.dossier(&case.recipient);

    // Edits of the person: from what to what, when, and by whom.
    let version = &dossier["versions"][1];
    assert_eq!(
        edits(version),
        [
            ("phoneNumber".to_owned(), json!("+5351111111"), json!("+5352222222")),
            ("addressLine".to_owned(), json!("Calle 23"), json!("Calle 100")),
        ]
    );
    assert_eq!(version["by"]["name"], "Agency");
    assert!(version["at"].is_string());
    assert_eq!(dossier["versions"][0].get("edits"), None);

    // Edits of a remittance.
    let remittance = of(&dossier["remittances"], "id", &edited);
    let step = |change: &str| of(&remittance["history"], "change", change);
    let amounts = edits(step("amountEdited"));
    assert!(
        amounts.contains(&("amount".to_owned(), json!("20.00"), json!("25.00"))),
        "{amounts:?}"
    );
    assert!(
        amounts.contains(&("payout".to_owned(), json!("6400.00"), json!("8000.00"))),
        "{amounts:?}"
    );
    assert_eq!(
        edits(step("detailsEdited")),
        [
            ("reference".to_owned(), Value::Null, json!("PEDIDO-3")),
            ("address".to_owned(), Value::Null, json!("Calle 2")),
            ("notes".to_owned(), json!("Tocar fuerte"), json!("Tocar el timbre")),
        ]
    );
    assert_eq!(
        edits(step("assigned")),
        [
            ("dealer".to_owned(), Value::Null, json!("Dealer")),
            ("deliveryMan".to_owned(), Value::Null, json!("Yoel")),
        ]
    );
    let canceled = step("canceled");
    assert_eq!(canceled["approval"]["by"]["name"], "Second", "{canceled}");

    // The match: which list, of which version, which entry; who proposed and who approved.
    let hold = of(&dossier["holds"], "reference", "PEDIDO-1");
    assert_eq!(hold["remittance"]["id"], json!(matched));
    let entry = &hold["likeness"]["entries"][0];
    let version = dossier["screenings"][0]["lists"]["sample"].clone();
    assert!(version.is_string(), "{dossier:#}");
    assert_eq!(
        (&entry["list"], &entry["entry"], &entry["version"]),
        (&json!("sample"), &json!("7001"), &version)
    );
    assert_eq!(hold["likeness"]["customer"]["id"], json!(case.recipient));
    let review = &hold["reviews"][0];
    assert_eq!(review["reason"], "Otra fecha de nacimiento");
    assert_eq!(
        (&review["isReleased"], &hold["outcome"]),
        (&json!(true), &json!("released"))
    );
    assert_eq!(review["approval"]["by"]["name"], "Second");
    assert_ne!(review["by"]["name"], "Second", "who asked");
    assert!(review["by"]["id"].is_string());
    let decision = &dossier["pairDecisions"][0];
    assert_eq!(decision["approval"]["by"]["name"], "Second");
    let searched = of(&dossier["screenings"][0]["searched"], "name", "blocked");
    assert_eq!((&searched["threshold"], &searched["entries"]), (&json!(95), &json!(1)));
    assert!(searched["loaded"]["at"].is_string() && searched["loaded"]["by"]["id"].is_string());

    // The rule as it was.
    let hold = of(&dossier["holds"], "reference", "PEDIDO-2");
    assert_eq!(hold["remittance"]["id"], json!(beyond));
    let rule = &hold["limitRule"];
    assert_eq!(
        (&rule["id"], &rule["side"], &rule["window"], &rule["amount"]),
        (&json!(case.rule), &json!("recipient"), &json!("sale"), &json!("40.00"))
    );
    assert!(rule["set"]["at"].is_string());
    let reviews = hold["reviews"].as_array().unwrap();
    assert_eq!(reviews.len(), 2, "{hold}");
    assert_eq!(
        (&reviews[0]["isReleased"], &reviews[0]["approval"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(reviews[1]["approval"]["by"]["name"], "Second");
    let manual = dossier["holds"].as_array().unwrap().iter();
    let manual: Vec<_> = manual
        .filter(|hold| hold["remittance"]["id"] == json!(breached))
        .collect();
    assert_eq!(
        (&manual[0]["note"], &manual[0]["outcome"]),
        (&json!("Llamar antes"), &json!("delivered"))
    );

    // Proposals with what became of them.
    let outcomes: Vec<_> = dossier["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| text(&of["outcome"]))
        .collect();
    for outcome in ["approved", "rejected", "withdrawn"] {
        assert!(outcomes.iter().any(|one| one == outcome), "{outcomes:?}");
    }
    let rejected: Vec<_> = dossier["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|of| of["outcome"] == "rejected")
        .collect();
    assert_eq!(
        (&rejected[0]["command"]["card"], &rejected[0]["rejection"]),
        (&json!("************1111"), &json!("No es suya"))
    );
    assert_eq!(rejected[1]["command"]["entry"], "7001");
    assert_eq!(dossier["cards"][0]["approval"]["by"]["name"], "Second");
    assert_eq!(dossier["identifications"][0]["document"]["number"], "84021312345");

    // In both languages on paper, with the cards masked.
    let position = dossier["position"].as_i64().unwrap();
    for (language, said) in [
        (
            "es",
            [
                "aprobó Second",
                "Remesas puestas en revisión",
                "Supera una regla de límites",
                "Antes",
            ],
        ),
        (
            "en",
            [
                "approved by Second",
                "Remittances put in review",
                "Beyond a limit rule",
                "Before",
            ],
        ),
    ] {
        let path = format!("/customer/{}/dossiers/{position}?format=pdf", case.recipient);
        let call = Call::new("GET", &path)
            .token(&case.business.manager)
            .header("Accept-Language", language);
        let printed = pages(&case.business.client.send(call).bytes);
        let flat = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        let close = flat.replace(' ', "");
        for words in said.into_iter().chain([
            "PEDIDO-1",
            "PEDIDO-2",
            "7001",
            "+5351111111",
            "+5352222222",
            "Calle 100",
        ]) {
            assert!(close.contains(&words.replace(' ', "")), "{language} {words}: {printed}");
        }
        for number in CARDS {
            assert!(
                !close.contains(number) && !dossier.to_string().contains(number),
                "{language} {number}"
            );
        }
    }
}

#[test]
fn the_dossier_of_the_other_customer_names_who_held_the_remittance_and_nothing_else_of_that_person() {
    let server = Server::start(&["acme"]);
    let case = Case::open(&server);
    case.run();
    let dossier = case.dossier(&case.business.sender);
    let hold = of(&dossier["holds"], "reference", "PEDIDO-1");
    assert_eq!(hold["likeness"]["customer"]["name"], "Evaristo Zaldivar Quesada");
    assert_eq!(hold["likeness"]["entries"], Value::Null);
    assert_eq!(hold["reviews"][0]["approval"]["by"]["name"], "Second");
    for theirs in ["7001", "84021312345", "+5352222222", CARDS[0], "ZALDÍVAR"] {
        assert!(!dossier.to_string().contains(theirs), "{theirs}: {dossier:#}");
    }
    let proposals = dossier["proposals"].as_array().unwrap();
    assert!(!proposals.is_empty());
    assert!(
        proposals.iter().all(|of| of["remittance"]["id"].is_string()),
        "about the remittances alone"
    );
}
