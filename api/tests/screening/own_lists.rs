//! Lists that a manager loads for the own tenant.

use super::{LIST, case, choose, is_held, read, recipient, sell_to, until};
use crate::support::{Business, Call, Server, text};
use caudal_api::screening::store::Packer;
use caudal_domain::{Actor, Command, TenantCommand, customer::OwnList, ids::PartyId};
use serde_json::json;

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
        "the earlier version"
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
