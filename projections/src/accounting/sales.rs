//! Sales of a period by seller and currency, net of cancellations in the period, so that they agree with ledger and
//! closures.

use super::{
    period::{PERIOD, PeriodQuery, today},
    sold,
};
use crate::{
    error::ReadError,
    ledger::Window,
    list::{self, BY_NAME, List, count, currency, filter, sum, text},
    page::{ListQuery, Page, Paged},
    print::{Words, name, word},
    read_transaction::ReadTransaction,
    refs::Ref,
    scalar::{AgentType, CurrencyCode, Money, UserType},
    scope::Scope,
    sql::Sql,
    table::{get, role_named},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// Sales in one payout currency; fees, amount and margin in USD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesFigures {
    /// Payout currency, such as `CUP`.
    pub currency: CurrencyCode,
    /// Remittances sold less those canceled.
    pub remittances: i64,
    /// Amount sent, net of cancellations and edits, in USD.
    pub amount: Money,
    /// Payouts, in `currency`.
    pub payout: Money,
    /// The manager's commission, in USD.
    pub manager_fee: Money,
    /// The agencies' commission, in USD.
    pub agency_fee: Money,
    /// The agents' commission, in USD.
    pub agent_fee: Money,
    /// Sum of the three commissions, in USD.
    pub total_fee: Money,
    /// Amount less payout at the reference rate when quoted, in USD.
    pub margin: Money,
}

/// Sales of a seller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SellerSales {
    /// Seller whose balance was used: an agency (including its internal agents) or an external agent.
    pub seller: Ref,
    /// Role: agency or agent.
    pub user_type: Option<UserType>,
    /// Kind of an agent; null for other roles.
    pub agent_type: Option<AgentType>,
    /// Agency of an agent; null for an agent of the manager and for other roles.
    pub agency: Option<Ref>,
    /// Sales figures.
    #[serde(flatten)]
    pub sales: SalesFigures,
}

/// A page of sales with the sums over all pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SalesPage {
    #[serde(flatten)]
    pub page: Page<SellerSales>,
    /// Sums over all rows, one element per currency.
    pub totals: Vec<SalesFigures>,
}

impl Paged for SalesPage {
    type Row = SellerSales;

    fn into_rows(self) -> Vec<SellerSales> {
        self.page.data
    }
}

/// Summed columns.
const MEASURES: &[&str] = &[
    "remittances",
    "amount",
    "payout",
    "manager_fee",
    "agency_fee",
    "agent_fee",
    "margin",
];

/// List of sellers' sales in a period.
pub const SALES: List<SellerSales> = List {
    title: word::SALES,
    columns: &[
        text("name", word::SELLER, |s: &SellerSales, p| name(Some(&s.seller), p)).sort("p.search"),
        text("agency", word::AGENCY, |s: &SellerSales, p| name(s.agency.as_ref(), p)).sort("a.search"),
        count("remittances", word::REMITTANCES, |s: &SellerSales| s.sales.remittances).sort("s.remittances"),
        sum("amount", word::SENT_USD, |s: &SellerSales| Some(s.sales.amount)).sort("s.amount"),
        sum("payout", word::PAYOUT, |s: &SellerSales| Some(s.sales.payout)).sort("s.payout"),
        currency("currency", word::CURRENCY, |s: &SellerSales| Some(s.sales.currency)).sort("s.currency"),
        sum("managerFee", word::MANAGER_FEE_USD, |s: &SellerSales| {
            Some(s.sales.manager_fee)
        })
        .sort("s.manager_fee"),
        sum("agencyFee", word::AGENCY_FEE_USD, |s: &SellerSales| {
            Some(s.sales.agency_fee)
        })
        .sort("s.agency_fee"),
        sum("agentFee", word::AGENT_FEE_USD, |s: &SellerSales| {
            Some(s.sales.agent_fee)
        })
        .sort("s.agent_fee"),
        sum(
            "totalFee",
            Words::new("Comisiones USD", "Fees USD"),
            |s: &SellerSales| Some(s.sales.total_fee),
        )
        .sort("s.manager_fee + s.agency_fee + s.agent_fee"),
        sum("margin", Words::new("Margen USD", "Margin USD"), |s: &SellerSales| {
            Some(s.sales.margin)
        })
        .sort("s.margin"),
    ],
    filters: &[
        PERIOD[0],
        PERIOD[1],
        PERIOD[2],
        filter::any_id(
            "agencyId",
            word::AGENCY,
            "Of this agency and its agents.",
            &["p.id", "p.agency"],
        ),
        filter::id("agentId", word::AGENT, "Of this agent.", "p.id"),
        filter::id("partyId", word::USER, "Of this seller.", "p.id"),
        filter::in_currency("Paid out in this currency.", "s.currency"),
    ],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "s.key",
    counted: None,
    hides_prices: false,
};

/// Sales of the sellers in the caller's scope, by `initDate` and `finalDate` or `rangeSelector`.
///
/// # Errors
/// Invalid or contradictory days; undeclared sorts, filters and pages.
pub async fn sales(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<SalesPage, ReadError> {
    let period = PeriodQuery::of(query).resolve(today(transaction, now))?;
    let (after, through) = period.positions(transaction).await?;
    let sellers = transaction.rows("sales", "x").after("SELECT DISTINCT x.seller");
    let sellers = transaction.fetch(&sellers).await?;
    let sellers: Vec<Uuid> = sellers
        .iter()
        .map(|row| row.try_get("seller"))
        .collect::<Result<_, _>>()?;
    let windows = Window::each(&sellers, after, through.max(after));
    let mut from = rows(transaction, scope, &windows);
    let request = SALES.ask(transaction, query).await?;
    let keys = request.keys::<i64>(transaction, from.clone(), "s.key").await?;
    let mut page = from.after("SELECT s.*, p.name, p.role, p.agency AS agency, a.name AS agency_name");
    page.push(" AND s.key = ANY (").bind(keys.keys.clone()).push(")");
    let found = transaction.fetch(&page).await?;
    let found = found.iter().map(seller_sales).collect::<Result<Vec<_>, _>>()?;
    let found = list::in_order(&keys.keys, found, |(key, _)| *key);
    let totals = if transaction.is_walking() {
        Vec::new()
    } else {
        request.conditions.add(&mut from);
        totals(transaction, &from).await?
    };
    Ok(SalesPage {
        page: keys.page(found.into_iter().map(|(_, sales)| sales).collect()),
        totals,
    })
}

/// Sums by currency.
async fn totals(transaction: &mut ReadTransaction, from: &Sql) -> Result<Vec<SalesFigures>, ReadError> {
    let sums: Vec<String> = MEASURES
        .iter()
        .map(|name| format!("sum(s.{name})::bigint AS {name}"))
        .collect();
    let mut totals = from.after(&format!("SELECT s.currency, {}", sums.join(", ")));
    totals.push(" GROUP BY s.currency ORDER BY s.currency");
    let found = transaction.fetch(&totals).await?;
    Ok(found.iter().map(figures).collect::<Result<_, _>>()?)
}

/// `FROM … WHERE …` of one row per seller and currency with sales or cancellations.
fn rows(transaction: &ReadTransaction, scope: &Scope, windows: &[Window]) -> Sql {
    let sums: Vec<String> = MEASURES
        .iter()
        .map(|name| match *name {
            "remittances" => "sum(x.sold - x.canceled)::bigint AS remittances".to_owned(),
            "amount" => "sum(x.amount - x.returned)::bigint AS amount".to_owned(),
            name => format!("sum(x.{name})::bigint AS {name}"),
        })
        .collect();
    let mut from = Sql::new(format!(
        "FROM (SELECT x.tenant, x.seller, x.currency, row_number() OVER (ORDER BY x.seller, x.currency) AS key, {} FROM ",
        sums.join(", ")
    ));
    sold::within(transaction, windows, &mut from);
    from.push(
        " AS x GROUP BY x.tenant, x.seller, x.currency
          HAVING sum(x.sold) <> 0 OR sum(x.canceled) <> 0 OR sum(x.amount) <> 0 OR sum(x.returned) <> 0) AS s
          JOIN parties AS p ON p.tenant = s.tenant AND p.id = s.seller
          LEFT JOIN parties AS a ON a.tenant = p.tenant AND a.id = p.agency
         WHERE s.tenant = ",
    );
    from.bind(transaction.tenant());
    scope.and_party(&mut from, transaction.tenant(), &["p.id"]);
    from
}

fn figures(row: &PgRow) -> Result<SalesFigures, sqlx::Error> {
    let money = |column| get(row, column).map(Money);
    let (manager_fee, agency_fee, agent_fee) = (money("manager_fee")?, money("agency_fee")?, money("agent_fee")?);
    Ok(SalesFigures {
        currency: CurrencyCode(get(row, "currency")?),
        remittances: row.try_get("remittances")?,
        amount: money("amount")?,
        payout: money("payout")?,
        manager_fee,
        agency_fee,
        agent_fee,
        total_fee: Money(manager_fee.0 + agency_fee.0 + agent_fee.0),
        margin: money("margin")?,
    })
}

fn seller_sales(row: &PgRow) -> Result<(i64, SellerSales), sqlx::Error> {
    let role = role_named(row.try_get("role")?);
    let sales = SellerSales {
        seller: Ref::named(row.try_get("seller")?, row, "name")?,
        user_type: role.map(UserType::from),
        agent_type: role.and_then(AgentType::of),
        agency: Ref::maybe(row.try_get("agency")?, row, "agency_name")?,
        sales: figures(row)?,
    };
    Ok((row.try_get("key")?, sales))
}
