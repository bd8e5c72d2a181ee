//! Second factors of a party's login: an authenticator app and passkeys, put into force and ended, and use of a recovery code.
//! Codes and signatures are checked before these commands; the state has the ids of the factors in force alone.

use super::{Party, PartyEvent, permission::oversees};
use crate::{
    decision::{Actor, Context, Decision},
    ids::SecondFactorId,
    party::Role,
    refusal::{Refusal, require},
};

/// Passkeys of a party; enough for its telephones, computers and security keys.
const MAX_PASSKEYS: usize = 10;

pub(super) fn enrol(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    require(ctx.caller()?.id == own.id, || Refusal::forbidden("role_not_allowed"))?;
    require(ctx.state.second_factor(own.id).is_none(), || {
        Refusal::conflict("second_factor_enrolled")
    })?;
    let enrolled = PartyEvent::SecondFactorEnrolled { id: own.id, factor };
    Ok(Decision::of(enrolled, own.id))
}

pub(super) fn remove(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    of_owner_or_office(own, ctx)?;
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
    require(ctx.state.second_factors(own.id).contains(&factor), || {
        Refusal::conflict("second_factor_missing")
    })?;
    let used = PartyEvent::RecoveryCodeUsed {
        id: own.id,
        factor,
        left,
    };
    Ok(Decision::of(used, own.id))
}

pub(super) fn add_passkey(
    own: &Party,
    factor: SecondFactorId,
    ctx: &Context<'_>,
) -> Result<Decision<PartyEvent>, Refusal> {
    require(ctx.caller()?.id == own.id, || Refusal::forbidden("role_not_allowed"))?;
    let present = ctx.state.passkeys(own.id);
    require(!present.contains(&factor), || Refusal::conflict("passkey_registered"))?;
    require(present.len() < MAX_PASSKEYS, || {
        Refusal::conflict("passkeys_too_many").with("max", MAX_PASSKEYS.to_string())
    })?;
    let added = PartyEvent::PasskeyAdded { id: own.id, factor };
    Ok(Decision::of(added, own.id))
}

pub(super) fn remove_passkey(
    own: &Party,
    factor: SecondFactorId,
    ctx: &Context<'_>,
) -> Result<Decision<PartyEvent>, Refusal> {
    require(ctx.caller()?.id == own.id, || Refusal::forbidden("role_not_allowed"))?;
    is_passkey(own, factor, ctx)?;
    let removed = PartyEvent::PasskeyRemoved { id: own.id, factor };
    Ok(Decision::of(removed, own.id))
}

pub(super) fn refuse_passkey(
    own: &Party,
    factor: SecondFactorId,
    ctx: &Context<'_>,
) -> Result<Decision<PartyEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    is_passkey(own, factor, ctx)?;
    let refused = PartyEvent::PasskeyRefused { id: own.id, factor };
    Ok(Decision::of(refused, own.id))
}

/// Ends what there is, so that the password alone logs in.
pub(super) fn end_all(own: &Party, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    of_owner_or_office(own, ctx)?;
    let id = own.id;
    let app = ctx.state.second_factor(id);
    let app = app.map(|factor| PartyEvent::SecondFactorRemoved { id, factor });
    let passkeys = ctx.state.passkeys(id).iter().copied();
    let passkeys = passkeys.map(|factor| PartyEvent::PasskeyRemoved { id, factor });
    let events: Vec<PartyEvent> = app.into_iter().chain(passkeys).collect();
    require(!events.is_empty(), || Refusal::conflict("second_factor_missing"))?;
    Ok(Decision {
        events,
        ..Decision::nothing(id)
    })
}

fn of_owner_or_office(own: &Party, ctx: &Context<'_>) -> Result<(), Refusal> {
    if ctx.actor == Actor::System {
        return Ok(());
    }
    let caller = ctx.caller()?;
    require(oversees(caller.into(), own.into()), || {
        Refusal::not_found("party_not_found")
    })?;
    require(caller.id == own.id || caller.role == Role::Manager, || {
        Refusal::forbidden("role_not_allowed")
    })
}

fn is_passkey(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<(), Refusal> {
    require(ctx.state.passkeys(own.id).contains(&factor), || {
        Refusal::not_found("passkey_not_found")
    })
}

fn in_force(own: &Party, factor: SecondFactorId, ctx: &Context<'_>) -> Result<(), Refusal> {
    require(ctx.state.second_factor(own.id) == Some(factor), || {
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
        assert_eq!(business.world.tenant_state.second_factor(agent), None);
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

    fn with_passkey(business: &mut Business, party: PartyId) -> SecondFactorId {
        let factor = SecondFactorId::generate();
        let command = Command::Party(party, PartyCommand::AddPasskey(factor));
        business.world.run(Actor::Party(party), command).unwrap();
        factor
    }

    #[test]
    fn a_party_adds_ten_passkeys_and_nobody_adds_one_to_another() {
        let mut business = Business::new();
        let (agent, factor) = (business.agent, SecondFactorId::generate());
        let add = |factor| PartyCommand::AddPasskey(factor);
        act(&business, business.manager, agent, add(factor)).then_refused(Forbidden, "role_not_allowed");
        let event = PartyEvent::PasskeyAdded { id: agent, factor };
        act(&business, agent, agent, add(factor)).then_expect_events(vec![event]);
        let first = with_passkey(&mut business, agent);
        act(&business, agent, agent, add(first)).then_refused(Conflict, "passkey_registered");
        for _ in 1..MAX_PASSKEYS {
            with_passkey(&mut business, agent);
        }
        act(&business, agent, agent, add(factor)).then_refused(Conflict, "passkeys_too_many");
    }

    #[test]
    fn its_owner_alone_ends_a_passkey_and_a_manager_ends_all_factors() {
        let mut business = Business::new();
        let agent = business.agent;
        let passkeys = [with_passkey(&mut business, agent), with_passkey(&mut business, agent)];
        let remove = |factor| PartyCommand::RemovePasskey(factor);
        act(&business, business.manager, agent, remove(passkeys[0])).then_refused(Forbidden, "role_not_allowed");
        let removed = |factor| PartyEvent::PasskeyRemoved { id: agent, factor };
        act(&business, agent, agent, remove(passkeys[0])).then_expect_events(vec![removed(passkeys[0])]);
        let unknown = remove(SecondFactorId::generate());
        act(&business, agent, agent, unknown).then_refused(NotFound, "passkey_not_found");
        let app = enrolled(&mut business, agent);
        let end = || PartyCommand::EndSecondFactors;
        act(&business, business.dealer, agent, end()).then_refused(NotFound, "party_not_found");
        act(&business, business.agency, agent, end()).then_refused(Forbidden, "role_not_allowed");
        let all = vec![
            PartyEvent::SecondFactorRemoved { id: agent, factor: app },
            removed(passkeys[0]),
            removed(passkeys[1]),
        ];
        for caller in [Actor::System, business.manager] {
            act(&business, caller, agent, end()).then_expect_events(all.clone());
        }
        let command = Command::Party(agent, end());
        business.world.run(Actor::System, command).unwrap();
        assert_eq!(business.world.tenant_state.second_factors(agent), []);
        act(&business, Actor::System, agent, end()).then_refused(Conflict, "second_factor_missing");
    }

    #[test]
    fn a_counter_that_went_back_is_recorded_by_the_system_and_the_passkey_stays() {
        let mut business = Business::new();
        let agent = business.agent;
        let factor = with_passkey(&mut business, agent);
        let refuse = || PartyCommand::RefusePasskey(factor);
        act(&business, agent, agent, refuse()).then_refused(Forbidden, "role_not_allowed");
        let event = PartyEvent::PasskeyRefused { id: agent, factor };
        act(&business, Actor::System, agent, refuse()).then_expect_events(vec![event]);
        assert_eq!(business.world.tenant_state.passkeys(agent), [factor]);
    }

    #[test]
    fn a_required_factor_may_be_a_passkey() {
        let mut business = Business::new();
        let agent = business.agent;
        let party = business.world.tenant_state.party(agent).unwrap().clone();
        let rule = crate::SecondFactorRule {
            roles: [party.role].into(),
            code_from: None,
        };
        let required = Event::Tenant(crate::TenantEvent::SecondFactorRequired(rule));
        business
            .world
            .tenant_state
            .apply(&required, chrono::DateTime::UNIX_EPOCH);
        assert!(business.world.tenant_state.must_enrol_second_factor(&party));
        let factor = with_passkey(&mut business, agent);
        assert!(!business.world.tenant_state.must_enrol_second_factor(&party));
        let used = PartyCommand::UseRecoveryCode { factor, left: 9 };
        let event = PartyEvent::RecoveryCodeUsed {
            id: agent,
            factor,
            left: 9,
        };
        act(&business, agent, agent, used).then_expect_events(vec![event]);
    }

    #[test]
    fn the_factor_of_a_forgotten_person_is_none() {
        let mut business = Business::new();
        let agent = business.agent;
        enrolled(&mut business, agent);
        with_passkey(&mut business, agent);
        let forgotten = Event::Party(PartyEvent::PersonForgotten {
            id: agent,
            retention_days: 0,
        });
        business
            .world
            .tenant_state
            .apply(&forgotten, chrono::DateTime::UNIX_EPOCH);
        assert_eq!(business.world.tenant_state.second_factors(agent), []);
    }
}
