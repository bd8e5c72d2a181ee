//! Nodes whose evidence goes beyond what the operator's decision knew of.

use super::{NOTICED_WITHIN, act, is_quarantined, node_in, take_back, until, watching};
use crate::common::Office;
use caudal_journal::{Journal, StoredReport};
use sqlx::Executor as _;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// An office whose operator accepted a loss while a node was down that had seen more of it than any other.
struct Decided {
    office: Office,
    folder: tempfile::TempDir,
    /// Numbers in answers of the node that was down, which no other node had seen.
    lost: Vec<String>,
    /// Last position that the node had seen.
    seen: i64,
}

impl Decided {
    async fn open() -> Self {
        let office = Office::open().await;
        let folder = tempfile::tempdir().unwrap();
        let away = node_in(&office, folder.path()).await;
        for _ in 0..2 {
            act(&office, &away, 100).await.unwrap();
        }
        office.journal.state(&office.tenant).await.unwrap();
        office.journal.look_once().await.unwrap();
        let mut lost = Vec::new();
        for _ in 0..3 {
            lost.push(number(&office, &away).await);
        }
        let seen = away.head(&office.tenant).await.unwrap().position;
        away.close().await;
        // One event that both nodes had seen, and three that only one of them had.
        take_back(&office, seen - 4).await;
        assert!(is_quarantined(&act(&office, &office.journal, 1).await));
        let ended = office
            .journal
            .end_quarantine(&office.tenant, "the standby lagged")
            .await
            .unwrap();
        assert_eq!(ended.known_position, seen - 3);
        act(&office, &office.journal, 1).await.unwrap();
        Self {
            office,
            folder,
            lost,
            seen,
        }
    }

    async fn back(&self) -> Journal {
        node_in(&self.office, self.folder.path()).await
    }
}

async fn number(office: &Office, node: &Journal) -> String {
    act(office, node, 100).await.unwrap().answer.number.unwrap()
}

/// Reports in force.
async fn in_force(office: &Office) -> Vec<StoredReport> {
    let reports = office.journal.quarantine_reports(&office.tenant).await.unwrap();
    reports.into_iter().filter(|stored| stored.decision.is_none()).collect()
}

/// An endpoint of webhooks at the end of the log.
const ENDPOINT: &str = "
    INSERT INTO journal.webhook_positions (tenant, webhook, replay_event, resume_event, position, next_at)
    SELECT tenant, gen_random_uuid(), 1, 1, position, now() FROM journal.heads";

/// Waits for longer than nodes need to adopt a decision.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1_500)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_beyond_the_operators_decision_is_reported_and_decided_again() {
    for restarts in [false, true] {
        let decided = Decided::open().await;
        let office = &decided.office;
        let mut back = decided.back().await;
        let mut stop = watching(&[&office.journal, &back]);
        until(office, &back, true).await;
        settle().await;
        assert!(
            back.quarantined(&office.tenant).is_some(),
            "the decision did not know what this node had seen"
        );
        if restarts {
            drop(stop);
            back.close().await;
            back = decided.back().await;
            assert!(is_quarantined(&act(office, &back, 1).await));
            stop = watching(&[&office.journal, &back]);
        }
        until(office, &office.journal, true).await;
        for node in [&office.journal, &back] {
            assert!(is_quarantined(&act(office, node, 1).await));
        }

        // The operator reads what only that node knows.
        let losses = office.journal.quarantine_losses(&office.tenant).await.unwrap().unwrap();
        assert_eq!(losses.known_position, decided.seen);
        assert_eq!(
            (losses.lost_from, losses.lost_to),
            (Some(decided.seen - 3), Some(decided.seen))
        );
        let reports = in_force(office).await;
        let named: Vec<String> = losses
            .lost_answers(reports.iter().map(|stored| &stored.report))
            .into_iter()
            .filter_map(|(_, answer)| answer.number.clone())
            .collect();
        assert!(named.ends_with(&decided.lost), "{named:?}");

        // An endpoint of webhooks stands in the log of the first decision, of which nothing is lost.
        let mut owner = office.owner().await;
        owner.execute(ENDPOINT).await.unwrap();
        let ended = office
            .journal
            .end_quarantine(&office.tenant, "the other node had seen more")
            .await
            .unwrap();
        assert_eq!(ended.known_position, decided.seen);
        let stands: i64 = sqlx::query_scalar("SELECT position FROM journal.webhook_positions")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        assert_eq!((stands, ended.lost_since), (decided.seen - 2, None));
        for node in [&office.journal, &back] {
            until(office, node, false).await;
        }
        for node in [&office.journal, &back] {
            let given = number(office, node).await;
            assert!(!decided.lost.contains(&given), "{given} was given out twice");
        }
        settle().await;
        for node in [&office.journal, &back] {
            assert!(
                node.quarantined(&office.tenant).is_none(),
                "the second decision covers all"
            );
        }
        // After another restart the data folder knows the second decision.
        drop(stop);
        back.close().await;
        let back = decided.back().await;
        act(office, &back, 1).await.unwrap();
        assert_eq!(in_force(office).await, []);
        office.check().await;
    }
}

/// Its command signs checkpoints between the two steps, which takes a while.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_between_the_decision_and_the_release_is_decided_again() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let away = node_in(&office, folder.path()).await;
    act(&office, &away, 100).await.unwrap();
    office.journal.state(&office.tenant).await.unwrap();
    office.journal.look_once().await.unwrap();
    let lost = [number(&office, &away).await, number(&office, &away).await];
    let seen = away.head(&office.tenant).await.unwrap().position;
    away.close().await;
    take_back(&office, seen - 3).await;
    assert!(is_quarantined(&act(&office, &office.journal, 1).await));
    let recorded = office
        .journal
        .record_decision(&office.tenant, "the standby lagged")
        .await
        .unwrap();
    let back = node_in(&office, folder.path()).await;
    assert!(is_quarantined(&act(&office, &back, 1).await));
    back.look_once().await.unwrap();
    office
        .journal
        .release_quarantine(&office.tenant, &recorded)
        .await
        .unwrap();
    assert_eq!(in_force(&office).await, [], "the decision ended that report too");
    back.look_once().await.unwrap();
    assert!(is_quarantined(&act(&office, &back, 1).await));
    office.journal.look_once().await.unwrap();
    assert!(is_quarantined(&act(&office, &office.journal, 1).await), "a new report");
    office
        .journal
        .end_quarantine(&office.tenant, "the other node had seen more")
        .await
        .unwrap();
    for node in [&back, &office.journal] {
        node.look_once().await.unwrap();
        let given = number(&office, node).await;
        assert!(!lost.contains(&given), "{given} was given out twice");
    }
    office.check().await;
}

/// Its evidence is covered by the first of two decisions, and not by the second.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_was_down_during_two_decisions_adopts_the_last_one() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let away = node_in(&office, folder.path()).await;
    for _ in 0..3 {
        act(&office, &away, 100).await.unwrap();
    }
    away.close().await;
    office.journal.state(&office.tenant).await.unwrap();
    office.journal.look_once().await.unwrap();
    for lost in [2, 1] {
        let head = office.journal.head(&office.tenant).await.unwrap().position;
        take_back(&office, head - lost).await;
        assert!(is_quarantined(&act(&office, &office.journal, 1).await));
        office
            .journal
            .end_quarantine(&office.tenant, "the standby lagged")
            .await
            .unwrap();
        for _ in 0..5 {
            act(&office, &office.journal, 1).await.unwrap();
        }
    }
    let back = decided_by_now(&office, folder.path()).await;
    settle().await;
    assert!(back.quarantined(&office.tenant).is_none());
    assert_eq!(in_force(&office).await, []);
    office.check().await;
}

/// A node that adopts the decision.
async fn decided_by_now(office: &Office, folder: &Path) -> Journal {
    let back = node_in(office, folder).await;
    let deadline = Instant::now() + 2 * NOTICED_WITHIN;
    while act(office, &back, 1).await.is_err() {
        assert!(Instant::now() < deadline, "it takes the decision over");
        back.look_once().await.unwrap();
    }
    back
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_adopts_a_decision_later_still_names_the_answers_that_it_had_sent() {
    let office = Office::open().await;
    let folder = tempfile::tempdir().unwrap();
    let away = node_in(&office, folder.path()).await;
    act(&office, &away, 100).await.unwrap();
    let lost = [number(&office, &away).await, number(&office, &away).await];
    away.close().await;
    // The other node has seen where the log ended, and sent none of the answers.
    office.journal.state(&office.tenant).await.unwrap();
    office.journal.look_once().await.unwrap();
    let seen = office.journal.head(&office.tenant).await.unwrap().position;
    take_back(&office, seen - 2).await;
    assert!(is_quarantined(&act(&office, &office.journal, 1).await));
    office
        .journal
        .end_quarantine(&office.tenant, "the standby lagged")
        .await
        .unwrap();
    decided_by_now(&office, folder.path()).await;
    let reports = office.journal.quarantine_reports(&office.tenant).await.unwrap();
    assert!(reports.iter().all(|stored| stored.decision.is_some()), "{reports:?}");
    let named: Vec<_> = reports
        .iter()
        .flat_map(|stored| &stored.report.seen)
        .flat_map(|batch| &batch.acknowledged)
        .filter_map(|answer| answer.number.as_ref())
        .collect();
    assert!(lost.iter().all(|number| named.contains(&number)), "{named:?}");
}

/// The database is taken back once more, behind the decision itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_decision_that_the_log_has_lost_is_not_adopted() {
    let decided = Decided::open().await;
    let office = &decided.office;
    take_back(office, decided.seen - 4).await;
    // A node without evidence goes on over the decision.
    office
        .owner()
        .await
        .execute("DELETE FROM journal.snapshots")
        .await
        .unwrap();
    let back = decided.back().await;
    assert!(is_quarantined(&act(office, &back, 1).await));
    for _ in 0..3 {
        back.look_once().await.unwrap();
    }
    assert!(back.quarantined(&office.tenant).is_some());
    office.journal.look_once().await.unwrap();
    let ended = office
        .journal
        .end_quarantine(&office.tenant, "it lagged again")
        .await
        .unwrap();
    assert_eq!(ended.known_position, decided.seen);
    back.look_once().await.unwrap();
    let given = number(office, &back).await;
    assert!(!decided.lost.contains(&given), "{given} was given out twice");
    office.check().await;
}
