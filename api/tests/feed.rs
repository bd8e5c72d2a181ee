//! The public feed: what it tells whom, in which order, and how a consumer follows it.

use crate::support::{
    Answer, Business, Call, PASSWORD, Server, assert_copy_is_read, feed_answer, feed_page, picture, position,
    remittances_of, text, types, whole_feed,
};
use caudal_api::{openapi::public_events as schemas, waits::MAX_WAITING_OF_A_PARTY};
use caudal_domain::{
    AcceptedHistory, Actor, Command, TenantCommand,
    customer::CustomerCommand,
    erasure::Forget,
    ids::{CustomerId, MovementId, PartyId},
    movement::{MovementCommand, OpenBalance, Opened},
    party::PartyCommand,
    tenant_state::GivenNumbers,
};
use chrono::{Duration as Days, SecondsFormat, Utc};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

fn sell(business: &Business, amount: &str) -> String {
    text(&business.as_agency(201, "POST", "/remittances", business.sale(amount))["id"])
}

fn assign(business: &Business, remittance: &str, to: &Value) {
    let path = format!("/remittances/{remittance}/assign/dealer");
    business.as_manager(200, "PUT", &path, to.clone());
}

/// A key of the agency; its id and its secret.
fn key(business: &Business, scopes: &[&str]) -> (String, String) {
    let expires = (Utc::now() + Days::days(90)).to_rfc3339();
    let body = json!({"name": "Consumer", "scopes": scopes, "expiresAt": expires});
    let issued = business.as_agency(201, "POST", "/keys", body);
    (text(&issued["key"]["id"]), text(&issued["secret"]))
}

fn of_remittance<'e>(events: &'e [Value], id: &str) -> Vec<&'e Value> {
    let subject = format!("remittance/{id}");
    events.iter().filter(|event| event["subject"] == subject).collect()
}

/// A moment this many seconds from now.
fn from_now(seconds: i64) -> String {
    (Utc::now() + Days::seconds(seconds)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn refused(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.code())
}

/// Sells, edits, assigns, attempts, fails and cancels.
fn do_business(business: &Business) {
    business.fund("100000");
    let sold: Vec<_> = (0..6).map(|_| sell(business, "10")).collect();
    let edit = json!({"amount": "25", "paymentGroupId": business.cup});
    business.as_agency(200, "PUT", &format!("/remittances/{}", sold[0]), edit);
    let details = json!({"notes": "Ring twice", "reference": "A-17"});
    business.as_agency(200, "PUT", &format!("/remittances/details/{}", sold[1]), details);
    for remittance in &sold[2..5] {
        assign(business, remittance, &json!({"dealerId": business.dealer}));
    }
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let by_dealer = |method: &str, path: &str, body: Value| {
        let answer = business.client.send(Call::new(method, path).token(&dealer).json(&body));
        assert!(answer.status < 300, "{path}: {}", answer.body);
    };
    by_dealer(
        "POST",
        &format!("/remittances/{}/attempts", sold[2]),
        json!({"reason": "nobodyHome"}),
    );
    by_dealer(
        "PUT",
        &format!("/remittances/{}/error", sold[3]),
        json!({"reason": "No such house"}),
    );
    business.as_agency(
        200,
        "POST",
        &format!("/remittances/{}/cancel", sold[5]),
        json!({"reason": "Twice"}),
    );
}

#[test]
fn a_consumer_from_the_first_event_equals_the_read_models_and_reads_the_same_again() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    do_business(&business);
    let (_, secret) = key(&business, &["feed:read"]);
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    for (who, token, list) in [
        ("manager", &business.manager, &business.manager),
        ("agency's key", &secret, &business.agency_token),
        ("dealer", &dealer, &dealer),
    ] {
        let whole = whole_feed(&business.client, token, 500);
        assert_copy_is_read(&business.client, list, &whole);
        let positions: Vec<_> = whole.iter().map(position).collect();
        assert!(positions.is_sorted_by(|one, next| one < next), "{who}: {positions:?}");
        let ids: BTreeSet<_> = whole.iter().map(|event| text(&event["id"])).collect();
        assert_eq!(ids.len(), whole.len(), "{who}: one id per event");
        for limit in [1, 3, 7] {
            assert_eq!(whole_feed(&business.client, token, limit), whole, "{who} by {limit}");
        }
    }
    let manager = whole_feed(&business.client, &business.manager, 500);
    let told = |name: &str| types(&manager).iter().filter(|known| **known == name).count();
    for (name, count) in [
        ("caudal.remittance.created.v1", 6),
        ("caudal.remittance.amount_edited.v1", 1),
        ("caudal.remittance.details_edited.v1", 1),
        ("caudal.remittance.assigned.v1", 3),
        ("caudal.remittance.delivery_attempted.v1", 1),
        ("caudal.remittance.failed.v1", 1),
        ("caudal.remittance.canceled.v1", 1),
        ("caudal.customer.registered.v1", 2),
        ("caudal.payment_group.created.v1", 1),
        ("caudal.movement.posted.v1", 1),
    ] {
        assert_eq!(told(name), count, "{name}");
    }
    assert!(
        !serde_json::to_string(&manager).unwrap().contains("api_key"),
        "keys are not public"
    );
}

#[test]
fn a_carrier_reads_from_its_assignment_on_without_prices_and_a_withdrawal_names_the_id_alone() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let man = json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer});
    let man_id = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
    let other = json!({"name": "Other", "email": "other@example.test", "password": PASSWORD, "handleMLC": true,
                       "provinceId": business.province, "zones": [business.municipality]});
    let other_id = text(&business.as_manager(201, "POST", "/dealer", other)["id"]);
    let login = |email: &str| business.client.login(email, PASSWORD);
    let (dealer, man, other) = (
        login("dealer@example.test"),
        login("man@example.test"),
        login("other@example.test"),
    );
    let id = sell(&business, "10");
    assert!(of_remittance(&whole_feed(&business.client, &dealer, 500), &id).is_empty());
    assign(
        &business,
        &id,
        &json!({"dealerId": business.dealer, "deliveryManId": man_id}),
    );

    let read = |token: &str| whole_feed(&business.client, token, 500);
    let of_man = read(&man);
    let told = of_remittance(&of_man, &id);
    assert_eq!(told.len(), 1, "the sale was none of his");
    let remittance = &told[0]["data"]["remittance"];
    assert_eq!(told[0]["type"], "caudal.remittance.assigned.v1");
    for price in [
        "amount",
        "exchangeRate",
        "managerFee",
        "agencyFee",
        "agentFee",
        "totalFee",
        "totalToPay",
    ] {
        assert_eq!(remittance[price], Value::Null, "{price}");
    }
    assert_eq!(remittance["payout"], "3200.00");
    let kinds: BTreeSet<_> = types(&of_man).into_iter().collect();
    assert!(
        !kinds.contains("caudal.payment_group.created.v1") && !kinds.contains("caudal.customer.registered.v1"),
        "{kinds:?}"
    );
    let of_dealer = read(&dealer);
    assert_eq!(
        of_remittance(&of_dealer, &id)[0]["data"]["remittance"]["amount"],
        "10.00"
    );

    let before = of_dealer.last().map(position).unwrap();
    assign(&business, &id, &json!({"dealerId": other_id}));
    let news = feed_page(&business.client, &dealer, &format!("?after={before}")).events;
    assert_eq!(types(&news), ["caudal.remittance.withdrawn.v1"]);
    assert_eq!(news[0]["data"], json!({"id": id}));
    // From the first event on he reads no more of it than other calls tell him: nothing.
    let again = read(&dealer);
    let told = of_remittance(&again, &id);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["data"], json!({"id": id}));
    assert!(remittances_of(&again).is_empty());
    assert_eq!(remittances_of(&read(&other)).len(), 1);
    assert_eq!(remittances_of(&read(&man)).len(), 0);
}

#[test]
fn a_request_for_types_passes_over_the_others_and_moves_on() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    do_business(&business);
    let head = server.head("acme");
    let page = |query: &str| feed_page(&business.client, &business.manager, query);
    let wanted = "caudal.remittance.canceled.v1,caudal.remittance.failed.v1";
    let found = page(&format!("?type={wanted}&limit=500"));
    assert_eq!(
        types(&found.events),
        ["caudal.remittance.failed.v1", "caudal.remittance.canceled.v1"]
    );
    assert_eq!(found.next, head);
    let first = page(&format!("?type={wanted}&limit=1"));
    let rest = page(&format!("?type={wanted}&limit=1&after={}", first.next));
    assert_eq!([first.events, rest.events].concat(), found.events);
    let none = page("?type=caudal.customer.erased.v1");
    assert_eq!((none.events.len(), none.next), (0, head));
}

#[test]
fn a_consumer_may_begin_at_a_moment() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    do_business(&business);
    let whole = whole_feed(&business.client, &business.manager, 500);
    let since = |moment: &str| {
        let query = format!("?since={}&limit=500", moment.replace('+', "%2B"));
        feed_page(&business.client, &business.manager, &query).events
    };
    for event in &whole {
        let time = text(&event["time"]);
        let first = whole.iter().position(|event| event["time"] == time.as_str()).unwrap();
        assert_eq!(since(&time), whole[first..], "{time}");
    }
    assert_eq!(since("2000-01-01T00:00:00Z"), whole);
    server.pass(Days::minutes(1));
    assert_eq!(since(&from_now(30)), [Value::Null; 0]);
}

#[test]
fn a_request_that_waits_from_a_moment_on_tells_nothing_from_before_it() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let (client, token) = (&business.client, &business.manager);
    let query = format!("?since={}&wait=20", from_now(40));
    thread::scope(|scope| {
        let waiting = scope.spawn(|| feed_page(client, token, &query));
        thread::sleep(Duration::from_secs(1));
        let early = sell(&business, "10");
        thread::sleep(Duration::from_secs(1));
        server.pass(Days::minutes(1));
        let late = sell(&business, "10");
        let page = waiting.join().unwrap();
        assert_eq!(page.next, server.head("acme"));
        assert!(of_remittance(&page.events, &early).is_empty(), "{:?}", page.events);
        assert_eq!(of_remittance(&page.events, &late).len(), page.events.len());
        assert!(!page.events.is_empty());
    });
}

#[test]
fn wrong_requests_are_refused_and_a_position_beyond_the_log_is_a_conflict() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let ask = |query: &str| feed_answer(&business.client, &business.manager, query);
    // Clocks may differ by a minute.
    assert_eq!(ask(&format!("?since={}", from_now(50))).status, 200);
    let ahead = format!("?since={}", from_now(90));
    for (query, field, code) in [
        (ahead.as_str(), "since", "date_in_future"),
        ("?since=2999-01-01T00:00:00Z&wait=25", "since", "date_in_future"),
        ("?limit=0", "limit", "number_out_of_range"),
        ("?limit=501", "limit", "number_out_of_range"),
        ("?after=-1", "after", "number_out_of_range"),
        ("?wait=26", "wait", "number_out_of_range"),
        ("?type=RemittanceCreated", "type", "value_unknown"),
        ("?since=yesterday", "since", "time_invalid"),
        ("?since=2026-03-01T00:00:00Z&after=1", "since", "after_or_since"),
    ] {
        let answer = ask(query);
        assert_eq!(answer.status, 422, "{query}: {}", answer.body);
        assert_eq!(
            (&answer.body["errors"][0]["field"], &answer.body["errors"][0]["code"]),
            (&json!(field), &json!(code)),
            "{query}"
        );
    }
    for query in ["?after=x", "?unknown=1", "?after=1&after=2"] {
        assert_eq!(ask(query).status, 422, "{query}");
    }
    let head = server.head("acme");
    assert_eq!(
        feed_page(&business.client, &business.manager, &format!("?after={head}")).next,
        head
    );
    let beyond = ask(&format!("?after={}", head + 1));
    assert_eq!(refused(&beyond), (409, "feed_position_unknown"));
    assert_eq!(
        refused(&ask(&format!("?after={}", i64::MAX))),
        (409, "feed_position_unknown")
    );
}

#[test]
fn a_position_with_its_hash_is_read_on_in_the_same_history_alone() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let ask = |query: &str| feed_answer(&business.client, &business.manager, query);
    let first = ask("?after=0&limit=2");
    let (next, hash) = (
        first.header("X-Feed-Next").to_owned(),
        first.header("X-Feed-Hash").to_owned(),
    );
    let last = text(&first.body.as_array().unwrap().last().unwrap()["id"]);
    assert_eq!(last, format!("{next}-{hash}"), "as in the id of the event there");
    let second = ask(&format!("?after={next}&hash={hash}&limit=500"));
    assert_eq!(second.status, 200, "{}", second.body);
    let (end, at_end) = (second.header("X-Feed-Next"), second.header("X-Feed-Hash"));
    let nothing_new = ask(&format!("?after={end}&hash={}", at_end.to_uppercase()));
    assert_eq!(nothing_new.status, 200, "{}", nothing_new.body);
    assert_eq!(
        (nothing_new.header("X-Feed-Next"), nothing_new.header("X-Feed-Hash")),
        (end, at_end)
    );

    let other = ask(&format!("?after={next}&hash={at_end}"));
    assert_eq!(refused(&other), (409, "feed_history_changed"));
    assert_eq!(
        refused(&ask(&format!("?after={}&hash={hash}", 1_000_000))),
        (409, "feed_position_unknown")
    );
    for query in [
        format!("?after={next}&hash=12"),
        format!("?after={next}&hash=zz{}", &hash[2..]),
    ] {
        let wrong = ask(&query);
        assert_eq!(
            (wrong.status, &wrong.body["errors"][0]["code"]),
            (422, &json!("feed_hash_invalid")),
            "{query}"
        );
    }
    let placeless = ask(&format!("?hash={hash}"));
    assert_eq!(placeless.body["errors"][0]["field"], "after");
    assert_eq!(ask("?after=0").header("X-Feed-Hash").len(), 16);
}

#[test]
fn an_api_key_needs_the_scope_of_the_feed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (_, lacking) = key(&business, &["remittances:read"]);
    assert_eq!(
        refused(&feed_answer(&business.client, &lacking, "")),
        (403, "api_key_lacks_scope")
    );
    let (_, secret) = key(&business, &["feed:read"]);
    let own = whole_feed(&business.client, &business.agency_token, 500);
    assert_eq!(whole_feed(&business.client, &secret, 500), own);
    let types = business.client.send(Call::new("GET", "/feed/types").token(&secret));
    let results = types.body["results"].as_array().unwrap();
    assert_eq!(results.len(), schemas::schemas().unwrap().len());
    assert_eq!(
        results[0]["schema"]["$id"],
        format!("urn:caudal:schema:{}", text(&results[0]["type"]))
    );
}

#[test]
fn a_waiting_request_gets_the_next_event_and_ends_with_its_wait_or_its_key() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let (id, secret) = key(&business, &["feed:read"]);
    let head = server.head("acme");
    let client = &business.client;

    let begun = Instant::now();
    let none = feed_page(client, &secret, &format!("?after={head}&wait=1"));
    assert_eq!((none.events.len(), none.next), (0, head));
    assert!(begun.elapsed() >= Duration::from_secs(1));

    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let begun = Instant::now();
            (
                feed_page(client, &secret, &format!("?after={head}&wait=20")),
                begun.elapsed(),
            )
        });
        thread::sleep(Duration::from_millis(500));
        // Not in the agency's scope: the request waits on.
        let note = json!({"currency": "CUP", "amount": "5"});
        business.as_manager(201, "POST", "/sources/deposit/manager", note);
        thread::sleep(Duration::from_millis(500));
        let sold = sell(&business, "10");
        let (page, waited) = waiting.join().unwrap();
        assert_eq!(page.events[0]["data"]["remittance"]["id"], sold.as_str());
        assert_eq!(page.events.len(), 1);
        assert!(
            waited >= Duration::from_secs(1) && waited < Duration::from_secs(15),
            "{waited:?}"
        );
    });

    let head = server.head("acme");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| feed_answer(client, &secret, &format!("?after={head}&wait=20")));
        thread::sleep(Duration::from_millis(500));
        business.as_agency(200, "POST", &format!("/keys/{id}/revoke"), json!({}));
        sell(&business, "10");
        let answer = waiting.join().unwrap();
        assert_eq!(refused(&answer), (401, "api_key_revoked"));
        assert_eq!(answer.header("X-Feed-Next"), "", "nothing is told");
    });
}

#[test]
fn a_party_waits_with_a_bounded_number_of_requests() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let head = server.head("acme");
    let (client, token) = (&business.client, &business.agency_token);
    thread::scope(|scope| {
        let waiting: Vec<_> = (0..MAX_WAITING_OF_A_PARTY)
            .map(|_| scope.spawn(|| feed_page(client, token, &format!("?after={head}&wait=8"))))
            .collect();
        thread::sleep(Duration::from_secs(2));
        let refusal = feed_answer(client, token, &format!("?after={head}&wait=5"));
        assert_eq!(refused(&refusal), (429, "too_many_waiting"));
        assert_eq!(refusal.header("Retry-After"), "5");
        // Without a wait, and for others, the feed goes on.
        feed_page(client, token, &format!("?after={head}"));
        feed_page(client, &business.manager, &format!("?after={head}&wait=1"));
        for waiting in waiting {
            assert_eq!(waiting.join().unwrap().next, head);
        }
    });
    feed_page(client, token, &format!("?after={head}&wait=1"));
}

/// Does all else that the feed tells: with [`do_business`] and a withdrawal, every published type. The reads at the end are
/// those of the day after.
fn do_the_rest(server: &Server, business: &Business) {
    let by_manager =
        |status: u16, method: &str, path: &str, body: Value| business.as_manager(status, method, path, body);
    let delete = |path: &str| {
        let call = Call::new("DELETE", path).token(&business.manager);
        assert_eq!(business.client.send(call).status, 204, "{path}");
    };
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let complete = |id: &str, or_dispute: &str| {
        let [papers, signature] = ["id", "signature"].map(picture);
        let form = [
            ("identificationDocument", "id.png", papers.as_slice()),
            ("firmPicture", "s.png", signature.as_slice()),
            ("orDispute", "", or_dispute.as_bytes()),
        ];
        let call = Call::new("POST", &format!("/remittances/{id}/complete")).token(&dealer);
        business.client.send(call.multipart(form))
    };
    // Delivered, disputed, settled.
    let delivered = sell(business, "10");
    assign(business, &delivered, &json!({"dealerId": business.dealer}));
    assert_eq!(complete(&delivered, "false").status, 200);
    let disputed = sell(business, "10");
    assign(business, &disputed, &json!({"dealerId": business.dealer}));
    business.as_manager(
        200,
        "POST",
        &format!("/remittances/{disputed}/cancel"),
        json!({"reason": "Late"}),
    );
    assert_eq!(complete(&disputed, "true").status, 202);
    let path = format!("/remittances/{disputed}/disputes/1");
    by_manager(200, "PUT", &path, json!({"reason": "Paid back"}));
    // A carrier hands over.
    let other = json!({"name": "Other", "email": "other@example.test", "password": PASSWORD, "handleMLC": true,
                       "provinceId": business.province, "zones": [business.municipality]});
    let other = text(&by_manager(201, "POST", "/dealer", other)["id"]);
    let handed = sell(business, "10");
    assign(business, &handed, &json!({"dealerId": business.dealer}));
    assign(business, &handed, &json!({"dealerId": other}));
    // Customers.
    let (sender, recipient) = business.issuer_with_recipient("Berta");
    let change = json!({"name": "Berta María", "customerType": 0, "phoneNumber": "+13055550123"});
    business.as_agency(200, "PUT", &format!("/customer/{sender}"), change);
    let card = json!({"customerId": recipient, "cardNumber": "9225061234567890", "brand": "bandec_mlc"});
    business.as_agency(201, "POST", "/customer/add_card", card);
    let issuer = |name: &str| {
        text(&business.as_agency(201, "POST", "/customer", json!({"name": name, "customerType": 0}))["id"])
    };
    let gone = issuer("Carla");
    delete(&format!("/users/{gone}"));
    let erased = issuer("Dora");
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    let forget = Command::Customer(CustomerId(erased.parse().unwrap()), CustomerCommand::Forget(order));
    server.submit("acme", forget);
    // Parties.
    let user = |name: &str| {
        let email = format!("{name}@example.test");
        text(
            &by_manager(
                201,
                "POST",
                "/users",
                json!({"name": name, "email": email, "password": PASSWORD}),
            )["id"],
        )
    };
    let (renamed, deleted, forgotten) = (user("renamed"), user("deleted"), user("forgotten"));
    by_manager(200, "PUT", &format!("/users/{renamed}"), json!({"name": "Renée"}));
    delete(&format!("/users/{deleted}"));
    let forget = Command::Party(PartyId(forgotten.parse().unwrap()), PartyCommand::Forget(order));
    server.submit("acme", forget);
    // Reference data.
    let group =
        json!({"name": "USD home", "currencyTo": "USD", "exchangeRate": "1", "managerCommission": {"rate": "2"}});
    let group_id = text(&by_manager(201, "POST", "/nomenclators/payment_group", group.clone())["id"]);
    let mut other_rate = group;
    other_rate["exchangeRate"] = json!("0.99");
    let path = format!("/nomenclators/payment_group/{group_id}");
    by_manager(200, "PUT", &path, other_rate);
    delete(&path);
    let currency = |symbol: &str| {
        json!({"code": "XTS", "symbol": symbol, "exchangeRate": "0.9", "distributionRate": "0",
                                         "accounted": true, "enabled": true})
    };
    let added = text(&by_manager(201, "POST", "/nomenclators/currency", currency("x"))["id"]);
    by_manager(200, "PUT", &format!("/nomenclators/currency/{added}"), currency("X"));
    delete(&format!("/nomenclators/currency/{added}"));
    let path = format!("/nomenclators/municipality/{}", business.municipality);
    by_manager(
        200,
        "PUT",
        &path,
        json!({"distributionFee": "200.00", "distributionFeeCurrency": "CUP"}),
    );
    let path = format!("/nomenclators/province/{}", business.province);
    by_manager(200, "PUT", &path, json!({"enabled": false}));
    // Rates: changed and undone, scheduled and canceled.
    let rates = json!([
        {"kind": "catalogue", "paymentGroupId": business.cup, "from": "320", "to": "330"},
        {"kind": "terms", "partyId": business.agency, "paymentGroupId": business.cup, "from": "320", "to": "328.5"},
    ]);
    let undo = |change: &Value| {
        by_manager(
            200,
            "POST",
            &format!("/rates/changes/{}/undo", text(&change["id"])),
            json!({}),
        );
    };
    undo(&by_manager(201, "POST", "/rates/changes", json!({"rates": rates})));
    let at = (Utc::now() + Days::days(30)).to_rfc3339();
    undo(&by_manager(
        201,
        "POST",
        "/rates/changes",
        json!({"rates": rates, "at": at}),
    ));
    // Money.
    let note = json!({"currency": "CUP", "amount": "5"});
    let posted = by_manager(201, "POST", "/sources/deposit/manager", note);
    let path = format!("/sources/movements/{}/reverse", text(&posted["id"]));
    by_manager(200, "POST", &path, json!({"reason": "Twice"}));
    let manager = by_manager(200, "GET", "/users/profile", Value::Null);
    let open = OpenBalance {
        of: Opened::Cash(PartyId(other.parse().unwrap()), "CUP".parse().unwrap()),
        amount: "250".parse().unwrap(),
    };
    let open = Command::Movement(MovementId::generate(), MovementCommand::Open(open));
    let manager = Actor::Party(PartyId(text(&manager["id"]).parse().unwrap()));
    server.submit_as("acme", manager, open);
    by_manager(201, "POST", "/accounting/closures", json!({"partyId": business.agency}));
    let accepted = AcceptedHistory {
        position: server.head("acme"),
        known_position: server.head("acme"),
        lost_from: None,
        lost_to: None,
        numbers: GivenNumbers::default(),
        reason: "the standby lagged".into(),
    };
    server.submit("acme", Command::Tenant(TenantCommand::AcceptHistory(accepted)));
}

#[test]
fn every_published_type_is_told_in_the_form_of_its_schema_and_a_copy_of_all_equals_the_lists() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    do_business(&business);
    do_the_rest(&server, &business);
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let mut told = BTreeSet::new();
    for token in [&business.manager, &business.agency_token, &dealer] {
        let events = whole_feed(&business.client, token, 500);
        assert_copy_is_read(&business.client, token, &events);
        told.extend(types(&events).into_iter().map(str::to_owned));
    }
    let published: BTreeSet<String> = schemas::schemas()
        .unwrap()
        .keys()
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(told, published);
}

/// The schemas of the released versions, by version.
fn released(folder: &Path) -> BTreeMap<String, BTreeMap<String, Value>> {
    let files = fs::read_dir(folder.join("released"))
        .unwrap()
        .map(|file| file.unwrap().path());
    let of = |path: PathBuf| {
        let version = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (
            version,
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap(),
        )
    };
    files.map(of).collect()
}

#[test]
fn the_schemas_of_every_released_version_are_still_kept() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let schemas = schemas::schemas().unwrap();
    let released = released(&root.join("docs/feed"));
    let changes = fs::read_to_string(root.join("CHANGELOG.md")).unwrap();
    let headings = changes.lines().filter_map(|line| line.strip_prefix("## "));
    for heading in headings.filter(|heading| !heading.contains("not released")) {
        let version = heading.split([',', ' ']).next().unwrap();
        assert!(released.contains_key(version), "run `make freeze` for {version}");
    }
    assert!(!released.is_empty());
    for (version, frozen) in &released {
        for (name, frozen) in frozen {
            let Some(schema) = schemas.get(name.as_str()) else {
                panic!("{name} of {version} is gone");
            };
            let faults = schemas::incompatibilities(frozen, schema);
            assert!(
                faults.is_empty(),
                "{name} differs from {version}: it needs a new version: {faults:?}"
            );
        }
    }
}

#[test]
fn the_published_schemas_are_current_and_changed_in_compatible_ways_only() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/feed");
    let schemas = schemas::schemas().unwrap();
    let mut files = BTreeSet::new();
    for file in fs::read_dir(&folder).unwrap() {
        files.insert(file.unwrap().file_name().into_string().unwrap());
    }
    files.remove("released");
    let named: BTreeSet<_> = schemas.keys().map(|name| format!("{name}.json")).collect();
    assert_eq!(files, named, "a published type stays, and a new one is published");
    for (name, schema) in schemas {
        let published = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let faults = schemas::incompatibilities(&serde_json::from_str(&published).unwrap(), &schema);
        assert!(faults.is_empty(), "{name} needs a new version: {faults:?}");
        assert!(
            published == schemas::text(&schema).unwrap(),
            "run `cargo run -p caudal-api --example public_schemas`"
        );
    }
}
