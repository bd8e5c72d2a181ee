//! What verifications find, whether requested or continuous.

use crate::checkpoints::Flaw;
use caudal_journal::{Fault, Quarantine, RowFault};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A finding of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Code: a fault of the log (`missing`, `repeated`, `changed`, `backwards`, `unreadable`, `head_moved`,
    /// `head_changed`, `head_unsigned`), a contradiction of a checkpoint (`rewritten`, `shortened`, `root_changed`), of the stored
    /// Merkle tree (`tree_changed`) or of this node's earlier verification (`went_back`), an invalid checkpoint
    /// (`checkpoint_invalid`), a missing (`checkpoint_missing`) or an unreadable one (`checkpoint_unreachable`), a changed
    /// row with a valid one (`checkpoint_row_changed`), a tenant in quarantine (`quarantined`), `invariant`, `read_model`,
    /// or a row beside the log (`row_changed`, `row_without_mac`, `row_missing`, `row_contradicts_log`, `row_wrong_total`,
    /// `rows_not_compared`).
    pub code: String,
    /// First affected position, for a fault of the log; null otherwise.
    pub position: Option<i64>,
    /// Description, in English.
    pub detail: String,
}

impl Finding {
    /// A fault of the log.
    #[must_use]
    pub fn of_fault(fault: &Fault) -> Self {
        Self {
            code: fault.code().to_owned(),
            position: Some(fault.position()),
            detail: fault.to_string(),
        }
    }

    /// A divergence from what nodes have seen, which no operator has decided on.
    #[must_use]
    pub fn of_quarantine(report: &Quarantine) -> Self {
        Self {
            code: "quarantined".to_owned(),
            position: Some(report.divergence.known.position),
            detail: report.divergence.to_string(),
        }
    }

    /// A row beside the log.
    pub fn of_row(fault: &RowFault) -> Self {
        Self {
            code: fault.problem.code().to_owned(),
            position: None,
            detail: fault.to_string(),
        }
    }

    /// A flaw of a checkpoint.
    #[must_use]
    pub fn of_flaw(flaw: &Flaw) -> Self {
        Self {
            code: flaw.code().to_owned(),
            position: flaw.position(),
            detail: flaw.to_string(),
        }
    }
}
