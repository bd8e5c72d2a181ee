//! Progress of a long command: completed share, rate, and estimated remaining time.

use std::{
    io::IsTerminal as _,
    time::{Duration, Instant},
};

/// Report interval on a terminal.
const ON_A_TERMINAL: Duration = Duration::from_millis(200);
/// Report interval in a log file.
const IN_A_FILE: Duration = Duration::from_secs(5);

/// Reports a command's progress on standard error.
#[derive(Debug)]
pub struct Progress {
    what: String,
    unit: &'static str,
    began: Instant,
    told: Instant,
    every: Duration,
    is_terminal: bool,
    is_over: bool,
}

impl Progress {
    /// Starts a count of events.
    pub fn of(what: impl Into<String>) -> Self {
        Self::of_unit(what, "events")
    }

    /// Starts a count of any unit.
    pub fn of_unit(what: impl Into<String>, unit: &'static str) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        Self {
            what: what.into(),
            unit,
            began: now,
            told: now,
            every: if is_terminal { ON_A_TERMINAL } else { IN_A_FILE },
            is_terminal,
            is_over: false,
        }
    }

    /// Reports the progress if the interval has passed; the end is reported once.
    pub fn tell(&mut self, done: i64, of: i64) {
        let now = Instant::now();
        let is_due = done >= of || now - self.told >= self.every;
        if self.is_over || !is_due {
            return;
        }
        self.told = now;
        self.is_over = done >= of;
        let line = line(&self.what, self.unit, done, of, now - self.began);
        self.write(&line, done >= of);
    }

    #[allow(clippy::print_stderr, reason = "it is the command's own answer")]
    fn write(&self, line: &str, is_end: bool) {
        match (self.is_terminal, is_end) {
            (true, false) => eprint!("\r\x1b[K{line}"),
            (true, true) => eprintln!("\r\x1b[K{line}"),
            (false, _) => eprintln!("{line}"),
        }
    }
}

fn line(what: &str, unit: &str, done: i64, of: i64, took: Duration) -> String {
    let millis = i64::try_from(took.as_millis()).unwrap_or(i64::MAX).max(1);
    let rate = done.saturating_mul(1_000) / millis;
    let percent = if of > 0 { done.saturating_mul(100) / of } else { 100 };
    let mut line = format!("{what}: {done} of {of} {unit} ({percent} %), {rate} a second");
    if done < of && rate > 0 {
        line.push_str(&format!(", {} left", duration((of - done) / rate)));
    }
    line
}

fn duration(seconds: i64) -> String {
    match seconds {
        0..=59 => format!("{seconds} s"),
        60..=3_599 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_count_the_rate_and_the_remaining_time() {
        let at = |done, of, seconds| line("chain", "events", done, of, Duration::from_secs(seconds));
        assert_eq!(
            at(500, 2_000, 5),
            "chain: 500 of 2000 events (25 %), 100 a second, 15 s left"
        );
        assert_eq!(
            at(1_000, 1_000_000, 10),
            "chain: 1000 of 1000000 events (0 %), 100 a second, 2 h 46 min left"
        );
        assert_eq!(at(10, 10, 0), "chain: 10 of 10 events (100 %), 10000 a second");
        assert_eq!(at(0, 0, 0), "chain: 0 of 0 events (100 %), 0 a second");
    }
}
