//! Summary above a list: remittances and payouts per status, with the list's own filters.

use super::{
    list::{COUNTED, list_for},
    views::{counted_by, visible},
};
use crate::{
    error::ReadError,
    page::ListQuery,
    read_transaction::ReadTransaction,
    scalar::{CurrencyCode, Money, RemittanceStatus},
    scope::Scope,
    table::get,
    tally,
};
use caudal_domain::{
    Refusal,
    money::{Amount, CurrencyCode as Code},
    remittance::Status,
};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;

/// Remittances of one payout currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PayoutSummary {
    /// Payout currency, such as `CUP`.
    pub currency: CurrencyCode,
    /// Number of remittances.
    pub remittances: i64,
    /// Sum of the payouts, in `currency`.
    pub payout: Money,
}

/// Remittances in one status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusSummary {
    /// Status.
    pub status: RemittanceStatus,
    /// Number of remittances.
    pub remittances: i64,
    /// One element per payout currency, ordered by code.
    pub payouts: Vec<PayoutSummary>,
}

/// Filtered remittances, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceSummary {
    /// Number of remittances.
    pub total: i64,
    /// One row per status, including empty ones.
    pub statuses: Vec<StatusSummary>,
}

/// Counts the filtered remittances in the caller's scope.
///
/// # Errors
/// Undeclared filters; any sort.
pub async fn summary(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<RemittanceSummary, ReadError> {
    if query.sort.is_some() {
        return Err(Refusal::invalid("sort", "filter_unknown").into());
    }
    let mut from = visible(transaction, scope);
    let request = list_for(scope).ask(transaction, query).await?;
    request.conditions.add(&mut from);
    let counted = counted_by(scope).map(|column| (column, scope.principal().to_string()));
    if let Some(sums) = tally::sums(transaction, &COUNTED, counted, &request.conditions).await? {
        return tallied(sums);
    }
    // Days as positions, whose index covers all summed columns.
    tally::within_days(transaction, &request.conditions, &COUNTED, &mut from).await?;
    let mut sql = from
        .after("SELECT r.status, r.currency, count(*) AS remittances, coalesce(sum(r.payout), 0)::bigint AS payout");
    sql.push(" GROUP BY r.status, r.currency ORDER BY r.currency");
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &PgRow| {
        let found = PayoutSummary {
            currency: get::<Code>(row, "currency")?.into(),
            remittances: row.try_get("remittances")?,
            payout: get::<Amount>(row, "payout")?.into(),
        };
        Ok((get(row, "status")?, found))
    };
    let found: Vec<(Status, PayoutSummary)> = rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?;
    Ok(RemittanceSummary::of(found))
}

/// The summary from the list's tallies, whose part is the status.
fn tallied(sums: Vec<tally::Sum>) -> Result<RemittanceSummary, ReadError> {
    let read = |sum: tally::Sum| {
        let payout = PayoutSummary {
            currency: sum.currency.parse::<Code>().map_err(decoding)?.into(),
            remittances: sum.rows,
            payout: Amount::from_minor(sum.amount).into(),
        };
        let status = Status::ALL.iter().find(|status| i16::from(status.number()) == sum.part);
        Ok((*status.ok_or_else(|| decoding("a status"))?, payout))
    };
    let found = sums.into_iter().map(read).collect::<Result<_, sqlx::Error>>()?;
    Ok(RemittanceSummary::of(found))
}

/// A tally that this version cannot have written.
fn decoding(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> sqlx::Error {
    sqlx::Error::Decode(error.into())
}

impl RemittanceSummary {
    fn of(found: Vec<(Status, PayoutSummary)>) -> Self {
        let mut statuses: Vec<_> = Status::ALL.iter().copied().map(StatusSummary::of).collect();
        let mut total = 0;
        for (status, payout) in found {
            total += payout.remittances;
            if let Some(of) = statuses.iter_mut().find(|of| of.status == status.into()) {
                of.remittances += payout.remittances;
                of.payouts.push(payout);
            }
        }
        Self { total, statuses }
    }
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
