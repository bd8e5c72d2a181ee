//! The event log, as an auditor looks through it: who did what to which record, when, and its hash.

use crate::{
    error::ReadError,
    list::{
        self, Filter, Found, List, SearchSpec, Takes,
        filter::{self, Narrow},
        number, text, time, unprinted, values,
    },
    page::{ListQuery, Page},
    print::{Words, actor},
    refs::HistoryActor,
    scalar::StreamKind,
    scope::Scope,
    snapshot::{Snapshot, only},
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

/// An event of the log, without what it says.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// Its place in the tenant's log, from 1.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Its type.
    #[schema(examples("RemittanceCreated"))]
    pub event_type: String,
    /// Its version.
    pub event_version: String,
    /// What sort of record it changed.
    pub record_type: StreamKind,
    /// Which one.
    pub record_id: Uuid,
    /// Its human number, or its name; null when the person was erased.
    #[schema(examples("R-000001"))]
    pub record_name: Option<String>,
    /// Its place among the record's events, from 1.
    pub sequence: i64,
    /// Who did it.
    pub actor: HistoryActor,
    /// The request that did it.
    pub request_id: String,
    /// Its hash in the chain, in hexadecimal digits.
    pub hash: String,
}

/// All kinds of records, so that a record is found by its id alone: the index of the streams begins with the kind.
macro_rules! of_any_kind {
    ($condition:literal) => {
        concat!(
            "e.aggregate_type IN ('tenant', 'currency', 'place', 'payment_group', 'party', 'customer', 'remittance', \
             'movement', 'closure', 'rates') AND ",
            $condition
        )
    };
}

/// Who did the event `e`. An id that somebody has tampered with names nobody, and is no error.
macro_rules! actor_id {
    () => {
        "CASE WHEN e.metadata ->> 'actor' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' \
         THEN (e.metadata ->> 'actor')::uuid END"
    };
}

/// The list of the events of the log.
pub const EVENTS: List<AuditEvent> = List {
    title: Words::new("Registro de eventos", "Event log"),
    columns: &[
        number("position", "Posición", "Position", |e: &AuditEvent| e.position).in_order("e.position"),
        time("at", "Fecha", "Date", |e: &AuditEvent| Some(e.at)).in_order("e.position"),
        text("eventType", "Evento", "Event", |e: &AuditEvent, _| {
            Some(e.event_type.clone())
        })
        .bounded("e.event_type"),
        unprinted("recordType").bounded("e.aggregate_type"),
        // Names stand in nine tables: records are sorted by their ids.
        text("recordName", "Registro", "Record", |e: &AuditEvent, _| {
            e.record_name.clone()
        }),
        text("recordId", "Id", "Id", |e: &AuditEvent, _| {
            Some(e.record_id.to_string())
        })
        .bounded("e.aggregate_id"),
        text("actor", "Quién", "Who", |e: &AuditEvent, p| actor(&e.actor, p)).bounded(concat!(
            "(SELECT p.search FROM parties AS p WHERE p.tenant = e.tenant AND p.id = ",
            actor_id!(),
            ")"
        )),
        text("hash", "Hash", "Hash", |e: &AuditEvent, _| Some(e.hash.clone())).bounded("e.hash"),
    ],
    filters: &[
        filter::exactly("eventType", filter::EVENT, "Of this type.", "e.event_type")
            .counted(Narrows::Value("event_type")),
        Filter::new(
            "recordType",
            filter::RECORD,
            "Of this sort of record.",
            Takes::Known(values::STREAM_KIND),
            Narrow::Is("e.aggregate_type"),
        )
        .counted(Narrows::Value("record_type")),
        Filter::new(
            "recordId",
            filter::RECORD,
            "Of this record.",
            Takes::Id,
            Narrow::Within(of_any_kind!("e.aggregate_id = ("), ")::text"),
        ),
        Filter::new(
            "actorId",
            filter::WHO,
            "Done by this party.",
            Takes::Id,
            Narrow::Within("e.metadata ->> 'actor' = (", ")::text"),
        )
        .counted(Narrows::Id("actor")),
        Filter::new(
            "requestId",
            filter::REQUEST,
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
        // The events of the records that are found.
        function: Some((
            "search_records",
            Found::Within(of_any_kind!("e.aggregate_id = ANY (ARRAY("), "))"),
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

/// Counts an event, which stays.
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

/// The log's name in the tallies, which is where it stands.
const LOG: &str = "journal.events";

/// The events of the log, the last one first.
///
/// # Errors
/// Sorts, filters and pages that the list does not have.
pub async fn list(snapshot: &mut Snapshot, _scope: &Scope, query: &ListQuery) -> Result<Page<AuditEvent>, ReadError> {
    if query
        .get("recordType")
        .is_some_and(|kind| kind.parse::<caudal_domain::StreamKind>().is_err())
    {
        return Err(Refusal::invalid("recordType", "value_unknown").into());
    }
    let from = events(snapshot);
    let keys = EVENTS
        .counted_keys::<i64>(snapshot, None, query, from, "e.position")
        .await?;
    let rows = views(snapshot, &keys.keys).await?;
    Ok(keys.page(list::in_order(&keys.keys, rows, |event| event.position)))
}

/// The event at a position.
///
/// # Errors
/// Not found, where the log has not got so far.
pub async fn event(snapshot: &mut Snapshot, position: i64) -> Result<AuditEvent, ReadError> {
    only(views(snapshot, &[position]).await?, "event_not_found")
}

/// The events at positions, in the order of the log.
pub async fn at_positions(snapshot: &mut Snapshot, positions: &[i64]) -> Result<Vec<AuditEvent>, ReadError> {
    let rows = views(snapshot, positions).await?;
    Ok(list::in_order(positions, rows, |event| event.position))
}

/// What records are called, by their ids: names, codes and numbers. An id of nothing named is left out.
pub async fn names(snapshot: &mut Snapshot, ids: Vec<Uuid>) -> Result<BTreeMap<Uuid, String>, ReadError> {
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
    ];
    let mut sql = Sql::new("SELECT n.id, n.name FROM (");
    for (place, (table, name)) in NAMED.iter().enumerate() {
        let union = if place == 0 { "" } else { " UNION ALL " };
        sql.push(&format!(
            "{union}SELECT x.id, x.{name} AS name FROM {table} AS x WHERE x.tenant = "
        ))
        .bind(snapshot.tenant());
        sql.push(" AND x.id = ANY (").bind(ids.clone()).push(")");
    }
    sql.push(") AS n WHERE n.name IS NOT NULL");
    let read = |row: &PgRow| Ok((row.try_get("id")?, row.try_get("name")?));
    let rows = snapshot.fetch(&sql).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// The log as far as the read models, which give records their names, have got.
fn events(snapshot: &Snapshot) -> Sql {
    let mut from = snapshot.joined("journal.events AS e", "e");
    from.push(" AND e.position <= ").bind(snapshot.position());
    from
}

async fn views(snapshot: &mut Snapshot, positions: &[i64]) -> Result<Vec<AuditEvent>, ReadError> {
    // An id that somebody has tampered with names nothing, and is no error here.
    const ID: &str = "CASE WHEN e.aggregate_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' \
                      THEN e.aggregate_id::uuid END";
    const ACTOR: &str = actor_id!();
    let tables = format!(
        "journal.events AS e
         CROSS JOIN LATERAL (SELECT {ID} AS id, {ACTOR} AS actor) AS n
         LEFT JOIN parties AS a ON a.tenant = e.tenant AND a.id = n.actor"
    );
    // By key, each of the page's few rows: joined, whole tables would be read for them.
    const NAME: &str = "CASE e.aggregate_type
        WHEN 'remittance' THEN (SELECT x.code FROM remittances AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'movement' THEN (SELECT x.number FROM movements AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'closure' THEN (SELECT x.number FROM closures AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'party' THEN (SELECT x.name FROM parties AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'customer' THEN (SELECT x.name FROM customers AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'currency' THEN (SELECT x.code FROM currencies AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        WHEN 'payment_group' THEN (SELECT x.name FROM payment_groups AS x WHERE x.tenant = e.tenant AND x.id = n.id)
        END";
    let mut sql = snapshot.joined(&tables, "e").after(&format!(
        "SELECT e.position, CASE WHEN isfinite(e.recorded_at) THEN e.recorded_at END AS recorded_at, e.event_type, e.event_version, e.aggregate_type, n.id AS record_id, e.sequence,
                n.actor, e.metadata ->> 'role' AS role, e.metadata ->> 'request' AS request, a.name AS actor_name,
                encode(e.hash, 'hex') AS hash,
                {NAME} AS record_name"
    ));
    sql.push(" AND e.position <= ").bind(snapshot.position());
    sql.push(" AND e.position = ANY (").bind(positions.to_vec()).push(")");
    let found = snapshot.fetch_by_keys(&sql).await?;
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
