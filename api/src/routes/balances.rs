//! Balances: per currency, per party, and per dealer and day.

use super::pages;
use crate::{listing::Listing, offers, parameters::asked, problem::ApiError, registry::Registry};
use actix_web::{HttpResponse, get};
use caudal_projections::{accounting, lists};

asked! {
    RealBalancesParams = lists::REAL_BALANCES;
    PartyBalancesParams = lists::PARTY_BALANCES;
    DealerDaysParams = lists::DAILY_CREDIT;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(real_balances).service(party_balances).service(daily_credit);
}

/// Net balance of each currency if all obligations were settled, now or at a time.
#[utoipa::path(tag = "Accounting", operation_id = "listRealBalances", params(RealBalancesParams),
    responses((status = 200, description = "The page of balances with the total in USD.",
               body = pages::RealBalancePage)))]
#[get("/api/accounting/real_balances")]
async fn real_balances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::REAL_BALANCES, |s, _, q| {
            Box::pin(accounting::real_balances(s, q))
        })
        .await
}

/// Holdings and debits of agencies, external agents, dealers and delivery men, now or at a time.
#[utoipa::path(tag = "Accounting", operation_id = "listPartyBalances", params(PartyBalancesParams),
    responses((status = 200, description = "The page of party balances with the count.",
               body = pages::PartyBalancePage)))]
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

/// Cash flow of each dealer and its delivery men on a day.
#[utoipa::path(tag = "Dealers", operation_id = "listDailyCredit", params(DealerDaysParams),
    responses((status = 200, description = "The page of daily closings of dealers with the count.",
               body = pages::DealerClosingPage)))]
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
