//! Identity document numbers: validation and normal form by issuer.
//!
//! | Document | Rule |
//! |---|---|
//! | Cuban identity card | 11 digits: date of birth (`YYMMDD`), then the century's digit. The check digit is not verified: no published rule |
//! | Passport | 5 to 9 letters and digits, at least one digit (ICAO 9303 has room for 9) |
//! | US social security number | 9 digits; no area 000 or 666, no group 00, no serial 0000 |
//! | any other, or no type given | 5 to 30 letters of A to Z, digits and separators, at least one digit; 11 digits alone are an identity card |

use crate::{
    customer::IdentificationType,
    refusal::{FieldError, fault, fault_with},
};
use chrono::NaiveDate;

const CARD_DIGITS: usize = 11;
/// Minimum length of a document number.
const SHORTEST: usize = 5;
/// Maximum length of a passport number, by ICAO 9303.
const LONGEST_PASSPORT: usize = 9;
/// Maximum length of other document numbers; the longest driving licences have 25 characters.
const LONGEST: usize = 30;

/// Separators in a document number; comparisons ignore them.
const fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '-' | '/' | '.' | '*')
}

/// Whether a number is that of an identity card, also without a type: eleven digits alone, with whatever between them.
#[must_use]
pub fn is_card(text: &str) -> bool {
    let mut digits = text.trim().chars().filter(|c| !is_separator(*c));
    digits.by_ref().take(CARD_DIGITS).filter(char::is_ascii_digit).count() == CARD_DIGITS && digits.next().is_none()
}

/// Normal form of a document number, as stored and compared. `today` is the latest possible date of birth.
///
/// # Errors
/// The violated rule.
pub fn parse(kind: Option<IdentificationType>, text: &str, today: NaiveDate) -> Result<String, FieldError> {
    let text = text.trim();
    let joined: String = text.chars().filter(|c| !matches!(c, ' ' | '\u{A0}' | '-')).collect();
    match kind {
        Some(IdentificationType::Ci) => cuban_card(joined, today),
        None if is_card(text) => cuban_card(text.chars().filter(char::is_ascii_digit).collect(), today),
        Some(IdentificationType::Passport) => passport(&joined),
        Some(IdentificationType::SocialSecurity) => social_security(joined),
        _ => other(text),
    }
}

fn cuban_card(number: String, today: NaiveDate) -> Result<String, FieldError> {
    if number.len() != CARD_DIGITS || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(fault_with("ci_not_11_digits", [("count", CARD_DIGITS.to_string())]));
    }
    let part = |from: usize, to: usize| number.get(from..to).and_then(|digits| digits.parse::<u32>().ok());
    let born = part(0, 2).zip(part(2, 4)).zip(part(4, 6)).zip(part(6, 7));
    let born = born.and_then(|(((year, month), day), century)| {
        let century = match century {
            9 => 1800,
            0..=5 => 1900,
            _ => 2000,
        };
        NaiveDate::from_ymd_opt(i32::try_from(century + year).ok()?, month, day)
    });
    match born {
        Some(born) if born <= today => Ok(number),
        _ => Err(fault("ci_birth_date_invalid")),
    }
}

fn passport(number: &str) -> Result<String, FieldError> {
    let shaped = number.chars().all(|c| c.is_ascii_alphanumeric()) && number.chars().any(|c| c.is_ascii_digit());
    if shaped && (SHORTEST..=LONGEST_PASSPORT).contains(&number.len()) {
        Ok(number.to_ascii_uppercase())
    } else {
        Err(fault_with(
            "passport_number_invalid",
            [("min", SHORTEST.to_string()), ("max", LONGEST_PASSPORT.to_string())],
        ))
    }
}

fn social_security(number: String) -> Result<String, FieldError> {
    let is = |from: usize, to: usize, digits: &str| number.get(from..to) == Some(digits);
    let shaped = number.len() == 9 && number.bytes().all(|byte| byte.is_ascii_digit());
    if !shaped || is(0, 3, "000") || is(0, 3, "666") || is(3, 5, "00") || is(5, 9, "0000") {
        return Err(fault("social_security_number_invalid"));
    }
    Ok(number)
}

fn other(text: &str) -> Result<String, FieldError> {
    let count = text.chars().count();
    let allowed = |c: char| c.is_ascii_alphanumeric() || is_separator(c);
    if !text.chars().all(allowed) || !text.chars().any(|c| c.is_ascii_digit()) {
        return Err(fault("document_number_invalid"));
    }
    if (SHORTEST..=LONGEST).contains(&count) {
        Ok(text.to_owned())
    } else {
        let bounds = [("min", SHORTEST.to_string()), ("max", LONGEST.to_string())];
        Err(fault_with("document_number_length", bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use IdentificationType::{Ci, DriverLicense, Passport, SocialSecurity};

    fn read(kind: Option<IdentificationType>, text: &str) -> Result<String, &'static str> {
        let today = NaiveDate::from_ymd_opt(2026, 11, 22).unwrap();
        parse(kind, text, today).map_err(|error| error.code)
    }

    #[test]
    fn a_cuban_card_is_eleven_digits_that_begin_with_a_day_and_its_century() {
        for good in [
            "80010112345",
            "75010112345",
            "00022961234",
            "04022971234",
            "85020291531",
        ] {
            assert_eq!(read(Some(Ci), good), Ok(good.to_owned()));
            assert_eq!(read(None, good), Ok(good.to_owned()));
        }
        assert_eq!(read(Some(Ci), "800101 12345"), Ok("80010112345".into()));
        for apart in [
            "800101-12345",
            "800101.12345",
            "800101/12345",
            "8 0010112345*",
            "80.01.01.1234-5",
        ] {
            assert_eq!(read(None, apart), Ok("80010112345".into()), "{apart}");
        }
        for short in ["123", "8001011234", "800101123456", "8001011234A"] {
            assert_eq!(read(Some(Ci), short), Err("ci_not_11_digits"), "{short}");
        }
        // Month 13, November 31, February 29 of 1900, 1805 and 2001, and a future date.
        for wrong in [
            "80130112345",
            "80113112345",
            "00022912345",
            "05022991234",
            "01022961234",
            "26112361234",
        ] {
            assert_eq!(read(Some(Ci), wrong), Err("ci_birth_date_invalid"), "{wrong}");
            assert_eq!(read(None, wrong), Err("ci_birth_date_invalid"), "{wrong}");
        }
    }

    #[test]
    fn passports_and_social_security_numbers_have_their_own_shape() {
        assert_eq!(read(Some(Passport), "k 123456"), Ok("K123456".into()));
        assert_eq!(read(Some(Passport), "123"), Err("passport_number_invalid"));
        assert_eq!(read(Some(Passport), "ABCDEFG"), Err("passport_number_invalid"));
        assert_eq!(read(Some(SocialSecurity), "123-45-6789"), Ok("123456789".into()));
        // A US taxpayer number (ITIN), for people without social security, begins with 9.
        assert_eq!(read(Some(SocialSecurity), "912-70-1234"), Ok("912701234".into()));
        for wrong in ["000-45-6789", "666-45-6789", "123-00-6789", "123-45-0000", "12345678"] {
            assert_eq!(
                read(Some(SocialSecurity), wrong),
                Err("social_security_number_invalid"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn other_documents_have_a_digit_and_a_length() {
        assert_eq!(read(Some(DriverLicense), "D123456789012"), Ok("D123456789012".into()));
        assert_eq!(read(None, "P-1234567"), Ok("P-1234567".into()));
        assert_eq!(read(None, "123"), Err("document_number_length"));
        assert_eq!(read(None, "Rosa Ruiz"), Err("document_number_invalid"));
        assert_eq!(read(Some(DriverLicense), "12345<678"), Err("document_number_invalid"));
        // Full-width digits, and a Cyrillic letter that looks like a Latin one.
        for strange in ["\u{FF18}\u{FF15}010112345", "\u{410}1234567"] {
            assert_eq!(read(None, strange), Err("document_number_invalid"), "{strange}");
        }
    }
}
