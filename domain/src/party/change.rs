//! Changing a party's details, and ending its use.

use super::{ChangeParty, Party, PartyChanged, PartyDetails, PartyEvent, Role, Territory, validate_territory};
use crate::{
    decision::{Claim, ClaimKind, Context, Decision},
    personal::Personal,
    refusal::{Refusal, require},
};

pub(super) fn decide(own: &Party, change: &ChangeParty, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.oversees(own), || Refusal::not_found("party_not_found"))?;
    let above = caller.role == Role::Manager || caller.commands(own);
    let is_active = change.is_active.unwrap_or(own.is_active);
    let territory = change.territory.clone().unwrap_or_else(|| own.territory.clone());
    require(
        above || (is_active == own.is_active && territory == own.territory),
        || Refusal::forbidden("set_from_above"),
    )?;
    if own.role == Role::DeliveryMan && caller.role != Role::Manager {
        let inherited = Territory {
            handle_mlc: territory.handle_mlc,
            ..own.territory.clone()
        };
        require(inherited == territory, || Refusal::forbidden("set_from_above"))?;
    }
    change.details.validate()?;
    if territory != own.territory {
        require(own.role.holds_cash(), || Refusal::invalid("zones", "not_for_this_role"))?;
        validate_territory(&territory)?;
    }
    if own.is_active && !is_active {
        require_idle(own, ctx)?;
    }
    let email = PartyDetails::normal_email(&change.details.email);
    let changed = PartyChanged {
        id: own.id,
        is_active,
        territory,
        personal: Personal::clear(own.id, change.details.clone()),
    };
    Ok(Decision::of(PartyEvent::PartyChanged(changed), own.id).claiming(Claim::take(ClaimKind::Email, own.id, email)))
}

pub(super) fn deactivate(own: &Party, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.oversees(own), || Refusal::not_found("party_not_found"))?;
    require(caller.role == Role::Manager || caller.commands(own), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    require(own.is_active, || Refusal::conflict("already_inactive"))?;
    require_idle(own, ctx)?;
    Ok(Decision::of(PartyEvent::PartyDeactivated { id: own.id }, own.id))
}

/// A party with work under way stays, and so does the last manager.
fn require_idle(own: &Party, ctx: &Context<'_>) -> Result<(), Refusal> {
    match own.role {
        Role::Manager => {
            let others = ctx
                .books
                .parties()
                .filter(|party| party.role == Role::Manager && party.is_active && party.id != own.id);
            require(others.count() > 0, || Refusal::conflict("last_manager"))
        }
        Role::Dealer | Role::DeliveryMan => require(!ctx.books.delivers_open_remittances(own.id), || {
            Refusal::conflict("party_has_open_remittances")
        }),
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => Ok(()),
    }
}
