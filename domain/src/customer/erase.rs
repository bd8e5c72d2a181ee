//! Erasure of an issuer or a recipient.

use super::{Customer, CustomerEvent};
use crate::{
    decision::{Context, Decision},
    erasure::Forget,
    limits,
    refusal::{Refusal, require},
};

/// Erases a customer without open remittances whose retention has ended. Idempotent.
pub(super) fn decide(
    own: Option<&Customer>,
    order: &Forget,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    ctx.require_manager()?;
    let own = own.ok_or_else(|| Refusal::not_found("customer_not_found"))?;
    if own.forgotten {
        return Ok(Decision::nothing(own.id));
    }
    let open = ctx.state.open_remittances_with(own.id);
    require(open == 0, || {
        Refusal::conflict("person_has_open_remittances").with("count", open)
    })?;
    order.permit(ctx)?;
    let forgotten = CustomerEvent::PersonForgotten {
        id: own.id,
        retention_days: order.retention_days,
    };
    let mut decision = Decision::of(forgotten, own.id);
    let mut released = limits::released(own.id, ctx.state.limits());
    released.append(&mut decision.events);
    Ok(Decision {
        events: released,
        ..decision
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Actor, Command,
        RefusalKind::{Conflict, Forbidden, NotFound},
        customer::CustomerCommand,
        erasure::DEFAULT_RETENTION_DAYS,
        ids::CustomerId,
        remittance::RemittanceCommand,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };
    use chrono::Duration;

    /// An erasure order, `days` after the last business.
    fn order(business: &Business, days: i64) -> CustomerCommand {
        CustomerCommand::Forget(Forget {
            retention_days: DEFAULT_RETENTION_DAYS,
            last_business: Some(business.world.now - Duration::days(days)),
        })
    }

    fn never() -> CustomerCommand {
        CustomerCommand::Forget(Forget {
            retention_days: DEFAULT_RETENTION_DAYS,
            last_business: None,
        })
    }

    fn act(business: &Business, caller: impl Caller, id: CustomerId, command: CustomerCommand) -> Tried<Customer> {
        business
            .world
            .given::<Customer>(id)
            .when(business.world.by(caller, command))
    }

    #[test]
    fn only_managers_and_the_system_erase_a_customer_and_erasure_is_idempotent() {
        let mut business = Business::new();
        let (manager, berta) = (business.manager, business.berta);
        let forgotten = || {
            vec![CustomerEvent::PersonForgotten {
                id: berta,
                retention_days: DEFAULT_RETENTION_DAYS,
            }]
        };
        act(&business, manager, berta, never()).then_expect_events(forgotten());
        act(&business, Actor::System, berta, never()).then_expect_events(forgotten());
        act(&business, business.agency, berta, never()).then_refused(Forbidden, "role_not_allowed");
        act(&business, manager, CustomerId::generate(), never()).then_refused(NotFound, "customer_not_found");
        business.world.run(manager, Command::Customer(berta, never())).unwrap();
        act(&business, manager, berta, never()).then_expect_events(vec![]);
        act(&business, manager, berta, CustomerCommand::Delete).then_refused(NotFound, "customer_not_found");
    }

    #[test]
    fn erasure_is_refused_during_retention() {
        let business = Business::new();
        let (manager, ana) = (business.manager, business.ana);
        let days = i64::from(DEFAULT_RETENTION_DAYS);
        act(&business, manager, ana, order(&business, days - 1)).then_refused(Conflict, "person_within_retention");
        act(&business, manager, ana, order(&business, days)).then_event();
    }

    #[test]
    fn neither_side_of_a_remittance_under_way_is_forgotten() {
        let mut business = Business::funded();
        let (agency, manager) = (business.agency, business.manager);
        let sale = business.sale(business.cup, 10_00);
        let id = business.sell(agency, sale);
        for person in [business.ana, business.berta] {
            act(&business, manager, person, never()).then_refused(Conflict, "person_has_open_remittances");
        }
        let cancel = RemittanceCommand::Cancel {
            reason: "Se arrepintió".into(),
        };
        business
            .world
            .run(Actor::Party(agency), Command::Remittance(id, cancel))
            .unwrap();
        for person in [business.ana, business.berta] {
            act(&business, manager, person, never()).then_event();
        }
    }
}
