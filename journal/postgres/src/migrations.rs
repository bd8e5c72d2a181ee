//! Schema creation and migration, by the schema's owner.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::{Migrate as _, MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection as _, Executor as _, PgConnection, PgPool};
use thiserror::Error;

use crate::hosts::Hosts;

/// The files of `migrations/` in their order: version, description, statements.
const FILES: &[(i64, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Each file in a transaction of its own.
static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let each = FILES.iter().map(|&(version, description, statements)| {
        let (description, statements) = (Cow::Borrowed(description), Cow::Borrowed(statements));
        Migration::new(version, description, MigrationType::Simple, statements, false)
    });
    Migrator {
        migrations: each.collect(),
        ..Migrator::DEFAULT
    }
});

/// The current schema, one page per schema. A new database is created from these; `journal/postgres/tests/schema.rs`
/// keeps them equal to the migrations' result.
const PAGES: [&str; 4] = [
    include_str!("../../../migrations/schema/roles.sql"),
    include_str!("../../../migrations/schema/journal.sql"),
    include_str!("../../../migrations/schema/read.sql"),
    include_str!("../../../migrations/schema/analytics.sql"),
];

/// Connect timeout.
const CONNECT_PATIENCE: Duration = Duration::from_secs(30);

/// Why the schema is not up to date.
#[derive(Debug, Error)]
pub enum MigrationError {
    #[error("cannot connect to the database")]
    Connect(#[source] sqlx::Error),
    #[error("cannot migrate the database")]
    Migrate(#[from] MigrateError),
    #[error("cannot read which migrations the database has")]
    State(#[source] sqlx::Error),
    #[error(
        "the database's schema is not up to date ({0}), and the user of DATABASE_URL may not change it: run `caudal migrate` \
         as the owner, with CAUDAL_OWNER_DATABASE_URL, and start again"
    )]
    Behind(String),
}

/// Creates the schema in an empty database, or runs the pending migrations. The user of `url` must own the schemas and
/// may need to create roles. An advisory lock serialises concurrent processes.
///
/// # Errors
/// When the server does not answer or a migration fails; earlier migrations stay applied.
pub async fn migrate(url: &str) -> Result<(), MigrationError> {
    let pool = connect(url).await?;
    let outcome = bring_up_to_date(&pool).await;
    pool.close().await;
    Ok(outcome?)
}

async fn bring_up_to_date(pool: &PgPool) -> Result<(), MigrateError> {
    let mut connection = pool.acquire().await?;
    connection.lock().await?;
    let made = make_if_empty(&mut connection).await;
    let unlocked = connection.unlock().await;
    drop(connection);
    made?;
    unlocked?;
    MIGRATIONS.run(pool).await
}

/// Creates the schema from its pages in an empty database and records all migrations as applied; otherwise does
/// nothing.
async fn make_if_empty(connection: &mut PgConnection) -> Result<(), MigrateError> {
    let empty: bool = sqlx::query_scalar(
        "SELECT to_regnamespace('journal') IS NULL AND to_regnamespace('read') IS NULL
            AND to_regclass('_sqlx_migrations') IS NULL",
    )
    .fetch_one(&mut *connection)
    .await?;
    if !empty {
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    for page in PAGES {
        transaction.execute(page).await?;
    }
    transaction.ensure_migrations_table().await?;
    transaction
        .execute("GRANT SELECT ON _sqlx_migrations TO caudal_node")
        .await?;
    for migration in MIGRATIONS.iter() {
        sqlx::query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES ($1, $2, true, $3, 0)",
        )
        .bind(migration.version)
        .bind(&*migration.description)
        .bind(&*migration.checksum)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Migrates when the user of `url` owns the schema or may create it; otherwise checks that the schema is current.
///
/// # Errors
/// As [`migrate`], and when the user may not migrate an outdated schema.
pub async fn migrate_or_check(url: &str) -> Result<(), MigrationError> {
    let pool = connect(url).await?;
    let outcome = match may_migrate(&pool).await {
        Ok(true) => bring_up_to_date(&pool).await.map_err(MigrationError::Migrate),
        Ok(false) => check(&pool).await,
        Err(error) => Err(MigrationError::State(error)),
    };
    pool.close().await;
    outcome
}

/// Checks that the schema is this program's, and changes nothing.
///
/// # Errors
/// When the server does not answer or the schema is another one.
pub async fn check_schema(url: &str) -> Result<(), MigrationError> {
    let pool = connect(url).await?;
    let outcome = check(&pool).await;
    pool.close().await;
    outcome
}

async fn connect(url: &str) -> Result<PgPool, MigrationError> {
    let writable = async { url.parse::<Hosts>()?.writable().await };
    let host = writable.await.map_err(MigrationError::Connect)?;
    PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(CONNECT_PATIENCE)
        .connect_with(host)
        .await
        .map_err(MigrationError::Connect)
}

/// Whether the user owns the journal's schema, or may create it when missing.
async fn may_migrate(pool: &PgPool) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT COALESCE((SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'journal'),
                         has_database_privilege(current_database(), 'CREATE'))",
    )
    .fetch_one(pool)
    .await
}

/// Compares the applied migrations with those of this program.
async fn check(pool: &PgPool) -> Result<(), MigrationError> {
    let behind = |what: String| Err(MigrationError::Behind(what));
    let readable: bool = sqlx::query_scalar(
        "SELECT COALESCE(has_table_privilege(session_user, to_regclass('public._sqlx_migrations'), 'SELECT')
                         OR pg_has_role(session_user, 'caudal_node', 'MEMBER')
                            AND has_table_privilege('caudal_node', to_regclass('public._sqlx_migrations'), 'SELECT'),
                         false)
           FROM pg_namespace WHERE nspname = 'journal'",
    )
    .fetch_optional(pool)
    .await
    .map_err(MigrationError::State)?
    .unwrap_or(false);
    if !readable {
        return behind(
            "no list of migrations can be read: none ran, or the login is no member of caudal_node".to_owned(),
        );
    }
    let ran = applied(pool).await.map_err(MigrationError::State)?;
    for migration in MIGRATIONS.iter() {
        match ran.get(&migration.version) {
            None => return behind(format!("migration {} did not run", migration.version)),
            Some((_, false)) => return behind(format!("migration {} failed half-way", migration.version)),
            Some((checksum, true)) if migration.checksum != *checksum => {
                return Err(MigrateError::VersionMismatch(migration.version).into());
            }
            Some(_) => {}
        }
    }
    match ran.keys().find(|version| !MIGRATIONS.version_exists(**version)) {
        Some(newer) => Err(MigrateError::VersionMissing(*newer).into()),
        None => Ok(()),
    }
}

/// Checksums of applied migrations by version, each with its success.
async fn applied(pool: &PgPool) -> Result<BTreeMap<i64, (Vec<u8>, bool)>, sqlx::Error> {
    // The pool's only connection; closed next.
    let mut connection = pool.acquire().await?;
    connection.execute("SET ROLE caudal_node").await?;
    let rows: Vec<(i64, Vec<u8>, bool)> =
        sqlx::query_as("SELECT version, checksum, success FROM public._sqlx_migrations")
            .fetch_all(&mut *connection)
            .await?;
    Ok(rows
        .into_iter()
        .map(|(version, checksum, success)| (version, (checksum, success)))
        .collect())
}

/// Hash over all migrations and pages; identifies the schema that [`migrate`] produces.
pub fn fingerprint() -> String {
    let mut checksums = Vec::new();
    for migration in MIGRATIONS.iter() {
        checksums.extend_from_slice(&migration.checksum);
    }
    for page in PAGES {
        checksums.extend_from_slice(page.as_bytes());
    }
    uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, &checksums)
        .simple()
        .to_string()
}
