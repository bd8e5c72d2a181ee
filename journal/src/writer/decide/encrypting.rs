//! The staged events sealed and chained, with the rows beside them.

use super::{Draft, Drafted};
use crate::{
    error::JournalError,
    journal::Node,
    keys::Secret,
    log::{
        append::{Append, NewEvent},
        head::Head,
        read::Recorded,
    },
    people::{encryption, subjects::SubjectKey},
    writer::load::LoadedFacts,
};
use caudal_domain::{
    Event,
    ids::{SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use std::collections::{HashMap, hash_map::Entry};

/// Sealed events of a batch, with what their rows need.
pub(in crate::writer) struct PreparedBatch {
    pub(in crate::writer) append: Append,
    /// Keys of people whom no event named before this batch.
    pub(in crate::writer) keys: HashMap<SubjectId, Secret>,
    /// The events in decoded form, for the log's subscribers in this process; `None` without subscribers.
    pub(in crate::writer) newest: Option<Vec<Recorded>>,
}

impl PreparedBatch {
    /// An empty batch after a head.
    pub(in crate::writer) fn after(node: &Node, tenant: &TenantId, head: Head, recorded_at: DateTime<Utc>) -> Self {
        Self {
            append: Append::new(head, recorded_at),
            keys: HashMap::new(),
            newest: node.wakes.takes_newest(tenant).then(Vec::new),
        }
    }
}

impl Draft {
    /// Seals the events decided since the last call: personal parts under their people's keys, events chained to
    /// those before.
    pub(in crate::writer) fn encrypt(
        &mut self,
        tenant: &TenantId,
        facts: &LoadedFacts,
        sealed: &mut PreparedBatch,
    ) -> Result<(), JournalError> {
        let PreparedBatch { append, keys, newest } = sealed;
        for Drafted {
            stream,
            sequence,
            metadata,
            mut event,
        } in self.events.drain(..)
        {
            let (event_type, event_version) = (event.event_type(), event.event_version());
            // An event that is encrypted already, or is about a forgotten person, is not handed over: subscribers
            // read it from the log.
            let handed = newest
                .as_ref()
                .filter(|_| reads_as_it_is(&event))
                .map(|_| event.clone());
            if let Some(part) = event.personal_mut()
                && let Some(clear) = part.clear_json()
            {
                let subject = part.subject();
                let place = encryption::Place {
                    tenant,
                    stream,
                    sequence,
                    event_type,
                    subject,
                };
                let sealed = encryption::encrypt_text(key(facts, keys, subject)?, &place, &clear?)?;
                part.set_encrypted(sealed);
            }
            let payload = event.encode()?;
            append.push(
                tenant,
                NewEvent {
                    stream,
                    sequence,
                    event_type,
                    event_version,
                    payload,
                    metadata: metadata.text.clone(),
                },
            );
            let recorded = handed.map(|event| Recorded {
                position: append.end().position,
                stream,
                sequence,
                recorded_at: append.end().recorded_at,
                metadata: metadata.metadata.clone(),
                hash: append.end().hash,
                event,
            });
            match (recorded, newest.as_mut()) {
                (Some(recorded), Some(newest)) => newest.push(recorded),
                _ => *newest = None,
            }
        }
        Ok(())
    }

    /// Adds the rows beside the events: new keys, idempotency records, unique values, credentials, forgotten people.
    pub(in crate::writer) fn close(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        sealed: &mut PreparedBatch,
    ) -> Result<(), JournalError> {
        let PreparedBatch { append, keys, .. } = sealed;
        for (subject, key) in keys.iter() {
            append
                .keys
                .push((*subject, encryption::wrap(&node.keyring, tenant, *subject, key)?));
        }
        append.idempotency_records = std::mem::take(&mut self.idempotency_records);
        append.unique_values = std::mem::take(&mut self.unique_values).into_changes();
        append.credentials = self.credentials.drain().collect();
        append.forgotten = self.forgotten.iter().copied().collect();
        Ok(())
    }
}

/// A person's key: the stored one or a new one.
fn key<'a>(
    facts: &'a LoadedFacts,
    new: &'a mut HashMap<SubjectId, Secret>,
    subject: SubjectId,
) -> Result<&'a Secret, JournalError> {
    match facts.keys.get(&subject) {
        Some(Some(SubjectKey::Known(key))) => Ok(key),
        Some(None) => match new.entry(subject) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Secret::generate()?)),
        },
        Some(Some(SubjectKey::Locked)) => Err(JournalError::LockedKey(subject)),
        Some(Some(SubjectKey::Forgotten)) | None => Err(JournalError::Unexpected(format!(
            "an event about {subject}, whose key was not asked for"
        ))),
    }
}

/// Whether an event handed over in memory equals the event read from the log: it has no encrypted part and forgets
/// nobody.
fn reads_as_it_is(event: &Event) -> bool {
    event.erases().is_none() && event.personal().is_none_or(|part| part.sealed().is_none())
}
