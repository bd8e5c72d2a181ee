//! Dashboard, sales, and closure previews.

use super::pages;
use crate::{
    extract::{Filters, JsonBody, Reading},
    input::dashboard::{AgencyReportInput, AgentReportInput, StatisticsQuery, TotalsQuery},
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpResponse, get, post};
use caudal_domain::{office::Area, party::Role};
use caudal_projections::{
    accounting::{self, PreviewQuery, RemittanceStatistics, RemittanceTotals, Sellers},
    attention::{Attention, attention as items},
    lists,
};
use std::sync::Arc;

asked! {
    SellersTableParams = lists::SELLER_REMITTANCES;
    SalesParams = lists::SALES;
    DealerSalesParams = lists::DEALER_SALES;
    DealerClosingsParams = lists::DEALER_CLOSINGS;
    PreviewsParams = lists::CLOSURE_PREVIEWS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
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

/// Number of remittances created per hour, day or month, without canceled ones. At most 366 days, hours of one day, or
/// ten years of months; the last 30 days by default.
#[utoipa::path(tag = "Dashboard", operation_id = "getRemittanceStatistics", params(StatisticsQuery),
    responses((status = 200, description = "One row a day.", body = RemittanceStatistics)))]
#[get("/api/dashboard/remittance/statistics")]
async fn statistics(reading: Reading, query: Filters<StatisticsQuery>) -> Result<HttpResponse, ApiError> {
    let (asked, per) = query.0.query()?;
    let (mut transaction, scope) = reading.begin().await?;
    let answer = accounting::statistics(&mut transaction, &scope, &asked, per, reading.app.now()).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Totals of a period and of the previous one. Days take precedence over `rangeSelector`; today by default.
#[utoipa::path(tag = "Dashboard", operation_id = "getRemittanceTotals", params(TotalsQuery),
    responses((status = 200, description = "One row a currency.", body = RemittanceTotals)))]
#[get("/api/dashboard/agency/remittance/total")]
async fn totals(reading: Reading, query: Filters<TotalsQuery>) -> Result<HttpResponse, ApiError> {
    let asked = query.0.query()?;
    let (mut transaction, scope) = reading.begin().await?;
    let answer = accounting::totals(&mut transaction, &scope, &asked, reading.app.now()).await?;
    Ok(HttpResponse::Ok().json(answer))
}

/// Sales of each agency, and agent without one, in a period; for an agency, of each of its agents; empty for an agent.
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

/// Items that need attention: remittances in error, in shipping for more than 3 days, balances below a tenth of average
/// weekly sales, unpaid debits; for managers also backups that are missing or were not tried.
#[utoipa::path(tag = "Dashboard", operation_id = "getAttention",
    responses((status = 200, description = "At most 5 of each kind.", body = Attention)))]
#[get("/api/dashboard/attention")]
async fn attention(reading: Reading) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let mut answer = items(&mut transaction, &scope, reading.app.now()).await?;
    if scope.role == Role::Manager && scope.reads(Area::Settings) {
        answer.backup = reading.app.backups.need(reading.app.now()).await;
    }
    Ok(HttpResponse::Ok().json(answer))
}

/// Sales of each seller in a period by currency, net of cancellations and edits.
#[utoipa::path(tag = "Accounting", operation_id = "listSales", params(SalesParams),
    responses((status = 200, description = "A page, and the totals of all pages.", body = pages::SalesPage)))]
#[get("/api/dashboard/sales")]
async fn sales(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::SALES, move |s, c, q| Box::pin(accounting::sales(s, c, q, now)))
        .await
}

/// Deliveries of each dealer and its delivery men in a period, with the fees earned.
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

/// Cash flow of each dealer and its delivery men in a period.
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

/// Closure previews of agencies for a period; since the last closure by default. Closes nothing.
#[utoipa::path(tag = "Closures", operation_id = "previewAgencyClosures", params(PreviewsParams),
    request_body = AgencyReportInput,
    responses((status = 200, description = "A page.", body = pages::ClosurePreviewPage)))]
#[post("/api/dashboard/agency/report")]
async fn agency_report(listing: Listing, body: JsonBody<AgencyReportInput>) -> Result<HttpResponse, ApiError> {
    previews(listing, Sellers::Agencies, body.into_inner().query()?).await
}

/// Closure previews of external agents for a period; since the last closure by default. Closes nothing.
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
