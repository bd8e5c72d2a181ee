//! API keys: what they permit, and how they end.

use crate::support::{self, Answer, Business, Call, Client, Process, Server, Surroundings, create_tenant, text};
use caudal_api::{
    auth::address::Proxies,
    policy::{self, Access, TABLE},
};
use caudal_domain::party::Role;
use caudal_postgres_testing::TestDatabase;
use chrono::{Duration, Utc};
use serde_json::{Value, json};
use sqlx::Connection as _;
use std::time::Instant;

const SALES: [&str; 2] = ["customer:write", "remittances:write"];

fn wanted(scopes: &[&str]) -> Value {
    json!({"name": "Online shop", "scopes": scopes, "expiresAt": (Utc::now() + Duration::days(90)).to_rfc3339()})
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

/// Issues a key by a session; its id and its secret.
fn issue(client: &Client, token: &str, body: Value) -> (String, String) {
    let issued = client.expect(201, token, "POST", "/keys", Some(body));
    (text(&issued["key"]["id"]), text(&issued["secret"]))
}

fn agencys(business: &Business, scopes: &[&str]) -> (String, String) {
    issue(&business.client, &business.agency_token, wanted(scopes))
}

fn get(client: &Client, token: &str, path: &str) -> Answer {
    client.send(Call::new("GET", path).token(token))
}

fn refused(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.code())
}

#[test]
fn a_key_acts_as_its_party_within_its_scopes_and_its_events_name_it() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000.00");
    let client = &business.client;
    let (id, key) = agencys(&business, &SALES);
    let sold = client.expect(201, &key, "POST", "/remittances", Some(business.sale("10")));
    let position = server.head("acme");
    let event = get(client, &business.manager, &format!("/audit/events/{position}")).body["event"].clone();
    assert_eq!(event["eventType"], "RemittanceCreated");
    assert_eq!(event["recordId"], sold["id"]);
    assert_eq!(event["actor"]["id"], business.agency);
    assert_eq!(event["apiKey"], json!({"id": id, "name": "Online shop"}));

    let lacking = get(client, &key, "/remittances");
    assert_eq!(refused(&lacking), (403, "api_key_lacks_scope"));
    assert_eq!(lacking.body["values"][0]["value"], "remittances:read");
    assert_eq!(refused(&get(client, &key, "/audit/events")), (403, "role_not_allowed"));
    for (method, path) in [
        ("GET", "/keys"),
        ("POST", "/keys"),
        ("GET", "/keys/scopes"),
        ("PUT", "/users/profile"),
        ("GET", "/events/stream"),
    ] {
        let answer = client.send(Call::new(method, path).token(&key).json(&wanted(&SALES)));
        assert_eq!(refused(&answer), (403, "session_required"), "{method} {path}");
    }
    // By a login the event names no key.
    business.as_agency(201, "POST", "/remittances", business.sale("10"));
    let position = server.head("acme");
    let event = get(client, &business.manager, &format!("/audit/events/{position}")).body["event"].clone();
    assert_eq!(event["apiKey"], Value::Null);
}

#[test]
fn a_secret_is_answered_once_and_stored_nowhere() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let call = |path: &str, body: &Value| {
        client.send(
            Call::new("POST", path)
                .token(&business.agency_token)
                .key("same")
                .json(body),
        )
    };
    let body = wanted(&SALES);
    let first = call("/keys", &body);
    assert_eq!(first.status, 201, "{}", first.body);
    let (id, secret) = (text(&first.body["key"]["id"]), text(&first.body["secret"]));
    assert!(secret.starts_with("caudal_live_") && secret.len() == 84, "{secret}");
    assert_eq!(first.header("Cache-Control"), "no-store");
    let again = call("/keys", &body);
    assert_eq!(
        (again.status, again.replayed, &again.body["secret"]),
        (201, true, &Value::Null)
    );
    assert_eq!(again.body["key"]["id"], id.as_str());

    let rotate = |key: &str| {
        let call = Call::new("POST", &format!("/keys/{id}/rotate")).token(&business.agency_token);
        client.send(call.key(key).json(&json!({})))
    };
    let rotated = rotate("rotated");
    let second = text(&rotated.body["secret"]);
    let again = rotate("rotated");
    assert_eq!(
        (again.status, again.replayed, &again.body["secret"]),
        (200, true, &Value::Null)
    );
    let listed = get(client, &business.manager, "/keys").body.to_string();
    let events = get(client, &business.manager, "/audit/events?RecordsPerPage=0").body;
    let mut told = format!("{listed}{events}");
    for event in events["data"].as_array().unwrap() {
        told += &get(
            client,
            &business.manager,
            &format!("/audit/events/{}", event["position"]),
        )
        .body
        .to_string();
    }
    for secret in [&secret, &second] {
        assert!(!told.contains(secret.as_str()));
    }
    let stored = whole_database(server.database_url());
    assert!(stored.contains(&id), "the dump has the key");
    for secret in [&secret, &second] {
        // Its first characters are shown; the others are nowhere.
        assert!(!stored.contains(&secret[24..]), "a secret is stored");
    }
    assert_eq!(
        stored.matches("Online shop").count(),
        1,
        "the name is in the read model alone"
    );
}

/// All rows of all tables, as text.
fn whole_database(url: &str) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut owner = sqlx::PgConnection::connect(url).await.unwrap();
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('journal', 'read')",
        )
        .fetch_all(&mut owner)
        .await
        .unwrap();
        sqlx::query("SELECT set_config('caudal.tenant', 'acme', false)")
            .execute(&mut owner)
            .await
            .unwrap();
        let mut all = String::new();
        for table in tables {
            let rows: Vec<String> = sqlx::query_scalar(&format!("SELECT t::text FROM {table} AS t"))
                .fetch_all(&mut owner)
                .await
                .unwrap();
            all += &rows.join("\n");
        }
        all
    })
}

#[test]
fn a_rotated_key_accepts_both_secrets_until_the_overlap_ends() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let (id, first) = agencys(&business, &["remittances:read"]);
    let path = format!("/keys/{id}/rotate");
    let rotated = business.as_agency(200, "POST", &path, json!({"overlapHours": 2}));
    let second = text(&rotated["secret"]);
    assert_eq!(rotated["key"]["start"], second[..20]);
    for key in [&first, &second] {
        assert_eq!(get(client, key, "/remittances").status, 200);
    }
    server.pass(Duration::hours(2));
    assert_eq!(refused(&get(client, &first, "/remittances")), (401, "api_key_rotated"));
    assert_eq!(get(client, &second, "/remittances").status, 200);
    let at_once = business.as_agency(200, "POST", &path, json!({"overlapHours": 0}));
    assert_eq!(refused(&get(client, &second, "/remittances")), (401, "api_key_rotated"));
    let third = text(&at_once["secret"]);
    assert_eq!(get(client, &third, "/remittances").status, 200);
    server.pass(Duration::days(91));
    assert_eq!(refused(&get(client, &third, "/remittances")), (401, "api_key_expired"));
}

#[test]
fn a_revoked_key_and_one_of_an_inactive_party_are_refused() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let (id, key) = agencys(&business, &["remittances:read"]);
    let (_, another) = agencys(&business, &["remittances:read"]);
    assert_eq!(get(client, &key, "/remittances").status, 200);
    let elsewhere = server.client("other");
    assert_eq!(
        refused(&get(&elsewhere, &key, "/remittances")),
        (401, "api_key_invalid")
    );
    let mistyped = format!("{}0", &key[..key.len() - 1]);
    if mistyped != key {
        assert_eq!(
            refused(&get(client, &mistyped, "/remittances")),
            (401, "api_key_invalid")
        );
    }
    let revoked = business.as_agency(200, "POST", &format!("/keys/{id}/revoke"), json!({}));
    assert_eq!(revoked["status"], "revoked");
    assert_eq!(refused(&get(client, &key, "/remittances")), (401, "api_key_revoked"));
    assert_eq!(get(client, &another, "/remittances").status, 200);
    let again = client.send(Call::new("POST", &format!("/keys/{id}/revoke")).token(&business.agency_token));
    assert_eq!(refused(&again), (409, "api_key_is_revoked"));
    let path = format!("/agency/{}", business.agency);
    let deactivated = client.send(Call::new("PUT", &path).token(&business.manager));
    assert!(deactivated.status < 300, "{}", deactivated.body);
    assert_eq!(
        refused(&get(client, &another, "/remittances")),
        (401, "account_inactive")
    );
}

#[test]
fn a_party_sees_and_ends_its_own_keys_and_a_manager_all() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let dealer = client.login("dealer@example.test", support::PASSWORD);
    let (own, _) = agencys(&business, &SALES);
    let for_dealer = with(wanted(&["remittances:read"]), "partyId", json!(business.dealer));
    let (dealers, _) = issue(client, &business.manager, for_dealer);
    let (managers, _) = issue(client, &business.manager, wanted(&["audit:read"]));
    let listed = |token: &str, query: &str| -> Vec<String> {
        let page = get(client, token, &format!("/keys{query}")).body;
        page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|key| text(&key["id"]))
            .collect()
    };
    assert_eq!(listed(&business.agency_token, ""), [own.as_str()]);
    assert_eq!(listed(&dealer, ""), [dealers.as_str()]);
    assert_eq!(listed(&business.manager, ""), [managers.as_str(), &dealers, &own]);
    assert_eq!(
        listed(&business.manager, &format!("?partyId={}", business.dealer)),
        [dealers.as_str()]
    );
    assert_eq!(
        listed(&business.agency_token, &format!("?partyId={}", business.dealer)),
        [""; 0]
    );

    for act in ["rotate", "revoke"] {
        let call = Call::new("POST", &format!("/keys/{own}/{act}")).token(&dealer);
        assert_eq!(
            refused(&client.send(call.json(&json!({})))),
            (404, "api_key_not_found"),
            "{act}"
        );
    }
    let for_agency = with(wanted(&SALES), "partyId", json!(business.agency));
    let answer = client.send(Call::new("POST", "/keys").token(&dealer).json(&for_agency));
    assert_eq!(refused(&answer), (404, "party_not_found"));
    let foreign = client.send(
        Call::new("POST", "/keys")
            .token(&dealer)
            .json(&wanted(&["audit:read", "remittances:read"])),
    );
    assert_eq!(foreign.status, 422);
    assert_eq!(foreign.body["errors"][0]["code"], "scope_not_for_role");
    assert_eq!(foreign.body["errors"].as_array().unwrap().len(), 1);
    let live = listed(&business.manager, "?live=true").len();
    business.as_manager(200, "POST", &format!("/keys/{own}/revoke"), json!({}));
    assert_eq!(listed(&business.manager, "?live=true").len(), live - 1);
    assert_eq!(listed(&business.manager, "?live=false"), [own.as_str()]);

    let scopes = |token: &str, query: &str| get(client, token, &format!("/keys/scopes{query}"));
    let names = |answer: &Answer| -> Vec<String> {
        answer.body["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|scope| text(&scope["scope"]))
            .collect()
    };
    let of_dealer = scopes(&business.manager, &format!("?partyId={}", business.dealer));
    assert_eq!(names(&of_dealer), names(&scopes(&dealer, "")));
    assert!(names(&scopes(&business.manager, "")).contains(&"audit:read".to_owned()));
    assert_eq!(scopes(&dealer, &format!("?partyId={}", business.agency)).status, 404);
}

#[test]
fn a_key_is_accepted_from_its_networks_as_the_trusted_proxies_tell_the_address() {
    let around = Surroundings {
        proxies: Proxies(vec!["127.0.0.0/8".parse().unwrap()]),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let networks = json!(["203.0.113.7/24", "2001:db8::1"]);
    let body = with(wanted(&["remittances:read"]), "networks", networks);
    let issued = business.as_agency(201, "POST", "/keys", body);
    assert_eq!(issued["key"]["networks"], json!(["203.0.113.0/24", "2001:db8::1/128"]));
    let key = text(&issued["secret"]);
    let from = |forwarded: &str| {
        let call = Call::new("GET", "/remittances").token(&key);
        client.send(call.header("X-Forwarded-For", forwarded))
    };
    assert_eq!(from("203.0.113.200").status, 200);
    assert_eq!(from("198.51.100.1, 203.0.113.9").status, 200);
    assert_eq!(from("2001:db8::1").status, 200);
    for outside in ["198.51.100.1", "203.0.113.9, 198.51.100.1", "2001:db8::2"] {
        assert_eq!(refused(&from(outside)), (403, "api_key_outside_networks"), "{outside}");
    }
    // What the client wrote before, in whatever bytes, hides no entry of the proxy.
    assert_eq!(from("ñ, 203.0.113.9").status, 200);
    let body = with(wanted(&["remittances:read"]), "networks", json!(["127.0.0.0/8"]));
    let (_, of_the_proxy) = issue(client, &business.agency_token, body);
    assert_eq!(get(client, &of_the_proxy, "/remittances").status, 200);
    let call = Call::new("GET", "/remittances").token(&of_the_proxy);
    let outside = client.send(call.header("X-Forwarded-For", "ñ, 198.51.100.1"));
    assert_eq!(refused(&outside), (403, "api_key_outside_networks"));
    // Without the header the client is the connection's peer.
    assert_eq!(
        refused(&get(client, &key, "/remittances")),
        (403, "api_key_outside_networks")
    );
    let wrong = with(wanted(&SALES), "networks", json!(["203.0.113.0/24", "nowhere"]));
    let wrong = client.send(Call::new("POST", "/keys").token(&business.agency_token).json(&wrong));
    assert_eq!(wrong.body["errors"][0]["field"], "networks[1]");
    assert_eq!(wrong.body["errors"][0]["code"], "network_invalid");
}

#[test]
fn a_key_beyond_its_rate_waits_and_others_do_not() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let body = with(wanted(&["remittances:read"]), "requestsPerMinute", json!(3));
    let (_, slow) = issue(client, &business.agency_token, body);
    let (_, other) = agencys(&business, &["remittances:read"]);
    for _ in 0..3 {
        assert_eq!(get(client, &slow, "/remittances").status, 200);
    }
    let limited = get(client, &slow, "/remittances");
    assert_eq!(refused(&limited), (429, "too_many_requests"));
    let wait: u64 = limited.header("Retry-After").parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    assert_eq!(get(client, &other, "/remittances").status, 200);
}

#[test]
fn the_last_use_is_shown() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let (_, key) = agencys(&business, &["remittances:read"]);
    let last_used = || get(client, &business.manager, "/keys?sort=-lastUsed").body["data"][0]["lastUsed"].clone();
    assert_eq!(last_used(), Value::Null);
    assert_eq!(get(client, &key, "/remittances").status, 200);
    let started = Instant::now();
    while last_used().is_null() {
        assert!(started.elapsed().as_secs() < 10, "the last use is not shown");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn every_call_is_reached_by_its_scope_alone() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let mut wrong = Vec::new();
    let before = server.head("acme");
    for (role, token) in [
        (Role::Manager, &business.manager),
        (Role::Agency, &business.agency_token),
    ] {
        let scopes: Vec<String> = policy::scopes(role, caudal_domain::office::Permissions::ALL)
            .into_keys()
            .collect();
        let unhurried = |scopes: &[&str]| with(wanted(scopes), "requestsPerMinute", json!(60_000));
        let all: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let (_, full) = issue(client, token, unhurried(&all));
        let (_, narrow) = issue(client, token, unhurried(&["events:read"]));
        for row in TABLE.iter().filter(|row| row.access != Access::Public) {
            let id = uuid::Uuid::now_v7().to_string();
            let path = row.path.trim_start_matches("/api").replace("{id}", &id);
            // Bytes that no handler can read: who is let through is told so, and changes nothing.
            let call = || match row.method {
                "GET" => Call::new("GET", &path),
                method => Call::new(method, &path).raw("application/json", b"{"),
            };
            let gates = ["role_not_allowed", "session_required", "api_key_lacks_scope"];
            let refusal = |key: &str| {
                let answer = client.send(call().token(key));
                gates
                    .into_iter()
                    .find(|code| *code == answer.code())
                    .filter(|_| answer.status == 403)
            };
            let scope = policy::scope(row);
            let of_full = match (row.access.admits(role), &scope) {
                (false, _) => Some("role_not_allowed"),
                (true, None) => Some("session_required"),
                (true, Some(_)) => None,
            };
            let has_narrow = scope.as_deref() == Some("events:read");
            let of_narrow = of_full.or((!has_narrow).then_some("api_key_lacks_scope"));
            for (key, wanted) in [(&full, of_full), (&narrow, of_narrow)] {
                let found = refusal(key);
                if found != wanted {
                    wrong.push(format!(
                        "{} {} by {role:?}: {found:?}, not {wanted:?}",
                        row.method, row.path
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(server.head("acme"), before + 4, "the four keys alone were written");
}

const TENANT: &str = "shared";

/// A key is revoked on one node while another serves it; and what its networks are judged by when that node forwards.
#[test]
fn nodes_judge_the_client_and_forget_a_revoked_key_with_the_commit() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let node = |more: &[&str]| {
        let arguments = [&["--node-address", "http://127.0.0.1:0"], more].concat();
        Process::serve_with(database.url(), folder.path(), "warn", &arguments)
    };
    let writer = node(&[]);
    let business = Business::set_up(writer.client(TENANT));
    business.fund("100000.00");
    let taken = Call::new("POST", "/sources/deposit/manager")
        .token(&business.manager)
        .key("first");
    let taken = business
        .client
        .send(taken.json(&json!({"currency": "CUP", "amount": "1.00"})));
    assert_eq!(
        taken.status, 201,
        "the first node writes for the tenant: {}",
        taken.body
    );
    let front = node(&["--trusted-proxies", "127.0.0.0/8"]);
    let front_client = front.client(TENANT);

    let body = with(
        wanted(&["remittances:read", "remittances:write"]),
        "networks",
        json!(["203.0.113.0/24"]),
    );
    let (id, key) = issue(&business.client, &business.agency_token, body);
    let from = |client: &Client, address: &str, key_of_sale: &str| {
        let call = Call::new("POST", "/remittances").token(&key).key(key_of_sale);
        client.send(call.header("X-Forwarded-For", address).json(&business.sale("10")))
    };
    let forwarded = || {
        let metrics = ureq::get(format!("http://{}/metrics", front.address()));
        let text = metrics.call().unwrap().body_mut().read_to_string().unwrap();
        let name = "caudal_commands_forwarded{outcome=\"answered\"} ";
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map_or(0, |count| count.parse::<u64>().unwrap())
    };
    let sold = from(&front_client, "203.0.113.7", "one");
    assert_eq!(sold.status, 201, "{}", sold.body);
    assert_eq!(forwarded(), 1, "the command went to the node that writes");
    let outside = from(&front_client, "198.51.100.7", "two");
    assert_eq!(refused(&outside), (403, "api_key_outside_networks"));
    assert_eq!(forwarded(), 1);
    // The writing node trusts no proxy: a client that claims an address gains nothing.
    let claimed = from(&business.client, "203.0.113.7", "three");
    assert_eq!(refused(&claimed), (403, "api_key_outside_networks"));

    for round in 0..10 {
        let (id, key) = issue(&business.client, &business.agency_token, wanted(&["remittances:read"]));
        assert_eq!(get(&front_client, &key, "/remittances").status, 200, "round {round}");
        business.as_agency(200, "POST", &format!("/keys/{id}/revoke"), json!({}));
        let after = get(&front_client, &key, "/remittances");
        assert_eq!(refused(&after), (401, "api_key_revoked"), "round {round}");
    }
    business.as_agency(200, "POST", &format!("/keys/{id}/revoke"), json!({}));
    assert_eq!(
        refused(&from(&front_client, "203.0.113.7", "four")),
        (401, "api_key_revoked")
    );
}
