//! Maintenance of tallies by the projector.

use super::{ALL, block_of};
use crate::table::Writes;
use std::collections::HashMap;

/// Key of a tally, within a tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    list: &'static str,
    dimension: &'static str,
    value: String,
    currency: String,
    part: i16,
    block: i32,
}

/// Row count, and sum of the currency's amounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    rows: i64,
    amount: i64,
}

/// Tally keys of a row.
#[derive(Clone, Debug)]
pub(crate) struct Counted<'a> {
    pub(crate) list: &'static str,
    pub(crate) position: i64,
    /// State of the row, for lists with a state filter that combines with any dimension.
    pub(crate) part: i16,
    /// Currency of the row; empty without one.
    pub(crate) currency: &'a str,
    pub(crate) amount: i64,
    /// Dimension values of the row, besides [`ALL`].
    pub(crate) values: Vec<(&'static str, String)>,
}

/// Tally changes of a batch of events.
#[derive(Debug, Default)]
pub(crate) struct Tallies(HashMap<Key, Figures>);

/// Direction of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The row exists from now on.
    Comes,
    /// The row existed in this state before.
    Goes,
}

impl Tallies {
    /// Adds or subtracts a row.
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

    /// Adds rows of a list without states and amounts.
    pub(crate) fn count_rows(
        &mut self,
        list: &'static str,
        (dimension, value): (&'static str, String),
        block: i32,
        rows: i64,
    ) {
        let key = Key {
            list,
            dimension,
            value,
            currency: String::new(),
            part: 0,
            block,
        };
        self.0.entry(key).or_default().rows += rows;
    }

    /// Merges other changes.
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

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the changes to a batch's writes, ordered by key.
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
        // Tallies that reach zero have no row, however the events were batched. Nobody else writes the tenant's tallies
        // meanwhile, so the result is known before the write.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_additions_and_removals_cancel_out() {
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
