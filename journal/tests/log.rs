//! Guarantees of a tenant's log: tampering is detected, personal data is encrypted, a start folds the same books, and
//! cqrs-es can read it.

use crate::common::{Office, currency, deposit, party_stream, refused, register, replay, submission};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use caudal_domain::{
    Actor, Command, Event, Stream,
    ids::{CurrencyId, PartyId},
    money::CurrencyCode,
    movement::{DepositTo, MovementCommand},
    party::{ChangeParty, Party, PartyCommand, PartyDetails, PartyEvent, Registration},
    reference_data::currency::Currency,
};
use caudal_journal::{Fault, Journal, JournalError, RowMac, SubmitError, Table};
use chrono::{DateTime, SubsecRound as _, Utc};
use cqrs_es::{
    Aggregate as _, EventEnvelope,
    persist::{PersistedEventRepository as _, SerializedEvent},
};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use futures::future::join_all;
use postgres_es::PostgresEventRepository;
use sqlx::{Executor as _, PgConnection, Row as _, postgres::PgPoolOptions};
use std::io::Write as _;

/// Positions found by the psql statement of docs/chain-format.md.
async fn found_with_psql_alone(office: &Office) -> Vec<i64> {
    let page = include_str!("../../docs/chain-format.md");
    let block = page.split("```sql").nth(1).unwrap().split("```").next().unwrap();
    let statement = block
        .split(';')
        .find(|statement| statement.contains("WITH chained"))
        .unwrap();
    let statement = statement.replace(":'tenant'", &format!("'{}'", office.tenant));
    let rows = office.owner().await.fetch_all(statement.as_str()).await.unwrap();
    rows.iter().map(|row| row.get("position")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn tampering_is_detected_with_its_first_position() {
    let office = Office::open().await;
    for cents in 1..=16 {
        office.deposit(cents).await.unwrap();
    }
    assert_eq!(office.journal.head(&office.tenant).await.unwrap().position, 20);
    office.check().await;
    assert_eq!(found_with_psql_alone(&office).await, [0_i64; 0]);

    let column = |column: &str, value: &str| format!("UPDATE journal.events SET {column} = {value} WHERE position = 7");
    let changed = Fault::Changed { position: 7 };
    let missing = Fault::Missing { position: 7, found: 8 };
    let tamperings = [
        (
            column("payload", "replace(payload::text, 'USD', 'EUR')::json"),
            changed.clone(),
        ),
        (column("payload", "(payload::text || ' ')::json"), changed.clone()),
        (
            column("metadata", "replace(metadata::text, 'manager', 'agency')::json"),
            changed.clone(),
        ),
        (
            column("recorded_at", "recorded_at + interval '1 microsecond'"),
            changed.clone(),
        ),
        (column("event_type", "'MovementReversed'"), changed.clone()),
        (column("event_version", "'2'"), changed.clone()),
        (column("aggregate_type", "'closure'"), changed.clone()),
        (column("aggregate_id", "gen_random_uuid()::text"), changed.clone()),
        (column("sequence", "2"), changed.clone()),
        (column("hash", "sha256(hash)"), changed.clone()),
        ("DELETE FROM journal.events WHERE position = 7".into(), missing.clone()),
        (
            "DELETE FROM journal.events WHERE position BETWEEN 7 AND 9".into(),
            Fault::Missing { position: 7, found: 10 },
        ),
        (
            "UPDATE journal.events SET position = 1000 WHERE position = 7;
             UPDATE journal.events SET position = 7 WHERE position = 9;
             UPDATE journal.events SET position = 9 WHERE position = 1000"
                .into(),
            changed.clone(),
        ),
        (
            "UPDATE journal.events SET position = position + 1000 WHERE position >= 7;
             UPDATE journal.events SET position = position - 999 WHERE position > 1000;
             INSERT INTO journal.events SELECT tenant, 7, aggregate_type, gen_random_uuid()::text, sequence, event_type,
                    event_version, payload, metadata, recorded_at, hash FROM journal.events WHERE position = 8"
                .into(),
            changed,
        ),
        (
            "DELETE FROM journal.events WHERE position > 18".into(),
            Fault::HeadMoved { end: 18, head: 20 },
        ),
        (
            "UPDATE journal.heads SET position = 19".into(),
            Fault::HeadMoved { end: 20, head: 19 },
        ),
        (
            "UPDATE journal.heads SET hash = sha256(hash)".into(),
            Fault::HeadChanged { position: 20 },
        ),
    ];
    let mut owner = office.owner().await;
    for (statements, expected) in tamperings {
        owner
            .execute("CREATE TEMP TABLE events AS TABLE journal.events; CREATE TEMP TABLE heads AS TABLE journal.heads")
            .await
            .unwrap();
        owner.execute(statements.as_str()).await.unwrap();
        let verification = office.journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!(verification.fault, Some(expected.clone()), "{statements}");
        let chain = office
            .journal
            .verify_chain(&office.tenant, &[], |_, _| {})
            .await
            .unwrap();
        assert_eq!(chain.fault, verification.fault, "{statements}");
        assert_eq!((chain.events, chain.hash), (verification.events, verification.hash));
        if let Fault::Changed { position } | Fault::Missing { position, .. } = expected {
            let found = found_with_psql_alone(&office).await[0];
            assert!(found == position || matches!(expected, Fault::Missing { found: next, .. } if next == found));
        }
        owner
            .execute(
                "DELETE FROM journal.events; INSERT INTO journal.events TABLE pg_temp.events;
                 DELETE FROM journal.heads; INSERT INTO journal.heads TABLE pg_temp.heads;
                 DROP TABLE pg_temp.events, pg_temp.heads",
            )
            .await
            .unwrap();
    }
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_reports_its_progress() {
    let office = Office::open().await;
    let mut told = Vec::new();
    office
        .journal
        .verify(&office.tenant, &[], |at, of| told.push((at, of)))
        .await
        .unwrap();
    assert_eq!(told.last(), Some(&(4, 4)));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_personal_data_is_in_clear_in_the_journals_tables() {
    let office = Office::open().await;
    let mut asked = submission(Actor::Party(office.manager), deposit(DepositTo::Treasury, 100));
    if let Command::Movement(_, MovementCommand::Deposit(deposit)) = &mut asked.command {
        deposit.note = Some("a note about Dora".into());
    }
    office.journal.submit(&office.tenant, asked).await.unwrap();
    let mut owner = office.owner().await;
    let tables: Vec<String> = sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'journal'")
        .fetch_all(&mut owner)
        .await
        .unwrap();
    assert!(tables.len() >= 8, "{tables:?}");
    let mut rows = 0;
    for table in tables {
        let statement = format!("SELECT row_to_json(t)::text FROM journal.{table} AS t");
        for row in owner.fetch_all(statement.as_str()).await.unwrap() {
            let text: String = row.get(0);
            rows += 1;
            for secret in ["Ana Manager", "Dora", "example.com", "a note about"] {
                assert!(!text.contains(secret), "{table}: {text}");
            }
        }
    }
    assert!(rows > 8);
    // The keys decrypt it.
    let events = office
        .another_node()
        .await
        .stream_events(&office.tenant, party_stream(office.manager), 0, 10)
        .await
        .unwrap();
    let Event::Party(PartyEvent::PartyRegistered(event)) = &events[0].event else {
        panic!("{events:?}")
    };
    assert_eq!(event.personal.get().unwrap().name, "Ana Manager");
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_people_read_as_erased_and_get_no_new_data() {
    let office = Office::open().await;
    let mut owner = office.owner().await;
    // A valid event, as written by an installation with the key file.
    let at = Utc::now().trunc_subsecs(6);
    let tombstone = office.journal.row_macs().row(Table::SubjectKeys, &office.tenant);
    let mac = tombstone
        .key_uuid(office.dealer.0)
        .optional(None, RowMac::text)
        .optional(None, RowMac::bytes)
        .optional(Some(at), RowMac::time)
        .finish();
    sqlx::query(
        "UPDATE journal.subject_keys SET master = NULL, wrapped = NULL, forgotten_at = $2, mac = $3 WHERE subject = $1",
    )
    .bind(office.dealer.0)
    .bind(at)
    .bind(mac)
    .execute(&mut owner)
    .await
    .unwrap();
    let node = office.another_node().await;
    let events = node.events_after(&office.tenant, 0, 100).await.unwrap();
    assert_eq!(events.len(), 4);
    let names: Vec<_> = events
        .iter()
        .filter_map(|recorded| match &recorded.event {
            Event::Party(PartyEvent::PartyRegistered(event)) => {
                Some(event.personal.get().map(|clear| clear.name.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(names, [Some("Ana Manager"), None]);
    assert_eq!(node.verify(&office.tenant, &[], |_, _| {}).await.unwrap().fault, None);
    assert_eq!(
        node.state(&office.tenant).await.unwrap().0,
        office.state().await,
        "the books hold nothing personal"
    );

    let change = ChangeParty {
        details: PartyDetails {
            name: "Dora again".into(),
            email: "dora@example.com".into(),
            ..Default::default()
        },
        known: None,
        sets_password: false,
        is_active: None,
        territory: None,
    };
    let command = Command::Party(office.dealer, PartyCommand::Change(change));
    let result = node
        .submit(&office.tenant, submission(Actor::Party(office.manager), command))
        .await;
    assert_eq!(refused(result), "person_forgotten");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_encrypted_part_or_a_swapped_key_is_an_error_and_not_erased() {
    let office = Office::open().await;
    let mut owner = office.owner().await;
    sqlx::query("UPDATE journal.subject_keys SET wrapped = decode(repeat('00', 72), 'hex') WHERE subject = $1")
        .bind(office.dealer.0)
        .execute(&mut owner)
        .await
        .unwrap();
    let read = office.another_node().await.events_after(&office.tenant, 0, 100).await;
    let Err(JournalError::NotAuthentic(row)) = read else {
        panic!("{read:?}")
    };
    assert_eq!((row.table, row.key), (Table::SubjectKeys, office.dealer.0.to_string()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_with_later_events_equals_a_full_replay() {
    let office = Office::open().await;
    let deposits = async |journal: &Journal, count: i64| {
        let asked =
            (1..=count).map(|cents| submission(Actor::Party(office.manager), deposit(DepositTo::Treasury, cents)));
        for result in join_all(asked.map(|asked| journal.submit(&office.tenant, asked))).await {
            result.unwrap();
        }
    };
    deposits(&office.journal, 1_000).await;
    office.journal.close().await;
    let mut owner = office.owner().await;
    let position: i64 = sqlx::query_scalar("SELECT position FROM journal.snapshots")
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert_eq!(position, 1_004, "a lane that ends leaves a snapshot behind");

    let node = office.another_node().await;
    deposits(&node, 20).await;
    let log = office.log().await;
    assert_eq!(log.len(), 1_024);
    assert_eq!(node.state(&office.tenant).await.unwrap().0, replay(&log));
    let fresh = office.another_node().await;
    assert_eq!(fresh.state(&office.tenant).await.unwrap().0, replay(&log));

    // The snapshot is used: a wrong one with a valid MAC yields wrong books.
    let (fingerprint, hash, state, written_at): (String, Vec<u8>, String, DateTime<Utc>) =
        sqlx::query_as("SELECT fingerprint, hash, state, written_at FROM journal.snapshots")
            .fetch_one(&mut owner)
            .await
            .unwrap();
    let numbers = [0, 5].map(|remittances| format!("\"numbers\":{{\"remittances\":{remittances}"));
    let [right, wrong] = numbers;
    let state = unpacked(&state);
    assert!(state.contains(&right));
    let state = packed(&state.replace(&right, &wrong));
    let fit = async |owner: &mut PgConnection, hash: &[u8], state: &str| {
        let snapshot = office.journal.row_macs().row(Table::Snapshots, &office.tenant);
        let mac = snapshot
            .key_text(&fingerprint)
            .number(position)
            .bytes(hash)
            .text(state)
            .time(written_at)
            .finish();
        sqlx::query("UPDATE journal.snapshots SET hash = $1, state = $2, mac = $3")
            .bind(hash)
            .bind(state)
            .bind(mac)
            .execute(owner)
            .await
            .unwrap();
    };
    fit(&mut owner, &hash, &state).await;
    let misled = office.another_node().await.state(&office.tenant).await.unwrap().0;
    assert_ne!(misled, replay(&log));
    // It is used only for the log it was taken of, and only if it decodes.
    fit(&mut owner, &[7; 32], &state).await;
    let not_misled = office.another_node().await.state(&office.tenant).await.unwrap().0;
    assert_eq!(not_misled, replay(&log));
    for unreadable in [&packed("{"), &state[..state.len() / 2], "{"] {
        fit(&mut owner, &hash, unreadable).await;
        let replayed = office.another_node().await.state(&office.tenant).await.unwrap().0;
        assert_eq!(replayed, replay(&log));
    }
}

fn packed(state: &str) -> String {
    let mut compressing = DeflateEncoder::new(Vec::new(), Compression::fast());
    compressing.write_all(state.as_bytes()).unwrap();
    BASE64_STANDARD.encode(compressing.finish().unwrap())
}

fn unpacked(state: &str) -> String {
    let compressed = BASE64_STANDARD.decode(state).unwrap();
    std::io::read_to_string(DeflateDecoder::new(compressed.as_slice())).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_an_unknown_version_prevents_the_start_with_its_position() {
    let office = Office::open().await;
    // A valid event of a newer version: the chain verifies.
    let last = office.journal.head(&office.tenant).await.unwrap().position;
    let (before, mut event) = office.journal.stored(&office.tenant, last).await.unwrap().unwrap();
    event.event_version = "99".to_owned();
    let hash = event.expected_hash(&office.tenant, &before).unwrap();
    let mut owner = office.owner().await;
    for statement in [
        "UPDATE journal.events SET event_version = '99', hash = $1 WHERE position = $2",
        "UPDATE journal.heads SET hash = $1 WHERE position = $2",
    ] {
        sqlx::query(statement)
            .bind(hash)
            .bind(last)
            .execute(&mut owner)
            .await
            .unwrap();
    }
    let started = office.another_node().await.state(&office.tenant).await;
    let Err(SubmitError::Failed(error)) = started else {
        panic!("{started:?}")
    };
    assert!(
        matches!(*error, JournalError::Unreadable { position, .. } if position == last),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_contradicts_the_log_stops_every_write() {
    for tampering in ["hash = sha256(hash)", "position = 3", "position = 9"] {
        let office = Office::open().await;
        let mut owner = office.owner().await;
        owner
            .execute(format!("UPDATE journal.heads SET {tampering}").as_str())
            .await
            .unwrap();
        let started = office.another_node().await;
        let command = deposit(DepositTo::Treasury, 1);
        let written = started
            .submit(&office.tenant, submission(Actor::Party(office.manager), command))
            .await;
        assert!(
            matches!(written, Err(SubmitError::Quarantined)),
            "{tampering}: {written:?}"
        );
        let written = office.deposit(1).await;
        assert!(
            matches!(written, Err(SubmitError::Quarantined)),
            "{tampering}: {written:?}"
        );
        // Reads continue, without checks of the chain.
        started.state(&office.tenant).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gap_stops_readers() {
    let office = Office::open().await;
    office
        .owner()
        .await
        .execute("DELETE FROM journal.events WHERE position = 3")
        .await
        .unwrap();
    let read = office.journal.events_after(&office.tenant, 0, 100).await;
    assert!(
        matches!(
            read,
            Err(JournalError::Gap {
                expected: 3,
                found: 4,
                ..
            })
        ),
        "{read:?}"
    );
    let command = deposit(DepositTo::Treasury, 1);
    let written = office
        .another_node()
        .await
        .submit(&office.tenant, submission(Actor::Party(office.manager), command))
        .await;
    assert!(matches!(written, Err(SubmitError::Quarantined)), "{written:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_tenant_no_row_is_visible_and_another_tenants_rows_can_not_be_written() {
    let office = Office::open().await;
    let mut owner = office.owner().await;
    let tables = "SELECT c.oid::regclass::text AS name FROM pg_class AS c
                    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
                   WHERE c.relkind = 'r' AND c.relnamespace = 'journal'::regnamespace ORDER BY 1";
    let tables: Vec<String> = owner
        .fetch_all(tables)
        .await
        .unwrap()
        .iter()
        .map(|row| row.get("name"))
        .collect();
    assert!(tables.len() > 11, "{tables:?}");
    let node = office.database.connect().await;
    let mut connection = node.pool().acquire().await.unwrap();
    // Without the application's filters: row-level security only, for a node and for the tables' owner.
    for tenant in ["", "another", "worked"] {
        for asked in [&mut *connection, &mut owner] {
            let set = format!("SET caudal.tenant TO '{tenant}'");
            asked.execute(set.as_str()).await.unwrap();
            let mut seen = Vec::new();
            for table in &tables {
                let statement = format!("SELECT count(*) FROM {table}");
                if asked.fetch_one(statement.as_str()).await.unwrap().get::<i64, _>(0) > 0 {
                    seen.push(table.as_str());
                }
            }
            let expected: &[&str] = match tenant {
                "worked" => &[
                    "journal.claims",
                    "journal.events",
                    "journal.heads",
                    "journal.subject_keys",
                ],
                _ => &[],
            };
            let missing: Vec<_> = expected.iter().filter(|table| !seen.contains(table)).collect();
            assert!(missing.is_empty(), "{tenant:?} sees {seen:?}");
            assert!(!expected.is_empty() || seen.is_empty(), "{tenant:?} sees {seen:?}");
        }
    }
    connection.execute("SET caudal.tenant TO 'another'").await.unwrap();
    let insert =
        "INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ('worked2', 0, sha256(''), now())";
    let error = connection.execute(insert).await.unwrap_err();
    assert_eq!(error.as_database_error().unwrap().code().as_deref(), Some("42501"));
    connection.execute("SET caudal.tenant TO 'worked'").await.unwrap();
    for statement in [
        "UPDATE journal.events SET sequence = 9",
        "DELETE FROM journal.events",
        "TRUNCATE journal.events",
    ] {
        let error = connection.execute(statement).await.unwrap_err();
        assert_eq!(
            error.as_database_error().unwrap().code().as_deref(),
            Some("42501"),
            "{statement}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_postgres_es_reads_a_stream_of_the_log() {
    let office = Office::open().await;
    let id = CurrencyId::generate();
    office.manage(currency(id, CurrencyCode::EUR)).await.unwrap();
    let tenant = office.tenant.to_string();
    let pool = PgPoolOptions::new()
        .after_connect(move |connection, _| {
            let tenant = tenant.clone();
            Box::pin(async move {
                sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
                    .bind(tenant)
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .connect(office.database.url())
        .await
        .unwrap();
    let stock = PostgresEventRepository::new(pool).with_tables("journal.events", "journal.snapshots");
    let by_stock = stock.get_events::<Stream<Currency>>(&id.to_string()).await.unwrap();
    let by_journal = office
        .journal
        .repository(&office.tenant)
        .get_events::<Stream<Currency>>(&id.to_string())
        .await
        .unwrap();
    assert_eq!(by_stock, by_journal);

    let mut state = Stream::<Currency>::default();
    for event in by_stock {
        assert_eq!(event.sequence, 1);
        state.apply(EventEnvelope::<Stream<Currency>>::try_from(event).unwrap().payload);
    }
    assert_eq!(state.0.unwrap().code, CurrencyCode::EUR);
}

#[tokio::test(flavor = "multi_thread")]
async fn cqrs_es_replays_the_journal_with_decrypted_people_and_can_not_write_it() {
    let office = Office::open().await;
    let repository = office.journal.repository(&office.tenant);
    let mut replayed = repository.stream_all_events::<Stream<Party>>().await.unwrap();
    let mut names = Vec::new();
    while let Some(envelope) = replayed.next::<Stream<Party>>(&[]).await {
        let PartyEvent::PartyRegistered(event) = envelope.unwrap().payload else {
            continue;
        };
        names.push(event.personal.get().unwrap().name.clone());
    }
    assert_eq!(names, ["Ana Manager", "Dora Dealer"]);

    let id = office.dealer.to_string();
    let mut stream = repository.stream_events::<Stream<Party>>(&id).await.unwrap();
    assert!(stream.next::<Stream<Party>>(&[]).await.unwrap().is_ok());
    assert!(stream.next::<Stream<Party>>(&[]).await.is_none());

    let events: Vec<SerializedEvent> = repository.get_last_events::<Stream<Party>>(&id, 0).await.unwrap();
    assert!(repository.persist::<Stream<Party>>(&events, None).await.is_err());
    assert!(repository.get_snapshot::<Stream<Party>>(&id).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_can_be_read_from_any_sequence() {
    let office = Office::open().await;
    let eva = PartyId::generate();
    office
        .manage(register(eva, Registration::Manager, "Eva", "eva@example.com"))
        .await
        .unwrap();
    office
        .manage(Command::Party(eva, PartyCommand::Deactivate))
        .await
        .unwrap();
    let read = async |after| {
        office
            .journal
            .stream_events(&office.tenant, party_stream(eva), after, 10)
            .await
            .unwrap()
    };
    assert_eq!(
        read(0)
            .await
            .iter()
            .map(|recorded| recorded.sequence)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    assert_eq!(
        read(1)
            .await
            .iter()
            .map(|recorded| recorded.sequence)
            .collect::<Vec<_>>(),
        [2]
    );
    assert!(read(2).await.is_empty());
}
