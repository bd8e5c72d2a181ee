//! Search results and their order.

use super::column;
use crate::common::{Office, person};
use caudal_domain::{ids::RemittanceId, remittance::DeliveryChoice};
use caudal_projections::{ListQuery, ReadTransaction, Scope, customer, remittance, scalar::CustomerType};
use sqlx::Connection as _;
use std::collections::BTreeSet;

async fn found(transaction: &mut ReadTransaction, scope: &Scope, text: &str) -> Vec<String> {
    let query = ListQuery::default().filter("name", text);
    let page = customer::list(transaction, scope, CustomerType::Recipient, &query)
        .await
        .unwrap();
    page.data.into_iter().map(|row| row.full_name.unwrap()).collect()
}

#[tokio::test]
async fn search_finds_exact_matches_first_then_prefixes_and_words_without_accents() {
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
    let mut transaction = office.begin().await;
    let maria = found(&mut transaction, &scope, "MARIA").await;
    assert_eq!(maria[0], "Maria", "the exact match");
    assert_eq!(
        maria[1..3].iter().map(String::as_str).collect::<BTreeSet<_>>(),
        ["María Pérez", "Mariana Gómez"].into()
    );
    assert_eq!(maria[3..], ["Ana María Suárez"]);
    assert_eq!(found(&mut transaction, &scope, "perez maría").await, ["María Pérez"]);
    assert_eq!(
        found(&mut transaction, &scope, "ana").await,
        ["Ana María Suárez"],
        "words from their beginning"
    );
    assert_eq!(
        found(&mut transaction, &scope, "0004").await,
        ["Susana Mar"],
        "the end of a phone"
    );
    assert_eq!(
        found(&mut transaction, &scope, "1234567").await,
        ["María Pérez"],
        "a phone without its blanks"
    );
    assert_eq!(found(&mut transaction, &scope, "%_").await, [""; 0]);
    let by_name = ListQuery {
        sort: Some("name".into()),
        ..ListQuery::default()
    };
    let sorted = customer::list(&mut transaction, &scope, CustomerType::Recipient, &by_name)
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
    drop(transaction);

    let id = office.sell_for_search().await;
    let mut transaction = office.begin().await;
    for text in ["R-000001", "000001", "ibañez", "maria", "PEREZ"] {
        let query = ListQuery {
            query: Some(text.into()),
            ..ListQuery::default()
        };
        let page = remittance::list(&mut transaction, &scope, &query).await.unwrap();
        assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), [id.0], "{text}");
    }
    drop(transaction);
    office
        .rename_customer(office.recipient, person("Yanelis", "Ortiz", "5"))
        .await;
    let mut transaction = office.begin().await;
    for (text, hits) in [("yanelis", 1), ("perez", 0)] {
        let query = ListQuery {
            query: Some(text.into()),
            ..ListQuery::default()
        };
        let page = remittance::list(&mut transaction, &scope, &query).await.unwrap();
        assert_eq!(page.total_records, hits, "a rename shows in old remittances");
    }
}

#[tokio::test]
async fn a_search_with_too_many_matches_shows_the_newest_and_says_so() {
    /// More people of one name than the search looks up individually.
    const PEREZ: i64 = 2_100;
    let office = Office::open().await;
    let id = office.sell_for_search().await;
    drop(office.begin().await);
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
    let mut transaction = office.begin().await;
    let newest = |text: &str, page: i64| ListQuery {
        current_page: page,
        ..ListQuery::default().filter("name", text)
    };
    let people = async |transaction: &mut ReadTransaction, query: &ListQuery| {
        customer::list(transaction, &scope, CustomerType::Recipient, query)
            .await
            .unwrap()
    };
    let first = people(&mut transaction, &newest("perez", 1)).await;
    let names: Vec<_> = first.data.iter().map(|row| row.full_name.clone().unwrap()).collect();
    assert_eq!(names[..2], ["Pérez 2100", "Pérez 2099"]);
    assert!(first.is_partial && first.total_records == 200 && first.total_records < PEREZ);
    assert_eq!(serde_json::to_value(&first).unwrap()["isPartial"], true);
    let second = people(&mut transaction, &newest("perez", 2)).await;
    assert_eq!(second.data[0].full_name.as_deref(), Some("Pérez 2090"));
    let by_date = ListQuery {
        sort: Some("-created".into()),
        ..newest("perez", 1)
    };
    let by_date = people(&mut transaction, &by_date).await;
    assert_eq!(by_date.data[0].full_name.as_deref(), Some("Pérez 2100"));
    assert!(by_date.is_partial, "the newest first is what the interface asks for");
    let exact = people(&mut transaction, &newest("perez 7", 1)).await;
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
    let oldest = people(&mut transaction, &sorted).await;
    assert_eq!(
        (oldest.total_records, oldest.is_partial),
        (PEREZ + 1, false),
        "whoever sorts otherwise has all of them"
    );

    // A remittance to a person of that name is among the newest; others are not found.
    let query = ListQuery {
        query: Some("perez".into()),
        ..ListQuery::default()
    };
    let page = remittance::list(&mut transaction, &scope, &query).await.unwrap();
    assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), [id.0]);
    assert!(!page.is_partial, "the whole list was looked through");
    let query = query.filter("status", "1");
    let page = remittance::list(&mut transaction, &scope, &query).await.unwrap();
    assert_eq!((page.total_records, page.is_partial), (0, false));
}

impl Office {
    async fn sell_for_search(&self) -> RemittanceId {
        self.fund().await;
        self.sell(self.agency, "10.00", DeliveryChoice::Home).await
    }
}
