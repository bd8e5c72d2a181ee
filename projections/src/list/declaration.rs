//! Declaration of a list.

use super::{
    column::{Column, Sort},
    common::Common,
    conditions::Conditions,
    filter::Filter,
    keys::{Keys, Request},
    order::Order,
};
use crate::{
    error::ReadError, page::ListQuery, print::Words, read_transaction::ReadTransaction, sql::Sql, table,
    tally::TallySpec,
};
use caudal_domain::Refusal;

/// A list, declared once: a column, a sort or a filter is one entry. `L` is one line of its file.
#[derive(Debug)]
pub struct List<L: 'static> {
    /// Title in files.
    pub title: Words,
    /// Columns in file order, with their sorts.
    pub(crate) columns: &'static [Column<L>],
    pub(crate) filters: &'static [Filter],
    /// Search of its rows; `None` for no search.
    pub(crate) search: Option<&'static SearchSpec>,
    /// Default sort.
    pub(crate) default_sort: &'static str,
    /// Tie-breaker, so that pages never overlap.
    pub(crate) tie: &'static str,
    /// Tallies that count it; `None` counts row by row.
    pub(crate) counted: Option<&'static TallySpec>,
    /// Hides sorts that reveal prices.
    pub(crate) hides_prices: bool,
}

/// Search of rows.
#[derive(Debug)]
pub struct SearchSpec {
    /// Query parameter.
    pub parameter: &'static str,
    /// Description in the OpenAPI document.
    pub about: &'static str,
    /// Function that finds ids by index, with the place of the ids; `None` compares the first of `texts`.
    pub(crate) function: Option<(&'static str, MatchedBy)>,
    /// Folded texts that determine the match quality.
    pub(crate) texts: &'static [&'static str],
    /// Limits for searches with too many matches.
    pub(crate) common: Option<Common>,
}

/// Place of the ids found by a search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MatchedBy {
    /// The expression is one of the ids.
    Ids(&'static str),
    /// Between two parts of a condition.
    Within(&'static str, &'static str),
}

impl SearchSpec {
    /// Search of a small table by text comparison.
    pub(crate) const fn of(texts: &'static [&'static str]) -> Self {
        Self {
            parameter: "query",
            about: "A text to search for.",
            function: None,
            texts,
            common: None,
        }
    }
}

/// Search of party lists `p`. The text begins with the name, so that it also sorts by name.
pub(crate) const BY_NAME: SearchSpec = SearchSpec::of(&["p.search"]);

/// Permitted parameters of a list.
#[derive(Debug)]
pub struct Declared {
    /// Sort values, ascending.
    pub sorts: Vec<&'static str>,
    pub search: Option<&'static SearchSpec>,
    pub filters: &'static [Filter],
}

impl<L> List<L> {
    /// Column headers in files.
    pub fn headers(&self) -> impl Iterator<Item = Words> {
        let printed = self.columns.iter().filter(|column| column.is_printed());
        printed.map(|column| column.header)
    }

    /// Permitted parameters.
    pub fn declared(&self) -> Declared {
        Declared {
            sorts: self.sorts().map(|(key, _)| key).collect(),
            search: self.search,
            filters: self.filters,
        }
    }

    fn sorts(&self) -> impl Iterator<Item = (&'static str, Sort)> {
        let sorts = self
            .columns
            .iter()
            .filter_map(|column| column.sort.map(|sort| (column.key, sort)));
        sorts.filter(|(_, sort)| !(self.hides_prices && sort.tells_prices))
    }

    /// Validates a request against the declaration. The next rows of a walk need no validation.
    ///
    /// # Errors
    /// Undeclared sorts and filters.
    pub(crate) async fn ask<'a>(
        &self,
        transaction: &mut ReadTransaction,
        query: &'a ListQuery,
    ) -> Result<Request<'a>, ReadError> {
        let conditions = if transaction.is_walking() {
            Conditions::default()
        } else {
            Conditions::of(transaction, query, self.filters, self.search).await?
        };
        let order = self.order(query)?;
        Ok(Request {
            query,
            conditions,
            order,
        })
    }

    fn order(&self, query: &ListQuery) -> Result<Order, Refusal> {
        let sort = query.sort.as_deref().unwrap_or(self.default_sort);
        let (name, is_descending) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
        let known = self.sorts().find(|(known, _)| *known == name);
        let (_, sort) = known.ok_or_else(|| {
            let allowed: Vec<&str> = self.sorts().map(|(name, _)| name).collect();
            Refusal::invalid_with("sort", "sort_unknown", [("allowed", allowed.join(", "))])
        })?;
        Ok(Order {
            sort,
            tie: self.tie,
            is_descending,
        })
    }

    /// Keys of the requested page. `from` is `FROM … WHERE …` with tenant and scope; `key` the key's expression.
    ///
    /// # Errors
    /// Undeclared sorts, filters and pages.
    pub(crate) async fn keys<K: table::Column>(
        &self,
        transaction: &mut ReadTransaction,
        query: &ListQuery,
        from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        self.ask(transaction, query).await?.keys(transaction, from, key).await
    }

    /// [`Self::keys`] with total and page offset from the tallies where possible. `scope` is the caller's part of the
    /// tallies: a dimension and its value.
    pub(crate) async fn counted_keys<K: table::Column>(
        &self,
        transaction: &mut ReadTransaction,
        scope: Option<(&'static str, String)>,
        query: &ListQuery,
        from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        let request = self.ask(transaction, query).await?;
        match self.counted {
            Some(counted) => request.counted_keys(transaction, counted, scope, from, key).await,
            None => request.keys(transaction, from, key).await,
        }
    }
}
