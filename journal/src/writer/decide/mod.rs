//! Deciding: each command of a batch is decided over the changes staged by the commands before it.
//!
//! Nothing here does I/O. A fact that a decision needs and that is not in memory - the holder of a unique value, the
//! key of a person - is noted and loaded, and the batch is decided again. Decisions presume that an idempotency key
//! is new and that the stream opened by a command is empty. Where a presumption is wrong, the log's constraints
//! refuse the batch, and it is decided again with every fact looked up.
//!
//! | File | Content |
//! |---|---|
//! | [`commands`] | a command's place in the batch: its events, its rows beside them and its answer are staged |
//! | [`judging`] | what a command does, or why it is refused; stages nothing |
//! | [`rehearsing`] | commands decided for a preview or a rehearsal |
//! | [`encrypting`] | the staged events sealed and chained, with the rows beside them |
//! | [`answers`] | the results of commands, also of those that repeat an earlier one |

mod answers;
mod commands;
mod encrypting;
mod judging;
mod rehearsing;

pub(super) use answers::repeated;
pub(super) use encrypting::PreparedBatch;

use super::load::LoadedFacts;
use crate::{
    beside::{
        idempotency_records::{IdempotencyRecordKey, NewIdempotencyRecord},
        unique_values::StagedUniqueValues,
    },
    error::JournalError,
    log::{read::Metadata, tenant_log::WantedFacts},
    writer::state::Stream,
};
use answers::Outcome;
use caudal_domain::{
    Event, StreamId, TenantState,
    ids::{PartyId, SubjectId},
};
use chrono::{DateTime, Utc};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// An event that is decided and not sealed.
#[derive(Debug)]
struct Drafted {
    stream: StreamId,
    sequence: i64,
    metadata: Arc<Written>,
    event: Event,
}

/// Actor of events, with its stored form.
#[derive(Debug)]
struct Written {
    metadata: Metadata,
    text: String,
}

impl Written {
    fn new(metadata: Metadata) -> Result<Arc<Self>, JournalError> {
        let text = serde_json::to_string(&metadata)?;
        Ok(Arc::new(Self { metadata, text }))
    }
}

/// A decided batch. The state under it does not change until the batch is committed.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) outcomes: Vec<Outcome>,
    /// The state with the batch applied.
    pub(super) tenant_state: TenantState,
    /// Streams changed by the batch.
    pub(super) streams: HashMap<StreamId, Arc<Stream>>,
    /// Facts that were not in memory; decisions presumed that values are free and keys usable.
    pub(super) wanted: WantedFacts,
    now: DateTime<Utc>,
    position: i64,
    events: Vec<Drafted>,
    unique_values: StagedUniqueValues,
    idempotency_records: Vec<NewIdempotencyRecord>,
    record_places: HashMap<IdempotencyRecordKey, (usize, [u8; 32])>,
    credentials: HashMap<PartyId, String>,
    /// People whom the batch forgets.
    forgotten: HashSet<SubjectId>,
    /// Whether a command that needs a fact not in memory is left out of the batch.
    leaves_out: bool,
}

impl Draft {
    /// An empty batch on a state as of a position, at a time.
    pub(super) fn on(tenant_state: TenantState, position: i64, now: DateTime<Utc>) -> Self {
        Self {
            outcomes: Vec::new(),
            tenant_state,
            streams: HashMap::new(),
            wanted: WantedFacts::default(),
            now,
            position,
            events: Vec::new(),
            unique_values: StagedUniqueValues::default(),
            idempotency_records: Vec::new(),
            record_places: HashMap::new(),
            credentials: HashMap::new(),
            forgotten: HashSet::new(),
            leaves_out: false,
        }
    }

    /// Whether the batch forgets a person.
    pub(super) fn erases(&self) -> bool {
        !self.forgotten.is_empty()
    }

    fn stream(&self, facts: &LoadedFacts, id: StreamId) -> Arc<Stream> {
        self.streams.get(&id).cloned().unwrap_or_else(|| facts.stream(id))
    }
}
