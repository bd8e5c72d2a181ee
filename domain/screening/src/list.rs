//! Entries of a list, independent of the file format that they came from.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Bytes of an identifier that is derived from the content: two people of all lists ever loaded don't share 128 bits.
const CONTENT_ID_BYTES: usize = 16;

/// One listed person, organisation, vessel or aircraft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Identifier within the list, the same in every version: OFAC's `uid`, the EU reference number, the UN reference
    /// number, the column `id` of a CSV, or [`Entry::content_id`] where a CSV has none.
    pub id: String,
    pub kind: Kind,
    pub names: Vec<ListedName>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub born: Vec<Born>,
    /// Countries of nationality or citizenship: ISO 3166 codes where the country is known, else its name as published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    /// Sanctions programs or regulations that list the entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
}

impl Entry {
    /// Identifier derived from the content, without [`Self::id`]: the first 128 bits of a SHA-256 over names, documents,
    /// dates of birth and countries, as 32 hexadecimal digits. The order of aliases, documents, dates and countries makes
    /// no difference. Another content is another identifier: what was decided of one person never holds for another.
    #[must_use]
    pub fn content_id(&self) -> String {
        let mut sha = Sha256::new();
        let mut part = |texts: Vec<String>| {
            sha.update((texts.len() as u64).to_be_bytes());
            for text in texts {
                sha.update((text.len() as u64).to_be_bytes());
                sha.update(text);
            }
        };
        let sorted = |mut texts: Vec<String>| {
            texts.sort_unstable();
            texts.dedup();
            texts
        };
        let day = |date: Date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day);
        let mut names = self.names.iter().map(|name| name.text.clone());
        part(names.next().into_iter().collect());
        part(sorted(names.collect()));
        let document =
            |own: &Document| format!("{}\n{}\n{}", own.kind, own.number, own.country.as_deref().unwrap_or(""));
        part(sorted(self.documents.iter().map(document).collect()));
        let born = |own: &Born| format!("{} {} {}", day(own.from), day(own.to), own.circa);
        part(sorted(self.born.iter().map(born).collect()));
        part(sorted(self.countries.clone()));
        let digest = sha.finalize();
        digest[..CONTENT_ID_BYTES]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Person,
    Organisation,
    Vessel,
    Aircraft,
    /// The list doesn't say. Screened like a person.
    #[default]
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedName {
    pub text: String,
    /// An alias that the publisher marks as weak (OFAC, EU) or of low quality (UN).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weak: bool,
}

impl ListedName {
    #[must_use]
    pub fn strong(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            weak: false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Kind as published, such as `Passport` or `Cedula No.`; empty when unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    pub number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

impl Document {
    /// The number's letters and digits in upper case, without leading zeros. Empty for numbers too short to identify
    /// anybody: fewer than five characters or fewer than three digits.
    #[must_use]
    pub fn normalised(number: &str) -> String {
        let kept: String = number
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_uppercase())
            .collect();
        let kept = kept.trim_start_matches('0');
        if kept.len() < 5 || kept.bytes().filter(u8::is_ascii_digit).count() < 3 {
            return String::new();
        }
        kept.to_owned()
    }
}

/// A calendar day. Dates of lists are compared, not computed with, so no calendar library is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

impl Date {
    /// `None` unless month and day are possible ones of a year from 1800 to 2200.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 29,
            _ => return None,
        };
        ((1800..=2200).contains(&year) && (1..=days).contains(&day)).then_some(Self { year, month, day })
    }

    /// Reads `2026-11-24`.
    #[must_use]
    pub fn iso(text: &str) -> Option<Self> {
        let mut parts = text.trim().splitn(3, '-');
        let year = parts.next()?.parse().ok()?;
        let month = parts.next()?.parse().ok()?;
        let day = parts.next()?.get(..2)?.parse().ok()?;
        Self::new(year, month, day)
    }

    /// The date of birth within a Cuban identity number: eleven digits, the first six of which are the year's last two
    /// digits, month and day; the seventh tells the century (0 to 5: 1900s, 6 to 8: 2000s, 9: 1800s).
    #[must_use]
    pub fn of_cuban_identity(number: &str) -> Option<Self> {
        let digits: Vec<u8> = number.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
        if digits.len() != 11 {
            return None;
        }
        let two = |at: usize| digits[at] * 10 + digits[at + 1];
        let century = match digits[6] {
            0..=5 => 1900,
            6..=8 => 2000,
            _ => 1800,
        };
        Self::new(century + u16::from(two(0)), two(2), two(4))
    }
}

/// When a listed person was born: an inclusive range, because lists publish years, months and spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Born {
    pub from: Date,
    pub to: Date,
    /// The publisher says that the date is approximate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub circa: bool,
}

impl Born {
    #[must_use]
    pub const fn on(date: Date) -> Self {
        Self {
            from: date,
            to: date,
            circa: false,
        }
    }

    /// Any day of the years `from` to `to`.
    #[must_use]
    pub fn years(from: u16, to: u16) -> Option<Self> {
        let (from, to) = (from.min(to), from.max(to));
        Some(Self {
            from: Date::new(from, 1, 1)?,
            to: Date::new(to, 12, 31)?,
            circa: false,
        })
    }

    /// Reads the texts of OFAC and of plain CSVs: `10 Dec 1948`, `Dec 1948`, `1948`, `circa 1948`, `1948 to 1952`,
    /// `01 Jan 1948 to 31 Dec 1950`, `1948-12-10`. `None` when the text is something else.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (circa, text) = match text.get(..5) {
            Some(start) if start.eq_ignore_ascii_case("circa") => (true, text[5..].trim()),
            _ => (false, text),
        };
        if let Some(date) = Date::iso(text) {
            return Some(Self {
                circa,
                ..Self::on(date)
            });
        }
        let (first, last) = text
            .split_once(" to ")
            .or_else(|| text.split_once('-'))
            .unwrap_or((text, text));
        let (first, last) = (part(first)?, part(last)?);
        (first.0 <= last.1).then_some(Self {
            from: first.0,
            to: last.1,
            circa,
        })
    }
}

/// First and last day of `10 Dec 1948`, `Dec 1948` or `1948`.
fn part(text: &str) -> Option<(Date, Date)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let year = |word: &str| (word.len() == 4).then(|| word.parse::<u16>().ok()).flatten();
    match words[..] {
        [y] => Some((Date::new(year(y)?, 1, 1)?, Date::new(year(y)?, 12, 31)?)),
        [m, y] => {
            let (year, month) = (year(y)?, month(m)?);
            let last = (28..=31).rev().find_map(|day| Date::new(year, month, day))?;
            Some((Date::new(year, month, 1)?, last))
        }
        [d, m, y] => {
            let date = Date::new(year(y)?, month(m)?, d.parse().ok()?)?;
            Some((date, date))
        }
        _ => None,
    }
}

fn month(word: &str) -> Option<u8> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let start = word.get(..3)?.to_ascii_lowercase();
    let at = MONTHS.iter().position(|m| *m == start)?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_birth_are_read_as_lists_write_them() {
        let born = |text| Born::read(text).map(|b| (b.from, b.to, b.circa));
        let date = |y, m, d| Date::new(y, m, d).unwrap();
        let year = |y| (date(y, 1, 1), date(y, 12, 31));
        assert_eq!(
            born("10 Dec 1948"),
            Some((date(1948, 12, 10), date(1948, 12, 10), false))
        );
        assert_eq!(born("Apr 1948"), Some((date(1948, 4, 1), date(1948, 4, 30), false)));
        assert_eq!(born("1948"), Some((year(1948).0, year(1948).1, false)));
        assert_eq!(born("circa 1948"), Some((year(1948).0, year(1948).1, true)));
        assert_eq!(born("1948 to 1952"), Some((year(1948).0, year(1952).1, false)));
        assert_eq!(born("circa 1979-1982"), Some((year(1979).0, year(1982).1, true)));
        assert_eq!(
            born("1948-12-10"),
            Some((date(1948, 12, 10), date(1948, 12, 10), false))
        );
        for nonsense in [
            "",
            "unknown",
            "31 Foo 1948",
            "32 Dec 1948",
            "1952 to 1948",
            "99999",
            "circa",
            "-",
            "é",
        ] {
            assert_eq!(born(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_cuban_identity_number_tells_the_date_of_birth() {
        assert_eq!(Date::of_cuban_identity("85061512345"), Date::new(1985, 6, 15));
        assert_eq!(Date::of_cuban_identity("01 02 03 6 1234"), Date::new(2001, 2, 3));
        assert_eq!(Date::of_cuban_identity("85131512345"), None);
        assert_eq!(Date::of_cuban_identity("850615"), None);
    }

    #[test]
    fn document_numbers_lose_punctuation_and_leading_zeros() {
        assert_eq!(Document::normalised("c-00 123.456"), "C00123456");
        assert_eq!(Document::normalised("00123456"), "123456");
        assert_eq!(Document::normalised("12-34"), "");
        assert_eq!(Document::normalised("ABCDEF"), "");
    }
}
