//! Making an issuer or a recipient.

use super::{Customer, CustomerDetails, CustomerEvent, CustomerKind, CustomerRegistered, Place};
use crate::{
    decision::{Context, Decision},
    ids::{CustomerId, PartyId},
    party::Role,
    personal::Personal,
    refusal::{Refusal, require},
};

/// Makes a customer.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterCustomer {
    /// Its new id.
    pub id: CustomerId,
    /// Issuer or recipient.
    pub kind: CustomerKind,
    /// What is personal about it.
    pub details: CustomerDetails,
    /// Whether it may be used at once.
    pub is_active: bool,
    /// The agency, or the agent with no agency, whose issuer it is: a manager names it, others need not.
    pub owner: Option<PartyId>,
    /// A recipient's issuer.
    pub sender: Option<CustomerId>,
    /// Where a recipient lives.
    pub place: Place,
}

pub(super) fn decide(command: &RegisterCustomer, ctx: &Context<'_>) -> Result<Decision<CustomerEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.role == Role::Manager || caller.role.sells(), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    let mut details = command.details.clone();
    let (owner, sender) = match command.kind {
        CustomerKind::Issuer => {
            details.alias = Some(details.name.clone());
            details.alternative_name = Some(details.name.clone());
            (issuers_owner(command, ctx)?, None)
        }
        CustomerKind::Recipient => {
            let id = command.sender.ok_or_else(|| Refusal::invalid("senderId", "required"))?;
            let sender = ctx
                .customer(id)
                .filter(|customer| customer.kind == CustomerKind::Issuer && !customer.deleted && customer.is_of(caller))
                .ok_or_else(|| Refusal::invalid("senderId", "sender_unknown"))?;
            require(sender.is_active, || Refusal::invalid("senderId", "sender_inactive"))?;
            (sender.owner, Some(id))
        }
    };
    details.validate()?;
    command.place.validate()?;
    let customer = Customer {
        id: command.id,
        kind: command.kind,
        owner,
        sender,
        is_active: command.is_active,
        deleted: false,
        place: command.place,
        cards: Default::default(),
    };
    let personal = Personal::clear(command.id, details);
    Ok(Decision::of(
        CustomerEvent::CustomerRegistered(CustomerRegistered { customer, personal }),
        command.id,
    ))
}

fn issuers_owner(command: &RegisterCustomer, ctx: &Context<'_>) -> Result<PartyId, Refusal> {
    let caller = ctx.caller()?;
    if caller.role != Role::Manager {
        let own = caller.customer_owner();
        require(
            command.owner.is_none_or(|named| named == own || named == caller.id),
            || Refusal::invalid("agencyId", "agency_unknown"),
        )?;
        return Ok(own);
    }
    let named = command.owner.ok_or_else(|| Refusal::invalid("agencyId", "required"))?;
    let owner = ctx
        .books
        .party(named)
        .filter(|party| party.is_active && party.role.holds_terms());
    owner
        .map(crate::party::Party::customer_owner)
        .ok_or_else(|| Refusal::invalid("agencyId", "agency_unknown"))
}
