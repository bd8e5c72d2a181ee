//! Assigning several remittances to one dealer: each is a command of its own, and answers for itself.

use crate::{
    extract::{JsonBody, Language},
    input::remittance::BulkAssignInput,
    preview::{PreviewView, Warning},
    problem::{ApiError, Problem},
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, put};
use caudal_domain::{Command, remittance::RemittanceCommand};
use futures::future::join_all;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What came of one remittance of a bulk assignment.
#[derive(Debug, Serialize, ToSchema)]
struct BulkAssignRow {
    /// The remittance.
    id: Uuid,
    /// Whether it was assigned.
    ok: bool,
    /// Why not.
    problem: Option<Problem>,
    /// What deserves a look although it was.
    warnings: Vec<Warning>,
    /// What it would do, where a preview was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    preview: Option<PreviewView>,
}

/// Row by row, in the order asked.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BulkAssignResult {
    /// One row a remittance.
    results: Vec<BulkAssignRow>,
}

/// Assign several to a dealer, or to one of its delivery men. Each is assigned or refused on its own.
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
    // Those refused are decided again when the request is repeated.
    submit.answers_by_record();
    // All at once: they share the lane's batches, and so its commits.
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
