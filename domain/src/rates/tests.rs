use super::*;
use crate::{
    Command,
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    testing::{
        Business,
        given::{Caller, Then, Tried},
        rate, terms,
    },
};

const fn id() -> RateChangeId {
    RateChangeId(uuid::Uuid::from_u128(7))
}

fn reference(business: &Business) -> RateTarget {
    let cup = business
        .world
        .tenant_state
        .currency(crate::money::CurrencyCode::CUP)
        .unwrap();
    RateTarget::Reference { currency: cup.id }
}

fn catalogue(business: &Business) -> RateTarget {
    RateTarget::Catalogue { group: business.cup }
}

fn of(business: &Business, party: PartyId) -> RateTarget {
    RateTarget::Terms {
        party,
        group: business.cup,
    }
}

fn wanted(target: RateTarget, from: &str, to: &str) -> WantedRate {
    WantedRate {
        target,
        from: Some(rate(from)),
        to: rate(to),
    }
}

fn changed(target: RateTarget, from: &str, to: &str) -> ChangedRate {
    ChangedRate {
        target,
        from: rate(from),
        to: rate(to),
    }
}

fn at_once(rates: Vec<WantedRate>) -> RatesCommand {
    RatesCommand::Change { rates, at: None }
}

fn act(business: &Business, caller: impl Caller, command: RatesCommand) -> Tried<RateChange> {
    let act = business.world.by(caller, (id(), command));
    business.world.given::<RateChange>(id()).when(act)
}

fn run(business: &mut Business, caller: Actor, command: RatesCommand) -> Result<(), Refusal> {
    let command = Command::Rates(id(), command);
    business.world.run(caller, command).map(drop)
}

/// Rates of CUP: reference, catalogue, the agency's, the agent's.
fn rates_of_cup(business: &Business) -> [String; 4] {
    [
        reference(business),
        catalogue(business),
        of(business, business.agency),
        of(business, business.agent),
    ]
    .map(|target| {
        target
            .bearer(&business.world.tenant_state)
            .unwrap()
            .rate()
            .decimal()
            .to_string()
    })
}

fn all_of_cup(business: &Business) -> Vec<WantedRate> {
    vec![
        wanted(reference(business), "330", "340"),
        wanted(catalogue(business), "320", "330"),
        wanted(of(business, business.agency), "318.5", "328.5"),
    ]
}

#[test]
fn a_change_sets_reference_catalogue_and_terms_in_one_batch_and_the_streams_of_each() {
    let mut business = Business::new();
    let before = business.world.log.len();
    let [_, _, _, agents] = rates_of_cup(&business);
    let (manager, rates) = (business.manager, all_of_cup(&business));
    run(&mut business, manager, at_once(rates)).unwrap();
    assert_eq!(rates_of_cup(&business), ["340", "330", "328.5", agents.as_str()]);
    let types: Vec<_> = business.world.log[before..]
        .iter()
        .map(|(event, _)| event.event_type())
        .collect();
    assert_eq!(
        types,
        ["RatesChanged", "CurrencyChanged", "PaymentGroupChanged", "TermsSet"]
    );
    // The group's and the party's own streams show the new rates.
    let group = business.world.state(catalogue(&business).stream());
    assert!(
        matches!(group, crate::StreamState::PaymentGroup(group) if group.0.as_ref().unwrap().exchange_rate == rate("330"))
    );
    let agency = business.world.state(of(&business, business.agency).stream());
    assert!(
        matches!(agency, crate::StreamState::Party(party) if party.0.as_ref().unwrap().terms[&business.cup].exchange_rate == rate("328.5"))
    );
}

#[test]
fn a_change_of_rates_keeps_all_else_of_terms() {
    let mut business = Business::new();
    let (manager, agency) = (business.manager, business.agency);
    let limited = terms(business.cup, "318.5", Default::default(), "5000");
    let set = Command::Party(agency, crate::party::PartyCommand::SetTerms(limited));
    business.world.run(manager, set).unwrap();
    let before = business.world.tenant_state.party(agency).unwrap().terms[&business.cup].clone();
    let rates = vec![wanted(of(&business, agency), "318.5", "300")];
    run(&mut business, manager, at_once(rates)).unwrap();
    let after = business.world.tenant_state.party(agency).unwrap().terms[&business.cup].clone();
    assert_eq!(
        after,
        Terms {
            exchange_rate: rate("300"),
            ..before
        }
    );
}

#[test]
fn a_change_applies_the_confirmed_rates_or_is_refused() {
    let business = Business::new();
    let rates = vec![
        wanted(catalogue(&business), "320", "330"),
        wanted(of(&business, business.agency), "310", "320"),
    ];
    let refused = Refusal {
        errors: vec![FieldError {
            field: "rates[1].from".into(),
            code: "rate_is_another",
            params: [("rate", "318.5".to_owned())].into(),
        }],
        ..Refusal::conflict("rates_changed")
    };
    act(&business, business.manager, at_once(rates)).then_expect_error(refused);
    let unread = WantedRate {
        from: None,
        ..wanted(catalogue(&business), "1", "330")
    };
    act(&business, business.manager, at_once(vec![unread])).then_expect_events(vec![RatesEvent::RatesChanged(
        RatesChanged {
            id: id(),
            rates: vec![changed(catalogue(&business), "320", "330")],
            skipped: Vec::new(),
        },
    )]);
}

#[test]
fn only_managers_change_rates_and_only_the_system_makes_a_schedule_effective() {
    let business = Business::new();
    let rates = || vec![wanted(catalogue(&business), "320", "330")];
    for caller in [business.agency, business.agent, business.dealer] {
        act(&business, caller, at_once(rates())).then_refused(Forbidden, "role_not_allowed");
        act(&business, caller, RatesCommand::Undo { targets: vec![] }).then_refused(Forbidden, "role_not_allowed");
    }
    let apply = RatesCommand::Apply { targets: vec![] };
    act(&business, business.manager, apply.clone()).then_refused(Forbidden, "role_not_allowed");
    act(&business, Actor::System, apply).then_refused(NotFound, "rate_change_not_found");
}

#[test]
fn a_change_that_makes_no_sense_is_refused_at_its_field() {
    let business = Business::new();
    let (now, manager) = (business.world.now, business.manager);
    let catalogue = catalogue(&business);
    let unknown = RateTarget::Catalogue {
        group: PaymentGroupId::generate(),
    };
    let dollar = business
        .world
        .tenant_state
        .currency(crate::money::CurrencyCode::USD)
        .unwrap();
    let dollar = RateTarget::Reference { currency: dollar.id };
    // A delivery man has no terms.
    let nobodys = of(&business, business.courier);
    let at = |at| RatesCommand::Change {
        rates: vec![wanted(catalogue, "320", "330")],
        at: Some(at),
    };
    for (command, refused) in [
        (at_once(vec![]), "rates:required"),
        (
            at_once(vec![wanted(catalogue, "320", "0")]),
            "rates[0].to:rate_not_positive",
        ),
        (at_once(vec![wanted(dollar, "1", "1.1")]), "rates[0].to:usd_rate_is_one"),
        (
            at_once(vec![wanted(unknown, "1", "2")]),
            "rates[0].target:rate_target_unknown",
        ),
        (
            at_once(vec![wanted(nobodys, "1", "2")]),
            "rates[0].target:rate_target_unknown",
        ),
        (
            at_once(vec![wanted(catalogue, "320", "330"), wanted(catalogue, "320", "331")]),
            "rates[1].target:value_repeated",
        ),
        (
            at_once(vec![wanted(catalogue, "320", "330"); MAX_CHANGES + 1]),
            "rates:too_many",
        ),
        (at(now), "at:moment_is_past"),
        (at(now + MAX_AHEAD + Duration::days(1)), "at:moment_too_far"),
    ] {
        act(&business, manager, command).then_refused(Invalid, &format!("invalid {refused}"));
    }
    let same = at_once(vec![wanted(catalogue, "320", "320")]);
    act(&business, manager, same).then_refused(Conflict, "rates_unchanged");
}

fn schedule(business: &mut Business) -> Vec<RateTarget> {
    let (manager, at) = (business.manager, business.world.now + Duration::minutes(30));
    let rates = all_of_cup(business);
    let targets = rates.iter().map(|rate| rate.target).collect();
    run(business, manager, RatesCommand::Change { rates, at: Some(at) }).unwrap();
    targets
}

#[test]
fn a_scheduled_change_takes_effect_at_its_moment_and_once() {
    let mut business = Business::new();
    let before = rates_of_cup(&business);
    let targets = schedule(&mut business);
    assert_eq!(rates_of_cup(&business), before);
    let apply = || RatesCommand::Apply {
        targets: targets.clone(),
    };
    act(&business, Actor::System, apply()).then_refused(Conflict, "rates_not_due");
    business.world.now += Duration::minutes(30);
    run(&mut business, Actor::System, apply()).unwrap();
    assert_eq!(rates_of_cup(&business)[..3], ["340", "330", "328.5"]);
    let written = business.world.log.len();
    act(&business, Actor::System, apply()).then_expect_events(vec![]);
    run(&mut business, Actor::System, apply()).unwrap();
    assert_eq!(business.world.log.len(), written);
}

#[test]
fn a_due_change_overrides_later_rates_and_skips_removed_owners() {
    let mut business = Business::new();
    let manager = business.manager;
    let euro = business
        .world
        .group(manager, "EUR", crate::money::CurrencyCode::EUR, "0.9", "1");
    let gone = RateTarget::Catalogue { group: euro };
    let targets = vec![catalogue(&business), gone];
    let rates = vec![wanted(targets[0], "320", "330"), wanted(gone, "0.9", "0.95")];
    let at = Some(business.world.now + Duration::minutes(30));
    run(&mut business, manager, RatesCommand::Change { rates, at }).unwrap();
    let remove = Command::PaymentGroup(euro, crate::reference_data::payment_group::PaymentGroupCommand::Remove);
    business.world.run(manager, remove).unwrap();
    let moved = PaymentGroup {
        exchange_rate: rate("325"),
        ..business.world.tenant_state.group(business.cup).unwrap().clone()
    };
    let change = crate::reference_data::payment_group::PaymentGroupCommand::Change(moved);
    business
        .world
        .run(manager, Command::PaymentGroup(business.cup, change))
        .unwrap();
    business.world.now += Duration::minutes(31);
    act(
        &business,
        Actor::System,
        RatesCommand::Apply {
            targets: targets.clone(),
        },
    )
    .then_expect_events(vec![RatesEvent::RatesChanged(RatesChanged {
        id: id(),
        rates: vec![changed(targets[0], "325", "330")],
        skipped: vec![gone],
    })]);
}

#[test]
fn a_schedule_is_withdrawn_and_takes_no_effect_then() {
    let mut business = Business::new();
    let before = rates_of_cup(&business);
    let (manager, targets) = (business.manager, schedule(&mut business));
    let undo = || RatesCommand::Undo {
        targets: targets.clone(),
    };
    run(&mut business, manager, undo()).unwrap();
    business.world.now += Duration::minutes(31);
    let apply = RatesCommand::Apply {
        targets: targets.clone(),
    };
    act(&business, Actor::System, apply).then_expect_events(vec![]);
    act(&business, manager, undo()).then_refused(Conflict, "rates_already_undone");
    assert_eq!(rates_of_cup(&business), before);
}

#[test]
fn an_undo_restores_rates_once_and_never_overwrites_later_changes() {
    let mut business = Business::new();
    let before = rates_of_cup(&business);
    let (manager, rates) = (business.manager, all_of_cup(&business));
    let targets: Vec<_> = rates.iter().map(|rate| rate.target).collect();
    run(&mut business, manager, at_once(rates)).unwrap();
    let undo = || RatesCommand::Undo {
        targets: targets.clone(),
    };
    // Another change and its undo in between.
    let agency = of(&business, business.agency);
    let set = |business: &mut Business, to: &str| {
        let change = terms(business.cup, to, Default::default(), "0");
        let set = Command::Party(business.agency, crate::party::PartyCommand::SetTerms(change));
        business.world.run(business.manager, set).unwrap();
    };
    set(&mut business, "329");
    act(&business, manager, undo()).then_refused(Conflict, "rates_changed_since");
    set(&mut business, "328.5");
    act(&business, manager, RatesCommand::Undo { targets: vec![agency] }).then_refused(Conflict, "rates_changed_since");
    run(&mut business, manager, undo()).unwrap();
    assert_eq!(rates_of_cup(&business), before);
    act(&business, manager, undo()).then_refused(Conflict, "rates_already_undone");
}
