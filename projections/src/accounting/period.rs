//! Periods: whole local days in the tenant's time zone, given by dates or by a calendar range around today.

use crate::{
    error::ReadError,
    ledger,
    list::{self, Filter, Takes, filter, values},
    page::ListQuery,
    print::word,
    read_transaction::ReadTransaction,
    scalar::RangeSelector,
};
use caudal_domain::{
    Refusal,
    closure::{end_of_day, start_of_day},
};
use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Utc};

pub(super) const PERIOD: &[Filter; 3] = &[
    filter::own(
        "initDate",
        word::FROM_DAY,
        "The first day; with a last one alone the beginning.",
        Takes::Day,
    ),
    filter::own(
        "finalDate",
        filter::TO,
        "The last day; with a first one alone until now.",
        Takes::Day,
    ),
    filter::own(
        "rangeSelector",
        word::PERIOD,
        "A span around today where no day is named; today where absent.",
        Takes::Known(values::RANGE_SELECTOR),
    ),
];

/// Parameters of a period. Dates take precedence over the range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeriodQuery {
    /// First day, `YYYYMMDD`.
    pub init_date: Option<String>,
    /// Last day, `YYYYMMDD`.
    pub final_date: Option<String>,
    /// Calendar range around today: 0 to 3.
    pub range_selector: Option<String>,
}

impl PeriodQuery {
    /// The period parameters of a list's query.
    pub(super) fn of(query: &ListQuery) -> Self {
        let asked = |name| query.get(name).map(str::to_owned);
        Self {
            init_date: asked("initDate"),
            final_date: asked("finalDate"),
            range_selector: asked("rangeSelector"),
        }
    }

    /// Resolves the period; today when nothing is given. A last day alone leaves the beginning open, a first day alone
    /// the end.
    ///
    /// # Errors
    /// An invalid day or range, or a last day before the first.
    pub fn resolve(&self, today: NaiveDate) -> Result<Period, Refusal> {
        let days = self.days()?;
        let range = self.range_selector.as_deref().map(range).transpose()?;
        Ok(match days {
            Some(days) => days,
            None => Period::around(today, range.unwrap_or(RangeSelector::Daily)),
        })
    }

    /// The given days; `None` when none is given.
    pub(super) fn days(&self) -> Result<Option<Period>, Refusal> {
        let named = |field: &str, text: &Option<String>| text.as_deref().map(|text| list::day(field, text)).transpose();
        let period = Period::named(
            named("initDate", &self.init_date)?,
            named("finalDate", &self.final_date)?,
        )?;
        Ok(Some(period).filter(|period| period.first.is_some() || period.last.is_some()))
    }
}

fn range(text: &str) -> Result<RangeSelector, Refusal> {
    let known = text.parse().ok().and_then(RangeSelector::numbered);
    known.ok_or_else(|| Refusal::invalid_with("rangeSelector", "value_unknown", [("allowed", "0, 1, 2, 3".to_owned())]))
}

/// Local days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// `None` for everything until `last`.
    pub first: Option<NaiveDate>,
    /// `None` for everything until now.
    pub last: Option<NaiveDate>,
    /// Calendar range that the period equals, if any.
    range: Option<RangeSelector>,
}

impl Period {
    /// A period between two days, each of which may be open.
    ///
    /// # Errors
    /// The last day is before the first.
    pub(crate) fn named(first: Option<NaiveDate>, last: Option<NaiveDate>) -> Result<Self, Refusal> {
        if first.zip(last).is_some_and(|(first, last)| last < first) {
            return Err(Refusal::invalid("finalDate", "date_before_start"));
        }
        Ok(Self {
            first,
            last,
            range: None,
        })
    }

    #[must_use]
    pub const fn days(first: NaiveDate, last: NaiveDate) -> Self {
        Self {
            first: Some(first),
            last: Some(last),
            range: None,
        }
    }

    /// Calendar day, week, month or year that contains a day.
    #[must_use]
    pub fn around(day: NaiveDate, range: RangeSelector) -> Self {
        let first = match range {
            RangeSelector::Daily => Some(day),
            RangeSelector::Weekly => day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into())),
            RangeSelector::Monthly => day.with_day(1),
            RangeSelector::Yearly => NaiveDate::from_ymd_opt(day.year(), 1, 1),
        };
        let next = first.and_then(|first| match range {
            RangeSelector::Daily => first.checked_add_days(Days::new(1)),
            RangeSelector::Weekly => first.checked_add_days(Days::new(7)),
            RangeSelector::Monthly => first.checked_add_months(Months::new(1)),
            RangeSelector::Yearly => first.checked_add_months(Months::new(12)),
        });
        Self {
            first,
            last: next.and_then(|next| next.pred_opt()),
            range: Some(range),
        }
    }

    /// Previous period: the preceding calendar range, or as many days. `None` with an open beginning. An open end is
    /// today.
    #[must_use]
    pub fn previous(&self, today: NaiveDate) -> Option<Self> {
        let first = self.first?;
        let last = first.pred_opt()?;
        if let Some(range) = self.range {
            return Some(Self::around(last, range));
        }
        let days = (self.last.unwrap_or(today) - first).num_days();
        let before = u64::try_from(days).ok()?;
        Some(Self::days(last.checked_sub_days(Days::new(before))?, last))
    }

    /// Comparison period: the previous period up to the part of this one elapsed at a local time. On Tuesday at nine, a
    /// week is compared with Monday and Tuesday until nine of the previous week. `None` with an open beginning.
    #[must_use]
    pub fn elapsed_before(&self, now: NaiveDateTime) -> Option<Elapsed> {
        let today = now.date();
        let previous = self.previous(today)?;
        let (first, last) = (self.first?, previous.last?);
        let is_under_way = first <= today && self.last.is_none_or(|end| today <= end);
        let whole = Elapsed {
            days: previous,
            until: None,
        };
        if !is_under_way {
            return Some(whole);
        }
        let reached = match self.range {
            Some(RangeSelector::Monthly) => today.checked_sub_months(Months::new(1))?,
            Some(RangeSelector::Yearly) => today.checked_sub_months(Months::new(12))?,
            _ => previous
                .first?
                .checked_add_days(Days::new(u64::try_from((today - first).num_days()).ok()?))?,
        };
        let has_such_a_day = match self.range {
            // The 31st is compared with the whole of a month of 30 days.
            Some(RangeSelector::Monthly | RangeSelector::Yearly) => reached.day() == today.day(),
            _ => reached <= last,
        };
        if !has_such_a_day {
            return Some(whole);
        }
        Some(Elapsed {
            days: Self::days(previous.first?, reached),
            until: Some(now.time()),
        })
    }

    /// Start instant; `None` with an open beginning.
    pub(crate) fn begins(&self, transaction: &ReadTransaction) -> Result<Option<DateTime<Utc>>, Refusal> {
        let invalid = || Refusal::invalid("initDate", "date_invalid");
        let begins = |day| start_of_day(day, transaction.zone()).ok_or_else(invalid);
        self.first.map(begins).transpose()
    }

    /// End instant; `None` when it lasts until now.
    pub(crate) fn ends(&self, transaction: &ReadTransaction) -> Result<Option<DateTime<Utc>>, Refusal> {
        let invalid = || Refusal::invalid("finalDate", "date_invalid");
        let ends = |day| end_of_day(day, transaction.zone()).ok_or_else(invalid);
        self.last.map(ends).transpose()
    }

    /// The period as log positions: the last one before it, and its last one.
    pub(crate) async fn positions(&self, transaction: &mut ReadTransaction) -> Result<(i64, i64), ReadError> {
        let (begins, ends) = (self.begins(transaction)?, self.ends(transaction)?);
        let after = match begins {
            Some(begins) => ledger::position_before(transaction, begins).await?,
            None => 0,
        };
        let through = match ends {
            Some(ends) => ledger::position_before(transaction, ends).await?,
            None => i64::MAX,
        };
        Ok((after, through))
    }
}

/// Local days, the last of which may be partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed {
    /// The days, including the last.
    pub days: Period,
    /// Local time at which the last day ends; `None` for the whole day.
    pub until: Option<NaiveTime>,
}

/// The tenant's current local day.
pub(super) fn today(transaction: &ReadTransaction, now: DateTime<Utc>) -> NaiveDate {
    now.with_timezone(&transaction.zone()).date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        list::day("day", text).unwrap()
    }

    fn days(first: &str, last: &str) -> (Option<NaiveDate>, Option<NaiveDate>) {
        (Some(day(first)), Some(day(last)))
    }

    fn asked(init: &str, last: &str, range: &str) -> PeriodQuery {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        PeriodQuery {
            init_date: given(init),
            final_date: given(last),
            range_selector: given(range),
        }
    }

    #[test]
    fn ranges_are_the_calendars_and_so_are_the_periods_before() {
        // A Sunday, the last day of its week.
        let today = day("20260301");
        for (range, this, before) in [
            (RangeSelector::Daily, ("20260301", "20260301"), ("20260228", "20260228")),
            (
                RangeSelector::Weekly,
                ("20260223", "20260301"),
                ("20260216", "20260222"),
            ),
            (
                RangeSelector::Monthly,
                ("20260301", "20260331"),
                ("20260201", "20260228"),
            ),
            (
                RangeSelector::Yearly,
                ("20260101", "20261231"),
                ("20250101", "20251231"),
            ),
        ] {
            let period = Period::around(today, range);
            assert_eq!((period.first, period.last), days(this.0, this.1), "{range:?}");
            let previous = period.previous(today).unwrap();
            assert_eq!((previous.first, previous.last), days(before.0, before.1), "{range:?}");
        }
    }

    #[test]
    fn a_period_under_way_is_compared_with_the_same_part_of_the_one_before() {
        let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
        let compared = |today: &str, asked: PeriodQuery| {
            let today = day(today);
            let period = asked.resolve(today).unwrap();
            let before = period.elapsed_before(today.and_time(nine)).unwrap();
            (before.days.first.unwrap(), before.days.last.unwrap(), before.until)
        };
        for (today, range, first, last, until) in [
            ("20260310", "0", "20260309", "20260309", Some(nine)),
            // A Tuesday.
            ("20260310", "1", "20260302", "20260303", Some(nine)),
            ("20260310", "2", "20260201", "20260210", Some(nine)),
            ("20260331", "2", "20260201", "20260228", None),
            ("20260310", "3", "20250101", "20250310", Some(nine)),
            ("20280229", "3", "20270101", "20271231", None),
        ] {
            assert_eq!(
                compared(today, asked("", "", range)),
                (day(first), day(last), until),
                "{today} {range}"
            );
        }
        // Past days are compared with as many whole days; days that end today with the same part.
        let over = compared("20260310", asked("20260301", "20260307", ""));
        assert_eq!(over, (day("20260222"), day("20260228"), None));
        let open = compared("20260310", asked("20260309", "", ""));
        assert_eq!(open, (day("20260307"), day("20260308"), Some(nine)));
    }

    #[test]
    fn named_days_go_before_the_range_and_are_compared_with_as_many_days() {
        let today = day("20260310");
        let period = asked("20260301", "20260307", "3").resolve(today).unwrap();
        assert_eq!((period.first, period.last), days("20260301", "20260307"));
        let previous = period.previous(today).unwrap();
        assert_eq!((previous.first, previous.last), days("20260222", "20260228"));
        let open = asked("20260309", "", "").resolve(today).unwrap();
        assert_eq!((open.first, open.last), (Some(day("20260309")), None));
        let previous = open.previous(today).unwrap();
        assert_eq!((previous.first, previous.last), days("20260307", "20260308"));
        let from_the_beginning = asked("", "20260309", "").resolve(today).unwrap();
        assert_eq!(from_the_beginning.previous(today), None);
    }

    #[test]
    fn invalid_periods_are_refused_by_field() {
        let today = day("20260310");
        for (query, field, code) in [
            (asked("2026-03-01", "", ""), "initDate", "date_invalid"),
            (asked("", "20260230", ""), "finalDate", "date_invalid"),
            (asked("20260302", "20260301", ""), "finalDate", "date_before_start"),
            (asked("", "", "4"), "rangeSelector", "value_unknown"),
            (asked("20260302", "", "x"), "rangeSelector", "value_unknown"),
        ] {
            let refusal = query.resolve(today).unwrap_err();
            let error = &refusal.errors[0];
            assert_eq!((error.field.as_ref(), error.code), (field, code));
        }
    }
}
