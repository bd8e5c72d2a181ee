//! Upgrade of a database whose rows beside the log have no MACs: every login keeps working, each row gets its MAC
//! once, and afterwards a row without a MAC is refused.

use crate::common::{Office, deposit, keyed, submission};
use caudal_domain::{Actor, movement::DepositTo};
use caudal_journal::{
    Adopted, Clock, Evidence, Journal, JournalError, RowProblem, SubmitError, SystemClock, Table, WINDOW,
};
use chrono::{DateTime, Utc};
use sqlx::{Executor as _, PgConnection};
use std::{sync::Arc, time::Duration};

/// Timeout for giving a few rows their MACs.
const PATIENCE: Duration = Duration::from_secs(20);

/// A clock that runs ahead.
struct Ahead(Duration);

impl Clock for Ahead {
    fn now(&self) -> DateTime<Utc> {
        Utc::now() + self.0
    }
}

/// An office whose database is as the version before left it, and whose operator has begun the adoption.
async fn office_of_before() -> (Office, PgConnection) {
    let (office, owner) = office_without_macs().await;
    let database = office.database.connect().await;
    Journal::begin_adoption(database, office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    (office, owner)
}

/// An office whose database has no MACs, and no moment since when there are any.
async fn office_without_macs() -> (Office, PgConnection) {
    let office = Office::open().await;
    let manager = Actor::Party(office.manager);
    let asked = keyed(manager, deposit(DepositTo::Treasury, 7), "a-key", "a request");
    office.journal.submit(&office.tenant, asked).await.unwrap();
    office
        .journal
        .replace_credential(&office.tenant, office.manager, "a-hash")
        .await
        .unwrap();
    let mut owner = office.owner().await;
    for table in ["receipts", "claims", "subject_keys", "credentials"] {
        owner
            .execute(format!("UPDATE journal.{table} SET mac = NULL").as_str())
            .await
            .unwrap();
    }
    owner
        .execute("UPDATE journal.keyring SET adoption_began = NULL, adoption_ended = NULL, adoption_mac = NULL")
        .await
        .unwrap();
    (office, owner)
}

async fn without_mac(owner: &mut PgConnection) -> i64 {
    sqlx::query_scalar(
        "SELECT (SELECT count(*) FROM journal.receipts WHERE mac IS NULL)
              + (SELECT count(*) FROM journal.claims WHERE mac IS NULL)
              + (SELECT count(*) FROM journal.subject_keys WHERE mac IS NULL)
              + (SELECT count(*) FROM journal.credentials WHERE mac IS NULL)",
    )
    .fetch_one(owner)
    .await
    .unwrap()
}

async fn until_adopted(owner: &mut PgConnection) {
    let adopted = async {
        while without_mac(owner).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, adopted).await.unwrap();
}

/// An append by a node of the previous version: without MACs.
async fn append_of_before(office: &Office, owner: &mut PgConnection) -> Result<String, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT a.status FROM journal.heads AS h, LATERAL journal.append(
                h.tenant, h.position, h.epoch, now(), sha256('x'), ARRAY['tenant'], ARRAY['x'], ARRAY[1::bigint],
                ARRAY['x'], ARRAY['1'], ARRAY['{}'], ARRAY['{}'], ARRAY[sha256('x')], '{}', '{}', '{}', '{}', '{}',
                '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}') AS a
          WHERE h.tenant = $1",
    )
    .bind(office.tenant.as_str())
    .fetch_one(owner)
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_without_macs_work_and_get_their_macs_soon() {
    let (office, mut owner) = office_of_before().await;
    // Two nodes at once.
    let (one, other) = tokio::join!(office.another_node(), office.another_node());
    for node in [&one, &other] {
        let credential = node
            .credential_by_email(&office.tenant, "ana@example.com")
            .await
            .unwrap();
        assert_eq!(credential.unwrap().party, office.manager, "nobody is locked out");
        assert_eq!(node.events_after(&office.tenant, 0, 100).await.unwrap().len(), 5);
        assert_eq!(node.adoption(Adopted::Rows).await.unwrap().unwrap().ended, None);
    }
    until_adopted(&mut owner).await;
    assert!(one.verify_rows(&office.tenant).await.unwrap().is_whole());

    // A node of the previous version changes a row meanwhile: that row counts as one without a MAC and still works.
    owner
        .execute("UPDATE journal.credentials SET hash = 'another'")
        .await
        .unwrap();
    assert_eq!(without_mac(&mut owner).await, 1);
    let credential = other.credential(&office.tenant, office.manager).await.unwrap();
    assert_eq!(credential.unwrap().hash, "another");

    one.end_adoption().await.unwrap();
    assert_eq!(without_mac(&mut owner).await, 0);
    let ended = one.adoption(Adopted::Rows).await.unwrap().unwrap().ended;
    assert!(ended.is_some());
    other.end_adoption().await.unwrap();
    assert_eq!(
        other.adoption(Adopted::Rows).await.unwrap().unwrap().ended,
        ended,
        "once"
    );

    owner.execute("UPDATE journal.claims SET mac = NULL").await.unwrap();
    for node in [&one, &other] {
        let refused = node.credential_by_email(&office.tenant, "ana@example.com").await;
        assert!(matches!(refused, Err(JournalError::NotAuthentic(row)) if row.table == Table::UniqueValues));
        let faults = node.verify_rows(&office.tenant).await.unwrap().faults;
        assert!(faults.iter().any(|fault| fault.problem == RowProblem::WithoutMac));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_adoption_window_nodes_of_the_previous_version_can_not_append() {
    let (office, mut owner) = office_of_before().await;
    let first = office.another_node().await;
    let before = office.journal.head(&office.tenant).await.unwrap();
    owner.execute("BEGIN").await.unwrap();
    assert_eq!(append_of_before(&office, &mut owner).await.unwrap(), "appended");
    owner.execute("ROLLBACK").await.unwrap();
    assert_eq!(office.journal.head(&office.tenant).await.unwrap(), before);
    drop(first);

    let later = Journal::open(
        office.database.connect().await,
        office.keyring.clone(),
        Arc::new(Ahead(WINDOW)),
    )
    .await
    .unwrap();
    let ended = async {
        while later.adoption(Adopted::Rows).await.unwrap().unwrap().ended.is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.unwrap();
    assert_eq!(without_mac(&mut owner).await, 0);
    let refused = append_of_before(&office, &mut owner).await.unwrap_err();
    assert_eq!(refused.as_database_error().unwrap().code().as_deref(), Some("55000"));
    assert!(later.verify_rows(&office.tenant).await.unwrap().is_whole());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adoption_that_was_undone_or_moved_prevents_a_nodes_start() {
    let office = Office::open().await;
    let mut owner = office.owner().await;
    let start = async || {
        let database = office.database.connect().await;
        Journal::open(database, office.keyring.clone(), Arc::new(SystemClock)).await
    };
    for (change, is_taken_back) in [
        ("adoption_ended = NULL", false),
        ("adoption_ended = adoption_ended + interval '1 microsecond'", false),
        ("adoption_mac = sha256(adoption_mac)", false),
        (
            "adoption_began = NULL, adoption_ended = NULL, adoption_mac = NULL",
            true,
        ),
        ("heads_ended = NULL", false),
        ("heads_mac = adoption_mac", false),
        ("heads_began = NULL, heads_ended = NULL, heads_mac = NULL", true),
    ] {
        owner
            .execute("CREATE TEMP TABLE kept AS SELECT * FROM journal.keyring")
            .await
            .unwrap();
        owner
            .execute(format!("UPDATE journal.keyring SET {change}").as_str())
            .await
            .unwrap();
        match start().await.err() {
            Some(JournalError::AdoptionTakenBack) => assert!(is_taken_back, "{change}"),
            Some(JournalError::AdoptionChanged) => assert!(!is_taken_back, "{change}"),
            other => panic!("{change}: {other:?}"),
        }
        owner
            .execute(
                "UPDATE journal.keyring AS k SET adoption_began = s.adoption_began, adoption_ended = s.adoption_ended,
                        adoption_mac = s.adoption_mac, heads_began = s.heads_began, heads_ended = s.heads_ended,
                        heads_mac = s.heads_mac FROM kept AS s; DROP TABLE kept",
            )
            .await
            .unwrap();
    }
    assert!(start().await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_whose_macs_were_all_removed_is_not_adopted_by_a_node() {
    let (office, mut owner) = office_without_macs().await;
    owner
        .execute("UPDATE journal.credentials SET hash = 'forged'")
        .await
        .unwrap();
    let opened = Journal::open(
        office.database.connect().await,
        office.keyring.clone(),
        Arc::new(SystemClock),
    )
    .await;
    assert!(matches!(opened, Err(JournalError::AdoptionNotBegun)));
    assert!(without_mac(&mut owner).await > 0, "no row was given a MAC");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_has_seen_all_rows_authenticated_refuses_an_adoption_put_back() {
    let (office, mut owner) = office_of_before().await;
    let folder = tempfile::tempdir().unwrap();
    let open = async || {
        let evidence = Evidence::open(folder.path()).unwrap();
        let database = office.database.connect().await;
        Journal::open_with_evidence(database, office.keyring.clone(), Arc::new(SystemClock), Some(evidence)).await
    };
    owner
        .execute("CREATE TEMP TABLE begun AS SELECT * FROM journal.keyring")
        .await
        .unwrap();
    let node = open().await.unwrap();
    node.end_adoption().await.unwrap();
    node.close().await;
    assert!(open().await.is_ok());
    owner
        .execute(
            "UPDATE journal.credentials SET hash = 'forged', mac = NULL;
             UPDATE journal.keyring AS k SET adoption_began = b.adoption_began, adoption_ended = b.adoption_ended,
                    adoption_mac = b.adoption_mac FROM begun AS b",
        )
        .await
        .unwrap();
    assert!(matches!(open().await, Err(JournalError::AdoptionTakenBack)));
}

/// An append of a copy of the last event by a node of the previous version: with all MACs but the head's.
async fn append_columns_of_before(office: &Office, owner: &mut PgConnection) -> Result<String, sqlx::Error> {
    let head = office.journal.head(&office.tenant).await.unwrap();
    let (_, mut event) = office
        .journal
        .stored(&office.tenant, head.position)
        .await
        .unwrap()
        .unwrap();
    event.position += 1;
    event.aggregate_id = format!("00000000-0000-7000-8000-{:012}", event.position);
    event.sequence = 1;
    let hash = event.expected_hash(&office.tenant, &head.hash).unwrap();
    sqlx::query_scalar(
        "SELECT journal.append_columns(h.tenant, h.position, h.epoch, h.hash, h.recorded_at, h.recorded_at, $1,
                    ROW(ARRAY[e.aggregate_type], ARRAY[$2], ARRAY[1], ARRAY[e.event_type], ARRAY[e.event_version],
                        ARRAY[e.payload::text], ARRAY[e.metadata::text], ARRAY[$1])::journal.event_columns,
                    NULL, NULL, NULL, NULL, NULL)
           FROM journal.heads AS h JOIN journal.events AS e USING (tenant, position)",
    )
    .bind(hash)
    .bind(&event.aggregate_id)
    .fetch_one(owner)
    .await
}

async fn head_has_mac(owner: &mut PgConnection) -> bool {
    sqlx::query_scalar("SELECT mac IS NOT NULL FROM journal.heads")
        .fetch_one(owner)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_without_macs_are_adopted_while_nodes_of_the_previous_version_append() {
    let office = Office::open().await;
    office.deposit(1).await.unwrap();
    let mut owner = office.owner().await;
    owner
        .execute(
            "UPDATE journal.heads SET mac = NULL;
             UPDATE journal.keyring SET heads_began = NULL, heads_ended = NULL, heads_mac = NULL",
        )
        .await
        .unwrap();
    let open = async || {
        let database = office.database.connect().await;
        Journal::open(database, office.keyring.clone(), Arc::new(SystemClock)).await
    };
    assert!(matches!(open().await, Err(JournalError::AdoptionNotBegun)));
    Journal::begin_adoption(
        office.database.connect().await,
        office.keyring.clone(),
        Arc::new(SystemClock),
    )
    .await
    .unwrap();
    let node = open().await.unwrap();
    assert_eq!(node.adoption(Adopted::Heads).await.unwrap().unwrap().ended, None);
    assert!(node.adoption(Adopted::Rows).await.unwrap().unwrap().ended.is_some());
    let adopted = async {
        while !head_has_mac(&mut owner).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, adopted).await.unwrap();
    let act = async |node: &Journal| {
        let command = deposit(DepositTo::Treasury, 1);
        node.submit(&office.tenant, submission(Actor::Party(office.manager), command))
            .await
    };
    for _ in 0..2 {
        assert_eq!(append_columns_of_before(&office, &mut owner).await.unwrap(), "appended");
        act(&node).await.unwrap();
        assert!(head_has_mac(&mut owner).await);
    }
    assert_eq!(append_columns_of_before(&office, &mut owner).await.unwrap(), "appended");
    assert!(
        !head_has_mac(&mut owner).await,
        "the MAC of the head before is not kept"
    );
    assert_eq!(node.verify(&office.tenant, &[], |_, _| {}).await.unwrap().fault, None);
    node.end_adoption().await.unwrap();
    assert!(head_has_mac(&mut owner).await);
    assert!(open().await.unwrap().state(&office.tenant).await.is_ok());
    act(&node).await.unwrap();

    let refused = append_columns_of_before(&office, &mut owner).await.unwrap_err();
    assert_eq!(refused.as_database_error().unwrap().code().as_deref(), Some("55000"));
    owner.execute("UPDATE journal.heads SET mac = NULL").await.unwrap();
    let fresh = open().await.unwrap();
    assert!(matches!(act(&fresh).await, Err(SubmitError::Quarantined)));
}
