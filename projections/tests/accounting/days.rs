//! Havana's days, defined independently: the clock changes of 2026 are on 8 March and 1 November.

use chrono::{DateTime, NaiveDate, TimeZone as _, Timelike as _, Utc};

/// Begin and end of daylight saving time, UTC-4; UTC-5 otherwise.
fn summer() -> (DateTime<Utc>, DateTime<Utc>) {
    let at = |month, day| Utc.with_ymd_and_hms(2026, month, day, 5, 0, 0).unwrap();
    (at(3, 8), at(11, 1))
}

fn hours(moment: DateTime<Utc>) -> i64 {
    let (from, until) = summer();
    if from <= moment && moment < until { 4 } else { 5 }
}

/// The local day of a time.
pub fn day(moment: DateTime<Utc>) -> NaiveDate {
    (moment - chrono::Duration::hours(hours(moment))).date_naive()
}

/// The local hour of a time, 0 to 23.
pub fn hour(moment: DateTime<Utc>) -> u32 {
    (moment - chrono::Duration::hours(hours(moment))).hour()
}

/// The first instant of a local day of 2026, or of another year's winter.
pub fn begins(wanted: NaiveDate) -> DateTime<Utc> {
    let early = wanted.and_hms_opt(4, 0, 0).unwrap().and_utc();
    let late = early + chrono::Duration::hours(1);
    if day(early) == wanted { early } else { late }
}
