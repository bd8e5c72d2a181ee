//! Imports: files become commands, row by row. All calls require a session. A seller sees the own imports; members of the
//! office see those of the office.

mod access;
mod bodies;
mod files;
mod passes;
mod rows;
mod views;

pub use bodies::ImportRow;

use crate::{
    extract::{Language, PathId, Reading},
    imports::{kinds::ImportKind, store::StoreError},
    problem::ApiError,
    registry::Registry,
};
use access::{find, find_of_any, owner_of, permit, permit_of, settle};
use actix_web::{HttpRequest, HttpResponse, get};
use bodies::{ImportDetail, ImportField, ImportKindView, ImportKinds, Imports};
use caudal_domain::office::Right;
use uuid::Uuid;
use views::{detail, views};

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_imports)
        .service(files::upload)
        .service(list_kinds)
        .service(get_import)
        .service(passes::set_mapping)
        .service(files::upload_proofs)
        .service(passes::begin_preview)
        .service(rows::list_rows)
        .service(rows::change_row)
        .service(files::get_file)
        .service(passes::start)
        .service(passes::pause)
        .service(passes::resume)
        .service(passes::cancel);
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Journal(error) => error.into(),
            error => Self::internal(error),
        }
    }
}

/// Imports of the caller, newest first; of the office for its members.
#[utoipa::path(tag = "Imports", operation_id = "listImports",
    responses((status = 200, description = "The imports, newest first.", body = Imports)))]
#[get("/api/imports")]
async fn list_imports(reading: Reading, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let caller = &reading.caller;
    let (stored, owner) = (&reading.app.imports, owner_of(caller));
    let mut imports = stored.list(&caller.tenant, owner).await?;
    imports.retain(|import| permit_of(caller, import, Right::Read).is_ok());
    for import in &mut imports {
        if import.counts.is_some_and(|counts| counts.run.waiting > 0)
            && settle(&reading, import.id).await?
            && let Some(settled) = stored.get(&caller.tenant, owner, import.id).await?
        {
            *import = settled;
        }
    }
    let results = views(&reading, imports, Language::of(&request)).await?;
    Ok(HttpResponse::Ok().json(Imports { results }))
}

/// What the caller may import files as, with the fields that columns may be.
#[utoipa::path(tag = "Imports", operation_id = "listImportKinds",
    responses((status = 200, description = "The kinds of imports that the caller may make, with their fields.",
               body = ImportKinds)))]
#[get("/api/imports/kinds")]
async fn list_kinds(reading: Reading) -> HttpResponse {
    let kinds = ImportKind::ALL.iter().copied();
    let kinds = kinds.filter(|kind| permit(&reading.caller, *kind, Right::Write).is_ok());
    let results = kinds.map(|kind| ImportKindView {
        kind,
        owned: kind.rules().has_owner(),
        proofs: kind.rules().has_proofs(),
        fields: kind
            .fields()
            .iter()
            .map(|spec| ImportField {
                name: spec.name,
                required: spec.required,
                shape: spec.shape,
            })
            .collect(),
    });
    HttpResponse::Ok().json(ImportKinds {
        results: results.collect(),
    })
}

/// An import with its columns, mapping, progress and figures.
#[utoipa::path(tag = "Imports", operation_id = "getImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import with its progress.", body = ImportDetail)))]
#[get("/api/imports/{id}")]
async fn get_import(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = find(&reading, id.0, Right::Read).await?;
    Ok(HttpResponse::Ok().json(detail(&reading, import, Language::of(&request)).await?))
}

async fn answer(reading: &Reading, request: &HttpRequest, id: Uuid) -> Result<HttpResponse, ApiError> {
    let import = find_of_any(reading, id, Right::Write).await?;
    Ok(HttpResponse::Ok().json(detail(reading, import, Language::of(request)).await?))
}
