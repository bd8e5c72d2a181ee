//! Signature of a webhook's delivery, with the keys that sign checkpoints.

use super::SigningKeys;
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

impl SigningKeys {
    /// Ed25519 signature, in Base64, of `id.timestamp.body`, as version `v1a` of Standard Webhooks has it.
    ///
    /// `None` unless the id begins with a digit, as ids of public events do: the bytes of a checkpoint or a dossier begin
    /// with `caudal.`, so that no delivery passes for one.
    #[must_use]
    pub fn sign_delivery(&self, id: &str, timestamp: i64, body: &[u8]) -> Option<String> {
        if !id.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let message = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
        Some(BASE64.encode(self.sign(&message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Utc;
    use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};

    #[test]
    fn a_delivery_is_signed_by_the_current_key_and_is_never_a_checkpoint() {
        let keys = SigningKeys::of_seed([7; 32], Utc::now());
        let text = keys.sign_delivery("118-9f", 1_772_463_845, b"{}").unwrap();
        let signature = Signature::from_slice(&BASE64.decode(text).unwrap()).unwrap();
        let key = VerifyingKey::from_bytes(&keys.public().keys()[0].key).unwrap();
        key.verify(b"118-9f.1772463845.{}", &signature).unwrap();
        assert!(key.verify(b"118-9f.1772463846.{}", &signature).is_err());
        assert_eq!(keys.sign_delivery("caudal.checkpoint.2", 1, b""), None);
        assert_eq!(keys.sign_delivery("", 1, b""), None);
    }
}
