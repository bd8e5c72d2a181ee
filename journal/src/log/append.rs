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
use sqlx::{
    PgConnection, Postgres, Row as _,
    postgres::{PgDatabaseError, PgHasArrayType, PgSeverity, PgTypeInfo},
};
use uuid::Uuid;

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

    /// Writes it. One round trip, one commit; the first call of a connection also looks up the row types.
    pub(crate) async fn run(
        &self,
        connection: &mut PgConnection,
        macs: &RowMacs,
        tenant: &TenantId,
    ) -> Result<Appended, sqlx::Error> {
        let (base, end) = (&self.base, &self.end);
        let events = self.events.iter().zip(&self.hashes);
        let events = events.map(|(event, hash)| EventRow::new(event, hash));
        let receipts = self.receipts.iter().map(|receipt| ReceiptRow {
            actor: &receipt.key.actor,
            key: &receipt.key.key,
            digest: &receipt.digest,
            answer: &receipt.answer,
            position: receipt.position,
            mac: receipts::mac(macs, tenant, receipt, end.recorded_at),
        });
        let claims = self.claims.iter().map(|claim| ClaimRow {
            kind: claim.kind.as_str(),
            owner: claim.owner,
            digest: claim.digest.as_ref().map(Hash::as_slice),
            mac: claim
                .digest
                .as_ref()
                .map(|digest| claims::mac(macs, tenant, claim.kind.as_str(), digest, claim.owner).finish()),
        });
        let keys = self.keys.iter().map(|(subject, key)| KeyRow {
            subject: subject.0,
            master: &key.master,
            wrapped: &key.bytes,
            mac: subjects::key_mac(macs, tenant, *subject, key),
        });
        let credentials = self.credentials.iter().map(|(party, hash)| CredentialRow {
            party: party.0,
            hash,
            mac: credentials::mac(macs, tenant, *party, hash, end.recorded_at).finish(),
        });
        let erased = self.forgotten.iter().map(|subject| ErasedKeyRow {
            subject: subject.0,
            mac: subjects::tombstone_mac(macs, tenant, *subject, end.recorded_at),
        });
        let row = sqlx::query(
            "SELECT * FROM journal.append_rows(
                 p_tenant => $1,
                 p_base_position => $2, p_base_epoch => $3, p_base_hash => $4, p_base_recorded_at => $5,
                 p_recorded_at => $6, p_hash => $7,
                 p_events => $8, p_receipts => $9, p_claims => $10, p_keys => $11, p_credentials => $12,
                 p_erased => $13)",
        )
        .bind(tenant.as_str())
        .bind(base.position)
        .bind(base.epoch)
        .bind(base.hash)
        .bind(base.recorded_at)
        .bind(end.recorded_at)
        .bind(end.hash)
        .bind(events.collect::<Vec<_>>())
        .bind(receipts.collect::<Vec<_>>())
        .bind(claims.collect::<Vec<_>>())
        .bind(keys.collect::<Vec<_>>())
        .bind(credentials.collect::<Vec<_>>())
        .bind(erased.collect::<Vec<_>>())
        .fetch_optional(connection)
        .await?;
        let Some(row) = row else { return Ok(Appended::NoTenant) };
        match row.try_get("status")? {
            "appended" => Ok(Appended::Durable),
            _ => Ok(Appended::Moved(Head::from_row(&row)?)),
        }
    }
}

/// Rows that are sent as values of a composite type of the schema `journal`, field by field in the type's order.
macro_rules! rows_of_types {
    ($($row:ident $(<$a:lifetime>)? of $name:literal { $($field:ident: $type:ty,)* })*) => {$(
        #[derive(sqlx::Encode)]
        struct $row $(<$a>)? {
            $($field: $type,)*
        }

        impl $(<$a>)? sqlx::Type<Postgres> for $row $(<$a>)? {
            fn type_info() -> PgTypeInfo {
                PgTypeInfo::with_name($name)
            }
        }

        impl $(<$a>)? PgHasArrayType for $row $(<$a>)? {
            fn array_type_info() -> PgTypeInfo {
                PgTypeInfo::array_of($name)
            }
        }
    )*};
}

rows_of_types! {
    EventRow<'a> of "journal.new_event" {
        aggregate_type: &'a str,
        aggregate_id: String,
        sequence: i64,
        event_type: &'a str,
        event_version: &'a str,
        payload: &'a str,
        metadata: &'a str,
        hash: Hash,
    }

    ReceiptRow<'a> of "journal.new_receipt" {
        actor: &'a str,
        key: &'a str,
        digest: &'a [u8],
        answer: &'a str,
        position: i64,
        mac: Mac,
    }

    ClaimRow<'a> of "journal.claim_change" {
        kind: &'a str,
        owner: Uuid,
        digest: Option<&'a [u8]>,
        mac: Option<Mac>,
    }

    KeyRow<'a> of "journal.new_key" {
        subject: Uuid,
        master: &'a str,
        wrapped: &'a [u8],
        mac: Mac,
    }

    CredentialRow<'a> of "journal.new_credential" {
        party: Uuid,
        hash: &'a str,
        mac: Mac,
    }

    ErasedKeyRow of "journal.erased_key" {
        subject: Uuid,
        mac: Mac,
    }
}

impl<'a> EventRow<'a> {
    fn new(event: &'a NewEvent, hash: &Hash) -> Self {
        Self {
            aggregate_type: event.stream.kind.as_str(),
            aggregate_id: event.stream.id.to_string(),
            sequence: event.sequence,
            event_type: event.event_type,
            event_version: event.event_version,
            payload: &event.payload,
            metadata: &event.metadata,
            hash: *hash,
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
