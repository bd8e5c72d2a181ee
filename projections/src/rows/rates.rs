//! Rows of changes of rates.

use crate::table::{Json, row};
use caudal_domain::rates::{ChangedRate, RateTarget};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    /// A change of exchange rates.
    RateChangeRow in "rate_changes" key (id: Uuid) {
        id: Uuid,
        position: i64,
        status: String,
        rates: Json<Vec<ChangedRate>>,
        skipped: Json<Vec<RateTarget>>,
        at: Option<DateTime<Utc>>,
        created_at: DateTime<Utc>,
        created_by: Option<Uuid>,
        effective_at: Option<DateTime<Utc>>,
        ended_at: Option<DateTime<Utc>>,
        ended_by: Option<Uuid>,
    }
}
