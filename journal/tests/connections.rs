//! A tenant's connections: a fresh one needs no catalogue lookups, and reads do not wait for a blocked command.

use crate::common;
use crate::common::Office;
use caudal_postgres::Options;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

/// Time limit of a read on a busy machine while a command waits for a lock that is never released.
const PATIENCE: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn the_first_append_of_a_connection_needs_no_type_lookup() {
    let office = Office::open().await;
    let options = Options {
        max_connections: 1,
        ..Options::default()
    };
    let database = office.database.connect_with(options).await;
    let node = office.node_on(database.clone()).await;
    let deposit = common::deposit(caudal_domain::movement::DepositTo::Treasury, 100);
    let deposit = common::submission(caudal_domain::Actor::Party(office.manager), deposit);
    node.submit(&office.tenant, deposit).await.unwrap();
    let mut connection = database.pool().acquire().await.unwrap();
    let statements: Vec<String> = sqlx::query_scalar("SELECT statement FROM pg_prepared_statements")
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    assert!(
        statements.iter().any(|sql| sql.contains("journal.append_signed")),
        "{statements:?}"
    );
    let lookups: Vec<_> = statements.iter().filter(|sql| sql.contains("pg_type")).collect();
    assert_eq!(lookups, Vec::<&String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_is_read_while_a_command_waits_and_includes_it_afterwards() {
    let office = Arc::new(Office::open().await);
    let (before, at) = office.journal.state(&office.tenant).await.unwrap();
    let mut owner = office.owner().await;
    let mut hold = sqlx::Connection::begin(&mut owner).await.unwrap();
    sqlx::query("SELECT 1 FROM journal.heads FOR UPDATE")
        .execute(&mut *hold)
        .await
        .unwrap();
    let waiting = tokio::spawn({
        let office = office.clone();
        async move { office.deposit(1_00).await }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..3 {
        let read = timeout(PATIENCE, office.journal.state(&office.tenant)).await;
        assert!(read.expect("a read waits for a command").unwrap() == (before.clone(), at));
    }
    assert!(!waiting.is_finished());
    hold.rollback().await.unwrap();
    let committed = waiting.await.unwrap().unwrap();
    let (_, head) = office.journal.state(&office.tenant).await.unwrap();
    assert_eq!(head.position, committed.position);
    // Appends of another node are read as well.
    let node = office.another_node().await;
    let deposit = common::deposit(caudal_domain::movement::DepositTo::Treasury, 100);
    let deposit = common::submission(caudal_domain::Actor::Party(office.manager), deposit);
    let committed = node.submit(&office.tenant, deposit).await.unwrap();
    let (state, head) = office.journal.state(&office.tenant).await.unwrap();
    assert_eq!(head.position, committed.position);
    assert!(state == office.another_node().await.state(&office.tenant).await.unwrap().0);
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_committed_command_is_answered_while_the_next_append_waits() {
    let office = Arc::new(Office::open().await);
    let manager = caudal_domain::Actor::Party(office.manager);
    let submit = |key: &'static str| {
        let office = office.clone();
        let deposit = common::deposit(caudal_domain::movement::DepositTo::Treasury, 100);
        let deposit = common::keyed(manager, deposit, key, "a request");
        tokio::spawn(async move { office.journal.submit(&office.tenant, deposit).await })
    };
    // Somebody is about to use the second command's key, whose append waits for the outcome.
    let mut other = office.owner().await;
    let mut using = sqlx::Connection::begin(&mut other).await.unwrap();
    sqlx::query(
        "INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at)
         VALUES ($1, $2, 'second', '', '{}', 1, now())",
    )
    .bind(office.tenant.as_str())
    .bind(manager.to_string())
    .execute(&mut *using)
    .await
    .unwrap();
    let mut owner = office.owner().await;
    let mut hold = sqlx::Connection::begin(&mut owner).await.unwrap();
    sqlx::query("SELECT 1 FROM journal.heads FOR UPDATE")
        .execute(&mut *hold)
        .await
        .unwrap();
    let first = submit("first");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let second = submit("second");
    tokio::time::sleep(Duration::from_millis(200)).await;
    hold.rollback().await.unwrap();
    let first = timeout(PATIENCE, first).await.expect("the first waits for the second");
    let first = first.unwrap().unwrap();
    assert!(!second.is_finished());
    using.rollback().await.unwrap();
    let second = second.await.unwrap().unwrap();
    assert_eq!(second.position, first.position + 1);
    office.check().await;
}
