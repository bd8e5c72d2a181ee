//! Single sign-on by OpenID Connect, against a provider on loopback that answers as each test wants.

use crate::support::{Answer, Business, Call, Client, Server, Surroundings, text};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_api::auth::{address::Proxies, limits::FAILURES, totp};
use chrono::{Duration, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard},
    thread,
};

const AGENCY: &str = "agency@example.test";
pub(crate) const CLIENT_ID: &str = "caudal";
const SECRET: &str = "a secret: of the client/&";
pub(crate) const ORIGIN: &str = "http://caudal.example";

/// Start of an Ed25519 key in PKCS#8.
const PKCS8: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// A login at the provider that waits for its code to be exchanged.
struct Waiting {
    challenge: String,
    claims: Value,
}

struct Received {
    issuer: String,
    /// Seed and id of the signing key, and ids of the published ones.
    seed: [u8; 32],
    kid: String,
    published: bool,
    /// Header of tokens in place of the right one, with a secret for HMAC.
    symmetric: bool,
    waiting: HashMap<String, Waiting>,
    key_requests: usize,
    /// The client secret that it takes.
    secret: String,
    /// Done while a code is exchanged, once.
    meanwhile: Option<Box<dyn FnOnce() + Send>>,
}

/// A provider; its threads end with the process.
pub(crate) struct Provider(Arc<Mutex<Received>>);

impl Provider {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let kept = Arc::new(Mutex::new(Received {
            issuer,
            seed: [7; 32],
            kid: "one".to_owned(),
            published: true,
            symmetric: false,
            waiting: HashMap::new(),
            key_requests: 0,
            secret: SECRET.to_owned(),
            meanwhile: None,
        }));
        let shared = kept.clone();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, shared) = (connection.unwrap(), shared.clone());
                thread::spawn(move || answer(connection, &shared));
            }
        });
        Self(kept)
    }

    fn kept(&self) -> MutexGuard<'_, Received> {
        self.0.lock().unwrap()
    }

    /// From now on it takes this client secret and no other.
    fn takes(&self, secret: &str) {
        secret.clone_into(&mut self.kept().secret);
    }

    pub(crate) fn issuer(&self) -> String {
        self.kept().issuer.clone()
    }

    /// What the provider's page does: it leads back with a code for who logged in, and the state.
    pub(crate) fn log_in(&self, url: &str, sub: &str, change: impl FnOnce(&mut Value)) -> (String, String) {
        let query: HashMap<String, String> = form(url.split_once('?').unwrap().1);
        assert_eq!(query["response_type"], "code");
        assert_eq!(query["code_challenge_method"], "S256");
        assert_eq!(query["redirect_uri"], format!("{ORIGIN}/users/sign-on/"));
        assert!(query["scope"].split(' ').any(|scope| scope == "openid"));
        let now = Utc::now().timestamp();
        let mut claims = json!({
            "iss": self.issuer(), "aud": CLIENT_ID, "sub": sub, "iat": now, "exp": now + 300,
            "nonce": query["nonce"], "email": AGENCY, "email_verified": true,
        });
        change(&mut claims);
        let code = format!("code-{}", uuid::Uuid::now_v7());
        let challenge = query["code_challenge"].clone();
        self.kept().waiting.insert(code.clone(), Waiting { challenge, claims });
        (code, query["state"].clone())
    }
}

fn form(text: &str) -> HashMap<String, String> {
    reqwest::Url::parse(&format!("http://x/?{text}"))
        .unwrap()
        .query_pairs()
        .into_owned()
        .collect()
}

fn answer(mut connection: TcpStream, kept: &Mutex<Received>) {
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    let (mut first, mut length, mut authorization) = (String::new(), 0, String::new());
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let path = first.split(' ').nth(1).unwrap();
    if path == "/token" {
        let meanwhile = kept.lock().unwrap().meanwhile.take();
        meanwhile.into_iter().for_each(|done| done());
    }
    let (status, body) = respond(path, &authorization, &String::from_utf8(body).unwrap(), kept);
    let body = body.to_string();
    let _ = write!(
        connection,
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}

fn respond(path: &str, authorization: &str, body: &str, kept: &Mutex<Received>) -> (u16, Value) {
    let mut kept = kept.lock().unwrap();
    let issuer = kept.issuer.clone();
    match path {
        "/.well-known/openid-configuration" => (
            200,
            json!({
                "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
                "end_session_endpoint": format!("{issuer}/logout"),
            }),
        ),
        "/keys" => {
            kept.key_requests += 1;
            let public = ed25519_dalek::SigningKey::from_bytes(&kept.seed).verifying_key();
            let kid = if kept.published { kept.kid.as_str() } else { "another" };
            let key = json!({"kty": "OKP", "crv": "Ed25519", "kid": kid, "use": "sig", "x": BASE64.encode(public.as_bytes())});
            (200, json!({"keys": [key]}))
        }
        "/token" => {
            let encoded = |text: &str| {
                reqwest::Url::parse_with_params("http://x/", [("", text)])
                    .unwrap()
                    .query()
                    .unwrap()
                    .trim_start_matches('=')
                    .to_owned()
            };
            let basic = format!("{}:{}", encoded(CLIENT_ID), encoded(&kept.secret));
            let basic = base64::engine::general_purpose::STANDARD.encode(basic);
            if authorization != format!("Basic {basic}") {
                return (401, json!({"error": "invalid_client"}));
            }
            let form = form(body);
            // One use each.
            let Some(waiting) = kept.waiting.remove(&form["code"]) else {
                return (400, json!({"error": "invalid_grant"}));
            };
            if BASE64.encode(Sha256::digest(form["code_verifier"].as_bytes())) != waiting.challenge {
                return (400, json!({"error": "invalid_grant"}));
            }
            let (algorithm, key) = if kept.symmetric {
                (Algorithm::HS256, EncodingKey::from_secret(SECRET.as_bytes()))
            } else {
                let der = [PKCS8.as_slice(), &kept.seed].concat();
                (Algorithm::EdDSA, EncodingKey::from_ed_der(&der))
            };
            let header = Header {
                kid: Some(kept.kid.clone()),
                ..Header::new(algorithm)
            };
            let token = encode(&header, &waiting.claims, &key).unwrap();
            (
                200,
                json!({"access_token": "x", "token_type": "Bearer", "id_token": token}),
            )
        }
        _ => (404, json!({})),
    }
}

/// A business whose manager has set a provider.
struct Office {
    server: Server,
    business: Business,
    provider: Provider,
}

/// A login under way in a browser.
struct Browser {
    cookie: String,
    url: String,
}

/// The cookie that an answer sets.
fn cookie_of(answer: &Answer) -> String {
    answer.header("Set-Cookie").split(';').next().unwrap().to_owned()
}

impl Browser {
    /// It, with the cookie of an answer.
    fn told(&self, answer: &Answer) -> Self {
        Self {
            cookie: cookie_of(answer),
            url: self.url.clone(),
        }
    }
}

impl Office {
    fn start() -> Self {
        let around = Surroundings {
            webhook_networks: vec!["127.0.0.0/8".parse().unwrap()],
            ..Surroundings::default()
        };
        let server = Server::among(&["acme", "other"], around);
        let office = Self {
            business: Business::new(&server, "acme"),
            server,
            provider: Provider::start(),
        };
        let set = office.set(json!({}));
        assert_eq!(set.status, 200, "{}", set.body);
        office
    }

    const fn client(&self) -> &Client {
        &self.business.client
    }

    fn set(&self, change: Value) -> Answer {
        let mut body = json!({"issuer": self.provider.issuer(), "clientId": CLIENT_ID, "clientSecret": SECRET});
        body.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        let call = Call::new("PUT", "/settings/sign_on").token(&self.business.manager);
        self.client().send(call.json(&body))
    }

    fn begin(&self) -> Answer {
        self.client()
            .send(Call::new("POST", "/auth0/sign_on").header("Origin", ORIGIN))
    }

    fn begun(&self) -> Browser {
        let answer = self.begin();
        assert_eq!(answer.status, 200, "{}", answer.body);
        Browser {
            cookie: cookie_of(&answer),
            url: text(&answer.body["url"]),
        }
    }

    fn finish(&self, browser: &Browser, (code, state): (&str, &str), factor: Option<&str>) -> Answer {
        let body = json!({"code": code, "state": state, "secondFactor": factor});
        let call = Call::new("POST", "/auth0/sign_on/finish").header("Cookie", &browser.cookie);
        self.client().send(call.json(&body))
    }

    /// The whole login of somebody at the provider.
    fn log_in(&self, sub: &str, change: impl FnOnce(&mut Value)) -> Answer {
        let browser = self.begun();
        let (code, state) = self.provider.log_in(&browser.url, sub, change);
        self.finish(&browser, (&code, &state), None)
    }

    fn refusal(&self, sub: &str, change: impl FnOnce(&mut Value)) -> String {
        let answer = self.log_in(sub, change);
        assert_ne!(answer.status, 200, "{}", answer.body);
        answer.code().to_owned()
    }
}

#[test]
fn a_verified_address_logs_its_party_in_and_binds_the_login_to_it() {
    let office = Office::start();
    let options = office.client().send(Call::new("GET", "/auth0/options"));
    assert_eq!(options.body["signOn"], "127.0.0.1");
    let first = office.log_in("anna", |_| {});
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.body["profile"]["id"], json!(office.business.agency));
    assert!(
        text(&first.body["logoutUrl"]).starts_with(&format!("{}/logout?client_id=caudal", office.provider.issuer()))
    );
    let token = text(&first.body["token"]["accessToken"]);
    office.client().expect(200, &token, "GET", "/users/profile", None);
    // Bound: the address is not looked at any more.
    let moved = office.log_in("anna", |claims| {
        claims["email"] = json!("anna@elsewhere.test");
        claims["email_verified"] = json!(false);
    });
    assert_eq!(moved.body["profile"]["id"], json!(office.business.agency));
    // Another login with the same address is not the same person, until a manager frees the party.
    assert_eq!(office.refusal("impostor", |_| {}), "sign_on_bound");
    let path = format!("/users/{}/sign_on", office.business.agency);
    office
        .client()
        .expect(204, &office.business.manager, "DELETE", &path, None);
    assert_eq!(office.log_in("anna-2", |_| {}).status, 200);
    // The password still logs in.
    office.client().login(AGENCY, crate::support::PASSWORD);
}

#[test]
fn an_address_that_is_unverified_unknown_or_of_nobody_active_logs_nobody_in() {
    let office = Office::start();
    for change in [
        json!({"email_verified": false}),
        json!({"email_verified": null}),
        json!({"email": "nobody@example.test"}),
        json!({"email": null}),
    ] {
        let refused = office.refusal("anna", |claims| {
            claims
                .as_object_mut()
                .unwrap()
                .extend(change.as_object().unwrap().clone());
        });
        assert_eq!(refused, "sign_on_unknown", "{change}");
    }
    let path = format!("/users/{}", office.business.agency);
    assert_eq!(office.log_in("anna", |_| {}).status, 200);
    office.client().expect(
        200,
        &office.business.manager,
        "PUT",
        &path,
        Some(json!({"isActive": false})),
    );
    assert_eq!(office.refusal("anna", |_| {}), "account_inactive");
}

#[test]
fn a_token_of_another_login_client_issuer_time_or_key_is_refused() {
    let office = Office::start();
    let now = Utc::now().timestamp();
    for change in [
        json!({"nonce": "another"}),
        json!({"nonce": null}),
        json!({"aud": "another"}),
        json!({"aud": [CLIENT_ID, "another"]}),
        json!({"aud": [CLIENT_ID, "another"], "azp": "another"}),
        json!({"iss": "http://another.example"}),
        json!({"exp": now - 3600}),
        json!({"iat": now + 3600}),
        json!({"sub": ""}),
    ] {
        let refused = office.refusal("anna", |claims| {
            claims
                .as_object_mut()
                .unwrap()
                .extend(change.as_object().unwrap().clone());
        });
        assert_eq!(refused, "sign_on_failed", "{change}");
    }
    // Signed with what both know: the client's secret. The failures before are forgotten.
    office.server.pass(Duration::minutes(16));
    office.provider.kept().symmetric = true;
    assert_eq!(office.refusal("anna", |_| {}), "sign_on_failed");
    office.provider.kept().symmetric = false;
    assert_eq!(office.log_in("anna", |_| {}).status, 200);
}

#[test]
fn a_rotated_key_is_found_and_made_up_keys_cause_no_flood_of_requests() {
    let office = Office::start();
    assert_eq!(office.log_in("anna", |_| {}).status, 200);
    {
        let mut kept = office.provider.kept();
        kept.seed = [9; 32];
        kept.kid = "two".to_owned();
    }
    assert_eq!(office.log_in("anna", |_| {}).status, 200, "the new key is looked for");
    let before = office.provider.kept().key_requests;
    {
        let mut kept = office.provider.kept();
        kept.kid = "made up".to_owned();
        kept.published = false;
    }
    for _ in 0..5 {
        assert_eq!(office.refusal("anna", |_| {}), "sign_on_failed");
    }
    assert!(office.provider.kept().key_requests <= before + 1);
}

#[test]
fn a_code_is_of_one_browser_and_one_use_and_a_state_of_one_login() {
    let office = Office::start();
    let (mine, theirs) = (office.begun(), office.begun());
    let (code, state) = office.provider.log_in(&mine.url, "anna", |_| {});
    let (other_code, other_state) = office.provider.log_in(&theirs.url, "anna", |_| {});
    // A stolen answer in another browser; another login's answer in this one; no cookie; another tenant.
    for (browser, answer) in [
        (&theirs, (code.as_str(), state.as_str())),
        (&mine, (other_code.as_str(), other_state.as_str())),
    ] {
        assert_eq!(office.finish(browser, answer, None).code(), "sign_on_failed");
    }
    // The code of another login under this one's state: the verifier is not its own.
    let mixed = office.finish(&mine, (&other_code, &state), None);
    assert_eq!(mixed.code(), "sign_on_failed");
    let without = json!({"code": code, "state": state});
    let call = Call::new("POST", "/auth0/sign_on/finish").json(&without);
    assert_eq!(office.client().send(call).code(), "sign_on_failed");
    let elsewhere = Call::new("POST", "/auth0/sign_on/finish").header("Cookie", &mine.cookie);
    let foreign = office.server.client("other").send(elsewhere.json(&without));
    assert_ne!(foreign.status, 200);
    assert_eq!(office.finish(&mine, (&code, &state), None).status, 200);
    assert_eq!(
        office.finish(&mine, (&code, &state), None).code(),
        "sign_on_failed",
        "again"
    );
    // Ten minutes later it is too late.
    let late = office.begun();
    let (code, state) = office.provider.log_in(&late.url, "anna", |_| {});
    office.server.pass(Duration::minutes(11));
    assert_eq!(office.finish(&late, (&code, &state), None).code(), "sign_on_failed");
}

#[test]
fn failures_are_limited_per_address() {
    let office = Office::start();
    let browser = office.begun();
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(office.finish(&browser, ("x", "acme.guess"), None).status);
    }
    assert_eq!(statuses.first(), Some(&401));
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}

#[test]
fn a_party_with_a_second_factor_gives_its_code_too() {
    let office = Office::start();
    let client = office.client();
    let begun = client.expect(
        201,
        &office.business.agency_token,
        "POST",
        "/second_factor/enrolments",
        Some(json!({"password": crate::support::PASSWORD})),
    );
    let secret = crate::support::secret_of(&text(&begun["secret"]));
    let step = totp::step_of(Utc::now());
    let code = totp::code(&secret, step).to_string();
    let path = format!("/second_factor/enrolments/{}/confirm", text(&begun["id"]));
    client.expect(
        200,
        &office.business.agency_token,
        "POST",
        &path,
        Some(json!({"code": code})),
    );

    let browser = office.begun();
    let (code, state) = office.provider.log_in(&browser.url, "anna", |_| {});
    let asked = office.finish(&browser, (&code, &state), None);
    assert_eq!((asked.status, asked.code()), (401, "second_factor_required"));
    let known = browser.told(&asked);
    // It stays as it is: the time for the code begins once.
    let asked_again = office.finish(&known, (&code, &state), None);
    assert_eq!(
        (asked_again.status, asked_again.code()),
        (401, "second_factor_required")
    );
    assert_eq!(asked_again.header("Set-Cookie"), "");
    let wrong = office.finish(&known, (&code, &state), Some("000000"));
    assert_eq!(wrong.status, 422, "{}", wrong.body);
    office.server.pass(Duration::seconds(totp::STEP_SECONDS));
    let next = totp::code(&secret, step + 1).to_string();
    let done = office.finish(&known, (&code, &state), Some(&next));
    assert_eq!(done.status, 200, "{}", done.body);
    // It logs in once, also with another code.
    office.server.pass(Duration::seconds(totp::STEP_SECONDS));
    let next = totp::code(&secret, step + 2).to_string();
    let replayed = office.finish(&known, (&code, &state), Some(&next));
    assert_eq!((replayed.status, replayed.code()), (401, "sign_on_failed"));
    // The cookie of before knows nobody: its code was used up.
    assert_eq!(
        office.finish(&browser, (&code, &state), Some(&next)).code(),
        "sign_on_failed"
    );

    // Between both steps the manager ends the way by the provider.
    let browser = office.begun();
    let (code, state) = office.provider.log_in(&browser.url, "anna", |_| {});
    let asked = office.finish(&browser, (&code, &state), None);
    let known = browser.told(&asked);
    let unbind = format!("/users/{}/sign_on", office.business.agency);
    client.expect(204, &office.business.manager, "DELETE", &unbind, None);
    office.server.pass(Duration::seconds(totp::STEP_SECONDS));
    let next = totp::code(&secret, step + 3).to_string();
    let late = office.finish(&known, (&code, &state), Some(&next));
    assert_eq!((late.status, late.code()), (401, "sign_on_failed"));

    // Between both steps the manager ends the factor: without a code nobody is logged in by half a login.
    let browser = office.begun();
    let (code, state) = office.provider.log_in(&browser.url, "anna", |_| {});
    let asked = office.finish(&browser, (&code, &state), None);
    let known = browser.told(&asked);
    let factor = format!("/users/{}/second_factor", office.business.agency);
    client.expect(204, &office.business.manager, "DELETE", &factor, None);
    let ended = office.finish(&known, (&code, &state), None);
    assert_eq!((ended.status, ended.code()), (401, "sign_on_failed"));
    assert_eq!(office.log_in("anna", |_| {}).status, 200);
}

#[test]
fn a_provider_that_is_switched_off_or_ended_meanwhile_logs_nobody_in_and_sessions_stay() {
    let office = Office::start();
    let token = text(&office.log_in("anna", |_| {}).body["token"]["accessToken"]);
    let browser = office.begun();
    let (code, state) = office.provider.log_in(&browser.url, "anna", |_| {});
    assert_eq!(office.set(json!({"isEnabled": false})).status, 200);
    assert_eq!(office.finish(&browser, (&code, &state), None).code(), "sign_on_off");
    assert_eq!(office.begin().code(), "sign_on_off");
    let options = office.client().send(Call::new("GET", "/auth0/options"));
    assert_eq!(options.body["signOn"], Value::Null);
    assert_eq!(office.set(json!({"isEnabled": true})).status, 200);
    let manager = &office.business.manager;
    office
        .client()
        .expect(204, manager, "DELETE", "/settings/sign_on", None);
    office
        .client()
        .expect(204, manager, "DELETE", "/settings/sign_on", None);
    assert_eq!(office.begin().code(), "sign_on_off");
    office.client().expect(200, &token, "GET", "/users/profile", None);
    // Set again it is another provider, to which nobody is bound.
    assert_eq!(office.set(json!({})).status, 200);
    assert_eq!(office.finish(&browser, (&code, &state), None).code(), "sign_on_failed");
    assert_eq!(office.log_in("anna-2", |_| {}).status, 200);
}

#[test]
fn a_provider_that_is_switched_off_or_ended_during_the_exchange_logs_nobody_in_and_binds_nobody() {
    let office = Office::start();
    let off = json!({
        "issuer": office.provider.issuer(), "clientId": CLIENT_ID, "clientSecret": SECRET, "isEnabled": false,
    });
    for (method, body, status) in [("PUT", off, 200), ("DELETE", json!({}), 204)] {
        let browser = office.begun();
        let (code, state) = office.provider.log_in(&browser.url, "anna", |_| {});
        let (client, manager) = (office.client().clone(), office.business.manager.clone());
        office.provider.kept().meanwhile = Some(Box::new(move || {
            let call = Call::new(method, "/settings/sign_on").token(&manager);
            assert_eq!(client.send(call.json(&body)).status, status);
        }));
        let answer = office.finish(&browser, (&code, &state), None);
        assert_eq!(
            (answer.status, answer.code()),
            (404, "sign_on_off"),
            "{method}: {}",
            answer.body
        );
        assert_eq!(bound(&office), 0, "{method}");
        assert_eq!(office.set(json!({"isEnabled": true})).status, 200);
    }
    assert_eq!(office.log_in("anna", |_| {}).status, 200);
    assert_eq!(bound(&office), 1);
}

/// Logins of the provider that are bound to a party.
fn bound(office: &Office) -> i64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut owner = sqlx::PgConnection::connect(office.server.database_url()).await.unwrap();
        sqlx::query("SELECT set_config('caudal.tenant', 'acme', false)")
            .execute(&mut owner)
            .await
            .unwrap();
        sqlx::query_scalar("SELECT count(*) FROM journal.sign_on_subjects")
            .fetch_one(&mut owner)
            .await
            .unwrap()
    })
}

#[test]
fn failures_of_one_site_of_ipv6_count_together() {
    let around = Surroundings {
        proxies: Proxies(vec!["127.0.0.0/8".parse().unwrap()]),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let client = server.client("acme");
    let answer = |path: &str, body: &Value, address: String| {
        let call = Call::new("POST", path).header("X-Forwarded-For", &address);
        client.send(call.json(body)).status
    };
    let body = json!({"code": "x", "state": "y", "secondFactor": null});
    for host in 0..FAILURES.account_and_address {
        let status = answer("/auth0/sign_on/finish", &body, format!("2001:db8:0:1::{host:x}"));
        assert_eq!(status, 401);
    }
    let same = answer("/auth0/sign_on/finish", &body, "2001:db8:0:1:ffff::1".to_owned());
    assert_eq!(same, 429);
    let other = answer("/auth0/sign_on/finish", &body, "2001:db8:0:2::1".to_owned());
    assert_eq!(other, 401);
}

#[test]
fn settings_are_the_managers_keep_the_secret_and_reach_no_private_address() {
    let office = Office::start();
    let (client, manager) = (office.client(), &office.business.manager);
    let shown = client.expect(200, manager, "GET", "/settings/sign_on", None);
    assert_eq!(shown["clientId"], CLIENT_ID);
    assert!(!shown.to_string().contains("secret of"), "{shown}");
    client.expect(403, &office.business.agency_token, "GET", "/settings/sign_on", None);
    // The same issuer keeps the secret; another needs one.
    let kept = json!({"issuer": office.provider.issuer(), "clientId": CLIENT_ID});
    client.expect(200, manager, "PUT", "/settings/sign_on", Some(kept));
    assert_eq!(office.log_in("anna", |_| {}).status, 200);
    let other = Provider::start();
    let without = json!({"issuer": other.issuer(), "clientId": CLIENT_ID});
    let refused = client.send(Call::new("PUT", "/settings/sign_on").token(manager).json(&without));
    assert_eq!(refused.body["errors"][0]["field"], "clientSecret");
    // No provider, one that says another issuer, and one that does not answer.
    for (issuer, code) in [
        (format!("{}/", office.provider.issuer()), "sign_on_issuer_invalid"),
        (format!("{}/tenant", office.provider.issuer()), "sign_on_issuer_invalid"),
        ("http://127.0.0.1:1".to_owned(), "sign_on_unreachable"),
        ("http://10.0.0.1".to_owned(), "url_not_public"),
        ("https://169.254.169.254".to_owned(), "url_not_public"),
    ] {
        let refused = office.set(json!({"issuer": issuer}));
        assert_eq!(
            (refused.status, refused.body["errors"][0]["code"].as_str().unwrap()),
            (422, code),
            "{issuer}"
        );
    }
    // Without allowed networks loopback is not reached.
    let strict = Server::start(&["acme"]);
    let business = Business::new(&strict, "acme");
    let body = json!({"issuer": office.provider.issuer(), "clientId": CLIENT_ID, "clientSecret": SECRET});
    let refused = business.client.send(
        Call::new("PUT", "/settings/sign_on")
            .token(&business.manager)
            .json(&body),
    );
    assert_eq!(refused.body["errors"][0]["code"], "url_not_public");
}

/// A rule for users, and the session of a second manager.
fn two_managers(office: &Office) -> String {
    let business = &office.business;
    let second = json!({"name": "Second", "email": "second@example.test", "password": crate::support::PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let rule = json!({"kind": "user", "makers": ["manager"], "approvers": "manager", "expiresAfterHours": 4});
    business.as_manager(201, "POST", "/approval-rules", rule);
    second_manager(office)
}

fn second_manager(office: &Office) -> String {
    office.client().login("second@example.test", crate::support::PASSWORD)
}

/// Number of stored client secrets.
fn stored_secrets(office: &Office) -> i64 {
    let count = async {
        let mut owner = PgConnection::connect(office.server.database_url()).await.unwrap();
        owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
        let count = "SELECT count(*) FROM journal.sign_on_secrets";
        sqlx::query_scalar(count).fetch_one(&mut owner).await.unwrap()
    };
    tokio::runtime::Runtime::new().unwrap().block_on(count)
}

#[test]
fn a_client_secret_that_waits_for_an_approval_is_not_in_force_before_it() {
    let office = Office::start();
    let second = two_managers(&office);
    let propose = |secret: &str| {
        let answer = office.set(json!({"clientSecret": secret}));
        assert_eq!(answer.status, 202, "{}", answer.body);
        text(&answer.body["id"])
    };
    let decide = |id: &str, how: &str, body: Value| {
        let path = format!("/proposals/{id}/{how}");
        office.client().expect(200, &second, "POST", &path, Some(body));
    };
    let takes = |secret: &str, status: u16| {
        office.provider.takes(secret);
        let answer = office.log_in("anna", |_| {});
        assert_eq!(answer.status, status, "{}", answer.body);
    };
    // While it waits, the one of before logs in.
    let id = propose("the second secret");
    takes("the second secret", 401);
    takes(SECRET, 200);
    // Rejected: nothing changed.
    decide(&id, "reject", json!({"reason": "Not now"}));
    takes(SECRET, 200);
    // Approved: the new one, and no longer the other.
    let id = propose("the third secret");
    takes(SECRET, 200);
    decide(&id, "approve", json!({}));
    takes(SECRET, 401);
    takes("the third secret", 200);
    // Another provider that waits leaves the present one its secret.
    let other = Provider::start();
    let proposed = office.set(json!({"issuer": other.issuer(), "clientSecret": "of the other"}));
    assert_eq!(proposed.status, 202, "{}", proposed.body);
    takes("the third secret", 200);
    assert_eq!(stored_secrets(&office), 4);
    // An hour after the last proposal expired, only the secret in force is left.
    office.server.delete_secrets();
    assert_eq!(stored_secrets(&office), 4, "one may be approved");
    office.server.pass(Duration::hours(4) + Duration::minutes(30));
    office.server.delete_secrets();
    assert_eq!(stored_secrets(&office), 4, "clocks of nodes differ");
    office.server.pass(Duration::hours(1));
    office.server.delete_secrets();
    assert_eq!(stored_secrets(&office), 1);
    takes("the third secret", 200);
}

#[test]
fn a_proposed_provider_is_outdated_by_a_later_change_and_the_same_secret_again_writes_nothing() {
    let office = Office::start();
    let second = two_managers(&office);
    let head = || office.server.head("acme");
    let before = head();
    assert_eq!(office.set(json!({})).status, 200, "the secret in force again");
    assert_eq!(head(), before);
    let proposed = office.set(json!({"clientSecret": "another"}));
    assert_eq!(proposed.status, 202, "{}", proposed.body);
    // A provider that is switched off needs no approval.
    assert_eq!(office.set(json!({"isEnabled": false})).status, 200);
    let path = format!("/proposals/{}/approve", text(&proposed.body["id"]));
    let refused = office
        .client()
        .send(Call::new("POST", &path).token(&second).json(&json!({})));
    assert_eq!((refused.status, refused.code()), (409, "proposal_outdated"));
}

#[test]
fn two_managers_who_change_the_provider_are_told_field_by_field() {
    let office = Office::start();
    let change = |status: u16, body: Value| office.business.as_manager(status, "PUT", "/settings/sign_on", body);
    let renamed = change(200, json!({"clientId": "renamed", "was": {"clientId": CLIENT_ID}}));
    assert_eq!(
        (&renamed["clientId"], &renamed["isEnabled"]),
        (&json!("renamed"), &json!(true))
    );
    let switched = change(200, json!({"isEnabled": false, "was": {"isEnabled": true}}));
    assert_eq!(
        (&switched["clientId"], &switched["isEnabled"]),
        (&json!("renamed"), &json!(false))
    );
    let refused = change(409, json!({"clientId": "mine", "was": {"clientId": CLIENT_ID}}));
    assert_eq!(refused["code"], "changed_since_read");
    let error = &refused["errors"][0];
    assert_eq!(
        (&error["field"], &error["now"]),
        (&json!("clientId"), &json!("renamed"))
    );
}
