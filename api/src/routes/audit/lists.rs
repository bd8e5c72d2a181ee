//! What auditors list: the event log, which is also had as a file, late changes, and reads of personal data.

use super::super::pages;
use crate::{
    app::App,
    extract::Caller,
    listing::{Listing, text_file},
    parameters::asked,
    problem::ApiError,
};
use actix_web::{
    HttpResponse, get,
    web::{Bytes, Data},
};
use caudal_journal::ExportError;
use caudal_projections::{audit, export::Turn, late, lists, reading};
use futures::stream;
use std::{io, time::Duration};
use tokio::{sync::mpsc, time::timeout};

/// Pieces of the log's file that wait for its reader.
const PIECES_AHEAD: usize = 2;
/// Maximum time of an export of the log, whose snapshot keeps the database from cleaning up.
const LONGEST_EXPORT: Duration = Duration::from_secs(1_800);
/// Time to tell a failure to a reader who takes no more pieces.
const LAST_PIECE: Duration = Duration::from_secs(10);

asked! {
    AuditEventsParams = lists::EVENTS;
    LateChangesParams = lists::LATE_CHANGES;
    ReadingsParams = lists::READINGS;
}

/// Event log, newest first.
#[utoipa::path(tag = "Audit", operation_id = "listAuditEvents", params(AuditEventsParams),
    responses((status = 200, description = "The page of events with the count.", body = pages::AuditEventPage)))]
#[get("/api/audit/events")]
pub(super) async fn list_events(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::EVENTS, |s, c, q| Box::pin(audit::list(s, c, q)))
        .await
}

/// The whole log as a file, as `caudal export` writes it: one JSON object per line, personal data sealed. `caudal verify
/// --file` checks it on another machine, with the checkpoints and the public keys. A file that was cut off lacks its last
/// line, and is refused there.
#[utoipa::path(tag = "Audit", operation_id = "exportLog",
    responses((status = 200, description = "The log, one JSON object per line.",
               body = String, content_type = "application/x-ndjson")))]
#[get("/api/audit/log")]
pub(super) async fn export_log(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let turn = Turn::take().await?;
    let (sender, receiver) = mpsc::channel(PIECES_AHEAD);
    let name = format!("{}.ndjson", caller.tenant.as_str());
    tokio::spawn(async move {
        // A reader who stops reading ends the export too.
        let pieces = app.journal.export_pieces(&caller.tenant, &sender);
        let ended = timeout(LONGEST_EXPORT, pieces).await;
        drop(turn);
        let failure = match ended {
            Ok(Ok(())) => return,
            Ok(Err(failure)) => failure,
            Err(_) => ExportError::Write(io::ErrorKind::TimedOut.into()),
        };
        drop(timeout(LAST_PIECE, sender.send(Err(failure))).await);
    });
    let pieces = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|piece| (piece.map(Bytes::from), receiver))
    });
    Ok(text_file(&name, "application/x-ndjson", pieces))
}

/// What was done to a day after it was over, the last recorded first: edits and cancellations of sales, reversals, undone changes
/// of rates, and deliveries that arrive later than they were made.
#[utoipa::path(tag = "Audit", operation_id = "listLateChanges", params(LateChangesParams),
    responses((status = 200, description = "The page of late changes with the count.", body = pages::LateChangePage)))]
#[get("/api/audit/late-changes")]
pub(super) async fn list_late_changes(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::LATE_CHANGES, |s, _, q| Box::pin(late::list(s, q)))
        .await
}

/// Reads of personal data, newest first: opened records, files, dossiers, and what managers saw as others. They are kept
/// for 400 days.
#[utoipa::path(tag = "Audit", operation_id = "listReadings", params(ReadingsParams),
    responses((status = 200, description = "The page of recorded readings with the count.",
               body = pages::PersonalReadPage)))]
#[get("/api/audit/readings")]
pub(super) async fn list_readings(app: Data<App>, listing: Listing) -> Result<HttpResponse, ApiError> {
    app.readings.flush().await?;
    listing
        .answer(&lists::READINGS, |s, _, q| Box::pin(reading::list(s, q)))
        .await
}
