use super::*;
use crate::{
    Actor, Command,
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    movement::{MovementCommand, MovementNote},
    party::{PartyCommand, TermsChange},
    personal::Personal,
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
    },
    testing::{
        Business, amount, any,
        given::{Caller, Then, Tried},
        terms,
    },
};

fn of(to: DepositTo, funds: Funds, text: &str, on_credit: bool) -> Deposit {
    Deposit {
        to,
        funds,
        amount: amount(text),
        on_credit,
        note: None,
        debit: ObligationId::generate(),
    }
}

fn try_deposit(business: &Business, caller: impl Caller, deposit: Deposit) -> Tried<Movement> {
    business.moving(caller, MovementCommand::Deposit(deposit))
}

fn balance(
    business: &Business,
    caller: impl Caller,
    to: PartyId,
    group: PaymentGroupId,
    text: &str,
) -> Tried<Movement> {
    try_deposit(business, caller, of(any(to), Funds::Group(group), text, false))
}

fn on_credit(
    business: &Business,
    caller: impl Caller,
    to: PartyId,
    group: PaymentGroupId,
    text: &str,
) -> Tried<Movement> {
    try_deposit(business, caller, of(any(to), Funds::Group(group), text, true))
}

fn cash(business: &Business, caller: impl Caller, to: PartyId, text: &str) -> Tried<Movement> {
    try_deposit(
        business,
        caller,
        of(any(to), Funds::Currency(CurrencyCode::CUP), text, false),
    )
}

fn treasury(business: &Business, caller: impl Caller, text: &str) -> Tried<Movement> {
    try_deposit(
        business,
        caller,
        of(DepositTo::Treasury, Funds::Currency(CurrencyCode::CUP), text, false),
    )
}

#[test]
fn the_managers_cash_is_capital() {
    let business = Business::new();
    treasury(&business, business.manager, "5.00").then_posts(&business, &["Dr treasury / Cr capital 5.00 CUP"]);
    treasury(&business, business.agency, "5.00").then_refused(Forbidden, "role_not_allowed");
}

#[test]
fn a_paid_assignment_in_dollars_comes_to_the_treasury() {
    let business = Business::new();
    balance(&business, business.manager, business.agency, business.usd, "100")
        .then_posts(&business, &["Dr treasury / Cr balance[agency USD] 100.00 USD"]);
}

#[test]
fn a_paid_assignment_in_another_currency_is_valued_at_the_partys_rate() {
    let business = Business::new();
    balance(&business, business.manager, business.agency, business.cup, "63700").then_posts(
        &business,
        &[
            "Dr treasury / Cr fx_position 200.00 USD",
            "Dr fx_position / Cr balance[agency CUP] 63700.00 CUP",
        ],
    );
}

#[test]
fn an_assignment_on_credit_opens_a_debit_owed_to_the_manager() {
    let business = Business::new();
    let deposit = of(any(business.agency), Funds::Group(business.cup), "63700", true);
    let event = try_deposit(&business, business.manager, deposit.clone()).then_event();
    let MovementEvent::MovementPosted(posted) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        business.world.lines(&posted.movement.entry),
        [
            "Dr debits[agency] / Cr fx_position 200.00 USD",
            "Dr fx_position / Cr balance[agency CUP] 63700.00 CUP",
        ]
    );
    let owed = OpenedObligation {
        id: deposit.debit,
        debtor: business.agency,
        creditor: None,
        amount: amount("200"),
        origin: ObligationOrigin::Assignment,
    };
    assert_eq!(posted.movement.debit, Some(owed));
    on_credit(&business, business.manager, business.agency, business.usd, "100")
        .then_posts(&business, &["Dr debits[agency] / Cr balance[agency USD] 100.00 USD"]);
}

#[test]
fn the_manager_gives_an_agent_under_an_agency_from_the_treasury_too() {
    let business = Business::new();
    balance(&business, business.manager, business.agent, business.usd, "99")
        .then_posts(&business, &["Dr treasury / Cr balance[agent USD] 99.00 USD"]);
}

#[test]
fn an_agency_gives_its_agent_from_its_own_balance() {
    let business = Business::funded();
    balance(&business, business.agency, business.agent, business.cup, "31500").then_posts(
        &business,
        &["Dr balance[agency CUP] / Cr balance[agent CUP] 31500.00 CUP"],
    );
    balance(&business, business.agency, business.agent, business.cup, "200000.01")
        .then_refused(Conflict, "balance_insufficient");
}

#[test]
fn what_an_agency_gives_on_credit_is_owed_to_it() {
    let business = Business::funded();
    let event = on_credit(&business, business.agency, business.agent, business.cup, "31500").then_event();
    let MovementEvent::MovementPosted(posted) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        business.world.lines(&posted.movement.entry),
        [
            "Dr balance[agency CUP] / Cr balance[agent CUP] 31500.00 CUP",
            "Dr agency_receivable[agent] / Cr agency_memo[agency] 100.00 USD",
        ]
    );
    let owed = posted.movement.debit.unwrap();
    assert_eq!((owed.debtor, owed.creditor), (business.agent, Some(business.agency)));
    assert_eq!(owed.amount, amount("100"));
}

#[test]
fn cash_for_the_field_comes_from_the_treasury_and_stops_at_its_bottom() {
    let business = Business::funded();
    for (party, name) in [(business.dealer, "dealer"), (business.courier, "courier")] {
        let line = format!("Dr field_cash[{name}] / Cr treasury 500.00 CUP");
        cash(&business, business.manager, party, "500").then_posts(&business, &[&line]);
    }
    cash(&business, business.manager, business.dealer, "720000").then_event();
    cash(&business, business.manager, business.dealer, "720000.01").then_expect_error(
        Refusal::conflict("treasury_insufficient")
            .with("available", "720000.00")
            .with("currency", "CUP"),
    );
}

#[test]
fn a_dealer_hands_its_own_cash_to_its_own_delivery_men() {
    let business = Business::funded();
    cash(&business, business.dealer, business.courier, "500").then_posts(
        &business,
        &["Dr field_cash[courier] / Cr field_cash[dealer] 500.00 CUP"],
    );
    cash(&business, business.dealer, business.courier, "90000.01").then_refused(Conflict, "cash_insufficient");
    cash(&business, business.dealer, business.other_courier, "1").then_refused(NotFound, "party_not_found");
}

#[test]
fn deposits_require_a_giving_role_and_a_receiver_in_scope() {
    let business = Business::funded();
    let cup = business.cup;
    for caller in [business.agent, business.clerk, business.free_agent, business.courier] {
        balance(&business, caller, business.agent, cup, "1").then_refused(Forbidden, "role_not_allowed");
    }
    for to in [
        business.free_agent,
        business.other_agency,
        business.agency,
        business.dealer,
    ] {
        balance(&business, business.agency, to, cup, "1").then_refused(NotFound, "party_not_found");
    }
    let as_agent = DepositTo::Party(business.agency, ExpectedParty::Agent);
    try_deposit(&business, business.manager, of(as_agent, Funds::Group(cup), "1", false))
        .then_refused(NotFound, "party_not_found");
}

#[test]
fn roles_without_balance_receive_none() {
    let business = Business::funded();
    balance(&business, business.agency, business.clerk, business.cup, "1")
        .then_refused(Conflict, "internal_agent_has_no_balance");
    let Actor::Party(manager) = business.manager else {
        panic!()
    };
    balance(&business, business.manager, manager, business.cup, "1")
        .then_refused(Conflict, "party_receives_no_deposits");
}
#[test]
fn parties_out_of_use_receive_nothing() {
    let mut business = Business::funded();
    let (manager, agent, dealer) = (business.manager, business.agent, business.dealer);
    for party in [agent, dealer] {
        business.pause(party);
    }
    balance(&business, business.agency, agent, business.cup, "1").then_refused(Conflict, "party_inactive");
    cash(&business, manager, dealer, "1").then_refused(Conflict, "party_inactive");
}

#[test]
fn balance_is_of_a_group_that_the_party_holds_and_that_is_open() {
    let mut business = Business::funded();
    let (manager, agency, mlc) = (business.manager, business.agency, business.mlc);
    let in_cash = of(any(agency), Funds::Currency(CurrencyCode::CUP), "1", false);
    try_deposit(&business, manager, in_cash).then_refused(Invalid, "invalid paymentGroupId:required");
    balance(&business, manager, business.agent, mlc, "1")
        .then_refused(Invalid, "invalid paymentGroupId:payment_group_not_held");
    let closed = TermsChange {
        is_active: Some(false),
        ..terms(mlc, "0.93", Default::default(), "0")
    };
    business
        .world
        .run(manager, Command::Party(agency, PartyCommand::SetTerms(closed)))
        .unwrap();
    balance(&business, manager, agency, mlc, "1").then_refused(Invalid, "invalid paymentGroupId:payment_group_closed");
}

#[test]
fn a_group_closed_in_the_catalogue_takes_no_balance() {
    let mut business = Business::funded();
    let group = business.world.tenant_state.group(business.cup).unwrap().clone();
    let closed = PaymentGroupCommand::Change(PaymentGroup {
        is_active: false,
        ..group
    });
    business
        .world
        .run(business.manager, Command::PaymentGroup(business.cup, closed))
        .unwrap();
    balance(&business, business.manager, business.agency, business.cup, "1")
        .then_refused(Invalid, "invalid paymentGroupId:payment_group_closed");
}

#[test]
fn a_notes_subject_is_the_receiver() {
    let business = Business::funded();
    let note = Some(" Semana 19 ".to_owned());
    let deposit = Deposit {
        note,
        ..of(any(business.agency), Funds::Group(business.usd), "1", false)
    };
    let event = try_deposit(&business, business.manager, deposit).then_event();
    let MovementEvent::MovementPosted(posted) = event else {
        panic!("{event:?}")
    };
    let note = MovementNote {
        note: Some("Semana 19".into()),
    };
    assert_eq!(posted.personal, Personal::clear(business.agency, note));
}

#[test]
fn a_disabled_currency_moves_neither_as_cash_nor_as_balance() {
    let mut business = Business::funded();
    let manager = business.manager;
    let cup = business.world.tenant_state.currency(CurrencyCode::CUP).unwrap().clone();
    let disabled = CurrencyCommand::Change(Currency {
        enabled: false,
        ..cup.clone()
    });
    business
        .world
        .run(manager, Command::Currency(cup.id, disabled))
        .unwrap();
    balance(&business, manager, business.agency, business.cup, "1")
        .then_refused(Invalid, "invalid paymentGroupId:currency_disabled");
    cash(&business, manager, business.dealer, "1").then_refused(Invalid, "invalid currency:currency_disabled");
}

#[test]
fn an_amount_is_above_zero_in_its_currency_and_in_dollars_and_not_too_large() {
    let mut business = Business::funded();
    let (manager, agency, cup) = (business.manager, business.agency, business.cup);
    for (text, rule) in [
        ("0", "amount_not_positive"),
        ("-1", "amount_not_positive"),
        ("1000000000000.01", "amount_too_large"),
        ("1.59", "value_not_positive"),
    ] {
        balance(&business, manager, agency, cup, text).then_refused(Invalid, &format!("invalid amount:{rule}"));
    }
    balance(&business, manager, agency, cup, "1.60").then_event();
    let cheap = PartyCommand::SetTerms(terms(cup, "0.01", Default::default(), "0"));
    business.world.run(manager, Command::Party(agency, cheap)).unwrap();
    balance(&business, manager, agency, cup, "1000000000000").then_refused(Invalid, "invalid amount:amount_too_large");
}

#[test]
fn cash_is_not_given_on_credit() {
    let business = Business::funded();
    for to in [any(business.dealer), DepositTo::Treasury] {
        let owed = of(to, Funds::Currency(CurrencyCode::CUP), "1", true);
        try_deposit(&business, business.manager, owed)
            .then_refused(Invalid, "invalid onCredit:cash_is_not_given_on_credit");
    }
}

#[test]
fn an_unknown_currency_is_refused() {
    let business = Business::funded();
    let unknown = Funds::Currency("XYZ".parse().unwrap());
    try_deposit(
        &business,
        business.manager,
        of(DepositTo::Treasury, unknown, "1", false),
    )
    .then_refused(Invalid, "invalid currency:currency_unknown");
}

#[test]
fn a_debit_is_opened_once() {
    let mut business = Business::funded();
    let deposit = of(any(business.agency), Funds::Group(business.usd), "10", true);
    let give = MovementCommand::Deposit(deposit.clone());
    business
        .world
        .run(business.manager, Command::Movement(MovementId::generate(), give))
        .unwrap();
    try_deposit(&business, business.manager, deposit).then_refused(Conflict, "already_exists");
}
