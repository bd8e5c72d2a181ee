//! The key file's text: one key per line.
//!
//! | Line | Content |
//! |---|---|
//! | `lookup KEY` | the lookup key, once |
//! | `master ID KEY` | a master key; the last is the current one |
//! | `session ID KEY SINCE` | a session key and the time from which it signs; `lookup` in place of KEY is the key used before the first rotation |
//!
//! KEY is 32 bytes in Base64, or a ciphertext of a key management service.

use super::{KeyService, Secret, ServiceError};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use chrono::{DateTime, SecondsFormat, Utc};
use zeroize::Zeroizing;

const HEADER: &str = "# Caudal's master keys. Without this file no personal data in the database can be read again.\n\
                      # Keep a copy apart from the database's backups, and show it to nobody.\n";

/// Marks a session key derived from the lookup key.
const DERIVED: &str = "lookup";

/// Distinguishes a ciphertext of any service from Base64, which has no colon.
const CIPHERTEXT_MARK: char = ':';

const NOT_A_KEY: &str = "a key is 32 bytes in Base64, or a ciphertext of the key management service";

/// A key with its form in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) secret: Secret,
    /// Ciphertext of the key management service, if encrypted.
    pub(super) sealed: Option<String>,
}

/// A key for access tokens, refresh tokens and reset codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SessionKey {
    pub(super) id: String,
    /// `None` for the key derived from the lookup key.
    pub(super) key: Option<Key>,
    pub(super) since: DateTime<Utc>,
}

/// Parsed key file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) lookup: Key,
    /// In file order; never empty, the last one is current.
    pub(super) masters: Vec<(String, Key)>,
    /// Ordered by start time.
    pub(super) sessions: Vec<SessionKey>,
}

/// Defects of a key file.
#[derive(Debug)]
pub(super) enum Fault {
    /// Malformed line.
    Line(usize, &'static str),
    /// The key management service could not decrypt a line.
    Service(usize, ServiceError),
}

/// Decrypts keys, reusing ciphertexts that were decrypted before.
pub(super) struct Opener<'a> {
    pub(super) service: Option<&'a dyn KeyService>,
    pub(super) known: Option<&'a Contents>,
}

impl Opener<'_> {
    fn key(&self, text: &str, line: usize) -> Result<Key, Fault> {
        if !text.contains(CIPHERTEXT_MARK) {
            let secret = Secret::parse(text).ok_or(Fault::Line(line, NOT_A_KEY))?;
            return Ok(Key { secret, sealed: None });
        }
        if let Some(known) = self.known.and_then(|known| known.by_ciphertext(text)) {
            return Ok(known.clone());
        }
        let service = self.service.filter(|service| text.starts_with(service.prefix()));
        let service = service.ok_or(Fault::Line(
            line,
            "the key is encrypted by a key management service that is not configured",
        ))?;
        let bytes = service.open(text).map_err(|error| Fault::Service(line, error))?;
        let secret = bytes.as_slice().try_into().ok().map(Secret);
        Ok(Key {
            secret: secret.ok_or(Fault::Line(
                line,
                "the service opened something that is no key of 32 bytes",
            ))?,
            sealed: Some(text.to_owned()),
        })
    }
}

impl Contents {
    pub(super) fn parse(text: &str, opener: &Opener<'_>) -> Result<Self, Fault> {
        let mut lookup = None;
        let mut masters: Vec<(String, Key)> = Vec::new();
        let mut sessions: Vec<SessionKey> = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let wrong = |problem| Fault::Line(line, problem);
            let words: Vec<_> = text.split_ascii_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [word, ..] if word.starts_with('#') => {}
                ["lookup", key] if lookup.is_none() => lookup = Some(opener.key(key, line)?),
                ["master", id, key] => {
                    if masters.iter().any(|(other, _)| other == id) {
                        return Err(wrong("this master key's id is there twice"));
                    }
                    masters.push(((*id).to_owned(), opener.key(key, line)?));
                }
                ["session", id, key, since] => {
                    let since = since
                        .parse()
                        .map_err(|_| wrong("expected a time like 2026-01-31T12:00:00Z"))?;
                    if sessions.iter().any(|other| other.id == *id) {
                        return Err(wrong("this session key's id is there twice"));
                    }
                    if sessions.last().is_some_and(|before| before.since > since) {
                        return Err(wrong("session keys stand in the order of their beginning"));
                    }
                    let key = if *key == DERIVED {
                        None
                    } else {
                        Some(opener.key(key, line)?)
                    };
                    let id = (*id).to_owned();
                    sessions.push(SessionKey { id, key, since });
                }
                _ => {
                    return Err(wrong(
                        "expected one `lookup KEY`, and `master ID KEY` and `session ID KEY SINCE` lines",
                    ));
                }
            }
        }
        let lines = text.lines().count();
        if masters.is_empty() {
            return Err(Fault::Line(lines, "no master key"));
        }
        Ok(Self {
            lookup: lookup.ok_or(Fault::Line(lines, "no lookup key"))?,
            masters,
            sessions,
        })
    }

    pub(super) fn to_text(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(HEADER.to_owned());
        text.push_str(&format!("lookup {}\n", *written(&self.lookup)));
        for (id, key) in &self.masters {
            text.push_str(&format!("master {id} {}\n", *written(key)));
        }
        for SessionKey { id, key, since } in &self.sessions {
            let key = key.as_ref().map_or_else(|| Zeroizing::new(DERIVED.to_owned()), written);
            let since = since.to_rfc3339_opts(SecondsFormat::Secs, true);
            text.push_str(&format!("session {id} {} {since}\n", *key));
        }
        text
    }

    /// All keys of the file.
    pub(super) fn keys_mut(&mut self) -> impl Iterator<Item = &mut Key> {
        std::iter::once(&mut self.lookup)
            .chain(self.masters.iter_mut().map(|(_, key)| key))
            .chain(self.sessions.iter_mut().filter_map(|session| session.key.as_mut()))
    }

    /// Whether new keys must be encrypted.
    pub(super) fn is_sealed(&self) -> bool {
        self.lookup.sealed.is_some()
    }

    pub(super) fn master(&self, id: &str) -> Option<&Key> {
        self.masters.iter().find(|(other, _)| other == id).map(|(_, key)| key)
    }

    fn by_ciphertext(&self, text: &str) -> Option<&Key> {
        std::iter::once(&self.lookup)
            .chain(self.masters.iter().map(|(_, key)| key))
            .chain(self.sessions.iter().filter_map(|session| session.key.as_ref()))
            .find(|key| key.sealed.as_deref() == Some(text))
    }
}

fn written(key: &Key) -> Zeroizing<String> {
    Zeroizing::new(match &key.sealed {
        Some(ciphertext) => ciphertext.clone(),
        None => BASE64.encode(key.secret.0),
    })
}
