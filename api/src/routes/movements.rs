//! Movements: list, details, reversal.

use super::pages;
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::remittance::ReasonInput,
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, get, post};
use caudal_domain::{Command, ids::MovementId, movement::MovementCommand};
use caudal_projections::{
    lists,
    movement::{self, Movement},
};

asked! {
    MovementsParams = lists::MOVEMENTS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_movements)
        .service(get_movement)
        .service(reverse_movement);
}

/// Records a movement and answers with its current state.
pub(super) async fn posted(submit: &Submit, command: MovementCommand) -> Result<HttpResponse, ApiError> {
    let done = submit.run(Command::Movement(MovementId::generate(), command)).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let movement = movement::get(&mut transaction, &scope, MovementId(done.answer.id)).await?;
    Ok(HttpResponse::Created().json(offers::one(movement, &mut transaction, &scope).await?))
}

/// Movements in the caller's scope.
#[utoipa::path(tag = "Movements", operation_id = "listMovements", params(MovementsParams),
    responses((status = 200, description = "A page.", body = pages::MovementPage)))]
#[get("/api/sources/movements")]
async fn list_movements(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::MOVEMENTS, |s, c, q| {
            Box::pin(async move { offers::page(movement::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// One movement.
#[utoipa::path(tag = "Movements", operation_id = "getMovement", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = Movement)))]
#[get("/api/sources/movements/{id}")]
async fn get_movement(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            movement::get(&mut transaction, &scope, MovementId(id.0)).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Reverse a movement, once, within the accounts' guards.
#[utoipa::path(tag = "Movements", operation_id = "reverseMovement", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Taken back.", body = Movement)))]
#[post("/api/sources/movements/{id}/reverse")]
async fn reverse_movement(submit: Submit, id: PathId, body: JsonBody<ReasonInput>) -> Result<HttpResponse, ApiError> {
    let id = MovementId(id.0);
    let reason = body.into_inner().reason()?;
    let done = submit
        .run(Command::Movement(id, MovementCommand::Reverse { reason }))
        .await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            movement::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}
