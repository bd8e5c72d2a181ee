//! Imports: files become commands, row by row. All calls require a session. A seller sees the own imports; members of the
//! office see those of the office.

mod bodies;

pub use bodies::ImportRow;

use super::pages;
use crate::{
    app::App,
    catalogue::{self, Said},
    extract::{Caller, Filters, JsonBody, Language, PathId, PathPart, Reading},
    fresh_code,
    imports::{
        fixing,
        import::{
            Counts, Details, Import, ImportState, Outcome, PassCounts, RowChange, RowError, RowResult, ShownRow,
            Summary,
        },
        kinds::ImportKind,
        mapping::{self, Mapping},
        proofs::{self, MAX_ZIP_BYTES},
        reader::{self, MAX_CELL_CHARS, MAX_FILE_BYTES, RawRow, ReadFault, shown},
        store::{self, MAX_KEPT, MAX_OPEN, Started, StoreError},
    },
    multipart::{Form, Limits},
    problem::ApiError,
    registry::Registry,
};
use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    get,
    http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ContentEncoding},
    post, put,
    web::Data,
};
use bodies::{
    ImportDetail, ImportFailure, ImportField, ImportFileParams, ImportInput, ImportKindView, ImportKinds, ImportProofs,
    ImportProofsInput, ImportRowBalance, ImportRowError, ImportRowInput, ImportRowsParams, ImportView, Imports,
};
use caudal_domain::{
    FieldError, Refusal,
    ids::PartyId,
    office::{Permission, Right},
    party::Role,
    refusal::Params,
};
use caudal_export::Format;
use caudal_projections::{
    page::{MAX_ALL_RECORDS, MAX_PAGE, MAX_RECORDS_PER_PAGE, Page},
    refs::Ref,
};
use futures::future::LocalBoxFuture;
use std::{borrow::Cow, collections::BTreeMap};
use uuid::Uuid;

/// Rows that are shown with the columns.
const SAMPLE: usize = 5;
/// Maximum length of a file's name, in characters.
const MAX_NAME_CHARS: usize = 200;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_imports)
        .service(upload)
        .service(list_kinds)
        .service(get_import)
        .service(set_mapping)
        .service(upload_proofs)
        .service(begin_preview)
        .service(list_rows)
        .service(change_row)
        .service(get_file)
        .service(start)
        .service(pause)
        .service(resume)
        .service(cancel);
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Journal(error) => error.into(),
            error => Self::internal(error),
        }
    }
}

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
struct UploadForm(Form);

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
struct ProofsForm(Form);

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

/// Whose imports the caller sees: the office's, or the own.
fn owner_of(caller: &Caller) -> Uuid {
    match caller.role {
        Role::Manager => Uuid::nil(),
        _ => caller.party.0,
    }
}

/// Whether the caller may import or see a kind.
fn permit(caller: &Caller, kind: ImportKind, right: Right) -> Result<(), ApiError> {
    if !kind.rules().roles().contains(&caller.role) {
        return Err(ApiError::forbidden("role_not_allowed"));
    }
    let area = kind.rules().area();
    if caller.permissions.may(area, right) {
        return Ok(());
    }
    Err(ApiError::forbidden("permission_missing").with("permission", Permission { area, right }))
}

/// Whether the caller may see or stop an import. What others' imports tell of further areas needs these.
fn permit_of(caller: &Caller, import: &Import, right: Right) -> Result<(), ApiError> {
    permit(caller, import.kind, right)?;
    let told = import.kind.rules().also_tells();
    let told = told.filter(|area| import.maker != caller.party.0 && !caller.permissions.may(*area, Right::Read));
    let Some(area) = told else { return Ok(()) };
    let missing = Permission {
        area,
        right: Right::Read,
    };
    Err(ApiError::forbidden("permission_missing").with("permission", missing))
}

/// An import that the caller may see, or change: its maker alone does.
async fn find(reading: &Reading, id: Uuid, right: Right) -> Result<Import, ApiError> {
    let import = find_of_any(reading, id, right).await?;
    if right == Right::Write && import.maker != reading.caller.party.0 {
        return Err(ApiError::conflict("import_of_another"));
    }
    Ok(import)
}

/// An import that the caller may see, or pause and cancel.
async fn find_of_any(reading: &Reading, id: Uuid, right: Right) -> Result<Import, ApiError> {
    let caller = &reading.caller;
    let found = reading.app.imports.get(&caller.tenant, owner_of(caller), id).await?;
    let mut import = found.ok_or_else(|| ApiError::not_found("import_not_found"))?;
    permit_of(caller, &import, right)?;
    if settle(reading, id).await? {
        let found = reading.app.imports.get(&caller.tenant, owner_of(caller), id).await?;
        import = found.ok_or_else(|| ApiError::not_found("import_not_found"))?;
    }
    Ok(import)
}

/// Notes at an import's rows what became of the proposals that they wait for. Returns whether any has ended.
async fn settle(reading: &Reading, id: Uuid) -> Result<bool, ApiError> {
    let (app, tenant) = (&reading.app, &reading.caller.tenant);
    let now = app.now();
    if !app.imports.has_ended_proposals(tenant, id, now).await? {
        return Ok(false);
    }
    // What was approved until now is shown first.
    let (_, head) = app.journal.books(tenant).await?;
    drop(app.reads.snapshot(tenant, head.position).await?);
    app.imports.settle_proposals(tenant, id, now).await?;
    Ok(true)
}

fn text_of(code: &str, language: Language, params: &Params) -> String {
    catalogue::text(code, language, params)
}

async fn views(reading: &Reading, imports: Vec<Import>, language: Language) -> Result<Vec<ImportView>, ApiError> {
    let makers: Vec<Uuid> = imports.iter().map(|import| import.maker).collect();
    let mut names = reading.app.imports.names(&reading.caller.tenant, &makers).await?;
    let view = |import: Import| ImportView {
        id: import.id,
        kind: import.kind,
        state: import.state,
        name: import.details.map(|details| details.name),
        rows: import.rows,
        done: import.next_row,
        previewed: import.counts.map(|counts| counts.preview).filter(any),
        imported: import.counts.map(|counts| counts.run).filter(any),
        failure: import.failure.map(|code| ImportFailure {
            detail: text_of(&code, language, &Params::new()),
            code,
        }),
        maker: Ref {
            id: import.maker,
            name: names.get(&import.maker).cloned(),
        },
        created_at: import.created_at,
        changed_at: import.changed_at,
        erase_at: import.erase_at,
    };
    let views = imports.into_iter().map(view).collect();
    names.clear();
    Ok(views)
}

const fn any(counts: &Counts) -> bool {
    counts.of(None) > 0
}

async fn detail(reading: &Reading, import: Import, language: Language) -> Result<ImportDetail, ApiError> {
    let caller = &reading.caller;
    let imports = &reading.app.imports;
    let PassCounts { preview, run, shown } = imports.counts_of(&caller.tenant, &import).await?;
    let details = import.details.clone();
    let sample = match &details {
        Some(_) => imports.chunk(&caller.tenant, import.id, 0).await?,
        None => Vec::new(),
    };
    let proofs = import.proofs.clone().map(|file| ImportProofs {
        unused: import.summary.as_ref().map(|summary| {
            let places = summary.unused_proofs.iter();
            places.filter_map(|place| file.entries.get(*place).cloned()).collect()
        }),
        entries: file.entries.len(),
        name: file.name,
    });
    let Summary {
        balances,
        sums,
        expected,
        ..
    } = import.summary.clone().unwrap_or_default();
    let stoppable = caller.viewer.is_none() && permit_of(caller, &import, Right::Write).is_ok();
    let own = import.maker == caller.party.0 && caller.viewer.is_none();
    let (headers, notices, mapping) = match details {
        Some(details) => (details.headers, details.notices, Some(details.mapping)),
        None => (Vec::new(), Vec::new(), None),
    };
    let seller = mapping.as_ref().and_then(|mapping| mapping.owner);
    let seller = match seller.filter(|_| import.kind.rules().has_owner()) {
        Some(id) => Some(Ref {
            id,
            name: imports.names(&caller.tenant, &[id]).await?.remove(&id),
        }),
        None => None,
    };
    let mut views = views(reading, vec![import], language).await?;
    let import = views.pop().ok_or_else(|| ApiError::not_found("import_not_found"))?;
    Ok(ImportDetail {
        import,
        own,
        stoppable,
        sample: sample
            .iter()
            .take(SAMPLE)
            .map(|row| cells_of(row, headers.len()))
            .collect(),
        headers,
        mapping,
        seller,
        proofs,
        notices,
        preview_counts: preview,
        run_counts: run,
        shown_counts: shown,
        balances,
        sums,
        expected,
    })
}

fn cells_of(row: &RawRow, columns: usize) -> Vec<String> {
    padded(&row.cells, columns)
}

fn padded(cells: &[String], columns: usize) -> Vec<String> {
    let text = |column| {
        cells
            .get(column)
            .map_or_else(String::new, |cell: &String| shown(cell).to_owned())
    };
    (0..columns).map(text).collect()
}

/// Imports of the caller, newest first; of the office for its members.
#[utoipa::path(tag = "Imports", operation_id = "listImports",
    responses((status = 200, description = "Imports.", body = Imports)))]
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
    responses((status = 200, description = "Kinds.", body = ImportKinds)))]
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

/// Upload a file. Its columns are guessed, or mapped as they were last for a file with the same headers; the totals and the seller
/// belong to one file.
///
/// The same file of the same kind is the same import, and answers 200: what it has added is not added again.
#[utoipa::path(tag = "Imports", operation_id = "uploadImport",
    request_body(content = ImportInput, content_type = "multipart/form-data"),
    responses(
        (status = 201, description = "Uploaded.", body = ImportDetail),
        (status = 200, description = "It was uploaded before.", body = ImportDetail)))]
#[post("/api/imports")]
async fn upload(reading: Reading, request: HttpRequest, form: UploadForm) -> Result<HttpResponse, ApiError> {
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
    // One file after the other: each may take a hundred megabytes while it is read.
    let turn = imports.reading_turn().await;
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
            mapping: saved.unwrap_or_else(|| mapping::guess(kind, &table)),
        }),
        proofs: None,
        rows: i32::try_from(table.rows.len()).unwrap_or(i32::MAX),
        state: ImportState::Mapping,
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
    responses((status = 200, description = "Stored.", body = ImportDetail)))]
#[put("/api/imports/{id}/proofs")]
async fn upload_proofs(
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

/// An import with its columns, mapping, progress and figures.
#[utoipa::path(tag = "Imports", operation_id = "getImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import.", body = ImportDetail)))]
#[get("/api/imports/{id}")]
async fn get_import(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = find(&reading, id.0, Right::Read).await?;
    Ok(HttpResponse::Ok().json(detail(&reading, import, Language::of(&request)).await?))
}

/// Say which columns are which fields. It is saved for files with the same headers, without values that may be of a person, and a
/// new preview is needed.
#[utoipa::path(tag = "Imports", operation_id = "setImportMapping", request_body = Mapping, params(("id" = Uuid, Path)),
    responses((status = 200, description = "Saved.", body = ImportDetail)))]
#[put("/api/imports/{id}/mapping")]
async fn set_mapping(
    reading: Reading,
    request: HttpRequest,
    id: PathId,
    body: JsonBody<Mapping>,
) -> Result<HttpResponse, ApiError> {
    let import = find(&reading, id.0, Right::Write).await?;
    let details = import
        .details
        .clone()
        .ok_or_else(|| ApiError::conflict("import_erased"))?;
    let mapping = body.into_inner();
    check(&reading, import.kind, &mapping, details.headers.len()).await?;
    let details = Details { mapping, ..details };
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    if !imports.map(tenant, &import, &details, reading.app.now()).await? {
        return Err(ApiError::conflict("import_not_in_state"));
    }
    answer(&reading, &request, import.id).await
}

/// Checks a mapping, and that a manager names whose data it is.
async fn check(reading: &Reading, kind: ImportKind, mapping: &Mapping, columns: usize) -> Result<(), ApiError> {
    let mut errors = mapping.check(kind, columns).err().unwrap_or_default();
    if reading.caller.role == Role::Manager && kind.rules().has_owner() {
        let (books, _) = reading.app.journal.books(&reading.caller.tenant).await?;
        let owner = mapping.owner.and_then(|owner| books.party(PartyId(owner)));
        if !owner.is_some_and(|party| party.is_active && party.role.holds_terms()) {
            errors.push(FieldError {
                field: Cow::Borrowed("owner"),
                code: "import_owner_required",
                params: Params::new(),
            });
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ApiError::all_invalid(errors))
    }
}

async fn answer(reading: &Reading, request: &HttpRequest, id: Uuid) -> Result<HttpResponse, ApiError> {
    let import = find_of_any(reading, id, Right::Write).await?;
    Ok(HttpResponse::Ok().json(detail(reading, import, Language::of(request)).await?))
}

/// Changes an import's state. Returns the import after it; a repetition is answered like the first request.
async fn change(
    reading: &Reading,
    request: &HttpRequest,
    import: Import,
    from: &[ImportState],
    to: ImportState,
) -> Result<HttpResponse, ApiError> {
    if import.details.is_none() {
        return Err(ApiError::conflict("import_erased"));
    }
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    let changed = import.state == to || imports.change(tenant, import.id, from, to, reading.app.now()).await?;
    if !changed {
        return Err(ApiError::conflict("import_not_in_state"));
    }
    answer(reading, request, import.id).await
}

/// Begin a preview of all rows in the background: each is decided on what the rows before it would leave, and nothing is
/// written.
#[utoipa::path(tag = "Imports", operation_id = "previewImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "It begins.", body = ImportDetail)))]
#[post("/api/imports/{id}/preview")]
async fn begin_preview(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    use ImportState::{Done, Mapping, Previewed, Previewing};
    let import = find(&reading, id.0, Right::Write).await?;
    let details = import
        .details
        .as_ref()
        .ok_or_else(|| ApiError::conflict("import_erased"))?;
    check(&reading, import.kind, &details.mapping, details.headers.len()).await?;
    change(&reading, &request, import, &[Mapping, Previewed, Done], Previewing).await
}

/// An import that the caller may run now.
async fn to_run(reading: &Reading, id: Uuid) -> Result<Import, ApiError> {
    let import = find(reading, id, Right::Write).await?;
    let rules = import.kind.rules();
    let (books, _) = reading.app.journal.books(&reading.caller.tenant).await?;
    // The rows are written in the background, where nobody gives a code.
    if rules.needs_fresh_code() || (rules.moves_money() && books.second_factor_rule().code_from.is_some()) {
        fresh_code::require(&reading.app, &reading.caller).await?;
    }
    Ok(import)
}

/// Begin the run in the background. It needs a preview of the rows as they are, with the totals that the mapping expects;
/// opening balances need expected totals. Each row is added at the figures of its preview, or refused (`quote_changed`); a
/// delivery is completed at the fee in force.
#[utoipa::path(tag = "Imports", operation_id = "startImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "It begins.", body = ImportDetail)))]
#[post("/api/imports/{id}/start")]
async fn start(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = to_run(&reading, id.0).await?;
    if import.details.is_none() {
        return Err(ApiError::conflict("import_erased"));
    }
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    match imports.start(tenant, import.id, reading.app.now()).await? {
        Started::Begun => answer(&reading, &request, import.id).await,
        Started::TotalsDiffer => Err(ApiError::conflict("import_totals_differ")),
        Started::TotalsMissing => Err(ApiError::invalid("expected", "import_totals_required")),
        Started::NotInState => Err(ApiError::conflict("import_not_in_state")),
    }
}

/// Pause the run after the rows under way. Other members of the office may, too.
#[utoipa::path(tag = "Imports", operation_id = "pauseImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "It pauses.", body = ImportDetail)))]
#[post("/api/imports/{id}/pause")]
async fn pause(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = find_of_any(&reading, id.0, Right::Write).await?;
    change(&reading, &request, import, &[ImportState::Running], ImportState::Paused).await
}

/// Go on with a paused run.
#[utoipa::path(tag = "Imports", operation_id = "resumeImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "It goes on.", body = ImportDetail)))]
#[post("/api/imports/{id}/resume")]
async fn resume(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = to_run(&reading, id.0).await?;
    change(&reading, &request, import, &[ImportState::Paused], ImportState::Running).await
}

/// End an import. What its rows have added stays; the same file, uploaded again, goes on with the others. Other members of
/// the office may, too; one who uploads the file goes on with it.
#[utoipa::path(tag = "Imports", operation_id = "cancelImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "It is ended.", body = ImportDetail)))]
#[post("/api/imports/{id}/cancel")]
async fn cancel(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    use ImportState::{Canceled, Mapping, Paused, Previewed, Previewing, Running};
    let from = [Mapping, Previewing, Previewed, Running, Paused];
    let import = find_of_any(&reading, id.0, Right::Write).await?;
    change(&reading, &request, import, &from, Canceled).await
}

/// Rows with what becomes of them, by line.
#[utoipa::path(tag = "Imports", operation_id = "listImportRows", params(("id" = Uuid, Path), ImportRowsParams),
    responses((status = 200, description = "A page.", body = pages::ImportRowPage)))]
#[get("/api/imports/{id}/rows")]
async fn list_rows(
    reading: Reading,
    request: HttpRequest,
    id: PathId,
    Filters(params): Filters<ImportRowsParams>,
) -> Result<HttpResponse, ApiError> {
    let import = find(&reading, id.0, Right::Read).await?;
    let size = params.records_per_page.unwrap_or(10);
    if !(0..=MAX_RECORDS_PER_PAGE).contains(&size) {
        return Err(ApiError::invalid("RecordsPerPage", "value_unknown"));
    }
    let current = params.current_page.unwrap_or(1);
    if !(1..=MAX_PAGE).contains(&current) {
        return Err(ApiError::invalid("CurrentPage", "value_unknown"));
    }
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    let counts = imports.counts(tenant, import.id).await?;
    // Rows that were changed since the preview show none.
    let total = match params.result {
        Some(_) => counts.shown.of(params.result),
        None => imports.noted(tenant, import.id).await?,
    };
    if size == 0 && total > MAX_ALL_RECORDS {
        return Err(ApiError::from(Refusal::invalid_with(
            "RecordsPerPage",
            "export_instead",
            [("max", MAX_ALL_RECORDS.to_string())],
        )));
    }
    let limit = if size == 0 { MAX_ALL_RECORDS } else { size };
    let rows = imports
        .rows(tenant, &import, (current - 1) * limit, limit, params.result)
        .await?;
    let columns = import.details.as_ref().map_or(0, |details| details.headers.len());
    let language = Language::of(&request);
    Ok(HttpResponse::Ok().json(Page {
        data: rows.into_iter().map(|row| row_view(row, columns, language)).collect(),
        items_per_page: size,
        current_page: current,
        total_pages: (total + limit - 1) / limit,
        total_records: total,
        is_partial: false,
    }))
}

fn row_view(row: ShownRow, columns: usize, language: Language) -> ImportRow {
    let ShownRow {
        row,
        line,
        cells,
        preview,
        result,
        left_out,
    } = row;
    let (previewed, ran) = (
        preview.as_ref().map(|own| own.result),
        result.as_ref().map(|own| own.result),
    );
    let balance = preview.as_ref().and_then(|own| own.balance.clone());
    let Outcome {
        errors, record, code, ..
    } = match (result, preview) {
        (Some(outcome), _) | (None, Some(outcome)) => outcome,
        (None, None) => Outcome {
            result: RowResult::LeftOut,
            errors: Vec::new(),
            record: None,
            code: None,
            balance: None,
            figures: None,
            proposal: None,
            decided: Vec::new(),
        },
    };
    ImportRow {
        row,
        line,
        cells: padded(&cells.unwrap_or_default(), columns),
        left_out,
        preview: previewed,
        result: ran,
        errors: errors.into_iter().map(|error| error_view(error, language)).collect(),
        record,
        code,
        balance: balance.map(|(amount, currency)| ImportRowBalance { amount, currency }),
    }
}

fn error_view(error: RowError, language: Language) -> ImportRowError {
    let params = fixing::params_of(&error.params);
    ImportRowError {
        detail: text_of(&error.code, language, &params),
        said: Said::of(&error.code, language, &params),
        column: error.column,
        field: error.field,
        code: error.code,
    }
}

/// Correct cells of a row, or leave it out. A row that was added stays as it is. A new preview is needed.
#[utoipa::path(tag = "Imports", operation_id = "changeImportRow", request_body = ImportRowInput,
    params(("id" = Uuid, Path), ("number" = u32, Path, description = "Number of the row, from 0")),
    responses((status = 200, description = "Changed.", body = ImportRow)))]
#[put("/api/imports/{id}/rows/{number}")]
async fn change_row(
    reading: Reading,
    request: HttpRequest,
    part: PathPart,
    body: JsonBody<ImportRowInput>,
) -> Result<HttpResponse, ApiError> {
    let import = find(&reading, part.id, Right::Write).await?;
    let details = import
        .details
        .as_ref()
        .ok_or_else(|| ApiError::conflict("import_erased"))?;
    let row = i32::try_from(part.number).ok().filter(|row| *row < import.rows);
    let row = row.ok_or_else(|| ApiError::not_found("import_row_not_found"))?;
    let columns = details.headers.len();
    let change = row_change(body.into_inner(), columns)?;
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    if !imports
        .change_row(tenant, &import, row, change, reading.app.now())
        .await?
    {
        return Err(ApiError::conflict("import_row_is_fixed"));
    }
    let found = imports.row(tenant, &import, row).await?;
    let found = found.ok_or_else(|| ApiError::not_found("import_row_not_found"))?;
    Ok(HttpResponse::Ok().json(row_view(found, columns, Language::of(&request))))
}

fn row_change(input: ImportRowInput, columns: usize) -> Result<RowChange, ApiError> {
    match (input.left_out, input.cells.is_empty()) {
        (Some(leaves_out), true) => return Ok(RowChange::LeaveOut(leaves_out)),
        (Some(_), false) => return Err(ApiError::invalid("leftOut", "field_unknown")),
        (None, true) => return Err(ApiError::invalid("cells", "required")),
        (None, false) => {}
    }
    let mut cells = BTreeMap::new();
    for (place, cell) in input.cells.into_iter().enumerate() {
        let field = |name: &str| format!("cells[{place}].{name}");
        if cell.column >= columns {
            return Err(ApiError::invalid(field("column"), "value_unknown"));
        }
        if cell.text.chars().count() > MAX_CELL_CHARS {
            return Err(
                Refusal::invalid_with(field("text"), "text_too_long", [("max", MAX_CELL_CHARS.to_string())]).into(),
            );
        }
        if cells.insert(cell.column, reader::typed(&cell.text)).is_some() {
            return Err(ApiError::invalid(field("column"), "duplicate"));
        }
    }
    Ok(RowChange::Cells(cells))
}

/// The rows in error with a column of their errors, to be corrected and uploaded again: it adds no row twice, because no other
/// row is in it.
#[utoipa::path(tag = "Imports", operation_id = "exportImportErrors", params(("id" = Uuid, Path), ImportFileParams),
    responses((status = 200, description = "The file.", content(
        (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
#[get("/api/imports/{id}/file")]
async fn get_file(
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
        _ => fixing::csv(&details.headers, &rows, details.mapping.decimal, language).map_err(ApiError::internal),
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

#[cfg(test)]
mod tests {
    use super::ImportKind;
    use crate::policy;

    #[test]
    fn the_calls_of_imports_admit_the_areas_of_all_kinds() {
        let rows = policy::TABLE.iter().filter(|row| row.path.starts_with("/api/imports"));
        for (row, kind) in rows.flat_map(|row| ImportKind::ALL.iter().map(move |kind| (row, kind))) {
            let area = kind.rules().area();
            assert!(
                row.areas.contains(&area),
                "{} {}: {}",
                row.method,
                row.path,
                kind.as_str()
            );
        }
    }
}
