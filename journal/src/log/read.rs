//! Reads of the log: by position for followers, by stream for a record's history.

use crate::{
    beside::authenticity::RowMacs,
    error::{JournalError, Unreadable},
    history::{Divergence, DivergenceKind, LogPoint},
    keys::Keyring,
    log::{
        chain::{self, Hash},
        head::StoredHead,
        stored::StoredEvent,
    },
    people::{
        encryption,
        subjects::{SubjectKey, SubjectKeys},
    },
    proof::verify::Row,
    writer::faults::{Fault, is_planted},
};
use caudal_domain::{
    Actor, Event, StreamId, StreamKind,
    ids::{ApiKeyId, ProposalId, SubjectId, TenantId},
    party::Role,
};
use caudal_postgres::Timestamp;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{collections::HashMap, ops::RangeInclusive};
use uuid::Uuid;

/// Maximum events per read; followers page.
pub const MAX_EVENTS: i64 = 10_000;
/// Characters of an id in an event.
const ID_LENGTH: i32 = 36;

/// Actor and request of an event. All texts, for cqrs-es.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// `system`, or the party's id.
    pub actor: String,
    /// `system`, or the party's role at the time.
    pub role: String,
    /// Request id.
    pub request: String,
    /// Id of the API key that the request was made with; `None` for sessions and the system.
    #[serde(rename = "apiKey", default, skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
    /// Id of the proposal whose approval wrote the event; `None` for commands that took effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// Party that approved the proposal; the actor is its maker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
}

impl Metadata {
    pub(crate) fn new(actor: Actor, role: Option<Role>, request: Uuid, api_key: Option<ApiKeyId>) -> Self {
        Self {
            actor: actor.to_string(),
            role: role.map_or("system", Role::as_str).to_owned(),
            request: request.to_string(),
            api_key: api_key.map(|key| key.to_string()),
            proposal: None,
            approver: None,
        }
    }

    /// Names the proposal and its approver.
    pub(crate) fn approved(self, proposal: ProposalId, approver: Actor) -> Self {
        Self {
            proposal: Some(proposal.to_string()),
            approver: Some(approver.to_string()),
            ..self
        }
    }
}

/// An event of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Position in the tenant's log, from 1.
    pub position: i64,
    pub stream: StreamId,
    /// Sequence number in the stream, from 1.
    pub sequence: i64,
    /// Time of the commit's batch.
    pub recorded_at: DateTime<Utc>,
    /// Actor and request.
    pub metadata: Metadata,
    /// Chains it to its predecessor.
    pub hash: Hash,
    /// Its personal part is decrypted, or erased after the person's erasure.
    pub event: Event,
}

impl Recorded {
    /// Position and hash.
    #[must_use]
    pub const fn point(&self) -> LogPoint {
        LogPoint {
            position: self.position,
            hash: self.hash,
        }
    }
}

/// Selection of events.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Range {
    /// After a position, in log order.
    After { position: i64, limit: i64 },
    /// After a point, verified to chain to it and to each other. Where they reach the head it must be vouched for, if it is
    /// checked.
    Following {
        after: LogPoint,
        limit: i64,
        checks_head: bool,
    },
    /// Of a stream, after a sequence number.
    Stream { stream: StreamId, after: i64, limit: i64 },
}

const COLUMNS: &str = "position, aggregate_type, aggregate_id, sequence, event_type, event_version, \
                       payload::text AS payload, metadata::text AS metadata, recorded_at, hash";

/// Events with encrypted personal parts, on a connection whose transaction has set the tenant.
pub(crate) async fn sealed(
    connection: &mut PgConnection,
    tenant: &TenantId,
    range: Range,
) -> Result<Vec<Recorded>, JournalError> {
    decode(tenant, range, &rows(connection, tenant, range).await?)
}

/// Events with decrypted personal parts, on a connection whose transaction has set the tenant.
pub(crate) async fn opened(
    connection: &mut PgConnection,
    keyring: &Keyring,
    macs: &RowMacs,
    subjects: &SubjectKeys,
    tenant: &TenantId,
    range: Range,
) -> Result<Vec<Recorded>, JournalError> {
    let rows = rows(connection, tenant, range).await?;
    let mut events = decode(tenant, range, &rows)?;
    if let Range::Following {
        after,
        checks_head: true,
        ..
    } = range
        && let Some(last) = rows.last()
    {
        require_vouched_for(macs, tenant, after, last)?;
    }
    open_all(connection, keyring, macs, subjects, tenant, &mut events, &rows).await?;
    Ok(events)
}

/// Decrypts the personal parts of events that were just read.
async fn open_all(
    connection: &mut PgConnection,
    keyring: &Keyring,
    macs: &RowMacs,
    subjects: &SubjectKeys,
    tenant: &TenantId,
    events: &mut [Recorded],
    rows: &[PgRow],
) -> Result<(), JournalError> {
    // Before keys are taken from the cache: older parts of erased people must read as erased.
    for subject in events.iter().filter_map(|recorded| recorded.event.erases()) {
        subjects.evict(tenant, subject);
    }
    let people: Vec<_> = events
        .iter()
        .filter_map(|recorded| sealed_subject(&recorded.event))
        .collect();
    if !people.is_empty() {
        let keys = subjects.load(connection, keyring, macs, tenant, people).await?;
        for (recorded, row) in events.iter_mut().zip(rows) {
            // The stored type, under which the part was encrypted, even if the event was upcast.
            open(tenant, recorded, row.try_get("event_type")?, &keys)?;
        }
    }
    Ok(())
}

/// Decrypts the personal parts of events that were read with encrypted ones.
pub(crate) async fn open_parts(
    connection: &mut PgConnection,
    keyring: &Keyring,
    macs: &RowMacs,
    subjects: &SubjectKeys,
    tenant: &TenantId,
    events: &mut [Recorded],
) -> Result<(), JournalError> {
    let people: Vec<_> = events
        .iter()
        .filter_map(|recorded| sealed_subject(&recorded.event))
        .collect();
    if people.is_empty() {
        return Ok(());
    }
    let keys = subjects.load(connection, keyring, macs, tenant, people).await?;
    for recorded in events {
        let event_type = recorded.event.event_type();
        open(tenant, recorded, event_type, &keys)?;
    }
    Ok(())
}

/// The first events, at most `limit`, of streams of one kind up to a position, in log order, with encrypted personal parts.
/// The connection's transaction has set the tenant.
pub(crate) async fn streams(
    connection: &mut PgConnection,
    tenant: &TenantId,
    kind: StreamKind,
    ids: &[Uuid],
    through: i64,
    limit: i64,
) -> Result<Vec<Recorded>, JournalError> {
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS} FROM journal.events
          WHERE tenant = $1 AND aggregate_type = $2 AND aggregate_id = ANY ($3) AND position <= $4
          ORDER BY position LIMIT $5"
    ))
    .bind(tenant.as_str())
    .bind(kind.as_str())
    .bind(ids)
    .bind(through)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|found| decoded(tenant, &row(found)?)).collect()
}

/// Events of some types in a range of positions, newest first, with encrypted personal parts, on a connection whose
/// transaction has set the tenant.
pub(crate) async fn of_types(
    connection: &mut PgConnection,
    tenant: &TenantId,
    types: &[&str],
    positions: RangeInclusive<i64>,
    limit: i64,
) -> Result<Vec<Recorded>, JournalError> {
    let types: Vec<String> = types.iter().map(|name| (*name).to_owned()).collect();
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS} FROM journal.events
          WHERE tenant = $1 AND position BETWEEN $2 AND $3 AND event_type = ANY ($4)
          ORDER BY position DESC LIMIT $5"
    ))
    .bind(tenant.as_str())
    .bind(positions.start())
    .bind(positions.end())
    .bind(types)
    .bind(limit.clamp(0, MAX_EVENTS))
    .fetch_all(connection)
    .await?;
    rows.iter().map(|found| decoded(tenant, &row(found)?)).collect()
}

/// All events of streams of one kind up to a position, in log order, with decrypted personal parts. Each is checked against the
/// hash before it, and follows the one before it in its stream. The connection's transaction has set the tenant.
///
/// # Errors
/// [`JournalError::Changed`] for an event that was changed, moved or deleted.
pub(crate) async fn authentic_streams(
    connection: &mut PgConnection,
    keyring: &Keyring,
    macs: &RowMacs,
    subjects: &SubjectKeys,
    tenant: &TenantId,
    (kind, ids, through): (StreamKind, &[Uuid], i64),
) -> Result<Vec<Recorded>, JournalError> {
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS}, (SELECT b.hash FROM journal.events AS b
                             WHERE b.tenant = $1 AND b.position = e.position - 1) AS before
           FROM journal.events AS e
          WHERE tenant = $1 AND aggregate_type = $2 AND aggregate_id = ANY ($3) AND position <= $4
          ORDER BY position"
    ))
    .bind(tenant.as_str())
    .bind(kind.as_str())
    .bind(ids)
    .bind(through)
    .fetch_all(&mut *connection)
    .await?;
    let mut events = Vec::with_capacity(rows.len());
    let mut sequences: HashMap<StreamId, i64> = HashMap::new();
    for found in &rows {
        let row = row(found)?;
        let position = row.position;
        let changed = || {
            tracing::error!(%tenant, position, "an event that is not only displayed was changed");
            JournalError::Changed {
                tenant: tenant.clone(),
                position,
            }
        };
        let before = match position {
            1 => Some(chain::genesis(tenant.as_str())),
            _ => found
                .try_get::<Option<&[u8]>, _>("before")?
                .and_then(|hash| hash.try_into().ok()),
        };
        // Before decoding: a changed event may not decode.
        let expected = before.and_then(|before| row.expected_hash(tenant, &before));
        if expected.is_none() || expected != row.hash {
            return Err(changed());
        }
        let recorded = decoded(tenant, &row)?;
        let last = sequences.entry(recorded.stream).or_default();
        if recorded.sequence != *last + 1 {
            return Err(changed());
        }
        *last = recorded.sequence;
        events.push(recorded);
    }
    open_all(connection, keyring, macs, subjects, tenant, &mut events, &rows).await?;
    Ok(events)
}

/// Ids of the streams of one kind that began up to a position, after an id, in their order, on a connection whose transaction has
/// set the tenant.
pub(crate) async fn stream_ids(
    connection: &mut PgConnection,
    tenant: &TenantId,
    kind: StreamKind,
    after: Option<Uuid>,
    through: i64,
    limit: i64,
) -> Result<Vec<Uuid>, JournalError> {
    // As text, ids in "C" have the order of their bytes.
    let ids: Vec<String> = sqlx::query_scalar(
        "SELECT aggregate_id FROM journal.events
          WHERE tenant = $1 AND aggregate_type = $2 AND aggregate_id > $3 AND sequence = 1 AND position <= $4
          ORDER BY aggregate_id LIMIT $5",
    )
    .bind(tenant.as_str())
    .bind(kind.as_str())
    .bind(after.map(|id| id.to_string()).unwrap_or_default())
    .bind(through)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    parsed(&ids)
}

/// Ids of the streams of one kind with an event in a range of positions that has one of some ids after the first occurrence of
/// one of some texts, in no order, on a connection whose transaction has set the tenant.
pub(crate) async fn streams_naming(
    connection: &mut PgConnection,
    tenant: &TenantId,
    kind: StreamKind,
    (marks, ids): (&[&str], &[Uuid]),
    positions: RangeInclusive<i64>,
) -> Result<Vec<Uuid>, JournalError> {
    let marks: Vec<String> = marks.iter().map(|mark| (*mark).to_owned()).collect();
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    // Payloads are stored as the text that was hashed. Searching it is several times as fast as parsing it.
    let found: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT e.aggregate_id FROM journal.events AS e CROSS JOIN unnest($5::text[]) AS m (mark)
          WHERE e.tenant = $1 AND e.position BETWEEN $2 AND $3 AND e.aggregate_type = $4
            AND strpos(e.payload::text, m.mark) > 0
            AND substr(e.payload::text, strpos(e.payload::text, m.mark) + length(m.mark), $6) = ANY ($7::text[])",
    )
    .bind(tenant.as_str())
    .bind(positions.start())
    .bind(positions.end())
    .bind(kind.as_str())
    .bind(marks)
    .bind(ID_LENGTH)
    .bind(ids)
    .fetch_all(connection)
    .await?;
    parsed(&found)
}

/// Ids of the streams of one kind whose only event is of a type, on a connection whose transaction has set the tenant.
pub(crate) async fn streams_of_one(
    connection: &mut PgConnection,
    tenant: &TenantId,
    kind: StreamKind,
    event_type: &str,
) -> Result<Vec<Uuid>, JournalError> {
    let ids: Vec<String> = sqlx::query_scalar(
        "SELECT e.aggregate_id FROM journal.events AS e
          WHERE e.tenant = $1 AND e.aggregate_type = $2 AND e.sequence = 1 AND e.event_type = $3
            AND NOT EXISTS (SELECT FROM journal.events AS n
                             WHERE n.tenant = e.tenant AND n.aggregate_type = e.aggregate_type
                               AND n.aggregate_id = e.aggregate_id AND n.sequence = 2)",
    )
    .bind(tenant.as_str())
    .bind(kind.as_str())
    .bind(event_type)
    .fetch_all(connection)
    .await?;
    parsed(&ids)
}

/// Ids of streams.
fn parsed(ids: &[String]) -> Result<Vec<Uuid>, JournalError> {
    let parsed = ids.iter().map(|id| Uuid::parse_str(id));
    let parsed: Result<Vec<Uuid>, _> = parsed.collect();
    parsed.map_err(|_| JournalError::Unexpected("the id of a stream is no UUID".to_owned()))
}

async fn rows(connection: &mut PgConnection, tenant: &TenantId, range: Range) -> Result<Vec<PgRow>, sqlx::Error> {
    match range {
        // The head of the same moment stands in every row.
        Range::Following { after, limit, .. } => {
            sqlx::query(&format!(
                "SELECT {COLUMNS}, h.*
                   FROM journal.events AS e
                   LEFT JOIN (SELECT position AS head_position, hash AS head_hash, epoch AS head_epoch,
                                     recorded_at AS head_recorded_at, mac AS head_mac
                                FROM journal.heads WHERE tenant = $1) AS h ON true
                  WHERE e.tenant = $1 AND e.position > $2 ORDER BY e.position LIMIT $3"
            ))
            .bind(tenant.as_str())
            .bind(after.position)
            .bind(limit.clamp(0, MAX_EVENTS))
            .fetch_all(connection)
            .await
        }
        Range::After { position, limit } => {
            sqlx::query(&format!(
                "SELECT {COLUMNS} FROM journal.events WHERE tenant = $1 AND position > $2 ORDER BY position LIMIT $3"
            ))
            .bind(tenant.as_str())
            .bind(position)
            .bind(limit.clamp(0, MAX_EVENTS))
            .fetch_all(connection)
            .await
        }
        Range::Stream { stream, after, limit } => {
            sqlx::query(&format!(
                "SELECT {COLUMNS} FROM journal.events
                  WHERE tenant = $1 AND aggregate_type = $2 AND aggregate_id = $3 AND sequence > $4
                  ORDER BY sequence LIMIT $5"
            ))
            .bind(tenant.as_str())
            .bind(stream.kind.as_str())
            .bind(stream.id.to_string())
            .bind(after)
            .bind(limit.clamp(0, MAX_EVENTS))
            .fetch_all(connection)
            .await
        }
    }
}

fn decode(tenant: &TenantId, range: Range, rows: &[PgRow]) -> Result<Vec<Recorded>, JournalError> {
    if let Range::Following { after, .. } = range {
        // Before decoding: a changed event may not decode.
        require_chained(tenant, after, rows.iter().map(row))?;
    }
    let events = rows
        .iter()
        .map(|found| decoded(tenant, &row(found)?))
        .collect::<Result<Vec<_>, _>>()?;
    if let Range::After { position, .. } = range {
        require_contiguous(tenant, position, &events)?;
    }
    Ok(events)
}

/// Decodes events after a point once their chain is verified.
pub(crate) fn following(
    tenant: &TenantId,
    after: LogPoint,
    stored: &[StoredEvent],
) -> Result<Vec<Recorded>, JournalError> {
    if !is_planted(Fault::ChainNotChecked) {
        require_chained(tenant, after, stored.iter().map(|event| Ok(event.row())))?;
    }
    stored.iter().map(|event| decoded(tenant, &event.row())).collect()
}

/// Recomputes the chain of events after a point.
fn require_chained<'r>(
    tenant: &TenantId,
    after: LogPoint,
    rows: impl IntoIterator<Item = Result<Row<'r>, sqlx::Error>>,
) -> Result<(), JournalError> {
    let mut last = after;
    for row in rows {
        let row = row?;
        let expected = row.expected_hash(tenant, &last.hash).map(|hash| LogPoint {
            position: last.position + 1,
            hash,
        });
        let found = row.hash.map(|hash| LogPoint {
            position: row.position,
            hash,
        });
        match expected.filter(|expected| found == Some(*expected)) {
            Some(next) => last = next,
            None => {
                return Err(JournalError::Diverged {
                    tenant: tenant.clone(),
                    divergence: Divergence {
                        kind: DivergenceKind::Broken,
                        known: last,
                        found,
                    },
                });
            }
        }
    }
    Ok(())
}

/// Requires the head to be vouched for where it is at the last row's event, and not before that. A missing head is found by the
/// watch.
fn require_vouched_for(macs: &RowMacs, tenant: &TenantId, after: LogPoint, last: &PgRow) -> Result<(), JournalError> {
    let last_read = LogPoint {
        position: last.try_get("position")?,
        hash: last.try_get("hash")?,
    };
    let head_position: Option<i64> = last.try_get("head_position")?;
    if head_position.is_none_or(|position| position > last_read.position) {
        return Ok(());
    }
    let found = StoredHead::from_row(last)?;
    let kind = if found.head.point() != last_read {
        DivergenceKind::HeadChanged
    } else if !found.is_vouched_for(macs, tenant) {
        DivergenceKind::HeadUnsigned
    } else {
        return Ok(());
    };
    Err(JournalError::Diverged {
        tenant: tenant.clone(),
        divergence: Divergence {
            kind,
            known: after,
            found: Some(found.head.point()),
        },
    })
}

fn require_contiguous(tenant: &TenantId, after: i64, events: &[Recorded]) -> Result<(), JournalError> {
    for (expected, recorded) in (after + 1..).zip(events) {
        if recorded.position != expected {
            return Err(JournalError::Gap {
                tenant: tenant.clone(),
                expected,
                found: recorded.position,
            });
        }
    }
    Ok(())
}

fn sealed_subject(event: &Event) -> Option<SubjectId> {
    event
        .personal()
        .filter(|part| part.sealed().is_some())
        .map(|part| part.subject())
}

/// Converts a row with [`COLUMNS`].
fn row(row: &PgRow) -> Result<Row<'_>, sqlx::Error> {
    Ok(Row {
        position: row.try_get("position")?,
        aggregate_type: row.try_get("aggregate_type")?,
        aggregate_id: row.try_get("aggregate_id")?,
        sequence: row.try_get("sequence")?,
        event_type: row.try_get("event_type")?,
        event_version: row.try_get("event_version")?,
        recorded_at: Timestamp::of(row, "recorded_at")?,
        metadata: row.try_get("metadata")?,
        payload: row.try_get("payload")?,
        hash: row.try_get::<&[u8], _>("hash")?.try_into().ok(),
    })
}

/// Decodes a stored event; its personal part stays encrypted.
pub(crate) fn decoded(tenant: &TenantId, row: &Row<'_>) -> Result<Recorded, JournalError> {
    let position = row.position;
    let unreadable = |source| JournalError::Unreadable {
        tenant: tenant.clone(),
        position,
        source,
    };
    let stream = stream_id(row.aggregate_type, row.aggregate_id).map_err(unreadable)?;
    let event = stored_event(stream.kind, row).map_err(unreadable)?;
    let metadata = serde_json::from_str(row.metadata).map_err(|error| unreadable(Unreadable::Metadata(error)))?;
    Ok(Recorded {
        position,
        stream,
        sequence: row.sequence,
        recorded_at: row.recorded_at.ok_or_else(|| unreadable(Unreadable::Time))?,
        metadata,
        hash: row.hash.ok_or_else(|| unreadable(Unreadable::Hash))?,
        event,
    })
}

/// The event of a stored row. A personal part in clear is none of Caudal's: its stored form is encrypted or erased, so that
/// a person who writes to the log without the key file can state nothing about anybody.
pub(crate) fn stored_event(kind: StreamKind, row: &Row<'_>) -> Result<Event, Unreadable> {
    let event = Event::decode(kind, row.event_type, row.event_version, row.payload)?;
    if event.personal().is_some_and(|part| part.is_clear()) {
        return Err(Unreadable::InClear);
    }
    Ok(event)
}

/// A stream from its stored kind and id.
pub(crate) fn stream_id(kind: &str, id: &str) -> Result<StreamId, Unreadable> {
    let unknown = || Unreadable::Stream {
        kind: kind.to_owned(),
        id: id.to_owned(),
    };
    let parsed = kind.parse().map_err(|_| unknown())?;
    Ok(StreamId::new(parsed, Uuid::parse_str(id).map_err(|_| unknown())?))
}

/// Decrypts an event's personal part; an erased person's reads as erased. Everyone with an encrypted part must have a
/// key or a tombstone: without either, the row was deleted.
fn open(
    tenant: &TenantId,
    recorded: &mut Recorded,
    event_type: &str,
    keys: &HashMap<SubjectId, SubjectKey>,
) -> Result<(), JournalError> {
    let Recorded {
        position,
        stream,
        sequence,
        ref mut event,
        ..
    } = *recorded;
    let unreadable = |source| JournalError::Unreadable {
        tenant: tenant.clone(),
        position,
        source,
    };
    let Some(part) = event.personal_mut() else {
        return Ok(());
    };
    let Some(sealed) = part.sealed() else { return Ok(()) };
    let subject = part.subject();
    match keys.get(&subject) {
        Some(SubjectKey::Known(key)) => {
            let place = encryption::Place {
                tenant,
                stream,
                sequence,
                event_type,
                subject,
            };
            let clear = encryption::decrypt_text(key, &place, sealed).map_err(|_| unreadable(Unreadable::Sealed))?;
            part.open(&clear)
                .map_err(|error| unreadable(Unreadable::Personal(error)))
        }
        Some(SubjectKey::Locked) => Err(unreadable(Unreadable::Sealed)),
        None => Err(unreadable(Unreadable::NoKey(subject))),
        Some(SubjectKey::Forgotten) => {
            part.erase();
            Ok(())
        }
    }
}
