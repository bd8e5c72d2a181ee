//! Proofs of a list of completions: encrypted, and erased with the list.

use super::{Imports, StoreError, place};
use crate::imports::{
    import::{Import, ProofsFile},
    proofs::Entry,
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

impl Imports {
    pub(super) fn proofs_file(
        &self,
        tenant: &TenantId,
        id: Uuid,
        row: &PgRow,
    ) -> Result<Option<ProofsFile>, StoreError> {
        let sealed: Option<&[u8]> = row.try_get("proofs")?;
        sealed
            .map(|sealed| self.open(&format!("{}/proofs", place(tenant, id)), sealed))
            .transpose()
    }

    /// Stores the ZIP of an import in place of an earlier one. The import needs a new preview. Returns whether the import is in a
    /// state in which it may be changed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep_proofs(
        &self,
        tenant: &TenantId,
        import: &Import,
        name: String,
        entries: Vec<Entry>,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.begin_long_write(tenant.as_str()).await?;
        let file = ProofsFile {
            name,
            entries: entries.iter().map(|entry| entry.name.clone()).collect(),
            digests: entries.iter().map(|entry| digest(&entry.content)).collect(),
        };
        let own = place(tenant, import.id);
        let changed = sqlx::query(
            "UPDATE journal.imports
                SET proofs = $3, state = 'mapping', changed_at = $4, next_row = 0, summary = NULL, failure = NULL
              WHERE tenant = $1 AND id = $2 AND state IN ('mapping', 'previewed', 'paused', 'done')
                AND details IS NOT NULL",
        )
        .bind(tenant.as_str())
        .bind(import.id)
        .bind(self.encrypt(&format!("{own}/proofs"), &file)?)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        if changed.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query("DELETE FROM journal.import_proofs WHERE tenant = $1 AND import = $2")
            .bind(tenant.as_str())
            .bind(import.id)
            .execute(&mut *transaction)
            .await?;
        for (entry, proof) in (0_i32..).zip(entries) {
            let place = format!("{own}/proofs/{entry}");
            sqlx::query("INSERT INTO journal.import_proofs (tenant, import, entry, content) VALUES ($1, $2, $3, $4)")
                .bind(tenant.as_str())
                .bind(import.id)
                .bind(entry)
                .bind(self.encryption_key.encrypt(place.as_bytes(), &proof.content)?)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Content of a proof by its place in the ZIP.
    ///
    /// # Errors
    /// When the database fails, or it is erased.
    pub async fn proof(&self, tenant: &TenantId, import: &Import, entry: usize) -> Result<Vec<u8>, StoreError> {
        let id = import.id;
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row =
            sqlx::query("SELECT content FROM journal.import_proofs WHERE tenant = $1 AND import = $2 AND entry = $3")
                .bind(tenant.as_str())
                .bind(id)
                .bind(i32::try_from(entry).unwrap_or(i32::MAX))
                .fetch_optional(&mut *transaction)
                .await?;
        let row = row.ok_or(StoreError::Changed)?;
        let place = format!("{}/proofs/{entry}", place(tenant, id));
        let clear = self.encryption_key.open(place.as_bytes(), row.try_get("content")?);
        let mut clear = clear.ok_or(StoreError::Changed)?;
        // One of an earlier ZIP opens, too.
        let known = import.proofs.as_ref().and_then(|file| file.digests.get(entry));
        if known.is_some_and(|known| *known != digest(&clear)) {
            return Err(StoreError::Changed);
        }
        Ok(std::mem::take(&mut *clear))
    }
}

fn digest(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}
