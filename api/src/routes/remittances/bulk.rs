//! Assigning several remittances to one dealer: each is a command of its own, and answers for itself.

use crate::{
    catalogue,
    extract::{JsonBody, Language},
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

/// Something allowed that deserves a look.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Warning {
    /// Stable.
    code: String,
    /// In the caller's language.
    detail: String,
}

impl Warning {
    /// The warnings of an answer, in a language.
    pub(super) fn all(codes: Vec<String>, language: Language) -> Vec<Self> {
        let told = |code: String| Self {
            detail: catalogue::text(&code, language, &Default::default()),
            code,
        };
        codes.into_iter().map(told).collect()
    }
}

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
}

/// Row by row, in the order asked.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BulkAssignResult {
    /// One row a remittance.
    results: Vec<BulkAssignRow>,
}

/// Assign several to a dealer. Each is assigned or refused on its own.
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
    // All at once: they share the lane's batches, and so its commits.
    let results = join_all(ids.into_iter().map(async |id| {
        let command = Command::Remittance(id, RemittanceCommand::Assign(assign));
        match submit.run_part(id, command).await {
            Ok(done) => BulkAssignRow {
                id: id.0,
                ok: true,
                problem: None,
                warnings: Warning::all(done.answer.warnings, language),
            },
            Err(error) => BulkAssignRow {
                id: id.0,
                ok: false,
                problem: Some(error.problem(language)),
                warnings: Vec::new(),
            },
        }
    }))
    .await;
    Ok(HttpResponse::Ok().json(BulkAssignResult { results }))
}
