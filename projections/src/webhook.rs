//! Webhooks: endpoints, and what was delivered to them. Deliveries and positions are stored beside the log.

use crate::{
    batch::{Batch, actor, existing},
    error::{ProjectError, ReadError},
    list::{self, List, filter, text, time},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Printing, name, word},
    read_transaction::{ReadTransaction, only},
    refs::Ref,
    rows::WebhookRow,
    scalar::UserType,
    scope::Scope,
    table::{Json, Row as _, get, select_list},
};
use caudal_domain::{
    Refusal,
    ids::{TenantId, WebhookId},
    party::Role,
    webhook::{PauseReason, WebhookEvent},
};
use caudal_journal::Recorded;
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// Deliveries that are kept per endpoint: the newest.
pub const KEPT_DELIVERIES: i64 = 200;

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &WebhookEvent) -> Result<(), ProjectError> {
    let (at, position) = (recorded.recorded_at, recorded.position);
    match event {
        WebhookEvent::WebhookAdded(added) => {
            let details = added.personal.get();
            batch.webhooks.put(WebhookRow {
                id: added.id.0,
                position,
                party: added.party.0,
                name: details.map(|details| details.name.clone()),
                url: details.map(|details| details.url.clone()),
                types: Json(added.types.iter().cloned().collect()),
                created_at: at,
                created_by: actor(recorded),
                rotated_at: None,
                previous_until: None,
                paused: None,
                paused_at: None,
                removed_at: None,
                replay_event: position,
                replay_after: added.after,
                resume_event: position,
            });
        }
        WebhookEvent::WebhookChanged(changed) => {
            let details = changed.personal.get();
            let row = existing(&mut batch.webhooks, recorded, changed.id)?;
            row.name = details.map(|details| details.name.clone());
            row.url = details.map(|details| details.url.clone());
            row.types = Json(changed.types.iter().cloned().collect());
            row.resume_event = position;
        }
        WebhookEvent::WebhookSecretRotated { id, previous_until, .. } => {
            let row = existing(&mut batch.webhooks, recorded, *id)?;
            row.rotated_at = Some(at);
            row.previous_until = Some(*previous_until);
        }
        WebhookEvent::WebhookPaused { id, reason, .. } => {
            let row = existing(&mut batch.webhooks, recorded, *id)?;
            row.paused = Some(reason.as_str().to_owned());
            row.paused_at = Some(at);
        }
        WebhookEvent::WebhookResumed { id, .. } => {
            let row = existing(&mut batch.webhooks, recorded, *id)?;
            row.paused = None;
            row.paused_at = None;
            row.resume_event = position;
        }
        WebhookEvent::WebhookReplayed { id, after, .. } => {
            let row = existing(&mut batch.webhooks, recorded, *id)?;
            row.replay_event = position;
            row.replay_after = *after;
            row.resume_event = position;
        }
        WebhookEvent::WebhookRemoved { id, .. } => {
            let row = existing(&mut batch.webhooks, recorded, *id)?;
            row.removed_at = Some(at);
        }
    }
    Ok(())
}

/// An endpoint of webhooks, without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// UUID.
    pub id: Uuid,
    /// What the endpoint is for; null after the erasure of its party.
    #[schema(example = "Online shop")]
    pub name: Option<String>,
    /// Where deliveries are sent; null after the erasure of its party.
    #[schema(example = "https://shop.example.org/caudal")]
    pub url: Option<String>,
    /// Party in whose scope the events are.
    pub party: Ref,
    /// Role of the party.
    pub user_type: UserType,
    /// Types of events that are sent; empty for all.
    #[schema(example = json!(["caudal.remittance.created.v1"]))]
    pub types: Vec<String>,
    /// `active`; `paused` by somebody; `gone`: it answered 410; `failing`: it accepted nothing for three days.
    #[schema(example = "active")]
    pub status: String,
    /// Time since when nothing is sent; null while active.
    pub paused_at: Option<DateTime<Utc>>,
    /// Position through which events were delivered or passed over; null before the first look.
    pub delivered_through: Option<i64>,
    /// Failed attempts at the next event; 0 when the last delivery was accepted.
    #[schema(example = 0)]
    pub attempts: i32,
    /// Time since when no delivery is accepted; null when the last one was.
    pub failing_since: Option<DateTime<Utc>>,
    /// Time of the next attempt; null unless deliveries fail.
    pub next_try: Option<DateTime<Utc>>,
    /// Time when it was added, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Party that added it.
    pub created_by: Option<Ref>,
    /// Time of the last rotation of its secret; null before the first.
    pub rotated_at: Option<DateTime<Utc>>,
    /// Time until which the secret before the last rotation signs too; null before the first rotation.
    pub previous_until: Option<DateTime<Utc>>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

const ACTIVE: &str = "active";
const PAUSED: &str = "paused";

fn status(status: &str, printing: &Printing) -> String {
    let words = match status {
        ACTIVE => word::ACTIVE,
        PAUSED => word::ON_PAUSE,
        "gone" => word::ENDPOINT_GONE,
        _ => word::ENDPOINT_FAILING,
    };
    printing.say(words).to_owned()
}

pub const WEBHOOKS: List<Webhook> = List {
    title: word::WEBHOOKS,
    columns: &[
        text("name", word::NAME, |w: &Webhook, _| w.name.clone()).sort("lower(w.name)"),
        text("party", word::WHOSE, |w: &Webhook, p| name(Some(&w.party), p))
            .sort("(SELECT p.search FROM parties AS p WHERE p.tenant = w.tenant AND p.id = w.party)"),
        text("url", word::WEB_ADDRESS, |w: &Webhook, _| w.url.clone()).sort("lower(w.url)"),
        text("status", word::STATUS, |w: &Webhook, p| Some(status(&w.status, p))).sort("w.paused"),
        text("types", word::EVENT_TYPES, |w: &Webhook, _| Some(w.types.join(", "))),
        time("created", word::CREATED, |w: &Webhook| Some(w.created)).in_order("w.position"),
    ],
    filters: &[
        filter::id("partyId", word::USER, "Of this party.", "w.party"),
        filter::flagged(
            "active",
            word::STATUS,
            "Whether events are sent to them.",
            &[("true", "w.paused IS NULL"), ("false", "w.paused IS NOT NULL")],
        ),
    ],
    search: None,
    default_sort: "-created",
    tie: "w.id",
    counted: None,
    hides_prices: false,
};

/// Endpoints that are not removed: all for a manager; the caller's own for others.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Webhook>, ReadError> {
    let mut from = read_transaction.rows("webhooks", "w");
    from.push(" AND w.removed_at IS NULL");
    if scope.role != Role::Manager {
        from.push(" AND w.party = ").bind(scope.party.0);
    }
    let keys = WEBHOOKS.keys::<Uuid>(read_transaction, query, from, "w.id").await?;
    let rows = views(read_transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One endpoint, also a removed one.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get_webhook(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    id: WebhookId,
) -> Result<Webhook, ReadError> {
    only(views(read_transaction, scope, &[id.0]).await?, "webhook_not_found")
}

async fn views(read_transaction: &mut ReadTransaction, scope: &Scope, ids: &[Uuid]) -> Result<Vec<Webhook>, ReadError> {
    let tables = "webhooks AS w
        JOIN parties AS p ON p.tenant = w.tenant AND p.id = w.party
        LEFT JOIN parties AS c ON c.tenant = w.tenant AND c.id = w.created_by
        LEFT JOIN journal.webhook_positions AS d ON d.tenant = w.tenant AND d.webhook = w.id";
    let mut sql = read_transaction.joined(tables, "w").after(&format!(
        "SELECT {}, p.name AS party_name, p.role AS party_role, c.name AS created_by_name, d.position AS through,
                coalesce(d.attempts, 0) AS attempts, d.failing_since, d.next_at",
        select_list::<WebhookRow>("w", "")
    ));
    sql.push(" AND w.id = ANY (").bind(ids.to_vec()).push(")");
    if scope.role != Role::Manager {
        sql.push(" AND w.party = ").bind(scope.party.0);
    }
    let found = read_transaction.fetch(&sql).await?;
    let views: Vec<Webhook> = found.iter().map(view).collect::<Result<_, sqlx::Error>>()?;
    Ok(list::in_order(ids, views, |view: &Webhook| view.id))
}

fn view(row: &PgRow) -> Result<Webhook, sqlx::Error> {
    let webhook = WebhookRow::read(row, "")?;
    let role: Role = get(row, "party_role")?;
    let is_paused = webhook.paused.is_some();
    let attempts: i32 = row.try_get("attempts")?;
    let is_waiting = attempts > 0 && !is_paused;
    let status = match webhook.paused.as_deref() {
        None => ACTIVE.to_owned(),
        Some(reason) if reason == PauseReason::Asked.as_str() => PAUSED.to_owned(),
        Some(reason) => reason.to_owned(),
    };
    Ok(Webhook {
        id: webhook.id,
        name: webhook.name,
        url: webhook.url,
        party: Ref::named(webhook.party, row, "party_name")?,
        user_type: role.into(),
        types: webhook.types.0,
        status,
        paused_at: webhook.paused_at,
        delivered_through: row.try_get("through")?,
        attempts,
        failing_since: row.try_get("failing_since")?,
        next_try: row.try_get::<Option<_>, _>("next_at")?.filter(|_| is_waiting),
        created: webhook.created_at,
        created_by: Ref::maybe(webhook.created_by, row, "created_by_name")?,
        rotated_at: webhook.rotated_at,
        previous_until: webhook.previous_until,
        actions: Vec::new(),
    })
}

/// What became of an event for an endpoint: the last attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Position of the event in the log.
    #[schema(example = 118)]
    pub position: i64,
    /// Id of the event and of the delivery: the header `webhook-id`.
    #[schema(example = "118-9f86d081884c7d65")]
    pub event_id: String,
    /// Type of the event.
    #[schema(example = "caudal.remittance.created.v1")]
    pub event_type: String,
    /// Number of attempts.
    #[schema(example = 1)]
    pub attempts: i32,
    /// Time of the last attempt, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Whether it was accepted: an answer of 200 to 299.
    pub delivered: bool,
    /// Status of the answer; null without one.
    #[schema(example = 204)]
    pub status: Option<i32>,
    /// Why there is no answer: `address_not_public`, `name_not_found`, `connection_failed`, `timed_out`, `answer_broken`
    /// or `event_gone`; null with one.
    #[schema(example = "timed_out")]
    pub failure: Option<String>,
    /// Start of the answer's body; null without one, and once a person of the business was forgotten after it: it may
    /// repeat what was sent.
    pub answer: Option<String>,
    /// Duration of the last attempt.
    #[schema(example = 120)]
    pub milliseconds: i32,
}

/// The latest deliveries to an endpoint, newest first.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn deliveries(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    id: WebhookId,
) -> Result<Vec<WebhookDelivery>, ReadError> {
    get_webhook(read_transaction, scope, id).await?;
    let mut sql = read_transaction
        .joined("journal.webhook_deliveries AS d", "d")
        .after("SELECT d.*");
    sql.push(" AND d.webhook = ").bind(id.0);
    sql.push(" ORDER BY d.at DESC, d.position DESC LIMIT ")
        .bind(KEPT_DELIVERIES);
    let found = read_transaction.fetch(&sql).await?;
    Ok(found.iter().map(delivery).collect::<Result<_, sqlx::Error>>()?)
}

fn delivery(row: &PgRow) -> Result<WebhookDelivery, sqlx::Error> {
    Ok(WebhookDelivery {
        position: row.try_get("position")?,
        event_id: row.try_get("event_id")?,
        event_type: row.try_get("event_type")?,
        attempts: row.try_get("attempts")?,
        at: row.try_get("at")?,
        delivered: row.try_get("delivered")?,
        status: row.try_get("status")?,
        failure: row.try_get("failure")?,
        answer: row.try_get("answer")?,
        milliseconds: row.try_get("milliseconds")?,
    })
}

/// An endpoint that may have events to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DueWebhook {
    pub tenant: TenantId,
    pub id: WebhookId,
}

/// Endpoints of all tenants with events that no node delivers at the moment, those that wait the longest first. The table of
/// positions comes first, as in every read: a rebuild's swap locks the tables in this order.
pub async fn due(database: &Database, limit: i64) -> Result<Vec<DueWebhook>, ReadError> {
    let mut transaction = database.begin_directory().await?;
    let rows = sqlx::query(
        "SELECT w.tenant, w.id
           FROM checkpoints AS c
           JOIN webhooks AS w ON w.tenant = c.tenant
           LEFT JOIN journal.webhook_positions AS d ON d.tenant = w.tenant AND d.webhook = w.id
          WHERE w.paused IS NULL AND w.removed_at IS NULL AND w.url IS NOT NULL
            AND (d.held_until IS NULL OR d.held_until <= now())
            AND (d.webhook IS NULL OR d.replay_event <> w.replay_event OR d.resume_event <> w.resume_event
                 OR (d.next_at <= now() AND d.position <> c.position))
          ORDER BY d.next_at NULLS FIRST, w.tenant, w.id
          LIMIT $1",
    )
    .bind(limit)
    .fetch_all(&mut *transaction)
    .await?;
    let mut due = Vec::with_capacity(rows.len());
    for row in rows {
        let name: String = row.try_get("tenant")?;
        let Ok(tenant) = name.parse() else { continue };
        due.push(DueWebhook {
            tenant,
            id: WebhookId(row.try_get("id")?),
        });
    }
    Ok(due)
}

/// What the dispatcher needs of an endpoint's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub replay_event: i64,
    pub replay_after: i64,
    pub resume_event: i64,
}

/// What is known of an endpoint; where its deliveries go tells the log alone.
///
/// # Errors
/// Not found when it is removed, or its party erased.
pub async fn target(read_transaction: &mut ReadTransaction, id: WebhookId) -> Result<Target, ReadError> {
    let mut sql = read_transaction
        .rows("webhooks", "w")
        .after("SELECT w.replay_event, w.replay_after, w.resume_event");
    sql.push(" AND w.removed_at IS NULL AND w.name IS NOT NULL AND w.url IS NOT NULL AND w.id = ")
        .bind(id.0);
    let rows = read_transaction.fetch_by_keys(&sql).await?;
    let row = rows.first().ok_or_else(|| Refusal::not_found("webhook_not_found"))?;
    Ok(Target {
        replay_event: row.try_get("replay_event")?,
        replay_after: row.try_get("replay_after")?,
        resume_event: row.try_get("resume_event")?,
    })
}
