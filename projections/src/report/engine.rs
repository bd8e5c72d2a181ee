//! From a report's definition to its rows: one statement for the rows, one for the totals, the same conditions in
//! both.

use super::{
    definition::{Column, Kind, Report},
    row::Row,
};
use crate::{
    error::ReadError,
    list::{Keys, page_of},
    page::{ListQuery, Page},
    remittance::COUNTED,
    scope::Scope,
    snapshot::Snapshot,
    sql::Sql,
    tally::positions,
};
use caudal_domain::Refusal;
use serde::Serialize;
use sqlx::postgres::PgRow;

/// How many rows a line of totals adds up.
const RECORDS: Column = Column::new("records", "Filas", "Rows", Kind::Count, "count(*)");
/// Letters as they sort: without case and accents, whatever the database's collation.
const FOLDED: &str = "lower(translate(x.{}, 'ÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÑÇáàâäéèêëíìîïóòôöúùûüñç', 'AAAAEEEEIIIIOOOOUUUUNCaaaaeeeeiiiioooouuuunc'))";

/// One page of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportPage {
    /// The page.
    #[serde(flatten)]
    pub page: Page<Row>,
    /// One line a currency, over all rows and not only the page's.
    pub totals: Vec<Row>,
}

impl Report {
    /// One page and the totals of all rows, of those in the caller's scope that the filters leave.
    ///
    /// # Errors
    /// Sorts, filters and pages that the report does not have.
    pub async fn page(
        &'static self,
        snapshot: &mut Snapshot,
        scope: &Scope,
        query: &ListQuery,
    ) -> Result<ReportPage, ReadError> {
        let rows = self.rows(snapshot, scope, query).await?;
        let order = self.order(query)?;
        let totals = self.totals(snapshot, &rows).await?;
        let total = totals.iter().map(|(_, records)| records).sum();
        let mut select = rows.after(&self.select());
        select.push(&order);
        page_of(&mut select, query, total)?;
        let found = snapshot.fetch(&select).await?;
        let data = self.read(&found, scope)?;
        let keys = Keys::of(query, total, Vec::<i64>::new());
        Ok(ReportPage {
            page: keys.page(data),
            totals: totals.into_iter().map(|(line, _)| line).collect(),
        })
    }

    /// All rows in order, as one SELECT.
    pub(super) async fn all(
        &'static self,
        snapshot: &mut Snapshot,
        scope: &Scope,
        query: &ListQuery,
    ) -> Result<Sql, ReadError> {
        let rows = self.rows(snapshot, scope, query).await?;
        let mut select = rows.after(&self.select());
        select.push(&self.order(query)?);
        Ok(select)
    }

    /// Reads rows of [`Self::all`].
    pub(super) fn read(&'static self, found: &[PgRow], scope: &Scope) -> Result<Vec<Row>, ReadError> {
        let rows = found
            .iter()
            .map(|row| Row::read(row, self.columns, scope.role.holds_cash()));
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// `FROM (SELECT …) AS x`: the report's rows in no order. The tenant comes first, then whom they are for.
    async fn rows(&self, snapshot: &mut Snapshot, scope: &Scope, query: &ListQuery) -> Result<Sql, ReadError> {
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| format!("{} AS \"{}\"", column.sql, column.key))
            .collect();
        let mut rows = snapshot.joined(self.tables, self.alias);
        (self.scope)(&mut rows, scope);
        rows.push(&format!(" AND ({})", self.only));
        if let Some(unless) = self.unless_given(query) {
            rows.push(&format!(" AND ({})", unless.condition));
        }
        self.list.narrow(snapshot, query, &mut rows).await?;
        // Positions say the same as the days that remittances were sold on, and the rows are in their order.
        let (first, last) = positions(snapshot, &self.list, &COUNTED, query).await?;
        if first > i64::MIN {
            rows.push(" AND r.position >= ").bind(first);
        }
        if last < i64::MAX {
            rows.push(" AND r.position <= ").bind(last);
        }
        if let Some(group) = self.group {
            rows.push(&format!(" GROUP BY {group}"));
        }
        let mut rows = rows.after(&format!("FROM (SELECT {}", columns.join(", ")));
        rows.push(") AS x");
        Ok(rows)
    }

    /// The condition that holds since its filter is not given.
    pub(super) fn unless_given(&self, query: &ListQuery) -> Option<&super::definition::Unless> {
        self.unless.as_ref().filter(|unless| query.get(unless.filter).is_none())
    }

    fn select(&self) -> String {
        let columns = self.columns.iter();
        let columns: Vec<String> = columns
            .map(|column| format!("x.\"{0}\"{1} AS \"{0}\"", column.key, column.kind.cast()))
            .collect();
        format!("SELECT {}", columns.join(", "))
    }

    /// The totals by currency, each with how many rows it adds up.
    async fn totals(&'static self, snapshot: &mut Snapshot, rows: &Sql) -> Result<Vec<(Row, i64)>, ReadError> {
        let currency = self.columns.iter().find(|column| column.kind == Kind::Currency);
        let added: Vec<&Column> = self.columns.iter().filter(|column| column.is_total).collect();
        let mut select: Vec<String> = currency
            .iter()
            .map(|column| format!("x.\"{0}\"::text AS \"{0}\"", column.key))
            .collect();
        select.push(format!("count(*) AS \"{}\"", RECORDS.key));
        select.extend(
            added
                .iter()
                .map(|column| format!("coalesce(sum(x.\"{0}\"), 0)::bigint AS \"{0}\"", column.key)),
        );
        let mut totals = rows.after(&format!("SELECT {}", select.join(", ")));
        if currency.is_some() {
            totals.push(" GROUP BY 1 ORDER BY 1");
        }
        let columns: Vec<&Column> = currency.into_iter().chain([&RECORDS]).chain(added).collect();
        let mut lines = Vec::new();
        for row in snapshot.fetch(&totals).await? {
            let line = Row::read(&row, columns.iter().copied(), false)?;
            let records = sqlx::Row::try_get(&row, RECORDS.key)?;
            lines.push((line, records));
        }
        Ok(lines)
    }

    /// ` ORDER BY …`: by page where it is printed so, by what is asked for, and then so that no two rows are alike.
    fn order(&self, query: &ListQuery) -> Result<String, Refusal> {
        let sort = query.sort.as_deref().unwrap_or(self.list.default_sort);
        let (name, direction) = sort.strip_prefix('-').map_or((sort, "ASC"), |name| (name, "DESC"));
        let by = self.column(name).and_then(|column| column.sort);
        let by = by.and_then(|key| self.column(key)).ok_or_else(|| {
            let allowed: Vec<&str> = self.sorts().collect();
            Refusal::invalid_with("sort", "sort_unknown", [("allowed", allowed.join(", "))])
        })?;
        let mut order = Vec::new();
        if let Some(pages) = &self.pages {
            order.extend(self.column(pages.title).map(|column| sorted(column, "ASC")));
            order.push(format!("x.\"{}\" ASC", pages.by));
        }
        if !self.tie.contains(&by.key) {
            order.push(sorted(by, direction));
        }
        order.extend(self.tie.iter().map(|key| format!("x.\"{key}\" {direction}")));
        Ok(format!(" ORDER BY {}", order.join(", ")))
    }
}

fn sorted(column: &Column, direction: &str) -> String {
    let quoted = format!("\"{}\"", column.key);
    let expression = if column.kind.is_words() {
        FOLDED.replace("{}", &quoted)
    } else {
        format!("x.{quoted}")
    };
    format!("{expression} {direction} NULLS LAST")
}
