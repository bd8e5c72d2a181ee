//! Calls for auditors: event log, single events with their effect, records through time, verification, checkpoints.
//!
//! | File | What |
//! |---|---|
//! | `lists.rs` | the event log, also as a file; late changes; reads of personal data |
//! | `event.rs` | one event with its effect |
//! | `timeline.rs` | a record through time |
//! | `integrity.rs` | verification, and checkpoints with the keys that verify them |

mod event;
mod integrity;
mod lists;
mod timeline;

use crate::{problem::ApiError, registry::Registry};
use caudal_domain::{StreamId, StreamState};
use caudal_journal::Recorded;
use caudal_projections::{ReadTransaction, audit};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(lists::list_events)
        .service(event::get_event)
        .service(timeline::get_timeline)
        .service(lists::export_log)
        .service(lists::list_late_changes)
        .service(lists::list_readings)
        .service(integrity::get_verification)
        .service(integrity::start_verification)
        .service(integrity::get_checkpoint)
        .service(integrity::list_checkpoints)
        .service(integrity::take_checkpoint)
        .service(integrity::get_keys);
}

/// Names of the ids in values.
async fn names<'a>(
    transaction: &mut ReadTransaction,
    values: impl IntoIterator<Item = &'a Value>,
) -> Result<BTreeMap<Uuid, String>, ApiError> {
    let mut ids = BTreeSet::new();
    for value in values {
        ids_in(value, &mut ids);
    }
    Ok(audit::names(transaction, ids.into_iter().collect()).await?)
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
}
