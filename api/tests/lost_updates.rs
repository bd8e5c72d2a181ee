//! Concurrent changes of one record: no change overwrites a value that its author has not seen, and conflicts are
//! reported per field.

use crate::support::{Branch, Business, Call, Kind, PASSWORD, Server, text};
use serde_json::{Value, json};

struct Case {
    /// Path of the update.
    path: String,
    /// Path that reads the record.
    read: String,
    /// A field for each of the two authors.
    fields: [&'static str; 2],
    /// Fields sent in addition to the changed ones, with or without `was`.
    also: Value,
}

fn with(mut body: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[test]
fn concurrent_changes_are_merged_or_reported_field_by_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let branch = Branch::found(&business, "Norte");
    let id = |kind| branch.any(kind);
    let case = |path: String, read: String, fields, also| Case {
        path,
        read,
        fields,
        also,
    };
    let cases = [
        case(
            format!("/customer/{}", id(Kind::Sender)),
            format!("/customer/{}/details", id(Kind::Sender)),
            ["lastName", "addressLine"],
            json!({}),
        ),
        case(
            format!("/customer/{}", id(Kind::Recipient)),
            format!("/customer/{}/details", id(Kind::Recipient)),
            ["repart", "alternativeName"],
            json!({}),
        ),
        case(
            "/agency".into(),
            format!("/agency/{}", id(Kind::Agency)),
            ["city", "addressLine1"],
            json!({"id": id(Kind::Agency)}),
        ),
        case(
            format!("/agent/{}", id(Kind::Agent)),
            format!("/agent/{}", id(Kind::Agent)),
            ["name", "zip"],
            json!({}),
        ),
        case(
            format!("/dealer/{}", id(Kind::Dealer)),
            format!("/dealer?ReceiverId={}", id(Kind::Dealer)),
            ["license", "municipality"],
            json!({}),
        ),
        case(
            format!("/delivery_men/{}", id(Kind::DeliveryMan)),
            format!("/dealer?ReceiverId={}", id(Kind::DeliveryMan)),
            ["addressLine2", "name"],
            json!({}),
        ),
    ];
    for Case {
        path,
        read,
        fields: [one, other],
        also,
    } in cases
    {
        let get = || business.client.expect(200, &business.manager, "GET", &read, None);
        let put = |status: u16, body: Value| business.as_manager(status, "PUT", &path, with(body, &also));
        let before = get();
        // Both authors read the record, and each changes a different field.
        put(200, json!({one: "First", "was": {one: before[one]}}));
        put(200, json!({other: "Second", "was": {other: before[other]}}));
        let both = get();
        assert_eq!(
            (&both[one], &both[other]),
            (&json!("First"), &json!("Second")),
            "{path}"
        );
        let untouched = |row: &Value| {
            let mut row = row.clone();
            for name in [
                one,
                other,
                "updated",
                "fullName",
                "address",
                "alias",
                "alternativeName",
                "payment_groups",
            ] {
                row[name] = Value::Null;
            }
            row
        };
        assert_eq!(untouched(&both), untouched(&before), "{path}: what was not sent stays");
        // Both authors changed the same field: the second gets the current value, and nothing is written.
        let head = server.head("acme");
        let late = json!({one: "Third", other: "Fourth", "was": {one: before[one], other: "Second"}});
        let refused = put(409, late);
        assert_eq!(refused["code"], "changed_since_read", "{path}");
        let errors = refused["errors"].as_array().unwrap();
        let told: Vec<_> = errors
            .iter()
            .map(|error| (&error["field"], &error["code"], &error["now"]))
            .collect();
        assert_eq!(
            told,
            [(&json!(one), &json!("changed_since_read"), &json!("First"))],
            "{path}"
        );
        assert_eq!(server.head("acme"), head, "{path}");
        // An author who has seen the current value may replace it; setting an equal value is no conflict.
        put(200, json!({one: "Third", "was": {one: "First"}}));
        put(200, json!({one: "Third", "was": {one: "First"}}));
        assert_eq!(get()[one], "Third", "{path}");
    }
}

#[test]
fn a_partial_change_of_a_login_or_a_remittance_reports_conflicting_fields() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let user = format!("/users/{}", business.agency);
    business.as_manager(200, "PUT", &user, json!({"name": "Norte", "was": {"name": "Agency"}}));
    let refused = business.as_manager(409, "PUT", &user, json!({"name": "Sur", "was": {"name": "Agency"}}));
    assert_eq!(refused["errors"][0]["now"], "Norte");
    let own = json!({"name": "Me", "was": {"name": "Somebody else"}});
    assert_eq!(
        business.as_manager(409, "PUT", "/users/profile", own)["code"],
        "changed_since_read"
    );

    let sold = text(&business.as_agency(201, "POST", "/remittances", business.sale("5"))["id"]);
    let path = format!("/remittances/details/{sold}");
    business.as_agency(
        200,
        "PUT",
        &path,
        json!({"notes": "Second floor", "was": {"notes": null}}),
    );
    let refused = business.as_agency(409, "PUT", &path, json!({"notes": "Blue door", "was": {"notes": null}}));
    assert_eq!(refused["errors"][0]["now"], "Second floor");
    business.as_agency(
        200,
        "PUT",
        &path,
        json!({"address": "Calle 25", "was": {"address": "Calle 23"}}),
    );
    let seen = business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/remittances/{sold}"),
        None,
    );
    assert_eq!(
        (&seen["notes"], &seen["address"]["addressLine"]),
        (&json!("Second floor"), &json!("Calle 25"))
    );
}

/// A record of a list, by its id.
fn row_of(business: &Business, list: &str, rows: &str, id: &str) -> Value {
    let all = business.client.expect(200, &business.manager, "GET", list, None);
    let found = all[rows].as_array().unwrap().iter().find(|row| row["id"] == id);
    found.unwrap_or_else(|| panic!("{list} has no {id}")).clone()
}

#[test]
fn concurrent_changes_of_reference_data_are_merged_or_reported_field_by_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let all = |list: &str, rows: &str| {
        let answer = business.client.expect(200, &business.manager, "GET", list, None);
        answer[rows].as_array().unwrap().clone()
    };
    let currencies = "/nomenclators/currency?recordsPerPage=0";
    let currency = text(
        &all(currencies, "data")
            .into_iter()
            .find(|row| row["code"] == "EUR")
            .unwrap()["id"],
    );
    let groups = "/nomenclators/payment_group?recordsPerPage=0";
    let places = "/nomenclators/cuban_cities";
    let place = text(&all(places, "results")[0]["id"]);
    let priced = json!({"distributionFee": "1.00", "distributionFeeCurrency": "CUP"});
    business.as_manager(200, "PUT", &format!("/nomenclators/municipality/{place}"), priced);
    let cases = [
        (
            format!("/nomenclators/currency/{currency}"),
            currencies,
            "data",
            currency.as_str(),
            ["symbol", "distributionRate"],
            ["E1", "7.50", "E2"],
        ),
        (
            format!("/nomenclators/payment_group/{}", business.cup),
            groups,
            "data",
            business.cup.as_str(),
            ["exchangeRate", "name"],
            ["321", "CUP renamed", "322"],
        ),
        (
            format!("/nomenclators/municipality/{place}"),
            places,
            "results",
            place.as_str(),
            ["distributionFee", "distributionFeeCurrency"],
            ["2.00", "EUR", "3.00"],
        ),
    ];
    for (path, list, rows, id, [one, other], [first, second, third]) in cases {
        let get = || row_of(&business, list, rows, id);
        let put = |status: u16, body: Value| business.as_manager(status, "PUT", &path, body);
        let before = get();
        // Both authors read the record, and each changes a different field.
        put(200, json!({one: first, "was": {one: before[one]}}));
        put(200, json!({other: second, "was": {other: before[other]}}));
        let mut meant = before.clone();
        meant[one] = json!(first);
        meant[other] = json!(second);
        assert_eq!(get(), meant, "{path}: what was not sent stays");
        let head = server.head("acme");
        let refused = put(409, json!({one: third, "was": {one: before[one]}}));
        assert_eq!(refused["code"], "changed_since_read", "{path}");
        assert_eq!(
            (&refused["errors"][0]["field"], &refused["errors"][0]["now"]),
            (&json!(one), &json!(first)),
            "{path}"
        );
        assert_eq!(server.head("acme"), head, "{path}");
        put(200, json!({one: third, "was": {one: first}}));
        assert_eq!(get()[one], third, "{path}");
    }
}

#[test]
fn concurrent_changes_of_rules_and_permission_sets_are_merged_or_reported_field_by_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let added = |path: &str, body: Value| text(&business.as_manager(201, "POST", path, body)["id"]);
    let limit = json!({"side": "sender", "window": "days30", "amount": "100.00", "outcome": "needs",
                       "needs": ["document"]});
    let approval = json!({"kind": "expense", "makers": ["dealer"], "approvers": "manager", "expiresAfterHours": 24});
    let set = json!({"name": "Uno", "reads": ["reports"], "writes": ["sales"]});
    let cases = [
        (
            "/limit-rules",
            added("/limit-rules", limit),
            [
                ("amount", [json!("200.00"), json!("300.00")]),
                ("count", [json!(7), json!(8)]),
                ("needs", [json!(["document", "purpose"]), json!(["purpose"])]),
                ("groups", [json!([business.cup]), json!([])]),
            ],
        ),
        (
            "/approval-rules",
            added("/approval-rules", approval),
            [
                ("expiresAfterHours", [json!(48), json!(72)]),
                ("fromAmount", [json!("5.00"), Value::Null]),
                ("makers", [json!(["manager", "dealer"]), json!(["dealer"])]),
                ("approvers", [json!("agency"), json!("manager")]),
            ],
        ),
        (
            "/permission_sets",
            added("/permission_sets", set),
            [
                ("name", [json!("Dos"), json!("Tres")]),
                (
                    "reads",
                    [json!(["sales", "reports", "audit"]), json!(["sales", "audit"])],
                ),
                ("writes", [json!([]), json!(["sales", "customers"])]),
                ("name", [json!("Cuatro"), json!("Cinco")]),
            ],
        ),
    ];
    for (list, id, fields) in cases {
        let path = format!("{list}/{id}");
        let get = || row_of(&business, list, "results", &id);
        let put = |status: u16, body: Value| business.as_manager(status, "PUT", &path, body);
        let sorted = |value: &Value| match value {
            Value::Array(all) => {
                let mut all: Vec<String> = all.iter().map(text).collect();
                all.sort();
                json!(all)
            }
            one => one.clone(),
        };
        let before = get();
        for (field, [first, second]) in &fields {
            let was = get()[field].clone();
            put(200, json!({*field: first, "was": {*field: was}}));
            assert_eq!(sorted(&get()[field]), sorted(first), "{path} {field}");
            let head = server.head("acme");
            let refused = put(409, json!({*field: second, "was": {*field: was}}));
            assert_eq!(refused["code"], "changed_since_read", "{path} {field}");
            assert_eq!(refused["errors"][0]["field"], *field, "{path}");
            assert_eq!(server.head("acme"), head, "{path} {field}");
            put(200, json!({*field: second, "was": {*field: first}}));
        }
        // What is not sent stays.
        for field in ["side", "window", "outcome", "kind"] {
            assert_eq!(get()[field], before[field], "{path} {field}");
        }
    }
    // Without `was` all is replaced.
    let id = added(
        "/limit-rules",
        json!({"side": "sender", "window": "day", "count": 3, "outcome": "hold"}),
    );
    let path = format!("/limit-rules/{id}");
    let whole = json!({"side": "recipient", "window": "day", "amount": "5", "outcome": "refuse"});
    let replaced = business.as_manager(200, "PUT", &path, whole);
    assert_eq!(
        (&replaced["count"], &replaced["side"]),
        (&Value::Null, &json!("recipient"))
    );
    business.as_manager(422, "PUT", &path, json!({"amount": "6"}));
}

#[test]
fn concurrent_changes_of_an_access_and_of_settings_are_merged_or_reported_field_by_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let clerk = json!({"name": "Clerk", "email": "clerk@example.test", "password": PASSWORD});
    let clerk = text(&business.as_manager(201, "POST", "/users", clerk)["id"]);
    let path = format!("/users/{clerk}/access");
    let put = |status: u16, path: &str, body: Value| business.as_manager(status, "PUT", path, body);
    let conflict = |path: &str, body: Value, field: &str, now: Value| {
        let head = server.head("acme");
        let refused = put(409, path, body);
        assert_eq!(refused["code"], "changed_since_read", "{path}");
        assert_eq!(refused["errors"].as_array().unwrap().len(), 1, "{refused}");
        assert_eq!(
            (&refused["errors"][0]["field"], &refused["errors"][0]["now"]),
            (&json!(field), &now)
        );
        assert_eq!(server.head("acme"), head);
    };
    let ends = "2031-05-01T12:00:00.123Z";
    // Both managers read a full manager: one narrows, the other sets an end.
    put(
        200,
        &path,
        json!({"permissionSet": "auditor", "was": {"permissionSet": null}}),
    );
    let both = put(
        200,
        &path,
        json!({"accessExpiresAt": ends, "was": {"accessExpiresAt": null}}),
    );
    assert_eq!(
        (&both["permissionSet"], &both["accessExpiresAt"]),
        (&json!("auditor"), &json!(ends))
    );
    // Who read before would widen a narrowed member, and take the end away.
    conflict(
        &path,
        json!({"permissionSet": "operations", "was": {"permissionSet": null}}),
        "permissionSet",
        json!("auditor"),
    );
    conflict(
        &path,
        json!({"accessExpiresAt": "2030-01-01T00:00:00Z", "was": {"accessExpiresAt": null}}),
        "accessExpiresAt",
        json!(ends),
    );
    // The value as the row has it is the value; an equal one is no conflict, and nothing sent changes nothing.
    let seen = json!({"permissionSet": "auditor", "accessExpiresAt": both["accessExpiresAt"]});
    let head = server.head("acme");
    put(200, &path, json!({"was": seen}));
    put(
        200,
        &path,
        json!({"accessExpiresAt": "2031-05-01T12:00:00.123000Z", "was": {"accessExpiresAt": null}}),
    );
    assert_eq!(server.head("acme"), head);
    put(200, &path, json!({"accessExpiresAt": null, "was": seen}));
    // Without `was` all is replaced.
    let whole = put(200, &path, json!({}));
    assert_eq!(
        (&whole["permissionSet"], &whole["accessExpiresAt"]),
        (&Value::Null, &Value::Null)
    );

    let passwords = "/settings/passwords";
    put(200, passwords, json!({"policy": "long", "was": {"policy": "composed"}}));
    put(200, passwords, json!({"policy": "long", "was": {"policy": "composed"}}));
    conflict(
        passwords,
        json!({"policy": "composed", "was": {"policy": "composed"}}),
        "policy",
        json!("long"),
    );
    put(200, passwords, json!({"policy": "composed", "was": {"policy": "long"}}));

    let factors = "/settings/second_factor";
    put(200, factors, json!({"roles": ["agency"], "was": {"roles": []}}));
    let rule = put(200, factors, json!({"codeFrom": "500.00", "was": {"codeFrom": null}}));
    assert_eq!(
        (&rule["roles"], &rule["codeFrom"]),
        (&json!(["agency"]), &json!("500.00"))
    );
    conflict(
        factors,
        json!({"roles": ["dealer"], "was": {"roles": []}}),
        "roles",
        json!(["agency"]),
    );
    conflict(
        factors,
        json!({"codeFrom": "5.00", "was": {"codeFrom": null}}),
        "codeFrom",
        json!("500.00"),
    );
}

#[test]
fn concurrent_choices_of_lists_are_merged_or_reported_list_by_list() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    for list in ["ofac-sdn", "eu", "un"] {
        server.load_list(list, "id;name\n1;Somebody ELSE\n");
    }
    let put = |status: u16, lists: Value, was: Value| {
        let body = json!({"lists": lists, "was": {"lists": was}});
        business.as_manager(status, "PUT", "/screening/lists", body)
    };
    let chosen = |answer: &Value| {
        let lists = answer["lists"].as_array().unwrap().iter();
        let chosen = lists.filter(|list| list["enabled"] == true);
        let named: serde_json::Map<String, Value> = chosen
            .map(|list| (text(&list["name"]), list["threshold"].clone()))
            .collect();
        Value::Object(named)
    };
    let read = json!({"ofac-sdn": 86});
    business.as_manager(200, "PUT", "/screening/lists", json!({"lists": read}));
    // Both managers read the same choice: one adds UN, the other EU.
    put(200, json!({"ofac-sdn": 86, "un": 86}), read.clone());
    let both = put(200, json!({"ofac-sdn": 86, "eu": 90}), read.clone());
    assert_eq!(chosen(&both), json!({"ofac-sdn": 86, "eu": 90, "un": 86}));
    // The same list, changed twice.
    put(200, json!({"ofac-sdn": 80}), read.clone());
    let refused = put(409, json!({"ofac-sdn": 95}), read.clone());
    assert_eq!(refused["code"], "changed_since_read");
    assert_eq!(
        (&refused["errors"][0]["field"], &refused["errors"][0]["now"]),
        (&json!("lists.ofac-sdn"), &json!(80))
    );
    assert_eq!(refused["errors"].as_array().unwrap().len(), 1);
    // The one who saw the stored value replaces it; a list that was taken out meanwhile is null.
    put(200, json!({"eu": 90}), json!({"ofac-sdn": 80, "eu": 90}));
    let refused = put(
        409,
        json!({"ofac-sdn": 95, "eu": 90}),
        json!({"ofac-sdn": 80, "eu": 90}),
    );
    assert_eq!(refused["errors"][0]["now"], Value::Null);
    let done = put(
        200,
        json!({"ofac-sdn": 95, "eu": 90}),
        json!({"ofac-sdn": null, "eu": 90}),
    );
    assert_eq!(chosen(&done), json!({"ofac-sdn": 95, "eu": 90, "un": 86}));
}

/// Sets a commission, given the value that was read, and expects a status.
type Set<'s> = dyn Fn(u16, &Value, &Value) -> Value + 's;
/// Reads the record that has the commission.
type Get<'s> = dyn Fn() -> Value + 's;

#[test]
fn commissions_of_groups_and_terms_merge_part_by_part() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let commission = |rate: &str, minimum: Value, utility: Value| json!({"rate": rate, "utilityType": 0, "minimalAmount": minimum, "utilityValue": utility});
    let read = commission("5", Value::Null, Value::Null);
    let floored = commission("5", json!("50.00"), json!("4"));
    let group = format!("/nomenclators/payment_group/{}", business.cup);
    let terms = format!("/agency/exchange_rate/{}", business.agency);
    let set_group = |status, to: &Value, was: &Value| {
        let body = json!({"agencyCommission": to, "was": {"agencyCommission": was}});
        business.as_manager(status, "PUT", &group, body)
    };
    let set_terms = |status, to: &Value, was: &Value| {
        let body = json!({"paymentGroupId": business.cup, "agencyCommission": to, "was": {"agencyCommission": was}});
        business.as_manager(status, "PUT", &terms, body)
    };
    business.as_manager(200, "PUT", &group, json!({"agencyCommission": read, "was": {}}));
    let whole = json!({"paymentGroupId": business.cup, "agencyCommission": read});
    business.as_manager(200, "PUT", &terms, whole);
    let of_group = || {
        row_of(
            &business,
            "/nomenclators/payment_group?recordsPerPage=0",
            "data",
            &business.cup,
        )
    };
    let of_terms = || {
        let path = format!("/agency/{}", business.agency);
        let agency = business.client.expect(200, &business.manager, "GET", &path, None);
        let held = agency["paymentGroups"].as_array().unwrap().iter();
        held.clone()
            .find(|held| held["paymentGroupId"] == business.cup.as_str())
            .unwrap()
            .clone()
    };
    let both: [(&Set, &Get); 2] = [(&set_group, &of_group), (&set_terms, &of_terms)];
    for (set, get) in both {
        // One author adds a minimum, the other, who read the commission without it, changes the rate: both changes
        // are kept.
        set(200, &floored, &read);
        set(200, &commission("6", Value::Null, Value::Null), &read);
        assert_eq!(get()["agencyCommission"], commission("6", json!("50.00"), json!("4")));
        // Both authors changed the rate: the second gets a conflict for the rate alone.
        let refused = set(409, &commission("7", Value::Null, Value::Null), &read);
        let told: Vec<_> = refused["errors"].as_array().unwrap().iter().collect();
        assert_eq!(told.len(), 1, "{refused}");
        assert_eq!(
            (&told[0]["field"], &told[0]["now"]),
            (&json!("agencyCommission.rate"), &json!("6"))
        );
    }
    // The party's own form has the parts as separate fields.
    let own = |status, to: &str, was: &str| {
        let body = json!({"paymentGroupId": business.cup, "rate": to, "was": {"rate": was}});
        business.as_agency(status, "PUT", &terms, body)
    };
    assert_eq!(own(409, "8", "5")["errors"][0]["now"], "6");
    own(200, "8", "6");
    assert_eq!(
        of_terms()["agencyCommission"],
        commission("8", json!("50.00"), json!("4"))
    );
}

#[test]
fn concurrent_changes_of_terms_are_merged_or_reported_field_by_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let path = format!("/agency/exchange_rate/{}", business.agency);
    let put = |status, mut body: Value| {
        body["paymentGroupId"] = json!(business.cup);
        business.as_manager(status, "PUT", &path, body)
    };
    let held = |answer: &Value| {
        let groups = answer["paymentGroups"].as_array().unwrap().iter();
        groups
            .clone()
            .find(|held| held["paymentGroupId"] == business.cup.as_str())
            .unwrap()
            .clone()
    };
    let read = held(&put(200, json!({"exchangeRate": "310", "creditLimit": "100"})));
    put(
        200,
        json!({"exchangeRate": "311", "was": {"exchangeRate": read["exchangeRate"]}}),
    );
    let both = held(&put(
        200,
        json!({"creditLimit": "200", "was": {"creditLimit": read["creditLimit"]}}),
    ));
    assert_eq!(
        (&both["exchangeRate"], &both["creditLimit"], &both["groupName"]),
        (&json!("311"), &json!("200.00"), &read["groupName"])
    );
    let refused = put(
        409,
        json!({"exchangeRate": "312", "name": "Mine", "was": {"exchangeRate": "310", "name": read["groupName"]}}),
    );
    let told = &refused["errors"];
    assert_eq!(told.as_array().unwrap().len(), 1);
    assert_eq!(
        (&told[0]["field"], &told[0]["now"]),
        (&json!("exchangeRate"), &json!("311"))
    );
}

#[test]
fn a_remittances_history_has_the_old_and_new_value_of_each_edited_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let sold = text(&business.as_agency(201, "POST", "/remittances", business.sale("5"))["id"]);
    let details = format!("/remittances/details/{sold}");
    business.as_agency(200, "PUT", &details, json!({"notes": "Blue door"}));
    business.as_agency(
        200,
        "PUT",
        &details,
        json!({"notes": "Green door", "address": "Calle 25"}),
    );
    let amount = json!({"amount": "6", "paymentGroupId": business.cup});
    business.as_agency(200, "PUT", &format!("/remittances/{sold}"), amount);
    let call = Call::new("GET", &format!("/remittances/{sold}/history")).token(&business.agency_token);
    let history = business.client.send(call).body;
    let changes: Vec<&Value> = history["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["changes"])
        .collect();
    let change = |field: &str, before: Value, after: &str| json!({"field": field, "before": before, "after": after});
    assert_eq!(
        changes,
        [
            &json!([]),
            &json!([change("notes", Value::Null, "Blue door")]),
            &json!([
                change("address", Value::Null, "Calle 25"),
                change("notes", json!("Blue door"), "Green door")
            ]),
            &json!([
                change("amount", json!("5.00"), "6.00"),
                change("payout", json!("1600.00 CUP"), "1920.00 CUP")
            ]),
        ]
    );
}
