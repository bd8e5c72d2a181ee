//! Whether the read models equal what a replay from event 1 builds.

use crate::{error::ProjectError, projector};
use caudal_domain::ids::TenantId;
use caudal_journal::Journal;
use caudal_postgres::Database;
use sqlx::{PgConnection, Row as _};

/// Events a step of the replay.
const BATCH: i64 = 5_000;

/// A read model that a replay builds differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table.
    pub table: String,
    /// Rows that are there and should not be, or not so.
    pub unexpected: i64,
    /// Rows that should be there, or so.
    pub missing: i64,
}

/// Replays a tenant's log into temporary tables, and compares them with the read models row by row, both ways. The
/// tenant's projector stands still meanwhile.
///
/// # Errors
/// Where the log can't be read or applied, or the database fails.
pub async fn replay(
    database: &Database,
    journal: &Journal,
    tenant: &TenantId,
) -> Result<Vec<Difference>, ProjectError> {
    let mut transaction = database.begin_write(tenant.as_str()).await?;
    let live = sqlx::query("SELECT position FROM checkpoints WHERE tenant = $1 FOR UPDATE")
        .bind(tenant.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
    let through: i64 = live.map_or(Ok(0), |row| row.try_get("position"))?;
    let tables = shadow(&mut transaction).await?;
    sqlx::query("INSERT INTO checkpoints (tenant, position, version) VALUES ($1, 0, $2)")
        .bind(tenant.as_str())
        .bind(projector::READ_MODELS_VERSION)
        .execute(&mut *transaction)
        .await?;
    let mut position = 0;
    while position < through {
        let limit = BATCH.min(through - position);
        let reached = projector::apply(&mut transaction, journal, tenant, position, limit).await?;
        if reached == position {
            break;
        }
        position = reached;
    }
    let mut differences = Vec::new();
    for table in tables {
        let unexpected = rows_only_in(&mut transaction, "read", "pg_temp", &table, tenant).await?;
        let missing = rows_only_in(&mut transaction, "pg_temp", "read", &table, tenant).await?;
        if unexpected != 0 || missing != 0 {
            differences.push(Difference {
                table,
                unexpected,
                missing,
            });
        }
    }
    transaction.rollback().await?;
    Ok(differences)
}

/// Puts temporary tables in place of the read models for the rest of the transaction. Returns their names.
async fn shadow(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let rows =
        sqlx::query("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'read' ORDER BY tablename")
            .fetch_all(&mut *connection)
            .await?;
    let tables = rows
        .iter()
        .map(|row| row.try_get("name"))
        .collect::<Result<Vec<String>, _>>()?;
    for table in &tables {
        let name = format!("\"{table}\"");
        let create = format!("CREATE TEMPORARY TABLE {name} (LIKE read.{name} INCLUDING INDEXES) ON COMMIT DROP");
        sqlx::query(&create).persistent(false).execute(&mut *connection).await?;
    }
    sqlx::query("SET LOCAL search_path TO pg_temp, public")
        .execute(connection)
        .await?;
    Ok(tables)
}

async fn rows_only_in(
    connection: &mut PgConnection,
    one: &str,
    other: &str,
    table: &str,
    tenant: &TenantId,
) -> Result<i64, sqlx::Error> {
    let text = format!(
        "SELECT count(*) AS rows FROM (SELECT * FROM {one}.\"{table}\" WHERE tenant = $1
                                       EXCEPT ALL SELECT * FROM {other}.\"{table}\" WHERE tenant = $1) AS different"
    );
    let row = sqlx::query(&text)
        .persistent(false)
        .bind(tenant.as_str())
        .fetch_one(connection)
        .await?;
    row.try_get("rows")
}
