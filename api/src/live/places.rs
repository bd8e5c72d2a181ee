//! Open streams of a node, by tenant and party, each tied to its session.

use super::feed::{self, Feed};
use crate::{auth::caller::Caller, problem::ApiError};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{Clock, Journal};
use caudal_postgres::Database;
use caudal_projections::Reads;
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::{AcquireError, Notify, Semaphore, SemaphorePermit};
use uuid::Uuid;

/// Maximum streams per node.
pub const MAX_STREAMS: usize = 5_000;
/// Maximum streams per party: windows and devices. One more ends the oldest, since an abandoned page is noticed only at
/// its next heartbeat; active ones take turns without missing changes.
pub const MAX_STREAMS_OF_A_PARTY: usize = 10;
/// Concurrent streams that read missed changes, each with a connection.
const CATCHING_UP: usize = 2;

/// What streams are told from.
pub struct Sources {
    /// Tells of commits.
    pub journal: Journal,
    /// Have the changes.
    pub reads: Reads,
    /// Has the sessions.
    pub database: Database,
    /// The clock of the node.
    pub clock: Arc<dyn Clock>,
}

/// The open streams of a node. Clones share them.
#[derive(Clone)]
pub struct Streams {
    shared: Arc<Shared>,
}

struct Shared {
    sources: Sources,
    open: Mutex<Open>,
    catching_up: Semaphore,
}

#[derive(Debug, Default)]
struct Open {
    count: usize,
    tenants: HashMap<TenantId, OfATenant>,
}

#[derive(Debug)]
struct OfATenant {
    feed: Arc<Feed>,
    /// Streams per party, oldest first.
    parties: HashMap<PartyId, VecDeque<Seat>>,
}

#[derive(Debug)]
struct Seat {
    session: Uuid,
    end: Arc<End>,
}

/// Signals a stream to end.
#[derive(Debug, Default)]
pub(super) struct End {
    has_come: AtomicBool,
    told: Notify,
}

impl End {
    fn tell(&self) {
        self.has_come.store(true, Ordering::Release);
        self.told.notify_one();
    }

    /// Whether the stream must end.
    pub(super) fn has_come(&self) -> bool {
        self.has_come.load(Ordering::Acquire)
    }

    /// Waits until the stream must end.
    pub(super) async fn comes(&self) {
        if !self.has_come() {
            self.told.notified().await;
        }
    }
}

/// Counts as an open stream until it is dropped.
pub(super) struct Place {
    pub(super) feed: Arc<Feed>,
    streams: Streams,
    tenant: TenantId,
    party: PartyId,
    end: Arc<End>,
}

impl Place {
    /// The end of the stream, to be awaited beside other work on it.
    pub(super) fn end(&self) -> Arc<End> {
        Arc::clone(&self.end)
    }
}

impl Streams {
    /// None open yet.
    #[must_use]
    pub fn new(sources: Sources) -> Self {
        Self {
            shared: Arc::new(Shared {
                sources,
                open: Mutex::default(),
                catching_up: Semaphore::new(CATCHING_UP),
            }),
        }
    }

    /// What they are told from.
    pub(super) fn sources(&self) -> &Sources {
        &self.shared.sources
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.shared.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a caller's stream; the first of a tenant starts its feed.
    pub(super) fn enter(&self, caller: &Caller) -> Result<Place, ApiError> {
        let mut open = self.open();
        if open.count >= MAX_STREAMS {
            return Err(ApiError::unavailable("too_many_streams"));
        }
        open.count += 1;
        metrics::gauge!("caudal_live_streams").set(open.count as f64);
        let tenant = open.tenants.entry(caller.tenant.clone()).or_insert_with(|| OfATenant {
            feed: feed::start(self.clone(), caller.tenant.clone()),
            parties: HashMap::new(),
        });
        let own = tenant.parties.entry(caller.party).or_default();
        if own.len() >= MAX_STREAMS_OF_A_PARTY
            && let Some(oldest) = own.pop_front()
        {
            oldest.end.tell();
        }
        let end = Arc::new(End::default());
        own.push_back(Seat {
            session: caller.session,
            end: Arc::clone(&end),
        });
        Ok(Place {
            feed: Arc::clone(&tenant.feed),
            streams: self.clone(),
            tenant: caller.tenant.clone(),
            party: caller.party,
            end,
        })
    }

    /// Requests a session check: one may have ended here.
    pub fn check_sessions(&self, tenant: &TenantId) {
        if let Some(tenant) = self.open().tenants.get(tenant) {
            tenant.feed.check();
        }
    }

    /// Sessions of a tenant's streams. `None` without streams: the feed is removed, and a later stream starts another.
    pub(super) fn sessions(&self, tenant: &TenantId) -> Option<Vec<Uuid>> {
        let mut open = self.open();
        let seats = open.tenants.get(tenant)?.parties.values().flatten();
        let sessions: HashSet<Uuid> = seats.map(|seat| seat.session).collect();
        if sessions.is_empty() {
            open.tenants.remove(tenant);
            return None;
        }
        Some(sessions.into_iter().collect())
    }

    /// Ends streams of checked sessions that are not open.
    pub(super) fn end_others(&self, tenant: &TenantId, asked: &[Uuid], are_open: &[Uuid]) {
        let are_open: HashSet<&Uuid> = are_open.iter().collect();
        let ended: HashSet<&Uuid> = asked.iter().filter(|session| !are_open.contains(session)).collect();
        if ended.is_empty() {
            return;
        }
        if let Some(tenant) = self.open().tenants.get(tenant) {
            let seats = tenant.parties.values().flatten();
            seats
                .filter(|seat| ended.contains(&seat.session))
                .for_each(|seat| seat.end.tell());
        }
    }

    /// Waits for a permit to read for a single stream.
    pub(super) async fn turn_to_catch_up(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        self.shared.catching_up.acquire().await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        open.count = open.count.saturating_sub(1);
        metrics::gauge!("caudal_live_streams").set(open.count as f64);
        let Some(tenant) = open.tenants.get_mut(&self.tenant) else {
            return;
        };
        if let Some(own) = tenant.parties.get_mut(&self.party) {
            own.retain(|seat| !Arc::ptr_eq(&seat.end, &self.end));
            if own.is_empty() {
                tenant.parties.remove(&self.party);
            }
        }
    }
}
