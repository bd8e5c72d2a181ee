//! Public feed: the events of the business for other systems (docs/feed.md).

use crate::{
    extract::{Caller, Filters, Reading},
    gate,
    notes::Notes,
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpRequest, HttpResponse, get, http::header::HeaderName, web::Data};
use caudal_domain::Refusal;
use caudal_projections::public_events::{
    self, EventFilter, HASH_DIGITS, MAX_EVENTS, PublicData, PublicEvent, PublicEvents,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
    time::{Duration, Instant},
};
use tokio::{
    sync::watch,
    time::{sleep, sleep_until},
};
use utoipa::{IntoParams, ToSchema};

/// Events per answer unless the request says otherwise.
const DEFAULT_LIMIT: i64 = 100;
/// Maximum wait for events, in seconds: proxies close connections that are idle for half a minute or longer.
const MAX_WAIT: i64 = 25;
/// Period in which commits are combined into one answer.
const GATHER: Duration = Duration::from_millis(150);
/// Poll interval of a waiting request: notifications of commits carry no guarantee.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How far ahead of this node's clock a consumer's may be.
const CLOCK_DIFFERENCE: Duration = Duration::from_secs(60);
/// Maximum wait for the projection of a commit that was notified.
const PROJECTION_PATIENCE: Duration = Duration::from_secs(2);

/// Media type of a batch of CloudEvents as a JSON array.
const BATCH: &str = "application/cloudevents-batch+json";
/// Header with the position of the next request.
const NEXT: HeaderName = HeaderName::from_static("x-feed-next");
/// Header with the start of the hash of the event at that position.
const HASH: HeaderName = HeaderName::from_static("x-feed-hash");

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_types).service(read_feed);
}

/// Selection of events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FeedQuery {
    /// Events after this position; 0, the default, begins with the first event that there ever was.
    #[param(minimum = 0, example = 118)]
    after: Option<i64>,
    /// `X-Feed-Hash` of the answer that gave `after`: 409 when the log has another event there, as after the restore of a backup.
    #[param(min_length = 16, max_length = 16, example = "9f86d081884c7d65")]
    hash: Option<String>,
    /// In place of `after`: events recorded at this moment or later, RFC 3339. Not in the future.
    #[param(format = DateTime, example = "2026-03-01T00:00:00Z")]
    since: Option<String>,
    /// Maximum events, up to 500; 100 when absent.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<i64>,
    /// Only these types, comma-separated.
    #[serde(rename = "type")]
    #[param(
        rename = "type",
        example = "caudal.remittance.created.v1,caudal.remittance.completed.v1"
    )]
    types: Option<String>,
    /// Seconds to wait for an event when there is none, up to 25; 0, the default, answers at once.
    #[param(minimum = 0, maximum = 25)]
    wait: Option<i64>,
}

/// A request for events.
struct Request {
    wanted: EventFilter,
    /// Hash that the event at the position is to have.
    hash: Option<String>,
    wait: Duration,
}

impl FeedQuery {
    fn read(self, now: DateTime<Utc>) -> Result<Request, Refusal> {
        let max = i64::try_from(MAX_EVENTS).unwrap_or(i64::MAX);
        let limit = within("limit", self.limit.unwrap_or(DEFAULT_LIMIT), 1, max)?;
        let wait = within("wait", self.wait.unwrap_or(0), 0, MAX_WAIT)?;
        let after = within("after", self.after.unwrap_or(0), 0, i64::MAX)?;
        let types = self.types.as_deref().map(types).transpose()?;
        if self.after.is_some() && self.since.is_some() {
            return Err(Refusal::invalid("since", "after_or_since"));
        }
        if self.hash.is_some() && self.after.is_none() {
            return Err(Refusal::invalid("after", "required"));
        }
        let hash = self.hash.map(hash).transpose()?;
        let since = self.since.as_deref().map(|text| moment(text, now)).transpose()?;
        Ok(Request {
            wanted: EventFilter {
                after,
                limit: usize::try_from(limit).unwrap_or(MAX_EVENTS),
                types,
                since,
            },
            hash,
            wait: Duration::from_secs(wait.unsigned_abs()),
        })
    }
}

fn within(field: &'static str, number: i64, min: i64, max: i64) -> Result<i64, Refusal> {
    if (min..=max).contains(&number) {
        return Ok(number);
    }
    let bounds = [("min", min.to_string()), ("max", max.to_string())];
    Err(Refusal::invalid_with(field, "number_out_of_range", bounds))
}

fn hash(text: String) -> Result<String, Refusal> {
    if text.len() == HASH_DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err(Refusal::invalid_with(
        "hash",
        "feed_hash_invalid",
        [("max", HASH_DIGITS.to_string())],
    ))
}

fn moment(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, Refusal> {
    let moment = DateTime::parse_from_rfc3339(text).map_err(|_| Refusal::invalid("since", "time_invalid"))?;
    let moment = moment.with_timezone(&Utc);
    // The request after an answer begins at its position, and would tell events from before the moment.
    if moment > now + CLOCK_DIFFERENCE {
        return Err(Refusal::invalid("since", "date_in_future"));
    }
    Ok(moment)
}

fn types(text: &str) -> Result<BTreeSet<String>, Refusal> {
    let known = |name: &str| PublicData::TYPES.iter().any(|known| known.name == name);
    let wanted: BTreeSet<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if wanted.iter().all(|name| known(name)) {
        return Ok(wanted);
    }
    let names: Vec<_> = PublicData::TYPES.iter().map(|known| known.name).collect();
    Err(Refusal::invalid_with(
        "type",
        "value_unknown",
        [("allowed", names.join(", "))],
    ))
}

/// A type of public events.
#[derive(Debug, Serialize, ToSchema)]
struct PublicEventType {
    /// Versioned name.
    #[serde(rename = "type")]
    #[schema(example = "caudal.remittance.created.v1")]
    event_type: String,
    /// JSON Schema of `data`.
    #[schema(value_type = Object)]
    schema: Value,
}

/// Types of public events.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicEventTypes {
    /// All of them, by name.
    results: Vec<PublicEventType>,
}

/// Schemas of the types' data, by type.
type Schemas = BTreeMap<&'static str, Value>;

/// The types of public events, put together at their first request.
pub struct LazyTypes {
    schemas: fn() -> serde_json::Result<Schemas>,
    made: OnceLock<PublicEventTypes>,
}

impl LazyTypes {
    pub fn new(schemas: fn() -> serde_json::Result<Schemas>) -> Self {
        let made = OnceLock::new();
        Self { schemas, made }
    }

    fn get(&self) -> Result<&PublicEventTypes, ApiError> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let schemas = (self.schemas)().map_err(ApiError::internal)?;
        Ok(self.made.get_or_init(|| PublicEventTypes::of(schemas)))
    }
}

impl PublicEventTypes {
    fn of(schemas: Schemas) -> Self {
        let results = schemas.into_iter().map(|(name, schema)| PublicEventType {
            event_type: name.to_owned(),
            schema,
        });
        Self {
            results: results.collect(),
        }
    }
}

/// Events of the business in the caller's scope, in order, as a CloudEvents batch.
///
/// Store the headers `X-Feed-Next` and `X-Feed-Hash` with what you did with the events, and pass them as `after` and `hash` in
/// the next request: no event is missed. An answer without events may have moved on. 409 when `after` is beyond the end of the
/// log, or the log has another event there, as after the restore of a backup.
#[utoipa::path(tag = "Feed", operation_id = "readFeed", params(FeedQuery),
    responses(
        (status = 200, description = "The events.", body = [PublicEvent],
            content_type = "application/cloudevents-batch+json",
            headers(("X-Feed-Next" = i64, description = "Position for the next request."),
                ("X-Feed-Hash" = String, description = "Hash for the next request; none at position 0."))),
        (status = 409, description = "Beyond the end of the log, or in another history.")))]
#[get("/api/feed")]
async fn read_feed(
    request: HttpRequest,
    reading: Reading,
    query: Filters<FeedQuery>,
) -> Result<HttpResponse, ApiError> {
    let app = &reading.app;
    let Request { mut wanted, hash, wait } = query.0.read(app.now())?;
    let deadline = Instant::now() + wait;
    let mut committed = app.journal.subscribe(&reading.caller.tenant);
    let mut going_down = app.watch_going_down();
    let mut caller = reading.caller.clone();
    if let Some(since) = wanted.since {
        let mut transaction = reading.begin_on_primary().await?;
        wanted.after = public_events::position_before(&mut transaction, since).await?;
    }
    let mut expected = hash;
    let mut place = None;
    loop {
        let (found, hash) = look(&reading, &caller, &wanted, expected.take()).await?;
        let is_over = Instant::now() >= deadline || app.is_going_down();
        if !found.events.is_empty() || !found.is_end || is_over {
            let mut answer = HttpResponse::Ok();
            answer.content_type(BATCH).insert_header((NEXT, found.next));
            if let Some(hash) = hash {
                answer.insert_header((HASH, hash));
            }
            return Ok(answer.json(&found.events));
        }
        wanted.after = found.next;
        if place.is_none() {
            place = Some(app.waits.enter(&caller)?);
        }
        let begun = Instant::now();
        tokio::select! {
            () = next_commit(&reading, &mut committed) => {}
            () = sleep_until(deadline.into()) => {}
            _ = going_down.changed() => {}
        }
        Notes::waited(&request, begun.elapsed());
        // Rights may have ended meanwhile.
        caller = gate::identify_again(&request).await?;
    }
}

/// Looks for events, and for the hash at the position of the next request.
async fn look(
    reading: &Reading,
    caller: &Caller,
    wanted: &EventFilter,
    expected: Option<String>,
) -> Result<(PublicEvents, Option<String>), ApiError> {
    let (app, tenant) = (&reading.app, &caller.tenant);
    let mut transaction = reading.begin_on_primary().await?;
    if let Some(expected) = expected {
        let there = public_events::hash_at(&mut transaction, wanted.after).await?;
        if there.is_some_and(|there| there != expected) {
            return Err(ApiError::conflict("feed_history_changed").with("position", wanted.after));
        }
    }
    let scope = caller.scope();
    let found = public_events::after(&app.journal, &mut transaction, &scope, wanted).await?;
    let hash = public_events::hash_at(&mut transaction, found.next).await?;
    drop(transaction);
    if found.next == wanted.after {
        // The read models may be behind the log, or ahead of one that lost events.
        let head = app.journal.head(tenant).await?.position;
        if wanted.after > head {
            return Err(ApiError::conflict("feed_position_unknown").with("position", head));
        }
    }
    Ok((found, hash))
}

/// Waits until there may be news: for a commit and its projection, or the next poll.
async fn next_commit(reading: &Reading, committed: &mut watch::Receiver<i64>) {
    let notified = tokio::select! {
        changed = committed.changed() => changed.is_ok(),
        () = sleep(LOOK_EVERY) => return,
    };
    if !notified {
        return sleep(LOOK_EVERY).await;
    }
    sleep(GATHER).await;
    let position = *committed.borrow_and_update();
    let patience = Instant::now() + PROJECTION_PATIENCE;
    let projected = reading.app.reads.wait_for(&reading.caller.tenant, position, patience);
    if let Err(error) = projected.await {
        tracing::debug!(%error, "a waiting request looks before the read models show the commit");
    }
}

/// Types of public events, each with the JSON Schema of its `data`. A type never changes in a way that a consumer could
/// notice: that is a new version beside it.
#[utoipa::path(tag = "Feed", operation_id = "listFeedTypes",
    responses((status = 200, description = "All of them.", body = PublicEventTypes)))]
#[get("/api/feed/types")]
async fn list_types(types: Data<LazyTypes>) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(types.get()?))
}
