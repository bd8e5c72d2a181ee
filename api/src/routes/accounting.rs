//! Closures, the accounts' balances and their entries.

use super::{pages, params};
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::movement::ClosureInput,
    listing::Listing,
    problem::ApiError,
    submit::Submit,
};
use actix_web::{HttpResponse, get, post};
use caudal_domain::{Command, ids::ClosureId};
use caudal_projections::{
    closure::{self, Closure},
    ledger,
    print::tables,
};
use utoipa_actix_web::service_config::ServiceConfig;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(close_period)
        .service(list_closures)
        .service(get_closure)
        .service(list_balances)
        .service(list_entries);
}

/// Close a seller's period: its figures are frozen and its commission is billed.
#[utoipa::path(tag = "Closures", operation_id = "closePeriod", request_body = ClosureInput,
    responses((status = 201, description = "Closed.", body = Closure)))]
#[post("/api/accounting/closures")]
async fn close_period(submit: Submit, body: JsonBody<ClosureInput>) -> Result<HttpResponse, ApiError> {
    let close = body.into_inner().command(ClosureId::generate())?;
    let done = submit.run(Command::Closure(close)).await?;
    let (mut snapshot, scope) = submit.read_back(&done).await?;
    let closure = closure::get(&mut snapshot, &scope, ClosureId(done.answer.id)).await?;
    Ok(HttpResponse::Created().json(closure))
}

/// Closures.
#[utoipa::path(tag = "Closures", operation_id = "listClosures",
    params(params::Closures),
    responses((status = 200, description = "A page.", body = pages::ClosurePage)))]
#[get("/api/accounting/closures")]
async fn list_closures(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&tables::CLOSURES, |s, c, q| Box::pin(closure::list(s, c, q)))
        .await
}

/// One closure.
#[utoipa::path(tag = "Closures", operation_id = "getClosure", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = Closure)))]
#[get("/api/accounting/closures/{id}")]
async fn get_closure(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(closure::get(&mut snapshot, &scope, ClosureId(id.0)).await?))
}

/// Every account's balance over a period; without dates, now.
#[utoipa::path(tag = "Accounting", operation_id = "listAccountBalances",
    params(params::Balances),
    responses((status = 200, description = "A page, and the totals of all pages.", body = pages::AccountBalancePage)))]
#[get("/api/accounting/balances")]
async fn list_balances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&tables::BALANCES, |s, c, q| Box::pin(ledger::balances(s, c, q)))
        .await
}

/// The journal of entries.
#[utoipa::path(tag = "Accounting", operation_id = "listEntries", params(params::Entries),
    responses((status = 200, description = "A page.", body = pages::LedgerEntryPage)))]
#[get("/api/accounting/entries")]
async fn list_entries(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer_lines(
            &tables::ENTRIES,
            |s, c, q| Box::pin(ledger::entries(s, c, q)),
            tables::entry_lines,
        )
        .await
}
