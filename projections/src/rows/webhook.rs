//! Rows of webhooks.

use crate::table::{Json, row};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    /// An endpoint.
    WebhookRow in "webhooks" key (id: Uuid) {
        id: Uuid,
        position: i64,
        party: Uuid,
        name: Option<String>,
        url: Option<String>,
        types: Json<Vec<String>>,
        created_at: DateTime<Utc>,
        created_by: Option<Uuid>,
        rotated_at: Option<DateTime<Utc>>,
        previous_until: Option<DateTime<Utc>>,
        paused: Option<String>,
        paused_at: Option<DateTime<Utc>>,
        removed_at: Option<DateTime<Utc>>,
        replay_event: i64,
        replay_after: i64,
        resume_event: i64,
    }
}
