//! From a report's definition to its rows: one statement for the rows, one for the totals, the same conditions in
//! both.

use super::{
    definition::{Column, Group, Kind, Report, Whom},
    row::Row,
};
use crate::{
    error::ReadError,
    list::{Conditions, Keys, page_of},
    page::{ListQuery, Page},
    remittance::COUNTED,
    scope::Scope,
    snapshot::Snapshot,
    sql::Sql,
    tally::within_days,
};
use caudal_domain::Refusal;
use serde::Serialize;
use sqlx::postgres::PgRow;

/// Room for a report's groups, which would go to disk otherwise: reports are few at a time.
const MEMORY: &str = "SET LOCAL work_mem TO '32MB'";
/// One in so many of those whom lines are about is looked at to find a page, where they are walked through.
const WALKED: i64 = 100;

/// How many rows a line of totals adds up.
const RECORDS: Column = Column::new("records", "Filas", "Rows", Kind::Count, "count(*)");
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportPage {
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
        let in_order = self.ordered(&rows, query)?;
        snapshot.fetch(&Sql::new(MEMORY)).await?;
        let totals = self.totals(snapshot, &rows).await?;
        let total = totals.iter().map(|(_, records)| records).sum();
        let mut select = match self.walk(query, total) {
            Some((group, whom)) => self.walked(snapshot, &rows, query, (group, whom))?,
            None => in_order,
        };
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
        Ok(self.ordered(&rows, query)?)
    }

    /// Reads rows of [`Self::all`].
    pub(super) fn read(&'static self, found: &[PgRow], scope: &Scope) -> Result<Vec<Row>, ReadError> {
        let rows = found
            .iter()
            .map(|row| Row::read(row, self.columns, scope.role.holds_cash()));
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// `WHERE …`: what the report tells of. The tenant comes first, then whom they are for.
    async fn rows(&self, snapshot: &mut Snapshot, scope: &Scope, query: &ListQuery) -> Result<Sql, ReadError> {
        let mut rows = Sql::new(format!("WHERE {}.tenant = ", self.alias));
        rows.bind(snapshot.tenant());
        (self.scope)(&mut rows, scope);
        rows.push(&format!(" AND ({})", self.only));
        if let Some(unless) = self.unless_given(query) {
            rows.push(&format!(" AND ({})", unless.condition));
        }
        let conditions = Conditions::of(snapshot, query, self.filters, self.search).await?;
        conditions.add(&mut rows);
        // Positions say the same as the days that remittances were sold on, and the rows are in their order.
        within_days(snapshot, &conditions, &COUNTED, &mut rows).await?;
        Ok(rows)
    }

    /// `FROM (SELECT …) AS line`: some columns of the report's lines in no order, but for what is looked up beside them.
    /// `names` joins what the columns name.
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

    /// What is found of the rows: the columns that are wanted but those beside the groups.
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

    /// What is shown of the lines.
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

    /// Whether those whom the lines are about are walked through by name until the page is full: few are looked at for
    /// one of the first pages of many lines, none of which has to be made to sort them all.
    fn walk(&self, query: &ListQuery, total: i64) -> Option<(&Group, &Whom)> {
        let group = self.group.as_ref()?;
        let whom = group.whom.as_ref()?;
        let is_by_name = query.sort.as_deref().is_none_or(|sort| sort == self.default_sort);
        let end = query.offset().saturating_add(query.records_per_page);
        (is_by_name && query.records_per_page > 0 && end.saturating_mul(WALKED) <= total).then_some((group, whom))
    }

    /// The same lines in the same order, one after the other of those whom they are about.
    fn walked(
        &self,
        snapshot: &Snapshot,
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
        select.bind(snapshot.tenant());
        select.push(&format!(" AND {only}")).push(&self.order(query)?);
        Ok(select)
    }

    /// The condition that holds since its filter is not given.
    pub(super) fn unless_given(&self, query: &ListQuery) -> Option<&super::definition::Unless> {
        self.unless.as_ref().filter(|unless| query.get(unless.filter).is_none())
    }

    /// The totals by currency, each with how many rows it adds up.
    async fn totals(&'static self, snapshot: &mut Snapshot, rows: &Sql) -> Result<Vec<(Row, i64)>, ReadError> {
        let currency = self.columns.iter().find(|column| column.kind == Kind::Currency);
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
        let is_summed = |column: &Column| column.is_total || column.kind == Kind::Currency;
        let mut totals = self
            .lines(rows, "", is_summed)
            .after(&format!("SELECT {}", select.join(", ")));
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

/// Letters as they sort: without case and accents, whatever the database's collation.
fn folded(words: &str) -> String {
    format!(
        "lower(translate({words}, 'ÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÑÇáàâäéèêëíìîïóòôöúùûüñç', 'AAAAEEEEIIIIOOOOUUUUNCaaaaeeeeiiiioooouuuunc'))"
    )
}
