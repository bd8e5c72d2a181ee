//! Rows of records that somebody changed in the database: dossiers, decisions about likenesses, times of payouts and public events
//! are those of the log.

use super::{change, recorded};
use crate::support::{Business, Call, PASSWORD, Server, feed_answer, picture, text, whole_feed};
use crate::webhooks::sell;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};

const TWO: &str = "id;name;aliases;document;born;countries\n\
                   7001;ZALDÍVAR QUESADA, Evaristo;;;1984;CU\n\
                   7002;ZALDÍVAR QUESADA, Evaristo;;;1951;CU\n";

/// Changes a row by a superuser whose statements no counter has: the node does not look at the log because of it.
fn change_quietly(server: &Server, statement: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let url = server.database_url().replace("caudal_owner@", "postgres@");
        let mut superuser = PgConnection::connect(&url).await.unwrap();
        superuser.execute("SET track_counts = off").await.unwrap();
        let changed = superuser.execute(statement).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{statement}");
    });
}

/// Changes the number of the only remittance that was sold, in its event.
fn change_the_sale_quietly(server: &Server) {
    change_quietly(
        server,
        "UPDATE journal.events SET payload = replace(payload::text, '\"code\":\"R-', '\"code\":\"X-')::json
          WHERE tenant = 'acme' AND event_type = 'RemittanceCreated'",
    );
}

fn dossier(business: &Business, customer: &str) -> String {
    let path = format!("/customer/{customer}/dossiers");
    let exported = business.client.expect(201, &business.manager, "POST", &path, None);
    format!("{path}/{}", exported["position"])
}

fn read(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

#[test]
fn a_dossier_is_the_same_whatever_the_read_models_hold() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let (other, _) = business.issuer_with_recipient("Otra");
    let sold = sell(&business);
    sell(&business);
    let path = dossier(&business, &business.sender);
    let before = read(&business, &path);
    assert_eq!(before["dossier"]["remittances"].as_array().unwrap().len(), 2);
    assert_eq!(before["dossier"]["recipients"].as_array().unwrap().len(), 1);
    for forged in [
        format!("UPDATE read.remittances SET sender = '{other}' WHERE tenant = 'acme' AND id = '{sold}'"),
        format!(
            "UPDATE read.customers SET sender = '{other}' WHERE tenant = 'acme' AND id = '{}'",
            business.recipient
        ),
        format!("DELETE FROM read.remittances WHERE tenant = 'acme' AND id = '{sold}'"),
    ] {
        change(&server, &forged);
        assert_eq!(read(&business, &path), before, "{forged}");
    }
    let of_other = read(&business, &dossier(&business, &other));
    assert_eq!(of_other["dossier"]["remittances"], json!([]), "{of_other}");
    assert_eq!(of_other["dossier"]["recipients"].as_array().unwrap().len(), 1);
}

#[test]
fn a_dossier_of_a_changed_event_is_not_signed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    sell(&business);
    let path = dossier(&business, &business.sender);
    read(&business, &path);
    change_the_sale_quietly(&server);
    let refused = business.client.send(Call::new("GET", &path).token(&business.manager));
    assert_eq!(
        (refused.status, refused.code()),
        (500, "record_not_authentic"),
        "{}",
        refused.body
    );
}

#[test]
fn an_export_names_as_one_person_who_has_the_document_by_the_log() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (other, _) = business.issuer_with_recipient("Otra");
    let person = |sender: &str, number: &str| {
        let body = json!({"name": "Berta", "customerType": 1, "senderId": sender, "addressLine": "Calle 23",
            "provinceId": business.province, "municipalityId": business.municipality,
            "personalIdentificationNumber": number, "personalIdentificationType": 0});
        text(&business.as_agency(201, "POST", "/customer", body)["id"])
    };
    let own = person(&business.sender, "75010112345");
    let same = person(&other, "75010112345");
    let stranger = person(&other, "84021312345");
    let document = "SELECT c.document FROM read.customers AS c WHERE c.tenant = 'acme' AND c.id =";
    change(
        &server,
        &format!(
            "UPDATE read.customers SET document = ({document} '{own}') WHERE tenant = 'acme' AND id = '{stranger}'"
        ),
    );
    let exported = read(&business, &dossier(&business, &own));
    let customers = exported["dossier"]["sums"]["customers"].as_array().unwrap();
    let ids: Vec<&Value> = customers.iter().map(|of| &of["customer"]["id"]).collect();
    assert_eq!(ids, [&json!(own), &json!(same)]);
    // Nobody is hidden by a row that has another document, or that is gone.
    for hiding in [
        format!("UPDATE read.customers SET document = NULL WHERE tenant = 'acme' AND id = '{same}'"),
        format!("DELETE FROM read.customers WHERE tenant = 'acme' AND id = '{same}'"),
    ] {
        change(&server, &hiding);
        let exported = read(&business, &dossier(&business, &own));
        let customers = exported["dossier"]["sums"]["customers"].as_array().unwrap();
        let ids: Vec<&Value> = customers.iter().map(|of| &of["customer"]["id"]).collect();
        assert_eq!(ids, [&json!(own), &json!(same)], "{hiding}");
    }
}

/// A recipient like both entries.
fn evaristo(business: &Business) -> String {
    let body = json!({"name": "Evaristo", "lastName": "Zaldivar", "secondSurname": "Quesada", "customerType": 1,
        "senderId": business.sender, "addressLine": "Calle 23", "provinceId": business.province,
        "municipalityId": business.municipality});
    text(&business.as_agency(201, "POST", "/customer", body)["id"])
}

/// A recipient like both entries, and a remittance that is held for it.
fn like_both(business: &Business) -> (String, String) {
    let recipient = evaristo(business);
    let mut sale = business.sale("10");
    sale["recipientId"] = json!(recipient);
    let sold = text(&business.as_agency(201, "POST", "/remittances", sale)["id"]);
    (recipient, sold)
}

fn is_held(business: &Business, sold: &str) -> bool {
    let path = format!("/remittances/{sold}/assign/dealer?preview=true");
    let call = Call::new("PUT", &path).token(&business.manager);
    let answer = business.client.send(call.json(&json!({"dealerId": business.dealer})));
    answer.status == 409 && answer.code() == "remittance_is_held"
}

fn decide(business: &Business, customer: &str, entry: &str, outcome: &str) {
    let body = json!({"list": "sample", "entry": entry, "outcome": outcome, "reason": "Otra fecha"});
    business.as_manager(200, "POST", &format!("/screening/cases/{customer}/decisions"), body);
}

fn screening() -> (Server, Business) {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    server.load_list("sample", TWO);
    business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"sample": 86}}));
    (server, business)
}

#[test]
fn a_confirmed_person_stays_in_review_whatever_the_read_models_say_of_the_decision() {
    let (server, business) = screening();
    let (customer, sold) = like_both(&business);
    decide(&business, &customer, "7001", "same");
    change(
        &server,
        &format!(
            "UPDATE read.screening_cases SET status = 'open', candidates = replace(candidates::text, '\"same\"', '\"different\"')::jsonb
              WHERE tenant = 'acme' AND id = '{customer}'"
        ),
    );
    decide(&business, &customer, "7002", "different");
    assert_eq!(recorded(&business, "HoldReleased"), json!([]));
    assert!(is_held(&business, &sold));
    change(
        &server,
        &format!("UPDATE read.screening_cases SET status = 'cleared' WHERE tenant = 'acme' AND id = '{customer}'"),
    );
    let path = format!("/screening/cases/{customer}/release");
    let refused = business.as_manager(409, "POST", &path, json!({"reason": "Otra persona"}));
    assert_eq!(refused["code"], "screening_case_not_cleared", "{refused}");
    assert!(is_held(&business, &sold));
}

#[test]
fn the_end_of_a_review_releases_its_own_holds_and_none_that_the_read_models_give_it() {
    let (server, business) = screening();
    let (confirmed, of_confirmed) = like_both(&business);
    decide(&business, &confirmed, "7001", "same");
    let by_hand = sell(&business);
    let note = json!({"reason": "Falta un papel"});
    business.as_manager(201, "POST", &format!("/remittances/{by_hand}/holds"), note);
    let (cleared, of_cleared) = like_both(&business);
    decide(&business, &cleared, "7001", "different");
    for foreign in [&of_confirmed, &by_hand] {
        change(
            &server,
            &format!(
                "UPDATE read.remittance_holds SET reason = 'screening', reference = '{cleared}'
                  WHERE tenant = 'acme' AND remittance = '{foreign}'"
            ),
        );
    }
    decide(&business, &cleared, "7002", "different");
    assert!(!is_held(&business, &of_cleared));
    assert!(is_held(&business, &of_confirmed) && is_held(&business, &by_hand));
    assert_eq!(recorded(&business, "HoldReleased").as_array().unwrap().len(), 1);
}

#[test]
fn a_customer_who_is_missing_in_the_read_models_is_screened() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let customer = evaristo(&business);
    server.load_list("sample", TWO);
    change(
        &server,
        &format!("DELETE FROM read.customers WHERE tenant = 'acme' AND id = '{customer}'"),
    );
    business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"sample": 86}}));
    server.screen_everybody();
    assert_eq!(recorded(&business, "CustomerScreened").as_array().unwrap().len(), 1);
}

#[test]
fn nothing_is_held_for_a_match_that_only_the_read_models_have() {
    let (server, business) = screening();
    let (confirmed, _) = like_both(&business);
    decide(&business, &confirmed, "7001", "same");
    let foreign = sell(&business);
    let holds = recorded(&business, "RemittanceHeld").as_array().unwrap().len();
    change(
        &server,
        &format!("UPDATE read.remittances SET recipient = '{confirmed}' WHERE tenant = 'acme' AND id = '{foreign}'"),
    );
    server.screen_everybody();
    assert_eq!(recorded(&business, "RemittanceHeld").as_array().unwrap().len(), holds);
}

#[test]
fn a_carrier_acts_after_the_assignment_that_the_log_has() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let sold = sell(&business);
    let path = format!("/remittances/{sold}");
    let to = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("{path}/assign/dealer"), to);
    change(
        &server,
        &format!(
            "UPDATE read.remittance_history SET at = at - interval '2 days'
              WHERE tenant = 'acme' AND remittance = '{sold}' AND change = 'assigned'"
        ),
    );
    let before: DateTime<Utc> = Utc::now() - TimeDelta::days(1);
    let before = before.to_rfc3339();
    let attempt = Call::new("POST", &format!("{path}/attempts")).token(&dealer);
    let attempt = attempt.json(&json!({"reason": "nobodyHome", "attemptedAt": before}));
    let picture = picture("id");
    let delivery = Call::new("POST", &format!("{path}/complete")).token(&dealer);
    let delivery = delivery.multipart([
        ("identificationDocument", "id.png", picture.as_slice()),
        ("firmPicture", "s.png", picture.as_slice()),
        ("deliveredAt", "", before.as_bytes()),
    ]);
    for call in [attempt, delivery] {
        let refused = business.client.send(call);
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_eq!(
            refused.body["errors"][0]["code"], "act_before_assignment",
            "{}",
            refused.body
        );
    }
}

#[test]
fn the_feed_refuses_an_event_that_was_changed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    sell(&business);
    assert_eq!(feed_answer(&business.client, &business.manager, "?after=0").status, 200);
    change_the_sale_quietly(&server);
    let refused = feed_answer(&business.client, &business.manager, "?after=0");
    assert_eq!(
        (refused.status, refused.code()),
        (500, "record_not_authentic"),
        "{}",
        refused.body
    );
    // What follows it is told.
    let before = server.head("acme");
    business.fund("10");
    let unrelated = feed_answer(&business.client, &business.manager, &format!("?after={before}"));
    assert_eq!(unrelated.status, 200, "{}", unrelated.body);
}

#[test]
fn a_change_of_rates_is_undone_as_the_log_has_it() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let rates = json!({"rates": [
        {"kind": "catalogue", "paymentGroupId": business.cup, "from": "320", "to": "330"},
        {"kind": "terms", "partyId": business.agency, "paymentGroupId": business.cup, "from": "320", "to": "328.5"},
    ]});
    let changed = text(&business.as_manager(201, "POST", "/rates/changes", rates)["id"]);
    let undo = format!("/rates/changes/{changed}/undo");
    // One of two rates, and another rate before.
    change(
        &server,
        &format!(
            "UPDATE read.rate_changes SET rates = jsonb_build_array(jsonb_set(rates->0, '{{from}}', rates->0->'to'))
              WHERE tenant = 'acme' AND id = '{changed}'"
        ),
    );
    assert_eq!(business.as_manager(200, "POST", &undo, json!({}))["status"], "undone");
    let sheet = read(&business, "/rates");
    let of_cup = sheet["results"].as_array().unwrap().iter();
    let of_cup = of_cup.filter(|rate| rate["kind"] != "reference" && rate["paymentGroupId"] == *business.cup);
    let of_cup: Vec<_> = of_cup.map(|rate| (text(&rate["kind"]), text(&rate["rate"]))).collect();
    for kind in ["catalogue", "terms"] {
        assert!(of_cup.contains(&(kind.to_owned(), "320".to_owned())), "{of_cup:?}");
    }
    assert!(of_cup.iter().all(|(_, rate)| rate == "320"), "{of_cup:?}");
    let unknown = format!("/rates/changes/{}/undo", business.cup);
    assert_eq!(
        business.as_manager(404, "POST", &unknown, json!({}))["code"],
        "rate_change_not_found"
    );
}

#[test]
fn a_delivery_and_its_proof_are_judged_by_the_log() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let other = json!({"name": "Otro", "email": "otro@example.test", "password": PASSWORD, "handleMLC": true,
        "provinceId": business.province, "zones": [business.municipality]});
    let other_id = text(&business.as_manager(201, "POST", "/dealer", other)["id"]);
    let other = business.client.login("otro@example.test", PASSWORD);
    let (sold, foreign) = (sell(&business), sell(&business));
    for (remittance, carrier) in [(&sold, &business.dealer), (&foreign, &other_id)] {
        let path = format!("/remittances/{remittance}/assign/dealer");
        business.as_manager(200, "PUT", &path, json!({"dealerId": carrier}));
    }
    let set = |column: &str, value: &str| {
        format!("UPDATE read.remittances SET {column} = {value} WHERE tenant = 'acme' AND id = '{sold}'")
    };
    // Completed, by the read models alone.
    change(&server, &set("status", "3"));
    let image = picture("id");
    let call = Call::new("POST", &format!("/remittances/{sold}/complete")).token(&dealer);
    let done = business.client.send(call.multipart([
        ("identificationDocument", "id.png", image.as_slice()),
        ("firmPicture", "s.png", image.as_slice()),
    ]));
    assert_eq!(done.status, 200, "{}", done.body);
    let proof = text(&done.body["proof"]["identificationDocument"]);
    let proof = proof.rsplit('/').next().unwrap().as_bytes();

    // Another dealer's, by the read models alone: its proof proves no delivery of that dealer.
    change(&server, &set("dealer", &format!("'{other_id}'")));
    let call = Call::new("POST", &format!("/remittances/{foreign}/complete")).token(&other);
    let refused = business
        .client
        .send(call.multipart([("identificationDocumentId", "", proof), ("firmPictureId", "", proof)]));
    assert_eq!(
        (refused.status, &refused.body["errors"][0]["code"]),
        (422, &json!("file_not_found")),
        "{}",
        refused.body
    );
}

#[test]
fn pictures_are_recorded_for_the_document_that_the_log_has() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, path) = (
        &business.agency_token,
        format!("/customer/{}/document", business.sender),
    );
    let image = picture("passport");
    let call = Call::new("POST", &format!("{path}/files")).token(agency);
    let stored = business
        .client
        .send(call.multipart([("file", "passport.png", image.as_slice())]));
    assert_eq!(stored.status, 201, "{}", stored.body);
    change(
        &server,
        &format!(
            "UPDATE read.customers SET details = details || '{{\"personalIdentificationNumber\": \"K123456\"}}'
              WHERE tenant = 'acme' AND id = '{}'",
            business.sender
        ),
    );
    let body = json!({"files": [stored.body["id"]], "was": {"personalIdentificationNumber": "K123456"}});
    let refused = business.as_agency(409, "PUT", &format!("{path}/pictures"), body);
    assert_eq!(refused["code"], "changed_since_read", "{refused}");
    assert_eq!(recorded(&business, "DocumentPicturesRecorded"), json!([]));
}

#[test]
fn the_feed_tells_of_a_payment_on_several_debits_what_the_log_has_of_each() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let other = json!({"name": "Otra", "email": "otra@example.test", "password": PASSWORD,
                       "paymentGroups": [{"paymentGroupId": business.cup, "agencyCommission": {"rate": "1"}}]});
    let other = text(&business.as_manager(201, "POST", "/agency", other)["id"]);
    let debits = [(&business.agency, "320"), (&other, "256000")].map(|(agency, amount)| {
        let funds = json!({"paymentGroupId": business.cup, "amount": amount, "onCredit": true});
        text(&business.as_manager(201, "POST", &format!("/sources/deposit/agency/{agency}"), funds)["debitId"])
    });
    let paid = business.as_manager(201, "POST", "/sources/pay_debits", json!({"debitIds": debits}));
    let told = |token: &str| {
        let feed = whole_feed(&business.client, token, 500);
        let posted = feed.into_iter().find(|event| event["data"]["id"] == paid["id"]);
        posted.map(|event| (event["data"]["amount"].clone(), event["data"]["fromId"].clone()))
    };
    let own = Some((json!("1.00"), json!(business.agency)));
    assert_eq!(told(&business.agency_token), own);
    for forged in [
        format!(
            "UPDATE read.debit_payments SET amount = 70000 WHERE tenant = 'acme' AND debit = '{}'",
            debits[0]
        ),
        format!(
            "UPDATE read.debits SET debtor = '{}' WHERE tenant = 'acme' AND id = '{}'",
            business.agency, debits[1]
        ),
    ] {
        change(&server, &forged);
        assert_eq!(told(&business.agency_token), own, "{forged}");
    }
}
