use super::*;
use crate::{
    Actor, Command,
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    testing::{
        Business,
        given::{Caller, Then, Tried},
    },
};

const fn id() -> ApiKeyId {
    ApiKeyId(uuid::Uuid::from_u128(7))
}

fn secret(digest: &str) -> KeySecret {
    KeySecret {
        start: format!("caudal_live_{digest}"),
        digest: digest.to_owned(),
    }
}

fn wanted(business: &Business, party: PartyId) -> IssueApiKey {
    IssueApiKey {
        party,
        details: ApiKeyDetails { name: "Tienda".into() },
        scopes: ["remittances:write".parse().unwrap()].into(),
        expires_at: business.world.now + Duration::days(90),
        networks: vec!["203.0.113.0/24".parse().unwrap()],
        requests_per_minute: 600,
        secret: secret("first"),
    }
}

fn act(business: &Business, caller: impl Caller, command: ApiKeyCommand) -> Tried<ApiKey> {
    let act = business.world.by(caller, (id(), command));
    business.world.given::<ApiKey>(id()).when(act)
}

fn issue(business: &Business, caller: impl Caller, wanted: IssueApiKey) -> Tried<ApiKey> {
    act(business, caller, ApiKeyCommand::Issue(wanted))
}

fn run(business: &mut Business, caller: Actor, id: ApiKeyId, command: ApiKeyCommand) {
    business.world.run(caller, Command::ApiKey(id, command)).unwrap();
}

/// An agency with a key.
fn with_key() -> Business {
    let mut business = Business::new();
    let wanted = wanted(&business, business.agency);
    let agency = Actor::Party(business.agency);
    run(&mut business, agency, id(), ApiKeyCommand::Issue(wanted));
    business
}

fn rotation(hours: i64) -> ApiKeyCommand {
    ApiKeyCommand::Rotate(RotateApiKey {
        secret: secret("second"),
        overlap: Duration::hours(hours),
        expires_at: None,
    })
}

fn admitted(key: &ApiKey, digest: &str, now: DateTime<Utc>) -> Result<(), KeyFault> {
    key.admit(digest, "203.0.113.7".parse().unwrap(), now)
}

#[test]
fn a_party_issues_a_key_for_itself_and_a_manager_for_anybody() {
    let business = Business::new();
    let wanted = wanted(&business, business.agency);
    let issued = ApiKeyIssued {
        id: id(),
        party: business.agency,
        scopes: wanted.scopes.clone(),
        expires_at: wanted.expires_at,
        networks: wanted.networks.clone(),
        requests_per_minute: 600,
        secret: secret("first"),
        personal: Personal::clear(business.agency, wanted.details.clone()),
    };
    let expected = vec![ApiKeyEvent::ApiKeyIssued(issued)];
    issue(&business, business.agency, wanted.clone()).then_expect_events(expected.clone());
    issue(&business, business.manager, wanted.clone()).then_expect_events(expected);
    for other in [business.agent, business.other_agency, business.dealer] {
        issue(&business, other, wanted.clone()).then_refused(NotFound, "party_not_found");
    }
    issue(&business, Actor::System, wanted).then_refused(Forbidden, "role_not_allowed");
}

#[test]
fn a_key_has_a_name_scopes_an_expiry_and_a_limit() {
    let business = Business::new();
    let base = || wanted(&business, business.agency);
    let now = business.world.now + Duration::seconds(1);
    let named = |name: &str| IssueApiKey {
        details: ApiKeyDetails { name: name.into() },
        ..base()
    };
    let until = |expires_at| IssueApiKey { expires_at, ..base() };
    let limited = |requests_per_minute| IssueApiKey {
        requests_per_minute,
        ..base()
    };
    let scopeless = IssueApiKey {
        scopes: BTreeSet::new(),
        ..base()
    };
    let crowded = IssueApiKey {
        networks: (0..=20)
            .map(|part| format!("203.0.113.{part}").parse().unwrap())
            .collect(),
        ..base()
    };
    for (wanted, refused) in [
        (named(" "), "invalid name:required"),
        (named("a\u{202E}b"), "invalid name:text_has_invisible_characters"),
        (scopeless, "invalid scopes:required"),
        (crowded, "invalid networks:too_many"),
        (until(now), "invalid expiresAt:moment_is_past"),
        (
            until(now + MAX_LIFETIME + Duration::seconds(1)),
            "invalid expiresAt:moment_too_far",
        ),
        (limited(0), "invalid requestsPerMinute:number_out_of_range"),
        (
            limited(MAX_REQUESTS_PER_MINUTE + 1),
            "invalid requestsPerMinute:number_out_of_range",
        ),
    ] {
        issue(&business, business.agency, wanted).then_refused(Invalid, refused);
    }
    issue(&business, business.agency, until(now + MAX_LIFETIME)).then_event();
}

#[test]
fn a_party_has_at_most_twenty_live_keys() {
    let mut business = Business::new();
    let (manager, base) = (business.manager, wanted(&business, business.agency));
    for number in 0..20 {
        let id = ApiKeyId(uuid::Uuid::from_u128(100 + number));
        let wanted = IssueApiKey {
            secret: secret(&number.to_string()),
            ..base.clone()
        };
        run(&mut business, manager, id, ApiKeyCommand::Issue(wanted));
    }
    issue(&business, manager, base.clone()).then_refused(Conflict, "too_many_api_keys");
    let first = ApiKeyId(uuid::Uuid::from_u128(100));
    run(&mut business, manager, first, ApiKeyCommand::Revoke);
    issue(&business, manager, base).then_event();
}

#[test]
fn after_a_rotation_both_secrets_are_accepted_until_the_overlap_ends() {
    let mut business = with_key();
    let agency = Actor::Party(business.agency);
    run(&mut business, agency, id(), rotation(24));
    let key = business.world.tenant_state.api_key_by_digest("first").unwrap().clone();
    let (now, later) = (business.world.now, business.world.now + Duration::hours(24));
    assert_eq!(key.previous.as_ref().unwrap().1, later);
    for (digest, at, admits) in [
        ("first", now, Ok(())),
        ("second", now, Ok(())),
        ("first", later, Err(KeyFault::Rotated)),
        ("second", later, Ok(())),
    ] {
        assert_eq!(admitted(&key, digest, at), admits, "{digest} at {at}");
    }
    // Only one secret before the present one is kept.
    let third = ApiKeyCommand::Rotate(RotateApiKey {
        secret: secret("third"),
        overlap: Duration::zero(),
        expires_at: Some(now + Duration::days(100)),
    });
    run(&mut business, agency, id(), third);
    let state = &business.world.tenant_state;
    let key = state.api_key_by_digest("third").unwrap();
    assert_eq!(key.expires_at, now + Duration::days(100));
    let now = business.world.now;
    for digest in ["first", "second"] {
        assert_eq!(admitted(key, digest, now), Err(KeyFault::Rotated), "{digest}");
    }
}

#[test]
fn a_revoked_key_is_refused_and_cannot_be_rotated_or_revoked_again() {
    let mut business = with_key();
    let (manager, agency) = (business.manager, business.agency);
    act(&business, business.agent, ApiKeyCommand::Revoke).then_refused(NotFound, "api_key_not_found");
    let revoked = ApiKeyEvent::ApiKeyRevoked {
        id: id(),
        party: agency,
    };
    act(&business, agency, ApiKeyCommand::Revoke).then_expect_events(vec![revoked]);
    run(&mut business, manager, id(), ApiKeyCommand::Revoke);
    let key = business.world.tenant_state.api_key_by_digest("first").unwrap();
    assert_eq!(admitted(key, "first", business.world.now), Err(KeyFault::Revoked));
    for command in [ApiKeyCommand::Revoke, rotation(1)] {
        act(&business, agency, command).then_refused(Conflict, "api_key_is_revoked");
    }
}

#[test]
fn a_key_is_refused_after_its_expiry_and_from_other_networks() {
    let mut business = with_key();
    let key = business.world.tenant_state.api_key_by_digest("first").unwrap().clone();
    let now = business.world.now;
    assert_eq!(admitted(&key, "first", key.expires_at), Err(KeyFault::Expired));
    let elsewhere = "198.51.100.7".parse().unwrap();
    assert_eq!(key.admit("first", elsewhere, now), Err(KeyFault::Network));
    let everywhere = ApiKey {
        networks: Vec::new(),
        ..key.clone()
    };
    assert_eq!(everywhere.admit("first", elsewhere, now), Ok(()));
    business.world.now = key.expires_at;
    act(&business, business.agency, rotation(1)).then_refused(Conflict, "api_key_is_expired");
    act(&business, business.agency, ApiKeyCommand::Revoke).then_event();
}

#[test]
fn an_overlap_has_an_upper_bound() {
    let business = with_key();
    for hours in [-1, 30 * 24 + 1] {
        act(&business, business.agency, rotation(hours))
            .then_refused(Invalid, "invalid overlapHours:number_out_of_range");
    }
    act(&business, business.agency, rotation(30 * 24)).then_event();
}

#[test]
fn scopes_are_a_group_and_an_access() {
    for text in ["remittances:read", "delivery_men:write", "auth0:read"] {
        assert_eq!(text.parse::<KeyScope>().unwrap().as_str(), text);
    }
    for text in [
        "",
        "remittances",
        ":read",
        "remittances:",
        "remittances:delete",
        "re mit:read",
        "a:b:read",
    ] {
        assert_eq!(text.parse::<KeyScope>(), Err(InvalidScope), "{text}");
    }
}
