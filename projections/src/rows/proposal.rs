//! Rows of proposals.

use crate::table::{Json, row};
use caudal_domain::{Figures, Transfer, money::Amount};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    /// A command that waits, or waited, for an approval.
    ProposalRow in "proposals" key (id: Uuid) {
        id: Uuid,
        position: i64,
        kind: String,
        rule: Uuid,
        maker: Uuid,
        approvers: String,
        stream_kind: String,
        stream_id: Uuid,
        subject: Uuid,
        person: Option<Uuid>,
        amount: Option<Amount>,
        figures: Json<Option<Figures>>,
        transfers: Json<Vec<Transfer>>,
        created_at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
        status: String,
        decided_at: Option<DateTime<Utc>>,
        decided_by: Option<Uuid>,
        record: Option<Uuid>,
        number: Option<String>,
        reason: Option<String>,
    }
}
