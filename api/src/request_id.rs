//! Request id: in log lines, events and answers. The span of a request, with its trace.

use crate::{
    extract::Caller,
    notes::Notes,
    telemetry::{Request, TraceContext, Traces, Value, since_click},
};
use actix_web::{
    HttpMessage as _, HttpRequest,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue},
    },
    middleware::Next,
};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::TRACED;
use std::time::{Duration, Instant};
use tracing::{Instrument as _, Span};
use uuid::Uuid;

/// Header of requests and answers.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone, Copy, Debug)]
struct RequestId(Uuid);

/// Whose token or key a request has, for the log: also of one that is refused then.
#[derive(Clone, Debug)]
pub struct Acting {
    tenant: TenantId,
    party: PartyId,
    /// Session, or API key.
    session: Uuid,
}

impl From<&Caller> for Acting {
    fn from(caller: &Caller) -> Self {
        Self {
            tenant: caller.tenant.clone(),
            // The manager, while seeing as another.
            party: caller.viewer.as_ref().map_or(caller.party, |viewer| viewer.party),
            session: caller.session,
        }
    }
}

pub fn of(request: &HttpRequest) -> Uuid {
    request
        .extensions()
        .get::<RequestId>()
        .map_or_else(Uuid::now_v7, |id| id.0)
}

/// Least status that says that the server failed.
const FAILED: u16 = 500;

/// Prefix of the paths whose requests are traced; the interface's files and the health checks would hide them.
const API: &str = "/api/";

/// Header of requests to other nodes: this request is their caller in its trace.
pub fn trace_parent(request: &HttpRequest) -> Option<String> {
    request.extensions().get::<TraceContext>().map(TraceContext::header)
}

/// Middleware: assigns the id (the caller's, if a UUID), logs, counts and traces the request. Address, query and body are
/// not logged: they may contain personal data.
pub async fn trace<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let sent = request
        .headers()
        .get(HEADER)
        .and_then(|value| Uuid::parse_str(value.to_str().ok()?).ok());
    let id = sent.unwrap_or_else(Uuid::now_v7);
    request.extensions_mut().insert(RequestId(id));
    let method = request.method().clone();
    // The pattern, not the path, which may contain an e-mail address or id.
    let route = crate::policy::pattern(request.path());
    let context = TraceContext::of(request.headers(), id);
    request.extensions_mut().insert(context);
    let span = tracing::info_span!(target: TRACED, "request", %id, %method, trace = hex::encode(context.trace));
    if request.path().starts_with(API) {
        let begun = Request {
            context,
            name: format!("{} {route}", known_method(&method)),
            since_click: since_click(request.headers()),
        };
        Traces::begin(&span, begun);
    }
    let started = Instant::now();
    let answer = next.call(request).instrument(span.clone()).await;
    let _entered = span.enter();
    let status = match &answer {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    let waited = answer
        .as_ref()
        .map_or(Duration::ZERO, |response| Notes::of(response.request()).waiting_time());
    let (status, elapsed) = (status.as_u16(), started.elapsed().saturating_sub(waited));
    let acting = answer
        .as_ref()
        .ok()
        .and_then(|response| response.request().extensions().get::<Acting>().cloned());
    let milliseconds = elapsed.as_millis() as u64;
    match acting {
        Some(Acting { tenant, party, session }) => {
            tracing::info!(route, status, milliseconds, %tenant, %party, %session, "answered");
        }
        None => tracing::info!(route, status, milliseconds, "answered"),
    }
    count(known_method(&method), route, status, elapsed);
    if let Ok(response) = &answer {
        note(&span, response.request(), (known_method(&method), route, status), id);
    }
    let mut response = answer?;
    if !is_kept_for_good(response.headers()) {
        response.headers_mut().insert(HEADER, value(id));
    }
    Ok(response)
}

/// Adds to the span of a request what is known at its end. The tenant is the authenticated caller's.
fn note(span: &Span, request: &HttpRequest, (method, route, status): (&'static str, &str, u16), id: Uuid) {
    let text = |text: &str| Value::Text(text.to_owned());
    let mut attributes = vec![
        ("http.request.method", text(method)),
        ("http.route", text(route)),
        ("http.response.status_code", Value::Number(status.into())),
        ("caudal.request_id", Value::Text(id.to_string())),
    ];
    let tenant = request
        .extensions()
        .get::<Caller>()
        .map(|caller| caller.tenant.to_string());
    attributes.extend(tenant.map(|tenant| ("caudal.tenant", Value::Text(tenant))));
    let position = Notes::of(request).position();
    attributes.extend(position.map(|position| ("caudal.ledger_position", Value::Number(position))));
    Traces::note(span, attributes, status >= FAILED);
}

/// Whether browsers answer later requests from this response: its id would be told for theirs.
fn is_kept_for_good(headers: &HeaderMap) -> bool {
    let control = headers.get(CACHE_CONTROL).and_then(|control| control.to_str().ok());
    control.is_some_and(|control| control.contains("immutable"))
}

/// Counts a request. The histogram has a few series alone: a histogram for each route has ten thousand. What a route takes on
/// average is `caudal_http_microseconds_total` by `caudal_http_requests_total`.
fn count(method: &'static str, route: &str, status: u16, elapsed: Duration) {
    let kind = match method {
        "GET" | "HEAD" | "OPTIONS" => "read",
        _ => "write",
    };
    let (route, micros) = (route.to_owned(), elapsed.as_micros() as u64);
    metrics::histogram!("caudal_http_seconds", "kind" => kind).record(elapsed.as_secs_f64());
    metrics::counter!("caudal_http_microseconds_total", "method" => method, "route" => route.clone()).increment(micros);
    let status = status.to_string();
    metrics::counter!("caudal_http_requests_total", "method" => method, "route" => route, "status" => status)
        .increment(1);
}

/// An id as the header has it.
pub fn value(id: Uuid) -> HeaderValue {
    HeaderValue::from_str(&id.to_string()).unwrap_or(HeaderValue::from_static(""))
}

/// Method as a metrics label; unknown ones share one.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
