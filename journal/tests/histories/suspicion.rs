//! What the watch verifies: the chains of all tenants, opened by this node or not, however the rows were changed, and whatever
//! values another tenant's rows have.

use super::{act, is_quarantined, kind, node_in, until, watching};
use crate::common::{Office, deposit, owner_of, submission, tenant};
use caudal_domain::{Actor, Command, Tenant, TenantCommand, movement::DepositTo};
use caudal_journal::{DivergenceKind, Fault, SubmitError};
use sqlx::{Connection as _, Executor as _};
use std::time::{Duration, Instant};

/// Several checks of the watch, with its first verification of all chains.
const CHECKS: Duration = Duration::from_millis(1_500);

/// The last event of the dealer's stream belongs to nobody: a look-up of the stream does not find it.
async fn hide_an_event(office: &Office) {
    let sql = format!(
        "UPDATE journal.events SET aggregate_id = '0197a3c0-0000-7000-8000-000000000001' WHERE aggregate_id = '{}'",
        office.dealer.0
    );
    let changed = office.owner().await.execute(sql.as_str()).await.unwrap();
    assert_eq!(changed.rows_affected(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_event_of_a_tenant_that_the_node_has_not_opened_is_noticed() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let node = office.another_node().await;
    let _stop = watching(&[&node]);
    tokio::time::sleep(CHECKS).await;
    hide_an_event(&office).await;
    until(&office, &node, true).await;
    assert_eq!(kind(&office, &node).await, Some(DivergenceKind::Broken));
    assert!(is_quarantined(&act(&office, &node, 1).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_was_changed_while_no_node_ran_is_noticed_at_the_start() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    hide_an_event(&office).await;
    let folder = tempfile::tempdir().unwrap();
    let node = node_in(&office, folder.path()).await;
    let _stop = watching(&[&node]);
    until(&office, &node, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_remembers_the_signs_under_which_all_chains_were_verified() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let node = node_in(&office, folder.path()).await;
    let _stop = watching(&[&node]);
    let remembered = folder.path().join("evidence/verified-under.json");
    let deadline = Instant::now() + super::NOTICED_WITHIN;
    while !remembered.exists() {
        assert!(Instant::now() < deadline, "the chains are verified in time");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let before = std::fs::read_to_string(&remembered).unwrap();
    office
        .owner()
        .await
        .execute("CLUSTER journal.events USING events_pkey")
        .await
        .unwrap();
    // The table has another file: the chains were verified again.
    while std::fs::read_to_string(&remembered).unwrap() == before {
        assert!(
            Instant::now() < deadline + super::NOTICED_WITHIN,
            "verified again in time"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(kind(&office, &node).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_was_truncated_and_inserted_anew_with_a_change_is_noticed() {
    let office = Office::open().await;
    for _ in 0..3 {
        office.deposit(100).await.unwrap();
    }
    let _stop = watching(&[&office.journal]);
    tokio::time::sleep(CHECKS).await;
    let rewrite = "BEGIN;
         CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM journal.events;
         UPDATE kept SET payload = (SELECT o.payload FROM kept AS o WHERE o.position = 6) WHERE position = 5;
         TRUNCATE journal.events;
         INSERT INTO journal.events SELECT * FROM kept;
         COMMIT";
    office.owner().await.execute(rewrite).await.unwrap();
    until(&office, &office.journal, true).await;
    assert_eq!(kind(&office, &office.journal).await, Some(DivergenceKind::Broken));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_of_infinity_is_a_quarantine_that_an_operator_ends_and_other_tenants_stay_watched() {
    for time in ["infinity", "-infinity", "294276-12-31"] {
        let office = Office::open().await;
        let journal = &office.journal;
        office.deposit(100).await.unwrap();
        let other = tenant("other");
        journal.create_tenant(&other).await.unwrap();
        let open = Command::Tenant(TenantCommand::Open(Tenant {
            name: "Other".into(),
            time_zone: caudal_domain::DEFAULT_ZONE,
        }));
        journal.submit(&other, submission(Actor::System, open)).await.unwrap();
        let _stop = watching(&[journal]);
        tokio::time::sleep(CHECKS).await;
        let mut owner = office.owner().await;
        let change = format!("UPDATE journal.heads SET recorded_at = '{time}' WHERE tenant = 'worked'");
        owner.execute(change.as_str()).await.unwrap();
        until(&office, journal, true).await;
        assert_eq!(
            kind(&office, journal).await,
            Some(DivergenceKind::HeadChanged),
            "{time}"
        );
        let verification = journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
        assert!(
            matches!(verification.fault, Some(Fault::HeadChanged { .. })),
            "{time}: {verification:?}"
        );
        // The watch goes on for the others.
        let mut owner = owner_of(office.database.url(), &other).await;
        let change = "UPDATE journal.events SET payload = '{}' WHERE position = 1";
        assert_eq!(owner.execute(change).await.unwrap().rows_affected(), 1);
        // PostgreSQL counts it at the session's end, or up to ten seconds later.
        owner.close().await.unwrap();
        let deadline = Instant::now() + super::NOTICED_WITHIN;
        while journal.quarantined(&other).is_none() {
            assert!(Instant::now() < deadline, "{time}: not noticed in time");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let command = deposit(DepositTo::Treasury, 1);
        let refused = journal.submit(&other, submission(Actor::System, command)).await;
        assert!(matches!(refused, Err(SubmitError::Quarantined)), "{time}: {refused:?}");
        // The operator's way out.
        let ended = journal.end_quarantine(&office.tenant, "a changed head").await.unwrap();
        assert!(ended.repairs_head && ended.lost_from.is_none(), "{time}: {ended:?}");
        until(&office, journal, false).await;
        office.deposit(100).await.unwrap();
        office.check().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_infinity_is_read_as_an_error_and_is_no_panic() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let mut owner = office.owner().await;
    owner
        .execute("UPDATE journal.events SET recorded_at = 'infinity' WHERE position = 2")
        .await
        .unwrap();
    office.journal.events_after(&office.tenant, 0, 10).await.unwrap_err();
    let verification = office.journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
    assert_eq!(verification.fault, Some(Fault::Changed { position: 2 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_any_time_leaves_the_other_tenants_watched() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let mut owner = owner_of(office.database.url(), &tenant("elsewhere")).await;
    for time in ["infinity", "294276-12-31"] {
        let insert = format!(
            "INSERT INTO journal.quarantines (tenant, report, noticed_at, content, mac)
             VALUES ('elsewhere', gen_random_uuid(), '{time}', '{{}}', sha256(''))"
        );
        owner.execute(insert.as_str()).await.unwrap();
        office.journal.look_once().await.unwrap();
    }
}
