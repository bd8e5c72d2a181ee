//! Days as positions: the time of a list's positions never decreases.

use super::query::{Narrowed, TallySpec};
use crate::{read_transaction::ReadTransaction, sql::Sql};
use sqlx::Row as _;

/// Restricts a row's position to an interval.
pub(crate) fn between(sql: &mut Sql, spec: &TallySpec, from: i64, through: i64) {
    sql.push(&format!(" AND {} BETWEEN ", spec.position)).bind(from);
    sql.push(" AND ").bind(through);
}

/// Restricts a list to the positions of a query's days, for days of the positions' time.
pub(crate) async fn within_days(
    transaction: &mut ReadTransaction,
    conditions: &impl Narrowed,
    spec: &TallySpec,
    sql: &mut Sql,
) -> Result<(), crate::error::ReadError> {
    let (first, last) = positions(transaction, conditions, spec).await?;
    if first > i64::MIN {
        sql.push(&format!(" AND {} >= ", spec.position)).bind(first);
    }
    if last < i64::MAX {
        sql.push(&format!(" AND {} <= ", spec.position)).bind(last);
    }
    Ok(())
}

/// First and last position that a query's day filters leave of a list.
pub(super) async fn positions(
    transaction: &mut ReadTransaction,
    conditions: &impl Narrowed,
    spec: &TallySpec,
) -> Result<(i64, i64), crate::error::ReadError> {
    let (mut first, mut last) = (i64::MIN, i64::MAX);
    for (begins, ends) in conditions.moments(spec.time) {
        if let Some(begins) = begins {
            first = first.max(edge(transaction, spec, begins).await?);
        }
        if let Some(ends) = ends {
            last = last.min(edge(transaction, spec, ends).await?.saturating_sub(1));
        }
    }
    Ok((first, last))
}

/// First position of a list at a time or later; past all positions if there is none.
async fn edge(
    transaction: &mut ReadTransaction,
    spec: &TallySpec,
    moment: chrono::DateTime<chrono::Utc>,
) -> Result<i64, crate::error::ReadError> {
    let TallySpec {
        list: table,
        alias,
        time,
        ..
    } = *spec;
    if !spec.has_index_of_time {
        return search(transaction, spec, moment).await;
    }
    let mut sql = transaction
        .rows(table, alias)
        .after(&format!("SELECT {} AS position", spec.position));
    sql.push(&format!(" AND {time} >= ")).bind(moment);
    sql.push(&format!(" ORDER BY {time}, {} LIMIT 1", spec.position));
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(i64::MAX), |row| row.try_get("position"))?)
}

/// The same by binary search, without an index on the time.
async fn search(
    transaction: &mut ReadTransaction,
    spec: &TallySpec,
    moment: chrono::DateTime<chrono::Utc>,
) -> Result<i64, crate::error::ReadError> {
    let TallySpec {
        list: table,
        alias,
        time,
        ..
    } = *spec;
    let (mut before, mut at) = (0, transaction.position() + 1);
    while at - before > 1 {
        let middle = before + (at - before) / 2;
        let mut sql = Sql::new(format!("SELECT {time} >= "));
        sql.bind(moment);
        sql.push(&format!(" AS is_later FROM {table} AS {alias} WHERE {alias}.tenant = "));
        sql.bind(transaction.tenant());
        sql.push(&format!(" AND {} >= ", spec.position)).bind(middle);
        sql.push(&format!(" ORDER BY {} LIMIT 1", spec.position));
        let rows = transaction.fetch(&sql).await?;
        if rows.first().map_or(Ok(true), |row| row.try_get("is_later"))? {
            at = middle;
        } else {
            before = middle;
        }
    }
    Ok(if at > transaction.position() { i64::MAX } else { at })
}
