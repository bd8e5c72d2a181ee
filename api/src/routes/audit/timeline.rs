//! A record through time: what each event changed, and the record at a position or time.

use super::{Record, names};
use crate::{
    cards,
    extract::{Filters, Reading},
    problem::ApiError,
};
use actix_web::{HttpResponse, get, web::Path};
use caudal_domain::StreamId;
use caudal_journal::{MAX_EVENTS, Recorded};
use caudal_projections::{
    audit::{self, AuditEvent},
    scalar::StreamKind,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Maximum steps per timeline: the last ones. Request earlier ones by `position`.
const MAX_TIMELINE: usize = 1_000;

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
pub(super) struct AsOf {
    /// Through this position; absent for all events.
    #[param(minimum = 0)]
    position: Option<i64>,
    /// Through this time, RFC 3339; absent for all events.
    at: Option<DateTime<Utc>>,
}

/// A record through time: its events with their changes, and its state at a position or time.
#[utoipa::path(tag = "Audit", operation_id = "getTimeline",
    params(("type" = StreamKind, Path), ("id" = Uuid, Path), AsOf),
    responses((status = 200, description = "It.", body = Timeline)))]
#[get("/api/audit/timeline/{type}/{id}")]
pub(super) async fn get_timeline(
    reading: Reading,
    path: Path<(String, String)>,
    Filters(as_of): Filters<AsOf>,
) -> Result<HttpResponse, ApiError> {
    let not_found = || ApiError::not_found("record_not_found");
    let (kind, id) = path.into_inner();
    let kind: caudal_domain::StreamKind = kind.parse().map_err(|_| not_found())?;
    let id: Uuid = id.parse().map_err(|_| not_found())?;
    if as_of.position.is_some_and(|position| position < 0) {
        return Err(ApiError::invalid("position", "number_negative"));
    }
    let stream = StreamId::new(kind, id);
    let (mut transaction, _) = reading.begin().await?;
    let through = as_of.position.unwrap_or(i64::MAX).min(transaction.position());
    let (journal, tenant) = (&reading.app.journal, &reading.caller.tenant);
    let is_past =
        |recorded: &Recorded| recorded.position <= through && as_of.at.is_none_or(|at| recorded.recorded_at <= at);
    // The record before the returned steps, and those steps.
    let mut record = Record::new(stream);
    let mut told: VecDeque<Recorded> = VecDeque::new();
    let (mut earlier, mut read) = (0, 0);
    loop {
        let events = journal.stream_events(tenant, stream, read, MAX_EVENTS).await?;
        if read == 0
            && events
                .first()
                .is_none_or(|first| first.position > transaction.position())
        {
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
    let described = audit::at_positions(&mut transaction, &positions).await?;
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
    let names = names(&mut transaction, values.chain([&before])).await?;
    Ok(HttpResponse::Ok().json(Timeline {
        record_type: kind.into(),
        record_id: id,
        state: before,
        steps,
        earlier,
        names,
    }))
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
    use serde_json::json;

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
