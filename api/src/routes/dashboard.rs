//! The dashboard, sales, and closures before they are made.

use super::pages;
use crate::{
    extract::{Filters, JsonBody, Reading},
    input::dashboard::{AgencyReportInput, AgentReportInput, StatisticsQuery, TotalsQuery},
    listing::Listing,
    offers,
    openapi::lists::asked,
    problem::ApiError,
};
use actix_web::{HttpResponse, get, post};
use caudal_projections::{
    accounting::{self, Attention, PreviewQuery, RemittanceStatistics, RemittanceTotals, Sellers},
    lists,
};
use std::sync::Arc;
use utoipa_actix_web::service_config::ServiceConfig;

asked! {
    SellersTableParams = lists::SELLER_REMITTANCES;
    SalesParams = lists::SALES;
    DealerSalesParams = lists::DEALER_SALES;
    DealerClosingsParams = lists::DEALER_CLOSINGS;
    PreviewsParams = lists::CLOSURE_PREVIEWS;
}

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(statistics)
        .service(totals)
        .service(seller_remittances)
        .service(attention)
        .service(sales)
        .service(dealer_sales)
        .service(dealer_closing)
        .service(agency_report)
        .service(agent_report);
}

/// How many remittances were created per day, hour or month; those canceled not counted. At most 366 days, one day of
/// hours, ten years of months; the last 30 days by default.
#[utoipa::path(tag = "Dashboard", operation_id = "getRemittanceStatistics", params(StatisticsQuery),
    responses((status = 200, description = "One row a day.", body = RemittanceStatistics)))]
#[get("/api/dashboard/remittance/statistics")]
async fn statistics(reading: Reading, query: Filters<StatisticsQuery>) -> Result<HttpResponse, ApiError> {
    let (asked, per) = query.0.query()?;
    let (mut snapshot, scope) = reading.begin().await?;
    let answer = accounting::statistics(&mut snapshot, &scope, &asked, per, reading.app.now()).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Totals of a period, and of the one before. Days go before rangeSelector; the current day by default.
#[utoipa::path(tag = "Dashboard", operation_id = "getRemittanceTotals", params(TotalsQuery),
    responses((status = 200, description = "One row a currency.", body = RemittanceTotals)))]
#[get("/api/dashboard/agency/remittance/total")]
async fn totals(reading: Reading, query: Filters<TotalsQuery>) -> Result<HttpResponse, ApiError> {
    let asked = query.0.query()?;
    let (mut snapshot, scope) = reading.begin().await?;
    let answer = accounting::totals(&mut snapshot, &scope, &asked, reading.app.now()).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// What each agency (and agent without one) sold in a period; for an agency, each of its agents; for an agent nothing.
#[utoipa::path(tag = "Dashboard", operation_id = "listSellerRemittances", params(SellersTableParams),
    responses((status = 200, description = "A page.", body = pages::SellerRemittancesPage)))]
#[get("/api/dashboard/agent/remittance")]
async fn seller_remittances(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::SELLER_REMITTANCES, move |s, c, q| {
            Box::pin(accounting::sellers(s, c, q, now))
        })
        .await
}

/// Remittances in error, in shipping for more than 3 days, balances below a tenth of what the 30 days before sold on
/// average in a week, open debits.
#[utoipa::path(tag = "Dashboard", operation_id = "getAttention",
    responses((status = 200, description = "At most 5 of each kind.", body = Attention)))]
#[get("/api/dashboard/attention")]
async fn attention(reading: Reading) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    let answer = accounting::attention(&mut snapshot, &scope, reading.app.now()).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// What each seller sold in a period, less what was canceled or edited away in it, by currency.
#[utoipa::path(tag = "Accounting", operation_id = "listSales", params(SalesParams),
    responses((status = 200, description = "A page, and the totals of all pages.", body = pages::SalesPage)))]
#[get("/api/dashboard/sales")]
async fn sales(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::SALES, move |s, c, q| Box::pin(accounting::sales(s, c, q, now)))
        .await
}

/// What each dealer and its delivery men delivered in a period, and the fees that they earned.
#[utoipa::path(tag = "Accounting", operation_id = "listDealerSales", params(DealerSalesParams),
    responses((status = 200, description = "A page.", body = pages::DealerSalesPage)))]
#[get("/api/dashboard/dealer/sales")]
async fn dealer_sales(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer_lines(
            &lists::DEALER_SALES,
            move |s, c, q| Box::pin(accounting::dealer_sales(s, c, q, now)),
            lists::delivery_lines,
        )
        .await
}

/// What happened to the cash of each dealer and its delivery men in a period.
#[utoipa::path(tag = "Accounting", operation_id = "listDealerClosings", params(DealerClosingsParams),
    responses((status = 200, description = "A page.", body = pages::DealerClosingPage)))]
#[get("/api/dashboard/dealer/closing")]
async fn dealer_closing(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer_lines(
            &lists::DEALER_CLOSINGS,
            move |s, c, q| Box::pin(accounting::dealer_closing(s, c, q, now)),
            lists::cash_lines,
        )
        .await
}

/// What the closures of agencies would say of a period; since the last closure by default. Nothing is closed.
#[utoipa::path(tag = "Closures", operation_id = "previewAgencyClosures", params(PreviewsParams),
    request_body = AgencyReportInput,
    responses((status = 200, description = "A page.", body = pages::ClosurePreviewPage)))]
#[post("/api/dashboard/agency/report")]
async fn agency_report(listing: Listing, body: JsonBody<AgencyReportInput>) -> Result<HttpResponse, ApiError> {
    previews(listing, Sellers::Agencies, body.into_inner().query()?).await
}

/// What the closures of external agents would say of a period; since the last closure by default. Nothing is closed.
#[utoipa::path(tag = "Closures", operation_id = "previewAgentClosures", params(PreviewsParams),
    request_body = AgentReportInput,
    responses((status = 200, description = "A page.", body = pages::ClosurePreviewPage)))]
#[post("/api/dashboard/agent/report")]
async fn agent_report(listing: Listing, body: JsonBody<AgentReportInput>) -> Result<HttpResponse, ApiError> {
    previews(listing, Sellers::Agents, body.into_inner().query()?).await
}

async fn previews(listing: Listing, sellers: Sellers, asked: PreviewQuery) -> Result<HttpResponse, ApiError> {
    let (now, asked) = (listing.now(), Arc::new(asked));
    listing
        .answer(&lists::CLOSURE_PREVIEWS, move |s, c, q| {
            let asked = Arc::clone(&asked);
            Box::pin(
                async move { offers::page(accounting::previews(s, c, sellers, &asked, q, now).await?, s, c).await },
            )
        })
        .await
}
