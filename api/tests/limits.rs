//! Limits: rules, what sellers and managers see of them, and that no call goes around them.

use crate::support::{Business, Call, PASSWORD, Process, Server, create_tenant, text};
use caudal_postgres_testing::TestDatabase;
use chrono::{Duration, Utc};
use serde_json::{Value, json};

const CARD: &str = "80010112345";

/// The business with a second agency, and a sender with one document at each.
struct Shops {
    business: Business,
    other_token: String,
    other_pair: (String, String),
}

fn sender(business: &Business, token: &str, document: Value) -> (String, String) {
    let mut body = json!({"name": "Ana", "lastName": "Ruiz", "customerType": 0});
    if let (Some(body), Value::Object(document)) = (body.as_object_mut(), document) {
        body.extend(document);
    }
    let add = |body: Value| text(&business.client.expect(201, token, "POST", "/customer", Some(body))["id"]);
    let sender = add(body);
    let recipient = add(
        json!({"name": "Berta", "customerType": 1, "senderId": sender, "addressLine": "Calle 23",
        "provinceId": business.province, "municipalityId": business.municipality}),
    );
    (sender, recipient)
}

fn card() -> Value {
    json!({"personalIdentificationNumber": CARD, "personalIdentificationType": 0})
}

impl Shops {
    fn open(server: &Server, tenant: &str) -> Self {
        Self::of(Business::new(server, tenant))
    }

    fn of(mut business: Business) -> Self {
        business.fund("900000");
        let other = json!({"name": "Other", "email": "other@example.test", "password": PASSWORD,
            "paymentGroups": [{"paymentGroupId": business.cup, "agencyCommission": {"rate": "1"}}]});
        let other = text(&business.as_manager(201, "POST", "/agency", other)["id"]);
        let path = format!("/sources/deposit/agency/{other}");
        let deposit = json!({"paymentGroupId": business.cup, "amount": "900000"});
        business.as_manager(201, "POST", &path, deposit);
        let other_token = business.client.login("other@example.test", PASSWORD);
        (business.sender, business.recipient) = sender(&business, &business.agency_token, card());
        let other_pair = sender(&business, &other_token, card());
        Self {
            business,
            other_token,
            other_pair,
        }
    }

    fn rule(&self, rule: Value) -> String {
        text(&self.business.as_manager(201, "POST", "/limit-rules", rule)["id"])
    }

    fn other_sale(&self, amount: &str) -> Value {
        let mut sale = self.business.sale(amount);
        sale["senderId"] = json!(self.other_pair.0);
        sale["recipientId"] = json!(self.other_pair.1);
        sale
    }

    fn sell(&self, status: u16, sale: Value) -> Value {
        self.business.as_agency(status, "POST", "/remittances", sale)
    }

    fn read(&self, path: &str) -> Value {
        self.business
            .client
            .expect(200, &self.business.manager, "GET", path, None)
    }
}

/// A replay of the log gives the rows that are shown, and the chain is whole.
fn verify(business: &Business) {
    let call = Call::new("POST", "/audit/verification").token(&business.manager);
    let mut last = business.client.send(call).body;
    for _ in 0..600 {
        if !last["outcome"].is_null() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
        last = business
            .client
            .expect(200, &business.manager, "GET", "/audit/verification", None);
    }
    assert_eq!(
        (&last["outcome"], &last["findings"]),
        (&json!("whole"), &json!([])),
        "{last}"
    );
}

fn refuse(amount: &str) -> Value {
    json!({"side": "sender", "window": "days30", "amount": amount, "outcome": "refuse"})
}

#[test]
fn rules_are_added_changed_previewed_and_removed_by_managers() {
    let server = Server::start(&["rules"]);
    let shops = Shops::open(&server, "rules");
    let business = &shops.business;
    let rule = json!({"side": "recipient", "window": "days7", "groups": [business.cup], "amount": "1000", "count": 4,
        "outcome": "needs", "needs": ["document", "purpose"]});
    let preview = Call::new("POST", "/limit-rules?preview=true").token(&business.manager);
    assert_eq!(business.client.send(preview.json(&rule)).status, 200);
    assert_eq!(
        shops.read("/limit-rules")["results"],
        json!([]),
        "a preview stores nothing"
    );
    let id = shops.rule(rule);
    let listed = shops.read("/limit-rules")["results"][0].clone();
    let expected = json!({"id": id, "side": "recipient", "window": "days7", "groups": [business.cup], "amount": "1000.00",
        "count": 4, "outcome": "needs", "needs": ["document", "purpose"]});
    assert_eq!(listed, expected);
    let path = format!("/limit-rules/{id}");
    let changed = business.as_manager(200, "PUT", &path, refuse("50"));
    assert_eq!(changed["groups"], json!([]));
    let wrong = json!({"side": "somebody", "window": "sale", "count": 2, "outcome": "needs", "amount": "x"});
    let wrong = business.as_manager(422, "POST", "/limit-rules", wrong);
    let fields: Vec<_> = wrong["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["field"])
        .collect();
    assert_eq!(fields, ["side", "amount"]);
    let wrong = json!({"side": "sender", "window": "sale", "count": 2, "outcome": "refuse"});
    let wrong = business.as_manager(422, "POST", "/limit-rules", wrong);
    assert_eq!(wrong["errors"][0]["code"], "count_of_one_sale");
    business.as_agency(403, "GET", "/limit-rules", json!({}));
    business.as_agency(403, "POST", "/limit-rules", refuse("50"));
    business.as_manager(204, "DELETE", &path, json!({}));
    business.as_manager(404, "PUT", &path, refuse("50"));
    business.as_manager(404, "DELETE", &path, json!({}));
}

#[test]
fn two_agencies_share_the_limit_of_one_person_also_at_once() {
    let server = Server::start(&["once"]);
    let shops = Shops::open(&server, "once");
    let business = &shops.business;
    // What was sold before the rule counts; the first sales under it find that the customers are one person.
    shops.sell(201, business.sale("10"));
    shops.rule(refuse("50"));
    let client = &business.client;
    let codes: Vec<(u16, String)> = std::thread::scope(|scope| {
        let sales: Vec<_> = (0..12)
            .map(|at| {
                let (token, sale) = match at % 2 {
                    0 => (&business.agency_token, business.sale("10")),
                    _ => (&shops.other_token, shops.other_sale("10")),
                };
                scope.spawn(move || {
                    let answer = client.send(Call::new("POST", "/remittances").token(token).json(&sale));
                    (
                        answer.status,
                        answer.body["code"].as_str().unwrap_or_default().to_owned(),
                    )
                })
            })
            .collect();
        sales.into_iter().map(|sale| sale.join().unwrap()).collect()
    });
    let sold = codes.iter().filter(|(status, _)| *status == 201).count();
    assert_eq!(sold, 4, "{codes:?}");
    let refused = codes.iter().filter(|(status, _)| *status != 201);
    for (status, code) in refused {
        assert_eq!((*status, code.as_str()), (409, "sale_beyond_limits"));
    }
    // A preview and the sale say the same, and nothing of what is left.
    let preview = Call::new("POST", "/remittances?preview=true").token(&shops.other_token);
    let preview = client.send(preview.json(&shops.other_sale("0.01")));
    let sale = client.expect(
        409,
        &shops.other_token,
        "POST",
        "/remittances",
        Some(shops.other_sale("0.01")),
    );
    assert_eq!((preview.status, &preview.body["code"]), (409, &sale["code"]));
    assert_eq!(preview.body["detail"], sale["detail"]);
    assert!(!sale.to_string().contains("50"), "{sale}");
}

/// The node sold when there were no rules, and does not ask the database for them before a sale.
#[test]
fn a_rule_made_at_one_node_counts_for_the_next_sale_at_another() {
    const TENANT: &str = "elsewhere";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let serve = || Process::serve(database.url(), folder.path());
    let (here, there) = (serve(), serve());
    let shops = Shops::of(Business::set_up(here.client(TENANT)));
    let business = &shops.business;
    let sell_there = |path: &str, amount: &str| {
        let call = Call::new("POST", path).token(&business.agency_token);
        there.client(TENANT).send(call.json(&business.sale(amount)))
    };
    assert_eq!(sell_there("/remittances", "5").status, 201);
    shops.rule(refuse("50"));
    // The same person by another name of record: known by the document alone.
    let sale = Some(shops.other_sale("40"));
    let other_token = &shops.other_token;
    business.client.expect(201, other_token, "POST", "/remittances", sale);
    for path in ["/remittances?preview=true", "/remittances"] {
        let refused = sell_there(path, "20");
        assert_eq!(
            (refused.status, refused.body["code"].as_str()),
            (409, Some("sale_beyond_limits")),
            "{path}: {}",
            refused.body
        );
    }
    assert_eq!(sell_there("/remittances", "5").status, 201);
}

fn passport(country: Option<&str>) -> Value {
    json!({"personalIdentificationNumber": "X123456", "personalIdentificationType": 1,
        "personalIdentificationCountry": country})
}

#[test]
fn a_passport_is_of_its_country_for_limits_reports_dossiers_and_files() {
    let server = Server::start(&["countries"]);
    let shops = Shops::open(&server, "countries");
    let business = &shops.business;
    shops.rule(refuse("50"));
    let spanish = sender(business, &business.agency_token, passport(Some("ES")));
    let italian = sender(business, &shops.other_token, passport(Some("it")));
    let same = sender(business, &shops.other_token, passport(Some("ES")));
    let sale = |(sender, recipient): &(String, String), amount: &str| {
        let mut sale = business.sale(amount);
        sale["senderId"] = json!(sender);
        sale["recipientId"] = json!(recipient);
        sale
    };
    let elsewhere = |status: u16, sale: Value| {
        let client = &business.client;
        client.expect(status, &shops.other_token, "POST", "/remittances", Some(sale))
    };
    shops.sell(201, sale(&spanish, "40"));
    elsewhere(201, sale(&italian, "50"));
    let refused = elsewhere(409, sale(&same, "10.01"));
    assert_eq!(refused["code"], "sale_beyond_limits");
    elsewhere(201, sale(&same, "5"));
    let read = shops.read(&format!("/customer/{}/details", italian.0));
    assert_eq!(read["personalIdentificationCountry"], "IT");
    // The report of large sums adds up the same people, and so does the dossier.
    let lines = shops.read("/reports/large_sums?side=sender&sort=-amount");
    let sums: Vec<_> = lines["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| text(&line["amount"]))
        .collect();
    assert_eq!(sums, ["50.00", "45.00"], "{lines}");
    let path = format!("/customer/{}/dossiers", spanish.0);
    let position = business.client.expect(201, &business.manager, "POST", &path, None)["position"].clone();
    let dossier = shops.read(&format!("{path}/{position}"));
    assert_eq!(dossier["dossier"]["versions"][0]["person"]["documentCountry"], "ES");
    let customers = dossier["dossier"]["sums"]["customers"].as_array().unwrap().clone();
    let ids: Vec<_> = customers.iter().map(|of| text(&of["customer"]["id"])).collect();
    assert_eq!(ids, [spanish.0.as_str(), same.0.as_str()]);
    // Files and sorts have the column.
    let call = Call::new("GET", "/customer/sender?format=csv&sort=personalIdentificationCountry");
    let csv = business.client.send(call.token(&business.manager));
    let csv = String::from_utf8(csv.bytes).unwrap();
    assert!(csv.contains("Country of the document") && csv.contains(",IT,"), "{csv}");
}

#[test]
fn a_number_with_separators_is_the_same_document_for_limits_reports_and_dossiers() {
    let server = Server::start(&["separators"]);
    let shops = Shops::open(&server, "separators");
    let business = &shops.business;
    shops.rule(refuse("50"));
    let licence = |number: &str| json!({"personalIdentificationNumber": number, "personalIdentificationType": 5});
    let here = sender(business, &business.agency_token, licence("D123-456-78"));
    let there = sender(business, &shops.other_token, licence("d12345678"));
    let sale = |(sender, recipient): &(String, String), amount: &str| {
        let mut sale = business.sale(amount);
        sale["senderId"] = json!(sender);
        sale["recipientId"] = json!(recipient);
        sale
    };
    let elsewhere = |status: u16, sale: Value| {
        let client = &business.client;
        client.expect(status, &shops.other_token, "POST", "/remittances", Some(sale))
    };
    shops.sell(201, sale(&here, "30"));
    elsewhere(201, sale(&there, "20"));
    assert_eq!(elsewhere(409, sale(&there, "0.01"))["code"], "sale_beyond_limits");
    let lines = shops.read("/reports/large_sums?side=sender");
    let lines = lines["data"].as_array().unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(
        (&lines[0]["remittances"], &lines[0]["amount"]),
        (&json!(2), &json!("50.00"))
    );
    let path = format!("/customer/{}/dossiers", here.0);
    let position = business.client.expect(201, &business.manager, "POST", &path, None)["position"].clone();
    let sums = shops.read(&format!("{path}/{position}"))["dossier"]["sums"].clone();
    assert_eq!(sums["customers"].as_array().unwrap().len(), 2, "{sums}");
    assert_eq!(sums["windows"][0]["amount"], "50.00");
    // A card without its type, written in three ways.
    let card = |number: &str| json!({"personalIdentificationNumber": number});
    let plain = sender(business, &business.agency_token, card("85010112345"));
    shops.sell(201, sale(&plain, "50"));
    for written in ["850101.12345", "850101/1234*5"] {
        let same = sender(business, &shops.other_token, card(written));
        assert_eq!(
            elsewhere(409, sale(&same, "0.01"))["code"],
            "sale_beyond_limits",
            "{written}"
        );
    }
}

#[test]
fn a_country_is_one_that_there_is_and_that_issues_such_documents() {
    let server = Server::start(&["wrong"]);
    let business = Business::new(&server, "wrong");
    let refused = |document: Value| {
        let mut body = json!({"name": "Ana", "customerType": 0});
        body.as_object_mut()
            .unwrap()
            .extend(document.as_object().unwrap().clone());
        let refused = business.as_agency(422, "POST", "/customer", body);
        let error = refused["errors"][0].clone();
        assert_eq!(error["field"], "personalIdentificationCountry");
        text(&error["code"])
    };
    assert_eq!(refused(passport(Some("ZZ"))), "country_unknown");
    assert_eq!(refused(passport(Some("España"))), "country_unknown");
    let mut of_spain = card();
    of_spain["personalIdentificationCountry"] = json!("ES");
    assert_eq!(refused(of_spain), "document_of_another_country");
    let mut of_cuba = card();
    of_cuba["personalIdentificationCountry"] = json!("CU");
    of_cuba["name"] = json!("Ana");
    of_cuba["customerType"] = json!(0);
    business.as_agency(201, "POST", "/customer", of_cuba);
}

#[test]
fn a_sale_tells_what_it_needs_and_is_sold_with_it() {
    let server = Server::start(&["needs"]);
    let shops = Shops::open(&server, "needs");
    let business = &shops.business;
    shops.rule(
        json!({"side": "sender", "window": "days30", "amount": "20", "outcome": "needs",
        "needs": ["document", "purpose", "source_of_funds"]}),
    );
    shops.sell(201, business.sale("20"));
    let mut expired = card();
    expired["name"] = json!("Ana");
    expired["customerType"] = json!(0);
    expired["personalIdentificationExpirationDate"] = json!("2020-01-31");
    let path = format!("/customer/{}", business.sender);
    business.as_agency(200, "PUT", &path, expired);
    let lacking = shops.sell(422, business.sale("5"));
    let told: Vec<_> = lacking["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (error["field"].as_str().unwrap(), error["code"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("senderId", "needs_document"),
            ("purpose", "needs_purpose"),
            ("sourceOfFunds", "needs_source_of_funds")
        ]
    );
    let mut valid = card();
    valid["name"] = json!("Ana");
    valid["customerType"] = json!(0);
    valid["personalIdentificationExpirationDate"] = json!("2999-12-31");
    business.as_agency(200, "PUT", &path, valid);
    let mut sale = business.sale("5");
    sale["purpose"] = json!("Ayuda familiar");
    sale["sourceOfFunds"] = json!("Salario");
    let sold = text(&shops.sell(201, sale)["id"]);
    let history = shops.read(&format!("/remittances/{sold}/history"));
    let declared = history["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["change"] == "declared");
    assert_eq!(declared.unwrap()["reason"], "Ayuda familiar · Salario");
    verify(business);
}

#[test]
fn an_edit_of_the_amount_is_in_review_where_a_sale_of_it_would_ask_for_a_document() {
    let server = Server::start(&["edits"]);
    let shops = Shops::open(&server, "edits");
    let business = &shops.business;
    shops.rule(json!({"side": "sender", "window": "sale", "amount": "20", "outcome": "needs", "needs": ["document"]}));
    let dated = |until: &str| {
        let mut dated = card();
        dated["name"] = json!("Ana");
        dated["customerType"] = json!(0);
        dated["personalIdentificationExpirationDate"] = json!(until);
        business.as_agency(200, "PUT", &format!("/customer/{}", business.sender), dated);
    };
    for (until, held) in [("2020-01-31", true), ("2999-12-31", false)] {
        let id = text(&shops.sell(201, business.sale("10"))["id"]);
        dated(until);
        let edit = json!({"amount": "21", "paymentGroupId": business.cup});
        let edited = business.as_agency(200, "PUT", &format!("/remittances/{id}"), edit);
        assert_eq!(edited["held"], held, "{until}: {edited}");
        let warned = edited["warnings"][0]["code"] == "remittance_in_review";
        assert_eq!(warned, held, "{until}: {edited}");
    }
    verify(business);
}

#[test]
fn what_a_rule_holds_is_in_review_until_a_manager_releases_it() {
    let server = Server::start(&["holds"]);
    let shops = Shops::open(&server, "holds");
    let business = &shops.business;
    let rule = shops.rule(json!({"side": "sender", "window": "day", "count": 1, "outcome": "hold"}));
    let first = text(&shops.sell(201, business.sale("5"))["id"]);
    let held = shops.sell(201, business.sale("5"));
    let id = text(&held["id"]);
    let seen = business
        .client
        .expect(200, &business.agency_token, "GET", &format!("/remittances/{id}"), None);
    assert_eq!(seen["held"], true);
    assert!(!seen.to_string().contains(&rule), "sellers do not learn which rule");
    let holds = format!("/remittances/{id}/holds");
    business.as_agency(403, "GET", &holds, json!({}));
    let listed = shops.read(&holds)["results"][0].clone();
    assert_eq!(
        (&listed["reason"], &listed["reference"]),
        (&json!("limit_rule"), &json!(rule))
    );
    assert_eq!(listed["released"], Value::Null);
    assert_eq!(shops.read(&format!("/remittances/{first}/holds"))["results"], json!([]));
    let assign = json!({"dealerId": business.dealer});
    let path = format!("/remittances/{id}/assign/dealer");
    let refused = business.as_manager(409, "PUT", &path, assign.clone());
    assert_eq!(refused["code"], "remittance_is_held");

    let review = format!("{holds}/1/review");
    let keep = json!({"outcome": "keep", "reason": "Falta el contrato"});
    let kept = business.as_manager(200, "POST", &review, keep);
    assert_eq!(kept["results"][0]["review"], "Falta el contrato");
    business.as_agency(403, "POST", &review, json!({"outcome": "release", "reason": "Soy yo"}));
    business.as_manager(422, "POST", &review, json!({"outcome": "release"}));
    let release = json!({"outcome": "release", "reason": "La conocemos"});
    let released = business.as_manager(200, "POST", &review, release.clone());
    assert_ne!(released["results"][0]["released"], Value::Null);
    business.as_manager(409, "POST", &review, release);
    business.as_manager(200, "PUT", &path, assign);
    let told = |token: &str| -> Vec<(Value, Value, Value)> {
        let history = format!("/remittances/{id}/history?RecordsPerPage=0");
        let history = business.client.expect(200, token, "GET", &history, None);
        let of_review = ["held", "holdKept", "holdReleased"];
        let rows = history["data"].as_array().unwrap().iter();
        rows.filter(|row| of_review.contains(&text(&row["change"]).as_str()))
            .map(|row| (row["change"].clone(), row["holdReason"].clone(), row["reason"].clone()))
            .collect()
    };
    let (none, of) = (Value::Null, |name: &str| json!(name));
    assert_eq!(
        told(&business.manager),
        [
            (of("held"), of("limit_rule"), none.clone()),
            (of("holdKept"), none.clone(), of("Falta el contrato")),
            (of("holdReleased"), none.clone(), of("La conocemos")),
        ]
    );
    assert_eq!(
        told(&business.agency_token),
        ["held", "holdKept", "holdReleased"].map(|change| (of(change), none.clone(), none.clone())),
        "a seller learns no reason"
    );
    verify(business);
}

#[test]
fn an_edit_and_a_key_do_not_go_around_a_limit() {
    let server = Server::start(&["around"]);
    let shops = Shops::open(&server, "around");
    let business = &shops.business;
    shops.rule(refuse("50"));
    let sold = text(&shops.sell(201, business.sale("40"))["id"]);
    let path = format!("/remittances/{sold}");
    let edit = json!({"amount": "50.01", "paymentGroupId": business.cup});
    let refused = business
        .client
        .send(Call::new("PUT", &path).token(&business.agency_token).json(&edit));
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (409, &json!("sale_beyond_limits")),
        "{}",
        refused.body
    );
    let expires = (Utc::now() + Duration::days(90)).to_rfc3339();
    let key = json!({"name": "Shop", "scopes": ["remittances:write"], "expiresAt": expires});
    let key = business.as_agency(201, "POST", "/keys", key);
    let secret = text(&key["secret"]);
    let by_key = business.client.send(
        Call::new("POST", "/remittances")
            .token(&secret)
            .json(&business.sale("10.01")),
    );
    assert_eq!(
        (by_key.status, &by_key.body["code"]),
        (409, &json!("sale_beyond_limits")),
        "{}",
        by_key.body
    );
}

#[test]
fn the_report_says_of_each_rule_how_its_holds_were_decided_and_every_hold_is_in_one_column() {
    let server = Server::start(&["decided"]);
    let shops = Shops::open(&server, "decided");
    let business = &shops.business;
    let report = |query: &str| {
        let report = shops.read(&format!("/reports/holds?sort=held{query}"));
        (report["data"].as_array().unwrap().clone(), report["totals"][0].clone())
    };
    assert_eq!(report("").0, Vec::<Value>::new());
    let counts = shops.rule(json!({"side": "sender", "window": "day", "count": 1, "outcome": "hold"}));
    shops.sell(201, business.sale("5"));
    let held: Vec<String> = (0..4)
        .map(|_| text(&shops.sell(201, business.sale("5"))["id"]))
        .collect();
    let sums =
        json!({"side": "recipient", "window": "days30", "amount": "25", "groups": [business.cup], "outcome": "hold"});
    let sums = shops.rule(sums);
    shops.sell(201, business.sale("7.50"));
    let review = |id: &str, outcome: &str| {
        let body = json!({"outcome": outcome, "reason": "La conocemos"});
        business.as_manager(200, "POST", &format!("/remittances/{id}/holds/1/review"), body);
    };
    review(&held[0], "release");
    review(&held[1], "keep");
    review(&held[1], "release");
    review(&held[2], "keep");
    let reason = json!({"reason": "No se aclaró"});
    business.as_manager(200, "POST", &format!("/remittances/{}/cancel", held[2]), reason);
    let (lines, totals) = report("");
    let expected = [
        json!({"reason": "limit_rule", "ruleId": sums, "side": "recipient", "window": "days30", "limitAmount": "25.00",
            "limitCount": null, "held": 1, "released": 0, "kept": 0, "canceled": 0, "deliveredWhileHeld": 0, "open": 1,
            "hours": null, "amount": "7.50"}),
        json!({"reason": "limit_rule", "ruleId": counts, "side": "sender", "window": "day", "limitAmount": null,
            "limitCount": 1, "held": 5, "released": 2, "kept": 1, "canceled": 1, "deliveredWhileHeld": 0, "open": 2,
            "hours": "0.0", "amount": "27.50"}),
    ];
    assert_eq!(lines.len(), 2, "{lines:?}");
    for (line, expected) in lines.iter().zip(&expected) {
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(&line[field], value, "{field} of {line}");
        }
        let count = |field: &str| line[field].as_i64().unwrap();
        let ends = ["released", "canceled", "deliveredWhileHeld", "open"];
        assert_eq!(ends.into_iter().map(count).sum::<i64>(), count("held"));
    }
    assert!(lines[0]["paymentGroups"].is_string());
    assert_eq!(totals["held"], 6);
    let (of_rule, _) = report(&format!("&ruleId={counts}&reason=limit_rule"));
    assert_eq!(of_rule.len(), 1);
    assert_eq!(report("&reason=screening").0.len(), 0);
    assert_eq!(report("&releasedFrom=20200101").1["held"], 2);
    // What a removed rule held is still described.
    business.as_manager(204, "DELETE", &format!("/limit-rules/{sums}"), json!({}));
    assert_eq!(report("").0[0]["window"], "days30");
    let file = Call::new("GET", "/reports/holds?format=csv").token(&business.manager);
    let file = business.client.send(file);
    let content = String::from_utf8(file.bytes.clone()).unwrap();
    assert!(
        file.status == 200 && content.contains("Beyond a limit rule,Issuer,1 day"),
        "{content}"
    );
    business.as_agency(403, "GET", "/reports/holds", json!({}));
    verify(business);
}
