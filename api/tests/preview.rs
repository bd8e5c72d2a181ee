//! Previews and confirmed figures: a write takes effect with the confirmed figures or not at all.

use crate::support::{self, Business, Call, PASSWORD, Server, text};
use caudal_api::policy::{Access, TABLE, has_preview};
use serde_json::{Value, json};
use uuid::Uuid;

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

/// Sets the agency's rate for the group.
fn set_rate(business: &Business, rate: &str) {
    let path = format!("/agency/exchange_rate/{}", business.agency);
    business.as_manager(
        200,
        "PUT",
        &path,
        json!({"paymentGroupId": business.cup, "exchangeRate": rate}),
    );
}

#[test]
fn a_sale_is_refused_with_new_figures_if_the_rate_is_not_the_confirmed_one() {
    let server = Server::start(&["quotes"]);
    let business = Business::new(&server, "quotes");
    business.fund("100000.00");
    let confirmed = json!({"payout": "3200.00", "totalToPay": "10.30"});
    let sale = with(business.sale("10.00"), "expected", confirmed.clone());
    let sold = business.as_agency(201, "POST", "/remittances", sale.clone());

    set_rate(&business, "300");
    let head = server.head("quotes");
    let call = || {
        Call::new("POST", "/remittances")
            .token(&business.agency_token)
            .key("sale-2")
    };
    let refused = business.client.send(call().json(&sale));
    assert_eq!((refused.status, refused.code()), (409, "quote_changed"));
    assert_eq!(
        refused.body["figures"],
        json!({"payout": "3000.00", "payoutCurrency": "CUP", "totalToPay": "10.30", "totalCurrency": "USD",
               "exchangeRate": "300", "totalFee": "0.30"})
    );
    let path = format!("/remittances/{}", text(&sold["id"]));
    let edit = json!({"amount": "20", "paymentGroupId": business.cup,
                      "expected": {"payout": "6400.00", "totalToPay": "20.60"}});
    let edited = business.as_agency(409, "PUT", &path, edit);
    assert_eq!(
        (&edited["code"], &edited["figures"]["payout"]),
        (&json!("quote_changed"), &json!("6000.00"))
    );
    assert_eq!(server.head("quotes"), head, "nothing was written");

    let confirmed = json!({"payout": "3000", "totalToPay": 10.3});
    let again = business.client.send(call().json(&with(sale, "expected", confirmed)));
    assert_eq!(again.status, 201, "the key of a refused sale is free: {}", again.body);
    business.as_agency(201, "POST", "/remittances", business.sale("1"));
    let bad = with(business.sale("1"), "expected", json!({"payout": "x", "total": "1"}));
    let bad = business.as_agency(422, "POST", "/remittances", bad);
    assert_eq!(bad["errors"][0]["field"], "expected.total");
}

#[test]
fn assignments_exchanges_and_payments_are_bound_to_the_confirmed_figures() {
    let server = Server::start(&["money"]);
    let business = Business::new(&server, "money");
    let path = format!("/sources/deposit/{}", business.agency);
    let assign = json!({"paymentGroupId": business.cup, "amount": "3200", "onCredit": true,
                        "expected": {"totalToPay": "10.00"}});
    let first = business.as_manager(201, "POST", &path, assign.clone());
    set_rate(&business, "300");
    let refused = business.as_manager(409, "POST", &path, assign);
    assert_eq!(
        (&refused["code"], &refused["figures"]["totalToPay"]),
        (&json!("quote_changed"), &json!("10.67"))
    );

    let debit = text(&first["debitId"]);
    let pay = |amount: Option<&str>, expected: &str| json!({"debitIds": [debit], "amount": amount, "expected": {"totalToPay": expected}});
    business.as_manager(201, "POST", "/sources/pay_debits", pay(Some("4"), "4"));
    let refused = business.as_manager(409, "POST", "/sources/pay_debits", pay(None, "10"));
    assert_eq!(refused["figures"]["totalToPay"], "6.00");
    business.as_manager(201, "POST", "/sources/pay_debits", pay(None, "6"));

    let cash = format!("/sources/deposit/dealer/{}", business.dealer);
    business.as_manager(
        201,
        "POST",
        "/sources/deposit/manager",
        json!({"currency": "CUP", "amount": "9000"}),
    );
    business.as_manager(201, "POST", &cash, json!({"currency": "CUP", "amount": "9000"}));
    let exchange = |payout: &str| {
        json!({"from": business.dealer, "to": business.dealer, "currency": "CUP", "amount": "3300",
               "toCurrency": "USD", "rate": "0.003", "expected": {"payout": payout, "totalToPay": "3300"}})
    };
    let refused = business.as_manager(409, "POST", "/dealer/transfer", exchange("10"));
    assert_eq!(refused["figures"]["payout"], "9.90");
    business.as_manager(201, "POST", "/dealer/transfer", exchange("9.9"));
}

#[test]
fn a_preview_has_the_answer_of_the_write_and_stores_nothing() {
    let server = Server::start(&["previews"]);
    let business = Business::new(&server, "previews");
    let head = || server.head("previews");
    let path = format!("/sources/deposit/{}", business.agency);
    let assign = json!({"paymentGroupId": business.cup, "amount": "32000", "onCredit": true});
    let before = head();
    let call = |path: &str| Call::new("POST", path).token(&business.manager).key("assign");
    let preview = business
        .client
        .send(call(&format!("{path}?preview=true")).json(&assign));
    assert_eq!(preview.status, 200, "{}", preview.body);
    assert_eq!(preview.header("preference-applied"), "preview");
    assert_eq!(preview.body["figures"]["totalToPay"], "100.00");
    let transfers = preview.body["transfers"].as_array().unwrap();
    let debits = transfers.iter().find(|one| one["debit"]["kind"] == "debits").unwrap();
    assert_eq!(
        (&debits["debit"]["before"], &debits["debit"]["after"], &debits["amount"]),
        (&json!("0.00"), &json!("100.00"), &json!("100.00"))
    );
    let agency = business.client.expect(
        200,
        &business.manager,
        "GET",
        &format!("/agency/{}", business.agency),
        None,
    );
    assert_eq!(debits["debit"]["ownerName"], agency["name"]);
    assert_eq!(head(), before, "nothing was written");
    let done = business.client.send(call(&path).json(&assign));
    assert_eq!(done.status, 201, "the key was not used up: {}", done.body);
    assert_eq!(business.balance("debits", "USD"), "100.00");

    // A preview requested by a header, by another role; its refusal equals that of the write.
    let before = head();
    let sell = |amount: &str| {
        let call = Call::new("POST", "/remittances").token(&business.agency_token);
        business
            .client
            .send(call.header("Prefer", "preview").json(&business.sale(amount)))
    };
    let sale = sell("10");
    assert_eq!(
        (
            sale.status,
            &sale.body["figures"]["payout"],
            &sale.body["remainingBalance"]
        ),
        (200, &json!("3200.00"), &json!("28800.00"))
    );
    let told = &sale.body["transfers"][0];
    assert_eq!(told["debit"]["after"], "-28800.00");
    assert_eq!(told["debit"]["ownerName"], agency["name"]);
    assert_eq!(
        told["credit"]["after"],
        Value::Null,
        "what all have pending is not an agency's"
    );
    assert_eq!(told["credit"]["ownerName"], Value::Null);
    let refused = sell("1000");
    assert_eq!((refused.status, refused.code()), (409, "balance_insufficient"));
    // Another preference beside it may have any bytes.
    let beside = Call::new("POST", "/remittances")
        .token(&business.agency_token)
        .header("Prefer", "note=\"ñ\", preview");
    let beside = business.client.send(beside.json(&business.sale("10")));
    assert_eq!((beside.status, beside.header("preference-applied")), (200, "preview"));
    let wrong = business.client.send(
        Call::new("POST", "/remittances?preview=perhaps")
            .token(&business.agency_token)
            .json(&business.sale("1")),
    );
    assert_eq!(
        (wrong.status, wrong.body["errors"][0]["field"].as_str()),
        (422, Some("preview"))
    );
    assert_eq!(head(), before);
}

#[test]
fn a_preview_that_is_asked_for_in_another_form_is_refused_and_writes_nothing() {
    let server = Server::start(&["forms"]);
    let business = Business::new(&server, "forms");
    let head = server.head("forms");
    let customer = json!({"name": "Ana", "customerType": 0, "country": "US"});
    let send = |query: &str, preference: Option<&str>| {
        let call = Call::new("POST", &format!("/customer{query}")).token(&business.agency_token);
        let call = match preference {
            Some(preference) => call.header("Prefer", preference),
            None => call,
        };
        business.client.send(call.json(&customer))
    };
    for query in [
        "?preview",
        "?preview=",
        "?preview=1",
        "?preview=yes",
        "?preview=TRUE",
        "?Preview",
    ] {
        let refused = send(query, None);
        let error = &refused.body["errors"][0];
        assert_eq!(
            (refused.status, &error["field"], &error["code"]),
            (422, &json!("preview"), &json!("preview_unclear")),
            "{query}: {}",
            refused.body
        );
    }
    for query in ["?preview=true&preview=false", "?preview=false&Preview=true"] {
        assert_eq!(send(query, None).status, 422, "{query}");
    }
    for preference in ["preview=true", "preview=false", "respond-async, Preview = \"x\""] {
        let refused = send("", Some(preference));
        assert_eq!(
            (refused.status, &refused.body["errors"][0]["field"]),
            (422, &json!("preview")),
            "{preference}"
        );
    }
    for (query, preference) in [
        ("?Preview=true", None),
        ("?PREVIEW=true", None),
        ("", Some("PREVIEW")),
        ("", Some("preview; note=x")),
        ("?preview=false", Some("respond-async,preview=\"\"")),
    ] {
        let previewed = send(query, preference);
        assert_eq!(
            (previewed.status, previewed.header("preference-applied")),
            (200, "preview"),
            "{query} {preference:?}: {}",
            previewed.body
        );
    }
    assert_eq!(server.head("forms"), head, "nothing was written");
    assert_eq!(send("?preview=false", Some("wait=5")).status, 201);
}

#[test]
fn previews_of_rates_and_of_the_office_change_nothing() {
    let server = Server::start(&["office"]);
    let business = Business::new(&server, "office");
    let head = server.head("office");
    let rates = json!({"rates": [{"kind": "terms", "partyId": business.agency, "paymentGroupId": business.cup,
                                  "from": "320", "to": "300"}]});
    business.as_manager(200, "POST", "/rates/changes?preview=true", rates);
    let set = json!({"name": "Cashiers", "reads": ["payments"], "writes": ["sales"]});
    business.as_manager(200, "POST", "/permission_sets?preview=true", set);
    let rule = json!({"roles": ["manager"]});
    business.as_manager(200, "PUT", "/settings/second_factor?preview=true", rule);
    let expires = chrono::Utc::now() + chrono::Duration::days(90);
    let key = json!({"name": "Shop", "scopes": ["customer:write"], "expiresAt": expires.to_rfc3339()});
    let key = business.as_agency(200, "POST", "/keys?preview=true", key);
    assert_eq!(key["secret"], Value::Null);
    assert_eq!(server.head("office"), head, "nothing was written");
}

#[test]
fn a_bulk_preview_answers_per_row_and_a_preview_of_a_delivery_stores_no_picture() {
    let server = Server::start(&["rows"]);
    let business = Business::new(&server, "rows");
    business.fund("100000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("10"));
    let id = text(&sold["id"]);
    let head = server.head("rows");
    let several = json!({"remittanceIds": [id, Uuid::now_v7()], "dealerId": business.dealer});
    let rows = business.as_manager(200, "PUT", "/remittances/assign/dealer?preview=true", several);
    assert_eq!(rows["results"][0]["preview"]["status"], 2);
    assert_eq!(rows["results"][1]["problem"]["code"], "remittance_not_found");
    assert_eq!(server.head("rows"), head);

    business.as_manager(
        200,
        "PUT",
        &format!("/remittances/{id}/assign/dealer"),
        json!({"dealerId": business.dealer}),
    );
    let picture = support::picture("proof");
    let complete = |query: &str| {
        let call = Call::new("POST", &format!("/remittances/{id}/complete{query}")).token(&business.manager);
        business.client.send(call.multipart([
            ("identificationDocument", "id.png", picture.as_slice()),
            ("firmPicture", "firm.png", picture.as_slice()),
        ]))
    };
    let preview = complete("?preview=true");
    assert_eq!(
        (preview.status, &preview.body["status"]),
        (200, &json!(3)),
        "{}",
        preview.body
    );
    let row = business
        .client
        .expect(200, &business.manager, "GET", &format!("/remittances/{id}"), None);
    assert_eq!(row["status"], 2);
    assert_eq!(complete("").status, 200);
}

#[test]
fn an_operation_without_a_preview_refuses_preview_requests() {
    let server = Server::start(&["none"]);
    let business = Business::new(&server, "none");
    let mut wrong = Vec::new();
    for row in TABLE.iter() {
        if row.method == "GET" || row.access == Access::Public {
            continue;
        }
        let path = row.path.trim_start_matches("/api");
        let path = path
            .replace("{id}", &Uuid::now_v7().to_string())
            .replace("{number}", "1")
            .replace("{email}", "x@example.test");
        let call = Call::new(row.method, &format!("{path}?preview=true")).token(&business.manager);
        let answer = business.client.send(call.raw("application/json", b"{}"));
        if answer.status == 403 {
            continue;
        }
        let refuses = answer.code() == "preview_not_available";
        if refuses == has_preview(row.path) || answer.status == 201 {
            wrong.push(format!(
                "{} {}: {} {}",
                row.method,
                row.path,
                answer.status,
                answer.code()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let login = json!({"email": "manager@example.test", "password": PASSWORD});
    let login = business
        .client
        .send(Call::new("POST", "/auth0/login?preview=true").json(&login));
    assert_eq!((login.status, login.code()), (422, "preview_not_available"));
}

#[test]
fn amounts_in_a_message_are_also_values_beside_its_code() {
    let server = Server::start(&["values"]);
    let business = Business::new(&server, "values");
    business.fund("32000.00");
    let refused = business.as_agency(409, "POST", "/remittances", business.sale("1000"));
    assert_eq!(
        refused["values"],
        json!([{"name": "available", "kind": "amount", "value": "32000.00"},
               {"name": "currency", "kind": "text", "value": "CUP"}])
    );
    assert_eq!(
        refused["template"],
        "The balance is not enough: {available} {currency} are available."
    );
    let refused = business.as_agency(422, "POST", "/remittances", json!({}));
    assert_eq!(refused.get("values"), None, "a text without values has none");
}

#[test]
fn a_preview_of_a_sale_reports_an_equal_recent_sale_in_the_callers_scope() {
    let server = Server::start(&["twins"]);
    let business = Business::new(&server, "twins");
    business.fund("100000.00");
    let asked = |amount: &str| {
        business.as_agency(200, "POST", "/remittances?preview=true", business.sale(amount))["warnings"].clone()
    };
    assert_eq!(asked("10"), json!([]));
    let first = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
    assert_eq!(
        asked("10"),
        json!([{"code": "sold_just_now",
                "detail": "An identical remittance was sold less than 10 minutes ago: R-000001.",
                "template": "An identical remittance was sold less than {max} minutes ago: {remittance}.",
                "values": [{"name": "max", "kind": "count", "value": "10"},
                           {"name": "remittance", "kind": "text", "value": "R-000001"}]}])
    );
    assert_eq!(asked("11"), json!([]), "another amount is another sale");
    let cancel = format!("/remittances/{}/cancel", text(&first["id"]));
    business.as_agency(200, "POST", &cancel, json!({"reason": "mistyped"}));
    assert_eq!(asked("10"), json!([]), "a canceled one is none");
    business.as_agency(201, "POST", "/remittances", business.sale("10"));
    business.as_agency(201, "POST", "/remittances", business.sale("10"));
}
