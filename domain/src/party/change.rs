//! Changing a party's details, and deactivating it.

use super::{
    ChangeParty, Party, PartyChanged, PartyEvent, Role, Territory,
    permission::{Action, Ties, judge},
    validate_territory,
};
use crate::{
    decision::{Context, Decision},
    personal::Personal,
    refusal::{Refusal, require},
};

pub(super) fn decide(own: &Party, change: &ChangeParty, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    let caller = ctx.caller()?;
    judge(caller.into(), own.into(), Action::Edit)?;
    let above = caller.role == Role::Manager || caller.commands(own);
    let is_active = change.is_active.unwrap_or(own.is_active);
    let territory = change.territory.clone().unwrap_or_else(|| own.territory.clone());
    require(
        above || (is_active == own.is_active && territory == own.territory),
        || Refusal::forbidden("set_from_above"),
    )?;
    if own.role == Role::DeliveryMan && caller.role != Role::Manager {
        let inherited = Territory {
            handle_mlc: territory.handle_mlc,
            ..own.territory.clone()
        };
        require(inherited == territory, || Refusal::forbidden("set_from_above"))?;
    }
    let mut details = change.details.clone();
    details.validate(change.known.as_deref())?;
    details.check_numbers(own.role, change.known.as_deref(), ctx.now.date_naive())?;
    if territory != own.territory {
        require(own.role.holds_cash(), || Refusal::invalid("zones", "not_for_this_role"))?;
        validate_territory(&territory)?;
    }
    if own.is_active && !is_active {
        Ties::of_use(own, ctx.state).permit_idle()?;
    }
    let same = change.known.as_deref() == Some(&details) && is_active == own.is_active && territory == own.territory;
    let unchanged = same && !change.sets_password;
    let changed = PartyChanged {
        id: own.id,
        is_active,
        territory,
        personal: Personal::clear(own.id, details),
    };
    Ok(Decision::of(PartyEvent::PartyChanged(changed), own.id).unless(unchanged))
}

pub(super) fn deactivate(own: &Party, ctx: &Context<'_>) -> Result<Decision<PartyEvent>, Refusal> {
    judge(ctx.caller()?.into(), own.into(), Action::Delete)?;
    Ties::of(own, ctx.state).permit_deletion()?;
    Ok(Decision::of(PartyEvent::PartyDeactivated { id: own.id }, own.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Account, AccountKind, Actor, Command,
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        ids::PartyId,
        money::CurrencyCode,
        party::{PartyCommand, PartyDetails, Registration},
        remittance::{AssignDealer, RemittanceCommand},
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn details() -> PartyDetails {
        PartyDetails {
            name: "Otra".into(),
            email: "otra@example.test".into(),
            ..PartyDetails::default()
        }
    }

    fn renamed() -> ChangeParty {
        ChangeParty {
            details: details(),
            is_active: None,
            territory: None,
            known: None,
            sets_password: false,
        }
    }

    fn change(business: &Business, caller: impl Caller, party: PartyId, change: ChangeParty) -> Tried<Party> {
        let act = business.world.by(caller, PartyCommand::Change(change));
        business.world.given::<Party>(party).when(act)
    }

    fn deactivate(business: &Business, caller: impl Caller, party: PartyId) -> Tried<Party> {
        business
            .world
            .given::<Party>(party)
            .when(business.world.by(caller, PartyCommand::Deactivate))
    }

    #[test]
    fn a_party_changes_its_own_details_and_those_of_its_people() {
        let business = Business::new();
        let (agency, agent, dealer, courier) = (business.agency, business.agent, business.dealer, business.courier);
        for (caller, party) in [
            (agent, agent),
            (agency, agent),
            (agency, business.clerk),
            (dealer, courier),
            (courier, courier),
        ] {
            change(&business, caller, party, renamed()).then_event();
            change(&business, business.manager, party, renamed()).then_event();
        }
        for (caller, party) in [
            (agent, agency),
            (business.clerk, agency),
            (business.other_agency, agent),
            (courier, dealer),
        ] {
            change(&business, caller, party, renamed()).then_refused(NotFound, "party_not_found");
        }
    }

    #[test]
    fn whether_one_is_active_and_where_one_distributes_is_set_from_above() {
        let business = Business::new();
        let dealer = business.world.tenant_state.party(business.dealer).unwrap();
        let off = || ChangeParty {
            is_active: Some(false),
            details: PartyDetails::default(),
            territory: None,
            known: None,
            sets_password: false,
        };
        change(&business, business.agent, business.agent, off()).then_refused(Forbidden, "set_from_above");
        let territory = Some(Territory {
            zones: vec![],
            ..dealer.territory.clone()
        });
        let narrowed = || ChangeParty {
            territory: territory.clone(),
            ..renamed()
        };
        change(&business, dealer.id, dealer.id, narrowed()).then_refused(Forbidden, "set_from_above");
        change(&business, business.manager, dealer.id, narrowed()).then_event();
    }

    #[test]
    fn a_delivery_man_keeps_the_zones_of_his_dealer_and_may_be_given_transfers() {
        let business = Business::new();
        let courier = business.world.tenant_state.party(business.courier).unwrap();
        let with = |territory| ChangeParty {
            territory: Some(territory),
            ..renamed()
        };
        let narrowed = Territory {
            zones: vec![],
            ..courier.territory.clone()
        };
        change(&business, business.dealer, courier.id, with(narrowed)).then_refused(Forbidden, "set_from_above");
        let transfers = Territory {
            handle_mlc: true,
            ..courier.territory.clone()
        };
        change(&business, business.dealer, courier.id, with(transfers)).then_event();
    }

    #[test]
    fn changes_take_effect() {
        let mut business = Business::new();
        let (manager, dealer) = (business.manager, business.dealer);
        let territory = Territory {
            handle_mlc: false,
            ..business.world.tenant_state.party(dealer).unwrap().territory.clone()
        };
        let change = ChangeParty {
            is_active: Some(false),
            territory: Some(territory.clone()),
            ..renamed()
        };
        business
            .world
            .run(manager, Command::Party(dealer, PartyCommand::Change(change)))
            .unwrap();
        let party = business.world.tenant_state.party(dealer).unwrap();
        assert_eq!((party.is_active, &party.territory), (false, &territory));
        let again = ChangeParty {
            is_active: Some(true),
            ..renamed()
        };
        business
            .world
            .run(manager, Command::Party(dealer, PartyCommand::Change(again)))
            .unwrap();
        let party = business.world.tenant_state.party(dealer).unwrap();
        assert_eq!((party.is_active, &party.territory), (true, &territory));
    }

    #[test]
    fn only_distributors_have_zones() {
        let business = Business::new();
        let territory = Some(Territory {
            handle_mlc: true,
            ..Territory::default()
        });
        change(
            &business,
            business.manager,
            business.agency,
            ChangeParty { territory, ..renamed() },
        )
        .then_refused(Invalid, "invalid zones:not_for_this_role");
    }

    #[test]
    fn a_changed_address_must_be_free_and_frees_the_old_one() {
        let mut business = Business::new();
        let (manager, agency, agent) = (business.manager, business.agency, business.agent);
        let mut call = |party, email: &str| {
            let details = PartyDetails {
                email: email.into(),
                ..details()
            };
            let change = PartyCommand::Change(ChangeParty { details, ..renamed() });
            business
                .world
                .run(manager, Command::Party(party, change))
                .map(|_| ())
                .map_err(|refusal| refusal.code)
        };
        assert_eq!(call(agent, "AGENCY@example.test"), Err("email_taken"));
        assert_eq!(call(agency, "office@example.test"), Ok(()));
        assert_eq!(call(agent, "agency@example.test"), Ok(()));
    }

    #[test]
    fn an_address_of_before_its_rules_stays_until_it_is_changed() {
        let business = Business::new();
        let with = |name: &str, email: &str| PartyDetails {
            name: name.into(),
            email: email.into(),
            ..details()
        };
        let edit = |to: PartyDetails| {
            let known = Some(Box::new(with("Otra", "<a@b.c>")));
            let changed = ChangeParty {
                details: to,
                known,
                ..renamed()
            };
            change(&business, business.manager, business.agent, changed)
        };
        edit(with("Rosa", "<a@b.c>")).then_event();
        edit(with("Rosa", "a@b.c")).then_event();
        edit(with("Rosa", "a,b@c.d")).then_refused(Invalid, "invalid email:email_invalid");
    }

    #[test]
    fn a_party_is_ended_from_above_and_once() {
        let mut business = Business::new();
        let (manager, agency, agent) = (business.manager, business.agency, business.agent);
        deactivate(&business, agent, agent).then_refused(Forbidden, "role_not_allowed");
        deactivate(&business, business.other_agency, agent).then_refused(NotFound, "party_not_found");
        deactivate(&business, agency, agent).then_expect_events(vec![PartyEvent::PartyDeactivated { id: agent }]);
        business
            .world
            .run(manager, Command::Party(agent, PartyCommand::Deactivate))
            .unwrap();
        deactivate(&business, agency, agent).then_refused(Conflict, "already_inactive");
        change(&business, agent, agent, renamed()).then_refused(Forbidden, "account_inactive");
    }

    #[test]
    fn the_last_manager_in_use_stays() {
        let mut business = Business::new();
        let Actor::Party(first) = business.manager else {
            panic!("a manager is a party")
        };
        let second = business.world.party(business.manager, "second", Registration::Manager);
        deactivate(&business, first, first).then_event();
        business
            .world
            .run(business.manager, Command::Party(second, PartyCommand::Deactivate))
            .unwrap();
        deactivate(&business, first, first).then_refused(Conflict, "last_manager");
        let off = ChangeParty {
            is_active: Some(false),
            ..renamed()
        };
        change(&business, first, first, off).then_refused(Conflict, "last_manager");
    }

    #[test]
    fn a_party_with_open_deliveries_is_not_deactivated() {
        let mut business = Business::funded();
        let (manager, dealer, courier) = (business.manager, business.dealer, business.courier);
        let sale = business.sale(business.cup, 10_00);
        let id = business.sell(business.agency, sale);
        let mut assign = |delivery_man| {
            let assign = AssignDealer { dealer, delivery_man };
            business.act(manager, id, RemittanceCommand::Assign(assign)).unwrap();
            [dealer, courier].map(|party| deactivate(&business, manager, party))
        };
        let busy = "party_has_open_remittances";
        let [the_dealer, the_courier] = assign(None);
        the_dealer.then_refused(Conflict, busy);
        the_courier.then_event();
        for tried in assign(Some(courier)) {
            tried.then_refused(Conflict, busy);
        }
        let reason = "no aparece".to_owned();
        business
            .act(manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        // No open remittance ties him, but the dealer's cash does.
        deactivate(&business, manager, dealer).then_refused(Conflict, "party_holds_cash");
        deactivate(&business, manager, courier).then_event();
    }

    #[test]
    fn a_party_with_cash_is_not_deleted() {
        let business = Business::funded();
        let (manager, dealer) = (business.manager, business.dealer);
        let cash = Account::of(AccountKind::FieldCash, dealer, CurrencyCode::CUP);
        let cash = business.world.tenant_state.balance(cash);
        assert!(!cash.is_zero(), "the dealer was given cash");
        deactivate(&business, manager, dealer).then_refused(Conflict, "party_holds_cash");
        let act = business.world.by(manager, PartyCommand::Deactivate);
        let refusal = business
            .world
            .given::<Party>(dealer)
            .when(act)
            .inspect_result()
            .unwrap_err();
        assert!(refusal.params["cash"].contains(&format!("{cash} CUP")), "{refusal:?}");
        // Deactivation as a pause is allowed; deletion is not.
        let off = ChangeParty {
            is_active: Some(false),
            ..renamed()
        };
        change(&business, manager, dealer, off).then_event();
        deactivate(&business, manager, business.courier).then_event();
    }

    #[test]
    fn an_inactive_party_can_be_deleted_once() {
        let mut business = Business::new();
        let (manager, agent) = (business.manager, business.agent);
        let off = ChangeParty {
            is_active: Some(false),
            ..renamed()
        };
        business
            .world
            .run(manager, Command::Party(agent, PartyCommand::Change(off)))
            .unwrap();
        deactivate(&business, manager, agent).then_expect_events(vec![PartyEvent::PartyDeactivated { id: agent }]);
        business
            .world
            .run(manager, Command::Party(agent, PartyCommand::Deactivate))
            .unwrap();
        deactivate(&business, manager, agent).then_refused(Conflict, "already_inactive");
    }

    #[test]
    fn a_telephone_of_before_its_rule_stays_until_it_is_touched() {
        let business = Business::new();
        let with = |phone: &str, card: &str| PartyDetails {
            phone: Some(phone.into()),
            identification_number: Some(card.into()),
            ..details()
        };
        let edit = |to: PartyDetails, known: Option<PartyDetails>| {
            let act = ChangeParty {
                details: to,
                known: known.map(Box::new),
                ..renamed()
            };
            change(&business, business.manager, business.dealer, act)
        };
        let told = |tried: Tried<Party>| match tried.then_event() {
            PartyEvent::PartyChanged(changed) => changed.personal.get().unwrap().clone(),
            event => panic!("{event:?}"),
        };
        let kept = PartyDetails {
            name: "Renamed".into(),
            ..with("abc", "123")
        };
        assert_eq!(told(edit(kept.clone(), Some(with("abc", "123")))), kept);
        edit(with("abc", "123"), None).then_refused(
            Invalid,
            "invalid identificationNumber:document_number_length phone:phone_not_a_number",
        );
        edit(with("abd", "123"), Some(with("abc", "123"))).then_refused(Invalid, "invalid phone:phone_not_a_number");
        // A dealer's telephone without a country code is Cuban.
        let read = told(edit(with("5234-5678", "800101 12345"), Some(with("abc", "123"))));
        assert_eq!(read, with("+5352345678", "80010112345"));
    }

    #[test]
    fn a_password_that_is_set_is_a_change_of_itself() {
        let business = Business::new();
        let set = ChangeParty {
            known: Some(Box::new(details())),
            sets_password: true,
            ..renamed()
        };
        change(&business, business.manager, business.dealer, set).then_event();
    }

    #[test]
    fn an_unchanged_party_writes_no_event() {
        let business = Business::new();
        let own = business.world.tenant_state.party(business.dealer).unwrap().clone();
        let known = Some(Box::new(details()));
        let same = ChangeParty {
            known: known.clone(),
            ..renamed()
        };
        let named = ChangeParty {
            is_active: Some(own.is_active),
            territory: Some(own.territory.clone()),
            ..same.clone()
        };
        for change_nothing in [same.clone(), named] {
            change(&business, business.manager, business.dealer, change_nothing).then_expect_events(vec![]);
        }
        let off = ChangeParty {
            is_active: Some(false),
            ..same
        };
        change(&business, business.manager, business.dealer, off).then_event();
        let others = ChangeParty {
            known: Some(Box::default()),
            ..renamed()
        };
        change(&business, business.manager, business.dealer, others).then_event();
        let invalid = ChangeParty {
            details: PartyDetails::default(),
            known: Some(Box::default()),
            ..renamed()
        };
        change(&business, business.manager, business.dealer, invalid).then_refused(Invalid, "invalid name:required");
    }
}
