//! Recovery codes, which are shown once: with the first second factor, and new ones in place of the others.

use super::{codes::require_code_or_fresh, tell};
use crate::{
    app::App,
    auth::second_factors::{self, RecoveryCodes},
    extract::{Caller, JsonBody, Language},
    input::second_factor::OptionalSecondFactorCodeInput,
    mail::FactorNotice,
    problem::ApiError,
};
use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use caudal_domain::ids::SecondFactorId;
use serde::Serialize;
use utoipa::ToSchema;

/// Recovery codes. Each can be used once in place of a code of the authenticator app.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorRecoveryCodes {
    /// All ten, shown this once. Null when the confirmation of an enrolment is repeated, or another second factor was there.
    #[schema(example = json!(["abcde-fgh23"]))]
    recovery_codes: Option<Vec<String>>,
}

/// Replace the recovery codes by ten new ones, which are shown this once. Without a code, this session needs a fresh one.
#[utoipa::path(tag = "Second factor", operation_id = "renewRecoveryCodes", request_body = OptionalSecondFactorCodeInput,
    responses((status = 200, description = "The new recovery codes, answered only once; the earlier ones are void.",
               body = SecondFactorRecoveryCodes)))]
#[post("/api/second_factor/recovery_codes")]
pub(super) async fn renew_recovery_codes(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    body: JsonBody<OptionalSecondFactorCodeInput>,
) -> Result<HttpResponse, ApiError> {
    let code = body.into_inner().optional_code()?;
    let factor = require_code_or_fresh(&request, &app, &caller, code).await?;
    let codes = app
        .second_factors
        .issue_recovery_codes(&caller.tenant, caller.party, factor, app.now())
        .await?;
    let notice = FactorNotice::RecoveryCodesRenewed;
    tell(&app, &caller.tenant, caller.party, Language::of(&request), notice);
    Ok(HttpResponse::Ok().json(shown(Some(codes))))
}

/// Whether the log took a factor as its party's first. Of two that are put into force at once, one is.
#[derive(Clone, Copy)]
pub(in crate::routes) struct IsFirst(pub bool);

/// Recovery codes with a party's first second factor, after the log took it: codes that another request has shown stay valid. A
/// node that dies before this leaves the party without; new ones are made on request.
pub(in crate::routes) async fn issue_with_first(
    app: &App,
    caller: &Caller,
    factor: SecondFactorId,
    IsFirst(is_first): IsFirst,
) -> Result<Option<RecoveryCodes>, ApiError> {
    if !is_first {
        return Ok(None);
    }
    let codes = app
        .second_factors
        .issue_recovery_codes(&caller.tenant, caller.party, factor, app.now())
        .await?;
    Ok(Some(codes))
}

pub(super) fn shown(codes: Option<RecoveryCodes>) -> SecondFactorRecoveryCodes {
    SecondFactorRecoveryCodes {
        recovery_codes: codes.map(|codes| spelled(&codes)),
    }
}

/// Recovery codes as people read them.
pub(in crate::routes) fn spelled(codes: &RecoveryCodes) -> Vec<String> {
    codes.iter().map(|code| second_factors::shown(code)).collect()
}
