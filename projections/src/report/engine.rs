//! Report engine: one statement for the rows and one for the totals, with equal conditions.

use super::{
    definition::{Column, Group, Kind, Report, Whom},
    row::Row,
};
use crate::{
    error::ReadError,
    list::{Conditions, Keys, page_of},
    page::{ListQuery, Page},
    print::word,
    read_transaction::ReadTransaction,
    remittance::COUNTED,
    scope::Scope,
    sql::Sql,
    tally::within_days,
};
use caudal_domain::Refusal;
use serde::Serialize;
use sqlx::postgres::PgRow;

/// `work_mem` for a report's groups, which would spill to disk otherwise.
const MEMORY: &str = "SET LOCAL work_mem TO '32MB'";
/// Selectivity (one in this many subjects) up to which a page is found by walking subjects.
const WALKED: i64 = 100;

/// Number of rows that a line of totals sums.
const RECORDS: Column = Column::new("records", word::ROWS, Kind::Count, "count(*)");
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportPage {
    #[serde(flatten)]
    pub page: Page<Row>,
    /// One line per currency, over all rows of all pages.
    pub totals: Vec<Row>,
}

impl Report {
    /// One page, with totals over all filtered rows in the caller's scope.
    ///
    /// # Errors
    /// Undeclared sorts, filters and pages.
    pub async fn page(
        &'static self,
        transaction: &mut ReadTransaction,
        scope: &Scope,
        query: &ListQuery,
    ) -> Result<ReportPage, ReadError> {
        let rows = self.rows(transaction, scope, query).await?;
        let in_order = self.ordered(&rows, query)?;
        transaction.fetch(&Sql::new(MEMORY)).await?;
        let totals = self.totals(transaction, &rows).await?;
        let total = totals.iter().map(|(_, records)| records).sum();
        let mut select = match self.walk(query, total) {
            Some((group, whom)) => self.walked(transaction, &rows, query, (group, whom))?,
            None => in_order,
        };
        page_of(&mut select, query, total)?;
        let found = transaction.fetch(&select).await?;
        let data = self.read(&found, scope)?;
        let keys = Keys::of(query, total, Vec::<i64>::new());
        Ok(ReportPage {
            page: keys.page(data),
            totals: totals.into_iter().map(|(line, _)| line).collect(),
        })
    }

    /// SELECT of all rows in order.
    pub(super) async fn all(
        &'static self,
        transaction: &mut ReadTransaction,
        scope: &Scope,
        query: &ListQuery,
    ) -> Result<Sql, ReadError> {
        let rows = self.rows(transaction, scope, query).await?;
        Ok(self.ordered(&rows, query)?)
    }

    /// Reads rows of [`Self::all`].
    pub(super) fn read(&'static self, found: &[PgRow], scope: &Scope) -> Result<Vec<Row>, ReadError> {
        let rows = found
            .iter()
            .map(|row| Row::read(row, self.columns, scope.role.holds_cash()));
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// `WHERE …` of the report. The tenant comes first, then the scope.
    async fn rows(
        &self,
        transaction: &mut ReadTransaction,
        scope: &Scope,
        query: &ListQuery,
    ) -> Result<Sql, ReadError> {
        let mut rows = Sql::new(format!("WHERE {}.tenant = ", self.alias));
        rows.bind(transaction.tenant());
        (self.scope)(&mut rows, scope);
        rows.push(&format!(" AND ({})", self.only));
        if let Some(unless) = self.unless_given(query) {
            rows.push(&format!(" AND ({})", unless.condition));
        }
        let conditions = Conditions::of(transaction, query, self.filters, self.search).await?;
        conditions.add(&mut rows);
        // Days of the sale as positions, the order of the rows.
        within_days(transaction, &conditions, &COUNTED, &mut rows).await?;
        Ok(rows)
    }

    /// `FROM (SELECT …) AS line`: the wanted columns of the lines, unordered, without those looked up per group.
    /// `names` joins the names of the columns.
    fn lines(&self, rows: &Sql, names: &str, is_wanted: impl Fn(&Column) -> bool) -> Sql {
        let mut lines = rows.after(&format!(
            "FROM (SELECT {} FROM {} {names}",
            self.found(is_wanted),
            self.tables
        ));
        if let Some(group) = &self.group {
            lines.push(&format!(" GROUP BY {}.tenant, {}", self.alias, group.by));
        }
        lines.push(") AS line");
        lines
    }

    /// Select list of the wanted columns that are not looked up per group.
    fn found(&self, is_wanted: impl Fn(&Column) -> bool) -> String {
        let columns = self
            .columns
            .iter()
            .filter(|column| !column.is_beside && is_wanted(column));
        let mut columns: Vec<String> = columns
            .map(|column| format!("{} AS \"{}\"", column.sql, column.key))
            .collect();
        if self.group.is_some() {
            columns.push(format!("{}.tenant", self.alias));
        }
        columns.join(", ")
    }

    /// Select list of the displayed columns.
    fn shown(&self, rows: &Sql) -> String {
        let columns = self.columns.iter().map(|column| {
            let found = match (column.is_beside, column.behind_rows) {
                (true, Some(behind)) => {
                    format!("({} FROM {} {} {behind})", column.sql, self.tables, rows.text())
                }
                (true, None) => format!("({})", column.sql),
                (false, _) => format!("line.\"{}\"", column.key),
            };
            format!("{found}{} AS \"{}\"", column.kind.cast(), column.key)
        });
        columns.collect::<Vec<_>>().join(", ")
    }

    /// The report's lines in order.
    fn ordered(&self, rows: &Sql, query: &ListQuery) -> Result<Sql, Refusal> {
        let mut select = self
            .lines(rows, self.names, |_| true)
            .after(&format!("SELECT {}", self.shown(rows)));
        if let Some(group) = &self.group {
            if let Some(Whom { table, alias, id, .. }) = &group.whom {
                select.push(&format!(
                    " LEFT JOIN {table} AS {alias} ON {alias}.tenant = line.tenant AND {alias}.id = line.\"{id}\""
                ));
            }
            select.push(" ").push(group.names);
        }
        select.push(&self.order(query)?);
        Ok(select)
    }

    /// Whether to walk the subjects by name until the page is full: an early page of many lines then needs few subjects
    /// instead of sorting all lines.
    fn walk(&self, query: &ListQuery, total: i64) -> Option<(&Group, &Whom)> {
        let group = self.group.as_ref()?;
        let whom = group.whom.as_ref()?;
        let is_by_name = query.sort.as_deref().is_none_or(|sort| sort == self.default_sort);
        let end = query.offset().saturating_add(query.records_per_page);
        (is_by_name && query.records_per_page > 0 && end.saturating_mul(WALKED) <= total).then_some((group, whom))
    }

    /// The same lines in the same order, one subject after the other.
    fn walked(
        &self,
        transaction: &ReadTransaction,
        rows: &Sql,
        query: &ListQuery,
        (group, whom): (&Group, &Whom),
    ) -> Result<Sql, Refusal> {
        let Whom {
            table,
            alias,
            only,
            of_row,
            ..
        } = whom;
        let mut select = rows.after(&format!(
            "SELECT {} FROM {table} AS {alias} CROSS JOIN LATERAL (SELECT {} FROM {}",
            self.shown(rows),
            self.found(|_| true),
            self.tables
        ));
        select.push(&format!(
            " AND {of_row} = {alias}.id GROUP BY {}.tenant, {}) AS line {} WHERE {alias}.tenant = ",
            self.alias, group.by, group.names
        ));
        select.bind(transaction.tenant());
        select.push(&format!(" AND {only}")).push(&self.order(query)?);
        Ok(select)
    }

    /// The condition that holds because its filter is not given.
    pub(super) fn unless_given(&self, query: &ListQuery) -> Option<&super::definition::Unless> {
        self.unless.as_ref().filter(|unless| query.get(unless.filter).is_none())
    }

    /// Totals by currency, each with its number of rows.
    async fn totals(
        &'static self,
        transaction: &mut ReadTransaction,
        rows: &Sql,
    ) -> Result<Vec<(Row, i64)>, ReadError> {
        let currency = self.columns.iter().find(|column| column.kind.is_currency());
        let added: Vec<&Column> = self.columns.iter().filter(|column| column.is_total).collect();
        let mut select: Vec<String> = currency
            .iter()
            .map(|column| format!("line.\"{0}\"::text AS \"{0}\"", column.key))
            .collect();
        select.push(format!("count(*) AS \"{}\"", RECORDS.key));
        select.extend(
            added
                .iter()
                .map(|column| format!("coalesce(sum(line.\"{0}\"), 0)::bigint AS \"{0}\"", column.key)),
        );
        let is_summed = |column: &Column| column.is_total || column.kind.is_currency();
        let mut totals = self
            .lines(rows, "", is_summed)
            .after(&format!("SELECT {}", select.join(", ")));
        if currency.is_some() {
            totals.push(" GROUP BY 1 ORDER BY 1");
        }
        let columns: Vec<&Column> = currency.into_iter().chain([&RECORDS]).chain(added).collect();
        let mut lines = Vec::new();
        for row in transaction.fetch(&totals).await? {
            let line = Row::read(&row, columns.iter().copied(), false)?;
            let records = sqlx::Row::try_get(&row, RECORDS.key)?;
            lines.push((line, records));
        }
        Ok(lines)
    }

    /// ` ORDER BY …`: by printed page, requested sort, and tie-breaker.
    fn order(&self, query: &ListQuery) -> Result<String, Refusal> {
        let sort = query.sort.as_deref().unwrap_or(self.default_sort);
        let (name, direction) = sort.strip_prefix('-').map_or((sort, "ASC"), |name| (name, "DESC"));
        let by = self.column(name).and_then(|column| column.sort);
        let by = by.and_then(|key| self.column(key)).ok_or_else(|| {
            let allowed: Vec<&str> = self.sorts().collect();
            Refusal::invalid_with("sort", "sort_unknown", [("allowed", allowed.join(", "))])
        })?;
        let mut order = Vec::new();
        if let Some(pages) = &self.pages {
            order.extend(self.column(pages.title).map(|column| sorted(column, "ASC")));
            order.push(format!("line.\"{}\" ASC", pages.by));
        }
        if !self.tie.contains(&by.key) {
            order.push(sorted(by, direction));
        }
        order.extend(self.tie.iter().map(|key| format!("line.\"{key}\" {direction}")));
        Ok(format!(" ORDER BY {}", order.join(", ")))
    }
}

fn sorted(column: &Column, direction: &str) -> String {
    let found = if column.is_beside {
        column.sql.to_owned()
    } else {
        format!("line.\"{}\"", column.key)
    };
    let expression = match column.folded {
        Some(text) => text.to_owned(),
        None if column.kind.is_words() => folded(&found),
        None => found,
    };
    let missing = if column.is_always { "" } else { " NULLS LAST" };
    format!("{expression} {direction}{missing}")
}

/// SQL for sorting text without case and accents, whatever the database's collation.
fn folded(words: &str) -> String {
    format!(
        "lower(translate({words}, 'ÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÑÇáàâäéèêëíìîïóòôöúùûüñç', 'AAAAEEEEIIIIOOOOUUUUNCaaaaeeeeiiiioooouuuunc'))"
    )
}
