//! The time that a request may take. What it waits for may say nothing for ever: a database whose machine lost its power,
//! for one, and then the request would keep its connection to it for as long.

use crate::problem::ApiError;
use actix_web::{
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header,
    middleware::Next,
};
use std::time::Duration;

/// For most: longer than the body may be on its way and PostgreSQL lets a statement run.
const PATIENCE: Duration = Duration::from_secs(90);
/// Where files are on their way, from a telephone perhaps.
const UPLOAD_PATIENCE: Duration = Duration::from_secs(180);
/// Where all of a long list is written into a file before the answer begins.
const FILE_PATIENCE: Duration = Duration::from_secs(900);

/// Middleware: gives a request up after its time with a 503. A command that is under way goes on: its lane owns it, and
/// repeating it with its key tells what came of it. The body of an answer has no deadline: streams go on.
pub async fn keep<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let patience = patience(&request);
    if let Ok(answer) = tokio::time::timeout(patience, next.call(request)).await {
        return answer;
    }
    tracing::error!(seconds = patience.as_secs(), "a request took too long and was given up");
    // The request is gone with the work that is given up: the answer goes without what its headers say of it.
    Err(ApiError::unavailable("unavailable").into())
}

fn patience(request: &ServiceRequest) -> Duration {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_upload = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
    if is_upload {
        UPLOAD_PATIENCE
    } else if request.query_string().contains("format=") {
        FILE_PATIENCE
    } else {
        PATIENCE
    }
}
