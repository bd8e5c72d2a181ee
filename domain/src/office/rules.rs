//! Rules: what a command needs, what may be given to others, and who stays a full manager.

use super::{
    Area, MAX_NAME_LENGTH, MAX_SETS, OfficeAccess, Permission, PermissionSet, Permissions, Right, SetName,
    permissions_of_login,
};
use crate::{
    api_key::ApiKeyCommand,
    approval::ProposalCommand,
    command::Command,
    customer::CustomerCommand,
    decision::{Actor, Context, Decision},
    ids::{PartyId, PermissionSetId},
    party::{ChangeParty, Party, PartyCommand, PartyDetails, PartyEvent, Registration, Role},
    refusal::{Refusal, require},
    remittance::RemittanceCommand,
    stream::StreamId,
    tenant::{TenantCommand, TenantEvent},
    tenant_state::TenantState,
    text,
    webhook::WebhookCommand,
};
use chrono::{DateTime, Utc};

/// What a login can do, and until when.
#[derive(Clone, Copy, Debug)]
struct Reach {
    permissions: Permissions,
    /// `None` for no end.
    until: Option<DateTime<Utc>>,
}

impl Reach {
    fn of_access(access: &OfficeAccess, state: &TenantState) -> Self {
        Self {
            permissions: state.permissions_of(access),
            until: access.expires_at,
        }
    }

    fn of(party: &Party, state: &TenantState) -> Self {
        if party.role == Role::Manager {
            return Self::of_access(&state.office_access(party.id), state);
        }
        Self::of_role(party.role)
    }

    /// Of another role than the manager. Its access has no end.
    const fn of_role(role: Role) -> Self {
        Self {
            permissions: permissions_of_login(role),
            until: None,
        }
    }
}

/// Refuses a command that the caller's permission set does not allow, or that gives others more than the caller has. Full
/// managers, other roles and the system pass.
///
/// # Errors
/// 403 with the lacking permission, or after the end of the caller's access.
pub(crate) fn permit(command: &Command, ctx: &Context<'_>) -> Result<(), Refusal> {
    let Actor::Party(caller) = ctx.actor else {
        return Ok(());
    };
    let access = ctx.state.office_access(caller);
    if access == OfficeAccess::FULL {
        return Ok(());
    }
    require(!access.has_expired(ctx.now), || Refusal::forbidden("access_expired"))?;
    let own = Reach::of_access(&access, ctx.state);
    let areas = areas(command, caller, ctx.state);
    if let Some(area) = areas
        .first()
        .filter(|_| !own.permissions.may_in_one(&areas, Right::Write))
    {
        let lacking = Permission {
            area: *area,
            right: Right::Write,
        };
        return Err(Refusal::forbidden("permission_missing").with("permission", lacking));
    }
    given(command, caller, ctx.state)
        .iter()
        .try_for_each(|(_, given)| contain(own, *given))
}

/// Refuses what exceeds the caller's own reach, in what it may do and in how long.
fn contain(own: Reach, given: Reach) -> Result<(), Refusal> {
    if let Some(lacking) = own.permissions.lack(given.permissions) {
        return Err(Refusal::forbidden("beyond_own_permissions").with("permission", lacking));
    }
    let outlives = |own: DateTime<Utc>| given.until.is_none_or(|until| until > own);
    require(!own.until.is_some_and(outlives), || {
        Refusal::forbidden("beyond_own_access")
    })
}

/// Refuses a member of the office who would end or use the login of another member who may do more than he, or for longer.
/// Who is no member of the office passes: the caller's areas decide about those.
///
/// # Errors
/// 403 with the lacking permission, or `beyond_own_access`.
pub fn contain_member(caller: PartyId, other: &Party, state: &TenantState) -> Result<(), Refusal> {
    if other.role != Role::Manager {
        return Ok(());
    }
    contain(
        Reach::of_access(&state.office_access(caller), state),
        Reach::of(other, state),
    )
}

/// Refuses a caller who lacks a permission that another login has: for what shows or sends the caller what that login reads.
///
/// # Errors
/// 403 with the lacking permission.
pub fn contain_login(caller: PartyId, login: PartyId, state: &TenantState) -> Result<(), Refusal> {
    let Some(other) = state.party(login).filter(|other| other.id != caller) else {
        return Ok(());
    };
    let own = Reach::of_access(&state.office_access(caller), state);
    // Nothing is given that lasts: the end of the own access is not compared.
    let given = Reach {
        until: own.until,
        ..Reach::of(other, state)
    };
    contain(own, given)
}

/// Whether a caller reads the area of a command, or of one that waits for an approval.
#[must_use]
pub fn reads(command: &Command, caller: PartyId, permissions: Permissions, state: &TenantState) -> bool {
    permissions.may_in_one(&areas(command, caller, state), Right::Read)
}

/// Areas of which a command needs one; none for what every party may do.
fn areas(command: &Command, caller: PartyId, state: &TenantState) -> Vec<Area> {
    match command {
        // The stored command is not at hand.
        Command::Proposal(id, ProposalCommand::Reject { .. }) => state
            .proposal(*id)
            .map_or(Area::APPROVED, |proposal| proposal.kind.areas())
            .to_vec(),
        _ => area(command, caller, state).into_iter().collect(),
    }
}

/// Area that a command writes; `None` for what every party does with its own login.
fn area(command: &Command, caller: PartyId, state: &TenantState) -> Option<Area> {
    Some(match command {
        Command::Tenant(command) => match command {
            TenantCommand::DefinePermissionSet(_) | TenantCommand::RemovePermissionSet(_) => Area::Office,
            TenantCommand::SetScreening(_)
            | TenantCommand::LoadOwnList(_)
            | TenantCommand::RemoveOwnList(_)
            | TenantCommand::SetLimitRule(_)
            | TenantCommand::RemoveLimitRule(_) => Area::Compliance,
            TenantCommand::Open(_)
            | TenantCommand::AcceptHistory(_)
            | TenantCommand::RequireSecondFactor(_)
            | TenantCommand::SetPasswordPolicy(_)
            | TenantCommand::SetSignOn(_)
            | TenantCommand::SetApprovalRule(_)
            | TenantCommand::RemoveApprovalRule(_) => Area::Settings,
        },
        Command::Currency(..) | Command::Place(_) | Command::PaymentGroup(..) => Area::Settings,
        Command::Party(party, command) => return area_of_party(*party, command, caller, state),
        // A dossier has the screenings and the holds, which the area of customers alone does not show.
        Command::Customer(_, CustomerCommand::DecidePair(_) | CustomerCommand::ExportDossier(_)) => Area::Compliance,
        Command::Customer(..) => Area::Customers,
        Command::Remittance(
            _,
            RemittanceCommand::Hold(_) | RemittanceCommand::ReviewHold(_) | RemittanceCommand::SettleHoldBreach { .. },
        ) => Area::Compliance,
        Command::Remittance(..) => Area::Sales,
        Command::Movement(..) => Area::Payments,
        Command::Closure(_) => Area::Accounting,
        Command::Rates(..) => Area::Rates,
        Command::ApiKey(..) | Command::Webhook(..) => Area::Integrations,
        // The approver needs what the maker needs.
        Command::Proposal(_, ProposalCommand::Approve(command)) => return area(command, caller, state),
        // Rejections are in `areas`; makers withdraw their own.
        Command::Proposal(_, ProposalCommand::Reject { .. } | ProposalCommand::Withdraw | ProposalCommand::Expire) => {
            return None;
        }
    })
}

fn area_of_party(party: PartyId, command: &PartyCommand, caller: PartyId, state: &TenantState) -> Option<Area> {
    let is_own = party == caller;
    let role = match command {
        PartyCommand::Register(register) => register.registration.role(),
        // The own login: details, password and second factor.
        PartyCommand::Change(_)
        | PartyCommand::EnrolSecondFactor(_)
        | PartyCommand::RemoveSecondFactor(_)
        | PartyCommand::UseRecoveryCode { .. }
        | PartyCommand::AddPasskey(_)
        | PartyCommand::RemovePasskey(_)
        | PartyCommand::RefusePasskey(_)
            if is_own =>
        {
            return None;
        }
        PartyCommand::SetOfficeAccess(_) => Role::Manager,
        _ => state.party(party).map_or(Role::Manager, |party| party.role),
    };
    Some(match role {
        Role::Manager => Area::Office,
        Role::Agency | Role::ExternalAgent | Role::InternalAgent | Role::Dealer | Role::DeliveryMan => Area::Parties,
    })
}

/// Logins that a command makes, changes, or lets the caller act by.
fn given(command: &Command, caller: PartyId, state: &TenantState) -> Vec<(Role, Reach)> {
    let of = |party: PartyId| -> Vec<(Role, Reach)> {
        let party = state.party(party).filter(|_| party != caller);
        party
            .map(|party| (party.role, Reach::of(party, state)))
            .into_iter()
            .collect()
    };
    match command {
        Command::Party(party, command) => match command {
            PartyCommand::Register(register) => {
                let role = register.registration.role();
                let reach = match &register.registration {
                    Registration::Manager => Reach::of_access(&OfficeAccess::FULL, state),
                    Registration::Office(access) => Reach::of_access(access, state),
                    _ => Reach::of_role(role),
                };
                vec![(role, reach)]
            }
            PartyCommand::SetOfficeAccess(access) => {
                let mut given = of(*party);
                given.push((Role::Manager, Reach::of_access(access, state)));
                given
            }
            PartyCommand::Change(change) if !takes_over(change) => of_office(of(*party)),
            PartyCommand::Change(_) => of(*party),
            PartyCommand::Deactivate
            | PartyCommand::Forget(_)
            | PartyCommand::SetTerms(_)
            | PartyCommand::EnrolSecondFactor(_)
            | PartyCommand::RemoveSecondFactor(_)
            | PartyCommand::UseRecoveryCode { .. }
            | PartyCommand::AddPasskey(_)
            | PartyCommand::RemovePasskey(_)
            | PartyCommand::RefusePasskey(_)
            | PartyCommand::EndSecondFactors => of_office(of(*party)),
        },
        Command::ApiKey(id, command) => match command {
            ApiKeyCommand::Issue(issue) => of(issue.party),
            ApiKeyCommand::Rotate(_) | ApiKeyCommand::Revoke => {
                state.api_key(*id).map(|key| of(key.party)).unwrap_or_default()
            }
        },
        Command::Webhook(id, command) => match command {
            WebhookCommand::Add(add) => of(add.party),
            _ => state.webhook(*id).map(|webhook| of(webhook.party)).unwrap_or_default(),
        },
        Command::Proposal(_, ProposalCommand::Approve(command)) => given(command, caller, state),
        Command::Proposal(_, ProposalCommand::Reject { .. } | ProposalCommand::Withdraw | ProposalCommand::Expire) => {
            Vec::new()
        }
        // The provider says who logs in: it may let its own maker in as anybody.
        Command::Tenant(TenantCommand::SetSignOn(Some(_))) => {
            vec![(Role::Manager, Reach::of_access(&OfficeAccess::FULL, state))]
        }
        Command::Tenant(TenantCommand::DefinePermissionSet(set)) => held(set, state),
        Command::Tenant(_)
        | Command::Currency(..)
        | Command::Place(_)
        | Command::PaymentGroup(..)
        | Command::Customer(..)
        | Command::Remittance(..)
        | Command::Movement(..)
        | Command::Closure(_)
        | Command::Rates(..) => Vec::new(),
    }
}

/// What a permission set gives each of its holders, before and after it is defined, until the holder's access ends.
fn held(set: &PermissionSet, state: &TenantState) -> Vec<(Role, Reach)> {
    let name = Some(SetName::Own(set.id));
    let before = state.permission_set(set.id).map(|set| set.permissions);
    let accesses = state.parties().filter(|party| !party.forgotten);
    let accesses = accesses.map(|party| state.office_access(party.id));
    accesses
        .filter(|access| access.permission_set == name)
        .flat_map(|access| {
            let reach = move |permissions| Reach {
                permissions,
                until: access.expires_at,
            };
            before.into_iter().chain([set.permissions]).map(reach)
        })
        .map(|reach| (Role::Manager, reach))
        .collect()
}

/// The members of the office among logins: what the caller may do with others is the area's alone.
fn of_office(logins: Vec<(Role, Reach)>) -> Vec<(Role, Reach)> {
    logins.into_iter().filter(|(role, _)| *role == Role::Manager).collect()
}

/// Whether a change of details gives the caller a way into the login: a password, or an address for codes.
pub(crate) fn takes_over(change: &ChangeParty) -> bool {
    let address = |details: &PartyDetails| PartyDetails::normal_email(&details.email);
    let known = change.known.as_deref().map(address);
    change.sets_password || known != Some(address(&change.details))
}

/// Sets a manager's permission set and expiry.
pub(crate) fn set_access(
    own: &Party,
    access: &OfficeAccess,
    ctx: &Context<'_>,
) -> Result<Decision<PartyEvent>, Refusal> {
    ctx.require_manager()?;
    require(own.role == Role::Manager, || Refusal::conflict("party_not_of_office"))?;
    let unchanged = ctx.state.office_access(own.id) == *access;
    if !unchanged {
        check(access, ctx)?;
        require(
            *access == OfficeAccess::FULL || !ctx.state.is_last_full_manager(own),
            || Refusal::conflict("last_manager"),
        )?;
    }
    let set = PartyEvent::OfficeAccessSet {
        id: own.id,
        access: *access,
    };
    Ok(Decision::of(set, own.id).unless(unchanged))
}

/// Refuses an unknown set, and an end in the past.
pub(crate) fn check(access: &OfficeAccess, ctx: &Context<'_>) -> Result<(), Refusal> {
    if let Some(SetName::Own(id)) = access.permission_set {
        require(ctx.state.permission_set(id).is_some(), || {
            Refusal::invalid("permissionSet", "permission_set_unknown")
        })?;
    }
    require(!access.has_expired(ctx.now), || {
        Refusal::invalid("accessExpiresAt", "moment_is_past")
    })
}

/// Adds a set, or replaces name and permissions of an existing one.
pub(crate) fn define(set: &PermissionSet, ctx: &Context<'_>) -> Result<Decision<TenantEvent>, Refusal> {
    ctx.require_manager()?;
    let before = ctx.state.permission_set(set.id);
    contain_set(set.permissions, ctx)?;
    if let Some(before) = before {
        contain_set(before.permissions, ctx)?;
    }
    text::required("name", &set.name, MAX_NAME_LENGTH)?;
    require(set.permissions != Permissions::NONE, || {
        Refusal::invalid("permissions", "required")
    })?;
    let folded = |name: &str| name.trim().to_lowercase();
    let is_taken = ctx
        .state
        .permission_sets()
        .any(|other| other.id != set.id && folded(&other.name) == folded(&set.name));
    require(!is_taken, || Refusal::conflict("permission_set_name_taken").at("name"))?;
    require(
        before.is_some() || ctx.state.permission_sets().count() < MAX_SETS,
        || Refusal::conflict("too_many_permission_sets").with("max", MAX_SETS),
    )?;
    let unchanged = before == Some(set);
    Ok(Decision::of(TenantEvent::PermissionSetDefined(set.clone()), set.id).unless(unchanged))
}

/// Removes a set that nobody has.
pub(crate) fn remove(id: PermissionSetId, ctx: &Context<'_>) -> Result<Decision<TenantEvent>, Refusal> {
    ctx.require_manager()?;
    let set = ctx.state.permission_set(id);
    let set = set.ok_or_else(|| Refusal::not_found("permission_set_not_found"))?;
    contain_set(set.permissions, ctx)?;
    let name = Some(SetName::Own(id));
    let holders = ctx
        .state
        .parties()
        .filter(|party| !party.forgotten && ctx.state.office_access(party.id).permission_set == name);
    let count = holders.count();
    require(count == 0, || {
        Refusal::conflict("permission_set_in_use").with("count", count)
    })?;
    Ok(Decision::of(
        TenantEvent::PermissionSetRemoved { id },
        StreamId::TENANT.id,
    ))
}

/// Refuses a set that holds more than its maker.
fn contain_set(permissions: Permissions, ctx: &Context<'_>) -> Result<(), Refusal> {
    let Actor::Party(caller) = ctx.actor else {
        return Ok(());
    };
    let own = ctx.state.permissions_of(&ctx.state.office_access(caller));
    match own.lack(permissions) {
        None => Ok(()),
        Some(lacking) => Err(Refusal::forbidden("beyond_own_permissions").with("permission", lacking)),
    }
}

impl TenantState {
    /// Permissions that an access gives; none by a set that is no more.
    #[must_use]
    pub fn permissions_of(&self, access: &OfficeAccess) -> Permissions {
        match access.permission_set {
            None => Permissions::ALL,
            Some(SetName::Template(template)) => template.permissions(),
            Some(SetName::Own(id)) => self.permission_set(id).map_or(Permissions::NONE, |set| set.permissions),
        }
    }

    /// Whether an access gives more than another, or gives it for longer.
    pub(crate) fn widens(&self, before: &OfficeAccess, after: &OfficeAccess, now: DateTime<Utc>) -> bool {
        let held = if before.has_expired(now) {
            Permissions::NONE
        } else {
            self.permissions_of(before)
        };
        let outlives = before
            .expires_at
            .is_some_and(|end| after.expires_at.is_none_or(|later| later > end));
        held.lack(self.permissions_of(after)).is_some() || outlives
    }

    /// Whether a permission set would give its holders more.
    pub(crate) fn widens_holders(&self, set: &PermissionSet) -> bool {
        let name = Some(SetName::Own(set.id));
        let before = self
            .permission_set(set.id)
            .map_or(Permissions::NONE, |set| set.permissions);
        let mut holders = self.parties().filter(|party| party.is_active && !party.forgotten);
        before.lack(set.permissions).is_some()
            && holders.any(|party| self.office_access(party.id).permission_set == name)
    }

    /// Whether the party is the only active full manager.
    pub(crate) fn is_last_full_manager(&self, party: &Party) -> bool {
        let is_full = |party: &Party| {
            party.role == Role::Manager && party.is_active && self.office_access(party.id) == OfficeAccess::FULL
        };
        is_full(party) && !self.parties().any(|other| other.id != party.id && is_full(other))
    }
}

#[cfg(test)]
mod tests;
