//! The pool a node works through, on a migrated database.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use std::{future::poll_fn, pin::pin, task::Poll, time::Duration};

use caudal_postgres::{Database, DatabaseError, Options, migrate};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, PgConnection, Row};

/// A pool of one connection, which everybody gets in turn.
async fn one_connection(test: &TestDatabase) -> Database {
    test.connect_with(Options {
        max_connections: 1,
        ..Options::default()
    })
    .await
}

#[tokio::test]
async fn a_node_works_as_a_role_that_owns_nothing() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    let row = sqlx::query(
        "SELECT current_user::text AS name, current_setting('is_superuser') AS superuser,
                current_setting('TimeZone') AS zone, current_setting('application_name') AS application,
                (SELECT rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses,
                (SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole) AS owned",
    )
    .fetch_one(database.pool())
    .await
    .unwrap();
    assert_eq!(row.get::<String, _>("name"), "caudal_node");
    assert_eq!(row.get::<String, _>("superuser"), "off");
    assert_eq!(row.get::<String, _>("zone"), "UTC");
    assert_eq!(row.get::<String, _>("application"), "caudal");
    assert!(!row.get::<bool, _>("bypasses"));
    assert_eq!(row.get::<i64, _>("owned"), 0);
    assert!(
        sqlx::query("CREATE TABLE journal.mine ()")
            .execute(database.pool())
            .await
            .is_err()
    );
    assert!(
        sqlx::query("CREATE TABLE read.mine ()")
            .execute(database.pool())
            .await
            .is_err()
    );
}

#[tokio::test]
async fn migrating_twice_changes_nothing() {
    let test = TestDatabase::new().await;
    migrate(test.url()).await.unwrap();
    migrate(test.url()).await.unwrap();
}

#[tokio::test]
async fn every_test_has_its_own_database() {
    let (one, two) = tokio::join!(TestDatabase::new(), TestDatabase::new());
    assert_ne!(one.url(), two.url());
}

#[tokio::test]
async fn a_reading_transaction_sees_one_snapshot_of_one_tenant_and_cannot_write() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    let mut transaction = database.begin_read("acme").await.unwrap();
    let row = sqlx::query(
        "SELECT current_setting('caudal.tenant') AS tenant, current_setting('transaction_isolation') AS isolation,
                current_setting('transaction_read_only') AS read_only, current_schema()::text AS schema",
    )
    .fetch_one(&mut *transaction)
    .await
    .unwrap();
    assert_eq!(row.get::<String, _>("tenant"), "acme");
    assert_eq!(row.get::<String, _>("isolation"), "repeatable read");
    assert_eq!(row.get::<String, _>("read_only"), "on");
    assert_eq!(row.get::<String, _>("schema"), "read");
    transaction.rollback().await.unwrap();
}

#[tokio::test]
async fn a_writing_transaction_sees_what_a_lock_waited_for() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    let mut transaction = database.begin_write("acme").await.unwrap();
    let (tenant, isolation, read_only): (String, String, String) = sqlx::query_as(
        "SELECT current_setting('caudal.tenant'), current_setting('transaction_isolation'),
                current_setting('transaction_read_only')",
    )
    .fetch_one(&mut *transaction)
    .await
    .unwrap();
    assert_eq!(
        (tenant.as_str(), isolation.as_str(), read_only.as_str()),
        ("acme", "read committed", "off")
    );
    transaction.commit().await.unwrap();
}

#[tokio::test]
async fn a_connection_forgets_its_tenant_with_the_transaction() {
    let test = TestDatabase::new().await;
    let database = one_connection(&test).await;
    database.begin_write("acme").await.unwrap().commit().await.unwrap();
    drop(database.begin_read("acme").await.unwrap());
    let left: Option<String> = sqlx::query_scalar("SELECT NULLIF(current_setting('caudal.tenant', true), '')")
        .fetch_one(database.pool())
        .await
        .unwrap();
    assert_eq!(left, None);
}

#[tokio::test]
async fn a_connection_of_one_tenants_own_is_never_anybody_elses() {
    let test = TestDatabase::new().await;
    let database = one_connection(&test).await;
    let mut own = database.dedicated("acme").await.unwrap();
    let of_whom = "SELECT pg_backend_pid(), NULLIF(current_setting('caudal.tenant', true), '')";
    let (first, tenant): (i32, Option<String>) = sqlx::query_as(of_whom).fetch_one(&mut *own).await.unwrap();
    assert_eq!(tenant.as_deref(), Some("acme"));
    database.rededicate(&mut own, "other").await.unwrap();
    let (same, tenant): (i32, Option<String>) = sqlx::query_as(of_whom).fetch_one(&mut *own).await.unwrap();
    assert_eq!((same, tenant.as_deref()), (first, Some("other")));
    drop(own);
    let (next, tenant): (i32, Option<String>) = sqlx::query_as(of_whom).fetch_one(database.pool()).await.unwrap();
    assert_ne!(next, first);
    assert_eq!(tenant, None);
}

#[tokio::test]
async fn however_a_transaction_ends_its_connection_carries_no_tenant_over() {
    let test = TestDatabase::new().await;
    let mut owner = PgConnection::connect(test.url()).await.unwrap();
    sqlx::raw_sql(
        "SET caudal.tenant TO 'acme';
         INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ('acme', 0, sha256(''), now())",
    )
    .execute(&mut owner)
    .await
    .unwrap();
    let database = one_connection(&test).await;
    let rows = "SELECT count(*) FROM journal.heads";
    for end in ["commit", "rollback", "drop", "fault", "cancel", "nothing asked"] {
        let mut transaction = database.begin_write("acme").await.unwrap();
        let seen: i64 = sqlx::query_scalar(rows).fetch_one(&mut *transaction).await.unwrap();
        assert_eq!(seen, 1, "{end}");
        match end {
            "commit" => transaction.commit().await.unwrap(),
            "rollback" => transaction.rollback().await.unwrap(),
            "fault" => {
                let fault = sqlx::query("SELECT 1 / 0").execute(&mut *transaction).await;
                assert!(fault.is_err());
                drop(transaction);
            }
            // As where a caller hangs up: the request is dropped while PostgreSQL works on it.
            "cancel" => {
                let work = sqlx::query("SELECT pg_sleep(0.3)").execute(&mut *transaction);
                assert!(tokio::time::timeout(Duration::from_millis(50), work).await.is_err());
                drop(transaction);
            }
            "nothing asked" => {
                drop(transaction);
                let begun = tokio::time::timeout(Duration::from_micros(50), database.begin_write("acme"));
                drop(begun.await);
            }
            _ => drop(transaction),
        }
        // Without the application's filter, and without a tenant of its own: by what the connection carries alone.
        let mut next = database.pool().acquire().await.unwrap();
        let tenant: Option<String> = sqlx::query_scalar("SELECT NULLIF(current_setting('caudal.tenant', true), '')")
            .fetch_one(&mut *next)
            .await
            .unwrap();
        assert_eq!(tenant, None, "{end}");
        let seen: i64 = sqlx::query_scalar(rows).fetch_one(&mut *next).await.unwrap();
        assert_eq!(seen, 0, "{end}");
        drop(next);
        let mut other = database.begin_read("other").await.unwrap();
        let seen: i64 = sqlx::query_scalar(rows).fetch_one(&mut *other).await.unwrap();
        assert_eq!(seen, 0, "{end}");
    }
}

#[tokio::test]
async fn every_table_of_tenants_has_its_policy_forced_on_its_owner_too() {
    let test = TestDatabase::new().await;
    let mut owner = PgConnection::connect(test.url()).await.unwrap();
    let tables: Vec<(String, bool, bool, bool)> = sqlx::query_as(
        "SELECT c.oid::regclass::text, c.relrowsecurity, c.relforcerowsecurity,
                EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'tenant')
           FROM pg_class AS c
          WHERE c.relkind IN ('r', 'p', 'm', 'f') AND c.relnamespace IN ('journal'::regnamespace, 'read'::regnamespace)
          ORDER BY 1",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert!(tables.len() > 35, "{tables:?}");
    let without: Vec<_> = tables.iter().filter(|table| !table.3).map(|table| &table.0).collect();
    assert_eq!(without, ["journal.keyring", "journal.master_keys"]);
    for (table, secured, forced, _) in tables.iter().filter(|table| table.3) {
        assert!(*secured && *forced, "{table}");
    }
    // Policies add up: each but a table's own lets more through.
    let policies: Vec<(String, String, String, String, Option<String>)> = sqlx::query_as(
        "SELECT p.polrelid::regclass::text, p.polname::text, p.polcmd::text,
                pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
           FROM pg_policy AS p ORDER BY 1, 2",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    let (analysts, policies): (Vec<_>, Vec<_>) = policies.iter().partition(|policy| policy.1.starts_with("analysts"));
    let (own, others): (Vec<_>, Vec<_>) = policies.into_iter().partition(|policy| policy.1 == "own_tenant");
    assert_eq!(own.len(), tables.len() - without.len());
    for (table, _, command, rows, written) in own {
        // For reading and, where nothing else is said, for writing.
        assert_eq!((command.as_str(), written), ("*", &None), "{table}");
        let wanted = "(tenant = NULLIF(current_setting('caudal.tenant'::text, true), ''::text))";
        assert_eq!(rows, wanted, "{table}");
    }
    let others: Vec<_> = others
        .iter()
        .map(|policy| (policy.0.as_str(), policy.1.as_str()))
        .collect();
    assert_eq!(
        others,
        [
            ("journal.answers", "directory"),
            ("journal.heads", "directory"),
            ("journal.imports", "directory"),
            ("journal.placements", "directory"),
            ("journal.quarantines", "directory"),
            ("journal.receipts", "directory"),
            ("journal.webhook_positions", "directory"),
            ("read.checkpoints", "directory"),
            ("read.customers", "search"),
            ("read.movements", "search"),
            ("read.proposals", "directory"),
            ("read.rate_changes", "directory"),
            ("read.remittances", "search"),
            ("read.webhooks", "directory"),
        ]
    );
    // Each table that the views read has a policy that lets their owner in, and a restrictive one for the login's tenant.
    let mut read: Vec<_> = analysts.iter().map(|policy| policy.0.as_str()).collect();
    read.dedup();
    assert_eq!(
        read,
        [
            "read.accounts",
            "read.checkpoints",
            "read.currencies",
            "read.customers",
            "read.debits",
            "read.entries",
            "read.entry_lines",
            "read.flows",
            "read.movements",
            "read.municipalities",
            "read.parties",
            "read.payment_groups",
            "read.postings",
            "read.provinces",
            "read.remittance_history",
            "read.remittances",
            "read.tenants",
        ]
    );
    assert_eq!(analysts.len(), 2 * read.len());
    for (table, name, command, rows, written) in &analysts {
        let wanted = match name.as_str() {
            "analysts" => "true",
            // The owner is a member of the views' role, and reads everything as before.
            _ => {
                "((tenant = ( SELECT l.tenant\n   FROM analytics.logins l\n  WHERE (l.login = SESSION_USER))) \
                 OR ( SELECT pg_has_role(SESSION_USER, n.nspowner, 'USAGE'::text) AS pg_has_role\n   \
                 FROM pg_namespace n\n  WHERE (n.nspname = 'read'::name)))"
            }
        };
        assert_eq!(
            (command.as_str(), rows.as_str(), written),
            ("r", wanted, &None),
            "{table} {name}"
        );
    }
    let unrestricted: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_policy
          WHERE (polname = 'analysts_tenant') = polpermissive
             OR (polname LIKE 'analysts%') <> (polroles = ARRAY['caudal_views'::regrole::oid])",
    )
    .fetch_one(&mut owner)
    .await
    .unwrap();
    assert_eq!(unrestricted, 0);
    let roles: Vec<String> = sqlx::query_scalar(
        "SELECT rolname::text FROM pg_roles
          WHERE (rolsuper OR rolbypassrls) AND pg_has_role(current_user, oid, 'MEMBER') ORDER BY 1",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert_eq!(roles, [""; 0], "nobody that the owner may become is above the policies");
}

#[tokio::test]
async fn invalid_tenant_ids_never_reach_the_database() {
    let test = TestDatabase::new().await;
    let database = test.connect().await;
    for text in ["", "a'b", "a;b", "a b", "A\0", "ñ"] {
        assert!(
            matches!(database.begin_read(text).await, Err(DatabaseError::Tenant(_))),
            "{text:?}"
        );
    }
}

#[tokio::test]
async fn a_statement_that_runs_too_long_is_ended() {
    let test = TestDatabase::new().await;
    let database = test
        .connect_with(Options {
            statement_timeout: Duration::from_millis(50),
            ..Options::default()
        })
        .await;
    let problem = sqlx::query("SELECT pg_sleep(60)")
        .execute(database.pool())
        .await
        .unwrap_err();
    assert_eq!(
        problem.as_database_error().and_then(|error| error.code()).as_deref(),
        Some("57014")
    );
}

#[tokio::test]
async fn a_full_pool_times_out_with_an_error() {
    let test = TestDatabase::new().await;
    let options = Options {
        max_connections: 1,
        // As long as a busy machine needs to open the first one.
        acquire_timeout: Duration::from_secs(2),
        ..Options::default()
    };
    let database = test.connect_with(options).await;
    let _held = database.begin_read("acme").await.unwrap();
    let problem = database.begin_read("acme").await.unwrap_err();
    assert!(
        matches!(problem, DatabaseError::Begin(sqlx::Error::PoolTimedOut)),
        "{problem:?}"
    );
}

#[tokio::test]
async fn a_node_that_falls_silent_keeps_no_locks() {
    let test = TestDatabase::new().await;
    let options = Options {
        silence_timeout: Duration::from_millis(100),
        ..Options::default()
    };
    let (frozen, other) = (test.connect_with(options).await, test.connect().await);
    let lock = "SELECT pg_advisory_xact_lock(1)";
    let mut silent = frozen.begin_write("acme").await.unwrap();
    sqlx::query(lock).execute(&mut *silent).await.unwrap();
    let mut next = other.begin_write("acme").await.unwrap();
    sqlx::query(lock).execute(&mut *next).await.unwrap();
    assert!(silent.commit().await.is_err(), "it learns that it was too slow");
}

#[tokio::test]
async fn work_of_an_operator_may_be_silent() {
    let test = TestDatabase::new().await;
    let options = Options {
        silence_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let database = test.connect_with(options).await;
    let mut transaction = database.begin_long_write("acme").await.unwrap();
    sqlx::query("SELECT 1").execute(&mut *transaction).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    transaction.commit().await.unwrap();
}

/// What docs/scaling.md relies on: a tenant's rows can be kept together on any of several servers.
#[tokio::test]
async fn every_table_can_be_spread_by_tenant() {
    let database = TestDatabase::new().await;
    let mut owner = PgConnection::connect(database.url()).await.unwrap();
    let keys: Vec<(String, Option<String>)> = sqlx::query_as(
        "SELECT i.indexrelid::regclass::text, a.attname::text
           FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
           LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
          WHERE i.indisunique AND c.relnamespace IN ('journal'::regnamespace, 'read'::regnamespace)",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert!(keys.len() > 30, "{keys:?}");
    let elsewhere: Vec<_> = keys
        .iter()
        .filter(|(_, first)| first.as_deref() != Some("tenant"))
        .map(|(index, _)| index.as_str())
        .collect();
    assert_eq!(elsewhere, ["journal.keyring_pkey", "journal.master_keys_pkey"]);
    let crossing: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_constraint AS f JOIN pg_attribute AS a
             ON a.attrelid = f.conrelid AND a.attname = 'tenant'
          WHERE f.contype = 'f' AND NOT a.attnum = ANY (f.conkey)",
    )
    .fetch_one(&mut owner)
    .await
    .unwrap();
    assert_eq!(crossing, 0, "foreign keys without the tenant");
    let sequences: i64 =
        sqlx::query_scalar("SELECT count(*) FROM pg_sequences WHERE schemaname IN ('journal', 'read')")
            .fetch_one(&mut owner)
            .await
            .unwrap();
    assert_eq!(sequences, 0);
}

/// Polls `work` at most `steps` times, then drops it.
async fn given_up_after<F: Future>(steps: usize, work: F) -> Option<F::Output> {
    let mut work = pin!(work);
    let mut left = steps;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        work.as_mut().poll(context).map(Some)
    })
    .await
}

#[tokio::test]
async fn autocommit_works_on_a_connection_abandoned_during_begin() {
    let test = TestDatabase::new().await;
    let mut owner = PgConnection::connect(test.url()).await.unwrap();
    sqlx::raw_sql("CREATE TABLE public.done (number integer); GRANT INSERT ON public.done TO caudal_node")
        .execute(&mut owner)
        .await
        .unwrap();
    let database = one_connection(&test).await;
    let mut given_up = 0;
    // On a busy machine the reply can be there at the first poll already, so some more are tried.
    for number in 1..=500 {
        if number > 12 && given_up > 0 {
            break;
        }
        // Given back, so that it is had at once.
        while database.pool().num_idle() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let begun = if number % 2 == 0 {
            given_up_after(1, database.begin_write("acme")).await
        } else {
            given_up_after(1, database.begin_read("acme")).await
        };
        given_up += i32::from(begun.is_none());
        drop(begun);
        sqlx::query("INSERT INTO public.done VALUES ($1)")
            .bind(number)
            .execute(database.pool())
            .await
            .unwrap();
        let done: Option<i32> = sqlx::query_scalar("SELECT max(number) FROM public.done")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        assert_eq!(done, Some(number), "what was acknowledged is there for all to see");
    }
    assert!(given_up > 0);
}
