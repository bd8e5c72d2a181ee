//! The tenant itself: its name and its time zone.

use crate::{
    decision::{Actor, Context, Decision},
    refusal::{Refusal, require},
    stream::StreamId,
    text,
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// Where days are cut unless the tenant says otherwise.
pub const DEFAULT_ZONE: Tz = chrono_tz::America::Havana;
/// The longest name of a tenant, in characters.
pub const MAX_NAME_LENGTH: usize = 120;

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tenant {
    /// Its name.
    pub name: String,
    /// Where its days are cut.
    pub time_zone: Tz,
}

/// What may be asked of a tenant.
#[derive(Clone, Debug, PartialEq)]
pub enum TenantCommand {
    /// Opens it. Only the system does.
    Open(Tenant),
}

/// What happened to a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum TenantEvent {
    /// It was opened.
    TenantOpened(Tenant),
}

impl Tenant {
    pub(crate) fn fold(_state: Option<Self>, event: &TenantEvent) -> Option<Self> {
        let TenantEvent::TenantOpened(tenant) = event;
        Some(tenant.clone())
    }
}

pub(crate) fn decide(
    own: Option<&Tenant>,
    command: &TenantCommand,
    ctx: &Context<'_>,
) -> Result<Decision<TenantEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    require(own.is_none(), || Refusal::conflict("already_exists"))?;
    let TenantCommand::Open(tenant) = command;
    text::required("name", &tenant.name, MAX_NAME_LENGTH)?;
    Ok(Decision::of(
        TenantEvent::TenantOpened(tenant.clone()),
        StreamId::TENANT.id,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid},
        testing::{
            World,
            given::{Caller, Then, Tried},
        },
    };

    fn open(world: &World, caller: impl Caller, name: &str) -> Tried<Tenant> {
        let tenant = Tenant {
            name: name.into(),
            time_zone: chrono_tz::America::New_York,
        };
        let act = world.by(caller, TenantCommand::Open(tenant));
        world.given::<Tenant>(StreamId::TENANT.id).when(act)
    }

    #[test]
    fn the_system_opens_a_tenant_in_its_time_zone() {
        let tenant = Tenant {
            name: "Caribe".into(),
            time_zone: chrono_tz::America::New_York,
        };
        open(&World::default(), Actor::System, "Caribe").then_expect_events(vec![TenantEvent::TenantOpened(tenant)]);
    }

    #[test]
    fn a_tenant_is_opened_once_and_by_nobody_else() {
        let (world, manager) = World::opened();
        open(&world, Actor::System, "Caribe").then_refused(Conflict, "already_exists");
        open(&world, manager, "Caribe").then_refused(Forbidden, "role_not_allowed");
        open(&World::default(), Actor::System, " ").then_refused(Invalid, "invalid name:required");
    }
}
