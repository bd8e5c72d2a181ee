//! Outcomes of this node's latest writes, for `/readyz`.

use caudal_journal::{Committed, SubmitError};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Interval of trial writes after a failed write. A node without traffic writes nothing else.
const TRY_EVERY: Duration = Duration::from_secs(10);

/// The last failed write, until one succeeds.
#[derive(Debug, Default)]
pub struct Writes {
    failed: Mutex<Option<Failed>>,
}

#[derive(Clone, Copy, Debug)]
struct Failed {
    at: Instant,
    /// Time of the last trial; that of the failure before the first one.
    tried: Instant,
}

impl Writes {
    fn failed(&self) -> MutexGuard<'_, Option<Failed>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a command's outcome. A refusal, a full queue and an unknown tenant say nothing about the database.
    pub fn note(&self, outcome: &Result<Committed, SubmitError>) {
        let now = Instant::now();
        let failed = match outcome {
            Ok(_) => None,
            Err(SubmitError::Unavailable { source: Some(_), .. } | SubmitError::OutcomeUnknown) => {
                Some(Failed { at: now, tried: now })
            }
            Err(_) => return,
        };
        *self.failed() = failed;
    }

    /// Whether the latest write failed.
    pub fn have_failed(&self) -> bool {
        self.failed().is_some()
    }

    /// Whether a trial write is due, by which a node without traffic learns that writes succeed again. It then counts as begun.
    pub fn begin_trial(&self) -> bool {
        let mut failed = self.failed();
        let Some(failed) = failed.as_mut().filter(|failed| failed.tried.elapsed() >= TRY_EVERY) else {
            return false;
        };
        failed.tried = Instant::now();
        true
    }

    /// A trial write that began at a time succeeded. A command that failed since counts.
    pub fn trial_succeeded(&self, began: Instant) {
        let mut failed = self.failed();
        if failed.is_some_and(|failed| failed.at <= began) {
            *failed = None;
        }
    }
}
