//! Idempotency records are deleted after their retention and not before.

use crate::common::{Office, deposit, keyed};
use caudal_domain::{Actor, Command, erasure::Forget, movement::DepositTo, party::PartyCommand};
use caudal_journal::{AnswerKey, Clock, Journal, KeptAnswer, RECORD_RETENTION, RequestDigest, RowProblem, Table};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::Executor as _;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

/// A clock set by the test.
struct Hand(Mutex<DateTime<Utc>>);

impl Hand {
    fn advance(&self, by: TimeDelta) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for Hand {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

async fn open() -> (Office, Arc<Hand>) {
    let start = DateTime::from_timestamp(1_750_000_000, 0).unwrap();
    let clock = Arc::new(Hand(Mutex::new(start)));
    (Office::open_with(clock.clone()).await, clock)
}

/// Deposits one cent under an idempotency key. Returns whether the answer was a repetition.
async fn deposit_under(office: &Office, key: &str) -> bool {
    let asked = keyed(
        Actor::Party(office.manager),
        deposit(DepositTo::Treasury, 1),
        key,
        "a request",
    );
    office.journal.submit(&office.tenant, asked).await.unwrap().replayed
}

async fn delete_old(journal: &Journal) -> u64 {
    journal.delete_old_records_once().await.unwrap()
}

async fn records(office: &Office) -> i64 {
    let mut owner = office.owner().await;
    let count = sqlx::query_scalar("SELECT count(*) FROM journal.receipts");
    count.fetch_one(&mut owner).await.unwrap()
}

const DAY: TimeDelta = TimeDelta::days(1);

#[tokio::test(flavor = "multi_thread")]
async fn records_past_their_retention_are_deleted_and_younger_ones_still_answer() {
    let (office, clock) = open().await;
    assert!(!deposit_under(&office, "old").await);
    clock.advance(DAY * 2);
    assert!(!deposit_under(&office, "young").await);
    assert_eq!(delete_old(&office.journal).await, 0);
    clock.advance(RECORD_RETENTION - DAY);
    // The age is measured to the time of the last event.
    assert!(!deposit_under(&office, "new").await);
    assert_eq!(delete_old(&office.journal).await, 1);
    assert!(deposit_under(&office, "young").await);
    assert!(!deposit_under(&office, "old").await, "a request of its own again");
    assert_eq!(records(&office).await, 3);

    let verified = office.journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
    assert_eq!(verified.fault, None);
    let rows = office.journal.verify_rows(&office.tenant).await.unwrap();
    assert!(rows.is_whole(), "{rows:?}");
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_with_a_fast_clock_deletes_nothing_early() {
    let (office, clock) = open().await;
    deposit_under(&office, "a").await;
    clock.advance(RECORD_RETENTION * 10);
    assert_eq!(delete_old(&office.journal).await, 0);
    assert_eq!(records(&office).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_changed_in_place_is_reported_and_not_deleted() {
    let (office, clock) = open().await;
    let mut owner = office.owner().await;
    for key in ["answer", "time", "whole", "no moment"] {
        deposit_under(&office, key).await;
    }
    clock.advance(RECORD_RETENTION + DAY);
    deposit_under(&office, "young").await;
    for change in [
        "UPDATE journal.receipts SET answer = '{\"id\":\"00000000-0000-0000-0000-000000000000\"}' WHERE key = 'answer'",
        "UPDATE journal.receipts SET recorded_at = recorded_at - interval '1 day' WHERE key IN ('time', 'young')",
        "UPDATE journal.receipts SET recorded_at = '-infinity' WHERE key = 'no moment'",
    ] {
        owner.execute(change).await.unwrap();
    }
    assert_eq!(delete_old(&office.journal).await, 1, "the whole one");
    assert_eq!(delete_old(&office.journal).await, 0);
    let verified = office.journal.verify_rows(&office.tenant).await.unwrap();
    let found: Vec<_> = verified
        .faults
        .iter()
        .map(|fault| (fault.table, fault.problem))
        .collect();
    assert_eq!(found, [(Table::IdempotencyRecords.as_str(), RowProblem::Changed); 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_nodes_share_the_deletion() {
    const RECORDS: i64 = 1_200;
    let (office, clock) = open().await;
    let keys: Vec<_> = (0..RECORDS).map(|n| format!("key {n}")).collect();
    for keys in keys.chunks(400) {
        futures::future::join_all(keys.iter().map(|key| deposit_under(&office, key))).await;
    }
    clock.advance(RECORD_RETENTION + DAY);
    deposit_under(&office, "young").await;
    let other = office.another_node().await;
    let (here, there) = tokio::join!(delete_old(&office.journal), delete_old(&other));
    let left = delete_old(&office.journal).await;
    assert_eq!(i64::try_from(here + there + left).unwrap(), RECORDS);
    assert_eq!(records(&office).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_found_beyond_the_part_of_a_table_that_is_read_at_once() {
    let (office, clock) = open().await;
    let mut owner = office.owner().await;
    // Four megabytes of a tenant that is not there: rows of 2 KB that do not compress.
    owner
        .execute(
            "SET caudal.tenant TO 'gone';
             INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at)
             SELECT 'gone', 'x', n::text, '', to_json((SELECT string_agg(md5(n::text || m), '') FROM generate_series(1, 60) AS m)),
                    1, '2000-01-01'
               FROM generate_series(1, 2000) AS n",
        )
        .await
        .unwrap();
    deposit_under(&office, "old").await;
    clock.advance(RECORD_RETENTION + DAY);
    deposit_under(&office, "young").await;
    assert_eq!(delete_old(&office.journal).await, 1);
    assert!(!deposit_under(&office, "old").await, "a request of its own again");
    assert!(deposit_under(&office, "young").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_in_quarantine_keeps_its_records() {
    let (office, clock) = open().await;
    deposit_under(&office, "old").await;
    clock.advance(RECORD_RETENTION + DAY);
    deposit_under(&office, "young").await;
    let mut owner = office.owner().await;
    // The log loses its last event, as after the restore of an older copy.
    owner
        .execute(
            "UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
               FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = h.position - 1",
        )
        .await
        .unwrap();
    owner
        .execute("DELETE FROM journal.events AS e USING journal.heads AS h WHERE e.tenant = h.tenant AND e.position > h.position")
        .await
        .unwrap();
    office.journal.look_once().await.unwrap();
    assert!(office.journal.quarantined(&office.tenant).is_some());
    assert_eq!(delete_old(&office.journal).await, 0);
    assert_eq!(records(&office).await, 2);
}

fn answer(body: &str) -> KeptAnswer {
    KeptAnswer {
        status: 200,
        position: 7,
        body: body.as_bytes().to_vec(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_stored_answer_is_kept_until_its_retention_or_the_forgetting_of_a_person_in_it() {
    let (office, clock) = open().await;
    let (journal, tenant) = (&office.journal, &office.tenant);
    let under = |key: &str, request: &str| AnswerKey {
        actor: Actor::Party(office.manager),
        key: key.to_owned(),
        request_digest: RequestDigest::of([request.as_bytes()]),
    };
    let nobody = BTreeSet::new();
    // An unknown id is accepted.
    let dealer = BTreeSet::from([office.dealer.0, uuid::Uuid::nil()]);
    let keep = async |key: &str, body: &str, about: &BTreeSet<uuid::Uuid>| {
        let under = under(key, "a");
        journal.keep_answer(tenant, &under, answer(body), about).await.unwrap()
    };
    let kept = async |key: &str, request: &str| journal.kept_answer(tenant, &under(key, request)).await.unwrap();

    assert_eq!(kept("one", "a").await, None);
    assert_eq!(keep("one", "first", &dealer).await, answer("first"));
    assert_eq!(keep("one", "second", &nobody).await, answer("first"));
    assert_eq!(kept("one", "a").await, Some(answer("first")));
    assert_eq!(kept("one", "b").await, None, "another request");
    assert_eq!(keep("two", "of nobody", &nobody).await, answer("of nobody"));
    assert_eq!(journal.verify_rows(tenant).await.unwrap().faults, []);
    let mut owner = office.owner().await;
    let clear: i64 =
        sqlx::query_scalar("SELECT count(*) FROM journal.answers WHERE position('first'::bytea IN answers.body) > 0")
            .fetch_one(&mut owner)
            .await
            .unwrap();
    assert_eq!(clear, 0, "encrypted");

    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    office
        .manage(Command::Party(office.dealer, PartyCommand::Forget(order)))
        .await
        .unwrap();
    assert_eq!(kept("one", "a").await, None, "nobody can read it any more");
    assert_eq!(
        office
            .another_node()
            .await
            .kept_answer(tenant, &under("one", "a"))
            .await
            .unwrap(),
        None
    );
    assert_eq!(keep("three", "of the dealer", &dealer).await, answer("of the dealer"));
    assert_eq!(
        kept("three", "a").await,
        None,
        "what tells of a forgotten person is not kept"
    );
    assert_eq!(kept("two", "a").await, Some(answer("of nobody")));

    clock.advance(RECORD_RETENTION + DAY);
    deposit_under(&office, "young").await;
    assert_eq!(delete_old(journal).await, 2);
    assert_eq!(kept("two", "a").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_outlives_the_answer_that_would_be_given_to_another_request_under_its_key() {
    let (office, clock) = open().await;
    deposit_under(&office, "old").await;
    clock.advance(DAY * 2);
    let under = AnswerKey {
        actor: Actor::Party(office.manager),
        key: "old".to_owned(),
        request_digest: RequestDigest::of(["a request".as_bytes()]),
    };
    deposit_under(&office, "between").await;
    let nobody = BTreeSet::new();
    let kept = office
        .journal
        .keep_answer(&office.tenant, &under, answer("first"), &nobody);
    kept.await.unwrap();
    clock.advance(RECORD_RETENTION - DAY);
    deposit_under(&office, "young").await;
    assert_eq!(delete_old(&office.journal).await, 0, "the answer is a day too young");
    assert!(deposit_under(&office, "old").await);
    clock.advance(DAY * 2);
    deposit_under(&office, "younger").await;
    assert_eq!(delete_old(&office.journal).await, 3, "the answer, and two records");
}
