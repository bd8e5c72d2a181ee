//! Remittances: quoting, selling, editing, and what becomes of them.

mod acts;
mod bulk;
mod quotes;

use self::quotes::QuoteView;
use super::{pages, params};
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::remittance::{
        CurrentDetails, DealerDeskInput, RemittanceAmountInput, RemittanceDetailsInput, RemittanceInput,
    },
    listing::Listing,
    problem::ApiError,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, get, post, put};
use caudal_domain::{
    Command,
    ids::{PartyId, RemittanceId},
    remittance::RemittanceCommand,
};
use caudal_projections::{
    print::tables,
    remittance::{self, Remittance, RemittanceSummary, RemittanceTerms},
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(quotes::get_quote)
        .service(summarize_remittances)
        .service(list_remittances)
        .service(create_remittance)
        .service(dealer_desk)
        .service(bulk::assign_dealer_in_bulk)
        .service(update_details)
        .service(get_remittance)
        .service(update_amount)
        .service(list_history)
        .service(get_terms)
        .service(acts::assign_dealer)
        .service(acts::mark_error)
        .service(acts::cancel)
        .service(acts::complete);
}

/// How many remittances of the caller's scope stand in which state, and what is paid out for them.
#[utoipa::path(tag = "Remittances", operation_id = "summarizeRemittances", params(params::RemittanceFilters),
    responses((status = 200, description = "The figures.", body = RemittanceSummary)))]
#[get("/api/remittances/summary")]
async fn summarize_remittances(listing: Listing) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope, query) = listing.begin_figures().await?;
    Ok(HttpResponse::Ok().json(remittance::summary(&mut snapshot, &scope, query).await?))
}

/// Remittances in the caller's scope.
#[utoipa::path(tag = "Remittances", operation_id = "listRemittances",
    params(params::Remittances),
    responses((status = 200, description = "A page.", body = pages::RemittancePage)))]
#[get("/api/remittances")]
async fn list_remittances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&tables::REMITTANCES, |s, c, q| Box::pin(remittance::list(s, c, q)))
        .await
}

/// The dealer desk: the caller's remittances of some agencies, or of all, in the order of dispatch.
#[utoipa::path(tag = "Remittances", operation_id = "listDealerDesk", params(params::DealerDesk), request_body = DealerDeskInput,
    responses((status = 200, description = "A page.", body = pages::RemittancePage)))]
#[post("/api/remittances/dealer")]
async fn dealer_desk(listing: Listing, body: JsonBody<DealerDeskInput>) -> Result<HttpResponse, ApiError> {
    let agencies: Arc<[PartyId]> = body.into_inner().agencies()?.into();
    listing
        .answer(&tables::DISPATCH, move |s, c, q| {
            let agencies = Arc::clone(&agencies);
            Box::pin(async move { remittance::dispatch(s, c, &agencies, q).await })
        })
        .await
}

/// One remittance.
#[utoipa::path(tag = "Remittances", operation_id = "getRemittance", params(("id" = Uuid, Path)),
    responses((status = 200, description = "It.", body = Remittance)))]
#[get("/api/remittances/{id}")]
async fn get_remittance(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(remittance::get(&mut snapshot, &scope, RemittanceId(id.0)).await?))
}

/// What happened to a remittance, oldest first.
#[utoipa::path(tag = "Remittances", operation_id = "listRemittanceHistory", params(params::History, ("id" = Uuid, Path)),
    responses((status = 200, description = "A page.", body = pages::RemittanceHistoryPage)))]
#[get("/api/remittances/{id}/history")]
async fn list_history(listing: Listing, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = RemittanceId(id.0);
    listing
        .about("remittanceId", id.0)
        .answer(&tables::HISTORY, move |s, c, q| {
            Box::pin(remittance::history(s, c, id, q))
        })
        .await
}

/// The terms frozen into a remittance.
#[utoipa::path(tag = "Remittances", operation_id = "getRemittanceTerms", params(("id" = Uuid, Path)),
    responses((status = 200, description = "They.", body = RemittanceTerms)))]
#[get("/api/remittances/{id}/payment_group")]
async fn get_terms(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(remittance::payment_group(&mut snapshot, &scope, RemittanceId(id.0)).await?))
}

/// A sold remittance.
#[derive(Debug, Serialize, ToSchema)]
struct RemittanceCreated {
    /// Its id.
    id: Uuid,
    /// Its human number.
    #[schema(example = "R-000001")]
    code: String,
    /// Pending 0.
    #[schema(value_type = caudal_projections::scalar::RemittanceStatus)]
    status: u8,
    /// What it costs and pays.
    #[schema(value_type = QuoteView)]
    quote: Option<QuoteView>,
}

/// Sell a remittance.
#[utoipa::path(tag = "Remittances", operation_id = "createRemittance", request_body = RemittanceInput,
    responses((status = 201, description = "Sold.", body = RemittanceCreated)))]
#[post("/api/remittances")]
async fn create_remittance(submit: Submit, body: JsonBody<RemittanceInput>) -> Result<HttpResponse, ApiError> {
    let sale = body.into_inner().command(RemittanceId::generate())?;
    let answer = submit
        .run(Command::Remittance(sale.id, RemittanceCommand::Create(sale)))
        .await?
        .answer;
    Ok(HttpResponse::Created().json(RemittanceCreated {
        id: answer.id,
        code: answer.number.unwrap_or_default(),
        status: answer.status.unwrap_or_default(),
        quote: answer.quote.zip(answer.remaining_balance).map(QuoteView::from),
    }))
}

/// Change the amount or the group; it is quoted anew.
#[utoipa::path(tag = "Remittances", operation_id = "updateRemittanceAmount", request_body = RemittanceAmountInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Remittance)))]
#[put("/api/remittances/{id}")]
async fn update_amount(
    submit: Submit,
    id: PathId,
    body: JsonBody<RemittanceAmountInput>,
) -> Result<HttpResponse, ApiError> {
    let edit = body.into_inner().command()?;
    let id = RemittanceId(id.0);
    let done = submit
        .run(Command::Remittance(id, RemittanceCommand::EditAmount(edit)))
        .await?;
    answer(&submit, &done, id).await
}

/// Change recipient, address, delivery method, card or notes. What is absent stays.
#[utoipa::path(tag = "Remittances", operation_id = "updateRemittanceDetails", request_body = RemittanceDetailsInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Remittance)))]
#[put("/api/remittances/details/{id}")]
async fn update_details(
    submit: Submit,
    id: PathId,
    body: JsonBody<RemittanceDetailsInput>,
) -> Result<HttpResponse, ApiError> {
    let (id, input) = (RemittanceId(id.0), body.into_inner());
    let amended = submit.amend(async |submit| {
        let (mut snapshot, scope) = submit.read_now().await?;
        let current = remittance::details(&mut snapshot, &scope, id).await?;
        drop(snapshot);
        let edit = input.clone().command(CurrentDetails {
            recipient: current.recipient,
            address: current.address,
            notes: current.notes,
        })?;
        let command = Command::Remittance(id, RemittanceCommand::EditDetails(edit));
        submit.run(command).await
    });
    let done = amended.await?;
    answer(&submit, &done, id).await
}

/// A remittance as a command left it.
async fn answer(submit: &Submit, done: &Done, id: RemittanceId) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = submit.read_record_back(done).await?;
    Ok(HttpResponse::Ok().json(remittance::get(&mut snapshot, &scope, id).await?))
}
