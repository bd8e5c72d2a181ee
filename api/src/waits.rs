//! Requests that wait for events of the public feed, counted per party and node.

use crate::{auth::caller::Caller, problem::ApiError};
use caudal_domain::ids::{PartyId, TenantId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Maximum waiting requests per party and node: a consumer waits with one. Each holds a connection to the server, and
/// none to the database.
pub const MAX_WAITING_OF_A_PARTY: usize = 10;
/// Maximum waiting requests per node.
pub const MAX_WAITING: usize = 1_000;
/// `Retry-After` beyond these.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The waiting requests of a node. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    waiting: Arc<Mutex<HashMap<(TenantId, PartyId), usize>>>,
}

/// Counts as waiting until it is dropped.
#[derive(Debug)]
pub struct Place {
    waits: Waits,
    of: (TenantId, PartyId),
}

impl Waits {
    fn waiting(&self) -> MutexGuard<'_, HashMap<(TenantId, PartyId), usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a caller's request.
    ///
    /// # Errors
    /// 429 beyond the limits.
    pub fn enter(&self, caller: &Caller) -> Result<Place, ApiError> {
        let of = (caller.tenant.clone(), caller.party);
        let mut waiting = self.waiting();
        let all: usize = waiting.values().sum();
        let own = waiting.entry(of.clone()).or_default();
        if all >= MAX_WAITING || *own >= MAX_WAITING_OF_A_PARTY {
            if *own == 0 {
                waiting.remove(&of);
            }
            let max = MAX_WAITING_OF_A_PARTY;
            return Err(ApiError::too_fast("too_many_waiting", RETRY_AFTER).with("max", max));
        }
        *own += 1;
        drop(waiting);
        Ok(Place {
            waits: self.clone(),
            of,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.waits.waiting();
        if let Some(own) = waiting.get_mut(&self.of) {
            *own -= 1;
            if *own == 0 {
                waiting.remove(&self.of);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where it must")]
mod tests {
    use super::*;
    use caudal_domain::{office::Permissions, party::Role};
    use uuid::Uuid;

    fn caller(party: u128) -> Caller {
        Caller {
            tenant: "acme".parse().unwrap(),
            party: PartyId(Uuid::from_u128(party)),
            role: Role::Manager,
            agency: None,
            dealer: None,
            permissions: Permissions::ALL,
            session: Uuid::nil(),
            api_key: None,
            second_factors: Vec::new(),
            must_enrol: false,
            viewer: None,
        }
    }

    #[test]
    fn a_party_beyond_its_limit_is_refused_until_one_of_its_requests_ends() {
        let waits = Waits::default();
        let mut places: Vec<_> = (0..MAX_WAITING_OF_A_PARTY)
            .map(|_| waits.enter(&caller(1)).unwrap())
            .collect();
        assert_eq!(waits.enter(&caller(1)).unwrap_err().code(), "too_many_waiting");
        drop(waits.enter(&caller(2)).unwrap());
        places.pop();
        places.push(waits.enter(&caller(1)).unwrap());
        drop(places);
        assert!(
            waits.waiting().is_empty(),
            "nothing is kept of parties that wait no more"
        );
    }

    #[test]
    fn a_node_beyond_its_limit_refuses_everybody() {
        let waits = Waits::default();
        let parties = 1..=(MAX_WAITING / MAX_WAITING_OF_A_PARTY) as u128;
        let places: Vec<_> = parties
            .flat_map(|party| (0..MAX_WAITING_OF_A_PARTY).map(move |_| party))
            .map(|party| waits.enter(&caller(party)).unwrap())
            .collect();
        assert_eq!(places.len(), MAX_WAITING);
        assert_eq!(waits.enter(&caller(0)).unwrap_err().code(), "too_many_waiting");
    }
}
