//! Numbers and dates as people write them. Money is text all the way: no binary float is computed with.

use super::reader::{DIGITS_LOST, NUMBER};
use caudal_domain::{FieldError, closure::end_of_day, money::CurrencyCode, refusal::Params};
use chrono::{DateTime, Datelike as _, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// The decimal separator of a file's texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportDecimal)]
pub enum Decimal {
    /// `1,234.50`
    Point,
    /// `1.234,50`
    Comma,
}

/// The order of a file's dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportDateOrder)]
pub enum DateOrder {
    /// `31/12/2026`
    DayFirst,
    /// `12/31/2026`
    MonthFirst,
}

/// Why a cell can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFault {
    pub code: &'static str,
    /// Placeholders of the code's text.
    pub params: Params,
}

impl CellFault {
    pub fn of(code: &'static str) -> Self {
        Self {
            code,
            params: Params::new(),
        }
    }

    /// The fault as one of a field.
    #[must_use]
    pub fn at(self, field: &'static str) -> FieldError {
        FieldError {
            field: field.into(),
            code: self.code,
            params: self.params,
        }
    }
}

/// A number of a cell, and the currencies that stand beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// In the form of the API: digits, and a point before decimals. What is no number is the cell's text.
    text: String,
    /// Signs and codes before and after the digits, such as `$` and `USD`.
    marks: Vec<String>,
}

impl Number {
    /// The number as an amount in a currency.
    ///
    /// # Errors
    /// When another currency stands beside it, or another text.
    pub fn in_currency(&self, currency: CurrencyCode) -> Result<&str, CellFault> {
        if self.marks.iter().all(|mark| is_of(mark, currency)) {
            return Ok(&self.text);
        }
        Err(CellFault {
            code: "import_currency_differs",
            params: [("currency", currency.to_string())].into(),
        })
    }
}

/// Whether a sign or a code is that of a currency.
fn is_of(mark: &str, currency: CurrencyCode) -> bool {
    let signs: &[&str] = match currency {
        CurrencyCode::USD => &["$", "US$"],
        CurrencyCode::EUR => &["€"],
        _ => &[],
    };
    let is_meant = |sign: &str| sign.eq_ignore_ascii_case(mark);
    is_meant(currency.as_str()) || signs.iter().any(|sign| is_meant(sign))
}

/// Reads a number. One whose separator may be that of decimals or of thousands needs the column's: `1.234`, `1,234`. What is no
/// number is kept as it is, so that the field's own rule refuses it.
///
/// # Errors
/// The fault of a number that the spreadsheet program has cut, that is grouped in another way than by thousands, or that has
/// two meanings.
pub fn number(cell: &str, decimal: Option<Decimal>) -> Result<Number, CellFault> {
    if cell.starts_with(DIGITS_LOST) {
        return Err(CellFault::of("import_digits_lost"));
    }
    if let Some(typed) = cell.strip_prefix(NUMBER) {
        let mut parts = typed.split(' ').map(str::to_owned);
        return Ok(Number {
            text: parts.next().unwrap_or_default(),
            marks: parts.collect(),
        });
    }
    let Some(written) = Written::of(cell) else {
        return Ok(Number {
            text: cell.to_owned(),
            marks: Vec::new(),
        });
    };
    let signed = |digits: String| format!("{}{digits}", if written.is_negative { "-" } else { "" });
    let text = match (decimal, written.read(Decimal::Point), written.read(Decimal::Comma)) {
        (None, Some(point), Some(comma)) if point != comma => {
            let (fraction, whole) = if point.contains('.') {
                (point, comma)
            } else {
                (comma, point)
            };
            let fraction = fraction.trim_end_matches('0').trim_end_matches('.').to_owned();
            return Err(CellFault {
                code: "import_decimal_unknown",
                params: [("whole", signed(whole)), ("fraction", signed(fraction))].into(),
            });
        }
        (Some(Decimal::Point) | None, Some(text), _) | (Some(Decimal::Comma) | None, _, Some(text)) => text,
        _ => return Err(CellFault::of("import_number_grouped")),
    };
    Ok(Number {
        text: signed(text),
        marks: written.marks.iter().map(|mark| (*mark).to_owned()).collect(),
    })
}

/// What a text shows of the decimal separator: `1.234,50` and `1,5` a comma, `1.234` nothing.
pub fn decimal_of(cell: &str) -> Option<Decimal> {
    let written = Written::of(cell)?;
    match (written.read(Decimal::Point), written.read(Decimal::Comma)) {
        (Some(_), None) => Some(Decimal::Point),
        (None, Some(_)) => Some(Decimal::Comma),
        _ => None,
    }
}

/// Blanks that group digits: also those that do not break a line.
const BLANKS: [char; 4] = [' ', '\u{A0}', '\u{2009}', '\u{202F}'];
const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];
const MINUS: [char; 2] = ['-', '\u{2212}'];

/// A number as a person wrote it.
struct Written<'a> {
    is_negative: bool,
    /// From the first digit or separator to the last one.
    digits: &'a str,
    /// What stands before and after them.
    marks: Vec<&'a str>,
}

impl<'a> Written<'a> {
    /// `None` where something else than digits, their separators, a minus before them and signs of currencies is in the text.
    fn of(cell: &'a str) -> Option<Self> {
        let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
        let (before, rest) = cell.split_at_checked(cell.find(is_of_number)?)?;
        let (digits, after) = rest.split_at_checked(rest.rfind(is_of_number)? + 1)?;
        if !digits
            .chars()
            .all(|c| is_of_number(c) || BLANKS.contains(&c) || APOSTROPHES.contains(&c))
        {
            return None;
        }
        let before = before.trim();
        let without = before.strip_prefix(MINUS).or_else(|| before.strip_suffix(MINUS));
        let marks = [without.unwrap_or(before).trim(), after.trim()].into_iter();
        let marks: Vec<_> = marks.filter(|mark| !mark.is_empty()).collect();
        marks.iter().all(|mark| mark.chars().all(is_in_mark)).then_some(Self {
            is_negative: without.is_some(),
            digits,
            marks,
        })
    }

    /// The digits with a point before decimals, if the text is a number with this separator of decimals: others group by three.
    fn read(&self, decimal: Decimal) -> Option<String> {
        let point = match decimal {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        };
        let (whole, decimals) = self.digits.split_once(point).unzip();
        let whole = whole.unwrap_or(self.digits);
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        let whole = match whole.chars().find(|c| !c.is_ascii_digit()) {
            None => whole.to_owned(),
            Some(mark) => {
                let groups: Vec<&str> = whole.split(mark).collect();
                let (first, rest) = groups.split_first()?;
                // A group of thousands does not begin with a zero: `0.500` is a fraction.
                let is_grouped = (1..=3).contains(&first.len())
                    && !first.starts_with('0')
                    && rest.iter().all(|digits| digits.len() == 3);
                if !is_grouped || !groups.iter().all(|digits| is_digits(digits)) {
                    return None;
                }
                groups.concat()
            }
        };
        match decimals {
            Some(decimals) if is_digits(&whole) && is_digits(decimals) => Some(format!("{whole}.{decimals}")),
            None if is_digits(&whole) => Some(whole),
            _ => None,
        }
    }
}

/// Whether a character may be in the code or the sign of a currency.
pub(super) fn is_in_mark(c: char) -> bool {
    // Signs of currencies: cent to yen, and the block of the others.
    c.is_alphabetic() || c == '$' || matches!(c, '\u{A2}'..='\u{A5}' | '\u{20A0}'..='\u{20CF}')
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
///
/// # Errors
/// The fault of a date that is another day in the other order, where the order is not known.
pub fn date(cell: &str, order: Option<DateOrder>) -> Result<String, CellFault> {
    let text = cell.trim_start_matches(NUMBER).trim();
    if let Some((day, _)) = serial(text) {
        return Ok(day.to_string());
    }
    let [day_first, month_first] = in_both_orders(text);
    let day = match (order, day_first, month_first) {
        (None, Some(day), Some(other)) if day != other => {
            return Err(CellFault {
                code: "import_date_order_unknown",
                params: [("dayFirst", day.to_string()), ("monthFirst", other.to_string())].into(),
            });
        }
        (Some(DateOrder::DayFirst), day, _) | (Some(DateOrder::MonthFirst), _, day) => day,
        (None, ..) => day_first.or(month_first),
    };
    Ok(day.map_or_else(|| text.to_owned(), |day| day.to_string()))
}

/// The day that a text is with the day first, and with the month first. A time after it is left out.
fn in_both_orders(text: &str) -> [Option<NaiveDate>; 2] {
    let day = text.trim().split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['/', '-', '.']).collect();
    let [a, b, c] = parts.as_slice() else {
        return [None; 2];
    };
    let of = |year: &str, month: &str, day: &str| {
        NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
    };
    if a.len() == 4 {
        return [of(a, b, c); 2];
    }
    // A year of two digits would be guessed: documents expire in 31, and were issued in 98.
    if c.len() != 4 {
        return [None; 2];
    }
    [of(c, b, a), of(c, a, b)]
}

/// A day as `YYYY-MM-DD`, with its time as `YYYY-MM-DDTHH:MM:SS` where the cell has one. What is no day is returned as it is.
///
/// # Errors
/// As [`date`].
pub fn moment(cell: &str, order: Option<DateOrder>) -> Result<String, CellFault> {
    if let Some((day, seconds)) = serial(cell.trim_start_matches(NUMBER).trim()) {
        let at = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(seconds);
        return Ok(match seconds {
            0 => day.to_string(),
            _ => at.format(MOMENT).to_string(),
        });
    }
    let day = date(cell, order)?;
    let time = cell.trim().split_once([' ', 'T']).map(|(_, time)| time.trim());
    let Some(time) = time.filter(|_| day.parse::<NaiveDate>().is_ok()) else {
        return Ok(day);
    };
    let read = ["%H:%M", "%H:%M:%S"]
        .iter()
        .find_map(|way| NaiveTime::parse_from_str(time, way).ok());
    Ok(read.map_or_else(
        || cell.trim().to_owned(),
        |time| format!("{day}T{}", time.format("%H:%M:%S")),
    ))
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
    match in_both_orders(cell) {
        [Some(_), None] => Some(DateOrder::DayFirst),
        [None, Some(_)] => Some(DateOrder::MonthFirst),
        [Some(_), Some(_)] | [None, None] => None,
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

    /// The number of a cell, or the code of its fault.
    fn read(cell: &str, decimal: Option<Decimal>) -> Result<String, &'static str> {
        number(cell, decimal)
            .map(|number| number.text)
            .map_err(|fault| fault.code)
    }

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
            for decimal in [None, Some(Decimal::Point)] {
                prop_assert_eq!(read(&point, decimal), Ok(expected.clone()));
                prop_assert_eq!(read(&format!("$ {point}"), decimal), Ok(expected.clone()));
                prop_assert_eq!(read(&format!("-{}.{cents:02}", grouped("'")), decimal), Ok(format!("-{expected}")));
            }
            for decimal in [None, Some(Decimal::Comma)] {
                prop_assert_eq!(read(&comma, decimal), Ok(expected.clone()));
                prop_assert_eq!(read(&format!("{},{cents:02} usd", grouped("\u{A0}")), decimal), Ok(expected.clone()));
            }
            prop_assert_eq!(read(&format!("{plain} {cents:02}"), None), Err("import_number_grouped"));
            prop_assert_eq!(decimal_of(&point), Some(Decimal::Point));
            prop_assert_eq!(decimal_of(&comma), Some(Decimal::Comma));
        }

        #[test]
        fn a_day_is_read_from_every_way_of_writing_it(days in 10_000_u64..73_000) {
            let day = NaiveDate::from_ymd_opt(1899, 12, 30).unwrap().checked_add_days(Days::new(days)).unwrap();
            let iso = day.to_string();
            let (by_day, by_month) = (Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst));
            prop_assert_eq!(date(&days.to_string(), None), Ok(iso.clone()));
            prop_assert_eq!(date(&format!("{NUMBER}{days}.75"), None), Ok(iso.clone()));
            prop_assert_eq!(date(&iso, None), Ok(iso.clone()));
            prop_assert_eq!(date(&iso, by_month), Ok(iso.clone()));
            prop_assert_eq!(date(&day.format("%d/%m/%Y").to_string(), by_day), Ok(iso.clone()));
            prop_assert_eq!(date(&day.format("%m-%d-%Y").to_string(), by_month), Ok(iso.clone()));
            prop_assert_eq!(date(&day.format("%d.%m.%Y 13:45").to_string(), by_day), Ok(iso.clone()));
            let alone = date(&day.format("%m/%d/%Y").to_string(), None);
            if day.day() > 12 || day.day() == day.month() {
                prop_assert_eq!(alone, Ok(iso));
            } else {
                prop_assert_eq!(alone.map_err(|fault| fault.code), Err("import_date_order_unknown"));
            }
        }
    }

    #[test]
    fn a_number_grouped_in_another_way_is_refused_rather_than_read_wrongly() {
        for (cell, decimal) in [
            ("12.50", Some(Decimal::Comma)),
            ("12,50", Some(Decimal::Point)),
            // A group of thousands does not begin with a zero.
            ("0.500", Some(Decimal::Comma)),
            ("1,23,456", Some(Decimal::Point)),
            ("1,23,456", None),
            ("1 5", None),
            ("1 2.5", None),
            ("12.5 0", None),
            ("1'2", None),
            ("1 234'567", None),
            ("1  234", None),
            ("5.", None),
            (".5", None),
        ] {
            assert_eq!(read(cell, decimal), Err("import_number_grouped"), "{cell}");
        }
        assert_eq!(read("\u{2}9225060000000000", None), Err("import_digits_lost"));
        // The field's rule refuses what is no number.
        for cell in ["cien", "1e3", "5%", "(5)", "5-", "--5", "'5", "+5", "5\n100"] {
            assert_eq!(read(cell, None), Ok(cell.to_owned()));
            assert!(cell.parse::<caudal_domain::money::Amount>().is_err(), "{cell}");
        }
    }

    #[test]
    fn a_number_that_may_have_thousands_or_decimals_is_refused_where_nothing_says_which() {
        for (cell, whole, fraction) in [
            ("1.500", "1500", "1.5"),
            ("1,500", "1500", "1.5"),
            ("10.000", "10000", "10"),
            ("-1.234", "-1234", "-1.234"),
            ("$ 2,000", "2000", "2"),
        ] {
            let refused = number(cell, None).unwrap_err();
            assert_eq!(refused.code, "import_decimal_unknown", "{cell}");
            let params = [("whole", whole.to_owned()), ("fraction", fraction.to_owned())];
            assert_eq!(refused.params, Params::from(params), "{cell}");
            assert_eq!(decimal_of(cell), None, "{cell}");
        }
        assert_eq!(read("1.500", Some(Decimal::Point)), Ok("1.500".to_owned()));
        assert_eq!(read("1.500", Some(Decimal::Comma)), Ok("1500".to_owned()));
        for (cell, expected) in [
            ("1500", "1500"),
            ("1 500", "1500"),
            ("1'500", "1500"),
            ("1.5", "1.5"),
            ("1,5", "1.5"),
            ("0.500", "0.500"),
            ("1500,000", "1500.000"),
            ("1.500.000", "1500000"),
            ("1 500.000", "1500.000"),
            // A number of a workbook's cell.
            ("\u{1}1.234", "1.234"),
        ] {
            assert_eq!(read(cell, None), Ok(expected.to_owned()), "{cell}");
        }
    }

    #[test]
    fn a_currency_beside_a_number_is_that_of_the_amount_or_refused() {
        let currencies = [CurrencyCode::USD, CurrencyCode::EUR, CurrencyCode::CUP];
        for (cell, of) in [
            ("20 CUP", Some(CurrencyCode::CUP)),
            ("cup 20", Some(CurrencyCode::CUP)),
            ("20 EUR", Some(CurrencyCode::EUR)),
            ("€20", Some(CurrencyCode::EUR)),
            ("20,00 €", Some(CurrencyCode::EUR)),
            ("20 USD", Some(CurrencyCode::USD)),
            ("20 usd", Some(CurrencyCode::USD)),
            ("$20", Some(CurrencyCode::USD)),
            ("US$ 20", Some(CurrencyCode::USD)),
            ("-$20", Some(CurrencyCode::USD)),
            ("$ 20 USD", Some(CurrencyCode::USD)),
            ("\u{1}20 EUR", Some(CurrencyCode::EUR)),
            ("\u{1}20 $ USD", Some(CurrencyCode::USD)),
            ("\u{1}20 USD CUP", None),
            ("\u{1}20 $1009", None),
            ("$20 CUP", None),
            ("MLC 20", None),
            ("£20", None),
            ("20 pesos", None),
        ] {
            let number = number(cell, None).unwrap();
            for currency in currencies {
                let amount = number.in_currency(currency);
                assert_eq!(amount.is_ok(), of == Some(currency), "{cell} in {currency}: {amount:?}");
                if let Err(refused) = amount {
                    assert_eq!(refused.code, "import_currency_differs");
                    assert_eq!(refused.params, Params::from([("currency", currency.to_string())]));
                }
            }
        }
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
        for (cell, order, expected) in [
            ("26/11/2026", None, "2026-11-26"),
            (
                "11/26/2026 18:05:09",
                Some(DateOrder::MonthFirst),
                "2026-11-26T18:05:09",
            ),
            ("2026-11-26T18:05", None, "2026-11-26T18:05:00"),
            ("26/11/2026 tarde", Some(DateOrder::DayFirst), "26/11/2026 tarde"),
        ] {
            assert_eq!(moment(cell, order), Ok(expected.to_owned()), "{cell}");
        }
    }

    #[test]
    fn a_date_of_two_meanings_is_refused_where_nothing_says_whether_the_day_is_first() {
        for cell in ["03/04/2026", "3-4-2026", "03.04.2026 18:05"] {
            for refused in [date(cell, None), moment(cell, None)] {
                let refused = refused.unwrap_err();
                assert_eq!(refused.code, "import_date_order_unknown", "{cell}");
                let params = [
                    ("dayFirst", "2026-04-03".to_owned()),
                    ("monthFirst", "2026-03-04".to_owned()),
                ];
                assert_eq!(refused.params, Params::from(params), "{cell}");
            }
            assert_eq!(
                date(cell, Some(DateOrder::DayFirst)),
                Ok("2026-04-03".to_owned()),
                "{cell}"
            );
            assert_eq!(
                date(cell, Some(DateOrder::MonthFirst)),
                Ok("2026-03-04".to_owned()),
                "{cell}"
            );
        }
        for (cell, expected) in [
            ("03/03/2026", "2026-03-03"),
            ("13/04/2026", "2026-04-13"),
            ("04/13/2026", "2026-04-13"),
            ("2026-04-03", "2026-04-03"),
            // No day in either order: the field's rule refuses it.
            ("31/02/2026", "31/02/2026"),
            ("03/04/26", "03/04/26"),
        ] {
            assert_eq!(date(cell, None), Ok(expected.to_owned()), "{cell}");
        }
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
            assert_eq!(moment(cell, None), Ok(expected.to_owned()));
        }
        assert_eq!(date("45987.999999999", None), Ok("2025-11-26".to_owned()));
        assert_eq!(date("2025-11-26T18:05", None), Ok("2025-11-26".to_owned()));
    }

    #[test]
    fn an_ambiguous_text_tells_nothing() {
        assert_eq!(decimal_of("1.234"), None);
        assert_eq!(decimal_of("1234"), None);
        assert_eq!(decimal_of("1.2,3.4"), None);
        assert_eq!(decimal_of("\u{1}1.5"), None, "a workbook's number has always a point");
        assert_eq!(decimal_of("Calle 1, 5"), None);
        for cell in ["03/04/2026", "31/02/2026", "26/04/13", "2026-04-13", "555-1234"] {
            assert_eq!(order_of(cell), None, "{cell}");
        }
        assert_eq!(order_of("13/04/2026"), Some(DateOrder::DayFirst));
        assert_eq!(order_of("04/13/2026"), Some(DateOrder::MonthFirst));
    }
}
