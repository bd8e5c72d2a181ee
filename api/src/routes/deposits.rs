//! Deposits: treasury, sellers' balances, dealers' cash. The caller is the giver.

use super::{movements::posted, parties::party_in_state};
use crate::{
    extract::{JsonBody, PathId},
    input::movement::{DepositInput, Takes},
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, post};
use caudal_domain::{
    ids::PartyId,
    movement::{DepositTo, ExpectedParty, MovementCommand},
    party::Role,
};
use caudal_projections::movement::Movement;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(to_manager)
        .service(to_agency)
        .service(to_agent)
        .service(to_dealer)
        .service(to_delivery_man)
        .service(to_party);
}

/// Contribute cash to the treasury.
#[utoipa::path(tag = "Movements", operation_id = "depositToManager", request_body = DepositInput,
    responses((status = 201, description = "Deposited.", body = Movement)))]
#[post("/api/sources/deposit/manager")]
async fn to_manager(submit: Submit, body: JsonBody<DepositInput>) -> Result<HttpResponse, ApiError> {
    deposit(&submit, body, DepositTo::Treasury, Takes::Cash).await
}

/// Assign balance of a payment group to an agency.
#[utoipa::path(tag = "Movements", operation_id = "depositToAgency", request_body = DepositInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Assigned.", body = Movement)))]
#[post("/api/sources/deposit/agency/{id}")]
async fn to_agency(submit: Submit, id: PathId, body: JsonBody<DepositInput>) -> Result<HttpResponse, ApiError> {
    deposit(&submit, body, party(id, ExpectedParty::Agency), Takes::Balance).await
}

/// Assign balance of a payment group to an agent.
#[utoipa::path(tag = "Movements", operation_id = "depositToAgent", request_body = DepositInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Assigned.", body = Movement)))]
#[post("/api/sources/deposit/agent/{id}")]
async fn to_agent(submit: Submit, id: PathId, body: JsonBody<DepositInput>) -> Result<HttpResponse, ApiError> {
    deposit(&submit, body, party(id, ExpectedParty::Agent), Takes::Balance).await
}

/// Give cash to a dealer.
#[utoipa::path(tag = "Movements", operation_id = "depositToDealer", request_body = DepositInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Given.", body = Movement)))]
#[post("/api/sources/deposit/dealer/{id}")]
async fn to_dealer(submit: Submit, id: PathId, body: JsonBody<DepositInput>) -> Result<HttpResponse, ApiError> {
    deposit(&submit, body, party(id, ExpectedParty::Dealer), Takes::Cash).await
}

/// Give cash to a delivery man.
#[utoipa::path(tag = "Movements", operation_id = "depositToDeliveryMan", request_body = DepositInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Given.", body = Movement)))]
#[post("/api/sources/deposit/delivery/{id}")]
async fn to_delivery_man(submit: Submit, id: PathId, body: JsonBody<DepositInput>) -> Result<HttpResponse, ApiError> {
    deposit(&submit, body, party(id, ExpectedParty::DeliveryMan), Takes::Cash).await
}

/// Assign balance or cash to a party, according to its role.
#[utoipa::path(tag = "Movements", operation_id = "depositToParty", request_body = DepositInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Assigned or given.", body = Movement)))]
#[post("/api/sources/deposit/{id}")]
async fn to_party(submit: Submit, id: PathId, body: JsonBody<DepositInput>) -> Result<HttpResponse, ApiError> {
    let (_, receiver) = party_in_state(&submit, PartyId(id.0), Role::ALL).await?;
    let takes = if receiver.role.holds_cash() {
        Takes::Cash
    } else {
        Takes::Balance
    };
    deposit(&submit, body, party(id, ExpectedParty::Any), takes).await
}

fn party(id: PathId, expected: ExpectedParty) -> DepositTo {
    DepositTo::Party(PartyId(id.0), expected)
}

async fn deposit(
    submit: &Submit,
    body: JsonBody<DepositInput>,
    to: DepositTo,
    takes: Takes,
) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let submit = submit.clone().expecting(input.expected());
    let deposit = input.command(to, takes)?;
    posted(&submit, MovementCommand::Deposit(deposit)).await
}
