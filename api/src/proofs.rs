//! Proof files: show, with the public keys only, that an event is in a signed log.

use crate::{app::App, checkpoints::StoredCheckpoint, problem::ApiError};
use caudal_domain::ids::TenantId;
use caudal_journal::{Consistency, Cosignature, SignedCheckpoint, StoredEvent, is_included, to_hex};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Minimum age of the last checkpoint before a seller's request signs again: each signing adds a permanent row.
const SELLERS_SIGN_AFTER: TimeDelta = TimeDelta::minutes(5);

/// Requester of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// Signs the log if it was not signed since the event.
    Manager,
    /// Signs the log at most every few minutes.
    Seller,
}

/// Reference to the previous checkpoint.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviousCheckpoint {
    /// Position that it signs.
    position: i64,
    /// SHA-256 of its signed bytes and signature: 64 hexadecimal digits.
    digest: String,
}

/// A signed end of a log.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SignedCheckpoint)]
pub struct CheckpointView {
    /// Type of the file: `checkpoint`.
    #[schema(examples("checkpoint"))]
    caudal: String,
    /// Format: 2, or 1 of older versions.
    #[schema(examples(2))]
    format: u32,
    /// Tenant id of the log.
    tenant: String,
    /// Position of the last event.
    position: i64,
    /// Hash of the last event: 64 hexadecimal digits.
    hash: String,
    /// Time of the last event, RFC 3339 in UTC.
    recorded_at: String,
    /// Time of the signature, RFC 3339 in UTC.
    signed_at: String,
    /// Merkle root over the events up to the position: 64 hexadecimal digits; null in format 1.
    #[serde(default)]
    root: Option<String>,
    /// Previous checkpoint; null for a log's first, and in format 1.
    #[serde(default)]
    previous: Option<PreviousCheckpoint>,
    /// Name of the signing key.
    key: String,
    /// Ed25519 signature, in Base64.
    signature: String,
}

impl CheckpointView {
    /// API form of a checkpoint.
    pub fn new(checkpoint: &SignedCheckpoint) -> Result<Self, ApiError> {
        let text = checkpoint.to_json().map_err(ApiError::internal)?;
        serde_json::from_str(&text).map_err(ApiError::internal)
    }
}

/// A witness's signature under a checkpoint.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WitnessCosignature {
    /// Name of the witness's key.
    witness: String,
    /// Public key of the witness, in Base64. Trust it only if received from the witness.
    public_key: String,
    /// Time of the cosignature, RFC 3339 in UTC.
    cosigned_at: String,
    /// Ed25519 signature, in Base64.
    signature: String,
}

/// API form of cosignatures.
pub fn shown(cosignatures: &[Cosignature]) -> Result<Vec<WitnessCosignature>, ApiError> {
    let value = serde_json::to_value(cosignatures).map_err(ApiError::internal)?;
    serde_json::from_value(value).map_err(ApiError::internal)
}

/// Hashed fields of an event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HashedEvent {
    /// Position in the log, from 1.
    position: i64,
    /// Kind of the record.
    #[schema(examples("remittance"))]
    aggregate_type: String,
    /// Id of the record.
    aggregate_id: String,
    /// Sequence number among the record's events, from 1.
    sequence: i64,
    /// Event type, such as `RemittanceCreated`.
    #[schema(examples("RemittanceCreated"))]
    event_type: String,
    /// Version of the event type.
    event_version: String,
    /// Time of recording, in microseconds since 1970-01-01T00:00:00Z.
    recorded_at: i64,
    /// Actor, role and request: the hashed JSON text.
    metadata: String,
    /// Payload: the hashed JSON text, with personal data encrypted.
    payload: String,
    /// Hash of the event: 64 hexadecimal digits.
    hash: String,
}

/// Proof that an event is in a signed log; verifiable without the log by `scripts/verify_receipt.py`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofFile {
    /// Type of the file: `proof`.
    #[schema(examples("proof"))]
    caudal: String,
    /// Format: 1.
    format: u32,
    /// Tenant id of the log.
    tenant: String,
    /// Hash of the preceding event: 64 hexadecimal digits.
    previous_hash: String,
    /// The event.
    event: HashedEvent,
    /// Inclusion proof (RFC 6962) under the checkpoint's root: hashes in hexadecimal, from the leaf up.
    inclusion: Vec<String>,
    /// Checkpoint with the signed root.
    checkpoint: CheckpointView,
    /// Cosignatures of witnesses.
    cosignatures: Vec<WitnessCosignature>,
}

/// A Merkle root of the log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogRoot {
    /// Position up to which it covers events.
    position: i64,
    /// Root: 64 hexadecimal digits.
    root: String,
    /// Checkpoint that signs it; null when none of this position is stored.
    checkpoint: Option<CheckpointView>,
}

/// Proof that the log at one position extends the log at another; verifiable without the log by
/// `scripts/verify_receipt.py` when both roots are signed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyFile {
    /// Type of the file: `consistency`.
    #[schema(examples("consistency"))]
    caudal: String,
    /// Format: 1.
    format: u32,
    /// Tenant id of the log.
    tenant: String,
    /// Earlier root.
    from: LogRoot,
    /// Later root.
    to: LogRoot,
    /// Consistency proof (RFC 6962): hashes in hexadecimal.
    proof: Vec<String>,
}

fn hexadecimal(hashes: &[[u8; 32]]) -> Vec<String> {
    hashes.iter().map(to_hex).collect()
}

/// Proof file of an event.
///
/// # Errors
/// 404 for a missing event, 409 when the log contradicts a checkpoint or was not signed since.
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
        checkpoint: CheckpointView::new(checkpoint)?,
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

/// First checkpoint with a root that covers a position, preferring most cosignatures; signs the log if there is none.
async fn covering(app: &App, tenant: &TenantId, position: i64, asker: Asker) -> Result<StoredCheckpoint, ApiError> {
    let kept = app.checkpoints.kept(tenant).await?;
    let last_signed = kept.iter().map(|kept| kept.checkpoint.signed_at).max();
    let covers = |kept: &StoredCheckpoint| {
        kept.is_sound() && kept.checkpoint.root().is_some() && kept.checkpoint.position >= position
    };
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
    Ok(StoredCheckpoint::new(app.checkpoints.take(tenant).await?))
}

/// Consistency file of two positions within the log, the first not after the second.
///
/// # Errors
/// When the database or the keys fail.
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
        let checkpoint = signed.map(|kept| CheckpointView::new(&kept.checkpoint)).transpose()?;
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
