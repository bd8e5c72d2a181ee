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
    turns::one_at_a_time,
};
use crate::problem::ApiError;
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::{Keyring, RowMacs, SecondFactorRow, StepUpRow};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
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

    /// Judges a code of the app, and changes the row of an accepted one so that it is not accepted again.
    fn judge(&self, tenant: &TenantId, row: &mut SecondFactorRow, typed: &str, now: DateTime<Utc>) -> Verdict {
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

    /// Uses up a recovery code. All hashes of the party are compared, each in constant time.
    async fn redeem(
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

    async fn rows(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        which: &'static str,
    ) -> Result<Vec<SecondFactorRow>, ApiError> {
        let rows = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.second_factors WHERE tenant = $1 AND party = $2 {which}",
            SecondFactorRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .fetch_all(connection)
        .await?;
        rows.iter().map(|row| self.authentic(tenant, row)).collect()
    }

    fn authentic(&self, tenant: &TenantId, row: &PgRow) -> Result<SecondFactorRow, ApiError> {
        let found = SecondFactorRow::from_row(row)?;
        found.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        Ok(found)
    }

    async fn insert(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        row: &SecondFactorRow,
    ) -> Result<(), ApiError> {
        sqlx::query(
            "INSERT INTO journal.second_factors (tenant, factor, party, salt, last_step, recovery, created_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(tenant.as_str())
        .bind(row.factor.0)
        .bind(row.party.0)
        .bind(&row.salt)
        .bind(row.last_step)
        .bind(&row.recovery)
        .bind(row.created_at)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(connection)
        .await?;
        Ok(())
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
        row.map(|row| self.authentic(tenant, &row)).transpose()
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

fn new_row(factor: SecondFactorId, party: PartyId, now: DateTime<Utc>) -> Result<SecondFactorRow, ApiError> {
    Ok(SecondFactorRow {
        factor,
        party,
        salt: refresh::random()?.to_vec(),
        last_step: 0,
        recovery: Vec::new(),
        created_at: now,
    })
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
            let (tenant, party, factor) = (&self.tenant, self.party, begun.factor);
            let confirmed = self.other.confirm(tenant, party, factor, &code, now - ENROLMENT, now);
            assert_eq!(confirmed.await.unwrap(), Verdict::App);
            let codes = self
                .other
                .issue_recovery_codes(tenant, party, factor, now)
                .await
                .unwrap();
            assert_eq!(codes.len(), RECOVERY_CODES);
            (begun, codes)
        }

        async fn check(&self, factor: SecondFactorId, typed: &str, now: DateTime<Utc>) -> Verdict {
            let checked = self.one.check(&self.tenant, self.party, Some(factor), typed, now).await;
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
                node.check(&nodes.tenant, nodes.party, Some(begun.factor), typed, later)
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
        let (tenant, party) = (&nodes.tenant, nodes.party);
        let again = nodes
            .one
            .issue_recovery_codes(tenant, party, begun.factor, now)
            .await
            .unwrap();
        assert_eq!(nodes.check(begun.factor, &codes[5], now).await, Verdict::Wrong);
        assert!(nodes.check(begun.factor, &again[0], now).await.is_accepted());
    }

    #[tokio::test]
    async fn recovery_codes_of_a_passkey_are_accepted_beside_an_app_and_after_the_app_s_end() {
        let nodes = Nodes::start().await;
        let now = Utc::now();
        let (tenant, party, passkey) = (&nodes.tenant, nodes.party, SecondFactorId::generate());
        let codes = nodes
            .one
            .issue_recovery_codes(tenant, party, passkey, now)
            .await
            .unwrap();
        let without_app = nodes.other.check(tenant, party, None, &codes[0], now).await.unwrap();
        assert_eq!(without_app, Verdict::Recovery { left: 9 });
        let digits = nodes.other.check(tenant, party, None, "123456", now).await.unwrap();
        assert_eq!(digits, Verdict::Wrong);
        let begun = nodes.one.begin(tenant, party, now).await.unwrap();
        assert!(nodes.check(begun.factor, &codes[1], now).await.is_accepted());
        assert_eq!(nodes.one.recovery_codes_left(tenant, party).await.unwrap(), 8);
        nodes.one.delete_all(tenant, party).await.unwrap();
        assert_eq!(nodes.check(begun.factor, &codes[2], now).await, Verdict::Wrong);
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
            .confirm(tenant, party, begun.factor, &code, late - ENROLMENT, late)
            .await;
        assert_eq!(confirmed.unwrap_err().code(), "second_factor_expired");
        let (begun, codes) = nodes.enrolled(late).await;
        nodes.other.delete_all(tenant, party).await.unwrap();
        assert_eq!(nodes.check(begun.factor, &codes[0], late).await, Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_given_code_is_fresh_for_its_session_and_factor_for_five_minutes() {
        let nodes = Nodes::start().await;
        let (now, tenant) = (Utc::now(), &nodes.tenant);
        let (session, factor) = (Uuid::now_v7(), SecondFactorId::generate());
        let until = nodes.one.note_code(tenant, session, factor, now).await.unwrap();
        let fresh = async |session, factor, at| {
            let until = nodes.other.fresh_until(tenant, session, &[factor], at).await;
            until.unwrap()
        };
        assert!(fresh(session, factor, until - Duration::seconds(1)).await.is_some());
        assert_eq!(fresh(session, factor, until).await, None);
        assert_eq!(fresh(Uuid::now_v7(), factor, now).await, None);
        assert_eq!(fresh(session, SecondFactorId::generate(), now).await, None);
    }
}
