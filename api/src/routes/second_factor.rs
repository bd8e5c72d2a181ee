//! Second factor of the caller's login, its end by a manager, and the roles that need one
//! (docs/decisions/second-factor.md).

use super::{auth::attempt, office, parties::addressee, passkeys::PasskeyView, users::require_password};
use crate::{
    app::App,
    auth::{
        limits::{Attempt, Shown},
        second_factors::{self, ENROLMENT, RecoveryCodes, Verdict},
        totp,
    },
    extract::{Caller, Filters, JsonBody, Language, PathId},
    fresh_code,
    input::{
        merge::Mergeable as _,
        second_factor::{
            OptionalSecondFactorCodeInput, SecondFactorCodeInput, SecondFactorEnrolmentInput, SecondFactorRuleInput,
        },
    },
    mail::{FactorNotice, Letter, Mail},
    problem::ApiError,
    registry::Registry,
    request_id,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, delete, get, post, put, web::Data};
use caudal_domain::{
    Actor, Books, Command, Refusal, SecondFactorRule, TenantCommand,
    ids::{PartyId, SecondFactorId, TenantId},
    office::Right,
    party::{PartyCommand, Role},
};
use caudal_journal::Submission;
use caudal_projections::{public_events::PublicRole, scalar::Money};
use chrono::{DateTime, Utc};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use std::{cell::Cell, fmt::Write as _};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Issuer shown by the authenticator app where the tenant has no name.
const ISSUER: &str = "Caudal";

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_second_factor)
        .service(begin_enrolment)
        .service(confirm_enrolment)
        .service(give_code)
        .service(renew_recovery_codes)
        .service(remove_second_factor)
        .service(reset_second_factor)
        .service(get_rule)
        .service(set_rule);
}

/// The party whose second factor is meant.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct SecondFactorQuery {
    /// Party; absent for the caller. Others than the caller are for managers.
    party_id: Option<Uuid>,
}

/// Second factor of a party.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether logins by password need a second factor: a code, or a passkey in place of both.
    is_enrolled: bool,
    /// Whether an authenticator app is enrolled.
    has_app: bool,
    /// Whether the party's role needs a second factor.
    is_required: bool,
    /// Time at which the authenticator app was enrolled; null without one.
    enrolled_at: Option<DateTime<Utc>>,
    /// Recovery codes left; null without a second factor.
    recovery_codes_left: Option<usize>,
    /// Passkeys, of the caller alone.
    passkeys: Vec<PasskeyView>,
    /// Time until which this session's last code is fresh; null when none is, and for another party.
    fresh_until: Option<DateTime<Utc>>,
}

/// An enrolment under way. It ends after 15 minutes.
#[derive(Serialize, ToSchema)]
pub struct SecondFactorEnrolment {
    /// Id of the enrolment, for its confirmation.
    id: Uuid,
    /// Secret for the authenticator app, in Base32; shown this once.
    #[schema(example = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")]
    secret: String,
    /// The same for a QR code, as `otpauth://totp/…`.
    uri: String,
    /// The QR code of `uri`.
    qr: QrImage,
}

/// A QR code to draw.
#[derive(Serialize, ToSchema)]
pub struct QrImage {
    /// Modules per side, without the quiet zone of four modules.
    #[schema(example = 45)]
    size: i32,
    /// Its dark modules as the data of an SVG path, one unit per module.
    #[schema(example = "M0 0h7v1h-7z")]
    path: String,
}

/// Recovery codes. Each can be used once in place of a code of the authenticator app.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorRecoveryCodes {
    /// All ten, shown this once. Null when the confirmation of an enrolment is repeated, or another second factor was there.
    #[schema(example = json!(["abcde-fgh23"]))]
    recovery_codes: Option<Vec<String>>,
}

/// A fresh code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FreshSecondFactorCode {
    /// Time until which calls that need a fresh code are admitted in this session.
    fresh_until: DateTime<Utc>,
}

impl FreshSecondFactorCode {
    pub(super) const fn new(fresh_until: DateTime<Utc>) -> Self {
        Self { fresh_until }
    }
}

/// Roles that need a second factor, and which movements ask for a code of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorRoles {
    /// All of them.
    roles: Vec<PublicRole>,
    /// Smallest movement or payment in USD that asks who has a second factor for a fresh code; null for none.
    code_from: Option<Money>,
}

impl From<&SecondFactorRule> for SecondFactorRoles {
    fn from(rule: &SecondFactorRule) -> Self {
        Self {
            roles: rule.roles.iter().map(|role| (*role).into()).collect(),
            code_from: rule.code_from.map(Into::into),
        }
    }
}

/// Second factor of the caller, or of another party for a manager.
#[utoipa::path(tag = "Second factor", operation_id = "getSecondFactor", params(SecondFactorQuery),
    responses((status = 200, description = "It.", body = SecondFactor)))]
#[get("/api/second_factor")]
async fn get_second_factor(
    app: Data<App>,
    caller: Caller,
    query: Filters<SecondFactorQuery>,
) -> Result<HttpResponse, ApiError> {
    let (books, _) = app.journal.books(&caller.tenant).await?;
    let id = query.0.party_id.map_or(caller.party, PartyId);
    let party = books
        .party(id)
        .filter(|party| party.id == caller.party || caller.role == Role::Manager)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    if party.id != caller.party {
        office::require_login(&books, &caller, party, Right::Read)?;
    }
    let (authenticator, factors) = (books.second_factor(party.id), books.second_factors(party.id));
    let (kept, tenant) = (&app.second_factors, &caller.tenant);
    let (mut enrolled_at, mut recovery_codes_left, mut fresh_until) = (None, None, None);
    let mut passkeys = Vec::new();
    if let Some(factor) = authenticator {
        enrolled_at = kept.begun_at(tenant, party.id, factor).await?;
    }
    if !factors.is_empty() {
        recovery_codes_left = Some(kept.recovery_codes_left(tenant, party.id).await?);
    }
    if party.id == caller.party {
        fresh_until = kept.fresh_until(tenant, caller.session, &factors, app.now()).await?;
        let shown = app.passkeys.list(tenant, party.id, books.passkeys(party.id)).await?;
        passkeys = shown.into_iter().map(PasskeyView::from).collect();
    }
    Ok(HttpResponse::Ok().json(SecondFactor {
        is_enrolled: !factors.is_empty(),
        has_app: authenticator.is_some(),
        is_required: books.second_factor_rule().roles.contains(&party.role),
        enrolled_at,
        recovery_codes_left,
        passkeys,
        fresh_until,
    }))
}

/// Begin the enrolment of a second factor: a secret for an authenticator app, which is shown this once.
///
/// Logins need no code before the enrolment is confirmed. The caller's password is checked as for its change, and a caller with
/// passkeys needs a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "beginSecondFactorEnrolment",
    request_body = SecondFactorEnrolmentInput,
    responses((status = 201, description = "Begun.", body = SecondFactorEnrolment)))]
#[post("/api/second_factor/enrolments")]
async fn begin_enrolment(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    body: JsonBody<SecondFactorEnrolmentInput>,
) -> Result<HttpResponse, ApiError> {
    let password = body.into_inner().password()?;
    let (books, _) = app.journal.books(&caller.tenant).await?;
    if books.second_factor(caller.party).is_some() {
        return Err(ApiError::conflict("second_factor_enrolled"));
    }
    let party = books
        .party(caller.party)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    let (_, email) = addressee(&app, &caller.tenant, party).await?;
    require_password(&request, &app, &caller, &email, "password", &password).await?;
    let begun = app
        .second_factors
        .begin(&caller.tenant, caller.party, app.now())
        .await?;
    let issuer = books.tenant().map_or(ISSUER, |tenant| tenant.name.as_str());
    let secret = totp::base32(&begun.secret);
    let uri = uri(issuer, &email, &secret);
    Ok(HttpResponse::Created().json(SecondFactorEnrolment {
        id: begun.factor.0,
        qr: image(&uri)?,
        secret: secret.to_string(),
        uri: uri.to_string(),
    }))
}

/// Put an enrolled second factor into force with a code of the authenticator app, and get ten recovery codes.
///
/// From now on logins need a code. The caller's other sessions end. The recovery codes are made with the first second factor and
/// shown this once: a repetition answers without them. A caller with passkeys needs a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "confirmSecondFactorEnrolment",
    request_body = SecondFactorCodeInput, params(("id" = Uuid, Path)),
    responses((status = 200, description = "In force.", body = SecondFactorRecoveryCodes)))]
#[post("/api/second_factor/enrolments/{id}/confirm")]
async fn confirm_enrolment(
    request: HttpRequest,
    submit: Submit,
    id: PathId,
    body: JsonBody<SecondFactorCodeInput>,
) -> Result<HttpResponse, ApiError> {
    // Recovery codes must not be stored with the answer.
    submit.answers_by_record();
    let (app, caller, factor) = (&submit.app, &submit.caller, SecondFactorId(id.0));
    let code = body.into_inner().code()?;
    // A code is accepted once, and the command may be decided again.
    let is_checked = Cell::new(false);
    let enrolled = submit.amend(async |submit| {
        let (books, _) = app.journal.books(&caller.tenant).await?;
        match books.second_factor(caller.party) {
            Some(in_force) if in_force == factor => return Ok(None),
            Some(_) => return Err(ApiError::conflict("second_factor_enrolled")),
            None => {}
        }
        let others = books.second_factors(caller.party);
        fresh_code::require_of(app, caller, &others).await?;
        if !is_checked.get() {
            check_first(&request, app, caller, factor, &code).await?;
            is_checked.set(true);
        }
        let command = PartyCommand::EnrolSecondFactor(factor);
        submit.run(Command::Party(caller.party, command)).await?;
        Ok(Some(IsFirst(others.is_empty())))
    });
    let Some(is_first) = enrolled.await? else {
        // The answer to the first request was lost.
        return Ok(HttpResponse::Ok().json(shown(None)));
    };
    let codes = issue_with_first(app, caller, factor, is_first).await?;
    end_sessions(app, &caller.tenant, caller.party, caller.session).await?;
    tell(
        app,
        &caller.tenant,
        caller.party,
        Language::of(&request),
        FactorNotice::Enrolled,
    );
    Ok(HttpResponse::Ok().json(shown(codes)))
}

/// Give a code for calls that need a fresh one, such as changes of users. It is fresh in this session for five minutes.
#[utoipa::path(tag = "Second factor", operation_id = "giveSecondFactorCode", request_body = SecondFactorCodeInput,
    responses((status = 200, description = "Right.", body = FreshSecondFactorCode)))]
#[post("/api/second_factor/code")]
async fn give_code(
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

/// Replace the recovery codes by ten new ones, which are shown this once. Without a code, this session needs a fresh one.
#[utoipa::path(tag = "Second factor", operation_id = "renewRecoveryCodes", request_body = OptionalSecondFactorCodeInput,
    responses((status = 200, description = "Replaced.", body = SecondFactorRecoveryCodes)))]
#[post("/api/second_factor/recovery_codes")]
async fn renew_recovery_codes(
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

/// End the caller's authenticator app with a code; without one, this session needs a fresh one. The other sessions end. A party
/// whose role needs a second factor and who has no passkey is led to enrol another.
#[utoipa::path(tag = "Second factor", operation_id = "removeSecondFactor", request_body = OptionalSecondFactorCodeInput,
    responses((status = 204, description = "Ended.")))]
#[post("/api/second_factor/remove")]
async fn remove_second_factor(
    request: HttpRequest,
    submit: Submit,
    body: JsonBody<OptionalSecondFactorCodeInput>,
) -> Result<HttpResponse, ApiError> {
    let (app, caller) = (&submit.app, &submit.caller);
    let code = body.into_inner().optional_code()?;
    let (books, _) = app.journal.books(&caller.tenant).await?;
    let factor = books
        .second_factor(caller.party)
        .ok_or_else(|| ApiError::conflict("second_factor_missing"))?;
    require_code_or_fresh(&request, app, caller, code).await?;
    let command = PartyCommand::RemoveSecondFactor(factor);
    let notice = match books.passkeys(caller.party) {
        [] => FactorNotice::Removed,
        _ => FactorNotice::AppRemoved,
    };
    end(&request, &submit, caller.party, command, notice).await
}

/// End the authenticator app and the passkeys of a party who has lost them. All sessions of the party end, and the party is told by mail.
#[utoipa::path(tag = "Second factor", operation_id = "resetSecondFactor", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Ended.")))]
#[delete("/api/users/{id}/second_factor")]
async fn reset_second_factor(request: HttpRequest, submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let party = PartyId(id.0);
    let (books, _) = submit.app.journal.books(&submit.caller.tenant).await?;
    if books.party(party).is_none() {
        return Err(ApiError::not_found("party_not_found"));
    }
    let (command, notice) = (PartyCommand::EndSecondFactors, FactorNotice::RemovedByManager);
    end(&request, &submit, party, command, notice).await
}

/// Roles whose parties need a second factor to log in, and the amount from which movements and payments ask who has one for
/// a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "getSecondFactorRoles",
    responses((status = 200, description = "All of them.", body = SecondFactorRoles)))]
#[get("/api/settings/second_factor")]
async fn get_rule(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let (books, _) = app.journal.books(&caller.tenant).await?;
    Ok(HttpResponse::Ok().json(SecondFactorRoles::from(books.second_factor_rule())))
}

/// Set the roles whose parties need a second factor to log in, and the amount from which movements and payments ask who has
/// one for a fresh code.
///
/// A party of such a role that has none can only enrol one, from its next call on. API keys go on.
#[utoipa::path(tag = "Second factor", operation_id = "setSecondFactorRoles", request_body = SecondFactorRuleInput,
    responses((status = 200, description = "Set.", body = SecondFactorRoles)))]
#[put("/api/settings/second_factor")]
async fn set_rule(submit: Submit, body: JsonBody<SecondFactorRuleInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let set = submit.amend(async |submit| {
        let (books, _) = submit.app.journal.books(&submit.caller.tenant).await?;
        let stands = books.second_factor_rule();
        let merged = input.clone().merged(|| SecondFactorRuleInput::standing(stands))?;
        let rule = merged.rule(stands)?;
        let answer = SecondFactorRoles::from(&rule);
        submit
            .run(Command::Tenant(TenantCommand::RequireSecondFactor(rule)))
            .await?;
        Ok(answer)
    });
    Ok(HttpResponse::Ok().json(set.await?))
}

/// Checks the code of a login, and returns the factor that it is of; `None` for a party without a second factor.
///
/// # Errors
/// 401 without a code; 422 for a wrong or used one; 429 with too many wrong ones, of which the owner is told.
pub(super) async fn check_login(
    request: &HttpRequest,
    app: &Data<App>,
    attempt: &Attempt,
    tenant: &TenantId,
    (books, party): (&Books, PartyId),
    code: Option<&Zeroizing<String>>,
) -> Result<Option<SecondFactorId>, ApiError> {
    if books.second_factors(party).is_empty() {
        return Ok(None);
    }
    let code = code.ok_or_else(|| ApiError::unauthorized("second_factor_required"))?;
    let checked = check(request, app, attempt, tenant, (books, party), code).await;
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
    let (books, _) = app.journal.books(&caller.tenant).await?;
    let attempt = own_attempt(request, app, caller).await?;
    check(request, app, &attempt, &caller.tenant, (&books, caller.party), code).await
}

/// Checks a code of the caller; without one, that this session gave one lately. Returns a factor of the caller.
async fn require_code_or_fresh(
    request: &HttpRequest,
    app: &Data<App>,
    caller: &Caller,
    code: Option<Zeroizing<String>>,
) -> Result<SecondFactorId, ApiError> {
    if let Some(code) = code {
        return require_code(request, app, caller, &code).await;
    }
    let (books, _) = app.journal.books(&caller.tenant).await?;
    let factors = books.second_factors(caller.party);
    let factor = factors.first().copied();
    let factor = factor.ok_or_else(|| ApiError::conflict("second_factor_missing"))?;
    app.second_factors
        .fresh_until(&caller.tenant, caller.session, &factors, app.now())
        .await?
        .ok_or_else(|| ApiError::forbidden("second_factor_code_required"))?;
    Ok(factor)
}

/// Checks the first code of an enrolment.
async fn check_first(
    request: &HttpRequest,
    app: &App,
    caller: &Caller,
    factor: SecondFactorId,
    code: &str,
) -> Result<(), ApiError> {
    let now = app.now();
    let admission = app
        .second_factor_limits
        .admit(&own_attempt(request, app, caller).await?, now)
        .await?;
    let verdict = app
        .second_factors
        .confirm(&caller.tenant, caller.party, factor, code, now - ENROLMENT, now)
        .await?;
    if let Some(refused) = refusal(verdict) {
        admission.counts().await?;
        return Err(refused);
    }
    admission.succeeded().await
}

/// Whether the log took a factor as its party's first. Of two that are put into force at once, one is.
#[derive(Clone, Copy)]
pub(super) struct IsFirst(pub bool);

/// Recovery codes with a party's first second factor, after the log took it: codes that another request has shown stay valid. A
/// node that dies before this leaves the party without; new ones are made on request.
pub(super) async fn issue_with_first(
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

async fn check(
    request: &HttpRequest,
    app: &Data<App>,
    attempt: &Attempt,
    tenant: &TenantId,
    (books, party): (&Books, PartyId),
    code: &str,
) -> Result<SecondFactorId, ApiError> {
    // A recovery code is one of all factors together: the log names the first.
    let factor = books.second_factors(party).first().copied();
    let factor = factor.ok_or_else(|| ApiError::conflict("second_factor_missing"))?;
    let authenticator = books.second_factor(party);
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

fn refusal(verdict: Verdict) -> Option<ApiError> {
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

/// Ends factors by a command, and deletes what only they needed.
pub(super) async fn end(
    request: &HttpRequest,
    submit: &Submit,
    party: PartyId,
    command: PartyCommand,
    notice: FactorNotice,
) -> Result<HttpResponse, ApiError> {
    submit.run(Command::Party(party, command)).await?;
    after_end(&submit.app, &submit.caller, party, notice, Language::of(request)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What follows the end of a factor: its rows go, other sessions of its party end, and the party is told.
pub(super) async fn after_end(
    app: &Data<App>,
    caller: &Caller,
    party: PartyId,
    notice: FactorNotice,
    language: Language,
) -> Result<(), ApiError> {
    let (books, _) = app.journal.books(&caller.tenant).await?;
    if books.second_factors(party).is_empty() {
        app.second_factors.delete_all(&caller.tenant, party).await?;
        app.passkeys.delete_all(&caller.tenant, party).await?;
    }
    end_sessions(app, &caller.tenant, party, caller.session).await?;
    tell(app, &caller.tenant, party, language, notice);
    Ok(())
}

/// Ends the sessions of a party, except the caller's.
pub(super) async fn end_sessions(app: &App, tenant: &TenantId, party: PartyId, keep: Uuid) -> Result<(), ApiError> {
    app.sessions.end_others(tenant, party, keep, app.now()).await?;
    app.callers.forget_party(tenant, party);
    app.streams.check_sessions(tenant);
    Ok(())
}

/// An attempt within the caller's session.
pub(super) async fn own_attempt(request: &HttpRequest, app: &App, caller: &Caller) -> Result<Attempt, ApiError> {
    let (books, _) = app.journal.books(&caller.tenant).await?;
    let party = books
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

fn shown(codes: Option<RecoveryCodes>) -> SecondFactorRecoveryCodes {
    SecondFactorRecoveryCodes {
        recovery_codes: codes.map(|codes| spelled(&codes)),
    }
}

/// Recovery codes as people read them.
pub(super) fn spelled(codes: &RecoveryCodes) -> Vec<String> {
    codes.iter().map(|code| second_factors::shown(code)).collect()
}

/// Tells the owner that somebody has the password and guesses codes; as often as of logins from new devices.
async fn tell_limited(request: &HttpRequest, app: &Data<App>, attempt: &Attempt, tenant: &TenantId, party: PartyId) {
    if let Ok(admission) = app.notice_limits.admit(attempt, app.now()).await
        && admission.counts().await.is_ok()
    {
        tell(app, tenant, party, Language::of(request), FactorNotice::WrongCodes);
    }
}

/// Mails the owner of a second factor. A full mail queue is ignored.
pub(super) fn tell(app: &Data<App>, tenant: &TenantId, party: PartyId, language: Language, notice: FactorNotice) {
    let (node, tenant) = (app.clone(), tenant.clone());
    let told = app.mailer.post(async move {
        let (books, _) = node.journal.books(&tenant).await?;
        let Some(party) = books.party(party) else {
            return Ok(None);
        };
        let (name, to) = addressee(&node, &tenant, party).await?;
        let letter = Letter::SecondFactor { name, notice };
        Ok(Some(Mail { to, language, letter }))
    });
    if let Err(error) = told {
        tracing::warn!(%error, "nobody is told of a change of a second factor");
    }
}

/// Address of an account for authenticator apps.
fn uri(issuer: &str, email: &str, secret: &str) -> Zeroizing<String> {
    // Apps show a plus as it is.
    let encoded = |text: &str| -> String {
        form_urlencoded::byte_serialize(text.as_bytes())
            .collect::<String>()
            .replace('+', "%20")
    };
    let issuer = encoded(issuer);
    Zeroizing::new(format!(
        "otpauth://totp/{issuer}:{}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits={}&period={}",
        encoded(email),
        totp::DIGITS,
        totp::STEP_SECONDS
    ))
}

/// The QR code of a text: runs of dark modules, row by row.
fn image(text: &str) -> Result<QrImage, ApiError> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(ApiError::internal)?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let run = (x..size).take_while(|x| code.get_module(*x, y)).count();
            let run = i32::try_from(run).unwrap_or_default();
            if run > 0 {
                // Writing to a String cannot fail.
                let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
            }
            x += run + 1;
        }
    }
    Ok(QrImage { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_for_apps_has_no_plus_and_the_form_that_they_read() {
        let uri = uri("Envíos del Sur", "ana+1@example.test", "GEZDGNBV");
        assert_eq!(
            uri.as_str(),
            "otpauth://totp/Env%C3%ADos%20del%20Sur:ana%2B1%40example.test?secret=GEZDGNBV\
             &issuer=Env%C3%ADos%20del%20Sur&algorithm=SHA1&digits=6&period=30"
        );
    }

    #[test]
    fn a_qr_code_is_drawn_by_its_dark_modules() {
        let image = image("otpauth://totp/a").unwrap();
        assert!(image.path.starts_with("M0 0h7v1h-7z"), "the finder pattern");
        assert_eq!(image.size, 21 + 4);
    }
}
