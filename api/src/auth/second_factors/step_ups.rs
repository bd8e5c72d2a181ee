//! Step-ups: a session gave a code, and for some minutes its calls need no other.

use super::SecondFactors;
use crate::problem::ApiError;
use caudal_domain::ids::{SecondFactorId, TenantId};
use caudal_journal::StepUpRow;
use chrono::{DateTime, Duration, Utc};
use sqlx::Row as _;
use uuid::Uuid;

/// How long a given code is fresh for its session.
pub const FRESH: Duration = Duration::minutes(5);
/// Retention of stale step-ups.
const MEMORY: Duration = Duration::days(1);

impl SecondFactors {
    /// Records that a session gave a code, and returns the time until which it is fresh.
    pub async fn note_code(
        &self,
        tenant: &TenantId,
        session: Uuid,
        factor: SecondFactorId,
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, ApiError> {
        let row = StepUpRow {
            session,
            factor,
            given_at: now,
        };
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.step_ups WHERE tenant = $1 AND given_at < $2")
            .bind(tenant.as_str())
            .bind(now - MEMORY)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO journal.step_ups (tenant, session, factor, given_at, mac) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant, session)
             DO UPDATE SET factor = EXCLUDED.factor, given_at = EXCLUDED.given_at, mac = EXCLUDED.mac",
        )
        .bind(tenant.as_str())
        .bind(session)
        .bind(factor.0)
        .bind(row.given_at)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(now + FRESH)
    }

    /// Time until which a session's last code of one of the factors is fresh; `None` when it is not.
    pub async fn fresh_until(
        &self,
        tenant: &TenantId,
        session: Uuid,
        factors: &[SecondFactorId],
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.step_ups WHERE tenant = $1 AND session = $2",
            StepUpRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(session)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let given = StepUpRow::from_row(&row)?;
        // A row with a wrong MAC is no code given.
        let is_authentic = given.mac(&self.macs, tenant).check(row.try_get("mac")?).is_ok();
        let until = given.given_at + FRESH;
        Ok((is_authentic && factors.contains(&given.factor) && until > now).then_some(until))
    }
}
