//! The pages of `migrations/schema`, which a new database is made from, and the migrations, which bring older ones forward.
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use caudal_postgres::migrate;
use caudal_postgres_testing::TestDatabase;
use sqlx::migrate::Migrator;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::path::Path;

async fn migrations() -> Migrator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
    Migrator::new(folder).await.unwrap()
}

/// What the catalogues say of the schemas, a line a fact: columns in their order, constraints, indexes, policies,
/// privileges, functions, triggers, comments.
const DESCRIPTION: &str = "
WITH namespaces AS (
    SELECT oid, nspname, nspacl, nspowner FROM pg_namespace WHERE nspname IN ('journal', 'read', 'analytics', 'analytics_v1')
), relations AS (
    SELECT c.*, n.nspname || '.' || c.relname AS name FROM pg_class AS c JOIN namespaces AS n ON n.oid = c.relnamespace
)
SELECT line FROM (
    SELECT format('schema %s: owner %s, privileges %s, %s', nspname, nspowner::regrole, nspacl,
                  obj_description(oid, 'pg_namespace')) AS line
      FROM namespaces
    UNION ALL
    SELECT format('extension %s in %s', extname, extnamespace::regnamespace) FROM pg_extension
    UNION ALL
    SELECT format('relation %s (%s): owner %s, options %s, row security %s %s, comment %s', name, relkind,
                  relowner::regrole, reloptions, relrowsecurity, relforcerowsecurity, obj_description(oid, 'pg_class'))
      FROM relations
    UNION ALL
    SELECT format('privilege on %s: %s %s', name, a.grantee::regrole, a.privilege_type)
      FROM relations, aclexplode(relacl) AS a
    UNION ALL
    SELECT format('column %s %s.%s: %s collate %s, not null %s, default %s, generated %s, storage %s, compression %s, '
                  'statistics %s, comment %s, privileges %s',
                  row_number() OVER (PARTITION BY r.oid ORDER BY a.attnum), r.name, a.attname,
                  format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation, a.attnotnull,
                  pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attstorage, a.attcompression, a.attstattarget,
                  col_description(r.oid, a.attnum),
                  (SELECT string_agg(format('%s %s', p.grantee::regrole, p.privilege_type), ', ' ORDER BY 1)
                     FROM aclexplode(a.attacl) AS p))
      FROM relations AS r
      JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef AS d ON d.adrelid = r.oid AND d.adnum = a.attnum
     WHERE r.relkind IN ('r', 'v')
    UNION ALL
    SELECT format('view %s: %s', name, pg_get_viewdef(oid)) FROM relations WHERE relkind = 'v'
    UNION ALL
    SELECT format('constraint %s on %s: %s', c.conname, r.name, pg_get_constraintdef(c.oid))
      FROM pg_constraint AS c JOIN relations AS r ON r.oid = c.conrelid
    UNION ALL
    SELECT format('index %s', pg_get_indexdef(i.indexrelid))
      FROM pg_index AS i JOIN relations AS r ON r.oid = i.indrelid
    UNION ALL
    SELECT format('policy %s on %s: permissive %s, for %s to %s, using %s, check %s', p.polname, r.name, p.polpermissive,
                  p.polcmd, (SELECT string_agg(CASE o WHEN 0 THEN 'public' ELSE o::regrole::text END, ', ' ORDER BY 1)
                               FROM unnest(p.polroles) AS o),
                  pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
      FROM pg_policy AS p JOIN relations AS r ON r.oid = p.polrelid
    UNION ALL
    SELECT format('trigger on %s: %s', r.name, pg_get_triggerdef(t.oid))
      FROM pg_trigger AS t JOIN relations AS r ON r.oid = t.tgrelid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT format('function %s: owner %s, execute %s, %s', p.oid::regprocedure, p.proowner::regrole,
                  (SELECT string_agg(CASE a.grantee WHEN 0 THEN 'public' ELSE a.grantee::regrole::text END, ', ' ORDER BY 1)
                     FROM aclexplode(p.proacl) AS a),
                  pg_get_functiondef(p.oid))
      FROM pg_proc AS p JOIN namespaces AS n ON n.oid = p.pronamespace
) AS facts ORDER BY line";

/// Fewer lines would mean that the description misses the schemas.
const LEAST_FACTS: usize = 700;

async fn describe(connection: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(DESCRIPTION).fetch_all(connection).await.unwrap()
}

/// An empty database of this name beside the test's own: its URL.
async fn empty(test: &TestDatabase, name: &str) -> String {
    let own = url::Url::parse(test.url()).unwrap();
    let name = format!("{}_{name}", own.path().trim_start_matches('/'));
    let mut connection = PgConnection::connect(test.url()).await.unwrap();
    connection.execute(&*format!("CREATE DATABASE {name}")).await.unwrap();
    let mut url = own;
    url.set_path(&name);
    url.into()
}

#[tokio::test]
async fn the_schema_pages_and_the_migrations_make_the_same_database() {
    let test = TestDatabase::new().await;

    let migrated = empty(&test, "migrated").await;
    let mut connection = PgConnection::connect(&migrated).await.unwrap();
    migrations().await.run(&mut connection).await.unwrap();
    let by_migrations = describe(&mut connection).await;

    let made = empty(&test, "made").await;
    migrate(&made).await.unwrap();
    let mut connection = PgConnection::connect(&made).await.unwrap();
    let by_pages = describe(&mut connection).await;

    assert!(by_migrations.len() >= LEAST_FACTS, "{} facts", by_migrations.len());
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|one| !those.contains(one)).cloned().collect()
    };
    assert_eq!(
        only(&by_migrations, &by_pages),
        Vec::<String>::new(),
        "missing in migrations/schema"
    );
    assert_eq!(
        only(&by_pages, &by_migrations),
        Vec::<String>::new(),
        "not made by the migrations"
    );
}

#[tokio::test]
async fn migrations_since_0240_only_add() {
    const ONLY_ADD_SINCE: i64 = 240;
    /// Empty the read models, as `docs/operations.md` says.
    const EMPTY_READ_MODELS: [i64; 5] = [40, 60, 90, 110, 230];
    let migrations = migrations().await;
    let taking = migrations.iter().filter(|migration| {
        let takes = ["TRUNCATE", "DROP TABLE", "DROP COLUMN", "DROP SCHEMA"];
        takes.iter().any(|taking| migration.sql.contains(taking))
    });
    let taking: Vec<i64> = taking.map(|migration| migration.version).collect();
    assert_eq!(taking, EMPTY_READ_MODELS);
    assert!(taking.iter().all(|version| *version < ONLY_ADD_SINCE));
}

#[tokio::test]
async fn two_nodes_that_start_over_an_empty_database_make_one_schema() {
    let test = TestDatabase::new().await;
    let url = empty(&test, "raced").await;
    let (one, other) = tokio::join!(migrate(&url), migrate(&url));
    one.unwrap();
    other.unwrap();
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let (recorded, failed): (i64, i64) =
        sqlx::query_as("SELECT count(*), count(*) FILTER (WHERE NOT success) FROM _sqlx_migrations")
            .fetch_one(&mut connection)
            .await
            .unwrap();
    assert_eq!(usize::try_from(recorded).unwrap(), migrations().await.iter().count());
    assert_eq!(failed, 0);
}

#[tokio::test]
async fn a_page_that_fails_leaves_an_empty_database() {
    let test = TestDatabase::new().await;
    let url = empty(&test, "refused").await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    // An operator's table of another kind stands where the read models' search function is made.
    connection.execute("CREATE TYPE public.gtrgm AS ()").await.unwrap();
    migrate(&url).await.unwrap_err();
    let left: Option<String> = sqlx::query_scalar("SELECT nspname::text FROM pg_namespace WHERE nspname = 'journal'")
        .fetch_optional(&mut connection)
        .await
        .unwrap();
    assert_eq!(left, None);
    connection.execute("DROP TYPE public.gtrgm").await.unwrap();
    migrate(&url).await.unwrap();
}
