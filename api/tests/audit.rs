//! The auditor's calls over HTTP.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use caudal_journal::{Checkpoint, PublicKeys};
use serde_json::{Value, json};
use std::time::Duration;
use support::{Business, Call, Server, text};

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

/// A business with one remittance that was sold and assigned.
fn with_a_remittance(server: &Server) -> (Business, String) {
    let business = Business::new(server, "acme");
    business.as_manager(
        201,
        "POST",
        "/sources/deposit/manager",
        json!({"currency": "USD", "amount": "1000.00", "note": "Primera caja"}),
    );
    business.fund("9000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
    let id = text(&sold["id"]);
    let path = format!("/remittances/{id}/assign/dealer");
    business.as_manager(200, "PUT", &path, json!({"dealerId": business.dealer}));
    (business, id)
}

#[test]
fn the_event_log_is_searched_and_filtered_and_an_event_shows_what_it_changed() {
    let server = Server::start(&["acme"]);
    let (business, remittance) = with_a_remittance(&server);
    let head = server.head("acme");
    let all = get(&business, "/audit/events?RecordsPerPage=0");
    assert_eq!(all["totalRecords"], head);
    assert_eq!(all["data"][0]["position"], head);
    let found = get(&business, "/audit/events?query=R-000001");
    assert_eq!(found["totalRecords"], 2, "{found}");
    assert_eq!(found["data"][0]["eventType"], "RemittanceAssigned");
    assert_eq!(found["data"][0]["recordName"], "R-000001");
    let found = get(&business, "/audit/events?query=dealer&recordType=party");
    assert_eq!(found["totalRecords"], 1, "{found}");
    let path = format!("/audit/events?actorId={}&eventType=RemittanceCreated", business.agency);
    let found = get(&business, &path);
    assert_eq!(found["totalRecords"], 1, "{found}");
    let created = &found["data"][0];
    assert_eq!(created["recordId"], json!(remittance));
    assert_eq!(created["actor"]["name"], "Agency");
    let wrong = business
        .client
        .send(Call::new("GET", "/audit/events?nothing=1").token(&business.manager));
    assert_eq!(wrong.status, 422);
    let csv = business
        .client
        .send(Call::new("GET", "/audit/events?format=csv").token(&business.manager));
    assert_eq!(
        (csv.status, String::from_utf8(csv.bytes).unwrap().lines().count()),
        (200, usize::try_from(head).unwrap() + 1)
    );

    let event = get(&business, &format!("/audit/events/{head}"));
    assert_eq!(event["before"]["status"], "pending", "{event}");
    assert_eq!(event["after"]["status"], "shipping");
    assert_eq!(event["payload"]["type"], "RemittanceAssigned");
    assert_eq!(event["hashHolds"], true);
    assert_eq!(
        (&event["previousPosition"], &event["nextPosition"]),
        (&json!(head - 1), &Value::Null)
    );
    let before = get(&business, &format!("/audit/events/{}", head - 1));
    assert_eq!(event["previousHash"], before["event"]["hash"]);
    assert_eq!(before["before"], Value::Null);
    let first = get(&business, "/audit/events/1");
    assert_eq!(
        (&first["hashHolds"], &first["previousPosition"]),
        (&json!(true), &Value::Null)
    );
    for nothing in ["0", "-1", "x", "999999"] {
        business
            .client
            .expect(404, &business.manager, "GET", &format!("/audit/events/{nothing}"), None);
    }
}

#[test]
fn a_record_is_shown_through_time_and_as_of_a_position() {
    let server = Server::start(&["acme"]);
    let (business, remittance) = with_a_remittance(&server);
    let head = server.head("acme");
    let timeline = get(&business, &format!("/audit/timeline/remittance/{remittance}"));
    let steps = timeline["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2, "{timeline}");
    assert_eq!(timeline["state"]["status"], "shipping");
    let change = steps[1]["changes"].as_array().unwrap();
    let status = change.iter().find(|change| change["field"] == "status").unwrap();
    assert_eq!(
        (&status["before"], &status["after"]),
        (&json!("pending"), &json!("shipping"))
    );
    let then = get(
        &business,
        &format!("/audit/timeline/remittance/{remittance}?position={}", head - 1),
    );
    assert_eq!(
        (&then["state"]["status"], then["steps"].as_array().unwrap().len()),
        (&json!("pending"), 1)
    );
    let earlier = get(
        &business,
        &format!("/audit/timeline/remittance/{remittance}?position=1"),
    );
    assert_eq!((&earlier["state"], &earlier["steps"]), (&Value::Null, &json!([])));
    let agency = get(&business, &format!("/audit/timeline/party/{}", business.agency));
    assert_eq!(agency["state"]["personal"]["name"], "Agency");
    for nothing in [
        format!("remittance/{}", business.agency),
        format!("nothing/{remittance}"),
        "remittance/1".to_owned(),
    ] {
        business.client.expect(
            404,
            &business.manager,
            "GET",
            &format!("/audit/timeline/{nothing}"),
            None,
        );
    }
    // The accounts at that position, without the assignment.
    let shipping = |query: &str| {
        let path = format!("/accounting/balances?RecordsPerPage=0&kind=remittances_shipping{query}");
        get(&business, &path)["totalRecords"].clone()
    };
    assert_eq!(shipping(""), 1);
    assert_eq!(shipping(&format!("&position={}", head - 1)), 0);
}

#[test]
fn a_verification_is_asked_for_told_of_and_agrees_with_the_checkpoint() {
    let server = Server::start(&["acme"]);
    let (business, _) = with_a_remittance(&server);
    assert_eq!(get(&business, "/audit/verification"), Value::Null);
    let begun = business
        .client
        .send(Call::new("POST", "/audit/verification").token(&business.manager));
    assert_eq!(begun.status, 202, "{}", begun.body);
    let mut last = begun.body;
    for _ in 0..600 {
        if !last["outcome"].is_null() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
        last = get(&business, "/audit/verification");
    }
    assert_eq!(
        (&last["outcome"], &last["findings"]),
        (&json!("whole"), &json!([])),
        "{last}"
    );
    let head = server.head("acme");
    assert_eq!(
        (&last["phase"], &last["position"], &last["head"]),
        (&json!("read_models"), &json!(head), &json!(head))
    );

    let signed = get(&business, "/audit/checkpoint");
    assert_eq!((&signed["position"], &signed["hash"]), (&json!(head), &last["hash"]));
    let keys = business.client.send(Call::new("GET", "/audit/keys"));
    assert_eq!(keys.status, 200);
    let keys = PublicKeys::from_json(&keys.body.to_string()).unwrap();
    let checkpoint = Checkpoint::from_json(&signed.to_string()).unwrap();
    checkpoint.check(&"acme".parse().unwrap(), &keys).unwrap();
}
