//! Movements, debits and closures.

use super::{Scopes, column, shown};
use crate::common::{Office, amount, terms};
use caudal_domain::{
    Command,
    ids::{MovementId, ObligationId, PartyId},
    movement::{DepositTo, ExpectedParty, Funds, MovementCommand, PayDebits},
    party::Registration,
};
use caudal_projections::{
    ListQuery, ReadTransaction, Scope, closure, debit,
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

/// Giver, receiver, amount and note of a movement, as a caller sees it.
async fn told(transaction: &mut ReadTransaction, scope: &Scope, id: MovementId) -> [Value; 4] {
    let movement = shown(movement::get(transaction, scope, id).await.unwrap());
    ["/from/name", "/to/name", "/amounts/0/amount", "/note"]
        .map(|field| movement.pointer(field).cloned().unwrap_or(Value::Null))
}

#[tokio::test]
async fn of_a_payment_on_debits_of_several_parties_a_debtor_sees_the_own_part_and_the_creditor_the_whole() {
    // Given agencies that owe the manager, and agents that owe their agency.
    let office = Office::open().await;
    office.fund().await;
    let (zafiro, sibling) = (PartyId::generate(), PartyId::generate());
    let sells = || vec![terms(office.group, None)];
    let agency = Registration::Agency { terms: sells() };
    office.register(zafiro, agency, "Zafiro Envíos").await;
    let agent = Registration::ExternalAgent {
        agency: Some(office.agency),
        terms: sells(),
    };
    office.register(sibling, agent, "Saúl Agent").await;
    let owes = async |by: PartyId, to: PartyId, role: ExpectedParty, sum: &str| {
        let funds = Funds::Group(office.group);
        let answer = office.deposit(by, DepositTo::Party(to, role), funds, sum, true).await;
        ObligationId(answer.debit_id.unwrap())
    };
    let pay = async |by: PartyId, debits: &[ObligationId], note: &str| {
        let pay = PayDebits {
            debits: debits.to_vec(),
            amount: None,
            note: Some(note.into()),
        };
        MovementId(office.move_money(by, MovementCommand::PayDebits(pay)).await.id)
    };
    let (manager, of_agency, of_agent) = (office.manager, ExpectedParty::Agency, ExpectedParty::Agent);
    let own = owes(manager, office.agency, of_agency, "31850.00").await;
    let others = owes(manager, zafiro, of_agency, "254800.00").await;
    let alone = owes(manager, office.agency, of_agency, "47775.00").await;
    let agents = owes(office.agency, office.agent, of_agent, "3185.00").await;
    let siblings = owes(office.agency, sibling, of_agent, "6370.00").await;

    // When several are paid at once.
    let of_agencies = pay(manager, &[own, others], "Agencies").await;
    pay(manager, &[alone], "Alone").await;
    let of_agents = pay(office.agency, &[agents, siblings], "Agents").await;

    // Then each sees what is its own.
    let scopes = Scopes::of(&office).await;
    let (zafiro, sibling) = (office.scope(zafiro).await, office.scope(sibling).await);
    let mut transaction = office.begin().await;
    let (aguila, nobody) = (json!("Águila Envíos"), Value::Null);
    let part = |from: &str, to: &Value, sum: &str| [json!(from), to.clone(), json!(sum), Value::Null];
    for (scope, id, seen) in [
        (
            &scopes.manager,
            of_agencies,
            [nobody.clone(), nobody.clone(), json!("900.00"), json!("Agencies")],
        ),
        (&scopes.agency, of_agencies, part("Águila Envíos", &nobody, "100.00")),
        (&scopes.clerk, of_agencies, part("Águila Envíos", &nobody, "100.00")),
        (&zafiro, of_agencies, part("Zafiro Envíos", &nobody, "800.00")),
        (
            &scopes.agency,
            of_agents,
            [nobody.clone(), aguila.clone(), json!("30.00"), json!("Agents")],
        ),
        (&scopes.agent, of_agents, part("Ernesto Agent", &aguila, "10.00")),
        (&sibling, of_agents, part("Saúl Agent", &aguila, "20.00")),
    ] {
        let role = scope.role;
        assert_eq!(told(&mut transaction, scope, id).await, seen, "{role:?}");
    }
    for scope in [&scopes.agent, &scopes.dealer] {
        assert!(movement::get(&mut transaction, scope, of_agencies).await.is_err());
    }
    // Sorts, filters and searches compare the parts.
    let payments = ListQuery::all().filter("kind", "debitPayment");
    let sorted = |sort: &str| ListQuery {
        sort: Some(sort.into()),
        ..payments.clone()
    };
    let sought = |text: &str| ListQuery {
        query: Some(text.into()),
        ..payments.clone()
    };
    for (query, amounts) in [
        (sorted("amount"), &["30.00", "100.00", "150.00"][..]),
        (sorted("-note"), &["150.00", "30.00", "100.00"]),
        (sorted("created"), &["100.00", "150.00", "30.00"]),
        (
            sorted("created").filter("partyId", office.agency),
            &["100.00", "150.00", "30.00"],
        ),
        (payments.clone().filter("partyId", zafiro.party), &[]),
        (sought("zafiro"), &[]),
    ] {
        let page = movement::list(&mut transaction, &scopes.agency, &query).await.unwrap();
        assert_eq!(column(&page, "/amounts/0/amount"), amounts, "{query:?}");
        assert_eq!(page.total_records, i64::try_from(amounts.len()).unwrap());
    }
    for (text, count) in [("ernesto", 1), ("saul", 0)] {
        let page = movement::list(&mut transaction, &scopes.agent, &sought(text))
            .await
            .unwrap();
        assert_eq!(page.total_records, count, "{text}");
    }
    let whole = movement::list(&mut transaction, &scopes.manager, &sorted("-amount"))
        .await
        .unwrap();
    assert_eq!(column(&whole, "/amounts/0/amount"), ["900.00", "150.00", "30.00"]);
    drop(transaction);

    // A reversal leaves each its part, and tells its reason to who sees the whole.
    let reverse = MovementCommand::Reverse {
        reason: "Bounced".into(),
    };
    office.manage(Command::Movement(of_agencies, reverse)).await;
    let mut transaction = office.begin().await;
    for (scope, sum, reason) in [
        (&scopes.manager, "900.00", json!("Bounced")),
        (&scopes.agency, "100.00", Value::Null),
    ] {
        let reversed = shown(movement::get(&mut transaction, scope, of_agencies).await.unwrap());
        assert_eq!(
            (&reversed["amounts"][0]["amount"], &reversed["reverseReason"]),
            (&json!(sum), &reason)
        );
        assert_eq!(reversed["reversed"], true);
    }
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
