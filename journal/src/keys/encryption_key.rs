//! Encryption of what is kept beside the log or handed out: rows of an imported file, secrets of a provider, cookies.

use super::{KeyError, Keyring, Secret};
use crate::people::encryption::{self, DoesNotOpen};
use zeroize::Zeroizing;

/// Encrypts under a key of its own purpose, which every node derives from the key file.
#[derive(Clone)]
pub struct EncryptionKey(Secret);

impl std::fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealing(..)")
    }
}

impl Keyring {
    #[must_use]
    pub fn encryption_key(&self, purpose: &str) -> EncryptionKey {
        EncryptionKey(Secret(*self.derive(purpose)))
    }
}

impl EncryptionKey {
    /// Encrypts; `place` binds the result to where it is stored.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn encrypt(&self, place: &[u8], clear: &[u8]) -> Result<Vec<u8>, KeyError> {
        encryption::encrypt_bytes(&self.0, place, clear)
    }

    /// Decrypts; `None` for another place, another key file, or changed bytes.
    #[must_use]
    pub fn open(&self, place: &[u8], sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let opened = encryption::decrypt_bytes(&self.0, place, sealed);
        opened.map(Zeroizing::new).map_err(|_: DoesNotOpen| ()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_at_its_place_alone() {
        let encryption_key = EncryptionKey(Secret([7; 32]));
        let sealed = encryption_key.encrypt(b"here", b"Ana").unwrap();
        assert_eq!(*encryption_key.open(b"here", &sealed).unwrap(), b"Ana");
        assert_eq!(encryption_key.open(b"there", &sealed), None);
        assert_eq!(EncryptionKey(Secret([8; 32])).open(b"here", &sealed), None);
        assert!(!sealed.windows(3).any(|window| window == b"Ana"));
    }
}
