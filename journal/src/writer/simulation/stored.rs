//! What the model's server keeps of one tenant, and an append with the constraints of the tables.

use crate::{
    beside::{
        authenticity::{Mac, RowMacs},
        idempotency_records::{self, IdempotencyRecord, IdempotencyRecordKey},
        unique_values::{self, UniqueValueKey},
    },
    error::JournalError,
    log::{
        append::{Append, Appended},
        chain,
        head::{Head, StoredHead},
        stored::StoredEvent,
        tenant_log::AppendError,
    },
    people::subjects,
    writer::faults::{Fault, is_planted},
};
use caudal_domain::{
    UniqueValueKind,
    ids::{SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};
use uuid::Uuid;

/// An idempotency record with its time and its MAC.
type Record = (IdempotencyRecord, DateTime<Utc>, Mac);

/// A data key: the master key that wraps it, its wrapped form, its MAC.
type KeyRow = (String, Vec<u8>, Mac);

/// A unique value as it changes: its kind, its holder, its digest with its MAC.
type UniqueValueRow = (UniqueValueKind, Uuid, Option<([u8; 32], Mac)>);

/// What the database keeps. A clone shares the rows.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) head: Head,
    head_mac: Option<Mac>,
    pub(super) events: Vec<Arc<StoredEvent>>,
    pub(super) idempotency_records: Arc<HashMap<IdempotencyRecordKey, Record>>,
    pub(super) unique_values: Arc<BTreeMap<UniqueValueKey, (Uuid, Mac)>>,
    pub(super) keys: Arc<HashMap<SubjectId, KeyRow>>,
}

/// A batch as it reaches the server.
pub(super) struct Batch {
    pub(super) base: Head,
    pub(super) end: Head,
    mac: Mac,
    pub(super) events: Vec<Arc<StoredEvent>>,
    idempotency_records: Vec<(IdempotencyRecordKey, IdempotencyRecord, Mac)>,
    unique_values: Vec<UniqueValueRow>,
    keys: Vec<(SubjectId, String, Vec<u8>, Mac)>,
}

impl Batch {
    pub(super) fn of(append: &Append, macs: &RowMacs, tenant: &TenantId) -> Self {
        let end = *append.end();
        let idempotency_records = append.idempotency_records.iter().map(|idempotency_record| {
            let kept = IdempotencyRecord {
                digest: idempotency_record.digest.to_vec(),
                answer: idempotency_record.answer.clone(),
                position: idempotency_record.position,
            };
            let mac = idempotency_records::mac(macs, tenant, idempotency_record, end.recorded_at);
            (idempotency_record.key.clone(), kept, mac)
        });
        let unique_values = append.unique_values.iter().map(|unique_value| {
            let mac = |digest: [u8; 32]| {
                let mac =
                    unique_values::mac(macs, tenant, unique_value.kind.as_str(), &digest, unique_value.owner).finish();
                (digest, mac)
            };
            (unique_value.kind, unique_value.owner, unique_value.digest.map(mac))
        });
        let keys = append.keys.iter().map(|(subject, key)| {
            let mac = subjects::key_mac(macs, tenant, *subject, key);
            (*subject, key.master.clone(), key.bytes.clone(), mac)
        });
        Self {
            base: *append.base(),
            end,
            mac: append.mac(macs, tenant),
            events: append.stored_events().into_iter().map(Arc::new).collect(),
            idempotency_records: idempotency_records.collect(),
            unique_values: unique_values.collect(),
            keys: keys.collect(),
        }
    }
}

impl Stored {
    pub(super) fn empty(tenant: &TenantId) -> Self {
        Self {
            head: Head {
                position: 0,
                hash: chain::genesis(tenant.as_str()),
                epoch: 0,
                recorded_at: DateTime::UNIX_EPOCH,
            },
            head_mac: None,
            events: Vec::new(),
            idempotency_records: Arc::default(),
            unique_values: Arc::default(),
            keys: Arc::default(),
        }
    }

    /// The head with its MAC.
    pub(super) const fn stored_head(&self) -> StoredHead {
        StoredHead {
            head: self.head,
            mac: self.head_mac,
        }
    }

    /// `journal.append_signed`: all of it, or nothing.
    pub(super) fn append(&mut self, batch: &Batch) -> Result<Appended, AppendError> {
        let (head, base) = (&self.head, &batch.base);
        let is_base = (head.position == base.position || is_planted(Fault::PositionNotCompared))
            && (head.epoch == base.epoch || is_planted(Fault::EpochNotCompared))
            && (head.hash == base.hash || is_planted(Fault::HashNotCompared) || is_planted(Fault::PositionNotCompared))
            && (head.recorded_at == base.recorded_at
                || is_planted(Fault::HashNotCompared)
                || is_planted(Fault::PositionNotCompared));
        if !is_base {
            return Ok(Appended::Moved);
        }
        let mut next = self.clone();
        let sequences: HashSet<_> = self
            .events
            .iter()
            .map(|event| {
                (
                    event.aggregate_type.as_str(),
                    event.aggregate_id.as_str(),
                    event.sequence,
                )
            })
            .collect();
        for event in &batch.events {
            if sequences.contains(&(
                event.aggregate_type.as_str(),
                event.aggregate_id.as_str(),
                event.sequence,
            )) {
                return Err(exists("events"));
            }
            if self.events.iter().any(|stored| stored.position == event.position) {
                return Err(exists("positions"));
            }
            next.events.push(event.clone());
            if is_planted(Fault::BatchTornApart) {
                break;
            }
        }
        for (key, idempotency_record, mac) in &batch.idempotency_records {
            if self.idempotency_records.contains_key(key) && !is_planted(Fault::RecordOverwritten) {
                return Err(exists("receipts"));
            }
            if !is_planted(Fault::RecordNotStored) {
                let kept = (idempotency_record.clone(), batch.end.recorded_at, *mac);
                Arc::make_mut(&mut next.idempotency_records).insert(key.clone(), kept);
            }
        }
        for (kind, owner, _) in &batch.unique_values {
            Arc::make_mut(&mut next.unique_values).retain(|held, (holder, _)| held.0 != *kind || holder != owner);
        }
        for (kind, owner, value) in &batch.unique_values {
            let Some((digest, mac)) = value.as_ref().filter(|_| !is_planted(Fault::UniqueValueNotStored)) else {
                continue;
            };
            if Arc::make_mut(&mut next.unique_values)
                .insert((*kind, *digest), (*owner, *mac))
                .is_some()
            {
                return Err(exists("claims"));
            }
        }
        for (subject, master, wrapped, mac) in &batch.keys {
            let kept = (master.clone(), wrapped.clone(), *mac);
            if Arc::make_mut(&mut next.keys).insert(*subject, kept).is_some() {
                return Err(exists("subject_keys"));
            }
        }
        next.head = Head {
            epoch: self.head.epoch,
            ..batch.end
        };
        next.head_mac = Some(batch.mac);
        *self = next;
        Ok(Appended::Durable)
    }
}

fn exists(table: &str) -> AppendError {
    AppendError::Exists(JournalError::Unexpected(format!("{table} hold it already")))
}
