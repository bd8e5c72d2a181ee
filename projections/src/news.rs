//! Notifications: who changed which record.

use crate::{
    audit, changes, customer,
    error::ReadError,
    movement::{self, About, MovementAmount},
    proposal::{self, PublicApprovalKind},
    read_transaction::ReadTransaction,
    refs::HistoryActor,
    remittance,
    scalar::{CustomerType, StreamKind},
    scope::Scope,
};
use caudal_domain::{Refusal, StreamKind as Kind};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum changes per answer; the length of the notification list.
pub const MAX_NEWS: usize = 50;

/// A change with the details of its notification.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct News {
    /// Position of the event in the tenant's log, from 1.
    pub position: i64,
    /// Time of the change, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Kind of the record.
    pub kind: StreamKind,
    /// Id of the record.
    pub id: Uuid,
    /// Event type, such as `RemittanceCreated`.
    #[schema(examples("RemittanceCreated"))]
    pub event_type: String,
    /// Party that did it; all fields null for the system.
    pub actor: HistoryActor,
    /// Current number or name of the record; null without one, or after erasure.
    pub name: Option<String>,
    /// Recipient of a remittance; receiver, else giver, of a movement; whom or what a proposal concerns. Null when the record is
    /// outside the caller's scope.
    pub about: Option<String>,
    /// What the rule of approvals covers, of a proposal; null for other records, and outside the caller's scope.
    pub approval_kind: Option<PublicApprovalKind>,
    /// Payout of a remittance, or amounts of a movement; empty when the record is outside the caller's scope.
    pub amounts: Vec<MovementAmount>,
    /// Issuer or recipient; only for customers.
    pub customer_type: Option<CustomerType>,
    /// Whether the caller can open the record: false when deleted or outside the scope.
    pub is_visible: bool,
}

/// Notifications of the changes at positions, newest first: those by others in the caller's scope.
///
/// # Errors
/// More than [`MAX_NEWS`] positions.
pub async fn news(transaction: &mut ReadTransaction, scope: &Scope, positions: &[i64]) -> Result<Vec<News>, ReadError> {
    if positions.len() > MAX_NEWS {
        let max = [("max", MAX_NEWS.to_string())];
        return Err(Refusal::invalid_with("positions", "too_many", max).into());
    }
    let told = changes::at(transaction, scope, positions).await?;
    let mut others: Vec<i64> = told
        .iter()
        .filter(|change| !change.own)
        .map(|change| change.position)
        .collect();
    others.reverse();
    let events = audit::at_positions(transaction, &others).await?;
    let ids = |kind: Kind| {
        let of = events.iter().filter(|event| event.record_type.0 == kind);
        of.map(|event| event.record_id).collect::<Vec<_>>()
    };
    let mut about: HashMap<Uuid, About> = remittance::about(transaction, scope, &ids(Kind::Remittance)).await?;
    about.extend(movement::about(transaction, scope, &ids(Kind::Movement)).await?);
    let customers = customer::kinds(transaction, &ids(Kind::Customer)).await?;
    let proposals = proposal::about(transaction, scope, &ids(Kind::Proposal)).await?;
    let row = |event: audit::AuditEvent| {
        let found = about.get(&event.record_id);
        let proposed = proposals.get(&event.record_id);
        let customer_type = customers.get(&event.record_id).copied();
        News {
            position: event.position,
            at: event.at,
            kind: event.record_type,
            id: event.record_id,
            event_type: event.event_type,
            actor: event.actor,
            name: event.record_name,
            about: found
                .and_then(|about| about.name.clone())
                .or_else(|| proposed.and_then(|(_, concerns)| concerns.clone())),
            approval_kind: proposed.map(|(kind, _)| *kind),
            amounts: found.map(|about| about.amounts.clone()).unwrap_or_default(),
            customer_type,
            is_visible: match event.record_type.0 {
                Kind::Remittance | Kind::Movement => found.is_some(),
                Kind::Customer => customer_type.is_some(),
                Kind::Proposal => proposed.is_some(),
                _ => true,
            },
        }
    };
    Ok(events.into_iter().map(row).collect())
}
