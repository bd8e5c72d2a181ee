//! Replaying a tenant's log into tables that stand in for the read models.

use crate::{error::ProjectError, projector};
use caudal_domain::ids::TenantId;
use caudal_journal::Journal;
use sqlx::{Connection as _, PgConnection, Postgres, Row as _, Transaction};

/// Events a transaction.
const BATCH: i64 = 5_000;

/// The read models of one tenant in another schema.
#[derive(Clone, Copy)]
pub(crate) struct Shadow<'a> {
    pub(crate) journal: &'a Journal,
    pub(crate) tenant: &'a TenantId,
    /// The schema, as it stands on a search path.
    pub(crate) schema: &'a str,
}

/// The names of all read models' tables.
pub(crate) async fn tables(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let rows =
        sqlx::query("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'read' ORDER BY tablename")
            .fetch_all(connection)
            .await?;
    rows.iter().map(|row| row.try_get("name")).collect()
}

impl Shadow<'_> {
    /// A transaction in which the unqualified names of read models are the shadow's.
    async fn begin<'c>(&self, connection: &'c mut PgConnection) -> Result<Transaction<'c, Postgres>, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        // What a crash loses is lost with the shadow.
        sqlx::query(
            "SELECT set_config('caudal.tenant', $1, true), set_config('search_path', $2 || ', public', true),
                    set_config('synchronous_commit', 'off', true)",
        )
        .bind(self.tenant.as_str())
        .bind(self.schema)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction)
    }

    /// How far it has got; it begins at 0.
    pub(crate) async fn position(&self, connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
        let mut transaction = self.begin(connection).await?;
        // Tables of the same names take turns on one connection, so that no statement is kept.
        sqlx::query("INSERT INTO checkpoints (tenant, position, version) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING")
            .persistent(false)
            .bind(self.tenant.as_str())
            .bind(projector::READ_MODELS_VERSION)
            .execute(&mut *transaction)
            .await?;
        let row = sqlx::query("SELECT position FROM checkpoints WHERE tenant = $1")
            .persistent(false)
            .bind(self.tenant.as_str())
            .fetch_one(&mut *transaction)
            .await?;
        let position = row.try_get("position")?;
        transaction.commit().await?;
        Ok(position)
    }

    /// Applies one batch of events, through a position at most. Returns the position reached, which is `position` where
    /// the log has no more.
    pub(crate) async fn step(
        &self,
        connection: &mut PgConnection,
        position: i64,
        through: i64,
    ) -> Result<i64, ProjectError> {
        let limit = BATCH.min(through - position);
        if limit <= 0 {
            return Ok(position);
        }
        let mut transaction = self.begin(connection).await?;
        let reached = projector::apply(&mut transaction, self.journal, self.tenant, position, limit).await?;
        transaction.commit().await?;
        Ok(reached)
    }

    /// Applies all events through a position. Returns the position reached.
    pub(crate) async fn fill(&self, connection: &mut PgConnection, through: i64) -> Result<i64, ProjectError> {
        let mut position = self.position(connection).await?;
        loop {
            let reached = self.step(connection, position, through).await?;
            if reached == position {
                return Ok(position);
            }
            position = reached;
        }
    }
}
