//! Views for analysts over real read models, before and after a rebuild.

use crate::common::{CUP, MLC, Office, USD, amount, rate};
use caudal_domain::{
    movement::{Exchange, MovementCommand, OpenBalance, Opened, TransferCash, TransferTo},
    remittance::{DeliveryChoice, Status},
};
use caudal_postgres::{grant_analyst, revoke_analyst};
use caudal_projections::{ListQuery, movement, rebuild::Rebuild};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Rows of each view, as JSON in their order.
async fn rows(analyst: &mut PgConnection) -> BTreeMap<String, Vec<String>> {
    let views: Vec<String> =
        sqlx::query_scalar("SELECT viewname::text FROM pg_views WHERE schemaname = 'analytics_v1' ORDER BY 1")
            .fetch_all(&mut *analyst)
            .await
            .unwrap();
    let mut all = BTreeMap::new();
    for view in views {
        let query = format!("SELECT to_jsonb(v)::text FROM analytics_v1.{view} AS v ORDER BY 1");
        let rows = sqlx::query_scalar(&query).fetch_all(&mut *analyst).await.unwrap();
        all.insert(view, rows);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn the_views_have_the_read_models_rows_before_and_after_a_rebuild() {
    const LOGIN: &str = "analyst_rebuilt";
    let office = Office::open().await;
    // Before the day: servers go on writing, and the owner rebuilds.
    office.database.prepare_for_analysts().await;
    office.day().await;
    let other = office.beside("beside").await;
    other.day().await;
    drop(office.begin().await);
    drop(other.begin().await);
    let url = office.database.url();
    let mut owner = PgConnection::connect(url).await.unwrap();
    owner.execute(&*format!("CREATE ROLE {LOGIN} LOGIN")).await.unwrap();
    grant_analyst(url, LOGIN, office.tenant.as_str()).await.unwrap();
    // A view of the operator's own on a view, as a tool for reports makes them.
    owner
        .execute(
            "CREATE SCHEMA own; GRANT USAGE ON SCHEMA own TO caudal_analyst;
             CREATE VIEW own.sold AS SELECT sum(amount_cents)::bigint AS cents FROM analytics_v1.remittances;
             GRANT SELECT ON own.sold TO caudal_analyst",
        )
        .await
        .unwrap();
    let mut analyst = PgConnection::connect(&url.replace("caudal_owner@", &format!("{LOGIN}@")))
        .await
        .unwrap();
    let before = rows(&mut analyst).await;
    for (view, rows) in &before {
        assert!(!rows.is_empty(), "{view}");
    }
    let tenant: String = sqlx::query_scalar("SELECT tenant FROM analytics_v1.business")
        .fetch_one(&mut analyst)
        .await
        .unwrap();
    assert_eq!(tenant, office.tenant.as_str());
    let unbalanced: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT FROM analytics_v1.entry_lines GROUP BY position, currency
                               HAVING sum(debit_cents) <> sum(credit_cents)) AS unbalanced",
    )
    .fetch_one(&mut analyst)
    .await
    .unwrap();
    assert_eq!(unbalanced, 0);
    for _ in 0..2 {
        let run = Rebuild::begin(url, &office.node, &office.journal).await.unwrap();
        run.run(|_| {}).await.unwrap();
        assert_eq!(rows(&mut analyst).await, before);
    }
    // What happens after a rebuild is in the views.
    let sold = before["remittances"].len();
    office.sell(office.agency, "10.00", DeliveryChoice::Home).await;
    drop(office.begin().await);
    assert_eq!(rows(&mut analyst).await["remittances"].len(), sold + 1);
    let refused = analyst.execute("SELECT FROM read.remittances").await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
    let own: Option<i64> = sqlx::query_scalar("SELECT cents FROM own.sold")
        .fetch_one(&mut analyst)
        .await
        .unwrap();
    assert!(own.is_some());
    owner.execute("DROP SCHEMA own CASCADE").await.unwrap();
    analyst.close().await.unwrap();
    revoke_analyst(url, LOGIN).await.unwrap();
    owner.execute(&*format!("DROP ROLE {LOGIN}")).await.unwrap();
}

#[tokio::test]
async fn the_views_have_the_api_names_of_each_status() {
    let office = Office::open().await;
    let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
    for view in ["remittances", "remittance_changes"] {
        let definition: String = sqlx::query_scalar("SELECT pg_get_viewdef($1::regclass)")
            .bind(format!("analytics_v1.{view}"))
            .fetch_one(&mut owner)
            .await
            .unwrap();
        for status in Status::ALL {
            let case = format!("WHEN {} THEN '{}'::text", status.number(), status.as_str());
            assert!(definition.contains(&case), "{view}: {case} is not in {definition}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_view_of_movements_has_the_api_name_of_each_kind() {
    /// All kinds of the API.
    const KINDS: usize = 10;
    let office = Office::open().await;
    office.day().await;
    let transfer = |to, exchange| {
        MovementCommand::Transfer(TransferCash {
            from: office.dealer,
            to: TransferTo::Party(to),
            amount: amount("1000.00"),
            currency: CUP,
            exchange,
            note: None,
        })
    };
    let exchange = Exchange {
        currency: MLC,
        rate: rate("0.0025"),
    };
    let open = OpenBalance {
        of: Opened::Cash(office.dealer, USD),
        amount: amount("20.00"),
    };
    for command in [
        transfer(office.delivery_man, None),
        transfer(office.dealer, Some(exchange)),
        MovementCommand::Open(open),
    ] {
        office.move_money(office.manager, command).await;
    }
    let scope = office.scope(office.manager).await;
    let mut transaction = office.begin().await;
    let listed = movement::list(&mut transaction, &scope, &ListQuery::all())
        .await
        .unwrap();
    drop(transaction);
    let answered: BTreeMap<Uuid, String> = listed
        .data
        .iter()
        .map(|movement| {
            let kind = serde_json::to_value(movement.kind).unwrap();
            (movement.id, kind.as_str().unwrap().to_owned())
        })
        .collect();
    let kinds: BTreeSet<&str> = answered.values().map(String::as_str).collect();
    assert_eq!(kinds.len(), KINDS, "{kinds:?}");
    let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
    let viewed: Vec<(Uuid, String)> = sqlx::query_as("SELECT id, kind FROM analytics_v1.movements")
        .fetch_all(&mut owner)
        .await
        .unwrap();
    assert_eq!(viewed.into_iter().collect::<BTreeMap<_, _>>(), answered);
}
