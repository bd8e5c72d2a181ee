//! Passkeys: enrolment, logins, fresh confirmations, removal, and attacks, with an authenticator made in software.

use crate::support::{Answer, Business, Call, Client, MANAGER, PASSWORD, Server, Surroundings, secret_of, text};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_api::auth::{passkeys::LIFETIME, second_factors::FRESH, totp};
use caudal_domain::{Command, erasure::Forget, ids::PartyId, party::PartyCommand};
use chrono::{Duration, Utc};
use ciborium::{Value as Cbor, cbor};
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::thread;

const AGENCY: &str = "agency@example.test";
const HOST: &str = "caudal.example";
const ORIGIN: &str = "https://caudal.example";
const COOKIE: &str = "__Host-caudal_passkey";
/// User present, user verified.
const VERIFIED: u8 = 0b101;
/// Attested credential data.
const ATTESTED: u8 = 1 << 6;

struct Office {
    server: Server,
    business: Business,
}

/// A change of an authenticator's answers.
type Change = fn(&mut Key);

/// An authenticator with one credential.
#[derive(Clone)]
struct Key {
    secret: SigningKey,
    id: Vec<u8>,
    count: u32,
    handle: Vec<u8>,
    origin: String,
    flags: u8,
}

impl Key {
    fn new(seed: u8) -> Self {
        Self {
            secret: SigningKey::from_slice(&[seed; 32]).unwrap(),
            id: vec![seed; 20],
            count: 0,
            handle: Vec::new(),
            origin: ORIGIN.to_owned(),
            flags: VERIFIED,
        }
    }

    fn client_data(&self, ceremony: &str, options: &Value) -> Vec<u8> {
        json!({"type": ceremony, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false})
            .to_string()
            .into_bytes()
    }

    fn head(&self, rp_id: &str, flags: u8) -> Vec<u8> {
        let hash = Sha256::digest(rp_id.as_bytes());
        [hash.as_slice(), &[flags], &self.count.to_be_bytes()].concat()
    }

    /// The answer to a registration's options.
    fn created(&mut self, begun: &Value, name: &str) -> Value {
        let options = &begun["options"];
        self.handle = BASE64.decode(text(&options["user"]["id"])).unwrap();
        let point = self.secret.verifying_key().to_encoded_point(false);
        let (x, y) = (point.x().unwrap().to_vec(), point.y().unwrap().to_vec());
        let key = cbor!({1 => 2, 3 => -7, -1 => 1, -2 => Cbor::Bytes(x), -3 => Cbor::Bytes(y)}).unwrap();
        let mut cose = Vec::new();
        ciborium::into_writer(&key, &mut cose).unwrap();
        let mut data = self.head(&text(&options["rp"]["id"]), self.flags | ATTESTED);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        data.extend(cose);
        let object = cbor!({"fmt" => "none", "attStmt" => {}, "authData" => Cbor::Bytes(data)}).unwrap();
        let mut attestation = Vec::new();
        ciborium::into_writer(&object, &mut attestation).unwrap();
        json!({
            "ceremony": begun["ceremony"],
            "name": name,
            "clientData": BASE64.encode(self.client_data("webauthn.create", options)),
            "attestation": BASE64.encode(attestation),
        })
    }

    /// The answer to an authentication's options.
    fn answer(&self, begun: &Value) -> Value {
        let options = &begun["options"];
        let client_data = self.client_data("webauthn.get", options);
        let data = self.head(&text(&options["rpId"]), self.flags);
        let signed = [data.as_slice(), Sha256::digest(&client_data).as_slice()].concat();
        let signature: Signature = self.secret.sign(&signed);
        let mut answer = json!({
            "credential": BASE64.encode(&self.id),
            "clientData": BASE64.encode(client_data),
            "authenticatorData": BASE64.encode(data),
            "signature": BASE64.encode(signature.to_der().as_bytes()),
            "userHandle": BASE64.encode(&self.handle),
        });
        if let Some(ceremony) = begun["ceremony"].as_str() {
            answer["ceremony"] = ceremony.into();
        }
        answer
    }
}

/// A login under way in a browser.
struct Begun {
    body: Value,
    cookie: String,
}

fn begin(client: &Client) -> Begun {
    let answer = client.send(Call::new("POST", "/auth0/passkey"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let set = answer
        .headers
        .iter()
        .find(|(name, value)| name == "set-cookie" && value.starts_with(COOKIE));
    let cookie = set.unwrap().1.split(';').next().unwrap().to_owned();
    Begun {
        body: answer.body,
        cookie,
    }
}

fn finish(client: &Client, cookie: &str, answer: &Value) -> Answer {
    client.send(
        Call::new("POST", "/auth0/passkey/finish")
            .header("Cookie", cookie)
            .json(answer),
    )
}

fn log_in(client: &Client, key: &mut Key) -> Answer {
    key.count += 1;
    let begun = begin(client);
    finish(client, &begun.cookie, &key.answer(&begun.body))
}

impl Office {
    fn start() -> Self {
        let around = Surroundings {
            public_url: Some(ORIGIN.parse().unwrap()),
            ..Surroundings::default()
        };
        let server = Server::among(&["acme", "other"], around);
        Self {
            business: Business::new(&server, "acme"),
            server,
        }
    }

    const fn client(&self) -> &Client {
        &self.business.client
    }

    fn send(&self, token: &str, method: &str, path: &str, body: Value) -> Answer {
        let call = Call::new(method, path).token(token);
        self.client()
            .send(if method == "GET" { call } else { call.json(&body) })
    }

    fn add(&self, token: &str, key: &mut Key, name: &str) -> Answer {
        let begun = self.send(token, "POST", "/second_factor/passkeys", json!({"password": PASSWORD}));
        assert_eq!(begun.status, 200, "{}", begun.body);
        self.send(
            token,
            "POST",
            "/second_factor/passkeys/finish",
            key.created(&begun.body, name),
        )
    }

    fn enrolled(&self, token: &str, seed: u8) -> (Key, Value) {
        let mut key = Key::new(seed);
        let added = self.add(token, &mut key, "Teléfono");
        assert_eq!(added.status, 201, "{}", added.body);
        (key, added.body)
    }

    fn confirm(&self, token: &str, key: &mut Key) -> Answer {
        key.count += 1;
        let begun = self.send(token, "POST", "/second_factor/passkey", json!({}));
        assert_eq!(begun.status, 200, "{}", begun.body);
        self.send(token, "POST", "/second_factor/passkey/finish", key.answer(&begun.body))
    }

    fn status(&self, token: &str) -> Value {
        self.client().expect(200, token, "GET", "/second_factor", None)
    }

    fn works(&self, token: &str) -> bool {
        self.send(token, "GET", "/users/profile", Value::Null).status == 200
    }

    fn by_password(&self, code: Option<&str>) -> Answer {
        let body = json!({"email": AGENCY, "password": PASSWORD, "code": code});
        self.client().send(Call::new("POST", "/auth0/login").json(&body))
    }

    fn events(&self, kind: &str) -> usize {
        let path = format!("/audit/events?eventType={kind}");
        let found = self.client().expect(200, &self.business.manager, "GET", &path, None);
        found["data"].as_array().unwrap().len()
    }
}

fn token_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.body);
    text(&answer.body["token"]["accessToken"])
}

fn refused(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.code())
}

#[test]
fn a_passkey_is_a_second_factor_and_a_login_by_itself() {
    let office = Office::start();
    let agency = &office.business.agency_token;
    let other = text(&office.by_password(None).body["token"]["accessToken"]);
    let wrong = office.send(
        agency,
        "POST",
        "/second_factor/passkeys",
        json!({"password": "Wrong#2026"}),
    );
    assert_eq!(wrong.body["errors"][0]["code"], "password_wrong");
    let begun = office.send(agency, "POST", "/second_factor/passkeys", json!({"password": PASSWORD}));
    let options = &begun.body["options"];
    assert_eq!(options["rp"]["id"], HOST);
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    let mut key = Key::new(1);
    let body = key.created(&begun.body, "Teléfono");
    let nameless = office.send(agency, "POST", "/second_factor/passkeys/finish", {
        let mut body = body.clone();
        body["name"] = " ".into();
        body["attestation"] = "*".into();
        body
    });
    assert_eq!(nameless.status, 422);
    assert_eq!(
        nameless.body["errors"].as_array().unwrap().len(),
        2,
        "{}",
        nameless.body
    );
    let added = office.send(agency, "POST", "/second_factor/passkeys/finish", body.clone());
    assert_eq!(added.status, 201, "{}", added.body);
    let codes: Vec<String> = added.body["recoveryCodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect();
    assert_eq!(codes.len(), 10);
    let again = office.send(agency, "POST", "/second_factor/passkeys/finish", body);
    assert_eq!(
        (again.status, &again.body["recoveryCodes"]),
        (201, &Value::Null),
        "a lost answer"
    );
    assert!(office.works(agency) && !office.works(&other), "the other sessions end");
    assert!(office.server.mails(1)[0].contains(AGENCY));

    // The password alone logs in no more; with a recovery code it does.
    assert_eq!(refused(&office.by_password(None)), (401, "second_factor_required"));
    assert_eq!(office.by_password(Some("123456")).status, 422);
    let recovered = token_of(&office.by_password(Some(&codes[0])));
    let status = office.status(&recovered);
    assert_eq!(
        (&status["isEnrolled"], &status["hasApp"], &status["recoveryCodesLeft"]),
        (&json!(true), &json!(false), &json!(9))
    );
    assert_eq!(status["passkeys"][0]["name"], "Teléfono");
    assert_eq!(status["passkeys"][0]["usedAt"], Value::Null);

    let token = token_of(&log_in(office.client(), &mut key));
    assert!(office.works(&token));
    let status = office.status(&token);
    assert!(status["passkeys"][0]["usedAt"].is_string(), "{status}");
    assert!(status["freshUntil"].is_string(), "a login by it counts as a fresh code");
    let sessions = office.send(&token, "GET", "/sessions", Value::Null);
    assert_eq!(sessions.status, 200);

    // A second one comes without recovery codes, and needs a fresh confirmation.
    office.server.pass(FRESH);
    let late = office.send(&token, "POST", "/second_factor/passkeys", json!({"password": PASSWORD}));
    assert_eq!(refused(&late), (403, "second_factor_code_required"));
    let confirmed = office.confirm(&token, &mut key);
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);
    let mut second = Key::new(2);
    let added = office.add(&token, &mut second, "Oficina");
    assert_eq!((added.status, &added.body["recoveryCodes"]), (201, &Value::Null));
    token_of(&log_in(office.client(), &mut second));

    // New recovery codes take a code, or a fresh confirmation.
    let renewed = office.send(&token, "POST", "/second_factor/recovery_codes", json!({}));
    assert_eq!(
        renewed.body["recoveryCodes"].as_array().map(Vec::len),
        Some(10),
        "{}",
        renewed.body
    );
    assert_eq!(office.by_password(Some(&codes[1])).status, 422);

    // Removed one by one; the last one leaves the password.
    // The one that confirmed goes last: with its end the confirmation ends.
    for passkey in office.status(&token)["passkeys"].as_array().unwrap().iter().rev() {
        let path = format!("/second_factor/passkeys/{}", text(&passkey["id"]));
        let removed = office.send(&token, "DELETE", &path, json!({}));
        assert_eq!(removed.status, 204, "{}", removed.body);
    }
    for key in [&mut key, &mut second] {
        let answer = log_in(office.client(), key);
        assert_eq!(refused(&answer), (403, "passkey_refused"), "a removed one");
    }
    assert_eq!(office.by_password(None).status, 200);
    for (kind, count) in [("PasskeyAdded", 2), ("PasskeyRemoved", 2), ("RecoveryCodeUsed", 1)] {
        assert_eq!(office.events(kind), count, "{kind}");
    }
}

#[test]
fn an_app_beside_a_passkey_needs_a_fresh_code_at_its_begin_and_at_its_confirmation() {
    let office = Office::start();
    let token = &office.business.agency_token;
    let begin = || {
        office.send(
            token,
            "POST",
            "/second_factor/enrolments",
            json!({"password": PASSWORD}),
        )
    };
    let confirm = |begun: &Value| {
        let secret = secret_of(&text(&begun["secret"]));
        let code = totp::code(&secret, totp::step_of(Utc::now()));
        let path = format!("/second_factor/enrolments/{}/confirm", text(&begun["id"]));
        office.send(token, "POST", &path, json!({"code": code.as_str()}))
    };
    // Begun before there was a factor.
    let early = begin();
    assert_eq!(early.status, 201, "{}", early.body);
    let (mut key, added) = office.enrolled(token, 1);
    assert_eq!(refused(&confirm(&early.body)), (403, "second_factor_code_required"));
    assert_eq!(refused(&begin()), (403, "second_factor_code_required"));
    assert_eq!(office.confirm(token, &mut key).status, 200);
    let confirmed = confirm(&early.body);
    assert_eq!(
        (confirmed.status, &confirmed.body["recoveryCodes"]),
        (200, &Value::Null),
        "those of the passkey stay: {}",
        confirmed.body
    );
    let recovery = text(&added["recoveryCodes"][0]);
    token_of(&office.by_password(Some(&recovery)));
}

#[test]
fn of_two_first_passkeys_at_once_one_shows_recovery_codes_and_they_are_right() {
    let office = Office::start();
    let token = &office.business.agency_token;
    let begun = [1, 2].map(|seed| {
        let begun = office.send(token, "POST", "/second_factor/passkeys", json!({"password": PASSWORD}));
        assert_eq!(begun.status, 200, "{}", begun.body);
        Key::new(seed).created(&begun.body, "Teléfono")
    });
    let answers: Vec<Answer> = thread::scope(|scope| {
        let finished: Vec<_> = begun
            .iter()
            .map(|body| {
                let call = Call::new("POST", "/second_factor/passkeys/finish")
                    .token(token)
                    .json(body);
                let client = office.client().clone();
                scope.spawn(move || client.send(call))
            })
            .collect();
        finished.into_iter().map(|answer| answer.join().unwrap()).collect()
    });
    let shown: Vec<&Value> = answers.iter().map(|answer| &answer.body["recoveryCodes"]).collect();
    let shown: Vec<&&Value> = shown.iter().filter(|codes| codes.is_array()).collect();
    assert_eq!(shown.len(), 1, "{answers:?}");
    // The other one was not the first any more: it needs a fresh code.
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403], "{answers:?}");
    token_of(&office.by_password(Some(&text(&shown[0][0]))));
}

#[test]
fn an_answer_is_accepted_once_in_its_browser_and_within_its_time() {
    let office = Office::start();
    let (mut key, _) = office.enrolled(&office.business.agency_token, 1);
    let client = office.client();
    let begun = begin(client);
    key.count = 1;
    let answer = key.answer(&begun.body);
    token_of(&finish(client, &begun.cookie, &answer));
    assert_eq!(refused(&finish(client, &begun.cookie, &answer)), (403, "passkey_used"));
    // A new signature for a challenge that was answered.
    key.count = 2;
    let again = finish(client, &begun.cookie, &key.answer(&begun.body));
    assert_eq!(refused(&again), (403, "passkey_used"));
    // An earlier challenge than the last one answered.
    let (early, late) = (begin(client), begin(client));
    token_of(&finish(client, &late.cookie, &key.answer(&late.body)));
    key.count = 3;
    assert_eq!(
        refused(&finish(client, &early.cookie, &key.answer(&early.body))),
        (403, "passkey_used")
    );
    // Another browser's ceremony, and none.
    let (one, two) = (begin(client), begin(client));
    assert_eq!(
        refused(&finish(client, &two.cookie, &key.answer(&one.body))),
        (403, "passkey_refused")
    );
    for cookie in ["", "__Host-caudal_passkey=forged"] {
        assert_eq!(
            refused(&finish(client, cookie, &key.answer(&one.body))),
            (409, "passkey_expired")
        );
    }
    let slow = begin(client);
    office.server.pass(LIFETIME);
    assert_eq!(
        refused(&finish(client, &slow.cookie, &key.answer(&slow.body))),
        (409, "passkey_expired")
    );
    token_of(&log_in(client, &mut key));
}

#[test]
fn of_logins_at_once_with_one_answer_one_wins() {
    let office = Office::start();
    let (mut key, _) = office.enrolled(&office.business.agency_token, 1);
    let begun = begin(office.client());
    key.count = 1;
    let answer = key.answer(&begun.body);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let tries: Vec<_> = (0..4)
            .map(|_| {
                let (client, cookie, answer) = (office.client().clone(), begun.cookie.clone(), answer.clone());
                scope.spawn(move || finish(&client, &cookie, &answer).status)
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| [200, 403].contains(status)),
        "{statuses:?}"
    );
}

#[test]
fn answers_of_another_page_rp_user_or_key_and_without_verification_are_refused() {
    let office = Office::start();
    let (key, _) = office.enrolled(&office.business.agency_token, 1);
    let client = office.client();
    let changed = |change: fn(&mut Key)| {
        let mut key = key.clone();
        key.count = 1;
        change(&mut key);
        let begun = begin(client);
        finish(client, &begun.cookie, &key.answer(&begun.body))
    };
    let changes: [(&str, Change); 6] = [
        ("a page of another origin", |key| {
            key.origin = "https://caudal.example.evil".to_owned()
        }),
        ("another port", |key| key.origin = format!("{ORIGIN}:8443")),
        ("an unverified user", |key| key.flags = 1),
        ("another secret key", |key| {
            key.secret = SigningKey::from_slice(&[9; 32]).unwrap()
        }),
        ("another user's handle", |key| key.handle = vec![3; 32]),
        ("an unknown credential", |key| key.id = vec![9; 20]),
    ];
    for (what, change) in changes {
        let answer = changed(change);
        assert_eq!(refused(&answer), (403, "passkey_refused"), "{what}");
    }
    let mut begun = begin(client);
    begun.body["options"]["rpId"] = "example".into();
    let answer = finish(client, &begun.cookie, &key.answer(&begun.body));
    assert_eq!(refused(&answer), (403, "passkey_refused"), "another RP id");
    // A registration's answer of another origin.
    let manager = &office.business.manager;
    let mut foreign = Key::new(5);
    foreign.origin = "https://evil.example".to_owned();
    assert_eq!(
        refused(&office.add(manager, &mut foreign, "x")),
        (403, "passkey_refused")
    );
    let mut unverified = Key::new(6);
    unverified.flags = 1;
    assert_eq!(
        refused(&office.add(manager, &mut unverified, "x")),
        (403, "passkey_refused")
    );
    let mut taken = Key::new(1);
    assert_eq!(
        refused(&office.add(manager, &mut taken, "x")),
        (409, "passkey_registered")
    );
    assert_eq!(office.status(manager)["isEnrolled"], false);
}

#[test]
fn a_credential_of_one_tenant_never_logs_into_another_nor_another_party() {
    let office = Office::start();
    let (mut key, added) = office.enrolled(&office.business.agency_token, 1);
    let foreign = office.server.client("other");
    let answer = log_in(&foreign, &mut key);
    assert_eq!(refused(&answer), (403, "passkey_refused"));
    // A ceremony of one tenant is none of another.
    let begun = begin(&foreign);
    key.count += 1;
    let answer = finish(office.client(), &begun.cookie, &key.answer(&begun.body));
    assert_eq!(refused(&answer), (409, "passkey_expired"));

    // A confirmation by another party's passkey, and in another session.
    let manager = &office.business.manager;
    let (mut managers, _) = office.enrolled(manager, 2);
    let begun = office.send(manager, "POST", "/second_factor/passkey", json!({}));
    key.count += 1;
    let by_another = office.send(
        manager,
        "POST",
        "/second_factor/passkey/finish",
        key.answer(&begun.body),
    );
    assert_eq!(refused(&by_another), (403, "passkey_refused"));
    let login = token_of(&log_in(office.client(), &mut managers));
    managers.count += 1;
    let elsewhere = office.send(
        &login,
        "POST",
        "/second_factor/passkey/finish",
        managers.answer(&begun.body),
    );
    assert_eq!(refused(&elsewhere), (409, "passkey_expired"));
    // A login's cookie is no confirmation.
    let begun = begin(office.client());
    let mut answer = managers.answer(&begun.body);
    answer["ceremony"] = begun.cookie.split_once('=').unwrap().1.into();
    let crossed = office.send(&login, "POST", "/second_factor/passkey/finish", answer);
    assert_eq!(refused(&crossed), (409, "passkey_expired"));
    // Another party's passkey is not removed.
    let path = format!("/second_factor/passkeys/{}", text(&added["id"]));
    assert_eq!(
        refused(&office.send(&login, "DELETE", &path, json!({}))),
        (404, "passkey_not_found")
    );
}

#[test]
fn a_counter_that_goes_back_is_refused_recorded_and_told() {
    let office = Office::start();
    let (mut key, _) = office.enrolled(&office.business.agency_token, 1);
    key.count = 9;
    token_of(&log_in(office.client(), &mut key));
    let mails = office.server.mails(1).len();
    let mut copy = key.clone();
    copy.count = 4;
    let answer = log_in(office.client(), &mut copy);
    assert_eq!(refused(&answer), (403, "passkey_counter_went_back"));
    key.count -= 1;
    let answer = log_in(office.client(), &mut key);
    assert_eq!(refused(&answer), (403, "passkey_counter_went_back"), "the same again");
    assert_eq!(office.events("PasskeyRefused"), 2);
    assert!(
        office
            .server
            .mails(mails + 2)
            .iter()
            .any(|mail| mail.contains("copy of your passkey"))
    );
    token_of(&log_in(office.client(), &mut key));
}

#[test]
fn a_passkey_without_a_counter_logs_in_again_and_again() {
    let office = Office::start();
    let (key, _) = office.enrolled(&office.business.agency_token, 1);
    for _ in 0..3 {
        let begun = begin(office.client());
        token_of(&finish(office.client(), &begun.cookie, &key.answer(&begun.body)));
    }
}

#[test]
fn a_deactivated_or_forgotten_party_does_not_log_in() {
    let office = Office::start();
    let dealer = office.client().login("dealer@example.test", PASSWORD);
    let (mut key, _) = office.enrolled(&dealer, 1);
    let path = format!("/users/{}", office.business.dealer);
    let deleted = office.send(&office.business.manager, "DELETE", &path, json!({}));
    assert_eq!(deleted.status, 204, "{}", deleted.body);
    let answer = log_in(office.client(), &mut key);
    assert_eq!(refused(&answer), (401, "account_inactive"));
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    let dealer = PartyId(office.business.dealer.parse().unwrap());
    office
        .server
        .submit("acme", Command::Party(dealer, PartyCommand::Forget(order)));
    let answer = log_in(office.client(), &mut key);
    assert_eq!(refused(&answer), (403, "passkey_refused"));
}

#[test]
fn a_passkey_is_enough_where_a_role_needs_a_second_factor_and_a_manager_ends_all() {
    let office = Office::start();
    let (manager, agency) = (&office.business.manager, &office.business.agency_token);
    let rule = json!({"roles": ["agency"]});
    assert_eq!(office.send(manager, "PUT", "/settings/second_factor", rule).status, 200);
    let held = office.send(agency, "GET", "/remittances", Value::Null);
    assert_eq!(refused(&held), (403, "second_factor_enrolment_required"));
    let (mut key, _) = office.enrolled(agency, 1);
    assert_eq!(office.send(agency, "GET", "/remittances", Value::Null).status, 200);
    let login = log_in(office.client(), &mut key);
    assert_eq!(login.body["token"]["mustEnrolSecondFactor"], false);
    let token = token_of(&login);
    let path = format!("/users/{}/second_factor", office.business.agency);
    assert_eq!(office.send(manager, "DELETE", &path, json!({})).status, 204);
    assert!(!office.works(&token) && !office.works(agency));
    assert_eq!(refused(&log_in(office.client(), &mut key)), (403, "passkey_refused"));
    let login = office.by_password(None);
    assert_eq!(login.body["token"]["mustEnrolSecondFactor"], true);
    assert_eq!(office.events("PasskeyRemoved"), 1);
}

#[test]
fn wrong_answers_are_limited_per_address_and_passwords_go_on() {
    let office = Office::start();
    let (mut key, _) = office.enrolled(&office.business.agency_token, 1);
    let mut unknown = key.clone();
    unknown.id = vec![9; 20];
    for _ in 0..caudal_api::auth::limits::FAILURES.account_and_address {
        assert_eq!(log_in(office.client(), &mut unknown).status, 403);
    }
    let limited = log_in(office.client(), &mut key);
    assert_eq!(refused(&limited), (429, "too_many_attempts"));
    office.client().login(MANAGER, PASSWORD);
    office
        .server
        .pass(caudal_api::auth::limits::WINDOW + Duration::seconds(1));
    token_of(&log_in(office.client(), &mut key));
}

#[test]
fn a_server_at_an_address_without_domain_has_no_passkeys_and_localhost_has() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let at = |host: &str| client.send(Call::new("POST", "/auth0/passkey").header("Host", host));
    for host in ["127.0.0.1:8080", "caudal.example", "localhost.evil.example"] {
        assert_eq!(refused(&at(host)), (409, "passkeys_unavailable"), "{host}");
    }
    let begun = at("localhost:8080");
    assert_eq!(begun.body["options"]["rpId"], "localhost", "{}", begun.body);
    let options = client.send(Call::new("GET", "/auth0/options"));
    assert_eq!(options.body["passkeys"], false);
}
