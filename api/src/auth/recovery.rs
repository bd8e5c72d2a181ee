//! One-time codes for forgotten passwords: mailed, stored as a keyed hash, valid for 15 minutes and a few tries. A code is of one
//! address and one password: with a change of either it is wrong, since its hash is over both.

use crate::{
    auth::mac::{KeyedHash, SessionHashes},
    problem::ApiError,
};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{Keyring, ResetCodeRow, RowMacs};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sqlx::Row as _;

/// Validity of a code.
pub const CODE_LIFETIME: Duration = Duration::minutes(15);
/// Tries per code: five of a hundred million values.
pub const MAX_TRIES: i16 = 5;
const CODE_DIGITS: usize = 8;
/// Number of possible codes.
const CODES: u64 = 100_000_000;

/// Purpose string of the codes' hash key.
const KEY_PURPOSE: &str = "reset codes";

/// What a code is for: with another address, or after another password was set, it is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    pub party: PartyId,
    /// E-mail address, normalised.
    pub email: &'a str,
    /// Time at which the password was set.
    pub password_of: DateTime<Utc>,
}

/// One-time codes in a database.
#[derive(Clone, Debug)]
pub struct Recovery {
    database: Database,
    macs: RowMacs,
    hashes: SessionHashes,
}

impl Recovery {
    /// Codes hashed under the session keys: the database alone reveals none.
    pub const fn new(database: Database, macs: RowMacs, keyring: Keyring) -> Self {
        let hashes = SessionHashes::new(keyring, KEY_PURPOSE);
        Self { database, macs, hashes }
    }

    /// Issues a new code, replacing an earlier one.
    ///
    /// # Errors
    /// When the database fails or the system has no randomness.
    pub async fn issue(&self, tenant: &TenantId, account: Account<'_>, now: DateTime<Utc>) -> Result<String, ApiError> {
        let party = account.party;
        // 2^64 values reduced to far fewer codes: the bias is negligible.
        let code = format!(
            "{:0width$}",
            getrandom::u64().map_err(ApiError::internal)? % CODES,
            width = CODE_DIGITS
        );
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.reset_codes WHERE tenant = $1 AND expires_at <= $2")
            .bind(tenant.as_str())
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        let kept = ResetCodeRow {
            party,
            code_hash: hash(&self.hashes.current(now)?, tenant, account, &code).to_vec(),
            tries: 0,
            expires_at: now + CODE_LIFETIME,
        };
        sqlx::query(
            "INSERT INTO journal.reset_codes (tenant, party, code_hash, expires_at, mac) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant, party)
             DO UPDATE SET code_hash = EXCLUDED.code_hash, expires_at = EXCLUDED.expires_at, tries = 0,
                           mac = EXCLUDED.mac",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(&kept.code_hash)
        .bind(kept.expires_at)
        .bind(kept.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(code)
    }

    /// Redeems a code. A wrong one counts as a try, and so does a right one that is not spent.
    pub async fn redeem(
        &self,
        tenant: &TenantId,
        account: Account<'_>,
        typed: &str,
        spend: bool,
        now: DateTime<Utc>,
    ) -> Result<bool, ApiError> {
        let Some(code) = typed_code(typed) else {
            return Ok(false);
        };
        let party = account.party;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.reset_codes WHERE tenant = $1 AND party = $2 FOR UPDATE",
            ResetCodeRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(false) };
        let mut kept = ResetCodeRow::from_row(&row)?;
        kept.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        if kept.expires_at <= now || kept.tries >= MAX_TRIES {
            return Ok(false);
        }
        kept.tries += 1;
        sqlx::query("UPDATE journal.reset_codes SET tries = $3, mac = $4 WHERE tenant = $1 AND party = $2")
            .bind(tenant.as_str())
            .bind(party.0)
            .bind(kept.tries)
            .bind(kept.mac(&self.macs, tenant).finish())
            .execute(&mut *transaction)
            .await?;
        let mut valid = self.hashes.valid(now).into_iter();
        let matches = valid.any(|key| kept.code_hash == hash(&key, tenant, account, &code));
        if matches && spend {
            sqlx::query("DELETE FROM journal.reset_codes WHERE tenant = $1 AND party = $2")
                .bind(tenant.as_str())
                .bind(party.0)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(matches)
    }
}

fn hash(key: &KeyedHash, tenant: &TenantId, account: Account<'_>, code: &str) -> [u8; 32] {
    key.of(&[
        tenant.as_str().as_bytes(),
        account.party.0.as_bytes(),
        account.email.as_bytes(),
        &account.password_of.timestamp_micros().to_be_bytes(),
        code.as_bytes(),
    ])
}

/// Normalises a typed code: blanks and hyphens are ignored.
fn typed_code(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let digits = code.len() == CODE_DIGITS && code.bytes().all(|b| b.is_ascii_digit());
    digits.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        for typed in ["12345678", "1234 5678", " 1234-5678 "] {
            assert_eq!(typed_code(typed).as_deref(), Some("12345678"));
        }
        for typed in ["", "1234567", "123456789", "1234567a", "١٢٣٤٥٦٧٨"] {
            assert_eq!(typed_code(typed), None, "{typed}");
        }
    }
}
