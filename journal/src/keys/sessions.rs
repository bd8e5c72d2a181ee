//! Session keys: keys of access tokens, refresh tokens and reset codes, which rotate independently of the lookup key.

use super::{Keyring, contents::SessionKey};
use chrono::{DateTime, TimeDelta, Utc};
use zeroize::Zeroizing;

/// Default delay before a new session key signs: ten times the poll interval of the key file, so that no node meets a
/// token under an unknown key.
pub const SESSION_KEY_LEAD: TimeDelta = TimeDelta::seconds(10);

/// How long a session key verifies after its successor began to sign. Access tokens and reset codes live for 15
/// minutes; a rotated refresh token is accepted for one more minute.
pub const SESSION_KEY_OVERLAP: TimeDelta = TimeDelta::hours(1);

/// A key for one purpose, derived from a session key.
pub struct DerivedKey {
    /// Session key id, as named by tokens; `None` for the key derived from the lookup key.
    pub id: Option<String>,
    pub key: Zeroizing<[u8; 32]>,
}

impl Keyring {
    /// Valid keys of a purpose: the signing one first, then those that still verify.
    #[must_use]
    pub fn session_keys(&self, purpose: &str, now: DateTime<Utc>) -> Vec<DerivedKey> {
        let contents = self.contents();
        valid(&contents.sessions, now)
            .into_iter()
            .map(|session| match session {
                Some(SessionKey { id, key: Some(key), .. }) => DerivedKey {
                    id: Some(id.clone()),
                    key: key.secret.derive(purpose),
                },
                _ => DerivedKey {
                    id: None,
                    key: self.derive(purpose),
                },
            })
            .collect()
    }
}

/// Valid session keys, the signing one first; `None` for the key derived from the lookup key.
fn valid(sessions: &[SessionKey], now: DateTime<Utc>) -> Vec<Option<&SessionKey>> {
    if sessions.is_empty() {
        return vec![None];
    }
    let signing = sessions.iter().rposition(|session| session.since <= now).unwrap_or(0);
    let verifies = |index: usize| {
        let next = sessions.get(index + 1);
        // A key that does not sign yet already verifies: another node's clock may be ahead.
        next.is_none_or(|next| next.since + SESSION_KEY_OVERLAP > now)
    };
    let others = (0..sessions.len()).filter(|index| *index != signing && verifies(*index));
    std::iter::once(signing)
        .chain(others)
        .map(|index| sessions.get(index))
        .collect()
}

/// Adds a session key that signs from `since`, and removes expired ones.
pub(super) fn rotated(
    sessions: &mut Vec<SessionKey>,
    key: super::contents::Key,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> String {
    if sessions.is_empty() {
        sessions.push(SessionKey {
            id: "0".to_owned(),
            key: None,
            since: DateTime::UNIX_EPOCH,
        });
    }
    let last = sessions
        .iter()
        .filter_map(|session| session.id.parse::<u64>().ok())
        .max();
    let id = (last.unwrap_or(0) + 1).to_string();
    let kept = valid(sessions, now)
        .into_iter()
        .flatten()
        .map(|session| session.id.clone());
    let kept: Vec<_> = kept.collect();
    sessions.retain(|session| kept.contains(&session.id));
    // A pending key must not begin after the new one.
    for session in sessions.iter_mut() {
        session.since = session.since.min(since);
    }
    sessions.push(SessionKey {
        id: id.clone(),
        key: Some(key),
        since,
    });
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{Secret, contents::Key};

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::seconds(seconds)
    }

    fn key(byte: u8) -> Key {
        Key {
            secret: Secret([byte; 32]),
            sealed: None,
        }
    }

    fn ids(sessions: &[SessionKey], now: DateTime<Utc>) -> Vec<String> {
        let id = |session: Option<&SessionKey>| session.map_or("derived".to_owned(), |session| session.id.clone());
        valid(sessions, now).into_iter().map(id).collect()
    }

    #[test]
    fn a_new_key_verifies_at_once_signs_after_its_lead_and_the_one_before_verifies_for_the_overlap() {
        let mut sessions = Vec::new();
        assert_eq!(ids(&sessions, at(0)), ["derived"]);
        assert_eq!(rotated(&mut sessions, key(1), at(10), at(0)), "1");
        assert_eq!(ids(&sessions, at(0)), ["0", "1"]);
        assert_eq!(ids(&sessions, at(10)), ["1", "0"]);
        let overlap = SESSION_KEY_OVERLAP.num_seconds();
        assert_eq!(ids(&sessions, at(10 + overlap - 1)), ["1", "0"]);
        assert_eq!(ids(&sessions, at(10 + overlap)), ["1"]);
        assert_eq!(rotated(&mut sessions, key(2), at(20 + overlap), at(10 + overlap)), "2");
        assert_eq!(sessions.len(), 2, "the derived one is gone");
        assert_eq!(ids(&sessions, at(20 + overlap)), ["2", "1"]);
    }

    #[test]
    fn rotating_twice_at_once_keeps_the_keys_of_tokens_that_are_out() {
        let mut sessions = Vec::new();
        rotated(&mut sessions, key(1), at(10), at(0));
        rotated(&mut sessions, key(2), at(11), at(1));
        assert_eq!(ids(&sessions, at(1)), ["0", "1", "2"]);
        assert_eq!(ids(&sessions, at(12)), ["2", "0", "1"]);
    }
}
