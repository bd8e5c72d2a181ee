//! Proof files: what shows to anybody who has the public keys, and neither the log nor a server, that an event is in the
//! log whose end was signed.

use crate::{app::App, checkpoints::Kept, problem::ApiError};
use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, Consistency, Cosignature, StoredEvent, is_included, to_hex};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How old the last checkpoint must be before a seller's question has the log signed once more: sellers ask often, and each
/// signing is a row that stays.
const SELLERS_SIGN_AFTER: TimeDelta = TimeDelta::minutes(5);

/// Who wants a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A manager: the log is signed where it was not since the event.
    Manager,
    /// A seller: the log is signed at most every few minutes.
    Seller,
}

/// The checkpoint before a checkpoint.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviousCheckpoint {
    /// The position that it signs.
    position: i64,
    /// The SHA-256 of its signed bytes and its signature, in hexadecimal digits.
    digest: String,
}

/// A log's end, signed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedCheckpoint {
    /// `checkpoint`.
    #[schema(examples("checkpoint"))]
    caudal: String,
    /// The format: 2, or 1 where an older version signed.
    #[schema(examples(2))]
    format: u32,
    /// Whose log.
    tenant: String,
    /// The last event's position.
    position: i64,
    /// Its hash, in hexadecimal digits.
    hash: String,
    /// When it was recorded.
    recorded_at: String,
    /// When this was signed.
    signed_at: String,
    /// The Merkle root over the events up to the position, in hexadecimal digits; null in format 1.
    #[serde(default)]
    root: Option<String>,
    /// The checkpoint signed before this one; null for the first of a log, and in format 1.
    #[serde(default)]
    previous: Option<PreviousCheckpoint>,
    /// The name of the key.
    key: String,
    /// The Ed25519 signature, in Base64.
    signature: String,
}

impl SignedCheckpoint {
    /// A checkpoint as the API shows it.
    pub fn new(checkpoint: &Checkpoint) -> Result<Self, ApiError> {
        let text = checkpoint.to_json().map_err(ApiError::internal)?;
        serde_json::from_str(&text).map_err(ApiError::internal)
    }
}

/// A witness's signature under a checkpoint.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WitnessCosignature {
    /// The name of the witness's key.
    witness: String,
    /// The witness's public key, in Base64. Trust it only where the witness itself says it.
    public_key: String,
    /// When the witness signed.
    cosigned_at: String,
    /// The Ed25519 signature, in Base64.
    signature: String,
}

/// Cosignatures as the API shows them.
pub fn shown(cosignatures: &[Cosignature]) -> Result<Vec<WitnessCosignature>, ApiError> {
    let value = serde_json::to_value(cosignatures).map_err(ApiError::internal)?;
    serde_json::from_value(value).map_err(ApiError::internal)
}

/// An event as it is hashed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HashedEvent {
    /// Its place in the log, from 1.
    position: i64,
    /// The kind of its record.
    #[schema(examples("remittance"))]
    aggregate_type: String,
    /// Its record's id.
    aggregate_id: String,
    /// Its place among the record's events, from 1.
    sequence: i64,
    /// Its type.
    #[schema(examples("RemittanceCreated"))]
    event_type: String,
    /// Its version.
    event_version: String,
    /// When it was recorded, in microseconds since 1970-01-01T00:00:00Z.
    recorded_at: i64,
    /// Who caused it: the text that is hashed.
    metadata: String,
    /// What happened: the text that is hashed. Personal data is encrypted in it.
    payload: String,
    /// Its hash, in hexadecimal digits.
    hash: String,
}

/// Shows, without the log, that an event is in the log whose end was signed. `scripts/verify_receipt.py` checks it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofFile {
    /// `proof`.
    #[schema(examples("proof"))]
    caudal: String,
    /// The format: 1.
    format: u32,
    /// Whose log.
    tenant: String,
    /// The hash before the event's, in hexadecimal digits.
    previous_hash: String,
    /// The event.
    event: HashedEvent,
    /// The inclusion proof (RFC 6962) under the checkpoint's root: hashes in hexadecimal digits, from the leaf up.
    inclusion: Vec<String>,
    /// The signed root.
    checkpoint: SignedCheckpoint,
    /// Who else signed it.
    cosignatures: Vec<WitnessCosignature>,
}

/// A root of the log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogRoot {
    /// Over the events up to this position.
    position: i64,
    /// The root, in hexadecimal digits.
    root: String,
    /// Where it was signed; null where no checkpoint of this position is kept.
    checkpoint: Option<SignedCheckpoint>,
}

/// Shows, without the log, that the log at one position begins with the log at another. `scripts/verify_receipt.py` checks
/// it where both roots were signed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyFile {
    /// `consistency`.
    #[schema(examples("consistency"))]
    caudal: String,
    /// The format: 1.
    format: u32,
    /// Whose log.
    tenant: String,
    /// The earlier root.
    from: LogRoot,
    /// The later root.
    to: LogRoot,
    /// The consistency proof (RFC 6962): hashes in hexadecimal digits.
    proof: Vec<String>,
}

fn hexadecimal(hashes: &[[u8; 32]]) -> Vec<String> {
    hashes.iter().map(to_hex).collect()
}

/// The proof file of an event.
///
/// # Errors
/// 404 where there is no such event, 409 where the log contradicts what was signed or was not signed since.
pub async fn of_event(app: &App, tenant: &TenantId, position: i64, asker: Asker) -> Result<ProofFile, ApiError> {
    let stored = app.journal.stored(tenant, position).await?;
    let (previous, event) = stored.ok_or_else(|| ApiError::not_found("event_not_found"))?;
    let kept = covering(app, tenant, position, asker).await?;
    let checkpoint = &kept.checkpoint;
    let proof = app
        .journal
        .inclusion_proof(tenant, position, checkpoint.position)
        .await?;
    let (Some(hash), Some(recorded_at), Some(root)) = (event.hash, event.recorded_at, checkpoint.root()) else {
        return Err(ApiError::conflict("log_contradicts_checkpoint"));
    };
    let is_shown = event.expected_hash(tenant, &previous) == Some(hash)
        && is_included(&hash, position, checkpoint.position, &proof, &root);
    if !is_shown {
        return Err(ApiError::conflict("log_contradicts_checkpoint"));
    }
    Ok(ProofFile {
        caudal: "proof".to_owned(),
        format: 1,
        tenant: tenant.to_string(),
        previous_hash: to_hex(&previous),
        event: hashed(event, &hash, recorded_at),
        inclusion: hexadecimal(&proof),
        checkpoint: SignedCheckpoint::new(checkpoint)?,
        cosignatures: shown(&kept.cosignatures)?,
    })
}

fn hashed(event: StoredEvent, hash: &[u8; 32], recorded_at: DateTime<Utc>) -> HashedEvent {
    HashedEvent {
        position: event.position,
        aggregate_type: event.aggregate_type,
        aggregate_id: event.aggregate_id,
        sequence: event.sequence,
        event_type: event.event_type,
        event_version: event.event_version,
        recorded_at: recorded_at.timestamp_micros(),
        metadata: event.metadata,
        payload: event.payload,
        hash: to_hex(hash),
    }
}

/// The first checkpoint with a root that covers a position, with the most cosignatures; the log is signed where there is
/// none.
async fn covering(app: &App, tenant: &TenantId, position: i64, asker: Asker) -> Result<Kept, ApiError> {
    let kept = app.checkpoints.kept(tenant).await?;
    let last_signed = kept.iter().map(|kept| kept.checkpoint.signed_at).max();
    let covers =
        |kept: &Kept| kept.is_sound() && kept.checkpoint.root().is_some() && kept.checkpoint.position >= position;
    let first = kept
        .into_iter()
        .filter(covers)
        .min_by_key(|kept| (kept.checkpoint.position, std::cmp::Reverse(kept.cosignatures.len())));
    if let Some(first) = first {
        return Ok(first);
    }
    let is_recent = last_signed.is_some_and(|at| app.now() - at < SELLERS_SIGN_AFTER);
    if asker == Asker::Seller && is_recent {
        return Err(ApiError::conflict("proof_not_yet"));
    }
    Ok(Kept::new(app.checkpoints.take(tenant).await?))
}

/// The consistency file of two positions, the first not after the second, of a log that reaches so far.
///
/// # Errors
/// Where the database or the keys fail.
pub async fn between(app: &App, tenant: &TenantId, from: i64, to: i64) -> Result<ConsistencyFile, ApiError> {
    let Consistency {
        from_root,
        to_root,
        proof,
    } = app.journal.consistency_proof(tenant, from, to).await?;
    let kept = app.checkpoints.kept(tenant).await?;
    let root = |position: i64, root: [u8; 32]| {
        let signed = kept.iter().find(|kept| {
            kept.is_sound() && kept.checkpoint.position == position && kept.checkpoint.root() == Some(root)
        });
        let checkpoint = signed.map(|kept| SignedCheckpoint::new(&kept.checkpoint)).transpose()?;
        Ok::<_, ApiError>(LogRoot {
            position,
            root: to_hex(&root),
            checkpoint,
        })
    };
    Ok(ConsistencyFile {
        caudal: "consistency".to_owned(),
        format: 1,
        tenant: tenant.to_string(),
        from: root(from, from_root)?,
        to: root(to, to_root)?,
        proof: hexadecimal(&proof),
    })
}
