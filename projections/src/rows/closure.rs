//! Rows of closures.

use crate::table::{Json, row};
use caudal_domain::tenant_state::activity::{GroupFigures, PeriodTotals};
use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

row! {
    /// A closed period.
    ClosureRow in "closures" key (id: Uuid) {
        id: Uuid,
        position: i64,
        number: String,
        party: Uuid,
        from_at: Option<DateTime<Utc>>,
        cut_at: DateTime<Utc>,
        through: NaiveDate,
        groups: Json<Vec<GroupFigures>>,
        totals: Json<PeriodTotals>,
        debit: Option<Uuid>,
        agency_debit: Option<Uuid>,
        created_at: DateTime<Utc>,
    }
}
