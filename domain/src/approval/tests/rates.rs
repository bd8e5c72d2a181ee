//! Terms, rates and delivery fees, whichever command gives them.

use super::{Office, caught, rule};
use crate::{
    Command,
    approval::ApprovalKind,
    ids::{CurrencyId, PartyId},
    money::CurrencyCode,
    party::{PartyCommand, PartyDetails, RegisterParty, Registration},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::PaymentGroupCommand,
        place::{DistributionFee, PlaceCommand, PlaceSettings},
    },
    testing::{amount, rate, terms},
};

#[test]
fn terms_given_with_a_registration_and_with_a_group_need_the_approval_of_terms() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::TermsAndRates, None));
    let id = PartyId::generate();
    let register = RegisterParty {
        id,
        registration: Registration::Agency {
            terms: vec![terms(office.business.cup, "300", Default::default(), "0")],
        },
        details: PartyDetails {
            name: "Nueva".into(),
            email: "nueva@example.test".into(),
            ..PartyDetails::default()
        },
        is_active: true,
    };
    office.propose(Command::Party(id, PartyCommand::Register(register)));
    let mut group = office
        .business
        .world
        .tenant_state
        .group(office.business.cup)
        .unwrap()
        .clone();
    group.exchange_rate = rate("300");
    office.propose(Command::PaymentGroup(
        group.id,
        PaymentGroupCommand::Change(group.clone()),
    ));
    group.exchange_rate = office
        .business
        .world
        .tenant_state
        .group(group.id)
        .unwrap()
        .exchange_rate;
    group.is_active = false;
    let manager = office.business.manager;
    let closed = Command::PaymentGroup(group.id, PaymentGroupCommand::Change(group));
    assert_eq!(office.by(manager, closed).unwrap().proposal, None);
}

#[test]
fn delivery_fees_of_currencies_and_municipalities_need_the_approval_of_rates() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let (currency, _) = fees(&office, "3");
    office.by(manager, currency).unwrap();
    let first = office.business.world.log.len();
    for amount in ["4", "5"] {
        let (currency, municipality) = fees(&office, amount);
        office.by(manager, currency).unwrap();
        office.by(manager, municipality).unwrap();
    }
    let rates = rule(ApprovalKind::TermsAndRates, None);
    assert_eq!(caught(&office, &rates, first), [None; 4]);

    office.set(rates);
    let (same_currency, same_municipality) = fees(&office, "5");
    assert_eq!(office.by(manager, same_currency).unwrap().proposal, None);
    let Command::Place(PlaceCommand::ChangeMunicipality(place, settings)) = same_municipality else {
        panic!("a municipality")
    };
    let closed = PlaceSettings {
        enabled: false,
        ..settings
    };
    let closed = Command::Place(PlaceCommand::ChangeMunicipality(place, closed));
    assert_eq!(office.by(manager, closed).unwrap().proposal, None, "no other fee");
    let (currency, municipality) = fees(&office, "6");
    for command in [currency, municipality] {
        let id = office.propose(command.clone());
        assert_eq!(office.stored(id), command);
        office.approve(office.second, id).unwrap();
    }
    let fee = office
        .business
        .world
        .tenant_state
        .municipality(place)
        .distribution_fee
        .unwrap();
    assert_eq!(fee.amount, amount("6"));
}

#[test]
fn a_new_currency_needs_the_approval_of_rates_also_in_place_of_a_removed_one() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let pounds = |exchange_rate: &str| Currency {
        id: CurrencyId::generate(),
        code: "GBP".parse().unwrap(),
        symbol: "£".into(),
        exchange_rate: rate(exchange_rate),
        distribution_rate: amount("3"),
        accounted: true,
        enabled: true,
    };
    let add = |currency: &Currency| Command::Currency(currency.id, CurrencyCommand::Add(currency.clone()));
    let first = office.business.world.log.len();
    let known = pounds("0.8");
    office.by(manager, add(&known)).unwrap();
    let rates = rule(ApprovalKind::TermsAndRates, None);
    assert_eq!(caught(&office, &rates, first), [None]);

    office.set(rates);
    office
        .by(manager, Command::Currency(known.id, CurrencyCommand::Remove))
        .unwrap();
    let cheap = pounds("100000");
    let id = office.propose(add(&cheap));
    assert_eq!(office.stored(id), add(&cheap));
    assert_eq!(office.business.world.tenant_state.currency(cheap.code), None);
    office.approve(office.second, id).unwrap();
    assert_eq!(office.business.world.tenant_state.currency(cheap.code), Some(&cheap));
}

/// Changes of the delivery fees of CUP and of a municipality.
fn fees(office: &Office, fee: &str) -> (Command, Command) {
    let state = &office.business.world.tenant_state;
    let currency = Currency {
        distribution_rate: amount(fee),
        ..state.currency(CurrencyCode::CUP).unwrap().clone()
    };
    let (_, municipality) = crate::testing::place("La Habana", "Playa");
    let settings = PlaceSettings {
        distribution_fee: Some(DistributionFee {
            amount: amount(fee),
            currency: CurrencyCode::CUP,
        }),
        enabled: true,
    };
    (
        Command::Currency(currency.id, CurrencyCommand::Change(currency)),
        Command::Place(PlaceCommand::ChangeMunicipality(municipality, settings)),
    )
}
