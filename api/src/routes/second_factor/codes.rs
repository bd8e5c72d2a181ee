//! Checks of codes: of a login, and of a caller whose session then has a fresh one.

use super::{
    super::{auth::attempt, parties::addressee},
    tell,
};
use crate::{
    app::App,
    auth::{
        limits::{Attempt, Shown},
        second_factors::Verdict,
    },
    extract::{Caller, JsonBody, Language},
    input::second_factor::SecondFactorCodeInput,
    mail::FactorNotice,
    problem::ApiError,
    request_id,
};
use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use caudal_domain::{
    Actor, Command, Refusal, TenantState,
    ids::{PartyId, SecondFactorId, TenantId},
    party::PartyCommand,
};
use caudal_journal::Submission;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// A fresh code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FreshSecondFactorCode {
    /// Time until which calls that need a fresh code are admitted in this session.
    fresh_until: DateTime<Utc>,
}

impl FreshSecondFactorCode {
    pub(in crate::routes) const fn new(fresh_until: DateTime<Utc>) -> Self {
        Self { fresh_until }
    }
}

/// Give a code for calls that need a fresh one, such as changes of users. It is fresh in this session for five minutes.
#[utoipa::path(tag = "Second factor", operation_id = "giveSecondFactorCode", request_body = SecondFactorCodeInput,
    responses((status = 200, description = "Right.", body = FreshSecondFactorCode)))]
#[post("/api/second_factor/code")]
pub(super) async fn give_code(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    body: JsonBody<SecondFactorCodeInput>,
) -> Result<HttpResponse, ApiError> {
    let code = body.into_inner().code()?;
    let factor = require_code(&request, &app, &caller, &code).await?;
    let fresh_until = app
        .second_factors
        .note_code(&caller.tenant, caller.session, factor, app.now())
        .await?;
    Ok(HttpResponse::Ok().json(FreshSecondFactorCode { fresh_until }))
}

/// Checks the code of a login, and returns the factor that it is of; `None` for a party without a second factor.
///
/// # Errors
/// 401 without a code; 422 for a wrong or used one; 429 with too many wrong ones, of which the owner is told.
pub(in crate::routes) async fn check_login(
    request: &HttpRequest,
    app: &Data<App>,
    attempt: &Attempt,
    tenant: &TenantId,
    (state, party): (&TenantState, PartyId),
    code: Option<&Zeroizing<String>>,
) -> Result<Option<SecondFactorId>, ApiError> {
    if state.second_factors(party).is_empty() {
        return Ok(None);
    }
    let code = code.ok_or_else(|| ApiError::unauthorized("second_factor_required"))?;
    let checked = check(request, app, attempt, tenant, (state, party), code).await;
    if matches!(&checked, Err(error) if error.code() == "too_many_attempts") {
        tell_limited(request, app, attempt, tenant, party).await;
    }
    checked.map(Some)
}

/// Checks a code of the caller, uses it up, and returns the factor that it is of.
async fn require_code(
    request: &HttpRequest,
    app: &Data<App>,
    caller: &Caller,
    code: &str,
) -> Result<SecondFactorId, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let attempt = own_attempt(request, app, caller).await?;
    check(request, app, &attempt, &caller.tenant, (&state, caller.party), code).await
}

/// Checks a code of the caller; without one, that this session gave one lately. Returns a factor of the caller.
pub(super) async fn require_code_or_fresh(
    request: &HttpRequest,
    app: &Data<App>,
    caller: &Caller,
    code: Option<Zeroizing<String>>,
) -> Result<SecondFactorId, ApiError> {
    if let Some(code) = code {
        return require_code(request, app, caller, &code).await;
    }
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let factors = state.second_factors(caller.party);
    let factor = factors.first().copied();
    let factor = factor.ok_or_else(|| ApiError::conflict("second_factor_missing"))?;
    app.second_factors
        .fresh_until(&caller.tenant, caller.session, &factors, app.now())
        .await?
        .ok_or_else(|| ApiError::forbidden("second_factor_code_required"))?;
    Ok(factor)
}

async fn check(
    request: &HttpRequest,
    app: &Data<App>,
    attempt: &Attempt,
    tenant: &TenantId,
    (state, party): (&TenantState, PartyId),
    code: &str,
) -> Result<SecondFactorId, ApiError> {
    // A recovery code is one of all factors together: the log names the first.
    let factor = state.second_factors(party).first().copied();
    let factor = factor.ok_or_else(|| ApiError::conflict("second_factor_missing"))?;
    let authenticator = state.second_factor(party);
    let now = app.now();
    let admission = app.second_factor_limits.admit(attempt, now).await?;
    let verdict = app
        .second_factors
        .check(tenant, party, authenticator, code, now)
        .await?;
    if let Some(refused) = refusal(verdict) {
        admission.counts().await?;
        metrics::counter!("caudal_second_factor_codes_failed").increment(1);
        tracing::info!(%tenant, %party, "a code of a second factor was refused");
        return Err(refused);
    }
    admission.succeeded().await?;
    note_recovery(request, app, tenant, party, factor, verdict).await?;
    Ok(factor)
}

pub(super) fn refusal(verdict: Verdict) -> Option<ApiError> {
    match verdict {
        Verdict::Wrong => Some(ApiError::invalid("code", "second_factor_code_wrong")),
        Verdict::Used => Some(ApiError::invalid("code", "second_factor_code_used")),
        Verdict::App | Verdict::Recovery { .. } => None,
    }
}

/// Records the use of a recovery code in the log, and tells its owner.
async fn note_recovery(
    request: &HttpRequest,
    app: &Data<App>,
    tenant: &TenantId,
    party: PartyId,
    factor: SecondFactorId,
    verdict: Verdict,
) -> Result<(), ApiError> {
    let Verdict::Recovery { left } = verdict else {
        return Ok(());
    };
    let command = PartyCommand::UseRecoveryCode { factor, left };
    let submission = Submission {
        request_id: request_id::of(request),
        ..Submission::of(Actor::Party(party), Command::Party(party, command))
    };
    app.checkpoints.compare_before_writing(tenant).await;
    app.journal.submit(tenant, submission).await?;
    tell(
        app,
        tenant,
        party,
        Language::of(request),
        FactorNotice::RecoveryCodeUsed { left },
    );
    Ok(())
}

/// An attempt within the caller's session.
pub(in crate::routes) async fn own_attempt(
    request: &HttpRequest,
    app: &App,
    caller: &Caller,
) -> Result<Attempt, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let party = state
        .party(caller.party)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    let (_, email) = addressee(app, &caller.tenant, party).await?;
    Ok(attempt(
        app,
        request,
        &caller.tenant,
        &email,
        Shown::Session(caller.session),
    ))
}

/// Tells the owner that somebody has the password and guesses codes; as often as of logins from new devices.
async fn tell_limited(request: &HttpRequest, app: &Data<App>, attempt: &Attempt, tenant: &TenantId, party: PartyId) {
    if let Ok(admission) = app.notice_limits.admit(attempt, app.now()).await
        && admission.counts().await.is_ok()
    {
        tell(app, tenant, party, Language::of(request), FactorNotice::WrongCodes);
    }
}
