//! Remittances: quotes, sale, edits, and processing.

mod acts;
mod bulk;
mod quotes;

use self::quotes::QuoteView;
use super::pages;
use crate::{
    extract::{JsonBody, PathId, Reading},
    figures::Warning,
    input::remittance::{DealerDeskInput, RemittanceAmountInput, RemittanceDetailsInput, RemittanceInput},
    listing::Listing,
    parameters::{asked, filters},
    problem::ApiError,
    registry::Registry,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, get, post, put};
use caudal_domain::{
    Command,
    ids::{PartyId, RemittanceId},
    refusal::Params,
    remittance::{CreateRemittance, RemittanceCommand},
};
use caudal_projections::{
    from_log, lists,
    print::word,
    remittance::{self, Remittance, RemittanceSummary, RemittanceTerms},
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::{
    IntoParams, ToSchema,
    openapi::path::{Parameter, ParameterIn},
};
use uuid::Uuid;

asked! {
    RemittancesParams = lists::REMITTANCES;
    DealerDeskParams = lists::DISPATCH;
    HistoryParams = lists::HISTORY;
}

/// Filters of the summary: those of the list.
struct RemittanceFilters;

impl IntoParams for RemittanceFilters {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        filters(&lists::REMITTANCES.declared())
    }
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(quotes::get_quote)
        .service(summarize_remittances)
        .service(list_remittances)
        .service(create_remittance)
        .service(dealer_desk)
        .service(bulk::assign_dealer_in_bulk)
        .service(acts::list_disputes)
        .service(update_details)
        .service(get_remittance)
        .service(update_amount)
        .service(list_history)
        .service(get_terms)
        .service(acts::assign_dealer)
        .service(acts::mark_error)
        .service(acts::cancel)
        .service(acts::complete)
        .service(acts::record_attempt)
        .service(acts::settle_dispute);
}

/// Number and payouts of remittances in the caller's scope by status.
#[utoipa::path(tag = "Remittances", operation_id = "summarizeRemittances", params(RemittanceFilters),
    responses((status = 200, description = "The figures.", body = RemittanceSummary)))]
#[get("/api/remittances/summary")]
async fn summarize_remittances(listing: Listing) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope, query) = listing.begin_figures().await?;
    Ok(HttpResponse::Ok().json(remittance::summary(&mut transaction, &scope, query).await?))
}

/// Remittances in the caller's scope.
#[utoipa::path(tag = "Remittances", operation_id = "listRemittances",
    params(RemittancesParams),
    responses((status = 200, description = "A page.", body = pages::RemittancePage)))]
#[get("/api/remittances")]
async fn list_remittances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::REMITTANCES, |s, c, q| Box::pin(remittance::list(s, c, q)))
        .await
}

/// Dealer desk: remittances in the caller's scope of some agencies, or all, in dispatch order.
#[utoipa::path(tag = "Remittances", operation_id = "listDealerDesk", params(DealerDeskParams), request_body = DealerDeskInput,
    responses((status = 200, description = "A page.", body = pages::RemittancePage)))]
#[post("/api/remittances/dealer")]
async fn dealer_desk(listing: Listing, body: JsonBody<DealerDeskInput>) -> Result<HttpResponse, ApiError> {
    let agencies: Arc<[PartyId]> = body.into_inner().agencies()?.into();
    listing
        .answer(&lists::DISPATCH, move |s, c, q| {
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
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(remittance::get(&mut transaction, &scope, RemittanceId(id.0)).await?))
}

/// History of a remittance, oldest first.
#[utoipa::path(tag = "Remittances", operation_id = "listRemittanceHistory", params(HistoryParams, ("id" = Uuid, Path)),
    responses((status = 200, description = "A page.", body = pages::RemittanceHistoryPage)))]
#[get("/api/remittances/{id}/history")]
async fn list_history(listing: Listing, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = RemittanceId(id.0);
    listing
        .about(word::REMITTANCE, id.0)
        .answer(&lists::HISTORY, move |s, c, q| {
            Box::pin(remittance::history(s, c, id, q))
        })
        .await
}

/// Terms frozen at the sale of a remittance.
#[utoipa::path(tag = "Remittances", operation_id = "getRemittanceTerms", params(("id" = Uuid, Path)),
    responses((status = 200, description = "They.", body = RemittanceTerms)))]
#[get("/api/remittances/{id}/payment_group")]
async fn get_terms(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(remittance::payment_group(&mut transaction, &scope, RemittanceId(id.0)).await?))
}

/// A sold remittance.
#[derive(Debug, Serialize, ToSchema)]
struct RemittanceCreated {
    /// UUID.
    id: Uuid,
    /// Human number, such as `R-000001`.
    #[schema(example = "R-000001")]
    code: String,
    /// Status: pending 0.
    #[schema(value_type = caudal_projections::scalar::RemittanceStatus)]
    status: u8,
    /// Quote of the sale.
    #[schema(value_type = QuoteView)]
    quote: Option<QuoteView>,
}

/// Age of an equal sale that triggers a duplicate warning.
const JUST_NOW: chrono::TimeDelta = chrono::TimeDelta::minutes(10);

/// Warning about an equal sale within minutes: a form sent twice, or a second clerk.
async fn sold_just_now(submit: &Submit, sale: &CreateRemittance) -> Result<Option<Warning>, ApiError> {
    let (mut transaction, scope) = submit.read_now().await?;
    let twin = remittance::sold_alike(&mut transaction, &scope, sale, submit.app.now() - JUST_NOW).await?;
    Ok(twin.map(|code| {
        let params = Params::from([("max", JUST_NOW.num_minutes().to_string()), ("remittance", code)]);
        Warning::with("sold_just_now", &params, submit.language())
    }))
}

/// Sell a remittance.
#[utoipa::path(tag = "Remittances", operation_id = "createRemittance", request_body = RemittanceInput,
    responses((status = 201, description = "Sold.", body = RemittanceCreated)))]
#[post("/api/remittances")]
async fn create_remittance(submit: Submit, body: JsonBody<RemittanceInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let submit = submit.expecting(input.expected());
    submit.answers_by_record();
    let sale = input.command(RemittanceId::generate())?;
    // The person decides on duplicates in the preview.
    let twin = if submit.previews() {
        sold_just_now(&submit, &sale).await?
    } else {
        None
    };
    let sold = submit
        .run(Command::Remittance(sale.id, RemittanceCommand::Create(sale)))
        .await;
    let answer = match (sold, twin) {
        (Err(preview), Some(twin)) => return Err(preview.warned(twin)),
        (sold, _) => sold?.answer,
    };
    Ok(HttpResponse::Created().json(RemittanceCreated {
        id: answer.id,
        code: answer.number.unwrap_or_default(),
        status: answer.status.unwrap_or_default(),
        quote: answer.quote.zip(answer.remaining_balance).map(QuoteView::from),
    }))
}

/// Change the amount or the payment group; the remittance is requoted.
#[utoipa::path(tag = "Remittances", operation_id = "updateRemittanceAmount", request_body = RemittanceAmountInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Remittance)))]
#[put("/api/remittances/{id}")]
async fn update_amount(
    submit: Submit,
    id: PathId,
    body: JsonBody<RemittanceAmountInput>,
) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let submit = submit.expecting(input.expected());
    let (id, edit) = (RemittanceId(id.0), input.command()?);
    let done = submit
        .run(Command::Remittance(id, RemittanceCommand::EditAmount(edit)))
        .await?;
    answer(&submit, done, id).await
}

/// Change recipient, address, delivery method, card or notes. Absent fields stay unchanged.
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
        let (mut transaction, scope) = submit.read_now().await?;
        remittance::require_visible(&mut transaction, &scope, id).await?;
        let mut input = input.clone();
        if input.says_what_was() {
            input = input.merged_with(remittance::get(&mut transaction, &scope, id).await?)?;
        }
        drop(transaction);
        let current = from_log::remittance(&submit.app.journal, &submit.caller.tenant, id).await?;
        let edit = input.command(current)?;
        let command = Command::Remittance(id, RemittanceCommand::EditDetails(edit));
        submit.run(command).await
    });
    let done = amended.await?;
    answer(&submit, done, id).await
}

/// A remittance after a command, with warnings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangedRemittance)]
struct Changed {
    #[serde(flatten)]
    remittance: Remittance,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// Answer to a command on a remittance that has left the caller's scope: only that it took effect.
#[derive(Debug, Serialize)]
struct Left {
    id: RemittanceId,
    code: Option<String>,
    status: Option<u8>,
    warnings: Vec<Warning>,
}

/// The remittance after a command.
async fn answer(submit: &Submit, done: Done, id: RemittanceId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = submit.read_record_back(&done).await?;
    let read = remittance::get(&mut transaction, &scope, id).await;
    let warnings = Warning::all(done.answer.warnings, submit.language());
    match read.map_err(ApiError::from) {
        Ok(remittance) => Ok(HttpResponse::Ok().json(Changed { remittance, warnings })),
        Err(error) if error.is_not_found() => Ok(HttpResponse::Ok().json(Left {
            id,
            code: done.answer.number,
            status: done.answer.status,
            warnings,
        })),
        Err(error) => Err(error),
    }
}
