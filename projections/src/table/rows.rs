//! Working set of rows: loaded once, changed in memory, written once.

use super::{Column, Row, select_list};
use caudal_domain::ids::TenantId;
use sqlx::PgConnection;
use std::collections::HashMap;

/// Rows of a table that a batch of events affects.
#[derive(Debug)]
pub(crate) struct Rows<R: Row> {
    slots: HashMap<R::Key, Slot<R>>,
}

#[derive(Debug)]
struct Slot<R> {
    row: R,
    dirty: bool,
}

impl<R: Row> Default for Rows<R> {
    fn default() -> Self {
        Self { slots: HashMap::new() }
    }
}

impl<R: Row> Rows<R> {
    /// Loads the rows whose first key column is one of `keys`.
    pub(crate) async fn load<K: Column>(
        &mut self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<(), sqlx::Error> {
        let wanted: Vec<Option<K::Wire>> = keys.into_iter().map(|key| key.to_wire()).collect();
        let Some(key) = R::KEYS.first().filter(|_| !wanted.is_empty()) else {
            return Ok(());
        };
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

    pub(crate) fn get(&self, key: &R::Key) -> Option<&R> {
        self.slots.get(key).map(|slot| &slot.row)
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
        let slot = self.slots.get_mut(key)?;
        slot.dirty = true;
        Some(&mut slot.row)
    }

    /// A row to change; created when missing.
    pub(crate) fn get_or_put(&mut self, key: R::Key, new: impl FnOnce(&R::Key) -> R) -> &mut R {
        let slot = self.slots.entry(key).or_insert_with_key(|key| Slot {
            row: new(key),
            dirty: true,
        });
        slot.dirty = true;
        &mut slot.row
    }

    pub(crate) fn put(&mut self, row: R) {
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
