//! Recovery codes: ten of a party, of all its factors together, each of which is used once.

use super::{SecondFactors, Verdict, rows::new_row};
use crate::{
    auth::{refresh, turns::one_at_a_time},
    problem::ApiError,
};
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::SecondFactorRow;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use zeroize::Zeroizing;

/// Recovery codes of a factor.
pub const RECOVERY_CODES: usize = 10;
/// Characters of a recovery code: 50 bits.
const RECOVERY_LENGTH: usize = 10;
/// Letters and digits that are not mistaken for one another: no `l`, `o`, `0` and `1`.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Bytes of a recovery code's hash.
const HASH_BYTES: usize = 32;

/// Recovery codes, which are shown once.
pub type RecoveryCodes = Vec<Zeroizing<String>>;

impl SecondFactors {
    /// Replaces all recovery codes of a party by ten new ones, kept with the factor `holder`.
    pub async fn issue_recovery_codes(
        &self,
        tenant: &TenantId,
        party: PartyId,
        holder: SecondFactorId,
        now: DateTime<Utc>,
    ) -> Result<RecoveryCodes, ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // The second of two at once replaces what the first has issued.
        one_at_a_time(&mut transaction, "recovery codes", tenant, party).await?;
        for mut row in self.with_recovery(&mut transaction, tenant, party).await? {
            row.recovery.clear();
            self.save(&mut transaction, tenant, &row).await?;
        }
        let mut row = match self.locked(&mut transaction, tenant, party, holder).await? {
            Some(row) => row,
            // A passkey has no row of its own here.
            None => {
                let row = new_row(holder, party, now)?;
                self.insert(&mut transaction, tenant, &row).await?;
                row
            }
        };
        let mut codes = RecoveryCodes::new();
        for _ in 0..RECOVERY_CODES {
            let code = recovery_code()?;
            row.recovery.extend(self.hash(tenant, &row, &code));
            codes.push(code);
        }
        self.save(&mut transaction, tenant, &row).await?;
        transaction.commit().await?;
        Ok(codes)
    }

    /// Number of recovery codes left of a party.
    pub async fn recovery_codes_left(&self, tenant: &TenantId, party: PartyId) -> Result<usize, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = self
            .rows(&mut transaction, tenant, party, "AND octet_length(recovery) > 0")
            .await?;
        Ok(rows.iter().map(|row| row.recovery.len() / HASH_BYTES).sum())
    }

    /// Uses up a recovery code. All hashes of the party are compared, each in constant time.
    pub(super) async fn redeem(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        typed: &str,
    ) -> Result<Verdict, ApiError> {
        if typed.len() != RECOVERY_LENGTH {
            return Ok(Verdict::Wrong);
        }
        let (mut is_right, mut count) = (false, 0);
        for mut row in self.with_recovery(connection, tenant, party).await? {
            let of = Self::hashed(tenant, &row, typed);
            let (used, left): (Vec<&[u8]>, Vec<&[u8]>) = row
                .recovery
                .chunks(HASH_BYTES)
                .partition(|hash| self.recovery.is_of(&of, hash));
            count += left.len();
            if !used.is_empty() {
                is_right = true;
                row.recovery = left.concat();
                self.save(connection, tenant, &row).await?;
            }
        }
        if !is_right {
            return Ok(Verdict::Wrong);
        }
        let left = u8::try_from(count).unwrap_or(u8::MAX);
        Ok(Verdict::Recovery { left })
    }

    /// Rows of a party with recovery codes, locked. They stay with the factor that they were made with after its end.
    async fn with_recovery(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
    ) -> Result<Vec<SecondFactorRow>, ApiError> {
        let which = "AND octet_length(recovery) > 0 ORDER BY factor FOR UPDATE";
        self.rows(connection, tenant, party, which).await
    }

    fn hash(&self, tenant: &TenantId, row: &SecondFactorRow, code: &str) -> [u8; HASH_BYTES] {
        self.recovery.of(&Self::hashed(tenant, row, code))
    }

    fn hashed<'a>(tenant: &'a TenantId, row: &'a SecondFactorRow, code: &'a str) -> [&'a [u8]; 3] {
        [tenant.as_str().as_bytes(), row.factor.0.as_bytes(), code.as_bytes()]
    }
}

/// A new recovery code.
fn recovery_code() -> Result<Zeroizing<String>, ApiError> {
    let random = refresh::random()?;
    let letters = random.iter().take(RECOVERY_LENGTH);
    Ok(Zeroizing::new(
        letters
            .map(|byte| char::from(ALPHABET[usize::from(byte & 31)]))
            .collect(),
    ))
}

/// A recovery code in two halves, easier to type.
pub fn shown(code: &str) -> String {
    match code.split_at_checked(RECOVERY_LENGTH / 2) {
        Some((first, second)) => format!("{first}-{second}"),
        None => code.to_owned(),
    }
}
