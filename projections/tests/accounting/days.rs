//! Havana's days, written down here once more: its changes of clocks in 2026 are those of 8 March and 1 November.

use chrono::{DateTime, NaiveDate, TimeZone as _, Timelike as _, Utc};

/// From when to when Havana is four hours behind UTC, five otherwise.
fn summer() -> (DateTime<Utc>, DateTime<Utc>) {
    let at = |month, day| Utc.with_ymd_and_hms(2026, month, day, 5, 0, 0).unwrap();
    (at(3, 8), at(11, 1))
}

fn hours(moment: DateTime<Utc>) -> i64 {
    let (from, until) = summer();
    if from <= moment && moment < until { 4 } else { 5 }
}

/// The local day of a moment.
pub fn day(moment: DateTime<Utc>) -> NaiveDate {
    (moment - chrono::Duration::hours(hours(moment))).date_naive()
}

/// The local hour of a moment, 0 to 23.
pub fn hour(moment: DateTime<Utc>) -> u32 {
    (moment - chrono::Duration::hours(hours(moment))).hour()
}

/// The first moment of a local day of 2026, or of another year in winter.
pub fn begins(wanted: NaiveDate) -> DateTime<Utc> {
    let early = wanted.and_hms_opt(4, 0, 0).unwrap().and_utc();
    let late = early + chrono::Duration::hours(1);
    if day(early) == wanted { early } else { late }
}
