//! The one way into the log: a batch and all that becomes true with it, in one call.

use crate::{
    beside::{
        authenticity::{Mac, RowMacs},
        claims::{self, ClaimChange},
        credentials,
        receipts::{self, NewReceipt},
    },
    log::{
        chain::{self, Hash},
        head::Head,
    },
    people::{seal::WrappedKey, subjects},
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
    /// The head that it leads to. Its time is that of the last event, also where the batch has none: a head of another time
    /// was changed by somebody.
    end: Head,
    /// The time of its events.
    recorded_at: DateTime<Utc>,
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
    /// Nothing was written: the head that was found is not the one that the batch was decided on, in position, epoch, hash
    /// or time.
    Moved(Head),
    /// Nothing was written: there is no such tenant.
    NoTenant,
}

impl Append {
    /// An empty batch on a head, to be recorded at a time not before the head's.
    pub(crate) fn new(base: Head, recorded_at: DateTime<Utc>) -> Self {
        Self {
            base,
            end: base,
            recorded_at,
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
        self.end.recorded_at = self.recorded_at;
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

    /// Its events as the log will keep them.
    #[cfg(test)]
    pub(crate) fn stored_events(&self) -> Vec<super::stored::StoredEvent> {
        let positions = self.base.position + 1..;
        let events = positions.zip(self.events.iter().zip(&self.hashes));
        events
            .map(|(position, (event, hash))| super::stored::StoredEvent {
                position,
                aggregate_type: event.stream.kind.as_str().to_owned(),
                aggregate_id: event.stream.id.to_string(),
                sequence: event.sequence,
                event_type: event.event_type.to_owned(),
                event_version: event.event_version.to_owned(),
                recorded_at: Some(self.end.recorded_at),
                metadata: event.metadata.clone(),
                payload: event.payload.clone(),
                hash: Some(*hash),
            })
            .collect()
    }

    /// Writes it. One round trip, one commit.
    pub(crate) async fn run(
        &self,
        connection: &mut PgConnection,
        macs: &RowMacs,
        tenant: &TenantId,
    ) -> Result<Appended, sqlx::Error> {
        let (base, end) = (&self.base, &self.end);
        let events = &self.events;
        let (receipts, claims, keys) = (&self.receipts, &self.claims, &self.keys);
        let (credentials, forgotten) = (&self.credentials, &self.forgotten);
        let receipt_macs = column(receipts, |receipt| {
            receipts::mac(macs, tenant, receipt, end.recorded_at)
        });
        let claim_macs = column(claims, |claim| {
            let digest = claim.digest.as_ref()?;
            Some(claims::mac(macs, tenant, claim.kind.as_str(), digest, claim.owner).finish())
        });
        let key_macs = column(keys, |(subject, key)| subjects::key_mac(macs, tenant, *subject, key));
        let credential_macs = column(credentials, |(party, hash)| -> Mac {
            credentials::mac(macs, tenant, *party, hash, end.recorded_at).finish()
        });
        let forgotten_macs = column(forgotten, |subject| {
            subjects::tombstone_mac(macs, tenant, *subject, end.recorded_at)
        });
        // The parameters by name, since there are many and neighbours have the same type.
        let row = sqlx::query(
            "SELECT * FROM journal.append_batch(
                 p_tenant => $1,
                 p_base_position => $2, p_base_epoch => $3, p_base_hash => $4, p_base_recorded_at => $5,
                 p_recorded_at => $6, p_hash => $7,
                 p_aggregate_types => $8, p_aggregate_ids => $9, p_sequences => $10, p_event_types => $11,
                 p_event_versions => $12, p_payloads => $13, p_metadata => $14, p_hashes => $15,
                 p_receipt_actors => $16, p_receipt_keys => $17, p_receipt_digests => $18, p_receipt_answers => $19,
                 p_receipt_positions => $20, p_receipt_macs => $21,
                 p_claim_kinds => $22, p_claim_owners => $23, p_claim_digests => $24, p_claim_macs => $25,
                 p_key_subjects => $26, p_key_masters => $27, p_key_wrapped => $28, p_key_macs => $29,
                 p_credential_parties => $30, p_credential_hashes => $31, p_credential_macs => $32,
                 p_forgotten => $33, p_forgotten_macs => $34)",
        )
        .bind(tenant.as_str())
        .bind(base.position)
        .bind(base.epoch)
        .bind(base.hash)
        .bind(base.recorded_at)
        .bind(end.recorded_at)
        .bind(end.hash)
        .bind(column(events, |event| event.stream.kind.as_str()))
        .bind(column(events, |event| event.stream.id.to_string()))
        .bind(column(events, |event| event.sequence))
        .bind(column(events, |event| event.event_type))
        .bind(column(events, |event| event.event_version))
        .bind(column(events, |event| event.payload.as_str()))
        .bind(column(events, |event| event.metadata.as_str()))
        .bind(column(&self.hashes, Hash::as_slice))
        .bind(column(receipts, |receipt| receipt.key.actor.as_str()))
        .bind(column(receipts, |receipt| receipt.key.key.as_str()))
        .bind(column(receipts, |receipt| receipt.digest.as_slice()))
        .bind(column(receipts, |receipt| receipt.answer.as_str()))
        .bind(column(receipts, |receipt| receipt.position))
        .bind(column(&receipt_macs, Mac::as_slice))
        .bind(column(claims, |claim| claim.kind.as_str()))
        .bind(column(claims, |claim| claim.owner))
        .bind(column(claims, |claim| claim.digest.as_ref().map(Hash::as_slice)))
        .bind(column(&claim_macs, |mac| mac.as_ref().map(Mac::as_slice)))
        .bind(column(keys, |(subject, _)| subject.0))
        .bind(column(keys, |(_, key)| key.master.as_str()))
        .bind(column(keys, |(_, key)| key.bytes.as_slice()))
        .bind(column(&key_macs, Mac::as_slice))
        .bind(column(credentials, |(party, _)| party.0))
        .bind(column(credentials, |(_, hash)| hash.as_str()))
        .bind(column(&credential_macs, Mac::as_slice))
        .bind(column(forgotten, |subject| subject.0))
        .bind(column(&forgotten_macs, Mac::as_slice))
        .fetch_optional(connection)
        .await?;
        let Some(row) = row else { return Ok(Appended::NoTenant) };
        match row.try_get("status")? {
            "appended" => Ok(Appended::Durable),
            _ => Ok(Appended::Moved(Head::from_row(&row)?)),
        }
    }
}

/// One parameter of an append: a value of each row.
fn column<'a, T, U>(rows: &'a [T], value: impl Fn(&'a T) -> U) -> Vec<U> {
    rows.iter().map(value).collect()
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
