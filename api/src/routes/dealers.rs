//! Dealers and delivery men, with their transfers and expenses.

use super::{
    movements::posted,
    pages,
    parties::{Created, amend, password_policy, register},
};
use crate::{
    extract::{JsonBody, PathId},
    input::{
        movement::{DealerTransferInput, ExpenseInput},
        party::{DealerChangeInput, DealerInput, DeliveryManChangeInput, DeliveryManInput},
    },
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    recorded_calls,
    registry::Registry,
    submit::{Done, Submit},
};
use actix_web::{HttpRequest, HttpResponse, get, post, put};
use caudal_domain::{ids::PartyId, movement::MovementCommand, party::Role};
use caudal_projections::{
    lists,
    movement::{self, Movement},
    party::dealer::{self, Dealer},
    reading::ReadingKind,
};

asked! {
    DealersParams = lists::DEALERS;
    DirectoryParams = lists::DEALER_DIRECTORY;
    DealerAssignmentsParams = lists::ASSIGNMENTS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_dealers)
        .service(create_dealer)
        .service(update_named_dealer)
        .service(list_directory)
        .service(list_balance_assignments)
        .service(transfer_cash)
        .service(record_expense)
        .service(update_dealer)
        .service(create_delivery_man)
        .service(update_delivery_man);
}

/// Dealers and delivery men; a single one when `ReceiverId` is given.
#[utoipa::path(tag = "Dealers", operation_id = "listDealers",
    params(DealersParams),
    responses((status = 200, description = "A page, or the one asked for.", body = inline(DealerAnswer)),
              (status = 404, description = "There is no such dealer.")))]
#[get("/api/dealer")]
async fn list_dealers(request: HttpRequest, listing: Listing) -> Result<HttpResponse, ApiError> {
    if let Some(id) = listing.field("ReceiverId") {
        let id: PartyId = id.parse().map_err(|_| ApiError::invalid("ReceiverId", "id_invalid"))?;
        recorded_calls::opens(&request, ReadingKind::User, id.0)?;
        let (mut transaction, scope) = listing.begin().await?;
        return Ok(HttpResponse::Ok().json(
            offers::one(
                dealer::get(&mut transaction, &scope, id).await?,
                &mut transaction,
                &scope,
            )
            .await?,
        ));
    }
    listing
        .answer(&lists::DEALERS, |s, c, q| {
            Box::pin(async move { offers::page(dealer::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// A page, or a single record.
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only describes the document's schema")]
enum DealerAnswer {
    Page(pages::DealerPage),
    One(Box<Dealer>),
}

/// Ids and names of the active dealers.
#[utoipa::path(tag = "Dealers", operation_id = "listDealerDirectory", params(DirectoryParams),
    responses((status = 200, description = "A page.", body = pages::DirectoryDealerPage)))]
#[get("/api/dealer/directory")]
async fn list_directory(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::DEALER_DIRECTORY, |s, c, q| Box::pin(dealer::directory(s, c, q)))
        .await
}

/// Add a dealer.
#[utoipa::path(tag = "Dealers", operation_id = "createDealer", request_body = DealerInput,
    responses((status = 201, description = "Added.", body = Created)))]
#[post("/api/dealer")]
async fn create_dealer(submit: Submit, body: JsonBody<DealerInput>) -> Result<HttpResponse, ApiError> {
    let policy = password_policy(&submit).await?;
    let new = body.into_inner().new_party(PartyId::generate(), policy)?;
    register(&submit, new).await
}

/// Change a dealer named in the body.
#[utoipa::path(tag = "Dealers", operation_id = "updateNamedDealer", request_body = DealerChangeInput,
    responses((status = 200, description = "Changed.", body = Dealer)))]
#[put("/api/dealer")]
async fn update_named_dealer(
    request: HttpRequest,
    submit: Submit,
    body: JsonBody<DealerChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let mut input = body.into_inner();
    let id = input.named()?;
    recorded_calls::opens(&request, ReadingKind::User, id.0)?;
    change_dealer(submit, id, input).await
}

/// Change a dealer.
#[utoipa::path(tag = "Dealers", operation_id = "updateDealer", request_body = DealerChangeInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Dealer)))]
#[put("/api/dealer/{id}")]
async fn update_dealer(
    submit: Submit,
    id: PathId,
    body: JsonBody<DealerChangeInput>,
) -> Result<HttpResponse, ApiError> {
    change_dealer(submit, PartyId(id.0), body.into_inner()).await
}

async fn change_dealer(submit: Submit, id: PartyId, input: DealerChangeInput) -> Result<HttpResponse, ApiError> {
    let done = amend(&submit, id, &[Role::Dealer], input).await?;
    answer(&submit, &done, id).await
}

/// Add a delivery man.
#[utoipa::path(tag = "Dealers", operation_id = "createDeliveryMan", request_body = DeliveryManInput,
    responses((status = 201, description = "Added.", body = Created)))]
#[post("/api/delivery_men")]
async fn create_delivery_man(submit: Submit, body: JsonBody<DeliveryManInput>) -> Result<HttpResponse, ApiError> {
    let policy = password_policy(&submit).await?;
    let new = body.into_inner().new_party(PartyId::generate(), policy)?;
    register(&submit, new).await
}

/// Change a delivery man. His dealer is immutable.
#[utoipa::path(tag = "Dealers", operation_id = "updateDeliveryMan", request_body = DeliveryManChangeInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Dealer)))]
#[put("/api/delivery_men/{id}")]
async fn update_delivery_man(
    submit: Submit,
    id: PathId,
    body: JsonBody<DeliveryManChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let (id, input) = (PartyId(id.0), body.into_inner());
    let done = amend(&submit, id, &[Role::DeliveryMan], input).await?;
    answer(&submit, &done, id).await
}

async fn answer(submit: &Submit, done: &Done, id: PartyId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = submit.read_back(done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            dealer::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Cash assignments to dealers and delivery men.
#[utoipa::path(tag = "Dealers", operation_id = "listDealerBalanceAssignments",
    params(DealerAssignmentsParams),
    responses((status = 200, description = "A page.", body = pages::MovementPage)))]
#[get("/api/dealer/balance_assignments")]
async fn list_balance_assignments(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::ASSIGNMENTS, |s, c, q| {
            Box::pin(async move {
                offers::page(
                    movement::assignments(s, c, movement::Receivers::Dealers, q).await?,
                    s,
                    c,
                )
                .await
            })
        })
        .await
}

/// Move a dealer's cash to another party, to the manager, or (manager only) into another currency.
#[utoipa::path(tag = "Movements", operation_id = "transferDealerCash", request_body = DealerTransferInput,
    responses((status = 201, description = "Moved.", body = Movement)))]
#[post("/api/dealer/transfer")]
async fn transfer_cash(submit: Submit, body: JsonBody<DealerTransferInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let submit = submit.expecting(input.expected());
    let transfer = input.command()?;
    posted(&submit, MovementCommand::Transfer(transfer)).await
}

/// Record an expense of a dealer or delivery man.
#[utoipa::path(tag = "Movements", operation_id = "recordDealerExpense", request_body = ExpenseInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Recorded.", body = Movement)))]
#[post("/api/dealer/expenses/{id}")]
async fn record_expense(submit: Submit, id: PathId, body: JsonBody<ExpenseInput>) -> Result<HttpResponse, ApiError> {
    let expense = body.into_inner().command(PartyId(id.0))?;
    posted(&submit, MovementCommand::Expense(expense)).await
}
