//! Keyed hashes, which require the installation's key file.

use crate::problem::ApiError;
use caudal_journal::Keyring;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroize as _;

/// Keyed hashes of one purpose under the session keys.
#[derive(Clone, Debug)]
pub struct SessionHashes {
    keyring: Keyring,
    purpose: &'static str,
}

impl SessionHashes {
    pub const fn new(keyring: Keyring, purpose: &'static str) -> Self {
        Self { keyring, purpose }
    }

    /// Hashers under all valid keys, the one for new values first.
    pub fn valid(&self, now: DateTime<Utc>) -> Vec<KeyedHash> {
        let keys = self.keyring.session_keys(self.purpose, now);
        keys.iter().map(|key| KeyedHash::new(&key.key)).collect()
    }

    /// Hasher for new values.
    ///
    /// # Errors
    /// When the key file has no key.
    pub fn current(&self, now: DateTime<Utc>) -> Result<KeyedHash, ApiError> {
        let current = self.valid(now).into_iter().next();
        current.ok_or_else(|| ApiError::internal(NoSessionKey))
    }
}

#[derive(Debug, thiserror::Error)]
#[error("there is no session key")]
struct NoSessionKey;

/// HMAC-SHA-256 under one key.
#[derive(Clone)]
pub struct KeyedHash(Hmac<Sha256>);

impl KeyedHash {
    pub fn new(key: &[u8; 32]) -> Self {
        // Block-size key: this constructor cannot fail.
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        for (to, from) in block.iter_mut().zip(key) {
            *to = *from;
        }
        let hash = Hmac::<Sha256>::new(&block);
        block.zeroize();
        Self(hash)
    }

    /// Hash of length-prefixed parts.
    pub fn of(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.over(parts).finalize().into_bytes().into()
    }

    /// Whether a hash is of these parts, compared in constant time.
    pub fn is_of(&self, parts: &[&[u8]], hash: &[u8]) -> bool {
        self.over(parts).verify_slice(hash).is_ok()
    }

    /// Whether a hash of these parts begins so, compared in constant time.
    pub fn begins_with(&self, parts: &[&[u8]], beginning: &[u8]) -> bool {
        self.over(parts).verify_truncated_left(beginning).is_ok()
    }

    fn over(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

impl std::fmt::Debug for KeyedHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyedHash(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_parts_hash_alike_under_one_key_only() {
        let hash = KeyedHash::new(&[1; 32]);
        assert_eq!(hash.of(&[b"a", b"bc"]), hash.of(&[b"a", b"bc"]));
        assert_ne!(hash.of(&[b"a", b"bc"]), hash.of(&[b"ab", b"c"]));
        assert_ne!(hash.of(&[b"a"]), KeyedHash::new(&[2; 32]).of(&[b"a"]));
        let of_a = hash.of(&[b"a"]);
        assert!(hash.is_of(&[b"a"], &of_a));
        assert!(!hash.is_of(&[b"b"], &of_a));
        assert!(!hash.is_of(&[b"a"], &of_a[..31]));
    }
}
