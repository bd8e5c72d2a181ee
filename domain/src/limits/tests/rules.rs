//! Rules: which of them can be, and who sets them.

use super::{Shop, refuse};
use crate::{
    Actor, Command, RefusalKind, TenantCommand,
    limits::{LimitOutcome, LimitRule, LimitWindow, MAX_LIMIT_COUNT, MAX_LIMIT_RULES, Need},
    testing::amount,
};

#[test]
fn rules_have_a_limit_an_outcome_and_known_groups_and_belong_to_managers() {
    let mut shop = Shop::new();
    let run = |shop: &mut Shop, actor, rule: LimitRule| {
        let command = Command::Tenant(TenantCommand::SetLimitRule(rule));
        let outcome = shop.business.world.run(actor, command);
        outcome.map_err(|refusal| refusal.to_string())
    };
    let valid = refuse(LimitWindow::Days30, "50.00");
    let manager = shop.business.manager;
    for (wrong, expected) in [
        (
            LimitRule {
                amount: None,
                ..valid.clone()
            },
            "invalid amount:required",
        ),
        (
            LimitRule {
                amount: Some(amount("-0.01")),
                ..valid.clone()
            },
            "invalid amount:amount_negative",
        ),
        (
            LimitRule {
                count: Some(MAX_LIMIT_COUNT + 1),
                ..valid.clone()
            },
            "invalid count:number_out_of_range",
        ),
        (
            LimitRule {
                count: Some(1),
                window: LimitWindow::Sale,
                ..valid.clone()
            },
            "invalid count:count_of_one_sale",
        ),
        (
            LimitRule {
                outcome: LimitOutcome::Needs,
                ..valid.clone()
            },
            "invalid needs:required",
        ),
        (
            LimitRule {
                needs: [Need::Purpose].into(),
                ..valid.clone()
            },
            "invalid needs:value_unknown",
        ),
        (
            LimitRule {
                groups: [crate::ids::PaymentGroupId::generate()].into(),
                ..valid.clone()
            },
            "invalid groups:payment_group_unknown",
        ),
    ] {
        assert_eq!(run(&mut shop, manager, wrong).unwrap_err(), expected);
    }
    let agency = Actor::Party(shop.business.agency);
    assert_eq!(run(&mut shop, agency, valid.clone()).unwrap_err(), "role_not_allowed");
    run(&mut shop, manager, valid.clone()).unwrap();
    let before = shop.business.world.log.len();
    run(&mut shop, manager, valid.clone()).unwrap();
    assert_eq!(
        shop.business.world.log.len(),
        before,
        "the same rule again writes nothing"
    );
    for _ in 1..MAX_LIMIT_RULES {
        run(&mut shop, manager, refuse(LimitWindow::Days30, "50.00")).unwrap();
    }
    let one_more = refuse(LimitWindow::Days30, "50.00");
    assert_eq!(run(&mut shop, manager, one_more).unwrap_err(), "too_many_limit_rules");
    run(&mut shop, manager, refuse_as(&valid)).unwrap();
    shop.remove(&valid);
    let command = Command::Tenant(TenantCommand::RemoveLimitRule(valid.id));
    let refusal = shop.business.world.run(manager, command).unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.code),
        (RefusalKind::NotFound, "limit_rule_not_found")
    );
}

/// The rule with another limit.
fn refuse_as(rule: &LimitRule) -> LimitRule {
    LimitRule {
        amount: Some(amount("60.00")),
        ..rule.clone()
    }
}
