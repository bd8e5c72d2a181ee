//! A key management service: opens keys that stand encrypted in the key file, and encrypts new ones.

use std::fmt;
use zeroize::Zeroizing;

/// Why a key management service did not do what was asked.
pub type ServiceError = Box<dyn std::error::Error + Send + Sync>;

/// Keys are opened through the service when the key file is read, at the start and after a change; no request of a caller
/// waits for it. Calls block, for a bounded time, and may come from any thread that may block.
pub trait KeyService: fmt::Debug + Send + Sync {
    /// What the service's ciphertexts begin with; they hold no blank.
    fn prefix(&self) -> &'static str;

    /// Opens a ciphertext of this service.
    ///
    /// # Errors
    /// Where the service does not answer, refuses, or the ciphertext is not its own.
    fn open(&self, ciphertext: &str) -> Result<Zeroizing<Vec<u8>>, ServiceError>;

    /// Encrypts a key.
    ///
    /// # Errors
    /// Where the service does not answer or refuses.
    fn seal(&self, key: &[u8]) -> Result<String, ServiceError>;
}
