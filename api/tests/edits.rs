//! Edits: fields absent from a partial request stay, and fields that the caller may not change are refused.

use crate::support::{Business, Call, PASSWORD, Server, text};
use serde_json::{Value, json};

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

#[test]
fn a_partial_change_of_a_place_keeps_absent_fields() {
    let server = Server::start(&["places"]);
    let business = Business::new(&server, "places");
    let path = format!("/nomenclators/municipality/{}", business.municipality);
    let fee = json!({"distributionFee": "200.00", "distributionFeeCurrency": "CUP"});
    let put = |body: Value| business.as_manager(200, "PUT", &path, body);
    assert_eq!(put(fee)["distributionFee"], "200.00");
    let disabled = put(json!({"enabled": false}));
    assert_eq!(
        (&disabled["distributionFee"], &disabled["enabled"]),
        (&json!("200.00"), &json!(false))
    );
    let whole = put(disabled);
    let removed = put(json!({"distributionFee": null, "enabled": true}));
    assert_eq!(whole["distributionFeeCurrency"], "CUP");
    assert_eq!(
        (&removed["distributionFee"], &removed["enabled"]),
        (&Value::Null, &json!(true))
    );
    let answer = business.as_manager(422, "PUT", &path, json!({"name": "Elsewhere", "distributionFee": "1"}));
    let codes: Vec<_> = answer["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["code"])
        .collect();
    assert_eq!(codes, ["name_is_fixed", "required"]);

    let path = format!("/nomenclators/province/{}", business.province);
    assert_eq!(
        business.as_manager(200, "PUT", &path, json!({"enabled": false}))["enabled"],
        false
    );
    business.fund("100000.00");
    let refused = business.as_agency(422, "POST", "/remittances", business.sale("10.00"));
    assert_eq!(refused["errors"][0]["code"], "municipality_disabled");
}

#[test]
fn a_party_sets_its_own_commission_and_its_superior_sets_the_rest() {
    let server = Server::start(&["terms"]);
    let business = Business::new(&server, "terms");
    let path = format!("/agency/exchange_rate/{}", business.agency);
    let group = &business.cup;
    let edit = json!({"currencyFrom": "USD", "currencyTo": "CUP", "name": "CUP home", "type": 1, "isActive": true,
        "paymentGroupId": group, "exchangeRate": "320", "rate": "3", "utilityType": 1, "minimalAmount": 50, "utilityValue": 7.5});
    business.as_agency(200, "PUT", &path, edit);
    let terms = business.as_agency(200, "PUT", &path, json!({"paymentGroupId": group, "rate": "4"}));
    let commission = &terms["paymentGroups"][0]["agencyCommission"];
    assert_eq!(
        commission,
        &json!({"rate": "4", "utilityType": 1, "minimalAmount": "50.00", "utilityValue": "7.5"})
    );
    let object = json!({"paymentGroupId": group, "agencyCommission": {"minimalAmount": null}});
    let terms = business.as_agency(200, "PUT", &path, object);
    assert_eq!(
        terms["paymentGroups"][0]["agencyCommission"]["minimalAmount"],
        Value::Null
    );
    assert_eq!(terms["paymentGroups"][0]["agencyCommission"]["rate"], "4");

    let own = json!({"paymentGroupId": group, "exchangeRate": "999"});
    let refused = business.as_agency(403, "PUT", &path, own.clone());
    assert_eq!(refused["code"], "terms_set_from_above");
    let terms = business.as_manager(200, "PUT", &path, own);
    assert_eq!(terms["paymentGroups"][0]["exchangeRate"], "999");
    let other = json!({"paymentGroupId": group, "currencyTo": "EUR", "type": 0});
    let refused = business.as_manager(422, "PUT", &path, other);
    let codes: Vec<_> = refused["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["code"])
        .collect();
    assert_eq!(codes, ["party_type_is_one", "currency_is_fixed"]);
}

#[test]
fn parties_are_changed_and_deactivated_by_their_superiors() {
    let server = Server::start(&["people"]);
    let business = Business::new(&server, "people");
    let agent = json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1});
    let agent = text(&business.as_agency(201, "POST", "/agent", agent)["id"]);
    let path = format!("/agent/{agent}");
    let mut whole = get(&business, &path);
    assert_eq!(whole["agencyId"], business.agency.as_str());
    whole["phone"] = json!("+13055550100");
    whole["password"] = json!("Another#2026");
    let changed = business.as_agency(200, "PUT", &path, whole.clone());
    assert_eq!(
        (&changed["phone"], &changed["name"]),
        (&json!("+13055550100"), &json!("Agent"))
    );
    business.client.login("agent@example.test", "Another#2026");
    whole["agencyId"] = Value::Null;
    whole["agentType"] = json!(0);
    let refused = business.as_agency(422, "PUT", &path, whole);
    let codes: Vec<_> = refused["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["code"])
        .collect();
    assert_eq!(codes, ["agent_type_is_fixed", "party_above_is_fixed"]);

    let dealer = get(&business, &format!("/dealer?ReceiverId={}", business.dealer));
    assert_eq!(dealer["id"], business.dealer.as_str());
    let change = json!({"id": business.dealer, "name": "Dealer", "email": "dealer@example.test", "handleMLC": false});
    let changed = business.as_manager(200, "PUT", "/dealer", change);
    assert_eq!(
        (&changed["handleMLC"], &changed["zones"]),
        (&json!(false), &dealer["zones"])
    );
    let change = json!({"id": business.agency, "name": "Agency", "email": "agency@example.test"});
    business.as_manager(200, "PUT", "/agency", change.clone());
    assert_eq!(
        business.as_manager(404, "PUT", "/dealer", change)["code"],
        "party_not_found"
    );

    let path = format!("/agency/{}", business.agency);
    let gone = business.client.expect(200, &business.manager, "PUT", &path, None);
    assert_eq!(gone["isActive"], false);
    let login = json!({"email": "agency@example.test", "password": PASSWORD});
    let refused = business.client.send(Call::new("POST", "/auth0/login").json(&login));
    assert_eq!(refused.status, 401, "{}", refused.body);
}

#[test]
fn a_bulk_assignment_answers_per_row_and_repeats_its_answer() {
    let server = Server::start(&["bulk"]);
    let business = Business::new(&server, "bulk");
    business.fund("100000.00");
    let sell = || text(&business.as_agency(201, "POST", "/remittances", business.sale("10.00"))["id"]);
    let (first, second, canceled) = (sell(), sell(), sell());
    let reason = json!({"reason": "a mistake"});
    business.as_agency(200, "POST", &format!("/remittances/{canceled}/cancel"), reason);
    let nobody = "0199c0de-0000-7000-8000-000000000000";
    let body = json!({"remittanceIds": [first, canceled, nobody, second], "dealerId": business.dealer});
    let assign = || {
        let call = Call::new("PUT", "/remittances/assign/dealer").token(&business.manager);
        business.client.send(call.key("bulk-1").json(&body)).body
    };
    let answer = assign();
    let rows = answer["results"].as_array().unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row["ok"] == true, row["problem"]["code"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (true, None),
            (false, Some("remittance_is_canceled")),
            (false, Some("remittance_not_found")),
            (true, None),
        ]
    );
    assert_eq!(assign(), answer);
    assert_eq!(business.balance("remittances_shipping", "CUP"), "-6400.00");
}

#[test]
fn a_used_key_refuses_a_bulk_assignment_of_another_list_as_a_whole() {
    let server = Server::start(&["keys"]);
    let business = Business::new(&server, "keys");
    business.fund("100000.00");
    let sell = || text(&business.as_agency(201, "POST", "/remittances", business.sale("10.00"))["id"]);
    let (first, second, third, canceled) = (sell(), sell(), sell(), sell());
    let reason = json!({"reason": "a mistake"});
    business.as_agency(200, "POST", &format!("/remittances/{canceled}/cancel"), reason);
    let assign = |key: &str, ids: &[&String]| {
        let body = json!({"remittanceIds": ids, "dealerId": business.dealer});
        let call = Call::new("PUT", "/remittances/assign/dealer").token(&business.manager);
        business.client.send(call.key(key).json(&body))
    };
    let status = |id: &str| get(&business, &format!("/remittances/{id}"))["status"].clone();

    // A list of which nothing is assigned leaves its key unused.
    assert_eq!(assign("bulk-1", &[&canceled]).body["results"][0]["ok"], false);
    let done = assign("bulk-1", &[&canceled, &first, &second]);
    let rows = done.body["results"].as_array().unwrap().iter();
    let told: Vec<_> = rows.map(|row| row["ok"] == true).collect();
    assert_eq!(told, [false, true, true]);
    let head = server.head("keys");
    for ids in [
        vec![&third],
        vec![&third, &first],
        vec![&first, &third],
        vec![&canceled, &third],
        vec![&first, &canceled, &second],
    ] {
        let refused = assign("bulk-1", &ids);
        assert_eq!(
            (refused.status, refused.code()),
            (422, "idempotency_key_reused"),
            "{}",
            refused.body
        );
    }
    assert_eq!((server.head("keys"), status(&third)), (head, json!(0)));
    assert_eq!(assign("bulk-1", &[&canceled, &first, &second]).body, done.body);
    assert_eq!(assign("bulk-2", &[&third]).body["results"][0]["ok"], true);
    // A key of another call is used too.
    let path = format!("/remittances/{third}/assign/dealer");
    let one = Call::new("PUT", &path).token(&business.manager).key("one");
    let one = business.client.send(one.json(&json!({"dealerId": business.dealer})));
    assert_eq!(one.status, 200, "{}", one.body);
    assert_eq!(assign("one", &[&first]).code(), "idempotency_key_reused");
}

#[test]
fn terms_in_a_change_of_a_seller_are_those_that_stand_or_are_refused() {
    let server = Server::start(&["terms"]);
    let business = Business::new(&server, "terms");
    let path = format!("/agency/{}", business.agency);
    let whole = get(&business, &path);
    let mut sent = whole.clone();
    sent["city"] = json!("Miami");
    let changed = business.as_manager(200, "PUT", "/agency", sent.clone());
    assert_eq!(
        (&changed["city"], &changed["paymentGroups"]),
        (&json!("Miami"), &whole["paymentGroups"])
    );
    for (part, value, code) in [
        ("creditLimit", json!("500000"), "terms_set_by_another_call"),
        ("exchangeRate", json!("1"), "terms_set_by_another_call"),
        ("agencyCommission", json!({"rate": "99"}), "terms_set_by_another_call"),
        ("isActive", json!(false), "terms_set_by_another_call"),
        ("name", json!("Mine"), "terms_set_by_another_call"),
        ("creditlimit", json!("500000"), "field_unknown"),
        ("paymentGroupId", json!(business.dealer), "terms_set_by_another_call"),
    ] {
        let mut other = sent.clone();
        other["paymentGroups"][0][part] = value;
        other["city"] = json!("Tampa");
        let refused = business.as_manager(422, "PUT", "/agency", other);
        assert_eq!(
            (&refused["errors"][0]["field"], &refused["errors"][0]["code"]),
            (&json!(format!("paymentGroups[0].{part}")), &json!(code)),
            "{refused}"
        );
    }
    assert_eq!(get(&business, &path)["city"], "Miami");
    // What is misspelt in new terms or in `was` is named.
    let new = json!({"name": "New", "email": "new@example.test", "password": PASSWORD,
                     "paymentGroups": [{"paymentGroupId": business.cup, "creditlimit": "5"}]});
    let refused = business.as_manager(422, "POST", "/agency", new);
    assert_eq!(refused["errors"][0]["field"], "paymentGroups[0].creditlimit");
    let change = json!({"name": "Anna", "was": {"nme": "Ana"}});
    let refused = business.as_agency(422, "PUT", &format!("/customer/{}", business.sender), change);
    assert_eq!(
        (&refused["errors"][0]["field"], &refused["errors"][0]["code"]),
        (&json!("was.nme"), &json!("field_unknown"))
    );
}

#[test]
fn a_sale_is_refused_where_its_seller_is_named_and_an_agency_beside_an_agent_must_be_the_agents() {
    let server = Server::start(&["sellers"]);
    let business = Business::new(&server, "sellers");
    business.fund("100000.00");
    let terms = json!({"paymentGroupId": business.cup, "agentCommission": {"rate": "1"}});
    let agent = |email: &str, agency: Value| {
        let body = json!({"name": "Agent", "email": email, "password": PASSWORD, "agentType": 1, "agencyId": agency,
                          "paymentGroups": [terms]});
        text(&business.as_manager(201, "POST", "/agent", body)["id"])
    };
    let (own, free) = (
        agent("own@example.test", json!(business.agency)),
        agent("free@example.test", Value::Null),
    );
    let refused = |by_manager: bool, named: Value| {
        let mut sale = business.sale("10.00");
        for (name, value) in named.as_object().unwrap() {
            sale[name] = value.clone();
        }
        let path = "/remittances?preview=true";
        let refused = if by_manager {
            business.as_manager(422, "POST", path, sale)
        } else {
            business.as_agency(422, "POST", path, sale)
        };
        let error = &refused["errors"][0];
        (text(&error["field"]), text(&error["code"]))
    };
    let told = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    for (by_manager, named, expected) in [
        (
            true,
            json!({"agentId": business.dealer}),
            told("agentId", "seller_unknown"),
        ),
        (
            true,
            json!({"agencyId": business.dealer}),
            told("agencyId", "seller_unknown"),
        ),
        (false, json!({"agentId": free}), told("agentId", "seller_unknown")),
        (
            true,
            json!({"agentId": free, "agencyId": business.agency}),
            told("agencyId", "agency_of_another_agent"),
        ),
        (
            true,
            json!({"agentId": own, "agencyId": free}),
            told("agencyId", "agency_of_another_agent"),
        ),
    ] {
        assert_eq!(refused(by_manager, named.clone()), expected, "{named}");
    }
}

#[test]
fn details_are_edited_in_part_and_an_assignment_outside_the_dealers_area_is_warned_of() {
    let server = Server::start(&["details"]);
    let business = Business::new(&server, "details");
    business.fund("100000.00");
    let mut sale = business.sale("10.00");
    sale["notes"] = json!("ring twice");
    let sold = business.as_agency(201, "POST", "/remittances", sale);
    let id = text(&sold["id"]);
    let path = format!("/remittances/details/{id}");
    let edited = business.as_agency(200, "PUT", &path, json!({"address": "Calle 1"}));
    assert_eq!(
        (&edited["address"]["addressLine"], &edited["notes"]),
        (&json!("Calle 1"), &json!("ring twice"))
    );
    let edited = business.as_agency(200, "PUT", &path, json!({"notes": null}));
    assert_eq!(
        (&edited["address"]["addressLine"], &edited["notes"]),
        (&json!("Calle 1"), &Value::Null)
    );
    let edited = business.as_agency(200, "PUT", &path, json!({"address": null}));
    assert_eq!(edited["address"]["addressLine"], "Calle 23");
    let edited = business.as_agency(200, "PUT", &path, json!({"reference": " F-0107 "}));
    assert_eq!(edited["reference"], "F-0107");
    let found = get(&business, "/remittances?query=F-0107");
    assert_eq!(found["data"][0]["id"], id);
    // A second remittance can have this reference only after the first one has another.
    let other = business.as_agency(201, "POST", "/remittances", business.sale("11.00"));
    let other = format!("/remittances/details/{}", text(&other["id"]));
    let taken = business.as_agency(409, "PUT", &other, json!({"reference": "F-0107"}));
    assert_eq!(taken["code"], "reference_taken");
    let moved = json!({"reference": "F-0108", "was": {"reference": "F-0107"}});
    let edited = business.as_agency(200, "PUT", &path, moved);
    assert_eq!(
        (&edited["reference"], &edited["address"]["addressLine"]),
        (&json!("F-0108"), &json!("Calle 23"))
    );
    business.as_agency(200, "PUT", &other, json!({"reference": "F-0107"}));
    let edited = business.as_agency(200, "PUT", &path, json!({"reference": null}));
    assert_eq!(edited["reference"], Value::Null);

    let provinces = get(&business, "/nomenclators/cuban_states");
    let elsewhere = text(&provinces["results"][1]["id"]);
    let far = json!({"name": "Far", "email": "far@example.test", "password": PASSWORD, "provinceId": elsewhere});
    let far = text(&business.as_manager(201, "POST", "/dealer", far)["id"]);
    let path = format!("/remittances/{id}/assign/dealer");
    let assigned = business.as_manager(200, "PUT", &path, json!({"dealerId": far}));
    assert_eq!(assigned["warnings"][0]["code"], "outside_dealer_zones");
    let assigned = business.as_manager(200, "PUT", &path, json!({"dealerId": business.dealer}));
    assert_eq!(assigned.get("warnings"), None);
    let history = get(&business, &format!("/remittances/{id}/history"));
    let changes: Vec<_> = history["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["change"])
        .collect();
    assert_eq!(
        changes,
        [
            "created",
            "detailsEdited",
            "detailsEdited",
            "detailsEdited",
            "detailsEdited",
            "detailsEdited",
            "detailsEdited",
            "assigned",
            "assigned"
        ]
    );
    let told: Vec<_> = (4..=6).map(|edit| &history["data"][edit]["changes"]).collect();
    let reference = |before: Value, after: Value| json!([{"field": "reference", "before": before, "after": after}]);
    let (first, second) = (json!("F-0107"), json!("F-0108"));
    assert_eq!(
        told,
        [
            &reference(Value::Null, first.clone()),
            &reference(first, second.clone()),
            &reference(second, Value::Null)
        ]
    );
    let terms = get(&business, &format!("/remittances/{id}/payment_group"));
    assert_eq!(terms["exchangeRate"], "320");
    let desk = business.as_manager(
        200,
        "POST",
        "/remittances/dealer",
        json!({"agencyIds": [business.agency]}),
    );
    assert_eq!(desk["totalRecords"], 2);
}

#[test]
fn an_agency_quotes_for_its_own_agents_and_no_others() {
    let server = Server::start(&["quotes"]);
    let business = Business::new(&server, "quotes");
    let agent = |email: &str, agency: Option<&str>| {
        let mut body = json!({"name": "Agent", "email": email, "password": PASSWORD, "agentType": 1,
            "paymentGroups": [{"paymentGroupId": business.cup, "exchangeRate": "300"}]});
        if let Some(agency) = agency {
            body["agencyId"] = json!(agency);
        }
        text(&business.as_manager(201, "POST", "/agent", body)["id"]).to_owned()
    };
    let own = agent("own@example.test", Some(&business.agency));
    let foreign = agent("foreign@example.test", None);
    let quote = |status, token: &str, seller: &str| {
        let path = format!(
            "/remittances/fees?PaymentGroupId={}&Amount=10&sellerId={seller}",
            business.cup
        );
        business.client.expect(status, token, "GET", &path, None)
    };
    assert_eq!(quote(200, &business.agency_token, &own)["payout"], "3000.00");
    assert_eq!(
        quote(422, &business.agency_token, &foreign)["errors"][0]["code"],
        "seller_unknown"
    );
    let agents = business.client.login("own@example.test", PASSWORD);
    assert_eq!(quote(200, &agents, &own)["payout"], "3000.00");
    assert_eq!(
        quote(422, &agents, &business.agency)["errors"][0]["code"],
        "seller_unknown"
    );
}

#[test]
fn figures_above_the_list_of_remittances_follow_its_filters_only() {
    let server = Server::start(&["figures"]);
    let business = Business::new(&server, "figures");
    let figures = get(&business, "/remittances/summary?currency=CUP");
    assert_eq!(figures["total"], 0);
    assert_eq!(figures["statuses"].as_array().unwrap().len(), 5);
    for (parameter, code) in [
        ("sort=created", "filter_unknown"),
        ("format=csv", "filter_unknown"),
        ("status=9", "value_unknown"),
    ] {
        let refused = business.client.expect(
            422,
            &business.manager,
            "GET",
            &format!("/remittances/summary?{parameter}"),
            None,
        );
        assert_eq!(refused["errors"][0]["code"], code, "{parameter}");
    }
}

#[test]
fn a_movement_is_reversed_once_and_a_quote_computes_backwards() {
    let server = Server::start(&["back"]);
    let business = Business::new(&server, "back");
    let path = format!("/sources/deposit/{}", business.agency);
    let credit = json!({"paymentGroupId": business.cup, "amount": "3200.00", "onCredit": true, "note": "june"});
    let movement = business.as_manager(201, "POST", &path, credit);
    assert_eq!(
        (&movement["kind"], &movement["note"]),
        (&json!("balanceAssignment"), &json!("june"))
    );
    let debits = get(&business, "/sources/debits?status=open");
    assert_eq!(debits["data"][0]["outstanding"], "10.00");
    let assigned = get(
        &business,
        &format!("/agency/balance_assignments?AgencyId={}", business.agency),
    );
    assert_eq!(assigned["data"][0]["id"], movement["id"]);

    let fees = format!("/remittances/fees?PaymentGroupId={}&Payout=100", business.cup);
    let quote = business.client.expect(200, &business.agency_token, "GET", &fees, None);
    assert_eq!((&quote["amount"], &quote["payout"]), (&json!("0.32"), &json!("102.40")));
    assert_eq!(quote["remainingBalance"], "3097.60");
    let refused = business.client.expect(422, &business.manager, "GET", &fees, None);
    assert_eq!(
        (&refused["errors"][0]["field"], &refused["errors"][0]["code"]),
        (&json!("sellerId"), &json!("required"))
    );
    let fees = format!("{fees}&sellerId={}", business.agency);
    assert_eq!(get(&business, &fees), quote);

    let path = format!("/sources/movements/{}/reverse", text(&movement["id"]));
    let back = business.as_manager(200, "POST", &path, json!({"reason": "a mistake"}));
    assert_eq!(back["reversed"], true);
    let again = business.as_manager(409, "POST", &path, json!({"reason": "a mistake"}));
    assert_eq!(again["code"], "movement_already_reversed");
    assert_eq!(business.balance("balance", "CUP"), "0.00");
    assert_eq!(get(&business, "/sources/debits?status=void")["totalRecords"], 1);

    let closure = business.as_manager(201, "POST", "/accounting/closures", json!({"partyId": business.agency}));
    let found = get(&business, &format!("/accounting/closures/{}", text(&closure["id"])));
    assert_eq!(found, closure);
    let entries = get(&business, "/accounting/entries");
    assert!(entries["totalRecords"].as_u64().unwrap() >= 2, "{entries}");
    for (method, path, status) in [
        ("DELETE", format!("/nomenclators/payment_group/{}", business.cup), 409),
        (
            "DELETE",
            "/nomenclators/currency/0199c0de-0000-7000-8000-000000000000".to_owned(),
            404,
        ),
    ] {
        business.client.expect(status, &business.manager, method, &path, None);
    }
    let unused =
        json!({"name": "Unused", "currencyTo": "EUR", "exchangeRate": "0.9", "managerCommission": {"rate": 0}});
    let unused = text(&business.as_manager(201, "POST", "/nomenclators/payment_group", unused)["id"]);
    business.as_manager(204, "DELETE", "/nomenclators/payment_group", json!({"id": unused}));
}
