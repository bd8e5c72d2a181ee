//! Rows of customers with candidates of a screening.

use crate::table::{Json, row};
use caudal_domain::customer::{ListedPerson, PairOutcome};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A listed person that a customer is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseCandidate {
    pub(crate) list: String,
    pub(crate) entry: String,
    pub(crate) name: String,
    pub(crate) score: u8,
    pub(crate) decision: Option<CaseDecision>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseDecision {
    pub(crate) outcome: PairOutcome,
    pub(crate) reason: String,
    pub(crate) at: DateTime<Utc>,
    pub(crate) by: Option<Uuid>,
    /// Hashes of attached files.
    pub(crate) files: Vec<String>,
    /// The listed person as it was when decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) listed: Option<ListedPerson>,
}

impl CaseCandidate {
    pub(crate) fn is_decided(&self, outcome: PairOutcome) -> bool {
        self.decision.as_ref().is_some_and(|own| own.outcome == outcome)
    }
}

row! {
    /// A customer with candidates.
    ScreeningCaseRow in "screening_cases" key (id: Uuid) {
        id: Uuid,
        /// Position of the event that found the candidates.
        position: i64,
        status: String,
        score: Option<i32>,
        lists: Option<String>,
        candidates: Option<Json<Vec<CaseCandidate>>>,
        found_at: DateTime<Utc>,
        decided_at: Option<DateTime<Utc>>,
        decided_by: Option<Uuid>,
    }
}
