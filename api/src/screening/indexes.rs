//! Indexes of the lists that a tenant screens against, in the memory of a node.
//!
//! An index of half a million names is built within some seconds. Searches in other lists don't wait for it; those in the
//! same list may take the version before.

use super::{
    ScreeningError,
    store::{Listed, Store},
};
use caudal_journal::WithCauses;
use caudal_screening::Index;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::OnceCell;

/// A list's index, as of a version.
#[derive(Clone)]
pub struct Loaded {
    pub digest: Vec<u8>,
    pub index: Arc<Index>,
    pub places: Arc<HashMap<String, usize>>,
}

/// Scope and name of a list.
type Named = (String, String);

#[derive(Default)]
struct Known {
    /// By digest: one for equal lists of several tenants.
    slots: HashMap<Vec<u8>, Arc<OnceCell<Loaded>>>,
    /// The version that was last searched.
    latest: HashMap<Named, Loaded>,
    /// Digests that are built while searches take the version before.
    ahead: Vec<Vec<u8>>,
}

pub struct Indexes {
    store: Store,
    known: Mutex<Known>,
    /// One list is read and built at a time: that takes several times the memory of its index.
    building: tokio::sync::Mutex<()>,
}

fn named(list: &Listed) -> Named {
    (list.scope.clone(), list.name.clone())
}

impl Indexes {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            known: Mutex::default(),
            building: tokio::sync::Mutex::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets lists that there are no longer, and versions that were replaced.
    pub fn retain(&self, lists: &[Listed]) {
        let mut known = self.known();
        let Known { slots, latest, .. } = &mut *known;
        slots.retain(|digest, _| lists.iter().any(|list| list.digest == *digest));
        latest.retain(|(scope, name), _| lists.iter().any(|list| (&list.scope, &list.name) == (scope, name)));
    }

    /// The index of a list. Who needs one that is being built waits for it.
    pub async fn get(&self, list: &Listed) -> Result<Loaded, ScreeningError> {
        let slot = self.known().slots.entry(list.digest.clone()).or_default().clone();
        let loaded = slot.get_or_try_init(|| self.build(list)).await?.clone();
        self.known().latest.insert(named(list), loaded.clone());
        Ok(loaded)
    }

    /// The index of a list; while it is built that of the version before, if there is one.
    pub async fn at_hand(self: &Arc<Self>, list: &Listed) -> Result<Loaded, ScreeningError> {
        let before = {
            let mut known = self.known();
            let is_built = known.slots.get(&list.digest).is_some_and(|slot| slot.initialized());
            let before = known.latest.get(&named(list)).filter(|_| !is_built).cloned();
            if before.is_some() && !known.ahead.contains(&list.digest) {
                known.ahead.push(list.digest.clone());
                tokio::spawn(self.clone().build_ahead(list.clone()));
            }
            before
        };
        match before {
            Some(before) => Ok(before),
            None => self.get(list).await,
        }
    }

    /// A list that can't be used leaves nothing to search in: who needs it is refused.
    async fn build_ahead(self: Arc<Self>, list: Listed) {
        if let Err(error) = self.get(&list).await {
            tracing::warn!(list = list.name, error = %WithCauses(&error), "the new version of a list can't be used");
            self.known().latest.remove(&named(&list));
        }
        self.known().ahead.retain(|digest| *digest != list.digest);
    }

    async fn build(&self, list: &Listed) -> Result<Loaded, ScreeningError> {
        let _alone = self.building.lock().await;
        let content = self.store.content(list).await?;
        let digest = list.digest.clone();
        let built = tokio::task::spawn_blocking(move || {
            let index = Index::build(content.entries()?);
            let places = index.entries().iter().enumerate();
            let places = places.map(|(place, entry)| (entry.id.clone(), place)).collect();
            Ok(Loaded {
                digest,
                index: Arc::new(index),
                places: Arc::new(places),
            })
        });
        built.await.map_err(|_| ScreeningError::Interrupted)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screening::store::{About, EVERYBODY, Packer};
    use caudal_journal::Keyring;
    use caudal_postgres_testing::TestDatabase;
    use caudal_screening::{Entry, ListedName};
    use chrono::Utc;
    use std::time::Duration;

    struct Lists {
        _database: TestDatabase,
        indexes: Arc<Indexes>,
    }

    impl Lists {
        async fn new() -> Self {
            let database = TestDatabase::new().await;
            let keyring = Keyring::generate().unwrap();
            let store = Store::new(database.connect().await, &keyring);
            Self {
                _database: database,
                indexes: Arc::new(Indexes::new(store)),
            }
        }

        /// Loads a list of one name.
        async fn load(&self, list: &str, name: &str) -> Listed {
            let mut packer = Packer::default();
            packer.take(Entry {
                id: "1".to_owned(),
                names: vec![ListedName::strong(name)],
                ..Entry::default()
            });
            let about = About {
                scope: EVERYBODY.to_owned(),
                name: list.to_owned(),
                format: "csv",
                published: None,
                now: Utc::now(),
            };
            let store = &self.indexes.store;
            assert!(store.put(about, packer.finish().unwrap()).await.unwrap());
            let lists = store.catalogue().await.unwrap();
            self.indexes.retain(&lists);
            lists.into_iter().find(|own| own.name == list).unwrap()
        }
    }

    #[tokio::test]
    async fn while_a_new_version_is_built_its_list_is_searched_as_before_and_others_are_not_waited_for() {
        let lists = Lists::new().await;
        let before = lists.load("first", "Ana").await;
        let other = lists.load("second", "Eva").await;
        for list in [&before, &other] {
            // The first search has nothing to go on with: it waits.
            assert_eq!(lists.indexes.at_hand(list).await.unwrap().digest, list.digest);
        }
        let new = lists.load("first", "Ida").await;
        let busy = lists.indexes.building.lock().await;
        assert_eq!(lists.indexes.at_hand(&new).await.unwrap().digest, before.digest);
        assert_eq!(lists.indexes.get(&other).await.unwrap().digest, other.digest);
        let waited = tokio::time::timeout(Duration::from_millis(50), lists.indexes.get(&new)).await;
        assert!(waited.is_err(), "it is not built");
        drop(busy);
        assert_eq!(lists.indexes.get(&new).await.unwrap().digest, new.digest);
        assert_eq!(lists.indexes.at_hand(&new).await.unwrap().digest, new.digest);
    }

    #[tokio::test]
    async fn a_new_version_that_was_not_written_with_the_key_file_stops_searches_in_its_list() {
        let lists = Lists::new().await;
        let before = lists.load("first", "Ana").await;
        lists.indexes.at_hand(&before).await.unwrap();
        let mut forged = lists.load("first", "Ida").await;
        forged.entries += 1;
        let _ = lists.indexes.at_hand(&forged).await;
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while lists.indexes.at_hand(&forged).await.is_ok() {
            assert!(
                std::time::Instant::now() < deadline,
                "it is searched as before for good"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
