//! A page of a list: the keys of its rows, in order, and where it stands among all of them.

use super::{
    Direction, ListSpec,
    common::{is_common, newest_keys},
};
use crate::{
    error::ReadError,
    page::{ListQuery, MAX_ALL_RECORDS, Page},
    snapshot::Snapshot,
    sql::Sql,
    table::{Column, get},
    tally::{self, Blocks, TallySpec},
};
use caudal_domain::Refusal;
use sqlx::{Row as _, postgres::PgRow};

/// Where one row in so many is wanted, many are.
const DENSE: i64 = 8;

/// The keys of a page's rows, in order, and where the page stands.
#[derive(Debug)]
pub(crate) struct Keys<K> {
    pub(crate) keys: Vec<K>,
    total: i64,
    size: i64,
    current: i64,
    pub(super) is_partial: bool,
}

impl<K> Keys<K> {
    /// The keys of the page that was asked for, of `total` rows.
    pub(crate) const fn of(query: &ListQuery, total: i64, keys: Vec<K>) -> Self {
        Self {
            keys,
            total,
            size: query.records_per_page,
            current: if query.records_per_page == 0 {
                1
            } else {
                query.current_page
            },
            is_partial: false,
        }
    }

    /// The keys of the next rows of a walk.
    fn walked(rows: &[PgRow]) -> Result<Self, ReadError>
    where
        K: Column,
    {
        let keys: Vec<K> = rows.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
        let total = i64::try_from(keys.len()).unwrap_or(i64::MAX);
        Ok(Self::of(&ListQuery::all(), total, keys))
    }

    /// The page, with the rows of the keys.
    pub(crate) fn page<T>(&self, data: Vec<T>) -> Page<T> {
        let size = if self.size == 0 { self.total } else { self.size };
        Page {
            data,
            items_per_page: size,
            current_page: self.current,
            total_pages: if size == 0 {
                0
            } else {
                self.total.div_euclid(size) + i64::from(self.total % size != 0)
            },
            total_records: self.total,
            is_partial: self.is_partial,
        }
    }
}

/// Puts rows, found in any order, into the order of their keys; a key without a row is left out.
pub(crate) fn in_order<K: Copy + Eq + std::hash::Hash, T>(keys: &[K], rows: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut by_key: std::collections::HashMap<K, T> = rows.into_iter().map(|row| (key(&row), row)).collect();
    keys.iter().filter_map(|key| by_key.remove(key)).collect()
}

/// Counts the rows of `FROM … WHERE …`. The one place where totals come from.
pub(super) async fn count(snapshot: &mut Snapshot, from: &Sql) -> Result<i64, ReadError> {
    let rows = snapshot.fetch(&from.after("SELECT count(*)")).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.try_get(0))?)
}

/// Finds a page's keys. `from` is `FROM … WHERE …` with tenant and scope; `key` the expression of the key.
pub(crate) async fn keys<K: Column>(
    snapshot: &mut Snapshot,
    spec: &ListSpec,
    query: &ListQuery,
    mut from: Sql,
    key: &str,
) -> Result<Keys<K>, ReadError> {
    if let Some(walk) = snapshot.walk {
        if !walk.is_open() {
            let search = spec.narrow(snapshot, query, &mut from).await?;
            let rows = spec.ordered(query, &from, key, search.as_ref(), false)?;
            snapshot.open_walk(&rows).await?;
        }
        return Keys::walked(&snapshot.walk_on().await?);
    }
    let search = spec.filter(snapshot, query, &mut from).await?;
    if let (Some(search), Some(common), 1..) = (&search, spec.common(), query.records_per_page)
        && spec.is_newest_first(query, common)?
        && is_common(snapshot, common, search).await?
    {
        return newest_keys(snapshot, spec, common, search, query, &from, key).await;
    }
    spec.find(search.as_ref(), &mut from);
    if search.is_some() {
        let mut rows = spec.ordered(query, &from, key, search.as_ref(), true)?;
        if query.records_per_page > 0 {
            return searched_keys(snapshot, query, rows, &from).await;
        }
        let total = count(snapshot, &from).await?;
        page_of(&mut rows, query, total)?;
        return read_keys(snapshot, query, total, &rows).await;
    }
    let total = count(snapshot, &from).await?;
    sorted_keys(snapshot, spec, query, total, &from, key).await
}

/// The keys of a page, read from the end of the list that is nearer to it.
async fn sorted_keys<K: Column>(
    snapshot: &mut Snapshot,
    spec: &ListSpec,
    query: &ListQuery,
    total: i64,
    from: &Sql,
    key: &str,
) -> Result<Keys<K>, ReadError> {
    let mut rows = from.after(&format!("SELECT {key} AS key"));
    rows.push(" ORDER BY ");
    let (before, size) = (query.offset(), query.records_per_page.min(total - query.offset()));
    let behind = total - before - size;
    if size <= 0 || behind >= before {
        rows.push(&spec.order(query, false, Direction::AsAsked)?);
        page_of(&mut rows, query, total)?;
        return read_keys(snapshot, query, total, &rows).await;
    }
    rows.push(&spec.order(query, false, Direction::Turned)?);
    rows.push(" LIMIT ").bind(size);
    rows.push(" OFFSET ").bind(behind);
    let mut page = read_keys(snapshot, query, total, &rows).await?;
    page.keys.reverse();
    Ok(page)
}

/// The keys of a page of a search: what is found is looked for once, and counted on the way.
async fn searched_keys<K: Column>(
    snapshot: &mut Snapshot,
    query: &ListQuery,
    mut rows: Sql,
    from: &Sql,
) -> Result<Keys<K>, ReadError> {
    page_of(&mut rows, query, 0)?;
    let found = snapshot.fetch(&rows).await?;
    let total = match found.first() {
        Some(row) => row.try_get("total")?,
        None if query.current_page == 1 => 0,
        None => count(snapshot, from).await?,
    };
    keys_of(query, total, &found)
}

/// Finds a page's keys as [`keys`] does, the total and the place of the page by the tallies where they can tell. `scope`
/// is what of them the caller sees: a dimension and its value.
pub(crate) async fn counted_keys<K: Column>(
    snapshot: &mut Snapshot,
    spec: &ListSpec,
    counted: &TallySpec,
    scope: Option<(&'static str, String)>,
    query: &ListQuery,
    from: Sql,
    key: &str,
) -> Result<Keys<K>, ReadError> {
    if snapshot.walk.is_some() {
        return keys(snapshot, spec, query, from, key).await;
    }
    let mut narrowed = from.clone();
    let search = spec.narrow(snapshot, query, &mut narrowed).await?;
    let blocks = Blocks::count(snapshot, spec, counted, scope, query, &narrowed).await?;
    let Some(blocks) = blocks.filter(|_| search.is_none()) else {
        return keys(snapshot, spec, query, from, key).await;
    };
    let (order, total) = (spec.order(query, false, Direction::AsAsked)?, blocks.total());
    let by_blocks = match order.strip_prefix(counted.position) {
        Some(direction @ (" ASC" | " DESC")) if query.records_per_page > 0 => Some(direction == " DESC"),
        _ => None,
    };
    if let Some(is_descending) = by_blocks {
        let Some(span) = blocks.page(query.offset(), query.records_per_page, is_descending) else {
            return Ok(Keys::of(query, total, Vec::new()));
        };
        // Where many of the rows are wanted each is looked at as it comes, until the page is full.
        let (from, through) = (span.from, span.through.min(snapshot.position()));
        let is_dense = span.rows.saturating_mul(DENSE) > through - from;
        narrowed = if is_dense {
            narrowed.fenced()
        } else {
            narrowed.bounded(from, through)
        };
        tally::between(&mut narrowed, counted, span.from, span.through);
        let turned = span.turned(query.records_per_page);
        let (skip, size) = turned.unwrap_or((span.skip, query.records_per_page));
        let direction = if is_descending == turned.is_some() {
            "ASC"
        } else {
            "DESC"
        };
        let mut rows = narrowed.after(&format!("SELECT {key} AS key"));
        rows.push(&format!(" ORDER BY {} {direction}", counted.position));
        rows.push(" LIMIT ").bind(size);
        rows.push(" OFFSET ").bind(skip);
        let mut page = read_keys(snapshot, query, total, &rows).await?;
        if turned.is_some() {
            page.keys.reverse();
        }
        return Ok(page);
    }
    sorted_keys(snapshot, spec, query, total, &narrowed, key).await
}

async fn read_keys<K: Column>(
    snapshot: &mut Snapshot,
    query: &ListQuery,
    total: i64,
    rows: &Sql,
) -> Result<Keys<K>, ReadError> {
    let found = snapshot.fetch(rows).await?;
    keys_of(query, total, &found)
}

fn keys_of<K: Column>(query: &ListQuery, total: i64, found: &[PgRow]) -> Result<Keys<K>, ReadError> {
    let keys = found.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
    Ok(Keys::of(query, total, keys))
}

/// Limits ordered rows, of which there are `total`, to the page that is asked for.
///
/// # Errors
/// All are asked for, and they are too many for one answer.
pub(crate) fn page_of(rows: &mut Sql, query: &ListQuery, total: i64) -> Result<(), Refusal> {
    if query.records_per_page > 0 {
        rows.push(" LIMIT ").bind(query.records_per_page);
        rows.push(" OFFSET ").bind(query.offset());
    } else if total > MAX_ALL_RECORDS {
        return Err(Refusal::invalid_with(
            "RecordsPerPage",
            "too_many_records_export_them",
            [("max", MAX_ALL_RECORDS.to_string())],
        ));
    }
    Ok(())
}
