//! What there is: of each currency, with each party, and with each dealer on a day.

use super::{pages, params};
use crate::{
    extract::{ListQuery, Reading},
    problem::ApiError,
};
use actix_web::{HttpResponse, get};
use caudal_projections::accounting;
use utoipa_actix_web::service_config::ServiceConfig;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(real_balances).service(party_balances).service(daily_credit);
}

/// What would be left of each currency if everything owed were paid, now or as of a moment.
#[utoipa::path(tag = "Accounting", operation_id = "listRealBalances", params(params::RealBalances),
    responses((status = 200, description = "A page, and the total in USD.", body = pages::RealBalancePage)))]
#[get("/api/accounting/real_balances")]
async fn real_balances(reading: Reading, query: ListQuery) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, _) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(accounting::real_balances(&mut snapshot, &query).await?))
}

/// What agencies, external agents, dealers and delivery men have and owe, now or as of a moment.
#[utoipa::path(tag = "Accounting", operation_id = "listPartyBalances", params(params::PartyBalances),
    responses((status = 200, description = "A page.", body = pages::PartyBalancePage)))]
#[get("/api/accounting/party_balances")]
async fn party_balances(reading: Reading, query: ListQuery) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(accounting::party_balances(&mut snapshot, &scope, &query).await?))
}

/// What happened to the cash of each dealer and its delivery men on a day.
#[utoipa::path(tag = "Dealers", operation_id = "listDailyCredit", params(params::DealerDays),
    responses((status = 200, description = "A page.", body = pages::DealerClosingPage)))]
#[get("/api/dealer/dayli_credit_report")]
async fn daily_credit(reading: Reading, query: ListQuery) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    let answer = accounting::daily_credit(&mut snapshot, &scope, &query, reading.app.now()).await?;
    Ok(HttpResponse::Ok().json(answer))
}
