//! Dossiers of customers for an authority. The export is a command with an event of its own; the document is read as of
//! this event, in either format, any number of times.

use crate::{
    dossier::SignedDossier,
    extract::{Filters, Language, PathId, Reading},
    listing::{FORMAT, printed, printing},
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::{CACHE_CONTROL, CONTENT_DISPOSITION},
    post,
    web::Path,
};
use caudal_domain::{
    Command,
    customer::{CustomerCommand, MAX_SAME_PERSON},
    ids::CustomerId,
};
use caudal_projections::{document, dossier};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(export_dossier).service(get_dossier);
}

/// A recorded export.
#[derive(Debug, Serialize, ToSchema)]
struct DossierRecord {
    /// Id of the customer.
    id: Uuid,
    /// Position of the event in the log, by which the dossier is read.
    position: i64,
}

/// Format of a dossier.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DossierQuery {
    /// `json` or `pdf`; absent for JSON.
    #[serde(default)]
    #[param(required = false, example = "pdf")]
    format: String,
}

/// Record the export of a customer's dossier: who, and when. The dossier has everything up to this event.
#[utoipa::path(tag = "Customers", operation_id = "exportDossier", params(("id" = Uuid, Path)),
    responses((status = 201, description = "Recorded.", body = DossierRecord)))]
#[post("/api/customer/{id}/dossiers")]
async fn export_dossier(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = CustomerId(id.0);
    let (mut transaction, _) = submit.read_now().await?;
    let others = dossier::same_person(&mut transaction, id, MAX_SAME_PERSON).await?;
    drop(transaction);
    let command = Command::Customer(id, CustomerCommand::ExportDossier(others));
    let done = submit.run(command).await?;
    Ok(HttpResponse::Created().json(DossierRecord {
        id: done.answer.id,
        position: done.position,
    }))
}

/// A recorded dossier: everything known of a customer and done with them, signed with a key that signs checkpoints; as
/// JSON, or as PDF with the signature of the JSON.
#[utoipa::path(tag = "Customers", operation_id = "getDossier",
    params(("id" = Uuid, Path), ("position" = i64, Path), DossierQuery),
    responses((status = 200, description = "It.", content(
        (SignedDossier = "application/json"), (Vec<u8> = "application/pdf")))))]
#[get("/api/customer/{id}/dossiers/{position}")]
async fn get_dossier(
    request: HttpRequest,
    reading: Reading,
    path: Path<(String, String)>,
    Filters(DossierQuery { format }): Filters<DossierQuery>,
) -> Result<HttpResponse, ApiError> {
    let is_pdf = match format.as_str() {
        "" | "json" => false,
        "pdf" => true,
        _ => return Err(ApiError::invalid(FORMAT, "value_unknown")),
    };
    let (id, position) = path.into_inner();
    let not_found = || ApiError::not_found("dossier_not_found");
    let id: Uuid = id.parse().map_err(|_| not_found())?;
    let position: i64 = position.parse().map_err(|_| not_found())?;
    let mut transaction = reading.begin_on_primary().await?;
    let dossier = dossier::get(&reading.app.journal, &mut transaction, CustomerId(id), position).await?;
    let printing = printing(&reading, &mut transaction, Language::of(&request)).await?;
    drop(transaction);
    let name = format!("dossier-{}-{position}.json", dossier.tenant);
    let signed = SignedDossier::sign(&reading.app, dossier).await?;
    if is_pdf {
        return printed(document::dossier(&signed.dossier, &signed.printed(), &printing)).await;
    }
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(signed))
}
