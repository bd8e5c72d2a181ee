//! Records as the log has them, checked against its chain: for what is decided on, mailed or sent. Read models, which somebody may
//! have changed in the database, are for what is displayed.

use crate::error::ReadError;
use caudal_domain::{
    Event, Refusal, StreamId, StreamKind, StreamState,
    customer::{Customer, CustomerDetails, CustomerEvent},
    ids::{CustomerId, PartyId, RemittanceId, TenantId, WebhookId},
    party::{PartyDetails, PartyEvent},
    remittance::{RemittanceDetails, RemittanceEvent},
    webhook::{WebhookDetails, WebhookEvent},
};
use caudal_journal::{Journal, Recorded};
use uuid::Uuid;

async fn events(journal: &Journal, tenant: &TenantId, kind: StreamKind, id: Uuid) -> Result<Vec<Recorded>, ReadError> {
    Ok(journal.authentic_stream(tenant, StreamId::new(kind, id)).await?)
}

/// What the latest event of a record tells that tells it.
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
    let personal = |event| match event {
        Event::Party(PartyEvent::PartyRegistered(registered)) => Some(registered.personal),
        Event::Party(PartyEvent::PartyChanged(changed)) => Some(changed.personal),
        _ => None,
    };
    let last = latest(journal, tenant, (StreamKind::Party, id.0), personal).await?;
    let details = last.and_then(|personal| personal.get().cloned());
    details.ok_or_else(|| Refusal::not_found("party_not_found").into())
}

/// A customer with its details.
#[derive(Clone, Debug)]
pub struct CustomerOfLog {
    pub customer: Customer,
    /// `None` once erased.
    pub details: Option<CustomerDetails>,
}

impl CustomerOfLog {
    /// The customer of a stream; `None` without a registration.
    pub(crate) fn of(events: &[Recorded]) -> Option<Self> {
        let mut state = StreamState::new(StreamKind::Customer);
        let mut details = None;
        for recorded in events {
            match &recorded.event {
                Event::Customer(CustomerEvent::CustomerRegistered(registered)) => details = Some(&registered.personal),
                Event::Customer(CustomerEvent::CustomerChanged(changed)) => details = Some(&changed.personal),
                _ => {}
            }
            state.apply(&recorded.event);
        }
        Some(Self {
            customer: state.customer()?.clone(),
            details: details.and_then(|personal| personal.get().cloned()),
        })
    }
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
