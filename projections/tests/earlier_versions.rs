//! Logs with earlier event versions, which are not written any more, are read like current ones.

use crate::common::Office;
use caudal_domain::{
    Event,
    ids::{PartyId, RemittanceId, TenantId},
    party::{Registration, Territory},
    remittance::{AssignDealer, RemittanceCommand, RemittanceEvent},
};
use caudal_journal::{ArchiveReader, Journal, Keyring, LogPoint, People, StoredEvent, SystemClock, verify_file};
use caudal_postgres_testing::TestDatabase;
use caudal_projections::{Projector, rebuild::Rebuild, verify};
use sqlx::{Connection as _, PgConnection};
use std::{path::Path, process::Command, sync::Arc};

const ASSIGNED: &str = "RemittanceAssigned";

/// A remittance moved between dealers, into error and back; in shipping with the first dealer at the end.
async fn handed_around(office: &Office, other: PartyId) -> RemittanceId {
    let territory = Territory::default();
    office
        .register(other, Registration::Dealer { territory }, "Otilia Otra")
        .await;
    let delivery = caudal_domain::remittance::DeliveryChoice::Home;
    let id = office.sell(office.agency, "100.00", delivery).await;
    let to = |dealer, delivery_man| RemittanceCommand::Assign(AssignDealer { dealer, delivery_man });
    let reason = "No estaba".to_owned();
    for command in [
        to(other, None),
        to(office.dealer, None),
        to(office.dealer, Some(office.delivery_man)),
        RemittanceCommand::MarkError { reason },
        to(office.dealer, None),
    ] {
        office.remit(office.manager, id, command).await;
    }
    id
}

/// An event in version 1 of its type; unchanged where version 1 is current.
fn as_version_1(mut event: StoredEvent) -> StoredEvent {
    if event.event_type == ASSIGNED {
        let mut payload: serde_json::Map<_, _> = serde_json::from_str(&event.payload).unwrap();
        payload.remove("previousDealer");
        event.payload = serde_json::to_string(&payload).unwrap();
        event.event_version = "1".to_owned();
    }
    event
}

/// Rewrites the log with the events in version 1, chained accordingly.
async fn as_an_older_caudal_wrote_it(office: &Office) {
    let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(office.tenant.as_str())
        .execute(&mut owner)
        .await
        .unwrap();
    let head = office.journal.head(&office.tenant).await.unwrap();
    let mut previous = None;
    for position in 1..=head.position {
        let (before, stored) = office.journal.stored(&office.tenant, position).await.unwrap().unwrap();
        let mut event = as_version_1(stored);
        let hash = event
            .expected_hash(&office.tenant, &previous.unwrap_or(before))
            .unwrap();
        event.hash = Some(hash);
        previous = Some(hash);
        sqlx::query("UPDATE journal.events SET event_version = $2, payload = $3::json, hash = $4 WHERE position = $1")
            .bind(position)
            .bind(&event.event_version)
            .bind(&event.payload)
            .bind(hash)
            .execute(&mut owner)
            .await
            .unwrap();
    }
    let end = LogPoint {
        position: head.position,
        hash: previous.unwrap(),
    };
    let mac = office.journal.row_macs().head(&office.tenant, end, head.recorded_at);
    sqlx::query("UPDATE journal.heads SET hash = $1, mac = $2")
        .bind(previous)
        .bind(mac)
        .execute(&mut owner)
        .await
        .unwrap();
}

/// The assignments of a log: stored version, and previous dealer.
async fn assignments(journal: &Journal, tenant: &TenantId) -> Vec<(String, Option<PartyId>)> {
    let mut found = Vec::new();
    for recorded in journal.events_after(tenant, 0, 10_000).await.unwrap() {
        if let Event::Remittance(RemittanceEvent::RemittanceAssigned(assigned)) = recorded.event {
            let (_, stored) = journal.stored(tenant, recorded.position).await.unwrap().unwrap();
            found.push((stored.event_version, assigned.previous_dealer));
        }
    }
    found
}

/// Another node with empty caches, on the same database.
async fn node(database: &TestDatabase, keyring: &Keyring) -> (caudal_postgres::Database, Journal) {
    let connected = database.connect().await;
    let journal = Journal::open(connected.clone(), keyring.clone(), Arc::new(SystemClock));
    (connected, journal.await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_of_earlier_versions_can_be_loaded_replayed_verified_rebuilt_and_moved() {
    let mut office = Office::open().await;
    office.fund().await;
    let other = PartyId::generate();
    let id = handed_around(&office, other).await;
    let state = office.state().await;
    as_an_older_caudal_wrote_it(&office).await;
    let (database, journal) = node(&office.database, &office.keyring).await;
    let tenant = office.tenant.clone();
    let version_1 = |from| ("1".to_owned(), from);
    let mut expected = vec![
        version_1(None),
        version_1(Some(other)),
        version_1(Some(office.dealer)),
        version_1(None),
    ];
    assert_eq!(assignments(&journal, &tenant).await, expected);

    // Replay: the same books, and read models with the previous dealers.
    assert_eq!(journal.state(&tenant).await.unwrap().0, state);
    let projector = Projector::new(database.clone(), journal.clone());
    projector.catch_up(&tenant).await.unwrap();

    // Load: commands are decided on it, and written in the current version.
    (office.journal, office.node) = (journal.clone(), database.clone());
    let again = AssignDealer {
        dealer: other,
        delivery_man: None,
    };
    office.remit(office.manager, id, RemittanceCommand::Assign(again)).await;
    expected.push(("2".to_owned(), Some(office.dealer)));
    assert_eq!(assignments(&journal, &tenant).await, expected);
    office.complete(office.manager, id).await;
    projector.catch_up(&tenant).await.unwrap();

    // Verify and rebuild leave the log unchanged.
    let verification = journal.verify(&tenant, &[], |_, _| {}).await.unwrap();
    assert!(verification.is_whole(), "{verification:?}");
    let replayed = verify::replay(&database, &journal, &tenant, |_, _| {}).await.unwrap();
    assert_eq!(replayed, []);
    let rebuild = Rebuild::begin(office.database.url(), &database, &journal)
        .await
        .unwrap();
    let rebuilt = rebuild.run(|_| {}).await.unwrap();
    assert_eq!(rebuilt[0].differences, Some(Vec::new()), "{rebuilt:?}");

    // Move: export, verification by Caudal and by a verifier that ignores versions, and import elsewhere.
    let mut file = Vec::new();
    let exported = journal.export(&tenant, &mut file, |_, _| {}).await.unwrap();
    let archive = || ArchiveReader::open(file.as_slice()).unwrap();
    assert!(verify_file(archive(), &[], |_, _| {}).unwrap().is_whole());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, &file).unwrap();
    let independent = Path::new(env!("CARGO_MANIFEST_DIR")).join("../journal/tests/independent/verify_log.py");
    let said = Command::new("python3").arg(independent).arg(&path).output().unwrap();
    assert!(said.status.success(), "{said:?}");
    let (sealed, secret) = exported.people.encrypt(&tenant, &exported.end).unwrap();
    let people = People::open(&sealed, &secret, &tenant, &exported.end).unwrap();
    let there = TestDatabase::new().await;
    let (database, imported) = node(&there, &Keyring::generate().unwrap()).await;
    imported.import(archive(), Some(&people), |_, _| {}).await.unwrap();
    assert_eq!(imported.head(&tenant).await.unwrap().hash, exported.end.hash);
    assert_eq!(assignments(&imported, &tenant).await, expected);
    assert!(imported.verify(&tenant, &[], |_, _| {}).await.unwrap().is_whole());
    let projector = Projector::new(database.clone(), imported.clone());
    projector.catch_up(&tenant).await.unwrap();
    let replayed = verify::replay(&database, &imported, &tenant, |_, _| {}).await.unwrap();
    assert_eq!(replayed, []);
}
