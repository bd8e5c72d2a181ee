//! What a handler leaves for the headers of its answer.

use actix_web::{
    HttpMessage as _, HttpRequest,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{HeaderName, HeaderValue},
    middleware::Next,
};

/// Position of the log that the answer reflects.
pub const POSITION: HeaderName = HeaderName::from_static("x-ledger-position");
/// Set where the command had been done before.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Notes for the answer's headers, kept in the request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    position: Option<i64>,
    replayed: bool,
}

impl Notes {
    /// A command was committed.
    pub fn committed(request: &HttpRequest, position: i64, replayed: bool) {
        Self::change(request, |notes| {
            notes.position = Some(position);
            notes.replayed |= replayed;
        });
    }

    /// The read models were read at a position.
    pub fn read_at(request: &HttpRequest, position: i64) {
        Self::change(request, |notes| notes.position = notes.position.max(Some(position)));
    }

    fn change(request: &HttpRequest, change: impl FnOnce(&mut Self)) {
        let mut extensions = request.extensions_mut();
        let mut notes = extensions.get::<Self>().copied().unwrap_or_default();
        change(&mut notes);
        extensions.insert(notes);
    }
}

/// Middleware: writes the notes into the answer.
pub async fn write<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let mut response = next.call(request).await?;
    let notes = response
        .request()
        .extensions()
        .get::<Notes>()
        .copied()
        .unwrap_or_default();
    if let Some(position) = notes.position {
        response.headers_mut().insert(POSITION, HeaderValue::from(position));
    }
    if notes.replayed {
        response
            .headers_mut()
            .insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}
