//! Pictures of customers' identity documents (docs/decisions/pictures-of-documents.md). All calls require a session.

use super::{
    files::StoredFile,
    reviews::{ReviewFileForm, ReviewFileInput, keep, require_of},
};
use crate::{
    extract::{JsonBody, PathId, Reading},
    files::Owner,
    input::customer::DocumentPicturesInput,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, get, post, put};
use caudal_domain::{Command, customer::CustomerCommand, ids::CustomerId};
use caudal_projections::{customer, from_log, refs::ReviewFile};
use serde::Serialize;
use utoipa::ToSchema;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(upload_document_file)
        .service(get_document_pictures)
        .service(record_document_pictures);
}

/// Pictures of a customer's present document.
#[derive(Debug, Serialize, ToSchema)]
struct DocumentPictures {
    /// The files, in the order in which they were recorded; empty where no picture shows the present document.
    files: Vec<ReviewFile>,
}

/// Upload a picture of a customer's document. `PUT /api/customer/{id}/document/pictures` records it by its id. Equal content is
/// stored once.
#[utoipa::path(tag = "Customers", operation_id = "uploadDocumentFile",
    request_body(content = ReviewFileInput, content_type = "multipart/form-data"),
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 201, description = "The id of the stored file.", body = StoredFile)))]
#[post("/api/customer/{id}/document/files")]
async fn upload_document_file(reading: Reading, id: PathId, form: ReviewFileForm) -> Result<HttpResponse, ApiError> {
    let content = form.content()?;
    let id = CustomerId(id.0);
    let (mut transaction, scope) = reading.begin().await?;
    customer::document_pictures(&mut transaction, &scope, id).await?;
    drop(transaction);
    keep(&reading, content, Owner::CustomerDocument(id)).await
}

/// Pictures of a customer's present document, for logins that may change the customer, and for members of the office who read
/// reviews or the log.
#[utoipa::path(tag = "Customers", operation_id = "getDocumentPictures", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The pictures of the customer's present document.",
               body = DocumentPictures)))]
#[get("/api/customer/{id}/document/pictures")]
async fn get_document_pictures(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let files = customer::document_pictures(&mut transaction, &scope, CustomerId(id.0)).await?;
    Ok(HttpResponse::Ok().json(DocumentPictures { files }))
}

/// Replace the pictures of a customer's present document. Earlier pictures stay in the log and in the dossier. A change of the
/// document to another number, type or country leaves the customer without pictures; pictures of a document that the customer
/// has no more are refused by what `was` says of it.
#[utoipa::path(tag = "Customers", operation_id = "recordDocumentPictures", request_body = DocumentPicturesInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The pictures of the customer's document after the change.",
               body = DocumentPictures)))]
#[put("/api/customer/{id}/document/pictures")]
async fn record_document_pictures(
    submit: Submit,
    id: PathId,
    body: JsonBody<DocumentPicturesInput>,
) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let files = input.files()?;
    let id = CustomerId(id.0);
    let amended = submit.amend(async |submit| {
        let (mut transaction, scope) = submit.read_now().await?;
        customer::document_pictures(&mut transaction, &scope, id).await?;
        drop(transaction);
        let known = from_log::customer(&submit.app.journal, &submit.caller.tenant, id).await?;
        let (details, recorded) = (known.details.unwrap_or_default(), known.customer.document_pictures);
        input.require_present(&details, &recorded)?;
        require_of(&submit.app, &submit.caller.tenant, Owner::CustomerDocument(id), &files).await?;
        let command = CustomerCommand::RecordDocumentPictures(files.clone());
        submit.run(Command::Customer(id, command)).await
    });
    let done = amended.await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let files = customer::document_pictures(&mut transaction, &scope, id).await?;
    Ok(HttpResponse::Ok().json(DocumentPictures { files }))
}
