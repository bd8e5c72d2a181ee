//! Personal data inside events. Each event holds it in one part, about one person, so that the journal encrypts it
//! under that person's key and erasure leaves the hash chain intact.
//!
//! Personal types have no `Serialize`, and a `Debug` that prints the type name alone ([`personal_data`]), so that
//! events, log lines and errors cannot leak them. Only [`Clear`] serialises them in clear, and an event with an
//! unencrypted personal part has no stored form ([`crate::Event::encode`]).

use crate::ids::SubjectId;
use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned, ser::Error as _};
use std::fmt;

/// Personal data about one person. Implemented by [`personal_data`].
pub trait PersonalData: Clone + PartialEq + DeserializeOwned {
    /// Serialises in clear.
    fn serialize_clear<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Serialises personal data in clear: input of encryption, and rows that erasure can overwrite.
#[derive(Clone, Copy)]
pub struct Clear<'a, T>(pub &'a T);

impl<T: PersonalData> Serialize for Clear<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_clear(serializer)
    }
}

/// Implements personal data for types. They derive serde with `#[serde(remote = "Self")]`, which generates functions
/// instead of implementations, and must not derive `Debug`.
macro_rules! personal_data {
    ($($name:ident),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize(deserializer)
            }
        }

        impl $crate::personal::PersonalData for $name {
            fn serialize_clear<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        $crate::personal::untold!($name);
    )+};
}
pub(crate) use personal_data;

/// Implements a `Debug` that prints the type name alone.
macro_rules! untold {
    ($($name:ident),+ $(,)?) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )+};
}
pub(crate) use untold;

/// An event's statement about a person. No aggregate, guard or balance may depend on it.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(from = "Stored<T>", bound(deserialize = "T: DeserializeOwned"))]
pub struct Personal<T> {
    subject: SubjectId,
    part: Part<T>,
}

impl<T> fmt::Debug for Personal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self.part {
            Part::Clear(_) => "in clear",
            Part::Sealed(_) => "sealed",
            Part::Erased => "erased",
        };
        write!(f, "Personal({:?}, {part})", self.subject)
    }
}

/// Fails for data in clear: encryption comes before serialisation.
impl<T> Serialize for Personal<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sealed = match &self.part {
            Part::Clear(_) => {
                return Err(S::Error::custom(
                    "a personal part is in clear, and is to be sealed first",
                ));
            }
            Part::Sealed(text) => Some(text.as_str()),
            Part::Erased => None,
        };
        let subject = self.subject;
        Written { subject, sealed }.serialize(serializer)
    }
}

/// JSON form for writing.
#[derive(Serialize)]
struct Written<'a> {
    subject: SubjectId,
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<&'a str>,
}

#[derive(Clone, PartialEq)]
enum Part<T> {
    Clear(T),
    Sealed(String),
    Erased,
}

/// JSON form for reading: the subject and exactly one of the three states.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: DeserializeOwned"))]
struct Stored<T> {
    subject: SubjectId,
    #[serde(default = "none")]
    clear: Option<T>,
    #[serde(default)]
    sealed: Option<String>,
}

const fn none<T>() -> Option<T> {
    None
}

impl<T> From<Stored<T>> for Personal<T> {
    fn from(stored: Stored<T>) -> Self {
        let part = match (stored.clear, stored.sealed) {
            (Some(data), _) => Part::Clear(data),
            (None, Some(text)) => Part::Sealed(text),
            (None, None) => Part::Erased,
        };
        Self {
            subject: stored.subject,
            part,
        }
    }
}

impl<T> Personal<T> {
    /// Personal data in clear.
    pub fn clear(subject: impl Into<SubjectId>, data: T) -> Self {
        Self {
            subject: subject.into(),
            part: Part::Clear(data),
        }
    }

    /// The data in clear; `None` when encrypted or erased.
    pub const fn get(&self) -> Option<&T> {
        match &self.part {
            Part::Clear(data) => Some(data),
            Part::Sealed(_) | Part::Erased => None,
        }
    }

    /// The person.
    pub const fn subject(&self) -> SubjectId {
        self.subject
    }
}

/// An event's personal part, independent of its type: the journal's interface for encryption.
pub trait PersonalPart {
    /// The person.
    fn subject(&self) -> SubjectId;
    /// The data as JSON; `None` unless in clear.
    ///
    /// # Errors
    /// When serialisation fails.
    fn clear_json(&self) -> Option<Result<String, serde_json::Error>>;
    /// The encrypted text; `None` unless encrypted.
    fn sealed(&self) -> Option<&str>;
    /// Replaces the data by its encrypted text.
    fn set_encrypted(&mut self, sealed: String);
    /// Replaces the encrypted text by the decrypted data.
    ///
    /// # Errors
    /// When the JSON has another shape.
    fn open(&mut self, json: &str) -> Result<(), serde_json::Error>;
    /// Marks the data as erased.
    fn erase(&mut self);
}

impl<T: PersonalData> PersonalPart for Personal<T> {
    fn subject(&self) -> SubjectId {
        self.subject
    }

    fn clear_json(&self) -> Option<Result<String, serde_json::Error>> {
        self.get().map(|data| serde_json::to_string(&Clear(data)))
    }

    fn sealed(&self) -> Option<&str> {
        match &self.part {
            Part::Sealed(text) => Some(text),
            Part::Clear(_) | Part::Erased => None,
        }
    }

    fn set_encrypted(&mut self, sealed: String) {
        self.part = Part::Sealed(sealed);
    }

    fn open(&mut self, json: &str) -> Result<(), serde_json::Error> {
        self.part = Part::Clear(serde_json::from_str(json)?);
        Ok(())
    }

    fn erase(&mut self) {
        self.part = Part::Erased;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{customer::CustomerDetails, ids::CustomerId};

    fn named() -> Personal<CustomerDetails> {
        let details = CustomerDetails {
            name: "Ana Ruiz".into(),
            ..CustomerDetails::default()
        };
        Personal::clear(CustomerId::generate(), details)
    }

    #[test]
    fn a_part_in_clear_has_no_stored_form_until_it_is_sealed() {
        let mut personal = named();
        let refused = serde_json::to_string(&personal).unwrap_err().to_string();
        assert!(
            refused.contains("sealed first") && !refused.contains("Ana"),
            "{refused}"
        );
        let clear = personal.clear_json().unwrap().unwrap();
        assert!(clear.contains("Ana Ruiz"));
        personal.set_encrypted("c2VhbGVk".into());
        assert!(serde_json::to_string(&personal).unwrap().contains("c2VhbGVk"));
    }

    #[test]
    fn a_debug_text_tells_whom_it_is_about_and_nothing_about_them() {
        let personal = named();
        let shown = format!("{personal:?} {:?}", personal.get());
        assert!(shown.contains("in clear") && !shown.contains("Ana"), "{shown}");
    }
}
