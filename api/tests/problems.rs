//! Error answers, and headers that every answer has.
#[path = "../examples/error_catalogue/main.rs"]
mod error_catalogue;

use crate::support::{self, Answer, Business, Call, MANAGER, PASSWORD, Server};
use caudal_api::extract::JSON_LIMIT;
use chrono::{DateTime, Datelike as _, Days, NaiveDate, Utc};
use serde_json::{Value, json};

fn is_problem(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.code()), (status, code), "{}", answer.body);
    assert_eq!(answer.header("Content-Type"), "application/problem+json");
    assert_eq!(answer.body["status"], status);
    assert_eq!(answer.body["type"], format!("urn:caudal:problem:{code}"));
    assert!(answer.body["title"].as_str().is_some_and(|title| !title.is_empty()));
    assert!(
        answer.body["detail"]
            .as_str()
            .is_some_and(|detail| !detail.is_empty() && detail != code)
    );
}

#[test]
fn the_documented_error_catalogue_is_current() {
    let page = include_str!("../../docs/errors.md");
    assert!(
        page == error_catalogue::page().unwrap(),
        "run `cargo run -p caudal-api --example error_catalogue > docs/errors.md`"
    );
}

#[test]
fn every_failure_is_a_problem_document_with_a_code() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let send = |call: Call| client.send(call.token(&token));

    is_problem(&client.send(Call::new("GET", "/agency")), 401, "token_missing");
    is_problem(
        &client.send(Call::new("GET", "/agency").header("Authorization", "Basic eDp5")),
        401,
        "token_invalid",
    );
    is_problem(&send(Call::new("GET", "/nothing")), 404, "route_unknown");
    is_problem(&send(Call::new("GET", "/agency/not-an-id")), 404, "not_found");
    let wrong_method = send(Call::new("PATCH", "/agency"));
    is_problem(&wrong_method, 405, "method_not_allowed");
    assert_eq!(wrong_method.header("Allow"), "GET, POST, PUT");
    let post = |kind: &str, body: &[u8]| send(Call::new("POST", "/agency").raw(kind, body));
    is_problem(&post("application/json", b"{\"name\": "), 400, "json_unreadable");
    is_problem(&post("application/json", b"\xff\xfe"), 400, "json_unreadable");
    is_problem(&post("application/json", b"{} {}"), 400, "json_unreadable");
    is_problem(&post("text/plain", b"{}"), 415, "content_type_not_json");
    is_problem(
        &post("application/json", &vec![b' '; JSON_LIMIT + 1]),
        413,
        "body_too_large",
    );
    is_problem(
        &send(Call::new("POST", "/files/uploadfile").json(&json!({}))),
        415,
        "content_type_not_multipart",
    );
    is_problem(&send(Call::new("GET", "/agency?CurrentPage=0")), 422, "invalid");
    is_problem(&send(Call::new("GET", "/agency?colour=red")), 422, "invalid");
    let key = "k".repeat(201);
    let keyed = Call::new("POST", "/sources/deposit/manager").key(&key);
    is_problem(
        &send(keyed.json(&json!({"currency": "USD", "amount": "1"}))),
        422,
        "idempotency_key_invalid",
    );
    let head = Call::new("GET", "/agency").header("X-Padding", &"x".repeat(40_000));
    is_problem(&send(head), 431, "head_too_large");
}

#[test]
fn a_problem_is_in_the_callers_language() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let said = |language: &str| {
        let answer = client.send(Call::new("GET", "/agency").header("Accept-Language", language));
        (
            answer.header("Content-Language").to_owned(),
            answer.body["detail"].as_str().unwrap().to_owned(),
        )
    };
    let (spanish, english) = (
        "Hace falta iniciar sesión.".to_owned(),
        "Nobody is logged in.".to_owned(),
    );
    assert_eq!(said("es-CU,es;q=0.9,en;q=0.5"), ("es".to_owned(), spanish.clone()));
    assert_eq!(said("en-GB"), ("en".to_owned(), english.clone()));
    assert_eq!(said("de, en;q=0.4, es;q=0.2"), ("en".to_owned(), english));
    assert_eq!(said("de"), ("es".to_owned(), spanish.clone()));
    assert_eq!(said("%%%"), ("es".to_owned(), spanish));
}

#[test]
fn a_problem_names_every_field_and_rule() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let answer = client.send(
        Call::new("POST", "/sources/deposit/manager")
            .token(&token)
            .json(&json!({"currency": "USD", "amount": "-5"})),
    );
    is_problem(&answer, 422, "invalid");
    let error = &answer.body["errors"][0];
    assert_eq!(
        (error["field"].as_str(), error["code"].as_str()),
        (Some("amount"), Some("amount_not_positive"))
    );
    assert_eq!(error["detail"], "The amount must be above 0.");
}

#[test]
fn every_answer_has_security_headers_and_a_request_id() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let id = "0199c2f0-5d1c-7c3e-9a61-0b7f5f2b8d11";
    for path in ["/agency", "root:/healthz", "root:/", "/openapi.json"] {
        let answer = client.send(Call::new("GET", path).header("X-Request-Id", id));
        assert_eq!(answer.header("X-Request-Id"), id, "{path}");
        assert_eq!(answer.header("X-Content-Type-Options"), "nosniff");
        assert_eq!(answer.header("Referrer-Policy"), "no-referrer");
        let policy = answer.header("Content-Security-Policy");
        assert!(
            policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("script-src"), "{policy}");
    }
    let made = client.send(Call::new("GET", "/agency").header("X-Request-Id", "not an id"));
    assert!(uuid::Uuid::parse_str(made.header("X-Request-Id")).is_ok());
    let docs = client.send(Call::new("GET", "/docs/index.html"));
    assert_eq!(docs.status, 200);
    assert!(
        docs.header("Content-Security-Policy")
            .contains("script-src 'self' 'unsafe-inline'")
    );
    assert_eq!(
        client.send(Call::new("GET", "/agency")).header("Cache-Control"),
        "no-store"
    );
}

#[test]
fn a_trailing_slash_is_ignored() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    for path in ["/agency", "/agency/", "/nomenclators/currency/?RecordsPerPage=0"] {
        client.expect(200, &token, "GET", path, None);
    }
}

#[test]
fn a_running_node_reports_live_and_ready() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    assert_eq!(client.send(Call::new("GET", "root:/healthz")).status, 200);
    let ready = client.send(Call::new("GET", "root:/readyz"));
    assert_eq!(ready.status, 200);
    assert_eq!(
        ready.body,
        json!({"log": "ok", "quarantined": [], "database": "ok", "clock": "ok", "writes": "ok", "projector": "ok",
               "tasks": "ok", "server": "ok"})
    );
}

fn created(movement: &Value) -> DateTime<Utc> {
    support::text(&movement["created"]).parse().unwrap()
}

#[test]
fn a_changed_clock_is_reported_and_log_time_never_decreases() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let deposit = || {
        let manager = business.client.login(MANAGER, PASSWORD);
        let body = json!({"currency": "CUP", "amount": "1.00"});
        let path = "/sources/deposit/manager";
        created(&business.client.expect(201, &manager, "POST", path, Some(body)))
    };
    let clock = |status: u16, state: &str| {
        let ready = business.client.send(Call::new("GET", "root:/readyz"));
        assert_eq!((ready.status, &ready.body["clock"]), (status, &json!(state)));
    };
    let first = deposit();
    clock(200, "ok");
    server.pass(chrono::Duration::hours(1));
    clock(503, "wrong");
    let ahead = deposit();
    assert!(ahead - first >= chrono::Duration::hours(1), "{first} {ahead}");
    server.pass(chrono::Duration::hours(-1));
    clock(200, "ok");
    assert_eq!(deposit(), ahead, "not before what is in the log");
}

/// The time at which Cuba's clocks skip from midnight to one o'clock: the second Sunday of March.
fn clocks_go_forward(year: i32) -> DateTime<Utc> {
    let eighth = NaiveDate::from_ymd_opt(year, 3, 8).unwrap();
    let until_sunday = (7 - eighth.weekday().num_days_from_sunday()) % 7;
    let sunday = eighth + Days::new(u64::from(until_sunday));
    sunday.and_hms_opt(5, 0, 0).unwrap().and_utc()
}

#[test]
fn a_day_without_midnight_begins_after_the_clock_change() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000.00");
    let change = clocks_go_forward(Utc::now().year() + 1);
    let sell = |amount: &str| {
        let agency = business.client.login("agency@example.test", PASSWORD);
        let sale = business.sale(amount);
        business.client.expect(201, &agency, "POST", "/remittances", Some(sale));
    };
    server.pass(change - Utc::now() - chrono::Duration::minutes(2));
    sell("10.00");
    server.pass(chrono::Duration::minutes(4));
    sell("25.00");
    server.pass(chrono::Duration::days(1));
    let manager = business.client.login(MANAGER, PASSWORD);
    let close = |day: DateTime<Utc>| {
        let body = json!({"partyId": business.agency, "to": day.format("%Y%m%d").to_string()});
        let path = "/accounting/closures";
        business.client.expect(201, &manager, "POST", path, Some(body))
    };
    let saturday = close(change - chrono::Duration::days(1));
    assert_eq!(saturday["figures"]["amount"], "10.00", "{saturday}");
    let cut: DateTime<Utc> = support::text(&saturday["to"]).parse().unwrap();
    assert_eq!(cut, change);
    let sunday = close(change);
    assert_eq!(sunday["figures"]["amount"], "25.00", "{sunday}");
}
