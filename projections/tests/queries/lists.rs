//! Sorts, filters and pages of lists, and refused parameters.

use super::refused;
use crate::common::{Office, home};
use caudal_domain::ids::PartyId;
use caudal_projections::{ListQuery, ledger, remittance};
use uuid::Uuid;

#[tokio::test]
async fn lists_are_sorted_filtered_and_paged() {
    let office = Office::open().await;
    let [completed, canceled, failed, shipping, pending] = office.day().await;
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
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
        let page = remittance::list(&mut transaction, &scope, &sorted(sort)).await.unwrap();
        let ids: Vec<Uuid> = page.data.iter().map(|row| row.id).collect();
        assert_eq!(ids, expected.map(|index| order[index].0), "{sort}");
    }
    let province = home().province.unwrap();
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
        let page = remittance::list(&mut transaction, &scope, &query).await.unwrap();
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
    let page = remittance::list(&mut transaction, &scope, &query).await.unwrap();
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
    let all = remittance::list(&mut transaction, &scope, &ListQuery::all())
        .await
        .unwrap();
    assert_eq!((all.data.len(), all.total_pages, all.items_per_page), (5, 1, 5));
    let grouped = remittance::dispatch(&mut transaction, &scope, &[office.agency], &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(
        grouped.data.last().unwrap().id,
        shipping.0,
        "what has no place comes last"
    );
    let foreign = [PartyId::generate()];
    let none = remittance::dispatch(&mut transaction, &scope, &foreign, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(none.total_records, 0);
}

#[tokio::test]
async fn unknown_list_parameters_are_refused_by_name() {
    let office = Office::open().await;
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
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
        let refusal = refused(remittance::list(&mut transaction, &scope, &query).await);
        assert_eq!(refusal, (field.to_owned(), code));
    }
    let searched = ListQuery {
        query: Some("x".into()),
        ..ListQuery::default()
    };
    assert_eq!(
        refused(ledger::balances(&mut transaction, &scope, &searched).await),
        ("query".into(), "filter_unknown")
    );
}
