//! Security headers of answers, and the size limit of request heads.

use crate::{extract::Language, problem::ApiError};
use actix_web::{
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
};

/// Maximum request head in bytes; cookies and tokens have some 2 KB.
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// Own scripts only; inline styles for charts; images from the page itself (`blob:`, `data:`).
const INTERFACE_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                                connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; \
                                frame-ancestors 'none'";

/// Swagger UI has an inline start-up script.
const DOCS_POLICY: &str = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                           img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; \
                           frame-ancestors 'none'";

/// Headers of all answers.
const HEADERS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Headers of a page's subresources: scripts, styles, fonts and texts with hashed names. The other headers only affect
/// documents and workers, and a first visit loads dozens of these files.
const PART_HEADERS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("cross-origin-resource-policy", "same-origin"),
];
/// Media type of refusals, which replace missing files.
const PROBLEM: &str = "application/problem+json";
/// Suffixes of subresources; an SVG opened directly is a document.
const PARTS: &[&str] = &[".js", ".css", ".woff2"];

/// The script that sets the colour theme before the first paint.
const THEME: &str = "/theme.js";

fn is_part(headers: &HeaderMap, path: &str) -> bool {
    (path.starts_with("/assets/") || path == THEME)
        && PARTS.iter().any(|ending| path.ends_with(ending))
        && headers.get(CONTENT_TYPE).is_some_and(|one| one != PROBLEM)
}

/// Middleware: rejects large heads and adds security headers.
pub async fn secure<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    let head: usize = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if head + request.uri().to_string().len() > MAX_HEAD_BYTES {
        let refusal = ApiError::head_too_large(MAX_HEAD_BYTES).response(Language::of(request.request()));
        return Ok(request.into_response(refusal).map_into_right_body());
    }
    let path = request.path().to_owned();
    let mut response = next.call(request).await?;
    guard(response.headers_mut(), &path);
    Ok(response.map_into_left_body())
}

/// Adds security headers for a path.
pub fn guard(headers: &mut HeaderMap, path: &str) {
    if is_part(headers, path) {
        for (name, value) in PART_HEADERS {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        return;
    }
    let policy = if path.starts_with("/api/docs") {
        DOCS_POLICY
    } else {
        INTERFACE_POLICY
    };
    let private = path.starts_with("/api/");
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    }
    if private && !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_page_bears_only_what_means_something_to_it_and_all_else_everything() {
        let guarded = |path: &str, media_type: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
            guard(&mut headers, path);
            assert!(headers.contains_key("x-content-type-options"), "{path}");
            assert!(headers.contains_key("cross-origin-resource-policy"), "{path}");
            headers.contains_key(CONTENT_SECURITY_POLICY)
        };
        for path in ["/assets/first-1a2b.js", THEME] {
            assert!(!guarded(path, "text/javascript; charset=utf-8"), "{path}");
        }
        for (path, media_type) in [
            ("/", "text/html; charset=utf-8"),
            ("/worker.js", "text/javascript; charset=utf-8"),
            ("/assets/mark-1a2b.svg", "image/svg+xml"),
            ("/assets/gone.js", PROBLEM),
            ("/api/openapi.json", "application/json"),
        ] {
            assert!(guarded(path, media_type), "{path}");
        }
    }
}
