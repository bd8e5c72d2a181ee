//! The auditor's calls: the event log, one event with what it changed, a record through time, verification, checkpoints.

use super::pages;
use crate::{
    app::App,
    checkpoints::{CheckpointFailure, Kept, Standing},
    extract::{Caller, Filters, Reading},
    listing::Listing,
    openapi::lists::asked,
    problem::ApiError,
    proofs::{self, SignedCheckpoint, WitnessCosignature},
    verifications::{self, VerificationError, VerificationRun},
};
use actix_web::{
    HttpResponse, get, post,
    web::{Data, Path},
};
use caudal_domain::{StreamId, StreamState};
use caudal_journal::{MAX_EVENTS, Recorded, to_hex};
use caudal_projections::{
    Snapshot,
    audit::{self, AuditEvent},
    lists,
    scalar::StreamKind,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

/// The most events of one record that one answer tells: the last ones. Those before are asked for by `position`.
const MAX_TIMELINE: usize = 1_000;

asked! {
    AuditEventsParams = lists::EVENTS;
}

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(list_events)
        .service(get_event)
        .service(get_timeline)
        .service(get_verification)
        .service(start_verification)
        .service(get_checkpoint)
        .service(list_checkpoints)
        .service(take_checkpoint)
        .service(get_keys);
}

/// An event with what it says and what it changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditEventDetails {
    /// The event.
    event: AuditEvent,
    /// What it says, read as the present version of its type; its personal part open, or without it where the person was
    /// forgotten.
    #[schema(value_type = Object)]
    payload: Value,
    /// The record before it; null where it was not there.
    #[schema(value_type = Object, nullable)]
    before: Value,
    /// The record after it.
    #[schema(value_type = Object, nullable)]
    after: Value,
    /// The hash before it, which its own covers: that of the event before, or of the tenant's genesis.
    previous_hash: Option<String>,
    /// Whether its hash is that of its content and the hash before.
    hash_holds: bool,
    /// The position before; null for the first.
    previous_position: Option<i64>,
    /// The position after; null for the last.
    next_position: Option<i64>,
    /// What the ids in it are called now: names, codes and numbers by id. An id of nothing named is not in it.
    names: BTreeMap<Uuid, String>,
}

/// One step of a record's way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TimelineStep {
    /// The event.
    event: AuditEvent,
    /// The fields that it changed.
    changes: Vec<FieldChange>,
}

/// A field that an event changed.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FieldChange {
    /// Its path in the record, with dots.
    #[schema(examples("sale.quote.payout"))]
    field: String,
    /// What it was; null where it was not there.
    #[schema(value_type = Object, nullable)]
    before: Value,
    /// What it is; null where it is not there any more.
    #[schema(value_type = Object, nullable)]
    after: Value,
}

/// A record through time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Timeline {
    /// What sort of record.
    record_type: StreamKind,
    /// Which one.
    record_id: Uuid,
    /// The record as it was then; null where it was not there.
    #[schema(value_type = Object, nullable)]
    state: Value,
    /// Its events until then, the first one first; the last 1,000 of them where there are more.
    steps: Vec<TimelineStep>,
    /// How many events came before the first of these steps.
    earlier: usize,
    /// What the ids in it are called now: names, codes and numbers by id. An id of nothing named is not in it.
    names: BTreeMap<Uuid, String>,
}

/// Until when a record is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AsOf {
    /// Through this position; all of it where absent.
    #[param(minimum = 0)]
    position: Option<i64>,
    /// Through this moment.
    at: Option<DateTime<Utc>>,
}

/// A checkpoint that was taken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptCheckpoint {
    /// It.
    checkpoint: SignedCheckpoint,
    /// How it stands against the log as it is.
    standing: Standing,
    /// Which witnesses signed it too.
    cosignatures: Vec<WitnessCosignature>,
    /// The name of a file for it.
    #[schema(examples("acme-000000012345.checkpoint.json"))]
    file_name: String,
}

impl KeptCheckpoint {
    fn new(kept: &Kept) -> Result<Self, ApiError> {
        Ok(Self {
            checkpoint: SignedCheckpoint::new(&kept.checkpoint)?,
            standing: kept.standing,
            cosignatures: proofs::shown(&kept.cosignatures)?,
            file_name: kept.checkpoint.file_name(),
        })
    }
}

/// The checkpoints that were taken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptCheckpoints {
    /// The last one first.
    checkpoints: Vec<KeptCheckpoint>,
}

/// A public key that checkpoints are checked with.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckpointKey {
    /// Its name.
    id: String,
    /// The key, in Base64.
    public_key: String,
    /// Since when it signed.
    since: String,
    /// Until when; null where it still signs.
    until: Option<String>,
}

/// The public keys that checkpoints are checked with.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckpointKeys {
    /// All of them, the present one last.
    keys: Vec<CheckpointKey>,
}

impl From<VerificationError> for ApiError {
    fn from(error: VerificationError) -> Self {
        match error {
            VerificationError::Database(error) => error.into(),
            VerificationError::Begin(error) => error.into(),
            error @ VerificationError::Json(_) => Self::internal(error),
        }
    }
}

impl From<CheckpointFailure> for ApiError {
    fn from(failure: CheckpointFailure) -> Self {
        match failure {
            CheckpointFailure::Journal(error) => error.into(),
            CheckpointFailure::Database(error) => error.into(),
            CheckpointFailure::Begin(error) => error.into(),
            // Said loudly where it was found.
            CheckpointFailure::Diverged { .. } => Self::conflict("log_contradicts_checkpoint"),
            failure @ CheckpointFailure::Unreadable { .. } => {
                tracing::error!(error = %failure, "a log's end was not signed");
                Self::unavailable("checkpoints_unreadable")
            }
            CheckpointFailure::Busy(_) => Self::unavailable("busy"),
            failure => Self::internal(failure),
        }
    }
}

/// The event log, the last event first.
#[utoipa::path(tag = "Audit", operation_id = "listAuditEvents", params(AuditEventsParams),
    responses((status = 200, description = "A page.", body = pages::AuditEventPage)))]
#[get("/api/audit/events")]
async fn list_events(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::EVENTS, |s, c, q| Box::pin(audit::list(s, c, q)))
        .await
}

/// One event: who, when, what it says, the record before and after, its hash and its neighbours.
#[utoipa::path(tag = "Audit", operation_id = "getAuditEvent", params(("position" = i64, Path)),
    responses((status = 200, description = "It.", body = AuditEventDetails)))]
#[get("/api/audit/events/{position}")]
async fn get_event(reading: Reading, position: Path<String>) -> Result<HttpResponse, ApiError> {
    let position = number(&position).ok_or_else(|| ApiError::not_found("event_not_found"))?;
    let (mut snapshot, _) = reading.begin().await?;
    let event = audit::event(&mut snapshot, position).await?;
    let last = snapshot.position();
    drop(snapshot);
    let stream = StreamId::new(event.record_type.0, event.record_id);
    let (journal, tenant) = (&reading.app.journal, &reading.caller.tenant);
    let mut record = Record::new(stream);
    let mut before = Value::Null;
    let mut payload = Value::Null;
    let mut read = 0;
    while read < event.sequence {
        let events = journal.stream_events(tenant, stream, read, MAX_EVENTS).await?;
        let Some(reached) = events.last().map(|recorded| recorded.sequence) else {
            break;
        };
        for recorded in events.iter().filter(|recorded| recorded.sequence <= event.sequence) {
            if recorded.sequence == event.sequence {
                before = record.to_json()?;
                payload = said(recorded)?;
            }
            record.apply(recorded)?;
        }
        read = reached;
    }
    let stored = journal.stored(tenant, position).await?;
    let (previous, holds) = match &stored {
        Some((previous, stored)) => (
            Some(to_hex(previous)),
            stored.hash.is_some() && stored.expected_hash(tenant, previous) == stored.hash,
        ),
        None => (None, false),
    };
    let after = record.to_json()?;
    let (mut snapshot, _) = reading.begin().await?;
    let names = names(&mut snapshot, [&payload, &before, &after]).await?;
    drop(snapshot);
    Ok(HttpResponse::Ok().json(AuditEventDetails {
        payload,
        before,
        after,
        names,
        previous_hash: previous,
        hash_holds: holds,
        previous_position: (position > 1).then(|| position - 1),
        next_position: (position < last).then(|| position + 1),
        event,
    }))
}

/// A record through time: each of its events and what it changed, and the record as it was at a position or a moment.
#[utoipa::path(tag = "Audit", operation_id = "getTimeline",
    params(("type" = StreamKind, Path), ("id" = Uuid, Path), AsOf),
    responses((status = 200, description = "It.", body = Timeline)))]
#[get("/api/audit/timeline/{type}/{id}")]
async fn get_timeline(
    reading: Reading,
    path: Path<(String, String)>,
    Filters(as_of): Filters<AsOf>,
) -> Result<HttpResponse, ApiError> {
    let not_found = || ApiError::not_found("record_not_found");
    let (kind, id) = path.into_inner();
    let kind: caudal_domain::StreamKind = kind.parse().map_err(|_| not_found())?;
    let id: Uuid = id.parse().map_err(|_| not_found())?;
    if as_of.position.is_some_and(|position| position < 0) {
        return Err(ApiError::invalid("position", "number_invalid"));
    }
    let stream = StreamId::new(kind, id);
    let (mut snapshot, _) = reading.begin().await?;
    let through = as_of.position.unwrap_or(i64::MAX).min(snapshot.position());
    let (journal, tenant) = (&reading.app.journal, &reading.caller.tenant);
    let is_past =
        |recorded: &Recorded| recorded.position <= through && as_of.at.is_none_or(|at| recorded.recorded_at <= at);
    // The record before the steps that are told, and those steps.
    let mut record = Record::new(stream);
    let mut told: VecDeque<Recorded> = VecDeque::new();
    let (mut earlier, mut read) = (0, 0);
    loop {
        let events = journal.stream_events(tenant, stream, read, MAX_EVENTS).await?;
        if read == 0 && events.first().is_none_or(|first| first.position > snapshot.position()) {
            return Err(not_found());
        }
        let Some(reached) = events.last().map(|recorded| recorded.sequence) else {
            break;
        };
        read = reached;
        for recorded in events.into_iter().filter(is_past) {
            told.push_back(recorded);
            if told.len() > MAX_TIMELINE
                && let Some(first) = told.pop_front()
            {
                record.apply(&first)?;
                earlier += 1;
            }
        }
    }
    let positions: Vec<_> = told.iter().map(|recorded| recorded.position).collect();
    let described = audit::at_positions(&mut snapshot, &positions).await?;
    let mut steps = Vec::with_capacity(told.len());
    let mut before = record.to_json_after(earlier)?;
    for (recorded, event) in told.iter().zip(described) {
        record.apply(recorded)?;
        let after = record.to_json()?;
        steps.push(TimelineStep {
            event,
            changes: changes(&before, &after),
        });
        before = after;
    }
    let changed = steps.iter().flat_map(|step| &step.changes);
    let values = changed.flat_map(|change| [&change.before, &change.after]);
    let names = names(&mut snapshot, values.chain([&before])).await?;
    Ok(HttpResponse::Ok().json(Timeline {
        record_type: kind.into(),
        record_id: id,
        state: before,
        steps,
        earlier,
        names,
    }))
}

/// What the ids in values are called.
async fn names<'a>(
    snapshot: &mut Snapshot,
    values: impl IntoIterator<Item = &'a Value>,
) -> Result<BTreeMap<Uuid, String>, ApiError> {
    let mut ids = BTreeSet::new();
    for value in values {
        ids_in(value, &mut ids);
    }
    Ok(audit::names(snapshot, ids.into_iter().collect()).await?)
}

/// The ids that a value names; an account's text, `kind/owner/group/currency`, has them between its slashes.
fn ids_in(value: &Value, ids: &mut BTreeSet<Uuid>) {
    match value {
        Value::String(text) => ids.extend(text.split('/').filter_map(|part| Uuid::try_parse(part).ok())),
        Value::Array(values) => values.iter().for_each(|value| ids_in(value, ids)),
        Value::Object(fields) => fields.values().for_each(|value| ids_in(value, ids)),
        _ => {}
    }
}

/// The verification under way, or the last one; null where there was none.
#[utoipa::path(tag = "Audit", operation_id = "getVerification",
    responses((status = 200, description = "It.", body = Option<VerificationRun>)))]
#[get("/api/audit/verification")]
async fn get_verification(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(verifications::last(&app.database, &caller.tenant).await?))
}

/// Verify now: the chain, the ledger's invariants, and that the read models equal a replay. Where one is under way, that
/// one is answered.
#[utoipa::path(tag = "Audit", operation_id = "startVerification",
    responses((status = 202, description = "It has begun.", body = VerificationRun)))]
#[post("/api/audit/verification")]
async fn start_verification(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let tenant = caller.tenant.clone();
    Ok(HttpResponse::Accepted().json(verifications::begin(app, tenant, caller.party).await?))
}

/// The present end of the log, signed and kept among those taken: keep it outside of Caudal. 409 where the log contradicts
/// what was signed before.
#[utoipa::path(tag = "Audit", operation_id = "getCheckpoint",
    responses((status = 200, description = "It.", body = SignedCheckpoint)))]
#[get("/api/audit/checkpoint")]
async fn get_checkpoint(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let checkpoint = app.checkpoints.take(&caller.tenant).await?;
    Ok(HttpResponse::Ok().json(SignedCheckpoint::new(&checkpoint)?))
}

/// The checkpoints that were taken, and how each stands against the log as it is.
#[utoipa::path(tag = "Audit", operation_id = "listCheckpoints",
    responses((status = 200, description = "Them.", body = KeptCheckpoints)))]
#[get("/api/audit/checkpoints")]
async fn list_checkpoints(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let kept = app.checkpoints.kept(&caller.tenant).await?;
    let checkpoints = kept.iter().map(KeptCheckpoint::new).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok().json(KeptCheckpoints { checkpoints }))
}

/// Sign the present end of the log and keep it among those taken. Where the log has not grown since it was last signed,
/// that one is answered. 409 where the log contradicts what was signed before.
#[utoipa::path(tag = "Audit", operation_id = "takeCheckpoint",
    responses((status = 201, description = "It.", body = KeptCheckpoint)))]
#[post("/api/audit/checkpoints")]
async fn take_checkpoint(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let kept = Kept::new(app.checkpoints.take(&caller.tenant).await?);
    Ok(HttpResponse::Created().json(KeptCheckpoint::new(&kept)?))
}

/// The public keys that checkpoints are checked with.
#[utoipa::path(tag = "Audit", operation_id = "getCheckpointKeys",
    responses((status = 200, description = "Them.", body = CheckpointKeys)))]
#[get("/api/audit/keys")]
async fn get_keys(app: Data<App>) -> Result<HttpResponse, ApiError> {
    json_text(app.checkpoints.public_keys().await?.to_json())
}

fn json_text(text: serde_json::Result<String>) -> Result<HttpResponse, ApiError> {
    let text = text.map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().content_type("application/json").body(text))
}

/// A position; none where it is no number of one.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|position| *position > 0)
}

/// What an event says.
fn said(recorded: &Recorded) -> Result<Value, ApiError> {
    let text = recorded.event.encode_in_clear().map_err(ApiError::internal)?;
    serde_json::from_str(&text).map_err(ApiError::internal)
}

/// A record while its events are applied: what the rules know of it, and what was said of people, which they don't.
struct Record {
    state: StreamState,
    personal: Map<String, Value>,
}

impl Record {
    fn new(stream: StreamId) -> Self {
        Self {
            state: StreamState::new(stream.kind),
            personal: Map::new(),
        }
    }

    fn apply(&mut self, recorded: &Recorded) -> Result<(), ApiError> {
        self.state.apply(&recorded.event);
        let Some(clear) = recorded.event.personal().and_then(|part| part.clear_json()) else {
            return Ok(());
        };
        let clear = clear.map_err(ApiError::internal)?;
        if let Value::Object(fields) = serde_json::from_str(&clear).map_err(ApiError::internal)? {
            self.personal.extend(fields);
        }
        Ok(())
    }

    /// As [`Self::to_json`]; null where nothing was applied yet.
    fn to_json_after(&self, applied: usize) -> Result<Value, ApiError> {
        if applied == 0 { Ok(Value::Null) } else { self.to_json() }
    }

    fn to_json(&self) -> Result<Value, ApiError> {
        let mut value = self.state.to_json().map_err(ApiError::internal)?;
        if let (Value::Object(fields), false) = (&mut value, self.personal.is_empty()) {
            fields.insert("personal".to_owned(), Value::Object(self.personal.clone()));
        }
        Ok(value)
    }
}

/// The fields in which two records differ, by their paths.
fn changes(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    compare("", before, after, &mut changes);
    changes
}

fn compare(path: &str, before: &Value, after: &Value, changes: &mut Vec<FieldChange>) {
    let empty = Map::new();
    let fields = |value: &'_ Value| match value {
        Value::Object(fields) => Some(fields.clone()),
        Value::Null => Some(empty.clone()),
        _ => None,
    };
    match (fields(before), fields(after)) {
        (Some(one), Some(other)) if !(before.is_null() && after.is_null()) => {
            let mut names: Vec<_> = one.keys().chain(other.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let inner = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                let (one, other) = (
                    one.get(name).unwrap_or(&Value::Null),
                    other.get(name).unwrap_or(&Value::Null),
                );
                compare(&inner, one, other, changes);
            }
        }
        _ if before != after => changes.push(FieldChange {
            field: path.to_owned(),
            before: before.clone(),
            after: after.clone(),
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::{Account, AccountKind, ids::PartyId, money::CurrencyCode};
    use serde_json::json;

    #[test]
    fn owners_of_accounts_and_groups_are_named_as_ids_that_stand_alone() {
        let [owner, group, alone] = [1, 2, 3].map(Uuid::from_u128);
        let account = Account::of(AccountKind::FieldCash, PartyId(owner), CurrencyCode::USD).to_string();
        let value = json!({"lines": [
            {"account": account},
            {"account": format!("balance/{owner}/{group}/USD")},
            {"account": "treasury/USD", "memo": "and/or"},
        ], "dealer": alone});
        let mut ids = BTreeSet::new();
        ids_in(&value, &mut ids);
        assert_eq!(ids, BTreeSet::from([owner, group, alone]));
    }

    #[test]
    fn changes_are_told_by_the_paths_of_fields() {
        let before = json!({"status": "pending", "sale": {"amount": "1.00", "group": "a"}, "notes": [1]});
        let after =
            json!({"status": "shipping", "sale": {"amount": "1.00", "group": "b"}, "dealer": "d", "notes": [1]});
        let told: Vec<_> = changes(&before, &after)
            .into_iter()
            .map(|change| (change.field, change.before, change.after))
            .collect();
        assert_eq!(
            told,
            [
                ("dealer".to_owned(), json!(null), json!("d")),
                ("sale.group".to_owned(), json!("a"), json!("b")),
                ("status".to_owned(), json!("pending"), json!("shipping")),
            ]
        );
        assert_eq!(changes(&Value::Null, &json!({"a": {"b": 1}}))[0].field, "a.b");
        assert!(changes(&before, &before).is_empty());
    }
}
