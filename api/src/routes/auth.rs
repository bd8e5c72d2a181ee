//! Sessions: logging in, renewing, logging out.

use crate::{
    app::App,
    auth::{
        cookies::{Cookies, Sort},
        devices,
        limits::{Attempt, Shown},
        refresh::Token,
        sessions::Opened,
        tokens,
    },
    extract::{JsonBody, tenant_of},
    problem::ApiError,
};
use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use caudal_domain::{
    ids::TenantId,
    party::{Party, PartyDetails},
};
use caudal_projections::{Scope, party::profile};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;
use zeroize::Zeroizing;

/// The longest password that is looked at, in bytes; longer ones than the rules allow are wrong, not too long.
const MAX_PASSWORD_BYTES: usize = 1_000;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(login).service(refresh_token).service(logout);
}

/// Credentials.
#[derive(Deserialize, ToSchema)]
pub struct LoginRequest {
    #[schema(format = "email")]
    email: String,
    #[schema(format = Password)]
    password: String,
}

/// A short-lived bearer token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessToken {
    access_token: String,
    /// Seconds.
    expires_in: i64,
}

/// Answer to a login.
#[derive(Serialize, ToSchema)]
pub struct Login {
    token: AccessToken,
    profile: profile::Profile,
}

/// Log in; sets the refresh cookie, and one by which this device is known for the account.
#[utoipa::path(tag = "Session", operation_id = "login", request_body = LoginRequest,
    responses((status = 200, description = "Logged in.", body = Login)))]
#[post("/api/auth0/login")]
async fn login(request: HttpRequest, app: Data<App>, body: JsonBody<LoginRequest>) -> Result<HttpResponse, ApiError> {
    let LoginRequest { email, password } = body.into_inner();
    let password = Zeroizing::new(password);
    let tenant = tenant_of(&request)?;
    let now = app.now();
    let cookies = Cookies::of(&app, &request);
    let device = cookies.sent(&request, Sort::Device).unwrap_or_default();
    let account = PartyDetails::normal_email(&email);
    let shown = match app.devices.known(&device, &tenant, &account, now) {
        Some(id) => Shown::Device(id),
        None => Shown::Nothing,
    };
    let attempt = attempt(&app, &request, &tenant, &email, shown);
    let admission = app.limits.admit(&attempt, now).await?;
    let Some((party, password_of)) = sign_in(&app, &tenant, &email, &password).await? else {
        admission.counts().await?;
        metrics::counter!("caudal_logins_failed").increment(1);
        return Err(ApiError::unauthorized("login_failed"));
    };
    admission.succeeded().await?;
    let (_, head) = app.journal.books(&tenant).await?;
    let mut snapshot = app.reads.snapshot(&tenant, head.position).await?;
    let profile = profile::get(&mut snapshot, &Scope::from(&party)).await?;
    let session = app.sessions.open(&tenant, party.id, password_of, now).await?;
    // The oldest of too many sessions has ended by this.
    app.streams.check_sessions(&tenant);
    let token = access_token(&app, &tenant, &party, &session, now)?;
    let device = app.devices.remember(&device, &tenant, &account, now)?;
    Ok(HttpResponse::Ok()
        .cookie(cookies.set(Sort::Session, &session.token, seconds_left(&session, now)))
        .cookie(cookies.set(Sort::Device, &device, devices::LIFETIME.num_seconds()))
        .json(Login { token, profile }))
}

/// Who tries, from where, on which account, showing what else.
pub(super) fn attempt(app: &App, request: &HttpRequest, tenant: &TenantId, email: &str, shown: Shown) -> Attempt {
    Attempt {
        address: app.proxies.client(request),
        tenant: tenant.as_str().to_owned(),
        email: PartyDetails::normal_email(email),
        shown,
    }
}

/// The active party of an address and a password, and since when that is its password. The work is the same whether the
/// address is anybody's or not.
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
    let (books, _) = app.journal.books(tenant).await?;
    let party = books.party(credential.party).filter(|party| party.is_active);
    Ok(party.map(|party| (party.clone(), credential.set_at)))
}

/// A new access token for the refresh cookie, which is rotated.
///
/// A cookie that was rotated within the last minute is answered the same again: two tabs, or an answer that was lost.
/// One that was used before that ends its session, and with it whatever a thief made of it.
#[utoipa::path(tag = "Session", operation_id = "refreshToken",
    responses((status = 200, description = "The next token.", body = AccessToken)))]
#[post("/api/auth0/token")]
async fn refresh_token(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let tenant = tenant_of(&request)?;
    let now = app.now();
    let cookies = Cookies::of(&app, &request);
    let sent = cookies
        .sent(&request, Sort::Session)
        .ok_or_else(|| ApiError::unauthorized("session_ended"))?;
    let renewed = app.sessions.renew(&tenant, &sent, now).await;
    if let (Err(_), Some(token)) = (&renewed, Token::parse(&sent)) {
        // It may have ended by this.
        session_ended(&app, &tenant, token.session).await;
    }
    let session = renewed?;
    let (books, _) = app.journal.books(&tenant).await?;
    let party = books
        .party(session.party)
        .filter(|party| party.is_active)
        .ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
    let token = access_token(&app, &tenant, party, &session, now)?;
    let cookie = cookies.set(Sort::Session, &session.token, seconds_left(&session, now));
    Ok(HttpResponse::Ok().cookie(cookie).json(token))
}

/// End the session on all its tokens.
#[utoipa::path(tag = "Session", operation_id = "logout", responses((status = 204, description = "Ended.")))]
#[post("/api/auth0/logout")]
async fn logout(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let tenant = tenant_of(&request)?;
    let cookies = Cookies::of(&app, &request);
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

/// Lets go of what this node remembers of a session, and has its live streams end.
async fn session_ended(app: &App, tenant: &TenantId, session: Uuid) {
    app.callers.forget(tenant, session).await;
    app.streams.check_sessions(tenant);
}

fn access_token(
    app: &App,
    tenant: &TenantId,
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
    })
}

fn seconds_left(session: &Opened, now: DateTime<Utc>) -> i64 {
    (session.expires_at - now).num_seconds()
}
