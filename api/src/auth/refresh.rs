//! Refresh tokens: format, succession, and the verdict on a presented token.
//!
//! `docs/decisions/refresh-rotation.md` explains why a just rotated token is answered once more.

use crate::{auth::mac::KeyedHash, problem::ApiError};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use chrono::{DateTime, Duration, Utc};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Grace period after a rotation: the old token gets the same successor, and the successor is not rotated again. Covers
/// two tabs that wake up together, and a lost answer repeated after 30 seconds.
pub const GRACE: Duration = Duration::seconds(60);

/// Bytes of a token's secret, and of its successor's salt.
pub const SECRET_BYTES: usize = 32;

/// Purpose string of the successors' key.
pub const KEY_PURPOSE: &str = "refresh tokens";

/// A token as stored: session id and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub session: Uuid,
    /// SHA-256 of the token's text.
    pub hash: [u8; 32],
}

impl Token {
    /// A random token, with its text.
    pub fn fresh(session: Uuid) -> Result<(Zeroizing<String>, Self), ApiError> {
        Ok(Self::of_secret(session, &*random()?))
    }

    /// The successor of a token: deterministic, from the key, the salt and the predecessor's text together.
    pub fn successor(&self, text: &str, key: &KeyedHash, salt: &[u8]) -> (Zeroizing<String>, Self) {
        let secret = Zeroizing::new(key.of(&[salt, text.as_bytes()]));
        Self::of_secret(self.session, &secret)
    }

    fn of_secret(session: Uuid, secret: &[u8; SECRET_BYTES]) -> (Zeroizing<String>, Self) {
        let text = Zeroizing::new(format!("{}.{}", session.simple(), BASE64.encode(secret)));
        let hash = Sha256::digest(text.as_bytes()).into();
        (text, Self { session, hash })
    }

    /// Parses a token; `None` when malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let (session, secret) = text.split_once('.')?;
        let well_formed = BASE64.decode(secret).is_ok_and(|secret| secret.len() == SECRET_BYTES);
        well_formed.then_some(())?;
        Some(Self {
            session: Uuid::try_parse(session).ok()?,
            hash: Sha256::digest(text.as_bytes()).into(),
        })
    }
}

/// Random bytes.
pub fn random() -> Result<Zeroizing<[u8; SECRET_BYTES]>, ApiError> {
    let mut bytes = Zeroizing::new([0; SECRET_BYTES]);
    getrandom::fill(bytes.as_mut_slice()).map_err(ApiError::internal)?;
    Ok(bytes)
}

/// Token state of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Hash of the current token.
    pub in_force: Vec<u8>,
    /// Origin of the current token; `None` when issued by the login.
    pub rotation: Option<Rotation>,
}

/// A rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// Hash of the previous token.
    pub from: Vec<u8>,
    /// Salt of the current token.
    pub salt: Vec<u8>,
    pub at: DateTime<Utc>,
}

/// Verdict on a token presented for an open session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Current: rotate it.
    Rotate,
    /// Current and issued within the grace period: keep it.
    Keep,
    /// Rotated within the grace period, with this salt: return its successor again.
    Repeat(Vec<u8>),
    /// Used before: somebody has a copy.
    Reuse,
}

impl Known {
    /// Verdict on a token, by its hash.
    pub fn judge(self, shown: &[u8; 32], now: DateTime<Utc>) -> Verdict {
        let in_force = self.in_force == shown;
        let recent = self.rotation.filter(|rotation| rotation.at + GRACE > now);
        match recent {
            None if in_force => Verdict::Rotate,
            Some(_) if in_force => Verdict::Keep,
            Some(rotation) if rotation.from == shown => Verdict::Repeat(rotation.salt),
            _ => Verdict::Reuse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: [u8; 32] = [1; 32];
    const NEW: [u8; 32] = [2; 32];

    fn rotated(at: DateTime<Utc>) -> Known {
        let (from, salt) = (OLD.to_vec(), vec![9]);
        Known {
            in_force: NEW.to_vec(),
            rotation: Some(Rotation { from, salt, at }),
        }
    }

    #[test]
    fn the_token_of_a_login_is_rotated_at_once_and_any_other_is_a_copy() {
        let known = Known {
            in_force: OLD.to_vec(),
            rotation: None,
        };
        assert_eq!(known.clone().judge(&OLD, Utc::now()), Verdict::Rotate);
        assert_eq!(known.judge(&NEW, Utc::now()), Verdict::Reuse);
    }

    #[test]
    fn within_the_grace_old_and_new_have_the_same_answer_and_a_stranger_has_none() {
        let at = Utc::now();
        for later in [Duration::zero(), GRACE - Duration::milliseconds(1)] {
            assert_eq!(rotated(at).judge(&OLD, at + later), Verdict::Repeat(vec![9]));
            assert_eq!(rotated(at).judge(&NEW, at + later), Verdict::Keep);
            assert_eq!(rotated(at).judge(&[3; 32], at + later), Verdict::Reuse);
        }
    }

    #[test]
    fn after_the_grace_the_old_one_is_a_copy_and_the_new_one_is_rotated() {
        let at = Utc::now();
        assert_eq!(rotated(at).judge(&OLD, at + GRACE), Verdict::Reuse);
        assert_eq!(rotated(at).judge(&NEW, at + GRACE), Verdict::Rotate);
    }

    #[test]
    fn a_successor_is_the_same_each_time_and_needs_key_salt_and_text() {
        let (text, token) = Token::fresh(Uuid::now_v7()).unwrap();
        let key = KeyedHash::new(&[1; 32]);
        let next = token.successor(&text, &key, b"salt");
        assert_eq!(token.successor(&text, &key, b"salt"), next);
        assert_eq!(Token::parse(&next.0), Some(next.1));
        for other in [
            token.successor(&text, &KeyedHash::new(&[2; 32]), b"salt"),
            token.successor(&text, &key, b"other"),
            token.successor(&next.0, &key, b"salt"),
        ] {
            assert_ne!(other, next);
        }
    }
}
