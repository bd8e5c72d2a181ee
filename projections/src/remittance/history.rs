//! What happened to a remittance, oldest first.

use super::{
    HistoryRow,
    views::{require_visible, sees_price},
};
use crate::{
    error::ReadError,
    list::{self, ListSpec},
    page::{ListQuery, Page},
    refs::{HistoryActor, Ref},
    scalar::{CurrencyCode, Money, RemittanceStatus},
    scope::Scope,
    snapshot::Snapshot,
    table::{Row as _, select_list},
};
use caudal_domain::ids::RemittanceId;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;

/// What happened to a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceChange {
    /// It was sold.
    Created,
    /// Recipient, address, delivery or notes were edited.
    DetailsEdited,
    /// Amount or group were edited.
    AmountEdited,
    /// It was given to a dealer or delivery man.
    Assigned,
    /// It was marked as in error.
    Error,
    /// It was canceled.
    Canceled,
    /// It was delivered.
    Completed,
}

/// Something that happened to a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceHistoryItem {
    /// The event's position in the tenant's log.
    pub position: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub change: RemittanceChange,
    /// The status afterwards.
    pub status: RemittanceStatus,
    /// The status before; null for the sale.
    pub from_status: Option<RemittanceStatus>,
    /// Who did it.
    pub actor: HistoryActor,
    /// Why, where a reason is given.
    pub reason: Option<String>,
    /// The dealer it was given to, or who delivered it.
    pub dealer: Option<Ref>,
    /// The delivery man.
    pub delivery_man: Option<Ref>,
    /// The amount sold, in USD, where it was quoted. Null where a delivery man asks.
    pub amount: Option<Money>,
    /// The payout, where it was quoted.
    pub payout: Option<Money>,
    /// The payout's currency.
    pub currency_to: Option<CurrencyCode>,
}

const LIST: ListSpec = ListSpec {
    sorts: &[("at", "h.position")],
    default_sort: "at",
    tie: "h.position",
    indexed: &[],
    filters: &[],
    search: None,
};

/// A remittance's history.
///
/// # Errors
/// Not found in the caller's scope; sorts, filters and pages that the list does not have.
pub async fn list(
    snapshot: &mut Snapshot,
    scope: &Scope,
    id: RemittanceId,
    query: &ListQuery,
) -> Result<Page<RemittanceHistoryItem>, ReadError> {
    require_visible(snapshot, scope, id).await?;
    let mut from = snapshot.rows("remittance_history", "h");
    from.push(" AND h.remittance = ").bind(id.0);
    let keys = list::keys::<i64>(snapshot, &LIST, query, from, "h.position").await?;
    let tables = "remittance_history AS h
        LEFT JOIN parties AS a ON a.tenant = h.tenant AND a.id = h.actor
        LEFT JOIN parties AS d ON d.tenant = h.tenant AND d.id = h.dealer
        LEFT JOIN parties AS v ON v.tenant = h.tenant AND v.id = h.delivery_man";
    let mut sql = snapshot.joined(tables, "h").after(&format!(
        "SELECT a.name AS actor_name, d.name AS dealer_name, v.name AS delivery_man_name, {}",
        select_list::<HistoryRow>("h", "")
    ));
    sql.push(" AND h.remittance = ").bind(id.0);
    sql.push(" AND h.position = ANY (").bind(keys.keys.clone()).push(")");
    let found = snapshot.fetch_by_keys(&sql).await?;
    let items = found
        .iter()
        .map(|row| item(row, scope))
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    let items = list::in_order(&keys.keys, items, |item| item.position);
    Ok(keys.page(items))
}

fn item(row: &PgRow, scope: &Scope) -> Result<RemittanceHistoryItem, sqlx::Error> {
    let history = HistoryRow::read(row, "")?;
    let change = serde_json::from_value(history.change.into()).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let is_quoted = matches!(change, RemittanceChange::Created | RemittanceChange::AmountEdited);
    Ok(RemittanceHistoryItem {
        position: history.position,
        at: history.at,
        change,
        status: history.to_status.into(),
        from_status: history.from_status.map(RemittanceStatus::from),
        actor: HistoryActor::new(history.actor, &history.role, row.try_get("actor_name")?),
        reason: history.reason,
        dealer: Ref::maybe(history.dealer, row, "dealer_name")?,
        delivery_man: Ref::maybe(history.delivery_man, row, "delivery_man_name")?,
        amount: (is_quoted && sees_price(scope)).then_some(Money(history.amount)),
        payout: is_quoted.then_some(Money(history.payout)),
        currency_to: is_quoted.then_some(CurrencyCode(history.currency)),
    })
}
