//! The configuration file: TOML without sections, one setting a line.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};
use toml_edit::{Document, Item, Value};

/// Why a configuration file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It can't be read.
    #[error("the configuration file {path} can't be read")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// It is not TOML.
    #[error("{path}, line {line}: {problem}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Cause of the refusal.
        problem: String,
    },
}

/// A value and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value, as a flag would take it.
    pub value: String,
    /// The line, from 1.
    pub line: usize,
}

/// What a configuration file says.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
}

impl ConfigFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it can't be read or is not TOML of settings.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = fs::read_to_string(path).map_err(|source| FileError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, &text)
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// Where it is not TOML of settings.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let line_at = |offset: usize| text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
        let wrong = |line, problem: String| FileError::Syntax {
            path: path.to_owned(),
            line,
            problem,
        };
        let document = Document::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_at(span.start));
            wrong(line, error.message().trim().to_owned())
        })?;
        let mut entries = BTreeMap::new();
        for (name, item) in document.as_table().iter() {
            let line = item.span().map_or(1, |span| line_at(span.start));
            let value = match item {
                Item::Value(value) => text_of(value),
                _ => None,
            };
            let value = value.ok_or_else(|| {
                let problem = "is no text, number, true, false or list of those; the file has no sections";
                wrong(line, format!("{name} {problem}"))
            })?;
            entries.insert(name.to_owned(), Entry { value, line });
        }
        Ok(Self {
            path: path.to_owned(),
            entries,
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Value under a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// The keys that are set.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

/// A value as a flag takes it: lists with commas between.
fn text_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) => text.value().clone(),
        Value::Integer(number) => number.value().to_string(),
        Value::Boolean(truth) => truth.value().to_string(),
        Value::Array(values) => {
            let texts: Option<Vec<_>> = values.iter().map(text_of).collect();
            texts?.join(",")
        }
        _ => return None,
    })
}
