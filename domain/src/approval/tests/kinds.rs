//! What a kind covers where the command alone does not tell it: opening balances, cash of another, what a dealer had, reviews,
//! exchanges.

use super::{Office, caught, commands::command_of, movement, proposed_amount, rule};
use crate::{
    Actor, Command, Event, StreamId,
    approval::{ApprovalKind, ProposalCommand, ProposalEvent},
    customer::{CustomerCommand, DecidePair, PairOutcome, RecordScreening, ScreeningCandidate},
    ids::{PartyId, ProposalId},
    money::{Amount, CurrencyCode},
    movement::{Exchange, MovementCommand, OpenBalance, Opened, TransferCash, TransferTo},
    party::Registration,
    remittance::{EditAmount, RemittanceCommand},
    testing::{Business, amount, rate},
};

#[test]
fn an_opening_balance_of_a_party_waits_where_an_assignment_does_and_the_treasurys_does_not() {
    let (cash, credit) = (ApprovalKind::AssignmentOnCash, ApprovalKind::AssignmentOnCredit);
    const USD: CurrencyCode = CurrencyCode::USD;
    type Of = fn(&Business) -> Opened;
    let opened: [(&[ApprovalKind], Of); 3] = [
        (&[cash, credit], |business| {
            Opened::Balance(business.agency, business.usd)
        }),
        (&[cash], |business| Opened::Cash(business.dealer, USD)),
        (&[], |_| Opened::Treasury(USD)),
    ];
    for (covered, of) in opened {
        for kind in [cash, credit, ApprovalKind::Expense] {
            let mut business = Business::new();
            let manager = business.manager;
            let second = business.world.party(manager, "segunda", Registration::Manager);
            let mut office = Office { business, second };
            let of = of(&office.business);
            let open = movement(MovementCommand::Open(OpenBalance {
                of,
                amount: amount("100"),
            }));
            office.set(rule(kind, Some("100")));
            let first = office.business.world.log.len();
            let answer = office.by(manager, open.clone()).unwrap();
            assert_eq!(answer.proposal.is_some(), covered.contains(&kind), "{of:?} {kind:?}");
            let Some(proposal) = answer.proposal else { continue };
            assert!(office.stored(proposal.id) == open);
            office.approve(second, proposal.id).unwrap();
            assert_eq!(
                caught(&office, &rule(kind, None), first),
                [Some(amount("100"))],
                "{of:?} {kind:?}"
            );
        }
    }
}

#[test]
fn cash_that_another_party_gets_waits_as_an_assignment_by_a_transfer_too_and_what_goes_back_does_not() {
    let (assignment, exchange) = (ApprovalKind::AssignmentOnCash, ApprovalKind::DealerExchange);
    type Of = fn(&Business) -> (PartyId, TransferTo);
    let transfers: [(&[ApprovalKind], bool, Of); 7] = [
        (&[assignment], false, |b| (b.dealer, TransferTo::Party(b.courier))),
        (&[assignment], false, |b| (b.dealer, TransferTo::Party(b.other_dealer))),
        (&[assignment], false, |b| (b.courier, TransferTo::Party(b.other_dealer))),
        (&[], false, |b| (b.courier, TransferTo::Party(b.dealer))),
        (&[], false, |b| (b.dealer, TransferTo::Manager)),
        (&[exchange], true, |b| (b.dealer, TransferTo::Party(b.dealer))),
        (&[exchange, assignment], true, |b| {
            (b.dealer, TransferTo::Party(b.other_dealer))
        }),
    ];
    let cash = |(from, to): (PartyId, TransferTo), exchanges: bool| {
        movement(MovementCommand::Transfer(TransferCash {
            from,
            to,
            amount: amount("3300"),
            currency: CurrencyCode::CUP,
            exchange: exchanges.then(|| Exchange {
                currency: CurrencyCode::USD,
                rate: rate("0.003"),
            }),
            note: None,
        }))
    };
    for (index, (covered, exchanges, of)) in transfers.into_iter().enumerate() {
        for kind in [assignment, exchange, ApprovalKind::AssignmentOnCredit] {
            let mut office = Office::new();
            let (manager, second) = (office.business.manager, office.second);
            let handed = (office.business.dealer, TransferTo::Party(office.business.courier));
            office.by(manager, cash(handed, false)).unwrap();
            let command = cash(of(&office.business), exchanges);
            office.set(rule(kind, Some("10")));
            let first = office.business.world.log.len();
            let answer = office.by(manager, command.clone()).unwrap();
            let case = format!("transfer {index} under {kind:?}");
            assert_eq!(answer.proposal.is_some(), covered.contains(&kind), "{case}");
            let Some(proposal) = answer.proposal else { continue };
            assert!(office.stored(proposal.id) == command, "{case}");
            office.approve(second, proposal.id).unwrap();
            assert_eq!(
                caught(&office, &rule(kind, None), first),
                [Some(amount("10"))],
                "{case}"
            );
        }
    }
    // The dealer's own call, and its way around.
    let mut office = Office::new();
    office.set(rule(assignment, None));
    let (dealer, courier) = (office.business.dealer, office.business.courier);
    let command = cash((dealer, TransferTo::Party(courier)), false);
    assert!(office.by(Actor::Party(dealer), command).unwrap().proposal.is_some());
}

#[test]
fn what_a_dealer_had_needs_the_approval_also_after_an_error_and_an_edit() {
    let mut office = Office::new();
    let Command::Remittance(id, cancel) = command_of(ApprovalKind::CancelShipping, &mut office) else {
        panic!("a remittance")
    };
    let (manager, cup) = (office.business.manager, office.business.cup);
    let reason = "Nadie en casa".to_owned();
    office
        .business
        .act(manager, id, RemittanceCommand::MarkError { reason })
        .unwrap();
    office.set(rule(ApprovalKind::CancelShipping, None));
    let cancel = || Command::Remittance(id, cancel.clone());
    let proposal = office.by(manager, cancel()).unwrap().proposal;
    let second = office.second;
    let reject = ProposalCommand::Reject { reason: "No".into() };
    office.decide(second, proposal.unwrap().id, reject).unwrap();
    let edit = EditAmount::new(amount("90"), cup);
    office
        .business
        .act(manager, id, RemittanceCommand::EditAmount(edit))
        .unwrap();
    assert!(office.by(manager, cancel()).unwrap().proposal.is_some());
    // One that nobody carried is canceled at once.
    let sale = office.business.sale(cup, 100_00);
    let id = office.business.sell(office.business.agency, sale);
    let reason = "Error".into();
    let cancel = Command::Remittance(id, RemittanceCommand::Cancel { reason });
    assert_eq!(office.by(manager, cancel).unwrap().proposal, None);
}

fn found(entries: &[&str]) -> CustomerCommand {
    CustomerCommand::RecordScreening(RecordScreening {
        lists: [("ofac-sdn".to_owned(), "0a1b2c".to_owned())].into(),
        candidates: entries
            .iter()
            .map(|entry| ScreeningCandidate {
                list: "ofac-sdn".into(),
                entry: (*entry).into(),
                name: "PÉREZ, Berta".into(),
                score: 97,
            })
            .collect(),
        is_confirmed: false,
    })
}

fn decides(entry: &str, outcome: PairOutcome, others_remain: bool) -> CustomerCommand {
    CustomerCommand::DecidePair(DecidePair {
        list: "ofac-sdn".into(),
        entry: entry.into(),
        outcome,
        reason: "Otra fecha de nacimiento".into(),
        files: Vec::new(),
        others_remain,
        listed: None,
    })
}

#[test]
fn nobody_clears_a_customer_alone_where_a_rule_covers_releases_whatever_its_amount() {
    let mut office = Office::new();
    let (manager, berta) = (office.business.manager, office.business.berta);
    let stream = StreamId::new(crate::StreamKind::Customer, berta);
    let by = |command: CustomerCommand| Command::Customer(berta, command);
    let in_review = |office: &Office| office.business.world.state(stream).customer().unwrap().in_review;
    office.by(Actor::System, by(found(&["7", "8", "9"]))).unwrap();
    let first = office.business.world.log.len();
    office
        .by(manager, by(decides("9", PairOutcome::Different, true)))
        .unwrap();
    let releases = rule(ApprovalKind::HoldRelease, Some("1000000"));
    assert_eq!(caught(&office, &releases, first), [None]);

    office.set(releases);
    let waits: Vec<ProposalId> = [("7", true), ("8", false)]
        .map(|(entry, others_remain)| office.propose(by(decides(entry, PairOutcome::Different, others_remain))))
        .into();
    let [other, last] = waits[..] else {
        panic!("two proposals")
    };
    assert!(in_review(&office), "nothing is decided");
    let amounts = waits.iter().map(|id| {
        let stream = StreamId::new(crate::StreamKind::Proposal, *id);
        match &office.business.world.history[&stream][0] {
            Event::Proposal(ProposalEvent::CommandProposed(proposed)) => (proposed.amount, proposed.as_of),
            event => panic!("{event:?}"),
        }
    });
    assert_eq!(amounts.collect::<Vec<_>>(), [(None, None); 2]);
    let reject = ProposalCommand::Reject { reason: "No".into() };
    office.decide(office.second, other, reject).unwrap();
    assert!(in_review(&office), "a rejection leaves the review as it was");
    assert_eq!(office.approve(office.maker(), last).unwrap_err().code, "own_proposal");

    // Without what the caller reads anew, the customer stays in review.
    assert!(office.stored(last) == by(decides("8", PairOutcome::Different, true)));
    let anew = Box::new(by(decides("8", PairOutcome::Different, false)));
    office
        .decide(office.second, last, ProposalCommand::Approve(anew))
        .unwrap();
    assert!(!in_review(&office));

    let same = office.by(manager, by(decides("8", PairOutcome::Same, false))).unwrap();
    assert_eq!(same.proposal, None, "what holds needs nobody else");
    assert!(in_review(&office));
}

#[test]
fn an_exchange_has_the_larger_value_of_both_sides_at_the_reference_rates_whatever_rate_is_typed() {
    const USD: CurrencyCode = CurrencyCode::USD;
    const CUP: CurrencyCode = CurrencyCode::CUP;
    let tenant_state = Office::new().business.world.tenant_state;
    assert_eq!(tenant_state.currency(CUP).unwrap().exchange_rate, rate("330"));
    for (from, given, to, typed, worth) in [
        (USD, "100", CUP, "330", "100"),
        (USD, "100", CUP, "0.01", "100"),
        (USD, "1", CUP, "330000", "1000"),
        (CUP, "33000", USD, "0.003", "100"),
        (CUP, "66000", USD, "0.000001", "200"),
        (CUP, "1", USD, "1000", "1000"),
    ] {
        let case = format!("{given} {from:?} at {typed}");
        let exchange = |office: &Office| {
            movement(MovementCommand::Transfer(TransferCash {
                from: office.business.dealer,
                to: TransferTo::Party(office.business.dealer),
                amount: amount(given),
                currency: from,
                exchange: Some(Exchange {
                    currency: to,
                    rate: rate(typed),
                }),
                note: None,
            }))
        };
        let beyond = (amount(worth) + Amount::from_minor(1)).to_string();
        let mut office = Office::with_dollars_of_the_dealer();
        office.set(rule(ApprovalKind::DealerExchange, Some(&beyond)));
        let command = exchange(&office);
        let manager = office.business.manager;
        assert_eq!(office.by(manager, command).unwrap().proposal, None, "{case}");
        // The reversal has the same value.
        office.set(rule(ApprovalKind::Reversal, Some(worth)));
        let reverse = command_of(ApprovalKind::Reversal, &mut office);
        let id = office.propose(reverse);
        assert_eq!(
            proposed_amount(&office, id),
            Some(amount(worth)),
            "the reversal of {case}"
        );

        let mut office = Office::with_dollars_of_the_dealer();
        office.set(rule(ApprovalKind::DealerExchange, Some(worth)));
        let command = exchange(&office);
        let id = office.propose(command);
        assert_eq!(proposed_amount(&office, id), Some(amount(worth)), "{case}");
    }
}
