//! Signed checkpoints: a log's end, signed with Ed25519 and stored outside the database. The database's owner could
//! rewrite or shorten a log and recompute the chain; a signed end reveals it.
//!
//! Format 2 contains the Merkle root of the log at its position and names the previous checkpoint; format 1 of older
//! versions is still read. docs/chain-format.md specifies the signed bytes.

mod cosignature;
mod delivery;
mod dossier;
mod keys;
mod signing;

pub use cosignature::{Cosignature, CosignatureError};
pub use dossier::DossierSignature;
pub use keys::{PublicKey, PublicKeys, SIGNING_KEY_FILE, SIGNING_KEY_FILE_VARIABLE, SigningKeys};
pub use signing::SignError;

use crate::{
    log::chain::{self, Hash},
    proof::verify,
};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, SecondsFormat, SubsecRound as _, Utc};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

const TAG_1: &[u8] = b"caudal.checkpoint.1";
const TAG_2: &[u8] = b"caudal.checkpoint.2";

/// `kind` of a checkpoint file.
const KIND: &str = "checkpoint";
/// Without a root; written by older versions, still read.
const FORMAT_1: u32 = 1;
/// With the Merkle root and the previous checkpoint.
const FORMAT_2: u32 = 2;

/// Encodes "no previous checkpoint" in the signed bytes.
const NO_POSITION: i64 = -1;

/// Maximum size of a checkpoint file in bytes.
pub const MAX_CHECKPOINT_BYTES: usize = 16 * 1024;

/// A signed end of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    pub tenant: TenantId,
    /// Position of the last event; 0 for an empty log.
    pub position: i64,
    /// Hash of the last event, or the genesis.
    pub hash: Hash,
    /// Time of the last event.
    pub recorded_at: DateTime<Utc>,
    /// Time of the signature.
    pub signed_at: DateTime<Utc>,
    /// Merkle root at the position, and the previous checkpoint; `None` in format 1.
    pub tree: Option<SignedTree>,
    /// Name of the signing key.
    pub key: String,
    /// Over all fields above.
    pub signature: [u8; Signature::BYTE_SIZE],
}

/// Fields added by format 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedTree {
    /// Merkle root over the events up to the position.
    pub root: Hash,
    /// `None` for a log's first checkpoint.
    pub previous: Option<Previous>,
}

/// Reference to a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Previous {
    pub position: i64,
    pub digest: Hash,
}

/// Why a checkpoint is invalid.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("not a checkpoint: {0}")]
    Format(String),
    #[error("the checkpoint is signed with the key {0}, which is not among the public keys given")]
    UnknownKey(String),
    /// The content was changed, or signed with another key.
    #[error("the checkpoint's signature does not hold")]
    Signature,
    #[error("the checkpoint is of the tenant {0}")]
    OtherTenant(TenantId),
}

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<StoredPrevious>,
    key: String,
    signature: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StoredPrevious {
    position: i64,
    digest: String,
}

impl SignedCheckpoint {
    /// Signs a log's end: format 2 with a tree, format 1 without.
    #[must_use]
    pub fn sign(
        keys: &SigningKeys,
        tenant: &TenantId,
        end: &verify::LogEnd,
        tree: Option<SignedTree>,
        now: DateTime<Utc>,
    ) -> Self {
        let mut checkpoint = Self {
            tenant: tenant.clone(),
            position: end.position,
            hash: end.hash,
            recorded_at: end.recorded_at,
            signed_at: now.trunc_subsecs(6),
            tree,
            key: keys.current_id().to_owned(),
            signature: [0; Signature::BYTE_SIZE],
        };
        checkpoint.signature = keys.sign(&checkpoint.message());
        checkpoint
    }

    /// The signed bytes.
    fn message(&self) -> Vec<u8> {
        let mut message = if self.tree.is_some() { TAG_2 } else { TAG_1 }.to_vec();
        let field = |message: &mut Vec<u8>, text: &str| {
            message.extend((text.len() as u64).to_be_bytes());
            message.extend(text.as_bytes());
        };
        field(&mut message, self.tenant.as_str());
        message.extend(self.position.to_be_bytes());
        message.extend(self.hash);
        message.extend(self.recorded_at.timestamp_micros().to_be_bytes());
        message.extend(self.signed_at.timestamp_micros().to_be_bytes());
        if let Some(tree) = &self.tree {
            message.extend(tree.root);
            let (position, digest) = tree.previous.map_or((NO_POSITION, Hash::default()), |previous| {
                (previous.position, previous.digest)
            });
            message.extend(position.to_be_bytes());
            message.extend(digest);
        }
        field(&mut message, &self.key);
        message
    }

    /// SHA-256 of the signed bytes and the signature: referenced by the next checkpoint and signed by witnesses.
    #[must_use]
    pub fn digest(&self) -> Hash {
        let sha = Sha256::new().chain_update(self.message());
        sha.chain_update(self.signature).finalize().into()
    }

    /// Whether it names no predecessor.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.tree.is_none_or(|tree| tree.previous.is_none())
    }

    /// 1 without a root, 2 with one.
    #[must_use]
    pub const fn format(&self) -> u32 {
        if self.tree.is_some() { FORMAT_2 } else { FORMAT_1 }
    }

    #[must_use]
    pub fn root(&self) -> Option<Hash> {
        self.tree.map(|tree| tree.root)
    }

    /// Whether both sign the same end: position, hash, and root when both have one.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        (&self.tenant, self.position, self.hash) == (&other.tenant, other.position, other.hash)
            && self
                .root()
                .zip(other.root())
                .is_none_or(|(one, another)| one == another)
    }

    /// Verifies the signature with public keys obtained independently.
    ///
    /// # Errors
    /// An unknown key, or an invalid signature.
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

    /// JSON text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
        let stored = Stored {
            caudal: KIND.to_owned(),
            format: self.format(),
            tenant: self.tenant.clone(),
            position: self.position,
            hash: chain::to_hex(&self.hash),
            recorded_at: time(self.recorded_at),
            signed_at: time(self.signed_at),
            root: self.root().map(|root| chain::to_hex(&root)),
            previous: self.tree.and_then(|tree| tree.previous).map(|previous| StoredPrevious {
                position: previous.position,
                digest: chain::to_hex(&previous.digest),
            }),
            key: self.key.clone(),
            signature: BASE64.encode(self.signature),
        };
        serde_json::to_string_pretty(&stored)
    }

    /// Parses the output of [`Self::to_json`] without verifying the signature.
    ///
    /// # Errors
    /// When malformed.
    pub fn from_json(text: &str) -> Result<Self, CheckpointError> {
        let wrong = |what: &str| CheckpointError::Format(what.to_owned());
        if text.len() > MAX_CHECKPOINT_BYTES {
            return Err(wrong("too long"));
        }
        let stored: Stored = serde_json::from_str(text).map_err(|error| CheckpointError::Format(error.to_string()))?;
        if stored.caudal != KIND {
            return Err(wrong("of another kind"));
        }
        let hash = |text: &str| chain::from_hex(text).ok_or_else(|| wrong("a hash that is none"));
        let tree = match (stored.format, &stored.root, &stored.previous) {
            (FORMAT_1, None, None) => None,
            (FORMAT_2, Some(root), previous) => {
                let previous = previous.as_ref().map(|previous| {
                    Ok::<_, CheckpointError>(Previous {
                        position: previous.position,
                        digest: hash(&previous.digest)?,
                    })
                });
                Some(SignedTree {
                    root: hash(root)?,
                    previous: previous.transpose()?,
                })
            }
            _ => return Err(wrong("of another format")),
        };
        let time = |text: &str| {
            DateTime::parse_from_rfc3339(text)
                .map(|at| at.with_timezone(&Utc))
                .map_err(|_| wrong("a time that is none"))
        };
        let signature = BASE64.decode(&stored.signature).ok();
        Ok(Self {
            recorded_at: time(&stored.recorded_at)?,
            signed_at: time(&stored.signed_at)?,
            hash: hash(&stored.hash)?,
            tree,
            signature: signature
                .and_then(|bytes| bytes.try_into().ok())
                .ok_or_else(|| wrong("a signature that is none"))?,
            tenant: stored.tenant,
            position: stored.position,
            key: stored.key,
        })
    }

    /// File name; sorts by position.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{:012}.checkpoint.json", self.tenant, self.position)
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

    fn tree() -> Option<SignedTree> {
        let previous = Previous {
            position: 3,
            digest: chain::genesis("before"),
        };
        Some(SignedTree {
            root: chain::genesis("root"),
            previous: Some(previous),
        })
    }

    fn tenant() -> TenantId {
        "worked".parse().unwrap()
    }

    #[test]
    fn checkpoints_round_trip_and_verify_under_their_key_only() {
        let keys = SigningKeys::generate(Utc::now()).unwrap();
        let first = tree().map(|tree| SignedTree { previous: None, ..tree });
        for tree in [None, first, tree()] {
            let signed = SignedCheckpoint::sign(&keys, &tenant(), &end(), tree, Utc::now());
            let read = SignedCheckpoint::from_json(&signed.to_json().unwrap()).unwrap();
            assert_eq!(read, signed);
            assert_eq!(read.digest(), signed.digest());
            read.check(&tenant(), &keys.public()).unwrap();
        }
        let read = SignedCheckpoint::sign(&keys, &tenant(), &end(), tree(), Utc::now());
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
        let signed = SignedCheckpoint::sign(&keys, &tenant(), &end(), tree(), Utc::now());
        let mut edits = vec![signed.clone(); 10];
        edits[0].position = 8;
        edits[1].hash[0] ^= 1;
        edits[2].recorded_at += chrono::TimeDelta::microseconds(1);
        edits[3].signed_at += chrono::TimeDelta::microseconds(1);
        edits[4].signature[0] ^= 1;
        // Reinterpreted as format 1, with another root, without a predecessor, with another predecessor.
        edits[5].tree = None;
        edits[6].tree.as_mut().unwrap().root[0] ^= 1;
        edits[7].tree.as_mut().unwrap().previous = None;
        edits[8].tree.as_mut().unwrap().previous.as_mut().unwrap().position = 2;
        edits[9].tree.as_mut().unwrap().previous.as_mut().unwrap().digest[0] ^= 1;
        for edit in edits {
            assert_ne!(edit.digest(), signed.digest());
            let checked = edit.check(&tenant(), &keys.public());
            assert!(matches!(checked, Err(CheckpointError::Signature)), "{edit:?}");
        }
    }

    #[test]
    fn a_file_whose_fields_are_not_those_of_its_format_is_refused() {
        let keys = SigningKeys::generate(Utc::now()).unwrap();
        let signed = |tree| {
            let signed = SignedCheckpoint::sign(&keys, &tenant(), &end(), tree, Utc::now());
            signed.to_json().unwrap()
        };
        for text in [
            signed(None).replace("\"format\": 1", "\"format\": 2"),
            signed(tree()).replace("\"format\": 2", "\"format\": 1"),
            signed(tree()).replace("\"format\": 2", "\"format\": 3"),
            signed(tree()).replace("\"root\"", "\"stem\""),
        ] {
            assert!(
                matches!(SignedCheckpoint::from_json(&text), Err(CheckpointError::Format(_))),
                "{text}"
            );
        }
    }

    /// The vectors are in docs/chain-format.md.
    #[test]
    fn the_documented_signatures_hold() {
        let keys = SigningKeys::of_seed([7; 32], Utc::now());
        let at = DateTime::from_timestamp_micros(1_751_328_060_000_000).unwrap();
        let first = SignedCheckpoint::sign(&keys, &tenant(), &end(), None, at);
        let tree = SignedTree {
            root: crate::proof::merkle::empty_root(),
            previous: Some(Previous {
                position: first.position,
                digest: first.digest(),
            }),
        };
        let second = SignedCheckpoint::sign(&keys, &tenant(), &end(), Some(tree), at);
        let cosigned = Cosignature::sign(&SigningKeys::of_seed([8; 32], Utc::now()), &second, at);
        let page = include_str!("../../../../docs/chain-format.md");
        for text in [
            BASE64.encode(keys.public().keys()[0].key),
            BASE64.encode(first.signature),
            chain::to_hex(&first.digest()),
            BASE64.encode(second.signature),
            BASE64.encode(cosigned.public_key),
            BASE64.encode(cosigned.signature),
        ] {
            assert!(page.contains(&text), "{text}");
        }
    }
}
