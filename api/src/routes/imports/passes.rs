//! The mapping, and what begins, stops and ends the passes over the rows.

use super::{
    access::{find, find_of_any},
    answer,
    bodies::ImportDetail,
};
use crate::{
    extract::{JsonBody, PathId, Reading},
    fresh_code,
    imports::{
        import::{Details, Import, ImportState},
        kinds::ImportKind,
        mapping::Mapping,
        store::{CHUNK, Started},
        values::DateOrder,
    },
    problem::ApiError,
};
use actix_web::{HttpRequest, HttpResponse, post, put};
use caudal_domain::{FieldError, ids::PartyId, office::Right, party::Role, refusal::Params};
use std::borrow::Cow;
use uuid::Uuid;

/// Say which columns are which fields. It is saved for files with the same headers, without values that may be of a person, and a
/// new preview is needed. Where the order of dates (`dates`) is not said, it is the one that all dates of the file show that show one.
#[utoipa::path(tag = "Imports", operation_id = "setImportMapping", request_body = Mapping, params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import with the saved mapping.", body = ImportDetail)))]
#[put("/api/imports/{id}/mapping")]
pub(super) async fn set_mapping(
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
    let mut mapping = body.into_inner();
    check(&reading, import.kind, &mapping, details.headers.len()).await?;
    if mapping.lacks_order(import.kind) {
        mapping.dates = order_shown(&reading, &import, &mapping).await?;
    }
    let details = Details { mapping, ..details };
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    if !imports.map(tenant, &import, &details, reading.app.now()).await? {
        return Err(ApiError::conflict("import_not_in_state"));
    }
    answer(&reading, &request, import.id).await
}

/// The order of days and months that the dates of a file show, in columns that may be others than the guessed ones.
async fn order_shown(reading: &Reading, import: &Import, mapping: &Mapping) -> Result<Option<DateOrder>, ApiError> {
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    let mut shown = None;
    for chunk in 0..(import.rows + CHUNK - 1) / CHUNK {
        let rows = imports.chunk(tenant, import.id, chunk).await?;
        for order in mapping.orders_of(import.kind, &rows) {
            if shown.replace(order).is_some_and(|before| before != order) {
                return Ok(None);
            }
        }
    }
    Ok(shown)
}

/// Checks a mapping, and that a manager names whose data it is.
async fn check(reading: &Reading, kind: ImportKind, mapping: &Mapping, columns: usize) -> Result<(), ApiError> {
    let mut errors = mapping.check(kind, columns).err().unwrap_or_default();
    if reading.caller.role == Role::Manager && kind.rules().has_owner() {
        let (tenant_state, _) = reading.app.journal.state(&reading.caller.tenant).await?;
        let owner = mapping.owner.and_then(|owner| tenant_state.party(PartyId(owner)));
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
    let changed = import.state == to || imports.change(tenant, &import, from, to, reading.app.now()).await?;
    if !changed {
        return Err(ApiError::conflict("import_not_in_state"));
    }
    answer(reading, request, import.id).await
}

/// Begin a preview of all rows in the background: each is decided on what the rows before it would leave, and nothing is
/// written.
#[utoipa::path(tag = "Imports", operation_id = "previewImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import; its preview has begun.", body = ImportDetail)))]
#[post("/api/imports/{id}/preview")]
pub(super) async fn begin_preview(
    reading: Reading,
    request: HttpRequest,
    id: PathId,
) -> Result<HttpResponse, ApiError> {
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
    let (tenant_state, _) = reading.app.journal.state(&reading.caller.tenant).await?;
    // The rows are written in the background, where nobody gives a code.
    if rules.needs_fresh_code() || (rules.moves_money() && tenant_state.second_factor_rule().code_from.is_some()) {
        fresh_code::require(&reading.app, &reading.caller).await?;
    }
    Ok(import)
}

/// Begin the run in the background. It needs a preview of the rows as they are, with the totals that the mapping expects;
/// opening balances need expected totals. Each row is added at the figures of its preview, or refused (`quote_changed`); a
/// delivery is completed at the fee in force.
#[utoipa::path(tag = "Imports", operation_id = "startImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import; its run has begun.", body = ImportDetail)))]
#[post("/api/imports/{id}/start")]
pub(super) async fn start(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = to_run(&reading, id.0).await?;
    if import.details.is_none() {
        return Err(ApiError::conflict("import_erased"));
    }
    let (imports, tenant) = (&reading.app.imports, &reading.caller.tenant);
    match imports.start(tenant, &import, reading.app.now()).await? {
        Started::Begun => answer(&reading, &request, import.id).await,
        Started::TotalsDiffer => Err(ApiError::conflict("import_totals_differ")),
        Started::TotalsMissing => Err(ApiError::invalid("expected", "import_totals_required")),
        Started::NotAsPreviewed => Err(ApiError::conflict("import_not_as_previewed")),
        Started::NotInState => Err(ApiError::conflict("import_not_in_state")),
    }
}

/// Pause the run after the rows under way. Other members of the office may, too.
#[utoipa::path(tag = "Imports", operation_id = "pauseImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import; its run pauses after the row in work.", body = ImportDetail)))]
#[post("/api/imports/{id}/pause")]
pub(super) async fn pause(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = find_of_any(&reading, id.0, Right::Write).await?;
    change(&reading, &request, import, &[ImportState::Running], ImportState::Paused).await
}

/// Go on with a paused run.
#[utoipa::path(tag = "Imports", operation_id = "resumeImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The import; its run goes on.", body = ImportDetail)))]
#[post("/api/imports/{id}/resume")]
pub(super) async fn resume(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let import = to_run(&reading, id.0).await?;
    change(&reading, &request, import, &[ImportState::Paused], ImportState::Running).await
}

/// End an import. What its rows have added stays; the same file, uploaded again, goes on with the others. Other members of
/// the office may, too; one who uploads the file goes on with it.
#[utoipa::path(tag = "Imports", operation_id = "cancelImport", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The canceled import; rows that were imported stay.",
               body = ImportDetail)))]
#[post("/api/imports/{id}/cancel")]
pub(super) async fn cancel(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    use ImportState::{Canceled, Mapping, Paused, Previewed, Previewing, Running};
    let from = [Mapping, Previewing, Previewed, Running, Paused];
    let import = find_of_any(&reading, id.0, Right::Write).await?;
    change(&reading, &request, import, &from, Canceled).await
}
