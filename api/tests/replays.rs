//! The same key answers the same, also after the row has left the caller's scope.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use serde_json::{Value, json};
use support::{Answer, Business, Call, PASSWORD, Server, text};

struct Round {
    business: Business,
    man: String,
    man_token: String,
    other: String,
    id: String,
}

/// A remittance with a dealer's delivery man, and another dealer.
fn round(server: &Server, tenant: &str) -> Round {
    let business = Business::new(server, tenant);
    business.fund("100000.00");
    let man = json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer});
    let man = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
    let other = json!({"name": "Other", "email": "other@example.test", "password": PASSWORD, "handleMLC": true,
                       "provinceId": business.province, "zones": [business.municipality]});
    let other = text(&business.as_manager(201, "POST", "/dealer", other)["id"]);
    let id = text(&business.as_agency(201, "POST", "/remittances", business.sale("10"))["id"]);
    let round = Round {
        man_token: business.client.login("man@example.test", PASSWORD),
        business,
        man,
        other,
        id,
    };
    round.assign(json!({"dealerId": round.business.dealer, "deliveryManId": round.man}));
    round
}

impl Round {
    fn assign(&self, to: Value) {
        let path = format!("/remittances/{}/assign/dealer", self.id);
        self.business.as_manager(200, "PUT", &path, to);
    }

    fn send(&self, call: Call) -> Answer {
        self.business.client.send(call.token(&self.man_token))
    }

    fn sees_it(&self) -> bool {
        self.send(Call::new("GET", &format!("/remittances/{}", self.id))).status == 200
    }
}

#[test]
fn a_repeated_error_report_answers_done_after_the_remittance_was_given_to_another_dealer() {
    let server = Server::start(&["errors"]);
    let round = round(&server, "errors");
    let report = || {
        let call = Call::new("PUT", &format!("/remittances/{}/error", round.id)).key("report");
        round.send(call.json(&json!({"reason": "nobody at home"})))
    };
    assert_eq!(report().status, 200);
    round.assign(json!({"dealerId": round.other}));
    assert!(!round.sees_it(), "it is another dealer's now");
    let again = report();
    assert_eq!(again.status, 200, "{}", again.body);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(
        again.body,
        json!({"id": round.id, "code": "R-000001", "status": 4, "warnings": []}),
        "what was done, and nothing of what became of it"
    );
    let fresh = Call::new("PUT", &format!("/remittances/{}/error", round.id)).key("another");
    assert_eq!(round.send(fresh.json(&json!({"reason": "nobody at home"}))).status, 404);
}

#[test]
fn a_repeated_delivery_answers_done_and_a_new_one_of_what_is_out_of_scope_is_not_found() {
    let server = Server::start(&["deliveries"]);
    let round = round(&server, "deliveries");
    let picture = support::picture("proof");
    let complete = |key: &str| {
        let call = Call::new("POST", &format!("/remittances/{}/complete", round.id)).key(key);
        round.send(call.multipart([
            ("identificationDocument", "id.png", picture.as_slice()),
            ("firmPicture", "firm.png", picture.as_slice()),
        ]))
    };
    let first = complete("delivery");
    assert_eq!(first.status, 200, "{}", first.body);
    let again = complete("delivery");
    assert_eq!((again.status, &again.body["id"]), (200, &json!(round.id)));
    assert_eq!(again.header("idempotency-replayed"), "true");

    let second = text(
        &round
            .business
            .as_agency(201, "POST", "/remittances", round.business.sale("5"))["id"],
    );
    let round = Round { id: second, ..round };
    let call = Call::new("POST", &format!("/remittances/{}/complete", round.id)).key("theirs");
    let theirs = round.send(call.multipart([
        ("identificationDocument", "id.png", picture.as_slice()),
        ("firmPicture", "firm.png", picture.as_slice()),
    ]));
    assert_eq!((theirs.status, theirs.code()), (404, "remittance_not_found"));
}
