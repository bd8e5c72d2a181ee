//! The lists of the installation in the memory of a node, and those of them that a tenant has chosen.

use super::{
    ScreeningError,
    indexes::Indexes,
    search::{Lists, ScratchPool, Searched},
    store::{EVERYBODY, Listed, Store, StoreError, stored_name},
};
use caudal_domain::{
    TenantState,
    customer::{ScreeningRule, screening::MAX_CANDIDATES},
    ids::TenantId,
};
use caudal_journal::Keyring;
use caudal_postgres::Database;
use caudal_screening::Settings;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// A new version of a list is used by every node after this at the latest.
const CATALOGUE_AGE: Duration = Duration::from_secs(5);

/// Which version of a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFreshness {
    /// The one in the database. The first who needs it waits some seconds for its index.
    Newest,
    /// While its index is built the one before it: see [`Lists::is_outdated`].
    AtHand,
    /// As [`Self::AtHand`], to show entries: a list whose entries are not stored here is left out. Nothing is cleared by it.
    Shown,
}

/// What a tenant's log says of its lists.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub rule: ScreeningRule,
    /// Version of each own list that a manager loaded.
    own: BTreeMap<String, String>,
}

impl Chosen {
    pub fn of(state: &TenantState) -> Self {
        let own = state.own_lists().map(|list| (list.name.clone(), list.version.clone()));
        Self {
            rule: state.screening_rule().clone(),
            own: own.collect(),
        }
    }

    /// Names under which the versions in use are stored.
    pub fn stored(&self) -> Vec<String> {
        let own = self.own.iter();
        own.map(|(name, version)| stored_name(name, version)).collect()
    }

    /// Names of own lists.
    pub fn own(&self) -> impl Iterator<Item = &str> {
        self.own.keys().map(String::as_str)
    }

    pub fn is_own(&self, name: &str) -> bool {
        self.own.contains_key(name)
    }
}

#[derive(Default)]
struct Catalogue {
    lists: Arc<Vec<Listed>>,
    read_at: Option<Instant>,
}

/// The lists of the installation in the memory of a node.
pub struct Screening {
    pub store: Store,
    /// This process, as a holder of runs.
    pub node: Uuid,
    catalogue: Mutex<Catalogue>,
    indexes: Arc<Indexes>,
    pub scratches: Arc<ScratchPool>,
}

impl Screening {
    pub fn new(database: Database, keyring: &Keyring) -> Self {
        let store = Store::new(database, keyring);
        Self {
            indexes: Arc::new(Indexes::new(store.clone())),
            store,
            node: Uuid::now_v7(),
            catalogue: Mutex::default(),
            scratches: Arc::default(),
        }
    }

    /// Looks at the database the next time that lists are needed.
    pub fn forget_catalogue(&self) {
        self.catalogue.lock().unwrap_or_else(PoisonError::into_inner).read_at = None;
    }

    /// All lists; at most some seconds old.
    pub async fn catalogue(&self) -> Result<Arc<Vec<Listed>>, StoreError> {
        {
            let known = self.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
            if known.read_at.is_some_and(|at| at.elapsed() < CATALOGUE_AGE) {
                return Ok(known.lists.clone());
            }
        }
        let lists = Arc::new(self.store.catalogue().await?);
        {
            let mut known = self.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
            known.lists = lists.clone();
            known.read_at = Some(Instant::now());
        }
        self.indexes.retain(&lists);
        Ok(lists)
    }

    /// The lists of a tenant's rule.
    ///
    /// # Errors
    /// [`ScreeningError::ListMissing`] for a chosen list whose entries are not stored here, own or of the operator: a search
    /// without it would clear customers in silence.
    pub async fn lists(
        &self,
        tenant: &TenantId,
        chosen: &Chosen,
        wanted: ListFreshness,
    ) -> Result<Lists, ScreeningError> {
        let mut catalogue = self.catalogue().await?;
        let lists = &chosen.rule.lists;
        let lacks = |catalogue: &[Listed]| {
            let mut names = lists.keys();
            names.any(|name| named(catalogue, tenant, chosen, name).is_none())
        };
        // The log may be ahead of what was read of the lists: another node has just stored the version.
        if lacks(&catalogue) {
            self.forget_catalogue();
            catalogue = self.catalogue().await?;
        }
        let mut lists = Vec::with_capacity(chosen.rule.lists.len());
        for (name, threshold) in &chosen.rule.lists {
            let Some(list) = named(&catalogue, tenant, chosen, name) else {
                if wanted != ListFreshness::Shown {
                    return Err(ScreeningError::ListMissing(name.clone()));
                }
                continue;
            };
            let loaded = match wanted {
                ListFreshness::Newest => self.indexes.get(list).await?,
                ListFreshness::AtHand | ListFreshness::Shown => self.indexes.at_hand(list).await?,
            };
            lists.push(Searched {
                name: name.clone(),
                settings: Settings {
                    threshold: *threshold,
                    candidates: MAX_CANDIDATES,
                    ..Settings::default()
                },
                is_outdated: loaded.digest != list.digest,
                loaded,
            });
        }
        Ok(Lists(lists))
    }
}

/// A list by its name. An own list that a manager loaded is its version in use and no other; one of the operator for the
/// tenant comes before one of the installation with the same name.
pub fn named<'a>(catalogue: &'a [Listed], tenant: &TenantId, chosen: &Chosen, name: &str) -> Option<&'a Listed> {
    let of = |scope: &str, name: &str| catalogue.iter().find(|list| list.scope == scope && list.name == name);
    match chosen.own.get(name) {
        Some(version) => of(tenant.as_str(), &stored_name(name, version)),
        None => of(tenant.as_str(), name).or_else(|| of(EVERYBODY, name)),
    }
}
