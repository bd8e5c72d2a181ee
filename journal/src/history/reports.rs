//! Quarantine reports in the database: exchanged between nodes, and read by the operator's commands.

use super::{
    LogPoint,
    known::TermStart,
    quarantine::{Quarantine, SeenBatch},
};
use crate::{error::JournalError, keys::Keyring};
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;

/// Maximum reports read per check; far more than nodes times quarantines.
const MAX_REPORTS: i64 = 1_000;

/// Maximum report size in bytes; older batches are omitted to fit.
const MAX_REPORT_BYTES: usize = 4 * 1024 * 1024;

/// An operator's decision, stored with the reports that it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decision {
    pub id: Uuid,
    /// Time of the decision.
    pub at: DateTime<Utc>,
    /// Point of its event: the log counts from here.
    pub accepted: LogPoint,
    /// First lost position; `None` when nothing was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_from: Option<i64>,
    /// Last lost position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_to: Option<i64>,
    /// The operator's reason.
    pub reason: String,
}

impl Decision {
    /// As the start of a term.
    pub(crate) const fn start(&self) -> TermStart {
        TermStart {
            decision: self.id,
            at: self.at,
        }
    }
}

/// A node's report as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReport {
    pub report: Quarantine,
    /// The decision that ended it; `None` while in force.
    pub decision: Option<Decision>,
}

/// MAC of a row.
fn mac(keyring: &Keyring, tenant: &str, report: Uuid, content: &str, ending: Option<&str>) -> [u8; 32] {
    let ending = ending.unwrap_or_default();
    keyring.lookup(
        "quarantine",
        &[
            tenant.as_bytes(),
            report.as_bytes(),
            content.as_bytes(),
            ending.as_bytes(),
        ],
    )
}

/// Reads a row; `None` when its MAC is not this installation's, which is logged and ignored.
fn read_row(keyring: &Keyring, row: &PgRow) -> Result<Option<StoredReport>, JournalError> {
    let (tenant, report): (&str, Uuid) = (row.try_get("tenant")?, row.try_get("report")?);
    let (content, ending): (&str, Option<&str>) = (row.try_get("content")?, row.try_get("ending")?);
    if row.try_get::<&[u8], _>("mac")? != mac(keyring, tenant, report, content, ending) {
        tracing::error!(tenant, %report, "a row of journal.quarantines is not authentic and is passed over");
        metrics::counter!("caudal_unauthentic_rows_total", "table" => "quarantines").increment(1);
        return Ok(None);
    }
    Ok(Some(StoredReport {
        report: serde_json::from_str(content)?,
        decision: ending.map(serde_json::from_str).transpose()?,
    }))
}

const COLUMNS: &str = "tenant, report, content, ending, mac";

/// Reports of all tenants that are in force or ended since a time, newest first.
pub(crate) async fn all(
    database: &Database,
    keyring: &Keyring,
    since: DateTime<Utc>,
) -> Result<Vec<StoredReport>, JournalError> {
    let mut transaction = database.begin_directory().await?;
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS} FROM journal.quarantines WHERE ended_at IS NULL OR ended_at > $1
          ORDER BY noticed_at DESC LIMIT $2"
    ))
    .bind(since)
    .bind(MAX_REPORTS)
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    let read = rows.iter().map(|row| read_row(keyring, row));
    read.filter_map(Result::transpose).collect()
}

/// Reports of one tenant, current and ended, newest first, on a connection whose transaction has set the tenant.
pub(crate) async fn of_tenant(
    connection: &mut PgConnection,
    keyring: &Keyring,
    tenant: &TenantId,
) -> Result<Vec<StoredReport>, JournalError> {
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS} FROM journal.quarantines WHERE tenant = $1 ORDER BY noticed_at DESC LIMIT $2"
    ))
    .bind(tenant.as_str())
    .bind(MAX_REPORTS)
    .fetch_all(connection)
    .await?;
    let read = rows.iter().map(|row| read_row(keyring, row));
    read.filter_map(Result::transpose).collect()
}

/// Inserts a node's report, once.
pub(crate) async fn publish(database: &Database, keyring: &Keyring, report: &Quarantine) -> Result<(), JournalError> {
    let content = shortened(report)?;
    let tenant = report.tenant.as_str();
    let mut transaction = database.begin_write(tenant).await?;
    sqlx::query(
        "INSERT INTO journal.quarantines (tenant, report, noticed_at, content, mac) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
    )
    .bind(tenant)
    .bind(report.id)
    .bind(report.since)
    .bind(&content)
    .bind(mac(keyring, tenant, report.id, &content, None))
    .execute(&mut *transaction)
    .await?;
    Ok(transaction.commit().await?)
}

/// Report as JSON with as many of the newest batches as fit.
fn shortened(report: &Quarantine) -> Result<String, serde_json::Error> {
    let mut left = report.clone();
    loop {
        let text = serde_json::to_string(&left)?;
        if text.len() <= MAX_REPORT_BYTES || left.seen.is_empty() {
            return Ok(text);
        }
        let newer: Vec<SeenBatch> = left.seen.split_off(left.seen.len().div_ceil(2));
        left.seen = newer;
    }
}

/// Ends all current reports of a tenant.
pub(crate) async fn end_all(
    database: &Database,
    keyring: &Keyring,
    tenant: &TenantId,
    decision: &Decision,
) -> Result<(), JournalError> {
    let ending = serde_json::to_string(decision)?;
    let mut transaction = database.begin_write(tenant.as_str()).await?;
    let rows = sqlx::query(
        "SELECT tenant, report, content, ending, mac FROM journal.quarantines
          WHERE tenant = $1 AND ended_at IS NULL FOR UPDATE",
    )
    .bind(tenant.as_str())
    .fetch_all(&mut *transaction)
    .await?;
    for row in rows {
        if read_row(keyring, &row)?.is_none() {
            continue;
        }
        let report: Uuid = row.try_get("report")?;
        let mac = mac(keyring, tenant.as_str(), report, row.try_get("content")?, Some(&ending));
        sqlx::query(
            "UPDATE journal.quarantines SET ended_at = $3, ending = $4, mac = $5 WHERE tenant = $1 AND report = $2",
        )
        .bind(tenant.as_str())
        .bind(report)
        .bind(decision.at)
        .bind(&ending)
        .bind(mac)
        .execute(&mut *transaction)
        .await?;
    }
    Ok(transaction.commit().await?)
}
