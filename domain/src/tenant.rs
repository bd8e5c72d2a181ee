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
#[serde(rename_all = "camelCase")]
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
#[serde(tag = "type")]
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
