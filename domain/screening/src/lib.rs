//! Screening of persons against sanctions lists: readers of the published files, and an index of their names.
//!
//! | Phase | Module |
//! |---|---|
//! | A file becomes entries | [`read`] |
//! | A name becomes tokens with their sound | [`name`], [`sound`] |
//! | Names with a token alike are found, scored and explained | [`index`], [`score`] |
//! | Documents, dates of birth and countries move the score | [`evidence`] |
//!
//! The crate is pure: no clock, no network, no randomness. The same list and the same name give the same candidates.
//! How well names are found is measured in `docs/screening.md`.

pub mod common;
pub mod countries;
pub mod evidence;
pub mod index;
pub mod list;
pub mod name;
pub mod nicknames;
pub mod read;
pub mod score;
pub mod sound;

pub use index::{Candidate, Index, Scratch, Settings};
pub use list::{Born, Date, Document, Entry, Kind, ListedName};
pub use name::Name;
pub use read::{Format, Limits, ReadError, Summary};
pub use score::{Comparison, Language};

/// A person to screen.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    pub name: String,
    pub documents: Vec<Document>,
    pub born: Option<Date>,
    /// ISO 3166 codes or English names of countries of nationality.
    pub countries: Vec<String>,
    /// Countries where the person lives, in the same form. A listed one supports a match; another contradicts none, since
    /// many live elsewhere than where they are from.
    pub residences: Vec<String>,
}

impl Subject {
    /// A subject of whom only the name is known.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }
}
