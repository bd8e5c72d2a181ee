//! Decisions about matches, and releases, that wait for the approval of a second person where a rule covers them.

use super::{LIST, case, choose, forget_answers, is_held, read, recipient, sell_to};
use crate::support::{Business, Call, Server, text};
use serde_json::{Value, json};

fn second_manager(business: &Business) -> String {
    let second = json!({"name": "Second", "email": "second@example.test", "password": crate::support::PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    business.client.login("second@example.test", crate::support::PASSWORD)
}

fn rule_of_releases(business: &Business, from: Option<&str>) {
    let rule = json!({"kind": "hold_release", "makers": ["manager"], "fromAmount": from, "approvers": "manager",
        "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
}

#[test]
fn a_customer_is_cleared_by_two_persons_where_a_rule_covers_releases_and_by_neither_alone() {
    let server = Server::start(&["pair"]);
    let business = Business::new(&server, "pair");
    business.fund("900000");
    let second = second_manager(&business);
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let (first, next) = (sell_to(&business, &evaristo), sell_to(&business, &evaristo));
    // The remittances are below it: a cleared customer is sold to without a bound.
    rule_of_releases(&business, Some("500"));
    let path = format!("/screening/cases/{evaristo}/decisions");
    let decision =
        json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "Otra fecha de nacimiento"});
    let as_second = |status, method: &str, path: &str, body: Value| {
        business.client.expect(status, &second, method, path, Some(body))
    };
    let propose = || {
        let waits = business.as_manager(202, "POST", &path, decision.clone());
        assert_eq!(
            (&waits["kind"], &waits["amount"]),
            (&json!("hold_release"), &Value::Null)
        );
        assert_eq!(waits["concerns"]["id"], json!(evaristo));
        text(&waits["id"])
    };
    let id = propose();
    let open = |what: &str| {
        let found = case(&business, &evaristo);
        assert_eq!(
            (&found["status"], &found["openCandidates"]),
            (&json!("open"), &json!(1)),
            "{what}"
        );
        assert!(is_held(&business, &first), "{what}");
        assert!(is_held(&business, &sell_to(&business, &evaristo)), "{what}");
    };
    open("proposed");
    let own = business.as_manager(403, "POST", &format!("/proposals/{id}/approve"), json!({}));
    assert_eq!(own["code"], "own_proposal");
    let seen = business
        .client
        .expect(200, &second, "GET", &format!("/proposals/{id}"), None);
    assert_eq!(
        seen["command"]["pair"]["listed"]["born"],
        json!(["1984-02-13"]),
        "{seen}"
    );
    as_second(200, "POST", &format!("/proposals/{id}/reject"), json!({"reason": "No"}));
    open("rejected");

    let id = propose();
    // Found meanwhile: the approval decides its pair, and the customer stays in review for the other one.
    server.load_list("sample", &format!("{LIST}7003;Evaristo ZALDÍVAR QUESADA;;;;\n"));
    server.screen_everybody();
    as_second(200, "POST", &format!("/proposals/{id}/approve"), json!({}));
    let found = case(&business, &evaristo);
    assert_eq!(
        (&found["status"], &found["openCandidates"]),
        (&json!("open"), &json!(1)),
        "{found}"
    );
    assert!(is_held(&business, &first));
    let other = json!({"list": "sample", "entry": "7003", "outcome": "different", "reason": "Otra persona"});
    let id = text(&business.as_manager(202, "POST", &path, other)["id"]);
    as_second(200, "POST", &format!("/proposals/{id}/approve"), json!({}));
    assert_eq!(case(&business, &evaristo)["status"], "cleared");
    for remittance in [&first, &next] {
        assert!(!is_held(&business, remittance), "released with the approval");
    }
    assert!(!is_held(&business, &sell_to(&business, &evaristo)));
}

#[test]
fn the_approval_of_a_decision_about_a_match_holds_for_the_releases_that_follow_from_it() {
    let server = Server::start(&["entails"]);
    let business = Business::new(&server, "entails");
    business.fund("900000");
    let second = second_manager(&business);
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let held = [(); 2].map(|()| sell_to(&business, &evaristo));
    rule_of_releases(&business, None);
    let path = format!("/screening/cases/{evaristo}/decisions");
    let decision =
        json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "Otra fecha de nacimiento"});
    let id = text(&business.as_manager(202, "POST", &path, decision)["id"]);
    // A preview of the approval writes nothing.
    let head = server.head("entails");
    let preview = Call::new("POST", &format!("/proposals/{id}/approve?preview=true")).token(&second);
    assert_eq!(business.client.send(preview.json(&json!({}))).status, 200);
    assert_eq!(server.head("entails"), head);
    let approve = format!("/proposals/{id}/approve");
    let approved = |key: &str| {
        let call = Call::new("POST", &approve).token(&second).key(key).json(&json!({}));
        business.client.send(call)
    };
    assert_eq!(approved("once").status, 200);
    assert_eq!(approved("once").status, 200, "a repetition");
    assert_eq!(case(&business, &evaristo)["status"], "cleared");
    for remittance in &held {
        assert!(!is_held(&business, remittance));
        let history = read(&business, &format!("/remittances/{remittance}/history"));
        let steps = history["data"].as_array().unwrap();
        let released = steps.iter().find(|step| step["change"] == "holdReleased");
        let released = released.unwrap_or_else(|| panic!("{history}"));
        assert_eq!(released["approvedBy"]["name"], "Second", "{released}");
        assert_eq!(released["reason"], "Otra fecha de nacimiento");
    }
    let waiting = read(&business, "/proposals?waiting=true");
    assert_eq!(waiting["totalRecords"], 0, "{waiting}");

    // Two waiting decisions about one customer: each is approved as it stands then.
    server.load_list(
        "sample",
        &format!("{LIST}7003;Evaristo ZALDÍVAR QUESADA;;;;\n7004;Evaristo ZALDÍVAR QUESADA;;;;\n"),
    );
    server.screen_everybody();
    assert!(is_held(&business, &held[0]), "a new finding");
    let waits = ["7003", "7004"].map(|entry| {
        let decision = json!({"list": "sample", "entry": entry, "outcome": "different", "reason": "Otra persona"});
        text(&business.as_manager(202, "POST", &path, decision)["id"])
    });
    for (id, status) in waits.iter().zip(["open", "cleared"]) {
        let approve = format!("/proposals/{id}/approve");
        business.client.expect(200, &second, "POST", &approve, Some(json!({})));
        assert_eq!(case(&business, &evaristo)["status"], status);
    }
    assert!(!is_held(&business, &held[0]));
}

#[test]
fn a_proposed_decision_is_told_in_the_case_and_in_the_bell_of_who_may_decide_it() {
    let server = Server::start(&["proposed"]);
    let business = Business::new(&server, "proposed");
    business.fund("900000");
    let second = second_manager(&business);
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let held = sell_to(&business, &evaristo);
    rule_of_releases(&business, None);
    let listed = |token: &str| {
        let cases = business.client.expect(200, token, "GET", "/screening/cases", None);
        cases["data"][0].clone()
    };
    assert_eq!(listed(&second)["waitingApprovals"], 0);
    assert_eq!(case(&business, &evaristo)["candidates"][0]["proposed"], Value::Null);
    let path = format!("/screening/cases/{evaristo}/decisions");
    let decision = json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "Otra fecha"});
    let id = text(&business.as_manager(202, "POST", &path, decision.clone())["id"]);
    let position = server.head("proposed");

    // The other reviewer sees that it is proposed, by whom and since when, before deciding it again.
    assert_eq!(listed(&second)["waitingApprovals"], 1);
    let shown = business
        .client
        .expect(200, &second, "GET", &format!("/screening/cases/{evaristo}"), None);
    let proposed = &shown["candidates"][0]["proposed"];
    assert_eq!(proposed["id"], json!(id));
    assert!(
        proposed["by"]["name"].is_string() && proposed["at"].is_string(),
        "{shown}"
    );
    assert_eq!(shown["proposedReleases"], json!([]));

    // The bell of who may decide names what is proposed and whom it concerns, and leads to it; sellers are told nothing.
    let news = |token: &str| {
        let path = format!("/events/news?positions={position}");
        business.client.expect(200, token, "GET", &path, None)["news"].clone()
    };
    let told = &news(&second)[0];
    assert_eq!(
        (&told["eventType"], &told["id"], &told["approvalKind"], &told["about"]),
        (
            &json!("CommandProposed"),
            &json!(id),
            &json!("hold_release"),
            &json!("Evaristo Zaldivar Quesada")
        )
    );
    assert_eq!(told["isVisible"], true);
    assert_eq!(news(&business.agency_token), json!([]));

    // No longer once it is decided, or once it expired.
    let reject = format!("/proposals/{id}/reject");
    business
        .client
        .expect(200, &second, "POST", &reject, Some(json!({"reason": "Falta su carné"})));
    assert_eq!(case(&business, &evaristo)["candidates"][0]["proposed"], Value::Null);
    business.as_manager(202, "POST", &path, decision);
    assert_eq!(listed(&second)["waitingApprovals"], 1);
    server.pass(chrono::Duration::hours(25));
    let second = business.client.login("second@example.test", crate::support::PASSWORD);
    assert_eq!(listed(&second)["waitingApprovals"], 0);

    // Releases of what a correction left in review are told too.
    let corrected = json!({"name": "Ramón", "lastName": "Alfonso", "secondSurname": "Pino",
        "was": {"name": "Evaristo", "lastName": "Zaldivar", "secondSurname": "Quesada"}});
    let agency = business.client.login("agency@example.test", crate::support::PASSWORD);
    let customer = format!("/customer/{evaristo}");
    business.client.expect(200, &agency, "PUT", &customer, Some(corrected));
    let manager = business.client.login(crate::support::MANAGER, crate::support::PASSWORD);
    let release = format!("/screening/cases/{evaristo}/release");
    let preview = business.client.expect(
        200,
        &manager,
        "POST",
        &format!("{release}?preview=true"),
        Some(json!({"reason": "Su carné dice Alfonso"})),
    );
    assert_eq!(preview["approval"]["kind"], "hold_release", "{preview}");
    let released = business.client.expect(
        200,
        &manager,
        "POST",
        &release,
        Some(json!({"reason": "Su carné dice Alfonso"})),
    );
    assert_eq!(
        released["proposedReleases"][0]["remittance"]["id"],
        json!(held),
        "{released}"
    );
    assert_eq!(released["waitingApprovals"], 1);
}

#[test]
fn a_decision_about_a_match_that_is_gone_when_it_is_approved_is_outdated() {
    let server = Server::start(&["outdated"]);
    let business = Business::new(&server, "outdated");
    business.fund("900000");
    let second = second_manager(&business);
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    rule_of_releases(&business, None);
    let path = format!("/screening/cases/{evaristo}/decisions");
    let decision = json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "Otra persona"});
    let id = text(&business.as_manager(202, "POST", &path, decision)["id"]);
    server.load_list("sample", "id;name\n7002;Nikolai PETROFF\n");
    server.screen_everybody();
    let approve = format!("/proposals/{id}/approve");
    let refused = business.client.expect(409, &second, "POST", &approve, Some(json!({})));
    assert_eq!(refused["code"], "proposal_outdated");
}

#[test]
fn releases_that_wait_are_not_proposed_again_by_a_repetition_whose_first_answer_was_lost() {
    let server = Server::start(&["lost"]);
    let business = Business::new(&server, "lost");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let (one, two) = (sell_to(&business, &evaristo), sell_to(&business, &evaristo));
    rule_of_releases(&business, None);
    let corrected = json!({"name": "Ramón", "lastName": "Alfonso", "secondSurname": "Pino",
        "was": {"name": "Evaristo", "lastName": "Zaldivar", "secondSurname": "Quesada"}});
    business.as_agency(200, "PUT", &format!("/customer/{evaristo}"), corrected);
    let release = || {
        let call = Call::new("POST", &format!("/screening/cases/{evaristo}/release"));
        let call = call.token(&business.manager).key("release");
        business
            .client
            .send(call.json(&json!({"reason": "Su carné dice Alfonso"})))
    };
    let first = release();
    assert_eq!(
        (first.status, &first.body["waitingApprovals"]),
        (200, &json!(2)),
        "{}",
        first.body
    );
    forget_answers(&server, "lost");
    let again = release();
    assert_eq!(
        (again.status, again.replayed, &again.body["waitingApprovals"]),
        (200, true, &json!(2)),
        "{}",
        again.body
    );
    assert!(is_held(&business, &one) && is_held(&business, &two));
}
