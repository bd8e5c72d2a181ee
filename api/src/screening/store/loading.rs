//! Lists are stored, replaced and removed, and versions of a tenant's own lists that nothing names are deleted.

use super::{About, DIRECTORY, Listed, MAX_NAMES, MAX_OWN_NAMES, Packed, Store, StoreError, listed::is_own_version};
use caudal_postgres::Transaction;
use chrono::{DateTime, TimeDelta, Utc};
use hmac::Mac as _;

/// How long a stored version of an own list is spared that the log does not name. A version is stored before the command that
/// names it: another load at the same time must not take it away. No request lasts that long.
const OWN_SPARED: TimeDelta = TimeDelta::hours(1);

impl Store {
    /// Stores a list, or replaces its version. Returns whether anything changed. A version of an own list that is stored
    /// already is spared from now on ([`OWN_SPARED`]).
    pub async fn put(&self, about: About, packed: Packed) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let others = self.others(&mut transaction, &about).await?;
        let found = others + packed.names;
        if found > MAX_NAMES {
            return Err(StoreError::TooManyNames { found });
        }
        let mut list = Listed {
            scope: about.scope,
            name: about.name,
            digest: packed.digest,
            format: about.format.to_owned(),
            entries: i32::try_from(packed.entries).unwrap_or(i32::MAX),
            names: i32::try_from(packed.names).unwrap_or(i32::MAX),
            published: about.published,
            loaded_at: about.now,
            mac: Vec::new(),
        };
        list.mac = self.mac(&list).finalize().into_bytes().to_vec();
        let known = sqlx::query("SELECT * FROM journal.screening_lists WHERE tenant = $1 AND scope = $2 AND name = $3")
            .bind(DIRECTORY)
            .bind(&list.scope)
            .bind(&list.name)
            .fetch_optional(&mut *transaction)
            .await?;
        let known = known.as_ref().map(Listed::read).transpose()?;
        if known.is_some_and(|known| (known.digest, known.mac) == (list.digest.clone(), list.mac.clone())) {
            if is_own_version(&list.name) {
                // Spared from now on: a command is about to name it.
                sqlx::query(
                    "UPDATE journal.screening_lists SET loaded_at = $4 WHERE tenant = $1 AND scope = $2 AND name = $3",
                )
                .bind(DIRECTORY)
                .bind(&list.scope)
                .bind(&list.name)
                .bind(list.loaded_at)
                .execute(&mut *transaction)
                .await?;
                transaction.commit().await?;
            }
            return Ok(false);
        }
        for (number, chunk) in packed.chunks.iter().enumerate() {
            sqlx::query(
                "INSERT INTO journal.screening_chunks (tenant, digest, number, content) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (tenant, digest, number) DO UPDATE SET content = excluded.content",
            )
            .bind(DIRECTORY)
            .bind(&list.digest)
            .bind(i32::try_from(number).unwrap_or(i32::MAX))
            .bind(chunk)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query(
            "INSERT INTO journal.screening_lists
                    (tenant, scope, name, digest, format, entries, names, published, loaded_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (tenant, scope, name) DO UPDATE SET digest = excluded.digest, format = excluded.format,
                    entries = excluded.entries, names = excluded.names, published = excluded.published,
                    loaded_at = excluded.loaded_at, mac = excluded.mac",
        )
        .bind(DIRECTORY)
        .bind(&list.scope)
        .bind(&list.name)
        .bind(&list.digest)
        .bind(&list.format)
        .bind(list.entries)
        .bind(list.names)
        .bind(&list.published)
        .bind(list.loaded_at)
        .bind(&list.mac)
        .execute(&mut *transaction)
        .await?;
        delete_unused(&mut transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Stores a version of a tenant's own list, before the log says that it is used. Versions are deleted that `keep` does not
    /// have and that are not of the last hour: `None` keeps all, as one may wait for an approval.
    pub async fn put_own(&self, about: About, packed: Packed, keep: Option<&[String]>) -> Result<(), StoreError> {
        if let Some(keep) = keep {
            self.keep_own(&about.scope, keep, about.now - OWN_SPARED).await?;
        }
        let known: i64 = {
            let mut transaction = self.database.begin_directory().await?;
            sqlx::query_scalar(
                "SELECT coalesce(sum(names), 0)::bigint FROM journal.screening_lists
                  WHERE tenant = $1 AND scope = $2 AND name <> $3 AND position('@' IN name) > 0",
            )
            .bind(DIRECTORY)
            .bind(&about.scope)
            .bind(&about.name)
            .fetch_one(&mut *transaction)
            .await?
        };
        let found = usize::try_from(known)
            .unwrap_or(usize::MAX)
            .saturating_add(packed.names);
        if found > MAX_OWN_NAMES {
            return Err(StoreError::TooManyOwnNames { found });
        }
        self.put(about, packed).await?;
        Ok(())
    }

    /// Deletes the versions of a tenant's own lists but those that are kept, by their stored names, and those stored since.
    pub async fn keep_own(&self, scope: &str, keep: &[String], since: DateTime<Utc>) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(
            "DELETE FROM journal.screening_lists
              WHERE tenant = $1 AND scope = $2 AND position('@' IN name) > 0 AND name <> ALL ($3) AND loaded_at < $4",
        )
        .bind(DIRECTORY)
        .bind(scope)
        .bind(keep)
        .bind(since)
        .execute(&mut *transaction)
        .await?;
        delete_unused(&mut transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Removes a list. Returns whether there was one.
    pub async fn remove(&self, scope: &str, name: &str) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let removed = sqlx::query("DELETE FROM journal.screening_lists WHERE tenant = $1 AND scope = $2 AND name = $3")
            .bind(DIRECTORY)
            .bind(scope)
            .bind(name)
            .execute(&mut *transaction)
            .await?;
        delete_unused(&mut transaction).await?;
        transaction.commit().await?;
        Ok(removed.rows_affected() > 0)
    }

    /// One operator at a time changes lists, and whole versions are written together.
    async fn begin(&self) -> Result<Transaction, StoreError> {
        let mut transaction = self.database.begin_directory_write().await?;
        sqlx::query("SELECT pg_advisory_xact_lock(hashtext('caudal screening lists'))")
            .execute(&mut *transaction)
            .await?;
        Ok(transaction)
    }

    async fn others(&self, transaction: &mut Transaction, about: &About) -> Result<usize, StoreError> {
        let names: i64 = sqlx::query_scalar(
            "SELECT coalesce(sum(names), 0)::bigint FROM journal.screening_lists
              WHERE tenant = $1 AND NOT (scope = $2 AND name = $3)",
        )
        .bind(DIRECTORY)
        .bind(&about.scope)
        .bind(&about.name)
        .fetch_one(&mut **transaction)
        .await?;
        Ok(usize::try_from(names).unwrap_or(usize::MAX))
    }
}

async fn delete_unused(transaction: &mut Transaction) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM journal.screening_chunks AS c WHERE c.tenant = $1 AND NOT EXISTS
                (SELECT FROM journal.screening_lists AS l WHERE l.tenant = $1 AND l.digest = c.digest)",
    )
    .bind(DIRECTORY)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
