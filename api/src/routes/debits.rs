//! Debits: listing and payment.

use super::{movements::posted, pages};
use crate::{
    extract::JsonBody, input::movement::PayDebitsInput, listing::Listing, offers, parameters::asked, problem::ApiError,
    registry::Registry, submit::Submit,
};
use actix_web::{HttpResponse, get, post};
use caudal_domain::movement::MovementCommand;
use caudal_projections::{debit, lists, movement::Movement};

asked! {
    DebitsParams = lists::DEBITS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_debits).service(pay_debits);
}

/// Debits in the caller's scope, as debtor or creditor.
#[utoipa::path(tag = "Debits", operation_id = "listDebits",
    params(DebitsParams),
    responses((status = 200, description = "The page of debits with the count.", body = pages::DebitPage)))]
#[get("/api/sources/debits")]
async fn list_debits(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::DEBITS, |s, c, q| {
            Box::pin(async move { offers::page(debit::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// Pay debits, oldest first; without an amount, in full.
#[utoipa::path(tag = "Debits", operation_id = "payDebits", request_body = PayDebitsInput,
    responses((status = 201, description = "The movement of the payment.", body = Movement)))]
#[post("/api/sources/pay_debits")]
async fn pay_debits(submit: Submit, body: JsonBody<PayDebitsInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let submit = submit.expecting(input.expected());
    let payment = input.command()?;
    posted(&submit, MovementCommand::PayDebits(payment)).await
}
