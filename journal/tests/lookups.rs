//! What a command needs is looked up key by key, however long the log is and whatever the planner believes of it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use caudal_postgres_testing::TestDatabase;
use common::{owner_of, tenant};
use sqlx::{Executor as _, PgConnection, Row as _};

/// Events of a tenant, each the first one of its stream. A plan that reads them all is found out by far fewer.
const EVENTS: i64 = 5_000;
/// Streams that are asked for.
const WANTED: i64 = 10;
/// Rows that are read for a stream of one event: the event, and the one before it for the hash that it follows.
const ROWS_A_STREAM: i64 = 2;

/// Rows of the log that a transaction has read so far.
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

/// Rows that are read to load ten streams of a tenant with many, of which the planner has not heard.
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
async fn ten_streams_are_twenty_rows_at_most_in_a_log_that_was_never_analyzed() {
    let database = TestDatabase::new().await;
    assert!(read_to_load(database.url(), "new").await <= WANTED * ROWS_A_STREAM);
}

#[tokio::test]
async fn ten_streams_are_twenty_rows_at_most_for_a_tenant_that_is_newer_than_the_statistics() {
    let database = TestDatabase::new().await;
    read_to_load(database.url(), "old").await;
    let mut owner = owner_of(database.url(), &tenant("old")).await;
    owner.execute("ANALYZE journal.events").await.unwrap();
    assert!(read_to_load(database.url(), "new").await <= WANTED * ROWS_A_STREAM);
}
