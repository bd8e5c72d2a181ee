//! Forgetting a person: the journal destroys the person's data key and the read models overwrite what they show, while
//! the books stay as they are. It is refused while the law of the books needs the person.

use crate::{
    decision::Context,
    refusal::{Refusal, require},
};
use chrono::{DateTime, Duration, Utc};

/// How long a person is kept after their last business unless the operator says otherwise, in days: the five years for
/// which a money transmitter keeps its records in the United States (31 CFR 1010.430), leap days included.
pub const DEFAULT_RETENTION_DAYS: u32 = 1_827;

/// The longest retention, in days: a hundred years are a slip of the hand.
pub const MAX_RETENTION_DAYS: u32 = 36_525;

/// The order to forget a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forget {
    /// How many days a person is kept after their last business.
    pub retention_days: u32,
    /// When the books last had business with the person, as the read models know it; none where they never did.
    pub last_business: Option<DateTime<Utc>>,
}

impl Forget {
    /// Refuses all but managers and the system, and everybody before the retention is over.
    pub(crate) fn permit(&self, ctx: &Context<'_>) -> Result<(), Refusal> {
        ctx.require_manager()?;
        require(self.retention_days <= MAX_RETENTION_DAYS, || {
            Refusal::invalid_with(
                "retentionDays",
                "number_out_of_range",
                [("max", MAX_RETENTION_DAYS.to_string())],
            )
        })?;
        let Some(last) = self.last_business else {
            return Ok(());
        };
        let until = last + Duration::days(self.retention_days.into());
        require(until <= ctx.now, || {
            Refusal::conflict("person_within_retention")
                .with("until", until.with_timezone(&ctx.books.zone()).date_naive())
        })
    }
}
