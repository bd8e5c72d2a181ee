//! Webhooks. All calls require a session: an endpoint outlives the key by which it would be added.

use super::pages;
use crate::{
    app::App,
    dispatcher::signing_keys,
    extract::{JsonBody, PathId, PathPart, Reading},
    input::merge::Mergeable as _,
    input::webhook::{WebhookChangeInput, WebhookInput, WebhookReplayInput, WebhookRotationInput},
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::{Done, Submit},
    webhooks::{position_of, scope_of, secrets::Secrets},
};
use actix_web::{HttpResponse, delete, get, post, put};
use caudal_domain::{
    Command, Refusal,
    ids::{PartyId, TenantId, WebhookId},
    office,
    webhook::{self as rules, WebhookCommand},
};
use caudal_journal::{Journal, SubmitError, WithCauses};
use caudal_projections::{
    ReadTransaction, Scope, from_log, lists,
    public_events::{self, EventFilter, PublicEvent},
    webhook::{self, Webhook, WebhookDelivery},
};
use serde::Serialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;

asked! {
    WebhooksParams = lists::WEBHOOKS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_webhooks)
        .service(add_webhook)
        .service(change_webhook)
        .service(remove_webhook)
        .service(rotate_secret)
        .service(pause_webhook)
        .service(resume_webhook)
        .service(replay_webhook)
        .service(list_deliveries)
        .service(get_delivery)
        .service(send_again);
}

/// An endpoint with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookWithSecret {
    /// The endpoint.
    webhook: Webhook,
    /// The secret that signs deliveries, for the Standard Webhooks libraries. It is answered once: null when the request
    /// is repeated under the same idempotency key.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD…")]
    secret: Option<String>,
}

/// Deliveries to an endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveries {
    /// The newest 200, newest first.
    results: Vec<WebhookDelivery>,
}

/// A delivery with its body.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveryDetail {
    /// The delivery.
    delivery: WebhookDelivery,
    /// Its body, as it would be sent now; null when the event left the party's scope.
    event: Option<PublicEvent>,
}

/// Endpoints of webhooks: a manager sees all, others see their own.
#[utoipa::path(tag = "Webhooks", operation_id = "listWebhooks", params(WebhooksParams),
    responses((status = 200, description = "A page.", body = pages::WebhookPage)))]
#[get("/api/webhooks")]
async fn list_webhooks(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::WEBHOOKS, |s, c, q| {
            Box::pin(async move { offers::page(webhook::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// Add an endpoint for the caller; a manager also for another party. The events in the party's scope are sent to it, signed
/// by the Standard Webhooks specification.
///
/// The answer has the secret, which is shown this once. A repetition under the same idempotency key answers without it.
#[utoipa::path(tag = "Webhooks", operation_id = "addWebhook", request_body = WebhookInput,
    responses((status = 201, description = "Added.", body = WebhookWithSecret)))]
#[post("/api/webhooks")]
async fn add_webhook(submit: Submit, body: JsonBody<WebhookInput>) -> Result<HttpResponse, ApiError> {
    // The secret must not be stored with the answer.
    submit.answers_by_record();
    let salt = Secrets::salt()?;
    let head = submit.app.journal.head(&submit.caller.tenant).await?.position;
    let wanted = body.into_inner().command(submit.caller.party, salt.clone(), head)?;
    submit.app.webhooks.check(&wanted.details.url)?;
    let id = WebhookId::generate();
    let done = submit.run(Command::Webhook(id, WebhookCommand::Add(wanted))).await?;
    Ok(HttpResponse::Created().json(with_secret(&submit, &done, &salt).await?))
}

/// Change an endpoint's name, URL or event types. What waits is sent by the new ones; a failed delivery is tried at once.
#[utoipa::path(tag = "Webhooks", operation_id = "changeWebhook", request_body = WebhookChangeInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Webhook)))]
#[put("/api/webhooks/{id}")]
async fn change_webhook(
    submit: Submit,
    id: PathId,
    body: JsonBody<WebhookChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let id = WebhookId(id.0);
    let input = body.into_inner();
    let done = submit
        .amend(async |submit| {
            let (mut transaction, scope) = submit.read_now().await?;
            let mut present = webhook::get_webhook(&mut transaction, &scope, id).await?;
            drop(transaction);
            let (tenant, journal) = (&submit.caller.tenant, &submit.app.journal);
            let known = from_log::webhook(journal, tenant, id).await?;
            (present.name, present.url) = (Some(known.name.clone()), Some(known.url.clone()));
            if let Some(endpoint) = journal.state(tenant).await?.0.webhook(id) {
                present.types = endpoint.types.iter().cloned().collect();
            }
            let change = input
                .clone()
                .merged(|| WebhookChangeInput::standing(present))?
                .command(Some(known))?;
            submit.app.webhooks.check(&change.details.url)?;
            submit.run(Command::Webhook(id, WebhookCommand::Change(change))).await
        })
        .await?;
    Ok(HttpResponse::Ok().json(shown(&submit, &done).await?))
}

/// End an endpoint. It cannot be restored.
#[utoipa::path(tag = "Webhooks", operation_id = "removeWebhook", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Removed.")))]
#[delete("/api/webhooks/{id}")]
async fn remove_webhook(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = WebhookId(id.0);
    submit.run(Command::Webhook(id, WebhookCommand::Remove)).await?;
    let place = (submit.caller.tenant.clone(), id);
    if let Err(error) = submit.app.webhooks.positions.forget(&place).await {
        let (tenant, id) = &place;
        tracing::warn!(%tenant, %id, error = %WithCauses(&error), "the deliveries of a removed webhook are not deleted; they are in an hour");
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Give an endpoint a new secret. For the overlap deliveries are signed by both.
///
/// The answer has the secret, which is shown this once. A repetition under the same idempotency key answers without it.
#[utoipa::path(tag = "Webhooks", operation_id = "rotateWebhookSecret", request_body = WebhookRotationInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Rotated.", body = WebhookWithSecret)))]
#[post("/api/webhooks/{id}/rotate")]
async fn rotate_secret(
    submit: Submit,
    id: PathId,
    body: JsonBody<WebhookRotationInput>,
) -> Result<HttpResponse, ApiError> {
    submit.answers_by_record();
    let salt = Secrets::salt()?;
    let command = body.into_inner().command(salt.clone())?;
    let done = submit.run(Command::Webhook(WebhookId(id.0), command)).await?;
    Ok(HttpResponse::Ok().json(with_secret(&submit, &done, &salt).await?))
}

/// Stop sending to an endpoint. Events wait, and are sent when it is resumed.
#[utoipa::path(tag = "Webhooks", operation_id = "pauseWebhook", params(("id" = Uuid, Path)),
    responses((status = 200, description = "Paused.", body = Webhook)))]
#[post("/api/webhooks/{id}/pause")]
async fn pause_webhook(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    run(&submit, id, WebhookCommand::Pause).await
}

/// Send to a paused endpoint again, from where it was.
#[utoipa::path(tag = "Webhooks", operation_id = "resumeWebhook", params(("id" = Uuid, Path)),
    responses((status = 200, description = "Resumed.", body = Webhook)))]
#[post("/api/webhooks/{id}/resume")]
async fn resume_webhook(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    run(&submit, id, WebhookCommand::Resume).await
}

/// Send the events after a position again, in order and with the same ids.
#[utoipa::path(tag = "Webhooks", operation_id = "replayWebhook", request_body = WebhookReplayInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Sent from there.", body = Webhook)))]
#[post("/api/webhooks/{id}/replay")]
async fn replay_webhook(
    submit: Submit,
    id: PathId,
    body: JsonBody<WebhookReplayInput>,
) -> Result<HttpResponse, ApiError> {
    let head = submit.app.journal.head(&submit.caller.tenant).await?.position;
    let command = body.into_inner().command(head)?;
    run(&submit, id, command).await
}

/// The newest deliveries to an endpoint, with their answers. A member of the office needs the permissions of the endpoint's
/// party: an answer may repeat what was sent.
#[utoipa::path(tag = "Webhooks", operation_id = "listWebhookDeliveries", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The newest 200.", body = WebhookDeliveries)))]
#[get("/api/webhooks/{id}/deliveries")]
async fn list_deliveries(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let mut transaction = reading.begin_on_primary().await?;
    let scope = reading.caller.scope();
    let id = WebhookId(id.0);
    let results = webhook::deliveries(&mut transaction, &scope, id).await?;
    let caller = &reading.caller;
    contained(&reading.app, &caller.tenant, caller.party, id).await?;
    Ok(HttpResponse::Ok().json(WebhookDeliveries { results }))
}

/// A delivery with its body. `number` is the event's position. A member of the office needs the permissions of the endpoint's
/// party.
#[utoipa::path(tag = "Webhooks", operation_id = "getWebhookDelivery",
    params(("id" = Uuid, Path), ("number" = u32, Path, description = "Position of the event.")),
    responses((status = 200, description = "The delivery.", body = WebhookDeliveryDetail)))]
#[get("/api/webhooks/{id}/deliveries/{number}")]
async fn get_delivery(reading: Reading, part: PathPart) -> Result<HttpResponse, ApiError> {
    let (id, position) = (WebhookId(part.id), i64::from(part.number));
    let mut transaction = reading.begin_on_primary().await?;
    let caller = &reading.caller;
    let known = webhook::deliveries(&mut transaction, &caller.scope(), id).await?;
    contained(&reading.app, &caller.tenant, caller.party, id).await?;
    let delivery = at(known, position)?;
    let owner = owner(&reading.app, &caller.tenant, id).await?.1;
    let event = event_at(
        &reading.app.journal,
        &mut transaction,
        &owner,
        position,
        BTreeSet::new(),
    )
    .await?;
    Ok(HttpResponse::Ok().json(WebhookDeliveryDetail { delivery, event }))
}

/// Send an event to an endpoint once more, now: one of its types that was sent to it, or that it would be sent. One at a time
/// (429 `webhook_being_sent`). What waits for the endpoint keeps its order; when the endpoint accepts, it is tried at once. `number` is the event's position. A member of
/// the office needs the permissions of the endpoint's party.
#[utoipa::path(tag = "Webhooks", operation_id = "sendWebhookAgain",
    params(("id" = Uuid, Path), ("number" = u32, Path, description = "Position of the event.")),
    responses((status = 200, description = "Sent; the delivery tells the answer.", body = WebhookDelivery)))]
#[post("/api/webhooks/{id}/deliveries/{number}/send")]
async fn send_again(submit: Submit, part: PathPart) -> Result<HttpResponse, ApiError> {
    let (id, position) = (WebhookId(part.id), i64::from(part.number));
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    // Events of a log in question may be lost by the operator's decision: nobody is told them again.
    if app.journal.quarantined(tenant).is_some() {
        return Err(SubmitError::Quarantined.into());
    }
    let place = (tenant.clone(), id);
    let _asked = app.webhooks.asked(&place)?;
    let (mut transaction, scope) = submit.read_now().await?;
    let known = webhook::deliveries(&mut transaction, &scope, id).await?;
    contained(app, tenant, submit.caller.party, id).await?;
    let (endpoint, owner) = owner(app, tenant, id).await?;
    if endpoint.paused.is_some() {
        return Err(Refusal::conflict("webhook_paused").into());
    }
    let target = webhook::target(&mut transaction, id).await?;
    // What is before the endpoint's start is nothing that it is sent.
    if position <= target.replay_after {
        at(known, position)?;
    }
    let event = event_at(&app.journal, &mut transaction, &owner, position, endpoint.types.clone()).await?;
    let read_at = transaction.position();
    drop(transaction);
    let event = event.ok_or_else(|| Refusal::not_found("delivery_not_found"))?;
    let url = from_log::webhook(&app.journal, tenant, id).await?.url;
    let keys = signing_keys(app).await;
    let attempt = app
        .webhooks
        .attempt(&place, &endpoint, &url, (&event, read_at), keys.as_ref(), app.now())
        .await?;
    app.webhooks
        .positions
        .note(&place, &attempt)
        .await
        .map_err(ApiError::internal)?;
    let (mut transaction, scope) = submit.read_now().await?;
    let known = webhook::deliveries(&mut transaction, &scope, id).await?;
    Ok(HttpResponse::Ok().json(at(known, position)?))
}

/// Refuses a member of the office who lacks a permission that the endpoint's party has: its events tell what the party reads.
async fn contained(app: &App, tenant: &TenantId, caller: PartyId, id: WebhookId) -> Result<(), ApiError> {
    let (state, _) = app.journal.state(tenant).await?;
    let endpoint = state
        .webhook(id)
        .ok_or_else(|| Refusal::not_found("webhook_not_found"))?;
    Ok(office::contain_login(caller, endpoint.party, &state)?)
}

/// An endpoint in the tenant's state, and the scope of its party.
async fn owner(app: &App, tenant: &TenantId, id: WebhookId) -> Result<(rules::Webhook, Scope), ApiError> {
    let (state, _) = app.journal.state(tenant).await?;
    let endpoint = state.webhook(id).filter(|endpoint| !endpoint.removed);
    let endpoint = endpoint.ok_or_else(|| Refusal::not_found("webhook_not_found"))?;
    let scope = scope_of(endpoint, &state, app.now());
    let scope = scope.ok_or_else(|| Refusal::conflict("webhook_party_without_access"))?;
    Ok((endpoint.clone(), scope))
}

/// The delivery of the event at a position.
fn at(deliveries: Vec<WebhookDelivery>, position: i64) -> Result<WebhookDelivery, Refusal> {
    let mut deliveries = deliveries.into_iter();
    let found = deliveries.find(|delivery| delivery.position == position);
    found.ok_or_else(|| Refusal::not_found("delivery_not_found"))
}

/// The public event at a position, in a scope; of some types, or of all if none is named.
async fn event_at(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    scope: &Scope,
    position: i64,
    types: BTreeSet<String>,
) -> Result<Option<PublicEvent>, ApiError> {
    let wanted = EventFilter {
        after: position - 1,
        limit: 1,
        types: Some(types).filter(|types| !types.is_empty()),
        since: None,
    };
    let found = public_events::after(journal, transaction, scope, &wanted).await?;
    Ok(found.events.into_iter().find(|event| position_of(event) == position))
}

async fn run(submit: &Submit, id: PathId, command: WebhookCommand) -> Result<HttpResponse, ApiError> {
    let done = submit.run(Command::Webhook(WebhookId(id.0), command)).await?;
    Ok(HttpResponse::Ok().json(shown(submit, &done).await?))
}

async fn with_secret(submit: &Submit, done: &Done, salt: &str) -> Result<WebhookWithSecret, ApiError> {
    let id = WebhookId(done.answer.id);
    let secret = submit.app.webhooks.secrets.text(&submit.caller.tenant, id, salt);
    Ok(WebhookWithSecret {
        webhook: shown(submit, done).await?,
        // A repetition made a salt that no endpoint has.
        secret: (!done.replayed).then(|| secret.to_string()),
    })
}

async fn shown(submit: &Submit, done: &Done) -> Result<Webhook, ApiError> {
    let (mut transaction, scope) = submit.read_back(done).await?;
    let found = webhook::get_webhook(&mut transaction, &scope, WebhookId(done.answer.id)).await?;
    Ok(offers::one(found, &mut transaction, &scope).await?)
}
