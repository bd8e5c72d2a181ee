//! Errors as the caller sees them: RFC 9457 problem details with stable codes and texts in the caller's language.
//!
//! Handlers answer `Result<_, ApiError>`; `?` turns refusals of the domain, of the journal and of the read models into
//! one. [`render`] is the only place that writes a problem's body, as a middleware around everything, so that errors of
//! the framework (an unknown route, a body too large) look the same. What failed inside goes to the log and never out.

mod convert;
mod render;

pub use render::render;

use crate::{
    catalogue::{self, Value},
    extract::Language,
    preview::{FiguresView, PREFERENCE, PreviewView, Warning},
};
use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use caudal_domain::{FieldError, Refusal, refusal::Params};
use caudal_journal::WithCauses;
use serde::Serialize;
use std::{borrow::Cow, fmt, time::Duration};
use utoipa::ToSchema;

/// What a change is told whose thing was changed by somebody else meanwhile.
const CHANGED_MEANWHILE: &str = "changed_meanwhile";

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
    /// The values within `detail`, and `detail` with `{name}` in their places: for who formats them himself.
    #[serde(flatten)]
    pub said: Said,
    /// The fields at fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// The figures as they are now, for `quote_changed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub figures: Option<FiguresView>,
}

/// A text with its values apart.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Said {
    /// The text with `{name}` where a value goes; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub template: Option<&'static str>,
    /// The values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
}

impl Said {
    pub(crate) fn of(code: &str, language: Language, params: &Params) -> Self {
        let values = catalogue::values(code, params);
        if values.is_empty() {
            return Self::default();
        }
        Self {
            template: catalogue::template(code, language),
            values,
        }
    }
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
    /// For `changed_since_read`: the value that stands now, null where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<serde_json::Value>,
    /// The values within `detail`, as a problem's own.
    #[serde(flatten)]
    pub said: Said,
}

/// Why a request fails, or the preview that it asked for in place of an effect.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    code: Cow<'static, str>,
    params: Params,
    errors: Vec<FieldError>,
    retry_after: Option<Duration>,
    more: Option<Box<More>>,
}

/// What goes out besides a problem's texts, or in place of them.
#[derive(Clone, Debug)]
enum More {
    /// The methods that the path takes.
    Allow(String),
    /// The values that stand, one for each of the errors, where another changed them. Told to the caller and never
    /// logged.
    Now(Vec<serde_json::Value>),
    /// The figures as they are now.
    Figures(FiguresView),
    /// The preview that was asked for.
    Preview(PreviewView),
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

    /// What a write would do (200): it goes out in place of the handler's answer.
    pub fn previewed(view: PreviewView) -> Self {
        Self {
            more: Some(Box::new(More::Preview(view))),
            ..Self::new(StatusCode::OK, PREFERENCE)
        }
    }

    /// The preview that the request asked for.
    pub fn preview(&self) -> Option<&PreviewView> {
        match self.more.as_deref() {
            Some(More::Preview(view)) => Some(view),
            _ => None,
        }
    }

    /// The same with a warning more, where it is a preview.
    #[must_use]
    pub fn warned(mut self, warning: Warning) -> Self {
        if let Some(More::Preview(view)) = self.more.as_deref_mut() {
            view.warn(warning);
        }
        self
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
            more: Some(Box::new(More::Allow(allow))),
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

    /// Another changed the same fields since they were read (409): each field with the value that stands.
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
        Self::too_fast("too_many_attempts", retry_after)
    }

    /// A caller is beyond its rate or its quota (429).
    pub fn too_fast(code: &'static str, retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, code)
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
            error = %WithCauses(&error),
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

    /// Whether what it was made of was changed meanwhile, so that it may be made again.
    pub fn is_changed_meanwhile(&self) -> bool {
        self.code == CHANGED_MEANWHILE
    }

    /// Whether there is no such thing for the caller.
    pub fn is_not_found(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// Its texts in a language.
    pub fn problem(&self, language: Language) -> Problem {
        let errors = self.errors.iter().enumerate().map(|(index, error)| FieldProblem {
            now: match self.more.as_deref() {
                Some(More::Now(values)) => values.get(index).cloned(),
                _ => None,
            },
            field: error.field.to_string(),
            code: error.code.to_owned(),
            detail: catalogue::text(error.code, language, &error.params),
            said: Said::of(error.code, language, &error.params),
        });
        Problem {
            kind: format!("urn:caudal:problem:{}", self.code),
            title: catalogue::title(self.status.as_u16(), language).to_owned(),
            status: self.status.as_u16(),
            code: self.code.to_string(),
            detail: catalogue::text(&self.code, language, &self.params),
            said: Said::of(&self.code, language, &self.params),
            errors: errors.collect(),
            figures: match self.more.as_deref() {
                Some(More::Figures(figures)) => Some(*figures),
                _ => None,
            },
        }
    }

    /// The whole answer in a language.
    pub fn response(&self, language: Language) -> HttpResponse {
        if let Some(preview) = self.preview() {
            return HttpResponse::Ok()
                .insert_header(("preference-applied", PREFERENCE))
                .insert_header((header::CONTENT_LANGUAGE, language.as_str()))
                .insert_header((header::CACHE_CONTROL, "no-store"))
                .json(preview);
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
        // Texts and numbers only: there is nothing in it that JSON could not say.
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
        // For what is answered outside of [`render`], which does it again in the caller's language.
        self.response(Language::default())
    }
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
