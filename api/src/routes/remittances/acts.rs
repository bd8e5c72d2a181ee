//! What is done to a remittance on its way: assigned, marked as error, canceled, completed.

use super::bulk::Warning;
use crate::{
    extract::{JsonBody, Language, PathId},
    files::Owner,
    input::remittance::{AssignDealerInput, ReasonInput},
    multipart::Form,
    problem::ApiError,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, post, put, web::Bytes};
use caudal_domain::{
    Command,
    ids::RemittanceId,
    remittance::{CompleteRemittance, RemittanceCommand, Status},
};
use caudal_projections::remittance::{self, Remittance};
use serde::Serialize;
use utoipa::ToSchema;

/// A remittance after an act, with what deserves a look although it was done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangedRemittance)]
struct Acted {
    #[serde(flatten)]
    remittance: Remittance,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// Assign to a dealer, or to one of its delivery men.
#[utoipa::path(tag = "Remittances", operation_id = "assignDealer", request_body = AssignDealerInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Assigned.", body = Acted)))]
#[put("/api/remittances/{id}/assign/dealer")]
pub(super) async fn assign_dealer(
    submit: Submit,
    request: HttpRequest,
    id: PathId,
    body: JsonBody<AssignDealerInput>,
) -> Result<HttpResponse, ApiError> {
    let command = RemittanceCommand::Assign(body.into_inner().command()?);
    act(&submit, &request, id, command).await
}

/// Mark as error, with the reason.
#[utoipa::path(tag = "Remittances", operation_id = "markRemittanceError", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Marked.", body = Remittance)))]
#[put("/api/remittances/{id}/error")]
pub(super) async fn mark_error(
    submit: Submit,
    request: HttpRequest,
    id: PathId,
    body: JsonBody<ReasonInput>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    act(&submit, &request, id, RemittanceCommand::MarkError { reason }).await
}

/// Cancel, with the reason: the sale is undone at the amounts that it was made at.
#[utoipa::path(tag = "Remittances", operation_id = "cancelRemittance", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Canceled.", body = Remittance)))]
#[post("/api/remittances/{id}/cancel")]
pub(super) async fn cancel(
    submit: Submit,
    request: HttpRequest,
    id: PathId,
    body: JsonBody<ReasonInput>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    act(&submit, &request, id, RemittanceCommand::Cancel { reason }).await
}

/// Proof of a delivery: JPEG, PNG or WebP, at most 5 MB each. firmPicture is optional for a card transfer.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only describes the document's schema")]
#[schema(rename_all = "camelCase")]
struct CompleteInput {
    /// Photograph of the identification, or the transfer's proof.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    identification_document: Vec<u8>,
    /// The recipient's signature.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream", required = false)]
    firm_picture: Vec<u8>,
    /// Whether the recipient's authorised representative took it: true or false.
    #[schema(value_type = String, required = false, pattern = "^(true|false)$")]
    to_representative: String,
}

/// Complete with the proof of delivery.
#[utoipa::path(tag = "Remittances", operation_id = "completeRemittance",
    request_body(content = CompleteInput, content_type = "multipart/form-data"),
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Completed.", body = Remittance)))]
#[post("/api/remittances/{id}/complete")]
pub(super) async fn complete(
    submit: Submit,
    request: HttpRequest,
    id: PathId,
    mut form: Form,
) -> Result<HttpResponse, ApiError> {
    form.has_only(&["identificationDocument", "firmPicture", "toRepresentative"])?;
    let to_representative = match form.take("toRepresentative").as_deref() {
        None | Some(b"false") => false,
        Some(b"true") => true,
        Some(_) => return Err(ApiError::invalid("toRepresentative", "boolean_expected")),
    };
    let (identification, signature) = (form.take("identificationDocument"), form.take("firmPicture"));
    let (mut snapshot, scope) = submit.read_now().await?;
    let status = remittance::get(&mut snapshot, &scope, RemittanceId(id.0)).await?.status;
    drop(snapshot);
    // Images of what can't be completed are not kept; the decision says why it can't.
    let (identification, signature) = if status == Status::Shipping.into() {
        (
            keep(&submit, id, "identificationDocument", identification).await?,
            keep(&submit, id, "firmPicture", signature).await?,
        )
    } else {
        (None, None)
    };
    let complete = CompleteRemittance {
        identification,
        signature,
        to_representative,
    };
    act(&submit, &request, id, RemittanceCommand::Complete(complete)).await
}

/// Keeps an image that proves a delivery; its hash names it.
async fn keep(
    submit: &Submit,
    id: PathId,
    field: &'static str,
    content: Option<Bytes>,
) -> Result<Option<String>, ApiError> {
    let Some(content) = content else { return Ok(None) };
    let owners = [Owner::Remittance(RemittanceId(id.0))];
    let (app, caller) = (&submit.app, &submit.caller);
    let kept = app
        .files
        .keep(&caller.tenant, Some(caller.party), field, content, &owners, app.now())
        .await?;
    Ok(Some(kept.hash))
}

/// Does it, and answers the remittance as it stands then.
async fn act(
    submit: &Submit,
    request: &HttpRequest,
    id: PathId,
    command: RemittanceCommand,
) -> Result<HttpResponse, ApiError> {
    let id = RemittanceId(id.0);
    let done = submit.run(Command::Remittance(id, command)).await?;
    let (mut snapshot, scope) = submit.read_record_back(&done).await?;
    let remittance = remittance::get(&mut snapshot, &scope, id).await?;
    let warnings = Warning::all(done.answer.warnings, Language::of(request));
    Ok(HttpResponse::Ok().json(Acted { remittance, warnings }))
}
