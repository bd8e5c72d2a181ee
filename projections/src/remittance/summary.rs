//! How many remittances stand in which state, and what is to be paid out for them: the figures above a list, by the
//! list's own filters.

use super::views::{LIST, visible};
use crate::{
    error::ReadError,
    page::ListQuery,
    scalar::{CurrencyCode, Money, RemittanceStatus},
    scope::Scope,
    snapshot::Snapshot,
    table::get,
};
use caudal_domain::{
    Refusal,
    money::{Amount, CurrencyCode as Code},
    remittance::Status,
};
use serde::Serialize;
use sqlx::Row as _;
use utoipa::ToSchema;

/// Remittances of one currency paid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PayoutSummary {
    /// The currency paid out.
    pub currency: CurrencyCode,
    /// How many.
    pub remittances: i64,
    /// What is paid out for them, in the currency.
    pub payout: Money,
}

/// Remittances in one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusSummary {
    /// The state.
    pub status: RemittanceStatus,
    /// How many.
    pub remittances: i64,
    /// By the currency paid out, in the order of its code.
    pub payouts: Vec<PayoutSummary>,
}

/// The remittances that the filters leave, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceSummary {
    /// How many in all.
    pub total: i64,
    /// One row for each state, also where there are none.
    pub statuses: Vec<StatusSummary>,
}

/// Counts the remittances in the caller's scope that the list's filters leave.
///
/// # Errors
/// Filters that the list does not have; a sort, since there is nothing to sort.
pub async fn summary(
    snapshot: &mut Snapshot,
    scope: &Scope,
    query: &ListQuery,
) -> Result<RemittanceSummary, ReadError> {
    if query.sort.is_some() {
        return Err(Refusal::invalid("sort", "filter_unknown").into());
    }
    let mut from = visible(snapshot, scope);
    LIST.narrow(snapshot, query, &mut from).await?;
    let mut sql = from
        .after("SELECT r.status, r.currency, count(*) AS remittances, coalesce(sum(r.payout), 0)::bigint AS payout");
    sql.push(" GROUP BY r.status, r.currency ORDER BY r.currency");
    let rows = snapshot.fetch(&sql).await?;
    let mut statuses: Vec<_> = Status::ALL.iter().copied().map(StatusSummary::of).collect();
    let mut total = 0;
    for row in &rows {
        let status: Status = get(row, "status")?;
        let found = PayoutSummary {
            currency: get::<Code>(row, "currency")?.into(),
            remittances: row.try_get("remittances")?,
            payout: get::<Amount>(row, "payout")?.into(),
        };
        total += found.remittances;
        if let Some(of) = statuses.iter_mut().find(|of| of.status == status.into()) {
            of.remittances += found.remittances;
            of.payouts.push(found);
        }
    }
    Ok(RemittanceSummary { total, statuses })
}

impl StatusSummary {
    fn of(status: Status) -> Self {
        Self {
            status: status.into(),
            remittances: 0,
            payouts: Vec::new(),
        }
    }
}
