//! What the model's server keeps of one tenant, and an append with the constraints of the tables.

use crate::{
    beside::{
        authenticity::{Mac, RowMacs},
        claims::{self, ClaimKey},
        receipts::{self, Receipt, ReceiptKey},
    },
    error::JournalError,
    log::{
        append::{Append, Appended},
        chain,
        head::Head,
        stored::StoredEvent,
        tenant_log::AppendError,
    },
    people::subjects,
    writer::faults::{Fault, is_planted},
};
use caudal_domain::{
    ClaimKind,
    ids::{SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};
use uuid::Uuid;

/// An idempotency record with its time and its MAC.
type Record = (Receipt, DateTime<Utc>, Mac);

/// A data key: the master key that wraps it, its wrapped form, its MAC.
type KeyRow = (String, Vec<u8>, Mac);

/// A unique value as it changes: its kind, its holder, its digest with its MAC.
type ClaimRow = (ClaimKind, Uuid, Option<([u8; 32], Mac)>);

/// What the database keeps. A clone shares the rows.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) head: Head,
    pub(super) events: Vec<Arc<StoredEvent>>,
    pub(super) receipts: Arc<HashMap<ReceiptKey, Record>>,
    pub(super) claims: Arc<BTreeMap<ClaimKey, (Uuid, Mac)>>,
    pub(super) keys: Arc<HashMap<SubjectId, KeyRow>>,
}

/// A batch as it reaches the server.
pub(super) struct Batch {
    pub(super) base: Head,
    pub(super) end: Head,
    pub(super) events: Vec<Arc<StoredEvent>>,
    receipts: Vec<(ReceiptKey, Receipt, Mac)>,
    claims: Vec<ClaimRow>,
    keys: Vec<(SubjectId, String, Vec<u8>, Mac)>,
}

impl Batch {
    pub(super) fn of(append: &Append, macs: &RowMacs, tenant: &TenantId) -> Self {
        let end = *append.end();
        let receipts = append.receipts.iter().map(|receipt| {
            let kept = Receipt {
                digest: receipt.digest.to_vec(),
                answer: receipt.answer.clone(),
                position: receipt.position,
            };
            let mac = receipts::mac(macs, tenant, receipt, end.recorded_at);
            (receipt.key.clone(), kept, mac)
        });
        let claims = append.claims.iter().map(|claim| {
            let mac = |digest: [u8; 32]| {
                let mac = claims::mac(macs, tenant, claim.kind.as_str(), &digest, claim.owner).finish();
                (digest, mac)
            };
            (claim.kind, claim.owner, claim.digest.map(mac))
        });
        let keys = append.keys.iter().map(|(subject, key)| {
            let mac = subjects::key_mac(macs, tenant, *subject, key);
            (*subject, key.master.clone(), key.bytes.clone(), mac)
        });
        Self {
            base: *append.base(),
            end,
            events: append.stored_events().into_iter().map(Arc::new).collect(),
            receipts: receipts.collect(),
            claims: claims.collect(),
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
            events: Vec::new(),
            receipts: Arc::default(),
            claims: Arc::default(),
            keys: Arc::default(),
        }
    }

    /// `journal.append_columns`: all of it, or nothing.
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
        for (key, receipt, mac) in &batch.receipts {
            if self.receipts.contains_key(key) && !is_planted(Fault::RecordOverwritten) {
                return Err(exists("receipts"));
            }
            if !is_planted(Fault::RecordNotStored) {
                let kept = (receipt.clone(), batch.end.recorded_at, *mac);
                Arc::make_mut(&mut next.receipts).insert(key.clone(), kept);
            }
        }
        for (kind, owner, _) in &batch.claims {
            Arc::make_mut(&mut next.claims).retain(|held, (holder, _)| held.0 != *kind || holder != owner);
        }
        for (kind, owner, value) in &batch.claims {
            let Some((digest, mac)) = value.as_ref().filter(|_| !is_planted(Fault::UniqueValueNotStored)) else {
                continue;
            };
            if Arc::make_mut(&mut next.claims)
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
        *self = next;
        Ok(Appended::Durable)
    }
}

fn exists(table: &str) -> AppendError {
    AppendError::Exists(JournalError::Unexpected(format!("{table} hold it already")))
}
