//! The tenant's own row.

use crate::{batch::Batch, limit, reference_data::place, rows::TenantRow};
use caudal_domain::TenantEvent;
use caudal_journal::Recorded;

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &TenantEvent) {
    let tenant = match event {
        TenantEvent::TenantOpened(tenant) => tenant,
        TenantEvent::LimitRuleSet(rule) => return limit::set(batch, rule),
        // Of the tenant's state alone; a removed rule's row stays, for what it held.
        TenantEvent::HistoryAccepted(_)
        | TenantEvent::SecondFactorRequired(_)
        | TenantEvent::PasswordPolicySet { .. }
        | TenantEvent::SignOnSet(_)
        | TenantEvent::SignOnRemoved { .. }
        | TenantEvent::ApprovalRuleSet(_)
        | TenantEvent::ApprovalRuleRemoved { .. }
        | TenantEvent::PermissionSetDefined(_)
        | TenantEvent::PermissionSetRemoved { .. }
        | TenantEvent::ScreeningSet(_)
        | TenantEvent::OwnListLoaded(_)
        | TenantEvent::OwnListRemoved { .. }
        | TenantEvent::LimitRuleRemoved { .. } => return,
    };
    batch.tenants.push(TenantRow {
        name: tenant.name.clone(),
        time_zone: tenant.time_zone.name().to_owned(),
        opened_at: recorded.recorded_at,
    });
    place::open(batch);
}
