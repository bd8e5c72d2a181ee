//! Concurrency: one request repeated, and many sellers over one balance.

use crate::support::{self, Answer, Business, Call, PASSWORD, Server};
use serde_json::{Value, json};
use std::{collections::BTreeSet, sync::Barrier, thread};

/// Sends calls at the same time, each from its own thread.
fn at_once(business: &Business, calls: Vec<Call>) -> Vec<Answer> {
    let start = Barrier::new(calls.len());
    thread::scope(|scope| {
        let sent: Vec<_> = calls
            .into_iter()
            .map(|call| {
                let (client, start) = (business.client.clone(), &start);
                scope.spawn(move || {
                    start.wait();
                    client.send(call)
                })
            })
            .collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    })
}

fn count(answers: &[Answer], is: impl Fn(&Answer) -> bool) -> usize {
    answers.iter().filter(|answer| is(answer)).count()
}

#[test]
fn twenty_concurrent_repetitions_of_a_key_have_one_effect_and_one_answer() {
    let server = Server::start(&["retries"]);
    let business = Business::new(&server, "retries");
    let deposit = || {
        let body = json!({"currency": "USD", "amount": "250.00"});
        Call::new("POST", "/sources/deposit/manager")
            .token(&business.manager)
            .key("deposit-1")
            .json(&body)
    };
    let answers = at_once(&business, (0..20).map(|_| deposit()).collect());
    same(&answers);
    assert_eq!(business.balance("treasury", "USD"), "250.00");

    business.fund("100000.00");
    let sale = || {
        let body = business.sale("100.00");
        Call::new("POST", "/remittances")
            .token(&business.agency_token)
            .key("sale-1")
            .json(&body)
    };
    let answers = at_once(&business, (0..20).map(|_| sale()).collect());
    same(&answers);
    assert_eq!(answers[0].body["quote"]["remainingBalance"], "68000.00");
    assert_eq!(business.balance("balance", "CUP"), "-68000.00");
    let listed = business
        .client
        .expect(200, &business.manager, "GET", "/remittances", None);
    assert_eq!(listed["totalRecords"], 1);

    let body = business.sale("100.01");
    let other = Call::new("POST", "/remittances")
        .token(&business.agency_token)
        .key("sale-1")
        .json(&body);
    let answer = business.client.send(other);
    assert_eq!(
        (answer.status, &answer.body["code"]),
        (422, &json!("idempotency_key_reused"))
    );
}

/// Checks for one effect and nineteen repetitions of its answer.
fn same(answers: &[Answer]) {
    assert!(answers.iter().all(|answer| answer.status == 201), "{answers:#?}");
    let bodies: BTreeSet<String> = answers.iter().map(|answer| answer.body.to_string()).collect();
    assert_eq!(bodies.len(), 1, "{bodies:#?}");
    assert_eq!(count(answers, |answer| !answer.replayed), 1);
    let positions: BTreeSet<_> = answers.iter().map(|answer| answer.position).collect();
    assert_eq!(positions.len(), 1, "{positions:?}");
}

#[test]
fn a_form_repeated_under_its_key_completes_once_whatever_its_boundary() {
    let server = Server::start(&["forms"]);
    let business = Business::new(&server, "forms");
    business.fund("100000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
    let path = format!("/remittances/{}", sold["id"].as_str().unwrap());
    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("{path}/assign/dealer"), assign);
    let image = include_bytes!("worked_day/id.png").as_slice();
    let complete = || {
        let files = [
            ("identificationDocument", "id.png", image),
            ("firmPicture", "firm.png", image),
        ];
        let call = Call::new("POST", &format!("{path}/complete")).token(&business.manager);
        call.key("complete-1").multipart(files)
    };
    let answers = at_once(&business, (0..5).map(|_| complete()).collect());
    assert_eq!(count(&answers, |answer| answer.status == 200), 5, "{answers:#?}");
    assert_eq!(count(&answers, |answer| !answer.replayed), 1);
    assert_eq!(business.balance("field_cash", "CUP"), "-3200.00");
}

#[test]
fn a_recipient_saved_again_under_its_key_keeps_each_card_once() {
    let server = Server::start(&["cards"]);
    let business = Business::new(&server, "cards");
    let save = || {
        let body = json!({"name": "Delia", "customerType": 1, "senderId": business.sender, "card": [
            {"cardNumber": "9225 0612 3456 7890", "brand": "bandec_mlc", "currency": "MLC", "isDefault": false},
            {"cardNumber": "9204061234567890", "brand": "bandec_cup", "currency": "MLC", "isDefault": false},
        ]});
        Call::new("POST", "/customer/")
            .token(&business.agency_token)
            .key(&"d".repeat(200))
            .json(&body)
    };
    let answers = at_once(&business, (0..5).map(|_| save()).collect());
    let ids: BTreeSet<String> = answers.iter().map(|answer| support::text(&answer.body["id"])).collect();
    assert_eq!(ids.len(), 1, "{answers:#?}");
    let id = ids.first().unwrap();
    let cards = |status: u64| {
        let path = format!("/customer/{id}/cards");
        let cards = business.client.expect(200, &business.agency_token, "GET", &path, None);
        assert_eq!(cards["totalRecords"], status, "{cards}");
    };
    cards(2);
    let whole = business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/customer/{id}/details"),
        None,
    );
    business.as_agency(200, "PUT", &format!("/customer/{id}/"), whole);
    cards(2);
}

#[test]
fn a_card_that_a_recipient_has_is_refused_at_its_number_and_a_repetition_is_answered_again() {
    let server = Server::start(&["again"]);
    let business = Business::new(&server, "again");
    let number = "9225061234567890";
    let add = |key: &str, number: &str| {
        let card = json!({"customerId": business.recipient, "cardNumber": number, "brand": "bandec_mlc"});
        let call = Call::new("POST", "/customer/add_card").token(&business.agency_token);
        business.client.send(call.key(key).json(&card))
    };
    let first = add("first", "9225 0612-3456 7890");
    assert_eq!(first.status, 201, "{}", first.body);
    let refused = add("other", number);
    assert_eq!((refused.status, refused.code()), (409, "card_exists"));
    assert_eq!(refused.body["errors"][0]["field"], "cardNumber");
    let again = add("first", "9225 0612-3456 7890");
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.header("idempotency-replayed"), "true");
    // At the same time, each under a key of its own.
    let other = |key: usize| {
        let card = json!({"customerId": business.recipient, "cardNumber": "9225060000000001", "brand": "bandec_mlc"});
        let call = Call::new("POST", "/customer/add_card").token(&business.agency_token);
        call.key(&format!("other-{key}")).json(&card)
    };
    let answers = at_once(&business, (0..5).map(other).collect());
    assert_eq!(count(&answers, |answer| answer.status == 201), 1, "{answers:#?}");
    assert_eq!(count(&answers, |answer| answer.status == 409), 4, "{answers:#?}");

    // In the body of a recipient: nothing of it is changed, and of a new one nothing is added.
    let path = format!("/customer/{}", business.recipient);
    let card = json!({"cardNumber": number, "brand": "bandec_mlc"});
    let change = json!({"alias": "Otra", "card": [card], "was": {}});
    let refused = business.as_agency(409, "PUT", &path, change);
    assert_eq!(refused["errors"][0]["field"], "card[0].cardNumber", "{refused}");
    let read = |path: &str| {
        let path = format!("/customer/{}{path}", business.recipient);
        business.client.expect(200, &business.agency_token, "GET", &path, None)
    };
    assert_ne!(read("/details")["alias"], "Otra");
    assert_eq!(read("/cards")["totalRecords"], 2);
    let twice = json!({"name": "Delia", "customerType": 1, "senderId": business.sender, "card": [card, card]});
    let refused = business.as_agency(422, "POST", "/customer", twice);
    assert_eq!(refused["errors"][0]["field"], "card[1].cardNumber", "{refused}");
    assert_eq!(refused["errors"][0]["code"], "duplicate");
}

/// Number of sellers, and number of sales that the balance covers.
const SELLERS: usize = 50;
const AFFORDABLE: usize = 20;

#[test]
fn fifty_sellers_over_one_balance_sell_exactly_its_amount() {
    let server = Server::start(&["crowded"]);
    let business = Business::new(&server, "crowded");
    // 20 payouts of 32,000 CUP, and one cent less than a twenty-first.
    business.fund("671999.99");
    let clerks: Vec<String> = (0..SELLERS)
        .map(|number| {
            let email = format!("clerk{number}@example.test");
            let clerk = json!({"name": "Clerk", "email": email, "password": PASSWORD, "agentType": 0});
            business.as_agency(201, "POST", "/agent", clerk);
            business.client.login(&email, PASSWORD)
        })
        .collect();
    let body = business.sale("100.00");
    let sale = |token: &String| Call::new("POST", "/remittances").token(token).json(&body);
    let answers = at_once(&business, clerks.iter().map(sale).collect());
    assert_eq!(
        count(&answers, |answer| answer.status == 201),
        AFFORDABLE,
        "{answers:#?}"
    );
    let refused = |answer: &Answer| answer.status == 409 && answer.body["code"] == "balance_insufficient";
    assert_eq!(count(&answers, refused), SELLERS - AFFORDABLE, "{answers:#?}");

    let codes: BTreeSet<String> = answers
        .iter()
        .filter_map(|answer| answer.body["code"].as_str())
        .filter(|code| code.starts_with("R-"))
        .map(str::to_owned)
        .collect();
    let gapless: BTreeSet<String> = (1..=AFFORDABLE).map(|number| format!("R-{number:06}")).collect();
    assert_eq!(codes, gapless);
    assert_eq!(business.balance("balance", "CUP"), "-31999.99");
    assert_eq!(business.balance("remittances_pending", "CUP"), "-640000.00");
}

/// Number of concurrent senders of one action.
const EAGER: usize = 10;

/// Sends a call without a key from several threads: one succeeds, the others get a refusal.
fn once(business: &Business, method: &str, path: &str, body: &Value, done: u16, too_late: &str) -> Answer {
    let call = |_| Call::new(method, path).token(&business.manager).json(body);
    one_of(at_once(business, (0..EAGER).map(call).collect()), done, too_late)
}

fn one_of(answers: Vec<Answer>, done: u16, too_late: &str) -> Answer {
    let refused = |answer: &Answer| answer.status == 409 && answer.code() == too_late;
    assert_eq!(count(&answers, refused), EAGER - 1, "{answers:#?}");
    let done = answers.into_iter().find(|answer| answer.status == done);
    done.expect("one of them does it")
}

#[test]
fn of_ten_concurrent_equal_commands_one_takes_effect() {
    let server = Server::start(&["eager"]);
    let business = Business::new(&server, "eager");
    business.fund("100000.00");
    let sell = || {
        let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
        format!("/remittances/{}", support::text(&sold["id"]))
    };
    let reason = json!({"reason": "a petición del emisor"});

    let path = format!("{}/cancel", sell());
    once(&business, "POST", &path, &reason, 200, "remittance_is_canceled");
    assert_eq!(business.balance("balance", "CUP"), "-100000.00");
    assert_eq!(business.balance("commission_receivable", "USD"), "0.00");

    let path = sell();
    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("{path}/assign/dealer"), assign);
    let image = include_bytes!("worked_day/id.png").as_slice();
    let complete = |_| {
        let files = [
            ("identificationDocument", "id.png", image),
            ("firmPicture", "firm.png", image),
        ];
        let call = Call::new("POST", &format!("{path}/complete")).token(&business.manager);
        call.multipart(files)
    };
    let answers = at_once(&business, (0..EAGER).map(complete).collect());
    one_of(answers, 200, "remittance_is_completed");
    assert_eq!(business.balance("field_cash", "CUP"), "-3200.00");
    assert_eq!(business.balance("commission_income", "USD"), "-0.20");

    // Closed through yesterday: the period of today ends at the time of each request, so every request has another
    // period.
    let yesterday = (chrono::Utc::now() - chrono::Duration::days(2))
        .format("%Y%m%d")
        .to_string();
    let close = json!({"partyId": business.agency, "to": yesterday});
    once(
        &business,
        "POST",
        "/accounting/closures",
        &close,
        201,
        "period_already_closed",
    );
    let close = json!({"partyId": business.agency});
    let call = |_| {
        Call::new("POST", "/accounting/closures")
            .token(&business.manager)
            .json(&close)
    };
    let closed = at_once(&business, (0..EAGER).map(call).collect());
    let bills: Vec<_> = closed
        .iter()
        .filter_map(|answer| answer.body["debitId"].as_str())
        .collect();
    assert_eq!(bills.len(), 1, "the commission is billed once: {closed:#?}");
    assert_eq!(business.balance("debits", "USD"), "0.20");

    let pay = json!({"debitIds": bills});
    let payment = once(
        &business,
        "POST",
        "/sources/pay_debits",
        &pay,
        201,
        "debits_already_settled",
    );
    assert_eq!(business.balance("debits", "USD"), "0.00");

    let path = format!("/sources/movements/{}/reverse", support::text(&payment.body["id"]));
    once(&business, "POST", &path, &reason, 200, "movement_already_reversed");
    assert_eq!(business.balance("debits", "USD"), "0.20");
}

#[test]
fn of_ten_concurrent_registrations_of_an_address_one_succeeds() {
    let server = Server::start(&["namesakes"]);
    let business = Business::new(&server, "namesakes");
    let call = |number: usize| {
        // One e-mail address in different spellings, half from the manager and half from the agency.
        let email = if number < EAGER / 2 {
            "one@example.test"
        } else {
            "ONE@Example.test"
        };
        let body = json!({"name": format!("Namesake {number}"), "email": email, "password": PASSWORD, "agentType": 0,
                          "agencyId": business.agency});
        let token = if number.is_multiple_of(2) {
            &business.manager
        } else {
            &business.agency_token
        };
        Call::new("POST", "/agent").token(token).json(&body)
    };
    let answers = at_once(&business, (0..EAGER).map(call).collect());
    let made = one_of(answers, 201, "email_taken");
    let answer = business
        .client
        .send(Call::new("POST", "/auth0/login").json(&json!({"email": "one@example.test", "password": PASSWORD})));
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["profile"]["id"], made.body["id"], "{}", answer.body);
}

#[test]
fn an_amount_edited_during_its_assignment_ships_as_edited_or_is_refused() {
    let server = Server::start(&["edited"]);
    let business = Business::new(&server, "edited");
    business.fund("1000000.00");
    let mut shipped = 0;
    for round in 0..12 {
        let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
        let path = format!("/remittances/{}", support::text(&sold["id"]));
        let edit = json!({"amount": "25.00", "paymentGroupId": business.cup});
        let assign = json!({"dealerId": business.dealer});
        let edit = Call::new("PUT", &path).token(&business.agency_token).json(&edit);
        let assign = Call::new("PUT", &format!("{path}/assign/dealer"))
            .token(&business.manager)
            .json(&assign);
        let mut calls = vec![edit, assign];
        if round % 2 == 1 {
            calls.reverse();
        }
        let mut answers = at_once(&business, calls);
        if round % 2 == 1 {
            answers.reverse();
        }
        assert_eq!(answers[1].status, 200, "{answers:#?}");
        shipped += match (answers[0].status, answers[0].code()) {
            (200, _) => 800_000,
            (409, "remittance_is_in_shipping") => 320_000,
            _ => panic!("{answers:#?}"),
        };
        let now = business.client.expect(200, &business.manager, "GET", &path, None);
        assert_eq!(now["status"], 2, "{now}");
    }
    assert_eq!(business.balance("remittances_pending", "CUP"), "0.00");
    let wanted = format!("-{}.{:02}", shipped / 100, shipped % 100);
    assert_eq!(business.balance("remittances_shipping", "CUP"), wanted);
}

/// One author's edit, and the pointer to its value in the answer.
struct Edit {
    body: Value,
    place: &'static str,
    value: Value,
}

fn edit(body: Value, place: &'static str, value: impl Into<Value>) -> Edit {
    let value = value.into();
    Edit { body, place, value }
}

#[test]
fn concurrent_changes_of_different_fields_both_take_effect() {
    let server = Server::start(&["editors"]);
    let business = Business::new(&server, "editors");
    business.fund("100000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
    let manager = json!({"name": "User", "email": "user@example.test", "password": PASSWORD});
    let user = business.as_manager(201, "POST", "/users", manager);
    let user = format!("/users/{}", support::text(&user["id"]));
    let dealer = format!("/dealer/{}", business.dealer);
    let place = format!("/nomenclators/municipality/{}", business.municipality);
    let group = format!("/nomenclators/payment_group/{}", business.cup);
    let terms = format!("/agency/exchange_rate/{}", business.agency);
    let details = format!("/remittances/details/{}", support::text(&sold["id"]));
    for round in 1..=5 {
        let on = round % 2 == 0;
        let (text, rate) = (format!("Round {round}"), format!("30{round}"));
        let (zones, zone) = if on {
            (json!([]), ("/zones", json!([])))
        } else {
            let one = json!(business.municipality);
            (json!([one]), ("/zones/0/id", one))
        };
        let own = json!({"paymentGroupId": business.cup, "agencyCommission": {"rate": round.to_string()}});
        let set = json!({"paymentGroupId": business.cup, "exchangeRate": rate});
        let (fee, phone) = (format!("{round}.00"), format!("+53555{round:05}"));
        let fees = json!({"distributionFee": fee, "distributionFeeCurrency": "CUP"});
        let mut dealt = json!({"name": "Dealer", "email": "dealer@example.test"});
        let mut dealer_with = |field: &str, value: &Value| {
            dealt[field] = value.clone();
            let body = dealt.clone();
            dealt.as_object_mut().unwrap().remove(field);
            body
        };
        let (transfers, zoned) = (dealer_with("handleMLC", &json!(on)), dealer_with("zones", &zones));
        let group_with = |field: &str| {
            let mut body = json!({"name": "CUP home", "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}});
            body[field] = json!({"rate": round.to_string()});
            body
        };
        let cases = [
            (
                &user,
                edit(json!({"name": text}), "/name", text.as_str()),
                edit(json!({"phone": phone}), "/phone", phone.as_str()),
            ),
            (&dealer, edit(transfers, "/handleMLC", on), edit(zoned, zone.0, zone.1)),
            (
                &place,
                edit(fees, "/distributionFee", fee),
                edit(json!({"enabled": on}), "/enabled", on),
            ),
            (
                &group,
                edit(
                    group_with("agencyCommission"),
                    "/agencyCommission/rate",
                    round.to_string(),
                ),
                edit(
                    group_with("agentCommission"),
                    "/agentCommission/rate",
                    round.to_string(),
                ),
            ),
            (
                &terms,
                edit(set, "/paymentGroups/0/exchangeRate", rate.as_str()),
                edit(own, "/paymentGroups/0/agencyCommission/rate", round.to_string()),
            ),
            (
                &details,
                edit(json!({"notes": text}), "/notes", text.as_str()),
                edit(json!({"address": text}), "/address/addressLine", text.as_str()),
            ),
        ];
        for (path, one, other) in cases {
            let call = |edit: &Edit| Call::new("PUT", path).token(&business.manager).json(&edit.body);
            let answers = at_once(&business, vec![call(&one), call(&other)]);
            assert!(answers.iter().all(|answer| answer.status == 200), "{answers:#?}");
            let last = answers.iter().max_by_key(|answer| answer.position).unwrap();
            for Edit { place, value, .. } in [one, other] {
                assert_eq!(last.body.pointer(place), Some(&value), "{path} {place}: {answers:#?}");
            }
        }
    }
}

/// Sends two calls at the same time, the second one first in odd rounds, and returns their answers in order.
fn both(business: &Business, round: usize, calls: [Call; 2]) -> [Answer; 2] {
    let mut calls = Vec::from(calls);
    let is_turned = round % 2 == 1;
    if is_turned {
        calls.reverse();
    }
    let mut answers = at_once(business, calls);
    if is_turned {
        answers.reverse();
    }
    answers.try_into().unwrap()
}

#[test]
fn reviews_and_approvals_at_the_time_of_a_cancellation_an_edit_or_a_completion_leave_one_outcome_and_whole_books() {
    let server = Server::start(&["reviewed"]);
    let business = Business::new(&server, "reviewed");
    business.fund("1000000.00");
    let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let second = business.client.login("second@example.test", PASSWORD);
    let hold = json!({"side": "sender", "window": "day", "count": 0, "outcome": "hold"});
    let rule = business.as_manager(201, "POST", "/limit-rules", hold);
    let sell = || {
        let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
        format!("/remittances/{}", support::text(&sold["id"]))
    };
    let read = |path: &str| business.client.expect(200, &business.manager, "GET", path, None);
    let release = json!({"outcome": "release", "reason": "La conocemos"});
    let reason = json!({"reason": "a petición del emisor"});
    let post = |path: &str, token: &str, body: &Value| Call::new("POST", path).token(token).json(body);

    // A held remittance is released and canceled: it is canceled, whichever came first.
    for round in 0..4 {
        let path = sell();
        let calls = [
            post(&format!("{path}/holds/1/review"), &business.manager, &release),
            post(&format!("{path}/cancel"), &business.agency_token, &reason),
        ];
        let [released, canceled] = both(&business, round, calls);
        assert_eq!(canceled.status, 200, "{canceled:#?}");
        assert!([200, 409].contains(&released.status), "{released:#?}");
        assert_eq!(read(&path)["status"], 1);
    }
    assert_eq!(business.balance("remittances_pending", "CUP"), "0.00");

    // The release is approved while the amount is edited: it is released, and edited only after that.
    let roles = ["manager", "agency"];
    let needs = |kind: &str| json!({"kind": kind, "makers": roles, "approvers": "manager", "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", needs("hold_release"));
    let proposed = |path: &str, body: &Value| {
        let proposal = business.as_manager(202, "POST", path, body.clone());
        format!("/proposals/{}/approve", support::text(&proposal["id"]))
    };
    for round in 0..4 {
        let path = sell();
        let approve = proposed(&format!("{path}/holds/1/review"), &release);
        let edit = json!({"amount": "25.00", "paymentGroupId": business.cup});
        let calls = [
            post(&approve, &second, &json!({})),
            Call::new("PUT", &path).token(&business.agency_token).json(&edit),
        ];
        let [approved, edited] = both(&business, round, calls);
        assert_eq!(approved.status, 200, "{approved:#?}");
        let amount = match (edited.status, edited.code()) {
            (200, _) => "25.00",
            (409, "remittance_is_held") => "10.00",
            _ => panic!("{edited:#?}"),
        };
        let now = read(&path);
        assert_eq!((&now["amount"], &now["held"]), (&json!(amount), &json!(false)));
        business.as_agency(200, "POST", &format!("{path}/cancel"), reason.clone());
    }
    assert_eq!(business.balance("remittances_pending", "CUP"), "0.00");

    // A cancellation is approved while the delivery is recorded: one of them takes effect.
    let path = format!("/limit-rules/{}", support::text(&rule["id"]));
    business.as_manager(204, "DELETE", &path, json!({}));
    business.as_manager(201, "POST", "/approval-rules", needs("cancel_shipping"));
    let image = include_bytes!("worked_day/id.png").as_slice();
    let mut delivered = 0;
    for round in 0..4 {
        let path = sell();
        let assign = json!({"dealerId": business.dealer});
        business.as_manager(200, "PUT", &format!("{path}/assign/dealer"), assign);
        let approve = proposed(&format!("{path}/cancel"), &reason);
        let files = [
            ("identificationDocument", "id.png", image),
            ("firmPicture", "firm.png", image),
        ];
        let complete = Call::new("POST", &format!("{path}/complete"))
            .token(&business.manager)
            .multipart(files);
        let [approved, completed] = both(&business, round, [post(&approve, &second, &json!({})), complete]);
        let outcomes = (approved.status, completed.status, read(&path)["status"].as_i64());
        match outcomes {
            (200, 409, Some(1)) => {}
            (409, 200, Some(3)) => delivered += 1,
            _ => panic!("{outcomes:?} {approved:#?} {completed:#?}"),
        }
    }
    assert_eq!(business.balance("remittances_shipping", "CUP"), "0.00");
    let paid = match delivered {
        0 => "0.00".to_owned(),
        delivered => format!("-{}.00", delivered * 3200),
    };
    assert_eq!(business.balance("field_cash", "CUP"), paid);
}
