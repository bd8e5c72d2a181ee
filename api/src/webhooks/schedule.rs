//! Retries of a delivery: the delay grows for three days.

use std::time::Duration;

/// Time of failures after which an endpoint is stopped.
pub const PATIENCE: Duration = Duration::from_secs(3 * 24 * 3_600);

/// Delays after the first, second, … failed attempt, in seconds; the last one is repeated.
const DELAYS: &[u64] = &[2, 10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600];

/// Share by which a delay is made longer or shorter at random, in thousandths: endpoints that failed together are not tried
/// together.
const JITTER: u64 = 200;

/// Delay after a number of failed attempts. `random` is any number.
pub fn delay(attempts: u32, random: u64) -> Duration {
    let index = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    let seconds = DELAYS.get(index).or(DELAYS.last()).copied().unwrap_or_default();
    let thousandths = 1_000 - JITTER + random % (2 * JITTER + 1);
    Duration::from_millis(seconds * thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_with_jitter_and_cover_three_days_in_some_twenty_attempts() {
        for (attempts, seconds) in [(1, 2), (2, 10), (5, 900), (10, 21_600), (50, 21_600)] {
            let range = Duration::from_millis(seconds * 800)..=Duration::from_millis(seconds * 1_200);
            for random in 0..=400 {
                assert!(range.contains(&delay(attempts, random)), "{attempts} {random}");
            }
            assert_eq!(delay(attempts, 0), *range.start());
            assert_eq!(delay(attempts, 400), *range.end());
            assert_eq!(delay(attempts, u64::MAX), delay(attempts, u64::MAX % 401));
        }
        let mut waited = Duration::ZERO;
        let mut attempts = 0;
        while waited < PATIENCE {
            attempts += 1;
            waited += delay(attempts, 200);
        }
        assert!((15..=25).contains(&attempts), "{attempts}");
    }
}
