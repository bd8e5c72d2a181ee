//! What a dossier reads: streams of the log up to the position of its export, each event checked against the hash before it.
//!
//! Which streams these are is searched in the log, so that a dossier has the same bytes whatever the read models hold. The read
//! models are asked as well: where an event was changed so that the search misses it, its stream is found by them, and refused.

use crate::{error::ReadError, public_events::erase_forgotten, read_transaction::ReadTransaction};
use caudal_domain::{
    Event, StreamId, StreamKind, approval::ProposalEvent, customer::CustomerEvent, ids::CustomerId,
    remittance::RemittanceEvent,
};
use caudal_journal::{Journal, Recorded};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Positions of the log per search: a statement of well below a second.
const SEARCHED_AT_ONCE: i64 = 100_000;
/// Streams per read.
const STREAMS_AT_ONCE: usize = 100;

/// Where the events of a kind of streams name a record. Payloads are stored without spaces.
struct Marks {
    kind: StreamKind,
    marks: &'static [&'static str],
}

/// Sender and recipient of a sale, and the recipient of an edit.
const CUSTOMERS_OF_REMITTANCES: Marks = Marks {
    kind: StreamKind::Remittance,
    marks: &[r#""sender":""#, r#""recipient":""#],
};
/// Sender of a recipient's registration.
const SENDERS_OF_CUSTOMERS: Marks = Marks {
    kind: StreamKind::Customer,
    marks: &[r#""sender":""#],
};
/// Record of a proposed command.
const RECORDS_OF_PROPOSALS: Marks = Marks {
    kind: StreamKind::Proposal,
    marks: &[
        r#""stream":{"kind":"customer","id":""#,
        r#""stream":{"kind":"remittance","id":""#,
    ],
};

/// Reads streams up to a position.
pub(super) struct Reader<'a> {
    pub(super) journal: &'a Journal,
    pub(super) position: i64,
}

impl Reader<'_> {
    /// Events of a stream up to the position. Personal parts of erased people are erased.
    pub(super) async fn stream(
        &self,
        transaction: &mut ReadTransaction,
        kind: StreamKind,
        id: Uuid,
    ) -> Result<Vec<Recorded>, ReadError> {
        let streams = self.streams(transaction, kind, &[id]).await?;
        Ok(streams.into_iter().next().unwrap_or_default())
    }

    /// Events of streams of a kind up to the position, one list per stream, in the order in which the streams began.
    async fn streams(
        &self,
        transaction: &mut ReadTransaction,
        kind: StreamKind,
        ids: &[Uuid],
    ) -> Result<Vec<Vec<Recorded>>, ReadError> {
        let tenant = transaction.tenant().clone();
        let mut streams = BTreeMap::new();
        for part in ids.chunks(STREAMS_AT_ONCE) {
            let mut events = self
                .journal
                .authentic_streams_on(transaction.connection(), &tenant, kind, part, self.position)
                .await?;
            erase_forgotten(transaction, &mut events).await?;
            let mut of_part: BTreeMap<Uuid, Vec<Recorded>> = BTreeMap::new();
            for recorded in events {
                of_part.entry(recorded.stream.id).or_default().push(recorded);
            }
            for events in of_part.into_values() {
                if let Some(first) = events.first() {
                    streams.insert(first.position, events);
                }
            }
        }
        Ok(streams.into_values().collect())
    }

    /// Streams that name one of some records by the log, and those by the read models.
    async fn naming(
        &self,
        transaction: &mut ReadTransaction,
        named: Marks,
        records: &[Uuid],
        shown: Vec<Uuid>,
    ) -> Result<Vec<Vec<Recorded>>, ReadError> {
        let Marks { kind, marks } = named;
        let tenant = transaction.tenant().clone();
        let mut ids: BTreeSet<Uuid> = shown.into_iter().collect();
        let mut from = 1;
        while from <= self.position {
            let through = self.position.min(from + SEARCHED_AT_ONCE - 1);
            let connection = transaction.connection();
            let found = self
                .journal
                .streams_naming_on(connection, &tenant, kind, marks, records, from..=through)
                .await?;
            ids.extend(found);
            from = through + 1;
        }
        let ids: Vec<Uuid> = ids.into_iter().collect();
        self.streams(transaction, kind, &ids).await
    }

    /// Remittances that were ever sent by one of some customers or to be paid to them, oldest first.
    pub(super) async fn remittances(
        &self,
        transaction: &mut ReadTransaction,
        customers: &[CustomerId],
    ) -> Result<Vec<Vec<Recorded>>, ReadError> {
        let ids: Vec<Uuid> = customers.iter().map(|customer| customer.0).collect();
        let mut sql = transaction.rows("remittances", "r").after("SELECT r.id");
        sql.push(" AND r.position <= ").bind(self.position);
        sql.push(" AND (r.sender = ANY (").bind(ids.clone());
        sql.push(") OR r.recipient = ANY (").bind(ids.clone()).push("))");
        let shown = transaction.fetch_ids(&sql).await?;
        let mut found = self.naming(transaction, CUSTOMERS_OF_REMITTANCES, &ids, shown).await?;
        found.retain(|events| customers.iter().any(|customer| is_with(events, *customer)));
        Ok(found)
    }

    /// Recipients of a sender, oldest first.
    pub(super) async fn recipients(
        &self,
        transaction: &mut ReadTransaction,
        id: CustomerId,
    ) -> Result<Vec<Uuid>, ReadError> {
        let mut sql = transaction.rows("customers", "c").after("SELECT c.id");
        sql.push(" AND c.position <= ").bind(self.position);
        sql.push(" AND c.sender = ").bind(id.0);
        let shown = transaction.fetch_ids(&sql).await?;
        let found = self.naming(transaction, SENDERS_OF_CUSTOMERS, &[id.0], shown).await?;
        let own = found.iter().flatten().filter_map(|recorded| match &recorded.event {
            Event::Customer(CustomerEvent::CustomerRegistered(registered)) => {
                (registered.customer.sender == Some(id)).then_some(recorded.stream.id)
            }
            _ => None,
        });
        Ok(own.collect())
    }

    /// Proposals of commands about the customer or one of the remittances, oldest first.
    pub(super) async fn proposals(
        &self,
        transaction: &mut ReadTransaction,
        id: CustomerId,
        remittances: Vec<Uuid>,
    ) -> Result<Vec<Vec<Recorded>>, ReadError> {
        let mut sql = transaction.rows("proposals", "x").after("SELECT x.id");
        sql.push(" AND x.position <= ").bind(self.position);
        sql.push(" AND (x.stream_kind = 'customer' AND x.stream_id = ")
            .bind(id.0);
        sql.push(" OR x.stream_kind = 'remittance' AND x.stream_id = ANY (")
            .bind(remittances.clone())
            .push("))");
        let shown = transaction.fetch_ids(&sql).await?;
        let about: BTreeSet<StreamId> = remittances
            .iter()
            .map(|remittance| StreamId::new(StreamKind::Remittance, *remittance))
            .chain([StreamId::new(StreamKind::Customer, id)])
            .collect();
        let records: Vec<Uuid> = remittances.into_iter().chain([id.0]).collect();
        let mut found = self.naming(transaction, RECORDS_OF_PROPOSALS, &records, shown).await?;
        found.retain(|events| {
            events.iter().any(|recorded| match &recorded.event {
                Event::Proposal(ProposalEvent::CommandProposed(proposed)) => about.contains(&proposed.stream),
                _ => false,
            })
        });
        Ok(found)
    }
}

/// Whether a remittance was ever sent by the customer or to be paid to them.
pub(super) fn is_with(events: &[Recorded], id: CustomerId) -> bool {
    events.iter().any(|recorded| match &recorded.event {
        Event::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
            created.sale.sender == id || created.sale.recipient == id
        }
        Event::Remittance(RemittanceEvent::RemittanceDetailsEdited(edited)) => edited.recipient == id,
        _ => false,
    })
}
