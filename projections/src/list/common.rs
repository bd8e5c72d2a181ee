//! Searches for what is common, such as the name of every tenth person: not all that has it is looked up.
//!
//! **Invariant**: whatever the samples say, a page has no row that does not match, and none that others than the caller may
//! see. Samples decide only how many of the matching rows are looked at; where that is not all, the page says so
//! ([`Page::is_partial`](crate::page::Page::is_partial)). Two calls are all of it: [`is_common`] and [`newest_keys`].

use super::{Keys, SearchSpec, keys::count};
use crate::{
    error::ReadError,
    page::ListQuery,
    read_transaction::ReadTransaction,
    search::Search,
    sql::Sql,
    table::{Column, get},
};
use sqlx::Row as _;

/// Limits of a search that matches very many rows: the newest are ranked and counted, and the page is marked partial.
#[derive(Debug)]
pub(crate) struct Common {
    /// Samples that estimate the frequency.
    pub(crate) samples: &'static [Sample],
    /// Alias of the list's table.
    pub(crate) alias: &'static str,
    /// Column with an index in order of recency.
    pub(crate) position: &'static str,
}

/// Newest rows of a searched table.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) table: &'static str,
    pub(crate) alias: &'static str,
    /// Condition of the index.
    pub(crate) only: &'static str,
    pub(crate) position: &'static str,
    pub(crate) text: &'static str,
}

/// Sample size.
const SAMPLE: i64 = 1_000;
/// Matches in the sample from which a value is frequent: one in fifty.
const COMMON: i64 = 20;

/// Rows scanned for a frequent value, newest first: some 5 µs each.
const LOOKED_THROUGH: i64 = 2_000;
/// Matches ranked and counted.
const RANKED: i64 = 200;

/// Whether a search matches too many rows to rank all.
pub(super) async fn is_common(
    transaction: &mut ReadTransaction,
    common: &Common,
    search: &Search,
) -> Result<bool, ReadError> {
    let mut sql = Sql::new("SELECT FALSE");
    for sample in common.samples {
        let Sample {
            table,
            alias,
            only,
            position,
            text,
        } = sample;
        sql.push(" OR (SELECT count(*) >= ").bind(COMMON);
        sql.push(&format!(
            " FROM (SELECT {text} AS text FROM {table} AS {alias} WHERE {alias}.tenant = "
        ));
        sql.bind(transaction.tenant());
        sql.push(&format!(" AND {only} ORDER BY {position} DESC LIMIT "))
            .bind(SAMPLE);
        sql.push(") AS x WHERE x.text LIKE ALL (")
            .bind(search.words.clone())
            .push("))");
    }
    sql.push(" AS is_common");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(false), |row| row.try_get("is_common"))?)
}

/// Keys of a page of a search for a frequent value: the best of the newest rows first.
pub(super) async fn newest_keys<K: Column>(
    transaction: &mut ReadTransaction,
    (spec, common): (&SearchSpec, &Common),
    search: &Search,
    query: &ListQuery,
    from: &Sql,
    key: &str,
) -> Result<Keys<K>, ReadError> {
    let Common { alias, position, .. } = common;
    let names = |table: &str| -> Vec<String> {
        let numbers = 0..spec.texts.len();
        numbers.map(|number| format!("{table}.text_{number}")).collect()
    };
    let found: Vec<String> = spec
        .texts
        .iter()
        .enumerate()
        .map(|(number, text)| format!("{text} AS text_{number}"))
        .collect();
    let mut rows = from.after(&format!("FROM (SELECT {alias}.*"));
    rows.push(&format!(" ORDER BY {position} DESC LIMIT "))
        .bind(LOOKED_THROUGH);
    rows.push(&format!(
        ") AS {alias} CROSS JOIN LATERAL (SELECT {} OFFSET 0) AS t WHERE (FALSE",
        found.join(", ")
    ));
    for name in names("t") {
        rows.push(&format!(" OR {name} LIKE ALL ("))
            .bind(search.words.clone())
            .push(")");
    }
    rows.push(&format!(") ORDER BY {position} DESC LIMIT ")).bind(RANKED);
    let mut ranked = rows.after(&format!(
        "SELECT f.key, count(*) OVER () AS total FROM (SELECT {key} AS key, {position} AS place, {}",
        names("t").join(", ")
    ));
    ranked.push(") AS f ORDER BY ");
    if query.sort.is_none() {
        rank(names("f").iter().map(String::as_str), search, &mut ranked);
        ranked.push(", ");
    }
    ranked.push("f.place DESC LIMIT ").bind(query.records_per_page);
    ranked.push(" OFFSET ").bind(query.offset());
    let found = transaction.fetch(&ranked).await?;
    let total = match found.first() {
        Some(row) => row.try_get("total")?,
        None if query.current_page == 1 => 0,
        None => {
            let mut all = rows.after("FROM (SELECT 1");
            all.push(") AS f");
            count(transaction, &all).await?
        }
    };
    let keys = found.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
    // Whether more rows may match.
    let mut further = from.after("FROM (SELECT 1");
    further.push(" LIMIT 1 OFFSET ").bind(LOOKED_THROUGH).push(") AS f");
    let mut page = Keys::of(query, total, keys);
    page.is_partial = total >= RANKED || count(transaction, &further).await? > 0;
    Ok(page)
}

/// Match quality, best first: equals a field, begins a field, or occurs somewhere.
pub(super) fn rank<'a>(texts: impl Iterator<Item = &'a str> + Clone, search: &Search, sql: &mut Sql) {
    sql.push("CASE");
    for (pattern, rank) in [(&search.exact, 0), (&search.prefix, 1)] {
        sql.push(" WHEN FALSE");
        for text in texts.clone() {
            sql.push(&format!(" OR {text} LIKE ")).bind(pattern.clone());
        }
        sql.push(&format!(" THEN {rank}"));
    }
    sql.push(" ELSE 2 END");
}
