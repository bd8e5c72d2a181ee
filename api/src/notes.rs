//! Values from handlers for the answer's headers.

use actix_web::{
    HttpMessage as _, HttpRequest,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{HeaderName, HeaderValue},
    middleware::Next,
};
use std::time::Duration;
use uuid::Uuid;

/// Log position that the answer reflects.
pub const POSITION: HeaderName = HeaderName::from_static("x-ledger-position");
/// Set when the command was replayed.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Values for the answer's headers, kept in the request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    position: Option<i64>,
    replayed: bool,
    committed: bool,
    by_record: bool,
    stream: Option<Uuid>,
    waited: Duration,
}

impl Notes {
    /// Records time for which the caller asked the request to wait.
    pub fn waited(request: &HttpRequest, time: Duration) {
        Self::change(request, |notes| notes.waited += time);
    }

    /// Time for which the caller asked the request to wait: not part of the time that the answer took.
    pub const fn waiting_time(&self) -> Duration {
        self.waited
    }

    /// Records a committed command.
    pub fn committed(request: &HttpRequest, stream: Uuid, position: i64, replayed: bool) {
        Self::change(request, |notes| {
            notes.position = Some(position);
            notes.replayed |= replayed;
            notes.committed = true;
            notes.stream = Some(stream);
        });
    }

    /// Records that the answer derives from the idempotency record alone, so that it is always equal.
    pub fn answered_by_record(request: &HttpRequest) {
        Self::change(request, |notes| notes.by_record = true);
    }

    /// Takes [`Self::answered_by_record`] back: the answer shows a row of the read models.
    pub fn answered_by_row(request: &HttpRequest) {
        Self::change(request, |notes| notes.by_record = false);
    }

    /// Records a replayed answer with its position.
    pub fn repeated(request: &HttpRequest, position: i64) {
        Self::change(request, |notes| {
            notes.position = Some(position);
            notes.replayed = true;
        });
    }

    /// Values recorded so far.
    pub fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().copied().unwrap_or_default()
    }

    /// Log position that the answer reflects.
    pub const fn position(&self) -> Option<i64> {
        self.position
    }

    /// Whether a command of the request was replayed.
    pub const fn is_replayed(&self) -> bool {
        self.replayed
    }

    /// Whether a command of the request is durable.
    pub const fn is_committed(&self) -> bool {
        self.committed
    }

    /// Whether the answer derives from the idempotency record alone.
    pub const fn answers_by_record(&self) -> bool {
        self.by_record
    }

    /// Id of the changed record.
    pub const fn stream(&self) -> Option<Uuid> {
        self.stream
    }

    /// Records the position of the read models.
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

/// Middleware: writes the headers.
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
