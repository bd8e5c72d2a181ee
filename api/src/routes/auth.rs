//! Sessions: login, renewal, logout.

use super::{parties::addressee, second_factor, sign_on};
use crate::{
    app::App,
    auth::{
        address::site,
        callers::permitted,
        cookies::{Cookies, Sort},
        devices,
        limits::{Attempt, Shown},
        origins::Origin,
        refresh::Token,
        sessions::Opened,
        tokens,
    },
    extract::{JsonBody, Language, tenant_of},
    mail::{Letter, Mail},
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use caudal_domain::{
    TenantState,
    ids::{PartyId, SecondFactorId, SignOnId, TenantId},
    party::{Party, PartyDetails},
};
use caudal_projections::{Scope, party::profile};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Maximum bytes of a password; a longer one counts as wrong.
const MAX_PASSWORD_BYTES: usize = 1_000;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(login).service(refresh_token).service(logout);
}

/// Login credentials.
#[derive(Deserialize, ToSchema)]
pub struct LoginRequest {
    #[schema(format = "email")]
    email: String,
    #[schema(format = Password)]
    password: String,
    /// Six digits of the authenticator app, or a recovery code; for an account with a second factor. Without it such a
    /// login is answered 401 `second_factor_required`. A passkey logs in by `finishPasskeyLogin` instead.
    #[serde(default)]
    code: Option<String>,
}

/// A short-lived bearer token (JWT).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessToken {
    access_token: String,
    /// Validity in seconds.
    expires_in: i64,
    /// Whether the account needs a second factor and has none: it can only enrol one.
    must_enrol_second_factor: bool,
}

/// Answer to a login.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    token: AccessToken,
    profile: profile::Profile,
    /// Page of the provider that ends its session too; after single sign-on alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    logout_url: Option<String>,
}

/// Log in. Sets the refresh cookie, and one that marks this device as known for the account.
#[utoipa::path(tag = "Session", operation_id = "login", request_body = LoginRequest,
    responses((status = 200, description = "Logged in.", body = Login)))]
#[post("/api/auth0/login")]
async fn login(request: HttpRequest, app: Data<App>, body: JsonBody<LoginRequest>) -> Result<HttpResponse, ApiError> {
    let LoginRequest { email, password, code } = body.into_inner();
    let (password, code) = (Zeroizing::new(password), code.map(Zeroizing::new));
    let tenant = tenant_of(&request)?;
    let now = app.now();
    let account = PartyDetails::normal_email(&email);
    let attempt = attempt_by_device(&app, &request, &tenant, &email);
    let admission = app.limits.admit(&attempt, now).await?;
    let Some((party, password_of)) = sign_in(&app, &tenant, &email, &password).await? else {
        admission.counts().await?;
        metrics::counter!("caudal_logins_failed").increment(1);
        tracing::info!(%tenant, way = "password", "a login was refused");
        return Err(ApiError::unauthorized("login_failed"));
    };
    admission.succeeded().await?;
    let (state, _) = app.journal.state(&tenant).await?;
    // Told only to who has the right password.
    permitted(&state, party.id, now)?;
    let code = code.as_ref().filter(|code| !code.is_empty());
    let factor = second_factor::check_login(&request, &app, &attempt, &tenant, (&state, party.id), code).await?;
    let admitted = Admitted {
        party,
        password_of,
        factor,
        account,
        attempt,
        way: "password",
        provider: None,
        logout: None,
        session: None,
    };
    open_session(&request, &app, &tenant, admitted, now).await
}

/// Who has proved who it is.
pub(super) struct Admitted {
    pub party: Party,
    /// Time at which the password was set.
    pub password_of: DateTime<Utc>,
    /// Second factor that was given.
    pub factor: Option<SecondFactorId>,
    /// Address of the login.
    pub account: String,
    pub attempt: Attempt,
    /// How, for the log.
    pub way: &'static str,
    /// Provider of single sign-on by which it was proved.
    pub provider: Option<SignOnId>,
    /// Page of the provider that ends its session, after single sign-on.
    pub logout: Option<String>,
    /// Id of the session, where the login opens one and no more.
    pub session: Option<Uuid>,
}

/// Time at which a party set its password, for a login that proved by other means who it is.
///
/// # Errors
/// 401 when the address is not the party's.
pub(super) async fn password_of(
    app: &App,
    tenant: &TenantId,
    party: PartyId,
    email: &str,
) -> Result<DateTime<Utc>, ApiError> {
    let credential = app.journal.credential_by_email(tenant, email).await?;
    let own = credential.filter(|credential| credential.party == party);
    let own = own.ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
    Ok(own.set_at)
}

/// Opens a session for who was admitted, and answers with its token and cookies.
pub(super) async fn open_session(
    request: &HttpRequest,
    app: &Data<App>,
    tenant: &TenantId,
    admitted: Admitted,
    now: DateTime<Utc>,
) -> Result<HttpResponse, ApiError> {
    let Admitted {
        party,
        password_of,
        factor,
        account,
        attempt,
        way,
        provider,
        logout: logout_url,
        session: only,
    } = admitted;
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, request);
    let device = cookies.sent(request, Sort::Device).unwrap_or_default();
    let is_known = app.devices.known(&device, tenant, &account, now).is_some();
    let (state, head) = app.journal.state(tenant).await?;
    let mut transaction = app.reads.begin(tenant, head.position).await?;
    let profile = profile::get(&mut transaction, &Scope::of(&party, &state)).await?;
    let origin = Origin::of(request, app.proxies.client(request));
    let opening = app.sessions.open(tenant, party.id, password_of, only, &origin, now);
    let session = opening.await?;
    // A second factor enrolled meanwhile has ended the sessions before it; this one was opened without it. One that was
    // ended meanwhile opens none.
    let (state, _) = app.journal.state(tenant).await?;
    // A provider that was switched off or ended meanwhile logs nobody in.
    if provider.is_some_and(|provider| !sign_on::admits(&state, provider)) {
        app.sessions.end(tenant, session.id, now).await?;
        return Err(ApiError::not_found("sign_on_off"));
    }
    let factors = state.second_factors(party.id);
    if factor.map_or(!factors.is_empty(), |factor| !factors.contains(&factor)) {
        app.sessions.end(tenant, session.id, now).await?;
        return Err(ApiError::unauthorized("session_ended"));
    }
    // An address that was changed meanwhile has ended the sessions before it; this one was opened by the former.
    let credential = app.journal.credential_by_email(tenant, &account).await?;
    if credential.is_none_or(|credential| credential.party != party.id) {
        app.sessions.end(tenant, session.id, now).await?;
        return Err(ApiError::unauthorized("session_ended"));
    }
    let second_factor = factor.is_some();
    tracing::info!(%tenant, party = %party.id, session = %session.id, way, second_factor, "logged in");
    if let Some(factor) = factor {
        app.second_factors.note_code(tenant, session.id, factor, now).await?;
    }
    // The session limit may have ended the oldest session.
    app.streams.check_sessions(tenant);
    let token = access_token(app, tenant, &state, &party, &session, now)?;
    if !is_known && !session.is_first {
        tell_of_device(app, request, tenant, &party, attempt, origin);
    }
    let device = app.devices.remember(&device, tenant, &account, now)?;
    Ok(HttpResponse::Ok()
        .cookie(cookies.set(Sort::Session, &session.token, seconds_left(&session, now)))
        .cookie(cookies.set(Sort::Device, &device, devices::LIFETIME.num_seconds()))
        .json(Login {
            token,
            profile,
            logout_url,
        }))
}

/// Notifies the owner of an account of a login from a device that the account is not known on. A full mail queue is
/// ignored, and so are more mails than the limit.
fn tell_of_device(
    app: &Data<App>,
    request: &HttpRequest,
    tenant: &TenantId,
    party: &Party,
    attempt: Attempt,
    origin: Origin,
) {
    let (node, tenant, party, language) = (app.clone(), tenant.clone(), party.clone(), Language::of(request));
    let now = app.now();
    let told = app.mailer.post(async move {
        let Ok(admission) = node.notice_limits.admit(&attempt, now).await else {
            return Ok(None);
        };
        admission.counts().await?;
        let (state, _) = node.journal.state(&tenant).await?;
        let (name, to) = addressee(&node, &tenant, &party).await?;
        let zone = state.zone();
        let at = format!("{} ({zone})", now.with_timezone(&zone).format("%Y-%m-%d %H:%M"));
        let letter = Letter::NewDevice { name, origin, at };
        Ok(Some(Mail { to, language, letter }))
    });
    if let Err(error) = told {
        tracing::warn!(%error, "nobody is told of a login from a new device");
    }
}

/// The attempt: client, account, additional proof.
pub(super) fn attempt(app: &App, request: &HttpRequest, tenant: &TenantId, email: &str, shown: Shown) -> Attempt {
    Attempt {
        address: app.proxies.client(request),
        tenant: tenant.as_str().to_owned(),
        email: PartyDetails::normal_email(email),
        shown,
    }
}

/// An attempt from a device that may be known for the account.
pub(super) fn attempt_by_device(app: &App, request: &HttpRequest, tenant: &TenantId, email: &str) -> Attempt {
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, request);
    let device = cookies.sent(request, Sort::Device).unwrap_or_default();
    let account = PartyDetails::normal_email(email);
    let shown = match app.devices.known(&device, tenant, &account, app.now()) {
        Some(id) => Shown::Device(id),
        None => Shown::Nothing,
    };
    attempt(app, request, tenant, email, shown)
}

/// An attempt of which no account is known before its answer: failures count per client, of IPv6 its /64.
pub(super) fn attempt_of_nobody(app: &App, request: &HttpRequest, tenant: &TenantId, way: &str) -> Attempt {
    let client = site(app.proxies.client(request));
    attempt(app, request, tenant, &format!("{way} {client}"), Shown::Nothing)
}

/// The active party of an address and password, with the time at which the password was set. Takes the same time for
/// unknown addresses.
async fn sign_in(
    app: &App,
    tenant: &TenantId,
    email: &str,
    password: &str,
) -> Result<Option<(Party, DateTime<Utc>)>, ApiError> {
    if password.len() > MAX_PASSWORD_BYTES {
        return Ok(None);
    }
    let credential = app.journal.credential_by_email(tenant, email).await?;
    let hash = credential.as_ref().map(|credential| credential.hash.as_str());
    let matches = app.passwords.verify(password, hash).await?;
    let Some(credential) = credential.filter(|_| matches) else {
        return Ok(None);
    };
    let (state, _) = app.journal.state(tenant).await?;
    let party = state.party(credential.party).filter(|party| party.is_active);
    Ok(party.map(|party| (party.clone(), credential.set_at)))
}

/// Exchange the refresh cookie, which is rotated, for a new access token.
///
/// A cookie rotated within the last minute gets the same answer again, for concurrent tabs and lost answers. Reuse
/// after that ends the session, including that of a thief.
#[utoipa::path(tag = "Session", operation_id = "refreshToken",
    responses((status = 200, description = "The next token.", body = AccessToken)))]
#[post("/api/auth0/token")]
async fn refresh_token(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let tenant = tenant_of(&request)?;
    let now = app.now();
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, &request);
    let sent = cookies
        .sent(&request, Sort::Session)
        .ok_or_else(|| ApiError::unauthorized("session_ended"))?;
    let origin = Origin::of(&request, app.proxies.client(&request));
    let renewed = app.sessions.renew(&tenant, &sent, &origin, now).await;
    if let (Err(_), Some(token)) = (&renewed, Token::parse(&sent)) {
        // The session may have ended.
        session_ended(&app, &tenant, token.session).await;
    }
    let session = renewed?;
    let (state, _) = app.journal.state(&tenant).await?;
    let party = state
        .party(session.party)
        .filter(|party| party.is_active)
        .ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
    permitted(&state, party.id, now)?;
    let token = access_token(&app, &tenant, &state, party, &session, now)?;
    let cookie = cookies.set(Sort::Session, &session.token, seconds_left(&session, now));
    Ok(HttpResponse::Ok().cookie(cookie).json(token))
}

/// End the session; all its tokens become invalid.
#[utoipa::path(tag = "Session", operation_id = "logout", responses((status = 204, description = "Ended.")))]
#[post("/api/auth0/logout")]
async fn logout(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let tenant = tenant_of(&request)?;
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, &request);
    if let Some(sent) = cookies.sent(&request, Sort::Session)
        && let Some(session) = app.sessions.end_by_token(&tenant, &sent, app.now()).await?
    {
        session_ended(&app, &tenant, session).await;
    }
    if let Some(claims) = crate::gate::claims(&request, &app).filter(|claims| claims.tenant == tenant) {
        app.sessions.end(&tenant, claims.sid, app.now()).await?;
        session_ended(&app, &tenant, claims.sid).await;
    }
    Ok(HttpResponse::NoContent().cookie(cookies.remove(Sort::Session)).finish())
}

/// Evicts a session from the cache and ends its live streams.
async fn session_ended(app: &App, tenant: &TenantId, session: Uuid) {
    app.callers.forget(tenant, session).await;
    app.streams.check_sessions(tenant);
}

fn access_token(
    app: &App,
    tenant: &TenantId,
    state: &TenantState,
    party: &Party,
    session: &Opened,
    now: DateTime<Utc>,
) -> Result<AccessToken, ApiError> {
    let access_token = app
        .tokens
        .issue(tenant, party.id, party.role, session.id, now)
        .map_err(ApiError::internal)?;
    Ok(AccessToken {
        access_token,
        expires_in: tokens::LIFETIME.num_seconds(),
        must_enrol_second_factor: state.must_enrol_second_factor(party),
    })
}

fn seconds_left(session: &Opened, now: DateTime<Utc>) -> i64 {
    (session.expires_at - now).num_seconds()
}
