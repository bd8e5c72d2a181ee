//! What a query asks of a list's tallies.

use super::ALL;
use crate::{list::Conditions, snapshot::Snapshot, sql::Sql};
use sqlx::Row as _;

/// How a list is counted.
#[derive(Debug)]
pub(crate) struct TallySpec {
    /// Its name in the tallies.
    pub(crate) list: &'static str,
    /// The alias of the list's table.
    pub(crate) alias: &'static str,
    /// A row's position: what blocks are made of. A list sorted by it is paged by blocks.
    pub(crate) position: &'static str,
    /// A row's time, which never goes back from one position to the next.
    pub(crate) time: &'static str,
    /// Whether an index is in the order of that time.
    pub(crate) has_index_of_time: bool,
}

/// What a filter narrows tallies by. A list narrowed by a filter that narrows none is counted row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrows {
    /// A dimension, by the value as it is written.
    Value(&'static str),
    /// A dimension, by an id.
    Id(&'static str),
    /// The part, where the value has one.
    Part(fn(&str) -> Option<i16>),
    Currency,
    /// Positions: the filter is one of days, of the time of the positions.
    Days,
}

/// What a query asks of a list's tallies.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) value: Option<(&'static str, String)>,
    pub(super) part: Option<i16>,
    pub(super) currency: Option<String>,
    pub(super) has_days: bool,
}

impl Asked {
    /// None where the tallies can't tell.
    pub(super) fn of(scope: Option<(&'static str, String)>, conditions: &Conditions) -> Option<Self> {
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
    pub(super) fn tallies(&self, snapshot: &Snapshot, spec: &TallySpec) -> Sql {
        let mut from = snapshot.rows("tallies", "t");
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

/// One currency of one state, added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) part: i16,
    pub(crate) currency: String,
    pub(crate) rows: i64,
    pub(crate) amount: i64,
}

/// What a query leaves of a list, by part and currency; none where the tallies can't tell, which a period they can't.
pub(crate) async fn sums(
    snapshot: &mut Snapshot,
    spec: &TallySpec,
    scope: Option<(&'static str, String)>,
    conditions: &Conditions,
) -> Result<Option<Vec<Sum>>, crate::error::ReadError> {
    let Some(asked) = Asked::of(scope, conditions).filter(|asked| !asked.has_days) else {
        return Ok(None);
    };
    let mut sql = asked
        .tallies(snapshot, spec)
        .after("SELECT t.part, t.currency, sum(t.rows)::bigint AS rows, sum(t.amount)::bigint AS amount");
    sql.push(" GROUP BY t.part, t.currency ORDER BY t.currency");
    let found = snapshot.fetch(&sql).await?;
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
