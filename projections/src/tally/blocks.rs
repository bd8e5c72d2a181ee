//! Total and page offsets of a list from its blocks.

use super::{
    block_of,
    days::{between, positions},
    first_of,
    query::{Narrowed, TallyQuery, TallySpec},
};
use crate::{read_transaction::ReadTransaction, sql::Sql};
use sqlx::Row as _;
use std::collections::BTreeMap;

/// Row counts per block for a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blocks(BTreeMap<i32, i64>);

/// Position range of a page, both ends included, with its number of rows and how many to skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: i64,
    pub(crate) through: i64,
    pub(crate) rows: i64,
    pub(crate) skip: i64,
}

impl Blocks {
    /// Block counts from the tallies; `None` when they lack a dimension. `from` is the list's `FROM … WHERE …` with all
    /// filters.
    pub(crate) async fn count(
        transaction: &mut ReadTransaction,
        conditions: &impl Narrowed,
        spec: &TallySpec,
        scope: Option<(&'static str, String)>,
        from: &Sql,
    ) -> Result<Option<Self>, crate::error::ReadError> {
        let Some(asked) = TallyQuery::of(scope, conditions) else {
            return Ok(None);
        };
        let (first, last) = if asked.has_days {
            positions(transaction, conditions, spec).await?
        } else {
            (i64::MIN, i64::MAX)
        };
        if first > last {
            return Ok(Some(Self::default()));
        }
        let mut tallies = asked
            .tallies(transaction, spec)
            .after("SELECT t.block, sum(t.rows)::bigint AS rows");
        if first > i64::MIN {
            tallies.push(" AND t.block >= ").bind(i64::from(block_of(first)));
        }
        if last < i64::MAX {
            tallies.push(" AND t.block <= ").bind(i64::from(block_of(last)));
        }
        tallies.push(" GROUP BY t.block");
        let mut blocks = BTreeMap::new();
        for row in transaction.fetch(&tallies).await? {
            blocks.insert(row.try_get("block")?, row.try_get("rows")?);
        }
        // Blocks cut by a period are counted row by row.
        let mut cut = Vec::new();
        if first > i64::MIN {
            cut.push(block_of(first));
        }
        if last < i64::MAX && !cut.contains(&block_of(last)) {
            cut.push(block_of(last));
        }
        for block in cut {
            if let Some(rows) = blocks.get_mut(&block) {
                let mut counted = from.after("SELECT count(*) AS rows");
                let (from, through) = (first_of(block).max(first), (first_of(block + 1) - 1).min(last));
                between(&mut counted, spec, from, through);
                let found = transaction.fetch(&counted).await?;
                *rows = found.first().map_or(Ok(0), |row| row.try_get("rows"))?;
            }
        }
        blocks.retain(|_, rows| *rows > 0);
        Ok(Some(Self(blocks)))
    }

    /// Total number of rows.
    pub(crate) fn total(&self) -> i64 {
        self.0.values().sum()
    }

    /// Range of a page of `size` rows after the first `offset`; `None` beyond the end.
    pub(crate) fn page(&self, offset: i64, size: i64, is_descending: bool) -> Option<Span> {
        let mut blocks: Vec<(i32, i64)> = self.0.iter().map(|(block, rows)| (*block, *rows)).collect();
        if is_descending {
            blocks.reverse();
        }
        let mut skip = offset;
        let mut ends: Option<(i32, i32)> = None;
        let (mut missing, mut held) = (size, 0);
        for (block, rows) in blocks {
            if ends.is_none() && skip >= rows {
                skip -= rows;
                continue;
            }
            let (first, reached) = ends.map_or((block, rows - skip), |(first, _)| (first, rows));
            ends = Some((first, block));
            missing -= reached;
            held += rows;
            if missing <= 0 {
                break;
            }
        }
        let (one, other) = ends?;
        Some(Span {
            from: first_of(one.min(other)),
            through: first_of(one.max(other).saturating_add(1)).saturating_sub(1),
            rows: held,
            skip,
        })
    }
}

impl Span {
    /// Rows to skip and to read from the other end, when that is nearer; otherwise `None`.
    pub(crate) fn turned(&self, size: i64) -> Option<(i64, i64)> {
        let size = size.min(self.rows - self.skip);
        let skip = self.rows - self.skip - size;
        (skip < self.skip).then_some((skip, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(rows: &[(i32, i64)]) -> Blocks {
        Blocks(rows.iter().copied().collect())
    }

    #[test]
    fn a_page_is_found_in_the_blocks_that_hold_it() {
        let blocks = blocks(&[(0, 5), (1, 10), (7, 3)]);
        assert_eq!(blocks.total(), 18);
        let span = |offset, size, is_descending| blocks.page(offset, size, is_descending);
        let of = |from: i32, through: i32, rows, skip| {
            Some(Span {
                from: first_of(from),
                through: first_of(through + 1) - 1,
                rows,
                skip,
            })
        };
        assert_eq!(span(0, 5, false), of(0, 0, 5, 0));
        assert_eq!(span(0, 6, false), of(0, 1, 15, 0));
        assert_eq!(span(6, 10, false), of(1, 7, 13, 1));
        assert_eq!(span(0, 2, true), of(7, 7, 3, 0));
        assert_eq!(span(2, 3, true), of(1, 7, 13, 2));
        assert_eq!(span(17, 10, true), of(0, 0, 5, 4));
        assert_eq!(span(18, 10, true), None);
    }

    #[test]
    fn a_page_near_the_end_of_its_blocks_is_read_from_there() {
        let span = |rows, skip| Span {
            from: 0,
            through: 9,
            rows,
            skip,
        };
        assert_eq!(span(100, 0).turned(10), None);
        assert_eq!(span(100, 90).turned(10), Some((0, 10)));
        assert_eq!(span(95, 90).turned(10), Some((0, 5)));
        assert_eq!(span(100, 60).turned(10), Some((30, 10)));
        assert_eq!(span(100, 45).turned(10), None);
    }
}
