//! Versions of a tenant's own lists, from the log.

use crate::{
    error::ReadError,
    read_transaction::ReadTransaction,
    refs::{HistoryActor, named},
};
use caudal_domain::{Event, StreamId, TenantEvent};
use caudal_journal::{Journal, MAX_EVENTS};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Versions of an own list that are told.
const MAX_VERSIONS: usize = 50;
/// Digits of a version, of the digest's 64.
const VERSION_DIGITS: usize = 12;

/// A version of an own list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnListVersion {
    /// Start of the digest of its entries; null for the removal of the list.
    #[schema(example = "5f2a9c01d3b4")]
    pub version: Option<String>,
    /// Number of entries.
    pub entries: u32,
    /// Number of names, with aliases.
    pub names: u32,
    /// When it was loaded, or the list removed.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub by: HistoryActor,
}

/// Versions of an own list by the log, newest first.
///
/// # Errors
/// When the log can't be read.
pub async fn own_versions(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    name: &str,
) -> Result<Vec<OwnListVersion>, ReadError> {
    let tenant = transaction.tenant().clone();
    let mut found = Vec::new();
    let mut read = 0;
    loop {
        let page = journal
            .stream_events(&tenant, StreamId::TENANT, read, MAX_EVENTS)
            .await?;
        let Some(last) = page.last() else { break };
        read = last.sequence;
        found.extend(page.into_iter().filter(|recorded| match &recorded.event {
            Event::Tenant(TenantEvent::OwnListLoaded(list)) => list.name == name,
            Event::Tenant(TenantEvent::OwnListRemoved { name: removed }) => removed == name,
            _ => false,
        }));
    }
    let newest: Vec<_> = found.iter().rev().take(MAX_VERSIONS).collect();
    let actors = newest.iter().filter_map(|own| own.metadata.actor.parse().ok());
    let names = named(transaction, actors).await?;
    let versions = newest.into_iter().map(|recorded| {
        let id: Option<Uuid> = recorded.metadata.actor.parse().ok();
        let list = match &recorded.event {
            Event::Tenant(TenantEvent::OwnListLoaded(list)) => Some(list),
            _ => None,
        };
        OwnListVersion {
            version: list.map(|list| list.version.chars().take(VERSION_DIGITS).collect()),
            entries: list.map_or(0, |list| list.entries),
            names: list.map_or(0, |list| list.names),
            at: recorded.recorded_at,
            by: HistoryActor::new(
                id,
                &recorded.metadata.role,
                id.and_then(|id| names.get(&id)?.name.clone()),
            ),
        }
    });
    Ok(versions.collect())
}
