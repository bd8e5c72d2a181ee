//! Records as the log has them, checked against its chain: for what is decided on, mailed or sent. Read models, which somebody may
//! have changed in the database, are for what is displayed.

use crate::{error::ReadError, read_transaction::ReadTransaction};
use caudal_domain::{
    Event, Personal, Refusal, StreamId, StreamKind, StreamState,
    customer::{Customer, CustomerDetails, CustomerEvent},
    ids::{CardId, CustomerId, MovementId, PartyId, RateChangeId, RemittanceId, TenantId, WebhookId},
    movement::{Movement, MovementEvent},
    party::{PartyDetails, PartyEvent},
    rates::{RateTarget, RatesEvent},
    remittance::{RemittanceDetails, RemittanceEvent},
    webhook::{WebhookDetails, WebhookEvent},
};
use caudal_journal::{Journal, Recorded};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Most records of one call that reads several: their events are in memory together.
pub const RECORDS_AT_ONCE: usize = 1_000;

async fn events(journal: &Journal, tenant: &TenantId, kind: StreamKind, id: Uuid) -> Result<Vec<Recorded>, ReadError> {
    Ok(journal.authentic_stream(tenant, StreamId::new(kind, id)).await?)
}

/// Events of records as of a read transaction, by record. At most [`RECORDS_AT_ONCE`] records.
pub(crate) async fn streams(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    kind: StreamKind,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<Recorded>>, ReadError> {
    let (tenant, through) = (transaction.tenant().clone(), transaction.position());
    let events = journal
        .authentic_streams_on(transaction.connection(), &tenant, kind, ids, through)
        .await?;
    let mut streams: BTreeMap<Uuid, Vec<Recorded>> = BTreeMap::new();
    for recorded in events {
        streams.entry(recorded.stream.id).or_default().push(recorded);
    }
    Ok(streams)
}

/// The value from the latest event of the stream for which `told` returns one.
async fn latest<T>(
    journal: &Journal,
    tenant: &TenantId,
    (kind, id): (StreamKind, Uuid),
    told: impl Fn(Event) -> Option<T>,
) -> Result<Option<T>, ReadError> {
    let events = events(journal, tenant, kind, id).await?;
    Ok(events.into_iter().rev().find_map(|recorded| told(recorded.event)))
}

/// Details of a party.
///
/// # Errors
/// Not found when there is none, or it is erased.
pub async fn party_details(journal: &Journal, tenant: &TenantId, id: PartyId) -> Result<PartyDetails, ReadError> {
    let last = latest(journal, tenant, (StreamKind::Party, id.0), party_personal).await?;
    let details = last.and_then(|personal| personal.get().cloned());
    details.ok_or_else(|| Refusal::not_found("party_not_found").into())
}

fn party_personal(event: Event) -> Option<Personal<PartyDetails>> {
    match event {
        Event::Party(PartyEvent::PartyRegistered(registered)) => Some(registered.personal),
        Event::Party(PartyEvent::PartyChanged(changed)) => Some(changed.personal),
        _ => None,
    }
}

/// Details of parties as of a read transaction, at most [`RECORDS_AT_ONCE`], without those that are erased or unknown.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn parties(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    ids: &[PartyId],
) -> Result<Vec<(PartyId, PartyDetails)>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let streams = streams(journal, transaction, StreamKind::Party, &ids).await?;
    let details = streams.into_iter().filter_map(|(id, events)| {
        let mut events = events.into_iter().rev();
        let personal = events.find_map(|recorded| party_personal(recorded.event))?;
        Some((PartyId(id), personal.get()?.clone()))
    });
    Ok(details.collect())
}

/// Opening balances that stand, as of a read transaction, of at most [`RECORDS_AT_ONCE`] movements.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn openings(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    ids: &[MovementId],
) -> Result<Vec<Movement>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let mut standing = Vec::with_capacity(ids.len());
    for events in streams(journal, transaction, StreamKind::Movement, &ids)
        .await?
        .into_values()
    {
        let mut opening = None;
        for recorded in events {
            match recorded.event {
                Event::Movement(MovementEvent::OpeningBalancePosted(posted)) => opening = Some(posted.movement),
                Event::Movement(MovementEvent::MovementReversed(_)) => opening = None,
                _ => {}
            }
        }
        standing.extend(opening);
    }
    Ok(standing)
}

/// A customer with its details.
#[derive(Clone, Debug)]
pub struct CustomerOfLog {
    pub customer: Customer,
    /// `None` once erased.
    pub details: Option<CustomerDetails>,
    /// Cards with their numbers, as typed. Without those that are erased.
    pub cards: Vec<(CardId, String)>,
}

impl CustomerOfLog {
    /// The customer of a stream; `None` without a registration.
    pub(crate) fn of(events: &[Recorded]) -> Option<Self> {
        let mut state = StreamState::new(StreamKind::Customer);
        let mut details = None;
        let mut cards = Vec::new();
        for recorded in events {
            match &recorded.event {
                Event::Customer(CustomerEvent::CustomerRegistered(registered)) => details = Some(&registered.personal),
                Event::Customer(CustomerEvent::CustomerChanged(changed)) => details = Some(&changed.personal),
                Event::Customer(CustomerEvent::CardAdded(added)) => {
                    let number = added.personal.get().map(|number| number.card_number.clone());
                    cards.extend(number.map(|number| (added.card, number)));
                }
                _ => {}
            }
            state.apply(&recorded.event);
        }
        Some(Self {
            customer: state.customer()?.clone(),
            details: details.and_then(|personal| personal.get().cloned()),
            cards,
        })
    }
}

/// Customers as of a read transaction, at most [`RECORDS_AT_ONCE`], in the order of their ids.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn customers(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    ids: &[CustomerId],
) -> Result<Vec<CustomerOfLog>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let streams = streams(journal, transaction, StreamKind::Customer, &ids).await?;
    Ok(streams
        .values()
        .filter_map(|events| CustomerOfLog::of(events))
        .collect())
}

/// A customer.
///
/// # Errors
/// Not found when there is none.
pub async fn customer(journal: &Journal, tenant: &TenantId, id: CustomerId) -> Result<CustomerOfLog, ReadError> {
    let events = events(journal, tenant, StreamKind::Customer, id.0).await?;
    CustomerOfLog::of(&events).ok_or_else(|| Refusal::not_found("customer_not_found").into())
}

/// A remittance's own details: the basis of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnDetails {
    pub recipient: CustomerId,
    /// Address set for this remittance.
    pub address: Option<String>,
    /// The seller's notes.
    pub notes: Option<String>,
}

/// Recipient, address and notes of a remittance.
///
/// # Errors
/// Not found when there is none.
pub async fn remittance(journal: &Journal, tenant: &TenantId, id: RemittanceId) -> Result<OwnDetails, ReadError> {
    let own = |event| match event {
        Event::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
            Some((created.sale.recipient, created.personal.get().cloned()))
        }
        Event::Remittance(RemittanceEvent::RemittanceDetailsEdited(edited)) => {
            Some((edited.recipient, edited.personal.get().cloned()))
        }
        _ => None,
    };
    let told = latest(journal, tenant, (StreamKind::Remittance, id.0), own).await?;
    let (recipient, details) = told.ok_or_else(|| Refusal::not_found("remittance_not_found"))?;
    let RemittanceDetails { address, notes } = details.unwrap_or_default();
    Ok(OwnDetails {
        recipient,
        address,
        notes,
    })
}

/// Sender and recipient of a remittance; none where there is no such remittance.
///
/// # Errors
/// When the log can't be read.
pub async fn customers_of(
    journal: &Journal,
    tenant: &TenantId,
    id: RemittanceId,
) -> Result<Vec<CustomerId>, ReadError> {
    let mut pair = Vec::new();
    for recorded in events(journal, tenant, StreamKind::Remittance, id.0).await? {
        match recorded.event {
            Event::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
                pair = vec![created.sale.sender, created.sale.recipient];
            }
            Event::Remittance(RemittanceEvent::RemittanceDetailsEdited(edited)) => {
                if let Some(recipient) = pair.last_mut() {
                    *recipient = edited.recipient;
                }
            }
            _ => {}
        }
    }
    Ok(pair)
}

/// Targets of a change of rates: those that it set, or that it is to set at its time.
///
/// # Errors
/// Not found when there is none.
pub async fn rate_targets(
    journal: &Journal,
    tenant: &TenantId,
    id: RateChangeId,
) -> Result<Vec<RateTarget>, ReadError> {
    let rates = |event| match event {
        Event::Rates(RatesEvent::RatesScheduled(scheduled)) => Some(scheduled.rates),
        Event::Rates(RatesEvent::RatesChanged(changed)) => Some(changed.rates),
        _ => None,
    };
    let last = latest(journal, tenant, (StreamKind::Rates, id.0), rates).await?;
    let rates = last.ok_or_else(|| Refusal::not_found("rate_change_not_found"))?;
    Ok(rates.into_iter().map(|rate| rate.target).collect())
}

/// Name and URL of an endpoint.
///
/// # Errors
/// Not found when there is none, or its party is erased.
pub async fn webhook(journal: &Journal, tenant: &TenantId, id: WebhookId) -> Result<WebhookDetails, ReadError> {
    let personal = |event| match event {
        Event::Webhook(WebhookEvent::WebhookAdded(added)) => Some(added.personal),
        Event::Webhook(WebhookEvent::WebhookChanged(changed)) => Some(changed.personal),
        _ => None,
    };
    let last = latest(journal, tenant, (StreamKind::Webhook, id.0), personal).await?;
    let details = last.and_then(|personal| personal.get().cloned());
    details.ok_or_else(|| Refusal::not_found("webhook_not_found").into())
}
