//! Time of an offline delivery or attempt, by the telephone's clock.

use crate::refusal::{Refusal, require};
use chrono::{DateTime, TimeDelta, Utc};

/// Tolerated clock difference of a telephone, in minutes.
const CLOCK_SKEW_MINUTES: i64 = 5;
/// Maximum age of an offline act when it is synchronised, in days.
const MAX_AGE_DAYS: i64 = 30;

/// Whether a time is before the assignment by more than the tolerated clock difference.
pub(super) fn is_before(moment: DateTime<Utc>, since: Option<DateTime<Utc>>) -> bool {
    since.is_some_and(|since| moment < since - TimeDelta::minutes(CLOCK_SKEW_MINUTES))
}

/// Validates the time of an act synchronised at `now` by a carrier since `since`, and clamps it to that interval.
///
/// # Errors
/// The field, when the time is in the future, too old, or before the remittance was handed to the caller.
pub(super) fn check(
    field: &'static str,
    moment: DateTime<Utc>,
    since: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refusal> {
    let skew = TimeDelta::minutes(CLOCK_SKEW_MINUTES);
    require(moment <= now + skew, || Refusal::invalid(field, "act_in_future"))?;
    require(moment >= now - TimeDelta::days(MAX_AGE_DAYS), || {
        Refusal::invalid_with(field, "act_too_long_ago", [("days", MAX_AGE_DAYS.to_string())])
    })?;
    require(!is_before(moment, since), || {
        Refusal::invalid(field, "act_before_assignment")
    })?;
    let not_before = since.map_or(moment, |since| moment.max(since));
    Ok(not_before.min(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn checked(moment: &str) -> Result<String, String> {
        let (since, now) = (at("2026-03-02T10:00:00Z"), at("2026-03-02T18:00:00Z"));
        check("deliveredAt", at(moment), Some(since), now)
            .map(|moment| moment.to_rfc3339())
            .map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn a_moment_between_assignment_and_sending_stands_and_a_clock_may_be_minutes_off() {
        let ok = |text: &str| Ok(at(text).to_rfc3339());
        assert_eq!(checked("2026-03-02T12:30:00Z"), ok("2026-03-02T12:30:00Z"));
        assert_eq!(checked("2026-03-02T18:04:00Z"), ok("2026-03-02T18:00:00Z"));
        assert_eq!(checked("2026-03-02T09:56:00Z"), ok("2026-03-02T10:00:00Z"));
    }

    #[test]
    fn a_moment_in_the_future_or_before_the_assignment_is_refused() {
        let refused = |code: &str| Err(format!("invalid deliveredAt:{code}"));
        assert_eq!(checked("2026-03-02T18:06:00Z"), refused("act_in_future"));
        assert_eq!(checked("2026-03-02T09:54:00Z"), refused("act_before_assignment"));
        assert_eq!(checked("2026-01-02T09:54:00Z"), refused("act_too_long_ago"));
    }
}
