//! Key management by the transit engine of HashiCorp Vault (or OpenBao): the key file holds ciphertexts, which require
//! a token of the service.
//!
//! | Call | Request | Answer |
//! |---|---|---|
//! | `POST /v1/MOUNT/decrypt/KEY` | `{"ciphertext": "vault:v1:…"}` | `{"data": {"plaintext": "BASE64"}}` |
//! | `POST /v1/MOUNT/encrypt/KEY` | `{"plaintext": "BASE64"}` | `{"data": {"ciphertext": "vault:v1:…"}}` |
//!
//! The token is read from its file at every call, so that an agent may renew it.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use caudal_journal::{KeyError, KeyService, ServiceError, check_private};
use clap::Args;
use reqwest::{Client, StatusCode, Url, redirect::Policy};
use serde::Deserialize;
use serde_json::json;
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use zeroize::Zeroizing;

/// Connect timeout.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Request timeout; a start makes one call per key.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum attempts while the service is absent, sealed or overloaded; it may start after this process.
const ATTEMPTS: u32 = 3;

/// Pause between attempts.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum answer; usual ones have some 200 bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Maximum token file.
const MAX_TOKEN_BYTES: u64 = 16 * 1024;

/// Prefix of the engine's ciphertexts, followed by the key version.
const PREFIX: &str = "vault:v";

const TOKEN_HEADER: &str = "X-Vault-Token";

/// How Vault is reached, where the key file is encrypted by it.
#[derive(Args, Clone, Debug, Default)]
pub struct VaultSettings {
    /// The Vault whose transit engine encrypts the key file, like https://vault.example.org:8200
    #[arg(long, env = "CAUDAL_VAULT_ADDRESS", value_name = "URL")]
    vault_address: Option<String>,
    /// The name of the transit engine's key
    #[arg(long, env = "CAUDAL_VAULT_KEY", value_name = "NAME", default_value = "caudal")]
    vault_key: String,
    /// Where the transit engine is mounted
    #[arg(long, env = "CAUDAL_VAULT_MOUNT", value_name = "PATH", default_value = "transit")]
    vault_mount: String,
    /// The file with the token, private to its owner; it is read at every call
    #[arg(long, env = "CAUDAL_VAULT_TOKEN_FILE", value_name = "FILE")]
    vault_token_file: Option<PathBuf>,
}

/// Errors of Vault.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("CAUDAL_VAULT_ADDRESS: {0:?} is no https:// address (http:// does for this machine alone)")]
    Address(String),
    #[error("CAUDAL_VAULT_KEY and CAUDAL_VAULT_MOUNT are names of letters, digits, '-', '_', '.' and '/': {0:?}")]
    Name(String),
    #[error("CAUDAL_VAULT_ADDRESS is set, and CAUDAL_VAULT_TOKEN_FILE names no token")]
    NoToken,
    #[error("the file with Vault's token")]
    Token(#[from] KeyError),
    #[error("the file with Vault's token, {0}")]
    TokenFile(PathBuf, #[source] io::Error),
    #[error("the file {0} holds no token")]
    NotAToken(PathBuf),
    #[error("no client for Vault")]
    Client(#[source] io::Error),
    #[error("Vault at {0} does not answer")]
    Unreachable(String, #[source] reqwest::Error),
    #[error("Vault refuses to {operation} with the key {key}: {status} {said}")]
    Refused {
        /// `encrypt` or `decrypt`.
        operation: &'static str,
        key: String,
        status: StatusCode,
        /// Message of the answer.
        said: String,
    },
    #[error("Vault answers something that is none of the transit engine's")]
    Answer,
    #[error("the call to Vault was given up")]
    Abandoned,
}

impl VaultError {
    /// Whether a retry may succeed: absent, sealed (503), or overloaded.
    fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(..) => true,
            Self::Refused { status, .. } => status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS,
            _ => false,
        }
    }
}

impl VaultSettings {
    /// The service, if an address is configured.
    ///
    /// # Errors
    /// When the settings are incomplete.
    pub fn service(&self) -> Result<Option<Arc<dyn KeyService>>, VaultError> {
        let Some(address) = self.vault_address.as_deref().filter(|address| !address.is_empty()) else {
            return Ok(None);
        };
        let token_file = self.vault_token_file.clone().ok_or(VaultError::NoToken)?;
        let vault = Vault::new(address, &self.vault_mount, &self.vault_key, token_file)?;
        Ok(Some(Arc::new(vault)))
    }
}

/// The transit engine of a Vault.
#[derive(Debug)]
pub struct Vault {
    base: Url,
    key: String,
    token_file: PathBuf,
}

#[derive(Deserialize)]
struct Answer<T> {
    data: T,
}

#[derive(Deserialize)]
struct Opened {
    plaintext: String,
}

#[derive(Deserialize)]
struct Encrypted {
    ciphertext: String,
}

#[derive(Default, Deserialize)]
struct Complaint {
    #[serde(default)]
    errors: Vec<String>,
}

impl Vault {
    /// A key of the transit engine mounted at a path. Sends nothing yet.
    ///
    /// # Errors
    /// When the address or a name is invalid.
    pub fn new(address: &str, mount: &str, key: &str, token_file: PathBuf) -> Result<Self, VaultError> {
        let wrong = || VaultError::Address(address.to_owned());
        let url = Url::parse(address).map_err(|_| wrong())?;
        let is_here = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if url.scheme() != "https" && !(url.scheme() == "http" && is_here) {
            return Err(wrong());
        }
        for name in [mount, key] {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            let leads_out = name.is_empty() || name.split('/').any(|part| ["", ".", ".."].contains(&part));
            if leads_out || !name.chars().all(plain) {
                return Err(VaultError::Name(name.to_owned()));
            }
        }
        Ok(Self {
            base: url.join(&format!("/v1/{mount}/")).map_err(|_| wrong())?,
            key: key.to_owned(),
            token_file,
        })
    }

    /// Calls the engine from a thread of its own: the caller may be a thread of another runtime.
    fn call<T: for<'de> Deserialize<'de> + Send>(
        &self,
        operation: &'static str,
        body: &Zeroizing<String>,
    ) -> Result<T, VaultError> {
        std::thread::scope(|scope| {
            let calling = scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime
                    .map_err(VaultError::Client)?
                    .block_on(self.try_often(operation, body))
            });
            calling.join().map_err(|_| VaultError::Abandoned)?
        })
    }

    async fn try_often<T: for<'de> Deserialize<'de>>(
        &self,
        operation: &'static str,
        body: &Zeroizing<String>,
    ) -> Result<T, VaultError> {
        let mut attempt = 1;
        loop {
            match self.try_once(operation, body).await {
                Err(error) if error.is_passing() && attempt < ATTEMPTS => {
                    tracing::warn!(%error, attempt, "Vault is tried again");
                    tokio::time::sleep(PAUSE).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }

    async fn try_once<T: for<'de> Deserialize<'de>>(
        &self,
        operation: &'static str,
        body: &Zeroizing<String>,
    ) -> Result<T, VaultError> {
        crate::tls::choose();
        let unreachable = |error| VaultError::Unreachable(self.base.to_string(), error);
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(CALL_TIMEOUT)
            // A redirect would send the token elsewhere.
            .redirect(Policy::none())
            .build()
            .map_err(unreachable)?;
        let url = self
            .base
            .join(&format!("{operation}/{}", self.key))
            .map_err(|_| VaultError::Name(self.key.clone()))?;
        let token = token(&self.token_file)?;
        let sent = client
            .post(url)
            .header(TOKEN_HEADER, token.as_str())
            .header("Content-Type", "application/json")
            .body(body.as_bytes().to_vec())
            .send();
        let mut answer = sent.await.map_err(unreachable)?;
        let status = answer.status();
        let mut bytes = Zeroizing::new(Vec::new());
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            if bytes.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(VaultError::Answer);
            }
            bytes.extend_from_slice(&chunk);
        }
        if status.is_success() {
            let answer: Answer<T> = serde_json::from_slice(&bytes).map_err(|_| VaultError::Answer)?;
            return Ok(answer.data);
        }
        let complaint: Complaint = serde_json::from_slice(&bytes).unwrap_or_default();
        Err(VaultError::Refused {
            operation,
            key: self.key.clone(),
            status,
            said: complaint.errors.join("; "),
        })
    }
}

/// Token from an owner-only file.
fn token(path: &Path) -> Result<Zeroizing<String>, VaultError> {
    check_private(path)?;
    let failed = |error| VaultError::TokenFile(path.to_owned(), error);
    if fs::metadata(path).map_err(failed)?.len() > MAX_TOKEN_BYTES {
        return Err(VaultError::NotAToken(path.to_owned()));
    }
    let text = Zeroizing::new(fs::read_to_string(path).map_err(failed)?);
    let token = Zeroizing::new(text.trim().to_owned());
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(VaultError::NotAToken(path.to_owned()));
    }
    Ok(token)
}

impl KeyService for Vault {
    fn prefix(&self) -> &'static str {
        PREFIX
    }

    fn open(&self, ciphertext: &str) -> Result<Zeroizing<Vec<u8>>, ServiceError> {
        let body = Zeroizing::new(json!({ "ciphertext": ciphertext }).to_string());
        let opened: Opened = self.call("decrypt", &body)?;
        let plaintext = Zeroizing::new(opened.plaintext);
        let key = BASE64.decode(plaintext.as_bytes()).map_err(|_| VaultError::Answer)?;
        Ok(Zeroizing::new(key))
    }

    fn encrypt(&self, key: &[u8]) -> Result<String, ServiceError> {
        let plaintext = Zeroizing::new(BASE64.encode(key));
        let body = Zeroizing::new(json!({ "plaintext": plaintext.as_str() }).to_string());
        let Encrypted { ciphertext } = self.call("encrypt", &body)?;
        let is_whole = ciphertext.starts_with(PREFIX) && ciphertext.bytes().all(|byte| byte.is_ascii_graphic());
        if is_whole {
            Ok(ciphertext)
        } else {
            Err(VaultError::Answer.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(address: &str, mount: &str, key: &str) -> Result<Vault, VaultError> {
        Vault::new(address, mount, key, PathBuf::from("token"))
    }

    #[test]
    fn an_address_that_sends_the_token_in_clear_or_a_name_that_leads_elsewhere_is_refused() {
        for good in [
            "https://vault.example.org:8200",
            "http://127.0.0.1:8200",
            "http://localhost:8200/",
        ] {
            let vault = vault(good, "transit", "caudal").unwrap();
            assert!(vault.base.path().ends_with("/v1/transit/"), "{}", vault.base);
        }
        for bad in [
            "http://vault.example.org:8200",
            "vault.example.org",
            "file:///etc/passwd",
            "",
        ] {
            assert!(
                matches!(vault(bad, "transit", "caudal"), Err(VaultError::Address(_))),
                "{bad}"
            );
        }
        for bad in ["", "../sys", "a/../../sys", "key?x", "key#x", "a//b", "/sys", "ké"] {
            let address = "https://vault.example.org";
            assert!(
                matches!(vault(address, "transit", bad), Err(VaultError::Name(_))),
                "{bad}"
            );
            assert!(
                matches!(vault(address, bad, "caudal"), Err(VaultError::Name(_))),
                "{bad}"
            );
        }
    }
}
