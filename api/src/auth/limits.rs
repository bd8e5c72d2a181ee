//! Limits on the calls that anybody may make. Of logins the failures are counted, successes are not; of mails that are
//! asked for each one. An office behind one address works on in both.

use super::address::site;
use crate::problem::ApiError;
use chrono::{DateTime, Duration, Utc};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher as _},
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

/// Failures are forgotten after so long.
pub const WINDOW: Duration = Duration::minutes(15);
/// How many are let through within [`WINDOW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// On one account from one address.
    pub account_and_address: u32,
    /// From one address, whatever the account.
    pub address: u32,
    /// On one account from anywhere: doing it from many addresses is slowed too.
    pub account: u32,
}

/// Failures to show a password or a code: an office of forty with a bad morning stays below.
pub const FAILURES: Allowance = Allowance {
    account_and_address: 10,
    address: 200,
    account: 50,
};
/// Mails with a code: who gets none after the third looks into the wrong mailbox, and nobody's mailbox is to be filled
/// by others. All forty of an office may have forgotten theirs over the holidays.
pub const MAILS: Allowance = Allowance {
    account_and_address: 3,
    address: 60,
    account: 10,
};
/// So many counters are kept, some 50 bytes each; past it, those that end first make room.
const MAX_COUNTERS: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Address(IpAddr),
    /// An account by a hash: the tenant and the e-mail address need not be kept.
    Account(u64),
    Both(IpAddr, u64),
}

impl Allowance {
    const fn of(self, subject: Subject) -> u32 {
        match subject {
            Subject::Address(_) => self.address,
            Subject::Account(_) => self.account,
            Subject::Both(..) => self.account_and_address,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Counter {
    count: u32,
    until: DateTime<Utc>,
}

/// What is counted on this node.
#[derive(Debug)]
pub struct Limits {
    allowance: Allowance,
    counters: Mutex<HashMap<Subject, Counter>>,
}

/// Who tries, and as whom.
#[derive(Clone, Copy, Debug)]
pub struct Attempt([Subject; 3]);

impl Attempt {
    /// An attempt on an account of a tenant from an address.
    pub fn new(address: IpAddr, tenant: &str, email: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (tenant, email).hash(&mut hasher);
        let account = hasher.finish();
        let address = site(address);
        Self([
            Subject::Both(address, account),
            Subject::Address(address),
            Subject::Account(account),
        ])
    }
}

impl Limits {
    /// Lets so many through.
    pub fn new(allowance: Allowance) -> Self {
        Self {
            allowance,
            counters: Mutex::default(),
        }
    }

    /// Lets an attempt go on, which counts as failed from the beginning: of those who try at the same time no more are
    /// let through than of those who try one after the other.
    ///
    /// # Errors
    /// 429 where it has to wait, and how long.
    pub fn admit(&self, attempt: Attempt, now: DateTime<Utc>) -> Result<Admission<'_>, ApiError> {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(wait) = self.wait(&counters, attempt, now) {
            return Err(ApiError::too_many(wait.to_std().unwrap_or_default()));
        }
        count(&mut counters, attempt, now);
        Ok(Admission {
            limits: self,
            attempt,
            settled: false,
        })
    }

    /// How long an attempt has to wait; none where it may go on.
    fn wait(&self, counters: &HashMap<Subject, Counter>, attempt: Attempt, now: DateTime<Utc>) -> Option<Duration> {
        let over = |subject: &Subject| {
            let counter = counters.get(subject)?;
            (counter.count >= self.allowance.of(*subject) && counter.until > now).then(|| counter.until - now)
        };
        attempt.0.iter().filter_map(over).max()
    }

    /// Takes one back.
    fn take_back(&self, attempt: Attempt) {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        for subject in attempt.0 {
            if let Some(counter) = counters.get_mut(&subject) {
                counter.count = counter.count.saturating_sub(1);
            }
        }
    }

    /// Forgets what was counted on an account from an address: its owner is there.
    pub fn forget(&self, attempt: Attempt) {
        let [both, _, _] = attempt.0;
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.remove(&both);
    }
}

/// An attempt under way, counted. What ends without a word about it, by an error or because its caller has gone, is taken
/// back: nobody has learnt anything from it.
#[derive(Debug)]
#[must_use]
pub struct Admission<'a> {
    limits: &'a Limits,
    attempt: Attempt,
    settled: bool,
}

impl Admission<'_> {
    /// It failed, or it is one of those of which each is counted.
    pub fn counts(mut self) {
        self.settled = true;
    }

    /// It succeeded: what was counted on the account from the address is forgotten.
    pub fn succeeded(self) {
        self.limits.forget(self.attempt);
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.limits.take_back(self.attempt);
        }
    }
}

/// Counts one.
fn count(counters: &mut HashMap<Subject, Counter>, attempt: Attempt, now: DateTime<Utc>) {
    if counters.len() + attempt.0.len() > MAX_COUNTERS {
        make_room(counters, now);
    }
    for subject in attempt.0 {
        let fresh = Counter {
            count: 0,
            until: now + WINDOW,
        };
        let counter = counters.entry(subject).or_insert(fresh);
        if counter.until <= now {
            *counter = fresh;
        }
        counter.count = counter.count.saturating_add(1);
    }
}

fn make_room(counters: &mut HashMap<Subject, Counter>, now: DateTime<Utc>) {
    counters.retain(|_, counter| counter.until > now);
    if counters.len() >= MAX_COUNTERS * 9 / 10 {
        let mut ends: Vec<_> = counters.values().map(|counter| counter.until).collect();
        ends.sort_unstable();
        let middle = ends.get(ends.len() / 2).copied().unwrap_or(now);
        counters.retain(|_, counter| counter.until > middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(address: [u8; 4], email: &str) -> Attempt {
        Attempt::new(IpAddr::from(address), "default", email)
    }

    /// Whether it may go on; where it may, it fails.
    fn fails(limits: &Limits, attempt: Attempt, now: DateTime<Utc>) -> bool {
        limits.admit(attempt, now).map(Admission::counts).is_ok()
    }

    fn waits(limits: &Limits, attempt: Attempt, now: DateTime<Utc>) -> bool {
        limits.admit(attempt, now).is_err()
    }

    #[test]
    fn an_account_waits_after_ten_failures_from_one_address_and_others_there_do_not() {
        let (limits, now) = (Limits::new(FAILURES), Utc::now());
        let guesser = attempt([10, 0, 0, 1], "a@b.cu");
        for _ in 0..FAILURES.account_and_address {
            assert!(fails(&limits, guesser, now));
        }
        let refused = limits.admit(guesser, now).unwrap_err();
        assert_eq!(refused.code(), "too_many_attempts");
        assert!(!waits(&limits, attempt([10, 0, 0, 1], "c@b.cu"), now));
        assert!(!waits(&limits, attempt([10, 0, 0, 2], "a@b.cu"), now));
        assert!(!waits(&limits, guesser, now + WINDOW));
    }

    #[test]
    fn guessing_one_account_from_many_addresses_ends_too() {
        let (limits, now) = (Limits::new(FAILURES), Utc::now());
        for host in 0..FAILURES.account as u8 {
            assert!(fails(&limits, attempt([10, 0, 0, host], "a@b.cu"), now));
        }
        assert!(waits(&limits, attempt([10, 0, 1, 1], "a@b.cu"), now));
    }

    #[test]
    fn an_office_behind_one_address_asks_for_forty_mails_and_nobody_fills_one_mailbox() {
        let (limits, now) = (Limits::new(MAILS), Utc::now());
        for clerk in 0..40 {
            let clerk = attempt([10, 0, 0, 1], &format!("clerk{clerk}@b.cu"));
            assert!(fails(&limits, clerk, now));
        }
        for host in 0..MAILS.account as u8 {
            assert!(fails(&limits, attempt([10, 0, 1, host], "a@b.cu"), now));
        }
        assert!(waits(&limits, attempt([10, 0, 0, 1], "a@b.cu"), now));
    }

    #[test]
    fn a_success_forgets_the_failures_of_its_place() {
        let (limits, now) = (Limits::new(FAILURES), Utc::now());
        let owner = attempt([10, 0, 0, 1], "a@b.cu");
        for _ in 0..FAILURES.account_and_address - 1 {
            assert!(fails(&limits, owner, now));
        }
        limits.admit(owner, now).unwrap().succeeded();
        assert!(fails(&limits, owner, now) && !waits(&limits, owner, now));
    }

    #[test]
    fn those_who_try_at_once_are_counted_before_they_know_and_who_fails_by_our_fault_is_not() {
        let (limits, now) = (Limits::new(FAILURES), Utc::now());
        let guesser = attempt([10, 0, 0, 1], "a@b.cu");
        let under_way: Vec<_> = (0..FAILURES.account_and_address)
            .map(|_| limits.admit(guesser, now).unwrap())
            .collect();
        assert!(waits(&limits, guesser, now));
        drop(under_way);
        assert!(!waits(&limits, guesser, now));
    }
}
