//! What a rule would have covered of the past.

use super::{Office, access, by_template, caught, commands::command_of, rule};
use crate::{
    Actor, Command, Event, StreamId,
    approval::{ApprovalKind, ApprovalRule, Past, ProposalEvent},
    money::Amount,
    office::Template,
    party::{PartyCommand, Registration, Role},
};
use chrono::{DateTime, Utc};

#[test]
fn a_rule_would_have_caught_what_it_covers_now_once_and_with_the_same_amount() {
    for kind in ApprovalKind::ALL {
        let mut office = Office::new();
        let command = command_of(*kind, &mut office);
        let first = office.business.world.log.len();
        office.by(office.business.manager, command).unwrap();
        let events = &office.business.world.log[first..];
        assert!(
            events
                .iter()
                .any(|(event, _)| Past::types(*kind).contains(&event.event_type())),
            "{kind:?}"
        );
        let with_rule = rule(*kind, None);
        let found = caught(&office, &with_rule, first);
        assert_eq!(found.len(), 1, "{kind:?}: {found:?}");
        for other in ApprovalKind::ALL.iter().filter(|other| *other != kind) {
            assert_eq!(caught(&office, &rule(*other, None), first), [], "{other:?} of {kind:?}");
        }
        let agencies = ApprovalRule {
            makers: [Role::Agency].into(),
            ..with_rule
        };
        assert_eq!(caught(&office, &agencies, first), [], "{kind:?}");

        let mut ruled = Office::new();
        let command = command_of(*kind, &mut ruled);
        ruled.set(rule(*kind, None));
        let id = ruled.propose(command);
        let stream = StreamId::new(crate::StreamKind::Proposal, id);
        let Event::Proposal(ProposalEvent::CommandProposed(proposed)) = &ruled.business.world.history[&stream][0]
        else {
            panic!("a proposal")
        };
        assert_eq!(found, [proposed.amount], "{kind:?}");
        if let Some(amount) = proposed.amount {
            let from = |from: Amount| ApprovalRule {
                from_amount: Some(from),
                ..rule(*kind, None)
            };
            assert_eq!(caught(&office, &from(amount), first).len(), 1, "{kind:?}");
            assert_eq!(
                caught(&office, &from(amount + Amount::from_minor(1)), first),
                [],
                "{kind:?}"
            );
        }
    }
}

#[test]
fn a_rule_would_have_caught_more_access_and_not_less() {
    let mut office = Office::new();
    let manager = office.business.manager;
    let third = Registration::Office(by_template(Template::Auditor));
    let third = office.business.world.party(Actor::System, "tercera", third);
    let first = office.business.world.log.len();
    let mut until = by_template(Template::Auditor);
    until.expires_at = Some(DateTime::<Utc>::MAX_UTC);
    for given in [until, by_template(Template::Accountant)] {
        office.by(manager, access(third, given)).unwrap();
    }
    assert_eq!(caught(&office, &rule(ApprovalKind::User, None), first), [None]);
    office
        .by(manager, Command::Party(third, PartyCommand::Deactivate))
        .unwrap();
    assert_eq!(caught(&office, &rule(ApprovalKind::User, None), first), [None]);
}
