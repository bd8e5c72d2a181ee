//! Bad input gets a problem that names the field and the rule, and changes nothing: the log's head does not move.

use crate::support::{Answer, Business, Call, PASSWORD, Server, text};
use serde_json::{Value, json};

const TENANT: &str = "careful";

/// Sends requests that must be refused, and checks that nothing was written.
struct Refusals<'a> {
    server: &'a Server,
    business: &'a Business,
    wrong: Vec<String>,
}

impl Refusals<'_> {
    fn send(&mut self, call: Call, status: u16, place: &str) -> Answer {
        let before = self.server.head(TENANT);
        let answer = self.business.client.send(call);
        if answer.status != status {
            self.wrong.push(format!(
                "{place}: expected {status}, got {} {}",
                answer.status, answer.body
            ));
        }
        if self.server.head(TENANT) != before {
            self.wrong.push(format!("{place}: the log's end moved"));
        }
        answer
    }

    /// A call that must be refused with exactly these fields and rules.
    fn fields(&mut self, token: &str, method: &str, path: &str, body: &Value, expected: &[(&str, &str)]) {
        let place = format!("{method} {path} {body}");
        let answer = self.send(Call::new(method, path).token(token).json(body), 422, &place);
        let found: Vec<(&str, &str)> = answer.body["errors"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|error| {
                (
                    error["field"].as_str().unwrap_or("?"),
                    error["code"].as_str().unwrap_or("?"),
                )
            })
            .collect();
        if found != expected {
            self.wrong
                .push(format!("{place}: expected {expected:?}, got {}", answer.body));
        }
        let told = answer.body["errors"].as_array().into_iter().flatten();
        for error in told.filter(|error| error["detail"] == error["code"]) {
            self.wrong.push(format!("{place}: no text for {}", error["code"]));
        }
    }

    /// A call that must be refused without a field.
    fn whole(&mut self, call: Call, status: u16, code: &str, place: &str) {
        let answer = self.send(call, status, place);
        if answer.body["code"] != code || answer.body["detail"] == code {
            self.wrong
                .push(format!("{place}: expected {code} with a text, got {}", answer.body));
        }
    }
}

fn over(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

#[test]
fn bad_input_is_refused_by_field_and_rule_and_changes_nothing() {
    let server = Server::start(&[TENANT, "foreign"]);
    let business = Business::new(&server, TENANT);
    let foreign = Business::new(&server, "foreign");
    business.fund("1000000.00");
    let mut refusals = Refusals {
        server: &server,
        business: &business,
        wrong: Vec::new(),
    };
    let (manager, agency) = (business.manager.clone(), business.agency_token.clone());

    amounts_and_currencies(&mut refusals, &manager, &agency);
    rates(&mut refusals, &manager);
    ids_of_others(&mut refusals, &foreign, &manager, &agency);
    closed_groups(&mut refusals, &manager, &agency);
    shapes(&mut refusals, &manager);
    lists(&mut refusals, &manager);
    assert!(refusals.wrong.is_empty(), "{:#?}", refusals.wrong);
}

fn amounts_and_currencies(refusals: &mut Refusals<'_>, manager: &str, agency: &str) {
    let deposit = json!({"currency": "CUP", "amount": "10.00"});
    for (currency, code) in [
        (json!("ZZZ"), "currency_unknown"),
        (json!("usd"), "currency_code_invalid"),
        (json!("DOLLARS"), "currency_code_invalid"),
        (json!(5), "text_expected"),
        (Value::Null, "required"),
    ] {
        let body = over(&deposit, "currency", currency);
        refusals.fields(
            manager,
            "POST",
            "/sources/deposit/manager",
            &body,
            &[("currency", code)],
        );
    }
    let huge: Value = serde_json::from_str("10000000000000").unwrap();
    let exponent: Value = serde_json::from_str("1e3").unwrap();
    for (amount, code) in [
        (json!("-5"), "amount_not_positive"),
        (json!("0"), "amount_not_positive"),
        (json!("1.005"), "amount_too_many_decimals"),
        (json!("1000000000000.01"), "amount_too_large"),
        (huge, "amount_too_large"),
        (json!("999999999999999999999999"), "amount_too_large"),
        (json!("1e3"), "number_invalid"),
        (json!("1,5"), "number_invalid"),
        (json!(""), "number_invalid"),
        (json!("NaN"), "number_invalid"),
        (json!(true), "number_invalid"),
        (json!({}), "number_invalid"),
        (Value::Null, "required"),
    ] {
        let body = over(&deposit, "amount", amount.clone());
        refusals.fields(manager, "POST", "/sources/deposit/manager", &body, &[("amount", code)]);
        let body = over(&refusals.business.sale("1"), "amount", amount);
        refusals.fields(agency, "POST", "/remittances", &body, &[("amount", code)]);
    }
    // serde_json would normalise 1e3, so the body is sent as text.
    assert!(exponent.is_number());
    let call = Call::new("POST", "/sources/deposit/manager").token(manager);
    let body = r#"{"currency": "CUP", "amount": 1e3}"#;
    let answer = refusals.send(call.raw("application/json", body), 422, body);
    assert_eq!(answer.body["errors"][0]["code"], "number_invalid");

    let path = format!("/remittances/fees?PaymentGroupId={}&Amount=", refusals.business.cup);
    for (amount, code) in [
        ("-1", "amount_not_positive"),
        ("1.001", "amount_too_many_decimals"),
        ("x", "number_invalid"),
    ] {
        let answer = refusals.send(Call::new("GET", &format!("{path}{amount}")).token(agency), 422, amount);
        assert_eq!(answer.body["errors"][0]["field"], "Amount", "{}", answer.body);
        assert_eq!(answer.body["errors"][0]["code"], code, "{}", answer.body);
    }
}

fn rates(refusals: &mut Refusals<'_>, manager: &str) {
    let group =
        json!({"name": "EUR home", "currencyTo": "EUR", "exchangeRate": "0.9", "managerCommission": {"rate": "2"}});
    for (rate, code) in [
        (json!("0"), "rate_not_positive"),
        (json!("-1"), "rate_not_positive"),
        (json!(0), "rate_not_positive"),
        (json!("1e2"), "number_invalid"),
        (json!("1000001"), "rate_out_of_range"),
        (json!("0.0000000000001"), "rate_out_of_range"),
    ] {
        let body = over(&group, "exchangeRate", rate.clone());
        refusals.fields(
            manager,
            "POST",
            "/nomenclators/payment_group",
            &body,
            &[("exchangeRate", code)],
        );
        let (dealer, path) = (refusals.business.dealer.clone(), "/dealer/transfer");
        let transfer =
            json!({"from": dealer, "to": dealer, "currency": "CUP", "amount": "1", "toCurrency": "USD", "rate": rate});
        refusals.fields(manager, "POST", path, &transfer, &[("rate", code)]);
        let path = format!("/agency/exchange_rate/{}", refusals.business.agency);
        let terms = json!({"paymentGroupId": refusals.business.cup, "exchangeRate": rate});
        refusals.fields(manager, "PUT", &path, &terms, &[("exchangeRate", code)]);
    }
    let body = over(&group, "managerCommission", json!({"rate": "100.01"}));
    let expected = [("managerCommission.rate", "percentage_out_of_range")];
    refusals.fields(manager, "POST", "/nomenclators/payment_group", &body, &expected);
}

fn ids_of_others(refusals: &mut Refusals<'_>, foreign: &Business, manager: &str, agency: &str) {
    let sale = refusals.business.sale("1.00");
    let (_, others) = refusals.business.issuer_with_recipient("Berta");
    for (field, id, code) in [
        ("recipientId", others.as_str(), "recipient_of_another_issuer"),
        ("recipientId", &foreign.recipient, "recipient_unknown"),
        ("senderId", &foreign.sender, "sender_unknown"),
        ("paymentGroupId", &foreign.cup, "payment_group_unknown"),
        ("paymentGroupId", "no id", "id_invalid"),
        ("senderId", "", "required"),
    ] {
        refusals.fields(
            agency,
            "POST",
            "/remittances",
            &over(&sale, field, json!(id)),
            &[(field, code)],
        );
    }
    let deposit = json!({"currency": "CUP", "amount": "1"});
    for id in [foreign.dealer.as_str(), "no-id", &refusals.business.agency] {
        let call = Call::new("POST", &format!("/sources/deposit/dealer/{id}"))
            .token(manager)
            .json(&deposit);
        let answer = refusals.send(call, 404, id);
        assert!(
            answer.body["code"].as_str().unwrap().ends_with("not_found"),
            "{}",
            answer.body
        );
    }
    let call = Call::new("GET", &format!("/customer/{}/details", foreign.sender)).token(manager);
    refusals.whole(call, 404, "customer_not_found", "a foreign customer");
    let call = Call::new("GET", "/agency").token(&foreign.manager);
    refusals.whole(call, 401, "token_of_another_tenant", "a foreign token");
}

fn closed_groups(refusals: &mut Refusals<'_>, manager: &str, agency: &str) {
    let (path, body) = (
        "/nomenclators/payment_group",
        |is_active: bool| json!({"name": "Closed", "currencyTo": "MLC", "exchangeRate": "1", "managerCommission": {"rate": "0"}, "isActive": is_active}),
    );
    let group = text(&refusals.business.as_manager(201, "POST", path, body(true))["id"]);
    let business = refusals.business;
    let terms = format!("/agency/exchange_rate/{}", business.agency);
    business.as_manager(
        200,
        "PUT",
        &terms,
        json!({"paymentGroupId": group, "creditLimit": "100"}),
    );
    business.as_manager(200, "PUT", &format!("{path}/{group}"), body(false));
    let expected = [("paymentGroupId", "payment_group_closed")];
    let sale = over(&business.sale("1.00"), "paymentGroupId", json!(group));
    refusals.fields(agency, "POST", "/remittances", &sale, &expected);
    let deposit = json!({"paymentGroupId": group, "amount": "1"});
    let path = format!("/sources/deposit/agency/{}", business.agency);
    refusals.fields(manager, "POST", &path, &deposit, &expected);
}

fn shapes(refusals: &mut Refusals<'_>, manager: &str) {
    let post = |path: &str| Call::new("POST", path).token(manager);
    let agency = "/agency";
    for garbage in [
        "",
        "{",
        "{\"name\": }",
        "nonsense",
        "{\"name\": \"x\"} trailing",
        "\u{0}",
    ] {
        let call = post(agency).raw("application/json", garbage);
        refusals.whole(call, 400, "json_unreadable", garbage);
    }
    for other in ["[]", "5", "\"text\"", "null"] {
        refusals.send(post(agency).raw("application/json", other), 422, other);
    }
    let call = post(agency).raw("text/plain", "{}");
    refusals.whole(call, 415, "content_type_not_json", "text/plain");
    let body = json!({"name": "x".repeat(300_000)});
    refusals.whole(post(agency).json(&body), 413, "body_too_large", "a body too large");

    let body =
        json!({"email": "nobody", "password": "weak", "paymentGroups": [{"paymentGroupId": "x", "creditLimit": "-"}]});
    let expected = [
        ("password", "password_length"),
        ("name", "required"),
        ("paymentGroups[0].paymentGroupId", "id_invalid"),
        ("paymentGroups[0].creditLimit", "number_invalid"),
    ];
    refusals.fields(manager, "POST", agency, &body, &expected);
    let body = json!({"name": "Agency", "email": "nobody", "password": PASSWORD});
    refusals.fields(manager, "POST", agency, &body, &[("email", "email_invalid")]);
    let body = json!({"currency": "CUP", "amount": "1", "amuont": "2"});
    refusals.fields(
        manager,
        "POST",
        "/sources/deposit/manager",
        &body,
        &[("amuont", "field_unknown")],
    );
    let body = json!({"customerId": refusals.business.recipient, "brand": "bandec_mlc", "cardNumber": "1234"});
    refusals.fields(
        manager,
        "POST",
        "/customer/add_card",
        &body,
        &[("cardNumber", "card_number_not_16_digits")],
    );
}

fn lists(refusals: &mut Refusals<'_>, manager: &str) {
    for (path, field, code) in [
        ("/remittances?status=7", "status", "value_unknown"),
        ("/remittances?initDate=2026-01-01", "initDate", "date_invalid"),
        ("/remittances?colour=blue", "colour", "filter_unknown"),
        ("/remittances?sort=colour", "sort", "sort_unknown"),
        ("/agency?RecordsPerPage=101", "RecordsPerPage", "number_out_of_range"),
        ("/agency?CurrentPage=0", "CurrentPage", "number_out_of_range"),
    ] {
        let answer = refusals.send(Call::new("GET", path).token(manager), 422, path);
        let error = &answer.body["errors"][0];
        assert_eq!(
            (error["field"].as_str(), error["code"].as_str()),
            (Some(field), Some(code)),
            "{path}"
        );
    }
}
