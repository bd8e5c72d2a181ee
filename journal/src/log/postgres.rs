//! A tenant's log in PostgreSQL.
//!
//! One connection is kept between calls until released. A call takes it out and puts it back after its complete answer:
//! a failed or dropped call returns it to the pool, which closes connections that do not answer.
//!
//! A failover ends every call: the old primary may be gone without notice, or its commits may wait forever for a
//! standby that has been promoted.

use super::{
    append::{Append, Appended, was_rolled_back},
    head::{self, Head, StoredHead},
    stored::{self, StoredEvent},
    tenant_log::{AppendError, Fact, Take, TenantLog, WantedFacts},
};
use crate::{
    beside::{
        authenticity::{moment, optional_moment},
        idempotency_records::{IdempotencyRecord, IdempotencyRecordKey},
    },
    error::JournalError,
    history::{Reports, reports},
    journal::Shared,
    people::subjects::StoredKey,
    proof::verify::Row,
    writer::snapshot::{self, StateSnapshot},
};
use caudal_domain::ids::{SubjectId, TenantId};
use caudal_postgres::{Failovers, Transaction};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Postgres, Row as _, error::DatabaseError, pool::PoolConnection, postgres::PgRow};
use std::{io, sync::Arc, time::Duration};

/// A tenant's log in the node's database.
pub(crate) struct PostgresLog {
    shared: Arc<Shared>,
    tenant: TenantId,
    connection: Option<PoolConnection<Postgres>>,
    /// Holds the head's lock.
    locked: Option<Transaction>,
    /// Failovers before the kept connections were made are marked as seen.
    failovers: Failovers,
}

impl PostgresLog {
    pub(crate) fn new(shared: Arc<Shared>, tenant: TenantId) -> Self {
        let failovers = shared.database.failovers();
        Self {
            shared,
            tenant,
            connection: None,
            locked: None,
            failovers,
        }
    }

    /// Drops connections to a primary from before the last failover.
    fn follow(&mut self) {
        if self.failovers.has_changed().unwrap_or(false) {
            self.release();
        }
        self.failovers.mark_unchanged();
    }

    /// The kept connection, or one from the pool.
    async fn connection(&mut self) -> Result<PoolConnection<Postgres>, sqlx::Error> {
        self.follow();
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => self.shared.database.pool().acquire().await,
        }
    }

    /// A transaction with the tenant set; ends on drop.
    async fn transaction(&mut self) -> Result<Transaction, JournalError> {
        self.follow();
        let (database, tenant) = (&self.shared.database, self.tenant.as_str());
        Ok(match self.connection.take() {
            Some(connection) => database.begin_write_on(connection, tenant).await?,
            None => database.begin_read(tenant).await?,
        })
    }

    fn known<T>(&self, head: Option<T>) -> Result<T, JournalError> {
        head.ok_or_else(|| JournalError::UnknownTenant(self.tenant.clone()))
    }
}

impl TenantLog for PostgresLog {
    async fn head(&mut self) -> Result<StoredHead, JournalError> {
        let mut connection = self.connection().await?;
        let read = head::read(&mut connection, &self.tenant);
        let head = before_failover(&self.failovers, read).await?;
        self.connection = Some(connection);
        self.known(head)
    }

    async fn lock(&mut self) -> Result<StoredHead, JournalError> {
        self.release();
        self.follow();
        let mut transaction = self.shared.database.begin_write(self.tenant.as_str()).await?;
        let locked = head::lock(&mut transaction, &self.tenant);
        let head = before_failover(&self.failovers, locked).await?;
        self.locked = Some(transaction);
        self.known(head)
    }

    fn unlock(&mut self) {
        self.locked = None;
    }

    async fn events(&mut self, after: i64, limit: i64) -> Result<Vec<StoredEvent>, JournalError> {
        if let Some(mut locked) = self.locked.take() {
            let events = stored::page(&mut locked, &self.tenant, after, limit).await?;
            self.locked = Some(locked);
            return Ok(events);
        }
        let mut transaction = self.transaction().await?;
        let page = stored::page(&mut transaction, &self.tenant, after, limit);
        let events = before_failover(&self.failovers, page).await?;
        transaction.commit().await?;
        Ok(events)
    }

    async fn load(&mut self, wanted: &WantedFacts, take: &mut Take<'_>) -> Result<(), JournalError> {
        if let Some(mut locked) = self.locked.take() {
            load(&mut locked, &self.tenant, wanted, take).await?;
            self.locked = Some(locked);
        } else {
            let mut connection = self.connection().await?;
            let loaded = load(&mut connection, &self.tenant, wanted, take);
            before_failover(&self.failovers, loaded).await?;
            self.connection = Some(connection);
        }
        Ok(())
    }

    async fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        if let Some(mut locked) = self.locked.take() {
            let written = async {
                let appended = append.run(&mut locked, &self.shared.macs, &self.tenant).await?;
                if matches!(appended, Appended::Durable) {
                    locked.commit().await?;
                }
                Ok(appended)
            };
            return before_failover(&self.failovers, written).await;
        }
        let connection = self.connection().await;
        let mut connection = connection.map_err(|error| AppendError::Unavailable(error.into()))?;
        let written = append.run(&mut connection, &self.shared.macs, &self.tenant);
        let appended = before_failover(&self.failovers, written).await;
        let appended = appended.map_err(AppendError::from);
        if matches!(appended, Ok(_) | Err(AppendError::Exists(_))) {
            self.connection = Some(connection);
        }
        appended
    }

    async fn fence(&mut self, epoch: i64) -> Result<Head, JournalError> {
        let mut connection = self.connection().await?;
        let fenced = head::fence(&mut connection, &self.tenant, epoch);
        let head = before_failover(&self.failovers, fenced).await?;
        self.connection = Some(connection);
        self.known(head)
    }

    async fn snapshot(&mut self) -> Result<Option<StateSnapshot>, JournalError> {
        snapshot::read(&self.shared.database, &self.shared.macs, &self.tenant).await
    }

    fn write_snapshot(
        &self,
        snapshot: StateSnapshot,
        now: DateTime<Utc>,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        let (shared, tenant) = (self.shared.clone(), self.tenant.clone());
        async move { snapshot::write(&shared.database, &shared.macs, &tenant, snapshot, now).await }
    }

    async fn reports(&mut self) -> Result<Reports, JournalError> {
        let mut transaction = self.transaction().await?;
        let stored = reports::of_tenant(&mut transaction, &self.shared.keyring, &self.tenant).await?;
        transaction.commit().await?;
        Ok(stored)
    }

    async fn server_uptime(&mut self) -> Result<Duration, JournalError> {
        let mut connection = self.connection().await?;
        let uptime = sqlx::query_scalar(
            "SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint",
        );
        let milliseconds: i64 = uptime.fetch_one(&mut *connection).await?;
        self.connection = Some(connection);
        Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or_default()))
    }

    fn publish(&mut self) {
        self.shared.publish_reports(&self.tenant);
    }

    fn release(&mut self) {
        self.connection = None;
        self.locked = None;
    }
}

/// Runs until done or until the next unseen failover.
async fn before_failover<T, E: From<sqlx::Error>>(
    failovers: &Failovers,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut failovers = failovers.clone();
    let failed_over = async {
        if failovers.changed().await.is_err() {
            // A single server, or one that is no longer followed.
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        biased;
        answer = work => answer,
        () = failed_over => Err(sqlx::Error::Io(io::ErrorKind::ConnectionAborted.into()).into()),
    }
}

impl From<sqlx::Error> for AppendError {
    /// Classifies by PostgreSQL's own report that it rolled back: a violated constraint (class 23) or an invalid value
    /// (class 22) is the batch's fault; a full disk or a canceled statement is not. Without a report the outcome is
    /// unknown.
    fn from(error: sqlx::Error) -> Self {
        if !was_rolled_back(&error) {
            return Self::Unknown(error.into());
        }
        let refusal = error.as_database_error();
        if refusal.is_some_and(DatabaseError::is_unique_violation) {
            return Self::Exists(error.into());
        }
        let of_the_batch = refusal
            .and_then(|refusal| refusal.code())
            .is_some_and(|code| code.starts_with("22") || code.starts_with("23"));
        if of_the_batch {
            Self::Refused(error.into())
        } else {
            Self::Unavailable(error.into())
        }
    }
}

async fn load(
    connection: &mut PgConnection,
    tenant: &TenantId,
    wanted: &WantedFacts,
    take: &mut Take<'_>,
) -> Result<(), JournalError> {
    let rows = sqlx::query("SELECT * FROM journal.load_facts($1, $2, $3, $4, $5, $6, $7, $8)")
        .bind(tenant.as_str())
        .bind(
            wanted
                .idempotency_records
                .iter()
                .map(|key| key.actor.as_str())
                .collect::<Vec<_>>(),
        )
        .bind(
            wanted
                .idempotency_records
                .iter()
                .map(|key| key.key.as_str())
                .collect::<Vec<_>>(),
        )
        .bind(
            wanted
                .streams
                .iter()
                .map(|stream| stream.kind.as_str())
                .collect::<Vec<_>>(),
        )
        .bind(
            wanted
                .streams
                .iter()
                .map(|stream| stream.id.to_string())
                .collect::<Vec<_>>(),
        )
        .bind(
            wanted
                .unique_values
                .iter()
                .map(|(kind, _)| kind.as_str())
                .collect::<Vec<_>>(),
        )
        .bind(
            wanted
                .unique_values
                .iter()
                .map(|(_, digest)| digest.as_slice())
                .collect::<Vec<_>>(),
        )
        .bind(wanted.subjects.iter().map(|subject| subject.0).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    rows.iter().try_for_each(|row| take(fact(row)?))
}

/// Converts a row of `journal.load_facts`.
fn fact(row: &PgRow) -> Result<Fact<'_>, JournalError> {
    Ok(match row.try_get("fact")? {
        "receipt" => Fact::IdempotencyRecord {
            key: IdempotencyRecordKey {
                actor: row.try_get("name")?,
                key: row.try_get("detail")?,
            },
            idempotency_record: IdempotencyRecord {
                digest: row.try_get("bytes")?,
                answer: row.try_get("body")?,
                position: row.try_get("number")?,
            },
            recorded_at: moment(row, "micros")?,
            mac: row.try_get("proof")?,
        },
        "event" => Fact::Event {
            event: Row {
                position: row.try_get("place")?,
                aggregate_type: row.try_get("name")?,
                aggregate_id: row.try_get("detail")?,
                sequence: row.try_get("number")?,
                event_type: row.try_get("label")?,
                event_version: row.try_get("version")?,
                recorded_at: Some(moment(row, "micros")?),
                metadata: row.try_get("context")?,
                payload: row.try_get("body")?,
                hash: Some(row.try_get("proof")?),
            },
            before: row.try_get("before")?,
        },
        "claim" => Fact::UniqueValue {
            kind: row.try_get("name")?,
            digest: row.try_get("bytes")?,
            owner: row.try_get("id")?,
            mac: row.try_get("proof")?,
        },
        "key" => Fact::Key(StoredKey {
            subject: SubjectId(row.try_get("id")?),
            master: row.try_get("name")?,
            wrapped: row.try_get("bytes")?,
            forgotten_at: optional_moment(row, "micros")?,
            mac: row.try_get("proof")?,
        }),
        other => return Err(JournalError::Unexpected(format!("a fact of the kind {other:?}"))),
    })
}
