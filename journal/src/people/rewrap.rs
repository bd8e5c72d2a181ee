//! Rotating the master key: people's data keys are wrapped anew under the current one, while nodes work. The log is not
//! touched, since what stands in it is sealed under the data keys.

use crate::{
    error::JournalError,
    journal::Journal,
    people::{
        seal,
        subjects::{self, StoredKey, SubjectKey},
    },
};
use caudal_domain::ids::TenantId;
use sqlx::Row as _;

/// How many keys are wrapped in one transaction: some milliseconds' work, during which they can't be destroyed.
const BATCH: i64 = 500;

/// What a tenant's rewrapping came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rewrapped {
    /// Data keys that are now under the current master key.
    pub keys: u64,
}

impl Journal {
    /// Wraps a tenant's data keys that are under earlier master keys under the current one. It can be cut off and
    /// repeated.
    ///
    /// # Errors
    /// Where the database fails, or a key can't be unwrapped; those before it are done.
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
                let anew = seal::wrap(keyring, tenant, subject, &key)?;
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

    /// How many of a tenant's data keys are wrapped under other master keys than the current one.
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
