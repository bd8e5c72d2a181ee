//! Bulk assignment to one dealer: each remittance is a command with its own outcome.

use crate::{
    extract::{JsonBody, Language},
    figures::{PreviewView, Warning},
    input::remittance::BulkAssignInput,
    problem::{ApiError, Problem},
    submit::{Done, Submit},
};
use actix_web::{HttpRequest, HttpResponse, put};
use caudal_domain::{
    Command,
    ids::RemittanceId,
    remittance::{AssignDealer, RemittanceCommand},
};
use futures::future::join_all;
use serde::Serialize;
use std::collections::HashMap;
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
    responses((status = 200, description = "The result of each remittance.", body = BulkAssignResult)))]
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
    let mut outcomes = first_assigned(&submit, &ids, assign).await?;
    // Concurrent, so that they share batches and commits.
    let left = ids.iter().copied().filter(|id| !outcomes.contains_key(id));
    let left = left.map(async |id| (id, submit.run_part(id, assignment(id, assign)).await));
    let left = join_all(left).await;
    outcomes.extend(left);
    let rows = ids.into_iter().filter_map(|id| Some((id, outcomes.remove(&id)?)));
    let results = rows.map(|(id, outcome)| BulkAssignRow::of(id, outcome, language));
    Ok(HttpResponse::Ok().json(BulkAssignResult {
        results: results.collect(),
    }))
}

fn assignment(id: RemittanceId, assign: AssignDealer) -> Command {
    Command::Remittance(id, RemittanceCommand::Assign(assign))
}

/// Tries the remittances in their order, up to the first that is assigned: its record has the request's own idempotency key, those
/// of the others have keys of parts. So the key of another request refuses this one before anything of it is done, and a key of
/// which nothing was assigned stays unused. Returns what was tried; nothing without a key, and for a preview.
async fn first_assigned(
    submit: &Submit,
    ids: &[RemittanceId],
    assign: AssignDealer,
) -> Result<HashMap<RemittanceId, Result<Done, ApiError>>, ApiError> {
    let mut outcomes = HashMap::new();
    if submit.previews() || !submit.has_key() {
        return Ok(outcomes);
    }
    for id in ids {
        match submit.run(assignment(*id, assign)).await {
            Err(error) if error.is_key_reused() => return Err(error),
            Err(error) => {
                outcomes.insert(*id, Err(error));
            }
            // Of a repeated request it is the one that was assigned first then, which may be a later one than this.
            Ok(done) => {
                outcomes.insert(RemittanceId(done.answer.id), Ok(done));
                break;
            }
        }
    }
    Ok(outcomes)
}

impl BulkAssignRow {
    fn of(id: RemittanceId, outcome: Result<Done, ApiError>, language: Language) -> Self {
        match outcome {
            Ok(done) => Self {
                id: id.0,
                ok: true,
                problem: None,
                warnings: Warning::all(done.answer.warnings, language),
                preview: None,
            },
            Err(error) => Self {
                id: id.0,
                ok: error.preview().is_some(),
                problem: error.preview().is_none().then(|| error.problem(language)),
                warnings: Vec::new(),
                preview: error.preview().cloned(),
            },
        }
    }
}
