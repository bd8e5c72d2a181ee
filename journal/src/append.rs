//! The one way into the log: a batch and all that becomes true with it, in one call.

use crate::{
    chain::{self, Hash},
    claims::ClaimChange,
    head::Head,
    receipts::NewReceipt,
    seal::WrappedKey,
};
use caudal_domain::{
    StreamId,
    ids::{PartyId, SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgDatabaseError, postgres::PgSeverity};

/// An event as it is stored: its personal part sealed, its texts final.
#[derive(Clone, Debug)]
pub(crate) struct NewEvent {
    pub(crate) stream: StreamId,
    pub(crate) sequence: i64,
    pub(crate) event_type: &'static str,
    pub(crate) event_version: &'static str,
    pub(crate) payload: String,
    pub(crate) metadata: String,
}

/// What becomes true together, or not at all.
#[derive(Debug)]
pub(crate) struct Append {
    /// The head that it was decided on.
    base: Head,
    /// The head that it leads to.
    end: Head,
    events: Vec<NewEvent>,
    hashes: Vec<Hash>,
    pub(crate) receipts: Vec<NewReceipt>,
    pub(crate) claims: Vec<ClaimChange>,
    pub(crate) keys: Vec<(SubjectId, WrappedKey)>,
    pub(crate) credentials: Vec<(PartyId, String)>,
    /// Whom its events forget.
    pub(crate) forgotten: Vec<SubjectId>,
}

/// What came of an append that PostgreSQL answered.
#[derive(Debug)]
pub(crate) enum Appended {
    /// It is in the log.
    Durable,
    /// Nothing was written: the head is another one.
    Moved,
    /// Nothing was written: there is no such tenant.
    NoTenant,
}

impl Append {
    /// An empty batch on a head, to be recorded at a time not before the head's.
    pub(crate) fn new(base: Head, recorded_at: DateTime<Utc>) -> Self {
        Self {
            base,
            end: Head { recorded_at, ..base },
            events: Vec::new(),
            hashes: Vec::new(),
            receipts: Vec::new(),
            claims: Vec::new(),
            keys: Vec::new(),
            credentials: Vec::new(),
            forgotten: Vec::new(),
        }
    }

    /// Chains an event to the end of the batch.
    pub(crate) fn push(&mut self, tenant: &TenantId, event: NewEvent) {
        self.end.position += 1;
        self.end.hash = chain::hash(
            &self.end.hash,
            &chain::Link {
                tenant: tenant.as_str(),
                position: self.end.position,
                aggregate_type: event.stream.kind.as_str(),
                aggregate_id: &event.stream.id.to_string(),
                sequence: event.sequence,
                event_type: event.event_type,
                event_version: event.event_version,
                recorded_at: self.end.recorded_at,
                metadata: &event.metadata,
                payload: &event.payload,
            },
        );
        self.hashes.push(self.end.hash);
        self.events.push(event);
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
            && self.receipts.is_empty()
            && self.claims.is_empty()
            && self.keys.is_empty()
            && self.credentials.is_empty()
    }

    /// The head that it was decided on.
    pub(crate) const fn base(&self) -> &Head {
        &self.base
    }

    /// The head that it leads to.
    pub(crate) const fn end(&self) -> &Head {
        &self.end
    }

    /// How many events it has.
    pub(crate) fn event_count(&self) -> usize {
        self.events.len()
    }

    /// Writes it. One round trip, one commit.
    pub(crate) async fn run(&self, connection: &mut PgConnection, tenant: &TenantId) -> Result<Appended, sqlx::Error> {
        let texts = |text: fn(&NewEvent) -> &str| self.events.iter().map(text).collect::<Vec<_>>();
        let append =
            "SELECT status FROM journal.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                                                        $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)";
        let forgetting =
            "SELECT status FROM journal.append_forgetting($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
                                                                       $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                                                                       $23, $24, $25, $26, $27)";
        let forgets = !self.forgotten.is_empty();
        let mut query = sqlx::query(if forgets { forgetting } else { append })
            .bind(tenant.as_str())
            .bind(self.base.position)
            .bind(self.base.epoch)
            .bind(self.end.recorded_at)
            .bind(self.end.hash)
            .bind(texts(|event| event.stream.kind.as_str()))
            .bind(
                self.events
                    .iter()
                    .map(|event| event.stream.id.to_string())
                    .collect::<Vec<_>>(),
            )
            .bind(self.events.iter().map(|event| event.sequence).collect::<Vec<_>>())
            .bind(texts(|event| event.event_type))
            .bind(texts(|event| event.event_version))
            .bind(texts(|event| &event.payload))
            .bind(texts(|event| &event.metadata))
            .bind(self.hashes.iter().map(Hash::as_slice).collect::<Vec<_>>())
            .bind(
                self.receipts
                    .iter()
                    .map(|receipt| receipt.key.actor.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.receipts
                    .iter()
                    .map(|receipt| receipt.key.key.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.receipts
                    .iter()
                    .map(|receipt| receipt.digest.as_slice())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.receipts
                    .iter()
                    .map(|receipt| receipt.answer.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind(self.receipts.iter().map(|receipt| receipt.position).collect::<Vec<_>>())
            .bind(self.claims.iter().map(|claim| claim.kind.as_str()).collect::<Vec<_>>())
            .bind(self.claims.iter().map(|claim| claim.owner).collect::<Vec<_>>())
            .bind(
                self.claims
                    .iter()
                    .map(|claim| claim.digest.as_ref().map(Hash::as_slice))
                    .collect::<Vec<_>>(),
            )
            .bind(self.keys.iter().map(|(subject, _)| subject.0).collect::<Vec<_>>())
            .bind(self.keys.iter().map(|(_, key)| key.master.as_str()).collect::<Vec<_>>())
            .bind(
                self.keys
                    .iter()
                    .map(|(_, key)| key.bytes.as_slice())
                    .collect::<Vec<_>>(),
            )
            .bind(self.credentials.iter().map(|(party, _)| party.0).collect::<Vec<_>>())
            .bind(
                self.credentials
                    .iter()
                    .map(|(_, hash)| hash.as_str())
                    .collect::<Vec<_>>(),
            );
        if forgets {
            query = query.bind(self.forgotten.iter().map(|subject| subject.0).collect::<Vec<_>>());
        }
        let row = query.fetch_optional(connection).await?;
        match row
            .map(|row| row.try_get::<String, _>("status"))
            .transpose()?
            .as_deref()
        {
            Some("appended") => Ok(Appended::Durable),
            Some(_) => Ok(Appended::Moved),
            None => Ok(Appended::NoTenant),
        }
    }
}

/// Whether an error is PostgreSQL's own word that the statement was rolled back. After anything else (a connection
/// lost, a server going down) it may have been committed.
pub(crate) fn was_rolled_back(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => error
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|error| error.severity() == PgSeverity::Error),
        _ => false,
    }
}
