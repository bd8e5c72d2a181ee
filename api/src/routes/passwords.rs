//! Password changes, and one-time codes for forgotten passwords.

use super::{
    auth::attempt,
    parties::{addressee, require_unlike},
    password_policy::policy_of,
};
use crate::{
    app::App,
    auth::{limits::Shown, recovery::Account},
    extract::{Caller, JsonBody, Language, tenant_of},
    input::password::{ChangePasswordInput, ResetPasswordInput},
    mail::{Letter, Mail},
    problem::ApiError,
    registry::Registry,
};
use actix_web::{
    HttpRequest, HttpResponse, post,
    web::{Data, Path},
};
use caudal_domain::{
    ids::{PartyId, TenantId},
    party::{Party, PartyDetails},
    text::MAX_EMAIL_LENGTH,
};
use chrono::{DateTime, Utc};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Minimum response time for a wrong code, which hides the lookups' timing.
const FAILURE_PACE: Duration = Duration::from_millis(500);

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(change_password)
        .service(forgot_password)
        .service(reset_password);
}

/// Change the caller's password, and end the other sessions.
///
/// The current password is checked, and after a wrong one whether the new one is in force already; ten wrong ones within 15
/// minutes, both counted, block further attempts of the session for a while. The session stays open.
#[utoipa::path(tag = "Session", operation_id = "changePassword", request_body = ChangePasswordInput,
    params(("email" = String, Path, max_length = 254, description = "The address that the caller logs in with.")),
    responses((status = 204, description = "Changed.")))]
#[post("/api/users/change_password/{email}")]
async fn change_password(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    email: Path<String>,
    body: JsonBody<ChangePasswordInput>,
) -> Result<HttpResponse, ApiError> {
    let now = app.now();
    let credential = app
        .journal
        .credential_by_email(&caller.tenant, checked(&email)?)
        .await?
        .filter(|credential| credential.party == caller.party)
        .ok_or_else(|| ApiError::not_found("party_not_found"))?;
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let change = body.into_inner().change(&email, state.password_policy())?;
    let attempt = attempt(&app, &request, &caller.tenant, &email, Shown::Session(caller.session));
    let admission = app.limits.admit(&attempt, now).await?;
    if !app.passwords.verify(&change.old, Some(&credential.hash)).await? {
        admission.counts().await?;
        // A repetition after a lost answer has been applied already. To look is a second guess, and counts as one.
        let second = app.limits.admit(&attempt, now).await?;
        if app.passwords.verify(&change.new, Some(&credential.hash)).await? {
            second.succeeded().await?;
            return Ok(HttpResponse::NoContent().finish());
        }
        second.counts().await?;
        return Err(ApiError::invalid("oldPassword", "password_wrong"));
    }
    require_not_personal(&app, &caller.tenant, caller.party, "newPassword", &change.new).await?;
    let hash = app.passwords.hash(&change.new).await?;
    let known = (caller.party, credential.set_at);
    if !set_password(&app, &caller.tenant, known, &hash, Some(&caller)).await? {
        // Another request has set one since: the same one, or the password that was shown is no longer right.
        let credential = app.journal.credential(&caller.tenant, caller.party).await?;
        let hash = credential.as_ref().map(|credential| credential.hash.as_str());
        if app.passwords.verify(&change.new, hash).await? {
            admission.succeeded().await?;
            return Ok(HttpResponse::NoContent().finish());
        }
        return Err(ApiError::invalid("oldPassword", "password_wrong"));
    }
    admission.succeeded().await?;
    tell_of_change(&app, &caller.tenant, caller.party, Language::of(&request));
    Ok(HttpResponse::NoContent().finish())
}

/// Mail a one-time code, if the address is known; the answer is always the same.
///
/// The code is valid for 15 minutes, replaces an earlier one, and ends with a change of the address or the password.
#[utoipa::path(tag = "Session", operation_id = "forgotPassword",
    params(("email" = String, Path, max_length = 254, description = "The address that the user logs in with.")),
    responses((status = 202, description = "Taken.")))]
#[post("/api/users/forgot_password/{email}")]
async fn forgot_password(request: HttpRequest, app: Data<App>, email: Path<String>) -> Result<HttpResponse, ApiError> {
    let (tenant, now) = (tenant_of(&request)?, app.now());
    let attempt = attempt(&app, &request, &tenant, checked(&email)?, Shown::Nothing);
    app.mail_limits.admit(&attempt, now).await?.counts().await?;
    let (mailer, language) = (app.mailer.clone(), Language::of(&request));
    // The lookup runs after the answer.
    mailer.post(async move {
        let Some((party, password_of)) = active_party(&app, &tenant, &email).await? else {
            return Ok(None);
        };
        let (name, to) = addressee(&app, &tenant, &party).await?;
        let account = Account {
            party: party.id,
            email: &PartyDetails::normal_email(&email),
            password_of,
        };
        let code = app.recovery.issue(&tenant, account, app.now()).await?;
        let letter = Letter::ResetCode { name, code };
        Ok(Some(Mail { to, language, letter }))
    })?;
    Ok(HttpResponse::Accepted().finish())
}

/// Set a password with a mailed code, and end all sessions of the user.
///
/// A code is valid for 15 minutes, 5 tries and one use.
#[utoipa::path(tag = "Session", operation_id = "resetPassword", request_body = ResetPasswordInput,
    params(("email" = String, Path, max_length = 254, description = "The address that the user logs in with.")),
    responses((status = 204, description = "Set.")))]
#[post("/api/users/reset_password/{email}")]
async fn reset_password(
    request: HttpRequest,
    app: Data<App>,
    email: Path<String>,
    body: JsonBody<ResetPasswordInput>,
) -> Result<HttpResponse, ApiError> {
    let (tenant, now, begun) = (tenant_of(&request)?, app.now(), Instant::now());
    let attempt = attempt(&app, &request, &tenant, checked(&email)?, Shown::Nothing);
    let reset = body.into_inner().reset(policy_of(&app, &tenant).await?)?;
    let admission = app.code_limits.admit(&attempt, now).await?;
    let hash = app.passwords.hash(&reset.password).await?;
    let found = active_party(&app, &tenant, &email).await?;
    // Told only to who has the code, which stays valid for the next password.
    let personal = match &found {
        Some((party, _)) => require_not_personal(&app, &tenant, party.id, "password", &reset.password)
            .await
            .err(),
        None => None,
    };
    let normal = PartyDetails::normal_email(&email);
    let redeemed = match &found {
        None => None,
        Some((party, password_of)) => {
            let account = Account {
                party: party.id,
                email: &normal,
                password_of: *password_of,
            };
            let spend = personal.is_none();
            let is_right = app.recovery.redeem(&tenant, account, &reset.code, spend, now).await?;
            is_right.then_some((party.id, *password_of))
        }
    };
    if let (Some(_), Some(refused)) = (redeemed, personal) {
        return Err(refused);
    }
    let is_set = match redeemed {
        // A password that was set since the code was checked ends it.
        Some(known) => set_password(&app, &tenant, known, &hash, None).await?,
        None => false,
    };
    let Some((party, _)) = redeemed.filter(|_| is_set) else {
        admission.counts().await?;
        metrics::counter!("caudal_reset_codes_failed").increment(1);
        sleep_until(begun + FAILURE_PACE).await;
        return Err(ApiError::invalid("code", "code_wrong"));
    };
    // Allows an immediate login after failed ones.
    admission.succeeded().await?;
    app.limits.forget(&attempt).await?;
    tell_of_change(&app, &tenant, party, Language::of(&request));
    Ok(HttpResponse::NoContent().finish())
}

/// A plausible address.
fn checked(email: &str) -> Result<&str, ApiError> {
    if email.len() > MAX_EMAIL_LENGTH {
        return Err(ApiError::invalid("email", "email_invalid"));
    }
    Ok(email)
}

/// Sets a password where the one set at a time is still in force.
async fn set_password(
    app: &App,
    tenant: &TenantId,
    known: (PartyId, DateTime<Utc>),
    hash: &str,
    goes_on: Option<&Caller>,
) -> Result<bool, ApiError> {
    let session = goes_on.map(|caller| caller.session);
    let is_set = app
        .sessions
        .set_password(tenant, known, hash, session, app.now())
        .await?;
    app.callers.forget_party(tenant, known.0);
    app.streams.check_sessions(tenant);
    Ok(is_set)
}

/// Refuses a password made of the party's name or address, or of the name of the business.
async fn require_not_personal(
    app: &App,
    tenant: &TenantId,
    party: PartyId,
    field: &'static str,
    password: &str,
) -> Result<(), ApiError> {
    let (state, _) = app.journal.state(tenant).await?;
    let Some(party) = state.party(party) else { return Ok(()) };
    let (name, email) = addressee(app, tenant, party).await?;
    let details = PartyDetails {
        name,
        email,
        ..PartyDetails::default()
    };
    Ok(require_unlike(field, password, &details, &state)?)
}

/// The active party of an address, and when its password was set.
async fn active_party(app: &App, tenant: &TenantId, email: &str) -> Result<Option<(Party, DateTime<Utc>)>, ApiError> {
    let Some(credential) = app.journal.credential_by_email(tenant, email).await? else {
        return Ok(None);
    };
    let (state, _) = app.journal.state(tenant).await?;
    let party = state.party(credential.party).filter(|party| party.is_active);
    Ok(party.map(|party| (party.clone(), credential.set_at)))
}

/// Notifies the owner of an account, who may not be the author. A full mail queue is ignored.
fn tell_of_change(app: &Data<App>, tenant: &TenantId, party: PartyId, language: Language) {
    let (node, tenant) = (app.clone(), tenant.clone());
    let told = app.mailer.post(async move {
        let (state, _) = node.journal.state(&tenant).await?;
        let Some(party) = state.party(party) else {
            return Ok(None);
        };
        let (name, to) = addressee(&node, &tenant, party).await?;
        let letter = Letter::PasswordChanged { name };
        Ok(Some(Mail { to, language, letter }))
    });
    if let Err(error) = told {
        tracing::warn!(%error, "the mail about a changed password was not sent");
    }
}
