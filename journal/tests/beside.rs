//! Rows beside the log, changed in each column in turn by the database's owner: verification names each row, and a
//! running node refuses it before use.

use crate::common::{Office, deposit, keyed, register, replay, submission, with_credential};
use caudal_domain::{
    Actor, Command,
    forgetting::Forget,
    ids::{PartyId, SecondFactorId, SignOnId, SignOnSecretId, TenantId},
    movement::DepositTo,
    party::{ChangeParty, PartyCommand, PartyDetails, Registration, Territory},
};
use caudal_journal::{
    AnswerKey, FileOwnerRow, FileRow, Journal, JournalError, KeptAnswer, PasskeyRow, ReadingRow, RequestDigest,
    ResetCodeRow, RowProblem, SecondFactorRow, SessionRow, SignOnSecretRow, SignOnSubjectRow, StepUpRow, SubmitError,
    Table, VerificationRow, ViewingRow,
};
use chrono::{SubsecRound as _, Utc};
use futures::future::join_all;
use sqlx::{Executor as _, PgConnection};
use uuid::Uuid;

/// Idempotency key of the stored record.
const KEY: &str = "a-key";
/// The request under that key.
const REQUEST: &str = "a request";
/// E-mail address of the party that logs in.
const EMAIL: &str = "eva@example.com";
/// Number of events that makes a snapshot due.
const DEPOSITS: i64 = 1_000;

/// An office with rows in every table beside the log.
struct Full {
    office: Office,
    owner: PgConnection,
    /// The party that logs in.
    eva: PartyId,
    /// The person who was forgotten.
    gone: PartyId,
}

impl Full {
    async fn open() -> Self {
        let office = Office::open().await;
        let (tenant, manager) = (&office.tenant, Actor::Party(office.manager));
        let (eva, gone) = (PartyId::generate(), PartyId::generate());
        let registration = || Registration::Dealer {
            territory: Territory::default(),
        };
        let with_login = with_credential(
            submission(manager, register(eva, registration(), "Eva", EMAIL)),
            eva,
            "hash-1",
        );
        office.journal.submit(tenant, with_login).await.unwrap();
        office
            .manage(register(gone, registration(), "Gone", "gone@example.com"))
            .await
            .unwrap();
        office.manage(forget(gone)).await.unwrap();
        let asked = keyed(manager, deposit(DepositTo::Treasury, 7), KEY, REQUEST);
        office.journal.submit(tenant, asked).await.unwrap();
        let deposits = (1..=DEPOSITS).map(|cents| office.deposit(cents));
        for done in join_all(deposits).await {
            done.unwrap();
        }
        let answer = KeptAnswer {
            status: 201,
            position: 1,
            body: b"{}".to_vec(),
        };
        let (under, about) = (answer_key(manager, KEY), [eva.0].into());
        office
            .journal
            .keep_answer(tenant, &under, answer, &about)
            .await
            .unwrap();
        office.journal.close().await;
        let mut owner = office.owner().await;
        insert_rows_of_the_api(&office.journal, &mut owner, tenant, eva).await;
        // The database's owner can disable triggers and drop constraints.
        for table in ["snapshots", "subject_keys", "credentials", "sessions", "reset_codes"] {
            let disable = format!("ALTER TABLE journal.{table} DISABLE TRIGGER drop_stale_mac");
            owner.execute(disable.as_str()).await.unwrap();
        }
        // The total stays right while this test deletes and restores rows.
        owner
            .execute("ALTER TABLE journal.files DISABLE TRIGGER sum_files")
            .await
            .unwrap();
        owner
            .execute("ALTER TABLE journal.file_owners DROP CONSTRAINT file_owners_tenant_hash_fkey")
            .await
            .unwrap();
        Self {
            office,
            owner,
            eva,
            gone,
        }
    }

    async fn faults(&self) -> Vec<(&'static str, RowProblem)> {
        let node = self.office.another_node().await;
        let verified = node.verify_rows(&self.office.tenant).await.unwrap();
        assert_eq!(verified.is_whole(), verified.faults.is_empty(), "{verified:?}");
        verified
            .faults
            .iter()
            .map(|fault| (fault.table, fault.problem))
            .collect()
    }

    /// Saves the rows of a table, to restore them after a change.
    async fn save(&mut self, table: Table) {
        let name = table.as_str();
        self.owner
            .execute(format!("CREATE TEMP TABLE saved_{name} AS SELECT * FROM journal.{name}").as_str())
            .await
            .unwrap();
    }

    async fn restore(&mut self, table: Table) {
        let name = table.as_str();
        self.owner
            .execute(
                format!("DELETE FROM journal.{name}; INSERT INTO journal.{name} SELECT * FROM saved_{name}").as_str(),
            )
            .await
            .unwrap();
    }

    /// Whether a running node refuses a changed row of a table on its own read path, and names the table.
    async fn is_refused(&self, table: Table, column: &str) -> bool {
        let node = self.office.another_node().await;
        let tenant = &self.office.tenant;
        let manager = Actor::Party(self.office.manager);
        match table {
            // A changed snapshot is ignored: the log is replayed.
            Table::Snapshots => node.books(tenant).await.unwrap().0 == replay(&self.office.log().await),
            Table::Receipts => {
                let key = if column == "key" { "a-keyx" } else { KEY };
                let again = keyed(manager, deposit(DepositTo::Treasury, 7), key, REQUEST);
                let before = node.head(tenant).await.unwrap().position;
                let refused = refused_for(node.submit(tenant, again).await, table);
                refused && node.head(tenant).await.unwrap().position == before
            }
            Table::Answers => {
                let key = if column == "key" { "a-keyx" } else { KEY };
                is_for(node.kept_answer(tenant, &answer_key(manager, key)).await, table)
            }
            Table::Claims => {
                let login = is_for(node.credential_by_email(tenant, EMAIL).await, table);
                let id = PartyId::generate();
                let registration = Registration::Dealer {
                    territory: Territory::default(),
                };
                let second = submission(manager, register(id, registration, "Second", EMAIL));
                login && refused_for(node.submit(tenant, second).await, table)
            }
            // A reader that has reached the forgetting event needs no key row.
            Table::SubjectKeys => {
                for limit in 1..=100 {
                    if is_for(node.events_after(tenant, 0, limit).await, table) {
                        return true;
                    }
                }
                false
            }
            Table::Credentials => {
                let login = is_for(node.credential_by_email(tenant, EMAIL).await, table);
                login && is_for(node.credential(tenant, self.eva).await, table)
            }
            // Only the API reads these tables.
            Table::Sessions
            | Table::ResetCodes
            | Table::Files
            | Table::FileOwners
            | Table::Verifications
            | Table::SecondFactors
            | Table::Passkeys
            | Table::StepUps
            | Table::Readings
            | Table::Viewings
            | Table::SignOnSecrets
            | Table::SignOnSubjects => true,
        }
    }
}

fn answer_key(actor: Actor, key: &str) -> AnswerKey {
    AnswerKey {
        actor,
        key: key.to_owned(),
        request_digest: RequestDigest::of([REQUEST.as_bytes()]),
    }
}

fn forget(id: PartyId) -> Command {
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    Command::Party(id, PartyCommand::Forget(order))
}

fn is_for<T: std::fmt::Debug>(result: Result<T, JournalError>, table: Table) -> bool {
    matches!(result, Err(JournalError::NotAuthentic(row)) if row.table == table)
}

fn refused_for<T: std::fmt::Debug>(result: Result<T, SubmitError>, table: Table) -> bool {
    let Err(SubmitError::Failed(error)) = result else {
        return false;
    };
    matches!(&*error, JournalError::NotAuthentic(row) if row.table == table)
}

/// Inserts a row into each table that the API writes.
async fn insert_rows_of_the_api(journal: &Journal, owner: &mut PgConnection, tenant: &TenantId, party: PartyId) {
    let macs = journal.row_macs();
    let now = Utc::now().trunc_subsecs(6);
    let session = SessionRow {
        id: Uuid::now_v7(),
        party,
        token_hash: vec![1; 32],
        created_at: now,
        renewed_at: now,
        expires_at: now,
        ended: Some((now, "logout".to_owned())),
        password_of: Some(now),
        rotation: Some((vec![2; 32], vec![3; 32], now)),
        address: Some(vec![4; 32]),
    };
    sqlx::query(
        "INSERT INTO journal.sessions
         VALUES ($1, $2, $3, decode(repeat('01', 32), 'hex'), $4, $4, $4, $4, 'logout', $4,
                 decode(repeat('02', 32), 'hex'), decode(repeat('03', 32), 'hex'), $4, $5, decode(repeat('04', 32), 'hex'))",
    )
    .bind(tenant.as_str())
    .bind(session.id)
    .bind(party.0)
    .bind(now)
    .bind(session.mac(macs, tenant).finish())
    .execute(&mut *owner)
    .await
    .unwrap();
    let code = ResetCodeRow {
        party,
        code_hash: vec![1; 32],
        tries: 1,
        expires_at: now,
    };
    sqlx::query("INSERT INTO journal.reset_codes VALUES ($1, $2, decode(repeat('01', 32), 'hex'), 1, $3, $4)")
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .bind(code.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let file = FileRow {
        hash: "0".repeat(64),
        media_type: "image/png".to_owned(),
        size: 5,
        stored_at: now,
    };
    sqlx::query("INSERT INTO journal.files VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(tenant.as_str())
        .bind(&file.hash)
        .bind(&file.media_type)
        .bind(file.size)
        .bind(now)
        .bind(file.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let file_owner = FileOwnerRow {
        hash: file.hash,
        kind: "party".to_owned(),
        owner: party.0,
    };
    sqlx::query("INSERT INTO journal.file_owners VALUES ($1, $2, 'party', $3, $4)")
        .bind(tenant.as_str())
        .bind(&file_owner.hash)
        .bind(party.0)
        .bind(file_owner.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let verification = VerificationRow {
        id: Uuid::now_v7(),
        asked_by: party,
        started_at: now,
        told_at: now,
        ended: Some((now, "wrong".to_owned())),
        phase: "chain".to_owned(),
        position: 7,
        head: 9,
        hash: Some(vec![4; 32]),
        findings: r#"[{"code": "changed"}]"#.to_owned(),
        checkpoints: Some(2),
    };
    sqlx::query(
        "INSERT INTO journal.verifications
         VALUES ($1, $2, $3, $4, $4, $4, 'chain', 7, 9, decode(repeat('04', 32), 'hex'), 'wrong', $5::json, 2, $6)",
    )
    .bind(tenant.as_str())
    .bind(verification.id)
    .bind(party.0)
    .bind(now)
    .bind(&verification.findings)
    .bind(verification.mac(macs, tenant).finish())
    .execute(&mut *owner)
    .await
    .unwrap();
    let factor = SecondFactorRow {
        factor: SecondFactorId::generate(),
        party,
        salt: vec![5; 32],
        last_step: 7,
        recovery: vec![6; 64],
        created_at: now,
    };
    sqlx::query("INSERT INTO journal.second_factors VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
        .bind(tenant.as_str())
        .bind(factor.factor.0)
        .bind(party.0)
        .bind(&factor.salt)
        .bind(factor.last_step)
        .bind(&factor.recovery)
        .bind(now)
        .bind(factor.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let passkey = PasskeyRow {
        factor: SecondFactorId::generate(),
        party,
        credential: vec![9; 16],
        public_key: vec![10; 77],
        sign_count: 3,
        last_challenge: now,
        name: vec![11; 40],
        created_at: now,
        used_at: Some(now),
    };
    sqlx::query("INSERT INTO journal.passkeys VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7, $7, $9)")
        .bind(tenant.as_str())
        .bind(passkey.factor.0)
        .bind(party.0)
        .bind(&passkey.credential)
        .bind(&passkey.public_key)
        .bind(passkey.sign_count)
        .bind(now)
        .bind(&passkey.name)
        .bind(passkey.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let step_up = StepUpRow {
        session: session.id,
        factor: factor.factor,
        given_at: now,
    };
    sqlx::query("INSERT INTO journal.step_ups VALUES ($1, $2, $3, $4, $5)")
        .bind(tenant.as_str())
        .bind(step_up.session)
        .bind(step_up.factor.0)
        .bind(now)
        .bind(step_up.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let reading = ReadingRow {
        id: Uuid::now_v7(),
        read_at: now,
        party,
        viewed_as: Some(PartyId::generate()),
        session: session.id,
        kind: "customer".to_owned(),
        subject: Some(Uuid::now_v7()),
        call: "/api/customer/{id}/details".to_owned(),
        format: Some("csv".to_owned()),
    };
    sqlx::query("INSERT INTO journal.readings VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
        .bind(tenant.as_str())
        .bind(reading.id)
        .bind(now)
        .bind(party.0)
        .bind(reading.viewed_as.map(|party| party.0))
        .bind(reading.session)
        .bind(&reading.kind)
        .bind(reading.subject)
        .bind(&reading.call)
        .bind(&reading.format)
        .bind(reading.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let viewing = ViewingRow {
        session: session.id,
        viewer: PartyId::generate(),
        viewer_session: Uuid::now_v7(),
    };
    sqlx::query("INSERT INTO journal.viewings VALUES ($1, $2, $3, $4, $5)")
        .bind(tenant.as_str())
        .bind(viewing.session)
        .bind(viewing.viewer.0)
        .bind(viewing.viewer_session)
        .bind(viewing.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let secret = SignOnSecretRow {
        id: SignOnSecretId::generate(),
        sealed: vec![7; 40],
    };
    sqlx::query("INSERT INTO journal.sign_on_secrets VALUES ($1, $2, $3, $4)")
        .bind(tenant.as_str())
        .bind(secret.id.0)
        .bind(&secret.sealed)
        .bind(secret.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let subject = SignOnSubjectRow {
        provider: SignOnId::generate(),
        subject: vec![8; 32],
        party,
        bound_at: now,
    };
    sqlx::query("INSERT INTO journal.sign_on_subjects VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(tenant.as_str())
        .bind(subject.provider.0)
        .bind(&subject.subject)
        .bind(party.0)
        .bind(now)
        .bind(subject.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
}

/// How a change is noticed in tables without row MACs.
const OTHERWISE_GUARDED: &[(&str, &str)] = &[
    ("events", "the hash chain"),
    ("heads", "the last event"),
    (
        "merkle_nodes",
        "the events, from which verification computes each again",
    ),
    ("checkpoints", "their signatures"),
    ("quarantines", "a MAC over report and decision"),
    ("writer_leases", "a MAC; appends never depend on a lease"),
    ("keyring", "the key file; the adoption's times have a MAC"),
    ("master_keys", "the key file"),
    ("file_totals", "the sum of the files"),
    ("attempts", "nothing: limits, see docs/decisions/row-macs.md"),
    ("uploads", "nothing: limits, see docs/decisions/row-macs.md"),
    (
        "api_key_uses",
        "nothing: displayed only, see docs/decisions/row-macs.md",
    ),
    (
        "webhook_positions",
        "nothing: events are sent again or left out, see docs/decisions/row-macs.md",
    ),
    ("placements", "a MAC, without the times; a changed row refuses writes"),
    ("screening_lists", "a MAC over the row and the digest of its chunks"),
    ("screening_chunks", "the digest in the MAC of their list"),
    ("screening_runs", "nothing: people are screened again or later"),
    (
        "webhook_deliveries",
        "nothing: displayed only, see docs/decisions/row-macs.md",
    ),
    (
        "session_origins",
        "nothing: displayed only, see docs/decisions/row-macs.md",
    ),
    (
        "imports",
        "the encryption of its details, for owner, maker and kind; nothing for its state, see docs/decisions/row-macs.md",
    ),
    ("import_chunks", "its encryption, which binds it to its place"),
    (
        "import_rows",
        "nothing: displayed only, and a row is added once by its key, see docs/decisions/row-macs.md",
    ),
    ("import_proofs", "its encryption, which binds it to its place"),
    ("import_profiles", "its encryption, which binds it to its place"),
];

#[tokio::test]
async fn every_table_has_row_macs_or_is_listed_with_what_guards_it() {
    let office = Office::open().await;
    let mut tables: Vec<String> =
        sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'journal'")
            .fetch_all(&mut office.owner().await)
            .await
            .unwrap();
    let with_macs = Table::ALL.iter().map(|table| table.as_str());
    let mut known: Vec<_> = with_macs
        .chain(OTHERWISE_GUARDED.iter().map(|(table, _)| *table))
        .collect();
    tables.sort();
    known.sort_unstable();
    assert_eq!(tables, known);
}

/// Names in the first columns of the tables of a document, each in backticks.
fn first_columns(document: &str) -> Vec<String> {
    let cells = document.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = cells.filter_map(|line| line.split_once(" |"));
    let names = cells.flat_map(|(cell, _)| cell.split(", "));
    names.map(|name| name.trim_matches('`').to_owned()).collect()
}

#[test]
fn the_decision_about_row_macs_says_of_every_table_once_what_protects_it() {
    let page = include_str!("../../migrations/schema/journal.sql");
    let tables = page
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE TABLE journal."));
    let mut tables: Vec<_> = tables.filter_map(|line| line.split(' ').next()).collect();
    let document = include_str!("../../docs/decisions/row-macs.md");
    let (_, document) = document.split_once("## What protects each table").expect("the heading");
    let mut told = first_columns(document);
    tables.sort_unstable();
    told.sort();
    assert_eq!(told, tables);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_total_of_the_files_is_reported_by_verification() {
    let full = Full::open().await;
    let Full { office, mut owner, .. } = full;
    for change in ["bytes = bytes - 1", "files = files + 1"] {
        owner
            .execute(format!("UPDATE journal.file_totals SET {change}").as_str())
            .await
            .unwrap();
        let faults = office.journal.verify_rows(&office.tenant).await.unwrap().faults;
        let found: Vec<_> = faults.iter().map(|fault| (fault.table, fault.problem)).collect();
        assert_eq!(found, [(Table::Files.as_str(), RowProblem::WrongTotal)], "{change}");
    }
    owner.execute("DELETE FROM journal.file_totals").await.unwrap();
    assert!(!office.journal.verify_rows(&office.tenant).await.unwrap().is_whole());
}

/// SQL assignments that change a column, by its type.
fn changes(column: &str, kind: &str) -> Vec<String> {
    let values: &[&str] = match kind {
        "text" if column == "hash" => &["repeat('1', 64)", "hash || 'x'"],
        "text" => &["{} || 'x'"],
        "bytea" => &["set_byte({}, 0, get_byte({}, 0) # 1)"],
        "uuid" => &["'0197a3c0-0000-7000-8000-000000000001'"],
        "bigint" | "smallint" => &["{} + 1"],
        "timestamp with time zone" => &["{} + interval '1 microsecond'", "{} + interval '1 year'", "'infinity'"],
        "json" => &["'[\"another answer\"]'"],
        other => panic!("a column of the type {other}"),
    };
    let null = (column == "mac").then(|| "NULL".to_owned());
    let values = values.iter().map(|value| value.replace("{}", column));
    values.chain(null).map(|value| format!("{column} = {value}")).collect()
}

/// The WHERE clause of the row to change.
fn which(full: &Full, table: Table, column: &str) -> String {
    match table {
        Table::Claims => format!("kind = 'email' AND owner = '{}'", full.eva.0),
        Table::SubjectKeys if column == "forgotten_at" => format!("subject = '{}'", full.gone.0),
        Table::SubjectKeys => format!("subject = '{}'", full.eva.0),
        _ => "true".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_column_changed_in_place_is_reported_by_verification_and_refused_by_a_running_node() {
    let mut full = Full::open().await;
    assert_eq!(full.faults().await, [], "before anything is changed");
    // Who changes rows in the database may drop what ties them to others as well.
    full.owner
        .execute("ALTER TABLE journal.viewings DROP CONSTRAINT viewings_tenant_session_fkey")
        .await
        .unwrap();
    let mut tried = 0;
    for table in Table::ALL {
        full.save(table).await;
        let columns: Vec<(String, String)> = sqlx::query_as(
            "SELECT column_name::text, data_type::text FROM information_schema.columns
              WHERE table_schema = 'journal' AND table_name = $1 AND column_name NOT IN ('tenant', 'last_access')
              ORDER BY ordinal_position",
        )
        .bind(table.as_str())
        .fetch_all(&mut full.owner)
        .await
        .unwrap();
        for (column, kind) in columns {
            for change in changes(&column, &kind) {
                let row = which(&full, table, &column);
                let sql = format!("UPDATE journal.{} SET {change} WHERE {row}", table.as_str());
                let changed = match full.owner.execute(sql.as_str()).await {
                    Ok(done) => done.rows_affected(),
                    // A constraint of the table refuses the change.
                    Err(error) => {
                        let code = error.as_database_error().and_then(|error| error.code());
                        assert_eq!(code.as_deref(), Some("23514"), "{sql}: {error}");
                        continue;
                    }
                };
                assert_eq!(changed, 1, "{sql}");
                let faults = full.faults().await;
                let expected = if change == "mac = NULL" {
                    RowProblem::WithoutMac
                } else {
                    RowProblem::Changed
                };
                // A verification without a MAC counts for nothing.
                let is_void = table == Table::Verifications && change == "mac = NULL";
                assert_eq!(
                    faults.contains(&(table.as_str(), expected)),
                    !is_void,
                    "{sql}: {faults:?}"
                );
                // A changed key column makes the row unfindable: a node sees a deleted row.
                let is_key = match table {
                    Table::Receipts | Table::Answers => column == "actor",
                    Table::Claims => column == "kind" || column == "digest",
                    Table::SubjectKeys => column == "subject",
                    Table::Credentials => column == "party",
                    _ => false,
                };
                if !is_key {
                    assert!(full.is_refused(table, &column).await, "{sql}");
                }
                full.restore(table).await;
                tried += 1;
            }
        }
    }
    assert!(tried >= 40, "{tried} changes");
    assert_eq!(full.faults().await, [], "all is as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swapped_claim_does_not_log_an_address_in_as_the_manager() {
    let full = Full::open().await;
    let Full {
        office, mut owner, eva, ..
    } = full;
    office
        .journal
        .replace_credential(&office.tenant, office.manager, "hash-of-the-manager")
        .await
        .unwrap();
    let before = office.journal.credential_by_email(&office.tenant, EMAIL).await.unwrap();
    assert_eq!(before.unwrap().party, eva);
    sqlx::query("DELETE FROM journal.claims WHERE kind = 'email' AND owner = $1")
        .bind(office.manager.0)
        .execute(&mut owner)
        .await
        .unwrap();
    sqlx::query("UPDATE journal.claims SET owner = $1 WHERE kind = 'email' AND owner = $2")
        .bind(office.manager.0)
        .bind(eva.0)
        .execute(&mut owner)
        .await
        .unwrap();
    let login = office.journal.credential_by_email(&office.tenant, EMAIL).await;
    assert!(is_for(login, Table::Claims));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_or_restored_rows_contradict_the_log_and_are_found() {
    let mut full = Full::open().await;
    let (eva, gone) = (full.eva.0, full.gone.0);
    let cases = [
        (
            Table::Claims,
            format!("DELETE FROM journal.claims WHERE kind = 'email' AND owner = '{eva}'"),
            RowProblem::Missing,
        ),
        (
            Table::Claims,
            "DELETE FROM journal.claims WHERE kind = 'currency_code'".to_owned(),
            RowProblem::Missing,
        ),
        (
            Table::SubjectKeys,
            format!("DELETE FROM journal.subject_keys WHERE subject = '{gone}'"),
            RowProblem::Missing,
        ),
    ];
    for (table, sql, problem) in cases {
        full.save(table).await;
        full.owner.execute(sql.as_str()).await.unwrap();
        let faults = full.faults().await;
        assert!(faults.contains(&(table.as_str(), problem)), "{sql}: {faults:?}");
        full.restore(table).await;
        full.owner
            .execute(format!("DROP TABLE saved_{}", table.as_str()).as_str())
            .await
            .unwrap();
    }
    assert_eq!(full.faults().await, []);

    // An earlier unique value with its valid MAC, restored after the event that released it.
    full.save(Table::Claims).await;
    let node = full.office.another_node().await;
    let manager = Actor::Party(full.office.manager);
    node.submit(&full.office.tenant, submission(manager, forget(full.eva)))
        .await
        .unwrap();
    full.restore(Table::Claims).await;
    assert_eq!(full.faults().await, [(Table::Claims.as_str(), RowProblem::Contradicts)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_decision_uses_an_event_changed_in_place() {
    let office = Office::open().await;
    let node = office.another_node().await;
    // The node has folded the log and caches no stream of it.
    node.books(&office.tenant).await.unwrap();
    office
        .owner()
        .await
        .execute("UPDATE journal.events SET metadata = '{\"actor\":\"system\",\"role\":\"system\",\"request\":\"x\"}' WHERE position = 4")
        .await
        .unwrap();
    let deactivate = Command::Party(office.dealer, PartyCommand::Deactivate);
    let refused = node
        .submit(&office.tenant, submission(Actor::Party(office.manager), deactivate))
        .await;
    assert!(matches!(refused, Err(SubmitError::Quarantined)), "{refused:?}");
    assert!(node.quarantined(&office.tenant).is_some());
}

/// Changes of the middle one of a stream's three events.
const EVENT_CHANGES: &[&str] = &[
    "position = position + 1000",
    "aggregate_type = 'customer'",
    "aggregate_id = '0197a3c0-0000-7000-8000-000000000001'",
    "sequence = 9",
    "event_type = 'PartyDeactivated'",
    "event_type = event_type || 'x'",
    "event_version = '9'",
    "payload = '{}'",
    "payload = (payload::text || ' ')::json",
    "metadata = '{}'",
    "metadata = (metadata::text || ' ')::json",
    "recorded_at = recorded_at + interval '1 microsecond'",
    "recorded_at = 'infinity'",
    "hash = sha256(hash)",
    "hash = (SELECT o.hash FROM journal.events AS o WHERE o.position = 1)",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_decision_uses_a_stream_of_which_any_column_was_changed() {
    for change in EVENT_CHANGES {
        let office = Office::open().await;
        for name in ["Two", "Three"] {
            let change = ChangeParty {
                details: PartyDetails {
                    name: name.into(),
                    email: "dealer@example.com".into(),
                    ..PartyDetails::default()
                },
                known: None,
                sets_password: false,
                is_active: None,
                territory: None,
            };
            let change = Command::Party(office.dealer, PartyCommand::Change(change));
            office.manage(change).await.unwrap();
        }
        office.journal.close().await;
        let node = office.another_node().await;
        // The node has folded the log and caches no stream of it.
        let before = node.books(&office.tenant).await.unwrap().1;
        let sql = format!(
            "UPDATE journal.events SET {change} WHERE aggregate_id = '{}' AND sequence = 2",
            office.dealer.0
        );
        let changed = office.owner().await.execute(sql.as_str()).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{sql}");
        let deactivate = Command::Party(office.dealer, PartyCommand::Deactivate);
        let refused = node
            .submit(&office.tenant, submission(Actor::Party(office.manager), deactivate))
            .await;
        assert!(
            matches!(refused, Err(SubmitError::Quarantined)),
            "{change}: {refused:?}"
        );
        assert!(node.quarantined(&office.tenant).is_some(), "{change}");
        assert_eq!(node.head(&office.tenant).await.unwrap().position, before.position);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_on_a_head_with_another_hash_or_time_writes_nothing() {
    for change in ["hash = sha256(hash)", "recorded_at = recorded_at + interval '73 years'"] {
        let office = Office::open().await;
        let mut owner = office.owner().await;
        let events: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.events")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        owner
            .execute(format!("UPDATE journal.heads SET {change}").as_str())
            .await
            .unwrap();
        let status: String = sqlx::query_scalar(
            "SELECT journal.append_columns(
                    h.tenant, h.position, h.epoch,
                    (SELECT e.hash FROM journal.events AS e WHERE e.position = h.position),
                    (SELECT e.recorded_at FROM journal.events AS e WHERE e.position = h.position),
                    now(), sha256(''),
                    ROW(ARRAY['tenant'], ARRAY['x'], ARRAY[1], ARRAY['x'], ARRAY['1'], ARRAY['{}'], ARRAY['{}'],
                        ARRAY[sha256('')])::journal.event_columns,
                    NULL, NULL, NULL, NULL, NULL)
               FROM journal.heads AS h",
        )
        .fetch_one(&mut owner)
        .await
        .unwrap();
        assert_eq!(status, "moved", "{change}");
        let after: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.events")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        assert_eq!(after, events, "{change}");
    }
}
