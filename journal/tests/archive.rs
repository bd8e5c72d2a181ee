//! A log as a file: another installation imports it with the same chain, completely or not at all.

use crate::common::proxy::{Loss, Proxy};
use crate::common::{self, Office, deposit, elsewhere, register, submission, with_credential};
use caudal_domain::{
    Actor, Command, Event,
    ids::PartyId,
    movement::{DepositTo, MovementCommand},
    party::{ChangeParty, PartyCommand, PartyDetails, PartyEvent, Registration, Territory},
};
use caudal_journal::{
    ArchiveError, ArchiveReader, ExportError, Fault, ImportError, Journal, JournalError, Keyring, People, PeopleError,
    SystemClock, TransferSecret, verify_file,
};
use caudal_postgres::{Database, Options};
use caudal_postgres_testing::TestDatabase;
use sqlx::Row as _;
use std::sync::Arc;

/// A business with names, a renamed party, a password and a note.
async fn busy() -> Office {
    let office = Office::open().await;
    let agent = PartyId::generate();
    let registration = Registration::ExternalAgent {
        agency: None,
        terms: Vec::new(),
    };
    let command = register(agent, registration, "Ágata Agent", "Agata@Example.com");
    let submitted = with_credential(
        submission(Actor::Party(office.manager), command),
        agent,
        "$argon2id$made-up",
    );
    office.journal.submit(&office.tenant, submitted).await.unwrap();
    let change = ChangeParty {
        details: PartyDetails {
            name: "Ágata Agente".into(),
            email: "agata.agente@example.com".into(),
            ..PartyDetails::default()
        },
        known: None,
        sets_password: false,
        is_active: None,
        territory: None,
    };
    office
        .manage(Command::Party(agent, PartyCommand::Change(change)))
        .await
        .unwrap();
    for cents in 1..=20 {
        let mut command = deposit(DepositTo::Treasury, cents);
        if let Command::Movement(_, MovementCommand::Deposit(deposit)) = &mut command {
            deposit.note = Some(format!("note {cents}"));
        }
        office.manage(command).await.unwrap();
    }
    office
}

struct Taken {
    file: Vec<u8>,
    people: String,
    secret: TransferSecret,
}

async fn export(office: &Office) -> Taken {
    let mut file = Vec::new();
    let exported = office
        .journal
        .export(&office.tenant, &mut file, |_, _| {})
        .await
        .unwrap();
    let (people, secret) = exported.people.encrypt(&office.tenant, &exported.end).unwrap();
    Taken { file, people, secret }
}

fn people(taken: &Taken) -> People {
    let reader = ArchiveReader::open(taken.file.as_slice()).unwrap();
    let secret = TransferSecret::from_text(&taken.secret.to_text()).unwrap();
    People::open(&taken.people, &secret, reader.tenant(), reader.end()).unwrap()
}

fn reader(taken: &Taken) -> ArchiveReader<&[u8]> {
    ArchiveReader::open(taken.file.as_slice()).unwrap()
}

async fn names(journal: &Journal, office: &Office) -> Vec<Option<String>> {
    let events = journal.events_after(&office.tenant, 0, 10_000).await.unwrap();
    let named = events.iter().filter_map(|recorded| match &recorded.event {
        Event::Party(PartyEvent::PartyRegistered(event)) => Some(&event.personal),
        Event::Party(PartyEvent::PartyChanged(event)) => Some(&event.personal),
        _ => None,
    });
    named
        .map(|part| part.get().map(|details| details.name.clone()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_tenant_has_the_same_head_and_accepts_commands() {
    let office = busy().await;
    let taken = export(&office).await;
    let (_database, journal) = elsewhere().await;
    let end = journal
        .import(reader(&taken), Some(&people(&taken)), |_, _| {})
        .await
        .unwrap();
    let (here, there) = (
        office.journal.head(&office.tenant).await.unwrap(),
        journal.head(&office.tenant).await.unwrap(),
    );
    assert_eq!(
        (there.position, there.hash, there.recorded_at),
        (here.position, here.hash, here.recorded_at)
    );
    assert_eq!((end.position, end.hash), (here.position, here.hash));
    let verification = journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
    assert!(verification.is_whole(), "{verification:?}");
    // A second export yields an identical file.
    let mut again = Vec::new();
    journal.export(&office.tenant, &mut again, |_, _| {}).await.unwrap();
    assert_eq!(again, taken.file);
    // People's names, unique values and passwords are imported under the new installation's keys.
    assert_eq!(names(&journal, &office).await, names(&office.journal, &office).await);
    assert!(names(&journal, &office).await.iter().all(Option::is_some));
    let credential = journal
        .credential_by_email(&office.tenant, "AGATA.agente@example.com")
        .await
        .unwrap();
    assert_eq!(credential.unwrap().hash, "$argon2id$made-up");
    let before = journal.credential_by_email(&office.tenant, "agata@example.com").await;
    assert!(before.unwrap().is_none());
    let manager = Actor::Party(office.manager);
    let territory = Territory::default();
    let taken_email = register(
        PartyId::generate(),
        Registration::Dealer { territory },
        "Other",
        "dora@example.com",
    );
    let refused = journal.submit(&office.tenant, submission(manager, taken_email)).await;
    assert_eq!(common::refused(refused), "email_taken");
    // The imported tenant accepts commands.
    let next = deposit(DepositTo::Treasury, 5);
    let committed = journal.submit(&office.tenant, submission(manager, next)).await.unwrap();
    assert_eq!(committed.position, here.position + 1);
    assert!(journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap().is_whole());
}

#[tokio::test(flavor = "multi_thread")]
async fn unique_values_rebuilt_from_the_log_equal_those_taken_by_commands() {
    let office = busy().await;
    let taken = export(&office).await;
    // Equal keys, so that HMACs are comparable.
    let database = TestDatabase::new().await;
    let journal = Journal::open(database.connect().await, office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    journal
        .import(reader(&taken), Some(&people(&taken)), |_, _| {})
        .await
        .unwrap();
    let mut unique_values = Vec::new();
    for url in [office.database.url(), database.url()] {
        let mut owner = common::owner_of(url, &office.tenant).await;
        let rows = sqlx::query("SELECT kind, owner::text AS owner, digest FROM journal.claims ORDER BY kind, owner")
            .fetch_all(&mut owner)
            .await
            .unwrap();
        unique_values.push(
            rows.iter()
                .map(|row| {
                    let row: (String, String, Vec<u8>) = (row.get("kind"), row.get("owner"), row.get("digest"));
                    row
                })
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(unique_values[0], unique_values[1]);
    assert!(unique_values[0].len() >= 4, "{unique_values:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_imported_without_its_people_stays_encrypted() {
    let office = busy().await;
    let taken = export(&office).await;
    for secret in ["Ágata", "Ana Manager", "example.com", "note 7", "argon2"] {
        let file = String::from_utf8_lossy(&taken.file);
        assert!(!file.contains(secret), "{secret} stands in clear in the log's file");
        assert!(
            !taken.people.contains(secret),
            "{secret} stands in clear in the people's file"
        );
    }
    let (_database, journal) = elsewhere().await;
    journal.import(reader(&taken), None, |_, _| {}).await.unwrap();
    assert!(journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap().is_whole());
    assert!(names(&journal, &office).await.iter().all(Option::is_none));
    // People without a key get no new one, which could not open their encrypted data.
    let change = ChangeParty {
        details: PartyDetails {
            name: "Dora".into(),
            email: "dora@example.com".into(),
            ..PartyDetails::default()
        },
        known: None,
        sets_password: false,
        is_active: None,
        territory: None,
    };
    let change = Command::Party(office.dealer, PartyCommand::Change(change));
    journal
        .submit(&office.tenant, submission(Actor::Party(office.manager), change))
        .await
        .unwrap_err();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_complete_file_is_imported_and_only_into_an_empty_tenant() {
    let office = busy().await;
    let taken = export(&office).await;
    let (database, journal) = elsewhere().await;
    let people = people(&taken);
    // A file that is cut or changed at any line leaves nothing.
    let lines: Vec<_> = taken.file.split_inclusive(|byte| *byte == b'\n').collect();
    for end in [1, 5, lines.len() - 1] {
        let part = lines[..end].concat();
        let outcome = journal
            .import(ArchiveReader::open(part.as_slice()).unwrap(), Some(&people), |_, _| {})
            .await;
        let Err(ImportError::Archive(ArchiveError::Fault(Fault::Damaged { position, .. }))) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(position, i64::try_from(end).unwrap());
    }
    let mut changed = taken.file.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    journal
        .import(
            ArchiveReader::open(changed.as_slice()).unwrap(),
            Some(&people),
            |_, _| {},
        )
        .await
        .unwrap_err();
    let unknown = journal.head(&office.tenant).await.unwrap_err();
    assert!(matches!(unknown, JournalError::UnknownTenant(_)), "{unknown:?}");
    let mut owner = common::owner_of(database.url(), &office.tenant).await;
    for table in ["events", "heads", "subject_keys", "claims", "credentials"] {
        let count = format!("SELECT count(*) FROM journal.{table}");
        let rows: i64 = sqlx::query_scalar(&count).fetch_one(&mut owner).await.unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    // An existing empty tenant is accepted; a second import is refused.
    journal.create_tenant(&office.tenant).await.unwrap();
    journal.import(reader(&taken), Some(&people), |_, _| {}).await.unwrap();
    let again = journal.import(reader(&taken), Some(&people), |_, _| {}).await;
    assert!(matches!(again, Err(ImportError::NotEmpty(_))), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_people_opens_only_with_its_secret_and_for_its_log() {
    let office = busy().await;
    let first = export(&office).await;
    office.deposit(1).await.unwrap();
    let second = export(&office).await;
    let end = |taken: &Taken| *reader(taken).end();
    let opened = People::open(&first.people, &second.secret, &office.tenant, &end(&first));
    assert!(matches!(opened, Err(PeopleError::DoesNotOpen)), "{opened:?}");
    let opened = People::open(&first.people, &first.secret, &office.tenant, &end(&second));
    assert!(matches!(opened, Err(PeopleError::OtherLog(_))), "{opened:?}");
    assert!(People::open(&first.people, &first.secret, &office.tenant, &end(&first)).is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_log_is_not_exported() {
    let office = busy().await;
    let mut owner = office.owner().await;
    sqlx::query("UPDATE journal.events SET payload = (payload::text || ' ')::json WHERE position = 9")
        .execute(&mut owner)
        .await
        .unwrap();
    let mut file = Vec::new();
    let outcome = office.journal.export(&office.tenant, &mut file, |_, _| {}).await;
    assert!(
        matches!(outcome, Err(ExportError::Fault(Fault::Changed { position: 9 }))),
        "{outcome:?}"
    );
    // The file written until then is recognised as incomplete.
    let verification = verify_file(ArchiveReader::open(file.as_slice()).unwrap(), &[], |_, _| {}).unwrap();
    assert!(
        matches!(verification.fault, Some(Fault::Damaged { position: 9, .. })),
        "{verification:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_fails_with_an_error_and_leaves_no_complete_looking_file() {
    let office = busy().await;
    let taken = export(&office).await;
    let proxy = Proxy::to(office.database.url()).await;
    let behind = office
        .node_on(
            Database::connect(&proxy.url(office.database.url()), Options::default())
                .await
                .unwrap(),
        )
        .await;
    for loss in [Loss::Request, Loss::Answer] {
        proxy.lose(loss, "FROM journal.events WHERE tenant");
        let verified = behind.verify(&office.tenant, &[], |_, _| {}).await;
        assert!(proxy.has_lost());
        assert!(matches!(verified, Err(JournalError::Database(_))), "{verified:?}");
        proxy.lose(loss, "FROM journal.subject_keys WHERE tenant");
        let mut file = Vec::new();
        let exported = behind.export(&office.tenant, &mut file, |_, _| {}).await;
        assert!(proxy.has_lost());
        assert!(
            matches!(exported, Err(ExportError::Journal(JournalError::Database(_)))),
            "{exported:?}"
        );
        let part = verify_file(ArchiveReader::open(file.as_slice()).unwrap(), &[], |_, _| {}).unwrap();
        assert!(matches!(part.fault, Some(Fault::Damaged { .. })), "{part:?}");
    }
    let target = TestDatabase::new().await;
    let proxy = Proxy::to(target.url()).await;
    let there = Journal::open(
        Database::connect(&proxy.url(target.url()), Options::default())
            .await
            .unwrap(),
        Keyring::generate().unwrap(),
        Arc::new(SystemClock),
    )
    .await
    .unwrap();
    for (loss, text) in [
        (Loss::Request, "INSERT INTO journal.events"),
        (Loss::Answer, "INSERT INTO journal.events"),
        (Loss::Request, "UPDATE journal.heads"),
    ] {
        proxy.lose(loss, text);
        let imported = there.import(reader(&taken), Some(&people(&taken)), |_, _| {}).await;
        assert!(proxy.has_lost());
        assert!(
            matches!(imported, Err(ImportError::Journal(JournalError::Database(_)))),
            "{imported:?}"
        );
        let unknown = there.head(&office.tenant).await.unwrap_err();
        assert!(matches!(unknown, JournalError::UnknownTenant(_)), "{unknown:?}");
    }
    // With the terminating zero byte, because BEGIN's isolation level READ COMMITTED would match otherwise.
    proxy.lose(Loss::Answer, "COMMIT\0");
    let imported = there.import(reader(&taken), Some(&people(&taken)), |_, _| {}).await;
    assert!(proxy.has_lost());
    assert!(matches!(imported, Err(ImportError::OutcomeUnknown(_))), "{imported:?}");
}
