//! Files that are uploaded, and the file of the rows in error.

use super::{
    access::{find, owner_of, permit, permit_of},
    answer,
    bodies::{ImportDetail, ImportFileParams, ImportInput, ImportProofsInput},
    views::detail,
};
use crate::{
    app::App,
    extract::{Filters, Language, PathId, Reading},
    imports::{
        fixing,
        import::{Details, Import, ImportState, RowResult},
        kinds::ImportKind,
        mapping::{self, Mapping},
        proofs::{self, MAX_ZIP_BYTES},
        reader::{self, MAX_FILE_BYTES, ReadFault},
        store::{self, MAX_KEPT, MAX_OPEN},
    },
    multipart::{Form, Limits},
    problem::ApiError,
};
use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    get,
    http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ContentEncoding},
    post, put,
    web::Data,
};
use caudal_domain::{FieldError, Refusal, office::Right, refusal::Params};
use caudal_export::Format;
use futures::future::LocalBoxFuture;
use std::borrow::Cow;

/// Maximum length of a file's name, in characters.
const MAX_NAME_CHARS: usize = 200;

impl From<ReadFault> for ApiError {
    fn from(fault: ReadFault) -> Self {
        Self::all_invalid(vec![FieldError {
            field: Cow::Borrowed("file"),
            code: fault.code,
            params: fault.params,
        }])
    }
}

/// A form with a file to import.
pub(super) struct UploadForm(Form);

const UPLOAD: Limits = Limits {
    form: MAX_FILE_BYTES + 64 * 1024,
    part: MAX_FILE_BYTES,
    too_large: |field| {
        ApiError::all_invalid(vec![FieldError {
            field,
            code: "import_too_large",
            params: Params::from([("max", MAX_FILE_BYTES.to_string())]),
        }])
    },
};

impl FromRequest for UploadForm {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { Form::within(&request, payload, UPLOAD).await.map(Self) })
    }
}

/// A form with a ZIP of proofs.
pub(super) struct ProofsForm(Form);

const PROOFS: Limits = Limits {
    form: MAX_ZIP_BYTES + 64 * 1024,
    part: MAX_ZIP_BYTES,
    too_large: |field| {
        ApiError::all_invalid(vec![FieldError {
            field,
            code: "import_proofs_too_large",
            params: Params::from([("max", MAX_ZIP_BYTES.to_string())]),
        }])
    },
};

impl FromRequest for ProofsForm {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { Form::within(&request, payload, PROOFS).await.map(Self) })
    }
}

/// Upload a file. Its columns are guessed, or mapped as they were last for a file with the same headers; the totals and the seller
/// belong to one file.
///
/// The same file of the same kind is the same import, and answers 200: what it has added is not added again.
#[utoipa::path(tag = "Imports", operation_id = "uploadImport",
    request_body(content = ImportInput, content_type = "multipart/form-data"),
    responses(
        (status = 201, description = "The new import.", body = ImportDetail),
        (status = 200, description = "The earlier import of the same file.", body = ImportDetail)))]
#[post("/api/imports")]
pub(super) async fn upload(reading: Reading, request: HttpRequest, form: UploadForm) -> Result<HttpResponse, ApiError> {
    let UploadForm(mut form) = form;
    form.has_only(&["kind", "name", "file"])?;
    let text = |content: actix_web::web::Bytes| String::from_utf8(content.to_vec()).ok();
    let kind = form.take("kind").ok_or_else(|| ApiError::invalid("kind", "required"))?;
    let kind = text(kind).and_then(|name| ImportKind::of(name.trim()));
    let kind = kind.ok_or_else(|| ApiError::invalid("kind", "value_unknown"))?;
    let name = name_of(&mut form)?;
    let content = form.take("file").ok_or_else(|| ApiError::invalid("file", "required"))?;
    let caller = &reading.caller;
    permit(caller, kind, Right::Write)?;
    let (imports, tenant, owner) = (&reading.app.imports, &caller.tenant, owner_of(caller));
    let id = store::id_of(tenant, owner, kind, &content);
    // One file after the other: each may take a hundred megabytes while it is read, and all that are kept are counted.
    let turn = imports.reading_turn().await;
    // A file that is there already takes no more room.
    let known = imports.get(tenant, owner, id).await?;
    if let Some(known) = known.as_ref().filter(|known| known.details.is_some()) {
        permit_of(caller, known, Right::Write)?;
    } else {
        let kept = imports.kept(tenant, owner).await?;
        for (number, max, code) in [
            (kept.open, MAX_OPEN, "import_too_many_open"),
            (kept.all, MAX_KEPT, "import_too_many"),
        ] {
            if number >= max {
                return Err(Refusal::conflict(code).with("max", max).into());
            }
        }
    }
    let table = tokio::task::spawn_blocking(move || reader::read(&content));
    let mut table = table.await.map_err(ApiError::internal)??;
    fixing::take_back(&mut table);
    let saved = imports.profile(tenant, owner, kind, &table.headers).await?;
    // Earlier versions kept more. Values that are not kept have to be given again.
    let saved = saved.map(Mapping::kept).filter(|saved| {
        let faults = saved.check(kind, table.headers.len()).err().unwrap_or_default();
        faults.iter().all(|fault| fault.code == "required")
    });
    let import = Import {
        id,
        owner,
        maker: caller.party.0,
        kind,
        details: Some(Details {
            name,
            headers: table.headers.clone(),
            notices: table.notices.clone(),
            mapping: saved.map_or_else(|| mapping::guess(kind, &table), |saved| saved.as_shown_by(kind, &table)),
            by_semicolon: table.by_semicolon,
        }),
        proofs: None,
        rows: i32::try_from(table.rows.len()).unwrap_or(i32::MAX),
        state: ImportState::Mapping,
        pass: 0,
        next_row: 0,
        failure: None,
        summary: None,
        counts: None,
        created_at: reading.app.now(),
        changed_at: reading.app.now(),
        erase_at: reading.app.now() + store::RETENTION,
    };
    let is_new = imports.keep(tenant, &import, &table, reading.app.now()).await?;
    drop((table, turn));
    let found = imports.get(tenant, owner, id).await?;
    let found = found.ok_or_else(|| ApiError::not_found("import_not_found"))?;
    let view = detail(&reading, found, Language::of(&request)).await?;
    Ok(match is_new {
        true => HttpResponse::Created().json(view),
        false => HttpResponse::Ok().json(view),
    })
}

/// Name of an uploaded file.
fn name_of(form: &mut Form) -> Result<String, ApiError> {
    let name = form.take("name").unwrap_or_default();
    let name = std::str::from_utf8(&name).map_err(|_| ApiError::invalid("name", "value_unknown"))?;
    Ok(name.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect())
}

/// Upload the ZIP of proofs of a list of completions, in place of an earlier one. A new preview is needed.
///
/// An entry belongs to the row that names it, or else to the row whose remittance's code its name begins with, such as
/// `R-000123.jpg`; `firma` or `signature` in the name marks the image of a signature.
#[utoipa::path(tag = "Imports", operation_id = "uploadImportProofs", params(("id" = Uuid, Path)),
    request_body(content = ImportProofsInput, content_type = "multipart/form-data"),
    responses((status = 200, description = "The import with the stored proofs.", body = ImportDetail)))]
#[put("/api/imports/{id}/proofs")]
pub(super) async fn upload_proofs(
    reading: Reading,
    request: HttpRequest,
    id: PathId,
    form: ProofsForm,
) -> Result<HttpResponse, ApiError> {
    let ProofsForm(mut form) = form;
    form.has_only(&["name", "file"])?;
    let name = name_of(&mut form)?;
    let content = form.take("file").ok_or_else(|| ApiError::invalid("file", "required"))?;
    let import = find(&reading, id.0, Right::Write).await?;
    if !import.kind.rules().has_proofs() {
        return Err(ApiError::conflict("import_without_proofs"));
    }
    if import.details.is_none() {
        return Err(ApiError::conflict("import_erased"));
    }
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    let turn = imports.reading_turn().await;
    let entries = tokio::task::spawn_blocking(move || proofs::read(&content));
    let entries = entries.await.map_err(ApiError::internal)??;
    if !imports
        .keep_proofs(tenant, &import, name, entries, reading.app.now())
        .await?
    {
        return Err(ApiError::conflict("import_not_in_state"));
    }
    drop(turn);
    answer(&reading, &request, import.id).await
}

/// The rows in error with a column of their errors, to be corrected and uploaded again: it adds no row twice, because no other
/// row is in it.
#[utoipa::path(tag = "Imports", operation_id = "exportImportErrors", params(("id" = Uuid, Path), ImportFileParams),
    responses((status = 200, description = "The rows with errors as a file.", content(
        (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
#[get("/api/imports/{id}/file")]
pub(super) async fn get_file(
    reading: Reading,
    request: HttpRequest,
    app: Data<App>,
    id: PathId,
    Filters(params): Filters<ImportFileParams>,
) -> Result<HttpResponse, ApiError> {
    let format = match params.format.parse::<Format>() {
        Ok(format @ (Format::Csv | Format::Xlsx)) => format,
        _ => return Err(ApiError::invalid("format", "value_unknown")),
    };
    let import = find(&reading, id.0, Right::Read).await?;
    let details = import
        .details
        .clone()
        .ok_or_else(|| ApiError::conflict("import_erased"))?;
    let language = Language::of(&request);
    let turn = app.imports.reading_turn().await;
    let refused = Some(RowResult::Refused);
    let rows = app
        .imports
        .rows(&reading.caller.tenant, &import, 0, i64::from(import.rows), refused)
        .await?;
    let written = tokio::task::spawn_blocking(move || match format {
        Format::Xlsx => fixing::workbook(&details.headers, &rows, language).map_err(ApiError::internal),
        _ => fixing::csv(&details.headers, &rows, details.decimal(), language).map_err(ApiError::internal),
    });
    let content = written.await.map_err(ApiError::internal)??;
    drop(turn);
    let name = format!("import-errors-{}.{}", import.id, format.extension());
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, format.content_type()))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header(ContentEncoding::Identity)
        .body(content))
}
