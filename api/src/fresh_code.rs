//! Codes of the second factor that a session gave lately.

use crate::{app::App, extract::Caller, problem::ApiError};

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

/// Whether a caller has a second factor, and its session gave no code of it lately.
///
/// # Errors
/// When the database fails.
pub async fn is_lacking(app: &App, caller: &Caller) -> Result<bool, ApiError> {
    if caller.second_factors.is_empty() {
        return Ok(false);
    }
    let fresh = app
        .second_factors
        .fresh_until(&caller.tenant, caller.session, &caller.second_factors, app.now())
        .await?;
    Ok(fresh.is_none())
}
