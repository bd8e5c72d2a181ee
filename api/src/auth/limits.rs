//! Limits on guessing passwords: failures are counted, successes are not, so that an office behind one address works.

use chrono::{DateTime, Duration, Utc};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher as _},
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

/// Failures are forgotten after so long.
pub const WINDOW: Duration = Duration::minutes(15);
/// Failures on one account from one address.
pub const FAILURES_PER_ACCOUNT_AND_ADDRESS: u32 = 10;
/// Failures from one address, whatever the account: an office of forty with a bad morning stays below.
pub const FAILURES_PER_ADDRESS: u32 = 200;
/// Failures on one account from anywhere: guessing from many addresses is slowed too.
pub const FAILURES_PER_ACCOUNT: u32 = 50;
/// So many counters are kept, some 50 bytes each; past it, those that end first make room.
const MAX_COUNTERS: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Address(IpAddr),
    /// An account by a hash: the tenant and the e-mail address need not be kept.
    Account(u64),
    Both(IpAddr, u64),
}

impl Subject {
    const fn limit(self) -> u32 {
        match self {
            Self::Address(_) => FAILURES_PER_ADDRESS,
            Self::Account(_) => FAILURES_PER_ACCOUNT,
            Self::Both(..) => FAILURES_PER_ACCOUNT_AND_ADDRESS,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Counter {
    failures: u32,
    until: DateTime<Utc>,
}

/// The failures of this node.
#[derive(Debug, Default)]
pub struct Limits {
    counters: Mutex<HashMap<Subject, Counter>>,
}

/// Who tries to log in, and as whom.
#[derive(Clone, Copy, Debug)]
pub struct Attempt([Subject; 3]);

impl Attempt {
    /// An attempt on an account of a tenant from an address.
    pub fn new(address: IpAddr, tenant: &str, email: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (tenant, email).hash(&mut hasher);
        let account = hasher.finish();
        Self([
            Subject::Both(address, account),
            Subject::Address(address),
            Subject::Account(account),
        ])
    }
}

impl Limits {
    /// How long an attempt has to wait; none where it may go on.
    pub fn wait(&self, attempt: Attempt, now: DateTime<Utc>) -> Option<Duration> {
        let counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let over = |subject: &Subject| {
            let counter = counters.get(subject)?;
            (counter.failures >= subject.limit() && counter.until > now).then(|| counter.until - now)
        };
        attempt.0.iter().filter_map(over).max()
    }

    /// Counts a failure.
    pub fn failed(&self, attempt: Attempt, now: DateTime<Utc>) {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if counters.len() + attempt.0.len() > MAX_COUNTERS {
            make_room(&mut counters, now);
        }
        for subject in attempt.0 {
            let fresh = Counter {
                failures: 0,
                until: now + WINDOW,
            };
            let counter = counters.entry(subject).or_insert(fresh);
            if counter.until <= now {
                *counter = fresh;
            }
            counter.failures = counter.failures.saturating_add(1);
        }
    }

    /// Forgets an account's failures from an address: its owner is there.
    pub fn succeeded(&self, attempt: Attempt) {
        let [both, _, _] = attempt.0;
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.remove(&both);
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

    #[test]
    fn an_account_waits_after_ten_failures_from_one_address_and_others_there_do_not() {
        let (limits, now) = (Limits::default(), Utc::now());
        let guesser = attempt([10, 0, 0, 1], "a@b.cu");
        for _ in 0..FAILURES_PER_ACCOUNT_AND_ADDRESS {
            assert_eq!(limits.wait(guesser, now), None);
            limits.failed(guesser, now);
        }
        assert_eq!(limits.wait(guesser, now), Some(WINDOW));
        assert_eq!(limits.wait(attempt([10, 0, 0, 1], "c@b.cu"), now), None);
        assert_eq!(limits.wait(attempt([10, 0, 0, 2], "a@b.cu"), now), None);
        assert_eq!(limits.wait(guesser, now + WINDOW), None);
    }

    #[test]
    fn guessing_one_account_from_many_addresses_ends_too() {
        let (limits, now) = (Limits::default(), Utc::now());
        for host in 0..FAILURES_PER_ACCOUNT as u8 {
            limits.failed(attempt([10, 0, 0, host], "a@b.cu"), now);
        }
        assert!(limits.wait(attempt([10, 0, 1, 1], "a@b.cu"), now).is_some());
    }

    #[test]
    fn a_success_forgets_the_failures_of_its_place() {
        let (limits, now) = (Limits::default(), Utc::now());
        let owner = attempt([10, 0, 0, 1], "a@b.cu");
        for _ in 0..FAILURES_PER_ACCOUNT_AND_ADDRESS - 1 {
            limits.failed(owner, now);
        }
        limits.succeeded(owner);
        limits.failed(owner, now);
        assert_eq!(limits.wait(owner, now), None);
    }
}
