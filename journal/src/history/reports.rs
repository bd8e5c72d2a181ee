//! Quarantine reports in the database: exchanged between nodes, and read by the operator's commands.

use super::{Divergence, LogPoint, known::TermStart, quarantine::Quarantine};
use crate::{error::JournalError, keys::Keyring};
use caudal_domain::{ids::TenantId, tenant_state::GivenNumbers};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Maximum reports read per check; far more than nodes times quarantines.
const MAX_REPORTS: i64 = 1_000;

/// Maximum report size in bytes; answers of older batches are omitted to fit.
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

/// Reports as read, newest first.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    pub(crate) stored: Vec<StoredReport>,
    /// Tenants with a row that was changed in the database.
    pub(crate) changed: BTreeSet<TenantId>,
}

impl Reports {
    fn read(keyring: &Keyring, rows: &[PgRow]) -> Result<Self, JournalError> {
        let mut reports = Self::default();
        for row in rows {
            match read_row(keyring, row)? {
                Some(stored) => reports.stored.push(stored),
                None => reports.changed.extend(tenant_of(row)?),
            }
        }
        Ok(reports)
    }
}

/// The tenant of a row; `None` for a name that no tenant can have.
fn tenant_of(row: &PgRow) -> Result<Option<TenantId>, sqlx::Error> {
    Ok(row.try_get::<&str, _>("tenant")?.parse().ok())
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

/// Reads a row; `None` when its MAC is not this installation's, or its times are not those of its content, which is logged.
fn read_row(keyring: &Keyring, row: &PgRow) -> Result<Option<StoredReport>, JournalError> {
    let (tenant, report): (&str, Uuid) = (row.try_get("tenant")?, row.try_get("report")?);
    let (content, ending): (&str, Option<&str>) = (row.try_get("content")?, row.try_get("ending")?);
    if row.try_get::<&[u8], _>("mac")? == mac(keyring, tenant, report, content, ending) {
        let stored = StoredReport {
            report: serde_json::from_str(content)?,
            decision: ending.map(serde_json::from_str).transpose()?,
        };
        let times = (
            Some(stored.report.since.timestamp_micros()),
            stored.decision.as_ref().map(|decision| decision.at.timestamp_micros()),
        );
        // Queries select and order by these columns, which the MAC does not cover.
        if (row.try_get("noticed_at")?, row.try_get("ended_at")?) == times {
            return Ok(Some(stored));
        }
    }
    tracing::error!(tenant, %report, "a row of journal.quarantines was changed in the database and is passed over");
    metrics::counter!("caudal_unauthentic_rows_total", "table" => "quarantines").increment(1);
    Ok(None)
}

const COLUMNS: &str = "tenant, report, journal.micros(noticed_at) AS noticed_at, content, journal.micros(ended_at) AS ended_at, ending, mac";

/// Reports of all tenants that are in force or ended since a time.
pub(crate) async fn all(database: &Database, keyring: &Keyring, since: DateTime<Utc>) -> Result<Reports, JournalError> {
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
    Reports::read(keyring, &rows)
}

/// Tenants with a changed report, however long ago it ended: a changed row may name any time. For a node's start.
pub(crate) async fn changed(database: &Database, keyring: &Keyring) -> Result<BTreeSet<TenantId>, JournalError> {
    let mut transaction = database.begin_directory().await?;
    let mut changed = BTreeSet::new();
    let query = format!("SELECT {COLUMNS} FROM journal.quarantines");
    let mut rows = sqlx::query(&query).fetch(&mut *transaction);
    while let Some(row) = rows.try_next().await? {
        if read_row(keyring, &row)?.is_none() {
            changed.extend(tenant_of(&row)?);
        }
    }
    Ok(changed)
}

/// Number of a tenant's reports, current and ended, and those that were changed in the database. On a connection whose transaction
/// has set the tenant.
pub(crate) async fn check(
    connection: &mut PgConnection,
    keyring: &Keyring,
    tenant: &TenantId,
) -> Result<(u64, Vec<Uuid>), JournalError> {
    let query = format!("SELECT {COLUMNS} FROM journal.quarantines WHERE tenant = $1");
    let mut rows = sqlx::query(&query).bind(tenant.as_str()).fetch(connection);
    let (mut count, mut changed) = (0, Vec::new());
    while let Some(row) = rows.try_next().await? {
        count += 1;
        if read_row(keyring, &row)?.is_none() {
            changed.push(row.try_get("report")?);
        }
    }
    Ok((count, changed))
}

/// Reports of one tenant, current and ended, on a connection whose transaction has set the tenant.
pub(crate) async fn of_tenant(
    connection: &mut PgConnection,
    keyring: &Keyring,
    tenant: &TenantId,
) -> Result<Reports, JournalError> {
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS} FROM journal.quarantines WHERE tenant = $1 ORDER BY noticed_at DESC LIMIT $2"
    ))
    .bind(tenant.as_str())
    .bind(MAX_REPORTS)
    .fetch_all(connection)
    .await?;
    Reports::read(keyring, &rows)
}

/// Inserts a node's report, once.
pub(crate) async fn publish(database: &Database, keyring: &Keyring, report: &Quarantine) -> Result<(), JournalError> {
    insert(database, keyring, report, None).await
}

/// Inserts the report of a node that adopts a decision made without it: its answers may be named by it alone.
pub(crate) async fn publish_ended(
    database: &Database,
    keyring: &Keyring,
    report: &Quarantine,
    decision: &Decision,
) -> Result<(), JournalError> {
    insert(database, keyring, report, Some(decision)).await
}

async fn insert(
    database: &Database,
    keyring: &Keyring,
    report: &Quarantine,
    decision: Option<&Decision>,
) -> Result<(), JournalError> {
    let content = shortened(report)?;
    let ending = decision.map(serde_json::to_string).transpose()?;
    let tenant = report.tenant.as_str();
    let mut transaction = database.begin_write(tenant).await?;
    sqlx::query(
        "INSERT INTO journal.quarantines (tenant, report, noticed_at, content, ended_at, ending, mac)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
    )
    .bind(tenant)
    .bind(report.id)
    .bind(report.since)
    .bind(&content)
    .bind(decision.map(|decision| decision.at))
    .bind(ending.as_deref())
    .bind(mac(keyring, tenant, report.id, &content, ending.as_deref()))
    .execute(&mut *transaction)
    .await?;
    Ok(transaction.commit().await?)
}

/// Report as JSON with the answers of as many of the newest batches as fit. Its points stay: a decision is compared with them.
fn shortened(report: &Quarantine) -> Result<String, serde_json::Error> {
    let mut left = report.clone();
    let mut without = 0;
    loop {
        let text = serde_json::to_string(&left)?;
        if text.len() <= MAX_REPORT_BYTES || without == left.seen.len() {
            return Ok(text);
        }
        without += (left.seen.len() - without).div_ceil(2);
        for batch in left.seen.iter_mut().take(without) {
            batch.acknowledged.clear();
        }
    }
}

/// Ends all current reports of a tenant. Changed rows, whose content is lost, become ended reports without content.
pub(crate) async fn end_all(
    database: &Database,
    keyring: &Keyring,
    tenant: &TenantId,
    decision: &Decision,
) -> Result<(), JournalError> {
    let ending = serde_json::to_string(decision)?;
    let mut transaction = database.begin_write(tenant.as_str()).await?;
    let rows = sqlx::query(&format!(
        "SELECT {COLUMNS} FROM journal.quarantines WHERE tenant = $1 FOR UPDATE"
    ))
    .bind(tenant.as_str())
    .fetch_all(&mut *transaction)
    .await?;
    for row in rows {
        let report: Uuid = row.try_get("report")?;
        let (since, content) = match read_row(keyring, &row)? {
            Some(stored) if stored.decision.is_some() => continue,
            Some(stored) => (stored.report.since, row.try_get("content")?),
            None => (
                decision.at,
                serde_json::to_string(&without_content(tenant, report, decision.at))?,
            ),
        };
        let mac = mac(keyring, tenant.as_str(), report, &content, Some(&ending));
        sqlx::query(
            "UPDATE journal.quarantines SET noticed_at = $3, content = $4, ended_at = $5, ending = $6, mac = $7
              WHERE tenant = $1 AND report = $2",
        )
        .bind(tenant.as_str())
        .bind(report)
        .bind(since)
        .bind(&content)
        .bind(decision.at)
        .bind(&ending)
        .bind(mac)
        .execute(&mut *transaction)
        .await?;
    }
    Ok(transaction.commit().await?)
}

/// A report in place of a changed one.
fn without_content(tenant: &TenantId, report: Uuid, at: DateTime<Utc>) -> Quarantine {
    Quarantine {
        id: report,
        tenant: tenant.clone(),
        node: Uuid::nil(),
        since: at,
        divergence: Divergence::of_changed_report(tenant),
        numbers: GivenNumbers::default(),
        numbers_at: 0,
        seen: Vec::new(),
    }
}
