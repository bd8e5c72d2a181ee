//! Bounded least-recently-used map, approximated by two generations.

use std::{collections::HashMap, hash::Hash, mem};

/// A use moves an entry to the young generation; when that is full, the old generation is dropped. All operations take
/// constant time; at most `limit` entries are held.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    generation: usize,
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            generation: limit.div_ceil(2).max(1),
        }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.old.remove(&key);
        if self.young.len() >= self.generation && !self.young.contains_key(&key) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_the_limit_holds() {
        let mut cache = Cache::new(4);
        for key in 0..100 {
            cache.insert(key, key);
            assert_eq!(cache.get(&0), Some(0), "used every time, after {key}");
            assert!(cache.young.len() + cache.old.len() <= 4);
        }
        assert_eq!(cache.get(&50), None);
        assert_eq!(cache.get(&99), Some(99));
    }

    #[test]
    fn the_last_value_counts_whatever_generation_holds_the_key() {
        let mut cache = Cache::new(2);
        cache.insert("a", 1);
        cache.insert("b", 1);
        cache.insert("a", 2);
        assert_eq!(cache.get(&"a"), Some(2));
    }
}
