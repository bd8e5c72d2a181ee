//! Lines of the log file. Each has one canonical form: equivalent JSON in other bytes is rejected.

use crate::{
    log::{chain, stored::StoredEvent},
    proof::verify::LogEnd,
};
use caudal_domain::ids::TenantId;
use chrono::DateTime;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Maximum line length in bytes. The largest event of a request is well under a megabyte.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

const KIND: &str = "log";
const FORMAT: u32 = 1;

/// First line: the tenant and the log's end.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FirstLine {
    caudal: String,
    format: u32,
    tenant: TenantId,
    position: i64,
    hash: String,
    recorded_at: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EventLine {
    position: i64,
    aggregate_type: String,
    aggregate_id: String,
    sequence: i64,
    event_type: String,
    event_version: String,
    recorded_at: i64,
    metadata: String,
    payload: String,
    hash: String,
}

/// Last line; a file without it is truncated.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LastLine {
    end: bool,
    position: i64,
    hash: String,
}

/// A line after the first.
pub(super) enum Line {
    Event(StoredEvent),
    Last(LogEndLine),
}

/// The log's end, as repeated in the last line.
pub(super) struct LogEndLine {
    pub(super) position: i64,
    pub(super) hash: chain::Hash,
}

pub(super) fn write_first(tenant: &TenantId, end: &LogEnd) -> Result<String, serde_json::Error> {
    serde_json::to_string(&FirstLine {
        caudal: KIND.to_owned(),
        format: FORMAT,
        tenant: tenant.clone(),
        position: end.position,
        hash: chain::to_hex(&end.hash),
        recorded_at: end.recorded_at.timestamp_micros(),
    })
}

pub(super) fn read_first(line: &str) -> Result<(TenantId, LogEnd), String> {
    let first: FirstLine = exact(line)?;
    if first.caudal != KIND {
        return Err("it is no log".to_owned());
    }
    if first.format != FORMAT {
        return Err(format!("format {} is not known to this program", first.format));
    }
    let end = LogEnd {
        position: first.position,
        hash: chain::from_hex(&first.hash).ok_or("a hash that is none")?,
        recorded_at: DateTime::from_timestamp_micros(first.recorded_at).ok_or("a time that is none")?,
    };
    Ok((first.tenant, end))
}

/// Serialises a verified event, which has a time and a hash.
pub(super) fn write_event(event: &StoredEvent) -> Result<String, serde_json::Error> {
    serde_json::to_string(&EventLine {
        position: event.position,
        aggregate_type: event.aggregate_type.clone(),
        aggregate_id: event.aggregate_id.clone(),
        sequence: event.sequence,
        event_type: event.event_type.clone(),
        event_version: event.event_version.clone(),
        recorded_at: event.recorded_at.map_or(0, |at| at.timestamp_micros()),
        metadata: event.metadata.clone(),
        payload: event.payload.clone(),
        hash: event.hash.as_ref().map(chain::to_hex).unwrap_or_default(),
    })
}

pub(super) fn write_last(end: &LogEnd) -> Result<String, serde_json::Error> {
    serde_json::to_string(&LastLine {
        end: true,
        position: end.position,
        hash: chain::to_hex(&end.hash),
    })
}

/// Parses an event or the last line.
pub(super) fn read(line: &str) -> Result<Line, String> {
    if line.starts_with("{\"end\"") {
        let last: LastLine = exact(line)?;
        let hash = chain::from_hex(&last.hash).ok_or("a hash that is none")?;
        return Ok(Line::Last(LogEndLine {
            position: last.position,
            hash,
        }));
    }
    let event: EventLine = exact(line)?;
    Ok(Line::Event(StoredEvent {
        position: event.position,
        recorded_at: DateTime::from_timestamp_micros(event.recorded_at),
        hash: chain::from_hex(&event.hash),
        aggregate_type: event.aggregate_type,
        aggregate_id: event.aggregate_id,
        sequence: event.sequence,
        event_type: event.event_type,
        event_version: event.event_version,
        metadata: event.metadata,
        payload: event.payload,
    }))
}

/// Parses a line and rejects any but its canonical bytes.
fn exact<T: DeserializeOwned + Serialize>(line: &str) -> Result<T, String> {
    let value: T = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let written = serde_json::to_string(&value).map_err(|error| error.to_string())?;
    if written == line {
        Ok(value)
    } else {
        Err("it is not written as Caudal writes it".to_owned())
    }
}
