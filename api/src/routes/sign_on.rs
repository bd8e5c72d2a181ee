//! Single sign-on by OpenID Connect: its two calls for browsers, and the tenant's provider
//! (docs/decisions/single-sign-on.md).

use super::{
    auth::{Admitted, Login, attempt_by_device, attempt_of_nobody, open_session, password_of},
    parties::addressee,
    second_factor,
};
use crate::{
    app::App,
    auth::{
        callers::permitted,
        cookies::{Cookies, Sort},
        sign_on::{
            client::{Document, Exchange, IdToken, ProviderError},
            flow::{self, Flow, Step},
        },
    },
    base_url,
    extract::{Caller, JsonBody, Language, PathId, tenant_of},
    input::{
        merge::Mergeable as _,
        sign_on::{SignOnFinishInput, SignOnProviderInput},
    },
    mail::FactorNotice,
    problem::ApiError,
    proposal_expiry::forget_secrets,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, delete, get, http::header::ORIGIN, post, put, web::Data};
use caudal_domain::{
    Command, Refusal, SignOnProvider, TenantCommand, TenantState,
    ids::{PartyId, SignOnId, SignOnSecretId, TenantId},
    office::Right,
    party::{Party, PartyDetails},
};
use chrono::{DateTime, Utc};
use reqwest::Url;
use serde::Serialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// Page to which providers lead back.
const RETURN_PATH: &str = "/users/sign-on/";
const SCOPE: &str = "openid email";

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(begin_sign_on)
        .service(finish_sign_on)
        .service(get_provider)
        .service(set_provider)
        .service(remove_provider)
        .service(unbind_sign_on);
}

/// Where to log in.
#[derive(Serialize, ToSchema)]
pub struct SignOnBegun {
    /// Address of the provider's page.
    url: String,
}

/// A tenant's provider of single sign-on. Its client secret is never shown.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignOnSettings {
    /// URL of the issuer; null without a provider.
    #[schema(example = "https://login.example")]
    issuer: Option<String>,
    /// What the provider calls this installation; null without a provider.
    client_id: Option<String>,
    /// Whether logins by it are admitted.
    is_enabled: bool,
    /// Path to which the provider leads back, on this installation's address.
    #[schema(example = "/users/sign-on/")]
    return_path: &'static str,
}

impl From<Option<&SignOnProvider>> for SignOnSettings {
    fn from(provider: Option<&SignOnProvider>) -> Self {
        Self {
            issuer: provider.map(|provider| provider.issuer.clone()),
            client_id: provider.map(|provider| provider.client_id.clone()),
            is_enabled: provider.is_some_and(|provider| provider.is_enabled),
            return_path: RETURN_PATH,
        }
    }
}

/// Begin a login by the tenant's provider. Sets a cookie with which `finishSignOn` ends it, within ten minutes.
#[utoipa::path(tag = "Session", operation_id = "beginSignOn",
    responses((status = 200, description = "Where to log in.", body = SignOnBegun)))]
#[post("/api/auth0/sign_on")]
async fn begin_sign_on(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let (tenant, now) = (tenant_of(&request)?, app.now());
    let (tenant_state, _) = app.journal.state(&tenant).await?;
    let provider = enabled(&tenant_state)?;
    let document = app.providers.document(&provider.issuer).await.map_err(refused)?;
    let redirect = format!("{}{RETURN_PATH}", origin(&request)?);
    let flow = Flow::begin(&tenant, provider.id, redirect, now)?;
    let Step::Begun {
        nonce,
        verifier,
        redirect,
    } = &flow.step
    else {
        return Err(ApiError::unauthorized("sign_on_failed"));
    };
    let mut url = Url::parse(&document.authorization_endpoint).map_err(ApiError::internal)?;
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.client_id)
        .append_pair("redirect_uri", redirect)
        .append_pair("scope", SCOPE)
        .append_pair("state", &flow.state)
        .append_pair("nonce", nonce)
        .append_pair("code_challenge", &Flow::challenge(verifier))
        .append_pair("code_challenge_method", "S256");
    let cookie = app.sign_ons.cookie(&tenant, &flow)?;
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, &request);
    Ok(HttpResponse::Ok()
        .cookie(cookies.set(Sort::SignOn, &cookie, flow::LIFETIME.num_seconds()))
        .json(SignOnBegun { url: url.into() }))
}

/// Log in with what the provider answered. Sets the cookies of a login.
///
/// An account with a second factor is answered 401 `second_factor_required`; the same call with its code, in place of the
/// provider's, logs in.
#[utoipa::path(tag = "Session", operation_id = "finishSignOn", request_body = SignOnFinishInput,
    responses((status = 200, description = "Logged in.", body = Login)))]
#[post("/api/auth0/sign_on/finish")]
async fn finish_sign_on(
    request: HttpRequest,
    app: Data<App>,
    body: JsonBody<SignOnFinishInput>,
) -> Result<HttpResponse, ApiError> {
    let (tenant, now) = (tenant_of(&request)?, app.now());
    let finish = body.into_inner().finish()?;
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, &request);
    let guess = attempt_of_nobody(&app, &request, &tenant, "sign-on");
    let admission = app.code_limits.admit(&guess, now).await?;
    let sent = cookies.sent(&request, Sort::SignOn);
    let flow = sent
        .and_then(|cookie| app.sign_ons.flow(&tenant, &cookie, now))
        .filter(|flow| flow.state == finish.state);
    let Some(flow) = flow else {
        admission.counts().await?;
        return Err(ApiError::unauthorized("sign_on_failed"));
    };
    let (tenant_state, _) = app.journal.state(&tenant).await?;
    let provider = enabled(&tenant_state)?.clone();
    if provider.id != flow.provider {
        admission.counts().await?;
        return Err(ApiError::unauthorized("sign_on_failed"));
    }
    let known = match &flow.step {
        Step::Known {
            party, subject, logout, ..
        } => {
            // It may have been ended since the first step.
            if app.sign_ons.party_of(&tenant, provider.id, subject).await? != Some(*party) {
                admission.counts().await?;
                return Err(ApiError::unauthorized("sign_on_failed"));
            }
            (*party, subject.clone(), logout.clone())
        }
        Step::Begun {
            nonce,
            verifier,
            redirect,
        } => {
            let told = told(&app, &tenant, &provider, (nonce, verifier, redirect), &finish.code, now).await;
            let told = match told {
                Ok(told) => told,
                Err(error) => {
                    admission.counts().await?;
                    return Err(error);
                }
            };
            let party = party_of(&app, &tenant, provider.id, &told, now).await?;
            let document = app.providers.document(&provider.issuer).await.map_err(refused)?;
            let logout = logout_url(&document, &provider, redirect);
            (party, told.sub, logout)
        }
    };
    // The provider may have taken its time, and been switched off or ended meanwhile.
    let (tenant_state, _) = app.journal.state(&tenant).await?;
    require_admitting(&tenant_state, provider.id)?;
    admission.succeeded().await?;
    let (party, subject, logout) = known;
    let party = tenant_state
        .party(party)
        .filter(|party| party.is_active)
        .ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
    permitted(&tenant_state, party.id, now)?;
    let (_, email) = addressee(&app, &tenant, party).await?;
    let attempt = attempt_by_device(&app, &request, &tenant, &email);
    let mut factor = None;
    let (session, factors) = (flow.session(), tenant_state.second_factors(party.id));
    if let Step::Known { factors: asked, .. } = &flow.step
        && *asked != factors
    {
        return Err(ApiError::unauthorized("sign_on_failed"));
    }
    if !factors.is_empty() {
        let code = finish.second_factor.as_ref().filter(|code| !code.is_empty());
        let Some(code) = code else {
            let refusal = ApiError::unauthorized("second_factor_required");
            if matches!(flow.step, Step::Known { .. }) {
                return Err(refusal);
            }
            // The provider's code is used up: the cookie knows who it is from now on, for a few minutes.
            let known = Step::Known {
                party: party.id,
                subject,
                logout,
                factors,
            };
            let cookie = app.sign_ons.cookie(&tenant, &flow.known(known, now))?;
            let mut refusal = refusal.response(Language::of(&request));
            refusal
                .add_cookie(&cookies.set(Sort::SignOn, &cookie, flow::LIFETIME.num_seconds()))
                .map_err(ApiError::internal)?;
            return Ok(refusal);
        };
        let code = Zeroizing::new(code.to_string());
        let of = (&tenant_state, party.id);
        factor = second_factor::check_login(&request, &app, &attempt, &tenant, of, Some(&code)).await?;
    }
    let admitted = Admitted {
        party: party.clone(),
        password_of: password_of(&app, &tenant, party.id, &email).await?,
        factor,
        account: PartyDetails::normal_email(&email),
        attempt,
        way: "sign_on",
        provider: Some(provider.id),
        logout,
        session: Some(session),
    };
    let mut answer = open_session(&request, &app, &tenant, admitted, now).await?;
    answer
        .add_cookie(&cookies.remove(Sort::SignOn))
        .map_err(ApiError::internal)?;
    Ok(answer)
}

/// The tenant's provider of single sign-on.
#[utoipa::path(tag = "Session", operation_id = "getSignOn",
    responses((status = 200, description = "It.", body = SignOnSettings)))]
#[get("/api/settings/sign_on")]
async fn get_provider(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let (tenant_state, _) = app.journal.state(&caller.tenant).await?;
    Ok(HttpResponse::Ok().json(SignOnSettings::from(tenant_state.sign_on())))
}

/// Set the tenant's provider of single sign-on. Its discovery document is read at once. Another issuer is another provider:
/// its logins are bound anew, by their verified e-mail addresses. Where the change waits for an approval, so does a new client
/// secret: logins go on with the one in force.
#[utoipa::path(tag = "Session", operation_id = "setSignOn", request_body = SignOnProviderInput,
    responses((status = 200, description = "Set.", body = SignOnSettings)))]
#[put("/api/settings/sign_on")]
async fn set_provider(submit: Submit, body: JsonBody<SignOnProviderInput>) -> Result<HttpResponse, ApiError> {
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let input = body.into_inner();
    let (another, renewed) = (SignOnId::generate(), SignOnSecretId::generate());
    let amended = submit.amend(async |submit| {
        let (tenant_state, _) = app.journal.state(tenant).await?;
        let stands = tenant_state.sign_on();
        let change = input
            .clone()
            .merged(|| SignOnProviderInput::standing(stands))?
            .provider()?;
        let kept = stands.filter(|provider| provider.issuer == change.issuer).cloned();
        drop(tenant_state);
        if kept.is_none() && change.client_secret.is_none() {
            return Err(ApiError::invalid("clientSecret", "required"));
        }
        app.providers
            .document_now(&change.issuer)
            .await
            .map_err(|error| ApiError::invalid("issuer", at_issuer(error)))?;
        let mut secret = change.client_secret.as_ref().map(|secret| secret.as_str());
        if let (Some(kept), Some(given)) = (&kept, secret)
            && is_in_force(app, tenant, kept, given).await
        {
            secret = None;
        }
        let provider = SignOnProvider {
            id: kept.as_ref().map_or(another, |provider| provider.id),
            issuer: change.issuer,
            client_id: change.client_id,
            is_enabled: change.is_enabled,
            secret_id: match secret {
                Some(_) => Some(renewed),
                None => kept.and_then(|provider| provider.secret_id),
            },
        };
        let answer = SignOnSettings::from(Some(&provider));
        let command = Command::Tenant(TenantCommand::SetSignOn(Some(provider)));
        if let Some(secret) = secret
            && !submit.previews()
        {
            // Nothing is stored of whom may not set it.
            submit.check(command.clone()).await?;
            app.sign_ons.keep_secret(tenant, renewed, secret).await?;
        }
        submit.run(command).await?;
        Ok(answer)
    });
    let answer = amended.await?;
    forget_secrets(app, tenant).await;
    Ok(HttpResponse::Ok().json(answer))
}

/// Whether a secret is the one in force, which then stays under its id. One that can't be read is replaced.
async fn is_in_force(app: &App, tenant: &TenantId, provider: &SignOnProvider, secret: &str) -> bool {
    let known = app.sign_ons.secret(tenant, provider.secret()).await;
    known.is_ok_and(|known| known.is_some_and(|known| known.as_str() == secret))
}

/// End single sign-on. Sessions that were opened by it stay open.
#[utoipa::path(tag = "Session", operation_id = "removeSignOn", responses((status = 204, description = "Ended.")))]
#[delete("/api/settings/sign_on")]
async fn remove_provider(submit: Submit) -> Result<HttpResponse, ApiError> {
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let (tenant_state, _) = app.journal.state(tenant).await?;
    let ended = tenant_state.sign_on().map(SignOnProvider::secret);
    drop(tenant_state);
    submit.run(Command::Tenant(TenantCommand::SetSignOn(None))).await?;
    app.sign_ons.forget_secrets(tenant, ended.as_slice()).await?;
    app.sign_ons.unbind_all(tenant).await?;
    forget_secrets(app, tenant).await;
    Ok(HttpResponse::NoContent().finish())
}

/// Free a user for another login at the provider: its next login is bound anew, by its verified e-mail address.
#[utoipa::path(tag = "Session", operation_id = "unbindSignOn", params(("id" = uuid::Uuid, Path)),
    responses((status = 204, description = "Freed.")))]
#[delete("/api/users/{id}/sign_on")]
async fn unbind_sign_on(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    id: PathId,
) -> Result<HttpResponse, ApiError> {
    let (tenant_state, _) = app.journal.state(&caller.tenant).await?;
    let party = tenant_state
        .party(PartyId(id.0))
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    super::office::require_login(&tenant_state, &caller, party, Right::Write)?;
    app.sign_ons.unbind(&caller.tenant, party.id).await?;
    let notice = FactorNotice::SignOnFreed;
    second_factor::tell(&app, &caller.tenant, party.id, Language::of(&request), notice);
    Ok(HttpResponse::NoContent().finish())
}

/// Host of the provider that a login page may offer.
pub(super) fn offered(tenant_state: &TenantState) -> Option<String> {
    let provider = tenant_state.sign_on().filter(|provider| provider.is_enabled)?;
    Url::parse(&provider.issuer).ok()?.host_str().map(str::to_owned)
}

fn enabled(tenant_state: &TenantState) -> Result<&SignOnProvider, ApiError> {
    let provider = tenant_state.sign_on().filter(|provider| provider.is_enabled);
    provider.ok_or_else(|| ApiError::not_found("sign_on_off"))
}

/// Whether a provider is the tenant's, and switched on.
pub(super) fn admits(tenant_state: &TenantState, provider: SignOnId) -> bool {
    tenant_state
        .sign_on()
        .is_some_and(|present| present.id == provider && present.is_enabled)
}

fn require_admitting(tenant_state: &TenantState, provider: SignOnId) -> Result<(), ApiError> {
    if admits(tenant_state, provider) {
        return Ok(());
    }
    Err(ApiError::not_found("sign_on_off"))
}

/// The page's own origin, which browsers send and pages can't choose. The provider knows the addresses that it leads back to.
fn origin(request: &HttpRequest) -> Result<String, ApiError> {
    let sent = request.headers().get(ORIGIN).and_then(|value| value.to_str().ok());
    let url = sent.and_then(base_url::of_server);
    let url = url.ok_or_else(|| ApiError::unauthorized("sign_on_failed"))?;
    Ok(url.origin().ascii_serialization())
}

/// Who the provider says it is.
async fn told(
    app: &App,
    tenant: &TenantId,
    provider: &SignOnProvider,
    (nonce, verifier, redirect): (&str, &str, &str),
    code: &str,
    now: DateTime<Utc>,
) -> Result<IdToken, ApiError> {
    let secret = app.sign_ons.secret(tenant, provider.secret()).await?;
    let secret = secret.ok_or_else(|| ApiError::unauthorized("sign_on_failed"))?;
    let exchange = Exchange {
        code,
        verifier,
        redirect,
        secret: &secret,
    };
    let told = app.providers.exchange(provider, &exchange, nonce, now).await;
    told.map_err(|error| {
        tracing::warn!(%tenant, %error, "a login by single sign-on came to nothing");
        refused(error)
    })
}

/// The party of a login: the one that it is bound to, or the one of its verified address, to which it is bound then.
async fn party_of(
    app: &App,
    tenant: &TenantId,
    provider: SignOnId,
    told: &IdToken,
    now: DateTime<Utc>,
) -> Result<PartyId, ApiError> {
    if let Some(party) = app.sign_ons.party_of(tenant, provider, &told.sub).await? {
        return Ok(party);
    }
    let unknown = || ApiError::forbidden("sign_on_unknown");
    let email = told.verified_email().ok_or_else(unknown)?;
    let credential = app.journal.credential_by_email(tenant, email).await?;
    let party = credential.ok_or_else(unknown)?.party;
    let (tenant_state, _) = app.journal.state(tenant).await?;
    let is_active = |party: &&Party| party.is_active;
    tenant_state.party(party).filter(is_active).ok_or_else(unknown)?;
    require_admitting(&tenant_state, provider)?;
    if app.sign_ons.bind(tenant, provider, &told.sub, party, now).await? {
        // The end of a provider deletes the logins that were bound by then. One that is bound later sees the end here.
        let (tenant_state, _) = app.journal.state(tenant).await?;
        if let Err(ended) = require_admitting(&tenant_state, provider) {
            app.sign_ons.release(tenant, provider, &told.sub).await?;
            return Err(ended);
        }
        return Ok(party);
    }
    // Bound meanwhile by the same login, or to another one.
    match app.sign_ons.party_of(tenant, provider, &told.sub).await? {
        Some(bound) => Ok(bound),
        None => Err(ApiError::forbidden("sign_on_bound")),
    }
}

fn logout_url(document: &Document, provider: &SignOnProvider, redirect: &str) -> Option<String> {
    let mut url = Url::parse(document.end_session_endpoint.as_deref()?).ok()?;
    let home = redirect.strip_suffix(RETURN_PATH)?;
    url.query_pairs_mut()
        .append_pair("client_id", &provider.client_id)
        .append_pair("post_logout_redirect_uri", &format!("{home}/"));
    Some(url.into())
}

const fn at_issuer(error: ProviderError) -> &'static str {
    match error {
        ProviderError::AddressNotPublic => "url_not_public",
        ProviderError::Unreachable => "sign_on_unreachable",
        ProviderError::NotOpenId | ProviderError::CodeRefused | ProviderError::TokenInvalid => "sign_on_issuer_invalid",
    }
}

fn refused(error: ProviderError) -> ApiError {
    match error {
        ProviderError::Unreachable => ApiError::unavailable("sign_on_unreachable"),
        _ => ApiError::unauthorized("sign_on_failed"),
    }
}
