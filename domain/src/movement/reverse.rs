//! Reversal of a movement: once, by the manager, within the accounts' guards.

use super::{Movement, MovementEvent, MovementNote, MovementReversed};
use crate::{
    decision::{Context, Decision},
    money::Amount,
    party::{Caller, Role},
    personal::Personal,
    refusal::{Refusal, require},
    text,
};

/// Whether a caller may reverse a movement. `paid` is what was paid on the obligation it opened. Account guards are
/// checked later.
///
/// # Errors
/// 403 when the caller is no manager; 409 when already reversed, or the obligation has payments.
pub fn judge_reversal(caller: Caller, reversed: bool, paid: Amount) -> Result<(), Refusal> {
    require(caller.role == Role::Manager, || Refusal::forbidden("role_not_allowed"))?;
    require(!reversed, || Refusal::conflict("movement_already_reversed"))?;
    require(paid.is_zero(), || Refusal::conflict("debit_has_payments"))
}

pub(super) fn decide(
    own: Option<&Movement>,
    reason: &str,
    ctx: &Context<'_>,
) -> Result<Decision<MovementEvent>, Refusal> {
    ctx.require_manager()?;
    let caller = ctx.caller()?;
    let own = own.ok_or_else(|| Refusal::not_found("movement_not_found"))?;
    text::required_note("reason", reason, text::MAX_REASON_LENGTH)?;
    let debit = own.debit.and_then(|opened| ctx.state.obligation(opened.id));
    judge_reversal(
        caller.into(),
        own.reversed,
        debit.map_or(Amount::ZERO, |debit| debit.paid),
    )?;
    let entry = own.entry.reversed();
    ctx.state.check(&entry)?;
    let reversed = MovementReversed {
        id: own.id,
        by: caller.id,
        voided_debit: own.debit.map(|debit| debit.id),
        undone_payments: own.payments.clone(),
        entry,
        personal: Personal::clear(
            own.subject(),
            MovementNote {
                note: Some(reason.trim().to_owned()),
            },
        ),
    };
    Ok(Decision::of(MovementEvent::MovementReversed(reversed), own.id)
        .answering(|answer| answer.number = Some(own.number.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Account, AccountKind, Command,
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        ids::{MovementId, ObligationId, PartyId},
        money::CurrencyCode,
        movement::{Deposit, DepositTo, Funds, MovementCommand, PayDebits},
        testing::{
            Business, any,
            given::{Caller, Then, Tried},
        },
    };

    fn made(business: &mut Business, caller: impl Caller, command: MovementCommand) -> MovementId {
        let id = MovementId::generate();
        business
            .world
            .run(caller.actor(), Command::Movement(id, command))
            .unwrap();
        id
    }

    fn given(
        business: &mut Business,
        caller: impl Caller,
        to: DepositTo,
        funds: Funds,
        text: &str,
        on_credit: bool,
    ) -> (MovementId, ObligationId) {
        let (amount, debit) = (crate::testing::amount(text), ObligationId::generate());
        let deposit = Deposit {
            to,
            funds,
            amount,
            on_credit,
            note: None,
            debit,
        };
        (made(business, caller, MovementCommand::Deposit(deposit)), debit)
    }

    fn paid(business: &mut Business, debit: ObligationId) -> MovementId {
        let payment = PayDebits {
            debits: vec![debit],
            amount: None,
            note: None,
        };
        let manager = business.manager;
        made(business, manager, MovementCommand::PayDebits(payment))
    }

    fn command() -> MovementCommand {
        MovementCommand::Reverse {
            reason: "duplicado".into(),
        }
    }

    fn reverse(business: &Business, caller: impl Caller, id: MovementId) -> Tried<Movement> {
        business
            .world
            .given::<Movement>(id)
            .when(business.world.by(caller, (id, command())))
    }

    fn pesos() -> Funds {
        Funds::Currency(CurrencyCode::CUP)
    }

    #[test]
    fn a_reversal_swaps_the_transfers_from_last_to_first() {
        let mut business = Business::funded();
        let (manager, agency, cup) = (business.manager, business.agency, business.cup);
        let (id, _) = given(&mut business, manager, any(agency), Funds::Group(cup), "63700", false);
        reverse(&business, manager, id).then_posts(
            &business,
            &[
                "Dr balance[agency CUP] / Cr fx_position 63700.00 CUP",
                "Dr fx_position / Cr treasury 200.00 USD",
            ],
        );
    }

    #[test]
    fn a_movement_is_taken_back_once() {
        let mut business = Business::funded();
        let manager = business.manager;
        let (id, _) = given(&mut business, manager, DepositTo::Treasury, pesos(), "5", false);
        business.world.run(manager, Command::Movement(id, command())).unwrap();
        reverse(&business, manager, id).then_refused(Conflict, "movement_already_reversed");
    }

    #[test]
    fn only_the_manager_takes_movements_back_even_those_of_an_agency() {
        let mut business = Business::funded();
        let (agency, agent, dealer, cup) = (business.agency, business.agent, business.dealer, business.cup);
        let (id, _) = given(&mut business, agency, any(agent), Funds::Group(cup), "31500", true);
        for caller in [agency, agent, dealer] {
            reverse(&business, caller, id).then_refused(Forbidden, "role_not_allowed");
        }
        reverse(&business, business.manager, id).then_posts(
            &business,
            &[
                "Dr agency_memo[agency] / Cr agency_receivable[agent] 100.00 USD",
                "Dr balance[agent CUP] / Cr balance[agency CUP] 31500.00 CUP",
            ],
        );
    }

    #[test]
    fn a_reversal_is_guarded_like_anything_else() {
        let mut business = Business::funded();
        let (manager, free_agent, cup) = (business.manager, business.free_agent, business.cup);
        let (id, _) = given(&mut business, manager, any(free_agent), Funds::Group(cup), "100", false);
        let sale = crate::remittance::CreateRemittance {
            sender: business.delia,
            recipient: business.elisa,
            ..business.sale(cup, 189_00)
        };
        business.sell(free_agent, sale);
        // 60,100 less 59,913 leaves 187, which covers the reversal; after another sale nothing does.
        reverse(&business, manager, id).then_event();
        let sale = crate::remittance::CreateRemittance {
            sender: business.delia,
            recipient: business.elisa,
            ..business.sale(cup, 50)
        };
        business.sell(free_agent, sale);
        reverse(&business, manager, id).then_refused(Conflict, "balance_insufficient");
    }

    #[test]
    fn an_assignment_on_credit_is_taken_back_with_its_debit_unless_that_has_payments() {
        let mut business = Business::funded();
        let (manager, agency, usd) = (business.manager, business.agency, business.usd);
        let (id, debit) = given(&mut business, manager, any(agency), Funds::Group(usd), "100", true);
        let payment = paid(&mut business, debit);
        reverse(&business, manager, id).then_refused(Conflict, "debit_has_payments");
        business
            .world
            .run(manager, Command::Movement(payment, command()))
            .unwrap();
        assert_eq!(
            business
                .world
                .tenant_state
                .obligation(debit)
                .unwrap()
                .outstanding()
                .to_string(),
            "100.00",
            "it is open again"
        );
        let event = reverse(&business, manager, id).then_event();
        let MovementEvent::MovementReversed(reversed) = event else {
            panic!("{event:?}")
        };
        assert_eq!(reversed.voided_debit, Some(debit));
        business.world.run(manager, Command::Movement(id, command())).unwrap();
        assert!(business.world.tenant_state.obligation(debit).unwrap().void);
        let owed = Account::usd(AccountKind::Debits, agency);
        assert!(business.world.tenant_state.balance(owed).is_zero());
        let again = PayDebits {
            debits: vec![debit],
            amount: None,
            note: None,
        };
        business
            .moving(manager, MovementCommand::PayDebits(again))
            .then_refused(Conflict, "debit_void");
    }

    #[test]
    fn a_reversal_needs_a_movement_and_a_reason() {
        let mut business = Business::funded();
        let manager = business.manager;
        reverse(&business, manager, MovementId::generate()).then_refused(NotFound, "movement_not_found");
        let (id, _) = given(&mut business, manager, DepositTo::Treasury, pesos(), "5", false);
        let unexplained = (id, MovementCommand::Reverse { reason: " ".into() });
        business
            .world
            .given::<Movement>(id)
            .when(business.world.by(manager, unexplained))
            .then_refused(Invalid, "invalid reason:required");
        let longest = "x".repeat(text::MAX_REASON_LENGTH);
        let too_long = MovementCommand::Reverse {
            reason: format!("{longest}x"),
        };
        business
            .world
            .given::<Movement>(id)
            .when(business.world.by(manager, (id, too_long)))
            .then_refused(Invalid, "invalid reason:text_too_long");
        let explained = MovementCommand::Reverse { reason: longest };
        business
            .world
            .run(manager.actor(), Command::Movement(id, explained))
            .unwrap();
    }

    #[test]
    fn a_movements_id_is_used_once_and_only_givers_learn_that_it_is_taken() {
        let mut business = Business::funded();
        let (manager, agent): (_, PartyId) = (business.manager, business.agent);
        let (id, _) = given(&mut business, manager, DepositTo::Treasury, pesos(), "5", false);
        let again = |caller: crate::Actor| {
            let amount = crate::testing::amount("5");
            let deposit = Deposit {
                to: DepositTo::Treasury,
                funds: pesos(),
                amount,
                on_credit: false,
                note: None,
                debit: ObligationId::generate(),
            };
            business
                .world
                .given::<Movement>(id)
                .when(business.world.by(caller, (id, MovementCommand::Deposit(deposit))))
        };
        again(manager).then_refused(Conflict, "already_exists");
        again(agent.actor()).then_refused(Forbidden, "role_not_allowed");
    }
}
