//! Lists: one mechanism for sorting, filtering, searching, counting and paging. A list says what it allows as data.

mod common;
mod keys;

pub(crate) use common::{Common, Sample};
pub(crate) use keys::{Keys, counted_keys, in_order, keys, page_of};

use crate::{
    error::ReadError,
    page::{ListQuery, require_length},
    search::Search,
    snapshot::Snapshot,
    sql::{Sql, Value},
};
use caudal_domain::{
    Refusal,
    closure::{end_of_day, start_of_day},
};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use uuid::Uuid;

/// From which end rows are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    AsAsked,
    /// From the other end.
    Turned,
}

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
        let order = self.order(query, search.is_some(), Direction::AsAsked)?;
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
        let order = self.order(query, false, Direction::AsAsked)?;
        Ok(order.strip_suffix(" DESC") == Some(common.position))
    }

    /// How it is searched for what is common.
    fn common(&self) -> Option<&Common> {
        self.search.as_ref().and_then(|search| search.common.as_ref())
    }

    /// What to order by, behind how well a row matches.
    fn order(&self, query: &ListQuery, searching: bool, direction: Direction) -> Result<String, Refusal> {
        let sort = query.sort.as_deref().unwrap_or(self.default_sort);
        let (name, is_descending) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
        let is_turned = direction == Direction::Turned;
        let direction = if is_descending == is_turned { "ASC" } else { "DESC" };
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
            } else if is_turned {
                " NULLS FIRST"
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
