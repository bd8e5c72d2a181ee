//! Receipts: what was answered to a command that carried an idempotency key, so that repeating it has no second
//! effect. Only what was committed leaves a receipt; a refusal is decided anew.

use crate::{
    beside::authenticity::{Mac, RowMac, RowMacs, Table},
    keys::Keyring,
};
use caudal_domain::{Actor, ids::TenantId};
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

/// The longest idempotency key, in bytes: a UUID or a hash fits several times.
pub const MAX_KEY_BYTES: usize = 200;

/// Tells requests apart: the SHA-256 of what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestDigest([u8; 32]);

impl RequestDigest {
    /// The digest of a request's parts (method, path, body), each with its length in front.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut sha = Sha256::new();
        for part in parts {
            sha.update((part.len() as u64).to_be_bytes());
            sha.update(part);
        }
        Self(sha.finalize().into())
    }
}

/// Under what a receipt is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReceiptKey {
    pub(crate) actor: String,
    pub(crate) key: String,
}

impl ReceiptKey {
    /// None where the key is empty, too long or holds control characters.
    pub(crate) fn new(actor: Actor, key: &str) -> Option<Self> {
        let fits = (1..=MAX_KEY_BYTES).contains(&key.len()) && !key.chars().any(char::is_control);
        fits.then(|| Self {
            actor: actor.to_string(),
            key: key.to_owned(),
        })
    }
}

/// What a digest is kept as: a request holds personal data, which a plain hash could be guessed back from.
pub(crate) fn digest(keyring: &Keyring, tenant: &TenantId, request: &RequestDigest) -> [u8; 32] {
    keyring.lookup("receipt", &[tenant.as_str().as_bytes(), &request.0])
}

/// A receipt to be written.
#[derive(Clone, Debug)]
pub(crate) struct NewReceipt {
    pub(crate) key: ReceiptKey,
    pub(crate) digest: [u8; 32],
    /// The answer as JSON.
    pub(crate) answer: String,
    /// Where the log stood with the command done.
    pub(crate) position: i64,
}

/// A receipt found.
#[derive(Clone, Debug)]
pub(crate) struct Receipt {
    pub(crate) digest: Vec<u8>,
    pub(crate) answer: String,
    pub(crate) position: i64,
}

/// The MAC of a receipt to be written.
pub(crate) fn mac(macs: &RowMacs, tenant: &TenantId, receipt: &NewReceipt, recorded_at: DateTime<Utc>) -> Mac {
    let NewReceipt {
        key,
        digest,
        answer,
        position,
    } = receipt;
    row_mac(macs, tenant, key, digest, answer, *position, recorded_at).finish()
}

/// The MAC of a receipt's row.
pub(crate) fn row_mac(
    macs: &RowMacs,
    tenant: &TenantId,
    key: &ReceiptKey,
    digest: &[u8],
    answer: &str,
    position: i64,
    recorded_at: DateTime<Utc>,
) -> RowMac {
    macs.row(Table::Receipts, tenant)
        .key_text(&key.actor)
        .key_text(&key.key)
        .bytes(digest)
        .text(answer)
        .number(position)
        .time(recorded_at)
}
