//! Days as positions: time never goes back from one position of a list to the next.

use super::query::TallySpec;
use crate::{
    list::{Filter, ListSpec},
    page::ListQuery,
    snapshot::Snapshot,
    sql::Sql,
};
use sqlx::Row as _;

/// Adds that a row's position lies between two.
pub(crate) fn between(sql: &mut Sql, spec: &TallySpec, from: i64, through: i64) {
    sql.push(&format!(" AND {} BETWEEN ", spec.position)).bind(from);
    sql.push(" AND ").bind(through);
}

/// Adds the positions that a query's days leave of a list, where it has days of the time of its positions.
pub(crate) async fn within_days(
    snapshot: &mut Snapshot,
    list: &ListSpec,
    spec: &TallySpec,
    query: &ListQuery,
    sql: &mut Sql,
) -> Result<(), crate::error::ReadError> {
    let (first, last) = positions(snapshot, list, spec, query).await?;
    if first > i64::MIN {
        sql.push(&format!(" AND {} >= ", spec.position)).bind(first);
    }
    if last < i64::MAX {
        sql.push(&format!(" AND {} <= ", spec.position)).bind(last);
    }
    Ok(())
}

/// The first and the last position that a query's days leave of a list: filters of days on the time of its positions.
pub(super) async fn positions(
    snapshot: &mut Snapshot,
    list: &ListSpec,
    spec: &TallySpec,
    query: &ListQuery,
) -> Result<(i64, i64), crate::error::ReadError> {
    let (mut first, mut last) = (i64::MIN, i64::MAX);
    for (name, value) in &query.filters {
        let filter = list.filters.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        match filter {
            Some((name, Filter::FromDay(time))) if *time == spec.time => {
                let begins = crate::list::beginning(name, value, snapshot.zone())?;
                first = first.max(edge(snapshot, spec, begins).await?);
            }
            Some((name, Filter::ThroughDay(time))) if *time == spec.time => {
                let ends = crate::list::end(name, value, snapshot.zone())?;
                last = last.min(edge(snapshot, spec, ends).await?.saturating_sub(1));
            }
            _ => {}
        }
    }
    Ok((first, last))
}

/// The first position of a list at a moment or later; past all positions where there is none.
async fn edge(
    snapshot: &mut Snapshot,
    spec: &TallySpec,
    moment: chrono::DateTime<chrono::Utc>,
) -> Result<i64, crate::error::ReadError> {
    let ((table, alias), time) = (spec.table(), spec.time);
    if !spec.has_index_of_time {
        return search(snapshot, spec, moment).await;
    }
    let mut sql = snapshot
        .rows(table, alias)
        .after(&format!("SELECT {} AS position", spec.position));
    sql.push(&format!(" AND {time} >= ")).bind(moment);
    sql.push(&format!(" ORDER BY {time}, {} LIMIT 1", spec.position));
    let rows = snapshot.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(i64::MAX), |row| row.try_get("position"))?)
}

/// The same where no index is in the order of time: time never goes back, so halves are looked at, and halves of those.
async fn search(
    snapshot: &mut Snapshot,
    spec: &TallySpec,
    moment: chrono::DateTime<chrono::Utc>,
) -> Result<i64, crate::error::ReadError> {
    let ((table, alias), time) = (spec.table(), spec.time);
    let (mut before, mut at) = (0, snapshot.position() + 1);
    while at - before > 1 {
        let middle = before + (at - before) / 2;
        let mut sql = Sql::new(format!("SELECT {time} >= "));
        sql.bind(moment);
        sql.push(&format!(" AS is_later FROM {table} AS {alias} WHERE {alias}.tenant = "));
        sql.bind(snapshot.tenant());
        sql.push(&format!(" AND {} >= ", spec.position)).bind(middle);
        sql.push(&format!(" ORDER BY {} LIMIT 1", spec.position));
        let rows = snapshot.fetch(&sql).await?;
        if rows.first().map_or(Ok(true), |row| row.try_get("is_later"))? {
            at = middle;
        } else {
            before = middle;
        }
    }
    Ok(if at > snapshot.position() { i64::MAX } else { at })
}
