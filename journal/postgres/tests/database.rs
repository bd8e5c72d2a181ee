//! The pool a node works through, on a migrated database.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use std::time::Duration;

use caudal_postgres::{DatabaseError, Options, migrate};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, PgConnection, Row};

#[tokio::test]
async fn a_node_works_as_a_role_that_owns_nothing() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    let row = sqlx::query(
        "SELECT current_user::text AS name, current_setting('is_superuser') AS superuser,
                current_setting('TimeZone') AS zone, current_setting('application_name') AS application,
                (SELECT rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses,
                (SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole) AS owned",
    )
    .fetch_one(database.pool())
    .await
    .unwrap();
    assert_eq!(row.get::<String, _>("name"), "caudal_node");
    assert_eq!(row.get::<String, _>("superuser"), "off");
    assert_eq!(row.get::<String, _>("zone"), "UTC");
    assert_eq!(row.get::<String, _>("application"), "caudal");
    assert!(!row.get::<bool, _>("bypasses"));
    assert_eq!(row.get::<i64, _>("owned"), 0);
    assert!(
        sqlx::query("CREATE TABLE journal.mine ()")
            .execute(database.pool())
            .await
            .is_err()
    );
    assert!(
        sqlx::query("CREATE TABLE read.mine ()")
            .execute(database.pool())
            .await
            .is_err()
    );
}

#[tokio::test]
async fn migrating_twice_changes_nothing() {
    let test = TestDatabase::new().await;
    migrate(test.url()).await.unwrap();
    migrate(test.url()).await.unwrap();
}

#[tokio::test]
async fn every_test_has_a_database_of_its_own() {
    let (one, two) = tokio::join!(TestDatabase::new(), TestDatabase::new());
    assert_ne!(one.url(), two.url());
}

#[tokio::test]
async fn a_reading_transaction_sees_one_snapshot_of_one_tenant_and_cannot_write() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    let mut transaction = database.begin_read("acme").await.unwrap();
    let row = sqlx::query(
        "SELECT current_setting('caudal.tenant') AS tenant, current_setting('transaction_isolation') AS isolation,
                current_setting('transaction_read_only') AS read_only, current_schema()::text AS schema",
    )
    .fetch_one(&mut *transaction)
    .await
    .unwrap();
    assert_eq!(row.get::<String, _>("tenant"), "acme");
    assert_eq!(row.get::<String, _>("isolation"), "repeatable read");
    assert_eq!(row.get::<String, _>("read_only"), "on");
    assert_eq!(row.get::<String, _>("schema"), "read");
    transaction.rollback().await.unwrap();
}

#[tokio::test]
async fn a_writing_transaction_sees_what_a_lock_waited_for() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    let mut transaction = database.begin_write("acme").await.unwrap();
    let (tenant, isolation, read_only): (String, String, String) = sqlx::query_as(
        "SELECT current_setting('caudal.tenant'), current_setting('transaction_isolation'),
                current_setting('transaction_read_only')",
    )
    .fetch_one(&mut *transaction)
    .await
    .unwrap();
    assert_eq!(
        (tenant.as_str(), isolation.as_str(), read_only.as_str()),
        ("acme", "read committed", "off")
    );
    transaction.commit().await.unwrap();
}

#[tokio::test]
async fn a_connection_forgets_its_tenant_with_the_transaction() {
    let test = TestDatabase::new().await;
    let database = test
        .connect_with(Options {
            max_connections: 1,
            ..Options::default()
        })
        .await;
    database.begin_write("acme").await.unwrap().commit().await.unwrap();
    drop(database.begin_read("acme").await.unwrap());
    let left: Option<String> = sqlx::query_scalar("SELECT NULLIF(current_setting('caudal.tenant', true), '')")
        .fetch_one(database.pool())
        .await
        .unwrap();
    assert_eq!(left, None);
}

#[tokio::test]
async fn what_is_no_tenant_never_reaches_the_database() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    for text in ["", "a'b", "a;b", "a b", "A\0", "ñ"] {
        assert!(
            matches!(database.begin_read(text).await, Err(DatabaseError::Tenant(_))),
            "{text:?}"
        );
    }
}

#[tokio::test]
async fn a_statement_that_runs_too_long_is_ended() {
    let test = TestDatabase::new().await;
    let database = test
        .connect_with(Options {
            statement_timeout: Duration::from_millis(50),
            ..Options::default()
        })
        .await;
    let problem = sqlx::query("SELECT pg_sleep(60)")
        .execute(database.pool())
        .await
        .unwrap_err();
    assert_eq!(
        problem.as_database_error().and_then(|error| error.code()).as_deref(),
        Some("57014")
    );
}

#[tokio::test]
async fn a_caller_is_told_when_no_connection_is_free_in_time() {
    let test = TestDatabase::new().await;
    let options = Options {
        max_connections: 1,
        acquire_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let database = test.connect_with(options).await;
    let _held = database.begin_read("acme").await.unwrap();
    let problem = database.begin_read("acme").await.unwrap_err();
    assert!(
        matches!(problem, DatabaseError::Begin(sqlx::Error::PoolTimedOut)),
        "{problem:?}"
    );
}

#[tokio::test]
async fn a_node_that_falls_silent_keeps_no_locks() {
    let test = TestDatabase::new().await;
    let options = Options {
        silence_timeout: Duration::from_millis(100),
        ..Options::default()
    };
    let (frozen, other) = (test.connect_with(options).await, test.connect().await);
    let lock = "SELECT pg_advisory_xact_lock(1)";
    let mut silent = frozen.begin_write("acme").await.unwrap();
    sqlx::query(lock).execute(&mut *silent).await.unwrap();
    let mut next = other.begin_write("acme").await.unwrap();
    sqlx::query(lock).execute(&mut *next).await.unwrap();
    assert!(silent.commit().await.is_err(), "it learns that it was too slow");
}

#[tokio::test]
async fn work_of_an_operator_may_be_silent() {
    let test = TestDatabase::new().await;
    let options = Options {
        silence_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let database = test.connect_with(options).await;
    let mut transaction = database.begin_long_write("acme").await.unwrap();
    sqlx::query("SELECT 1").execute(&mut *transaction).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    transaction.commit().await.unwrap();
}

/// What docs/scaling.md relies on: a tenant's rows can be kept together on any of several servers.
#[tokio::test]
async fn every_table_can_be_spread_by_tenant() {
    let database = TestDatabase::new().await;
    let mut owner = PgConnection::connect(database.url()).await.unwrap();
    let keys: Vec<(String, Option<String>)> = sqlx::query_as(
        "SELECT i.indexrelid::regclass::text, a.attname::text
           FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
           LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
          WHERE i.indisunique AND c.relnamespace IN ('journal'::regnamespace, 'read'::regnamespace)",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert!(keys.len() > 30, "{keys:?}");
    let elsewhere: Vec<_> = keys
        .iter()
        .filter(|(_, first)| first.as_deref() != Some("tenant"))
        .map(|(index, _)| index.as_str())
        .collect();
    assert_eq!(elsewhere, ["journal.keyring_pkey"]);
    let crossing: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_constraint AS f JOIN pg_attribute AS a
             ON a.attrelid = f.conrelid AND a.attname = 'tenant'
          WHERE f.contype = 'f' AND NOT a.attnum = ANY (f.conkey)",
    )
    .fetch_one(&mut owner)
    .await
    .unwrap();
    assert_eq!(crossing, 0, "foreign keys without the tenant");
    let sequences: i64 =
        sqlx::query_scalar("SELECT count(*) FROM pg_sequences WHERE schemaname IN ('journal', 'read')")
            .fetch_one(&mut owner)
            .await
            .unwrap();
    assert_eq!(sequences, 0);
}
