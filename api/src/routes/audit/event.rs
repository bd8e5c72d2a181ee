//! One event: its payload, and the record before and after it.

use super::{Record, names};
use crate::{cards, extract::Reading, problem::ApiError};
use actix_web::{HttpResponse, get, web::Path};
use caudal_domain::StreamId;
use caudal_journal::{MAX_EVENTS, Recorded, to_hex};
use caudal_projections::audit::{self, AuditEvent};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

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

/// One event: author, time, payload, record before and after, hash and neighbours.
#[utoipa::path(tag = "Audit", operation_id = "getAuditEvent", params(("position" = i64, Path)),
    responses((status = 200, description = "It.", body = AuditEventDetails)))]
#[get("/api/audit/events/{position}")]
pub(super) async fn get_event(reading: Reading, position: Path<String>) -> Result<HttpResponse, ApiError> {
    let position = number(&position).ok_or_else(|| ApiError::not_found("event_not_found"))?;
    let (mut transaction, _) = reading.begin().await?;
    let event = audit::event(&mut transaction, position).await?;
    let last = transaction.position();
    drop(transaction);
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
    let (mut transaction, _) = reading.begin().await?;
    let names = names(&mut transaction, [&payload, &before, &after]).await?;
    drop(transaction);
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

/// Parses a position.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|position| *position > 0)
}

/// Payload of an event.
fn said(recorded: &Recorded) -> Result<Value, ApiError> {
    let text = recorded.event.encode_in_clear().map_err(ApiError::internal)?;
    serde_json::from_str(&text).map_err(ApiError::internal)
}
