//! Outcomes of this node's latest writes, for `/readyz`.

use caudal_journal::{Committed, SubmitError};
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How long a failed write makes the node report unwritable, unless one succeeds. A node without traffic tries no
/// writes, so it must become ready again to get some.
const FAILED_FOR: Duration = Duration::from_secs(15);

/// Time of the last failed write without a later success.
#[derive(Debug, Default)]
pub struct Writes {
    failed: Mutex<Option<Instant>>,
}

impl Writes {
    /// Records a command's outcome. A refusal, a full queue and an unknown tenant say nothing about the database.
    pub fn note(&self, outcome: &Result<Committed, SubmitError>) {
        let failed = match outcome {
            Ok(_) => None,
            Err(SubmitError::Unavailable { source: Some(_), .. } | SubmitError::OutcomeUnknown) => Some(Instant::now()),
            Err(_) => return,
        };
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }

    /// Whether the latest write failed recently.
    pub fn have_failed(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|at| at.elapsed() < FAILED_FOR)
    }
}
