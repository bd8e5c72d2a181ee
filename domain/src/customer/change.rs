//! Changing and deleting customers.

use super::{ChangeCustomer, Customer, CustomerChanged, CustomerEvent, CustomerKind};
use crate::{
    decision::{Context, Decision},
    personal::Personal,
    refusal::{Refusal, require},
};

pub(super) fn decide(
    own: &Customer,
    change: &ChangeCustomer,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    let mut details = change.details.clone();
    if own.kind == CustomerKind::Issuer {
        details.alias = Some(details.name.clone());
        details.alternative_name = Some(details.name.clone());
    }
    details.validate()?;
    let place = change.place.unwrap_or(own.place);
    place.validate()?;
    let is_active = change.is_active.unwrap_or(own.is_active);
    if own.is_active && !is_active {
        require_no_open_remittances(own, ctx)?;
    }
    let changed = CustomerChanged {
        id: own.id,
        is_active,
        place,
        personal: Personal::clear(own.id, details),
    };
    Ok(Decision::of(CustomerEvent::CustomerChanged(changed), own.id))
}

pub(super) fn delete(own: &Customer, ctx: &Context<'_>) -> Result<Decision<CustomerEvent>, Refusal> {
    require_no_open_remittances(own, ctx)?;
    Ok(Decision::of(CustomerEvent::CustomerDeleted { id: own.id }, own.id))
}

fn require_no_open_remittances(own: &Customer, ctx: &Context<'_>) -> Result<(), Refusal> {
    let open = ctx.books.open_remittances_of(own.id);
    require(own.kind == CustomerKind::Recipient || open == 0, || {
        Refusal::conflict("issuer_has_open_remittances").with("count", open)
    })
}
