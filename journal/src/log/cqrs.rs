//! Read access to the journal through cqrs-es.

use crate::{
    error::JournalError,
    journal::Journal,
    log::read::{MAX_EVENTS, Recorded},
};
use caudal_domain::{StreamId, StreamKind, ids::TenantId};
use cqrs_es::{
    Aggregate,
    persist::{PersistedEventRepository, PersistenceError, ReplayStream, SerializedEvent, SerializedSnapshot},
};
use serde_json::Value;
use uuid::Uuid;

/// Capacity of the queue between the log and a replay.
const REPLAY_QUEUE: usize = 200;

/// One tenant's log as a cqrs-es repository, with personal data decrypted. Read-only: commands go through
/// [`Journal::submit`], which maintains positions, chain, idempotency records and unique values.
#[derive(Clone)]
pub struct JournalRepository {
    journal: Journal,
    tenant: TenantId,
}

/// Returned for writes: the repository is read-only.
#[derive(Debug, thiserror::Error)]
#[error("the journal is written through its writers only")]
pub struct ReadOnly;

impl Journal {
    #[must_use]
    pub fn repository(&self, tenant: &TenantId) -> JournalRepository {
        JournalRepository {
            journal: self.clone(),
            tenant: tenant.clone(),
        }
    }
}

impl JournalRepository {
    async fn read(&self, stream: StreamId, after: i64) -> Result<Vec<SerializedEvent>, PersistenceError> {
        let mut events: Vec<SerializedEvent> = Vec::new();
        let mut last = after;
        loop {
            let page = self
                .journal
                .stream_events(&self.tenant, stream, last, MAX_EVENTS)
                .await
                .map_err(persistence)?;
            let Some(end) = page.last() else { return Ok(events) };
            last = end.sequence;
            for recorded in &page {
                events.push(serialized(recorded)?);
            }
        }
    }
}

impl PersistedEventRepository for JournalRepository {
    async fn get_events<A: Aggregate>(&self, aggregate_id: &str) -> Result<Vec<SerializedEvent>, PersistenceError> {
        self.read(stream::<A>(aggregate_id)?, 0).await
    }

    async fn get_last_events<A: Aggregate>(
        &self,
        aggregate_id: &str,
        last_sequence: usize,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        let after = i64::try_from(last_sequence).map_err(unknown)?;
        self.read(stream::<A>(aggregate_id)?, after).await
    }

    async fn get_snapshot<A: Aggregate>(&self, _: &str) -> Result<Option<SerializedSnapshot>, PersistenceError> {
        Ok(None)
    }

    async fn persist<A: Aggregate>(
        &self,
        _: &[SerializedEvent],
        _: Option<(String, Value, usize)>,
    ) -> Result<(), PersistenceError> {
        Err(unknown(ReadOnly))
    }

    async fn stream_events<A: Aggregate>(&self, aggregate_id: &str) -> Result<ReplayStream, PersistenceError> {
        let stream = stream::<A>(aggregate_id)?;
        let (mut feed, replay) = ReplayStream::new(REPLAY_QUEUE);
        let repository = self.clone();
        tokio::spawn(async move {
            match repository.read(stream, 0).await {
                Ok(events) => {
                    for event in events {
                        if feed.push(Ok(event)).await.is_err() {
                            return;
                        }
                    }
                }
                // An unreadable log must not look like its end. The receiver may be gone.
                Err(error) => drop(feed.push(Err(error)).await),
            }
        });
        Ok(replay)
    }

    async fn stream_all_events<A: Aggregate>(&self) -> Result<ReplayStream, PersistenceError> {
        let kind = kind::<A>()?;
        let (mut feed, replay) = ReplayStream::new(REPLAY_QUEUE);
        let Self { journal, tenant } = self.clone();
        tokio::spawn(async move {
            let mut position = 0;
            loop {
                let page = match journal.events_after(&tenant, position, MAX_EVENTS).await {
                    Ok(page) => page,
                    Err(error) => return drop(feed.push(Err(persistence(error))).await),
                };
                let Some(end) = page.last() else { return };
                position = end.position;
                for recorded in page.iter().filter(|recorded| recorded.stream.kind == kind) {
                    if feed.push(serialized(recorded)).await.is_err() {
                        return;
                    }
                }
            }
        });
        Ok(replay)
    }
}

fn kind<A: Aggregate>() -> Result<StreamKind, PersistenceError> {
    A::TYPE.parse().map_err(unknown)
}

fn stream<A: Aggregate>(aggregate_id: &str) -> Result<StreamId, PersistenceError> {
    Ok(StreamId::new(
        kind::<A>()?,
        Uuid::parse_str(aggregate_id).map_err(unknown)?,
    ))
}

fn serialized(recorded: &Recorded) -> Result<SerializedEvent, PersistenceError> {
    let payload = recorded.event.encode_in_clear().map_err(unknown)?;
    Ok(SerializedEvent {
        aggregate_id: recorded.stream.id.to_string(),
        sequence: usize::try_from(recorded.sequence).map_err(unknown)?,
        aggregate_type: recorded.stream.kind.as_str().to_owned(),
        event_type: recorded.event.event_type().to_owned(),
        event_version: recorded.event.event_version().to_owned(),
        payload: serde_json::from_str(&payload)?,
        metadata: serde_json::to_value(&recorded.metadata)?,
    })
}

fn persistence(error: JournalError) -> PersistenceError {
    match error {
        JournalError::Database(_) | JournalError::Begin(_) => PersistenceError::ConnectionError(Box::new(error)),
        JournalError::Unreadable { .. } => PersistenceError::DeserializationError(Box::new(error)),
        _ => unknown(error),
    }
}

fn unknown(error: impl std::error::Error + Send + Sync + 'static) -> PersistenceError {
    PersistenceError::UnknownError(Box::new(error))
}
