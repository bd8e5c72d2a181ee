//! Exchange rates: bulk changes, schedules across restarts and several nodes, and undo.

use crate::support::{self, Business, Call, Process, Server, create_tenant, text};
use caudal_postgres_testing::TestDatabase;
use chrono::{Duration as Ahead, SecondsFormat, Utc};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    thread,
    time::{Duration, Instant},
};

/// Time to write a schedule and to end both nodes before it is due.
const AHEAD_SECONDS: i64 = 4;
/// Timeout for a due change on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

/// The rate in one row of the sheet.
fn rate(business: &Business, kind: &str) -> String {
    let sheet = get(business, "/rates");
    let rows = sheet["results"].as_array().unwrap();
    let row = rows.iter().find(|row| row["kind"] == kind && row["currency"] == "CUP");
    text(&row.unwrap()["rate"])
}

/// A change of CUP's rate in the catalogue and in the agency's terms.
fn change(business: &Business, from: [&str; 2], to: [&str; 2]) -> Value {
    json!({"rates": [
        {"kind": "catalogue", "paymentGroupId": business.cup, "from": from[0], "to": to[0]},
        {"kind": "terms", "partyId": business.agency, "paymentGroupId": business.cup, "from": from[1], "to": to[1]},
    ]})
}

#[test]
fn a_rate_change_is_one_idempotent_batch_refused_on_a_stale_rate_and_undoable() {
    let server = Server::start(&["rates"]);
    let business = Business::new(&server, "rates");
    let body = change(&business, ["320", "320"], ["330", "328.5"]);
    let post = || {
        let call = Call::new("POST", "/rates/changes")
            .token(&business.manager)
            .key("morning");
        business.client.send(call.json(&body))
    };
    let made = post();
    assert_eq!((made.status, made.replayed), (201, false), "{}", made.body);
    assert_eq!(made.body["status"], "effective");
    let again = post();
    assert_eq!(
        (again.status, again.replayed, &again.body["id"]),
        (201, true, &made.body["id"])
    );
    assert_eq!(
        [rate(&business, "catalogue"), rate(&business, "terms")],
        ["330", "328.5"]
    );

    // One batch: the change's own event, then its effects on the group and the agency.
    let events = get(&business, "/audit/events?RecordsPerPage=5&sort=-position");
    let newest: Vec<_> = events["data"].as_array().unwrap().iter().take(3).collect();
    let types: Vec<_> = newest.iter().map(|event| text(&event["eventType"])).collect();
    assert_eq!(types, ["TermsSet", "PaymentGroupChanged", "RatesChanged"]);
    assert!(newest.iter().all(|event| event["requestId"] == newest[0]["requestId"]));

    // The quote has the new rate, and the old rate can't be confirmed.
    let path = format!("/remittances/fees?Amount=100&PaymentGroupId={}", business.cup);
    let quote = business.client.expect(200, &business.agency_token, "GET", &path, None);
    assert_eq!(quote["payout"], "32850.00");
    let late = business.as_manager(409, "POST", "/rates/changes", body.clone());
    assert_eq!(
        (&late["code"], &late["errors"][1]["field"]),
        (&json!("rates_changed"), &json!("rates[1].from"))
    );
    assert_eq!(rate(&business, "terms"), "328.5");

    let undo = format!("/rates/changes/{}/undo", text(&made.body["id"]));
    assert_eq!(business.as_manager(200, "POST", &undo, json!({}))["status"], "undone");
    assert_eq!([rate(&business, "catalogue"), rate(&business, "terms")], ["320", "320"]);
    assert_eq!(
        business.as_manager(409, "POST", &undo, json!({}))["code"],
        "rates_already_undone"
    );

    for (method, path) in [
        ("GET", "/rates"),
        ("GET", "/rates/changes"),
        ("POST", "/rates/changes"),
        ("POST", undo.as_str()),
    ] {
        let call = Call::new(method, path).token(&business.agency_token).json(&json!({}));
        assert_eq!(business.client.send(call).status, 403, "{method} {path}");
    }
    let csv = business
        .client
        .send(Call::new("GET", "/rates/changes?format=csv").token(&business.manager));
    assert_eq!(csv.status, 200);
    assert!(String::from_utf8(csv.bytes).unwrap().contains("328.5"));
}

#[test]
fn an_invalid_rate_change_reports_each_field() {
    let server = Server::start(&["faulty"]);
    let business = Business::new(&server, "faulty");
    let codes = |body: Value| -> Vec<String> {
        let refused = business.as_manager(422, "POST", "/rates/changes", body);
        let errors = refused["errors"].as_array().unwrap().iter();
        errors
            .map(|error| format!("{}:{}", text(&error["field"]), text(&error["code"])))
            .collect()
    };
    assert_eq!(codes(json!({})), ["rates:required"]);
    assert_eq!(
        codes(json!({"rates": [{"kind": "wishes", "to": "1"}]})),
        ["rates[0].kind:value_unknown"]
    );
    assert_eq!(
        codes(json!({"rates": [{"kind": "catalogue", "to": "1"}]})),
        ["rates[0].paymentGroupId:required"]
    );
    let one = json!({"kind": "catalogue", "paymentGroupId": business.cup, "to": "330"});
    assert_eq!(codes(json!({"rates": [one], "at": "tomorrow"})), ["at:time_invalid"]);
    assert_eq!(
        codes(json!({"rates": [one], "at": "2020-01-01T00:00:00Z"})),
        ["at:moment_is_past"]
    );
}

#[test]
fn a_schedule_survives_restarts_and_takes_effect_once_on_two_nodes() {
    const TENANT: &str = "scheduled";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let url = database.url().to_owned();
    create_tenant(&url, folder.path(), TENANT);
    let first = Process::serve(&url, folder.path());
    let business = Business::set_up(first.client(TENANT));
    let at = Utc::now() + Ahead::seconds(AHEAD_SECONDS);
    let mut body = change(&business, ["320", "320"], ["330", "329"]);
    body["at"] = json!(at.to_rfc3339_opts(SecondsFormat::Millis, true));
    let scheduled = business.as_manager(201, "POST", "/rates/changes", body.clone());
    assert_eq!(
        (&scheduled["status"], &scheduled["effectiveAt"]),
        (&json!("scheduled"), &Value::Null)
    );
    let withdrawn = business.as_manager(201, "POST", "/rates/changes", body);
    let undo = format!("/rates/changes/{}/undo", text(&withdrawn["id"]));
    assert_eq!(business.as_manager(200, "POST", &undo, json!({}))["status"], "canceled");
    assert_eq!(rate(&business, "terms"), "320");
    // No node runs at the scheduled time.
    drop(first);
    thread::sleep((at - Utc::now()).to_std().unwrap_or_default() + Duration::from_millis(500));

    let nodes = [Process::serve(&url, folder.path()), Process::serve(&url, folder.path())];
    let client = nodes[0].client(TENANT);
    let business = Business {
        manager: client.login(support::MANAGER, support::PASSWORD),
        client,
        ..business
    };
    let until = Instant::now() + PATIENCE;
    while rate(&business, "terms") != "329" && Instant::now() < until {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!([rate(&business, "catalogue"), rate(&business, "terms")], ["330", "329"]);
    // Both nodes have polled several times after this wait.
    thread::sleep(Duration::from_secs(3));
    let events = get(&business, "/audit/events?eventType=RatesChanged&RecordsPerPage=10");
    assert_eq!(events["totalRecords"], 1, "{events}");
    let shown = get(&business, &format!("/rates/changes/{}", text(&scheduled["id"])));
    assert_eq!(shown["status"], "effective");
    assert!(!shown["effectiveAt"].is_null());
    drop(nodes);
}

#[test]
fn a_scheduled_change_that_only_the_read_models_call_canceled_takes_effect() {
    const TENANT: &str = "hidden";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let url = database.url().to_owned();
    create_tenant(&url, folder.path(), TENANT);
    let process = Process::serve(&url, folder.path());
    let business = Business::set_up(process.client(TENANT));
    let at = Utc::now() + Ahead::seconds(AHEAD_SECONDS);
    let mut body = change(&business, ["320", "320"], ["330", "329"]);
    body["at"] = json!(at.to_rfc3339_opts(SecondsFormat::Millis, true));
    let scheduled = business.as_manager(201, "POST", "/rates/changes", body);
    let shown = format!("/rates/changes/{}", text(&scheduled["id"]));
    assert_eq!(get(&business, &shown)["status"], "scheduled");
    runtime.block_on(async {
        let mut owner = PgConnection::connect(&url).await.unwrap();
        let tenant = format!("SET caudal.tenant TO '{TENANT}'");
        owner.execute(tenant.as_str()).await.unwrap();
        let canceled = "UPDATE read.rate_changes SET status = 'canceled' WHERE status = 'scheduled'";
        assert_eq!(owner.execute(canceled).await.unwrap().rows_affected(), 1);
    });
    let until = Instant::now() + PATIENCE;
    while rate(&business, "terms") != "329" && Instant::now() < until {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!([rate(&business, "catalogue"), rate(&business, "terms")], ["330", "329"]);
    assert_eq!(get(&business, &shown)["status"], "effective");
    drop(process);
}
