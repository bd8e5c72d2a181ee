//! Second factors: an authenticator app and ten recovery codes of a party's login.
//!
//! | Where | What |
//! |---|---|
//! | log | which factor is in force: a deleted row switches none off |
//! | `journal.second_factors` | salt of the secret, step of the last code used, keyed hashes of the recovery codes |
//! | key file | the key from which, with tenant, party, factor and salt, the secret is derived |
//! | `journal.step_ups` | when a session last gave a code |
//!
//! A code is checked and used up in one transaction that locks the row: of two requests with one code, one is accepted.
//!
//! | File | What |
//! |---|---|
//! | here | checks of a typed code, of the app or of recovery |
//! | `apps.rs` | authenticator apps: enrolment, secret, codes |
//! | `recovery_codes.rs` | recovery codes: issued, counted, used up |
//! | `step_ups.rs` | how long a given code is fresh for its session |
//! | `rows.rs` | reads and writes of `journal.second_factors` |

mod apps;
mod recovery_codes;
mod rows;
mod step_ups;

pub use apps::{Begun, ENROLMENT};
pub use recovery_codes::{RECOVERY_CODES, RecoveryCodes, shown};
pub use step_ups::FRESH;

use super::{mac::KeyedHash, totp};
use crate::problem::ApiError;
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::{Keyring, RowMacs};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use zeroize::Zeroizing;

/// Purpose strings of the keys, which are derived from the lookup key: it is never rotated.
const SECRET_PURPOSE: &str = "second factor secrets";
const RECOVERY_PURPOSE: &str = "recovery codes";

/// Verdict on a typed code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Wrong,
    /// A code of the app that was used before, or one older than that.
    Used,
    /// A code of the app; used from now on.
    App,
    /// A recovery code; used from now on.
    Recovery {
        /// Recovery codes left.
        left: u8,
    },
}

impl Verdict {
    pub const fn is_accepted(self) -> bool {
        matches!(self, Self::App | Self::Recovery { .. })
    }
}

/// Second factors in a database.
#[derive(Clone, Debug)]
pub struct SecondFactors {
    database: Database,
    macs: RowMacs,
    secrets: KeyedHash,
    recovery: KeyedHash,
}

impl SecondFactors {
    pub fn new(database: Database, macs: RowMacs, keyring: &Keyring) -> Self {
        Self {
            database,
            macs,
            secrets: KeyedHash::new(&keyring.derive(SECRET_PURPOSE)),
            recovery: KeyedHash::new(&keyring.derive(RECOVERY_PURPOSE)),
        }
    }

    /// Checks a code and uses it up: of the authenticator app `app`, or a recovery code of the party.
    pub async fn check(
        &self,
        tenant: &TenantId,
        party: PartyId,
        app: Option<SecondFactorId>,
        typed: &str,
        now: DateTime<Utc>,
    ) -> Result<Verdict, ApiError> {
        let typed = typed_code(typed);
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let verdict = if totp::is_code(&typed) {
            let Some(app) = app else { return Ok(Verdict::Wrong) };
            let Some(mut row) = self.locked(&mut transaction, tenant, party, app).await? else {
                return Ok(Verdict::Wrong);
            };
            let verdict = self.judge(tenant, &mut row, &typed, now);
            if verdict.is_accepted() {
                self.save(&mut transaction, tenant, &row).await?;
            }
            verdict
        } else {
            self.redeem(&mut transaction, tenant, party, &typed).await?
        };
        transaction.commit().await?;
        Ok(verdict)
    }

    /// Deletes the rows of a party that has no second factor any more, recovery codes too.
    pub async fn delete_all(&self, tenant: &TenantId, party: PartyId) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.second_factors WHERE tenant = $1 AND party = $2")
            .bind(tenant.as_str())
            .bind(party.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Normalises a typed code: blanks, hyphens and case are ignored.
fn typed_code(typed: &str) -> Zeroizing<String> {
    let kept = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    Zeroizing::new(kept.map(|c| c.to_ascii_lowercase()).collect())
}

#[cfg(test)]
mod tests;
