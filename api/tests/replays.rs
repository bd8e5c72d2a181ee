//! An idempotency key repeats its answer, even after the row has left the caller's scope.

use crate::support::{self, Answer, Business, Call, PASSWORD, Server, text};
use caudal_api::policy::{self, Access, TABLE};
use serde_json::{Value, json};
use std::collections::BTreeSet;

struct Round {
    business: Business,
    man: String,
    man_token: String,
    other: String,
    id: String,
}

/// A remittance with a dealer's delivery man, and a second dealer.
fn round(server: &Server, tenant: &str) -> Round {
    let business = Business::new(server, tenant);
    business.fund("100000.00");
    let man = json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer});
    let man = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
    let other = json!({"name": "Other", "email": "other@example.test", "password": PASSWORD, "handleMLC": true,
                       "provinceId": business.province, "zones": [business.municipality]});
    let other = text(&business.as_manager(201, "POST", "/dealer", other)["id"]);
    let id = text(&business.as_agency(201, "POST", "/remittances", business.sale("10"))["id"]);
    let round = Round {
        man_token: business.client.login("man@example.test", PASSWORD),
        business,
        man,
        other,
        id,
    };
    round.assign(json!({"dealerId": round.business.dealer, "deliveryManId": round.man}));
    round
}

impl Round {
    fn assign(&self, to: Value) {
        let path = format!("/remittances/{}/assign/dealer", self.id);
        self.business.as_manager(200, "PUT", &path, to);
    }

    fn send(&self, call: Call) -> Answer {
        self.business.client.send(call.token(&self.man_token))
    }

    fn sees_it(&self) -> bool {
        self.send(Call::new("GET", &format!("/remittances/{}", self.id))).status == 200
    }
}

#[test]
fn a_repeated_error_report_keeps_its_answer_after_a_reassignment_to_another_dealer() {
    let server = Server::start(&["errors"]);
    let round = round(&server, "errors");
    let report = || {
        let call = Call::new("PUT", &format!("/remittances/{}/error", round.id)).key("report");
        round.send(call.json(&json!({"reason": "nobody at home"})))
    };
    let first = report();
    assert_eq!(first.status, 200);
    round.assign(json!({"dealerId": round.other}));
    assert!(!round.sees_it(), "it is another dealer's now");
    let again = report();
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(
        (again.status, &again.bytes),
        (200, &first.bytes),
        "what was answered then, and nothing of what became of it"
    );
    let fresh = Call::new("PUT", &format!("/remittances/{}/error", round.id)).key("another");
    assert_eq!(round.send(fresh.json(&json!({"reason": "nobody at home"}))).status, 404);
}

#[test]
fn a_repeated_delivery_replays_its_answer_and_a_new_one_out_of_scope_is_not_found() {
    let server = Server::start(&["deliveries"]);
    let round = round(&server, "deliveries");
    let picture = support::picture("proof");
    let complete = |key: &str| {
        let call = Call::new("POST", &format!("/remittances/{}/complete", round.id)).key(key);
        round.send(call.multipart([
            ("identificationDocument", "id.png", picture.as_slice()),
            ("firmPicture", "firm.png", picture.as_slice()),
        ]))
    };
    let first = complete("delivery");
    assert_eq!(first.status, 200, "{}", first.body);
    let again = complete("delivery");
    assert_eq!((again.status, &again.body["id"]), (200, &json!(round.id)));
    assert_eq!(again.header("idempotency-replayed"), "true");

    let second = text(
        &round
            .business
            .as_agency(201, "POST", "/remittances", round.business.sale("5"))["id"],
    );
    let round = Round { id: second, ..round };
    let call = Call::new("POST", &format!("/remittances/{}/complete", round.id)).key("theirs");
    let theirs = round.send(call.multipart([
        ("identificationDocument", "id.png", picture.as_slice()),
        ("firmPicture", "firm.png", picture.as_slice()),
    ]));
    assert_eq!((theirs.status, theirs.code()), (404, "remittance_not_found"));
}

/// Writes that are no commands and have no idempotency record.
const WITHOUT_A_RECORD: &[&str] = &[
    "/api/users/change_password/{email}",
    "/api/sessions",
    // They need a provider, or are no command: tests/sign_on.rs.
    "/api/settings/sign_on",
    "/api/users/{id}/sign_on",
    // Its answer has a token, and the other ends it: tests/viewing.rs.
    "/api/users/{id}/viewing",
    "/api/viewing",
    "/api/sessions/{id}",
    "/api/files/uploadfile",
    // The same content has the same answer: tests/reviews.rs.
    "/api/remittances/{id}/holds/files",
    "/api/screening/cases/{id}/files",
    // The same: tests/document_pictures.rs.
    "/api/customer/{id}/document/files",
    // They are no commands, and natural repetitions: tests/imports.rs.
    "/api/imports",
    "/api/imports/{id}/mapping",
    "/api/imports/{id}/proofs",
    "/api/imports/{id}/preview",
    "/api/imports/{id}/rows/{number}",
    "/api/imports/{id}/start",
    "/api/imports/{id}/pause",
    "/api/imports/{id}/resume",
    "/api/imports/{id}/cancel",
    "/api/remittances/dealer",
    "/api/dashboard/agency/report",
    "/api/dashboard/agent/report",
    "/api/audit/verification",
    "/api/screening/own-lists/check",
    "/api/audit/checkpoints",
    // Their answers have a secret once: tests/api_keys.rs repeats them.
    "/api/keys",
    "/api/keys/{id}/rotate",
    // Their answers have a secret too, and the last is no command: tests/webhooks.rs.
    "/api/webhooks",
    "/api/webhooks/{id}/rotate",
    "/api/webhooks/{id}/deliveries/{number}/send",
    // Their answers have secrets, or use up a code: tests/second_factor.rs repeats those that are commands.
    "/api/second_factor/enrolments",
    "/api/second_factor/enrolments/{id}/confirm",
    "/api/second_factor/code",
    "/api/second_factor/recovery_codes",
    "/api/second_factor/remove",
    // Answers of passkeys: tests/passkeys.rs.
    "/api/second_factor/passkey",
    "/api/second_factor/passkey/finish",
    "/api/second_factor/passkeys",
    "/api/second_factor/passkeys/finish",
    "/api/second_factor/passkeys/{id}",
    "/api/users/{id}/second_factor",
    "/api/settings/second_factor",
];

/// A completed write under an idempotency key, with its answer.
struct Write {
    method: &'static str,
    path: String,
    token: String,
    body: Body,
    answer: Answer,
}

/// The body of a write.
#[derive(Clone)]
enum Body {
    None,
    Json(Value),
    /// The proof of a delivery, and whether it may become a dispute.
    Proof {
        or_dispute: bool,
    },
    /// An own list for screening.
    List,
}

/// The completed writes, in order.
struct Writes {
    business: Business,
    picture: Vec<u8>,
    done: Vec<Write>,
}

impl Writes {
    fn send(&self, number: usize, write: (&str, &str, &str, &Body)) -> Answer {
        let (token, method, path, body) = write;
        let call = Call::new(method, path).token(token).key(&format!("write-{number}"));
        let call = match body {
            Body::None => call,
            Body::Json(body) => call.json(body),
            Body::Proof { or_dispute } => call.multipart([
                ("identificationDocument", "id.png", self.picture.as_slice()),
                ("firmPicture", "firm.png", self.picture.as_slice()),
                ("orDispute", "", if *or_dispute { b"true".as_slice() } else { b"false" }),
            ]),
            Body::List => call.multipart([
                ("name", "name", b"own".as_slice()),
                ("file", "own.csv", b"name\nZoraida Quesada\n"),
            ]),
        };
        self.business.client.send(call)
    }

    fn write(&mut self, token: &str, method: &'static str, path: &str, body: Body) -> Value {
        let answer = self.send(self.done.len(), (token, method, path, &body));
        assert!(
            (200..300).contains(&answer.status),
            "{method} {path}: {} {}",
            answer.status,
            answer.body
        );
        assert!(!answer.replayed, "{method} {path}");
        let told = answer.body.clone();
        self.done.push(Write {
            method,
            path: path.to_owned(),
            token: token.to_owned(),
            body,
            answer,
        });
        told
    }

    fn json(&mut self, token: &str, method: &'static str, path: &str, body: Value) -> Value {
        self.write(token, method, path, Body::Json(body))
    }

    /// Like [`Self::json`]; returns the id of the new record.
    fn made(&mut self, token: &str, path: &str, body: Value) -> String {
        text(&self.json(token, "POST", path, body)["id"])
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "every write of the contract, one after the other")]
fn every_repeated_write_gets_identical_bytes_after_later_changes() {
    let server = Server::start(&["every"]);
    let business = Business::new(&server, "every");
    let client = business.client.clone();
    let (manager, agency) = (business.manager.clone(), business.agency_token.clone());
    let (manager, agency) = (manager.as_str(), agency.as_str());
    let (cup, province, city) = (
        business.cup.clone(),
        business.province.clone(),
        business.municipality.clone(),
    );
    let (agency_id, dealer_id) = (business.agency.clone(), business.dealer.clone());
    let (sender, recipient) = (business.sender.clone(), business.recipient.clone());
    let dealer = client.login("dealer@example.test", PASSWORD);
    let person = |name: &str, more: Value| {
        let email = format!("{}@example.test", name.to_lowercase());
        let mut body = json!({"name": name, "email": email, "password": PASSWORD});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let picture = support::picture("every");
    let sale = |amount: &str| business.sale(amount);
    let sales = ["10", "11", "12", "13", "14", "15"].map(sale);
    let mut all = Writes {
        business,
        picture,
        done: Vec::new(),
    };

    // Reference data.
    let currency = json!({"code": "XTS", "symbol": "x", "exchangeRate": "0.9", "distributionRate": "0",
                          "accounted": true, "enabled": true});
    let currency = all.made(manager, "/nomenclators/currency", currency);
    let currency = format!("/nomenclators/currency/{currency}");
    all.json(
        manager,
        "PUT",
        &currency,
        json!({"exchangeRate": "0.8", "was": {"exchangeRate": "0.9"}}),
    );
    all.write(manager, "DELETE", &currency, Body::None);
    all.json(
        manager,
        "PUT",
        &format!("/nomenclators/province/{province}"),
        json!({"enabled": true}),
    );
    let fee = json!({"distributionFee": "1.00", "distributionFeeCurrency": "CUP"});
    all.json(manager, "PUT", &format!("/nomenclators/municipality/{city}"), fee);
    let group = |name: &str| json!({"name": name, "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}});
    let first = all.made(manager, "/nomenclators/payment_group", group("First"));
    let second = all.made(manager, "/nomenclators/payment_group", group("Second"));
    all.json(
        manager,
        "PUT",
        "/nomenclators/payment_group",
        json!({"id": first, "name": "Named", "was": {"name": "First"}}),
    );
    let path = format!("/nomenclators/payment_group/{second}");
    all.json(
        manager,
        "PUT",
        &path,
        json!({"exchangeRate": "321", "was": {"exchangeRate": "320"}}),
    );
    all.json(manager, "DELETE", "/nomenclators/payment_group", json!({"id": first}));
    all.write(manager, "DELETE", &path, Body::None);
    let rates = json!({"rates": [{"kind": "catalogue", "paymentGroupId": cup, "from": "320", "to": "330"}]});
    let change = all.made(manager, "/rates/changes", rates);
    all.write(manager, "POST", &format!("/rates/changes/{change}/undo"), Body::None);
    let in_a_week = (chrono::Utc::now() + chrono::Duration::days(7)).to_rfc3339();
    let key = json!({"name": "Shop", "scopes": ["remittances:read"], "expiresAt": in_a_week});
    let key = client.expect(201, agency, "POST", "/keys", Some(key));
    let revoke = format!("/keys/{}/revoke", text(&key["key"]["id"]));
    all.write(agency, "POST", &revoke, Body::None);
    let hook = json!({"name": "Shop", "url": "https://shop.example.org/"});
    let hook = client.expect(201, agency, "POST", "/webhooks", Some(hook));
    let hook = format!("/webhooks/{}", text(&hook["webhook"]["id"]));
    let changed = json!({"name": "Kiosk", "url": "https://kiosk.example.org/"});
    all.json(agency, "PUT", &hook, changed);
    all.write(agency, "POST", &format!("{hook}/pause"), Body::None);
    all.write(agency, "POST", &format!("{hook}/resume"), Body::None);
    all.json(agency, "POST", &format!("{hook}/replay"), json!({"after": 1}));
    all.write(agency, "DELETE", &hook, Body::None);

    // People.
    let user = all.made(manager, "/users", person("User", json!({})));
    all.json(
        manager,
        "PUT",
        &format!("/users/{user}"),
        json!({"name": "Renamed user", "was": {"name": "User"}}),
    );
    let set = all.made(
        manager,
        "/permission_sets",
        json!({"name": "Counter", "reads": [], "writes": ["sales"]}),
    );
    let sets = format!("/permission_sets/{set}");
    all.json(
        manager,
        "PUT",
        &sets,
        json!({"name": "Counter", "reads": ["rates"], "writes": ["sales"]}),
    );
    all.json(
        manager,
        "PUT",
        &format!("/users/{user}/access"),
        json!({"permissionSet": "auditor"}),
    );
    all.write(manager, "DELETE", &sets, Body::None);
    all.write(manager, "DELETE", &format!("/users/{user}"), Body::None);
    all.json(
        &dealer,
        "PUT",
        "/users/profile",
        json!({"name": "Own name", "was": {"name": "Dealer"}}),
    );
    let branch = all.made(
        manager,
        "/agency",
        person(
            "Branch",
            json!({"paymentGroups": [{"paymentGroupId": cup, "agencyCommission": {"rate": "1"}}]}),
        ),
    );
    all.json(
        manager,
        "PUT",
        "/agency",
        json!({"id": agency_id, "city": "Habana", "was": {}}),
    );
    all.write(manager, "PUT", &format!("/agency/{branch}"), Body::None);
    let terms = |rate: &str| json!({"paymentGroupId": cup, "exchangeRate": rate});
    all.json(
        manager,
        "PUT",
        &format!("/agency/exchange_rate/{agency_id}"),
        terms("319"),
    );
    let agent = person(
        "Agent",
        json!({"agentType": 1, "paymentGroups": [{"paymentGroupId": cup, "agentCommission": {"rate": "1"}}]}),
    );
    let agent = all.made(agency, "/agent", agent);
    all.json(
        agency,
        "PUT",
        &format!("/agent/{agent}"),
        json!({"name": "Renamed agent", "was": {"name": "Agent"}}),
    );
    all.json(agency, "PUT", &format!("/agent/exchange_rate/{agent}"), terms("318"));
    let zones = json!({"handleMLC": true, "provinceId": province, "zones": [city]});
    let other = all.made(manager, "/dealer", person("Other", zones));
    all.json(
        manager,
        "PUT",
        "/dealer",
        json!({"id": dealer_id, "license": "A1", "was": {}}),
    );
    all.json(
        manager,
        "PUT",
        &format!("/dealer/{dealer_id}"),
        json!({"license": "A2", "was": {"license": "A1"}}),
    );
    let man = all.made(&dealer, "/delivery_men", person("Man", json!({"dealerId": dealer_id})));
    all.json(
        &dealer,
        "PUT",
        &format!("/delivery_men/{man}"),
        json!({"name": "Renamed man", "was": {"name": "Man"}}),
    );
    let man_token = client.login("man@example.test", PASSWORD);
    all.made(agency, "/customer", json!({"name": "Luz", "customerType": 0}));
    all.json(
        agency,
        "PUT",
        &format!("/customer/{sender}"),
        json!({"lastName": "Mora", "was": {}}),
    );
    let document = format!("/customer/{sender}/document");
    let upload = Call::new("POST", &format!("{document}/files")).token(agency);
    let shown = client.send(upload.multipart([("file", "passport.png", support::picture("passport").as_slice())]));
    let shown = json!({"files": [shown.body["id"]]});
    all.json(agency, "PUT", &format!("{document}/pictures"), shown);
    let card =
        json!({"customerId": recipient, "brand": "bandec_mlc", "cardNumber": "9225061234567890", "currency": "MLC"});
    all.made(agency, "/customer/add_card", card);

    // Money.
    let funds = |amount: &str| json!({"paymentGroupId": cup, "amount": amount});
    let cash = |amount: &str| json!({"currency": "CUP", "amount": amount});
    all.json(manager, "POST", "/sources/deposit/manager", cash("90000"));
    all.json(
        manager,
        "POST",
        &format!("/sources/deposit/agency/{agency_id}"),
        funds("90000"),
    );
    all.json(
        agency,
        "POST",
        &format!("/sources/deposit/agent/{agent}"),
        funds("3000"),
    );
    let owed = json!({"paymentGroupId": cup, "amount": "3190", "onCredit": true});
    let owed = all.json(manager, "POST", &format!("/sources/deposit/{agency_id}"), owed);
    let debit = text(&owed["debitId"]);
    all.json(manager, "POST", "/sources/pay_debits", json!({"debitIds": [debit]}));
    all.json(
        manager,
        "POST",
        &format!("/sources/deposit/dealer/{dealer_id}"),
        cash("9000"),
    );
    all.json(
        &dealer,
        "POST",
        &format!("/sources/deposit/delivery/{man}"),
        cash("5000"),
    );
    let back = json!({"from": dealer_id, "toManager": true, "currency": "CUP", "amount": "10"});
    let back = all.made(&dealer, "/dealer/transfer", back);
    all.json(
        &dealer,
        "POST",
        &format!("/dealer/expenses/{man}"),
        json!({"currency": "CUP", "amount": "10", "concept": "Fuel"}),
    );
    all.json(
        manager,
        "POST",
        &format!("/sources/movements/{back}/reverse"),
        json!({"reason": "mistake"}),
    );

    all.json(manager, "POST", &format!("/customer/{sender}/dossiers"), json!({}));

    // Remittances.
    let sold = sales.map(|sale| all.made(agency, "/remittances", sale));
    let [completed, edited, failed, canceled, disputed, bulk] = sold;
    let path = |id: &str, act: &str| format!("/remittances/{id}{act}");
    all.json(
        agency,
        "PUT",
        &path(&edited, ""),
        json!({"amount": "20", "paymentGroupId": cup}),
    );
    all.json(
        agency,
        "PUT",
        &path(&edited, "").replace("/remittances", "/remittances/details"),
        json!({"notes": "Ring twice"}),
    );
    let reason = json!({"reason": "nobody there"});
    all.json(agency, "POST", &path(&canceled, "/cancel"), reason.clone());
    let to_man = json!({"dealerId": dealer_id, "deliveryManId": man});
    let several = json!({"remittanceIds": [bulk], "dealerId": dealer_id});
    all.json(manager, "PUT", "/remittances/assign/dealer", several);
    for id in [&completed, &failed, &disputed] {
        all.json(manager, "PUT", &path(id, "/assign/dealer"), to_man.clone());
    }
    all.json(
        &man_token,
        "POST",
        &path(&completed, "/attempts"),
        json!({"reason": "nobodyHome"}),
    );
    all.write(
        &man_token,
        "POST",
        &path(&completed, "/complete"),
        Body::Proof { or_dispute: false },
    );
    all.json(&man_token, "PUT", &path(&failed, "/error"), reason.clone());
    let elsewhere = json!({"dealerId": other});
    all.json(manager, "PUT", &path(&disputed, "/assign/dealer"), elsewhere.clone());
    all.write(
        &man_token,
        "POST",
        &path(&disputed, "/complete"),
        Body::Proof { or_dispute: true },
    );
    all.json(manager, "PUT", &path(&disputed, "/disputes/1"), reason.clone());
    let reviewed = text(
        &all.business
            .as_agency(201, "POST", "/remittances", all.business.sale("2"))["id"],
    );
    all.json(
        manager,
        "PUT",
        &path(&reviewed, "/assign/dealer"),
        json!({"dealerId": dealer_id}),
    );
    all.json(manager, "POST", &path(&reviewed, "/holds"), reason.clone());
    all.write(
        &dealer,
        "POST",
        &path(&reviewed, "/complete"),
        Body::Proof { or_dispute: true },
    );
    all.json(manager, "PUT", &path(&reviewed, "/breach"), reason.clone());
    all.json(manager, "POST", "/accounting/closures", json!({"partyId": agency_id}));

    all.json(manager, "PUT", "/settings/passwords", json!({"policy": "long"}));

    // Approvals.
    let rule = json!({"kind": "expense", "makers": ["dealer"], "approvers": "manager", "expiresAfterHours": 24});
    let made = all.made(manager, "/approval-rules", rule.clone());
    let rules = format!("/approval-rules/{made}");
    all.json(manager, "PUT", &rules, rule);
    let [approved, rejected, withdrawn] = ["1", "2", "3"].map(|amount| {
        let expense = json!({"currency": "CUP", "amount": amount, "concept": "Fuel"});
        let path = format!("/dealer/expenses/{man}");
        text(&all.json(&dealer, "POST", &path, expense)["id"])
    });
    all.json(manager, "POST", &format!("/proposals/{approved}/approve"), json!({}));
    all.json(
        manager,
        "POST",
        &format!("/proposals/{rejected}/reject"),
        reason.clone(),
    );
    all.write(&dealer, "POST", &format!("/proposals/{withdrawn}/withdraw"), Body::None);
    all.write(manager, "DELETE", &rules, Body::None);

    // Limits.
    let limit = json!({"side": "sender", "window": "sale", "amount": "1", "outcome": "hold"});
    let made = all.made(manager, "/limit-rules", limit.clone());
    let limits = format!("/limit-rules/{made}");
    all.json(manager, "PUT", &limits, limit);
    let held = text(
        &all.business
            .as_agency(201, "POST", "/remittances", all.business.sale("2"))["id"],
    );
    let review = json!({"outcome": "keep", "reason": "She brings the contract"});
    all.json(manager, "POST", &path(&held, "/holds/1/review"), review);
    all.write(manager, "DELETE", &limits, Body::None);

    // Screening.
    server.load_list("sample", "id;name\n1;Zoraida Quesada Valdivia\n");
    all.json(manager, "PUT", "/screening/lists", json!({"lists": {"sample": 90}}));
    let body = json!({"customerType": 0, "name": "Zoraida", "lastName": "Quesada", "secondSurname": "Valdivia"});
    let like = all.business.as_agency(201, "POST", "/customer", body);
    let decision = json!({"list": "sample", "entry": "1", "outcome": "different", "reason": "Another"});
    let path = format!("/screening/cases/{}/decisions", text(&like["id"]));
    all.json(manager, "POST", &path, decision);
    let body = json!({"customerType": 0, "name": "Zoraida", "lastName": "Quesada", "secondSurname": "Valdivia"});
    let like = all.business.as_agency(201, "POST", "/customer", body);
    let mut sale = all.business.sale("2");
    sale["senderId"] = like["id"].clone();
    sale["recipientId"] = {
        let mut recipient = json!({"customerType": 1, "name": "Rita", "addressLine": "Calle 23"});
        for (name, value) in [
            ("senderId", &like["id"]),
            ("provinceId", &json!(province)),
            ("municipalityId", &json!(city)),
        ] {
            recipient[name] = value.clone();
        }
        all.business.as_agency(201, "POST", "/customer", recipient)["id"].clone()
    };
    all.business.as_agency(201, "POST", "/remittances", sale);
    let corrected = json!({"customerType": 0, "name": "Zoraida", "lastName": "Ortega", "was": {}});
    let like = text(&like["id"]);
    all.business
        .as_agency(200, "PUT", &format!("/customer/{like}"), corrected);
    let path = format!("/screening/cases/{like}/release");
    all.json(manager, "POST", &path, json!({"reason": "The passport says Ortega"}));
    all.write(manager, "POST", "/screening/own-lists", Body::List);
    all.write(manager, "DELETE", "/screening/own-lists/own", Body::None);

    let written: BTreeSet<_> = all
        .done
        .iter()
        .map(|write| (write.method, policy::pattern(&format!("/api{}", write.path))))
        .collect();
    let contract: BTreeSet<_> = TABLE
        .iter()
        .filter(|row| row.method != "GET" && row.access != Access::Public && !WITHOUT_A_RECORD.contains(&row.path))
        .map(|row| (row.method, row.path))
        .collect();
    assert_eq!(
        contract.difference(&written).collect::<Vec<_>>(),
        Vec::<&(&str, &str)>::new(),
        "every one is tried"
    );

    // Every record has changed since its answer, and many are out of the caller's scope.
    let business = &all.business;
    let put = |path: String, body: Value| business.as_manager(200, "PUT", &path, body);
    put(
        "/agency".to_owned(),
        json!({"id": agency_id, "name": "Another agency", "was": {"name": "Agency"}}),
    );
    put(
        format!("/agent/{agent}"),
        json!({"name": "Another agent", "was": {"name": "Renamed agent"}}),
    );
    put(
        format!("/dealer/{dealer_id}"),
        json!({"name": "Another dealer", "was": {"name": "Own name"}}),
    );
    put(
        format!("/delivery_men/{man}"),
        json!({"name": "Another man", "was": {"name": "Renamed man"}}),
    );
    put(
        format!("/customer/{sender}"),
        json!({"name": "Another sender", "was": {"name": "Ana"}}),
    );
    put(
        format!("/customer/{recipient}"),
        json!({"name": "Another recipient", "was": {"name": "Ana's aunt"}}),
    );
    put(
        format!("/nomenclators/payment_group/{cup}"),
        json!({"name": "Another group", "was": {"name": "CUP home"}}),
    );
    put(
        format!("/nomenclators/municipality/{city}"),
        json!({"distributionFee": "2.00", "distributionFeeCurrency": "CUP"}),
    );
    put(format!("/agency/exchange_rate/{agency_id}"), terms("301"));
    for id in [&failed, &bulk] {
        put(format!("/remittances/{id}/assign/dealer"), elsewhere.clone());
    }
    business.as_manager(200, "POST", &format!("/remittances/{edited}/cancel"), reason);

    for (number, write) in all.done.iter().enumerate() {
        let again = all.send(number, (&write.token, write.method, &write.path, &write.body));
        let (first, what) = (&write.answer, format!("{} {}", write.method, write.path));
        assert_eq!(again.status, first.status, "{what}: {}", again.body);
        assert_eq!(
            String::from_utf8_lossy(&again.bytes),
            String::from_utf8_lossy(&first.bytes),
            "{what}"
        );
        assert!(
            again.replayed && !again.bytes.is_empty() || again.status == 204,
            "{what}"
        );
        assert_eq!(again.position, first.position, "{what}");
        assert_eq!(again.header("content-type"), first.header("content-type"), "{what}");
    }
}

#[test]
fn a_different_request_a_preview_or_another_caller_gets_no_stored_answer() {
    let server = Server::start(&["others"]);
    let business = Business::new(&server, "others");
    let path = "/agency";
    let call = |path: &str, token: &str, city: &str| {
        let call = Call::new("PUT", path).token(token).key("city");
        business
            .client
            .send(call.json(&json!({"id": business.agency, "city": city, "was": {}})))
    };
    let first = call(path, &business.manager, "Habana");
    assert_eq!(first.status, 200, "{}", first.body);
    let other = call(path, &business.manager, "Cerro");
    assert_eq!(
        (other.code(), other.replayed),
        ("idempotency_key_reused", false),
        "{}",
        other.body
    );
    assert_eq!(call(path, &business.agency_token, "Habana").status, 403);
    let change = json!({"id": business.agency, "city": "Cerro", "was": {"city": "Habana"}});
    business.as_manager(200, "PUT", path, change);
    let preview = call("/agency?preview=true", &business.manager, "Habana");
    assert_eq!(
        (&preview.body["transfers"], preview.replayed),
        (&json!([]), false),
        "{}",
        preview.body
    );
    assert_eq!(call(path, &business.manager, "Habana").bytes, first.bytes);
}
