//! Tenants whose customers are identified for limits.

use caudal_domain::ids::TenantId;
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// Tenants whose customers of before the first rule this process has identified, or is identifying.
#[derive(Debug, Default)]
pub struct Identified(Mutex<HashSet<TenantId>>);

impl Identified {
    /// Whether it is to be done; done by the caller then.
    pub fn begin(&self, tenant: &TenantId) -> bool {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        begun.insert(tenant.clone())
    }

    /// It is to be done again.
    pub fn end(&self, tenant: &TenantId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(tenant);
    }
}
