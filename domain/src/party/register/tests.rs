use super::*;
use crate::{
    Command, Commission,
    RefusalKind::{Conflict, Forbidden, Invalid},
    ids::PaymentGroupId,
    party::PartyCommand,
    testing::{
        Business, amount, commission,
        given::{Caller, Then, Tried},
        rate, terms,
    },
};

fn details() -> PartyDetails {
    PartyDetails {
        name: "Nueva".into(),
        email: "Nueva@Example.test".into(),
        ..PartyDetails::default()
    }
}

fn register(business: &Business, caller: impl Caller, registration: Registration) -> Tried<Party> {
    with(business, caller, registration, details())
}

fn with(business: &Business, caller: impl Caller, registration: Registration, details: PartyDetails) -> Tried<Party> {
    let id = PartyId::generate();
    let register = RegisterParty {
        id,
        registration,
        details,
        is_active: true,
    };
    business
        .world
        .given::<Party>(id)
        .when(business.world.by(caller, PartyCommand::Register(register)))
}

fn party(tried: Tried<Party>) -> Party {
    let event = tried.then_event();
    let PartyEvent::PartyRegistered(registered) = event else {
        panic!("{event:?}")
    };
    registered.party
}

fn external(agency: Option<PartyId>, terms: Vec<TermsChange>) -> Registration {
    Registration::ExternalAgent { agency, terms }
}

fn plain(group: PaymentGroupId) -> TermsChange {
    TermsChange {
        group,
        exchange_rate: None,
        commission: None,
        name: None,
        is_active: None,
        credit_limit: None,
    }
}

#[test]
fn managers_agencies_and_dealers_are_the_managers_to_make() {
    let business = Business::new();
    let registrations = || {
        [
            Registration::Manager,
            Registration::Agency { terms: vec![] },
            Registration::Dealer {
                territory: Territory::default(),
            },
        ]
    };
    for registration in registrations() {
        register(&business, business.manager, registration).then_event();
    }
    for caller in [
        business.agency,
        business.agent,
        business.clerk,
        business.dealer,
        business.courier,
    ] {
        for registration in registrations() {
            register(&business, caller, registration).then_refused(Forbidden, "role_not_allowed");
        }
    }
}

#[test]
fn an_agency_makes_agents_of_its_own_only() {
    let business = Business::new();
    let (agency, other) = (business.agency, business.other_agency);
    let internal = |agency| Registration::InternalAgent { agency };
    assert_eq!(party(register(&business, agency, internal(None))).agency, Some(agency));
    assert_eq!(
        party(register(&business, agency, external(Some(agency), vec![]))).agency,
        Some(agency)
    );
    register(&business, agency, external(Some(other), vec![])).then_refused(Invalid, "invalid agencyId:agency_unknown");
    for caller in [business.clerk, business.agent, business.dealer] {
        register(&business, caller, internal(None)).then_refused(Forbidden, "role_not_allowed");
    }
}

#[test]
fn an_internal_agent_has_an_agency_and_an_external_one_may_have_none() {
    let business = Business::new();
    let manager = business.manager;
    register(&business, manager, Registration::InternalAgent { agency: None })
        .then_refused(Invalid, "invalid agencyId:required");
    assert_eq!(party(register(&business, manager, external(None, vec![]))).agency, None);
    for stranger in [business.dealer, PartyId::generate()] {
        register(&business, manager, external(Some(stranger), vec![]))
            .then_refused(Invalid, "invalid agencyId:agency_unknown");
    }
}

#[test]
fn a_delivery_man_inherits_his_dealers_province_and_zones() {
    let business = Business::new();
    let made = |caller: crate::Actor, dealer| {
        register(
            &business,
            caller,
            Registration::DeliveryMan {
                dealer,
                handle_mlc: false,
            },
        )
    };
    let courier = party(made(business.dealer.actor(), None));
    let dealer = business.world.tenant_state.party(business.dealer).unwrap();
    assert_eq!(courier.dealer, Some(dealer.id));
    assert_eq!(
        courier.territory,
        Territory {
            handle_mlc: false,
            ..dealer.territory.clone()
        }
    );
    made(business.manager, None).then_refused(Invalid, "invalid dealerId:required");
    made(business.manager, Some(business.agency)).then_refused(Invalid, "invalid dealerId:dealer_unknown");
    made(business.dealer.actor(), Some(business.other_dealer)).then_refused(Invalid, "invalid dealerId:dealer_unknown");
    made(business.courier.actor(), Some(business.dealer)).then_refused(Forbidden, "role_not_allowed");
}

#[test]
fn terms_not_named_are_the_groups_defaults() {
    let mut business = Business::new();
    let (cup, manager) = (business.cup, business.manager);
    let group = crate::reference_data::payment_group::PaymentGroup {
        agency_commission: Commission::percentage(rate("7")),
        agent_commission: Commission::percentage(rate("4")),
        ..business.world.tenant_state.group(cup).unwrap().clone()
    };
    let change = crate::reference_data::payment_group::PaymentGroupCommand::Change(group);
    business.world.run(manager, Command::PaymentGroup(cup, change)).unwrap();
    for (registration, percent) in [
        (
            Registration::Agency {
                terms: vec![plain(cup)],
            },
            "7",
        ),
        (external(None, vec![plain(cup)]), "4"),
    ] {
        let terms = party(register(&business, manager, registration)).terms[&cup].clone();
        assert_eq!(
            (terms.exchange_rate, terms.commission.rate),
            (rate("320"), rate(percent))
        );
        assert_eq!((terms.credit_limit, terms.is_active), (amount("0"), true));
    }
}

#[test]
fn an_agent_holds_only_groups_that_its_agency_holds_each_once() {
    let business = Business::new();
    let (other, cup, mlc) = (business.other_agency, business.cup, business.mlc);
    register(&business, other, external(None, vec![plain(cup), plain(mlc)])).then_refused(
        Invalid,
        "invalid paymentGroups[1].paymentGroupId:payment_group_not_held_by_agency",
    );
    register(&business, business.manager, external(None, vec![plain(mlc)])).then_event();
    register(&business, other, external(None, vec![plain(cup), plain(cup)]))
        .then_refused(Invalid, "invalid paymentGroups[1].paymentGroupId:duplicate");
    let steep = terms(cup, "320", commission("100.01", Default::default(), None), "0");
    register(&business, other, external(None, vec![steep])).then_refused(
        Invalid,
        "invalid paymentGroups[0].agentCommission.rate:percentage_out_of_range",
    );
}

#[test]
fn zones_are_municipalities_of_the_dealers_province() {
    let business = Business::new();
    let dealer = |territory| register(&business, business.manager, Registration::Dealer { territory });
    let (havana, cardenas) = (business.playa.province, business.cardenas.municipality.unwrap());
    let foreign = Territory {
        province: havana,
        zones: vec![cardenas],
        handle_mlc: false,
    };
    dealer(foreign).then_refused(Invalid, "invalid zones[0]:municipality_of_another_province");
    let nowhere = Territory {
        province: Some(crate::ids::ProvinceId::generate()),
        ..Territory::default()
    };
    dealer(nowhere).then_refused(Invalid, "invalid provinceId:province_unknown");
}

#[test]
fn a_forbidden_registration_is_refused_before_its_details_are_validated() {
    let business = Business::new();
    let blank = PartyDetails::default;
    with(&business, business.dealer, Registration::Manager, blank()).then_refused(Forbidden, "role_not_allowed");
    with(&business, business.manager, Registration::Manager, blank()).then_refused(Invalid, "invalid name:required");
    for email in ["nueva", "<a@b.c>", "a,b@c.d"] {
        let unreachable = PartyDetails {
            email: email.into(),
            ..details()
        };
        with(&business, business.manager, Registration::Manager, unreachable)
            .then_refused(Invalid, "invalid email:email_invalid");
    }
}

#[test]
fn an_address_logs_in_one_party_whatever_its_case() {
    let mut business = Business::new();
    let mut register = |email: &str| {
        let id = PartyId::generate();
        let details = PartyDetails {
            email: email.into(),
            ..details()
        };
        let register = RegisterParty {
            id,
            registration: Registration::Manager,
            details,
            is_active: true,
        };
        let made = business
            .world
            .run(business.manager, Command::Party(id, PartyCommand::Register(register)));
        made.map(|_| ()).map_err(|refusal| (refusal.kind, refusal.code))
    };
    assert_eq!(register("Nueva@Example.test"), Ok(()));
    assert_eq!(register("nueva@example.TEST"), Err((Conflict, "email_taken")));
}

#[test]
fn the_system_opens_a_tenant_with_a_manager_and_makes_no_agents() {
    let business = Business::new();
    register(&business, crate::Actor::System, Registration::Manager).then_event();
    register(&business, crate::Actor::System, external(None, vec![])).then_refused(Forbidden, "role_not_allowed");
}

#[test]
fn an_inactive_party_gets_no_new_subordinates() {
    let mut business = Business::new();
    let (manager, agency, dealer) = (business.manager, business.agency, business.dealer);
    for party in [agency, dealer] {
        business
            .world
            .run(manager, Command::Party(party, PartyCommand::Deactivate))
            .unwrap();
    }
    register(&business, manager, external(Some(agency), vec![]))
        .then_refused(Invalid, "invalid agencyId:agency_unknown");
    let courier = Registration::DeliveryMan {
        dealer: Some(dealer),
        handle_mlc: false,
    };
    register(&business, manager, courier).then_refused(Invalid, "invalid dealerId:dealer_unknown");
}
