//! Every state and command, by every role and relation to the remittance, compared with the domain design's table,
//! which is written out here.

#![allow(clippy::inconsistent_digit_grouping, reason = "amounts in hundredths read as 318_50")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it must"
)]

mod common;

use caudal_domain::{
    Actor, RefusalKind,
    ids::{PartyId, RemittanceId},
    money::Amount,
    remittance::{AssignDealer, EditAmount, EditDetails, RemittanceCommand, Status},
};
use common::{Business, delivered};

const COMMANDS: [&str; 6] = ["edit details", "edit amount", "assign", "error", "cancel", "complete"];
const ACTORS: [&str; 12] = [
    "manager",
    "agency",
    "clerk",
    "agent who sold",
    "other agent",
    "other agency",
    "dealer",
    "courier",
    "other dealer",
    "other courier",
    "agency's other clerk",
    "deactivated manager",
];

/// The table's result: `Ok`, or the kind of refusal.
fn expected(actor: &str, command: &str, status: Status) -> Result<(), RefusalKind> {
    use RefusalKind::{Conflict, Forbidden, NotFound};
    if actor == "deactivated manager" {
        return Err(Forbidden);
    }
    let with_field = matches!(status, Status::Shipping | Status::Completed | Status::Error);
    let sees = match actor {
        "manager" | "agency" | "clerk" | "agent who sold" | "agency's other clerk" => true,
        "dealer" | "courier" => with_field,
        _ => false,
    };
    if !sees {
        return Err(NotFound);
    }
    let field = matches!(actor, "dealer" | "courier");
    let manager = actor == "manager";
    let for_role = match command {
        "edit details" | "edit amount" | "cancel" => !field,
        "assign" => manager || actor == "dealer",
        _ => manager || field,
    };
    if !for_role {
        return Err(Forbidden);
    }
    let only_manager = || if manager { Ok(()) } else { Err(Forbidden) };
    match (command, status) {
        ("edit details", Status::Pending | Status::Error) => Ok(()),
        ("edit details", Status::Shipping) => only_manager(),
        ("edit amount", Status::Pending | Status::Error) => Ok(()),
        ("assign", Status::Pending | Status::Error) => only_manager(),
        ("assign", Status::Shipping) => Ok(()),
        ("error", Status::Pending) => only_manager(),
        ("error", Status::Shipping) => Ok(()),
        ("cancel", Status::Pending | Status::Error) => Ok(()),
        ("cancel", Status::Shipping) => only_manager(),
        ("complete", Status::Shipping) => Ok(()),
        _ => Err(Conflict),
    }
}

/// The status that the command leads to according to the table.
fn leads_to(command: &str, status: Status) -> Status {
    match command {
        "edit details" if status == Status::Shipping => Status::Shipping,
        "edit details" | "edit amount" => Status::Pending,
        "assign" => Status::Shipping,
        "error" => Status::Error,
        "cancel" => Status::Canceled,
        _ => Status::Completed,
    }
}

struct Case {
    business: Business,
    remittance: RemittanceId,
    retired: PartyId,
    second_clerk: PartyId,
}

/// An agent's remittance in a state, with every party that could act on it.
fn case(status: Status) -> Case {
    use caudal_domain::{
        Command,
        party::{PartyCommand, Registration},
    };
    let mut business = Business::funded();
    let second_clerk = business.world.party(
        Actor::Party(business.agency),
        "clerk-2",
        Registration::InternalAgent { agency: None },
    );
    let retired = business.world.party(business.manager, "retired", Registration::Manager);
    business
        .world
        .run(business.manager, Command::Party(retired, PartyCommand::Deactivate))
        .unwrap();
    let sale = business.sale(business.cup, 33_33);
    let remittance = business.sell(business.agent, sale);
    let manager = business.manager;
    let assign = RemittanceCommand::Assign(AssignDealer {
        dealer: business.dealer,
        delivery_man: Some(business.courier),
    });
    let reason = || "motivo".to_owned();
    let steps = match status {
        Status::Pending => vec![],
        Status::Canceled => vec![RemittanceCommand::Cancel { reason: reason() }],
        Status::Shipping => vec![assign],
        Status::Completed => vec![assign, RemittanceCommand::Complete(delivered())],
        Status::Error => vec![assign, RemittanceCommand::MarkError { reason: reason() }],
    };
    for step in steps {
        business.act(manager, remittance, step).unwrap();
    }
    assert_eq!(business.world.remittance(remittance).status, status);
    Case {
        business,
        remittance,
        retired,
        second_clerk,
    }
}

impl Case {
    fn actor(&self, name: &str) -> Actor {
        let business = &self.business;
        match name {
            "manager" => business.manager,
            "agency" => Actor::Party(business.agency),
            "clerk" => Actor::Party(business.clerk),
            "agent who sold" => Actor::Party(business.agent),
            "other agent" => Actor::Party(business.free_agent),
            "other agency" => Actor::Party(business.other_agency),
            "dealer" => Actor::Party(business.dealer),
            "courier" => Actor::Party(business.courier),
            "other dealer" => Actor::Party(business.other_dealer),
            "other courier" => Actor::Party(business.other_courier),
            "agency's other clerk" => Actor::Party(self.second_clerk),
            _ => Actor::Party(self.retired),
        }
    }

    fn command(&self, name: &str) -> RemittanceCommand {
        let business = &self.business;
        let reason = "motivo".to_owned();
        match name {
            "edit details" => RemittanceCommand::EditDetails(EditDetails {
                address: Some("Calle 2".into()),
                ..EditDetails::new(business.berta)
            }),
            "edit amount" => RemittanceCommand::EditAmount(EditAmount::new(Amount::from_minor(40_00), business.cup)),
            "assign" => RemittanceCommand::Assign(AssignDealer {
                dealer: business.dealer,
                delivery_man: None,
            }),
            "error" => RemittanceCommand::MarkError { reason },
            "cancel" => RemittanceCommand::Cancel { reason },
            _ => RemittanceCommand::Complete(delivered()),
        }
    }
}

#[test]
fn every_command_in_every_state_by_every_role_agrees_with_the_table() {
    let mut pairs = 0;
    for status in Status::ALL {
        for command in COMMANDS {
            for actor in ACTORS {
                let mut case = case(*status);
                let before = case.business.world.tenant_state.clone();
                let (who, what) = (case.actor(actor), case.command(command));
                let outcome = case
                    .business
                    .act(who, case.remittance, what)
                    .map(|_| ())
                    .map_err(|refusal| refusal.kind);
                assert_eq!(
                    outcome,
                    expected(actor, command, *status),
                    "{actor}: {command} while {status:?}"
                );
                let after = case.business.world.remittance(case.remittance).status;
                let stays = if outcome.is_ok() {
                    leads_to(command, *status)
                } else {
                    *status
                };
                assert_eq!(after, stays, "{actor}: {command} while {status:?}");
                if outcome.is_err() {
                    assert_eq!(
                        case.business.world.tenant_state, before,
                        "a refused command changes nothing"
                    );
                }
                pairs += 1;
            }
        }
    }
    assert_eq!(pairs, 5 * 6 * 12);
}

#[test]
fn a_dealer_assigns_only_within_its_own_delivery_men() {
    let mut case = case(Status::Shipping);
    let (dealer, other) = (case.business.dealer, case.business.other_dealer);
    let (courier, foreign) = (case.business.courier, case.business.other_courier);
    let mut assign = |dealer_id, delivery_man| {
        let command = RemittanceCommand::Assign(AssignDealer {
            dealer: dealer_id,
            delivery_man,
        });
        case.business
            .act(Actor::Party(dealer), case.remittance, command)
            .map_err(|refusal| refusal.kind)
    };
    assert_eq!(assign(other, None).unwrap_err(), RefusalKind::Forbidden);
    assert_eq!(assign(dealer, Some(foreign)).unwrap_err(), RefusalKind::Invalid);
    assert!(assign(dealer, Some(courier)).is_ok());
}

#[test]
fn a_second_cancel_or_complete_is_a_conflict_and_posts_nothing() {
    for (status, command) in [(Status::Canceled, "cancel"), (Status::Completed, "complete")] {
        let mut case = case(status);
        let before = case.business.world.tenant_state.clone();
        let (who, what) = (case.actor("manager"), case.command(command));
        let refusal = case.business.act(who, case.remittance, what).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::Conflict);
        assert_eq!(case.business.world.tenant_state, before);
    }
}
