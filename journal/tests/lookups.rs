//! Facts of a command are looked up by key, independent of the log's length and of the planner's statistics.

use crate::common::{owner_of, tenant};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Executor as _, PgConnection, Row as _};

/// Events of a tenant, each the first of its stream: enough to detect a plan that reads them all.
const EVENTS: i64 = 5_000;
/// Number of requested streams.
const WANTED: i64 = 10;
/// Rows read for a stream of one event: the event, and the one before it, whose hash it follows.
const ROWS_A_STREAM: i64 = 2;

/// Number of the log's rows that a transaction has read.
async fn read(connection: &mut PgConnection) -> i64 {
    let row = connection
        .fetch_one(
            "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
               FROM pg_stat_xact_user_tables WHERE schemaname = 'journal' AND relname = 'events'",
        )
        .await
        .unwrap();
    row.get("rows")
}

/// Number of rows read to load ten streams of a tenant that the statistics do not include.
async fn read_to_load(url: &str, name: &str) -> i64 {
    let mut owner = owner_of(url, &tenant(name)).await;
    sqlx::query(
        "INSERT INTO journal.events
         SELECT $1, n, 'customer', md5(n::text)::uuid::text, 1, 'CustomerRegistered', '1', '{}', '{}', now(), sha256('')
           FROM generate_series(1, $2) AS n",
    )
    .bind(name)
    .bind(EVENTS)
    .execute(&mut owner)
    .await
    .unwrap();
    owner.execute("BEGIN").await.unwrap();
    let before = read(&mut owner).await;
    let found = sqlx::query(
        "SELECT l.* FROM (SELECT array_agg('customer'::text) AS types, array_agg(md5(n::text)::uuid::text) AS ids
                            FROM generate_series(1, $2) AS n) AS w,
              LATERAL journal.load_facts($1, '{}', '{}', w.types, w.ids, '{}', '{}', '{}') AS l",
    )
    .bind(name)
    .bind(WANTED)
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert_eq!(i64::try_from(found.len()).unwrap(), WANTED);
    let rows = read(&mut owner).await - before;
    owner.execute("ROLLBACK").await.unwrap();
    rows
}

#[tokio::test]
async fn ten_streams_read_at_most_twenty_rows_of_a_never_analyzed_log() {
    let database = TestDatabase::new().await;
    assert!(read_to_load(database.url(), "new").await <= WANTED * ROWS_A_STREAM);
}

#[tokio::test]
async fn ten_streams_read_at_most_twenty_rows_for_a_tenant_newer_than_the_statistics() {
    let database = TestDatabase::new().await;
    read_to_load(database.url(), "old").await;
    let mut owner = owner_of(database.url(), &tenant("old")).await;
    owner.execute("ANALYZE journal.events").await.unwrap();
    assert!(read_to_load(database.url(), "new").await <= WANTED * ROWS_A_STREAM);
}
