//! A database that loses or changes events under running nodes: no decision uses lost events, no number is given
//! twice, every node refuses writes within a second, and an operator resolves it.

mod decided_before;
mod lost_rows;
mod quarantine;
mod suspicion;
mod unsigned;

use crate::common::{Office, deposit, keyed, submission};
use caudal_domain::{
    Actor, Command,
    movement::{DepositTo, ExpectedParty},
    party::{ChangeParty, PartyCommand, PartyDetails},
};
use caudal_journal::{Committed, DivergenceKind, Evidence, Journal, SubmitError, SystemClock};
use sqlx::Executor as _;
use std::{
    collections::BTreeSet,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// Timeout for every node to detect a divergence. Nodes poll three times a second; the rest is slack for a busy
/// machine. The chaos harness measures the second.
const NOTICED_WITHIN: Duration = Duration::from_secs(5);

/// Sets the database back to a position, like a lagging standby: later events and the rows written with them are
/// gone.
async fn take_back(office: &Office, to: i64) {
    let mac = office.head_mac_at(to).await;
    let mut owner = office.owner().await;
    let statements = format!(
        "BEGIN;
         LOCK TABLE journal.heads IN ACCESS EXCLUSIVE MODE;
         DELETE FROM journal.events WHERE position > {to};
         DELETE FROM journal.receipts WHERE position > {to};
         DELETE FROM journal.snapshots;
         UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at, mac = {mac}
           FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = {to};
         COMMIT"
    );
    owner.execute(statements.as_str()).await.unwrap();
}

async fn act(office: &Office, node: &Journal, cents: i64) -> Result<Committed, SubmitError> {
    let command = deposit(DepositTo::Treasury, cents);
    node.submit(&office.tenant, submission(Actor::Party(office.manager), command))
        .await
}

async fn pay_out(office: &Office, node: &Journal, cents: i64) -> Result<Committed, SubmitError> {
    let command = deposit(DepositTo::Party(office.dealer, ExpectedParty::Dealer), cents);
    node.submit(&office.tenant, submission(Actor::Party(office.manager), command))
        .await
}

fn is_quarantined(outcome: &Result<Committed, SubmitError>) -> bool {
    matches!(outcome, Err(SubmitError::Quarantined))
}

async fn kind(office: &Office, node: &Journal) -> Option<DivergenceKind> {
    Some(node.quarantined(&office.tenant)?.divergence.kind)
}

/// A node with its evidence in a data folder.
async fn node_in(office: &Office, folder: &Path) -> Journal {
    let evidence = Evidence::open(folder).unwrap();
    Journal::open_with_evidence(
        office.database.connect().await,
        office.keyring.clone(),
        Arc::new(SystemClock),
        Some(evidence),
    )
    .await
    .unwrap()
}

/// Waits until a node reports the quarantine, or its end.
async fn until(office: &Office, node: &Journal, quarantined: bool) {
    let deadline = Instant::now() + NOTICED_WITHIN;
    while node.quarantined(&office.tenant).is_some() != quarantined {
        assert!(Instant::now() < deadline, "quarantined = {quarantined} in time");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Starts the polling of nodes, as `caudal serve` does; it stops when the result is dropped.
fn watching(nodes: &[&Journal]) -> watch::Sender<bool> {
    let (stop, stopped) = watch::channel(false);
    for node in nodes {
        tokio::spawn(Journal::clone(node).watch(stopped.clone()));
    }
    stop
}

/// A stale copy of the database, an idle node that has seen more events, and another node that keeps writing.
#[tokio::test(flavor = "multi_thread")]
async fn an_idle_node_does_not_catch_up_over_a_history_that_does_not_extend_its_own() {
    for (lost, rewritten) in [(3, 8), (3, 3), (1, 1), (5, 2)] {
        let office = Office::open().await;
        let a = &office.journal;
        for _ in 0..3 {
            act(&office, a, 100).await.unwrap();
        }
        for _ in 0..lost {
            act(&office, a, 100_000).await.unwrap();
        }
        let seen = a.head(&office.tenant).await.unwrap();
        let base = seen.position - lost;
        take_back(&office, base).await;
        let b = office.another_node().await;
        for _ in 0..rewritten {
            act(&office, &b, 1).await.unwrap();
        }
        // Only the lost deposits cover this payment.
        let spent = pay_out(&office, a, 90_000).await;
        assert!(is_quarantined(&spent), "{lost} lost, {rewritten} written: {spent:?}");
        // The command is not refused for lack of the lost deposits either.
        assert!(is_quarantined(&act(&office, a, 1).await));
        let head = b.head(&office.tenant).await.unwrap();
        assert_eq!(head.position, base + rewritten, "the node wrote nothing");
        let verification = b.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!(verification.fault, None, "the product did not break its own chain");
        // The other node has not seen the lost events, and adopts the report.
        let deadline = Instant::now() + NOTICED_WITHIN;
        while b.quarantined(&office.tenant).is_none() {
            assert!(Instant::now() < deadline);
            b.look_once().await.unwrap();
        }
        assert!(is_quarantined(&act(&office, &b, 1).await));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_node_detects_a_shorter_log_and_refuses_writes() {
    let office = Office::open().await;
    for _ in 0..4 {
        office.deposit(100).await.unwrap();
    }
    let seen = office.journal.head(&office.tenant).await.unwrap();
    take_back(&office, seen.position - 2).await;
    for _ in 0..3 {
        assert!(is_quarantined(&office.deposit(100).await));
    }
    assert_eq!(kind(&office, &office.journal).await, Some(DivergenceKind::Shortened));
    let head = office.journal.head(&office.tenant).await.unwrap();
    assert_eq!(head.position, seen.position - 2);
    // Reads continue, without checks of the chain.
    let (_, read) = office.journal.state(&office.tenant).await.unwrap();
    assert_eq!(read.position, seen.position - 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledgements_survive_a_restart() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let node = node_in(&office, folder.path()).await;
    for _ in 0..3 {
        act(&office, &node, 100).await.unwrap();
    }
    node.close().await;
    let seen = office.journal.head(&office.tenant).await.unwrap();
    take_back(&office, seen.position - 2).await;
    for restart in 0..3 {
        let node = node_in(&office, folder.path()).await;
        assert!(
            is_quarantined(&act(&office, &node, 100).await),
            "after restart {restart}"
        );
        node.look_once().await.unwrap();
        node.close().await;
        // A second restore removes the nodes' reports; the data folder keeps the evidence.
        office
            .owner()
            .await
            .execute("DELETE FROM journal.quarantines")
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_evidence_adopts_the_report_of_another_node() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let seen = office.journal.head(&office.tenant).await.unwrap();
    take_back(&office, seen.position - 1).await;
    assert!(is_quarantined(&office.deposit(100).await));
    office.journal.look_once().await.unwrap();
    let new = office.another_node().await;
    assert!(is_quarantined(&act(&office, &new, 100).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_nodes_detect_every_kind_of_change_within_a_second() {
    let statements = [
        ("a cut log", DivergenceKind::Shortened, "take back"),
        (
            "a changed head",
            DivergenceKind::HeadChanged,
            "UPDATE journal.heads SET position = position + 5",
        ),
        (
            "a changed head's time",
            DivergenceKind::HeadChanged,
            "UPDATE journal.heads SET recorded_at = '2099-01-01'",
        ),
        (
            "a swapped event",
            DivergenceKind::Broken,
            "UPDATE journal.events SET payload = (SELECT o.payload FROM journal.events AS o WHERE o.position = 6)
              WHERE position = 5",
        ),
        (
            "a last event of another hash",
            DivergenceKind::Rewritten,
            "WITH h AS (UPDATE journal.heads SET hash = sha256(hash) RETURNING position, hash)
             UPDATE journal.events AS e SET hash = h.hash FROM h WHERE e.position = h.position",
        ),
        (
            "a deleted event",
            DivergenceKind::Broken,
            "DELETE FROM journal.events WHERE position = 4",
        ),
    ];
    let mut took = Vec::new();
    for (what, expected, statement) in statements {
        let office = Office::open().await;
        for _ in 0..4 {
            office.deposit(100).await.unwrap();
        }
        let other = office.another_node().await;
        other.state(&office.tenant).await.unwrap();
        let _stop = watching(&[&office.journal, &other]);
        // Both nodes have polled once.
        tokio::time::sleep(Duration::from_millis(700)).await;
        if statement == "take back" {
            take_back(&office, 6).await;
        } else {
            office.owner().await.execute(statement).await.unwrap();
        }
        let changed = Instant::now();
        for node in [&office.journal, &other] {
            while node.quarantined(&office.tenant).is_none() {
                assert!(
                    changed.elapsed() < NOTICED_WITHIN,
                    "{what}: not noticed in {:?}",
                    changed.elapsed()
                );
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            took.push(changed.elapsed());
        }
        let kinds = [kind(&office, &office.journal).await, kind(&office, &other).await];
        assert!(kinds.contains(&Some(expected)), "{what}: {kinds:?}");
        for node in [&office.journal, &other] {
            assert!(is_quarantined(&act(&office, node, 1).await), "{what}");
        }
    }
    // Single ones may be late where others use the machine.
    took.sort();
    assert!(took[took.len() / 2] < Duration::from_secs(1), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_events_time_is_not_taken_from_a_changed_head() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let change = "UPDATE journal.heads SET recorded_at = '2099-01-01'";
    office.owner().await.execute(change).await.unwrap();
    let fresh = office.another_node().await;
    for node in [&office.journal, &fresh] {
        assert!(is_quarantined(&act(&office, node, 100).await));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn busy_nodes_decide_nothing_on_lost_history() {
    let office = Office::open().await;
    let other = office.another_node().await;
    let _stop = watching(&[&office.journal, &other]);
    for lag in [1, 4, 20] {
        let mut acknowledged = BTreeSet::new();
        for _ in 0..25 {
            let committed = act(&office, &office.journal, 100).await.unwrap();
            assert!(
                acknowledged.insert(committed.answer.number.unwrap()),
                "a number given out twice"
            );
        }
        let head = office.journal.head(&office.tenant).await.unwrap();
        let (nodes, writers) = ([&office.journal, &other], 8_usize);
        let work = (0..writers).map(|writer| {
            let node = nodes[writer % 2];
            let office = &office;
            async move {
                let mut numbers = Vec::new();
                let deadline = Instant::now() + Duration::from_secs(3);
                loop {
                    assert!(Instant::now() < deadline, "writers are refused within seconds");
                    match act(office, node, 1).await {
                        Ok(committed) => numbers.push((committed.position, committed.answer.number.unwrap())),
                        Err(SubmitError::Quarantined) => return numbers,
                        // A statement that conflicted with the deletion.
                        Err(_) => {}
                    }
                }
            }
        });
        let go_back = async {
            tokio::time::sleep(Duration::from_millis(150)).await;
            take_back(&office, head.position - lag).await;
        };
        let (written, ()) = futures::future::join(futures::future::join_all(work), go_back).await;
        // Numbers acknowledged before the database was set back are unique; nothing was written afterwards.
        for (_, number) in written.into_iter().flatten() {
            assert!(acknowledged.insert(number.clone()), "{number} was given out twice");
        }
        let now = office.journal.head(&office.tenant).await.unwrap();
        assert_eq!(
            now.position,
            head.position - lag,
            "nothing was written on the stale copy"
        );
        for node in [&office.journal, &other] {
            until(&office, node, true).await;
        }
        let ended = office
            .journal
            .end_quarantine(&office.tenant, "the standby lagged")
            .await
            .unwrap();
        assert_eq!(ended.lost_from, Some(head.position - lag + 1));
        for node in [&office.journal, &other] {
            until(&office, node, false).await;
        }
        let next = act(&office, &other, 1).await.unwrap().answer.number.unwrap();
        assert!(acknowledged.insert(next.clone()), "{next} was given out twice");
        office.check().await;
    }
}

/// Its answer is kept under its key, so that something is written; the head stays that of the last event.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_writes_no_event_is_no_divergence() {
    let office = Office::open().await;
    let renamed = PartyDetails {
        name: "Dealer of another name".into(),
        email: "dora@example.com".into(),
        ..PartyDetails::default()
    };
    let rename = |key: &str, known: Option<&PartyDetails>| {
        let change = PartyCommand::Change(ChangeParty {
            details: renamed.clone(),
            is_active: None,
            territory: None,
            known: known.cloned().map(Box::new),
            sets_password: false,
        });
        let command = Command::Party(office.dealer, change);
        keyed(Actor::Party(office.manager), command, key, key)
    };
    let first = office
        .journal
        .submit(&office.tenant, rename("one", None))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let second = office
        .journal
        .submit(&office.tenant, rename("two", Some(&renamed)))
        .await
        .unwrap();
    assert_eq!(second.position, first.position, "it writes no event");
    assert!(!second.replayed);
    // Nodes that compare the head with the last event, and a node that reads it again.
    office.journal.look_once().await.unwrap();
    assert_eq!(kind(&office, &office.journal).await, None);
    let other = office.another_node().await;
    act(&office, &other, 1).await.unwrap();
    act(&office, &office.journal, 1).await.unwrap();
    let again = other
        .submit(&office.tenant, rename("two", Some(&renamed)))
        .await
        .unwrap();
    assert!(again.replayed);
    office.check().await;
}
