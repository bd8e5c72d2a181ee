//! What documents, dates of birth and countries say about a candidate beside its name.

use crate::list::{Born, Date};
use crate::score::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// One document number, and no different countries of issue.
    DocumentSame,
    /// One document number, issued by different countries.
    DocumentOfAnotherCountry,
    /// The date of birth lies in the listed range, which is at most one month.
    BornSame,
    /// The year of birth is a listed one.
    BornSameYear,
    /// The date of birth is at most a year away from the listed range, or three from an approximate one.
    BornNear,
    BornOther,
    CountryShared,
    CountryOther,
}

impl Evidence {
    /// What the evidence adds to the score of the names.
    #[must_use]
    pub const fn points(self) -> i32 {
        match self {
            Self::DocumentSame => 100,
            Self::DocumentOfAnotherCountry => 5,
            Self::BornSame => 6,
            Self::BornSameYear => 3,
            Self::BornNear | Self::CountryShared => 1,
            Self::BornOther => -20,
            Self::CountryOther => -2,
        }
    }

    /// Information of the evidence in bits, for names whose common words say too little alone.
    #[must_use]
    pub const fn bits(self) -> f32 {
        match self {
            Self::DocumentSame => 30.0,
            Self::DocumentOfAnotherCountry => 10.0,
            Self::BornSame => 12.0,
            Self::BornSameYear => 5.0,
            _ => 0.0,
        }
    }

    #[must_use]
    pub const fn words(self, language: Language) -> &'static str {
        match (language, self) {
            (Language::English, Self::DocumentSame) => "same document",
            (Language::English, Self::DocumentOfAnotherCountry) => "same document number, another country",
            (Language::English, Self::BornSame) => "same date of birth",
            (Language::English, Self::BornSameYear) => "same year of birth",
            (Language::English, Self::BornNear) => "date of birth nearly the same",
            (Language::English, Self::BornOther) => "another date of birth",
            (Language::English, Self::CountryShared) => "same country",
            (Language::English, Self::CountryOther) => "another country",
            (Language::Spanish, Self::DocumentSame) => "mismo documento",
            (Language::Spanish, Self::DocumentOfAnotherCountry) => "mismo número de documento, otro país",
            (Language::Spanish, Self::BornSame) => "misma fecha de nacimiento",
            (Language::Spanish, Self::BornSameYear) => "mismo año de nacimiento",
            (Language::Spanish, Self::BornNear) => "fecha de nacimiento casi igual",
            (Language::Spanish, Self::BornOther) => "otra fecha de nacimiento",
            (Language::Spanish, Self::CountryShared) => "mismo país",
            (Language::Spanish, Self::CountryOther) => "otro país",
        }
    }
}

/// Judges a date of birth against the listed ones; the best counts. `None` when nothing is listed.
#[must_use]
pub fn of_birth(born: Date, listed: &[Born]) -> Option<Evidence> {
    let judge = |listed: &Born| {
        let within = (listed.from..=listed.to).contains(&born);
        let exact = (listed.from.year, listed.from.month) == (listed.to.year, listed.to.month);
        // Day and month swapped, as where 03/04 was read the other way round.
        let swapped = listed.from == listed.to
            && (born.year, born.month, born.day) == (listed.from.year, listed.from.day, listed.from.month);
        if (within && exact && !listed.circa) || swapped {
            return Evidence::BornSame;
        }
        if within || (exact && born.year == listed.from.year) {
            return Evidence::BornSameYear;
        }
        let tolerance = if listed.circa { 3 } else { 1 };
        if born.year + tolerance >= listed.from.year && born.year <= listed.to.year + tolerance {
            Evidence::BornNear
        } else {
            Evidence::BornOther
        }
    };
    listed.iter().map(judge).max_by_key(|evidence| evidence.points())
}

/// Judges countries, all already [`crate::countries::code`]. `None` where a residence alone is not listed, and when one side
/// has none.
#[must_use]
pub fn of_countries(nationalities: &[String], residences: &[String], listed: &[String]) -> Option<Evidence> {
    let is_listed = |country: &String| listed.contains(country);
    if nationalities.iter().chain(residences).any(is_listed) {
        return Some(Evidence::CountryShared);
    }
    (!nationalities.is_empty() && !listed.is_empty()).then_some(Evidence::CountryOther)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nationality_supports_or_contradicts_and_a_residence_only_supports() {
        let all = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        let judged = |nationalities: &[&str], residences: &[&str], listed: &[&str]| {
            of_countries(&all(nationalities), &all(residences), &all(listed))
        };
        assert_eq!(judged(&["CU"], &[], &["CU", "ES"]), Some(Evidence::CountryShared));
        assert_eq!(judged(&["CU"], &[], &["RU"]), Some(Evidence::CountryOther));
        assert_eq!(judged(&["CU"], &["RU"], &["RU"]), Some(Evidence::CountryShared));
        assert_eq!(judged(&[], &["US"], &["US"]), Some(Evidence::CountryShared));
        assert_eq!(judged(&[], &["US"], &["CU"]), None);
        assert_eq!(judged(&["CU"], &["US"], &[]), None);
    }

    #[test]
    fn a_date_of_birth_supports_or_contradicts() {
        let date = |y, m, d| Date::new(y, m, d).unwrap();
        let born = date(1960, 3, 4);
        let judged = |texts: &[&str]| {
            let listed: Vec<Born> = texts.iter().filter_map(|text| Born::read(text)).collect();
            of_birth(born, &listed)
        };
        assert_eq!(judged(&["04 Mar 1960"]), Some(Evidence::BornSame));
        assert_eq!(judged(&["03 Apr 1960"]), Some(Evidence::BornSame));
        assert_eq!(judged(&["Mar 1960"]), Some(Evidence::BornSame));
        assert_eq!(judged(&["1960"]), Some(Evidence::BornSameYear));
        assert_eq!(judged(&["20 Dec 1960"]), Some(Evidence::BornSameYear));
        assert_eq!(judged(&["1961"]), Some(Evidence::BornNear));
        assert_eq!(judged(&["circa 1963"]), Some(Evidence::BornNear));
        assert_eq!(judged(&["1963"]), Some(Evidence::BornOther));
        assert_eq!(judged(&["1963", "1960"]), Some(Evidence::BornSameYear));
        assert_eq!(judged(&[]), None);
    }
}
