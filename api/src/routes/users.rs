//! Who is logged in.

use crate::{extract::Reading, problem::ApiError};
use actix_web::{HttpResponse, get};
use caudal_projections::party::profile::{self, Profile};
use utoipa_actix_web::service_config::ServiceConfig;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(get_profile);
}

/// Who is logged in.
#[utoipa::path(tag = "Profile", operation_id = "getProfile",
    responses((status = 200, description = "The caller.", body = Profile)))]
#[get("/api/users/profile")]
async fn get_profile(reading: Reading) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(profile::get(&mut snapshot, &scope).await?))
}
