//! API errors: RFC 9457 problem details with stable codes and texts in the caller's language.
//!
//! Handlers return `Result<_, ApiError>`; `?` converts refusals of the domain, the journal and the read models. Only
//! [`render`], a middleware around everything, writes a problem's body, so that framework errors (an unknown route, a
//! body too large) look the same. Internal causes are logged, never sent.

mod convert;
mod render;

pub use render::render;

use crate::{
    catalogue::{self, TextTemplate},
    figures::{FiguresView, PREFERENCE, PreviewView, Warning},
    language::Language,
};
use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use caudal_domain::{FieldError, Refusal, refusal::Params};
use caudal_journal::WithCauses;
use caudal_projections::proposal::Proposal;
use serde::Serialize;
use std::{borrow::Cow, fmt, time::Duration};
use utoipa::ToSchema;

/// Code of a change whose record was changed concurrently.
const CHANGED_MEANWHILE: &str = "changed_meanwhile";

/// `Retry-After` of full queues and lagging read models.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// RFC 9457 problem details.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// URI of the code.
    #[serde(rename = "type")]
    #[schema(example = "urn:caudal:problem:invalid")]
    pub kind: String,
    /// Title of the status, in the caller's language.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// Stable; listed in the documentation.
    #[schema(example = "invalid")]
    pub code: String,
    /// Text in the caller's language (`Accept-Language`).
    pub detail: String,
    /// Values of placeholders in `detail`, with the template: for clients that format values themselves.
    #[serde(flatten)]
    pub said: TextTemplate,
    /// Errors per field; empty unless the request is invalid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// Current figures, for `quote_changed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub figures: Option<FiguresView>,
    /// Figures of the proposal, for `quote_changed` of an approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub proposed: Option<FiguresView>,
}

/// An error of one field of the request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldProblem {
    /// Path of the field as in the request, such as `paymentGroups[0].exchangeRate`.
    pub field: String,
    /// Stable code, such as `balance_insufficient`; `docs/errors.md` lists all.
    pub code: String,
    /// Text in the caller's language (`Accept-Language`).
    pub detail: String,
    /// For `changed_since_read`: the current value, null when empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<serde_json::Value>,
    /// Values of placeholders in `detail`.
    #[serde(flatten)]
    pub said: TextTemplate,
}

/// An API error, or the requested preview in place of an effect.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    code: Cow<'static, str>,
    params: Params,
    errors: Vec<FieldError>,
    retry_after: Option<Duration>,
    more: Option<Box<More>>,
}

/// Additional content of the answer.
#[derive(Clone, Debug)]
enum More {
    /// Methods of the path.
    Allow(String),
    /// Current values per error, for conflicts. Sent to the caller, never logged.
    Now(Vec<serde_json::Value>),
    /// Current figures, and those of the proposal.
    Figures(FiguresView, Option<FiguresView>),
    /// The requested preview.
    Preview(PreviewView),
    /// The command waits for an approval.
    Proposed(Box<Proposal>, i64),
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str) -> Self {
        Self {
            status,
            code: Cow::Borrowed(code),
            params: Params::new(),
            errors: Vec::new(),
            retry_after: None,
            more: None,
        }
    }

    /// A preview (200), returned in place of the handler's answer.
    pub fn previewed(view: PreviewView) -> Self {
        Self {
            more: Some(Box::new(More::Preview(view))),
            ..Self::new(StatusCode::OK, PREFERENCE)
        }
    }

    /// A command that waits for an approval (202), returned in place of the handler's answer.
    pub fn proposed(proposal: Proposal, position: i64) -> Self {
        Self {
            more: Some(Box::new(More::Proposed(Box::new(proposal), position))),
            ..Self::new(StatusCode::ACCEPTED, "proposed")
        }
    }

    /// Whether the command waits for an approval.
    pub fn is_proposed(&self) -> bool {
        self.status == StatusCode::ACCEPTED
    }

    /// The requested preview, if any.
    pub fn preview(&self) -> Option<&PreviewView> {
        match self.more.as_deref() {
            Some(More::Preview(view)) => Some(view),
            _ => None,
        }
    }

    /// Adds a warning to a preview.
    #[must_use]
    pub fn warned(mut self, warning: Warning) -> Self {
        if let Some(More::Preview(view)) = self.more.as_deref_mut() {
            view.warn(warning);
        }
        self
    }

    /// Adds what another command of the request would do to a preview.
    #[must_use]
    pub fn with_preview(mut self, other: PreviewView) -> Self {
        if let Some(More::Preview(view)) = self.more.as_deref_mut() {
            view.extend(other);
        }
        self
    }

    /// 400: unreadable request.
    pub fn unreadable(code: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code)
    }

    /// 401: not authenticated.
    pub fn unauthorized(code: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code)
    }

    /// 403: the caller's role forbids it.
    pub fn forbidden(code: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code)
    }

    /// 404: not found in the caller's scope.
    pub fn not_found(code: &'static str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code)
    }

    /// 405: the route has other methods.
    pub fn method_not_allowed(allow: String) -> Self {
        Self {
            more: Some(Box::new(More::Allow(allow))),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed")
        }
    }

    /// 408: the request took too long to arrive.
    pub fn timed_out() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "request_timeout")
    }

    /// 409: the current state forbids it.
    pub fn conflict(code: &'static str) -> Self {
        Self::new(StatusCode::CONFLICT, code)
    }

    /// 409: fields changed since they were read, each with its current value.
    pub fn changed_since_read(fields: Vec<(Cow<'static, str>, serde_json::Value)>) -> Self {
        let code = "changed_since_read";
        let error = |field: Cow<'static, str>| FieldError {
            field,
            code,
            params: Params::new(),
        };
        let (errors, now) = fields.into_iter().map(|(field, now)| (error(field), now)).unzip();
        Self {
            errors,
            more: Some(Box::new(More::Now(now))),
            ..Self::conflict("changed_since_read")
        }
    }

    /// 413: the body exceeds its limit.
    pub fn too_large(limit: usize) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").with("max", limit)
    }

    /// 431: the request's head exceeds its limit.
    pub fn head_too_large(limit: usize) -> Self {
        Self::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large").with("max", limit)
    }

    /// 415: unsupported media type.
    pub fn media_type(code: &'static str) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code)
    }

    /// 422: one field error.
    pub fn invalid(field: impl Into<Cow<'static, str>>, code: &'static str) -> Self {
        Refusal::invalid(field, code).into()
    }

    /// 422: several field errors.
    pub fn all_invalid(errors: Vec<FieldError>) -> Self {
        Refusal::all_invalid(errors).into()
    }

    /// 422: the request as a whole is invalid.
    pub fn unprocessable(code: &'static str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code)
    }

    /// 429: too many attempts.
    pub fn too_many(retry_after: Duration) -> Self {
        Self::too_fast("too_many_attempts", retry_after)
    }

    /// 429: beyond the caller's rate or quota.
    pub fn too_fast(code: &'static str, retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, code)
        }
    }

    /// 503: temporarily unavailable.
    pub fn unavailable(code: &'static str) -> Self {
        Self {
            retry_after: Some(RETRY_AFTER),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code)
        }
    }

    /// 500: internal error. Logged with its cause, which the caller does not see.
    pub fn internal(error: impl std::error::Error + 'static) -> Self {
        tracing::error!(
            error = %WithCauses(&error),
            "a request failed"
        );
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal")
    }

    /// A request that panicked (500); what the panic said is logged by the caller.
    pub fn panicked() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal")
    }

    /// Adds a placeholder.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.params.insert(name, value.to_string());
        self
    }

    pub fn code(&self) -> &str {
        &self.code
    }

    /// Errors of fields.
    pub fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// Whether the record was changed concurrently, so that the change can be repeated.
    pub fn is_changed_meanwhile(&self) -> bool {
        self.code == CHANGED_MEANWHILE
    }

    /// Whether it has the present values of a record.
    pub fn tells_present_values(&self) -> bool {
        matches!(self.more.as_deref(), Some(More::Now(_)))
    }

    /// Whether a rule refused it, and a repetition would be refused too.
    pub fn is_refused(&self) -> bool {
        self.status.is_client_error()
    }

    /// Whether another request has used its idempotency key.
    pub fn is_key_reused(&self) -> bool {
        self.code == "idempotency_key_reused"
    }

    pub fn is_not_found(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// Problem details in a language.
    pub fn problem(&self, language: Language) -> Problem {
        let errors = self.errors.iter().enumerate().map(|(index, error)| FieldProblem {
            now: match self.more.as_deref() {
                Some(More::Now(values)) => values.get(index).cloned(),
                _ => None,
            },
            field: error.field.to_string(),
            code: error.code.to_owned(),
            detail: catalogue::text(error.code, language, &error.params),
            said: TextTemplate::of(error.code, language, &error.params),
        });
        let (figures, proposed) = match self.more.as_deref() {
            Some(More::Figures(figures, proposed)) => (Some(*figures), *proposed),
            _ => (None, None),
        };
        Problem {
            kind: format!("urn:caudal:problem:{}", self.code),
            title: catalogue::title(self.status.as_u16(), language).to_owned(),
            status: self.status.as_u16(),
            code: self.code.to_string(),
            detail: catalogue::text(&self.code, language, &self.params),
            said: TextTemplate::of(&self.code, language, &self.params),
            errors: errors.collect(),
            figures,
            proposed,
        }
    }

    /// The complete answer in a language.
    pub fn response(&self, language: Language) -> HttpResponse {
        if let Some(preview) = self.preview() {
            return HttpResponse::Ok()
                .insert_header(("preference-applied", PREFERENCE))
                .insert_header((header::CONTENT_LANGUAGE, language.as_str()))
                .insert_header((header::CACHE_CONTROL, "no-store"))
                .json(preview);
        }
        if let Some(More::Proposed(proposal, position)) = self.more.as_deref() {
            return HttpResponse::Accepted()
                .insert_header((crate::notes::POSITION, *position))
                .insert_header((header::LOCATION, format!("/api/proposals/{}", proposal.id)))
                .insert_header((header::CACHE_CONTROL, "no-store"))
                .json(proposal);
        }
        let mut response = HttpResponse::build(self.status);
        if let Some(wait) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, wait.as_secs().max(1)));
        }
        if let Some(More::Allow(allow)) = self.more.as_deref() {
            response.insert_header((header::ALLOW, allow.as_str()));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        let problem = self.problem(language);
        // Cannot fail: texts and numbers only.
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        response
            .insert_header((header::CONTENT_TYPE, "application/problem+json"))
            .insert_header((header::CONTENT_LANGUAGE, language.as_str()))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .body(body)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status.as_u16(), self.code)
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        // For answers outside of [`render`], which renders again in the caller's language.
        self.response(Language::default())
    }
}

/// A refusal printed by the `caudal` command, in English.
#[derive(Debug)]
pub struct Refused(pub Refusal);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = ApiError::from(self.0.clone()).problem(Language::English);
        match problem.errors.first() {
            Some(error) => write!(f, "{}: {}", error.field, error.detail),
            None => f.write_str(&problem.detail),
        }
    }
}

impl std::error::Error for Refused {}
