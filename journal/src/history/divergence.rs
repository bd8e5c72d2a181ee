//! How a log can contradict what was seen of it.

use crate::log::chain::{self, Hash};
use serde::{Deserialize, Serialize};

/// A place in a log: a position and the hash of the event there, or the genesis at position 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LogPoint {
    /// The event's position; 0 before the first event.
    pub position: i64,
    /// The event's hash.
    pub hash: Hash,
}

impl LogPoint {
    /// The place before the first event of a tenant's log.
    #[must_use]
    pub fn genesis(tenant: &str) -> Self {
        Self {
            position: 0,
            hash: chain::genesis(tenant),
        }
    }
}

impl std::fmt::Debug for LogPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.position, chain::to_hex(&self.hash))
    }
}

impl std::fmt::Display for LogPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "position {} (hash {})", self.position, chain::to_hex(&self.hash))
    }
}

/// The JSON form: the hash as 64 hexadecimal digits.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    position: i64,
    hash: String,
}

impl Serialize for LogPoint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = Stored {
            position: self.position,
            hash: chain::to_hex(&self.hash),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LogPoint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let hash = chain::from_hex(&stored.hash).ok_or_else(|| serde::de::Error::custom("a hash has 64 digits"))?;
        Ok(Self {
            position: stored.position,
            hash,
        })
    }
}

/// Which rule a log breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DivergenceKind {
    /// The log ends before a position that was seen.
    Shortened,
    /// The log has another event at a position that was seen.
    Rewritten,
    /// An event does not chain to the one before it, or is missing.
    Broken,
    /// The head's position, hash or time is not that of the last event.
    HeadChanged,
    /// The read models contain events that the log does not have.
    ReadModels,
    /// A signed checkpoint contradicts the log.
    Checkpoint,
}

impl DivergenceKind {
    /// Its name in reports and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shortened => "shortened",
            Self::Rewritten => "rewritten",
            Self::Broken => "broken",
            Self::HeadChanged => "head_changed",
            Self::ReadModels => "read_models",
            Self::Checkpoint => "checkpoint",
        }
    }
}

/// A log contradicts what was seen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("the log is {} against what was seen: seen {known}, found {}", .kind.as_str(), Found(.found.as_ref()))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Divergence {
    /// The rule that it breaks.
    pub kind: DivergenceKind,
    /// The last point that was seen.
    pub known: LogPoint,
    /// What the database has instead: the head where the log is shorter, else the event; none where nothing can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<LogPoint>,
}

struct Found<'a>(Option<&'a LogPoint>);

impl std::fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(point) => point.fmt(f),
            None => f.write_str("nothing"),
        }
    }
}
