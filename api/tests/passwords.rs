//! Password changes, and password resets by a mailed code.

use crate::support::{Answer, Business, Call, Client, MANAGER, Manner, PASSWORD, Server, SmtpSink, code_in};
use caudal_api::{
    auth::{
        limits::{FAILURES, MAILS},
        recovery::{CODE_LIFETIME, MAX_TRIES},
    },
    mail::Settings,
};
use chrono::Duration;
use serde_json::{Value, json};
use std::{cell::Cell, thread, time::Instant};

const NEXT: &str = "Otra#2027x";

fn change(client: &Client, token: &str, email: &str, old: &str, new: &str) -> Answer {
    let body = json!({"email": email, "oldPassword": old, "newPassword": new});
    let path = format!("/users/change_password/{email}");
    client.send(Call::new("POST", &path).token(token).json(&body))
}

fn forgot(client: &Client, email: &str) -> Answer {
    client.send(Call::new("POST", &format!("/users/forgot_password/{email}")))
}

fn reset(client: &Client, email: &str, code: &str, password: &str) -> Answer {
    let body = json!({"code": code, "password": password});
    client.send(Call::new("POST", &format!("/users/reset_password/{email}")).json(&body))
}

fn try_login(client: &Client, email: &str, password: &str) -> Answer {
    client.send(Call::new("POST", "/auth0/login").json(&json!({"email": email, "password": password})))
}

fn field(answer: &Answer) -> (u16, String, String) {
    let first = &answer.body["errors"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (answer.status, text(&first["field"]), text(&first["code"]))
}

fn at(status: u16, field: &str, code: &str) -> (u16, String, String) {
    (status, field.to_owned(), code.to_owned())
}

/// A wrong code of the same length.
fn wrong(code: &str) -> String {
    let turned = |c: char| char::from_digit((c.to_digit(10)? + 1) % 10, 10);
    code.chars().map(|c| turned(c).unwrap_or(c)).collect()
}

fn works(client: &Client, token: &str) -> bool {
    client.send(Call::new("GET", "/users/profile").token(token)).status == 200
}

#[test]
fn a_changed_password_takes_effect_at_once_and_ends_all_other_sessions() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let (email, mine, phone) = (
        "agency@example.test",
        business.agency_token.clone(),
        try_login(client, "agency@example.test", PASSWORD),
    );
    let phone_cookie = phone.header("Set-Cookie").split(';').next().unwrap().to_owned();
    let phone_token = phone.body["token"]["accessToken"].as_str().unwrap().to_owned();
    assert!(works(client, &phone_token));

    let changed = change(client, &mine, email, PASSWORD, NEXT);
    assert_eq!((changed.status, changed.bytes.len()), (204, 0), "{}", changed.body);
    assert!(works(client, &mine), "the one that changed it goes on");
    assert!(!works(client, &phone_token));
    let renewed = client.send(Call::new("POST", "/auth0/token").header("Cookie", &phone_cookie));
    assert_eq!(renewed.code(), "session_ended");
    assert_eq!(try_login(client, email, PASSWORD).status, 401);
    assert_eq!(try_login(client, email, NEXT).status, 200);

    let mail = &server.mails(1)[0];
    assert!(
        mail.contains("To: agency@example.test") && mail.contains("Subject: Your password was changed"),
        "{mail}"
    );
    assert!(!mail.contains(NEXT));
    let again = change(client, &mine, email, PASSWORD, NEXT);
    assert_eq!(again.status, 204, "an answer that was lost is asked for again");
}

#[test]
fn changing_a_password_requires_the_current_one() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, email, token) = (&business.client, "agency@example.test", &business.agency_token);
    let wrong = change(client, token, email, "Wrong#2026", NEXT);
    assert_eq!(field(&wrong), at(422, "oldPassword", "password_wrong"));
    for (new, code) in [
        ("short", "password_length"),
        ("nodigits#A", "password_needs_digit"),
        ("Has 1 blank#", "password_has_blanks"),
        ("Password#2026", "password_common"),
        (PASSWORD, "password_unchanged"),
    ] {
        assert_eq!(
            field(&change(client, token, email, PASSWORD, new)),
            at(422, "newPassword", code)
        );
    }
    let other = json!({"email": "x@example.test", "oldPassword": PASSWORD, "newPassword": NEXT});
    let path = format!("/users/change_password/{email}");
    let differs = client.send(Call::new("POST", &path).token(token).json(&other));
    assert_eq!(field(&differs), at(422, "email", "email_differs"));
    let nothing = client.send(Call::new("POST", &path).token(token).json(&json!({})));
    assert_eq!(nothing.body["errors"].as_array().unwrap().len(), 3, "{}", nothing.body);

    for foreign in [MANAGER, "nobody@example.test"] {
        let answer = change(client, token, foreign, PASSWORD, NEXT);
        assert_eq!((answer.status, answer.code()), (404, "party_not_found"));
        assert_eq!(change(client, &business.manager, email, PASSWORD, NEXT).status, 404);
    }
    assert_eq!(try_login(client, email, PASSWORD).status, 200, "nothing was changed");
    assert_eq!(
        change(client, token, "AGENCY%40example.test", PASSWORD, NEXT).status,
        422,
        "the body is spelled so too"
    );
    assert_eq!(change(client, token, "Agency@Example.test", PASSWORD, NEXT).status, 204);
}

#[test]
fn a_password_made_of_the_accounts_own_words_is_refused_wherever_one_is_set() {
    let server = Server::start(&["tocororo"]);
    let business = Business::new(&server, "tocororo");
    let (client, email) = (&business.client, "agency@example.test");
    let refused = |field: &str| at(422, field, "password_personal");
    let person = |password| json!({"name": "Zoraida Vidal", "email": "zvidal@example.test", "password": password});
    for password in ["Zoraida#2026", "Zvidal#2026", "Tocororo#2026"] {
        let call = Call::new("POST", "/users").token(&business.manager);
        assert_eq!(
            field(&client.send(call.json(&person(password)))),
            refused("password"),
            "{password}"
        );
    }
    let id = business.as_manager(201, "POST", "/users", person(PASSWORD))["id"].clone();
    let path = format!("/users/{}", id.as_str().unwrap());
    let call = Call::new("PUT", &path).token(&business.manager);
    let changed = client.send(call.json(&json!({"password": "Zoraida#2026"})));
    assert_eq!(field(&changed), refused("password"));

    let changed = change(client, &business.agency_token, email, PASSWORD, "Tocororo#2026");
    assert_eq!(field(&changed), refused("newPassword"));
    let guessed = change(client, &business.agency_token, email, "Wrong#2026", "Tocororo#2026");
    assert_eq!(field(&guessed), at(422, "oldPassword", "password_wrong"));

    assert_eq!(forgot(client, email).status, 202);
    let code = code_in(&server.mails(1).remove(0));
    let stranger = reset(client, email, &wrong(&code), "Tocororo#2026");
    assert_eq!(
        field(&stranger),
        at(422, "code", "code_wrong"),
        "only the owner learns more"
    );
    assert_eq!(
        field(&reset(client, email, &code, "Tocororo#2026")),
        refused("password")
    );
    assert_eq!(reset(client, email, &code, NEXT).status, 204, "the code is still valid");
}

#[test]
fn guesses_of_the_current_password_are_rate_limited() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, email, token) = (&business.client, "agency@example.test", &business.agency_token);
    // The new password is compared with the one in force, too: both guesses count.
    for _ in 0..FAILURES.known / 2 {
        assert_eq!(change(client, token, email, "Wrong#2026", NEXT).status, 422);
    }
    let refused = change(client, token, email, PASSWORD, NEXT);
    assert_eq!((refused.status, refused.code()), (429, "too_many_attempts"));
    assert!(refused.header("Retry-After").parse::<u64>().unwrap() <= 900);
}

#[test]
fn a_mailed_code_resets_a_password_once_and_ends_all_sessions() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let (client, email) = (&business.client, "agency@example.test");
    // Failed logins before the reset.
    for _ in 0..FAILURES.account_and_address {
        try_login(client, email, "Wrong#2026");
    }
    assert_eq!(try_login(client, email, PASSWORD).status, 429);

    let asked = forgot(client, "Agency@Example.test");
    assert_eq!((asked.status, asked.bytes.len()), (202, 0), "{}", asked.body);
    let mail = server.mails(1).remove(0);
    assert!(mail.contains("To: agency@example.test\r\n"), "{mail}");
    assert!(mail.contains("Subject: Code to reset your password\r\n"), "{mail}");
    assert!(
        mail.contains("Hello Agency,") && mail.contains("Auto-Submitted: auto-generated"),
        "{mail}"
    );
    let code = code_in(&mail);
    assert_eq!(code.len(), 9);

    let unchanged = reset(client, email, &code, "weak");
    assert_eq!(field(&unchanged), at(422, "password", "password_length"));
    assert_eq!(
        field(&reset(client, MANAGER, &code, NEXT)),
        at(422, "code", "code_wrong"),
        "it is another's"
    );
    let elsewhere = reset(&server.client("other"), email, &code, NEXT);
    assert_eq!(field(&elsewhere), at(422, "code", "code_wrong"));
    assert!(works(client, &business.agency_token));

    let done = reset(client, email, &code.replace(' ', ""), NEXT);
    assert_eq!((done.status, done.bytes.len()), (204, 0), "{}", done.body);
    assert!(!works(client, &business.agency_token));
    assert_eq!(
        try_login(client, email, NEXT).status,
        200,
        "at once, whatever failed before"
    );
    assert_eq!(try_login(client, email, PASSWORD).status, 401);
    assert_eq!(
        field(&reset(client, email, &code, "Third#2028")),
        at(422, "code", "code_wrong"),
        "it was used"
    );
    assert!(server.mails(2)[1].contains("Subject: Your password was changed"));
}

#[test]
fn a_code_expires_by_time_by_attempts_and_by_the_next_code() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let sent = |count: usize| {
        assert_eq!(forgot(&client, MANAGER).status, 202);
        code_in(server.mails(count).last().unwrap())
    };
    let refused = |code: &str| {
        assert_eq!(
            field(&reset(&client, MANAGER, code, NEXT)),
            at(422, "code", "code_wrong")
        )
    };
    let first = sent(1);
    let second = sent(2);
    refused(&first);
    for _ in 1..MAX_TRIES - 1 {
        refused(&wrong(&second));
    }
    for malformed in ["", "1", "12345678a", "no code"] {
        let answer = reset(&client, MANAGER, malformed, NEXT);
        assert_eq!((answer.status, field(&answer).1), (422, "code".to_owned()));
    }
    refused(&wrong(&second));
    refused(&second);

    server.pass(Duration::minutes(16));
    let third = sent(3);
    server.pass(CODE_LIFETIME);
    refused(&third);
    let fourth = sent(4);
    server.pass(CODE_LIFETIME - Duration::seconds(30));
    assert_eq!(reset(&client, MANAGER, &fourth, NEXT).status, 204);
}

#[test]
fn a_mailed_code_ends_with_a_change_of_the_address_or_the_password_by_whomever() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, token) = (&business.client, &business.agency_token);
    let (old, new, third) = ("agency@example.test", "sur@example.test", "este@example.test");
    let asked = Cell::new(0);
    let sent = |email: &str| {
        assert_eq!(forgot(client, email).status, 202);
        asked.set(asked.get() + 1);
        // Notices of changes are mailed at the same time.
        for _ in 0..500 {
            let mails = server.mails(asked.get());
            let mut codes = mails.iter().filter(|mail| mail.contains("Subject: Code to reset"));
            if let Some(mail) = codes.nth(asked.get() - 1) {
                return code_in(mail);
            }
            thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("no code for {email}")
    };
    let refused = |email: &str, code: &str| {
        assert_eq!(
            field(&reset(client, email, code, "Tercera#2028x")),
            at(422, "code", "code_wrong"),
            "{email}"
        );
    };
    // The own password.
    let code = sent(old);
    assert_eq!(change(client, token, old, PASSWORD, NEXT).status, 204);
    refused(old, &code);
    // The own address.
    let code = sent(old);
    let moved = json!({"email": new, "oldPassword": NEXT});
    let call = Call::new("PUT", "/users/profile").token(token).json(&moved);
    assert_eq!(client.send(call).status, 200);
    refused(old, &code);
    refused(new, &code);
    // A manager's change of the address, and of the password.
    let put = |body: Value| {
        let path = format!("/users/{}", business.agency);
        let call = Call::new("PUT", &path).token(&business.manager).json(&body);
        let answer = client.send(call);
        assert_eq!(answer.status, 200, "{}", answer.body);
    };
    let code = sent(new);
    put(json!({"email": third}));
    refused(new, &code);
    refused(third, &code);
    let code = sent(third);
    put(json!({"password": "Cuarta#2029x"}));
    refused(third, &code);
    assert_eq!(try_login(client, third, "Cuarta#2029x").status, 200);
    let code = sent(third);
    let right = reset(client, third, &code, "Quinta#2030x");
    assert_eq!(right.status, 204, "{}", right.body);
}

#[test]
fn of_resets_at_once_with_one_code_one_wins_and_tries_at_once_all_count() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let sent = |count: usize| {
        assert_eq!(forgot(&client, MANAGER).status, 202);
        code_in(server.mails(count).last().unwrap())
    };
    // All answers of resets with a code and a password each, sent at once.
    let at_once = |tries: &[(String, String)]| -> Vec<Answer> {
        thread::scope(|scope| {
            let client = &client;
            let sent: Vec<_> = tries
                .iter()
                .map(|(code, password)| scope.spawn(move || reset(client, MANAGER, code, password)))
                .collect();
            sent.into_iter().map(|answer| answer.join().unwrap()).collect()
        })
    };
    let code = sent(1);
    let rivals: Vec<(String, String)> = (0..4)
        .map(|rival| (code.clone(), format!("Otra#202{rival}xy")))
        .collect();
    let answers = at_once(&rivals);
    let won: Vec<&str> = rivals
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| answer.status == 204)
        .map(|((_, password), _)| password.as_str())
        .collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    for (_, password) in &rivals {
        let expected = if won[0] == password { 200 } else { 401 };
        assert_eq!(try_login(&client, MANAGER, password).status, expected);
    }

    // The failures above are over.
    server.pass(Duration::minutes(16));
    let code = sent(3);
    let guesses: Vec<(String, String)> = (0..MAX_TRIES).map(|_| (wrong(&code), NEXT.to_owned())).collect();
    for answer in at_once(&guesses) {
        assert_eq!(field(&answer), at(422, "code", "code_wrong"));
    }
    assert_eq!(
        field(&reset(&client, MANAGER, &code, NEXT)),
        at(422, "code", "code_wrong")
    );
}

#[test]
fn an_addresss_existence_shows_neither_in_the_answer_nor_in_its_time() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    business.as_manager(
        200,
        "PUT",
        &format!("/dealer/{}", business.dealer),
        json!({"name": "Dealer", "email": "dealer@example.test", "isActive": false}),
    );
    let known = forgot(client, MANAGER);
    for strange in [
        "nobody@example.test",
        "dealer@example.test",
        "no%20address",
        "%00",
        "a%2Fb@c.test",
    ] {
        let unknown = forgot(client, strange);
        assert_eq!(
            (unknown.status, &unknown.bytes),
            (known.status, &known.bytes),
            "{strange}"
        );
    }
    assert_eq!(forgot(&server.client("nowhere"), MANAGER).status, 202);
    let mails = server.mails(1);
    let code = code_in(&mails[0]);
    let timed = |email: &str, code: &str| {
        let begun = Instant::now();
        let answer = reset(client, email, code, NEXT);
        assert_eq!(field(&answer), at(422, "code", "code_wrong"), "{email}");
        (answer.body, begun.elapsed())
    };
    let (body, time) = timed(MANAGER, &wrong(&code));
    let (other_body, other_time) = timed("nobody@example.test", &code);
    assert_eq!(body, other_body);
    assert!(
        time.as_millis() >= 500 && other_time.as_millis() >= 500,
        "{time:?} {other_time:?}"
    );
    // Exactly one mail was sent: mails to unknown addresses would be in the outbox by now.
    assert_eq!(server.mails(1).len(), 1);
}

#[test]
fn codes_per_mailbox_are_limited_and_others_at_the_same_ip_are_not() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    for email in [MANAGER, "nobody@example.test"] {
        for _ in 0..MAILS.account_and_address {
            assert_eq!(forgot(client, email).status, 202);
        }
        let refused = forgot(client, email);
        assert_eq!(
            (refused.status, refused.code()),
            (429, "too_many_attempts"),
            "known or not"
        );
        assert!(refused.header("Retry-After").parse::<u64>().unwrap() <= 900);
    }
    assert_eq!(forgot(client, "agency@example.test").status, 202);
    server.pass(Duration::minutes(16));
    assert_eq!(forgot(client, MANAGER).status, 202);
}

#[test]
fn mails_are_in_the_callers_language() {
    let server = Server::start(&["acme"]);
    let call = Call::new("POST", &format!("/users/forgot_password/{MANAGER}")).header("Accept-Language", "es-CU");
    assert_eq!(server.client("acme").send(call).status, 202);
    let mail = server.mails(1).remove(0);
    assert!(
        mail.contains("Content-Language: es") && mail.contains("Hola, Manager:"),
        "{mail}"
    );
    // "contraseña" in quoted-printable, after an encoded subject.
    assert!(
        mail.contains("contrase=C3=B1a") && mail.contains("Subject: =?utf-8?"),
        "{mail}"
    );
}

fn through(sink_url: String) -> Settings {
    Settings {
        smtp_url: Some(sink_url),
        from: Some("Remesas Acme <remesas@acme.test>".to_owned()),
    }
}

#[test]
fn a_mail_refused_by_its_server_is_sent_again() {
    let sink = SmtpSink::start(Manner::TakesAfter(1));
    let server = Server::mailing(&["acme"], through(sink.url_with("caudal", "secret%20word")));
    let client = server.client("acme");
    assert_eq!(forgot(&client, MANAGER).status, 202);
    let mail = sink.mails(1).remove(0);
    assert_eq!(sink.refused(), 1);
    assert_eq!(
        (mail.from.as_str(), mail.to),
        ("remesas@acme.test", vec![MANAGER.to_owned()])
    );
    assert!(
        mail.data.contains("From: \"Remesas Acme\" <remesas@acme.test>"),
        "{}",
        mail.data
    );
    assert!(
        mail.data.contains("Message-ID: <") && mail.data.contains("@acme.test>"),
        "{}",
        mail.data
    );
    // AUTH PLAIN with the user caudal and the password "secret word".
    assert_eq!(mail.auth.as_deref(), Some("AGNhdWRhbABzZWNyZXQgd29yZA=="));
    assert_eq!(reset(&client, MANAGER, &code_in(&mail.data), NEXT).status, 204);
    assert!(sink.mails(2)[1].data.contains("Subject: Your password was changed"));
}

#[test]
fn a_silent_mail_server_delays_no_request() {
    let sink = SmtpSink::start(Manner::Silent);
    let server = Server::mailing(&["acme"], through(sink.url()));
    let client = server.client("acme");
    let begun = Instant::now();
    assert_eq!(forgot(&client, MANAGER).status, 202);
    assert_eq!(try_login(&client, MANAGER, PASSWORD).status, 200);
    assert!(begun.elapsed().as_secs() < 8, "{:?}", begun.elapsed());
    sink.called(1);
}

#[test]
fn a_tenant_that_chooses_long_passwords_gets_them_wherever_one_is_set_and_others_stay_valid() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let (client, email) = (&business.client, "agency@example.test");
    let options = |client: &Client| client.send(Call::new("GET", "/auth0/options")).body["passwords"].clone();
    let composed = json!({"policy": "composed", "minLength": 8, "maxLength": 15});
    assert_eq!(options(client), composed, "the default");
    let long = "lluvia tren gallo ñandú";
    let refused = change(client, &business.agency_token, email, PASSWORD, long);
    assert_eq!(field(&refused), at(422, "newPassword", "password_length"));

    let denied = Call::new("PUT", "/settings/passwords").token(&business.agency_token);
    assert_eq!(client.send(denied.json(&json!({"policy": "long"}))).status, 403);
    let unknown = Call::new("PUT", "/settings/passwords").token(&business.manager);
    assert_eq!(client.send(unknown.json(&json!({"policy": "short"}))).status, 422);
    let set = client.expect(
        200,
        &business.manager,
        "PUT",
        "/settings/passwords",
        Some(json!({"policy": "long"})),
    );
    assert_eq!(set, json!({"policy": "long", "minLength": 12, "maxLength": 128}));
    assert_eq!(options(client), set);
    assert_eq!(options(&server.client("other")), composed);
    assert_eq!(
        options(&server.client("nobody")),
        composed,
        "an unknown tenant shows none"
    );

    // The earlier password still logs in; new ones follow the policy, at a change, a registration and a change by a manager.
    assert_eq!(try_login(client, email, PASSWORD).status, 200);
    let short = change(client, &business.agency_token, email, PASSWORD, NEXT);
    assert_eq!(field(&short), at(422, "newPassword", "password_length"));
    let changed = change(client, &business.agency_token, email, PASSWORD, long);
    assert_eq!(changed.status, 204, "{}", changed.body);
    assert_eq!(try_login(client, email, long).status, 200);
    let longest = "tren lluvia 7 gallo é ".repeat(6).chars().take(128).collect::<String>();
    let new = |password: &str| {
        let body = json!({"name": "Zoraida Peñalver", "email": "eva@example.test", "password": password});
        client.send(Call::new("POST", "/users").token(&business.manager).json(&body))
    };
    assert_eq!(field(&new(NEXT)), at(422, "password", "password_length"));
    assert_eq!(field(&new("aaaaaaaaaaaaaaaa")), at(422, "password", "password_common"));
    assert_eq!(field(&new("Zoraida#2026")), at(422, "password", "password_personal"));
    assert_eq!(new(&longest).status, 201);
    assert_eq!(try_login(client, "eva@example.test", &longest).status, 200);
}
