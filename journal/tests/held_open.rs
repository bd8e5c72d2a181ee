//! Long transactions, such as an export or a psql session, block no writer and keep their snapshot.

use crate::common::Office;
use std::time::Duration;

/// Number of commands submitted meanwhile.
const DEPOSITS: i64 = 50;

/// Timeout on a busy machine; shorter than any lock timeout.
const PATIENCE: Duration = Duration::from_secs(25);

#[tokio::test(flavor = "multi_thread")]
async fn writers_continue_beside_an_open_transaction_which_keeps_its_snapshot() {
    const EVENTS: &str = "SELECT count(*) FROM journal.events";
    const POSITION: &str = "SELECT position FROM journal.heads";
    let office = Office::open().await;
    let database = office.database.connect().await;
    let mut held = database.begin_read(office.tenant.as_str()).await.unwrap();
    let before: (i64,) = sqlx::query_as(EVENTS).fetch_one(&mut *held).await.unwrap();
    // A transaction that has also written a row of its own, and stays open.
    let mut owner = office.owner().await;
    sqlx::raw_sql("BEGIN; UPDATE journal.credentials SET set_at = set_at; SELECT * FROM journal.events LIMIT 1")
        .execute(&mut owner)
        .await
        .unwrap();

    let writing = async {
        for cents in 1..=DEPOSITS {
            office.deposit(cents).await.unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, writing)
        .await
        .expect("nobody waits for who only reads");

    let now: (i64,) = sqlx::query_as(EVENTS).fetch_one(&mut *held).await.unwrap();
    let head: (i64,) = sqlx::query_as(POSITION).fetch_one(&mut *held).await.unwrap();
    assert_eq!((now, head), (before, before));
    held.rollback().await.unwrap();
    sqlx::raw_sql("ROLLBACK").execute(&mut owner).await.unwrap();
    let after = office.journal.head(&office.tenant).await.unwrap().position;
    assert_eq!(after, before.0 + DEPOSITS);
    office.check().await;
}
