//! Guarantees of a tenant's writer to its callers.

mod keys;
mod races;

use crate::common::{Office, currency, deposit, party_stream, refused, register, submission, tenant, with_credential};
use caudal_domain::{
    Actor, Command,
    ids::{CurrencyId, PartyId},
    money::CurrencyCode,
    movement::DepositTo,
    party::{ChangeParty, PartyCommand, PartyDetails, Registration},
};
use caudal_journal::{Clock, Journal, JournalError, KeyError, Keyring, RETRY_AFTER, SubmitError, SystemClock};
use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_command_on_an_outdated_record_is_refused() {
    let office = Office::open().await;
    let agency = PartyId::generate();
    office
        .manage(register(
            agency,
            Registration::Agency { terms: vec![] },
            "Agency",
            "a@example.test",
        ))
        .await
        .unwrap();
    let rename = |name: &str, as_of| {
        let details = PartyDetails {
            name: name.into(),
            email: "a@example.test".into(),
            ..PartyDetails::default()
        };
        let change = PartyCommand::Change(ChangeParty {
            details,
            is_active: None,
            territory: None,
            known: None,
            sets_password: false,
        });
        let command = Command::Party(agency, change);
        let mut submission = submission(Actor::Party(office.manager), command);
        submission.as_of = Some(as_of);
        submission
    };
    let read = office.journal.head(&office.tenant).await.unwrap().position;
    // Two commands in one batch read the same version: the second has not seen the first.
    let (first, second) = tokio::join!(
        office.journal.submit(&office.tenant, rename("First", read)),
        office.journal.submit(&office.tenant, rename("Second", read)),
    );
    let first = first.unwrap();
    assert!(matches!(second, Err(SubmitError::Changed)), "{second:?}");
    // A node that reads the stream from the log refuses as well.
    let node = office.another_node().await;
    let third = node.submit(&office.tenant, rename("Third", read)).await;
    assert!(matches!(third, Err(SubmitError::Changed)), "{third:?}");
    // Events of other streams do not conflict, and a caller that has seen the change may make another.
    office.deposit(100).await.unwrap();
    let fourth = node.submit(&office.tenant, rename("Fourth", first.position)).await;
    assert_eq!(fourth.unwrap().position, first.position + 2);
    // The first node reads the change when it catches up.
    let fifth = office
        .journal
        .submit(&office.tenant, rename("Fifth", first.position + 1))
        .await;
    assert!(matches!(fifth, Err(SubmitError::Changed)), "{fifth:?}");
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_commands_change_nothing() {
    let office = Office::open().await;
    let (head, state) = (office.journal.head(&office.tenant).await.unwrap(), office.state().await);
    assert_eq!(
        refused(office.manage(currency(CurrencyId::generate(), CurrencyCode::USD)).await),
        "currency_code_taken"
    );
    assert_eq!(
        refused(
            office
                .manage(Command::Party(PartyId::generate(), PartyCommand::Deactivate))
                .await
        ),
        "party_not_found"
    );
    let refusals = join_all((0..30).map(|_| office.manage(office.cash_out(100)))).await;
    assert!(refusals.into_iter().all(|result| result.is_err()));
    assert_eq!(office.journal.head(&office.tenant).await.unwrap(), head);
    assert_eq!(office.state().await, state);
    let mut owner = office.owner().await;
    let idempotency_records: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.receipts")
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert_eq!(idempotency_records, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_is_stored_atomically_with_its_party() {
    let office = Office::open().await;
    let (eva, other) = (PartyId::generate(), PartyId::generate());
    let manager = Actor::Party(office.manager);
    let command = register(eva, Registration::Manager, "Eva", "Eva@Example.com");
    let registered = with_credential(submission(manager, command), eva, "hash-1");
    office.journal.submit(&office.tenant, registered).await.unwrap();
    let command = register(other, Registration::Manager, "Other", "eva@example.com");
    let taken = with_credential(submission(manager, command), other, "hash-2");
    assert_eq!(
        refused(office.journal.submit(&office.tenant, taken).await),
        "email_taken"
    );

    let found = office
        .journal
        .credential_by_email(&office.tenant, " EVA@example.com ")
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.party, found.hash.as_str()), (eva, "hash-1"));
    assert!(
        office
            .journal
            .credential(&office.tenant, other)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        office
            .journal
            .credential_by_email(&office.tenant, "nobody@example.com")
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        office
            .journal
            .credential_by_email(&tenant("another"), "eva@example.com")
            .await
            .unwrap()
            .is_none()
    );

    office
        .journal
        .replace_credential(&office.tenant, eva, "hash-3")
        .await
        .unwrap();
    let replaced = office.journal.credential(&office.tenant, eva).await.unwrap().unwrap();
    assert_eq!(replaced.hash, "hash-3");
    assert!(replaced.set_at > found.set_at);
}

#[tokio::test(flavor = "multi_thread")]
async fn event_metadata_has_actor_role_and_request() {
    let office = Office::open().await;
    let asked = submission(Actor::Party(office.manager), deposit(DepositTo::Treasury, 100));
    let request = asked.request_id.to_string();
    office.journal.submit(&office.tenant, asked).await.unwrap();
    let log = office.log().await;
    let (first, last) = (&log[0].metadata, &log[log.len() - 1].metadata);
    assert_eq!((first.actor.as_str(), first.role.as_str()), ("system", "system"));
    assert_eq!(
        (&last.actor, last.role.as_str(), &last.request),
        (&office.manager.to_string(), "manager", &request)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_request_does_not_cancel_its_command() {
    let office = Office::open().await;
    let before = office.journal.head(&office.tenant).await.unwrap().position;
    let mut submit = Box::pin(office.deposit(100));
    assert!(futures::poll!(submit.as_mut()).is_pending(), "sent, not yet answered");
    drop(submit);
    // The writer works in order: a later command is answered after it.
    office.deposit(100).await.unwrap();
    assert_eq!(office.journal.head(&office.tenant).await.unwrap().position, before + 2);
    office.check().await;
}

/// A clock set by the test.
struct Hand(Mutex<DateTime<Utc>>);

impl Clock for Hand {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_back_does_not_decrease_the_logs_time() {
    let start = DateTime::from_timestamp(1_750_000_000, 123_456_789).unwrap();
    let clock = Arc::new(Hand(Mutex::new(start)));
    let office = Office::open_with(clock.clone()).await;
    let times = async |office: &Office| office.log().await.pop().unwrap().recorded_at;
    let whole_microseconds = DateTime::from_timestamp_micros(start.timestamp_micros()).unwrap();
    assert_eq!(times(&office).await, whole_microseconds);
    *clock.0.lock().unwrap() = start + TimeDelta::hours(1);
    office.deposit(1).await.unwrap();
    *clock.0.lock().unwrap() = start - TimeDelta::hours(1);
    office.deposit(1).await.unwrap();
    assert_eq!(times(&office).await, whole_microseconds + TimeDelta::hours(1));
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tenants_are_created_once_and_isolated_from_each_other() {
    let office = Office::open().await;
    let other = tenant("another");
    office.journal.create_tenant(&other).await.unwrap();
    let again = office.journal.create_tenant(&other).await;
    assert!(matches!(again, Err(JournalError::TenantExists(id)) if id == other));
    assert_eq!(
        office.journal.tenants().await.unwrap(),
        [other.clone(), office.tenant.clone()]
    );

    // The same e-mail address and the same key are free in another tenant.
    let eva = PartyId::generate();
    let command = register(eva, Registration::Manager, "Eva", "ana@example.com");
    let committed = office
        .journal
        .submit(&other, submission(Actor::System, command))
        .await
        .unwrap();
    assert_eq!(committed.position, 1);
    assert_eq!(office.journal.head(&other).await.unwrap().position, 1);
    assert!(
        office
            .journal
            .stream_events(&office.tenant, party_stream(eva), 0, 10)
            .await
            .unwrap()
            .is_empty()
    );

    let nowhere = tenant("nowhere");
    let unknown = office
        .journal
        .submit(&nowhere, submission(Actor::System, deposit(DepositTo::Treasury, 1)))
        .await;
    assert!(matches!(unknown, Err(SubmitError::UnknownTenant)), "{unknown:?}");
    assert!(matches!(
        office.journal.head(&nowhere).await,
        Err(JournalError::UnknownTenant(_))
    ));
    // The tenant is known once it is created.
    office.journal.create_tenant(&nowhere).await.unwrap();
    let command = register(PartyId::generate(), Registration::Manager, "Eva", "eva@example.com");
    assert!(
        office
            .journal
            .submit(&nowhere, submission(Actor::System, command))
            .await
            .is_ok()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_answers_accepted_commands_and_refuses_new_ones() {
    let office = Office::open().await;
    let submits: Vec<_> = (0..40)
        .map(|_| {
            let (journal, tenant) = (office.journal.clone(), office.tenant.clone());
            let asked = submission(Actor::Party(office.manager), deposit(DepositTo::Treasury, 1));
            tokio::spawn(async move { journal.submit(&tenant, asked).await })
        })
        .collect();
    tokio::task::yield_now().await;
    office.journal.close().await;
    let late = office.deposit(1).await;
    let unavailable = |result: &Result<_, SubmitError>| {
        matches!(
            result,
            Err(SubmitError::Unavailable {
                retry_after: RETRY_AFTER,
                ..
            })
        )
    };
    assert!(unavailable(&late), "{late:?}");
    let mut accepted = 0;
    for submit in submits {
        let result = submit.await.unwrap();
        assert!(result.is_ok() || unavailable(&result), "{result:?}");
        accepted += i64::from(result.is_ok());
    }
    let node = office.another_node().await;
    assert_eq!(node.head(&office.tenant).await.unwrap().position, 4 + accepted);
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_receive_the_committed_position() {
    let office = Office::open().await;
    let mut follower = office.journal.subscribe(&office.tenant);
    let committed = office.deposit(1).await.unwrap();
    follower.changed().await.unwrap();
    assert_eq!(*follower.borrow_and_update(), committed.position);
}

#[tokio::test(flavor = "multi_thread")]
async fn linked_nodes_notify_each_other_of_committed_positions() {
    let office = Office::open().await;
    let node = office.another_node().await;
    office.journal.link_nodes();
    node.link_nodes();
    let mut follower = node.subscribe(&office.tenant);
    // Commits before the other node listens are found by its poll.
    let heard = async {
        loop {
            let committed = office.deposit(1).await.unwrap();
            if tokio::time::timeout(Duration::from_millis(200), follower.changed())
                .await
                .is_ok()
            {
                return (committed.position, *follower.borrow_and_update());
            }
        }
    };
    let (committed, heard) = tokio::time::timeout(Duration::from_secs(20), heard).await.unwrap();
    assert!(heard <= committed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_refused_by_postgresql_does_not_fail_its_batch() {
    let office = Office::open().await;
    sqlx::raw_sql(
        "CREATE FUNCTION journal.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE check_violation USING MESSAGE = 'not this one'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT ON journal.events FOR EACH ROW
         WHEN (NEW.payload::text LIKE '%6.66%') EXECUTE FUNCTION journal.refuse()",
    )
    .execute(&mut office.owner().await)
    .await
    .unwrap();
    let results = join_all((660..=670).map(|cents| office.deposit(cents))).await;
    for (cents, result) in (660..=670).zip(results) {
        match result {
            Ok(_) => assert_ne!(cents, 666),
            Err(error) => assert!(
                cents == 666 && matches!(error, SubmitError::Failed(_)),
                "{cents}: {error}"
            ),
        }
    }
    assert_eq!(office.journal.head(&office.tenant).await.unwrap().position, 4 + 10);
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_with_another_key_file_is_refused() {
    let office = Office::open().await;
    let other = Keyring::generate().unwrap();
    let opened = Journal::open(office.database.connect().await, other, Arc::new(SystemClock)).await;
    assert!(matches!(
        opened.err(),
        Some(JournalError::Keys(KeyError::OtherDatabase))
    ));
}
