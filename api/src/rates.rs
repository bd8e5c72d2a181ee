//! Write rate limit: a token bucket per caller and node.
//!
//! Keeps a runaway client from monopolising its tenant's writer. Not a quota, so nodes do not share it.

use crate::{auth::caller::Caller, problem::ApiError};
use caudal_domain::ids::{PartyId, TenantId};
use std::{
    collections::HashMap,
    num::{NonZeroU32, ParseIntError},
    str::FromStr,
    sync::{Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

/// Default rate in writes per second. A busy clerk stays below one; a sequential integration waits some 5 ms per write.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(100).unwrap();
/// Bucket size in seconds of the rate: for a telephone's queued deliveries, or the start of an import.
const BURST_SECONDS: u32 = 10;
/// Maximum buckets, some 100 bytes each. Beyond it full buckets are dropped, or all.
const MAX_BUCKETS: usize = 50_000;

/// Writes per second and caller; `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteRate(Option<NonZeroU32>);

impl Default for WriteRate {
    fn default() -> Self {
        Self(Some(PER_SECOND))
    }
}

impl WriteRate {
    /// Writes per second; 0 for no limit.
    pub const fn per_second(rate: u32) -> Self {
        Self(NonZeroU32::new(rate))
    }
}

impl FromStr for WriteRate {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self::per_second)
    }
}

impl std::fmt::Display for WriteRate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.map_or(0, NonZeroU32::get).fmt(f)
    }
}

/// Token bucket of a caller.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// Remaining tokens, with fractions.
    left: f64,
    at: Instant,
}

/// Token buckets of a node's callers.
#[derive(Debug)]
pub struct Writers {
    rate: RwLock<WriteRate>,
    buckets: Mutex<HashMap<(TenantId, PartyId), Bucket>>,
}

impl Writers {
    /// Buckets with this rate.
    pub fn new(rate: WriteRate) -> Self {
        Self {
            rate: RwLock::new(rate),
            buckets: Mutex::default(),
        }
    }

    /// Lets callers write at most this fast from now on.
    pub fn set_rate(&self, rate: WriteRate) {
        *self.rate.write().unwrap_or_else(PoisonError::into_inner) = rate;
    }

    /// Takes one write from a caller's bucket.
    ///
    /// # Errors
    /// 429 with the time until the next token.
    pub fn admit(&self, caller: &Caller) -> Result<(), ApiError> {
        let key = (caller.tenant.clone(), caller.party);
        self.take(key, Instant::now()).map_err(|wait| {
            metrics::counter!("caudal_writes_limited").increment(1);
            ApiError::too_fast("too_many_writes", wait)
        })
    }

    fn take(&self, key: (TenantId, PartyId), now: Instant) -> Result<(), Duration> {
        let rate = self.rate.read().unwrap_or_else(PoisonError::into_inner).0;
        let Some(rate) = rate else { return Ok(()) };
        let per_second = f64::from(rate.get());
        let burst = per_second * f64::from(BURST_SECONDS);
        let refilled = |bucket: &Bucket| {
            let since = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.left + since * per_second).min(burst)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(&key) {
            buckets.retain(|_, bucket| refilled(bucket) < burst);
            if buckets.len() >= MAX_BUCKETS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(key).or_insert(Bucket { left: burst, at: now });
        let left = refilled(bucket);
        if left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - left) / per_second));
        }
        *bucket = Bucket {
            left: left - 1.0,
            at: now,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tenant: &str) -> (TenantId, PartyId) {
        (tenant.parse().unwrap(), PartyId(uuid::Uuid::nil()))
    }

    #[test]
    fn a_caller_writes_a_burst_and_then_at_the_rate_while_others_are_not_held_up() {
        let writers = Writers::new(WriteRate::per_second(50));
        let start = Instant::now();
        for _ in 0..500 {
            assert_eq!(writers.take(key("acme"), start), Ok(()));
        }
        let wait = writers.take(key("acme"), start).unwrap_err();
        assert!(wait <= Duration::from_millis(20), "{wait:?}");
        assert_eq!(writers.take(key("other"), start), Ok(()));
        let later = start + Duration::from_secs(2);
        let admitted = (0..1_000).filter(|_| writers.take(key("acme"), later).is_ok()).count();
        assert_eq!(admitted, 100);
    }

    #[test]
    fn another_rate_counts_from_the_next_write_on() {
        let writers = Writers::new(WriteRate::per_second(1));
        let now = Instant::now();
        let admitted = |writers: &Writers| (0..100).filter(|_| writers.take(key("acme"), now).is_ok()).count();
        assert_eq!(admitted(&writers), 10);
        writers.set_rate(WriteRate::per_second(0));
        assert_eq!(admitted(&writers), 100);
    }

    #[test]
    fn a_rate_of_zero_is_no_limit() {
        let writers = Writers::new("0".parse().unwrap());
        let now = Instant::now();
        assert!((0..10_000).all(|_| writers.take(key("acme"), now).is_ok()));
    }
}
