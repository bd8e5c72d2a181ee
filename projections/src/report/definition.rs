//! Declaration of a report as data: columns, filters, grouping and order, from which JSON, CSV, XLSX, PDF and the
//! OpenAPI document derive.

use crate::{
    list::{Declared, Filter, SearchSpec, values::Known},
    print::{MONEY, Words},
    scope::Scope,
    sql::Sql,
};
use caudal_domain::party::Role;
use caudal_export::Kind as CellKind;
use utoipa::openapi::{RefOr, schema::Schema};

#[derive(Debug)]
pub struct Report {
    /// Path segment in the API; its operation and its schema are called after it.
    pub name: &'static str,
    /// Summary in the OpenAPI document.
    pub about: &'static str,
    /// Title in files.
    pub title: Words,
    /// Roles that may request it.
    pub roles: &'static [Role],
    /// Columns in order. One of them is [`Kind::Currency`], which groups the totals.
    pub columns: &'static [Column],
    /// `FROM …` of its rows; conditions and sums refer to these tables.
    pub(super) tables: &'static str,
    /// Joins by key that look up names without adding or removing rows. Totals omit them: with them the planner would
    /// not see that an index covers the query.
    pub(super) names: &'static str,
    /// Alias in `tables` that carries the tenant.
    pub(super) alias: &'static str,
    /// Additional condition on its rows.
    pub(super) only: &'static str,
    /// Condition that holds unless a filter is given.
    pub(super) unless: Option<Unless>,
    /// Restriction to the caller's scope.
    pub(super) scope: fn(&mut Sql, &Scope),
    /// Grouping, when columns sum rows.
    pub(super) group: Option<Group>,
    pub(super) filters: &'static [Filter],
    pub(super) search: Option<&'static SearchSpec>,
    /// Default sort; every column is a sort.
    pub(super) default_sort: &'static str,
    /// Tie-breaker: columns that together identify a row.
    pub(super) tie: &'static [&'static str],
    /// Printed with one page per value of a column.
    pub(super) pages: Option<Pages>,
}

/// A condition that holds unless a filter is given.
#[derive(Debug)]
pub(super) struct Unless {
    pub(super) filter: &'static str,
    pub(super) condition: &'static str,
    /// Description for the reader.
    pub(super) words: Words,
}

/// Grouping of rows. Names are looked up per group, not per row.
#[derive(Debug)]
pub(super) struct Group {
    /// Grouping expressions.
    pub(super) by: &'static str,
    /// Subject of the lines, which determines the default order.
    pub(super) whom: Option<Whom>,
    /// Joins to the groups `line`, for the columns that are [`Column::beside`] them.
    pub(super) names: &'static str,
}

/// Subject of a report's lines.
#[derive(Debug)]
pub(super) struct Whom {
    pub(super) table: &'static str,
    pub(super) alias: &'static str,
    /// Condition on the subject's table.
    pub(super) only: &'static str,
    /// Column of the line with the subject's id.
    pub(super) id: &'static str,
    /// Column of the summed rows with the subject's id.
    pub(super) of_row: &'static str,
}

/// One page per value of a column.
#[derive(Debug)]
pub(super) struct Pages {
    /// Column that separates pages.
    pub(super) by: &'static str,
    /// Column with the page's title, which orders the pages.
    pub(super) title: &'static str,
}

/// A column of a report.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// JSON field and sort value.
    pub key: &'static str,
    pub header: Words,
    /// Kind of its values.
    pub kind: Kind,
    /// SQL expression.
    pub(super) sql: &'static str,
    /// Column to sort by; `None` when not sortable.
    pub(super) sort: Option<&'static str>,
    /// Sort expression that replaces it: the folded text used by searches.
    pub(super) folded: Option<&'static str>,
    /// Whether it is looked up per group `line`.
    pub(super) is_beside: bool,
    /// Continuation of its expression behind `FROM … WHERE …` of the summed rows, if needed.
    pub(super) behind_rows: Option<&'static str>,
    /// Whether it is never null, so that an index without null placement fits.
    pub(super) is_always: bool,
    /// Whether totals sum it.
    pub is_total: bool,
    /// Whether files contain it.
    pub is_printed: bool,
}

/// Kind of a column's values.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Text.
    Text,
    /// An identifier; JSON only.
    Id,
    Count,
    /// An amount in minor units.
    Money,
    /// A percentage or rate.
    Rate,
    Time,
    Currency,
    /// A remittance's status; its label depends on the column `deliveryMethod` if present.
    Status,
    /// A value of an enumeration, by its name in the API, and the enumeration's schema.
    Named(Known, fn() -> RefOr<Schema>),
    /// A card number, masked except for the party that pays to it.
    CardNumber,
}

impl Kind {
    /// Cast in the outermost SELECT, so that the value can be read whatever the expression's type.
    pub(super) const fn cast(self) -> &'static str {
        match self {
            Self::Text | Self::Rate | Self::Currency | Self::Named(..) | Self::CardNumber => "::text",
            Self::Id => "::uuid",
            Self::Count | Self::Money => "::bigint",
            Self::Time => "::timestamptz",
            Self::Status => "::smallint",
        }
    }

    /// Cell kind in files.
    pub(super) const fn cell(self) -> CellKind {
        match self {
            Self::Text | Self::Id | Self::Currency | Self::Status | Self::Named(..) => CellKind::Text,
            Self::CardNumber => CellKind::Text,
            Self::Count => CellKind::Integer,
            Self::Money => MONEY,
            Self::Rate => CellKind::Rate,
            Self::Time => CellKind::DateTime,
        }
    }

    /// Whether it is the currency of the row's amounts.
    pub(super) const fn is_currency(self) -> bool {
        matches!(self, Self::Currency)
    }

    /// Whether it is sorted as text, without case and accents.
    pub(super) const fn is_words(self) -> bool {
        matches!(self, Self::Text)
    }
}

impl Column {
    /// A printed, sortable column.
    pub(super) const fn new(key: &'static str, header: Words, kind: Kind, sql: &'static str) -> Self {
        Self {
            key,
            header,
            kind,
            sql,
            sort: Some(key),
            folded: None,
            is_beside: false,
            behind_rows: None,
            is_always: false,
            is_total: false,
            is_printed: true,
        }
    }

    /// A column in JSON only: an id for drill-down, or a tie-breaker.
    pub(super) const fn hidden(key: &'static str, kind: Kind, sql: &'static str) -> Self {
        Self {
            is_printed: false,
            ..Self::new(key, Words::new(key, key), kind, sql).unsorted()
        }
    }

    /// Not sortable.
    pub(super) const fn unsorted(self) -> Self {
        Self { sort: None, ..self }
    }

    /// Sorted by another column with the same order and an index.
    pub(super) const fn sorted_by(self, column: &'static str) -> Self {
        Self {
            sort: Some(column),
            ..self
        }
    }

    /// Looked up per group.
    pub(super) const fn beside(self) -> Self {
        Self {
            is_beside: true,
            ..self
        }
    }

    /// Computed per group from the summed rows: its expression continues behind them.
    pub(super) const fn beside_rows(self, behind: &'static str) -> Self {
        Self {
            is_beside: true,
            behind_rows: Some(behind),
            ..self
        }
    }

    /// Sorted by its folded text, the beginning of a search text.
    pub(super) const fn folded(self, sql: &'static str) -> Self {
        Self {
            folded: Some(sql),
            ..self
        }
    }

    /// Never null.
    pub(super) const fn always(self) -> Self {
        Self {
            is_always: true,
            ..self
        }
    }

    /// Summed in totals.
    pub(super) const fn total(self) -> Self {
        Self { is_total: true, ..self }
    }
}

impl Report {
    pub(super) fn column(&self, key: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.key == key)
    }

    /// Whether its rows are people with their identity documents: its file is a file of people.
    #[must_use]
    pub fn lists_people(&self) -> bool {
        self.group.is_some() && self.column("identification").is_some()
    }

    /// Columns in files.
    pub(super) fn printed(&self) -> impl Iterator<Item = &'static Column> + use<> {
        self.columns.iter().filter(|column| column.is_printed)
    }

    /// Sort values.
    pub fn sorts(&self) -> impl Iterator<Item = &'static str> + use<> {
        let sorted = |column: &'static Column| column.sort.map(|_| column.key);
        self.columns.iter().filter_map(sorted)
    }

    /// Permitted parameters.
    pub fn declared(&self) -> Declared {
        Declared {
            sorts: self.sorts().collect(),
            search: self.search,
            filters: self.filters,
        }
    }
}
