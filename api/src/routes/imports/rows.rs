//! Rows of an import: what becomes of them, and their corrections.

use super::{
    access::find,
    bodies::{ImportRow, ImportRowInput, ImportRowsParams},
    views::row_view,
};
use crate::{
    extract::{Filters, JsonBody, Language, PathId, PathPart, Reading},
    imports::{
        import::RowChange,
        reader::{self, MAX_CELL_CHARS},
    },
    problem::ApiError,
    routes::pages,
};
use actix_web::{HttpRequest, HttpResponse, get, put};
use caudal_domain::{Refusal, office::Right};
use caudal_projections::page::{MAX_ALL_RECORDS, MAX_PAGE, MAX_RECORDS_PER_PAGE, Page};
use std::collections::BTreeMap;

/// Rows with what becomes of them, by line.
#[utoipa::path(tag = "Imports", operation_id = "listImportRows", params(("id" = Uuid, Path), ImportRowsParams),
    responses((status = 200, description = "A page.", body = pages::ImportRowPage)))]
#[get("/api/imports/{id}/rows")]
pub(super) async fn list_rows(
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

/// Correct cells of a row, or leave it out. A row that was added stays as it is. A new preview is needed.
#[utoipa::path(tag = "Imports", operation_id = "changeImportRow", request_body = ImportRowInput,
    params(("id" = Uuid, Path), ("number" = u32, Path, description = "Number of the row, from 0")),
    responses((status = 200, description = "Changed.", body = ImportRow)))]
#[put("/api/imports/{id}/rows/{number}")]
pub(super) async fn change_row(
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
        (Some(_), false) => {
            return Err(Refusal::invalid_with("leftOut", "field_unknown", [("allowed", "cells".to_owned())]).into());
        }
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
