//! People: which customers are one person, when they are identified, and what becomes of their documents.

use super::{CARD, OTHER_CARD, Shop, refuse};
use crate::{
    Actor, Command, Event, RefusalKind,
    customer::{CustomerCommand, CustomerEvent},
    erasure::{DEFAULT_RETENTION_DAYS, Forget},
    limits::{LimitWindow, SaleChecks},
    remittance::CreateRemittance,
};

#[test]
fn a_tenant_without_rules_writes_no_event_of_limits() {
    let mut shop = Shop::new();
    let before = shop.business.world.log.len();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let twin = shop.register(shop.business.other_agency, None, Some(CARD));
    shop.change(twin, Some(OTHER_CARD));
    let sale = CreateRemittance {
        checks: SaleChecks::default(),
        ..shop.sale(pair, 20_00)
    };
    shop.run(agency, sale).unwrap();
    let expected = [
        "CustomerRegistered",
        "CustomerRegistered",
        "CustomerRegistered",
        "CustomerChanged",
        "RemittanceCreated",
    ];
    assert_eq!(shop.written(before), expected);
    assert!(!shop.business.world.tenant_state.limits().is_identified(pair.0));
}

#[test]
fn customers_of_two_agencies_with_one_document_are_one_person_and_share_a_limit() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some("800101-12345"));
    let stranger = shop.pair(other, Some(OTHER_CARD));
    assert_eq!(shop.person(here.0), shop.person(there.0));
    assert_ne!(shop.person(here.0), shop.person(stranger.0));
    shop.try_sell(agency, here, 30_00).unwrap();
    assert_eq!(
        shop.try_sell(other, there, 20_01).unwrap_err(),
        "sale_beyond_limits",
        "the refusal says nothing of what is left"
    );
    shop.try_sell(other, there, 20_00).unwrap();
    assert_eq!(shop.try_sell(agency, here, 1).unwrap_err(), "sale_beyond_limits");
    shop.try_sell(other, stranger, 20_00).unwrap();
    assert_eq!(shop.sent(shop.person(here.0)), ("50.00".into(), 2));
}

#[test]
fn one_passport_number_of_two_countries_is_of_two_people_and_of_one_country_of_one() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let spanish = shop.pair(agency, Some("ES:X123456"));
    let italian = shop.pair(other, Some("IT:X123456"));
    let same = shop.pair(other, Some("es:x-123456"));
    assert_ne!(shop.person(spanish.0), shop.person(italian.0));
    assert_eq!(shop.person(spanish.0), shop.person(same.0));
    shop.try_sell(agency, spanish, 40_00).unwrap();
    shop.try_sell(other, italian, 50_00).unwrap();
    assert_eq!(shop.try_sell(other, same, 10_01).unwrap_err(), "sale_beyond_limits");
}

#[test]
fn a_passport_recorded_without_its_country_is_a_document_of_its_own_and_the_country_makes_it_another() {
    let mut shop = Shop::new();
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let before = shop.pair(agency, Some(":X123456"));
    let person = shop.person(before.0);
    let also_before = shop.pair(other, Some(":X123456"));
    assert_eq!(shop.person(also_before.0), person, "as it was");
    let spanish = shop.pair(other, Some("ES:X123456"));
    assert_ne!(shop.person(spanish.0), person);
    shop.try_sell(agency, before, 50_00).unwrap();
    shop.change(before.0, Some("ES:X123456"));
    assert_eq!(shop.person(before.0), shop.person(spanish.0));
    assert_eq!(shop.sent(person), ("50.00".into(), 1), "what was stays");
    shop.try_sell(agency, before, 50_00).unwrap();
    assert_eq!(shop.try_sell(other, spanish, 1).unwrap_err(), "sale_beyond_limits");
}

#[test]
fn the_first_sale_under_rules_identifies_customers_with_what_they_sent_before() {
    let mut shop = Shop::new();
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some(CARD));
    shop.try_sell(agency, here, 30_00).unwrap();
    shop.try_sell(other, there, 10_00).unwrap();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let unread = CreateRemittance {
        checks: SaleChecks::default(),
        ..shop.sale(there, 5_00)
    };
    let refusal = shop.run(other, unread).unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.code),
        (RefusalKind::Conflict, "customer_not_identified")
    );

    let before = shop.business.world.log.len();
    shop.try_sell(other, there, 5_00).unwrap();
    assert_eq!(
        shop.written(before),
        ["PersonIdentified", "PersonIdentified", "RemittanceCreated"]
    );
    assert_eq!(shop.sent(shop.person(there.0)), ("15.00".into(), 2));
    // The other customer's sale joins at their own next sale, which is judged with it.
    assert_eq!(shop.try_sell(agency, here, 5_01).unwrap_err(), "sale_beyond_limits");
    let before = shop.business.world.log.len();
    shop.try_sell(agency, here, 5_00).unwrap();
    assert_eq!(shop.person(here.0), shop.person(there.0));
    assert_eq!(shop.sent(shop.person(here.0)), ("50.00".into(), 4));
    shop.set(&refuse(LimitWindow::Days30, "70.00"));
    let sold = shop.business.world.log.len() - before;
    assert_eq!(sold, 4, "two identifications, the sale, the rule");
    assert_eq!(shop.try_sell(agency, here, 1).unwrap_err(), "sale_beyond_limits");
}

#[test]
fn the_system_identifies_customers_of_before_the_first_rule_once() {
    let mut shop = Shop::new();
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some(CARD));
    shop.try_sell(agency, here, 30_00).unwrap();
    let identify = |shop: &mut Shop, actor: Actor, id| {
        let before = shop.business.world.log.len();
        let document = shop.documents[&id].clone();
        let command = Command::Customer(id, CustomerCommand::Identify(document));
        let outcome = shop.business.world.run(actor, command);
        outcome.map(|_| shop.written(before)).map_err(|refusal| refusal.code)
    };
    assert_eq!(identify(&mut shop, Actor::System, here.0).unwrap(), [""; 0], "no rule");
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let manager = shop.business.manager;
    assert_eq!(identify(&mut shop, manager, here.0).unwrap_err(), "role_not_allowed");
    for id in [there.0, here.0, here.1] {
        assert_eq!(identify(&mut shop, Actor::System, id).unwrap(), ["PersonIdentified"]);
        assert_eq!(identify(&mut shop, Actor::System, id).unwrap(), [""; 0], "once");
    }
    assert_eq!(shop.person(here.0), shop.person(there.0));
    assert_eq!(shop.try_sell(other, there, 20_01).unwrap_err(), "sale_beyond_limits");
    shop.try_sell(other, there, 20_00).unwrap();
}

#[test]
fn another_document_moves_what_comes_after_and_the_first_one_what_was() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, None);
    let alone = shop.person(pair.0);
    shop.try_sell(agency, pair, 40_00).unwrap();
    shop.change(pair.0, Some(CARD));
    assert_eq!(
        shop.person(pair.0),
        alone,
        "the first document keeps the sales without one"
    );
    assert_eq!(shop.try_sell(agency, pair, 10_01).unwrap_err(), "sale_beyond_limits");

    shop.change(pair.0, Some(OTHER_CARD));
    let second = shop.person(pair.0);
    assert_ne!(second, alone);
    shop.try_sell(agency, pair, 45_00).unwrap();
    assert_eq!(shop.sent(alone), ("40.00".into(), 1), "what was stays");
    assert_eq!(shop.sent(second), ("45.00".into(), 1));
    shop.change(pair.0, None);
    assert_eq!(shop.person(pair.0), second, "without a document nothing moves");
    shop.change(pair.0, Some(CARD));
    assert_eq!(shop.person(pair.0), alone, "the document has its person for good");
    assert_eq!(shop.try_sell(agency, pair, 10_01).unwrap_err(), "sale_beyond_limits");

    // A change that leaves the document alone says nothing of the person.
    let before = shop.business.world.log.len();
    shop.change(pair.0, Some(CARD));
    assert_eq!(shop.written(before), ["CustomerChanged"]);
}

#[test]
fn changes_identify_who_was_identified_also_after_the_last_rule() {
    let mut shop = Shop::new();
    let limit = refuse(LimitWindow::Days30, "50.00");
    shop.set(&limit);
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let pair = shop.pair(agency, Some(CARD));
    let twin = shop.pair(other, Some(OTHER_CARD));
    shop.remove(&limit);
    shop.change(pair.0, Some(OTHER_CARD));
    shop.set(&limit);
    assert_eq!(shop.person(pair.0), shop.person(twin.0));
}

#[test]
fn the_digest_of_a_document_goes_with_the_last_customer_who_has_it() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some(CARD));
    shop.change(there.0, Some(OTHER_CARD));
    let person = shop.person(here.0);
    let second = shop.person(there.0);
    let erase = |shop: &mut Shop, id| {
        let before = shop.business.world.log.len();
        let erase = Forget {
            retention_days: DEFAULT_RETENTION_DAYS,
            last_business: None,
        };
        let command = Command::Customer(id, CustomerCommand::Forget(erase));
        shop.business.world.run(Actor::System, command).unwrap();
        let events = shop.business.world.log.iter().skip(before);
        let released = events.filter_map(|(event, _)| match event {
            Event::Customer(CustomerEvent::PersonDocumentReleased(released)) => Some(released.person),
            _ => None,
        });
        released.collect::<Vec<_>>()
    };
    assert_eq!(erase(&mut shop, here.0), [], "the other customer had the document once");
    assert_eq!(erase(&mut shop, there.0), [person, second]);
    assert_eq!(erase(&mut shop, here.1), [], "no document, no digest");
    assert_eq!(
        shop.written(shop.business.world.log.len() - 4),
        [
            "PersonDocumentReleased",
            "PersonDocumentReleased",
            "PersonForgotten",
            "PersonForgotten"
        ]
    );
    // The document is free for another person.
    let again = shop.pair(agency, Some(CARD));
    assert_ne!(shop.person(again.0), person);
}
