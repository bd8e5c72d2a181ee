//! Retention of idempotency records and stored answers: a background task of every node deletes those older than
//! [`RECORD_RETENTION`].
//!
//! - Age is measured at the time of the tenant's last event, so that a fast clock deletes nothing early. Records of a
//!   tenant without new events stay.
//! - Old records are found by reading the tables in parts, those of all tenants at once: an index by time would make every
//!   append dearer, for something that is looked for once a day.
//! - Nodes share the work: a batch locks its rows and skips rows locked by others.
//! - A record's MAC is checked first. A changed record stays, for `verify` to report.
//! - A tenant in quarantine keeps all records: they may document what was lost.

use super::{
    authenticity::{Table, expected_mac},
    idempotency_records::IdempotencyRecordKey,
};
use crate::{
    error::{JournalError, WithCauses},
    journal::Journal,
};
use caudal_domain::ids::TenantId;
use chrono::TimeDelta;
use sqlx::Row as _;
use std::{collections::HashMap, time::Duration};
use tokio::sync::watch;

/// Retention of an idempotency record: three times the 30 days in which an offline delivery may be synchronised, the
/// longest time in which a client repeats a request.
pub const RECORD_RETENTION: TimeDelta = TimeDelta::days(90);

/// Interval between two runs: a record lives a day longer at most.
const INTERVAL: Duration = Duration::from_secs(24 * 3_600);

/// Interval after a run that failed.
const RETRY: Duration = Duration::from_secs(3_600);

/// Pages of a table read at once: two megabytes, some thousand records.
const PAGES: i64 = 256;

/// Records per transaction; takes some milliseconds, in which only a repetition of a key can wait for a lock.
const BATCH: usize = 500;

/// Pause between two parts: at most 40 megabytes are read in a second.
const PAUSE: Duration = Duration::from_millis(50);

/// Tables with a retention. A record goes after its answer, which would be the reply to a later request under the key.
const TABLES: [Table; 2] = [Table::Answers, Table::IdempotencyRecords];

impl Journal {
    /// Deletes expired idempotency records and answers of all tenants periodically until `stop` turns true.
    pub async fn delete_old_records(self, mut stop: watch::Receiver<bool>) {
        let rounds = async {
            loop {
                let pause = match self.delete_old_records_once().await {
                    Ok(_) => INTERVAL,
                    Err(error) => {
                        tracing::warn!(error = %WithCauses(&error), "old idempotency records are not deleted; the next attempt is in an hour");
                        RETRY
                    }
                };
                tokio::time::sleep(pause).await;
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = rounds => {}
        }
    }

    /// Deletes the expired idempotency records and answers of all tenants. Returns the number deleted by this node.
    ///
    /// # Errors
    /// When the database fails; the next run begins anew.
    pub async fn delete_old_records_once(&self) -> Result<u64, JournalError> {
        let mut deleted = 0;
        for table in TABLES {
            let pages = self.pages(table).await?;
            let mut page = 0;
            while page < pages {
                for (tenant, keys) in self.old_records(table, page).await? {
                    for keys in keys.chunks(BATCH) {
                        // Checked before every batch: a quarantine may begin in between.
                        if self.quarantined(&tenant).is_some() {
                            break;
                        }
                        match self.delete_batch(&tenant, table, keys).await {
                            Ok(count) => deleted += count,
                            // It may be on its way to another cell.
                            Err(error) => {
                                let error = WithCauses(&error);
                                tracing::warn!(%tenant, %error, "old idempotency records are not deleted; the next attempt is in a day");
                                break;
                            }
                        }
                    }
                }
                page += PAGES;
                tokio::time::sleep(PAUSE).await;
            }
        }
        tracing::debug!(deleted, "old idempotency records are deleted");
        Ok(deleted)
    }

    /// Number of a table's pages.
    async fn pages(&self, table: Table) -> Result<i64, JournalError> {
        let mut transaction = self.shared.database.begin_directory().await?;
        let pages = sqlx::query_scalar("SELECT pg_relation_size($1::regclass) / current_setting('block_size')::bigint")
            .bind(format!("journal.{}", table.as_str()))
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(pages)
    }

    /// The expired records in the [`PAGES`] pages from one on, of the tenants of this cell.
    async fn old_records(
        &self,
        table: Table,
        page: i64,
    ) -> Result<HashMap<TenantId, Vec<IdempotencyRecordKey>>, JournalError> {
        let mut transaction = self.shared.database.begin_directory().await?;
        let old = format!(
            "SELECT r.tenant, r.actor, r.key
               FROM journal.{} AS r JOIN journal.heads AS h ON h.tenant = r.tenant
              WHERE r.ctid >= $1::tid AND r.ctid < $2::tid AND r.recorded_at < h.recorded_at - $3::interval
                AND NOT EXISTS (SELECT FROM journal.placements AS p
                                 WHERE p.tenant = r.tenant AND p.state IN ('left', 'arriving'))",
            table.as_str()
        );
        let rows = sqlx::query(&old)
            .bind(format!("({page},0)"))
            .bind(format!("({},0)", page + PAGES))
            .bind(RECORD_RETENTION)
            .fetch_all(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let mut found: HashMap<TenantId, Vec<IdempotencyRecordKey>> = HashMap::new();
        for row in rows {
            let name: &str = row.try_get("tenant")?;
            let tenant = name
                .parse()
                .map_err(|_| JournalError::Unexpected(format!("a tenant named {name:?}")))?;
            let key = IdempotencyRecordKey {
                actor: row.try_get("actor")?,
                key: row.try_get("key")?,
            };
            found.entry(tenant).or_default().push(key);
        }
        Ok(found)
    }

    /// Deletes those of a tenant's records that are still expired and have not been changed.
    async fn delete_batch(
        &self,
        tenant: &TenantId,
        table: Table,
        keys: &[IdempotencyRecordKey],
    ) -> Result<u64, JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        let (name, columns) = (table.as_str(), table.columns());
        let without_answer = if table == Table::IdempotencyRecords {
            "AND NOT EXISTS (SELECT FROM journal.answers AS a
                              WHERE a.tenant = r.tenant AND a.actor = r.actor AND a.key = r.key)"
        } else {
            ""
        };
        let old = format!(
            "SELECT {columns}, mac
               FROM journal.{name} AS r
               JOIN unnest($2::text[], $3::text[]) AS o (of_actor, of_key) ON r.actor = o.of_actor AND r.key = o.of_key
              WHERE r.tenant = $1
                AND r.recorded_at < (SELECT h.recorded_at FROM journal.heads AS h WHERE h.tenant = $1) - $4::interval
                {without_answer}
                FOR UPDATE OF r SKIP LOCKED"
        );
        let (actors, texts): (Vec<_>, Vec<_>) = keys.iter().map(|key| (key.actor.as_str(), key.key.as_str())).unzip();
        let rows = sqlx::query(&old)
            .bind(tenant.as_str())
            .bind(actors)
            .bind(texts)
            .bind(RECORD_RETENTION)
            .fetch_all(&mut *transaction)
            .await?;
        let (mut actors, mut keys) = (Vec::new(), Vec::new());
        for row in &rows {
            // The check logs and counts mismatches.
            let mac = expected_mac(&self.shared.macs, table, tenant, row)?;
            if mac.check(row.try_get("mac")?).is_ok() {
                actors.push(row.try_get::<String, _>("actor")?);
                keys.push(row.try_get::<String, _>("key")?);
            }
        }
        let delete = format!(
            "DELETE FROM journal.{name} AS r USING unnest($2::text[], $3::text[]) AS d (actor, key)
              WHERE r.tenant = $1 AND r.actor = d.actor AND r.key = d.key"
        );
        let deleted = sqlx::query(&delete)
            .bind(tenant.as_str())
            .bind(actors)
            .bind(keys)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
        transaction.commit().await?;
        metrics::counter!("caudal_records_deleted_total", "table" => name).increment(deleted);
        Ok(deleted)
    }
}
