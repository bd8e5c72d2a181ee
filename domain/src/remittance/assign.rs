//! Giving a remittance to a dealer, or to one of his delivery men.

use super::{Delivery, Remittance, RemittanceAssigned, RemittanceEvent, Status, posting};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::TransferCode,
    },
    decision::{Context, Decision},
    ids::PartyId,
    party::{Party, Role},
    refusal::{Refusal, require},
};

/// Gives a remittance to a dealer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignDealer {
    /// The dealer.
    pub dealer: PartyId,
    /// One of his delivery men; nobody where `None`.
    pub delivery_man: Option<PartyId>,
}

/// The warning where a home delivery lies outside the dealer's zones.
pub const OUTSIDE_ZONES: &str = "outside_dealer_zones";

pub(super) fn decide(
    own: &Remittance,
    assign: &AssignDealer,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.role == Role::Manager || caller.id == assign.dealer, || {
        Refusal::forbidden("dealer_assigns_own_delivery_men")
    })?;
    let dealer = ctx
        .books
        .party(assign.dealer)
        .filter(|party| party.role == Role::Dealer && party.is_active)
        .ok_or_else(|| Refusal::invalid("dealerId", "dealer_unknown"))?;
    if let Some(id) = assign.delivery_man {
        let known = ctx
            .books
            .party(id)
            .is_some_and(|party| party.is_active && dealer.commands(party));
        require(known, || Refusal::invalid("deliveryManId", "delivery_man_unknown"))?;
    }
    let transfer = matches!(own.delivery, Delivery::Card { .. });
    require(!transfer || dealer.territory.handle_mlc, || {
        Refusal::conflict("dealer_does_not_handle_transfers").at("dealerId")
    })?;

    let shipping = Account::of(AccountKind::RemittancesShipping, dealer.id, own.sale.quote.currency_to);
    let entry = posting::moved(own, shipping, TransferCode::Assign);
    ctx.books.check(&entry)?;
    let outside = caller.role == Role::Manager && is_outside_zones(own.delivery, dealer);
    let assigned = RemittanceAssigned {
        id: own.id,
        dealer: dealer.id,
        delivery_man: assign.delivery_man,
        entry,
    };
    Ok(
        Decision::of(RemittanceEvent::RemittanceAssigned(assigned), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Shipping.number());
            if outside {
                answer.warnings.push(OUTSIDE_ZONES.to_owned());
            }
        }),
    )
}

fn is_outside_zones(delivery: Delivery, dealer: &Party) -> bool {
    match delivery {
        Delivery::Home { municipality, .. } => !dealer.territory.zones.contains(&municipality),
        Delivery::Card { .. } => false,
    }
}
