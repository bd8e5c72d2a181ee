//! A quarantine: what is known of a tenant whose log contradicts what was seen of it.

use super::{Divergence, LogPoint};
use caudal_domain::{books::GivenNumbers, ids::TenantId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// One answer that left this node: a command that was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Acknowledgement {
    /// Position of the command's last event.
    pub position: i64,
    /// `system`, or the party's id.
    pub actor: String,
    /// The request's id.
    pub request: Uuid,
    /// The id of what was made or changed.
    pub id: Uuid,
    /// Its human number where it has one (`R-000349`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// A point of a tenant's log that this node has seen, with the answers that left for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenBatch {
    /// The log's end after the batch.
    pub point: LogPoint,
    /// When this node saw it.
    pub at: DateTime<Utc>,
    /// The answers; none where another node wrote the batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acknowledged: Vec<Acknowledgement>,
}

/// A tenant's quarantine as one node reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quarantine {
    /// The report's id.
    pub id: Uuid,
    pub tenant: TenantId,
    /// The node that noticed it, by the id of its process.
    pub node: Uuid,
    /// When it noticed it.
    pub since: DateTime<Utc>,
    /// What it noticed.
    pub divergence: Divergence,
    /// The highest numbers that this node knows to have been given out.
    pub numbers: GivenNumbers,
    /// The position up to which this node knows the numbers.
    pub numbers_at: i64,
    /// The last batches that this node had seen, oldest first; at most [`super::known::RECENT_BATCHES`].
    pub seen: Vec<SeenBatch>,
}

impl fmt::Display for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.divergence)
    }
}
