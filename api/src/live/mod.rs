//! Live stream: changes in the caller's scope as server-sent events.
//!
//! An event's id is a position from which a reconnecting client resumes. One too far behind gets `reset`: reload
//! everything and follow from there. Events carry no data but the fact of the change.
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`places`] | counts a node's open streams by tenant and party, and ends them with their sessions |
//! | [`feed`] | one task per tenant: reads changes once for all streams, and checks their sessions |
//! | this file | a stream: takes changes from the feed's memory, in the caller's scope, at its client's pace |
//!
//! A stream holds no database connection. One further behind than the feed's memory reads the missed changes itself,
//! with bounded concurrency.

mod feed;
mod places;

pub use places::{MAX_STREAMS, MAX_STREAMS_OF_A_PARTY, Sources, Streams};

use crate::{
    auth::{caller::Caller, callers::permitted},
    problem::ApiError,
};
use actix_web::{HttpResponse, http::header, web::Bytes};
use caudal_domain::party::Role;
use caudal_projections::changes::{self, Changes, LedgerChange};
use feed::News;
use futures::stream;
use places::Place;
use serde::Serialize;
use std::{fmt::Write as _, time::Duration};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until, timeout},
};

/// Heartbeat interval; proxies close idle streams after about a minute.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// Maximum duration of a stream; its client reconnects with a fresh token, so revoked permissions end with it.
const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// A stream ends up to so much earlier: streams that were opened together, as after a restart, do not come back together.
const SPREAD: Duration = Duration::from_secs(3 * 60);
/// SSE `retry` interval.
const RETRY_MILLISECONDS: u64 = 2_000;
/// Maximum wait of a tenant's first stream for the feed's first poll.
const FIRST_READING: Duration = Duration::from_secs(5);
/// Queue timeout of a stream that reads missed changes.
const TURN: Duration = Duration::from_secs(30);

/// One client's stream.
struct Follower {
    streams: Streams,
    caller: Caller,
    position: i64,
    /// Feed generation that the position belongs to.
    history: u64,
    /// Set until the position is known to be within the log.
    is_unchecked: bool,
    changed: watch::Receiver<u64>,
    going_down: watch::Receiver<bool>,
    ends: Instant,
    greeted: bool,
    place: Place,
}

#[derive(Serialize)]
struct ResetData {
    position: i64,
}

/// Answers with the stream of a caller, from a position or from now, until the node goes down.
///
/// # Errors
/// 503 where too many streams are open or the database fails.
pub async fn follow(
    streams: Streams,
    going_down: watch::Receiver<bool>,
    caller: Caller,
    from: Option<i64>,
) -> Result<HttpResponse, ApiError> {
    let place = streams.enter(&caller)?;
    let mut changed = place.feed.watch();
    let first = timeout(FIRST_READING, async {
        loop {
            if let Some(state) = place.feed.state() {
                return Ok::<_, ApiError>(state);
            }
            changed
                .changed()
                .await
                .map_err(|_| ApiError::unavailable("unavailable"))?;
        }
    });
    let state = first.await.map_err(|_| ApiError::unavailable("unavailable"))??;
    let follower = Follower {
        going_down,
        streams,
        caller,
        position: from.unwrap_or(state.through),
        history: state.history,
        is_unchecked: from.is_some_and(|from| from > state.through),
        changed,
        ends: Instant::now() + lifetime(),
        greeted: false,
        place,
    };
    let messages = stream::unfold(follower, |mut follower| async move {
        let message = follower.next().await?;
        Some((Ok::<_, actix_web::Error>(message), follower))
    });
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store, no-transform"))
        // Compression would delay messages.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(messages))
}

fn lifetime() -> Duration {
    // Without randomness the client comes back with the others.
    let random = getrandom::u32().unwrap_or_default();
    LIFETIME - SPREAD.mul_f64(f64::from(random) / f64::from(u32::MAX))
}

impl Follower {
    /// Next message; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.greeted {
            self.greeted = true;
            // The first id lets a client resume that sees no change.
            return Some(format!("retry: {RETRY_MILLISECONDS}\nid: {}\n: hello\n\n", self.position).into());
        }
        let heartbeat = Instant::now() + HEARTBEAT;
        let end = self.place.end();
        loop {
            let now = Instant::now();
            if now >= self.ends || *self.going_down.borrow() || end.has_come() {
                return None;
            }
            self.changed.mark_unchanged();
            // A stream that waits for its turn, or reads, ends with its session too, and sends nothing more.
            let news = tokio::select! {
                biased;
                () = end.comes() => return None,
                news = self.news() => news,
            };
            match news {
                Ok(Some(_)) if end.has_come() => return None,
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                // The client reconnects with its last id.
                Err(_) => return None,
            }
            if now >= heartbeat {
                return Some(Bytes::from_static(b": still here\n\n"));
            }
            tokio::select! {
                _ = self.going_down.changed() => return None,
                () = end.comes() => return None,
                changed = self.changed.changed() => changed.ok()?,
                () = sleep_until(heartbeat.min(self.ends)) => {}
            }
        }
    }

    /// Changes in the caller's scope.
    async fn news(&mut self) -> Result<Option<Bytes>, ApiError> {
        if self.is_unchecked {
            self.is_unchecked = false;
            return Box::pin(self.catch_up()).await;
        }
        let scope = self.caller.scope();
        loop {
            match self.place.feed.after(self.position, self.history, &scope) {
                News::Of { changes, through } => {
                    let told = messages(&changes);
                    if told.is_some() {
                        self.require_unchanged_permissions().await?;
                    }
                    self.position = self.position.max(through);
                    return Ok(told);
                }
                News::Forgotten => {
                    let before = self.position;
                    let message = Box::pin(self.catch_up()).await?;
                    // Nothing to read until the database is ahead of this position.
                    if message.is_some() || self.position == before {
                        return Ok(message);
                    }
                }
                News::Reset { at, history } => {
                    self.history = history;
                    return self.reset(at).map(Some);
                }
            }
        }
    }

    /// Reads changes that the feed no longer has. Callers box it: reading may project, and whatever that takes would be set
    /// aside for every open stream.
    async fn catch_up(&mut self) -> Result<Option<Bytes>, ApiError> {
        let missed = {
            let turn = timeout(TURN, self.streams.turn_to_catch_up()).await;
            let Ok(Ok(_turn)) = turn else {
                return Err(ApiError::unavailable("busy"));
            };
            let mut transaction = self.streams.sources().reads.begin(&self.caller.tenant, 0).await?;
            changes::after(&mut transaction, self.position).await?
        };
        match missed {
            Changes::Of { changes, through } => {
                self.require_unchanged_permissions().await?;
                self.position = through;
                let scope = self.caller.scope();
                let told = changes.iter().filter_map(|change| change.told_to(&scope));
                Ok(messages(&told.collect::<Vec<_>>()))
            }
            Changes::Reset { at } => self.reset(at).map(Some),
        }
    }

    /// Ends the stream of a member of the office whose permissions have changed or whose access has ended. The client
    /// reconnects with its last id, and is told the changes in its new scope.
    async fn require_unchanged_permissions(&self) -> Result<(), ApiError> {
        let caller = &self.caller;
        if caller.role != Role::Manager {
            return Ok(());
        }
        let sources = self.streams.sources();
        let turn = self.place.feed.turn_to_check().await;
        let _turn = turn.map_err(|_| ApiError::unavailable("unavailable"))?;
        let (tenant_state, _) = sources.journal.state(&caller.tenant).await?;
        let present = permitted(&tenant_state, caller.party, sources.clock.now())?;
        if present == caller.permissions {
            return Ok(());
        }
        Err(ApiError::unauthorized("session_ended"))
    }

    fn reset(&mut self, at: i64) -> Result<Bytes, ApiError> {
        self.position = at;
        let data = serde_json::to_string(&ResetData { position: at }).map_err(ApiError::internal)?;
        Ok(format!("event: reset\nid: {at}\ndata: {data}\n\n").into())
    }
}

fn messages(changes: &[LedgerChange]) -> Option<Bytes> {
    let mut text = String::new();
    for change in changes {
        let data = serde_json::to_string(change).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(text, "event: change\nid: {}\ndata: {data}\n\n", change.position);
    }
    (!text.is_empty()).then(|| text.into())
}
