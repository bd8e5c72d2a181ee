//! The feed of a tenant's streams: one task that reads what changed, once for all of them.
//!
//! It keeps the latest changes in memory, where each stream takes those of its scope at its own pace. At every look, one
//! round trip, it also learns which of the streams' sessions are open, and ends the streams of the others.

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
    sync::{Notify, watch},
    time::{Instant, sleep, timeout},
};
use uuid::Uuid;

/// How often sessions are looked at, and what other nodes projected. A session that ends on another node ends its streams
/// here within this and the time of one query.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Commits are gathered for so long before the changes are read, so that a busy tenant does not mean a query each.
const GATHER: Duration = Duration::from_millis(150);
/// How long one look may take before it counts as failed.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long streams go on while the database does not say whether their sessions are open.
const UNCHECKED_FOR: Duration = Duration::from_secs(15);
/// Changes that are kept in memory, some 150 bytes each. Where a client is further behind, its stream reads the database.
const KEPT: usize = 2_000;

/// What a feed has read.
#[derive(Debug)]
struct Memory {
    /// The changes after `floor` and up to `through`, in order.
    changes: VecDeque<ScopedChange>,
    floor: i64,
    through: i64,
    /// Changes where the read models went back, or too far ahead to follow: positions before say nothing then.
    history: u64,
}

/// Where a feed stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) through: i64,
    pub(super) history: u64,
}

/// What a stream finds.
#[derive(Debug)]
pub(super) enum News {
    /// The changes of its scope.
    Of { changes: Vec<LedgerChange>, through: i64 },
    /// The stream is further behind than what is kept.
    Forgotten,
    /// The stream's position says nothing any more.
    Reset { at: i64, history: u64 },
}

/// What a tenant's streams share.
#[derive(Debug)]
pub(super) struct Feed {
    memory: RwLock<Option<Memory>>,
    /// Counts the readings that found something.
    readings: watch::Sender<u64>,
    look: Notify,
}

impl Feed {
    fn new() -> Self {
        Self {
            memory: RwLock::new(None),
            readings: watch::Sender::new(0),
            look: Notify::new(),
        }
    }

    /// Tells when there is something new.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.readings.subscribe()
    }

    /// Has the feed look now.
    pub(super) fn check(&self) {
        self.look.notify_one();
    }

    /// Where the feed stands; none before its first reading.
    pub(super) fn state(&self) -> Option<State> {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        memory.as_ref().map(|memory| State {
            through: memory.through,
            history: memory.history,
        })
    }

    /// What is new after a position of a history, in a scope.
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

    /// Takes what was read after the feed's position.
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
            // Before the first reading there is nothing to add to.
            (Changes::Of { .. }, None) => return,
        }
        drop(kept);
        self.readings.send_modify(|readings| *readings += 1);
    }

    /// Starts to remember, from some changes before the present position on: clients that come back after a restart of
    /// their node are a little behind.
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

/// The task behind a feed.
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
            match timeout(PATIENCE, self.look(&sessions)).await {
                Ok(Ok(())) => checked = Instant::now(),
                // Errors are told by `/readyz` and by every other call; here the next look may find the database well.
                outcome => {
                    tracing::debug!(tenant = %self.tenant, ?outcome, "live streams can't be looked after");
                    if checked.elapsed() > UNCHECKED_FOR {
                        self.streams.end_others(&self.tenant, &sessions, &[]);
                    }
                }
            }
            tokio::select! {
                changed = committed.changed() => match changed {
                    Ok(()) => sleep(GATHER).await,
                    Err(_) => sleep(LOOK_EVERY).await,
                },
                () = self.feed.look.notified() => {}
                () = sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Ends the streams whose sessions have ended, and reads what is new.
    async fn look(&self, sessions: &[Uuid]) -> Result<(), ReadError> {
        let (open, projected) = self.follow(sessions, self.streams.sources().clock.now()).await?;
        self.streams.end_others(&self.tenant, sessions, &open);
        let mut at = self.feed.state().map(|state| state.through);
        if at == Some(projected) {
            return Ok(());
        }
        let mut snapshot = self.streams.sources().reads.snapshot(&self.tenant, 0).await?;
        loop {
            let from = at.unwrap_or_else(|| {
                let kept = i64::try_from(KEPT).unwrap_or(i64::MAX);
                let floor = (snapshot.position() - kept).max(0);
                self.feed.begin(floor);
                floor
            });
            let read = changes::after(&mut snapshot, from).await?;
            let through = match &read {
                Changes::Of { through, .. } => *through,
                Changes::Reset { at } => *at,
            };
            self.feed.take(read);
            if through >= snapshot.position() {
                return Ok(());
            }
            at = Some(through);
        }
    }

    /// Which of the sessions are open, and how far the read models have got.
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
    use caudal_domain::{ids::PartyId, party::Role};

    fn manager() -> Scope {
        Scope {
            party: PartyId(Uuid::nil()),
            role: Role::Manager,
            agency: None,
            dealer: None,
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
    fn a_stream_takes_what_is_new_after_its_position_once() {
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
