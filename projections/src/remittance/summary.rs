//! How many remittances stand in which state, and what is to be paid out for them: the figures above a list, by the
//! list's own filters.

use super::{
    list::{COUNTED, list_for},
    views::{counted_by, visible},
};
use crate::{
    error::ReadError,
    page::ListQuery,
    scalar::{CurrencyCode, Money, RemittanceStatus},
    scope::Scope,
    snapshot::Snapshot,
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
    let request = list_for(scope).ask(snapshot, query).await?;
    request.conditions.add(&mut from);
    let counted = counted_by(scope).map(|column| (column, scope.principal().to_string()));
    if let Some(sums) = tally::sums(snapshot, &COUNTED, counted, &request.conditions).await? {
        return tallied(sums);
    }
    // The days as positions, whose index has all that is added up.
    tally::within_days(snapshot, &request.conditions, &COUNTED, &mut from).await?;
    let mut sql = from
        .after("SELECT r.status, r.currency, count(*) AS remittances, coalesce(sum(r.payout), 0)::bigint AS payout");
    sql.push(" GROUP BY r.status, r.currency ORDER BY r.currency");
    let rows = snapshot.fetch(&sql).await?;
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

/// The summary from the list's tallies, in which the part is the status.
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

/// What stands in the tallies and no program of this version has written.
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
