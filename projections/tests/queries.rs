//! The queries: what each caller sees, in which shape, and how lists are sorted, filtered, searched and paged.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

mod common;

use caudal_domain::{
    customer::ChangeCustomer,
    ids::{CustomerId, PartyId, RemittanceId},
    money::Amount,
    party::Role,
    remittance::DeliveryChoice,
};
use caudal_projections::{
    ListQuery, Page, ReadError, Scope, Snapshot,
    changes::{self, Changes},
    closure, customer, debit, ledger,
    movement::{self, Receivers},
    nomenclator::{currency, payment_group, place},
    party::{agency, agent, dealer, profile},
    remittance,
    scalar::CustomerType,
};
use common::{Office, amount, person};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::Connection as _;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

fn json<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap()
}

/// The values of one field, in order.
fn column<T: Serialize>(page: &Page<T>, field: &str) -> Vec<Value> {
    page.data
        .iter()
        .map(|row| json(row).pointer(field).cloned().unwrap_or(Value::Null))
        .collect()
}

fn refused<T: std::fmt::Debug>(result: Result<T, ReadError>) -> (String, &'static str) {
    match result.unwrap_err() {
        ReadError::Refused(refusal) => match refusal.errors.first() {
            Some(error) => (error.field.to_string(), error.code),
            None => (String::new(), refusal.code),
        },
        other => panic!("{other:?}"),
    }
}

struct Scopes {
    manager: Scope,
    agency: Scope,
    clerk: Scope,
    agent: Scope,
    dealer: Scope,
    delivery_man: Scope,
}

impl Scopes {
    async fn of(office: &Office) -> Self {
        Self {
            manager: office.scope(office.manager).await,
            agency: office.scope(office.agency).await,
            clerk: office.scope(office.clerk).await,
            agent: office.scope(office.agent).await,
            dealer: office.scope(office.dealer).await,
            delivery_man: office.scope(office.delivery_man).await,
        }
    }

    fn all(&self) -> [(&'static str, &Scope); 6] {
        [
            ("manager", &self.manager),
            ("agency", &self.agency),
            ("clerk", &self.clerk),
            ("agent", &self.agent),
            ("dealer", &self.dealer),
            ("delivery man", &self.delivery_man),
        ]
    }
}

#[tokio::test]
async fn everybody_sees_its_own_remittances_and_no_others() {
    let office = Office::open().await;
    let [completed, canceled, failed, shipping, pending] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
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
        let page = remittance::list(&mut snapshot, scope, &ListQuery::default())
            .await
            .unwrap();
        let seen: BTreeSet<Uuid> = page.data.iter().map(|row| row.id).collect();
        assert_eq!(seen, expected.iter().map(|id| id.0).collect(), "{name}");
        for id in all {
            let got = remittance::get(&mut snapshot, scope, id).await;
            let history = remittance::history(&mut snapshot, scope, id, &ListQuery::default()).await;
            let terms = remittance::payment_group(&mut snapshot, scope, id).await;
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
async fn the_summary_counts_what_the_list_shows_and_adds_up_its_payouts() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
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
        let rows = json(remittance::list(&mut snapshot, scope, &all).await.unwrap());
        let rows = rows["data"].as_array().unwrap().clone();
        let figures = json(remittance::summary(&mut snapshot, scope, query).await.unwrap());
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
    let refusal = refused(remittance::summary(&mut snapshot, &scopes.manager, &sorted).await);
    assert_eq!(refusal, ("sort".to_owned(), "filter_unknown"));
}

#[tokio::test]
async fn a_remittance_shows_names_money_places_and_proof() {
    let office = Office::open().await;
    let [completed, canceled, failed, ..] = office.day().await;
    let scope = office.scope(office.manager).await;
    let mut snapshot = office.snapshot().await;
    let row = json(remittance::get(&mut snapshot, &scope, completed).await.unwrap());
    let expect = [
        ("/code", json!("R-000001")),
        ("/status", json!(3)),
        ("/deliveryMethod", json!("home")),
        ("/sender/name", json!("José Ibáñez Núñez")),
        ("/recipient/name", json!("María Pérez")),
        ("/recipient/phoneNumber", json!("+53 5 123 4567")),
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
        let row = json(remittance::get(&mut snapshot, &scope, id).await.unwrap());
        assert_eq!((&row["status"], &row["reason"]), (&json!(status), &json!(reason)));
    }
    let history = remittance::history(&mut snapshot, &scope, completed, &ListQuery::default())
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
    let terms = json(
        remittance::payment_group(&mut snapshot, &scope, completed)
            .await
            .unwrap(),
    );
    assert_eq!(terms["managerCommission"], json!({"rate": "2"}));
    assert_eq!(terms["agencyCommission"]["rate"], "3");
    assert_eq!(terms["agentCommission"], Value::Null);
}

#[tokio::test]
async fn a_card_is_whole_only_for_who_has_to_pay_to_it() {
    let office = Office::open().await;
    let [.., shipping, _] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    for (scope, number) in [
        (&scopes.manager, "************7890"),
        (&scopes.agency, "************7890"),
        (&scopes.dealer, "9225061234567890"),
    ] {
        let row = json(remittance::get(&mut snapshot, scope, shipping).await.unwrap());
        assert_eq!(row["card"]["cardNumber"], number, "{:?}", scope.role);
        assert_eq!(row["address"], Value::Null);
    }
    let cards = customer::cards(&mut snapshot, &scopes.agency, office.recipient, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(
        json(&cards.data[0]),
        json!({"id": office.card.0, "customerId": office.recipient.0, "cardNumber": "************7890",
               "brand": "bandec_mlc", "currency": "MLC", "isDefault": false})
    );
    drop(snapshot);
    office.complete(office.dealer, shipping).await;
    let row = json(
        remittance::get(&mut office.snapshot().await, &scopes.dealer, shipping)
            .await
            .unwrap(),
    );
    assert_eq!(
        row["card"]["cardNumber"], "************7890",
        "once paid it is nobody's business"
    );
}

#[tokio::test]
async fn lists_sort_filter_and_page() {
    let office = Office::open().await;
    let [completed, canceled, failed, shipping, pending] = office.day().await;
    let scope = office.scope(office.manager).await;
    let mut snapshot = office.snapshot().await;
    let order = [completed, canceled, failed, shipping, pending];
    let sorted = |sort: &str| ListQuery {
        sort: Some(sort.into()),
        ..ListQuery::default()
    };
    for (sort, expected) in [
        ("created", [0, 1, 2, 3, 4]),
        ("-code", [4, 3, 2, 1, 0]),
        ("amount", [4, 1, 3, 2, 0]),
        ("status", [4, 1, 3, 0, 2]),
    ] {
        let page = remittance::list(&mut snapshot, &scope, &sorted(sort)).await.unwrap();
        let ids: Vec<Uuid> = page.data.iter().map(|row| row.id).collect();
        assert_eq!(ids, expected.map(|index| order[index].0), "{sort}");
    }
    let province = common::home().province.unwrap();
    let today = chrono::Utc::now()
        .with_timezone(&caudal_domain::DEFAULT_ZONE)
        .format("%Y%m%d")
        .to_string();
    for (name, value, expected) in [
        ("status", "2".to_owned(), vec![shipping]),
        ("deliveryMethod", "card".to_owned(), vec![shipping]),
        ("currency", "MLC".to_owned(), vec![shipping]),
        ("agentid", office.agent.to_string(), vec![canceled, pending]),
        ("dealerId", office.dealer.to_string(), vec![completed, failed, shipping]),
        (
            "provinceId",
            province.to_string(),
            vec![completed, canceled, failed, pending],
        ),
        ("initDate", today.clone(), order.to_vec()),
        ("finalDate", today, order.to_vec()),
        ("finalDate", "20200229".to_owned(), vec![]),
        ("agencyId", Uuid::nil().to_string(), vec![]),
    ] {
        let query = sorted("created").filter(name, &value);
        let page = remittance::list(&mut snapshot, &scope, &query).await.unwrap();
        let ids: Vec<Uuid> = page.data.iter().map(|row| row.id).collect();
        assert_eq!(
            ids,
            expected.iter().map(|id| id.0).collect::<Vec<_>>(),
            "{name}={value}"
        );
    }
    let query = ListQuery {
        current_page: 2,
        records_per_page: 2,
        ..sorted("created")
    };
    let page = remittance::list(&mut snapshot, &scope, &query).await.unwrap();
    assert_eq!(
        (
            page.items_per_page,
            page.current_page,
            page.total_pages,
            page.total_records
        ),
        (2, 2, 3, 5)
    );
    assert_eq!(
        page.data.iter().map(|row| row.id).collect::<Vec<_>>(),
        [failed.0, shipping.0]
    );
    let all = remittance::list(&mut snapshot, &scope, &ListQuery::all())
        .await
        .unwrap();
    assert_eq!((all.data.len(), all.total_pages, all.items_per_page), (5, 1, 5));
    let grouped = remittance::dispatch(&mut snapshot, &scope, &[office.agency], &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(
        grouped.data.last().unwrap().id,
        shipping.0,
        "what has no place comes last"
    );
    let foreign = [PartyId::generate()];
    let none = remittance::dispatch(&mut snapshot, &scope, &foreign, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(none.total_records, 0);
}

#[tokio::test]
async fn what_a_list_does_not_have_is_refused_by_name() {
    let office = Office::open().await;
    let scope = office.scope(office.manager).await;
    let mut snapshot = office.snapshot().await;
    for (query, field, code) in [
        (ListQuery::default().filter("status", "7"), "status", "value_unknown"),
        (
            ListQuery::default().filter("status", "2 OR true"),
            "status",
            "value_unknown",
        ),
        (ListQuery::default().filter("colour", "red"), "colour", "filter_unknown"),
        (ListQuery::default().filter("agencyId", "x"), "agencyId", "id_invalid"),
        (
            ListQuery::default().filter("currency", "XXX"),
            "currency",
            "currency_unknown",
        ),
        (
            ListQuery::default().filter("initDate", "20260230"),
            "initDate",
            "date_invalid",
        ),
        (
            ListQuery::default().filter("finalDate", "2026-01-01"),
            "finalDate",
            "date_invalid",
        ),
        (
            ListQuery {
                sort: Some("created; DROP TABLE remittances".into()),
                ..ListQuery::default()
            },
            "sort",
            "sort_unknown",
        ),
    ] {
        let refusal = refused(remittance::list(&mut snapshot, &scope, &query).await);
        assert_eq!(refusal, (field.to_owned(), code));
    }
    let searched = ListQuery {
        query: Some("x".into()),
        ..ListQuery::default()
    };
    assert_eq!(
        refused(ledger::balances(&mut snapshot, &scope, &searched).await),
        ("query".into(), "filter_unknown")
    );
}

async fn found(snapshot: &mut Snapshot, scope: &Scope, text: &str) -> Vec<String> {
    let query = ListQuery::default().filter("name", text);
    let page = customer::list(snapshot, scope, CustomerType::Recipient, &query)
        .await
        .unwrap();
    page.data.into_iter().map(|row| row.full_name.unwrap()).collect()
}

#[tokio::test]
async fn searching_finds_exact_matches_first_then_prefixes_and_words_without_accents() {
    let office = Office::open().await;
    let issuer = Some(office.issuer);
    for (name, last_name, phone) in [
        ("Ana María", "Suárez", "52000001"),
        ("Mariana", "Gómez", "52000002"),
        ("Maria", "", "52000003"),
        ("Susana", "Mar", "52000004"),
    ] {
        office.customer(issuer, person(name, last_name, phone)).await;
    }
    let scope = office.scope(office.manager).await;
    let mut snapshot = office.snapshot().await;
    let maria = found(&mut snapshot, &scope, "MARIA").await;
    assert_eq!(maria[0], "Maria", "the exact match");
    assert_eq!(
        maria[1..3].iter().map(String::as_str).collect::<BTreeSet<_>>(),
        ["María Pérez", "Mariana Gómez"].into()
    );
    assert_eq!(maria[3..], ["Ana María Suárez"]);
    assert_eq!(found(&mut snapshot, &scope, "perez maría").await, ["María Pérez"]);
    assert_eq!(
        found(&mut snapshot, &scope, "ana").await,
        ["Ana María Suárez"],
        "words from their beginning"
    );
    assert_eq!(
        found(&mut snapshot, &scope, "0004").await,
        ["Susana Mar"],
        "the end of a phone"
    );
    assert_eq!(
        found(&mut snapshot, &scope, "1234567").await,
        ["María Pérez"],
        "a phone without its blanks"
    );
    assert_eq!(found(&mut snapshot, &scope, "%_").await, [""; 0]);
    let by_name = ListQuery {
        sort: Some("name".into()),
        ..ListQuery::default()
    };
    let sorted = customer::list(&mut snapshot, &scope, CustomerType::Recipient, &by_name)
        .await
        .unwrap();
    let names = column(&sorted, "/fullName");
    assert_eq!(
        names,
        [
            "Ana María Suárez",
            "Maria",
            "María Pérez",
            "Mariana Gómez",
            "Susana Mar"
        ],
        "accents sort as letters"
    );
    drop(snapshot);

    let id = office.sell_for_search().await;
    let mut snapshot = office.snapshot().await;
    for text in ["R-000001", "000001", "ibañez", "maria", "PEREZ"] {
        let query = ListQuery {
            query: Some(text.into()),
            ..ListQuery::default()
        };
        let page = remittance::list(&mut snapshot, &scope, &query).await.unwrap();
        assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), [id.0], "{text}");
    }
    drop(snapshot);
    office
        .rename_customer(office.recipient, person("Yanelis", "Ortiz", "5"))
        .await;
    let mut snapshot = office.snapshot().await;
    for (text, hits) in [("yanelis", 1), ("perez", 0)] {
        let query = ListQuery {
            query: Some(text.into()),
            ..ListQuery::default()
        };
        let page = remittance::list(&mut snapshot, &scope, &query).await.unwrap();
        assert_eq!(page.total_records, hits, "a rename shows in old remittances");
    }
}

#[tokio::test]
async fn a_search_for_what_very_many_have_shows_the_newest_and_says_that_it_did() {
    /// More people of one name than are looked up each.
    const PEREZ: i64 = 2_100;
    let office = Office::open().await;
    let id = office.sell_for_search().await;
    drop(office.snapshot().await);
    let mut owner = sqlx::PgConnection::connect(office.database.url()).await.unwrap();
    for statement in [
        "SELECT set_config('caudal.tenant', $1, false)",
        "INSERT INTO read.customers
                (tenant, id, position, kind, owner, is_active, deleted, name, search, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 1000000 + n, 1, gen_random_uuid(), true, false, 'Pérez ' || n,
                ', perez ' || n || ' ,', now(), now()
           FROM generate_series(1, 2100) AS n",
    ] {
        let run = sqlx::query(statement).bind(office.tenant.as_str());
        run.execute(&mut owner).await.unwrap();
    }
    let scope = office.scope(office.manager).await;
    let mut snapshot = office.snapshot().await;
    let newest = |text: &str, page: i64| ListQuery {
        current_page: page,
        ..ListQuery::default().filter("name", text)
    };
    let people = async |snapshot: &mut Snapshot, query: &ListQuery| {
        customer::list(snapshot, &scope, CustomerType::Recipient, query)
            .await
            .unwrap()
    };
    let first = people(&mut snapshot, &newest("perez", 1)).await;
    let names: Vec<_> = first.data.iter().map(|row| row.full_name.clone().unwrap()).collect();
    assert_eq!(names[..2], ["Pérez 2100", "Pérez 2099"]);
    assert!(first.is_partial && first.total_records == 200 && first.total_records < PEREZ);
    assert_eq!(serde_json::to_value(&first).unwrap()["isPartial"], true);
    let second = people(&mut snapshot, &newest("perez", 2)).await;
    assert_eq!(second.data[0].full_name.as_deref(), Some("Pérez 2090"));
    let by_date = ListQuery {
        sort: Some("-created".into()),
        ..newest("perez", 1)
    };
    let by_date = people(&mut snapshot, &by_date).await;
    assert_eq!(by_date.data[0].full_name.as_deref(), Some("Pérez 2100"));
    assert!(by_date.is_partial, "the newest first is what the interface asks for");
    let exact = people(&mut snapshot, &newest("perez 7", 1)).await;
    assert_eq!(
        exact.data[0].full_name.as_deref(),
        Some("Pérez 7"),
        "another word finds it"
    );
    assert!(!exact.is_partial);
    assert!(serde_json::to_value(&exact).unwrap().get("isPartial").is_none());
    let sorted = ListQuery {
        sort: Some("created".into()),
        ..newest("perez", 1)
    };
    let oldest = people(&mut snapshot, &sorted).await;
    assert_eq!(
        (oldest.total_records, oldest.is_partial),
        (PEREZ + 1, false),
        "whoever sorts otherwise has all of them"
    );

    // A remittance to one of them is among the newest remittances, and one to nobody of that name is not.
    let query = ListQuery {
        query: Some("perez".into()),
        ..ListQuery::default()
    };
    let page = remittance::list(&mut snapshot, &scope, &query).await.unwrap();
    assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), [id.0]);
    assert!(!page.is_partial, "the whole list was looked through");
    let query = query.filter("status", "1");
    let page = remittance::list(&mut snapshot, &scope, &query).await.unwrap();
    assert_eq!((page.total_records, page.is_partial), (0, false));
}

impl Office {
    async fn sell_for_search(&self) -> RemittanceId {
        self.fund().await;
        self.sell(self.agency, "10.00", DeliveryChoice::Home).await
    }
}

#[tokio::test]
async fn customers_are_their_agencys_and_hidden_once_deleted() {
    let office = Office::open().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    for (name, scope) in scopes.all() {
        let page = customer::list(&mut snapshot, scope, CustomerType::Sender, &ListQuery::default())
            .await
            .unwrap();
        let sells = scope.role == Role::Manager || scope.role.sells();
        assert_eq!(page.total_records, i64::from(sells), "{name}");
        assert_eq!(
            customer::get(&mut snapshot, scope, office.recipient).await.is_ok(),
            sells,
            "{name}"
        );
    }
    let issuer = json(
        customer::get(&mut snapshot, &scopes.agency, office.issuer)
            .await
            .unwrap(),
    );
    assert_eq!(issuer["customerType"], 0);
    assert_eq!(issuer["totalReceivers"], 1);
    assert_eq!(issuer["agencyId"], json!(office.agency.0));
    assert_eq!(
        (&issuer["alias"], &issuer["alternativeName"]),
        (&json!("José"), &json!("José"))
    );
    let recipient = json(
        customer::get(&mut snapshot, &scopes.agency, office.recipient)
            .await
            .unwrap(),
    );
    assert_eq!(recipient["senderId"], json!(office.issuer.0));
    assert_eq!(recipient["province"], "La Habana");
    assert_eq!(recipient["address"]["stateOrProvince"], "La Habana");
    assert_eq!(recipient["card"][0]["cardNumber"], "************7890");
    let of_sender = ListQuery::default().filter("senderId", office.issuer);
    let page = customer::list(&mut snapshot, &scopes.manager, CustomerType::Recipient, &of_sender)
        .await
        .unwrap();
    assert_eq!(page.total_records, 1);
    drop(snapshot);
    use caudal_domain::{Command, customer::CustomerCommand};
    let off = ChangeCustomer {
        details: person("José", "Ibáñez", "1"),
        is_active: Some(false),
        place: None,
    };
    office
        .manage(Command::Customer(office.issuer, CustomerCommand::Change(off)))
        .await;
    office
        .manage(Command::Customer(office.recipient, CustomerCommand::Delete))
        .await;
    let mut snapshot = office.snapshot().await;
    let issuer = json(
        customer::get(&mut snapshot, &scopes.manager, office.issuer)
            .await
            .unwrap(),
    );
    assert_eq!(
        (&issuer["isActive"], &issuer["totalReceivers"]),
        (&json!(false), &json!(0))
    );
    let gone = customer::get(&mut snapshot, &scopes.manager, office.recipient).await;
    assert_eq!(refused(gone).1, "customer_not_found");
    let unknown = customer::get(&mut snapshot, &scopes.manager, CustomerId::generate()).await;
    assert_eq!(refused(unknown).1, "customer_not_found");
}

#[tokio::test]
async fn the_top_bar_shows_balance_expenses_and_terms() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let agency = json(profile::get(&mut snapshot, &scopes.agency).await.unwrap());
    assert_eq!(
        (&agency["userType"], &agency["agencyName"]),
        (&json!(4), &json!("Águila Envíos"))
    );
    assert_eq!(agency["timeZone"], "America/Havana");
    let cup = &agency["paymentGroups"][0];
    // 300000 + 31850 assigned, 50000 given, 31850 and 15925 sold.
    assert_eq!(
        (&cup["currencyTo"], &cup["amount"], &cup["expenses"]),
        (&json!("CUP"), &json!("234075.00"), &json!("47775.00"))
    );
    assert_eq!(
        (&cup["creditLimit"], &cup["exchangeRate"]),
        (&json!("50000.00"), &json!("318.5"))
    );
    assert_eq!(
        (&cup["agencyCommission"]["rate"], &cup["agentCommission"]),
        (&json!("3"), &Value::Null)
    );
    let clerk = json(profile::get(&mut snapshot, &scopes.clerk).await.unwrap());
    assert_eq!((&clerk["userType"], &clerk["agentType"]), (&json!(3), &json!(0)));
    assert_eq!(
        clerk["paymentGroups"], agency["paymentGroups"],
        "an internal agent sees its agency's"
    );
    let agent = json(profile::get(&mut snapshot, &scopes.agent).await.unwrap());
    let own = &agent["paymentGroups"][0];
    // 50000 received; 20 USD sold and canceled, 10 edited to 12 and still sold.
    assert_eq!(
        (&own["amount"], &own["expenses"]),
        (&json!("46178.00"), &json!("3822.00"))
    );
    assert_eq!(
        (&own["agencyCommission"]["rate"], &own["agentCommission"]["rate"]),
        (&json!("3"), &json!("3"))
    );
    let dealer = json(profile::get(&mut snapshot, &scopes.dealer).await.unwrap());
    let cash: Vec<_> = dealer["paymentGroups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["groupName"], &row["amount"], &row["expenses"]))
        .collect();
    assert_eq!(
        cash,
        [
            (&json!("CUP"), &json!("139000.00"), &json!("0.00")),
            (&json!("MLC"), &json!("500.00"), &json!("0.00")),
            (&json!("USD"), &json!("0.00"), &json!("0.00")),
        ],
        "200000 less 60000 handed over and 1000 returned; the expense was taken back"
    );
    let manager = json(profile::get(&mut snapshot, &scopes.manager).await.unwrap());
    assert_eq!(manager["paymentGroups"], json!([]));
}

#[tokio::test]
async fn parties_are_seen_by_those_above_them() {
    let office = Office::open().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let query = ListQuery::default();
    for ((name, scope), counts) in
        scopes
            .all()
            .into_iter()
            .zip([[1, 2, 2], [1, 2, 0], [1, 2, 0], [1, 1, 0], [0, 0, 2], [0, 0, 1]])
    {
        let seen = [
            agency::list(&mut snapshot, scope, &query).await.unwrap().total_records,
            agent::list(&mut snapshot, scope, &query).await.unwrap().total_records,
            dealer::list(&mut snapshot, scope, &query).await.unwrap().total_records,
        ];
        assert_eq!(seen, counts, "{name}");
    }
    let internal = ListQuery::default()
        .filter("AgentType", 0)
        .filter("AgencyId", office.agency);
    let agents = agent::list(&mut snapshot, &scopes.manager, &internal).await.unwrap();
    assert_eq!(column(&agents, "/name"), ["Clara Clerk"]);
    assert_eq!(column(&agents, "/agencyName"), ["Águila Envíos"]);
    let men = ListQuery::default().filter("type", 1);
    let men = dealer::list(&mut snapshot, &scopes.dealer, &men).await.unwrap();
    let man = json(&men.data[0]);
    assert_eq!((&man["type"], &man["dealerName"]), (&json!(1), &json!("Dora Dealer")));
    let zone = man["zones"][0]["name"].as_str().unwrap();
    assert_eq!(man["distributionArea"], format!(",La Habana,{zone},"));
    let single = dealer::get(&mut snapshot, &scopes.dealer, office.delivery_man)
        .await
        .unwrap();
    assert_eq!(single.id, office.delivery_man.0);
    assert_eq!(
        refused(dealer::get(&mut snapshot, &scopes.delivery_man, office.dealer).await).1,
        "party_not_found"
    );
    let directory = dealer::directory(&mut snapshot, &scopes.delivery_man, &query)
        .await
        .unwrap();
    assert_eq!(column(&directory, "/name"), ["Dora Dealer"]);
    let searched = ListQuery {
        query: Some("aguila".into()),
        ..ListQuery::default()
    };
    assert_eq!(
        agency::list(&mut snapshot, &scopes.manager, &searched)
            .await
            .unwrap()
            .total_records,
        1
    );
}

#[tokio::test]
async fn nomenclators_are_the_catalogue_with_what_was_set() {
    let office = Office::open().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let currencies = currency::list(&mut snapshot, &scopes.agent, &ListQuery::all())
        .await
        .unwrap();
    assert_eq!(column(&currencies, "/code"), ["CUP", "MLC", "USD"]);
    assert_eq!(column(&currencies, "/exchangeRate"), ["330", "1", "1"]);
    assert_eq!(place::provinces(&mut snapshot).await.unwrap().results.len(), 16);
    assert_eq!(
        place::municipalities(&mut snapshot, None).await.unwrap().results.len(),
        168
    );
    let havana = place::municipalities(&mut snapshot, common::home().province)
        .await
        .unwrap();
    assert!(havana.results.len() == 15 && havana.results[0].province_name == "La Habana");
    let catalogue = payment_group::list(&mut snapshot, &scopes.agency, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(column(&catalogue, "/agencyCommission/rate"), ["5", "5"]);
    assert_eq!(column(&catalogue, "/type"), [0, 0]);
    let own = ListQuery::default().filter("Type", 1);
    let terms = payment_group::list(&mut snapshot, &scopes.agent, &own).await.unwrap();
    assert_eq!(column(&terms, "/agentCommission/rate"), ["3"]);
    assert_eq!(column(&terms, "/type"), [1]);
    let wrong = ListQuery::default().filter("Type", 2);
    assert_eq!(
        refused(payment_group::list(&mut snapshot, &scopes.agent, &wrong).await).0,
        "Type"
    );
}

#[tokio::test]
async fn movements_debits_and_closures_are_found_by_number_and_by_party() {
    let office = Office::open().await;
    office.day().await;
    let scope = office.scope(office.manager).await;
    let mut snapshot = office.snapshot().await;
    let sought = |text: &str| ListQuery {
        query: Some(text.into()),
        ..ListQuery::all()
    };
    for text in ["M-000004", "m 000004", "000004"] {
        let found = movement::list(&mut snapshot, &scope, &sought(text)).await.unwrap();
        assert_eq!(column(&found, "/number"), ["M-000004"], "{text}");
    }
    let named = movement::list(&mut snapshot, &scope, &sought("aguila")).await.unwrap();
    assert!(!named.data.is_empty());
    for row in named.data {
        let names = [row.from, row.to].map(|party| party.and_then(|party| party.name));
        assert!(names.contains(&Some("Águila Envíos".into())), "{names:?}");
    }
    let owed = debit::list(&mut snapshot, &scope, &sought("AGUILA")).await.unwrap();
    let all = debit::list(&mut snapshot, &scope, &ListQuery::all()).await.unwrap();
    let of_agency = all
        .data
        .iter()
        .filter(|row| row.debtor.name.as_deref() == Some("Águila Envíos"));
    assert_eq!(owed.data.len(), of_agency.count());
    assert!(!owed.data.is_empty());
    let closures = closure::list(&mut snapshot, &scope, &ListQuery::all()).await.unwrap();
    let number = closures.data[0].number.clone();
    let found = closure::list(&mut snapshot, &scope, &sought(&number)).await.unwrap();
    assert_eq!(column(&found, "/number"), [number.as_str()]);
}

#[tokio::test]
async fn movements_and_debits_show_both_sides_what_is_theirs() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let all = ListQuery {
        sort: Some("created".into()),
        ..ListQuery::all()
    };
    let movements = movement::list(&mut snapshot, &scopes.manager, &all).await.unwrap();
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
    let expense = json(&movements.data[10]);
    assert_eq!(
        (&expense["reversed"], &expense["reverseReason"], &expense["note"]),
        (&json!(true), &json!("Doble"), &json!("Gasolina"))
    );
    let assigned = json(&movements.data[3]);
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
        let page = movement::list(&mut snapshot, scope, &all).await.unwrap();
        assert_eq!(page.total_records, count, "{:?}", scope.role);
    }
    for (receivers, count) in [
        (Receivers::Agencies, 3),
        (Receivers::Agents, 1),
        (Receivers::Dealers, 3),
    ] {
        let page = movement::assignments(&mut snapshot, &scopes.manager, receivers, &all)
            .await
            .unwrap();
        assert_eq!(page.total_records, count, "{receivers:?}");
    }
    let kinds = ListQuery::all()
        .filter("kind", "deliveryDeposit")
        .filter("partyId", office.delivery_man);
    assert_eq!(
        movement::list(&mut snapshot, &scopes.dealer, &kinds)
            .await
            .unwrap()
            .total_records,
        1
    );

    let debits = debit::list(&mut snapshot, &scopes.manager, &all).await.unwrap();
    assert_eq!(column(&debits, "/origin"), ["assignment", "assignment", "closure"]);
    assert_eq!(column(&debits, "/status"), ["open", "open", "settled"]);
    assert_eq!(column(&debits, "/amount"), ["100.00", "156.99", "3.60"]);
    assert_eq!(
        column(&debits, "/creditor/name"),
        [Value::Null, json!("Águila Envíos"), Value::Null]
    );
    let open = all.clone().filter("status", "open").filter("partyId", office.agent);
    let owed = debit::list(&mut snapshot, &scopes.agency, &open).await.unwrap();
    assert_eq!(column(&owed, "/outstanding"), ["156.99"]);
    assert_eq!(
        debit::list(&mut snapshot, &scopes.agent, &all)
            .await
            .unwrap()
            .total_records,
        1
    );
    assert_eq!(
        debit::list(&mut snapshot, &scopes.dealer, &all)
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
    let mut snapshot = office.snapshot().await;
    let page = closure::list(&mut snapshot, &scopes.agency, &ListQuery::default())
        .await
        .unwrap();
    let row = json(&page.data[0]);
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
        let page = closure::list(&mut snapshot, scope, &ListQuery::default())
            .await
            .unwrap();
        assert_eq!(page.total_records, count, "{:?}", scope.role);
    }
}

#[tokio::test]
async fn the_trial_balance_balances_and_names_owners() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let balances = ledger::balances(&mut snapshot, &scopes.manager, &ListQuery::all())
        .await
        .unwrap();
    let books = office.books().await;
    assert_eq!(
        usize::try_from(balances.page.total_records).unwrap(),
        books.accounts().count()
    );
    for currency in ["CUP", "USD", "MLC"] {
        let of = balances.page.data.iter().filter(|row| json(row.currency) == currency);
        assert_eq!(
            of.map(|row| row.closing.0).sum::<caudal_domain::money::Amount>(),
            amount("0.00"),
            "{currency}"
        );
    }
    assert_eq!(
        json(&balances.totals)
            .as_array()
            .unwrap()
            .iter()
            .map(|total| &total["closing"])
            .collect::<Vec<_>>(),
        ["0.00"; 3]
    );
    for row in &balances.page.data {
        assert_eq!(row.opening.0 + row.debits.0 - row.credits.0, row.closing.0);
    }
    let query = ListQuery::all()
        .filter("kind", "balance")
        .filter("ownerId", office.agency);
    let own = ledger::balances(&mut snapshot, &scopes.agency, &query).await.unwrap();
    assert_eq!(column(&own.page, "/closing"), ["-234075.00", "-470.00"]);
    assert_eq!(column(&own.page, "/code"), ["2000", "2000"]);
    assert_eq!(column(&own.page, "/owner/name"), ["Águila Envíos", "Águila Envíos"]);
    assert_eq!(
        column(&own.page, "/paymentGroupId"),
        [json!(office.group.0), json!(office.mlc_group.0)]
    );
    let agents = ledger::balances(&mut snapshot, &scopes.agent, &ListQuery::all())
        .await
        .unwrap();
    assert!(
        agents
            .page
            .data
            .iter()
            .all(|row| row.owner.as_ref().is_some_and(|owner| owner.id == office.agent.0))
    );
    for (query, field, code) in [
        (ListQuery::all().filter("at", "yesterday"), "at", "time_invalid"),
        (
            ListQuery::all().filter("from", "20260102").filter("to", "20260101"),
            "to",
            "date_before_start",
        ),
        (
            ListQuery::all()
                .filter("at", "2026-01-01T00:00:00Z")
                .filter("to", "20260101"),
            "at",
            "not_with_from_or_to",
        ),
    ] {
        assert_eq!(
            refused(ledger::balances(&mut snapshot, &scopes.manager, &query).await),
            (field.into(), code)
        );
    }
}

#[tokio::test]
async fn entries_drill_down_to_their_cause_with_running_balances() {
    let office = Office::open().await;
    let [completed, ..] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let query = ListQuery {
        sort: Some("created".into()),
        ..ListQuery::all().filter("cause", completed)
    };
    let entries = ledger::entries(&mut snapshot, &scopes.manager, &query).await.unwrap();
    assert_eq!(
        column(&entries, "/eventType"),
        ["RemittanceCreated", "RemittanceAssigned", "RemittanceCompleted"]
    );
    assert_eq!(column(&entries, "/causeNumber"), ["R-000001", "R-000001", "R-000001"]);
    let sold = json(&entries.data[0]);
    assert_eq!(sold["transfers"][0]["code"], "sale");
    assert_eq!(sold["transfers"][0]["amount"], "31850.00");
    assert_eq!(sold["transfers"][0]["credit"]["account"], "remittances_pending/CUP");
    assert_eq!(sold["transfers"][0]["credit"]["balanceAfter"], "-31850.00");
    assert_eq!(sold["actor"]["name"], "Clara Clerk");
    let one = ledger::entry(&mut snapshot, &scopes.agency, entries.data[0].position)
        .await
        .unwrap();
    assert_eq!(one.transfers.len(), 2);
    let delivered = ledger::entry(&mut snapshot, &scopes.agency, entries.data[2].position).await;
    assert_eq!(
        refused(delivered).1,
        "entry_not_found",
        "a delivery touches no account of the agency"
    );
    let treasury = ListQuery::all().filter("account", "treasury/CUP");
    assert_eq!(
        ledger::entries(&mut snapshot, &scopes.manager, &treasury)
            .await
            .unwrap()
            .total_records,
        3
    );
}

#[tokio::test]
async fn the_live_stream_tells_each_caller_of_its_own_and_of_nothing_personal() {
    let office = Office::open().await;
    drop(office.snapshot().await);
    let start = office.journal.head(&office.tenant).await.unwrap().position;
    let [completed, _, failed, ..] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let at = snapshot.position();
    let told = |changes: Changes| match changes {
        Changes::Of { changes, through } => {
            assert_eq!(through, at);
            changes
        }
        Changes::Reset { .. } => panic!("reset"),
    };
    let manager = told(changes::after(&mut snapshot, &scopes.manager, start).await.unwrap());
    assert_eq!(
        manager.iter().map(|change| change.position).collect::<Vec<_>>(),
        (start + 1..=at).collect::<Vec<_>>()
    );
    let man = told(
        changes::after(&mut snapshot, &scopes.delivery_man, start)
            .await
            .unwrap(),
    );
    let of_remittances: BTreeSet<Uuid> = man
        .iter()
        .filter(|change| json(change.kind) == "remittance")
        .map(|change| change.id)
        .collect();
    assert_eq!(of_remittances, [completed.0].into());
    let dealer = told(changes::after(&mut snapshot, &scopes.dealer, start).await.unwrap());
    assert!(dealer.iter().any(|change| change.id == failed.0));
    let clerk = told(changes::after(&mut snapshot, &scopes.clerk, 0).await.unwrap());
    assert!(
        clerk
            .iter()
            .any(|change| json(change.kind) == "customer" && change.id == office.issuer.0)
    );
    assert!(
        clerk.iter().any(|change| json(change.kind) == "currency"),
        "what is everybody's"
    );
    let agent = told(changes::after(&mut snapshot, &scopes.agent, start).await.unwrap());
    assert!(
        agent
            .iter()
            .all(|change| change.id != completed.0 && change.id != failed.0)
    );
    for position in [at + 1, -1] {
        assert_eq!(
            changes::after(&mut snapshot, &scopes.agent, position).await.unwrap(),
            Changes::Reset { at }
        );
    }
}
