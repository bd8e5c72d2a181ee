//! Previews: the effect of a write without executing it (`?preview=true` or `Prefer: preview`).
//!
//! The handler runs as for a write; [`crate::submit::Submit`] decides its command without committing, and returns the
//! preview as an [`crate::problem::ApiError`], so that the handler stops there.

use crate::{extract::QueryFields, figures::PREFERENCE, policy, problem::ApiError};
use actix_web::HttpRequest;

/// Query parameter that requests a preview.
const FIELD: &str = "preview";

/// Whether a request asks for a preview. What names a preview in another form is refused: it is neither ignored, which would do
/// the write, nor guessed.
///
/// # Errors
/// 422 when the call has none, `preview` of the query is neither `true` nor `false`, or `preview` of `Prefer` has a value.
pub fn is_asked(request: &HttpRequest) -> Result<bool, ApiError> {
    let unclear = || ApiError::invalid(FIELD, "preview_unclear");
    let by_field = match QueryFields::read_with_empty(request.query_string())?.get(FIELD) {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(unclear()),
    };
    let mut by_header = false;
    for value in request.headers().get_all("prefer") {
        // Bytes that are no text hide no other preference: who asks for a preview never gets the write.
        match String::from_utf8_lossy(value.as_bytes())
            .split(',')
            .find_map(value_of_preference)
        {
            None => {}
            // An empty value is none (RFC 7240).
            Some(value) if matches!(value.as_str(), "" | "\"\"") => by_header = true,
            Some(_) => return Err(unclear()),
        }
    }
    if !(by_field || by_header) {
        return Ok(false);
    }
    if policy::has_preview(request.path()) {
        Ok(true)
    } else {
        Err(ApiError::unprocessable("preview_not_available"))
    }
}

/// The value of the preference for a preview, without the parameters after it: empty for none. `None` for other preferences.
fn value_of_preference(text: &str) -> Option<String> {
    let preference = text.split(';').next().unwrap_or_default();
    let (name, value) = preference.split_once('=').unwrap_or((preference, ""));
    let is_asked = name.trim().eq_ignore_ascii_case(PREFERENCE);
    is_asked.then(|| value.trim().to_owned())
}
