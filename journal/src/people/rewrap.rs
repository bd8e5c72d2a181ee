//! Master key rotation: data keys are rewrapped under the current master key, online. The log is unchanged, because it
//! is encrypted under the data keys.

use crate::{
    error::JournalError,
    journal::Journal,
    people::{
        encryption,
        subjects::{self, StoredKey, SubjectKey},
    },
};
use caudal_domain::ids::TenantId;
use sqlx::Row as _;

/// Keys per transaction; takes some milliseconds, in which none of them can be destroyed.
const BATCH: i64 = 500;

/// Result of rewrapping a tenant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rewrapped {
    /// Data keys rewrapped under the current master key.
    pub keys: u64,
}

impl Journal {
    /// Rewraps a tenant's data keys under the current master key. Can be interrupted and repeated.
    ///
    /// # Errors
    /// When the database fails, or a key can't be unwrapped; the batches before it stay rewrapped.
    pub async fn rewrap(&self, tenant: &TenantId) -> Result<Rewrapped, JournalError> {
        let keyring = &self.shared.keyring;
        let mut done = Rewrapped::default();
        loop {
            let (current, _) = keyring.master();
            let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
            let rows = sqlx::query(&format!(
                "SELECT {}, mac FROM journal.subject_keys
                  WHERE tenant = $1 AND master <> $2 LIMIT $3 FOR UPDATE",
                StoredKey::COLUMNS
            ))
            .bind(tenant.as_str())
            .bind(&current)
            .bind(BATCH)
            .fetch_all(&mut *transaction)
            .await?;
            if rows.is_empty() {
                return Ok(done);
            }
            let macs = &self.shared.macs;
            let (mut people, mut masters, mut wrapped, mut proofs) = (vec![], vec![], vec![], vec![]);
            for row in &rows {
                let stored = StoredKey::from_row(row)?.authentic(macs, tenant)?;
                let subject = stored.subject;
                let SubjectKey::Known(key) = stored.unwrapped(keyring, tenant) else {
                    return Err(JournalError::LockedKey(subject));
                };
                let anew = encryption::wrap(keyring, tenant, subject, &key)?;
                proofs.push(subjects::key_mac(macs, tenant, subject, &anew).to_vec());
                people.push(subject.0);
                masters.push(anew.master);
                wrapped.push(anew.bytes);
            }
            let updated = sqlx::query(
                "UPDATE journal.subject_keys AS k SET master = x.master, wrapped = x.wrapped, mac = x.mac
                   FROM unnest($2::uuid[], $3::text[], $4::bytea[], $5::bytea[]) AS x (subject, master, wrapped, mac)
                  WHERE k.tenant = $1 AND k.subject = x.subject AND k.wrapped IS NOT NULL",
            )
            .bind(tenant.as_str())
            .bind(people)
            .bind(masters)
            .bind(wrapped)
            .bind(proofs)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            done.keys += updated.rows_affected();
        }
    }

    /// Number of a tenant's data keys that are wrapped under earlier master keys.
    pub async fn under_earlier_masters(&self, tenant: &TenantId) -> Result<i64, JournalError> {
        let (current, _) = self.shared.keyring.master();
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query("SELECT count(*) AS keys FROM journal.subject_keys WHERE tenant = $1 AND master <> $2")
            .bind(tenant.as_str())
            .bind(current)
            .fetch_one(&mut *transaction)
            .await?;
        Ok(row.try_get("keys")?)
    }
}
