//! Issuers, recipients and their cards.

use super::{pages, parties::Created};
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::{
        customer::{AddCardInput, CustomerInput, is_same_number},
        merge::Mergeable as _,
    },
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, get, post, put};
use caudal_domain::{
    Command, FieldError, Refusal,
    customer::{AddCard, ChangeCustomer, CustomerCommand},
    ids::{CardId, CustomerId},
};
use caudal_projections::{
    ReadError,
    customer::{self, Card, Customer},
    from_log, lists,
    print::word,
    scalar::CustomerType,
};

/// Code of the refusal of a card that is there already.
const CARD_EXISTS: &str = "card_exists";

asked! {
    SendersParams = lists::SENDERS;
    RecipientsParams = lists::RECIPIENTS;
    CardsParams = lists::CARDS;
    ExpiringDocumentsParams = lists::EXPIRING_DOCUMENTS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_senders)
        .service(list_recipients)
        .service(list_expiring_documents)
        .service(create_customer)
        .service(add_card)
        .service(get_customer)
        .service(list_cards)
        .service(update_customer);
}

/// Senders.
#[utoipa::path(tag = "Customers", operation_id = "listSenders",
    params(SendersParams),
    responses((status = 200, description = "A page.", body = pages::CustomerPage)))]
#[get("/api/customer/sender")]
async fn list_senders(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::SENDERS, |s, c, q| {
            Box::pin(async move { offers::page(customer::list(s, c, CustomerType::Sender, q).await?, s, c).await })
        })
        .await
}

/// Customers whose document is expired, or expires soon.
#[utoipa::path(tag = "Customers", operation_id = "listExpiringDocuments",
    params(ExpiringDocumentsParams),
    responses((status = 200, description = "A page.", body = pages::CustomerPage)))]
#[get("/api/customer/expiring_documents")]
async fn list_expiring_documents(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::EXPIRING_DOCUMENTS, move |s, c, q| {
            Box::pin(async move { offers::page(customer::expiring(s, c, q, now).await?, s, c).await })
        })
        .await
}

/// Recipients.
#[utoipa::path(tag = "Customers", operation_id = "listRecipients",
    params(RecipientsParams),
    responses((status = 200, description = "A page.", body = pages::CustomerPage)))]
#[get("/api/customer/reciever")]
async fn list_recipients(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::RECIPIENTS, |s, c, q| {
            Box::pin(async move { offers::page(customer::list(s, c, CustomerType::Recipient, q).await?, s, c).await })
        })
        .await
}

/// One sender or recipient.
#[utoipa::path(tag = "Customers", operation_id = "getCustomer", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = Customer)))]
#[get("/api/customer/{id}/details")]
async fn get_customer(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            customer::get(&mut transaction, &scope, CustomerId(id.0)).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Add a sender or a recipient, with the recipient's cards.
#[utoipa::path(tag = "Customers", operation_id = "createCustomer", request_body = CustomerInput,
    responses((status = 201, description = "Added.", body = Created)))]
#[post("/api/customer")]
async fn create_customer(submit: Submit, body: JsonBody<CustomerInput>) -> Result<HttpResponse, ApiError> {
    let new = body.into_inner().new_customer(CustomerId::generate())?;
    let command = Command::Customer(new.command.id, CustomerCommand::Register(new.command));
    let done = submit.run(command).await?;
    let done = add_cards(&submit, done, &new.cards).await?;
    Ok(HttpResponse::Created().json(Created { id: done.answer.id }))
}

/// Change a sender or a recipient; cards without an id are added.
#[utoipa::path(tag = "Customers", operation_id = "updateCustomer", request_body = CustomerInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Customer)))]
#[put("/api/customer/{id}")]
async fn update_customer(submit: Submit, id: PathId, body: JsonBody<CustomerInput>) -> Result<HttpResponse, ApiError> {
    let (id, input) = (CustomerId(id.0), body.into_inner());
    let amended = submit.amend(async |submit| {
        let (mut transaction, scope) = submit.read_now().await?;
        customer::get(&mut transaction, &scope, id).await?;
        drop(transaction);
        let known = from_log::customer(&submit.app.journal, &submit.caller.tenant, id).await?;
        let (kind, place, is_active) = (known.customer.kind, known.customer.place, known.customer.is_active);
        let has_cards = known.cards;
        let known = known.details.map(Box::new);
        let details = || known.as_deref().cloned().unwrap_or_default();
        let input = input.clone();
        let input = input.merged(|| CustomerInput::standing(kind, details(), place, is_active))?;
        let change = input.change(kind)?;
        // What is refused is refused before anything is changed; a repetition is answered by its record.
        for (index, (place, card)) in change.cards.iter().enumerate() {
            if with_number(&has_cards, &card.number).is_some() {
                add_listed(submit, id, (index, *place), card).await?;
            }
        }
        let command = ChangeCustomer {
            known,
            ..change.command
        };
        let done = submit
            .run(Command::Customer(id, CustomerCommand::Change(command)))
            .await?;
        Ok((done, change.cards))
    });
    let (done, cards) = amended.await?;
    let done = add_cards(&submit, done, &cards).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            customer::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Adds a customer's cards, one command each, because an event has personal data of one card. Each card's index is part
/// of its idempotency key. A card that waits for an approval does not hold up the others, nor the customer.
async fn add_cards(submit: &Submit, mut done: Done, cards: &[(usize, AddCard)]) -> Result<Done, ApiError> {
    let customer = CustomerId(done.answer.id);
    for (index, (place, card)) in cards.iter().enumerate() {
        if let Some(added) = add_listed(submit, customer, (index, *place), card).await? {
            done.position = added.position;
        }
    }
    Ok(done)
}

/// Adds a card, by its number among the new ones, and names its place in the body where it is there already. None where it waits
/// for an approval.
async fn add_listed(
    submit: &Submit,
    customer: CustomerId,
    (index, place): (usize, usize),
    card: &AddCard,
) -> Result<Option<Done>, ApiError> {
    let part = format!("card{index}");
    let added = submit.amend(async |submit| {
        let card = under_known_id(submit, customer, card.clone()).await?;
        let command = Command::Customer(customer, CustomerCommand::AddCard(card));
        submit.run_part(&part, command).await
    });
    match added.await {
        Ok(added) => Ok(Some(added)),
        Err(error) if error.is_proposed() => Ok(None),
        Err(error) if error.code() == CARD_EXISTS => {
            let at_place = FieldError {
                field: format!("card[{place}].cardNumber").into(),
                code: CARD_EXISTS,
                params: Default::default(),
            };
            Err(Refusal {
                errors: vec![at_place],
                ..Refusal::conflict(CARD_EXISTS)
            }
            .into())
        }
        Err(error) => Err(error),
    }
}

/// The card under the id of the one that has its number already, as the log has it, which the decision refuses. A repeated
/// request is answered before by its idempotency record. To be read within [`Submit::amend`].
pub(super) async fn under_known_id(submit: &Submit, customer: CustomerId, card: AddCard) -> Result<AddCard, ApiError> {
    let known = match from_log::customer(&submit.app.journal, &submit.caller.tenant, customer).await {
        Ok(known) => with_number(&known.cards, &card.number),
        // The decision says why.
        Err(ReadError::Refused(_)) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(AddCard {
        card: known.unwrap_or(card.card),
        ..card
    })
}

/// The card that has a number.
fn with_number(cards: &[(CardId, String)], number: &str) -> Option<CardId> {
    let mut cards = cards.iter();
    let found = cards.find(|(_, known)| is_same_number(known, number));
    found.map(|(id, _)| *id)
}

/// Add a card to a recipient.
#[utoipa::path(tag = "Customers", operation_id = "addCard", request_body = AddCardInput,
    responses((status = 201, description = "Added.", body = Card)))]
#[post("/api/customer/add_card")]
async fn add_card(submit: Submit, body: JsonBody<AddCardInput>) -> Result<HttpResponse, ApiError> {
    let (customer, card) = body.into_inner().command()?;
    let added = submit.amend(async |submit| {
        let card = under_known_id(submit, customer, card.clone()).await?;
        submit
            .run(Command::Customer(customer, CustomerCommand::AddCard(card)))
            .await
    });
    let done = added.await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let cards = customer::get(&mut transaction, &scope, customer).await?.card;
    let card = cards.into_iter().find(|card| card.id == done.answer.id);
    Ok(HttpResponse::Created().json(card.ok_or_else(|| ApiError::not_found("card_unknown"))?))
}

/// Cards of a recipient.
#[utoipa::path(tag = "Customers", operation_id = "listCards", params(CardsParams, ("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "A page.", body = pages::CardPage)))]
#[get("/api/customer/{id}/cards")]
async fn list_cards(listing: Listing, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = CustomerId(id.0);
    listing
        .about(word::RECIPIENT, id.0)
        .answer(&lists::CARDS, move |s, c, q| Box::pin(customer::cards(s, c, id, q)))
        .await
}
