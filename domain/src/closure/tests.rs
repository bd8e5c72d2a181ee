use super::*;
use crate::{
    Command,
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    ids::{MovementId, RemittanceId},
    movement::{Deposit, Funds, MovementCommand, PayDebits},
    remittance::{EditAmount, RemittanceCommand},
    testing::{
        Business, amount, any, closing,
        given::{Caller, Then, Tried},
    },
};

fn close(business: &Business, caller: impl Caller, command: ClosePeriod) -> Tried<Closure> {
    let id = command.id;
    business
        .world
        .given::<Closure>(id)
        .when(business.world.by(caller, command))
}

fn closed(tried: Tried<Closure>) -> Closure {
    let ClosureEvent::PeriodClosed(closure) = tried.then_event();
    closure
}

fn figures(closure: &Closure, group: crate::ids::PaymentGroupId) -> GroupFigures {
    closure
        .groups
        .iter()
        .find(|figures| figures.group == group)
        .unwrap()
        .clone()
}

/// 07:00 in Havana on a day of May 2026.
fn morning(day: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 5, day, 11, 0, 0).unwrap()
}

fn may(day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(2026, 5, day)
}

fn sold(business: &mut Business, seller: PartyId, minor: i64) -> RemittanceId {
    let sale = business.sale(business.cup, minor);
    business.sell(seller, sale)
}

fn cancel(business: &mut Business, id: RemittanceId) {
    let reason = "se arrepintió".to_owned();
    business
        .act(business.manager, id, RemittanceCommand::Cancel { reason })
        .unwrap();
}

#[test]
fn closing_bills_the_accrued_commission_as_a_debit_owed_to_the_manager() {
    let mut business = Business::funded();
    let agency = business.agency;
    sold(&mut business, agency, 100_00);
    let command = closing(agency);
    let closure = closed(close(&business, business.manager, command.clone()));
    assert_eq!(
        business.world.lines(&closure.entry),
        ["Dr debits[agency] / Cr commission_receivable[agency] 2.00 USD"]
    );
    let origin = ObligationOrigin::Closure;
    let billed = OpenedObligation {
        id: command.debit,
        debtor: agency,
        creditor: None,
        amount: amount("2"),
        origin,
    };
    assert_eq!((closure.debit, closure.agency_debit), (Some(billed), None));
    assert_eq!((closure.number.as_str(), closure.from), ("C-000001", None));
}

#[test]
fn closing_an_agent_bills_its_agencys_fees_without_posting_them_again() {
    let mut business = Business::funded();
    let agent = business.agent;
    sold(&mut business, agent, 100_00);
    let command = closing(agent);
    let closure = closed(close(&business, business.agency, command.clone()));
    assert_eq!(
        business.world.lines(&closure.entry),
        ["Dr debits[agent] / Cr commission_receivable[agent] 2.00 USD"]
    );
    let origin = ObligationOrigin::Closure;
    let creditor = Some(business.agency);
    let owed = OpenedObligation {
        id: command.agency_debit,
        debtor: agent,
        creditor,
        amount: amount("5"),
        origin,
    };
    assert_eq!(closure.agency_debit, Some(owed));
}

#[test]
fn a_negative_accrual_is_not_billed_and_carries_over() {
    let mut business = Business::funded();
    let (manager, agency, usd) = (business.manager, business.agency, business.usd);
    let sale = business.sale(usd, 1_000_00);
    business.sell(agency, sale);
    let first = closed(close(&business, manager, closing(agency)));
    assert_eq!((first.totals.commission_accrued, first.debit), (amount("-1"), None));
    assert!(first.entry.is_empty());
    business.world.close(manager, agency).unwrap();
    sold(&mut business, agency, 150_00);
    let second = closed(close(&business, manager, closing(agency)));
    assert_eq!(
        second.debit.unwrap().amount,
        amount("2"),
        "3 accrued less 1 carried over"
    );
}

#[test]
fn an_agencys_fees_that_were_undone_after_they_were_billed_carry_over_too() {
    let mut business = Business::funded();
    let (agency, agent) = (business.agency, business.agent);
    let id = sold(&mut business, agent, 100_00);
    business.world.close(agency.actor(), agent).unwrap();
    cancel(&mut business, id);
    let answer = business.world.close(agency.actor(), agent).unwrap();
    assert_eq!((answer.debit_id, answer.agency_debit_id), (None, None));
    sold(&mut business, agent, 150_00);
    let third = closed(close(&business, agency, closing(agent)));
    assert_eq!(
        third.agency_debit.unwrap().amount,
        amount("2.50"),
        "7.50 accrued less 5 carried over"
    );
    assert_eq!(
        third.debit.unwrap().amount,
        amount("1"),
        "3 accrued less 2 carried over"
    );
}

#[test]
fn closures_are_contiguous() {
    let mut business = Business::funded();
    let (manager, agency, cup) = (business.manager, business.agency, business.cup);
    sold(&mut business, agency, 100_00);
    business.world.close(manager, agency).unwrap();
    let cut = business.world.now;
    sold(&mut business, agency, 50_00);
    let second = closed(close(&business, manager, closing(agency)));
    assert_eq!((second.from, second.number.as_str()), (Some(cut), "C-000002"));
    let figures = figures(&second, cup);
    assert_eq!((figures.opening, figures.sold), (amount("168150"), amount("15925")));
    assert_eq!((figures.closing, figures.count), (amount("152225"), 1));
    assert_eq!(
        business.world.tenant_state.prepaid(agency, cup),
        figures.closing,
        "as the ledger has it"
    );
}

#[test]
fn a_past_day_is_cut_at_its_end_in_the_tenants_zone() {
    let mut business = Business::funded();
    let (manager, agency, cup) = (business.manager, business.agency, business.cup);
    business.world.now = Utc.with_ymd_and_hms(2026, 5, 6, 3, 59, 58).unwrap();
    sold(&mut business, agency, 100_00);
    sold(&mut business, agency, 10_00);
    business.world.now = morning(6);
    let command = ClosePeriod {
        to: may(5),
        ..closing(agency)
    };
    let closure = closed(close(&business, manager, command.clone()));
    assert_eq!(
        closure.cut.to_rfc3339(),
        "2026-05-06T04:00:00+00:00",
        "Havana's midnight"
    );
    assert_eq!((Some(closure.through), figures(&closure, cup).count), (may(5), 1));
    assert_eq!(closure.debit.unwrap().amount, amount("2"));
    business.world.run(manager, Command::Closure(command)).unwrap();
    let again = ClosePeriod {
        to: may(5),
        ..closing(agency)
    };
    close(&business, manager, again).then_refused(Conflict, "period_already_closed");
    let rest = closed(close(&business, manager, closing(agency)));
    assert_eq!(figures(&rest, cup).count, 1, "what came after midnight is in the next");
    assert_eq!(rest.debit.unwrap().amount, amount("0.20"));
}

#[test]
fn today_and_no_day_are_cut_now() {
    let business = Business::funded();
    let now = business.world.now + chrono::Duration::seconds(1);
    for to in [None, may(4)] {
        let closure = closed(close(
            &business,
            business.manager,
            ClosePeriod {
                to,
                ..closing(business.agency)
            },
        ));
        assert_eq!((closure.cut, Some(closure.through)), (now, may(4)));
    }
}

#[test]
fn no_future_day_and_none_twice() {
    let mut business = Business::funded();
    let (manager, agency) = (business.manager, business.agency);
    let to = |to| ClosePeriod { to, ..closing(agency) };
    for day in [may(5), Some(NaiveDate::MAX)] {
        close(&business, manager, to(day)).then_refused(Invalid, "invalid to:date_in_future");
    }
    business.world.close(manager, agency).unwrap();
    for day in [may(3), Some(NaiveDate::MIN)] {
        close(&business, manager, to(day)).then_refused(Conflict, "period_already_closed");
    }
    close(&business, manager, to(may(4))).then_event();
}

#[test]
fn the_manager_closes_anyone_and_an_agency_its_own_agents() {
    let business = Business::funded();
    let (agency, agent) = (business.agency, business.agent);
    close(&business, business.manager, closing(business.free_agent)).then_event();
    close(&business, agency, closing(agent)).then_event();
    close(&business, agency, closing(agency)).then_refused(Forbidden, "closed_from_above");
    close(&business, business.other_agency, closing(agent)).then_refused(NotFound, "party_not_found");
    close(&business, agency, closing(business.clerk)).then_refused(Conflict, "party_has_no_closures");
    close(&business, business.manager, closing(business.dealer)).then_refused(Conflict, "party_has_no_closures");
    for caller in [agent, business.clerk, business.dealer] {
        close(&business, caller, closing(agent)).then_refused(Forbidden, "role_not_allowed");
    }
}

#[test]
fn opening_and_flows_add_up_to_the_closing() {
    let mut business = Business::funded();
    let (manager, agency, agent, cup) = (business.manager, business.agency, business.agent, business.cup);
    business
        .world
        .deposit(agency.actor(), any(agent), Funds::Group(cup), 10_000_00, false)
        .unwrap();
    sold(&mut business, agency, 100_00);
    let edited = sold(&mut business, agency, 10_00);
    let edit = EditAmount::new(amount("20"), cup);
    business
        .act(manager, edited, RemittanceCommand::EditAmount(edit))
        .unwrap();
    cancel(&mut business, edited);
    let closure = closed(close(&business, manager, closing(agency)));
    let expected = GroupFigures {
        group: cup,
        currency: CurrencyCode::CUP,
        opening: amount("0"),
        assigned: amount("200000"),
        given: amount("10000"),
        // 31,850 and 3,185, edited into 6,370: returned and sold again, then canceled.
        sold: amount("41405"),
        returned: amount("9555"),
        closing: amount("158150"),
        count: 2,
        canceled_count: 1,
        usd: amount("130"),
        returned_usd: amount("30"),
        manager_fee: amount("2"),
        agency_fee: amount("5"),
        agent_fee: amount("0"),
    };
    assert_eq!(figures(&closure, cup), expected);
    let given = closed(close(&business, manager, closing(agent)));
    assert_eq!(
        figures(&given, cup).assigned,
        amount("70000"),
        "given by the agency is assigned to the agent"
    );
}

#[test]
fn a_movement_taken_back_counts_as_undone_on_the_day_of_the_reversal() {
    let mut business = Business::funded();
    let (manager, agency, cup) = (business.manager, business.agency, business.cup);
    let id = MovementId::generate();
    let (to, funds, debit) = (any(agency), Funds::Group(cup), ObligationId::generate());
    let deposit = Deposit {
        to,
        funds,
        amount: amount("318.50"),
        on_credit: true,
        note: None,
        debit,
    };
    business
        .world
        .run(manager, Command::Movement(id, MovementCommand::Deposit(deposit)))
        .unwrap();
    business.world.now = morning(5);
    let reason = "duplicado".to_owned();
    business
        .world
        .run(manager, Command::Movement(id, MovementCommand::Reverse { reason }))
        .unwrap();
    let first = ClosePeriod {
        to: may(4),
        ..closing(agency)
    };
    let monday = closed(close(&business, manager, first.clone()));
    assert_eq!(figures(&monday, cup).closing, amount("200318.50"));
    assert_eq!(
        (monday.totals.debits_opened, monday.totals.debits_outstanding),
        (amount("1"), amount("1"))
    );
    business.world.run(manager, Command::Closure(first)).unwrap();
    let tuesday = closed(close(&business, manager, closing(agency)));
    let figures = figures(&tuesday, cup);
    assert_eq!(
        (figures.assigned, figures.closing),
        (amount("-318.50"), amount("200000"))
    );
    assert_eq!(
        (tuesday.totals.debits_opened, tuesday.totals.debits_outstanding),
        (amount("-1"), amount("0"))
    );
}

#[test]
fn a_cancel_after_the_closure_is_the_next_periods() {
    let mut business = Business::funded();
    let (manager, agency, cup) = (business.manager, business.agency, business.cup);
    let id = sold(&mut business, agency, 100_00);
    business.world.close(manager, agency).unwrap();
    cancel(&mut business, id);
    let next = closed(close(&business, manager, closing(agency)));
    let figures = figures(&next, cup);
    assert_eq!(
        (figures.count, figures.canceled_count, figures.manager_fee),
        (0, 1, amount("-2"))
    );
    assert_eq!((next.totals.commission_accrued, next.debit), (amount("-2"), None));
}

#[test]
fn debits_lead_from_period_to_period_with_what_closures_bill() {
    let mut business = Business::funded();
    let (manager, agency, usd) = (business.manager, business.agency, business.usd);
    let opened = business
        .world
        .deposit(manager, any(agency), Funds::Group(usd), 100_00, true)
        .unwrap();
    let pay = |debit, text| {
        let payment = PayDebits {
            debits: vec![ObligationId(debit)],
            amount: Some(amount(text)),
            note: None,
        };
        Command::Movement(MovementId::generate(), MovementCommand::PayDebits(payment))
    };
    business
        .world
        .run(manager, pay(opened.debit_id.unwrap(), "40"))
        .unwrap();
    sold(&mut business, agency, 100_00);
    let first = closed(close(&business, manager, closing(agency))).totals;
    assert_eq!((first.debits_opened, first.debits_paid), (amount("100"), amount("40")));
    assert_eq!(
        first.debits_outstanding,
        amount("60"),
        "what this closure bills comes after its cut"
    );
    let billed = business.world.close(manager, agency).unwrap();
    business.world.run(manager, pay(billed.debit_id.unwrap(), "2")).unwrap();
    let second = closed(close(&business, manager, closing(agency))).totals;
    assert_eq!((second.debits_opened, second.debits_paid), (amount("0"), amount("2")));
    assert_eq!(second.debits_outstanding, amount("60"));
}

#[test]
fn ids_of_closures_and_debits_are_used_once() {
    let mut business = Business::funded();
    let (manager, agency) = (business.manager, business.agency);
    sold(&mut business, agency, 100_00);
    let first = closing(agency);
    business.world.run(manager, Command::Closure(first.clone())).unwrap();
    close(&business, manager, first.clone()).then_refused(Conflict, "already_exists");
    close(&business, business.dealer, first.clone()).then_refused(Forbidden, "role_not_allowed");
    close(&business, business.other_agency, first.clone()).then_refused(NotFound, "party_not_found");
    sold(&mut business, agency, 100_00);
    let reusing = ClosePeriod {
        debit: first.debit,
        ..closing(agency)
    };
    close(&business, manager, reusing).then_refused(Conflict, "already_exists");
}

#[test]
fn havanas_day_starts_at_one_when_the_clocks_go_forward_at_midnight() {
    let zone = chrono_tz::America::Havana;
    let spring = NaiveDate::from_ymd_opt(2026, 3, 8).unwrap();
    assert_eq!(
        start_of_day(spring, zone).unwrap().to_rfc3339(),
        "2026-03-08T05:00:00+00:00"
    );
    let autumn = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    assert_eq!(
        start_of_day(autumn, zone).unwrap().to_rfc3339(),
        "2026-11-01T04:00:00+00:00"
    );
    assert_eq!(
        end_of_day(autumn, zone).unwrap().to_rfc3339(),
        "2026-11-02T05:00:00+00:00"
    );
}
