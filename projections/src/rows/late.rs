//! Rows of late changes.

use crate::{
    scalar::LateKind,
    table::{BoxError, Column, Ids, row},
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

impl Column for LateKind {
    type Wire = String;
    const SENT: &'static str = "text";

    fn to_wire(&self) -> Option<String> {
        Some(self.as_str().to_owned())
    }

    fn from_wire(wire: Option<String>) -> Result<Self, BoxError> {
        wire.and_then(|wire| Self::named(&wire))
            .ok_or_else(|| "unknown kind of late change".into())
    }
}
