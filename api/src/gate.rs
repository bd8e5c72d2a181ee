//! The gate: every call to the API passes the policy table and, unless it is public, shows a token.

use crate::{
    app::App,
    auth::tokens::Claims,
    extract::{Caller, min_position, tenant_of},
    policy::{self, Access, Verdict},
    preview,
    problem::ApiError,
    submit::key_of,
};
use actix_web::{
    HttpMessage as _, HttpRequest,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode,
        header::{AUTHORIZATION, HeaderName, HeaderValue},
    },
    middleware::Next,
};
use caudal_journal::SubmitError;

/// The header of answers about a tenant in quarantine, and its value.
const LOG_STATE: &str = "x-log-state";
const DIVERGED: &str = "diverged";

/// Where the API's calls are; all else is the interface, and what the operator looks at.
const API: &str = "/api/";

/// What looks into a log in question, and changes nothing in it.
const AUDIT: &str = "/api/audit/";

/// What the API says about itself, to everybody.
const DOCUMENTS: &[&str] = &["/api/openapi.json", "/api/docs"];

/// Middleware: 404, 405, 401, 403 and what is wrong with the headers come from here, before a handler or an extractor looks at the request.
pub async fn check<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    if let Err(refusal) = admit(&request).await {
        return Ok(request.error_response(refusal).map_into_right_body());
    }
    let response = next.call(request).await?;
    if is_refused_on_a_log_in_question(&response) {
        return Ok(response
            .error_response(ApiError::from(SubmitError::Quarantined))
            .map_into_right_body());
    }
    Ok(response.map_into_left_body())
}

/// Whether a write was refused for what is or is not there, while the tenant's log is in question: what was committed may
/// be missing from a database that went back, so that the refusal would tell of lost history as if it were so.
fn is_refused_on_a_log_in_question<B>(response: &ServiceResponse<B>) -> bool {
    let judged = [
        StatusCode::NOT_FOUND,
        StatusCode::CONFLICT,
        StatusCode::UNPROCESSABLE_ENTITY,
    ];
    let request = response.request();
    if !judged.contains(&response.status()) || request.method().is_safe() || request.path().starts_with(AUDIT) {
        return false;
    }
    let caller = request.extensions().get::<Caller>().map(|caller| caller.tenant.clone());
    let (Some(tenant), Ok(app)) = (caller, App::of(request)) else {
        return false;
    };
    app.journal.quarantined(&tenant).is_some()
}

/// Middleware: marks an answer about a tenant in quarantine, whatever it is: what it shows may lack or contain what is in
/// dispute. It is outside of the middleware that writes problems, which makes those answers anew.
pub async fn mark<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let mut response = next.call(request).await?;
    if !response.request().path().starts_with(API) {
        return Ok(response);
    }
    let of = (App::of(response.request()), tenant_of(response.request()));
    if let (Ok(app), Ok(tenant)) = of
        && app.journal.quarantined(&tenant).is_some()
    {
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static(LOG_STATE), HeaderValue::from_static(DIVERGED));
    }
    Ok(response)
}

async fn admit(request: &ServiceRequest) -> Result<(), ApiError> {
    let path = request.path();
    if !path.starts_with(API) || is_document(path) {
        return Ok(());
    }
    match policy::look_up(request.method().as_str(), path) {
        Verdict::Unknown => Err(ApiError::not_found("route_unknown")),
        Verdict::OtherMethods => Err(ApiError::method_not_allowed(policy::methods(path))),
        Verdict::Known(Access::Public) => check_headers(request),
        Verdict::Known(Access::Roles(roles)) => {
            let caller = authenticate(request.request()).await?;
            if !roles.contains(&caller.role) {
                return Err(ApiError::forbidden("role_not_allowed"));
            }
            if request.method() != Method::GET {
                App::of(request.request())?.writers.admit(&caller)?;
            }
            request.extensions_mut().insert(caller);
            check_headers(request)
        }
    }
}

/// Headers that say nothing are refused, also where a call has no use for them.
fn check_headers(request: &ServiceRequest) -> Result<(), ApiError> {
    let request = request.request();
    tenant_of(request)?;
    if request.method() == Method::GET {
        min_position(request)?;
    } else {
        key_of(request)?;
        preview::is_asked(request)?;
    }
    Ok(())
}

fn is_document(path: &str) -> bool {
    DOCUMENTS.iter().any(|document| {
        path.strip_prefix(document)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// What the token of a request says, where it shows a good one.
pub fn claims(request: &HttpRequest, app: &App) -> Option<Claims> {
    app.tokens.verify(bearer(request).ok()?).ok()
}

fn bearer(request: &HttpRequest) -> Result<&str, ApiError> {
    let header = request
        .headers()
        .get(AUTHORIZATION)
        .ok_or_else(|| ApiError::unauthorized("token_missing"))?;
    header
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .ok_or_else(|| ApiError::unauthorized("token_invalid"))
}

async fn authenticate(request: &HttpRequest) -> Result<Caller, ApiError> {
    let app = App::of(request)?;
    let claims = app.tokens.verify(bearer(request)?)?;
    if claims.tenant != tenant_of(request)? {
        return Err(ApiError::unauthorized("token_of_another_tenant"));
    }
    app.callers.identify(&claims).await
}
