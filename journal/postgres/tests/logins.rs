//! The login of nodes: what it can't do to the log, and what happens where it may not migrate.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use caudal_postgres::{
    Given, LoginError, MigrationError, Storage, StorageError, can_rewrite_history, grant_login, migrate_or_check,
};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, Executor as _, PgConnection};

/// `insufficient_privilege`, and `invalid_parameter_value` for a role that may not be set.
const REFUSED: [&str; 2] = ["42501", "22023"];

async fn tell(url: &str, statements: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute(statements).await.unwrap();
    connection.close().await.unwrap();
}

/// A user who may do nothing, of a name that no other test uses.
fn user(url: &str, name: &str) -> String {
    url.replace("caudal_owner@", &format!("{name}@"))
}

fn given(node: &str) -> Given {
    Given {
        node: Some(node.to_owned()),
        ..Given::default()
    }
}

async fn storage(given: Given) -> Storage {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = caudal_postgres::DataDir::at(folder.path()).unwrap();
    Storage::open(&data_dir, given).await.unwrap()
}

#[tokio::test]
async fn a_nodes_login_cannot_rewrite_history_as_any_role_it_can_become() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    assert!(!can_rewrite_history(database.pool()).await.unwrap());
    let attempts = [
        "UPDATE journal.events SET payload = '{}'",
        "DELETE FROM journal.events",
        "TRUNCATE journal.events",
        "ALTER TABLE journal.events ADD COLUMN mine int",
        "ALTER TABLE journal.events DISABLE TRIGGER ALL",
        "ALTER TABLE journal.events NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE journal.events OWNER TO CURRENT_USER",
        "DROP TABLE journal.events",
        "DROP SCHEMA journal CASCADE",
        "DROP POLICY own_tenant ON journal.events",
        "CREATE POLICY everything ON journal.events USING (true)",
        "CREATE TABLE journal.mine ()",
        "UPDATE public._sqlx_migrations SET checksum = ''",
        "UPDATE journal.master_keys SET proof = ''",
        "DELETE FROM journal.master_keys",
        "SET ROLE caudal_owner",
        "SET SESSION AUTHORIZATION caudal_owner",
        "SET ROLE postgres",
        "SET session_replication_role TO replica",
        "ALTER ROLE CURRENT_USER CREATEROLE",
        "CREATE ROLE another",
        "CREATE DATABASE another",
    ];
    for role in ["SET ROLE caudal_node", "RESET ROLE", "SET ROLE NONE"] {
        let mut connection = database.pool().acquire().await.unwrap();
        connection.execute(role).await.unwrap();
        for attempt in attempts {
            let Err(error) = connection.execute(attempt).await else {
                panic!("{role}; {attempt}: it was done");
            };
            let code = error.as_database_error().unwrap().code().unwrap().into_owned();
            assert!(REFUSED.contains(&code.as_str()), "{role}; {attempt}: {error}");
        }
        connection.detach().close().await.unwrap();
    }
}

#[tokio::test]
async fn an_owner_login_used_by_a_node_is_detected() {
    let test = TestDatabase::new().await;
    let database = caudal_postgres::Database::connect(test.url(), caudal_postgres::Options::default())
        .await
        .unwrap();
    assert!(can_rewrite_history(database.pool()).await.unwrap());
}

#[tokio::test]
async fn only_a_login_that_owns_nothing_is_let_in() {
    let test = TestDatabase::new().await;
    let missing = grant_login(test.url(), "nobody_by_this_name").await.unwrap_err();
    assert!(matches!(missing, LoginError::Missing(_)), "{missing}");
    for mighty in ["caudal_owner", "postgres"] {
        let refused = grant_login(test.url(), mighty).await.unwrap_err();
        assert!(matches!(refused, LoginError::TooMighty(_)), "{refused}");
    }
    tell(test.url(), "CREATE ROLE plain_login LOGIN").await;
    let plain = user(test.url(), "plain_login");
    let refused = migrate_or_check(&plain).await.unwrap_err();
    assert!(matches!(refused, MigrationError::Behind(_)), "{refused}");
    grant_login(test.url(), "plain_login").await.unwrap();
    migrate_or_check(&plain).await.unwrap();
    assert!(
        caudal_postgres::Database::connect(&plain, caudal_postgres::Options::default())
            .await
            .is_ok()
    );
    // Roles are the whole server's, and the test's database is not there to be owned by one.
    tell(test.url(), "DROP ROLE plain_login").await;
}

#[tokio::test]
async fn a_login_without_the_owner_starts_on_a_schema_that_is_up_to_date_and_on_no_other() {
    let test = TestDatabase::new().await;
    storage(given(test.node_url())).await.prepare().await.unwrap();
    tell(
        test.url(),
        "DELETE FROM public._sqlx_migrations WHERE version = (SELECT max(version) FROM public._sqlx_migrations)",
    )
    .await;
    let behind = storage(given(test.node_url())).await.prepare().await.unwrap_err();
    let said = behind.to_string();
    assert!(
        matches!(behind, StorageError::Migration(MigrationError::Behind(_))),
        "{said}"
    );
    assert!(
        said.contains("caudal migrate") && said.contains("CAUDAL_OWNER_DATABASE_URL"),
        "{said}"
    );
}

#[tokio::test]
async fn commands_that_need_the_owner_say_so_to_a_login() {
    let test = TestDatabase::new().await;
    let refused = storage(given(test.node_url())).await;
    let refused = refused.checked_owner_url().await.unwrap_err();
    assert!(matches!(refused, StorageError::NoOwner), "{refused}");
    let both = Given {
        owner: Some(test.url().to_owned()),
        ..given(test.node_url())
    };
    assert_eq!(storage(both).await.checked_owner_url().await.unwrap(), test.url());
    assert_eq!(
        storage(given(test.url())).await.checked_owner_url().await.unwrap(),
        test.url()
    );
}

#[tokio::test]
async fn a_login_with_privileges_on_the_log_is_detected_and_not_let_in() {
    let test = TestDatabase::new().await;
    let superuser = user(test.url(), "postgres");
    tell(&superuser, "CREATE ROLE granted_login LOGIN").await;
    grant_login(test.url(), "granted_login").await.unwrap();
    let login = user(test.url(), "granted_login");
    let rewrites = async || {
        let mut connection = PgConnection::connect(&login).await.unwrap();
        let found = can_rewrite_history(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        found
    };
    assert!(!rewrites().await);
    for what in [
        "pg_write_all_data",
        "UPDATE ON journal.events",
        "DELETE ON journal.events",
        "TRUNCATE ON journal.events",
        "TRIGGER ON journal.events",
    ] {
        tell(&superuser, &format!("GRANT {what} TO granted_login")).await;
        assert!(rewrites().await, "{what}");
        let refused = grant_login(test.url(), "granted_login").await.unwrap_err();
        assert!(matches!(refused, LoginError::TooMighty(_)), "{what}: {refused}");
        tell(&superuser, &format!("REVOKE {what} FROM granted_login")).await;
        assert!(!rewrites().await, "{what} revoked");
    }
    // Roles are the whole server's.
    tell(&superuser, "DROP ROLE granted_login").await;
}
