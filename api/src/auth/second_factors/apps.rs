//! Authenticator apps: their enrolment, the secret of each, and the verdict on its codes.

use super::{SecondFactors, Verdict, rows::new_row, typed_code};
use crate::{
    auth::totp::{self, Secret},
    problem::ApiError,
};
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::SecondFactorRow;
use chrono::{DateTime, Duration, Utc};
use zeroize::Zeroizing;

/// How long an enrolment may take.
pub const ENROLMENT: Duration = Duration::minutes(15);

/// An enrolment under way.
pub struct Begun {
    pub factor: SecondFactorId,
    pub secret: Secret,
}

impl SecondFactors {
    /// Begins an enrolment with a new secret. Enrolments of the party that took too long are deleted.
    ///
    /// # Errors
    /// When the database fails or the system has no randomness.
    pub async fn begin(&self, tenant: &TenantId, party: PartyId, now: DateTime<Utc>) -> Result<Begun, ApiError> {
        let row = new_row(SecondFactorId::generate(), party, now)?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "DELETE FROM journal.second_factors
              WHERE tenant = $1 AND party = $2 AND created_at < $3 AND octet_length(recovery) = 0 AND last_step = 0",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now - ENROLMENT)
        .execute(&mut *transaction)
        .await?;
        self.insert(&mut transaction, tenant, &row).await?;
        transaction.commit().await?;
        Ok(Begun {
            factor: row.factor,
            secret: self.secret(tenant, &row),
        })
    }

    /// Checks the first code of an enrolment begun since `since`, and uses it up.
    pub async fn confirm(
        &self,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
        typed: &str,
        since: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<Verdict, ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let row = self.locked(&mut transaction, tenant, party, factor).await?;
        let Some(mut row) = row.filter(|row| row.created_at >= since) else {
            return Err(ApiError::not_found("second_factor_expired"));
        };
        let typed = typed_code(typed);
        let verdict = self.judge(tenant, &mut row, &typed, now);
        if verdict.is_accepted() {
            self.save(&mut transaction, tenant, &row).await?;
        }
        transaction.commit().await?;
        Ok(verdict)
    }

    /// When the enrolment of a factor began; `None` without a row for it.
    pub async fn begun_at(
        &self,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
    ) -> Result<Option<DateTime<Utc>>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = self.row(&mut transaction, tenant, party, factor, "").await?;
        Ok(row.map(|row| row.created_at))
    }

    /// Judges a code of the app, and changes the row of an accepted one so that it is not accepted again.
    pub(super) fn judge(
        &self,
        tenant: &TenantId,
        row: &mut SecondFactorRow,
        typed: &str,
        now: DateTime<Utc>,
    ) -> Verdict {
        if !totp::is_code(typed) {
            return Verdict::Wrong;
        }
        match totp::find_step(&self.secret(tenant, row), typed, now) {
            None => Verdict::Wrong,
            Some(step) if step <= row.last_step => Verdict::Used,
            Some(step) => {
                row.last_step = step;
                Verdict::App
            }
        }
    }

    fn secret(&self, tenant: &TenantId, row: &SecondFactorRow) -> Secret {
        let of = [
            tenant.as_str().as_bytes(),
            row.party.0.as_bytes(),
            row.factor.0.as_bytes(),
            &row.salt,
        ];
        let derived = Zeroizing::new(self.secrets.of(&of));
        let mut secret = Secret::default();
        for (to, from) in secret.iter_mut().zip(derived.iter()) {
            *to = *from;
        }
        secret
    }
}
