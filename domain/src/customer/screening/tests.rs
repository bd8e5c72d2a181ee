//! Given, when, then for screening, over the business in memory.

use super::{
    DecidePair, ListedPerson, MAX_LISTED_TEXT_LENGTH, MAX_LISTED_TEXTS, PairOutcome, RecordScreening,
    ScreeningCandidate, ScreeningRule,
};
use crate::{
    Actor, Command,
    RefusalKind::{Forbidden, Invalid, NotFound},
    TenantCommand, TenantEvent,
    customer::{Customer, CustomerCommand, CustomerEvent},
    erasure::Forget,
    ids::CustomerId,
    remittance::{EditAmount, HoldReason, RemittanceCommand, RemittanceEvent},
    testing::{
        Business,
        given::{Caller, Then, Tried},
    },
};

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

/// A screening of a customer who was found to be a listed person.
fn found_of_confirmed(entries: &[&str]) -> CustomerCommand {
    match found(entries) {
        CustomerCommand::RecordScreening(found) => CustomerCommand::RecordScreening(RecordScreening {
            is_confirmed: true,
            ..found
        }),
        other => other,
    }
}

fn pair(outcome: PairOutcome, others_remain: bool, reason: &str) -> CustomerCommand {
    CustomerCommand::DecidePair(DecidePair {
        list: "ofac-sdn".into(),
        entry: "7".into(),
        outcome,
        reason: reason.into(),
        files: Vec::new(),
        others_remain,
        listed: None,
    })
}

fn act(business: &Business, caller: impl Caller, id: CustomerId, command: CustomerCommand) -> Tried<Customer> {
    business
        .world
        .given::<Customer>(id)
        .when(business.world.by(caller, command))
}

fn run(business: &mut Business, actor: impl Caller, id: CustomerId, command: CustomerCommand) {
    business
        .world
        .run(actor.actor(), Command::Customer(id, command))
        .unwrap();
}

#[test]
fn only_the_system_records_a_screening_and_one_without_candidates_before_and_after_writes_nothing() {
    let mut business = Business::new();
    let berta = business.berta;
    act(&business, Actor::System, berta, found(&[])).then_expect_events(vec![]);
    let manager = business.manager;
    act(&business, manager, berta, found(&["7"])).then_refused(Forbidden, "role_not_allowed");
    let event = act(&business, Actor::System, berta, found(&["7", "8", "7"])).then_event();
    let CustomerEvent::CustomerScreened(screened) = event else {
        panic!("{event:?}")
    };
    assert!(screened.in_review);
    assert_eq!(screened.personal.get().unwrap().candidates.len(), 2);
    run(&mut business, Actor::System, berta, found(&["7"]));
    let event = act(&business, Actor::System, berta, found(&[])).then_event();
    assert!(matches!(event, CustomerEvent::CustomerScreened(screened) if !screened.in_review));
}

#[test]
fn managers_decide_pairs_with_a_reason_and_others_do_not() {
    let mut business = Business::new();
    let (berta, manager, agency) = (business.berta, business.manager, business.agency);
    run(&mut business, Actor::System, berta, found(&["7"]));
    let different = |reason| pair(PairOutcome::Different, false, reason);
    act(&business, agency, berta, different("otra")).then_refused(Forbidden, "role_not_allowed");
    act(&business, Actor::System, berta, different("otra")).then_refused(Forbidden, "role_not_allowed");
    act(&business, manager, berta, different(" ")).then_refused(Invalid, "invalid reason:required");
    act(&business, manager, CustomerId::generate(), different("otra")).then_refused(NotFound, "customer_not_found");
    for (outcome, others_remain, in_review) in [
        (PairOutcome::Different, false, false),
        (PairOutcome::Different, true, true),
        (PairOutcome::Same, false, true),
    ] {
        let event = act(&business, manager, berta, pair(outcome, others_remain, "otra")).then_event();
        let CustomerEvent::ScreeningPairDecided(decided) = event else {
            panic!("{event:?}")
        };
        assert_eq!(decided.in_review, in_review, "{outcome:?}");
    }
}

#[test]
fn no_screening_ends_the_review_of_a_confirmed_match_and_a_reviewer_does() {
    let mut business = Business::funded();
    let (berta, manager) = (business.berta, business.manager);
    run(&mut business, Actor::System, berta, found(&["7"]));
    run(
        &mut business,
        manager,
        berta,
        pair(PairOutcome::Same, false, "es la misma"),
    );
    for entries in [&[][..], &["8"]] {
        let event = act(&business, Actor::System, berta, found_of_confirmed(entries)).then_event();
        let CustomerEvent::CustomerScreened(screened) = event else {
            panic!("{event:?}")
        };
        assert!(screened.in_review, "{entries:?}");
    }
    run(&mut business, Actor::System, berta, found_of_confirmed(&[]));
    assert_eq!(holds(&business), [berta.0]);
    run(
        &mut business,
        manager,
        berta,
        pair(PairOutcome::Different, false, "otra cédula"),
    );
    assert!(holds(&business).is_empty());
    // A review that a screening of before had ended begins again.
    run(&mut business, Actor::System, berta, found_of_confirmed(&[]));
    assert_eq!(holds(&business), [berta.0]);
}

#[test]
fn a_decision_keeps_the_listed_person_as_it_was_within_bounds() {
    let mut business = Business::new();
    let (berta, manager) = (business.berta, business.manager);
    run(&mut business, Actor::System, berta, found(&["7"]));
    let published = ListedPerson {
        names: vec!["PÉREZ, Berta".into(), "é".repeat(MAX_LISTED_TEXT_LENGTH + 1)],
        programs: vec!["SDGT".into(); MAX_LISTED_TEXTS + 1],
        ..ListedPerson::default()
    };
    let decided = match pair(PairOutcome::Same, false, "es la misma") {
        CustomerCommand::DecidePair(decided) => CustomerCommand::DecidePair(DecidePair {
            listed: Some(published),
            ..decided
        }),
        other => other,
    };
    let event = act(&business, manager, berta, decided).then_event();
    let CustomerEvent::ScreeningPairDecided(decided) = event else {
        panic!("{event:?}")
    };
    let kept = decided.personal.get().unwrap().listed.clone().unwrap();
    assert_eq!(kept.names[0], "PÉREZ, Berta");
    assert_eq!(kept.names[1].chars().count(), MAX_LISTED_TEXT_LENGTH);
    assert_eq!(kept.programs.len(), MAX_LISTED_TEXTS);
}

#[test]
fn a_decided_pair_names_its_files_and_wrong_ones_are_refused() {
    let mut business = Business::new();
    let (berta, manager) = (business.berta, business.manager);
    run(&mut business, Actor::System, berta, found(&["7"]));
    let with = |files: &[&str]| match pair(PairOutcome::Different, false, "otra fecha de nacimiento") {
        CustomerCommand::DecidePair(decided) => CustomerCommand::DecidePair(DecidePair {
            files: files.iter().map(|hash| (*hash).to_owned()).collect(),
            ..decided
        }),
        other => other,
    };
    let (one, two) = ("1a".repeat(32), "2b".repeat(32));
    let event = act(&business, manager, berta, with(&[&one, &two])).then_event();
    let CustomerEvent::ScreeningPairDecided(decided) = event else {
        panic!("{event:?}")
    };
    assert_eq!(decided.files, [one.clone(), two]);
    act(&business, manager, berta, with(&[&one, &one])).then_refused(Invalid, "invalid files:duplicate");
    act(&business, manager, berta, with(&["pasaporte.pdf"])).then_refused(Invalid, "invalid files:file_not_found");
}

fn holds(business: &Business) -> Vec<uuid::Uuid> {
    let sale = business.sale(business.cup, 100_00);
    let id = sale.id;
    let act = business.world.by(business.agency, RemittanceCommand::Create(sale));
    let decided = business.world.given::<crate::remittance::Remittance>(id).when(act);
    let events = decided.inspect_result().unwrap();
    let held = events.iter().filter_map(|event| match event {
        RemittanceEvent::RemittanceHeld(held) if held.reason == HoldReason::Screening => held.reference,
        _ => None,
    });
    held.collect()
}

#[test]
fn a_sale_from_or_to_a_customer_in_review_is_held_from_its_first_moment() {
    let mut business = Business::funded();
    let (ana, berta, manager) = (business.ana, business.berta, business.manager);
    assert!(holds(&business).is_empty());
    run(&mut business, Actor::System, berta, found(&["7"]));
    assert_eq!(holds(&business), [berta.0]);
    run(&mut business, Actor::System, ana, found(&["9"]));
    assert_eq!(holds(&business), [ana.0, berta.0]);
    run(
        &mut business,
        manager,
        ana,
        pair(PairOutcome::Different, false, "otra persona"),
    );
    run(
        &mut business,
        manager,
        berta,
        pair(PairOutcome::Same, false, "es la misma"),
    );
    assert_eq!(holds(&business), [berta.0]);
}

#[test]
fn an_edit_of_the_amount_of_a_sale_to_a_customer_in_review_is_held() {
    let mut business = Business::funded();
    let sale = business.sale(business.cup, 100_00);
    let id = business.sell(business.agency, sale);
    let (ana, berta) = (business.ana, business.berta);
    run(&mut business, Actor::System, berta, found(&["7"]));
    let edit = EditAmount {
        customers: vec![ana, berta],
        ..EditAmount::new(crate::testing::amount("90"), business.cup)
    };
    let act = business.world.by(business.agency, RemittanceCommand::EditAmount(edit));
    let decided = business.world.given::<crate::remittance::Remittance>(id).when(act);
    let events = decided.inspect_result().unwrap();
    let Some(RemittanceEvent::RemittanceHeld(held)) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!((held.reason, held.reference), (HoldReason::Screening, Some(berta.0)));
}

#[test]
fn an_erased_customer_is_in_no_review_and_gets_no_candidates() {
    let mut business = Business::new();
    let (berta, manager) = (business.berta, business.manager);
    run(&mut business, Actor::System, berta, found(&["7"]));
    let erase = CustomerCommand::Forget(Forget {
        retention_days: 0,
        last_business: None,
    });
    run(&mut business, manager, berta, erase);
    act(&business, Actor::System, berta, found(&["8"])).then_expect_events(vec![]);
    act(&business, manager, berta, pair(PairOutcome::Same, false, "otra")).then_refused(NotFound, "customer_not_found");
}

#[test]
fn a_manager_sets_lists_and_thresholds_and_the_same_again_writes_nothing() {
    let business = Business::new();
    let set = |caller: Actor, lists: &[(&str, u8)]| {
        let lists = lists.iter().map(|(name, threshold)| ((*name).to_owned(), *threshold));
        let rule = ScreeningRule { lists: lists.collect() };
        let act = business.world.by(caller, TenantCommand::SetScreening(rule));
        business
            .world
            .given::<crate::tenant::Tenant>(crate::StreamId::TENANT.id)
            .when(act)
    };
    let manager = business.manager.actor();
    set(manager, &[]).then_expect_events(vec![]);
    let rule = ScreeningRule {
        lists: [("ofac-sdn".to_owned(), 90)].into(),
    };
    set(manager, &[("ofac-sdn", 90)]).then_expect_events(vec![TenantEvent::ScreeningSet(rule)]);
    set(business.agency.actor(), &[]).then_refused(Forbidden, "role_not_allowed");
    set(manager, &[("OFAC", 90)]).then_refused(Invalid, "invalid lists:list_name_invalid");
    set(manager, &[("ofac-sdn", 69)]).then_refused(Invalid, "invalid lists:threshold_out_of_range");
    set(manager, &[("ofac-sdn", 101)]).then_refused(Invalid, "invalid lists:threshold_out_of_range");
}
