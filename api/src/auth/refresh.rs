//! Refresh tokens: format, succession, and the verdict on a presented token.
//!
//! Half of a token's secret is random, the other half a tag under a session key: a token that was made up by who knows the
//! session's id is told from one that was issued, and neither ends the session nor counts as its reuse.
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

/// Bytes of the secret that are random; the rest is the tag.
const RANDOM_BYTES: usize = SECRET_BYTES / 2;

/// Purpose string of the key of successors and tags.
pub const KEY_PURPOSE: &str = "refresh tokens";

/// First of the parts that a tag is made of, which are of another number than those of a successor.
const TAG: &[u8] = b"tag";

/// A token as stored: session id and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub session: Uuid,
    /// SHA-256 of the token's text.
    pub hash: [u8; 32],
    /// What is tagged, and the tag.
    secret: [u8; SECRET_BYTES],
}

impl Token {
    /// A random token, with its text.
    pub fn fresh(session: Uuid, key: &KeyedHash) -> Result<(Zeroizing<String>, Self), ApiError> {
        Ok(Self::tagged(session, key, &*random()?))
    }

    /// The successor of a token: deterministic, from the key, the salt and the predecessor's text together.
    pub fn successor(&self, text: &str, key: &KeyedHash, salt: &[u8]) -> (Zeroizing<String>, Self) {
        let made = Zeroizing::new(key.of(&[salt, text.as_bytes()]));
        Self::tagged(self.session, key, &made)
    }

    /// A token whose random half is the first one of what is given.
    fn tagged(session: Uuid, key: &KeyedHash, made: &[u8; SECRET_BYTES]) -> (Zeroizing<String>, Self) {
        let (random, _) = made.split_at(RANDOM_BYTES);
        let tag = key.of(&[TAG, session.as_bytes(), random]);
        let mut secret = [0; SECRET_BYTES];
        for (to, from) in secret.iter_mut().zip(random.iter().chain(&tag)) {
            *to = *from;
        }
        let text = Zeroizing::new(format!("{}.{}", session.simple(), BASE64.encode(secret)));
        let hash = Sha256::digest(text.as_bytes()).into();
        (text, Self { session, hash, secret })
    }

    /// Whether a node issued it, under one of the keys that are still valid.
    pub fn was_issued(&self, keys: &[KeyedHash]) -> bool {
        let (random, tag) = self.secret.split_at(RANDOM_BYTES);
        let parts = [TAG, self.session.as_bytes().as_slice(), random];
        keys.iter().any(|key| key.begins_with(&parts, tag))
    }

    /// Parses a token; `None` when malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let (session, secret) = text.split_once('.')?;
        Some(Self {
            session: Uuid::try_parse(session).ok()?,
            hash: Sha256::digest(text.as_bytes()).into(),
            secret: BASE64.decode(secret).ok()?.try_into().ok()?,
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
    fn a_login_token_rotates_and_any_other_token_is_reuse() {
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
        let key = KeyedHash::new(&[1; 32]);
        let (text, token) = Token::fresh(Uuid::now_v7(), &key).unwrap();
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
    #[test]
    fn a_token_that_was_made_up_is_told_from_one_that_was_issued() {
        let (key, before) = (KeyedHash::new(&[1; 32]), KeyedHash::new(&[2; 32]));
        let (text, token) = Token::fresh(Uuid::now_v7(), &before).unwrap();
        let (_, next) = token.successor(&text, &key, b"salt");
        let valid = [key.clone(), before];
        assert!(token.was_issued(&valid) && next.was_issued(&valid));
        assert!(!token.was_issued(&[key]), "its key is gone");
        let random = BASE64.encode(*random().unwrap());
        let made_up = Token::parse(&format!("{}.{random}", token.session.simple())).unwrap();
        let (_, of_another) = text.split_once('.').unwrap();
        let moved = Token::parse(&format!("{}.{of_another}", Uuid::now_v7().simple())).unwrap();
        assert!(!made_up.was_issued(&valid) && !moved.was_issued(&valid));
    }
}
