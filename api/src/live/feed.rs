//! Feed of a tenant's live streams: one task that reads changes once for all of them.
//!
//! It keeps the latest changes in memory, from which each stream takes those in its scope at its own pace. Each poll,
//! one round trip, also checks which of the streams' sessions are open, and ends the streams of the others.

use super::places::Streams;
use caudal_domain::ids::TenantId;
use caudal_projections::{
    ReadError, Scope,
    changes::{self, Changes, LedgerChange, ScopedChange},
};
use chrono::{DateTime, Utc};
use std::{
    collections::VecDeque,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use tokio::{
    sync::{AcquireError, Notify, Semaphore, SemaphorePermit, watch},
    time::{Instant, sleep, sleep_until, timeout},
};
use uuid::Uuid;

/// Poll interval for sessions and other nodes' projections. A session ended on another node ends its streams here
/// within this plus one query.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Least time from the beginning of one read to that of the next: commits in between are combined.
const GATHER: Duration = Duration::from_millis(100);
/// Least time from a commit to its read: the projector gathers events for 50 ms or longer, and need not be hurried.
const SETTLE: Duration = Duration::from_millis(50);
/// Timeout of a poll.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long streams continue while sessions can't be checked.
const UNCHECKED_FOR: Duration = Duration::from_secs(15);
/// Changes kept in memory, some 150 bytes each. Streams further behind read the database.
const KEPT: usize = 2_000;
/// Streams that check their permissions at a time. A change for a large office wakes all its streams at once, and the journal
/// refuses more reads of a tenant's state than its queue takes.
const CHECKING: usize = 512;

/// Changes read by a feed.
#[derive(Debug)]
struct Memory {
    /// Changes after `floor` up to `through`, in order.
    changes: VecDeque<ScopedChange>,
    floor: i64,
    through: i64,
    /// Generation; incremented when the read models went back, or too far ahead to follow.
    history: u64,
}

/// Position of a feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) through: i64,
    pub(super) history: u64,
}

/// Result for a stream.
#[derive(Debug)]
pub(super) enum News {
    /// Changes in its scope.
    Of { changes: Vec<LedgerChange>, through: i64 },
    /// Further behind than the memory.
    Forgotten,
    /// The stream's position is no longer valid.
    Reset { at: i64, history: u64 },
}

/// Shared by a tenant's streams.
#[derive(Debug)]
pub(super) struct Feed {
    memory: RwLock<Option<Memory>>,
    /// Counts polls with results.
    readings: watch::Sender<u64>,
    look: Notify,
    checking: Semaphore,
}

impl Feed {
    fn new() -> Self {
        Self {
            memory: RwLock::new(None),
            readings: watch::Sender::new(0),
            look: Notify::new(),
            checking: Semaphore::new(CHECKING),
        }
    }

    /// Notifies of new changes.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.readings.subscribe()
    }

    /// Requests a poll now.
    pub(super) fn check(&self) {
        self.look.notify_one();
    }

    /// Waits for a permit to read the tenant's state.
    pub(super) async fn turn_to_check(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        self.checking.acquire().await
    }

    /// Position of the feed; `None` before its first poll.
    pub(super) fn state(&self) -> Option<State> {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        memory.as_ref().map(|memory| State {
            through: memory.through,
            history: memory.history,
        })
    }

    pub(super) fn after(&self, position: i64, history: u64, scope: &Scope) -> News {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        let Some(memory) = memory.as_ref() else {
            return News::Forgotten;
        };
        if memory.history != history {
            return News::Reset {
                at: memory.through,
                history: memory.history,
            };
        }
        if position < memory.floor {
            return News::Forgotten;
        }
        let first = memory
            .changes
            .partition_point(|change| change.change.position <= position);
        let told = memory.changes.range(first..).filter_map(|change| change.told_to(scope));
        News::Of {
            changes: told.collect(),
            through: memory.through,
        }
    }

    /// Adds changes after the feed's position.
    fn take(&self, read: Changes) {
        let mut kept = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        match (read, kept.as_mut()) {
            (Changes::Of { changes, through }, Some(memory)) => {
                memory.changes.extend(changes);
                memory.through = through;
                while memory.changes.len() > KEPT {
                    if let Some(oldest) = memory.changes.pop_front() {
                        memory.floor = oldest.change.position;
                    }
                }
            }
            (Changes::Reset { at }, memory) => {
                let history = memory.map_or(0, |memory| memory.history + 1);
                *kept = Some(Memory {
                    changes: VecDeque::new(),
                    floor: at,
                    through: at,
                    history,
                });
            }
            // Before the first poll there is nothing to append to.
            (Changes::Of { .. }, None) => return,
        }
        drop(kept);
        self.readings.send_modify(|readings| *readings += 1);
    }

    /// Starts slightly before the present position: clients that reconnect after a restart are a little behind.
    fn begin(&self, floor: i64) {
        let mut kept = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(Memory {
            changes: VecDeque::new(),
            floor,
            through: floor,
            history: 0,
        });
    }
}

/// Starts the feed of a tenant. Its task ends when the tenant has no stream left.
pub(super) fn start(streams: Streams, tenant: TenantId) -> Arc<Feed> {
    let feed = Arc::new(Feed::new());
    let poller = Poller {
        feed: Arc::clone(&feed),
        streams,
        tenant,
    };
    tokio::spawn(poller.run());
    feed
}

/// Task of a feed.
struct Poller {
    feed: Arc<Feed>,
    streams: Streams,
    tenant: TenantId,
}

impl Poller {
    async fn run(self) {
        let mut committed = self.streams.sources().journal.subscribe(&self.tenant);
        let mut checked = Instant::now();
        let mut quarantined = self.streams.sources().journal.quarantined(&self.tenant).is_some();
        while let Some(sessions) = self.streams.sessions(&self.tenant) {
            // A page that asks for nothing learns of a quarantine, and of its end, by opening its stream again.
            let is_quarantined = self.streams.sources().journal.quarantined(&self.tenant).is_some();
            if is_quarantined != quarantined {
                quarantined = is_quarantined;
                self.streams.end_others(&self.tenant, &sessions, &[]);
            }
            let begun = Instant::now();
            match timeout(PATIENCE, self.look(&sessions)).await {
                Ok(Ok(())) => checked = Instant::now(),
                // Errors show in `/readyz` and in all other calls; the next poll may succeed.
                outcome => {
                    tracing::debug!(tenant = %self.tenant, ?outcome, "live streams can't be looked after");
                    if checked.elapsed() > UNCHECKED_FOR {
                        self.streams.end_others(&self.tenant, &sessions, &[]);
                    }
                }
            }
            tokio::select! {
                changed = committed.changed() => match changed {
                    Ok(()) => sleep_until((begun + GATHER).max(Instant::now() + SETTLE)).await,
                    Err(_) => sleep(LOOK_EVERY).await,
                },
                () = self.feed.look.notified() => {}
                () = sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Ends streams of closed sessions, and reads changes.
    async fn look(&self, sessions: &[Uuid]) -> Result<(), ReadError> {
        let (open, projected) = self.follow(sessions, self.streams.sources().clock.now()).await?;
        self.streams.end_others(&self.tenant, sessions, &open);
        let mut at = self.feed.state().map(|state| state.through);
        if at == Some(projected) {
            return Ok(());
        }
        let mut transaction = self.streams.sources().reads.begin(&self.tenant, 0).await?;
        loop {
            let from = at.unwrap_or_else(|| {
                let kept = i64::try_from(KEPT).unwrap_or(i64::MAX);
                let floor = (transaction.position() - kept).max(0);
                self.feed.begin(floor);
                floor
            });
            let read = changes::after(&mut transaction, from).await?;
            let through = match &read {
                Changes::Of { through, .. } => *through,
                Changes::Reset { at } => *at,
            };
            self.feed.take(read);
            if through >= transaction.position() {
                return Ok(());
            }
            at = Some(through);
        }
    }

    /// Open sessions, and the position of the read models.
    async fn follow(&self, sessions: &[Uuid], now: DateTime<Utc>) -> Result<(Vec<Uuid>, i64), sqlx::Error> {
        sqlx::query_as("SELECT open_sessions, projected FROM journal.follow($1, $2, $3)")
            .bind(self.tenant.as_str())
            .bind(sessions)
            .bind(now)
            .fetch_one(self.streams.sources().database.pool())
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::{ids::PartyId, office::Permissions, party::Role};

    fn manager() -> Scope {
        Scope {
            party: PartyId(Uuid::nil()),
            role: Role::Manager,
            agency: None,
            dealer: None,
            permissions: Permissions::ALL,
            is_viewed: false,
        }
    }

    fn positions(news: News) -> Vec<i64> {
        match news {
            News::Of { changes, .. } => changes.iter().map(|change| change.position).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn changes(positions: std::ops::RangeInclusive<i64>) -> Changes {
        let through = *positions.end();
        let changes = positions.map(ScopedChange::of_everybody).collect();
        Changes::Of { changes, through }
    }

    #[test]
    fn a_stream_receives_each_change_after_its_position_once() {
        let feed = Feed::new();
        assert!(feed.state().is_none());
        feed.begin(10);
        feed.take(changes(11..=13));
        assert_eq!(positions(feed.after(11, 0, &manager())), [12, 13]);
        assert_eq!(positions(feed.after(13, 0, &manager())), [0_i64; 0]);
        assert_eq!(
            positions(feed.after(99, 0, &manager())),
            [0_i64; 0],
            "another node was ahead"
        );
        assert!(matches!(feed.after(9, 0, &manager()), News::Forgotten));
    }

    #[test]
    fn a_slow_stream_is_sent_to_the_database_and_memory_stays_bounded() {
        let feed = Feed::new();
        feed.begin(0);
        let kept = i64::try_from(KEPT).unwrap();
        feed.take(changes(1..=kept));
        feed.take(changes(kept + 1..=kept + 5));
        assert!(matches!(feed.after(4, 0, &manager()), News::Forgotten));
        assert_eq!(positions(feed.after(5, 0, &manager())).len(), KEPT);
    }

    #[test]
    fn read_models_that_went_back_reset_every_stream_once() {
        let feed = Feed::new();
        feed.begin(0);
        feed.take(changes(1..=5));
        feed.take(Changes::Reset { at: 2 });
        let News::Reset { at, history } = feed.after(5, 0, &manager()) else {
            panic!("a reset");
        };
        assert_eq!((at, history), (2, 1));
        feed.take(changes(3..=3));
        assert_eq!(positions(feed.after(at, history, &manager())), [3]);
    }
}
