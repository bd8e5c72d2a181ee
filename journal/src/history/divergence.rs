//! Divergence: contradictions between a log and what nodes have seen of it.

use crate::log::chain::{self, Hash};
use caudal_domain::ids::TenantId;
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
    /// The head has no valid MAC: no node of this installation wrote the log up to there.
    HeadUnsigned,
    /// The read models contain events that the log lacks.
    ReadModels,
    /// A signed checkpoint contradicts the log.
    Checkpoint,
    /// A quarantine report in the database was changed: what its node had seen, or whether it is settled, is unknown.
    ReportChanged,
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
            Self::HeadUnsigned => "head_unsigned",
            Self::ReadModels => "read_models",
            Self::Checkpoint => "checkpoint",
            Self::ReportChanged => "report_changed",
        }
    }
}

/// A log contradicts what was seen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl Divergence {
    /// Nothing is known of the log that a changed report was about.
    pub(crate) fn of_changed_report(tenant: &TenantId) -> Self {
        Self {
            kind: DivergenceKind::ReportChanged,
            known: LogPoint::genesis(tenant.as_str()),
            found: None,
        }
    }
}

impl std::error::Error for Divergence {}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, known, found } = self;
        if *kind == DivergenceKind::ReportChanged {
            return f.write_str("a quarantine report of this tenant in the database was changed: its MAC does not fit");
        }
        let found = PointText(found.as_ref());
        if *kind == DivergenceKind::HeadUnsigned {
            return write!(
                f,
                "the head of the log has no valid MAC, so that no node of this installation wrote it: seen {known}, found {found}"
            );
        }
        write!(
            f,
            "the log is {} against what was seen: seen {known}, found {found}",
            kind.as_str()
        )
    }
}

struct PointText<'a>(Option<&'a LogPoint>);

impl std::fmt::Display for PointText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(point) => point.fmt(f),
            None => f.write_str("nothing"),
        }
    }
}
