//! PDF documents: receipts, statements, dealer list.

use crate::{
    extract::{Filters, Language, PathId, Reading},
    listing::{Listing, printed, printing},
    parameters::asked,
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpRequest, HttpResponse, get};
use caudal_domain::ids::{ClosureId, MovementId, RemittanceId};
use caudal_export::Format;
use caudal_projections::{closure, document, lists, movement, party::dealer, remittance};
use serde::Deserialize;
use std::borrow::Cow;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, RefOr, SchemaFormat,
        schema::{Schema, Type},
    },
};

asked! {
    DealerReportParams = lists::DEALER_LIST_REPORT;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(remittance_receipt)
        .service(movement_receipt)
        .service(closure_statement)
        .service(dealer_list_report);
}

/// Parameters of a document, which is always a PDF.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFilters {}

struct PdfFile;

impl PartialSchema for PdfFile {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .into()
    }
}

impl ToSchema for PdfFile {
    fn name() -> Cow<'static, str> {
        "PdfFile".into()
    }
}

/// Receipt of a remittance, with its code as QR code.
#[utoipa::path(tag = "Documents", operation_id = "getRemittanceReceipt", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", content_type = "application/pdf", body = PdfFile)))]
#[get("/api/remittances/{id}/receipt")]
async fn remittance_receipt(
    reading: Reading,
    id: PathId,
    request: HttpRequest,
    _: Filters<NoFilters>,
) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let found = remittance::get(&mut transaction, &scope, RemittanceId(id.0)).await?;
    let seller = remittance::seller_contact(&mut transaction, &found).await?;
    let printing = printing(&reading, &mut transaction, Language::of(&request)).await?;
    drop(transaction);
    printed(document::remittance_receipt(&found, seller.as_ref(), &printing)).await
}

/// Receipt of a movement, with its number as QR code.
#[utoipa::path(tag = "Documents", operation_id = "getMovementReceipt", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", content_type = "application/pdf", body = PdfFile)))]
#[get("/api/sources/movements/{id}/receipt")]
async fn movement_receipt(
    reading: Reading,
    id: PathId,
    request: HttpRequest,
    _: Filters<NoFilters>,
) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let found = movement::get(&mut transaction, &scope, MovementId(id.0)).await?;
    let printing = printing(&reading, &mut transaction, Language::of(&request)).await?;
    drop(transaction);
    printed(document::movement_receipt(&found, &printing)).await
}

/// Statement of a closure, with its number as QR code.
#[utoipa::path(tag = "Documents", operation_id = "getClosureStatement", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", content_type = "application/pdf", body = PdfFile)))]
#[get("/api/accounting/closures/{id}/statement")]
async fn closure_statement(
    reading: Reading,
    id: PathId,
    request: HttpRequest,
    _: Filters<NoFilters>,
) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let found = closure::get(&mut transaction, &scope, ClosureId(id.0)).await?;
    let printing = printing(&reading, &mut transaction, Language::of(&request)).await?;
    drop(transaction);
    printed(document::statement(&found, &printing)).await
}

/// Dealer list report: name, telephone, activity, municipality and province of the filtered dealers.
#[utoipa::path(tag = "Documents", operation_id = "getDealerListReport", params(DealerReportParams),
    responses((status = 200, description = "It.", content_type = "application/pdf", body = PdfFile)))]
#[get("/api/dealer/report")]
async fn dealer_list_report(listing: Listing) -> Result<HttpResponse, ApiError> {
    let listing = listing.in_format(Format::Pdf)?;
    listing
        .answer(&lists::DEALER_LIST_REPORT, |s, c, q| Box::pin(dealer::list(s, c, q)))
        .await
}
