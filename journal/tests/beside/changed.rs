//! Rows that the database's owner changed, exchanged, deleted or restored.

use super::{EMAIL, Full, KEY, REQUEST, answer_key, forget};
use crate::common::{deposit, keyed, register, replay, submission};
use caudal_domain::{
    Actor,
    ids::PartyId,
    movement::DepositTo,
    party::{Registration, Territory},
};
use caudal_journal::{JournalError, RowProblem, SubmitError, Table};
use sqlx::Executor as _;

impl Full {
    /// Whether a running node refuses a changed row of a table on its own read path, and names the table.
    async fn is_refused(&self, table: Table, column: &str) -> bool {
        let node = self.office.another_node().await;
        let tenant = &self.office.tenant;
        let manager = Actor::Party(self.office.manager);
        match table {
            // A changed snapshot is ignored: the log is replayed.
            Table::Snapshots => node.state(tenant).await.unwrap().0 == replay(&self.office.log().await),
            Table::IdempotencyRecords => {
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
            Table::UniqueValues => {
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

fn is_for<T: std::fmt::Debug>(result: Result<T, JournalError>, table: Table) -> bool {
    matches!(result, Err(JournalError::NotAuthentic(row)) if row.table == table)
}

fn refused_for<T: std::fmt::Debug>(result: Result<T, SubmitError>, table: Table) -> bool {
    let Err(SubmitError::Failed(error)) = result else {
        return false;
    };
    matches!(&*error, JournalError::NotAuthentic(row) if row.table == table)
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
        Table::UniqueValues => format!("kind = 'email' AND owner = '{}'", full.eva.0),
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
                    Table::IdempotencyRecords | Table::Answers => column == "actor",
                    Table::UniqueValues => column == "kind" || column == "digest",
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
    assert!(is_for(login, Table::UniqueValues));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_or_restored_rows_contradict_the_log_and_are_found() {
    let mut full = Full::open().await;
    let (eva, gone) = (full.eva.0, full.gone.0);
    let cases = [
        (
            Table::UniqueValues,
            format!("DELETE FROM journal.claims WHERE kind = 'email' AND owner = '{eva}'"),
            RowProblem::Missing,
        ),
        (
            Table::UniqueValues,
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
    full.save(Table::UniqueValues).await;
    let node = full.office.another_node().await;
    let manager = Actor::Party(full.office.manager);
    node.submit(&full.office.tenant, submission(manager, forget(full.eva)))
        .await
        .unwrap();
    full.restore(Table::UniqueValues).await;
    assert_eq!(
        full.faults().await,
        [(Table::UniqueValues.as_str(), RowProblem::Contradicts)]
    );
}
