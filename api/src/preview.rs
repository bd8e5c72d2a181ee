//! Previews: the effect of a write without executing it (`?preview=true` or `Prefer: preview`).
//!
//! The handler runs as for a write; [`crate::submit::Submit`] decides its command without committing, and returns the
//! preview as an [`crate::problem::ApiError`], so that the handler stops there.

use crate::{extract::QueryFields, figures::PREFERENCE, policy, problem::ApiError};
use actix_web::HttpRequest;

/// Query parameter that requests a preview.
const FIELD: &str = "preview";

/// Whether a request asks for a preview.
///
/// # Errors
/// 422 when the call has none, or `preview` is neither true nor false.
pub fn is_asked(request: &HttpRequest) -> Result<bool, ApiError> {
    let by_field = match QueryFields::read(request.query_string())?.get(FIELD) {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(ApiError::invalid(FIELD, "boolean_expected")),
    };
    // Bytes that are no text hide no other preference: who asks for a preview never gets the write.
    let by_header = request.headers().get_all("prefer").any(|value| {
        String::from_utf8_lossy(value.as_bytes())
            .split(',')
            .any(|preference| preference.trim().eq_ignore_ascii_case(PREFERENCE))
    });
    if !(by_field || by_header) {
        return Ok(false);
    }
    if policy::has_preview(request.path()) {
        Ok(true)
    } else {
        Err(ApiError::unprocessable("preview_not_available"))
    }
}
