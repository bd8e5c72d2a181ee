//! Idempotency records: the outcome of a command by its idempotency key, so that a repetition has no second effect.
//! Only committed commands leave a record; a refused one is decided again.

use crate::{
    beside::authenticity::{Mac, RowMac, RowMacs, Table},
    keys::Keyring,
    submission::Submission,
};
use caudal_domain::{Actor, ids::TenantId};
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

/// Maximum length of an idempotency key in bytes.
pub const MAX_KEY_BYTES: usize = 200;

/// Request digest: the SHA-256 of the request's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestDigest([u8; 32]);

impl RequestDigest {
    /// Digest of a request's parts (method, path, body), each length-prefixed.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut sha = Sha256::new();
        for part in parts {
            sha.update((part.len() as u64).to_be_bytes());
            sha.update(part);
        }
        Self(sha.finalize().into())
    }
}

/// Key of an idempotency record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IdempotencyRecordKey {
    pub(crate) actor: String,
    pub(crate) key: String,
}

impl IdempotencyRecordKey {
    /// `None` for a key that is empty, too long or contains control characters.
    pub(crate) fn new(actor: Actor, key: &str) -> Option<Self> {
        let fits = (1..=MAX_KEY_BYTES).contains(&key.len()) && !key.chars().any(char::is_control);
        fits.then(|| Self {
            actor: actor.to_string(),
            key: key.to_owned(),
        })
    }

    /// Key of a submission's record; `None` for one that leaves none.
    pub(crate) fn of(submission: &Submission) -> Option<Self> {
        Self::new(submission.actor, submission.key.as_deref()?)
    }
}

/// Keyed form of a request digest: a plain hash of personal data could be brute-forced.
pub(crate) fn digest(keyring: &Keyring, tenant: &TenantId, request: &RequestDigest) -> [u8; 32] {
    keyring.lookup("receipt", &[tenant.as_str().as_bytes(), &request.0])
}

/// An idempotency record to write.
#[derive(Clone, Debug)]
pub(crate) struct NewIdempotencyRecord {
    pub(crate) key: IdempotencyRecordKey,
    pub(crate) digest: [u8; 32],
    /// The answer as JSON.
    pub(crate) answer: String,
    /// Log position after the command.
    pub(crate) position: i64,
}

/// A stored idempotency record.
#[derive(Clone, Debug)]
pub(crate) struct IdempotencyRecord {
    pub(crate) digest: Vec<u8>,
    pub(crate) answer: String,
    pub(crate) position: i64,
}

/// MAC of a record to write.
pub(crate) fn mac(
    macs: &RowMacs,
    tenant: &TenantId,
    idempotency_record: &NewIdempotencyRecord,
    recorded_at: DateTime<Utc>,
) -> Mac {
    let NewIdempotencyRecord {
        key,
        digest,
        answer,
        position,
    } = idempotency_record;
    row_mac(macs, tenant, key, digest, answer, *position, recorded_at).finish()
}

/// MAC of a record's row.
pub(crate) fn row_mac(
    macs: &RowMacs,
    tenant: &TenantId,
    key: &IdempotencyRecordKey,
    digest: &[u8],
    answer: &str,
    position: i64,
    recorded_at: DateTime<Utc>,
) -> RowMac {
    macs.row(Table::IdempotencyRecords, tenant)
        .key_text(&key.actor)
        .key_text(&key.key)
        .bytes(digest)
        .text(answer)
        .number(position)
        .time(recorded_at)
}
