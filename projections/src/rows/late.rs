//! Rows of late changes.

use crate::{
    late::LateKind,
    table::{Ids, row},
};
use caudal_domain::{
    StreamKind,
    money::{Amount, CurrencyCode},
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    /// An event about a day that was over.
    LateRow in "late_changes" key (position: i64) {
        position: i64,
        at: DateTime<Utc>,
        kind: LateKind,
        record_type: StreamKind,
        record: Uuid,
        /// Code or number; none of a change of rates.
        record_name: Option<String>,
        /// The time whose day it is about.
        concerns_at: DateTime<Utc>,
        /// Local days from that day to the one of the event.
        days: i32,
        actor: Option<Uuid>,
        role: String,
        amount: Option<Amount>,
        currency: Option<CurrencyCode>,
        amount_after: Option<Amount>,
        /// Parties whose closures cover the day.
        parties: Ids,
    }
}
