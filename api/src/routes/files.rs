//! Upload and download of files.

use crate::{
    app::App,
    extract::{PathHash, Reading},
    files::{KeptFile, Owner},
    multipart::Form,
    pdf,
    problem::ApiError,
    readings::Read,
    registry::Registry,
};
use actix_web::{
    HttpResponse, get,
    http::header::{self, ETag, EntityTag},
    post,
    web::Data,
};
use caudal_domain::{
    StreamKind,
    ids::{CustomerId, PartyId},
    party::Party,
};
use caudal_projections::{customer, reading::ReadingKind, remittance};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Digits of a document's hash in the name under which it is saved.
const NAMED: usize = 16;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(upload_file).service(get_file);
}

/// An image: JPEG, PNG or WebP, at most 5 MB.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is the form's shape in the OpenAPI document")]
pub struct UploadInput {
    /// The image.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}

/// A stored file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// Id: SHA-256 of the content, in hexadecimal.
    pub id: String,
    /// URL path of the file.
    pub url: String,
    /// Media type, such as `image/jpeg`.
    #[schema(examples("image/png"))]
    pub media_type: String,
    /// Size in bytes.
    pub size: i64,
}

impl From<KeptFile> for StoredFile {
    fn from(kept: KeptFile) -> Self {
        Self {
            url: kept.url(),
            id: kept.hash,
            media_type: kept.media_type,
            size: kept.size,
        }
    }
}

/// Upload a file.
///
/// Equal content is stored once. The uploader may read it and make it a party's picture.
///
/// An `Idempotency-Key` is accepted and not compared: the id is the hash of the content, so a repetition has the same answer and
/// no second effect, and other content under the same key is another file.
#[utoipa::path(tag = "Files", operation_id = "uploadFile",
    request_body(content = UploadInput, content_type = "multipart/form-data"),
    responses((status = 201, description = "Kept.", body = StoredFile)))]
#[post("/api/files/uploadfile")]
async fn upload_file(app: Data<App>, reading: Reading, mut form: Form) -> Result<HttpResponse, ApiError> {
    form.has_only(&["file"])?;
    let content = form.take("file").ok_or_else(|| ApiError::invalid("file", "required"))?;
    let caller = &reading.caller;
    let owners = [Owner::Party(caller.party)];
    let kept = app
        .files
        .keep(&caller.tenant, Some(caller.party), "file", content, &owners, app.now())
        .await?;
    Ok(HttpResponse::Created().json(StoredFile::from(kept)))
}

/// Content of a file, for callers who may see an owner of it. Files of reviews are for logins with the area of reviews or of
/// the log, pictures of a customer's document for these and for logins that may change the customer. The opening of these and of
/// proofs of a delivery is recorded. PDF documents are answered as attachments.
#[utoipa::path(tag = "Files", operation_id = "getFile",
    params(("id" = String, Path, description = "The file's id.", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "The file.", content(
        (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"),
        (Vec<u8> = "application/pdf")))))]
#[get("/api/files/{id}")]
async fn get_file(app: Data<App>, reading: Reading, id: PathHash) -> Result<HttpResponse, ApiError> {
    let unknown = || ApiError::not_found("file_not_found");
    let caller = &reading.caller;
    let tenant = &caller.tenant;
    let (kept, owners) = app.files.find(tenant, &id.0).await?.ok_or_else(unknown)?;
    let seen = seen(&app, &reading, &owners, &kept.hash).await?.ok_or_else(unknown)?;
    let content = app.files.content(tenant, &kept.hash).await?;
    if let Some((kind, subject)) = shown(seen) {
        let read = Read::new(caller.into(), kind, Some(subject), "/api/files/{id}", None, app.now());
        app.readings.note(read).await?;
    }
    // A reader of documents would run in the page's own origin.
    let disposition = if kept.media_type == pdf::MEDIA_TYPE {
        format!(
            "attachment; filename=\"{}.pdf\"",
            kept.hash.get(..NAMED).unwrap_or_default()
        )
    } else {
        "inline".to_owned()
    };
    // Every opening comes here, where it is recorded.
    let caching = if is_confidential(seen) {
        "private, no-store"
    } else {
        "private, max-age=3600"
    };
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, kept.media_type))
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"))
        .insert_header((header::CACHE_CONTROL, caching))
        .insert_header(ETag(EntityTag::new_strong(kept.hash)))
        .body(content))
}

/// The record whose person's data the opening of a file is. Pictures of parties are beside their names in lists.
const fn shown(owner: Owner) -> Option<(ReadingKind, Uuid)> {
    match owner {
        Owner::Party(_) => None,
        Owner::Remittance(id) | Owner::HoldReview(id) => Some((ReadingKind::Remittance, id.0)),
        Owner::ScreeningReview(id) | Owner::CustomerDocument(id) => Some((ReadingKind::Customer, id.0)),
    }
}

/// Whether a file is for some of those who see the record: one of a review, or a picture of a document.
const fn is_confidential(owner: Owner) -> bool {
    matches!(
        owner,
        Owner::HoldReview(_) | Owner::ScreeningReview(_) | Owner::CustomerDocument(_)
    )
}

/// The first owner by which the caller sees a file: one that needs no record first, one of a review or a document last.
async fn seen(app: &App, reading: &Reading, owners: &[Owner], hash: &str) -> Result<Option<Owner>, ApiError> {
    let caller = &reading.caller;
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let own = state.party(caller.party);
    let mut owners = owners.to_vec();
    owners.sort_by_key(|owner| (is_confidential(*owner), shown(*owner).is_some()));
    for owner in owners {
        let sees = match &owner {
            Owner::Party(id) => own.zip(state.party(*id)).is_some_and(|(own, other)| knows(own, other)),
            Owner::HoldReview(_) | Owner::ScreeningReview(_) => {
                caller.api_key.is_none() && caller.scope().sees_reviews()
            }
            Owner::CustomerDocument(id) => caller.api_key.is_none() && sees_document(reading, *id).await?,
            Owner::Remittance(_) if !caller.scope().reads_records_of(StreamKind::Remittance) => false,
            Owner::Remittance(id) => {
                let (mut transaction, scope) = reading.begin().await?;
                match remittance::get(&mut transaction, &scope, *id).await {
                    Ok(_) => true,
                    Err(error) => match ApiError::from(error) {
                        // A delivery man may have delivered it when it was assigned to another dealer already.
                        refused if refused.is_not_found() => {
                            remittance::dispute_shows_file(&mut transaction, &scope, *id, hash).await?
                        }
                        failed => return Err(failed),
                    },
                }
            }
        };
        if sees {
            return Ok(Some(owner));
        }
    }
    Ok(None)
}

/// Whether the caller sees pictures of a customer's document; who sees files of reviews, also those of a deleted customer.
async fn sees_document(reading: &Reading, id: CustomerId) -> Result<bool, ApiError> {
    if reading.caller.scope().sees_reviews() {
        return Ok(true);
    }
    let (mut transaction, scope) = reading.begin().await?;
    match customer::document_pictures(&mut transaction, &scope, id).await {
        Ok(_) => Ok(true),
        Err(error) => match ApiError::from(error) {
            refused if refused.is_not_found() => Ok(false),
            failed => Err(failed),
        },
    }
}

/// Whether a party sees another's picture: subordinates, superiors and colleagues.
fn knows(own: &Party, other: &Party) -> bool {
    let works_for = |party: &Party, id: PartyId| party.agency == Some(id) || party.dealer == Some(id);
    let colleagues =
        (own.agency.is_some() && own.agency == other.agency) || (own.dealer.is_some() && own.dealer == other.dealer);
    own.oversees(other) || works_for(own, other.id) || colleagues
}
