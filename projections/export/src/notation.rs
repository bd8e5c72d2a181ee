//! Number formatting: plain for machines, grouped for people. Exact: digits are moved, never computed with floats.

use crate::language::Language;

/// Maximum decimals of an amount; 10 to this power fits in 64 bits.
const MAX_DECIMALS: u8 = 18;

/// `minor` units of 10^-`decimals` as a plain number: -1234.56.
pub(crate) fn plain_money(minor: i64, decimals: u8) -> String {
    let (sign, units, fraction) = split(minor, decimals);
    if fraction.is_empty() {
        format!("{sign}{units}")
    } else {
        format!("{sign}{units}.{fraction}")
    }
}

/// `minor` units of 10^-`decimals` in the language's format: -1.234,56.
pub(crate) fn money(minor: i64, decimals: u8, language: Language) -> String {
    let (sign, units, fraction) = split(minor, decimals);
    compose(sign, &units.to_string(), &fraction, language)
}

/// A whole number in the language's format.
pub(crate) fn integer(value: i64, language: Language) -> String {
    money(value, 0, language)
}

/// A plain decimal (`12.5`) in the language's format; `None` for other texts.
pub(crate) fn decimal(text: &str, language: Language) -> Option<String> {
    let (sign, units, fraction) = parts(text)?;
    Some(compose(sign, units, fraction, language))
}

/// Whether a text is a plain decimal: digits, at most one point, an optional sign.
pub(crate) fn is_decimal(text: &str) -> bool {
    parts(text).is_some()
}

fn parts(text: &str) -> Option<(&'static str, &str, &str)> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (units, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let pointed = digits.contains('.');
    (!units.is_empty() && all_digits(units) && all_digits(fraction) && pointed != fraction.is_empty())
        .then_some((sign, units, fraction))
}

fn split(minor: i64, decimals: u8) -> (&'static str, u64, String) {
    let decimals = decimals.min(MAX_DECIMALS);
    let scale = 10_u64.pow(u32::from(decimals));
    let size = minor.unsigned_abs();
    let fraction = if decimals == 0 {
        String::new()
    } else {
        format!("{:0width$}", size % scale, width = usize::from(decimals))
    };
    (if minor < 0 { "-" } else { "" }, size / scale, fraction)
}

fn compose(sign: &str, units: &str, fraction: &str, language: Language) -> String {
    let mut text = String::with_capacity(sign.len() + units.len() + units.len() / 3 + fraction.len() + 1);
    text.push_str(sign);
    for (place, digit) in units.chars().enumerate() {
        if place > 0 && (units.len() - place).is_multiple_of(3) {
            text.push(language.thousands());
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push(language.decimal_mark());
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_exactly_to_the_ends_of_64_bits() {
        assert_eq!(plain_money(123_456, 2), "1234.56");
        assert_eq!(plain_money(-5, 2), "-0.05");
        assert_eq!(plain_money(7, 0), "7");
        assert_eq!(plain_money(i64::MIN, 2), "-92233720368547758.08");
        assert_eq!(money(i64::MAX, 2, Language::Spanish), "92.233.720.368.547.758,07");
        assert_eq!(money(-100_000, 2, Language::English), "-1,000.00");
        assert_eq!(money(99_999, 2, Language::English), "999.99");
    }

    #[test]
    fn only_plain_numbers_are_decimals() {
        assert_eq!(
            decimal("1234567.0350", Language::Spanish).as_deref(),
            Some("1.234.567,0350")
        );
        assert_eq!(decimal("-12.5", Language::English).as_deref(), Some("-12.5"));
        for text in ["", "-", ".", "1.", ".5", "1e9", "=1", "1,5", "--1", "1.2.3", " 1", "٣"] {
            assert!(!is_decimal(text), "{text:?}");
        }
    }
}
