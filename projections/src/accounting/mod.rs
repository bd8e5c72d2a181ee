//! Figures of periods: sales, closure previews, dealers' cash, real balances and the dashboard.
//!
//! Two mechanisms answer them. Money figures are differences of the ledger's running [flows](crate::ledger), sales
//! figures differences of the sellers' running totals, at any two moments. The dashboard counts remittances by day of
//! creation, so that a cancellation removes a remittance from its day.

mod cash;
mod created;
mod dashboard;
mod holdings;
mod period;
mod preview;
mod real;
mod sales;
mod sold;
mod statistics;

pub use cash::{
    CashFigures, CashLine, CurrencyCash, DAILY_CREDIT, DEALER_CLOSINGS, DEALER_SALES, DealerCash, DealerClosing,
    DealerSales, Deliveries, DeliveryLine, PartyCash, PartyDeliveries, cash_lines, daily_credit, dealer_closing,
    dealer_sales, delivery_lines,
};
pub use dashboard::{
    DashboardQuery, RemittanceTotal, RemittanceTotals, SELLER_REMITTANCES, SellerRemittances, sellers, totals,
};
pub use holdings::{Holding, HoldingLine, PARTY_BALANCES, PartyBalance, holding_lines, party_balances};
pub use period::{Elapsed, Period, PeriodQuery};
pub use preview::{CLOSURE_PREVIEWS, ClosurePreview, PreviewQuery, Sellers, previews};
pub use real::{REAL_BALANCES, RealBalance, RealBalances, real_balances};
pub use sales::{SALES, SalesFigures, SalesPage, SellerSales, sales};
pub use statistics::{CHART_DAYS, DailyCount, MAX_CHART_DAYS, Per, RemittanceStatistics, statistics};

use crate::{batch::Batch, rows::RemittanceRow};
use caudal_domain::{Event, StreamKind, ids::TenantId, money::Amount, remittance::RemittanceEvent};
use caudal_journal::Recorded;
use sold::Count;
use sqlx::{PgConnection, Row as _};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Loads the rows that remittance events change.
pub(crate) async fn load(
    batch: &mut Batch,
    connection: &mut PgConnection,
    tenant: &TenantId,
    events: &[Recorded],
) -> Result<(), sqlx::Error> {
    if events
        .iter()
        .all(|recorded| recorded.stream.kind != StreamKind::Remittance)
    {
        return Ok(());
    }
    let mut sellers: BTreeSet<Uuid> = batch.remittances.iter().map(|row| row.seller).collect();
    let mut moments: Vec<_> = batch.remittances.iter().map(|row| row.created_at).collect();
    for recorded in events {
        if let Event::Remittance(RemittanceEvent::RemittanceCreated(created)) = &recorded.event {
            sellers.insert(created.sale.seller.0);
            moments.push(recorded.recorded_at);
        }
    }
    sold::load(batch, &mut *connection, tenant, sellers).await?;
    let mut days: BTreeSet<_> = moments.into_iter().map(|at| batch.day_of(at)).collect();
    // A day's rows are loaded together.
    for row in batch.kept.days.iter() {
        days.remove(&row.day);
    }
    batch.kept.days.load(&mut *connection, tenant, days).await?;
    // Reference rates.
    if batch.kept.has_currencies {
        return Ok(());
    }
    batch.kept.has_currencies = true;
    let currencies = sqlx::query("SELECT id FROM currencies WHERE tenant = $1")
        .bind(tenant.as_str())
        .fetch_all(&mut *connection)
        .await?;
    let ids = currencies
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<Vec<Uuid>, _>>()?;
    batch.kept.currencies.load(connection, tenant, ids).await
}

/// Counts a sale and notes its margin.
pub(crate) fn sold(batch: &mut Batch, position: i64, remittance: &mut RemittanceRow) {
    remittance.margin = margin(batch, remittance);
    sold::sell(batch, position, remittance, Count::Sold);
    created::count_in(batch, remittance);
}

/// Counts an edit of amount or group and notes the new margin.
pub(crate) fn edited(batch: &mut Batch, position: i64, before: &RemittanceRow, after: &mut RemittanceRow) {
    after.margin = margin(batch, after);
    let (left, came) = if before.group_id == after.group_id {
        (Count::Same, Count::Same)
    } else {
        (Count::Moved, Count::Sold)
    };
    sold::take_back(batch, position, before, left);
    sold::sell(batch, position, after, came);
    created::count_out(batch, before);
    created::count_in(batch, after);
}

pub(crate) fn canceled(batch: &mut Batch, position: i64, remittance: &RemittanceRow) {
    sold::take_back(batch, position, remittance, Count::Canceled);
    created::count_out(batch, remittance);
}

/// Margin of a remittance at its currency's current reference rate, in USD: A − P / rate.
fn margin(batch: &Batch, remittance: &RemittanceRow) -> Amount {
    let mut currencies = batch.kept.currencies.iter();
    let currency = currencies.find(|currency| currency.code == remittance.currency && !currency.removed);
    let cost = currency.and_then(|currency| currency.exchange_rate.divide(remittance.payout));
    cost.map_or(Amount::ZERO, |cost| remittance.amount - cost)
}
