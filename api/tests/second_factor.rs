//! The second factor of a login: enrolment, codes, recovery codes, its end, the tenant's rule, fresh codes, and limits.

use crate::support::{Answer, Business, Call, Client, MANAGER, PASSWORD, Server, code_in, secret_of, text};
use caudal_api::{
    auth::{
        limits::{CODES, WINDOW},
        second_factors::FRESH,
        totp,
    },
    policy::{FreshCode, TABLE},
};
use chrono::{Duration, Utc};
use serde_json::{Value, json};
use sqlx::Connection as _;
use std::{cell::Cell, thread};

const AGENCY: &str = "agency@example.test";

/// A server whose clock is known, and a business on it.
struct Office {
    server: Server,
    business: Business,
    passed: Cell<Duration>,
}

/// An authenticator app with one account.
struct App {
    secret: [u8; totp::SECRET_BYTES],
    last: i64,
    recovery: Vec<String>,
}

impl Office {
    fn start() -> Self {
        let server = Server::start(&["acme", "other"]);
        Self {
            business: Business::new(&server, "acme"),
            server,
            passed: Cell::new(Duration::zero()),
        }
    }

    const fn client(&self) -> &Client {
        &self.business.client
    }

    fn pass(&self, time: Duration) {
        self.server.pass(time);
        self.passed.set(self.passed.get() + time);
    }

    /// The next code that was not shown before.
    fn next(&self, app: &mut App) -> String {
        let present = totp::step_of(Utc::now() + self.passed.get());
        let step = present.max(app.last + 1);
        if step > present {
            self.pass(Duration::seconds((step - present) * totp::STEP_SECONDS));
        }
        app.last = step;
        totp::code(&app.secret, step).to_string()
    }

    fn send(&self, token: &str, method: &str, path: &str, body: Value) -> Answer {
        let call = Call::new(method, path).token(token);
        self.client()
            .send(if method == "GET" { call } else { call.json(&body) })
    }

    fn log_in(&self, email: &str, code: Option<&str>) -> Answer {
        let body = json!({"email": email, "password": PASSWORD, "code": code});
        self.client().send(Call::new("POST", "/auth0/login").json(&body))
    }

    fn logged_in(&self, email: &str, code: Option<&str>) -> String {
        let answer = self.log_in(email, code);
        assert_eq!(answer.status, 200, "{}", answer.body);
        text(&answer.body["token"]["accessToken"])
    }

    fn enrol(&self, token: &str) -> App {
        let begun = self.send(
            token,
            "POST",
            "/second_factor/enrolments",
            json!({"password": PASSWORD}),
        );
        assert_eq!(begun.status, 201, "{}", begun.body);
        let mut app = App {
            secret: secret_of(&text(&begun.body["secret"])),
            last: 0,
            recovery: Vec::new(),
        };
        let path = format!("/second_factor/enrolments/{}/confirm", text(&begun.body["id"]));
        let code = self.next(&mut app);
        let confirmed = self.send(token, "POST", &path, json!({"code": code}));
        assert_eq!(confirmed.status, 200, "{}", confirmed.body);
        let codes = confirmed.body["recoveryCodes"].as_array().unwrap();
        let again = self.send(token, "POST", &path, json!({"code": code}));
        assert_eq!((again.status, &again.body["recoveryCodes"]), (200, &Value::Null));
        app.recovery = codes.iter().map(text).collect();
        assert_eq!(app.recovery.len(), 10);
        app
    }

    fn status(&self, token: &str) -> Value {
        self.client().expect(200, token, "GET", "/second_factor", None)
    }

    fn events(&self, kind: &str) -> Vec<Value> {
        let path = format!("/audit/events?eventType={kind}");
        let found = self.client().expect(200, &self.business.manager, "GET", &path, None);
        found["data"].as_array().unwrap().clone()
    }
}

fn works(office: &Office, token: &str) -> bool {
    office.send(token, "GET", "/users/profile", Value::Null).status == 200
}

#[test]
fn a_login_with_a_second_factor_needs_a_code_and_each_code_is_used_once() {
    let office = Office::start();
    let (first, other) = (&office.business.agency_token, office.logged_in(AGENCY, None));
    assert_eq!(office.status(first)["isEnrolled"], false);
    let wrong = office.send(
        first,
        "POST",
        "/second_factor/enrolments",
        json!({"password": "Wrong#2026"}),
    );
    assert_eq!(
        (wrong.status, wrong.body["errors"][0]["code"].as_str()),
        (422, Some("password_wrong"))
    );
    let mut app = office.enrol(first);
    assert!(
        works(&office, first) && !works(&office, &other),
        "the other sessions end"
    );
    let again = office.send(
        first,
        "POST",
        "/second_factor/enrolments",
        json!({"password": PASSWORD}),
    );
    assert_eq!((again.status, again.code()), (403, "second_factor_code_required"));
    assert!(office.server.mails(1)[0].contains(AGENCY));

    let without = office.log_in(AGENCY, None);
    assert_eq!((without.status, without.code()), (401, "second_factor_required"));
    let wrong_password = json!({"email": AGENCY, "password": "Wrong#2026", "code": office.next(&mut app)});
    let refused = office
        .client()
        .send(Call::new("POST", "/auth0/login").json(&wrong_password));
    assert_eq!(
        refused.code(),
        "login_failed",
        "the code tells nothing without the password"
    );
    let code = office.next(&mut app);
    let token = office.logged_in(AGENCY, Some(&code));
    assert!(works(&office, &token));
    let replayed = office.log_in(AGENCY, Some(&code));
    assert_eq!(replayed.status, 422);
    assert_eq!(replayed.body["errors"][0]["code"], "second_factor_code_used");
    let wrong = office.log_in(AGENCY, Some("000 000"));
    assert_eq!(wrong.body["errors"][0]["code"], "second_factor_code_wrong");

    // A recovery code, once, as people type it.
    let recovery = app.recovery[0].to_uppercase();
    let by_recovery = office.logged_in(AGENCY, Some(&recovery));
    assert_eq!(office.status(&by_recovery)["recoveryCodesLeft"], 9);
    assert_eq!(office.log_in(AGENCY, Some(&recovery)).status, 422);
    let code = office.next(&mut app);
    let renewed = office.send(&token, "POST", "/second_factor/recovery_codes", json!({"code": code}));
    assert_eq!(
        renewed.body["recoveryCodes"].as_array().map(Vec::len),
        Some(10),
        "{}",
        renewed.body
    );
    assert_eq!(
        office.log_in(AGENCY, Some(&app.recovery[1])).status,
        422,
        "the new ones replace it"
    );

    let code = office.next(&mut app);
    let remove = || {
        let call = Call::new("POST", "/second_factor/remove").token(&token).key("remove");
        office.client().send(call.json(&json!({"code": code})))
    };
    let removed = remove();
    assert_eq!(removed.status, 204, "{}", removed.body);
    assert_eq!(remove().status, 204, "an answer that was lost is asked for again");
    assert!(works(&office, &token) && !works(&office, &by_recovery));
    office.logged_in(AGENCY, None);
    for (kind, count) in [
        ("SecondFactorEnrolled", 1),
        ("RecoveryCodeUsed", 1),
        ("SecondFactorRemoved", 1),
    ] {
        assert_eq!(office.events(kind).len(), count, "{kind}");
    }
    assert!(
        !app.recovery
            .iter()
            .any(|code| format!("{:?}", office.events("RecoveryCodeUsed")).contains(code))
    );
}

#[test]
fn of_recovery_codes_asked_for_twice_at_once_ten_are_left() {
    let office = Office::start();
    let app = office.enrol(&office.business.agency_token);
    let mut token = String::new();
    for code in &app.recovery {
        token = office.logged_in(AGENCY, Some(code));
    }
    assert_eq!(office.status(&token)["recoveryCodesLeft"], 0);
    let client = office.client();
    let answers: Vec<Answer> = thread::scope(|scope| {
        let ask = || {
            let call = Call::new("POST", "/second_factor/recovery_codes").token(&token);
            client.send(call.json(&json!({})))
        };
        let asked = [scope.spawn(ask), scope.spawn(ask)];
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert_eq!(office.status(&token)["recoveryCodesLeft"], 10);
}

#[test]
fn of_two_apps_put_into_force_at_once_one_is_with_right_recovery_codes_and_a_third_needs_a_fresh_code() {
    let office = Office::start();
    let token = &office.business.agency_token;
    // Begun twice before there is a factor.
    let begin = || {
        office.send(
            token,
            "POST",
            "/second_factor/enrolments",
            json!({"password": PASSWORD}),
        )
    };
    let (first, second) = (begin().body, begin().body);
    let mut apps = [&first, &second].map(|begun| App {
        secret: secret_of(&text(&begun["secret"])),
        last: 0,
        recovery: Vec::new(),
    });
    let codes = [office.next(&mut apps[0]), office.next(&mut apps[1])];
    // Both put into force at once: one is, and the codes that it shows are right.
    let answers: Vec<Answer> = thread::scope(|scope| {
        let confirmed: Vec<_> = [&first, &second]
            .into_iter()
            .zip(&codes)
            .map(|(begun, code)| {
                let path = format!("/second_factor/enrolments/{}/confirm", text(&begun["id"]));
                let call = Call::new("POST", &path).token(token).json(&json!({"code": code}));
                let client = office.client().clone();
                scope.spawn(move || client.send(call))
            })
            .collect();
        confirmed.into_iter().map(|answer| answer.join().unwrap()).collect()
    });
    let won: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    let recovery = text(&won[0].body["recoveryCodes"][0]);
    office.logged_in(AGENCY, Some(&recovery));
    let late = begin();
    assert_eq!((late.status, late.code()), (403, "second_factor_code_required"));
}

#[test]
fn of_logins_at_once_with_one_code_one_wins() {
    let office = Office::start();
    let mut app = office.enrol(&office.business.agency_token);
    for code in [office.next(&mut app), app.recovery[0].clone()] {
        let body = json!({"email": AGENCY, "password": PASSWORD, "code": code});
        let statuses: Vec<u16> = thread::scope(|scope| {
            let logins: Vec<_> = (0..4)
                .map(|_| {
                    let call = Call::new("POST", "/auth0/login").json(&body);
                    let client = office.client().clone();
                    scope.spawn(move || client.send(call).status)
                })
                .collect();
            logins.into_iter().map(|login| login.join().unwrap()).collect()
        });
        let won = statuses.iter().filter(|status| **status == 200);
        assert_eq!(won.count(), 1, "{statuses:?}");
        assert!(
            statuses.iter().all(|status| [200, 422].contains(status)),
            "{statuses:?}"
        );
        // The failures are over.
        office.pass(WINDOW);
    }
    assert_eq!(office.events("RecoveryCodeUsed").len(), 1);
}

#[test]
fn a_reset_password_skips_no_second_factor_and_a_code_of_one_party_is_none_of_another() {
    let office = Office::start();
    let mut app = office.enrol(&office.business.agency_token);
    let mut other = office.enrol(&office.business.manager);
    // One mail of each enrolment.
    let mails = office.server.mails(2).len();
    let path = format!("/users/forgot_password/{AGENCY}");
    assert_eq!(office.client().send(Call::new("POST", &path)).status, 202);
    let mailed = office.server.mails(mails + 1);
    let mail = mailed.iter().find(|mail| mail.contains("Code to reset your password"));
    let body = json!({"code": code_in(mail.unwrap()), "password": "Otra#2027x"});
    let path = format!("/users/reset_password/{AGENCY}");
    assert_eq!(office.client().send(Call::new("POST", &path).json(&body)).status, 204);
    let log_in = |code: Option<&str>| {
        let body = json!({"email": AGENCY, "password": "Otra#2027x", "code": code});
        office.client().send(Call::new("POST", "/auth0/login").json(&body))
    };
    let without = log_in(None);
    assert_eq!((without.status, without.code()), (401, "second_factor_required"));
    assert_eq!(log_in(Some(&office.next(&mut other))).status, 422);
    assert_eq!(log_in(Some(&other.recovery[0])).status, 422);
    let code = office.next(&mut app);
    assert_eq!(log_in(Some(&code)).status, 200);
}

#[test]
fn who_must_have_a_second_factor_can_only_enrol_one() {
    let office = Office::start();
    let (manager, agency) = (&office.business.manager, &office.business.agency_token);
    let rule = json!({"roles": ["agency"], "codeFrom": null});
    let refused = office.send(agency, "PUT", "/settings/second_factor", rule.clone());
    assert_eq!(refused.code(), "role_not_allowed");
    let unknown = office.send(manager, "PUT", "/settings/second_factor", json!({"roles": ["janitor"]}));
    assert_eq!(unknown.status, 422);
    let keyed = || {
        let call = Call::new("PUT", "/settings/second_factor").token(manager).key("rule");
        office.client().send(call.json(&rule))
    };
    let set = keyed();
    assert_eq!((set.status, &set.body), (200, &rule), "{}", set.body);
    let again = keyed();
    assert_eq!((again.bytes, again.replayed), (set.bytes, true));
    let position = office.server.head("acme");
    assert_eq!(
        office
            .send(manager, "PUT", "/settings/second_factor", rule.clone())
            .status,
        200
    );
    assert_eq!(office.server.head("acme"), position, "the same rule writes nothing");
    assert_eq!(
        office.send(manager, "GET", "/settings/second_factor", Value::Null).body,
        rule
    );

    // Sessions opened before are held too.
    for token in [agency.clone(), {
        let login = office.log_in(AGENCY, None);
        assert_eq!(login.body["token"]["mustEnrolSecondFactor"], true, "{}", login.body);
        text(&login.body["token"]["accessToken"])
    }] {
        for (method, path) in [
            ("GET", "/remittances"),
            ("GET", "/sessions"),
            ("POST", "/customer"),
            ("PUT", "/users/profile"),
            ("GET", "/events/news"),
            ("POST", "/keys"),
        ] {
            let answer = office.send(&token, method, path, json!({}));
            if answer.status != 404 {
                assert_eq!(
                    (answer.status, answer.code()),
                    (403, "second_factor_enrolment_required"),
                    "{method} {path}"
                );
            }
        }
        assert!(works(&office, &token), "the own profile");
        assert_eq!(office.status(&token)["isRequired"], true);
    }
    let token = office.logged_in(AGENCY, None);
    let mut app = office.enrol(&token);
    assert_eq!(office.send(&token, "GET", "/remittances", Value::Null).status, 200);
    let code = office.next(&mut app);
    let login = office.log_in(AGENCY, Some(&code));
    assert_eq!(login.body["token"]["mustEnrolSecondFactor"], false);
    // Others go on as before, also in another tenant.
    assert_eq!(
        office.log_in("dealer@example.test", None).body["token"]["mustEnrolSecondFactor"],
        false
    );
    office.server.client("other").login(MANAGER, PASSWORD);
}

#[test]
fn a_manager_ends_the_second_factor_of_his_people_with_all_their_sessions() {
    let office = Office::start();
    let mut app = office.enrol(&office.business.agency_token);
    let code = office.next(&mut app);
    let phone = office.logged_in(AGENCY, Some(&code));
    let path = format!("/users/{}/second_factor", office.business.agency);
    let query = format!("/second_factor?partyId={}", office.business.agency);
    let dealer = office.logged_in("dealer@example.test", None);
    assert_eq!(
        office.send(&dealer, "DELETE", &path, json!({})).code(),
        "role_not_allowed"
    );
    assert_eq!(
        office.send(&dealer, "GET", &query, Value::Null).code(),
        "party_not_found"
    );
    let foreign = office.server.client("other");
    let token = foreign.login(MANAGER, PASSWORD);
    assert_eq!(
        foreign.send(Call::new("DELETE", &path).token(&token)).code(),
        "party_not_found"
    );

    let manager = &office.business.manager;
    assert_eq!(
        office.send(manager, "GET", &query, Value::Null).body["isEnrolled"],
        true
    );
    let mails = office.server.mails(1).len();
    let keyed = || {
        let call = Call::new("DELETE", &path).token(manager).key("reset");
        office.client().send(call).status
    };
    assert_eq!((keyed(), keyed()), (204, 204));
    assert!(!works(&office, &phone) && !works(&office, &office.business.agency_token));
    assert_eq!(
        office.send(manager, "DELETE", &path, json!({})).code(),
        "second_factor_missing"
    );
    assert!(office.server.mails(mails + 1).iter().any(|mail| mail.contains(AGENCY)));
    office.logged_in(AGENCY, None);
    assert_eq!(office.events("SecondFactorRemoved").len(), 1);
}

#[test]
fn users_settings_and_files_of_people_need_a_fresh_code_of_who_has_a_second_factor() {
    let office = Office::start();
    let manager = &office.business.manager;
    let file = "/users?format=csv";
    assert_eq!(
        office.send(manager, "GET", file, Value::Null).status,
        200,
        "as before, without one"
    );
    let mut app = office.enrol(manager);
    let user = |email: &str| json!({"name": "Eva", "email": email, "password": PASSWORD});
    let refused = office.send(manager, "POST", "/users", user("eva@example.test"));
    assert_eq!((refused.status, refused.code()), (403, "second_factor_code_required"));
    for (method, path) in [
        ("GET", file),
        ("GET", "/customer/sender?Format=xlsx"),
        ("PUT", "/settings/second_factor"),
        ("POST", "/keys"),
        ("DELETE", "/nomenclators/currency/0197a3c0-0000-7000-8000-000000000001"),
    ] {
        let answer = office.send(manager, method, path, json!({"roles": []}));
        assert_eq!(answer.code(), "second_factor_code_required", "{method} {path}");
    }
    assert_eq!(
        office.send(manager, "GET", "/users", Value::Null).status,
        200,
        "a page needs none"
    );

    let keyed = || {
        Call::new("POST", "/users")
            .token(manager)
            .key("one")
            .json(&user("eva@example.test"))
    };
    assert_eq!(office.client().send(keyed()).code(), "second_factor_code_required");
    let wrong = office.send(manager, "POST", "/second_factor/code", json!({"code": "1234567"}));
    assert_eq!(wrong.body["errors"][0]["code"], "second_factor_code_wrong");
    let code = office.next(&mut app);
    let given = office.send(manager, "POST", "/second_factor/code", json!({"code": code}));
    assert_eq!(given.status, 200, "{}", given.body);
    assert!(given.body["freshUntil"].is_string());
    let done = office.client().send(keyed());
    assert_eq!(done.status, 201, "{}", done.body);
    let again = office.client().send(keyed());
    assert_eq!((again.status, again.replayed), (201, true));
    assert_eq!(office.send(manager, "GET", file, Value::Null).status, 200);

    office.pass(FRESH);
    let late = office.send(manager, "POST", "/users", user("ada@example.test"));
    assert_eq!(late.code(), "second_factor_code_required");
    // Another session of the same party has given none; a login with a code has.
    let code = office.next(&mut app);
    let login = office.logged_in(MANAGER, Some(&code));
    assert_eq!(
        office.send(&login, "POST", "/users", user("ada@example.test")).status,
        201
    );
    assert_eq!(
        office.send(manager, "GET", file, Value::Null).code(),
        "second_factor_code_required"
    );
}

/// Every call that needs a fresh code, in the order of the policy table.
const FRESH_CALLS: &[(&str, &str, FreshCode)] = &[
    ("PUT", "/api/settings/sign_on", FreshCode::Always),
    ("DELETE", "/api/settings/sign_on", FreshCode::Always),
    ("DELETE", "/api/users/{id}/sign_on", FreshCode::Always),
    ("POST", "/api/users/change_password/{email}", FreshCode::Always),
    ("POST", "/api/users/{id}/viewing", FreshCode::Always),
    ("DELETE", "/api/sessions", FreshCode::Always),
    ("DELETE", "/api/sessions/{id}", FreshCode::Always),
    ("POST", "/api/second_factor/enrolments", FreshCode::Always),
    ("POST", "/api/second_factor/passkeys", FreshCode::Always),
    ("DELETE", "/api/second_factor/passkeys/{id}", FreshCode::Always),
    ("DELETE", "/api/users/{id}/second_factor", FreshCode::Always),
    ("PUT", "/api/settings/second_factor", FreshCode::Always),
    ("PUT", "/api/settings/passwords", FreshCode::Always),
    ("GET", "/api/users", FreshCode::ForFile),
    ("POST", "/api/users", FreshCode::Always),
    ("PUT", "/api/users/{id}", FreshCode::Always),
    ("DELETE", "/api/users/{id}", FreshCode::Always),
    ("POST", "/api/permission_sets", FreshCode::Always),
    ("PUT", "/api/permission_sets/{id}", FreshCode::Always),
    ("DELETE", "/api/permission_sets/{id}", FreshCode::Always),
    ("PUT", "/api/users/{id}/access", FreshCode::Always),
    ("POST", "/api/keys", FreshCode::Always),
    ("POST", "/api/keys/{id}/rotate", FreshCode::Always),
    ("POST", "/api/webhooks", FreshCode::Always),
    ("PUT", "/api/webhooks/{id}", FreshCode::Always),
    ("POST", "/api/webhooks/{id}/rotate", FreshCode::Always),
    ("POST", "/api/approval-rules", FreshCode::Always),
    ("PUT", "/api/approval-rules/{id}", FreshCode::Always),
    ("DELETE", "/api/approval-rules/{id}", FreshCode::Always),
    ("POST", "/api/limit-rules", FreshCode::Always),
    ("PUT", "/api/limit-rules/{id}", FreshCode::Always),
    ("DELETE", "/api/limit-rules/{id}", FreshCode::Always),
    ("PUT", "/api/screening/lists", FreshCode::Always),
    ("POST", "/api/screening/own-lists", FreshCode::Always),
    ("DELETE", "/api/screening/own-lists/{name}", FreshCode::Always),
    ("GET", "/api/screening/cases", FreshCode::ForWhole),
    ("POST", "/api/proposals/{id}/approve", FreshCode::Always),
    ("GET", "/api/imports/{id}/file", FreshCode::ForFile),
    ("GET", "/api/feed", FreshCode::Always),
    ("POST", "/api/nomenclators/currency", FreshCode::Always),
    ("PUT", "/api/nomenclators/currency/{id}", FreshCode::Always),
    ("DELETE", "/api/nomenclators/currency/{id}", FreshCode::Always),
    ("PUT", "/api/nomenclators/municipality/{id}", FreshCode::Always),
    ("POST", "/api/nomenclators/payment_group", FreshCode::Always),
    ("PUT", "/api/nomenclators/payment_group", FreshCode::Always),
    ("DELETE", "/api/nomenclators/payment_group", FreshCode::Always),
    ("PUT", "/api/nomenclators/payment_group/{id}", FreshCode::Always),
    ("DELETE", "/api/nomenclators/payment_group/{id}", FreshCode::Always),
    ("POST", "/api/rates/changes", FreshCode::Always),
    ("POST", "/api/rates/changes/{id}/undo", FreshCode::Always),
    ("GET", "/api/agency", FreshCode::ForFile),
    ("POST", "/api/agency", FreshCode::Always),
    ("PUT", "/api/agency", FreshCode::Always),
    ("PUT", "/api/agency/{id}", FreshCode::Always),
    ("PUT", "/api/agency/exchange_rate/{id}", FreshCode::Always),
    ("GET", "/api/agent", FreshCode::ForFile),
    ("POST", "/api/agent", FreshCode::Always),
    ("PUT", "/api/agent/{id}", FreshCode::Always),
    ("PUT", "/api/agent/exchange_rate/{id}", FreshCode::Always),
    ("GET", "/api/dealer", FreshCode::ForFile),
    ("POST", "/api/dealer", FreshCode::Always),
    ("PUT", "/api/dealer", FreshCode::Always),
    ("PUT", "/api/dealer/{id}", FreshCode::Always),
    ("POST", "/api/delivery_men", FreshCode::Always),
    ("PUT", "/api/delivery_men/{id}", FreshCode::Always),
    ("GET", "/api/customer/sender", FreshCode::ForWhole),
    ("GET", "/api/customer/reciever", FreshCode::ForWhole),
    ("GET", "/api/customer/expiring_documents", FreshCode::ForWhole),
    ("POST", "/api/customer/{id}/dossiers", FreshCode::Always),
    ("GET", "/api/customer/{id}/dossiers/{position}", FreshCode::Always),
    ("GET", "/api/audit/log", FreshCode::Always),
    ("GET", "/api/reports/addressee", FreshCode::ForFile),
    ("GET", "/api/reports/large_sums", FreshCode::ForFile),
];

#[test]
fn every_call_that_needs_a_fresh_code_is_refused_without_one() {
    let declared = TABLE.iter().filter(|row| row.fresh_code != FreshCode::Never);
    let declared: Vec<_> = declared.map(|row| (row.method, row.path, row.fresh_code)).collect();
    assert_eq!(declared, FRESH_CALLS);
    let office = Office::start();
    let manager = &office.business.manager;
    office.enrol(manager);
    let id = uuid::Uuid::now_v7().to_string();
    for (method, path, when) in FRESH_CALLS {
        let path = path.trim_start_matches("/api");
        let path = path.replace("{id}", &id).replace("{position}", "1");
        let path = path.replace("{email}", MANAGER).replace("{name}", "own");
        let queries: &[&str] = match when {
            FreshCode::ForFile => &["?format=csv"],
            FreshCode::ForWhole => &["?format=csv", "?RecordsPerPage=0"],
            _ => &[""],
        };
        for query in queries {
            let path = format!("{path}{query}");
            let answer = office.send(manager, method, &path, json!({}));
            assert_eq!(
                (answer.status, answer.code()),
                (403, "second_factor_code_required"),
                "{method} {path}"
            );
        }
    }
    // Pages, and the recipients of one sender, are no export.
    let sender = &office.business.sender;
    for path in [
        "/customer/sender?RecordsPerPage=100".to_owned(),
        format!("/customer/reciever?recordsPerPage=0&senderId={sender}"),
        "/agency?RecordsPerPage=0".to_owned(),
    ] {
        let answer = office.send(manager, "GET", &path, Value::Null);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
}

#[test]
fn movements_of_at_least_the_set_amount_need_a_fresh_code_and_a_tenant_that_sets_none_works_as_before() {
    const REQUIRED: &str = "second_factor_code_required";
    let office = Office::start();
    let manager = &office.business.manager;
    let rule = |from: Value| json!({"roles": [], "codeFrom": from});
    let set = |from: Value| office.send(manager, "PUT", "/settings/second_factor", rule(from));
    let deposit = |amount: &str| {
        let cash = json!({"currency": "USD", "amount": amount});
        office.send(manager, "POST", "/sources/deposit/manager", cash)
    };
    let negative = set(json!("-1"));
    assert_eq!(
        (negative.status, negative.body["errors"][0]["field"].as_str()),
        (422, Some("codeFrom"))
    );
    assert_eq!(set(json!("1000.5")).body, json!({"roles": [], "codeFrom": "1000.50"}));
    // Without a second factor there is no code to give.
    assert_eq!(deposit("1000.50").status, 201);
    let mut app = office.enrol(manager);
    assert_eq!(deposit("1000.49").status, 201, "less than the amount");
    let large = json!({"currency": "USD", "amount": "1000.50"});
    let call = || {
        Call::new("POST", "/sources/deposit/manager")
            .token(manager)
            .key("large")
            .json(&large)
    };
    let refused = office.client().send(call());
    assert_eq!((refused.status, refused.code()), (403, REQUIRED), "{}", refused.body);
    let previewed = office.client().send(call().header("Prefer", "preview"));
    assert_eq!(previewed.status, 200, "a preview has no effect: {}", previewed.body);
    let code = office.next(&mut app);
    let given = office.send(manager, "POST", "/second_factor/code", json!({"code": code}));
    assert_eq!(given.status, 200, "{}", given.body);
    let done = office.client().send(call());
    assert_eq!(done.status, 201, "{}", done.body);

    let whole = office.send(manager, "PUT", "/settings/second_factor", json!({"roles": ["dealer"]}));
    assert_eq!(
        whole.body,
        json!({"roles": ["dealer"], "codeFrom": "1000.50"}),
        "absent, it stays"
    );
    assert_eq!(set(Value::Null).body, json!({"roles": [], "codeFrom": null}));
    office.pass(FRESH);
    assert_eq!(deposit("1000.50").status, 201);
    let events = office.events("SecondFactorRequired");
    assert_eq!(events.len(), 3);
}

#[test]
fn wrong_codes_are_limited_counted_apart_and_told_to_the_owner() {
    let office = Office::start();
    let mut app = office.enrol(&office.business.agency_token);
    let mails = office.server.mails(1).len();
    for _ in 0..CODES.account_and_address {
        assert_eq!(office.log_in(AGENCY, Some("12345678")).status, 422);
    }
    let code = office.next(&mut app);
    let limited = office.log_in(AGENCY, Some(&code));
    assert_eq!(
        (limited.status, limited.code()),
        (429, "too_many_attempts"),
        "a right one as well"
    );
    assert!(office.server.mails(mails + 1).iter().any(|mail| mail.contains(AGENCY)));
    // An open session has a budget of its own.
    let own = &office.business.agency_token;
    let code = office.next(&mut app);
    assert_eq!(
        office
            .send(own, "POST", "/second_factor/code", json!({"code": code}))
            .status,
        200
    );
    for _ in 0..CODES.known {
        let wrong = office.send(own, "POST", "/second_factor/code", json!({"code": "12345678"}));
        assert_eq!(wrong.status, 422);
    }
    let limited = office.send(own, "POST", "/second_factor/remove", json!({"code": "12345678"}));
    assert_eq!(limited.status, 429);
    office.pass(WINDOW);
    let code = office.next(&mut app);
    office.logged_in(AGENCY, Some(&code));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_second_factor_is_in_the_log_or_a_table() {
    let office = tokio::task::spawn_blocking(|| {
        let office = Office::start();
        let app = office.enrol(&office.business.agency_token);
        office.logged_in(AGENCY, Some(&app.recovery[0]));
        (office, app)
    });
    let (office, app) = office.await.unwrap();
    let mut needles = vec![hex::encode(app.secret), totp::base32(&app.secret).to_string()];
    for code in &app.recovery {
        needles.extend([code.clone(), code.replace('-', "")]);
    }
    let mut owner = sqlx::PgConnection::connect(office.server.database_url()).await.unwrap();
    // Row-level security holds for the owner too.
    sqlx::query("SELECT set_config('caudal.tenant', 'acme', false)")
        .execute(&mut owner)
        .await
        .unwrap();
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('journal', 'read')",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    let mut rows = 0;
    for table in tables {
        let texts: Vec<String> = sqlx::query_scalar(&format!("SELECT t::text FROM {table} AS t"))
            .fetch_all(&mut owner)
            .await
            .unwrap();
        rows += texts.len();
        for needle in &needles {
            assert!(!texts.iter().any(|text| text.contains(needle.as_str())), "{table}");
        }
    }
    assert!(rows > 100, "{rows} rows were read");
    tokio::task::spawn_blocking(move || drop(office)).await.unwrap();
}
