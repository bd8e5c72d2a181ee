//! Wake-ups: whoever follows a tenant's log in this process is told how far it has been committed.

use caudal_domain::ids::TenantId;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use tokio::sync::watch;

/// The positions committed, by tenant. A wake-up is a hint: followers poll as well.
#[derive(Debug, Default)]
pub(crate) struct Wakes {
    tenants: Mutex<HashMap<TenantId, watch::Sender<i64>>>,
}

impl Wakes {
    /// Follows a tenant from now on. The first value is the last position seen here, or 0.
    pub(crate) fn subscribe(&self, tenant: &TenantId) -> watch::Receiver<i64> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        // Followers that have gone leave their senders behind; here is where the map would grow.
        tenants.retain(|_, sender| sender.receiver_count() > 0);
        tenants
            .entry(tenant.clone())
            .or_insert_with(|| watch::Sender::new(0))
            .subscribe()
    }

    /// Tells the followers of a tenant.
    pub(crate) fn committed(&self, tenant: &TenantId, position: i64) {
        let tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = tenants.get(tenant) {
            sender.send_if_modified(|last| {
                let newer = position > *last;
                *last = position.max(*last);
                newer
            });
        }
    }
}
