//! The schema, brought up to date by its owner.

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::PgPoolOptions;
use thiserror::Error;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// How long to wait for a connection before saying that the server does not answer.
const CONNECT_PATIENCE: Duration = Duration::from_secs(30);

/// Why the schema is not up to date.
#[derive(Debug, Error)]
pub enum MigrationError {
    /// The server does not answer.
    #[error("cannot connect to the database")]
    Connect(#[source] sqlx::Error),
    /// A migration failed, was changed after it ran, or is newer than this program.
    #[error("cannot migrate the database")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// Runs the migrations that have not run yet, as the user of `url`, who owns the schemas and may create roles. An
/// advisory lock lets one process migrate while the others wait.
///
/// # Errors
/// When the server does not answer or a migration fails; the database is then as the last good migration left it.
pub async fn migrate(url: &str) -> Result<(), MigrationError> {
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(CONNECT_PATIENCE)
        .connect(url)
        .await
        .map_err(MigrationError::Connect)?;
    let outcome = MIGRATIONS.run(&pool).await;
    pool.close().await;
    Ok(outcome?)
}

/// Names the schema that [`migrate`] makes: it changes when any migration does.
pub fn fingerprint() -> String {
    let mut checksums = Vec::new();
    for migration in MIGRATIONS.iter() {
        checksums.extend_from_slice(&migration.checksum);
    }
    uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, &checksums)
        .simple()
        .to_string()
}
