//! Calls for auditors: event log, single events with their effect, records through time, verification, checkpoints.

use super::pages;
use crate::{
    app::App,
    cards,
    checkpoints::{CheckpointFailure, Kept, Standing},
    extract::{Caller, Filters, Reading},
    listing::{Listing, text_file},
    parameters::asked,
    problem::ApiError,
    proofs::{self, SignedCheckpoint, WitnessCosignature},
    registry::Registry,
    verifications::{self, VerificationError, VerificationRun},
};
use actix_web::{
    HttpResponse, get, post,
    web::{Bytes, Data, Path},
};
use caudal_domain::{StreamId, StreamState};
use caudal_journal::{ExportError, MAX_EVENTS, Recorded, to_hex};
use caudal_projections::{
    Snapshot,
    audit::{self, AuditEvent},
    export::Turn,
    late, lists, reading,
    scalar::StreamKind,
};
use chrono::{DateTime, Utc};
use futures::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    io,
    time::Duration,
};
use tokio::{sync::mpsc, time::timeout};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Pieces of the log's file that wait for its reader.
const PIECES_AHEAD: usize = 2;
/// Maximum time of an export of the log, whose snapshot keeps the database from cleaning up.
const LONGEST_EXPORT: Duration = Duration::from_secs(1_800);
/// Time to tell a failure to a reader who takes no more pieces.
const LAST_PIECE: Duration = Duration::from_secs(10);

/// Maximum steps per timeline: the last ones. Request earlier ones by `position`.
const MAX_TIMELINE: usize = 1_000;

asked! {
    AuditEventsParams = lists::EVENTS;
    LateChangesParams = lists::LATE_CHANGES;
    ReadingsParams = lists::READINGS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_events)
        .service(get_event)
        .service(get_timeline)
        .service(export_log)
        .service(list_late_changes)
        .service(list_readings)
        .service(get_verification)
        .service(start_verification)
        .service(get_checkpoint)
        .service(list_checkpoints)
        .service(take_checkpoint)
        .service(get_keys);
}

/// An event with its payload and the record before and after it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditEventDetails {
    /// The event.
    event: AuditEvent,
    /// Payload in the current version of its type, with the personal part decrypted, or without it after erasure. A card's number
    /// is shown by its last digits.
    #[schema(value_type = Object)]
    payload: Value,
    /// The record before the event; null when it did not exist.
    #[schema(value_type = Object, nullable)]
    before: Value,
    /// The record after the event.
    #[schema(value_type = Object, nullable)]
    after: Value,
    /// Hash of the preceding event, or the tenant's genesis: 64 hexadecimal digits. Covered by the event's own hash.
    previous_hash: Option<String>,
    /// Whether the event's hash matches its content and the preceding hash.
    hash_holds: bool,
    /// Previous position; null for the first.
    previous_position: Option<i64>,
    /// Next position; null for the last.
    next_position: Option<i64>,
    /// Current names, codes and numbers of the ids in it, by id; ids without a name are omitted.
    names: BTreeMap<Uuid, String>,
}

/// An event of a record with its changes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TimelineStep {
    /// The event.
    event: AuditEvent,
    /// Changed fields.
    changes: Vec<FieldChange>,
}

/// A field changed by an event.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FieldChange {
    /// Path in the record, separated by dots.
    #[schema(examples("sale.quote.payout"))]
    field: String,
    /// Value before; null when absent.
    #[schema(value_type = Object, nullable)]
    before: Value,
    /// Value after; null when absent.
    #[schema(value_type = Object, nullable)]
    after: Value,
}

/// A record through time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Timeline {
    /// Kind of the record.
    record_type: StreamKind,
    /// Id of the record.
    record_id: Uuid,
    /// The record at the requested time; null when it did not exist.
    #[schema(value_type = Object, nullable)]
    state: Value,
    /// Events until that time, oldest first; at most the last 1,000.
    steps: Vec<TimelineStep>,
    /// Number of events before the first of these steps.
    earlier: usize,
    /// Current names, codes and numbers of the ids in it, by id; ids without a name are omitted.
    names: BTreeMap<Uuid, String>,
}

/// Time limit of a timeline.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AsOf {
    /// Through this position; absent for all events.
    #[param(minimum = 0)]
    position: Option<i64>,
    /// Through this time, RFC 3339; absent for all events.
    at: Option<DateTime<Utc>>,
}

/// A stored checkpoint with its comparison.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptCheckpoint {
    /// The checkpoint.
    checkpoint: SignedCheckpoint,
    /// Result of comparing it with the current log.
    standing: Standing,
    /// Cosignatures of witnesses.
    cosignatures: Vec<WitnessCosignature>,
    /// Suggested file name.
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

/// Stored checkpoints.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptCheckpoints {
    /// Last one first.
    checkpoints: Vec<KeptCheckpoint>,
}

/// A public key for verifying checkpoints.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckpointKey {
    /// Name of the key.
    id: String,
    /// Public key, in Base64.
    public_key: String,
    /// Time of its first use, RFC 3339 in UTC.
    since: String,
    /// Time of its retirement; null for the current key.
    until: Option<String>,
}

/// Public keys for verifying checkpoints.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckpointKeys {
    /// Current key last.
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
            // Logged as an error where it was found.
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

/// Event log, newest first.
#[utoipa::path(tag = "Audit", operation_id = "listAuditEvents", params(AuditEventsParams),
    responses((status = 200, description = "A page.", body = pages::AuditEventPage)))]
#[get("/api/audit/events")]
async fn list_events(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::EVENTS, |s, c, q| Box::pin(audit::list(s, c, q)))
        .await
}

/// The whole log as a file, as `caudal export` writes it: one JSON object per line, personal data sealed. `caudal verify
/// --file` checks it on another machine, with the checkpoints and the public keys. A file that was cut off lacks its last
/// line, and is refused there.
#[utoipa::path(tag = "Audit", operation_id = "exportLog",
    responses((status = 200, description = "It.", body = String, content_type = "application/x-ndjson")))]
#[get("/api/audit/log")]
async fn export_log(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let turn = Turn::take().await?;
    let (sender, receiver) = mpsc::channel(PIECES_AHEAD);
    let name = format!("{}.ndjson", caller.tenant.as_str());
    tokio::spawn(async move {
        // A reader who stops reading ends the export too.
        let pieces = app.journal.export_pieces(&caller.tenant, &sender);
        let ended = timeout(LONGEST_EXPORT, pieces).await;
        drop(turn);
        let failure = match ended {
            Ok(Ok(())) => return,
            Ok(Err(failure)) => failure,
            Err(_) => ExportError::Write(io::ErrorKind::TimedOut.into()),
        };
        drop(timeout(LAST_PIECE, sender.send(Err(failure))).await);
    });
    let pieces = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|piece| (piece.map(Bytes::from), receiver))
    });
    Ok(text_file(&name, "application/x-ndjson", pieces))
}

/// What was done to a day after it was over, the last recorded first: edits and cancellations of sales, reversals, undone changes
/// of rates, and deliveries that arrive later than they were made.
#[utoipa::path(tag = "Audit", operation_id = "listLateChanges", params(LateChangesParams),
    responses((status = 200, description = "A page.", body = pages::LateChangePage)))]
#[get("/api/audit/late-changes")]
async fn list_late_changes(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::LATE_CHANGES, |s, _, q| Box::pin(late::list(s, q)))
        .await
}

/// Reads of personal data, newest first: opened records, files, dossiers, and what managers saw as others. They are kept
/// for 400 days.
#[utoipa::path(tag = "Audit", operation_id = "listReadings", params(ReadingsParams),
    responses((status = 200, description = "A page.", body = pages::PersonalReadPage)))]
#[get("/api/audit/readings")]
async fn list_readings(app: Data<App>, listing: Listing) -> Result<HttpResponse, ApiError> {
    app.readings.flush().await?;
    listing
        .answer(&lists::READINGS, |s, _, q| Box::pin(reading::list(s, q)))
        .await
}

/// One event: author, time, payload, record before and after, hash and neighbours.
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
    let mut after = record.to_json()?;
    for value in [&mut payload, &mut before, &mut after] {
        cards::mask(value);
    }
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

/// A record through time: its events with their changes, and its state at a position or time.
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
    // The record before the returned steps, and those steps.
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
            changes: masked(changes(&before, &after)),
        });
        before = after;
    }
    cards::mask(&mut before);
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

/// Names of the ids in values.
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

/// The running or last verification; null when there was none.
#[utoipa::path(tag = "Audit", operation_id = "getVerification",
    responses((status = 200, description = "It.", body = Option<VerificationRun>)))]
#[get("/api/audit/verification")]
async fn get_verification(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(verifications::last(&app, &caller.tenant).await?))
}

/// Start a verification of the chain, the ledger's invariants, and the read models against a replay. Returns the
/// running one if there is any.
#[utoipa::path(tag = "Audit", operation_id = "startVerification",
    responses((status = 202, description = "It has begun.", body = VerificationRun)))]
#[post("/api/audit/verification")]
async fn start_verification(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let tenant = caller.tenant.clone();
    Ok(HttpResponse::Accepted().json(verifications::begin(app, tenant, caller.party).await?))
}

/// The current end of the log, signed and stored: keep a copy outside of Caudal. 409 when the log contradicts an
/// earlier checkpoint.
#[utoipa::path(tag = "Audit", operation_id = "getCheckpoint",
    responses((status = 200, description = "It.", body = SignedCheckpoint)))]
#[get("/api/audit/checkpoint")]
async fn get_checkpoint(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let checkpoint = app.checkpoints.take(&caller.tenant).await?;
    Ok(HttpResponse::Ok().json(SignedCheckpoint::new(&checkpoint)?))
}

/// Stored checkpoints, each compared with the current log.
#[utoipa::path(tag = "Audit", operation_id = "listCheckpoints",
    responses((status = 200, description = "Them.", body = KeptCheckpoints)))]
#[get("/api/audit/checkpoints")]
async fn list_checkpoints(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let kept = app.checkpoints.kept(&caller.tenant).await?;
    let checkpoints = kept.iter().map(KeptCheckpoint::new).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok().json(KeptCheckpoints { checkpoints }))
}

/// Sign and store the current end of the log. Returns the last checkpoint when the log has not grown. 409 when the log
/// contradicts an earlier checkpoint.
#[utoipa::path(tag = "Audit", operation_id = "takeCheckpoint",
    responses((status = 201, description = "It.", body = KeptCheckpoint)))]
#[post("/api/audit/checkpoints")]
async fn take_checkpoint(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let kept = Kept::new(app.checkpoints.take(&caller.tenant).await?);
    Ok(HttpResponse::Created().json(KeptCheckpoint::new(&kept)?))
}

/// Public keys for verifying checkpoints.
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

/// Parses a position.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|position| *position > 0)
}

/// Payload of an event.
fn said(recorded: &Recorded) -> Result<Value, ApiError> {
    let text = recorded.event.encode_in_clear().map_err(ApiError::internal)?;
    serde_json::from_str(&text).map_err(ApiError::internal)
}

/// A record while its events are applied: its state, and the personal data, which the state lacks.
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

    /// [`Self::to_json`]; null before the first event.
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

/// Fields in which two records differ, by path.
fn changes(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    compare("", before, after, &mut changes);
    changes
}

/// Changes with card numbers by their last digits, after the whole numbers were compared.
fn masked(mut changes: Vec<FieldChange>) -> Vec<FieldChange> {
    for change in &mut changes {
        cards::mask_at(&change.field, &mut change.before);
        cards::mask_at(&change.field, &mut change.after);
    }
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
    fn changes_are_listed_by_field_path() {
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
