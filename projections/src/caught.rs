//! What a rule of approvals would have covered of the last month: past commands, read back from the log and judged by the
//! function that judges a command when it is given ([`Past`]).
//!
//! Time and memory are bounded by [`MAX_SCANNED`], [`MAX_JUDGED`] and [`MAX_REPLAYED`]. Where one of them is reached, the
//! newest events are judged, and the answer says since when.

use crate::{
    audit,
    error::ReadError,
    read_transaction::ReadTransaction,
    refs::HistoryActor,
    scalar::{Money, StreamKind},
};
use caudal_domain::{
    Actor, StreamId, StreamKind as Kind, TenantState,
    approval::{ApprovalRule, Past, PastEvent},
    ids::PartyId,
    money::Amount,
    office::{Permissions, Right},
};
use caudal_journal::{Journal, Recorded};
use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use utoipa::ToSchema;
use uuid::Uuid;

/// Days that are judged.
pub const DAYS: i64 = 30;
/// Rows of the answer.
pub const PAGE: usize = 20;
/// Positions of the log that are read at once.
const SLICE: i64 = 50_000;
/// Positions of the log that are read at most: under two seconds.
const MAX_SCANNED: i64 = 1_000_000;
/// Events that are judged at most.
const MAX_JUDGED: usize = 5_000;
/// Earlier events of the changed records that are replayed at most.
const MAX_REPLAYED: usize = 20_000;

/// What a rule would have covered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaughtCommands {
    /// Commands since then were judged: 30 days ago, or later where `isCutOff`.
    pub since: DateTime<Utc>,
    /// Whether there was too much to judge all of the last 30 days.
    pub is_cut_off: bool,
    /// Number of the commands that the rule would have covered.
    #[schema(example = 12)]
    pub count: usize,
    /// Sum of their amounts in USD; null for kinds without an amount.
    pub sum: Option<Money>,
    /// Most rows in `results`.
    #[schema(example = 20)]
    pub page_size: usize,
    /// The newest of them, newest first.
    pub results: Vec<CaughtCommand>,
}

/// A command that a rule would have covered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaughtCommand {
    /// Position of its first event in the log.
    pub position: i64,
    /// Time of the command, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Party that gave it.
    pub maker: HistoryActor,
    /// Kind of the changed record.
    pub record_type: StreamKind,
    /// Changed record.
    pub record_id: Uuid,
    /// Human number or name of the record; null after erasure, and for a record of an area that the caller does not read.
    #[schema(example = "M-000012")]
    pub record_name: Option<String>,
    /// Amount in USD; null for commands without one.
    pub amount: Option<Money>,
}

/// Judges the commands of the last [`DAYS`] by a rule. `state` is the present state, `permissions` are the reader's.
///
/// # Errors
/// When the database fails, or an event can't be decoded.
pub async fn caught(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    rule: &ApprovalRule,
    state: &TenantState,
    permissions: Permissions,
    now: DateTime<Utc>,
) -> Result<CaughtCommands, ReadError> {
    let mut judged = newest(journal, transaction, rule, now - Duration::days(DAYS)).await?;
    let earlier = loop {
        if let Some(earlier) = earlier(journal, transaction, rule, state, &judged.events).await? {
            break earlier;
        }
        judged.keep(judged.events.len() / 2);
    };
    let found = replay(rule, state, &judged.events, earlier);
    let newest: Vec<i64> = found.keys().rev().take(PAGE).copied().collect();
    let events = audit::at_positions(transaction, &newest).await?;
    let reads = |record: StreamKind, id: Uuid| {
        let party = state.party(PartyId(id)).filter(|_| record.0 == Kind::Party);
        let areas = rule.kind.areas_of(record.0, party.map(|party| party.role));
        permissions.may_in_one(areas, Right::Read)
    };
    let row = |event: audit::AuditEvent| CaughtCommand {
        amount: found.get(&event.position).copied().flatten().map(Into::into),
        position: event.position,
        at: event.at,
        maker: event.actor,
        record_type: event.record_type,
        record_id: event.record_id,
        record_name: event.record_name.filter(|_| reads(event.record_type, event.record_id)),
    };
    Ok(CaughtCommands {
        since: judged.since,
        is_cut_off: judged.is_cut_off,
        count: found.len(),
        sum: rule.kind.is_priced().then(|| {
            let amounts = found.values().copied().flatten();
            Money::from(amounts.sum::<Amount>())
        }),
        page_size: PAGE,
        results: events.into_iter().map(row).collect(),
    })
}

/// Events to judge.
struct Judged {
    /// Newest first.
    events: Vec<Recorded>,
    since: DateTime<Utc>,
    is_cut_off: bool,
}

impl Judged {
    /// Keeps the newest events, and says so when that drops some.
    fn keep(&mut self, newest: usize) {
        if newest < self.events.len() {
            let dropped = self.events.drain(newest..).next();
            self.is_cut_off = true;
            // Of events at the same time some are judged and some are not.
            self.since = dropped.map_or(self.since, |event| event.recorded_at);
        }
    }
}

/// The newest events of the rule's types since a time.
async fn newest(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    rule: &ApprovalRule,
    since: DateTime<Utc>,
) -> Result<Judged, ReadError> {
    let tenant = transaction.tenant().clone();
    let types = Past::types(rule.kind);
    let head = transaction.position();
    let mut judged = Judged {
        events: Vec::new(),
        since,
        is_cut_off: false,
    };
    let mut through = head;
    while through > 0 {
        let from = (through - SLICE + 1).max(1);
        let left = i64::try_from(MAX_JUDGED + 1 - judged.events.len()).unwrap_or_default();
        let events = journal
            .events_of_types_on(transaction.connection(), &tenant, types, from..=through, left)
            .await?;
        judged
            .events
            .extend(events.into_iter().filter(|event| event.recorded_at >= since));
        if judged.events.len() > MAX_JUDGED {
            judged.keep(MAX_JUDGED);
            break;
        }
        let begun = recorded_at(transaction, from).await?;
        if begun.is_none_or(|begun| begun < since) {
            break;
        }
        if head - from + 1 >= MAX_SCANNED {
            judged.is_cut_off = from > 1;
            judged.since = begun.unwrap_or(since);
            break;
        }
        through = from - 1;
    }
    Ok(judged)
}

async fn recorded_at(transaction: &mut ReadTransaction, position: i64) -> Result<Option<DateTime<Utc>>, ReadError> {
    let mut sql = transaction.rows("journal.events", "e").after("SELECT e.recorded_at");
    sql.push(" AND e.position = ").bind(position);
    let rows = transaction.fetch_by_keys(&sql).await?;
    Ok(rows.first().map(|row| row.try_get("recorded_at")).transpose()?)
}

/// All events of the records that judged events changed, and of the currencies whose rates their amounts are converted at;
/// `None` when there are too many.
async fn earlier(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    rule: &ApprovalRule,
    state: &TenantState,
    judged: &[Recorded],
) -> Result<Option<Vec<Recorded>>, ReadError> {
    let mut streams: HashMap<Kind, BTreeSet<Uuid>> = HashMap::new();
    for event in judged.iter().filter(|event| event.sequence > 1) {
        streams.entry(event.stream.kind).or_default().insert(event.stream.id);
    }
    if Past::converts(rule.kind) {
        let currencies = state.currencies().map(|currency| currency.id.0);
        streams.entry(Kind::Currency).or_default().extend(currencies);
    }
    let (tenant, through) = (transaction.tenant().clone(), transaction.position());
    let mut found = Vec::new();
    for (kind, ids) in streams {
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let left = i64::try_from(MAX_REPLAYED + 1 - found.len()).unwrap_or_default();
        let events = journal
            .first_of_streams_on(transaction.connection(), &tenant, kind, &ids, through, left)
            .await?;
        found.extend(events);
        // Without judged events nothing is left to drop.
        if found.len() > MAX_REPLAYED && !judged.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// Covered commands by position, with their amounts.
fn replay(
    rule: &ApprovalRule,
    state: &TenantState,
    judged: &[Recorded],
    earlier: Vec<Recorded>,
) -> BTreeMap<i64, Option<Amount>> {
    let asked: BTreeSet<i64> = judged.iter().map(|event| event.position).collect();
    let events: BTreeMap<i64, &Recorded> = earlier
        .iter()
        .chain(judged)
        .map(|event| (event.position, event))
        .collect();
    let replayed: BTreeSet<StreamId> = events.values().map(|event| event.stream).collect();
    let mut past = Past::new(rule, state, replayed);
    let mut found = BTreeMap::new();
    for (position, recorded) in events {
        let event = PastEvent {
            event: &recorded.event,
            stream: recorded.stream,
            at: recorded.recorded_at,
            actor: actor(&recorded.metadata.actor),
            request: &recorded.metadata.request,
        };
        if asked.contains(&position)
            && let Some(caught) = past.judge(event)
        {
            found.insert(position, caught.amount);
        }
        past.apply(event);
    }
    found
}

/// The system where it is no party.
fn actor(name: &str) -> Actor {
    Uuid::parse_str(name).map_or(Actor::System, |id| Actor::Party(PartyId(id)))
}
