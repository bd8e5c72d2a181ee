//! What nodes and witnesses say to one another, as JSON (docs/audit.md).

use caudal_journal::{Checkpoint, Cosignature, Hash, to_hex};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where checkpoints are posted.
pub const CHECKPOINTS: &str = "/v1/checkpoints";

/// The largest request: a checkpoint and a proof of at most 64 hashes.
pub const MAX_REQUEST_BYTES: usize = 32 * 1024;
/// The largest answer: a checkpoint and a cosignature.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The longest consistency proof between logs of 2^62 events.
pub const MAX_PROOF: usize = 64;

/// A checkpoint to co-sign.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// The checkpoint's file.
    pub checkpoint: Value,
    /// The position of the checkpoint that the witness co-signed last for this log, as far as the sender knows.
    pub from: Option<i64>,
    /// The consistency proof from there: hashes in hexadecimal digits.
    pub proof: Vec<String>,
}

impl Request {
    /// Asks a witness that has not said what it has seen.
    ///
    /// # Errors
    /// Where the checkpoint can't be written as JSON.
    pub fn first(checkpoint: &Checkpoint) -> serde_json::Result<Self> {
        Ok(Self {
            checkpoint: serde_json::from_str(&checkpoint.to_json()?)?,
            from: None,
            proof: Vec::new(),
        })
    }

    /// Asks a witness that has co-signed the log up to `from`.
    ///
    /// # Errors
    /// Where the checkpoint can't be written as JSON.
    pub fn after(checkpoint: &Checkpoint, from: i64, proof: &[Hash]) -> serde_json::Result<Self> {
        Ok(Self {
            from: Some(from),
            proof: proof.iter().map(to_hex).collect(),
            ..Self::first(checkpoint)?
        })
    }
}

/// The witness has co-signed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// Its signature.
    pub cosignature: Cosignature,
}

/// The witness has not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// Why: `unreadable`, `untrusted`, `no_root`, `stale`, `conflict`, `rollback`, `inconsistent`, `too_many_logs`,
    /// `failed`.
    pub code: String,
    /// The checkpoint that it co-signed last for this log.
    pub last: Option<Value>,
}
