//! Key management service: decrypts the key file's keys and encrypts new ones.

use std::fmt;
use zeroize::Zeroizing;

pub type ServiceError = Box<dyn std::error::Error + Send + Sync>;

/// Called when the key file is loaded, at startup and after a change; no request waits for it. Calls block, for a
/// bounded time, and may come from any thread that may block.
pub trait KeyService: fmt::Debug + Send + Sync {
    /// Prefix of the service's ciphertexts; without blanks.
    fn prefix(&self) -> &'static str;

    /// Decrypts a ciphertext of this service.
    ///
    /// # Errors
    /// When the service does not answer, refuses, or the ciphertext is not its own.
    fn open(&self, ciphertext: &str) -> Result<Zeroizing<Vec<u8>>, ServiceError>;

    /// Encrypts a key.
    ///
    /// # Errors
    /// When the service does not answer or refuses.
    fn encrypt(&self, key: &[u8]) -> Result<String, ServiceError>;
}
