//! Screening: lists of the operator, customers who are like listed people, holds of their remittances, and reviews.
//!
//! | File | Content |
//! |---|---|
//! | [`customers`] | what of a customer is compared, and what a match does to sales |
//! | [`releases`] | who ends a review, and what is released with it |
//! | [`approvals`] | decisions and releases that wait for a second person |
//! | [`lists`] | lists of the operator, and the choice among them |
//! | [`own_lists`] | lists that a manager loads |

mod approvals;
mod customers;
mod lists;
mod own_lists;
mod releases;

use crate::support::{Business, Call, Server, text};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::time::{Duration, Instant};

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

/// Loses the stored answers of a tenant, as a crash of the database may: repetitions are composed again.
fn forget_answers(server: &Server, tenant: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let mut owner = PgConnection::connect(server.database_url()).await.unwrap();
        let set = format!("SET caudal.tenant TO '{tenant}'");
        owner.execute(set.as_str()).await.unwrap();
        let lost = owner.execute("DELETE FROM journal.answers").await.unwrap();
        assert!(lost.rows_affected() > 0);
    });
}

/// Waits for something that nodes do in the background.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
