//! Changes in words: who did what to which record. What a notification says.

use crate::{
    audit, changes, customer,
    error::ReadError,
    movement::{self, MovementAmount},
    refs::HistoryActor,
    remittance,
    scalar::{CustomerType, StreamKind},
    scope::Scope,
    snapshot::Snapshot,
};
use caudal_domain::{Refusal, StreamKind as Kind};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// The most changes of one answer: as many as a list of notifications has rows.
pub const MAX_NEWS: usize = 50;

/// A change, with what a notification says of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct News {
    /// Where in the tenant's log.
    pub position: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// What sort of record.
    pub kind: StreamKind,
    /// Which one.
    pub id: Uuid,
    /// The event's type.
    #[schema(examples("RemittanceCreated"))]
    pub event_type: String,
    /// Who did it.
    pub actor: HistoryActor,
    /// The record's number or name as it is now; null where it has none, or the person was erased.
    pub name: Option<String>,
    /// Who is paid by a remittance, or who received, else gave, in a movement; null where the record is not, or no
    /// longer, in the caller's scope.
    pub about: Option<String>,
    /// What a remittance pays out, or a movement moved; empty where the record is not, or no longer, in the caller's
    /// scope.
    pub amounts: Vec<MovementAmount>,
    /// Issuer or recipient, for a customer.
    pub customer_type: Option<CustomerType>,
    /// Whether the record can be looked at by the caller: false for what was deleted, or is not in scope any more.
    pub is_visible: bool,
}

/// What of a record a notification says beside its name.
pub(crate) struct About {
    pub(crate) name: Option<String>,
    pub(crate) amounts: Vec<MovementAmount>,
}

/// The changes at positions in words, the last one first: those in the caller's scope that others made.
///
/// # Errors
/// More than [`MAX_NEWS`] positions.
pub async fn news(snapshot: &mut Snapshot, scope: &Scope, positions: &[i64]) -> Result<Vec<News>, ReadError> {
    if positions.len() > MAX_NEWS {
        let max = [("max", MAX_NEWS.to_string())];
        return Err(Refusal::invalid_with("positions", "too_many", max).into());
    }
    let told = changes::at(snapshot, scope, positions).await?;
    let mut others: Vec<i64> = told
        .iter()
        .filter(|change| !change.own)
        .map(|change| change.position)
        .collect();
    others.reverse();
    let events = audit::at_positions(snapshot, &others).await?;
    let ids = |kind: Kind| {
        let of = events.iter().filter(|event| event.record_type.0 == kind);
        of.map(|event| event.record_id).collect::<Vec<_>>()
    };
    let mut about: HashMap<Uuid, About> = remittance::about(snapshot, scope, &ids(Kind::Remittance)).await?;
    about.extend(movement::about(snapshot, scope, &ids(Kind::Movement)).await?);
    let customers = customer::kinds(snapshot, &ids(Kind::Customer)).await?;
    let row = |event: audit::AuditEvent| {
        let found = about.get(&event.record_id);
        let customer_type = customers.get(&event.record_id).copied();
        News {
            position: event.position,
            at: event.at,
            kind: event.record_type,
            id: event.record_id,
            event_type: event.event_type,
            actor: event.actor,
            name: event.record_name,
            about: found.and_then(|about| about.name.clone()),
            amounts: found.map(|about| about.amounts.clone()).unwrap_or_default(),
            customer_type,
            is_visible: match event.record_type.0 {
                Kind::Remittance | Kind::Movement => found.is_some(),
                Kind::Customer => customer_type.is_some(),
                _ => true,
            },
        }
    };
    Ok(events.into_iter().map(row).collect())
}
