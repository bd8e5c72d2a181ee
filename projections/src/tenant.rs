//! The tenant's own row.

use crate::{nomenclator::place, projector::batch::Batch, table::row};
use caudal_domain::TenantEvent;
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};

row! {
    /// A tenant. Written once, when it opens.
    TenantRow in "tenants" key (name: String) {
        name: String,
        time_zone: String,
        opened_at: DateTime<Utc>,
    }
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &TenantEvent) {
    let tenant = match event {
        TenantEvent::TenantOpened(tenant) => tenant,
        TenantEvent::HistoryAccepted(_) | TenantEvent::SecondFactorRequired(_) => return,
    };
    batch.tenants.push(TenantRow {
        name: tenant.name.clone(),
        time_zone: tenant.time_zone.name().to_owned(),
        opened_at: recorded.recorded_at,
    });
    place::open(batch);
}
