//! Edits of what was sold, and deliveries without a network.

use super::{CARD, OTHER_CARD, Shop, needs, refuse, rule};
use crate::{
    Actor,
    limits::{IN_REVIEW, LimitOutcome, LimitWindow, Need, SaleChecks, Side},
    money::Amount,
    remittance::{
        AssignDealer, CompleteRemittance, EditAmount, EditDetails, HoldOutcome, MAX_HOLDS, RemittanceCommand,
        ReviewHold,
    },
    testing::{amount, delivered},
};
use std::collections::BTreeSet;

#[test]
fn an_edit_that_would_be_held_once_too_often_is_refused_and_changes_nothing() {
    let mut shop = Shop::new();
    shop.set(&rule(Side::Sender, LimitWindow::Sale, "10.00", LimitOutcome::Hold));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let id = shop.try_sell(agency, pair, 10_01).unwrap();
    let most = u32::try_from(MAX_HOLDS).unwrap();
    for number in 1..=most {
        assert!(shop.held(id));
        let release = ReviewHold {
            number,
            outcome: HoldOutcome::Release,
            reason: "La conocemos".into(),
            files: Vec::new(),
        };
        let manager = shop.business.manager;
        shop.business
            .act(manager, id, RemittanceCommand::ReviewHold(release))
            .unwrap();
        if number < most {
            shop.edit_amount(id, 10_01 + i64::from(number)).unwrap();
        }
    }
    let before = shop.business.world.remittance(id).sale.clone();
    assert_eq!(shop.edit_amount(id, 20_00).unwrap_err().code, "too_many_holds");
    assert_eq!(shop.business.world.remittance(id).sale, before);
    shop.edit_amount(id, 10_00).unwrap();
}

#[test]
fn an_edit_counts_on_the_day_of_the_sale_and_less_is_always_allowed() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let first = shop.try_sell(agency, pair, 40_00).unwrap();
    shop.pass(8);
    let second = shop.try_sell(agency, pair, 40_00).unwrap();
    shop.set(&refuse(LimitWindow::Days7, "30.00"));
    assert_eq!(shop.edit_amount(second, 40_01).unwrap_err().code, "sale_beyond_limits");
    shop.edit_amount(second, 35_00).unwrap();
    // The first sale is in no window that ends today, but in those that ended a week ago.
    assert_eq!(shop.edit_amount(first, 40_01).unwrap_err().code, "sale_beyond_limits");
    shop.edit_amount(first, 20_00).unwrap();
    shop.edit_amount(first, 30_00).unwrap();
    shop.cancel(second);
    shop.try_sell(agency, pair, 30_00).unwrap();
    let alone = shop.person(pair.0);
    assert_eq!(shop.sent(alone), ("60.00".into(), 2), "the canceled one does not count");
}

#[test]
fn an_edit_of_the_amount_needs_a_document_that_has_not_expired_as_a_sale_does() {
    let mut shop = Shop::new();
    shop.set(&needs("30.00", &[Need::Document]));
    let (manager, agency, cup) = (shop.business.manager, shop.business.agency, shop.business.cup);
    let pair = shop.pair(agency, Some(CARD));
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    let expired = EditAmount {
        checks: SaleChecks {
            valid: BTreeSet::new(),
            ..shop.checks(&[pair.0, pair.1])
        },
        ..EditAmount::new(Amount::from_minor(30_01), cup)
    };
    let answer = shop.business.act(manager, id, RemittanceCommand::EditAmount(expired));
    assert_eq!(answer.unwrap().warnings, [IN_REVIEW]);
    assert!(shop.held(id));

    let pair = shop.pair(agency, Some(OTHER_CARD));
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    shop.edit_amount(id, 30_01).unwrap();
    assert!(!shop.held(id), "the document is valid");
}

#[test]
fn another_recipient_is_judged_by_the_limits_of_recipients() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let other = shop.register(agency, Some(pair.0), Some(OTHER_CARD));
    shop.try_sell(agency, (pair.0, other), 30_00).unwrap();
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    let limit = rule(Side::Recipient, LimitWindow::Days30, "40.00", LimitOutcome::Refuse);
    shop.set(&limit);
    let manager = shop.business.manager;
    let edit = |shop: &Shop| EditDetails {
        checks: shop.checks(&[other]),
        ..EditDetails::new(other)
    };
    let unread = EditDetails::new(other);
    let refused = shop.business.act(manager, id, RemittanceCommand::EditDetails(unread));
    assert_eq!(refused.unwrap_err().code, "customer_not_identified");
    let command = RemittanceCommand::EditDetails(edit(&shop));
    let refused = shop.business.act(manager, id, command.clone()).unwrap_err();
    assert_eq!(refused.code, "sale_beyond_limits");
    shop.remove(&limit);
    shop.set(&rule(Side::Recipient, LimitWindow::Days30, "40.00", LimitOutcome::Hold));
    let answer = shop.business.act(manager, id, command).unwrap();
    assert_eq!(answer.warnings, [IN_REVIEW]);
    assert!(shop.held(id));
    let received =
        shop.business
            .world
            .tenant_state
            .limits()
            .sum(shop.person(other), Side::Recipient, shop.today(), shop.today());
    assert_eq!((received.amount, received.count), (amount("50.00"), 2));
}

#[test]
fn a_delivery_without_a_network_is_judged_when_it_arrives() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let other = shop.register(agency, Some(pair.0), Some(OTHER_CARD));
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    let (manager, dealer) = (shop.business.manager, shop.business.dealer);
    let assign = AssignDealer {
        dealer,
        delivery_man: None,
    };
    shop.business
        .act(manager, id, RemittanceCommand::Assign(assign))
        .unwrap();
    shop.set(&rule(Side::Recipient, LimitWindow::Days30, "10.00", LimitOutcome::Hold));
    let edit = EditDetails {
        checks: shop.checks(&[other]),
        ..EditDetails::new(other)
    };
    shop.business
        .act(manager, id, RemittanceCommand::EditDetails(edit))
        .unwrap();
    assert!(shop.held(id));
    let refused = shop
        .business
        .act(Actor::Party(dealer), id, RemittanceCommand::Complete(delivered()));
    assert_eq!(refused.unwrap_err().code, "remittance_is_held");
    let offline = CompleteRemittance {
        or_dispute: true,
        delivered_at: Some(shop.business.world.now),
        ..delivered()
    };
    let answer = shop
        .business
        .act(Actor::Party(dealer), id, RemittanceCommand::Complete(offline))
        .unwrap();
    assert_eq!(answer.warnings, ["delivered_while_held"]);
    assert!(shop.business.world.remittance(id).breach.is_some());
}
