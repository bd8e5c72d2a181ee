//! Filters and search of a request, validated and typed once.

use super::{
    declaration::{MatchedBy, SearchSpec},
    filter::{Condition, Filter},
};
use crate::{
    error::ReadError,
    page::{ListQuery, search_text},
    read_transaction::ReadTransaction,
    search::Search,
    sql::Sql,
    tally::{Interval, Narrowed, Narrows},
};
use caudal_domain::Refusal;

/// Filters and search of a request.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    filters: Vec<Condition>,
    search: Option<(Search, &'static SearchSpec)>,
    /// Tally dimensions of the filters with their values; `None` when a filter has no dimension.
    counted: Option<Vec<(Narrows, String)>>,
}

impl Conditions {
    /// Validates a request.
    ///
    /// # Errors
    /// Undeclared filters and invalid values.
    pub(crate) async fn of(
        transaction: &mut ReadTransaction,
        query: &ListQuery,
        filters: &'static [Filter],
        spec: Option<&'static SearchSpec>,
    ) -> Result<Self, ReadError> {
        let mut conditions = Self {
            counted: Some(Vec::new()),
            ..Self::default()
        };
        let mut text = query.query.clone().map(|text| ("query", text));
        for (name, value) in &query.filters {
            if let Some(search) = spec.filter(|search| search.parameter.eq_ignore_ascii_case(name)) {
                text = search_text(search.parameter, value)?.map(|text| (search.parameter, text));
                continue;
            }
            let known = filters.iter().find(|known| known.name.eq_ignore_ascii_case(name));
            let filter = known.ok_or_else(|| Refusal::invalid(name.clone(), "filter_unknown"))?;
            conditions.filters.extend(filter.condition(value, transaction).await?);
            match (&mut conditions.counted, filter.counted) {
                (Some(counted), Some(narrows)) => counted.push((narrows, value.clone())),
                _ => conditions.counted = None,
            }
        }
        let Some((parameter, text)) = text else {
            return Ok(conditions);
        };
        conditions.counted = None;
        let spec = spec.ok_or_else(|| Refusal::invalid(parameter, "filter_unknown"))?;
        match Search::of(&text) {
            Some(search) => conditions.search = Some((search, spec)),
            None => conditions.filters.push(Condition::Holds("FALSE")),
        }
        Ok(conditions)
    }

    pub(super) fn search(&self) -> Option<(&Search, &'static SearchSpec)> {
        self.search.as_ref().map(|(search, spec)| (search, *spec))
    }

    /// Adds filters and search to `FROM … WHERE …`.
    pub(crate) fn add(&self, sql: &mut Sql) {
        self.add_filters(sql);
        self.add_search(sql);
    }

    pub(super) fn add_filters(&self, sql: &mut Sql) {
        for filter in &self.filters {
            filter.add(sql);
        }
    }

    pub(super) fn add_search(&self, sql: &mut Sql) {
        let Some((search, spec)) = self.search() else {
            return;
        };
        match (spec.function, spec.texts.first()) {
            (Some((function, found)), _) => {
                let (before, after) = match found {
                    MatchedBy::Ids(expression) => (format!("{expression} IN ("), ")"),
                    MatchedBy::Within(before, after) => (before.to_owned(), after),
                };
                sql.push(&format!(" AND {before}SELECT {function}("));
                sql.bind(search.first()).push(", ").bind(search.words.clone());
                sql.push(")").push(after);
            }
            (None, Some(column)) => {
                sql.push(&format!(" AND {column} LIKE ALL ("))
                    .bind(search.words.clone())
                    .push(")");
            }
            (None, None) => {}
        }
    }
}

impl Narrowed for Conditions {
    fn counted(&self) -> Option<&[(Narrows, String)]> {
        self.counted.as_deref()
    }

    fn moments(&self, time: &str) -> Vec<Interval> {
        let moment = |condition: &Condition| match condition {
            Condition::From(of, from) if *of == time => Some((Some(*from), None)),
            Condition::Before(of, end) if *of == time => Some((None, Some(*end))),
            _ => None,
        };
        self.filters.iter().filter_map(moment).collect()
    }
}
