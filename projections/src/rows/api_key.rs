//! Rows of API keys.

use crate::table::{Json, row};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    /// An API key.
    ApiKeyRow in "api_keys" key (id: Uuid) {
        id: Uuid,
        position: i64,
        party: Uuid,
        name: Option<String>,
        start: String,
        scopes: Json<Vec<String>>,
        networks: Json<Vec<String>>,
        requests_per_minute: i32,
        expires_at: DateTime<Utc>,
        created_at: DateTime<Utc>,
        created_by: Option<Uuid>,
        rotated_at: Option<DateTime<Utc>>,
        previous_until: Option<DateTime<Utc>>,
        revoked_at: Option<DateTime<Utc>>,
        revoked_by: Option<Uuid>,
    }
}
