//! The log as one node's writer reaches it: each call is a statement or a transaction at the server.

use super::{ModelLog, Server, statements::lost};
use crate::{
    error::JournalError,
    history::Reports,
    log::{
        append::{Append, Appended},
        head::{Head, StoredHead},
        stored::StoredEvent,
        tenant_log::{AppendError, Fact, Take, TenantLog, WantedFacts},
    },
    people::subjects::StoredKey,
    writer::{
        faults::{Fault, is_planted},
        simulation::{
            mishaps::CallFault,
            stored::{Batch, Stored},
        },
        snapshot::StateSnapshot,
    },
};
use chrono::{DateTime, Utc};
use std::{io, time::Duration};
use tokio::time::sleep;

/// Longer than a writer tries to find out what became of an append.
const LONG_OUTAGE: Duration = Duration::from_secs(40);

impl Drop for ModelLog {
    fn drop(&mut self) {
        self.unlock();
    }
}

impl TenantLog for ModelLog {
    async fn head(&mut self) -> Result<StoredHead, JournalError> {
        self.read(Stored::stored_head).await
    }

    async fn lock(&mut self) -> Result<StoredHead, JournalError> {
        self.unlock();
        loop {
            let generation = self.model.server().generation;
            let head = self.read(Stored::stored_head).await?;
            let mut server = self.model.server();
            let log = &server.logs[self.at];
            if server.generation == generation && log.lock.is_none() && log.stored.stored_head() == head {
                server.locks += 1;
                self.lock = Some(server.locks);
                server.logs[self.at].lock = self.lock;
                return Ok(head);
            }
        }
    }

    fn unlock(&mut self) {
        if let Some(lock) = self.lock.take() {
            let mut server = self.model.server();
            let log = &mut server.logs[self.at];
            if log.lock == Some(lock) {
                log.lock = None;
            }
        }
    }

    async fn events(&mut self, after: i64, limit: i64) -> Result<Vec<StoredEvent>, JournalError> {
        let limit = usize::try_from(limit).unwrap_or_default();
        self.read(move |stored| {
            let found = stored.events.iter().filter(|event| event.position > after);
            found.take(limit).map(|event| StoredEvent::clone(event)).collect()
        })
        .await
    }

    async fn load(&mut self, wanted: &WantedFacts, take: &mut Take<'_>) -> Result<(), JournalError> {
        let of = if is_planted(Fault::RowsOfAnotherTenant) {
            1 - self.at
        } else {
            self.at
        };
        let stored = self.read_of(of, Stored::clone).await?;
        for key in &wanted.idempotency_records {
            if let Some((idempotency_record, recorded_at, mac)) = stored.idempotency_records.get(key) {
                take(Fact::IdempotencyRecord {
                    key: key.clone(),
                    idempotency_record: idempotency_record.clone(),
                    recorded_at: *recorded_at,
                    mac: Some(mac.as_slice()),
                })?;
            }
        }
        for stream in &wanted.streams {
            let id = stream.id.to_string();
            let mut before = None;
            for event in &stored.events {
                if event.aggregate_type == stream.kind.as_str() && event.aggregate_id == id {
                    let event = event.row();
                    take(Fact::Event { event, before })?;
                }
                before = event.hash;
            }
        }
        for (kind, digest) in &wanted.unique_values {
            if let Some((owner, mac)) = stored.unique_values.get(&(*kind, *digest)) {
                take(Fact::UniqueValue {
                    kind: kind.as_str(),
                    digest: *digest,
                    owner: *owner,
                    mac: Some(mac.as_slice()),
                })?;
            }
        }
        for subject in &wanted.subjects {
            if let Some((master, wrapped, mac)) = stored.keys.get(subject) {
                take(Fact::Key(StoredKey {
                    subject: *subject,
                    master: Some(master.as_str()),
                    wrapped: Some(wrapped.as_slice()),
                    forgotten_at: None,
                    mac: Some(mac.as_slice()),
                }))?;
            }
        }
        Ok(())
    }

    async fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        self.gate.pass().await;
        let (batch, at) = (Batch::of(append, &self.macs, &self.tenant), self.at);
        let (call_fault, there, back) = {
            let mut server = self.model.server();
            (self.gate.call_fault(&mut server), server.pause(), server.pause())
        };
        let lock = self.lock.take();
        if lock.is_some() && !matches!(call_fault, CallFault::None) {
            // The transaction that holds the lock ends with its connection.
            self.lock = lock;
            self.unlock();
            sleep(there).await;
            return Err(AppendError::Unknown(lost()));
        }
        match call_fault {
            CallFault::LostBefore => {
                sleep(there).await;
                Err(AppendError::Unavailable(lost()))
            }
            CallFault::Refused => {
                sleep(there).await;
                let full = sqlx::Error::Io(io::ErrorKind::StorageFull.into());
                Err(AppendError::Unavailable(JournalError::Unexpected(full.to_string())))
            }
            CallFault::Silent => {
                drop(self.carry_out(there, None, move |server| drop(server.commit(at, &batch))));
                std::future::pending().await
            }
            CallFault::LostAnswer { carried_out } => {
                // At times the connection was lost since the server is gone for long.
                if self.model.server().random.below(10) == 0 {
                    let model = self.model.clone();
                    tokio::spawn(async move { model.go_down(LONG_OUTAGE).await });
                }
                if let Some(delay) = carried_out {
                    drop(self.carry_out(delay, None, move |server| drop(server.commit(at, &batch))));
                }
                sleep(there).await;
                Err(AppendError::Unknown(lost()))
            }
            CallFault::None => {
                let generation = self.model.server().generation;
                let appended = self
                    .carry_out(there, lock, move |server| server.commit(at, &batch))
                    .await;
                sleep(back).await;
                self.gate.pass().await;
                match appended {
                    Ok(appended) if self.model.server().generation == generation => appended,
                    _ => Err(AppendError::Unknown(lost())),
                }
            }
        }
    }

    async fn fence(&mut self, epoch: i64) -> Result<Head, JournalError> {
        self.gate.pass().await;
        let at = self.at;
        let (call_fault, there, back) = {
            let mut server = self.model.server();
            (self.gate.call_fault(&mut server), server.pause(), server.pause())
        };
        let raise = move |server: &mut Server| {
            let head = &mut server.logs[at].stored.head;
            head.epoch = head.epoch.max(epoch) + 1;
            *head
        };
        match call_fault {
            CallFault::None => {
                let generation = self.model.server().generation;
                let raised = self.carry_out(there, None, raise).await;
                sleep(back).await;
                self.gate.pass().await;
                match raised {
                    Ok(head) if self.model.server().generation == generation => Ok(head),
                    _ => Err(lost()),
                }
            }
            CallFault::LostAnswer {
                carried_out: Some(delay),
            } => {
                drop(self.carry_out(delay, None, raise));
                sleep(there).await;
                Err(lost())
            }
            CallFault::Silent => std::future::pending().await,
            _ => {
                sleep(there).await;
                Err(lost())
            }
        }
    }

    async fn snapshot(&mut self) -> Result<Option<StateSnapshot>, JournalError> {
        Ok(None)
    }

    fn write_snapshot(
        &self,
        _: StateSnapshot,
        _: DateTime<Utc>,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        std::future::ready(Ok(()))
    }

    async fn reports(&mut self) -> Result<Reports, JournalError> {
        Ok(Reports::default())
    }

    async fn server_uptime(&mut self) -> Result<Duration, JournalError> {
        Ok(Duration::MAX)
    }

    fn publish(&mut self) {}

    fn release(&mut self) {
        self.unlock();
    }
}
