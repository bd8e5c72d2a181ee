//! Numbers and dates as people write them. Money is text all the way: no binary float is computed with.

use super::reader::{DIGITS_LOST, NUMBER};
use caudal_domain::closure::end_of_day;
use chrono::{DateTime, Datelike as _, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// The decimal separator of a file's texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportDecimal)]
pub enum Decimal {
    /// `1,234.50`
    #[default]
    Point,
    /// `1.234,50`
    Comma,
}

/// The order of a file's dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportDateOrder)]
pub enum DateOrder {
    /// `31/12/2026`
    #[default]
    DayFirst,
    /// `12/31/2026`
    MonthFirst,
}

/// A number in the form of the API: digits, and a point before decimals. What is no number is returned as it is, so that
/// the field's own rule refuses it.
///
/// # Errors
/// The code of a number that the spreadsheet program has cut, or that is grouped in another way than by thousands.
pub fn number(cell: &str, decimal: Decimal) -> Result<String, &'static str> {
    if cell.starts_with(DIGITS_LOST) {
        return Err("import_digits_lost");
    }
    if let Some(typed) = cell.strip_prefix(NUMBER) {
        return Ok(typed.to_owned());
    }
    let mut text: String = cell.chars().filter(|c| !c.is_whitespace() && *c != '\'').collect();
    text = text
        .trim_start_matches(['$', '€'])
        .trim_end_matches(['$', '€'])
        .replace('\u{2212}', "-");
    for currency in ["USD", "CUP", "EUR", "MLC"] {
        if let Some(rest) = text.strip_suffix(currency).or_else(|| text.strip_prefix(currency)) {
            text = rest.to_owned();
            break;
        }
    }
    let (point, group) = match decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    let (whole, decimals) = match text.split_once(point) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text.as_str(), None),
    };
    if decimals.is_some_and(|decimals| decimals.contains(group)) {
        return Err("import_number_grouped");
    }
    let mut whole = whole.to_owned();
    if whole.contains(group) {
        let groups: Vec<&str> = whole.trim_start_matches(['-', '+']).split(group).collect();
        let is_grouped = groups.split_first().is_some_and(|(first, rest)| {
            (1..=3).contains(&first.len())
                && rest.iter().all(|digits| digits.len() == 3)
                && groups.iter().all(|digits| digits.bytes().all(|c| c.is_ascii_digit()))
        });
        if !is_grouped {
            return Err("import_number_grouped");
        }
        whole.retain(|c| c != group);
    }
    Ok(match decimals {
        Some(decimals) => format!("{whole}.{decimals}"),
        None => whole,
    })
}

/// What a text tells of the decimal separator: `1.234,50` of a comma, `1,5` too, `1.234` nothing.
pub fn decimal_of(cell: &str) -> Option<Decimal> {
    let text = cell.trim();
    let is_number = text.bytes().any(|c| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+' | '$' | '€' | ' '));
    if !is_number {
        return None;
    }
    let last = |c: char| text.rfind(c).map(|at| (at, text.matches(c).count()));
    let tail = |at: usize| text.len() - at - 1;
    match (last('.'), last(',')) {
        (Some((point, _)), Some((comma, _))) => Some(if point > comma { Decimal::Point } else { Decimal::Comma }),
        (Some((_, times)), None) if times > 1 => Some(Decimal::Comma),
        (None, Some((_, times))) if times > 1 => Some(Decimal::Point),
        (Some((at, _)), None) if tail(at) != 3 => Some(Decimal::Point),
        (None, Some((at, _))) if tail(at) != 3 => Some(Decimal::Comma),
        _ => None,
    }
}

/// The last second of a day in a zone: before the first instant of the next, also where a clock change skips midnight or
/// repeats it.
pub fn end_of(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    Some(end_of_day(day, zone)? - TimeDelta::seconds(1))
}

/// Earliest and latest year of a serial number's day, so that an amount in a column of dates is refused.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2200;
/// Fewest digits of a serial number: 10000 is 18 May 1927.
const SERIAL_DIGITS: usize = 5;
const SECONDS_OF_DAY: f64 = 86_400.0;
/// How [`moment`] writes a day with a time.
pub const MOMENT: &str = "%Y-%m-%dT%H:%M:%S";

/// A day as `YYYY-MM-DD`. What is no day is returned as it is, so that the field's own rule refuses it.
pub fn date(cell: &str, order: DateOrder) -> String {
    let text = cell.trim_start_matches(NUMBER).trim();
    if let Some((day, _)) = serial(text) {
        return day.to_string();
    }
    // A time after the day is left out.
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['/', '-', '.']).collect();
    let [a, b, c] = parts.as_slice() else {
        return text.to_owned();
    };
    let parsed = (|| {
        let (a, b, c): (u32, u32, u32) = (a.parse().ok()?, b.parse().ok()?, c.parse().ok()?);
        let (year, month, day) = if parts.first().is_some_and(|part| part.len() == 4) {
            (a, b, c)
        } else {
            // A year of two digits would be guessed: documents expire in 31, and were issued in 98.
            parts.last().filter(|part| part.len() == 4)?;
            match order {
                DateOrder::DayFirst => (c, b, a),
                DateOrder::MonthFirst => (c, a, b),
            }
        };
        NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
    })();
    parsed.map_or_else(|| text.to_owned(), |day| day.to_string())
}

/// A day as `YYYY-MM-DD`, with its time as `YYYY-MM-DDTHH:MM:SS` where the cell has one. What is no day is returned as it is.
pub fn moment(cell: &str, order: DateOrder) -> String {
    if let Some((day, seconds)) = serial(cell.trim_start_matches(NUMBER).trim()) {
        let at = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(seconds);
        return match seconds {
            0 => day.to_string(),
            _ => at.format(MOMENT).to_string(),
        };
    }
    let day = date(cell, order);
    let time = cell.trim().split_once([' ', 'T']).map(|(_, time)| time.trim());
    let Some(time) = time.filter(|_| day.parse::<NaiveDate>().is_ok()) else {
        return day;
    };
    let read = ["%H:%M", "%H:%M:%S"]
        .iter()
        .find_map(|way| NaiveTime::parse_from_str(time, way).ok());
    read.map_or_else(
        || cell.trim().to_owned(),
        |time| format!("{day}T{}", time.format("%H:%M:%S")),
    )
}

/// Day and seconds of a spreadsheet's serial number: days since 30 December 1899, the time as a fraction after a point or a
/// comma. One of four digits is a year that somebody typed, and no day of its own.
fn serial(text: &str) -> Option<(NaiveDate, i64)> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    if whole.len() < SERIAL_DIGITS || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let days: u64 = whole.parse().ok()?;
    let day = NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(Days::new(days))?;
    let share: f64 = format!("0.{fraction}0").parse().ok()?;
    YEARS
        .contains(&day.year())
        .then_some((day, (share * SECONDS_OF_DAY).round() as i64))
}

/// What a text tells of the order of days and months: `31/12/2026` that the day is first.
pub fn order_of(cell: &str) -> Option<DateOrder> {
    let day = cell.trim().split(' ').next().unwrap_or_default();
    let mut parts = day.split(['/', '-', '.']);
    let first: u32 = parts.next().filter(|part| part.len() <= 2)?.parse().ok()?;
    let second: u32 = parts.next()?.parse().ok()?;
    parts.next()?.parse::<u32>().ok()?;
    match (first > 12, second > 12) {
        (true, false) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

/// A text for comparison: lower case, without accents, blanks single.
pub fn folded(text: &str) -> String {
    use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
    let mut folded = String::with_capacity(text.len());
    let mut is_between = false;
    let mut add = |c: char| {
        if !c.is_alphanumeric() {
            is_between = true;
            return;
        }
        if is_between && !folded.is_empty() {
            folded.push(' ');
        }
        is_between = false;
        folded.push(c);
    };
    // Each row of a file has half a dozen texts to fold, most of them plain.
    if text.is_ascii() {
        text.chars().for_each(|c| add(c.to_ascii_lowercase()));
    } else {
        let plain = text.nfd().filter(|c| !is_combining_mark(*c));
        plain.flat_map(char::to_lowercase).for_each(add);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_written_in_either_way_is_read_as_the_same_digits(whole in 0_u64..10_000_000_000, cents in 0_u32..100) {
            let plain = whole.to_string();
            let grouped = |mark: &str| {
                let mut out = String::new();
                for (place, digit) in plain.chars().enumerate() {
                    if place > 0 && (plain.len() - place) % 3 == 0 {
                        out.push_str(mark);
                    }
                    out.push(digit);
                }
                out
            };
            let expected = format!("{plain}.{cents:02}");
            let point = format!("{}.{cents:02}", grouped(","));
            let comma = format!("{},{cents:02}", grouped("."));
            prop_assert_eq!(number(&point, Decimal::Point), Ok(expected.clone()));
            prop_assert_eq!(number(&comma, Decimal::Comma), Ok(expected.clone()));
            prop_assert_eq!(number(&format!("$ {point}"), Decimal::Point), Ok(expected.clone()));
            prop_assert_eq!(number(&format!("{} {cents:02}", expected.split('.').next().unwrap()), Decimal::Point).is_ok(), true);
            prop_assert_eq!(decimal_of(&point), Some(Decimal::Point));
            prop_assert_eq!(decimal_of(&comma), Some(Decimal::Comma));
        }

        #[test]
        fn a_day_is_read_from_every_way_of_writing_it(days in 10_000_u64..73_000) {
            let day = NaiveDate::from_ymd_opt(1899, 12, 30).unwrap().checked_add_days(Days::new(days)).unwrap();
            let iso = day.to_string();
            prop_assert_eq!(date(&days.to_string(), DateOrder::DayFirst), iso.clone());
            prop_assert_eq!(date(&format!("{NUMBER}{days}.75"), DateOrder::DayFirst), iso.clone());
            prop_assert_eq!(date(&iso, DateOrder::MonthFirst), iso.clone());
            prop_assert_eq!(date(&day.format("%d/%m/%Y").to_string(), DateOrder::DayFirst), iso.clone());
            prop_assert_eq!(date(&day.format("%m-%d-%Y").to_string(), DateOrder::MonthFirst), iso.clone());
            prop_assert_eq!(date(&day.format("%d.%m.%Y 13:45").to_string(), DateOrder::DayFirst), iso);
        }
    }

    #[test]
    fn a_number_grouped_in_another_way_is_refused_rather_than_read_wrongly() {
        assert_eq!(number("12.50", Decimal::Comma), Err("import_number_grouped"));
        assert_eq!(number("1,23,456", Decimal::Point), Err("import_number_grouped"));
        assert_eq!(
            number("\u{2}9225060000000000", Decimal::Point),
            Err("import_digits_lost")
        );
        assert_eq!(
            number("cien", Decimal::Point).unwrap(),
            "cien",
            "the field's rule refuses it"
        );
    }

    #[test]
    fn a_day_ends_where_the_next_begins_also_at_the_clock_changes_of_havana() {
        let ends = |day: &str| {
            end_of(day.parse().unwrap(), chrono_tz::America::Havana)
                .unwrap()
                .to_rfc3339()
        };
        // On 8 March the clock goes from midnight to one; on 1 November it goes back from one to midnight.
        assert_eq!(ends("2026-03-07"), "2026-03-08T04:59:59+00:00");
        assert_eq!(ends("2026-03-08"), "2026-03-09T03:59:59+00:00");
        assert_eq!(ends("2026-10-31"), "2026-11-01T03:59:59+00:00");
        assert_eq!(ends("2026-11-01"), "2026-11-02T04:59:59+00:00");
    }

    #[test]
    fn a_moment_keeps_the_time_that_the_cell_has() {
        assert_eq!(moment("26/11/2026", DateOrder::DayFirst), "2026-11-26");
        assert_eq!(
            moment("11/26/2026 18:05:09", DateOrder::MonthFirst),
            "2026-11-26T18:05:09"
        );
        assert_eq!(moment("2026-11-26T18:05", DateOrder::DayFirst), "2026-11-26T18:05:00");
        assert_eq!(moment("26/11/2026 tarde", DateOrder::DayFirst), "26/11/2026 tarde");
    }

    #[test]
    fn a_serial_number_has_a_time_in_its_fraction() {
        for (cell, expected) in [
            ("45987", "2025-11-26"),
            ("45987.0", "2025-11-26"),
            ("45987.75", "2025-11-26T18:00:00"),
            ("45987,75", "2025-11-26T18:00:00"),
            ("\u{1}45987.753576388889", "2025-11-26T18:05:09"),
            ("45987.999999999", "2025-11-27T00:00:00"),
            ("45987.75.1", "45987.75.1"),
            ("12.50", "12.50"),
            ("2031", "2031"),
            ("\u{1}2031", "2031"),
            ("15/03/31", "15/03/31"),
            ("15/03/1931", "1931-03-15"),
        ] {
            assert_eq!(moment(cell, DateOrder::DayFirst), expected);
        }
        assert_eq!(date("45987.999999999", DateOrder::DayFirst), "2025-11-26");
        assert_eq!(date("2025-11-26T18:05", DateOrder::DayFirst), "2025-11-26");
    }

    #[test]
    fn an_ambiguous_text_tells_nothing() {
        assert_eq!(decimal_of("1.234"), None);
        assert_eq!(decimal_of("1234"), None);
        assert_eq!(decimal_of("Calle 1, 5"), None);
        assert_eq!(order_of("03/04/2026"), None);
        assert_eq!(order_of("13/04/2026"), Some(DateOrder::DayFirst));
        assert_eq!(order_of("04/13/2026"), Some(DateOrder::MonthFirst));
    }
}
