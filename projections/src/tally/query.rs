//! Tally queries of a list.

use super::ALL;
use crate::{read_transaction::ReadTransaction, sql::Sql};
use chrono::{DateTime, Utc};
use sqlx::Row as _;

/// Tallies of a list.
#[derive(Debug)]
pub(crate) struct TallySpec {
    /// Name in the tallies.
    pub(crate) list: &'static str,
    /// Alias of the list's table.
    pub(crate) alias: &'static str,
    /// Position column, divided into blocks. A list sorted by it is paged by blocks.
    pub(crate) position: &'static str,
    /// Time column, which never decreases with the position.
    pub(crate) time: &'static str,
    /// Whether an index is ordered by that time.
    pub(crate) has_index_of_time: bool,
}

/// Tally dimension of a filter. Filters without one make the list count row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrows {
    /// A dimension by text value.
    Value(&'static str),
    /// A dimension by id.
    Id(&'static str),
    /// The part, if the value maps to one.
    Part(fn(&str) -> Option<i16>),
    Currency,
    /// Positions: a filter by days of the positions' time.
    Days,
}

/// From a time on, and before another.
pub(crate) type Interval = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);

/// What a request narrows a list to, as far as tallies can tell.
pub(crate) trait Narrowed {
    /// Tally dimensions of the filters with their values; `None` when a filter has no dimension.
    fn counted(&self) -> Option<&[(Narrows, String)]>;

    /// Intervals that day filters leave of a time.
    fn moments(&self, time: &str) -> Vec<Interval>;
}

/// Tally query of a request.
#[derive(Debug, Default)]
pub(super) struct TallyQuery {
    pub(super) value: Option<(&'static str, String)>,
    pub(super) part: Option<i16>,
    pub(super) currency: Option<String>,
    pub(super) has_days: bool,
}

impl TallyQuery {
    /// `None` when the tallies lack a dimension.
    pub(super) fn of(scope: Option<(&'static str, String)>, conditions: &impl Narrowed) -> Option<Self> {
        let mut asked = Self {
            value: scope,
            ..Self::default()
        };
        for (narrows, value) in conditions.counted()? {
            let (dimension, value) = match narrows {
                Narrows::Value(dimension) => (*dimension, value.clone()),
                Narrows::Id(dimension) => (*dimension, uuid::Uuid::parse_str(value).ok()?.to_string()),
                Narrows::Part(part) => {
                    asked.part = Some(part(value)?);
                    continue;
                }
                Narrows::Currency => {
                    asked.currency = Some(value.clone());
                    continue;
                }
                Narrows::Days => {
                    asked.has_days = true;
                    continue;
                }
            };
            let narrowed = (dimension, value);
            match &asked.value {
                Some(other) if *other != narrowed => return None,
                _ => asked.value = Some(narrowed),
            }
        }
        Some(asked)
    }

    /// `FROM tallies … WHERE …`.
    pub(super) fn tallies(&self, transaction: &ReadTransaction, spec: &TallySpec) -> Sql {
        let mut from = transaction.rows("tallies", "t");
        from.push(" AND t.list = ").bind(spec.list);
        let all = (ALL, String::new());
        let (dimension, value) = self.value.as_ref().unwrap_or(&all);
        from.push(" AND t.dimension = ").bind(*dimension);
        from.push(" AND t.value = ").bind(value.as_str());
        if let Some(currency) = &self.currency {
            from.push(" AND t.currency = ").bind(currency.as_str());
        }
        if let Some(part) = self.part {
            from.push(" AND t.part = ").bind(i64::from(part));
        }
        from
    }
}

/// Sums of one currency in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) part: i16,
    pub(crate) currency: String,
    pub(crate) rows: i64,
    pub(crate) amount: i64,
}

/// Sums by part and currency; `None` when the tallies lack a dimension, such as with a period.
pub(crate) async fn sums(
    transaction: &mut ReadTransaction,
    spec: &TallySpec,
    scope: Option<(&'static str, String)>,
    conditions: &impl Narrowed,
) -> Result<Option<Vec<Sum>>, crate::error::ReadError> {
    let Some(asked) = TallyQuery::of(scope, conditions).filter(|asked| !asked.has_days) else {
        return Ok(None);
    };
    let mut sql = asked
        .tallies(transaction, spec)
        .after("SELECT t.part, t.currency, sum(t.rows)::bigint AS rows, sum(t.amount)::bigint AS amount");
    sql.push(" GROUP BY t.part, t.currency ORDER BY t.currency");
    let found = transaction.fetch(&sql).await?;
    let sum = |row: &sqlx::postgres::PgRow| {
        Ok(Sum {
            part: row.try_get("part")?,
            currency: row.try_get("currency")?,
            rows: row.try_get("rows")?,
            amount: row.try_get("amount")?,
        })
    };
    Ok(Some(found.iter().map(sum).collect::<Result<_, sqlx::Error>>()?))
}
