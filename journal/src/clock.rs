//! The node's clock, injected so that tests move it.

use crate::{
    log::head::Head,
    writer::faults::{Fault, is_planted},
};
use chrono::{DateTime, SubsecRound as _, Utc};

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> DateTime<Utc>;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// When a batch on a head is recorded: whole microseconds, as PostgreSQL keeps them, and never before the head, so
/// that a clock set back does not turn the log's time around. The head of an empty log has no event's time.
pub(crate) fn recorded_at(clock: &dyn Clock, head: &Head) -> DateTime<Utc> {
    let now = clock.now().trunc_subsecs(6);
    if head.position == 0 || is_planted(Fault::TimeGoesBack) {
        now
    } else {
        now.max(head.recorded_at)
    }
}
