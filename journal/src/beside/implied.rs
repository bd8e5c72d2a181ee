//! Unique values that a log implies, compared with the index of unique values. A value's taking and releasing are derived
//! from its events alone.
//!
//! Pages of events with encrypted parts go in, in order; then the pages of the index are compared. Memory grows with parties,
//! currencies, payment groups and identified persons. References of remittances are compared page by page: their last event
//! decides.

use super::{
    authenticity::KeyedRow,
    unique_values::{self, UniqueValueKey},
};
use crate::{
    error::JournalError,
    journal::Shared,
    log::{
        chain::Hash,
        read::{self, MAX_EVENTS, Range, Recorded},
    },
};
use caudal_domain::{
    Event, StreamId, StreamKind, UniqueValue, UniqueValueKind, customer::CustomerEvent, ids::TenantId,
    party::PartyEvent,
};
use sqlx::{PgConnection, Row as _};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Types of events that take or release a remittance's reference.
const REFERRING: [&str; 2] = ["RemittanceCreated", "RemittanceDetailsEdited"];

/// A unique value with its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holding {
    pub(crate) value: UniqueValueKey,
    pub(crate) owner: Uuid,
}

/// A row of the index: kind and digest, as stored.
pub(crate) type IndexKey = (String, Vec<u8>);

/// What a log implies, as far as it was taken.
pub(crate) struct Implied<'a> {
    shared: &'a Shared,
    tenant: &'a TenantId,
    /// Values held, of all kinds but references.
    held: BTreeMap<(UniqueValueKind, Uuid), Hash>,
    parties: BTreeSet<Uuid>,
}

impl<'a> Implied<'a> {
    pub(crate) const fn new(shared: &'a Shared, tenant: &'a TenantId) -> Self {
        Self {
            shared,
            tenant,
            held: BTreeMap::new(),
            parties: BTreeSet::new(),
        }
    }

    fn digest(&self, kind: UniqueValueKind, value: &str) -> Hash {
        unique_values::digest(&self.shared.keyring, self.tenant, kind, value)
    }

    fn hold(&mut self, unique_value: UniqueValue) {
        let UniqueValue { kind, owner, value } = unique_value;
        match value {
            Some(value) => {
                let digest = self.digest(kind, &value);
                self.held.insert((kind, owner), digest);
            }
            None => {
                self.held.remove(&(kind, owner));
            }
        }
    }

    /// Takes the next page of events, with encrypted parts. Returns its references that the index lacks.
    pub(crate) async fn take(
        &mut self,
        connection: &mut PgConnection,
        mut events: Vec<Recorded>,
    ) -> Result<Vec<Holding>, JournalError> {
        let (first, last) = (events.first(), events.last());
        let page = first.zip(last).map(|(first, last)| first.position..=last.position);
        let mut referring = BTreeSet::new();
        let mut unique_values = Vec::new();
        for recorded in &events {
            if let Event::Party(PartyEvent::PartyRegistered(registered)) = &recorded.event {
                self.parties.insert(registered.party.id.0);
            }
            match recorded.event.unique_value() {
                Some(unique_value) if unique_value.kind == UniqueValueKind::SellerReference => {
                    referring.insert(unique_value.owner);
                }
                Some(unique_value) => unique_values.push((recorded.position, unique_value)),
                None => {}
            }
        }
        unique_values.extend(self.documents(connection, &mut events).await?);
        unique_values.sort_by_key(|(position, _)| *position);
        for (_, unique_value) in unique_values {
            self.hold(unique_value);
        }
        let mut held = self.references(connection, &referring).await?;
        // A later page has the later events of a remittance.
        held.retain(|_, (position, _)| page.as_ref().is_some_and(|page| page.contains(position)));
        let held = held.into_iter().filter_map(|(owner, (_, digest))| {
            Some(Holding {
                value: (UniqueValueKind::SellerReference, digest?),
                owner,
            })
        });
        self.without_row(connection, held.collect()).await
    }

    /// Documents of customers, which a page of events holds encrypted. A person's document never changes, so the events of
    /// all its customers say the same; those of forgotten customers say nothing.
    async fn documents(
        &self,
        connection: &mut PgConnection,
        events: &mut Vec<Recorded>,
    ) -> Result<Vec<(i64, UniqueValue)>, JournalError> {
        events.retain(|recorded| matches!(recorded.event, Event::Customer(CustomerEvent::PersonIdentified(_))));
        let shared = self.shared;
        let (keyring, macs, subjects) = (&shared.keyring, &shared.macs, &shared.subjects);
        read::open_parts(connection, keyring, macs, subjects, self.tenant, events).await?;
        let unique_values = events.iter();
        Ok(unique_values
            .filter_map(|recorded| Some((recorded.position, recorded.event.unique_value()?)))
            .collect())
    }

    /// Takes the addresses of parties, which their streams hold encrypted, once all events are taken. Returns the values that
    /// the index lacks, apart from references.
    pub(crate) async fn finish(&mut self, connection: &mut PgConnection) -> Result<Vec<Holding>, JournalError> {
        for party in self.parties.clone() {
            self.hold_email(connection, party).await?;
        }
        let held = self.held.iter().map(|((kind, owner), digest)| Holding {
            value: (*kind, *digest),
            owner: *owner,
        });
        let held = held.collect();
        self.without_row(connection, held).await
    }

    async fn hold_email(&mut self, connection: &mut PgConnection, party: Uuid) -> Result<(), JournalError> {
        let stream = StreamId::new(StreamKind::Party, party);
        let mut after = 0;
        loop {
            let range = Range::Stream {
                stream,
                after,
                limit: MAX_EVENTS,
            };
            let shared = self.shared;
            let (keyring, macs, subjects) = (&shared.keyring, &shared.macs, &shared.subjects);
            let events = read::opened(connection, keyring, macs, subjects, self.tenant, range).await?;
            let Some(last) = events.last() else { return Ok(()) };
            after = last.sequence;
            for unique_value in events.iter().filter_map(|recorded| recorded.event.unique_value()) {
                self.hold(unique_value);
            }
        }
    }

    /// Parties that the log registers.
    pub(crate) fn into_parties(self) -> BTreeSet<Uuid> {
        self.parties
    }

    /// Position and value of the last event about the reference of each remittance; `None` when it has none any more.
    async fn references(
        &self,
        connection: &mut PgConnection,
        remittances: &BTreeSet<Uuid>,
    ) -> Result<HashMap<Uuid, (i64, Option<Hash>)>, JournalError> {
        let mut held = HashMap::new();
        if remittances.is_empty() {
            return Ok(held);
        }
        let ids: Vec<String> = remittances.iter().map(Uuid::to_string).collect();
        let rows = sqlx::query(
            "SELECT e.position, e.event_type, e.event_version, e.payload::text AS payload FROM journal.events AS e
              WHERE e.tenant = $1 AND e.aggregate_type = $2 AND e.aggregate_id = ANY ($3) AND e.event_type = ANY ($4)
              ORDER BY e.position",
        )
        .bind(self.tenant.as_str())
        .bind(StreamKind::Remittance.as_str())
        .bind(ids)
        .bind(REFERRING.as_slice())
        .fetch_all(connection)
        .await?;
        for row in rows {
            let event = Event::decode(
                StreamKind::Remittance,
                row.try_get("event_type")?,
                row.try_get("event_version")?,
                row.try_get("payload")?,
            );
            // An event that can't be decoded is found by the check of the log itself.
            if let Some(unique_value) = event.ok().and_then(|event| event.unique_value()) {
                let digest = unique_value.value.map(|value| self.digest(unique_value.kind, &value));
                held.insert(unique_value.owner, (row.try_get("position")?, digest));
            }
        }
        Ok(held)
    }

    /// The holdings that have no row in the index.
    async fn without_row(
        &self,
        connection: &mut PgConnection,
        held: Vec<Holding>,
    ) -> Result<Vec<Holding>, JournalError> {
        if held.is_empty() {
            return Ok(held);
        }
        let (kinds, digests, owners) = columns(&held);
        let missing: Vec<i64> = sqlx::query_scalar(
            "SELECT w.n FROM unnest($2::text[], $3::bytea[], $4::uuid[]) WITH ORDINALITY AS w (kind, digest, owner, n)
              WHERE NOT EXISTS (SELECT 1 FROM journal.claims AS c
                                 WHERE c.tenant = $1 AND c.kind = w.kind AND c.digest = w.digest AND c.owner = w.owner)
              ORDER BY w.n",
        )
        .bind(self.tenant.as_str())
        .bind(kinds)
        .bind(digests)
        .bind(owners)
        .fetch_all(connection)
        .await?;
        let found = missing.into_iter().filter_map(|n| usize::try_from(n - 1).ok());
        Ok(found.filter_map(|n| held.get(n).copied()).collect())
    }

    /// Rows of a page of the index that no event of the log holds.
    pub(crate) async fn contradicting(
        &self,
        connection: &mut PgConnection,
        page: &[KeyedRow],
    ) -> Result<Vec<IndexKey>, JournalError> {
        let mut contradicting = Vec::new();
        let mut references: BTreeMap<Uuid, &[u8]> = BTreeMap::new();
        for found in page {
            let (name, owner): (&str, Uuid) = (found.row.try_get("kind")?, found.row.try_get("owner")?);
            let digest: &[u8] = found.row.try_get("digest")?;
            let kind = UniqueValueKind::ALL.iter().copied().find(|kind| kind.as_str() == name);
            match kind {
                Some(UniqueValueKind::SellerReference) => {
                    references.insert(owner, digest);
                }
                Some(kind) if self.held.get(&(kind, owner)).is_some_and(|held| held == digest) => {}
                _ => contradicting.push((name.to_owned(), digest.to_vec())),
            }
        }
        let held = self
            .references(connection, &references.keys().copied().collect())
            .await?;
        for (owner, digest) in references {
            let is_held = held
                .get(&owner)
                .and_then(|(_, held)| held.as_ref())
                .is_some_and(|held| held == digest);
            if !is_held {
                contradicting.push((UniqueValueKind::SellerReference.as_str().to_owned(), digest.to_vec()));
            }
        }
        Ok(contradicting)
    }

    /// Deletes rows that no event holds, and inserts those that are missing.
    pub(crate) async fn write(
        &self,
        connection: &mut PgConnection,
        contradicting: &[IndexKey],
        missing: &[Holding],
    ) -> Result<(), JournalError> {
        let (kinds, digests): (Vec<&str>, Vec<&[u8]>) = contradicting
            .iter()
            .map(|(kind, digest)| (kind.as_str(), digest.as_slice()))
            .unzip();
        sqlx::query(
            "DELETE FROM journal.claims AS c USING unnest($2::text[], $3::bytea[]) AS w (kind, digest)
              WHERE c.tenant = $1 AND c.kind = w.kind AND c.digest = w.digest",
        )
        .bind(self.tenant.as_str())
        .bind(kinds)
        .bind(digests)
        .execute(&mut *connection)
        .await?;
        let macs = missing.iter().map(
            |Holding {
                 value: (kind, digest),
                 owner,
             }| {
                let mac = unique_values::mac(&self.shared.macs, self.tenant, kind.as_str(), digest, *owner);
                mac.finish().to_vec()
            },
        );
        let macs: Vec<Vec<u8>> = macs.collect();
        let (kinds, digests, owners) = columns(missing);
        sqlx::query(
            "INSERT INTO journal.claims (tenant, kind, digest, owner, mac)
             SELECT $1, w.* FROM unnest($2::text[], $3::bytea[], $4::uuid[], $5::bytea[]) AS w",
        )
        .bind(self.tenant.as_str())
        .bind(kinds)
        .bind(digests)
        .bind(owners)
        .bind(macs)
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Kinds, digests and owners of holdings.
fn columns(held: &[Holding]) -> (Vec<&'static str>, Vec<Vec<u8>>, Vec<Uuid>) {
    let kinds = held.iter().map(|holding| holding.value.0.as_str());
    let digests = held.iter().map(|holding| holding.value.1.to_vec());
    (
        kinds.collect(),
        digests.collect(),
        held.iter().map(|holding| holding.owner).collect(),
    )
}
