//! Client of providers: discovery, keys, the exchange of a code, and the check of an ID token. All answers are bounded, and
//! addresses are those that webhooks may reach.

use crate::{
    addresses::{self, Reachable},
    tls,
};
use caudal_domain::SignOnProvider;
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header, jwk::JwkSet};
use moka::{future, sync};
use reqwest::{Client, Response, Url, redirect::Policy};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{sync::Semaphore, time::timeout};

/// Time to connect, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for a request with its answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer: documents and tokens have some thousand.
const MAX_ANSWER_BYTES: usize = 128 * 1024;
/// How long a discovery document and keys are used.
const DOCUMENT_LIFETIME: Duration = Duration::from_secs(3_600);
/// How long a provider that could not be read is not asked again: one that hangs takes none of the places of others.
const FAILURE_LIFETIME: Duration = Duration::from_secs(5);
/// Least time between two looks for a key that is not known: tokens with made-up keys cause no more.
const KEYS_AGAIN: Duration = Duration::from_secs(30);
/// Providers remembered by a node.
const MAX_PROVIDERS: u64 = 1_000;
/// Requests to providers at a time; more wait.
const MAX_REQUESTS: usize = 16;
/// Difference between the clocks of node and provider, in seconds.
const LEEWAY: u64 = 60;
/// Algorithms of ID tokens. None of them has a shared secret.
const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::RS256,
    Algorithm::PS256,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];
const DISCOVERY: &str = "/.well-known/openid-configuration";
const USER_AGENT: &str = concat!("Caudal/", env!("CARGO_PKG_VERSION"));

/// Why a login by a provider came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error("the provider's address is not public, or not https")]
    AddressNotPublic,
    #[error("the provider can't be reached, or answers nothing in time")]
    Unreachable,
    #[error("the provider's answer is not that of OpenID Connect")]
    NotOpenId,
    #[error("the provider does not accept the code or the client")]
    CodeRefused,
    #[error("the ID token is not valid")]
    TokenInvalid,
}

/// A provider's discovery document.
#[derive(Clone, Debug, Deserialize)]
pub struct Document {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub jwks_uri: String,
    #[serde(default)]
    pub end_session_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// A provider as remembered.
#[derive(Debug)]
struct Known {
    document: Document,
    /// Keys, and when one that is not known was last looked for.
    keys: Mutex<(JwkSet, Option<Instant>)>,
}

/// Claims of an ID token.
#[derive(Clone, Debug, Deserialize)]
pub struct IdToken {
    pub sub: String,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    azp: Option<String>,
    aud: Audience,
    iat: i64,
    #[serde(default)]
    pub email: Option<String>,
    #[serde(default)]
    email_verified: Option<Verified>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    Many(Vec<String>),
    One(IgnoredAny),
}

/// Some providers write it as a text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Verified {
    Flag(bool),
    Text(String),
}

impl IdToken {
    /// Its e-mail address, if the provider has verified it.
    pub fn verified_email(&self) -> Option<&str> {
        let is_verified = match &self.email_verified {
            Some(Verified::Flag(flag)) => *flag,
            Some(Verified::Text(text)) => text == "true",
            None => false,
        };
        self.email.as_deref().filter(|_| is_verified)
    }
}

#[derive(Deserialize)]
struct Exchanged {
    id_token: String,
}

/// What a code is exchanged with.
pub struct Exchange<'a> {
    pub code: &'a str,
    pub verifier: &'a str,
    pub redirect: &'a str,
    pub secret: &'a str,
}

/// HTTP client for providers, with what is known of them.
#[derive(Debug)]
pub struct Providers {
    reachable: Reachable,
    encrypted: Client,
    plain: Client,
    /// Requests for an issuer that is not known wait for one look at it.
    known: future::Cache<String, Arc<Known>>,
    /// Issuers that could not be read lately.
    failed: sync::Cache<String, ProviderError>,
    places: Semaphore,
}

impl Providers {
    /// # Errors
    /// When no HTTP client can be created.
    pub fn new(reachable: Reachable) -> Result<Self, reqwest::Error> {
        tls::choose();
        let client = |encrypted| {
            Client::builder()
                .dns_resolver(reachable.resolver(encrypted))
                .connect_timeout(CONNECT_TIMEOUT)
                .redirect(Policy::none())
                .no_proxy()
                .http1_only()
                .https_only(encrypted)
                .user_agent(USER_AGENT)
                .build()
        };
        Ok(Self {
            encrypted: client(true)?,
            plain: client(false)?,
            reachable,
            known: future::Cache::builder()
                .max_capacity(MAX_PROVIDERS)
                .time_to_live(DOCUMENT_LIFETIME)
                .build(),
            failed: sync::Cache::builder()
                .max_capacity(MAX_PROVIDERS)
                .time_to_live(FAILURE_LIFETIME)
                .build(),
            places: Semaphore::new(MAX_REQUESTS),
        })
    }

    /// A provider's discovery document.
    ///
    /// # Errors
    /// When it can't be had, or is another issuer's.
    pub async fn document(&self, issuer: &str) -> Result<Document, ProviderError> {
        Ok(self.look_up(issuer).await?.document.clone())
    }

    /// The same, without what is remembered: for new settings.
    ///
    /// # Errors
    /// As [`Self::document`].
    pub async fn document_now(&self, issuer: &str) -> Result<Document, ProviderError> {
        self.known.invalidate(issuer).await;
        self.failed.invalidate(issuer);
        self.document(issuer).await
    }

    async fn look_up(&self, issuer: &str) -> Result<Arc<Known>, ProviderError> {
        if let Some(error) = self.failed.get(issuer) {
            return Err(error);
        }
        let looked_up = self.known.try_get_with_by_ref(issuer, self.read(issuer)).await;
        looked_up.map_err(|error| {
            self.failed.insert(issuer.to_owned(), *error);
            *error
        })
    }

    async fn read(&self, issuer: &str) -> Result<Arc<Known>, ProviderError> {
        let url = format!("{}{DISCOVERY}", issuer.trim_end_matches('/'));
        let document: Document = self.get(&url).await?;
        if document.issuer != issuer {
            return Err(ProviderError::NotOpenId);
        }
        for url in [&document.authorization_endpoint, &document.token_endpoint] {
            self.checked(url)?;
        }
        let keys: JwkSet = self.get(&document.jwks_uri).await?;
        Ok(Arc::new(Known {
            document,
            keys: Mutex::new((keys, None)),
        }))
    }

    /// Exchanges a code, and checks the ID token.
    ///
    /// # Errors
    /// When the provider or the token does not admit it.
    pub async fn exchange(
        &self,
        provider: &SignOnProvider,
        exchange: &Exchange<'_>,
        nonce: &str,
        now: DateTime<Utc>,
    ) -> Result<IdToken, ProviderError> {
        let known = self.look_up(&provider.issuer).await?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", exchange.code),
            ("redirect_uri", exchange.redirect),
            ("code_verifier", exchange.verifier),
        ];
        // The default of OpenID Connect is the header.
        let methods = known.document.token_endpoint_auth_methods_supported.as_deref();
        let by_header = methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
        if !by_header {
            form.push(("client_id", &provider.client_id));
            form.push(("client_secret", exchange.secret));
        }
        let url = self.checked(&known.document.token_endpoint)?;
        let body = serde_urlencoded::to_string(&form).map_err(|_| ProviderError::NotOpenId)?;
        let mut request = self
            .client(&url)
            .post(url)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .body(body);
        if by_header {
            let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encoded(&provider.client_id), Some(encoded(exchange.secret)));
        }
        let (is_success, answer) = self.send(request).await?;
        if !is_success {
            return Err(ProviderError::CodeRefused);
        }
        let exchanged: Exchanged = serde_json::from_slice(&answer).map_err(|_| ProviderError::NotOpenId)?;
        self.check(&known, provider, &exchanged.id_token, nonce, now).await
    }

    /// Checks an ID token: signature by a key of the provider, issuer, audience, time and nonce.
    async fn check(
        &self,
        known: &Known,
        provider: &SignOnProvider,
        token: &str,
        nonce: &str,
        now: DateTime<Utc>,
    ) -> Result<IdToken, ProviderError> {
        let invalid = |_| ProviderError::TokenInvalid;
        let header = decode_header(token).map_err(invalid)?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(ProviderError::TokenInvalid);
        }
        let key = self.key(known, header.kid.as_deref(), header.alg).await?;
        let mut validation = Validation::new(header.alg);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        validation.set_issuer(&[&provider.issuer]);
        validation.set_audience(&[&provider.client_id]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = decode::<IdToken>(token, &key, &validation).map_err(invalid)?.claims;
        let is_for_us = match (&claims.aud, &claims.azp) {
            (_, Some(azp)) => *azp == provider.client_id,
            (Audience::One(_), None) => true,
            (Audience::Many(all), None) => all.len() == 1,
        };
        let leeway = i64::try_from(LEEWAY).unwrap_or_default();
        let is_of_this_login = claims.nonce.as_deref() == Some(nonce);
        if is_for_us && is_of_this_login && claims.iat <= now.timestamp() + leeway && !claims.sub.is_empty() {
            Ok(claims)
        } else {
            Err(ProviderError::TokenInvalid)
        }
    }

    /// A provider's key. One that is not known is looked for again, at most twice a minute.
    async fn key(&self, known: &Known, kid: Option<&str>, alg: Algorithm) -> Result<DecodingKey, ProviderError> {
        if let Some(key) = found(&known.keys.lock().unwrap_or_else(PoisonError::into_inner).0, kid, alg) {
            return Ok(key);
        }
        {
            let mut keys = known.keys.lock().unwrap_or_else(PoisonError::into_inner);
            if keys.1.is_some_and(|last| last.elapsed() < KEYS_AGAIN) {
                return Err(ProviderError::TokenInvalid);
            }
            keys.1 = Some(Instant::now());
        }
        let keys: JwkSet = self.get(&known.document.jwks_uri).await?;
        let key = found(&keys, kid, alg);
        known.keys.lock().unwrap_or_else(PoisonError::into_inner).0 = keys;
        key.ok_or(ProviderError::TokenInvalid)
    }

    async fn get<T: DeserializeOwned>(&self, url: &str) -> Result<T, ProviderError> {
        let url = self.checked(url)?;
        let request = self.client(&url).get(url).header("accept", "application/json");
        let (is_success, answer) = self.send(request).await?;
        if !is_success {
            return Err(ProviderError::NotOpenId);
        }
        serde_json::from_slice(&answer).map_err(|_| ProviderError::NotOpenId)
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<(bool, Vec<u8>), ProviderError> {
        let exchange = async {
            let _place = self.places.acquire().await.map_err(|_| ProviderError::Unreachable)?;
            let response = request.send().await.map_err(|error| failure(&error))?;
            let is_success = response.status().is_success();
            Ok((is_success, body_of(response).await?))
        };
        timeout(REQUEST_TIMEOUT, exchange)
            .await
            .map_err(|_| ProviderError::Unreachable)?
    }

    fn client(&self, url: &Url) -> &Client {
        if url.scheme() == "https" {
            &self.encrypted
        } else {
            &self.plain
        }
    }

    /// A URL that may be asked.
    fn checked(&self, url: &str) -> Result<Url, ProviderError> {
        let url = Url::parse(url).map_err(|_| ProviderError::NotOpenId)?;
        let is_encrypted = url.scheme() == "https";
        let is_known_scheme = is_encrypted || (url.scheme() == "http" && self.reachable.has_networks());
        let is_reachable = addresses::literal(&url).is_none_or(|address| self.reachable.permits(address, is_encrypted));
        if is_known_scheme && is_reachable {
            Ok(url)
        } else {
            Err(ProviderError::AddressNotPublic)
        }
    }
}

fn found(keys: &JwkSet, kid: Option<&str>, alg: Algorithm) -> Option<DecodingKey> {
    let of_algorithm = |jwk: &&jsonwebtoken::jwk::Jwk| {
        let named = jwk.common.key_algorithm.map(|named| named.to_string());
        named.is_none_or(|named| named == format!("{alg:?}"))
    };
    let jwk = match kid {
        Some(kid) => keys.find(kid).filter(of_algorithm)?,
        // A token that names no key is of the only one.
        None => match keys.keys.as_slice() {
            [only] => Some(only).filter(of_algorithm)?,
            _ => return None,
        },
    };
    DecodingKey::from_jwk(jwk).ok()
}

fn failure(error: &reqwest::Error) -> ProviderError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if found.is::<addresses::NotPublic>() {
            return ProviderError::AddressNotPublic;
        }
        cause = found.source();
    }
    ProviderError::Unreachable
}

async fn body_of(mut response: Response) -> Result<Vec<u8>, ProviderError> {
    let mut read = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| ProviderError::Unreachable)? {
        if read.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(ProviderError::NotOpenId);
        }
        read.extend_from_slice(&chunk);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn a_provider_that_fails_is_asked_once_by_all_who_wait_and_at_once_by_new_settings() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(50)).await;
                drop(connection);
            }
        });
        let loopback = "127.0.0.0/8".parse().unwrap();
        let providers = Providers::new(Reachable::new(vec![loopback])).unwrap();
        let all = futures::future::join_all((0..40).map(|_| providers.document(&issuer))).await;
        assert!(all.iter().all(|found| matches!(found, Err(ProviderError::Unreachable))));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        assert!(
            providers.document_now(&issuer).await.is_err(),
            "new settings ask at once"
        );
        assert_eq!(asked.load(Ordering::SeqCst), 2);
    }
}
