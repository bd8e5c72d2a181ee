//! Whether the log is what it was: its verification, and signed checkpoints with the keys that verify them.

use crate::{
    app::App,
    checkpoints::{CheckpointFailure, CheckpointStatus, StoredCheckpoint},
    extract::Caller,
    problem::ApiError,
    proofs::{self, CheckpointView, WitnessCosignature},
    verifications::{self, VerificationError, VerificationRun},
};
use actix_web::{HttpResponse, get, post, web::Data};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A stored checkpoint with its comparison.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptCheckpoint {
    /// The checkpoint.
    checkpoint: CheckpointView,
    /// Result of comparing it with the current log.
    standing: CheckpointStatus,
    /// Cosignatures of witnesses.
    cosignatures: Vec<WitnessCosignature>,
    /// Suggested file name.
    #[schema(examples("acme-000000012345.checkpoint.json"))]
    file_name: String,
}

impl KeptCheckpoint {
    fn new(kept: &StoredCheckpoint) -> Result<Self, ApiError> {
        Ok(Self {
            checkpoint: CheckpointView::new(&kept.checkpoint)?,
            standing: kept.standing,
            cosignatures: proofs::shown(&kept.cosignatures)?,
            file_name: kept.checkpoint.file_name(),
        })
    }
}

/// Stored checkpoints.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptCheckpoints {
    /// Last one first.
    checkpoints: Vec<KeptCheckpoint>,
}

/// A public key for verifying checkpoints.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckpointKey {
    /// Name of the key.
    id: String,
    /// Public key, in Base64.
    public_key: String,
    /// Time of its first use, RFC 3339 in UTC.
    since: String,
    /// Time of its retirement; null for the current key.
    until: Option<String>,
}

/// Public keys for verifying checkpoints.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckpointKeys {
    /// Current key last.
    keys: Vec<CheckpointKey>,
}

impl From<VerificationError> for ApiError {
    fn from(error: VerificationError) -> Self {
        match error {
            VerificationError::Database(error) => error.into(),
            VerificationError::Begin(error) => error.into(),
            error @ VerificationError::Json(_) => Self::internal(error),
        }
    }
}

impl From<CheckpointFailure> for ApiError {
    fn from(failure: CheckpointFailure) -> Self {
        match failure {
            CheckpointFailure::Journal(error) => error.into(),
            CheckpointFailure::Database(error) => error.into(),
            CheckpointFailure::Begin(error) => error.into(),
            // Logged as an error where it was found.
            CheckpointFailure::Diverged { .. } => Self::conflict("log_contradicts_checkpoint"),
            failure @ CheckpointFailure::Unreadable { .. } => {
                tracing::error!(error = %failure, "a log's end was not signed");
                Self::unavailable("checkpoints_unreadable")
            }
            CheckpointFailure::Busy(_) => Self::unavailable("busy"),
            failure => Self::internal(failure),
        }
    }
}

/// The running or last verification; null when there was none.
#[utoipa::path(tag = "Audit", operation_id = "getVerification",
    responses((status = 200, description = "It.", body = Option<VerificationRun>)))]
#[get("/api/audit/verification")]
pub(super) async fn get_verification(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(verifications::last(&app, &caller.tenant).await?))
}

/// Start a verification of the chain, the ledger's invariants, and the read models against a replay. Returns the
/// running one if there is any.
#[utoipa::path(tag = "Audit", operation_id = "startVerification",
    responses((status = 202, description = "It has begun.", body = VerificationRun)))]
#[post("/api/audit/verification")]
pub(super) async fn start_verification(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let tenant = caller.tenant.clone();
    Ok(HttpResponse::Accepted().json(verifications::begin(app, tenant, caller.party).await?))
}

/// The current end of the log, signed and stored: keep a copy outside of Caudal. 409 when the log contradicts an
/// earlier checkpoint.
#[utoipa::path(tag = "Audit", operation_id = "getCheckpoint",
    responses((status = 200, description = "It.", body = CheckpointView)))]
#[get("/api/audit/checkpoint")]
pub(super) async fn get_checkpoint(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let checkpoint = app.checkpoints.take(&caller.tenant).await?;
    Ok(HttpResponse::Ok().json(CheckpointView::new(&checkpoint)?))
}

/// Stored checkpoints, each compared with the current log.
#[utoipa::path(tag = "Audit", operation_id = "listCheckpoints",
    responses((status = 200, description = "Them.", body = KeptCheckpoints)))]
#[get("/api/audit/checkpoints")]
pub(super) async fn list_checkpoints(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let kept = app.checkpoints.kept(&caller.tenant).await?;
    let checkpoints = kept.iter().map(KeptCheckpoint::new).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok().json(KeptCheckpoints { checkpoints }))
}

/// Sign and store the current end of the log. Returns the last checkpoint when the log has not grown. 409 when the log
/// contradicts an earlier checkpoint.
#[utoipa::path(tag = "Audit", operation_id = "takeCheckpoint",
    responses((status = 201, description = "It.", body = KeptCheckpoint)))]
#[post("/api/audit/checkpoints")]
pub(super) async fn take_checkpoint(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let kept = StoredCheckpoint::new(app.checkpoints.take(&caller.tenant).await?);
    Ok(HttpResponse::Created().json(KeptCheckpoint::new(&kept)?))
}

/// Public keys for verifying checkpoints.
#[utoipa::path(tag = "Audit", operation_id = "getCheckpointKeys",
    responses((status = 200, description = "Them.", body = CheckpointKeys)))]
#[get("/api/audit/keys")]
pub(super) async fn get_keys(app: Data<App>) -> Result<HttpResponse, ApiError> {
    json_text(app.checkpoints.public_keys().await?.to_json())
}

fn json_text(text: serde_json::Result<String>) -> Result<HttpResponse, ApiError> {
    let text = text.map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().content_type("application/json").body(text))
}
