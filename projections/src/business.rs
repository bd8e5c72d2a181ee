//! Figures of the business for Prometheus: gauges of a tenant, as the whole business sees them.

use crate::{
    error::ReadError,
    read_transaction::{ReadTransaction, only},
};
use caudal_domain::{AccountKind, closure::start_of_day, remittance::Status};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use std::fmt::Write as _;

/// Maximum currencies with gauges of their own, in the order of their codes: each is a time series.
const MAX_CURRENCIES: i64 = 20;

/// Writes the gauges in Prometheus's text format. All are exact integers: amounts are in hundredths.
///
/// # Errors
/// When the database fails.
pub async fn prometheus(transaction: &mut ReadTransaction, now: DateTime<Utc>) -> Result<String, ReadError> {
    let mut page = Page::default();
    remittances(transaction, &mut page).await?;
    day(transaction, now, &mut page).await?;
    waiting(transaction, now, &mut page).await?;
    cash(transaction, &mut page).await?;
    let position = transaction.position();
    page.gauge(
        "caudal_business_position",
        "Position in the log of the last event that these figures contain",
    );
    page.value("caudal_business_position", "", position);
    Ok(page.0)
}

/// Text of the page.
#[derive(Default)]
struct Page(String);

impl Page {
    fn gauge(&mut self, name: &str, help: &str) {
        // Writing to a string can't fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} gauge");
    }

    /// One value; `labels` are made of codes alone, which need no escaping.
    fn value(&mut self, name: &str, labels: &str, value: i64) {
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }
}

async fn remittances(transaction: &mut ReadTransaction, page: &mut Page) -> Result<(), ReadError> {
    const NAME: &str = "caudal_business_remittances";
    let mut sql = transaction
        .rows("remittances", "r")
        .after("SELECT r.status, count(*) AS remittances");
    sql.push(" GROUP BY r.status");
    let mut counts = [0_i64; Status::ALL.len()];
    for row in transaction.fetch(&sql).await? {
        let status: i16 = row.try_get("status")?;
        if let Some(count) = usize::try_from(status).ok().and_then(|status| counts.get_mut(status)) {
            *count = row.try_get("remittances")?;
        }
    }
    page.gauge(NAME, "Remittances by status");
    for status in Status::ALL {
        let count = counts.get(usize::from(status.number())).copied().unwrap_or_default();
        page.value(NAME, &format!("{{status=\"{}\"}}", status.as_str()), count);
    }
    Ok(())
}

/// Sales and deliveries of the tenant's current day.
async fn day(transaction: &mut ReadTransaction, now: DateTime<Utc>, page: &mut Page) -> Result<(), ReadError> {
    let today = now.with_timezone(&transaction.zone()).date_naive();
    // Every day of a calendar that is in use begins at some time.
    let begins = start_of_day(today, transaction.zone()).unwrap_or(now);
    let mut sold = transaction
        .rows("remittances", "r")
        .after("SELECT count(*) AS remittances, coalesce(sum(r.amount), 0)::bigint AS cents");
    sold.push(" AND r.created_at >= ").bind(begins);
    sold.push(" AND r.status <> ")
        .bind(i64::from(Status::Canceled.number()));
    // A delivery also changes its remittance, which the index by the last change finds.
    let mut paid = transaction
        .rows("remittances", "r")
        .after("SELECT count(*) AS remittances, coalesce(sum(r.amount), 0)::bigint AS cents");
    paid.push(" AND r.updated_at >= ").bind(begins);
    paid.push(" AND r.completed_at >= ").bind(begins);
    paid.push(" AND r.status = ")
        .bind(i64::from(Status::Completed.number()));
    for (sql, act, told) in [(sold, "sold", "sold and not canceled"), (paid, "paid", "delivered")] {
        let row = only(transaction.fetch(&sql).await?, "tenant_unknown")?;
        let count = format!("caudal_business_{act}_today");
        page.gauge(&count, &format!("Remittances {told} in the business's current day"));
        page.value(&count, "", row.try_get("remittances")?);
        let cents = format!("caudal_business_{act}_today_usd_cents");
        page.gauge(
            &cents,
            &format!("Amount sent of the remittances {told} in the business's current day, in hundredths of a USD"),
        );
        page.value(&cents, "", row.try_get("cents")?);
    }
    Ok(())
}

/// Remittances that wait to be delivered.
async fn waiting(transaction: &mut ReadTransaction, now: DateTime<Utc>, page: &mut Page) -> Result<(), ReadError> {
    const COUNT: &str = "caudal_business_undelivered";
    const AGE: &str = "caudal_business_oldest_undelivered_seconds";
    let mut sql = transaction
        .rows("remittances", "r")
        .after("SELECT count(*) AS remittances, min(r.created_at) AS oldest");
    let open = [Status::Pending, Status::Shipping, Status::Error].map(|status| i64::from(status.number()));
    sql.push(" AND r.status = ANY(").bind(open.to_vec()).push(")");
    let row = only(transaction.fetch(&sql).await?, "tenant_unknown")?;
    let oldest: Option<DateTime<Utc>> = row.try_get("oldest")?;
    page.gauge(
        COUNT,
        "Remittances that wait to be delivered: pending, shipping and in error",
    );
    page.value(COUNT, "", row.try_get("remittances")?);
    page.gauge(AGE, "Time since the sale of the oldest of them; 0 without any");
    let age = oldest.map_or(0, |oldest| (now - oldest).num_seconds().max(0));
    page.value(AGE, "", age);
    Ok(())
}

/// Cash in the hands of dealers and delivery men, by currency.
async fn cash(transaction: &mut ReadTransaction, page: &mut Page) -> Result<(), ReadError> {
    const HOLDERS: &str = "caudal_business_cash_holders";
    const CASH: &str = "caudal_business_field_cash_cents";
    let mut sql = transaction
        .rows("accounts", "a")
        .after("SELECT a.currency, count(*) FILTER (WHERE a.balance > 0) AS holders, sum(a.balance)::bigint AS cents");
    sql.push(" AND a.kind = ").bind(AccountKind::FieldCash.as_str());
    sql.push(" GROUP BY a.currency ORDER BY a.currency LIMIT ")
        .bind(MAX_CURRENCIES);
    let rows = transaction.fetch(&sql).await?;
    let mut lines = [String::new(), String::new()];
    for row in rows {
        let currency: String = row.try_get("currency")?;
        let figures: [i64; 2] = [row.try_get("holders")?, row.try_get("cents")?];
        for ((line, name), figure) in lines.iter_mut().zip([HOLDERS, CASH]).zip(figures) {
            let _ = writeln!(line, "{name}{{currency=\"{currency}\"}} {figure}");
        }
    }
    let [holders, cents] = lines;
    page.gauge(HOLDERS, "Dealers and delivery men who hold cash, by currency");
    page.0.push_str(&holders);
    page.gauge(
        CASH,
        "Cash of dealers and delivery men, by currency, in hundredths of it; negative where they advanced their own",
    );
    page.0.push_str(&cents);
    Ok(())
}
