//! Attempts of two nodes over one database.

use super::*;
use caudal_postgres_testing::TestDatabase;
use std::time::Duration as StdDuration;

/// Limits of two nodes over one database.
struct Nodes {
    _database: TestDatabase,
    one: Limits,
    other: Limits,
}

impl Nodes {
    async fn start(kind: Kind) -> Self {
        let database = TestDatabase::new().await;
        let limits = async || Limits::new(kind, database.connect().await, &[7; 32]);
        Self {
            one: limits().await,
            other: limits().await,
            _database: database,
        }
    }
}

fn attempt(address: [u8; 4], email: &str) -> Attempt {
    Attempt {
        address: IpAddr::from(address),
        tenant: "default".to_owned(),
        email: email.to_owned(),
        shown: Shown::Nothing,
    }
}

fn on_device(address: [u8; 4], email: &str, device: u128) -> Attempt {
    Attempt {
        shown: Shown::Device(Uuid::from_u128(device)),
        ..attempt(address, email)
    }
}

/// Whether the attempt is admitted; it then fails.
async fn fails(limits: &Limits, attempt: &Attempt, now: DateTime<Utc>) -> bool {
    let Ok(admission) = limits.admit(attempt, now).await else {
        return false;
    };
    admission.counts().await.unwrap();
    true
}

async fn waits(limits: &Limits, attempt: &Attempt, now: DateTime<Utc>) -> bool {
    let admitted = limits.admit(attempt, now).await;
    let Ok(mut admission) = admitted else { return true };
    let counted = std::mem::take(&mut admission.counted);
    settle(&admission.pool, &counted, Some(admission.lease()), &[])
        .await
        .unwrap();
    false
}

#[tokio::test]
async fn all_known_devices_of_an_account_together_have_a_limit_that_no_success_resets() {
    let nodes = Nodes::start(Kind::SecondFactor).await;
    let now = Utc::now();
    let address = [10, 0, 0, 1];
    for device in 0..2 {
        for _ in 0..5 {
            assert!(fails(&nodes.one, &on_device(address, "ana@x.test", device), now).await);
        }
    }
    assert!(waits(&nodes.other, &on_device(address, "ana@x.test", 2), now).await);
    nodes.one.forget(&on_device(address, "ana@x.test", 0)).await.unwrap();
    assert!(waits(&nodes.other, &on_device(address, "ana@x.test", 0), now).await);
    // Neither strangers nor another account wait for them.
    assert!(!waits(&nodes.one, &attempt(address, "ana@x.test"), now).await);
    assert!(!waits(&nodes.one, &on_device(address, "eva@x.test", 0), now).await);
    assert!(!waits(&nodes.one, &on_device(address, "ana@x.test", 2), now + WINDOW).await);
}

#[tokio::test]
async fn ten_failures_from_one_address_on_two_nodes_make_the_account_wait_there_on_both() {
    let nodes = Nodes::start(Kind::Login).await;
    let now = Utc::now();
    let guesser = attempt([10, 0, 0, 1], "a@b.cu");
    for number in 0..FAILURES.account_and_address {
        let node = if number % 2 == 0 { &nodes.one } else { &nodes.other };
        assert!(fails(node, &guesser, now).await, "{number}");
    }
    for node in [&nodes.one, &nodes.other] {
        assert_eq!(node.admit(&guesser, now).await.unwrap_err().code(), "too_many_attempts");
        assert!(!waits(node, &attempt([10, 0, 0, 1], "c@b.cu"), now).await);
        assert!(!waits(node, &attempt([10, 0, 0, 2], "a@b.cu"), now).await);
    }
    assert!(!waits(&nodes.one, &guesser, now + WINDOW).await);
}

#[tokio::test]
async fn guesses_at_many_accounts_make_their_address_wait_and_no_other() {
    for (kind, allowance) in [
        (Kind::Login, FAILURES),
        (Kind::Code, FAILURES),
        (Kind::SecondFactor, CODES),
        (Kind::Mail, MAILS),
    ] {
        let nodes = Nodes::start(kind).await;
        let now = Utc::now();
        let at = |host: u8, account: u32| attempt([10, 0, 0, host], &format!("{account}@b.cu"));
        for account in 0..allowance.address {
            assert!(fails(&nodes.one, &at(1, account), now).await, "{kind:?} {account}");
        }
        assert!(waits(&nodes.other, &at(1, allowance.address), now).await, "{kind:?}");
        assert!(!waits(&nodes.other, &at(2, allowance.address), now).await, "{kind:?}");
    }
}

#[tokio::test]
async fn a_distributed_guess_makes_strangers_wait_and_not_the_account_s_own_device() {
    let nodes = Nodes::start(Kind::Login).await;
    let now = Utc::now();
    for host in 0..FAILURES.account {
        let host = u8::try_from(host).unwrap();
        assert!(fails(&nodes.one, &attempt([10, 0, 0, host], "a@b.cu"), now).await);
    }
    assert!(waits(&nodes.other, &attempt([10, 0, 1, 1], "a@b.cu"), now).await);
    let own = on_device([10, 0, 1, 1], "a@b.cu", 1);
    assert!(!waits(&nodes.other, &own, now).await);
    for _ in 0..FAILURES.known {
        assert!(fails(&nodes.other, &own, now).await);
    }
    assert!(waits(&nodes.one, &own, now).await, "a device has a budget too");
    assert!(!waits(&nodes.one, &on_device([10, 0, 1, 1], "a@b.cu", 2), now).await);
}

#[tokio::test]
async fn forty_accounts_behind_one_address_get_mails_and_one_mailbox_is_not_flooded() {
    let nodes = Nodes::start(Kind::Mail).await;
    let now = Utc::now();
    for clerk in 0..40 {
        let clerk = attempt([10, 0, 0, 1], &format!("clerk{clerk}@b.cu"));
        assert!(fails(&nodes.one, &clerk, now).await);
    }
    for host in 0..MAILS.account {
        let host = u8::try_from(host).unwrap();
        assert!(fails(&nodes.other, &attempt([10, 0, 1, host], "a@b.cu"), now).await);
    }
    assert!(waits(&nodes.one, &attempt([10, 0, 0, 1], "a@b.cu"), now).await);
}

#[tokio::test]
async fn a_success_forgets_the_failures_of_its_account_at_its_address() {
    let nodes = Nodes::start(Kind::Login).await;
    let now = Utc::now();
    let owner = attempt([10, 0, 0, 1], "a@b.cu");
    for _ in 0..FAILURES.account_and_address - 1 {
        assert!(fails(&nodes.one, &owner, now).await);
    }
    let admission = nodes.one.admit(&owner, now).await.unwrap();
    admission.succeeded().await.unwrap();
    for _ in 0..FAILURES.account_and_address {
        assert!(fails(&nodes.other, &owner, now).await);
    }
    assert!(waits(&nodes.one, &owner, now).await);
}

#[tokio::test]
async fn concurrent_attempts_count_and_aborted_ones_are_refunded() {
    let nodes = Nodes::start(Kind::Login).await;
    let now = Utc::now();
    let guesser = attempt([10, 0, 0, 1], "a@b.cu");
    let tries = (0..3 * FAILURES.account_and_address).map(|number| {
        let node = if number % 2 == 0 { &nodes.one } else { &nodes.other };
        node.admit(&guesser, now)
    });
    let admitted: Vec<_> = futures::future::join_all(tries).await.into_iter().flatten().collect();
    assert_eq!(admitted.len(), FAILURES.account_and_address as usize);
    assert!(waits(&nodes.one, &guesser, now).await);
    drop(admitted);
    let deadline = std::time::Instant::now() + StdDuration::from_secs(10);
    while waits(&nodes.one, &guesser, now).await {
        assert!(std::time::Instant::now() < deadline, "aborted attempts are refunded");
        tokio::time::sleep(StdDuration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn attempts_under_way_on_a_node_that_is_killed_count_no_longer_than_a_login_may_take() {
    let nodes = Nodes::start(Kind::Login).await;
    let now = Utc::now();
    let owner = attempt([10, 0, 0, 1], "a@b.cu");
    for _ in 0..FAILURES.account_and_address {
        // Like a killed process: nothing settles the attempt.
        std::mem::forget(nodes.one.admit(&owner, now).await.unwrap());
    }
    let refused = nodes.other.admit(&owner, now + LEASE / 2).await.unwrap_err();
    assert_eq!(
        refused.code(),
        "too_many_attempts",
        "they count while they are under way"
    );
    assert!(!waits(&nodes.other, &owner, now + LEASE).await);
    for _ in 0..FAILURES.account_and_address {
        assert!(
            fails(&nodes.other, &owner, now + LEASE).await,
            "and leave nothing behind"
        );
    }
    assert!(waits(&nodes.other, &owner, now + LEASE + LEASE).await, "failures stay");
}

#[tokio::test]
async fn nodes_of_before_count_what_they_admit_until_they_take_it_back() {
    let nodes = Nodes::start(Kind::Login).await;
    let (now, owner) = (Utc::now(), attempt([10, 0, 0, 1], "a@b.cu"));
    let subjects = vec![nodes.one.on_account_and_address(&owner)];
    let pool = nodes.one.database.pool();
    for _ in 0..FAILURES.account_and_address {
        sqlx::query("SELECT journal.admit_attempt($1, $2, $3, $4)")
            .bind(&subjects)
            .bind(vec![10_i32])
            .bind(now)
            .bind(now + WINDOW)
            .execute(pool)
            .await
            .unwrap();
    }
    assert!(waits(&nodes.other, &owner, now + LEASE).await);
    sqlx::query("SELECT journal.settle_attempt($1, $2)")
        .bind(&subjects)
        .bind(Vec::<Subject>::new())
        .execute(pool)
        .await
        .unwrap();
    assert!(!waits(&nodes.other, &owner, now + LEASE).await);
}

#[tokio::test]
async fn the_table_keeps_one_window_of_attempts_and_names_nobody() {
    let nodes = Nodes::start(Kind::Login).await;
    let now = Utc::now();
    for number in 0..100 {
        let stranger = attempt([10, 0, 0, number], &format!("{number}@b.cu"));
        assert!(fails(&nodes.one, &stranger, now).await);
    }
    for number in 0..60 {
        let later = now + WINDOW + Duration::seconds(number);
        assert!(fails(&nodes.one, &attempt([10, 0, 0, 1], "a@b.cu"), later).await || number >= 10);
        assert!(
            fails(
                &nodes.one,
                &attempt([10, 1, 0, 1], &format!("later{number}@b.cu")),
                later
            )
            .await
        );
    }
    let mut transaction = nodes.one.database.begin_read("default").await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', '*', true)")
        .execute(&mut *transaction)
        .await
        .unwrap();
    let (rows, old): (i64, i64) =
        sqlx::query_as("SELECT count(*), count(*) FILTER (WHERE until <= $1) FROM journal.attempts")
            .bind(now + WINDOW)
            .fetch_one(&mut *transaction)
            .await
            .unwrap();
    assert_eq!(old, 0);
    assert!(rows < 130, "{rows}");
}
