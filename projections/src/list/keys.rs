//! A page of a list: keys of its rows in order, and its offset among all rows.

use super::{
    Conditions,
    common::{is_common, newest_keys, rank},
    order::Order,
};
use crate::{
    error::ReadError,
    page::{ListQuery, MAX_ALL_RECORDS, Page},
    read_transaction::ReadTransaction,
    sql::Sql,
    table::{Column, get},
    tally::{self, Blocks, TallySpec},
};
use caudal_domain::Refusal;
use sqlx::{Row as _, postgres::PgRow};

/// Selectivity (one in this many rows) above which the query scans by position instead of using the filter's index.
const DENSE: i64 = 8;

/// Keys of a page's rows in order, with the page's offset.
#[derive(Debug)]
pub(crate) struct Keys<K> {
    pub(crate) keys: Vec<K>,
    total: i64,
    size: i64,
    current: i64,
    pub(super) is_partial: bool,
}

impl<K> Keys<K> {
    /// Keys of the requested page of `total` rows.
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

    /// Keys of the next rows of a walk.
    fn walked(rows: &[PgRow]) -> Result<Self, ReadError>
    where
        K: Column,
    {
        let keys: Vec<K> = rows.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
        let total = i64::try_from(keys.len()).unwrap_or(i64::MAX);
        Ok(Self::of(&ListQuery::all(), total, keys))
    }

    /// The page with the rows of the keys.
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

/// Reorders rows by their keys; keys without a row are omitted.
pub(crate) fn in_order<K: Copy + Eq + std::hash::Hash, T>(keys: &[K], rows: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut by_key: std::collections::HashMap<K, T> = rows.into_iter().map(|row| (key(&row), row)).collect();
    keys.iter().filter_map(|key| by_key.remove(key)).collect()
}

/// Counts the rows of `FROM … WHERE …`. The single source of exact totals.
pub(super) async fn count(transaction: &mut ReadTransaction, from: &Sql) -> Result<i64, ReadError> {
    let rows = transaction.fetch(&from.after("SELECT count(*)")).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.try_get(0))?)
}

/// A validated list request.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(super) query: &'a ListQuery,
    pub(crate) conditions: Conditions,
    pub(super) order: Order,
}

impl Request<'_> {
    /// Keys of the page. `from` is `FROM … WHERE …` with tenant and scope; `key` the key's expression.
    pub(crate) async fn keys<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        mut from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        if transaction.walk.is_some() {
            return self.walked(transaction, from, key).await;
        }
        self.conditions.add_filters(&mut from);
        self.filtered_keys(transaction, from, key).await
    }

    /// Keys of the page, with total and offset from the tallies where possible. `scope` is the caller's part of the
    /// tallies: a dimension and its value.
    pub(super) async fn counted_keys<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        counted: &TallySpec,
        scope: Option<(&'static str, String)>,
        mut from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        if transaction.walk.is_some() {
            return self.walked(transaction, from, key).await;
        }
        self.conditions.add_filters(&mut from);
        let Some(blocks) = Blocks::count(transaction, &self.conditions, counted, scope, &from).await? else {
            return self.filtered_keys(transaction, from, key).await;
        };
        let (query, total) = (self.query, blocks.total());
        if !self.order.is_by(counted.position) || query.records_per_page == 0 {
            return self.sorted_keys(transaction, total, &from, key).await;
        }
        let is_descending = self.order.is_descending;
        let Some(span) = blocks.page(query.offset(), query.records_per_page, is_descending) else {
            return Ok(Keys::of(query, total, Vec::new()));
        };
        // With high selectivity rows are filtered while scanning until the page is full.
        let (first, through) = (span.from, span.through.min(transaction.position()));
        let is_dense = span.rows.saturating_mul(DENSE) > through - first;
        if is_dense {
            from.fence_lines();
        } else {
            from.bound_lines(first, through);
        }
        tally::between(&mut from, counted, span.from, span.through);
        let turned = span.turned(query.records_per_page);
        let (skip, size) = turned.unwrap_or((span.skip, query.records_per_page));
        let direction = if is_descending == turned.is_some() {
            "ASC"
        } else {
            "DESC"
        };
        let mut rows = from.after(&format!("SELECT {key} AS key"));
        rows.push(&format!(" ORDER BY {} {direction}", counted.position));
        rows.push(" LIMIT ").bind(size);
        rows.push(" OFFSET ").bind(skip);
        let mut page = self.read_keys(transaction, total, &rows).await?;
        if turned.is_some() {
            page.keys.reverse();
        }
        Ok(page)
    }

    /// Keys of the next rows of a walk, starting at the first.
    async fn walked<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        mut from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        if !transaction.is_walking() {
            self.conditions.add(&mut from);
            let rows = self.ordered(&from, key, false);
            transaction.open_walk(&rows).await?;
        }
        Keys::walked(&transaction.walk_on().await?)
    }

    /// Keys of the page. `from` contains the filters, not the search.
    async fn filtered_keys<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        mut from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        let Some((search, spec)) = self.conditions.search() else {
            let total = count(transaction, &from).await?;
            return self.sorted_keys(transaction, total, &from, key).await;
        };
        if let (Some(common), 1..) = (&spec.common, self.query.records_per_page)
            && self.order.is_by(common.position)
            && self.order.is_descending
            && is_common(transaction, common, search).await?
        {
            return newest_keys(transaction, (spec, common), search, self.query, &from, key).await;
        }
        self.conditions.add_search(&mut from);
        let mut rows = self.ordered(&from, key, true);
        if self.query.records_per_page > 0 {
            return self.searched_keys(transaction, rows, &from).await;
        }
        let total = count(transaction, &from).await?;
        page_of(&mut rows, self.query, total)?;
        self.read_keys(transaction, total, &rows).await
    }

    /// Keys of all rows of a complete `FROM … WHERE …`, ordered; a search also returns the count in `total` when
    /// counted.
    fn ordered(&self, from: &Sql, key: &str, is_counted: bool) -> Sql {
        let search = self.conditions.search();
        let total = if is_counted && search.is_some() {
            ", count(*) OVER () AS total"
        } else {
            ""
        };
        let mut rows = from.after(&format!("SELECT {key} AS key{total}"));
        rows.push(" ORDER BY ");
        if let (Some((search, spec)), None) = (search, &self.query.sort) {
            rank(spec.texts.iter().copied(), search, &mut rows);
            rows.push(", ");
        }
        rows.push(&self.order.sql(false));
        rows
    }

    /// Keys of a page, read from the nearer end of the list.
    async fn sorted_keys<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        total: i64,
        from: &Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        self.order.require_bound(total)?;
        let query = self.query;
        let mut rows = from.after(&format!("SELECT {key} AS key"));
        rows.push(" ORDER BY ");
        let (before, size) = (query.offset(), query.records_per_page.min(total - query.offset()));
        let behind = total - before - size;
        if size <= 0 || behind >= before {
            rows.push(&self.order.sql(false));
            page_of(&mut rows, query, total)?;
            return self.read_keys(transaction, total, &rows).await;
        }
        rows.push(&self.order.sql(true));
        rows.push(" LIMIT ").bind(size);
        rows.push(" OFFSET ").bind(behind);
        let mut page = self.read_keys(transaction, total, &rows).await?;
        page.keys.reverse();
        Ok(page)
    }

    /// Keys of a page of a search: one scan finds and counts.
    async fn searched_keys<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        mut rows: Sql,
        from: &Sql,
    ) -> Result<Keys<K>, ReadError> {
        page_of(&mut rows, self.query, 0)?;
        let found = transaction.fetch(&rows).await?;
        let total = match found.first() {
            Some(row) => row.try_get("total")?,
            None if self.query.current_page == 1 => 0,
            None => count(transaction, from).await?,
        };
        keys_of(self.query, total, &found)
    }

    async fn read_keys<K: Column>(
        &self,
        transaction: &mut ReadTransaction,
        total: i64,
        rows: &Sql,
    ) -> Result<Keys<K>, ReadError> {
        let found = transaction.fetch(rows).await?;
        keys_of(self.query, total, &found)
    }
}

fn keys_of<K: Column>(query: &ListQuery, total: i64, found: &[PgRow]) -> Result<Keys<K>, ReadError> {
    let keys = found.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
    Ok(Keys::of(query, total, keys))
}

/// Limits `total` ordered rows to the requested page.
///
/// # Errors
/// All rows are requested and exceed the limit of one answer.
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
