//! Visibility of remittances and of their fields.

use super::{Scopes, column, refused, shown};
use crate::common::Office;
use caudal_domain::{ids::RemittanceId, money::Amount};
use caudal_projections::{ListQuery, customer, remittance};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

#[tokio::test]
async fn callers_see_only_remittances_in_their_scope() {
    let office = Office::open().await;
    let [completed, canceled, failed, shipping, pending] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let all = [completed, canceled, failed, shipping, pending];
    let expected: [&[RemittanceId]; 6] = [
        &all,
        &all,
        &all,
        &[canceled, pending],
        &[completed, failed, shipping],
        &[completed],
    ];
    for ((name, scope), expected) in scopes.all().into_iter().zip(expected) {
        let page = remittance::list(&mut transaction, scope, &ListQuery::default())
            .await
            .unwrap();
        let seen: BTreeSet<Uuid> = page.data.iter().map(|row| row.id).collect();
        assert_eq!(seen, expected.iter().map(|id| id.0).collect(), "{name}");
        for id in all {
            let got = remittance::get(&mut transaction, scope, id).await;
            let history = remittance::history(&mut transaction, scope, id, &ListQuery::default()).await;
            let terms = remittance::payment_group(&mut transaction, scope, id).await;
            if expected.contains(&id) {
                assert_eq!(got.unwrap().id, id.0, "{name}");
                assert!(history.unwrap().total_records >= 1 && terms.is_ok(), "{name}");
            } else {
                let missing = (String::new(), "remittance_not_found");
                assert_eq!(
                    (refused(got), refused(history), refused(terms)),
                    (missing.clone(), missing.clone(), missing),
                    "{name}"
                );
            }
        }
    }
}

#[tokio::test]
async fn the_summary_counts_the_listed_remittances_and_sums_their_payouts() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let queries = [
        ListQuery::default(),
        ListQuery::default().filter("status", 2),
        ListQuery::default().filter("deliveryMethod", "home"),
        ListQuery::default().filter("currency", "CUP"),
    ];
    for ((name, scope), query) in scopes
        .all()
        .into_iter()
        .flat_map(|of| queries.iter().map(move |query| (of, query)))
    {
        let all = ListQuery {
            records_per_page: 0,
            ..query.clone()
        };
        let rows = shown(remittance::list(&mut transaction, scope, &all).await.unwrap());
        let rows = rows["data"].as_array().unwrap().clone();
        let figures = shown(remittance::summary(&mut transaction, scope, query).await.unwrap());
        assert_eq!(figures["total"], rows.len(), "{name}");
        for of in figures["statuses"].as_array().unwrap() {
            let with: Vec<_> = rows.iter().filter(|row| row["status"] == of["status"]).collect();
            assert_eq!(of["remittances"], with.len(), "{name} {query:?}");
            let mut payouts: BTreeMap<String, Amount> = BTreeMap::new();
            for row in with {
                let payout: Amount = row["payout"].as_str().unwrap().parse().unwrap();
                let sum = payouts
                    .entry(row["currencyTo"].as_str().unwrap().to_owned())
                    .or_insert(Amount::ZERO);
                *sum += payout;
            }
            let summed: BTreeMap<String, Amount> = of["payouts"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    (
                        row["currency"].as_str().unwrap().to_owned(),
                        row["payout"].as_str().unwrap().parse().unwrap(),
                    )
                })
                .collect();
            assert_eq!(summed, payouts, "{name} {query:?}");
        }
    }
    let sorted = ListQuery {
        sort: Some("created".into()),
        ..ListQuery::default()
    };
    let refusal = refused(remittance::summary(&mut transaction, &scopes.manager, &sorted).await);
    assert_eq!(refusal, ("sort".to_owned(), "filter_unknown"));
}

#[tokio::test]
async fn a_remittance_shows_names_money_places_and_proof() {
    let office = Office::open().await;
    let [completed, canceled, failed, ..] = office.day().await;
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
    let row = shown(remittance::get(&mut transaction, &scope, completed).await.unwrap());
    let expect = [
        ("/code", json!("R-000001")),
        ("/status", json!(3)),
        ("/deliveryMethod", json!("home")),
        ("/sender/name", json!("José Ibáñez Núñez")),
        ("/recipient/name", json!("María Pérez")),
        ("/recipient/phoneNumber", json!("+5351234567")),
        ("/address/province", json!("La Habana")),
        ("/address/addressLine", json!("Calle 23 no. 456")),
        ("/card", Value::Null),
        ("/groupName", json!("CUP a domicilio")),
        ("/currencyFrom", json!("USD")),
        ("/currencyTo", json!("CUP")),
        ("/amount", json!("100.00")),
        ("/payout", json!("31850.00")),
        ("/exchangeRate", json!("318.5")),
        ("/managerFee", json!("2.00")),
        ("/agencyFee", json!("3.00")),
        ("/totalToPay", json!("105.00")),
        ("/distributionFee", json!("2.00")),
        ("/agency/name", json!("Águila Envíos")),
        ("/dealer/name", json!("Dora Dealer")),
        ("/deliveryMan/name", json!("Víctor Vélez")),
        ("/notes", json!("Tocar dos veces")),
        ("/proof/firmPicture", json!(format!("/api/files/{}", "a".repeat(64)))),
    ];
    for (pointer, value) in expect {
        assert_eq!(row.pointer(pointer), Some(&value), "{pointer} of {row:#}");
    }
    let reasons = [(canceled, 1, "Se arrepintió"), (failed, 4, "No estaba")];
    for (id, status, reason) in reasons {
        let row = shown(remittance::get(&mut transaction, &scope, id).await.unwrap());
        assert_eq!((&row["status"], &row["reason"]), (&json!(status), &json!(reason)));
    }
    let history = remittance::history(&mut transaction, &scope, completed, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(column(&history, "/change"), ["created", "assigned", "completed"]);
    assert_eq!(column(&history, "/fromStatus"), [Value::Null, json!(0), json!(2)]);
    assert_eq!(
        column(&history, "/actor/name"),
        ["Clara Clerk", "Marta Manager", "Víctor Vélez"]
    );
    assert_eq!(column(&history, "/actor/userType"), [3, 5, 6]);
    assert_eq!(
        column(&history, "/payout"),
        [json!("31850.00"), Value::Null, Value::Null]
    );
    let terms = shown(
        remittance::payment_group(&mut transaction, &scope, completed)
            .await
            .unwrap(),
    );
    assert_eq!(terms["managerCommission"], json!({"rate": "2"}));
    assert_eq!(terms["agencyCommission"]["rate"], "3");
    assert_eq!(terms["agentCommission"], Value::Null);
}

#[tokio::test]
async fn card_numbers_are_complete_only_for_the_paying_party() {
    let office = Office::open().await;
    let [.., shipping, _] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    for (scope, number) in [
        (&scopes.manager, "************7890"),
        (&scopes.agency, "************7890"),
        (&scopes.dealer, "9225061234567890"),
    ] {
        let row = shown(remittance::get(&mut transaction, scope, shipping).await.unwrap());
        assert_eq!(row["card"]["cardNumber"], number, "{:?}", scope.role);
        assert_eq!(row["address"], Value::Null);
    }
    let cards = customer::cards(
        &mut transaction,
        &scopes.agency,
        office.recipient,
        &ListQuery::default(),
    )
    .await
    .unwrap();
    assert_eq!(
        shown(&cards.data[0]),
        json!({"id": office.card.0, "customerId": office.recipient.0, "cardNumber": "************7890",
               "brand": "bandec_mlc", "currency": "MLC", "isDefault": false})
    );
    drop(transaction);
    office.complete(office.dealer, shipping).await;
    let row = shown(
        remittance::get(&mut office.begin().await, &scopes.dealer, shipping)
            .await
            .unwrap(),
    );
    assert_eq!(
        row["card"]["cardNumber"], "************7890",
        "once paid it is nobody's business"
    );
}
