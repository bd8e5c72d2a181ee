//! Rate limits on guessing and on requested mails, counted in the database for all nodes.
//!
//! An attempt counts from its admission, so that concurrent attempts are limited like sequential ones. A failure keeps
//! counting; a success or an aborted attempt is refunded. An attempt whose node dies counts until its lease ends.
//! Callers with a known device or an open session have a budget of their own, which strangers' failures do not consume.

use super::{address::site, mac::KeyedHash};
use crate::problem::ApiError;
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sqlx::PgPool;
use std::net::IpAddr;
use uuid::Uuid;

/// How long an attempt counts.
pub const WINDOW: Duration = Duration::minutes(15);

/// How long a running attempt counts; longer than a login takes on a busy machine.
const LEASE: Duration = Duration::seconds(30);

/// Maximum refund retries, and the pause between them; bounded by the lease.
const REFUND_TRIES: u32 = 15;
const REFUND_PAUSE: std::time::Duration = std::time::Duration::from_secs(2);

/// Purpose string of the key for the subjects' hashes.
pub const KEY_PURPOSE: &str = "attempts";

/// Attempts allowed per [`WINDOW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Strangers, per account and address.
    pub account_and_address: u32,
    /// Strangers, per address over all accounts.
    pub address: u32,
    /// Strangers, per account over all addresses: distributed guessing. So many, too, for all known devices of an account, and
    /// for all its open sessions.
    pub account: u32,
    /// A known device on its account, or an open session on its own account.
    pub known: u32,
}

/// Wrong passwords or codes; an office of forty people stays below.
pub const FAILURES: Allowance = Allowance {
    account_and_address: 10,
    address: 200,
    account: 50,
    known: 10,
};
/// Mails with a code. Low per account, so that mailboxes can't be flooded; high per address, for offices.
pub const MAILS: Allowance = Allowance {
    account_and_address: 3,
    address: 60,
    account: 10,
    known: 3,
};

/// Wrong codes of a second factor: one in 333,333 is right.
pub const CODES: Allowance = Allowance {
    account_and_address: 5,
    address: 60,
    account: 10,
    known: 5,
};

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Wrong passwords.
    Login,
    /// Wrong reset codes.
    Code,
    /// Wrong codes of a second factor.
    SecondFactor,
    /// Mails with a reset code.
    Mail,
    /// Mails about a login from a new device.
    Notice,
}

impl Kind {
    const fn parts(self) -> (&'static str, Allowance) {
        match self {
            Self::Login => ("login", FAILURES),
            Self::Code => ("code", FAILURES),
            Self::SecondFactor => ("second_factor", CODES),
            Self::Mail => ("mail", MAILS),
            Self::Notice => ("notice", MAILS),
        }
    }
}

/// Additional proof shown with the password or code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Nothing,
    /// Cookie of a device that has logged in to the account.
    Device(Uuid),
    /// Token of an open session of the account.
    Session(Uuid),
}

/// An attempt: client, account, and additional proof.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Client address.
    pub address: IpAddr,
    /// Tenant of the account.
    pub tenant: String,
    /// E-mail address of the account, normalised.
    pub email: String,
    /// Additional proof.
    pub shown: Shown,
}

/// Keyed hash of a counted subject: an account, an address, and so on.
type Subject = [u8; 32];

/// Limits for one kind of attempt.
#[derive(Clone, Debug)]
pub struct Limits {
    database: Database,
    key: KeyedHash,
    name: &'static str,
    allowance: Allowance,
}

impl Limits {
    /// Limits with the key of their subjects ([`KEY_PURPOSE`]).
    pub fn new(kind: Kind, database: Database, key: &[u8; 32]) -> Self {
        let (name, allowance) = kind.parts();
        Self {
            database,
            key: KeyedHash::new(key),
            name,
            allowance,
        }
    }

    /// Counts and admits an attempt.
    ///
    /// # Errors
    /// 429 with the time to wait; 503 when the database fails.
    pub async fn admit(&self, attempt: &Attempt, now: DateTime<Utc>) -> Result<Admission, ApiError> {
        let (subjects, allowed): (Vec<Subject>, Vec<i32>) = self
            .counted(attempt)
            .into_iter()
            .map(|(subject, allowed)| (subject, i32::try_from(allowed).unwrap_or(i32::MAX)))
            .unzip();
        let mut admission = Admission {
            pool: self.database.pool().clone(),
            admitted: now,
            counted: Vec::new(),
            on_success: vec![self.on_account_and_address(attempt)],
        };
        admission.on_success.extend(self.on_shown(attempt));
        let wait: Option<DateTime<Utc>> = sqlx::query_scalar("SELECT journal.admit_attempt($1, $2, $3, $4, $5)")
            .bind(&subjects)
            .bind(allowed)
            .bind(now)
            .bind(now + WINDOW)
            .bind(now + LEASE)
            .fetch_one(&admission.pool)
            .await?;
        if let Some(until) = wait {
            metrics::counter!("caudal_attempts_refused", "kind" => self.name).increment(1);
            return Err(ApiError::too_many((until - now).to_std().unwrap_or_default()));
        }
        admission.counted = subjects;
        Ok(admission)
    }

    /// Resets the failures of an account from this address and device.
    pub async fn forget(&self, attempt: &Attempt) -> Result<(), ApiError> {
        let mut subjects = vec![self.on_account_and_address(attempt)];
        subjects.extend(self.on_shown(attempt));
        Ok(settle(self.database.pool(), &[], None, &subjects).await?)
    }

    /// Subjects that an attempt counts on, each with its limit.
    fn counted(&self, attempt: &Attempt) -> Vec<(Subject, u32)> {
        let Allowance {
            account_and_address,
            address,
            account,
            known,
        } = self.allowance;
        // Every login makes a session, and one without a cookie a device: their number is no limit on guesses, so all have one, too.
        let all_shown = |sort: &str| (self.on_account(attempt, sort, &[]), account);
        let own = self.on_shown(attempt).map(|own| (own, known));
        match attempt.shown {
            Shown::Device(_) => own.into_iter().chain([all_shown("devices")]).collect(),
            Shown::Session(_) => own.into_iter().chain([all_shown("sessions")]).collect(),
            Shown::Nothing => vec![
                (self.on_account_and_address(attempt), account_and_address),
                (
                    self.hash(&[b"address", site(attempt.address).to_string().as_bytes()]),
                    address,
                ),
                (self.on_account(attempt, "account", &[]), account),
            ],
        }
    }

    /// The device or session that an attempt shows.
    fn on_shown(&self, attempt: &Attempt) -> Option<Subject> {
        let (sort, id) = match attempt.shown {
            Shown::Device(id) => ("device", id),
            Shown::Session(id) => ("session", id),
            Shown::Nothing => return None,
        };
        Some(self.on_account(attempt, sort, id.as_bytes()))
    }

    fn on_account_and_address(&self, attempt: &Attempt) -> Subject {
        self.on_account(attempt, "both", site(attempt.address).to_string().as_bytes())
    }

    fn on_account(&self, attempt: &Attempt, sort: &str, of: &[u8]) -> Subject {
        self.hash(&[sort.as_bytes(), attempt.tenant.as_bytes(), attempt.email.as_bytes(), of])
    }

    fn hash(&self, parts: &[&[u8]]) -> Subject {
        let all: Vec<&[u8]> = [self.name.as_bytes()]
            .into_iter()
            .chain(parts.iter().copied())
            .collect();
        self.key.of(&all)
    }
}

/// An admitted, counted attempt. Refunded when dropped without outcome, by an error or a disconnected client: nothing
/// was learned from it.
#[derive(Debug)]
#[must_use]
pub struct Admission {
    pool: PgPool,
    admitted: DateTime<Utc>,
    counted: Vec<Subject>,
    /// Subjects whose failures are reset on success.
    on_success: Vec<Subject>,
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
    fn lease(&self) -> DateTime<Utc> {
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

async fn settle(
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

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_postgres_testing::TestDatabase;
    use std::time::Duration as StdDuration;

    /// Limits of two nodes over one database.
    struct Nodes {
        _database: TestDatabase,
        one: Limits,
        other: Limits,
    }

    impl Nodes {
        async fn start(kind: Kind) -> Self {
            let database = TestDatabase::new().await;
            let limits = async || Limits::new(kind, database.connect().await, &[7; 32]);
            Self {
                one: limits().await,
                other: limits().await,
                _database: database,
            }
        }
    }

    fn attempt(address: [u8; 4], email: &str) -> Attempt {
        Attempt {
            address: IpAddr::from(address),
            tenant: "default".to_owned(),
            email: email.to_owned(),
            shown: Shown::Nothing,
        }
    }

    fn on_device(address: [u8; 4], email: &str, device: u128) -> Attempt {
        Attempt {
            shown: Shown::Device(Uuid::from_u128(device)),
            ..attempt(address, email)
        }
    }

    /// Whether the attempt is admitted; it then fails.
    async fn fails(limits: &Limits, attempt: &Attempt, now: DateTime<Utc>) -> bool {
        let Ok(admission) = limits.admit(attempt, now).await else {
            return false;
        };
        admission.counts().await.unwrap();
        true
    }

    async fn waits(limits: &Limits, attempt: &Attempt, now: DateTime<Utc>) -> bool {
        let admitted = limits.admit(attempt, now).await;
        let Ok(mut admission) = admitted else { return true };
        let counted = std::mem::take(&mut admission.counted);
        settle(&admission.pool, &counted, Some(admission.lease()), &[])
            .await
            .unwrap();
        false
    }

    #[tokio::test]
    async fn all_known_devices_of_an_account_together_have_a_limit_that_no_success_resets() {
        let nodes = Nodes::start(Kind::SecondFactor).await;
        let now = Utc::now();
        let address = [10, 0, 0, 1];
        for device in 0..2 {
            for _ in 0..5 {
                assert!(fails(&nodes.one, &on_device(address, "ana@x.test", device), now).await);
            }
        }
        assert!(waits(&nodes.other, &on_device(address, "ana@x.test", 2), now).await);
        nodes.one.forget(&on_device(address, "ana@x.test", 0)).await.unwrap();
        assert!(waits(&nodes.other, &on_device(address, "ana@x.test", 0), now).await);
        // Neither strangers nor another account wait for them.
        assert!(!waits(&nodes.one, &attempt(address, "ana@x.test"), now).await);
        assert!(!waits(&nodes.one, &on_device(address, "eva@x.test", 0), now).await);
        assert!(!waits(&nodes.one, &on_device(address, "ana@x.test", 2), now + WINDOW).await);
    }

    /// A row of the page: numbers in a window, and in a day.
    fn told(subject: &str, in_a_window: &[u32]) -> String {
        let windows = u32::try_from(Duration::days(1).num_minutes() / WINDOW.num_minutes()).unwrap();
        let grouped = |number: u32| match (number / 1_000, number % 1_000) {
            (0, rest) => rest.to_string(),
            (thousands, rest) => format!("{thousands},{rest:03}"),
        };
        let list = |of: &dyn Fn(u32) -> u32| {
            let numbers: Vec<String> = in_a_window.iter().map(|number| grouped(of(*number))).collect();
            numbers.join("; ")
        };
        format!(
            "| {subject} | {} | {} |",
            list(&|number| number),
            list(&|number| number * windows)
        )
    }

    #[test]
    fn the_page_on_security_says_the_limits_of_the_code() {
        const PAGE: &str = include_str!("../../../docs/security.md");
        let Allowance {
            account_and_address,
            address,
            account,
            known,
        } = FAILURES;
        let all_of = |allowance: Allowance| [allowance.account_and_address, allowance.account, allowance.address];
        for row in [
            told(
                "one account from one address (of IPv6, its /64)",
                &[account_and_address],
            ),
            told("one account from all addresses", &[account]),
            told("one address, any account", &[address]),
            told("one account on a known device", &[known]),
            told(
                "one account in an open session, where the current password is required",
                &[known],
            ),
            told(
                "one account on all its known devices; in all its open sessions",
                &[account, account],
            ),
            told(
                "codes of a second factor: one account from one address; one account; one address",
                &all_of(CODES),
            ),
            told(
                "codes of a second factor, one account on a known device or in an open session",
                &[CODES.known],
            ),
            told(
                "codes of a second factor, one account on all its known devices; in all its open sessions",
                &[CODES.account, CODES.account],
            ),
            told("answers of single sign-on, one address", &[account_and_address]),
            told("logins by passkey, one address", &[account_and_address]),
            told(
                "mails with codes: one account from one address; one account; one address",
                &all_of(MAILS),
            ),
        ] {
            assert!(PAGE.contains(&row), "the page has no row {row}");
        }
        assert_eq!(super::super::recovery::MAX_TRIES, 5);
        assert_eq!(8 * super::super::refresh::SECRET_BYTES, 256);
        assert_eq!(8 * super::super::totp::SECRET_BYTES, 160);
    }

    #[tokio::test]
    async fn ten_failures_from_one_address_on_two_nodes_make_the_account_wait_there_on_both() {
        let nodes = Nodes::start(Kind::Login).await;
        let now = Utc::now();
        let guesser = attempt([10, 0, 0, 1], "a@b.cu");
        for number in 0..FAILURES.account_and_address {
            let node = if number % 2 == 0 { &nodes.one } else { &nodes.other };
            assert!(fails(node, &guesser, now).await, "{number}");
        }
        for node in [&nodes.one, &nodes.other] {
            assert_eq!(node.admit(&guesser, now).await.unwrap_err().code(), "too_many_attempts");
            assert!(!waits(node, &attempt([10, 0, 0, 1], "c@b.cu"), now).await);
            assert!(!waits(node, &attempt([10, 0, 0, 2], "a@b.cu"), now).await);
        }
        assert!(!waits(&nodes.one, &guesser, now + WINDOW).await);
    }

    #[tokio::test]
    async fn guesses_at_many_accounts_make_their_address_wait_and_no_other() {
        for (kind, allowance) in [
            (Kind::Login, FAILURES),
            (Kind::Code, FAILURES),
            (Kind::SecondFactor, CODES),
            (Kind::Mail, MAILS),
        ] {
            let nodes = Nodes::start(kind).await;
            let now = Utc::now();
            let at = |host: u8, account: u32| attempt([10, 0, 0, host], &format!("{account}@b.cu"));
            for account in 0..allowance.address {
                assert!(fails(&nodes.one, &at(1, account), now).await, "{kind:?} {account}");
            }
            assert!(waits(&nodes.other, &at(1, allowance.address), now).await, "{kind:?}");
            assert!(!waits(&nodes.other, &at(2, allowance.address), now).await, "{kind:?}");
        }
    }

    #[tokio::test]
    async fn a_distributed_guess_makes_strangers_wait_and_not_the_account_s_own_device() {
        let nodes = Nodes::start(Kind::Login).await;
        let now = Utc::now();
        for host in 0..FAILURES.account {
            let host = u8::try_from(host).unwrap();
            assert!(fails(&nodes.one, &attempt([10, 0, 0, host], "a@b.cu"), now).await);
        }
        assert!(waits(&nodes.other, &attempt([10, 0, 1, 1], "a@b.cu"), now).await);
        let own = on_device([10, 0, 1, 1], "a@b.cu", 1);
        assert!(!waits(&nodes.other, &own, now).await);
        for _ in 0..FAILURES.known {
            assert!(fails(&nodes.other, &own, now).await);
        }
        assert!(waits(&nodes.one, &own, now).await, "a device has a budget too");
        assert!(!waits(&nodes.one, &on_device([10, 0, 1, 1], "a@b.cu", 2), now).await);
    }

    #[tokio::test]
    async fn forty_accounts_behind_one_address_get_mails_and_one_mailbox_is_not_flooded() {
        let nodes = Nodes::start(Kind::Mail).await;
        let now = Utc::now();
        for clerk in 0..40 {
            let clerk = attempt([10, 0, 0, 1], &format!("clerk{clerk}@b.cu"));
            assert!(fails(&nodes.one, &clerk, now).await);
        }
        for host in 0..MAILS.account {
            let host = u8::try_from(host).unwrap();
            assert!(fails(&nodes.other, &attempt([10, 0, 1, host], "a@b.cu"), now).await);
        }
        assert!(waits(&nodes.one, &attempt([10, 0, 0, 1], "a@b.cu"), now).await);
    }

    #[tokio::test]
    async fn a_success_forgets_the_failures_of_its_account_at_its_address() {
        let nodes = Nodes::start(Kind::Login).await;
        let now = Utc::now();
        let owner = attempt([10, 0, 0, 1], "a@b.cu");
        for _ in 0..FAILURES.account_and_address - 1 {
            assert!(fails(&nodes.one, &owner, now).await);
        }
        let admission = nodes.one.admit(&owner, now).await.unwrap();
        admission.succeeded().await.unwrap();
        for _ in 0..FAILURES.account_and_address {
            assert!(fails(&nodes.other, &owner, now).await);
        }
        assert!(waits(&nodes.one, &owner, now).await);
    }

    #[tokio::test]
    async fn concurrent_attempts_count_and_aborted_ones_are_refunded() {
        let nodes = Nodes::start(Kind::Login).await;
        let now = Utc::now();
        let guesser = attempt([10, 0, 0, 1], "a@b.cu");
        let tries = (0..3 * FAILURES.account_and_address).map(|number| {
            let node = if number % 2 == 0 { &nodes.one } else { &nodes.other };
            node.admit(&guesser, now)
        });
        let admitted: Vec<_> = futures::future::join_all(tries).await.into_iter().flatten().collect();
        assert_eq!(admitted.len(), FAILURES.account_and_address as usize);
        assert!(waits(&nodes.one, &guesser, now).await);
        drop(admitted);
        let deadline = std::time::Instant::now() + StdDuration::from_secs(10);
        while waits(&nodes.one, &guesser, now).await {
            assert!(std::time::Instant::now() < deadline, "aborted attempts are refunded");
            tokio::time::sleep(StdDuration::from_millis(20)).await;
        }
    }

    #[tokio::test]
    async fn attempts_under_way_on_a_node_that_is_killed_count_no_longer_than_a_login_may_take() {
        let nodes = Nodes::start(Kind::Login).await;
        let now = Utc::now();
        let owner = attempt([10, 0, 0, 1], "a@b.cu");
        for _ in 0..FAILURES.account_and_address {
            // Like a killed process: nothing settles the attempt.
            std::mem::forget(nodes.one.admit(&owner, now).await.unwrap());
        }
        let refused = nodes.other.admit(&owner, now + LEASE / 2).await.unwrap_err();
        assert_eq!(
            refused.code(),
            "too_many_attempts",
            "they count while they are under way"
        );
        assert!(!waits(&nodes.other, &owner, now + LEASE).await);
        for _ in 0..FAILURES.account_and_address {
            assert!(
                fails(&nodes.other, &owner, now + LEASE).await,
                "and leave nothing behind"
            );
        }
        assert!(waits(&nodes.other, &owner, now + LEASE + LEASE).await, "failures stay");
    }

    #[tokio::test]
    async fn nodes_of_before_count_what_they_admit_until_they_take_it_back() {
        let nodes = Nodes::start(Kind::Login).await;
        let (now, owner) = (Utc::now(), attempt([10, 0, 0, 1], "a@b.cu"));
        let subjects = vec![nodes.one.on_account_and_address(&owner)];
        let pool = nodes.one.database.pool();
        for _ in 0..FAILURES.account_and_address {
            sqlx::query("SELECT journal.admit_attempt($1, $2, $3, $4)")
                .bind(&subjects)
                .bind(vec![10_i32])
                .bind(now)
                .bind(now + WINDOW)
                .execute(pool)
                .await
                .unwrap();
        }
        assert!(waits(&nodes.other, &owner, now + LEASE).await);
        sqlx::query("SELECT journal.settle_attempt($1, $2)")
            .bind(&subjects)
            .bind(Vec::<Subject>::new())
            .execute(pool)
            .await
            .unwrap();
        assert!(!waits(&nodes.other, &owner, now + LEASE).await);
    }

    #[tokio::test]
    async fn the_table_keeps_one_window_of_attempts_and_names_nobody() {
        let nodes = Nodes::start(Kind::Login).await;
        let now = Utc::now();
        for number in 0..100 {
            let stranger = attempt([10, 0, 0, number], &format!("{number}@b.cu"));
            assert!(fails(&nodes.one, &stranger, now).await);
        }
        for number in 0..60 {
            let later = now + WINDOW + Duration::seconds(number);
            assert!(fails(&nodes.one, &attempt([10, 0, 0, 1], "a@b.cu"), later).await || number >= 10);
            assert!(
                fails(
                    &nodes.one,
                    &attempt([10, 1, 0, 1], &format!("later{number}@b.cu")),
                    later
                )
                .await
            );
        }
        let mut transaction = nodes.one.database.begin_read("default").await.unwrap();
        sqlx::query("SELECT set_config('caudal.tenant', '*', true)")
            .execute(&mut *transaction)
            .await
            .unwrap();
        let (rows, old): (i64, i64) =
            sqlx::query_as("SELECT count(*), count(*) FILTER (WHERE until <= $1) FROM journal.attempts")
                .bind(now + WINDOW)
                .fetch_one(&mut *transaction)
                .await
                .unwrap();
        assert_eq!(old, 0);
        assert!(rows < 130, "{rows}");
    }
}
