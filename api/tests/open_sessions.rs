//! The list of open sessions, and ending them: one's own, and by a manager those of his people.

use crate::support::{Answer, Business, Call, Client, MANAGER, PASSWORD, Server, Surroundings, text};
use caudal_api::auth::{address::Proxies, refresh::GRACE};
use chrono::Duration;
use serde_json::{Value, json};
use uuid::Uuid;

const AGENCY: &str = "agency@example.test";
const PHONE: &str = "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36";
const DESK: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";

/// A login from a browser at an address.
struct Login {
    token: String,
    cookie: String,
}

fn log_in(client: &Client, email: &str, agent: &str, address: &str) -> Login {
    let call = Call::new("POST", "/auth0/login").json(&json!({"email": email, "password": PASSWORD}));
    let answer = client.send(call.header("User-Agent", agent).header("X-Forwarded-For", address));
    assert_eq!(answer.status, 200, "{}", answer.body);
    Login {
        token: text(&answer.body["token"]["accessToken"]),
        cookie: answer.header("Set-Cookie").split(';').next().unwrap().to_owned(),
    }
}

fn behind_a_proxy(tenants: &[&str]) -> Server {
    let proxies = Proxies(vec!["127.0.0.0/8".parse().unwrap()]);
    let around = Surroundings {
        proxies,
        ..Surroundings::default()
    };
    Server::among(tenants, around)
}

fn list(client: &Client, token: &str, query: &str) -> Vec<Value> {
    let answer = client.expect(200, token, "GET", &format!("/sessions{query}"), None);
    answer["results"].as_array().unwrap().clone()
}

fn end(client: &Client, token: &str, rest: &str) -> Answer {
    client.send(Call::new("DELETE", &format!("/sessions{rest}")).token(token))
}

fn works(client: &Client, token: &str) -> bool {
    client.send(Call::new("GET", "/users/profile").token(token)).status == 200
}

fn id(session: &Value) -> String {
    text(&session["id"])
}

fn origin(session: &Value) -> [&str; 3] {
    ["browser", "system", "address"].map(|field| session[field].as_str().unwrap_or_default())
}

#[test]
fn a_party_sees_where_it_is_logged_in_and_a_renewal_tells_the_present_address() {
    let server = behind_a_proxy(&["acme"]);
    let client = &Business::new(&server, "acme").client;
    let desk = log_in(client, AGENCY, DESK, "203.0.113.7");
    server.pass(Duration::minutes(2));
    let phone = log_in(client, AGENCY, PHONE, "2001:db8::7");
    let seen = list(client, &desk.token, "");
    // The third is that of the setup.
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert_eq!(origin(&seen[0]), ["chrome", "android", "2001:db8::7"]);
    assert_eq!(origin(&seen[1]), ["firefox", "linux", "203.0.113.7"]);
    assert_eq!(origin(&seen[2])[..2], ["other", "other"]);
    let current: Vec<bool> = seen.iter().map(|session| session["isCurrent"] == true).collect();
    assert_eq!(current, [false, true, false]);
    assert!(seen[1]["created"].as_str() < seen[0]["created"].as_str(), "{seen:?}");

    server.pass(GRACE + Duration::seconds(1));
    let call = Call::new("POST", "/auth0/token").header("Cookie", &desk.cookie);
    let renewed = client.send(call.header("User-Agent", DESK).header("X-Forwarded-For", "203.0.113.8"));
    assert_eq!(renewed.status, 200, "{}", renewed.body);
    let seen = list(client, &phone.token, "");
    assert_eq!(
        origin(&seen[0]),
        ["firefox", "linux", "203.0.113.8"],
        "the last used is first"
    );
    assert!(seen[0]["lastUsed"].as_str() > seen[0]["created"].as_str());
}

#[test]
fn a_party_ends_one_session_or_all_others_at_once() {
    let server = behind_a_proxy(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let [desk, phone, lost] = [DESK, PHONE, PHONE].map(|agent| log_in(client, AGENCY, agent, "203.0.113.7"));
    assert!(works(client, &lost.token));
    let of_lost = list(client, &lost.token, "");
    let of_lost = of_lost.iter().find(|session| session["isCurrent"] == true).unwrap();
    let path = format!("/{}", id(of_lost));

    // Nobody else's: another party's, another tenant's, an unknown one.
    let dealer = client.login("dealer@example.test", PASSWORD);
    let elsewhere = server.client("other");
    let foreign = elsewhere.login(MANAGER, PASSWORD);
    for (client, token) in [(client, &dealer), (&elsewhere, &foreign)] {
        assert_eq!(end(client, token, &path).code(), "session_not_found");
    }
    assert_eq!(end(client, &desk.token, &format!("/{}", Uuid::now_v7())).status, 404);
    assert!(works(client, &lost.token));

    assert_eq!(end(client, &desk.token, &path).status, 204);
    assert!(!works(client, &lost.token), "at once");
    let renewed = client.send(Call::new("POST", "/auth0/token").header("Cookie", &lost.cookie));
    assert_eq!(renewed.code(), "session_ended");
    assert_eq!(
        end(client, &desk.token, &path).status,
        204,
        "an answer that was lost is asked for again"
    );
    assert!(works(client, &phone.token));

    assert_eq!(end(client, &desk.token, "").status, 204);
    assert!(!works(client, &phone.token) && !works(client, &business.agency_token));
    assert!(works(client, &desk.token), "the one that asked goes on");
    assert_eq!(list(client, &desk.token, "").len(), 1);
    assert!(
        works(client, &dealer) && works(client, &business.manager),
        "others go on"
    );
}

#[test]
fn a_manager_sees_and_ends_the_sessions_of_his_people_and_nobody_else_does() {
    let server = behind_a_proxy(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let phone = log_in(client, AGENCY, PHONE, "203.0.113.7");
    let query = format!("?partyId={}", business.agency);
    let seen = list(client, &business.manager, &query);
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().all(|session| session["isCurrent"] == false));
    assert_eq!(origin(&seen[0]), ["chrome", "android", "203.0.113.7"]);
    let one = format!("/{}{query}", id(&seen[0]));

    let dealer = client.login("dealer@example.test", PASSWORD);
    let elsewhere = server.client("other");
    let foreign = elsewhere.login(MANAGER, PASSWORD);
    for (client, token) in [(client, &dealer), (&elsewhere, &foreign)] {
        for (method, path) in [("GET", &query), ("DELETE", &query), ("DELETE", &one)] {
            let answer = client.send(Call::new(method, &format!("/sessions{path}")).token(token));
            assert_eq!(
                (answer.status, answer.code()),
                (404, "party_not_found"),
                "{method} {path}"
            );
        }
    }
    // The manager's own sessions do not contain it.
    let own = format!("/{}", id(&seen[0]));
    assert_eq!(end(client, &business.manager, &own).code(), "session_not_found");
    assert!(works(client, &phone.token));

    assert_eq!(end(client, &business.manager, &one).status, 204);
    assert!(!works(client, &phone.token) && works(client, &business.agency_token));
    assert_eq!(end(client, &business.manager, &query).status, 204);
    assert!(!works(client, &business.agency_token) && works(client, &business.manager));
    assert!(list(client, &business.manager, &query).is_empty());
}

#[test]
fn a_login_from_a_new_device_is_mailed_to_the_owner_and_one_from_a_known_device_is_not() {
    let server = behind_a_proxy(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let person = json!({"name": "Zoraida", "email": "zoraida@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", person);
    let from = |agent, device: &str| {
        let body = json!({"email": "zoraida@example.test", "password": PASSWORD});
        let call = Call::new("POST", "/auth0/login")
            .json(&body)
            .header("User-Agent", agent);
        let answer = client.send(call.header("X-Forwarded-For", "203.0.113.7").header("Cookie", device));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let cookies = answer
            .headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
        let mut cookies = cookies.map(|(_, cookie)| cookie.split(';').next().unwrap().to_owned());
        cookies.find(|cookie| cookie.contains("device")).unwrap()
    };
    let of_person = |count| {
        let mails = server.notices(count);
        let mails = mails
            .into_iter()
            .filter(|mail| mail.contains("To: zoraida@example.test"));
        mails.collect::<Vec<_>>()
    };
    // The first login of an account is on a new device always.
    let desk = from(DESK, "");
    from(DESK, &desk);
    from(PHONE, "");
    let mut mails = of_person(1);
    while mails.is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(20));
        mails = of_person(1);
    }
    assert_eq!(mails.len(), 1, "{mails:?}");
    let mail = &mails[0];
    assert!(
        mail.contains("Hello Zoraida,") && mail.contains("Device: Chrome, Android"),
        "{mail}"
    );
    assert!(
        mail.contains("Network address: 203.0.113.7") && mail.contains("(America/Havana)"),
        "{mail}"
    );
}

#[test]
fn sessions_that_another_password_ended_are_not_listed() {
    let server = behind_a_proxy(&["acme"]);
    let business = Business::new(&server, "acme");
    let query = format!("?partyId={}", business.agency);
    assert_eq!(list(&business.client, &business.manager, &query).len(), 1);
    let path = format!("/users/{}", business.agency);
    business.as_manager(200, "PUT", &path, json!({"password": "Nueva#2027"}));
    assert!(list(&business.client, &business.manager, &query).is_empty());
}
