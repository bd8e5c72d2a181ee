//! Calls.

use utoipa_actix_web::service_config::ServiceConfig;

/// Registers these calls.
pub fn configure(_cfg: &mut ServiceConfig<'_>) {}
