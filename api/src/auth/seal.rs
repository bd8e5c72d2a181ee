//! Authenticated encryption of short texts under a key of the key file.

use crate::problem::ApiError;
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305,
    aead::{Aead as _, Payload},
};
use zeroize::Zeroizing;

const NONCE_BYTES: usize = 24;

/// Encrypts under one key, each text for one place.
#[derive(Clone)]
pub struct Seal(XChaCha20Poly1305);

impl Seal {
    pub fn new(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(key.into()))
    }

    /// Encrypts a text for a place.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn close(&self, place: &[u8], clear: &[u8]) -> Result<Vec<u8>, ApiError> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(ApiError::internal)?;
        let payload = Payload { msg: clear, aad: place };
        let sealed = self.0.encrypt(&nonce.into(), payload);
        let sealed = sealed.map_err(|_| ApiError::internal(NotSealed))?;
        Ok([nonce.as_slice(), sealed.as_slice()].concat())
    }

    /// The text of a place; `None` when it was encrypted for another one, or under another key.
    pub fn open(&self, place: &[u8], sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
        let payload = Payload {
            msg: sealed,
            aad: place,
        };
        self.0.decrypt(&nonce.into(), payload).ok().map(Zeroizing::new)
    }
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(..)")
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a text can't be encrypted")]
struct NotSealed;
