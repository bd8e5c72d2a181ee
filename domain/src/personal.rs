//! Personal data inside events. It stands in one part of an event, about one person, so that the journal can seal it
//! under that person's key and the person can be forgotten without touching the chain.

use crate::ids::SubjectId;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What an event says about a person. No aggregate, guard or balance ever depends on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    into = "Stored<T>",
    from = "Stored<T>",
    bound(serialize = "T: Clone + Serialize", deserialize = "T: DeserializeOwned")
)]
pub struct Personal<T> {
    subject: SubjectId,
    part: Part<T>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part<T> {
    Clear(T),
    Sealed(String),
    Erased,
}

/// The JSON form: the subject and one of the three.
#[derive(Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "T: Serialize", deserialize = "T: DeserializeOwned")
)]
struct Stored<T> {
    subject: SubjectId,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    clear: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sealed: Option<String>,
}

const fn none<T>() -> Option<T> {
    None
}

impl<T> From<Personal<T>> for Stored<T> {
    fn from(personal: Personal<T>) -> Self {
        let (clear, sealed) = match personal.part {
            Part::Clear(data) => (Some(data), None),
            Part::Sealed(text) => (None, Some(text)),
            Part::Erased => (None, None),
        };
        Self {
            subject: personal.subject,
            clear,
            sealed,
        }
    }
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
    /// Data about a person, in clear.
    pub fn clear(subject: impl Into<SubjectId>, data: T) -> Self {
        Self {
            subject: subject.into(),
            part: Part::Clear(data),
        }
    }

    /// The data, unless it is sealed or erased.
    pub const fn get(&self) -> Option<&T> {
        match &self.part {
            Part::Clear(data) => Some(data),
            Part::Sealed(_) | Part::Erased => None,
        }
    }

    /// Whom it is about.
    pub const fn subject(&self) -> SubjectId {
        self.subject
    }
}

/// An event's personal part, whatever its type: what the journal needs to seal and open it.
pub trait PersonalPart {
    /// Whom it is about.
    fn subject(&self) -> SubjectId;
    /// The data as JSON, where it is in clear.
    ///
    /// # Errors
    /// Where the data can't be written as JSON.
    fn clear_json(&self) -> Option<Result<String, serde_json::Error>>;
    /// The sealed text, where it is sealed.
    fn sealed(&self) -> Option<&str>;
    /// Puts the sealed text in place of the data.
    fn seal(&mut self, sealed: String);
    /// Puts the opened data in place of the sealed text.
    ///
    /// # Errors
    /// Where the JSON is not this part's.
    fn open(&mut self, json: &str) -> Result<(), serde_json::Error>;
    /// Forgets the data.
    fn erase(&mut self);
}

impl<T: Serialize + DeserializeOwned> PersonalPart for Personal<T> {
    fn subject(&self) -> SubjectId {
        self.subject
    }

    fn clear_json(&self) -> Option<Result<String, serde_json::Error>> {
        self.get().map(serde_json::to_string)
    }

    fn sealed(&self) -> Option<&str> {
        match &self.part {
            Part::Sealed(text) => Some(text),
            Part::Clear(_) | Part::Erased => None,
        }
    }

    fn seal(&mut self, sealed: String) {
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
