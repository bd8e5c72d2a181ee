//! Users and their permissions: more access, and what would let somebody act as the approver.

use super::{Office, access, by_template, rule};
use crate::{
    Actor, Command, SignOnProvider, TenantCommand,
    api_key::{ApiKeyCommand, ApiKeyDetails, IssueApiKey, KeySecret, RotateApiKey},
    approval::ApprovalKind,
    ids::{ApiKeyId, PartyId, PermissionSetId, SecondFactorId, SignOnId},
    office::{Area, OfficeAccess, PermissionSet, Permissions, SetName, Template},
    party::{ChangeParty, PartyCommand, PartyDetails, Registration},
};
use chrono::{DateTime, Utc};

#[test]
fn more_access_for_a_member_of_the_office_waits_and_less_does_not() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::User, None));
    let (manager, second) = (office.business.manager, office.second);
    let third = Registration::Office(by_template(Template::Auditor));
    let third = office.business.world.party(Actor::System, "tercera", third);
    let mut waits = |given: OfficeAccess| office.by(manager, access(third, given)).unwrap().proposal.is_some();
    let mut until = by_template(Template::Auditor);
    assert!(waits(by_template(Template::Accountant)));
    assert!(!waits(by_template(Template::Auditor)));
    until.expires_at = Some(DateTime::<Utc>::MAX_UTC);
    assert!(!waits(until));
    assert!(waits(by_template(Template::Auditor)));
    let id = office.propose(access(third, OfficeAccess::FULL));
    office.approve(second, id).unwrap();
    assert_eq!(
        office.business.world.tenant_state.office_access(third),
        OfficeAccess::FULL
    );
}

#[test]
fn more_permissions_for_a_set_that_somebody_has_wait() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::User, None));
    let (manager, second) = (office.business.manager, office.second);
    let third = office
        .business
        .world
        .party(Actor::System, "tercera", Registration::Manager);
    let set = |area: Area| {
        let set = PermissionSet {
            id: PermissionSetId(uuid::Uuid::from_u128(7)),
            name: "Caja".to_owned(),
            permissions: Permissions::writing(&[area]),
        };
        Command::Tenant(TenantCommand::DefinePermissionSet(set))
    };
    let free = office.by(manager, set(Area::Sales)).unwrap();
    assert_eq!(free.proposal, None);
    let own = OfficeAccess {
        permission_set: Some(SetName::Own(PermissionSetId(uuid::Uuid::from_u128(7)))),
        expires_at: None,
    };
    assert_eq!(office.by(manager, access(third, own)).unwrap().proposal, None);
    let id = office.propose(set(Area::Payments));
    let held = |office: &Office| office.business.world.tenant_state.permissions_of(&own);
    assert_eq!(held(&office), Permissions::writing(&[Area::Sales]));
    office.approve(second, id).unwrap();
    assert_eq!(held(&office), Permissions::writing(&[Area::Payments]));
}

#[test]
fn a_reactivation_with_a_password_does_not_wait() {
    let mut office = Office::new();
    office.set(rule(ApprovalKind::User, None));
    let (manager, agent) = (office.business.manager, office.business.agent);
    office
        .by(manager, Command::Party(agent, PartyCommand::Deactivate))
        .unwrap();
    let change = |sets_password| {
        PartyCommand::Change(ChangeParty {
            details: PartyDetails {
                name: "Agente".into(),
                email: "otra@example.test".into(),
                ..PartyDetails::default()
            },
            known: None,
            sets_password,
            is_active: Some(true),
            territory: None,
        })
    };
    let refusal = office.by(manager, Command::Party(agent, change(true))).unwrap_err();
    assert_eq!(refusal.errors[0].code, "password_needs_own_request");
    let id = office.propose(Command::Party(agent, change(false)));
    assert!(!office.business.world.tenant_state.party(agent).unwrap().is_active);
    office.approve(office.second, id).unwrap();
    assert!(office.business.world.tenant_state.party(agent).unwrap().is_active);
}

#[test]
fn nobody_acts_as_the_approver_by_a_key_of_his() {
    let mut office = Office::new();
    let (manager, second, agency) = (office.business.manager, office.second, office.business.agency);
    let auditor = office.business.world.party(manager, "auditora", Registration::Manager);
    let access = PartyCommand::SetOfficeAccess(by_template(Template::Auditor));
    office.by(manager, Command::Party(auditor, access)).unwrap();
    let expires_at = office.business.world.now + chrono::Duration::days(30);
    let secret = |digest: &str| KeySecret {
        start: format!("caudal_live_{digest}"),
        digest: digest.to_owned(),
    };
    let issue = |party: PartyId, digest: &str| IssueApiKey {
        party,
        details: ApiKeyDetails { name: "Libro".into() },
        scopes: ["remittances:write".parse().unwrap()].into(),
        expires_at,
        networks: Vec::new(),
        requests_per_minute: 600,
        secret: secret(digest),
    };
    let key = |id: ApiKeyId, command: ApiKeyCommand| Command::ApiKey(id, command);
    let of_second = ApiKeyId::generate();
    office
        .by(manager, key(of_second, ApiKeyCommand::Issue(issue(second, "a"))))
        .unwrap();
    office.set(rule(ApprovalKind::User, None));
    for (party, digest) in [(second, "b"), (agency, "c")] {
        let issued = office.by(
            manager,
            key(ApiKeyId::generate(), ApiKeyCommand::Issue(issue(party, digest))),
        );
        assert_eq!(issued.unwrap_err().code, "api_key_needs_its_owner");
    }
    let rotation = RotateApiKey {
        secret: secret("d"),
        overlap: chrono::Duration::zero(),
        expires_at: None,
    };
    let rotated = office.by(manager, key(of_second, ApiKeyCommand::Rotate(rotation.clone())));
    assert_eq!(rotated.unwrap_err().code, "api_key_needs_its_owner");
    office.by(manager, key(of_second, ApiKeyCommand::Revoke)).unwrap();
    // The owners issue theirs, and who writes nothing proposes nothing.
    for (actor, party, digest) in [
        (Actor::Party(second), second, "e"),
        (Actor::Party(agency), agency, "f"),
        (manager, auditor, "g"),
    ] {
        office
            .by(
                actor,
                key(ApiKeyId::generate(), ApiKeyCommand::Issue(issue(party, digest))),
            )
            .unwrap();
    }
}

#[test]
fn nobody_logs_in_as_the_approver_by_an_address_a_password_the_end_of_a_factor_or_a_provider() {
    let mut office = Office::new();
    let (manager, second) = (office.business.manager, office.second);
    let known = PartyDetails {
        name: "segunda".into(),
        email: "segunda@example.test".into(),
        ..PartyDetails::default()
    };
    let change = |email: &str, sets_password: bool| {
        PartyCommand::Change(ChangeParty {
            details: PartyDetails {
                email: email.into(),
                ..known.clone()
            },
            known: Some(Box::new(known.clone())),
            sets_password,
            is_active: None,
            territory: None,
        })
    };
    let factor = Command::Party(second, PartyCommand::EnrolSecondFactor(SecondFactorId::generate()));
    office.by(Actor::Party(second), factor).unwrap();
    office.set(rule(ApprovalKind::User, None));
    let id = office.propose(Command::Party(second, PartyCommand::EndSecondFactors));
    assert!(office.business.world.tenant_state.second_factor(second).is_some());
    office.approve(second, id).unwrap();
    assert_eq!(office.business.world.tenant_state.second_factor(second), None);
    office.propose(Command::Party(second, change("mia@example.test", false)));
    let password = Command::Party(second, change(&known.email, true));
    let refusal = office.by(manager, password).unwrap_err();
    assert_eq!(refusal.errors[0].code, "password_needs_its_owner");
    // Neither a name nor what concerns the own login waits.
    let mut renamed = change(&known.email, false);
    if let PartyCommand::Change(change) = &mut renamed {
        change.details.name = "Segunda".into();
    }
    assert_eq!(
        office.by(manager, Command::Party(second, renamed)).unwrap().proposal,
        None
    );
    let own = Command::Party(second, change("otra@example.test", true));
    assert_eq!(office.by(Actor::Party(second), own).unwrap().proposal, None);
    let provider = SignOnProvider {
        id: SignOnId::generate(),
        issuer: "https://login.example.test".into(),
        client_id: "caudal".into(),
        is_enabled: true,
        secret_id: None,
    };
    let provider = Command::Tenant(TenantCommand::SetSignOn(Some(provider)));
    let id = office.propose(provider);
    assert!(office.business.world.tenant_state.sign_on().is_none());
    office.approve(second, id).unwrap();
    assert!(office.business.world.tenant_state.sign_on().is_some());
}
