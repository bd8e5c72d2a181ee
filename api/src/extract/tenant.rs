//! Tenant of a request.

use crate::problem::ApiError;
use actix_web::HttpRequest;
use caudal_domain::ids::TenantId;

/// Tenant of requests without the header, and of the demonstration.
pub const DEFAULT_TENANT: &str = "default";

/// Tenant named by the header `X-Tenant`.
///
/// # Errors
/// 400 for an invalid tenant id.
pub fn tenant_of(request: &HttpRequest) -> Result<TenantId, ApiError> {
    let header = request.headers().get("x-tenant");
    let text = match header {
        Some(value) => value.to_str().map_err(|_| ApiError::unreadable("tenant_invalid"))?,
        None => DEFAULT_TENANT,
    };
    text.parse().map_err(|_| ApiError::unreadable("tenant_invalid"))
}
