//! A client as it should be: it repeats a command under its idempotency key until there is a definite answer.

use crate::{dice::Dice, fleet::PASSWORD, tally::Tally};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::Write as _,
    net::TcpStream,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// How long one attempt may take: a client in a shop waits no longer.
const ATTEMPT: Duration = Duration::from_secs(12);

/// How long a client goes on asking before something is wrong: the longest fault, the recovery of the database and a
/// node's restart together take much less.
const PATIENCE: Duration = Duration::from_secs(180);

/// The longest pause that a client takes because it was told to.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Longest time until a client hangs up, in microseconds: about the time of an answer.
const LONGEST_LOOK: u64 = 6_000;

/// Clients of one tenant over all nodes. Clones share their logins.
#[derive(Clone, Debug)]
pub struct Client {
    agent: ureq::Agent,
    addresses: Arc<[String]>,
    tenant: String,
    tokens: Arc<Mutex<HashMap<String, String>>>,
    pub tally: Arc<Tally>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Call {
    method: &'static str,
    path: String,
    key: Option<String>,
    at_least: Option<i64>,
    body: Option<(String, Vec<u8>)>,
}

/// A definite answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status: 2xx, or a refusal.
    pub status: u16,
    pub body: Value,
    /// Where the log stood.
    pub position: Option<i64>,
    /// Whether it had been done before, under the same key.
    pub replayed: bool,
    /// Whether it is marked as about a tenant in quarantine.
    pub diverged: bool,
}

/// What came of one attempt.
#[derive(Debug)]
pub enum Attempt {
    Definite(Answer),
    /// The server says that it can't now.
    NotNow {
        status: u16,
        /// The problem's code.
        code: String,
        /// All of what it says.
        body: Value,
        /// When to come again.
        retry_after: Option<Duration>,
        /// Whether it is marked as about a tenant in quarantine.
        diverged: bool,
    },
    /// No answer came: what was asked for may have been done.
    Unknown {
        /// What the client saw in its place.
        error: String,
    },
}

impl Call {
    /// A call.
    pub fn new(method: &'static str, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            key: None,
            at_least: None,
            body: None,
        }
    }

    /// Under an idempotency key.
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Wants figures at least as new as a position.
    pub fn at_least(mut self, position: i64) -> Self {
        self.at_least = Some(position);
        self
    }

    pub fn json(mut self, body: &Value) -> Self {
        self.body = Some(("application/json".to_owned(), body.to_string().into_bytes()));
        self
    }

    /// With files by field, all PNG.
    pub fn files(mut self, files: &[(&str, &[u8])]) -> Self {
        let boundary = "caudal-chaos-boundary";
        let mut body = Vec::new();
        for (field, content) in files {
            let head = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{field}.png\"\r\n\
                 Content-Type: image/png\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        self.body = Some((format!("multipart/form-data; boundary={boundary}"), body));
        self
    }
}

impl Answer {
    pub const fn is_done(&self) -> bool {
        self.status < 300
    }

    /// A text of the body; empty where it is missing.
    pub fn text(&self, field: &str) -> String {
        self.body[field].as_str().unwrap_or_default().to_owned()
    }
}

impl Client {
    /// Clients of a tenant.
    pub fn new(addresses: Vec<String>, tenant: &str, tally: Arc<Tally>) -> Self {
        Self::with_patience(addresses, tenant, tally, ATTEMPT)
    }

    /// Clients of a tenant that wait so long for an answer.
    pub fn with_patience(addresses: Vec<String>, tenant: &str, tally: Arc<Tally>, attempt: Duration) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(attempt))
            .build();
        Self {
            agent: config.into(),
            addresses: addresses.into(),
            tenant: tenant.to_owned(),
            tokens: Arc::default(),
            tally,
        }
    }

    /// The same clients with another limit to one attempt, without their logins.
    pub fn patient(&self, attempt: Duration) -> Self {
        Self::with_patience(self.addresses.to_vec(), &self.tenant, self.tally.clone(), attempt)
    }

    /// The same clients, at one node alone.
    pub fn at(&self, address: &str) -> Self {
        Self {
            addresses: [address.to_owned()].into(),
            ..self.clone()
        }
    }

    /// Repeats a call as a user until the answer is definite.
    pub fn ask(&self, dice: &mut Dice, email: &str, call: &Call) -> Answer {
        let started = Instant::now();
        loop {
            let token = self.token(dice, email, started);
            match self.attempt(dice, Some(&token), call) {
                Attempt::Definite(answer) if answer.status == 401 => self.forget(email),
                Attempt::Definite(answer) => return answer,
                Attempt::NotNow { retry_after, .. } => pause(dice, retry_after),
                Attempt::Unknown { .. } => pause(dice, None),
            }
            self.require_patience(started, call);
        }
    }

    /// Asks once, at one of the nodes.
    pub fn attempt(&self, dice: &mut Dice, token: Option<&str>, call: &Call) -> Attempt {
        let address = &self.addresses[dice.index(self.addresses.len())];
        self.tally.count("attempts of clients");
        let attempt = self.send(address, token, call);
        match &attempt {
            Attempt::Definite(_) => {}
            Attempt::NotNow {
                status,
                code,
                retry_after,
                ..
            } => {
                self.tally.count(&format!("attempts answered {status} {code}"));
                if *status == 503 && retry_after.is_none() {
                    self.tally
                        .find(format!("{} {}: 503 without Retry-After", call.method, call.path));
                }
                if *status != 503 && *status != 429 && *status != 408 {
                    self.tally
                        .find(format!("{} {}: {status} {code}", call.method, call.path));
                }
            }
            Attempt::Unknown { .. } => self.tally.count("attempts without an answer"),
        }
        attempt
    }

    /// Sends a request as a user and closes the connection some moments later, as a closed browser does.
    pub fn ask_and_hang_up(&self, dice: &mut Dice, email: &str, call: &Call) {
        let Some(token) = self.tokens().get(email).cloned() else {
            return;
        };
        let address = self.addresses[dice.index(self.addresses.len())].trim_start_matches("http://");
        let Ok(mut stream) = TcpStream::connect(address) else {
            return;
        };
        let position = call
            .at_least
            .map_or_else(String::new, |at| format!("X-Min-Ledger-Position: {at}\r\n"));
        let asked = write!(
            stream,
            "{} {} HTTP/1.1\r\nHost: {address}\r\nX-Tenant: {}\r\nAuthorization: Bearer {token}\r\n{position}\r\n",
            call.method, call.path, self.tenant
        );
        thread::sleep(Duration::from_micros(dice.between(0, LONGEST_LOOK)));
        // Cut off rather than closed, so that the server hears of it while it is still at work.
        let cut = socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO));
        if asked.is_ok() && cut.is_ok() {
            self.tally.count("readers who hung up");
        }
    }

    /// Whether the one node says that it should get work, and what it says of itself; `None` where it says nothing.
    pub fn readiness(&self) -> Option<(bool, Value)> {
        let address = self.addresses.first().expect("one address, at least");
        match self.send(address, None, &Call::new("GET", "/readyz")) {
            Attempt::Definite(answer) => Some((answer.status == 200, answer.body)),
            Attempt::NotNow { body, .. } => Some((false, body)),
            Attempt::Unknown { .. } => None,
        }
    }

    fn send(&self, address: &str, token: Option<&str>, call: &Call) -> Attempt {
        let mut request = ureq::http::Request::builder()
            .method(call.method)
            .uri(format!("{address}{}", call.path))
            .header("X-Tenant", &self.tenant)
            .header("Accept-Language", "en");
        if let Some(token) = token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(key) = &call.key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(position) = call.at_least {
            request = request.header("X-Min-Ledger-Position", position.to_string());
        }
        let sent = match &call.body {
            Some((kind, body)) => {
                let request = request.header("Content-Type", kind).body(body.clone());
                self.agent.run(request.expect("a request"))
            }
            None => self.agent.run(request.body(()).expect("a request")),
        };
        let unknown = |error: ureq::Error| Attempt::Unknown {
            error: error.to_string(),
        };
        let mut response = match sent {
            Ok(response) => response,
            Err(error) => return unknown(error),
        };
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let number = |name: &str| header(name).and_then(|value| value.parse().ok());
        let (position, retry_after) = (number("X-Ledger-Position"), number("Retry-After"));
        let replayed = header("Idempotency-Replayed").as_deref() == Some("true");
        let diverged = header("X-Log-State").as_deref() == Some("diverged");
        let status = response.status().as_u16();
        let bytes = match response.body_mut().read_to_vec() {
            Ok(bytes) => bytes,
            Err(error) => return unknown(error),
        };
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        match status {
            200..=299 | 400..=407 | 409..=428 => Attempt::Definite(Answer {
                status,
                body,
                position,
                replayed,
                diverged,
            }),
            _ => Attempt::NotNow {
                status,
                code: body["code"].as_str().unwrap_or_default().to_owned(),
                body,
                retry_after: retry_after
                    .and_then(|seconds| u64::try_from(seconds).ok())
                    .map(Duration::from_secs),
                diverged,
            },
        }
    }

    /// A user's access token; logs in if there is none.
    pub fn token(&self, dice: &mut Dice, email: &str, started: Instant) -> String {
        if let Some(token) = self.tokens().get(email) {
            return token.clone();
        }
        let call = login(email);
        loop {
            match self.attempt(dice, None, &call) {
                Attempt::Definite(answer) if answer.is_done() => {
                    let token = answer.body["token"]["accessToken"]
                        .as_str()
                        .expect("a token")
                        .to_owned();
                    self.tokens().insert(email.to_owned(), token.clone());
                    return token;
                }
                Attempt::Definite(answer) => panic!("{email} can't log in: {} {}", answer.status, answer.body),
                Attempt::NotNow { retry_after, .. } => pause(dice, retry_after),
                Attempt::Unknown { .. } => pause(dice, None),
            }
            self.require_patience(started, &call);
        }
    }

    /// Tries a login and discards its session.
    pub fn log_in(&self, dice: &mut Dice, email: &str) {
        self.attempt(dice, None, &login(email));
    }

    fn tokens(&self) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Discards the user's access token, so that the next call logs in.
    pub fn forget(&self, email: &str) {
        self.tokens().remove(email);
    }

    fn require_patience(&self, started: Instant, call: &Call) {
        if started.elapsed() > PATIENCE {
            self.tally.find(format!(
                "{} {} has no answer after {PATIENCE:?}",
                call.method, call.path
            ));
            panic!("{} {} has no answer after {PATIENCE:?}", call.method, call.path);
        }
    }
}

fn login(email: &str) -> Call {
    Call::new("POST", "/api/auth0/login").json(&json!({"email": email, "password": PASSWORD}))
}

/// Waits as told, with some of its own so that not all come at once.
fn pause(dice: &mut Dice, told: Option<Duration>) {
    let least = told.unwrap_or(Duration::from_millis(20)).min(LONGEST_PAUSE);
    thread::sleep(least + dice.millis(0, 150));
}
