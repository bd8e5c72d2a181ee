//! Upgrade from every released schema, under load: nodes of the old version append and read during the migration, and
//! a current node continues after them.

use crate::common::{self, Office, owner_of};
use caudal_journal::{Journal, SystemClock};
use caudal_postgres::{Database, Options};
use sqlx::{
    Connection as _, PgConnection, Row as _,
    migrate::{Migration, Migrator},
    postgres::PgRow,
};
use std::{
    borrow::Cow,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

/// The first schema with a log.
const FIRST_WITH_A_LOG: i64 = 10;

/// The first schema with `journal.append_batch`, which nodes from that version on use.
const FIRST_WITH_BATCHES: i64 = 160;

/// Number of deposits: some are written before, during and after the migration.
const DEPOSITS: i64 = 40;

/// Number of deposits before the migration.
const BEFORE: i64 = 15;

/// Timeout for the old nodes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tables beside the log in the first schema.
const BESIDE: &[&str] = &["claims", "subject_keys", "credentials", "receipts", "keyring"];

/// A stored event.
#[derive(Debug)]
struct Row {
    position: i64,
    aggregate_type: String,
    aggregate_id: String,
    sequence: i64,
    event_type: String,
    event_version: String,
    payload: String,
    metadata: String,
    recorded_at: chrono::DateTime<chrono::Utc>,
    hash: Vec<u8>,
}

impl Row {
    fn read(row: &PgRow) -> Self {
        Self {
            position: row.get("position"),
            aggregate_type: row.get("aggregate_type"),
            aggregate_id: row.get("aggregate_id"),
            sequence: row.get("sequence"),
            event_type: row.get("event_type"),
            event_version: row.get("event_version"),
            payload: row.get("payload"),
            metadata: row.get("metadata"),
            recorded_at: row.get("recorded_at"),
            hash: row.get("hash"),
        }
    }
}

/// A prepared log, equal in every schema because its form is part of the chain.
struct Before {
    office: Office,
    rows: Vec<Row>,
    beside: Vec<(&'static str, String)>,
}

impl Before {
    async fn written() -> Self {
        let office = Office::open().await;
        for cents in 1..=DEPOSITS {
            office.deposit(cents).await.unwrap();
        }
        let mut owner = office.owner().await;
        let rows = sqlx::query(
            "SELECT position, aggregate_type, aggregate_id, sequence, event_type, event_version, payload::text,
                    metadata::text, recorded_at, hash
               FROM journal.events ORDER BY position",
        );
        let rows = rows.fetch_all(&mut owner).await.unwrap();
        let rows = rows.iter().map(Row::read).collect();
        let mut beside = Vec::new();
        for table in BESIDE {
            // As nodes of the old version write them: without MACs, and without the time from which rows have them.
            let all = format!(
                "SELECT coalesce(jsonb_agg(to_jsonb(t) - '{{mac,adoption_began,adoption_ended,adoption_mac,
                                                         heads_began,heads_ended,heads_mac}}'::text[]), '[]')::text
                   FROM journal.{table} AS t"
            );
            beside.push((*table, sqlx::query_scalar(&all).fetch_one(&mut owner).await.unwrap()));
        }
        Self { office, rows, beside }
    }

    /// Inserts the beginning of the log into a database with an old schema.
    async fn begin(&self, connection: &mut PgConnection) {
        let Row { recorded_at, .. } = &self.rows[0];
        sqlx::query("INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ($1, 0, $2, $3)")
            .bind(self.office.tenant.as_str())
            .bind([0_u8; 32].as_slice())
            .bind(recorded_at)
            .execute(&mut *connection)
            .await
            .unwrap();
        for (table, rows) in &self.beside {
            let insert = format!(
                "INSERT INTO journal.{table} SELECT * FROM json_populate_recordset(NULL::journal.{table}, $1::json)"
            );
            sqlx::query(&insert).bind(rows).execute(&mut *connection).await.unwrap();
        }
    }

    /// Appends an event as nodes of a schema do: by `journal.append`, or by `journal.append_batch` where it exists.
    async fn append_as(&self, release: i64, connection: &mut PgConnection, index: usize) {
        let row = &self.rows[index];
        match index.checked_sub(1) {
            Some(before) if release >= FIRST_WITH_BATCHES => {
                self.append_batch(connection, &self.rows[before], row).await;
            }
            _ => self.append(connection, row).await,
        }
    }

    async fn append_batch(&self, connection: &mut PgConnection, base: &Row, row: &Row) {
        let status: String = sqlx::query_scalar(
            "SELECT status FROM journal.append_batch($1, $2, 0, $3, $4, $5, $6, ARRAY[$7], ARRAY[$8], ARRAY[$9],
                ARRAY[$10], ARRAY[$11], ARRAY[$12], ARRAY[$13], ARRAY[$6], '{}', '{}', '{}', '{}', '{}', '{}',
                '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
        )
        .bind(self.office.tenant.as_str())
        .bind(base.position)
        .bind(&base.hash)
        .bind(base.recorded_at)
        .bind(row.recorded_at)
        .bind(&row.hash)
        .bind(&row.aggregate_type)
        .bind(&row.aggregate_id)
        .bind(row.sequence)
        .bind(&row.event_type)
        .bind(&row.event_version)
        .bind(&row.payload)
        .bind(&row.metadata)
        .fetch_one(connection)
        .await
        .unwrap();
        assert_eq!(status, "appended", "{row:?}");
    }

    async fn append(&self, connection: &mut PgConnection, row: &Row) {
        let status: String = sqlx::query_scalar(
            "SELECT status FROM journal.append($1, $2, 0, $3, $4, ARRAY[$5], ARRAY[$6], ARRAY[$7], ARRAY[$8],
                ARRAY[$9], ARRAY[$10], ARRAY[$11], ARRAY[$4], '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
                '{}', '{}', '{}', '{}')",
        )
        .bind(self.office.tenant.as_str())
        .bind(row.position - 1)
        .bind(row.recorded_at)
        .bind(&row.hash)
        .bind(&row.aggregate_type)
        .bind(&row.aggregate_id)
        .bind(row.sequence)
        .bind(&row.event_type)
        .bind(&row.event_version)
        .bind(&row.payload)
        .bind(&row.metadata)
        .fetch_one(connection)
        .await
        .unwrap();
        assert_eq!(status, "appended", "{row:?}");
    }
}

async fn all_migrations() -> Migrator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    Migrator::new(folder).await.unwrap()
}

/// The migrations up to a version.
fn up_to(version: i64, migrations: &Migrator) -> Migrator {
    let first: Vec<Migration> = migrations
        .iter()
        .filter(|known| known.version <= version)
        .cloned()
        .collect();
    Migrator {
        migrations: Cow::Owned(first),
        ..Migrator::DEFAULT
    }
}

async fn head(connection: &mut PgConnection) -> (i64, i64) {
    // One statement, so that the head and the log are read at the same time.
    sqlx::query_as("SELECT h.position, (SELECT count(*) FROM journal.events) FROM journal.heads AS h")
        .fetch_one(connection)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_released_schema_is_migrated_while_old_nodes_append_and_read() {
    let before = Before::written().await;
    let tenant = &before.office.tenant;
    let state = before.office.state().await;
    let migrations = all_migrations().await;
    let releases: Vec<i64> = migrations
        .iter()
        .map(|known| known.version)
        .filter(|version| *version >= FIRST_WITH_A_LOG)
        .collect();
    assert!(releases.len() > 1);
    let mut owner = before.office.owner().await;
    for release in releases {
        let name = format!("release_{release}");
        sqlx::raw_sql(&format!("CREATE DATABASE {name} TEMPLATE template0"))
            .execute(&mut owner)
            .await
            .unwrap();
        let url = with_database(before.office.database.url(), &name);
        let mut connection = owner_of(&url, tenant).await;
        up_to(release, &migrations).run(&mut connection).await.unwrap();
        before.begin(&mut connection).await;
        let early = usize::try_from(BEFORE).unwrap();
        for index in 0..early {
            before.append_as(release, &mut connection, index).await;
        }

        let written = AtomicI64::new(BEFORE);
        let all = i64::try_from(before.rows.len()).unwrap();
        let writing = async {
            for index in early..before.rows.len() {
                before.append_as(release, &mut connection, index).await;
                written.store(before.rows[index].position, Ordering::Release);
            }
        };
        let reading = async {
            let mut reader = owner_of(&url, tenant).await;
            let mut seen = BEFORE;
            while seen < all {
                let known = written.load(Ordering::Acquire);
                let (position, events) = head(&mut reader).await;
                assert_eq!(position, events, "schema {release}");
                assert!(
                    position >= known.max(seen),
                    "schema {release}: {position} after {known}"
                );
                seen = position;
            }
        };
        let migrating = caudal_postgres::migrate(&url);
        let together = async { tokio::join!(writing, reading, migrating) };
        let (_, _, migrated) = tokio::time::timeout(PATIENCE, together).await.unwrap();
        migrated.unwrap();

        let database = Database::connect(&url, Options::default()).await.unwrap();
        let (keyring, clock) = (before.office.keyring.clone(), Arc::new(SystemClock));
        Journal::begin_adoption(database.clone(), keyring.clone(), clock.clone())
            .await
            .unwrap();
        let node = Journal::open(database.clone(), keyring, clock).await.unwrap();
        let verified = node.verify(tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!((verified.fault, verified.events), (None, all), "schema {release}");
        assert_eq!(node.state(tenant).await.unwrap().0, state, "schema {release}");
        let deposit = common::deposit(caudal_domain::movement::DepositTo::Treasury, 1);
        let actor = caudal_domain::Actor::Party(before.office.manager);
        let done = node.submit(tenant, common::submission(actor, deposit)).await.unwrap();
        assert_eq!(done.position, all + 1, "schema {release}");
        node.end_adoption().await.unwrap();
        let rows = node.verify_rows(tenant).await.unwrap();
        assert!(rows.rows > 0 && rows.is_whole(), "schema {release}: {rows:?}");
        let verified = node.verify(tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!(verified.fault, None, "schema {release}: the head has its MAC");
        // The next release needs their connections.
        node.close().await;
        database.close().await;
        connection.close().await.unwrap();
    }
}

/// A database's URL with another database name.
fn with_database(url: &str, name: &str) -> String {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let (place, _) = address.rsplit_once('/').unwrap();
    format!("{place}/{name}?{query}")
}
