//! Quarantine report: what is known of a tenant whose log diverged.

use super::{Divergence, LogPoint};
use caudal_domain::{ids::TenantId, tenant_state::GivenNumbers};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// An answer sent for a committed command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Acknowledgement {
    /// Position of the command's last event.
    pub position: i64,
    /// `system`, or the party's id.
    pub actor: String,
    /// Request id.
    pub request: Uuid,
    /// The created or changed record.
    pub id: Uuid,
    /// Human number of the record, if any (`R-000349`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// A seen point of a tenant's log, with the answers sent for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenBatch {
    /// The log's end after the batch.
    pub point: LogPoint,
    /// Time at which this node saw it.
    pub at: DateTime<Utc>,
    /// Empty when another node wrote the batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acknowledged: Vec<Acknowledgement>,
}

/// A tenant's quarantine as reported by one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quarantine {
    /// Report id.
    pub id: Uuid,
    pub tenant: TenantId,
    /// Process id of the reporting node.
    pub node: Uuid,
    /// Time of detection.
    pub since: DateTime<Utc>,
    /// The divergence detected.
    pub divergence: Divergence,
    /// Upper bounds of the numbers issued, as known to this node.
    pub numbers: GivenNumbers,
    /// Position up to which `numbers` is exact.
    pub numbers_at: i64,
    /// Last batches that this node had seen, oldest first; at most [`super::known::RECENT_BATCHES`]. In the database the oldest
    /// ones may lack their answers.
    pub seen: Vec<SeenBatch>,
}

impl Quarantine {
    /// Points that the node had seen, or that its report is about.
    pub(crate) fn points(&self) -> Vec<LogPoint> {
        let seen = self.seen.iter().map(|batch| batch.point);
        std::iter::once(self.divergence.known).chain(seen).collect()
    }
}

impl fmt::Display for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.divergence)
    }
}
