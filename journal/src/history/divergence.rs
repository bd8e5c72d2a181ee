//! Divergence: contradictions between a log and what nodes have seen of it.

use crate::log::chain::{self, Hash};
use serde::{Deserialize, Serialize};

/// A point of a log: a position and the hash of its event, or the genesis at position 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LogPoint {
    /// 0 before the first event.
    pub position: i64,
    pub hash: Hash,
}

impl LogPoint {
    /// The point before a tenant's first event.
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

/// JSON form: the hash as 64 hexadecimal digits.
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

/// Kind of a divergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DivergenceKind {
    /// The log ends before a seen position.
    Shortened,
    /// The log has another event at a seen position.
    Rewritten,
    /// An event does not chain to its predecessor, or is missing.
    Broken,
    /// The head's position, hash or time is not the last event's.
    HeadChanged,
    /// The read models contain events that the log lacks.
    ReadModels,
    /// A signed checkpoint contradicts the log.
    Checkpoint,
}

impl DivergenceKind {
    /// Stable name in reports and metrics.
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
    /// The last seen point.
    pub known: LogPoint,
    /// The database's version: the head of a shortened log, else the event; `None` when nothing can be read.
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
