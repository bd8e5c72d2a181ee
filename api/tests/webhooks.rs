//! Webhooks: what is sent, how it is signed, and what an endpoint can't do.

use crate::support::{Business, Call, PASSWORD, Received, Receiver, Reply, Server, Surroundings, text, whole_feed};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::Connection as _;
use std::{
    thread,
    time::{Duration, Instant},
};

/// A server with a dispatcher that reaches loopback.
fn server() -> Server {
    delivering("127.0.0.1/32")
}

fn delivering(network: &str) -> Server {
    let around = Surroundings {
        webhook_networks: vec![network.parse().unwrap()],
        ..Surroundings::default()
    };
    Server::among(&["acme"], around)
}

/// Adds an endpoint of the agency; its id and its secret.
pub(crate) fn add(business: &Business, url: &str, more: Value) -> (String, String) {
    let mut body = json!({"name": "Shop", "url": url, "after": 0});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let added = business.as_agency(201, "POST", "/webhooks", body);
    (text(&added["webhook"]["id"]), text(&added["secret"]))
}

pub(crate) fn sell(business: &Business) -> String {
    text(&business.as_agency(201, "POST", "/remittances", business.sale("10"))["id"])
}

/// Verifies a delivery by the specification, apart from the product's code: whether any signature is by this secret.
fn is_signed(received: &Received, secret: &str) -> bool {
    let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    let (id, time) = (received.header("webhook-id"), received.header("webhook-timestamp"));
    mac.update(format!("{id}.{time}.{}", String::from_utf8(received.body.clone()).unwrap()).as_bytes());
    let expected = format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()));
    let age = chrono::Utc::now().timestamp() - time.parse::<i64>().unwrap();
    assert!((0..300).contains(&age), "{age}");
    received
        .header("webhook-signature")
        .split(' ')
        .any(|one| one == expected)
}

/// Whether the delivery is signed by a published key, by the specification alone.
fn is_signed_by_published_key(received: &Received, published: &Value) -> bool {
    let (id, time) = (received.header("webhook-id"), received.header("webhook-timestamp"));
    let message = [format!("{id}.{time}.").as_bytes(), &received.body].concat();
    let signatures = received.header("webhook-signature").split(' ');
    let signatures: Vec<Signature> = signatures
        .filter_map(|one| one.strip_prefix("v1a,"))
        .map(|one| Signature::from_slice(&BASE64.decode(one).unwrap()).unwrap())
        .collect();
    assert_eq!(signatures.len(), 1);
    published["keys"].as_array().unwrap().iter().any(|key| {
        let key = BASE64.decode(key["publicKey"].as_str().unwrap()).unwrap();
        let key = VerifyingKey::from_bytes(&key.try_into().unwrap()).unwrap();
        key.verify(&message, &signatures[0]).is_ok()
    })
}

pub(crate) fn ids(received: &[Received]) -> Vec<String> {
    received.iter().map(|one| one.header("webhook-id").to_owned()).collect()
}

/// The ids in the order of their first arrival.
pub(crate) fn first_ids(received: &[Received]) -> Vec<String> {
    let mut seen = Vec::new();
    for id in ids(received) {
        if !seen.contains(&id) {
            seen.push(id);
        }
    }
    seen
}

pub(crate) fn feed_ids(events: &[Value]) -> Vec<String> {
    events.iter().map(|event| text(&event["id"])).collect()
}

pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

fn webhook(business: &Business, id: &str) -> Value {
    let page = business
        .client
        .send(Call::new("GET", "/webhooks").token(&business.manager))
        .body;
    let found = page["data"].as_array().unwrap().iter().find(|row| row["id"] == id);
    found.unwrap().clone()
}

fn deliveries(business: &Business, id: &str) -> Vec<Value> {
    let call = Call::new("GET", &format!("/webhooks/{id}/deliveries")).token(&business.agency_token);
    business.client.send(call).body["results"].as_array().unwrap().clone()
}

/// Runs a statement as the owner of the database.
fn as_owner(server: &Server, statement: &str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut owner = sqlx::PgConnection::connect(server.database_url()).await.unwrap();
        let tenant = "SELECT set_config('caudal.tenant', 'acme', false)";
        sqlx::query(tenant).execute(&mut owner).await.unwrap();
        sqlx::query(statement).execute(&mut owner).await.unwrap();
    });
}

#[test]
fn an_endpoint_is_sent_what_its_partys_feed_tells_in_order_and_signed() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    for _ in 0..30 {
        sell(&business);
    }
    let receiver = Receiver::start(Reply::Accept);
    let (id, secret) = add(&business, &receiver.url(), json!({}));
    let feed = whole_feed(&business.client, &business.agency_token, 500);
    let received = receiver.wait_for(feed.len());
    let bodies: Vec<Value> = received.iter().map(Received::json).collect();
    assert_eq!(bodies, feed, "the same events, once, in order");
    let published = business.client.send(Call::new("GET", "/audit/keys")).body;
    for one in &received {
        assert_eq!(one.header("webhook-id"), text(&one.json()["id"]));
        assert_eq!(one.header("content-type"), "application/cloudevents+json");
        assert!(is_signed(one, &secret));
        assert!(!is_signed(one, "whsec_AAAA"));
        assert!(is_signed_by_published_key(one, &published));
    }
    until("it is delivered", || webhook(&business, &id)["attempts"] == 0);
    let told = deliveries(&business, &id);
    assert_eq!(told.len(), feed.len());
    assert!(told.iter().all(|one| one["delivered"] == true && one["status"] == 204));

    // Only one type, from now on, while the other endpoint gets all.
    let few = Receiver::start(Reply::Accept);
    let types = json!({"types": ["caudal.remittance.canceled.v1"], "after": server.head("acme")});
    add(&business, &few.url(), types);
    let sold = sell(&business);
    let cancel = json!({"reason": "Twice"});
    business.as_agency(200, "POST", &format!("/remittances/{sold}/cancel"), cancel);
    let canceled = few.wait_for(1);
    assert_eq!(canceled[0].json()["type"], "caudal.remittance.canceled.v1");
    receiver.wait_for(feed.len() + 2);
    assert_eq!(few.received().len(), 1);
}

#[test]
fn during_a_rotation_both_secrets_sign() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let receiver = Receiver::start(Reply::Accept);
    let here = json!({"after": server.head("acme")});
    let (id, first) = add(&business, &receiver.url(), here);
    let rotate = |hours: u32| {
        let path = format!("/webhooks/{id}/rotate");
        text(&business.as_agency(200, "POST", &path, json!({"overlapHours": hours}))["secret"])
    };
    let second = rotate(1);
    sell(&business);
    let one = receiver.wait_for(1).remove(0);
    assert!(is_signed(&one, &first) && is_signed(&one, &second));
    let by_secrets = one
        .header("webhook-signature")
        .split(' ')
        .filter(|one| one.starts_with("v1,"));
    assert_eq!(by_secrets.count(), 2);
    let third = rotate(0);
    sell(&business);
    let two = receiver.wait_for(2).remove(1);
    assert!(is_signed(&two, &third) && !is_signed(&two, &second) && !is_signed(&two, &first));
}

#[test]
fn a_failed_delivery_is_repeated_with_its_id_before_the_next_and_holds_up_nobody_else() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let target = Receiver::start(Reply::Accept);
    let healthy = Receiver::start(Reply::Accept);
    let here = json!({"after": server.head("acme")});
    let bad = [
        (Reply::Status(500), json!(500), Value::Null),
        (Reply::Redirect(target.url()), json!(302), Value::Null),
        (Reply::Garbage, Value::Null, json!("answer_broken")),
        (Reply::Hang, Value::Null, json!("timed_out")),
    ];
    let bad: Vec<_> = bad
        .into_iter()
        .map(|(reply, status, failure)| {
            let receiver = Receiver::start(reply);
            let (id, _) = add(&business, &receiver.url(), here.clone());
            (receiver, id, status, failure)
        })
        .collect();
    add(&business, &healthy.url(), here.clone());
    let begun = Instant::now();
    for _ in 0..5 {
        sell(&business);
    }
    healthy.wait_for(5);
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "the hanging endpoint holds it up"
    );
    let order = ids(&healthy.received());
    for (receiver, id, status, failure) in &bad {
        receiver.wait_for(2);
        until("the failure is told", || !deliveries(&business, id).is_empty());
        let told = deliveries(&business, id);
        assert_eq!(told.len(), 1, "the next is not sent");
        assert_eq!(
            (&told[0]["status"], &told[0]["failure"], &told[0]["delivered"]),
            (status, failure, &json!(false))
        );
        let row = webhook(&business, id);
        assert!(
            row["attempts"].as_i64().unwrap() > 0 && row["failingSince"].is_string(),
            "{row}"
        );
        receiver.set(Reply::Accept);
        let change = json!({"name": "Mended", "url": receiver.url()});
        business.as_agency(200, "PUT", &format!("/webhooks/{id}"), change);
    }
    for (receiver, id, ..) in &bad {
        until("all are delivered", || first_ids(&receiver.received()) == order);
        until("it recovered", || webhook(&business, id)["attempts"] == 0);
        let received = ids(&receiver.received());
        let repeated = received.iter().filter(|id| **id == order[0]).count();
        assert_eq!(
            received.len(),
            order.len() + repeated - 1,
            "only the first was repeated: {received:?}"
        );
    }
    assert_eq!(target.received().len(), 0, "redirects are not followed");
}

#[test]
fn an_answer_is_read_to_a_limit_and_its_status_decides() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let here = json!({"after": server.head("acme")});
    let (gigabyte, short) = (Receiver::start(Reply::Gigabyte), Receiver::start(Reply::Short));
    let (id, _) = add(&business, &gigabyte.url(), here.clone());
    let (cut_off, _) = add(&business, &short.url(), here);
    sell(&business);
    for (id, answer) in [(&id, "x".repeat(1_000)), (&cut_off, "short".to_owned())] {
        until("it is delivered", || !deliveries(&business, id).is_empty());
        let told = deliveries(&business, id);
        assert_eq!((&told[0]["status"], &told[0]["delivered"]), (&json!(200), &json!(true)));
        assert_eq!(told[0]["answer"], answer);
    }
    // What was poured stands in the buffers of the connection.
    assert!(gigabyte.poured() < 64 << 20, "{}", gigabyte.poured());
}

#[test]
fn an_endpoint_that_is_gone_or_fails_for_three_days_is_paused_and_its_party_sees_it() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let here = json!({"after": server.head("acme")});
    let (gone, dead) = (Receiver::start(Reply::Status(410)), Receiver::start(Reply::Status(503)));
    let (gone_id, _) = add(&business, &gone.url(), here.clone());
    let (dead_id, _) = add(&business, &dead.url(), here);
    sell(&business);
    until("it is stopped", || webhook(&business, &gone_id)["status"] == "gone");
    dead.wait_for(1);
    until("it fails", || webhook(&business, &dead_id)["attempts"] != 0);
    assert_eq!(webhook(&business, &dead_id)["status"], "active");
    as_owner(
        &server,
        "UPDATE journal.webhook_positions SET failing_since = now() - interval '73 hours', next_at = now()
          WHERE failing_since IS NOT NULL",
    );
    until("it is stopped", || webhook(&business, &dead_id)["status"] == "failing");
    let events = business
        .client
        .send(Call::new("GET", "/audit/events?eventType=WebhookPaused").token(&business.manager));
    let told: Vec<_> = events.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| &event["recordName"])
        .collect();
    assert_eq!(told, ["Shop", "Shop"]);
    let path = format!("/events/news?positions={}", events.body["data"][0]["position"]);
    let news = business.as_agency(200, "GET", &path, Value::Null)["news"][0].clone();
    assert_eq!(
        (&news["eventType"], &news["name"], &news["actor"]["id"]),
        (&json!("WebhookPaused"), &json!("Shop"), &Value::Null),
        "its party's bell tells it"
    );
    let before = dead.received().len();
    sell(&business);
    thread::sleep(Duration::from_secs(2));
    assert_eq!(
        (gone.received().len(), dead.received().len()),
        (1, before),
        "nothing is sent while paused"
    );
    // After it is resumed nothing is missing.
    dead.set(Reply::Accept);
    let resumed = business.as_agency(200, "POST", &format!("/webhooks/{dead_id}/resume"), json!({}));
    assert_eq!(resumed["status"], "active");
    until("both are delivered", || first_ids(&dead.received()).len() == 2);
}

#[test]
fn private_addresses_are_refused_in_urls_and_after_the_name_is_resolved() {
    let server = delivering("10.99.0.0/16");
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let receiver = Receiver::start(Reply::Accept);
    let refused = |url: &str| {
        let body = json!({"name": "Shop", "url": url});
        text(&business.as_agency(422, "POST", "/webhooks", body)["errors"][0]["code"])
    };
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "10.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
    ] {
        assert_eq!(refused(&format!("https://{host}/")), "url_not_public", "{host}");
    }
    for url in ["https://user@example.org/", "ftp://example.org/", "https://"] {
        assert_eq!(refused(url), "url_invalid", "{url}");
    }
    let here = json!({"after": server.head("acme")});
    let named = format!("http://localhost:{}/", receiver.port());
    let encrypted = format!("https://localhost:{}/", receiver.port());
    let endpoints = [
        add(&business, &named, here.clone()).0,
        add(&business, &encrypted, here).0,
    ];
    sell(&business);
    for id in &endpoints {
        until("it is tried", || !deliveries(&business, id).is_empty());
        assert_eq!(deliveries(&business, id)[0]["failure"], "address_not_public");
    }
    assert_eq!(receiver.received().len(), 0);
    let plain = Server::start(&["acme"]);
    let business = Business::new(&plain, "acme");
    let body = json!({"name": "Shop", "url": "http://example.org/"});
    let answer = business.as_agency(422, "POST", "/webhooks", body);
    assert_eq!(answer["errors"][0]["code"], "url_not_https");
}

#[test]
fn events_are_sent_again_one_or_from_a_position() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let receiver = Receiver::start(Reply::Accept);
    let here = server.head("acme");
    let (id, secret) = add(&business, &receiver.url(), json!({"after": here}));
    for _ in 0..3 {
        sell(&business);
    }
    let sent = ids(&receiver.wait_for(3));
    until("all are noted", || deliveries(&business, &id).len() == 3);
    let newest = deliveries(&business, &id)[0].clone();
    let path = format!("/webhooks/{id}/deliveries/{}", newest["position"]);
    let detail = business.as_agency(200, "GET", &path, Value::Null);
    assert_eq!(detail["event"]["id"], newest["eventId"]);
    assert_eq!(detail["event"], receiver.received()[2].json());
    let again = business.as_agency(200, "POST", &format!("{path}/send"), json!({}));
    assert_eq!((&again["attempts"], &again["delivered"]), (&json!(2), &json!(true)));
    let received = receiver.wait_for(4);
    assert_eq!(received[3].header("webhook-id"), sent[2]);
    assert!(is_signed(&received[3], &secret));

    business.as_agency(200, "POST", &format!("/webhooks/{id}/replay"), json!({"after": here}));
    let replayed = ids(&receiver.wait_for(7));
    assert_eq!(replayed[4..], sent);
    for (after, code) in [
        (json!(server.head("acme") + 10), "number_out_of_range"),
        (json!(-1), "number_negative"),
        (json!("1.5"), "number_not_whole"),
    ] {
        let refused = business.as_agency(422, "POST", &format!("/webhooks/{id}/replay"), json!({"after": after}));
        assert_eq!(refused["errors"][0]["code"], code);
    }
}

#[test]
fn an_endpoint_that_accepts_what_is_sent_again_is_tried_at_once() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let receiver = Receiver::start(Reply::Status(500));
    let (id, _) = add(&business, &receiver.url(), json!({"after": server.head("acme")}));
    for _ in 0..3 {
        sell(&business);
    }
    until("it fails", || webhook(&business, &id)["attempts"] == 1);
    // As after nine more attempts.
    as_owner(
        &server,
        "UPDATE journal.webhook_positions SET attempts = 10, next_at = now() + interval '6 hours'",
    );
    let path = format!(
        "/webhooks/{id}/deliveries/{}/send",
        deliveries(&business, &id)[0]["position"]
    );
    let refused = business.as_agency(200, "POST", &path, json!({}));
    assert_eq!(refused["delivered"], false);
    let waiting = webhook(&business, &id);
    let next = text(&waiting["nextTry"])
        .parse::<chrono::DateTime<chrono::Utc>>()
        .unwrap();
    assert!(next > chrono::Utc::now() + chrono::Duration::hours(5), "{waiting}");
    receiver.set(Reply::Accept);
    assert_eq!(business.as_agency(200, "POST", &path, json!({}))["delivered"], true);
    until("all are delivered", || first_ids(&receiver.received()).len() == 3);
    until("it recovered", || webhook(&business, &id)["attempts"] == 0);
}

#[test]
fn one_event_at_a_time_is_sent_again_to_an_endpoint() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let receiver = Receiver::start(Reply::Accept);
    let (id, _) = add(&business, &receiver.url(), json!({"after": server.head("acme")}));
    sell(&business);
    until("it is noted", || deliveries(&business, &id).len() == 1);
    let path = format!(
        "/webhooks/{id}/deliveries/{}/send",
        deliveries(&business, &id)[0]["position"]
    );
    let send = || {
        let call = Call::new("POST", &path).token(&business.agency_token);
        business.client.send(call.json(&json!({})))
    };
    receiver.set(Reply::AcceptAfter(Duration::from_secs(4)));
    thread::scope(|scope| {
        let first = scope.spawn(send);
        receiver.wait_for(2);
        let second = send();
        assert_eq!((second.status, second.code()), (429, "webhook_being_sent"));
        assert_eq!(first.join().unwrap().status, 200);
    });
    receiver.set(Reply::Accept);
    assert_eq!(send().status, 200);
}

#[test]
fn what_an_address_of_before_answers_does_not_pause_the_present_one() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let old = Receiver::start(Reply::StatusAfter(410, Duration::from_secs(6)));
    let new = Receiver::start(Reply::Accept);
    let (id, _) = add(&business, &old.url(), json!({"after": server.head("acme")}));
    sell(&business);
    old.wait_for(1);
    business.as_agency(
        200,
        "PUT",
        &format!("/webhooks/{id}"),
        json!({"name": "Shop", "url": new.url()}),
    );
    assert_eq!(new.count(), 0, "the old address has not answered yet");
    new.wait_for(1);
    thread::sleep(Duration::from_secs(1));
    let found = webhook(&business, &id);
    assert_eq!((&found["status"], old.count()), (&json!("active"), 1), "{found}");
}

#[test]
fn a_secret_is_answered_once_and_an_endpoint_is_its_partys() {
    let server = server();
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let body = json!({"name": "Shop", "url": "https://shop.example.org/hook"});
    let call = || {
        let call = Call::new("POST", "/webhooks").token(&business.agency_token).key("same");
        client.send(call.json(&body))
    };
    let (first, again) = (call(), call());
    assert_eq!(
        (first.status, again.status, again.replayed),
        (201, 201, true),
        "{}",
        first.body
    );
    assert!(text(&first.body["secret"]).starts_with("whsec_"));
    assert_eq!(again.body["secret"], Value::Null);
    assert_eq!(again.body["webhook"]["id"], first.body["webhook"]["id"]);
    let id = text(&first.body["webhook"]["id"]);
    let dealer = client.login("dealer@example.test", PASSWORD);
    for (method, path, body) in [
        ("PUT", "", json!({"name": "Mine", "url": "https://example.org/"})),
        ("DELETE", "", Value::Null),
        ("POST", "/rotate", json!({})),
        ("POST", "/pause", json!({})),
        ("POST", "/resume", json!({})),
        ("POST", "/replay", json!({"after": 0})),
        ("GET", "/deliveries", Value::Null),
        ("GET", "/deliveries/1", Value::Null),
        ("POST", "/deliveries/1/send", json!({})),
    ] {
        let call = Call::new(method, &format!("/webhooks/{id}{path}")).token(&dealer);
        let answer = client.send(if body.is_null() { call } else { call.json(&body) });
        assert_eq!(
            (answer.status, answer.code()),
            (404, "webhook_not_found"),
            "{method} {path}"
        );
    }
    let listed = |token: &str| client.send(Call::new("GET", "/webhooks").token(token)).body["totalRecords"].clone();
    assert_eq!(listed(&dealer), 0);
    assert_eq!(
        (listed(&business.agency_token), listed(&business.manager)),
        (json!(1), json!(1))
    );
    let head = server.head("acme");
    let same = json!({"name": "Shop", "url": "https://shop.example.org/hook"});
    business.as_agency(200, "PUT", &format!("/webhooks/{id}"), same);
    assert_eq!(server.head("acme"), head, "a change without effect writes no event");
    business.as_manager(200, "POST", &format!("/webhooks/{id}/pause"), json!({}));
    assert_eq!(webhook(&business, &id)["status"], "paused");
    let removed = client.send(Call::new("DELETE", &format!("/webhooks/{id}")).token(&business.agency_token));
    assert_eq!(removed.status, 204);
    assert_eq!(listed(&business.manager), 0);
}

#[test]
fn concurrent_changes_of_an_endpoint_are_merged_or_reported_field_by_field() {
    let server = server();
    let business = Business::new(&server, "acme");
    let (id, _) = add(&business, "https://shop.example.org/hook", json!({}));
    let path = format!("/webhooks/{id}");
    let types = json!(["caudal.remittance.canceled.v1", "caudal.remittance.created.v1"]);
    // Two forms were opened on the same values, and each changes other fields.
    let first = json!({"name": "Till", "was": {"name": "Shop"}});
    let changed = business.as_agency(200, "PUT", &path, first);
    assert_eq!(
        (&changed["name"], &changed["url"]),
        (&json!("Till"), &json!("https://shop.example.org/hook"))
    );
    let second = json!({"types": types, "was": {"types": []}});
    let changed = business.as_agency(200, "PUT", &path, second);
    assert_eq!((&changed["name"], &changed["types"]), (&json!("Till"), &types));
    // A third one changes what these two have changed.
    let head = server.head("acme");
    let third = json!({"name": "Desk", "types": [], "was": {"name": "Shop", "types": []}});
    let refused = business.as_agency(409, "PUT", &path, third);
    assert_eq!(refused["code"], "changed_since_read");
    let conflicts: Vec<_> = refused["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (&error["field"], &error["now"]))
        .collect();
    assert_eq!(conflicts, [(&json!("name"), &json!("Till")), (&json!("types"), &types)]);
    assert_eq!(server.head("acme"), head);
    let unread = json!({"url": "https://other.example.org/", "was": {"url": "https://old.example.org/"}});
    let refused = business.as_agency(409, "PUT", &path, unread);
    assert_eq!(refused["errors"][0]["now"], "https://shop.example.org/hook");
    // The order of types is irrelevant, and the URL that results is checked.
    let reversed = json!({"types": [types[1], types[0]], "url": "ftp://example.org/",
                          "was": {"types": [types[1], types[0]], "url": "https://shop.example.org/hook"}});
    let refused = business.as_agency(422, "PUT", &path, reversed);
    assert_eq!(refused["errors"][0]["code"], "url_invalid");
    // Without `was` all fields are overwritten.
    let whole = json!({"name": "Desk", "url": "https://shop.example.org/hook"});
    let changed = business.as_agency(200, "PUT", &path, whole);
    assert_eq!((&changed["name"], &changed["types"]), (&json!("Desk"), &json!([])));
}

/// A member of the office of some areas, with a token; and the id of the permission set.
fn member(business: &Business, email: &str, writes: &[&str]) -> (String, String, String) {
    let set = json!({"name": email, "reads": [], "writes": writes});
    let set = text(&business.as_manager(201, "POST", "/permission_sets", set)["id"]);
    let user = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": set});
    let user = business.as_manager(201, "POST", "/users", user);
    (text(&user["id"]), business.client.login(email, PASSWORD), set)
}

#[test]
fn nobody_reads_or_sends_through_anothers_endpoint_what_the_own_permissions_do_not_read() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let receiver = Receiver::start(Reply::Accept);
    let (id, _) = add(&business, &receiver.url(), json!({"after": server.head("acme")}));
    sell(&business);
    receiver.wait_for(1);
    until("it is noted", || deliveries(&business, &id).len() == 1);
    let position = deliveries(&business, &id)[0]["position"].clone();
    let (_, clerk, _) = member(&business, "clerk@example.test", &["integrations"]);
    let all = [
        "integrations",
        "sales",
        "customers",
        "payments",
        "parties",
        "accounting",
        "reports",
    ];
    let (_, peer, _) = member(&business, "peer@example.test", &all);
    let send = |token: &str, method: &str, path: &str| {
        let call = Call::new(method, &format!("/webhooks/{id}{path}")).token(token);
        business
            .client
            .send(if method == "GET" { call } else { call.json(&json!({})) })
    };
    let one = format!("/deliveries/{position}");
    for (method, path) in [
        ("GET", "/deliveries".to_owned()),
        ("GET", one.clone()),
        // Of an event that was never sent to it.
        ("POST", "/deliveries/1/send".to_owned()),
        ("POST", format!("{one}/send")),
    ] {
        let refused = send(&clerk, method, &path);
        assert_eq!(
            (refused.status, refused.code()),
            (403, "beyond_own_permissions"),
            "{method} {path}"
        );
    }
    assert_eq!(receiver.received().len(), 1);
    for (method, path) in [("GET", one.clone()), ("POST", format!("{one}/send"))] {
        assert_eq!(send(&peer, method, &path).status, 200, "{method} {path}");
        assert_eq!(send(&business.manager, method, &path).status, 200, "{method} {path}");
    }
}

#[test]
fn only_what_an_active_endpoint_is_sent_is_sent_again() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    sell(&business);
    let before = server.head("acme");
    let receiver = Receiver::start(Reply::Accept);
    let types = json!({"types": ["caudal.remittance.canceled.v1"], "after": before});
    let (id, _) = add(&business, &receiver.url(), types);
    let sold = sell(&business);
    let position = server.head("acme");
    let cancel = json!({"reason": "Twice"});
    business.as_agency(200, "POST", &format!("/remittances/{sold}/cancel"), cancel);
    receiver.wait_for(1);
    until("it is noted", || deliveries(&business, &id).len() == 1);
    let sent = deliveries(&business, &id)[0]["position"].clone();
    let every = Receiver::start(Reply::Accept);
    let (whole, _) = add(&business, &every.url(), json!({"after": before}));
    let again = |status: u16, id: &str, position: &Value| {
        let path = format!("/webhooks/{id}/deliveries/{position}/send");
        let answer = business.as_agency(status, "POST", &path, json!({}));
        answer["code"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(again(404, &id, &json!(position)), "delivery_not_found", "another type");
    again(200, &whole, &json!(position));
    assert_eq!(
        again(404, &whole, &json!(before)),
        "delivery_not_found",
        "before its start"
    );
    again(200, &id, &sent);
    business.as_agency(200, "POST", &format!("/webhooks/{id}/pause"), json!({}));
    assert_eq!(again(409, &id, &sent), "webhook_paused");
    assert_eq!(receiver.received().len(), 2);
    business.as_agency(200, "POST", &format!("/webhooks/{id}/resume"), json!({}));
    again(200, &id, &sent);
}

#[test]
fn an_endpoint_of_a_member_who_lost_the_area_gets_nothing_more() {
    let server = server();
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let (_, token, set) = member(&business, "member@example.test", &["integrations", "sales"]);
    let receiver = Receiver::start(Reply::Accept);
    let body = json!({"name": "Own", "url": receiver.url(), "after": server.head("acme")});
    let added = business.client.expect(201, &token, "POST", "/webhooks", Some(body));
    let id = text(&added["webhook"]["id"]);
    sell(&business);
    receiver.wait_for(1);
    let narrowed = json!({"name": "Narrowed", "reads": [], "writes": ["sales"]});
    business.as_manager(200, "PUT", &format!("/permission_sets/{set}"), narrowed);
    // The other endpoint tells that the events are there.
    let other = Receiver::start(Reply::Accept);
    add(&business, &other.url(), json!({"after": server.head("acme")}));
    sell(&business);
    let position = server.head("acme");
    other.wait_for(1);
    thread::sleep(Duration::from_secs(2));
    assert_eq!(receiver.received().len(), 1);
    let again = |status: u16| {
        let path = format!("/webhooks/{id}/deliveries/{position}/send");
        business.as_manager(status, "POST", &path, json!({}))
    };
    assert_eq!(again(409)["code"], "webhook_party_without_access");
    let given = json!({"name": "Given back", "reads": [], "writes": ["integrations", "sales"]});
    business.as_manager(200, "PUT", &format!("/permission_sets/{set}"), given);
    again(200);
    assert!(first_ids(&receiver.received()).ends_with(&ids(&other.received())));
}
