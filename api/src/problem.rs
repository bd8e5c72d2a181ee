//! Errors as the caller sees them: RFC 9457 problem details with stable codes and texts in the caller's language.
//!
//! Handlers answer `Result<_, ApiError>`; `?` turns refusals of the domain, of the journal and of the read models into
//! one. [`render`] is the only place that writes a problem's body, as a middleware around everything, so that errors of
//! the framework (an unknown route, a body too large) look the same. What failed inside goes to the log and never out.

use crate::{catalogue, extract::Language};
use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    body::{BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header},
    middleware::Next,
};
use caudal_domain::{FieldError, Refusal, RefusalKind, refusal::Params};
use caudal_journal::{JournalError, SubmitError};
use caudal_postgres::DatabaseError;
use caudal_projections::ReadError;
use serde::Serialize;
use std::{borrow::Cow, fmt, time::Duration};
use utoipa::ToSchema;

/// When a caller that found no room or no figures yet should try again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// RFC 9457 problem details.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Names the code as a URI.
    #[serde(rename = "type")]
    #[schema(example = "urn:caudal:problem:invalid")]
    pub kind: String,
    /// What sort of problem it is, in the caller's language.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// Stable; listed in the documentation.
    #[schema(example = "invalid")]
    pub code: String,
    /// In the caller's language.
    pub detail: String,
    /// The fields at fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
}

/// What is wrong with one field of the request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldProblem {
    /// Path of the field as the request names it, for example `paymentGroups[0].exchangeRate`.
    pub field: String,
    /// Stable.
    pub code: String,
    /// In the caller's language.
    pub detail: String,
}

/// Why a request fails.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    code: Cow<'static, str>,
    params: Params,
    errors: Vec<FieldError>,
    retry_after: Option<Duration>,
    allow: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str) -> Self {
        Self {
            status,
            code: Cow::Borrowed(code),
            params: Params::new(),
            errors: Vec::new(),
            retry_after: None,
            allow: None,
        }
    }

    /// The request can't be read (400).
    pub fn unreadable(code: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code)
    }

    /// Nobody is logged in (401).
    pub fn unauthorized(code: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code)
    }

    /// The caller's role does not allow it (403).
    pub fn forbidden(code: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code)
    }

    /// No such thing in the caller's scope (404).
    pub fn not_found(code: &'static str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code)
    }

    /// The route has other methods (405).
    pub fn method_not_allowed(allow: String) -> Self {
        Self {
            allow: Some(allow),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed")
        }
    }

    /// The request took too long to arrive (408).
    pub fn timed_out() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "request_timeout")
    }

    /// The state of things does not allow it (409).
    pub fn conflict(code: &'static str) -> Self {
        Self::new(StatusCode::CONFLICT, code)
    }

    /// The body is beyond its limit (413).
    pub fn too_large(limit: usize) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").with("max", limit)
    }

    /// The head of the request is beyond its limit (431).
    pub fn head_too_large(limit: usize) -> Self {
        Self::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large").with("max", limit)
    }

    /// The body is not of a type that is read here (415).
    pub fn media_type(code: &'static str) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code)
    }

    /// A field breaks a rule (422).
    pub fn invalid(field: impl Into<Cow<'static, str>>, code: &'static str) -> Self {
        Refusal::invalid(field, code).into()
    }

    /// Several fields break rules (422).
    pub fn all_invalid(errors: Vec<FieldError>) -> Self {
        Refusal::all_invalid(errors).into()
    }

    /// The request as a whole is not valid (422).
    pub fn unprocessable(code: &'static str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code)
    }

    /// Too many attempts (429).
    pub fn too_many(retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts")
        }
    }

    /// Not now (503).
    pub fn unavailable(code: &'static str) -> Self {
        Self {
            retry_after: Some(RETRY_AFTER),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code)
        }
    }

    /// Something failed that should not (500). The operator is told what, the caller is not.
    pub fn internal(error: impl std::error::Error + 'static) -> Self {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            causes = causes(&error),
            "a request failed"
        );
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal")
    }

    /// Adds a value for the text.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.params.insert(name, value.to_string());
        self
    }

    /// Its stable code.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Whether there is no such thing for the caller.
    pub fn is_not_found(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// Its texts in a language.
    pub fn problem(&self, language: Language) -> Problem {
        let errors = self.errors.iter().map(|error| FieldProblem {
            field: error.field.to_string(),
            code: error.code.to_owned(),
            detail: catalogue::text(error.code, language, &error.params),
        });
        Problem {
            kind: format!("urn:caudal:problem:{}", self.code),
            title: catalogue::title(self.status.as_u16(), language).to_owned(),
            status: self.status.as_u16(),
            code: self.code.to_string(),
            detail: catalogue::text(&self.code, language, &self.params),
            errors: errors.collect(),
        }
    }

    /// The whole answer in a language.
    pub fn response(&self, language: Language) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if let Some(wait) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, wait.as_secs().max(1)));
        }
        if let Some(allow) = &self.allow {
            response.insert_header((header::ALLOW, allow.as_str()));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        let problem = self.problem(language);
        // Texts and numbers only: there is nothing in it that JSON could not say.
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        response
            .insert_header((header::CONTENT_TYPE, "application/problem+json"))
            .insert_header((header::CONTENT_LANGUAGE, language.as_str()))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .body(body)
    }
}

/// The causes of an error, which its own text does not repeat.
pub fn causes(error: &dyn std::error::Error) -> String {
    let mut text = String::new();
    let mut next = error.source();
    while let Some(cause) = next {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
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
        // For what is answered outside of [`render`], which does it again in the caller's language.
        self.response(Language::default())
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.kind {
            RefusalKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            RefusalKind::Conflict => StatusCode::CONFLICT,
            RefusalKind::Forbidden => StatusCode::FORBIDDEN,
            RefusalKind::NotFound => StatusCode::NOT_FOUND,
        };
        Self {
            params: refusal.params,
            errors: refusal.errors,
            ..Self::new(status, refusal.code)
        }
    }
}

impl From<SubmitError> for ApiError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Refused(refusal) => refusal.into(),
            SubmitError::KeyInvalid => Self::unprocessable("idempotency_key_invalid"),
            SubmitError::KeyReused => Self::unprocessable("idempotency_key_reused"),
            SubmitError::UnknownTenant => Self::unauthorized("tenant_unknown"),
            SubmitError::Busy { retry_after } => Self {
                retry_after: Some(retry_after),
                ..Self::unavailable("busy")
            },
            SubmitError::Unavailable {
                retry_after,
                ref source,
            } => {
                if let Some(source) = source {
                    tracing::error!(error = %source, causes = causes(source.as_ref()), "the journal is not available");
                }
                Self {
                    retry_after: Some(retry_after),
                    ..Self::unavailable("unavailable")
                }
            }
            SubmitError::OutcomeUnknown => Self::unavailable("outcome_unknown"),
            other => Self::internal(other),
        }
    }
}

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Refused(refusal) => refusal.into(),
            ReadError::NotYet { .. } => Self::unavailable("not_yet_projected"),
            ReadError::Database(error) => error.into(),
            ReadError::Begin(error) => error.into(),
        }
    }
}

impl From<JournalError> for ApiError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::UnknownTenant(_) => Self::unauthorized("tenant_unknown"),
            JournalError::Database(error) => error.into(),
            JournalError::Begin(error) => error.into(),
            other => Self::internal(other),
        }
    }
}

impl From<DatabaseError> for ApiError {
    fn from(error: DatabaseError) -> Self {
        tracing::error!(error = %error, causes = causes(&error), "the database is not available");
        Self::unavailable("unavailable")
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                tracing::error!(error = %error, "the database is not available");
                Self::unavailable("unavailable")
            }
            other => Self::internal(other),
        }
    }
}

/// Middleware: writes every error that goes out as a problem in the caller's language.
pub async fn render<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    // What is inside answers refusals as responses: the router needs the request for itself, so that nothing of it can
    // be kept here for an error that comes without one.
    next.call(request).await.map(rendered)
}

fn rendered<B: MessageBody + 'static>(response: ServiceResponse<B>) -> ServiceResponse<EitherBody<B, BoxBody>> {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    // The framework's own errors say nothing; what has a body was written on purpose.
    let written = response.headers().contains_key(header::CONTENT_TYPE);
    let problem = match response.response().error() {
        Some(error) => of_framework(error),
        None if is_error && !written => of_status(status),
        None => return response.map_into_left_body(),
    };
    let request: HttpRequest = response.request().clone();
    let answer = problem.response(Language::of(&request));
    ServiceResponse::new(request, answer).map_into_right_body()
}

fn of_framework(error: &actix_web::Error) -> ApiError {
    match error.as_error::<ApiError>() {
        Some(error) => error.clone(),
        None => of_status(error.as_response_error().status_code()),
    }
}

fn of_status(status: StatusCode) -> ApiError {
    let code = match status {
        StatusCode::NOT_FOUND => "route_unknown",
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "content_type_not_json",
        StatusCode::REQUEST_TIMEOUT => "request_timeout",
        status if status.is_client_error() => "request_unreadable",
        _ => "internal",
    };
    ApiError::new(status, code)
}

/// A refusal told to whoever runs a command, in English.
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
