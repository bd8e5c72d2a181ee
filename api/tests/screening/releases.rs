//! Who ends the review of a customer, and which remittances are released with it.

use super::{LIST, case, choose, decide, forget_answers, is_held, read, recipient, sell_to};
use crate::support::{Answer, Business, Call, Server};
use serde_json::{Value, json};

#[test]
fn what_is_held_for_a_match_that_a_corrected_name_ended_is_released_by_a_reviewer_and_not_by_the_seller() {
    let server = Server::start(&["corrected"]);
    let business = Business::new(&server, "corrected");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let nikolai = recipient(&business, "Nikolai", "Petrov", "");
    let (one, two) = (sell_to(&business, &nikolai), sell_to(&business, &nikolai));
    let by_hand = sell_to(&business, &nikolai);
    business.as_manager(
        201,
        "POST",
        &format!("/remittances/{by_hand}/holds"),
        json!({"reason": "To look at"}),
    );
    let path = format!("/screening/cases/{nikolai}/release");
    let reason = json!({"reason": "The passport says Alfonso"});
    let refused = business.as_manager(409, "POST", &path, reason.clone());
    assert_eq!(
        refused["code"], "screening_case_not_cleared",
        "somebody is left to judge"
    );

    rename(&business, &nikolai, "Nikolai", "Alfonso");
    server.screen_everybody();
    // By the correction the seller releases nothing.
    for remittance in [&one, &two, &by_hand] {
        assert!(is_held(&business, remittance));
    }
    let found = case(&business, &nikolai);
    assert_eq!((&found["status"], &found["openHolds"]), (&json!("cleared"), &json!(3)));
    assert_eq!(found["candidates"], json!([]));
    let listed = read(&business, "/screening/cases?status=cleared&held=true");
    assert_eq!(
        (&listed["totalRecords"], &listed["data"][0]["openHolds"]),
        (&json!(1), &json!(3))
    );
    business.as_agency(403, "POST", &path, reason.clone());
    let silent = business.as_manager(422, "POST", &path, json!({"reason": " "}));
    assert_eq!(silent["errors"][0]["field"], "reason");

    let preview = business.as_manager(200, "POST", &format!("{path}?preview=true"), reason.clone());
    assert_eq!(
        (&preview["approval"], &preview["transfers"]),
        (&json!(null), &json!([])),
        "a release moves no money"
    );
    assert!(is_held(&business, &one) && is_held(&business, &two));
    let once = || {
        let call = Call::new("POST", &path).token(&business.manager).key("release");
        business.client.send(call.json(&reason))
    };
    let (first, again) = (once(), once());
    assert_eq!(
        (first.status, &first.body["openHolds"]),
        (200, &json!(0)),
        "{}",
        first.body
    );
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert!(!is_held(&business, &one) && !is_held(&business, &two));
    assert!(is_held(&business, &by_hand), "what a reviewer held by hand stays");
    let history = read(&business, &format!("/remittances/{one}/history"));
    let steps = history["data"]
        .as_array()
        .or(history["history"].as_array())
        .or(history.as_array())
        .unwrap();
    assert!(
        steps
            .iter()
            .any(|step| step.to_string().contains("The passport says Alfonso")),
        "{history}"
    );
    let nothing = business.as_manager(409, "POST", &path, reason);
    assert_eq!(nothing["code"], "screening_nothing_held");
    let listed = read(&business, "/screening/cases?held=true");
    assert_eq!(listed["totalRecords"], 0, "{listed}");
    business.as_manager(
        404,
        "POST",
        &format!("/screening/cases/{}/release", business.sender),
        json!({"reason": "x"}),
    );
}

#[test]
fn a_repeated_release_has_its_first_answer_and_releases_nothing_that_was_held_since() {
    let server = Server::start(&["keys"]);
    let business = Business::new(&server, "keys");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let nikolai = recipient(&business, "Nikolai", "Petrov", "");
    let (one, two) = (sell_to(&business, &nikolai), sell_to(&business, &nikolai));
    rename(&business, &nikolai, "Nikolai", "Alfonso");
    let path = format!("/screening/cases/{nikolai}/release");
    let send = |key: &str, method: &str, path: &str, body: &Value| -> Answer {
        let call = Call::new(method, path).token(&business.manager).key(key);
        business.client.send(call.json(body))
    };
    let reason = json!({"reason": "The passport says Alfonso"});
    let release = |key: &str| send(key, "POST", &path, &reason);

    let city = json!({"id": business.agency, "city": "Habana", "was": {}});
    assert_eq!(send("city", "PUT", "/agency", &city).status, 200);
    let foreign = release("city");
    assert_eq!(
        (foreign.status, foreign.code()),
        (422, "idempotency_key_reused"),
        "the key of another request"
    );
    assert!(is_held(&business, &one) && is_held(&business, &two));

    let first = release("release");
    assert_eq!(
        (first.status, first.replayed, &first.body["openHolds"]),
        (200, false, &json!(0)),
        "{}",
        first.body
    );
    let other = send("release", "POST", &path, &json!({"reason": "Otra persona"}));
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
    // A form asks so what became of a request whose answer was lost.
    let none = "/remittances/00000000-0000-0000-0000-000000000000/cancel";
    let asked = send("release", "POST", none, &json!({"reason": "outcome of a lost answer"}));
    assert_eq!(asked.code(), "idempotency_key_reused");

    rename(&business, &nikolai, "Nikolai", "Petrov");
    let since = sell_to(&business, &nikolai);
    let in_review = release("release");
    assert_eq!(
        (in_review.status, &in_review.bytes),
        (200, &first.bytes),
        "in review again"
    );
    rename(&business, &nikolai, "Nikolai", "Alfonso");
    let again = release("release");
    assert_eq!((again.status, &again.bytes, again.replayed), (200, &first.bytes, true));
    assert_eq!(again.position, first.position);
    assert!(is_held(&business, &since), "held since the first sending");

    forget_answers(&server, "keys");
    let composed = release("release");
    assert_eq!(
        (composed.status, composed.replayed, &composed.body["openHolds"]),
        (200, true, &json!(1)),
        "{}",
        composed.body
    );
    assert!(is_held(&business, &since));
    assert_eq!(release("another").status, 200);
    assert!(!is_held(&business, &since));
}

/// Decides all candidates that are shown and open, and returns how many.
fn decide_shown(business: &Business, id: &str, outcome: &str) -> usize {
    let shown = case(business, id)["candidates"].clone();
    let open = shown.as_array().unwrap().iter().filter(|own| own["decision"].is_null());
    let decisions = open.map(|own| {
        let body = json!({"list": own["list"], "entry": own["entry"], "outcome": outcome, "reason": "Otra persona"});
        business.as_manager(200, "POST", &format!("/screening/cases/{id}/decisions"), body)
    });
    decisions.count()
}

fn rename(business: &Business, id: &str, name: &str, last: &str) {
    let body = json!({"name": name, "lastName": last, "secondSurname": "", "customerType": 1,
        "senderId": business.sender, "addressLine": "Calle 23", "provinceId": business.province,
        "municipalityId": business.municipality});
    business.as_agency(200, "PUT", &format!("/customer/{id}"), body);
}

#[test]
fn only_a_reviewer_ends_the_review_of_a_confirmed_match() {
    let server = Server::start(&["same"]);
    let business = Business::new(&server, "same");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldívar", "Quesada");
    let before = sell_to(&business, &evaristo);
    assert_eq!(decide(&business, &evaristo, "7001", "same")["status"], "confirmed");
    let still = |what: &str| {
        let found = case(&business, &evaristo);
        assert_eq!(found["status"], "confirmed", "{what}: {found}");
        assert_eq!(found["openCandidates"], 0, "{what}");
        let listed = &found["candidates"][0]["listed"];
        assert_eq!(
            (&listed["names"][0], &listed["born"], &listed["documents"]),
            (
                &json!("ZALDÍVAR QUESADA, Evaristo"),
                &json!(["1984-02-13"]),
                &json!(["84021312345"])
            ),
            "{what}: as it was when decided"
        );
        assert!(is_held(&business, &before), "{what}");
        assert!(is_held(&business, &sell_to(&business, &evaristo)), "{what}");
    };
    rename(&business, &evaristo, "Ana", "Alfonso");
    still("another name");
    server.load_list("sample", "id;name;born\n7001;ZALDÍVAR QUESADA, Evaristo;1950\n");
    server.screen_everybody();
    still("another version with other data");
    server.load_list("sample", "id;name\n7002;Nikolai PETROFF\n");
    server.screen_everybody();
    still("a version without the entry");
    choose(&business, json!({"sample": 100}));
    server.screen_everybody();
    still("another threshold");
    choose(&business, json!({}));
    server.screen_everybody();
    still("no list");
    // Somebody else on the list does not hide it either.
    choose(&business, json!({"sample": 86}));
    rename(&business, &evaristo, "Nikolai", "Petrov");
    let both = case(&business, &evaristo);
    assert_eq!((&both["status"], &both["openCandidates"]), (&json!("open"), &json!(1)));
    assert_eq!(decide(&business, &evaristo, "7002", "different")["status"], "confirmed");
    still("the other one is somebody else");

    assert_eq!(decide(&business, &evaristo, "7001", "different")["status"], "cleared");
    assert!(!is_held(&business, &before), "released with the decision");
    assert!(!is_held(&business, &sell_to(&business, &evaristo)));
}

#[test]
fn nothing_is_released_while_candidates_beyond_those_shown_are_not_decided() {
    let server = Server::start(&["many"]);
    let business = Business::new(&server, "many");
    business.fund("900000");
    let list = |ids: std::ops::Range<u32>| {
        let rows = ids.map(|id| format!("{id};Evaristo ZALDÍVAR QUESADA\n"));
        format!("id;name\n{}", rows.collect::<String>())
    };
    server.load_list("one", &list(0..30));
    server.load_list("two", &list(0..30));
    choose(&business, json!({"one": 86, "two": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldívar", "Quesada");
    let held = sell_to(&business, &evaristo);
    assert_eq!(case(&business, &evaristo)["openCandidates"], 50);
    assert_eq!(decide_shown(&business, &evaristo, "different"), 50);
    let left = case(&business, &evaristo);
    assert_eq!((&left["status"], &left["openCandidates"]), (&json!("open"), &json!(10)));
    assert!(is_held(&business, &held), "ten were never shown");
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
    assert_eq!(decide_shown(&business, &evaristo, "different"), 10);
    assert_eq!(case(&business, &evaristo)["status"], "cleared");
    assert!(!is_held(&business, &held));

    server.load_list("one", &list(0..31));
    server.screen_everybody();
    let found = case(&business, &evaristo);
    assert_eq!(
        (&found["status"], &found["openCandidates"]),
        (&json!("open"), &json!(1)),
        "after sixty decided pairs"
    );
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
}
