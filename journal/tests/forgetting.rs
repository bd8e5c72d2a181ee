//! Forgetting a person: every node drops the key with the event, and the chain still verifies.

use crate::common::{self, Office, party_stream, refused, register, submission, with_credential};
use caudal_domain::{
    Actor, Command, Event,
    erasure::Forget,
    ids::PartyId,
    party::{ChangeParty, PartyCommand, PartyDetails, PartyEvent, Registration, Territory},
};
use caudal_journal::{ArchiveReader, Journal, Keyring, People, SystemClock};
use caudal_postgres_testing::TestDatabase;
use sqlx::Row as _;
use std::sync::Arc;

const NAME: &str = "Eva Olvidada";
const EMAIL: &str = "eva@example.com";

async fn eva(office: &Office) -> PartyId {
    let eva = PartyId::generate();
    let registration = Registration::Dealer {
        territory: Territory::default(),
    };
    let registered = with_credential(
        submission(Actor::Party(office.manager), register(eva, registration, NAME, EMAIL)),
        eva,
        "$argon2id$made-up",
    );
    office.journal.submit(&office.tenant, registered).await.unwrap();
    eva
}

fn forget(id: PartyId) -> Command {
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    Command::Party(id, PartyCommand::Forget(order))
}

fn rename(id: PartyId) -> Command {
    let change = ChangeParty {
        details: PartyDetails {
            name: "Eva Recordada".into(),
            email: "otra@example.com".into(),
            ..PartyDetails::default()
        },
        known: None,
        sets_password: false,
        is_active: None,
        territory: None,
    };
    Command::Party(id, PartyCommand::Change(change))
}

async fn name(journal: &Journal, office: &Office, id: PartyId) -> Option<String> {
    let events = journal
        .stream_events(&office.tenant, party_stream(id), 0, 10)
        .await
        .unwrap();
    events.iter().find_map(|recorded| match &recorded.event {
        Event::Party(PartyEvent::PartyRegistered(event)) => event.personal.get().map(|details| details.name.clone()),
        _ => None,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_forgetting_event_removes_key_and_login_and_the_chain_still_verifies() {
    let office = Office::open().await;
    let eva = eva(&office).await;
    assert_eq!(name(&office.journal, &office, eva).await.as_deref(), Some(NAME));
    let before = office.journal.head(&office.tenant).await.unwrap().position;
    office.manage(forget(eva)).await.unwrap();
    assert_eq!(name(&office.journal, &office, eva).await, None);
    let mut owner = office.owner().await;
    let key = sqlx::query("SELECT master, wrapped, forgotten_at FROM journal.subject_keys WHERE subject = $1")
        .bind(eva.0)
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert_eq!(key.get::<Option<Vec<u8>>, _>("wrapped"), None);
    assert_eq!(key.get::<Option<String>, _>("master"), None);
    assert!(
        key.get::<Option<chrono::DateTime<chrono::Utc>>, _>("forgotten_at")
            .is_some()
    );
    assert!(office.journal.credential(&office.tenant, eva).await.unwrap().is_none());
    let by_email = office.journal.credential_by_email(&office.tenant, EMAIL).await;
    assert!(by_email.unwrap().is_none());
    // A repetition succeeds without effect.
    office.manage(forget(eva)).await.unwrap();
    assert_eq!(office.journal.head(&office.tenant).await.unwrap().position, before + 1);
    office.check().await;
    // The address is available to another account.
    let registration = Registration::Dealer {
        territory: Territory::default(),
    };
    let again = register(PartyId::generate(), registration, "Otra Eva", EMAIL);
    office.manage(again).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_node_drops_the_key_and_refuses_events_about_the_person() {
    let office = Office::open().await;
    let eva = eva(&office).await;
    let node = office.another_node().await;
    assert_eq!(name(&node, &office, eva).await.as_deref(), Some(NAME));
    node.state(&office.tenant).await.unwrap();
    office.manage(forget(eva)).await.unwrap();
    let rename = submission(Actor::Party(office.manager), rename(eva));
    assert_eq!(refused(node.submit(&office.tenant, rename).await), "person_forgotten");
    assert_eq!(name(&node, &office, eva).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_knows_the_key_reads_nothing_of_the_person_once_another_node_has_forgotten_it() {
    let office = Office::open().await;
    let eva = eva(&office).await;
    let node = office.another_node().await;
    let before = office.journal.head(&office.tenant).await.unwrap().position;
    // A page that ends before the forgetting event.
    let page = async || {
        let events = node.events_after(&office.tenant, 0, before).await.unwrap();
        let registered = events.into_iter().find_map(|recorded| match recorded.event {
            Event::Party(PartyEvent::PartyRegistered(event)) if event.party.id == eva => Some(event),
            _ => None,
        });
        registered.unwrap().personal.get().map(|details| details.name.clone())
    };
    assert_eq!(page().await.as_deref(), Some(NAME));
    office.manage(forget(eva)).await.unwrap();
    assert_eq!(page().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_after_the_forgetting_in_one_batch_are_refused() {
    let office = Arc::new(Office::open().await);
    let eva = eva(&office).await;
    // While the writer is blocked, both commands queue for its next batch in the order in which they were sent.
    let mut owner = office.owner().await;
    let mut hold = sqlx::Connection::begin(&mut owner).await.unwrap();
    sqlx::query("SELECT 1 FROM journal.heads FOR UPDATE")
        .execute(&mut *hold)
        .await
        .unwrap();
    let send = |command: Command| {
        let office = office.clone();
        tokio::spawn(async move { office.manage(command).await })
    };
    let first = send(common::deposit(caudal_domain::movement::DepositTo::Treasury, 1_00));
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let forgetting = send(forget(eva));
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let renaming = send(rename(eva));
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    hold.rollback().await.unwrap();
    first.await.unwrap().unwrap();
    forgetting.await.unwrap().unwrap();
    assert_eq!(refused(renaming.await.unwrap()), "person_forgotten");
    assert_eq!(name(&office.journal, &office, eva).await, None);
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_file_of_people_does_not_restore_a_forgotten_person() {
    let office = Office::open().await;
    let eva = eva(&office).await;
    let mut file = Vec::new();
    let before = office
        .journal
        .export(&office.tenant, &mut file, |_, _| {})
        .await
        .unwrap();
    assert_eq!(name(&office.journal, &office, eva).await.as_deref(), Some(NAME));
    office.manage(forget(eva)).await.unwrap();
    let mut file = Vec::new();
    office
        .journal
        .export(&office.tenant, &mut file, |_, _| {})
        .await
        .unwrap();
    let database = TestDatabase::new().await;
    let elsewhere = Journal::open(
        database.connect().await,
        Keyring::generate().unwrap(),
        Arc::new(SystemClock),
    )
    .await
    .unwrap();
    let people: &People = &before.people;
    let reader = ArchiveReader::open(file.as_slice()).unwrap();
    elsewhere.import(reader, Some(people), |_, _| {}).await.unwrap();
    assert_eq!(name(&elsewhere, &office, eva).await, None);
    assert!(name(&elsewhere, &office, office.manager).await.is_some());
    assert!(elsewhere.credential(&office.tenant, eva).await.unwrap().is_none());
}
