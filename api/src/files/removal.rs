//! Deletion of an erased person's files.

use super::{Files, Owner, place};
use crate::problem::ApiError;
use caudal_domain::ids::TenantId;
use caudal_journal::FileOwnerRow;
use object_store::ObjectStoreExt as _;
use sqlx::Row as _;

impl Files {
    /// Removes files from these owners. Files that then prove no delivery, belong to no review, show no customer's document and are nobody's picture are
    /// deleted, regardless of the uploader. Returns the number of deleted files. Repeatable after an interruption.
    ///
    /// # Errors
    /// When the database or the store fails, or an owner's MAC does not match: nothing is then deleted.
    pub async fn remove_of(&self, tenant: &TenantId, owners: &[Owner]) -> Result<usize, ApiError> {
        let (kinds, ids): (Vec<_>, Vec<_>) = owners.iter().map(|owner| owner.parts()).unzip();
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let concerned = sqlx::query(
            "SELECT a.hash, a.kind, a.owner, a.mac FROM journal.file_owners AS a
              WHERE a.tenant = $1 AND a.hash IN (
                    SELECT o.hash FROM journal.file_owners AS o, unnest($2::text[], $3::uuid[]) AS w (kind, id)
                     WHERE o.tenant = $1 AND o.kind = w.kind AND o.owner = w.id)",
        )
        .bind(tenant.as_str())
        .bind(&kinds)
        .bind(&ids)
        .fetch_all(&mut *transaction)
        .await?;
        for row in &concerned {
            FileOwnerRow::from_row(row)?
                .mac(&self.macs, tenant)
                .check(row.try_get("mac")?)?;
        }
        let rows = sqlx::query(
            "WITH taken AS (
                 DELETE FROM journal.file_owners AS o
                  USING unnest($2::text[], $3::uuid[]) AS w (kind, id)
                  WHERE o.tenant = $1 AND o.kind = w.kind AND o.owner = w.id
              RETURNING o.hash, o.kind, o.owner)
             SELECT DISTINCT t.hash FROM taken AS t
              WHERE NOT EXISTS (SELECT 1 FROM journal.file_owners AS o
                                 WHERE o.tenant = $1 AND o.hash = t.hash AND o.kind <> 'party'
                                   AND NOT EXISTS (SELECT 1 FROM taken AS x
                                                    WHERE x.hash = o.hash AND x.kind = o.kind AND x.owner = o.owner))
                AND NOT EXISTS (SELECT 1 FROM parties AS p
                                 WHERE p.tenant = $1 AND p.details ->> 'profilePicture' = t.hash)",
        )
        .bind(tenant.as_str())
        .bind(kinds)
        .bind(ids)
        .fetch_all(&mut *transaction)
        .await?;
        let unused = rows
            .iter()
            .map(|row| row.try_get("hash"))
            .collect::<Result<Vec<String>, sqlx::Error>>()?;
        // Content first: after an interruption the owners' rows still lead to it.
        for hash in &unused {
            match self.store.delete(&place(tenant, hash)).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(super::failed(error)),
            }
        }
        for statement in [
            "DELETE FROM journal.file_owners WHERE tenant = $1 AND hash = ANY ($2)",
            "DELETE FROM journal.files WHERE tenant = $1 AND hash = ANY ($2)",
        ] {
            sqlx::query(statement)
                .bind(tenant.as_str())
                .bind(&unused)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(unused.len())
    }
}
