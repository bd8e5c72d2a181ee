//! Login, renewal, logout, and the validity of tokens.

use crate::support::{Answer, Business, Call, Client, MANAGER, PASSWORD, Server, Surroundings, text};
use caudal_api::auth::{address::Proxies, limits::FAILURES, passwords::Cost, refresh::GRACE};
use chrono::Duration;
use serde_json::json;
use std::time::Instant;

fn try_login(client: &Client, email: &str, password: &str) -> Answer {
    client.send(Call::new("POST", "/auth0/login").json(&json!({"email": email, "password": password})))
}

/// The cookie set by an answer, as a browser would send it.
fn cookie(answer: &Answer) -> String {
    let set = answer.header("Set-Cookie");
    set.split(';').next().unwrap_or_default().to_owned()
}

fn renew(client: &Client, cookie: &str) -> Answer {
    client.send(Call::new("POST", "/auth0/token").header("Cookie", cookie))
}

#[test]
fn a_login_returns_a_short_lived_token_a_profile_and_an_http_only_cookie() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let answer = try_login(&client, "  MANAGER@example.test ", PASSWORD);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["token"]["expiresIn"], 900);
    assert_eq!(answer.body["profile"]["userType"], 5);
    assert_eq!(answer.body["profile"]["timeZone"], "America/Havana");
    let set = answer.header("Set-Cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/api/auth0", "Max-Age=604800"] {
        assert!(set.contains(part), "{part} in {set}");
    }
    assert!(
        !set.contains("Secure"),
        "over plain HTTP the browser would not send it back"
    );
}

/// The cookies set by a login with these headers, at a server with these surroundings.
fn cookies_of_a_login(around: Surroundings, headers: &[(&str, &str)]) -> Vec<String> {
    let server = Server::among(&["acme"], around);
    let mut call = Call::new("POST", "/auth0/login").json(&json!({"email": MANAGER, "password": PASSWORD}));
    for (name, value) in headers {
        call = call.header(name, value);
    }
    let answer = server.client("acme").send(call);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
    set.map(|(_, value)| value.clone()).collect()
}

fn behind_a_proxy() -> Surroundings {
    Surroundings {
        proxies: Proxies(vec!["127.0.0.0/8".parse().unwrap()]),
        ..Surroundings::default()
    }
}

fn at(url: &str) -> Surroundings {
    Surroundings {
        public_url: Some(url.parse().unwrap()),
        ..Surroundings::default()
    }
}

#[test]
fn cookies_are_secure_where_a_trusted_proxy_or_the_public_url_reports_tls() {
    let https = [("X-Forwarded-Proto", "https")];
    for (around, headers) in [
        (behind_a_proxy(), &https[..]),
        (behind_a_proxy(), &[("Forwarded", "for=192.0.2.1;proto=https")]),
        (at("https://caudal.example"), &[]),
        (at("https://caudal.example"), &[("X-Forwarded-Proto", "http")]),
    ] {
        let set = cookies_of_a_login(around, headers);
        assert_eq!(set.len(), 2);
        for cookie in set {
            for part in ["__Host-caudal_", "Secure", "HttpOnly", "SameSite=Strict", "Path=/;"] {
                assert!(cookie.contains(part), "{part} in {cookie}");
            }
        }
    }
}

#[test]
fn cookies_stay_plain_without_a_trusted_report_of_tls() {
    let elsewhere = Surroundings {
        proxies: Proxies(vec!["192.0.2.0/24".parse().unwrap()]),
        ..Surroundings::default()
    };
    let https = [("X-Forwarded-Proto", "https"), ("Forwarded", "proto=https")];
    for (around, headers) in [
        (Surroundings::default(), &https[..]),
        (elsewhere, &https),
        (behind_a_proxy(), &[]),
        (behind_a_proxy(), &[("X-Forwarded-Proto", "http")]),
        (at("http://caudal.example"), &https),
    ] {
        for cookie in cookies_of_a_login(around, headers) {
            assert!(cookie.starts_with("caudal_") && !cookie.contains("Secure"), "{cookie}");
            assert!(cookie.contains("Path=/api/auth0"), "{cookie}");
        }
    }
}

#[test]
fn over_tls_only_the_prefixed_cookie_renews_and_ends_a_session() {
    let server = Server::among(&["acme"], at("https://caudal.example"));
    let client = server.client("acme");
    let first = cookie(&try_login(&client, MANAGER, PASSWORD));
    assert!(first.starts_with("__Host-caudal_session="), "{first}");
    let planted = first.replace("__Host-", "");
    assert_eq!(renew(&client, &planted).code(), "session_ended", "a neighbour's cookie");
    let renewed = renew(&client, &first);
    assert_eq!(renewed.status, 200, "{}", renewed.body);
    let out = client.send(Call::new("POST", "/auth0/logout").header("Cookie", &cookie(&renewed)));
    assert_eq!(out.status, 204);
    let set = out.header("Set-Cookie");
    assert!(
        set.starts_with("__Host-caudal_session=;") && set.contains("Secure"),
        "{set}"
    );
    assert_eq!(renew(&client, &cookie(&renewed)).code(), "session_ended");
}

/// The cookie that identifies a known device.
fn device_cookie(answer: &Answer) -> String {
    let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
    let device = set
        .map(|(_, value)| value)
        .find(|value| value.starts_with("caudal_device="));
    device.unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn distributed_guessing_does_not_lock_out_a_known_device() {
    let server = Server::among(&["acme"], behind_a_proxy());
    let client = server.client("acme");
    let log_in = |from: &str, device: &str, password: &str| {
        let body = json!({"email": MANAGER, "password": password});
        let call = Call::new("POST", "/auth0/login").json(&body);
        client.send(call.header("X-Forwarded-For", from).header("Cookie", device))
    };
    let known = device_cookie(&log_in("198.51.100.1", "", PASSWORD));
    for stranger in 0..5 {
        for _ in 0..FAILURES.account_and_address {
            assert_eq!(log_in(&format!("203.0.113.{stranger}"), "", "Wrong#2026").status, 401);
        }
    }
    assert_eq!(log_in("198.51.100.9", "", PASSWORD).status, 429, "from a new device");
    let from_a_new_address = log_in("198.51.100.9", &known, PASSWORD);
    assert_eq!(from_a_new_address.status, 200, "{}", from_a_new_address.body);

    // Failures of a known device are limited too, and its cookie is not valid for another account.
    for _ in 0..FAILURES.known {
        assert_eq!(log_in("198.51.100.1", &known, "Wrong#2026").status, 401);
    }
    assert_eq!(log_in("198.51.100.1", &known, PASSWORD).status, 429);
    let forged = known.replacen("caudal_device=", "caudal_device=0", 1);
    assert_eq!(log_in("198.51.100.1", &forged, PASSWORD).status, 429);
}

#[test]
fn a_link_with_another_tenant_does_not_change_a_session() {
    let server = Server::start(&["acme", "other"]);
    let client = server.client("acme");
    let login = try_login(&client, MANAGER, PASSWORD);
    let session = cookie(&login);
    for link in [
        "root:/?tenant=other",
        "root:/remittances?tenant=other",
        "root:/?tenant=%00",
    ] {
        let page = client.send(Call::new("GET", link).header("Cookie", &session));
        assert_eq!(page.header("Set-Cookie"), "", "{link}");
    }
    let token = login.body["token"]["accessToken"].as_str().unwrap();
    client.expect(200, token, "GET", "/users/profile", None);
    assert_eq!(renew(&client, &session).status, 200);
}

#[test]
fn a_wrong_password_an_unknown_address_and_an_unknown_tenant_get_equal_answers() {
    let server = Server::start(&["acme"]);
    let wrong = try_login(&server.client("acme"), MANAGER, "Wrong#2026");
    let unknown = try_login(&server.client("acme"), "nobody@example.test", PASSWORD);
    let elsewhere = try_login(&server.client("nowhere"), MANAGER, PASSWORD);
    for answer in [&wrong, &unknown, &elsewhere] {
        assert_eq!((answer.status, answer.code()), (401, "login_failed"));
        assert_eq!(answer.body, wrong.body);
        assert_eq!(answer.header("Set-Cookie"), "");
    }
}

#[test]
fn unknown_accounts_and_wrong_passwords_take_equal_time() {
    const TRIES: u32 = FAILURES.account_and_address - 2;
    let surroundings = Surroundings {
        password_cost: Some(Cost::RECOMMENDED),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], surroundings);
    let timed = |tenant: &str, email: &str| {
        let begun = Instant::now();
        assert_eq!(try_login(&server.client(tenant), email, "Wrong#2026").status, 401);
        begun.elapsed()
    };
    timed("acme", "somebody@example.test");
    for (tenant, email) in [("acme", "nobody@example.test"), ("nowhere", "nobody@example.test")] {
        let tries = (0..TRIES / 2).map(|_| (timed(tenant, email), timed("acme", MANAGER)));
        let (nobody, known): (Vec<_>, Vec<_>) = tries.unzip();
        // Without the hash computation an attempt would take a fraction. A busy machine slows some attempts, rarely
        // all.
        assert!(
            *nobody.iter().min().unwrap() * 2 >= *known.iter().min().unwrap(),
            "{nobody:?} at {tenant}, {known:?}"
        );
    }
}

#[test]
fn guesses_at_one_account_are_limited_and_others_at_the_same_ip_are_not() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    for _ in 0..FAILURES.account_and_address {
        assert_eq!(try_login(client, MANAGER, "Wrong#2026").status, 401);
    }
    let refused = try_login(client, MANAGER, PASSWORD);
    assert_eq!((refused.status, refused.code()), (429, "too_many_attempts"));
    let wait: u64 = refused.header("Retry-After").parse().unwrap();
    assert!((1..=900).contains(&wait), "{wait}");
    assert_eq!(try_login(client, "agency@example.test", PASSWORD).status, 200);
}

#[test]
fn behind_a_trusted_proxy_failures_count_per_client_and_forged_headers_are_ignored() {
    let loopback = "127.0.0.0/8".parse().unwrap();
    let around = Surroundings {
        proxies: Proxies(vec![loopback]),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let client = server.client("acme");
    let from = |forwarded: &str| {
        let body = json!({"email": MANAGER, "password": "Wrong#2026"});
        let call = Call::new("POST", "/auth0/login").json(&body);
        client.send(call.header("X-Forwarded-For", forwarded)).status
    };
    for attempt in 0..FAILURES.account_and_address {
        assert_eq!(from(&format!("10.1.1.{attempt}, 198.51.100.7")), 401);
    }
    assert_eq!(from("198.51.100.7"), 429);
    assert_eq!(from("10.9.9.9, 198.51.100.7"), 429);
    assert_eq!(from("198.51.100.8"), 401);
}

/// Sets the clock past the grace period of a rotated token.
fn grace_is_over(server: &Server) {
    server.pass(GRACE + Duration::seconds(1));
}

#[test]
fn a_refresh_token_reused_after_the_grace_period_ends_the_session() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let first = cookie(&try_login(&client, MANAGER, PASSWORD));
    let renewed = renew(&client, &first);
    assert_eq!(renewed.status, 200, "{}", renewed.body);
    let second = cookie(&renewed);
    assert_ne!(first, second);
    let token = renewed.body["accessToken"].as_str().unwrap();
    client.expect(200, token, "GET", "/users/profile", None);

    grace_is_over(&server);
    assert_eq!(renew(&client, &first).code(), "session_ended");
    assert_eq!(
        renew(&client, &second).code(),
        "session_ended",
        "the thief's or the owner's: both are out"
    );
    let after = client.send(Call::new("GET", "/users/profile").token(token));
    assert_eq!((after.status, after.code()), (401, "session_ended"));
    assert_eq!(renew(&client, "caudal_session=rubbish").code(), "session_ended");
    assert_eq!(client.send(Call::new("POST", "/auth0/token")).code(), "session_ended");
}

#[test]
fn who_knows_the_id_of_a_session_neither_ends_it_nor_makes_its_token_look_stolen() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let first = cookie(&try_login(&client, MANAGER, PASSWORD));
    let renewed = renew(&client, &first);
    let token = renewed.body["accessToken"].as_str().unwrap().to_owned();
    let listed = client.expect(200, &token, "GET", "/sessions", None);
    let id = text(&listed["results"][0]["id"]).replace('-', "");
    let made_up = format!("caudal_session={id}.{}", "A".repeat(43));
    grace_is_over(&server);
    assert_eq!(renew(&client, &made_up).code(), "session_ended");
    let out = client.send(Call::new("POST", "/auth0/logout").header("Cookie", &made_up));
    assert_eq!(out.status, 204);
    client.expect(200, &token, "GET", "/users/profile", None);
    // A token that was issued ends it, also an older one.
    let out = client.send(Call::new("POST", "/auth0/logout").header("Cookie", &first));
    assert_eq!(out.status, 204);
    let after = client.send(Call::new("GET", "/users/profile").token(&token));
    assert_eq!((after.status, after.code()), (401, "session_ended"));
}

#[test]
fn a_lost_renewal_answer_is_repeated_and_the_session_continues() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let first = cookie(&try_login(&client, MANAGER, PASSWORD));
    let lost = cookie(&renew(&client, &first));
    let again = renew(&client, &first);
    assert_eq!((again.status, cookie(&again)), (200, lost.clone()));
    client.expect(
        200,
        again.body["accessToken"].as_str().unwrap(),
        "GET",
        "/users/profile",
        None,
    );
    assert_eq!(cookie(&renew(&client, &lost)), lost, "it came into force a moment ago");
    let mut current = lost;
    for _ in 0..3 {
        grace_is_over(&server);
        let next = renew(&client, &current);
        assert_eq!(next.status, 200, "{}", next.body);
        assert_ne!(cookie(&next), current);
        current = cookie(&next);
    }
}

#[test]
fn a_stolen_token_used_within_the_grace_period_is_detected_at_the_next_rotation() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let stolen = cookie(&try_login(&client, MANAGER, PASSWORD));
    let owner = cookie(&renew(&client, &stolen));
    let thief = cookie(&renew(&client, &stolen));
    assert_eq!(owner, thief, "nobody is thrown out yet");
    grace_is_over(&server);
    let thief = cookie(&renew(&client, &thief));
    grace_is_over(&server);
    assert_eq!(renew(&client, &owner).code(), "session_ended");
    assert_eq!(renew(&client, &thief).code(), "session_ended");
}

#[test]
fn a_session_ends_at_its_idle_timeout_and_at_its_maximum_age() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let mut used = cookie(&renew(&client, &cookie(&try_login(&client, MANAGER, PASSWORD))));
    let mut ended_on = None;
    let other = cookie(&try_login(&client, MANAGER, PASSWORD));
    for day in (6..40).step_by(6) {
        server.pass(Duration::days(6));
        let answer = renew(&client, &used);
        if answer.status != 200 {
            ended_on = Some(day);
            break;
        }
        used = cookie(&answer);
        if day == 12 {
            assert_eq!(renew(&client, &other).code(), "session_ended", "unused for 12 days");
        }
    }
    assert_eq!(ended_on, Some(30), "however much it is used");
}

#[test]
fn a_refresh_token_is_invalid_in_another_tenant() {
    let server = Server::start(&["acme", "other"]);
    let cookie = cookie(&try_login(&server.client("acme"), MANAGER, PASSWORD));
    assert_eq!(renew(&server.client("other"), &cookie).status, 401);
    assert_eq!(renew(&server.client("acme"), &cookie).status, 200);
}

#[test]
fn concurrent_renewals_of_one_token_get_one_successor() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let first = cookie(&try_login(&client, MANAGER, PASSWORD));
    let answers: Vec<(u16, String)> = std::thread::scope(|scope| {
        let renew = || {
            let answer = renew(&client, &first);
            (answer.status, cookie(&answer))
        };
        let renewals: Vec<_> = (0..8).map(|_| scope.spawn(renew)).collect();
        renewals.into_iter().map(|renewal| renewal.join().unwrap()).collect()
    });
    assert!(
        answers.iter().all(|answer| answer.0 == 200 && *answer == answers[0]),
        "{answers:?}"
    );
    assert_ne!(answers[0].1, first);
}

#[test]
fn logout_ends_the_session_for_all_its_tokens() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let login = try_login(&client, MANAGER, PASSWORD);
    let (cookie, token) = (
        cookie(&login),
        login.body["token"]["accessToken"].as_str().unwrap().to_owned(),
    );
    client.expect(200, &token, "GET", "/users/profile", None);
    let out = client.send(Call::new("POST", "/auth0/logout").header("Cookie", &cookie));
    assert_eq!(out.status, 204);
    assert!(
        out.header("Set-Cookie").contains("Max-Age=0"),
        "{}",
        out.header("Set-Cookie")
    );
    assert_eq!(renew(&client, &cookie).code(), "session_ended");
    let after = client.send(Call::new("GET", "/users/profile").token(&token));
    assert_eq!((after.status, after.code()), (401, "session_ended"));
    assert_eq!(
        client.send(Call::new("POST", "/auth0/logout")).status,
        204,
        "again is as good"
    );
}

#[test]
fn an_access_token_is_valid_in_its_own_tenant_only() {
    let server = Server::start(&["acme", "other"]);
    let token = server.client("acme").login(MANAGER, PASSWORD);
    let answer = server
        .client("other")
        .send(Call::new("GET", "/users/profile").token(&token));
    assert_eq!((answer.status, answer.code()), (401, "token_of_another_tenant"));
    let strange = Call::new("GET", "/users/profile")
        .token(&token)
        .header("X-Tenant", "Not A Tenant");
    assert_eq!(server.client("acme").send(strange).code(), "tenant_invalid");
    let forged = server
        .client("acme")
        .send(Call::new("GET", "/users/profile").token(&format!("{token}x")));
    assert_eq!((forged.status, forged.code()), (401, "token_invalid"));
    assert_eq!(forged.header("WWW-Authenticate"), "Bearer");
}

#[test]
fn deactivation_ends_a_partys_access_at_once() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let token = business.client.login("dealer@example.test", PASSWORD);
    business.client.expect(200, &token, "GET", "/users/profile", None);
    let change = json!({"name": "Dealer", "email": "dealer@example.test", "isActive": false});
    business.as_manager(200, "PUT", &format!("/dealer/{}", business.dealer), change);
    let after = business.client.send(Call::new("GET", "/users/profile").token(&token));
    assert_eq!((after.status, after.code()), (401, "account_inactive"));
    assert_eq!(
        try_login(&business.client, "dealer@example.test", PASSWORD).code(),
        "login_failed"
    );
}
