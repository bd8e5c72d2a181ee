//! Second factor of a party's login: put into force, ended, and use of a recovery code. Codes are checked before these
//! commands; the state has the id of the factor in force alone.

use super::{Party, PartyEvent, permission::oversees};
use crate::{
    decision::{Actor, Context, Decision},
    ids::SecondFactorId,
    party::Role,
    refusal::{Refusal, require},
};

pub(super) fn enrol(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    require(ctx.caller()?.id == own.id, || Refusal::forbidden("role_not_allowed"))?;
    require(ctx.books.second_factor(own.id).is_none(), || {
        Refusal::conflict("second_factor_enrolled")
    })?;
    let enrolled = PartyEvent::SecondFactorEnrolled { id: own.id, factor };
    Ok(Decision::of(enrolled, own.id))
}

pub(super) fn remove(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    if ctx.actor != Actor::System {
        let caller = ctx.caller()?;
        require(oversees(caller.into(), own.into()), || {
            Refusal::not_found("party_not_found")
        })?;
        require(caller.id == own.id || caller.role == Role::Manager, || {
            Refusal::forbidden("role_not_allowed")
        })?;
    }
    // Another factor is another enrolment, which the caller has not seen.
    in_force(own, factor, ctx)?;
    let removed = PartyEvent::SecondFactorRemoved { id: own.id, factor };
    Ok(Decision::of(removed, own.id))
}

pub(super) fn use_code(
    own: &Party,
    factor: SecondFactorId,
    left: u8,
    ctx: &Context<'_>,
) -> Result<Decision<PartyEvent>, Refusal> {
    require(ctx.caller()?.id == own.id, || Refusal::forbidden("role_not_allowed"))?;
    in_force(own, factor, ctx)?;
    let used = PartyEvent::RecoveryCodeUsed {
        id: own.id,
        factor,
        left,
    };
    Ok(Decision::of(used, own.id))
}

fn in_force(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<(), Refusal> {
    require(ctx.books.second_factor(own.id) == Some(factor), || {
        Refusal::conflict("second_factor_missing")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command, Event,
        RefusalKind::{Conflict, Forbidden, NotFound},
        ids::PartyId,
        party::PartyCommand,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn act(business: &Business, caller: impl Caller, party: PartyId, command: PartyCommand) -> Tried<Party> {
        let act = business.world.by(caller, command);
        business.world.given::<Party>(party).when(act)
    }

    fn enrolled(business: &mut Business, party: PartyId) -> SecondFactorId {
        let factor = SecondFactorId::generate();
        let command = Command::Party(party, PartyCommand::EnrolSecondFactor(factor));
        business.world.run(Actor::Party(party), command).unwrap();
        factor
    }

    #[test]
    fn a_party_enrols_itself_once_and_nobody_enrols_another() {
        let mut business = Business::new();
        let (agent, factor) = (business.agent, SecondFactorId::generate());
        let enrol = PartyCommand::EnrolSecondFactor(factor);
        act(&business, business.manager, agent, enrol.clone()).then_refused(Forbidden, "role_not_allowed");
        let event = PartyEvent::SecondFactorEnrolled { id: agent, factor };
        act(&business, agent, agent, enrol.clone()).then_expect_events(vec![event]);
        enrolled(&mut business, agent);
        act(&business, agent, agent, enrol).then_refused(Conflict, "second_factor_enrolled");
    }

    #[test]
    fn its_owner_a_manager_and_the_operator_end_a_factor_and_others_do_not() {
        let mut business = Business::new();
        let agent = business.agent;
        let factor = enrolled(&mut business, agent);
        let remove = || PartyCommand::RemoveSecondFactor(factor);
        act(&business, business.agency, agent, remove()).then_refused(Forbidden, "role_not_allowed");
        act(&business, business.dealer, agent, remove()).then_refused(NotFound, "party_not_found");
        let event = PartyEvent::SecondFactorRemoved { id: agent, factor };
        for caller in [Actor::System, Actor::Party(agent), business.manager] {
            act(&business, caller, agent, remove()).then_expect_events(vec![event.clone()]);
        }
        let another = PartyCommand::RemoveSecondFactor(SecondFactorId::generate());
        act(&business, agent, agent, another).then_refused(Conflict, "second_factor_missing");
        let removed = Command::Party(agent, remove());
        business.world.run(Actor::Party(agent), removed).unwrap();
        assert_eq!(business.world.books.second_factor(agent), None);
        act(&business, agent, agent, remove()).then_refused(Conflict, "second_factor_missing");
    }

    #[test]
    fn a_used_recovery_code_is_recorded_for_the_factor_in_force_only() {
        let mut business = Business::new();
        let agent = business.agent;
        let factor = enrolled(&mut business, agent);
        let used = |factor| PartyCommand::UseRecoveryCode { factor, left: 9 };
        let event = PartyEvent::RecoveryCodeUsed {
            id: agent,
            factor,
            left: 9,
        };
        act(&business, agent, agent, used(factor)).then_expect_events(vec![event]);
        act(&business, agent, agent, used(SecondFactorId::generate())).then_refused(Conflict, "second_factor_missing");
        act(&business, business.manager, agent, used(factor)).then_refused(Forbidden, "role_not_allowed");
    }

    #[test]
    fn the_factor_of_a_forgotten_person_is_none() {
        let mut business = Business::new();
        let agent = business.agent;
        enrolled(&mut business, agent);
        let forgotten = Event::Party(PartyEvent::PersonForgotten {
            id: agent,
            retention_days: 0,
        });
        business.world.books.apply(&forgotten, chrono::DateTime::UNIX_EPOCH);
        assert_eq!(business.world.books.second_factor(agent), None);
    }
}
