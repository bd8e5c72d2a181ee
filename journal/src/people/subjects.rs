//! Data keys of people: stored rows and an in-memory cache.

use crate::{
    beside::authenticity::{Mac, NotAuthentic, RowMac, RowMacs, Table, optional_moment},
    cache::Cache,
    error::JournalError,
    keys::{Keyring, Secret},
    people::encryption::{self, WrappedKey},
};
use caudal_domain::ids::{SubjectId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;
use uuid::Uuid;

/// Cache size in keys: a list page uses 100, and each takes about 100 bytes.
const CACHED_KEYS: usize = 20_000;

/// Cache TTL. A node evicts a person's key when it reads the erasure, or anything else of the person after it; the TTL
/// bounds how long a node that reads nothing of the person holds a destroyed key.
const KEY_LIFETIME: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub(crate) enum SubjectKey {
    Known(Secret),
    /// The person was erased and the key destroyed.
    Forgotten,
    /// The key can't be unwrapped: wrong master key, or damaged.
    Locked,
}

/// Cache of data keys.
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
    /// A cached key.
    pub(crate) fn get(&self, tenant: &TenantId, subject: SubjectId) -> Option<SubjectKey> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let (key, since) = cache.get(&(tenant.clone(), subject))?;
        (since.elapsed() < KEY_LIFETIME).then_some(key)
    }

    /// Caches a stored key.
    pub(crate) fn keep(&self, tenant: &TenantId, subject: SubjectId, key: SubjectKey) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.insert((tenant.clone(), subject), (key, Instant::now()));
    }

    /// Evicts an erased person's key and zeroes it.
    pub(crate) fn evict(&self, tenant: &TenantId, subject: SubjectId) {
        self.keep(tenant, subject, SubjectKey::Forgotten);
    }

    /// Loads people's keys on a connection whose transaction has set the tenant. People without a row are omitted.
    pub(crate) async fn load(
        &self,
        connection: &mut PgConnection,
        keyring: &Keyring,
        macs: &RowMacs,
        tenant: &TenantId,
        subjects: impl IntoIterator<Item = SubjectId>,
    ) -> Result<HashMap<SubjectId, SubjectKey>, JournalError> {
        let mut found = HashMap::new();
        let (mut known, mut missing) = (Vec::new(), Vec::new());
        for subject in subjects {
            if found.contains_key(&subject) || missing.contains(&subject.0) {
                continue;
            }
            match self.get(tenant, subject) {
                Some(key) => {
                    if !matches!(key, SubjectKey::Forgotten) {
                        known.push(subject.0);
                    }
                    found.insert(subject, key);
                }
                None => missing.push(subject.0),
            }
        }
        if known.is_empty() && missing.is_empty() {
            return Ok(found);
        }
        // Of people whose keys are known only those whom another node has forgotten meanwhile.
        let rows = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.subject_keys
              WHERE tenant = $1 AND (subject = ANY ($2) OR subject = ANY ($3) AND forgotten_at IS NOT NULL)",
            StoredKey::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(missing)
        .bind(known)
        .fetch_all(connection)
        .await?;
        for row in rows {
            let stored = StoredKey::from_row(&row)?;
            let subject = stored.subject;
            let key = stored.authentic(macs, tenant)?.unwrapped(keyring, tenant);
            self.keep(tenant, subject, key.clone());
            found.insert(subject, key);
        }
        Ok(found)
    }
}

/// A row of `journal.subject_keys`; a tombstone when it has no wrapped key.
#[derive(Debug)]
pub(crate) struct StoredKey<'r> {
    pub(crate) subject: SubjectId,
    pub(crate) master: Option<&'r str>,
    pub(crate) wrapped: Option<&'r [u8]>,
    pub(crate) forgotten_at: Option<DateTime<Utc>>,
    pub(crate) mac: Option<&'r [u8]>,
}

impl<'r> StoredKey<'r> {
    /// Columns to select beside `mac`.
    pub(crate) const COLUMNS: &'static str = "subject, master, wrapped, journal.micros(forgotten_at) AS forgotten_at";

    /// Reads a row with [`Self::COLUMNS`] and `mac`.
    pub(crate) fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            subject: SubjectId(row.try_get::<Uuid, _>("subject")?),
            master: row.try_get("master")?,
            wrapped: row.try_get("wrapped")?,
            forgotten_at: optional_moment(row, "forgotten_at")?,
            mac: row.try_get("mac")?,
        })
    }

    /// Expected MAC of the row.
    pub(crate) fn expected_mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        let Self {
            subject,
            master,
            wrapped,
            forgotten_at,
            ..
        } = self;
        mac(macs, tenant, *subject, *master, *wrapped, *forgotten_at)
    }

    /// The row after its MAC check.
    pub(crate) fn authentic(self, macs: &RowMacs, tenant: &TenantId) -> Result<Self, NotAuthentic> {
        self.expected_mac(macs, tenant).check(self.mac)?;
        Ok(self)
    }

    pub(crate) fn unwrapped(&self, keyring: &Keyring, tenant: &TenantId) -> SubjectKey {
        match (self.master, self.wrapped) {
            (Some(master), Some(wrapped)) => encryption::unwrap(keyring, tenant, self.subject, master, wrapped)
                .map_or(SubjectKey::Locked, SubjectKey::Known),
            _ => SubjectKey::Forgotten,
        }
    }
}

fn mac(
    macs: &RowMacs,
    tenant: &TenantId,
    subject: SubjectId,
    master: Option<&str>,
    wrapped: Option<&[u8]>,
    forgotten_at: Option<DateTime<Utc>>,
) -> RowMac {
    macs.row(Table::SubjectKeys, tenant)
        .key_uuid(subject.0)
        .optional(master, RowMac::text)
        .optional(wrapped, RowMac::bytes)
        .optional(forgotten_at, RowMac::time)
}

/// MAC of a data key's row.
pub(crate) fn key_mac(macs: &RowMacs, tenant: &TenantId, subject: SubjectId, key: &WrappedKey) -> Mac {
    mac(macs, tenant, subject, Some(&key.master), Some(&key.bytes), None).finish()
}

/// MAC of a tombstone's row.
pub(crate) fn tombstone_mac(macs: &RowMacs, tenant: &TenantId, subject: SubjectId, at: DateTime<Utc>) -> Mac {
    mac(macs, tenant, subject, None, None, Some(at)).finish()
}
