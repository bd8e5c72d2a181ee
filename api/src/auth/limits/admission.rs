//! An admitted attempt: it counts until it is settled, and is refunded when nothing settles it.

use super::{LEASE, Subject, WINDOW};
use crate::problem::ApiError;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

/// Maximum refund retries, and the pause between them; bounded by the lease.
const REFUND_TRIES: u32 = 15;
const REFUND_PAUSE: std::time::Duration = std::time::Duration::from_secs(2);

/// An admitted, counted attempt. Refunded when dropped without outcome, by an error or a disconnected client: nothing
/// was learned from it.
#[derive(Debug)]
#[must_use]
pub struct Admission {
    pub(super) pool: PgPool,
    pub(super) admitted: DateTime<Utc>,
    pub(super) counted: Vec<Subject>,
    /// Subjects whose failures are reset on success.
    pub(super) on_success: Vec<Subject>,
}

impl Admission {
    /// Settles the attempt as counted until its window ends. Answer the caller after this.
    pub async fn counts(mut self) -> Result<(), ApiError> {
        let counted = std::mem::take(&mut self.counted);
        sqlx::query("SELECT journal.fail_attempt($1, $2, $3, $4)")
            .bind(&counted)
            .bind(self.lease())
            .bind(self.admitted)
            .bind(self.admitted + WINDOW)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Settles the attempt as successful: refunds it and resets the account's failures at its address and device.
    pub async fn succeeded(mut self) -> Result<(), ApiError> {
        let counted = std::mem::take(&mut self.counted);
        Ok(settle(&self.pool, &counted, Some(self.lease()), &self.on_success).await?)
    }

    /// Time until which the running attempt counts.
    pub(super) fn lease(&self) -> DateTime<Utc> {
        self.admitted + LEASE
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let counted = std::mem::take(&mut self.counted);
        if counted.is_empty() {
            return;
        }
        let (pool, lease) = (self.pool.clone(), self.lease());
        // Without a runtime the process is ending; the attempt counts until its lease ends.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(refund(pool, counted, lease));
        }
    }
}

/// Refunds an aborted attempt, retrying while the attempt counts: the database may be the cause of the abort.
async fn refund(pool: PgPool, counted: Vec<Subject>, lease: DateTime<Utc>) {
    for _ in 0..REFUND_TRIES {
        match settle(&pool, &counted, Some(lease), &[]).await {
            Ok(()) | Err(sqlx::Error::PoolClosed) => return,
            Err(_) => tokio::time::sleep(REFUND_PAUSE).await,
        }
    }
}

pub(super) async fn settle(
    pool: &PgPool,
    refund: &[Subject],
    lease: Option<DateTime<Utc>>,
    forget: &[Subject],
) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT journal.settle_attempt($1, $2, $3)")
        .bind(refund)
        .bind(forget)
        .bind(lease)
        .execute(pool)
        .await?;
    Ok(())
}
