//! Dashboard chart: remittances created per hour, day or month, without canceled ones.

use super::{
    dashboard::{DashboardQuery, counted, created},
    period::{Period, today},
};
use crate::{error::ReadError, read_transaction::ReadTransaction, scope::Scope};
use caudal_domain::Refusal;
use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, TimeDelta, Timelike as _, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;

/// Maximum days of a chart.
pub const MAX_CHART_DAYS: i64 = 366;
/// Default days of a chart.
pub const CHART_DAYS: u64 = 30;
/// Maximum months of a chart.
pub const MAX_CHART_MONTHS: i64 = 120;
/// Days of the longest month.
const LONGEST_MONTH: i64 = 31;
/// Seconds of a quarter of an hour.
const QUARTER_SECONDS: i64 = 900;

/// Number of remittances created in one hour, day or month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DailyCount {
    /// Day in the tenant's time zone, `YYYYMMDD`; the first of the month for months.
    #[schema(pattern = r"^\d{8}$")]
    pub date: String,
    /// Hour in the tenant's time zone, 0 to 23; present when hours are requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 23)]
    pub hour: Option<u32>,
    /// Number of remittances.
    pub total: i64,
}

/// One row per hour, day or month in order, including empty ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RemittanceStatistics {
    /// Hours, days or months.
    pub results: Vec<DailyCount>,
}

/// Remittances created per hour, day or month: at most [`MAX_CHART_DAYS`] days, hours of one day, or
/// [`MAX_CHART_MONTHS`] months; the last [`CHART_DAYS`] days by default. An hour repeated by a clock change is one row.
///
/// # Errors
/// Invalid, contradictory or too many days.
pub async fn statistics(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    per: Per,
    now: DateTime<Utc>,
) -> Result<RemittanceStatistics, ReadError> {
    let named = asked.period.days()?;
    let invalid = || Refusal::invalid("finalDate", "date_invalid");
    let last = named
        .and_then(|named| named.last)
        .unwrap_or_else(|| today(transaction, now));
    let first = match named.and_then(|named| named.first) {
        Some(first) => first,
        None => last.checked_sub_days(Days::new(CHART_DAYS - 1)).ok_or_else(invalid)?,
    };
    if last < first {
        return Err(Refusal::invalid("initDate", "date_in_future").into());
    }
    let most = match per {
        Per::Hour => 1,
        Per::Day => MAX_CHART_DAYS,
        Per::Month => MAX_CHART_MONTHS * LONGEST_MONTH,
    };
    if (last - first).num_days() >= most {
        let days = [("max", most.to_string())];
        return Err(Refusal::invalid_with("finalDate", "period_too_long", days).into());
    }
    let results = match per {
        Per::Hour => hours(transaction, scope, asked, first, now).await?,
        Per::Day => days(transaction, scope, asked, (first, last)).await?,
        Per::Month => months(transaction, scope, asked, (first, last)).await?,
    };
    Ok(RemittanceStatistics { results })
}

/// Unit of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// Hour of one day.
    Hour,
    #[default]
    Day,
    /// Calendar month, limited to the requested days.
    Month,
}

/// First and last day.
type Ends = (NaiveDate, NaiveDate);

async fn days(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    (first, last): Ends,
) -> Result<Vec<DailyCount>, ReadError> {
    let counts = counts_by_day(transaction, scope, asked, (first, last), "d.day").await?;
    let days = first.iter_days().take_while(|day| *day <= last);
    Ok(days.map(|day| count_of(&counts, day)).collect())
}

async fn months(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    (first, last): Ends,
) -> Result<Vec<DailyCount>, ReadError> {
    let month = "date_trunc('month', d.day)::date";
    let counts = counts_by_day(transaction, scope, asked, (first, last), month).await?;
    let begins = first.with_day(1);
    let months = std::iter::successors(begins, |month| month.checked_add_months(Months::new(1)));
    let months = months.take_while(|month| *month <= last);
    Ok(months.map(|month| count_of(&counts, month)).collect())
}

fn count_of(counts: &HashMap<NaiveDate, i64>, day: NaiveDate) -> DailyCount {
    DailyCount {
        date: day.format("%Y%m%d").to_string(),
        hour: None,
        total: counts.get(&day).copied().unwrap_or(0),
    }
}

/// Remittances created, by a representative day.
async fn counts_by_day(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    (first, last): Ends,
    by: &str,
) -> Result<HashMap<NaiveDate, i64>, ReadError> {
    let mut sql = counted(transaction, scope, asked, first, last).after(&format!(
        "SELECT {by} AS day, sum(d.remittances)::bigint AS remittances"
    ));
    sql.push(&format!(" GROUP BY {by}"));
    let read = |row: &PgRow| Ok((row.try_get("day")?, row.try_get("remittances")?));
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// Hours of a day; today's until now.
async fn hours(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    asked: &DashboardQuery,
    day: NaiveDate,
    now: DateTime<Utc>,
) -> Result<Vec<DailyCount>, ReadError> {
    let zone = transaction.zone();
    let period = Period::days(day, day);
    let (Some(begins), Some(ends)) = (period.begins(transaction)?, period.ends(transaction)?) else {
        return Ok(Vec::new());
    };
    // All time zones differ from UTC by multiples of 15 minutes.
    let quarter = format!("floor(extract(epoch FROM r.created_at) / {QUARTER_SECONDS})::bigint");
    let mut sql = created(transaction, scope, asked, begins, ends)
        .after(&format!("SELECT {quarter} AS quarter, count(*) AS total"));
    sql.push(" GROUP BY quarter");
    let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
    let mut moment = begins;
    while moment < ends && moment <= now {
        counts.entry(moment.with_timezone(&zone).hour()).or_default();
        moment += TimeDelta::seconds(QUARTER_SECONDS);
    }
    for row in transaction.fetch(&sql).await? {
        let quarter: i64 = row.try_get("quarter")?;
        let Some(moment) = DateTime::from_timestamp(quarter * QUARTER_SECONDS, 0) else {
            continue;
        };
        let total: i64 = row.try_get("total")?;
        *counts.entry(moment.with_timezone(&zone).hour()).or_default() += total;
    }
    let date = day.format("%Y%m%d").to_string();
    let row = |(hour, total)| DailyCount {
        date: date.clone(),
        hour: Some(hour),
        total,
    };
    Ok(counts.into_iter().map(row).collect())
}
