//! A delivery man's view (docs/decisions/what-a-delivery-man-sees.md): no answer to him has a sender's document or
//! telephone, a sold amount, or a commission.

use super::{
    masked::is_pdf,
    queries::Contract,
    world::{Whose, World, ahead},
};
use crate::support::{Answer, Call, Kind, Server, pdf::pages, text};
use caudal_domain::party::Role;
use chrono::DateTime;
use serde_json::{Value, json};

/// Fields that are null or absent in every answer to a delivery man.
const HIDDEN: &[&str] = &[
    "managerFee",
    "agencyFee",
    "agentFee",
    "totalFee",
    "totalToPay",
    "managerCommission",
    "agencyCommission",
    "agentCommission",
    "commission",
    "margin",
];

/// The sender's document and telephone, the sent amount and its price.
const SECRETS: &[&str] = &["SENDER77", "3055507777", "7.77", "8.01"];

/// Fields of an answer that have a value and must have none.
fn told(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if HIDDEN.contains(&name.as_str()) && !value.is_null() {
                    found.push(format!("{name}: {value}"));
                }
                told(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| told(value, found)),
        _ => {}
    }
}

fn faults(answer: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    told(&answer.body, &mut found);
    let text = if is_pdf(answer) {
        pages(&answer.bytes)
    } else {
        String::from_utf8_lossy(&answer.bytes).into_owned()
    };
    // Part of a time, such as 21:34:07.770126, looks like an amount.
    let is_time = |part: &&str| DateTime::parse_from_rfc3339(part).is_ok();
    let parts: Vec<_> = text.split('"').filter(|part| !is_time(part)).collect();
    found.extend(
        SECRETS
            .iter()
            .filter(|secret| parts.iter().any(|part| part.contains(**secret)))
            .map(|secret| (*secret).to_owned()),
    );
    found
}

#[test]
fn no_answer_to_a_delivery_man_has_the_senders_document_or_a_price() {
    let server = Server::start(&["acme"]);
    server.pass(ahead());
    let world = World::open(&server, "acme", |_, _| ());
    let (manager, client) = (&world.business.manager, &world.client);
    let (agency, man) = (world.token(Role::Agency), world.token(Role::DeliveryMan));
    let id = |kind| world.id(Role::DeliveryMan, kind, Whose::Own);
    let sender = json!({"name": "Rosa", "customerType": 0, "phoneNumber": "+13055507777",
                        "personalIdentificationNumber": "SENDER77", "personalIdentificationType": 1});
    let sender = text(&client.expect(201, agency, "POST", "/customer", Some(sender))["id"]);
    let recipient = json!({"name": "Berta", "customerType": 1, "senderId": sender, "phoneNumber": "+5352345678",
        "personalIdentificationNumber": "RECIPIENT-1", "addressLine": "Calle 23",
        "provinceId": world.business.province, "municipalityId": world.business.municipality});
    let recipient = text(&client.expect(201, agency, "POST", "/customer", Some(recipient))["id"]);
    let sale = json!({"senderId": sender, "recipientId": recipient, "paymentGroupId": world.business.cup,
                      "amount": "7.77", "deliveryMethod": "home", "notes": "Second floor"});
    let sold = text(&client.expect(201, agency, "POST", "/remittances", Some(sale))["id"]);
    let assign = json!({"dealerId": id(Kind::Dealer), "deliveryManId": id(Kind::DeliveryMan)});
    let path = format!("/remittances/{sold}");
    client.expect(200, manager, "PUT", &format!("{path}/assign/dealer"), Some(assign));
    let seen = client.send(Call::new("GET", &path).token(manager));
    assert_eq!(seen.body["totalToPay"], "8.01", "what is looked for is there");
    let receipt = client.send(Call::new("GET", &format!("{path}/receipt")).token(manager));
    assert!(pages(&receipt.bytes).contains("8.01"), "and in the manager's receipt");

    let mut wrong = Vec::new();
    let mut check = |what: &str, answer: &Answer| {
        assert!(answer.status < 300, "{what}: {}", answer.body);
        wrong.extend(faults(answer).into_iter().map(|fault| format!("{what}: {fault}")));
    };
    for about in ["", "/history", "/receipt"] {
        let answer = client.send(Call::new("GET", &format!("{path}{about}")).token(man));
        check(about, &answer);
    }
    let mine = client.send(Call::new("GET", &path).token(man)).body;
    assert_eq!(mine["sender"]["name"], "Rosa");
    assert_eq!(mine["recipient"]["identificationNumber"], "RECIPIENT-1");
    assert_eq!(
        (&mine["payout"], &mine["notes"]),
        (&json!("2486.40"), &json!("Second floor"))
    );
    assert_eq!((&mine["amount"], &mine["exchangeRate"]), (&Value::Null, &Value::Null));

    let contract = Contract(client.send(Call::new("GET", "/openapi.json")).body);
    let queries = contract.queries(Role::DeliveryMan);
    for query in &queries {
        let answer = query.send(&world, Role::DeliveryMan, server.head("acme"));
        if answer.status < 300 {
            check(&query.name(), &answer);
        }
    }
    for sought in ["SENDER77", "3055507777", "Rosa"] {
        let list = format!("/remittances?query={sought}");
        assert_eq!(
            client.expect(200, man, "GET", &list, None)["totalRecords"],
            0,
            "{sought}"
        );
        let desk = format!("/remittances/dealer?query={sought}");
        assert_eq!(
            client.expect(200, man, "POST", &desk, Some(json!({})))["totalRecords"],
            0,
            "{sought}"
        );
    }
    let failed = json!({"reason": "Nobody is there"});
    check(
        "error",
        &client.send(Call::new("PUT", &format!("{path}/error")).token(man).json(&failed)),
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(queries.len() > 100, "only {} queries were asked", queries.len());
}
