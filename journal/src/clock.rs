//! The node's clock; injected, so that tests control the time.

use crate::{
    log::head::Head,
    writer::faults::{Fault, is_planted},
};
use chrono::{DateTime, SubsecRound as _, Utc};

pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> DateTime<Utc>;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// Time of a batch on a head: whole microseconds, as PostgreSQL stores them, and never before the head, so that a clock
/// set back does not reverse the log's time. An empty log's head has no time.
pub(crate) fn recorded_at(clock: &dyn Clock, head: &Head) -> DateTime<Utc> {
    let now = clock.now().trunc_subsecs(6);
    if head.position == 0 || is_planted(Fault::TimeGoesBack) {
        now
    } else {
        now.max(head.recorded_at)
    }
}
