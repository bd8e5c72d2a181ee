//! The row of a list: what it says, its MAC, and names of versions.

use super::Store;
use caudal_postgres::Timestamp;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use sqlx::{Row as _, postgres::PgRow};

/// Digits of a version, of the digest's 64: as people compare it.
const VERSION_DIGITS: usize = 12;

/// Name under which a version of a tenant's own list is stored: no list can have it. The log says which version is used.
pub fn stored_name(name: &str, version: &str) -> String {
    format!("{name}@{version}")
}

pub(super) fn is_own_version(stored: &str) -> bool {
    stored.contains('@')
}

/// A list in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// A tenant's name, or [`EVERYBODY`](super::EVERYBODY).
    pub scope: String,
    pub name: String,
    pub digest: Vec<u8>,
    pub format: String,
    pub entries: i32,
    pub names: i32,
    /// Date of publication, as the file has it.
    pub published: Option<String>,
    pub loaded_at: DateTime<Utc>,
    pub(super) mac: Vec<u8>,
}

impl Listed {
    /// The start of the digest, by which people tell versions apart.
    pub fn version(&self) -> String {
        version(&self.digest)
    }

    pub(super) fn read(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            scope: row.try_get("scope")?,
            name: row.try_get("name")?,
            digest: row.try_get("digest")?,
            format: row.try_get("format")?,
            entries: row.try_get("entries")?,
            names: row.try_get("names")?,
            published: row.try_get("published")?,
            // Displayed only.
            loaded_at: Timestamp::of(row, "loaded_at")?.unwrap_or(DateTime::UNIX_EPOCH),
            mac: row.try_get("mac")?,
        })
    }
}

/// A version by its digest.
pub fn version(digest: &[u8]) -> String {
    let mut text = hex::encode(digest);
    text.truncate(VERSION_DIGITS);
    text
}

/// What else a list's row says.
#[derive(Clone, Debug)]
pub struct About {
    pub scope: String,
    pub name: String,
    pub format: &'static str,
    pub published: Option<String>,
    pub now: DateTime<Utc>,
}

impl Store {
    pub(super) fn mac(&self, list: &Listed) -> Hmac<Sha256> {
        // A key of any length is accepted.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key[..]).unwrap_or_else(|_| Hmac::new(&Default::default()));
        let counts = [list.entries.to_be_bytes(), list.names.to_be_bytes()].concat();
        for part in [
            list.scope.as_bytes(),
            list.name.as_bytes(),
            &list.digest,
            list.format.as_bytes(),
            &counts,
        ] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}
