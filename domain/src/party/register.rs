//! Making a party: who may make whom, and with what.

use super::{
    MAX_TERMS, Party, PartyDetails, PartyEvent, PartyRegistered, Role, TermsChange, Territory, terms,
    validate_territory,
};
use crate::{
    decision::{Context, Decision},
    ids::PartyId,
    personal::Personal,
    refusal::{Refusal, require},
};

/// Makes a party.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterParty {
    /// Its new id.
    pub id: PartyId,
    /// What it is to be.
    pub registration: Registration,
    /// What is personal about it.
    pub details: PartyDetails,
    /// Whether it may be used at once.
    pub is_active: bool,
}

/// What a party is to be, with what only that sort has.
#[derive(Clone, Debug, PartialEq)]
pub enum Registration {
    /// A manager.
    Manager,
    /// An agency with its terms.
    Agency {
        /// One for each group that it sells.
        terms: Vec<TermsChange>,
    },
    /// An agent selling on its own terms.
    ExternalAgent {
        /// Its agency, where it has one.
        agency: Option<PartyId>,
        /// One for each group that it sells.
        terms: Vec<TermsChange>,
    },
    /// An agent selling on its agency's terms.
    InternalAgent {
        /// Its agency.
        agency: Option<PartyId>,
    },
    /// A dealer.
    Dealer {
        /// Where it distributes.
        territory: Territory,
    },
    /// A delivery man; he inherits his dealer's territory.
    DeliveryMan {
        /// His dealer.
        dealer: Option<PartyId>,
        /// Whether he handles transfers to MLC cards.
        handle_mlc: bool,
    },
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
    details.validate()?;
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
    Ok(Decision::of(
        PartyEvent::PartyRegistered(PartyRegistered { party, personal }),
        command.id,
    ))
}

/// Puts a refusal of one of several terms at its place in the list.
fn nested(mut refusal: Refusal, index: usize) -> Refusal {
    for error in &mut refusal.errors {
        error.field = format!("paymentGroups[{index}].{}", error.field).into();
    }
    refusal
}

/// The agency of a new agent: the caller's own for an agency, the one named (or none) for a manager.
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
                .books
                .party(id)
                .filter(|party| party.role == Role::Agency && party.is_active);
            require(agency.is_some(), || Refusal::invalid("agencyId", "agency_unknown"))?;
            Ok(named)
        }
        _ => Err(Refusal::forbidden("role_not_allowed")),
    }
}

/// The dealer of a new delivery man: the caller itself, or the one that a manager names.
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
    ctx.books
        .party(id)
        .filter(|party| party.role == Role::Dealer && party.is_active)
        .ok_or_else(|| Refusal::invalid("dealerId", "dealer_unknown"))
}

#[cfg(test)]
mod tests;
