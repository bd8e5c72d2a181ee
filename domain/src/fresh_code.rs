//! Movements that ask for a fresh code of the second factor: one exhaustive match, as that of approvals, so that a new
//! command can't be written without an answer, and no route goes around it.

use crate::{
    aggregate::StreamState,
    approval::{posted, value},
    command::Command,
    decision::{Context, Decision},
    event::Event,
    money::Amount,
    movement::MovementCommand,
    refusal::{Refusal, require},
    tenant_state::TenantState,
};

/// Refuses a command that moves an amount from which the tenant asks for a code, of a caller who lacks one. An amount
/// that has no value in USD is as good as every other.
///
/// # Errors
/// 403 `second_factor_code_required`.
pub(crate) fn require_code(
    command: &Command,
    own: &StreamState,
    decision: &Decision<Event>,
    ctx: &Context<'_>,
) -> Result<(), Refusal> {
    let from = ctx.state.second_factor_rule().code_from;
    let Some(from) = from.filter(|_| ctx.lacks_code && !decision.events.is_empty()) else {
        return Ok(());
    };
    let reaches = |moved: Moved| moved.0.is_none_or(|amount| amount >= from);
    require(!moved(command, own, decision, ctx.state).is_some_and(reaches), || {
        Refusal::forbidden("second_factor_code_required")
    })
}

/// The value in USD of what a command moves; none where that is out of range.
struct Moved(Option<Amount>);

/// What a command moves; `None` for those that are no movement and no payment. An approval asks for a code whatever it
/// approves.
fn moved(command: &Command, own: &StreamState, decision: &Decision<Event>, state: &TenantState) -> Option<Moved> {
    match command {
        Command::Movement(_, MovementCommand::Reverse { .. }) => {
            let StreamState::Movement(own) = own else { return None };
            Some(Moved(own.0.as_ref().and_then(|movement| value(movement, state))))
        }
        Command::Movement(
            _,
            MovementCommand::Deposit(_)
            | MovementCommand::Transfer(_)
            | MovementCommand::Expense(_)
            | MovementCommand::Open(_)
            | MovementCommand::PayDebits(_),
        ) => Some(Moved(posted(decision, state))),
        Command::Tenant(_)
        | Command::Currency(..)
        | Command::Place(_)
        | Command::PaymentGroup(..)
        | Command::Party(..)
        | Command::Customer(..)
        | Command::Remittance(..)
        | Command::Closure(_)
        | Command::Rates(..)
        | Command::ApiKey(..)
        | Command::Webhook(..)
        | Command::Proposal(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::{MovementId, ObligationId},
        money::CurrencyCode,
        movement::{Deposit, Exchange, Funds, MovementEvent, TransferCash, TransferTo},
        party::Role,
        refusal::RefusalKind,
        tenant::{SecondFactorRule, TenantCommand},
        testing::{Business, amount, any, rate},
    };

    fn set(business: &mut Business, from: Option<&str>) {
        let rule = SecondFactorRule {
            roles: [].into(),
            code_from: from.map(amount),
        };
        let command = Command::Tenant(TenantCommand::RequireSecondFactor(rule));
        business.world.run(business.manager, command).unwrap();
    }

    fn deposit(business: &Business, minor: i64) -> Command {
        let deposit = Deposit {
            to: any(business.agency),
            funds: Funds::Group(business.cup),
            amount: Amount::from_minor(minor),
            on_credit: true,
            note: None,
            debit: ObligationId::generate(),
        };
        Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit))
    }

    fn outcome(business: &mut Business, command: Command) -> String {
        match business.world.run(business.manager, command) {
            Ok(_) => "done".into(),
            Err(refusal) => {
                assert_eq!(refusal.kind, RefusalKind::Forbidden);
                refusal.code.to_string()
            }
        }
    }

    #[test]
    fn movements_of_at_least_the_set_amount_need_a_code_and_smaller_ones_and_other_commands_do_not() {
        const REQUIRED: &str = "second_factor_code_required";
        let mut business = Business::funded();
        business.world.lacks_code = true;
        let small = deposit(&business, 31_840_00);
        let large = deposit(&business, 31_850_00);
        let unasked = deposit(&business, 31_850_00);
        assert_eq!(outcome(&mut business, unasked), "done", "nothing is set");
        set(&mut business, Some("100"));
        // Neither a sale nor a rule is a movement.
        let sale = business.sale(business.cup, 100_00);
        business.sell(business.agency, sale);
        assert_eq!(outcome(&mut business, small), "done");
        assert_eq!(outcome(&mut business, large.clone()), REQUIRED);
        business.world.lacks_code = false;
        assert_eq!(outcome(&mut business, large), "done");

        business.world.lacks_code = true;
        let posted = business.world.log.iter().rev().find_map(|(event, _)| match event {
            Event::Movement(MovementEvent::MovementPosted(posted)) => Some(posted.movement.id),
            _ => None,
        });
        let reason = "Error".into();
        let reverse = Command::Movement(posted.unwrap(), MovementCommand::Reverse { reason });
        assert_eq!(outcome(&mut business, reverse.clone()), REQUIRED);
        set(&mut business, None);
        assert_eq!(outcome(&mut business, reverse), "done");
    }

    #[test]
    fn an_exchange_needs_a_code_by_the_larger_of_its_sides_whatever_rate_is_typed() {
        const USD: CurrencyCode = CurrencyCode::USD;
        const CUP: CurrencyCode = CurrencyCode::CUP;
        let mut business = Business::funded();
        let (manager, to) = (business.manager, any(business.dealer));
        let funds = Funds::Currency(USD);
        business.world.deposit(manager, to, funds, 1_000_00, false).unwrap();
        business.world.lacks_code = true;
        set(&mut business, Some("100"));
        for (from, given, to, typed, expected) in [
            (CUP, "32990", USD, "0.000001", "done"),
            (CUP, "33000", USD, "0.000001", "second_factor_code_required"),
            (USD, "99.99", CUP, "330", "done"),
            (USD, "1", CUP, "33000", "second_factor_code_required"),
        ] {
            let transfer = TransferCash {
                from: business.dealer,
                to: TransferTo::Party(business.dealer),
                amount: amount(given),
                currency: from,
                exchange: Some(Exchange {
                    currency: to,
                    rate: rate(typed),
                }),
                note: None,
            };
            let command = Command::Movement(MovementId::generate(), MovementCommand::Transfer(transfer));
            assert_eq!(outcome(&mut business, command), expected, "{given} at {typed}");
        }
    }

    #[test]
    fn the_amount_is_no_less_than_zero_and_the_roles_stay_apart_from_it() {
        let mut business = Business::new();
        let rule = |from: &str| SecondFactorRule {
            roles: [Role::Agency].into(),
            code_from: Some(amount(from)),
        };
        let command = |from: &str| Command::Tenant(TenantCommand::RequireSecondFactor(rule(from)));
        let refused = business.world.run(business.manager, command("-1")).unwrap_err();
        assert_eq!(refused.kind, RefusalKind::Invalid);
        business.world.run(business.manager, command("0")).unwrap();
        assert_eq!(business.world.tenant_state.second_factor_rule(), &rule("0"));
    }
}
