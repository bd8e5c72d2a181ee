//! Exchange rates in one place.

use super::pages;
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::rates::RateChangeInput,
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, HttpResponseBuilder, get, post};
use caudal_domain::{Command, ids::RateChangeId, rates::RatesCommand};
use caudal_projections::{
    from_log, lists,
    rates::{self, RateChange, RateSheet},
};

asked! {
    RateChangesParams = lists::RATE_CHANGES;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(todays_rates)
        .service(list_changes)
        .service(change_rates)
        .service(get_change)
        .service(undo_change);
}

/// All current exchange rates: reference, catalogue, and parties' terms.
#[utoipa::path(tag = "Rates", operation_id = "listTodaysRates",
    responses((status = 200, description = "All rates in force.", body = RateSheet)))]
#[get("/api/rates")]
async fn todays_rates(reading: Reading) -> Result<HttpResponse, ApiError> {
    let (mut transaction, _) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(rates::sheet(&mut transaction).await?))
}

/// Changes of exchange rates, past and scheduled.
#[utoipa::path(tag = "Rates", operation_id = "listRateChanges", params(RateChangesParams),
    responses((status = 200, description = "The page of rate changes with the count.", body = pages::RateChangePage)))]
#[get("/api/rates/changes")]
async fn list_changes(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer_lines(
            &lists::RATE_CHANGES,
            |s, c, q| Box::pin(async move { offers::page(rates::list(s, q).await?, s, c).await }),
            lists::rate_change_lines,
        )
        .await
}

/// Change exchange rates together, at once or at a scheduled time: all of them, or none when one differs from its
/// `from`.
#[utoipa::path(tag = "Rates", operation_id = "changeRates", request_body = RateChangeInput,
    responses((status = 201, description = "The rate change, applied or scheduled.", body = RateChange)))]
#[post("/api/rates/changes")]
async fn change_rates(submit: Submit, body: JsonBody<RateChangeInput>) -> Result<HttpResponse, ApiError> {
    let command = body.into_inner().command()?;
    let done = submit.run(Command::Rates(RateChangeId::generate(), command)).await?;
    shown(&submit, &done, HttpResponse::Created()).await
}

/// One change of exchange rates.
#[utoipa::path(tag = "Rates", operation_id = "getRateChange", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The rate change as of `X-Ledger-Position`.", body = RateChange)))]
#[get("/api/rates/changes/{id}")]
async fn get_change(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let change = rates::get_change(&mut transaction, RateChangeId(id.0)).await?;
    Ok(HttpResponse::Ok().json(offers::one(change, &mut transaction, &scope).await?))
}

/// Cancel a scheduled change, or restore the rates before an effective one if all its rates are still current.
#[utoipa::path(tag = "Rates", operation_id = "undoRateChange", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The rate change: withdrawn if it was scheduled, undone if it was applied.",
               body = RateChange)))]
#[post("/api/rates/changes/{id}/undo")]
async fn undo_change(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = RateChangeId(id.0);
    let targets = from_log::rate_targets(&submit.app.journal, &submit.caller.tenant, id).await?;
    let done = submit.run(Command::Rates(id, RatesCommand::Undo { targets })).await?;
    shown(&submit, &done, HttpResponse::Ok()).await
}

async fn shown(submit: &Submit, done: &Done, mut answer: HttpResponseBuilder) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = submit.read_back(done).await?;
    let change = rates::get_change(&mut transaction, RateChangeId(done.answer.id)).await?;
    Ok(answer.json(offers::one(change, &mut transaction, &scope).await?))
}
