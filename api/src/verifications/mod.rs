//! Verifications requested in the interface: run in the background by a node, with progress and stored results.
//!
//! | Module | Responsibility |
//! |---|---|
//! | here | a verification as it is answered |
//! | `running` | starts one, records its progress and its end |
//! | `compare` | what is compared, and what is found |
//! | `stored` | the rows, and whether they are as a node wrote them |

mod compare;
mod running;
mod stored;

pub use running::begin;
pub use stored::last;

use crate::findings::Finding;
use caudal_postgres::DatabaseError;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Phase of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Recomputing the chain and the ledger.
    Chain,
    /// Replaying the log to compare the read models.
    ReadModels,
}

const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Chain => "chain",
        Phase::ReadModels => "read_models",
    }
}

/// Outcome of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Everything is as recorded.
    Whole,
    /// Something is wrong: see the findings.
    Wrong,
    /// Undetermined: the database failed, the node ended, a destination of checkpoints can't be read, or the result was stored
    /// by an earlier version.
    Failed,
}

const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Whole => "whole",
        Outcome::Wrong => "wrong",
        Outcome::Failed => "failed",
    }
}

/// A verification, running or finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationRun {
    /// UUID.
    pub id: Uuid,
    /// Id of the party that requested it.
    pub asked_by: Uuid,
    /// Start, RFC 3339 in UTC.
    pub started_at: DateTime<Utc>,
    /// End, RFC 3339 in UTC; null while running.
    pub finished_at: Option<DateTime<Utc>>,
    /// Current or last phase.
    pub phase: Phase,
    /// Position reached in this phase.
    pub position: i64,
    /// Final position of this phase.
    pub head: i64,
    /// Rate so far over both phases, in events per second.
    pub rate: i64,
    /// Estimated remaining seconds of this phase; null when unknown.
    pub seconds_left: Option<i64>,
    /// Hash of the last event, once the chain was found intact: 64 hexadecimal digits.
    pub hash: Option<String>,
    /// Number of checkpoints compared, from the database and all destinations; null before that, and for verifications
    /// of earlier versions.
    pub checkpoints: Option<i64>,
    /// Outcome; null while running.
    pub outcome: Option<Outcome>,
    /// Findings; empty when there are none.
    pub findings: Vec<Finding>,
}

/// Errors of storing or reading verifications.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    #[error("a verification that is kept can't be read")]
    Json(#[from] serde_json::Error),
}
