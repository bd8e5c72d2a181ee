//! Rules: which of them can be, what they cover and leave alone, and changes of rules that wait themselves.

use super::{Office, commands::limit_rule, rule};
use crate::{
    Actor, Command, RefusalKind, TenantCommand,
    approval::{ApprovalKind, ApprovalRule},
    customer::{OwnList, ScreeningRule},
    limits::LimitRule,
    party::Role,
    testing::{Business, amount},
};

#[test]
fn a_rule_that_could_never_work_is_refused() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let good = rule(ApprovalKind::Expense, Some("10"));
    let faults = [
        (
            "makers",
            ApprovalRule {
                makers: [].into(),
                ..good.clone()
            },
        ),
        (
            "approvers",
            ApprovalRule {
                approvers: Role::DeliveryMan,
                ..good.clone()
            },
        ),
        (
            "expiresAfterHours",
            ApprovalRule {
                expires_after_hours: 0,
                ..good.clone()
            },
        ),
        (
            "expiresAfterHours",
            ApprovalRule {
                expires_after_hours: 721,
                ..good.clone()
            },
        ),
        (
            "fromAmount",
            ApprovalRule {
                kind: ApprovalKind::Closing,
                ..good.clone()
            },
        ),
        (
            "fromAmount",
            ApprovalRule {
                from_amount: Some(amount("-1")),
                ..good.clone()
            },
        ),
    ];
    for (field, rule) in faults {
        let command = Command::Tenant(TenantCommand::SetApprovalRule(rule));
        assert_eq!(office.by(manager, command).unwrap_err().errors[0].field, field);
    }
    let agency = Actor::Party(office.business.agency);
    let command = Command::Tenant(TenantCommand::SetApprovalRule(good));
    assert_eq!(office.by(agency, command).unwrap_err().kind, RefusalKind::Forbidden);
}

#[test]
fn the_last_manager_is_warned_of_a_rule_for_managers() {
    let mut business = Business::new();
    let manager = business.manager;
    let command = |rule| Command::Tenant(TenantCommand::SetApprovalRule(rule));
    let answer = business
        .world
        .run(manager, command(rule(ApprovalKind::Expense, None)))
        .unwrap();
    assert_eq!(answer.warnings, ["approval_without_second_manager"]);
    let mut office = Office::new();
    assert!(office.set(rule(ApprovalKind::Expense, None)).warnings.is_empty());
}

#[test]
fn with_every_rule_set_the_rules_themselves_wait() {
    let mut office = Office::with_all_rules();
    let rules = office.business.world.tenant_state.approval_rules().count();
    let of_expenses = office.business.world.tenant_state.approval_rules();
    let of_expenses = of_expenses.map(|rule| rule.id).next().unwrap();
    let id = office.propose(Command::Tenant(TenantCommand::RemoveApprovalRule(of_expenses)));
    assert_eq!(office.business.world.tenant_state.approval_rules().count(), rules);
    office.approve(office.second, id).unwrap();
    assert_eq!(office.business.world.tenant_state.approval_rules().count(), rules - 1);
}

#[test]
fn without_rules_and_below_a_rules_amount_or_outside_its_roles_a_command_takes_effect_at_once() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let answer = office.by(manager, office.on_credit(31_850_00)).unwrap();
    assert_eq!((answer.proposal, answer.debit_id.is_some()), (None, true));

    // 31850 CUP at 318.50 are 100 USD.
    office.set(rule(ApprovalKind::AssignmentOnCredit, Some("100.01")));
    let agencies = ApprovalRule {
        makers: [Role::Agency].into(),
        ..rule(ApprovalKind::AssignmentOnCredit, None)
    };
    office.set(agencies);
    assert_eq!(office.by(manager, office.on_credit(31_850_00)).unwrap().proposal, None);
    office.set(rule(ApprovalKind::AssignmentOnCredit, Some("100")));
    assert!(
        office
            .by(manager, office.on_credit(31_850_00))
            .unwrap()
            .proposal
            .is_some()
    );
}

/// A kind covers every command that changes the same rules: what is added can't be removed or replaced without an approval.
#[test]
fn every_change_of_limit_rules_lists_and_thresholds_waits_where_a_rule_covers_it() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let known = limit_rule();
    let own = OwnList {
        name: "own".into(),
        version: "0f".repeat(32),
        entries: 2,
        names: 3,
    };
    let lists = |threshold| ScreeningRule {
        lists: [("ofac-sdn".to_owned(), threshold)].into(),
    };
    for command in [
        TenantCommand::SetLimitRule(known.clone()),
        TenantCommand::LoadOwnList(own.clone()),
        TenantCommand::SetScreening(lists(90)),
    ] {
        let answer = office.by(manager, Command::Tenant(command)).unwrap();
        assert_eq!(answer.proposal, None, "no rule covers it yet");
    }
    office.set(rule(ApprovalKind::LimitRules, None));
    office.set(rule(ApprovalKind::ScreeningRules, None));
    let more = LimitRule {
        amount: Some(amount("9000")),
        ..known.clone()
    };
    let other = OwnList {
        version: "1e".repeat(32),
        ..own.clone()
    };
    for command in [
        TenantCommand::SetLimitRule(more),
        TenantCommand::SetLimitRule(limit_rule()),
        TenantCommand::RemoveLimitRule(known.id),
        TenantCommand::SetScreening(lists(99)),
        TenantCommand::SetScreening(ScreeningRule::default()),
        TenantCommand::LoadOwnList(other.clone()),
        TenantCommand::RemoveOwnList(own.name.clone()),
    ] {
        let proposed = Command::Tenant(command);
        let id = office.propose(proposed.clone());
        assert!(office.stored(id) == proposed, "{proposed:?}");
    }
    let state = &office.business.world.tenant_state;
    assert_eq!(state.limits().rule(known.id), Some(&known));
    assert_eq!(state.own_list("own"), Some(&own));
    assert_eq!(state.screening_rule(), &lists(90));
    let id = office.propose(Command::Tenant(TenantCommand::LoadOwnList(other.clone())));
    let second = office.second;
    office.approve(second, id).unwrap();
    assert_eq!(office.business.world.tenant_state.own_list("own"), Some(&other));
}
