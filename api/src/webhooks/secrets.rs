//! Secrets of endpoints, and signatures by the Standard Webhooks specification.
//!
//! ```text
//! secret     whsec_ BASE64 of HMAC-SHA-256(key derived from the lookup key; tenant, endpoint, salt)
//! signature  v1, BASE64 of HMAC-SHA-256(secret; webhook-id "." webhook-timestamp "." body)
//!            v1a, BASE64 of Ed25519(key of checkpoints; the same bytes)
//! ```
//!
//! The salt is in an event, the lookup key in the key file alone. So a secret is stored nowhere, and a copy of the database
//! signs nothing.

use super::Place;
use crate::{auth::mac::KeyedHash, problem::ApiError};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use caudal_domain::ids::{TenantId, WebhookId};
use caudal_journal::Keyring;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::{Zeroize as _, Zeroizing};

/// Start of every secret.
pub const PREFIX: &str = "whsec_";
/// Version of symmetric signatures.
const VERSION: &str = "v1";
/// Version of signatures by a public key.
const ASYMMETRIC_VERSION: &str = "v1a";
const SALT_BYTES: usize = 24;
/// Purpose string of the key, which is derived from the lookup key: it is never rotated.
const PURPOSE: &str = "webhook secrets";

/// Headers of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// `webhook-id`.
    pub id: String,
    /// `webhook-timestamp`: seconds since 1970.
    pub timestamp: i64,
    /// `webhook-signature`: one for each valid secret, and one by the key of checkpoints, separated by spaces.
    pub signature: String,
}

impl Signed {
    /// Adds a signature by the key that signs checkpoints.
    pub fn add_asymmetric(&mut self, signature: &str) {
        self.signature.push_str(&format!(" {ASYMMETRIC_VERSION},{signature}"));
    }
}

/// Makes secrets and signs with them.
#[derive(Clone, Debug)]
pub struct Secrets(KeyedHash);

impl Secrets {
    pub fn new(keyring: &Keyring) -> Self {
        Self(KeyedHash::new(&keyring.derive(PURPOSE)))
    }

    /// A new salt.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn salt() -> Result<String, ApiError> {
        let mut random = [0; SALT_BYTES];
        getrandom::fill(&mut random).map_err(ApiError::internal)?;
        Ok(hex::encode(random))
    }

    fn key(&self, tenant: &TenantId, id: WebhookId, salt: &str) -> Zeroizing<[u8; 32]> {
        let parts = [tenant.as_str().as_bytes(), id.0.as_bytes(), salt.as_bytes()];
        Zeroizing::new(self.0.of(&parts))
    }

    /// A secret in its published form.
    pub fn text(&self, tenant: &TenantId, id: WebhookId, salt: &str) -> Zeroizing<String> {
        let key = self.key(tenant, id, salt);
        Zeroizing::new(format!("{PREFIX}{}", BASE64.encode(key.as_slice())))
    }

    /// The headers of a delivery, signed by the secrets of all these salts.
    pub fn sign(&self, (tenant, id): &Place, salts: &[&str], message: &str, timestamp: i64, body: &[u8]) -> Signed {
        let signatures: Vec<String> = salts
            .iter()
            .map(|salt| signature(&self.key(tenant, *id, salt), message, timestamp, body))
            .collect();
        Signed {
            id: message.to_owned(),
            timestamp,
            signature: signatures.join(" "),
        }
    }
}

fn signature(key: &[u8; 32], message: &str, timestamp: i64, body: &[u8]) -> String {
    // Block-size key: this constructor cannot fail.
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    for (to, from) in block.iter_mut().zip(key) {
        *to = *from;
    }
    let mut mac = Hmac::<Sha256>::new(&block);
    block.zeroize();
    mac.update(format!("{message}.{timestamp}.").as_bytes());
    mac.update(body);
    format!("{VERSION},{}", BASE64.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantId {
        name.parse().unwrap()
    }

    const ID: WebhookId = WebhookId(uuid::Uuid::from_u128(7));

    #[test]
    fn a_secret_derives_from_key_file_tenant_endpoint_and_salt() {
        let keyring = Keyring::generate().unwrap();
        let secrets = Secrets::new(&keyring);
        let text = |tenant_name: &str, id, salt| secrets.text(&tenant(tenant_name), id, salt).to_string();
        let secret = text("acme", ID, "salt");
        assert_eq!(
            secret,
            Secrets::new(&keyring).text(&tenant("acme"), ID, "salt").to_string()
        );
        assert!(secret.starts_with(PREFIX));
        assert_eq!(BASE64.decode(&secret[PREFIX.len()..]).unwrap().len(), 32);
        let other_file = Secrets::new(&Keyring::generate().unwrap());
        for other in [
            text("other", ID, "salt"),
            text("acme", WebhookId(uuid::Uuid::from_u128(8)), "salt"),
            text("acme", ID, "pepper"),
            other_file.text(&tenant("acme"), ID, "salt").to_string(),
        ] {
            assert_ne!(other, secret);
        }
    }

    /// RFC 4231 has no vector with a 32-byte key and this text; the value is OpenSSL's:
    /// `printf 'msg_1.1700000000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…`.
    #[test]
    fn a_signature_is_the_hmac_of_id_time_and_body() {
        let signed = signature(&[7; 32], "msg_1", 1_700_000_000, br#"{"a":1}"#);
        assert_eq!(signed, SIGNED_BY_OPENSSL);
    }

    const SIGNED_BY_OPENSSL: &str = "v1,LInk7lWC3DLGgRP3k/Xpm933fgj/SEGrik4mpkLgnKE=";

    #[test]
    fn every_valid_secret_signs() {
        let secrets = Secrets::new(&Keyring::generate().unwrap());
        let sign = |salts: &[&str]| secrets.sign(&(tenant("acme"), ID), salts, "1-a", 5, b"{}").signature;
        let (one, two) = (sign(&["one"]), sign(&["two"]));
        assert_eq!(sign(&["one", "two"]), format!("{one} {two}"));
        let mut signed = secrets.sign(&(tenant("acme"), ID), &["one"], "1-a", 5, b"{}");
        signed.add_asymmetric("c2ln");
        assert_eq!(signed.signature, format!("{one} v1a,c2ln"));
    }
}
