//! Protocol between nodes and witnesses, as JSON (docs/audit.md).

use caudal_journal::{Cosignature, Hash, SignedCheckpoint, to_hex};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Path for posting checkpoints.
pub const CHECKPOINTS: &str = "/v1/checkpoints";

/// Maximum request: a checkpoint and a proof of at most 64 hashes.
pub const MAX_REQUEST_BYTES: usize = 32 * 1024;
/// Maximum answer: a checkpoint and a cosignature.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Length of the longest consistency proof, between logs of 2^62 events.
pub const MAX_PROOF: usize = 64;

/// A checkpoint to cosign.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// Contents of the checkpoint's file.
    pub checkpoint: Value,
    /// Position last cosigned by the witness for this log, as far as the sender knows.
    pub from: Option<i64>,
    /// Consistency proof from there: hashes in hexadecimal.
    pub proof: Vec<String>,
}

impl Request {
    /// First request to a witness whose state is unknown.
    pub fn first(checkpoint: &SignedCheckpoint) -> serde_json::Result<Self> {
        Ok(Self {
            checkpoint: serde_json::from_str(&checkpoint.to_json()?)?,
            from: None,
            proof: Vec::new(),
        })
    }

    /// Request to a witness that has cosigned the log up to `from`.
    pub fn after(checkpoint: &SignedCheckpoint, from: i64, proof: &[Hash]) -> serde_json::Result<Self> {
        Ok(Self {
            from: Some(from),
            proof: proof.iter().map(to_hex).collect(),
            ..Self::first(checkpoint)?
        })
    }
}

/// The witness cosigned.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    pub cosignature: Cosignature,
}

/// The witness refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// Code: `unreadable`, `untrusted`, `no_root`, `stale`, `conflict`, `rollback`, `inconsistent`, `too_many_logs`,
    /// `failed`.
    pub code: String,
    /// The checkpoint last cosigned for this log.
    pub last: Option<Value>,
}
