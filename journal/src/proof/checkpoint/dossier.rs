//! Signature of a dossier, with the keys that sign checkpoints. docs/chain-format.md specifies the signed bytes.

use super::SigningKeys;
use crate::log::chain::Hash;
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use ed25519_dalek::Signature;
use sha2::{Digest as _, Sha256};

const TAG: &[u8] = b"caudal.dossier.1";

/// A signature of a dossier's canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DossierSignature {
    /// SHA-256 of the canonical bytes.
    pub digest: Hash,
    /// Name of the signing key.
    pub key: String,
    /// Public half of the key. Trust it only if published elsewhere.
    pub public_key: [u8; 32],
    /// Ed25519, over the tag and the digest.
    pub signature: [u8; Signature::BYTE_SIZE],
}

impl DossierSignature {
    /// Signs canonical bytes. The same bytes have the same signature under one key.
    #[must_use]
    pub fn sign(keys: &SigningKeys, canonical: &[u8]) -> Self {
        let digest: Hash = Sha256::digest(canonical).into();
        Self {
            digest,
            key: keys.current_id().to_owned(),
            public_key: keys.current_public(),
            signature: keys.sign(&[TAG, &digest].concat()),
        }
    }

    /// Public key in Base64.
    #[must_use]
    pub fn public_key_text(&self) -> String {
        BASE64.encode(self.public_key)
    }

    /// Signature in Base64.
    #[must_use]
    pub fn signature_text(&self) -> String {
        BASE64.encode(self.signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Utc;
    use ed25519_dalek::{Verifier as _, VerifyingKey};

    #[test]
    fn a_dossier_is_signed_by_the_key_that_signs_checkpoints() {
        let keys = SigningKeys::of_seed([7; 32], Utc::now());
        let signed = DossierSignature::sign(&keys, b"{}");
        assert_eq!(signed.key, keys.current_id());
        assert_eq!(signed.public_key, keys.public().keys()[0].key);
        let digest: Hash = Sha256::digest(b"{}").into();
        let message = [b"caudal.dossier.1".as_slice(), &digest].concat();
        let key = VerifyingKey::from_bytes(&signed.public_key).unwrap();
        key.verify(&message, &Signature::from_bytes(&signed.signature)).unwrap();
        assert_eq!(DossierSignature::sign(&keys, b"{}"), signed);
        assert_ne!(DossierSignature::sign(&keys, b"{ }").signature, signed.signature);
        let page = include_str!("../../../../docs/chain-format.md");
        assert!(page.contains(&signed.signature_text()), "{}", signed.signature_text());
    }
}
