//! Dispatcher of webhooks: a background task of every node, which delivers events to endpoints that wait for some.
//!
//! | Phase | What |
//! |---|---|
//! | look | endpoints of all tenants that have events and no node |
//! | hold | one endpoint, by its row |
//! | read | its next public events, in its party's scope as of now |
//! | send | each in order; the position moves with each accepted one |
//!
//! A node that is killed in any phase leaves the position at the last accepted delivery: another node goes on from there,
//! and at most one event is sent twice, with the same id.

use crate::{
    app::App,
    problem::ApiError,
    webhooks::{
        self, Place,
        positions::{POSTPONED, POSTPONED_IN_QUARANTINE, PositionError},
    },
};
use actix_web::web::Data;
use caudal_domain::{
    Actor, Command,
    ids::{TenantId, WebhookId},
    webhook::{PauseReason, Webhook, WebhookCommand},
};
use caudal_journal::{SigningKeys, Submission, WithCauses};
use caudal_projections::{
    ReadError, Scope, from_log,
    public_events::{self, EventFilter},
    webhook::{self, DueWebhook},
};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{sync::watch, task::JoinSet};

/// Poll interval: events are sent within this after their commit.
const ROUND: Duration = Duration::from_millis(500);
/// Endpoints of one round.
const MAX_DUE: i64 = 256;
/// Events that are read together.
const BATCH: usize = 20;
/// Time after which events are read again: rights may have ended, and people may be erased meanwhile.
const BATCH_TIME: Duration = Duration::from_secs(5);
/// Interval of the deletion of old deliveries.
const DELETION: Duration = Duration::from_secs(3_600);

/// Why an endpoint's deliveries were interrupted; they go on in a later round.
#[derive(Debug, thiserror::Error)]
enum Interrupted {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("the tenant's state or log can't be read, or a command failed: {0}")]
    Journal(String),
}

impl From<ApiError> for Interrupted {
    fn from(error: ApiError) -> Self {
        Self::Journal(error.code().to_owned())
    }
}

/// Delivers until `stop` turns true. Deliveries under way are then given up: they are repeated by the next node.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let mut under_way = JoinSet::new();
    let busy: Busy = Arc::default();
    let rounds = async {
        loop {
            match webhook::due(&app.database, MAX_DUE).await {
                Ok(due) => begin(&app, due, &busy, &mut under_way),
                Err(error) => {
                    tracing::warn!(error = %WithCauses(&error), "webhooks can't be looked at; they are again in a moment");
                }
            }
            tokio::time::sleep(ROUND).await;
        }
    };
    let deletions = async {
        loop {
            delete_old(&app).await;
            tokio::time::sleep(DELETION).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
        () = deletions => {}
    }
    under_way.shutdown().await;
}

/// Deletes deliveries whose retention has ended. In quarantine everything is kept.
async fn delete_old(app: &App) {
    let Ok(tenants) = app.journal.tenants().await else {
        return;
    };
    for tenant in tenants
        .iter()
        .filter(|tenant| app.journal.quarantined(tenant).is_none())
    {
        match delete_old_of(app, tenant).await {
            Ok(deleted) => {
                metrics::counter!("caudal_records_deleted_total", "table" => "webhook_deliveries").increment(deleted);
            }
            Err(error) => {
                tracing::warn!(%tenant, error = %WithCauses(&error), "old deliveries are not deleted; they are in an hour");
            }
        }
    }
}

/// Deletes a tenant's old deliveries once the read models show every endpoint that was removed: after a start they may be behind.
async fn delete_old_of(app: &App, tenant: &TenantId) -> Result<u64, Interrupted> {
    let head = app.journal.head(tenant).await.map_err(ApiError::from)?.position;
    drop(app.reads.begin(tenant, head).await?);
    Ok(app.webhooks.positions.delete_old(tenant).await?)
}

/// Endpoints to which this node delivers at the moment.
type Busy = Arc<Mutex<HashSet<DueWebhook>>>;

/// Frees an endpoint when its deliveries end, also by a panic.
struct Freed(Busy, DueWebhook);

impl Drop for Freed {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// Begins the deliveries to endpoints, as far as there are places.
fn begin(app: &Data<App>, due: Vec<DueWebhook>, busy: &Busy, under_way: &mut JoinSet<()>) {
    while under_way.try_join_next().is_some() {}
    for endpoint in due {
        let Some(permit) = app.webhooks.place() else { return };
        if !busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(endpoint.clone())
        {
            continue;
        }
        let freed = Freed(busy.clone(), endpoint.clone());
        let app = app.clone();
        under_way.spawn(async move {
            let _freed = freed;
            let _permit = permit;
            let DueWebhook { tenant, id } = endpoint;
            let place = (tenant, id);
            loop {
                match deliver(&app, &place).await {
                    // Without a free place other endpoints may wait: the round decides who is next.
                    Ok(true) if app.webhooks.has_places() => {}
                    Ok(_) => return,
                    Err(error) => {
                        let (tenant, id) = &place;
                        tracing::warn!(%tenant, %id, error = %WithCauses(&error), "deliveries of a webhook are interrupted; they go on soon");
                        return;
                    }
                }
            }
        });
    }
}

/// The endpoint in the tenant's state, its party's scope, and the position of the log up to which both are known; `None` when
/// nothing may be sent.
async fn standing(app: &App, (tenant, id): &Place) -> Result<Option<(Webhook, Scope, i64)>, Interrupted> {
    if app.journal.quarantined(tenant).is_some() {
        return Ok(None);
    }
    let (state, head) = app.journal.state(tenant).await.map_err(ApiError::from)?;
    let webhook = state.webhook(*id).filter(|own| own.paused.is_none() && !own.removed);
    let Some(webhook) = webhook.cloned() else {
        return Ok(None);
    };
    let scope = webhooks::scope_of(&webhook, &state, app.now());
    Ok(scope.map(|scope| (webhook, scope, head.position)))
}

/// The keys that sign checkpoints. Without them deliveries are signed by secrets alone.
pub async fn signing_keys(app: &App) -> Option<SigningKeys> {
    match app.checkpoints.keys().await {
        Ok(keys) => Some(keys),
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "deliveries are not signed by the signing keys: they can't be read");
            None
        }
    }
}

/// Delivers the next events to an endpoint. Returns whether more may wait, because all of a full batch were accepted.
async fn deliver(app: &Data<App>, place: &Place) -> Result<bool, Interrupted> {
    let (tenant, id) = place;
    let standing = standing(app, place).await?;
    let mut transaction = app.reads.begin(tenant, 0).await?;
    let target = webhook::target(&mut transaction, *id).await?;
    let Some(mut held) = app.webhooks.positions.hold(place, &target).await? else {
        return Ok(false);
    };
    let Some((webhook, scope, known)) = standing else {
        let time = if app.journal.quarantined(tenant).is_some() {
            POSTPONED_IN_QUARANTINE
        } else {
            POSTPONED
        };
        app.webhooks.positions.postpone(place, &held, time).await?;
        return Ok(false);
    };
    if !held.is_due {
        app.webhooks.positions.release(place, &held, held.position).await?;
        return Ok(false);
    }
    if held.position > transaction.position() {
        // Either these read models are behind, or the log lost events and nobody has noticed yet: the operator's decision takes
        // the position back to where both histories agree.
        let head = app.journal.head(tenant).await.map_err(ApiError::from)?.position;
        let at = held.position.min(head);
        app.webhooks.positions.release(place, &held, at).await?;
        return Ok(false);
    }
    let wanted = EventFilter {
        after: held.position,
        limit: BATCH,
        types: Some(webhook.types.clone()).filter(|types| !types.is_empty()),
        since: None,
    };
    let found = public_events::after(&app.journal, &mut transaction, &scope, &wanted).await?;
    let read_at = transaction.position();
    drop(transaction);
    let url = from_log::webhook(&app.journal, tenant, *id).await?.url;
    let keys = signing_keys(app).await;
    let begun = Instant::now();
    // The read models may know more: what comes after another choice of types, or other rights, is judged by those.
    let events = found
        .events
        .iter()
        .take_while(|event| webhooks::position_of(event) <= known);
    for event in events {
        if begun.elapsed() > BATCH_TIME {
            app.webhooks.positions.release(place, &held, held.position).await?;
            return Ok(true);
        }
        let attempt = app
            .webhooks
            .attempt(place, &webhook, &url, (event, read_at), keys.as_ref(), app.now())
            .await?;
        if !attempt.outcome.is_accepted() {
            let failed = app.webhooks.positions.failed(place, &held, &attempt).await?;
            let reason = failed.and_then(|is_over| match attempt.outcome.is_gone() {
                true => Some(PauseReason::Gone),
                false => is_over.then_some(PauseReason::Failing),
            });
            // What an address of before answers is not said of the present one.
            if let Some(reason) = reason
                && is_still(app, place, target.resume_event).await?
            {
                stop(app, tenant, *id, reason).await?;
            }
            return Ok(false);
        }
        match app.webhooks.positions.accepted(place, &held, &attempt).await? {
            Some(moved) => held = moved,
            None => return Ok(false),
        }
    }
    // What follows the last event was passed over.
    app.webhooks
        .positions
        .release(place, &held, found.next.min(known).max(held.position))
        .await?;
    Ok(found.events.len() == BATCH)
}

/// Whether nobody has changed or resumed an endpoint since the event at this position, as of the log's end.
async fn is_still(app: &App, (tenant, id): &Place, resume_event: i64) -> Result<bool, Interrupted> {
    let head = app.journal.head(tenant).await.map_err(ApiError::from)?.position;
    let mut transaction = app.reads.begin(tenant, head).await?;
    // Of one that is removed nothing is said either.
    let target = webhook::target(&mut transaction, *id).await;
    Ok(target.is_ok_and(|target| target.resume_event == resume_event))
}

/// Pauses an endpoint that takes nothing. Its party sees the reason on its screen and as a notice.
async fn stop(app: &App, tenant: &TenantId, id: WebhookId, reason: PauseReason) -> Result<(), Interrupted> {
    let submission = Submission::of(Actor::System, Command::Webhook(id, WebhookCommand::Stop(reason)));
    app.checkpoints.compare_before_writing(tenant).await;
    let committed = app.journal.submit(tenant, submission).await.map_err(ApiError::from)?;
    app.until_projected(tenant, committed.position).await;
    Ok(())
}
