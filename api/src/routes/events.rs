//! Live stream, and notifications of its changes.

use crate::{
    app::App,
    extract::{Caller, Filters, Reading},
    live,
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use caudal_projections::{
    changes::{self, LedgerChange},
    news::{self, News},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(stream_changes).service(list_news);
}

/// Changes to describe.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NewsQuery {
    /// Positions of the changes, comma-separated, at most 50.
    #[param(example = "118,120", pattern = r"^\d+(,\d+)*$")]
    positions: String,
}

/// Notifications.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewsList {
    /// Newest first.
    news: Vec<News>,
    /// Positions whose changes are no longer stored; the newest 20,000 of the tenant are.
    #[schema(example = json!([118]))]
    too_old: Vec<i64>,
}

/// Server-sent events of changes in the caller's scope; each has a LedgerChange as data and the position as id.
///
/// Resumes by Last-Event-ID. The event `reset` tells a client that is too far behind to reload everything.
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
    live::follow(app.streams.clone(), app.watch_going_down(), caller, last).await
}

/// Notifications of live stream changes: who changed which record. Only changes by others in the caller's scope; other
/// positions are omitted, and `tooOld` lists those no longer stored.
#[utoipa::path(tag = "Live", operation_id = "listNews", params(NewsQuery),
    responses((status = 200, description = "Them.", body = NewsList)))]
#[get("/api/events/news")]
async fn list_news(reading: Reading, query: Filters<NewsQuery>) -> Result<HttpResponse, ApiError> {
    let invalid = |_| ApiError::invalid("positions", "number_invalid");
    let positions = query.0.positions.split(',').map(str::parse);
    let positions = positions.collect::<Result<Vec<i64>, _>>().map_err(invalid)?;
    let (mut transaction, scope) = reading.begin().await?;
    let news = news::news(&mut transaction, &scope, &positions).await?;
    let deleted_through = changes::deleted_through(transaction.position());
    let too_old = positions
        .into_iter()
        .filter(|position| (1..=deleted_through).contains(position));
    Ok(HttpResponse::Ok().json(NewsList {
        news,
        too_old: too_old.collect(),
    }))
}
