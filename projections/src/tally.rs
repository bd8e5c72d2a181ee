//! Tallies: how many rows a list has for each value that it can be narrowed by, counted by the projector. From them come
//! a big list's exact total and the place of any of its pages, which would otherwise cost a look at every row.
//!
//! A list in the order of the log is cut into blocks of positions. For a value (an agency, a currency, nothing at all)
//! the rows of each block are counted, so that a page far away is found by adding up blocks, and its rows by reading
//! within the few blocks that hold them.

use crate::{
    list::{Filter, ListSpec},
    page::ListQuery,
    snapshot::Snapshot,
    sql::Sql,
    table::Writes,
};
use sqlx::Row as _;
use std::collections::{BTreeMap, HashMap};

/// Positions of a block, as a power of two. Its rows are the most that a page has to step over, and those at the ends of
/// a period are counted one by one; the fewer blocks, the fewer rows to add up.
const BLOCK_BITS: u32 = 14;

/// The dimension of all rows of a list.
pub(crate) const ALL: &str = "";

/// What is counted together, of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    list: &'static str,
    dimension: &'static str,
    value: String,
    currency: String,
    part: i16,
    block: i32,
}

/// How many, and how much of the currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    rows: i64,
    amount: i64,
}

/// Where a row of a list is counted.
#[derive(Clone, Debug)]
pub(crate) struct Counted<'a> {
    pub(crate) list: &'static str,
    pub(crate) position: i64,
    /// The row's state, where the list can be narrowed by one besides anything else.
    pub(crate) part: i16,
    /// Its currency, likewise; empty where it has none.
    pub(crate) currency: &'a str,
    pub(crate) amount: i64,
    /// The values that the list can be narrowed by, [`ALL`] aside.
    pub(crate) values: Vec<(&'static str, String)>,
}

/// What a batch of events does to the tallies.
#[derive(Debug, Default)]
pub(crate) struct Tallies(HashMap<Key, Figures>);

/// Whether a row comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is there from now on.
    Comes,
    /// It was there before, so.
    Goes,
}

fn block_of(position: i64) -> i32 {
    i32::try_from(position >> BLOCK_BITS).unwrap_or(i32::MAX)
}

const fn first_of(block: i32) -> i64 {
    (block as i64) << BLOCK_BITS
}

impl Tallies {
    /// Counts a row, or one fewer.
    pub(crate) fn count(&mut self, change: Change, row: Counted<'_>) {
        let by = if change == Change::Comes { 1 } else { -1 };
        let block = block_of(row.position);
        for (dimension, value) in std::iter::once((ALL, String::new())).chain(row.values) {
            let key = Key {
                list: row.list,
                dimension,
                value,
                currency: row.currency.to_owned(),
                part: row.part,
                block,
            };
            let figures = self.0.entry(key).or_default();
            figures.rows += by;
            figures.amount = figures.amount.saturating_add(by * row.amount);
        }
    }

    /// Adds what others counted.
    pub(crate) fn add(&mut self, others: Self) {
        if self.0.is_empty() {
            self.0 = others.0;
            return;
        }
        for (key, by) in others.0 {
            let figures = self.0.entry(key).or_default();
            figures.rows += by.rows;
            figures.amount = figures.amount.saturating_add(by.amount);
        }
    }

    /// How many values are counted.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds what changed to what a batch writes, in the order of the keys.
    pub(crate) fn write(&self, writes: &mut Writes) -> Result<(), sqlx::Error> {
        let mut changed: Vec<_> = self
            .0
            .iter()
            .filter(|(_, figures)| **figures != Figures::default())
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        changed.sort_unstable_by_key(|(key, _)| *key);
        let changed = || changed.iter().copied();
        let texts = |text: fn(&Key) -> &str| changed().map(|(key, _)| text(key).to_owned()).collect::<Vec<_>>();
        let by = format!(
            "SELECT x.* FROM {}unnest({}::text[], {}::text[], {}::text[], {}::text[], {}::smallint[], {}::integer[],
                                  {}::bigint[], {}::bigint[])
                           AS x (list, dimension, value, currency, part, block, rows, amount)",
            writes.condition(),
            writes.send(texts(|key| key.list))?,
            writes.send(texts(|key| key.dimension))?,
            writes.send(texts(|key| &key.value))?,
            writes.send(texts(|key| &key.currency))?,
            writes.send(changed().map(|(key, _)| key.part).collect::<Vec<_>>())?,
            writes.send(changed().map(|(key, _)| key.block).collect::<Vec<_>>())?,
            writes.send(changed().map(|(_, figures)| figures.rows).collect::<Vec<_>>())?,
            writes.send(changed().map(|(_, figures)| figures.amount).collect::<Vec<_>>())?,
        );
        writes.also("counted", &by);
        // What nothing is left of has no row, however the events were batched. Nobody else writes the tenant's tallies
        // meanwhile, so that what a row will be is known before it is.
        const ENDS: &str = "t.tenant = $1 AND t.list = x.list AND t.dimension = x.dimension AND t.value = x.value
                            AND t.currency = x.currency AND t.part = x.part AND t.block = x.block
                            AND x.rows < 0 AND t.rows + x.rows = 0";
        let fewer = changed().any(|(_, figures)| figures.rows < 0);
        let stays = if fewer {
            writes.also(
                "ended",
                &format!("DELETE FROM tallies AS t USING counted AS x WHERE {ENDS}"),
            );
            format!(" WHERE x.rows >= 0 OR NOT EXISTS (SELECT FROM tallies AS t WHERE {ENDS})")
        } else {
            String::new()
        };
        writes.also(
            "tallied",
            &format!(
                "INSERT INTO tallies AS t (tenant, list, dimension, value, currency, part, block, rows, amount)
                 SELECT $1, x.* FROM counted AS x{stays}
                 ON CONFLICT (tenant, list, dimension, value, currency, part, block)
                 DO UPDATE SET rows = t.rows + EXCLUDED.rows, amount = t.amount + EXCLUDED.amount"
            ),
        );
        Ok(())
    }
}

/// How a list is counted.
#[derive(Debug)]
pub(crate) struct TallySpec {
    /// Its name in the tallies.
    pub(crate) list: &'static str,
    /// A row's position: what blocks are made of. A list sorted by it is paged by blocks.
    pub(crate) position: &'static str,
    /// A row's time, which never goes back from one position to the next.
    pub(crate) time: &'static str,
    /// Whether an index is in the order of that time.
    pub(crate) has_index_of_time: bool,
    /// What each filter does that the tallies know; a list narrowed by another one is counted row by row.
    pub(crate) filters: &'static [(&'static str, Narrows)],
}

/// What a filter narrows tallies by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrows {
    /// A dimension, by the value as it is written.
    Value(&'static str),
    /// A dimension, by an id.
    Id(&'static str),
    /// The part, where the value has one.
    Part(fn(&str) -> Option<i16>),
    /// The currency.
    Currency,
    /// Positions: the filter is one of days, of the time of the positions.
    Days,
}

/// What a query asks of a list's tallies.
#[derive(Debug, Default)]
struct Asked {
    value: Option<(&'static str, String)>,
    part: Option<i16>,
    currency: Option<String>,
    has_days: bool,
}

impl Asked {
    /// None where the tallies can't tell.
    fn of(spec: &TallySpec, scope: Option<(&'static str, String)>, query: &ListQuery) -> Option<Self> {
        let mut asked = Self {
            value: scope,
            ..Self::default()
        };
        if query.query.is_some() {
            return None;
        }
        for (name, value) in &query.filters {
            let known = spec.filters.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            let (dimension, value) = match known?.1 {
                Narrows::Value(dimension) => (dimension, value.clone()),
                Narrows::Id(dimension) => (dimension, uuid::Uuid::parse_str(value).ok()?.to_string()),
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
    fn tallies(&self, snapshot: &Snapshot, spec: &TallySpec) -> Sql {
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

/// The rows of a list in blocks: what of it a query asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blocks(BTreeMap<i32, i64>);

/// Where a page's rows are: from one position to another, both included, where there are so many rows, of which so many
/// are stepped over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: i64,
    pub(crate) through: i64,
    pub(crate) rows: i64,
    pub(crate) skip: i64,
}

impl Blocks {
    /// Counts a list by its tallies; none where they can't tell. `from` is the list's `FROM … WHERE …` with all filters.
    pub(crate) async fn count(
        snapshot: &mut Snapshot,
        list: &ListSpec,
        spec: &TallySpec,
        scope: Option<(&'static str, String)>,
        query: &ListQuery,
        from: &Sql,
    ) -> Result<Option<Self>, crate::error::ReadError> {
        let Some(asked) = Asked::of(spec, scope, query) else {
            return Ok(None);
        };
        let (first, last) = if asked.has_days {
            positions(snapshot, list, spec, query).await?
        } else {
            (i64::MIN, i64::MAX)
        };
        if first > last {
            return Ok(Some(Self::default()));
        }
        let mut tallies = asked
            .tallies(snapshot, spec)
            .after("SELECT t.block, sum(t.rows)::bigint AS rows");
        if first > i64::MIN {
            tallies.push(" AND t.block >= ").bind(i64::from(block_of(first)));
        }
        if last < i64::MAX {
            tallies.push(" AND t.block <= ").bind(i64::from(block_of(last)));
        }
        tallies.push(" GROUP BY t.block");
        let mut blocks = BTreeMap::new();
        for row in snapshot.fetch(&tallies).await? {
            blocks.insert(row.try_get("block")?, row.try_get("rows")?);
        }
        // The blocks that a period cuts through are counted row by row.
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
                let found = snapshot.fetch(&counted).await?;
                *rows = found.first().map_or(Ok(0), |row| row.try_get("rows"))?;
            }
        }
        blocks.retain(|_, rows| *rows > 0);
        Ok(Some(Self(blocks)))
    }

    /// How many rows there are.
    pub(crate) fn total(&self) -> i64 {
        self.0.values().sum()
    }

    /// Where a page of `size` rows after the first `offset` is; none where there is no such page.
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
    /// The page from the other end, which is nearer: so many rows to step over there, and so many of the page. None where
    /// this end is as near.
    pub(crate) fn turned(&self, size: i64) -> Option<(i64, i64)> {
        let size = size.min(self.rows - self.skip);
        let skip = self.rows - self.skip - size;
        (skip < self.skip).then_some((skip, size))
    }
}

/// Adds that a row's position lies between two.
pub(crate) fn between(sql: &mut Sql, spec: &TallySpec, from: i64, through: i64) {
    sql.push(&format!(" AND {} BETWEEN ", spec.position)).bind(from);
    sql.push(" AND ").bind(through);
}

/// Adds the positions that a query's days leave of a list, where it has days of the time of its positions.
pub(crate) async fn within_days(
    snapshot: &mut Snapshot,
    list: &ListSpec,
    spec: &TallySpec,
    query: &ListQuery,
    sql: &mut Sql,
) -> Result<(), crate::error::ReadError> {
    let (first, last) = positions(snapshot, list, spec, query).await?;
    if first > i64::MIN {
        sql.push(&format!(" AND {} >= ", spec.position)).bind(first);
    }
    if last < i64::MAX {
        sql.push(&format!(" AND {} <= ", spec.position)).bind(last);
    }
    Ok(())
}

/// The first and the last position that a query's days leave of a list: filters of days on the time of its positions.
async fn positions(
    snapshot: &mut Snapshot,
    list: &ListSpec,
    spec: &TallySpec,
    query: &ListQuery,
) -> Result<(i64, i64), crate::error::ReadError> {
    let (mut first, mut last) = (i64::MIN, i64::MAX);
    for (name, value) in &query.filters {
        let filter = list.filters.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        match filter {
            Some((name, Filter::FromDay(time))) if *time == spec.time => {
                let begins = crate::list::beginning(name, value, snapshot.zone())?;
                first = first.max(edge(snapshot, spec, begins).await?);
            }
            Some((name, Filter::ThroughDay(time))) if *time == spec.time => {
                let ends = crate::list::end(name, value, snapshot.zone())?;
                last = last.min(edge(snapshot, spec, ends).await?.saturating_sub(1));
            }
            _ => {}
        }
    }
    Ok((first, last))
}

/// The first position of a list at a moment or later; past all positions where there is none.
async fn edge(
    snapshot: &mut Snapshot,
    spec: &TallySpec,
    moment: chrono::DateTime<chrono::Utc>,
) -> Result<i64, crate::error::ReadError> {
    let ((table, alias), time) = (spec.table(), spec.time);
    if !spec.has_index_of_time {
        return search(snapshot, spec, moment).await;
    }
    let mut sql = snapshot
        .rows(table, alias)
        .after(&format!("SELECT {} AS position", spec.position));
    sql.push(&format!(" AND {time} >= ")).bind(moment);
    sql.push(&format!(" ORDER BY {time}, {} LIMIT 1", spec.position));
    let rows = snapshot.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(i64::MAX), |row| row.try_get("position"))?)
}

/// The same where no index is in the order of time: time never goes back, so halves are looked at, and halves of those.
async fn search(
    snapshot: &mut Snapshot,
    spec: &TallySpec,
    moment: chrono::DateTime<chrono::Utc>,
) -> Result<i64, crate::error::ReadError> {
    let ((table, alias), time) = (spec.table(), spec.time);
    let (mut before, mut at) = (0, snapshot.position() + 1);
    while at - before > 1 {
        let middle = before + (at - before) / 2;
        let mut sql = Sql::new(format!("SELECT {time} >= "));
        sql.bind(moment);
        sql.push(&format!(" AS is_later FROM {table} AS {alias} WHERE {alias}.tenant = "));
        sql.bind(snapshot.tenant());
        sql.push(&format!(" AND {} >= ", spec.position)).bind(middle);
        sql.push(&format!(" ORDER BY {} LIMIT 1", spec.position));
        let rows = snapshot.fetch(&sql).await?;
        if rows.first().map_or(Ok(true), |row| row.try_get("is_later"))? {
            at = middle;
        } else {
            before = middle;
        }
    }
    Ok(if at > snapshot.position() { i64::MAX } else { at })
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
    query: &ListQuery,
) -> Result<Option<Vec<Sum>>, crate::error::ReadError> {
    let Some(asked) = Asked::of(spec, scope, query).filter(|asked| !asked.has_days) else {
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

impl TallySpec {
    /// The table of the positions, and its alias in them.
    fn table(&self) -> (&'static str, &'static str) {
        (self.list, self.position.split('.').next().unwrap_or_default())
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

    #[test]
    fn what_comes_and_goes_leaves_nothing() {
        let mut tallies = Tallies::default();
        let row = || Counted {
            list: "remittances",
            position: 70_000,
            part: 0,
            currency: "CUP",
            amount: 5_00,
            values: vec![("agency", "a".to_owned())],
        };
        tallies.count(Change::Comes, row());
        tallies.count(Change::Goes, row());
        assert!(tallies.0.values().all(|figures| *figures == Figures::default()));
    }
}
