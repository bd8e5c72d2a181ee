//! Working set of rows: loaded once, changed in memory, written once.

use super::{Column as _, Row, select_list};
use caudal_domain::ids::TenantId;
use sqlx::PgConnection;
use std::collections::{HashMap, HashSet};

/// Batches without a change after which a postponed row is written: the usual life of a remittance in the log of a large
/// tenant, so that most of its rows are written once.
const MAX_AGE: u32 = 5;
/// Postponed rows per table: at most some 60 MB.
const MAX_POSTPONED: usize = 40_000;

/// Rows of a table that a batch of events affects.
#[derive(Debug)]
pub(crate) struct Rows<R: Row> {
    slots: HashMap<R::Key, Slot<R>>,
    /// Rows of earlier batches that the table does not have yet.
    ahead: HashMap<R::Key, UnwrittenRow<R>>,
}

/// A row newer than the table's.
#[derive(Debug)]
struct UnwrittenRow<R> {
    row: R,
    /// Batches since its last change; `None` while it is being written.
    age: Option<u32>,
}

/// Postponed writes of a working set, for tables that nobody reads meanwhile.
///
/// **Invariant**: a row is in the table, being written, or postponed; the newest version is the one in memory.
pub(crate) trait Postponed {
    /// Postpones the changed rows, and takes up those to be written with this batch.
    fn postpone(&mut self);
    /// Takes up all postponed rows, to be written with this batch.
    fn recall(&mut self);
    /// The batch's writes are on their way: the next batch still finds their rows here.
    fn sent(&mut self);
}

impl<R: Row> Postponed for Rows<R> {
    fn postpone(&mut self) {
        // What the batch before was writing is written by now.
        self.ahead.retain(|_, ahead| ahead.age.is_some());
        if self.ahead.len() + self.slots.len() > MAX_POSTPONED {
            return self.recall();
        }
        let due = self.ahead.extract_if(|_, ahead| {
            let age = ahead.age.unwrap_or(MAX_AGE) + 1;
            ahead.age = Some(age);
            age > MAX_AGE
        });
        let due: Vec<(R::Key, R)> = due.map(|(key, ahead)| (key, ahead.row)).collect();
        for (key, slot) in self.slots.drain().filter(|(_, slot)| slot.dirty) {
            let row = slot.row;
            self.ahead.insert(key, UnwrittenRow { row, age: Some(0) });
        }
        self.slots = due
            .into_iter()
            .map(|(key, row)| (key, Slot { row, dirty: true }))
            .collect();
    }

    fn recall(&mut self) {
        for (key, UnwrittenRow { row, age }) in self.ahead.drain() {
            if age.is_some() {
                self.slots.insert(key, Slot { row, dirty: true });
            }
        }
    }

    fn sent(&mut self) {
        for (key, slot) in self.slots.drain().filter(|(_, slot)| slot.dirty) {
            let row = slot.row;
            self.ahead.insert(key, UnwrittenRow { row, age: None });
        }
    }
}

#[derive(Debug)]
struct Slot<R> {
    row: R,
    dirty: bool,
}

impl<R: Row> Default for Rows<R> {
    fn default() -> Self {
        Self {
            slots: HashMap::new(),
            ahead: HashMap::new(),
        }
    }
}

impl<R: Row> Rows<R> {
    /// Loads the rows whose first key column is one of `keys`.
    pub(crate) async fn load(
        &mut self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        keys: impl IntoIterator<Item = R::First>,
    ) -> Result<(), sqlx::Error> {
        let mut wanted: HashSet<R::First> = keys.into_iter().collect();
        if !self.ahead.is_empty() {
            let taken = self.ahead.extract_if(|_, ahead| wanted.contains(ahead.row.first()));
            for (key, UnwrittenRow { row, age }) in taken {
                let dirty = age.is_some();
                self.slots.insert(key, Slot { row, dirty });
            }
            if R::KEYS.len() == 1 {
                for slot in self.slots.values() {
                    wanted.remove(slot.row.first());
                }
            }
        }
        let Some(key) = R::KEYS.first().filter(|_| !wanted.is_empty()) else {
            return Ok(());
        };
        let wanted: Vec<_> = wanted.iter().map(|key| key.to_wire()).collect();
        let text = format!(
            "SELECT {} FROM {} AS t WHERE t.tenant = $1 AND t.{key} = ANY ($2)",
            select_list::<R>("t", ""),
            R::TABLE
        );
        let found = sqlx::query(&text)
            .bind(tenant.as_str())
            .bind(wanted)
            .fetch_all(connection)
            .await?;
        for row in &found {
            let row = R::read(row, "")?;
            self.slots.entry(row.key()).or_insert(Slot { row, dirty: false });
        }
        Ok(())
    }

    /// Moves a row that the table does not have yet into the working set.
    fn take_up(&mut self, key: &R::Key) {
        if let Some(UnwrittenRow { row, age }) = self.ahead.remove(key) {
            let dirty = age.is_some();
            self.slots.insert(key.clone(), Slot { row, dirty });
        }
    }

    pub(crate) fn get(&self, key: &R::Key) -> Option<&R> {
        let slot = self.slots.get(key).map(|slot| &slot.row);
        slot.or_else(|| self.ahead.get(key).map(|ahead| &ahead.row))
    }

    /// All loaded or inserted rows, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &R> {
        self.slots.values().map(|slot| &slot.row)
    }

    /// Rows changed since the last [`Self::settle`].
    pub(super) fn changed(&self) -> Vec<&R> {
        let slots = self.slots.values().filter(|slot| slot.dirty);
        slots.map(|slot| &slot.row).collect()
    }

    /// A row to change.
    pub(crate) fn get_mut(&mut self, key: &R::Key) -> Option<&mut R> {
        self.take_up(key);
        let slot = self.slots.get_mut(key)?;
        slot.dirty = true;
        Some(&mut slot.row)
    }

    /// A row to change; created when missing.
    pub(crate) fn get_or_put(&mut self, key: R::Key, new: impl FnOnce(&R::Key) -> R) -> &mut R {
        self.take_up(&key);
        let slot = self.slots.entry(key).or_insert_with_key(|key| Slot {
            row: new(key),
            dirty: true,
        });
        slot.dirty = true;
        &mut slot.row
    }

    pub(crate) fn put(&mut self, row: R) {
        self.ahead.remove(&row.key());
        self.slots.insert(row.key(), Slot { row, dirty: true });
    }

    /// Marks all rows as written.
    pub(crate) fn settle(&mut self) {
        for slot in self.slots.values_mut() {
            slot.dirty = false;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }
}
