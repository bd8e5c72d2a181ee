//! Seeing as another: a manager reads what another party reads, writes nothing, is seen and recorded.

use crate::support::{Answer, Business, Call, Client, MANAGER, PASSWORD, Server, text};
use caudal_api::{
    auth::tokens::LIFETIME,
    policy::{Access, FreshCode, TABLE},
};
use caudal_domain::party::Role;
use chrono::Duration;
use serde_json::{Value, json};
use uuid::Uuid;

fn see_as(client: &Client, token: &str, party: &str) -> Answer {
    client.send(Call::new("POST", &format!("/users/{party}/viewing")).token(token))
}

fn seen_as(client: &Client, token: &str, party: &str) -> String {
    let answer = see_as(client, token, party);
    assert_eq!(answer.status, 201, "{}", answer.body);
    text(&answer.body["accessToken"])
}

fn profile(client: &Client, token: &str) -> Answer {
    client.send(Call::new("GET", "/users/profile").token(token))
}

fn sessions(client: &Client, token: &str) -> Vec<Value> {
    let list = client.expect(200, token, "GET", "/sessions", None);
    list["results"].as_array().unwrap().clone()
}

#[test]
fn a_manager_sees_as_an_agency_which_sees_it_and_ends_it() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency) = (&business.client, &business.agency_token);
    let own = sessions(client, agency).len();
    let viewing = seen_as(client, &business.manager, &business.agency);
    let seen = profile(client, &viewing);
    assert_eq!((seen.status, &seen.body["id"]), (200, &json!(business.agency)));
    // The agency is told.
    let mail = server.mails(1).remove(0);
    assert!(mail.contains("Manager"), "{mail}");
    let listed = sessions(client, agency);
    assert_eq!(listed.len(), own + 1);
    let of_viewer: Vec<&Value> = listed.iter().filter(|session| !session["seenBy"].is_null()).collect();
    assert_eq!(of_viewer.len(), 1, "{listed:?}");
    assert_eq!(of_viewer[0]["seenBy"]["name"], "Manager");
    // It ends it.
    let path = format!("/sessions/{}", text(&of_viewer[0]["id"]));
    client.expect(204, agency, "DELETE", &path, None);
    assert_eq!(profile(client, &viewing).code(), "session_ended");
}

#[test]
fn of_two_ways_of_seeing_at_once_one_stays_open() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    for _ in 0..4 {
        let tokens: Vec<String> = std::thread::scope(|scope| {
            let parties = [&business.agency, &business.dealer];
            let asked = parties.map(|party| scope.spawn(|| seen_as(client, &business.manager, party)));
            asked.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let open = tokens.iter().filter(|token| profile(client, token).status == 200);
        assert_eq!(open.count(), 1);
    }
}

#[test]
fn nothing_can_be_written_and_no_file_of_people_taken_on_any_route() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let head = server.head("acme");
    let other_manager = json!({"name": "Otro", "email": "otro@example.test", "password": PASSWORD});
    let other = client.expect(201, &business.manager, "POST", "/users", Some(other_manager));
    let head = server.head("acme").max(head);
    for (party, role) in [
        (business.agency.clone(), Role::Agency),
        (text(&other["id"]), Role::Manager),
    ] {
        let viewing = seen_as(client, &business.manager, &party);
        let mut refused = 0;
        for row in TABLE.iter() {
            let Access::Roles(roles) = row.access else { continue };
            if row.ends_viewing || !roles.contains(&role) {
                continue;
            }
            let path = row.path.trim_start_matches("/api");
            let path = path
                .split('/')
                .map(|part| {
                    if part.starts_with('{') {
                        Uuid::nil().to_string()
                    } else {
                        part.to_owned()
                    }
                })
                .collect::<Vec<_>>()
                .join("/");
            let queries: &[&str] = match row.fresh_code {
                FreshCode::Never if row.method == "GET" => &[],
                FreshCode::Never | FreshCode::Always => &[""],
                FreshCode::ForFile => &["?format=csv"],
                FreshCode::ForWhole => &["?format=csv", "?RecordsPerPage=0"],
            };
            for query in queries {
                let call = Call::new(row.method, &format!("{path}{query}")).token(&viewing);
                let answer = client.send(if row.method == "GET" {
                    call
                } else {
                    call.json(&json!({}))
                });
                assert_eq!(
                    (answer.status, answer.code()),
                    (403, "seeing_as_reads_only"),
                    "{} {path}{query}",
                    row.method
                );
                refused += 1;
            }
        }
        assert!(refused > 40, "{refused} of {role:?}");
        // A preview writes nothing, and is refused too.
        let preview = Call::new("POST", "/remittances")
            .token(&viewing)
            .header("X-Preview", "true");
        assert_eq!(client.send(preview.json(&business.sale("5"))).status, 403);
    }
    assert_eq!(server.head("acme"), head, "nothing was written");
}

#[test]
fn it_ends_by_its_time_by_its_end_by_the_viewers_logout_and_by_the_next_one() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, agency) = (&business.client, &business.agency);
    let manager = client.login(MANAGER, PASSWORD);
    let first = seen_as(client, &manager, agency);
    let second = seen_as(client, &manager, &business.dealer);
    assert_eq!(profile(client, &first).status, 401, "one at a time");
    client.expect(204, &second, "DELETE", "/viewing", None);
    assert_eq!(profile(client, &second).status, 401);
    let own = client.send(Call::new("DELETE", "/viewing").token(&manager));
    assert_eq!((own.status, own.code()), (409, "seeing_as_nobody"));

    let third = seen_as(client, &manager, agency);
    // It is no session that could be renewed: there is no cookie, and the end of the token is the end.
    let answer = see_as(client, &manager, agency);
    assert_eq!(answer.header("Set-Cookie"), "");
    let fourth = text(&answer.body["accessToken"]);
    assert_eq!(profile(client, &third).status, 401);
    client.send(Call::new("POST", "/auth0/logout").token(&manager));
    server.pass(Duration::seconds(4));
    assert_eq!(profile(client, &fourth).code(), "session_ended");

    let manager = client.login(MANAGER, PASSWORD);
    let fifth = seen_as(client, &manager, agency);
    server.pass(LIFETIME + Duration::seconds(1));
    assert_eq!(profile(client, &fifth).status, 401);
}

#[test]
fn managers_alone_see_as_others_of_their_own_tenant_within_their_permissions() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let (agency, manager) = (&business.agency_token, &business.manager);
    assert_eq!(see_as(client, agency, &business.dealer).code(), "role_not_allowed");
    let me = text(&profile(client, manager).body["id"]);
    assert_eq!(see_as(client, manager, &me).status, 404, "nobody sees as himself");
    assert_eq!(see_as(client, manager, &Uuid::now_v7().to_string()).status, 404);
    let elsewhere = server.client("other");
    let foreign = elsewhere.login(MANAGER, PASSWORD);
    assert_eq!(see_as(&elsewhere, &foreign, &business.agency).status, 404);
    // A member of the office who reads sales alone sees nobody, and least of all a full manager.
    for (set, email) in [
        ("auditor", "auditor@example.test"),
        ("operations", "operations@example.test"),
    ] {
        let new = json!({"name": "Eva", "email": email, "password": PASSWORD, "permissionSet": set});
        client.expect(201, manager, "POST", "/users", Some(new));
        let member = client.login(email, PASSWORD);
        assert_eq!(see_as(client, &member, &me).status, 403, "{set}");
    }
    let auditor = client.login("auditor@example.test", PASSWORD);
    assert_eq!(see_as(client, &auditor, &business.agency).status, 403);
    // A viewing begins no other.
    let viewing = seen_as(client, manager, &business.agency);
    assert_eq!(see_as(client, &viewing, &business.dealer).status, 403);
}

#[test]
fn a_manager_who_sees_as_the_one_who_pays_to_a_card_sees_its_last_digits() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, manager) = (&business.client, &business.manager);
    let number = "9225061234567890";
    let card = json!({"customerId": business.recipient, "cardNumber": number, "brand": "bandec_mlc"});
    let card = text(&business.as_agency(201, "POST", "/customer/add_card", card)["id"]);
    let group =
        json!({"name": "MLC card", "currencyTo": "MLC", "exchangeRate": "0.8", "managerCommission": {"rate": "2"}});
    let group = text(&business.as_manager(201, "POST", "/nomenclators/payment_group", group)["id"]);
    let terms = json!({"paymentGroupId": group, "agencyCommission": {"rate": "1"}});
    let path = format!("/agency/exchange_rate/{}", business.agency);
    business.as_manager(200, "PUT", &path, terms);
    let path = format!("/sources/deposit/agency/{}", business.agency);
    business.as_manager(201, "POST", &path, json!({"paymentGroupId": group, "amount": "1000"}));
    let cash = json!({"currency": "MLC", "amount": "1000"});
    business.as_manager(201, "POST", "/sources/deposit/manager", cash);
    let sale = json!({"senderId": business.sender, "recipientId": business.recipient, "paymentGroupId": group,
                      "amount": "50", "deliveryMethod": "card", "cardId": card});
    let id = text(&business.as_agency(201, "POST", "/remittances", sale)["id"]);
    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
    let dealer = client.login("dealer@example.test", PASSWORD);
    let viewing = seen_as(client, manager, &business.dealer);
    let shown = |token: &str| {
        let found = client.expect(200, token, "GET", &format!("/remittances/{id}"), None);
        text(&found["card"]["cardNumber"])
    };
    assert_eq!(shown(&dealer), number, "who pays to it");
    for token in [&viewing, manager, &business.agency_token] {
        assert_eq!(shown(token), "************7890");
    }
    // The log shows no more, in the event and in the record through time.
    let events = client.expect(200, manager, "GET", "/audit/events?eventType=CardAdded", None);
    let position = &events["data"][0]["position"];
    let event = client.expect(200, manager, "GET", &format!("/audit/events/{position}"), None);
    let timeline = format!("/audit/timeline/customer/{}", business.recipient);
    let timeline = client.expect(200, manager, "GET", &timeline, None);
    for said in [event.to_string(), timeline.to_string()] {
        assert!(said.contains("************7890") && !said.contains(number), "{said}");
    }
}

#[test]
fn each_read_is_recorded_with_the_viewer_and_the_party_seen() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, manager) = (&business.client, &business.manager);
    let viewing = seen_as(client, manager, &business.agency);
    client.expect(200, &viewing, "GET", "/remittances", None);
    let details = format!("/customer/{}/details", business.sender);
    client.expect(200, &viewing, "GET", &details, None);
    let page = client.expect(200, manager, "GET", "/audit/readings?recordsPerPage=100", None);
    let rows: Vec<&Value> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| !row["seenAs"].is_null() || row["kind"] == "viewing")
        .collect();
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["customer", "page", "viewing"]);
    for row in &rows {
        assert_eq!(row["reader"]["name"], "Manager");
    }
    assert_eq!(rows[1]["call"], "/api/remittances");
    assert_eq!(rows[1]["seenAs"]["id"], json!(business.agency));
    assert_eq!(rows[2]["record"]["id"], json!(business.agency));
}

#[test]
fn a_file_of_reads_tells_pages_seen_as_another_from_a_managers_own() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, manager) = (&business.client, &business.manager);
    let told = || {
        let file = client.send(
            Call::new("GET", "/audit/readings?format=csv&kind=page")
                .token(manager)
                .header("Accept-Language", "es"),
        );
        String::from_utf8(file.bytes).unwrap()
    };
    client.expect(200, manager, "GET", "/customer/sender?recordsPerPage=100", None);
    let own = told();
    assert!(own.contains("/api/customer/sender"), "{own}");
    assert!(!own.contains("vista como otro usuario"), "{own}");
    let viewing = seen_as(client, manager, &business.agency);
    client.expect(200, &viewing, "GET", "/remittances", None);
    let both = told();
    let seen = both
        .lines()
        .filter(|line| line.contains("Pantalla vista como otro usuario"));
    assert_eq!(seen.count(), 1, "{both}");
}
