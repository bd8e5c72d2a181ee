//! The one way into the log: a batch and all that becomes true with it, in one call.

use crate::{
    beside::{
        authenticity::{Mac, RowMacs},
        credentials,
        idempotency_records::{self, NewIdempotencyRecord},
        unique_values::{self, UniqueValueChange},
    },
    log::{
        chain::{self, Hash},
        head::Head,
    },
    people::{encryption::WrappedKey, subjects},
};
use caudal_domain::{
    StreamId,
    ids::{PartyId, SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use sqlx::{
    PgConnection, Postgres, Row as _,
    postgres::{PgArguments, PgDatabaseError, PgSeverity},
};
use std::marker::PhantomData;
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

/// Contents of one append: all are committed, or none.
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
    pub(crate) idempotency_records: Vec<NewIdempotencyRecord>,
    pub(crate) unique_values: Vec<UniqueValueChange>,
    pub(crate) keys: Vec<(SubjectId, WrappedKey)>,
    pub(crate) credentials: Vec<(PartyId, String)>,
    /// Whom its events forget.
    pub(crate) forgotten: Vec<SubjectId>,
}

/// Outcome of an append that PostgreSQL answered.
#[derive(Debug)]
pub(crate) enum Appended {
    /// It is in the log.
    Durable,
    /// Nothing was written: the head is not the one that the batch was decided on, in position, epoch, hash
    /// or time.
    Moved,
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
            idempotency_records: Vec::new(),
            unique_values: Vec::new(),
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
            && self.idempotency_records.is_empty()
            && self.unique_values.is_empty()
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
        let rows = self.rows(macs, tenant);
        let statement = rows.statement();
        let query = sqlx::query(&statement)
            .bind(tenant.as_str())
            .bind(base.position)
            .bind(base.epoch)
            .bind(base.hash)
            .bind(base.recorded_at)
            .bind(end.recorded_at)
            .bind(end.hash)
            .bind(self.mac(macs, tenant));
        let row = rows.bind(query).fetch_one(connection).await?;
        Ok(match row.try_get("status")? {
            Some("appended") => Appended::Durable,
            Some(_) => Appended::Moved,
            None => Appended::NoTenant,
        })
    }

    /// MAC of the head that it leads to.
    pub(crate) fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> Mac {
        macs.head(tenant, self.end.point(), self.end.recorded_at)
    }

    /// All its rows, with the MACs of those beside the log.
    fn rows<'a>(&'a self, macs: &RowMacs, tenant: &TenantId) -> Rows<'a> {
        let recorded_at = self.end.recorded_at;
        let mut rows = Rows::default();
        for (event, hash) in self.events.iter().zip(&self.hashes) {
            rows.events.push(
                event.stream.kind.as_str(),
                event.stream.id.to_string(),
                event.sequence,
                event.event_type,
                event.event_version,
                &event.payload,
                &event.metadata,
                *hash,
            );
        }
        for idempotency_record in &self.idempotency_records {
            rows.idempotency_records.push(
                &idempotency_record.key.actor,
                &idempotency_record.key.key,
                &idempotency_record.digest,
                &idempotency_record.answer,
                idempotency_record.position,
                idempotency_records::mac(macs, tenant, idempotency_record, recorded_at),
            );
        }
        for UniqueValueChange { kind, owner, digest } in &self.unique_values {
            let mac = |digest: &Hash| unique_values::mac(macs, tenant, kind.as_str(), digest, *owner).finish();
            let mac = digest.as_ref().map(mac);
            rows.unique_values
                .push(kind.as_str(), *owner, digest.as_ref().map(Hash::as_slice), mac);
        }
        for (subject, key) in &self.keys {
            let mac = subjects::key_mac(macs, tenant, *subject, key);
            rows.keys.push(subject.0, &key.master, &key.bytes, mac);
        }
        for (party, hash) in &self.credentials {
            let mac = credentials::mac(macs, tenant, *party, hash, recorded_at).finish();
            rows.credentials.push(party.0, hash, mac);
        }
        for subject in &self.forgotten {
            let mac = subjects::tombstone_mac(macs, tenant, *subject, recorded_at);
            rows.erased.push(subject.0, mac);
        }
        rows
    }
}

/// The tables of rows of an append, each with its parameter and its composite type of the schema `journal`, which has an array
/// per column, in order.
///
/// Columns are sent as arrays of built-in types and put together by the statement: sqlx would look up each composite type
/// that it sends, field by field, in the first append of every connection. A table without rows is not sent: most appends
/// have events and idempotency records alone.
macro_rules! tables {
    ($($table:ident: $rows:ident as $parameter:literal of $name:literal { $($field:ident: $type:ty,)* })*) => {
        /// All rows of an append.
        #[derive(Default)]
        struct Rows<'a> {
            $($table: $rows<'a>,)*
        }

        impl<'a> Rows<'a> {
            /// The call of `journal.append_signed`.
            fn statement(&self) -> String {
                let mut statement = CALL.to_owned();
                let mut parameters = FIRST_ROWS..;
                $(
                    statement += concat!(", ", $parameter, " => ");
                    if self.$table.count == 0 {
                        statement += "NULL";
                    } else {
                        let columns = [$(stringify!($field)),*].len();
                        let columns: Vec<_> = parameters.by_ref().take(columns).map(|n| format!("${n}")).collect();
                        statement += &format!("ROW({})::{}", columns.join(", "), $name);
                    }
                )*
                statement + ") AS status"
            }

            /// Binds what the statement sends.
            fn bind<'q>(self, query: Query<'q>) -> Query<'q>
            where
                'a: 'q,
            {
                $(
                    let query = if self.$table.count == 0 {
                        query
                    } else {
                        query$(.bind(self.$table.$field))*
                    };
                )*
                query
            }
        }

        $(
            #[derive(Default)]
            struct $rows<'a> {
                $($field: Vec<$type>,)*
                count: usize,
                lifetime: PhantomData<&'a ()>,
            }

            impl<'a> $rows<'a> {
                #[allow(clippy::too_many_arguments, reason = "the fields of a row")]
                fn push(&mut self, $($field: $type),*) {
                    self.count += 1;
                    $(self.$field.push($field);)*
                }
            }
        )*
    };
}

/// The call without its rows.
const CALL: &str = "SELECT journal.append_signed(p_tenant => $1,
    p_base_position => $2, p_base_epoch => $3, p_base_hash => $4, p_base_recorded_at => $5,
    p_recorded_at => $6, p_hash => $7, p_mac => $8";

type Query<'a> = sqlx::query::Query<'a, Postgres, PgArguments>;

/// The number of the statement's first parameter that holds a field of rows.
const FIRST_ROWS: usize = 9;

tables! {
    events: EventRows as "p_events" of "journal.event_columns" {
        aggregate_type: &'a str,
        aggregate_id: String,
        sequence: i64,
        event_type: &'a str,
        event_version: &'a str,
        payload: &'a str,
        metadata: &'a str,
        hash: Hash,
    }

    idempotency_records: IdempotencyRecordRows as "p_receipts" of "journal.receipt_columns" {
        actor: &'a str,
        key: &'a str,
        digest: &'a [u8],
        answer: &'a str,
        position: i64,
        mac: Mac,
    }

    unique_values: UniqueValueRows as "p_claims" of "journal.claim_columns" {
        kind: &'a str,
        owner: Uuid,
        digest: Option<&'a [u8]>,
        mac: Option<Mac>,
    }

    keys: KeyRows as "p_keys" of "journal.key_columns" {
        subject: Uuid,
        master: &'a str,
        wrapped: &'a [u8],
        mac: Mac,
    }

    credentials: CredentialRows as "p_credentials" of "journal.credential_columns" {
        party: Uuid,
        hash: &'a str,
        mac: Mac,
    }

    erased: ErasedKeyRows as "p_erased" of "journal.erased_columns" {
        subject: Uuid,
        mac: Mac,
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
