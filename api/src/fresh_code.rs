//! Codes of the second factor that a session gave lately.

use crate::{app::App, extract::Caller, problem::ApiError};
use caudal_domain::ids::SecondFactorId;

/// Refuses a caller whose session gave no code of the second factor lately. Parties without one and API keys need none.
///
/// # Errors
/// 403 `second_factor_code_required`.
pub async fn require(app: &App, caller: &Caller) -> Result<(), ApiError> {
    if is_lacking(app, caller).await? {
        return Err(ApiError::forbidden("second_factor_code_required"));
    }
    Ok(())
}

/// [`require`] for the second factors of the tenant's state: those of the caller may be as old as the session cache.
///
/// # Errors
/// 403 `second_factor_code_required`.
pub async fn require_of(app: &App, caller: &Caller, factors: &[SecondFactorId]) -> Result<(), ApiError> {
    if is_lacking_of(app, caller, factors).await? {
        return Err(ApiError::forbidden("second_factor_code_required"));
    }
    Ok(())
}

/// Whether a caller has a second factor, and its session gave no code of it lately.
///
/// # Errors
/// When the database fails.
pub async fn is_lacking(app: &App, caller: &Caller) -> Result<bool, ApiError> {
    is_lacking_of(app, caller, &caller.second_factors).await
}

async fn is_lacking_of(app: &App, caller: &Caller, factors: &[SecondFactorId]) -> Result<bool, ApiError> {
    if factors.is_empty() {
        return Ok(false);
    }
    let fresh = app
        .second_factors
        .fresh_until(&caller.tenant, caller.session, factors, app.now())
        .await?;
    Ok(fresh.is_none())
}
