//! How long things took.

use std::time::Duration;

/// The times that something took each time.
#[derive(Clone, Debug, Default)]
pub struct Latencies(Vec<Duration>);

impl Latencies {
    /// Of times in any order.
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    pub const fn count(&self) -> usize {
        self.0.len()
    }

    /// Percentile of the times; none without measurements.
    pub fn percentile(&self, percent: f64) -> Option<Duration> {
        let last = self.0.len().checked_sub(1)?;
        let rank = (percent / 100.0 * last as f64).round() as usize;
        self.0.get(rank.min(last)).copied()
    }

    /// The middle and the 99th percentile, in milliseconds, as texts.
    pub fn median_and_p99(&self) -> [String; 2] {
        [50.0, 99.0].map(|percent| self.percentile(percent).map_or_else(|| "–".to_owned(), milliseconds))
    }
}

/// A time in milliseconds, with two decimals.
pub fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let latencies = Latencies::of((1..=100).rev().map(Duration::from_millis).collect());
        assert_eq!(latencies.percentile(0.0), Some(Duration::from_millis(1)));
        assert_eq!(latencies.percentile(99.0), Some(Duration::from_millis(99)));
        assert_eq!(latencies.percentile(100.0), Some(Duration::from_millis(100)));
        assert_eq!(Latencies::default().percentile(50.0), None);
    }
}
