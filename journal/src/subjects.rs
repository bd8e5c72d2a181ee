//! The data keys of people, as they are read and kept in memory.

use crate::{
    cache::Cache,
    keys::{Keyring, Secret},
    seal,
};
use caudal_domain::ids::{SubjectId, TenantId};
use sqlx::{PgConnection, Row as _};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// How many people's keys are kept in memory: a page of a list takes 100, and each takes about 100 bytes.
const CACHED_KEYS: usize = 20_000;

/// How long a key is used before it is read again. A node evicts the key of a person as soon as it sees that the person
/// was forgotten; this bounds how long one that sees nothing of the tenant could go on with it.
const KEY_LIFETIME: Duration = Duration::from_secs(60);

/// A person's data key.
#[derive(Clone, Debug)]
pub(crate) enum SubjectKey {
    /// It can be used.
    Known(Secret),
    /// The person was forgotten, and its key destroyed.
    Forgotten,
    /// It can't be unwrapped: a wrong master key, or damaged.
    Locked,
}

/// The keys of the people that were dealt with lately.
#[derive(Debug)]
pub(crate) struct SubjectKeys {
    cache: Mutex<Cache<(TenantId, SubjectId), (SubjectKey, Instant)>>,
}

impl Default for SubjectKeys {
    fn default() -> Self {
        Self {
            cache: Mutex::new(Cache::new(CACHED_KEYS)),
        }
    }
}

impl SubjectKeys {
    /// A key that was used lately.
    pub(crate) fn get(&self, tenant: &TenantId, subject: SubjectId) -> Option<SubjectKey> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let (key, since) = cache.get(&(tenant.clone(), subject))?;
        (since.elapsed() < KEY_LIFETIME).then_some(key)
    }

    /// Keeps a key that the database holds.
    pub(crate) fn keep(&self, tenant: &TenantId, subject: SubjectId, key: SubjectKey) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.insert((tenant.clone(), subject), (key, Instant::now()));
    }

    /// Evicts the key of a person who was forgotten; it is wiped from memory.
    pub(crate) fn forget(&self, tenant: &TenantId, subject: SubjectId) {
        self.keep(tenant, subject, SubjectKey::Forgotten);
    }

    /// The keys of people, on a connection whose transaction has set the tenant. Whoever has none is left out.
    pub(crate) async fn load(
        &self,
        connection: &mut PgConnection,
        keyring: &Keyring,
        tenant: &TenantId,
        subjects: impl IntoIterator<Item = SubjectId>,
    ) -> Result<HashMap<SubjectId, SubjectKey>, sqlx::Error> {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        for subject in subjects {
            if found.contains_key(&subject) || missing.contains(&subject.0) {
                continue;
            }
            match self.get(tenant, subject) {
                Some(key) => {
                    found.insert(subject, key);
                }
                None => missing.push(subject.0),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let rows = sqlx::query(
            "SELECT subject, master, wrapped FROM journal.subject_keys WHERE tenant = $1 AND subject = ANY ($2)",
        )
        .bind(tenant.as_str())
        .bind(missing)
        .fetch_all(connection)
        .await?;
        for row in rows {
            let subject = SubjectId(row.try_get::<Uuid, _>("subject")?);
            let master: Option<String> = row.try_get("master")?;
            let wrapped: Option<Vec<u8>> = row.try_get("wrapped")?;
            let key = unwrapped(keyring, tenant, subject, master.as_deref(), wrapped.as_deref());
            self.keep(tenant, subject, key.clone());
            found.insert(subject, key);
        }
        Ok(found)
    }
}

/// A stored key: without its wrapped form its person was forgotten.
pub(crate) fn unwrapped(
    keyring: &Keyring,
    tenant: &TenantId,
    subject: SubjectId,
    master: Option<&str>,
    wrapped: Option<&[u8]>,
) -> SubjectKey {
    match (master, wrapped) {
        (Some(master), Some(wrapped)) => {
            seal::unwrap(keyring, tenant, subject, master, wrapped).map_or(SubjectKey::Locked, SubjectKey::Known)
        }
        _ => SubjectKey::Forgotten,
    }
}
