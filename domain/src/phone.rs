//! Telephone numbers in E.164, validated by their country's numbering plan.
//!
//! The plans are libphonenumber's, shipped by the crate `phonenumber` (docs/decisions/telephones-and-documents.md).

use crate::refusal::{FieldError, fault, fault_with};
use phonenumber::{Mode, ParseError, country};

/// ISO 3166-1 code of Cuba: the default country for recipients, dealers and delivery men.
pub const CUBA: &str = "CU";
/// Minimum digits of a national number.
const FEWEST_DIGITS: usize = 4;
/// Maximum digits of an E.164 number, including the country code.
const MOST_DIGITS: usize = 15;

/// Normalises a telephone number to E.164 (`+5352345678`). Without a country code it is read as a number of `country`
/// (ISO 3166-1); a leading `00` counts as `+`.
///
/// # Errors
/// The violated rule.
pub fn parse(text: &str, country: Option<&str>) -> Result<String, FieldError> {
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '+' | ' ' | '\u{A0}' | '-' | '.' | '(' | ')' | '/');
    let mut digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
    if !text.chars().all(plain) || digits.rfind('+').is_some_and(|place| place > 0) || digits.is_empty() {
        return Err(fault("phone_not_a_number"));
    }
    if let Some(rest) = digits.strip_prefix("00") {
        digits = format!("+{rest}");
    }
    let count = digits.trim_start_matches('+').len();
    if count > MOST_DIGITS {
        return Err(fault_with("phone_too_long", [("max", MOST_DIGITS.to_string())]));
    }
    if count < FEWEST_DIGITS {
        return Err(fault("phone_too_short"));
    }
    let region = country.and_then(|code| code.parse::<country::Id>().ok());
    if region.is_none() && !digits.starts_with('+') {
        return Err(fault("phone_without_country"));
    }
    let number = phonenumber::parse(region, &digits).map_err(|error| match error {
        ParseError::InvalidCountryCode => fault("phone_country_unknown"),
        ParseError::TooLong => fault_with("phone_too_long", [("max", MOST_DIGITS.to_string())]),
        _ => fault("phone_too_short"),
    })?;
    if phonenumber::is_valid(&number) {
        Ok(number.format().mode(Mode::E164).to_string())
    } else {
        let code = format!("+{}", number.code().value());
        Err(fault_with("phone_not_of_country", [("code", code)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, country: Option<&str>) -> &'static str {
        parse(text, country).unwrap_err().code
    }

    #[test]
    fn numbers_are_brought_to_e164_whatever_stands_between_their_digits() {
        for (text, country, number) in [
            ("+5350000000", None, "+5350000000"),
            ("+53 5 234-5678", None, "+5352345678"),
            ("52345678", Some(CUBA), "+5352345678"),
            ("(53) 5234 5678", Some(CUBA), "+5352345678"),
            ("07 860 1234", Some(CUBA), "+5378601234"),
            ("0053 5234 5678", Some(CUBA), "+5352345678"),
            ("00 1 305 555 0100", None, "+13055550100"),
            ("(305) 555-0100", Some("US"), "+13055550100"),
            ("+1 305.555.0100", Some(CUBA), "+13055550100"),
            ("+34 612 345 678", Some("US"), "+34612345678"),
        ] {
            assert_eq!(parse(text, country), Ok(number.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_none_says_why() {
        for (text, country, rule) in [
            ("abc", None, "phone_not_a_number"),
            ("1-800-FLOWERS", Some("US"), "phone_not_a_number"),
            ("+53+52345678", None, "phone_not_a_number"),
            ("-", None, "phone_not_a_number"),
            ("52345678", None, "phone_without_country"),
            ("52345678", Some("Elsewhere"), "phone_without_country"),
            ("+999 123 456", None, "phone_country_unknown"),
            ("+53", None, "phone_too_short"),
            ("+1 555", None, "phone_not_of_country"),
            ("+53 1234567890", None, "phone_not_of_country"),
            ("+53 5234567", None, "phone_not_of_country"),
            ("+1234567890123456", None, "phone_too_long"),
        ] {
            assert_eq!(code(text, country), rule, "{text}");
        }
        let wrong = parse("+53 12", None).unwrap_err();
        assert_eq!(
            (wrong.code, wrong.params["code"].as_str()),
            ("phone_not_of_country", "+53")
        );
    }
}
