//! What happened, counted, and what was found wrong.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Findings past this many say nothing new.
const MAX_FINDINGS: usize = 40;

/// Counters and findings that all threads share.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    counts: BTreeMap<String, u64>,
    findings: Vec<String>,
    unlisted: usize,
}

/// How a run went.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was run.
    pub title: String,
    /// The seed of all its choices.
    pub seed: u64,
    /// What happened how often.
    pub counts: BTreeMap<String, u64>,
    /// What should not have happened; empty where all is well.
    pub findings: Vec<String>,
}

impl Tally {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one more of something.
    pub fn count(&self, what: &str) {
        self.add(what, 1);
    }

    /// Counts several more of something.
    pub fn add(&self, what: &str, many: u64) {
        *self.inner().counts.entry(what.to_owned()).or_default() += many;
    }

    /// Notes the median and the longest of some times, in milliseconds.
    pub fn times(&self, what: &str, mut all: Vec<Duration>) {
        all.sort();
        let (Some(longest), Some(median)) = (all.last(), all.get(all.len() / 2)) else {
            return;
        };
        self.add(&format!("ms, {what}, median"), median.as_millis() as u64);
        self.add(&format!("ms, {what}, longest"), longest.as_millis() as u64);
    }

    /// How often something happened so far.
    pub fn counted(&self, what: &str) -> u64 {
        self.inner().counts.get(what).copied().unwrap_or_default()
    }

    /// Notes what should not have happened.
    pub fn find(&self, finding: impl fmt::Display) {
        let mut inner = self.inner();
        if inner.findings.len() < MAX_FINDINGS {
            inner.findings.push(finding.to_string());
        } else {
            inner.unlisted += 1;
        }
    }

    pub fn report(&self, title: &str, seed: u64) -> Report {
        let inner = self.inner();
        let mut findings = inner.findings.clone();
        if inner.unlisted > 0 {
            findings.push(format!("and {} more", inner.unlisted));
        }
        Report {
            title: title.to_owned(),
            seed,
            counts: inner.counts.clone(),
            findings,
        }
    }
}

impl Report {
    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} (seed {})", self.title, self.seed)?;
        for (what, count) in &self.counts {
            writeln!(f, "  {count:>8}  {what}")?;
        }
        for finding in &self.findings {
            writeln!(f, "  WRONG: {finding}")?;
        }
        let verdict = if self.is_clean() {
            "as it should be"
        } else {
            "NOT as it should be"
        };
        write!(f, "  verdict: {verdict}")
    }
}
