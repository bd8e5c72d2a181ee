//! Checkpoints: a log's end, signed with Ed25519, to be kept outside the database. Whoever owns the database could
//! rewrite or shorten a log and compute the chain anew; the signed end shows it.
//!
//! The signed bytes stand in docs/chain-format.md.

mod keys;

pub use keys::{PublicKey, PublicKeys, SIGNING_KEY_FILE, SIGNING_KEY_FILE_VARIABLE, SigningKeys};

use crate::{
    chain::{self, Hash},
    error::JournalError,
    journal::Journal,
    verify,
};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, SecondsFormat, SubsecRound as _, Utc};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde::{Deserialize, Serialize};

const TAG: &[u8] = b"caudal.checkpoint.1";

/// What a checkpoint file says it is.
const KIND: &str = "checkpoint";
const FORMAT: u32 = 1;

/// The longest checkpoint file, in bytes: it has a dozen short fields.
pub const MAX_CHECKPOINT_BYTES: usize = 16 * 1024;

/// A log's end, signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The tenant.
    pub tenant: TenantId,
    /// The position of the last event; 0 where there was none.
    pub position: i64,
    /// Its hash, or the genesis.
    pub hash: Hash,
    /// When it was recorded.
    pub recorded_at: DateTime<Utc>,
    /// When this was signed.
    pub signed_at: DateTime<Utc>,
    /// The key that signed it.
    pub key: String,
    /// The signature over all of the above.
    pub signature: [u8; Signature::BYTE_SIZE],
}

/// Why a checkpoint is none.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It is not of the form that Caudal writes.
    #[error("not a checkpoint: {0}")]
    Format(String),
    /// It was signed with a key that is not among those trusted.
    #[error("the checkpoint is signed with the key {0}, which is not among the public keys given")]
    UnknownKey(String),
    /// The signature is not that of its content: it was changed, or signed with another key.
    #[error("the checkpoint's signature does not hold")]
    Signature,
    /// It is another tenant's.
    #[error("the checkpoint is of the tenant {0}")]
    OtherTenant(TenantId),
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Stored {
    caudal: String,
    format: u32,
    tenant: TenantId,
    position: i64,
    hash: String,
    recorded_at: String,
    signed_at: String,
    key: String,
    signature: String,
}

impl Checkpoint {
    /// Signs a log's end.
    #[must_use]
    pub fn sign(keys: &SigningKeys, tenant: &TenantId, end: &verify::LogEnd, now: DateTime<Utc>) -> Self {
        let mut checkpoint = Self {
            tenant: tenant.clone(),
            position: end.position,
            hash: end.hash,
            recorded_at: end.recorded_at,
            signed_at: now.trunc_subsecs(6),
            key: keys.current_id().to_owned(),
            signature: [0; Signature::BYTE_SIZE],
        };
        checkpoint.signature = keys.sign(&checkpoint.message());
        checkpoint
    }

    /// What is signed.
    fn message(&self) -> Vec<u8> {
        let mut message = TAG.to_vec();
        let field = |message: &mut Vec<u8>, text: &str| {
            message.extend((text.len() as u64).to_be_bytes());
            message.extend(text.as_bytes());
        };
        field(&mut message, self.tenant.as_str());
        message.extend(self.position.to_be_bytes());
        message.extend(self.hash);
        message.extend(self.recorded_at.timestamp_micros().to_be_bytes());
        message.extend(self.signed_at.timestamp_micros().to_be_bytes());
        field(&mut message, &self.key);
        message
    }

    /// Holds the signature against public keys that were had from elsewhere.
    ///
    /// # Errors
    /// An unknown key, or a signature that does not hold.
    pub fn check(&self, tenant: &TenantId, keys: &PublicKeys) -> Result<(), CheckpointError> {
        if self.tenant != *tenant {
            return Err(CheckpointError::OtherTenant(self.tenant.clone()));
        }
        let key = keys
            .find(&self.key)
            .ok_or_else(|| CheckpointError::UnknownKey(self.key.clone()))?;
        let key = VerifyingKey::from_bytes(&key.key).map_err(|_| CheckpointError::Signature)?;
        key.verify(&self.message(), &Signature::from_bytes(&self.signature))
            .map_err(|_| CheckpointError::Signature)
    }

    /// As JSON text.
    ///
    /// # Errors
    /// Where it can't be written as JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
        let stored = Stored {
            caudal: KIND.to_owned(),
            format: FORMAT,
            tenant: self.tenant.clone(),
            position: self.position,
            hash: chain::to_hex(&self.hash),
            recorded_at: time(self.recorded_at),
            signed_at: time(self.signed_at),
            key: self.key.clone(),
            signature: BASE64.encode(self.signature),
        };
        serde_json::to_string_pretty(&stored)
    }

    /// Reads what [`Self::to_json`] writes. Whether its signature holds is another question.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn from_json(text: &str) -> Result<Self, CheckpointError> {
        let wrong = |what: &str| CheckpointError::Format(what.to_owned());
        if text.len() > MAX_CHECKPOINT_BYTES {
            return Err(wrong("too long"));
        }
        let stored: Stored = serde_json::from_str(text).map_err(|error| CheckpointError::Format(error.to_string()))?;
        if stored.caudal != KIND || stored.format != FORMAT {
            return Err(wrong("of another kind or format"));
        }
        let time = |text: &str| {
            DateTime::parse_from_rfc3339(text)
                .map(|at| at.with_timezone(&Utc))
                .map_err(|_| wrong("a time that is none"))
        };
        let signature = BASE64.decode(&stored.signature).ok();
        Ok(Self {
            recorded_at: time(&stored.recorded_at)?,
            signed_at: time(&stored.signed_at)?,
            hash: chain::from_hex(&stored.hash).ok_or_else(|| wrong("a hash that is none"))?,
            signature: signature
                .and_then(|bytes| bytes.try_into().ok())
                .ok_or_else(|| wrong("a signature that is none"))?,
            tenant: stored.tenant,
            position: stored.position,
            key: stored.key,
        })
    }

    /// The name of a file for it: it sorts by position.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{:012}.checkpoint.json", self.tenant, self.position)
    }
}

impl Journal {
    /// Signs the present end of a tenant's log.
    ///
    /// # Errors
    /// Where the tenant is unknown or the database fails.
    pub async fn checkpoint(&self, tenant: &TenantId, keys: &SigningKeys) -> Result<Checkpoint, JournalError> {
        let head = self.head(tenant).await?;
        let end = verify::LogEnd {
            position: head.position,
            hash: head.hash,
            recorded_at: head.recorded_at,
        };
        Ok(Checkpoint::sign(keys, tenant, &end, self.shared.clock.now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end() -> verify::LogEnd {
        verify::LogEnd {
            position: 7,
            hash: chain::genesis("worked"),
            recorded_at: DateTime::from_timestamp_micros(1_751_328_000_123_456).unwrap(),
        }
    }

    fn tenant() -> TenantId {
        "worked".parse().unwrap()
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_signed_and_holds_under_its_key_alone() {
        let keys = SigningKeys::generate(Utc::now()).unwrap();
        let signed = Checkpoint::sign(&keys, &tenant(), &end(), Utc::now());
        let read = Checkpoint::from_json(&signed.to_json().unwrap()).unwrap();
        assert_eq!(read, signed);
        read.check(&tenant(), &keys.public()).unwrap();
        let others = SigningKeys::generate(Utc::now()).unwrap();
        assert!(matches!(
            read.check(&tenant(), &others.public()),
            Err(CheckpointError::UnknownKey(_))
        ));
        assert!(matches!(
            read.check(&"other".parse().unwrap(), &keys.public()),
            Err(CheckpointError::OtherTenant(_))
        ));
    }

    #[test]
    fn whatever_is_changed_in_a_checkpoint_breaks_its_signature() {
        let keys = SigningKeys::generate(Utc::now()).unwrap();
        let signed = Checkpoint::sign(&keys, &tenant(), &end(), Utc::now());
        let mut edits = vec![signed.clone(); 5];
        edits[0].position = 8;
        edits[1].hash[0] ^= 1;
        edits[2].recorded_at += chrono::TimeDelta::microseconds(1);
        edits[3].signed_at += chrono::TimeDelta::microseconds(1);
        edits[4].signature[0] ^= 1;
        for edit in edits {
            let checked = edit.check(&tenant(), &keys.public());
            assert!(matches!(checked, Err(CheckpointError::Signature)), "{edit:?}");
        }
    }

    /// The vector stands in docs/chain-format.md.
    #[test]
    fn the_documented_signature_holds() {
        let keys = SigningKeys::of_seed([7; 32], Utc::now());
        let at = DateTime::from_timestamp_micros(1_751_328_060_000_000).unwrap();
        let signed = Checkpoint::sign(&keys, &tenant(), &end(), at);
        let page = include_str!("../../../docs/chain-format.md");
        assert!(
            page.contains(&BASE64.encode(keys.public().keys()[0].key)),
            "{}",
            BASE64.encode(keys.public().keys()[0].key)
        );
        assert!(
            page.contains(&BASE64.encode(signed.signature)),
            "{}",
            signed.to_json().unwrap()
        );
    }
}
