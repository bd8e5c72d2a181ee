//! Hash chain over a tenant's events: detects edited, deleted, inserted and reordered events.
//!
//! The encoding is specified in docs/chain-format.md and can be recomputed with `psql` alone; the two change together.

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

pub type Hash = [u8; 32];

const GENESIS_TAG: &[u8] = b"caudal.genesis.1";
const EVENT_TAG: &[u8] = b"caudal.event.1";

/// Hash input of one event: all columns of its row except the hash, texts as stored.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    pub tenant: &'a str,
    /// Position in the tenant's log, from 1.
    pub position: i64,
    pub aggregate_type: &'a str,
    pub aggregate_id: &'a str,
    /// Sequence number in the stream, from 1.
    pub sequence: i64,
    pub event_type: &'a str,
    pub event_version: &'a str,
    /// Whole microseconds.
    pub recorded_at: DateTime<Utc>,
    /// Actor, role and request as JSON, as stored.
    pub metadata: &'a str,
    /// As stored: encrypted parts as ciphertext.
    pub payload: &'a str,
}

/// Predecessor hash of a tenant's first event.
#[must_use]
pub fn genesis(tenant: &str) -> Hash {
    let mut sha = Sha256::new();
    sha.update(GENESIS_TAG);
    field(&mut sha, tenant);
    sha.finalize().into()
}

/// Hash of an event; `previous` is the preceding event's hash, or the genesis.
#[must_use]
pub fn hash(previous: &Hash, link: &Link<'_>) -> Hash {
    let mut sha = Sha256::new();
    sha.update(EVENT_TAG);
    sha.update(previous);
    field(&mut sha, link.tenant);
    sha.update(link.position.to_be_bytes());
    field(&mut sha, link.aggregate_type);
    field(&mut sha, link.aggregate_id);
    sha.update(link.sequence.to_be_bytes());
    field(&mut sha, link.event_type);
    field(&mut sha, link.event_version);
    sha.update(link.recorded_at.timestamp_micros().to_be_bytes());
    field(&mut sha, link.metadata);
    field(&mut sha, link.payload);
    sha.finalize().into()
}

/// 64 lower-case hexadecimal digits.
#[must_use]
pub fn to_hex(hash: &Hash) -> String {
    hex::encode(hash)
}

/// Parses the output of [`to_hex`]; upper-case digits are rejected.
#[must_use]
pub fn from_hex(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    hex::decode_to_slice(text, &mut hash).ok()?;
    let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    is_lower.then_some(hash)
}

/// Length-prefixed text, so that different field lists never have equal bytes.
fn field(sha: &mut Sha256, text: &str) {
    sha.update((text.len() as u64).to_be_bytes());
    sha.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;

    fn link() -> Link<'static> {
        Link {
            tenant: "worked",
            position: 7,
            aggregate_type: "remittance",
            aggregate_id: "0197a3c0-0000-7000-8000-000000000001",
            sequence: 2,
            event_type: "RemittanceAssigned",
            event_version: "1.0",
            recorded_at: DateTime::from_timestamp_micros(1_751_328_000_123_456).unwrap(),
            metadata: r#"{"actor":"system","role":"system","request":"0197a3c0-0000-7000-8000-0000000000ff"}"#,
            payload: r#"{"type":"RemittanceAssigned","note":"Á€"}"#,
        }
    }

    /// The two vectors are in docs/chain-format.md and were computed with psql.
    #[test]
    fn the_documented_vectors_hold() {
        let genesis = genesis("worked");
        assert_eq!(
            to_hex(&genesis),
            "9041510dbbeb201cbfa57ac5ba37f5166d9b76566b357eec513bb2c265e77f65"
        );
        assert_eq!(
            to_hex(&hash(&genesis, &link())),
            "c3bd1c7793450f667877eadbc9921f49a0e2f980714019ed8430ff52c0624b38"
        );
    }

    #[test]
    fn a_hash_is_read_as_it_is_written_and_in_no_other_way() {
        let hash = genesis("worked");
        let text = to_hex(&hash);
        assert_eq!(from_hex(&text), Some(hash));
        for other in [
            text.to_uppercase(),
            text[1..].to_owned(),
            format!("{text}0"),
            text.replacen('9', "g", 1),
        ] {
            assert_eq!(from_hex(&other), None, "{other}");
        }
    }

    #[test]
    fn every_field_counts() {
        let previous = genesis("worked");
        let original = hash(&previous, &link());
        let edits = [
            Link {
                tenant: "worker",
                ..link()
            },
            Link { position: 8, ..link() },
            Link {
                aggregate_type: "remittances",
                ..link()
            },
            Link {
                aggregate_id: "0197a3c0-0000-7000-8000-000000000002",
                ..link()
            },
            Link { sequence: 3, ..link() },
            Link {
                event_type: "RemittanceCanceled",
                ..link()
            },
            Link {
                event_version: "1.1",
                ..link()
            },
            Link {
                recorded_at: DateTime::from_timestamp_micros(1_751_328_000_123_457).unwrap(),
                ..link()
            },
            Link {
                metadata: "{}",
                ..link()
            },
            Link {
                payload: r#"{"type":"RemittanceAssigned","note":"A€"}"#,
                ..link()
            },
        ];
        for edit in edits {
            assert_ne!(hash(&previous, &edit), original, "{edit:?}");
        }
        assert_ne!(hash(&genesis("worker"), &link()), original);
    }

    #[test]
    fn a_byte_moved_between_neighbouring_fields_is_seen() {
        let previous = genesis("worked");
        let one = Link {
            event_type: "AB",
            event_version: "C",
            ..link()
        };
        let other = Link {
            event_type: "A",
            event_version: "BC",
            ..link()
        };
        assert_ne!(hash(&previous, &one), hash(&previous, &other));
    }
}
