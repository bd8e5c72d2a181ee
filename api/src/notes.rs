//! What a handler leaves for the headers of its answer.

use actix_web::{
    HttpMessage as _, HttpRequest,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{HeaderName, HeaderValue},
    middleware::Next,
};
use uuid::Uuid;

/// Position of the log that the answer reflects.
pub const POSITION: HeaderName = HeaderName::from_static("x-ledger-position");
/// Set where the command had been done before.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Notes for the answer's headers, kept in the request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    position: Option<i64>,
    replayed: bool,
    committed: bool,
    by_record: bool,
    stream: Option<Uuid>,
}

impl Notes {
    /// A command was committed.
    pub fn committed(request: &HttpRequest, stream: Uuid, position: i64, replayed: bool) {
        Self::change(request, |notes| {
            notes.position = Some(position);
            notes.replayed |= replayed;
            notes.committed = true;
            notes.stream = Some(stream);
        });
    }

    /// The answer is made of the idempotency record alone, so that it is the same each time.
    pub fn answered_by_record(request: &HttpRequest) {
        Self::change(request, |notes| notes.by_record = true);
    }

    /// The answer is one that was given before, at a position.
    pub fn repeated(request: &HttpRequest, position: i64) {
        Self::change(request, |notes| {
            notes.position = Some(position);
            notes.replayed = true;
        });
    }

    /// What a request's handler has left so far.
    pub fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().copied().unwrap_or_default()
    }

    /// The position of the log that the answer reflects.
    pub const fn position(&self) -> Option<i64> {
        self.position
    }

    /// Whether a command of the request had been done before.
    pub const fn is_replayed(&self) -> bool {
        self.replayed
    }

    /// Whether a command of the request is durable.
    pub const fn is_committed(&self) -> bool {
        self.committed
    }

    /// Whether the answer is made of the idempotency record alone.
    pub const fn answers_by_record(&self) -> bool {
        self.by_record
    }

    /// The id of what was changed.
    pub const fn stream(&self) -> Option<Uuid> {
        self.stream
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
    let notes = Notes::of(response.request());
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
