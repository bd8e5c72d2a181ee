//! Offline deliveries: their own delivery time, failed attempts, and deliveries that the server refused and the
//! office settles.

use crate::support::{Answer, Business, Call, PASSWORD, Server, text};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

const PNG: &[u8] = include_bytes!("worked_day/id.png");

/// A business whose dealer has a delivery man.
struct Round {
    business: Business,
    dealer: String,
    man: String,
    man_id: String,
}

impl Round {
    fn open(server: &Server) -> Self {
        let business = Business::new(server, "acme");
        business.fund("100000");
        let man = json!({"name": "Yoel", "email": "yoel@example.test", "password": PASSWORD,
                         "dealerId": business.dealer, "paymentGroups": []});
        let man_id = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
        Self {
            dealer: business.client.login("dealer@example.test", PASSWORD),
            man: business.client.login("yoel@example.test", PASSWORD),
            man_id,
            business,
        }
    }

    /// A remittance in shipping, carried by the delivery man.
    fn carried(&self) -> String {
        let sold = self
            .business
            .as_agency(201, "POST", "/remittances", self.business.sale("50"));
        let id = text(&sold["id"]);
        let assign = json!({"dealerId": self.business.dealer, "deliveryManId": self.man_id});
        self.business
            .as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
        id
    }

    fn complete(&self, id: &str, key: &str, delivered: DateTime<Utc>, or_dispute: bool) -> Answer {
        self.complete_at("complete", id, key, delivered, or_dispute)
    }

    fn complete_at(&self, at: &str, id: &str, key: &str, delivered: DateTime<Utc>, or_dispute: bool) -> Answer {
        let delivered = delivered.to_rfc3339();
        let or_dispute = or_dispute.to_string();
        let form = [
            ("identificationDocument", "id.png", PNG),
            ("firmPicture", "s.png", PNG),
            ("deliveredAt", "", delivered.as_bytes()),
            ("orDispute", "", or_dispute.as_bytes()),
        ];
        let call = Call::new("POST", &format!("/remittances/{id}/{at}"))
            .token(&self.man)
            .key(key)
            .multipart(form);
        self.business.client.send(call)
    }

    /// An offline delivery by the delivery man with its proof and these fields.
    fn offline(&self, id: &str, fields: &[(&'static str, &str)]) -> Answer {
        let proof = [
            ("identificationDocument", "id.png", PNG),
            ("firmPicture", "s.png", PNG),
            ("orDispute", "", b"true".as_slice()),
        ];
        let fields = fields.iter().map(|(field, value)| (*field, "", value.as_bytes()));
        let call = Call::new("POST", &format!("/remittances/{id}/complete")).token(&self.man);
        self.business
            .client
            .send(call.multipart(proof.into_iter().chain(fields)))
    }

    fn assign(&self, id: &str, body: Value) {
        self.business
            .as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), body);
    }

    /// Marks it as in error and sells it for another amount.
    fn reprice(&self, id: &str, amount: &str) {
        let path = format!("/remittances/{id}");
        let reason = json!({"reason": "el importe era otro"});
        self.business.as_manager(200, "PUT", &format!("{path}/error"), reason);
        let edit = json!({"amount": amount, "paymentGroupId": self.business.cup});
        self.business.as_agency(200, "PUT", &path, edit);
    }

    /// A remittance that the delivery man carried at another payout before: its id, the payout and a time of then.
    fn repriced(&self) -> (String, String, String) {
        let id = self.carried();
        let paid = text(&self.get(&self.man, &format!("/remittances/{id}"))["payout"]);
        let then = Utc::now().to_rfc3339();
        self.reprice(&id, "75");
        let assign = json!({"dealerId": self.business.dealer, "deliveryManId": self.man_id});
        self.assign(&id, assign);
        (id, paid, then)
    }

    /// The only dispute of a remittance.
    fn dispute(&self, token: &str, id: &str) -> Value {
        let found = self.get(token, &format!("/remittances/disputes?remittanceId={id}"));
        assert_eq!(found["totalRecords"], 1, "{found}");
        found["data"][0].clone()
    }

    fn get(&self, token: &str, path: &str) -> Value {
        self.business.client.expect(200, token, "GET", path, None)
    }

    fn cancel(&self, id: &str) {
        let reason = json!({"reason": "el cliente se arrepintió"});
        self.business
            .as_manager(200, "POST", &format!("/remittances/{id}/cancel"), reason);
    }

    fn settle(&self, token: &str, id: &str, reason: &str) -> Answer {
        let call = Call::new("PUT", &format!("/remittances/{id}/disputes/1"))
            .token(token)
            .json(&json!({"reason": reason}));
        self.business.client.send(call)
    }
}

fn changes(history: &Value) -> Vec<&str> {
    let rows = history["data"].as_array().unwrap().iter();
    rows.map(|row| row["change"].as_str().unwrap()).collect()
}

#[test]
fn a_refused_offline_delivery_becomes_a_dispute_with_its_proof_and_the_office_settles_it() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let (manager, id) = (round.business.manager.clone(), round.carried());
    let delivered = Utc::now();
    round.cancel(&id);

    let refused = round.complete(&id, "online", delivered, false);
    assert_eq!((refused.status, refused.code()), (409, "remittance_is_canceled"));
    let disputed = round.complete(&id, "offline", delivered, true);
    assert_eq!(
        (disputed.status, &disputed.body["refused"]),
        (202, &json!("remittance_is_canceled"))
    );
    assert_eq!(disputed.body["id"], json!(id));
    // A repetition after a lost answer and the same delivery under another key yield one dispute.
    assert_eq!(round.complete(&id, "offline", delivered, true).body, disputed.body);
    assert_eq!(round.complete(&id, "again", delivered, true).status, 202);

    for token in [&manager, &round.dealer] {
        let open = round.get(token, "/remittances/disputes?status=open");
        assert_eq!(open["totalRecords"], 1, "{open}");
        let dispute = &open["data"][0];
        assert_eq!(dispute["remittanceId"], json!(id));
        assert_eq!(dispute["reportedBy"]["name"], "Yoel");
        let told = text(&dispute["delivered"]).parse::<DateTime<Utc>>().unwrap();
        assert!(
            (told - delivered).abs() < TimeDelta::milliseconds(2),
            "{told} {delivered}"
        );
        let proof = text(&dispute["identificationDocument"])
            .trim_start_matches("/api")
            .to_owned();
        let image = round.business.client.send(Call::new("GET", &proof).token(token));
        assert_eq!((image.status, image.bytes.as_slice()), (200, PNG));
        let attention = round.get(token, "/dashboard/attention");
        assert_eq!(attention["counts"]["deliveryDisputed"], 1);
        assert_eq!(attention["results"][0]["kind"], "deliveryDisputed");
    }
    let exported = round
        .business
        .client
        .send(Call::new("GET", "/remittances/disputes?format=csv").token(&manager));
    assert!(String::from_utf8_lossy(&exported.bytes).contains("Yoel"));
    for token in [&round.man, &round.business.agency_token] {
        let hidden = round
            .business
            .client
            .send(Call::new("GET", "/remittances/disputes").token(token));
        assert_eq!(hidden.status, 403);
    }

    assert_eq!(round.settle(&round.man, &id, "ya está").status, 403);
    assert_eq!(round.settle(&manager, &id, " ").status, 422);
    assert_eq!(round.settle(&round.dealer, &id, "Berta devolvió el dinero").status, 200);
    assert_eq!(round.settle(&manager, &id, "otra vez").code(), "dispute_is_settled");
    let settled = round.get(&manager, "/remittances/disputes?status=settled");
    assert_eq!(settled["data"][0]["settlement"], "Berta devolvió el dinero");
    assert_eq!(settled["data"][0]["settledBy"]["name"], "Dealer");
    assert_eq!(
        round.get(&manager, "/dashboard/attention")["counts"]["deliveryDisputed"],
        0
    );
    let history = round.get(&manager, &format!("/remittances/{id}/history"));
    assert_eq!(
        changes(&history),
        ["created", "assigned", "canceled", "disputed", "disputeSettled"]
    );
    assert_eq!(round.get(&manager, &format!("/remittances/{id}"))["status"], 1);
}

#[test]
fn a_former_carriers_delivery_becomes_a_dispute_whose_proof_his_dealer_sees() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let id = round.carried();
    let other = json!({"name": "Otro", "email": "otro@example.test", "password": PASSWORD, "handleMLC": true,
        "provinceId": round.business.province, "zones": [round.business.municipality]});
    let other = text(&round.business.as_manager(201, "POST", "/dealer", other)["id"]);
    let delivered = Utc::now();
    let assign = json!({"dealerId": other});
    round
        .business
        .as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);

    assert_eq!(round.complete(&id, "online", delivered, false).status, 404);
    let disputed = round.complete(&id, "offline", delivered, true);
    assert_eq!(
        (disputed.status, &disputed.body["refused"]),
        (202, &json!("remittance_of_another"))
    );
    let open = round.get(&round.dealer, "/remittances/disputes");
    let proof = text(&open["data"][0]["identificationDocument"])
        .trim_start_matches("/api")
        .to_owned();
    let image = round
        .business
        .client
        .send(Call::new("GET", &proof).token(&round.dealer));
    assert_eq!(image.status, 200);
    let other = round.business.client.login("otro@example.test", PASSWORD);
    assert_eq!(round.get(&other, "/remittances/disputes")["totalRecords"], 0);
    assert_eq!(round.get(&other, &format!("/remittances/{id}"))["status"], 2);
}

#[test]
fn an_offline_delivery_at_the_payout_before_an_edit_is_disputed_at_that_payout_and_not_booked() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let manager = round.business.manager.clone();
    let long_before = (Utc::now() - TimeDelta::hours(1)).to_rfc3339();
    // A telephone of an earlier version tells the time alone; its clock may be wrong. A later one tells what it showed.
    for (what, is_timed) in [("then", true), ("long before", false), ("paid", false)] {
        let (id, paid, then) = round.repriced();
        let fields = match what {
            "then" => [("deliveredAt", then.as_str()), ("toRepresentative", "false")],
            "long before" => [("deliveredAt", long_before.as_str()), ("toRepresentative", "false")],
            _ => [("expectedPayout", paid.as_str()), ("expectedCurrencyTo", "CUP")],
        };
        let answer = round.offline(&id, &fields);
        assert_eq!(
            (answer.status, &answer.body["refused"]),
            (202, &json!("remittance_was_edited")),
            "{what}: {}",
            answer.body
        );
        let dispute = round.dispute(&manager, &id);
        assert_eq!(dispute["payout"], json!(paid), "{what}");
        assert_eq!(dispute["delivered"].is_string(), is_timed, "{what}");
        let shown = round.get(&manager, &format!("/remittances/{id}"));
        assert_eq!((&shown["status"], shown["payout"] == json!(paid)), (&json!(2), false));

        let refused = round.offline(&id, &[("expectedPayout", "x")]);
        assert_eq!(
            (refused.status, refused.body["errors"][0]["field"].as_str()),
            (422, Some("expectedPayout"))
        );
        let now = text(&shown["payout"]);
        let done = round.offline(&id, &[("expectedPayout", now.as_str()), ("deliveredAt", then.as_str())]);
        assert_eq!((done.status, &done.body["payout"]), (200, &json!(now)), "{}", done.body);
    }
}

#[test]
fn an_offline_delivery_that_tells_neither_time_nor_terms_is_disputed_where_its_carrier_ever_had_others() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let manager = round.business.manager.clone();
    let (id, paid, _) = round.repriced();
    // A telephone of an earlier version, whose clock is an hour ahead, sends the act again without its time.
    let ahead = (Utc::now() + TimeDelta::hours(1)).to_rfc3339();
    let refused = round.offline(&id, &[("deliveredAt", ahead.as_str())]);
    assert_eq!(
        (refused.status, &refused.body["errors"][0]["code"]),
        (422, &json!("act_in_future")),
        "{}",
        refused.body
    );
    let answer = round.offline(&id, &[]);
    assert_eq!(
        (answer.status, &answer.body["refused"]),
        (202, &json!("remittance_was_edited")),
        "{}",
        answer.body
    );
    assert_eq!(round.dispute(&manager, &id)["payout"], json!(paid));
    assert_eq!(round.get(&manager, &format!("/remittances/{id}"))["status"], 2);

    // Who carried it at one payout alone delivered that.
    let done = round.offline(&round.carried(), &[]);
    assert_eq!((done.status, &done.body["status"]), (200, &json!(3)), "{}", done.body);
}

#[test]
fn an_offline_delivery_to_the_recipient_before_an_edit_is_disputed_and_names_that_recipient() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let business = &round.business;
    let niece = json!({"name": "Niece", "customerType": 1, "senderId": business.sender, "addressLine": "Calle 25",
                       "provinceId": business.province, "municipalityId": business.municipality});
    let niece = text(&business.as_agency(201, "POST", "/customer", niece)["id"]);
    let id = round.carried();
    let then = Utc::now().to_rfc3339();
    let path = format!("/remittances/details/{id}");
    business.as_manager(200, "PUT", &path, json!({"recipientId": niece}));
    let disputed = round.offline(&id, &[("deliveredAt", then.as_str())]);
    assert_eq!(
        (disputed.status, &disputed.body["refused"]),
        (202, &json!("remittance_was_edited")),
        "{}",
        disputed.body
    );
    assert_eq!(round.dispute(&round.dealer, &id)["recipient"], "Ana's aunt");
    let done = round.offline(&id, &[("deliveredAt", Utc::now().to_rfc3339().as_str())]);
    assert_eq!(
        (done.status, &done.body["recipient"]["id"]),
        (200, &json!(niece)),
        "{}",
        done.body
    );
}

#[test]
fn a_dispute_keeps_what_was_carried_and_does_not_tell_a_former_dealer_what_became_of_the_remittance() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let manager = round.business.manager.clone();
    let id = round.carried();
    let paid = text(&round.get(&round.man, &format!("/remittances/{id}"))["payout"]);
    let then = Utc::now().to_rfc3339();
    let other = json!({"name": "Otro", "email": "otro@example.test", "password": PASSWORD, "handleMLC": true,
        "provinceId": round.business.province, "zones": [round.business.municipality]});
    let other = text(&round.business.as_manager(201, "POST", "/dealer", other)["id"]);
    round.assign(&id, json!({"dealerId": other}));
    assert_eq!(round.offline(&id, &[("deliveredAt", then.as_str())]).status, 202);
    let before = round.dispute(&round.dealer, &id);
    round.reprice(&id, "75");
    round.assign(&id, json!({"dealerId": other}));
    round.cancel(&id);

    let told = round.dispute(&round.dealer, &id);
    assert_eq!(told, before);
    assert_eq!(
        (&told["payout"], &told["remittanceStatus"], &told["dealer"]),
        (&json!(paid), &json!(2), &Value::Null)
    );
    let seen = round.dispute(&manager, &id);
    assert_eq!(
        (&seen["payout"], &seen["remittanceStatus"], &seen["dealer"]["name"]),
        (&json!(paid), &json!(1), &json!("Otro"))
    );
    for token in [&round.dealer, &manager] {
        let attention = round.get(token, "/dashboard/attention");
        let mut items = attention["results"].as_array().unwrap().iter();
        let item = items.find(|item| item["kind"] == "deliveryDisputed").unwrap();
        assert_eq!((&item["amount"], &item["currency"]), (&json!(paid), &json!("CUP")));
        for sort in [
            "code",
            "remittanceStatus",
            "recipient",
            "payout",
            "currencyTo",
            "dealer",
        ] {
            let sorted = round.get(token, &format!("/remittances/disputes?sort={sort}"));
            assert_eq!(sorted["totalRecords"], 1, "{sort}");
        }
    }
}

#[test]
fn a_review_refuses_a_delivery_that_is_sent_at_once_and_one_made_offline_is_booked_and_settled() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let (manager, id) = (round.business.manager.clone(), round.carried());
    let sent = |how: &str, key: &str, delivered| round.complete_at(how, &id, key, delivered, true);
    let (holds, breach) = (format!("/remittances/{id}/holds"), format!("/remittances/{id}/breach"));
    let (shown, reason) = (format!("/remittances/{id}"), json!({"reason": "llamar al emisor"}));
    round.business.as_agency(403, "POST", &holds, reason.clone());
    round.business.as_manager(404, "PUT", &breach, reason.clone());
    round.business.as_manager(422, "POST", &holds, json!({"reason": " "}));
    round
        .business
        .as_manager(200, "POST", &format!("{holds}?preview=true"), reason.clone());
    assert_eq!(round.get(&manager, &shown)["held"], false, "a preview holds nothing");
    let held = round.business.as_manager(201, "POST", &holds, reason);
    assert_eq!(held["results"][0]["note"], "llamar al emisor");
    assert_eq!(round.get(&round.man, "/remittances?status=2")["data"][0]["held"], true);

    // Sent the moment it was made, the review stops it, whatever it says of disputes.
    let delivered = Utc::now();
    let refused = sent("complete?atOnce=true", "act", delivered);
    assert_eq!((refused.status, refused.code()), (409, "remittance_is_held"));
    assert_eq!(round.get(&manager, &shown)["status"], 2);
    assert_eq!(sent("complete?atOnce=soon", "act", delivered).status, 422);
    // The same act without the word: he could not know. A repetition is the same request, however it is sent.
    let booked = sent("complete", "act", delivered);
    assert_eq!(
        (booked.status, &booked.body["status"]),
        (200, &json!(3)),
        "{}",
        booked.body
    );
    assert_eq!(booked.body["warnings"][0]["code"], "delivered_while_held");
    let again = sent("complete?atOnce=true", "act", delivered);
    assert_eq!((again.status, again.header("idempotency-replayed")), (200, "true"));

    let attention = round.get(&manager, "/dashboard/attention");
    assert_eq!(attention["counts"]["deliveredWhileHeld"], 1);
    assert_eq!(attention["results"][0]["kind"], "deliveredWhileHeld");
    assert_eq!(attention["results"][0]["id"], json!(id));
    for token in [&round.business.agency_token, &round.dealer] {
        assert_eq!(
            round.get(token, "/dashboard/attention")["counts"]["deliveredWhileHeld"],
            0
        );
    }
    assert_eq!(round.get(&manager, &shown)["breach"], "open");
    let reason = json!({"reason": "pagó antes de saberlo"});
    round.business.as_agency(403, "PUT", &breach, reason.clone());
    round.business.as_manager(200, "PUT", &breach, reason.clone());
    let settled = round.business.as_manager(409, "PUT", &breach, reason);
    assert_eq!(settled["code"], "hold_breach_is_settled");
    assert_eq!(round.get(&manager, &shown)["breach"], "settled");
    assert_eq!(
        round.get(&manager, "/dashboard/attention")["counts"]["deliveredWhileHeld"],
        0
    );
    let history = round.get(&manager, &format!("{shown}/history"));
    assert_eq!(
        changes(&history),
        [
            "created",
            "assigned",
            "held",
            "completed",
            "deliveredWhileHeld",
            "holdBreachSettled"
        ]
    );
}

/// Adds a member of the office who writes one area alone; returns the member's token.
fn member(business: &Business, area: &str) -> String {
    let set = json!({"name": area, "reads": [], "writes": [area]});
    let set = text(&business.as_manager(201, "POST", "/permission_sets", set)["id"]);
    let email = format!("{area}@office.test");
    let user = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": set});
    business.as_manager(201, "POST", "/users", user);
    business.client.login(&email, PASSWORD)
}

#[test]
fn a_member_who_reviews_and_does_not_sell_is_told_of_a_breach_reads_the_remittance_and_settles_it() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let business = &round.business;
    let (reviewer, clerk) = (member(business, "compliance"), member(business, "sales"));
    let (id, failed) = (round.carried(), round.carried());
    let (shown, reason) = (format!("/remittances/{id}"), json!({"reason": "llamar al emisor"}));
    business.as_manager(200, "PUT", &format!("/remittances/{failed}/error"), reason.clone());
    let send = |status: u16, token: &str, method: &str, path: &str| {
        business
            .client
            .expect(status, token, method, path, Some(reason.clone()))
    };
    send(201, &reviewer, "POST", &format!("{shown}/holds"));
    let held = round.get(&reviewer, &shown);
    assert_eq!((&held["held"], &held["breach"]), (&json!(true), &Value::Null));
    for action in held["actions"].as_array().unwrap() {
        assert_eq!(action["refusal"], "permission_missing", "{action}");
    }
    assert_eq!(round.complete(&id, "act", Utc::now(), true).status, 200);

    let counts = |token: &str| {
        let told = round.get(token, "/dashboard/attention");
        let counts = &told["counts"];
        (
            counts["deliveredWhileHeld"].as_i64(),
            counts["remittanceError"].as_i64(),
            told["results"].clone(),
        )
    };
    let (breaches, errors, told) = counts(&reviewer);
    assert_eq!((breaches, errors), (Some(1), Some(0)), "errors are the sellers'");
    assert_eq!(
        (&told[0]["kind"], &told[0]["id"]),
        (&json!("deliveredWhileHeld"), &json!(id))
    );
    let (breaches, errors, _) = counts(&clerk);
    assert_eq!((breaches, errors), (Some(0), Some(1)), "breaches are the reviewers'");

    let breached = round.get(&reviewer, &shown);
    assert_eq!(breached["breach"], "open");
    let listed = round.get(&reviewer, "/remittances?status=3");
    assert_eq!(listed["data"][0]["id"], json!(id));
    let history = round.get(&reviewer, &format!("{shown}/history"));
    assert!(changes(&history).contains(&"deliveredWhileHeld"));
    // The proof of the delivery is what there is to look at.
    let proof = file(&breached["proof"], "identificationDocument");
    for (token, status) in [(&reviewer, 200), (&clerk, 200), (&member(business, "reports"), 404)] {
        let call = Call::new("GET", &format!("/files/{proof}")).token(token);
        assert_eq!(business.client.send(call).status, status);
    }
    for (method, path) in [
        ("POST", format!("{shown}/cancel")),
        ("PUT", format!("{shown}/assign/dealer")),
        ("PUT", format!("{shown}/error")),
        ("POST", "/remittances".to_owned()),
    ] {
        assert_eq!(send(403, &reviewer, method, &path)["code"], "permission_missing");
    }
    assert_eq!(
        send(403, &clerk, "PUT", &format!("{shown}/breach"))["code"],
        "permission_missing"
    );
    send(200, &reviewer, "PUT", &format!("{shown}/breach"));
    assert_eq!(counts(&reviewer).0, Some(0));
    assert_eq!(round.get(&reviewer, &shown)["breach"], "settled");
}

#[test]
fn an_offline_delivery_keeps_delivery_time_and_upload_time_and_impossible_times_are_refused() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let id = round.carried();
    let now = Utc::now();
    for (moment, code) in [
        (now + TimeDelta::hours(1), "act_in_future"),
        (now - TimeDelta::hours(1), "act_before_assignment"),
        (now - TimeDelta::days(31), "act_too_long_ago"),
    ] {
        let refused = round.complete(&id, "delivery", moment, true);
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_eq!(refused.body["errors"][0]["code"], code);
        assert_eq!(refused.body["errors"][0]["field"], "deliveredAt");
    }
    let delivered = Utc::now();
    std::thread::sleep(std::time::Duration::from_millis(60));
    let done = round.complete(&id, "delivery", delivered, true);
    assert_eq!(done.status, 200, "{}", done.body);
    let time = |value: &Value| text(value).parse::<DateTime<Utc>>().unwrap();
    assert!((time(&done.body["delivered"]) - delivered).abs() < TimeDelta::milliseconds(2));
    assert!(time(&done.body["completed"]) - delivered >= TimeDelta::milliseconds(50));
    let history = round.get(&round.business.manager, &format!("/remittances/{id}/history"));
    let last = history["data"].as_array().unwrap().last().unwrap();
    assert_eq!(last["change"], "completed");
    assert!((time(&last["occurred"]) - delivered).abs() < TimeDelta::milliseconds(2));
}

#[test]
fn a_failed_attempt_is_in_the_history_and_the_remittance_stays_in_shipping() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let id = round.carried();
    let attempt = |body: Value| {
        let call = Call::new("POST", &format!("/remittances/{id}/attempts")).token(&round.man);
        round.business.client.send(call.json(&body))
    };
    let recorded = attempt(json!({"reason": "nobodyHome", "attemptedAt": Utc::now().to_rfc3339()}));
    assert_eq!(
        (recorded.status, &recorded.body["status"]),
        (200, &json!(2)),
        "{}",
        recorded.body
    );
    assert_eq!(attempt(json!({"reason": "bored"})).status, 422);
    let history = round.get(&round.man, &format!("/remittances/{id}/history"));
    let last = history["data"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["change"], &last["attemptReason"]),
        (&json!("attempted"), &json!("nobodyHome"))
    );
    assert!(last["occurred"].is_string());
    let exported = round.business.client.send(
        Call::new("GET", &format!("/remittances/{id}/history?format=csv"))
            .token(&round.man)
            .header("Accept-Language", "es"),
    );
    assert!(String::from_utf8_lossy(&exported.bytes).contains("Nadie en casa"));
}

#[test]
fn a_dealer_bulk_assigns_only_his_own_remittances_to_his_delivery_man() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let given = |own: bool| {
        let sold = round
            .business
            .as_agency(201, "POST", "/remittances", round.business.sale("1"));
        let id = text(&sold["id"]);
        if own {
            let assign = json!({"dealerId": round.business.dealer});
            round
                .business
                .as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
        }
        id
    };
    let mut ids: Vec<String> = (0..50).map(|_| given(true)).collect();
    ids.push(given(false));
    let body = json!({"remittanceIds": ids, "dealerId": round.business.dealer, "deliveryManId": round.man_id});
    let answer = round
        .business
        .client
        .expect(200, &round.dealer, "PUT", "/remittances/assign/dealer", Some(body));
    let results = answer["results"].as_array().unwrap();
    let done: Vec<bool> = results.iter().map(|row| row["ok"].as_bool().unwrap()).collect();
    assert!(done[..50].iter().all(|ok| *ok) && !done[50], "{answer}");
    assert_eq!(round.get(&round.man, "/remittances?status=2")["totalRecords"], 50);
}

/// The id in a file's address.
fn file(proof: &Value, part: &str) -> String {
    text(&proof[part]).rsplit('/').next().unwrap().to_owned()
}

#[test]
fn the_proof_of_a_stop_is_uploaded_once_and_referenced_by_its_other_deliveries() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let stop: Vec<String> = (0..4).map(|_| round.carried()).collect();
    let complete = |token: &str, id: &str, parts: &[(&'static str, &str)]| {
        let parts = parts.iter().map(|(field, value)| (*field, "", value.as_bytes()));
        let call = Call::new("POST", &format!("/remittances/{id}/complete")).token(token);
        round.business.client.send(call.multipart(parts))
    };
    let faults = |answer: &Answer| {
        let faults = answer.body["errors"].as_array().unwrap().iter();
        faults
            .map(|fault| format!("{}:{}", text(&fault["field"]), text(&fault["code"])))
            .collect::<Vec<_>>()
    };

    let first = round.complete(&stop[0], "first", Utc::now(), false);
    assert_eq!(first.status, 200, "{}", first.body);
    let known = file(&first.body["proof"], "identificationDocument");
    let signed = file(&first.body["proof"], "firmPicture");
    let both = [
        ("identificationDocumentId", known.as_str()),
        ("firmPictureId", signed.as_str()),
    ];
    let second = complete(&round.man, &stop[1], &both);
    assert_eq!(
        (second.status, &second.body["proof"]),
        (200, &first.body["proof"]),
        "{}",
        second.body
    );

    // The office settles a remittance that was canceled meanwhile, with the same proof.
    round.cancel(&stop[2]);
    let disputed = complete(&round.man, &stop[2], &[both[0], both[1], ("orDispute", "true")]);
    assert_eq!(
        (disputed.status, &disputed.body["proof"]),
        (202, &first.body["proof"]),
        "{}",
        disputed.body
    );
    for address in ["identificationDocument", "firmPicture"] {
        let path = format!("/files/{}", file(&disputed.body["proof"], address));
        let shown = round.business.client.open(Call::new("GET", &path).token(&round.dealer));
        assert_eq!(shown.status(), 200);
    }

    // A file outside the caller's scope is treated as missing, and each part may occur once.
    let man =
        json!({"name": "Otro", "email": "otro@example.test", "password": PASSWORD, "dealerId": round.business.dealer});
    let man = text(&round.business.as_manager(201, "POST", "/delivery_men", man)["id"]);
    let assign = json!({"dealerId": round.business.dealer, "deliveryManId": man});
    let path = format!("/remittances/{}/assign/dealer", stop[3]);
    round.business.as_manager(200, "PUT", &path, assign);
    let other = round.business.client.login("otro@example.test", PASSWORD);
    let strange = complete(&other, &stop[3], &both);
    assert_eq!(strange.status, 422);
    assert_eq!(faults(&strange), ["identificationDocumentId:file_not_found"]);
    let twice = complete(&other, &stop[3], &[both[0], ("identificationDocument", "x")]);
    assert_eq!(faults(&twice), ["identificationDocumentId:duplicate"]);
    let uploaded = Call::new("POST", "/files/uploadfile").token(&other);
    let uploaded = round
        .business
        .client
        .send(uploaded.multipart([("file", "id.png", PNG)]));
    let own = complete(
        &other,
        &stop[3],
        &[("identificationDocumentId", &text(&uploaded.body["id"]))],
    );
    assert_eq!(faults(&own), ["identificationDocumentId:file_not_found"]);
}

#[test]
fn the_proof_of_a_dispute_can_be_referenced_by_its_reporter() {
    let server = Server::start(&["acme"]);
    let round = Round::open(&server);
    let (lost, kept) = (round.carried(), round.carried());
    round.cancel(&lost);
    let disputed = round.complete(&lost, "offline", Utc::now(), true);
    assert_eq!(disputed.status, 202);
    let (known, signed) = (
        file(&disputed.body["proof"], "identificationDocument"),
        file(&disputed.body["proof"], "firmPicture"),
    );
    let parts = [
        ("identificationDocumentId", "", known.as_bytes()),
        ("firmPictureId", "", signed.as_bytes()),
    ];
    let call = Call::new("POST", &format!("/remittances/{kept}/complete")).token(&round.man);
    let answer = round.business.client.send(call.multipart(parts));
    assert_eq!(answer.status, 200, "{}", answer.body);
}
