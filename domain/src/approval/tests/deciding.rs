//! Approving, rejecting, withdrawing and expiring: who may, and what meanwhile changed.

use super::{Office, access, by_template, commands::command_of, rule};
use crate::{
    Actor, Command, Expected, Refusal,
    approval::{ApprovalKind, ApprovalRule, ProposalCommand},
    office::Template,
    party::{PartyCommand, Registration, Role},
    testing::{amount, terms},
};
use chrono::Duration;

#[test]
fn nobody_approves_or_rejects_what_they_proposed_and_only_the_maker_withdraws() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (maker, second, agency) = (office.maker(), office.second, office.business.agency);
    let id = office.propose(office.on_credit(31_850_00));
    let reject = || ProposalCommand::Reject { reason: "No".into() };
    assert_eq!(office.approve(maker, id).unwrap_err().code, "own_proposal");
    assert_eq!(office.decide(maker, id, reject()).unwrap_err().code, "own_proposal");
    assert_eq!(office.approve(agency, id).unwrap_err().code, "proposal_not_found");
    assert_eq!(
        office.decide(second, id, ProposalCommand::Withdraw).unwrap_err().code,
        "proposal_not_found"
    );
    office.decide(maker, id, ProposalCommand::Withdraw).unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_waiting");
}

#[test]
fn a_rejection_needs_a_reason_and_a_proposal_is_decided_once() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let second = office.second;
    let id = office.propose(office.on_credit(31_850_00));
    let empty = ProposalCommand::Reject { reason: " ".into() };
    assert_eq!(office.decide(second, id, empty).unwrap_err().errors[0].field, "reason");
    let rejected = ProposalCommand::Reject { reason: "No".into() };
    office.decide(second, id, rejected).unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_waiting");

    let id = office.propose(office.on_credit(31_850_00));
    office.approve(second, id).unwrap();
    let log = office.business.world.log.len();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_waiting");
    assert_eq!(office.business.world.log.len(), log);
}

#[test]
fn an_expired_proposal_is_not_approved() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let id = office.propose(office.on_credit(31_850_00));
    office.business.world.now += Duration::hours(24);
    assert_eq!(office.approve(office.second, id).unwrap_err().code, "proposal_expired");
    // It leaves the state with the next proposal.
    office.propose(office.on_credit(31_850_00));
    assert_eq!(office.business.world.tenant_state.proposal(id), None);
}

#[test]
fn changed_figures_are_confirmed_again_by_the_approver() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (manager, second, agency) = (office.business.manager, office.second, office.business.agency);
    let id = office.propose(office.on_credit(31_850_00));
    let set = PartyCommand::SetTerms(terms(office.business.cup, "300", Default::default(), "0"));
    office.by(manager, Command::Party(agency, set)).unwrap();
    let refusal = office.approve(second, id).unwrap_err();
    assert_eq!(refusal.code, "quote_changed");
    let (figures, proposed) = (refusal.figures.unwrap(), refusal.proposed.unwrap());
    assert_eq!(
        (proposed.total_to_pay, figures.total_to_pay),
        (amount("100"), amount("106.17"))
    );
    // What is not confirmed is not agreed to: neither a part of the figures nor none of them.
    for payout in [Some(figures.payout), None] {
        office.business.world.expected = Some(Expected {
            payout,
            total_to_pay: None,
        });
        assert_eq!(
            office.approve(second, id).unwrap_err().code,
            "quote_changed",
            "{payout:?}"
        );
    }
    office.business.world.expected = Some(Expected {
        payout: Some(figures.payout),
        total_to_pay: Some(figures.total_to_pay),
    });
    office.approve(second, id).unwrap();
}

#[test]
fn a_maker_who_may_no_longer_do_it_makes_the_approval_fail() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let second = office.second;
    let id = office.propose(office.on_credit(31_850_00));
    let maker = office.maker();
    office
        .by(Actor::Party(second), Command::Party(maker, PartyCommand::Deactivate))
        .unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_permitted");
}

#[test]
fn an_approver_needs_the_permission_for_the_proposed_command_and_a_rejection_needs_one_of_its_kind() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (manager, second) = (office.business.manager, office.second);
    let id = office.propose(office.on_credit(31_850_00));
    let lacking = |refusal: Refusal| (refusal.code, refusal.params["permission"].clone());
    let payments = ("permission_missing", "payments:write".to_owned());
    office
        .by(manager, access(second, by_template(Template::Auditor)))
        .unwrap();
    assert_eq!(lacking(office.approve(second, id).unwrap_err()), payments);
    let reason = "No".to_owned();
    let rejected = office.decide(second, id, ProposalCommand::Reject { reason });
    assert_eq!(lacking(rejected.unwrap_err()), payments);
    office
        .by(manager, access(second, by_template(Template::Accountant)))
        .unwrap();
    office.approve(second, id).unwrap();
}

#[test]
fn a_maker_who_lost_the_permission_makes_the_approval_fail() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let (manager, second) = (office.business.manager, office.second);
    let third = office.business.world.party(manager, "tercera", Registration::Manager);
    let command = office.on_credit(31_850_00);
    let id = office.by(Actor::Party(third), command).unwrap().proposal.unwrap().id;
    office
        .by(manager, access(third, by_template(Template::Auditor)))
        .unwrap();
    assert_eq!(office.approve(second, id).unwrap_err().code, "proposal_not_permitted");
}

#[test]
fn an_agency_approves_its_agents_and_nobody_elses() {
    let mut office = Office::new();
    let agents = ApprovalRule {
        approvers: Role::Agency,
        ..rule(ApprovalKind::CardNumber, None)
    };
    office.set(agents);
    let (agency, other, agent) = (
        office.business.agency,
        office.business.other_agency,
        office.business.agent,
    );
    let command = command_of(ApprovalKind::CardNumber, &mut office);
    let answer = office.by(Actor::Party(agent), command).unwrap();
    let id = answer.proposal.unwrap().id;
    assert_eq!(office.approve(other, id).unwrap_err().code, "proposal_not_found");
    office.approve(agency, id).unwrap();
}
