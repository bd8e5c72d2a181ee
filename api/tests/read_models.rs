//! Read models that somebody changed in the database: they are shown as they are, and nothing is decided, mailed or sent by them. And a
//! proposed command whose event was changed is not approved.

mod records;

use crate::support::{Business, Call, MANAGER, PASSWORD, Receiver, Reply, Server, Surroundings, text};
use crate::webhooks::{add, sell};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};

const LIST: &str = "id;name;aliases;document;born;countries\n7001;ZALDÍVAR QUESADA, Evaristo;;;1984;CU\n";

/// Changes rows of tenant `acme` in the database.
fn change(server: &Server, statement: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let mut owner = PgConnection::connect(server.database_url()).await.unwrap();
        owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
        // The row may not be projected yet.
        for _ in 0..50 {
            if owner.execute(statement).await.unwrap().rows_affected() == 1 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("no row is changed by {statement}");
    });
}

/// The recorded changes of a type, newest first.
fn recorded(business: &Business, kind: &str) -> Value {
    let path = format!("/audit/events?eventType={kind}");
    business.client.expect(200, &business.manager, "GET", &path, None)["data"].clone()
}

#[test]
fn codes_are_mailed_to_the_address_of_the_log_and_an_edit_of_the_name_changes_no_address() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let forged = format!(
        "UPDATE read.parties SET details = jsonb_set(details, '{{email}}', '\"x@evil.test\"')
          WHERE tenant = 'acme' AND details->>'email' = '{MANAGER}'"
    );
    change(&server, &forged);
    let asked = business
        .client
        .send(Call::new("POST", &format!("/users/forgot_password/{MANAGER}")));
    assert_eq!(asked.status, 202);
    let mail = server.mails(1).remove(0);
    assert!(mail.contains(MANAGER) && !mail.contains("evil"), "{mail}");

    let shown = business
        .client
        .expect(200, &business.manager, "GET", "/users/profile", None);
    assert_eq!(shown["email"], "x@evil.test", "it is shown as it is");
    business.as_manager(200, "PUT", "/users/profile", json!({"name": "Marta"}));
    let profile = business
        .client
        .expect(200, &business.manager, "GET", "/users/profile", None);
    assert_eq!(
        (&profile["name"], &profile["email"]),
        (&json!("Marta"), &json!(MANAGER))
    );

    let agency = format!(
        "UPDATE read.parties SET details = jsonb_set(details, '{{email}}', '\"x@evil.test\"')
          WHERE tenant = 'acme' AND id = '{}'",
        business.agency
    );
    change(&server, &agency);
    let stands = json!({"id": business.agency, "name": "Agency", "email": "agency@example.test", "country": "US",
                        "phone": "305 555 0100"});
    let saved = business.as_manager(200, "PUT", "/agency", stands);
    assert_eq!(saved["email"], "agency@example.test");
    business.client.login("agency@example.test", PASSWORD);
}

#[test]
fn a_time_that_is_none_is_answered_as_an_error_and_other_requests_go_on() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let sold = sell(&business);
    let infinite =
        format!("UPDATE read.remittances SET created_at = 'infinity' WHERE tenant = 'acme' AND id = '{sold}'");
    change(&server, &infinite);
    let failed = business
        .client
        .expect(500, &business.manager, "GET", "/remittances", None);
    assert_eq!(failed["code"], "internal", "{failed}");
    business.client.expect(200, &business.manager, "GET", "/agency", None);
}

#[test]
fn an_edit_records_what_its_maker_changed_and_nothing_that_only_the_read_models_say() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let (_, other) = business.issuer_with_recipient("Otra");
    let sold = sell(&business);
    business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/remittances/{sold}"),
        None,
    );
    change(
        &server,
        &format!(
            "UPDATE read.remittances SET recipient = '{other}', address = 'Otra casa' WHERE tenant = 'acme' AND id = '{sold}'"
        ),
    );
    let path = format!("/remittances/details/{sold}");
    let edited = business.as_agency(200, "PUT", &path, json!({"notes": "Por la tarde"}));
    assert_eq!(edited["recipient"]["id"], json!(business.recipient), "{edited}");
    assert!(!edited.to_string().contains("Otra casa"), "{edited}");

    change(
        &server,
        &format!(
            "UPDATE read.customers SET is_active = false, details = jsonb_set(details, '{{addressLine}}', '\"Otra casa\"')
              WHERE tenant = 'acme' AND id = '{}'",
            business.recipient
        ),
    );
    let path = format!("/customer/{}", business.recipient);
    let shown = business
        .client
        .expect(200, &business.agency_token, "GET", &format!("{path}/details"), None);
    assert_eq!(shown["addressLine"], "Otra casa");
    let body = json!({"name": "Berta", "customerType": 1, "senderId": business.sender, "was": {"name": shown["name"]}});
    let edited = business.as_agency(200, "PUT", &path, body);
    assert_eq!(
        (&edited["name"], &edited["isActive"]),
        (&json!("Berta"), &json!(true)),
        "{edited}"
    );
    assert_ne!(edited["addressLine"], "Otra casa");
}

#[test]
fn an_endpoint_is_sent_to_at_the_url_of_the_log() {
    let around = Surroundings {
        webhook_networks: vec!["127.0.0.1/32".parse().unwrap()],
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let (own, foreign) = (Receiver::start(Reply::Accept), Receiver::start(Reply::Accept));
    let (id, _) = add(
        &business,
        &own.url(),
        json!({"types": ["caudal.remittance.created.v1"]}),
    );
    change(
        &server,
        &format!(
            "UPDATE read.webhooks SET url = '{}' WHERE tenant = 'acme' AND id = '{id}'",
            foreign.url()
        ),
    );
    sell(&business);
    own.wait_for(1);
    let path = format!("/webhooks/{id}");
    let renamed = business.as_agency(200, "PUT", &path, json!({"name": "Tienda", "was": {"name": "Shop"}}));
    assert_eq!(renamed["url"], json!(own.url()), "{renamed}");
    sell(&business);
    own.wait_for(2);
    assert!(foreign.received().is_empty());
}

#[test]
fn customers_are_screened_by_the_names_and_decisions_of_the_log() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    server.load_list("sample", LIST);
    business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"sample": 86}}));
    let recipient = |name: &str| {
        let body = json!({"name": name, "lastName": "Zaldivar", "secondSurname": "Quesada", "customerType": 1,
            "senderId": business.sender, "addressLine": "Calle 23", "provinceId": business.province,
            "municipalityId": business.municipality});
        text(&business.as_agency(201, "POST", "/customer", body)["id"])
    };
    let is_held = |customer: &str| {
        let mut sale = business.sale("10");
        sale["recipientId"] = json!(customer);
        let sold = text(&business.as_agency(201, "POST", "/remittances", sale)["id"]);
        let path = format!("/remittances/{sold}/assign/dealer?preview=true");
        let call = Call::new("PUT", &path).token(&business.manager);
        let answer = business.client.send(call.json(&json!({"dealerId": business.dealer})));
        answer.status == 409 && answer.code() == "remittance_is_held"
    };
    let status = |customer: &str| {
        let path = format!("/screening/cases/{customer}");
        text(&business.client.expect(200, &business.manager, "GET", &path, None)["status"])
    };
    // An open case: by another name, or as if it were decided.
    let evaristo = recipient("Evaristo");
    assert!(is_held(&evaristo));
    for forged in [
        "UPDATE read.customers SET details = jsonb_set(details, '{name}', '\"Nadie\"') WHERE tenant = 'acme' AND id = ",
        "UPDATE read.screening_cases SET candidates = '[]' WHERE tenant = 'acme' AND id = ",
        "UPDATE read.screening_cases SET status = 'cleared' WHERE tenant = 'acme' AND id = ",
    ] {
        change(&server, &format!("{forged}'{evaristo}'"));
        assert!(is_held(&evaristo), "{forged}");
        server.screen_everybody();
        assert!(is_held(&evaristo), "{forged}");
    }
    assert_eq!(
        recorded(&business, "CustomerScreened").as_array().unwrap().len(),
        1,
        "nothing else was found"
    );

    // A confirmed one.
    let confirmed = recipient("Evaristo");
    assert!(is_held(&confirmed));
    let path = format!("/screening/cases/{confirmed}/decisions");
    let same = json!({"list": "sample", "entry": "7001", "outcome": "same", "reason": "Es él"});
    business.as_manager(200, "POST", &path, same);
    assert_eq!(status(&confirmed), "confirmed");
    change(
        &server,
        &format!("UPDATE read.screening_cases SET candidates = '[]' WHERE tenant = 'acme' AND id = '{confirmed}'"),
    );
    assert!(is_held(&confirmed));
    server.screen_everybody();
    assert!(is_held(&confirmed));
}

#[test]
fn a_rule_that_needs_a_document_asks_the_log() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("900000");
    let rule = json!({"side": "sender", "window": "sale", "amount": "1", "outcome": "needs", "needs": ["document"]});
    business.as_manager(201, "POST", "/limit-rules", rule);
    let refused = business.as_agency(422, "POST", "/remittances", business.sale("10"));
    assert_eq!(refused["errors"][0]["code"], "needs_document", "{refused}");
    change(
        &server,
        &format!(
            "UPDATE read.customers SET details = details || '{{\"personalIdentificationNumber\": \"75010112345\",
                    \"personalIdentificationType\": 0}}' WHERE tenant = 'acme' AND id = '{}'",
            business.sender
        ),
    );
    let again = business.as_agency(422, "POST", "/remittances", business.sale("10"));
    assert_eq!(again["errors"], refused["errors"], "{again}");
}

#[test]
fn a_proposed_command_whose_event_was_changed_is_not_approved() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let second = business.client.login("second@example.test", PASSWORD);
    let covering =
        json!({"kind": "limit_rules", "makers": ["manager"], "approvers": "manager", "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", covering);
    let limit = json!({"side": "sender", "window": "sale", "amount": "100", "outcome": "refuse"});
    let id = text(&business.as_manager(202, "POST", "/limit-rules", limit)["id"]);
    let as_second = |method, path: String, body: Option<Value>| {
        let call = Call::new(method, &path).token(&second);
        business.client.send(match body {
            Some(body) => call.json(&body),
            None => call,
        })
    };
    let seen = as_second("GET", format!("/proposals/{id}"), None);
    let mut command = seen.body["command"].clone();
    let amount = command["rule"]["amount"].clone();
    assert!(!amount.is_null(), "{command}");
    command["rule"]["amount"] = match amount {
        Value::String(_) => json!("99999.00"),
        _ => json!(9_999_900),
    };
    // By a superuser whose statements no counter has: the node does not look at the log because of it.
    let forged = format!(
        "UPDATE journal.events
            SET payload = jsonb_set(payload::jsonb, '{{personal}}',
                jsonb_build_object('subject', payload::jsonb->'personal'->'subject', 'clear', '{command}'::jsonb))::json
          WHERE tenant = 'acme' AND event_type = 'CommandProposed'"
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let url = server.database_url().replace("caudal_owner@", "postgres@");
        let mut superuser = PgConnection::connect(&url).await.unwrap();
        superuser.execute("SET track_counts = off").await.unwrap();
        let changed = superuser.execute(forged.as_str()).await.unwrap();
        assert_eq!(changed.rows_affected(), 1);
    });
    let approved = as_second("POST", format!("/proposals/{id}/approve"), Some(json!({})));
    assert_eq!(approved.status, 500, "{}", approved.body);
    assert_eq!(approved.code(), "record_not_authentic");
    let rules = business
        .client
        .expect(200, &business.manager, "GET", "/limit-rules", None);
    assert_eq!(rules["results"], json!([]));
}
