//! An HTTP client that accepts any status.

use serde_json::Value;
use std::time::Duration;
use uuid::Uuid;

/// Timeout of an answer, and of its body.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A client of one tenant.
#[derive(Clone)]
pub struct Client {
    agent: ureq::Agent,
    base: String,
    tenant: String,
}

pub struct Call {
    method: String,
    path: String,
    token: Option<String>,
    key: Option<String>,
    headers: Vec<(String, String)>,
    body: Option<(String, Vec<u8>)>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    /// The body, undecoded.
    pub bytes: Vec<u8>,
    pub headers: Vec<(String, String)>,
    /// `X-Ledger-Position`.
    pub position: Option<i64>,
    /// `Idempotency-Replayed`.
    pub replayed: bool,
}

impl Call {
    pub fn new(method: &str, path: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            token: None,
            key: None,
            headers: Vec::new(),
            body: None,
        }
    }

    pub fn token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Adds a header, or replaces one that the client sets.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.raw("application/json", body.to_string().into_bytes())
    }

    pub fn raw(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some((content_type.to_owned(), body.into()));
        self
    }

    /// Files by field, name and content, all declared as PNG.
    pub fn multipart<'a>(self, files: impl IntoIterator<Item = (&'a str, &'a str, &'a [u8])>) -> Self {
        let boundary = Uuid::now_v7().simple().to_string();
        let mut body = Vec::new();
        for (field, name, content) in files {
            let head = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
                 Content-Type: image/png\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        self.raw(&format!("multipart/form-data; boundary={boundary}"), body)
    }
}

impl Answer {
    /// A header; empty where it is missing.
    pub fn header(&self, name: &str) -> &str {
        let named = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        named.map_or("", |(_, value)| value.as_str())
    }

    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

impl Client {
    pub fn new(base: String, tenant: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // One for the whole call would give each call a thread that looks up the server's name.
            .timeout_recv_response(Some(TIMEOUT))
            .timeout_recv_body(Some(TIMEOUT))
            .build();
        Self {
            agent: config.into(),
            base,
            tenant: tenant.to_owned(),
        }
    }

    /// A path relative to the API, or `root:` and a whole path.
    fn address(&self, path: &str) -> String {
        match path.strip_prefix("root:") {
            Some(path) => format!("{}{path}", self.base),
            None => format!("{}/api{path}", self.base),
        }
    }

    /// Sends a call whose answer is read as a stream.
    pub fn open(&self, call: Call) -> ureq::http::Response<ureq::Body> {
        let mut request = ureq::http::Request::builder()
            .method(call.method.as_str())
            .uri(self.address(&call.path))
            .header("X-Tenant", &self.tenant)
            .header("Accept-Language", "en");
        if let Some(token) = &call.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(key) = &call.key {
            request = request.header("Idempotency-Key", key);
        }
        for (name, value) in &call.headers {
            let name: ureq::http::HeaderName = name.parse().unwrap();
            let headers = request.headers_mut().unwrap();
            headers.insert(name, value.parse().unwrap());
        }
        let sent = match call.body {
            Some((content_type, body)) => {
                let request = request.header("Content-Type", content_type).body(body).unwrap();
                self.agent.run(request)
            }
            None => self.agent.run(request.body(()).unwrap()),
        };
        sent.unwrap_or_else(|error| panic!("{} {}: {error}", call.method, call.path))
    }

    pub fn send(&self, call: Call) -> Answer {
        let mut response = self.open(call);
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let (position, replayed) = (header("X-Ledger-Position"), header("Idempotency-Replayed"));
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()));
        let headers = headers.collect();
        let bytes = response.body_mut().read_to_vec().unwrap();
        Answer {
            status: response.status().as_u16(),
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            bytes,
            headers,
            position: position.and_then(|position| position.parse().ok()),
            replayed: replayed.as_deref() == Some("true"),
        }
    }

    /// Logs in and returns the access token.
    pub fn login(&self, email: &str, password: &str) -> String {
        let body = serde_json::json!({"email": email, "password": password});
        let answer = self.send(Call::new("POST", "/auth0/login").json(&body));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body["token"]["accessToken"].as_str().unwrap().to_owned()
    }

    /// Sends a JSON body and requires a status.
    pub fn expect(&self, status: u16, token: &str, method: &str, path: &str, body: Option<Value>) -> Value {
        let mut call = Call::new(method, path).token(token);
        if let Some(body) = &body {
            call = call.json(body);
        }
        let answer = self.send(call);
        assert_eq!(answer.status, status, "{method} {path} {body:?}: {}", answer.body);
        answer.body
    }
}
