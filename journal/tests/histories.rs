//! A database that loses or changes events under running nodes: no decision uses lost events, no number is given
//! twice, every node refuses writes within a second, and an operator resolves it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends where something is missing"
)]

mod common;

use caudal_domain::movement::{DepositTo, ExpectedParty};
use caudal_domain::party::{ChangeParty, PartyCommand, PartyDetails};
use caudal_domain::{Actor, Command, Event, TenantEvent};
use caudal_journal::{
    Committed, Divergence, DivergenceKind, EndError, Evidence, Fault, Journal, SubmitError, SystemClock,
};
use common::{Office, deposit, keyed, submission};
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
    let mut owner = office.owner().await;
    let statements = format!(
        "BEGIN;
         LOCK TABLE journal.heads IN ACCESS EXCLUSIVE MODE;
         DELETE FROM journal.events WHERE position > {to};
         DELETE FROM journal.receipts WHERE position > {to};
         DELETE FROM journal.snapshots;
         UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
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
    let (_, read) = office.journal.books(&office.tenant).await.unwrap();
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
    for (what, expected, statement) in statements {
        let office = Office::open().await;
        for _ in 0..4 {
            office.deposit(100).await.unwrap();
        }
        let other = office.another_node().await;
        other.books(&office.tenant).await.unwrap();
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
        }
        let kinds = [kind(&office, &office.journal).await, kind(&office, &other).await];
        assert!(kinds.contains(&Some(expected)), "{what}: {kinds:?}");
        for node in [&office.journal, &other] {
            assert!(is_quarantined(&act(&office, node, 1).await), "{what}");
        }
    }
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

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_accepts_a_loss_and_the_decision_is_an_event() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let node = node_in(&office, folder.path()).await;
    let mut numbers = Vec::new();
    for _ in 0..4 {
        numbers.push(act(&office, &node, 100).await.unwrap().answer.number.unwrap());
    }
    let seen = node.head(&office.tenant).await.unwrap();
    take_back(&office, seen.position - 2).await;
    assert!(is_quarantined(&act(&office, &node, 1).await));
    let losses = node.quarantine_losses(&office.tenant).await.unwrap().unwrap();
    assert_eq!(
        (losses.lost_from, losses.lost_to),
        (Some(seen.position - 1), Some(seen.position))
    );
    let report = node.quarantined(&office.tenant).unwrap();
    let answers: Vec<_> = report
        .seen
        .iter()
        .flat_map(|batch| &batch.acknowledged)
        .filter(|answer| answer.position >= seen.position - 1)
        .map(|answer| answer.number.clone().unwrap())
        .collect();
    assert_eq!(answers, numbers[2..], "the answers that had left are named");
    let ended = node
        .end_quarantine(&office.tenant, "the standby lagged by two")
        .await
        .unwrap();
    assert_eq!(ended.known_position, seen.position);
    assert_eq!(ended.numbers.movements, 4);
    let log = office.log().await;
    let last = log.last().unwrap();
    let Event::Tenant(TenantEvent::HistoryAccepted(accepted)) = &last.event else {
        panic!("{last:?}");
    };
    assert_eq!(
        (accepted.lost_from, accepted.lost_to),
        (Some(seen.position - 1), Some(seen.position))
    );
    let next = act(&office, &node, 100).await.unwrap();
    assert_eq!(
        next.answer.number.as_deref(),
        Some("M-000005"),
        "numbers of the lost history are not given out again"
    );
    node.close().await;
    let node = node_in(&office, folder.path()).await;
    act(&office, &node, 100).await.unwrap();
    assert!(matches!(
        node.end_quarantine(&office.tenant, "again").await,
        Err(EndError::NotQuarantined(_))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_events_in_the_log_are_not_reported_as_lost() {
    let office = Office::open().await;
    let mut lost = Vec::new();
    for _ in 0..3 {
        lost.push(act(&office, &office.journal, 100).await.unwrap().answer.id);
    }
    let seen = office.journal.head(&office.tenant).await.unwrap();
    take_back(&office, seen.position - 3).await;
    let other = office.another_node().await;
    for _ in 0..3 {
        act(&office, &other, 1).await.unwrap();
    }
    assert!(is_quarantined(&act(&office, &office.journal, 1).await));
    let deadline = Instant::now() + NOTICED_WITHIN;
    while office.journal.quarantine_reports(&office.tenant).await.unwrap().len() < 2 {
        assert!(Instant::now() < deadline, "both nodes report");
        office.journal.look_once().await.unwrap();
        other.look_once().await.unwrap();
    }
    let reports = office.journal.quarantine_reports(&office.tenant).await.unwrap();
    let losses = other.quarantine_losses(&office.tenant).await.unwrap().unwrap();
    let named = losses.lost_answers(reports.iter().map(|stored| &stored.report));
    let named: Vec<_> = named.into_iter().map(|(_, answer)| answer.id).collect();
    assert_eq!(named, lost, "the other node's answers stand in the log");
}

/// The command's answer is stored under its key, so a row is written; the head does not move.
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

/// The node that wrote it ended before it answered; another node repeated the answer to the client.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_left_as_a_repetition_is_named() {
    let office = Office::open().await;
    let command = || {
        let command = deposit(DepositTo::Treasury, 100);
        keyed(Actor::Party(office.manager), command, "till-1", "one peso")
    };
    let kept = act(&office, &office.journal, 100).await.unwrap();
    let written = office.journal.submit(&office.tenant, command()).await.unwrap();
    let other = office.another_node().await;
    for _ in 0..3 {
        let repeated = other.submit(&office.tenant, command()).await.unwrap();
        assert!(repeated.replayed);
    }
    take_back(&office, kept.position).await;
    assert!(is_quarantined(&act(&office, &other, 1).await));
    let losses = other.quarantine_losses(&office.tenant).await.unwrap().unwrap();
    let report = other.quarantined(&office.tenant).unwrap();
    let named: Vec<_> = losses
        .lost_answers([&*report])
        .into_iter()
        .map(|(_, answer)| answer.id)
        .collect();
    assert_eq!(named, [written.answer.id], "the one that repeated it names it, once");
    let noted = report.seen.iter().flat_map(|batch| &batch.acknowledged).count();
    assert_eq!(noted, 1, "it is noted once");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_a_log_with_an_unreadable_event_is_shown_without_it() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let node = node_in(&office, folder.path()).await;
    for _ in 0..3 {
        act(&office, &node, 100).await.unwrap();
    }
    let seen = node.head(&office.tenant).await.unwrap();
    let damage = format!(
        "UPDATE journal.events SET payload = '{{}}' WHERE position = {}",
        seen.position - 1
    );
    office.owner().await.execute(damage.as_str()).await.unwrap();
    node.close().await;
    let node = node_in(&office, folder.path()).await;
    assert!(is_quarantined(&act(&office, &node, 1).await));
    let (_, read) = node.books(&office.tenant).await.unwrap();
    assert_eq!(read.position, seen.position);
    assert!(is_quarantined(&act(&office, &node, 1).await));
}

/// Regression from `caudal-chaos --histories`: each page was read again for every event before the unreadable one, so
/// that a log of some thousand events exceeded the callers' timeout.
#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_event_does_not_slow_down_reading_a_log_in_quarantine() {
    const EVENTS: usize = 2_000;
    const AT_ONCE: usize = 500;
    let office = Office::open().await;
    for _ in 0..EVENTS / AT_ONCE {
        let mut deposits = tokio::task::JoinSet::new();
        for _ in 0..AT_ONCE {
            let (node, tenant, manager) = (office.journal.clone(), office.tenant.clone(), office.manager);
            let submission = submission(Actor::Party(manager), deposit(DepositTo::Treasury, 1));
            deposits.spawn(async move { node.submit(&tenant, submission).await });
        }
        for deposited in deposits.join_all().await {
            deposited.unwrap();
        }
    }
    let fresh = office.another_node().await;
    let started = Instant::now();
    let (_, head) = fresh.books(&office.tenant).await.unwrap();
    let whole = started.elapsed();
    let damage = format!(
        "UPDATE journal.events SET payload = '{{}}' WHERE position = {}",
        head.position - 1
    );
    office.owner().await.execute(damage.as_str()).await.unwrap();
    let divergence = Divergence {
        kind: DivergenceKind::Broken,
        known: head.point(),
        found: None,
    };
    fresh.quarantine(&office.tenant, divergence);
    let started = Instant::now();
    let (_, read) = fresh.books(&office.tenant).await.unwrap();
    let damaged = started.elapsed();
    assert_eq!(read.position, head.position);
    assert!(
        damaged < 5 * whole + Duration::from_secs(1),
        "{damaged:?} after {whole:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loss_longer_than_the_nodes_evidence_begins_at_the_logs_end() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let base = office.journal.head(&office.tenant).await.unwrap().position;
    // More batches than nodes keep as evidence: each deposit is one batch.
    for _ in 0..520 {
        act(&office, &office.journal, 1).await.unwrap();
    }
    take_back(&office, base).await;
    assert!(is_quarantined(&act(&office, &office.journal, 1).await));
    let losses = office.journal.quarantine_losses(&office.tenant).await.unwrap().unwrap();
    assert_eq!(losses.common, None, "nothing that is kept is in the log");
    assert_eq!((losses.lost_from, losses.lost_to), (Some(base + 1), Some(base + 520)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_log_that_contains_everything_is_accepted_without_a_loss() {
    let office = Office::open().await;
    for _ in 0..3 {
        office.deposit(100).await.unwrap();
    }
    let mut owner = office.owner().await;
    let keep = "CREATE TEMPORARY TABLE kept AS SELECT * FROM journal.events WHERE position > 6;
                CREATE TEMPORARY TABLE kept_head AS SELECT * FROM journal.heads";
    owner.execute(keep).await.unwrap();
    take_back(&office, 6).await;
    assert!(is_quarantined(&office.deposit(1).await));
    let restore = "INSERT INTO journal.events SELECT * FROM kept;
                   UPDATE journal.heads AS h SET position = k.position, hash = k.hash, recorded_at = k.recorded_at
                     FROM kept_head AS k";
    owner.execute(restore).await.unwrap();
    assert!(
        is_quarantined(&office.deposit(1).await),
        "an operator decides, not a node"
    );
    let ended = office
        .journal
        .end_quarantine(&office.tenant, "the right copy is back")
        .await
        .unwrap();
    assert_eq!((ended.lost_from, ended.lost_to), (None, None));
    office.deposit(1).await.unwrap();
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_log_is_not_accepted_and_a_changed_head_is_corrected() {
    let office = Office::open().await;
    for _ in 0..3 {
        office.deposit(100).await.unwrap();
    }
    let mut owner = office.owner().await;
    owner
        .execute("UPDATE journal.heads SET position = position + 3")
        .await
        .unwrap();
    assert!(is_quarantined(&office.deposit(1).await));
    let ended = office
        .journal
        .end_quarantine(&office.tenant, "somebody moved the head")
        .await
        .unwrap();
    assert!(ended.repairs_head);
    office.deposit(1).await.unwrap();
    office.check().await;
    owner
        .execute("UPDATE journal.events SET payload = '{}' WHERE position = 2; UPDATE journal.heads SET position = 3")
        .await
        .unwrap();
    assert!(is_quarantined(&office.deposit(1).await));
    let outcome = office.journal.end_quarantine(&office.tenant, "never mind").await;
    assert!(
        matches!(outcome, Err(EndError::Damaged(Fault::Changed { position: 2 }))),
        "{outcome:?}"
    );
    assert!(is_quarantined(&office.deposit(1).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_was_down_during_the_decision_adopts_it() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let away = node_in(&office, folder.path()).await;
    for _ in 0..4 {
        act(&office, &away, 100).await.unwrap();
    }
    away.close().await;
    office.journal.books(&office.tenant).await.unwrap();
    office.journal.look_once().await.unwrap();
    take_back(&office, 6).await;
    assert!(is_quarantined(&office.deposit(1).await));
    office
        .journal
        .end_quarantine(&office.tenant, "the standby lagged")
        .await
        .unwrap();
    office.deposit(1).await.unwrap();
    let back = node_in(&office, folder.path()).await;
    let _stop = watching(&[&back]);
    let deadline = Instant::now() + 2 * NOTICED_WITHIN;
    while act(&office, &back, 1).await.is_err() {
        assert!(Instant::now() < deadline, "it takes the decision over");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_databases_owner_can_neither_start_nor_end_a_quarantine() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    take_back(&office, 4).await;
    assert!(is_quarantined(&office.deposit(1).await));
    office.journal.look_once().await.unwrap();
    let mut owner = office.owner().await;
    let forged = "UPDATE journal.quarantines SET ended_at = now(), ending = '{}'";
    owner.execute(forged).await.unwrap();
    office.journal.look_once().await.unwrap();
    assert!(is_quarantined(&office.deposit(1).await), "a forged end ends nothing");

    let other = Office::open().await;
    let made = "INSERT INTO journal.quarantines (tenant, report, noticed_at, content, mac)
                VALUES ('worked', gen_random_uuid(), now(), '{}', sha256('forged'))";
    other.owner().await.execute(made).await.unwrap();
    other.journal.look_once().await.unwrap();
    other.deposit(1).await.unwrap();
}
