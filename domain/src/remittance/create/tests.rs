use super::*;
use crate::{
    Actor, Command,
    RefusalKind::{Conflict, Forbidden, Invalid},
    customer::{ChangeCustomer, CustomerCommand, CustomerDetails, card::Brand},
    movement::Funds,
    party::{PartyCommand, TermsChange},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::{PlaceCommand, PlaceSettings},
    },
    remittance::{Remittance, RemittanceCommand},
    testing::{
        Business, amount, any, commission,
        given::{Caller, Then, Tried},
        rate, terms,
    },
};

/// A hundred dollars in pesos from Ana to Berta.
fn sale(business: &Business) -> CreateRemittance {
    business.sale(business.cup, 100_00)
}

fn sell(business: &Business, caller: impl Caller, sale: CreateRemittance) -> Tried<Remittance> {
    let act = business.world.by(caller, RemittanceCommand::Create(sale.clone()));
    business.world.given::<Remittance>(sale.id).when(act)
}

fn closed(group: PaymentGroupId) -> PartyCommand {
    PartyCommand::SetTerms(TermsChange {
        group,
        exchange_rate: None,
        commission: None,
        name: None,
        is_active: Some(false),
        credit_limit: None,
    })
}

#[test]
fn a_sale_is_numbered_and_freezes_the_terms_of_its_moment() {
    let business = Business::funded();
    let notes = Some("llamar antes".to_owned());
    let sale = CreateRemittance {
        notes: notes.clone(),
        ..sale(&business)
    };
    let (id, agency) = (sale.id, business.world.tenant_state.party(business.agency).unwrap());
    let group = business.world.tenant_state.group(business.cup).unwrap();
    let terms = FrozenTerms {
        exchange_rate: rate("318.5"),
        manager_commission: group.manager_commission,
        agency_commission: Some(agency.terms[&business.cup].commission),
        agent_commission: None,
    };
    let quote = Quote {
        amount: amount("100"),
        payout: amount("31850"),
        currency_to: CurrencyCode::CUP,
        exchange_rate: rate("318.5"),
        manager_fee: amount("2"),
        agency_fee: amount("5"),
        agent_fee: amount("0"),
        total_fee: amount("7"),
        total_to_pay: amount("107"),
    };
    let frozen = Sale {
        code: "R-000001".into(),
        seller: business.agency,
        agency: Some(business.agency),
        agent: None,
        sender: business.ana,
        recipient: business.berta,
        group: business.cup,
        terms,
        quote,
        reference: None,
    };
    let entry = posting::sold(Entry::default(), &frozen);
    sell(&business, business.agency, sale).then_expect_events(vec![RemittanceEvent::RemittanceCreated(
        RemittanceCreated {
            id,
            sale: frozen,
            delivery: Delivery::Home {
                province: business.playa.province.unwrap(),
                municipality: business.playa.municipality.unwrap(),
            },
            entry,
            personal: Personal::clear(business.berta, RemittanceDetails { address: None, notes }),
        },
    )]);
}

#[test]
fn a_sale_takes_the_payout_from_the_balance_and_accrues_the_managers_commission() {
    let business = Business::funded();
    sell(&business, business.agency, sale(&business)).then_posts(
        &business,
        &[
            "Dr balance[agency CUP] / Cr remittances_pending 31850.00 CUP",
            "Dr commission_receivable[agency] / Cr deferred_commission 2.00 USD",
        ],
    );
}

#[test]
fn an_internal_agents_sale_draws_on_its_agencys_balance_and_terms() {
    let business = Business::funded();
    let event = sell(&business, business.clerk, sale(&business)).then_event();
    let RemittanceEvent::RemittanceCreated(created) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        (created.sale.seller, created.sale.agent),
        (business.agency, Some(business.clerk))
    );
    assert_eq!(
        (created.sale.quote.agency_fee, created.sale.quote.agent_fee),
        (amount("5"), amount("0"))
    );
    assert_eq!(
        business.world.lines(&created.entry)[0],
        "Dr balance[agency CUP] / Cr remittances_pending 31850.00 CUP"
    );
}

#[test]
fn an_external_agents_sale_also_owes_its_agency_the_agencys_fee() {
    let business = Business::funded();
    sell(&business, business.agent, sale(&business)).then_posts(
        &business,
        &[
            "Dr balance[agent CUP] / Cr remittances_pending 31500.00 CUP",
            "Dr commission_receivable[agent] / Cr deferred_commission 2.00 USD",
            "Dr agency_receivable[agent] / Cr agency_memo[agency] 5.00 USD",
        ],
    );
}

#[test]
fn negative_fees_swap_their_sides() {
    let mut business = Business::funded();
    let (manager, agency, agent, usd) = (business.manager, business.agency, business.agent, business.usd);
    let discount = terms(usd, "1", commission("-5", Default::default(), None), "500");
    let set = Command::Party(agency, PartyCommand::SetTerms(discount));
    business.world.run(manager, set).unwrap();
    let funds = Funds::Group(usd);
    business
        .world
        .deposit(manager, any(agent), funds, 100_00, false)
        .unwrap();
    sell(&business, agent, business.sale(usd, 50_00)).then_posts(
        &business,
        &[
            "Dr balance[agent USD] / Cr remittances_pending 49.50 USD",
            "Dr deferred_commission / Cr commission_receivable[agent] 0.05 USD",
            "Dr agency_memo[agency] / Cr agency_receivable[agent] 2.50 USD",
        ],
    );
}

#[test]
fn a_manager_sells_only_in_the_name_of_a_seller() {
    let business = Business::funded();
    let (manager, agency) = (business.manager, business.agency);
    let named = |seller| CreateRemittance {
        seller,
        ..sale(&business)
    };
    sell(&business, manager, named(None)).then_refused(Invalid, "invalid agencyId:required");
    sell(&business, manager, named(Some(business.dealer))).then_refused(Invalid, "invalid agencyId:seller_unknown");
    sell(&business, manager, named(Some(agency))).then_event();
    sell(&business, agency, named(Some(business.agent))).then_refused(Invalid, "invalid agencyId:seller_unknown");
}

#[test]
fn a_seller_is_refused_where_it_was_named_and_an_agency_beside_an_agent_must_be_the_agents() {
    let business = Business::funded();
    let (manager, agency, other, clerk) = (business.manager, business.agency, business.other_agency, business.clerk);
    let named = |seller, agency| CreateRemittance {
        seller: Some(seller),
        named_agent: Some(NamedAgent { agency }),
        ..sale(&business)
    };
    sell(&business, manager, named(business.dealer, None)).then_refused(Invalid, "invalid agentId:seller_unknown");
    sell(&business, agency, named(business.free_agent, None)).then_refused(Invalid, "invalid agentId:seller_unknown");
    for (caller, seller) in [
        (manager, clerk),
        (Actor::Party(agency), agency),
        (Actor::Party(clerk), clerk),
    ] {
        sell(&business, caller, named(seller, Some(other)))
            .then_refused(Invalid, "invalid agencyId:agency_of_another_agent");
        sell(&business, caller, named(seller, Some(agency))).then_event();
    }
}

#[test]
fn dealers_and_delivery_men_sell_nothing() {
    let business = Business::funded();
    for caller in [business.dealer, business.courier] {
        sell(&business, caller, sale(&business)).then_refused(Forbidden, "role_not_allowed");
    }
}

#[test]
fn an_agent_sells_only_while_its_agency_is_in_use() {
    let mut business = Business::funded();
    let (manager, agency) = (business.manager, business.agency);
    business
        .world
        .run(manager, Command::Party(agency, PartyCommand::Deactivate))
        .unwrap();
    for agent in [business.clerk, business.agent] {
        sell(&business, agent, sale(&business)).then_refused(Conflict, "party_inactive");
        let named = CreateRemittance {
            seller: Some(agent),
            ..sale(&business)
        };
        sell(&business, manager, named).then_refused(Conflict, "party_inactive");
    }
}

#[test]
fn a_sale_stays_within_the_balance_and_its_credit_limit() {
    let business = Business::funded();
    let beyond = business.sale(business.cup, 628_00);
    sell(&business, business.agency, beyond).then_expect_error(
        Refusal::conflict("balance_insufficient")
            .with("available", "200000.00")
            .with("currency", "CUP"),
    );
    // 3,000 in the balance and 500 of credit.
    sell(&business, business.agency, business.sale(business.usd, 3_500_00)).then_event();
    sell(&business, business.agency, business.sale(business.usd, 3_500_01))
        .then_refused(Conflict, "balance_insufficient");
}

#[test]
fn issuer_and_recipient_are_the_sellers_own_and_belong_together() {
    let business = Business::funded();
    let (agency, ana) = (business.agency, business.ana);
    let from_to = |sender, recipient| CreateRemittance {
        sender,
        recipient,
        ..sale(&business)
    };
    sell(&business, agency, from_to(business.delia, business.elisa))
        .then_refused(Invalid, "invalid senderId:sender_unknown");
    sell(&business, agency, from_to(business.berta, business.berta))
        .then_refused(Invalid, "invalid senderId:sender_unknown");
    sell(&business, agency, from_to(ana, ana)).then_refused(Invalid, "invalid recipientId:recipient_unknown");
    sell(&business, agency, from_to(ana, business.elisa))
        .then_refused(Invalid, "invalid recipientId:recipient_of_another_issuer");
}

#[test]
fn deleted_customers_are_refused_new_remittances() {
    let mut business = Business::funded();
    let (manager, berta, ana) = (business.manager, business.berta, business.ana);
    business
        .world
        .run(manager, Command::Customer(berta, CustomerCommand::Delete))
        .unwrap();
    sell(&business, business.agency, sale(&business)).then_refused(Invalid, "invalid recipientId:recipient_unknown");
    business
        .world
        .run(manager, Command::Customer(ana, CustomerCommand::Delete))
        .unwrap();
    sell(&business, business.agency, sale(&business)).then_refused(Invalid, "invalid senderId:sender_unknown");
}

#[test]
fn customers_out_of_use_are_refused_new_remittances() {
    let mut business = Business::funded();
    for (customer, refused) in [
        (business.berta, "invalid recipientId:recipient_inactive"),
        (business.ana, "invalid senderId:sender_inactive"),
    ] {
        let details = CustomerDetails {
            name: "Otra".into(),
            ..CustomerDetails::default()
        };
        let off = ChangeCustomer {
            details,
            is_active: Some(false),
            place: None,
            known: None,
        };
        let command = Command::Customer(customer, CustomerCommand::Change(off));
        business.world.run(business.manager, command).unwrap();
        sell(&business, business.agency, sale(&business)).then_refused(Invalid, refused);
    }
}

#[test]
fn a_group_closed_in_the_catalogue_or_of_a_disabled_currency_is_refused() {
    let mut business = Business::funded();
    let (manager, cup) = (business.manager, business.cup);
    let group = business.world.tenant_state.group(cup).unwrap().clone();
    for is_active in [false, true] {
        let change = PaymentGroupCommand::Change(PaymentGroup {
            is_active,
            ..group.clone()
        });
        business.world.run(manager, Command::PaymentGroup(cup, change)).unwrap();
        if !is_active {
            sell(&business, business.agency, sale(&business))
                .then_refused(Invalid, "invalid paymentGroupId:payment_group_closed");
        }
    }
    let pesos = business.world.tenant_state.currency(CurrencyCode::CUP).unwrap().clone();
    let disabled = CurrencyCommand::Change(Currency {
        enabled: false,
        ..pesos.clone()
    });
    business
        .world
        .run(manager, Command::Currency(pesos.id, disabled))
        .unwrap();
    sell(&business, business.agency, sale(&business)).then_refused(Invalid, "invalid paymentGroupId:currency_disabled");
}

#[test]
fn a_closed_unknown_or_foreign_group_is_refused() {
    let mut business = Business::funded();
    let (manager, agency, mlc) = (business.manager, business.agency, business.mlc);
    let unknown = business.sale(PaymentGroupId::generate(), 1_00);
    sell(&business, agency, unknown).then_refused(Invalid, "invalid paymentGroupId:payment_group_unknown");
    let not_held = business.sale(mlc, 1_00);
    sell(&business, business.agent, not_held.clone())
        .then_refused(Invalid, "invalid paymentGroupId:payment_group_not_held");
    business
        .world
        .run(manager, Command::Party(agency, closed(mlc)))
        .unwrap();
    sell(&business, agency, not_held).then_refused(Invalid, "invalid paymentGroupId:payment_group_closed");
}

#[test]
fn an_agent_cannot_sell_a_group_that_its_agency_has_closed() {
    let mut business = Business::funded();
    let (manager, agency, cup) = (business.manager, business.agency, business.cup);
    business
        .world
        .run(manager, Command::Party(agency, closed(cup)))
        .unwrap();
    sell(&business, business.agent, sale(&business))
        .then_refused(Invalid, "invalid paymentGroupId:payment_group_closed");
}

#[test]
fn amounts_are_above_zero_and_at_most_a_million_millions() {
    let business = Business::funded();
    let of = |text| CreateRemittance {
        amount: amount(text),
        ..sale(&business)
    };
    for (text, rule) in [
        ("0", "amount_not_positive"),
        ("-5", "amount_not_positive"),
        ("1000000000000.01", "amount_too_large"),
        ("90000000000000000", "amount_too_large"),
        // Its payout would be too large.
        ("1000000000000", "amount_too_large"),
    ] {
        sell(&business, business.agency, of(text)).then_refused(Invalid, &format!("invalid amount:{rule}"));
    }
}

#[test]
fn a_card_must_be_the_recipients_and_pay_the_groups_currency() {
    let business = Business::funded();
    let by_card = |group, card| CreateRemittance {
        delivery: DeliveryChoice::Card(card),
        ..business.sale(group, 10_00)
    };
    let event = sell(&business, business.agency, by_card(business.mlc, business.bertas_card)).then_event();
    let RemittanceEvent::RemittanceCreated(created) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        created.delivery,
        Delivery::Card {
            card: business.bertas_card,
            brand: Brand::BpaMlc
        }
    );
    sell(&business, business.agency, by_card(business.cup, business.bertas_card))
        .then_refused(Invalid, "invalid cardId:card_of_another_currency");
    sell(&business, business.agency, by_card(business.mlc, CardId::generate()))
        .then_refused(Invalid, "invalid cardId:card_unknown");
}

#[test]
fn a_delivery_at_the_door_needs_an_enabled_municipality() {
    let mut business = Business::funded();
    let (manager, ana) = (business.manager, business.ana);
    let nowhere = business.world.recipient(manager, ana, Default::default());
    let to_nowhere = CreateRemittance {
        recipient: nowhere,
        ..sale(&business)
    };
    sell(&business, business.agency, to_nowhere)
        .then_refused(Invalid, "invalid municipalityId:recipient_without_municipality");
    let playa = business.playa.municipality.unwrap();
    for enabled in [false, true] {
        let settings = PlaceSettings {
            distribution_fee: None,
            enabled,
        };
        let command = Command::Place(PlaceCommand::ChangeMunicipality(playa, settings));
        business.world.run(manager, command).unwrap();
        let tried = sell(&business, business.agency, sale(&business));
        if enabled {
            tried.then_event();
        } else {
            tried.then_refused(Invalid, "invalid municipalityId:municipality_disabled");
        }
    }
    let havana = business.playa.province.unwrap();
    business
        .world
        .run(manager, Command::Place(PlaceCommand::ChangeProvince(havana, false)))
        .unwrap();
    sell(&business, business.agency, sale(&business))
        .then_refused(Invalid, "invalid municipalityId:municipality_disabled");
}

#[test]
fn a_sellers_reference_is_unique_per_seller() {
    let mut business = Business::funded();
    let (agency, clerk, free_agent) = (business.agency, business.clerk, business.free_agent);
    let (ours, theirs) = ([business.ana, business.berta], [business.delia, business.elisa]);
    let mut sell = |seller: PartyId, [sender, recipient]: [CustomerId; 2], reference: &str| {
        let sale = CreateRemittance {
            sender,
            recipient,
            reference: Some(reference.into()),
            ..business.sale(business.cup, 10_00)
        };
        let sold = business.act(seller.actor(), sale.id, RemittanceCommand::Create(sale));
        sold.map(|_| ()).map_err(|refusal| refusal.code)
    };
    assert_eq!(sell(agency, ours, " F-1 "), Ok(()));
    assert_eq!(
        sell(clerk, ours, "F-1"),
        Err("reference_taken"),
        "the clerk sells for the agency"
    );
    assert_eq!(
        sell(free_agent, theirs, "F-1"),
        Ok(()),
        "another seller has references of its own"
    );
    assert_eq!(sell(agency, ours, "  "), Ok(()));
    assert_eq!(sell(agency, ours, ""), Ok(()), "a blank reference is none");
}

#[test]
fn an_id_is_sold_once_and_only_sellers_learn_that_it_is_taken() {
    let mut business = Business::funded();
    let sale = sale(&business);
    business.sell(business.agency, sale.clone());
    sell(&business, business.agency, sale.clone()).then_refused(Conflict, "already_exists");
    sell(&business, business.dealer, sale).then_refused(Forbidden, "role_not_allowed");
}
