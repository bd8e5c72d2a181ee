//! The tenant's settings.

use crate::table::row;
use chrono::{DateTime, Utc};

row! {
    /// A tenant. Written once, when it opens.
    TenantRow in "tenants" key (name: String) {
        name: String,
        time_zone: String,
        opened_at: DateTime<Utc>,
    }
}
