//! Lists and their entries, checked: by the MAC of the row and the digest of the entries.

use super::{
    DIRECTORY, EVERYBODY, Listed, Store, StoreError,
    packed::{add_chunk, digest_of},
};
use caudal_domain::ids::TenantId;
use caudal_screening::Entry;
use futures::TryStreamExt as _;
use hmac::Mac as _;
use sha2::{Digest as _, Sha256};

/// A list's entries, in order.
const CHUNKS: &str = "SELECT content FROM journal.screening_chunks WHERE tenant = $1 AND digest = $2 ORDER BY number";

impl Store {
    /// All lists, without their entries.
    pub async fn catalogue(&self) -> Result<Vec<Listed>, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let rows = sqlx::query("SELECT * FROM journal.screening_lists WHERE tenant = $1 ORDER BY scope, name")
            .bind(DIRECTORY)
            .fetch_all(&mut *transaction)
            .await?;
        Ok(rows.iter().map(Listed::read).collect::<Result<_, _>>()?)
    }

    /// Number of lists that a tenant's customers may be screened against, those of everybody among them, and the names of those whose
    /// row or content was changed in the database.
    pub async fn check(&self, tenant: &TenantId) -> Result<(u64, Vec<String>), StoreError> {
        let (mut count, mut changed) = (0, Vec::new());
        for list in self.catalogue().await? {
            if list.scope != EVERYBODY && list.scope != tenant.as_str() {
                continue;
            }
            count += 1;
            let is_authentic = self.mac(&list).verify_slice(&list.mac).is_ok();
            if !is_authentic || self.stored_digest(&list).await? != list.digest {
                changed.push(format!("{}, {}", list.scope, list.name));
            }
        }
        Ok((count, changed))
    }

    /// Digest of the entries that are stored of a list, read piece by piece: a list may have half a million names.
    async fn stored_digest(&self, list: &Listed) -> Result<Vec<u8>, StoreError> {
        let mut transaction = self.database.begin_directory().await?;
        let mut chunks = sqlx::query_scalar(CHUNKS)
            .bind(DIRECTORY)
            .bind(&list.digest)
            .fetch(&mut *transaction);
        let mut sha = Sha256::new();
        while let Some(chunk) = chunks.try_next().await? {
            let chunk: String = chunk;
            add_chunk(&mut sha, &chunk);
        }
        Ok(sha.finalize().to_vec())
    }

    /// What is stored of a list, whose row is checked.
    pub async fn content(&self, list: &Listed) -> Result<Content, StoreError> {
        let refused = || StoreError::NotAuthentic(list.name.clone());
        self.mac(list).verify_slice(&list.mac).map_err(|_| refused())?;
        let mut transaction = self.database.begin_directory().await?;
        let chunks: Vec<String> = sqlx::query_scalar(CHUNKS)
            .bind(DIRECTORY)
            .bind(&list.digest)
            .fetch_all(&mut *transaction)
            .await?;
        Ok(Content {
            list: list.clone(),
            chunks,
        })
    }
}

/// What is stored of a list.
pub struct Content {
    list: Listed,
    chunks: Vec<String>,
}

impl Content {
    /// The entries, checked: a second of work with half a million names.
    pub fn entries(self) -> Result<Vec<Entry>, StoreError> {
        if digest_of(self.chunks.iter().map(String::as_str)) != self.list.digest {
            return Err(StoreError::NotAuthentic(self.list.name));
        }
        let mut entries = Vec::with_capacity(usize::try_from(self.list.entries).unwrap_or_default());
        for chunk in self.chunks {
            entries.append(&mut serde_json::from_str::<Vec<Entry>>(&chunk)?);
        }
        Ok(entries)
    }
}
