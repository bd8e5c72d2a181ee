//! Dashboard: remittances by local day of creation, without canceled ones.

use super::period::{Elapsed, PERIOD, Period, PeriodQuery, today};
use crate::{
    error::ReadError,
    list::{self, BY_NAME, List, count, sum, text},
    movement::MovementAmount,
    page::{ListQuery, Page},
    print::word,
    read_transaction::ReadTransaction,
    scalar::{CurrencyCode, Decimal, Money},
    scope::Scope,
    sql::Sql,
    table::get,
};
use caudal_domain::{
    Refusal,
    ids::PartyId,
    money::{Amount, CurrencyCode as Code},
    party::Role,
    remittance::Status,
};
use caudal_export::Cell;
use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;
use uuid::Uuid;

/// Sales of a period in one payout currency, without canceled remittances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceTotal {
    /// Payout currency, such as `CUP`.
    pub currency: CurrencyCode,
    /// Amount paid out, in `currency`.
    pub amount: Money,
    /// Amount sent, in USD.
    pub amount_usd: Money,
    /// Number of remittances.
    pub total_remittances: i64,
    /// Amount paid out in the previous period.
    pub previous_amount: Money,
    /// Number of remittances in the previous period.
    pub previous_total_remittances: i64,
    /// Change of the number of remittances against the previous period, in percent with one decimal; null when that
    /// period had none.
    #[schema(value_type = Option<Decimal>)]
    pub change: Option<String>,
}

/// Totals of a period: one row per currency sold in it or in the previous period, most remittances first. When a
/// currency is requested, exactly one row, even if zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceTotals {
    /// One element per payout currency.
    pub report: Vec<RemittanceTotal>,
    /// Number of remittances in all currencies.
    pub total_remittances: i64,
    /// Number of remittances in the previous period.
    pub previous_total_remittances: i64,
    /// Change of the total against the previous period, in percent with one decimal; null when that period had none.
    #[schema(value_type = Option<Decimal>)]
    pub change: Option<String>,
}

/// Sales of a seller in a period, with its balances; an agency's include its agents'.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SellerRemittances {
    /// Id of the seller.
    pub id: Uuid,
    /// Name; empty after erasure.
    pub name: String,
    /// URL path of the profile picture; null when there is none.
    pub picture_url: Option<String>,
    /// Amount sent, in USD.
    pub amount: Money,
    /// Current balances, one element per currency.
    pub balance: Vec<MovementAmount>,
    /// Number of remittances.
    pub total_remittance: i64,
}

/// Parameters of totals and statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DashboardQuery {
    /// Restricts to this agency.
    pub agency: Option<PartyId>,
    /// Restricts to this payout currency.
    pub currency: Option<String>,
    pub period: PeriodQuery,
}

/// `FROM … WHERE …` of the daily rows in the caller's scope.
pub(super) fn counted(
    transaction: &ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    first: NaiveDate,
    last: NaiveDate,
) -> Sql {
    let mut from = transaction.rows("remittance_days", "d");
    from.push(" AND d.day BETWEEN ").bind(first).push(" AND ").bind(last);
    narrow(&mut from, scope, asked, "d");
    from
}

/// Adds scope and parameters to a query over rows with seller, agency and currency.
fn narrow(from: &mut Sql, scope: &Scope, asked: &DashboardQuery, alias: &str) {
    match scope.role {
        Role::Manager => {}
        Role::Agency | Role::InternalAgent => {
            from.push(&format!(" AND {alias}.agency = ")).bind(scope.principal().0);
        }
        Role::ExternalAgent => {
            from.push(&format!(" AND {alias}.seller = ")).bind(scope.party.0);
        }
        Role::Dealer | Role::DeliveryMan => {
            from.push(" AND FALSE");
        }
    }
    if let Some(agency) = asked.agency {
        from.push(&format!(" AND {alias}.agency = ")).bind(agency.0);
    }
    if let Some(currency) = &asked.currency {
        from.push(&format!(" AND {alias}.currency = ")).bind(currency.as_str());
    }
}

/// Sales of a period and of the previous one.
#[derive(Clone, Copy, Default)]
struct Total {
    remittances: i64,
    amount: Amount,
    payout: Amount,
}

/// Totals of a period, the current day by default, and of the previous one.
///
/// # Errors
/// Invalid or contradictory days; an unknown range or currency.
pub async fn totals(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    now: DateTime<Utc>,
) -> Result<RemittanceTotals, ReadError> {
    let today = today(transaction, now);
    let period = asked.period.resolve(today)?;
    let wanted = match &asked.currency {
        Some(currency) if !transaction.has_currency(currency).await? => {
            return Err(Refusal::invalid("currency", "currency_unknown").into());
        }
        Some(currency) => currency.parse::<Code>().ok(),
        None => None,
    };
    let this = by_currency(transaction, scope, asked, period).await?;
    let local = now.with_timezone(&transaction.zone()).naive_local();
    let before = match period.elapsed_before(local) {
        Some(before) => elapsed_by_currency(transaction, scope, asked, before).await?,
        None => BTreeMap::new(),
    };
    let mut codes: Vec<Code> = this.keys().chain(before.keys()).copied().chain(wanted).collect();
    codes.sort_unstable();
    codes.dedup();
    let of = |totals: &BTreeMap<Code, Total>, code: Code| totals.get(&code).copied().unwrap_or_default();
    let mut report: Vec<RemittanceTotal> = codes
        .into_iter()
        .map(|code| {
            let (now, then) = (of(&this, code), of(&before, code));
            RemittanceTotal {
                currency: code.into(),
                amount: now.payout.into(),
                amount_usd: now.amount.into(),
                total_remittances: now.remittances,
                previous_amount: then.payout.into(),
                previous_total_remittances: then.remittances,
                change: change(now.remittances, then.remittances),
            }
        })
        .collect();
    // Stable sort: equal counts stay ordered by currency code.
    report.sort_by_key(|row| std::cmp::Reverse(row.total_remittances));
    let count = |totals: &BTreeMap<Code, Total>| totals.values().map(|total| total.remittances).sum::<i64>();
    let (total, previous) = (count(&this), count(&before));
    Ok(RemittanceTotals {
        report,
        total_remittances: total,
        previous_total_remittances: previous,
        change: change(total, previous),
    })
}

type Totals = BTreeMap<Code, Total>;

async fn by_currency(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    period: Period,
) -> Result<Totals, ReadError> {
    let (first, last) = ends(period);
    let mut sql = counted(transaction, scope, asked, first, last).after(
        "SELECT d.currency, sum(d.remittances)::bigint AS remittances, sum(d.amount)::bigint AS amount,
                sum(d.payout)::bigint AS payout",
    );
    sql.push(" GROUP BY d.currency HAVING sum(d.remittances) <> 0");
    totals_of(transaction, &sql).await
}

/// Totals of days whose last may be partial: that one is counted from the remittances themselves.
async fn elapsed_by_currency(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    elapsed: Elapsed,
) -> Result<Totals, ReadError> {
    let (Some(time), Some(first), Some(last)) = (elapsed.until, elapsed.days.first, elapsed.days.last) else {
        return by_currency(transaction, scope, asked, elapsed.days).await;
    };
    let mut totals = match last.pred_opt() {
        Some(before) if first <= before => by_currency(transaction, scope, asked, Period::days(first, before)).await?,
        _ => Totals::new(),
    };
    let begins = Period::days(last, last).begins(transaction)?;
    let Some(ends) = local_instant(last.and_time(time), transaction.zone()) else {
        return Ok(totals);
    };
    let mut sql = created(transaction, scope, asked, begins.unwrap_or(ends), ends).after(
        "SELECT r.currency, count(*) AS remittances, sum(r.amount)::bigint AS amount,
                sum(r.payout)::bigint AS payout",
    );
    sql.push(" GROUP BY r.currency");
    for (code, part) in totals_of(transaction, &sql).await? {
        let total = totals.entry(code).or_default();
        total.remittances += part.remittances;
        total.amount += part.amount;
        total.payout += part.payout;
    }
    Ok(totals)
}

async fn totals_of(transaction: &mut ReadTransaction, sql: &Sql) -> Result<Totals, ReadError> {
    let read = |row: &PgRow| {
        let total = Total {
            remittances: row.try_get("remittances")?,
            amount: get(row, "amount")?,
            payout: get(row, "payout")?,
        };
        Ok((get(row, "currency")?, total))
    };
    let rows = transaction.fetch(sql).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// Instant of a local time: the earlier one when clocks go back, the next valid one when they go forward.
fn local_instant(time: NaiveDateTime, zone: Tz) -> Option<DateTime<Utc>> {
    let named = |time: NaiveDateTime| time.and_local_timezone(zone).earliest();
    let instant = named(time).or_else(|| named(time + TimeDelta::hours(1)))?;
    Some(instant.with_timezone(&Utc))
}

/// `FROM … WHERE …` of the remittances `r` in the caller's scope created between two instants and not canceled.
pub(super) fn created(
    transaction: &ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
) -> Sql {
    let mut from = transaction.rows("remittances", "r");
    from.push(" AND r.created_at >= ").bind(begins);
    from.push(" AND r.created_at < ").bind(ends);
    from.push(" AND r.status <> ")
        .bind(i64::from(Status::Canceled.number()));
    narrow(&mut from, scope, asked, "r");
    from
}

/// A period's days; open ends are replaced by the limits of all remittances.
fn ends(period: Period) -> (NaiveDate, NaiveDate) {
    let first = period.first.or_else(|| NaiveDate::from_yo_opt(1, 1));
    let last = period.last.or_else(|| NaiveDate::from_yo_opt(9999, 1));
    (first.unwrap_or_default(), last.unwrap_or_default())
}

/// Percentage change to one decimal, half away from zero; `None` when the previous count is 0.
fn change(now: i64, before: i64) -> Option<String> {
    if before == 0 {
        return None;
    }
    let (now, before) = (i128::from(now), i128::from(before));
    let thousandths = (now - before) * 1000;
    // Counts are never negative.
    let tenths = (2 * thousandths + before * thousandths.signum()) / (2 * before);
    let sign = if tenths < 0 { "-" } else { "" };
    Some(format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10))
}

/// Dashboard table: sellers' sales of a period, and balances. Balances are per currency: not sortable by them.
pub const SELLER_REMITTANCES: List<SellerRemittances> = List {
    title: word::REMITTANCES_BY_SELLER,
    columns: &[
        text("name", word::SELLER, |s: &SellerRemittances, _| Some(s.name.clone())).sort("p.search"),
        count("totalRemittance", word::REMITTANCES, |s: &SellerRemittances| {
            s.total_remittance
        })
        .sort("coalesce(s.remittances, 0)"),
        sum("amount", word::SENT_USD, |s: &SellerRemittances| Some(s.amount)).sort("coalesce(s.amount, 0)"),
        text("balance", word::BALANCES, |s: &SellerRemittances, p| {
            let balance = s.balance.iter();
            let balance = balance.map(|held| {
                let amount = p.shown(&Cell::Money(held.amount.0.minor()));
                format!("{amount} {}", held.currency.0)
            });
            Some(balance.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
        }),
    ],
    filters: PERIOD,
    search: Some(&BY_NAME),
    default_sort: "-amount",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// Sales of each agency and each agent without one in a period; for an agency, of each of its agents. Empty for other
/// roles.
///
/// # Errors
/// Invalid or contradictory days; undeclared sorts, filters and pages.
pub async fn sellers(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<SellerRemittances>, ReadError> {
    let period = PeriodQuery::of(query).resolve(today(transaction, now))?;
    let from = sold_by(transaction, scope, period);
    let keys = SELLER_REMITTANCES
        .keys::<Uuid>(transaction, query, from.clone(), "p.id")
        .await?;
    let mut balances = prepaid(transaction, &keys.keys).await?;
    let mut sql = from.after(
        "SELECT p.id, p.name, p.details ->> 'profilePicture' AS picture, coalesce(s.amount, 0) AS amount,
                coalesce(s.remittances, 0) AS remittances",
    );
    sql.push(" AND p.id = ANY (").bind(keys.keys.clone()).push(")");
    let mut rows = Vec::new();
    for row in transaction.fetch(&sql).await? {
        let id = row.try_get("id")?;
        let picture: Option<String> = row.try_get("picture")?;
        rows.push(SellerRemittances {
            id,
            name: row.try_get::<Option<String>, _>("name")?.unwrap_or_default(),
            picture_url: picture.as_deref().map(crate::file_address),
            amount: Money(get(&row, "amount")?),
            balance: balances.remove(&id).unwrap_or_default(),
            total_remittance: row.try_get("remittances")?,
        });
    }
    Ok(keys.page(list::in_order(&keys.keys, rows, |row| row.id)))
}

/// `FROM … WHERE …` of the table's parties with their sales in the period.
fn sold_by(transaction: &ReadTransaction, scope: &Scope, period: Period) -> Sql {
    // For a manager, a sale counts for its agency or for the agent without one; for an agency, for the agent who made
    // it.
    let (who, rows) = match scope.role {
        Role::Manager => (
            "coalesce(d.agency, d.seller)",
            "(p.role = 'agency' OR (p.role = 'external_agent' AND p.agency IS NULL))",
        ),
        _ => ("d.sold_by", "p.role IN ('internal_agent', 'external_agent')"),
    };
    let (first, last) = ends(period);
    let mut from = Sql::new(format!(
        "FROM parties AS p LEFT JOIN (SELECT {who} AS party, sum(d.amount)::bigint AS amount,
                                             sum(d.remittances)::bigint AS remittances
                                        FROM remittance_days AS d WHERE d.tenant = "
    ));
    from.bind(transaction.tenant());
    from.push(" AND d.day BETWEEN ").bind(first).push(" AND ").bind(last);
    if scope.role != Role::Manager {
        from.push(" AND d.agency = ").bind(scope.party.0);
    }
    from.push(&format!(" GROUP BY {who}) AS s ON s.party = p.id WHERE p.tenant = "))
        .bind(transaction.tenant());
    // Inactive parties appear in periods in which they sold.
    from.push(&format!(" AND {rows} AND (p.is_active OR s.remittances <> 0)"));
    match scope.role {
        Role::Manager => {}
        Role::Agency => {
            from.push(" AND p.agency = ").bind(scope.party.0);
        }
        _ => {
            from.push(" AND FALSE");
        }
    }
    from
}

/// Prepaid balances by seller and currency.
async fn prepaid(
    transaction: &mut ReadTransaction,
    parties: &[Uuid],
) -> Result<HashMap<Uuid, Vec<MovementAmount>>, ReadError> {
    let mut sql = transaction
        .rows("accounts", "a")
        .after("SELECT a.owner, a.currency, -sum(a.balance)::bigint AS balance");
    sql.push(" AND a.kind = 'balance' AND a.owner = ANY (")
        .bind(parties.to_vec())
        .push(") GROUP BY a.owner, a.currency ORDER BY a.currency");
    let mut balances: HashMap<Uuid, Vec<MovementAmount>> = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        let balance = MovementAmount {
            currency: CurrencyCode(get(&row, "currency")?),
            amount: Money(get(&row, "balance")?),
        };
        balances.entry(row.try_get("owner")?).or_default().push(balance);
    }
    Ok(balances)
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn a_change_is_a_percentage_with_one_decimal_rounded_half_away_from_zero() {
        for (now, before, percentage) in [
            (3, 2, "50.0"),
            (2, 3, "-33.3"),
            (5, 3, "66.7"),
            (0, 4, "-100.0"),
            (4, 4, "0.0"),
            (2001, 2000, "0.1"),
            (1999, 2000, "-0.1"),
            (20_001, 1, "2000000.0"),
        ] {
            assert_eq!(change(now, before).as_deref(), Some(percentage), "{before} to {now}");
        }
        assert_eq!(change(1, 0), None);
        assert_eq!(change(0, 0), None);
    }
}
