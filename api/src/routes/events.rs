//! The live stream.

use crate::{app::App, extract::Caller, live, problem::ApiError};
use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use caudal_projections::changes::LedgerChange;
use utoipa_actix_web::service_config::ServiceConfig;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(stream_changes);
}

/// Server-sent events of what changed in the caller's scope; the data of each is a LedgerChange and its id the position.
///
/// Resumes by Last-Event-ID. The event `reset` tells a reader that is too far behind to load everything anew.
#[utoipa::path(tag = "Live", operation_id = "streamChanges",
    params(("Last-Event-ID" = Option<i64>, Header, description = "The id of the last event that was seen.")),
    responses((status = 200, description = "The stream.", body = LedgerChange, content_type = "text/event-stream")))]
#[get("/api/events/stream")]
async fn stream_changes(request: HttpRequest, app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let last = match request.headers().get("last-event-id") {
        Some(value) => {
            let position = value.to_str().ok().and_then(|text| text.trim().parse().ok());
            Some(position.ok_or_else(|| ApiError::invalid("Last-Event-ID", "number_invalid"))?)
        }
        None => None,
    };
    live::follow(app, caller, last).await
}
