//! Upload quotas: per party and day, and per tenant.

use super::{Files, KeptFile};
use crate::problem::ApiError;
use caudal_domain::ids::{PartyId, TenantId};
use chrono::{DateTime, Days, NaiveTime, Utc};
use std::time::Duration;

/// Quotas. Zero means unlimited. Content that is already stored does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    /// Files per party and day (UTC).
    pub files_a_day: u32,
    /// Bytes per party and day (UTC).
    pub bytes_a_day: u64,
    /// Bytes of all files per tenant.
    pub tenant_bytes: u64,
}

impl Default for Quotas {
    /// Sized for a delivery man with 200 deliveries a day and two images each, some 300 kB as scaled by the interface.
    fn default() -> Self {
        Self {
            files_a_day: 1_000,
            bytes_a_day: 1 << 30,
            tenant_bytes: 50 << 30,
        }
    }
}

/// Retention of a party's counters: today, and yesterday for nodes with a slow clock.
const DAYS_KEPT: Days = Days::new(2);

impl Files {
    /// Counts an upload before its content is stored, unless that content exists. A failed upload stays counted.
    /// Concurrent uploads may exceed the tenant's quota by their own size.
    pub(super) async fn reserve(
        &self,
        tenant: &TenantId,
        party: PartyId,
        kept: &KeptFile,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let (today, quotas) = (now.date_naive(), self.quotas());
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let (is_kept, stored): (bool, i64) = sqlx::query_as(
            "SELECT EXISTS (SELECT FROM journal.files WHERE tenant = $1 AND hash = $2),
                    COALESCE((SELECT bytes FROM journal.file_totals WHERE tenant = $1), 0)",
        )
        .bind(tenant.as_str())
        .bind(&kept.hash)
        .fetch_one(&mut *transaction)
        .await?;
        if is_kept {
            return Ok(());
        }
        if is_beyond(stored + kept.size, quotas.tenant_bytes) {
            return Err(ApiError::conflict("storage_full"));
        }
        sqlx::query("DELETE FROM journal.uploads WHERE tenant = $1 AND party = $2 AND day < $3")
            .bind(tenant.as_str())
            .bind(party.0)
            .bind(today.checked_sub_days(DAYS_KEPT).unwrap_or(today))
            .execute(&mut *transaction)
            .await?;
        let (files, bytes): (i64, i64) = sqlx::query_as(
            "INSERT INTO journal.uploads AS u (tenant, party, day, files, bytes) VALUES ($1, $2, $3, 1, $4)
             ON CONFLICT (tenant, party, day)
             DO UPDATE SET files = u.files + 1, bytes = u.bytes + EXCLUDED.bytes
             RETURNING files, bytes",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(today)
        .bind(kept.size)
        .fetch_one(&mut *transaction)
        .await?;
        if is_beyond(files, quotas.files_a_day.into()) || is_beyond(bytes, quotas.bytes_a_day) {
            metrics::counter!("caudal_uploads_limited").increment(1);
            return Err(ApiError::too_fast("too_many_uploads", until_tomorrow(now)));
        }
        transaction.commit().await?;
        Ok(())
    }
}

fn is_beyond(used: i64, quota: u64) -> bool {
    quota > 0 && u64::try_from(used).is_ok_and(|used| used > quota)
}

fn until_tomorrow(now: DateTime<Utc>) -> Duration {
    let tomorrow = now.date_naive().checked_add_days(Days::new(1)).unwrap_or_default();
    let wait = tomorrow.and_time(NaiveTime::MIN).and_utc() - now;
    wait.to_std().unwrap_or_default()
}
