//! What there is: of each currency, with each party, and with each dealer on a day.

use super::pages;
use crate::{listing::Listing, offers, openapi::lists::asked, problem::ApiError};
use actix_web::{HttpResponse, get};
use caudal_projections::{accounting, lists};
use utoipa_actix_web::service_config::ServiceConfig;

asked! {
    RealBalancesParams = lists::REAL_BALANCES;
    PartyBalancesParams = lists::PARTY_BALANCES;
    DealerDaysParams = lists::DAILY_CREDIT;
}

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(real_balances).service(party_balances).service(daily_credit);
}

/// What would be left of each currency if everything owed were paid, now or as of a moment.
#[utoipa::path(tag = "Accounting", operation_id = "listRealBalances", params(RealBalancesParams),
    responses((status = 200, description = "A page, and the total in USD.", body = pages::RealBalancePage)))]
#[get("/api/accounting/real_balances")]
async fn real_balances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::REAL_BALANCES, |s, _, q| {
            Box::pin(accounting::real_balances(s, q))
        })
        .await
}

/// What agencies, external agents, dealers and delivery men have and owe, now or as of a moment.
#[utoipa::path(tag = "Accounting", operation_id = "listPartyBalances", params(PartyBalancesParams),
    responses((status = 200, description = "A page.", body = pages::PartyBalancePage)))]
#[get("/api/accounting/party_balances")]
async fn party_balances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer_lines(
            &lists::PARTY_BALANCES,
            |s, c, q| Box::pin(async move { offers::page(accounting::party_balances(s, c, q).await?, s, c).await }),
            lists::holding_lines,
        )
        .await
}

/// What happened to the cash of each dealer and its delivery men on a day.
#[utoipa::path(tag = "Dealers", operation_id = "listDailyCredit", params(DealerDaysParams),
    responses((status = 200, description = "A page.", body = pages::DealerClosingPage)))]
#[get("/api/dealer/dayli_credit_report")]
async fn daily_credit(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer_lines(
            &lists::DAILY_CREDIT,
            move |s, c, q| Box::pin(accounting::daily_credit(s, c, q, now)),
            lists::cash_lines,
        )
        .await
}
