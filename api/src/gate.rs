//! The gate: authentication and authorisation of every API call by the policy table.

use crate::{
    app::App,
    auth::{api_keys::ApiKeys, tokens::TokenClaims},
    cluster,
    extract::{Caller, QueryFields, min_position, tenant_of},
    fresh_code, listing,
    policy::{self, Access, FreshCode, Row, Verdict},
    preview,
    problem::ApiError,
    recorded_calls,
    request_id::Acting,
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
use std::net::IpAddr;

/// Header, with its value, on answers about a quarantined tenant.
const LOG_STATE: &str = "x-log-state";
const DIVERGED: &str = "diverged";

/// Prefix of API paths; other paths belong to the interface and to operators.
const API: &str = "/api/";

/// Auditor's calls: readable during a quarantine.
const AUDIT: &str = "/api/audit/";

/// The API's own documentation, public.
const DOCUMENTS: &[&str] = &["/api/openapi.json", "/api/docs"];

/// Middleware: 404, 405, 401, 403 and malformed headers are answered here, before any handler or extractor.
pub async fn check<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    if let Err(refusal) = admit(&request).await {
        return Ok(request.error_response(refusal).map_into_right_body());
    }
    let response = next.call(request).await?;
    if let Err(refusal) = recorded_calls::record(&response).await {
        return Ok(response.error_response(refusal).map_into_right_body());
    }
    if is_refused_on_a_log_in_question(&response) {
        return Ok(response
            .error_response(ApiError::from(SubmitError::Quarantined))
            .map_into_right_body());
    }
    Ok(response.map_into_left_body())
}

/// Whether a write was refused because of existing or missing data while the tenant is quarantined: after a rollback of
/// the database the refusal could present lost history as fact.
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

/// Middleware: marks all answers about a quarantined tenant. Outside of the middleware that renders problems, which
/// replaces answers.
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
        Verdict::Known(row) if row.access == Access::Public => check_headers(request),
        Verdict::Known(row) => {
            let caller = authenticate(request.request(), row).await?;
            request.extensions_mut().insert(Acting::from(&caller));
            permit(row, &caller)?;
            require_reading(request.request(), row, &caller)?;
            if request.method() != Method::GET {
                App::of(request.request())?.writers.admit(&caller)?;
            }
            check_headers(request)?;
            require_fresh_code(request.request(), row, &caller).await?;
            recorded_calls::expect(request, row, &caller, App::of(request.request())?.now());
            request.extensions_mut().insert(caller);
            Ok(())
        }
    }
}

/// Whether the caller may make a call.
fn permit(row: &Row, caller: &Caller) -> Result<(), ApiError> {
    if !row.access.admits(caller.role) {
        return Err(ApiError::forbidden("role_not_allowed"));
    }
    if let Some(lacking) = row.lacking(caller.permissions) {
        return Err(ApiError::forbidden("permission_missing").with("permission", lacking));
    }
    if caller.must_enrol && !row.before_enrolment {
        return Err(ApiError::forbidden("second_factor_enrolment_required"));
    }
    Ok(())
}

/// Refuses a manager who sees as another all but reading: every other method, and what would need a fresh code of the party.
/// The end is excepted.
fn require_reading(request: &HttpRequest, row: &Row, caller: &Caller) -> Result<(), ApiError> {
    if caller.viewer.is_none() || row.ends_viewing {
        return Ok(());
    }
    if request.method() != Method::GET || needs_code(request, row)? {
        return Err(ApiError::forbidden("seeing_as_reads_only"));
    }
    Ok(())
}

/// Whether a call by its row and query needs a fresh code of who has a second factor.
fn needs_code(request: &HttpRequest, row: &Row) -> Result<bool, ApiError> {
    let query = request.query_string();
    match row.fresh_code {
        FreshCode::Never => Ok(false),
        FreshCode::Always => Ok(true),
        FreshCode::ForFile => Ok(QueryFields::read(query)?.get(listing::FORMAT).is_some()),
        FreshCode::ForWhole => listing::is_whole(query),
    }
}

/// Refuses a call whose row needs a fresh code, unless the session gave one lately. Previews need none: they have no effect.
async fn require_fresh_code(request: &HttpRequest, row: &Row, caller: &Caller) -> Result<(), ApiError> {
    if needs_code(request, row)? && (request.method() == Method::GET || !preview::is_asked(request)?) {
        let app = App::of(request)?;
        fresh_code::require(&app, caller).await?;
    }
    Ok(())
}

/// Rejects malformed headers, also on calls that do not use them.
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

/// Checks a request with an API key that is about to be forwarded: the other node knows neither the client's address nor
/// how much of the key's rate is used here.
///
/// # Errors
/// What the gate would refuse; nothing for sessions, which the other node checks.
pub async fn check_key_here(request: &HttpRequest) -> Result<(), ApiError> {
    let with_key = bearer(request).is_ok_and(ApiKeys::is_key);
    match policy::look_up(request.method().as_str(), request.path()) {
        Verdict::Known(row) if with_key => authenticate(request, row).await.map(drop),
        _ => Ok(()),
    }
}

/// Claims of a request's valid token.
pub fn claims(request: &HttpRequest, app: &App) -> Option<TokenClaims> {
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

/// The caller of a request that has waited since the gate admitted it. Takes nothing from the rate of an API key.
///
/// # Errors
/// 401 and 403 where session, key, party or role were ended meanwhile.
pub async fn identify_again(request: &HttpRequest) -> Result<Caller, ApiError> {
    let Verdict::Known(row) = policy::look_up(request.method().as_str(), request.path()) else {
        return Err(ApiError::not_found("route_unknown"));
    };
    let caller = identify(request, row, None).await?;
    permit(row, &caller)?;
    Ok(caller)
}

async fn authenticate(request: &HttpRequest, row: &Row) -> Result<Caller, ApiError> {
    let app = App::of(request)?;
    // The node that forwarded the request has judged the client's address, which is not its own.
    let address = (!cluster::is_forwarded_by_node(request)).then(|| app.proxies.client(request));
    identify(request, row, address).await
}

/// The caller. Of an API key, network and rate are checked for the client's `address`; with `None` neither is.
async fn identify(request: &HttpRequest, row: &Row, address: Option<IpAddr>) -> Result<Caller, ApiError> {
    let app = App::of(request)?;
    let token = bearer(request)?;
    if ApiKeys::is_key(token) {
        return app.api_keys.identify(&tenant_of(request)?, token, row, address).await;
    }
    let claims = app.tokens.verify(token)?;
    if claims.tenant != tenant_of(request)? {
        return Err(ApiError::unauthorized("token_of_another_tenant"));
    }
    app.callers.identify(&claims).await
}
