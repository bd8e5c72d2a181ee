//! Verification that the read models equal a replay from event 1.

pub use crate::rebuild::Difference;
use crate::{
    error::ProjectError,
    rebuild::{GROWTH, Shadow, compare, tables},
};
use caudal_domain::ids::TenantId;
use caudal_journal::Journal;
use caudal_postgres::Database;
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};

/// Maximum lag of the replay before the projector is paused: some 100 ms of work.
const NEAR: i64 = 500;

/// Statement timeout of the comparison, which reads whole tables.
const STATEMENT_TIMEOUT: &str = "SET statement_timeout TO '1h'";

/// Replays a tenant's log into temporary tables and compares them with the read models row by row, in both directions,
/// at one position. The tenant's projector is paused for the last few events only. `progress` receives the position
/// reached and the read models'.
///
/// # Errors
/// When the log can't be read or applied, or the database fails; the read models' state is then unknown.
pub async fn replay(
    database: &Database,
    journal: &Journal,
    tenant: &TenantId,
    mut progress: impl FnMut(i64, i64) + Send,
) -> Result<Vec<Difference>, ProjectError> {
    // A connection of its own, closed at the end with its temporary tables.
    let mut connection = database.pool().acquire().await?.detach();
    connection.execute(STATEMENT_TIMEOUT).await?;
    let mut shadow = Shadow::new(journal, tenant, "pg_temp");
    let tables = create(&mut connection).await?;
    let mut at = shadow.position(&mut connection).await?;
    let mut analyzed = NEAR;
    loop {
        let through = projected(database, tenant).await?;
        progress(at.position, through);
        if through - at.position <= NEAR {
            break;
        }
        let reached = shadow.step(&mut connection, None, at, through).await?;
        if reached == at {
            break;
        }
        at = reached;
        // Autovacuum does not analyse temporary tables.
        if at.position >= analyzed * GROWTH {
            analyzed = at.position;
            for table in &tables {
                connection
                    .execute(format!("ANALYZE pg_temp.\"{table}\"").as_str())
                    .await?;
            }
        }
    }
    // The projector is paused while the last events are applied, until both sides are visible in one snapshot.
    let mut pause = database.begin_long_write(tenant.as_str()).await?;
    let row = sqlx::query("SELECT position FROM checkpoints WHERE tenant = $1 FOR UPDATE")
        .bind(tenant.as_str())
        .fetch_optional(&mut *pause)
        .await?;
    let through: i64 = row.map_or(Ok(0), |row| row.try_get("position"))?;
    shadow.fill(&mut connection, through).await?;
    progress(through, through);
    let mut transaction = connection
        .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await?;
    sqlx::query("SELECT set_config('caudal.tenant', $1, true)")
        .bind(tenant.as_str())
        .execute(&mut *transaction)
        .await?;
    pause.rollback().await?;
    let differences = compare(
        &mut transaction,
        ["read", "pg_temp"],
        &tables,
        tenant,
        through,
        |_, _| {},
    )
    .await?;
    transaction.rollback().await?;
    connection.close().await?;
    Ok(differences)
}

/// Creates temporary tables like the read models'. Returns their names.
async fn create(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let tables = tables(connection).await?;
    for table in &tables {
        let create = format!("CREATE TEMPORARY TABLE \"{table}\" (LIKE read.\"{table}\" INCLUDING INDEXES)");
        connection.execute(create.as_str()).await?;
    }
    Ok(tables)
}

/// Position of the serving read models.
async fn projected(database: &Database, tenant: &TenantId) -> Result<i64, ProjectError> {
    let mut transaction = database.begin_read(tenant.as_str()).await?;
    let row = sqlx::query("SELECT position FROM checkpoints WHERE tenant = $1")
        .bind(tenant.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
    Ok(row.map_or(Ok(0), |row| row.try_get("position"))?)
}
