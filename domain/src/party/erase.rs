//! Erasure of a party.

use super::{Party, PartyEvent, permission::Ties};
use crate::{
    decision::{Context, Decision},
    erasure::Forget,
    refusal::{Refusal, require},
};

/// Erases a party without open business whose retention has ended. Idempotent.
pub(super) fn decide(own: &Party, order: &Forget, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    ctx.require_manager()?;
    if own.forgotten {
        return Ok(Decision::nothing(own.id));
    }
    let state = ctx.state;
    Ties::of_use(own, ctx.state).permit_idle()?;
    let open = state.open_remittances_sold_by(own.id);
    require(open == 0, || {
        Refusal::conflict("person_has_open_remittances").with("count", open)
    })?;
    let owed = state
        .obligations()
        .any(|debit| !debit.outstanding().is_zero() && (debit.debtor == own.id || debit.creditor == Some(own.id)));
    require(!owed, || Refusal::conflict("person_has_debits"))?;
    let holds = state
        .accounts()
        .any(|(account, balance)| account.owner == Some(own.id) && !balance.is_zero());
    require(!holds, || Refusal::conflict("person_has_balances"))?;
    let leads = state
        .parties()
        .any(|party| party.is_active && (party.agency == Some(own.id) || party.dealer == Some(own.id)));
    require(!leads, || Refusal::conflict("person_leads_others"))?;
    order.permit(ctx)?;
    let forgotten = PartyEvent::PersonForgotten {
        id: own.id,
        retention_days: order.retention_days,
    };
    Ok(Decision::of(forgotten, own.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Actor, Command, Event,
        RefusalKind::{Conflict, Forbidden},
        UniqueValue, UniqueValueKind,
        erasure::DEFAULT_RETENTION_DAYS,
        ids::PartyId,
        party::PartyCommand,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn never() -> PartyCommand {
        PartyCommand::Forget(Forget {
            retention_days: DEFAULT_RETENTION_DAYS,
            last_business: None,
        })
    }

    fn erase(business: &Business, caller: impl Caller, id: PartyId) -> Tried<Party> {
        business
            .world
            .given::<Party>(id)
            .when(business.world.by(caller, never()))
    }

    #[test]
    fn a_party_is_forgotten_once_and_its_address_is_free_again() {
        let mut business = Business::new();
        let (manager, agent) = (business.manager, business.agent);
        erase(&business, business.agency, agent).then_refused(Forbidden, "role_not_allowed");
        let event = erase(&business, Actor::System, agent).then_event();
        let released = Some(UniqueValue::release(UniqueValueKind::Email, agent));
        assert_eq!(Event::Party(event).unique_value(), released);
        business.world.run(manager, Command::Party(agent, never())).unwrap();
        let party = business.world.tenant_state.party(agent).unwrap();
        assert!(party.forgotten && !party.is_active);
        erase(&business, manager, agent).then_expect_events(vec![]);
    }

    #[test]
    fn parties_with_balances_debts_or_subordinates_are_not_erased() {
        let business = Business::funded();
        erase(&business, business.manager, business.agency).then_refused(Conflict, "person_has_balances");
        let business = Business::new();
        erase(&business, business.manager, business.agency).then_refused(Conflict, "person_leads_others");
        let Actor::Party(last) = business.manager else {
            panic!("a manager is a party")
        };
        erase(&business, business.manager, last).then_refused(Conflict, "last_manager");
    }

    #[test]
    fn sellers_of_open_remittances_are_not_erased() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 10_00);
        business.sell(business.clerk, sale);
        erase(&business, business.manager, business.clerk).then_refused(Conflict, "person_has_open_remittances");
    }
}
