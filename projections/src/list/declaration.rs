//! The declaration of a list.

use super::{
    column::{Column, Sort},
    common::Common,
    conditions::Conditions,
    filter::Filter,
    keys::{Keys, Request},
    order::Order,
};
use crate::{error::ReadError, page::ListQuery, print::Words, snapshot::Snapshot, sql::Sql, table, tally::TallySpec};
use caudal_domain::Refusal;

/// A list, declared once: adding a column, a sort or a filter is a line here. `L` is what one line of its file shows.
#[derive(Debug)]
pub struct List<L: 'static> {
    /// What files call it.
    pub title: Words,
    /// Its columns, in the order of its file; what each is sorted by.
    pub(crate) columns: &'static [Column<L>],
    pub(crate) filters: &'static [Filter],
    /// How its rows are searched; absent where they are not.
    pub(crate) search: Option<&'static SearchSpec>,
    /// The sort where none is asked for.
    pub(crate) default_sort: &'static str,
    /// What breaks ties, so that pages never overlap.
    pub(crate) tie: &'static str,
    /// How it is counted; row by row where absent.
    pub(crate) counted: Option<&'static TallySpec>,
    /// Whether it is neither sorted by what tells of prices nor says that it could be.
    pub(crate) hides_prices: bool,
}

/// How rows are searched.
#[derive(Debug)]
pub struct SearchSpec {
    /// The parameter of the search text.
    pub parameter: &'static str,
    /// What the OpenAPI document says of it.
    pub about: &'static str,
    /// A function that finds ids by index, and where they belong; the first of `texts` is compared where absent.
    pub(crate) function: Option<(&'static str, Found)>,
    /// Folded texts that tell how well a row matches.
    pub(crate) texts: &'static [&'static str],
    /// What becomes of a search that finds too much.
    pub(crate) common: Option<Common>,
}

/// Where the ids that a search finds belong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// They are those of the expression.
    Ids(&'static str),
    /// Between two pieces of a condition.
    Within(&'static str, &'static str),
}

impl SearchSpec {
    /// A search of a few rows, whose texts are compared.
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

/// How lists of parties `p` are searched. The text begins with the name, so that it sorts by name, too.
pub(crate) const BY_NAME: SearchSpec = SearchSpec::of(&["p.search"]);

/// What a list may be asked.
#[derive(Debug)]
pub struct Declared {
    /// The sort values, ascending.
    pub sorts: Vec<&'static str>,
    pub search: Option<&'static SearchSpec>,
    pub filters: &'static [Filter],
}

impl<L> List<L> {
    /// The headers of its columns in files.
    pub fn headers(&self) -> impl Iterator<Item = Words> {
        let printed = self.columns.iter().filter(|column| column.is_printed());
        printed.map(|column| column.header)
    }

    /// What it may be asked.
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

    /// Checks what is asked against the declaration. The next rows of a walk ask for nothing new.
    ///
    /// # Errors
    /// Sorts and filters that the list does not have.
    pub(crate) async fn ask<'a>(
        &self,
        snapshot: &mut Snapshot,
        query: &'a ListQuery,
    ) -> Result<Request<'a>, ReadError> {
        let conditions = if snapshot.is_walking() {
            Conditions::default()
        } else {
            Conditions::of(snapshot, query, self.filters, self.search).await?
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

    /// The keys of the page that is asked for. `from` is `FROM … WHERE …` with tenant and scope; `key` the expression of
    /// the key.
    ///
    /// # Errors
    /// Sorts, filters and pages that the list does not have.
    pub(crate) async fn keys<K: table::Column>(
        &self,
        snapshot: &mut Snapshot,
        query: &ListQuery,
        from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        self.ask(snapshot, query).await?.keys(snapshot, from, key).await
    }

    /// As [`Self::keys`], the total and the place of the page by the tallies where they can tell. `scope` is what of them
    /// the caller sees: a dimension and its value.
    pub(crate) async fn counted_keys<K: table::Column>(
        &self,
        snapshot: &mut Snapshot,
        scope: Option<(&'static str, String)>,
        query: &ListQuery,
        from: Sql,
        key: &str,
    ) -> Result<Keys<K>, ReadError> {
        let request = self.ask(snapshot, query).await?;
        match self.counted {
            Some(counted) => request.counted_keys(snapshot, counted, scope, from, key).await,
            None => request.keys(snapshot, from, key).await,
        }
    }
}
