//! In-process notification of this node's commits: subscribers of a tenant's log learn the committed position, and receive the
//! events from memory, without reading, decrypting and decoding them again.

use crate::log::read::Recorded;
use caudal_domain::ids::TenantId;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};
use tokio::sync::watch;

/// Maximum events held per tenant: a few batches, some 2 kB each. A subscriber that falls behind further reads the log.
const MAX_NEWEST: usize = 512;

/// Committed positions by tenant. Notifications are hints: subscribers also poll.
#[derive(Debug, Default)]
pub(crate) struct Wakes {
    tenants: Mutex<HashMap<TenantId, Followed>>,
}

/// A tenant with subscribers.
#[derive(Debug)]
struct Followed {
    committed: watch::Sender<i64>,
    newest: Newest,
}

impl Wakes {
    /// Subscribes to a tenant. The initial value is the last position seen here, or 0.
    pub(crate) fn subscribe(&self, tenant: &TenantId) -> watch::Receiver<i64> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        // Removes tenants without subscribers, which bounds the map.
        tenants.retain(|_, followed| followed.committed.receiver_count() > 0);
        let followed = tenants.entry(tenant.clone()).or_insert_with(|| Followed {
            committed: watch::Sender::new(0),
            newest: Newest::default(),
        });
        followed.committed.subscribe()
    }

    /// Notifies subscribers and hands over the committed events.
    pub(crate) fn committed(&self, tenant: &TenantId, position: i64, events: Vec<Recorded>) {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(followed) = tenants.get_mut(tenant) {
            followed.newest.add(events);
            followed.reach(position);
        }
    }

    /// Whether a subscriber takes the tenant's newest events from memory.
    pub(crate) fn takes_newest(&self, tenant: &TenantId) -> bool {
        let tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        tenants.get(tenant).is_some_and(|followed| followed.newest.is_wanted)
    }

    /// Takes at most `limit` events after a position; `None` when there is a gap or nothing is held.
    pub(crate) fn take_newest(&self, tenant: &TenantId, after: i64, limit: usize) -> Option<Vec<Recorded>> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        tenants.get_mut(tenant)?.newest.take(after, limit)
    }

    /// Drops a tenant's newest events.
    pub(crate) fn drop_newest(&self, tenant: &TenantId) {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(followed) = tenants.get_mut(tenant) {
            followed.newest.events.clear();
        }
    }
}

impl Followed {
    fn reach(&self, position: i64) {
        self.committed.send_if_modified(|last| {
            let newer = position > *last;
            if newer {
                *last = position;
            }
            newer
        });
    }
}

/// Contiguous newest events of a tenant that no subscriber has taken yet.
#[derive(Debug, Default)]
struct Newest {
    events: VecDeque<Recorded>,
    /// False after an overflow: nothing is held for a subscriber that does not come.
    is_wanted: bool,
}

impl Newest {
    fn add(&mut self, events: Vec<Recorded>) {
        let (Some(first), true) = (events.first(), self.is_wanted) else {
            return;
        };
        if self
            .events
            .back()
            .is_some_and(|last| last.position + 1 != first.position)
        {
            self.events.clear();
        }
        if self.events.len() + events.len() > MAX_NEWEST {
            self.events = VecDeque::new();
            self.is_wanted = false;
            return;
        }
        self.events.extend(events);
    }

    fn take(&mut self, after: i64, limit: usize) -> Option<Vec<Recorded>> {
        self.is_wanted = true;
        while self.events.front().is_some_and(|event| event.position <= after) {
            self.events.pop_front();
        }
        if self.events.front().is_none_or(|event| event.position != after + 1) {
            return None;
        }
        Some(self.events.drain(..self.events.len().min(limit)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::read::Metadata;
    use caudal_domain::{Event, StreamId, StreamKind, ids::PartyId, party::PartyEvent};
    use uuid::Uuid;

    fn events(positions: impl IntoIterator<Item = i64>) -> Vec<Recorded> {
        let id = Uuid::from_u128(7);
        let event = |position| Recorded {
            position,
            stream: StreamId::new(StreamKind::Party, id),
            sequence: position,
            recorded_at: chrono::DateTime::UNIX_EPOCH,
            metadata: Metadata {
                actor: "system".to_owned(),
                role: "system".to_owned(),
                request: String::new(),
                api_key: None,
                proposal: None,
                approver: None,
            },
            hash: [0; 32],
            event: Event::Party(PartyEvent::PartyDeactivated { id: PartyId(id) }),
        };
        positions.into_iter().map(event).collect()
    }

    fn taken(newest: &mut Newest, after: i64, limit: usize) -> Option<Vec<i64>> {
        let events = newest.take(after, limit)?;
        Some(events.iter().map(|event| event.position).collect())
    }

    #[test]
    fn committed_events_are_taken_once_in_order_up_to_the_limit() {
        let mut newest = Newest::default();
        assert_eq!(taken(&mut newest, 4, 10), None);
        newest.add(events([5, 6]));
        newest.add(events([7]));
        assert_eq!(taken(&mut newest, 4, 2), Some(vec![5, 6]));
        assert_eq!(taken(&mut newest, 6, 2), Some(vec![7]));
        assert_eq!(taken(&mut newest, 7, 2), None);
    }

    #[test]
    fn events_of_others_in_between_are_read_from_the_log() {
        let mut newest = Newest::default();
        assert_eq!(taken(&mut newest, 4, 10), None);
        newest.add(events([7, 8]));
        assert_eq!(taken(&mut newest, 4, 10), None);
        newest.add(events([11]));
        assert_eq!(taken(&mut newest, 6, 10), None);
        assert_eq!(taken(&mut newest, 10, 10), Some(vec![11]));
    }

    #[test]
    fn nothing_is_held_for_an_absent_subscriber() {
        let mut newest = Newest::default();
        newest.add(events([1]));
        assert_eq!(taken(&mut newest, 0, 10), None);
        let many = i64::try_from(MAX_NEWEST).unwrap();
        newest.add(events(1..=many));
        newest.add(events([many + 1]));
        assert!(newest.events.is_empty());
        assert_eq!(taken(&mut newest, 0, 10), None);
        newest.add(events([many + 2]));
        assert_eq!(taken(&mut newest, many + 1, 10), Some(vec![many + 2]));
    }
}
