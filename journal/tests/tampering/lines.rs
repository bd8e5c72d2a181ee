//! Lines of a log's file: tampered with, and added as a journal would.

use super::{Dice, file::Line};
use caudal_domain::ids::TenantId;
use caudal_journal::StoredEvent;
use chrono::{DateTime, TimeDelta};
use serde::Serialize;
use std::sync::Arc;
use uuid::Uuid;

fn line_of(lines: &mut [Line], position: usize) -> &mut Vec<u8> {
    Arc::make_mut(&mut lines[position])
}

/// Where a field's value lies in a line: behind `"name":`, without quotes.
fn field_of(line: &[u8], name: &str) -> std::ops::Range<usize> {
    let text = std::str::from_utf8(line).unwrap();
    let key = format!("\"{name}\":");
    let start = text.find(&key).unwrap() + key.len();
    let rest = &text[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        let mut escaped = false;
        let end = quoted
            .char_indices()
            .find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            })
            .unwrap()
            .0;
        start + 1..start + 1 + end
    } else {
        start..start + rest.find([',', '}']).unwrap()
    }
}

/// Tampers with a log's lines in one random way. Returns what was done, and the first position that is wrong.
pub fn tamper(lines: &mut Vec<Line>, dice: &mut Dice) -> (String, i64) {
    let events = lines.len() - 2;
    let position = 1 + dice.below(events);
    let at = i64::try_from(position).unwrap();
    match dice.below(10) {
        // One byte becomes another.
        0..=4 => {
            let name = ["payload", "metadata", "recordedAt", "hash", "aggregateId"][dice.below(5)];
            let line = line_of(lines, position);
            let range = field_of(line, name);
            let byte = range.start + dice.below(range.len());
            let old = line[byte];
            let mut new = old;
            while new == old || new == b'\n' {
                new = match name {
                    "recordedAt" => b"0123456789"[dice.below(10)],
                    "hash" => b"0123456789abcdefABCDEF"[dice.below(22)],
                    _ => u8::try_from(dice.below(256)).unwrap(),
                };
            }
            line[byte] = new;
            (format!("byte {byte} of {name} at {at}: {old} to {new}"), at)
        }
        5 => {
            lines.remove(position);
            (format!("{at} deleted"), at)
        }
        6 => {
            let other = 1 + dice.below(events);
            if other == position {
                let copy = lines[position].clone();
                lines.insert(position, copy);
                return (format!("{at} duplicated"), at + 1);
            }
            lines.swap(position, other);
            (
                format!("{at} and {other} swapped"),
                at.min(i64::try_from(other).unwrap()),
            )
        }
        7 => {
            let copy = lines[position].clone();
            lines.insert(position + 1, copy);
            (format!("{at} duplicated"), at + 1)
        }
        8 => {
            // A row of somebody else's making, put in with the numbers behind it moved on.
            let mut inserted = lines[position].clone();
            let range = field_of(&inserted, "aggregateId");
            let changed = Arc::make_mut(&mut inserted);
            changed[range.start] = if changed[range.start] == b'0' { b'1' } else { b'0' };
            lines.insert(position, inserted);
            for (number, line) in lines
                .iter_mut()
                .enumerate()
                .skip(position + 1)
                .take(events - position + 1)
            {
                let range = field_of(line, "position");
                Arc::make_mut(line).splice(range, number.to_string().into_bytes());
            }
            (format!("a row inserted at {at}"), at)
        }
        _ => {
            // Cut off, and its end made to look like one.
            let last = lines.pop().unwrap();
            lines.truncate(position);
            lines.push(last);
            (format!("cut off before {at}"), at)
        }
    }
}

/// An event's line, as files have it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventLine<'a> {
    position: i64,
    aggregate_type: &'a str,
    aggregate_id: &'a str,
    sequence: i64,
    event_type: &'a str,
    event_version: &'a str,
    recorded_at: i64,
    metadata: &'a str,
    payload: &'a str,
    hash: String,
}

fn line(value: &impl Serialize) -> Line {
    let mut line = serde_json::to_vec(value).unwrap();
    line.push(b'\n');
    Arc::new(line)
}

/// Appends deposits like the log's last one up to a number of events: with ids, numbers, amounts and times of their own,
/// chained as a journal would.
pub fn lengthen(lines: &mut Vec<Line>, tenant: &TenantId, events: i64, dice: &mut Dice) {
    lines.pop();
    let last: serde_json::Value = serde_json::from_slice(lines.last().unwrap().as_slice()).unwrap();
    let stored = |name: &str| last[name].as_str().unwrap().to_owned();
    let mut event = StoredEvent {
        position: last["position"].as_i64().unwrap(),
        aggregate_type: stored("aggregateType"),
        aggregate_id: stored("aggregateId"),
        sequence: 1,
        event_type: stored("eventType"),
        event_version: stored("eventVersion"),
        recorded_at: DateTime::from_timestamp_micros(last["recordedAt"].as_i64().unwrap()),
        metadata: stored("metadata"),
        payload: stored("payload"),
        hash: caudal_journal::from_hex(last["hash"].as_str().unwrap()),
    };
    let payload: serde_json::Value = serde_json::from_str(&event.payload).unwrap();
    let said = |name: &str| payload["movement"][name].as_str().unwrap().to_owned();
    let (id, number, amount) = (said("id"), said("number"), format!("\"{}\"", said("amount")));
    let pattern = event.payload.clone();
    while event.position < events {
        event.position += 1;
        event.aggregate_id =
            Uuid::from_u128(u128::from(dice.0) << 64 | u128::from(event.position.unsigned_abs())).to_string();
        let cents = dice.below(1_000_000);
        event.payload = pattern
            .replace(&id, &event.aggregate_id)
            .replace(&number, &format!("M-{:06}", event.position))
            .replace(&amount, &format!("\"{}.{:02}\"", cents / 100 + 1, cents % 100));
        event.recorded_at = event
            .recorded_at
            .map(|at| at + TimeDelta::microseconds(i64::try_from(dice.below(2_000_000)).unwrap()));
        event.hash = event.expected_hash(tenant, &event.hash.unwrap());
        lines.push(line(&EventLine {
            position: event.position,
            aggregate_type: &event.aggregate_type,
            aggregate_id: &event.aggregate_id,
            sequence: event.sequence,
            event_type: &event.event_type,
            event_version: &event.event_version,
            recorded_at: event.recorded_at.unwrap().timestamp_micros(),
            metadata: &event.metadata,
            payload: &event.payload,
            hash: caudal_journal::to_hex(&event.hash.unwrap()),
        }));
    }
    let hash = caudal_journal::to_hex(&event.hash.unwrap());
    let recorded_at = event.recorded_at.unwrap().timestamp_micros();
    let first = format!(
        "{{\"caudal\":\"log\",\"format\":1,\"tenant\":\"{tenant}\",\"position\":{events},\"hash\":\"{hash}\",\"recordedAt\":{recorded_at}}}\n"
    );
    lines[0] = Arc::new(first.into_bytes());
    let last = format!("{{\"end\":true,\"position\":{events},\"hash\":\"{hash}\"}}\n");
    lines.push(Arc::new(last.into_bytes()));
}
