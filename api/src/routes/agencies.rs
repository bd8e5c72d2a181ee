//! Agencies.

use super::{
    pages,
    parties::{Created, amend, party_in_state, password_policy, register, set_terms},
};
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::{
        party::{AgencyChangeInput, AgencyInput},
        terms::TermsInput,
    },
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    recorded_calls,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, get, post, put};
use caudal_domain::{Command, ids::PartyId, party::PartyCommand, party::Role};
use caudal_projections::{
    lists, movement,
    party::agency::{self, Agency},
    reading::ReadingKind,
};

asked! {
    AgenciesParams = lists::AGENCIES;
    AgencyAssignmentsParams = lists::ASSIGNMENTS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_agencies)
        .service(create_agency)
        .service(update_agency)
        .service(list_balance_assignments)
        .service(set_agency_terms)
        .service(get_agency)
        .service(deactivate_agency);
}

/// Agencies with their terms and balances.
#[utoipa::path(tag = "Agencies", operation_id = "listAgencies", params(AgenciesParams),
    responses((status = 200, description = "A page.", body = pages::AgencyPage)))]
#[get("/api/agency")]
async fn list_agencies(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::AGENCIES, |s, c, q| {
            Box::pin(async move { offers::page(agency::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// One agency.
#[utoipa::path(tag = "Agencies", operation_id = "getAgency", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = Agency)))]
#[get("/api/agency/{id}")]
async fn get_agency(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agency::get(&mut transaction, &scope, PartyId(id.0)).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Add an agency.
#[utoipa::path(tag = "Agencies", operation_id = "createAgency", request_body = AgencyInput,
    responses((status = 201, description = "Added.", body = Created)))]
#[post("/api/agency")]
async fn create_agency(submit: Submit, body: JsonBody<AgencyInput>) -> Result<HttpResponse, ApiError> {
    let policy = password_policy(&submit).await?;
    let new = body.into_inner().new_party(PartyId::generate(), policy)?;
    register(&submit, new).await
}

/// Change an agency named in the body. Terms are changed by another call.
#[utoipa::path(tag = "Agencies", operation_id = "updateAgency", request_body = AgencyChangeInput,
    responses((status = 200, description = "Changed.", body = Agency)))]
#[put("/api/agency")]
async fn update_agency(
    request: HttpRequest,
    submit: Submit,
    body: JsonBody<AgencyChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let mut input = body.into_inner();
    let id = input.named()?;
    recorded_calls::opens(&request, ReadingKind::User, id.0)?;
    let done = amend(&submit, id, &[Role::Agency], input).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agency::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Deactivate an agency; its history stays. A body is ignored.
#[utoipa::path(tag = "Agencies", operation_id = "deactivateAgency", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Deactivated.", body = Agency)))]
#[put("/api/agency/{id}")]
async fn deactivate_agency(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = PartyId(id.0);
    party_in_state(&submit, id, &[Role::Agency]).await?;
    let done = submit.run(Command::Party(id, PartyCommand::Deactivate)).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agency::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Set an agency's terms for one payment group. An agency sets its own commission and name; the rest is set by its
/// superior.
#[utoipa::path(tag = "Agencies", operation_id = "setAgencyTerms", request_body = TermsInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Set.", body = Agency)))]
#[put("/api/agency/exchange_rate/{id}")]
async fn set_agency_terms(submit: Submit, id: PathId, body: JsonBody<TermsInput>) -> Result<HttpResponse, ApiError> {
    let id = PartyId(id.0);
    let done = set_terms(&submit, id, &[Role::Agency], body.into_inner()).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agency::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Balance assignments to agencies.
#[utoipa::path(tag = "Agencies", operation_id = "listAgencyBalanceAssignments",
    params(AgencyAssignmentsParams),
    responses((status = 200, description = "A page.", body = pages::MovementPage)))]
#[get("/api/agency/balance_assignments")]
async fn list_balance_assignments(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::ASSIGNMENTS, |s, c, q| {
            Box::pin(async move {
                offers::page(
                    movement::assignments(s, c, movement::Receivers::Agencies, q).await?,
                    s,
                    c,
                )
                .await
            })
        })
        .await
}
