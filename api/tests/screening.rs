//! Screening: lists of the operator, customers who are like listed people, holds of their remittances, and reviews.

use crate::support::{Business, Call, Process, Server, create_tenant, run, text};
use caudal_api::screening::store::Packer;
use caudal_domain::{
    Actor, Command, TenantCommand,
    customer::{CustomerCommand, OwnList},
    forgetting::Forget,
    ids::{CustomerId, PartyId},
};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Invented people.
const LIST: &str = "id;name;aliases;document;born;countries
7001;ZALDÍVAR QUESADA, Evaristo;Varo Zaldívar;84021312345;1984-02-13;CU
7002;Nikolai PETROFF;;;1960;RU
";

fn choose(business: &Business, lists: Value) -> Value {
    business.as_manager(200, "PUT", "/screening/lists", json!({ "lists": lists }))
}

fn recipient(business: &Business, name: &str, last: &str, second: &str) -> String {
    let body = json!({"name": name, "lastName": last, "secondSurname": second, "customerType": 1,
        "senderId": business.sender, "addressLine": "Calle 23", "provinceId": business.province,
        "municipalityId": business.municipality});
    text(&business.as_agency(201, "POST", "/customer", body)["id"])
}

fn sell_to(business: &Business, recipient: &str) -> String {
    let mut sale = business.sale("10");
    sale["recipientId"] = json!(recipient);
    text(&business.as_agency(201, "POST", "/remittances", sale)["id"])
}

fn read(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

fn case(business: &Business, id: &str) -> Value {
    read(business, &format!("/screening/cases/{id}"))
}

fn decide(business: &Business, id: &str, entry: &str, outcome: &str) -> Value {
    let body = json!({"list": "sample", "entry": entry, "outcome": outcome, "reason": "Otra fecha de nacimiento"});
    business.as_manager(200, "POST", &format!("/screening/cases/{id}/decisions"), body)
}

/// Whether the remittance waits for a review.
fn is_held(business: &Business, id: &str) -> bool {
    let path = format!("/remittances/{id}/assign/dealer");
    let call = Call::new("PUT", &format!("{path}?preview=true")).token(&business.manager);
    let answer = business.client.send(call.json(&json!({"dealerId": business.dealer})));
    match (answer.status, answer.body["code"].as_str()) {
        (200, _) => false,
        (409, Some("remittance_is_held")) => true,
        _ => panic!("{} {}", answer.status, answer.body),
    }
}

#[test]
fn a_sale_to_somebody_like_a_listed_person_is_held_until_a_reviewer_says_that_it_is_somebody_else() {
    let server = Server::start(&["lists"]);
    let business = Business::new(&server, "lists");
    business.fund("900000");
    server.load_list("sample", LIST);
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let before = sell_to(&business, &evaristo);
    assert!(!is_held(&business, &before), "no list is chosen");

    let chosen = choose(&business, json!({"sample": 86}));
    assert_eq!(chosen["lists"][0]["enabled"], true);
    assert_eq!(chosen["lists"][0]["entries"], 2);
    let held = sell_to(&business, &evaristo);
    assert!(is_held(&business, &held), "held in the commit of the sale");
    let other = sell_to(&business, &business.recipient);
    assert!(!is_held(&business, &other));

    let seen = business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/remittances/{held}"),
        None,
    );
    assert!(
        !seen.to_string().contains("sample"),
        "sellers do not learn which list: {seen}"
    );
    let listed = read(&business, "/screening/cases?status=open&list=sample");
    assert_eq!(listed["totalRecords"], 1, "{listed}");
    assert_eq!(listed["data"][0]["customer"]["id"], json!(evaristo));
    assert_eq!(listed["data"][0]["heldRemittances"], 1);
    let found = case(&business, &evaristo);
    let candidate = &found["candidates"][0];
    assert_eq!(candidate["entry"], "7001");
    assert_eq!(candidate["listed"]["born"], json!(["1984-02-13"]));
    assert!(candidate["score"].as_u64().unwrap() >= 86);
    assert_eq!(found["person"]["lastName"], "Zaldivar");

    // The run holds what was sold before.
    server.screen_everybody();
    assert!(is_held(&business, &before));
    let run = read(&business, "/screening")["run"].clone();
    assert_eq!(run["screened"], run["total"]);
    assert_ne!(run["finishedAt"], Value::Null);

    let path = format!("/screening/cases/{evaristo}/decisions");
    let silent = json!({"list": "sample", "entry": "7001", "outcome": "different"});
    business.as_manager(422, "POST", &path, silent);
    let decided = decide(&business, &evaristo, "7001", "different");
    assert_eq!(decided["status"], "cleared");
    assert_eq!(decided["candidates"][0]["decision"]["outcome"], "different");
    for remittance in [&before, &held] {
        assert!(!is_held(&business, remittance), "released with the decision");
    }
    let after = sell_to(&business, &evaristo);
    assert!(!is_held(&business, &after), "once for good");
    server.load_list("sample", &format!("{LIST}7003;Somebody ELSE;;;;\n"));
    server.screen_everybody();
    assert_eq!(
        case(&business, &evaristo)["status"],
        "cleared",
        "also by a later version"
    );
}

#[test]
fn a_confirmed_person_stays_held_and_a_customer_whose_name_is_corrected_is_not_like_anybody() {
    let server = Server::start(&["confirmed"]);
    let business = Business::new(&server, "confirmed");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Varo", "Zaldívar", "");
    assert_eq!(
        case(&business, &evaristo)["status"],
        "open",
        "screened at the registration"
    );
    assert_eq!(decide(&business, &evaristo, "7001", "same")["status"], "confirmed");
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "confirmed");

    let nikolai = recipient(&business, "Nikolai", "Petrov", "");
    assert_eq!(case(&business, &nikolai)["status"], "open");
    let corrected = json!({"name": "Nikolai", "lastName": "Alfonso", "customerType": 1,
        "senderId": business.sender, "addressLine": "Calle 23", "provinceId": business.province,
        "municipalityId": business.municipality});
    business.as_agency(200, "PUT", &format!("/customer/{nikolai}"), corrected);
    assert_eq!(case(&business, &nikolai)["status"], "cleared");
    assert!(!is_held(&business, &sell_to(&business, &nikolai)));
}

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

#[test]
fn erasure_removes_the_candidates() {
    let server = Server::start(&["erased"]);
    let business = Business::new(&server, "erased");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldívar", "Quesada");
    assert!(case(&business, &evaristo).to_string().contains("ZALD"));
    let forget = CustomerCommand::Forget(Forget {
        retention_days: 0,
        last_business: None,
    });
    let id = CustomerId(Uuid::parse_str(&evaristo).unwrap());
    server.submit("erased", Command::Customer(id, forget));
    until("the erasure can be read", || {
        case(&business, &evaristo)["status"] == "erased"
    });
    let left = case(&business, &evaristo);
    assert_eq!(left["candidates"], json!([]));
    assert!(!left.to_string().contains("ZALD"), "{left}");
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "erased");
}

#[test]
fn lists_and_reviews_are_the_managers_and_of_one_tenant() {
    let server = Server::start(&["one", "two"]);
    let one = Business::new(&server, "one");
    let two = Business::new(&server, "two");
    server.load_list("sample", LIST);
    let unknown = one.as_manager(422, "PUT", "/screening/lists", json!({"lists": {"nothing": 86}}));
    assert_eq!(unknown["errors"][0]["code"], "screening_list_unknown", "{unknown}");
    let low = one.as_manager(422, "PUT", "/screening/lists", json!({"lists": {"sample": 50}}));
    assert_eq!(low["errors"][0]["code"], "threshold_out_of_range", "{low}");
    choose(&one, json!({"sample": 86}));
    let evaristo = recipient(&one, "Evaristo", "Zaldívar", "Quesada");
    for path in [
        "/screening".to_owned(),
        "/screening/cases".to_owned(),
        format!("/screening/cases/{evaristo}"),
    ] {
        one.client.expect(403, &one.agency_token, "GET", &path, None);
    }
    let theirs = format!("/screening/cases/{evaristo}");
    two.client.expect(404, &two.manager, "GET", &theirs, None);
    let body = json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "x"});
    two.as_manager(404, "POST", &format!("{theirs}/decisions"), body);
    assert_eq!(read(&two, "/screening/cases")["totalRecords"], 0);
    assert_eq!(read(&two, "/screening")["lists"][0]["enabled"], false);
    // A tenant that chose no list has no run, and its customers are not screened.
    recipient(&two, "Evaristo", "Zaldívar", "Quesada");
    server.screen_everybody();
    assert_eq!(read(&two, "/screening/cases")["totalRecords"], 0);
    assert_eq!(read(&two, "/screening")["run"], Value::Null);
}

#[test]
fn a_rule_without_lists_clears_what_is_not_decided() {
    let server = Server::start(&["off"]);
    let business = Business::new(&server, "off");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldívar", "Quesada");
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "open");
    choose(&business, json!({}));
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "cleared");
    assert!(!is_held(&business, &sell_to(&business, &evaristo)));
}

#[test]
fn documents_are_listed_before_they_expire() {
    let server = Server::start(&["papers"]);
    let business = Business::new(&server, "papers");
    let add = |name: &str, days: i64| {
        let day = (chrono::Utc::now() + chrono::Duration::days(days))
            .date_naive()
            .to_string();
        let body = json!({"name": name, "customerType": 0, "personalIdentificationNumber": "K123456",
            "personalIdentificationType": 1, "personalIdentificationExpirationDate": day});
        business.as_agency(201, "POST", "/customer", body);
    };
    add("Past", -3);
    add("Soon", 20);
    add("Later", 90);
    let names = |path: &str| {
        let page = read(&business, path);
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| text(&row["name"])).collect::<Vec<_>>()
    };
    assert_eq!(names("/customer/expiring_documents"), ["Past", "Soon"]);
    let until = (chrono::Utc::now() + chrono::Duration::days(120)).format("%Y%m%d");
    assert_eq!(
        names(&format!("/customer/expiring_documents?expiresTo={until}&sort=-expires")),
        ["Later", "Soon", "Past"]
    );
}

#[test]
fn a_list_loaded_at_the_shell_is_used_by_both_nodes_and_one_of_them_screens_everybody() {
    let database = tokio::runtime::Runtime::new().unwrap().block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let caudal = |arguments: &[&str]| run(database.url(), folder.path(), arguments);
    create_tenant(database.url(), folder.path(), "acme");
    let pair = [(); 2].map(|()| Process::serve(database.url(), folder.path()));
    let business = Business::set_up(pair[0].client("acme"));
    business.fund("900000");
    let evaristo = recipient(&business, "Evaristo", "Zaldívar", "Quesada");
    let file = folder.path().join("list.csv");
    let path = file.to_str().unwrap();
    std::fs::write(&file, LIST).unwrap();
    let load = ["screening", "load", "--list", "sample", path];
    let (done, said) = caudal(&load);
    assert!(done && said.contains("sample is loaded: 2 entries, 3 names"), "{said}");
    let (done, said) = caudal(&load);
    assert!(done && said.contains("was loaded already"), "{said}");
    let (_, said) = caudal(&["screening", "list"]);
    assert!(said.starts_with("sample\tall tenants\tcsv\tversion "), "{said}");
    let seen = |node: &Process| {
        let answer = node
            .client("acme")
            .send(Call::new("GET", "/screening").token(&business.manager));
        if answer.status == 200 { answer.body } else { Value::Null }
    };
    until("both nodes know the list", || {
        pair.iter().all(|node| seen(node)["lists"][0]["loaded"] == json!(true))
    });
    choose(&business, json!({"sample": 86}));
    until("everybody is screened", || {
        seen(&pair[1])["run"]["finishedAt"] != Value::Null
    });
    let status = |node: &Process| {
        let path = format!("/screening/cases/{evaristo}");
        node.client("acme")
            .send(Call::new("GET", &path).token(&business.manager))
            .body["status"]
            .clone()
    };
    until("the run found the recipient", || {
        pair.iter().all(|node| status(node) == json!("open"))
    });
    // The other node holds a sale of its own.
    let mut sale = business.sale("10");
    sale["recipientId"] = json!(evaristo);
    let sale = Call::new("POST", "/remittances")
        .token(&business.agency_token)
        .json(&sale);
    let sold = pair[1].client("acme").send(sale);
    assert_eq!(sold.status, 201, "{}", sold.body);
    assert!(is_held(&business, &text(&sold.body["id"])));
    let found = |event: &Value| event["eventType"] == json!("CustomerScreened");
    let events = read(&business, "/audit/events?eventType=CustomerScreened");
    let events = events["data"].as_array().unwrap();
    assert_eq!(
        events.iter().filter(|event| found(event)).count(),
        1,
        "found once: {events:?}"
    );

    std::fs::write(&file, "id;name\n").unwrap();
    let (done, said) = caudal(&load);
    assert!(!done && said.contains("the list has no entries"), "{said}");
    let (done, said) = caudal(&["screening", "remove", "--list", "sample"]);
    assert!(
        done && said.contains("sample is removed") && said.contains("chosen by acme: nothing is sold there"),
        "{said}"
    );
    let (_, said) = caudal(&["doctor", "--json"]);
    assert!(said.contains("log.screening_list"), "{said}");
    let (done, _) = caudal(&["screening", "remove", "--list", "sample"]);
    assert!(!done);
}

/// Waits for something that nodes do in the background.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn own_list(business: &Business, path: &str, name: &str, content: &str) -> crate::support::Answer {
    let parts = [
        ("name", "name", name.as_bytes()),
        ("file", "own.csv", content.as_bytes()),
    ];
    let call = Call::new("POST", path).token(&business.manager);
    business.client.send(call.multipart(parts))
}

#[test]
fn a_manager_checks_and_loads_an_own_list_and_everybody_is_screened_by_each_version_of_it() {
    let server = Server::start(&["own", "other"]);
    let business = Business::new(&server, "own");
    business.fund("900000");
    server.load_list("ofac-sdn", LIST);
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let checked = own_list(
        &business,
        "/screening/own-lists/check",
        "blocked",
        "name,born\nPedro PAEZ,1970\n,\nLuisa SAENZ,the seventies\n",
    );
    assert_eq!(checked.status, 200, "{}", checked.body);
    assert_eq!(
        (&checked.body["entries"], &checked.body["warned"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(checked.body["sample"][0]["names"], json!(["Pedro PAEZ"]));
    assert_eq!(
        (
            &checked.body["warnings"][0]["line"],
            &checked.body["warnings"][0]["code"]
        ),
        (&json!(4), &json!("screening_born_unknown"))
    );
    for (name, content, field, code) in [
        ("ofac-sdn", LIST, "name", "list_name_taken"),
        ("Blocked", LIST, "name", "list_name_invalid"),
        ("blocked", "name\n", "file", "screening_list_empty"),
        ("blocked", "name,color\nAna,red\n", "file", "screening_column_unknown"),
        ("blocked", "document\n1\n", "file", "screening_column_missing"),
        ("blocked", "name,born\nAna\n", "file", "screening_fields_wrong"),
        ("blocked", "id,name\n1,Ana\n1,Eva\n", "file", "screening_id_repeated"),
    ] {
        for path in ["/screening/own-lists/check", "/screening/own-lists"] {
            let answer = own_list(&business, path, name, content);
            assert_eq!(answer.status, 422, "{name}: {}", answer.body);
            let error = &answer.body["errors"][0];
            assert_eq!((&error["field"], &error["code"]), (&json!(field), &json!(code)));
        }
    }
    for (language, said) in [
        (
            "en",
            "Line 4 repeats the id 7001 of line 2 with other data. An id is of one entry.",
        ),
        (
            "es",
            "En la fila 4 se repite el id 7001 de la fila 2 con otros datos. Cada id es de una sola entrada.",
        ),
    ] {
        let file = format!("{LIST}7001;Somebody ELSE;;;;\n");
        let parts = [
            ("name", "name", "blocked".as_bytes()),
            ("file", "own.csv", file.as_bytes()),
        ];
        let call = Call::new("POST", "/screening/own-lists").token(&business.manager);
        let answer = business
            .client
            .send(call.multipart(parts).header("Accept-Language", language));
        let error = &answer.body["errors"][0];
        assert_eq!(error["detail"], said, "{}", answer.body);
    }
    let large = format!("name\n{}", "Ana Ruiz\n".repeat(1_200_000));
    let answer = own_list(&business, "/screening/own-lists", "blocked", &large);
    assert_eq!(answer.body["errors"][0]["code"], "screening_file_too_large");
    let head = server.head("own");
    let preview = own_list(&business, "/screening/own-lists?preview=true", "blocked", LIST);
    assert_eq!((preview.status, server.head("own")), (200, head), "{}", preview.body);

    let first = own_list(&business, "/screening/own-lists", "blocked", "name\nSomebody ELSE\n");
    assert_eq!(first.status, 201, "{}", first.body);
    let listed = |name: &str| {
        let lists = read(&business, "/screening")["lists"].clone();
        let lists = lists.as_array().unwrap().clone();
        lists.into_iter().find(|list| list["name"] == name)
    };
    let own = listed("blocked").unwrap();
    assert_eq!(
        (&own["managed"], &own["own"], &own["loaded"], &own["entries"]),
        (&json!(true), &json!(true), &json!(true), &json!(1))
    );
    choose(&business, json!({"blocked": 86}));
    assert!(!is_held(&business, &sell_to(&business, &evaristo)));
    let second = own_list(&business, "/screening/own-lists", "blocked", LIST);
    assert_eq!(second.status, 201, "{}", second.body);
    assert!(is_held(&business, &sell_to(&business, &evaristo)), "by the sale itself");
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "open");
    assert_eq!(case(&business, &evaristo)["lists"], json!(["blocked"]));
    let versions = read(&business, "/screening/own-lists/blocked/versions")["results"].clone();
    assert_eq!(versions.as_array().unwrap().len(), 2);
    assert_eq!(
        (&versions[0]["entries"], &versions[1]["entries"]),
        (&json!(2), &json!(1))
    );
    assert!(versions[0]["by"]["id"].is_string());

    // Another tenant has nothing of it, and a chosen list is not removed.
    let other = Business::new(&server, "other");
    assert!(!read(&other, "/screening").to_string().contains("blocked"));
    let removal = "/screening/own-lists/blocked";
    assert_eq!(
        business.as_manager(409, "DELETE", removal, json!({}))["code"],
        "screening_list_chosen"
    );
    choose(&business, json!({}));
    business.as_manager(200, "DELETE", removal, json!({}));
    assert_eq!(listed("blocked"), None);
    business.as_manager(404, "DELETE", removal, json!({}));
    let refused = business.client.send(
        Call::new("POST", "/screening/own-lists")
            .token(&business.agency_token)
            .multipart([
                ("name", "name", b"blocked".as_slice()),
                ("file", "a.csv", LIST.as_bytes()),
            ]),
    );
    assert_eq!(refused.status, 403, "{}", refused.body);
}

#[test]
fn an_own_list_and_a_choice_of_lists_wait_for_an_approval_where_a_rule_covers_them() {
    let server = Server::start(&["covered"]);
    let business = Business::new(&server, "covered");
    business.fund("900000");
    let second = json!({"name": "Second", "email": "second@example.test", "password": crate::support::PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let second = business.client.login("second@example.test", crate::support::PASSWORD);
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    assert_eq!(
        own_list(&business, "/screening/own-lists", "blocked", "name\nSomebody ELSE\n").status,
        201
    );
    choose(&business, json!({"blocked": 86}));
    for kind in ["screening_rules", "limit_rules"] {
        let rule = json!({"kind": kind, "makers": ["manager"], "approvers": "manager", "expiresAfterHours": 24});
        business.as_manager(201, "POST", "/approval-rules", rule);
    }
    let waiting = own_list(&business, "/screening/own-lists", "blocked", LIST);
    assert_eq!(waiting.status, 202, "{}", waiting.body);
    business.as_manager(202, "PUT", "/screening/lists", json!({"lists": {}}));
    let limit = json!({"side": "sender", "window": "days30", "amount": "50", "outcome": "refuse"});
    business.as_manager(202, "POST", "/limit-rules", limit);
    assert!(
        !is_held(&business, &sell_to(&business, &evaristo)),
        "the version of before"
    );
    // A further upload keeps what waits.
    assert_eq!(
        own_list(
            &business,
            "/screening/own-lists",
            "blocked",
            &format!("{LIST}7003;Other;;;;\n")
        )
        .status,
        202
    );
    let id = text(&waiting.body["id"]);
    let path = format!("/proposals/{id}/approve");
    business.client.expect(200, &second, "POST", &path, Some(json!({})));
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
}

/// The version that a file of an own list is.
fn version_of(name: &str, csv: &str) -> OwnList {
    let mut packer = Packer::default();
    let limits = caudal_screening::Limits::default();
    let mut take = |entry| packer.take(entry);
    caudal_screening::read::read(caudal_screening::Format::Csv, csv.as_bytes(), limits, &mut take).unwrap();
    let packed = packer.finish().unwrap();
    OwnList {
        name: name.to_owned(),
        version: packed.version(),
        entries: u32::try_from(packed.entries()).unwrap(),
        names: u32::try_from(packed.names()).unwrap(),
    }
}

#[test]
fn a_load_of_an_own_list_spares_what_another_one_has_just_stored() {
    let server = Server::start(&["both"]);
    let business = Business::new(&server, "both");
    business.fund("900000");
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let load = |name: &str, content: &str| {
        let answer = own_list(&business, "/screening/own-lists", name, content);
        assert_eq!(answer.status, 201, "{}", answer.body);
    };
    // The content of a version is stored, and the log does not name it: as between the two steps of a load.
    load("first", LIST);
    load("first", "name\nSomebody ELSE\n");
    load("second", "name\nNobody KNOWN\n");
    let manager = text(&read(&business, "/users/profile")["id"]);
    let manager = Actor::Party(PartyId(manager.parse().unwrap()));
    let named = Command::Tenant(TenantCommand::LoadOwnList(version_of("first", LIST)));
    server.submit_as("both", manager, named);
    choose(&business, json!({"first": 86, "second": 86}));
    assert!(is_held(&business, &sell_to(&business, &evaristo)));

    std::thread::scope(|scope| {
        for number in 0..6 {
            let load = &load;
            scope.spawn(move || load(&format!("list-{number}"), &format!("name\nSomebody NUMBER {number}\n")));
        }
    });
    until("all of them are loaded", || {
        let lists = read(&business, "/screening")["lists"].clone();
        let lists = lists.as_array().unwrap();
        lists.len() == 8 && lists.iter().all(|list| list["loaded"] == true)
    });
}

#[test]
fn a_chosen_list_of_the_operator_that_is_not_there_refuses_sales_and_clears_nobody_until_it_is_loaded_or_not_chosen() {
    let server = Server::start(&["away"]);
    let business = Business::new(&server, "away");
    business.fund("900000");
    server.load_list("sample", LIST);
    server.load_list("other", "id;name\n1;Somebody ELSE\n");
    choose(&business, json!({"sample": 86, "other": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let held = sell_to(&business, &evaristo);
    server.remove_list("sample");
    let mut sale = business.sale("10");
    sale["recipientId"] = json!(business.recipient);
    let refused = business.as_agency(503, "POST", "/remittances", sale.clone());
    assert_eq!(refused["code"], "screening_list_missing");
    assert!(!refused.to_string().contains("sample"), "{refused}");
    let lists = read(&business, "/screening")["lists"].clone();
    let missing = lists
        .as_array()
        .unwrap()
        .iter()
        .find(|list| list["name"] == "sample")
        .unwrap();
    assert_eq!((&missing["enabled"], &missing["loaded"]), (&json!(true), &json!(false)));
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "open", "a run clears nobody");
    let path = format!("/screening/cases/{evaristo}/decisions");
    let decision = json!({"list": "sample", "entry": "7001", "outcome": "different", "reason": "Otra persona"});
    let refused = business.as_manager(503, "POST", &path, decision);
    assert_eq!(refused["code"], "screening_list_missing", "others may be on the list");
    assert!(is_held(&business, &held));

    choose(&business, json!({"other": 86}));
    business.as_agency(201, "POST", "/remittances", sale.clone());
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86, "other": 86}));
    business.as_agency(201, "POST", "/remittances", sale);
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
}

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
fn a_representative_with_one_part_of_a_name_or_a_document_and_an_alias_are_compared() {
    let server = Server::start(&["people"]);
    let business = Business::new(&server, "people");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let with = |more: Value| {
        let mut body = json!({"name": "Berta", "lastName": "Alfonso", "customerType": 1, "senderId": business.sender,
            "addressLine": "Calle 23", "provinceId": business.province, "municipalityId": business.municipality});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        text(&business.as_agency(201, "POST", "/customer", body)["id"])
    };
    for (what, more) in [
        (
            "a whole name in one field",
            json!({"alternativeName": "Evaristo Zaldívar Quesada"}),
        ),
        (
            "surnames alone",
            json!({"alternativeLastName": "Evaristo Zaldívar Quesada"}),
        ),
        (
            "name and surname",
            json!({"alternativeName": "Evaristo", "alternativeLastName": "Zaldívar Quesada"}),
        ),
        (
            "a document",
            json!({"alternativePersonalIdentificationNumber": "84021312345"}),
        ),
        (
            "a document under another name",
            json!({"alternativeName": "Ana",
            "alternativePersonalIdentificationNumber": "84021312345"}),
        ),
        ("an alias", json!({"alias": "Varo Zaldívar"})),
    ] {
        let customer = with(more);
        let found = case(&business, &customer);
        assert_eq!(
            (&found["status"], &found["candidates"][0]["entry"]),
            (&json!("open"), &json!("7001")),
            "{what}"
        );
        assert!(found["candidates"][0]["explanation"].is_string(), "{what}: {found}");
        assert!(is_held(&business, &sell_to(&business, &customer)), "{what}");
    }
    let nobody = with(json!({"alternativeName": "Ana", "alias": "La Nena"}));
    assert!(!is_held(&business, &sell_to(&business, &nobody)));
}

#[test]
fn a_chosen_own_list_whose_entries_are_gone_refuses_sales_and_clears_nobody_until_it_is_loaded_again() {
    let server = Server::start(&["gone"]);
    let business = Business::new(&server, "gone");
    business.fund("900000");
    let load = || own_list(&business, "/screening/own-lists", "blocked", LIST).status;
    assert_eq!(load(), 201);
    choose(&business, json!({"blocked": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let held = sell_to(&business, &evaristo);
    server.lose_own_lists("gone");
    let mut sale = business.sale("10");
    sale["recipientId"] = json!(business.recipient);
    let refused = business.as_agency(503, "POST", "/remittances", sale);
    assert_eq!(refused["code"], "screening_list_missing");
    assert!(
        !refused.to_string().contains("blocked"),
        "sellers do not learn which list: {refused}"
    );
    assert_eq!(read(&business, "/screening")["lists"][0]["loaded"], false);
    server.screen_everybody();
    let path = format!("/screening/cases/{evaristo}/decisions");
    let decision = json!({"list": "blocked", "entry": "7001", "outcome": "different", "reason": "Otra persona"});
    let refused = business.as_manager(503, "POST", &path, decision);
    assert_eq!(refused["code"], "screening_list_missing", "others may be on the list");
    assert_eq!(case(&business, &evaristo)["status"], "open", "a run clears nobody");
    assert!(is_held(&business, &held));

    assert_eq!(load(), 201);
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
    assert!(!is_held(&business, &sell_to(&business, &business.recipient)));
}
