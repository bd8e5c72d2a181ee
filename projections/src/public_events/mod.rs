//! Public events: the log as a stable contract for other systems (docs/feed.md), as CloudEvents 1.0.
//!
//! Derived from the log itself and not from a read model, so that a consumer that begins at position 0 reads every event
//! that there ever was. An event has at most one public event, with the same id at every reading: each event is checked against
//! the hash before it, of which the id has a part. A changed one refuses the reading.
//!
//! Scope: that of the other reads. A remittance's event is told when the caller sees the remittance now and saw it after
//! that event; an event by which it left the caller's scope is told as `caudal.remittance.withdrawn.v1`. All other
//! records stay in the scope in which they began. Of a payment that is also on debits of others, the caller's part is told.

mod data;
mod payload;

pub use data::*;

use crate::{
    closure, customer,
    error::ReadError,
    movement::{self, Part},
    read_transaction::ReadTransaction,
    scope::Scope,
};
use caudal_domain::{
    StreamId, StreamKind, StreamState,
    party::Role,
    remittance::{Facts, Remittance, is_visible},
};
use caudal_journal::{Journal, JournalError, LogPoint, Recorded};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::collections::{BTreeSet, HashMap, HashSet};
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum events per answer: some 500 KB.
pub const MAX_EVENTS: usize = 500;
/// Maximum events of the log that one answer looks at: bounds the time of an answer whose filter or scope hides most.
pub const MAX_SCANNED: i64 = 5_000;
/// Events of the log per read.
const READ_AT_ONCE: i64 = 500;

/// Version of CloudEvents.
const SPEC_VERSION: &str = "1.0";
const CONTENT_TYPE: &str = "application/json";
/// Digits of a sequence: those of the largest position, so that sequences sort as texts.
const SEQUENCE_DIGITS: usize = 19;
/// Bytes of an event's hash in its id.
const HASH_BYTES: usize = 8;
/// Length of that part in hexadecimal.
pub const HASH_DIGITS: usize = 2 * HASH_BYTES;

/// An event of the business, as a CloudEvent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PublicEvent {
    /// Version of CloudEvents: `1.0`.
    #[schema(value_type = String, example = "1.0")]
    pub specversion: &'static str,
    /// Position in the tenant's log, and the start of the event's hash. Equal at every reading; unique in `source`.
    #[schema(example = "118-9f86d081884c7d65")]
    pub id: String,
    /// Tenant.
    #[schema(example = "urn:caudal:tenant:default")]
    pub source: String,
    /// Versioned type. New types are added without notice: ignore those that you don't know.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "caudal.remittance.created.v1")]
    pub event_type: &'static str,
    /// Kind and id of the record.
    #[schema(example = "remittance/0199c2f0-5d1c-7c3e-9a61-0b7f5f2b8d11")]
    pub subject: String,
    /// Time of recording, RFC 3339 in UTC.
    pub time: DateTime<Utc>,
    /// Media type of `data`.
    #[schema(value_type = String, example = "application/json")]
    pub datacontenttype: &'static str,
    /// JSON Schema of `data`, as `GET /api/feed/types` gives it.
    #[schema(example = "urn:caudal:schema:caudal.remittance.created.v1")]
    pub dataschema: String,
    /// Position as 19 digits: the order of events. Consecutive events of a consumer may have gaps.
    #[schema(example = "0000000000000000118")]
    pub sequence: String,
    /// Party that did it, or `system`.
    #[schema(example = "0199c2f0-5d1c-7c3e-9a61-0b7f5f2b8d11")]
    pub actor: String,
    /// Payload, by type.
    pub data: PublicData,
}

/// Id of a type's JSON Schema.
#[must_use]
pub fn schema_id(event_type: &str) -> String {
    format!("urn:caudal:schema:{event_type}")
}

/// Selection of public events.
#[derive(Clone, Debug)]
pub struct EventFilter {
    /// Position after which they begin.
    pub after: i64,
    /// Maximum events, up to [`MAX_EVENTS`].
    pub limit: usize,
    /// Types; `None` for all.
    pub types: Option<BTreeSet<String>>,
    /// Moment before which no event was recorded; `None` for all. See [`position_before`].
    pub since: Option<DateTime<Utc>>,
}

/// Public events after a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicEvents {
    /// In the log's order.
    pub events: Vec<PublicEvent>,
    /// Position reached; the next request starts here.
    pub next: i64,
    /// Whether it is the position of the read models: nothing more is there yet.
    pub is_end: bool,
}

/// Public events after a position, in the caller's scope.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn after(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    scope: &Scope,
    wanted: &EventFilter,
) -> Result<PublicEvents, ReadError> {
    let mut told = Vec::new();
    let mut is_cut_off = false;
    let mut at = wanted.after;
    let through = transaction.position();
    let scan_through = at.saturating_add(MAX_SCANNED).min(through);
    while at < scan_through {
        let limit = READ_AT_ONCE.min(scan_through - at);
        let mut read = following(journal, transaction, at, limit).await?;
        erase_forgotten(transaction, &mut read).await?;
        let Some(last) = read.last() else {
            // The read models are ahead of a log that lost events.
            is_cut_off = true;
            break;
        };
        let last = last.position;
        let view = View::load(journal, transaction, scope, &read).await?;
        for recorded in &read {
            if told.len() >= wanted.limit {
                return Ok(PublicEvents {
                    events: told,
                    next: at,
                    is_end: false,
                });
            }
            at = recorded.position;
            if wanted.since.is_some_and(|since| recorded.recorded_at < since) {
                continue;
            }
            let data = view.tell(recorded, scope);
            told.extend(
                data.filter(|data| is_wanted(wanted, data))
                    .map(|data| event(transaction, recorded, data)),
            );
        }
        at = last;
    }
    Ok(PublicEvents {
        events: told,
        next: at,
        is_end: is_cut_off || at >= through,
    })
}

/// Events after a position, checked to chain to the hash at it and to each other; none after the end of the log.
async fn following(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    after: i64,
    limit: i64,
) -> Result<Vec<Recorded>, ReadError> {
    let tenant = transaction.tenant().clone();
    let changed = |position| {
        tracing::error!(%tenant, position, "an event of the feed was changed, or the one before it is missing");
        ReadError::from(JournalError::Changed {
            tenant: tenant.clone(),
            position,
        })
    };
    let Some(point) = point_at(transaction, after).await? else {
        // The log ends before the position, or has a hole there.
        let rest = journal
            .events_after_on(transaction.connection(), &tenant, after, 1)
            .await?;
        return match rest.first() {
            None => Ok(rest),
            Some(next) => Err(changed(next.position)),
        };
    };
    let read = journal
        .events_following_on(transaction.connection(), &tenant, point, limit)
        .await;
    match read {
        Err(JournalError::Diverged { divergence, .. }) => Err(changed(divergence.known.position + 1)),
        read => Ok(read?),
    }
}

/// A position with the hash of its event; `None` without such an event.
async fn point_at(transaction: &mut ReadTransaction, position: i64) -> Result<Option<LogPoint>, ReadError> {
    if position == 0 {
        return Ok(Some(LogPoint::genesis(transaction.tenant().as_str())));
    }
    let hash = stored_hash(transaction, position).await?;
    let hash = hash.and_then(|hash| hash.try_into().ok());
    Ok(hash.map(|hash| LogPoint { position, hash }))
}

/// Erases the personal parts of people who are forgotten in the read transaction: the journal caches data keys, and another
/// process may have forgotten a person a moment ago. What the feed and a dossier tell leaves the system.
pub(crate) async fn erase_forgotten(
    transaction: &mut ReadTransaction,
    events: &mut [Recorded],
) -> Result<(), ReadError> {
    let parts = events.iter().filter_map(|recorded| recorded.event.personal());
    let people: BTreeSet<Uuid> = parts.map(|part| part.subject().0).collect();
    if people.is_empty() {
        return Ok(());
    }
    let mut sql = transaction
        .joined("journal.subject_keys AS k", "k")
        .after("SELECT k.subject AS id");
    sql.push(" AND k.forgotten_at IS NOT NULL AND k.subject = ANY (");
    sql.bind(people.into_iter().collect::<Vec<_>>()).push(")");
    let forgotten: HashSet<Uuid> = transaction.fetch_ids(&sql).await?.into_iter().collect();
    for part in events.iter_mut().filter_map(|recorded| recorded.event.personal_mut()) {
        if forgotten.contains(&part.subject().0) {
            part.erase();
        }
    }
    Ok(())
}

/// Position after which the events recorded at a moment or later begin. Times never go back in a log, so it is found by
/// bisection of the whole log, in some twenty lookups: the read models may be behind. Events that are recorded after this may
/// still be from before the moment.
///
/// # Errors
/// When the database fails.
pub async fn position_before(transaction: &mut ReadTransaction, moment: DateTime<Utc>) -> Result<i64, ReadError> {
    let (mut low, mut high) = (0, transaction.head());
    while low < high {
        let middle = high - (high - low) / 2;
        // A tampered time may be infinite.
        let mut sql = transaction
            .joined("journal.events AS e", "e")
            .after("SELECT CASE WHEN isfinite(e.recorded_at) THEN e.recorded_at END AS at");
        sql.push(" AND e.position = ").bind(middle);
        let rows = transaction.fetch_by_keys(&sql).await?;
        let at: Option<DateTime<Utc>> = rows.first().map_or(Ok(None), |row| row.try_get("at"))?;
        if at.is_some_and(|at| at < moment) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Ok(low)
}

/// Start of the hash of the event at a position, as in its id. It distinguishes histories: equal positions of two have different
/// ones. `None` without such an event.
///
/// # Errors
/// When the database fails.
pub async fn hash_at(transaction: &mut ReadTransaction, position: i64) -> Result<Option<String>, ReadError> {
    let hash = stored_hash(transaction, position).await?;
    Ok(hash.map(|hash| start_of(&hash)))
}

async fn stored_hash(transaction: &mut ReadTransaction, position: i64) -> Result<Option<Vec<u8>>, ReadError> {
    let mut sql = transaction.joined("journal.events AS e", "e").after("SELECT e.hash");
    sql.push(" AND e.position = ").bind(position);
    let rows = transaction.fetch_by_keys(&sql).await?;
    Ok(rows.first().map(|row| row.try_get("hash")).transpose()?)
}

/// Start of a hash in hexadecimal, [`HASH_DIGITS`] long.
fn start_of(hash: &[u8]) -> String {
    hash.iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn is_wanted(wanted: &EventFilter, data: &PublicData) -> bool {
    let types = wanted.types.as_ref();
    types.is_none_or(|types| types.contains(data.event_type()))
}

fn event(transaction: &ReadTransaction, recorded: &Recorded, data: PublicData) -> PublicEvent {
    let start = start_of(&recorded.hash);
    PublicEvent {
        specversion: SPEC_VERSION,
        id: format!("{}-{start}", recorded.position),
        source: format!("urn:caudal:tenant:{}", transaction.tenant()),
        event_type: data.event_type(),
        subject: format!("{}/{}", recorded.stream.kind, recorded.stream.id),
        time: recorded.recorded_at,
        datacontenttype: CONTENT_TYPE,
        dataschema: schema_id(data.event_type()),
        sequence: format!("{:0SEQUENCE_DIGITS$}", recorded.position),
        actor: recorded.metadata.actor.clone(),
        data,
    }
}

/// A remittance around an event.
struct Step {
    before: Option<Remittance>,
    after: Remittance,
}

/// What the caller sees of a batch of events.
struct View {
    /// Records in the caller's scope; `None` for a manager, who sees all.
    records: Option<HashSet<StreamId>>,
    /// Payments of which the caller sees a part.
    parts: HashMap<Uuid, Part>,
    /// Remittances around each event of the batch, by its position.
    steps: HashMap<i64, Step>,
    /// Remittances at the position of the read models.
    remittances: HashMap<Uuid, Remittance>,
}

impl View {
    async fn load(
        journal: &Journal,
        transaction: &mut ReadTransaction,
        scope: &Scope,
        events: &[Recorded],
    ) -> Result<Self, ReadError> {
        let mut view = Self {
            records: None,
            parts: HashMap::new(),
            steps: HashMap::new(),
            remittances: HashMap::new(),
        };
        let sold = ids(events, StreamKind::Remittance);
        if !sold.is_empty() {
            let (tenant, through) = (transaction.tenant().clone(), transaction.position());
            let history = journal
                .authentic_streams_on(
                    transaction.connection(),
                    &tenant,
                    StreamKind::Remittance,
                    &sold,
                    through,
                )
                .await?;
            let positions: HashSet<i64> = events.iter().map(|recorded| recorded.position).collect();
            view.fold(&history, &positions);
        }
        if !scope.sees_all() {
            view.records = Some(records(transaction, scope, events).await?);
            view.parts = movement::parts(journal, transaction, scope, &ids(events, StreamKind::Movement)).await?;
        }
        Ok(view)
    }

    fn fold(&mut self, history: &[Recorded], positions: &HashSet<i64>) {
        let mut streams: HashMap<Uuid, StreamState> = HashMap::new();
        for recorded in history {
            let stream = streams
                .entry(recorded.stream.id)
                .or_insert_with(|| StreamState::new(StreamKind::Remittance));
            let is_told = positions.contains(&recorded.position);
            let before = stream.remittance().filter(|_| is_told).cloned();
            stream.apply(&recorded.event);
            if let Some(after) = stream.remittance().filter(|_| is_told).cloned() {
                self.steps.insert(recorded.position, Step { before, after });
            }
        }
        let folded = streams
            .into_iter()
            .filter_map(|(id, stream)| Some((id, stream.remittance()?.clone())));
        self.remittances.extend(folded);
    }

    /// The payload of an event; `None` outside the caller's scope, and for events that are not public.
    fn tell(&self, recorded: &Recorded, scope: &Scope) -> Option<PublicData> {
        if !scope.reads_records_of(recorded.stream.kind) {
            return None;
        }
        if recorded.stream.kind != StreamKind::Remittance {
            let sees = self
                .records
                .as_ref()
                .is_none_or(|records| records.contains(&recorded.stream));
            let part = self.parts.get(&recorded.stream.id);
            let has_part = part.is_none_or(|part| !part.amount.is_zero());
            return (sees && has_part).then(|| payload::of(recorded, part)).flatten();
        }
        let step = self.steps.get(&recorded.position)?;
        let sees = |remittance: &Remittance| is_visible(scope.caller(), Facts::from(remittance));
        if sees(&step.after) {
            let now = self.remittances.get(&recorded.stream.id)?;
            return sees(now)
                .then(|| payload::of_remittance(recorded, &step.after, scope))
                .flatten();
        }
        let withdrawn = RemittanceWithdrawnV1 { id: recorded.stream.id };
        step.before
            .as_ref()
            .is_some_and(sees)
            .then_some(PublicData::RemittanceWithdrawn(withdrawn))
    }
}

/// Records of a kind that events change.
fn ids(events: &[Recorded], kind: StreamKind) -> Vec<Uuid> {
    let streams = events.iter().map(|recorded| recorded.stream);
    let of_kind = streams.filter(|stream| stream.kind == kind);
    let ids: BTreeSet<Uuid> = of_kind.map(|stream| stream.id).collect();
    ids.into_iter().collect()
}

/// Records changed by events that are in the scope of a caller who does not see all, remittances excepted.
async fn records(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    events: &[Recorded],
) -> Result<HashSet<StreamId>, ReadError> {
    let mut records = HashSet::new();
    for kind in StreamKind::ALL.iter().copied() {
        let changed = ids(events, kind);
        if changed.is_empty() {
            continue;
        }
        let seen = match kind {
            StreamKind::Tenant | StreamKind::Currency | StreamKind::Place => changed,
            // The catalogue reveals commissions.
            StreamKind::PaymentGroup if scope.role != Role::DeliveryMan => changed,
            StreamKind::Customer => customer::in_scope(transaction, scope, &changed).await?,
            StreamKind::Movement => movement::in_scope(transaction, scope, &changed).await?,
            StreamKind::Closure => closure::in_scope(transaction, scope, &changed).await?,
            StreamKind::Party => parties(transaction, scope, &changed).await?,
            StreamKind::Remittance
            | StreamKind::PaymentGroup
            | StreamKind::Rates
            | StreamKind::ApiKey
            | StreamKind::Webhook
            | StreamKind::Proposal => Vec::new(),
        };
        records.extend(seen.into_iter().map(|id| StreamId::new(kind, id)));
    }
    Ok(records)
}

/// Those of the parties that the caller reads: itself, an agency's agents, and a dealer's delivery men.
async fn parties(transaction: &mut ReadTransaction, scope: &Scope, ids: &[Uuid]) -> Result<Vec<Uuid>, ReadError> {
    let mut from = transaction.rows("parties", "p").after("SELECT p.id");
    from.push(" AND p.id = ANY (").bind(ids.to_vec()).push(")");
    from.push(" AND (p.id = ").bind(scope.party.0);
    if matches!(scope.role, Role::Agency | Role::Dealer) {
        from.push(" OR p.agency = ").bind(scope.party.0);
        from.push(" OR p.dealer = ").bind(scope.party.0);
    }
    from.push(")");
    transaction.fetch_ids(&from).await
}
