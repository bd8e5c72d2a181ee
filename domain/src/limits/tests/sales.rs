//! Sales beyond a limit: what a rule adds up, and what happens to a sale that exceeds it.

use super::{CARD, Shop, needs, refuse, rule};
use crate::{
    Event,
    limits::{IN_REVIEW, LimitOutcome, LimitRule, LimitWindow, Need, SaleChecks, SaleDeclaration, Side},
    remittance::{AssignDealer, CreateRemittance, HoldOutcome, RemittanceCommand, RemittanceEvent, ReviewHold},
};
use chrono::{Days, Duration};

#[test]
fn windows_roll_by_the_days_of_the_tenants_zone() {
    for (window, days) in [
        (LimitWindow::Day, 1),
        (LimitWindow::Days7, 7),
        (LimitWindow::Days30, 30),
        (LimitWindow::Days365, 365),
    ] {
        let mut shop = Shop::new();
        shop.set(&refuse(window, "50.00"));
        let agency = shop.business.agency;
        let pair = shop.pair(agency, Some(CARD));
        shop.try_sell(agency, pair, 30_00).unwrap();
        shop.pass(days - 1);
        assert_eq!(
            shop.try_sell(agency, pair, 20_01).unwrap_err(),
            "sale_beyond_limits",
            "{window:?}"
        );
        shop.pass(1);
        shop.try_sell(agency, pair, 50_00).unwrap();
    }
    // 03:59 UTC is still the day before in Havana.
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Day, "50.00"));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    shop.try_sell(agency, pair, 30_00).unwrap();
    let midnight = (shop.today() + Days::new(1)).and_hms_opt(4, 0, 0).unwrap().and_utc();
    shop.business.world.now = midnight - Duration::minutes(1);
    assert_eq!(shop.try_sell(agency, pair, 30_00).unwrap_err(), "sale_beyond_limits");
    shop.business.world.now = midnight;
    shop.try_sell(agency, pair, 30_00).unwrap();
}

#[test]
fn a_rule_is_about_a_sale_a_count_a_payment_group_or_a_recipient() {
    let mut shop = Shop::new();
    let per_sale = refuse(LimitWindow::Sale, "20.00");
    shop.set(&per_sale);
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    shop.try_sell(agency, pair, 20_00).unwrap();
    shop.try_sell(agency, pair, 20_00).unwrap();
    assert_eq!(shop.try_sell(agency, pair, 20_01).unwrap_err(), "sale_beyond_limits");
    shop.remove(&per_sale);

    let thrice = LimitRule {
        amount: None,
        count: Some(3),
        ..refuse(LimitWindow::Days7, "0")
    };
    shop.set(&thrice);
    shop.try_sell(agency, pair, 1_00).unwrap();
    assert_eq!(shop.try_sell(agency, pair, 1_00).unwrap_err(), "sale_beyond_limits");
    shop.remove(&thrice);

    let in_usd = LimitRule {
        groups: [shop.business.usd].into(),
        ..refuse(LimitWindow::Days30, "30.00")
    };
    shop.set(&in_usd);
    let by_usd = |shop: &Shop, minor| CreateRemittance {
        group: shop.business.usd,
        ..shop.sale(pair, minor)
    };
    let sale = by_usd(&shop, 30_00);
    shop.run(agency, sale).unwrap();
    let sale = by_usd(&shop, 1);
    assert_eq!(shop.run(agency, sale).unwrap_err().code, "sale_beyond_limits");
    shop.try_sell(agency, pair, 5_00).unwrap();
    shop.remove(&in_usd);

    shop.set(&rule(
        Side::Recipient,
        LimitWindow::Days30,
        "100.00",
        LimitOutcome::Refuse,
    ));
    assert_eq!(
        shop.try_sell(agency, pair, 24_01).unwrap_err(),
        "sale_beyond_limits",
        "76.00 were received"
    );
    shop.try_sell(agency, pair, 24_00).unwrap();
}

#[test]
fn a_sale_beyond_a_limit_tells_all_that_it_needs_and_is_sold_with_it() {
    let mut shop = Shop::new();
    shop.set(&needs("30.00", &[Need::Document, Need::Purpose]));
    shop.set(&needs("30.00", &[Need::SourceOfFunds, Need::Purpose]));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, None);
    shop.try_sell(agency, pair, 30_00).unwrap();
    assert_eq!(
        shop.try_sell(agency, pair, 1_00).unwrap_err(),
        "invalid senderId:needs_document purpose:needs_purpose sourceOfFunds:needs_source_of_funds"
    );
    shop.change(pair.0, Some(CARD));
    let declaration = SaleDeclaration {
        purpose: Some(" Ayuda familiar ".into()),
        source_of_funds: Some("Salario".into()),
    };
    let expired = CreateRemittance {
        declaration: declaration.clone(),
        checks: SaleChecks::default(),
        ..shop.sale(pair, 1_00)
    };
    let refusal = shop.run(agency, expired).unwrap_err();
    assert_eq!(refusal.to_string(), "invalid senderId:needs_document");
    let blank = CreateRemittance {
        declaration: SaleDeclaration {
            purpose: Some("  ".into()),
            ..declaration.clone()
        },
        ..shop.sale(pair, 1_00)
    };
    let refusal = shop.run(agency, blank).unwrap_err();
    assert_eq!(refusal.to_string(), "invalid purpose:needs_purpose");

    let before = shop.business.world.log.len();
    let sale = CreateRemittance {
        declaration: declaration.clone(),
        ..shop.sale(pair, 1_00)
    };
    let id = sale.id;
    shop.run(agency, sale).unwrap();
    assert_eq!(shop.written(before), ["RemittanceCreated", "SaleDeclared"]);
    let (event, _) = shop.business.world.log.last().unwrap();
    let Event::Remittance(RemittanceEvent::SaleDeclared(declared)) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        declared.personal.get().unwrap().purpose.as_deref(),
        Some("Ayuda familiar")
    );
    assert_eq!(declared.personal.subject(), pair.0.into());
    // What was declared holds for a later edit.
    shop.edit_amount(id, 2_00).unwrap();
    assert!(!shop.held(id));
}

#[test]
fn a_declaration_is_recorded_without_rules_too_and_an_edit_without_one_waits_for_a_review() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let declared = CreateRemittance {
        declaration: SaleDeclaration {
            purpose: Some("Ayuda familiar".into()),
            source_of_funds: None,
        },
        ..shop.sale(pair, 20_00)
    };
    let before = shop.business.world.log.len();
    shop.run(agency, declared).unwrap();
    assert_eq!(shop.written(before), ["RemittanceCreated", "SaleDeclared"]);
    let undeclared = shop.try_sell(agency, pair, 20_00).unwrap();
    shop.set(&needs("40.00", &[Need::Purpose]));
    let answer = shop.edit_amount(undeclared, 20_01).unwrap();
    assert_eq!(answer.warnings, [IN_REVIEW]);
    assert!(shop.held(undeclared));
}

#[test]
fn a_rule_that_holds_sells_and_waits_for_a_review() {
    let mut shop = Shop::new();
    let limit = rule(Side::Sender, LimitWindow::Day, "30.00", LimitOutcome::Hold);
    shop.set(&limit);
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let free = shop.try_sell(agency, pair, 30_00).unwrap();
    let sale = shop.sale(pair, 1_00);
    let id = sale.id;
    let answer = shop.run(agency, sale).unwrap();
    assert_eq!(answer.warnings, [IN_REVIEW]);
    assert!(shop.held(id) && !shop.held(free));
    let hold = shop.business.world.remittance(id).holds[0];
    assert_eq!(hold.reference, Some(limit.id.0));
    let (manager, dealer) = (shop.business.manager, shop.business.dealer);
    let assign = AssignDealer {
        dealer,
        delivery_man: None,
    };
    let refused = shop
        .business
        .act(manager, id, RemittanceCommand::Assign(assign))
        .unwrap_err();
    assert_eq!(refused.code, "remittance_is_held");
    let release = ReviewHold {
        number: 1,
        outcome: HoldOutcome::Release,
        reason: "La conocemos".into(),
        files: Vec::new(),
        about: None,
    };
    shop.business
        .act(manager, id, RemittanceCommand::ReviewHold(release))
        .unwrap();
    shop.business
        .act(manager, id, RemittanceCommand::Assign(assign))
        .unwrap();
}

#[test]
fn a_refusal_comes_before_needs_and_needs_before_a_hold() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Sale, "40.00"));
    shop.set(&needs("20.00", &[Need::Purpose]));
    shop.set(&rule(Side::Sender, LimitWindow::Sale, "10.00", LimitOutcome::Hold));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    assert_eq!(shop.try_sell(agency, pair, 40_01).unwrap_err(), "sale_beyond_limits");
    assert_eq!(
        shop.try_sell(agency, pair, 20_01).unwrap_err(),
        "invalid purpose:needs_purpose"
    );
    let id = shop.try_sell(agency, pair, 10_01).unwrap();
    assert!(shop.held(id));
}
