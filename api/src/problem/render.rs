//! Middleware that renders problems.

use super::ApiError;
use crate::language::Language;
use actix_web::{
    HttpRequest,
    body::{BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header},
    middleware::Next,
};

/// Middleware: renders every error answer as a problem in the caller's language.
pub async fn render<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, actix_web::Error> {
    // Inner services return refusals as responses: the router takes the request, so nothing of it is available for an
    // error.
    next.call(request).await.map(rendered)
}

fn rendered<B: MessageBody + 'static>(response: ServiceResponse<B>) -> ServiceResponse<EitherBody<B, BoxBody>> {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    // Framework errors have no body; an existing body was written on purpose.
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
