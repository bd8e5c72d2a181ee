//! Movements, debits and closures.

use super::{Scopes, column, shown};
use crate::common::{Office, amount};
use caudal_projections::{
    ListQuery, closure, debit,
    movement::{self, Receivers},
};
use serde_json::{Value, json};

#[tokio::test]
async fn movements_debits_and_closures_are_found_by_number_and_by_party() {
    let office = Office::open().await;
    office.day().await;
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
    let sought = |text: &str| ListQuery {
        query: Some(text.into()),
        ..ListQuery::all()
    };
    for text in ["M-000004", "m 000004", "000004"] {
        let found = movement::list(&mut transaction, &scope, &sought(text)).await.unwrap();
        assert_eq!(column(&found, "/number"), ["M-000004"], "{text}");
    }
    let named = movement::list(&mut transaction, &scope, &sought("aguila"))
        .await
        .unwrap();
    assert!(!named.data.is_empty());
    let is_of = |row: &movement::Movement, name: &str| {
        let parties = [&row.from, &row.to].into_iter().flatten();
        parties
            .filter_map(|party| party.name.as_deref())
            .any(|named| named == name)
    };
    let every = movement::list(&mut transaction, &scope, &ListQuery::all())
        .await
        .unwrap();
    let of_agency: Vec<&str> = every
        .data
        .iter()
        .filter(|row| is_of(row, "Águila Envíos"))
        .map(|row| row.number.as_str())
        .collect();
    assert_eq!(column(&named, "/number"), of_agency);
    let one = of_agency[0];
    let both = movement::list(&mut transaction, &scope, &sought(&format!("aguila {one}")))
        .await
        .unwrap();
    assert_eq!(column(&both, "/number"), [one], "its number and a name");
    let other = every.data.iter().find(|row| !is_of(row, "Águila Envíos")).unwrap();
    let neither = sought(&format!("aguila {}", other.number));
    assert_eq!(
        movement::list(&mut transaction, &scope, &neither)
            .await
            .unwrap()
            .total_records,
        0
    );
    let agency = office.scope(office.agency).await;
    let others = movement::list(&mut transaction, &agency, &sought(&other.number))
        .await
        .unwrap();
    assert_eq!(others.total_records, 0, "somebody else's movement");
    let owed = debit::list(&mut transaction, &scope, &sought("AGUILA")).await.unwrap();
    let all = debit::list(&mut transaction, &scope, &ListQuery::all()).await.unwrap();
    let of_agency = all
        .data
        .iter()
        .filter(|row| row.debtor.name.as_deref() == Some("Águila Envíos"));
    assert_eq!(owed.data.len(), of_agency.count());
    assert!(!owed.data.is_empty());
    let closures = closure::list(&mut transaction, &scope, &ListQuery::all())
        .await
        .unwrap();
    let number = closures.data[0].number.clone();
    let found = closure::list(&mut transaction, &scope, &sought(&number)).await.unwrap();
    assert_eq!(column(&found, "/number"), [number.as_str()]);
}

#[tokio::test]
async fn movements_and_debits_are_visible_to_both_sides() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let all = ListQuery {
        sort: Some("created".into()),
        ..ListQuery::all()
    };
    let movements = movement::list(&mut transaction, &scopes.manager, &all).await.unwrap();
    assert_eq!(
        column(&movements, "/kind"),
        [
            "managerDeposit",
            "managerDeposit",
            "managerDeposit",
            "balanceAssignment",
            "balanceAssignment",
            "balanceAssignment",
            "balanceAssignment",
            "dealerDeposit",
            "dealerDeposit",
            "deliveryDeposit",
            "expense",
            "dealerReturn",
            "debitPayment"
        ]
    );
    let expense = shown(&movements.data[10]);
    assert_eq!(
        (&expense["reversed"], &expense["reverseReason"], &expense["note"]),
        (&json!(true), &json!("Doble"), &json!("Gasolina"))
    );
    let assigned = shown(&movements.data[3]);
    assert_eq!(
        assigned["amounts"],
        json!([{"currency": "CUP", "amount": "300000.00"}, {"currency": "USD", "amount": "941.92"}])
    );
    assert_eq!(
        (&assigned["from"], &assigned["to"]["name"]),
        (&Value::Null, &json!("Águila Envíos"))
    );
    for (scope, count) in [
        (&scopes.agency, 5),
        (&scopes.agent, 1),
        (&scopes.dealer, 5),
        (&scopes.delivery_man, 1),
    ] {
        let page = movement::list(&mut transaction, scope, &all).await.unwrap();
        assert_eq!(page.total_records, count, "{:?}", scope.role);
    }
    for (receivers, count) in [
        (Receivers::Agencies, 3),
        (Receivers::Agents, 1),
        (Receivers::Dealers, 3),
    ] {
        let page = movement::assignments(&mut transaction, &scopes.manager, receivers, &all)
            .await
            .unwrap();
        assert_eq!(page.total_records, count, "{receivers:?}");
    }
    let kinds = ListQuery::all()
        .filter("kind", "deliveryDeposit")
        .filter("partyId", office.delivery_man);
    assert_eq!(
        movement::list(&mut transaction, &scopes.dealer, &kinds)
            .await
            .unwrap()
            .total_records,
        1
    );

    let debits = debit::list(&mut transaction, &scopes.manager, &all).await.unwrap();
    assert_eq!(column(&debits, "/origin"), ["assignment", "assignment", "closure"]);
    assert_eq!(column(&debits, "/status"), ["open", "open", "settled"]);
    assert_eq!(column(&debits, "/amount"), ["100.00", "156.99", "3.60"]);
    assert_eq!(
        column(&debits, "/creditor/name"),
        [Value::Null, json!("Águila Envíos"), Value::Null]
    );
    let open = all.clone().filter("status", "open").filter("partyId", office.agent);
    let owed = debit::list(&mut transaction, &scopes.agency, &open).await.unwrap();
    assert_eq!(column(&owed, "/outstanding"), ["156.99"]);
    assert_eq!(
        debit::list(&mut transaction, &scopes.agent, &all)
            .await
            .unwrap()
            .total_records,
        1
    );
    assert_eq!(
        debit::list(&mut transaction, &scopes.dealer, &all)
            .await
            .unwrap()
            .total_records,
        0
    );
}

#[tokio::test]
async fn closures_show_frozen_figures_and_hold_their_identity() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let page = closure::list(&mut transaction, &scopes.agency, &ListQuery::default())
        .await
        .unwrap();
    let row = shown(&page.data[0]);
    assert_eq!(
        (&row["number"], &row["party"]["name"], &row["from"]),
        (&json!("C-000001"), &json!("Águila Envíos"), &Value::Null)
    );
    let groups = row["figures"]["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    for group in groups {
        let figure = |name: &str| amount(group[name].as_str().unwrap());
        let closing = figure("opening") + figure("assigned") - figure("given") - figure("sold") + figure("returned");
        assert_eq!(closing, figure("closing"), "{group}");
    }
    assert_eq!(
        (&row["figures"]["remittances"], &row["figures"]["amount"]),
        (&json!(3), &json!("180.00"))
    );
    assert_eq!(row["figures"]["managerCommission"], "3.60");
    for (scope, count) in [
        (&scopes.manager, 1),
        (&scopes.clerk, 0),
        (&scopes.agent, 0),
        (&scopes.dealer, 0),
    ] {
        let page = closure::list(&mut transaction, scope, &ListQuery::default())
            .await
            .unwrap();
        assert_eq!(page.total_records, count, "{:?}", scope.role);
    }
}
