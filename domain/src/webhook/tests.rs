use super::*;
use crate::{
    Command,
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    testing::{
        Business,
        given::{Caller, Then, Tried},
    },
};

const fn id() -> WebhookId {
    WebhookId(uuid::Uuid::from_u128(8))
}

fn details(url: &str) -> WebhookDetails {
    WebhookDetails {
        name: "Tienda".into(),
        url: url.into(),
    }
}

const URL: &str = "https://shop.example.org/hooks/caudal?from=caudal";

fn wanted(party: PartyId) -> AddWebhook {
    AddWebhook {
        party,
        details: details(URL),
        types: ["caudal.remittance.created.v1".to_owned()].into(),
        after: 7,
        salt: "first".into(),
    }
}

fn act(business: &Business, caller: impl Caller, command: WebhookCommand) -> Tried<Webhook> {
    let act = business.world.by(caller, (id(), command));
    business.world.given::<Webhook>(id()).when(act)
}

fn run(business: &mut Business, caller: Actor, id: WebhookId, command: WebhookCommand) {
    business.world.run(caller, Command::Webhook(id, command)).unwrap();
}

/// An agency with an endpoint.
fn with_endpoint() -> Business {
    let mut business = Business::new();
    let agency = business.agency;
    run(
        &mut business,
        Actor::Party(agency),
        id(),
        WebhookCommand::Add(wanted(agency)),
    );
    business
}

fn present(business: &Business) -> &Webhook {
    business.world.tenant_state.webhook(id()).unwrap()
}

fn rotation(salt: &str, hours: i64) -> WebhookCommand {
    WebhookCommand::Rotate {
        salt: salt.into(),
        overlap: Duration::hours(hours),
    }
}

#[test]
fn a_party_adds_an_endpoint_for_itself_and_a_manager_for_anybody() {
    let business = Business::new();
    let wanted = wanted(business.agency);
    let added = WebhookAdded {
        id: id(),
        party: business.agency,
        types: wanted.types.clone(),
        after: 7,
        salt: "first".into(),
        personal: Personal::clear(business.agency, wanted.details.clone()),
    };
    let expected = vec![WebhookEvent::WebhookAdded(added)];
    let add = || WebhookCommand::Add(wanted.clone());
    act(&business, business.agency, add()).then_expect_events(expected.clone());
    act(&business, business.manager, add()).then_expect_events(expected);
    for other in [business.agent, business.other_agency, business.dealer] {
        act(&business, other, add()).then_refused(NotFound, "party_not_found");
    }
    act(&business, Actor::System, add()).then_refused(Forbidden, "role_not_allowed");
}

#[test]
fn an_endpoint_has_a_name_a_url_and_known_types() {
    let business = Business::new();
    let base = || wanted(business.agency);
    let at = |url: &str| AddWebhook {
        details: details(url),
        ..base()
    };
    let of = |types: BTreeSet<String>| AddWebhook { types, ..base() };
    let nameless = AddWebhook {
        details: WebhookDetails {
            name: " ".into(),
            ..details(URL)
        },
        ..base()
    };
    let long = format!("https://example.org/{}", "a".repeat(MAX_URL_LENGTH));
    let numbers = (0..=MAX_TYPES).map(|number| format!("type.v{number}")).collect();
    for (wanted, refused) in [
        (nameless, "invalid name:required"),
        (at(""), "invalid url:required"),
        (at(&long), "invalid url:text_too_long"),
        (at("ftp://example.org/"), "invalid url:url_invalid"),
        (at("https://"), "invalid url:url_invalid"),
        (at("https://:443/"), "invalid url:url_invalid"),
        (at("https:///path"), "invalid url:url_invalid"),
        (at("https://user:secret@example.org/"), "invalid url:url_invalid"),
        (at("https://example.org/a b"), "invalid url:url_invalid"),
        (at("https://example.org\\@10.0.0.1/"), "invalid url:url_invalid"),
        (at("https://example.org/#part"), "invalid url:url_invalid"),
        (
            of(["Remittance Created".to_owned()].into()),
            "invalid types:event_type_unknown",
        ),
        (of(numbers), "invalid types:too_many"),
        (AddWebhook { after: -1, ..base() }, "invalid after:number_negative"),
    ] {
        act(&business, business.agency, WebhookCommand::Add(wanted)).then_refused(Invalid, refused);
    }
    for url in [
        "https://example.org",
        "http://[::1]:8080/a@b",
        "https://203.0.113.7:8443?x=1",
    ] {
        act(&business, business.agency, WebhookCommand::Add(at(url))).then_event();
    }
    act(&business, business.agency, WebhookCommand::Add(of(BTreeSet::new()))).then_event();
}

#[test]
fn a_party_has_at_most_ten_endpoints_and_a_removed_one_is_none() {
    let mut business = Business::new();
    let (manager, agency) = (business.manager, business.agency);
    let numbered = |number: u128| WebhookId(uuid::Uuid::from_u128(100 + number));
    for number in 0..10 {
        run(
            &mut business,
            manager,
            numbered(number),
            WebhookCommand::Add(wanted(agency)),
        );
    }
    let add = || WebhookCommand::Add(wanted(agency));
    act(&business, agency, add()).then_refused(Conflict, "too_many_webhooks");
    run(&mut business, manager, numbered(3), WebhookCommand::Remove);
    act(&business, agency, add()).then_event();
}

#[test]
fn a_change_without_effect_writes_no_event() {
    let business = with_endpoint();
    let change = |types: BTreeSet<String>, known| {
        WebhookCommand::Change(ChangeWebhook {
            details: details(URL),
            types,
            known,
        })
    };
    let (agency, types) = (business.agency, wanted(business.agency).types);
    act(&business, agency, change(types.clone(), Some(details(URL)))).then_expect_events(vec![]);
    act(&business, agency, change(BTreeSet::new(), Some(details(URL)))).then_event();
    let changed = WebhookChanged {
        id: id(),
        party: agency,
        types: types.clone(),
        personal: Personal::clear(agency, details(URL)),
    };
    let expected = vec![WebhookEvent::WebhookChanged(changed)];
    let other = Some(details("https://example.org/"));
    act(&business, business.manager, change(types, other)).then_expect_events(expected);
    act(&business, business.agent, change(BTreeSet::new(), None)).then_refused(NotFound, "webhook_not_found");
}

#[test]
fn after_a_rotation_both_secrets_sign_until_the_overlap_ends() {
    let mut business = with_endpoint();
    let agency = Actor::Party(business.agency);
    run(&mut business, agency, id(), rotation("second", 24));
    let (now, later) = (business.world.now, business.world.now + Duration::hours(24));
    assert_eq!(present(&business).salts(now), ["second", "first"]);
    assert_eq!(present(&business).salts(later), ["second"]);
    run(&mut business, agency, id(), rotation("third", 0));
    assert_eq!(present(&business).salts(business.world.now), ["third"]);
    for hours in [-1, 30 * 24 + 1] {
        act(&business, business.agency, rotation("fourth", hours))
            .then_refused(Invalid, "invalid overlapHours:number_out_of_range");
    }
}

#[test]
fn a_paused_endpoint_is_resumed_and_repetitions_write_no_event() {
    let mut business = with_endpoint();
    let agency = business.agency;
    act(&business, agency, WebhookCommand::Resume).then_expect_events(vec![]);
    run(&mut business, Actor::Party(agency), id(), WebhookCommand::Pause);
    assert_eq!(present(&business).paused, Some(PauseReason::Asked));
    act(&business, agency, WebhookCommand::Pause).then_expect_events(vec![]);
    run(&mut business, Actor::Party(agency), id(), WebhookCommand::Resume);
    assert_eq!(present(&business).paused, None);
}

#[test]
fn only_the_dispatcher_stops_an_endpoint_and_never_one_that_somebody_paused() {
    let mut business = with_endpoint();
    let agency = business.agency;
    let stop = || WebhookCommand::Stop(PauseReason::Gone);
    for caller in [business.manager, Actor::Party(agency)] {
        act(&business, caller, stop()).then_refused(Forbidden, "role_not_allowed");
    }
    let paused = WebhookEvent::WebhookPaused {
        id: id(),
        party: agency,
        reason: PauseReason::Gone,
    };
    act(&business, Actor::System, stop()).then_expect_events(vec![paused]);
    run(&mut business, Actor::Party(agency), id(), WebhookCommand::Pause);
    act(&business, Actor::System, stop()).then_expect_events(vec![]);
}

#[test]
fn a_removed_endpoint_is_not_found_and_its_id_is_taken() {
    let mut business = with_endpoint();
    let agency = business.agency;
    run(&mut business, Actor::Party(agency), id(), WebhookCommand::Remove);
    for command in [
        WebhookCommand::Remove,
        WebhookCommand::Resume,
        WebhookCommand::Replay { after: 0 },
        rotation("second", 1),
    ] {
        act(&business, agency, command).then_refused(NotFound, "webhook_not_found");
    }
    act(&business, agency, WebhookCommand::Add(wanted(agency))).then_refused(Conflict, "already_exists");
    act(&business, Actor::System, WebhookCommand::Stop(PauseReason::Failing)).then_expect_events(vec![]);
}

#[test]
fn events_are_sent_again_from_a_position() {
    let business = with_endpoint();
    let agency = business.agency;
    let replayed = WebhookEvent::WebhookReplayed {
        id: id(),
        party: agency,
        after: 0,
    };
    act(&business, agency, WebhookCommand::Replay { after: 0 }).then_expect_events(vec![replayed]);
    act(&business, agency, WebhookCommand::Replay { after: -1 }).then_refused(Invalid, "invalid after:number_negative");
}
