//! Files of reviews: what a reviewer attaches to a decision (docs/decisions/files-of-reviews.md).

use super::files::StoredFile;
use crate::{
    app::App,
    extract::{PathId, Reading},
    files::{Owner, document_too_large},
    multipart::{Form, Limits, MULTIPART_LIMIT},
    pdf::MAX_PDF_BYTES,
    problem::ApiError,
    registry::Registry,
};
use actix_web::{FromRequest, HttpRequest, HttpResponse, dev::Payload, post, web::Bytes};
use caudal_domain::{
    Refusal,
    attachment::MAX_REVIEW_FILES,
    ids::{CustomerId, RemittanceId, TenantId},
};
use caudal_projections::{remittance, screening as cases};
use futures::future::LocalBoxFuture;
use utoipa::ToSchema;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(upload_hold_file).service(upload_screening_file);
}

/// A file of a review, or a picture of a customer's document: an image (JPEG, PNG or WebP, at most 5 MB), or a PDF document without
/// scripts, actions, other files and encryption, at most 10 MB.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is the form's shape in the OpenAPI document")]
pub struct ReviewFileInput {
    /// The file.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}

/// The form of an upload, which may have a larger file than that of a photograph.
pub(super) struct ReviewFileForm(Form);

const REVIEW_FILE: Limits = Limits {
    form: MULTIPART_LIMIT,
    part: MAX_PDF_BYTES,
    too_large: document_too_large,
};

impl FromRequest for ReviewFileForm {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { Form::within(&request, payload, REVIEW_FILE).await.map(Self) })
    }
}

impl ReviewFileForm {
    pub(super) fn content(self) -> Result<Bytes, ApiError> {
        let Self(mut form) = self;
        form.has_only(&["file"])?;
        form.take("file").ok_or_else(|| ApiError::invalid("file", "required"))
    }
}

/// Upload a file for a review of a remittance's holds. A decision attaches it by its id; until then it is of the review, and
/// only reviewers and who reads the log see it. Equal content is stored once.
#[utoipa::path(tag = "Limits", operation_id = "uploadHoldFile",
    request_body(content = ReviewFileInput, content_type = "multipart/form-data"),
    params(("id" = uuid::Uuid, Path, description = "Id of the remittance")),
    responses((status = 201, description = "Kept.", body = StoredFile)))]
#[post("/api/remittances/{id}/holds/files")]
async fn upload_hold_file(reading: Reading, id: PathId, form: ReviewFileForm) -> Result<HttpResponse, ApiError> {
    let content = form.content()?;
    let id = RemittanceId(id.0);
    let (mut transaction, scope) = reading.begin().await?;
    let holds = remittance::holds(&mut transaction, &scope, id).await?;
    drop(transaction);
    if holds.is_empty() {
        return Err(Refusal::not_found("hold_not_found").into());
    }
    keep(&reading, content, Owner::HoldReview(id)).await
}

/// Upload a file for a review of a customer who is like a listed person. A decision attaches it by its id.
#[utoipa::path(tag = "Screening", operation_id = "uploadScreeningFile",
    request_body(content = ReviewFileInput, content_type = "multipart/form-data"),
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 201, description = "Kept.", body = StoredFile)))]
#[post("/api/screening/cases/{id}/files")]
async fn upload_screening_file(reading: Reading, id: PathId, form: ReviewFileForm) -> Result<HttpResponse, ApiError> {
    let content = form.content()?;
    let id = CustomerId(id.0);
    let (mut transaction, _) = reading.begin().await?;
    let found = cases::get_case(&mut transaction, id, reading.app.now()).await?;
    drop(transaction);
    if found.candidates.is_empty() {
        return Err(Refusal::not_found("screening_case_not_found").into());
    }
    keep(&reading, content, Owner::ScreeningReview(id)).await
}

/// Stores a file of a review or of a customer's document.
pub(super) async fn keep(reading: &Reading, content: Bytes, owner: Owner) -> Result<HttpResponse, ApiError> {
    let (app, caller) = (&reading.app, &reading.caller);
    let kept = app
        .files
        .keep_image_or_pdf(&caller.tenant, caller.party, "file", content, owner, app.now())
        .await?;
    Ok(HttpResponse::Created().json(StoredFile::from(kept)))
}

/// Requires files to be of the review that attaches them, or of the customer whose document they show.
///
/// # Errors
/// 422 `file_not_found` for one that is not.
pub(super) async fn require_of(app: &App, tenant: &TenantId, owner: Owner, files: &[String]) -> Result<(), ApiError> {
    // The decision refuses more of them.
    for hash in files.iter().take(MAX_REVIEW_FILES) {
        let owners = app.files.find(tenant, hash).await?.map(|(_, owners)| owners);
        if !owners.unwrap_or_default().contains(&owner) {
            return Err(ApiError::invalid("files", "file_not_found"));
        }
    }
    Ok(())
}
