//! What came of the latest writes of this node, for `/readyz`.

use caudal_journal::{Committed, SubmitError};
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How long a write that failed makes the node say that nothing can be written, unless one succeeds meanwhile. A node
/// that gets no work tries no writes, so that past it the node asks for some again.
const FAILED_FOR: Duration = Duration::from_secs(15);

/// When a write last failed, if none has succeeded since.
#[derive(Debug, Default)]
pub struct Writes {
    failed: Mutex<Option<Instant>>,
}

impl Writes {
    /// Notes what came of a command. A refusal, a full queue and an unknown tenant say nothing about the database.
    pub fn note(&self, outcome: &Result<Committed, SubmitError>) {
        let failed = match outcome {
            Ok(_) => None,
            Err(SubmitError::Unavailable { source: Some(_), .. } | SubmitError::OutcomeUnknown) => Some(Instant::now()),
            Err(_) => return,
        };
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }

    /// Whether the latest write failed a moment ago.
    pub fn have_failed(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|at| at.elapsed() < FAILED_FOR)
    }
}
