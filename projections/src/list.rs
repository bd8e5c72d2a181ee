//! Lists: one mechanism for sorting, filtering, searching, counting and paging. A list says what it allows as data.

use crate::{
    error::ReadError,
    page::{ListQuery, MAX_ALL_RECORDS, Page, require_length},
    search::Search,
    snapshot::Snapshot,
    sql::{Sql, Value},
    table::{Column, get},
    tally::{self, Blocks, TallySpec},
};
use caudal_domain::{
    Refusal,
    closure::{end_of_day, start_of_day},
};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

/// What a list allows.
#[derive(Debug)]
pub(crate) struct ListSpec {
    /// Sorts: the name and the expression.
    pub(crate) sorts: &'static [(&'static str, &'static str)],
    /// The sort where none is asked for.
    pub(crate) default_sort: &'static str,
    /// What breaks ties, so that pages never overlap.
    pub(crate) tie: &'static str,
    /// Filters: the name and what it does.
    pub(crate) filters: &'static [(&'static str, Filter)],
    /// How its rows are searched; not at all where none.
    pub(crate) search: Option<SearchSpec>,
}

/// How rows are searched.
#[derive(Debug)]
pub(crate) struct SearchSpec {
    /// The parameter of the search text.
    pub(crate) parameter: &'static str,
    /// A function that finds ids by index; the first of `texts` is compared where none.
    pub(crate) function: Option<(&'static str, &'static str)>,
    /// Folded texts that tell how well a row matches.
    pub(crate) texts: &'static [&'static str],
}

/// What a filter does with its value. Expressions are compared with the value, or hold a `?` where it belongs.
#[derive(Debug)]
pub(crate) enum Filter {
    /// An id that the expression equals.
    Id(&'static str),
    /// An id that one of the expressions equals.
    AnyId(&'static [&'static str]),
    /// One of these values, each with its condition.
    OneOf(&'static [(&'static str, &'static str)]),
    /// The code of a currency of the nomenclator, which the expression equals.
    Currency(&'static str),
    /// A text that the expression equals.
    Exactly(&'static str),
    /// A local day at whose beginning the expression's time begins.
    FromDay(&'static str),
    /// A local day at whose end the expression's time ends.
    ThroughDay(&'static str),
}

/// A local day written `YYYYMMDD`.
///
/// # Errors
/// Names the field.
pub(crate) fn day(field: &str, text: &str) -> Result<NaiveDate, Refusal> {
    let invalid = || Refusal::invalid(field.to_owned(), "date_invalid");
    if text.len() != 8 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(invalid());
    }
    NaiveDate::parse_from_str(text, "%Y%m%d").map_err(|_| invalid())
}

/// The instant at which a local day begins.
pub(crate) fn beginning(field: &str, text: &str, zone: Tz) -> Result<DateTime<Utc>, Refusal> {
    start_of_day(day(field, text)?, zone).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}

/// The instant at which a local day has ended.
pub(crate) fn end(field: &str, text: &str, zone: Tz) -> Result<DateTime<Utc>, Refusal> {
    end_of_day(day(field, text)?, zone).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}

/// The keys of a page's rows, in order, and where the page stands.
#[derive(Debug)]
pub(crate) struct Keys<K> {
    pub(crate) keys: Vec<K>,
    total: i64,
    size: i64,
    current: i64,
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
        }
    }
}

/// Puts rows, found in any order, into the order of their keys; a key without a row is left out.
pub(crate) fn in_order<K: Copy + Eq + std::hash::Hash, T>(keys: &[K], rows: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut by_key: std::collections::HashMap<K, T> = rows.into_iter().map(|row| (key(&row), row)).collect();
    keys.iter().filter_map(|key| by_key.remove(key)).collect()
}

/// Counts the rows of `FROM … WHERE …`. The one place where totals come from.
async fn count(snapshot: &mut Snapshot, from: &Sql) -> Result<i64, ReadError> {
    let rows = from.after("SELECT count(*)").fetch_all(snapshot.connection()).await?;
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
            let (rows, _) = spec.ordered(snapshot, query, &mut from, key, false).await?;
            snapshot.open_walk(&rows).await?;
        }
        return Keys::walked(&snapshot.walk_on().await?);
    }
    let (mut rows, is_search) = spec.ordered(snapshot, query, &mut from, key, true).await?;
    if is_search && query.records_per_page > 0 {
        return searched_keys(snapshot, query, rows, &from).await;
    }
    let total = count(snapshot, &from).await?;
    page_of(&mut rows, query, total)?;
    read_keys(snapshot, query, total, &rows).await
}

/// The keys of a page of a search: what is found is looked for once, and counted on the way.
async fn searched_keys<K: Column>(
    snapshot: &mut Snapshot,
    query: &ListQuery,
    mut rows: Sql,
    from: &Sql,
) -> Result<Keys<K>, ReadError> {
    page_of(&mut rows, query, 0)?;
    let found = rows.fetch_all(snapshot.connection()).await?;
    let total = match found.first() {
        Some(row) => row.try_get("total")?,
        None if query.current_page == 1 => 0,
        None => count(snapshot, from).await?,
    };
    let keys = found.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
    Ok(Keys::of(query, total, keys))
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
    let (order, total) = (spec.order(query, false)?, blocks.total());
    let by_blocks = match order.strip_prefix(counted.position) {
        Some(direction @ (" ASC" | " DESC")) if query.records_per_page > 0 => Some(direction == " DESC"),
        _ => None,
    };
    if let Some(is_descending) = by_blocks {
        let offset = (query.current_page - 1).saturating_mul(query.records_per_page);
        let Some(span) = blocks.page(offset, query.records_per_page, is_descending) else {
            return Ok(Keys::of(query, total, Vec::new()));
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
    let mut rows = narrowed.after(&format!("SELECT {key} AS key"));
    rows.push(" ORDER BY ").push(&order);
    page_of(&mut rows, query, total)?;
    read_keys(snapshot, query, total, &rows).await
}

async fn read_keys<K: Column>(
    snapshot: &mut Snapshot,
    query: &ListQuery,
    total: i64,
    rows: &Sql,
) -> Result<Keys<K>, ReadError> {
    let found = rows.fetch_all(snapshot.connection()).await?;
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
        rows.push(" OFFSET ")
            .bind((query.current_page - 1).saturating_mul(query.records_per_page));
    } else if total > MAX_ALL_RECORDS {
        return Err(Refusal::invalid_with(
            "RecordsPerPage",
            "too_many_records_export_them",
            [("max", MAX_ALL_RECORDS.to_string())],
        ));
    }
    Ok(())
}

impl ListSpec {
    /// The keys of all rows, in order, of a `FROM … WHERE …`, to which the filters and the search are added; and whether
    /// there is a search, whose rows also say how many they are in `total` where they are counted.
    async fn ordered(
        &self,
        snapshot: &mut Snapshot,
        query: &ListQuery,
        from: &mut Sql,
        key: &str,
        is_counted: bool,
    ) -> Result<(Sql, bool), ReadError> {
        let search = self.narrow(snapshot, query, from).await?;
        let order = self.order(query, search.is_some())?;
        let total = if is_counted && search.is_some() {
            ", count(*) OVER () AS total"
        } else {
            ""
        };
        let mut rows = from.after(&format!("SELECT {key} AS key{total}"));
        rows.push(" ORDER BY ");
        if let (Some(search), None, Some(spec)) = (&search, &query.sort, &self.search) {
            spec.rank(search, &mut rows);
        }
        rows.push(&order);
        Ok((rows, search.is_some()))
    }

    /// Adds the filters and the search to the conditions.
    pub(crate) async fn narrow(
        &self,
        snapshot: &mut Snapshot,
        query: &ListQuery,
        sql: &mut Sql,
    ) -> Result<Option<Search>, ReadError> {
        let mut text = query.query.clone().map(|text| ("query", text));
        for (name, value) in &query.filters {
            if let Some(search) = self
                .search
                .as_ref()
                .filter(|search| search.parameter.eq_ignore_ascii_case(name))
            {
                text = crate::page::search_text(search.parameter, value)?.map(|text| (search.parameter, text));
                continue;
            }
            let known = self.filters.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            let (name, filter) = known.ok_or_else(|| Refusal::invalid(name.clone(), "filter_unknown"))?;
            filter.narrow(name, value, snapshot, sql).await?;
        }
        let Some((parameter, text)) = text else { return Ok(None) };
        let Some(spec) = &self.search else {
            return Err(Refusal::invalid(parameter, "filter_unknown").into());
        };
        let Some(search) = Search::of(&text) else {
            sql.push(" AND FALSE");
            return Ok(None);
        };
        let first = search.words.first().cloned().unwrap_or_default();
        match (spec.function, spec.texts.first()) {
            (Some((function, key)), _) => {
                sql.push(&format!(" AND {key} IN (SELECT {function}("));
                sql.bind(first).push(", ").bind(search.words.clone()).push("))");
            }
            (None, Some(column)) => {
                sql.push(&format!(" AND {column} LIKE ALL ("))
                    .bind(search.words.clone())
                    .push(")");
            }
            (None, None) => {}
        }
        Ok(Some(search))
    }

    /// What to order by, behind how well a row matches.
    fn order(&self, query: &ListQuery, searching: bool) -> Result<String, Refusal> {
        let sort = query.sort.as_deref().unwrap_or(self.default_sort);
        let (name, direction) = sort.strip_prefix('-').map_or((sort, "ASC"), |name| (name, "DESC"));
        let known = self.sorts.iter().find(|(known, _)| *known == name);
        let (_, expression) = known.ok_or_else(|| {
            let allowed: Vec<&str> = self.sorts.iter().map(|(name, _)| *name).collect();
            Refusal::invalid_with("sort", "sort_unknown", [("allowed", allowed.join(", "))])
        })?;
        let rank = if searching && query.sort.is_none() { ", " } else { "" };
        Ok(if *expression == self.tie {
            format!("{rank}{expression} {direction}")
        } else {
            format!("{rank}{expression} {direction} NULLS LAST, {} {direction}", self.tie)
        })
    }
}

impl SearchSpec {
    fn rank(&self, search: &Search, sql: &mut Sql) {
        sql.push("CASE");
        for (pattern, rank) in [(&search.exact, 0), (&search.prefix, 1)] {
            sql.push(" WHEN FALSE");
            for text in self.texts {
                sql.push(&format!(" OR {text} LIKE ")).bind(pattern.clone());
            }
            sql.push(&format!(" THEN {rank}"));
        }
        sql.push(" ELSE 2 END");
    }
}

/// Adds `AND expression = value`, or the expression with the value in its place.
fn compare(sql: &mut Sql, expression: &str, value: impl Into<Value>) {
    let (before, after) = expression.split_once('?').unwrap_or((expression, ""));
    let equals = if before.len() == expression.len() { " = " } else { "" };
    sql.push(&format!(" AND {before}{equals}")).bind(value).push(after);
}

impl Filter {
    async fn narrow(
        &self,
        name: &'static str,
        value: &str,
        snapshot: &mut Snapshot,
        sql: &mut Sql,
    ) -> Result<(), ReadError> {
        match self {
            Self::Id(expression) => {
                let id = Uuid::parse_str(value).map_err(|_| Refusal::invalid(name, "id_invalid"))?;
                compare(sql, expression, id);
            }
            Self::AnyId(expressions) => {
                let id = Uuid::parse_str(value).map_err(|_| Refusal::invalid(name, "id_invalid"))?;
                sql.push(" AND ")
                    .bind(id)
                    .push(&format!(" IN ({})", expressions.join(", ")));
            }
            Self::OneOf(values) => {
                let known = values.iter().find(|(known, _)| *known == value);
                let (_, condition) = known.ok_or_else(|| {
                    let allowed: Vec<&str> = values.iter().map(|(value, _)| *value).collect();
                    Refusal::invalid_with(name, "value_unknown", [("allowed", allowed.join(", "))])
                })?;
                sql.push(&format!(" AND ({condition})"));
            }
            Self::Currency(expression) => {
                if !snapshot.has_currency(value).await? {
                    return Err(Refusal::invalid(name, "currency_unknown").into());
                }
                compare(sql, expression, value);
            }
            Self::Exactly(expression) => {
                require_length(name, value)?;
                compare(sql, expression, value);
            }
            Self::FromDay(expression) => {
                let from = beginning(name, value, snapshot.zone())?;
                sql.push(&format!(" AND {expression} >= ")).bind(from);
            }
            Self::ThroughDay(expression) => {
                let end = end(name, value, snapshot.zone())?;
                sql.push(&format!(" AND {expression} < ")).bind(end);
            }
        }
        Ok(())
    }
}
