//! The tenant that a request is about.

use crate::problem::ApiError;
use actix_web::HttpRequest;
use caudal_domain::ids::TenantId;

/// The tenant of a request that names none, and of the demonstration.
pub const DEFAULT_TENANT: &str = "default";

/// The tenant that the header `X-Tenant` names.
///
/// # Errors
/// 400 where the header is not a tenant's id.
pub fn tenant_of(request: &HttpRequest) -> Result<TenantId, ApiError> {
    let header = request.headers().get("x-tenant");
    let text = match header {
        Some(value) => value.to_str().map_err(|_| ApiError::unreadable("tenant_invalid"))?,
        None => DEFAULT_TENANT,
    };
    text.parse().map_err(|_| ApiError::unreadable("tenant_invalid"))
}
