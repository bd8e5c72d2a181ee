//! Import of a tenant from a log file: every event with its hash, position and time, in one transaction.
//!
//! Rows beside the log are rebuilt or omitted. Data keys are wrapped under this installation's master key. Unique
//! values are derived from the events, under this installation's lookup key. Idempotency records are not transferred.

use super::{ArchiveError, ArchiveReader, People};
use crate::{
    beside::{
        credentials,
        unique_values::{self, UniqueValueChange},
    },
    error::{JournalError, Unreadable},
    journal::Journal,
    keys::Secret,
    log::{chain, stored::StoredEvent},
    people::{encryption, subjects},
    proof::verify::{self, Fault, LogEnd, Verifier},
};
use caudal_domain::{
    Event, UniqueValueKind,
    ids::{SubjectId, TenantId},
    tenant_state::invariants::Violation,
};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::BufRead,
};
use uuid::Uuid;

/// Events, people or unique values per statement.
const BATCH: usize = 1_000;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the tenant {0} has a log already: only an empty tenant can be imported into")]
    NotEmpty(TenantId),
    #[error("position {position}: {source}")]
    Person { position: i64, source: Unreadable },
    #[error("the ledger does not agree with itself: {0}")]
    Violation(Violation),
    #[error(transparent)]
    Keys(#[from] crate::keys::KeyError),
    /// The connection was lost during the commit.
    #[error("whether the import was completed is not known: verify the tenant, or import again")]
    OutcomeUnknown(#[source] sqlx::Error),
}

impl From<sqlx::Error> for ImportError {
    fn from(error: sqlx::Error) -> Self {
        Self::Journal(error.into())
    }
}

impl From<Fault> for ImportError {
    fn from(fault: Fault) -> Self {
        Self::Archive(fault.into())
    }
}

/// Data collected while reading the log.
#[derive(Default)]
struct Gathered {
    subjects: BTreeSet<Uuid>,
    unique_values: BTreeMap<(UniqueValueKind, Uuid), UniqueValueChange>,
    /// Erased people, each with the time of the erasure.
    forgotten: BTreeMap<Uuid, DateTime<Utc>>,
}

impl Journal {
    /// Imports a log into its tenant, which is created when missing and must be empty. Without `people` the personal
    /// data stays encrypted for good, and its people count as erased. Returns the log's end.
    ///
    /// # Errors
    /// When the file is invalid, the tenant has a log, a key does not fit or the database fails. Nothing is imported
    /// then, except possibly for [`ImportError::OutcomeUnknown`].
    pub async fn import<R: BufRead>(
        &self,
        mut reader: ArchiveReader<R>,
        people: Option<&People>,
        mut progress: impl FnMut(i64, i64),
    ) -> Result<LogEnd, ImportError> {
        let (tenant, end) = (reader.tenant().clone(), *reader.end());
        let begun = self.shared.database.begin_long_write(tenant.as_str()).await;
        let mut transaction = begun.map_err(JournalError::from)?;
        self.take_empty(&mut transaction, &tenant).await?;
        let mut verifier = Verifier::new(&tenant, &[]);
        let mut gathered = Gathered::default();
        let mut batch = Vec::with_capacity(BATCH);
        while let Some(stored) = reader.next_event()? {
            let mut event = verifier.take(&stored)?;
            self.gather(&mut gathered, &tenant, &stored, &mut event, people)?;
            batch.push(stored);
            if batch.len() == BATCH {
                insert(&mut transaction, &tenant, &batch).await?;
                batch.clear();
                progress(verifier.position(), end.position);
            }
        }
        insert(&mut transaction, &tenant, &batch).await?;
        progress(verifier.position(), end.position);
        let verification = verifier.finish(&end);
        if let Some(fault) = verification.fault {
            return Err(fault.into());
        }
        if let Some(violation) = verification.violations.into_iter().next() {
            return Err(ImportError::Violation(violation));
        }
        self.settle(&mut transaction, &tenant, &end, gathered, people).await?;
        transaction.commit().await.map_err(ImportError::OutcomeUnknown)?;
        Ok(end)
    }

    /// Creates the tenant when missing, and locks it while empty.
    async fn take_empty(&self, transaction: &mut PgConnection, tenant: &TenantId) -> Result<(), ImportError> {
        sqlx::query(
            "INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ($1, 0, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(chain::genesis(tenant.as_str()))
        .bind(self.shared.clock.now())
        .execute(&mut *transaction)
        .await?;
        let head = crate::log::head::lock(&mut *transaction, tenant).await?;
        let found = head.ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))?;
        if found.head.position != 0 {
            return Err(ImportError::NotEmpty(tenant.clone()));
        }
        Ok(())
    }

    fn gather(
        &self,
        gathered: &mut Gathered,
        tenant: &TenantId,
        stored: &StoredEvent,
        event: &mut Event,
        people: Option<&People>,
    ) -> Result<(), ImportError> {
        if let Some(subject) = event.personal().map(|part| part.subject()) {
            gathered.subjects.insert(subject.0);
            if let Some(key) = people.and_then(|people| people.keys.get(&subject)) {
                let position = stored.position;
                open(tenant, stored, event, subject, key).map_err(|source| ImportError::Person { position, source })?;
            }
        }
        // The verifier rejects events without a time.
        if let Some((subject, at)) = event.erases().zip(stored.recorded_at) {
            gathered.forgotten.insert(subject.0, at);
        }
        if let Some(unique_value) = event.unique_value() {
            let change = UniqueValueChange::new(&self.shared.keyring, tenant, &unique_value);
            gathered
                .unique_values
                .insert((unique_value.kind, unique_value.owner), change);
        }
        Ok(())
    }

    /// Writes the rows beside the events.
    async fn settle(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        end: &LogEnd,
        gathered: Gathered,
        people: Option<&People>,
    ) -> Result<(), ImportError> {
        self.insert_people(
            &mut *transaction,
            tenant,
            gathered.subjects,
            &gathered.forgotten,
            people,
        )
        .await?;
        let macs = &self.shared.macs;
        let held: Vec<_> = gathered
            .unique_values
            .into_values()
            .filter_map(|change| Some((change.kind.as_str(), change.owner, change.digest?)))
            .collect();
        for batch in held.chunks(BATCH) {
            sqlx::query(
                "INSERT INTO journal.claims (tenant, kind, owner, digest, mac)
                 SELECT $1, c.kind, c.owner, c.digest, c.mac FROM unnest($2::text[], $3::uuid[], $4::bytea[], $5::bytea[])
                        AS c (kind, owner, digest, mac)",
            )
            .bind(tenant.as_str())
            .bind(batch.iter().map(|(kind, ..)| *kind).collect::<Vec<_>>())
            .bind(batch.iter().map(|(_, owner, _)| *owner).collect::<Vec<_>>())
            .bind(batch.iter().map(|(.., digest)| digest.as_slice()).collect::<Vec<_>>())
            .bind(
                batch
                    .iter()
                    .map(|(kind, owner, digest)| unique_values::mac(macs, tenant, kind, digest, *owner).finish().to_vec())
                    .collect::<Vec<_>>(),
            )
            .execute(&mut *transaction)
            .await?;
        }
        if end.position > 0 {
            sqlx::query(
                "UPDATE journal.heads SET position = $2, hash = $3, recorded_at = $4, mac = $5 WHERE tenant = $1",
            )
            .bind(tenant.as_str())
            .bind(end.position)
            .bind(end.hash)
            .bind(end.recorded_at)
            .bind(macs.head(tenant, end.point(), end.recorded_at))
            .execute(transaction)
            .await?;
        }
        Ok(())
    }

    /// Writes a data key or a tombstone for each person of the log. Everyone gets one: a key generated later could not
    /// decrypt the existing data. People erased by the log stay erased, whatever the people file contains.
    async fn insert_people(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        mut subjects: BTreeSet<Uuid>,
        forgotten: &BTreeMap<Uuid, DateTime<Utc>>,
        people: Option<&People>,
    ) -> Result<(), ImportError> {
        let none = People::default();
        let people = people.unwrap_or(&none);
        subjects.extend(people.keys.keys().chain(people.forgotten.keys()).map(|id| id.0));
        subjects.extend(forgotten.keys());
        let now = self.shared.clock.now();
        let macs = &self.shared.macs;
        let mut rows = Vec::with_capacity(subjects.len());
        for id in subjects {
            let subject = SubjectId(id);
            let gone = forgotten.get(&id).or_else(|| people.forgotten.get(&subject));
            let row = match (gone, people.keys.get(&subject)) {
                (None, Some(key)) => {
                    let wrapped = encryption::wrap(&self.shared.keyring, tenant, subject, key)?;
                    let mac = subjects::key_mac(macs, tenant, subject, &wrapped);
                    (id, Some(wrapped.master), Some(wrapped.bytes), None, mac)
                }
                (gone, _) => {
                    let at = *gone.unwrap_or(&now);
                    (
                        id,
                        None,
                        None,
                        Some(at),
                        subjects::tombstone_mac(macs, tenant, subject, at),
                    )
                }
            };
            rows.push(row);
        }
        for batch in rows.chunks(BATCH) {
            sqlx::query(
                "INSERT INTO journal.subject_keys (tenant, subject, master, wrapped, forgotten_at, mac)
                 SELECT $1, k.subject, k.master, k.wrapped, k.forgotten_at, k.mac
                   FROM unnest($2::uuid[], $3::text[], $4::bytea[], $5::timestamptz[], $6::bytea[])
                        AS k (subject, master, wrapped, forgotten_at, mac)",
            )
            .bind(tenant.as_str())
            .bind(batch.iter().map(|row| row.0).collect::<Vec<_>>())
            .bind(batch.iter().map(|row| row.1.clone()).collect::<Vec<_>>())
            .bind(batch.iter().map(|row| row.2.clone()).collect::<Vec<_>>())
            .bind(batch.iter().map(|row| row.3).collect::<Vec<_>>())
            .bind(batch.iter().map(|row| row.4.to_vec()).collect::<Vec<_>>())
            .execute(&mut *transaction)
            .await?;
        }
        let credentials: Vec<_> = people
            .credentials
            .iter()
            .filter(|(party, ..)| !forgotten.contains_key(&party.0))
            .collect();
        for batch in credentials.chunks(BATCH) {
            sqlx::query(
                "INSERT INTO journal.credentials (tenant, party, hash, set_at, mac)
                 SELECT $1, c.party, c.hash, c.set_at, c.mac
                   FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::bytea[]) AS c (party, hash, set_at, mac)",
            )
            .bind(tenant.as_str())
            .bind(batch.iter().map(|row| row.0.0).collect::<Vec<_>>())
            .bind(batch.iter().map(|row| row.1.clone()).collect::<Vec<_>>())
            .bind(batch.iter().map(|row| row.2).collect::<Vec<_>>())
            .bind(
                batch
                    .iter()
                    .map(|(party, hash, set_at)| {
                        credentials::mac(macs, tenant, *party, hash, *set_at).finish().to_vec()
                    })
                    .collect::<Vec<_>>(),
            )
            .execute(&mut *transaction)
            .await?;
        }
        Ok(())
    }
}

/// Decrypts an event's personal part, which proves the key.
fn open(
    tenant: &TenantId,
    stored: &StoredEvent,
    event: &mut Event,
    subject: SubjectId,
    key: &Secret,
) -> Result<(), Unreadable> {
    let place = encryption::Place {
        tenant,
        stream: verify::stream(stored)?,
        sequence: stored.sequence,
        event_type: &stored.event_type,
        subject,
    };
    let Some(part) = event.personal_mut() else {
        return Ok(());
    };
    let Some(sealed) = part.sealed() else { return Ok(()) };
    let clear = encryption::decrypt_text(key, &place, sealed).map_err(|_| Unreadable::Sealed)?;
    part.open(&clear).map_err(Unreadable::Personal)
}

/// Inserts events unchanged.
pub(crate) async fn insert(
    connection: &mut PgConnection,
    tenant: &TenantId,
    events: &[StoredEvent],
) -> Result<(), sqlx::Error> {
    if events.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO journal.events
                (tenant, position, aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                 recorded_at, hash)
         SELECT $1, e.position, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type, e.event_version,
                e.payload::json, e.metadata::json, e.recorded_at, e.hash
           FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::timestamptz[], $11::bytea[])
                AS e (position, aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                      recorded_at, hash)",
    )
    .bind(tenant.as_str())
    .bind(events.iter().map(|event| event.position).collect::<Vec<_>>())
    .bind(
        events
            .iter()
            .map(|event| event.aggregate_type.as_str())
            .collect::<Vec<_>>(),
    )
    .bind(
        events
            .iter()
            .map(|event| event.aggregate_id.as_str())
            .collect::<Vec<_>>(),
    )
    .bind(events.iter().map(|event| event.sequence).collect::<Vec<_>>())
    .bind(events.iter().map(|event| event.event_type.as_str()).collect::<Vec<_>>())
    .bind(
        events
            .iter()
            .map(|event| event.event_version.as_str())
            .collect::<Vec<_>>(),
    )
    .bind(events.iter().map(|event| event.payload.as_str()).collect::<Vec<_>>())
    .bind(events.iter().map(|event| event.metadata.as_str()).collect::<Vec<_>>())
    .bind(events.iter().map(|event| event.recorded_at).collect::<Vec<_>>())
    .bind(events.iter().map(|event| event.hash.map(Vec::from)).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}
