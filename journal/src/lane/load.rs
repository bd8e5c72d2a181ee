//! Loading: what a batch needs besides the books, in one call.

use crate::{
    authenticity::{moment, optional_moment},
    chain::{self, Hash},
    claims::{self, ClaimKey},
    error::JournalError,
    journal::Shared,
    read,
    receipts::{self, Receipt, ReceiptKey},
    state::{State, Stream},
    subjects::{StoredKey, SubjectKey},
};
use caudal_domain::{
    ClaimKind, Command, Event, StreamId,
    customer::CustomerCommand,
    ids::{SubjectId, TenantId},
    movement::MovementCommand,
    remittance::RemittanceCommand,
};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    sync::Arc,
};
use uuid::Uuid;

/// What a batch is decided with besides the books. It may be newer than the head that it is decided on: the append,
/// or the confirmation, then fails.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The idempotency keys asked about, with their receipts.
    pub(super) receipts: HashMap<ReceiptKey, Option<Receipt>>,
    pub(super) streams: HashMap<StreamId, Arc<Stream>>,
    /// The values asked about, with their holders.
    pub(super) claims: HashMap<ClaimKey, Option<Uuid>>,
    /// The people asked about, with their keys; none where there never was one.
    pub(super) keys: HashMap<SubjectId, Option<SubjectKey>>,
}

/// What is not known yet.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) receipts: Vec<ReceiptKey>,
    pub(super) streams: BTreeSet<StreamId>,
    pub(super) claims: BTreeSet<ClaimKey>,
    pub(super) subjects: BTreeSet<SubjectId>,
}

impl Wanted {
    pub(super) fn is_empty(&self) -> bool {
        self.receipts.is_empty() && self.streams.is_empty() && self.claims.is_empty() && self.subjects.is_empty()
    }
}

/// Whether a command writes the first event of its stream. Such a stream is presumed to be empty: where it is not, the
/// log's constraint on sequences says so.
pub(super) const fn opens_its_stream(command: &Command) -> bool {
    match command {
        Command::Remittance(_, command) => matches!(command, RemittanceCommand::Create(_)),
        Command::Customer(_, command) => matches!(command, CustomerCommand::Register(_)),
        Command::Movement(_, command) => !matches!(command, MovementCommand::Reverse { .. }),
        _ => false,
    }
}

impl Facts {
    /// Takes a stream from memory, or asks for it.
    pub(super) fn want_stream(&mut self, wanted: &mut Wanted, state: &mut State, id: StreamId) {
        if self.streams.contains_key(&id) {
            return;
        }
        match state.streams.get(&id) {
            Some(stream) => {
                self.streams.insert(id, stream);
            }
            None => {
                wanted.streams.insert(id);
            }
        }
    }

    /// Whether a stream's state is known, rather than presumed to be empty.
    pub(super) fn knows_stream(&self, id: &StreamId) -> bool {
        self.streams.contains_key(id)
    }

    /// A person's key, where it was asked about or used lately.
    pub(super) fn key(
        &mut self,
        shared: &Shared,
        tenant: &TenantId,
        subject: SubjectId,
    ) -> Option<&Option<SubjectKey>> {
        match self.keys.entry(subject) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(unknown) => {
                let key = shared.subjects.get(tenant, subject)?;
                Some(unknown.insert(Some(key)))
            }
        }
    }

    /// A stream's state; an empty one where nothing was ever written to it.
    pub(super) fn stream(&self, id: StreamId) -> Arc<Stream> {
        self.streams
            .get(&id)
            .cloned()
            .unwrap_or_else(|| Arc::new(Stream::empty(id)))
    }

    /// Fetches what is wanted. One round trip.
    pub(super) async fn load(
        &mut self,
        connection: &mut PgConnection,
        shared: &Shared,
        tenant: &TenantId,
        wanted: Wanted,
    ) -> Result<(), JournalError> {
        if wanted.is_empty() {
            return Ok(());
        }
        let rows = sqlx::query("SELECT * FROM journal.load_facts($1, $2, $3, $4, $5, $6, $7, $8)")
            .bind(tenant.as_str())
            .bind(wanted.receipts.iter().map(|key| key.actor.as_str()).collect::<Vec<_>>())
            .bind(wanted.receipts.iter().map(|key| key.key.as_str()).collect::<Vec<_>>())
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
            .bind(wanted.claims.iter().map(|(kind, _)| kind.as_str()).collect::<Vec<_>>())
            .bind(
                wanted
                    .claims
                    .iter()
                    .map(|(_, digest)| digest.as_slice())
                    .collect::<Vec<_>>(),
            )
            .bind(wanted.subjects.iter().map(|subject| subject.0).collect::<Vec<_>>())
            .fetch_all(connection)
            .await?;
        // What no row comes back for is not there.
        self.receipts.extend(wanted.receipts.into_iter().map(|key| (key, None)));
        self.streams
            .extend(wanted.streams.iter().map(|id| (*id, Arc::new(Stream::empty(*id)))));
        self.claims.extend(wanted.claims.iter().map(|claim| (*claim, None)));
        self.keys.extend(wanted.subjects.iter().map(|subject| (*subject, None)));
        for row in rows {
            match row.try_get("fact")? {
                "receipt" => self.take_receipt(shared, tenant, &row)?,
                "event" => self.take_event(tenant, &row)?,
                "claim" => self.take_claim(shared, tenant, &row)?,
                "key" => self.take_key(shared, tenant, &row)?,
                other => return Err(JournalError::Unexpected(format!("a fact of the kind {other:?}"))),
            }
        }
        Ok(())
    }

    fn take_receipt(&mut self, shared: &Shared, tenant: &TenantId, row: &PgRow) -> Result<(), JournalError> {
        let key = ReceiptKey {
            actor: row.try_get("name")?,
            key: row.try_get("detail")?,
        };
        let receipt = Receipt {
            digest: row.try_get("bytes")?,
            answer: row.try_get("body")?,
            position: row.try_get("number")?,
        };
        let Receipt {
            digest,
            answer,
            position,
        } = &receipt;
        receipts::row_mac(
            &shared.macs,
            tenant,
            &key,
            digest,
            answer,
            *position,
            moment(row, "micros")?,
        )
        .check(row.try_get("proof")?)?;
        self.receipts.insert(key, Some(receipt));
        Ok(())
    }

    fn take_event(&mut self, tenant: &TenantId, row: &PgRow) -> Result<(), JournalError> {
        let position = row.try_get("place")?;
        let unreadable = |source| JournalError::Unreadable {
            tenant: tenant.clone(),
            position,
            source,
        };
        // Before it is decoded: an event that was changed may be one that can't be.
        if !follows(tenant, position, row)? {
            return Err(JournalError::Changed {
                tenant: tenant.clone(),
                position,
            });
        }
        let id = read::stream_id(row.try_get("name")?, row.try_get("detail")?).map_err(unreadable)?;
        let event = Event::decode(
            id.kind,
            row.try_get("label")?,
            row.try_get("version")?,
            row.try_get("body")?,
        )
        .map_err(|error| unreadable(error.into()))?;
        let stream = self.streams.entry(id).or_insert_with(|| Arc::new(Stream::empty(id)));
        let stream = Arc::make_mut(stream);
        stream.state.apply(&event);
        stream.sequence = row.try_get("number")?;
        stream.position = position;
        Ok(())
    }

    fn take_claim(&mut self, shared: &Shared, tenant: &TenantId, row: &PgRow) -> Result<(), JournalError> {
        let name: &str = row.try_get("name")?;
        let kind = ClaimKind::ALL.iter().copied().find(|kind| kind.as_str() == name);
        let kind = kind.ok_or_else(|| JournalError::Unexpected(format!("a claim of the kind {name:?}")))?;
        let (digest, owner): (Hash, Uuid) = (row.try_get("bytes")?, row.try_get("id")?);
        claims::mac(&shared.macs, tenant, name, &digest, owner).check(row.try_get("proof")?)?;
        self.claims.insert((kind, digest), Some(owner));
        Ok(())
    }

    fn take_key(&mut self, shared: &Shared, tenant: &TenantId, row: &PgRow) -> Result<(), JournalError> {
        let stored = StoredKey {
            subject: SubjectId(row.try_get("id")?),
            master: row.try_get("name")?,
            wrapped: row.try_get("bytes")?,
            forgotten_at: optional_moment(row, "micros")?,
            mac: row.try_get("proof")?,
        };
        let subject = stored.subject;
        let key = stored
            .authentic(&shared.macs, tenant)?
            .unwrapped(&shared.keyring, tenant);
        shared.subjects.keep(tenant, subject, key.clone());
        self.keys.insert(subject, Some(key));
        Ok(())
    }
}

/// Whether an event's hash is that of its content and of the event before.
fn follows(tenant: &TenantId, position: i64, row: &PgRow) -> Result<bool, sqlx::Error> {
    let before: Option<Hash> = match position {
        1 => Some(chain::genesis(tenant.as_str())),
        _ => row.try_get("before")?,
    };
    let link = chain::Link {
        tenant: tenant.as_str(),
        position,
        aggregate_type: row.try_get("name")?,
        aggregate_id: row.try_get("detail")?,
        sequence: row.try_get("number")?,
        event_type: row.try_get("label")?,
        event_version: row.try_get("version")?,
        recorded_at: moment(row, "micros")?,
        metadata: row.try_get("context")?,
        payload: row.try_get("body")?,
    };
    let stored: Hash = row.try_get("proof")?;
    Ok(before.is_some_and(|before| chain::hash(&before, &link) == stored))
}
