//! The way out: what a quarantine shows to an operator, and what ends it.

use super::{NOTICED_WITHIN, act, is_quarantined, node_in, take_back, watching};
use crate::common::{Office, deposit, keyed, submission};
use caudal_domain::{Actor, Event, TenantEvent, movement::DepositTo};
use caudal_journal::{Divergence, DivergenceKind, EndError, Fault, Journal, RowProblem};
use sqlx::Executor as _;
use std::time::{Duration, Instant};

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

/// The node that wrote it ended before it answered, and the client was told by another one.
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
    let (_, read) = node.state(&office.tenant).await.unwrap();
    assert_eq!(read.position, seen.position);
    assert!(is_quarantined(&act(&office, &node, 1).await));
}

/// Seen by `caudal-chaos --histories`: every page was read once more for each event before the one that can't be read, so
/// that a log of some thousand events kept callers waiting for longer than they wait.
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
    let (_, head) = fresh.state(&office.tenant).await.unwrap();
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
    let (_, read) = fresh.state(&office.tenant).await.unwrap();
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
    // More batches than are kept: each deposit is one.
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
                   UPDATE journal.heads AS h
                      SET position = k.position, hash = k.hash, recorded_at = k.recorded_at, mac = k.mac FROM kept_head AS k";
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
    office.journal.state(&office.tenant).await.unwrap();
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

/// In-place changes of a report by the database's owner, in force or ended.
const REPORT_CHANGES: &[&str] = &[
    "ended_at = '2000-01-01', ending = '{}'",
    "ended_at = '2000-01-01', ending = content",
    "noticed_at = noticed_at - interval '1 year'",
    "content = (content::jsonb || '{\"numbersAt\": 1}')::text",
    "content = '{}'",
    "report = gen_random_uuid()",
    "mac = sha256(mac)",
];

/// Whether verification finds a changed report.
async fn is_found(node: &Journal, office: &Office) -> bool {
    let verified = node.verify_rows(&office.tenant).await.unwrap();
    let mut faults = verified.faults.iter();
    faults.any(|fault| (fault.table, fault.problem) == ("quarantines", RowProblem::Changed))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_evidence_takes_a_changed_report_for_a_quarantine() {
    for change in REPORT_CHANGES {
        let office = Office::open().await;
        office.deposit(100).await.unwrap();
        take_back(&office, 4).await;
        assert!(is_quarantined(&office.deposit(1).await));
        office.journal.look_once().await.unwrap();
        office.journal.close().await;
        let mut owner = office.owner().await;
        let acting = office.another_node().await;
        assert!(!is_found(&acting, &office).await, "before the change");
        let sql = format!("UPDATE journal.quarantines SET {change}");
        assert_eq!(owner.execute(sql.as_str()).await.unwrap().rows_affected(), 1, "{sql}");
        assert!(is_found(&acting, &office).await, "{sql}");

        // By its first command, and by its first look.
        let acting = office.another_node().await;
        assert!(is_quarantined(&act(&office, &acting, 1).await), "{change}");
        let looking = office.another_node().await;
        looking.look_once().await.unwrap();
        let report = looking.quarantined(&office.tenant).expect(change);
        assert_eq!(report.divergence.kind, DivergenceKind::ReportChanged, "{change}");

        // A decision settles it for later nodes too.
        looking
            .end_quarantine(&office.tenant, "the report was changed")
            .await
            .unwrap();
        act(&office, &looking, 1).await.unwrap();
        let later = office.another_node().await;
        later.look_once().await.unwrap();
        act(&office, &later, 1).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_report_that_is_changed_is_a_quarantine_for_a_node_without_evidence_only() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let known = node_in(&office, folder.path()).await;
    act(&office, &known, 100).await.unwrap();
    take_back(&office, 4).await;
    assert!(is_quarantined(&act(&office, &known, 1).await));
    known
        .end_quarantine(&office.tenant, "the standby lagged")
        .await
        .unwrap();
    known.close().await;
    let mut owner = office.owner().await;
    let changed = "UPDATE journal.quarantines SET ended_at = '2000-01-01'";
    assert_eq!(owner.execute(changed).await.unwrap().rows_affected(), 1);
    let known = node_in(&office, folder.path()).await;
    known.look_once().await.unwrap();
    act(&office, &known, 1).await.unwrap();
    let fresh = office.another_node().await;
    fresh.look_once().await.unwrap();
    assert!(is_quarantined(&act(&office, &fresh, 1).await));
}
