//! Registration of a party: permitted creators and required parts per role.

use super::{
    MAX_TERMS, Party, PartyDetails, PartyEvent, PartyRegistered, Role, TermsChange, Territory, terms,
    validate_territory,
};
use crate::{
    decision::{Context, Decision},
    ids::PartyId,
    office::{self, OfficeAccess},
    personal::Personal,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterParty {
    pub id: PartyId,
    pub registration: Registration,
    #[serde(with = "PartyDetails")]
    pub details: PartyDetails,
    /// Whether it may log in from the start.
    pub is_active: bool,
}

/// Role of the new party, with the parts that only this role has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Registration {
    Manager,
    /// A manager whom a permission set or an expiry narrows.
    Office(OfficeAccess),
    /// An agency with its terms.
    Agency {
        /// One per group that it sells.
        terms: Vec<TermsChange>,
    },
    /// An agent with terms of its own.
    ExternalAgent {
        /// `None` for an agent of the manager.
        agency: Option<PartyId>,
        /// One per group that it sells.
        terms: Vec<TermsChange>,
    },
    /// An agent on its agency's terms.
    InternalAgent {
        agency: Option<PartyId>,
    },
    Dealer {
        /// Area and delivery methods.
        territory: Territory,
    },
    /// A delivery man; inherits his dealer's territory.
    DeliveryMan {
        dealer: Option<PartyId>,
        /// Whether he pays to MLC cards.
        handle_mlc: bool,
    },
}

impl Registration {
    /// Role of the new party.
    #[must_use]
    pub const fn role(&self) -> Role {
        match self {
            Self::Manager | Self::Office(_) => Role::Manager,
            Self::Agency { .. } => Role::Agency,
            Self::ExternalAgent { .. } => Role::ExternalAgent,
            Self::InternalAgent { .. } => Role::InternalAgent,
            Self::Dealer { .. } => Role::Dealer,
            Self::DeliveryMan { .. } => Role::DeliveryMan,
        }
    }
}

pub(super) fn decide(command: &RegisterParty, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    let mut party = Party {
        id: command.id,
        role: Role::Manager,
        agency: None,
        dealer: None,
        is_active: command.is_active,
        terms: Default::default(),
        territory: Territory::default(),
        forgotten: false,
        deleted: false,
    };
    let requested = match &command.registration {
        Registration::Manager => {
            ctx.require_manager()?;
            &[][..]
        }
        Registration::Office(access) => {
            ctx.require_manager()?;
            office::check(access, ctx)?;
            &[][..]
        }
        Registration::Agency { terms } => {
            ctx.require_manager()?;
            party.role = Role::Agency;
            terms
        }
        Registration::ExternalAgent { agency, terms } => {
            party.role = Role::ExternalAgent;
            party.agency = agency_of(*agency, ctx)?;
            terms
        }
        Registration::InternalAgent { agency } => {
            party.role = Role::InternalAgent;
            party.agency = agency_of(*agency, ctx)?;
            require(party.agency.is_some(), || Refusal::invalid("agencyId", "required"))?;
            &[]
        }
        Registration::Dealer { territory } => {
            ctx.require_manager()?;
            validate_territory(territory)?;
            party.role = Role::Dealer;
            party.territory = territory.clone();
            &[]
        }
        Registration::DeliveryMan { dealer, handle_mlc } => {
            let dealer = dealer_of(*dealer, ctx)?;
            party.role = Role::DeliveryMan;
            party.dealer = Some(dealer.id);
            party.territory = Territory {
                handle_mlc: *handle_mlc,
                ..dealer.territory.clone()
            };
            &[]
        }
    };
    let mut details = command.details.clone();
    details.validate(None)?;
    details.check_numbers(party.role, None, ctx.now.date_naive())?;
    require(requested.len() <= MAX_TERMS, || {
        Refusal::invalid_with("paymentGroups", "too_many", [("max", MAX_TERMS.to_string())])
    })?;
    for (index, change) in requested.iter().enumerate() {
        require(!party.terms.contains_key(&change.group), || {
            Refusal::invalid(format!("paymentGroups[{index}].paymentGroupId"), "duplicate")
        })?;
        let terms = terms::resolve(&party, change, ctx).map_err(|refusal| nested(refusal, index))?;
        party.terms.insert(change.group, terms);
    }
    let personal = Personal::clear(command.id, details);
    let registered = PartyEvent::PartyRegistered(PartyRegistered { party, personal });
    let mut decision = Decision::of(registered, command.id);
    if let Registration::Office(access) = command.registration {
        let id = command.id;
        decision.events.push(PartyEvent::OfficeAccessSet { id, access });
    }
    Ok(decision)
}

/// Prefixes a refusal's field with its index in the list of terms.
fn nested(mut refusal: Refusal, index: usize) -> Refusal {
    for error in &mut refusal.errors {
        error.field = format!("paymentGroups[{index}].{}", error.field).into();
    }
    refusal
}

/// The agency of a new agent: the calling agency, or the optional one named by a manager.
fn agency_of(named: Option<PartyId>, ctx: &Context<'_>) -> Result<Option<PartyId>, Refusal> {
    let caller = ctx.caller()?;
    match caller.role {
        Role::Agency => {
            require(named.is_none_or(|id| id == caller.id), || {
                Refusal::invalid("agencyId", "agency_unknown")
            })?;
            Ok(Some(caller.id))
        }
        Role::Manager => {
            let Some(id) = named else { return Ok(None) };
            let agency = ctx
                .state
                .party(id)
                .filter(|party| party.role == Role::Agency && party.is_active);
            require(agency.is_some(), || Refusal::invalid("agencyId", "agency_unknown"))?;
            Ok(named)
        }
        _ => Err(Refusal::forbidden("role_not_allowed")),
    }
}

/// The dealer of a new delivery man: the calling dealer, or the one named by a manager.
fn dealer_of<'a>(named: Option<PartyId>, ctx: &Context<'a>) -> Result<&'a Party, Refusal> {
    let caller = ctx.caller()?;
    let id = match caller.role {
        Role::Dealer => {
            require(named.is_none_or(|id| id == caller.id), || {
                Refusal::invalid("dealerId", "dealer_unknown")
            })?;
            caller.id
        }
        Role::Manager => named.ok_or_else(|| Refusal::invalid("dealerId", "required"))?,
        _ => return Err(Refusal::forbidden("role_not_allowed")),
    };
    ctx.state
        .party(id)
        .filter(|party| party.role == Role::Dealer && party.is_active)
        .ok_or_else(|| Refusal::invalid("dealerId", "dealer_unknown"))
}

#[cfg(test)]
mod tests;
