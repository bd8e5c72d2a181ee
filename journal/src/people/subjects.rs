//! The data keys of people, as they are read and kept in memory.

use crate::{
    beside::authenticity::{Mac, NotAuthentic, RowMac, RowMacs, Table, optional_moment},
    cache::Cache,
    error::JournalError,
    keys::{Keyring, Secret},
    people::seal::{self, WrappedKey},
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
        macs: &RowMacs,
        tenant: &TenantId,
        subjects: impl IntoIterator<Item = SubjectId>,
    ) -> Result<HashMap<SubjectId, SubjectKey>, JournalError> {
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
        let rows = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.subject_keys WHERE tenant = $1 AND subject = ANY ($2)",
            StoredKey::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(missing)
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

/// A row of `journal.subject_keys`: without its wrapped form, the person was forgotten.
#[derive(Debug)]
pub(crate) struct StoredKey<'r> {
    pub(crate) subject: SubjectId,
    pub(crate) master: Option<&'r str>,
    pub(crate) wrapped: Option<&'r [u8]>,
    pub(crate) forgotten_at: Option<DateTime<Utc>>,
    pub(crate) mac: Option<&'r [u8]>,
}

impl<'r> StoredKey<'r> {
    /// The columns to read, beside `mac`.
    pub(crate) const COLUMNS: &'static str = "subject, master, wrapped, journal.micros(forgotten_at) AS forgotten_at";

    /// From a row with [`Self::COLUMNS`] and `mac`.
    pub(crate) fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            subject: SubjectId(row.try_get::<Uuid, _>("subject")?),
            master: row.try_get("master")?,
            wrapped: row.try_get("wrapped")?,
            forgotten_at: optional_moment(row, "forgotten_at")?,
            mac: row.try_get("mac")?,
        })
    }

    /// The MAC that the row should have.
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

    /// The row, once its MAC is found to fit.
    pub(crate) fn authentic(self, macs: &RowMacs, tenant: &TenantId) -> Result<Self, NotAuthentic> {
        self.expected_mac(macs, tenant).check(self.mac)?;
        Ok(self)
    }

    pub(crate) fn unwrapped(&self, keyring: &Keyring, tenant: &TenantId) -> SubjectKey {
        match (self.master, self.wrapped) {
            (Some(master), Some(wrapped)) => seal::unwrap(keyring, tenant, self.subject, master, wrapped)
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

/// The MAC of the row of a person who has a key.
pub(crate) fn key_mac(macs: &RowMacs, tenant: &TenantId, subject: SubjectId, key: &WrappedKey) -> Mac {
    mac(macs, tenant, subject, Some(&key.master), Some(&key.bytes), None).finish()
}

/// The MAC of the row of a person who was forgotten.
pub(crate) fn tombstone_mac(macs: &RowMacs, tenant: &TenantId, subject: SubjectId, at: DateTime<Utc>) -> Mac {
    mac(macs, tenant, subject, None, None, Some(at)).finish()
}
