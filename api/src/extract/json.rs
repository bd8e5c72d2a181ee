//! JSON request bodies.

use crate::problem::ApiError;
use actix_web::{
    FromRequest, HttpMessage as _, HttpRequest,
    dev::Payload,
    http::header,
    web::{Bytes, BytesMut},
};
use caudal_domain::{FieldError, refusal::Params};
use futures::{StreamExt as _, future::LocalBoxFuture};
use serde::{Deserializer as _, de::DeserializeOwned};
use serde_json::error::Category;
use sha2::{Digest as _, Sha256};
use std::time::Duration;

/// Maximum body in bytes; a bulk assignment of 1,000 remittances takes some 40 KB.
pub const JSON_LIMIT: usize = 256 * 1024;

/// Timeout for receiving a body.
const PATIENCE: Duration = Duration::from_secs(30);

/// A deserialised JSON body.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<T> JsonBody<T> {
    pub fn into_inner(self) -> T {
        self.0
    }
}

/// SHA-256 of the body as sent; part of the idempotency digest.
#[derive(Clone, Copy, Debug)]
pub struct BodyDigest(pub [u8; 32]);

impl<T: DeserializeOwned + 'static> FromRequest for JsonBody<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            require_json(&request)?;
            let body = read_json_body(&request, payload).await?;
            request
                .extensions_mut()
                .insert(BodyDigest(Sha256::digest(&body).into()));
            parse(&body).map(Self)
        })
    }
}

fn require_json(request: &HttpRequest) -> Result<(), ApiError> {
    match request.mime_type() {
        Ok(Some(kind)) if kind.essence_str() == "application/json" => Ok(()),
        _ => Err(ApiError::media_type("content_type_not_json")),
    }
}

/// Reads a JSON body.
///
/// # Errors
/// 413 when longer than [`JSON_LIMIT`], 408 on timeout, 400 when truncated.
pub async fn read_json_body(request: &HttpRequest, payload: Payload) -> Result<Bytes, ApiError> {
    let body = tokio::time::timeout(PATIENCE, read(request, payload)).await;
    body.map_err(|_| ApiError::timed_out())?
}

async fn read(request: &HttpRequest, mut payload: Payload) -> Result<Bytes, ApiError> {
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > JSON_LIMIT) {
        return Err(ApiError::too_large(JSON_LIMIT));
    }
    let mut body = BytesMut::with_capacity(announced.unwrap_or_default());
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| ApiError::unreadable("body_cut_off"))?;
        if body.len() + chunk.len() > JSON_LIMIT {
            return Err(ApiError::too_large(JSON_LIMIT));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Parses an object; invalid JSON is 400, another shape 422 with the path.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    // A derived `Deserialize` also accepts an array of field values.
    if body.trim_ascii_start().first() != Some(&b'{') && is_json(body) {
        return Err(ApiError::unprocessable("object_expected"));
    }
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        shape_error(&path, error.inner(), body)
    })?;
    reader.end().map_err(|_| ApiError::unreadable("json_unreadable"))?;
    Ok(value)
}

fn shape_error(path: &str, error: &serde_json::Error, body: &[u8]) -> ApiError {
    if error.classify() != Category::Data || !is_json(body) {
        return ApiError::unreadable("json_unreadable");
    }
    field_error(path, &error.to_string())
}

/// 422 for a path, from serde's message.
pub(crate) fn field_error(path: &str, message: &str) -> ApiError {
    let quoted = || message.split('`').nth(1).unwrap_or_default().to_owned();
    let nested = |name: String| match path {
        "." | "" => name,
        path if path.ends_with(&name) => path.to_owned(),
        path => format!("{path}.{name}"),
    };
    let mut params = Params::new();
    let (field, code) = if message.starts_with("missing field") {
        (nested(quoted()), "required")
    } else if message.starts_with("unknown field") {
        // After the field itself: "expected one of `a`, `b`".
        let known: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        params = fields_named(&known);
        (nested(quoted()), "field_unknown")
    } else if message.starts_with("duplicate field") {
        (nested(quoted()), "duplicate")
    } else if message.starts_with("invalid type: null") {
        (path.to_owned(), "required")
    } else {
        (path.to_owned(), "value_invalid")
    };
    ApiError::all_invalid(vec![FieldError {
        field: field.into(),
        code,
        params,
    }])
}

/// Placeholders of `field_unknown`: the fields that there are.
pub(crate) fn fields_named(names: &[&str]) -> Params {
    let allowed = if names.is_empty() {
        "–".to_owned()
    } else {
        names.join(", ")
    };
    [("allowed", allowed)].into()
}

fn is_json(body: &[u8]) -> bool {
    let mut reader = serde_json::Deserializer::from_slice(body);
    reader.deserialize_ignored_any(serde::de::IgnoredAny).is_ok() && reader.end().is_ok()
}
