//! The edge of a request: bounds waits for a dependency that never answers, such as a database whose machine lost power, and answers
//! a request that panics, whose connection would be dropped otherwise.

use crate::{
    extract::{Language, QueryFields},
    headers,
    listing::FORMAT,
    problem::ApiError,
    request_id, tasks,
};
use actix_web::{
    HttpResponse, ResponseError,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header},
    middleware::Next,
};
use futures::FutureExt as _;
use std::{fmt, panic::AssertUnwindSafe, time::Duration};
use uuid::Uuid;

/// Default; longer than an upload of the body plus PostgreSQL's statement timeout.
const PATIENCE: Duration = Duration::from_secs(90);
/// Uploads, possibly from a telephone.
const UPLOAD_PATIENCE: Duration = Duration::from_secs(180);
/// Files that are written completely before the answer begins, and exports of dossiers: they read all customers.
const FILE_PATIENCE: Duration = Duration::from_secs(900);

/// Middleware: aborts a request after its timeout with a 503, and answers a panic with a 500. A running command continues in its tenant's writer, and
/// repeating its idempotency key returns the outcome. Response bodies have no timeout: streams continue.
pub async fn keep<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let patience = patience(&request);
    within(patience, request, next).await
}

async fn within<B: MessageBody>(
    patience: Duration,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let given_up = GivenUp::of(&request);
    // What a panic leaves half done is dropped: transactions are rolled back, and locks are not poisoned.
    let answered = AssertUnwindSafe(next.call(request)).catch_unwind();
    match tokio::time::timeout(patience, answered).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(panic)) => {
            tracing::error!(said = tasks::said(&*panic), "a request panicked");
            let problem = ApiError::panicked();
            Err(GivenUp { problem, ..given_up }.into())
        }
        Err(_) => {
            tracing::error!(seconds = patience.as_secs(), "a request took too long and was given up");
            Err(given_up.into())
        }
    }
}

fn patience(request: &ServiceRequest) -> Duration {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_upload = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
    if is_upload {
        UPLOAD_PATIENCE
    } else if request.path().trim_end_matches('/').ends_with("/dossiers")
        || QueryFields::read(request.query_string()).is_ok_and(|fields| fields.get(FORMAT).is_some())
    {
        FILE_PATIENCE
    } else {
        PATIENCE
    }
}

/// Answer to an aborted request, with everything that outer middlewares would read from the request.
#[derive(Debug)]
struct GivenUp {
    problem: ApiError,
    language: Language,
    id: Uuid,
    path: String,
}

impl GivenUp {
    fn of(request: &ServiceRequest) -> Self {
        Self {
            problem: ApiError::unavailable("unavailable"),
            language: Language::of(request.request()),
            id: request_id::of(request.request()),
            path: request.path().to_owned(),
        }
    }
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl ResponseError for GivenUp {
    fn status_code(&self) -> StatusCode {
        self.problem.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = self.problem.response(self.language);
        let headers = response.headers_mut();
        headers::guard(headers, &self.path);
        headers.insert(request_id::HEADER, request_id::value(self.id));
        response
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where it must")]
mod tests {
    use super::*;
    use crate::problem;
    use actix_web::{App, middleware::from_fn, test, web};

    #[actix_web::test]
    async fn a_request_that_panics_is_answered_as_an_internal_error() {
        async fn panicking() -> HttpResponse {
            panic!("infinity")
        }
        let app = App::new()
            .route("/api/agency", web::get().to(panicking))
            .wrap(from_fn(keep))
            .wrap(from_fn(problem::render))
            .wrap(from_fn(headers::secure))
            .wrap(from_fn(request_id::trace));
        let app = test::init_service(app).await;
        for _ in 0..2 {
            let request = test::TestRequest::get().uri("/api/agency").to_request();
            let error = test::try_call_service(&app, request).await.unwrap_err();
            let answer = error.error_response();
            assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(
                answer.headers().get("Content-Type").unwrap(),
                "application/problem+json"
            );
            assert!(answer.headers().contains_key("X-Request-Id"));
        }
    }

    #[actix_web::test]
    async fn a_request_that_is_given_up_is_answered_like_any_other_that_can_not_be_served_now() {
        let app = App::new()
            .route("/api/agency", web::get().to(std::future::pending::<HttpResponse>))
            .wrap(from_fn(|request, next| within(Duration::from_millis(1), request, next)))
            .wrap(from_fn(problem::render))
            .wrap(from_fn(headers::secure))
            .wrap(from_fn(request_id::trace));
        let app = test::init_service(app).await;
        let id = "0199c2f0-5d1c-7c3e-9a61-0b7f5f2b8d11";
        let request = test::TestRequest::get()
            .uri("/api/agency")
            .insert_header((request_id::HEADER, id))
            .insert_header((header::ACCEPT_LANGUAGE, "en"))
            .to_request();
        let error = test::try_call_service(&app, request).await.unwrap_err();
        let answer = error.error_response();
        let told = |name: &str| answer.headers().get(name).unwrap().to_str().unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        for (name, value) in [
            ("X-Request-Id", id),
            ("Retry-After", "1"),
            ("Content-Type", "application/problem+json"),
            ("Content-Language", "en"),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ] {
            assert_eq!(told(name), value, "{name}");
        }
        assert!(told("Content-Security-Policy").contains("default-src 'self'"));
    }
}
