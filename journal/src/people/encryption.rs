//! Encryption of personal data under each person's data key before it enters the log. Destroying the key erases the
//! person, while the hash chain, which covers the ciphertext, still verifies.
//!
//! XChaCha20-Poly1305 with a random nonce per encryption. The associated data binds a ciphertext to its place: moved to
//! another event or person it does not decrypt.

use crate::keys::{KeyError, Keyring, Secret};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use caudal_domain::{
    StreamId,
    ids::{SubjectId, TenantId},
};
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305,
    aead::{Aead as _, Payload},
};
use zeroize::Zeroizing;

const NONCE_BYTES: usize = 24;
const SEAL_TAG: &[u8] = b"caudal.seal.1";
const WRAP_TAG: &[u8] = b"caudal.key.1";

/// Decryption failed: wrong key, or changed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("sealed data does not open: another key, or it was changed")]
pub struct DoesNotOpen;

/// Associated data: the place of a personal part, and its person.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub tenant: &'a TenantId,
    /// Stream of the event.
    pub stream: StreamId,
    /// The event's sequence number in its stream.
    pub sequence: i64,
    pub event_type: &'a str,
    pub subject: SubjectId,
}

impl Place<'_> {
    fn associated_data(&self) -> Vec<u8> {
        let mut data = SEAL_TAG.to_vec();
        for text in [self.tenant.as_str(), self.stream.kind.as_str(), self.event_type] {
            data.extend((text.len() as u64).to_be_bytes());
            data.extend(text.as_bytes());
        }
        data.extend(self.stream.id.as_bytes());
        data.extend(self.sequence.to_be_bytes());
        data.extend(self.subject.0.as_bytes());
        data
    }
}

/// Encrypts a text under a person's data key.
pub fn encrypt_text(key: &Secret, place: &Place<'_>, clear: &str) -> Result<String, KeyError> {
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(KeyError::Randomness)?;
    encrypt(key, nonce, &place.associated_data(), clear.as_bytes()).map(|bytes| BASE64.encode(bytes))
}

/// Decrypts a text.
///
/// # Errors
/// When the key is wrong, or the text or its place was changed.
pub fn decrypt_text(key: &Secret, place: &Place<'_>, sealed: &str) -> Result<Zeroizing<String>, DoesNotOpen> {
    let bytes = BASE64.decode(sealed).map_err(|_| DoesNotOpen)?;
    let clear = decrypt(key, &place.associated_data(), &bytes)?;
    String::from_utf8(clear).map(Zeroizing::new).map_err(|_| DoesNotOpen)
}

/// A person's data key as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedKey {
    /// Id of the wrapping master key.
    pub master: String,
    /// Nonce and ciphertext.
    pub bytes: Vec<u8>,
}

/// Wraps a data key under the current master key.
pub fn wrap(keyring: &Keyring, tenant: &TenantId, subject: SubjectId, key: &Secret) -> Result<WrappedKey, KeyError> {
    let (id, master) = keyring.master();
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(KeyError::Randomness)?;
    let bytes = encrypt(&master, nonce, &wrap_associated_data(tenant, subject), &key.0)?;
    Ok(WrappedKey { master: id, bytes })
}

/// Unwraps a data key.
///
/// # Errors
/// When the master key is missing from the keyring, or the wrapped key was changed or belongs to another person.
pub fn unwrap(
    keyring: &Keyring,
    tenant: &TenantId,
    subject: SubjectId,
    master: &str,
    wrapped: &[u8],
) -> Result<Secret, DoesNotOpen> {
    let master = keyring.master_by_id(master).ok_or(DoesNotOpen)?;
    let clear = Zeroizing::new(decrypt(&master, &wrap_associated_data(tenant, subject), wrapped)?);
    Ok(Secret(clear.as_slice().try_into().map_err(|_| DoesNotOpen)?))
}

fn wrap_associated_data(tenant: &TenantId, subject: SubjectId) -> Vec<u8> {
    [WRAP_TAG, tenant.as_str().as_bytes(), subject.0.as_bytes()].concat()
}

/// Encrypts other bytes under a random nonce.
pub fn encrypt_bytes(key: &Secret, associated: &[u8], clear: &[u8]) -> Result<Vec<u8>, KeyError> {
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(KeyError::Randomness)?;
    encrypt(key, nonce, associated, clear)
}

/// Decrypts the output of [`encrypt_bytes`].
///
/// # Errors
/// When the key or the associated data differs, or the bytes were changed.
pub fn decrypt_bytes(key: &Secret, associated: &[u8], bytes: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
    decrypt(key, associated, bytes)
}

/// Nonce, then ciphertext with tag.
fn encrypt(key: &Secret, nonce: [u8; NONCE_BYTES], associated: &[u8], clear: &[u8]) -> Result<Vec<u8>, KeyError> {
    let cipher = XChaCha20Poly1305::new(&key.0.into());
    let payload = Payload {
        msg: clear,
        aad: associated,
    };
    let ciphertext = cipher.encrypt(&nonce.into(), payload).map_err(|_| KeyError::TooLong)?;
    Ok([nonce.as_slice(), &ciphertext].concat())
}

fn decrypt(key: &Secret, associated: &[u8], bytes: &[u8]) -> Result<Vec<u8>, DoesNotOpen> {
    let (nonce, ciphertext) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(DoesNotOpen)?;
    let cipher = XChaCha20Poly1305::new(&key.0.into());
    let payload = Payload {
        msg: ciphertext,
        aad: associated,
    };
    cipher.decrypt(&(*nonce).into(), payload).map_err(|_| DoesNotOpen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::StreamKind;
    use uuid::Uuid;

    const KEY: Secret = Secret([0x42; 32]);

    fn tenant() -> TenantId {
        "worked".parse().unwrap()
    }

    fn place(tenant: &TenantId) -> Place<'_> {
        Place {
            tenant,
            stream: StreamId::new(StreamKind::Customer, Uuid::from_u128(1)),
            sequence: 3,
            event_type: "CustomerRegistered",
            subject: SubjectId(Uuid::from_u128(1)),
        }
    }

    #[test]
    fn encrypted_parts_decrypt_and_reveal_nothing() {
        let tenant = tenant();
        let sealed = encrypt_text(&KEY, &place(&tenant), r#"{"name":"María"}"#).unwrap();
        assert!(!sealed.contains("Mar"));
        assert_eq!(
            *decrypt_text(&KEY, &place(&tenant), &sealed).unwrap(),
            r#"{"name":"María"}"#
        );
    }

    /// Existing logs must stay readable.
    #[test]
    fn a_part_sealed_by_an_earlier_build_opens() {
        let tenant = tenant();
        let sealed = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJB4B0asLRyeoT01zYQd/ZVZrKLSZeYwRpqYI9kLvL0K/O";
        let clear = r#"{"name":"María"}"#;
        let bytes = encrypt(
            &KEY,
            [9; NONCE_BYTES],
            &place(&tenant).associated_data(),
            clear.as_bytes(),
        )
        .unwrap();
        assert_eq!(BASE64.encode(bytes), sealed);
        assert_eq!(*decrypt_text(&KEY, &place(&tenant), sealed).unwrap(), clear);
    }

    #[test]
    fn the_same_text_is_sealed_differently_each_time() {
        let tenant = tenant();
        assert_ne!(
            encrypt_text(&KEY, &place(&tenant), "x").unwrap(),
            encrypt_text(&KEY, &place(&tenant), "x").unwrap()
        );
    }

    #[test]
    fn a_sealed_part_opens_nowhere_else() {
        let tenant = tenant();
        let other = "other".parse().unwrap();
        let sealed = encrypt_text(&KEY, &place(&tenant), "x").unwrap();
        let here = place(&tenant);
        let elsewhere = [
            Place { tenant: &other, ..here },
            Place {
                stream: StreamId::new(StreamKind::Party, Uuid::from_u128(1)),
                ..here
            },
            Place {
                stream: StreamId::new(StreamKind::Customer, Uuid::from_u128(2)),
                ..here
            },
            Place { sequence: 4, ..here },
            Place {
                event_type: "CustomerEdited",
                ..here
            },
            Place {
                subject: SubjectId(Uuid::from_u128(2)),
                ..here
            },
        ];
        for place in elsewhere {
            assert_eq!(
                decrypt_text(&KEY, &place, &sealed).unwrap_err(),
                DoesNotOpen,
                "{place:?}"
            );
        }
        assert_eq!(decrypt_text(&Secret([1; 32]), &here, &sealed).unwrap_err(), DoesNotOpen);
        for damaged in ["", "AAAA", "not base64!", &sealed[4..]] {
            assert_eq!(decrypt_text(&KEY, &here, damaged).unwrap_err(), DoesNotOpen);
        }
    }

    #[test]
    fn a_data_key_unwraps_for_its_person_and_tenant_only() {
        let keyring = Keyring::generate().unwrap();
        let (tenant, other) = (tenant(), "other".parse().unwrap());
        let (subject, another) = (SubjectId(Uuid::from_u128(1)), SubjectId(Uuid::from_u128(2)));
        let wrapped = wrap(&keyring, &tenant, subject, &KEY).unwrap();
        let unwrapped = |keyring, tenant, subject| unwrap(keyring, tenant, subject, &wrapped.master, &wrapped.bytes);
        assert_eq!(unwrapped(&keyring, &tenant, subject), Ok(KEY));
        assert_eq!(unwrapped(&keyring, &other, subject), Err(DoesNotOpen));
        assert_eq!(unwrapped(&keyring, &tenant, another), Err(DoesNotOpen));
        assert_eq!(
            unwrapped(&Keyring::generate().unwrap(), &tenant, subject),
            Err(DoesNotOpen)
        );
    }
}
