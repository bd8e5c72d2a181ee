//! What a report is: data. Its columns, filters, grouping and order are told here once; JSON, CSV, XLSX, PDF and the
//! OpenAPI document all follow from it.

use crate::{
    list::{Declared, Filter, SearchSpec},
    print::{MONEY, Words},
    remittance::RemittanceChange,
    scope::Scope,
    sql::Sql,
};
use caudal_domain::party::Role;
use caudal_export::Kind as CellKind;

#[derive(Debug)]
pub struct Report {
    /// Its name in the API's path.
    pub name: &'static str,
    /// What it is called.
    pub title: Words,
    /// Who may ask for it.
    pub roles: &'static [Role],
    /// Its columns, from left to right. One of them is [`Kind::Currency`], by which totals are told apart.
    pub columns: &'static [Column],
    /// Where its rows come from: `FROM …`. Conditions, and what is added up, are of these tables.
    pub(super) tables: &'static str,
    /// Joins that look up the names in its rows, by key: none adds a row or takes one away. Totals do without them, since
    /// the planner, which leaves such joins out itself, then no longer sees that an index alone has all that is asked for.
    pub(super) names: &'static str,
    /// The alias in `tables` of the table that the tenant is looked up in.
    pub(super) alias: &'static str,
    /// What its rows are, besides: a condition.
    pub(super) only: &'static str,
    /// What else they are unless a filter is given.
    pub(super) unless: Option<Unless>,
    /// Which of them the caller sees.
    pub(super) scope: fn(&mut Sql, &Scope),
    /// What rows are grouped by, where columns add rows up.
    pub(super) group: Option<Group>,
    pub(super) filters: &'static [Filter],
    pub(super) search: Option<&'static SearchSpec>,
    /// The sort where none is asked for. Its sorts are the columns.
    pub(super) default_sort: &'static str,
    /// Columns that together tell any two rows apart.
    pub(super) tie: &'static [&'static str],
    /// Printed with a page for each value of a column.
    pub(super) pages: Option<Pages>,
}

/// A condition that holds unless a filter is given.
#[derive(Debug)]
pub(super) struct Unless {
    pub(super) filter: &'static str,
    pub(super) condition: &'static str,
    /// How the reader is told.
    pub(super) words: Words,
}

/// What rows are grouped by. Names are looked up beside the groups, and not of every row that they add up.
#[derive(Debug)]
pub(super) struct Group {
    /// The expressions that tell groups apart.
    pub(super) by: &'static str,
    /// Whom the lines are about, in whose order they are as a rule.
    pub(super) whom: Option<Whom>,
    /// Joins to the groups `line`, for the columns that are [`Column::beside`] them.
    pub(super) names: &'static str,
}

/// Whom a report's lines are about.
#[derive(Debug)]
pub(super) struct Whom {
    pub(super) table: &'static str,
    pub(super) alias: &'static str,
    /// Which rows of the table.
    pub(super) only: &'static str,
    /// The column of the line that has its id.
    pub(super) id: &'static str,
    /// The column of the rows that the lines add up.
    pub(super) of_row: &'static str,
}

/// A page for each value of a column.
#[derive(Debug)]
pub(super) struct Pages {
    /// The column that tells pages apart.
    pub(super) by: &'static str,
    /// The column that is a page's title, and the order of the pages.
    pub(super) title: &'static str,
}

/// A column of a report.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in JSON, and the name to sort by.
    pub key: &'static str,
    pub header: Words,
    /// What stands in it.
    pub kind: Kind,
    /// How it is found.
    pub(super) sql: &'static str,
    /// The column that it is sorted by; not at all where none.
    pub(super) sort: Option<&'static str>,
    /// What it is sorted by in its place: the same words folded, as searches have them.
    pub(super) folded: Option<&'static str>,
    /// Whether it is looked up beside the groups `line`.
    pub(super) is_beside: bool,
    /// How its expression goes on behind `FROM … WHERE …` of the rows that the groups add up; absent where it does without
    /// them.
    pub(super) behind_rows: Option<&'static str>,
    /// Whether every row has it: an index in its order is one that says nothing of what is missing.
    pub(super) is_always: bool,
    /// Whether it is added up.
    pub is_total: bool,
    /// Whether it is on paper, too.
    pub is_printed: bool,
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// What tells something apart: in JSON alone.
    Id,
    /// A whole number.
    Count,
    /// An amount in minor units.
    Money,
    /// A percentage or rate.
    Rate,
    Time,
    /// A currency's code.
    Currency,
    /// A remittance's status; in words it depends on the column `deliveryMethod` where there is one.
    Status,
    /// What happened to a remittance.
    Change,
    /// How a recipient is paid.
    Method,
    /// A bank card's number, masked except to who pays to it.
    CardNumber,
    /// A bank card's brand.
    CardBrand,
}

impl Kind {
    /// What the outermost SELECT makes of it, so that it can be read whatever the expression's type.
    pub(super) const fn cast(self) -> &'static str {
        match self {
            Self::Text | Self::Rate | Self::Currency | Self::Change | Self::Method => "::text",
            Self::CardNumber | Self::CardBrand => "::text",
            Self::Id => "::uuid",
            Self::Count | Self::Money => "::bigint",
            Self::Time => "::timestamptz",
            Self::Status => "::smallint",
        }
    }

    /// How it stands on paper.
    pub(super) const fn cell(self) -> CellKind {
        match self {
            Self::Text | Self::Id | Self::Currency | Self::Status | Self::Change | Self::Method => CellKind::Text,
            Self::CardNumber | Self::CardBrand => CellKind::Text,
            Self::Count => CellKind::Integer,
            Self::Money => MONEY,
            Self::Rate => CellKind::Rate,
            Self::Time => CellKind::DateTime,
        }
    }

    /// Whether it is sorted as words, without case and accents.
    pub(super) const fn is_words(self) -> bool {
        matches!(self, Self::Text)
    }
}

impl Column {
    /// A column that is printed and can be sorted by.
    pub(super) const fn new(
        key: &'static str,
        es: &'static str,
        en: &'static str,
        kind: Kind,
        sql: &'static str,
    ) -> Self {
        Self {
            key,
            header: Words::new(es, en),
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

    /// A column in JSON alone: an id to drill down with, or what breaks ties.
    pub(super) const fn hidden(key: &'static str, kind: Kind, sql: &'static str) -> Self {
        Self {
            is_printed: false,
            ..Self::new(key, key, key, kind, sql).unsorted()
        }
    }

    /// It can't be sorted by.
    pub(super) const fn unsorted(self) -> Self {
        Self { sort: None, ..self }
    }

    /// It is sorted by another column, which says the same and has an index.
    pub(super) const fn sorted_by(self, column: &'static str) -> Self {
        Self {
            sort: Some(column),
            ..self
        }
    }

    /// It is looked up beside the groups.
    pub(super) const fn beside(self) -> Self {
        Self {
            is_beside: true,
            ..self
        }
    }

    /// It is looked up beside the groups, in the rows that they add up: its expression goes on behind them.
    pub(super) const fn beside_rows(self, behind: &'static str) -> Self {
        Self {
            is_beside: true,
            behind_rows: Some(behind),
            ..self
        }
    }

    /// Its words are sorted by their folded form, which begins a search text.
    pub(super) const fn folded(self, sql: &'static str) -> Self {
        Self {
            folded: Some(sql),
            ..self
        }
    }

    /// Every row has it.
    pub(super) const fn always(self) -> Self {
        Self {
            is_always: true,
            ..self
        }
    }

    /// It is added up.
    pub(super) const fn total(self) -> Self {
        Self { is_total: true, ..self }
    }
}

impl Report {
    pub(super) fn column(&self, key: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.key == key)
    }

    /// The columns on paper.
    pub(super) fn printed(&self) -> impl Iterator<Item = &'static Column> + use<> {
        self.columns.iter().filter(|column| column.is_printed)
    }

    /// The names to sort by.
    pub fn sorts(&self) -> impl Iterator<Item = &'static str> + use<> {
        let sorted = |column: &'static Column| column.sort.map(|_| column.key);
        self.columns.iter().filter_map(sorted)
    }

    /// What it may be asked.
    pub fn declared(&self) -> Declared {
        Declared {
            sorts: self.sorts().collect(),
            search: self.search,
            filters: self.filters,
        }
    }
}

/// The change that a text of the read model stands for.
pub(super) fn change_named(text: &str) -> Option<RemittanceChange> {
    serde_json::from_value(text.into()).ok()
}
