//! Tenants whose customers are matched by document for limits.

use caudal_domain::ids::TenantId;
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// Tenants whose existing customers were matched by document (once per process).
#[derive(Debug, Default)]
pub struct Identified(Mutex<HashSet<TenantId>>);

impl Identified {
    /// Claims the work; true for the first caller.
    pub fn begin(&self, tenant: &TenantId) -> bool {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        begun.insert(tenant.clone())
    }

    /// Releases it for a retry.
    pub fn end(&self, tenant: &TenantId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(tenant);
    }
}
