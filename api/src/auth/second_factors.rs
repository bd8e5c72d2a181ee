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

use super::{
    mac::KeyedHash,
    refresh,
    totp::{self, Secret},
};
use crate::problem::ApiError;
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::{Keyring, RowMacs, SecondFactorRow, StepUpRow};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Purpose strings of the keys, which are derived from the lookup key: it is never rotated.
const SECRET_PURPOSE: &str = "second factor secrets";
const RECOVERY_PURPOSE: &str = "recovery codes";

/// How long an enrolment may take.
pub const ENROLMENT: Duration = Duration::minutes(15);
/// How long a given code is fresh for its session.
pub const FRESH: Duration = Duration::minutes(5);
/// Recovery codes of a factor.
pub const RECOVERY_CODES: usize = 10;
/// Characters of a recovery code: 50 bits.
const RECOVERY_LENGTH: usize = 10;
/// Letters and digits that are not mistaken for one another: no `l`, `o`, `0` and `1`.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Bytes of a recovery code's hash.
const HASH_BYTES: usize = 32;
/// Retention of stale step-ups.
const MEMORY: Duration = Duration::days(1);

/// An enrolment under way.
pub struct Begun {
    pub factor: SecondFactorId,
    pub secret: Secret,
}

/// Recovery codes, which are shown once.
pub type RecoveryCodes = Vec<Zeroizing<String>>;

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

    /// Begins an enrolment with a new secret. Enrolments of the party that took too long are deleted.
    ///
    /// # Errors
    /// When the database fails or the system has no randomness.
    pub async fn begin(&self, tenant: &TenantId, party: PartyId, now: DateTime<Utc>) -> Result<Begun, ApiError> {
        let row = SecondFactorRow {
            factor: SecondFactorId::generate(),
            party,
            salt: refresh::random()?.to_vec(),
            last_step: 0,
            recovery: Vec::new(),
            created_at: now,
        };
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
        sqlx::query(
            "INSERT INTO journal.second_factors (tenant, factor, party, salt, last_step, recovery, created_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(tenant.as_str())
        .bind(row.factor.0)
        .bind(party.0)
        .bind(&row.salt)
        .bind(row.last_step)
        .bind(&row.recovery)
        .bind(row.created_at)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Begun {
            factor: row.factor,
            secret: self.secret(tenant, &row),
        })
    }

    /// Checks a code and uses it up. A party without a row for the factor has no right code.
    pub async fn check(
        &self,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
        typed: &str,
        now: DateTime<Utc>,
    ) -> Result<Verdict, ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let Some(mut row) = self.locked(&mut transaction, tenant, party, factor).await? else {
            return Ok(Verdict::Wrong);
        };
        let verdict = self.judge(tenant, &mut row, typed, now);
        if verdict.is_accepted() {
            self.save(&mut transaction, tenant, &row).await?;
        }
        transaction.commit().await?;
        Ok(verdict)
    }

    /// Checks a code of the app, uses it up, and gives the factor new recovery codes. Of an enrolment, `since` bounds
    /// its age.
    pub async fn check_and_issue(
        &self,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
        typed: &str,
        since: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<(Verdict, RecoveryCodes), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let row = self.locked(&mut transaction, tenant, party, factor).await?;
        let Some(mut row) = row.filter(|row| since.is_none_or(|since| row.created_at >= since)) else {
            return Err(ApiError::not_found("second_factor_expired"));
        };
        let verdict = self.judge(tenant, &mut row, typed, now);
        let mut codes = RecoveryCodes::new();
        if verdict.is_accepted() {
            row.recovery.clear();
            for _ in 0..RECOVERY_CODES {
                let code = recovery_code()?;
                row.recovery.extend(self.hash(tenant, &row, &code));
                codes.push(code);
            }
            self.save(&mut transaction, tenant, &row).await?;
        }
        transaction.commit().await?;
        Ok((verdict, codes))
    }

    /// Number of recovery codes left; `None` without a row for the factor.
    pub async fn recovery_codes_left(
        &self,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
    ) -> Result<Option<(usize, DateTime<Utc>)>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = self.row(&mut transaction, tenant, party, factor, "").await?;
        Ok(row.map(|row| (row.recovery.len() / HASH_BYTES, row.created_at)))
    }

    /// Deletes the rows of a party whose factor was ended.
    pub async fn delete(&self, tenant: &TenantId, party: PartyId, factor: SecondFactorId) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.second_factors WHERE tenant = $1 AND party = $2 AND factor = $3")
            .bind(tenant.as_str())
            .bind(party.0)
            .bind(factor.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

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

    /// Time until which a session's last code of the factor is fresh; `None` when it is not.
    pub async fn fresh_until(
        &self,
        tenant: &TenantId,
        session: Uuid,
        factor: SecondFactorId,
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
        Ok((is_authentic && given.factor == factor && until > now).then_some(until))
    }
}

impl SecondFactors {
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

    fn hash(&self, tenant: &TenantId, row: &SecondFactorRow, code: &str) -> [u8; HASH_BYTES] {
        self.recovery.of(&Self::hashed(tenant, row, code))
    }

    fn hashed<'a>(tenant: &'a TenantId, row: &'a SecondFactorRow, code: &'a str) -> [&'a [u8]; 3] {
        [tenant.as_str().as_bytes(), row.factor.0.as_bytes(), code.as_bytes()]
    }

    /// Judges a code, and changes the row of an accepted one so that it is not accepted again.
    fn judge(&self, tenant: &TenantId, row: &mut SecondFactorRow, typed: &str, now: DateTime<Utc>) -> Verdict {
        let typed = typed_code(typed);
        if totp::is_code(&typed) {
            return match totp::find_step(&self.secret(tenant, row), &typed, now) {
                None => Verdict::Wrong,
                Some(step) if step <= row.last_step => Verdict::Used,
                Some(step) => {
                    row.last_step = step;
                    Verdict::App
                }
            };
        }
        if typed.len() != RECOVERY_LENGTH {
            return Verdict::Wrong;
        }
        // All hashes are compared, each in constant time.
        let of = Self::hashed(tenant, row, &typed);
        let (used, left): (Vec<&[u8]>, Vec<&[u8]>) = row
            .recovery
            .chunks(HASH_BYTES)
            .partition(|hash| self.recovery.is_of(&of, hash));
        if used.is_empty() {
            return Verdict::Wrong;
        }
        let count = u8::try_from(left.len()).unwrap_or(u8::MAX);
        row.recovery = left.concat();
        Verdict::Recovery { left: count }
    }

    async fn locked(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
    ) -> Result<Option<SecondFactorRow>, ApiError> {
        // Of two requests with one code the second waits here, and then sees the first's step.
        self.row(connection, tenant, party, factor, "FOR UPDATE").await
    }

    async fn row(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        factor: SecondFactorId,
        lock: &'static str,
    ) -> Result<Option<SecondFactorRow>, ApiError> {
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.second_factors WHERE tenant = $1 AND party = $2 AND factor = $3 {lock}",
            SecondFactorRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(factor.0)
        .fetch_optional(connection)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let found = SecondFactorRow::from_row(&row)?;
        found.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        Ok(Some(found))
    }

    async fn save(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        row: &SecondFactorRow,
    ) -> Result<(), ApiError> {
        sqlx::query(
            "UPDATE journal.second_factors SET last_step = $3, recovery = $4, mac = $5
              WHERE tenant = $1 AND factor = $2",
        )
        .bind(tenant.as_str())
        .bind(row.factor.0)
        .bind(row.last_step)
        .bind(&row.recovery)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(connection)
        .await?;
        Ok(())
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

/// Normalises a typed code: blanks, hyphens and case are ignored.
fn typed_code(typed: &str) -> Zeroizing<String> {
    let kept = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    Zeroizing::new(kept.map(|c| c.to_ascii_lowercase()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_postgres_testing::TestDatabase;

    /// The second factors of two nodes over one database.
    struct Nodes {
        _database: TestDatabase,
        one: SecondFactors,
        other: SecondFactors,
        tenant: TenantId,
        party: PartyId,
    }

    impl Nodes {
        async fn start() -> Self {
            let database = TestDatabase::new().await;
            let keyring = Keyring::generate().unwrap();
            let node = async || SecondFactors::new(database.connect().await, RowMacs::new(&keyring), &keyring);
            Self {
                one: node().await,
                other: node().await,
                _database: database,
                tenant: "default".parse().unwrap(),
                party: PartyId::generate(),
            }
        }

        async fn enrolled(&self, now: DateTime<Utc>) -> (Begun, RecoveryCodes) {
            let begun = self.one.begin(&self.tenant, self.party, now).await.unwrap();
            let code = totp::code(&begun.secret, totp::step_of(now));
            let (verdict, codes) = self
                .other
                .check_and_issue(&self.tenant, self.party, begun.factor, &code, None, now)
                .await
                .unwrap();
            assert_eq!((verdict, codes.len()), (Verdict::App, RECOVERY_CODES));
            (begun, codes)
        }

        async fn check(&self, factor: SecondFactorId, typed: &str, now: DateTime<Utc>) -> Verdict {
            let checked = self.one.check(&self.tenant, self.party, factor, typed, now).await;
            checked.unwrap()
        }
    }

    #[tokio::test]
    async fn of_two_nodes_that_check_one_code_at_once_one_accepts_it() {
        let nodes = Nodes::start().await;
        let now = Utc::now();
        let (begun, codes) = nodes.enrolled(now).await;
        let later = now + Duration::seconds(totp::STEP_SECONDS);
        let code = totp::code(&begun.secret, totp::step_of(later));
        for typed in [code.as_str(), codes[0].as_str()] {
            let tries = (0..8).map(|number| {
                let node = if number % 2 == 0 { &nodes.one } else { &nodes.other };
                node.check(&nodes.tenant, nodes.party, begun.factor, typed, later)
            });
            let verdicts = futures::future::join_all(tries).await;
            let accepted = verdicts
                .iter()
                .filter(|verdict| verdict.as_ref().unwrap().is_accepted());
            assert_eq!(accepted.count(), 1, "{verdicts:?}");
        }
    }

    #[tokio::test]
    async fn a_code_is_used_once_and_none_before_it_is_accepted() {
        let nodes = Nodes::start().await;
        let now = Utc::now();
        let (begun, _) = nodes.enrolled(now).await;
        let present = totp::step_of(now);
        let code = |step| totp::code(&begun.secret, step);
        assert_eq!(nodes.check(begun.factor, &code(present), now).await, Verdict::Used);
        assert_eq!(nodes.check(begun.factor, &code(present - 1), now).await, Verdict::Used);
        let next = code(present + 1);
        let typed = format!(" {} {} ", &next[..3], &next[3..]);
        assert_eq!(nodes.check(begun.factor, &typed, now).await, Verdict::App);
        assert_eq!(nodes.check(begun.factor, &typed, now).await, Verdict::Used);
        assert_eq!(nodes.check(begun.factor, &code(present + 2), now).await, Verdict::Wrong);
        assert_eq!(
            nodes.check(SecondFactorId::generate(), &next, now).await,
            Verdict::Wrong
        );
    }

    #[tokio::test]
    async fn each_recovery_code_is_accepted_once_as_people_type_it_and_new_ones_replace_them() {
        let nodes = Nodes::start().await;
        let now = Utc::now();
        let (begun, codes) = nodes.enrolled(now).await;
        let typed = shown(&codes[3]).to_uppercase();
        let verdict = nodes.check(begun.factor, &typed, now).await;
        assert_eq!(verdict, Verdict::Recovery { left: 9 });
        assert_eq!(nodes.check(begun.factor, &typed, now).await, Verdict::Wrong);
        let (verdict, again) = nodes
            .one
            .check_and_issue(&nodes.tenant, nodes.party, begun.factor, &codes[4], None, now)
            .await
            .unwrap();
        assert_eq!(verdict, Verdict::Recovery { left: 8 });
        assert_eq!(nodes.check(begun.factor, &codes[5], now).await, Verdict::Wrong);
        assert!(nodes.check(begun.factor, &again[0], now).await.is_accepted());
    }

    #[tokio::test]
    async fn an_enrolment_ends_after_its_time_and_an_ended_factor_has_no_codes() {
        let nodes = Nodes::start().await;
        let now = Utc::now();
        let begun = nodes.one.begin(&nodes.tenant, nodes.party, now).await.unwrap();
        let late = now + ENROLMENT + Duration::seconds(1);
        let code = totp::code(&begun.secret, totp::step_of(late));
        let (tenant, party) = (&nodes.tenant, nodes.party);
        let confirmed = nodes
            .one
            .check_and_issue(tenant, party, begun.factor, &code, Some(late - ENROLMENT), late)
            .await;
        assert_eq!(confirmed.unwrap_err().code(), "second_factor_expired");
        let (begun, codes) = nodes.enrolled(late).await;
        nodes.other.delete(tenant, party, begun.factor).await.unwrap();
        assert_eq!(nodes.check(begun.factor, &codes[0], late).await, Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_given_code_is_fresh_for_its_session_and_factor_for_five_minutes() {
        let nodes = Nodes::start().await;
        let (now, tenant) = (Utc::now(), &nodes.tenant);
        let (session, factor) = (Uuid::now_v7(), SecondFactorId::generate());
        let until = nodes.one.note_code(tenant, session, factor, now).await.unwrap();
        let fresh = async |session, factor, at| nodes.other.fresh_until(tenant, session, factor, at).await.unwrap();
        assert!(fresh(session, factor, until - Duration::seconds(1)).await.is_some());
        assert_eq!(fresh(session, factor, until).await, None);
        assert_eq!(fresh(Uuid::now_v7(), factor, now).await, None);
        assert_eq!(fresh(session, SecondFactorId::generate(), now).await, None);
    }
}
