//! The live stream: what changed in the caller's scope, as server-sent events.
//!
//! An event's id is a position, by which a client that lost its connection resumes. One that is too far behind is told
//! `reset`: to load everything anew and to follow from there. Nothing that changed is told, only that it did.

use crate::{app::App, extract::Caller, problem::ApiError};
use actix_web::{
    HttpResponse,
    http::header,
    web::{Bytes, Data},
};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_projections::changes::{self, Changes, LedgerChange};
use futures::stream;
use serde::Serialize;
use std::{
    collections::{HashMap, VecDeque},
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

/// Open streams of this node.
pub const MAX_STREAMS: usize = 2_000;
/// Open streams of one party: its browser windows and devices. One more ends the oldest, since a page that was left is
/// known to be gone only at its next heartbeat; where all of them are in use they take turns and miss nothing.
pub const MAX_STREAMS_OF_A_PARTY: usize = 10;
/// A stream says something at least so often, or proxies would close it.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// How often changes that other nodes projected are looked for.
const POLL: Duration = Duration::from_secs(2);
/// Changes are gathered for so long before they are sent, so that a busy tenant does not mean a query each.
const GATHER: Duration = Duration::from_millis(150);
/// A stream ends after so long and its client opens the next one with a fresh token: rights that were taken away end
/// with it.
const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// When a browser tries again after a stream has ended.
const RETRY_MILLISECONDS: u64 = 2_000;

/// The streams of a party, the oldest first: who is told leaves.
type OfAParty = VecDeque<Arc<Notify>>;

/// The open streams of a node.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    open: Arc<Mutex<HashMap<(TenantId, PartyId), OfAParty>>>,
}

/// Counts as an open stream until it is dropped.
struct Place {
    streams: Streams,
    of: (TenantId, PartyId),
    /// Told when a younger stream of the party needs the place.
    leave: Arc<Notify>,
}

impl Streams {
    fn enter(&self, caller: &Caller) -> Result<Place, ApiError> {
        let of = (caller.tenant.clone(), caller.party);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = open.values().map(VecDeque::len).sum();
        if all >= MAX_STREAMS {
            return Err(ApiError::unavailable("too_many_streams"));
        }
        let own = open.entry(of.clone()).or_default();
        if own.len() >= MAX_STREAMS_OF_A_PARTY
            && let Some(oldest) = own.pop_front()
        {
            oldest.notify_one();
        }
        let leave = Arc::new(Notify::new());
        own.push_back(Arc::clone(&leave));
        Ok(Place {
            streams: self.clone(),
            of,
            leave,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = open.get_mut(&self.of) {
            own.retain(|other| !Arc::ptr_eq(other, &self.leave));
            if own.is_empty() {
                open.remove(&self.of);
            }
        }
    }
}

/// One client's stream.
struct Follower {
    app: Data<App>,
    caller: Caller,
    position: i64,
    committed: watch::Receiver<i64>,
    going_down: watch::Receiver<bool>,
    ends: Instant,
    greeted: bool,
    place: Place,
}

/// What of the log a message is about.
#[derive(Serialize)]
struct ResetData {
    position: i64,
}

/// Answers with the stream of a caller, from a position or from now.
///
/// # Errors
/// 503 where too many streams are open or the database fails.
pub async fn follow(app: Data<App>, caller: Caller, from: Option<i64>) -> Result<HttpResponse, ApiError> {
    let place = app.streams.enter(&caller)?;
    let committed = app.journal.subscribe(&caller.tenant);
    let going_down = app.watch_going_down();
    let position = match from {
        Some(position) => position,
        None => app.reads.snapshot(&caller.tenant, 0).await?.position(),
    };
    let follower = Follower {
        app,
        caller,
        position,
        committed,
        going_down,
        ends: Instant::now() + LIFETIME,
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
        // Compressing would hold the messages back.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(messages))
}

impl Follower {
    /// The next message; none at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.greeted {
            self.greeted = true;
            // The first id lets a client that sees no change resume from here.
            return Some(format!("retry: {RETRY_MILLISECONDS}\nid: {}\n: hello\n\n", self.position).into());
        }
        let heartbeat = Instant::now() + HEARTBEAT;
        loop {
            let now = Instant::now();
            if now >= self.ends || *self.going_down.borrow() {
                return None;
            }
            match self.changes().await {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                // The client comes back with its last id.
                Err(_) => return None,
            }
            if now >= heartbeat {
                return Some(Bytes::from_static(b": still here\n\n"));
            }
            tokio::select! {
                _ = self.going_down.changed() => return None,
                () = self.place.leave.notified() => return None,
                changed = self.committed.changed() => {
                    if changed.is_err() {
                        return None;
                    }
                    tokio::time::sleep(GATHER).await;
                }
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// What is new, where anything is in the caller's scope.
    async fn changes(&mut self) -> Result<Option<Bytes>, ApiError> {
        let scope = self.caller.scope();
        let mut snapshot = self.app.reads.snapshot(&self.caller.tenant, 0).await?;
        if snapshot.position() == self.position {
            return Ok(None);
        }
        match changes::after(&mut snapshot, &scope, self.position).await? {
            Changes::Of { changes, through } => {
                self.position = through;
                Ok((!changes.is_empty()).then(|| messages(&changes).into()))
            }
            Changes::Reset { at } => {
                self.position = at;
                let data = serde_json::to_string(&ResetData { position: at }).map_err(ApiError::internal)?;
                Ok(Some(format!("event: reset\nid: {at}\ndata: {data}\n\n").into()))
            }
        }
    }
}

fn messages(changes: &[LedgerChange]) -> String {
    let mut text = String::new();
    for change in changes {
        let data = serde_json::to_string(change).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = write!(text, "event: change\nid: {}\ndata: {data}\n\n", change.position);
    }
    text
}
