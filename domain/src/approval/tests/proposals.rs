//! Proposals: without an effect before the approval, with the same one after, and what is stored of the command.

use super::{Office, commands::command_of, rule};
use crate::{
    Command, Event, PersonalData, RefusalKind, StreamId,
    approval::{ApprovalKind, ProposedCommand},
    party::PartyCommand,
    remittance::RemittanceCommand,
};

#[test]
fn every_kind_waits_for_its_approval_has_no_effect_before_and_the_same_effect_after() {
    for kind in ApprovalKind::ALL {
        let mut office = Office::new();
        let proposed = command_of(*kind, &mut office);
        office.set(rule(*kind, None));
        let before = office.business.world.tenant_state.clone();
        let stream = proposed.stream();
        let events = office.business.world.history.get(&stream).map_or(0, Vec::len);
        let id = office.propose(proposed.clone());
        let after = &office.business.world.tenant_state;
        assert_eq!(after.numbers(), before.numbers(), "{kind:?}");
        assert!(
            before.accounts().all(|(account, held)| after.balance(account) == held),
            "{kind:?}"
        );
        assert_eq!(
            office.business.world.history.get(&stream).map_or(0, Vec::len),
            events,
            "{kind:?}"
        );
        assert_eq!(after.proposal(id).unwrap().kind, *kind);
        assert!(
            office.stored(id) == proposed,
            "{kind:?} is read from the log as it was given"
        );

        let second = office.second;
        office.approve(second, id).unwrap();
        assert!(
            office.business.world.history[&stream].len() > events,
            "{kind:?} takes effect with its approval"
        );
        assert_eq!(office.business.world.tenant_state.proposal(id), None, "{kind:?}");
    }
}

#[test]
fn a_command_that_would_be_refused_is_not_proposed() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::AssignmentOnCredit, None));
    let manager = office.business.manager;
    let refusal = office.by(manager, office.on_credit(0)).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Invalid);
    assert_eq!(
        office
            .business
            .world
            .tenant_state
            .waiting(office.business.world.now)
            .count(),
        0
    );
}

#[test]
fn what_was_read_for_a_command_is_not_kept_with_its_proposal() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::LateAmountEdit, None));
    let mut command = command_of(ApprovalKind::LateAmountEdit, &mut office);
    let Command::Remittance(_, RemittanceCommand::EditAmount(edit)) = &mut command else {
        panic!("an edit of an amount")
    };
    edit.customers = vec![office.business.ana, office.business.berta];
    let id = office.propose(command);
    let stream = StreamId::new(crate::StreamKind::Proposal, id);
    let event = &office.business.world.history[&stream][0];
    let stored = event.encode_in_clear().unwrap();
    let read = Event::decode(event.stream_kind(), event.event_type(), event.event_version(), &stored).unwrap();
    assert_eq!(&read, event);
}

#[test]
fn a_proposed_command_tells_nothing_in_a_debug_text() {
    let mut office = Office::new();
    let Command::Party(_, PartyCommand::Register(register)) = command_of(ApprovalKind::User, &mut office) else {
        panic!("a registration")
    };
    let stored = ProposedCommand::RegisterParty { register };
    let shown = format!("{stored:?}");
    assert!(!shown.contains("Nueva"), "{shown}");
    let mut clear = Vec::new();
    let mut writer = serde_json::Serializer::new(&mut clear);
    stored.serialize_clear(&mut writer).unwrap();
    assert!(String::from_utf8(clear).unwrap().contains("Nueva"));
}
