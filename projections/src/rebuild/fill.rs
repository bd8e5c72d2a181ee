//! Replay of a tenant's log into shadow tables: three batches at once.
//!
//! | Batch | Where | |
//! |---|---|---|
//! | the next one but one | [`Prefetch`] | is read, decrypted and decoded |
//! | the next one | [`Shadow`] | its rows are loaded, and its events folded into them |
//! | the last one | [`Pipeline`] | its rows are written, by a connection of its own |
//!
//! Rows that are being written are in memory for the batch after, so a load never depends on a write under way. Rows
//! that change often are written once they stay the same for some batches: nobody reads the shadow meanwhile.

use crate::{
    batch::Batch,
    changes::deleted_through,
    error::ProjectError,
    projector::{
        self,
        fold::{Prepared, Writing},
        prefetch::Prefetch,
    },
    tally::Tallies,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Hash, Journal, LogPoint, Recorded};
use sqlx::{Connection as _, PgConnection, Postgres, Row as _, Transaction};
use std::io;
use tokio::task::JoinHandle;

/// Events per transaction; rows that change several times are written once. Some 30 MB of memory, doubled by the
/// prefetch.
pub(super) const BATCH: i64 = 10_000;
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
    /// Events per transaction.
    limit: i64,
    /// The next batch: cached and postponed rows.
    batch: Batch,
    prefetch: Prefetch,
    /// Accumulated tallies.
    tallies: Tallies,
}

/// Connection that writes one batch while the next one is folded.
#[derive(Debug)]
pub(crate) enum Pipeline {
    Idle(PgConnection),
    Writing(JoinHandle<Result<PgConnection, ProjectError>>),
    /// A write failed, and its connection is gone.
    Broken,
}

impl Pipeline {
    /// The connection, once the write under way has ended.
    async fn idle(&mut self) -> Result<PgConnection, ProjectError> {
        match std::mem::replace(self, Self::Broken) {
            Self::Idle(connection) => Ok(connection),
            Self::Writing(write) => write.await.map_err(|_| broken())?,
            Self::Broken => Err(broken()),
        }
    }

    /// Waits for the write under way.
    async fn drain(&mut self) -> Result<(), ProjectError> {
        *self = Self::Idle(self.idle().await?);
        Ok(())
    }

    /// Closes the connection.
    pub(crate) async fn close(mut self) -> Result<(), ProjectError> {
        Ok(self.idle().await?.close().await?)
    }
}

fn broken() -> ProjectError {
    sqlx::Error::Io(io::ErrorKind::BrokenPipe.into()).into()
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
            limit: BATCH,
            batch: Batch::default(),
            prefetch: Prefetch::default(),
            tallies: Tallies::default(),
        }
    }

    /// With another number of events per transaction.
    pub(super) fn in_batches_of(self, limit: i64) -> Self {
        Self {
            limit: limit.clamp(1, BATCH),
            ..self
        }
    }

    /// Position reached; starts before the first event.
    pub(crate) async fn position(&self, connection: &mut PgConnection) -> Result<LogPoint, sqlx::Error> {
        let mut transaction = begin(connection, self.tenant, self.schema).await?;
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
    /// of the log. With a pipeline, the batch is still being written then. Tables are complete after
    /// [settling](Self::settle).
    pub(crate) async fn step(
        &mut self,
        connection: &mut PgConnection,
        pipeline: Option<&mut Pipeline>,
        after: LogPoint,
        through: i64,
    ) -> Result<LogPoint, ProjectError> {
        let limit = self.limit.min(through - after.position);
        if limit <= 0 {
            return Ok(after);
        }
        let events = match self.prefetch.take(after, limit).await {
            Some(events) => events,
            None => self.journal.events_following(self.tenant, after, limit).await?,
        };
        let Some(reached) = events.last().map(Recorded::point) else {
            return Ok(after);
        };
        let next = self.limit.min(through - reached.position);
        if next > 0 {
            self.prefetch.read(self.journal, self.tenant, reached, next);
        }
        let mut transaction = begin(connection, self.tenant, self.schema).await?;
        let mut batch = std::mem::take(&mut self.batch);
        batch.no_changes_through = deleted_through(through);
        let mut batch = batch.fold(&mut transaction, self.tenant, &events).await?;
        let how = Writing {
            held: Some(&mut self.tallies),
            only_at: None,
        };
        let prepared = batch.prepare(self.tenant, reached, how)?;
        self.batch = batch.next();
        let Some(pipeline) = pipeline else {
            prepared.run(&mut transaction, self.tenant).await?;
            transaction.commit().await?;
            return self.settled_if_large(connection, None, reached).await;
        };
        transaction.commit().await?;
        let is_complete = prepared.is_complete;
        let writer = pipeline.idle().await?;
        let write = write(writer, self.tenant.clone(), self.schema.to_owned(), prepared);
        *pipeline = Pipeline::Writing(tokio::spawn(write));
        if is_complete {
            pipeline.drain().await?;
        }
        self.settled_if_large(connection, Some(pipeline), reached).await
    }

    /// Settles when many tallies have accumulated.
    async fn settled_if_large(
        &mut self,
        connection: &mut PgConnection,
        pipeline: Option<&mut Pipeline>,
        at: LogPoint,
    ) -> Result<LogPoint, ProjectError> {
        if self.tallies.len() > HELD_TALLIES {
            self.settle(connection, pipeline, at).await?;
        }
        Ok(at)
    }

    /// Writes the postponed rows and the accumulated tallies.
    pub(crate) async fn settle(
        &mut self,
        connection: &mut PgConnection,
        pipeline: Option<&mut Pipeline>,
        at: LogPoint,
    ) -> Result<(), ProjectError> {
        if let Some(pipeline) = pipeline {
            pipeline.drain().await?;
        }
        let tallies = std::mem::take(&mut self.tallies);
        let mut batch = std::mem::take(&mut self.batch);
        let rest = batch.prepare_rest(self.tenant, at, &tallies)?;
        let mut transaction = begin(connection, self.tenant, self.schema).await?;
        rest.run(&mut transaction, self.tenant).await?;
        transaction.commit().await?;
        self.batch.kept = batch.kept.settled();
        Ok(())
    }

    /// Applies all events through a position. Returns the position reached.
    pub(crate) async fn fill(&mut self, connection: &mut PgConnection, through: i64) -> Result<i64, ProjectError> {
        let mut at = self.position(connection).await?;
        loop {
            let reached = self.step(connection, None, at, through).await?;
            if reached == at {
                self.settle(connection, None, at).await?;
                return Ok(at.position);
            }
            at = reached;
        }
    }
}

/// Begins a transaction in which unqualified read model names resolve to the shadow.
async fn begin<'c>(
    connection: &'c mut PgConnection,
    tenant: &TenantId,
    schema: &str,
) -> Result<Transaction<'c, Postgres>, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    // A crash loses the shadow anyway.
    sqlx::query(
        "SELECT set_config('caudal.tenant', $1, true), set_config('search_path', $2 || ', public', true),
                set_config('synchronous_commit', 'off', true)",
    )
    .bind(tenant.as_str())
    .bind(schema)
    .execute(&mut *transaction)
    .await?;
    Ok(transaction)
}

/// Writes a batch in a transaction of its own. Returns the connection.
async fn write(
    mut connection: PgConnection,
    tenant: TenantId,
    schema: String,
    prepared: Prepared,
) -> Result<PgConnection, ProjectError> {
    let mut transaction = begin(&mut connection, &tenant, &schema).await?;
    prepared.run(&mut transaction, &tenant).await?;
    transaction.commit().await?;
    Ok(connection)
}
