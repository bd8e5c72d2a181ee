//! The outcome of a commit whose answer is lost: it took effect once, or never will.

use crate::common::proxy::{LATE, Loss, Proxy};
use crate::common::{Office, deposit, keyed, submission};
use caudal_domain::{Actor, movement::DepositTo};
use caudal_journal::{Committed, Journal, SubmitError};
use caudal_postgres::{Database, Options};
use futures::future::join_all;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Text contained only in the statement that appends a movement.
const APPEND: &str = "MovementPosted";

async fn office_behind_a_proxy() -> (Office, Proxy, Journal) {
    let office = Office::open().await;
    let proxy = Proxy::to(office.database.url()).await;
    let url = proxy.url(office.database.url());
    let journal = office
        .node_on(Database::connect(&url, Options::default()).await.unwrap())
        .await;
    (office, proxy, journal)
}

async fn loses(loss: Loss) {
    let (office, proxy, journal) = office_behind_a_proxy().await;
    let manager = Actor::Party(office.manager);
    for round in 1..=3_i64 {
        let before = office.journal.head(&office.tenant).await.unwrap().position;
        proxy.lose(loss, APPEND);
        // One command with a key and one without, in one batch or two.
        let (one, other) = tokio::join!(
            journal.submit(
                &office.tenant,
                keyed(manager, deposit(DepositTo::Treasury, 1), &format!("k{round}"), "r")
            ),
            journal.submit(&office.tenant, submission(manager, deposit(DepositTo::Treasury, 2))),
        );
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(proxy.has_lost(), "the loss took place");
        tokio::time::sleep(LATE + Duration::from_millis(200)).await;
        let head = office.journal.head(&office.tenant).await.unwrap();
        assert_eq!(head.position, before + 2, "each took effect once");
        assert_eq!(
            BTreeSet::from([one.position, other.position]),
            BTreeSet::from([before + 1, before + 2])
        );
        let again = keyed(manager, deposit(DepositTo::Treasury, 1), &format!("k{round}"), "r");
        let again = journal.submit(&office.tenant, again).await.unwrap();
        assert_eq!(
            (again.answer, again.position, again.replayed),
            (one.answer, one.position, true)
        );
        // The other node keeps writing after the first one's fence.
        office.deposit(3).await.unwrap();
    }
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_with_a_lost_answer_is_found_and_answered() {
    loses(Loss::Answer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_request_takes_effect_once() {
    loses(Loss::Request).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_arrives_after_its_fence_has_no_effect() {
    loses(Loss::Late).await;
}

/// A failover between a commit and the look-up of its outcome: the look-up is delayed, and the log loses events
/// meanwhile.
async fn goes_back_before_it_is_found_out(seen_and_lost: i64) -> (Office, i64, Result<Committed, SubmitError>) {
    let (office, proxy, journal) = office_behind_a_proxy().await;
    let command = || submission(Actor::Party(office.manager), deposit(DepositTo::Treasury, 1));
    for _ in 0..3 {
        journal.submit(&office.tenant, command()).await.unwrap();
    }
    let seen = office.journal.head(&office.tenant).await.unwrap().position;
    let mut owner = office.owner().await;
    owner
        .execute(
            "CREATE FUNCTION journal.wait() RETURNS trigger LANGUAGE plpgsql
                 AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$;
             CREATE TRIGGER wait BEFORE UPDATE OF epoch ON journal.heads
                 FOR EACH STATEMENT EXECUTE FUNCTION journal.wait()",
        )
        .await
        .unwrap();
    proxy.lose(Loss::Answer, APPEND);
    let asking = journal.submit(&office.tenant, command());
    let to = seen - seen_and_lost;
    let mac = office.head_mac_at(to).await;
    let going_back = async {
        while office.journal.head(&office.tenant).await.unwrap().position == seen {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let statements = format!(
            "BEGIN;
             DELETE FROM journal.events WHERE position > {to};
             DELETE FROM journal.receipts WHERE position > {to};
             UPDATE journal.heads AS h
                SET position = e.position, hash = e.hash, recorded_at = e.recorded_at, mac = {mac}
               FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = {to};
             COMMIT"
        );
        owner.execute(statements.as_str()).await.unwrap();
    };
    let (outcome, ()) = tokio::join!(asking, going_back);
    assert!(proxy.has_lost(), "the loss took place");
    (office, seen, outcome)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_lost_by_a_failover_is_not_answered_as_committed() {
    let (office, seen, outcome) = goes_back_before_it_is_found_out(0).await;
    let committed = outcome.unwrap();
    assert_eq!(committed.position, seen + 1, "decided again on what there is");
    let head = office.another_node().await.head(&office.tenant).await.unwrap();
    assert_eq!(head.position, seen + 1, "and stored");

    let (office, seen, outcome) = goes_back_before_it_is_found_out(2).await;
    assert!(matches!(outcome, Err(SubmitError::Quarantined)), "{outcome:?}");
    let head = office.another_node().await.head(&office.tenant).await.unwrap();
    assert_eq!(head.position, seen - 2, "nothing is written on what went back");
}

async fn epoch(office: &Office) -> i64 {
    let mut owner = office.owner().await;
    let epoch = sqlx::query_scalar("SELECT epoch FROM journal.heads WHERE tenant = $1");
    epoch.bind(office.tenant.as_str()).fetch_one(&mut owner).await.unwrap()
}

/// A failover that loses a fence sets the epoch back. The next fence must not raise it to the lost append's own
/// epoch, in which that append would still take effect.
#[tokio::test(flavor = "multi_thread")]
async fn a_fence_raises_the_epoch_past_the_lost_appends_even_if_a_failover_lost_a_fence() {
    let (office, proxy, journal) = office_behind_a_proxy().await;
    let command = || submission(Actor::Party(office.manager), deposit(DepositTo::Treasury, 1));
    proxy.lose(Loss::Answer, APPEND);
    let first = journal.submit(&office.tenant, command()).await.unwrap();
    let fenced = epoch(&office).await;
    assert!(fenced > 0, "the first loss raised it");

    let mut owner = office.owner().await;
    owner
        .execute(
            "SET caudal.is_owner = 'yes';
             CREATE FUNCTION journal.wait() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
                 IF current_setting('caudal.is_owner', true) IS NULL THEN PERFORM pg_sleep(2); END IF;
                 RETURN NULL;
             END $$;
             CREATE TRIGGER wait BEFORE UPDATE OF epoch ON journal.heads
                 FOR EACH STATEMENT EXECUTE FUNCTION journal.wait()",
        )
        .await
        .unwrap();
    proxy.lose(Loss::Answer, APPEND);
    let asking = journal.submit(&office.tenant, command());
    let losing_the_fence = async {
        while office.journal.head(&office.tenant).await.unwrap().position == first.position {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        owner.execute("UPDATE journal.heads SET epoch = 0").await.unwrap();
    };
    let (second, ()) = tokio::join!(asking, losing_the_fence);
    assert_eq!(second.unwrap().position, first.position + 1);
    assert_eq!(
        epoch(&office).await,
        fenced + 1,
        "the second append was decided in {fenced}"
    );
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_commands_are_stored_exactly_once_whatever_connections_are_killed() {
    let office = Office::open().await;
    let nodes = [office.journal.clone(), office.another_node().await];
    let before = office.journal.head(&office.tenant).await.unwrap().position;
    let (writers, commands) = (6, 40);
    let done = AtomicBool::new(false);
    let killer = async {
        let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
        let mut killed = 0_i64;
        while !done.load(Ordering::Relaxed) {
            killed += sqlx::query_scalar::<_, i64>(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
                    AND random() < 0.5",
            )
            .fetch_one(&mut owner)
            .await
            .unwrap();
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        killed
    };
    let work = async {
        let acknowledged = join_all((0..writers).map(|writer| {
            let (office, node) = (&office, &nodes[writer % nodes.len()]);
            async move {
                let mut positions = Vec::new();
                for command in 0..commands {
                    let key = format!("{writer}-{command}");
                    let asked = keyed(
                        Actor::Party(office.manager),
                        deposit(DepositTo::Treasury, 1),
                        &key,
                        &key,
                    );
                    positions.push(until_answered(node, office, asked).await);
                }
                positions
            }
        }))
        .await;
        done.store(true, Ordering::Relaxed);
        acknowledged.concat()
    };
    let (killed, acknowledged) = tokio::join!(killer, work);
    assert!(killed > 0);
    // Longer than an idle connection is used without a check, so that killed ones are detected.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let unique: BTreeSet<_> = acknowledged.iter().copied().collect();
    let stored: BTreeSet<_> = (before + 1..=office.journal.head(&office.tenant).await.unwrap().position).collect();
    assert_eq!(unique.len(), acknowledged.len(), "no position was given twice");
    assert_eq!(unique, stored, "what is acknowledged is what is stored");
    office.check().await;
}

async fn until_answered(node: &Journal, office: &Office, asked: caudal_journal::Submission) -> i64 {
    for _ in 0..200 {
        match node.submit(&office.tenant, asked.clone()).await {
            Ok(committed) => return committed.position,
            Err(SubmitError::Unavailable { .. } | SubmitError::OutcomeUnknown | SubmitError::Busy { .. }) => {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
    panic!("never answered");
}
