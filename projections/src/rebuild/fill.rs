//! Replay of a tenant's log into shadow tables.

use crate::{
    batch::Kept,
    error::ProjectError,
    projector::{self, ahead::Ahead, fold::Writing},
    table::Writes,
    tally::Tallies,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Hash, Journal, LogPoint, Recorded};
use sqlx::{Connection as _, PgConnection, Postgres, Row as _, Transaction};

/// Events per transaction; rows that change several times are written once. Some 30 MB of memory, doubled by the
/// prefetch.
const BATCH: i64 = 10_000;
/// Tallies accumulated before a write: some 20 MB. Most change with every batch.
const HELD_TALLIES: usize = 100_000;

/// Growth factor of shadow tables after which ANALYZE runs; it takes seconds on large tables.
pub(crate) const GROWTH: i64 = 4;

/// Shadow read models of one tenant, with state kept between steps.
pub(crate) struct Shadow<'a> {
    journal: &'a Journal,
    tenant: &'a TenantId,
    /// Schema, quoted for a search path.
    schema: &'a str,
    kept: Kept,
    ahead: Ahead,
    /// Accumulated tallies.
    tallies: Tallies,
}

/// Names of all read model tables.
pub(crate) async fn tables(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let rows =
        sqlx::query("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'read' ORDER BY tablename")
            .fetch_all(connection)
            .await?;
    rows.iter().map(|row| row.try_get("name")).collect()
}

impl<'a> Shadow<'a> {
    /// The shadow of a tenant in a schema.
    pub(crate) fn new(journal: &'a Journal, tenant: &'a TenantId, schema: &'a str) -> Self {
        Self {
            journal,
            tenant,
            schema,
            kept: Kept::default(),
            ahead: Ahead::default(),
            tallies: Tallies::default(),
        }
    }

    /// Begins a transaction in which unqualified read model names resolve to the shadow.
    async fn begin<'c>(&self, connection: &'c mut PgConnection) -> Result<Transaction<'c, Postgres>, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        // A crash loses the shadow anyway.
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

    /// Position reached; starts before the first event.
    pub(crate) async fn position(&self, connection: &mut PgConnection) -> Result<LogPoint, sqlx::Error> {
        let mut transaction = self.begin(connection).await?;
        // Tables of equal names alternate on one connection, so statements must not be cached.
        sqlx::query("INSERT INTO checkpoints (tenant, position, version) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING")
            .persistent(false)
            .bind(self.tenant.as_str())
            .bind(projector::READ_MODELS_VERSION)
            .execute(&mut *transaction)
            .await?;
        let row = sqlx::query("SELECT position, hash FROM checkpoints WHERE tenant = $1")
            .persistent(false)
            .bind(self.tenant.as_str())
            .fetch_one(&mut *transaction)
            .await?;
        let (position, hash): (i64, Option<Hash>) = (row.try_get("position")?, row.try_get("hash")?);
        transaction.commit().await?;
        // A shadow's position always has a hash.
        Ok(hash.map_or_else(
            || LogPoint::genesis(self.tenant.as_str()),
            |hash| LogPoint { position, hash },
        ))
    }

    /// Applies one batch of events, at most through a position. Returns the point reached; equal to `after` at the end
    /// of the log. Tables are complete after [settling](Self::settle).
    pub(crate) async fn step(
        &mut self,
        connection: &mut PgConnection,
        after: LogPoint,
        through: i64,
    ) -> Result<LogPoint, ProjectError> {
        let limit = BATCH.min(through - after.position);
        if limit <= 0 {
            return Ok(after);
        }
        let events = match self.ahead.take(after, limit).await {
            Some(events) => events,
            None => self.journal.events_following(self.tenant, after, limit).await?,
        };
        let Some(reached) = events.last().map(Recorded::point) else {
            return Ok(after);
        };
        let next = BATCH.min(through - reached.position);
        if next > 0 {
            self.ahead.read(self.journal, self.tenant, reached, next);
        }
        let kept = std::mem::take(&mut self.kept);
        let mut transaction = self.begin(connection).await?;
        let how = Writing {
            held: Some(&mut self.tallies),
            only_at: None,
        };
        let kept = projector::apply(&mut transaction, self.tenant, &events, kept, how).await?;
        self.kept = kept.unwrap_or_default();
        transaction.commit().await?;
        if self.tallies.len() > HELD_TALLIES {
            self.settle(connection, reached).await?;
        }
        Ok(reached)
    }

    /// Writes the accumulated tallies.
    pub(crate) async fn settle(&mut self, connection: &mut PgConnection, at: LogPoint) -> Result<(), ProjectError> {
        let tallies = std::mem::take(&mut self.tallies);
        let mut transaction = self.begin(connection).await?;
        let mut writes = Writes::of(self.tenant)?;
        tallies.write(&mut writes)?;
        writes.run(&mut transaction, at).await?;
        Ok(transaction.commit().await?)
    }

    /// Applies all events through a position. Returns the position reached.
    pub(crate) async fn fill(&mut self, connection: &mut PgConnection, through: i64) -> Result<i64, ProjectError> {
        let mut at = self.position(connection).await?;
        loop {
            let reached = self.step(connection, at, through).await?;
            if reached == at {
                self.settle(connection, at).await?;
                return Ok(at.position);
            }
            at = reached;
        }
    }
}
