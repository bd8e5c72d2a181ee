//! What a dossier reads: streams of the log up to the position of its export, and from the read models which streams.

use crate::{error::ReadError, public_events::erase_forgotten, read_transaction::ReadTransaction};
use caudal_domain::{Event, StreamId, StreamKind, ids::CustomerId, remittance::RemittanceEvent};
use caudal_journal::{Journal, MAX_EVENTS, Recorded};
use uuid::Uuid;

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
        let tenant = transaction.tenant().clone();
        let stream = StreamId::new(kind, id);
        let mut events = Vec::new();
        let mut read = 0;
        loop {
            let page = self.journal.stream_events(&tenant, stream, read, MAX_EVENTS).await?;
            let Some(last) = page.last() else { break };
            read = last.sequence;
            events.extend(page.into_iter().filter(|recorded| recorded.position <= self.position));
        }
        erase_forgotten(transaction, &mut events).await?;
        Ok(events)
    }
}

/// Remittances that may be with the customer, oldest first. A recipient may have been replaced in one: recipients are of
/// one sender, so the sender's remittances have them all.
pub(super) async fn candidates(
    transaction: &mut ReadTransaction,
    id: CustomerId,
    sender: Option<CustomerId>,
    position: i64,
) -> Result<Vec<Uuid>, ReadError> {
    let mut sql = transaction.rows("remittances", "r").after("SELECT r.id");
    sql.push(" AND r.position <= ").bind(position);
    sql.push(" AND (r.sender = ").bind(sender.unwrap_or(id).0);
    sql.push(" OR r.recipient = ").bind(id.0);
    sql.push(") ORDER BY r.position");
    transaction.fetch_ids(&sql).await
}

/// Recipients of a sender, oldest first.
pub(super) async fn recipients(
    transaction: &mut ReadTransaction,
    id: CustomerId,
    position: i64,
) -> Result<Vec<Uuid>, ReadError> {
    let mut sql = transaction.rows("customers", "c").after("SELECT c.id");
    sql.push(" AND c.position <= ").bind(position);
    sql.push(" AND c.sender = ").bind(id.0);
    sql.push(" ORDER BY c.position");
    transaction.fetch_ids(&sql).await
}

/// Proposals of commands about the customer or one of the remittances, oldest first.
pub(super) async fn proposals(
    transaction: &mut ReadTransaction,
    id: CustomerId,
    remittances: Vec<Uuid>,
    position: i64,
) -> Result<Vec<Uuid>, ReadError> {
    let mut sql = transaction.rows("proposals", "x").after("SELECT x.id");
    sql.push(" AND x.position <= ").bind(position);
    sql.push(" AND (x.stream_kind = 'customer' AND x.stream_id = ")
        .bind(id.0);
    sql.push(" OR x.stream_kind = 'remittance' AND x.stream_id = ANY (")
        .bind(remittances);
    sql.push(")) ORDER BY x.position");
    transaction.fetch_ids(&sql).await
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
