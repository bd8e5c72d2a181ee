//! Erasure of a person: the journal destroys the person's data key and the read models overwrite the displayed values;
//! postings stay. Refused during retention.

use crate::{
    decision::Context,
    refusal::{Refusal, require},
};
use chrono::{DateTime, Duration, Utc};

/// Default retention after a person's last business, in days: ten years, leap days included. The United States require five
/// years of money transmitters (31 CFR 1010.430); ten also covers countries that require longer.
pub const DEFAULT_RETENTION_DAYS: u32 = 3_653;

/// Upper bound of the retention, in days: a hundred years, to catch typing errors.
pub const MAX_RETENTION_DAYS: u32 = 36_525;

/// An erasure order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forget {
    /// Retention after the person's last business, in days.
    pub retention_days: u32,
    /// The person's last business, which the books do not have; `None` if there was none.
    pub last_business: Option<DateTime<Utc>>,
}

impl Forget {
    /// Refuses callers other than managers and the system, and everyone before the retention ends.
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
                .with("until", until.with_timezone(&ctx.state.zone()).date_naive())
        })
    }
}
