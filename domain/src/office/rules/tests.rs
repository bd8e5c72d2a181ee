use super::*;
use crate::{
    Event,
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    ids::{CustomerId, SignOnId},
    office::{Area, Template},
    party::RegisterParty,
    tenant::SignOnProvider,
    testing::{
        Business,
        given::{Caller, Then, Tried},
    },
};
use chrono::Duration;

const AUDITOR: OfficeAccess = OfficeAccess {
    permission_set: Some(SetName::Template(Template::Auditor)),
    expires_at: None,
};

fn by(template: Template) -> OfficeAccess {
    OfficeAccess {
        permission_set: Some(SetName::Template(template)),
        expires_at: None,
    }
}

fn own(set: &PermissionSet) -> OfficeAccess {
    OfficeAccess {
        permission_set: Some(SetName::Own(set.id)),
        expires_at: None,
    }
}

fn set(name: &str, permissions: Permissions) -> PermissionSet {
    PermissionSet {
        id: PermissionSetId::generate(),
        name: name.into(),
        permissions,
    }
}

fn details(email: &str) -> PartyDetails {
    PartyDetails {
        name: "Olga".into(),
        email: email.into(),
        ..PartyDetails::default()
    }
}

fn registered(email: &str, registration: Registration) -> (PartyId, Command) {
    let id = PartyId::generate();
    let register = RegisterParty {
        id,
        registration,
        details: details(email),
        is_active: true,
    };
    (id, Command::Party(id, PartyCommand::Register(register)))
}

fn hired(business: &mut Business, email: &str, access: OfficeAccess) -> PartyId {
    let (id, register) = registered(email, Registration::Office(access));
    business.world.run(business.manager, register).unwrap();
    id
}

fn defined(business: &mut Business, name: &str, permissions: Permissions) -> PermissionSet {
    let set = set(name, permissions);
    let define = Command::Tenant(TenantCommand::DefinePermissionSet(set.clone()));
    business.world.run(business.manager, define).unwrap();
    set
}

fn refused(business: &mut Business, caller: PartyId, command: Command) -> String {
    match business.world.run(Actor::Party(caller), command) {
        Ok(_) => "permitted".into(),
        Err(refusal) => {
            let permission = refusal.params.get("permission");
            permission.map_or_else(|| refusal.code.to_owned(), |of| format!("{} {of}", refusal.code))
        }
    }
}

fn set_access_of(business: &Business, caller: impl Caller, party: PartyId, access: OfficeAccess) -> Tried<Party> {
    let act = business.world.by(caller, PartyCommand::SetOfficeAccess(access));
    business.world.given::<Party>(party).when(act)
}

fn change(email: &str, sets_password: bool, known: Option<PartyDetails>) -> PartyCommand {
    PartyCommand::Change(ChangeParty {
        details: details(email),
        known: known.map(Box::new),
        sets_password,
        is_active: None,
        territory: None,
    })
}

#[test]
fn a_member_of_the_office_is_registered_with_a_set_and_an_end() {
    let mut business = Business::new();
    let access = OfficeAccess {
        expires_at: Some(business.world.now + Duration::days(30)),
        ..AUDITOR
    };
    let auditor = hired(&mut business, "auditor@example.test", access);
    let state = &business.world.tenant_state;
    assert_eq!(state.office_access(auditor), access);
    assert_eq!(state.permissions_of(&access), Permissions::reading(Area::ALL));
    assert_eq!(state.party(auditor).map(|party| party.role), Some(Role::Manager));
    assert_eq!(state.office_access(business.agency), OfficeAccess::FULL);
}

#[test]
fn an_auditor_writes_nothing_but_the_own_login() {
    let mut business = Business::new();
    let auditor = hired(&mut business, "auditor@example.test", AUDITOR);
    let (agency, agent) = (business.agency, business.agent);
    let (_, manager) = registered("new@example.test", Registration::Manager);
    let customer = CustomerId::generate();
    for (command, permission) in [
        (Command::Party(agent, PartyCommand::Deactivate), "parties:write"),
        (
            Command::Party(agency, change("office@example.test", false, None)),
            "parties:write",
        ),
        (manager, "office:write"),
        (
            Command::Customer(customer, crate::customer::CustomerCommand::Delete),
            "customers:write",
        ),
        (
            Command::Tenant(TenantCommand::RequireSecondFactor(Default::default())),
            "settings:write",
        ),
        (
            Command::Tenant(TenantCommand::DefinePermissionSet(set("Caja", AUDITOR_PERMISSIONS))),
            "office:write",
        ),
        (
            Command::Party(auditor, PartyCommand::SetOfficeAccess(OfficeAccess::FULL)),
            "office:write",
        ),
        (Command::Party(auditor, PartyCommand::Deactivate), "office:write"),
    ] {
        assert_eq!(
            refused(&mut business, auditor, command),
            format!("permission_missing {permission}")
        );
    }
    let own = change("auditor@example.test", true, None);
    assert_eq!(
        refused(&mut business, auditor, Command::Party(auditor, own)),
        "permitted"
    );
}

const AUDITOR_PERMISSIONS: Permissions = Template::Auditor.permissions();

#[test]
fn a_narrowed_manager_is_refused_the_next_command() {
    let mut business = Business::new();
    let second = hired(&mut business, "second@example.test", OfficeAccess::FULL);
    let end = |business: &Business| {
        let party = business.agent;
        Command::Party(party, PartyCommand::Deactivate)
    };
    let narrow = Command::Party(second, PartyCommand::SetOfficeAccess(AUDITOR));
    business.world.run(business.manager, narrow).unwrap();
    let command = end(&business);
    assert_eq!(
        refused(&mut business, second, command),
        "permission_missing parties:write"
    );
    let widen = Command::Party(second, PartyCommand::SetOfficeAccess(OfficeAccess::FULL));
    business.world.run(business.manager, widen).unwrap();
    let command = end(&business);
    assert_eq!(refused(&mut business, second, command), "permitted");
}

#[test]
fn access_ends_at_its_second_and_a_command_before_it_is_permitted() {
    let mut business = Business::new();
    // The world decides one second after its time, and each command of it takes a second.
    let access = OfficeAccess {
        permission_set: None,
        expires_at: Some(business.world.now + Duration::seconds(4)),
    };
    let member = hired(&mut business, "member@example.test", access);
    for (number, outcome) in [(1, "permitted"), (2, "permitted"), (3, "access_expired")] {
        let command = change(&format!("member{number}@example.test"), false, None);
        assert_eq!(refused(&mut business, member, Command::Party(member, command)), outcome);
    }
}

#[test]
fn a_set_gives_no_more_than_its_maker_has() {
    let mut business = Business::new();
    let clerk = Permissions::writing(&[Area::Office, Area::Sales]).and_reading(&[Area::Payments]);
    let held = defined(&mut business, "Personal", clerk);
    let maker = hired(&mut business, "maker@example.test", own(&held));
    let define = |permissions| Command::Tenant(TenantCommand::DefinePermissionSet(set("Otro", permissions)));
    for (permissions, outcome) in [
        (Permissions::ALL, "beyond_own_permissions customers:read"),
        (
            Permissions::reading(&[Area::Audit]),
            "beyond_own_permissions audit:read",
        ),
        (
            Permissions::writing(&[Area::Payments]),
            "beyond_own_permissions payments:write",
        ),
        (Permissions::writing(&[Area::Sales]), "permitted"),
    ] {
        assert_eq!(refused(&mut business, maker, define(permissions)), outcome);
    }
    let wide = defined(&mut business, "Todo", Permissions::ALL);
    // Neither given, nor narrowed, nor removed by who has less.
    let narrowed = PermissionSet {
        permissions: Permissions::writing(&[Area::Sales]),
        ..wide.clone()
    };
    let outcome = "beyond_own_permissions customers:read";
    for command in [
        TenantCommand::DefinePermissionSet(narrowed),
        TenantCommand::RemovePermissionSet(wide.id),
    ] {
        assert_eq!(refused(&mut business, maker, Command::Tenant(command)), outcome);
    }
    for (registration, outcome) in [
        (Registration::Manager, "beyond_own_permissions customers:read"),
        (
            Registration::Office(own(&wide)),
            "beyond_own_permissions customers:read",
        ),
        (Registration::Office(AUDITOR), "beyond_own_permissions customers:read"),
        (Registration::Office(own(&held)), "permitted"),
    ] {
        let (_, register) = registered("colleague@example.test", registration);
        assert_eq!(refused(&mut business, maker, register), outcome);
    }
    let own_access = Command::Party(maker, PartyCommand::SetOfficeAccess(OfficeAccess::FULL));
    assert_eq!(
        refused(&mut business, maker, own_access),
        "beyond_own_permissions customers:read"
    );
}

#[test]
fn a_login_contains_another_by_its_permissions_however_long_its_access_lasts() {
    let mut business = Business::new();
    let integrations = defined(&mut business, "Redes", Permissions::writing(&[Area::Integrations]));
    let ends = OfficeAccess {
        expires_at: Some(business.world.now + Duration::days(1)),
        ..AUDITOR
    };
    let clerk = hired(&mut business, "integrator@example.test", own(&integrations));
    let auditor = hired(&mut business, "auditor@example.test", ends);
    let colleague = hired(&mut business, "colleague@example.test", AUDITOR);
    let Actor::Party(manager) = business.manager else {
        panic!("the manager is a party");
    };
    for (caller, login, expected) in [
        (clerk, clerk, Ok(())),
        (clerk, manager, Err("beyond_own_permissions")),
        (clerk, auditor, Err("beyond_own_permissions")),
        (auditor, colleague, Ok(())),
        (auditor, clerk, Err("beyond_own_permissions")),
        (manager, clerk, Ok(())),
    ] {
        let state = &business.world.tenant_state;
        let found = contain_login(caller, login, state).map_err(|refusal| refusal.code);
        assert_eq!(found, expected);
    }
}

#[test]
fn of_every_maker_and_every_gift_what_is_given_is_exactly_what_the_maker_has() {
    let each_right = |area: &Area| [Permissions::reading(&[*area]), Permissions::writing(&[*area])];
    let gifts: Vec<Permissions> = Area::ALL
        .iter()
        .flat_map(each_right)
        .chain(Template::ALL.iter().map(|template| template.permissions()))
        .chain([Permissions::ALL])
        .collect();
    for held in &gifts {
        let mut business = Business::new();
        // Who may give at all writes the office.
        let mut rights = held.rights();
        rights.insert(Area::Office, Right::Write);
        let rights_of_maker = rights.clone();
        let own_set = defined(&mut business, "Maker", rights.into());
        let maker = hired(&mut business, "maker@example.test", own(&own_set));
        for (number, gift) in gifts.iter().enumerate() {
            let has = |(area, right): (Area, Right)| {
                let of_maker = rights_of_maker.get(&area);
                of_maker == Some(&Right::Write) || (right == Right::Read && of_maker.is_some())
            };
            let expected = gift.rights().into_iter().all(has);
            let set = defined(&mut business, "Gift", *gift);
            let (_, register) = registered(&format!("{number}@example.test"), Registration::Office(own(&set)));
            let made = self::set("Made", *gift);
            let define = Command::Tenant(TenantCommand::DefinePermissionSet(made.clone()));
            for command in [register, define] {
                let outcome = refused(&mut business, maker, command);
                assert_eq!(outcome == "permitted", expected, "{held:?} gives {gift:?}: {outcome}");
                assert!(expected || outcome.starts_with("beyond_own_permissions"), "{outcome}");
            }
            for (id, is_there) in [(made.id, expected), (set.id, !expected)] {
                if is_there {
                    let remove = Command::Tenant(TenantCommand::RemovePermissionSet(id));
                    business.world.run(business.manager, remove).unwrap();
                }
            }
            if expected {
                // Somebody has it: its name is free for the next one.
                let renamed = PermissionSet {
                    name: format!("Given {number}"),
                    ..set
                };
                let rename = Command::Tenant(TenantCommand::DefinePermissionSet(renamed));
                business.world.run(business.manager, rename).unwrap();
            }
        }
    }
}

#[test]
fn whose_access_ends_gives_none_that_lasts_longer() {
    let mut business = Business::new();
    let held = defined(&mut business, "Personal", Permissions::writing(&[Area::Office]));
    let until = business.world.now + Duration::days(10);
    let access = |days: Option<i64>| OfficeAccess {
        expires_at: days.map(|days| until + Duration::days(days)),
        ..own(&held)
    };
    let maker = hired(&mut business, "maker@example.test", access(Some(0)));
    for (days, outcome) in [
        (None, "beyond_own_access"),
        (Some(1), "beyond_own_access"),
        (Some(0), "permitted"),
    ] {
        let (_, register) = registered("colleague@example.test", Registration::Office(access(days)));
        assert_eq!(refused(&mut business, maker, register), outcome);
        let own = Command::Party(maker, PartyCommand::SetOfficeAccess(access(days)));
        assert_eq!(refused(&mut business, maker, own), outcome);
    }
}

#[test]
fn whose_access_ends_changes_no_set_of_somebody_whose_access_lasts_longer() {
    let mut business = Business::new();
    let end = |business: &Business, days| Some(business.world.now + Duration::days(days));
    let wide = Permissions::writing(&[Area::Office, Area::Audit]);
    let narrow = Permissions::writing(&[Area::Office]);
    let makers = defined(&mut business, "Jefatura", wide);
    let access = OfficeAccess {
        expires_at: end(&business, 2),
        ..own(&makers)
    };
    let maker = hired(&mut business, "chief@example.test", access);
    let set = defined(&mut business, "Personal", narrow);
    let holder_until = |expires_at| OfficeAccess {
        expires_at,
        ..own(&set)
    };
    let define = |permissions, name: &str| {
        let set = PermissionSet {
            name: name.into(),
            permissions,
            ..set.clone()
        };
        Command::Tenant(TenantCommand::DefinePermissionSet(set))
    };
    assert_eq!(refused(&mut business, maker, define(wide, "Personal")), "permitted");
    let shorter = holder_until(end(&business, 1));
    hired(&mut business, "shorter@example.test", shorter);
    assert_eq!(refused(&mut business, maker, define(narrow, "Personal")), "permitted");
    for (email, until) in [
        ("longer@example.test", end(&business, 3)),
        ("endless@example.test", None),
    ] {
        let holder = hired(&mut business, email, holder_until(until));
        for command in [define(wide, "Personal"), define(narrow, "Otro")] {
            assert_eq!(refused(&mut business, maker, command), "beyond_own_access", "{email}");
        }
        business
            .world
            .run(
                business.manager,
                Command::Party(holder, PartyCommand::SetOfficeAccess(shorter)),
            )
            .unwrap();
        assert_eq!(refused(&mut business, maker, define(narrow, "Personal")), "permitted");
    }
    // Narrowing takes what its holder has: it is contained before, too.
    let endless = hired(&mut business, "last@example.test", holder_until(None));
    let manager = business.manager;
    business.world.run(manager, define(wide, "Personal")).unwrap();
    assert_eq!(
        refused(&mut business, maker, define(narrow, "Personal")),
        "beyond_own_access"
    );
    let deactivate = Command::Party(endless, PartyCommand::Deactivate);
    business.world.run(manager, deactivate).unwrap();
    assert_eq!(
        refused(&mut business, maker, define(narrow, "Personal")),
        "beyond_own_access",
        "who is deactivated may be let in again"
    );
}

#[test]
fn whose_access_ends_makes_no_login_that_outlives_it_and_takes_none_over() {
    const BEYOND: &str = "beyond_own_access";
    let mut business = Business::new();
    let ends = OfficeAccess {
        expires_at: Some(business.world.now + Duration::days(10)),
        ..by(Template::Operations)
    };
    let member = hired(&mut business, "member@example.test", ends);
    let agency = business.agency;
    let (_, register) = registered("shop@example.test", Registration::Agency { terms: vec![] });
    assert_eq!(refused(&mut business, member, register), BEYOND);
    let known = Some(details("agency@example.test"));
    for (command, outcome) in [
        (change("agency@example.test", true, known.clone()), BEYOND),
        (change("mine@example.test", false, known.clone()), BEYOND),
        // What gives him no way into it is the area's alone.
        (change("agency@example.test", false, known), "permitted"),
        (PartyCommand::Deactivate, "permitted"),
    ] {
        assert_eq!(refused(&mut business, member, Command::Party(agency, command)), outcome);
    }
}

#[test]
fn nobody_acts_by_a_login_that_can_do_more() {
    let mut business = Business::new();
    let office = defined(
        &mut business,
        "Personal",
        Permissions::writing(&[Area::Office, Area::Parties]),
    );
    let member = hired(&mut business, "member@example.test", own(&office));
    let (manager, agency, agent) = (business.manager, business.agency, business.agent);
    let manager = match manager {
        Actor::Party(id) => id,
        Actor::System => panic!("a party"),
    };
    for command in [
        change("manager@example.test", false, Some(details("manager@example.test"))),
        PartyCommand::Deactivate,
        PartyCommand::SetOfficeAccess(AUDITOR),
        PartyCommand::RemoveSecondFactor(crate::ids::SecondFactorId::generate()),
        PartyCommand::EndSecondFactors,
    ] {
        assert_eq!(
            refused(&mut business, member, Command::Party(manager, command)),
            "beyond_own_permissions sales:read"
        );
    }
    let known = Some(details("agency@example.test"));
    for (command, outcome) in [
        (
            change("agency@example.test", true, known.clone()),
            "beyond_own_permissions sales:read",
        ),
        (
            change("mine@example.test", false, known.clone()),
            "beyond_own_permissions sales:read",
        ),
        (change("agency@example.test", false, known), "permitted"),
    ] {
        assert_eq!(refused(&mut business, member, Command::Party(agency, command)), outcome);
    }
    assert_eq!(
        refused(&mut business, member, Command::Party(agent, PartyCommand::Deactivate)),
        "permitted"
    );
    let (_, register) = registered("shop@example.test", Registration::Agency { terms: vec![] });
    assert_eq!(
        refused(&mut business, member, register),
        "beyond_own_permissions sales:read"
    );
    let operations = hired(&mut business, "operations@example.test", by(Template::Operations));
    let (_, register) = registered("shop@example.test", Registration::Agency { terms: vec![] });
    assert_eq!(refused(&mut business, operations, register), "permitted");
}

#[test]
fn who_says_who_logs_in_and_who_takes_a_dossier_has_all_that_it_shows() {
    let mut business = Business::new();
    let settings = defined(&mut business, "Ajustes", Permissions::writing(&[Area::Settings]));
    let member = hired(&mut business, "member@example.test", own(&settings));
    // By a provider of his own he would log in as anybody.
    let provider = SignOnProvider {
        id: SignOnId::generate(),
        issuer: "https://login.example.test".into(),
        client_id: "caudal".into(),
        is_enabled: true,
        secret_id: None,
    };
    let set = |provider| Command::Tenant(TenantCommand::SetSignOn(provider));
    assert_eq!(
        refused(&mut business, member, set(Some(provider))),
        "beyond_own_permissions sales:read"
    );
    assert_eq!(refused(&mut business, member, set(None)), "permitted");
    let cashier = hired(&mut business, "cashier@example.test", by(Template::Cashier));
    let compliance = hired(&mut business, "compliance@example.test", by(Template::Compliance));
    let ana = business.ana;
    let export = || Command::Customer(ana, CustomerCommand::ExportDossier(vec![]));
    assert_eq!(
        refused(&mut business, cashier, export()),
        "permission_missing compliance:write"
    );
    assert_eq!(refused(&mut business, compliance, export()), "permitted");
}

#[test]
fn the_last_full_manager_is_not_narrowed_deactivated_or_given_an_end() {
    let mut business = Business::new();
    hired(&mut business, "auditor@example.test", AUDITOR);
    let last = match business.manager {
        Actor::Party(id) => id,
        Actor::System => panic!("a party"),
    };
    let ends = OfficeAccess {
        permission_set: None,
        expires_at: Some(business.world.now + Duration::days(1)),
    };
    for access in [AUDITOR, ends] {
        set_access_of(&business, last, last, access).then_refused(Conflict, "last_manager");
    }
    let act = business.world.by(last, PartyCommand::Deactivate);
    business
        .world
        .given::<Party>(last)
        .when(act)
        .then_refused(Conflict, "last_manager");
    set_access_of(&business, last, last, OfficeAccess::FULL).then_expect_events(vec![]);
    let second = hired(&mut business, "second@example.test", OfficeAccess::FULL);
    let event = PartyEvent::OfficeAccessSet {
        id: last,
        access: AUDITOR,
    };
    set_access_of(&business, second, last, AUDITOR).then_expect_events(vec![event]);
}

#[test]
fn only_managers_have_an_access_of_a_known_set_that_has_not_ended() {
    let business = Business::new();
    let manager = business.manager;
    set_access_of(&business, manager, business.agency, AUDITOR).then_refused(Conflict, "party_not_of_office");
    set_access_of(&business, business.agency, business.agent, AUDITOR).then_refused(Forbidden, "role_not_allowed");
    let mut business = Business::new();
    let manager = business.manager;
    let member = hired(&mut business, "member@example.test", AUDITOR);
    let unknown = own(&set("Caja", Permissions::ALL));
    set_access_of(&business, manager, member, unknown)
        .then_refused(Invalid, "invalid permissionSet:permission_set_unknown");
    let past = OfficeAccess {
        expires_at: Some(business.world.now),
        ..AUDITOR
    };
    set_access_of(&business, business.manager, member, past)
        .then_refused(Invalid, "invalid accessExpiresAt:moment_is_past");
    set_access_of(&business, business.manager, member, AUDITOR).then_expect_events(vec![]);
}

#[test]
fn a_set_has_a_name_of_its_own_and_is_not_removed_while_somebody_has_it() {
    let mut business = Business::new();
    let tenant = |business: &Business, command| {
        let act = business.world.by(business.manager, command);
        business.world.given::<crate::Tenant>(StreamId::TENANT.id).when(act)
    };
    let define = |set: PermissionSet| TenantCommand::DefinePermissionSet(set);
    let sales = Permissions::writing(&[Area::Sales]);
    tenant(&business, define(set(" ", sales))).then_refused(Invalid, "invalid name:required");
    tenant(&business, define(set("Caja", Permissions::NONE))).then_refused(Invalid, "invalid permissions:required");
    let held = defined(&mut business, "Caja", sales);
    tenant(&business, define(held.clone())).then_expect_events(vec![]);
    tenant(&business, define(set("caja ", sales)))
        .then_refused(Conflict, "permission_set_name_taken name:permission_set_name_taken");
    let member = hired(&mut business, "member@example.test", own(&held));
    let remove = TenantCommand::RemovePermissionSet(held.id);
    tenant(&business, remove.clone()).then_refused(Conflict, "permission_set_in_use");
    let full = Command::Party(member, PartyCommand::SetOfficeAccess(AUDITOR));
    business.world.run(business.manager, full).unwrap();
    tenant(&business, remove.clone()).then_expect_events(vec![TenantEvent::PermissionSetRemoved { id: held.id }]);
    business
        .world
        .run(business.manager, Command::Tenant(remove.clone()))
        .unwrap();
    tenant(&business, remove).then_refused(NotFound, "permission_set_not_found");
    let by_agency = business.world.by(business.agency, define(set("Otro", sales)));
    business
        .world
        .given::<crate::Tenant>(StreamId::TENANT.id)
        .when(by_agency)
        .then_refused(Forbidden, "role_not_allowed");
}

#[test]
fn a_changed_set_takes_effect_for_its_holders_and_a_missing_one_permits_nothing() {
    let mut business = Business::new();
    let held = defined(&mut business, "Caja", Permissions::writing(&[Area::Parties]));
    let member = hired(&mut business, "member@example.test", own(&held));
    let narrowed = PermissionSet {
        permissions: Permissions::reading(&[Area::Parties]),
        ..held.clone()
    };
    let define = Command::Tenant(TenantCommand::DefinePermissionSet(narrowed));
    business.world.run(business.manager, define).unwrap();
    let end = Command::Party(business.agent, PartyCommand::Deactivate);
    assert_eq!(refused(&mut business, member, end), "permission_missing parties:write");
    let removed = Event::Tenant(TenantEvent::PermissionSetRemoved { id: held.id });
    business.world.tenant_state.apply(&removed, DateTime::UNIX_EPOCH);
    assert_eq!(
        business.world.tenant_state.permissions_of(&own(&held)),
        Permissions::NONE
    );
}
