//! Event log for the auditor: who changed which record when, with the event's hash.

use crate::{
    error::ReadError,
    list::{
        self, Filter, List, MatchedBy, SearchSpec, Takes,
        filter::{self, Narrow},
        number, text, time, unprinted, values,
    },
    page::{ListQuery, Page},
    print::{Words, actor, word},
    read_transaction::{ReadTransaction, only},
    refs::{HistoryActor, Ref},
    scalar::StreamKind,
    scope::Scope,
    sql::Sql,
    tally::{Change, Counted, Narrows, Tallies, TallySpec},
};
use caudal_domain::Refusal;
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// An event of the log without its payload.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// Position in the tenant's log, from 1.
    pub position: i64,
    /// Time of recording, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Event type, such as `RemittanceCreated`.
    #[schema(examples("RemittanceCreated"))]
    pub event_type: String,
    /// Version of the event type, such as `1`.
    pub event_version: String,
    /// Kind of the changed record.
    pub record_type: StreamKind,
    /// Id of the changed record.
    pub record_id: Uuid,
    /// Human number or name of the record; null after erasure.
    #[schema(examples("R-000001"))]
    pub record_name: Option<String>,
    /// Sequence number among the record's events, from 1.
    pub sequence: i64,
    /// Party that did it; all fields null for the system.
    pub actor: HistoryActor,
    /// API key of the request; null for a login and for the system.
    pub api_key: Option<Ref>,
    /// Id of the request that caused the event.
    pub request_id: String,
    /// Hash in the chain: 64 hexadecimal digits.
    pub hash: String,
}

/// All kinds of records: the stream index begins with the kind, so a lookup by id alone tries each.
macro_rules! of_any_kind {
    ($condition:literal) => {
        concat!(
            "e.aggregate_type IN ('tenant', 'currency', 'place', 'payment_group', 'party', 'customer', 'remittance', \
             'movement', 'closure', 'rates', 'api_key', 'webhook', 'proposal') AND ",
            $condition
        )
    };
}

/// An id in the metadata of the event `e`. A tampered id maps to NULL instead of an error.
macro_rules! id_in_metadata {
    ($name:literal) => {
        concat!(
            "CASE WHEN e.metadata ->> '",
            $name,
            "' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (e.metadata ->> '",
            $name,
            "')::uuid END"
        )
    };
}

/// Actor of the event `e`.
macro_rules! actor_id {
    () => {
        id_in_metadata!("actor")
    };
}

/// List of the log's events.
pub const EVENTS: List<AuditEvent> = List {
    title: word::EVENT_LOG,
    columns: &[
        number("position", word::POSITION, |e: &AuditEvent| e.position).in_order("e.position"),
        time("at", word::DATE, |e: &AuditEvent| Some(e.at)).in_order("e.position"),
        text("eventType", word::EVENT, |e: &AuditEvent, _| Some(e.event_type.clone())).bounded("e.event_type"),
        unprinted("recordType").bounded("e.aggregate_type"),
        // Names are in many tables: records are sorted by id.
        text("recordName", word::RECORD, |e: &AuditEvent, _| e.record_name.clone()),
        text("recordId", Words::new("Id", "Id"), |e: &AuditEvent, _| {
            Some(e.record_id.to_string())
        })
        .bounded("e.aggregate_id"),
        text("actor", word::WHO, |e: &AuditEvent, p| actor(&e.actor, p)).bounded(concat!(
            "(SELECT p.search FROM parties AS p WHERE p.tenant = e.tenant AND p.id = ",
            actor_id!(),
            ")"
        )),
        text("hash", Words::new("Hash", "Hash"), |e: &AuditEvent, _| {
            Some(e.hash.clone())
        })
        .bounded("e.hash"),
    ],
    filters: &[
        filter::exactly("eventType", word::EVENT, "Of this type.", "e.event_type")
            .counted(Narrows::Value("event_type")),
        Filter::new(
            "recordType",
            word::RECORD,
            "Of this sort of record.",
            Takes::Known(values::STREAM_KIND),
            Narrow::Is("e.aggregate_type"),
        )
        .counted(Narrows::Value("record_type")),
        Filter::new(
            "recordId",
            word::RECORD,
            "Of this record.",
            Takes::Id,
            Narrow::Within(of_any_kind!("e.aggregate_id = ("), ")::text"),
        ),
        Filter::new(
            "actorId",
            word::WHO,
            "Done by this party.",
            Takes::Id,
            Narrow::Within("e.metadata ->> 'actor' = (", ")::text"),
        )
        .counted(Narrows::Id("actor")),
        Filter::new(
            "requestId",
            word::REQUEST,
            "Done by this request.",
            Takes::Id,
            Narrow::Within("e.metadata ->> 'request' = (", ")::text"),
        ),
        filter::first_day("from", "On this day or later.", "e.recorded_at").counted(Narrows::Days),
        filter::last_day("to", "On this day or before.", "e.recorded_at").counted(Narrows::Days),
        filter::exactly(
            "hash",
            Words::new("Hash", "Hash"),
            "With this hash.",
            "encode(e.hash, 'hex')",
        ),
    ],
    search: Some(&SearchSpec {
        about: "The number or name of the record that they changed.",
        // Events of the records found.
        function: Some((
            "search_records",
            MatchedBy::Within(of_any_kind!("e.aggregate_id = ANY (ARRAY("), "))"),
        )),
        ..SearchSpec::of(&[])
    }),
    default_sort: "-position",
    tie: "e.position",
    counted: Some(&TallySpec {
        list: LOG,
        alias: "e",
        position: "e.position",
        time: "e.recorded_at",
        has_index_of_time: false,
    }),
    hides_prices: false,
};

/// Counts an event; events are never uncounted.
pub(crate) fn tally(tallies: &mut Tallies, recorded: &Recorded) {
    let counted = Counted {
        list: LOG,
        position: recorded.position,
        part: 0,
        currency: "",
        amount: 0,
        values: vec![
            ("event_type", recorded.event.event_type().to_owned()),
            ("record_type", recorded.stream.kind.as_str().to_owned()),
            ("actor", recorded.metadata.actor.clone()),
        ],
    };
    tallies.count(Change::Comes, counted);
}

/// The log's name in the tallies.
const LOG: &str = "journal.events";

/// Events of the log, newest first.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    _scope: &Scope,
    query: &ListQuery,
) -> Result<Page<AuditEvent>, ReadError> {
    if query
        .get("recordType")
        .is_some_and(|kind| kind.parse::<caudal_domain::StreamKind>().is_err())
    {
        return Err(Refusal::invalid("recordType", "value_unknown").into());
    }
    let from = events(transaction);
    let keys = EVENTS
        .counted_keys::<i64>(transaction, None, query, from, "e.position")
        .await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(list::in_order(&keys.keys, rows, |event| event.position)))
}

/// The event at a position.
///
/// # Errors
/// Not found beyond the end of the log.
pub async fn event(transaction: &mut ReadTransaction, position: i64) -> Result<AuditEvent, ReadError> {
    only(views(transaction, &[position]).await?, "event_not_found")
}

/// Events at positions, in log order.
pub async fn at_positions(transaction: &mut ReadTransaction, positions: &[i64]) -> Result<Vec<AuditEvent>, ReadError> {
    let rows = views(transaction, positions).await?;
    Ok(list::in_order(positions, rows, |event| event.position))
}

/// Names, codes and numbers of records by id; records without one are omitted.
pub async fn names(transaction: &mut ReadTransaction, ids: Vec<Uuid>) -> Result<BTreeMap<Uuid, String>, ReadError> {
    const NAMED: &[(&str, &str)] = &[
        ("parties", "name"),
        ("customers", "name"),
        ("payment_groups", "name"),
        ("currencies", "code"),
        ("provinces", "name"),
        ("municipalities", "name"),
        ("remittances", "code"),
        ("movements", "number"),
        ("closures", "number"),
        ("api_keys", "name"),
        ("webhooks", "name"),
    ];
    let mut sql = Sql::new("SELECT n.id, n.name FROM (");
    for (place, (table, name)) in NAMED.iter().enumerate() {
        let union = if place == 0 { "" } else { " UNION ALL " };
        sql.push(&format!(
            "{union}SELECT x.id, x.{name} AS name FROM {table} AS x WHERE x.tenant = "
        ))
        .bind(transaction.tenant());
        sql.push(" AND x.id = ANY (").bind(ids.clone()).push(")");
    }
    sql.push(") AS n WHERE n.name IS NOT NULL");
    let read = |row: &PgRow| Ok((row.try_get("id")?, row.try_get("name")?));
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// The log up to the position of the read models, which provide the names.
fn events(transaction: &ReadTransaction) -> Sql {
    let mut from = transaction.joined("journal.events AS e", "e");
    from.push(" AND e.position <= ").bind(transaction.position());
    from
}

async fn views(transaction: &mut ReadTransaction, positions: &[i64]) -> Result<Vec<AuditEvent>, ReadError> {
    // A tampered id maps to NULL instead of an error.
    const ID: &str = "CASE WHEN e.aggregate_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' \
                      THEN e.aggregate_id::uuid END";
    const ACTOR: &str = actor_id!();
    const KEY: &str = id_in_metadata!("apiKey");
    let tables = format!(
        "journal.events AS e
         CROSS JOIN LATERAL (SELECT {ID} AS id, {ACTOR} AS actor, {KEY} AS api_key) AS n
         LEFT JOIN parties AS a ON a.tenant = e.tenant AND a.id = n.actor
         LEFT JOIN api_keys AS k ON k.tenant = e.tenant AND k.id = n.api_key"
    );
    // One lookup by key per row of the page; a join would read whole tables.
    const NAME: &str = "CASE e.aggregate_type
        WHEN 'remittance' THEN (SELECT x.code FROM remittances AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'movement' THEN (SELECT x.number FROM movements AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'closure' THEN (SELECT x.number FROM closures AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'party' THEN (SELECT x.name FROM parties AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'customer' THEN (SELECT x.name FROM customers AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'currency' THEN (SELECT x.code FROM currencies AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'api_key' THEN (SELECT x.name FROM api_keys AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'webhook' THEN (SELECT x.name FROM webhooks AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'payment_group' THEN (SELECT x.name FROM payment_groups AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        END";
    let mut sql = transaction.joined(&tables, "e").after(&format!(
        "SELECT e.position, CASE WHEN isfinite(e.recorded_at) THEN e.recorded_at END AS recorded_at, e.event_type, e.event_version, e.aggregate_type, n.id AS record_id, e.sequence,
                n.actor, e.metadata ->> 'role' AS role, e.metadata ->> 'request' AS request, a.name AS actor_name,
                n.api_key, k.name AS api_key_name, encode(e.hash, 'hex') AS hash,
                {NAME} AS record_name"
    ));
    sql.push(" AND e.position <= ").bind(transaction.position());
    sql.push(" AND e.position = ANY (").bind(positions.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    Ok(found.iter().map(view).collect::<Result<Vec<_>, sqlx::Error>>()?)
}

fn view(row: &PgRow) -> Result<AuditEvent, sqlx::Error> {
    let kind: String = row.try_get("aggregate_type")?;
    let kind: caudal_domain::StreamKind = kind.parse().map_err(|error| sqlx::Error::ColumnDecode {
        index: "aggregate_type".to_owned(),
        source: Box::new(error),
    })?;
    let role: Option<String> = row.try_get("role")?;
    Ok(AuditEvent {
        position: row.try_get("position")?,
        at: row
            .try_get::<Option<DateTime<Utc>>, _>("recorded_at")?
            .unwrap_or_default(),
        event_type: row.try_get("event_type")?,
        event_version: row.try_get("event_version")?,
        record_type: kind.into(),
        record_id: row.try_get::<Option<Uuid>, _>("record_id")?.unwrap_or_default(),
        record_name: row.try_get("record_name")?,
        sequence: row.try_get("sequence")?,
        actor: HistoryActor::new(
            row.try_get("actor")?,
            role.as_deref().unwrap_or_default(),
            row.try_get("actor_name")?,
        ),
        api_key: Ref::maybe(row.try_get("api_key")?, row, "api_key_name")?,
        request_id: row.try_get::<Option<String>, _>("request")?.unwrap_or_default(),
        hash: row.try_get("hash")?,
    })
}

#[cfg(test)]
mod tests {
    use caudal_domain::StreamKind;

    #[test]
    fn a_record_of_every_kind_is_found_by_its_id() {
        for kind in StreamKind::ALL {
            assert!(of_any_kind!("").contains(&format!("'{kind}'")), "{kind}");
        }
    }
}
