//! Closures: sellers' periods with frozen figures.

use crate::{
    batch::Batch,
    debit,
    error::ReadError,
    ledger::{moment_named, position_named},
    list::{self, List, SearchSpec, count, filter, money, sum, text, time, unprinted},
    page::{ListQuery, Page},
    print::{Words, name, word},
    read_transaction::{ReadTransaction, only},
    refs::Ref,
    rows::ClosureRow,
    scalar::{CurrencyCode, Money},
    scope::Scope,
    sql::Sql,
    table::{Json, Row as _, select_list},
};
use caudal_domain::{
    closure::ClosureEvent,
    ids::ClosureId,
    money::Amount,
    party::Role,
    tenant_state::activity::{GroupFigures, PeriodTotals},
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &ClosureEvent) {
    let ClosureEvent::PeriodClosed(closure) = event;
    batch.closures.push(ClosureRow {
        id: closure.id.0,
        position: recorded.position,
        number: closure.number.clone(),
        party: closure.party.0,
        from_at: closure.from,
        cut_at: closure.cut,
        through: closure.through,
        groups: Json(closure.groups.clone()),
        totals: Json(closure.totals.clone()),
        debit: closure.debit.map(|debit| debit.id.0),
        agency_debit: closure.agency_debit.map(|debit| debit.id.0),
        created_at: recorded.recorded_at,
    });
    for opened in [&closure.debit, &closure.agency_debit].into_iter().flatten() {
        debit::open(batch, recorded, opened);
    }
}

/// Figures of a closure for one payment group, in the group's currency unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosureGroup {
    /// Id of the payment group.
    pub payment_group_id: Uuid,
    /// Name of the payment group.
    pub group_name: String,
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Balance at the previous cut, or an opening balance posted since.
    pub opening: Money,
    /// Received from the manager or agency.
    pub assigned: Money,
    /// Given to its agents.
    pub given: Money,
    /// Payouts sold, including re-sales by an amount edit.
    pub sold: Money,
    /// Payouts returned by cancellations and amount edits.
    pub returned: Money,
    /// opening + assigned − given − sold + returned.
    pub closing: Money,
    /// Remittances sold less those canceled.
    pub remittances: i64,
    /// Amount sent, net of cancellations and edits, in USD.
    pub amount: Money,
}

/// Figures of a closure.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosureFigures {
    /// One element per payment group.
    pub groups: Vec<ClosureGroup>,
    /// Remittances sold less those canceled.
    pub remittances: i64,
    /// Amount sent, net of cancellations and edits, in USD.
    pub amount: Money,
    /// The manager's commission, in USD.
    pub manager_commission: Money,
    /// The agency's commission, in USD.
    pub agency_commission: Money,
    /// The agent's commission, in USD.
    pub agent_commission: Money,
    /// Commission accrued at the cut, in USD; billed by the closure when positive.
    pub commission_accrued: Money,
    /// Debits opened in the period, in USD, excluding the one opened by this closure.
    pub debits_opened: Money,
    /// Payments on debits in the period, in USD.
    pub debits_paid: Money,
    /// Outstanding debits at the cut, in USD.
    pub debits_outstanding: Money,
}

impl ClosureFigures {
    /// Figures of the domain with group names added.
    #[must_use]
    pub fn new(groups: &[GroupFigures], totals: &PeriodTotals, names: &HashMap<Uuid, String>) -> Self {
        let sum = |pick: fn(&GroupFigures) -> Amount| Money(groups.iter().map(pick).sum());
        let group = |figures: &GroupFigures| ClosureGroup {
            payment_group_id: figures.group.0,
            group_name: names.get(&figures.group.0).cloned().unwrap_or_default(),
            currency: figures.currency.into(),
            opening: figures.opening.into(),
            assigned: figures.assigned.into(),
            given: figures.given.into(),
            sold: figures.sold.into(),
            returned: figures.returned.into(),
            closing: figures.closing.into(),
            remittances: figures.count - figures.canceled_count,
            amount: Money(figures.usd - figures.returned_usd),
        };
        Self {
            groups: groups.iter().map(group).collect(),
            remittances: groups
                .iter()
                .map(|figures| figures.count - figures.canceled_count)
                .sum(),
            amount: sum(|figures| figures.usd - figures.returned_usd),
            manager_commission: sum(|figures| figures.manager_fee),
            agency_commission: sum(|figures| figures.agency_fee),
            agent_commission: sum(|figures| figures.agent_fee),
            commission_accrued: totals.commission_accrued.into(),
            debits_opened: totals.debits_opened.into(),
            debits_paid: totals.debits_paid.into(),
            debits_outstanding: totals.debits_outstanding.into(),
        }
    }
}

/// A closed period.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Closure {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `C-000001`.
    pub number: String,
    /// The seller.
    pub party: Ref,
    /// Cut of the previous closure; null for a party's first.
    pub from: Option<DateTime<Utc>>,
    /// End of the period, exclusive, RFC 3339 in UTC.
    pub to: DateTime<Utc>,
    /// Frozen figures.
    pub figures: ClosureFigures,
    /// Id of the debit owed to the manager that the closure opened; null when nothing was billed.
    pub debit_id: Option<Uuid>,
    /// Id of the debit owed to the agency that the closure opened; null when nothing was billed.
    pub agency_debit_id: Option<Uuid>,
    /// Time of the closure, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
}

/// Sum over the groups' frozen figures.
macro_rules! over_groups {
    ($figure:literal) => {
        concat!("(SELECT sum(", $figure, ") FROM jsonb_array_elements(c.groups) AS g)")
    };
}

/// List of closures with their USD figures; the statement has all.
pub const CLOSURES: List<Closure> = List {
    title: word::CLOSURES,
    columns: &[
        text("number", word::NUMBER, |c: &Closure, _| Some(c.number.clone())).in_order("c.position"),
        unprinted("created").in_order("c.position"),
        text("party", word::SELLER, |c: &Closure, p| name(Some(&c.party), p))
            .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = c.tenant AND p.id = c.party)"),
        time("from", word::FROM_DAY, |c: &Closure| c.from).bounded("c.from_at"),
        time("to", word::CUT, |c: &Closure| Some(c.to)).bounded("c.cut_at"),
        count("remittances", word::REMITTANCES, |c: &Closure| c.figures.remittances).bounded(over_groups!(
            "(g ->> 'count')::numeric - (g ->> 'canceledCount')::numeric"
        )),
        sum("amount", word::SENT_USD, |c: &Closure| Some(c.figures.amount))
            .bounded(over_groups!("(g ->> 'usd')::numeric - (g ->> 'returnedUsd')::numeric")),
        sum("managerCommission", word::MANAGER_COMMISSION_USD, |c: &Closure| {
            Some(c.figures.manager_commission)
        })
        .bounded(over_groups!("(g ->> 'managerFee')::numeric")),
        sum("agencyCommission", word::AGENCY_COMMISSION_USD, |c: &Closure| {
            Some(c.figures.agency_commission)
        })
        .bounded(over_groups!("(g ->> 'agencyFee')::numeric")),
        sum("agentCommission", word::AGENT_COMMISSION_USD, |c: &Closure| {
            Some(c.figures.agent_commission)
        })
        .bounded(over_groups!("(g ->> 'agentFee')::numeric")),
        sum(
            "commissionAccrued",
            Words::new("Comisión acumulada USD", "Commission accrued USD"),
            |c: &Closure| Some(c.figures.commission_accrued),
        )
        .bounded("(c.totals ->> 'commissionAccrued')::numeric"),
        sum(
            "debitsOpened",
            Words::new("Deudas abiertas USD", "Debits opened USD"),
            |c: &Closure| Some(c.figures.debits_opened),
        )
        .bounded("(c.totals ->> 'debitsOpened')::numeric"),
        sum(
            "debitsPaid",
            Words::new("Deudas pagadas USD", "Debits paid USD"),
            |c: &Closure| Some(c.figures.debits_paid),
        )
        .bounded("(c.totals ->> 'debitsPaid')::numeric"),
        money(
            "debitsOutstanding",
            Words::new("Deuda pendiente USD", "Debits outstanding USD"),
            |c: &Closure| Some(c.figures.debits_outstanding),
        )
        .bounded("(c.totals ->> 'debitsOutstanding')::numeric"),
    ],
    filters: &[
        filter::id("partyId", word::USER, "Of this seller.", "c.party"),
        filter::first_day("initDate", "Cut on this day or later.", "c.cut_at"),
        filter::last_day("finalDate", "Cut on this day or before.", "c.cut_at"),
        filter::at("Those that there were at this moment."),
        filter::at_position("Those that there were after the event at this position."),
    ],
    search: Some(&SearchSpec::of(&[
        "(', ' || replace(lower(c.number), '-', ' ') || ' ,' || coalesce((SELECT p.search FROM parties AS p
                    WHERE p.tenant = c.tenant AND p.id = c.party), ''))",
    ])),
    default_sort: "-created",
    tie: "c.position",
    counted: None,
    hides_prices: false,
};

/// Closures of the caller and its subordinates: current, or at a moment (`at`) or after an event (`position`). Their
/// figures never change. Internal agents see none.
///
/// # Errors
/// An invalid moment or position; undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Closure>, ReadError> {
    let mut from = visible(transaction, scope);
    if let Some(at) = query.get("at") {
        from.push(" AND c.created_at <= ").bind(moment_named(at)?);
    }
    if let Some(position) = query.get("position") {
        from.push(" AND c.position <= ").bind(position_named(position)?);
    }
    let keys = CLOSURES.keys::<Uuid>(transaction, query, from, "c.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One closure.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: ClosureId) -> Result<Closure, ReadError> {
    let mut from = visible(transaction, scope).after("SELECT c.id");
    from.push(" AND c.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "closure_not_found")?;
    only(views(transaction, &[id.0]).await?, "closure_not_found")
}

/// Those of the closures that are in the caller's scope.
pub(crate) async fn in_scope(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, ReadError> {
    let mut from = visible(transaction, scope).after("SELECT c.id");
    from.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    transaction.fetch_ids(&from).await
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("closures", "c");
    if scope.role == Role::InternalAgent {
        from.push(" AND FALSE");
    }
    scope.and_party(&mut from, transaction.tenant(), &["c.party"]);
    from
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<Closure>, ReadError> {
    let names = group_names(transaction).await?;
    let tables = "closures AS c LEFT JOIN parties AS p ON p.tenant = c.tenant AND p.id = c.party";
    let mut sql = transaction.joined(tables, "c").after(&format!(
        "SELECT p.name AS party_name, {}",
        select_list::<ClosureRow>("c", "")
    ));
    sql.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let read = |row: &PgRow| {
        let closure = ClosureRow::read(row, "")?;
        Ok(Closure {
            id: closure.id,
            number: closure.number,
            party: Ref::named(closure.party, row, "party_name")?,
            from: closure.from_at,
            to: closure.cut_at,
            figures: ClosureFigures::new(&closure.groups.0, &closure.totals.0, &names),
            debit_id: closure.debit,
            agency_debit_id: closure.agency_debit,
            created: closure.created_at,
        })
    };
    let rows = found.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(ids, rows, |closure| closure.id))
}

/// Names of all payment groups, including withdrawn ones.
async fn group_names(transaction: &mut ReadTransaction) -> Result<HashMap<Uuid, String>, ReadError> {
    let sql = transaction.rows("payment_groups", "g").after("SELECT g.id, g.name");
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &PgRow| Ok((row.try_get("id")?, row.try_get("name")?));
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
