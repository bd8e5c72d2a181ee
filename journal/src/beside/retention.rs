//! Retention of idempotency records and stored answers: a background task of every node deletes those older than
//! [`RECORD_RETENTION`].
//!
//! - Age is measured at the time of the tenant's last event, so that a fast clock deletes nothing early. Records of a
//!   tenant without new events stay.
//! - Nodes share the work: a batch locks its rows and skips rows locked by others.
//! - A record's MAC is checked first. A changed record stays, for `verify` to report.
//! - A tenant in quarantine keeps all records: they may document what was lost.

use super::{
    authenticity::{Table, expected_mac},
    receipts::ReceiptKey,
};
use crate::{error::JournalError, journal::Journal};
use caudal_domain::ids::TenantId;
use chrono::TimeDelta;
use sqlx::Row as _;
use std::time::Duration;
use tokio::sync::watch;

/// Retention of an idempotency record: three times the 30 days in which an offline delivery may be synchronised, the
/// longest time in which a client repeats a request.
pub const RECORD_RETENTION: TimeDelta = TimeDelta::days(90);

/// Interval between two runs. A tenant has some hundred records per hour.
const INTERVAL: Duration = Duration::from_secs(3_600);

/// Records per transaction; takes some milliseconds, in which only a repetition of a key can wait for a lock.
const BATCH: i64 = 500;

/// Pause between two batches; the first run after an upgrade may find years of records.
const PAUSE: Duration = Duration::from_millis(50);

/// Tables with a retention. Records go last: an answer without its record is still served.
const TABLES: [Table; 2] = [Table::Answers, Table::Receipts];

/// Cursor over records.
struct Place {
    /// As text: a tampered row may hold '-infinity', which is no time.
    recorded_at: String,
    key: ReceiptKey,
}

/// Outcome of a batch.
struct Batch {
    deleted: u64,
    /// Last record examined; `None` at the end.
    last: Option<Place>,
}

impl Journal {
    /// Deletes expired idempotency records and answers of all tenants periodically until `stop` turns true.
    pub async fn delete_old_records(self, mut stop: watch::Receiver<bool>) {
        let rounds = async {
            loop {
                self.delete_old_records_of_all().await;
                tokio::time::sleep(INTERVAL).await;
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = rounds => {}
        }
    }

    async fn delete_old_records_of_all(&self) {
        let tenants = match self.tenants().await {
            Ok(tenants) => tenants,
            Err(error) => {
                tracing::warn!(%error, "old idempotency records are not deleted; the next attempt is in an hour");
                return;
            }
        };
        for tenant in tenants {
            match self.delete_old_records_of(&tenant).await {
                Ok(0) => {}
                Ok(deleted) => tracing::debug!(%tenant, deleted, "old idempotency records are deleted"),
                Err(error) => {
                    tracing::warn!(%tenant, %error, "old idempotency records are not deleted; the next attempt is in an hour");
                }
            }
        }
    }

    /// Deletes a tenant's expired idempotency records and answers, one batch per transaction. Returns the number
    /// deleted by this node.
    ///
    /// # Errors
    /// When the database fails; the next run continues.
    pub async fn delete_old_records_of(&self, tenant: &TenantId) -> Result<u64, JournalError> {
        let mut deleted = 0;
        for table in TABLES {
            let mut after = None;
            // Checked before every batch: a quarantine may begin in between.
            while self.quarantined(tenant).is_none() {
                let batch = self.delete_batch(tenant, table, after.as_ref()).await?;
                deleted += batch.deleted;
                metrics::counter!("caudal_records_deleted_total", "table" => table.as_str()).increment(batch.deleted);
                match batch.last {
                    Some(last) => after = Some(last),
                    None => break,
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
        Ok(deleted)
    }

    async fn delete_batch(
        &self,
        tenant: &TenantId,
        table: Table,
        after: Option<&Place>,
    ) -> Result<Batch, JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        let (name, columns) = (table.as_str(), table.columns());
        let old = format!(
            "SELECT {columns}, r.recorded_at::text AS place, mac
               FROM journal.{name} AS r
              WHERE r.tenant = $1
                AND r.recorded_at < (SELECT h.recorded_at FROM journal.heads AS h WHERE h.tenant = $1) - $2::interval
                AND ($3::text IS NULL
                     OR r.recorded_at >= $3::timestamptz AND (r.recorded_at, r.actor, r.key) > ($3::timestamptz, $4, $5))
              ORDER BY r.recorded_at, r.actor, r.key LIMIT $6
                FOR UPDATE OF r SKIP LOCKED"
        );
        let rows = sqlx::query(&old)
            .bind(tenant.as_str())
            .bind(RECORD_RETENTION)
            .bind(after.map(|place| place.recorded_at.as_str()))
            .bind(after.map(|place| place.key.actor.as_str()))
            .bind(after.map(|place| place.key.key.as_str()))
            .bind(BATCH)
            .fetch_all(&mut *transaction)
            .await?;
        let (mut actors, mut keys) = (Vec::new(), Vec::new());
        let mut last = None;
        for row in &rows {
            let key = ReceiptKey {
                actor: row.try_get("actor")?,
                key: row.try_get("key")?,
            };
            // The check logs and counts mismatches.
            let mac = expected_mac(&self.shared.macs, table, tenant, row)?;
            if mac.check(row.try_get("mac")?).is_ok() {
                actors.push(key.actor.clone());
                keys.push(key.key.clone());
            }
            let recorded_at = row.try_get("place")?;
            last = Some(Place { recorded_at, key });
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
        Ok(Batch { deleted, last })
    }
}
