//! Sellers' running totals by payment group: the figures of sales reports and closures that the ledger does not have.

use crate::{
    batch::Batch,
    ledger::Window,
    read_transaction::ReadTransaction,
    rows::{RemittanceRow, SaleLineRow, SalesRow},
    sql::Sql,
    table::get,
};
use caudal_domain::{ids::TenantId, money::Amount};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Summed columns of both tables.
const MEASURES: &[&str] = &[
    "sold",
    "canceled",
    "amount",
    "returned",
    "payout",
    "manager_fee",
    "agency_fee",
    "agent_fee",
    "margin",
];

/// Loads the running totals of the sellers that events change.
pub(crate) async fn load(
    batch: &mut Batch,
    connection: &mut PgConnection,
    tenant: &TenantId,
    mut sellers: BTreeSet<Uuid>,
) -> Result<(), sqlx::Error> {
    // A seller's rows are loaded together: one in memory implies all.
    for row in batch.kept.sales.iter() {
        sellers.remove(&row.seller);
    }
    batch.kept.sales.load(&mut *connection, tenant, sellers).await?;
    if batch.kept.sales_count.is_some() {
        return Ok(());
    }
    let last = sqlx::query("SELECT coalesce(max(number), 0) AS last FROM sales WHERE tenant = $1")
        .bind(tenant.as_str())
        .fetch_one(connection)
        .await?;
    batch.kept.sales_count = last.try_get("last")?;
    Ok(())
}

/// How a sale is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// A new remittance of the group, or one moved to it.
    Sold,
    /// Moved to another group.
    Moved,
    Canceled,
    /// The same remittance of the group at another amount.
    Same,
}

/// Adds a sale.
pub(crate) fn sell(batch: &mut Batch, position: i64, remittance: &RemittanceRow, count: Count) {
    record(batch, position, remittance, 1, count);
}

/// Subtracts a sale.
pub(crate) fn take_back(batch: &mut Batch, position: i64, remittance: &RemittanceRow, count: Count) {
    record(batch, position, remittance, -1, count);
}

fn record(batch: &mut Batch, position: i64, remittance: &RemittanceRow, sign: i64, count: Count) {
    let numbered = batch.kept.sales_count.get_or_insert(0);
    let key = (remittance.seller, remittance.group_id);
    let sales = batch.kept.sales.get_or_put(key, |(seller, group)| {
        *numbered += 1;
        SalesRow {
            seller: *seller,
            group_id: *group,
            currency: remittance.currency,
            number: *numbered,
            sold: 0,
            canceled: 0,
            amount: Amount::ZERO,
            returned: Amount::ZERO,
            payout: Amount::ZERO,
            manager_fee: Amount::ZERO,
            agency_fee: Amount::ZERO,
            agent_fee: Amount::ZERO,
            margin: Amount::ZERO,
        }
    });
    match count {
        Count::Sold => sales.sold += 1,
        Count::Moved => sales.sold -= 1,
        Count::Canceled => sales.canceled += 1,
        Count::Same => {}
    }
    if sign > 0 {
        sales.amount += remittance.amount;
    } else {
        sales.returned += remittance.amount;
    }
    let signed = |amount: Amount| if sign > 0 { amount } else { -amount };
    sales.payout += signed(remittance.payout);
    sales.manager_fee += signed(remittance.manager_fee);
    sales.agency_fee += signed(remittance.agency_fee);
    sales.agent_fee += signed(remittance.agent_fee);
    sales.margin += signed(remittance.margin);
    let line = batch
        .sale_lines
        .iter()
        .rev()
        .take_while(|line| line.position == position);
    let line = SaleLineRow {
        position,
        line: i16::try_from(line.count()).unwrap_or(i16::MAX),
        sales: sales.number,
        sold: sales.sold,
        canceled: sales.canceled,
        amount: sales.amount,
        returned: sales.returned,
        payout: sales.payout,
        manager_fee: sales.manager_fee,
        agency_fee: sales.agency_fee,
        agent_fee: sales.agent_fee,
        margin: sales.margin,
    };
    batch.sale_lines.push(line);
}

/// Sales within a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sold {
    /// Remittances sold.
    pub(crate) sold: i64,
    /// Remittances canceled.
    pub(crate) canceled: i64,
    /// Amount sent in USD, including re-sales by an amount edit.
    pub(crate) amount: Amount,
    /// Amount of canceled or requoted remittances, in USD.
    pub(crate) returned: Amount,
    /// The manager's commission net of reversals, in USD.
    pub(crate) manager_fee: Amount,
    /// The agency's commission net of reversals, in USD.
    pub(crate) agency_fee: Amount,
    /// The agent's commission net of reversals, in USD.
    pub(crate) agent_fee: Amount,
}

impl Sold {
    fn read(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            sold: row.try_get("sold")?,
            canceled: row.try_get("canceled")?,
            amount: get(row, "amount")?,
            returned: get(row, "returned")?,
            manager_fee: get(row, "manager_fee")?,
            agency_fee: get(row, "agency_fee")?,
            agent_fee: get(row, "agent_fee")?,
        })
    }
}

/// `(SELECT …)` of one row per seller and group with the sales of its window, named by measure.
pub(super) fn within(transaction: &ReadTransaction, windows: &[Window], sql: &mut Sql) {
    let measures: Vec<String> = MEASURES
        .iter()
        .map(|name| format!("t.{name} - coalesce(b.{name}, 0) AS {name}"))
        .collect();
    sql.push(&format!(
        "(SELECT s.tenant, s.seller, s.group_id, s.currency, {} FROM ",
        measures.join(", ")
    ));
    Window::push(windows, sql);
    sql.push(" JOIN sales AS s ON s.tenant = ")
        .bind(transaction.tenant())
        .push(" AND s.seller = w.owner");
    for (join, alias, bound) in [("JOIN", "t", "w.through"), ("LEFT JOIN", "b", "w.after")] {
        sql.push(&format!(
            " {join} LATERAL (SELECT l.* FROM sale_lines AS l
                               WHERE l.tenant = s.tenant AND l.sales = s.number AND l.position <= {bound}
                               ORDER BY l.position DESC, l.line DESC LIMIT 1) AS {alias} ON true"
        ));
    }
    sql.push(")");
}

/// Sales of each window's owner, by group.
pub(super) async fn of(
    transaction: &mut ReadTransaction,
    windows: &[Window],
) -> Result<Vec<(Uuid, Uuid, Sold)>, crate::error::ReadError> {
    let mut sql = Sql::new("SELECT x.* FROM ");
    within(transaction, windows, &mut sql);
    sql.push(" AS x");
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &PgRow| Ok((row.try_get("seller")?, row.try_get("group_id")?, Sold::read(row)?));
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
