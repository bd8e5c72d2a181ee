//! Proofs verifiable without the log: of an event, of a remittance's sale, of two roots; and continuous verification.

use crate::{
    app::App,
    continuous::ContinuousVerification,
    extract::{Caller, Filters, PathId, Reading},
    problem::ApiError,
    proofs::{self, Asker, ConsistencyFile, ProofFile},
    registry::Registry,
};
use actix_web::{
    HttpResponse, get,
    web::{Data, Path},
};
use caudal_domain::{FieldError, StreamId, StreamKind, ids::RemittanceId, party::Role};
use caudal_projections::remittance;
use serde::Deserialize;
use utoipa::IntoParams;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_proof)
        .service(get_remittance_proof)
        .service(get_consistency)
        .service(get_continuous);
}

/// Two positions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Between {
    /// Earlier position; 0 is the empty log.
    #[param(minimum = 0)]
    from: i64,
    /// Later position.
    #[param(minimum = 0)]
    to: i64,
}

/// Proof of an event: hashed fields, preceding hash, inclusion proof and signed root. Signs the log if it was not
/// signed since the event.
#[utoipa::path(tag = "Audit", operation_id = "getProof", params(("position" = i64, Path)),
    responses((status = 200, description = "The proof file.", body = ProofFile)))]
#[get("/api/audit/proof/{position}")]
async fn get_proof(app: Data<App>, caller: Caller, position: Path<String>) -> Result<HttpResponse, ApiError> {
    let position = position.parse().ok().filter(|position| *position > 0);
    let position = position.ok_or_else(|| ApiError::not_found("event_not_found"))?;
    let proof = proofs::of_event(&app, &caller.tenant, position, Asker::Manager).await?;
    Ok(HttpResponse::Ok().json(proof))
}

/// Proof of a remittance's sale, the event on its receipt; verifiable without Caudal. 409 when the log was signed
/// minutes ago, but before the sale.
#[utoipa::path(tag = "Documents", operation_id = "getRemittanceProof", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The proof file.", body = ProofFile)))]
#[get("/api/remittances/{id}/proof")]
async fn get_remittance_proof(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    // In the caller's scope, or not found.
    remittance::get(&mut transaction, &scope, RemittanceId(id.0)).await?;
    drop(transaction);
    let (app, tenant) = (&reading.app, &reading.caller.tenant);
    let stream = StreamId::new(StreamKind::Remittance, id.0);
    let sale = app.journal.stream_events(tenant, stream, 0, 1).await?;
    let sale = sale
        .first()
        .ok_or_else(|| ApiError::not_found("remittance_not_found"))?;
    let asker = match reading.caller.role {
        Role::Manager => Asker::Manager,
        _ => Asker::Seller,
    };
    Ok(HttpResponse::Ok().json(proofs::of_event(app, tenant, sale.position, asker).await?))
}

/// Two roots of the log with the proof that the later log extends the earlier one.
#[utoipa::path(tag = "Audit", operation_id = "getConsistency", params(Between),
    responses((status = 200, description = "The consistency file.", body = ConsistencyFile)))]
#[get("/api/audit/consistency")]
async fn get_consistency(
    app: Data<App>,
    caller: Caller,
    Filters(between): Filters<Between>,
) -> Result<HttpResponse, ApiError> {
    let Between { from, to } = between;
    let head = app.journal.head(&caller.tenant).await?.position;
    let outside = |field: &'static str, max: i64| {
        ApiError::all_invalid(vec![FieldError {
            field: field.into(),
            code: "position_out_of_range",
            params: [("min", "0".to_owned()), ("max", max.to_string())].into(),
        }])
    };
    if !(0..=head).contains(&to) {
        return Err(outside("to", head));
    }
    if !(0..=to).contains(&from) {
        return Err(outside("from", to));
    }
    Ok(HttpResponse::Ok().json(proofs::between(&app, &caller.tenant, from, to).await?))
}

/// State of this node's continuous verification of the log; null before its first step since the node started.
#[utoipa::path(tag = "Audit", operation_id = "getContinuousVerification",
    responses((status = 200, description = "What is known.", body = Option<ContinuousVerification>)))]
#[get("/api/audit/continuous")]
async fn get_continuous(app: Data<App>, caller: Caller) -> HttpResponse {
    HttpResponse::Ok().json(app.continuous.of(&caller.tenant))
}
