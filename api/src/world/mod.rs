//! Countries of the world (ISO 3166-1) with states and provinces (ISO 3166-2), compiled in. Codes and names are from
//! Unicode CLDR 48.2 (`LICENSE.unicode`); `docs/decisions/places-of-the-world.md` documents how the file is generated.

use crate::language::Language;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use utoipa::ToSchema;

/// A country of the data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Country {
    /// ISO 3166-1 alpha-2.
    pub code: String,
    en: String,
    es: String,
    subdivisions: Vec<Subdivision>,
}

/// A state or province of the data file: the part of its ISO 3166-2 code after the country, and its names in English
/// and Spanish.
#[derive(Debug, Deserialize)]
struct Subdivision(String, String, String);

/// A country, state, province or city.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NamedPlace {
    /// Equal to `code`.
    pub id: String,
    /// ISO 3166 code, such as `US` or `US-FL`; for a city its name.
    pub code: String,
    /// Name in the caller's language.
    pub name: String,
}

/// Countries, states or cities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NamedPlaceList {
    /// All of them: countries and states by name, cities by frequency.
    pub results: Vec<NamedPlace>,
}

/// All countries, by code.
static COUNTRIES: LazyLock<Result<Vec<Country>, serde_json::Error>> =
    LazyLock::new(|| serde_json::from_str(include_str!("countries.json")));

fn all() -> &'static [Country] {
    // The file is compiled in and read by a test.
    COUNTRIES.as_deref().unwrap_or_default()
}

pub fn countries(language: Language) -> NamedPlaceList {
    let place = |country: &Country| NamedPlace::new(country.code.clone(), country.name(language));
    by_name(all().iter().map(place))
}

/// A country by code, case-insensitive.
pub fn country(code: &str) -> Option<&'static Country> {
    all().iter().find(|country| country.code.eq_ignore_ascii_case(code))
}

/// A country as people write it: its code, or its name in either language, without regard to case and accents.
pub fn country_as_written(text: &str) -> Option<&'static Country> {
    let text = text.trim();
    country(text).or_else(|| {
        let name = plain(text);
        let mut countries = all().iter();
        countries.find(|country| plain(&country.en) == name || plain(&country.es) == name)
    })
}

impl Country {
    fn name(&self, language: Language) -> &str {
        match language {
            Language::Spanish => &self.es,
            Language::English => &self.en,
        }
    }

    /// States or provinces, by name; may be empty.
    pub fn states(&self, language: Language) -> NamedPlaceList {
        by_name(self.subdivisions.iter().map(|Subdivision(code, en, es)| {
            let name = match language {
                Language::Spanish => es,
                Language::English => en,
            };
            NamedPlace::new(format!("{}-{code}", self.code), name)
        }))
    }
}

impl NamedPlace {
    fn new(code: String, name: &str) -> Self {
        Self {
            id: code.clone(),
            code,
            name: name.to_owned(),
        }
    }

    /// A city, which has no code.
    pub fn city(name: String) -> Self {
        Self {
            id: name.clone(),
            code: name.clone(),
            name,
        }
    }
}

/// A name in lower case, without accents.
fn plain(name: &str) -> String {
    let letters = name.nfd().filter(|c| !is_combining_mark(*c));
    letters.flat_map(char::to_lowercase).collect()
}

/// Dictionary order: accents and case are ignored.
fn by_name(places: impl Iterator<Item = NamedPlace>) -> NamedPlaceList {
    let mut results: Vec<NamedPlace> = places.collect();
    results.sort_by_cached_key(|place| (plain(&place.name), place.code.clone()));
    NamedPlaceList { results }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_world_has_249_countries_each_once_with_names_in_both_languages() {
        let countries = COUNTRIES.as_ref().unwrap();
        let codes: BTreeSet<&str> = countries.iter().map(|country| country.code.as_str()).collect();
        assert_eq!((countries.len(), codes.len()), (249, 249));
        for country in countries {
            let parts: BTreeSet<&str> = country.subdivisions.iter().map(|part| part.0.as_str()).collect();
            assert_eq!(parts.len(), country.subdivisions.len(), "{}", country.code);
            assert!(country.code.bytes().all(|b| b.is_ascii_uppercase()) && country.code.len() == 2);
            for Subdivision(code, en, es) in &country.subdivisions {
                assert!(!en.is_empty() && !es.is_empty(), "{code} {}", country.code);
                assert!(!code.is_empty() && code.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()));
            }
        }
    }

    #[test]
    fn states_are_found_by_the_country_s_code_in_any_case_and_in_the_caller_s_language() {
        let names = |code: &str, language| -> Vec<String> {
            let states = country(code).unwrap().states(language).results;
            states.into_iter().map(|state| state.name).collect()
        };
        assert_eq!(
            names("us", Language::English).len(),
            57,
            "50 states, a district and 6 outlying areas"
        );
        assert!(names("US", Language::Spanish).contains(&"Carolina del Norte".to_owned()));
        assert_eq!(names("CU", Language::Spanish).len(), 16);
        assert!(names("PR", Language::Spanish).is_empty());
        assert!(country("XX").is_none());
        assert!(country("").is_none());
    }

    #[test]
    fn a_country_is_found_as_people_write_it_and_nothing_else_is_one() {
        let code = |text: &str| country_as_written(text).map(|country| country.code.as_str());
        for text in ["es", "ES", " España ", "espana", "Spain", "SPAIN"] {
            assert_eq!(code(text), Some("ES"), "{text}");
        }
        for text in ["", "  ", "XX", "Españ", "ESP"] {
            assert_eq!(code(text), None, "{text}");
        }
    }

    #[test]
    fn countries_come_as_in_a_dictionary_of_the_language() {
        let names = |language| -> Vec<String> {
            let countries = countries(language).results;
            countries.into_iter().map(|country| country.name).collect()
        };
        assert_eq!(names(Language::Spanish).first().unwrap(), "Afganistán");
        let english = names(Language::English);
        let place = |name: &str| english.iter().position(|known| known == name).unwrap();
        assert!(place("Åland Islands") < place("Albania"), "{english:?}");
    }
}
