//! One delivery: an HTTP request with bounds on time, size and place.

use super::secrets::Signed;
use crate::addresses::{self, NotFound, NotPublic, Reachable};
use reqwest::{
    Client, Response, Url,
    header::{CONTENT_TYPE, HeaderName},
    redirect::Policy,
};
use std::{
    error::Error,
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// Time to connect, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for the whole request, from the name's look-up to the answer's head.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for the answer's body, which is only displayed.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum bytes read of an answer; then the connection is closed.
pub const MAX_ANSWER_BYTES: usize = 16 * 1024;
/// Characters of an answer that are stored.
pub const SHOWN_ANSWER: usize = 1_000;
/// A connection is kept for the next delivery this long.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

const MEDIA_TYPE: &str = "application/cloudevents+json";
const USER_AGENT: &str = concat!("Caudal-Webhooks/", env!("CARGO_PKG_VERSION"));
const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
const GONE: u16 = 410;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    AddressNotPublic,
    NameNotFound,
    ConnectionFailed,
    TimedOut,
    AnswerBroken,
}

impl Failure {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddressNotPublic => "address_not_public",
            Self::NameNotFound => "name_not_found",
            Self::ConnectionFailed => "connection_failed",
            Self::TimedOut => "timed_out",
            Self::AnswerBroken => "answer_broken",
        }
    }
}

/// Outcome of a delivery request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Status of the answer, or why there is none.
    pub result: Result<u16, Failure>,
    /// Start of the answer's body.
    pub answer: Option<String>,
    pub took: Duration,
}

impl Outcome {
    /// Whether the endpoint accepted the delivery. A redirect is no acceptance, and is not followed.
    pub fn is_accepted(&self) -> bool {
        self.result.is_ok_and(|status| (200..300).contains(&status))
    }

    /// Label in metrics: `accepted`, `refused` by the endpoint, or `failed` without an answer.
    pub fn kind(&self) -> &'static str {
        match self.result {
            Ok(_) if self.is_accepted() => "accepted",
            Ok(_) => "refused",
            Err(_) => "failed",
        }
    }

    /// Whether the endpoint wants nothing any more.
    pub fn is_gone(&self) -> bool {
        self.result == Ok(GONE)
    }
}

/// HTTP clients for endpoints. They know no proxy: a proxy would resolve names itself.
#[derive(Debug)]
pub struct Sender {
    reachable: Reachable,
    encrypted: Client,
    plain: Client,
}

impl Sender {
    /// # Errors
    /// When no HTTP client can be created.
    pub fn new(reachable: &Reachable) -> Result<Self, reqwest::Error> {
        crate::tls::choose();
        let client = |encrypted| {
            Client::builder()
                .dns_resolver(reachable.resolver(encrypted))
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(IDLE_TIMEOUT)
                .pool_max_idle_per_host(1)
                .redirect(Policy::none())
                .no_proxy()
                .http1_only()
                .tcp_nodelay(true)
                .https_only(encrypted)
                .user_agent(USER_AGENT)
                .build()
        };
        Ok(Self {
            reachable: reachable.clone(),
            encrypted: client(true)?,
            plain: client(false)?,
        })
    }

    /// Sends a signed body to a URL.
    pub async fn send(&self, url: &str, signed: &Signed, body: Vec<u8>) -> Outcome {
        let begun = Instant::now();
        let (result, answer) = match timeout(SEND_TIMEOUT, self.request(url, signed, body)).await {
            Ok(Ok(response)) => {
                let status = response.status().as_u16();
                (Ok(status), answer_of(response).await)
            }
            Ok(Err(failure)) => (Err(failure), None),
            Err(_) => (Err(Failure::TimedOut), None),
        };
        Outcome {
            result,
            answer,
            took: begun.elapsed(),
        }
    }

    async fn request(&self, url: &str, signed: &Signed, body: Vec<u8>) -> Result<Response, Failure> {
        let url = Url::parse(url).map_err(|_| Failure::NameNotFound)?;
        let is_encrypted = url.scheme() == "https";
        if addresses::literal(&url).is_some_and(|address| !self.reachable.permits(address, is_encrypted)) {
            return Err(Failure::AddressNotPublic);
        }
        let client = if is_encrypted { &self.encrypted } else { &self.plain };
        let request = client
            .post(url)
            .header(CONTENT_TYPE, MEDIA_TYPE)
            .header(ID, &signed.id)
            .header(TIMESTAMP, signed.timestamp)
            .header(SIGNATURE, &signed.signature)
            .body(body);
        request.send().await.map_err(|error| failure(&error))
    }
}

fn failure(error: &reqwest::Error) -> Failure {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if found.is::<NotPublic>() {
            return Failure::AddressNotPublic;
        }
        if found.is::<NotFound>() {
            return Failure::NameNotFound;
        }
        cause = found.source();
    }
    if error.is_timeout() {
        Failure::TimedOut
    } else if error.is_connect() {
        Failure::ConnectionFailed
    } else {
        Failure::AnswerBroken
    }
}

/// The start of an answer's body, as text without control characters.
async fn answer_of(mut response: Response) -> Option<String> {
    let mut read: Vec<u8> = Vec::new();
    let reading = async {
        while read.len() < MAX_ANSWER_BYTES {
            match response.chunk().await {
                Ok(Some(chunk)) => read.extend_from_slice(&chunk[..chunk.len().min(MAX_ANSWER_BYTES - read.len())]),
                Ok(None) | Err(_) => break,
            }
        }
    };
    // What was read until then is enough.
    let _ = timeout(ANSWER_TIMEOUT, reading).await;
    let text: String = String::from_utf8_lossy(&read)
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(SHOWN_ANSWER)
        .collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
