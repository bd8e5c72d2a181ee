//! Lists of the operator: loaded and removed at the shell, chosen by a tenant, and away while they are chosen.

use super::{LIST, case, choose, is_held, read, recipient, sell_to, until};
use crate::support::{Business, Call, Process, Server, create_tenant, run, text};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};

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
