//! Assignment of a remittance to a dealer, or to one of his delivery men.

use super::{Delivery, Remittance, RemittanceAssigned, RemittanceEvent, Status, posting};
use crate::{
    decision::{Context, Decision},
    ids::PartyId,
    party::{Party, Role},
    refusal::{Refusal, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::TransferCode,
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignDealer {
    pub dealer: PartyId,
    /// One of the dealer's delivery men; `None` leaves it with the dealer.
    pub delivery_man: Option<PartyId>,
}

/// Warning for a home delivery outside the dealer's zones.
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
        .state
        .party(assign.dealer)
        .filter(|party| party.role == Role::Dealer && party.is_active)
        .ok_or_else(|| Refusal::invalid("dealerId", "dealer_unknown"))?;
    if let Some(id) = assign.delivery_man {
        let known = ctx
            .state
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
    ctx.state.check(&entry)?;
    let unchanged =
        own.status == Status::Shipping && own.dealer == Some(dealer.id) && own.delivery_man == assign.delivery_man;
    let outside = caller.role == Role::Manager && is_outside_zones(own.delivery, dealer);
    let assigned = RemittanceAssigned {
        id: own.id,
        dealer: dealer.id,
        delivery_man: assign.delivery_man,
        previous_dealer: own.dealer.filter(|_| own.status == Status::Shipping),
        entry,
    };
    Ok(Decision::of(RemittanceEvent::RemittanceAssigned(assigned), own.id)
        .unless(unchanged)
        .answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Shipping.number());
            if outside {
                answer.warnings.push(OUTSIDE_ZONES.to_owned());
            }
        }))
}

fn is_outside_zones(delivery: Delivery, dealer: &Party) -> bool {
    match delivery {
        Delivery::Home { municipality, .. } => !dealer.territory.zones.contains(&municipality),
        Delivery::Card { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        ids::RemittanceId,
        remittance::{CreateRemittance, DeliveryChoice, RemittanceCommand},
        tenant_state::entry::Entry,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn sold() -> (Business, RemittanceId) {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agency, sale);
        (business, id)
    }

    fn to(dealer: PartyId, delivery_man: Option<PartyId>) -> RemittanceCommand {
        RemittanceCommand::Assign(AssignDealer { dealer, delivery_man })
    }

    fn assign(
        business: &Business,
        caller: impl Caller,
        id: RemittanceId,
        command: RemittanceCommand,
    ) -> Tried<Remittance> {
        business
            .world
            .given::<Remittance>(id)
            .when(business.world.by(caller, command))
    }

    #[test]
    fn an_assigned_payout_is_owed_through_the_dealer() {
        let (business, id) = sold();
        assign(&business, business.manager, id, to(business.dealer, None)).then_posts(
            &business,
            &["Dr remittances_pending / Cr remittances_shipping[dealer] 31850.00 CUP"],
        );
    }

    #[test]
    fn a_reassigned_payout_goes_from_dealer_to_dealer() {
        let (mut business, id) = sold();
        business.act(business.manager, id, to(business.dealer, None)).unwrap();
        assign(&business, business.manager, id, to(business.other_dealer, None)).then_posts(
            &business,
            &["Dr remittances_shipping[dealer] / Cr remittances_shipping[other-dealer] 31850.00 CUP"],
        );
    }

    #[test]
    fn one_in_error_is_assigned_from_there() {
        let (mut business, id) = sold();
        let reason = "nadie en casa".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        assign(&business, business.manager, id, to(business.dealer, None)).then_posts(
            &business,
            &["Dr remittances_error / Cr remittances_shipping[dealer] 31850.00 CUP"],
        );
    }

    #[test]
    fn assigning_to_the_same_dealer_posts_nothing_and_clears_the_delivery_man() {
        let (mut business, id) = sold();
        business
            .act(business.manager, id, to(business.dealer, Some(business.courier)))
            .unwrap();
        assign(&business, business.dealer, id, to(business.dealer, None)).then_expect_events(vec![
            RemittanceEvent::RemittanceAssigned(RemittanceAssigned {
                id,
                dealer: business.dealer,
                delivery_man: None,
                previous_dealer: Some(business.dealer),
                entry: Entry::default(),
            }),
        ]);
    }

    #[test]
    fn a_dealer_gives_what_it_has_to_its_own_delivery_men_only() {
        let (mut business, id) = sold();
        let (dealer, courier) = (business.dealer, business.courier);
        assign(&business, dealer, id, to(dealer, Some(courier))).then_refused(NotFound, "remittance_not_found");
        business.act(business.manager, id, to(dealer, None)).unwrap();
        assign(&business, dealer, id, to(dealer, Some(courier))).then_posts(&business, &[]);
        assign(&business, dealer, id, to(dealer, Some(business.other_courier)))
            .then_refused(Invalid, "invalid deliveryManId:delivery_man_unknown");
        assign(&business, dealer, id, to(business.other_dealer, None))
            .then_refused(Forbidden, "dealer_assigns_own_delivery_men");
        assign(&business, courier, id, to(dealer, Some(courier))).then_refused(NotFound, "remittance_not_found");
    }

    #[test]
    fn only_dealers_in_use_are_assigned_to() {
        let (mut business, id) = sold();
        let (manager, dealer) = (business.manager, business.dealer);
        assign(&business, manager, id, to(business.courier, None))
            .then_refused(Invalid, "invalid dealerId:dealer_unknown");
        business.pause(dealer);
        assign(&business, manager, id, to(dealer, None)).then_refused(Invalid, "invalid dealerId:dealer_unknown");
    }

    #[test]
    fn a_card_transfer_needs_a_dealer_who_handles_them() {
        let mut business = Business::funded();
        let delivery = DeliveryChoice::Card(business.bertas_card);
        let sale = CreateRemittance {
            delivery,
            ..business.sale(business.mlc, 10_00)
        };
        let id = business.sell(business.agency, sale);
        assign(&business, business.manager, id, to(business.other_dealer, None)).then_refused(
            Conflict,
            "dealer_does_not_handle_transfers dealerId:dealer_does_not_handle_transfers",
        );
        assign(&business, business.manager, id, to(business.dealer, None)).then_event();
    }

    #[test]
    fn the_manager_is_warned_of_a_delivery_outside_the_dealers_zones() {
        let (mut business, id) = sold();
        let manager = business.manager;
        let inside = business.act(manager, id, to(business.dealer, None)).unwrap();
        assert!(inside.warnings.is_empty());
        let outside = business.act(manager, id, to(business.other_dealer, None)).unwrap();
        assert_eq!(outside.warnings, [OUTSIDE_ZONES]);
        let onwards = business
            .act(
                business.other_dealer.actor(),
                id,
                to(business.other_dealer, Some(business.other_courier)),
            )
            .unwrap();
        assert!(
            onwards.warnings.is_empty(),
            "what the manager decided is no news to the dealer"
        );
    }

    #[test]
    fn assigning_to_whom_it_is_with_writes_no_event() {
        let (mut business, id) = sold();
        let (dealer, courier) = (business.dealer, business.courier);
        for man in [None, Some(courier)] {
            business.act(business.manager, id, to(dealer, man)).unwrap();
            assign(&business, business.manager, id, to(dealer, man)).then_expect_events(vec![]);
        }
        assign(&business, business.manager, id, to(dealer, None)).then_event();
    }
}
