//! Audit of reading: which reads are recorded, once, before what, and for how long.

use crate::support::{Business, Call, Client, Server, text};
use caudal_api::{
    policy::{Reads, TABLE},
    readings::RETENTION,
};
use chrono::Duration;
use serde_json::{Value, json};
use sqlx::Connection as _;

const PNG: &[u8] = include_bytes!("worked_day/id.png");

fn readings(client: &Client, token: &str, query: &str) -> Vec<Value> {
    let path = format!("/audit/readings?recordsPerPage=100&{query}");
    let page = client.expect(200, token, "GET", &path, None);
    page["data"].as_array().unwrap().clone()
}

/// Kind, reader, record and format of each, newest first.
fn told(rows: &[Value]) -> Vec<(String, String, String, String)> {
    let of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter()
        .map(|row| {
            (
                of(&row["kind"]),
                of(&row["reader"]["name"]),
                of(&row["record"]["id"]),
                of(&row["format"]),
            )
        })
        .collect()
}

#[test]
fn a_read_is_recorded_with_what_was_read_whatever_the_spelling_of_its_path() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency, manager) = (&business.client, &business.agency_token, &business.manager);
    let before = readings(client, manager, "").len();
    let escaped = format!("%{:x}{}", business.sender.as_bytes()[0], &business.sender[1..]);
    client.expect(200, agency, "GET", &format!("/customer/{escaped}/details"), None);
    for position in [1, 2, 2] {
        client.expect(200, manager, "GET", &format!("/audit/events/{position}"), None);
    }
    let rows = readings(client, manager, "");
    assert_eq!(rows.len(), before + 3, "{rows:?}");
    assert_eq!(rows[2]["record"]["id"], business.sender.as_str());
    assert_eq!(rows[1]["call"], "/api/audit/events/1");
    assert_eq!(rows[0]["call"], "/api/audit/events/2");
}

#[test]
fn who_opened_a_person_or_took_a_file_is_listed_once_with_the_record() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let (client, agency, manager) = (&business.client, &business.agency_token, &business.manager);
    let before = readings(client, manager, "").len();
    let details = format!("/customer/{}/details", business.sender);
    for _ in 0..3 {
        client.expect(200, agency, "GET", &details, None);
    }
    // Lists on the screen are not recorded, and neither is what was refused.
    client.expect(200, agency, "GET", "/customer/sender", None);
    client.expect(403, agency, "GET", "/audit/readings", None);
    let file = client.send(Call::new("GET", "/customer/sender?FORMAT=csv").token(agency));
    assert_eq!(file.status, 200);
    let rows = readings(client, manager, "");
    assert_eq!(rows.len(), before + 2, "{rows:?}");
    let told = told(&rows);
    assert_eq!(
        (told[0].0.as_str(), told[0].2.as_str(), told[0].3.as_str()),
        ("file", "", "csv")
    );
    assert_eq!((told[1].0.as_str(), &told[1].2), ("customer", &business.sender));
    assert_eq!(rows[1]["call"], "/api/customer/{id}/details");
    assert_eq!(rows[1]["reader"]["id"], json!(business.agency));
    assert!(!text(&rows[1]["record"]["name"]).is_empty());
    // Filters.
    assert_eq!(readings(client, manager, "kind=file").len(), 1);
    assert_eq!(
        readings(client, manager, &format!("recordId={}", business.sender)).len(),
        1
    );
    let unknown = client.send(Call::new("GET", "/audit/readings?kind=nothing").token(manager));
    assert_eq!(unknown.status, 422, "{}", unknown.body);
    // Ten minutes later it is another read.
    server.pass(Duration::minutes(1));
    let csv = client.send(Call::new("GET", "/audit/readings?format=csv&kind=customer").token(manager));
    let csv = String::from_utf8(csv.bytes).unwrap();
    assert!(csv.contains("/api/customer/{id}/details"), "{csv}");
    // Another tenant sees none of it.
    let other = server.client("other");
    let foreign = other.login(crate::support::MANAGER, crate::support::PASSWORD);
    assert!(readings(&other, &foreign, "kind=customer").is_empty());
}

#[test]
fn a_file_is_not_answered_without_its_record_and_pages_are() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency) = (&business.client, &business.agency_token);
    let breaks = "ALTER TABLE journal.readings ADD CONSTRAINT broken CHECK (false) NOT VALID";
    sql(&server, breaks);
    let file = client.send(Call::new("GET", "/customer/sender?format=csv").token(agency));
    assert_eq!(file.status, 500, "{}", file.body);
    client.expect(
        200,
        agency,
        "GET",
        &format!("/customer/{}/details", business.sender),
        None,
    );
    sql(&server, "ALTER TABLE journal.readings DROP CONSTRAINT broken");
    let file = client.send(Call::new("GET", "/customer/sender?format=csv").token(agency));
    assert_eq!(file.status, 200);
    // What could not be written waited.
    let rows = readings(client, &business.manager, "kind=customer");
    assert_eq!(rows.len(), 1, "{rows:?}");
}

#[test]
fn all_customers_at_once_and_the_feed_are_recorded_and_the_recipients_of_one_sender_are_not() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency, manager) = (&business.client, &business.agency_token, &business.manager);
    let sender = &business.sender;
    client.expect(200, agency, "GET", "/customer/sender", None);
    for page in 1..=3 {
        // Page by page all of them are read, too.
        let path = format!("/customer/sender?recordsPerPage=100&currentPage={page}");
        client.expect(200, agency, "GET", &path, None);
    }
    for _ in 0..2 {
        client.expect(200, agency, "GET", "/customer/sender?recordsPerPage=0", None);
        client.expect(200, manager, "GET", "/feed", None);
    }
    let recipients = format!("/customer/reciever?RecordsPerPage=0&senderId={sender}");
    client.expect(200, agency, "GET", &recipients, None);
    let rows = readings(client, manager, "");
    let calls: Vec<_> = rows
        .iter()
        .map(|row| (text(&row["kind"]), text(&row["call"])))
        .collect();
    let pages = calls.iter().filter(|(kind, _)| kind == "page");
    let pages: Vec<_> = pages.map(|(_, call)| call.as_str()).collect();
    assert_eq!(pages, ["/api/customer/sender"], "once in ten minutes");
    let files = calls.iter().filter(|(kind, _)| kind == "file");
    assert!(
        files.clone().all(|(_, call)| call == "/api/customer/sender"),
        "{calls:?}"
    );
    assert!(files.count() >= 1, "{calls:?}");
    let feeds = calls.iter().filter(|(_, call)| call == "/api/feed");
    assert_eq!(feeds.map(|(kind, _)| kind.as_str()).collect::<Vec<_>>(), ["log"]);
    assert!(
        !calls.iter().any(|(_, call)| call == "/api/customer/reciever"),
        "{calls:?}"
    );
}

#[test]
fn a_proposed_person_and_the_photographs_of_a_delivery_are_recorded_when_they_are_opened() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, manager) = (&business.client, &business.manager);
    let roles = [
        "manager",
        "agency",
        "external_agent",
        "internal_agent",
        "dealer",
        "delivery_man",
    ];
    let rule = json!({"kind": "user", "makers": roles, "approvers": "manager", "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let user = json!({"name": "Rita", "email": "rita@example.test", "password": crate::support::PASSWORD});
    let proposal = text(&business.as_manager(202, "POST", "/users", user)["id"]);
    client.expect(200, manager, "GET", &format!("/proposals/{proposal}"), None);

    business.fund("100000");
    let cash = json!({"currency": "CUP", "amount": "100000"});
    business.as_manager(201, "POST", "/sources/deposit/manager", cash);
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("50"));
    let id = text(&sold["id"]);
    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
    let dealer = client.login("dealer@example.test", crate::support::PASSWORD);
    let complete = Call::new("POST", &format!("/remittances/{id}/complete"))
        .token(&dealer)
        .multipart([("identificationDocument", "id.png", PNG), ("firmPicture", "s.png", PNG)]);
    assert_eq!(client.send(complete).status, 200);
    let shown = client.expect(200, manager, "GET", &format!("/remittances/{id}"), None);
    let url = text(&shown["proof"]["identificationDocument"]);
    let photograph = Call::new("GET", url.trim_start_matches("/api")).token(manager);
    assert_eq!(client.send(photograph).status, 200);

    let rows = readings(client, manager, "");
    let recorded = |call: &str| {
        let row = rows.iter().find(|row| row["call"] == call);
        row.map(|row| (text(&row["kind"]), text(&row["record"]["id"])))
    };
    assert_eq!(recorded("/api/proposals/{id}"), Some(("log".to_owned(), proposal)));
    assert_eq!(recorded("/api/files/{id}"), Some(("remittance".to_owned(), id)));
}

#[test]
fn a_change_that_answers_a_person_is_a_read_and_so_is_its_refusal_with_present_values() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency, manager) = (&business.client, &business.agency_token, &business.manager);
    let path = format!("/customer/{}", business.sender);
    let send = |method: &str, path: &str, token: &str, body: Value| {
        let answer = client.send(Call::new(method, path).token(token).json(&body));
        (answer.status, answer.body)
    };
    let of_person = || readings(client, manager, &format!("recordId={}", business.sender)).len();
    let preview = send("PUT", &format!("{path}?preview=true"), agency, json!({"was": {}}));
    assert_eq!(
        (preview.0, of_person()),
        (200, 0),
        "a preview tells nothing: {}",
        preview.1
    );
    let (status, body) = send("PUT", &path, agency, json!({"was": {}}));
    assert_eq!((status, &body["name"]), (200, &json!("Ana")), "{body}");
    assert_eq!(of_person(), 1);
    // In another session, by a refusal that has the present value.
    let old = json!({"name": "Eva", "was": {"name": "Ada"}});
    let (status, body) = send("PUT", &path, manager, old);
    assert_eq!((status, &body["errors"][0]["now"]), (409, &json!("Ana")), "{body}");
    assert_eq!(of_person(), 2);
    let (status, _) = send("PUT", &path, manager, json!({"name": 7, "was": {}}));
    assert_eq!((status, of_person()), (422, 2));

    // A party that the path does not name, and the sessions of another.
    let named = json!({"id": business.agency, "was": {}});
    assert_eq!(send("PUT", "/agency", manager, named).0, 200);
    let one = format!("/dealer?ReceiverId={}", business.dealer);
    client.expect(200, manager, "GET", &one, None);
    let sessions = format!("/sessions?partyId={}", business.agency);
    client.expect(200, manager, "GET", &sessions, None);
    let users = readings(client, manager, "kind=user");
    let opened: Vec<(String, String)> = users
        .iter()
        .map(|row| (text(&row["call"]), text(&row["record"]["id"])))
        .collect();
    let expected = [
        ("/api/sessions", &business.agency),
        ("/api/dealer", &business.dealer),
        ("/api/agency", &business.agency),
    ];
    assert_eq!(opened, expected.map(|(call, id)| (call.to_owned(), id.clone())));
}

#[test]
fn a_history_and_all_remittances_or_cases_at_once_are_recorded_whoever_reads_them() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency, manager) = (&business.client, &business.agency_token, &business.manager);
    business.fund("100000");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("50"));
    let id = text(&sold["id"]);
    client.expect(200, agency, "GET", &format!("/remittances/{id}/history"), None);
    client.expect(200, agency, "GET", "/remittances", None);
    let calls = |kind: &str| -> Vec<String> {
        let rows = readings(client, manager, &format!("kind={kind}"));
        rows.iter().rev().map(|row| text(&row["call"])).collect()
    };
    assert_eq!(calls("remittance"), ["/api/remittances/{id}/history"]);
    assert!(calls("file").is_empty(), "a page is none");
    // Screens read all rows again at every change: that is one read.
    for _ in 0..2 {
        client.expect(200, agency, "GET", "/remittances?RecordsPerPage=0", None);
        client.expect(200, manager, "GET", "/screening/cases?recordsPerPage=0", None);
        let desk = "/remittances/dealer?RecordsPerPage=0";
        client.expect(200, manager, "POST", desk, Some(json!({})));
    }
    let mut files = calls("file");
    files.sort_unstable();
    assert_eq!(
        files,
        ["/api/remittances", "/api/remittances/dealer", "/api/screening/cases"]
    );
    let desk = Call::new("POST", "/remittances/dealer?format=csv").token(manager);
    assert_eq!(client.send(desk.json(&json!({}))).status, 200);
    assert_eq!(calls("file").len(), 4);
}

#[test]
fn every_call_whose_path_names_a_customer_or_a_login_is_recorded_or_answers_no_data_of_it() {
    let unrecorded = |is_read: bool| -> Vec<(&str, &str)> {
        let rows = TABLE.iter().filter(|row| row.reads == Reads::Nobody);
        let rows = rows.filter(|row| (row.method == "GET") == is_read && row.path.contains("{id}"));
        rows.map(|row| (row.method, row.path)).collect()
    };
    let reads: Vec<&str> = unrecorded(true).into_iter().map(|(_, path)| path).collect();
    assert_eq!(
        reads,
        [
            "/api/webhooks/{id}/deliveries",
            // Recorded by its owner: reviews (tests/reviews.rs), pictures of documents (tests/document_pictures.rs) and proofs
            // of a delivery are, pictures of parties are not.
            "/api/files/{id}",
            "/api/rates/changes/{id}",
            "/api/remittances/{id}/proof",
            "/api/remittances/{id}/payment_group",
            "/api/sources/movements/{id}",
            "/api/sources/movements/{id}/receipt",
            "/api/accounting/closures/{id}",
            "/api/accounting/closures/{id}/statement",
        ]
    );
    // Changes that answer nothing, a number, an uploaded file, or the record of a setting, a movement or a proposal.
    let people = [
        "/api/customer",
        "/api/remittances",
        "/api/users",
        "/api/agen",
        "/api/dealer",
        "/api/delivery_men",
        "/api/screening",
    ];
    let of_people = |path: &str| people.iter().any(|start| path.starts_with(start));
    let changes: Vec<_> = unrecorded(false)
        .into_iter()
        .filter(|(_, path)| of_people(path))
        .collect();
    assert_eq!(
        changes,
        [
            ("DELETE", "/api/users/{id}/sign_on"),
            ("POST", "/api/users/{id}/viewing"),
            ("DELETE", "/api/users/{id}/second_factor"),
            ("DELETE", "/api/users/{id}"),
            ("PUT", "/api/remittances/{id}/breach"),
            ("POST", "/api/remittances/{id}/holds/files"),
            ("POST", "/api/screening/cases/{id}/files"),
            ("POST", "/api/customer/{id}/document/files"),
            ("POST", "/api/customer/{id}/dossiers"),
            ("PUT", "/api/remittances/{id}/disputes/{number}"),
            ("POST", "/api/dealer/expenses/{id}"),
        ]
    );
}

#[test]
fn reads_older_than_their_retention_are_deleted() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, manager) = (&business.client, &business.manager);
    let details = format!("/customer/{}/details", business.sender);
    client.expect(200, manager, "GET", &details, None);
    assert_eq!(readings(client, manager, "kind=customer").len(), 1);
    let days = RETENTION.num_days();
    for (age, left) in [(days - 1, 1), (days + 1, 0)] {
        sql(
            &server,
            &format!("UPDATE journal.readings SET read_at = now() - interval '{age} days'"),
        );
        server.delete_old_readings("acme");
        let kept = count(&server);
        assert_eq!(kept.min(1), left, "{age} days");
    }
}

fn sql(server: &Server, statement: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut owner = sqlx::PgConnection::connect(server.database_url()).await.unwrap();
        sqlx::query("SELECT set_config('caudal.tenant', 'acme', false)")
            .execute(&mut owner)
            .await
            .unwrap();
        sqlx::query(statement).execute(&mut owner).await.unwrap();
    });
}

fn count(server: &Server) -> i64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut owner = sqlx::PgConnection::connect(server.database_url()).await.unwrap();
        sqlx::query("SELECT set_config('caudal.tenant', 'acme', false)")
            .execute(&mut owner)
            .await
            .unwrap();
        sqlx::query_scalar("SELECT count(*) FROM journal.readings")
            .fetch_one(&mut owner)
            .await
            .unwrap()
    })
}
