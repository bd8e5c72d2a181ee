//! Logins of analysts: what they read, and that docs/analytics.md describes the views as they are.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use caudal_postgres::{Analyst, AnalystError, analysts, grant_analyst, grant_login, migrate, revoke_analyst};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::fmt::Write as _;

const PARTIES: &str = "SELECT count(*) FROM analytics_v1.parties";

async fn tell(url: &str, statements: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute(statements).await.unwrap();
    connection.close().await.unwrap();
}

/// A login that may do nothing, of a name that no other test uses, on a database with two parties of `acme` and one of
/// `other`: its URL. Roles are the whole server's: `end` drops it.
async fn login(test: &TestDatabase, name: &str) -> String {
    test.prepare_for_analysts().await;
    login_with_public_rights(test, name).await
}

/// Like `login`, with the rights that PostgreSQL gives to every login.
async fn login_with_public_rights(test: &TestDatabase, name: &str) -> String {
    for (tenant, parties) in [("acme", 2), ("other", 1)] {
        let rows = format!(
            "SET caudal.tenant TO '{tenant}';
             INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ('{tenant}', 0, decode(repeat('00', 32), 'hex'), now());
             INSERT INTO read.parties (tenant, id, role, is_active, zones, handle_mlc, name, created_at, updated_at)
             SELECT '{tenant}', gen_random_uuid(), 'agency', true, '{{}}', false, '{tenant}', now(), now()
               FROM generate_series(1, {parties})"
        );
        tell(test.url(), &rows).await;
    }
    tell(test.url(), &format!("CREATE ROLE {name} LOGIN")).await;
    test.url().replace("caudal_owner@", &format!("{name}@"))
}

/// Runs a statement with the name of the test's database in place of `%I`.
async fn tell_of_database(test: &TestDatabase, statement: &str) {
    let run = format!("DO $$ BEGIN EXECUTE format('{statement}', current_database()); END $$");
    tell(test.url(), &run).await;
}

async fn end(test: &TestDatabase, name: &str) {
    tell(test.url(), &format!("DROP ROLE {name}")).await;
}

async fn count(connection: &mut PgConnection, query: &str) -> i64 {
    sqlx::query_scalar(query).fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn an_analyst_reads_the_views_of_its_tenant_and_nothing_else() {
    let test = TestDatabase::new().await;
    let url = login(&test, "analyst_alone").await;
    grant_analyst(test.url(), "analyst_alone", "acme").await.unwrap();
    let mut analyst = PgConnection::connect(&url).await.unwrap();
    for setting in [
        "RESET caudal.tenant",
        "SET caudal.tenant TO 'other'",
        "SET caudal.tenant TO '*'",
        "SET ROLE caudal_analyst",
    ] {
        analyst.execute(setting).await.unwrap();
        assert_eq!(count(&mut analyst, PARTIES).await, 2, "{setting}");
        let names: Vec<String> = sqlx::query_scalar("SELECT DISTINCT name FROM analytics_v1.parties")
            .fetch_all(&mut analyst)
            .await
            .unwrap();
        assert_eq!(names, ["acme"], "{setting}");
    }
    analyst.execute("RESET ROLE").await.unwrap();
    for attempt in [
        "SELECT FROM read.parties",
        "SELECT FROM read.checkpoints",
        "SELECT FROM journal.events",
        "SELECT FROM journal.keyring",
        "SELECT FROM analytics.logins",
        "SELECT FROM public._sqlx_migrations",
        "SELECT read.search_customers('%', '{%}')",
        "UPDATE analytics_v1.parties SET name = 'mine'",
        "INSERT INTO analytics_v1.provinces (id) VALUES (gen_random_uuid())",
        "DELETE FROM analytics_v1.parties",
        "INSERT INTO analytics.logins VALUES ('analyst_alone', 'other')",
        "CREATE TABLE analytics_v1.mine ()",
        "CREATE TABLE public.mine ()",
        "ALTER VIEW analytics_v1.parties RENAME TO mine",
        "DROP SCHEMA analytics_v1 CASCADE",
        "SET ROLE caudal_views",
        "SET ROLE caudal_node",
        "SET ROLE caudal_owner",
        "SET SESSION AUTHORIZATION caudal_owner",
        // The lock for which writes of another tenant wait.
        "SELECT pg_advisory_lock(hashtextextended('caudal placement other', 0))",
        "SELECT pg_advisory_lock_shared(1, 2)",
        "SELECT pg_advisory_xact_lock(1)",
        "SELECT pg_try_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock_shared(1)",
        "SELECT lo_creat(-1)",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'mine')",
        "SELECT lo_put(1, 0, 'mine')",
        "SELECT lowrite(lo_open(1, 131072), 'mine')",
        "SELECT lo_unlink(1)",
        "CREATE TEMP TABLE mine ()",
    ] {
        let Err(error) = analyst.execute(attempt).await else {
            panic!("{attempt}: it was done");
        };
        let code = error.as_database_error().unwrap().code().unwrap().into_owned();
        assert_eq!(code, "42501", "{attempt}: {error}");
    }
    analyst.close().await.unwrap();
    revoke_analyst(test.url(), "analyst_alone").await.unwrap();
    end(&test, "analyst_alone").await;
}

#[tokio::test]
async fn a_function_of_an_analyst_is_given_no_rows_of_other_tenants() {
    let test = TestDatabase::new().await;
    let url = login(&test, "analyst_curious").await;
    grant_analyst(test.url(), "analyst_curious", "acme").await.unwrap();
    // Such a function needs a schema to be in, and an analyst has none.
    tell_of_database(&test, "GRANT TEMPORARY ON DATABASE %I TO analyst_curious").await;
    let mut analyst = PgConnection::connect(&url).await.unwrap();
    analyst
        .execute(
            "CREATE TEMP TABLE seen (name text);
             CREATE FUNCTION pg_temp.look(p_name text) RETURNS boolean LANGUAGE plpgsql COST 0.0001
             AS $$ BEGIN INSERT INTO seen VALUES (p_name); RETURN false; END $$",
        )
        .await
        .unwrap();
    let query = "SELECT count(*) FROM analytics_v1.parties WHERE pg_temp.look(name)";
    assert_eq!(count(&mut analyst, query).await, 0);
    assert_eq!(
        count(&mut analyst, "SELECT count(*) FROM seen WHERE name = 'acme'").await,
        2
    );
    assert_eq!(count(&mut analyst, "SELECT count(*) FROM seen").await, 2);
    analyst.close().await.unwrap();
    revoke_analyst(test.url(), "analyst_curious").await.unwrap();
    tell_of_database(&test, "REVOKE TEMPORARY ON DATABASE %I FROM analyst_curious").await;
    end(&test, "analyst_curious").await;
}

#[tokio::test]
async fn an_open_session_of_an_analyst_follows_its_binding() {
    let test = TestDatabase::new().await;
    let url = login(&test, "analyst_bound").await;
    let missing = grant_analyst(test.url(), "analyst_bound", "nobody").await.unwrap_err();
    assert!(matches!(missing, AnalystError::NoTenant(_)), "{missing}");
    assert_eq!(analysts(test.url()).await.unwrap(), []);
    // A member that no row binds.
    tell(test.url(), "GRANT caudal_analyst TO analyst_bound").await;
    let mut analyst = PgConnection::connect(&url).await.unwrap();
    analyst.execute("SET caudal.tenant TO 'acme'").await.unwrap();
    assert_eq!(count(&mut analyst, PARTIES).await, 0);
    for (tenant, parties) in [("acme", 2), ("other", 1)] {
        grant_analyst(test.url(), "analyst_bound", tenant).await.unwrap();
        assert_eq!(count(&mut analyst, PARTIES).await, parties);
        let bound = Analyst {
            login: "analyst_bound".to_owned(),
            tenant: tenant.to_owned(),
        };
        assert_eq!(analysts(test.url()).await.unwrap(), [bound]);
    }
    assert!(revoke_analyst(test.url(), "analyst_bound").await.unwrap());
    let refused = analyst.execute(PARTIES).await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
    assert!(!revoke_analyst(test.url(), "analyst_bound").await.unwrap());
    analyst.close().await.unwrap();
    end(&test, "analyst_bound").await;
}

#[tokio::test]
async fn only_a_login_without_other_rights_is_made_an_analyst() {
    let test = TestDatabase::new().await;
    login(&test, "analyst_mighty").await;
    let missing = grant_analyst(test.url(), "nobody_by_this_name", "acme")
        .await
        .unwrap_err();
    assert!(matches!(missing, AnalystError::Missing(_)), "{missing}");
    let group = grant_analyst(test.url(), "caudal_analyst", "acme").await.unwrap_err();
    assert!(matches!(group, AnalystError::Missing(_)), "{group}");
    for mighty in ["caudal_owner", "postgres"] {
        let refused = grant_analyst(test.url(), mighty, "acme").await.unwrap_err();
        assert!(matches!(refused, AnalystError::TooMighty(_)), "{refused}");
    }
    tell(test.url(), "GRANT USAGE ON SCHEMA read TO analyst_mighty").await;
    let refused = grant_analyst(test.url(), "analyst_mighty", "acme").await.unwrap_err();
    assert!(matches!(refused, AnalystError::TooMighty(_)), "{refused}");
    tell(test.url(), "REVOKE USAGE ON SCHEMA read FROM analyst_mighty").await;
    grant_login(test.url(), "analyst_mighty").await.unwrap();
    let refused = grant_analyst(test.url(), "analyst_mighty", "acme").await.unwrap_err();
    assert!(matches!(refused, AnalystError::TooMighty(_)), "{refused}");
    tell(test.url(), "REVOKE caudal_node FROM analyst_mighty").await;
    grant_analyst(test.url(), "analyst_mighty", "acme").await.unwrap();
    revoke_analyst(test.url(), "analyst_mighty").await.unwrap();
    end(&test, "analyst_mighty").await;
}

#[tokio::test]
async fn a_login_that_may_lock_or_write_is_made_no_analyst() {
    let test = TestDatabase::new().await;
    login_with_public_rights(&test, "analyst_public").await;
    let refused = async |why: &str| {
        let refused = grant_analyst(test.url(), "analyst_public", "acme").await.unwrap_err();
        assert!(matches!(refused, AnalystError::LocksOrWrites(_)), "{why}: {refused}");
        assert!(
            refused.to_string().contains("deploy/postgres/analysts.sql"),
            "{refused}"
        );
    };
    refused("the rights of PUBLIC").await;
    test.prepare_for_analysts().await;
    for function in [
        "pg_advisory_lock(bigint)",
        "pg_advisory_xact_lock_shared(integer, integer)",
        "pg_try_advisory_lock(bigint)",
        "lo_from_bytea(oid, bytea)",
        "lowrite(integer, bytea)",
    ] {
        let grant = format!("GRANT EXECUTE ON FUNCTION {function} TO analyst_public");
        tell(&test.superuser_url(), &grant).await;
        refused(function).await;
        let revoke = format!("REVOKE EXECUTE ON FUNCTION {function} FROM analyst_public");
        tell(&test.superuser_url(), &revoke).await;
    }
    tell_of_database(&test, "GRANT TEMPORARY ON DATABASE %I TO PUBLIC").await;
    refused("temporary tables").await;
    // The script may be run again.
    test.prepare_for_analysts().await;
    grant_analyst(test.url(), "analyst_public", "acme").await.unwrap();
    revoke_analyst(test.url(), "analyst_public").await.unwrap();
    end(&test, "analyst_public").await;
}

#[tokio::test]
async fn servers_and_the_owner_lock_and_make_temporary_tables_in_a_database_prepared_for_analysts() {
    let test = TestDatabase::new().await;
    test.prepare_for_analysts().await;
    let node = test.connect().await;
    let mut transaction = node.begin_write("acme").await.unwrap();
    for statement in [
        "SELECT pg_advisory_xact_lock(1)",
        "SELECT pg_advisory_xact_lock_shared(1)",
        "CREATE TEMPORARY TABLE mine (LIKE read.parties INCLUDING INDEXES)",
    ] {
        sqlx::query(statement).execute(&mut *transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
    migrate(test.url()).await.unwrap();
    for statement in ["SELECT pg_try_advisory_lock(1)", "CREATE TEMPORARY TABLE mine ()"] {
        tell(test.url(), statement).await;
    }
}

/// The views as docs/analytics.md describes them.
async fn described(test: &TestDatabase) -> String {
    let mut owner = PgConnection::connect(test.url()).await.unwrap();
    let columns: Vec<(String, String, String, String, String)> = sqlx::query_as(
        "SELECT c.relname::text, coalesce(obj_description(c.oid, 'pg_class'), ''), a.attname::text,
                format_type(a.atttypid, a.atttypmod), coalesce(col_description(c.oid, a.attnum), '')
           FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
          WHERE c.relnamespace = 'analytics_v1'::regnamespace ORDER BY c.relname, a.attnum",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    let mut text = String::new();
    let mut last = String::new();
    for (view, about, column, kind, meaning) in columns {
        assert!(
            !about.is_empty() && !meaning.is_empty(),
            "{view}.{column} has no comment"
        );
        if view != last {
            write!(
                text,
                "\n### `{view}`\n\n{about}\n\n| Column | Type | Meaning |\n|---|---|---|\n"
            )
            .unwrap();
            last = view;
        }
        let kind = kind.replace(" with time zone", "tz");
        writeln!(text, "| `{column}` | `{kind}` | {meaning} |").unwrap();
    }
    text
}

#[tokio::test]
async fn the_documentation_lists_every_view_and_column() {
    let test = TestDatabase::new().await;
    let written = include_str!("../../../docs/analytics.md");
    let described = described(&test).await;
    assert!(described.matches("\n### ").count() >= 12);
    assert!(
        written.ends_with(&described),
        "docs/analytics.md is to end with this:\n{described}"
    );
}
