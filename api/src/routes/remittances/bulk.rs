//! Bulk assignment to one dealer: each remittance is a command with its own outcome.

use crate::{
    extract::{JsonBody, Language},
    figures::{PreviewView, Warning},
    input::remittance::BulkAssignInput,
    problem::{ApiError, Problem},
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, put};
use caudal_domain::{Command, remittance::RemittanceCommand};
use futures::future::join_all;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Outcome for one remittance of a bulk assignment.
#[derive(Debug, Serialize, ToSchema)]
struct BulkAssignRow {
    /// Id of the remittance.
    id: Uuid,
    /// Whether it was assigned.
    ok: bool,
    /// Refusal; null when assigned.
    problem: Option<Problem>,
    /// Warnings; the remittance was assigned.
    warnings: Vec<Warning>,
    /// Preview of the assignment, when requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    preview: Option<PreviewView>,
}

/// Outcomes in the order of the request.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BulkAssignResult {
    /// One element per remittance.
    results: Vec<BulkAssignRow>,
}

/// Assign several remittances to a dealer, or to one of its delivery men. Each is assigned or refused individually.
#[utoipa::path(tag = "Remittances", operation_id = "assignDealerInBulk", request_body = BulkAssignInput,
    responses((status = 200, description = "Row by row.", body = BulkAssignResult)))]
#[put("/api/remittances/assign/dealer")]
pub(super) async fn assign_dealer_in_bulk(
    submit: Submit,
    request: HttpRequest,
    body: JsonBody<BulkAssignInput>,
) -> Result<HttpResponse, ApiError> {
    let language = Language::of(&request);
    let (ids, assign) = body.into_inner().commands()?;
    // Refused ones are decided again when the request is repeated.
    submit.answers_by_record();
    // Concurrent, so that they share batches and commits.
    let results = join_all(ids.into_iter().map(async |id| {
        let command = Command::Remittance(id, RemittanceCommand::Assign(assign));
        match submit.run_part(id, command).await {
            Ok(done) => BulkAssignRow {
                id: id.0,
                ok: true,
                problem: None,
                warnings: Warning::all(done.answer.warnings, language),
                preview: None,
            },
            Err(error) => BulkAssignRow {
                id: id.0,
                ok: error.preview().is_some(),
                problem: error.preview().is_none().then(|| error.problem(language)),
                warnings: Vec::new(),
                preview: error.preview().cloned(),
            },
        }
    }))
    .await;
    Ok(HttpResponse::Ok().json(BulkAssignResult { results }))
}
