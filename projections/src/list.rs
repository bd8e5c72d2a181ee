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
    /// Expressions of sorts whose order an index has. What is missing stands where it does there: behind all others
    /// ascending, before them descending.
    pub(crate) indexed: &'static [&'static str],
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
    /// A function that finds ids by index, and what is one of them, or has a `?` where they belong; the first of `texts` is
    /// compared where none.
    pub(crate) function: Option<(&'static str, &'static str)>,
    /// Folded texts that tell how well a row matches.
    pub(crate) texts: &'static [&'static str],
    /// What becomes of a search that finds too much.
    pub(crate) common: Option<Common>,
}

/// How a list is searched for what very many rows have, such as a common name: not all of them are looked up to rank and
/// count them, but the newest, and the page says so.
#[derive(Debug)]
pub(crate) struct Common {
    /// What tells how common it is.
    pub(crate) samples: &'static [Sample],
    /// What the newest row has the most of: an index has its order.
    pub(crate) position: &'static str,
}

/// The newest rows of a table that is searched.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) table: &'static str,
    pub(crate) alias: &'static str,
    /// A condition that an index is for.
    pub(crate) only: &'static str,
    pub(crate) position: &'static str,
    pub(crate) text: &'static str,
}

/// So many of the newest rows of a table tell how common something is.
const SAMPLE: i64 = 1_000;
/// So many of them have what is common: one in fifty.
const COMMON: i64 = 20;
/// Where one row in so many is wanted, many are.
const DENSE: i64 = 8;

/// So many rows are looked through, the newest first, for what is common: some 5 µs each.
const LOOKED_THROUGH: i64 = 3_000;
/// So many of those that match are ranked and counted.
const RANKED: i64 = 300;

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
    is_partial: bool,
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
async fn count(snapshot: &mut Snapshot, from: &Sql) -> Result<i64, ReadError> {
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
    let mut rows = spec.ordered(query, &from, key, search.as_ref(), true)?;
    if search.is_some() && query.records_per_page > 0 {
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
    let found = snapshot.fetch(&rows).await?;
    let total = match found.first() {
        Some(row) => row.try_get("total")?,
        None if query.current_page == 1 => 0,
        None => count(snapshot, from).await?,
    };
    let keys = found.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
    Ok(Keys::of(query, total, keys))
}

/// Whether a search finds so much that not all of it is looked up.
async fn is_common(snapshot: &mut Snapshot, common: &Common, search: &Search) -> Result<bool, ReadError> {
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
        sql.bind(snapshot.tenant());
        sql.push(&format!(" AND {only} ORDER BY {position} DESC LIMIT "))
            .bind(SAMPLE);
        sql.push(") AS x WHERE x.text LIKE ALL (")
            .bind(search.words.clone())
            .push("))");
    }
    sql.push(" AS is_common");
    let rows = snapshot.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(false), |row| row.try_get("is_common"))?)
}

/// The keys of a page of a search for what is common: of the newest rows, the best first.
async fn newest_keys<K: Column>(
    snapshot: &mut Snapshot,
    spec: &ListSpec,
    common: &Common,
    search: &Search,
    query: &ListQuery,
    from: &Sql,
    key: &str,
) -> Result<Keys<K>, ReadError> {
    let texts = spec.search.as_ref().map_or(&[][..], |search| search.texts);
    let alias = common.position.split('.').next().unwrap_or_default();
    let place = common.position;
    let names: Vec<String> = (0..texts.len()).map(|number| format!("t.text_{number}")).collect();
    let found: Vec<String> = texts
        .iter()
        .zip(&names)
        .map(|(text, name)| format!("{text} AS {}", &name[2..]))
        .collect();
    let mut rows = from.after(&format!("FROM (SELECT {alias}.*"));
    rows.push(&format!(" ORDER BY {place} DESC LIMIT "))
        .bind(LOOKED_THROUGH);
    rows.push(&format!(
        ") AS {alias} CROSS JOIN LATERAL (SELECT {} OFFSET 0) AS t WHERE (FALSE",
        found.join(", ")
    ));
    for name in &names {
        rows.push(&format!(" OR {name} LIKE ALL ("))
            .bind(search.words.clone())
            .push(")");
    }
    rows.push(&format!(") ORDER BY {place} DESC LIMIT ")).bind(RANKED);
    let mut ranked = rows.after(&format!(
        "SELECT f.key, count(*) OVER () AS total FROM (SELECT {key} AS key, {place} AS place, {}",
        names.join(", ")
    ));
    ranked.push(") AS f ORDER BY ");
    let names: Vec<String> = names.iter().map(|name| name.replacen("t.", "f.", 1)).collect();
    if query.sort.is_none() {
        rank(names.iter().map(String::as_str), search, &mut ranked);
        ranked.push(", ");
    }
    ranked.push("f.place DESC LIMIT ").bind(query.records_per_page);
    ranked.push(" OFFSET ").bind(query.offset());
    let found = snapshot.fetch(&ranked).await?;
    let total = match found.first() {
        Some(row) => row.try_get("total")?,
        None if query.current_page == 1 => 0,
        None => {
            let mut all = rows.after("FROM (SELECT 1");
            all.push(") AS f");
            count(snapshot, &all).await?
        }
    };
    let keys = found.iter().map(|row| get(row, "key")).collect::<Result<_, _>>()?;
    // All of it may have been looked through.
    let mut further = from.after("FROM (SELECT 1");
    further.push(" LIMIT 1 OFFSET ").bind(LOOKED_THROUGH).push(") AS f");
    Ok(Keys {
        is_partial: total >= RANKED || count(snapshot, &further).await? > 0,
        ..Keys::of(query, total, keys)
    })
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
        let Some(span) = blocks.page(query.offset(), query.records_per_page, is_descending) else {
            return Ok(Keys::of(query, total, Vec::new()));
        };
        // Where many of the rows are wanted each is looked at as it comes, until the page is full.
        let (from, through) = (span.from, span.through.min(snapshot.position()));
        narrowed = if span.rows.saturating_mul(DENSE) > through - from {
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
    let found = snapshot.fetch(rows).await?;
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

impl ListSpec {
    /// The keys of all rows of a `FROM … WHERE …` with all conditions, in order. Those of a search also say how many they
    /// are in `total` where they are counted.
    fn ordered(
        &self,
        query: &ListQuery,
        from: &Sql,
        key: &str,
        search: Option<&Search>,
        is_counted: bool,
    ) -> Result<Sql, Refusal> {
        let order = self.order(query, search.is_some())?;
        let total = if is_counted && search.is_some() {
            ", count(*) OVER () AS total"
        } else {
            ""
        };
        let mut rows = from.after(&format!("SELECT {key} AS key{total}"));
        rows.push(" ORDER BY ");
        if let (Some(search), None, Some(spec)) = (search, &query.sort, &self.search) {
            rank(spec.texts.iter().copied(), search, &mut rows);
        }
        rows.push(&order);
        Ok(rows)
    }

    /// Adds the filters and the search to the conditions.
    pub(crate) async fn narrow(
        &self,
        snapshot: &mut Snapshot,
        query: &ListQuery,
        sql: &mut Sql,
    ) -> Result<Option<Search>, ReadError> {
        let search = self.filter(snapshot, query, sql).await?;
        self.find(search.as_ref(), sql);
        Ok(search)
    }

    /// Adds the filters to the conditions. Returns the search, which is not there yet.
    async fn filter(
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
        if self.search.is_none() {
            return Err(Refusal::invalid(parameter, "filter_unknown").into());
        }
        let search = Search::of(&text);
        if search.is_none() {
            sql.push(" AND FALSE");
        }
        Ok(search)
    }

    /// Adds the search to the conditions.
    fn find(&self, search: Option<&Search>, sql: &mut Sql) {
        let (Some(search), Some(spec)) = (search, &self.search) else {
            return;
        };
        match (spec.function, spec.texts.first()) {
            (Some((function, key)), _) => {
                let (before, after) = key.split_once('?').unwrap_or((key, ""));
                let (is_in, end) = if before.len() == key.len() {
                    (" IN (", ")")
                } else {
                    ("", "")
                };
                sql.push(&format!(" AND {before}{is_in}SELECT {function}("));
                sql.bind(search.first()).push(", ").bind(search.words.clone());
                sql.push(&format!("){end}{after}"));
            }
            (None, Some(column)) => {
                sql.push(&format!(" AND {column} LIKE ALL ("))
                    .bind(search.words.clone())
                    .push(")");
            }
            (None, None) => {}
        }
    }

    /// Whether the newest rows are wanted first, behind how well they match where no sort is named.
    fn is_newest_first(&self, query: &ListQuery, common: &Common) -> Result<bool, Refusal> {
        let order = self.order(query, false)?;
        Ok(order.strip_suffix(" DESC") == Some(common.position))
    }

    /// How it is searched for what is common.
    fn common(&self) -> Option<&Common> {
        self.search.as_ref().and_then(|search| search.common.as_ref())
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
            let missing = if self.indexed.contains(expression) {
                ""
            } else {
                " NULLS LAST"
            };
            format!("{rank}{expression} {direction}{missing}, {} {direction}", self.tie)
        })
    }
}

/// How well texts match, the best first: one of them is what is searched for, begins with it, or has it somewhere.
fn rank<'a>(texts: impl Iterator<Item = &'a str> + Clone, search: &Search, sql: &mut Sql) {
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
